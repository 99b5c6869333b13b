/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-etdump-private.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-error.h"
#include "stria-nx.h"
#include "stria-whole.h"

/* A dump's version that this was written for. [CODE: ET-1.5] */
#define KNOWN_VERSION 0
/* Behind the length that the prefix says; more than alignment needs is told of. */
#define PADDING 64
typedef struct
{
  StriaSink           *sink;
  StriaFacts          *facts;
  StriaDecodeContext  *context;
  StriaEtdumpTimeline *timeline;
  StriaNx             *nx;
  StriaFlat            flat;
  GByteArray          *kinds; /* by string id of the facts, StriaDumpEventKind + 1 of such a name */
  guint64              n_events; /* of all kinds, in the runs before */
  gboolean             is_full;
} Dump;

/* Tells what is wrong with an element and goes on behind it. Returns: whether that is possible. */
static gboolean
leave_out (Dump *self, const char *code)
{
  g_autoptr (GError) error = NULL;

  if (stria_flat_forgive (&self->flat, &error))
    return TRUE;
  stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, code, self->context->name,
                     (gint64) stria_flat_fault_offset (&self->flat), "%s", error->message);
  return !stria_flat_failed (&self->flat);
}

/* -- names ----------------------------------------------------------------------------------- */

/* [CODE: executorch runtime/executor/method.cpp, program.cpp] Whatever else has a name is logged by
 * a kernel, by its own scope. */
static guint8
classify (const char *text)
{
  static const struct
  {
    const char *text;
    guint8      kind;
  } known[] = {
    { "OPERATOR_CALL", STRIA_DUMP_OPERATOR_CALL },
    { "DELEGATE_CALL", STRIA_DUMP_DELEGATE_CALL },
    { "JF_CALL", STRIA_DUMP_CONTROL },
    { "MOVE_CALL", STRIA_DUMP_CONTROL },
    { "FREE_CALL", STRIA_DUMP_CONTROL },
    { "Program::load_method", STRIA_DUMP_FRAMEWORK },
    { "Method::init", STRIA_DUMP_FRAMEWORK },
    { "Method::execute", STRIA_DUMP_FRAMEWORK },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_equal (known[i].text, text))
      return known[i].kind;
  return STRIA_DUMP_KERNEL;
}

static guint8
kind_of_name (Dump *self, guint32 string)
{
  guint before = self->kinds->len;

  if (G_UNLIKELY (string >= before))
    {
      g_byte_array_set_size (self->kinds, MAX (string + 1, 2 * before));
      memset (self->kinds->data + before, 0, self->kinds->len - before);
    }
  if (G_UNLIKELY (self->kinds->data[string] == 0))
    self->kinds->data[string] = classify (stria_facts_text (self->facts, string)) + 1;
  return self->kinds->data[string] - 1;
}

static guint32
intern (Dump *self, StriaFlatTable table, guint field)
{
  gsize length;
  const char *text = stria_flat_string (table, field, &length);

  return text != NULL && length > 0 ? stria_facts_intern (self->facts, text, (gssize) length) : 0;
}

/* Events outside of an instruction have the chain -1; their instruction, 0, is that of a real one.
 * [CODE] */
static guint8
kind_of (Dump *self, const StriaDumpEventRow *row)
{
  if (row->delegate_name != 0 || row->delegate_int != -1)
    return STRIA_DUMP_DELEGATE;
  if (row->chain < 0)
    return STRIA_DUMP_FRAMEWORK;
  return kind_of_name (self, row->name);
}

/* -- events ---------------------------------------------------------------------------------- */

static void
read_profile (Dump *self, StriaFlatTable event, guint32 run, guint32 order)
{
  StriaDumpEventRow row = {
    .run = run,
    .order = order,
    .chain = stria_flat_i32 (event, PROFILE_EVENT_CHAIN_INDEX, 0),
    .instruction = stria_flat_i32 (event, PROFILE_EVENT_INSTRUCTION_ID, -1),
    .delegate_int = stria_flat_i32 (event, PROFILE_EVENT_DELEGATE_DEBUG_ID_INT, -1),
    .delegate_name = intern (self, event, PROFILE_EVENT_DELEGATE_DEBUG_ID_STR),
    .name = intern (self, event, PROFILE_EVENT_NAME),
    .start = stria_flat_u64 (event, PROFILE_EVENT_START_TIME, 0),
    .end = stria_flat_u64 (event, PROFILE_EVENT_END_TIME, 0),
    .parent = STRIA_NO_REF,
  };
  StriaFlatVector metadata = stria_flat_vector (event, PROFILE_EVENT_DELEGATE_DEBUG_METADATA, 1);

  if (G_UNLIKELY (stria_flat_failed (&self->flat)))
    return;
  row.kind = kind_of (self, &row);
  row.metadata_bytes = metadata.n;
  row.elapsed = stria_etdump_elapsed (row.start, row.end, &row.wrapped);
  if (G_UNLIKELY (row.wrapped))
    stria_notices_add (self->context->notices, STRIA_SEVERITY_INFO, "etdump-wrapped",
                       self->context->name, (gint64) stria_flat_offset (event),
                       _("An event ends at tick %" PRIu64 ", before its start at %" PRIu64
                         ": taken as a clock of 32 bits that went over its end"),
                       row.end, row.start);
  else if (G_UNLIKELY (row.end < row.start))
    stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "etdump-backwards",
                       self->context->name, (gint64) stria_flat_offset (event),
                       _("An event ends at tick %" PRIu64 ", before its start at %" PRIu64
                         ", and the clock has more than 32 bits: it has no duration"),
                       row.end, row.start);
  guint32 number = stria_facts_add (self->facts, STRIA_TABLE_DUMP_EVENT, &row);
  if (G_UNLIKELY (row.delegate_name != 0 && metadata.n > 0)
      && g_str_equal (stria_facts_text (self->facts, row.delegate_name), STRIA_NX_DELEGATE_ID))
    {
      StriaNxPayloadRow payload
          = { .event = number, .run = run, .chain = row.chain, .instruction = row.instruction };
      stria_nx_read (self->nx, stria_flat_bytes (metadata), metadata.n,
                     self->flat.base + metadata.at, &payload);
    }
}

static void
read_allocation (Dump *self, StriaFlatTable event, guint32 run, guint32 order)
{
  StriaDumpAllocationRow row = {
    .run = run,
    .order = order,
    .allocator = stria_flat_i32 (event, ALLOCATION_EVENT_ALLOCATOR_ID, 0),
    .size = stria_flat_u64 (event, ALLOCATION_EVENT_ALLOCATION_SIZE, 0),
  };

  if (!stria_flat_failed (&self->flat))
    stria_facts_add (self->facts, STRIA_TABLE_DUMP_ALLOCATION, &row);
}

static void
read_debug (Dump *self, StriaFlatTable event, guint32 run, guint32 order)
{
  StriaDumpDebugRow row = {
    .run = run,
    .order = order,
    .chain = (gint64) stria_flat_u64 (event, DEBUG_EVENT_CHAIN_INDEX, 0),
    .instruction = stria_flat_i32 (event, DEBUG_EVENT_INSTRUCTION_ID, -1),
    .delegate_int = stria_flat_i32 (event, DEBUG_EVENT_DELEGATE_DEBUG_ID_INT, -1),
    .delegate_name = intern (self, event, DEBUG_EVENT_DELEGATE_DEBUG_ID_STR),
    .name = intern (self, event, DEBUG_EVENT_NAME),
  };

  stria_etdump_read_value (self->facts, stria_flat_table (event, DEBUG_EVENT_DEBUG_ENTRY), &row);
  if (!stria_flat_failed (&self->flat))
    stria_facts_add (self->facts, STRIA_TABLE_DUMP_DEBUG, &row);
}

static void
read_event (Dump *self, StriaFlatTable event, guint32 run, guint32 order)
{
  StriaFlatTable profile = stria_flat_table (event, EVENT_PROFILE_EVENT);
  StriaFlatTable allocation = stria_flat_table (event, EVENT_ALLOCATION_EVENT);
  StriaFlatTable debug = stria_flat_table (event, EVENT_DEBUG_EVENT);

  int n = stria_flat_is (profile) + stria_flat_is (allocation) + stria_flat_is (debug);

  if (stria_flat_is (profile))
    read_profile (self, profile, run, order);
  if (stria_flat_is (allocation))
    read_allocation (self, allocation, run, order);
  if (stria_flat_is (debug))
    read_debug (self, debug, run, order);
  if (G_UNLIKELY (n != 1) && !stria_flat_failed (&self->flat))
    stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "etdump-event",
                       self->context->name, (gint64) stria_flat_offset (event),
                       _("expected an event to be one of profile, allocation and debug event, "
                         "found %d of them"),
                       n);
}

/* -- runs ------------------------------------------------------------------------------------ */

static gboolean
go_on (Dump *self, guint64 n_events, GError **error)
{
  if (self->context->progress != NULL)
    self->context->progress (self->flat.base + self->flat.length, n_events,
                             self->context->user_data);
  return !g_cancellable_set_error_if_cancelled (self->context->cancellable, error);
}

static gboolean
read_events (Dump *self, StriaFlatVector events, guint32 run, GError **error)
{
  for (guint32 i = 0; i < events.n && !self->is_full; i++)
    {
      if (i % 8192 == 0 && !go_on (self, self->n_events + i, error))
        return FALSE;
      if (self->n_events + i >= STRIA_ETDUMP_MAX_EVENTS)
        {
          stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "etdump-limit",
                             self->context->name, (gint64) (self->flat.base + events.at),
                             _("More than %d events; the rest was left out"),
                             STRIA_ETDUMP_MAX_EVENTS);
          self->is_full = TRUE;
          break;
        }
      read_event (self, stria_flat_at_table (events, i), run, i);
      if (G_UNLIKELY (stria_flat_failed (&self->flat)) && !leave_out (self, "etdump-damaged"))
        self->is_full = TRUE;
    }
  return TRUE;
}

static gboolean
read_run (Dump *self, StriaFlatTable table, GError **error)
{
  StriaDumpRunRow row = {
    .name = intern (self, table, RUN_DATA_NAME),
    .bundled_input = stria_flat_i32 (table, RUN_DATA_BUNDLED_INPUT_INDEX, -1),
    .first_event = (guint32) stria_facts_size (self->facts, STRIA_TABLE_DUMP_EVENT),
  };
  StriaFlatVector allocators, events;
  g_autofree guint32 *places = NULL;
  StriaDumpEventRow *rows;
  guint32 run = stria_facts_add (self->facts, STRIA_TABLE_DUMP_RUN, &row);

  self->is_full |= !leave_out (self, "etdump-damaged");
  allocators = stria_flat_vector (table, RUN_DATA_ALLOCATORS, 4);
  for (guint32 i = 0; i < allocators.n && !self->is_full; i++)
    {
      StriaDumpAllocatorRow allocator = {
        .run = run,
        .name = intern (self, stria_flat_at_table (allocators, i), ALLOCATOR_NAME),
      };

      /* Its place counts, so it has a row even if nothing is known of it. */
      stria_facts_add (self->facts, STRIA_TABLE_DUMP_ALLOCATOR, &allocator);
      self->is_full |= !leave_out (self, "etdump-damaged");
    }
  self->is_full |= !leave_out (self, "etdump-damaged");
  events = stria_flat_vector (table, RUN_DATA_EVENTS, 4);
  if (!read_events (self, events, run, error))
    return FALSE;
  self->is_full |= !leave_out (self, "etdump-damaged");

  row.n_events = (guint32) stria_facts_size (self->facts, STRIA_TABLE_DUMP_EVENT) - row.first_event;
  STRIA_ROWS (self->facts, StriaDumpRunRow, STRIA_TABLE_DUMP_RUN)[run] = row;
  rows = STRIA_ROWS (self->facts, StriaDumpEventRow, STRIA_TABLE_DUMP_EVENT);
  if (row.n_events > 0)
    {
      rows += row.first_event;
      places = stria_etdump_nest (rows, row.first_event, row.n_events);
    }
  stria_etdump_timeline_run (self->timeline, run, row.name, rows, row.n_events, places,
                             self->n_events);
  self->n_events += events.n;
  return TRUE;
}

/* How often each name of a run is used, before the first one is drawn. */
static void
count_names (Dump *self, StriaFlatVector runs)
{
  for (guint32 i = 0; i < runs.n && !stria_flat_failed (&self->flat); i++)
    {
      stria_etdump_timeline_expect (self->timeline,
                                    intern (self, stria_flat_at_table (runs, i), RUN_DATA_NAME));
      stria_flat_forgive (&self->flat, NULL);
    }
}

static gboolean
read_runs (Dump *self, StriaFlatVector runs, GError **error)
{
  count_names (self, runs);
  for (guint32 i = 0; i < runs.n && !self->is_full; i++)
    {
      StriaFlatTable run = stria_flat_at_table (runs, i);

      if (!leave_out (self, "etdump-damaged"))
        break;
      if (stria_flat_is (run) && !read_run (self, run, error))
        return FALSE;
    }
  return TRUE;
}

/* -- the file -------------------------------------------------------------------------------- */

/* Where the buffer begins, by where the identifier stands. [CODE: etdump_flatcc.cpp writes the size
 * prefix; PROPOSAL to take files without] */
static gsize
begin_of (const guint8 *data, gsize length)
{
  if (length >= 12 && memcmp (data + 8, STRIA_ETDUMP_IDENTIFIER, 4) == 0)
    return 4;
  return 0;
}

static gsize
length_of (Dump *self, const guint8 *data, gsize length, gsize begin)
{
  guint32 said;

  if (begin == 0)
    return length;
  memcpy (&said, data, sizeof said);
  said = GUINT32_FROM_LE (said);
  if (said > length - begin)
    {
      stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "truncated",
                         self->context->name, (gint64) length,
                         _("Expected %" PRIu32 " bytes behind the size prefix, found %" PRIu64
                           "; what was whole was read"),
                         said, (guint64) (length - begin));
      return length - begin;
    }
  /* A dump of a static buffer goes on behind its end. [CODE] */
  if (length - begin - said > PADDING)
    stria_notices_add (self->context->notices, STRIA_SEVERITY_INFO, "etdump-trailing",
                       self->context->name, (gint64) (begin + said),
                       _("Expected the file to end here, found %" PRIu64 " bytes more; they were "
                         "passed over"),
                       (guint64) (length - begin - said));
  return said;
}

static void
give_number (Dump *self, const char *key, guint64 value)
{
  char number[24];

  self->sink->meta (self->sink, key, number,
                    (gsize) g_snprintf (number, sizeof number, "%" PRIu64, value));
}

static void
give_meta (Dump *self, guint32 version)
{
  give_number (self, "etdump_version", version);
  give_number (self, "etdump_runs", stria_facts_size (self->facts, STRIA_TABLE_DUMP_RUN));
  give_number (self, "etdump_profile_events",
               stria_facts_size (self->facts, STRIA_TABLE_DUMP_EVENT));
  give_number (self, "etdump_allocation_events",
               stria_facts_size (self->facts, STRIA_TABLE_DUMP_ALLOCATION));
  give_number (self, "etdump_debug_events",
               stria_facts_size (self->facts, STRIA_TABLE_DUMP_DEBUG));
  /* The file does not tell the unit; the timeline draws a tick as a nanosecond. */
  self->sink->meta (self->sink, "etdump_time_unit", "\"ticks\"", 7);
}

static gboolean
read_dump (Dump *self, const guint8 *data, gsize length, const char *sha256, GError **error)
{
  gsize begin = begin_of (data, length);
  StriaFlatTable root;
  StriaFlatVector runs;
  StriaDumpRow row = { .size_prefixed = begin > 0 };

  if (begin > 0)
    length = length_of (self, data, length, begin);
  stria_flat_init (&self->flat, self->context->name, data + begin, length, begin);
  root = stria_flat_root (&self->flat, STRIA_ETDUMP_IDENTIFIER);
  row.version = stria_flat_u32 (root, ETDUMP_VERSION, 0);
  runs = stria_flat_vector (root, ETDUMP_RUN_DATA, 4);
  if (!stria_flat_check (&self->flat, error))
    return FALSE;
  if (row.version != KNOWN_VERSION)
    stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "etdump-version",
                       self->context->name, (gint64) begin,
                       _("Expected version %d of the format, found %" PRIu32
                         "; it is read as if it were the same"),
                       KNOWN_VERSION, row.version);
  row.sha256 = stria_facts_intern (self->facts, sha256, -1);
  stria_facts_add (self->facts, STRIA_TABLE_DUMP, &row);
  if (!read_runs (self, runs, error))
    return FALSE;
  stria_nx_finish (self->nx);
  give_meta (self, row.version);
  return go_on (self, self->n_events, error);
}

static gboolean
decode (StriaSource *source, StriaSink *sink, StriaDecodeContext *context, GError **error)
{
  g_autofree char *sha256 = NULL;
  g_autoptr (GBytes) bytes
      = stria_whole_read (source, STRIA_ETDUMP_MAX_BYTES, context, &sha256, error);
  gboolean ok;

  if (bytes == NULL)
    return FALSE;
  Dump self = {
    .sink = sink,
    .facts = sink->facts (sink),
    .context = context,
    .kinds = g_byte_array_new (),
  };
  self.timeline = stria_etdump_timeline_new (sink, self.facts, context->name);
  self.nx = stria_nx_new (self.facts, context);

  ok = read_dump (&self, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), sha256, error);

  stria_etdump_timeline_free (self.timeline);
  stria_nx_free (self.nx);
  stria_flat_clear (&self.flat);
  g_byte_array_unref (self.kinds);
  return ok;
}

static guint
probe (const char *name, const guint8 *head, gsize length, gboolean whole)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  for (gsize at = 4; head != NULL && at <= 8; at += 4)
    if (length >= at + 4 && memcmp (head + at, STRIA_ETDUMP_IDENTIFIER, 4) == 0)
      return 95;
  /* Damaged at its beginning: better named so than unknown. */
  return g_str_has_suffix (lower, ".etdp") || g_str_has_suffix (lower, ".etdump") ? 20 : 0;
}

const StriaDecoder stria_etdump_decoder = {
  .kind = "etdump",
  .title = N_ ("ETDump"),
  .probe = probe,
  .decode = decode,
};
