/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-load.h"

G_BEGIN_DECLS

/* Numbers of @width bits each, lowest bit first, begun @skip numbers behind @from. All of
 * (@skip + @n) * @width bits must lie before @end; nothing behind it is read. Widths: up to 8, 32
 * and 64. */
void stria_bits_unpack8  (const guint8 *from, const guint8 *end, guint width, gsize skip,
                          guint8 *to, gsize n);
void stria_bits_unpack32 (const guint8 *from, const guint8 *end, guint width, gsize skip,
                          guint32 *to, gsize n);
void stria_bits_unpack64 (const guint8 *from, const guint8 *end, guint width, gsize skip,
                          guint64 *to, gsize n);
/* The same, highest bit first (BIT_PACKED levels of old files); width up to 8 */
void stria_bits_unpack8_high (const guint8 *from, guint width, gsize skip, guint8 *to, gsize n);

/* Bits that @value needs */
static inline guint
stria_bits_width (guint64 value)
{
  return value == 0 ? 0 : 64 - (guint) __builtin_clzll (value);
}

/**
 * StriaRle:
 *
 * Parquet's hybrid of runs and packed numbers. Lives on the stack or in a struct; owns nothing.
 */
typedef struct
{
  const guint8 *at;
  const guint8 *end;
  guint         width;
  guint64       left;   /* numbers in the run at hand */
  gboolean      packed;
  guint32       value;  /* of a run that is not packed */
  const guint8 *run;    /* of one that is */
  gsize         used;   /* numbers of it */
} StriaRle;

void  stria_rle_init     (StriaRle *self, const guint8 *data, gsize length, guint width);
/* The next run if the last one is used up. FALSE at the end, or when bytes are missing */
gboolean stria_rle_run   (StriaRle *self);
/* The next @n numbers. Returns: how many there were. */
gsize stria_rle_read8    (StriaRle *self, guint8 *to, gsize n);
gsize stria_rle_read32   (StriaRle *self, guint32 *to, gsize n);
gsize stria_rle_skip     (StriaRle *self, gsize n);

G_END_DECLS
