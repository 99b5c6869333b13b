/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "stria-json-parts.h"
#include "stria-neff-private.h"
#include "stria-neuron-opcodes.h"

/* One member's JSON on its way to rows. */
typedef struct
{
  StriaNeff *neff;
  const char *member;
  gint64 subgraph;
  const char *engine;
} Reading;

static gboolean
feed (StriaNeff *self,
      const char *member,
      const char *const *paths,
      StriaJsonPartsFunc func,
      Reading *reading,
      const guint8 *data,
      gsize length)
{
  g_autoptr (StriaJsonParts) parts = stria_json_parts_new (paths, func, reading);
  g_autoptr (GError) error = NULL;

  if (stria_json_parts_feed (parts, data, length, &error)
      && stria_json_parts_finish (parts, &error))
    return TRUE;
  stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "neff-json",
                     self->context->name, -1, _ ("%s: %s"), member, error->message);
  return FALSE;
}

static JsonObject *
as_object (JsonNode *node)
{
  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static const char *
text_of (JsonObject *object, const char *key)
{
  JsonNode *node = json_object_get_member (object, key);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node)
                 && json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_get_string (node)
             : NULL;
}

static gboolean
number_of (JsonObject *object, const char *key, gint64 *value)
{
  JsonNode *node = json_object_get_member (object, key);

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node)
      || json_node_get_value_type (node) != G_TYPE_INT64)
    return FALSE;
  *value = json_node_get_int (node);
  return TRUE;
}

static void
put_text (StriaNeuronRows *rows, guint column, JsonObject *object, const char *key)
{
  const char *text = text_of (object, key);

  if (text != NULL)
    stria_neuron_rows_text (rows, column, text, -1);
}

static void
put_number (StriaNeuronRows *rows, guint column, JsonObject *object, const char *key)
{
  gint64 value;

  if (number_of (object, key, &value))
    stria_neuron_rows_int (rows, column, value);
}

/* -- def.json ------------------------------------------------------------------------------- */

static void
on_variable (Reading *reading, const char *name, JsonObject *object)
{
  /* What exports call the variables that they list (documented values of TensorInfo.type). */
  static const struct
  {
    const char *type;
    const char *shown;
  } published[] = { { "input", "IN" }, { "output", "OUT" }, { "file", "WEIGHT" } };
  StriaNeuronRows *rows = reading->neff->variables;
  const char *type = text_of (object, "type");

  stria_neuron_rows_text (rows, 0, name, -1);
  put_text (rows, 1, object, "type");
  put_number (rows, 2, object, "var_id");
  put_number (rows, 3, object, "size");
  put_number (rows, 4, object, "alignment");
  put_text (rows, 5, object, "fabric_path");
  put_text (rows, 6, object, "file_name");
  stria_neff_rows_number (rows, 7, reading->subgraph);
  stria_neuron_rows_end (rows);

  for (guint i = 0; type != NULL && i < G_N_ELEMENTS (published); i++)
    if (g_str_equal (type, published[i].type))
      {
        rows = reading->neff->tensors;
        stria_neuron_rows_text (rows, 0, name, -1);
        stria_neuron_rows_text (rows, 1, published[i].shown, -1);
        put_number (rows, 2, object, "size");
        stria_neff_rows_number (rows, 3, reading->subgraph);
        stria_neuron_rows_end (rows);
      }
}

static void
on_queue (Reading *reading, const char *name, JsonObject *object)
{
  StriaNeuronRows *rows = reading->neff->queues;
  JsonNode *pinned = json_object_get_member (object, "pinned");
  gint64 n = 1;

  number_of (object, "num_queues", &n);
  stria_neuron_rows_text (rows, 0, name, -1);
  put_text (rows, 1, object, "type");
  stria_neuron_rows_int (rows, 2, n);
  put_text (rows, 3, object, "owner");
  if (pinned != NULL && JSON_NODE_HOLDS_VALUE (pinned)
      && json_node_get_value_type (pinned) == G_TYPE_BOOLEAN)
    stria_neuron_rows_int (rows, 4, json_node_get_boolean (pinned));
  stria_neff_rows_number (rows, 5, reading->subgraph);
  stria_neuron_rows_end (rows);

  rows = reading->neff->published_queues;
  stria_neuron_rows_text (rows, 0, name, -1);
  put_text (rows, 1, object, "type");
  stria_neff_rows_number (rows, 2, reading->subgraph);
  stria_neuron_rows_end (rows);
}

static gboolean
on_definition (guint part, const char *key, JsonNode *node, gpointer user_data, GError **error)
{
  JsonObject *object = as_object (node);

  if (object != NULL && part == 0)
    on_variable (user_data, key, object);
  else if (object != NULL)
    on_queue (user_data, key, object);
  return TRUE;
}

void
stria_neff_read_definition (
    StriaNeff *self, const char *member, gint64 subgraph, const guint8 *data, gsize length)
{
  static const char *const paths[] = { "var/*", "dma_queue/*", NULL };
  Reading reading = { .neff = self, .member = member, .subgraph = subgraph };

  feed (self, member, paths, on_definition, &reading, data, length);
}

/* -- transfers ------------------------------------------------------------------------------ */

/* Inferred from the documented meaning of the sizes: the innermost is in bytes, the others count.
 * FALSE: there are none, or they are more than a transfer can be. */
static gboolean
transfer_bytes (JsonObject *descriptor, gint64 *bytes)
{
  JsonNode *node = json_object_get_member (descriptor, "from_sizes");
  JsonArray *sizes;

  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node))
    node = json_object_get_member (descriptor, "to_sizes");
  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node))
    return FALSE;
  sizes = json_node_get_array (node);
  *bytes = 1;
  for (guint i = 0; i < json_array_get_length (sizes); i++)
    {
      JsonNode *size = json_array_get_element (sizes, i);

      if (!JSON_NODE_HOLDS_VALUE (size) || json_node_get_value_type (size) != G_TYPE_INT64
          || json_node_get_int (size) < 0
          || __builtin_mul_overflow (*bytes, json_node_get_int (size), bytes))
        return FALSE;
    }
  return json_array_get_length (sizes) > 0;
}

static gboolean
on_transfer (guint part, const char *key, JsonNode *node, gpointer user_data, GError **error)
{
  Reading *reading = user_data;
  StriaNeuronRows *rows = reading->neff->transfers;
  JsonObject *object = as_object (node);
  JsonNode *member = object != NULL ? json_object_get_member (object, "desc") : NULL;
  JsonObject *descriptor = member != NULL ? as_object (member) : NULL;
  const char *queue;
  gint64 bytes;

  if (object == NULL)
    return TRUE;
  queue = text_of (object, "queue") != NULL ? text_of (object, "queue")
                                            : text_of (object, "instance_name");
  put_number (rows, 0, object, "id");
  stria_neuron_rows_text (rows, 1, reading->engine, -1);
  if (queue != NULL)
    stria_neuron_rows_text (rows, 2, queue, -1);
  if (descriptor != NULL)
    {
      g_autofree char *text = json_to_string (member, FALSE);

      /* Documented default */
      stria_neuron_rows_text (
          rows, 3, text_of (descriptor, "op") != NULL ? text_of (descriptor, "op") : "copy", -1);
      put_text (rows, 4, descriptor, "from");
      put_text (rows, 5, descriptor, "to");
      if (transfer_bytes (descriptor, &bytes))
        stria_neuron_rows_int (rows, 6, bytes);
      stria_neuron_rows_text (rows, 7, text, -1);
    }
  stria_neff_rows_number (rows, 8, reading->subgraph);
  stria_neuron_rows_end (rows);
  return TRUE;
}

void
stria_neff_read_engine (StriaNeff *self,
                        const char *member,
                        gint64 subgraph,
                        const char *engine,
                        const guint8 *data,
                        gsize length)
{
  static const char *const paths[] = { "dma/*", NULL };
  Reading reading = { .neff = self, .member = member, .subgraph = subgraph, .engine = engine };

  feed (self, member, paths, on_transfer, &reading, data, length);
}

/* -- info.json ------------------------------------------------------------------------------ */

static gboolean
on_info (guint part, const char *key, JsonNode *node, gpointer user_data, GError **error)
{
  Reading *reading = user_data;

  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
    {
      g_free (reading->neff->compiler_version);
      reading->neff->compiler_version = json_node_dup_string (node);
    }
  return TRUE;
}

void
stria_neff_read_info (StriaNeff *self, const char *member, const guint8 *data, gsize length)
{
  static const char *const paths[] = { "tool_version", NULL };
  Reading reading = { .neff = self, .member = member };

  feed (self, member, paths, on_info, &reading, data, length);
}

/* -- kernel_debug_info.json ----------------------------------------------------------------- */

static gboolean
is_line_key (const char *key)
{
  return strstr (key, "line") != NULL || g_str_equal (key, "lineno");
}

static gboolean
is_path (const char *text)
{
  return g_str_has_suffix (text, ".py")
         || (strchr (text, '/') != NULL && strchr (text, '.') != NULL);
}

/* The keys are unknown: wherever one object has a text that is like a path and a number that is
 * called a line, both are taken, with the place where they stood. Nothing more is claimed. */
static void
find_locations (Reading *reading, JsonNode *node, const char *place, guint depth)
{
  if (depth > STRIA_JSON_PARTS_MAX_DEPTH)
    return;
  if (JSON_NODE_HOLDS_ARRAY (node))
    {
      JsonArray *array = json_node_get_array (node);

      for (guint i = 0; i < json_array_get_length (array); i++)
        {
          g_autofree char *inner = g_strdup_printf ("%s/%u", place, i);

          find_locations (reading, json_array_get_element (array, i), inner, depth + 1);
        }
    }
  else if (JSON_NODE_HOLDS_OBJECT (node))
    {
      JsonObject *object = json_node_get_object (node);
      StriaNeuronRows *rows = reading->neff->kernel;
      const char *path = NULL, *name = NULL, *key;
      gint64 line = -1;
      JsonObjectIter iter;
      JsonNode *member;

      json_object_iter_init (&iter, object);
      while (json_object_iter_next (&iter, &key, &member))
        {
          g_autofree char *inner = g_strdup_printf ("%s/%s", place, key);

          if (!JSON_NODE_HOLDS_VALUE (member))
            find_locations (reading, member, inner, depth + 1);
          else if (json_node_get_value_type (member) == G_TYPE_STRING)
            {
              const char *text = json_node_get_string (member);

              if (path == NULL && is_path (text))
                path = text;
              else if (name == NULL && strstr (key, "name") != NULL)
                name = text;
            }
          else if (json_node_get_value_type (member) == G_TYPE_INT64 && is_line_key (key)
                   && line < 0)
            line = json_node_get_int (member);
        }
      if (path == NULL || line < 0)
        return;
      stria_neuron_rows_text (rows, 0, reading->member, -1);
      stria_neuron_rows_text (rows, 1, place, -1);
      stria_neuron_rows_text (rows, 2, path, -1);
      stria_neuron_rows_int (rows, 3, line);
      if (name != NULL)
        stria_neuron_rows_text (rows, 4, name, -1);
      stria_neuron_rows_end (rows);
    }
}

static gboolean
on_kernel (guint part, const char *key, JsonNode *node, gpointer user_data, GError **error)
{
  find_locations (user_data, node, key, 0);
  return TRUE;
}

void
stria_neff_read_kernel (StriaNeff *self, const char *member, const guint8 *data, gsize length)
{
  static const char *const paths[] = { "*", NULL };
  Reading reading = { .neff = self, .member = member };

  feed (self, member, paths, on_kernel, &reading, data, length);
  stria_notices_add (
      self->context->notices, STRIA_SEVERITY_INFO, "neff-kernel-debug", self->context->name, -1,
      _ ("%s: the form of this file is not published; file and line are taken where an object "
         "has both"),
      member);
}

/* -- instructions --------------------------------------------------------------------------- */

/* Recovered: 64 bytes each, opcode first. Operands are not published: the bytes are kept as they
 * are. */
void
stria_neff_read_code (
    StriaNeff *self, gint64 subgraph, const char *engine, const guint8 *data, gsize length)
{
  StriaNeuronRows *rows = self->code;

  if (length % 64 != 0)
    stria_notices_add (
        self->context->notices, STRIA_SEVERITY_WARNING, "neuron-recovered", self->context->name, -1,
        _ ("Recovered format, this file differs: the instructions of %s are not whole "
           "(64 bytes each)"),
        engine);
  for (gsize i = 0; i + 64 <= length; i += 64)
    {
      const char *opcode = stria_neuron_opcode_shown (data[i]);
      char text[2 * 52 + 1];
      guint last = 64;

      while (last > 12 && data[i + last - 1] == 0)
        last--;
      for (guint b = 12; b < last; b++)
        g_snprintf (text + 2 * (b - 12), 3, "%02x", data[i + b]);
      text[2 * (last - 12)] = '\0';
      stria_neuron_rows_int (rows, 0, (gint64) (i / 64));
      stria_neuron_rows_text (rows, 1, engine, -1);
      if (opcode != NULL)
        stria_neuron_rows_text (rows, 2, opcode, -1);
      stria_neuron_rows_int (rows, 3, data[i]);
      stria_neuron_rows_text (rows, 4, text, -1);
      stria_neff_rows_number (rows, 5, subgraph);
      stria_neuron_rows_end (rows);
    }
}
