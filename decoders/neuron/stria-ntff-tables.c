/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-ntff-private.h"

#include <json-glib/json-glib.h>

/* A name of one of the enumerations, without its prefix: "WEIGHTS" */
static const char *
enum_name (const ProtobufCEnumDescriptor *type, int value, const char *prefix)
{
  const ProtobufCEnumValue *found = protobuf_c_enum_descriptor_get_value (type, value);

  if (found == NULL)
    return NULL;
  return g_str_has_prefix (found->name, prefix) ? found->name + strlen (prefix) : found->name;
}

static void
put_text (StriaNeuronRows *rows, guint column, const char *text)
{
  if (text != NULL && text[0] != '\0')
    stria_neuron_rows_text (rows, column, text, -1);
}

/* --- queues ----------------------------------------------------------------------------------- */

char *
stria_ntff_queue_type (int type)
{
  const char *name = enum_name (&ntff__dma_queue_type__descriptor, type, "DMA_QUEUE_TYPE_");

  return name != NULL ? g_ascii_strdown (name, -1) : NULL;
}

static void
queue_rows (StriaNtffFile *self)
{
  static const char *const names[] = { "name", "type", "pcore_idx", "idx", "engine_idx", "axi_port",
                                       "dram_channel", "nd_idx:i", "nc_idx:i", NULL };
  static const char *const block_names[]
      = { "queue_name:s", "queue_idx:i", "engine_idx:i", "pcore_idx:i", "position:i", "block_id:i",
          "packet_count:i", "m2s_desc_count:i", "s2m_desc_count:i", "function_name:s", NULL };
  StriaNeuronRows *rows = NULL, *blocks = NULL;

  for (guint g = 0; g < self->graphs->len; g++)
    {
      const StriaNtffGraph *graph = &g_array_index (self->graphs, StriaNtffGraph, g);

      for (size_t i = 0; i < graph->info->n_dma_queue_usage; i++)
        {
          const Ntff__DmaQueueUsageInfo *queue = graph->info->dma_queue_usage[i];
          g_autofree char *type = stria_ntff_queue_type ((int)queue->queue_type);

          if (rows == NULL)
            rows = stria_neuron_rows_new (self->emitter, "DmaQueuesInfo", names);
          put_text (rows, 0, queue->name);
          put_text (rows, 1, type);
          stria_neuron_rows_int (rows, 2, graph->pcore);
          stria_neuron_rows_int (rows, 3, queue->queue_index);
          stria_neuron_rows_int (rows, 4, queue->engine_index);
          stria_neuron_rows_int (rows, 5, queue->axi_port);
          stria_neuron_rows_int (rows, 6, queue->channel);
          stria_neuron_rows_int (rows, 7, graph->info->nd_idx);
          stria_neuron_rows_int (rows, 8, graph->info->nc_idx);
          stria_neuron_rows_end (rows);
          for (size_t b = 0; b < queue->n_desc_block_info; b++)
            {
              const Ntff__DescBlockInfo *block = queue->desc_block_info[b];

              if (blocks == NULL)
                blocks = stria_neuron_rows_new (self->emitter, "DmaDescriptorBlock", block_names);
              put_text (blocks, 0, queue->name);
              stria_neuron_rows_int (blocks, 1, queue->queue_index);
              stria_neuron_rows_int (blocks, 2, queue->engine_index);
              stria_neuron_rows_int (blocks, 3, graph->pcore);
              stria_neuron_rows_int (blocks, 4, (gint64)b);
              stria_neuron_rows_int (blocks, 5, block->block_id);
              stria_neuron_rows_int (blocks, 6, block->packet_count);
              stria_neuron_rows_int (blocks, 7, block->m2s_desc_count);
              stria_neuron_rows_int (blocks, 8, block->s2m_desc_count);
              put_text (blocks, 9, block->function_name);
              stria_neuron_rows_end (blocks);
            }
        }
    }
  g_clear_pointer (&rows, stria_neuron_rows_free);
  g_clear_pointer (&blocks, stria_neuron_rows_free);
}

/* --- memory ----------------------------------------------------------------------------------- */

static void
memory_rows (StriaNtffFile *self)
{
  static const char *const names[]
      = { "neuron_device_idx", "neuroncore_idx", "usage_type", "usage_bytes", NULL };
  StriaNeuronRows *rows = NULL;

  for (guint g = 0; g < self->graphs->len; g++)
    {
      const Ntff__SubgraphInfo *info = g_array_index (self->graphs, StriaNtffGraph, g).info;

      for (size_t i = 0; i < info->n_memory_usage_breakdown; i++)
        {
          const Ntff__NcMemoryUsage *usage = info->memory_usage_breakdown[i];
          const char *type = enum_name (&ntff__memory_usage_type__descriptor,
                                        (int)usage->usage_type, "MEMORY_USAGE_TYPE_");
          char number[24];

          if (rows == NULL)
            rows = stria_neuron_rows_new (self->emitter, "HbmUsageSummaryByType", names);
          /* The name that the file gives is believed before the recovered number. */
          if (usage->type != NULL && usage->type[0] != '\0')
            type = usage->type;
          if (type == NULL)
            {
              g_snprintf (number, sizeof number, "%d", (int)usage->usage_type);
              type = number;
            }
          stria_neuron_rows_int (rows, 0, info->nd_idx);
          stria_neuron_rows_int (rows, 1, info->nc_idx);
          stria_neuron_rows_text (rows, 2, type, -1);
          stria_neuron_rows_int (rows, 3, (gint64)MIN (usage->amount, G_MAXINT64));
          stria_neuron_rows_end (rows);
        }
    }
  g_clear_pointer (&rows, stria_neuron_rows_free);
}

/* --- collectives ------------------------------------------------------------------------------ */

typedef struct
{
  StriaNeuronRows *ops;
  StriaNeuronRows *streams;
  StriaNeuronRows *communicators;
} Collectives;

static void
op_rows (StriaNtffFile *self, Collectives *out, const Ntff__CollectivesOpInfo *info, gint64 pcore)
{
  /* What the numbers of an operation, an algorithm and a type stand for is unknown: they are kept
   * as numbers, in columns of ours. */
  static const char *const names[]
      = { "algorithm", "num_elements", "op_id", "operation_number:i", "algorithm_number:i",
          "data_type_number:i", "comm_id:i", "pcore_idx:i", NULL };

  for (size_t i = 0; info != NULL && i < info->n_cc_ops; i++)
    {
      const Ntff__CollectivesOp *op = info->cc_ops[i];

      if (out->ops == NULL)
        out->ops = stria_neuron_rows_new (self->emitter, "CcOp", names);
      put_text (out->ops, 0, op->algorithm_name);
      stria_neuron_rows_int (out->ops, 1, (gint64)op->num_elements);
      stria_neuron_rows_int (out->ops, 2, (gint64)i);
      stria_neuron_rows_int (out->ops, 3, op->type);
      stria_neuron_rows_int (out->ops, 4, op->algorithm);
      stria_neuron_rows_int (out->ops, 5, (gint64)op->data_type);
      stria_neuron_rows_int (out->ops, 6, (gint64)op->comm_id);
      if (pcore >= 0)
        stria_neuron_rows_int (out->ops, 7, pcore);
      stria_neuron_rows_end (out->ops);
    }
}

static void
stream_rows (StriaNtffFile *self, Collectives *out, Ntff__CollectivesStreamInfo **streams, size_t n)
{
  static const char *const names[] = { "stream_id", "stream_index", "cc_core_ids", NULL };

  for (size_t i = 0; i < n; i++)
    {
      g_autoptr (GString) cores = g_string_new ("[");

      for (size_t c = 0; c < streams[i]->n_cc_core_id && cores->len < 65536; c++)
        g_string_append_printf (cores, "%s%" G_GUINT64_FORMAT, c > 0 ? "," : "",
                                streams[i]->cc_core_id[c]);
      g_string_append_c (cores, ']');
      if (out->streams == NULL)
        out->streams = stria_neuron_rows_new (self->emitter, "CcStream", names);
      stria_neuron_rows_int (out->streams, 0, (gint64)streams[i]->id);
      stria_neuron_rows_int (out->streams, 1, (gint64)i);
      stria_neuron_rows_text (out->streams, 2, cores->str, (gssize)cores->len);
      stria_neuron_rows_end (out->streams);
    }
}

static void
communicator_rows (StriaNtffFile *self, Collectives *out, Ntff__CollectivesCommInfo **infos,
                   size_t n)
{
  static const char *const names[]
      = { "id:i", "rank:i", "rank_n:i", "node_n:i", "local_rank_n:i", "stream_id:i", NULL };

  for (size_t i = 0; i < n; i++)
    {
      const guint64 values[] = { infos[i]->id,     infos[i]->rank,         infos[i]->rank_n,
                                 infos[i]->node_n, infos[i]->local_rank_n, infos[i]->stream_id };

      if (out->communicators == NULL)
        out->communicators = stria_neuron_rows_new (self->emitter, "CcCommunicator", names);
      for (guint c = 0; c < G_N_ELEMENTS (values); c++)
        stria_neuron_rows_int (out->communicators, c, (gint64)values[c]);
      stria_neuron_rows_end (out->communicators);
    }
}

static void
collective_rows (StriaNtffFile *self)
{
  Collectives out = { 0 };

  for (guint g = 0; g < self->graphs->len; g++)
    {
      const StriaNtffGraph *graph = &g_array_index (self->graphs, StriaNtffGraph, g);

      op_rows (self, &out, graph->info->cc_op_info, graph->pcore);
      stream_rows (self, &out, graph->info->stream_info, graph->info->n_stream_info);
      communicator_rows (self, &out, graph->info->comm_info, graph->info->n_comm_info);
    }
  for (size_t i = 0; i < self->info->n_neff_nodes; i++)
    {
      const Ntff__OutccInfo *outcc = self->info->neff_nodes[i]->outcc;

      if (outcc == NULL)
        continue;
      op_rows (self, &out, outcc->cc_op_info, -1);
      stream_rows (self, &out, outcc->stream_info, outcc->n_stream_info);
      communicator_rows (self, &out, outcc->comm_info, outcc->n_comm_info);
    }
  g_clear_pointer (&out.ops, stria_neuron_rows_free);
  g_clear_pointer (&out.streams, stria_neuron_rows_free);
  g_clear_pointer (&out.communicators, stria_neuron_rows_free);
}

void
stria_ntff_static_rows (StriaNtffFile *self)
{
  queue_rows (self);
  memory_rows (self);
  collective_rows (self);
}

/* --- metadata --------------------------------------------------------------------------------- */

static char *
version_text (const Ntff__VersionInfo *version)
{
  GString *text;

  if (version == NULL)
    return NULL;
  text = g_string_new (NULL);
  g_string_append_printf (text,
                          "%" G_GUINT64_FORMAT ".%" G_GUINT64_FORMAT ".%" G_GUINT64_FORMAT
                          ".%" G_GUINT64_FORMAT,
                          version->major_version, version->minor_version, version->patch_version,
                          version->maintenance_version);
  if (version->git_hash != NULL && version->git_hash[0] != '\0')
    {
      g_autofree char *hash = g_utf8_make_valid (version->git_hash, -1);

      g_string_append_printf (text, "-%s", hash);
    }
  return g_string_free (text, FALSE);
}

/* Wall clock of the profile's start, as exports write times; that the earliest record is at that
 * time is approximate (inferred). */
static char *
wall_text (gint64 ns)
{
  g_autoptr (GDateTime) time = ns > 0 ? g_date_time_new_from_unix_utc (ns / 1000000000) : NULL;
  g_autofree char *seconds = time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M:%S") : NULL;

  return seconds != NULL
             ? g_strdup_printf ("%s.%09d +0000 UTC", seconds, (int)(ns % 1000000000)) : NULL;
}

static guint
count_cores (StriaNtffFile *self)
{
  g_autoptr (GHashTable) cores = g_hash_table_new (NULL, NULL);

  for (guint g = 0; g < self->graphs->len; g++)
    {
      const Ntff__SubgraphInfo *info = g_array_index (self->graphs, StriaNtffGraph, g).info;

      g_hash_table_add (cores,
                        GSIZE_TO_POINTER (((gsize)info->nd_idx << 32 | info->nc_idx) + 1));
    }
  return g_hash_table_size (cores);
}

static void
metadata_row (StriaNtffFile *self)
{
  static const char *const names[]
      = { "ntff_version", "num_physical_cores", "vnc_enabled", "first_hw_timestamp",
          "last_hw_timestamp", "first_ts", "ticks_per_nanosec", "instance_type", "runtime_version",
          "collectives_version", "driver_version", "neuroncore_idx", "neuron_device_idx",
          "ultraserver_id", "ultraserver_size", "ultraserver_instance_index", "profile_name",
          "framework:s", "arch:s", "uuid:s", "instance_id:s", "pid:i", "start_nc:i", "session_id:i",
          NULL };
  const Ntff__NtffInfo *info = self->info;
  StriaNeuronRows *rows = stria_neuron_rows_new (self->emitter, "Metadata", names);
  g_autofree char *wall = wall_text (info->profile_start_time);
  g_autofree char *runtime = version_text (info->neuron_runtime_version);
  g_autofree char *driver = version_text (info->neuron_driver_version);
  g_autofree char *collectives = version_text (info->neuron_collectives_version);
  guint n_cores = count_cores (self);
  guint64 offset, length;

  if (self->version > 0)
    stria_neuron_rows_int (rows, 0, self->version);
  if (n_cores > 0)
    stria_neuron_rows_int (rows, 1, n_cores);
  if (self->n_records > 0)
    {
      stria_neuron_rows_int (rows, 3, (gint64)MIN (self->first_ticks, G_MAXINT64));
      stria_neuron_rows_int (rows, 4, (gint64)MIN (self->last_ticks, G_MAXINT64));
    }
  put_text (rows, 5, wall);
  /* Picoseconds on all chips but the first (recovered) */
  if (info->has_arch && info->arch != NTFF__NEFF_ARCH__NEFF_ARCH_V1)
    stria_neuron_rows_int (rows, 6, 1000);
  put_text (rows, 7, info->instance_type);
  put_text (rows, 8, runtime);
  put_text (rows, 9, collectives);
  put_text (rows, 10, driver);
  if (self->graphs->len > 0)
    {
      const Ntff__SubgraphInfo *first = g_array_index (self->graphs, StriaNtffGraph, 0).info;

      stria_neuron_rows_int (rows, 11, first->nc_idx);
      stria_neuron_rows_int (rows, 12, first->nd_idx);
    }
  if (info->ultraserver != NULL)
    {
      stria_neuron_rows_int (rows, 13, info->ultraserver->id);
      stria_neuron_rows_int (rows, 14, info->ultraserver->size);
      stria_neuron_rows_int (rows, 15, info->ultraserver->instance_index);
    }
  put_text (rows, 16, info->name);
  put_text (rows, 17, info->framework);
  if (info->has_arch)
    put_text (rows, 18, enum_name (&ntff__neff_arch__descriptor, (int)info->arch, "NEFF_ARCH_"));
  if (stria_proto_reference (&info->uuid, &offset, &length) && length <= 64)
    {
      g_autofree char *uuid = stria_ntff_hex (self->message + offset, length);

      put_text (rows, 19, uuid);
    }
  put_text (rows, 20, info->instance_id);
  if (info->has_pid)
    stria_neuron_rows_int (rows, 21, (gint64)info->pid);
  if (info->has_start_nc)
    stria_neuron_rows_int (rows, 22, info->start_nc);
  if (info->has_session_id)
    stria_neuron_rows_int (rows, 23, (gint64)info->session_id);
  stria_neuron_rows_end (rows);
  stria_neuron_rows_free (rows);
}

/* --- what is said of the file ----------------------------------------------------------------- */

static void
add_number (JsonBuilder *json, const char *name, guint64 value)
{
  json_builder_set_member_name (json, name);
  json_builder_add_int_value (json, (gint64)MIN (value, G_MAXINT64));
}

static void
add_bool (JsonBuilder *json, const char *name, gboolean value)
{
  json_builder_set_member_name (json, name);
  json_builder_add_boolean_value (json, value);
}

static void
add_text (JsonBuilder *json, const char *name, const char *text)
{
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  if (valid == NULL)
    return;
  json_builder_set_member_name (json, name);
  json_builder_add_string_value (json, valid);
}

static void
add_tests (JsonBuilder *json, StriaNtffFile *self)
{
  json_builder_set_member_name (json, "base_tests");
  json_builder_begin_array (json);
  for (int i = 0; i < 4 && self->base != STRIA_NTFF_BASE_INLINE; i++)
    {
      const StriaNtffBaseTest *test = &self->tests[i];

      json_builder_begin_object (json);
      add_text (json, "base", stria_ntff_base_name (test->base));
      add_bool (json, "chosen", i == self->chosen);
      add_bool (json, "inside", test->inside);
      add_bool (json, "tiled", test->tiled);
      add_bool (json, "divisible", test->divisible);
      add_bool (json, "ends_with_file", test->ends);
      add_number (json, "sampled", test->n_sampled);
      add_number (json, "legal", test->n_legal);
      add_number (json, "backwards", test->n_back);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
add_graphs (JsonBuilder *json, StriaNtffFile *self)
{
  json_builder_set_member_name (json, "graphs");
  json_builder_begin_array (json);
  for (guint g = 0; g < self->graphs->len && g < 256; g++)
    {
      const StriaNtffGraph *graph = &g_array_index (self->graphs, StriaNtffGraph, g);

      json_builder_begin_object (json);
      add_text (json, "name", graph->info->name);
      add_text (json, "node_uid", graph->uid);
      add_number (json, "nd_idx", graph->info->nd_idx);
      add_number (json, "nc_idx", graph->info->nc_idx);
      add_number (json, "pcore_idx", graph->pcore);
      /* Unit unknown, plausibly nanoseconds */
      if (graph->info->has_exec_duration)
        add_number (json, "exec_duration", graph->info->exec_duration);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
add_made (JsonBuilder *json, const char *name, GPtrArray *objects)
{
  json_builder_set_member_name (json, name);
  json_builder_begin_array (json);
  for (guint i = 0; i < objects->len; i++)
    json_builder_add_value (json, json_node_copy (objects->pdata[i]));
  json_builder_end_array (json);
}

static void
file_meta (StriaNtffFile *self)
{
  g_autoptr (JsonBuilder) json = json_builder_new_immutable ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;
  const Ntff__NtffInfo *info = self->info;

  json_builder_begin_object (json);
  add_text (json, "sureness", "recovered");
  add_number (json, "version", self->version);
  add_text (json, "schema", stria_proto_schema_get_source (self->schema));
  add_text (json, "base", stria_ntff_base_name (self->base));
  add_tests (json, self);
  add_number (json, "records", self->n_records);
  add_number (json, "messages", self->report.n_messages);
  add_number (json, "fields", self->report.n_fields);
  add_number (json, "unknown_fields", self->report.n_unknown);
  add_number (json, "mismatched_fields", self->report.n_mismatched);
  add_number (json, "broken_messages", self->report.n_broken);
  if (self->report.first_bad[0] != '\0')
    add_text (json, "first_bad_field", self->report.first_bad);
  if (info->has_profile_start_time)
    add_number (json, "profile_start_time_ns", (guint64)MAX (info->profile_start_time, 0));
  add_number (json, "executions", info->n_execution_timeline);
  if (info->n_execution_timeline > 0)
    add_text (json, "execution_clock", self->timeline_is_ticks ? "device" : "unknown");
  add_graphs (json, self);
  add_made (json, "rings", self->rings);
  add_made (json, "instructions", self->codes);
  json_builder_end_object (json);
  root = json_builder_get_root (json);
  text = json_to_string (root, FALSE);
  self->sink->meta (self->sink, "ntff", text, strlen (text));
}

void
stria_ntff_closing_rows (StriaNtffFile *self)
{
  metadata_row (self);
  file_meta (self);
}
