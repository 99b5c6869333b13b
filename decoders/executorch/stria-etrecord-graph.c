/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-etrecord-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A tensor, by what makes it. */
typedef struct
{
  guint32 node;
  guint32 port;
} Maker;

typedef struct
{
  StriaRecordProgram *program;
  StriaGraphBuilder *builder;
  GHashTable *makers; /* tensor name -> Maker */
  guint64 n_unknown;  /* inputs that nothing makes */
} Grower;

static const char *
text (Grower *self, guint32 string)
{
  return stria_facts_text (self->program->facts, string);
}

static const char *
type_of (Grower *self, guint32 tensor)
{
  guint32 type
      = GPOINTER_TO_UINT (g_hash_table_lookup (self->program->types, GUINT_TO_POINTER (tensor)));

  return type != 0 ? text (self, type) : NULL;
}

static void
add_maker (Grower *self, guint32 tensor, guint32 node, guint32 port)
{
  Maker maker = { node, port };

  g_hash_table_insert (self->makers, GUINT_TO_POINTER (tensor), g_memdup2 (&maker, sizeof maker));
}

/* "key,path,type" with commas only outside of brackets: exactly three parts, or NULL. [CODE] */
static char **
split_module (const char *item)
{
  GPtrArray *parts = g_ptr_array_new ();
  const char *begin = item;
  int depth = 0;

  for (const char *at = item;; at++)
    {
      if (*at == '[' || *at == '(')
        depth++;
      else if (*at == ']' || *at == ')')
        depth = MAX (depth - 1, 0);
      if (*at == '\0' || (*at == ',' && depth == 0))
        {
          g_ptr_array_add (parts, g_strstrip (g_strndup (begin, (gsize)(at - begin))));
          begin = at + 1;
        }
      if (*at == '\0')
        break;
    }
  g_ptr_array_add (parts, NULL);
  char **split = (char **)(gpointer)g_ptr_array_free (parts, FALSE);
  if (g_strv_length (split) == 3)
    return split;
  g_strfreev (split);
  return NULL;
}

/* Groups of a node by the modules it stands in, root to leaf. */
static guint32
module_group (Grower *self, guint32 modules)
{
  guint32 group = STRIA_NO_GROUP;
  g_autofree char *outer = g_strdup ("");
  g_auto (GStrv) items = NULL;

  if (modules == 0)
    return group;
  items = g_strsplit (text (self, modules), ";", -1);
  for (guint i = 0; items[i] != NULL; i++)
    {
      g_auto (GStrv) parts = split_module (items[i]);
      gsize length = strlen (outer);
      gsize before = stria_facts_size (self->program->facts, STRIA_TABLE_GRAPH_GROUP);

      if (parts == NULL)
        {
          stria_notices_add (
              self->program->context->notices, STRIA_SEVERITY_WARNING, "etrecord-modules",
              self->program->context->name, -1,
              _ ("%s: expected \"key,path,type\" in a module stack, found \"%.60s\""),
              self->program->member, items[i]);
          continue;
        }
      /* The root has no path: it is the graph itself. */
      if (*parts[1] == '\0')
        continue;
      const char *label = parts[1];
      if (length > 0 && strncmp (label, outer, length) == 0 && label[length] == '.')
        label += length + 1;
      group = stria_graph_builder_group (self->builder, group, label, STRIA_GROUP_MODULE);
      if (stria_facts_size (self->program->facts, STRIA_TABLE_GRAPH_GROUP) > before)
        {
          stria_graph_builder_attr (self->builder, "path", parts[1]);
          stria_graph_builder_attr (self->builder, "type", parts[2]);
        }
      g_free (outer);
      outer = g_strdup (parts[1]);
    }
  return group;
}

/* The innermost frame that is not of the framework, else the innermost. */
static void
set_source (Grower *self, guint32 trace)
{
  g_auto (GStrv) lines = g_strsplit (text (self, trace), "\n", -1);
  g_autofree char *file = NULL;
  guint32 number = 0;
  gboolean is_own = FALSE;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *at = strstr (lines[i], "File \"");
      const char *end = at != NULL ? strstr (at + 6, "\", line ") : NULL;
      gboolean own;

      if (end == NULL)
        continue;
      g_autofree char *path = g_strndup (at + 6, (gsize)(end - at - 6));
      own = strstr (path, "/torch/") == NULL && strstr (path, "/executorch/exir/") == NULL
            && path[0] != '<';
      if (is_own && !own)
        continue;
      is_own = is_own || own;
      g_free (file);
      file = g_steal_pointer (&path);
      number = (guint32)g_ascii_strtoull (end + 8, NULL, 10);
    }
  if (file != NULL)
    stria_graph_builder_source (self->builder, file, number);
}

/* What is behind the last "ops.": "aten.conv2d.default". [PROPOSAL] */
static const char *
display_name (const char *target)
{
  const char *name = target;

  for (const char *at = strstr (target, "ops."); at != NULL; at = strstr (at + 1, "ops."))
    name = at + 4;
  return *name != '\0' ? name : target;
}

static void
add_inputs (Grower *self)
{
  StriaRecordProgram *program = self->program;

  for (guint i = 0; i < program->inputs->len; i++)
    {
      guint32 tensor = g_array_index (program->inputs, guint32, i);
      guint32 spec
          = GPOINTER_TO_UINT (g_hash_table_lookup (program->specs, GUINT_TO_POINTER (tensor)));
      const char *what = spec != 0 ? text (self, spec) : "user_input";
      gboolean is_user = g_str_has_prefix (what, "user_input");
      guint32 node = stria_graph_builder_node (
          self->builder, text (self, tensor), text (self, tensor), STRIA_NO_GROUP,
          is_user ? STRIA_NODE_INPUT : STRIA_NODE_PARAMETER, -1);

      stria_graph_builder_attr (self->builder, "kind", what);
      add_maker (self, tensor, node,
                 stria_graph_builder_output (self->builder, "0", text (self, tensor),
                                             type_of (self, tensor)));
    }
}

static void
add_node (Grower *self, const StriaRecordNode *row)
{
  StriaRecordProgram *program = self->program;
  const char *target = text (self, row->target);
  gboolean is_delegate = row->lowered != 0 || strstr (target, "executorch_call_delegate") != NULL;
  guint32 group = module_group (self, row->modules);
  guint32 node = stria_graph_builder_node (
      self->builder, text (self, row->name),
      row->lowered != 0 ? text (self, row->lowered) : display_name (target), group,
      is_delegate ? STRIA_NODE_DELEGATE : STRIA_NODE_OPERATOR, row->handle);
  guint n = 0;

  stria_graph_builder_attr (self->builder, "target", target);
  for (guint32 m = row->first_meta; m < row->first_meta + row->n_meta; m++)
    stria_graph_builder_attr (self->builder,
                              text (self, g_array_index (program->metadata, guint32, 2 * m)),
                              text (self, g_array_index (program->metadata, guint32, 2 * m + 1)));
  for (guint32 a = row->first_input; a < row->first_input + row->n_inputs; a++)
    {
      const StriaRecordArgument *argument
          = &g_array_index (program->arguments, StriaRecordArgument, a);
      if (argument->tensor == 0)
        stria_graph_builder_attr (self->builder, text (self, argument->name),
                                  text (self, argument->value));
    }
  if (row->trace != 0)
    set_source (self, row->trace);
  for (guint32 a = row->first_input; a < row->first_input + row->n_inputs; a++)
    {
      const StriaRecordArgument *argument
          = &g_array_index (program->arguments, StriaRecordArgument, a);
      const Maker *maker;

      if (argument->tensor == 0)
        continue;
      g_autofree char *id = g_strdup_printf ("%u", n++);
      guint32 port = stria_graph_builder_input (self->builder, id, text (self, argument->name),
                                                type_of (self, argument->tensor));
      maker = g_hash_table_lookup (self->makers, GUINT_TO_POINTER (argument->tensor));
      if (maker != NULL)
        stria_graph_builder_edge (self->builder, maker->node, maker->port, node, port);
      else
        self->n_unknown++;
    }
  for (guint32 o = 0; o < row->n_outputs; o++)
    {
      guint32 tensor = g_array_index (program->outputs, guint32, row->first_output + o);
      g_autofree char *id = g_strdup_printf ("%u", o);
      add_maker (self, tensor, node,
                 stria_graph_builder_output (self->builder, id, text (self, tensor),
                                             type_of (self, tensor)));
    }
}

static void
add_results (Grower *self)
{
  StriaRecordProgram *program = self->program;
  guint32 node;

  if (program->results->len == 0)
    return;
  node = stria_graph_builder_node (self->builder, "output", "output", STRIA_NO_GROUP,
                                   STRIA_NODE_OUTPUT, -1);
  for (guint i = 0; i < program->results->len; i++)
    {
      guint32 tensor = g_array_index (program->results, StriaRecordArgument, i).tensor;
      g_autofree char *id = g_strdup_printf ("%u", i);
      const Maker *maker = g_hash_table_lookup (self->makers, GUINT_TO_POINTER (tensor));
      guint32 port = stria_graph_builder_input (self->builder, id, text (self, tensor),
                                                type_of (self, tensor));

      if (maker != NULL)
        stria_graph_builder_edge (self->builder, maker->node, maker->port, node, port);
      else
        self->n_unknown += tensor != 0;
    }
}

guint32
stria_record_program_graph (StriaRecordProgram *program,
                            StriaGraphKind kind,
                            const char *name,
                            const char *method)
{
  Grower self = {
    .program = program,
    .builder = stria_graph_builder_new (program->facts, kind, name, method),
    .makers = g_hash_table_new_full (NULL, NULL, NULL, g_free),
  };

  add_inputs (&self);
  for (guint i = 0; i < program->nodes->len; i++)
    add_node (&self, &g_array_index (program->nodes, StriaRecordNode, i));
  add_results (&self);
  if (self.n_unknown > 0)
    stria_notices_count (program->context->notices, STRIA_SEVERITY_WARNING, "etrecord-tensor",
                         program->context->name, -1, self.n_unknown,
                         _ ("An input names a tensor that no node before it makes"));
  g_hash_table_unref (self.makers);
  return stria_graph_builder_finish (self.builder);
}
