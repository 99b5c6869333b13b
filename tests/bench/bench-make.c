/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "bench-make.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "stria-error.h"

#define DEPTH  5
#define FANOUT 3
#define ROOT_NS 6000000
#define BATCH  512

static guint32
next_random (guint64 *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (guint32) (*state >> 33);
}

/* Few names are common and most are rare, as in life */
static guint
random_name (guint64 *state)
{
  double share = (double) next_random (state) / 2147483648.0;

  return (guint) (share * share * share * BENCH_NAMES) % BENCH_NAMES;
}

/* Called for each slice, parents first. */
typedef void (*SliceFunc) (gint64 ts, gint64 dur, guint name, gpointer data);

static void
nest (gint64 ts, gint64 dur, guint depth, guint64 *state, SliceFunc func, gpointer data)
{
  gint64 at = ts;

  func (ts, dur, random_name (state), data);
  if (depth + 1 == DEPTH)
    return;
  for (guint i = 0; i < FANOUT; i++)
    {
      gint64 room = (ts + dur - at) / (FANOUT - i);
      gint64 gap = room / 16 + (gint64) (next_random (state) % (guint) MAX (room / 8, 1));
      gint64 length = room - 2 * gap;

      if (length <= 0)
        return;
      nest (at + gap, length, depth + 1, state, func, data);
      at += room;
    }
}

typedef struct
{
  StriaSink *sink;
  StriaEvent batch[BATCH];
  guint      n_batch;
  guint32    thread;
  guint32    names[BENCH_NAMES];
  guint32    category;
  guint64    seq;
} Feed;

static void
flush (Feed *feed)
{
  feed->sink->events (feed->sink, feed->batch, feed->n_batch);
  feed->n_batch = 0;
}

static void
feed_slice (gint64 ts, gint64 dur, guint name, gpointer data)
{
  Feed *feed = data;

  feed->batch[feed->n_batch++] = (StriaEvent) {
    .kind = STRIA_EVENT_SLICE,
    .ts_ns = ts,
    .dur_ns = dur,
    .thread = feed->thread,
    .name = feed->names[name],
    .category = feed->category,
    .args = STRIA_NO_ARGS,
    .seq = (guint32) feed->seq++,
  };
  if (feed->n_batch == BATCH)
    flush (feed);
}

guint64
bench_feed_columns (StriaSink *sink, guint64 n, guint n_lanes)
{
  g_autofree Feed *feed = g_new0 (Feed, 1);
  guint32 process = sink->process (sink, "1", 1);
  guint64 state = 1;

  feed->sink = sink;
  feed->category = sink->intern (sink, "kernel", 6);
  for (guint i = 0; i < BENCH_NAMES; i++)
    {
      g_autofree char *name = g_strdup_printf ("void kernel_%05u<float, %u, true>(args)", i, i % 7);

      feed->names[i] = sink->intern (sink, name, strlen (name));
    }
  for (guint lane = 0; lane < n_lanes; lane++)
    {
      g_autofree char *key = g_strdup_printf ("%u", 7 + lane);
      guint64 until = n * (lane + 1) / n_lanes;
      gint64 ts = next_random (&state) % 1000000;

      feed->thread = sink->thread (sink, process, key, strlen (key));
      while (feed->seq < until)
        {
          gint64 dur = ROOT_NS / 2 + next_random (&state) % ROOT_NS;

          nest (ts, dur, 0, &state, feed_slice, feed);
          ts += dur + next_random (&state) % (ROOT_NS / 8);
        }
    }
  flush (feed);
  return feed->seq;
}

typedef struct
{
  FILE   *file;
  guint64 bytes;
  guint64 events;
  guint   thread;
} Text;

static void
write_slice (gint64 ts, gint64 dur, guint name, gpointer data)
{
  Text *text = data;
  int n = fprintf (text->file,
                   "%s  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::operator_%05u\", "
                   "\"pid\": 4242, \"tid\": %u,\n    \"ts\": %" G_GINT64_FORMAT ".%03u, "
                   "\"dur\": %" G_GINT64_FORMAT ".%03u,\n    \"args\": {\n      \"External id\": %"
                   G_GUINT64_FORMAT ", \"Record function id\": 0, \"Input Dims\": [[%u, 1024], [1024, "
                   "%u], []], \"Ev Idx\": %" G_GUINT64_FORMAT "\n    }\n  }",
                   text->events > 0 ? ",\n" : "", name, 4242 + text->thread, ts / 1000,
                   (guint) (ts % 1000), dur / 1000, (guint) (dur % 1000), text->events, name % 64,
                   name % 512, text->events);

  text->bytes += (guint64) MAX (n, 0);
  text->events++;
}

guint64
bench_make_trace (const char *path, guint64 bytes, GError **error)
{
  static const guint n_threads = 8;
  Text text = { .file = fopen (path, "wb") };
  guint64 state = 2;
  gint64 ts[8] = { 0 };
  gboolean good;

  if (text.file != NULL)
    {
      text.bytes = (guint64) fprintf (text.file, "{\n  \"schemaVersion\": 1,\n  \"traceEvents\": [\n");
      while (text.bytes < bytes && !ferror (text.file))
        {
          gint64 dur = ROOT_NS / 2 + next_random (&state) % ROOT_NS;

          text.thread = (text.thread + 1) % n_threads;
          nest (G_GINT64_CONSTANT (3000000000000000) + ts[text.thread], dur, 0, &state, write_slice,
                &text);
          ts[text.thread] += dur + next_random (&state) % (ROOT_NS / 8);
        }
      fprintf (text.file, "\n  ],\n  \"traceName\": \"made\"\n}\n");
      good = !ferror (text.file);
      good = fclose (text.file) == 0 && good;
      if (good)
        return text.events;
    }
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, "%s: %s", path, g_strerror (errno));
  return 0;
}
