/* SPDX-License-Identifier: Apache-2.0 */
/* Packed numbers. Eight of them always end at a byte, so eight are a step: for each width a loop of
 * its own, whose shifts are constants, with one unaligned load for as many numbers as fit. */
#include "config.h"

#include "stria-parquet-bits.h"

#define MAX_WIDTH_ONE_LOAD 57 /* a number that begins at bit 7 of a byte still ends in its word */

static inline guint64
mask_of (guint width)
{
  return width == 64 ? G_MAXUINT64 : ((guint64) 1 << width) - 1;
}

/* One number at bit @bit, without a look behind @end */
static inline guint64
get_slow (const guint8 *from, const guint8 *end, guint64 bit, guint width)
{
  const guint8 *p = from + bit / 8;
  guint shift = bit % 8;
  guint8 word[16] = { 0 };
  guint64 value;

  if (width == 0)
    return 0;
  memcpy (word, p, MIN ((gsize) (end - p), (shift + width + 7) / 8));
  value = stria_load64 (word) >> shift;
  if (shift + width > 64)
    value |= (guint64) word[8] << (64 - shift);
  return value & mask_of (width);
}

/* Eight numbers of a width that the compiler knows. Reads up to @width + 8 bytes. */
static inline __attribute__ ((always_inline)) guint64
get_fast (const guint8 *from, guint i, guint width)
{
  guint bit = i * width;
  guint64 value = stria_load64 (from + bit / 8) >> (bit % 8);

  if (width > MAX_WIDTH_ONE_LOAD && bit % 8 + width > 64)
    value |= (guint64) from[bit / 8 + 8] << (64 - bit % 8);
  return value & mask_of (width);
}

/* What a step reads beyond its own @width bytes */
#define SLACK 9

/* A function for one width: as many steps of eight as may be taken. Returns: how many numbers */
#define DEFINE_STEPS(bits, width)                                                                \
  static gsize unpack##bits##_##width (const guint8 *from, const guint8 *end, guint##bits *to,    \
                                       gsize n)                                                   \
  {                                                                                               \
    gsize done = 0;                                                                               \
                                                                                                  \
    for (; done + 8 <= n && end - from >= (width) + SLACK; done += 8, from += (width), to += 8)   \
      {                                                                                           \
        to[0] = (guint##bits) get_fast (from, 0, (width));                                        \
        to[1] = (guint##bits) get_fast (from, 1, (width));                                        \
        to[2] = (guint##bits) get_fast (from, 2, (width));                                        \
        to[3] = (guint##bits) get_fast (from, 3, (width));                                        \
        to[4] = (guint##bits) get_fast (from, 4, (width));                                        \
        to[5] = (guint##bits) get_fast (from, 5, (width));                                        \
        to[6] = (guint##bits) get_fast (from, 6, (width));                                        \
        to[7] = (guint##bits) get_fast (from, 7, (width));                                        \
      }                                                                                           \
    return done;                                                                                  \
  }

#define WIDTHS_8(F, bits)                                                                        \
  F (bits, 2) F (bits, 3) F (bits, 4) F (bits, 5) F (bits, 6) F (bits, 7) F (bits, 8)
#define WIDTHS_32(F, bits)                                                                       \
  F (bits, 1) WIDTHS_8 (F, bits)                                                                  \
  F (bits, 9) F (bits, 10) F (bits, 11) F (bits, 12) F (bits, 13) F (bits, 14) F (bits, 15)       \
  F (bits, 16) F (bits, 17) F (bits, 18) F (bits, 19) F (bits, 20) F (bits, 21) F (bits, 22)      \
  F (bits, 23) F (bits, 24) F (bits, 25) F (bits, 26) F (bits, 27) F (bits, 28) F (bits, 29)      \
  F (bits, 30) F (bits, 31) F (bits, 32)
#define WIDTHS_64(F, bits)                                                                       \
  WIDTHS_32 (F, bits)                                                                             \
  F (bits, 33) F (bits, 34) F (bits, 35) F (bits, 36) F (bits, 37) F (bits, 38) F (bits, 39)      \
  F (bits, 40) F (bits, 41) F (bits, 42) F (bits, 43) F (bits, 44) F (bits, 45) F (bits, 46)      \
  F (bits, 47) F (bits, 48) F (bits, 49) F (bits, 50) F (bits, 51) F (bits, 52) F (bits, 53)      \
  F (bits, 54) F (bits, 55) F (bits, 56) F (bits, 57) F (bits, 58) F (bits, 59) F (bits, 60)      \
  F (bits, 61) F (bits, 62) F (bits, 63) F (bits, 64)

/* A bit into a byte each: copies of the byte, each with another bit of it left, made 1 or 0. */
static gsize
unpack8_1 (const guint8 *from, const guint8 *end, guint8 *to, gsize n)
{
  gsize done = 0;

  for (; done + 8 <= n && from < end; done += 8, from++, to += 8)
    {
      guint64 word = (*from * G_GUINT64_CONSTANT (0x0101010101010101))
                     & G_GUINT64_CONSTANT (0x8040201008040201);

      word = ((word + G_GUINT64_CONSTANT (0x7f7f7f7f7f7f7f7f)) >> 7)
             & G_GUINT64_CONSTANT (0x0101010101010101);
      word = GUINT64_TO_LE (word);
      memcpy (to, &word, sizeof word);
    }
  return done;
}

#define TABLE_ENTRY(bits, width) [width] = unpack##bits##_##width,
#define DEFINE_UNPACK(bits, WIDTHS, ...)                                                         \
  WIDTHS (DEFINE_STEPS, bits)                                                                     \
  void                                                                                            \
  stria_bits_unpack##bits (const guint8 *from, const guint8 *end, guint width, gsize skip,        \
                           guint##bits *to, gsize n)                                              \
  {                                                                                               \
    static gsize (*const steps[bits + 1]) (const guint8 *, const guint8 *, guint##bits *, gsize)  \
      = { __VA_ARGS__ WIDTHS (TABLE_ENTRY, bits) };                                               \
    gsize i = 0;                                                                                  \
                                                                                                  \
    g_assert (width <= bits);                                                                     \
    if (width == 0)                                                                               \
      {                                                                                           \
        memset (to, 0, n * sizeof *to);                                                           \
        return;                                                                                   \
      }                                                                                           \
    for (; i < n && (skip + i) % 8 != 0; i++)                                                     \
      to[i] = (guint##bits) get_slow (from, end, (guint64) (skip + i) * width, width);            \
    if (n - i >= 8)                                                                               \
      i += steps[width](from + (skip + i) / 8 * width, end, to + i, n - i);                       \
    for (; i < n; i++)                                                                            \
      to[i] = (guint##bits) get_slow (from, end, (guint64) (skip + i) * width, width);            \
  }

DEFINE_UNPACK (8, WIDTHS_8, [1] = unpack8_1, )
DEFINE_UNPACK (32, WIDTHS_32)
DEFINE_UNPACK (64, WIDTHS_64)

void
stria_bits_unpack8_high (const guint8 *from, guint width, gsize skip, guint8 *to, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      guint64 bit = (guint64) (skip + i) * width;
      guint value = 0;

      for (guint k = 0; k < width; k++, bit++)
        value = value << 1 | (from[bit / 8] >> (7 - bit % 8) & 1);
      to[i] = (guint8) value;
    }
}

void
stria_rle_init (StriaRle *self, const guint8 *data, gsize length, guint width)
{
  *self = (StriaRle){ .at = data, .end = data + length, .width = width };
}

gboolean
stria_rle_run (StriaRle *self)
{
  while (self->left == 0)
    {
      gsize bytes = (self->width + 7) / 8;
      guint64 head = 0;

      for (guint shift = 0;; shift += 7)
        {
          guint8 byte;

          if (self->at == self->end || shift > 35)
            return FALSE;
          byte = *self->at++;
          head |= (guint64) (byte & 0x7f) << shift;
          if (byte < 0x80)
            break;
        }
      self->packed = head & 1;
      if (self->packed)
        {
          guint64 n = (head >> 1) * 8;
          guint64 left = (guint64) (self->end - self->at);

          /* Some writers leave the padding of the last eight out. */
          if (self->width != 0 && n * self->width > left * 8)
            n = left * 8 / self->width;
          self->run = self->at;
          self->used = 0;
          self->left = n;
          self->at += MIN (left, (n * self->width + 7) / 8);
          if (n == 0 && head >> 1 != 0)
            return FALSE;
        }
      else
        {
          if ((gsize) (self->end - self->at) < bytes)
            return FALSE;
          self->value = 0;
          for (gsize i = 0; i < bytes; i++)
            self->value |= (guint32) self->at[i] << (8 * i);
          self->at += bytes;
          self->left = head >> 1;
        }
    }
  return TRUE;
}

gsize
stria_rle_read8 (StriaRle *self, guint8 *to, gsize n)
{
  gsize done = 0;

  while (done < n && stria_rle_run (self))
    {
      gsize m = MIN (n - done, self->left);

      if (self->packed)
        {
          stria_bits_unpack8 (self->run, self->at, self->width, self->used, to + done, m);
          self->used += m;
        }
      else
        memset (to + done, (guint8) self->value, m);
      self->left -= m;
      done += m;
    }
  return done;
}

gsize
stria_rle_read32 (StriaRle *self, guint32 *to, gsize n)
{
  gsize done = 0;

  while (done < n && stria_rle_run (self))
    {
      gsize m = MIN (n - done, self->left);

      if (self->packed)
        {
          stria_bits_unpack32 (self->run, self->at, self->width, self->used, to + done, m);
          self->used += m;
        }
      else
        for (gsize i = 0; i < m; i++)
          to[done + i] = self->value;
      self->left -= m;
      done += m;
    }
  return done;
}

gsize
stria_rle_skip (StriaRle *self, gsize n)
{
  gsize done = 0;

  while (done < n && stria_rle_run (self))
    {
      gsize m = MIN (n - done, self->left);

      self->used += m;
      self->left -= m;
      done += m;
    }
  return done;
}
