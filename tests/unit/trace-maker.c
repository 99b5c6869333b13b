/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "trace-maker.h"

static const char *const stems[] = {
  "aten::add", "aten::mm", "aten::copy_", "gemm_kernel", "ncclAllReduce", "model.py(12): forward",
  "<built-in function linear>", "Memcpy HtoD", "Gr\303\266\303\237e", "a",
};
static const char *const categories[] = { "cpu_op", "kernel", "python_function", "" };

gint64
maker_random (gint64 n)
{
  guint64 r = ((guint64) (guint32) g_test_rand_int () << 32) | (guint32) g_test_rand_int ();

  return n > 0 ? (gint64) (r % (guint64) n) : 0;
}

char *
maker_name (guint name)
{
  return g_strdup_printf ("%s %u", stems[name % G_N_ELEMENTS (stems)], name);
}

TraceMaker *
maker_new (guint n_threads, guint n_names)
{
  TraceMaker *self = g_new0 (TraceMaker, 1);
  guint32 process;

  self->capture = stria_capture_new ("/nowhere/made.json");
  g_autoptr (StriaArtifact) artifact =
    stria_artifact_new ("/nowhere/made.json", NULL, "made.json", 1, 1);
  stria_capture_add_artifact (self->capture, artifact);
  self->sink = stria_capture_open_sink (self->capture, 0);
  self->slices = g_array_new (FALSE, FALSE, sizeof (MakerSlice));
  self->events = g_array_new (FALSE, FALSE, sizeof (StriaEvent));
  self->n_threads = n_threads;
  self->n_names = n_names;
  self->threads = g_new0 (guint32, n_threads);
  self->names = g_new0 (guint32, n_names);
  process = self->sink->process (self->sink, "77", 2);
  for (guint i = 0; i < n_threads; i++)
    {
      g_autofree char *key = g_strdup_printf ("%u", 1000 + i);

      self->threads[i] = self->sink->thread (self->sink, process, key, strlen (key));
    }
  for (guint i = 0; i < n_names; i++)
    {
      g_autofree char *name = maker_name (i);

      self->names[i] = self->sink->intern (self->sink, name, strlen (name));
    }
  for (guint i = 0; i < G_N_ELEMENTS (categories); i++)
    self->categories[i] = self->sink->intern (self->sink, categories[i], strlen (categories[i]));
  return self;
}

void
maker_free (TraceMaker *self)
{
  if (self->sink)
    stria_capture_close_sink (self->capture, self->sink, FALSE);
  g_clear_object (&self->capture);
  g_array_unref (self->slices);
  g_array_unref (self->events);
  g_free (self->threads);
  g_free (self->names);
  g_free (self);
}

void
maker_slice (TraceMaker *self, guint thread, gint64 ts, gint64 dur, guint name, guint flags)
{
  MakerSlice slice = {
    .ts = ts,
    .dur = dur,
    .thread = thread,
    .name = name % self->n_names,
    .category = name % G_N_ELEMENTS (categories),
    .correlation = name % 5 == 0 ? 1 + name : 0,
    .flags = flags,
  };

  g_array_append_val (self->slices, slice);
}

void
maker_event (TraceMaker *self, StriaEvent event)
{
  g_array_append_val (self->events, event);
}

void
maker_nested (TraceMaker *self, guint thread, gint64 t0, gint64 t1, guint depth, guint fanout,
              gint64 grain)
{
  guint n = 1 + maker_random (fanout);
  gint64 t = t0;

  for (guint i = 0; i < n && t <= t1; i++)
    {
      gint64 room = (t1 - t) / grain;
      gint64 start, dur;

      switch (maker_random (8))
        {
        case 0: /* touches the one before, or begins with its parent */
          start = t;
          break;
        default:
          start = t + maker_random (room / (n - i) + 1) * grain;
          break;
        }
      switch (maker_random (12))
        {
        case 0:
          dur = 0;
          break;
        case 1: /* as far as the parent goes */
          dur = t1 - start;
          break;
        default:
          dur = maker_random ((t1 - start) / grain / (n - i) + 1) * grain;
          break;
        }
      maker_slice (self, thread, start, dur, maker_random (self->n_names), 0);
      if (depth > 1 && dur > 0)
        maker_nested (self, thread, start, start + dur, depth - 1, fanout, grain);
      t = start + dur;
      if (dur == 0)
        t += grain;
    }
}

void
maker_chaos (TraceMaker *self, guint thread, gint64 t0, gint64 t1, guint n, gint64 max_dur)
{
  for (guint i = 0; i < n; i++)
    maker_slice (self, thread, t0 + maker_random (t1 - t0), maker_random (max_dur + 1),
                 maker_random (self->n_names), 0);
}

static void
shuffle_slices (GArray *slices)
{
  for (guint i = slices->len; i > 1; i--)
    {
      guint j = maker_random (i);
      MakerSlice *a = &g_array_index (slices, MakerSlice, i - 1);
      MakerSlice *b = &g_array_index (slices, MakerSlice, j);
      MakerSlice c = *a;

      *a = *b;
      *b = c;
    }
}

static StriaEvent
slice_to_event (TraceMaker *self, MakerSlice *slice, guint32 seq)
{
  StriaEvent event = {
    .ts_ns = slice->ts,
    .dur_ns = slice->dur,
    .correlation = slice->correlation,
    .args = STRIA_NO_ARGS,
    .thread = self->threads[slice->thread],
    .name = self->names[slice->name],
    .category = self->categories[slice->category],
    .seq = seq,
    .kind = STRIA_EVENT_SLICE,
    .flags = slice->flags,
  };

  slice->seq = seq;
  if (seq % 3 == 0)
    {
      g_autofree char *text = g_strdup_printf ("{\"n\": %u}", seq);

      event.args = self->sink->args (self->sink, seq, text, strlen (text));
    }
  return event;
}

StriaTrace *
maker_finish (TraceMaker *self, gboolean shuffle)
{
  g_autoptr (GArray) batch = g_array_new (FALSE, FALSE, sizeof (StriaEvent));
  guint limit = 1 + maker_random (5000);
  guint32 seq = 0;
  guint64 taken;

  if (shuffle)
    shuffle_slices (self->slices);
  for (guint i = 0; i < self->slices->len; i++)
    {
      StriaEvent event = slice_to_event (self, &g_array_index (self->slices, MakerSlice, i), seq++);

      g_array_append_val (batch, event);
      if (batch->len >= limit)
        {
          self->sink->events (self->sink, (StriaEvent *) batch->data, batch->len);
          g_array_set_size (batch, 0);
        }
    }
  for (guint i = 0; i < self->events->len; i++)
    {
      StriaEvent event = g_array_index (self->events, StriaEvent, i);

      event.seq = seq++;
      event.args = STRIA_NO_ARGS;
      event.name = self->names[event.name];
      if (event.thread != STRIA_NO_THREAD)
        event.thread = self->threads[event.thread];
      g_array_append_val (batch, event);
    }
  if (batch->len > 0)
    self->sink->events (self->sink, (StriaEvent *) batch->data, batch->len);
  taken = stria_capture_close_sink (self->capture, g_steal_pointer (&self->sink), TRUE);
  g_assert_cmpuint (taken, ==, seq);
  return stria_capture_ref_trace (self->capture);
}

GArray *
maker_find (TraceMaker *self, StriaTrace *trace, guint thread)
{
  GArray *refs = g_array_new (FALSE, FALSE, sizeof (StriaRef));
  g_autofree char *key = g_strdup_printf ("%u", 1000 + thread);

  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      StriaLaneKind kind = stria_lane_get_kind (lane);

      if (!g_str_equal (stria_lane_get_key (lane), key))
        continue;
      if (kind != STRIA_LANE_SLICES && kind != STRIA_LANE_ANNOTATIONS && kind != STRIA_LANE_OVERFLOW)
        continue;
      for (guint64 i = 0; i < stria_lane_get_n_events (lane); i++)
        {
          StriaRef ref = { l, (guint32) i };

          g_array_append_val (refs, ref);
        }
    }
  return refs;
}
