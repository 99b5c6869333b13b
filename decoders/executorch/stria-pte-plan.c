/* SPDX-License-Identifier: Apache-2.0 */
/* The graph of an execution plan: what it is given, its instructions, what it gives.
 * [CODE+RUN: PTEA builder; its expected graphs] */
#include "config.h"

#include "stria-pte-private.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

/* Instructions between two looks at whether it was cancelled */
#define STEP 1024

/* An input that others made: the value of the port and, for a list, its item. */
typedef struct
{
  guint32 port;
  gint32 value;
} Use;

/* -- what an instruction reads and makes ------------------------------------------------------ */

static gboolean
is_made (StriaPtePlan *self, gint64 index)
{
  const StriaPteValue *value = stria_pte_values_get (&self->values, index);
  return value != NULL && value->producer != STRIA_NO_NODE;
}

static gboolean
can_be_made (StriaPtePlan *self, gint64 index)
{
  const StriaPteValue *value = stria_pte_values_get (&self->values, index);

  return value != NULL && value->type == STRIA_PTE_TENSOR && !value->is_fixed
         && value->producer == STRIA_NO_NODE;
}

/* A tensor that is no constant belongs to the first instruction that has it as an argument: results
 * are arguments as well, and what is read was made before. A list belongs to the instruction if one
 * of its tensors does. [CODE+RUN: PTEA; of lists PROPOSAL] */
static gboolean
is_result (StriaPtePlan *self, gint32 index)
{
  StriaFlatVector items = stria_pte_values_items (&self->values, index);

  for (guint32 i = 0; i < items.n; i++)
    if (can_be_made (self, stria_flat_at_i32 (items, i)))
      return TRUE;
  return can_be_made (self, index);
}

static char *
place_key (const StriaPteValue *value)
{
  return g_strdup_printf ("%u:%" PRIu64, value->memory, value->offset);
}

/* What instructions give back stands at the end of their arguments once more, or in a list there.
 * [RUN: all programs of the samples] */
static gboolean
is_given_back (StriaPtePlan *self, StriaFlatVector args, gint32 index)
{
  gint32 last = stria_flat_at_i32 (args, args.n - 1);
  StriaFlatVector items = stria_pte_values_items (&self->values, last);

  for (guint32 i = 0; i < items.n; i++)
    if (stria_flat_at_i32 (items, i) == index)
      return TRUE;
  return index == last;
}

static gboolean
ends_twice (StriaPtePlan *self, StriaFlatVector args)
{
  gint32 last = args.n < 2 ? -1 : stria_flat_at_i32 (args, args.n - 1);

  return last >= 0
         && (last == stria_flat_at_i32 (args, args.n - 2)
             || stria_pte_values_items (&self->values, last).n > 0);
}

/* A program has no instruction for a view of a tensor: both have the same place in memory, the same
 * element type and as many bytes. [CODE: ET exir/passes/replace_view_copy_with_view_pass.py] A tensor
 * that nobody made, that is no result, and that lies just where another one was put last is taken
 * for such a view; the attribute assumedViewOf says so. [PROPOSAL] */
static gboolean
find_base (StriaPtePlan *self, gint32 index)
{
  StriaPteValue *value = stria_pte_values_get (&self->values, index);

  if (!can_be_made (self, index) || !value->has_place)
    return FALSE;
  g_autofree char *key = place_key (value);
  gint32 base = GPOINTER_TO_INT (g_hash_table_lookup (self->written, key)) - 1;
  const StriaPteValue *other = stria_pte_values_get (&self->values, base);
  if (other == NULL || other->element != value->element || other->bytes != value->bytes)
    return FALSE;
  value->view_of = base;
  value->producer = other->producer;
  value->producer_port = other->producer_port;
  return TRUE;
}

static void
add_arg (StriaPtePlan *self, gint32 index, gboolean is_output)
{
  if (g_hash_table_add (self->seen, GINT_TO_POINTER (index)))
    g_array_append_val (is_output ? self->outputs : self->inputs, index);
}

void
stria_pte_plan_args (StriaPtePlan *self, StriaFlatVector args, guint64 offset)
{
  gboolean has_views = ends_twice (self, args);

  for (guint32 i = 0; i < args.n; i++)
    {
      gint32 index = stria_flat_at_i32 (args, i);

      if (stria_pte_values_get (&self->values, index) == NULL)
        stria_pte_warn (self->pte, "program-argument", offset,
                        _ ("An instruction has value %d as an argument, and there are %u values"),
                        index, self->values.vector.n);
      else if (has_views && !is_given_back (self, args, index) && find_base (self, index))
        add_arg (self, index, FALSE);
      else
        add_arg (self, index, is_result (self, index));
    }
}

void
stria_pte_plan_arg (StriaPtePlan *self, gint32 index, gboolean is_output, guint64 offset)
{
  if (stria_pte_values_get (&self->values, index) == NULL)
    stria_pte_warn (self->pte, "program-argument", offset,
                    _ ("An instruction has value %d as an argument, and there are %u values"),
                    index, self->values.vector.n);
  else
    add_arg (self, index, is_output);
}

/* -- ports and edges -------------------------------------------------------------------------- */

static gboolean
may_add (StriaPtePlan *self)
{
  if (self->pte->port_budget > 0)
    {
      self->pte->port_budget--;
      return TRUE;
    }
  stria_pte_warn (self->pte, "program-limit", 0,
                  _ ("The plans have more than %d arguments; the rest was left out"),
                  STRIA_GRAPH_MAX_EDGES);
  return FALSE;
}

static void
set_made (StriaPtePlan *self, gint64 index, guint32 node, guint32 port)
{
  StriaPteValue *value = stria_pte_values_get (&self->values, index);

  if (value == NULL)
    return;
  value->producer = node;
  value->producer_port = port;
  if (value->has_place)
    g_hash_table_insert (self->written, place_key (value), GINT_TO_POINTER ((gint32) index + 1));
}

static void
add_input (StriaPtePlan *self, gint32 index)
{
  StriaFlatVector items = stria_pte_values_items (&self->values, index);
  StriaPteUse use = { .value = index };

  if (!may_add (self))
    return;
  use.port = stria_pte_values_port (&self->values, self->builder, index, FALSE);
  if (is_made (self, index))
    {
      g_array_append_val (self->uses, use);
      return;
    }
  for (guint32 i = 0; i < items.n; i++)
    {
      use.value = stria_flat_at_i32 (items, i);
      if (is_made (self, use.value) && may_add (self))
        g_array_append_val (self->uses, use);
    }
}

static void
add_output (StriaPtePlan *self, guint32 node, gint32 index)
{
  StriaFlatVector items = stria_pte_values_items (&self->values, index);

  if (!may_add (self))
    return;
  guint32 port = stria_pte_values_port (&self->values, self->builder, index, TRUE);
  set_made (self, index, node, port);
  for (guint32 i = 0; i < items.n; i++)
    if (can_be_made (self, stria_flat_at_i32 (items, i)))
      set_made (self, stria_flat_at_i32 (items, i), node, port);
}

static void
add_ports (StriaPtePlan *self, guint32 node)
{
  g_array_set_size (self->uses, 0);
  for (guint i = 0; i < self->inputs->len; i++)
    add_input (self, g_array_index (self->inputs, gint32, i));
  for (guint i = 0; i < self->uses->len; i++)
    {
      StriaPteUse use = g_array_index (self->uses, StriaPteUse, i);
      const StriaPteValue *value = stria_pte_values_get (&self->values, use.value);

      stria_graph_builder_edge (self->builder, value->producer, value->producer_port, node,
                                use.port);
    }
  for (guint i = 0; i < self->outputs->len; i++)
    add_output (self, node, g_array_index (self->outputs, gint32, i));
}

static void
clear_args (StriaPtePlan *self)
{
  g_array_set_size (self->inputs, 0);
  g_array_set_size (self->outputs, 0);
  g_hash_table_remove_all (self->seen);
}

/* -- nodes ------------------------------------------------------------------------------------ */

static void
add_border (StriaPtePlan *self, StriaFlatTable plan, guint field, const char *id, const char *label,
            gboolean is_output)
{
  StriaFlatVector list = stria_flat_vector (plan, field, 4);
  guint32 group
      = stria_graph_builder_group (self->builder, STRIA_NO_GROUP, id, STRIA_GROUP_NAMESPACE);
  guint32 node = stria_graph_builder_node (self->builder, id, label, group,
                                           is_output ? STRIA_NODE_OUTPUT : STRIA_NODE_INPUT, -1);

  stria_pte_settle (self->pte, "program-argument", stria_flat_offset (plan));
  clear_args (self);
  for (guint32 i = 0; i < list.n; i++)
    stria_pte_plan_arg (self, stria_flat_at_i32 (list, i), !is_output, stria_flat_offset (plan));
  add_ports (self, node);
}

static StriaNodeKind
node_kind (guint8 type)
{
  if (type == STRIA_INSTRUCTION_KERNEL)
    return STRIA_NODE_OPERATOR;
  return type == STRIA_INSTRUCTION_DELEGATE ? STRIA_NODE_DELEGATE : STRIA_NODE_CONTROL;
}

static void
add_instruction (StriaPtePlan *self, guint32 chain, guint32 number, StriaFlatTable table,
                 StriaFlatTable frames)
{
  StriaPte *pte = self->pte;
  const char *plan
      = stria_pte_plan_text (self, stria_pte_plan_row (pte, self->plan_row)->name);
  g_autofree char *id = g_strdup_printf ("%s_%u_%u", plan, chain, number);
  StriaPteInstruction in = {
    .table = stria_flat_table (table, INSTRUCTION_ARGS),
    .offset = stria_flat_offset (table),
    .delegate = STRIA_NO_REF,
    .type = stria_flat_u8 (table, INSTRUCTION_ARGS_TYPE, STRIA_INSTRUCTION_OTHER),
  };

  stria_pte_settle (pte, "program-instruction", in.offset);
  clear_args (self);
  stria_pte_instruction_read (self, &in);

  guint32 node = stria_graph_builder_node (self->builder, id, stria_pte_plan_text (self, in.label),
                                           self->group, node_kind (in.type),
                                           (gint64) ((guint64) chain << 32 | number));
  stria_pte_instruction_attrs (self, &in);
  stria_pte_instruction_frames (self, frames);
  stria_pte_settle (pte, "program-instruction", in.offset);
  add_ports (self, node);

  StriaProgramInstructionRow row = {
    .plan = self->plan_row,
    .chain = chain,
    .number = number,
    .type = in.type <= STRIA_INSTRUCTION_FREE ? in.type : STRIA_INSTRUCTION_OTHER,
    .label = in.label,
    .delegate = in.delegate,
    .node = (guint32) stria_facts_size (pte->facts, STRIA_TABLE_GRAPH_NODE) - 1,
    .args = stria_facts_intern (pte->facts, in.args, -1),
  };
  stria_facts_add (pte->facts, STRIA_TABLE_PROGRAM_INSTRUCTION, &row);
  g_free (in.args);
}

static gboolean
add_chain (StriaPtePlan *self, guint32 number, StriaFlatTable chain, GError **error)
{
  StriaPte *pte = self->pte;
  StriaFlatVector instructions = stria_flat_vector (chain, CHAIN_INSTRUCTIONS, 4);
  StriaFlatVector traces = stria_flat_vector (chain, CHAIN_STACKTRACE, 4);

  stria_pte_settle (pte, "program-chain", stria_flat_offset (chain));
  for (guint32 i = 0; i < instructions.n && !stria_flat_failed (&pte->flat); i++)
    {
      if (i % STEP == 0
          && g_cancellable_set_error_if_cancelled (pte->context->cancellable, error))
        return FALSE;
      if (stria_graph_builder_n_nodes (self->builder) >= STRIA_GRAPH_MAX_NODES)
        {
          stria_pte_warn (pte, "program-limit", stria_flat_offset (chain),
                          _ ("The plan has more than %d instructions; the rest was left out"),
                          STRIA_GRAPH_MAX_NODES);
          return TRUE;
        }
      StriaFlatTable table = stria_flat_at_table (instructions, i);
      stria_pte_settle (pte, "program-instruction", stria_flat_offset (chain));
      StriaFlatTable none = { 0 };
      StriaFlatTable frames = i < traces.n ? stria_flat_at_table (traces, i) : none;
      stria_pte_settle (pte, "program-stacktrace", stria_flat_offset (table));
      add_instruction (self, number, i, table, frames);
    }
  return TRUE;
}

static void
group_attrs (StriaPtePlan *self)
{
  const StriaProgramPlanRow *row = stria_pte_plan_row (self->pte, self->plan_row);
  const StriaProgramBufferRow *buffers
      = STRIA_ROWS (self->pte->facts, StriaProgramBufferRow, STRIA_TABLE_PROGRAM_BUFFER);
  gsize n = stria_facts_size (self->pte->facts, STRIA_TABLE_PROGRAM_BUFFER);
  gsize first = n;

  while (first > 0 && buffers[first - 1].plan == self->plan_row)
    first--;
  stria_graph_builder_attr_printf (self->builder, "values", "%u", row->n_values);
  stria_graph_builder_attr_printf (self->builder, "chains", "%u", row->n_chains);
  if (row->encoded_in != 0)
    stria_graph_builder_attr (self->builder, "encodedInput",
                              stria_pte_plan_text (self, row->encoded_in));
  if (row->encoded_out != 0)
    stria_graph_builder_attr (self->builder, "encodedOutput",
                              stria_pte_plan_text (self, row->encoded_out));
  /* The first buffer is not to be looked at. [CODE: ET schema/program.fbs] */
  for (gsize i = first; i < n; i++)
    if (buffers[i].number > 0)
      {
        g_autofree char *key = g_strdup_printf ("memoryBytes %u", buffers[i].number);
        stria_graph_builder_attr_printf (self->builder, key, "%" PRId64, buffers[i].size);
      }
}

static void
find_operators (StriaPtePlan *self)
{
  const StriaProgramOperatorRow *rows
      = STRIA_ROWS (self->pte->facts, StriaProgramOperatorRow, STRIA_TABLE_PROGRAM_OPERATOR);
  guint32 n = (guint32) stria_facts_size (self->pte->facts, STRIA_TABLE_PROGRAM_OPERATOR);

  self->first_operator = n;
  while (self->first_operator > 0 && rows[self->first_operator - 1].plan == self->plan_row)
    self->first_operator--;
  self->n_operators = n - self->first_operator;
}

/**
 * stria_pte_plan:
 * @self: a program
 * @plan: one of its plans
 * @row: its row; its delegates have been added
 * @error: only of a cancellation
 *
 * Adds the plan's graph and its instructions.
 *
 * Returns: FALSE if it was cancelled
 */
gboolean
stria_pte_plan (StriaPte *self, StriaFlatTable plan, guint32 row, GError **error)
{
  const char *name = stria_facts_text (self->facts, stria_pte_plan_row (self, row)->name);
  StriaPtePlan in = {
    .pte = self,
    .plan_row = row,
    .builder = stria_graph_builder_new (self->facts, STRIA_GRAPH_PLAN, name, name),
    .inputs = g_array_new (FALSE, FALSE, sizeof (gint32)),
    .outputs = g_array_new (FALSE, FALSE, sizeof (gint32)),
    .uses = g_array_new (FALSE, FALSE, sizeof (StriaPteUse)),
    .seen = g_hash_table_new (NULL, NULL),
    .written = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
  };
  StriaFlatVector chains = stria_flat_vector (plan, PLAN_CHAINS, 4);
  gboolean good = TRUE;

  stria_pte_settle (self, "program-chain", stria_flat_offset (plan));
  stria_pte_values_init (&in.values, self, plan);
  find_operators (&in);
  in.group = stria_graph_builder_group (in.builder, STRIA_NO_GROUP, name, STRIA_GROUP_PLAN);
  group_attrs (&in);
  add_border (&in, plan, PLAN_INPUTS, "GraphInputs", "Graph Inputs", FALSE);
  for (guint32 i = 0; i < chains.n && good && !stria_flat_failed (&self->flat); i++)
    {
      StriaFlatTable chain = stria_flat_at_table (chains, i);

      if (!stria_pte_settle (self, "program-chain", stria_flat_offset (plan)))
        good = add_chain (&in, i, chain, error);
    }
  add_border (&in, plan, PLAN_OUTPUTS, "GraphOutputs", "Graph Outputs", TRUE);

  StriaProgramPlanRow *done = stria_pte_plan_row (self, row);
  done->graph = stria_graph_builder_finish (in.builder);
  done->n_instructions
      = (guint32) stria_facts_size (self->facts, STRIA_TABLE_PROGRAM_INSTRUCTION)
        - done->first_instruction;
  stria_pte_values_clear (&in.values);
  g_array_unref (in.inputs);
  g_array_unref (in.outputs);
  g_array_unref (in.uses);
  g_hash_table_unref (in.seen);
  g_hash_table_unref (in.written);
  return good;
}
