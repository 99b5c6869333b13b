/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON forms of a processed profile: rows, lanes, numbers that doubles can't hold, what is told of units. */
#include "config.h"

#include <string.h>

#include "stria-error.h"
#include "stria-neuron-json.h"
#include "trace-text.h"

typedef struct
{
  StriaCapture *capture;
  StriaNotices *notices;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->capture = trace_text_capture ("profile.json");
  self->notices = stria_notices_ref (stria_capture_get_notices (self->capture));
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  stria_notices_unref (self->notices);
  g_object_unref (self->capture);
}

static gboolean
decode (Fixture *self, const char *json, gsize block, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (json, strlen (json));
  g_autoptr (StriaSource) source = stria_source_new_bytes ("profile.json", bytes, NULL);
  StriaDecodeContext context = { .name = "profile.json", .notices = self->notices };
  StriaSink *sink = stria_capture_open_sink (self->capture, 0);
  gboolean ok;

  if (block > 0)
    stria_source_set_block_size (source, block);
  ok = stria_neuron_json_decoder.decode (source, sink, &context, error);
  stria_capture_close_sink (self->capture, sink, ok);
  return ok;
}

static void
check (Fixture *self, const char *json, const char *lanes, const char *table, const char *rows)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (stria_neuron_json_decoder.probe ("x", (const guint8 *) json, strlen (json), TRUE),
                    ==, 93);
  /* One byte at a time, and as a whole */
  for (guint block = 1; block < 3; block++)
    {
      g_assert_true (decode (self, json, block == 1 ? 1 : 0, &error));
      g_assert_no_error (error);
      g_autofree char *text = trace_text (self->capture);
      g_autofree char *cells = trace_text_table (self->capture, 0, table);
      g_assert_cmpstr (text, ==, lanes);
      g_assert_cmpstr (cells, ==, rows);
    }
}

static void
test_device_older (Fixture *self, gconstpointer data)
{
  check (self,
         "{\"summary\":[{\"total_time\":0.017,\"event_count\":11215}],\"instruction\":[\n"
         "{\"timestamp\":10261883214,\"duration\":148,\"label\":\"TensorMatrix\",\"hlo_name\":\"%dot.1\","
         "\"opcode\":\"MATMUL\",\"operands\":\"S[5] (Tensor)++@complete acc_flags=3\",\"news\":[1,{\"a\":\"\\\"\"}]},\n"
         "{\"timestamp\":10261884214,\"duration\":10,\"label\":\"Vector\",\"opcode\":\"ADD\",\"odd\":9007199254740993}"
         "]}",
         "profile | TensorMatrix\n  10261883214+148 MATMUL (Tensor) #0\n"
         "profile | Vector\n  10261884214+10 ADD (Vector) #1\n",
         "Instruction",
         "start_ts [ns]|duration_ns [ns]|timeline_track|hlo_name|opcode|operands|news|odd|other_members\n"
         "10261883214|148|TensorMatrix|%dot.1|MATMUL|S[5] (Tensor)++@complete acc_flags=3|"
         "[1,{\"a\":\"\\\"\"}]|-|-\n"
         "10261884214|10|Vector|-|ADD|-|-|9007199254740993|-\n");
  g_autofree char *summary = trace_text_table (self->capture, 0, "Summary");
  g_assert_cmpstr (summary, ==, "total_time [s]|event_count|other_members\n0.017|11215|-\n");
}

static void
test_device_newer (Fixture *self, gconstpointer data)
{
  check (self,
         "{\"neff_node\":[{\"variable_name\":\"w\",\"shape\":\"[2048 512]\",\"size\":\"2097152\",\"type\":\"WEIGHT\"},"
         "{\"variable_name\":\"x\",\"size\":\"many\"}],"
         "\"dma\":[{\"variable\":\"w\",\"transfer_size\":512,\"source\":[[\"WEIGHT\"]],\"dest\":[\"SB\"],"
         "\"timestamp\":5,\"duration\":7,\"queue_type\":\"data\"}],"
         "\"layer_summary\":[{\"name\":\"l0\",\"start\":1,\"end\":2.5}],"
         "\"profile_info\":{\"ntff_filename\":\"a.ntff\"},\"version\":3,\"empty\":[]}",
         "profile | DMA without a queue\n  5+7 w (data) #0\n", "TensorInfo",
         "variable_name|shape|size [B]|type|other_members\nw|[2048 512]|2097152|WEIGHT|-\n"
         "x|-|-|-|{\"size\":\"many\"}\n");
  g_autofree char *dma = trace_text_table (self->capture, 0, "DmaPacketAggregated");
  g_assert_cmpstr (dma, ==,
                   "variable|transfer_bytes [B]|source|dest|start_ts [ns]|duration_ns [ns]|queue_type|"
                   "other_members\nw|512|[[\"WEIGHT\"]]|[\"SB\"]|5|7|data|-\n");
  g_autofree char *layers = trace_text_table (self->capture, 0, "layer_summary");
  g_assert_cmpstr (layers, ==, "name|start|end|other_members\nl0|1|2.5|-\n");
  g_autofree char *info = trace_text_table (self->capture, 0, "profile_info");
  g_assert_cmpstr (info, ==, "ntff_filename|other_members\na.ntff|-\n");
}

static void
test_system_older (Fixture *self, gconstpointer data)
{
  check (self,
         "{\"trace_events\":["
         "{\"timestamp\":1729583500548009235,\"duration\":100,\"name\":\"nrt_tensor_write\",\"type\":11,\"id\":7,"
         "\"parent_id\":0,\"group\":\"nrt-nc-003\",\"thread_id\":5,\"process_id\":\"77\",\"instance_id\":\"i-1\","
         "\"size\":\"512\",\"tensor_id\":\"9007199254740993\"},"
         "{\"timestamp\":1729583500548009245,\"duration\":50,\"name\":\"dmem_buf_copyin\",\"type\":3,\"id\":8,"
         "\"parent_id\":7,\"group\":\"nrt-nc-003\",\"lnc_idx\":\"3\",\"thread_id\":5,\"process_id\":\"77\","
         "\"instance_id\":\"i-1\"},"
         "{\"timestamp\":1729583500548009000,\"duration\":900,\"name\":\"PjitFunction(f)\",\"type\":99999,"
         "\"group\":\"framework-4242\",\"thread_id\":4242,\"process_id\":\"77\",\"instance_id\":\"i-1\"}],"
         "\"mem_usage\":[{\"timestamp\":1729583500548009000,\"duration\":1,\"usage\":2048,\"percent_usage\":1.5,"
         "\"instance_id\":\"i-1\"}],"
         "\"cpu_util\":[{\"timestamp\":1729583500548009000,\"duration\":1,\"cpu_id\":\"3\",\"util\":99.5,"
         "\"instance_id\":\"i-1\"}]}",
         "i-1 PID 77 | framework TID 4242\n  1729583500548009000+900 PjitFunction(f) (framework) #2\n"
         "i-1 PID 77 | neuron_rt NC 3\n  1729583500548009235+100 nrt_tensor_write (neuron_rt) #0\n"
         "  >1729583500548009245+50 dmem_buf_copyin (neuron_rt) #1\n"
         "i-1 | Host memory in use [B]\n  1729583500548009000 2048\n"
         "i-1 | Host memory in use, share [%]\n  1729583500548009000 1.5\n"
         "i-1 | CPU utilization: 3 [%]\n  1729583500548009000 99.5\n",
         "SystemProfileEvents",
         "start_ts [ns]|duration_ns [ns]|name|type|id|parent_id|group|thread_id|process_id|instance_id|size|"
         "tensor_id|trace_event_source|nc_idx|other_members\n"
         "1729583500548009235|100|nrt_tensor_write|11|7|0|nrt-nc-003|5|77|i-1|512|9007199254740993|neuron_rt|3|-\n"
         "1729583500548009245|50|dmem_buf_copyin|3|8|7|nrt-nc-003|5|77|i-1|-|-|neuron_rt|3|-\n"
         "1729583500548009000|900|PjitFunction(f)|99999|-|-|framework-4242|4242|77|i-1|-|-|framework|-|-\n");
}

static void
test_system_newer (Fixture *self, gconstpointer data)
{
  check (self,
         "{\"system_profile_metadata\":[{\"first_ts_ns\":\"1766072156592459482\",\"ntff_version\":5}],"
         "\"device_profile_list\":[{\"device_profile_name\":\"d0\",\"nc_id\":1}],"
         "\"trace_event\":[{\"timestamp\":1766072156592459482,\"duration\":10,\"name\":\"nc_exec_running\","
         "\"instance_id\":\"i-1\",\"args\":{\"nc_idx\":2,\"exec_id\":5,\"model_name\":\"m\"}}]}",
         "i-1 | neuron_hw NC2\n  1766072156592459482+10 nc_exec_running (neuron_hw) #0\n",
         "SystemProfileEvents",
         "start_ts [ns]|duration_ns [ns]|name|instance_id|nc_idx|exec_id|model_name|group|trace_event_source|"
         "other_members\n1766072156592459482|10|nc_exec_running|i-1|2|5|m|-|neuron_hw|-\n");
  g_autofree char *list = trace_text_table (self->capture, 0, "DeviceProfileList");
  g_assert_cmpstr (list, ==, "device_profile_name|nc_id|other_members\nd0|1|-\n");
}

static void
test_fetch (Fixture *self, gconstpointer data)
{
  check (self,
         "{\"events\":["
         "{\"event_type\":\"nrt_execute\",\"phase\":\"start\",\"id\":1,\"nc_idx\":0,\"tracking_id\":9,\"thread_id\":4,"
         "\"timestamp_ns\":1766072156000000100,\"data\":{\"model\":\"m\"}},"
         "{\"event_type\":\"nc_exec_running\",\"phase\":\"start\",\"id\":2,\"nc_idx\":0,\"tracking_id\":9,"
         "\"timestamp_ns\":1766072156000000150,\"data\":{\"nc_timestamp_ns\":5}},"
         "{\"event_type\":\"nc_exec_running\",\"phase\":\"stop\",\"id\":3,\"nc_idx\":0,\"tracking_id\":9,"
         "\"timestamp_ns\":1766072156000000180},"
         "{\"event_type\":\"nrt_execute\",\"phase\":\"stop\",\"id\":4,\"nc_idx\":0,\"tracking_id\":9,"
         "\"timestamp_ns\":1766072156000000200},"
         "{\"event_type\":\"timestamp_sync_point\",\"phase\":\"instant\",\"id\":5,\"nc_idx\":1,"
         "\"timestamp_ns\":1766072156000000300},"
         "{\"event_type\":\"lost\",\"phase\":\"stop\",\"nc_idx\":1,\"tracking_id\":1,\"timestamp_ns\":1},"
         "{\"event_type\":\"hangs\",\"phase\":\"start\",\"nc_idx\":1,\"tracking_id\":2,"
         "\"timestamp_ns\":1766072156000000400}],\"data_version\":2}",
         "System profile | neuron_rt NC 0\n  1766072156000000100+100 nrt_execute (neuron_rt) #1\n"
         "System profile | neuron_rt NC 1\n  1766072156000000300+0 timestamp_sync_point (neuron_rt) #2\n"
         "  1766072156000000400+0 hangs (neuron_rt) #3\n"
         "System profile | neuron_hw NC0\n  1766072156000000150+30 nc_exec_running (neuron_hw) #0\n",
         "SystemProfileEvents",
         "id|name|start_ts [ns]|end_ts [ns]|duration_ns [ns]|trace_event_source|thread_id|nc_idx|worker_gid|"
         "tracking_id|nc_local_id|nrta_seq_id|extra_attributes_json|stop_attributes_json\n"
         "2|nc_exec_running|1766072156000000150|1766072156000000180|30|neuron_hw|-|0|-|9|-|-|"
         "{\"nc_timestamp_ns\":5}|-\n"
         "1|nrt_execute|1766072156000000100|1766072156000000200|100|neuron_rt|4|0|-|9|-|-|{\"model\":\"m\"}|-\n"
         "5|timestamp_sync_point|1766072156000000300|-|-|neuron_rt|-|1|-|-|-|-|-|-\n"
         "-|hangs|1766072156000000400|-|-|neuron_rt|-|1|-|2|-|-|-|-\n");
  g_assert_cmpuint (stria_notices_total (self->notices, "neuron-stop-without-start"), ==, 2);
  g_assert_cmpuint (stria_notices_total (self->notices, "neuron-start-without-stop"), ==, 2);
}

static void
test_summary (Fixture *self, gconstpointer data)
{
  static const char json[] = "{\"nc_0\":{\"total_time\":0.5,\"matmul_instruction_count\":3},"
                             "\"nc_1\":{\"total_time\":0.25}}";
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (stria_neuron_json_decoder.probe ("x", (const guint8 *) json, strlen (json), TRUE),
                    ==, 60);
  g_assert_true (decode (self, json, 0, &error));
  g_autofree char *summary = trace_text_table (self->capture, 0, "Summary");
  g_assert_cmpstr (summary, ==, "total_time [s]|matmul_instruction_count|profile|other_members\n"
                                "0.5|3|nc_0|-\n0.25|-|nc_1|-\n");
  g_assert_true (decode (self, "[{\"total_time\":1}]", 0, &error));
}

/* A member that comes up behind the first thousand rows is kept all the same. */
static void
test_late_member (Fixture *self, gconstpointer data)
{
  g_autoptr (GString) json = g_string_new ("{\"instruction\":[");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 1500; i++)
    g_string_append_printf (json, "%s{\"timestamp\":%u,\"duration\":1,\"label\":\"Sync\",\"opcode\":\"NOP\"%s}",
                            i > 0 ? "," : "", i * 2, i == 1400 ? ",\"late\":\"yes\",\"n\":[2]" : "");
  g_string_append (json, "]}");
  g_assert_true (decode (self, json->str, 0, &error));
  g_autofree char *text = trace_text_table (self->capture, 0, "Instruction");
  g_assert_nonnull (strstr (text, "\n2800|1|Sync|NOP|{\"late\":\"yes\",\"n\":[2]}\n2802|1|Sync|NOP|-\n"));
}

static void
test_units (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (decode (self, "{\"summary\":[{\"total_time\":0.001}],\"instruction\":["
                               "{\"timestamp\":0,\"duration\":999000,\"label\":\"Sync\",\"opcode\":\"X\"}]}",
                         0, &error));
  g_assert_cmpuint (stria_notices_total (self->notices, "neuron-time-unit"), ==, 0);
  g_assert_true (decode (self, "{\"summary\":[{\"total_time\":0.001}],\"instruction\":["
                               "{\"timestamp\":0,\"duration\":999,\"label\":\"Sync\",\"opcode\":\"X\"}]}",
                         0, &error));
  g_assert_cmpuint (stria_notices_total (self->notices, "neuron-time-unit"), ==, 1);
  g_assert_true (decode (self, "{\"summary\":[{\"total_time\":0.001}],\"instruction\":["
                               "{\"timestamp\":0,\"duration\":9990000,\"label\":\"Sync\",\"opcode\":\"X\"}]}",
                         0, &error));
  g_assert_cmpuint (stria_notices_total (self->notices, "neuron-time-unit"), ==, 2);
  g_assert_true (decode (self, "{\"summary\":[{\"total_time\":1}],\"instruction\":["
                               "{\"timestamp\":0,\"duration\":999000,\"label\":\"Sync\",\"opcode\":\"X\"}]}",
                         0, &error));
  g_assert_cmpuint (stria_notices_total (self->notices, "neuron-time-unit"), ==, 3);
}

static void
test_bad (Fixture *self, gconstpointer data)
{
  static const char whole[]
      = "{\"instruction\":[{\"timestamp\":1,\"duration\":2,\"label\":\"Sync\",\"opcode\":\"X\",\"a\":{\"b\":[1]}},"
        "{\"timestamp\":99999999999999999999,\"duration\":-5,\"label\":null,\"opcode\":7},3,[4]],"
        "\"mem_usage\":[{\"usage\":true}],\"instruction\":{\"timestamp\":\"12\"}}";
  g_autoptr (GString) deep = g_string_new ("{\"instruction\":[{\"a\":");
  GError *error = NULL;

  g_assert_true (decode (self, whole, 0, &error));
  g_assert_no_error (error);
  /* Cut anywhere: an error, or a notice and what came before */
  for (gsize n = 1; n < strlen (whole); n++)
    {
      g_autofree char *cut = g_strndup (whole, n);
      guint64 before = stria_notices_total (self->notices, "neuron-json");

      if (decode (self, cut, 0, &error))
        g_assert_cmpuint (stria_notices_total (self->notices, "neuron-json"), ==, before + 1);
      else
        g_assert_nonnull (error);
      g_clear_error (&error);
    }
  for (guint i = 0; i < 1000; i++)
    g_string_append (deep, "[");
  g_assert_false (decode (self, deep->str, 0, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT);
  g_clear_error (&error);
  g_assert_false (decode (self, "nothing", 0, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED);
  g_clear_error (&error);
}

static void
test_probe (void)
{
  static const char *const others[]
      = { "{\"traceEvents\":[{\"ts\":1}]}", "{\"summary\":[{\"x\":1}]}", "{\"events\":[{\"name\":1}]}",
          "[1,2]", "{}", "", "{\"instruction\":[{\"opcode", "{\"a\\\"instruction\":[{\"opcode\":1}]}" };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_cmpuint (stria_neuron_json_decoder.probe ("system_profile.json",
                                                       (const guint8 *) others[i],
                                                       strlen (others[i]), TRUE),
                      ==, 0);
  g_assert_cmpuint (stria_perfetto_decoder.probe ("ntff.pftrace", (const guint8 *) "\n\x02", 2, TRUE),
                    ==, 90);
  g_assert_cmpuint (stria_perfetto_decoder.probe ("ntff.bin", (const guint8 *) "\n\x02", 2, TRUE), ==, 0);
}

#define ADD(name, func)                                                                            \
  g_test_add ("/neuron-json/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("device-older", test_device_older);
  ADD ("device-newer", test_device_newer);
  ADD ("system-older", test_system_older);
  ADD ("system-newer", test_system_newer);
  ADD ("fetch", test_fetch);
  ADD ("summary", test_summary);
  ADD ("late-member", test_late_member);
  ADD ("units", test_units);
  ADD ("bad", test_bad);
  g_test_add_func ("/neuron-json/probe", test_probe);
  return g_test_run ();
}
