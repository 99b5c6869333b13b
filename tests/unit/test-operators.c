/* SPDX-License-Identifier: Apache-2.0 */
/* Trees of operators: of traces against sums over every slice, of instructions by hand. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "neuron-rows.h"
#include "stria-operators.h"
#include "trace-maker.h"
#include "trace-text.h"

/* -- slices ---------------------------------------------------------------------------------- */

typedef struct
{
  guint64 count;
  gint64 total;
  gint64 self;
} Naive;

static gint64
inside (gint64 start, gint64 end, gint64 t0, gint64 t1)
{
  return MAX (0, MIN (end, t1) - MAX (start, t0));
}

static char *
path_of (StriaTrace *trace, StriaLane *lane, const StriaColumns *c, guint64 i,
         StriaOperatorsKind kind)
{
  g_autofree char *above = NULL;
  const char *name = stria_trace_get_string (trace, c->name[i]);
  const char *category = stria_trace_get_category (trace, c->category[i]);

  if (kind == STRIA_OPERATORS_CATEGORIES)
    return g_strdup_printf ("%s\x1f%s", *category != '\0' ? category : "(no category)", name);
  if (c->parent != NULL && c->parent[i] != G_MAXUINT32)
    above = path_of (trace, lane, c, c->parent[i], kind);
  else
    above = g_strdup (stria_lane_get_name (lane));
  return g_strdup_printf ("%s\x1f%s", above, name);
}

static GHashTable *
naive_sums (StriaTrace *trace, StriaOperatorsKind kind, gint64 t0, gint64 t1)
{
  GHashTable *sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      const StriaColumns *c = stria_lane_get_columns (lane);

      for (guint64 i = 0; c->dur != NULL && i < c->n; i++)
        {
          const gint64 start = c->start[i], end = start + c->dur[i];
          g_autofree char *path = path_of (trace, lane, c, i, kind);
          Naive *naive = g_hash_table_lookup (sums, path);
          guint64 first, last;

          if (c->dur[i] > 0 ? start >= t1 || end <= t0 : start < t0 || start > t1)
            continue;
          if (naive == NULL)
            g_hash_table_insert (sums, g_strdup (path), naive = g_new0 (Naive, 1));
          naive->count++;
          naive->total += inside (start, end, t0, t1);
          naive->self += inside (start, end, t0, t1);
          stria_lane_children (lane, i, &first, &last);
          for (guint64 k = first; k < last; k++)
            naive->self -= inside (c->start[k], stria_lane_drawn_end (lane, k), t0, t1);
        }
    }
  return sums;
}

static void
check_tree (StriaCapture *capture, StriaTrace *trace, StriaOperatorsKind kind, gint64 t0, gint64 t1)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaOperators) tree
      = stria_operators_new (capture, trace, kind, t0, t1, NULL, &error);
  g_autoptr (GHashTable) sums = naive_sums (trace, kind, t0, t1);
  guint n_seen = 0;

  g_assert_no_error (error);
  for (guint32 n = 0; n < stria_operators_n_nodes (tree); n++)
    {
      const StriaOperator *node = stria_operators_get (tree, n);
      g_autofree char *path = stria_operators_path (tree, n);
      const Naive *naive = g_hash_table_lookup (sums, path);
      double below = 0;
      guint n_children = 0;

      g_assert_cmpuint (stria_operators_find_path (tree, path), ==, n);
      for (guint32 child = stria_operators_first (tree, n); child != G_MAXUINT32;
           child = stria_operators_next (tree, child))
        {
          const StriaOperator *other = stria_operators_get (tree, child);

          g_assert_cmpuint (other->parent, ==, n);
          g_assert_cmpuint (other->depth, ==, node->depth + 1);
          below += other->figures[STRIA_OPERATOR_TOTAL];
          n_children++;
        }
      g_assert_cmpuint (n_children, ==, node->n_children);
      g_assert_cmpuint (node->n_own, ==, naive != NULL ? naive->count : 0);
      if (naive == NULL)
        {
          /* What only groups has the time of what it groups. By clock rounding a slice may reach into
           * the range while the one around it does not. */
          g_assert_cmpfloat (node->figures[STRIA_OPERATOR_TOTAL], ==, node->depth < 2 ? below : 0);
          continue;
        }
      n_seen++;
      g_assert_cmpfloat (node->figures[STRIA_OPERATOR_COUNT], ==, (double) naive->count);
      g_assert_cmpfloat (node->figures[STRIA_OPERATOR_SELF], ==, (double) naive->self);
      g_assert_cmpfloat (
          node->figures[STRIA_OPERATOR_TOTAL], ==,
          (double) (kind == STRIA_OPERATORS_CATEGORIES ? naive->self : naive->total));
    }
  g_assert_cmpuint (n_seen, ==, g_hash_table_size (sums));
}

static void
test_slices (void)
{
  g_autoptr (TraceMaker) maker = maker_new (3, 23);
  g_autoptr (StriaTrace) trace = NULL;

  maker_nested (maker, 0, 0, 100000, 5, 6, 1);
  maker_nested (maker, 1, 0, 100000, 7, 3, 10);
  maker_chaos (maker, 2, 0, 100000, 200, 2000);
  trace = maker_finish (maker, TRUE);
  for (guint kind = STRIA_OPERATORS_CALLS; kind <= STRIA_OPERATORS_CATEGORIES; kind++)
    {
      check_tree (maker->capture, trace, kind, -10, 200000);
      check_tree (maker->capture, trace, kind, 30000, 52345);
      check_tree (maker->capture, trace, kind, 300000, 400000);
    }
  g_assert_false (stria_operators_has (maker->capture, trace, STRIA_OPERATORS_LAYERS));
  g_assert_false (stria_operators_has (maker->capture, trace, STRIA_OPERATORS_MODULES));
}

/* What a node is highlighted by is what it counts, and no event more. */
static void
test_match (void)
{
  g_autoptr (TraceMaker) maker = maker_new (2, 9);
  g_autoptr (StriaTrace) trace = NULL;
  g_autoptr (StriaOperators) tree = NULL;

  maker_nested (maker, 0, 0, 100000, 5, 6, 1);
  maker_nested (maker, 1, 0, 100000, 5, 6, 1);
  trace = maker_finish (maker, FALSE);
  tree = stria_operators_new (maker->capture, trace, STRIA_OPERATORS_CALLS, 0, 100000, NULL, NULL);
  for (guint32 n = 0; n < stria_operators_n_nodes (tree); n++)
    {
      const StriaOperator *node = stria_operators_get (tree, n);
      g_autoptr (StriaMatch) match = stria_operators_match (tree, n);
      const StriaRef first = stria_operators_first_event (tree, n);
      guint64 expected = 0, ordinal = 0;

      for (guint32 k = n; k < n + node->size; k++)
        expected += stria_operators_get (tree, k)->n_own;
      g_assert_cmpuint (stria_match_n_events (match), ==, expected);
      for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
        for (guint32 i = 0; i < stria_lane_get_n_events (stria_trace_get_lane (trace, l)); i++)
          {
            const guint32 of = stria_operators_node_of (tree, (StriaRef){ l, i });

            g_assert_cmpint (
                stria_match_event (match, stria_trace_get_lane (trace, l), i), ==,
                of != G_MAXUINT32 && of >= n && of < n + node->size);
          }
      g_assert_false (stria_ref_is_none (first));
      g_assert_cmpint (stria_lane_get_columns (stria_trace_get_lane (trace, first.lane))
                           ->start[first.index],
                       ==, node->start_ns);
      stria_match_next (match, STRIA_REF_NONE, G_MININT64 / 2, TRUE, &ordinal);
      g_assert_cmpuint (ordinal, ==, 1);
    }
}

static guint32
intern (StriaSink *sink, const char *text)
{
  return sink->intern (sink, text, strlen (text));
}

static void
add (StriaSink *sink, guint32 thread, const char *name, const char *category, gint64 ts, gint64 dur,
     guint64 correlation, guint32 seq)
{
  StriaEvent event = {
    .kind = STRIA_EVENT_SLICE, .thread = thread, .ts_ns = ts, .dur_ns = dur,
    .name = intern (sink, name), .category = intern (sink, category),
    .correlation = correlation, .args = STRIA_NO_ARGS, .seq = seq,
  };

  sink->events (sink, &event, 1);
}

/* A module in a module, an operator in it, its launch, and what that ran on the device */
static void
test_modules (void)
{
  g_autoptr (StriaCapture) capture = trace_text_capture ("trace");
  StriaSink *sink = stria_capture_open_sink (capture, 0);
  guint32 process = sink->process (sink, "1", 1), device = sink->process (sink, "2", 1);
  guint32 thread = sink->thread (sink, process, "1", 1), stream = sink->thread (sink, device, "7", 1);
  g_autoptr (StriaTrace) trace = NULL;
  g_autoptr (StriaOperators) tree = NULL;
  g_autofree char *path = NULL;
  const StriaOperator *node;

  add (sink, thread, "run.py(3): main", "python_function", 0, 1000, 0, 0);
  add (sink, thread, "nn.Module: Net_0", "python_function", 100, 800, 0, 1);
  add (sink, thread, "nn.Module: Linear_0", "python_function", 200, 300, 0, 2);
  add (sink, thread, "linear.py(9): forward", "python_function", 210, 280, 0, 3);
  add (sink, thread, "aten::addmm", "cpu_op", 220, 100, 0, 4);
  add (sink, thread, "cudaLaunchKernel", "cuda_runtime", 230, 20, 41, 5);
  add (sink, thread, "nn.Module: Linear_0", "python_function", 600, 100, 0, 6);
  add (sink, stream, "gemm", "kernel", 400, 250, 41, 7);
  add (sink, stream, "lost", "kernel", 700, 50, 42, 8);
  stria_capture_close_sink (capture, sink, TRUE);
  trace = stria_capture_ref_trace (capture);
  g_assert_true (stria_operators_has (capture, trace, STRIA_OPERATORS_MODULES));
  tree = stria_operators_new (capture, trace, STRIA_OPERATORS_MODULES, 0, 1000, NULL, NULL);

  g_assert_cmpuint (stria_operators_n_nodes (tree), ==, 4);
  node = stria_operators_get (tree, 1);
  g_assert_cmpstr (node->name, ==, "Net_0");
  g_assert_cmpfloat (node->figures[STRIA_OPERATOR_TOTAL], ==, 800);
  g_assert_cmpfloat (node->figures[STRIA_OPERATOR_SELF], ==, 400);
  g_assert_cmpfloat (node->figures[STRIA_OPERATOR_DEVICE], ==, 250);
  node = stria_operators_get (tree, 2);
  g_assert_cmpstr (node->name, ==, "Linear_0");
  g_assert_cmpfloat (node->figures[STRIA_OPERATOR_COUNT], ==, 2);
  g_assert_cmpfloat (node->figures[STRIA_OPERATOR_MEAN], ==, 200);
  g_assert_cmpfloat (node->figures[STRIA_OPERATOR_SELF], ==, 300);
  path = stria_operators_path (tree, 3);
  g_assert_cmpstr (path, ==, "Net_0\x1fLinear_0\x1f" "aten::addmm");
  node = stria_operators_get (tree, 3);
  g_assert_cmpfloat (node->figures[STRIA_OPERATOR_LAUNCHED], ==, 1);
  g_assert_cmpfloat (node->figures[STRIA_OPERATOR_DEVICE], ==, 250);
  node = stria_operators_get (tree, 0);
  g_assert_cmpfloat (node->figures[STRIA_OPERATOR_TOTAL], ==, 800);
  g_assert_cmpfloat (node->figures[STRIA_OPERATOR_DEVICE], ==, 250);
}

/* -- instructions ---------------------------------------------------------------------------- */

typedef struct
{
  StriaCapture *capture;
  StriaSink *sink;
  StriaNeuronEmitter *emitter;
  StriaOperators *tree;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->capture = trace_text_capture ("profile");
  self->sink = stria_capture_open_sink (self->capture, 0);
  self->emitter = stria_neuron_emitter_new (self->sink, "p");
}

static void
make (Fixture *self, StriaOperatorsKind kind)
{
  g_autoptr (StriaTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  gint64 t0 = 0, t1 = 0;

  stria_neuron_emitter_free (self->emitter);
  stria_capture_close_sink (self->capture, self->sink, TRUE);
  trace = stria_capture_ref_trace (self->capture);
  stria_trace_get_range (trace, &t0, &t1);
  self->tree = stria_operators_new (self->capture, trace, kind, t0, t1, NULL, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  stria_operators_unref (self->tree);
  g_object_unref (self->capture);
}

static void
check (Fixture *self, const char *path, StriaOperatorFigure figure, double expected)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  g_autofree char *key = g_strjoinv ("\x1f", parts);
  const guint32 node = path[0] == '\0' ? 0 : stria_operators_find_path (self->tree, key);
  g_autofree char *found = stria_operators_path (self->tree, node);

  g_test_message ("%s, %s", path, stria_operator_figure_title (figure));
  g_assert_cmpstr (found, ==, key);
  if (isnan (expected))
    g_assert_true (isnan (stria_operators_get (self->tree, node)->figures[figure]));
  else
    g_assert_cmpfloat_with_epsilon (stria_operators_get (self->tree, node)->figures[figure],
                                    expected, fabs (expected) * 1e-12 + 1e-12);
}

#define INSTRUCTIONS \
  "start_ts|duration_ns|engine|opcode|layer|hlo_name|raw_flops|flops_transpose|hbm_read_bytes|pcore_idx"

static void
test_layers (Fixture *self, gconstpointer data)
{
  add_rows (self->emitter, "Metadata",
            "tensor_engine_num_rows|tensor_engine_num_cols|tensor_engine_clock_freq",
            ROWS ("128|128|2"));
  add_rows (self->emitter, "Instruction", INSTRUCTIONS,
            ROWS ("100|200|tensor|MATMUL|/net/attn|dot.1|4000000|0|-|0",
                  "250|150|vector|ADD|/net/attn|dot.1|-|-|64|0",
                  "500|100|tensor|MATMUL|/net/attn|dot.2|2000000|1000000|32|0",
                  "500|50|scalar|ACT|/net/mlp|-|-|-|-|0", "900|100|sync|WAIT|-|-|-|-|-|0"));
  make (self, STRIA_OPERATORS_LAYERS);

  check (self, "net/attn/dot.1", STRIA_OPERATOR_TOTAL, 300);
  check (self, "net/attn/dot.1", STRIA_OPERATOR_SELF, 300);
  check (self, "net/attn/dot.1", STRIA_OPERATOR_ENGINE, 350);
  check (self, "net/attn", STRIA_OPERATOR_TOTAL, 400);
  check (self, "net/attn", STRIA_OPERATOR_SELF, 0);
  check (self, "net/attn", STRIA_OPERATOR_COUNT, 3);
  check (self, "net/mlp", STRIA_OPERATOR_SELF, 50);
  check (self, "net", STRIA_OPERATOR_TOTAL, 400);
  check (self, "", STRIA_OPERATOR_TOTAL, 500);
  check (self, "net", STRIA_OPERATOR_SHARE, 0.8);
  check (self, "net/attn", STRIA_OPERATOR_FLOPS, 6000000);
  /* 128 x 128 x 2 x 2 is 65536 FLOPs a nanosecond. */
  check (self, "net/attn", STRIA_OPERATOR_HFU, 6000000 / (65536.0 * 400));
  check (self, "net/attn", STRIA_OPERATOR_MFU, 5000000 / (65536.0 * 400));
  check (self, "", STRIA_OPERATOR_MFU, 5000000 / (65536.0 * 500));
  check (self, "net/mlp", STRIA_OPERATOR_MFU, NAN);
  check (self, "net/attn", STRIA_OPERATOR_HBM_READ, 96);
  check (self, "net/mlp", STRIA_OPERATOR_HBM_READ, NAN);
  check (self, "net/attn", STRIA_OPERATOR_N_TENSOR, 2);
  check (self, "net/attn", STRIA_OPERATOR_PERIOD_TENSOR, 500);
  check (self, "net/attn/dot.1/MATMUL", STRIA_OPERATOR_TOTAL, 200);
  check (self, "(not attributed to an operator)/WAIT", STRIA_OPERATOR_TOTAL, 100);
}

/* Peaks of several cores are not put together. */
static void
test_cores (Fixture *self, gconstpointer data)
{
  const char *reason;

  add_rows (self->emitter, "Metadata",
            "tensor_engine_num_rows|tensor_engine_num_cols|tensor_engine_clock_freq",
            ROWS ("128|128|2"));
  add_rows (self->emitter, "Instruction", INSTRUCTIONS,
            ROWS ("100|200|tensor|MATMUL|a|-|4000000|0|-|0",
                  "100|200|tensor|MATMUL|a|-|4000000|0|-|1"));
  make (self, STRIA_OPERATORS_LAYERS);
  check (self, "a", STRIA_OPERATOR_TOTAL, 200);
  check (self, "a", STRIA_OPERATOR_ENGINE, 400);
  check (self, "a", STRIA_OPERATOR_MFU, NAN);
  g_assert_false (stria_operators_has_figure (self->tree, STRIA_OPERATOR_MFU, &reason));
  g_assert_nonnull (strstr (reason, "several physical cores"));
}

static void
test_nodes (Fixture *self, gconstpointer data)
{
  add_rows (self->emitter, "FrameworkNode",
            "node_name|parent_name|start_ts|end_ts|time_intervals|mfu|hbm_read_bytes|"
            "total_time_tensor|tensor_engine_instruction_count",
            ROWS ("attn|layer0|0|400|[[0, 100], [200, 400]]|50|4096|[10, 300]|7",
                  "attn|layer1|500|900|[[500, 900]]|25|-|[]|-", "layer0|net|0|450|[[0, 450]]|-|-|-|-",
                  "net||0|1000|[[0, 1000]]|10|-|-|-", "layer1|net|500|1000|[[500, 1000]]|-|-|-|-",
                  "a|b|0|1|[]|-|-|-|-", "b|a|0|1|[]|-|-|-|-"));
  make (self, STRIA_OPERATORS_NODES);
  check (self, "net/layer0/attn", STRIA_OPERATOR_TOTAL, 300);
  check (self, "net/layer1/attn", STRIA_OPERATOR_TOTAL, 400);
  check (self, "net/layer0/attn", STRIA_OPERATOR_MFU, 0.5);
  check (self, "net/layer0/attn", STRIA_OPERATOR_HBM_READ, 4096);
  check (self, "net/layer0/attn", STRIA_OPERATOR_PERIOD_TENSOR, 290);
  check (self, "net/layer1/attn", STRIA_OPERATOR_PERIOD_TENSOR, NAN);
  check (self, "net/layer0/attn", STRIA_OPERATOR_N_TENSOR, 7);
  check (self, "net", STRIA_OPERATOR_SHARE, 1);
  g_assert_cmpuint (stria_operators_n_nodes (self->tree), ==, 8);
}

#define ADD(name, func)                                                                            \
  g_test_add ("/operators/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/operators/slices", test_slices);
  g_test_add_func ("/operators/match", test_match);
  g_test_add_func ("/operators/modules", test_modules);
  ADD ("layers", test_layers);
  ADD ("cores", test_cores);
  ADD ("nodes", test_nodes);
  return g_test_run ();
}
