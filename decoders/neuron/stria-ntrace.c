/* SPDX-License-Identifier: Apache-2.0 */
/* Events of the runtime (ntrace.pb): recovered messages in a framing that is found by trying. */
#include "config.h"

#include "stria-neuron-system.h"
#include "stria-ntrace-private.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#define HOUR_NS ((gint64) 3600 * 1000000000)
#define EPOCH_TO_NS ((gint64) 4102444800 * 1000000000)

/* -- first pass: clocks and numbers ---------------------------------------------------------- */

static gint64
stamp_of (const StriaNtraceEvent *event)
{
  return (gint64) MIN (event->timestamp, (guint64) G_MAXINT64);
}

/* Sync points are told by what they say and not by their number. */
static void
look (gconstpointer message, gsize offset, gsize length, gpointer user_data)
{
  const StriaNtraceEvent *event = message;
  StriaNtrace *self = user_data;
  gint64 device, host, stamp = stamp_of (event);
  gboolean has_device = stria_ntrace_attribute_number (event, "nc_timestamp_ns", &device);

  stria_event_names_seen (self->names, event->event_type);
  if (has_device && stria_ntrace_attribute_number (event, "cpu_timestamp_ns", &host))
    stria_clock_sync_add (self->sync, event->nc_idx, stria_ntrace_attribute (event, "exec_id"),
                          device, host);
  if (has_device || self->has_host)
    return;
  self->host_from = self->has_times ? MIN (self->host_from, stamp) : stamp;
  self->host_to = self->has_times ? MAX (self->host_to, stamp) : stamp;
  self->has_times = TRUE;
}

static gint64
later (gint64 ns, gint64 by)
{
  gint64 sum;

  return __builtin_add_overflow (ns, by, &sum) ? (by > 0 ? G_MAXINT64 : G_MININT64) : sum;
}

/* The session's times, where they are recorded */
static void
take_session (StriaNtrace *self)
{
  const StriaTraceInfo *info = self->stream->info;

  if (info == NULL || info->session_begin_ns == 0 || info->session_begin_ns > (guint64) EPOCH_TO_NS)
    return;
  self->has_host = TRUE;
  self->host_from = later ((gint64) info->session_begin_ns, -HOUR_NS);
  self->host_to = info->session_end_ns >= info->session_begin_ns
                          && info->session_end_ns < (guint64) EPOCH_TO_NS
                      ? later ((gint64) info->session_end_ns, HOUR_NS)
                      : EPOCH_TO_NS;
}

static void
settle_host (StriaNtrace *self)
{
  if (!self->has_host && self->has_times)
    {
      self->host_from = later (self->host_from, -HOUR_NS);
      self->host_to = later (self->host_to, HOUR_NS);
      self->has_host = TRUE;
    }
  self->has_times = FALSE;
}

/* -- second pass: rows ----------------------------------------------------------------------- */

static void
take (gconstpointer message, gsize offset, gsize length, gpointer user_data)
{
  const StriaNtraceEvent *event = message;
  StriaNtrace *self = user_data;

  self->n_strange
      += (guint) event->phase > NTFF__NTRACE_EVENT_PHASE_TYPE__NTRACE_EVENT_PHASE_TYPE_INSTANT
         || (guint) event->type > NTFF__NTRACE_DATA_TYPE__NTRACE_DATA_TYPE_MEM_FREE;
  stria_ntrace_memory_take (self, event);
  stria_ntrace_pairs_take (self, event, offset, length);
}

/* -- facts ----------------------------------------------------------------------------------- */

static char *
time_text (gint64 ns)
{
  gint64 seconds = ns / 1000000000, rest = ns % 1000000000;
  g_autoptr (GDateTime) time = NULL;
  g_autofree char *date = NULL;

  if (rest < 0)
    {
      seconds--;
      rest += 1000000000;
    }
  time = g_date_time_new_from_unix_utc (seconds);
  date = time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M:%S") : NULL;
  return date != NULL ? g_strdup_printf ("%s.%09d +0000 UTC", date, (int) rest) : NULL;
}

/* The bounds of what is shown. ntff_version and the capacity are not in these files. */
static void
write_metadata (StriaNtrace *self)
{
  static const char *const names[]
      = { "first_ts", "last_ts", "first_ts_ns", "last_ts_ns", "instance_id:s", "process_id:i",
          "data_version:i", NULL };
  const StriaPbStream *stream = self->stream;
  const gint64 times[] = { self->first_ns, self->last_ns };
  g_autoptr (StriaNeuronRows) rows = NULL;

  if (!self->has_times)
    return;
  rows = stria_neuron_rows_new (self->emitter, "SystemProfileMetadata", names);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *text = time_text (times[i]);
      char number[24];

      g_snprintf (number, sizeof number, "%" PRId64, times[i]);
      if (text != NULL)
        stria_neuron_rows_text (rows, i, text, -1);
      stria_neuron_rows_text (rows, 2 + i, number, -1);
    }
  if (stream->instance != NULL)
    stria_neuron_rows_text (rows, 4, stream->instance, -1);
  if (stream->has_pid)
    stria_neuron_rows_int (rows, 5, stream->pid);
  if (stream->info != NULL && stream->info->data_version != 0)
    stria_neuron_rows_int (rows, 6, stream->info->data_version);
  stria_neuron_rows_end (rows);
}

static void
say_pairing (StriaNtrace *self)
{
  StriaNotices *notices = self->stream->context->notices;
  const char *name = self->stream->context->name;

  if (self->n_pairings[STRIA_PAIRING_OPEN] > 0)
    stria_notices_count (notices, STRIA_SEVERITY_INFO, "neuron-start-only", name, -1,
                         self->n_pairings[STRIA_PAIRING_OPEN],
                         _("A start without a stop of the same type, core and tracking id; it has "
                           "no end"));
  if (self->n_pairings[STRIA_PAIRING_STOP_ONLY] > 0)
    stria_notices_count (notices, STRIA_SEVERITY_INFO, "neuron-stop-only", name, -1,
                         self->n_pairings[STRIA_PAIRING_STOP_ONLY],
                         _("A stop without a start of the same type, core and tracking id; it is a "
                           "point (the start may have been overwritten)"));
  if (self->n_backward > 0)
    stria_notices_count (notices, STRIA_SEVERITY_WARNING, "neuron-backward", name, -1,
                         self->n_backward,
                         _("Recovered format, this file differs: a stop lies before its start; the "
                           "event is a point"));
  if (self->n_strange > 0)
    stria_notices_count (notices, STRIA_SEVERITY_INFO, "neuron-unknown-values", name, -1,
                         self->n_strange,
                         _("Recovered format, this file differs: an event is of a phase or type "
                           "that is not known; it is shown as it is"));
}

static void
say_clocks (StriaNtrace *self)
{
  StriaNotices *notices = self->stream->context->notices;
  const char *name = self->stream->context->name;
  StriaClockResidual residual;
  GString *json;

  stria_clock_sync_get_residual (self->sync, &residual);
  if (self->n_clocks[STRIA_CLOCK_APPROXIMATE] > 0)
    stria_notices_count (notices, STRIA_SEVERITY_INFO, "neuron-clock-approximate", name, -1,
                         self->n_clocks[STRIA_CLOCK_APPROXIMATE],
                         _("The time of an event of the device is approximate: there is no sync "
                           "point of its execution, the nearest one of its core was used"));
  if (self->n_clocks[STRIA_CLOCK_DEVICE] > 0)
    stria_notices_count (notices, STRIA_SEVERITY_WARNING, "neuron-clock-device", name, -1,
                         self->n_clocks[STRIA_CLOCK_DEVICE],
                         _("An event of the device has a time of its own clock and its core has no "
                           "sync point: it is in the table, uncalibrated, and not on the timeline"));
  json = g_string_new ("{");
  for (guint i = 0; i <= STRIA_CLOCK_DEVICE; i++)
    g_string_append_printf (json, "\"%s\":%" PRIu64 ",", stria_event_clock_id (i),
                            self->n_clocks[i]);
  g_string_append_printf (json,
                          "\"sync_points\":%" PRIu64 ",\"residual_steps\":%" PRIu64
                          ",\"residual_max_ns\":%" PRIu64 ",\"residual_mean_ns\":%" PRIu64
                          ",\"recorded_checked\":%" PRIu64 ",\"recorded_max_ns\":%" PRIu64 "}",
                          residual.n_points, residual.n_steps, residual.max_ns,
                          residual.n_steps > 0 ? residual.sum_ns / residual.n_steps : 0,
                          residual.n_recorded, residual.max_recorded_ns);
  self->stream->sink->meta (self->stream->sink, "neuron_clock", json->str, json->len);
  g_string_free (json, TRUE);
}

static void
say_names (StriaNtrace *self)
{
  const StriaPbStream *stream = self->stream;
  const char *category = stria_event_names_category (self->names);
  g_autoptr (GString) json = g_string_new ("{");

  for (guint i = 0; i <= STRIA_NAME_NUMBER; i++)
    g_string_append_printf (json, "%s\"%s\":%" PRIu64, i > 0 ? "," : "", stria_name_source_id (i),
                            self->n_sources[i]);
  g_string_append_c (json, '}');
  stream->sink->meta (stream->sink, "neuron_event_names", json->str, json->len);
  if (category != NULL)
    stria_notices_add (stream->context->notices, STRIA_SEVERITY_INFO, "neuron-names-interned",
                       stream->context->name, -1,
                       _("Events are named by the category \"%s\" of the texts in trace_info.pb, "
                         "which maps their numbers"),
                       category);
  if (self->n_sources[STRIA_NAME_TABLE] > 0)
    stria_notices_count (stream->context->notices, STRIA_SEVERITY_INFO, "neuron-names-table",
                         stream->context->name, -1, self->n_sources[STRIA_NAME_TABLE],
                         _("An event is named by a recovered table of numbers for this version of "
                           "the data"));
  if (self->n_sources[STRIA_NAME_NUMBER] > 0)
    stria_notices_count (stream->context->notices, STRIA_SEVERITY_INFO, "neuron-names-unknown",
                         stream->context->name, -1, self->n_sources[STRIA_NAME_NUMBER],
                         _("An event has a number without a name: numbers change between versions "
                           "of the runtime, and the table is for others"));
}

static void
give_meta (StriaNtrace *self)
{
  static const char *const keys[]
      = { "instant", "duration", "paired", "open", "stop_only" };
  const StriaPbStream *stream = self->stream;
  g_autoptr (GString) json = g_string_new ("{");

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_string_append_printf (json, "%s\"%s\":%" PRIu64, i > 0 ? "," : "", keys[i],
                            self->n_pairings[i]);
  g_string_append_c (json, '}');
  stream->sink->meta (stream->sink, "neuron_pairing", json->str, json->len);
  stria_pb_give_number (stream->sink, "neuron_records", stream->n_records);
  stria_pb_give_number (stream->sink, "neuron_records_rejected", stream->n_rejected);
  if (stream->info == NULL)
    return;
  stria_pb_give_number (stream->sink, "neuron_data_version", stream->info->data_version);
  if (stream->info->total_events > 0)
    stria_pb_give_number (stream->sink, "neuron_events_total", stream->info->total_events);
}

/* -- the decoder ----------------------------------------------------------------------------- */

gboolean
stria_ntrace_decode (StriaPbStream *stream, StriaNeuronEmitter *emitter, GError **error)
{
  StriaNtrace self = { .stream = stream, .emitter = emitter };
  gboolean good;

  self.names = stria_event_names_new (stream->info);
  self.sync = stria_clock_sync_new ();
  self.memory = stria_ntrace_memory_new (&self);
  self.pairs = stria_ntrace_pairs_new ();
  stria_ntrace_rows_begin (&self);
  take_session (&self);

  good = stria_pb_stream_each (stream, FALSE, look, &self, error);
  if (good)
    {
      settle_host (&self);
      stria_clock_sync_seal (self.sync);
      stria_event_names_settle (self.names);
      good = stria_pb_stream_each (stream, TRUE, take, &self, error);
    }
  if (good)
    {
      stria_ntrace_pairs_end (&self);
      stria_ntrace_memory_end (&self);
      write_metadata (&self);
      say_pairing (&self);
      say_clocks (&self);
      say_names (&self);
      give_meta (&self);
    }

  stria_neuron_rows_free (self.rows);
  stria_ntrace_pairs_free (self.pairs);
  stria_ntrace_memory_free (self.memory);
  stria_clock_sync_free (self.sync);
  stria_event_names_free (self.names);
  g_string_free (self.json, TRUE);
  return good;
}

static gboolean
decode (StriaSource *source, StriaSink *sink, StriaDecodeContext *context, GError **error)
{
  g_auto (StriaPbStream) stream = { 0 };
  g_autoptr (StriaNeuronEmitter) emitter = NULL;

  if (!stria_pb_stream_open (&stream, STRIA_STREAM_EVENTS, source, sink, context, error))
    return FALSE;
  emitter = stria_neuron_emitter_new (sink, NULL);
  return stria_ntrace_decode (&stream, emitter, error);
}

static guint
probe (const char *name, const guint8 *head, gsize length, gboolean whole)
{
  return stria_pb_stream_probe (STRIA_STREAM_EVENTS, "ntrace.pb", name, head, length, whole);
}

const StriaDecoder stria_neuron_ntrace_decoder = {
  .kind = "neuron-ntrace",
  .title = N_("Neuron runtime events"),
  .probe = probe,
  .decode = decode,
};
