/* SPDX-License-Identifier: Apache-2.0 */
/* The TOSA operators of a graph segment, as its module's code lists them (spec 4.3). Constants are
 * no nodes; the operand that takes one says which. */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-tosa.h"
#include "stria-vgf-graph-private.h"

#define CHECK_EVERY 4096 /* operators between looks at the cancellable */
#define MAX_RESULTS 16   /* members of a result that is a struct */
#define MAX_NAME    64   /* bytes of the name of a set that is not known */
#define BINDING     33   /* the decoration */

/* Where the value of an id comes from: @n output ports of @node from @port on. */
typedef struct
{
  guint32 node;
  guint32 port;
  guint32 n;
} Value;

/* A value that leaves the graph as output number @index */
typedef struct
{
  Value   value;
  guint32 index;
} Exit;

/* One segment while its module is walked. Names are inside the file. */
typedef struct
{
  StriaVgfMaker       *maker;
  guint32              number;
  const StriaVgfSlots *slots;
  StriaFlatVector      constants;
  StriaSpirv           spirv;
  const char          *graph_name;
  guint32              entry; /* id of the graph, 0: whatever there is */
  StriaSpirvInst       interface; /* OpGraphEntryPointARM, or n 0 */
  guint                first_variable; /* operand of it */
  guint32              n_graph_inputs;
  gboolean             has_graphs;
  guint32              group; /* STRIA_NO_GROUP until the first operator */
  GHashTable          *values; /* id -> place in value_list + 1 */
  GArray              *value_list; /* of Value */
  GHashTable          *types; /* type id -> string of the facts */
  GHashTable          *sets; /* id of an import -> name, "" if it has none */
  GHashTable          *bindings; /* id of a variable -> binding + 1 */
  GHashTable          *labels; /* id -> debug name */
  GArray              *exits; /* of Exit */
} Segment;

/* -- module --------------------------------------------------------------------------------- */

static const char *
type_text (Segment *self, guint32 type)
{
  StriaFacts         *facts = self->maker->facts;
  gpointer            known = g_hash_table_lookup (self->types, GUINT_TO_POINTER (type));
  g_autoptr (GString) text = NULL;
  guint32             string;

  if (known != NULL)
    return stria_facts_text (facts, GPOINTER_TO_UINT (known));
  text = g_string_new (NULL);
  stria_spirv_type (&self->spirv, type, text);
  string = stria_facts_intern (facts, text->str, (gssize) text->len);
  g_hash_table_insert (self->types, GUINT_TO_POINTER (type), GUINT_TO_POINTER (string));
  return stria_facts_text (facts, string);
}

/* Whether there is room for a text that a small file could make long. */
static gboolean
take_text (Segment *self, gsize length)
{
  if (length > self->maker->text_left)
    {
      self->maker->full = TRUE;
      return FALSE;
    }
  self->maker->text_left -= length;
  return TRUE;
}

static void
set_value (Segment *self, guint32 id, Value value)
{
  if (id == 0)
    return;
  g_array_append_val (self->value_list, value);
  g_hash_table_insert (self->values, GUINT_TO_POINTER (id),
                       GUINT_TO_POINTER (self->value_list->len));
}

static gboolean
get_value (Segment *self, guint32 id, Value *value)
{
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->values, GUINT_TO_POINTER (id)));

  if (place == 0)
    return FALSE;
  *value = g_array_index (self->value_list, Value, place - 1);
  return TRUE;
}

/* Name of the instruction set of an OpExtInst, "" if it has none */
static const char *
set_name (Segment *self, const StriaSpirvInst *inst)
{
  guint32        id = stria_spirv_operand (&self->spirv, inst, 2);
  const char    *name = g_hash_table_lookup (self->sets, GUINT_TO_POINTER (id));
  StriaSpirvInst import;

  if (name != NULL)
    return name;
  if (stria_spirv_find (&self->spirv, id, &import) && import.op == STRIA_SPIRV_EXT_INST_IMPORT)
    name = stria_spirv_text (&self->spirv, &import, 1, NULL);
  if (name == NULL)
    name = "";
  g_hash_table_insert (self->sets, GUINT_TO_POINTER (id), (gpointer) name);
  return name;
}

/* Debug records name operators by their result ids; one name may stand for several, and an id keeps
 * its first [CODE]. No sample has any [RUN]. */
static void
take_debug_record (Segment *self, const StriaSpirvInst *inst)
{
  const char *name;

  if (stria_spirv_operand (&self->spirv, inst, 3) != STRIA_TOSA_DEBUG_OPERATION)
    return;
  name = stria_spirv_string (&self->spirv, stria_spirv_operand (&self->spirv, inst, 5));
  if (name == NULL)
    return;
  for (guint i = 6; i + 1 < inst->n; i++)
    {
      gpointer id = GUINT_TO_POINTER (stria_spirv_operand (&self->spirv, inst, i));

      if (!g_hash_table_contains (self->labels, id))
        g_hash_table_insert (self->labels, id, (gpointer) name);
    }
}

/* Which graph of the module is the segment's, by the entry point's name, and what is named. */
static void
survey (Segment *self, const char *entry_point)
{
  StriaSpirvInst inst;
  guint          next;

  for (guint32 at = STRIA_SPIRV_HEADER; stria_spirv_read (&self->spirv, at, &inst); at += inst.n)
    if (inst.op == STRIA_SPIRV_GRAPH_ENTRY_POINT_ARM)
      {
        const char *name = stria_spirv_text (&self->spirv, &inst, 1, &next);

        if (name != NULL && (self->interface.n == 0 || g_str_equal (name, entry_point)))
          {
            self->entry = stria_spirv_operand (&self->spirv, &inst, 0);
            self->interface = inst;
            self->first_variable = next;
            self->graph_name = name;
          }
      }
    else if (inst.op == STRIA_SPIRV_GRAPH_ARM)
      self->has_graphs = TRUE;
    else if (inst.op == STRIA_SPIRV_DECORATE
             && stria_spirv_operand (&self->spirv, &inst, 1) == BINDING)
      g_hash_table_insert (self->bindings,
                           GUINT_TO_POINTER (stria_spirv_operand (&self->spirv, &inst, 0)),
                           GUINT_TO_POINTER (stria_spirv_operand (&self->spirv, &inst, 2) + 1));
    else if (inst.op == STRIA_SPIRV_EXT_INST
             && g_str_equal (set_name (self, &inst), STRIA_TOSA_DEBUG))
      take_debug_record (self, &inst);
}

/* The node of a segment's input or output @index: of the slot whose binding is that of variable
 * @variable of the entry point, else of the slot at that place [CODE; RUN: both are the same one in
 * all samples]. */
static StriaVgfNode *
slot_node (Segment *self, const StriaVgfSlots *slots, guint32 variable, guint32 index)
{
  guint32 id = self->interface.n > 0 && variable <= G_MAXUINT16
                   ? stria_spirv_operand (&self->spirv, &self->interface,
                                          self->first_variable + variable)
                   : 0;
  guint32 binding
      = GPOINTER_TO_UINT (g_hash_table_lookup (self->bindings, GUINT_TO_POINTER (id)));
  guint32 place = 0;

  if (binding > 0)
    place = GPOINTER_TO_UINT (g_hash_table_lookup (slots->places, GUINT_TO_POINTER (binding - 1)));
  place = place > 0 ? place - 1 : index;
  if (place >= slots->resources->len)
    return NULL;
  return stria_vgf_maker_node (self->maker, g_array_index (slots->resources, guint32, place));
}

/* Group of the segment's operators: the graph's name, and the segment's number behind it if an
 * earlier segment has that name. */
static guint32
segment_group (Segment *self)
{
  StriaVgfMaker           *maker = self->maker;
  g_autofree char *label = NULL;

  if (self->group != STRIA_NO_GROUP)
    return self->group;
  label = g_strdup (self->graph_name);
  if (label[0] == '\0' || g_hash_table_contains (maker->group_names, label))
    {
      g_free (label);
      label = g_strdup_printf ("%s#%u", self->graph_name, self->number);
    }
  self->group = stria_graph_builder_group (maker->builder, STRIA_NO_GROUP, label,
                                           STRIA_GROUP_SEGMENT);
  stria_graph_builder_attr_printf (maker->builder, "Segment", "%u", self->number);
  stria_graph_builder_attr (
      maker->builder, "Segment name",
      stria_facts_text (maker->facts, stria_vgf_maker_segment (maker, self->number)->name));
  g_hash_table_add (maker->group_names, g_steal_pointer (&label));
  return self->group;
}

/* -- operators ------------------------------------------------------------------------------ */

static void
add_attribute (Segment *self, const char *name, guint32 id)
{
  const char         *word = NULL;
  gint64              number;
  g_autoptr (GString) text = NULL;

  if (stria_spirv_integer (&self->spirv, id, &number))
    word = stria_tosa_enum_name (name, number);
  if (word == NULL)
    {
      text = g_string_new (NULL);
      stria_spirv_value (&self->spirv, id, text);
      word = take_text (self, text->len) ? text->str : "…";
    }
  stria_graph_builder_attr (self->maker->builder, name, word);
}

/* What an operand that is no node is: which constant of the file, or a constant's own value. */
static void
describe_constant (Segment *self, guint32 id)
{
  StriaVgfMaker         *maker = self->maker;
  StriaSpirvInst inst;

  if (stria_spirv_is_constant (&self->spirv, id))
    {
      g_autoptr (GString) text = g_string_new (NULL);

      stria_spirv_value (&self->spirv, id, text);
      stria_graph_builder_attr (maker->builder, "value",
                                take_text (self, text->len) ? text->str : "…");
    }
  else if (stria_spirv_find (&self->spirv, id, &inst)
           && inst.op == STRIA_SPIRV_GRAPH_CONSTANT_ARM)
    {
      guint32 place = stria_spirv_operand (&self->spirv, &inst, 2);
      guint32 number;

      if (place >= self->constants.n)
        {
          stria_vgf_maker_notice (maker, "vgf-constant",
                  _("An operator of the VGF takes a constant that its segment does not have"));
          stria_graph_builder_attr (maker->builder, "constant", "?");
          return;
        }
      number = stria_flat_at_u32 (self->constants, place);
      stria_graph_builder_attr_printf (maker->builder, "constant", "%u", number);
      if (number < stria_vgf_maker_row (maker)->n_constants)
        stria_graph_builder_attr_printf (
            maker->builder, "resource", "mrt_%u",
            STRIA_ROWS (maker->facts, StriaVgfConstantRow, STRIA_TABLE_VGF_CONSTANT)
                [stria_vgf_maker_row (maker)->first_constant + number]
                    .resource);
    }
}

static void
add_inputs (Segment *self, const StriaSpirvInst *inst, const StriaTosaOperator *op, guint32 node)
{
  StriaGraphBuilder *builder = self->maker->builder;

  for (guint i = 0; i + 5 < inst->n; i++)
    {
      guint32     id = stria_spirv_operand (&self->spirv, inst, i + 4);
      guint32     type = stria_spirv_type_of (&self->spirv, id);
      char        number[16], buffer[16];
      gboolean    is_attribute;
      const char *name = stria_tosa_operand (op, i, &is_attribute, buffer);
      guint32     port;
      Value       value;

      g_snprintf (number, sizeof number, "%u", i);
      port = stria_graph_builder_input (builder, number, op != NULL ? name : NULL,
                                        type_text (self, type));
      if (get_value (self, id, &value))
        stria_graph_builder_edge (builder, value.node, value.port, node, port);
      else
        describe_constant (self, id);
    }
}

/* A result that is a struct (FFT2D, RFFT2D) has an output for each member. */
static Value
add_outputs (Segment *self, guint32 type_id, guint32 node)
{
  StriaGraphBuilder *builder = self->maker->builder;
  StriaSpirvInst     type;
  guint              n = 1;
  gboolean           is_struct = stria_spirv_find (&self->spirv, type_id, &type)
                       && type.op == STRIA_SPIRV_TYPE_STRUCT && type.n > 2;
  Value              value = { .node = node };

  if (is_struct)
    n = MIN (type.n - 2u, MAX_RESULTS);
  for (guint i = 0; i < n; i++)
    {
      guint32 member = is_struct ? stria_spirv_operand (&self->spirv, &type, i + 1) : type_id;
      char    number[16];
      guint32 port;

      g_snprintf (number, sizeof number, "%u", i);
      port = stria_graph_builder_output (builder, number, NULL, type_text (self, member));
      if (i == 0)
        value.port = port;
    }
  value.n = n;
  return value;
}

static void
add_operator_row (Segment *self, guint32 id, guint32 number, const char *name, guint32 node,
                  const char *label)
{
  StriaVgfMaker              *maker = self->maker;
  const StriaGraphRow *graph
      = STRIA_ROWS (maker->facts, StriaGraphRow, STRIA_TABLE_GRAPH)
        + stria_graph_builder_get_number (maker->builder);
  StriaVgfOperatorRow row = {
    .vgf = maker->reader->vgf,
    .segment = self->number,
    .spirv_id = id,
    .number = (gint32) MIN (number, (guint32) G_MAXINT32),
    .name = stria_facts_intern (maker->facts, name, -1),
    .node = graph->first_node + node,
  };
  StriaVgfLabelRow    label_row = {
    .operator_row = stria_facts_add (maker->facts, STRIA_TABLE_VGF_OPERATOR, &row),
    .label = stria_facts_intern (maker->facts, label, -1),
  };

  if (label != NULL)
    stria_facts_add (maker->facts, STRIA_TABLE_VGF_LABEL, &label_row);
}

/* Operators of TOSA; those of sets that are not known are nodes without a row of vgf_operator. */
static void
add_operator (Segment *self, const StriaSpirvInst *inst)
{
  StriaVgfMaker                   *maker = self->maker;
  const char              *set = set_name (self, inst);
  guint32                  type = stria_spirv_operand (&self->spirv, inst, 0);
  guint32                  id = stria_spirv_operand (&self->spirv, inst, 1);
  guint32                  number = stria_spirv_operand (&self->spirv, inst, 3);
  const StriaTosaOperator *op = NULL;
  const char              *label = g_hash_table_lookup (self->labels, GUINT_TO_POINTER (id));
  g_autofree char         *node_id = NULL;
  g_autofree char         *made = NULL;
  gboolean                 is_tosa = g_str_equal (set, STRIA_TOSA_SET);
  guint32                  group, node;
  char                     buffer[16];

  if (inst->n < 5 || g_str_has_prefix (set, "NonSemantic.")
      || !stria_vgf_maker_take (maker, inst->n)
      || (label != NULL && !take_text (self, strlen (label))))
    return;
  if (is_tosa)
    op = stria_tosa_operator (number);
  if (op == NULL)
    made = g_strdup_printf ("%.*s %u", MAX_NAME, set[0] != '\0' ? set : "?", number);
  group = segment_group (self);
  node_id = g_strdup_printf ("source_operator/segment_%u/spirv-%u", self->number, id);
  node = stria_graph_builder_node (maker->builder, node_id, op != NULL ? op->label : made, group,
                                   STRIA_NODE_OPERATOR, (gint64) self->number << 32 | id);
  for (guint i = 0; op != NULL && i + 5 < inst->n && i < STRIA_TOSA_MAX_OPERANDS; i++)
    {
      gboolean    is_attribute;
      const char *name = stria_tosa_operand (op, i, &is_attribute, buffer);

      if (is_attribute)
        add_attribute (self, name, stria_spirv_operand (&self->spirv, inst, i + 4));
    }
  if (label != NULL)
    stria_graph_builder_attr (maker->builder, "debug_name", label);
  add_inputs (self, inst, op, node);
  set_value (self, id, add_outputs (self, type, node));
  if (is_tosa)
    add_operator_row (self, id, number, op != NULL ? op->name : made, node, label);
}

static void
add_graph_input (Segment *self, const StriaSpirvInst *inst)
{
  StriaVgfNode *node = NULL;
  gint64        index;

  if (stria_spirv_integer (&self->spirv, stria_spirv_operand (&self->spirv, inst, 2), &index)
      && index >= 0 && index <= G_MAXUINT16)
    node = slot_node (self, &self->slots[0], (guint32) index, (guint32) index);
  if (node != NULL)
    set_value (self, stria_spirv_operand (&self->spirv, inst, 1),
               (Value) { node->node, node->out, 1 });
  else if (!self->maker->full)
    stria_vgf_maker_notice (self->maker, "vgf-segment",
                            _("A graph of the VGF reads an input that its segment does not have"));
}

static void
add_graph_output (Segment *self, const StriaSpirvInst *inst)
{
  Exit   leaving = { 0 };
  gint64 index;

  if (!get_value (self, stria_spirv_operand (&self->spirv, inst, 0), &leaving.value)
      || !stria_spirv_integer (&self->spirv, stria_spirv_operand (&self->spirv, inst, 1), &index)
      || index < 0 || index > G_MAXUINT16)
    {
      stria_vgf_maker_notice (
          self->maker, "vgf-segment",
          _("A graph of the VGF writes an output whose value or number is not known"));
      return;
    }
  leaving.index = (guint32) index;
  if (stria_vgf_maker_take (self->maker, 1))
    g_array_append_val (self->exits, leaving);
}

/* Edges to the outputs come last, so that their nodes stand behind the operators. */
static void
join_outputs (Segment *self)
{
  for (guint i = 0; i < self->exits->len; i++)
    {
      const Exit   *leaving = &g_array_index (self->exits, Exit, i);
      StriaVgfNode *node = slot_node (self, &self->slots[1],
                                      self->n_graph_inputs + leaving->index, leaving->index);

      if (node != NULL)
        stria_graph_builder_edge (self->maker->builder, leaving->value.node, leaving->value.port,
                                  node->node, node->in);
      else if (!self->maker->full)
        stria_vgf_maker_notice (
            self->maker, "vgf-segment",
            _("A graph of the VGF writes an output that its segment does not have"));
    }
}

static void
add_extract (Segment *self, const StriaSpirvInst *inst)
{
  guint32 member = stria_spirv_operand (&self->spirv, inst, 3);
  Value   value;

  if (get_value (self, stria_spirv_operand (&self->spirv, inst, 2), &value) && member < value.n)
    set_value (self, stria_spirv_operand (&self->spirv, inst, 1),
               (Value) { value.node, value.port + member, 1 });
}

/* Number of inputs of the graph that @inst begins */
static guint32
count_inputs (Segment *self, const StriaSpirvInst *inst)
{
  StriaSpirvInst type;

  if (!stria_spirv_find (&self->spirv, stria_spirv_operand (&self->spirv, inst, 0), &type)
      || type.op != STRIA_SPIRV_TYPE_GRAPH_ARM)
    return 0;
  return stria_spirv_operand (&self->spirv, &type, 1);
}

/* Returns: FALSE if cancelled */
static gboolean
walk (Segment *self, GCancellable *cancellable, GError **error)
{
  gboolean       is_mine = !self->has_graphs;
  StriaSpirvInst inst;
  guint          n = 0;

  for (guint32 at = STRIA_SPIRV_HEADER;
       stria_spirv_read (&self->spirv, at, &inst) && !self->maker->full; at += inst.n)
    switch (inst.op)
      {
      case STRIA_SPIRV_GRAPH_ARM:
        is_mine = self->entry == 0 || stria_spirv_operand (&self->spirv, &inst, 1) == self->entry;
        if (is_mine)
          self->n_graph_inputs = count_inputs (self, &inst);
        break;
      case STRIA_SPIRV_GRAPH_END_ARM:
        is_mine = FALSE;
        break;
      case STRIA_SPIRV_GRAPH_INPUT_ARM:
        if (is_mine)
          add_graph_input (self, &inst);
        break;
      case STRIA_SPIRV_GRAPH_SET_OUTPUT_ARM:
        if (is_mine)
          add_graph_output (self, &inst);
        break;
      case STRIA_SPIRV_COMPOSITE_EXTRACT:
        if (is_mine)
          add_extract (self, &inst);
        break;
      case STRIA_SPIRV_EXT_INST:
        if (++n % CHECK_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
          return FALSE;
        if (is_mine)
          add_operator (self, &inst);
        break;
      default:
        break;
      }
  return TRUE;
}

gboolean
stria_vgf_add_operators (StriaVgfMaker *maker, guint32 number, const StriaVgfSlots slots[2],
                         StriaFlatVector constants, GError **error)
{
  Segment  self = {
    .maker = maker,
    .number = number,
    .slots = slots,
    .constants = constants,
    .group = STRIA_NO_GROUP,
  };
  gboolean good;

  if (!stria_vgf_maker_open (maker, number, &self.spirv, &self.graph_name))
    return TRUE;
  self.values = g_hash_table_new (NULL, NULL);
  self.value_list = g_array_new (FALSE, FALSE, sizeof (Value));
  self.types = g_hash_table_new (NULL, NULL);
  self.sets = g_hash_table_new (NULL, NULL);
  self.bindings = g_hash_table_new (NULL, NULL);
  self.labels = g_hash_table_new (NULL, NULL);
  self.exits = g_array_new (FALSE, FALSE, sizeof (Exit));
  survey (&self, self.graph_name);
  good = walk (&self, maker->reader->context->cancellable, error);
  join_outputs (&self);
  stria_spirv_clear (&self.spirv);
  g_hash_table_unref (self.values);
  g_array_unref (self.value_list);
  g_hash_table_unref (self.types);
  g_hash_table_unref (self.sets);
  g_hash_table_unref (self.bindings);
  g_hash_table_unref (self.labels);
  g_array_unref (self.exits);
  return good;
}
