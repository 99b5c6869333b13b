/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-trace-info.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "neuron_trace.pb-c.h"
#include "stria-error.h"
#include "capture/stria-names.h"
#include "stria-proto.h"
#include "stria-source.h"

#define ARENA_LIMIT ((gsize) 512 << 20)

/* -- the struct ------------------------------------------------------------------------------ */

static void
file_free (gpointer data)
{
  StriaTraceFile *file = data;

  g_free (file->filename);
  g_free (file);
}

static void
texts_free (gpointer data)
{
  StriaTraceTexts *texts = data;

  g_free (texts->category);
  g_hash_table_unref (texts->texts);
  g_free (texts);
}

StriaTraceInfo *
stria_trace_info_ref (StriaTraceInfo *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_trace_info_unref (StriaTraceInfo *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_free (self->instance_id);
  g_free (self->instance_ip);
  g_free (self->instance_type);
  g_free (self->instance_hostname);
  g_free (self->cpu_name);
  g_ptr_array_unref (self->files);
  g_ptr_array_unref (self->texts);
  g_free (self);
}

const StriaTraceFile *
stria_trace_info_file (StriaTraceInfo *self, StriaTraceFileRole role)
{
  for (guint i = 0; i < self->files->len; i++)
    {
      const StriaTraceFile *file = g_ptr_array_index (self->files, i);

      if (file->role == role)
        return file;
    }
  return NULL;
}

/* -- from the message ------------------------------------------------------------------------ */

static char *
text (const char *recorded)
{
  return recorded != NULL && recorded[0] != '\0' ? g_utf8_make_valid (recorded, -1) : NULL;
}

static void
add_file (StriaTraceInfo *self, StriaTraceFileRole role, const Ntff__NtraceDataFile *from)
{
  StriaTraceFile *file;

  if (from == NULL || self->files->len >= STRIA_TRACE_INFO_MAX_ITEMS)
    return;
  file = g_new0 (StriaTraceFile, 1);
  file->filename = g_utf8_make_valid (from->filename != NULL ? from->filename : "", -1);
  file->role = role;
  file->type = from->type;
  file->n_events = from->num_events;
  file->session_id = from->session_id;
  g_ptr_array_add (self->files, file);
}

static void
add_texts (StriaTraceInfo *self, const Ntff__InternedDataDb *from, guint *left)
{
  StriaTraceTexts *texts = g_new0 (StriaTraceTexts, 1);

  texts->category = g_utf8_make_valid (from->category != NULL ? from->category : "", -1);
  texts->texts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  for (gsize i = 0; i < from->n_id_map && *left > 0; i++, (*left)--)
    {
      guint64 key = from->id_map[i]->key;
      const char *value = from->id_map[i]->value;

      g_hash_table_replace (texts->texts, g_memdup2 (&key, sizeof key),
                            g_utf8_make_valid (value != NULL ? value : "", -1));
    }
  g_ptr_array_add (self->texts, texts);
}

static void
take_message (StriaTraceInfo *self, const Ntff__NtraceInfo *from)
{
  guint left = STRIA_TRACE_INFO_MAX_ITEMS;

  self->arch = from->arch;
  self->pid = from->pid;
  self->instance_id = text (from->instance_id);
  self->instance_ip = text (from->instance_ip);
  self->instance_type = text (from->instance_type);
  self->instance_hostname = text (from->instance_hostname);
  self->session_id = from->session_id;
  self->data_version = from->data_version;
  self->session_begin_ns = from->session_init_timestamp_ns;
  self->session_end_ns = from->session_close_timestamp_ns;
  self->total_events = from->system_trace_total_event_count;
  self->logical_nc_size = from->logical_nc_size;
  if (from->ultraserver != NULL)
    {
      self->has_ultraserver = TRUE;
      self->ultraserver_id = from->ultraserver->id;
      self->ultraserver_type = from->ultraserver->type;
      self->ultraserver_size = from->ultraserver->size;
      self->ultraserver_index = from->ultraserver->instance_index;
    }
  add_file (self, STRIA_TRACE_ROLE_EVENTS, from->ntrace_events);
  if (from->host_stats != NULL)
    {
      const Ntff__HostStats *host = from->host_stats;

      self->has_host = TRUE;
      self->num_cpus = host->num_cpus;
      self->cpu_name = text (host->cpu_name);
      self->mem_capacity = host->mem_capacity;
      self->cpu_sample_period = host->cpu_sample_period;
      self->mem_sample_period = host->mem_sample_period;
      add_file (self, STRIA_TRACE_ROLE_CPU, host->cpu_util_measurements);
      add_file (self, STRIA_TRACE_ROLE_MEMORY, host->mem_usage_measurements);
    }
  for (gsize i = 0; i < from->n_collected_profiles; i++)
    add_file (self, STRIA_TRACE_ROLE_PROFILE, from->collected_profiles[i]);
  for (gsize i = 0; i < MIN (from->n_interned_data, STRIA_TRACE_INFO_MAX_ITEMS) && left > 0; i++)
    add_texts (self, from->interned_data[i], &left);
}

/* Copies the fields of the message but its events, of which there may be millions. */
static gboolean
strain (StriaTraceInfo *self, StriaProtoSchema *schema, const guint8 *data, gsize length,
        gboolean whole, GByteArray *rest, GError **error)
{
  const StriaProtoMessage *message = stria_proto_schema_message (schema, "ntrace_info");
  guint32 events = stria_proto_schema_number (schema, "ntrace_info", "events");
  StriaWireField field;
  StriaWire wire;

  stria_wire_init (&wire, data, length);
  while (stria_wire_next (&wire, &field))
    {
      if (field.number == events && field.type == STRIA_WIRE_BYTES)
        {
          self->n_inline_events++;
          self->n_known_fields++;
          continue;
        }
      if (stria_proto_message_field (message, field.number) != NULL)
        self->n_known_fields++;
      g_byte_array_append (rest, data + field.offset, (guint) (wire.position - field.offset));
    }
  if (wire.fault == STRIA_WIRE_OK)
    return TRUE;
  self->is_cut = wire.fault == STRIA_WIRE_SHORT || wire.fault == STRIA_WIRE_BAD_LENGTH;
  if (self->is_cut && (!whole || self->n_known_fields > 0))
    return TRUE;
  g_set_error (error, STRIA_ERROR, self->is_cut ? STRIA_ERROR_TRUNCATED : STRIA_ERROR_MALFORMED,
               _("offset %" PRIu64 ": expected a field of a session's message, found that %s"),
               (guint64) wire.fault_at, stria_wire_fault_text (wire.fault));
  return FALSE;
}

StriaTraceInfo *
stria_trace_info_peek (gconstpointer bytes, gsize length, gboolean whole, GError **error)
{
  g_autoptr (StriaProtoSchema) schema = stria_proto_schema_get_default ();
  g_autoptr (StriaProtoArena) arena = stria_proto_arena_new (ARENA_LIMIT);
  g_autoptr (GByteArray) rest = g_byte_array_new ();
  g_autoptr (StriaTraceInfo) self = g_new0 (StriaTraceInfo, 1);
  StriaProtoReport report = { 0 };
  const Ntff__NtraceInfo *message;

  g_atomic_ref_count_init (&self->refs);
  self->files = g_ptr_array_new_with_free_func (file_free);
  self->texts = g_ptr_array_new_with_free_func (texts_free);
  if (length > G_MAXUINT32)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                   _("offset 0: expected a session's message of at most 4 GiB, found %" PRIu64
                     " bytes"),
                   (guint64) length);
      return NULL;
    }
  if (!strain (self, schema, bytes, length, whole, rest, error))
    return NULL;
  message = stria_proto_unpack (schema, &ntff__ntrace_info__descriptor, arena, rest->data,
                                rest->len, STRIA_PROTO_DEFAULT, &report, error);
  if (message == NULL)
    return NULL;
  if (report.n_mismatched > 0 || report.n_broken > 0)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                   _("field %s: expected the kind of value that the recovered schema has there, "
                     "found another"),
                   report.first_bad);
      return NULL;
    }
  self->n_unknown_fields = report.n_unknown;
  take_message (self, message);
  return g_steal_pointer (&self);
}

/* -- beside a data file ---------------------------------------------------------------------- */

static gboolean
is_beside (StriaArtifact *a, StriaArtifact *b)
{
  g_autofree char *of_a = g_path_get_dirname (stria_artifact_get_name (a));
  g_autofree char *of_b = g_path_get_dirname (stria_artifact_get_name (b));

  /* Members of an archive have the archive's path; files have each their own. */
  return g_str_equal (of_a, of_b)
         && ((stria_artifact_get_member (a) == NULL) == (stria_artifact_get_member (b) == NULL));
}

StriaTraceInfo *
stria_trace_info_beside (StriaDecodeContext *context)
{
  StriaArtifact *own;
  guint n;

  if (context->capture == NULL)
    return NULL;
  n = stria_capture_get_n_artifacts (context->capture);
  if (context->artifact >= n)
    return NULL;
  own = stria_capture_get_artifact (context->capture, context->artifact);
  for (guint i = 0; i < n; i++)
    {
      StriaArtifact *other = stria_capture_get_artifact (context->capture, i);
      g_autoptr (GBytes) bytes = NULL;
      gboolean whole;
      StriaTraceInfo *info;

      if (i == context->artifact
          || g_strcmp0 (stria_artifact_get_kind (other), "neuron-trace-info") != 0
          || !is_beside (own, other))
        continue;
      bytes = stria_source_head (stria_artifact_get_path (other), stria_artifact_get_member (other),
                                 STRIA_TRACE_INFO_MAX_BYTES, &whole, NULL);
      info = bytes != NULL ? stria_trace_info_peek (g_bytes_get_data (bytes, NULL),
                                                    g_bytes_get_size (bytes), whole, NULL)
                           : NULL;
      if (info != NULL)
        return info;
    }
  return NULL;
}

gboolean
stria_neuron_path_process (const char *path, char **instance, gint64 *pid)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);

  for (guint i = g_strv_length (parts); i-- > 0;)
    if (stria_neuron_folder_process (parts[i], instance, pid))
      return TRUE;
  return FALSE;
}
