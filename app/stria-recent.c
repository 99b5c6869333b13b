/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-recent.h"

#include <json-glib/json-glib.h>

#define MAX_FILE_BYTES (4 << 20)

void
stria_recent_item_free (StriaRecentItem *item)
{
  if (item == NULL)
    return;
  g_strfreev (item->paths);
  g_free (item->title);
  g_free (item->key);
  g_free (item);
}

static char *
recent_path (void)
{
  return g_build_filename (g_get_user_data_dir (), "stria", "recent.json", NULL);
}

static const char *
get_string (JsonObject *object, const char *key)
{
  JsonNode *node = json_object_get_member (object, key);

  return node != NULL && json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_get_string (node)
             : NULL;
}

static gint64
get_int (JsonObject *object, const char *key)
{
  JsonNode *node = json_object_get_member (object, key);

  return node != NULL && json_node_get_value_type (node) == G_TYPE_INT64 ? json_node_get_int (node)
                                                                         : 0;
}

/* JSON holds text and file names are bytes, so names stand there as URIs. */
static char **
get_paths (JsonObject *object)
{
  JsonNode *node = json_object_get_member (object, "uris");
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  JsonArray *array;
  guint n = 0;

  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node))
    return NULL;
  array = json_node_get_array (node);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *element = json_array_get_element (array, i);
      g_autofree char *path = NULL;

      if (json_node_get_value_type (element) == G_TYPE_STRING)
        path = g_filename_from_uri (json_node_get_string (element), NULL, NULL);
      if (path == NULL)
        continue;
      g_strv_builder_add (paths, path);
      n++;
    }
  return n > 0 ? g_strv_builder_end (paths) : NULL;
}

static StriaRecentItem *
item_from_json (JsonNode *node)
{
  StriaRecentItem *item;
  JsonObject *object;
  char **paths;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return NULL;
  object = json_node_get_object (node);
  paths = get_paths (object);
  if (paths == NULL)
    return NULL;
  item = g_new0 (StriaRecentItem, 1);
  item->paths = paths;
  item->title = g_strdup (get_string (object, "title"));
  if (item->title == NULL)
    item->title = g_path_get_basename (paths[0]);
  item->key = g_strdup (get_string (object, "key"));
  item->opened_us = get_int (object, "opened_us");
  item->bytes = (guint64) MAX (0, get_int (object, "bytes"));
  item->n_events = (guint64) MAX (0, get_int (object, "events"));
  item->duration_ns = MAX (0, get_int (object, "duration_ns"));
  return item;
}

/**
 * stria_recent_list:
 *
 * Returns: (transfer full) (element-type StriaRecentItem): newest first
 */
GPtrArray *
stria_recent_list (void)
{
  GPtrArray *items = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_recent_item_free);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *path = recent_path ();
  g_autofree char *text = NULL;
  JsonNode *root;
  JsonArray *array;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, NULL) || length > MAX_FILE_BYTES ||
      !json_parser_load_from_data (parser, text, (gssize) length, NULL))
    return items;
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_ARRAY (root))
    return items;
  array = json_node_get_array (root);
  for (guint i = 0; i < json_array_get_length (array) && items->len < STRIA_RECENT_MAX; i++)
    {
      StriaRecentItem *item = item_from_json (json_array_get_element (array, i));

      if (item != NULL)
        g_ptr_array_add (items, item);
    }
  return items;
}

static void
add_item (JsonBuilder *builder, const StriaRecentItem *item)
{
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "uris");
  json_builder_begin_array (builder);
  for (guint i = 0; item->paths[i] != NULL; i++)
    {
      g_autofree char *uri = g_filename_to_uri (item->paths[i], NULL, NULL);

      if (uri != NULL)
        json_builder_add_string_value (builder, uri);
    }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "title");
  json_builder_add_string_value (builder, item->title);
  if (item->key != NULL)
    {
      json_builder_set_member_name (builder, "key");
      json_builder_add_string_value (builder, item->key);
    }
  json_builder_set_member_name (builder, "opened_us");
  json_builder_add_int_value (builder, item->opened_us);
  json_builder_set_member_name (builder, "bytes");
  json_builder_add_int_value (builder, (gint64) item->bytes);
  json_builder_set_member_name (builder, "events");
  json_builder_add_int_value (builder, (gint64) item->n_events);
  json_builder_set_member_name (builder, "duration_ns");
  json_builder_add_int_value (builder, item->duration_ns);
  json_builder_end_object (builder);
}

static void
save (GPtrArray *items)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *path = recent_path ();
  g_autofree char *folder = g_path_get_dirname (path);

  json_builder_begin_array (builder);
  for (guint i = 0; i < items->len && i < STRIA_RECENT_MAX; i++)
    add_item (builder, g_ptr_array_index (items, i));
  json_builder_end_array (builder);
  root = json_builder_get_root (builder);
  text = json_to_string (root, TRUE);

  if (g_mkdir_with_parents (folder, 0700) != 0 || !g_file_set_contents (path, text, -1, &error))
    g_warning ("The list of recent captures could not be saved: %s",
               error != NULL ? error->message : g_strerror (errno));
}

static void
remove_paths (GPtrArray *items, const char *const *paths)
{
  for (guint i = items->len; i > 0; i--)
    {
      const StriaRecentItem *item = g_ptr_array_index (items, i - 1);

      if (g_strv_equal ((const char *const *) item->paths, paths))
        g_ptr_array_remove_index (items, i - 1);
    }
}

void
stria_recent_add (const StriaRecentItem *item)
{
  g_autoptr (GPtrArray) items = stria_recent_list ();
  StriaRecentItem *copy = g_new0 (StriaRecentItem, 1);

  *copy = *item;
  copy->paths = g_strdupv (item->paths);
  copy->title = g_strdup (item->title);
  copy->key = g_strdup (item->key);
  remove_paths (items, (const char *const *) item->paths);
  g_ptr_array_insert (items, 0, copy);
  save (items);
}

void
stria_recent_remove (const char *const *paths)
{
  g_autoptr (GPtrArray) items = stria_recent_list ();

  remove_paths (items, paths);
  save (items);
}

void
stria_recent_clear (void)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();

  save (items);
}
