/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-mapping.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <string.h>

#define MAX_TRACE_DEPTH 64
#define MAX_JSON_DEPTH 200

struct _StriaLabelIndex
{
  StriaGraph *source;
  GHashTable *by_name;     /* id of a node -> GArray of nodes */
  GHashTable *by_ancestor; /* name of what a node was made from -> GArray of nodes */
  GHashTable *by_place;    /* stack trace and module stack -> GArray of nodes */
};

gboolean
stria_label_spirv_id (const char *label, guint32 *id, char **name)
{
  static const char mark[] = "_spirv_id_";
  const char *at = g_strrstr (label, mark);
  guint64 number;

  if (at == NULL
      || !g_ascii_string_to_unsigned (at + strlen (mark), 10, 0, G_MAXUINT32, &number, NULL))
    return FALSE;
  *id = (guint32) number;
  if (name != NULL)
    *name = g_strndup (label, (gsize) (at - label));
  return TRUE;
}

gboolean
stria_label_is_json (const char *label)
{
  while (g_ascii_isspace (*label))
    label++;
  return *label == '{';
}

/* The parser calls itself for each bracket, so a file must not say how deep. It also takes comments
 * and other quotes, which JSON does not have and which would hide brackets here. */
static JsonNode *
parse (const char *text)
{
  gboolean in_string = FALSE;
  guint depth = 0;

  for (const char *at = text; *at != '\0'; at++)
    {
      if (in_string && *at == '\\' && at[1] != '\0')
        at++;
      else if (*at == '"')
        in_string = !in_string;
      else if (!in_string && (*at == '/' || *at == '\'' || *at == '#'))
        return NULL;
      else if (!in_string && (*at == '[' || *at == '{') && ++depth > MAX_JSON_DEPTH)
        return NULL;
      else if (!in_string && (*at == ']' || *at == '}') && depth > 0)
        depth--;
    }
  return json_from_string (text, NULL);
}

/* The object that @label is, or NULL. */
static JsonNode *
parse_object (const char *label)
{
  g_autoptr (JsonNode) node = stria_label_is_json (label) ? parse (label) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? g_steal_pointer (&node) : NULL;
}

static JsonNode *
get_member (JsonNode *node, const char *name)
{
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node)
             ? json_object_get_member (json_node_get_object (node), name)
             : NULL;
}

static const char *
get_text (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node)
                 && json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_get_string (node)
             : NULL;
}

/* [CODE: ET backends/arm/debug/schema.py] texts that stand for what is not there */
static gboolean
is_absent (const char *text)
{
  return text == NULL || text[0] == '\0' || g_str_equal (text, "No stack trace available")
         || g_str_equal (text, "No node trace available.")
         || g_str_equal (text, "No module stack trace available")
         || g_str_equal (text, "No torch_fn available");
}

char *
stria_label_display (const char *label)
{
  g_autoptr (JsonNode) node = parse_object (label);
  JsonNode *aten = get_member (node, "aten_info");
  const char *name = get_text (get_member (aten, "node_name"));

  if (name == NULL)
    name = get_text (get_member (aten, "operator_name"));
  return g_strdup (name != NULL ? name : label);
}

/* Lines without the space around them, so that two prints of one stack are equal. */
static void
append_lines (GString *out, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_strstrip (lines[i]);
      if (lines[i][0] != '\0')
        g_string_append_printf (out, "%s\n", lines[i]);
    }
}

/* "path,type;" of a module. The root has no path and is often left out. */
static void
append_module (GString *out, const char *path, const char *type)
{
  if (path != NULL && path[0] != '\0' && type != NULL && !g_str_equal (path, "<root>"))
    g_string_append_printf (out, "%s,%s;", path, type);
}

/* Commas and semicolons inside brackets are part of a name. */
static GPtrArray *
split_outside_brackets (const char *text, char separator)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func (g_free);
  const char *start = text;
  int depth = 0;

  for (const char *at = text;; at++)
    {
      if (*at == '[' || *at == '(')
        depth++;
      else if ((*at == ']' || *at == ')') && depth > 0)
        depth--;
      if (*at != '\0' && (*at != separator || depth > 0))
        continue;
      g_ptr_array_add (parts, g_strstrip (g_strndup (start, (gsize) (at - start))));
      if (*at == '\0')
        return parts;
      start = at + 1;
    }
}

/* The record's form: "key,path,type" joined by ";". */
static void
append_recorded_modules (GString *out, const char *text)
{
  g_autoptr (GPtrArray) items = split_outside_brackets (text, ';');

  for (guint i = 0; i < items->len; i++)
    {
      g_autoptr (GPtrArray) parts = split_outside_brackets (items->pdata[i], ',');

      if (parts->len == 3)
        append_module (out, parts->pdata[1], parts->pdata[2]);
    }
}

static const char *
first_text (JsonNode *object, const char *const *names)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      const char *text = get_text (get_member (object, names[i]));

      if (text != NULL)
        return text;
    }
  return NULL;
}

/* The label's form: {key: [path, type]}, or with objects, or the record's text. */
static void
append_labelled_modules (GString *out, JsonNode *node)
{
  static const char *const paths[] = { "qualified_name", "name", "module_name", NULL };
  static const char *const types[] = { "module_type", "type", "class_name", NULL };
  const char *text = get_text (node);

  if (text != NULL && !is_absent (text))
    append_recorded_modules (out, text);
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return;

  JsonObjectIter iter;
  JsonNode *value;
  const char *key; /* the iterator wants one */
  json_object_iter_init_ordered (&iter, json_node_get_object (node));
  while (json_object_iter_next_ordered (&iter, &key, &value))
    {
      JsonArray *array = JSON_NODE_HOLDS_ARRAY (value) ? json_node_get_array (value) : NULL;

      if (array != NULL && json_array_get_length (array) == 2)
        append_module (out, get_text (json_array_get_element (array, 0)),
                       get_text (json_array_get_element (array, 1)));
      else if (JSON_NODE_HOLDS_OBJECT (value))
        append_module (out, first_text (value, paths), first_text (value, types));
    }
}

/* Where a node of the record comes from, as a key; NULL if it does not say. */
static char *
place_of_node (StriaGraph *graph, guint32 node)
{
  const char *stack = stria_graph_node_attr (graph, node, "stack_trace");
  const char *modules = stria_graph_node_attr (graph, node, "nn_module_stack");
  g_autoptr (GString) key = g_string_new (NULL);

  if (is_absent (stack))
    return NULL;
  append_lines (key, stack);
  g_string_append_c (key, '\x1f');
  if (!is_absent (modules))
    append_recorded_modules (key, modules);
  return g_string_free (g_steal_pointer (&key), FALSE);
}

static char *
place_of_label (JsonNode *torch)
{
  JsonNode *stack = get_member (torch, "stack_trace");
  g_autoptr (GString) key = g_string_new (NULL);

  if (stack != NULL && JSON_NODE_HOLDS_ARRAY (stack))
    {
      JsonArray *lines = json_node_get_array (stack);

      for (guint i = 0; i < json_array_get_length (lines); i++)
        {
          const char *line = get_text (json_array_get_element (lines, i));

          if (!is_absent (line))
            append_lines (key, line);
        }
    }
  else if (!is_absent (get_text (stack)))
    append_lines (key, get_text (stack));
  if (key->len == 0)
    return NULL;
  g_string_append_c (key, '\x1f');
  append_labelled_modules (key, get_member (torch, "nn_module_stack"));
  return g_string_free (g_steal_pointer (&key), FALSE);
}

static void
nodes_free (gpointer data)
{
  g_array_unref (data);
}

static void
add_to (GHashTable *table, const char *key, guint32 node)
{
  GArray *nodes = g_hash_table_lookup (table, key);

  if (nodes == NULL)
    {
      nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_hash_table_insert (table, g_strdup (key), nodes);
    }
  /* A name may come up several times in the history of one node. */
  if (nodes->len == 0 || g_array_index (nodes, guint32, nodes->len - 1) != node)
    g_array_append_val (nodes, node);
}

static void
add_ancestors (StriaLabelIndex *self, JsonNode *trace, guint32 node, guint depth)
{
  if (trace == NULL || !JSON_NODE_HOLDS_ARRAY (trace) || depth > MAX_TRACE_DEPTH)
    return;
  JsonArray *sources = json_node_get_array (trace);
  for (guint i = 0; i < json_array_get_length (sources); i++)
    {
      JsonNode *source = json_array_get_element (sources, i);
      const char *name = get_text (get_member (source, "name"));

      if (name != NULL)
        add_to (self->by_ancestor, name, node);
      add_ancestors (self, get_member (source, "from_node"), node, depth + 1);
    }
}

static GHashTable *
new_table (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, nodes_free);
}

StriaLabelIndex *
stria_label_index_new (StriaGraph *source, const guint32 *nodes, guint32 n)
{
  StriaLabelIndex *self = g_new0 (StriaLabelIndex, 1);

  self->source = stria_graph_ref (source);
  self->by_name = new_table ();
  self->by_ancestor = new_table ();
  self->by_place = new_table ();
  for (guint32 i = 0; i < n; i++)
    {
      const StriaGraphNodeRow *row = stria_graph_node (source, nodes[i]);
      const char *from = stria_graph_node_attr (source, nodes[i], "from_node");
      g_autoptr (JsonNode) trace = from != NULL ? parse (from) : NULL;
      g_autofree char *place = place_of_node (source, nodes[i]);

      add_to (self->by_name, stria_graph_text (source, row->id), nodes[i]);
      add_ancestors (self, trace, nodes[i], 0);
      if (place != NULL)
        add_to (self->by_place, place, nodes[i]);
    }
  return self;
}

void
stria_label_index_free (StriaLabelIndex *self)
{
  stria_graph_unref (self->source);
  g_hash_table_unref (self->by_name);
  g_hash_table_unref (self->by_ancestor);
  g_hash_table_unref (self->by_place);
  g_free (self);
}

/* Names in the label, the nearest to the record first. */
static GPtrArray *
names_of_label (JsonNode *label)
{
  GPtrArray *names = g_ptr_array_new ();
  const char *aten = get_text (get_member (get_member (label, "aten_info"), "node_name"));
  JsonNode *trace = get_member (get_member (label, "torch_info"), "node_trace");

  if (aten != NULL)
    g_ptr_array_add (names, (gpointer) aten);
  if (trace != NULL && JSON_NODE_HOLDS_ARRAY (trace))
    {
      JsonArray *array = json_node_get_array (trace);

      for (guint i = 0; i < json_array_get_length (array); i++)
        {
          const char *name = get_text (get_member (json_array_get_element (array, i), "name"));

          if (name != NULL)
            g_ptr_array_add (names, (gpointer) name);
        }
    }
  return names;
}

static GArray *
find_name (GHashTable *table, GPtrArray *names)
{
  for (guint i = 0; i < names->len; i++)
    {
      GArray *nodes = g_hash_table_lookup (table, names->pdata[i]);

      if (nodes != NULL)
        return g_array_ref (nodes);
    }
  return NULL;
}

GArray *
stria_label_index_find (StriaLabelIndex *self, const char *label, StriaEvidence *evidence,
                        char **note)
{
  g_autoptr (JsonNode) object = parse_object (label);
  g_autoptr (GPtrArray) names = NULL;
  const char *how = _ ("The label names the operator");
  GArray *nodes;

  if (note != NULL)
    *note = NULL;
  if (object == NULL)
    return NULL;
  names = names_of_label (object);
  *evidence = STRIA_EVIDENCE_EXACT;
  nodes = find_name (self->by_name, names);
  if (nodes == NULL)
    {
      nodes = find_name (self->by_ancestor, names);
      how = _ ("The label names what the operator was made from");
    }
  if (nodes == NULL)
    {
      g_autofree char *place = place_of_label (get_member (object, "torch_info"));
      GArray *found = place != NULL ? g_hash_table_lookup (self->by_place, place) : NULL;

      nodes = found != NULL ? g_array_ref (found) : NULL;
      *evidence = STRIA_EVIDENCE_APPROXIMATE;
      how = _ ("The label has the operator’s stack trace and modules");
    }
  if (nodes != NULL && nodes->len > 1)
    *evidence = STRIA_EVIDENCE_AMBIGUOUS;
  if (nodes != NULL && note != NULL)
    *note = g_strdup (how);
  return nodes;
}
