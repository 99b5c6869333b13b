/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-parquet-encode.h"

#include <string.h>

#include "stria-parquet-bits.h"
#include "stria-thrift-writer.h"

#define LEAST_RUN 16 /* equal numbers from which on a run is shorter than packed ones */

#define BLOCK 128
#define N_PARTS 4
#define PART (BLOCK / N_PARTS)

void
stria_encode_bits (GByteArray *to, const guint64 *values, gsize n, guint width)
{
  guint old = to->len;
  guint8 *p;
  guint64 word = 0;
  guint filled = 0;

  if (n == 0 || width == 0)
    return;
  g_byte_array_set_size (to, old + (guint) ((n * width + 7) / 8));
  p = to->data + old;
  for (gsize i = 0; i < n; i++)
    {
      guint64 value = values[i];

      word |= value << filled;
      if (filled + width >= 64)
        {
          guint64 little = GUINT64_TO_LE (word);

          memcpy (p, &little, 8);
          p += 8;
          word = filled == 0 ? 0 : value >> (64 - filled);
          filled = filled + width - 64;
        }
      else
        filled += width;
    }
  for (; p < to->data + to->len; p++, word >>= 8)
    *p = (guint8) word;
}

static void
put_packed (GByteArray *to, const guint32 *values, gsize n, guint width)
{
  guint64 part[512];

  if (n == 0)
    return;
  stria_thrift_put_varint (to, (n + 7) / 8 << 1 | 1);
  while (n > 0)
    {
      gsize m = MIN (n, G_N_ELEMENTS (part));

      for (gsize i = 0; i < m; i++)
        part[i] = values[i];
      for (gsize i = m; i % 8 != 0; i++)
        part[i] = 0;
      stria_encode_bits (to, part, (m + 7) / 8 * 8, width);
      values += m;
      n -= m;
    }
}

/* Runs begin and end anywhere; packed numbers are a multiple of eight but for the last. */
void
stria_encode_rle (GByteArray *to, const guint32 *values, gsize n, guint width)
{
  gsize packed = 0; /* where numbers begin that were not written */

  for (gsize i = 0; i < n;)
    {
      gsize end = i + 1;
      gsize before;

      while (end < n && values[end] == values[i])
        end++;
      before = (8 - (i - packed) % 8) % 8; /* that must be packed with those before */
      if (end - i >= before + LEAST_RUN)
        {
          guint32 value = values[i];

          put_packed (to, values + packed, i + before - packed, width);
          stria_thrift_put_varint (to, (end - i - before) << 1);
          for (guint k = 0; k < width; k += 8)
            {
              guint8 byte = (guint8) (value >> k);

              g_byte_array_append (to, &byte, 1);
            }
          packed = end;
        }
      i = end;
    }
  put_packed (to, values + packed, n - packed, width);
}

void
stria_encode_delta (GByteArray *to, const gint64 *values, gsize n)
{
  stria_thrift_put_varint (to, BLOCK);
  stria_thrift_put_varint (to, N_PARTS);
  stria_thrift_put_varint (to, n);
  stria_thrift_put_zigzag (to, n > 0 ? values[0] : 0);
  for (gsize at = 1; at < n; at += BLOCK)
    {
      gsize m = MIN (BLOCK, n - at);
      guint64 deltas[BLOCK] = { 0 };
      gint64 least = G_MAXINT64;
      guint8 widths[N_PARTS] = { 0 };

      for (gsize i = 0; i < m; i++)
        {
          deltas[i] = (guint64) values[at + i] - (guint64) values[at + i - 1];
          least = MIN (least, (gint64) deltas[i]);
        }
      for (gsize i = 0; i < m; i++)
        {
          deltas[i] -= (guint64) least;
          widths[i / PART] = (guint8) MAX (widths[i / PART], stria_bits_width (deltas[i]));
        }
      stria_thrift_put_zigzag (to, least);
      g_byte_array_append (to, widths, N_PARTS);
      for (gsize i = 0; i < m; i += PART)
        stria_encode_bits (to, deltas + i, PART, widths[i / PART]);
    }
}
