/* SPDX-License-Identifier: Apache-2.0 */
/* What a decoder said must all be in the lanes: nothing lost, nothing changed, nested as the times
 * say. Random traces against oracles that look at every event. */
#include "config.h"

#include "trace-maker.h"

/* Rounding of clocks that may be drawn clipped instead of sent to another lane */
#define SLACK_NS 2000

static int
compare_slices (gconstpointer a, gconstpointer b)
{
  const MakerSlice *x = a;
  const MakerSlice *y = b;

  if (x->ts != y->ts)
    return x->ts < y->ts ? -1 : 1;
  if (x->dur != y->dur)
    return x->dur > y->dur ? -1 : 1;
  return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static int
compare_by_seq (gconstpointer a, gconstpointer b)
{
  const MakerSlice *x = a;
  const MakerSlice *y = b;

  return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* What stands in the lanes, in the maker's terms and in file order */
static GArray *
slices_of (TraceMaker *maker, StriaTrace *trace)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (MakerSlice));

  for (guint t = 0; t < maker->n_threads; t++)
    {
      g_autoptr (GArray) refs = maker_find (maker, trace, t);

      for (guint i = 0; i < refs->len; i++)
        {
          StriaRef ref = g_array_index (refs, StriaRef, i);
          const StriaColumns *c =
            stria_lane_get_columns (stria_trace_get_lane (trace, ref.lane));
          MakerSlice slice = {
            .ts = c->start[ref.index],
            .dur = c->dur[ref.index],
            .thread = t,
            .seq = c->seq[ref.index],
            .flags = c->flags[ref.index],
            .correlation = c->correlation ? c->correlation[ref.index] : 0,
          };
          const char *name = stria_trace_get_string (trace, c->name[ref.index]);

          slice.name = g_ascii_strtoull (strrchr (name, ' ') + 1, NULL, 10);
          slice.category = c->category[ref.index];
          g_array_append_val (out, slice);
        }
    }
  g_array_sort (out, compare_by_seq);
  return out;
}

static void
check_nothing_lost (TraceMaker *maker, StriaTrace *trace)
{
  g_autoptr (GArray) got = slices_of (maker, trace);

  g_assert_cmpuint (got->len, ==, maker->slices->len);
  for (guint i = 0; i < got->len; i++)
    {
      const MakerSlice *a = &g_array_index (maker->slices, MakerSlice, i);
      const MakerSlice *b = &g_array_index (got, MakerSlice, i);
      static const char *const categories[] = { "cpu_op", "kernel", "python_function", "" };

      g_assert_cmpuint (a->seq, ==, b->seq);
      g_assert_cmpint (a->ts, ==, b->ts);
      g_assert_cmpint (a->dur, ==, b->dur);
      g_assert_cmpuint (a->thread, ==, b->thread);
      g_assert_cmpuint (a->name, ==, b->name);
      g_assert_cmpuint (a->correlation, ==, b->correlation);
      g_assert_cmpstr (stria_trace_get_category (trace, b->category), ==, categories[a->category]);
    }
}

static void
check_args (TraceMaker *maker, StriaTrace *trace)
{
  for (guint t = 0; t < maker->n_threads; t++)
    {
      g_autoptr (GArray) refs = maker_find (maker, trace, t);

      for (guint i = 0; i < refs->len; i++)
        {
          StriaRef ref = g_array_index (refs, StriaRef, i);
          guint32 seq = stria_lane_get_columns (stria_trace_get_lane (trace, ref.lane))->seq[ref.index];
          g_autoptr (GError) error = NULL;
          g_autoptr (GBytes) args = stria_trace_get_args (trace, ref, &error);
          g_autofree char *expected = g_strdup_printf ("{\"n\": %u}", seq);

          g_assert_no_error (error);
          if (seq % 3 == 0)
            g_assert_cmpmem (g_bytes_get_data (args, NULL), g_bytes_get_size (args), expected,
                             strlen (expected));
          else
            g_assert_null (args);
        }
    }
}

/* The promises of stria-lane.h about rows, parents and children */
static void
check_lane (StriaLane *lane)
{
  const StriaColumns *c = stria_lane_get_columns (lane);
  guint64 covered = 0;

  for (guint32 row = 0; row < stria_lane_get_n_rows (lane); row++)
    {
      guint64 begin, end;

      stria_lane_get_row (lane, row, &begin, &end);
      g_assert_cmpuint (begin, ==, covered);
      covered = end;
      for (guint64 i = begin; i < end; i++)
        {
          guint64 first, last;

          g_assert_cmpuint (stria_lane_row_of (lane, i), ==, row);
          if (i > begin)
            {
              g_assert_cmpint (c->start[i - 1], <=, c->start[i]);
              g_assert_cmpint (stria_lane_drawn_end (lane, i - 1), <=, c->start[i]);
              g_assert_cmpint (c->start[i - 1] + c->dur[i - 1] - c->start[i], <=, SLACK_NS);
            }
          stria_lane_children (lane, i, &first, &last);
          for (guint64 k = first; k < last; k++)
            {
              g_assert_cmpuint (stria_lane_row_of (lane, k), ==, row + 1);
              g_assert_cmpuint (c->parent[k], ==, i);
            }
          if (row == 0)
            {
              g_assert_cmpuint (c->parent[i], ==, G_MAXUINT32);
            }
          else if (c->parent[i] != G_MAXUINT32)
            {
              guint32 p = c->parent[i];

              g_assert_cmpuint (stria_lane_row_of (lane, p), ==, row - 1);
              g_assert_cmpint (c->dur[p], >, 0);
              g_assert_cmpint (c->start[p], <=, c->start[i]);
              g_assert_cmpint (c->start[i] + c->dur[i] - c->start[p] - c->dur[p], <=, SLACK_NS);
              stria_lane_children (lane, p, &first, &last);
              g_assert_cmpuint (first, <=, i);
              g_assert_cmpuint (i, <, last);
            }
        }
    }
  g_assert_cmpuint (covered, ==, c->n);
}

static void
check_lanes (StriaTrace *trace)
{
  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      StriaLaneKind kind = stria_lane_get_kind (lane);

      if (kind == STRIA_LANE_SLICES || kind == STRIA_LANE_ANNOTATIONS || kind == STRIA_LANE_OVERFLOW)
        check_lane (lane);
    }
}

/* Depth and parent of every slice of a properly nested thread, by a stack over the sorted list */
static void
check_depths (TraceMaker *maker, StriaTrace *trace, guint thread)
{
  g_autoptr (GArray) mine = g_array_new (FALSE, FALSE, sizeof (MakerSlice));
  g_autoptr (GArray) refs = maker_find (maker, trace, thread);
  g_autoptr (GHashTable) row_of_seq = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) parent_of_seq = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (MakerSlice));

  for (guint i = 0; i < refs->len; i++)
    {
      StriaRef ref = g_array_index (refs, StriaRef, i);
      StriaLane *lane = stria_trace_get_lane (trace, ref.lane);
      const StriaColumns *c = stria_lane_get_columns (lane);
      guint32 parent = c->parent[ref.index];

      g_assert_cmpint (stria_lane_get_kind (lane), ==, STRIA_LANE_SLICES);
      g_hash_table_insert (row_of_seq, GUINT_TO_POINTER (c->seq[ref.index] + 1),
                           GUINT_TO_POINTER (stria_lane_row_of (lane, ref.index)));
      g_hash_table_insert (parent_of_seq, GUINT_TO_POINTER (c->seq[ref.index] + 1),
                           GUINT_TO_POINTER (parent == G_MAXUINT32 ? 0 : c->seq[parent] + 1));
    }
  for (guint i = 0; i < maker->slices->len; i++)
    if (g_array_index (maker->slices, MakerSlice, i).thread == thread)
      g_array_append_val (mine, g_array_index (maker->slices, MakerSlice, i));
  g_array_sort (mine, compare_slices);
  for (guint i = 0; i < mine->len; i++)
    {
      const MakerSlice *s = &g_array_index (mine, MakerSlice, i);

      while (stack->len > 0)
        {
          const MakerSlice *top = &g_array_index (stack, MakerSlice, stack->len - 1);

          if (top->ts + top->dur > s->ts)
            break;
          /* a slice without width at the very end of another is still inside of it only if the
           * other has not ended; ended means end <= ts */
          g_array_set_size (stack, stack->len - 1);
        }
      g_assert_cmpuint (GPOINTER_TO_UINT (g_hash_table_lookup (row_of_seq, GUINT_TO_POINTER (s->seq + 1))),
                        ==, stack->len);
      g_assert_cmpuint (GPOINTER_TO_UINT (g_hash_table_lookup (parent_of_seq, GUINT_TO_POINTER (s->seq + 1))),
                        ==, stack->len == 0 ? 0 : g_array_index (stack, MakerSlice, stack->len - 1).seq + 1);
      if (s->dur > 0)
        g_array_append_val (stack, *s);
    }
}

static void
test_nested (void)
{
  static const gint64 grains[] = { 1, 1, 1000, 7 };

  for (guint round = 0; round < 12; round++)
    {
      guint n = 1 + maker_random (4);
      g_autoptr (TraceMaker) maker = maker_new (n, 1 + maker_random (60));

      for (guint t = 0; t < n; t++)
        maker_nested (maker, t, maker_random (1000) * 1000, 1000000 + maker_random (100000000), 7, 6,
                      grains[round % G_N_ELEMENTS (grains)]);
      g_autoptr (StriaTrace) trace = maker_finish (maker, round % 2);
      check_nothing_lost (maker, trace);
      check_lanes (trace);
      check_args (maker, trace);
      for (guint t = 0; t < n; t++)
        check_depths (maker, trace, t);
    }
}

static void
test_chaos (void)
{
  for (guint round = 0; round < 12; round++)
    {
      g_autoptr (TraceMaker) maker = maker_new (2, 30);

      maker_chaos (maker, 0, 0, 1000000, 1500, round < 6 ? 100000 : 900);
      maker_chaos (maker, 1, -5000, 5000, 700, 40);
      g_autoptr (StriaTrace) trace = maker_finish (maker, FALSE);
      check_nothing_lost (maker, trace);
      check_lanes (trace);
    }
}

/* The overlap that traces with Python stacks have: an annotation that opens inside one frame and
 * closes in another gets a lane of its own and leaves the frames alone. */
static void
test_annotation (void)
{
  g_autoptr (TraceMaker) maker = maker_new (1, 10);

  maker_slice (maker, 0, 0, 10000000, 1, 0);
  maker_slice (maker, 0, 1000000, 49700, 2, 0);
  maker_slice (maker, 0, 1028800, 6195141, 3, STRIA_EVENT_ANNOTATION);
  maker_slice (maker, 0, 2000000, 500000, 4, 0);
  maker_slice (maker, 0, 7000000, 500000, 5, 0);
  g_autoptr (StriaTrace) trace = maker_finish (maker, FALSE);
  check_nothing_lost (maker, trace);
  check_lanes (trace);
  g_autoptr (GArray) refs = maker_find (maker, trace, 0);
  for (guint i = 0; i < refs->len; i++)
    {
      StriaRef ref = g_array_index (refs, StriaRef, i);
      StriaLane *lane = stria_trace_get_lane (trace, ref.lane);
      guint32 seq = stria_lane_get_columns (lane)->seq[ref.index];

      g_assert_cmpint (stria_lane_get_kind (lane), ==,
                       seq == 2 ? STRIA_LANE_ANNOTATIONS : STRIA_LANE_SLICES);
      if (seq != 2)
        g_assert_cmpuint (stria_lane_row_of (lane, ref.index), ==, seq == 0 ? 0 : 1);
    }
}

/* A child that outlasts its parent by rounding stays where it is; its true time is kept. */
static void
test_rounding (void)
{
  g_autoptr (TraceMaker) maker = maker_new (1, 10);

  maker_slice (maker, 0, 10000, 3000, 1, 0);
  maker_slice (maker, 0, 12000, 2000, 2, 0);
  maker_slice (maker, 0, 14000, 1000, 3, 0);
  g_autoptr (StriaTrace) trace = maker_finish (maker, FALSE);
  check_nothing_lost (maker, trace);
  check_lanes (trace);
  g_autoptr (GArray) refs = maker_find (maker, trace, 0);
  for (guint i = 0; i < refs->len; i++)
    {
      StriaRef ref = g_array_index (refs, StriaRef, i);
      StriaLane *lane = stria_trace_get_lane (trace, ref.lane);
      guint32 seq = stria_lane_get_columns (lane)->seq[ref.index];

      g_assert_cmpint (stria_lane_get_kind (lane), ==, STRIA_LANE_SLICES);
      g_assert_cmpuint (stria_lane_row_of (lane, ref.index), ==, seq == 1 ? 1 : 0);
    }
}

static StriaEvent
event (StriaEventKind kind, guint thread, gint64 ts, guint name)
{
  return (StriaEvent) { .kind = kind, .thread = thread, .ts_ns = ts, .name = name };
}

static const StriaColumns *
only_lane (StriaTrace *trace, StriaLaneKind kind, StriaLane **out)
{
  StriaLane *found = NULL;

  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);

      if (stria_lane_get_kind (lane) == kind)
        {
          g_assert_null (found);
          found = lane;
        }
    }
  g_assert_nonnull (found);
  if (out)
    *out = found;
  return stria_lane_get_columns (found);
}

/* Begin and end pairs: nested, out of order in the file, an end without a begin, a begin without an
 * end, an end that names an outer one. */
static void
test_begin_end (void)
{
  g_autoptr (TraceMaker) maker = maker_new (1, 10);
  StriaLane *lane;
  gint64 dur_of[10];
  guint seen = 0;

  for (guint i = 0; i < G_N_ELEMENTS (dur_of); i++)
    dur_of[i] = -1;
  maker_event (maker, event (STRIA_EVENT_END, 0, 50, 9));       /* nothing is open */
  maker_event (maker, event (STRIA_EVENT_BEGIN, 0, 100, 1));
  maker_event (maker, event (STRIA_EVENT_BEGIN, 0, 200, 2));
  maker_event (maker, event (STRIA_EVENT_END, 0, 300, 2));
  maker_event (maker, event (STRIA_EVENT_BEGIN, 0, 400, 3));
  maker_event (maker, event (STRIA_EVENT_BEGIN, 0, 450, 4));
  maker_event (maker, event (STRIA_EVENT_END, 0, 500, 3));      /* closes 4 above it too */
  maker_event (maker, event (STRIA_EVENT_END, 0, 1000, 1));
  maker_event (maker, event (STRIA_EVENT_BEGIN, 0, 1100, 5));   /* never ends */
  maker_event (maker, event (STRIA_EVENT_END, 0, 1300, 6));     /* written before its begin */
  maker_event (maker, event (STRIA_EVENT_BEGIN, 0, 1200, 6));
  maker_event (maker, event (STRIA_EVENT_INSTANT, 0, 2000, 7));
  g_autoptr (StriaTrace) trace = maker_finish (maker, FALSE);
  const StriaColumns *c = only_lane (trace, STRIA_LANE_SLICES, &lane);
  for (guint64 i = 0; i < c->n; i++)
    {
      const char *name = stria_trace_get_string (trace, c->name[i]);
      guint n = g_ascii_strtoull (strrchr (name, ' ') + 1, NULL, 10);

      dur_of[n] = c->dur[i];
      g_assert_cmpint ((c->flags[i] & STRIA_EVENT_UNFINISHED) != 0, ==, n == 5);
      seen++;
    }
  g_assert_cmpuint (seen, ==, 6);
  g_assert_cmpint (dur_of[1], ==, 900);
  g_assert_cmpint (dur_of[2], ==, 100);
  g_assert_cmpint (dur_of[3], ==, 100);
  g_assert_cmpint (dur_of[4], ==, 50);
  g_assert_cmpint (dur_of[5], ==, 900);
  g_assert_cmpint (dur_of[6], ==, 100);
  check_lane (lane);
}

static void
test_counters (void)
{
  g_autoptr (TraceMaker) maker = maker_new (1, 10);
  double min, max;
  StriaLane *lane;

  for (guint i = 0; i < 500; i++)
    {
      StriaEvent e = event (STRIA_EVENT_COUNTER, 0, ((i * 7919) % 500) * 10, 1);

      e.value = (double) ((i * 7919) % 500) - 100.5;
      e.extra = 0;
      maker_event (maker, e);
    }
  g_autoptr (StriaTrace) trace = maker_finish (maker, FALSE);
  const StriaColumns *c = only_lane (trace, STRIA_LANE_COUNTER, &lane);
  g_assert_cmpuint (c->n, ==, 500);
  for (guint64 i = 0; i < c->n; i++)
    {
      g_assert_cmpint (c->start[i], ==, (gint64) i * 10);
      g_assert_cmpfloat (c->value[i], ==, (double) i - 100.5);
    }
  stria_lane_get_value_range (lane, &min, &max);
  g_assert_cmpfloat (min, ==, -100.5);
  g_assert_cmpfloat (max, ==, 398.5);
  g_assert_cmpuint (stria_lane_sample_at (lane, -1), ==, G_MAXUINT64);
  g_assert_cmpuint (stria_lane_sample_at (lane, 0), ==, 0);
  g_assert_cmpuint (stria_lane_sample_at (lane, 99), ==, 9);
  g_assert_cmpuint (stria_lane_sample_at (lane, G_MAXINT64), ==, 499);
}

static StriaEvent
flow (StriaEventKind kind, guint thread, gint64 ts, guint64 id, guint flags)
{
  return (StriaEvent) { .kind = kind, .thread = thread, .ts_ns = ts, .name = 0, .id = id,
                        .flags = flags };
}

static gint64
start_of (StriaTrace *trace, StriaRef ref)
{
  g_assert_false (stria_ref_is_none (ref));
  return stria_lane_get_columns (stria_trace_get_lane (trace, ref.lane))->start[ref.index];
}

/* One launch to three kernels, a pair that runs backwards, an end without a start, an end that binds
 * to the next slice. */
static void
test_flows (void)
{
  g_autoptr (TraceMaker) maker = maker_new (2, 10);
  const StriaFlow *flows;
  gsize n;
  guint fans = 0, backwards = 0, next = 0;

  maker_slice (maker, 0, 1000, 1000, 1, 0);
  maker_slice (maker, 0, 1200, 100, 2, 0);
  maker_slice (maker, 0, 9000, 100, 3, 0);
  for (guint i = 0; i < 3; i++)
    maker_slice (maker, 1, 3000 + 1000 * i, 500, 4 + i, 0);
  maker_slice (maker, 1, 8000, 500, 7, 0);
  maker_slice (maker, 1, 20000, 500, 8, 0);

  maker_event (maker, flow (STRIA_EVENT_FLOW_START, 0, 1250, 1, 0));
  for (guint i = 0; i < 3; i++)
    maker_event (maker, flow (STRIA_EVENT_FLOW_END, 1, 3000 + 1000 * i, 1, STRIA_EVENT_BIND_ENCLOSING));
  maker_event (maker, flow (STRIA_EVENT_FLOW_START, 0, 9000, 2, 0));
  maker_event (maker, flow (STRIA_EVENT_FLOW_END, 1, 8000, 2, STRIA_EVENT_BIND_ENCLOSING));
  maker_event (maker, flow (STRIA_EVENT_FLOW_END, 1, 8000, 99, STRIA_EVENT_BIND_ENCLOSING));
  maker_event (maker, flow (STRIA_EVENT_FLOW_START, 0, 1100, 3, 0));
  maker_event (maker, flow (STRIA_EVENT_FLOW_END, 1, 15000, 3, 0));
  g_autoptr (StriaTrace) trace = maker_finish (maker, FALSE);
  flows = stria_trace_get_flows (trace, &n);
  g_assert_cmpuint (n, ==, 5);
  for (gsize i = 0; i < n; i++)
    {
      gint64 from = start_of (trace, flows[i].from);
      gint64 to = start_of (trace, flows[i].to);

      g_assert_cmpuint (flows[i].backwards, ==, to < from);
      fans += from == 1200 && to >= 3000 && to <= 5000;
      backwards += from == 9000 && to == 8000;
      next += from == 1000 && to == 20000;
    }
  g_assert_cmpuint (fans, ==, 3);
  g_assert_cmpuint (backwards, ==, 1);
  g_assert_cmpuint (next, ==, 1);
  g_assert_cmpuint (stria_trace_get_unbound_flows (trace), ==, 1);
  g_autoptr (GArray) of = stria_trace_flows_of (trace, flows[0].from);
  g_assert_cmpuint (of->len, >=, 1);
}

/* Strays at 0 far from a dense window do not make it a pixel wide at first sight. */
static void
test_view_range (void)
{
  gint64 base = G_GINT64_CONSTANT (1600000000000000000);
  gint64 start, end;

  for (guint with_stray = 0; with_stray < 2; with_stray++)
    {
      g_autoptr (TraceMaker) maker = maker_new (1, 10);

      for (guint i = 0; i < 3000; i++)
        maker_slice (maker, 0, base + i * 10000, 9000, i, 0);
      if (with_stray)
        maker_slice (maker, 0, 1, 0, 1, 0);
      g_autoptr (StriaTrace) trace = maker_finish (maker, TRUE);
      g_assert_true (stria_trace_get_range (trace, &start, &end));
      g_assert_cmpint (start, ==, with_stray ? 1 : base);
      g_assert_cmpint (end, ==, base + 2999 * 10000 + 9000);
      g_assert_true (stria_trace_get_view_range (trace, &start, &end));
      g_assert_cmpint (start, <=, base);
      g_assert_cmpint (start, >, base - G_GINT64_CONSTANT (1000000000));
      g_assert_cmpint (end, >=, base + 2999 * 10000 + 9000);
      g_assert_cmpint (end, <, base + G_GINT64_CONSTANT (1000000000));
    }
}

/* Files whose clocks began weeks apart: what is shown first is the busiest of them, not an empty window.
 * A program that works now and then is shown whole. */
static void
test_scattered (void)
{
  const gint64 week = G_GINT64_CONSTANT (604800000000000);
  gint64 start, end;

  for (guint rhythm = 0; rhythm < 2; rhythm++)
    {
      g_autoptr (TraceMaker) maker = maker_new (1, 10);
      const guint bursts = rhythm ? 20 : 2;

      for (guint burst = 0; burst < bursts; burst++)
        for (guint i = 0; i < 100 * (burst + 1); i++)
          maker_slice (maker, 0, 1000 + burst * week + i * 10000, 9000, i, 0);
      g_autoptr (StriaTrace) trace = maker_finish (maker, TRUE);
      g_assert_true (stria_trace_get_range (trace, &start, &end));
      g_assert_cmpint (start, ==, 1000);
      g_assert_cmpint (end, ==, 1000 + (bursts - 1) * week + (100 * bursts - 1) * 10000 + 9000);
      g_assert_true (stria_trace_get_view_range (trace, &start, &end));
      g_assert_cmpint (start, ==, rhythm ? 1000 : 1000 + week);
      g_assert_cmpint (end, ==, 1000 + (bursts - 1) * week + (100 * bursts - 1) * 10000 + 9000);
    }
}

static void
test_empty (void)
{
  g_autoptr (TraceMaker) maker = maker_new (3, 1);
  gint64 start, end;

  g_autoptr (StriaTrace) trace = maker_finish (maker, FALSE);
  g_assert_nonnull (trace);
  g_assert_cmpuint (stria_trace_get_n_events (trace), ==, 0);
  g_assert_false (stria_trace_get_range (trace, &start, &end));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/builder/nested", test_nested);
  g_test_add_func ("/builder/chaos", test_chaos);
  g_test_add_func ("/builder/annotation", test_annotation);
  g_test_add_func ("/builder/rounding", test_rounding);
  g_test_add_func ("/builder/begin-end", test_begin_end);
  g_test_add_func ("/builder/counters", test_counters);
  g_test_add_func ("/builder/flows", test_flows);
  g_test_add_func ("/builder/view-range", test_view_range);
  g_test_add_func ("/builder/scattered", test_scattered);
  g_test_add_func ("/builder/empty", test_empty);
  return g_test_run ();
}
