/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-ntff-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <json-glib/json-glib.h>

#include "stria-error.h"

void
stria_ntff_differs (StriaNtffFile *self, const char *what, gint64 offset, guint64 count,
                    const char *format, ...)
{
  g_autofree char *code = g_strconcat ("neuron-recovered-", what, NULL);
  g_autofree char *text = NULL, *message = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  /* Translators: what was found in a file whose format the vendor does not publish */
  message = g_strdup_printf (_ ("recovered format, this file differs: %s"), text);
  stria_notices_count (self->context->notices, STRIA_SEVERITY_WARNING, code, self->context->name,
                       offset, count, message);
}

/* --- what the message lists ------------------------------------------------------------------- */

static gboolean
is_full (StriaNtffFile *self)
{
  return self->blobs->len >= STRIA_NTFF_MAX_BLOBS;
}

/* Bytes that stand in the message itself count before what lies behind it. */
static void
set_place (StriaNtffFile *self, StriaNtffBlob *blob, const ProtobufCBinaryData *content,
           guint64 offset, guint64 size)
{
  guint64 at, length;

  blob->offset = offset;
  blob->length = size;
  if (!stria_proto_reference (content, &at, &length))
    return;
  blob->is_inline = TRUE;
  blob->offset = self->message_offset + at;
  blob->length = length;
}

static void
add_instructions (StriaNtffFile *self, guint graph, Ntff__EngineInstructionInfo **infos, size_t n,
                  gboolean collectives)
{
  for (size_t i = 0; i < n && !is_full (self); i++)
    {
      const Ntff__EngineInstructionInfo *info = infos[i];
      StriaNtffBlob blob = {
        .is_code = TRUE,
        .graph = (gint32)graph,
        .block = (guint32)info->block_type,
        .engine_index = info->engine_index,
        .kind = (guint32)info->nc_engine_type,
        .function = info->function_section,
        .collectives = collectives
                       || info->block_type == NTFF__BLOCK_TYPE__BLOCK_TYPE_TOPSP,
        .start_address = info->start_address,
      };

      set_place (self, &blob, &info->instructions, info->instructions_offset,
                 info->instructions_size);
      g_array_append_val (self->blobs, blob);
    }
}

static void
add_traces (StriaNtffFile *self, gint32 graph, guint32 pcore, Ntff__TraceInfo **infos, size_t n)
{
  for (size_t i = 0; i < n && !is_full (self); i++)
    {
      const Ntff__TraceInfo *info = infos[i];
      StriaNtffBlob blob = {
        .graph = graph,
        .block = (guint32)info->block_type,
        .engine_index = info->engine_index,
        .pcore = graph < 0 ? info->pcore_idx : pcore,
        .kind = (guint32)info->trace_type,
      };

      /* Those of a core say nothing by their engine: one ring has all five. */
      if (info->block_type == NTFF__BLOCK_TYPE__BLOCK_TYPE_NC)
        blob.engine_index = 0;
      set_place (self, &blob, &info->trace, info->trace_offset, info->trace_size);
      g_array_append_val (self->blobs, blob);
    }
}

/* Notifications of CC-cores beside the operations: that they are records like the others is
 * inferred, and refused where their types say otherwise. */
static void
add_op_traces (StriaNtffFile *self, guint graph, guint32 pcore,
               const Ntff__CollectivesOpInfo *info)
{
  for (size_t i = 0; info != NULL && i < info->n_trace && !is_full (self); i++)
    {
      StriaNtffBlob blob = {
        .graph = (gint32)graph,
        .block = NTFF__BLOCK_TYPE__BLOCK_TYPE_TOPSP,
        .kind = NTFF__NOTIFICATION_TRACE_TYPE__NOTIFICATION_TRACE_TYPE_EXPLICIT,
        .engine_index = (guint32)info->trace[i]->cc_core_id,
        .pcore = pcore,
      };

      set_place (self, &blob, &info->trace[i]->notifications, 0, 0);
      if (blob.length > 0)
        g_array_append_val (self->blobs, blob);
    }
}

static void
add_graph (StriaNtffFile *self, const Ntff__NeffNodeInfo *node, const Ntff__SubgraphInfo *info,
           guint32 pcore)
{
  StriaNtffGraph graph = { .info = info, .node = node, .pcore = pcore };
  guint64 offset, length;
  guint g = self->graphs->len;

  if (stria_proto_reference (&node->uid, &offset, &length))
    graph.uid = stria_ntff_hex (self->message + offset, MIN (length, 64));
  g_array_append_val (self->graphs, graph);
  add_instructions (self, g, info->instruction_info, info->n_instruction_info, FALSE);
  add_instructions (self, g, info->collectives_instruction_info,
                    info->n_collectives_instruction_info, TRUE);
  if (info->coll_info != NULL)
    add_instructions (self, g, info->coll_info->topsp, info->coll_info->n_topsp, TRUE);
  add_traces (self, (gint32)g, pcore, info->traces, info->n_traces);
  add_op_traces (self, g, pcore, info->cc_op_info);
}

/* The physical core that a graph's rings name, if they do; else its place in its node (inferred).
 * */
static guint32
pcore_of (const Ntff__SubgraphInfo *info, size_t place)
{
  for (size_t i = 0; i < info->n_traces; i++)
    if (info->traces[i]->pcore_idx != 0)
      return info->traces[i]->pcore_idx;
  return (guint32)MIN (place, G_MAXINT32);
}

static void
list_blobs (StriaNtffFile *self)
{
  for (size_t n = 0; n < self->info->n_neff_nodes; n++)
    {
      const Ntff__NeffNodeInfo *node = self->info->neff_nodes[n];

      for (size_t g = 0; node->nd_node != NULL && g < node->nd_node->n_graphs; g++)
        add_graph (self, node, node->nd_node->graphs[g], pcore_of (node->nd_node->graphs[g], g));
    }
  add_traces (self, -1, 0, self->info->session_notifications, self->info->n_session_notifications);
  if (is_full (self))
    stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "neuron-limit",
                       self->context->name, -1,
                       _ ("more than %u blobs are listed; the rest is left out"),
                       STRIA_NTFF_MAX_BLOBS);
}

static void
clear_graphs (gpointer data)
{
  g_free (((StriaNtffGraph *)data)->uid);
}

/* --- checks ----------------------------------------------------------------------------------- */

static void
tell_fields (StriaNtffFile *self)
{
  const StriaProtoReport *report = &self->report;

  if (report->n_mismatched + report->n_broken > 0)
    stria_ntff_differs (self, "fields", (gint64)self->message_offset,
                        report->n_mismatched + report->n_broken,
                        _ ("%" PRIu64 " fields have another wire type and %" PRIu64 " messages"
                           " cannot be read, first at %s; they are left out"),
                        report->n_mismatched, report->n_broken, report->first_bad);
  if (report->n_unknown > 0)
    stria_notices_count (self->context->notices, STRIA_SEVERITY_INFO, "neuron-unknown-fields",
                         self->context->name, (gint64)self->message_offset, report->n_unknown,
                         _ ("fields of the message are not known; `stria-cli check --wire` lists"
                            " them"));
}

static void
place_blobs (StriaNtffFile *self)
{
  guint64 body = self->message_offset + self->message_length;
  const StriaNtffBaseTest *test;

  self->base = stria_ntff_place_blobs (self->blobs, self->bytes->data, self->bytes->length, body,
                                       self->tests, &self->chosen);
  if (self->base == STRIA_NTFF_BASE_NONE)
    {
      stria_ntff_differs (self, "base", (gint64)body, 1,
                          _ ("no rule for where its blobs lie leads to records; none is shown, and"
                             " `stria-cli check --wire` tells what the message holds"));
      return;
    }
  if (self->chosen < 0)
    return;
  test = &self->tests[self->chosen];
  if (!test->inside)
    stria_notices_add (self->context->notices, STRIA_SEVERITY_ERROR, "neuron-cut",
                       self->context->name, (gint64)self->bytes->length,
                       _ ("the file ends at byte %" PRIu64 " before its records do; what is"
                          " there is shown"),
                       (guint64)self->bytes->length);
  else if (!test->ends)
    stria_ntff_differs (self, "trailing", -1, 1,
                        _ ("bytes follow the last record"));
}

static void
tell_versions (StriaNtffFile *self, const StriaNtffPeek *peek)
{
  if (peek->shape == STRIA_NTFF_OLDER && peek->bare)
    stria_ntff_differs (self, "version", 0, 1,
                        _ ("expected a header of version 6, found the message at the first byte;"
                           " the layout of older versions is not known, and what parses is shown"));
  else if (peek->shape == STRIA_NTFF_OLDER || peek->shape == STRIA_NTFF_NEWER)
    stria_ntff_differs (self, "version", 0, 1,
                        _ ("expected version 6, found version %u; its layout is not known, and what"
                           " parses is shown"),
                        peek->version);
  if (self->info->has_arch && self->info->arch == NTFF__NEFF_ARCH__NEFF_ARCH_V1)
    stria_ntff_differs (self, "ticks", -1, 1,
                        _ ("times of this chip are clock ticks, shown as if they were"
                           " picoseconds"));
}

/* --- decoding --------------------------------------------------------------------------------- */

static void
refuse (const StriaNtffPeek *peek, const StriaMapped *bytes, StriaDecodeContext *context,
        GError **error)
{
  switch (peek->shape)
    {
    case STRIA_NTFF_SYSTEM:
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_BAD_MAGIC,
                   _ ("%s: expected a device profile (NTFF), found messages of a system profile, as"
                      " ntrace.pb or trace_info.pb have them"),
                   context->name);
      break;
    case STRIA_NTFF_DAMAGED:
      g_set_error (error, STRIA_ERROR,
                   bytes->length < STRIA_NTFF_HEADER ? STRIA_ERROR_TRUNCATED
                                                     : STRIA_ERROR_MALFORMED,
                   _ ("%s: offset %d: version %u: expected a message of %" PRIu64 " bytes behind a"
                      " header of %d, found %" PRIu64 " bytes that are none"),
                   context->name, (int)STRIA_NTFF_HEADER, peek->version, peek->message_length,
                   (int)STRIA_NTFF_HEADER,
                   (guint64)(bytes->length - MIN (bytes->length, STRIA_NTFF_HEADER)));
      break;
    case STRIA_NTFF_NOT:
    case STRIA_NTFF_EMPTY:
    case STRIA_NTFF_V6:
    case STRIA_NTFF_OLDER:
    case STRIA_NTFF_NEWER:
    default:
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_BAD_MAGIC,
                   _ ("%s: offset 0: expected a device profile (NTFF), which begins with its"
                      " version and the length of a message, found 0x%02x"),
                   context->name, bytes->length > 0 ? bytes->data[0] : 0);
      break;
    }
}

static gboolean
unpack (StriaNtffFile *self, const StriaNtffPeek *peek, StriaProtoArena *arena, GError **error)
{
  g_autoptr (GError) local = NULL;

  self->version = peek->version;
  self->message_offset = peek->message_offset;
  self->message = self->bytes->data + peek->message_offset;
  self->message_length = MIN (peek->message_length, self->bytes->length - peek->message_offset);
  if (self->message_length > STRIA_NTFF_MAX_MESSAGE && peek->shape == STRIA_NTFF_V6)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                   _ ("%s: offset %" PRIu64 ": expected a message of at most %" PRIu64
                      " bytes, found %" PRIu64),
                   self->context->name, self->message_offset, STRIA_NTFF_MAX_MESSAGE,
                   self->message_length);
      return FALSE;
    }
  self->info = stria_proto_unpack (self->schema, &ntff__ntff_info__descriptor, arena, self->message,
                                   self->message_length, STRIA_PROTO_REFERENCES, &self->report,
                                   &local);
  if (self->info == NULL)
    {
      g_set_error (error, local->domain, local->code, _ ("%s: offset %" PRIu64 ": %s"),
                   self->context->name, self->message_offset, local->message);
      return FALSE;
    }
  return TRUE;
}

/* Which core of which process it is of, as far as the file says it: a capture has many. */
static char *
profile_title (StriaNtffFile *self)
{
  g_autoptr (GString) title = g_string_new (NULL);

  if (self->info->has_start_nc)
    g_string_append_printf (title, "NC %d, ", self->info->start_nc);
  if (self->info->instance_id != NULL && self->info->instance_id[0] != '\0')
    g_string_append_printf (title, "%s, ", self->info->instance_id);
  if (self->info->has_pid)
    g_string_append_printf (title, "PID %" PRIu64 ", ", self->info->pid);
  if (title->len == 0)
    return g_strdup (self->context->name);
  g_string_truncate (title, title->len - 2);
  return g_string_free (g_steal_pointer (&title), FALSE);
}

static gboolean
read_file (StriaNtffFile *self, const StriaNtffPeek *peek, GError **error)
{
  g_autoptr (StriaProtoArena) arena = stria_proto_arena_new (STRIA_NTFF_MAX_UNPACKED);
  g_autofree char *title = NULL;
  gboolean ok;

  if (!unpack (self, peek, arena, error))
    return FALSE;
  title = profile_title (self);
  self->emitter = stria_neuron_emitter_new (self->sink, title);
  self->graphs = g_array_new (FALSE, FALSE, sizeof (StriaNtffGraph));
  g_array_set_clear_func (self->graphs, clear_graphs);
  self->blobs = g_array_new (FALSE, FALSE, sizeof (StriaNtffBlob));
  self->rings = g_ptr_array_new_with_free_func ((GDestroyNotify)json_node_unref);
  self->codes = g_ptr_array_new_with_free_func ((GDestroyNotify)json_node_unref);
  self->first_ticks = G_MAXUINT64;

  tell_versions (self, peek);
  tell_fields (self);
  list_blobs (self);
  place_blobs (self);
  stria_ntff_static_rows (self);
  ok = stria_ntff_device_rows (self, error);
  if (ok)
    stria_ntff_closing_rows (self);

  stria_neuron_emitter_free (self->emitter);
  g_array_unref (self->graphs);
  g_array_unref (self->blobs);
  g_ptr_array_unref (self->rings);
  g_ptr_array_unref (self->codes);
  return ok;
}

static gboolean
decode (StriaSource *source, StriaSink *sink, StriaDecodeContext *context, GError **error)
{
  g_autoptr (StriaProtoSchema) schema = stria_proto_schema_get_default ();
  g_auto (StriaMapped) bytes = { 0 };
  g_autoptr (GError) fault = NULL;
  g_auto (StriaNtffPeek) peek = { 0 };
  StriaNtffFile file = { .context = context, .sink = sink, .bytes = &bytes, .schema = schema };
  gboolean ok;

  if (!stria_mapped_open (&bytes, source, context->name, context->cancellable, &fault, error))
    return FALSE;
  if (fault != NULL)
    stria_notices_add (context->notices, STRIA_SEVERITY_ERROR, "neuron-source", context->name,
                       (gint64)bytes.length, "%s", fault->message);
  ok = stria_ntff_peek (bytes.data, bytes.length, bytes.length, &peek);
  if (!ok && peek.shape == STRIA_NTFF_DAMAGED && bytes.length > STRIA_NTFF_HEADER)
    {
      /* Cut in the message itself: what there is of it may be one. */
      stria_ntff_peek_clear (&peek);
      ok = stria_ntff_peek (bytes.data, bytes.length, 0, &peek) && peek.partial;
      if (!ok)
        {
          stria_ntff_peek_clear (&peek);
          stria_ntff_peek (bytes.data, bytes.length, bytes.length, &peek);
        }
      else
        stria_notices_add (context->notices, STRIA_SEVERITY_ERROR, "neuron-cut", context->name,
                           (gint64)bytes.length,
                           _ ("the file ends at byte %" PRIu64 " in its message of %" PRIu64
                              " bytes; what is there is shown"),
                           (guint64)bytes.length, peek.message_length);
    }
  if (!ok)
    {
      refuse (&peek, &bytes, context, error);
      return FALSE;
    }
  if (peek.shape == STRIA_NTFF_EMPTY)
    {
      static const char empty[] = "{\"empty\":true}";

      /* A core that ran nothing leaves such a file: documented, and no fault. */
      stria_notices_add (context->notices, STRIA_SEVERITY_INFO, "neuron-empty", context->name, -1,
                         _ ("the file is empty: this core did not run"));
      sink->meta (sink, "ntff", empty, strlen (empty));
      return TRUE;
    }
  return read_file (&file, &peek, error);
}

static guint
probe (const char *name, const guint8 *head, gsize length, gboolean whole)
{
  g_auto (StriaNtffPeek) peek = { 0 };
  gboolean named = g_str_has_suffix (name, ".ntff") || g_str_has_suffix (name, ".ntff.gz")
                   || g_str_has_suffix (name, ".ntff.zst");

  stria_ntff_peek (head, length, whole ? length : 0, &peek);
  switch (peek.shape)
    {
    case STRIA_NTFF_V6:
      return 95;
    case STRIA_NTFF_OLDER:
      return peek.bare ? (named ? 70 : 40) : named ? 90 : 80;
    case STRIA_NTFF_NEWER:
      return named ? 85 : 60;
    case STRIA_NTFF_DAMAGED:
      return named ? 80 : 45;
    case STRIA_NTFF_EMPTY:
      return named ? 90 : 0;
    case STRIA_NTFF_SYSTEM:
      return named ? 15 : 0;
    case STRIA_NTFF_NOT:
    default:
      return named ? 10 : 0;
    }
}

const StriaDecoder stria_ntff_decoder = {
  .kind = "neuron-ntff",
  .title = N_ ("Neuron device profile"),
  .probe = probe,
  .decode = decode,
};
