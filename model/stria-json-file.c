/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-error.h"
#include "stria-json-file.h"
#include "stria-json-text.h"

#include <glib/gi18n-lib.h>

#define MAX_DEPTH 16

/* The parser goes down with the text, and texts of strangers go down as far as they like. */
static gboolean
is_shallow (const char *text, gsize length)
{
  gboolean in_text = FALSE;
  guint depth = 0;

  for (gsize i = 0; i < length; i++)
    if (in_text && text[i] == '\\')
      i++;
    else if (text[i] == '"')
      in_text = !in_text;
    else if (!in_text && (text[i] == '[' || text[i] == '{'))
      {
        if (++depth > MAX_DEPTH)
          return FALSE;
      }
    else if (!in_text && depth > 0 && (text[i] == ']' || text[i] == '}'))
      depth--;
  return TRUE;
}

JsonParser *
stria_json_file_parse (const char *text, gsize length, const char *path, const char *format,
                       GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GError) inner = NULL;
  JsonNode *root;

  if (!is_shallow (text, length))
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                   _ ("%s: expected JSON of at most %d levels, found more"), path, MAX_DEPTH);
      return NULL;
    }
  if (!json_parser_load_from_data (parser, text, (gssize) length, &inner))
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED, _ ("%s: expected JSON, found %s"),
                   path, inner->message);
      return NULL;
    }
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root)
      || !g_str_equal (stria_json_get_text (json_node_get_object (root), "format"), format))
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_BAD_MAGIC,
                   _ ("%s: expected the format “%s”, found another"), path, format);
      return NULL;
    }
  return g_steal_pointer (&parser);
}

JsonArray *
stria_json_file_list (JsonParser *parser, const char *name, const char *path, GError **error)
{
  JsonObject *root = json_node_get_object (json_parser_get_root (parser));
  JsonNode *list = json_object_get_member (root, name);

  if (list == NULL || !JSON_NODE_HOLDS_ARRAY (list))
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                   _ ("%s: expected a list “%s”, found none"), path, name);
      return NULL;
    }
  return json_node_get_array (list);
}

gboolean
stria_json_get_int (JsonObject *object, const char *key, gint64 *value)
{
  JsonNode *node = json_object_get_member (object, key);

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node)
      || json_node_get_value_type (node) != G_TYPE_INT64)
    return FALSE;
  *value = json_node_get_int (node);
  return TRUE;
}

const char *
stria_json_get_text (JsonObject *object, const char *key)
{
  JsonNode *node = json_object_get_member (object, key);

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node)
      || json_node_get_value_type (node) != G_TYPE_STRING || json_node_get_string (node) == NULL)
    return "";
  return json_node_get_string (node);
}

void
stria_json_append_member (GString *json, const char *key, const char *text)
{
  g_string_append_printf (json, "\"%s\": ", key);
  stria_json_append_text (json, text, -1);
}
