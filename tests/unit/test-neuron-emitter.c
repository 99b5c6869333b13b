/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the published tables become the lanes, counters and arrows that they stand for. */
#include "config.h"

#include <string.h>

#include "stria-neuron-emitter.h"
#include "stria-neuron-flops.h"
#include "neuron-rows.h"
#include "trace-text.h"

typedef struct
{
  StriaCapture *capture;
  StriaSink *sink;
  StriaNeuronEmitter *emitter;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->capture = trace_text_capture ("profile");
  self->sink = stria_capture_open_sink (self->capture, 0);
  self->emitter = stria_neuron_emitter_new (self->sink, "step 7");
}

static void
finish (Fixture *self, const char *expected)
{
  g_autofree char *text = NULL;

  stria_neuron_emitter_free (self->emitter);
  stria_capture_close_sink (self->capture, self->sink, TRUE);
  text = trace_text (self->capture);
  g_assert_cmpstr (text, ==, expected);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_object_unref (self->capture);
}

static void
test_instructions (Fixture *self, gconstpointer data)
{
  add_rows (self->emitter, "Instruction",
            "start_ts|end_ts|duration_ns|engine|timeline_track|pcore_idx|opcode|id|evt_wait_time_ns",
            ROWS ("100|150|50|Tensor|TensorMatrix|0|MATMUL|1|-",
                  /* Overlaps the one before it by less than host clocks round. */
                  "140|190|50|tensor|TensorMatrix|0|MATMUL|2|30",
                  "100|120|20|pe|-|1|LDWEIGHTS|3|0", "130|-|10|PE|-|1|MATMUL|4|-",
                  "-|10|10|vector|-|0|LOST|5|-", "200|190|-10|VectorE|-|-|COPY|6|-",
                  "7|9|-|Act|Scalar|0|ACTIVATE|7|-", "50|60|10|extra|-|0|NEW|8|-"));
  finish (self,
          "step 7 | Tensor (nc1)\n  100+20 LDWEIGHTS (Tensor) #2\n"
          "step 7 | TensorMatrix (nc1)\n  130+10 MATMUL (Tensor) #3\n"
          "step 7 | TensorMatrix (nc0)\n  100+50 MATMUL (Tensor) #0\n"
          "step 7 | TensorMatrix (nc0) (overlaps)\n  140+50 MATMUL (Tensor) #1\n"
          "step 7 | TensorMatrix: waits (nc0)\n"
          "  110+30 Waits for a semaphore (semaphore wait) #1\n"
          "step 7 | Vector\n  200+0 COPY (Vector) #5\n"
          "step 7 | Scalar (nc0)\n  7+2 ACTIVATE (Scalar) #6\n"
          "step 7 | extra (nc0)\n  50+10 NEW (extra) #7\n");
  g_autofree char *table = trace_text_table (self->capture, 0, "Instruction");
  g_assert_true (g_str_has_prefix (
      table, "start_ts [ns]|end_ts [ns]|duration_ns [ns]|engine|timeline_track|pcore_idx|opcode|id|"
             "evt_wait_time_ns [ns]\n100|150|50|Tensor|TensorMatrix|0|MATMUL|1|-\n"));
}

/* The share of the tensor engine's peak: 2 x 4 x 4 x 0.5 GHz are 16 operations in a nanosecond, 4096
 * in a bin of 256 ns. */
static void
test_utilization (Fixture *self, gconstpointer data)
{
  add_rows (self->emitter, "Metadata",
            "tensor_engine_num_rows|tensor_engine_num_cols|tensor_engine_clock_freq",
            ROWS ("4|4|0.5"));
  add_rows (self->emitter, "Instruction",
            "start_ts|duration_ns|engine|timeline_track|pcore_idx|opcode|raw_flops|flops_transpose",
            /* A half in each of two bins; all of the third bin, a quarter of it for nothing */
            ROWS ("128|256|Tensor|TensorMatrix|0|MATMUL|2048|-",
                  "512|256|Tensor|TensorMatrix|0|MATMUL|4096|1024",
                  "512|10|Vector|Vector|0|COPY|-|-"));
  finish (self, "step 7 | Estimated HFU (nc0), means of 256 ns [%]\n  0 25\n  512 100\n  768 0\n"
                "step 7 | Estimated MFU (nc0), means of 256 ns [%]\n  0 25\n  512 75\n  768 0\n"
                "step 7 | Estimated HFU so far (nc0) [%]\n  0 25\n  512 50\n  768 50\n"
                "step 7 | Estimated MFU so far (nc0) [%]\n  0 25\n  512 41.6667\n  768 41.6667\n"
                "step 7 | TensorMatrix (nc0)\n  128+256 MATMUL (Tensor) #0\n"
                "  512+256 MATMUL (Tensor) #1\n"
                "step 7 | Vector (nc0)\n  512+10 COPY (Vector) #2\n");
}

/* Sums stay as they are however the bins grow, and each moment is in its bin. */
static void
test_flops_bins (void)
{
  for (guint round = 0; round < 20; round++)
    {
      NeuronFlops *flops = neuron_flops_new ();
      const gint64 span = (gint64) 1 << g_test_rand_int_range (8, 50);
      g_autofree double *naive = NULL;
      double sum = 0, found = 0;
      struct
      {
        gint64 t0, length;
        double flops;
      } added[200];

      for (guint i = 0; i < G_N_ELEMENTS (added); i++)
        {
          added[i].t0 = (gint64) (g_test_rand_double_range (-1, 1) * (double) span);
          added[i].length = (gint64) (g_test_rand_double () * (double) span / 50);
          added[i].flops = g_test_rand_double_range (1, 1000);
          sum += added[i].flops;
          g_assert_true (neuron_flops_add (flops, added[i].t0, added[i].length, added[i].flops, -1));
        }
      g_assert_false (flops->has_transposes);
      g_assert_cmpuint (flops->n, <=, NEURON_FLOPS_BINS);
      naive = g_new0 (double, flops->n);
      for (guint i = 0; i < G_N_ELEMENTS (added); i++)
        for (guint b = 0; b < flops->n; b++)
          {
            const gint64 t0 = flops->start_ns + (gint64) b * flops->width_ns;
            const gint64 t1 = MIN (t0 + flops->width_ns, added[i].t0 + MAX (added[i].length, 1));
            const gint64 inside = t1 - MAX (t0, added[i].t0);

            if (inside > 0)
              naive[b] += added[i].flops * (double) inside / (double) MAX (added[i].length, 1);
          }
      for (guint b = 0; b < flops->n; b++)
        {
          found += flops->flops[b];
          g_assert_cmpfloat_with_epsilon (flops->flops[b], naive[b], 1e-6);
        }
      g_assert_cmpfloat_with_epsilon (found, sum, 1e-6);
      g_assert_false (neuron_flops_add (flops, G_MININT64, 5, 1, -1));
      g_assert_false (neuron_flops_add (flops, 0, G_MAXINT64, 1, -1));
      neuron_flops_free (flops);
    }
}

static void
test_device (Fixture *self, gconstpointer data)
{
  add_rows (self->emitter, "Metadata", "first_ts",
            ROWS ("2025-12-18 15:35:56.592459482 +0000 UTC"));
  add_rows (self->emitter, "DmaPacketAggregated",
            "start_ts|end_ts|duration_ns|id|pcore_idx|queue_name|queue_type|op|variable",
            ROWS ("10|30|20|1|0|qSyncIO0-Q1-E64|input|read|w1",
                  "40|50|10|2|0|qSyncIO0-Q2-E65|input|copy|unknown",
                  "40|50|10|3|-|q-Quiet|-|read|-"));
  add_rows (self->emitter, "DmaPacket", "start_ts|end_ts|duration_ns|engine_idx|queue_type|queue_name",
            ROWS ("11|12|1|64|data|qA", "13|15|2|-|data|qA"));
  add_rows (self->emitter, "CcOp", "start_ts|duration_ns|operation|algorithm|stream_id",
            ROWS ("5|6|AllGather|Ring|2"));
  add_rows (self->emitter, "CcInstruction", "start_ts|duration_ns|core_idx|description|trigger_engine",
            ROWS ("5|1|8|DMA_ADVANCE|Pool"));
  add_rows (self->emitter, "CoreBarriers", "start_ts|duration_ns|engine_name|compiler_opcode",
            ROWS ("3|4|GpSimd|PSEUDO_CORE_BARRIER"));
  add_rows (self->emitter, "ActiveTime", "start_ts|duration_ns|engine|pcore_idx",
            ROWS ("1|2|tensor|0"));
  add_rows (self->emitter, "Throttle", "timestamp|duration|k|n|type|pcore_idx",
            ROWS ("9|8|1|4|activity_0|0"));
  add_rows (self->emitter, "Error", "timestamp|description|type", ROWS ("77|EMBD OOB|Errors"));
  add_rows (self->emitter, "ExecutionInfo", "execution_start_ts|execution_end_ts|neff_name",
            ROWS ("0|100|model.neff"));
  add_rows (self->emitter, "Mystery", "x:i|y", ROWS ("1|two"));
  finish (self,
          "step 7 | Executions\n  0+100 model.neff () #0\n"
          "step 7 | Errors\n  77 EMBD OOB (Errors) #0\n"
          "step 7 | q-Quiet\n  40+10 read () #2\n"
          "step 7 | qSyncIO0 (nc0)\n  10+20 w1 (input) #0\n  40+10 copy (input) #1\n"
          "step 7 | DMA-E64\n  11+1 data (data) #0\n"
          "step 7 | qA\n  13+2 data (data) #1\n"
          "step 7 | Barriers: GpSimd\n  3+4 PSEUDO_CORE_BARRIER (GpSimd) #0\n"
          "step 7 | Active: Tensor (nc0)\n  1+2 tensor (tensor) #0\n"
          "step 7 | Collectives, stream 2\n  5+6 AllGather (Ring) #0\n"
          "step 7 | CC-core 8\n  5+1 DMA_ADVANCE (Pool) #0\n"
          "step 7 | Throttling (nc0)\n  9+8 activity_0 1/4 (activity_0) #0\n");
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (self->capture);
  gint64 base;
  g_assert_true (stria_trace_get_wall_base (trace, &base));
  g_assert_cmpint (base, ==, 1766072156592459482);
  g_autofree char *table = trace_text_table (self->capture, 0, "Mystery");
  g_assert_cmpstr (table, ==, "x|y\n1|two\n");
  g_assert_cmpstr (stria_lane_get_key (stria_trace_get_lane (trace, 1)), ==,
                   "table\x1f" "Error\x1f\x1f-1");
  /* The row of a slice is what it has for arguments. */
  g_autoptr (GBytes) row = stria_trace_get_args (trace, (StriaRef){ 3, 1 }, NULL);
  g_assert_nonnull (row);
  g_assert_cmpstr (g_bytes_get_data (row, NULL), ==,
                   "{\"start_ts [ns]\":40,\"end_ts [ns]\":50,\"duration_ns [ns]\":10,\"id\":2,"
                   "\"pcore_idx\":0,\"queue_name\":\"qSyncIO0-Q2-E65\",\"queue_type\":\"input\","
                   "\"op\":\"copy\",\"variable\":\"unknown\"}");
}

static void
test_samples (Fixture *self, gconstpointer data)
{
  add_rows (self->emitter, "DmaUsage", "timestamp|current_throughput|total_transfer_bytes|pcore_idx",
            ROWS ("1|2.5|100|0", "2|3.5|300|0"));
  add_rows (self->emitter, "SbufUsage", "timestamp|avg_util_percent|partition_32_util_percent",
            ROWS ("1|0.25|0.5", "3|0.75|-"));
  add_rows (self->emitter, "PsumUsage", "timestamp|bank_3_util_percent", ROWS ("1|55"));
  add_rows (self->emitter, "PendingDma", "timestamp|value", ROWS ("4|7"));
  add_rows (self->emitter, "SemaphoreUpdate", "timestamp|id|value|pcore_idx",
            ROWS ("5|3|1|0", "6|9|4|0", "7|3|2|0"));
  finish (self, "step 7 | DMA throughput (nc0) [B/s]\n  1 2.5\n  2 3.5\n"
                "step 7 | DMA bytes so far (nc0) [B]\n  1 100\n  2 300\n"
                "step 7 | SBUF usage: mean [of 1 (inferred)]\n  1 0.25\n  3 0.75\n"
                "step 7 | SBUF usage: partition 32 [of 1 (inferred)]\n  1 0.5\n"
                "step 7 | PSUM usage: bank 3 [%]\n  1 55\n"
                "step 7 | Pending DMA\n  4 7\n"
                "step 7 | Semaphore (nc0): 3\n  5 1\n  7 2\n"
                "step 7 | Semaphore (nc0): 9\n  6 4\n");
}

static void
test_system (Fixture *self, gconstpointer data)
{
  add_rows (self->emitter, "SystemProfileEvents",
            "id|parent_id:i|start_ts|end_ts|duration_ns|name|trace_event_source|instance_id|process_id|"
            "thread_id|nc_idx|pcore_idx|framework_stream_id|flow_id",
            ROWS ("1|0|1766072156000000100|-|900|nrt_execute|neuron_rt|i-1|77|5|0|-|-|[\"f1\"]",
                  "2|1|1766072156000000200|-|300|kbl_exec_core|neuron_rt|i-1|77|5|0|-|-|-",
                  "3|2|1766072156000000250|-|200|nc_exec_running|neuron_hw|i-1|77|0|0|4|-|-",
                  "4|0|1766072156000000000|-|50|aten::mm|framework|i-1|77|9|-|-|-|[\"f1\", 8]",
                  "5|0|1766072156000000300|-|50|mm|framework|i-1|77|9|-|-|2|[8]",
                  "6|99|1766072156000000300|-|50|x|neuron_rt|i-1|78|5|-|-|-|[]"));
  add_rows (self->emitter, "CpuUsage", "timestamp|util_percent|cpu_id|instance_id",
            ROWS ("1766072156000000000|0.5|0|i-1", "1766072156000000000|0.25|average|i-1"));
  add_rows (self->emitter, "HostMemUsage", "timestamp|used_bytes|used_percent|instance_id",
            ROWS ("1766072156000000000|4096|12.5|i-1"));
  add_rows (self->emitter, "SystemProfileHbmUsage",
            "timestamp|total_bytes|weights_bytes|io_bytes|device_idx|hbm_idx|instance_id",
            ROWS ("1766072156000000000|10|7|0|1|2|i-1"));
  finish (self,
          "i-1 PID 77 | framework TID 9\n  1766072156000000000+50 aten::mm (framework) #3\n"
          "i-1 PID 77 | framework stream 2\n  1766072156000000300+50 mm (framework) #4\n"
          "i-1 PID 77 | neuron_rt NC 0\n  1766072156000000100+900 nrt_execute (neuron_rt) #0\n"
          "  >1766072156000000200+300 kbl_exec_core (neuron_rt) #1\n"
          "i-1 PID 77 | neuron_hw NC0:4\n  1766072156000000250+200 nc_exec_running (neuron_hw) #2\n"
          "i-1 PID 78 | neuron_rt TID 5\n  1766072156000000300+50 x (neuron_rt) #5\n"
          "i-1 | CPU utilization: 0 [%]\n  1766072156000000000 0.5\n"
          "i-1 | CPU utilization: average [%]\n  1766072156000000000 0.25\n"
          "i-1 | Host memory in use [B]\n  1766072156000000000 4096\n"
          "i-1 | Host memory in use, share [%]\n  1766072156000000000 12.5\n"
          "i-1 | HBM usage, ND 1 HBM 2: total [B]\n  1766072156000000000 10\n"
          "i-1 | HBM usage, ND 1 HBM 2: weights [B]\n  1766072156000000000 7\n"
          "aten::mm@1766072156000000000 -> mm@1766072156000000300 8 (flow)\n"
          "aten::mm@1766072156000000000 -> nrt_execute@1766072156000000100 f1 (flow)\n"
          "kbl_exec_core@1766072156000000200 -> nc_exec_running@1766072156000000250 parent_id "
          "(parent_id)\n");
}

static void
add_linked (Fixture *self)
{
  add_rows (self->emitter, "Instruction", "start_ts|duration_ns|engine|opcode|id",
            ROWS ("10|5|sync|DMA_TRIGGER|1", "10|3|vector|COPY|2", "40|5|vector|ADD|3"));
  add_rows (self->emitter, "DmaPacketAggregated", "start_ts|duration_ns|id|queue_name|op",
            ROWS ("20|9|1|q|read", "20|4|2|q|write"));
}

#define LINKED_LANES                                                                               \
  "step 7 | q\n  20+9 read () #0\n  >20+4 write () #1\n"                                            \
  "step 7 | Sync\n  10+5 DMA_TRIGGER (Sync) #0\n"                                                  \
  "step 7 | Vector\n  10+3 COPY (Vector) #1\n  40+5 ADD (Vector) #2\n"

/* Edges behind the rows; two transfers begin at one time, and the right one is met. */
static void
test_flows (Fixture *self, gconstpointer data)
{
  add_linked (self);
  add_rows (self->emitter, "Flow", "in_id|out_id|in_table|out_table|dependency_type",
            ROWS ("1|2|instruction|dma_block|FLOW_DEPENDENCE", "2|3|dma_block|instruction|-",
                  "1|9|instruction|instruction|-", "1|1|instruction|elsewhere|-"));
  finish (self, LINKED_LANES "DMA_TRIGGER@10 -> write@20 FLOW_DEPENDENCE (dependency)\n"
                             "write@20 -> ADD@40  (dependency)\n");
}

static void
test_edges (Fixture *self, gconstpointer data)
{
  stria_neuron_emitter_edge (self->emitter, "instruction", 2, "instruction", 3, "ANTI");
  stria_neuron_emitter_seal_edges (self->emitter);
  add_linked (self);
  finish (self, LINKED_LANES "COPY@10 -> ADD@40 ANTI (dependency)\n");
}

/* Many rows through several batches, and cells of other types than the schema's */
static void
test_rows (Fixture *self, gconstpointer data)
{
  static const char *const names[] = { "n:i", "share:f", "flag:b", "text", "start_ts", NULL };
  StriaNeuronRows *rows = stria_neuron_rows_new (self->emitter, "Instruction", names);

  for (guint i = 0; i < 10000; i++)
    {
      stria_neuron_rows_int (rows, 0, (gint64) i << 40);
      if (i % 2 == 0)
        stria_neuron_rows_int (rows, 1, i);
      stria_neuron_rows_text (rows, 2, i % 3 == 0 ? "true" : "no", -1);
      stria_neuron_rows_real (rows, 3, i);
      stria_neuron_rows_text (rows, 3, "later", 4);
      stria_neuron_rows_text (rows, 4, "9223372036854775807", -1);
      stria_neuron_rows_end (rows);
    }
  stria_neuron_rows_free (rows);
  stria_neuron_emitter_free (self->emitter);
  stria_capture_close_sink (self->capture, self->sink, TRUE);

  g_autofree char *text = trace_text_table (self->capture, 0, "Instruction");
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 10002);
  for (guint i = 0; i < 10000; i++)
    {
      g_autofree char *share = i % 2 == 0 ? g_strdup_printf ("%u", i) : g_strdup ("-");
      g_autofree char *expected
          = g_strdup_printf ("%" G_GUINT64_FORMAT "|%s|%s|late|9223372036854775807",
                             (guint64) i << 40, share, i % 3 == 0 ? "1" : "-");
      g_assert_cmpstr (lines[i + 1], ==, expected);
    }
}

static void
test_times (void)
{
  gint64 ns;

  g_assert_true (stria_neuron_parse_time ("1766072156592459482", -1, &ns));
  g_assert_cmpint (ns, ==, 1766072156592459482);
  g_assert_true (stria_neuron_parse_time ("1970-01-01 01:00:00.5 +0100 CET", -1, &ns));
  g_assert_cmpint (ns, ==, 500000000);
  g_assert_true (stria_neuron_parse_time ("1970-01-01T00:00:01Z", -1, &ns));
  g_assert_cmpint (ns, ==, 1000000000);
  g_assert_true (stria_neuron_parse_time ("1970-01-01 00:00:01.123456789999 UTC", -1, &ns));
  g_assert_cmpint (ns, ==, 1123456789);
  g_assert_false (stria_neuron_parse_time ("", 0, &ns));
  g_assert_false (stria_neuron_parse_time ("99999999999999999999", -1, &ns));
  g_assert_false (stria_neuron_parse_time ("1970-99-01 00:00:01 +0000 UTC", -1, &ns));
  g_assert_false (stria_neuron_parse_time ("yesterday, or the day before it", -1, &ns));
}

#define ADD(name, func)                                                                            \
  g_test_add ("/neuron-emitter/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("instructions", test_instructions);
  ADD ("utilization", test_utilization);
  ADD ("device", test_device);
  ADD ("samples", test_samples);
  ADD ("system", test_system);
  ADD ("flows", test_flows);
  ADD ("edges", test_edges);
  ADD ("rows", test_rows);
  g_test_add_func ("/neuron-emitter/bins", test_flops_bins);
  g_test_add_func ("/neuron-emitter/times", test_times);
  return g_test_run ();
}
