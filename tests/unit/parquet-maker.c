/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "parquet-maker.h"

#include <string.h>

static void
put_page (GByteArray *bytes, const ParquetMakerPage *page)
{
  StriaThriftWriter thrift = { .bytes = bytes };
  gint32 rle = page->levels != 0 ? page->levels : STRIA_PARQUET_ENCODING_RLE;

  stria_thrift_begin (&thrift, 0);
  stria_thrift_put_i32 (&thrift, 1, page->type);
  stria_thrift_put_i64 (&thrift, 2, page->uncompressed >= 0 ? page->uncompressed : (gint64) page->length);
  stria_thrift_put_i64 (&thrift, 3, page->compressed >= 0 ? page->compressed : (gint64) page->length);
  if (page->type == 3)
    {
      stria_thrift_begin (&thrift, 8);
      stria_thrift_put_i64 (&thrift, 1, page->n_values);
      stria_thrift_put_i32 (&thrift, 2, 0);
      stria_thrift_put_i64 (&thrift, 3, page->n_rows);
      stria_thrift_put_i32 (&thrift, 4, page->encoding);
      stria_thrift_put_i64 (&thrift, 5, page->definitions);
      stria_thrift_put_i64 (&thrift, 6, page->repetitions);
      stria_thrift_put_bool (&thrift, 7, TRUE);
    }
  else
    {
      stria_thrift_begin (&thrift, page->type == 0 ? 5 : 7);
      stria_thrift_put_i64 (&thrift, 1, page->n_values);
      stria_thrift_put_i32 (&thrift, 2, page->encoding);
      if (page->type == 0)
        {
          stria_thrift_put_i32 (&thrift, 3, rle);
          stria_thrift_put_i32 (&thrift, 4, rle);
        }
    }
  stria_thrift_end (&thrift);
  stria_thrift_end (&thrift);
  g_byte_array_append (bytes, page->body, (guint) page->length);
}

static void
put_element (StriaThriftWriter *thrift, const ParquetMakerElement *element)
{
  stria_thrift_begin (thrift, 0);
  if (element->type >= 0)
    stria_thrift_put_i32 (thrift, 1, element->type);
  if (element->length != 0)
    stria_thrift_put_i32 (thrift, 2, element->length);
  stria_thrift_put_i32 (thrift, 3, element->repetition);
  stria_thrift_put_binary (thrift, 4, element->name, strlen (element->name));
  if (element->n_children != 0)
    stria_thrift_put_i32 (thrift, 5, element->n_children);
  if (element->converted >= 0)
    stria_thrift_put_i32 (thrift, 6, element->converted);
  stria_thrift_end (thrift);
}

static void
put_group (StriaThriftWriter *thrift, const ParquetMaker *self, gint32 type, gint64 length)
{
  stria_thrift_begin (thrift, 0);
  stria_thrift_put_list (thrift, 1, STRIA_THRIFT_STRUCT, 1);
  stria_thrift_begin (thrift, 0);
  stria_thrift_begin (thrift, 3);
  stria_thrift_put_i32 (thrift, 1, type);
  stria_thrift_put_i32 (thrift, 4, self->codec);
  stria_thrift_put_i64 (thrift, 5, self->n_values >= 0 ? self->n_values : self->n_rows);
  stria_thrift_put_i64 (thrift, 6, length);
  stria_thrift_put_i64 (thrift, 7, self->chunk >= 0 ? self->chunk : length);
  stria_thrift_put_i64 (thrift, 9, self->offset >= 0 ? self->offset : 4);
  if (self->dictionary != 0)
    stria_thrift_put_i64 (thrift, 11, self->dictionary);
  stria_thrift_end (thrift);
  if (self->encrypted)
    {
      stria_thrift_begin (thrift, 8);
      stria_thrift_end (thrift);
    }
  stria_thrift_end (thrift);
  stria_thrift_put_i64 (thrift, 2, length);
  stria_thrift_put_i64 (thrift, 3, self->n_rows);
  stria_thrift_end (thrift);
}

GBytes *
parquet_maker_finish (const ParquetMaker *self)
{
  GByteArray *bytes = g_byte_array_new ();
  StriaThriftWriter thrift = { .bytes = bytes };
  ParquetMakerElement root
    = { "root", -1, 0, 0, self->n_top != 0 ? self->n_top : 1, -1 };
  gint64 length;
  guint32 footer, little;

  g_byte_array_append (bytes, (const guint8 *) "PAR1", 4);
  for (guint i = 0; i < self->n_pages; i++)
    put_page (bytes, &self->pages[i]);
  length = bytes->len - 4;
  footer = bytes->len;
  stria_thrift_begin (&thrift, 0);
  stria_thrift_put_i32 (&thrift, 1, 1);
  stria_thrift_put_list (&thrift, 2, STRIA_THRIFT_STRUCT, self->n_elements + 1);
  put_element (&thrift, &root);
  for (guint i = 0; i < self->n_elements; i++)
    put_element (&thrift, &self->elements[i]);
  stria_thrift_put_i64 (&thrift, 3, self->n_rows);
  stria_thrift_put_list (&thrift, 4, STRIA_THRIFT_STRUCT, 1);
  put_group (&thrift, self, self->elements[self->n_elements - 1].type, length);
  stria_thrift_end (&thrift);
  little = GUINT32_TO_LE (bytes->len - footer);
  g_byte_array_append (bytes, (const guint8 *) &little, 4);
  g_byte_array_append (bytes, (const guint8 *) "PAR1", 4);
  return g_byte_array_free_to_bytes (bytes);
}
