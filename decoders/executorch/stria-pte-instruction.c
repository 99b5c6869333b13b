/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction: what it is called, what it takes, and where it comes from. */
#include "config.h"

#include "stria-pte-private.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#define FRAMES_MOST 64

static const char *const types[] = {
  [STRIA_INSTRUCTION_OTHER] = "NONE",
  [STRIA_INSTRUCTION_KERNEL] = "KernelCall",
  [STRIA_INSTRUCTION_DELEGATE] = "DelegateCall",
  [STRIA_INSTRUCTION_MOVE] = "MoveCall",
  [STRIA_INSTRUCTION_JUMP_FALSE] = "JumpFalseCall",
  [STRIA_INSTRUCTION_FREE] = "FreeCall",
};

static guint32
operator_name (StriaPtePlan *self, gint32 number, guint32 *overload)
{
  const StriaProgramOperatorRow *row;

  if (number < 0 || (guint32) number >= self->n_operators)
    return 0;
  row = STRIA_ROWS (self->pte->facts, StriaProgramOperatorRow, STRIA_TABLE_PROGRAM_OPERATOR)
        + self->first_operator + number;
  *overload = row->overload;
  return row->name;
}

/**
 * stria_pte_instruction_read:
 * @self: a plan
 * @in: an instruction with its table, offset and type
 *
 * Says what it is called, and to the plan what it reads and makes.
 */
void
stria_pte_instruction_read (StriaPtePlan *self, StriaPteInstruction *in)
{
  const StriaProgramPlanRow *plan = stria_pte_plan_row (self->pte, self->plan_row);
  gint32 a = stria_flat_i32 (in->table, 0, 0);
  gint32 b = stria_flat_i32 (in->table, 1, 0);
  StriaFlatVector args;

  switch (in->type)
    {
    case STRIA_INSTRUCTION_KERNEL:
    case STRIA_INSTRUCTION_DELEGATE:
      args = stria_flat_vector (in->table, 1, 4);
      in->args = stria_pte_list_i32 (args);
      stria_pte_plan_args (self, args, in->offset);
      if (in->type == STRIA_INSTRUCTION_KERNEL)
        in->label = operator_name (self, a, &in->overload);
      else if (a >= 0 && (guint32) a < plan->n_delegates)
        {
          in->delegate = plan->first_delegate + (guint32) a;
          in->label = STRIA_ROWS (self->pte->facts, StriaProgramDelegateRow,
                                  STRIA_TABLE_PROGRAM_DELEGATE)[in->delegate]
                          .id;
        }
      if (in->label == 0)
        stria_pte_warn (self->pte, "program-instruction", in->offset,
                        in->type == STRIA_INSTRUCTION_KERNEL
                            ? _ ("An instruction calls operator %d, which the plan does not have")
                            : _ ("An instruction calls delegate %d, which the plan does not have"),
                        a);
      break;
    case STRIA_INSTRUCTION_MOVE:
      in->args = g_strdup_printf ("[%d, %d]", a, b);
      stria_pte_plan_arg (self, a, FALSE, in->offset);
      stria_pte_plan_arg (self, b, TRUE, in->offset);
      break;
    case STRIA_INSTRUCTION_JUMP_FALSE:
    case STRIA_INSTRUCTION_FREE:
      in->args = g_strdup_printf ("[%d]", a);
      stria_pte_plan_arg (self, a, FALSE, in->offset);
      break;
    default:
      in->args = g_strdup ("[]");
      stria_pte_warn (self->pte, "program-instruction", in->offset,
                      _ ("An instruction is of type %u; 1 to 5 are known"), in->type);
      break;
    }
  if (in->label == 0)
    in->label = in->type < G_N_ELEMENTS (types)
                    ? stria_facts_intern (self->pte->facts, types[in->type], -1)
                    : stria_facts_intern_printf (self->pte->facts, "%u", in->type);
}

static void
delegate_attrs (StriaPtePlan *self, guint32 number)
{
  StriaFacts *facts = self->pte->facts;
  const StriaProgramDelegateRow *row
      = STRIA_ROWS (facts, StriaProgramDelegateRow, STRIA_TABLE_PROGRAM_DELEGATE) + number;
  const StriaProgramSpecRow *specs
      = STRIA_ROWS (facts, StriaProgramSpecRow, STRIA_TABLE_PROGRAM_SPEC);
  gsize n_specs = stria_facts_size (facts, STRIA_TABLE_PROGRAM_SPEC);

  if (row->vgf != STRIA_NO_REF)
    {
      guint32 graph = STRIA_ROWS (facts, StriaVgfRow, STRIA_TABLE_VGF)[row->vgf].graph;

      if (graph != STRIA_NO_REF)
        stria_graph_builder_subgraph (
            self->builder,
            stria_facts_text (facts,
                              STRIA_ROWS (facts, StriaGraphRow, STRIA_TABLE_GRAPH)[graph].name));
    }
  stria_graph_builder_attr (self->builder, "blobLocation",
                            row->location == 0 ? "inline" : "segment");
  stria_graph_builder_attr_printf (self->builder, "blobIndex", "%u", row->index);
  if (row->size > 0)
    {
      stria_graph_builder_attr_printf (self->builder, "blobOffset", "%" PRIu64, row->offset);
      stria_graph_builder_attr_printf (self->builder, "blobBytes", "%" PRIu64, row->size);
    }
  if (row->content != 0)
    stria_graph_builder_attr (self->builder, "blobContent",
                              stria_pte_plan_text (self, row->content));
  if (row->error != 0)
    stria_graph_builder_attr (self->builder, "blobError", stria_pte_plan_text (self, row->error));
  gsize first = 0;
  for (gsize end = n_specs; first < end;)
    {
      gsize middle = first + (end - first) / 2;

      if (specs[middle].delegate < number)
        first = middle + 1;
      else
        end = middle;
    }
  for (; first < n_specs && specs[first].delegate == number; first++)
    {
      g_autofree char *key
          = g_strdup_printf ("compileSpec %s", stria_pte_plan_text (self, specs[first].key));
      stria_graph_builder_attr (self->builder, key, stria_pte_plan_text (self, specs[first].value));
    }
}

/* The attributes of the node that was added last. Names and texts are as PTEA shows them [CODE+RUN];
 * behind them stand some of our own. */
void
stria_pte_instruction_attrs (StriaPtePlan *self, const StriaPteInstruction *in)
{
  StriaGraphBuilder *builder = self->builder;
  gboolean is_known = in->type < G_N_ELEMENTS (types);
  gint32 a = stria_flat_i32 (in->table, 0, 0);
  gint32 b = stria_flat_i32 (in->table, 1, 0);

  if (is_known)
    stria_graph_builder_attr (builder, "Instruction Type", types[in->type]);
  else
    stria_graph_builder_attr_printf (builder, "Instruction Type", "%u", in->type);
  switch (in->type)
    {
    case STRIA_INSTRUCTION_KERNEL:
    case STRIA_INSTRUCTION_DELEGATE:
      stria_graph_builder_attr_printf (
          builder, in->type == STRIA_INSTRUCTION_KERNEL ? "opIndex" : "delegateIndex", "%d", a);
      stria_graph_builder_attr (builder, "args", in->args);
      break;
    case STRIA_INSTRUCTION_MOVE:
      stria_graph_builder_attr_printf (builder, "moveFrom", "%d", a);
      stria_graph_builder_attr_printf (builder, "moveTo", "%d", b);
      break;
    case STRIA_INSTRUCTION_JUMP_FALSE:
      stria_graph_builder_attr_printf (builder, "condValueIndex", "%d", a);
      stria_graph_builder_attr_printf (builder, "destinationInstruction", "%d", b);
      break;
    case STRIA_INSTRUCTION_FREE:
      stria_graph_builder_attr_printf (builder, "valueIndex", "%d", a);
      break;
    default:
      break;
    }
  stria_graph_builder_attr_printf (builder, "instrArgsType", "%u", in->type);
  if (in->overload != 0)
    stria_graph_builder_attr (builder, "overload", stria_pte_plan_text (self, in->overload));
  if (in->delegate != STRIA_NO_REF)
    delegate_attrs (self, in->delegate);
}

/* Frames are in the order of a Python traceback: the innermost is the last. [CODE: ET
 * exir/_stacktrace] Of packages that are installed, none is the user's. */
static gboolean
is_installed (const char *file)
{
  return strstr (file, "/site-packages/") != NULL || strstr (file, "/dist-packages/") != NULL
         || file[0] == '<';
}

void
stria_pte_instruction_frames (StriaPtePlan *self, StriaFlatTable list)
{
  StriaFlatVector frames = stria_flat_vector (list, 0, 4);
  GString *text = g_string_new (NULL);
  guint32 file = 0;
  guint32 line = 0;
  gboolean is_users = FALSE;

  for (guint32 i = MAX (frames.n, FRAMES_MOST) - FRAMES_MOST; i < frames.n; i++)
    {
      StriaFlatTable frame = stria_flat_at_table (frames, i);
      guint32 name = stria_pte_intern (self->pte, frame, 0);
      gint32 number = stria_flat_i32 (frame, 1, 0);
      guint32 function = stria_pte_intern (self->pte, frame, 2);
      guint32 context = stria_pte_intern (self->pte, frame, 3);
      gboolean users = !is_installed (stria_pte_plan_text (self, name));

      if (name != 0 && (users || !is_users))
        {
          file = name;
          line = number > 0 ? (guint32) number : 0;
          is_users = users;
        }
      if (text->len > 0)
        g_string_append_c (text, '\n');
      g_string_append_printf (text, "%s:%d %s", stria_pte_plan_text (self, name), number,
                              stria_pte_plan_text (self, function));
      if (context != 0)
        g_string_append_printf (text, ": %s", stria_pte_plan_text (self, context));
    }
  if (file != 0)
    stria_graph_builder_source (self->builder, stria_pte_plan_text (self, file), line);
  if (text->len > 0)
    stria_graph_builder_attr (self->builder, "stackTrace", text->str);
  g_string_free (text, TRUE);
}
