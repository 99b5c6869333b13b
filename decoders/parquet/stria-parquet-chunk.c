/* SPDX-License-Identifier: Apache-2.0 */
/* A column of a row group, page by page: dictionary, levels and where values begin. */
#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "stria-error.h"
#include "stria-parquet-leaf.h"

/* Another one for each dictionary, whichever reader asks */
static guint64
next_serial (void)
{
  static guint64 serial;

  return __atomic_add_fetch (&serial, 1, __ATOMIC_RELAXED);
}

static gboolean
take_dictionary (StriaParquetLeaf *self, GError **error)
{
  StriaParquet *file = self->shared->file;
  StriaParquetOutput *values = &self->dictionary_values;
  StriaParquetPage *page = &self->page;
  const guint8 *data;

  if (self->has_dictionary)
    {
      stria_parquet_fault (file, error, STRIA_ERROR_MALFORMED, page->offset,
                           _("expected one dictionary in column %s, found another"),
                           self->node->path);
      return FALSE;
    }
  if (page->encoding != STRIA_PARQUET_ENCODING_PLAIN
      && page->encoding != STRIA_PARQUET_ENCODING_PLAIN_DICTIONARY)
    {
      stria_parquet_fault (file, error, STRIA_ERROR_UNSUPPORTED, page->offset,
                           _("expected a dictionary in PLAIN, found encoding %d"), page->encoding);
      return FALSE;
    }
  if (!stria_parquet_pages_load (&self->pages, page, &data, error))
    return FALSE;
  stria_parquet_output_reset (values);
  /* Asked before memory is: each value has a byte at least, a boolean a bit. */
  if (page->n_values / 8 > page->uncompressed
      || !stria_parquet_output_reserve (values, page->n_values))
    {
      stria_parquet_fault (file, error, STRIA_ERROR_MALFORMED, page->offset,
                           _("expected a dictionary within %u bytes, found one of %u values"),
                           page->uncompressed, page->n_values);
      return FALSE;
    }
  if (!stria_parquet_values_init (&self->values, file, self->node, page->offset,
                                  STRIA_PARQUET_ENCODING_PLAIN, data, page->uncompressed, NULL,
                                  error)
      || !stria_parquet_values_read (&self->values, values, page->n_values, error))
    return FALSE;
  self->dictionary = (StriaParquetDictionary){
    .serial = next_serial (),
    .n = values->n,
    .data = values->data != NULL ? values->data : (const guint8 *) "",
    .offsets = values->offsets,
  };
  self->has_dictionary = TRUE;
  return TRUE;
}

static gboolean
bad_levels (StriaParquetLeaf *self, GError **error)
{
  stria_parquet_fault (self->shared->file, error, STRIA_ERROR_MALFORMED, self->page.offset,
                       _("expected %u levels in a page of column %s, found bytes that are none"),
                       self->page.n_values, self->node->path);
  return FALSE;
}

/* Sets up levels of a page of version 1, which stand at @*data, and moves behind them. */
static gboolean
take_levels (StriaParquetLeaf *self, StriaParquetLevels *levels, guint most, gint32 encoding,
             const guint8 **data, gsize *length, GError **error)
{
  gsize bytes;

  *levels = (StriaParquetLevels){ .width = stria_bits_width (most) };
  if (most == 0)
    return TRUE;
  if (encoding == STRIA_PARQUET_ENCODING_BIT_PACKED)
    {
      bytes = (gsize) (((guint64) self->page.n_values * levels->width + 7) / 8);
      if (bytes > *length)
        return bad_levels (self, error);
      levels->is_old = TRUE;
      levels->bits = *data;
    }
  else
    {
      if (encoding != STRIA_PARQUET_ENCODING_RLE)
        {
          stria_parquet_fault (self->shared->file, error, STRIA_ERROR_UNSUPPORTED,
                               self->page.offset,
                               _("expected levels in RLE or BIT_PACKED, found encoding %d"),
                               encoding);
          return FALSE;
        }
      if (*length < 4 || stria_load32 (*data) > *length - 4)
        return bad_levels (self, error);
      bytes = 4 + (gsize) stria_load32 (*data);
      stria_rle_init (&levels->rle, *data + 4, bytes - 4, levels->width);
    }
  *data += bytes;
  *length -= bytes;
  return TRUE;
}

static gboolean
begin_page (StriaParquetLeaf *self, GError **error)
{
  StriaParquetPage *page = &self->page;
  const StriaParquetNode *node = self->node;
  const guint8 *data;
  gsize length = page->uncompressed;

  if (!stria_parquet_pages_load (&self->pages, page, &data, error))
    return FALSE;
  if (page->type == STRIA_PARQUET_PAGE_DATA)
    {
      if (!take_levels (self, &self->repetitions, node->repetition_level,
                        page->repetition_encoding, &data, &length, error)
          || !take_levels (self, &self->definitions, node->definition, page->definition_encoding,
                           &data, &length, error))
        return FALSE;
    }
  else
    {
      guint32 r = page->repetition_length, d = page->definition_length;

      self->repetitions
        = (StriaParquetLevels){ .width = stria_bits_width (node->repetition_level) };
      self->definitions = (StriaParquetLevels){ .width = stria_bits_width (node->definition) };
      stria_rle_init (&self->repetitions.rle, data, r, self->repetitions.width);
      stria_rle_init (&self->definitions.rle, data + r, d, self->definitions.width);
      data += r + d;
      length -= r + d;
    }
  if (!stria_parquet_values_init (&self->values, self->shared->file, node, page->offset,
                                  page->encoding, data, length,
                                  self->has_dictionary ? &self->dictionary_values : NULL, error))
    return FALSE;
  self->page_left = page->n_values;
  self->block = self->block_at = 0;
  return TRUE;
}

/* Reads the header of the next page that has values; dictionaries are taken on the way. */
static gboolean
next_header (StriaParquetLeaf *self, gboolean *more, GError **error)
{
  StriaParquetPage *page = &self->page;

  for (;;)
    {
      *more = self->values_left > 0 || self->ends_by_bytes;
      if (!*more)
        return TRUE;
      if (!stria_parquet_pages_header (&self->pages, page, more, error))
        return FALSE;
      if (!*more)
        return TRUE;
      if (page->type == STRIA_PARQUET_PAGE_DICTIONARY)
        {
          if (!take_dictionary (self, error))
            return FALSE;
          continue;
        }
      if ((page->type != STRIA_PARQUET_PAGE_DATA && page->type != STRIA_PARQUET_PAGE_DATA_V2)
          || page->n_values == 0)
        {
          stria_parquet_pages_skip (&self->pages, page);
          continue;
        }
      if (!self->ends_by_bytes && page->n_values > self->values_left)
        {
          stria_parquet_fault (self->shared->file, error, STRIA_ERROR_MALFORMED, page->offset,
                               _("expected a page of at most %" PRIu64 " values of column %s, "
                                 "found one of %u"),
                               self->values_left, self->node->path, page->n_values);
          return FALSE;
        }
      if (!self->ends_by_bytes)
        self->values_left -= page->n_values;
      return TRUE;
    }
}

gboolean
stria_parquet_leaf_page (StriaParquetLeaf *self, gboolean *more, GError **error)
{
  return next_header (self, more, error) && (!*more || begin_page (self, error));
}

gboolean
stria_parquet_leaf_levels (StriaParquetLeaf *self, StriaParquetLevels *levels, guint most,
                           guint8 *to, gsize n, GError **error)
{
  guint8 highest = 0;

  if (most == 0)
    {
      memset (to, 0, n);
      return TRUE;
    }
  if (levels->is_old)
    {
      stria_bits_unpack8_high (levels->bits, levels->width, levels->used, to, n);
      levels->used += n;
    }
  else if (stria_rle_read8 (&levels->rle, to, n) < n)
    return bad_levels (self, error);
  for (gsize i = 0; i < n; i++)
    highest = MAX (highest, to[i]);
  return highest <= most || bad_levels (self, error);
}

gboolean
stria_parquet_leaf_open (StriaParquetLeaf *self, guint row_group, GArray *places, GError **error)
{
  StriaParquet *file = self->shared->file;
  const StriaParquetPart *part = stria_parquet_part (file, row_group, self->column);
  guint64 rows = stria_parquet_get_group_rows (file, row_group);

  g_clear_pointer (&self->places, g_array_unref);
  self->places = places;
  self->values_left = part->public.n_values;
  self->ends_by_bytes = FALSE;
  self->page_left = 0;
  self->block = self->block_at = 0;
  self->row = 0;
  self->has_dictionary = FALSE;
  if (!stria_parquet_pages_open (&self->pages, self->shared, part, error))
    return FALSE;
  if (self->n_rings == 0 ? self->values_left != rows : self->values_left < rows)
    {
      stria_parquet_fault (file, error, STRIA_ERROR_MALFORMED, part->public.offset,
                           _("expected %" PRIu64 " values of column %s, found %" PRIu64), rows,
                           self->node->path, self->values_left);
      return FALSE;
    }
  return TRUE;
}

/* The last page that begins at @row or before it; NULL if it is the one at hand, or not known */
static const StriaParquetPlace *
find_place (StriaParquetLeaf *self, guint64 row)
{
  guint low = 0, high = self->places != NULL ? self->places->len : 0;
  const StriaParquetPlace *place;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->places, StriaParquetPlace, middle).first_row <= row)
        low = middle;
      else
        high = middle;
    }
  if (high == 0)
    return NULL;
  place = &g_array_index (self->places, StriaParquetPlace, low);
  if (place->first_row <= self->row || place->offset <= self->pages.at
      || place->offset >= self->pages.end)
    return NULL;
  return place;
}

/* Reads what stands before the first page with values: the dictionary. */
static gboolean
pass_front (StriaParquetLeaf *self, GError **error)
{
  guint64 first = g_array_index (self->places, StriaParquetPlace, 0).offset;
  gboolean more = TRUE;

  while (self->pages.at < first && more)
    {
      if (!stria_parquet_pages_header (&self->pages, &self->page, &more, error))
        return FALSE;
      if (more && self->page.type == STRIA_PARQUET_PAGE_DICTIONARY)
        {
          if (!take_dictionary (self, error))
            return FALSE;
        }
      else if (more)
        stria_parquet_pages_skip (&self->pages, &self->page);
    }
  return TRUE;
}

/* Whether the page at hand has @n rows or fewer, all of its own, by its header */
static gboolean
is_passed (StriaParquetLeaf *self, guint64 n, guint64 *rows)
{
  if (self->n_rings == 0)
    *rows = self->page.n_values;
  else if (self->page.type == STRIA_PARQUET_PAGE_DATA_V2)
    *rows = self->page.n_rows;
  else
    return FALSE;
  return *rows <= n;
}

gboolean
stria_parquet_leaf_seek (StriaParquetLeaf *self, guint64 row, GError **error)
{
  const StriaParquetPlace *place;
  StriaParquetColumn column;

  if (row > self->row && self->places != NULL && self->places->len > 0
      && !pass_front (self, error))
    return FALSE;
  place = row > self->row ? find_place (self, row) : NULL;
  if (place != NULL)
    {
      self->pages.at = place->offset;
      self->ends_by_bytes = TRUE;
      self->page_left = 0;
      self->block = self->block_at = 0;
      self->row = place->first_row;
      self->shared->counts.pages_skipped++;
    }
  while (self->row < row)
    {
      guint64 n = row - self->row, rows;

      if (self->page_left == 0 && self->block_at == self->block)
        {
          gboolean more;

          if (!next_header (self, &more, error))
            return FALSE;
          if (more && is_passed (self, n, &rows))
            {
              stria_parquet_pages_skip (&self->pages, &self->page);
              self->shared->counts.pages_skipped++;
              self->row += rows;
              continue;
            }
          if (more && !begin_page (self, error))
            return FALSE;
        }
      /* In parts of a size that batches have, so as not to need more memory than they do */
      if (!stria_parquet_leaf_read (self, (guint32) MIN (n, 8192), &column, error))
        return FALSE;
    }
  return TRUE;
}
