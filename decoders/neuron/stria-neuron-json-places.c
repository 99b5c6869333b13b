/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-neuron-json-private.h"

static const NeuronJsonName instruction_names[]
    = { { "timestamp", "start_ts" }, { "duration", "duration_ns" }, { "label", "timeline_track" },
        { NULL, NULL } };
static const NeuronJsonName dma_names[]
    = { { "timestamp", "start_ts" }, { "duration", "duration_ns" },
        { "transfer_size", "transfer_bytes" }, { "read_size", "read_bytes" },
        { "write_size", "write_bytes" }, { NULL, NULL } };
static const NeuronJsonName event_names[]
    = { { "timestamp", "start_ts" }, { "duration", "duration_ns" }, { "lnc_idx", "nc_idx" },
        { NULL, NULL } };
static const NeuronJsonName memory_names[]
    = { { "usage", "used_bytes" }, { "percent_usage", "used_percent" }, { NULL, NULL } };
static const NeuronJsonName cpu_names[] = { { "util", "util_percent" }, { NULL, NULL } };

/* Documented, or seen in public code that reads such files */
static const NeuronJsonPlace places[] = {
  { "instruction", "Instruction", instruction_names, "opcode", FALSE },
  { "dma", "DmaPacketAggregated", dma_names, "transfer_size", FALSE },
  { "neff_node", "TensorInfo", NULL, "variable_name", FALSE },
  { "layer_summary", "layer_summary", NULL, "start", FALSE },
  { "annotation", "annotation", NULL, "tensor_size_bytes", FALSE },
  { "profile_info", "profile_info", NULL, "ntff_filename", FALSE },
  { "summary", "Summary", NULL, "total_time", FALSE },
  { "summary_groups", "summary_groups", NULL, "", FALSE },
  { "trace_events", "SystemProfileEvents", event_names, "instance_id", TRUE },
  { "trace_event", "SystemProfileEvents", event_names, "instance_id", TRUE },
  { "mem_usage", "HostMemUsage", memory_names, "percent_usage", FALSE },
  { "cpu_util", "CpuUsage", cpu_names, "util", FALSE },
  { "system_profile_metadata", "SystemProfileMetadata", NULL, "first_ts_ns", FALSE },
  { "device_profile_list", "DeviceProfileList", NULL, "device_profile_name", FALSE },
  { "events", "SystemProfileEvents", NULL, "event_type", FALSE },
};

const NeuronJsonPlace *
neuron_json_place (const char *key)
{
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    if (g_str_equal (places[i].key, key))
      return &places[i];
  return NULL;
}

/* How sure the beginning of a document is: by its members, and by one that their rows have. */
static guint
probe_json (const guint8 *head, gsize length)
{
  const NeuronJsonPlace *place = NULL;
  guint depth = 0, sure = 0;

  for (gsize i = 0; i < length; i++)
    {
      gsize from = i + 1, end;

      if (head[i] == '{' || head[i] == '[')
        depth++;
      else if (head[i] == '}' || head[i] == ']')
        depth -= depth > 0;
      if (head[i] != '"')
        continue;
      for (end = from; end < length && head[end] != '"'; end++)
        end += head[end] == '\\';
      if (end >= length)
        break;
      i = end;
      for (end++; end < length && g_ascii_isspace (head[end]); end++)
        ;
      if (end >= length || head[end] != ':')
        continue;
      g_autofree char *key = g_strndup ((const char *) head + from, i - from);
      if (depth == 1)
        place = neuron_json_place (key);
      else if (place != NULL && depth <= 3 && g_str_equal (key, place->witness))
        return 93;
      else if (place == NULL && depth == 2 && g_str_equal (key, "total_time"))
        sure = MAX (sure, 60);
      else if (depth == 2 && g_str_equal (key, "tensor_engine_active_time_percent"))
        sure = 90;
    }
  return sure;
}

guint
neuron_json_probe (const char *name, const guint8 *head, gsize length, gboolean whole)
{
  gsize i = 0;

  while (i < length && (g_ascii_isspace (head[i]) || head[i] == 0xef || head[i] == 0xbb
                        || head[i] == 0xbf))
    i++;
  return i < length && (head[i] == '{' || head[i] == '[') ? probe_json (head + i, length - i) : 0;
}
