/* SPDX-License-Identifier: Apache-2.0 */
/* A column of a row group as pages. Numbers are written in the shortest of three ways: each once in
 * a dictionary, as differences, or plain; texts in a dictionary if they repeat. */
#include "config.h"

#include "stria-parquet-writer-column.h"

#include <string.h>

#include <zlib.h>
#include <zstd.h>

#include "stria-parquet-bits.h"
#include "stria-parquet-encode.h"
#include "stria-thrift-writer.h"

#define MAX_ENTRIES 65536            /* of a dictionary */
#define MAX_ENTRY_BYTES (1u << 20)
#define MAX_STATISTIC 256            /* longer texts are not said */

/* Which value is where in the dictionary */
typedef struct
{
  guint32 *table; /* number of the entry and 1; 0: free */
  guint32  mask;
  GArray  *first; /* guint32: number of a value that each entry is */
  GArray  *indices; /* guint32 a value */
  gsize    bytes;
} Entries;

void
stria_parquet_writer_column_init (StriaParquetWriterColumn *self,
                                  const StriaParquetWriteColumn *spec)
{
  *self = (StriaParquetWriterColumn){
    .spec = *spec,
    .name = g_strdup (spec->name),
    .valid = g_byte_array_new (),
    .counts = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .numbers = g_array_new (FALSE, FALSE, sizeof (gint64)),
    .bools = g_byte_array_new (),
    .texts = g_byte_array_new (),
    .ends = g_array_new (FALSE, FALSE, sizeof (guint32)),
  };
  self->spec.name = self->name;
}

void
stria_parquet_writer_column_clear (StriaParquetWriterColumn *self)
{
  g_free (self->name);
  g_byte_array_unref (self->valid);
  g_array_unref (self->counts);
  g_array_unref (self->numbers);
  g_byte_array_unref (self->bools);
  g_byte_array_unref (self->texts);
  g_array_unref (self->ends);
}

void
stria_parquet_written_clear (StriaParquetWritten *self)
{
  g_clear_pointer (&self->min, g_free);
  g_clear_pointer (&self->max, g_free);
}

static void
forget (StriaParquetWriterColumn *self)
{
  g_byte_array_set_size (self->valid, 0);
  g_array_set_size (self->counts, 0);
  g_array_set_size (self->numbers, 0);
  g_byte_array_set_size (self->bools, 0);
  g_byte_array_set_size (self->texts, 0);
  g_array_set_size (self->ends, 0);
  self->n_rows = 0;
}

static gboolean
is_text (const StriaParquetWriterColumn *self)
{
  return self->spec.type == STRIA_PARQUET_WRITE_STRING;
}

static gboolean
is_bool (const StriaParquetWriterColumn *self)
{
  return self->spec.type == STRIA_PARQUET_WRITE_BOOL;
}

static gboolean
is_double (const StriaParquetWriterColumn *self)
{
  return self->spec.type == STRIA_PARQUET_WRITE_DOUBLE;
}

static guint
count_values (const StriaParquetWriterColumn *self)
{
  return is_text (self) ? self->ends->len : is_bool (self) ? self->bools->len : self->numbers->len;
}

static const gint64 *
numbers_of (const StriaParquetWriterColumn *self)
{
  return (const gint64 *) (void *) self->numbers->data;
}

/* Text @i, without a length in front */
static const guint8 *
text_at (const StriaParquetWriterColumn *self, guint i, guint32 *length)
{
  const guint32 *ends = (const guint32 *) (void *) self->ends->data;
  guint32 start = i > 0 ? ends[i - 1] : 0;

  *length = ends[i] - start;
  return self->texts->data + start;
}

/* -- dictionaries ------------------------------------------------------------------------------ */

static guint64
mix (guint64 hash)
{
  hash ^= hash >> 32;
  hash *= G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

static guint64
hash_value (const StriaParquetWriterColumn *self, guint i)
{
  guint64 hash = 0;
  const guint8 *text;
  guint32 length;

  if (!is_text (self))
    return mix ((guint64) numbers_of (self)[i]);
  text = text_at (self, i, &length);
  hash = length;
  for (; length >= 8; text += 8, length -= 8)
    hash = mix (hash ^ stria_load64 (text));
  for (; length > 0; length--)
    hash = hash * 257 + *text++;
  return mix (hash);
}

static gboolean
are_equal (const StriaParquetWriterColumn *self, guint a, guint b)
{
  const guint8 *left, *right;
  guint32 left_length, right_length;

  if (!is_text (self))
    return numbers_of (self)[a] == numbers_of (self)[b];
  left = text_at (self, a, &left_length);
  right = text_at (self, b, &right_length);
  return left_length == right_length
         && (left_length == 0 || memcmp (left, right, left_length) == 0);
}

static void
entries_clear (Entries *entries)
{
  g_free (entries->table);
  g_clear_pointer (&entries->first, g_array_unref);
  g_clear_pointer (&entries->indices, g_array_unref);
}

/* FALSE: there are too many different values for a dictionary to be worth it. */
static gboolean
find_entries (const StriaParquetWriterColumn *self, Entries *entries)
{
  guint n = count_values (self);
  guint most = MIN (MAX_ENTRIES, n / 2);

  *entries = (Entries){ .mask = 2 * MAX_ENTRIES - 1 };
  entries->first = g_array_new (FALSE, FALSE, sizeof (guint32));
  entries->indices = g_array_sized_new (FALSE, FALSE, sizeof (guint32), n);
  entries->table = g_new0 (guint32, entries->mask + 1);
  for (guint i = 0; i < n; i++)
    {
      guint32 slot = (guint32) hash_value (self, i) & entries->mask;
      guint32 index, length = 8;

      while (entries->table[slot] != 0
             && !are_equal (self, i, g_array_index (entries->first, guint32,
                                                    entries->table[slot] - 1)))
        slot = (slot + 1) & entries->mask;
      if (entries->table[slot] == 0)
        {
          if (is_text (self))
            text_at (self, i, &length);
          entries->bytes += length;
          if (entries->first->len >= most || entries->bytes > MAX_ENTRY_BYTES)
            return FALSE;
          g_array_append_val (entries->first, i);
          entries->table[slot] = entries->first->len;
        }
      index = entries->table[slot] - 1;
      g_array_append_val (entries->indices, index);
    }
  return n > 0;
}

/* -- values ------------------------------------------------------------------------------------ */

static void
put_plain (const StriaParquetWriterColumn *self, GByteArray *to, guint i)
{
  if (is_text (self))
    {
      guint32 length, little;
      const guint8 *text = text_at (self, i, &length);

      little = GUINT32_TO_LE (length);
      g_byte_array_append (to, (const guint8 *) &little, 4);
      g_byte_array_append (to, text, length);
    }
  else
    {
      guint64 little = GUINT64_TO_LE ((guint64) numbers_of (self)[i]);

      g_byte_array_append (to, (const guint8 *) &little, 8);
    }
}

static void
put_values (const StriaParquetWriterColumn *self, GByteArray *to, StriaParquetEncoding encoding,
            const Entries *entries, guint first, guint n)
{
  if (encoding == STRIA_PARQUET_ENCODING_RLE_DICTIONARY)
    {
      guint8 width = (guint8) stria_bits_width (entries->first->len - 1);

      g_byte_array_append (to, &width, 1);
      stria_encode_rle (to, (const guint32 *) (void *) entries->indices->data + first, n, width);
    }
  else if (encoding == STRIA_PARQUET_ENCODING_DELTA_BINARY_PACKED)
    stria_encode_delta (to, numbers_of (self) + first, n);
  else if (is_bool (self))
    {
      guint64 bits[512];

      for (guint i = 0; i < n; i += G_N_ELEMENTS (bits))
        {
          guint m = MIN (n - i, G_N_ELEMENTS (bits));

          for (guint k = 0; k < m; k++)
            bits[k] = self->bools->data[first + i + k] != 0;
          stria_encode_bits (to, bits, m, 1);
        }
    }
  else
    for (guint i = first; i < first + n; i++)
      put_plain (self, to, i);
}

/* The shortest, by the bytes that each would take before compression */
static StriaParquetEncoding
choose (const StriaParquetWriterColumn *self, const Entries *entries, gboolean has_entries)
{
  guint n = count_values (self);
  gsize plain = (gsize) n * 8, by_index = G_MAXSIZE, by_delta = G_MAXSIZE;

  if (is_bool (self))
    return STRIA_PARQUET_ENCODING_PLAIN;
  if (has_entries)
    by_index = entries->bytes + (gsize) n * stria_bits_width (entries->first->len - 1) / 8;
  if (is_text (self))
    plain = self->texts->len + (gsize) n * 4;
  else if (!is_double (self))
    {
      g_autoptr (GByteArray) trial = g_byte_array_new ();

      stria_encode_delta (trial, numbers_of (self), MIN (n, STRIA_PARQUET_WRITE_PAGE));
      by_delta = (gsize) ((double) trial->len * n / MAX (1, MIN (n, STRIA_PARQUET_WRITE_PAGE)));
    }
  if (by_index < plain && by_index < by_delta)
    return STRIA_PARQUET_ENCODING_RLE_DICTIONARY;
  return by_delta < plain ? STRIA_PARQUET_ENCODING_DELTA_BINARY_PACKED
                          : STRIA_PARQUET_ENCODING_PLAIN;
}

/* -- statistics -------------------------------------------------------------------------------- */

static int
compare_texts (const StriaParquetWriterColumn *self, guint a, guint b)
{
  guint32 a_length, b_length;
  const guint8 *left = text_at (self, a, &a_length), *right = text_at (self, b, &b_length);
  int order = memcmp (left, right, MIN (a_length, b_length));

  return order != 0 ? order : a_length < b_length ? -1 : a_length > b_length;
}

static double
double_at (const StriaParquetWriterColumn *self, guint i)
{
  double value;

  memcpy (&value, numbers_of (self) + i, sizeof value);
  return value;
}

/* FALSE: there is no order of all values */
static gboolean
find_ends (const StriaParquetWriterColumn *self, guint *least, guint *most)
{
  guint n = count_values (self);

  *least = *most = 0;
  for (guint i = 0; i < n; i++)
    if (is_text (self))
      {
        *least = compare_texts (self, i, *least) < 0 ? i : *least;
        *most = compare_texts (self, i, *most) > 0 ? i : *most;
      }
    else if (is_bool (self))
      {
        *least = self->bools->data[i] == 0 ? i : *least;
        *most = self->bools->data[i] != 0 ? i : *most;
      }
    else if (is_double (self))
      {
        double value = double_at (self, i);

        if (value != value)
          return FALSE;
        *least = value < double_at (self, *least) ? i : *least;
        *most = value > double_at (self, *most) ? i : *most;
      }
    else
      {
        *least = numbers_of (self)[i] < numbers_of (self)[*least] ? i : *least;
        *most = numbers_of (self)[i] > numbers_of (self)[*most] ? i : *most;
      }
  return n > 0;
}

/* @negative: which zero a zero is, as the format wants it: the smaller one for the smallest */
static guint8 *
copy_statistic (const StriaParquetWriterColumn *self, guint i, gboolean negative, guint *length)
{
  guint32 text_length;
  const guint8 *text;
  guint64 bits;

  if (is_bool (self))
    {
      guint8 bit = self->bools->data[i] != 0;

      *length = 1;
      return g_memdup2 (&bit, 1);
    }
  if (is_text (self))
    {
      text = text_at (self, i, &text_length);
      *length = text_length;
      if (text_length > MAX_STATISTIC)
        return NULL;
      /* So that an empty text is not the same as none */
      return text_length > 0 ? g_memdup2 (text, text_length) : g_malloc0 (1);
    }
  bits = (guint64) numbers_of (self)[i];
  if (is_double (self) && double_at (self, i) == 0.0)
    bits = negative ? G_GUINT64_CONSTANT (1) << 63 : 0;
  bits = GUINT64_TO_LE (bits);
  *length = 8;
  return g_memdup2 (&bits, 8);
}

/* -- pages ------------------------------------------------------------------------------------- */

static gboolean
put_page (GByteArray *to, int level, gint32 type, gint32 encoding, guint n_values,
          const GByteArray *body, StriaParquetWritten *written)
{
  g_autofree guint8 *packed = NULL;
  const guint8 *data = body->data;
  gsize length = body->len;
  StriaThriftWriter thrift = { .bytes = to };
  guint start = to->len;

  if (level != 0)
    {
      gsize room = ZSTD_compressBound (body->len);

      packed = g_malloc (room);
      length = ZSTD_compress (packed, room, body->data, body->len, level);
      if (ZSTD_isError (length))
        return FALSE;
      data = packed;
    }
  stria_thrift_begin (&thrift, 0);
  stria_thrift_put_i32 (&thrift, 1, type);
  stria_thrift_put_i32 (&thrift, 2, (gint32) body->len);
  stria_thrift_put_i32 (&thrift, 3, (gint32) length);
  stria_thrift_put_i32 (&thrift, 4, (gint32) crc32 (0, data, (uInt) length));
  stria_thrift_begin (&thrift, type == 0 ? 5 : 7);
  stria_thrift_put_i32 (&thrift, 1, (gint32) n_values);
  stria_thrift_put_i32 (&thrift, 2, encoding);
  if (type == 0)
    {
      stria_thrift_put_i32 (&thrift, 3, STRIA_PARQUET_ENCODING_RLE);
      stria_thrift_put_i32 (&thrift, 4, STRIA_PARQUET_ENCODING_RLE);
    }
  stria_thrift_end (&thrift);
  stria_thrift_end (&thrift);
  written->uncompressed += to->len - start + body->len;
  g_byte_array_append (to, data, (guint) length);
  written->encodings |= 1u << encoding;
  return TRUE;
}

/* Levels of version 1 have their length in front. */
static void
put_levels (GByteArray *body, const guint32 *levels, guint n, guint width)
{
  guint start = body->len;
  guint32 length = 0;

  g_byte_array_append (body, (const guint8 *) &length, 4);
  stria_encode_rle (body, levels, n, width);
  length = GUINT32_TO_LE (body->len - start - 4);
  memcpy (body->data + start, &length, 4);
}

/* Levels of rows from @row to @end. Returns: how many values they have */
static guint
make_levels (const StriaParquetWriterColumn *self, guint64 row, guint64 end, GArray *definitions,
             GArray *repetitions)
{
  guint32 optional = self->spec.optional, one = 1, zero = 0;
  guint n_values = 0;

  g_array_set_size (definitions, 0);
  g_array_set_size (repetitions, 0);
  for (; row < end; row++)
    {
      guint32 valid = !optional || self->valid->data[row];
      guint32 n = self->spec.list ? g_array_index (self->counts, guint32, row) : valid;
      guint32 level = self->spec.list ? (valid ? optional : 0) : valid;

      if (self->spec.list && n > 0)
        level = optional + 1;
      g_array_append_val (definitions, level);
      if (self->spec.list)
        g_array_append_val (repetitions, zero);
      for (guint32 i = 1; self->spec.list && i < n; i++)
        {
          g_array_append_val (definitions, level);
          g_array_append_val (repetitions, one);
        }
      n_values += n;
    }
  return n_values;
}

static guint64
page_end (const StriaParquetWriterColumn *self, guint64 row)
{
  guint64 n = 0;

  if (!self->spec.list)
    return MIN (self->n_rows, row + STRIA_PARQUET_WRITE_PAGE);
  for (; row < self->n_rows && n < STRIA_PARQUET_WRITE_PAGE; row++)
    n += 1 + g_array_index (self->counts, guint32, row);
  return row;
}

static gboolean
put_pages (StriaParquetWriterColumn *self, int level, StriaParquetEncoding encoding,
           const Entries *entries, GByteArray *pages, StriaParquetWritten *written)
{
  g_autoptr (GArray) definitions = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) repetitions = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GByteArray) body = g_byte_array_new ();
  guint most = (self->spec.optional ? 1 : 0) + (self->spec.list ? 1 : 0);
  guint first = 0;

  for (guint64 row = 0; row < self->n_rows;)
    {
      guint64 end = page_end (self, row);
      guint n = make_levels (self, row, end, definitions, repetitions);

      g_byte_array_set_size (body, 0);
      if (self->spec.list)
        put_levels (body, (const guint32 *) (void *) repetitions->data, repetitions->len, 1);
      if (most > 0)
        put_levels (body, (const guint32 *) (void *) definitions->data, definitions->len,
                    stria_bits_width (most));
      put_values (self, body, encoding, entries, first, n);
      if (body->len > G_MAXINT32
          || !put_page (pages, level, 0, encoding, definitions->len, body, written))
        return FALSE;
      written->n_values += definitions->len;
      /* Of lists, those count that are null or empty, as they have no value. */
      written->n_nulls += definitions->len - n;
      first += n;
      row = end;
    }
  return TRUE;
}

static gboolean
put_dictionary (const StriaParquetWriterColumn *self, int level, const Entries *entries,
                GByteArray *pages, StriaParquetWritten *written)
{
  g_autoptr (GByteArray) body = g_byte_array_new ();

  for (guint i = 0; i < entries->first->len; i++)
    put_plain (self, body, g_array_index (entries->first, guint32, i));
  return put_page (pages, level, 2, STRIA_PARQUET_ENCODING_PLAIN, entries->first->len, body,
                   written);
}

gboolean
stria_parquet_writer_column_write (StriaParquetWriterColumn *self, int level, GByteArray *pages,
                                   StriaParquetWritten *written)
{
  Entries entries = { 0 };
  gboolean has_entries = !is_bool (self) && find_entries (self, &entries);
  StriaParquetEncoding encoding = choose (self, &entries, has_entries);
  gboolean good = TRUE;
  guint least, most;

  *written = (StriaParquetWritten){ 0 };
  g_byte_array_set_size (pages, 0);
  if (encoding == STRIA_PARQUET_ENCODING_RLE_DICTIONARY)
    good = put_dictionary (self, level, &entries, pages, written);
  written->data_offset = pages->len;
  good = good && put_pages (self, level, encoding, &entries, pages, written);
  written->compressed = pages->len;
  written->encodings |= 1u << STRIA_PARQUET_ENCODING_RLE;
  if (find_ends (self, &least, &most))
    {
      written->min = copy_statistic (self, least, TRUE, &written->min_length);
      written->max = copy_statistic (self, most, FALSE, &written->max_length);
    }
  entries_clear (&entries);
  forget (self);
  return good;
}
