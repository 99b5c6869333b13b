/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-profile-private.h"

#include <glib/gi18n-lib.h>

/* What one block of events says about itself. */
typedef struct
{
  guint32 n_executes;   /* Method::execute */
  gboolean has_calls;   /* events inside instructions */
  gboolean contradicts; /* calls that the method does not have */
} RunLook;

static gboolean
is_inside_call (const StriaDumpEventRow *event)
{
  return event->chain >= 0 && event->instruction >= 0 && event->kind != STRIA_DUMP_FRAMEWORK;
}

static gboolean
is_execute (StriaProfile *self, const StriaDumpEventRow *event)
{
  return event->kind == STRIA_DUMP_FRAMEWORK
         && g_str_equal (stria_facts_text (self->dump, event->name), "Method::execute");
}

/* Instructions of the method in chain 0, by what the record or else the program says. */
typedef struct
{
  gint64 last;              /* the highest number; -1: neither says anything */
  gboolean knows_delegates; /* whether it is said which ones are delegate calls */
  GHashTable *delegated;    /* gint64: numbers of delegate calls */
} MethodCalls;

static void
add_number (GHashTable *numbers, gint64 number)
{
  g_hash_table_add (numbers, g_memdup2 (&number, sizeof number));
}

static void
calls_of_record (StriaProfile *self, MethodCalls *calls)
{
  const StriaRecordMethodRow *method
      = STRIA_ROWS (self->record, StriaRecordMethodRow, STRIA_TABLE_RECORD_METHOD)
        + self->record_method;
  const StriaRecordHandleRow *handles
      = STRIA_ROWS (self->record, StriaRecordHandleRow, STRIA_TABLE_RECORD_HANDLE);
  const StriaRecordDelegateRow *delegates
      = STRIA_ROWS (self->record, StriaRecordDelegateRow, STRIA_TABLE_RECORD_DELEGATE);

  calls->knows_delegates = method->in_delegate_map;
  for (gsize i = 0; i < stria_facts_size (self->record, STRIA_TABLE_RECORD_DELEGATE); i++)
    if (delegates[i].method == self->record_method)
      add_number (calls->delegated, delegates[i].instruction);
  for (gsize i = 0; i < stria_facts_size (self->record, STRIA_TABLE_RECORD_HANDLE); i++)
    if (handles[i].method == self->record_method)
      calls->last = MAX (calls->last, handles[i].instruction);
}

static void
calls_of_program (StriaProfile *self, MethodCalls *calls)
{
  const StriaProgramPlanRow *plan
      = STRIA_ROWS (self->program, StriaProgramPlanRow, STRIA_TABLE_PROGRAM_PLAN) + self->plan;
  const StriaProgramInstructionRow *rows
      = STRIA_ROWS (self->program, StriaProgramInstructionRow, STRIA_TABLE_PROGRAM_INSTRUCTION);

  calls->knows_delegates = TRUE;
  for (guint32 i = 0; i < plan->n_instructions; i++)
    {
      const StriaProgramInstructionRow *row = rows + plan->first_instruction + i;

      if (row->chain != 0)
        continue;
      calls->last = MAX (calls->last, (gint64) row->number);
      if (row->type == STRIA_INSTRUCTION_DELEGATE)
        add_number (calls->delegated, row->number);
    }
}

static void
calls_of_method (StriaProfile *self, MethodCalls *calls)
{
  *calls = (MethodCalls){ .last = -1 };
  calls->delegated = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  if (self->record_method != STRIA_NO_REF)
    calls_of_record (self, calls);
  /* A record without maps does not say what the method calls. */
  if (calls->last < 0 && self->plan != STRIA_NO_REF)
    calls_of_program (self, calls);
}

/* Not every operator has a handle, so a number that is not in the map may be right. */
static gboolean
contradicts (const StriaDumpEventRow *event, const MethodCalls *calls)
{
  gboolean is_delegate = event->kind == STRIA_DUMP_DELEGATE_CALL;
  gint64 number = event->instruction;

  if (event->chain != 0 || (!is_delegate && event->kind != STRIA_DUMP_OPERATOR_CALL)
      || calls->last < 0)
    return FALSE;
  return number > calls->last
         || (calls->knows_delegates
             && is_delegate != g_hash_table_contains (calls->delegated, &number));
}

static RunLook
look_at_run (StriaProfile *self, const StriaDumpRunRow *run, const MethodCalls *calls)
{
  const StriaDumpEventRow *events
      = STRIA_ROWS (self->dump, StriaDumpEventRow, STRIA_TABLE_DUMP_EVENT);
  RunLook look = { 0 };

  for (guint32 i = run->first_event; i < run->first_event + run->n_events; i++)
    {
      if (is_execute (self, &events[i]))
        look.n_executes++;
      if (!is_inside_call (&events[i]))
        continue;
      look.has_calls = TRUE;
      look.contradicts = look.contradicts || contradicts (&events[i], calls);
    }
  return look;
}

/* An execution of a block that has several, by its start. */
typedef struct
{
  guint64 start, end; /* ticks */
  guint32 number;
} Span;

static gint
compare_spans (gconstpointer a, gconstpointer b)
{
  const Span *x = a;
  const Span *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* The execution that @tick is in: the last one that has started, if it has not ended. */
static guint32
find_span (const GArray *spans, guint64 tick)
{
  guint low = 0;
  guint high = spans->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (spans, Span, middle).start <= tick)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0 || g_array_index (spans, Span, low - 1).end < tick)
    return STRIA_NO_REF;
  return g_array_index (spans, Span, low - 1).number;
}

/* A block with several Method::execute holds several executions, told apart by time.
 * [UNKNOWN] how others read such a block; [PROPOSAL] an event belongs to the execution that it
 * starts in. Returns how many events belong to none. */
static guint
split_run (StriaProfile *self, guint32 number, const StriaDumpRunRow *run)
{
  const StriaDumpEventRow *events
      = STRIA_ROWS (self->dump, StriaDumpEventRow, STRIA_TABLE_DUMP_EVENT);
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (Span));
  guint n_left = 0;

  for (guint32 i = run->first_event; i < run->first_event + run->n_events; i++)
    if (is_execute (self, &events[i]))
      {
        StriaExecution execution = { number, i };
        Span span = { events[i].start, events[i].end, self->executions->len };

        g_array_append_val (spans, span);
        g_array_index (self->execution_of, guint32, i) = self->executions->len;
        g_array_append_val (self->executions, execution);
      }
  g_array_sort (spans, compare_spans);
  for (guint32 i = run->first_event; i < run->first_event + run->n_events; i++)
    {
      if (is_execute (self, &events[i]))
        continue;
      guint32 of = find_span (spans, events[i].start);
      g_array_index (self->execution_of, guint32, i) = of;
      n_left += of == STRIA_NO_REF && is_inside_call (&events[i]);
    }
  return n_left;
}

static void
take_run (StriaProfile *self, guint32 number, const StriaDumpRunRow *run)
{
  const StriaDumpEventRow *events
      = STRIA_ROWS (self->dump, StriaDumpEventRow, STRIA_TABLE_DUMP_EVENT);
  StriaExecution execution = { .run = number, .event = STRIA_NO_REF };

  for (guint32 i = run->first_event; i < run->first_event + run->n_events; i++)
    {
      if (is_execute (self, &events[i]))
        execution.event = i;
      g_array_index (self->execution_of, guint32, i) = self->executions->len;
    }
  g_array_append_val (self->executions, execution);
}

/**
 * stria_profile_find_executions:
 *
 * [CODE: ET runtime/executor/method.cpp] each call of Method::execute makes a block of events, and
 * loading makes others. A dump does not say which method ran: where there are several, the blocks
 * whose calls the method does not have are left out.
 */
void
stria_profile_find_executions (StriaProfile *self)
{
  guint32 unassigned = STRIA_NO_REF;
  guint n_others = 0, n_split = 0, n_left = 0, n_contradicting = 0;

  if (self->dump == NULL)
    return;
  gsize n_methods
      = self->record != NULL    ? stria_facts_size (self->record, STRIA_TABLE_RECORD_METHOD)
        : self->program != NULL ? stria_facts_size (self->program, STRIA_TABLE_PROGRAM_PLAN)
                                : 0;
  MethodCalls calls;
  const StriaDumpRunRow *runs = STRIA_ROWS (self->dump, StriaDumpRunRow, STRIA_TABLE_DUMP_RUN);

  calls_of_method (self, &calls);
  for (gsize i = 0; i < stria_facts_size (self->dump, STRIA_TABLE_DUMP_EVENT); i++)
    g_array_append_val (self->execution_of, unassigned);
  for (gsize r = 0; r < stria_facts_size (self->dump, STRIA_TABLE_DUMP_RUN); r++)
    {
      RunLook look = look_at_run (self, &runs[r], &calls);

      if (look.n_executes == 0 && !look.has_calls)
        continue;
      if (look.contradicts && n_methods > 1)
        {
          n_others++;
          continue;
        }
      n_contradicting += look.contradicts;
      if (look.n_executes > 1)
        {
          n_left += split_run (self, (guint32) r, &runs[r]);
          n_split++;
        }
      else
        take_run (self, (guint32) r, &runs[r]);
    }

  g_hash_table_unref (calls.delegated);
  stria_profile_state (self, "executions", "%u", self->executions->len);
  if (n_methods > 1 && self->executions->len > 0)
    stria_profile_assume (self, "method-of-runs",
                          _ ("The ETDump does not name methods; its executions are taken as those "
                             "of “%s”."),
                          self->method);
  if (n_others > 0)
    stria_profile_warn (self, "runs-of-other-methods",
                        g_dngettext (GETTEXT_PACKAGE,
                                     "%u recorded run calls what “%s” does not have, and was left "
                                     "out.",
                                     "%u recorded runs call what “%s” does not have, and were left "
                                     "out.",
                                     n_others),
                        n_others, self->method);
  if (n_contradicting > 0)
    stria_profile_warn (
        self, "dump-record-mismatch",
        g_dngettext (GETTEXT_PACKAGE,
                     "%u recorded run has instructions that “%s” does not have; the "
                     "ETDump may be of another program.",
                     "%u recorded runs have instructions that “%s” does not have; "
                     "the ETDump may be of another program.",
                     n_contradicting),
        n_contradicting, self->method);
  if (n_split > 0)
    stria_profile_warn (self, "executions-in-one-run",
                        g_dngettext (GETTEXT_PACKAGE,
                                     "%u recorded run holds several executions; they were told "
                                     "apart by time.",
                                     "%u recorded runs hold several executions; they were told "
                                     "apart by time.",
                                     n_split),
                        n_split);
  if (n_left > 0)
    stria_profile_warn (
        self, "events-outside-executions",
        g_dngettext (GETTEXT_PACKAGE, "%u event lies outside of every execution and was left out.",
                     "%u events lie outside of every execution and were left out.", n_left),
        n_left);
  if (self->executions->len == 0)
    stria_profile_warn (self, "no-execution", _ ("No execution is recorded in the ETDump."));
}
