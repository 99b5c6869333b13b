/* SPDX-License-Identifier: Apache-2.0 */
/* FileMetaData: schema, row groups, column chunks (parquet.thrift). */
#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "stria-error.h"
#include "stria-parquet-schema.h"

#define MAX_PAIRS 1000000

static const char *
take_text (StriaParquet *self, const guint8 *data, gsize length)
{
  g_autofree char *text = g_utf8_make_valid ((const char *) data, (gssize) length);

  return g_string_chunk_insert (self->texts, text);
}

static void
read_pairs (StriaParquet *self, StriaThrift *thrift, guint8 type)
{
  guint8 element;
  guint32 n = stria_thrift_list (thrift, type, &element);

  if (n > MAX_PAIRS)
    stria_thrift_fault (thrift, STRIA_ERROR_LIMIT, thrift->position,
                        _("expected at most %d pairs of key and value, found %u"), MAX_PAIRS, n);
  for (guint32 i = 0; i < n && !thrift->failed; i++)
    {
      StriaThriftStruct s = { 0 };
      const guint8 *texts[2] = { NULL };
      gsize lengths[2] = { 0 };
      StriaParquetPair pair;

      while (stria_thrift_field (thrift, &s))
        if (s.id == 1 || s.id == 2)
          texts[s.id - 1] = stria_thrift_binary (thrift, s.type, &lengths[s.id - 1]);
        else
          stria_thrift_skip (thrift, s.type);
      if (thrift->failed)
        return;
      pair.key = texts[0] != NULL ? take_text (self, texts[0], lengths[0]) : "";
      pair.value = texts[1] != NULL ? take_text (self, texts[1], lengths[1]) : NULL;
      g_array_append_val (self->pairs, pair);
    }
  if (n > 0)
    stria_thrift_leave (thrift);
}

static guint32
read_encodings (StriaThrift *thrift, guint8 type)
{
  guint8 element;
  guint32 n = stria_thrift_list (thrift, type, &element);
  guint32 bits = 0;

  for (guint32 i = 0; i < n && !thrift->failed; i++)
    {
      gint32 encoding = stria_thrift_i32 (thrift, element);

      if (encoding >= 0 && encoding < 32)
        bits |= 1u << encoding;
    }
  if (n > 0)
    stria_thrift_leave (thrift);
  return bits;
}

static guint64
read_offset (StriaThrift *thrift, guint8 type)
{
  gsize position = thrift->position;
  gint64 value = stria_thrift_i64 (thrift, type);

  if (value < 0)
    stria_thrift_fault (thrift, STRIA_ERROR_MALFORMED, position,
                        _("expected a number that is not negative, found %" PRId64), value);
  return (guint64) value;
}

static void
read_column_metadata (const StriaParquetNode *node, StriaThrift *thrift, guint8 type,
                      StriaParquetPart *part)
{
  StriaThriftStruct s = { 0 };
  StriaParquetChunk *chunk = &part->public;
  gsize position = thrift->position;
  gint32 physical = node->physical;
  gint32 codec = 0;
  gint64 dictionary = 0;

  if (type != STRIA_THRIFT_STRUCT)
    {
      stria_thrift_skip (thrift, type);
      return;
    }
  while (stria_thrift_field (thrift, &s))
    switch (s.id)
      {
      case 1: physical = stria_thrift_i32 (thrift, s.type); break;
      case 2: chunk->encodings = read_encodings (thrift, s.type); break;
      case 4: codec = stria_thrift_i32 (thrift, s.type); break;
      case 5: chunk->n_values = read_offset (thrift, s.type); break;
      case 6: chunk->uncompressed = read_offset (thrift, s.type); break;
      case 7: chunk->compressed = read_offset (thrift, s.type); break;
      case 9: part->data_offset = read_offset (thrift, s.type); break;
      case 11: dictionary = stria_thrift_i64 (thrift, s.type); break;
      case 12: stria_parquet_read_statistics (node, thrift, s.type, &chunk->statistics); break;
      default: stria_thrift_skip (thrift, s.type); break;
      }
  if (physical != (gint32) node->physical)
    stria_thrift_fault (thrift, STRIA_ERROR_MALFORMED, position,
                        _("expected a chunk of type %d as the schema says, found type %d"),
                        node->physical, physical);
  chunk->codec = (StriaParquetCodec) codec;
  part->is_missing = FALSE;
  /* Some writers say 0 where they mean none. */
  part->dictionary_offset = dictionary > 0 && (guint64) dictionary < part->data_offset
                              ? (guint64) dictionary : 0;
  chunk->offset = part->dictionary_offset != 0 ? part->dictionary_offset : part->data_offset;
}

static void
read_chunk (const StriaParquetNode *node, StriaThrift *thrift, StriaParquetPart *part)
{
  StriaThriftStruct s = { 0 };
  StriaParquetChunk *chunk = &part->public;
  gsize length;

  *part = (StriaParquetPart){ .is_missing = TRUE, .public.statistics.nulls = -1 };
  while (stria_thrift_field (thrift, &s))
    switch (s.id)
      {
      case 1:
        stria_thrift_binary (thrift, s.type, &length);
        part->is_elsewhere = length > 0;
        break;
      case 3: read_column_metadata (node, thrift, s.type, part); break;
      case 4: chunk->offset_index = read_offset (thrift, s.type); break;
      case 5: chunk->offset_index_length = (guint32) stria_thrift_i32 (thrift, s.type); break;
      case 6: chunk->column_index = read_offset (thrift, s.type); break;
      case 7: chunk->column_index_length = (guint32) stria_thrift_i32 (thrift, s.type); break;
      case 8:
        part->is_encrypted = TRUE;
        stria_thrift_skip (thrift, s.type);
        break;
      default: stria_thrift_skip (thrift, s.type); break;
      }
}

/* Columns are known by their place; there must be as many as the schema has. */
static void
read_chunks (StriaParquet *self, StriaThrift *thrift, guint8 type)
{
  gsize position = thrift->position;
  guint8 element;
  guint32 n = stria_thrift_list (thrift, type, &element);

  if (n != self->leaves->len)
    stria_thrift_fault (thrift, STRIA_ERROR_MALFORMED, position,
                        _("expected a row group of %u columns, found %u"), self->leaves->len, n);
  if (self->parts->len + (guint64) n > self->limits.chunks)
    stria_thrift_fault (thrift, STRIA_ERROR_LIMIT, position,
                        _("expected at most %" PRIu64 " column chunks, found more"),
                        self->limits.chunks);
  for (guint32 i = 0; i < n && !thrift->failed; i++)
    {
      StriaParquetPart part;

      read_chunk (stria_parquet_get_column (self, i), thrift, &part);
      g_array_append_val (self->parts, part);
    }
  if (n > 0)
    stria_thrift_leave (thrift);
}

static void
read_groups (StriaParquet *self, StriaThrift *thrift, guint8 type)
{
  guint8 element;
  guint32 n = stria_thrift_list (thrift, type, &element);

  if (n > self->limits.row_groups)
    stria_thrift_fault (thrift, STRIA_ERROR_LIMIT, thrift->position,
                        _("expected at most %u row groups, found %u"), self->limits.row_groups, n);
  for (guint32 i = 0; i < n && !thrift->failed; i++)
    {
      StriaThriftStruct s = { 0 };
      StriaParquetGroup group = { .first = self->n_rows };
      gsize position = thrift->position;
      gboolean has_columns = self->leaves->len == 0;

      while (stria_thrift_field (thrift, &s))
        if (s.id == 1 && !has_columns)
          {
            has_columns = TRUE;
            read_chunks (self, thrift, s.type);
          }
        else if (s.id == 3)
          group.n_rows = read_offset (thrift, s.type);
        else
          stria_thrift_skip (thrift, s.type);
      if (!has_columns)
        stria_thrift_fault (thrift, STRIA_ERROR_MALFORMED, position,
                            _("expected a row group of %u columns, found %u"),
                            self->leaves->len, 0);
      if (group.n_rows > self->limits.rows || self->n_rows > self->limits.rows - group.n_rows)
        stria_thrift_fault (thrift, STRIA_ERROR_LIMIT, position,
                            _("expected at most %" PRIu64 " rows, found more"), self->limits.rows);
      self->n_rows += group.n_rows;
      g_array_append_val (self->groups, group);
    }
  if (n > 0)
    stria_thrift_leave (thrift);
}

gboolean
stria_parquet_read_footer (StriaParquet *self, gsize length, guint64 offset, GError **error)
{
  g_auto (StriaThrift) thrift = { 0 };
  StriaThriftStruct s = { 0 };
  const guint8 *text;
  gsize text_length;
  gboolean has_schema = FALSE;
  gint64 n_rows = -1;

  stria_thrift_init (&thrift, self->name, self->footer, length, offset);
  while (stria_thrift_field (&thrift, &s))
    switch (s.id)
      {
      case 1: self->version = stria_thrift_i32 (&thrift, s.type); break;
      case 2:
        if (has_schema)
          stria_thrift_skip (&thrift, s.type);
        else
          stria_parquet_read_schema (self, &thrift, s.type);
        has_schema = TRUE;
        break;
      case 3: n_rows = stria_thrift_i64 (&thrift, s.type); break;
      case 4:
        if (!has_schema || self->groups->len > 0)
          stria_thrift_fault (&thrift, STRIA_ERROR_MALFORMED, thrift.position,
                              _("expected one list of row groups behind the schema, found "
                                "another"));
        else
          read_groups (self, &thrift, s.type);
        break;
      case 5: read_pairs (self, &thrift, s.type); break;
      case 6:
        text = stria_thrift_binary (&thrift, s.type, &text_length);
        if (text != NULL)
          self->created_by = take_text (self, text, text_length);
        break;
      default: stria_thrift_skip (&thrift, s.type); break;
      }
  if (self->nodes->len == 0)
    stria_thrift_fault (&thrift, STRIA_ERROR_MALFORMED, 0,
                        _("expected a schema in the footer, found none"));
  if (n_rows != (gint64) self->n_rows)
    stria_thrift_fault (&thrift, STRIA_ERROR_MALFORMED, 0,
                        _("expected %" PRId64 " rows in all row groups, found %" PRIu64), n_rows,
                        self->n_rows);
  return stria_thrift_check (&thrift, error);
}
