/* SPDX-License-Identifier: Apache-2.0 */
/* System profiles: framings, clocks, names, and what damage does. The messages are packed by protobuf-c. */
#include "config.h"

#include <string.h>

#include "neuron_trace.pb-c.h"
#include "stria-capture.h"
#include "stria-decoder.h"
#include "stria-error.h"
#include "stria-event-clock.h"
#include "stria-event-names.h"
#include "stria-pb-frames.h"

#define T0 G_GUINT64_CONSTANT (1776672348756756905)
#define N_EVENTS 9

/* -- messages -------------------------------------------------------------------------------- */

static GBytes *
pack (const ProtobufCMessage *message)
{
  gsize n = protobuf_c_message_get_packed_size (message);
  guint8 *data = g_malloc (MAX (n, 1));

  g_assert_cmpuint (protobuf_c_message_pack (message, data), ==, n);
  return g_bytes_new_take (data, n);
}

static GBytes *
make_event (guint i)
{
  Ntff__NtraceEvent event = NTFF__NTRACE_EVENT__INIT;
  Ntff__NtraceEvent__AttributesEntry a = NTFF__NTRACE_EVENT__ATTRIBUTES_ENTRY__INIT;
  Ntff__NtraceEvent__AttributesEntry b = NTFF__NTRACE_EVENT__ATTRIBUTES_ENTRY__INIT;
  Ntff__NtraceEvent__AttributesEntry *both[] = { &a, &b };

  a.key = (char *) "exec_id";
  a.value = (char *) "12";
  b.key = (char *) "model_name";
  b.value = (char *) "model";
  event.has_timestamp = event.has_event_type = event.has_phase = event.has_id = TRUE;
  event.timestamp = T0 + i * 1000;
  event.event_type = 18 + i % 3;
  event.phase = NTFF__NTRACE_EVENT_PHASE_TYPE__NTRACE_EVENT_PHASE_TYPE_INSTANT;
  event.id = 1000 + i;
  event.attributes = both;
  event.n_attributes = 1 + i % 2;
  return pack (&event.base);
}

static GBytes *
make_cpu (guint i)
{
  Ntff__CpuUtil sample = NTFF__CPU_UTIL__INIT;

  /* As proto3 writes it: what is 0 is absent. */
  sample.has_util = i % 4 != 0;
  sample.util = (float) (i % 4) * 20;
  sample.has_timestamp = TRUE;
  sample.timestamp = T0 + i / 4 * 1000000;
  sample.has_cpu_id = i % 4 != 0;
  sample.cpu_id = i % 4;
  return pack (&sample.base);
}

static GBytes *
make_memory (guint i)
{
  Ntff__HostMemUsage sample = NTFF__HOST_MEM_USAGE__INIT;

  sample.has_usage = sample.has_timestamp = TRUE;
  sample.usage = (1u << 30) + i;
  sample.timestamp = T0 + i * 1000000;
  return pack (&sample.base);
}

static GBytes *
make_record (StriaStreamKind kind, guint i)
{
  return kind == STRIA_STREAM_EVENTS ? make_event (i)
         : kind == STRIA_STREAM_CPU  ? make_cpu (i) : make_memory (i);
}

static StriaTraceInfo *
make_info (guint n, guint64 begin)
{
  Ntff__NtraceInfo message = NTFF__NTRACE_INFO__INIT;
  Ntff__HostStats host = NTFF__HOST_STATS__INIT;
  Ntff__NtraceDataFile file = NTFF__NTRACE_DATA_FILE__INIT;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  StriaTraceInfo *info;

  file.has_num_events = TRUE;
  file.num_events = (gint32) n;
  host.has_num_cpus = TRUE;
  host.num_cpus = 4;
  host.cpu_util_measurements = host.mem_usage_measurements = message.ntrace_events = &file;
  message.host_stats = &host;
  message.has_session_init_timestamp_ns = message.has_session_close_timestamp_ns = begin > 0;
  message.session_init_timestamp_ns = begin;
  message.session_close_timestamp_ns = begin + 1000000000;
  message.has_data_version = TRUE;
  message.data_version = 2;
  bytes = pack (&message.base);
  info = stria_trace_info_peek (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), TRUE,
                                &error);
  g_assert_no_error (error);
  return info;
}

/* -- files ----------------------------------------------------------------------------------- */

static void
put_varint (GByteArray *out, guint64 value)
{
  do
    {
      guint8 byte = (value & 0x7f) | (value > 0x7f ? 0x80 : 0);

      g_byte_array_append (out, &byte, 1);
      value >>= 7;
    }
  while (value > 0);
}

static void
put_fixed (GByteArray *out, guint64 value, guint width)
{
  value = GUINT64_TO_LE (value);
  g_byte_array_append (out, (const guint8 *) &value, width);
}

static void
put_record (GByteArray *out, StriaFraming framing, guint64 said, GBytes *record)
{
  switch (framing)
    {
    case STRIA_FRAMING_VARINT:
      put_varint (out, said);
      break;
    case STRIA_FRAMING_U32:
      put_fixed (out, said, 4);
      break;
    case STRIA_FRAMING_U64:
      put_fixed (out, said, 8);
      break;
    case STRIA_FRAMING_WRAPPED:
    case STRIA_FRAMING_INFO:
      put_varint (out, 3 << 3 | 2);
      put_varint (out, said);
      break;
    default:
      break;
    }
  g_byte_array_append (out, g_bytes_get_data (record, NULL), (guint) g_bytes_get_size (record));
}

/* Records with nothing, or @header bytes, before them; @ends: (nullable): takes where each ends */
static GByteArray *
make_file (StriaStreamKind kind, StriaFraming framing, guint n, gsize header, gsize *ends)
{
  GByteArray *out = g_byte_array_new ();

  if (framing == STRIA_FRAMING_INFO)
    {
      put_varint (out, 2 << 3);
      put_varint (out, 77);
    }
  for (gsize i = 0; i < header; i++)
    g_byte_array_append (out, (const guint8 *) (i == 0 ? "\6" : "\0"), 1);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GBytes) record = make_record (kind, i);

      put_record (out, framing, g_bytes_get_size (record), record);
      if (ends != NULL)
        ends[i] = out->len;
    }
  return out;
}

/* -- framings -------------------------------------------------------------------------------- */

static gboolean
detect (StriaStreamKind kind, const GByteArray *file, StriaTraceInfo *info, StriaFrames *frames,
        GError **error)
{
  g_autoptr (StriaProtoSchema) schema = stria_proto_schema_new_builtin ();

  return stria_frames_detect (schema, kind, file->data, file->len, info, "file.pb", frames, NULL,
                              error);
}

static void
test_framings (void)
{
  static const gsize headers[] = { 0, 4, 8, 16, 128 };
  static const char *const ids[] = { "F1", "F2", "F3", "F4", "F4", "F5" };

  for (guint kind = 0; kind < 3; kind++)
    for (guint framing = 0; framing < STRIA_N_FRAMINGS; framing++)
      for (guint h = 0; h < G_N_ELEMENTS (headers); h++)
        {
          g_autoptr (StriaTraceInfo) info = make_info (12, T0 - 5);
          g_autoptr (GByteArray) file = NULL;
          g_autoptr (GError) error = NULL;
          g_autofree char *id = NULL, *want = NULL;
          StriaFrames frames;

          if (framing == STRIA_FRAMING_INFO && (kind != STRIA_STREAM_EVENTS || headers[h] > 0))
            continue;
          file = make_file (kind, framing, 12, headers[h], NULL);
          detect (kind, file, info, &frames, &error);
          g_assert_no_error (error);
          id = stria_frames_id (&frames);
          want = g_strconcat (headers[h] > 0 ? "F6+" : "", ids[framing], NULL);
          g_assert_cmpstr (id, ==, want);
          g_assert_cmpuint (frames.begin, ==, headers[h]);
          g_assert_cmpuint (frames.end, ==, file->len);
          g_assert_cmpuint (frames.n_records, ==, 12);
          g_assert_cmpint (frames.exact, ==, STRIA_VERDICT_YES);
          g_assert_cmpint (frames.fields, ==, STRIA_VERDICT_YES);
          g_assert_cmpint (frames.session, ==, STRIA_VERDICT_YES);
          g_assert_cmpint (frames.count, ==, STRIA_VERDICT_YES);
          g_assert_cmpint (frames.range, ==, kind == STRIA_STREAM_CPU ? STRIA_VERDICT_YES
                                                                      : STRIA_VERDICT_UNKNOWN);
          g_assert_cmpint (frames.score, ==, kind == STRIA_STREAM_CPU ? 16 : 14);
        }
}

/* Bare messages need the session's times, and their number or the range of their values. */
static void
test_bare (void)
{
  const struct
  {
    StriaStreamKind kind;
    guint said;
    guint64 begin;
    gboolean good;
  } cases[] = {
    { STRIA_STREAM_EVENTS, 12, T0, TRUE },
    { STRIA_STREAM_EVENTS, 11, T0, FALSE },
    { STRIA_STREAM_EVENTS, 12, 0, FALSE },
    { STRIA_STREAM_EVENTS, 12, T0 - G_GUINT64_CONSTANT (9000000000000000), FALSE },
    { STRIA_STREAM_CPU, 11, T0, TRUE },
    { STRIA_STREAM_CPU, 12, 0, FALSE },
    { STRIA_STREAM_MEMORY, 12, T0, TRUE },
    { STRIA_STREAM_MEMORY, 13, T0, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (StriaTraceInfo) info = make_info (cases[i].said, cases[i].begin);
      g_autoptr (GByteArray) file = make_file (cases[i].kind, STRIA_FRAMING_BARE, 12, 0, NULL);
      g_autoptr (GError) error = NULL;
      StriaFrames frames;

      g_test_message ("case %u", i);
      if (cases[i].good)
        {
          g_assert_true (detect (cases[i].kind, file, info, &frames, &error));
          g_assert_no_error (error);
          g_assert_cmpint (frames.framing, ==, STRIA_FRAMING_BARE);
        }
      else
        {
          g_assert_false (detect (cases[i].kind, file, info, &frames, &error));
          g_assert_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED);
          g_assert_nonnull (strstr (error->message, "file.pb"));
        }
      g_clear_error (&error);
      /* And never without a session. */
      g_assert_false (detect (cases[i].kind, file, NULL, &frames, &error));
      g_assert_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED);
    }
}

static void
put_field (GByteArray *out, guint32 number, guint64 value)
{
  put_varint (out, number << 3);
  put_varint (out, value);
}

/* The same bytes as one record of 25 bytes in field 3 of a wrapper, and as one of 26 bytes behind its
 * length, whose first field would be eight bytes under an unknown number. Both have one unknown field. */
static void
test_ambiguous (void)
{
  g_autoptr (StriaTraceInfo) info = make_info (1, T0);
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  StriaFrames frames;

  put_varint (file, 3 << 3 | 2);
  put_varint (file, 25);
  put_field (file, 4, 1);
  put_field (file, 1, G_GUINT64_CONSTANT (1) << 34);
  put_field (file, 2, T0);
  put_field (file, 1, G_GUINT64_CONSTANT (1) << 41);
  g_assert_cmpuint (file->len, ==, 27);
  g_assert_false (detect (STRIA_STREAM_MEMORY, file, info, &frames, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED);
  g_assert_nonnull (strstr (error->message, "F1"));
  g_assert_nonnull (strstr (error->message, "F4"));
  g_clear_error (&error);

  /* The unknown field of only one of them decides. */
  file->data[2] = 1 << 3;
  g_assert_true (detect (STRIA_STREAM_MEMORY, file, info, &frames, &error));
  g_assert_no_error (error);
  g_assert_cmpint (frames.framing, ==, STRIA_FRAMING_WRAPPED);
}

/* Numbers that a later version may have added */
static void
test_unknown_fields (void)
{
  g_autoptr (StriaTraceInfo) info = make_info (3, T0);
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  StriaFrames frames;

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GBytes) record = make_event (i);
      g_autoptr (GByteArray) longer = g_byte_array_new ();
      g_autoptr (GBytes) whole = NULL;

      g_byte_array_append (longer, g_bytes_get_data (record, NULL),
                           (guint) g_bytes_get_size (record));
      put_varint (longer, 40 << 3);
      put_varint (longer, 1);
      whole = g_bytes_new (longer->data, longer->len);
      put_record (file, STRIA_FRAMING_VARINT, longer->len, whole);
    }
  g_assert_true (detect (STRIA_STREAM_EVENTS, file, info, &frames, &error));
  g_assert_no_error (error);
  g_assert_cmpint (frames.framing, ==, STRIA_FRAMING_VARINT);
  g_assert_cmpuint (frames.n_unknown, ==, 3);
  g_assert_cmpint (frames.score, ==, 13);
}

/* -- clocks ---------------------------------------------------------------------------------- */

static void
test_clock (void)
{
  g_autoptr (StriaClockSync) sync = stria_clock_sync_new ();
  StriaClockResidual residual;
  gint64 ns;

  stria_clock_sync_add (sync, 0, "7", 1000, (gint64) T0);
  stria_clock_sync_add (sync, 0, "8", 5000, (gint64) T0 + 4010);
  stria_clock_sync_add (sync, 1, "7", 100, (gint64) T0 + 50);
  stria_clock_sync_add (sync, 0, NULL, 9000, (gint64) T0 + 8000);
  stria_clock_sync_seal (sync);
  /* Of its execution, although another one is nearer */
  g_assert_cmpint (stria_clock_sync_align (sync, 0, "7", 4900, &ns), ==, STRIA_CLOCK_ALIGNED);
  g_assert_cmpint (ns, ==, (gint64) T0 + 3900);
  g_assert_cmpint (stria_clock_sync_align (sync, 0, "8", 4900, &ns), ==, STRIA_CLOCK_ALIGNED);
  g_assert_cmpint (ns, ==, (gint64) T0 + 3910);
  g_assert_cmpint (stria_clock_sync_align (sync, 1, "7", 90, &ns), ==, STRIA_CLOCK_ALIGNED);
  g_assert_cmpint (ns, ==, (gint64) T0 + 40);
  /* The nearest of the core */
  g_assert_cmpint (stria_clock_sync_align (sync, 0, "9", 2999, &ns), ==, STRIA_CLOCK_APPROXIMATE);
  g_assert_cmpint (ns, ==, (gint64) T0 + 1999);
  g_assert_cmpint (stria_clock_sync_align (sync, 0, NULL, 3001, &ns), ==, STRIA_CLOCK_APPROXIMATE);
  g_assert_cmpint (ns, ==, (gint64) T0 + 2011);
  g_assert_cmpint (stria_clock_sync_align (sync, 0, NULL, 99999, &ns), ==,
                   STRIA_CLOCK_APPROXIMATE);
  g_assert_cmpint (ns, ==, (gint64) T0 + 98999);
  g_assert_cmpint (stria_clock_sync_align (sync, 2, "7", 0, &ns), ==, STRIA_CLOCK_DEVICE);
  /* What cannot be said in 64 bits is not said. */
  g_assert_cmpint (stria_clock_sync_align (sync, 0, "7", G_MAXINT64, &ns), ==,
                   STRIA_CLOCK_DEVICE);
  stria_clock_sync_check (sync, 0, "7", 2000, (gint64) T0 + 1030);
  stria_clock_sync_get_residual (sync, &residual);
  g_assert_cmpuint (residual.n_points, ==, 4);
  g_assert_cmpuint (residual.n_steps, ==, 2);
  g_assert_cmpuint (residual.max_ns, ==, 10);
  g_assert_cmpuint (residual.sum_ns, ==, 20);
  g_assert_cmpuint (residual.n_recorded, ==, 1);
  g_assert_cmpuint (residual.max_recorded_ns, ==, 30);
}

/* -- names ----------------------------------------------------------------------------------- */

static void
test_names (void)
{
  g_autoptr (StriaTraceInfo) info = make_info (1, T0);
  g_autoptr (StriaEventNames) with = stria_event_names_new (info);
  g_autoptr (StriaEventNames) without = stria_event_names_new (NULL);
  const StriaEventName *name;

  stria_event_names_settle (with);
  stria_event_names_settle (without);
  g_assert_true (stria_event_names_has_table (with));
  g_assert_false (stria_event_names_has_table (without));
  name = stria_event_names_get (with, 7, 0, NULL);
  g_assert_cmpstr (name->name, ==, "nc_exec_running");
  g_assert_true (name->is_hardware);
  /* No clear name of an export: the recovered one */
  g_assert_cmpstr (stria_event_names_get (with, 3, 0, NULL)->name, ==, "execute_api");
  g_assert_cmpint (stria_event_names_get (with, 32, 0, NULL)->role, ==, STRIA_EVENT_ROLE_COPY_IN);
  g_assert_cmpstr (stria_event_names_get (with, 3, 0, "own")->name, ==, "own");
  name = stria_event_names_get (without, 7, 0, NULL);
  g_assert_cmpstr (name->name, ==, "event 7");
  g_assert_cmpint (name->source, ==, STRIA_NAME_NUMBER);
  g_assert_false (name->is_hardware);
  g_assert_true (stria_event_names_get (without, 1, 0, "hw_notify")->is_hardware);
}

/* -- damage ---------------------------------------------------------------------------------- */

static const char *const kinds[] = { "neuron-ntrace", "neuron-cpu-util", "neuron-host-mem" };
static const char *const tables[] = { "SystemProfileEvents", "CpuUsage", "HostMemUsage" };

typedef struct
{
  gboolean good;
  guint64 n_rows;
  gboolean warned; /* a notice that is more than an information */
  gboolean truncated;
} Outcome;

static Outcome
decode (const char *kind, const char *table, const guint8 *data, gsize length)
{
  StriaCapture *capture = stria_capture_new ("/file.pb");
  g_autoptr (StriaArtifact) artifact
      = stria_artifact_new ("/file.pb", NULL, "file.pb", length, 0);
  g_autoptr (GBytes) bytes = g_bytes_new (data, length);
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSource) source = stria_source_new_bytes ("file.pb", bytes, &error);
  g_autoptr (StriaTable) rows = NULL;
  g_autoptr (GPtrArray) notices = NULL;
  Outcome outcome = { 0 };
  StriaSink *sink;
  StriaDecodeContext context = {
    .capture = capture, .name = "file.pb", .notices = stria_capture_get_notices (capture),
  };

  g_assert_no_error (error);
  stria_capture_add_artifact (capture, artifact);
  sink = stria_capture_open_sink (capture, 0);
  outcome.good = stria_decoder_by_kind (kind)->decode (source, sink, &context, &error);
  stria_capture_close_sink (capture, sink, TRUE);
  g_assert_true (outcome.good == (error == NULL));
  if (error != NULL)
    {
      g_assert_true (error->domain == STRIA_ERROR);
      g_assert_nonnull (strstr (error->message, "file.pb"));
    }
  rows = stria_capture_find_table (capture, 0, table);
  outcome.n_rows = rows != NULL ? stria_table_get_n_rows (rows) : 0;
  notices = stria_notices_list (context.notices);
  for (guint i = 0; i < notices->len; i++)
    {
      const StriaNotice *notice = g_ptr_array_index (notices, i);

      outcome.warned |= notice->severity != STRIA_SEVERITY_INFO;
      outcome.truncated |= g_str_equal (notice->code, "truncated");
    }
  g_object_unref (capture);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  return outcome;
}

/* Each file, cut at each byte: what is whole is read, and what is cut off is said. */
static void
test_cuts (void)
{
  for (guint kind = 0; kind < 3; kind++)
    {
      gsize ends[N_EVENTS];
      g_autoptr (GByteArray) file = make_file (kind, STRIA_FRAMING_VARINT, N_EVENTS, 0, ends);

      for (gsize length = 1; length <= file->len; length++)
        {
          Outcome outcome = decode (kinds[kind], tables[kind], file->data, length);
          guint whole = 0;
          gboolean at_border;

          while (whole < N_EVENTS && ends[whole] <= length)
            whole++;
          at_border = whole > 0 && ends[whole - 1] == length;
          g_test_message ("%s, %zu bytes, %u whole", kinds[kind], length, whole);
          /* A few records that do not fill a file without a session are no proof. */
          g_assert_cmpint (outcome.good, ==, at_border || whole >= 4);
          g_assert_cmpuint (outcome.n_rows, ==, outcome.good ? whole : 0);
          g_assert_cmpint (outcome.truncated, ==, outcome.good && !at_border);
        }
    }
}

/* Each file, in each framing, cut at each byte: nothing worse than a refusal. */
static void
test_cut_framings (void)
{
  for (guint kind = 0; kind < 3; kind++)
    for (guint framing = 0; framing < STRIA_N_FRAMINGS; framing++)
      {
        g_autoptr (GByteArray) file = make_file (kind, framing, 5, 0, NULL);
        g_autoptr (StriaTraceInfo) info = make_info (5, T0);

        for (gsize length = 1; length <= file->len; length++)
          {
            GByteArray part = { file->data, (guint) length };
            g_autoptr (GError) error = NULL;
            StriaFrames frames;

            if (!detect (kind, &part, info, &frames, &error))
              g_assert_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED);
            else
              g_assert_true (frames.end <= length && frames.n_records <= 5);
          }
      }
}

/* Each length, of a record and inside of it, as 0, -1 and 2^63. */
static void
test_lengths (void)
{
  static const guint64 lengths[]
      = { 0, G_MAXUINT64, G_GUINT64_CONSTANT (1) << 63, G_MAXUINT32, G_MAXINT32 };

  for (guint kind = 0; kind < 3; kind++)
    for (guint framing = 0; framing < STRIA_FRAMING_BARE; framing++)
      for (guint l = 0; l < G_N_ELEMENTS (lengths); l++)
        for (guint bad = 0; bad < N_EVENTS; bad++)
          {
            g_autoptr (GByteArray) file = g_byte_array_new ();
            Outcome outcome;

            for (guint i = 0; i < N_EVENTS; i++)
              {
                g_autoptr (GBytes) record = make_record (kind, i);

                put_record (file, framing, i == bad ? lengths[l] : g_bytes_get_size (record),
                            record);
              }
            outcome = decode (kinds[kind], tables[kind], file->data, file->len);
            g_test_message ("%s, framing %u, length %u of record %u: %d, %u rows", kinds[kind],
                            framing, l, bad, outcome.good, (guint) outcome.n_rows);
            g_assert_cmpuint (outcome.n_rows, <=, N_EVENTS);
            g_assert_true (!outcome.good || outcome.warned || outcome.n_rows == N_EVENTS);
            /* The length of the last one but in four bytes, where the highest cannot be. */
            g_assert_false (outcome.good && outcome.n_rows == N_EVENTS);
          }
}

/* A record whose inside is damaged is left out; the others are there. */
static void
test_inner_lengths (void)
{
  static const guint64 lengths[] = { 0, G_MAXUINT64, G_GUINT64_CONSTANT (1) << 63 };

  for (guint l = 0; l < G_N_ELEMENTS (lengths); l++)
    for (guint bad = 1; bad < N_EVENTS; bad++)
      {
        g_autoptr (GByteArray) file = g_byte_array_new ();
        Outcome outcome;

        for (guint i = 0; i < N_EVENTS; i++)
          {
            g_autoptr (GBytes) record = make_event (i);
            g_autoptr (GByteArray) other = g_byte_array_new ();
            g_autoptr (GBytes) made = NULL;
            gsize n;
            const guint8 *data = g_bytes_get_data (record, &n);
            const guint8 *entry = memchr (data, 12 << 3 | 2, n);

            g_assert_nonnull (entry);
            g_byte_array_append (other, data, (guint) (entry - data) + 1);
            put_varint (other, i == bad ? lengths[l] : entry[1]);
            g_byte_array_append (other, entry + 2, (guint) (n - (gsize) (entry - data) - 2));
            made = g_bytes_new (other->data, other->len);
            put_record (file, STRIA_FRAMING_VARINT, other->len, made);
          }
        outcome = decode (kinds[0], tables[0], file->data, file->len);
        g_assert_true (outcome.good);
        g_assert_true (outcome.warned);
        g_assert_cmpuint (outcome.n_rows, ==, N_EVENTS - 1);
      }
}

/* The session: cut at each byte, and each byte another. */
static void
test_session (void)
{
  Ntff__NtraceInfo message = NTFF__NTRACE_INFO__INIT;
  Ntff__HostStats host = NTFF__HOST_STATS__INIT;
  Ntff__InternedDataDb texts = NTFF__INTERNED_DATA_DB__INIT;
  Ntff__InternedDataDb *all_texts[] = { &texts };
  Ntff__InternedDataDb__IdMapEntry entry = NTFF__INTERNED_DATA_DB__ID_MAP_ENTRY__INIT;
  Ntff__InternedDataDb__IdMapEntry *entries[] = { &entry };
  Ntff__NtraceDataFile file = NTFF__NTRACE_DATA_FILE__INIT;
  Ntff__NtraceDataFile *files[] = { &file };
  g_autoptr (GBytes) bytes = NULL;
  g_autofree guint8 *copy = NULL;
  const guint8 *data;
  gsize n;

  entry.has_key = TRUE;
  entry.key = 5;
  entry.value = (char *) "five";
  texts.category = (char *) "event_type";
  texts.id_map = entries;
  texts.n_id_map = 1;
  file.filename = (char *) "a/profile_nc_0_session_1.ntff";
  message.collected_profiles = files;
  message.n_collected_profiles = 1;
  message.interned_data = all_texts;
  message.n_interned_data = 1;
  message.host_stats = &host;
  host.cpu_name = (char *) "cpu";
  message.instance_id = (char *) "i-0";
  message.has_session_init_timestamp_ns = TRUE;
  message.session_init_timestamp_ns = T0;
  bytes = pack (&message.base);
  data = g_bytes_get_data (bytes, &n);
  copy = g_memdup2 (data, n);
  g_assert_true (decode ("neuron-trace-info", "NeuronInternedText", data, n).n_rows == 1);
  for (gsize length = 1; length < n; length++)
    {
      Outcome outcome = decode ("neuron-trace-info", "NeuronDataFile", data, length);

      g_assert_true (outcome.n_rows <= 1);
    }
  for (gsize i = 0; i < n; i++)
    for (guint value = 0; value < 256; value += 51)
      {
        copy[i] = (guint8) value;
        decode ("neuron-trace-info", "NeuronDataFile", copy, n);
        copy[i] = data[i];
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/neuron-system/framings", test_framings);
  g_test_add_func ("/neuron-system/bare", test_bare);
  g_test_add_func ("/neuron-system/ambiguous", test_ambiguous);
  g_test_add_func ("/neuron-system/unknown-fields", test_unknown_fields);
  g_test_add_func ("/neuron-system/clock", test_clock);
  g_test_add_func ("/neuron-system/names", test_names);
  g_test_add_func ("/neuron-system/cuts", test_cuts);
  g_test_add_func ("/neuron-system/cut-framings", test_cut_framings);
  g_test_add_func ("/neuron-system/lengths", test_lengths);
  g_test_add_func ("/neuron-system/inner-lengths", test_inner_lengths);
  g_test_add_func ("/neuron-system/session", test_session);
  return g_test_run ();
}
