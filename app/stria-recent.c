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
  g_free (item->folder);
  g_strfreev (item->tags);
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

static char **
get_tags (JsonObject *object)
{
  JsonNode *node = json_object_get_member (object, "tags");
  g_autoptr (GStrvBuilder) tags = g_strv_builder_new ();
  JsonArray *array;

  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node))
    return NULL;
  array = json_node_get_array (node);
  for (guint i = 0; i < json_array_get_length (array); i++)
    if (json_node_get_value_type (json_array_get_element (array, i)) == G_TYPE_STRING)
      g_strv_builder_add (tags, json_node_get_string (json_array_get_element (array, i)));
  return g_strv_builder_end (tags);
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
  item->pinned = get_int (object, "pinned") != 0;
  item->folder = g_strdup (get_string (object, "folder"));
  item->tags = get_tags (object);
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
  for (guint i = 0; i < json_array_get_length (array); i++)
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
  if (item->pinned)
    {
      json_builder_set_member_name (builder, "pinned");
      json_builder_add_int_value (builder, 1);
    }
  if (item->folder != NULL)
    {
      json_builder_set_member_name (builder, "folder");
      json_builder_add_string_value (builder, item->folder);
    }
  if (item->tags != NULL && item->tags[0] != NULL)
    {
      json_builder_set_member_name (builder, "tags");
      json_builder_begin_array (builder);
      for (guint i = 0; item->tags[i] != NULL; i++)
        json_builder_add_string_value (builder, item->tags[i]);
      json_builder_end_array (builder);
    }
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
  guint n = 0;

  json_builder_begin_array (builder);
  for (guint i = 0; i < items->len; i++)
    if (stria_recent_item_is_kept (items->pdata[i]) || n++ < STRIA_RECENT_MAX)
      add_item (builder, g_ptr_array_index (items, i));
  json_builder_end_array (builder);
  root = json_builder_get_root (builder);
  text = json_to_string (root, TRUE);

  if (g_mkdir_with_parents (folder, 0700) != 0 || !g_file_set_contents (path, text, -1, &error))
    g_warning ("The list of recent captures could not be saved: %s",
               error != NULL ? error->message : g_strerror (errno));
}

static StriaRecentItem *
find_paths (GPtrArray *items, const char *const *paths)
{
  for (guint i = 0; i < items->len; i++)
    if (g_strv_equal ((const char *const *) ((StriaRecentItem *) items->pdata[i])->paths, paths))
      return items->pdata[i];
  return NULL;
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
  const StriaRecentItem *before = find_paths (items, (const char *const *) item->paths);
  StriaRecentItem *copy = g_new0 (StriaRecentItem, 1);

  *copy = *item;
  copy->paths = g_strdupv (item->paths);
  copy->title = g_strdup (item->title);
  copy->key = g_strdup (item->key);
  copy->pinned = before != NULL && before->pinned;
  copy->folder = before != NULL ? g_strdup (before->folder) : NULL;
  copy->tags = before != NULL ? g_strdupv (before->tags) : NULL;
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

gboolean
stria_recent_item_is_kept (const StriaRecentItem *item)
{
  return item->pinned || item->folder != NULL || (item->tags != NULL && item->tags[0] != NULL);
}

void
stria_recent_mark (const char *const *paths, const StriaRecentItem *marks)
{
  g_autoptr (GPtrArray) items = stria_recent_list ();
  StriaRecentItem *item = find_paths (items, paths);
  char *folder;
  char **tags;

  if (item == NULL)
    return;
  /* They may be its own. */
  folder = g_strdup (marks->folder);
  tags = g_strdupv (marks->tags);
  item->pinned = marks->pinned;
  g_free (item->folder);
  item->folder = folder;
  g_strfreev (item->tags);
  item->tags = tags;
  save (items);
}

void
stria_recent_clear (void)
{
  g_autoptr (GPtrArray) items = stria_recent_list ();

  for (guint i = items->len; i > 0; i--)
    if (!stria_recent_item_is_kept (items->pdata[i - 1]))
      g_ptr_array_remove_index (items, i - 1);

  save (items);
}
