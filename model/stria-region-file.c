/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-error.h"
#include "stria-json-file.h"
#include "stria-regions-private.h"

#include <glib/gi18n-lib.h>

#define FORMAT         "stria-region-rules"
#define FORMAT_VERSION 1
#define MAX_PATTERN    4096
#define MAX_NUMBER     1000000

static const char *const kinds[STRIA_REGION_N_KINDS]
    = { "name", "layer", "collective", "kernel" };

GPtrArray *
stria_region_rules_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) stria_region_rule_free);
}

char *
stria_region_rules_write (GPtrArray *rules)
{
  g_autoptr (GString) json = g_string_new (NULL);

  g_string_append_printf (json, "{\n  \"format\": \"" FORMAT "\",\n  \"version\": %d,\n"
                                "  \"rules\": [", FORMAT_VERSION);
  for (guint i = 0; i < rules->len; i++)
    {
      const StriaRegionRule *rule = rules->pdata[i];

      g_string_append (json, i > 0 ? ",\n    { " : "\n    { ");
      stria_json_append_member (json, "kind", kinds[rule->kind]);
      g_string_append (json, ", ");
      stria_json_append_member (json, "name", rule->name);
      g_string_append (json, ", ");
      stria_json_append_member (json, "pattern", rule->pattern);
      g_string_append (json, ", ");
      stria_json_append_member (json, "type1", rule->type1);
      g_string_append (json, ", ");
      stria_json_append_member (json, "type2", rule->type2);
      g_string_append_printf (json, ", \"offset\": %u, \"stride\": %u, \"count\": %u }",
                              rule->offset, rule->stride, rule->count);
    }
  g_string_append (json, rules->len > 0 ? "\n  ]\n}\n" : "]\n}\n");
  return g_string_free (g_steal_pointer (&json), FALSE);
}

static gboolean
take_text (JsonObject *object, const char *key, char **text)
{
  const char *found = stria_json_get_text (object, key);

  if (strlen (found) > MAX_PATTERN || !g_utf8_validate (found, -1, NULL))
    return FALSE;
  g_free (*text);
  *text = g_strdup (found);
  return TRUE;
}

static gboolean
take_number (JsonObject *object, const char *key, guint *number)
{
  gint64 value = 0;

  if (!stria_json_get_int (object, key, &value))
    return TRUE;
  *number = (guint) CLAMP (value, 0, MAX_NUMBER);
  return value == *number;
}

/* NULL: it is no rule */
static StriaRegionRule *
read_rule (JsonNode *node)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const char *kind = object != NULL ? stria_json_get_text (object, "kind") : "";
  g_autoptr (StriaRegionRule) rule = NULL;
  g_autoptr (StriaPattern) pattern = NULL;

  for (guint k = 0; k < STRIA_REGION_N_KINDS && rule == NULL; k++)
    if (g_str_equal (kind, kinds[k]))
      rule = stria_region_rule_new (k, NULL, NULL);
  if (rule == NULL || !take_text (object, "name", &rule->name)
      || !take_text (object, "pattern", &rule->pattern)
      || !take_text (object, "type1", &rule->type1) || !take_text (object, "type2", &rule->type2)
      || !take_number (object, "offset", &rule->offset)
      || !take_number (object, "stride", &rule->stride)
      || !take_number (object, "count", &rule->count))
    return NULL;
  pattern = stria_pattern_new (rule->pattern, NULL);
  return pattern != NULL ? g_steal_pointer (&rule) : NULL;
}

GPtrArray *
stria_region_rules_read (const char *text, gsize length, const char *path, GError **error)
{
  g_autoptr (JsonParser) parser = stria_json_file_parse (text, length, path, FORMAT, error);
  JsonArray *list = parser != NULL ? stria_json_file_list (parser, "rules", path, error) : NULL;
  g_autoptr (GPtrArray) rules = stria_region_rules_new ();

  if (list == NULL)
    return NULL;
  if (json_array_get_length (list) > STRIA_REGIONS_MAX_RULES)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                   _ ("%s: expected at most %u rules, found %u"), path,
                   (guint) STRIA_REGIONS_MAX_RULES, json_array_get_length (list));
      return NULL;
    }
  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      StriaRegionRule *rule = read_rule (json_array_get_element (list, i));

      if (rule == NULL)
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                       _ ("%s: rule %u: expected a kind, texts and numbers of a rule, found others"),
                       path, i);
          return NULL;
        }
      g_ptr_array_add (rules, rule);
    }
  return g_steal_pointer (&rules);
}
