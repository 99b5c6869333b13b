/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <json-glib/json-glib.h>

#include "stria-alloc-capacity.h"
#include "stria-alloc-private.h"

/* Snapshots do not say how much memory a device has. A trace does, in deviceProperties, by the number
 * that the device has in its process. */

#define DISAGREE G_MAXUINT64

static gint64
int_of (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node)
      || json_node_get_value_type (node) != G_TYPE_INT64)
    return -1;
  return json_node_get_int (node);
}

/* Adds what one trace says: device number -> bytes, or DISAGREE where another trace says otherwise. */
static void
add_devices (GHashTable *capacities, const char *json)
{
  g_autoptr (JsonNode) root = json_from_string (json, NULL);
  JsonArray *devices;

  if (root == NULL || !JSON_NODE_HOLDS_ARRAY (root))
    return;
  devices = json_node_get_array (root);
  for (guint i = 0; i < json_array_get_length (devices); i++)
    {
      JsonNode *node = json_array_get_element (devices, i);
      gint64 id, bytes;
      guint64 *known;

      if (!JSON_NODE_HOLDS_OBJECT (node))
        continue;
      id = int_of (json_node_get_object (node), "id");
      bytes = int_of (json_node_get_object (node), "totalGlobalMem");
      if (id < 0 || id > G_MAXINT32 || bytes <= 0)
        continue;
      known = g_hash_table_lookup (capacities, GINT_TO_POINTER ((gint) id));
      if (known == NULL)
        g_hash_table_insert (capacities, GINT_TO_POINTER ((gint) id),
                             g_memdup2 (&bytes, sizeof bytes));
      else if (*known != (guint64) bytes)
        *known = DISAGREE;
    }
}

void
stria_alloc_capacity_find (GPtrArray *parts)
{
  g_autoptr (GHashTable) capacities = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  gboolean any = FALSE;

  for (guint p = 0; p < parts->len && !any; p++)
    any = parts->pdata[p] != NULL && ((StriaPart *) parts->pdata[p])->snapshot != NULL;
  for (guint p = 0; any && p < parts->len; p++)
    {
      const StriaPart *part = parts->pdata[p];
      const char *json = part != NULL && part->meta != NULL
                             ? g_hash_table_lookup (part->meta, "deviceProperties")
                             : NULL;
      if (json != NULL)
        add_devices (capacities, json);
    }
  for (guint p = 0; any && p < parts->len; p++)
    {
      const StriaPart *part = parts->pdata[p];
      guint n = part != NULL && part->snapshot != NULL
                    ? stria_snapshot_get_n_devices (part->snapshot)
                    : 0;

      for (guint d = 0; d < n; d++)
        {
          StriaAllocator *allocator = stria_snapshot_get_device (part->snapshot, d);
          const guint64 *known
              = allocator->device <= G_MAXINT32
                    ? g_hash_table_lookup (capacities, GINT_TO_POINTER ((gint) allocator->device))
                    : NULL;
          stria_allocator_set_capacity (
              allocator, known != NULL && *known != DISAGREE && !allocator->is_host ? *known : 0);
        }
    }
}
