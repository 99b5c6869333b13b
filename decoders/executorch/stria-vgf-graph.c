/* SPDX-License-Identifier: Apache-2.0 */
/* The graph of a VGF's graph segments (spec 4.4): resources that go in and out, and between them
 * the operators, which stria-vgf-operators.c adds. */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-vgf-graph-private.h"

#define WALK_FACTOR 16 /* words to walk : words there are */
#define WALK_LEAST  ((guint64) 1 << 20)
#define TEXT_FACTOR 4 /* bytes of text to keep : bytes of the file */
#define TEXT_LEAST  ((guint64) 16 << 20)

#define USED_READ    (1 << 0)
#define USED_WRITTEN (1 << 1)

const StriaVgfRow *
stria_vgf_maker_row (StriaVgfMaker *self)
{
  return STRIA_ROWS (self->facts, StriaVgfRow, STRIA_TABLE_VGF) + self->reader->vgf;
}

void
stria_vgf_maker_notice (StriaVgfMaker *self, const char *code, const char *message)
{
  stria_notices_add (self->reader->context->notices, STRIA_SEVERITY_WARNING, code,
                     self->reader->context->name, (gint64) self->reader->base, "%s", message);
}

gboolean
stria_vgf_maker_take (StriaVgfMaker *self, guint n)
{
  if (stria_graph_builder_n_nodes (self->builder) >= STRIA_GRAPH_MAX_NODES - 1
      || self->operands + n > STRIA_GRAPH_MAX_EDGES)
    self->full = TRUE;
  else
    self->operands += n;
  return !self->full;
}

/* -- resources ------------------------------------------------------------------------------ */

static const StriaVgfResourceRow *
resource_row (StriaVgfMaker *self, guint32 number)
{
  return STRIA_ROWS (self->facts, StriaVgfResourceRow, STRIA_TABLE_VGF_RESOURCE)
         + stria_vgf_maker_row (self)->first_resource + number;
}

/* "1×3×224×224 VK_FORMAT_R8_SINT", from "[1, 3, 224, 224]" */
static char *
resource_type (StriaVgfMaker *self, const StriaVgfResourceRow *row)
{
  g_autoptr (GString) text = g_string_new (stria_facts_text (self->facts, row->shape));

  if (text->len > 2)
    {
      g_string_truncate (text, text->len - 1);
      g_string_erase (text, 0, 1);
      g_string_replace (text, ", ", "×", 0);
      g_string_append_c (text, ' ');
    }
  g_string_append (text, stria_facts_text (self->facts, row->format));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

StriaVgfNode *
stria_vgf_maker_node (StriaVgfMaker *self, guint32 number)
{
  StriaVgfNode     *resource;
  g_autofree char  *id = NULL;
  g_autofree char  *type = NULL;
  const char       *name, *descriptor, *category;
  StriaNodeKind     kind = STRIA_NODE_RESOURCE;

  if (number >= self->n_resources)
    return NULL;
  resource = &self->resources[number];
  if (resource->node != STRIA_NO_NODE)
    return resource;
  if (!stria_vgf_maker_take (self, 2))
    return NULL;

  StriaVgfResourceRow row = *resource_row (self, number);
  if (row.category == STRIA_VGF_INPUT)
    kind = STRIA_NODE_INPUT;
  else if (row.category == STRIA_VGF_OUTPUT)
    kind = STRIA_NODE_OUTPUT;
  id = g_strdup_printf ("mrt_%u", number);
  type = resource_type (self, &row);
  name = g_hash_table_lookup (self->names, GUINT_TO_POINTER (number + 1));
  descriptor = stria_facts_text (self->facts, row.descriptor);
  category = stria_vgf_category_name (row.category);
  resource->node = stria_graph_builder_node (self->builder, id,
                                             descriptor[0] != '\0' ? descriptor : id,
                                             STRIA_NO_GROUP, kind, -1);
  if (row.shape != 0)
    stria_graph_builder_attr (self->builder, "Shape", stria_facts_text (self->facts, row.shape));
  if (category != NULL)
    stria_graph_builder_attr (self->builder, "Category", category);
  stria_graph_builder_attr (self->builder, "Format", stria_facts_text (self->facts, row.format));
  if (resource->use & USED_WRITTEN || row.category == STRIA_VGF_INPUT)
    resource->in = stria_graph_builder_input (self->builder, "0", name, type);
  if (resource->use & USED_READ || row.category == STRIA_VGF_OUTPUT)
    resource->out = stria_graph_builder_output (self->builder, "0", name, type);
  if (row.category == STRIA_VGF_INPUT)
    stria_graph_builder_edge (self->builder, self->graph_inputs, STRIA_NO_REF, resource->node,
                              resource->in);
  return resource;
}

/* -- modules -------------------------------------------------------------------------------- */

const StriaVgfSegmentRow *
stria_vgf_maker_segment (StriaVgfMaker *self, guint32 number)
{
  return STRIA_ROWS (self->facts, StriaVgfSegmentRow, STRIA_TABLE_VGF_SEGMENT)
         + stria_vgf_maker_row (self)->first_segment + number;
}

gboolean
stria_vgf_maker_open (StriaVgfMaker *self, guint32 segment, StriaSpirv *spirv,
                      const char **graph_name)
{
  guint32                  module = stria_vgf_maker_segment (self, segment)->module;
  const StriaVgfModuleRow *rows
      = STRIA_ROWS (self->facts, StriaVgfModuleRow, STRIA_TABLE_VGF_MODULE)
        + stria_vgf_maker_row (self)->first_module;
  const StriaVgfCode      *code;

  if (module >= self->reader->codes->len)
    {
      stria_vgf_maker_notice (self, "vgf-segment",
                              _("A segment of the VGF names a module that there is not"));
      return FALSE;
    }
  code = &g_array_index (self->reader->codes, StriaVgfCode, module);
  if (code->words == NULL)
    return FALSE;
  if (code->n_words > self->words_left)
    {
      self->full = TRUE;
      return FALSE;
    }
  self->words_left -= code->n_words;
  *graph_name = stria_facts_text (self->facts, rows[module].entry_point);
  /* What keeps it from being opened is in the module's row. */
  return stria_spirv_init (spirv, code->words, code->n_words, NULL);
}

/* -- segments ------------------------------------------------------------------------------- */

static void
add_slots (StriaVgfSlots *self, StriaFlatVector list)
{
  self->resources = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->places = g_hash_table_new (NULL, NULL);
  for (guint32 i = 0; i < list.n; i++)
    {
      StriaFlatTable slot = stria_flat_at_table (list, i);
      guint32        binding = stria_flat_u32 (slot, 0, 0);
      guint32        resource = stria_flat_u32 (slot, 1, 0);

      if (list.flat->failed)
        break;
      g_array_append_val (self->resources, resource);
      if (!g_hash_table_contains (self->places, GUINT_TO_POINTER (binding)))
        g_hash_table_insert (self->places, GUINT_TO_POINTER (binding), GUINT_TO_POINTER (i + 1));
    }
}

static void
clear_slots (StriaVgfSlots *self)
{
  g_array_unref (self->resources);
  g_hash_table_unref (self->places);
}

static void
make_nodes (StriaVgfMaker *self, const StriaVgfSlots *slots)
{
  for (guint32 i = 0; i < slots->resources->len && !self->full; i++)
    stria_vgf_maker_node (self, g_array_index (slots->resources, guint32, i));
}

static gboolean
add_segment (StriaVgfMaker *self, guint32 number, GError **error)
{
  StriaVgfReader *reader = self->reader;
  StriaFlatTable  table = stria_flat_at_table (reader->segment_list, number);
  StriaFlatVector constants;
  StriaVgfSlots   slots[2];
  gboolean        good;

  add_slots (&slots[0], stria_flat_vector (table, STRIA_VGF_SEGMENT_INPUTS, 4));
  add_slots (&slots[1], stria_flat_vector (table, STRIA_VGF_SEGMENT_OUTPUTS, 4));
  constants = stria_flat_vector (table, STRIA_VGF_SEGMENT_CONSTANTS, 4);
  stria_flat_forgive (&reader->sequence, NULL);
  make_nodes (self, &slots[0]);
  good = stria_vgf_add_operators (self, number, slots, constants, error);
  make_nodes (self, &slots[1]);
  clear_slots (&slots[0]);
  clear_slots (&slots[1]);
  return good;
}

/* What segments read and write, before any node is made: a node's ports come with it. */
static guint32
find_uses (StriaVgfMaker *self, guint32 n_segments)
{
  StriaVgfReader *reader = self->reader;
  guint32         n_graphs = 0;
  guint32         n_compute = 0;

  for (guint32 s = 0; s < n_segments; s++)
    {
      StriaFlatTable  segment = stria_flat_at_table (reader->segment_list, s);
      StriaFlatVector inputs = stria_flat_vector (segment, STRIA_VGF_SEGMENT_INPUTS, 4);
      StriaFlatVector outputs = stria_flat_vector (segment, STRIA_VGF_SEGMENT_OUTPUTS, 4);

      if (stria_flat_u8 (segment, 0, 0) != STRIA_VGF_GRAPH)
        {
          n_compute++;
          continue;
        }
      n_graphs++;
      for (guint32 i = 0; i < inputs.n + outputs.n; i++)
        {
          StriaFlatTable slot = i < inputs.n ? stria_flat_at_table (inputs, i)
                                             : stria_flat_at_table (outputs, i - inputs.n);
          guint32        number = stria_flat_u32 (slot, 1, 0);

          if (number < self->n_resources && !reader->sequence.failed)
            self->resources[number].use |= i < inputs.n ? USED_READ : USED_WRITTEN;
        }
      stria_flat_forgive (&reader->sequence, NULL);
    }
  if (n_compute > 0)
    stria_notices_count (reader->context->notices, STRIA_SEVERITY_INFO, "vgf-compute",
                         reader->context->name, (gint64) reader->base, n_compute,
                         _("Compute segments of a VGF are listed and not drawn"));
  return n_graphs;
}

/* Names of the model's inputs and outputs, by resource */
static void
find_names (StriaVgfMaker *self)
{
  StriaFlatTable root = self->reader->sequence_root;

  for (guint field = 1; field <= 2; field++)
    {
      StriaFlatVector slots = stria_flat_vector (root, field, 4);
      StriaFlatVector names = stria_flat_vector (root, field + 2, 4);

      for (guint32 i = 0; i < MIN (slots.n, names.n); i++)
        {
          guint32     number = stria_flat_u32 (stria_flat_at_table (slots, i), 1, 0);
          const char *name = stria_flat_at_string (names, i, NULL);

          if (number < self->n_resources && name != NULL)
            g_hash_table_insert (self->names, GUINT_TO_POINTER (number + 1), (gpointer) name);
        }
      stria_flat_forgive (&self->reader->sequence, NULL);
    }
}

static void
add_graph_outputs (StriaVgfMaker *self)
{
  guint32 node = stria_graph_builder_node (self->builder, "GraphOutputs", "Graph Outputs",
                                           STRIA_NO_GROUP, STRIA_NODE_OUTPUT, -1);
  guint32 n = 0;

  for (guint32 i = 0; i < self->n_resources; i++)
    if (self->resources[i].node != STRIA_NO_NODE
        && resource_row (self, i)->category == STRIA_VGF_OUTPUT)
      {
        g_autofree char *type = resource_type (self, resource_row (self, i));
        char             number[16];

        g_snprintf (number, sizeof number, "%u", n++);
        guint32 port = stria_graph_builder_input (
            self->builder, number,
            g_hash_table_lookup (self->names, GUINT_TO_POINTER (i + 1)), type);
        stria_graph_builder_edge (self->builder, self->resources[i].node, self->resources[i].out,
                                  node, port);
      }
}

static guint64
count_words (StriaVgfReader *reader)
{
  guint64 words = 0;

  for (guint i = 0; i < reader->codes->len; i++)
    words += g_array_index (reader->codes, StriaVgfCode, i).n_words;
  return words;
}

gboolean
stria_vgf_make_graph (StriaVgfReader *reader, const char *graph_name, const char *method,
                      guint32 *graph, GError **error)
{
  StriaVgfMaker self = { .reader = reader, .facts = reader->facts };
  guint32  n_segments = stria_vgf_maker_row (&self)->n_segments;
  gboolean good = TRUE;

  *graph = STRIA_NO_REF;
  self.n_resources = stria_vgf_maker_row (&self)->n_resources;
  self.words_left = count_words (reader) * WALK_FACTOR + WALK_LEAST;
  self.text_left = reader->length * TEXT_FACTOR + TEXT_LEAST;
  self.resources = g_new (StriaVgfNode, MAX (self.n_resources, 1));
  for (guint32 i = 0; i < self.n_resources; i++)
    self.resources[i]
        = (StriaVgfNode) { .node = STRIA_NO_NODE, .in = STRIA_NO_REF, .out = STRIA_NO_REF };
  if (find_uses (&self, n_segments) == 0)
    {
      g_free (self.resources);
      return TRUE;
    }
  self.names = g_hash_table_new (NULL, NULL);
  self.group_names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  find_names (&self);
  self.builder = stria_graph_builder_new (reader->facts, STRIA_GRAPH_VGF, graph_name, method);
  self.graph_inputs = stria_graph_builder_node (self.builder, "GraphInputs", "Graph Inputs",
                                                STRIA_NO_GROUP, STRIA_NODE_INPUT, -1);
  for (guint32 s = 0; s < n_segments && good && !self.full; s++)
    if (stria_vgf_maker_segment (&self, s)->type == STRIA_VGF_GRAPH)
      good = add_segment (&self, s, error);
  add_graph_outputs (&self);
  if (self.full)
    stria_vgf_maker_notice (&self, "vgf-limit",
            _("The graph of the VGF is larger than what is drawn; what is behind that was left "
              "out"));
  *graph = stria_graph_builder_finish (self.builder);
  STRIA_ROWS (self.facts, StriaGraphRow, STRIA_TABLE_GRAPH)[*graph].owner = reader->vgf;
  g_hash_table_unref (self.names);
  g_hash_table_unref (self.group_names);
  g_free (self.resources);
  return good;
}
