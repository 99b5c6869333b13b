/* SPDX-License-Identifier: Apache-2.0 */
/* What an ExecuTorch program holds, as tables and as JSON. */
#include "config.h"

#include "cli-program.h"

#include <glib/gi18n-lib.h>

#include "cli-table.h"
#include "stria-format.h"
#include "stria-graph.h"

typedef struct
{
  StriaFacts *facts;
  const StriaProgramRow *program;
  const StriaProgramPlanRow *plans;
  const StriaProgramInstructionRow *instructions;
  const StriaProgramDelegateRow *delegates;
  const StriaProgramOperatorRow *operators;
  const StriaProgramBufferRow *buffers;
  const StriaProgramSpecRow *specs;
  const StriaProgramSegmentRow *segments;
  const StriaProgramNamedRow *named;
  gsize n_plans, n_instructions, n_delegates, n_operators, n_buffers, n_specs, n_segments, n_named;
  gint64 *planned;         /* bytes, by plan */
  guint64 *operator_calls; /* by row of program_operator */
  guint64 *delegate_calls; /* by row of program_delegate */
} Program;

static const char *
text (Program *self, guint32 string)
{
  return stria_facts_text (self->facts, string);
}

/* Number in the plan's operators of what an instruction calls, or -1 */
static gint64
operator_number (Program *self, const StriaProgramInstructionRow *instruction)
{
  const StriaGraphNodeRow *node
      = STRIA_ROWS (self->facts, StriaGraphNodeRow, STRIA_TABLE_GRAPH_NODE) + instruction->node;
  const StriaGraphAttrRow *attrs
      = STRIA_ROWS (self->facts, StriaGraphAttrRow, STRIA_TABLE_GRAPH_ATTR) + node->first_attr;

  for (guint32 i = 0; i < node->n_attrs; i++)
    if (g_str_equal (text (self, attrs[i].key), "opIndex"))
      return g_ascii_strtoll (text (self, attrs[i].value), NULL, 10);
  return -1;
}

static void
count_calls (Program *self)
{
  g_autofree gsize *first = g_new0 (gsize, self->n_plans + 1);

  for (gsize i = self->n_operators; i > 0; i--)
    first[self->operators[i - 1].plan] = i - 1;
  self->operator_calls = g_new0 (guint64, self->n_operators + 1);
  self->delegate_calls = g_new0 (guint64, self->n_delegates + 1);
  for (gsize i = 0; i < self->n_instructions; i++)
    {
      const StriaProgramInstructionRow *in = &self->instructions[i];
      gint64 number;

      if (in->delegate != STRIA_NO_REF)
        self->delegate_calls[in->delegate]++;
      if (in->type != STRIA_INSTRUCTION_KERNEL || in->node == STRIA_NO_REF)
        continue;
      number = operator_number (self, in);
      if (number >= 0 && (guint64) number < self->n_operators - first[in->plan]
          && self->operators[first[in->plan] + (gsize) number].plan == in->plan)
        self->operator_calls[first[in->plan] + (gsize) number]++;
    }
}

/* Bytes planned for values that are not constant. The first buffer of a plan is not to be looked at:
 * see schema/program.fbs. */
static void
sum_buffers (Program *self)
{
  self->planned = g_new0 (gint64, self->n_plans + 1);
  for (gsize i = 0; i < self->n_buffers; i++)
    {
      gint64 *sum = &self->planned[self->buffers[i].plan];

      if (self->buffers[i].number > 0
          && __builtin_add_overflow (*sum, MAX (self->buffers[i].size, 0), sum))
        *sum = G_MAXINT64;
    }
}

/* Decoders give each row its plan; who knows what a store was given. */
static gboolean
is_sound (Program *self)
{
  for (gsize i = 0; i < self->n_instructions; i++)
    if (self->instructions[i].plan >= self->n_plans)
      return FALSE;
  for (gsize i = 0; i < self->n_operators; i++)
    if (self->operators[i].plan >= self->n_plans)
      return FALSE;
  for (gsize i = 0; i < self->n_delegates; i++)
    if (self->delegates[i].plan >= self->n_plans)
      return FALSE;
  for (gsize i = 0; i < self->n_buffers; i++)
    if (self->buffers[i].plan >= self->n_plans)
      return FALSE;
  for (gsize i = 0; i < self->n_specs; i++)
    if (self->specs[i].delegate >= self->n_delegates)
      return FALSE;
  return TRUE;
}

static gboolean
program_init (Program *self, StriaCapture *capture, guint artifact)
{
  *self = (Program) { .facts = stria_capture_ref_facts (capture, artifact) };
  if (self->facts == NULL)
    return FALSE;
#define TAKE(member, Type, TABLE)                                              \
  self->member = STRIA_ROWS (self->facts, Type, STRIA_TABLE_PROGRAM_##TABLE); \
  self->n_##member = stria_facts_size (self->facts, STRIA_TABLE_PROGRAM_##TABLE)
  TAKE (plans, StriaProgramPlanRow, PLAN);
  TAKE (instructions, StriaProgramInstructionRow, INSTRUCTION);
  TAKE (delegates, StriaProgramDelegateRow, DELEGATE);
  TAKE (operators, StriaProgramOperatorRow, OPERATOR);
  TAKE (buffers, StriaProgramBufferRow, BUFFER);
  TAKE (specs, StriaProgramSpecRow, SPEC);
  TAKE (segments, StriaProgramSegmentRow, SEGMENT);
  TAKE (named, StriaProgramNamedRow, NAMED);
#undef TAKE
  self->program = STRIA_ROWS (self->facts, StriaProgramRow, STRIA_TABLE_PROGRAM);
  if (stria_facts_size (self->facts, STRIA_TABLE_PROGRAM) == 0 || !is_sound (self))
    return FALSE;
  sum_buffers (self);
  count_calls (self);
  return TRUE;
}

static void
program_clear (Program *self)
{
  g_clear_pointer (&self->facts, stria_facts_unref);
  g_clear_pointer (&self->planned, g_free);
  g_clear_pointer (&self->operator_calls, g_free);
  g_clear_pointer (&self->delegate_calls, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Program, program_clear)

static char *
operator_name (Program *self, const StriaProgramOperatorRow *row)
{
  const char *overload = text (self, row->overload);

  return overload[0] == '\0' ? g_strdup (text (self, row->name))
                             : g_strdup_printf ("%s.%s", text (self, row->name), overload);
}

static const char *
location_name (const StriaProgramDelegateRow *row)
{
  return row->location == 0 ? "inline" : row->location == 1 ? "segment" : "unknown";
}

gboolean
cli_has_programs (StriaCapture *capture)
{
  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      g_autoptr (StriaFacts) facts = stria_capture_ref_facts (capture, i);

      if (facts != NULL && stria_facts_size (facts, STRIA_TABLE_PROGRAM) > 0)
        return TRUE;
    }
  return FALSE;
}

/* -- text ------------------------------------------------------------------------------------- */

static void
print_head (Program *self, const char *name)
{
  g_autofree char *printable = cli_printable (name);
  g_autofree char *size = stria_format_bytes ((gint64) self->program->file_size);
  g_autofree char *part = stria_format_bytes ((gint64) self->program->program_size);
  g_autofree char *data = stria_format_bytes ((gint64) self->program->segment_data_size);

  printf ("\n");
  printf (_ ("Program %s: %s, schema version %u, %s\n"), printable,
          text (self, self->program->identifier), self->program->version, size);
  if (self->program->has_header)
    printf (_ ("Extended header of %u bytes: program of %s, segments of %s\n"),
            self->program->header_length, part, data);
  else
    printf (_ ("No extended header: all data is inside the program\n"));
}

static void
print_plans (Program *self)
{
  CliTable *table = cli_table_new (stdout);

  cli_table_column (table, _ ("Method"), FALSE);
  cli_table_column (table, _ ("Chains"), TRUE);
  cli_table_column (table, _ ("Instructions"), TRUE);
  cli_table_column (table, _ ("Values"), TRUE);
  cli_table_column (table, _ ("Inputs"), TRUE);
  cli_table_column (table, _ ("Outputs"), TRUE);
  cli_table_column (table, _ ("Delegates"), TRUE);
  cli_table_column (table, _ ("Planned memory"), TRUE);
  for (gsize i = 0; i < self->n_plans; i++)
    {
      const StriaProgramPlanRow *row = &self->plans[i];

      cli_table_cell (table, text (self, row->name));
      cli_table_take (table, stria_format_count (row->n_chains));
      cli_table_take (table, stria_format_count (row->n_instructions));
      cli_table_take (table, stria_format_count (row->n_values));
      cli_table_take (table, stria_format_count (row->n_inputs));
      cli_table_take (table, stria_format_count (row->n_outputs));
      cli_table_take (table, stria_format_count (row->n_delegates));
      cli_table_take (table, stria_format_bytes (self->planned[i]));
    }
  cli_table_finish (table);
}

static void
print_delegates (Program *self)
{
  CliTable *table;

  if (self->n_delegates == 0)
    return;
  printf ("\n%s\n", _ ("Delegates"));
  table = cli_table_new (stdout);
  cli_table_column (table, _ ("Method"), FALSE);
  cli_table_column (table, _ ("Number"), TRUE);
  cli_table_column (table, _ ("Backend"), FALSE);
  cli_table_column (table, _ ("Calls"), TRUE);
  cli_table_column (table, _ ("Data"), FALSE);
  cli_table_column (table, _ ("Offset"), TRUE);
  cli_table_column (table, _ ("Size"), TRUE);
  cli_table_column (table, _ ("Content"), FALSE);
  cli_table_column (table, _ ("Why"), FALSE);
  for (gsize i = 0; i < self->n_delegates; i++)
    {
      const StriaProgramDelegateRow *row = &self->delegates[i];

      cli_table_cell (table, text (self, self->plans[row->plan].name));
      cli_table_take (table, stria_format_count (row->number));
      cli_table_cell (table, text (self, row->id));
      cli_table_take (table, stria_format_count (self->delegate_calls[i]));
      cli_table_take (table, g_strdup_printf ("%s %u", location_name (row), row->index));
      cli_table_take (table, stria_format_count (row->offset));
      cli_table_take (table, stria_format_bytes ((gint64) row->size));
      cli_table_cell (table, row->content != 0 ? text (self, row->content) : _ ("not known"));
      cli_table_cell (table, text (self, row->error));
    }
  cli_table_finish (table);
  if (self->n_specs == 0)
    return;
  printf ("\n%s\n", _ ("Compile specs"));
  table = cli_table_new (stdout);
  cli_table_column (table, _ ("Method"), FALSE);
  cli_table_column (table, _ ("Delegate"), TRUE);
  cli_table_column (table, _ ("Key"), FALSE);
  cli_table_column (table, _ ("Value"), FALSE);
  for (gsize i = 0; i < self->n_specs; i++)
    {
      const StriaProgramDelegateRow *delegate = &self->delegates[self->specs[i].delegate];

      cli_table_cell (table, text (self, self->plans[delegate->plan].name));
      cli_table_take (table, stria_format_count (delegate->number));
      cli_table_cell (table, text (self, self->specs[i].key));
      cli_table_cell (table, text (self, self->specs[i].value));
    }
  cli_table_finish (table);
}

static void
print_operators (Program *self)
{
  CliTable *table;

  if (self->n_operators == 0)
    return;
  printf ("\n%s\n", _ ("Operators"));
  table = cli_table_new (stdout);
  cli_table_column (table, _ ("Method"), FALSE);
  cli_table_column (table, _ ("Operator"), FALSE);
  cli_table_column (table, _ ("Calls"), TRUE);
  for (gsize i = 0; i < self->n_operators; i++)
    {
      cli_table_cell (table, text (self, self->plans[self->operators[i].plan].name));
      cli_table_take (table, operator_name (self, &self->operators[i]));
      cli_table_take (table, stria_format_count (self->operator_calls[i]));
    }
  cli_table_finish (table);
}

static void
print_segments (Program *self)
{
  CliTable *table;

  if (self->n_segments == 0)
    return;
  printf ("\n%s\n", _ ("Segments"));
  table = cli_table_new (stdout);
  cli_table_column (table, _ ("Number"), TRUE);
  cli_table_column (table, _ ("Offset"), TRUE);
  cli_table_column (table, _ ("Size"), TRUE);
  cli_table_column (table, _ ("State"), FALSE);
  for (gsize i = 0; i < self->n_segments; i++)
    {
      cli_table_take (table, stria_format_count (i));
      cli_table_take (table,
                      stria_format_count (self->program->segment_base + self->segments[i].offset));
      cli_table_take (table, stria_format_bytes ((gint64) self->segments[i].size));
      cli_table_cell (table, self->segments[i].in_file ? _ ("in the file") : _ ("outside"));
    }
  cli_table_finish (table);
}

static void
print_named (Program *self)
{
  CliTable *table;

  if (self->n_named == 0)
    return;
  printf ("\n%s\n", _ ("Named data"));
  table = cli_table_new (stdout);
  cli_table_column (table, _ ("Key"), FALSE);
  cli_table_column (table, _ ("Segment"), TRUE);
  for (gsize i = 0; i < self->n_named; i++)
    {
      cli_table_cell (table, text (self, self->named[i].key));
      cli_table_take (table, stria_format_count (self->named[i].segment));
    }
  cli_table_finish (table);
}

void
cli_print_programs (StriaCapture *capture)
{
  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      g_auto (Program) self = { 0 };

      if (!program_init (&self, capture, i))
        continue;
      print_head (&self, stria_artifact_get_name (stria_capture_get_artifact (capture, i)));
      print_plans (&self);
      print_delegates (&self);
      print_operators (&self);
      print_segments (&self);
      print_named (&self);
    }
}

/* -- JSON ------------------------------------------------------------------------------------- */

/* @buffer, @operator: the next rows; those of a plan stand behind those of the one before it */
static void
json_plan (CliJson *json, Program *self, guint32 plan, gsize *buffer, gsize *operator)
{
  const StriaProgramPlanRow *row = &self->plans[plan];

  cli_json_begin_object (json, NULL);
  cli_json_string (json, "method", text (self, row->name));
  cli_json_uint (json, "chains", row->n_chains);
  cli_json_uint (json, "instructions", row->n_instructions);
  cli_json_uint (json, "values", row->n_values);
  cli_json_uint (json, "inputs", row->n_inputs);
  cli_json_uint (json, "outputs", row->n_outputs);
  cli_json_int (json, "planned_bytes", self->planned[plan]);
  cli_json_begin_array (json, "buffers");
  for (; *buffer < self->n_buffers && self->buffers[*buffer].plan == plan; (*buffer)++)
    {
      const StriaProgramBufferRow *one = &self->buffers[*buffer];

      cli_json_begin_object (json, NULL);
      cli_json_uint (json, "number", one->number);
      cli_json_int (json, "bytes", one->size);
      cli_json_string (json, "device", one->device == 0 ? NULL : text (self, one->device));
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
  cli_json_begin_array (json, "operators");
  for (; *operator < self->n_operators && self->operators[*operator].plan == plan; (*operator)++)
    {
      g_autofree char *name = operator_name (self, &self->operators[*operator]);

      cli_json_begin_object (json, NULL);
      cli_json_string (json, "name", name);
      cli_json_uint (json, "calls", self->operator_calls[*operator]);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
  cli_json_end_object (json);
}

static void
json_delegate (CliJson *json, Program *self, guint32 number, gsize *spec)
{
  const StriaProgramDelegateRow *row = &self->delegates[number];

  cli_json_begin_object (json, NULL);
  cli_json_string (json, "method", text (self, self->plans[row->plan].name));
  cli_json_uint (json, "number", row->number);
  cli_json_string (json, "backend", text (self, row->id));
  cli_json_uint (json, "calls", self->delegate_calls[number]);
  cli_json_string (json, "location", location_name (row));
  cli_json_uint (json, "index", row->index);
  cli_json_uint (json, "offset", row->offset);
  cli_json_uint (json, "bytes", row->size);
  cli_json_string (json, "content", row->content == 0 ? NULL : text (self, row->content));
  cli_json_string (json, "error", row->error == 0 ? NULL : text (self, row->error));
  cli_json_begin_object (json, "compile_specs");
  for (; *spec < self->n_specs && self->specs[*spec].delegate == number; (*spec)++)
    cli_json_string (json, text (self, self->specs[*spec].key),
                     text (self, self->specs[*spec].value));
  cli_json_end_object (json);
  cli_json_end_object (json);
}

static void
json_program (CliJson *json, Program *self, const char *name)
{
  const StriaProgramRow *program = self->program;
  gsize buffer = 0, operator = 0, spec = 0;

  cli_json_begin_object (json, NULL);
  cli_json_string (json, "artifact", name);
  cli_json_string (json, "identifier", text (self, program->identifier));
  cli_json_uint (json, "version", program->version);
  cli_json_string (json, "sha256", text (self, program->sha256));
  cli_json_uint (json, "bytes", program->file_size);
  if (program->has_header)
    {
      cli_json_begin_object (json, "header");
      cli_json_uint (json, "bytes", program->header_length);
      cli_json_uint (json, "program_bytes", program->program_size);
      cli_json_uint (json, "segment_base", program->segment_base);
      cli_json_uint (json, "segment_bytes", program->segment_data_size);
      cli_json_end_object (json);
    }
  else
    cli_json_null (json, "header");
  cli_json_begin_array (json, "segments");
  for (gsize i = 0; i < self->n_segments; i++)
    {
      cli_json_begin_object (json, NULL);
      cli_json_uint (json, "offset", self->segments[i].offset);
      cli_json_uint (json, "bytes", self->segments[i].size);
      cli_json_bool (json, "in_file", self->segments[i].in_file);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
  cli_json_begin_array (json, "named_data");
  for (gsize i = 0; i < self->n_named; i++)
    {
      cli_json_begin_object (json, NULL);
      cli_json_string (json, "key", text (self, self->named[i].key));
      cli_json_uint (json, "segment", self->named[i].segment);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
  cli_json_begin_array (json, "plans");
  for (gsize i = 0; i < self->n_plans; i++)
    json_plan (json, self, (guint32) i, &buffer, &operator);
  cli_json_end_array (json);
  cli_json_begin_array (json, "delegates");
  for (gsize i = 0; i < self->n_delegates; i++)
    json_delegate (json, self, (guint32) i, &spec);
  cli_json_end_array (json);
  cli_json_end_object (json);
}

void
cli_json_programs (CliJson *json, StriaCapture *capture)
{
  cli_json_begin_array (json, "programs");
  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      g_auto (Program) self = { 0 };

      if (program_init (&self, capture, i))
        json_program (json, &self,
                      stria_artifact_get_name (stria_capture_get_artifact (capture, i)));
    }
  cli_json_end_array (json);
}
