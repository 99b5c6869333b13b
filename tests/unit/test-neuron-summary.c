/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of a profile made from rows by the published formulas, with numbers worked out by hand. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-neuron-emitter.h"
#include "stria-neuron-summary.h"
#include "neuron-rows.h"
#include "trace-text.h"

typedef struct
{
  StriaCapture *capture;
  StriaSink *sink;
  StriaNeuronEmitter *emitter;
  GArray *metrics;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->capture = trace_text_capture ("profile");
  self->sink = stria_capture_open_sink (self->capture, 0);
  self->emitter = stria_neuron_emitter_new (self->sink, "p");
}

static void
make (Fixture *self)
{
  g_autoptr (GPtrArray) tables = NULL;
  g_autoptr (GError) error = NULL;

  stria_neuron_emitter_free (self->emitter);
  stria_capture_close_sink (self->capture, self->sink, TRUE);
  tables = stria_neuron_summary_tables (self->capture, 0);
  self->metrics = stria_neuron_summary (tables, NULL, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_array_unref (self->metrics);
  g_object_unref (self->capture);
}

static const StriaNeuronMetric *
find (Fixture *self, const char *name)
{
  for (guint i = 0; i < self->metrics->len; i++)
    if (g_str_equal (g_array_index (self->metrics, StriaNeuronMetric, i).name, name))
      return &g_array_index (self->metrics, StriaNeuronMetric, i);
  return NULL;
}

static void
check (Fixture *self, const char *name, double expected)
{
  const StriaNeuronMetric *metric = find (self, name);

  g_test_message ("%s", name);
  g_assert_nonnull (metric);
  g_assert_true (metric->has_value);
  g_assert_cmpfloat_with_epsilon (metric->value, expected, fabs (expected) * 1e-9 + 1e-15);
}

/* 1000 ns: the tensor engine is busy for 300 (100 to 300 and 500 to 600), DMA for 200, and so on. */
static void
test_metrics (Fixture *self, gconstpointer data)
{
  add_rows (self->emitter, "Metadata",
            "first_hw_timestamp|last_hw_timestamp|tensor_engine_num_rows|tensor_engine_num_cols|"
            "tensor_engine_clock_freq|neuroncore_clock_freq|hbm_ddr_bandwidth",
            ROWS ("5000|6000|128|128|2|1.4|400000000000"));
  add_rows (self->emitter, "Instruction",
            "start_ts|duration_ns|engine|opcode|raw_flops|flops_transpose|pcore_idx",
            ROWS ("100|150|Tensor|MATMUL|1000000|0|0", "200|100|tensor|MATMUL|500000|500000|0",
                  "500|100|pe|LDWEIGHTS|-|-|0", "100|50|act|ACTIVATE|-|-|0",
                  "300|25|Scalar|ACTIVATE_QUANTIZE|-|-|0", "700|10|scalar|COPY|-|-|0"));
  add_rows (self->emitter, "ActiveTime", "start_ts|duration_ns|engine|pcore_idx",
            ROWS ("100|200|tensor|0", "500|100|tensor|0", "100|50|scalar|0", "300|25|scalar|0"));
  add_rows (self->emitter, "DmaPacket", "start_ts|duration_ns|transfer_bytes|queue_type",
            ROWS ("800|100|512|data", "850|100|512|hardware_dynamic",
                  "940|60|1024|software_dynamic", "0|1|4096|unknown"));
  add_rows (self->emitter, "DmaPacketAggregated", "start_ts|duration_ns|transfer_bytes|queue_name|id",
            ROWS ("800|100|1024|q|1", "850|150|2048|q|2"));
  add_rows (self->emitter, "CcOp", "start_ts|duration_ns|operation",
            ROWS ("600|50|AllGather", "610|20|AllReduce"));
  add_rows (self->emitter, "Throttle", "timestamp|duration|k|n|type", ROWS ("0|400|1|2|activity_0"));
  make (self);

  check (self, "total_time", 1000e-9);
  check (self, "tensor_engine_instruction_count", 3);
  check (self, "tensor_engine_instruction_time", 350e-9);
  check (self, "tensor_engine_active_time", 300e-9);
  check (self, "tensor_engine_active_time_percent", 0.3);
  check (self, "scalar_engine_instruction_count", 3);
  check (self, "scalar_engine_active_time_percent", 0.075);
  check (self, "vector_engine_instruction_count", 0);
  check (self, "matmul_instruction_count", 2);
  check (self, "activate_instruction_count", 2);
  check (self, "activate_instruction_time", 75e-9);
  check (self, "hardware_flops", 1500000);
  check (self, "transpose_flops", 500000);
  check (self, "static_dma_packet_count", 1);
  check (self, "static_dma_size", 512);
  check (self, "hardware_dynamic_dma_size", 512);
  check (self, "software_dynamic_dma_packet_percent", 0.25);
  check (self, "dynamic_dma_size_percent", 1536.0 / 6144);
  check (self, "hardware_dynamic_dma_active_time_percent", 0.1);
  check (self, "dma_active_time", 201e-9);
  check (self, "dma_packet_time", 261e-9);
  check (self, "dma_transfer_count", 2);
  check (self, "dma_transfer_average_bytes", 1536);
  check (self, "dma_transfer_time", 250e-9);
  check (self, "dma_coverage", 0.5);
  check (self, "cc_op_count", 2);
  check (self, "cc_op_time", 70e-9);
  check (self, "cc_op_active_time_percent", 0.05);
  check (self, "neuroncore_cycle_count", 1400);
  /* 128 x 128 x 2 x 2 GHz is 65.536 T a second, so 65,536,000 in 1000 ns. */
  check (self, "hfu_estimated_percent", 1500000.0 / 65536000);
  check (self, "mfu_inst_estimated_percent", 1000000.0 / 65536000);
  check (self, "peak_flops_bandwidth_ratio", 65.536e12 / 400e9);
  /* Half the limit for 400 of 1000 */
  check (self, "average_utilization_limit", 0.8);
  /* 0 to 1, 100 to 300 (with scalar to 325), 500 to 650, 800 to 1000 */
  check (self, "total_active_time", (1 + 225 + 150 + 200) * 1e-9);
  g_assert_null (find (self, "mbu_estimated_percent"));
  g_assert_null (find (self, "adjusted_hardware_flops"));
  g_assert_null (find (self, "cc_cores_instruction_count"));
}

/* What the file says is beside it, shares as a part of 1, and it supplies what rows can't. */
static void
test_reported (Fixture *self, gconstpointer data)
{
  add_rows (self->emitter, "Summary",
            "total_time|matmul_instruction_count|tensor_engine_active_time_percent|hbm_read_bytes|"
            "hbm_write_bytes|mfu_hlo_estimated_percent|vector_engine_active_time",
            ROWS ("0.000002|5|25|600|200|1|0.5"));
  add_rows (self->emitter, "Metadata", "hbm_ddr_bandwidth", ROWS ("800000000"));
  add_rows (self->emitter, "Instruction", "start_ts|duration_ns|engine|opcode",
            ROWS ("0|500|tensor|MATMUL"));
  make (self);

  const StriaNeuronMetric *matmul = find (self, "matmul_instruction_count");
  g_assert_true (matmul->has_value && matmul->has_reported);
  g_assert_cmpfloat (matmul->value, ==, 1);
  g_assert_cmpfloat (matmul->reported, ==, 5);
  /* Without ActiveTime there is no value, and what is missing is told. */
  const StriaNeuronMetric *share = find (self, "tensor_engine_active_time_percent");
  g_assert_false (share->has_value);
  g_assert_cmpfloat (share->reported, ==, 0.25);
  g_assert_nonnull (strstr (share->missing, "ActiveTime"));
  /* 800 bytes in 2 us are 400 MB/s of 800. */
  check (self, "mbu_estimated_percent", 0.5);
  g_assert_false (find (self, "total_time")->has_value);
  g_assert_cmpfloat_with_epsilon (find (self, "total_time")->reported, 2e-6, 1e-15);
}

/* How two physical cores are put together is not published, so nothing is claimed. */
static void
test_cores (Fixture *self, gconstpointer data)
{
  add_rows (self->emitter, "Metadata",
            "first_hw_timestamp|last_hw_timestamp|tensor_engine_num_rows|tensor_engine_num_cols|"
            "tensor_engine_clock_freq",
            ROWS ("5000|6000|128|128|2"));
  add_rows (self->emitter, "Instruction",
            "start_ts|duration_ns|engine|opcode|raw_flops|flops_transpose|pcore_idx",
            ROWS ("0|500|tensor|MATMUL|1000|0|0", "0|500|tensor|MATMUL|1000|0|1"));
  add_rows (self->emitter, "ActiveTime", "start_ts|duration_ns|engine|pcore_idx",
            ROWS ("0|500|tensor|0", "0|500|tensor|1"));
  add_rows (self->emitter, "CcOp", "start_ts|duration_ns|operation",
            ROWS ("600|50|AllGather", "610|20|AllReduce"));
  make (self);
  check (self, "tensor_engine_instruction_count", 2);
  check (self, "hardware_flops", 2000);
  check (self, "cc_op_time", 70e-9);
  g_assert_null (find (self, "tensor_engine_active_time"));
  g_assert_null (find (self, "total_active_time"));
  g_assert_null (find (self, "cc_op_active_time"));
  g_assert_null (find (self, "hfu_estimated_percent"));
  g_assert_null (find (self, "mfu_inst_estimated_percent"));
}

/* Spans that overlap cover more than a signed number of nanoseconds holds. */
static void
test_long (Fixture *self, gconstpointer data)
{
  add_rows (self->emitter, "Instruction", "start_ts|duration_ns|engine|opcode",
            ROWS ("0|500|tensor|MATMUL"));
  add_rows (self->emitter, "ActiveTime", "start_ts|duration_ns|engine",
            ROWS ("-9000000000000000000|9100000000000000000|tensor",
                  "0|9000000000000000000|tensor"));
  make (self);
  check (self, "tensor_engine_active_time", 18e9);
  check (self, "total_active_time", 18e9);
}

static void
test_none (Fixture *self, gconstpointer data)
{
  add_rows (self->emitter, "CpuUsage", "timestamp|util_percent|cpu_id", ROWS ("1|2|0"));
  make (self);
  g_assert_cmpuint (self->metrics->len, ==, 0);
}

#define ADD(name, func)                                                                            \
  g_test_add ("/neuron-summary/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("metrics", test_metrics);
  ADD ("reported", test_reported);
  ADD ("cores", test_cores);
  ADD ("long", test_long);
  ADD ("none", test_none);
  return g_test_run ();
}
