/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-pte.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-error.h"
#include "stria-pte-private.h"
#include "stria-reader.h"
#include "stria-whole.h"

/* Extended header. [CODE+RUN: ET schema/extended_header.h] */
#define HEADER_AT 8
#define HEADER_MAGIC "eh00"
#define HEADER_LEAST 24
#define HEADER_WITH_DATA_SIZE 32
#define HEADER_FILE_LEAST 64

/* Blobs may share bytes, but nobody writes more of them than there is file. */
#define BLOB_FACTOR 4

/**
 * stria_pte_warn:
 * @self: a program
 * @code: stable name of the notice
 * @offset: in the file
 * @format: translated sentence
 *
 * Something is not as it should be and the rest can be read.
 */
void
stria_pte_warn (StriaPte *self, const char *code, guint64 offset, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, code, self->context->name,
                     (gint64) offset, "%s", message);
}

gboolean
stria_pte_settle (StriaPte *self, const char *code, guint64 offset)
{
  g_autoptr (GError) error = NULL;

  if (!stria_flat_failed (&self->flat))
    return FALSE;
  stria_flat_forgive (&self->flat, &error);
  stria_pte_warn (self, code, offset, "%s", error->message);
  return TRUE;
}

guint32
stria_pte_intern (StriaPte *self, StriaFlatTable table, guint field)
{
  gsize length;
  const char *text = stria_flat_string (table, field, &length);

  return text == NULL ? 0 : stria_facts_intern (self->facts, text, (gssize) length);
}

gboolean
stria_pte_segment (StriaPte *self, guint32 number, guint64 *offset, guint64 *size)
{
  const StriaProgramSegmentRow *row;

  if (number >= self->n_segments)
    return FALSE;
  row = STRIA_ROWS (self->facts, StriaProgramSegmentRow, STRIA_TABLE_PROGRAM_SEGMENT)
        + self->first_segment + number;
  *offset = self->segment_base + row->offset;
  *size = row->size;
  return row->in_file;
}

/* -- header and segments ---------------------------------------------------------------------- */

static gboolean
has_identifier (const guint8 *data, gsize length)
{
  return length >= 8 && data[4] == 'E' && data[5] == 'T' && g_ascii_isdigit (data[6])
         && g_ascii_isdigit (data[7]);
}

static void
read_header (StriaPte *self, StriaProgramRow *row)
{
  StriaReader reader;

  /* The bytes there are the program's own where the magic is absent. [CODE+RUN] */
  if (self->length < HEADER_FILE_LEAST || memcmp (self->data + HEADER_AT, HEADER_MAGIC, 4) != 0)
    return;
  stria_reader_init (&reader, self->data, self->length);
  stria_reader_seek (&reader, HEADER_AT + 4);
  guint32 length = stria_reader_u32 (&reader);
  if (length < HEADER_LEAST)
    {
      stria_pte_warn (self, "program-header", HEADER_AT + 4,
                      _ ("The extended header says that it has %u bytes, and the least is %d; it "
                         "was left out"),
                      length, HEADER_LEAST);
      return;
    }
  row->has_header = 1;
  row->header_length = length;
  row->program_size = stria_reader_u64 (&reader);
  row->segment_base = stria_reader_u64 (&reader);
  if (length >= HEADER_WITH_DATA_SIZE)
    row->segment_data_size = stria_reader_u64 (&reader);

  if (row->program_size < HEADER_FILE_LEAST || row->program_size > self->length)
    stria_pte_warn (self, "program-size", HEADER_AT + 8,
                    _ ("The header says that the program has %" PRIu64 " bytes; the file "
                       "has %" PRIu64),
                    row->program_size, (guint64) self->length);
  if (row->segment_base > self->length)
    stria_pte_warn (self, "program-segments", HEADER_AT + 16,
                    _ ("The header says that segments begin at byte %" PRIu64 "; the file "
                       "has %" PRIu64),
                    row->segment_base, (guint64) self->length);
}

static void
read_segments (StriaPte *self, const StriaProgramRow *program)
{
  StriaFlatVector segments = stria_flat_vector (self->root, PROGRAM_SEGMENTS, 4);
  guint64 room = program->segment_base > self->length ? 0 : self->length - program->segment_base;

  if (stria_pte_settle (self, "program-segments", 0))
    return;
  if (program->segment_data_size > 0 && program->segment_data_size < room)
    room = program->segment_data_size;
  self->segment_base = program->segment_base;
  for (guint32 i = 0; i < segments.n; i++)
    {
      StriaFlatTable table = stria_flat_at_table (segments, i);
      StriaProgramSegmentRow row = {
        .offset = stria_flat_u64 (table, 0, 0),
        .size = stria_flat_u64 (table, 1, 0),
      };

      /* A program without data beside it has a segment of 0 bytes all the same. [RUN] */
      row.in_file = program->has_header ? row.offset <= room && row.size <= room - row.offset
                                        : row.size == 0;
      if (stria_pte_settle (self, "program-segment", stria_flat_offset (table)))
        memset (&row, 0, sizeof row);
      else if (!row.in_file && !program->has_header)
        stria_pte_warn (self, "program-segment", stria_flat_offset (table),
                        _ ("Segment %u has %" PRIu64 " bytes, and there is no extended header that "
                           "says where segments begin"),
                        i, row.size);
      else if (!row.in_file)
        stria_pte_warn (self, "program-segment", stria_flat_offset (table),
                        _ ("Segment %u has %" PRIu64 " bytes at %" PRIu64
                           ", and there are %" PRIu64 " for segments"),
                        i, row.size, row.offset, room);
      stria_facts_add (self->facts, STRIA_TABLE_PROGRAM_SEGMENT, &row);
      self->n_segments++;
      if (stria_flat_failed (&self->flat))
        return;
    }
}

static void
read_named (StriaPte *self)
{
  StriaFlatVector named = stria_flat_vector (self->root, PROGRAM_NAMED_DATA, 4);

  stria_pte_settle (self, "program-named", 0);
  for (guint32 i = 0; i < named.n && !stria_flat_failed (&self->flat); i++)
    {
      StriaFlatTable table = stria_flat_at_table (named, i);
      StriaProgramNamedRow row = {
        .key = stria_pte_intern (self, table, 0),
        .segment = stria_flat_u32 (table, 1, 0),
      };

      if (stria_pte_settle (self, "program-named", stria_flat_offset (table)))
        continue;
      if (row.segment >= self->n_segments)
        stria_pte_warn (self, "program-named", stria_flat_offset (table),
                        _ ("Named data \"%s\" is in segment %u, and there are %u"),
                        stria_facts_text (self->facts, row.key), row.segment, self->n_segments);
      stria_facts_add (self->facts, STRIA_TABLE_PROGRAM_NAMED, &row);
    }
}

/* -- plans ------------------------------------------------------------------------------------ */

/* [CODE: ET schema/program.fbs] Types above those two are not known. */
static guint32
device_name (StriaPte *self, int type, int index)
{
  if (type == 0)
    return stria_facts_intern (self->facts, "CPU", -1);
  if (type == 1)
    return stria_facts_intern_printf (self->facts, index < 0 ? "CUDA" : "CUDA:%d", index);
  return stria_facts_intern_printf (self->facts, "device type %d:%d", type, index);
}

static void
read_buffers (StriaPte *self, StriaFlatTable plan, guint32 plan_row)
{
  StriaFlatVector sizes = stria_flat_vector (plan, PLAN_NON_CONST_BUFFER_SIZES, 8);
  StriaFlatVector devices = stria_flat_vector (plan, PLAN_NON_CONST_BUFFER_DEVICE, 4);
  guint32 first = (guint32) stria_facts_size (self->facts, STRIA_TABLE_PROGRAM_BUFFER);

  stria_pte_settle (self, "program-buffer", stria_flat_offset (plan));
  for (guint32 i = 0; i < sizes.n && !stria_flat_failed (&self->flat); i++)
    {
      StriaProgramBufferRow row = {
        .plan = plan_row,
        .number = i,
        .size = stria_flat_at_i64 (sizes, i),
      };

      stria_facts_add (self->facts, STRIA_TABLE_PROGRAM_BUFFER, &row);
    }
  for (guint32 i = 0; i < devices.n && !stria_flat_failed (&self->flat); i++)
    {
      StriaFlatTable table = stria_flat_at_table (devices, i);
      gint32 buffer = stria_flat_i32 (table, 0, 0);
      guint32 name = device_name (self, stria_flat_i8 (table, 1, 0), stria_flat_i8 (table, 2, 0));

      if (stria_pte_settle (self, "program-buffer", stria_flat_offset (table)))
        continue;
      if (buffer >= 0 && (guint32) buffer < sizes.n)
        STRIA_ROWS (self->facts, StriaProgramBufferRow, STRIA_TABLE_PROGRAM_BUFFER)
        [first + (guint32) buffer].device = name;
    }
}

static void
read_operators (StriaPte *self, StriaFlatTable plan, guint32 plan_row)
{
  StriaFlatVector operators = stria_flat_vector (plan, PLAN_OPERATORS, 4);

  stria_pte_settle (self, "program-operator", stria_flat_offset (plan));
  for (guint32 i = 0; i < operators.n && !stria_flat_failed (&self->flat); i++)
    {
      StriaFlatTable table = stria_flat_at_table (operators, i);
      StriaProgramOperatorRow row = {
        .plan = plan_row,
        .number = i,
        .name = stria_pte_intern (self, table, 0),
        .overload = stria_pte_intern (self, table, 1),
      };

      stria_pte_settle (self, "program-operator", stria_flat_offset (table));
      stria_facts_add (self->facts, STRIA_TABLE_PROGRAM_OPERATOR, &row);
    }
}

static gboolean
read_plan (StriaPte *self, guint32 number, StriaFlatTable plan, GError **error)
{
  StriaFlatTable container = stria_flat_table (plan, PLAN_CONTAINER_META_TYPE);
  StriaProgramPlanRow row = {
    .name = stria_pte_intern (self, plan, PLAN_NAME),
    .graph = STRIA_NO_REF,
    .n_chains = stria_flat_vector (plan, PLAN_CHAINS, 4).n,
    .n_values = stria_flat_vector (plan, PLAN_VALUES, 4).n,
    .n_inputs = stria_flat_vector (plan, PLAN_INPUTS, 4).n,
    .n_outputs = stria_flat_vector (plan, PLAN_OUTPUTS, 4).n,
    .encoded_in = stria_pte_intern (self, container, 0),
    .encoded_out = stria_pte_intern (self, container, 1),
    .first_instruction = (guint32) stria_facts_size (self->facts, STRIA_TABLE_PROGRAM_INSTRUCTION),
    .first_delegate = (guint32) stria_facts_size (self->facts, STRIA_TABLE_PROGRAM_DELEGATE),
  };
  guint32 plan_row;

  stria_pte_settle (self, "program-plan", stria_flat_offset (plan));
  if (row.name == 0)
    row.name = stria_facts_intern_printf (self->facts, "ExecutionPlan_%u", number);
  plan_row = stria_facts_add (self->facts, STRIA_TABLE_PROGRAM_PLAN, &row);
  read_buffers (self, plan, plan_row);
  read_operators (self, plan, plan_row);
  return stria_pte_delegates (self, plan, plan_row, error)
         && stria_pte_plan (self, plan, plan_row, error);
}

static gboolean
read_plans (StriaPte *self, GError **error)
{
  StriaFlatVector plans = stria_flat_vector (self->root, PROGRAM_EXECUTION_PLAN, 4);

  stria_pte_settle (self, "program-plan", 0);
  if (plans.n == 0)
    stria_pte_warn (self, "program-plan", stria_flat_offset (self->root),
                    _ ("The program has no execution plan, so no method can be run"));
  for (guint32 i = 0; i < plans.n && !stria_flat_failed (&self->flat); i++)
    {
      StriaFlatTable plan = stria_flat_at_table (plans, i);

      if (stria_pte_settle (self, "program-plan", stria_flat_offset (plan))
          || !stria_flat_is (plan))
        continue;
      if (!read_plan (self, i, plan, error))
        return FALSE;
    }
  return TRUE;
}

/* -- decoder ---------------------------------------------------------------------------------- */

static void
read_constants (StriaPte *self)
{
  StriaFlatTable segment = stria_flat_table (self->root, PROGRAM_CONSTANT_SEGMENT);

  self->constant_segment = stria_flat_u32 (segment, 0, 0);
  self->constants = stria_flat_vector (segment, 1, 8);
  if (stria_pte_settle (self, "program-constants", 0))
    self->constants.n = 0;
}

static gboolean
read_program (StriaPte *self, const char *sha256, GError **error)
{
  StriaProgramRow row = {
    .identifier = stria_facts_intern (self->facts, (const char *) self->data + 4, 4),
    .file_size = self->length,
    .sha256 = stria_facts_intern (self->facts, sha256, -1),
  };

  if (memcmp (self->data + 4, "ET12", 4) != 0)
    stria_pte_warn (self, "program-identifier", 4,
                    _ ("The identifier is %.4s, and what is known of is ET12; it is read as that"),
                    (const char *) self->data + 4);
  read_header (self, &row);
  gsize limit = row.program_size >= HEADER_FILE_LEAST && row.program_size <= self->length
                    ? (gsize) row.program_size
                    : self->length;
  stria_flat_init (&self->flat, self->context->name, self->data, limit, 0);
  self->root = stria_flat_root (&self->flat, NULL);
  row.version = stria_flat_u32 (self->root, PROGRAM_VERSION, 0);
  if (!stria_flat_check (&self->flat, error))
    return FALSE;

  stria_facts_add (self->facts, STRIA_TABLE_PROGRAM, &row);
  read_segments (self, &row);
  read_named (self);
  read_constants (self);
  return read_plans (self, error);
}

static gboolean
decode (StriaSource *source, StriaSink *sink, StriaDecodeContext *context, GError **error)
{
  g_autofree char *sha256 = NULL;
  g_autoptr (GBytes) bytes
      = stria_whole_read (source, STRIA_PTE_MAX_BYTES, context, &sha256, error);
  StriaPte self = { .context = context };
  gboolean good;

  if (bytes == NULL)
    return FALSE;
  self.data = g_bytes_get_data (bytes, &self.length);
  if (self.length == 0)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_EMPTY, _ ("%s: the file is empty"),
                   context->name);
      return FALSE;
    }
  if (self.length < 8)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_TRUNCATED,
                   _ ("%s: offset %d: expected the identifier of a program, found the file's end "
                      "at %" PRIu64),
                   context->name, 4, (guint64) self.length);
      return FALSE;
    }
  if (!has_identifier (self.data, self.length))
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_BAD_MAGIC,
                   _ ("%s: offset %d: expected ET and two digits, found %02x %02x %02x %02x"),
                   context->name, 4, self.data[4], self.data[5], self.data[6], self.data[7]);
      return FALSE;
    }
  self.facts = sink->facts (sink);
  self.first_segment
      = (guint32) stria_facts_size (self.facts, STRIA_TABLE_PROGRAM_SEGMENT);
  self.blobs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self.blob_budget = BLOB_FACTOR * (guint64) self.length;
  self.port_budget = STRIA_GRAPH_MAX_EDGES;
  good = read_program (&self, sha256, error);
  g_hash_table_unref (self.blobs);
  stria_flat_clear (&self.flat);
  return good;
}

/* Four letters are no offset to a root that is worth a thought: text is told apart. */
#define PROBE_ROOT_LEAST 8
#define PROBE_ROOT_MOST 0x20000000

static guint
probe (const char *name, const guint8 *head, gsize length, gboolean whole)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  gboolean named = g_str_has_suffix (lower, ".pte");

  if (head != NULL && has_identifier (head, length))
    {
      guint32 root;

      memcpy (&root, head, sizeof root);
      root = GUINT32_FROM_LE (root);
      if (root >= PROBE_ROOT_LEAST && root < PROBE_ROOT_MOST && (!whole || root < length))
        return memcmp (head + 4, "ET12", 4) == 0 ? 95 : 85;
    }
  return named ? 20 : 0;
}

const StriaDecoder stria_pte_decoder = {
  .kind = "pte",
  .title = N_ ("ExecuTorch program"),
  .probe = probe,
  .decode = decode,
};
