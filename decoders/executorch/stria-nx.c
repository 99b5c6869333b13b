/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-nx-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "stria-error.h"

/* The payload's JSON: [DOC ExecuTorch "VGF neural accelerator statistics in ETDump"; CODE ET
 * backends/arm/runtime, devtools/inspector/vgf_neural_statistics.py] */
#define SCHEMA "executorch.vgf.neural_statistics"
#define ARM_VENDOR 0x13B5
#define MAX_SEGMENTS 4096

/* A debug database that was read: the next execution's is the same text. */
typedef struct
{
  guint32 segment; /* row whose relations it filled */
  GHashTable *relations;
} Database;

struct _StriaNx
{
  StriaFacts *facts;
  StriaDecodeContext *context;
  GHashTable *databases; /* "instruction/segment/digest" -> Database */
};

typedef struct
{
  StriaNx *nx;
  GHashTable *members;
  StriaNxPayloadRow *row;
  guint64 offset;
  GError *error; /* of a member that is missing or of another type */
} Payload;

static void
database_free (gpointer data)
{
  Database *database = data;

  g_hash_table_unref (database->relations);
  g_free (database);
}

StriaNx *
stria_nx_new (StriaFacts *facts, StriaDecodeContext *context)
{
  StriaNx *self = g_new0 (StriaNx, 1);

  self->facts = facts;
  self->context = context;
  self->databases = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, database_free);
  return self;
}

void
stria_nx_free (StriaNx *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->databases);
  g_free (self);
}

static const StriaNxMember *
member (Payload *self, const char *path)
{
  return g_hash_table_lookup (self->members, path);
}

static void
fault (Payload *self, const char *path, const char *expected)
{
  if (self->error == NULL)
    g_set_error (&self->error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                 /* Translators: a member of a document; what it should be */
                 _ ("expected \"%s\" to be %s"), path, expected);
}

static gint64
get_int (Payload *self, const char *path)
{
  const StriaNxMember *m = member (self, path);

  if (m == NULL || m->type != STRIA_NX_INT)
    {
      fault (self, path, _ ("a whole number"));
      return 0;
    }
  return m->integer;
}

static gboolean
get_bool (Payload *self, const char *path)
{
  const StriaNxMember *m = member (self, path);

  if (m == NULL || m->type != STRIA_NX_BOOL)
    {
      fault (self, path, _ ("true or false"));
      return FALSE;
    }
  return m->integer != 0;
}

/* Returns: (transfer full): "" where it is not there and not @needed */
static char *
get_text (Payload *self, const char *path, gboolean needed)
{
  const StriaNxMember *m = member (self, path);
  gsize length;
  gconstpointer text;

  if (m == NULL || m->type != STRIA_NX_TEXT)
    {
      if (needed)
        fault (self, path, _ ("a text"));
      return g_strdup ("");
    }
  text = g_bytes_get_data (m->text, &length);
  /* GBytes give NULL for no bytes. */
  return length > 0 ? g_utf8_make_valid (text, (gssize)length) : g_strdup ("");
}

static void
set_state (Payload *self, StriaNxState state, const char *code, const char *reason)
{
  self->row->state = (guint8)state;
  self->row->code = stria_facts_intern (self->nx->facts, code, -1);
  self->row->reason = stria_facts_intern (self->nx->facts, reason, -1);
}

static gboolean reject (Payload *self, const char *code, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* Returns: FALSE, always */
static gboolean
reject (Payload *self, const char *code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *reason = g_strdup_vprintf (format, args);
  va_end (args);
  set_state (self, STRIA_NX_REJECTED, code, reason);
  return FALSE;
}

/* Mali-G1 or Mali-G2 at the beginning, and the end, '-' or ' ' behind it: 1, 2; else 0. */
static guint8
generation_of (const char *name)
{
  if ((g_str_has_prefix (name, "Mali-G1") || g_str_has_prefix (name, "Mali-G2"))
      && (name[7] == '\0' || name[7] == '-' || name[7] == ' '))
    return (guint8)(name[6] - '0');
  return 0;
}

static gboolean
read_mode (Payload *self)
{
  gint64 index = get_int (self, "statistics_mode.executorch_index");
  gint64 value = get_int (self, "statistics_mode.vulkan_value");
  g_autofree char *name = get_text (self, "statistics_mode.vulkan_name", TRUE);
  const char *digit = strstr (name, "_STATISTICS");

  if (self->error != NULL)
    return FALSE;
  if (index != 0 && index != 1)
    return reject (self, "mode-unknown", _ ("statistics mode %" PRId64 " is not known"), index);
  /* The last "_STATISTICS<n>" of "..._STATISTICS_MODE_STATISTICS0_ARM" */
  for (const char *next = digit; next != NULL; next = strstr (next + 1, "_STATISTICS"))
    digit = next;
  if (value != index + 1 || (digit != NULL && digit[11] != '0' + (char)index) || digit == NULL)
    return reject (self, "mode-conflict",
                   _ ("statistics mode %" PRId64 " contradicts Vulkan's %" PRId64 " \"%s\""), index,
                   value, name);
  self->row->mode = (gint32)index;
  return TRUE;
}

static gboolean
read_target (Payload *self)
{
  gboolean available = get_bool (self, "target.available");
  g_autofree char *name = get_text (self, "target.device_name", TRUE);
  g_autofree char *driver = NULL;
  const StriaNxMember *version = member (self, "target.driver_version");
  gint64 vendor = get_int (self, "target.vendor_id");
  gint64 device = get_int (self, "target.device_id");

  if (version == NULL)
    fault (self, "target.driver_version", _ ("there"));
  if (self->error != NULL)
    return FALSE;
  driver = version->type == STRIA_NX_INT ? g_strdup_printf ("%" PRId64, version->integer)
                                         : get_text (self, "target.driver_version", FALSE);
  self->row->device_name = stria_facts_intern (self->nx->facts, name, -1);
  self->row->driver_version = stria_facts_intern (self->nx->facts, driver, -1);
  self->row->vendor_id = (guint32)vendor;
  self->row->device_id = (guint32)device;
  if (!available)
    return TRUE;
  self->row->generation = generation_of (name);
  if (vendor == ARM_VENDOR && self->row->generation != 0)
    return TRUE;
  self->row->generation = 0;
  return reject (
      self, "device-unsupported",
      _ ("device \"%s\" of vendor 0x%" PRIx64 ": expected a Mali-G1 or Mali-G2 of Arm (0x13b5)"),
      name, vendor);
}

/* What the payload says of its own layout, against the table. */
static gboolean
read_layout (Payload *self)
{
  StriaNxPayloadRow *row = self->row;
  gboolean available = get_bool (self, "counter_layout.available");
  g_autofree char *schema = get_text (self, "counter_layout.schema_id", TRUE);
  gint64 version = get_int (self, "counter_layout.schema_version");
  g_autofree char *endianness = get_text (self, "counter_layout.endianness", TRUE);
  g_autofree char *word = get_text (self, "counter_layout.word_type", TRUE);
  gint64 words = get_int (self, "counter_layout.words_per_task");
  gint64 leading = get_int (self, "counter_layout.leading_block_count");
  g_autofree char *reason G_GNUC_UNUSED = get_text (self, "counter_layout.reason", TRUE);
  guint generation = 0, mode = 0;

  if (self->error != NULL)
    return FALSE;
  if (!available)
    return TRUE;
  row->layout_stated = TRUE;
  row->words_per_task = (guint32)CLAMP (words, 0, G_MAXUINT32);
  row->leading_blocks = (guint32)CLAMP (leading, 0, G_MAXUINT16);
  if (version != 1)
    return reject (self, "layout-schema",
                   _ ("counter layout of schema version %" PRId64 ": expected 1"), version);
  if (sscanf (schema, "arm.mali-g%1u.neural-statistics.mode%1u", &generation, &mode) != 2
      || (generation != 1 && generation != 2) || (gint32)mode != row->mode
      || (row->generation != 0 && row->generation != generation))
    return reject (self, "layout-conflict",
                   _ ("counter layout \"%s\" contradicts mode %d of \"%s\""), schema, row->mode,
                   stria_facts_text (self->nx->facts, row->device_name));
  if (!g_str_equal (endianness, "little"))
    return reject (self, "layout-endianness",
                   _ ("counters of endianness \"%s\": expected \"little\""), endianness);
  if (!g_str_equal (word, "uint32"))
    return reject (self, "layout-word-type", _ ("counters of type \"%s\": expected \"uint32\""),
                   word);
  row->generation = (guint8)generation;
  const StriaNxLayout *layout = stria_nx_layout (generation, mode);
  if (words == (gint64)layout->words_per_task)
    return TRUE;
  if (generation == 2 && mode == 0 && words == 64)
    return reject (self, "mode0-64-words",
                   _ ("Mali-G2 in mode 0 with 64 words a task is not supported: mode 0 has 16"));
  return reject (self, "layout-words", _ ("%" PRId64 " words a task: Mali-G%u in mode %u has %u"),
                 words, generation, mode, layout->words_per_task);
}

static gboolean
read_settings (Payload *self)
{
  StriaNxPayloadRow *row = self->row;

  if (row->schema_version == 1)
    {
      row->mode = 1;
      row->mode_assumed = TRUE;
    }
  else if (!read_mode (self) || !read_target (self) || !read_layout (self))
    return FALSE;
  if (row->generation == 0)
    {
      row->generation = 2;
      row->device_assumed = TRUE;
    }
  if (row->words_per_task == 0)
    row->words_per_task = stria_nx_layout (row->generation, (guint)row->mode)->words_per_task;
  return TRUE;
}

/* Blob of a segment: decoded bytes, or NULL: with @error set if it is damaged, without if it is not
 * available. */
static GBytes *
read_blob (Payload *self,
           guint32 segment,
           guint number,
           const char *which,
           gboolean *is_text,
           GError **error)
{
  g_autofree char *base = g_strdup_printf ("segments.%u.%s", number, which);
  StriaNxBlobRow row = {
    .segment = segment,
    .which = stria_facts_intern (self->nx->facts, which, -1),
  };
  GBytes *bytes = NULL;

  g_autofree char *available = g_strconcat (base, ".available", NULL);
  g_autofree char *text = g_strconcat (base, ".is_text", NULL);
  g_autofree char *result = g_strconcat (base, ".vulkan_result", NULL);
  g_autofree char *size = g_strconcat (base, ".size", NULL);
  g_autofree char *encoding = g_strconcat (base, ".encoding", NULL);
  g_autofree char *data = g_strconcat (base, ".data", NULL);
  g_autofree char *why = g_strconcat (base, ".reason", NULL);
  g_autofree char *reason = get_text (self, why, FALSE);
  g_autofree char *how = get_text (self, encoding, FALSE);
  const StriaNxMember *code = member (self, result);
  const StriaNxMember *content = member (self, data);

  row.reason = stria_facts_intern (self->nx->facts, reason, -1);
  row.vulkan_result = code != NULL ? (gint32)code->integer : 0;
  row.available = member (self, available) != NULL && get_bool (self, available);
  row.is_text = member (self, text) != NULL && get_bool (self, text);
  row.declared = member (self, size) != NULL ? (guint64)get_int (self, size) : 0;
  *is_text = row.is_text;
  if (row.available
      && (!g_str_equal (how, "base64") || content == NULL || content->type != STRIA_NX_TEXT))
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                 _ ("%s: expected data as base64, found encoding \"%s\""), which, how);
  else if (row.available)
    {
      gsize length;
      const char *raw = g_bytes_get_data (content->text, &length);
      g_autofree char *encoded = g_strndup (length > 0 ? raw : "", length);
      gsize padding = length > 0 && raw[length - 1] == '='
                          ? (length > 1 && raw[length - 2] == '=' ? 2 : 1)
                          : 0;
      gsize n_digits = strspn (encoded, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                        "0123456789+/");
      gsize decoded = 0;
      guchar *plain = NULL;

      /* GLib passes over what is not base64: it is a fault here. */
      if (length % 4 != 0 || n_digits != length - padding)
        g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                     _ ("%s: its base64 breaks at byte %zu"), which, n_digits);
      else
        plain = length > 0 ? g_base64_decode (encoded, &decoded) : g_malloc (1);
      row.decoded = decoded;
      if (plain != NULL && decoded != row.declared)
        g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                     _ ("%s: expected %" PRIu64 " bytes, found %zu"), which, row.declared, decoded);
      else if (plain != NULL)
        bytes = g_bytes_new_take (g_steal_pointer (&plain), decoded);
      g_free (plain);
    }
  stria_facts_add (self->nx->facts, STRIA_TABLE_NX_BLOB, &row);
  return bytes;
}

/* Chains and cascades of the stripes that were read, from @relations (nullable). Returns how many
 * the database does not know. */
static guint
relate (StriaFacts *facts, guint32 segment, GHashTable *relations)
{
  const StriaNxSegmentRow *row
      = STRIA_ROWS (facts, StriaNxSegmentRow, STRIA_TABLE_NX_SEGMENT) + segment;
  guint unknown = 0;

  for (guint32 s = row->first_stripe; s < row->first_stripe + row->n_stripes; s++)
    {
      StriaNxStripeRow *stripe = STRIA_ROWS (facts, StriaNxStripeRow, STRIA_TABLE_NX_STRIPE) + s;
      g_autofree char *key = g_strdup_printf ("%u", stripe->number);
      const StriaNxRelation *known
          = relations != NULL ? g_hash_table_lookup (relations, key) : NULL;

      stripe->chain = known != NULL ? known->chain : 0;
      stripe->cascade = known != NULL ? known->cascade : 0;
      /* Stable stand-ins, marked as such. [PROPOSAL] */
      if (stripe->chain == 0 || stripe->cascade == 0)
        {
          stripe->placeholder = TRUE;
          unknown++;
        }
      if (stripe->chain == 0)
        stripe->chain = stria_facts_intern_printf (facts, "chain_%u", stripe->number);
      if (stripe->cascade == 0)
        stripe->cascade = stria_facts_intern_printf (facts, "cascade_%u", stripe->number);
    }
  return unknown;
}

static void
notice (Payload *self, StriaSeverity severity, const char *code, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

static void
notice (Payload *self, StriaSeverity severity, const char *code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  stria_notices_add (self->nx->context->notices, severity, code, self->nx->context->name,
                     (gint64)self->offset, "%s", message);
}

/* The relations of the debug database, read once for all executions. NULL with @error if damaged.
 */
static Database *
find_database (Payload *self, guint32 segment, gint64 number, GBytes *bytes, GError **error)
{
  g_autofree char *digest = g_compute_checksum_for_bytes (G_CHECKSUM_SHA1, bytes);
  g_autofree char *key = g_strdup_printf ("%d/%d/%" PRId64 "/%s", self->row->chain,
                                          self->row->instruction, number, digest);
  Database *database = g_hash_table_lookup (self->nx->databases, key);

  if (database == NULL)
    {
      gsize length;
      const guint8 *text = g_bytes_get_data (bytes, &length);
      GHashTable *relations
          = stria_nx_parse_database (self->nx->facts, segment, text, length, error);
      if (relations == NULL)
        return NULL;
      database = g_new0 (Database, 1);
      database->segment = segment;
      database->relations = relations;
      g_hash_table_insert (self->nx->databases, g_steal_pointer (&key), database);
    }
  return database;
}

static void
segment_state (
    StriaFacts *facts, guint32 segment, StriaNxState state, const char *code, const char *reason)
{
  StriaNxSegmentRow *row = STRIA_ROWS (facts, StriaNxSegmentRow, STRIA_TABLE_NX_SEGMENT) + segment;

  row->state = (guint8)state;
  row->code = stria_facts_intern (facts, code, -1);
  row->reason = stria_facts_intern (facts, reason, -1);
}

/* Counters and relations of a segment whose blobs are there. */
static void
read_counters (Payload *self,
               guint32 segment,
               gint64 number,
               GBytes *memory,
               GBytes *info,
               gboolean info_is_text,
               GBytes *database)
{
  StriaFacts *facts = self->nx->facts;
  const StriaNxLayout *layout = stria_nx_layout (self->row->generation, (guint)self->row->mode);
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) remarks = g_string_new (NULL);
  gsize info_length, length;
  const guint8 *info_data = g_bytes_get_data (info, &info_length);
  const guint8 *data = g_bytes_get_data (memory, &length);
  g_autoptr (GArray) listed = stria_nx_parse_info (info_data, info_length, info_is_text, &error);
  Database *known = NULL;

  if (listed == NULL
      || !stria_nx_parse_memory (facts, segment, layout, self->row->leading_blocks, data, length,
                                 listed, remarks, &error))
    {
      segment_state (facts, segment, STRIA_NX_MALFORMED, "counters", error->message);
      notice (self, STRIA_SEVERITY_ERROR, "nx-counters", _ ("segment %" PRId64 ": %s"), number,
              error->message);
      return;
    }
  const StriaNxSegmentRow *row
      = STRIA_ROWS (facts, StriaNxSegmentRow, STRIA_TABLE_NX_SEGMENT) + segment;
  if (remarks->len > 0)
    notice (self, STRIA_SEVERITY_INFO, "nx-leading-block", _ ("segment %" PRId64 ": %s"), number,
            remarks->str);
  if (row->last_block_tasks < layout->tasks_per_block)
    notice (self, STRIA_SEVERITY_INFO, "nx-short-block",
            _ ("segment %" PRId64 ": the last block holds %u of %u tasks"), number,
            row->last_block_tasks, layout->tasks_per_block);
  if (database != NULL)
    known = find_database (self, segment, number, database, &error);
  if (known != NULL)
    STRIA_ROWS (facts, StriaNxSegmentRow, STRIA_TABLE_NX_SEGMENT)
  [segment].relations = known->segment;
  else if (error != NULL) notice (self, STRIA_SEVERITY_WARNING, "nx-database",
                                  _ ("segment %" PRId64 ": %s"), number, error->message);
  guint unknown = relate (facts, segment, known != NULL ? known->relations : NULL);
  if (unknown > 0)
    notice (
        self, STRIA_SEVERITY_WARNING, "nx-no-relation",
        ngettext ("segment %" PRId64
                  ": %u stripe is not in the debug database; its chain and cascade are stand-ins",
                  "segment %" PRId64
                  ": %u stripes are not in the debug database; their chains and cascades are "
                  "stand-ins",
                  unknown),
        number, unknown);
}

static void
read_segment (Payload *self, guint number)
{
  StriaFacts *facts = self->nx->facts;
  g_autofree char *base = g_strdup_printf ("segments.%u.", number);
  g_autofree char *id = g_strconcat (base, "segment_id", NULL);
  g_autofree char *graph = g_strconcat (base, "is_data_graph_pipeline", NULL);
  g_autofree char *point = g_strconcat (base, "statistics_bind_point_available", NULL);
  g_autofree char *visible = g_strconcat (base, "statistics_memory_host_visible", NULL);
  g_autofree char *coherent = g_strconcat (base, "statistics_memory_host_coherent", NULL);
  g_autofree char *why = g_strconcat (base, "statistics_bind_point_reason", NULL);
  g_autofree char *reason = get_text (self, why, FALSE);
  StriaNxSegmentRow row = {
    .payload = (guint32)stria_facts_size (facts, STRIA_TABLE_NX_PAYLOAD),
    .number = get_int (self, id),
    .is_graph = (guint8)get_bool (self, graph),
    .bind_point = member (self, point) != NULL && get_bool (self, point),
    .host_visible = member (self, visible) != NULL && get_bool (self, visible),
    .host_coherent = member (self, coherent) != NULL && get_bool (self, coherent),
    .bind_point_reason = stria_facts_intern (facts, reason, -1),
    .relations = STRIA_NO_REF,
  };

  if (self->error != NULL)
    return;
  guint32 segment = stria_facts_add (facts, STRIA_TABLE_NX_SEGMENT, &row);
  gboolean is_text = FALSE, info_is_text = FALSE;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) database_error = NULL;
  g_autoptr (GBytes) memory
      = read_blob (self, segment, number, "statistics_memory", &is_text, &error);
  g_autoptr (GBytes) info = read_blob (self, segment, number, "statistics_info", &info_is_text,
                                       error == NULL ? &error : NULL);
  g_autoptr (GBytes) database
      = read_blob (self, segment, number, "debug_database", &is_text, &database_error);

  if (!row.is_graph)
    {
      segment_state (facts, segment, STRIA_NX_UNAVAILABLE, "compute-segment",
                     _ ("a compute segment, which the neural accelerator does not run"));
      notice (self, STRIA_SEVERITY_INFO, "nx-compute-segment",
              _ ("segment %" PRId64 " is a compute segment and is passed over"), row.number);
    }
  else if (error != NULL)
    {
      segment_state (facts, segment, STRIA_NX_MALFORMED, "blob", error->message);
      notice (self, STRIA_SEVERITY_ERROR, "nx-blob", _ ("segment %" PRId64 ": %s"), row.number,
              error->message);
    }
  else if (memory == NULL || info == NULL)
    {
      const StriaNxBlobRow *blobs = stria_facts_rows (facts, STRIA_TABLE_NX_BLOB);
      gsize last = stria_facts_size (facts, STRIA_TABLE_NX_BLOB);
      const char *said = stria_facts_text (facts, blobs[last - (memory == NULL ? 3 : 2)].reason);
      segment_state (facts, segment, STRIA_NX_UNAVAILABLE, "blob-unavailable",
                     *said != '\0' ? said : _ ("its statistics were not collected"));
    }
  else
    {
      if (database_error != NULL)
        notice (self, STRIA_SEVERITY_WARNING, "nx-database", _ ("segment %" PRId64 ": %s"),
                row.number, database_error->message);
      read_counters (self, segment, row.number, memory, info, info_is_text, database);
    }
}

static void
read_segments (Payload *self)
{
  const StriaNxMember *count = member (self, "segments.#");
  gint64 n = count != NULL ? count->integer : 0;

  if (count == NULL)
    fault (self, "segments", _ ("a list"));
  self->row->first_segment = (guint32)stria_facts_size (self->nx->facts, STRIA_TABLE_NX_SEGMENT);
  for (gint64 s = 0; s < MIN (n, MAX_SEGMENTS) && self->error == NULL; s++)
    read_segment (self, (guint)s);
  self->row->n_segments = (guint32)stria_facts_size (self->nx->facts, STRIA_TABLE_NX_SEGMENT)
                          - self->row->first_segment;
}

static void
read_payload (Payload *self)
{
  gint64 version = get_int (self, "schema_version");

  if (self->error == NULL && version != 1 && version != 2)
    g_set_error (&self->error, STRIA_ERROR, STRIA_ERROR_UNSUPPORTED,
                 _ ("payload of schema version %" PRId64 ": expected 1 or 2"), version);
  if (self->error != NULL)
    return;
  self->row->schema_version = (gint32)version;
  gboolean ok = read_settings (self);
  gboolean available = self->error == NULL && get_bool (self, "available");
  if (self->error != NULL || !ok)
    return;
  if (!available)
    {
      g_autofree char *reason = get_text (self, "reason", FALSE);
      set_state (self, STRIA_NX_UNAVAILABLE, "unavailable",
                 *reason != '\0' ? reason : _ ("the payload gives no reason"));
    }
  /* What each segment says of itself stays, also of a payload without data. */
  read_segments (self);
}

static gboolean
holds_schema (const guint8 *text, gsize length)
{
  return memmem (text, length, SCHEMA, strlen (SCHEMA)) != NULL;
}

guint32
stria_nx_read (
    StriaNx *self, const guint8 *text, gsize length, guint64 offset, const StriaNxPayloadRow *base)
{
  StriaNxPayloadRow row = *base;
  Payload payload = { .nx = self, .row = &row, .offset = offset };

  row.mode = -1;
  row.schema_version = -1;
  row.first_segment = (guint32)stria_facts_size (self->facts, STRIA_TABLE_NX_SEGMENT);
  if (length > STRIA_NX_MAX_TEXT)
    g_set_error (&payload.error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                 _ ("payload of %zu bytes: at most %zu are read"), length, STRIA_NX_MAX_TEXT);
  else
    payload.members = stria_nx_members (text, length, &payload.error);
  if (payload.members == NULL && !holds_schema (text, length))
    {
      notice (&payload, STRIA_SEVERITY_INFO, "nx-other", _ ("metadata of \"%s\" is no payload: %s"),
              STRIA_NX_DELEGATE_ID, payload.error->message);
      g_clear_error (&payload.error);
      return STRIA_NO_REF;
    }
  if (payload.members != NULL)
    {
      g_autofree char *schema = get_text (&payload, "schema", FALSE);
      if (!g_str_equal (schema, SCHEMA))
        {
          g_hash_table_unref (payload.members);
          return STRIA_NO_REF;
        }
      read_payload (&payload);
    }
  if (payload.error != NULL)
    set_state (&payload, STRIA_NX_MALFORMED, "malformed", payload.error->message);
  if (row.state == STRIA_NX_MALFORMED || row.state == STRIA_NX_REJECTED)
    {
      g_autofree char *code = g_strconcat ("nx-", stria_facts_text (self->facts, row.code), NULL);
      notice (&payload, STRIA_SEVERITY_ERROR, code, "%s",
              stria_facts_text (self->facts, row.reason));
    }
  g_clear_error (&payload.error);
  g_clear_pointer (&payload.members, g_hash_table_unref);
  return stria_facts_add (self->facts, STRIA_TABLE_NX_PAYLOAD, &row);
}

void
stria_nx_finish (StriaNx *self)
{
  StriaNxPayloadRow *rows = stria_facts_rows (self->facts, STRIA_TABLE_NX_PAYLOAD);
  gsize n = stria_facts_size (self->facts, STRIA_TABLE_NX_PAYLOAD);
  const StriaNxPayloadRow *first = NULL;
  gboolean conflict = FALSE;

  for (gsize i = 0; i < n; i++)
    {
      if (rows[i].state != STRIA_NX_OK)
        continue;
      if (first == NULL)
        first = &rows[i];
      conflict = conflict || rows[i].mode != first->mode || rows[i].generation != first->generation
                 || rows[i].words_per_task != first->words_per_task;
    }
  if (!conflict)
    return;
  const char *reason = _ ("payloads of this dump disagree in mode, device or layout");
  for (gsize i = 0; i < n; i++)
    if (rows[i].state == STRIA_NX_OK)
      {
        rows[i].state = STRIA_NX_REJECTED;
        rows[i].code = stria_facts_intern (self->facts, "settings-conflict", -1);
        rows[i].reason = stria_facts_intern (self->facts, reason, -1);
      }
  stria_notices_add (self->context->notices, STRIA_SEVERITY_ERROR, "nx-settings-conflict",
                     self->context->name, -1, "%s", reason);
}
