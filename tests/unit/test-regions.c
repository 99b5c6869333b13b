/* SPDX-License-Identifier: Apache-2.0 */
/* Regions and warnings, against counts of every nanosecond and numbers worked out by hand. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "neuron-rows.h"
#include "stria-cover.h"
#include "stria-neuron-emitter.h"
#include "stria-regions.h"
#include "stria-transfers.h"
#include "stria-warnings.h"
#include "trace-text.h"

/* -- time that is covered --------------------------------------------------------------------- */

#define SPAN 2000

static void
test_cover (void)
{
  for (guint round = 0; round < 50; round++)
    {
      StriaCover cover = { 0 };
      guint8 line[SPAN] = { 0 };

      for (int i = g_test_rand_int_range (0, 60); i > 0; i--)
        {
          const gint64 t0 = g_test_rand_int_range (0, SPAN);
          const gint64 length = g_test_rand_int_range (-3, 90);
          const gint64 t1 = MIN (t0 + length, SPAN);

          stria_cover_add (&cover, t0, t1);
          for (gint64 t = t0; t < t1; t++)
            line[t] = 1;
        }
      stria_cover_seal (&cover);
      for (guint i = 0; i < 100; i++)
        {
          const gint64 t0 = g_test_rand_int_range (-10, SPAN);
          const gint64 t1 = g_test_rand_int_range (-10, SPAN + 10);
          gint64 naive = 0;

          for (gint64 t = MAX (t0, 0); t < MIN (t1, SPAN); t++)
            naive += line[t];
          g_assert_cmpint (stria_cover_ns (&cover, t0, t1), ==, naive);
        }
      stria_cover_clear (&cover);
    }
}

/* -- a made PyTorch trace --------------------------------------------------------------------- */

typedef struct
{
  StriaCapture *capture;
  StriaSink    *sink;
  guint32       cpu;
  guint32       gpu;
  guint32       seq;
} Made;

static void
made_open (Made *self)
{
  guint32 host, device;

  self->seq = 0;
  self->capture = trace_text_capture ("made.json");
  self->sink = stria_capture_open_sink (self->capture, 0);
  host = self->sink->process (self->sink, "1", 1);
  device = self->sink->process (self->sink, "0", 1);
  self->cpu = self->sink->thread (self->sink, host, "1", 1);
  self->gpu = self->sink->thread (self->sink, device, "7", 1);
}

static void
made_add (Made *self, guint32 thread, const char *category, const char *name, gint64 t0,
          gint64 dur, const char *args)
{
  StriaEvent event = {
    .ts_ns = t0,
    .dur_ns = dur,
    .thread = thread,
    .name = self->sink->intern (self->sink, name, strlen (name)),
    .category = self->sink->intern (self->sink, category, strlen (category)),
    .args = STRIA_NO_ARGS,
    .seq = self->seq++,
    .kind = STRIA_EVENT_SLICE,
  };

  if (args != NULL)
    event.args = self->sink->args (self->sink, event.seq, args, strlen (args));
  self->sink->events (self->sink, &event, 1);
}

static StriaTrace *
made_close (Made *self)
{
  stria_capture_close_sink (self->capture, self->sink, TRUE);
  stria_capture_settle (self->capture);
  return stria_capture_ref_trace (self->capture);
}

static StriaRegionSet *
find_regions (StriaTrace *trace, StriaRegionRule *rule)
{
  g_autoptr (GPtrArray) rules
      = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_region_rule_free);
  g_autoptr (GError) error = NULL;
  StriaRegionSet *set;

  g_ptr_array_add (rules, rule);
  set = stria_region_set_new (trace, rules, NULL, &error);
  g_assert_no_error (error);
  return set;
}

static char *
spans_of (const StriaRegionSet *set)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < set->regions->len; i++)
    {
      const StriaRegion *region = &g_array_index (set->regions, StriaRegion, i);

      g_string_append_printf (text, "%s%s@%" G_GINT64_FORMAT "+%" G_GINT64_FORMAT,
                              i > 0 ? " " : "", region->name, region->t0,
                              region->t1 - region->t0);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

#define expect_spans(set, expected)                                                                \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autofree char *found_ = spans_of (set);                                                      \
    g_assert_cmpstr (found_, ==, expected);                                                        \
  }                                                                                                \
  G_STMT_END

static gint64
busy_of (const StriaRegionSet *set, guint region, const char *word)
{
  for (guint g = 0; g < set->groups->len; g++)
    if (strstr (g_array_index (set->groups, StriaRegionGroup, g).title, word) != NULL)
      return g_array_index (set->regions, StriaRegion, region).busy[g];
  g_assert_not_reached ();
}

/* Two steps; a recursion in the first one; kernels and copies below them */
static StriaTrace *
make_steps (Made *made)
{
  made_open (made);
  made_add (made, made->cpu, "user_annotation", "ProfilerStep#1", 1000, 4000, NULL);
  made_add (made, made->cpu, "cpu_op", "layer_1", 1100, 1000, NULL);
  made_add (made, made->cpu, "cpu_op", "layer_1", 1200, 500, NULL);
  made_add (made, made->cpu, "cpu_op", "layer_2", 2500, 2000, NULL);
  made_add (made, made->cpu, "user_annotation", "ProfilerStep#2", 5000, 6000, NULL);
  made_add (made, made->cpu, "cpu_op", "layer_1", 5500, 3000, NULL);
  made_add (made, made->gpu, "gpu_user_annotation", "ProfilerStep#1", 1500, 3000, NULL);
  made_add (made, made->gpu, "kernel", "gemm", 1600, 400, NULL);
  made_add (made, made->gpu, "gpu_memcpy", "Memcpy HtoD", 2100, 100, "{\"bytes\": 640}");
  made_add (made, made->gpu, "kernel", "ncclDevKernel_AllGather", 5100, 700, NULL);
  made_add (made, made->gpu, "kernel", "gemm", 6000, 1000, NULL);
  made_add (made, made->gpu, "kernel", "ncclDevKernel_ReduceScatter", 7500, 500, NULL);
  made_add (made, made->gpu, "kernel", "ncclDevKernel_AllGather", 8500, 500, NULL);
  made_add (made, made->gpu, "kernel", "ncclDevKernel_ReduceScatter", 9500, 500, NULL);
  return made_close (made);
}

static void
test_names (void)
{
  Made made;
  g_autoptr (StriaTrace) trace = make_steps (&made);
  g_autoptr (StriaRegionSet) steps
      = find_regions (trace, stria_region_rule_new (STRIA_REGION_NAME, "", "ProfilerStep#*"));
  g_autoptr (StriaRegionSet) layers
      = find_regions (trace, stria_region_rule_new (STRIA_REGION_NAME, "L", "/^layer_[0-9]$/"));
  g_autoptr (StriaRegionSet) kernels
      = find_regions (trace, stria_region_rule_new (STRIA_REGION_KERNEL, "", "gem?"));
  g_autoptr (StriaRegionSet) none
      = find_regions (trace, stria_region_rule_new (STRIA_REGION_NAME, "", "/(/"));
  const StriaRegion *first = &g_array_index (steps->regions, StriaRegion, 0);
  StriaRegionSpread spread;

  /* The device's copy of the annotation is none, and the recursion counts once. */
  expect_spans (steps, "ProfilerStep#1@1000+4000 ProfilerStep#2@5000+6000");
  expect_spans (layers, "L 1@1100+1000 L 2@2500+2000 L 3@5500+3000");
  expect_spans (kernels, "gemm@1600+400 gemm@6000+1000");
  g_assert_cmpuint (none->regions->len, ==, 0);
  g_assert_nonnull (none->absent->pdata[0]);

  /* Annotations of steps are no work. Host: 1000 + 2000; device: 400 + 100 */
  g_assert_cmpint (busy_of (steps, 0, "1"), ==, 3000);
  g_assert_cmpint (busy_of (steps, 0, "0"), ==, 500);
  g_assert_cmpint (busy_of (steps, 1, "1"), ==, 3000);
  g_assert_cmpint (busy_of (steps, 1, "0"), ==, 700 + 1000 + 500 + 500 + 500);
  g_assert_cmpint (first->bytes, ==, 640);
  g_assert_cmpint (g_array_index (steps->regions, StriaRegion, 1).bytes, ==, -1);
  /* Those that begin in [1000, 5000): the step, three layers, the annotation, a kernel, a copy */
  g_assert_cmpuint (first->count, ==, 7);

  stria_region_spread (layers, 0, STRIA_REGION_DURATION, &spread);
  g_assert_cmpuint (spread.n, ==, 3);
  g_assert_cmpfloat_with_epsilon (spread.mean, 2000, 1e-9);
  g_assert_cmpfloat_with_epsilon (spread.min, 1000, 1e-9);
  g_assert_cmpfloat_with_epsilon (spread.max, 3000, 1e-9);
  g_assert_cmpfloat_with_epsilon (spread.deviation, sqrt (2e6 / 3), 1e-6);
  g_object_unref (made.capture);
}

static StriaRegionRule *
collectives (const char *type1, const char *type2, guint offset, guint stride, guint count)
{
  StriaRegionRule *rule = stria_region_rule_new (STRIA_REGION_COLLECTIVE, "C", "nccl*");

  g_free (rule->type1);
  g_free (rule->type2);
  rule->type1 = g_strdup (type1);
  rule->type2 = g_strdup (type2);
  rule->offset = offset;
  rule->stride = stride;
  rule->count = count;
  return rule;
}

static void
test_collectives (void)
{
  Made made;
  g_autoptr (StriaTrace) trace = make_steps (&made);
  g_autoptr (StriaRegionSet) pairs
      = find_regions (trace, collectives ("*AllGather", "*ReduceScatter", 0, 1, 0));
  g_autoptr (StriaRegionSet) any = find_regions (trace, collectives ("", "", 0, 1, 0));
  g_autoptr (StriaRegionSet) some = find_regions (trace, collectives ("", "", 1, 2, 1));
  g_autoptr (StriaRegionSet) same = find_regions (trace, collectives ("*AllGather", "", 0, 0, 0));

  expect_spans (pairs, "C 1@5100+2400 C 2@8500+1000");
  expect_spans (any, "C 1@5100+2400 C 2@7500+1000 C 3@8500+1000");
  expect_spans (some, "C 1@7500+1000");
  expect_spans (same, "C 1@5100+3400");
  g_object_unref (made.capture);
}

/* Busy time and counts of random slices, against every nanosecond and every slice */
static void
test_random (void)
{
  Made made;
  g_autoptr (StriaTrace) trace = NULL;
  g_autoptr (StriaRegionSet) set = NULL;
  guint8 line[4][SPAN] = { { 0 } };
  gint64 starts[400];
  guint n = 0;

  made_open (&made);
  for (guint lane = 0; lane < 4; lane++)
    {
      g_autofree char *key = g_strdup_printf ("%u", 100 + lane);
      const guint32 thread = made.sink->thread (made.sink, 0, key, strlen (key));

      for (gint64 at = 0; at < SPAN - 40 && n < G_N_ELEMENTS (starts);)
        {
          const gint64 dur = g_test_rand_int_range (1, 40);

          made_add (&made, thread, "cpu_op", g_test_rand_int_range (0, 4) == 0 ? "hit" : "miss", at,
                    dur, NULL);
          starts[n++] = at;
          for (gint64 t = at; t < at + dur; t++)
            line[lane][t] = 1;
          at += dur + g_test_rand_int_range (0, 30);
        }
    }
  trace = made_close (&made);
  set = find_regions (trace, stria_region_rule_new (STRIA_REGION_NAME, "", "hit"));
  for (guint i = 0; i < set->regions->len; i++)
    {
      const StriaRegion *region = &g_array_index (set->regions, StriaRegion, i);
      gint64 busy = 0;
      guint64 count = 0;

      for (gint64 t = region->t0; t < region->t1; t++)
        busy += line[0][t] | line[1][t] | line[2][t] | line[3][t];
      for (guint s = 0; s < n; s++)
        count += starts[s] >= region->t0 && starts[s] < region->t1;
      g_assert_cmpint (busy_of (set, i, "1"), ==, busy);
      g_assert_cmpuint (region->count, ==, count);
    }
  g_object_unref (made.capture);
}

/* -- warnings --------------------------------------------------------------------------------- */

static StriaWarningSet *
find_warnings (StriaCapture *capture, StriaTrace *trace, StriaWarningRule rule, double limit)
{
  g_autoptr (GPtrArray) tables = stria_capture_get_tables (capture);
  g_autoptr (GError) error = NULL;
  double limits[STRIA_WARNING_N_RULES];
  StriaWarningSet *set;

  for (guint r = 0; r < STRIA_WARNING_N_RULES; r++)
    limits[r] = r == rule ? limit : -1;
  set = stria_warning_set_new (trace, tables, limits, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < set->items->len; i++)
    g_assert_cmpint (g_array_index (set->items, StriaWarning, i).rule, ==, rule);
  return set;
}

static char *
bands_of (const StriaWarningSet *set)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < set->items->len; i++)
    {
      const StriaWarning *warning = &g_array_index (set->items, StriaWarning, i);

      g_string_append_printf (text, "%s%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, i > 0 ? " " : "",
                              warning->t0, warning->t1);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

#define expect_bands(capture, trace, rule, limit, expected)                                        \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autoptr (StriaWarningSet) set_ = find_warnings (capture, trace, rule, limit);                \
    g_autofree char *found_ = bands_of (set_);                                                     \
    g_assert_cmpstr (found_, ==, expected);                                                        \
  }                                                                                                \
  G_STMT_END

static void
test_gpu_warnings (void)
{
  Made made;
  g_autoptr (StriaTrace) trace = NULL;

  made_open (&made);
  made_add (&made, made.cpu, "cuda_runtime", "cudaStreamSynchronize", 1000, 5000, NULL);
  made_add (&made, made.cpu, "cuda_runtime", "cudaLaunchKernel", 7000, 9000, NULL);
  made_add (&made, made.cpu, "cpu_op", "aten::Synchronize", 17000, 9000, NULL);
  made_add (&made, made.cpu, "cuda_runtime", "cudaMemcpy", 30000, 4999, NULL);
  made_add (&made, made.gpu, "kernel", "k", 1000, 1000, NULL);
  made_add (&made, made.gpu, "kernel", "k", 2500, 500, NULL);
  made_add (&made, made.gpu, "gpu_memset", "Memset", 4000, 100, "{\"bytes\":10}");
  for (guint i = 0; i < 4; i++)
    made_add (&made, made.gpu, "gpu_memcpy", "Memcpy", 10000 + 1000 * i, 100, "{\"bytes\":99}");
  made_add (&made, made.gpu, "kernel", "k", 20000, 10, NULL);
  trace = made_close (&made);

  expect_bands (made.capture, trace, STRIA_WARNING_HOST_SYNC, 5000, "1000-6000");
  expect_bands (made.capture, trace, STRIA_WARNING_HOST_SYNC, 4999, "1000-6000 30000-34999");
  expect_bands (made.capture, trace, STRIA_WARNING_GPU_IDLE, 1000,
                "3000-4000 4100-10000 13100-20000");
  /* All five copies are less than 100 µs apart, at their shortest limit none is small */
  expect_bands (made.capture, trace, STRIA_WARNING_SMALL_COPIES, 100, "4000-13100");
  expect_bands (made.capture, trace, STRIA_WARNING_SMALL_COPIES, 50, "");
  {
    g_autoptr (StriaWarningSet) set
        = find_warnings (made.capture, trace, STRIA_WARNING_SPILLS, 25);

    g_assert_nonnull (set->absent[STRIA_WARNING_SPILLS]);
    g_assert_null (set->absent[STRIA_WARNING_GPU_IDLE]);
  }
  g_object_unref (made.capture);
}

static void
test_device (void)
{
  g_autoptr (StriaCapture) capture = trace_text_capture ("profile");
  StriaSink *sink = stria_capture_open_sink (capture, 0);
  StriaNeuronEmitter *emitter = stria_neuron_emitter_new (sink, "p");
  g_autoptr (StriaTrace) trace = NULL;
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  add_rows (emitter, "Instruction", "start_ts|duration_ns|engine|opcode|layer",
            ROWS ("1000|500|Tensor|MATMUL|model/layers.0/attn/q", "1200|600|Vector|ADD|model/layers.0/mlp",
                  "3000|400|Tensor|MATMUL|model/layers.1/attn/q", "50000|100|Scalar|ACT|model/head"));
  /* 20 small ones in a row, one large between them, and one far away */
  for (guint i = 0; i < 20; i++)
    g_ptr_array_add (lines, g_strdup_printf ("%u|100|512|hardware_dynamic|[SB]|[[INPUT]]",
                                             5000 + 200 * i));
  g_ptr_array_add (lines, g_strdup ("6050|50|65536|hardware_dynamic|[SB]|[[INPUT]]"));
  g_ptr_array_add (lines, g_strdup ("30000|100|512|hardware_dynamic|[SB]|[[INPUT]]"));
  g_ptr_array_add (lines, g_strdup ("40000|1000|8192|data|[[VIRTUAL]]|[SB]"));
  g_ptr_array_add (lines, g_strdup ("42000|1000|8192|data|[SB]|[[VIRTUAL]]"));
  g_ptr_array_add (lines, NULL);
  add_rows (emitter, "DmaPacketAggregated",
            "start_ts|duration_ns|transfer_bytes|queue_type|source|dest",
            (const char *const *) lines->pdata);
  add_rows (emitter, "Throttle", "timestamp|duration|k|n|type",
            ROWS ("2000|1000|1|2|activity_0", "3000|1000|3|4|activity_0",
                  "9000|1000|4|4|activity_0"));
  add_rows (emitter, "Warning", "message|category", ROWS ("no trace|Missing Data"));
  stria_neuron_emitter_free (emitter);
  stria_capture_close_sink (capture, sink, TRUE);
  stria_capture_settle (capture);
  trace = stria_capture_ref_trace (capture);

  expect_bands (capture, trace, STRIA_WARNING_SMALL_DMA, 4096, "5000-8900");
  expect_bands (capture, trace, STRIA_WARNING_SMALL_DMA, 512, "");
  expect_bands (capture, trace, STRIA_WARNING_SPILLS, 25, "40000-43000");
  expect_bands (capture, trace, STRIA_WARNING_THROTTLING, 0, "2000-4000");
  expect_bands (capture, trace, STRIA_WARNING_THROTTLING, 30, "2000-3000");
  expect_bands (capture, trace, STRIA_WARNING_IDLE_ENGINES, 1200, "1800-3000 3400-50000");
  {
    g_autoptr (StriaWarningSet) set = find_warnings (capture, trace, STRIA_WARNING_FILE, 0);
    g_autoptr (StriaRegionSet) layers
        = find_regions (trace, stria_region_rule_new (STRIA_REGION_LAYER, "", "layers.*"));
    g_autoptr (StriaRegionSet) parts
        = find_regions (trace, stria_region_rule_new (STRIA_REGION_LAYER, "", "/layers\\.([0-9]+)/"));
    g_autoptr (GArray) transfers = stria_transfers_new (trace, NULL, NULL);

    g_assert_cmpuint (set->items->len, ==, 1);
    g_assert_cmpstr (g_array_index (set->items, StriaWarning, 0).numbers, ==,
                     "Missing Data: no trace");
    expect_spans (layers, "model/layers.0@1000+800 model/layers.1@3000+400");
    expect_spans (parts, "0@1000+800 1@3000+400");
    g_assert_cmpint (busy_of (layers, 0, "TensorMatrix"), ==, 500);
    g_assert_cmpint (busy_of (layers, 0, "Vector"), ==, 600);
    g_assert_cmpuint (transfers->len, ==, 24);
    g_assert_cmpuint (stria_transfers_from (transfers, 6050), ==, 6);
  }
}

/* -- rules that are kept ----------------------------------------------------------------------- */

static void
on_failed (StriaRegions *regions, const char *message, gpointer data)
{
  g_free (*(char **) data);
  *(char **) data = g_strdup (message);
}

/* The rules of a file that holds @text, and what was said of it */
static char *
kept_rules (const char *path, const char *text, char **message)
{
  g_autoptr (StriaRegions) regions = NULL;
  g_autoptr (GString) found = g_string_new (NULL);
  GPtrArray *rules;

  if (text != NULL)
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
  regions = stria_regions_new (path);
  g_signal_connect (regions, "failed", G_CALLBACK (on_failed), message);
  stria_regions_flush (regions);
  rules = stria_regions_get_rules (regions);
  for (guint i = 0; i < rules->len; i++)
    {
      const StriaRegionRule *rule = rules->pdata[i];

      g_string_append_printf (found, "%d|%s|%s|%s|%s|%u|%u|%u;", rule->kind, rule->name,
                              rule->pattern, rule->type1, rule->type2, rule->offset, rule->stride,
                              rule->count);
    }
  return g_string_free (g_steal_pointer (&found), FALSE);
}

static void
test_kept (void)
{
  static const char *const bad[] = {
    "", "[]", "{}", "{ \"format\": \"stria-annotations\", \"rules\": [] }",
    "{ \"format\": \"stria-region-rules\" }",
    "{ \"format\": \"stria-region-rules\", \"rules\": [ 3 ] }",
    "{ \"format\": \"stria-region-rules\", \"rules\": [ { \"kind\": \"moon\" } ] }",
    "{ \"format\": \"stria-region-rules\", \"rules\": [ { \"kind\": \"name\", \"stride\": -1 } ] }",
    "{ \"format\": \"stria-region-rules\", \"rules\": [ { \"kind\": \"name\", \"pattern\": \"/(/\" } ] }",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
  };
  g_autofree char *folder = g_dir_make_tmp ("regions-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "below", "rules.json", NULL);
  g_autofree char *aside = g_strconcat (path, ".unreadable", NULL);
  g_autofree char *message = NULL;
  g_autofree char *found = NULL;

  {
    g_autoptr (StriaRegions) regions = stria_regions_new (path);
    StriaRegionRule *rule = stria_region_rule_new (STRIA_REGION_COLLECTIVE, "a \"b\"", "");

    g_free (rule->type1);
    rule->type1 = g_strdup ("All*");
    rule->offset = 2;
    rule->stride = 3;
    rule->count = 4;
    stria_regions_add_rule (regions, rule);
    stria_regions_add_rule (regions, stria_region_rule_new (STRIA_REGION_NAME, "", "/x[0-9]/"));
    stria_regions_flush (regions);
  }
  found = kept_rules (path, NULL, &message);
  g_assert_cmpstr (found, ==, "2|a \"b\"||All*||2|3|4;0||/x[0-9]/|||0|0|0;");
  g_assert_null (message);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *none = kept_rules (path, bad[i], &message);

      g_assert_cmpstr (none, ==, "");
      g_assert_nonnull (message);
      g_clear_pointer (&message, g_free);
      g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
      g_assert_true (g_file_test (aside, G_FILE_TEST_EXISTS));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/regions/cover", test_cover);
  g_test_add_func ("/regions/names", test_names);
  g_test_add_func ("/regions/collectives", test_collectives);
  g_test_add_func ("/regions/random", test_random);
  g_test_add_func ("/regions/gpu-warnings", test_gpu_warnings);
  g_test_add_func ("/regions/device", test_device);
  g_test_add_func ("/regions/kept", test_kept);
  return g_test_run ();
}
