/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-neff.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "stria-neff-archive.h"
#include "stria-neff-private.h"

/* -- names ---------------------------------------------------------------------------------- */

/* Engines as files are called (documented old and new forms) and as exports show them. */
static const struct
{
  const char *stem;
  const char *shown;
} engines[] = {
  { "pe", "Tensor" },   { "act", "Scalar" }, { "activation", "Scalar" },
  { "pool", "GpSimd" }, { "dve", "Vector" }, { "sp", "Sync" },
};

static const char *
engine_of (const char *base, const char *ending)
{
  gsize n = strlen (base), m = strlen (ending);

  if (n <= m || g_ascii_strcasecmp (base + n - m, ending) != 0)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    if (strlen (engines[i].stem) == n - m
        && g_ascii_strncasecmp (base, engines[i].stem, n - m) == 0)
      return engines[i].shown;
  return NULL;
}

/* The digits of `sgNN/` in front of the base name. */
static gint64
subgraph_of (const char *name)
{
  const char *slash = strrchr (name, '/');
  const char *begin = slash;

  if (slash == NULL)
    return -1;
  while (begin > name && begin[-1] != '/')
    begin--;
  if (slash - begin < 3 || slash - begin > 8 || begin[0] != 's' || begin[1] != 'g')
    return -1;
  for (const char *at = begin + 2; at < slash; at++)
    if (!g_ascii_isdigit (*at))
      return -1;
  return g_ascii_strtoll (begin + 2, NULL, 10);
}

StriaNeffMemberKind
stria_neff_member_kind (const char *name, gint64 *subgraph, const char **engine)
{
  const char *base = strrchr (name, '/') != NULL ? strrchr (name, '/') + 1 : name;

  *subgraph = subgraph_of (name);
  *engine = NULL;
  if (g_str_has_suffix (base, ".dbg"))
    return STRIA_NEFF_DEBUG;
  if (g_str_equal (base, "info.json"))
    return STRIA_NEFF_INFO;
  if (strstr (name, "kernel_debug_info") != NULL && g_str_has_suffix (base, ".json"))
    return STRIA_NEFF_KERNEL;
  if (*subgraph >= 0 && g_str_equal (base, "def.json"))
    return STRIA_NEFF_DEFINITION;
  if (*subgraph >= 0 && (*engine = engine_of (base, ".json")) != NULL)
    return STRIA_NEFF_ENGINE;
  if (*subgraph >= 0 && (*engine = engine_of (base, ".bin")) != NULL)
    return STRIA_NEFF_CODE;
  return STRIA_NEFF_OTHER;
}

static const char *
kind_name (StriaNeffMemberKind kind)
{
  static const char *const names[]
      = { "definition", "engine", "code", "info", "debug", "kernel", "other" };

  return names[kind];
}

/* -- members -------------------------------------------------------------------------------- */

static void
member_notice (StriaNeff *self, const char *member, const char *why)
{
  stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "neff-member",
                     self->context->name, -1, _ ("%s: %s"), member, why != NULL ? why : "?");
}

static void
take_member (StriaNeff *self, StriaNeffArchive *archive, const char *name)
{
  static const guint64 caps[] = {
    [STRIA_NEFF_DEFINITION] = STRIA_NEFF_MAX_JSON, [STRIA_NEFF_ENGINE] = STRIA_NEFF_MAX_JSON,
    [STRIA_NEFF_CODE] = STRIA_NEFF_MAX_CODE,       [STRIA_NEFF_INFO] = STRIA_NEFF_MAX_JSON,
    [STRIA_NEFF_DEBUG] = STRIA_NEFF_MAX_DEBUG,     [STRIA_NEFF_KERNEL] = STRIA_NEFF_MAX_JSON,
  };
  gint64 subgraph;
  const char *engine, *why;
  StriaNeffMemberKind kind = stria_neff_member_kind (name, &subgraph, &engine);
  g_autoptr (GByteArray) bytes = NULL;

  if (kind == STRIA_NEFF_OTHER)
    return;
  bytes = stria_neff_archive_read (archive, caps[kind], &why);
  if (bytes == NULL)
    {
      member_notice (self, name, why);
      return;
    }
  switch (kind)
    {
    case STRIA_NEFF_DEFINITION:
      stria_neff_read_definition (self, name, subgraph, bytes->data, bytes->len);
      break;
    case STRIA_NEFF_ENGINE:
      stria_neff_read_engine (self, name, subgraph, engine, bytes->data, bytes->len);
      break;
    case STRIA_NEFF_CODE:
      stria_neff_read_code (self, subgraph, engine, bytes->data, bytes->len);
      break;
    case STRIA_NEFF_INFO:
      stria_neff_read_info (self, name, bytes->data, bytes->len);
      break;
    case STRIA_NEFF_DEBUG:
      stria_neff_read_debug (self, name, bytes->data, bytes->len);
      break;
    case STRIA_NEFF_KERNEL:
      stria_neff_read_kernel (self, name, bytes->data, bytes->len);
      break;
    case STRIA_NEFF_OTHER:
    default:
      break;
    }
}

static void
note_member (StriaNeff *self, const char *name, gint64 size)
{
  gint64 subgraph;
  const char *engine;
  StriaNeffMemberKind kind = stria_neff_member_kind (name, &subgraph, &engine);

  stria_neuron_rows_text (self->members, 0, name, -1);
  stria_neff_rows_number (self->members, 1, size);
  stria_neuron_rows_text (self->members, 2, kind_name (kind), -1);
  stria_neff_rows_number (self->members, 3, subgraph);
  if (engine != NULL)
    stria_neuron_rows_text (self->members, 4, engine, -1);
  stria_neuron_rows_end (self->members);
}

static gboolean
on_member (StriaNeffArchive *archive, const char *name, gint64 size, gpointer user_data)
{
  StriaNeff *self = user_data;

  if (++self->n_members > STRIA_NEFF_MAX_MEMBERS)
    {
      member_notice (self, "…", _ ("there are more members than are read"));
      return FALSE;
    }
  note_member (self, name, size);
  take_member (self, archive, name);
  return TRUE;
}

/* FALSE: the archive is damaged, cut, or the run was cancelled. What came before stays. */
static gboolean
read_members (StriaNeff *self, StriaNeffArchive *payload)
{
  g_autofree char *why = NULL;
  gboolean ok = stria_neff_archive_members (payload, on_member, self, &why);

  if (why != NULL)
    stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "neff-archive",
                       self->context->name, (gint64) (STRIA_NEFF_HEADER_BYTES + payload->n_read),
                       _ ("The archive behind the header is damaged or cut: %s"), why);
  return ok;
}

static gboolean
is_zero (const guint8 *bytes, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (bytes[i] != 0)
      return FALSE;
  return TRUE;
}

/* Recovered: which digest the header holds goes by the packaging version. 1: it holds, 0: it does
 * not; -1: there is none, or the archive is not whole */
static int
check_hash (StriaNeff *self, StriaNeffArchive *payload)
{
  const StriaNeffHeader *header = &payload->header;
  guint8 sha256[SHA256_DIGEST_SIZE], md5[MD5_DIGEST_SIZE];
  gboolean same;

  sha256_digest (&payload->sha256, sizeof sha256, sha256);
  md5_digest (&payload->md5, sizeof md5, md5);
  if (is_zero (header->hash, sizeof header->hash) || payload->left > 0)
    return -1;
  same = memcmp (header->hash, sha256, sizeof sha256) == 0
         || memcmp (header->hash, md5, sizeof md5) == 0;
  if (!same)
    stria_notices_add (
        self->context->notices, STRIA_SEVERITY_WARNING, "neff-hash", self->context->name, 0x0ac,
        _ ("The header's hash is neither MD5 nor SHA-256 of the archive behind it: the "
           "file was changed, or is damaged"));
  return same;
}

/* -- the header's row ----------------------------------------------------------------------- */

/* Names in published output; others are shown by their bit (recovered meanings stay out of the
 * column that the published schema has for names). */
static char *
feature_names (guint64 bits)
{
  static const char *const names[] = { "bin-weights",  "collectives-offset",  "custom-ops",
                                       "coalesced-cc", "queue-set-instances", "on-chip-functions" };
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint bit = 0; bit < 64; bit++)
    {
      if ((bits >> bit & 1) == 0)
        continue;
      if (text->len > 0)
        g_string_append (text, ", ");
      if (bit < G_N_ELEMENTS (names))
        g_string_append (text, names[bit]);
      else
        g_string_append_printf (text, "bit %u", bit);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
put_header (StriaNeff *self, const StriaNeffHeader *header, int hash_holds)
{
  static const char *const columns[] = { "network_name",
                                         "uuid",
                                         "hash",
                                         "enabled_features",
                                         "header_size",
                                         "data_size",
                                         "major_version",
                                         "minor_version",
                                         "package_version",
                                         "build_version",
                                         "neuroncore_count",
                                         "pcore_count_per_lnc",
                                         "feature_bits:s",
                                         "requested_neuroncore_count:i",
                                         "hash_holds:b",
                                         NULL };
  g_autoptr (StriaNeuronRows) rows = stria_neuron_rows_new (self->emitter, "NeffHeader", columns);
  g_autofree char *features = feature_names (header->feature_bits);
  char text[2 * sizeof header->hash + 1] = "";
  gsize n = header->pkg_version == 2 ? 16 : sizeof header->hash;

  for (gsize i = 0; i < n && !is_zero (header->hash, n); i++)
    g_snprintf (text + 2 * i, 3, "%02x", header->hash[i]);
  stria_neuron_rows_text (rows, 0, header->name, -1);
  stria_neuron_rows_text (rows, 1, header->uuid_text, -1);
  stria_neuron_rows_text (rows, 2, text, -1);
  stria_neuron_rows_text (rows, 3, features, -1);
  stria_neuron_rows_int (rows, 4, (gint64) header->header_size);
  stria_neuron_rows_int (rows, 5, (gint64) header->data_size);
  stria_neuron_rows_int (rows, 6, (gint64) header->version_major);
  stria_neuron_rows_int (rows, 7, (gint64) header->version_minor);
  g_snprintf (text, sizeof text, "%" PRIu64, header->pkg_version);
  stria_neuron_rows_text (rows, 8, text, -1);
  stria_neuron_rows_text (rows, 9, header->build_version, -1);
  stria_neuron_rows_int (rows, 10, header->num_tpb);
  /* Inferred: 0 in old files means 1. What the file says is kept. */
  stria_neuron_rows_int (rows, 11, header->lnc_size);
  g_snprintf (text, sizeof text, "0x%" PRIx64, header->feature_bits);
  stria_neuron_rows_text (rows, 12, text, -1);
  stria_neuron_rows_int (rows, 13, header->requested_tpb_count);
  stria_neff_rows_number (rows, 14, hash_holds);
  stria_neuron_rows_end (rows);
}

/* -- decoder -------------------------------------------------------------------------------- */

void
stria_neff_rows_number (StriaNeuronRows *rows, guint column, gint64 value)
{
  if (value >= 0)
    stria_neuron_rows_int (rows, column, value);
}

static void
neff_open (StriaNeff *self)
{
  static const char *const members[]
      = { "name:s", "size:i", "kind:s", "subgraph:i", "engine:s", NULL };
  static const char *const variables[]
      = { "name:s",        "type:s",      "var_id:i",   "size:i", "alignment:i",
          "fabric_path:s", "file_name:s", "subgraph:i", NULL };
  static const char *const tensors[] = { "variable_name", "type", "size", "pcore_idx", NULL };
  static const char *const queues[]
      = { "name:s", "type:s", "num_queues:i", "owner:s", "pinned:b", "subgraph:i", NULL };
  static const char *const published[] = { "name", "type", "pcore_idx", NULL };
  static const char *const transfers[]
      = { "id:i",   "engine:s",         "queue_name:s", "op:s",       "source:s",
          "dest:s", "transfer_bytes:i", "descriptor:s", "subgraph:i", NULL };
  static const char *const code[]
      = { "compiler_pc:i", "engine:s", "compiler_opcode:s", "opcode_byte:i", "not_decoded:s",
          "subgraph:i",    NULL };
  static const char *const debug[] = { "level:s",
                                       "engine:s",
                                       "number:i",
                                       "id:i",
                                       "name:s",
                                       "parent_ids:s",
                                       "instruction_type:s",
                                       "stack_frame_id:i",
                                       "dataflow_predecessors:s",
                                       "scheduling_predecessors:s",
                                       "attributes:s",
                                       "file:s",
                                       NULL };
  static const char *const frame[] = { "id", "file_location_id", "parent_frame_id", NULL };
  static const char *const location[]
      = { "id", "file_name_id", "function_name_id", "line_number", NULL };
  static const char *const file[] = { "id", "name", NULL };
  static const char *const kernel[]
      = { "member:s", "place:s", "file_path:s", "line_number:i", "name:s", NULL };

  self->members = stria_neuron_rows_new (self->emitter, "NeffMember", members);
  self->variables = stria_neuron_rows_new (self->emitter, "NeffVariable", variables);
  self->tensors = stria_neuron_rows_new (self->emitter, "TensorInfo", tensors);
  self->queues = stria_neuron_rows_new (self->emitter, "NeffQueue", queues);
  self->published_queues = stria_neuron_rows_new (self->emitter, "DmaQueuesInfo", published);
  self->transfers = stria_neuron_rows_new (self->emitter, "NeffTransfer", transfers);
  self->code = stria_neuron_rows_new (self->emitter, "NeffInstruction", code);
  self->debug = stria_neuron_rows_new (self->emitter, "DebugInstruction", debug);
  self->frames[0] = stria_neuron_rows_new (self->emitter, "StackFrame", frame);
  self->frames[1] = stria_neuron_rows_new (self->emitter, "StackFrameFileLocation", location);
  self->frames[2] = stria_neuron_rows_new (self->emitter, "StackFrameFileName", file);
  self->frames[3] = stria_neuron_rows_new (self->emitter, "StackFrameFunctionName", file);
  self->kernel = stria_neuron_rows_new (self->emitter, "KernelDebugLocation", kernel);
}

static void
neff_close (StriaNeff *self)
{
  if (self->compiler_version != NULL)
    {
      static const char *const columns[] = { "compiler_version", NULL };
      g_autoptr (StriaNeuronRows) rows = stria_neuron_rows_new (self->emitter, "Metadata", columns);

      stria_neuron_rows_text (rows, 0, self->compiler_version, -1);
      stria_neuron_rows_end (rows);
    }
  g_clear_pointer (&self->members, stria_neuron_rows_free);
  g_clear_pointer (&self->variables, stria_neuron_rows_free);
  g_clear_pointer (&self->tensors, stria_neuron_rows_free);
  g_clear_pointer (&self->queues, stria_neuron_rows_free);
  g_clear_pointer (&self->published_queues, stria_neuron_rows_free);
  g_clear_pointer (&self->transfers, stria_neuron_rows_free);
  g_clear_pointer (&self->code, stria_neuron_rows_free);
  g_clear_pointer (&self->debug, stria_neuron_rows_free);
  for (guint i = 0; i < G_N_ELEMENTS (self->frames); i++)
    g_clear_pointer (&self->frames[i], stria_neuron_rows_free);
  g_clear_pointer (&self->kernel, stria_neuron_rows_free);
  g_clear_pointer (&self->emitter, stria_neuron_emitter_free);
  g_clear_pointer (&self->schema, stria_proto_schema_unref);
  g_clear_pointer (&self->compiler_version, g_free);
}

static guint
neff_probe (const char *name, const guint8 *head, gsize length, gboolean whole)
{
  StriaNeffHeader header;

  if (stria_neff_header_parse (head, length, 0, &header))
    return g_str_has_suffix (name, ".neff") ? 95 : 85;
  /* An empty or damaged one is still called what it is. */
  return g_str_has_suffix (name, ".neff") ? 20 : 0;
}

static void
say_absences (StriaNeff *self)
{
  if (self->n_debug_files == 0)
    stria_notices_add (
        self->context->notices, STRIA_SEVERITY_INFO, "neff-no-debug", self->context->name, -1,
        _ ("It was compiled without debug information: no layers, no source lines. Compile "
           "with NEURON_FRAMEWORK_DEBUG=1, XLA_IR_DEBUG=1 and XLA_HLO_DEBUG=1, and NKI kernels "
           "with NKI_DEBUG_INFO=True"));
}

static gboolean
neff_decode (StriaSource *source, StriaSink *sink, StriaDecodeContext *context, GError **error)
{
  StriaNeff self = { .context = context, .sink = sink };
  StriaNeffArchive payload = {
    .source = source,
    .cancellable = context->cancellable,
    .progress = context->progress,
    .user_data = context->user_data,
    .wants_digests = TRUE,
  };
  const char *name = payload.header.name;
  gboolean ok;

  if (!stria_neff_archive_open (&payload, context->name, error))
    return FALSE;

  self.emitter = stria_neuron_emitter_new (sink, name[0] != '\0' ? name : context->name);
  self.schema = stria_proto_schema_get_default ();
  neff_open (&self);
  ok = read_members (&self, &payload);
  /* tar ends before its archive does; the hash is over all of it. */
  ok = ok && stria_neff_archive_finish (&payload);
  if (ok && payload.left > 0)
    stria_notices_add (
        context->notices, STRIA_SEVERITY_WARNING, "neff-cut", context->name,
        (gint64) (STRIA_NEFF_HEADER_BYTES + payload.n_read),
        g_dngettext (GETTEXT_PACKAGE, "%" PRIu64 " byte is missing at the end of the file",
                     "%" PRIu64 " bytes are missing at the end of the file", payload.left),
        payload.left);
  put_header (&self, &payload.header, ok ? check_hash (&self, &payload) : -1);
  say_absences (&self);
  neff_close (&self);

  /* A compressed stream that ends early has given what it had. */
  if (payload.error != NULL && !g_error_matches (payload.error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      stria_notices_add (context->notices, STRIA_SEVERITY_WARNING, "neff-cut", context->name,
                         (gint64) (STRIA_NEFF_HEADER_BYTES + payload.n_read), "%s",
                         payload.error->message);
      g_clear_error (&payload.error);
      ok = TRUE;
    }
  if (payload.error != NULL)
    g_propagate_error (error, payload.error);
  return ok;
}

const StriaDecoder stria_neff_decoder = {
  .kind = "neuron-neff",
  .title = N_ ("Neuron program (.neff)"),
  .probe = neff_probe,
  .decode = neff_decode,
};
