/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of the host (cpu_util.pb, host_mem.pb): recovered messages in a framing that is found by
 * trying. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "neuron_trace.pb-c.h"
#include "stria-neuron-system.h"
#include "stria-pb-stream.h"

/* The recorder stops after so many samples (recovered; another reading of it is a period). */
#define RECORDER_LIMIT 10000
/* Usual distances between samples that the last one may be away from the session's end */
#define END_DISTANCES 20

typedef struct
{
  StriaPbStream stream;
  StriaNeuronRows *rows;
  guint64 first;
  guint64 last;
  guint64 step;     /* smallest distance of two times that follow each other */
  guint64 before;
  guint64 n_times;  /* distinct, in the order of the file */
  float max;
} Samples;

static void
take_time (Samples *self, guint64 ns)
{
  if (self->n_times == 0 || ns != self->before)
    {
      if (self->n_times > 0 && ns > self->before
          && (self->step == 0 || ns - self->before < self->step))
        self->step = ns - self->before;
      self->n_times++;
    }
  self->before = ns;
  self->first = self->n_times == 1 ? ns : MIN (self->first, ns);
  self->last = MAX (self->last, ns);
}

/* Columns 3 and on: where a sample is from */
static void
write_place (Samples *self, guint column)
{
  const StriaPbStream *stream = &self->stream;

  if (stream->instance != NULL)
    stria_neuron_rows_text (self->rows, column, stream->instance, -1);
  if (stream->info != NULL && stream->info->has_ultraserver)
    {
      stria_neuron_rows_int (self->rows, column + 1, (gint64) stream->info->ultraserver_id);
      stria_neuron_rows_int (self->rows, column + 2, stream->info->ultraserver_index);
    }
  if (stream->has_pid)
    stria_neuron_rows_int (self->rows, column + 3, stream->pid);
  stria_neuron_rows_end (self->rows);
}

static void
take_cpu (gconstpointer message, gsize offset, gsize length, gpointer user_data)
{
  const Ntff__CpuUtil *sample = message;
  Samples *self = user_data;
  char cpu[16];

  take_time (self, sample->timestamp);
  self->max = MAX (self->max, sample->util);
  stria_neuron_rows_int (self->rows, 0, (gint64) MIN (sample->timestamp, (guint64) G_MAXINT64));
  stria_neuron_rows_real (self->rows, 1, (double) sample->util);
  g_snprintf (cpu, sizeof cpu, "%u", sample->cpu_id);
  stria_neuron_rows_text (self->rows, 2, cpu, -1);
  write_place (self, 3);
}

/* Whether it is the process's memory or the machine's is disputed; it is given as recorded. */
static void
take_memory (gconstpointer message, gsize offset, gsize length, gpointer user_data)
{
  const Ntff__HostMemUsage *sample = message;
  Samples *self = user_data;
  guint64 capacity = self->stream.info != NULL ? self->stream.info->mem_capacity : 0;

  take_time (self, sample->timestamp);
  stria_neuron_rows_int (self->rows, 0, (gint64) MIN (sample->timestamp, (guint64) G_MAXINT64));
  stria_neuron_rows_int (self->rows, 1, (gint64) MIN (sample->usage, (guint64) G_MAXINT64));
  if (capacity > 0)
    stria_neuron_rows_real (self->rows, 2, (double) sample->usage / (double) capacity * 100);
  write_place (self, 3);
}

static void
say_end (Samples *self)
{
  const StriaPbStream *stream = &self->stream;
  guint64 end = stream->info != NULL ? stream->info->session_end_ns : 0;

  if (self->step == 0 || end <= self->last || (end - self->last) / END_DISTANCES < self->step)
    return;
  stria_notices_add (stream->context->notices, STRIA_SEVERITY_WARNING, "neuron-samples-end",
                     stream->context->name, -1,
                     self->n_times >= RECORDER_LIMIT
                       ? _("The last sample is %.1f s before the session's end (%" PRIu64
                           " times sampled): the recorder takes 10000 samples at most")
                       : _("The last sample is %.1f s before the session's end (%" PRIu64
                           " times sampled)"),
                     (double) (end - self->last) / 1e9, self->n_times);
}

static void
give_facts (Samples *self, StriaSink *sink)
{
  const StriaPbStream *stream = &self->stream;

  stria_pb_give_number (sink, "neuron_records", stream->n_records);
  stria_pb_give_number (sink, "neuron_records_rejected", stream->n_rejected);
  if (stream->kind == STRIA_STREAM_MEMORY)
    {
      sink->meta (sink, "neuron_host_memory", "\"as recorded\"", 13);
      if (stream->info != NULL && stream->info->mem_capacity > 0)
        stria_pb_give_number (sink, "neuron_host_memory_capacity", stream->info->mem_capacity);
      return;
    }
  sink->meta (sink, "neuron_cpu_range", self->max <= 1 ? "\"0..1\"" : "\"0..100\"",
              self->max <= 1 ? 6 : 8);
  if (self->max <= 1 && self->max > 0)
    stria_notices_add (stream->context->notices, STRIA_SEVERITY_INFO, "neuron-cpu-range",
                       stream->context->name, -1,
                       _("All CPU utilizations lie in 0..1: they are shown as recorded, in percent "
                         "(recovered), and may be fractions"));
}

static gboolean
decode (StriaStreamKind kind, const char *table, const char *const *names, StriaPbFunc func,
        StriaSource *source, StriaSink *sink, StriaDecodeContext *context, GError **error)
{
  Samples self = { 0 };
  gboolean good = stria_pb_stream_open (&self.stream, kind, source, sink, context, error);

  if (good)
    {
      g_autoptr (StriaNeuronEmitter) emitter = stria_neuron_emitter_new (sink, NULL);

      self.rows = stria_neuron_rows_new (emitter, table, names);
      good = stria_pb_stream_each (&self.stream, TRUE, func, &self, error);
      stria_neuron_rows_free (self.rows);
    }
  if (good)
    {
      say_end (&self);
      give_facts (&self, sink);
    }
  stria_pb_stream_clear (&self.stream);
  return good;
}

static gboolean
decode_cpu (StriaSource *source, StriaSink *sink, StriaDecodeContext *context, GError **error)
{
  static const char *const names[]
      = { "timestamp", "util_percent", "cpu_id", "instance_id", "ultraserver_id",
          "ultraserver_instance_index", "process_id:i", NULL };

  return decode (STRIA_STREAM_CPU, "CpuUsage", names, take_cpu, source, sink, context, error);
}

static gboolean
decode_memory (StriaSource *source, StriaSink *sink, StriaDecodeContext *context, GError **error)
{
  static const char *const names[]
      = { "timestamp", "used_bytes", "used_percent", "instance_id", "ultraserver_id",
          "ultraserver_instance_index", "process_id:i", NULL };

  return decode (STRIA_STREAM_MEMORY, "HostMemUsage", names, take_memory, source, sink, context,
                 error);
}

static guint
probe_cpu (const char *name, const guint8 *head, gsize length, gboolean whole)
{
  return stria_pb_stream_probe (STRIA_STREAM_CPU, "cpu_util.pb", name, head, length, whole);
}

static guint
probe_memory (const char *name, const guint8 *head, gsize length, gboolean whole)
{
  return stria_pb_stream_probe (STRIA_STREAM_MEMORY, "host_mem.pb", name, head, length, whole);
}

const StriaDecoder stria_neuron_cpu_decoder = {
  .kind = "neuron-cpu-util",
  .title = N_("Neuron host CPU samples"),
  .probe = probe_cpu,
  .decode = decode_cpu,
};

const StriaDecoder stria_neuron_memory_decoder = {
  .kind = "neuron-host-mem",
  .title = N_("Neuron host memory samples"),
  .probe = probe_memory,
  .decode = decode_memory,
};
