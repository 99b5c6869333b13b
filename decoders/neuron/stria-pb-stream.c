/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-pb-stream.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "neuron_trace.pb-c.h"
#include "stria-error.h"

/* Up to here a file that can't be mapped is kept in memory, beyond it in a file without a name. */
#define ARENA_LIMIT ((gsize) 128 << 20)
/* Bytes between two looks at the canceller */
#define STEP ((gsize) 1 << 20)
/* Records in a row that are no messages, after which the rest is taken to be something else */
#define MAX_BAD_RUN 4096

/* -- bytes ----------------------------------------------------------------------------------- */

gboolean
stria_pb_stream_load (StriaPbStream *self, StriaStreamKind kind, StriaSource *source,
                      StriaSink *sink, StriaDecodeContext *context, GError **error)
{
  GError *fault = NULL;

  memset (self, 0, sizeof *self);
  self->kind = kind;
  self->context = context;
  self->sink = sink;
  self->schema = stria_proto_schema_get_default ();
  self->arena = stria_proto_arena_new (ARENA_LIMIT);
  if (!stria_mapped_open (&self->bytes, source, context->name, context->cancellable, &fault, error))
    return FALSE;
  /* A compressed stream that ends early was good up to there. */
  if (fault != NULL && !g_error_matches (fault, STRIA_ERROR, STRIA_ERROR_TRUNCATED))
    {
      g_propagate_error (error, fault);
      return FALSE;
    }
  if (fault != NULL)
    stria_notices_add (context->notices, STRIA_SEVERITY_WARNING, "truncated", context->name, -1,
                       "%s", fault->message);
  g_clear_error (&fault);
  self->data = self->bytes.data;
  self->length = self->bytes.length;
  if (self->length > 0)
    return TRUE;
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_EMPTY, _("%s: the file is empty (0 bytes)"),
               context->name);
  return FALSE;
}

void
stria_pb_stream_clear (StriaPbStream *self)
{
  g_clear_pointer (&self->schema, stria_proto_schema_unref);
  g_clear_pointer (&self->arena, stria_proto_arena_free);
  g_clear_pointer (&self->info, stria_trace_info_unref);
  g_clear_pointer (&self->instance, g_free);
  stria_mapped_clear (&self->bytes);
}

/* -- what was found -------------------------------------------------------------------------- */

void
stria_pb_give_number (StriaSink *sink, const char *key, guint64 value)
{
  char number[24];

  sink->meta (sink, key, number,
              (gsize) g_snprintf (number, sizeof number, "%" PRIu64, value));
}

void
stria_pb_stream_place (StriaPbStream *self)
{
  StriaArtifact *artifact
      = self->context->capture != NULL
                && self->context->artifact < stria_capture_get_n_artifacts (self->context->capture)
            ? stria_capture_get_artifact (self->context->capture, self->context->artifact) : NULL;
  g_autofree char *instance = NULL;
  gint64 pid;

  if (self->info != NULL && self->info->instance_id != NULL)
    self->instance = g_strdup (self->info->instance_id);
  if (self->info != NULL && self->info->pid != 0)
    {
      self->pid = self->info->pid;
      self->has_pid = TRUE;
    }
  if (artifact == NULL || (self->instance != NULL && self->has_pid))
    return;
  if (!stria_neuron_path_process (stria_artifact_get_name (artifact), &instance, &pid)
      && !stria_neuron_path_process (stria_artifact_get_path (artifact), &instance, &pid))
    return;
  if (self->instance == NULL)
    self->instance = g_steal_pointer (&instance);
  if (!self->has_pid)
    self->pid = pid;
  self->has_pid = TRUE;
}

static void
say_framing (StriaPbStream *self)
{
  g_autofree char *id = stria_frames_id (&self->frames);
  guint n_made;
  guint passed = stria_frames_passed (&self->frames, &n_made);

  stria_notices_add (self->context->notices, STRIA_SEVERITY_INFO, "neuron-framing",
                     self->context->name, (gint64) self->frames.begin,
                     _("Unofficial format: messages are taken to be framed as %s (%s), which was "
                       "found by trying: score %d, %" PRIu64
                       " messages, %u of %u checks passed"),
                     id, stria_framing_title (self->frames.framing), self->frames.score,
                     self->frames.n_records, passed, n_made);
  if (self->info == NULL)
    stria_notices_add (self->context->notices, STRIA_SEVERITY_INFO, "neuron-no-trace-info",
                       self->context->name, -1,
                       _("There is no trace_info.pb beside it: that its times lie in the session "
                         "and that no message is missing could not be checked"));
}

static gint64
said_count (StriaPbStream *self)
{
  static const StriaTraceFileRole roles[]
      = { STRIA_TRACE_ROLE_EVENTS, STRIA_TRACE_ROLE_CPU, STRIA_TRACE_ROLE_MEMORY };
  const StriaTraceFile *file
      = self->info != NULL ? stria_trace_info_file (self->info, roles[self->kind]) : NULL;

  return file != NULL ? file->n_events : 0;
}

static void
say_differences (StriaPbStream *self)
{
  StriaNotices *notices = self->context->notices;
  const char *name = self->context->name;
  const StriaFrames *frames = &self->frames;

  if (frames->truncated)
    stria_notices_add (notices, STRIA_SEVERITY_WARNING, "truncated", name, (gint64) frames->end,
                       _("The last message is cut off: %" PRIu64
                         " bytes behind the last whole one were passed over"),
                       (guint64) (self->length - frames->end));
  else if (frames->exact == STRIA_VERDICT_PART)
    stria_notices_add (notices, STRIA_SEVERITY_WARNING, "neuron-recovered", name,
                       (gint64) frames->end,
                       _("Recovered format, this file differs: expected another message here, "
                         "found %" PRIu64 " bytes that are none; what is before them is shown"),
                       (guint64) (self->length - frames->end));
  if (frames->count == STRIA_VERDICT_NO)
    stria_notices_add (notices, STRIA_SEVERITY_WARNING, "neuron-count", name, -1,
                       _("Recovered format, this file differs: expected %" PRId64
                         " messages by trace_info.pb, found %" PRIu64),
                       said_count (self), frames->n_records);
  if (frames->session == STRIA_VERDICT_NO)
    stria_notices_add (notices, STRIA_SEVERITY_WARNING, "neuron-session-time", name, -1,
                       _("Recovered format, this file differs: expected times inside the session "
                         "of trace_info.pb, found most of them outside it"));
  if (frames->range == STRIA_VERDICT_NO)
    stria_notices_add (notices, STRIA_SEVERITY_WARNING, "neuron-range", name, -1,
                       _("Recovered format, this file differs: expected percentages of 0 to 100 of "
                         "cores that trace_info.pb counts, found others"));
}

/* A session's message with its events inside (older direct interface) says itself what a
 * trace_info.pb would. */
static StriaTraceInfo *
own_info (StriaPbStream *self)
{
  g_autoptr (StriaTraceInfo) info = stria_trace_info_peek (self->data, self->length, TRUE, NULL);

  return info != NULL && info->n_inline_events > 0 && info->session_begin_ns > 0
         ? g_steal_pointer (&info) : NULL;
}

gboolean
stria_pb_stream_open (StriaPbStream *self, StriaStreamKind kind, StriaSource *source,
                      StriaSink *sink, StriaDecodeContext *context, GError **error)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (StriaFrames));
  g_autofree char *json = NULL;

  if (!stria_pb_stream_load (self, kind, source, sink, context, error))
    return FALSE;
  self->info = stria_trace_info_beside (context);
  if (self->info == NULL && kind == STRIA_STREAM_EVENTS)
    self->info = own_info (self);
  stria_pb_stream_place (self);
  if (!stria_frames_detect (self->schema, kind, self->data, self->length, self->info,
                            context->name, &self->frames, all, error))
    return FALSE;
  /* Trying has touched all of it. */
  stria_mapped_drop (&self->bytes, 0, self->length);
  json = stria_frames_to_json (&self->frames, all);
  sink->meta (sink, "neuron_framing", json, strlen (json));
  say_framing (self);
  say_differences (self);
  return TRUE;
}

/* Content counts; a name alone only says what is damaged. */
guint
stria_pb_stream_probe (StriaStreamKind kind, const char *usual, const char *name,
                       const guint8 *head, gsize length, gboolean whole)
{
  g_autoptr (StriaProtoSchema) schema = NULL;
  g_autofree char *base = g_path_get_basename (name);
  gboolean is_named = g_ascii_strcasecmp (base, usual) == 0;
  guint64 n;

  if (head == NULL || length < 4)
    return is_named && length > 0 ? 25 : 0;
  schema = stria_proto_schema_get_default ();
  n = stria_frames_probe (schema, kind, head, length, whole);
  if (n > 0 && is_named)
    return 90;
  if (n >= 4)
    return 60;
  return is_named ? 25 : 0;
}

/* -- messages -------------------------------------------------------------------------------- */

/* Each of them is of some time; an empty message is what zeros look like. */
static gboolean
has_time (StriaStreamKind kind, gconstpointer message)
{
  switch (kind)
    {
    case STRIA_STREAM_EVENTS:
      return ((const Ntff__NtraceEvent *) message)->timestamp != 0;
    case STRIA_STREAM_CPU:
      return ((const Ntff__CpuUtil *) message)->timestamp != 0
             && isfinite (((const Ntff__CpuUtil *) message)->util);
    default:
      return ((const Ntff__HostMemUsage *) message)->timestamp != 0;
    }
}

static gpointer
unpack (StriaPbStream *self, StriaProtoArena *arena, gsize offset, gsize length,
        StriaProtoReport *report)
{
  gpointer message;

  stria_proto_arena_reset (arena);
  message = stria_proto_unpack (self->schema, stria_stream_descriptor (self->kind), arena,
                                self->data + offset, length, STRIA_PROTO_DEFAULT, report, NULL);
  return report->n_mismatched == 0 && report->n_broken == 0 && message != NULL
             && has_time (self->kind, message)
         ? message : NULL;
}

gpointer
stria_pb_stream_again (StriaPbStream *self, StriaProtoArena *arena, gsize offset, gsize length)
{
  StriaProtoReport report = { 0 };

  return unpack (self, arena, offset, length, &report);
}

static void
say_rejected (StriaPbStream *self, gsize first)
{
  StriaNotices *notices = self->context->notices;

  if (self->n_rejected > 0)
    {
      g_autofree char *message = g_strdup_printf (
          _("Recovered format, this file differs: expected a message of known fields and types, "
            "found another (%" PRIu64 " of %" PRIu64 "); it was left out"),
          self->n_rejected, self->n_rejected + self->n_records);

      stria_notices_count (notices, STRIA_SEVERITY_WARNING, "neuron-recovered",
                           self->context->name, (gint64) first, self->n_rejected, message);
    }
  if (self->n_unknown > 0)
    stria_notices_count (notices, STRIA_SEVERITY_INFO, "neuron-unknown-fields",
                         self->context->name, -1, self->n_unknown,
                         _("Recovered format, this file differs: messages have fields of numbers "
                           "that are not known; the wire view lists them"));
}

gboolean
stria_pb_stream_each (StriaPbStream *self, gboolean last, StriaPbFunc func, gpointer user_data,
                      GError **error)
{
  StriaDecodeContext *context = self->context;
  StriaFrameWalk walk;
  gsize offset, length, looked = 0, first_bad = 0;
  guint run = 0;

  self->n_records = self->n_rejected = self->n_unknown = 0;
  stria_frame_walk_init (&walk, self->schema, self->kind, &self->frames, self->data,
                         MIN (self->frames.end, self->length));
  while (run < MAX_BAD_RUN
         && stria_frame_walk_next (&walk, &offset, &length) == STRIA_FRAME_RECORD)
    {
      StriaProtoReport report = { 0 };
      gpointer message = unpack (self, self->arena, offset, length, &report);

      if (message != NULL)
        {
          self->n_records++;
          self->n_unknown += report.n_unknown;
          run = 0;
          func (message, offset, length, user_data);
        }
      else
        {
          first_bad = self->n_rejected++ == 0 ? offset : first_bad;
          run++;
        }
      if (walk.at - looked < STEP)
        continue;
      stria_mapped_drop (&self->bytes, looked, walk.at);
      looked = walk.at;
      if (last && context->progress != NULL)
        context->progress (looked, self->n_records, context->user_data);
      if (g_cancellable_set_error_if_cancelled (context->cancellable, error))
        return FALSE;
    }
  if (last)
    say_rejected (self, first_bad);
  return TRUE;
}
