/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "debug_info.pb-c.h"
#include "stria-json-text.h"
#include "stria-neff-private.h"
#include "stria-unpack.h"

/* What unpacked debug information may take: it is about four times its bytes. */
#define ARENA_LIMIT ((gsize) 2 << 30)

/* Levels by the names of the files, lowest last (documented names, and those inside the compiler).
 */
const char *
stria_neff_debug_level (const char *member)
{
  static const struct
  {
    const char *word;
    const char *level;
  } levels[] = {
    { "framework", "framework" },
    { "pttf", "framework" },
    { "hlo", "hlo" },
    { "penguin", "penguin" },
    { "backend", "bir" },
    { "asm", "asm" },
    { "stack_frame_index", "stack_frame_index" },
  };
  const char *at = strstr (member, "debug_info");

  at = at != NULL ? at + strlen ("debug_info") + 1 : member;
  for (guint i = 0; i < G_N_ELEMENTS (levels); i++)
    if (g_str_has_prefix (at, levels[i].word))
      return levels[i].level;
  return "unknown";
}

static const char *
engine_name (gint64 engine)
{
  /* Engine 4 is the DMA engines. */
  static const char *const names[]
      = { NULL, "Tensor", "Scalar", "GpSimd", "DMA", "Vector", "Sync" };

  return engine >= 0 && engine < (gint64) G_N_ELEMENTS (names) ? names[engine] : NULL;
}

static char *
number_list (const guint64 *numbers, gsize n)
{
  g_autoptr (GString) text = g_string_new ("[");

  for (gsize i = 0; i < n; i++)
    g_string_append_printf (text, "%s%" PRIu64, i > 0 ? "," : "", numbers[i]);
  g_string_append_c (text, ']');
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
append_text (GString *json, const char *text)
{
  stria_json_append_text (json, text != NULL ? text : "", -1);
}

/* Which keys stand for file, line and function is unknown: all are kept. */
static char *
attributes (const Neuroncc__DebugInfo__InstructionDebugInfo *instruction)
{
  g_autoptr (GString) json = g_string_new ("{");

  for (gsize i = 0; i < instruction->n_attrs; i++)
    {
      if (i > 0)
        g_string_append_c (json, ',');
      append_text (json, instruction->attrs[i]->key);
      g_string_append_c (json, ':');
      append_text (json, instruction->attrs[i]->value);
    }
  g_string_append_c (json, '}');
  return g_string_free (g_steal_pointer (&json), FALSE);
}

static void
put_list (StriaNeuronRows *rows, guint column, const guint64 *numbers, gsize n)
{
  g_autofree char *text = NULL;

  if (n == 0)
    return;
  text = number_list (numbers, n);
  stria_neuron_rows_text (rows, column, text, -1);
}

static void
put_instruction (StriaNeff *self,
                 const char *member,
                 const char *level,
                 const char *engine,
                 gsize number,
                 const Neuroncc__DebugInfo__InstructionDebugInfo *instruction)
{
  static const char *const types[] = { "UNKNOWN", "REGULAR", "SPILL", "TRANSPOSE" };
  StriaNeuronRows *rows = self->debug;

  stria_neuron_rows_text (rows, 0, level, -1);
  if (engine != NULL)
    stria_neuron_rows_text (rows, 1, engine, -1);
  /* At the lowest level record i belongs to instruction i of the engine's program. */
  stria_neuron_rows_int (rows, 2, (gint64) number);
  stria_neuron_rows_int (rows, 3, (gint64) instruction->id);
  if (instruction->name != NULL)
    stria_neuron_rows_text (rows, 4, instruction->name, -1);
  put_list (rows, 5, instruction->parent_ids, instruction->n_parent_ids);
  if (instruction->has_instruction_type && instruction->instruction_type > 0
      && instruction->instruction_type < G_N_ELEMENTS (types))
    stria_neuron_rows_text (rows, 6, types[instruction->instruction_type], -1);
  if (instruction->stack_frame_id > 0)
    stria_neuron_rows_int (rows, 7, (gint64) instruction->stack_frame_id);
  put_list (rows, 8, instruction->dataflow_predecessors, instruction->n_dataflow_predecessors);
  put_list (rows, 9, instruction->scheduling_predecessors, instruction->n_scheduling_predecessors);
  if (instruction->n_attrs > 0)
    {
      g_autofree char *text = attributes (instruction);

      stria_neuron_rows_text (rows, 10, text, -1);
    }
  stria_neuron_rows_text (rows, 11, member, -1);
  stria_neuron_rows_end (rows);
}

static void
put_id (StriaNeuronRows *rows, guint column, gsize id)
{
  char text[24];

  g_snprintf (text, sizeof text, "%" G_GSIZE_FORMAT, id);
  stria_neuron_rows_text (rows, column, text, -1);
}

/* Ids count from 1 (documented). */
static void
put_stack (StriaNeff *self, const Neuroncc__DebugInfo__DebugInfoStackFrameIndex *index)
{
  for (gsize i = 0; i < index->n_stack_frames; i++)
    {
      put_id (self->frames[0], 0, i + 1);
      stria_neuron_rows_int (self->frames[0], 1, index->stack_frames[i]->file_location_id);
      put_id (self->frames[0], 2, index->stack_frames[i]->parent_frame_id);
      stria_neuron_rows_end (self->frames[0]);
    }
  for (gsize i = 0; i < index->n_file_locations; i++)
    {
      put_id (self->frames[1], 0, i + 1);
      stria_neuron_rows_int (self->frames[1], 1, index->file_locations[i]->file_name_id);
      stria_neuron_rows_int (self->frames[1], 2, index->file_locations[i]->function_name_id);
      stria_neuron_rows_int (self->frames[1], 3, index->file_locations[i]->line);
      stria_neuron_rows_end (self->frames[1]);
    }
  for (guint which = 0; which < 2; which++)
    {
      gsize n = which == 0 ? index->n_file_names : index->n_function_names;
      char **names = which == 0 ? index->file_names : index->function_names;

      for (gsize i = 0; i < n; i++)
        {
          put_id (self->frames[2 + which], 0, i + 1);
          stria_neuron_rows_text (self->frames[2 + which], 1, names[i], -1);
          stria_neuron_rows_end (self->frames[2 + which]);
        }
    }
}

void
stria_neff_read_debug (StriaNeff *self, const char *member, const guint8 *data, gsize length)
{
  g_autoptr (StriaProtoArena) arena = stria_proto_arena_new (ARENA_LIMIT);
  g_autoptr (GError) error = NULL;
  StriaProtoReport report = { 0 };
  const char *level = stria_neff_debug_level (member);
  Neuroncc__DebugInfo__IrDebugInfo *info;

  /* Whether a member is compressed of its own is unknown: its first bytes say it. */
  if (stria_unpack_is_packed (data, length))
    {
      stria_notices_add (
          self->context->notices, STRIA_SEVERITY_WARNING, "neuron-recovered", self->context->name,
          -1, _ ("Recovered format, this file differs: %s is compressed and was passed over"),
          member);
      return;
    }
  info = stria_proto_unpack (self->schema, &neuroncc__debug_info__ir_debug_info__descriptor, arena,
                             data, length, STRIA_PROTO_DEFAULT, &report, &error);
  if (info == NULL)
    {
      stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "neuron-recovered",
                         self->context->name, -1, _ ("Recovered format, this file differs: %s: %s"),
                         member, error->message);
      return;
    }
  if (report.n_mismatched + report.n_broken > 0)
    stria_notices_add (
        self->context->notices, STRIA_SEVERITY_WARNING, "neuron-recovered", self->context->name, -1,
        _ ("Recovered format, this file differs: %s: %" PRIu64 " fields do not fit, the first "
           "at %s"),
        member, report.n_mismatched + report.n_broken, report.first_bad);
  self->n_debug_files++;
  for (gsize i = 0; i < info->n_instructions; i++)
    put_instruction (self, member, level,
                     engine_name (info->has_engine_type ? info->engine_type : 0), i,
                     info->instructions[i]);
  if (info->stack_frame_index != NULL)
    put_stack (self, info->stack_frame_index);
}
