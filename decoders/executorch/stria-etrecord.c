/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-etrecord.h"

#include <archive.h>
#include <archive_entry.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "stria-error.h"
#include "stria-etrecord-private.h"
#include "stria-json-parts.h"
#include "stria-whole.h"

/* A record is a zip. [CODE ET devtools/etrecord/_etrecord.py] Its tensors are pickles inside zips:
 * they are listed by size and never opened. */

#define IDENTIFIER "ETRECORD_V0"
#define EXPORTED "exported_program"
#define EDGE "edge_dialect_exported_program"
#define KNOWN_MAJOR 5
#define RATIO_FROM ((guint64)64 << 20)
#define MAX_RATIO 1000

typedef enum
{
  MEMBER_UNKNOWN,
  MEMBER_IDENTIFIER,
  MEMBER_EXPORTED,
  MEMBER_EDGE,
  MEMBER_MODULE,
  MEMBER_HANDLES,
  MEMBER_DELEGATES,
  MEMBER_OUTS,
  MEMBER_GRAPH_ID,
  MEMBER_TENSORS,
} MemberKind;

static const char *const kind_names[]
    = { "unknown",          "identifier",   "exported program", "edge program", "program",
        "debug handle map", "delegate map", "outputs map",      "graph id",     "tensors" };

typedef struct
{
  char *name;
  guint64 size;
  MemberKind kind;
  gboolean is_last; /* of those with its name: the one that counts, as in Python */
} Member;

typedef struct
{
  StriaFacts *facts;
  StriaDecodeContext *context;
  const guint8 *data;
  gsize length;
  gsize at;            /* where the zip is being read */
  GPtrArray *members;  /* Member */
  GHashTable *by_name; /* name -> Member */
  StriaRecordRow record;
} Record;

static void
member_free (gpointer data)
{
  Member *member = data;

  g_free (member->name);
  g_free (member);
}

static void warn (Record *self, const char *code, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void
warn (Record *self, const char *code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, code, self->context->name, -1,
                     "%s", message);
}

static gboolean
archive_error (Record *self, struct archive *archive, const char *member, GError **error)
{
  const char *why = archive_error_string (archive);

  g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
               _ ("%s: %s: expected a member of a zip: %s"), self->context->name, member,
               why != NULL ? why : _ ("it is damaged"));
  return FALSE;
}

/* In blocks: of a file in one piece all of a member is taken at once, and how much of it was needed
 * for what was inflated could not be told. */
static la_ssize_t
read_block (struct archive *archive, void *data, const void **block)
{
  Record *self = data;
  gsize n = MIN (self->length - self->at, (gsize) STRIA_SOURCE_BLOCK);

  *block = self->data + self->at;
  self->at += n;
  return (la_ssize_t) n;
}

static la_int64_t
skip_bytes (struct archive *archive, void *data, la_int64_t n)
{
  Record *self = data;
  gsize skipped = MIN (self->length - self->at, (gsize) MAX (n, 0));

  self->at += skipped;
  return (la_int64_t) skipped;
}

static la_int64_t
seek_to (struct archive *archive, void *data, la_int64_t offset, int whence)
{
  Record *self = data;
  gint64 from = whence == SEEK_SET ? 0 : (gint64) (whence == SEEK_CUR ? self->at : self->length);

  if (offset < -from || offset > (gint64) self->length - from)
    return ARCHIVE_FATAL;
  self->at = (gsize) (from + offset);
  return (la_int64_t) self->at;
}

static struct archive *
open_zip (Record *self, GError **error)
{
  struct archive *archive = archive_read_new ();

  self->at = 0;
  archive_read_support_format_zip_seekable (archive);
  archive_read_set_read_callback (archive, read_block);
  archive_read_set_skip_callback (archive, skip_bytes);
  archive_read_set_seek_callback (archive, seek_to);
  archive_read_set_callback_data (archive, self);
  if (archive_read_open1 (archive) == ARCHIVE_OK)
    return archive;
  archive_error (self, archive, IDENTIFIER, error);
  archive_read_free (archive);
  return NULL;
}

/* -- members --------------------------------------------------------------------------------- */

/* Tensors that go with a program: only where that program is there too. [PROPOSAL, since names are
 * told apart by their ends] */
static gboolean
is_companion (Record *self, const char *name)
{
  static const char *const ends[] = { "state_dict", "constants", "example_inputs" };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (g_str_has_suffix (name, ends[i]))
      {
        gsize length = strlen (name) - strlen (ends[i]);
        g_autofree char *base = NULL;

        if (length > 0 && name[length - 1] == '_')
          length--;
        base = g_strndup (name, length);
        if (g_hash_table_contains (self->by_name, base))
          return TRUE;
      }
  return FALSE;
}

/* Nothing is ever unpacked, but no honest writer names a member so. [PROPOSAL, spec 10] */
static gboolean
leads_outside (const char *name)
{
  g_auto (GStrv) parts = g_strsplit_set (name, "/\\", -1);

  return g_strv_contains ((const char *const *)parts, "..");
}

static MemberKind
classify (Record *self, const char *name)
{
  static const struct
  {
    const char *name;
    MemberKind kind;
  } known[] = {
    { IDENTIFIER, MEMBER_IDENTIFIER },
    { EXPORTED, MEMBER_EXPORTED },
    { EDGE, MEMBER_EDGE },
    { "debug_handle_map", MEMBER_HANDLES },
    { "delegate_map", MEMBER_DELEGATES },
    { "instruction_id_to_num_outs_map", MEMBER_OUTS },
    { "export_graph_id", MEMBER_GRAPH_ID },
    { "reference_outputs", MEMBER_TENSORS },
    { "representative_inputs", MEMBER_TENSORS },
  };
  const char *slash = strchr (name, '/');

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_equal (name, known[i].name))
      return known[i].kind;
  if (leads_outside (name))
    return MEMBER_UNKNOWN;
  if (is_companion (self, name))
    return MEMBER_TENSORS;
  if (g_str_has_prefix (name, EDGE "/"))
    return MEMBER_EDGE;
  return slash != NULL && slash != name && slash[1] != '\0' ? MEMBER_MODULE : MEMBER_UNKNOWN;
}

static gboolean
list_members (Record *self, GError **error)
{
  struct archive *archive = open_zip (self, error);
  struct archive_entry *entry;
  int status = ARCHIVE_EOF;

  if (archive == NULL)
    return FALSE;
  while ((status = archive_read_next_header (archive, &entry)) == ARCHIVE_OK
         || status == ARCHIVE_WARN)
    {
      const char *path = archive_entry_pathname (entry);
      Member *member = g_new0 (Member, 1);
      Member *before;

      member->name = g_utf8_make_valid (path != NULL ? path : "", -1);
      member->size = (guint64)MAX (archive_entry_size (entry), 0);
      member->is_last = TRUE;
      before = g_hash_table_lookup (self->by_name, member->name);
      if (before != NULL)
        {
          before->is_last = FALSE;
          warn (self, "etrecord-duplicate",
                _ ("Member \"%s\" is there more than once; the last one is read"), member->name);
        }
      g_ptr_array_add (self->members, member);
      g_hash_table_insert (self->by_name, member->name, member);
      if (self->members->len > STRIA_ETRECORD_MAX_MEMBERS)
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT, _ ("%s: more than %d members"),
                       self->context->name, STRIA_ETRECORD_MAX_MEMBERS);
          archive_read_free (archive);
          return FALSE;
        }
    }
  if (status != ARCHIVE_EOF && self->members->len == 0)
    archive_error (self, archive, IDENTIFIER, error);
  else if (status != ARCHIVE_EOF)
    warn (self, "etrecord-damaged", _ ("The list of members ends early: %s"),
          archive_error_string (archive) != NULL ? archive_error_string (archive) : "");
  archive_read_free (archive);
  if (status != ARCHIVE_EOF && self->members->len == 0)
    return FALSE;
  for (guint i = 0; i < self->members->len; i++)
    {
      Member *member = self->members->pdata[i];
      StriaRecordMemberRow row
          = { stria_facts_intern (self->facts, member->name, -1), 0, member->size };

      member->kind = classify (self, member->name);
      row.kind = stria_facts_intern (self->facts, kind_names[member->kind], -1);
      stria_facts_add (self->facts, STRIA_TABLE_RECORD_MEMBER, &row);
      if (member->kind == MEMBER_UNKNOWN)
        warn (self, "etrecord-member", _ ("Member \"%s\" is of no known kind"), member->name);
    }
  return TRUE;
}

/* Bytes of the current member into @parts, under the caps. */
static gboolean
read_json (Record *self,
           struct archive *archive,
           const Member *member,
           StriaJsonParts *parts,
           GError **error)
{
  g_autofree guint8 *block = g_malloc (STRIA_SOURCE_BLOCK);
  gint64 from = archive_filter_bytes (archive, -1);
  guint64 total = 0;
  la_ssize_t n;
  GError *inner = NULL;

  while ((n = archive_read_data (archive, block, STRIA_SOURCE_BLOCK)) > 0)
    {
      guint64 packed = (guint64)MAX (archive_filter_bytes (archive, -1) - from, 1);

      total += (guint64)n;
      if (total > STRIA_ETRECORD_MAX_JSON || (total > RATIO_FROM && total / packed > MAX_RATIO))
        {
          g_set_error (
              error, STRIA_ERROR, STRIA_ERROR_LIMIT,
              _ ("%s: %s: more than %" PRIu64 " bytes, or than %d times the %" PRIu64 " it takes"),
              self->context->name, member->name, STRIA_ETRECORD_MAX_JSON, MAX_RATIO, packed);
          return FALSE;
        }
      if (self->context->progress != NULL)
        self->context->progress ((guint64)archive_filter_bytes (archive, -1), 0,
                                 self->context->user_data);
      if (g_cancellable_set_error_if_cancelled (self->context->cancellable, error))
        return FALSE;
      if (!stria_json_parts_feed (parts, block, (gsize)n, &inner))
        break;
    }
  if (n < 0)
    return archive_error (self, archive, member->name, error);
  if (inner == NULL && stria_json_parts_finish (parts, &inner))
    return TRUE;
  g_propagate_prefixed_error (error, inner, "%s: %s: ", self->context->name, member->name);
  return FALSE;
}

/* -- programs -------------------------------------------------------------------------------- */

static gboolean
read_program (Record *self, struct archive *archive, const Member *member, GError **error)
{
  StriaRecordProgram program;
  g_autoptr (StriaJsonParts) parts = NULL;
  const char *slash = strchr (member->name, '/');
  const char *method = slash != NULL ? slash + 1 : "forward";
  StriaGraphKind kind = member->kind == MEMBER_EDGE       ? STRIA_GRAPH_SOURCE
                        : member->kind == MEMBER_EXPORTED ? STRIA_GRAPH_EXPORTED
                                                          : STRIA_GRAPH_MODULE;
  gboolean ok;

  stria_record_program_init (&program, self->facts, self->context, member->name);
  parts = stria_record_program_reader (&program);
  ok = read_json (self, archive, member, parts, error);
  if (ok)
    {
      guint32 graph = stria_record_program_graph (&program, kind, member->name, method);
      if (program.major != -1 && program.major != KNOWN_MAJOR)
        warn (self, "etrecord-schema",
              _ ("%s: expected schema version %d, found %" PRId64
                 "; it is read as if it were the same"),
              member->name, KNOWN_MAJOR, program.major);
      if (kind == STRIA_GRAPH_SOURCE || self->record.schema_major == -1)
        {
          self->record.schema_major = program.major;
          self->record.schema_minor = program.minor;
        }
      if (kind == STRIA_GRAPH_SOURCE)
        {
          StriaRecordMethodRow row
              = { stria_facts_intern (self->facts, method, -1), graph, 0, 0, 0 };
          stria_facts_add (self->facts, STRIA_TABLE_RECORD_METHOD, &row);
        }
    }
  stria_record_program_clear (&program);
  return ok;
}

/* -- maps ------------------------------------------------------------------------------------ */

typedef struct
{
  Record *record;
  const Member *member;
} MapReader;

/* Row of a method, or STRIA_NO_REF */
static guint32
find_method (Record *self, const char *name)
{
  const StriaRecordMethodRow *rows = stria_facts_rows (self->facts, STRIA_TABLE_RECORD_METHOD);

  for (guint32 m = 0; m < stria_facts_size (self->facts, STRIA_TABLE_RECORD_METHOD); m++)
    if (g_str_equal (stria_facts_text (self->facts, rows[m].name), name))
      return m;
  return STRIA_NO_REF;
}

static gboolean
is_integer (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64;
}

static void
bad_value (MapReader *self, const char *key)
{
  warn (self->record, "etrecord-map", _ ("%s: expected numbers for \"%s\"; it was left out"),
        self->member->name, key);
}

/* A handle, a list of handles, or null. */
static void
add_handles (MapReader *self,
             JsonNode *value,
             const char *key,
             void (*add) (MapReader *self,
                          guint32 owner,
                          gint64 instruction,
                          const char *key,
                          gint64 handle),
             guint32 owner,
             gint64 instruction)
{
  if (JSON_NODE_HOLDS_NULL (value))
    return;
  if (is_integer (value))
    add (self, owner, instruction, key, json_node_get_int (value));
  else if (JSON_NODE_HOLDS_ARRAY (value))
    {
      JsonArray *list = json_node_get_array (value);
      for (guint i = 0; i < json_array_get_length (list); i++)
        if (is_integer (json_array_get_element (list, i)))
          add (self, owner, instruction, key, json_array_get_int_element (list, i));
        else if (!JSON_NODE_HOLDS_NULL (json_array_get_element (list, i)))
          bad_value (self, key);
    }
  else
    bad_value (self, key);
}

static void
add_handle (MapReader *self, guint32 method, gint64 instruction, const char *key, gint64 handle)
{
  StriaRecordHandleRow row = { method, instruction, handle };

  stria_facts_add (self->record->facts, STRIA_TABLE_RECORD_HANDLE, &row);
}

static void
add_delegate_handle (
    MapReader *self, guint32 delegate, gint64 instruction, const char *key, gint64 handle)
{
  StriaFacts *facts = self->record->facts;
  StriaRecordDelegateHandleRow row = { delegate, stria_facts_intern (facts, key, -1), handle };

  stria_facts_add (facts, STRIA_TABLE_RECORD_DELEGATE_HANDLE, &row);
}

static void
add_delegate (MapReader *self, guint32 method, gint64 instruction, JsonNode *value, const char *key)
{
  StriaFacts *facts = self->record->facts;
  StriaRecordDelegateRow row = { method, instruction, 0 };
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (value) ? json_node_get_object (value) : NULL;
  JsonNode *name = object != NULL ? json_object_get_member (object, "name") : NULL;
  JsonNode *map = object != NULL ? json_object_get_member (object, "delegate_map") : NULL;
  JsonObjectIter iter;
  const char *id;
  JsonNode *handles;

  if (object == NULL)
    {
      bad_value (self, key);
      return;
    }
  if (name != NULL && JSON_NODE_HOLDS_VALUE (name)
      && json_node_get_value_type (name) == G_TYPE_STRING)
    row.name = stria_facts_intern (facts, json_node_get_string (name), -1);
  guint32 delegate = stria_facts_add (facts, STRIA_TABLE_RECORD_DELEGATE, &row);
  if (map == NULL || !JSON_NODE_HOLDS_OBJECT (map))
    return;
  json_object_iter_init (&iter, json_node_get_object (map));
  while (json_object_iter_next (&iter, &id, &handles))
    add_handles (self, handles, id, add_delegate_handle, delegate, instruction);
}

static void
add_outs (MapReader *self, guint32 method, gint64 instruction, JsonNode *value, const char *key)
{
  StriaRecordOutsRow row = { method, instruction, 0 };

  if (!is_integer (value))
    {
      bad_value (self, key);
      return;
    }
  row.n_outs = json_node_get_int (value);
  stria_facts_add (self->record->facts, STRIA_TABLE_RECORD_OUTS, &row);
}

/* All of one method's entries. */
static gboolean
on_method_map (guint part, const char *key, JsonNode *node, gpointer user_data, GError **error)
{
  MapReader *self = user_data;
  Record *record = self->record;
  guint32 method = find_method (record, key);
  JsonObjectIter iter;
  const char *instruction_key;
  JsonNode *value;

  if (method == STRIA_NO_REF || !JSON_NODE_HOLDS_OBJECT (node))
    {
      warn (record, "etrecord-map-method", _ ("%s: method \"%s\" has no edge program"),
            self->member->name, key);
      return TRUE;
    }
  StriaRecordMethodRow *row
      = STRIA_ROWS (record->facts, StriaRecordMethodRow, STRIA_TABLE_RECORD_METHOD) + method;
  row->in_handle_map |= self->member->kind == MEMBER_HANDLES;
  row->in_delegate_map |= self->member->kind == MEMBER_DELEGATES;
  row->in_outs_map |= self->member->kind == MEMBER_OUTS;
  json_object_iter_init (&iter, json_node_get_object (node));
  while (json_object_iter_next (&iter, &instruction_key, &value))
    {
      gint64 instruction;

      if (!g_ascii_string_to_signed (instruction_key, 10, G_MININT32, G_MAXINT32, &instruction,
                                     NULL))
        {
          bad_value (self, instruction_key);
          continue;
        }
      if (self->member->kind == MEMBER_HANDLES)
        add_handles (self, value, instruction_key, add_handle, method, instruction);
      else if (self->member->kind == MEMBER_DELEGATES)
        add_delegate (self, method, instruction, value, instruction_key);
      else
        add_outs (self, method, instruction, value, instruction_key);
    }
  return TRUE;
}

static gboolean
on_graph_id (guint part, const char *key, JsonNode *node, gpointer user_data, GError **error)
{
  MapReader *self = user_data;

  if (is_integer (node))
    {
      self->record->record.has_export_graph_id = TRUE;
      self->record->record.export_graph_id = json_node_get_int (node);
    }
  else
    bad_value (self, "export_graph_id");
  return TRUE;
}

static gboolean
read_map (Record *self, struct archive *archive, const Member *member, GError **error)
{
  static const char *const methods[] = { "*", NULL };
  MapReader reader = { self, member };
  gboolean is_id = member->kind == MEMBER_GRAPH_ID;
  g_autoptr (StriaJsonParts) parts = NULL;

  if (!is_id)
    parts = stria_json_parts_new (methods, on_method_map, &reader);
  else
    {
      /* The document is the number. */
      static const char *const root[] = { "", NULL };
      parts = stria_json_parts_new (root, on_graph_id, &reader);
    }
  return read_json (self, archive, member, parts, error);
}

/* -- the file -------------------------------------------------------------------------------- */

static gboolean
is_wanted (const Member *member, gboolean maps)
{
  switch (member->kind)
    {
    case MEMBER_EXPORTED:
    case MEMBER_EDGE:
    case MEMBER_MODULE:
      return !maps;
    case MEMBER_HANDLES:
    case MEMBER_DELEGATES:
    case MEMBER_OUTS:
    case MEMBER_GRAPH_ID:
      return maps;
    case MEMBER_UNKNOWN:
    case MEMBER_IDENTIFIER:
    case MEMBER_TENSORS:
      return FALSE;
    }
  return FALSE;
}

/* One walk over the zip. A member that can't be read leaves the others. FALSE: cancelled, or the
 * zip itself. @first: (out): what was wrong with the first of them. */
static gboolean
read_members (Record *self, gboolean maps, GError **first, GError **error)
{
  struct archive *archive = open_zip (self, error);
  struct archive_entry *entry;
  gboolean ok = archive != NULL;

  for (guint i = 0; ok && i < self->members->len; i++)
    {
      const Member *member = self->members->pdata[i];
      g_autoptr (GError) wrong = NULL;
      int status = archive_read_next_header (archive, &entry);

      if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
        break;
      if (!member->is_last || !is_wanted (member, maps))
        continue;
      if (maps ? read_map (self, archive, member, &wrong)
               : read_program (self, archive, member, &wrong))
        continue;
      if (g_error_matches (wrong, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_propagate_error (error, g_steal_pointer (&wrong));
          ok = FALSE;
          break;
        }
      stria_notices_add (self->context->notices, STRIA_SEVERITY_ERROR, "etrecord-program",
                         self->context->name, -1, "%s", wrong->message);
      if (*first == NULL)
        *first = g_steal_pointer (&wrong);
    }
  if (archive != NULL)
    archive_read_free (archive);
  return ok;
}

static void
check_handles (Record *self)
{
  const StriaRecordHandleRow *handles = stria_facts_rows (self->facts, STRIA_TABLE_RECORD_HANDLE);
  const StriaRecordMethodRow *methods = stria_facts_rows (self->facts, STRIA_TABLE_RECORD_METHOD);
  guint32 n = (guint32)stria_facts_size (self->facts, STRIA_TABLE_RECORD_HANDLE);

  for (guint32 m = 0; m < stria_facts_size (self->facts, STRIA_TABLE_RECORD_METHOD); m++)
    {
      g_autoptr (StriaGraph) graph = stria_graph_new (self->facts, methods[m].graph);
      guint64 unknown = 0;
      guint32 found;

      for (guint32 h = 0; graph != NULL && h < n; h++)
        if (handles[h].method == m)
          {
            stria_graph_find_key (graph, handles[h].handle, &found);
            unknown += found == 0;
          }
      if (unknown > 0)
        stria_notices_count (self->context->notices, STRIA_SEVERITY_WARNING, "etrecord-handle-node",
                             self->context->name, -1, unknown,
                             _ ("A debug handle of the map is that of no node"));
    }
}

static void
check_maps (Record *self)
{
  const StriaRecordMethodRow *methods = stria_facts_rows (self->facts, STRIA_TABLE_RECORD_METHOD);

  if (!g_hash_table_contains (self->by_name, "debug_handle_map"))
    warn (self, "etrecord-no-map",
          _ ("There is no member \"%s\": events have no link to operators"), "debug_handle_map");
  else
    for (guint32 m = 0; m < stria_facts_size (self->facts, STRIA_TABLE_RECORD_METHOD); m++)
      if (!methods[m].in_handle_map)
        warn (self, "etrecord-method-map", _ ("Method \"%s\" is not in \"%s\""),
              stria_facts_text (self->facts, methods[m].name), "debug_handle_map");
  check_handles (self);
}

static gboolean
read_record (Record *self, GError **error)
{
  g_autoptr (GError) first = NULL;

  if (!list_members (self, error))
    return FALSE;
  if (!g_hash_table_contains (self->by_name, IDENTIFIER))
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_BAD_MAGIC,
                   _ ("%s: expected a member \"%s\", found a zip without it: not an ETRecord"),
                   self->context->name, IDENTIFIER);
      return FALSE;
    }
  if (!read_members (self, FALSE, &first, error) || !read_members (self, TRUE, &first, error))
    return FALSE;
  check_maps (self);
  stria_facts_add (self->facts, STRIA_TABLE_RECORD, &self->record);
  /* Nothing but what failed: then the failure is the answer. */
  if (first != NULL && stria_facts_size (self->facts, STRIA_TABLE_GRAPH) == 0)
    {
      g_propagate_error (error, g_steal_pointer (&first));
      return FALSE;
    }
  return TRUE;
}

static gboolean
decode (StriaSource *source, StriaSink *sink, StriaDecodeContext *context, GError **error)
{
  g_autofree char *sha256 = NULL;
  g_autoptr (GBytes) bytes
      = stria_whole_read (source, STRIA_ETRECORD_MAX_BYTES, context, &sha256, error);
  gboolean ok;

  if (bytes == NULL)
    return FALSE;
  Record self = {
    .facts = sink->facts (sink),
    .context = context,
    .members = g_ptr_array_new_with_free_func (member_free),
    .by_name = g_hash_table_new (g_str_hash, g_str_equal),
    .record = { .schema_major = -1, .schema_minor = -1 },
  };
  self.data = g_bytes_get_data (bytes, &self.length);
  self.record.sha256 = stria_facts_intern (self.facts, sha256, -1);
  ok = read_record (&self, error);
  g_hash_table_unref (self.by_name);
  g_ptr_array_unref (self.members);
  return ok;
}

static guint
probe (const char *name, const guint8 *head, gsize length, gboolean whole)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  gboolean named = g_str_has_suffix (lower, ".etrecord");

  if (head == NULL || length < 4 || memcmp (head, "PK", 2) != 0)
    return named ? 20 : 0;
  /* The name of a member stands 30 bytes behind its header; the identifier is written first. */
  if (length >= 30 + strlen (IDENTIFIER)
      && memcmp (head + 30, IDENTIFIER, strlen (IDENTIFIER)) == 0)
    return 95;
  if (memmem (head, length, IDENTIFIER, strlen (IDENTIFIER)) != NULL)
    return 80;
  return named ? 60 : 0;
}

const StriaDecoder stria_etrecord_decoder = {
  .kind = "etrecord",
  .title = N_ ("ETRecord"),
  .probe = probe,
  .decode = decode,
};
