/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-table-chunk.h"

#include <string.h>
#include <zstd.h>

#include "stria-load.h"

/*
 * A chunk, little-endian:
 *   0  u8   type of the column
 *   1  u8   flags
 *   2  u8   bytes a value (INT, BOOL: 0, 1, 2, 4 or 8), or a row's text number (TEXT)
 *   3  u8   bytes a text's length (TEXT)
 *   4  u32  rows
 *   8  i64  INT: what is added to each value, or to each difference
 *  16  i64  INT with differences: the value before the first difference
 *  24  u32  texts
 *  28  u32  bytes of the body when it is not compressed
 *  32       the body: [a bit a row, least significant first, 1 = has a value] [values], TEXT: [a
 * text number a row] [lengths] [texts]; REAL: byte 0 of all values, byte 1 of all values, ...
 */
#define HEADER_BYTES 32
#define FLAG_NULLS (1 << 0)
#define FLAG_DIFFERENCES (1 << 1)
#define FLAG_ZSTD (1 << 2)
/* What a chunk of texts may come to; a store may be damaged. */
#define MAX_BODY (G_GUINT64_CONSTANT (1) << 31)

static void
put_u32 (guint8 *at, guint32 value)
{
  value = GUINT32_TO_LE (value);
  memcpy (at, &value, sizeof value);
}

static void
put_u64 (guint8 *at, guint64 value)
{
  value = GUINT64_TO_LE (value);
  memcpy (at, &value, sizeof value);
}

static guint8 *
extend (GByteArray *body, gsize bytes)
{
  guint at = body->len;

  g_byte_array_set_size (body, (guint) (at + bytes));
  return body->data + at;
}

/* -- writing -------------------------------------------------------------------------------- */

static void
put_bits (GByteArray *body, const guint8 *valid, guint32 n)
{
  guint8 *bits = extend (body, (n + 7) / 8);

  memset (bits, 0, (n + 7) / 8);
  for (guint32 i = 0; i < n; i++)
    bits[i / 8] |= (guint8) ((valid[i] != 0) << (i % 8));
}

#define PACK(type, convert)                                                                        \
  {                                                                                                \
    type *to = (type *) (gpointer) scratch;                                                        \
    for (guint32 i = 0; i < n; i++)                                                                \
      to[i] = convert ((type) (values[i] - base));                                                 \
    break;                                                                                         \
  }

/* The low bytes of @values - @base. */
static void
put_packed (GByteArray *body, const guint64 *values, guint64 base, guint32 n, guint width)
{
  guint64 *scratch;

  if (width == 0 || n == 0)
    return;
  scratch = g_new (guint64, n);
  switch (width)
    {
    case 1:
      {
        guint8 *to = (guint8 *) scratch;
        for (guint32 i = 0; i < n; i++)
          to[i] = (guint8) (values[i] - base);
        break;
      }
    case 2:
      PACK (guint16, GUINT16_TO_LE)
    case 4:
      PACK (guint32, GUINT32_TO_LE)
    default:
      PACK (guint64, GUINT64_TO_LE)
    }
  g_byte_array_append (body, (const guint8 *) scratch, n * width);
  g_free (scratch);
}

static void
encode_ints (const StriaColumnData *data,
             guint32 n,
             guint8 *header,
             GByteArray *body,
             StriaChunkFacts *facts)
{
  g_autofree guint64 *values = g_new (guint64, MAX (n, 1));
  g_autofree guint64 *differences = g_new (guint64, MAX (n, 1));
  gint64 min = G_MAXINT64, max = G_MININT64;
  gint64 least = G_MAXINT64, most = G_MININT64;
  gint64 last = 0;
  gboolean smooth = TRUE;

  /* A row without a value repeats the one before it, which costs least. */
  for (guint32 i = 0; i < n; i++)
    if (stria_column_data_has (data, i))
      {
        last = data->ints[i];
        break;
      }
  put_u64 (header + 16, (guint64) last);
  for (guint32 i = 0; i < n; i++)
    {
      gint64 value = stria_column_data_has (data, i) ? data->ints[i] : last;
      gint64 difference;

      smooth &= !__builtin_sub_overflow (value, last, &difference);
      min = MIN (min, value);
      max = MAX (max, value);
      least = MIN (least, difference);
      most = MAX (most, difference);
      values[i] = (guint64) value;
      differences[i] = (guint64) difference;
      last = value;
    }
  facts->bounded = n > facts->n_nulls;
  facts->min = facts->bounded ? min : 0;
  facts->max = facts->bounded ? max : 0;
  if (n == 0)
    return;

  guint width = stria_store_width ((guint64) max - (guint64) min);
  guint width_differences = smooth ? stria_store_width ((guint64) most - (guint64) least) : 8;
  if (width_differences < width)
    {
      header[1] |= FLAG_DIFFERENCES;
      header[2] = (guint8) width_differences;
      put_u64 (header + 8, (guint64) least);
      put_packed (body, differences, (guint64) least, n, width_differences);
    }
  else
    {
      header[2] = (guint8) width;
      put_u64 (header + 8, (guint64) min);
      put_packed (body, values, (guint64) min, n, width);
    }
}

/* Byte by byte place: the high bytes of neighbours are alike, and so compress. */
static void
encode_reals (const StriaColumnData *data, guint32 n, GByteArray *body)
{
  guint8 *to = extend (body, (gsize) n * 8);
  double last = 0;

  for (guint32 i = 0; i < n; i++)
    {
      guint64 bits;

      if (stria_column_data_has (data, i))
        last = data->reals[i];
      memcpy (&bits, &last, sizeof bits);
      for (guint b = 0; b < 8; b++)
        to[(gsize) b * n + i] = (guint8) (bits >> (8 * b));
    }
}

static void
encode_texts (const StriaColumnData *data, guint32 n, guint8 *header, GByteArray *body)
{
  g_autofree guint64 *numbers = g_new (guint64, MAX (MAX (n, data->n_texts), 1));
  guint64 longest = 0;

  header[2] = (guint8) stria_store_width (data->n_texts > 0 ? data->n_texts - 1 : 0);
  for (guint32 i = 0; i < n; i++)
    numbers[i] = data->index != NULL ? data->index[i] : i;
  put_packed (body, numbers, 0, n, header[2]);

  for (guint32 t = 0; t < data->n_texts; t++)
    {
      numbers[t] = data->offsets[t + 1] - data->offsets[t];
      longest = MAX (longest, numbers[t]);
    }
  header[3] = (guint8) stria_store_width (longest);
  put_packed (body, numbers, 0, data->n_texts, header[3]);
  /* Nothing but empty texts has no bytes to point at. */
  if (data->n_texts > 0 && data->offsets[data->n_texts] > data->offsets[0])
    g_byte_array_append (body, (const guint8 *) data->bytes + data->offsets[0],
                         data->offsets[data->n_texts] - data->offsets[0]);
  put_u32 (header + 24, data->n_texts);
}

/**
 * stria_table_chunk_encode:
 * @type: type of the column
 * @data: the values
 * @n_rows: how many rows
 * @out: what the chunk is appended to
 * @facts: (out): bounds and number of missing values
 *
 * Integers are taken from their smallest value, or as differences where that is narrower, in whole
 * bytes; then everything is compressed if that saves something.
 */
void
stria_table_chunk_encode (StriaCellType type,
                          const StriaColumnData *data,
                          guint32 n_rows,
                          GByteArray *out,
                          StriaChunkFacts *facts)
{
  g_autoptr (GByteArray) body = g_byte_array_new ();
  guint8 header[HEADER_BYTES] = { (guint8) type };
  gsize bound, packed = 0;
  guint8 *to;

  *facts = (StriaChunkFacts){ 0 };
  for (guint32 i = 0; data->valid != NULL && i < n_rows; i++)
    facts->n_nulls += data->valid[i] == 0;
  if (facts->n_nulls > 0)
    {
      header[1] |= FLAG_NULLS;
      put_bits (body, data->valid, n_rows);
    }
  put_u32 (header + 4, n_rows);
  if (type == STRIA_CELL_TEXT)
    encode_texts (data, n_rows, header, body);
  else if (type == STRIA_CELL_REAL)
    encode_reals (data, n_rows, body);
  else
    encode_ints (data, n_rows, header, body, facts);
  put_u32 (header + 28, body->len);

  guint begin = out->len;
  bound = ZSTD_compressBound (body->len);
  to = extend (out, HEADER_BYTES + MAX (bound, body->len));
  if (body->len > 32)
    packed = ZSTD_compress (to + HEADER_BYTES, bound, body->data, body->len, 1);
  if (packed > 0 && !ZSTD_isError (packed) && packed < body->len)
    header[1] |= FLAG_ZSTD;
  else
    {
      packed = body->len;
      if (packed > 0)
        memcpy (to + HEADER_BYTES, body->data, packed);
    }
  memcpy (to, header, HEADER_BYTES);
  g_byte_array_set_size (out, (guint) (begin + HEADER_BYTES + packed));
}

/* -- reading -------------------------------------------------------------------------------- */

typedef struct
{
  const guint8 *at;
  const guint8 *end;
} Body;

static const guint8 *
take (Body *body, guint64 bytes)
{
  const guint8 *at = body->at;

  if (bytes > (guint64) (body->end - body->at))
    return NULL;
  body->at += bytes;
  return at;
}

static inline guint64
unpacked (const guint8 *from, guint32 i, guint width)
{
  guint64 value = 0;

  /* The widths are four constants: the compiler makes four loads of it. */
  switch (width)
    {
    case 0:
      return 0;
    case 1:
      return from[i];
    case 2:
      return stria_load16 (from + (gsize) i * 2);
    case 4:
      return stria_load32 (from + (gsize) i * 4);
    default:
      value = stria_load64 (from + (gsize) i * 8);
      return value;
    }
}

static gboolean
decode_ints (Body *body, const guint8 *header, StriaColumnChunk *chunk)
{
  guint32 n = chunk->n_rows;
  guint width = header[2];
  guint64 base = stria_load64 (header + 8);
  guint64 last = stria_load64 (header + 16);
  const guint8 *from = take (body, (guint64) n * width);
  gint64 *to = g_new (gint64, MAX (n, 1));

  chunk->owned[1] = to;
  chunk->data.ints = to;
  if (from == NULL)
    return FALSE;
  if (header[1] & FLAG_DIFFERENCES)
    for (guint32 i = 0; i < n; i++)
      to[i] = (gint64) (last += base + unpacked (from, i, width));
  else
    for (guint32 i = 0; i < n; i++)
      to[i] = (gint64) (base + unpacked (from, i, width));
  return TRUE;
}

static gboolean
decode_reals (Body *body, StriaColumnChunk *chunk)
{
  guint32 n = chunk->n_rows;
  const guint8 *from = take (body, (guint64) n * 8);
  double *to = g_new (double, MAX (n, 1));

  chunk->owned[1] = to;
  chunk->data.reals = to;
  if (from == NULL)
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    {
      guint64 bits = 0;

      for (guint b = 0; b < 8; b++)
        bits |= (guint64) from[(gsize) b * n + i] << (8 * b);
      memcpy (&to[i], &bits, sizeof bits);
    }
  return TRUE;
}

static gboolean
decode_texts (Body *body, const guint8 *header, StriaColumnChunk *chunk)
{
  guint32 n = chunk->n_rows;
  guint32 n_texts = stria_load32 (header + 24);
  const guint8 *numbers = take (body, (guint64) n * header[2]);
  const guint8 *lengths = take (body, (guint64) n_texts * header[3]);
  guint64 total = 0;

  if (numbers == NULL || lengths == NULL || n_texts > (1 << 24) || (n > 0 && n_texts == 0))
    return FALSE;
  guint32 *index = g_new (guint32, MAX (n, 1));
  guint32 *offsets = g_new (guint32, (gsize) n_texts + 1);
  chunk->owned[1] = index;
  chunk->owned[2] = offsets;
  for (guint32 i = 0; i < n; i++)
    {
      guint64 number = unpacked (numbers, i, header[2]);
      if (number >= n_texts)
        return FALSE;
      index[i] = (guint32) number;
    }
  for (guint32 t = 0; t < n_texts; t++)
    {
      offsets[t] = (guint32) total;
      total += unpacked (lengths, t, header[3]);
      if (total > MAX_BODY)
        return FALSE;
    }
  offsets[n_texts] = (guint32) total;
  const guint8 *bytes = take (body, total);
  if (bytes == NULL)
    return FALSE;
  chunk->owned[3] = g_memdup2 (total > 0 ? bytes : (const guint8 *) "", MAX (total, 1));
  chunk->data.index = index;
  chunk->data.offsets = offsets;
  chunk->data.bytes = chunk->owned[3];
  chunk->data.n_texts = n_texts;
  return TRUE;
}

static gboolean
decode_bits (Body *body, StriaColumnChunk *chunk)
{
  guint32 n = chunk->n_rows;
  const guint8 *bits = take (body, (n + 7) / 8);
  guint8 *valid;

  if (bits == NULL)
    return FALSE;
  chunk->owned[0] = valid = g_malloc (MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    valid[i] = bits[i / 8] >> (i % 8) & 1;
  chunk->data.valid = valid;
  return TRUE;
}

StriaColumnChunk *
stria_table_chunk_decode (StriaCellType type, const guint8 *bytes, gsize length, guint32 n_rows)
{
  g_autoptr (StriaColumnChunk) chunk = NULL;
  g_autofree guint8 *plain = NULL;
  Body body;
  gboolean ok;

  if (length < HEADER_BYTES || bytes[0] != type || stria_load32 (bytes + 4) != n_rows
      || (bytes[2] != 0 && bytes[2] != 1 && bytes[2] != 2 && bytes[2] != 4 && bytes[2] != 8)
      || (bytes[3] != 0 && bytes[3] != 1 && bytes[3] != 2 && bytes[3] != 4 && bytes[3] != 8)
      || stria_load32 (bytes + 28) > MAX_BODY)
    return NULL;
  body = (Body){ bytes + HEADER_BYTES, bytes + length };
  if (bytes[1] & FLAG_ZSTD)
    {
      gsize size = stria_load32 (bytes + 28);

      /* Nothing is set aside for what the compressed bytes cannot hold. */
      if (ZSTD_getFrameContentSize (body.at, length - HEADER_BYTES) != size)
        return NULL;
      plain = g_try_malloc (MAX (size, 1));
      if (plain == NULL || ZSTD_decompress (plain, size, body.at, length - HEADER_BYTES) != size)
        return NULL;
      body = (Body){ plain, plain + size };
    }

  chunk = g_new0 (StriaColumnChunk, 1);
  chunk->n_rows = n_rows;
  ok = !(bytes[1] & FLAG_NULLS) || decode_bits (&body, chunk);
  if (type == STRIA_CELL_TEXT)
    ok = ok && decode_texts (&body, bytes, chunk);
  else if (type == STRIA_CELL_REAL)
    ok = ok && decode_reals (&body, chunk);
  else
    ok = ok && decode_ints (&body, bytes, chunk);
  return ok ? g_steal_pointer (&chunk) : NULL;
}

void
stria_column_chunk_free (StriaColumnChunk *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->owned); i++)
    g_free (self->owned[i]);
  g_free (self);
}
