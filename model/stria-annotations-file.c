/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "stria-annotations-private.h"
#include "stria-error.h"
#include "stria-json-file.h"

#include <glib/gi18n-lib.h>

#define FORMAT         "stria-annotations"
#define FORMAT_VERSION 1
/* Nearly a lifetime on both sides of any clock's zero; the difference of two still is a number. */
#define MAX_TIME       (G_MAXINT64 / 4)

StriaAnnotation *
stria_annotation_copy (const StriaAnnotation *self)
{
  StriaAnnotation *copy = g_memdup2 (self, sizeof *self);

  copy->name = g_strdup (self->name);
  copy->note = g_strdup (self->note);
  return copy;
}

void
stria_annotation_free (StriaAnnotation *self)
{
  g_free (self->name);
  g_free (self->note);
  g_free (self);
}

char *
stria_annotations_write (GPtrArray *items, const char *identity, const char *title)
{
  g_autoptr (GString) json = g_string_new ("{\n  \"format\": \"" FORMAT "\",\n");

  g_string_append_printf (json, "  \"version\": %d,\n  \"capture\": { ", FORMAT_VERSION);
  stria_json_append_member (json, "identity", identity != NULL ? identity : "");
  g_string_append (json, ", ");
  stria_json_append_member (json, "title", title != NULL ? title : "");
  g_string_append (json, " },\n  \"annotations\": [");
  for (guint i = 0; i < items->len; i++)
    {
      const StriaAnnotation *item = items->pdata[i];

      g_string_append_printf (json,
                              "%s\n    { \"start_ns\": %" G_GINT64_FORMAT
                              ", \"end_ns\": %" G_GINT64_FORMAT ", \"color\": \"#%06x\", ",
                              i > 0 ? "," : "", item->t0, item->t1, item->rgb & 0xffffff);
      stria_json_append_member (json, "name", item->name);
      g_string_append (json, ", ");
      stria_json_append_member (json, "note", item->note);
      g_string_append (json, " }");
    }
  g_string_append (json, items->len > 0 ? "\n  ]\n}\n" : "]\n}\n");
  return g_string_free (g_steal_pointer (&json), FALSE);
}

static char *
cut_text (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  gsize length = strlen (valid);

  if (length > STRIA_ANNOTATION_MAX_TEXT)
    {
      char *end = g_utf8_find_prev_char (valid, valid + STRIA_ANNOTATION_MAX_TEXT);
      *(end != NULL ? end : valid) = '\0';
    }
  return g_steal_pointer (&valid);
}

static guint32
parse_color (const char *text, guint i)
{
  guint64 value = 0;

  if (text[0] == '#' && strlen (text) == 7
      && g_ascii_string_to_unsigned (text + 1, 16, 0, 0xffffff, &value, NULL) && value != 0)
    return (guint32) value;
  return stria_annotation_color (i);
}

static StriaAnnotation *
read_item (JsonNode *node, guint i, const char *path, GError **error)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  StriaAnnotation *item;
  gint64 t0 = 0, t1 = 0;

  if (object == NULL || !stria_json_get_int (object, "start_ns", &t0))
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                   _ ("%s: annotation %u: expected a whole number “start_ns”, found none"), path, i);
      return NULL;
    }
  if (!stria_json_get_int (object, "end_ns", &t1))
    t1 = t0;
  if (ABS (t0 / 2) > MAX_TIME / 2 || ABS (t1 / 2) > MAX_TIME / 2)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                   _ ("%s: annotation %u: expected times within ±%" PRIi64
                      " ns, found others"),
                   path, i, (gint64) MAX_TIME);
      return NULL;
    }
  if (t1 < t0)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                   _ ("%s: annotation %u: expected an end that is not before the start, found "
                      "%" PRIi64 " ns after %" PRIi64 " ns"),
                   path, i, t1, t0);
      return NULL;
    }
  item = g_new0 (StriaAnnotation, 1);
  item->t0 = t0;
  item->t1 = t1;
  item->rgb = parse_color (stria_json_get_text (object, "color"), i);
  item->name = cut_text (stria_json_get_text (object, "name"));
  item->note = cut_text (stria_json_get_text (object, "note"));
  if (item->name[0] == '\0')
    {
      g_free (item->name);
      item->name = g_strdup_printf (_ ("Marker %u"), i + 1);
    }
  return item;
}

static GPtrArray *
read_items (JsonArray *array, const char *path, GError **error)
{
  const guint n = json_array_get_length (array);
  g_autoptr (GPtrArray) items
      = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_annotation_free);

  if (n > STRIA_ANNOTATIONS_MAX)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                   _ ("%s: expected at most %u annotations, found %u"), path,
                   (guint) STRIA_ANNOTATIONS_MAX, n);
      return NULL;
    }
  for (guint i = 0; i < n; i++)
    {
      StriaAnnotation *item = read_item (json_array_get_element (array, i), i, path, error);

      if (item == NULL)
        return NULL;
      g_ptr_array_add (items, item);
    }
  return g_steal_pointer (&items);
}

/* NULL: there is none */
static JsonObject *
capture_of (JsonParser *parser)
{
  JsonNode *capture = json_object_get_member (
      json_node_get_object (json_parser_get_root (parser)), "capture");

  return capture != NULL && JSON_NODE_HOLDS_OBJECT (capture) ? json_node_get_object (capture)
                                                             : NULL;
}

char *
stria_annotations_read_title (const char *text, const char *path)
{
  g_autoptr (JsonParser) parser
      = stria_json_file_parse (text, strlen (text), path, FORMAT, NULL);
  JsonObject *capture = parser != NULL ? capture_of (parser) : NULL;

  return capture != NULL ? g_strdup (stria_json_get_text (capture, "title")) : NULL;
}

GPtrArray *
stria_annotations_read (const char *text, gssize length, const char *path, char **identity,
                        GError **error)
{
  const gsize n = length < 0 ? strlen (text) : (gsize) length;
  g_autoptr (JsonParser) parser = NULL;
  JsonArray *list;
  JsonObject *capture;

  if (n > STRIA_ANNOTATIONS_MAX_FILE)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                   _ ("%s: expected at most %d MiB, found more"), path,
                   STRIA_ANNOTATIONS_MAX_FILE >> 20);
      return NULL;
    }
  parser = stria_json_file_parse (text, n, path, FORMAT, error);
  list = parser != NULL ? stria_json_file_list (parser, "annotations", path, error) : NULL;
  if (list == NULL)
    return NULL;
  capture = capture_of (parser);
  if (identity != NULL)
    *identity = g_strdup (capture != NULL ? stria_json_get_text (capture, "identity") : "");
  return read_items (list, path, error);
}
