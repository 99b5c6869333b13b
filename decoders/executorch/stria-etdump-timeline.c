/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-etdump-private.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-json-text.h"
#define BATCH 1024
/* Bounds of a slice, so that what is added to one stays an int64. */
#define MAX_TIME_NS ((gint64) ((G_GUINT64_CONSTANT (1) << 62) - 1))

struct _StriaEtdumpTimeline
{
  StriaSink  *sink;
  StriaFacts *facts;
  GArray     *names;       /* guint32: by string id of the facts, that of the sink, or 0 */
  GHashTable *run_numbers; /* name of a run -> how many had it */
  GHashTable *run_totals;  /* name of a run -> how many have it */
  GArray     *batch;       /* StriaEvent */
  GString    *args;
  guint32     categories[STRIA_DUMP_DELEGATE + 1];
  guint32     process;
};

static const char *const kind_names[] = {
  [STRIA_DUMP_FRAMEWORK] = "framework",
  [STRIA_DUMP_KERNEL] = "kernel",
  [STRIA_DUMP_OPERATOR_CALL] = "operator_call",
  [STRIA_DUMP_DELEGATE_CALL] = "delegate_call",
  [STRIA_DUMP_CONTROL] = "control",
  [STRIA_DUMP_DELEGATE] = "delegate",
};

static guint32
name_of (StriaEtdumpTimeline *self, guint32 string)
{
  guint32 *name;

  if (G_UNLIKELY (string >= self->names->len))
    g_array_set_size (self->names, MAX (string + 1, 2 * self->names->len));
  name = &g_array_index (self->names, guint32, string);
  if (G_UNLIKELY (*name == 0))
    {
      const char *text = stria_facts_text (self->facts, string);

      *name = self->sink->intern (self->sink, text, strlen (text));
    }
  return *name;
}

/* As "%d", which takes a fifth of the time that a dump takes. */
static void
append_int (GString *json, gint32 value)
{
  char digits[12];
  guint at = sizeof digits;
  guint32 rest = value < 0 ? -(guint32) value : (guint32) value;

  do
    digits[--at] = (char) ('0' + rest % 10);
  while ((rest /= 10) > 0);
  if (value < 0)
    digits[--at] = '-';
  g_string_append_len (json, digits + at, sizeof digits - at);
}

static void
append_key (GString *json, const char *key)
{
  g_string_append_len (json, key, (gssize) strlen (key));
}

static guint64
add_args (StriaEtdumpTimeline *self, const StriaDumpEventRow *row, guint32 seq)
{
  GString *json = self->args;

  g_string_truncate (json, 0);
  append_key (json, "{\"chain_index\": ");
  append_int (json, row->chain);
  append_key (json, ", \"instruction_id\": ");
  append_int (json, row->instruction);
  if (row->delegate_int != -1)
    {
      append_key (json, ", \"delegate_debug_id\": ");
      append_int (json, row->delegate_int);
    }
  if (row->delegate_name != 0)
    {
      append_key (json, ", \"delegate_debug_id\": ");
      stria_json_append_text (json, stria_facts_text (self->facts, row->delegate_name), -1);
    }
  if (row->kind == STRIA_DUMP_DELEGATE && row->name != 0)
    {
      append_key (json, ", \"name\": ");
      stria_json_append_text (json, stria_facts_text (self->facts, row->name), -1);
    }
  if (row->metadata_bytes > 0)
    g_string_append_printf (json, ", \"delegate_debug_metadata_bytes\": %u", row->metadata_bytes);
  if (row->wrapped || row->elapsed == G_MAXUINT64)
    g_string_append_printf (json, ", \"start_ticks\": %" PRIu64 ", \"end_ticks\": %" PRIu64,
                            row->start, row->end);
  g_string_append_c (json, '}');
  return self->sink->args (self->sink, seq, json->str, json->len);
}

/* Inspector names what a delegate logged after its id. [CODE] */
static guint32
slice_name (StriaEtdumpTimeline *self, const StriaDumpEventRow *row)
{
  char number[16];

  if (row->kind != STRIA_DUMP_DELEGATE)
    return name_of (self, row->name);
  if (row->delegate_name != 0)
    return name_of (self, row->delegate_name);
  return self->sink->intern (self->sink, number,
                             (gsize) g_snprintf (number, sizeof number, "%d", row->delegate_int));
}

static void
flush (StriaEtdumpTimeline *self)
{
  if (self->batch->len > 0)
    self->sink->events (self->sink, (const StriaEvent *) self->batch->data, self->batch->len);
  g_array_set_size (self->batch, 0);
}

static void
draw_event (StriaEtdumpTimeline *self, const StriaDumpEventRow *row, guint32 thread, guint32 seq)
{
  StriaEvent event = {
    .kind = STRIA_EVENT_SLICE,
    .ts_ns = (gint64) MIN (row->start, (guint64) MAX_TIME_NS),
    .thread = thread,
    .name = slice_name (self, row),
    .category = self->categories[row->kind],
    .seq = seq,
  };

  if (row->elapsed == G_MAXUINT64)
    event.flags = STRIA_EVENT_NEGATIVE_DUR;
  else
    event.dur_ns = (gint64) MIN (row->elapsed, (guint64) (MAX_TIME_NS - event.ts_ns));
  if (row->start > (guint64) MAX_TIME_NS
      || (row->elapsed != G_MAXUINT64 && row->elapsed != (guint64) event.dur_ns))
    event.flags |= STRIA_EVENT_CLAMPED;
  event.args = add_args (self, row, seq);
  g_array_append_val (self->batch, event);
  if (self->batch->len == BATCH)
    flush (self);
}

/* "Execute", or "Execute 2" where several runs have the name. */
static char *
run_title (StriaEtdumpTimeline *self, guint32 run, guint32 string)
{
  gpointer key = GUINT_TO_POINTER (string);
  guint total = GPOINTER_TO_UINT (g_hash_table_lookup (self->run_totals, key));
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->run_numbers, key)) + 1;

  g_hash_table_insert (self->run_numbers, key, GUINT_TO_POINTER (number));
  if (string == 0)
    return g_strdup_printf (_("Run %u"), run + 1);
  if (total > 1)
    return g_strdup_printf ("%s %u", stria_facts_text (self->facts, string), number);
  return g_strdup (stria_facts_text (self->facts, string));
}

static guint32
add_thread (StriaEtdumpTimeline *self, guint32 run, const char *title)
{
  g_autofree char *id = g_strdup_printf ("%u", run);
  guint32 thread = self->sink->thread (self->sink, self->process, id, strlen (id));

  self->sink->set_name (self->sink, STRIA_FIELD_THREAD_NAME, self->process, thread,
                        self->sink->intern (self->sink, title, strlen (title)));
  self->sink->set_sort (self->sink, STRIA_FIELD_THREAD_SORT, self->process, thread, run);
  return thread;
}

/**
 * stria_etdump_timeline_new:
 * @file: base name of the dump, which names its process
 *
 * Returns: (transfer full): a timeline without a run
 */
StriaEtdumpTimeline *
stria_etdump_timeline_new (StriaSink *sink, StriaFacts *facts, const char *file)
{
  StriaEtdumpTimeline *self = g_new0 (StriaEtdumpTimeline, 1);

  self->sink = sink;
  self->facts = facts;
  self->names = g_array_new (FALSE, TRUE, sizeof (guint32));
  self->run_numbers = g_hash_table_new (NULL, NULL);
  self->run_totals = g_hash_table_new (NULL, NULL);
  self->batch = g_array_new (FALSE, FALSE, sizeof (StriaEvent));
  self->args = g_string_new (NULL);
  self->process = sink->process (sink, "etdump", 6);
  sink->set_name (sink, STRIA_FIELD_PROCESS_NAME, self->process, STRIA_NO_THREAD,
                  sink->intern (sink, file, strlen (file)));
  for (guint k = 0; k < G_N_ELEMENTS (self->categories); k++)
    self->categories[k] = sink->intern (sink, kind_names[k], strlen (kind_names[k]));
  return self;
}

void
stria_etdump_timeline_free (StriaEtdumpTimeline *self)
{
  g_array_unref (self->names);
  g_hash_table_unref (self->run_numbers);
  g_hash_table_unref (self->run_totals);
  g_array_unref (self->batch);
  g_string_free (self->args, TRUE);
  g_free (self);
}

void
stria_etdump_timeline_expect (StriaEtdumpTimeline *self, guint32 name)
{
  gpointer key = GUINT_TO_POINTER (name);
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->run_totals, key)) + 1;

  g_hash_table_insert (self->run_totals, key, GUINT_TO_POINTER (n));
}

void
stria_etdump_timeline_run (StriaEtdumpTimeline *self, guint32 run, guint32 name,
                           const StriaDumpEventRow *rows, guint32 n, const guint32 *places,
                           guint64 first_seq)
{
  g_autofree char *title = run_title (self, run, name);
  guint32 thread;

  if (n == 0)
    return;
  thread = add_thread (self, run, title);
  for (guint32 i = 0; i < n; i++)
    {
      guint32 place = places != NULL ? places[i] : i;

      draw_event (self, &rows[i], thread, (guint32) (first_seq + rows[place].order));
    }
  flush (self);
}
