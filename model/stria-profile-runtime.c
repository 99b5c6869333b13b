/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-profile-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

/* What was logged of one instruction or one event of a delegate. */
typedef struct
{
  guint32 entity;
  StriaSeries *call;   /* the runtime's own scope, or the event */
  StriaSeries *kernel; /* the kernel's scope inside it, or NULL */
} Timing;

typedef struct
{
  StriaProfile *profile;
  GHashTable *timings; /* entity -> Timing */
  guint32 n_load_runs;
  guint32 *load_run; /* by run: number among those that are no execution */
  guint64 n_wrapped, n_untold, n_repeated;
} Reader;

static void
timing_free (gpointer data)
{
  Timing *self = data;

  g_clear_pointer (&self->call, stria_series_free);
  g_clear_pointer (&self->kernel, stria_series_free);
  g_free (self);
}

static gint64
call_key (gint32 chain, gint32 instruction)
{
  return (gint64) chain << 32 | (guint32) instruction;
}

/* "instruction/<number>" of the chain that all programs have, "instruction/<chain>/<number>" else
 */
static char *
instruction_id (gint32 chain, gint32 instruction)
{
  return chain == 0 ? g_strdup_printf ("instruction/%d", instruction)
                    : g_strdup_printf ("instruction/%d/%d", chain, instruction);
}

guint32
stria_profile_instruction_entity (StriaProfile *self, gint32 chain, gint32 instruction)
{
  g_autofree char *id = instruction_id (chain, instruction);

  return stria_profile_find_entity (self, id);
}

guint32
stria_profile_call_vgf (StriaProfile *self, gint32 instruction)
{
  const StriaProgramInstructionRow *row = stria_profile_plan_instruction (self, 0, instruction);

  if (row == NULL || row->delegate == STRIA_NO_REF)
    return STRIA_NO_REF;
  return STRIA_ROWS (self->program, StriaProgramDelegateRow,
                     STRIA_TABLE_PROGRAM_DELEGATE)[row->delegate]
      .vgf;
}

/* Where a delegate's work runs, as far as its name says: what a VGF runs on, only counters tell. */
static const char *
placement_of (const char *backend)
{
  if (g_str_equal (backend, "EthosUBackend"))
    return "NPU";
  if (g_str_equal (backend, "XnnpackBackend"))
    return "CPU";
  return "Unknown";
}

/* What the program says of an instruction, unless it contradicts the capture. */
static const StriaProgramInstructionRow *
planned (StriaProfile *self, gint32 chain, gint32 instruction)
{
  return self->companion != STRIA_COMPANION_REFUSED
             ? stria_profile_plan_instruction (self, chain, instruction)
             : NULL;
}

guint32
stria_profile_add_instruction (StriaProfile *self, gint32 chain, gint32 instruction)
{
  g_autofree char *id = instruction_id (chain, instruction);
  guint32 known = stria_profile_find_entity (self, id);

  if (known != STRIA_NO_REF)
    return known;
  const StriaProgramInstructionRow *row = planned (self, chain, instruction);
  const char *delegate = chain == 0 ? stria_profile_recorded_delegate (self, instruction) : NULL;
  g_autofree char *fallback = g_strdup_printf (_ ("Instruction %d"), instruction);
  const char *name = delegate != NULL ? delegate
                     : row != NULL    ? stria_facts_text (self->program, row->label)
                                      : fallback;
  guint32 entity = stria_profile_add_entity (self, STRIA_ENTITY_METHOD_CALL, id, name);
  StriaEntity *added = stria_profile_get_entity (self, entity);

  added->key = call_key (chain, instruction);
  added->executions_of = self->executions->len;
  if (delegate != NULL || (row != NULL && row->type == STRIA_INSTRUCTION_DELEGATE))
    added->placement = placement_of (name);
  else if (row != NULL)
    added->placement = "CPU";
  if (delegate != NULL || (row != NULL && row->type == STRIA_INSTRUCTION_DELEGATE))
    stria_profile_attribute (self, entity, "delegate", name);
  if (row != NULL && row->node != STRIA_NO_REF)
    {
      const StriaGraphNodeRow *node
          = STRIA_ROWS (self->program, StriaGraphNodeRow, STRIA_TABLE_GRAPH_NODE) + row->node;

      if (node->graph != STRIA_NO_REF)
        stria_profile_place (
            self, entity, self->program, node->graph,
            row->node
                - STRIA_ROWS (self->program, StriaGraphRow, STRIA_TABLE_GRAPH)[node->graph]
                      .first_node);
    }
  stria_profile_nest (self, self->model, entity);
  return entity;
}

static Timing *
timing_of (Reader *reader, guint32 entity, guint32 n)
{
  Timing *timing = g_hash_table_lookup (reader->timings, GUINT_TO_POINTER (entity));

  if (timing == NULL)
    {
      timing = g_new0 (Timing, 1);
      timing->entity = entity;
      timing->call = stria_series_new (n);
      g_hash_table_insert (reader->timings, GUINT_TO_POINTER (entity), timing);
    }
  return timing;
}

/* Name that a kernel's scope has: "native_call_add.out" is of "add.out". */
static const char *
kernel_name (const char *name)
{
  return g_str_has_prefix (name, "native_call_") ? name + strlen ("native_call_") : name;
}

/* A kernel's scope inside another one of the same instruction is a part of it. */
static gboolean
is_inner_kernel (const StriaDumpEventRow *events, const StriaDumpEventRow *event)
{
  guint32 parent = event->parent;

  for (guint depth = 0; parent != STRIA_NO_REF && depth < 64; depth++)
    {
      const StriaDumpEventRow *outer = &events[parent];

      if (outer->kind == STRIA_DUMP_KERNEL && outer->chain == event->chain
          && outer->instruction == event->instruction)
        return TRUE;
      parent = outer->parent;
    }
  return FALSE;
}

static void
read_call (Reader *reader, const StriaDumpEventRow *events, const StriaDumpEventRow *event,
           guint32 execution)
{
  StriaProfile *self = reader->profile;
  guint32 entity = stria_profile_add_instruction (self, event->chain, event->instruction);
  StriaEntity *call = stria_profile_get_entity (self, entity);
  Timing *timing = timing_of (reader, entity, self->executions->len);
  const char *name = stria_facts_text (self->dump, event->name);

  if (event->kind != STRIA_DUMP_KERNEL)
    {
      stria_series_add (timing->call, execution, event->elapsed);
      if (stria_entity_attribute (call, "call") == NULL)
        stria_profile_attribute (self, entity, "call", name);
      if (event->kind == STRIA_DUMP_OPERATOR_CALL)
        call->placement = "CPU";
      return;
    }
  if (is_inner_kernel (events, event))
    return;
  if (timing->kernel == NULL)
    timing->kernel = stria_series_new (self->executions->len);
  stria_series_add (timing->kernel, execution, event->elapsed);
  if (stria_entity_attribute (call, "kernel") != NULL)
    return;
  stria_profile_attribute (self, entity, "kernel", name);
  /* Nobody else may know what the instruction is. */
  if (planned (self, event->chain, event->instruction) == NULL
      && stria_entity_attribute (call, "delegate") == NULL)
    {
      g_free (call->name);
      call->name = g_strdup (kernel_name (name));
    }
}

static void
read_delegate_event (Reader *reader, const StriaDumpEventRow *event, guint32 slot, gboolean is_load)
{
  StriaProfile *self = reader->profile;
  g_autofree char *number = g_strdup_printf ("%d", event->delegate_int);
  const char *text = stria_facts_text (self->dump, event->delegate_name);
  const char *name = text[0] != '\0' ? text : number;
  g_autofree char *id = NULL;
  guint32 parent = self->model;

  if (is_load)
    id = g_strdup_printf ("delegate_event/load/%s", name);
  else if (event->chain < 0)
    id = g_strdup_printf ("delegate_event/%s", name);
  else
    {
      parent = stria_profile_add_instruction (self, event->chain, event->instruction);
      id = event->chain == 0 ? g_strdup_printf ("delegate_event/%d/%s", event->instruction, name)
                             : g_strdup_printf ("delegate_event/%d/%d/%s", event->chain,
                                                event->instruction, name);
    }
  guint32 entity = stria_profile_add_entity (self, STRIA_ENTITY_DELEGATE_EVENT, id, name);
  guint32 n = is_load ? reader->n_load_runs : self->executions->len;
  StriaEntity *added = stria_profile_get_entity (self, entity);
  Timing *timing = timing_of (reader, entity, n);

  added->executions_of = n;
  added->key = event->chain < 0 || event->instruction < 0
                   ? -1
                   : call_key (event->chain, event->instruction);
  stria_profile_nest (self, parent, entity);
  if (g_str_equal (name, "VGF_NEURAL_STATISTICS"))
    stria_profile_attribute (
        self, entity, "note",
        _ ("How long collecting the statistics took, not what they are about"));
  stria_series_add (timing->call, slot, event->elapsed);
}

static void
read_framework_event (Reader *reader, const StriaDumpEventRow *event, guint32 slot,
                      gboolean is_load)
{
  StriaProfile *self = reader->profile;
  const char *name = stria_facts_text (self->dump, event->name);
  g_autofree char *id = g_strdup_printf (is_load ? "framework/load/%s" : "framework/%s", name);
  guint32 entity = stria_profile_add_entity (self, STRIA_ENTITY_FRAMEWORK, id, name);
  guint32 n = is_load ? reader->n_load_runs : self->executions->len;
  Timing *timing = timing_of (reader, entity, n);

  stria_profile_get_entity (self, entity)->executions_of = n;
  stria_profile_get_entity (self, entity)->placement = "CPU";
  stria_profile_nest (self, self->model, entity);
  stria_series_add (timing->call, slot, event->elapsed);
}

static void
read_events (Reader *reader)
{
  StriaProfile *self = reader->profile;
  const StriaDumpEventRow *events
      = STRIA_ROWS (self->dump, StriaDumpEventRow, STRIA_TABLE_DUMP_EVENT);

  for (gsize i = 0; i < stria_facts_size (self->dump, STRIA_TABLE_DUMP_EVENT); i++)
    {
      const StriaDumpEventRow *event = &events[i];
      guint32 execution = g_array_index (self->execution_of, guint32, i);
      guint32 load = event->run != STRIA_NO_REF ? reader->load_run[event->run] : STRIA_NO_REF;
      gboolean is_load = load != STRIA_NO_REF;

      if (execution == STRIA_NO_REF && !is_load)
        continue;
      if (event->elapsed == G_MAXUINT64)
        {
          reader->n_untold++;
          continue;
        }
      reader->n_wrapped += event->wrapped;
      if (event->kind == STRIA_DUMP_DELEGATE)
        read_delegate_event (reader, event, is_load ? load : execution, is_load);
      else if (event->kind == STRIA_DUMP_FRAMEWORK || event->chain < 0 || event->instruction < 0)
        read_framework_event (reader, event, is_load ? load : execution, is_load);
      else if (!is_load)
        read_call (reader, events, event, execution);
    }
}

/* Blocks of events that are no execution of any method: loading. */
static void
find_load_runs (Reader *reader)
{
  StriaProfile *self = reader->profile;
  gsize n = stria_facts_size (self->dump, STRIA_TABLE_DUMP_RUN);
  const StriaDumpRunRow *runs = STRIA_ROWS (self->dump, StriaDumpRunRow, STRIA_TABLE_DUMP_RUN);
  const StriaDumpEventRow *events
      = STRIA_ROWS (self->dump, StriaDumpEventRow, STRIA_TABLE_DUMP_EVENT);

  reader->load_run = g_new (guint32, n + 1);
  for (gsize r = 0; r < n; r++)
    {
      gboolean is_load = TRUE;

      for (guint32 i = runs[r].first_event; is_load && i < runs[r].first_event + runs[r].n_events;
           i++)
        is_load
            = g_array_index (self->execution_of, guint32, i) == STRIA_NO_REF
              && (events[i].chain < 0 || events[i].kind == STRIA_DUMP_FRAMEWORK)
              && !g_str_equal (stria_facts_text (self->dump, events[i].name), "Method::execute");
      reader->load_run[r] = is_load ? reader->n_load_runs++ : STRIA_NO_REF;
    }
}

/* [PROPOSAL] the kernel's own scope where it was logged in each execution, else the call around it;
 * they overlap and are never added. */
static void
tell_timing (StriaProfile *self, Timing *timing)
{
  StriaEntity *entity = stria_profile_get_entity (self, timing->entity);
  gboolean by_kernel
      = timing->kernel != NULL
        && stria_series_coverage (timing->kernel) >= stria_series_coverage (timing->call);
  StriaSeries **shown = by_kernel ? &timing->kernel : &timing->call;

  entity->executions = stria_series_coverage (*shown);
  stria_profile_add_series (self, timing->entity, "runtime", self->unit, *shown, TRUE);
  if (entity->kind == STRIA_ENTITY_METHOD_CALL)
    stria_profile_attribute (self, timing->entity, "measured",
                             stria_entity_attribute (entity, by_kernel ? "kernel" : "call"));
  if (by_kernel && stria_series_coverage (timing->call) > 0)
    stria_profile_add_series (self, timing->entity, "call_runtime", self->unit, timing->call, TRUE);
  g_hash_table_insert (self->series, GUINT_TO_POINTER (timing->entity), g_steal_pointer (shown));
}

static void
tell_model (StriaProfile *self)
{
  guint32 execute = stria_profile_find_entity (self, "framework/Method::execute");
  StriaSeries *series = g_hash_table_lookup (self->series, GUINT_TO_POINTER (execute));
  StriaEntity *model = stria_profile_get_entity (self, self->model);

  model->executions_of = self->executions->len;
  if (series == NULL)
    return;
  model->executions = stria_series_coverage (series);
  stria_profile_add_series (self, self->model, "runtime", self->unit, series, TRUE);
}

static void
warn_of_events (Reader *reader)
{
  if (reader->n_untold > 0)
    stria_profile_warn (reader->profile, "elapsed-unknown",
                        _ ("%" PRIu64 " events end before they start and were left out."),
                        reader->n_untold);
  if (reader->n_wrapped > 0)
    stria_profile_warn (reader->profile, "time-wrapped",
                        _ ("The clock wrapped around in %" PRIu64
                           " events; their durations follow from 32-bit ticks."),
                        reader->n_wrapped);
  if (reader->n_repeated > 0)
    stria_profile_warn (reader->profile, "repeated-samples",
                        _ ("%" PRIu64
                           " events were logged again in the same execution and added to the "
                           "earlier ones."),
                        reader->n_repeated);
}

/* Instructions of the plan that nothing was logged of are entities too. */
static void
add_planned (StriaProfile *self)
{
  if (self->plan == STRIA_NO_REF || self->companion == STRIA_COMPANION_REFUSED)
    return;
  const StriaProgramPlanRow *plan
      = STRIA_ROWS (self->program, StriaProgramPlanRow, STRIA_TABLE_PROGRAM_PLAN) + self->plan;
  const StriaProgramInstructionRow *rows
      = STRIA_ROWS (self->program, StriaProgramInstructionRow, STRIA_TABLE_PROGRAM_INSTRUCTION);

  for (guint32 i = 0; i < plan->n_instructions; i++)
    stria_profile_add_instruction (self, (gint32) rows[plan->first_instruction + i].chain,
                                   (gint32) rows[plan->first_instruction + i].number);
}

/**
 * stria_profile_read_runtime:
 *
 * [DOC seed; CODE: ET devtools/inspector/_inspector.py] what each instruction, each event of a
 * delegate and the framework took, in milliseconds or in cycles.
 */
void
stria_profile_read_runtime (StriaProfile *self)
{
  Reader reader = { self, NULL, 0, NULL, 0, 0, 0 };

  add_planned (self);
  if (self->dump == NULL)
    return;
  reader.timings = g_hash_table_new_full (NULL, NULL, NULL, timing_free);
  find_load_runs (&reader);
  read_events (&reader);

  for (guint32 i = 0; i < self->entities->len; i++)
    {
      Timing *timing = g_hash_table_lookup (reader.timings, GUINT_TO_POINTER (i));

      if (timing == NULL)
        continue;
      /* A program may be loaded several times. */
      if (!g_str_has_prefix (stria_profile_get_entity (self, i)->id, "delegate_event/load/")
          && stria_profile_get_entity (self, i)->kind != STRIA_ENTITY_FRAMEWORK)
        reader.n_repeated += stria_series_repeats (timing->call);
      tell_timing (self, timing);
    }
  tell_model (self);
  warn_of_events (&reader);
  g_hash_table_unref (reader.timings);
  g_free (reader.load_run);
}
