/* SPDX-License-Identifier: Apache-2.0 */
/* The session of a system profile (trace_info.pb): one message `ntrace_info`, recovered schema. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "capture/stria-names.h"
#include "stria-error.h"
#include "stria-json-text.h"
#include "stria-neuron-system.h"
#include "stria-ntrace-private.h"

/* Years 2015 and 2100 */
#define EPOCH_FROM_NS ((guint64) 1420070400 * 1000000000)
#define EPOCH_TO_NS ((guint64) 4102444800 * 1000000000)

static void
give_text (StriaSink *sink, const char *key, const char *text)
{
  g_autoptr (GString) json = g_string_new (NULL);

  if (text == NULL)
    return;
  stria_json_append_text (json, text, -1);
  sink->meta (sink, key, json->str, json->len);
}

static void
give_known (StriaSink *sink, const char *key, guint64 value)
{
  if (value != 0)
    stria_pb_give_number (sink, key, value);
}

static void
give_real (StriaSink *sink, const char *key, float value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (!(value > 0 && value < 1e30f))
    return;
  g_ascii_dtostr (number, sizeof number, (double) value);
  sink->meta (sink, key, number, strlen (number));
}

static void
give_meta (StriaSink *sink, const StriaTraceInfo *info)
{
  give_text (sink, "neuron_instance_id", info->instance_id);
  give_text (sink, "neuron_instance_type", info->instance_type);
  give_text (sink, "neuron_instance_ip", info->instance_ip);
  give_text (sink, "neuron_instance_hostname", info->instance_hostname);
  stria_pb_give_number (sink, "neuron_arch", info->arch);
  give_known (sink, "neuron_pid", (guint64) (guint32) info->pid);
  give_known (sink, "neuron_session_id", info->session_id);
  give_known (sink, "neuron_data_version", info->data_version);
  give_known (sink, "neuron_session_begin_ns", info->session_begin_ns);
  give_known (sink, "neuron_session_end_ns", info->session_end_ns);
  give_known (sink, "neuron_events_total", info->total_events);
  give_known (sink, "neuron_logical_core_size", info->logical_nc_size);
  if (info->has_ultraserver)
    {
      stria_pb_give_number (sink, "neuron_ultraserver_id", info->ultraserver_id);
      stria_pb_give_number (sink, "neuron_ultraserver_index", info->ultraserver_index);
    }
  give_known (sink, "neuron_num_cpus", info->num_cpus);
  give_text (sink, "neuron_cpu_name", info->cpu_name);
  give_known (sink, "neuron_host_memory_capacity", info->mem_capacity);
  /* Their unit is unknown. */
  give_real (sink, "neuron_cpu_sample_period", info->cpu_sample_period);
  give_real (sink, "neuron_mem_sample_period", info->mem_sample_period);
}

/* -- tables ---------------------------------------------------------------------------------- */

static void
write_files (StriaNeuronEmitter *emitter, const StriaTraceInfo *info)
{
  static const char *const names[]
      = { "role:s", "filename:s", "type:s", "num_events:i", "session_id:i", NULL };
  static const char *const roles[] = { "events", "cpu_util", "host_mem", "device_profile" };
  static const char *const types[] = { "generic", "event", "cpu_util", "mem_usage" };
  g_autoptr (StriaNeuronRows) rows = NULL;

  if (info->files->len == 0)
    return;
  rows = stria_neuron_rows_new (emitter, "NeuronDataFile", names);
  for (guint i = 0; i < info->files->len; i++)
    {
      const StriaTraceFile *file = g_ptr_array_index (info->files, i);

      stria_neuron_rows_text (rows, 0, roles[file->role], -1);
      stria_neuron_rows_text (rows, 1, file->filename, -1);
      if (file->type < G_N_ELEMENTS (types))
        stria_neuron_rows_text (rows, 2, types[file->type], -1);
      stria_neuron_rows_int (rows, 3, file->n_events);
      stria_neuron_rows_int (rows, 4, file->session_id);
      stria_neuron_rows_end (rows);
    }
}

/* The device profiles of the session; core and model by the documented rules for names. */
static void
write_profiles (StriaNeuronEmitter *emitter, const StriaTraceInfo *info)
{
  static const char *const names[]
      = { "device_profile_name", "instance_id", "process_id", "nc_id", "session_id", "model_id",
          "filename:s", NULL };
  g_autoptr (StriaNeuronRows) rows = NULL;

  for (guint i = 0; i < info->files->len; i++)
    {
      const StriaTraceFile *file = g_ptr_array_index (info->files, i);
      g_autofree char *base = g_path_get_basename (file->filename);
      g_auto (StriaNeuronName) name = { 0 };

      if (file->role != STRIA_TRACE_ROLE_PROFILE)
        continue;
      if (rows == NULL)
        rows = stria_neuron_rows_new (emitter, "DeviceProfileList", names);
      if (stria_neuron_name_parse (base, &name))
        {
          g_autofree char *title = g_strndup (base, strlen (base) - strlen (".ntff"));

          stria_neuron_rows_text (rows, 0, title, -1);
          if (name.nc >= 0 || name.vnc >= 0)
            stria_neuron_rows_int (rows, 3, name.nc >= 0 ? name.nc : name.vnc);
          if (name.model >= 0)
            stria_neuron_rows_int (rows, 5, name.model);
        }
      else
        stria_neuron_rows_text (rows, 0, base, -1);
      if (info->instance_id != NULL)
        stria_neuron_rows_text (rows, 1, info->instance_id, -1);
      if (info->pid != 0)
        stria_neuron_rows_int (rows, 2, info->pid);
      if (file->session_id != 0 || name.session >= 0)
        stria_neuron_rows_int (rows, 4, file->session_id != 0 ? file->session_id : name.session);
      stria_neuron_rows_text (rows, 6, file->filename, -1);
      stria_neuron_rows_end (rows);
    }
}

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return (x > y) - (x < y);
}

static void
write_texts (StriaNeuronEmitter *emitter, const StriaTraceInfo *info)
{
  static const char *const names[] = { "category:s", "id:i", "text:s", NULL };
  g_autoptr (StriaNeuronRows) rows = NULL;

  if (info->texts->len == 0)
    return;
  rows = stria_neuron_rows_new (emitter, "NeuronInternedText", names);
  for (guint i = 0; i < info->texts->len; i++)
    {
      const StriaTraceTexts *texts = g_ptr_array_index (info->texts, i);
      g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (texts->texts), compare_keys);

      for (GList *key = keys; key != NULL; key = key->next)
        {
          stria_neuron_rows_text (rows, 0, texts->category, -1);
          stria_neuron_rows_int (rows, 1, (gint64) *(guint64 *) key->data);
          stria_neuron_rows_text (rows, 2, g_hash_table_lookup (texts->texts, key->data), -1);
          stria_neuron_rows_end (rows);
        }
    }
}

/* -- what to say ----------------------------------------------------------------------------- */

/* Documented: the ring of a core is overwritten from its oldest event on. */
static void
say_losses (StriaDecodeContext *context, StriaTraceInfo *info)
{
  const StriaTraceFile *file = stria_trace_info_file (info, STRIA_TRACE_ROLE_EVENTS);
  guint64 stored = file != NULL && file->n_events > 0 ? (guint64) file->n_events
                                                      : info->n_inline_events;
  guint64 lost;
  g_autofree char *message = NULL;

  if (info->total_events == 0 || (file == NULL && info->n_inline_events == 0))
    return;
  if (stored > info->total_events)
    {
      stria_notices_add (context->notices, STRIA_SEVERITY_WARNING, "neuron-recovered",
                         context->name, -1,
                         _("Recovered format, this file differs: expected no more stored events "
                           "than there were (%" PRIu64 "), found %" PRIu64),
                         info->total_events, stored);
      return;
    }
  if (stored == info->total_events)
    return;
  lost = info->total_events - stored;
  message = g_strdup_printf (_("%" PRIu64 " of %" PRIu64 " runtime events (%.1f %%) were "
                               "overwritten before they were stored. A larger ring "
                               "(NEURON_RT_INSPECT_SYS_TRACE_MAX_EVENTS_PER_NC), a filter of cores "
                               "or types, or a shorter capture keeps them"),
                             lost, info->total_events,
                             100.0 * (double) lost / (double) info->total_events);
  stria_notices_count (context->notices, STRIA_SEVERITY_WARNING, "neuron-events-lost",
                       context->name, -1, lost, message);
}

static void
say_differences (StriaDecodeContext *context, const StriaTraceInfo *info, gsize length)
{
  stria_notices_add (context->notices, STRIA_SEVERITY_INFO, "neuron-unofficial", context->name, -1,
                     _("Unofficial format: the session's message is read by a recovered schema"));
  if (info->is_cut)
    stria_notices_add (context->notices, STRIA_SEVERITY_WARNING, "truncated", context->name,
                       (gint64) length,
                       _("The session's message is cut off; the fields before that were read"));
  if (info->n_unknown_fields > 0)
    stria_notices_count (context->notices, STRIA_SEVERITY_INFO, "neuron-unknown-fields",
                         context->name, -1, info->n_unknown_fields,
                         _("Recovered format, this file differs: messages have fields of numbers "
                           "that are not known; the wire view lists them"));
  if (info->session_end_ns != 0 && info->session_end_ns < info->session_begin_ns)
    stria_notices_add (context->notices, STRIA_SEVERITY_WARNING, "neuron-session-time",
                       context->name, -1,
                       _("Recovered format, this file differs: the session ends before it begins"));
}

/* -- the decoder ----------------------------------------------------------------------------- */

static gboolean
decode_inline (StriaPbStream *stream, StriaNeuronEmitter *emitter, GError **error)
{
  stream->frames = (StriaFrames) { .framing = STRIA_FRAMING_INFO, .end = stream->length };
  return stria_ntrace_decode (stream, emitter, error);
}

static gboolean
decode (StriaSource *source, StriaSink *sink, StriaDecodeContext *context, GError **error)
{
  g_auto (StriaPbStream) stream = { 0 };
  g_autoptr (StriaNeuronEmitter) emitter = NULL;
  g_autoptr (GError) local = NULL;

  if (!stria_pb_stream_load (&stream, STRIA_STREAM_EVENTS, source, sink, context, error))
    return FALSE;
  stream.info = stria_trace_info_peek (stream.data, stream.length, TRUE, &local);
  if (stream.info == NULL)
    {
      g_set_error (error, local->domain, local->code, "%s: %s", context->name, local->message);
      return FALSE;
    }
  stria_pb_stream_place (&stream);
  give_meta (sink, stream.info);
  say_differences (context, stream.info, stream.length);
  say_losses (context, stream.info);
  emitter = stria_neuron_emitter_new (sink, NULL);
  write_files (emitter, stream.info);
  write_profiles (emitter, stream.info);
  write_texts (emitter, stream.info);
  return stream.info->n_inline_events == 0 || decode_inline (&stream, emitter, error);
}

static gboolean
is_plausible (const StriaTraceInfo *info)
{
  return info->n_known_fields >= 3 && info->n_unknown_fields <= info->n_known_fields / 2
         && info->session_begin_ns >= EPOCH_FROM_NS && info->session_begin_ns < EPOCH_TO_NS
         && info->arch < 16;
}

static guint
probe (const char *name, const guint8 *head, gsize length, gboolean whole)
{
  g_autofree char *base = g_path_get_basename (name);
  gboolean is_named = g_ascii_strcasecmp (base, "trace_info.pb") == 0;
  g_autoptr (StriaTraceInfo) info = NULL;

  if (head == NULL || length == 0)
    return 0;
  info = stria_trace_info_peek (head, length, whole, NULL);
  if (info == NULL)
    return is_named ? 25 : 0;
  if (is_named)
    return info->n_known_fields > 0 ? 92 : 25;
  return is_plausible (info) ? 70 : 0;
}

const StriaDecoder stria_neuron_trace_info_decoder = {
  .kind = "neuron-trace-info",
  .title = N_("Neuron profiling session"),
  .probe = probe,
  .decode = decode,
};
