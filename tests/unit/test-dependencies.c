/* SPDX-License-Identifier: Apache-2.0 */
/* Chains against walks that look at every arrow of the trace, on random graphs. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "stria-dependencies.h"
#include "trace-maker.h"

#define N_THREADS 6
#define N_SLICES  60

typedef struct
{
  gint64 start;
  gint64 end;
} Span;

static Span
span_of (StriaTrace *trace, StriaRef ref)
{
  const StriaColumns *c = stria_lane_get_columns (stria_trace_get_lane (trace, ref.lane));

  return (Span){ c->start[ref.index], c->start[ref.index] + c->dur[ref.index] };
}

static gint64
start_of (guint thread, guint i)
{
  return 1000 + i * 100 + thread * 7;
}

/* Arrows between any two slices, mostly forward in time; some twice, some to themselves. Slices get
 * none of the names that are divisible by five, which the maker gives a correlation. */
static StriaTrace *
random_trace (TraceMaker *maker, guint n_arrows)
{
  for (guint t = 0; t < N_THREADS; t++)
    for (guint i = 0; i < N_SLICES; i++)
      maker_slice (maker, t, start_of (t, i), 10 + maker_random (80), 1 + maker_random (4), 0);
  for (guint a = 0; a < n_arrows; a++)
    {
      guint from_thread = maker_random (N_THREADS), to_thread = maker_random (N_THREADS);
      guint from = maker_random (N_SLICES), to = MIN (from + maker_random (5), N_SLICES - 1);

      maker_event (maker, (StriaEvent){ .kind = STRIA_EVENT_FLOW_START, .thread = from_thread,
                                        .ts_ns = start_of (from_thread, from), .id = a,
                                        .flags = STRIA_EVENT_BIND_ENCLOSING });
      maker_event (maker, (StriaEvent){ .kind = STRIA_EVENT_FLOW_END, .thread = to_thread,
                                        .ts_ns = start_of (to_thread, to), .id = a,
                                        .flags = STRIA_EVENT_BIND_ENCLOSING });
    }
  return maker_finish (maker, TRUE);
}

static gboolean
touches (const StriaFlow *flow, StriaRef ref, StriaDependencySide side, StriaRef *other)
{
  const gboolean before = side == STRIA_DEPENDENCY_BEFORE;

  *other = before ? flow->from : flow->to;
  return stria_ref_equal (before ? flow->to : flow->from, ref)
         && !stria_ref_equal (flow->to, flow->from);
}

static void
check_step (StriaTrace *trace, StriaRef ref, StriaDependencySide side)
{
  g_autoptr (GArray) found = stria_dependencies_get (trace, ref, side, NULL, NULL);
  const StriaFlow *flows;
  const Span own = span_of (trace, ref);
  gsize n, expected = 0;
  StriaRef other;

  flows = stria_trace_get_flows (trace, &n);
  for (gsize i = 0; i < n; i++)
    expected += touches (&flows[i], ref, side, &other);
  g_assert_cmpuint (found->len, ==, expected);
  for (guint i = 0; i < found->len; i++)
    {
      const StriaDependency *d = &g_array_index (found, StriaDependency, i);
      const Span span = span_of (trace, d->ref);
      gboolean known = FALSE;

      for (gsize k = 0; k < n && !known; k++)
        known = touches (&flows[k], ref, side, &other) && stria_ref_equal (other, d->ref);
      g_assert_true (known);
      g_assert_cmpint (d->start_ns, ==, span.start);
      g_assert_cmpint (d->end_ns, ==, span.end);
      g_assert_cmpint (d->gap_ns, ==,
                       side == STRIA_DEPENDENCY_BEFORE ? own.start - span.end
                                                       : span.start - own.end);
      if (i > 0 && side == STRIA_DEPENDENCY_BEFORE)
        g_assert_cmpint (d[-1].end_ns, >=, d->end_ns);
      else if (i > 0)
        g_assert_cmpint (d[-1].start_ns, <=, d->start_ns);
    }
}

static guint
key_of (StriaRef ref)
{
  return ref.lane * N_SLICES + ref.index;
}

/* Least number of arrows to each event, by going over all arrows until nothing changes */
static guint *
distances (StriaTrace *trace, StriaRef ref, StriaDependencySide side)
{
  guint *depth = g_new (guint, N_THREADS * N_SLICES);
  gboolean changed = TRUE;
  const StriaFlow *flows;
  gsize n;

  memset (depth, 0xff, sizeof (guint) * N_THREADS * N_SLICES);
  depth[key_of (ref)] = 0;
  flows = stria_trace_get_flows (trace, &n);
  while (changed)
    {
      changed = FALSE;
      for (gsize i = 0; i < n; i++)
        {
          guint a = key_of (flows[i].from), b = key_of (flows[i].to);
          guint near = side == STRIA_DEPENDENCY_BEFORE ? b : a;
          guint far = side == STRIA_DEPENDENCY_BEFORE ? a : b;

          if (depth[near] == G_MAXUINT || depth[far] <= depth[near] + 1)
            continue;
          depth[far] = depth[near] + 1;
          changed = TRUE;
        }
    }
  return depth;
}

static void
check_lanes (StriaTrace *trace, const GArray *chain)
{
  g_autoptr (GArray) lanes = stria_dependencies_lanes (chain);
  guint n = 0;

  for (guint l = 0; l < lanes->len; l++)
    {
      const StriaDependencyLane *lane = &g_array_index (lanes, StriaDependencyLane, l);
      gint64 busy = 0;

      n += lane->n;
      /* Nanosecond by nanosecond */
      for (gint64 t = 1000; t < 1000 + N_SLICES * 100 + 200; t++)
        for (guint i = 0; i < chain->len; i++)
          {
            const StriaDependency *d = &g_array_index (chain, StriaDependency, i);

            if (d->ref.lane == lane->lane && d->start_ns <= t && t < d->end_ns)
              {
                busy++;
                break;
              }
          }
      g_assert_cmpint (lane->busy_ns, ==, busy);
    }
  g_assert_cmpuint (n, ==, chain->len);
}

static void
check_chain (StriaTrace *trace, StriaRef ref, StriaDependencySide side)
{
  gboolean is_cut;
  g_autoptr (GArray) chain
      = stria_dependencies_chain (trace, ref, side, G_MAXUINT, &is_cut, NULL, NULL);
  g_autofree guint *depth = distances (trace, ref, side);
  guint reached = 0;

  g_assert_false (is_cut);
  for (guint i = 0; i < N_THREADS * N_SLICES; i++)
    reached += depth[i] != G_MAXUINT && depth[i] > 0;
  g_assert_cmpuint (chain->len, ==, reached);
  for (guint i = 0; i < chain->len; i++)
    {
      const StriaDependency *d = &g_array_index (chain, StriaDependency, i);

      g_assert_cmpuint (d->depth, ==, depth[key_of (d->ref)]);
      if (i > 0)
        g_assert_cmpuint (d[-1].depth, <=, d->depth);
      g_assert_cmpuint (depth[key_of (d->via)], ==, d->depth - 1);
    }
  check_lanes (trace, chain);
  if (chain->len > 3)
    {
      g_autoptr (GArray) some
          = stria_dependencies_chain (trace, ref, side, 3, &is_cut, NULL, NULL);
      g_assert_true (is_cut);
      g_assert_cmpuint (some->len, ==, 3);
    }
}

/* Each step is the latest end there is, and the sums lead back to where the last one began. */
static void
check_stall (StriaTrace *trace, StriaRef ref, gboolean in_lane)
{
  g_autoptr (StriaStall) stall
      = stria_dependencies_stall (trace, ref, in_lane, G_MAXUINT, NULL, NULL);
  g_autofree guint8 *seen = g_new0 (guint8, N_THREADS * N_SLICES);
  gint64 start = span_of (trace, ref).start, total = 0, blamed = 0;
  const gint64 from = start;
  const StriaFlow *flows;
  gsize n;

  flows = stria_trace_get_flows (trace, &n);
  for (guint s = 0; s <= stall->steps->len; s++)
    {
      gint64 latest = G_MININT64;
      gboolean from_order = in_lane && ref.index > 0;

      seen[key_of (ref)] = 1;
      if (from_order && !seen[key_of (ref) - 1])
        latest = MIN (span_of (trace, (StriaRef){ ref.lane, ref.index - 1 }).end, start);
      for (gsize i = 0; i < n; i++)
        if (stria_ref_equal (flows[i].to, ref) && !seen[key_of (flows[i].from)]
            && span_of (trace, flows[i].from).start <= start)
          latest = MAX (latest, MIN (span_of (trace, flows[i].from).end, start));
      if (s == stall->steps->len)
        {
          g_assert_cmpint (latest, ==, G_MININT64);
          break;
        }
      const StriaStallStep *step = &g_array_index (stall->steps, StriaStallStep, s);
      g_assert_cmpint (MIN (span_of (trace, step->ref).end, start), ==, latest);
      g_assert_cmpint (step->waited_ns, ==, start - latest);
      ref = step->ref;
      g_assert_cmpint (step->ran_ns, ==, latest - span_of (trace, ref).start);
      start = span_of (trace, ref).start;
      total += step->ran_ns + step->waited_ns;
    }
  g_assert_cmpint (total, ==, stall->total_ns);
  g_assert_cmpint (from - start, ==, stall->total_ns);
  for (guint l = 0; l < stall->lanes->len; l++)
    blamed += g_array_index (stall->lanes, StriaDependencyLane, l).blamed_ns;
  g_assert_cmpint (blamed + stall->waited_ns, ==, stall->total_ns);
}

static void
test_random (void)
{
  for (guint round = 0; round < 6; round++)
    {
      g_autoptr (TraceMaker) maker = maker_new (N_THREADS, 10);
      g_autoptr (StriaTrace) trace = random_trace (maker, 40 + 60 * round);

      for (guint32 lane = 0; lane < N_THREADS; lane++)
        {
          g_assert_cmpuint (stria_lane_get_n_events (stria_trace_get_lane (trace, lane)), ==,
                            N_SLICES);
          for (guint32 i = 0; i < N_SLICES; i += 1 + round)
            for (StriaDependencySide side = STRIA_DEPENDENCY_BEFORE;
                 side <= STRIA_DEPENDENCY_AFTER; side++)
              {
                const StriaRef ref = { lane, i };

                check_step (trace, ref, side);
                check_stall (trace, ref, side == STRIA_DEPENDENCY_BEFORE);
                if (i % 20 == 0)
                  check_chain (trace, ref, side);
              }
        }
    }
}

/* A launch, its kernel and a synchronisation with one correlation, of which an arrow names two */
static void
test_correlation (void)
{
  g_autoptr (TraceMaker) maker = maker_new (3, 10);
  g_autoptr (GArray) found = NULL, after = NULL;
  g_autoptr (GArray) launch = NULL, kernel = NULL;
  g_autofree char *json = NULL;

  maker_slice (maker, 0, 1000, 100, 5, 0);
  maker_slice (maker, 1, 1500, 300, 5, 0);
  maker_slice (maker, 2, 2000, 300, 5, 0);
  maker_event (maker, (StriaEvent){ .kind = STRIA_EVENT_FLOW_START, .thread = 0, .ts_ns = 1000,
                                    .id = 1, .flags = STRIA_EVENT_BIND_ENCLOSING });
  maker_event (maker, (StriaEvent){ .kind = STRIA_EVENT_FLOW_END, .thread = 1, .ts_ns = 1500,
                                    .id = 1, .flags = STRIA_EVENT_BIND_ENCLOSING });
  g_autoptr (StriaTrace) trace = maker_finish (maker, FALSE);

  launch = maker_find (maker, trace, 0);
  kernel = maker_find (maker, trace, 1);
  after = stria_dependencies_get (trace, g_array_index (launch, StriaRef, 0),
                                  STRIA_DEPENDENCY_AFTER, NULL, NULL);
  g_assert_cmpuint (after->len, ==, 2);
  g_assert_cmpint (g_array_index (after, StriaDependency, 0).kind, ==, STRIA_DEPENDENCY_OTHER);
  g_assert_cmpint (g_array_index (after, StriaDependency, 0).gap_ns, ==, 400);
  g_assert_cmpint (g_array_index (after, StriaDependency, 1).kind, ==,
                   STRIA_DEPENDENCY_CORRELATION);
  g_assert_cmpint (g_array_index (after, StriaDependency, 1).gap_ns, ==, 900);
  found = stria_dependencies_get (trace, g_array_index (kernel, StriaRef, 0),
                                  STRIA_DEPENDENCY_BEFORE, NULL, NULL);
  g_assert_cmpuint (found->len, ==, 1);
  json = stria_dependency_to_json (trace, &g_array_index (found, StriaDependency, 0));
  g_assert_nonnull (strstr (json, "\"kind\":\"other\""));
  g_assert_nonnull (strstr (json, "\"start_ns\":1000,\"end_ns\":1100,\"gap_ns\":400}"));
}

static void
test_kinds (void)
{
  static const struct
  {
    const char *category, *name;
    StriaDependencyKind kind;
  } rows[] = {
    { "dependency", "FLOW_DEPENDENCE", STRIA_DEPENDENCY_FLOW },
    { "dependency", "ANTI_DEPENDENCE", STRIA_DEPENDENCY_ANTI },
    { "dependency", "OUTPUT_DEPENDENCE", STRIA_DEPENDENCY_OUTPUT },
    { "dependency", "", STRIA_DEPENDENCY_OTHER },
    { "ac2g", "ac2g", STRIA_DEPENDENCY_LAUNCH },
    { "async_cpu_to_gpu", "async_cpu_to_gpu", STRIA_DEPENDENCY_LAUNCH },
    { "fwdbwd", "fwdbwd", STRIA_DEPENDENCY_BACKWARD },
    { "flow", "f1", STRIA_DEPENDENCY_FLOW_ID },
    { "parent_id", "parent_id", STRIA_DEPENDENCY_PARENT },
    { "anything", "else", STRIA_DEPENDENCY_OTHER },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpint (stria_dependency_kind_of (rows[i].category, rows[i].name), ==, rows[i].kind);
}

static void
test_bad (void)
{
  g_autoptr (TraceMaker) maker = maker_new (1, 10);
  g_autoptr (GError) error = NULL;
  gboolean is_cut;

  maker_slice (maker, 0, 1000, 100, 1, 0);
  g_autoptr (StriaTrace) trace = maker_finish (maker, FALSE);
  g_assert_null (stria_dependencies_get (trace, (StriaRef){ 7, 0 }, STRIA_DEPENDENCY_BEFORE, NULL,
                                         &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_null (stria_dependencies_chain (trace, (StriaRef){ 0, 5 }, STRIA_DEPENDENCY_BEFORE, 9,
                                           &is_cut, NULL, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_null (stria_dependencies_stall (trace, STRIA_REF_NONE, TRUE, 9, NULL, &error));
  g_assert_nonnull (error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dependencies/random", test_random);
  g_test_add_func ("/dependencies/correlation", test_correlation);
  g_test_add_func ("/dependencies/kinds", test_kinds);
  g_test_add_func ("/dependencies/bad", test_bad);
  return g_test_run ();
}
