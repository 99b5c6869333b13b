/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-parquet-page.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>
#include <zlib.h>

#include "stria-error.h"
#include "stria-input.h"
#include "stria-thrift.h"

/* What is read at a time in the hope of a header and a small page behind it */
#define WINDOW ((gsize) 64 << 10)
/* Headers have statistics, with values of any length. */
#define MAX_HEADER ((gsize) 16 << 20)
#define ALIGN 4096

/* As large as asked for, and rarely grown; the content is lost */
static gboolean
grow (StriaParquetPages *self, guint8 **buffer, gsize *size, gsize wanted, guint64 offset,
      GError **error)
{
  if (wanted <= *size && *buffer != NULL)
    return TRUE;
  wanted = (wanted + wanted / 4 + ALIGN) & ~(gsize) (ALIGN - 1);
  g_aligned_free (*buffer);
  *size = 0;
  *buffer = aligned_alloc (STRIA_INPUT_ALIGN, wanted);
  if (*buffer == NULL)
    {
      stria_parquet_fault (self->shared->file, error, STRIA_ERROR_LIMIT, offset,
                           _("not enough memory for %" PRIu64 " bytes"), (guint64) wanted);
      return FALSE;
    }
  *size = wanted;
  return TRUE;
}

void
stria_parquet_pages_clear (StriaParquetPages *self)
{
  g_clear_pointer (&self->window, g_aligned_free);
  g_clear_pointer (&self->body, g_aligned_free);
}

gboolean
stria_parquet_pages_open (StriaParquetPages *self, StriaParquetShared *shared,
                          const StriaParquetPart *part, GError **error)
{
  const StriaParquet *file = shared->file;
  const StriaParquetChunk *chunk = &part->public;

  self->shared = shared;
  self->codec = chunk->codec;
  self->window_length = 0;
  if (part->is_encrypted)
    {
      stria_parquet_fault (file, error, STRIA_ERROR_UNSUPPORTED, chunk->offset,
                           _("the column is encrypted and cannot be read without its key"));
      return FALSE;
    }
  if (part->is_elsewhere)
    {
      stria_parquet_fault (file, error, STRIA_ERROR_UNSUPPORTED, chunk->offset,
                           _("the values of the column are in another file"));
      return FALSE;
    }
  if (part->is_missing)
    {
      stria_parquet_fault (file, error, STRIA_ERROR_MALFORMED, chunk->offset,
                           _("expected metadata of a column, found none"));
      return FALSE;
    }
  if (!stria_parquet_codec_check (file, chunk->codec, chunk->offset, error))
    return FALSE;
  if (chunk->offset < 4 || chunk->offset > file->size
      || chunk->compressed > file->size - chunk->offset)
    {
      stria_parquet_fault (file, error, STRIA_ERROR_MALFORMED, chunk->offset,
                           _("expected a column within the %" PRIu64 " bytes of the file, found "
                             "%" PRIu64 " bytes from %" PRIu64 " on"),
                           file->size, chunk->compressed, chunk->offset);
      return FALSE;
    }
  self->at = chunk->offset;
  self->end = chunk->offset + chunk->compressed;
  return TRUE;
}

/* Bytes from @self->at on, as many as there are up to @wanted */
static gboolean
look (StriaParquetPages *self, gsize wanted, const guint8 **data, gsize *length, GError **error)
{
  StriaParquet *file = self->shared->file;
  guint64 left = self->end - self->at;

  if (file->fd < 0)
    {
      *data = file->data + self->at;
      *length = left;
      return TRUE;
    }
  wanted = MIN (wanted, left);
  if (self->at < self->window_at || self->at - self->window_at > self->window_length
      || self->window_length - (self->at - self->window_at) < wanted)
    {
      self->window_length = 0;
      if (!grow (self, &self->window, &self->window_size, MAX (wanted, WINDOW), self->at, error))
        return FALSE;
      wanted = MIN (MAX (wanted, WINDOW), left);
      if (!stria_parquet_pread (file, self->at, self->window, wanted, error))
        return FALSE;
      self->shared->counts.bytes_read += wanted;
      self->window_at = self->at;
      self->window_length = wanted;
    }
  *data = self->window + (self->at - self->window_at);
  *length = self->window_length - (self->at - self->window_at);
  return TRUE;
}

static guint32
read_size (StriaThrift *thrift, guint8 type)
{
  gsize position = thrift->position;
  gint32 value = stria_thrift_i32 (thrift, type);

  if (value < 0)
    stria_thrift_fault (thrift, STRIA_ERROR_MALFORMED, position,
                        _("expected a number that is not negative, found %" PRId64),
                        (gint64) value);
  return (guint32) value;
}

/* parquet.thrift: DataPageHeader, DictionaryPageHeader */
static void
read_header (StriaThrift *thrift, StriaParquetPage *page)
{
  StriaThriftStruct s = { 0 };

  while (stria_thrift_field (thrift, &s))
    switch (s.id)
      {
      case 1: page->n_values = read_size (thrift, s.type); break;
      case 2: page->encoding = stria_thrift_i32 (thrift, s.type); break;
      case 3:
        if (page->type == STRIA_PARQUET_PAGE_DATA)
          page->definition_encoding = stria_thrift_i32 (thrift, s.type);
        else
          stria_thrift_skip (thrift, s.type);
        break;
      case 4: page->repetition_encoding = stria_thrift_i32 (thrift, s.type); break;
      default: stria_thrift_skip (thrift, s.type); break;
      }
}

/* DataPageHeaderV2 */
static void
read_header_v2 (StriaThrift *thrift, StriaParquetPage *page)
{
  StriaThriftStruct s = { 0 };

  while (stria_thrift_field (thrift, &s))
    switch (s.id)
      {
      case 1: page->n_values = read_size (thrift, s.type); break;
      case 3: page->n_rows = read_size (thrift, s.type); break;
      case 4: page->encoding = stria_thrift_i32 (thrift, s.type); break;
      case 5: page->definition_length = read_size (thrift, s.type); break;
      case 6: page->repetition_length = read_size (thrift, s.type); break;
      case 7: page->is_compressed = stria_thrift_bool (thrift, s.type); break;
      default: stria_thrift_skip (thrift, s.type); break;
      }
}

static void
read_page (StriaThrift *thrift, StriaParquetPage *page)
{
  static const gint32 headers[] = { 5, 6, 7, 8 }; /* field of the header of each type */
  StriaThriftStruct s = { 0 };
  gboolean has_header = FALSE;

  while (stria_thrift_field (thrift, &s))
    if (s.id == 1)
      page->type = stria_thrift_i32 (thrift, s.type);
    else if (s.id == 2)
      page->uncompressed = read_size (thrift, s.type);
    else if (s.id == 3)
      page->compressed = read_size (thrift, s.type);
    else if (s.id == 4)
      {
        page->crc = (guint32) stria_thrift_i32 (thrift, s.type);
        page->has_crc = TRUE;
      }
    else if (page->type >= 0 && page->type < (gint32) G_N_ELEMENTS (headers)
             && s.id == headers[page->type] && s.type == STRIA_THRIFT_STRUCT)
      {
        has_header = TRUE;
        if (page->type == STRIA_PARQUET_PAGE_DATA_V2)
          read_header_v2 (thrift, page);
        else if (page->type == STRIA_PARQUET_PAGE_INDEX)
          stria_thrift_skip (thrift, s.type);
        else
          read_header (thrift, page);
      }
    else
      stria_thrift_skip (thrift, s.type);
  if (!has_header && page->type != STRIA_PARQUET_PAGE_INDEX)
    stria_thrift_fault (thrift, STRIA_ERROR_MALFORMED, 0,
                        _("expected the header of a page, found none of its type"));
}

static gboolean
check_page (StriaParquetPages *self, const StriaParquetPage *page, guint64 body, GError **error)
{
  StriaParquet *file = self->shared->file;

  if (page->compressed > self->end - body)
    {
      stria_parquet_fault (file, error, STRIA_ERROR_MALFORMED, page->offset,
                           _("expected a page within its column, which ends at %" PRIu64
                             ", found one of %u bytes"),
                           self->end, page->compressed);
      return FALSE;
    }
  if (page->uncompressed > file->limits.page_bytes)
    {
      stria_parquet_fault (file, error, STRIA_ERROR_LIMIT, page->offset,
                           _("expected a page of at most %" PRIu64 " bytes, found one of %u"),
                           file->limits.page_bytes, page->uncompressed);
      return FALSE;
    }
  if (page->type == STRIA_PARQUET_PAGE_DATA_V2
      && ((guint64) page->definition_length + page->repetition_length > page->uncompressed
          || (guint64) page->definition_length + page->repetition_length > page->compressed))
    {
      stria_parquet_fault (file, error, STRIA_ERROR_MALFORMED, page->offset,
                           _("expected levels within a page of %u bytes, found %" PRIu64
                             " bytes of them"),
                           page->compressed,
                           (guint64) page->definition_length + page->repetition_length);
      return FALSE;
    }
  return TRUE;
}

gboolean
stria_parquet_pages_header (StriaParquetPages *self, StriaParquetPage *page, gboolean *more,
                            GError **error)
{
  StriaParquet *file = self->shared->file;

  *more = self->at < self->end;
  if (!*more)
    return TRUE;
  for (gsize wanted = 1;; wanted = MAX (WINDOW, wanted * 16))
    {
      g_auto (StriaThrift) thrift = { 0 };
      const guint8 *data;
      gsize length;

      if (!look (self, wanted, &data, &length, error))
        return FALSE;
      *page = (StriaParquetPage){
        .offset = self->at,
        .type = -1,
        .definition_encoding = 3,
        .repetition_encoding = 3,
        .is_compressed = TRUE,
      };
      stria_thrift_init (&thrift, file->name, data, length, self->at);
      read_page (&thrift, page);
      if (thrift.failed && thrift.is_short && length < self->end - self->at && length < MAX_HEADER)
        continue;
      if (!stria_thrift_check (&thrift, error))
        return FALSE;
      if (!check_page (self, page, self->at + thrift.position, error))
        return FALSE;
      self->at += thrift.position;
      return TRUE;
    }
}

void
stria_parquet_pages_skip (StriaParquetPages *self, const StriaParquetPage *page)
{
  self->at += page->compressed;
}

/* The body as it is in the file. What the window has of it is not read again. */
static gboolean
fetch (StriaParquetPages *self, const StriaParquetPage *page, guint8 **buffer, gsize *size,
       const guint8 **data, GError **error)
{
  StriaParquet *file = self->shared->file;
  gsize had = 0;

  if (file->fd < 0)
    {
      *data = file->data + self->at;
      return TRUE;
    }
  if (self->at >= self->window_at && self->at - self->window_at <= self->window_length)
    had = MIN (self->window_length - (self->at - self->window_at), page->compressed);
  if (had == page->compressed)
    {
      *data = self->window + (self->at - self->window_at);
      return TRUE;
    }
  if (!grow (self, buffer, size, page->compressed, page->offset, error))
    return FALSE;
  if (had > 0)
    memcpy (*buffer, self->window + (self->at - self->window_at), had);
  if (!stria_parquet_pread (file, self->at + had, *buffer + had, page->compressed - had, error))
    return FALSE;
  self->shared->counts.bytes_read += page->compressed - had;
  *data = *buffer;
  return TRUE;
}

static gboolean
sum_is_right (StriaParquetPages *self, const StriaParquetPage *page, const guint8 *data,
              GError **error)
{
  guint32 found;

  if (!page->has_crc || !self->shared->check_sums)
    return TRUE;
  found = (guint32) crc32 (0, data, page->compressed);
  if (found == page->crc)
    return TRUE;
  stria_parquet_fault (self->shared->file, error, STRIA_ERROR_MALFORMED, page->offset,
                       _("expected a page whose CRC-32 is %08x, found %08x"), page->crc, found);
  return FALSE;
}

gboolean
stria_parquet_pages_load (StriaParquetPages *self, const StriaParquetPage *page,
                          const guint8 **data, GError **error)
{
  StriaParquetShared *shared = self->shared;
  gsize levels = page->type == STRIA_PARQUET_PAGE_DATA_V2
                   ? (gsize) page->definition_length + page->repetition_length : 0;
  gboolean plain = self->codec == STRIA_PARQUET_UNCOMPRESSED || !page->is_compressed;
  const guint8 *packed;

  if (plain && page->compressed != page->uncompressed)
    {
      stria_parquet_fault (shared->file, error, STRIA_ERROR_MALFORMED, page->offset,
                           _("expected a page of %u bytes, found one of %u"), page->uncompressed,
                           page->compressed);
      return FALSE;
    }
  if (plain)
    {
      if (!fetch (self, page, &self->body, &self->body_size, data, error)
          || !sum_is_right (self, page, *data, error))
        return FALSE;
    }
  else
    {
      if (!fetch (self, page, &shared->packed, &shared->packed_size, &packed, error)
          || !sum_is_right (self, page, packed, error)
          || !grow (self, &self->body, &self->body_size, page->uncompressed, page->offset, error))
        return FALSE;
      /* Levels of version 2 are in front and never compressed. */
      if (levels > 0)
        memcpy (self->body, packed, levels);
      if (!stria_parquet_inflate (shared->inflater, shared->file, self->codec, page->offset,
                                  packed + levels, page->compressed - levels, self->body + levels,
                                  page->uncompressed - levels, error))
        return FALSE;
      *data = self->body;
    }
  shared->counts.bytes_inflated += page->uncompressed;
  shared->counts.pages++;
  self->at += page->compressed;
  return TRUE;
}
