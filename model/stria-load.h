/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* Little-endian numbers at any place. Whether the bytes are there is the caller's to know. */

static inline guint16
stria_load16 (const guint8 *p)
{
  guint16 value;

  memcpy (&value, p, sizeof value);
  return GUINT16_FROM_LE (value);
}

static inline guint32
stria_load32 (const guint8 *p)
{
  guint32 value;

  memcpy (&value, p, sizeof value);
  return GUINT32_FROM_LE (value);
}

static inline guint64
stria_load64 (const guint8 *p)
{
  guint64 value;

  memcpy (&value, p, sizeof value);
  return GUINT64_FROM_LE (value);
}

/* Bytes that hold any number up to @largest: 0, 1, 2, 4 or 8 */
static inline guint
stria_store_width (guint64 largest)
{
  return largest == 0             ? 0
         : largest <= G_MAXUINT8  ? 1
         : largest <= G_MAXUINT16 ? 2
         : largest <= G_MAXUINT32 ? 4
                                  : 8;
}

/* Base-128 number, low group first. Returns: bytes that it takes, at most 10; 0 if it does not end
 * in @length bytes or is no number of 64 bits */
static inline guint
stria_load_varint (const guint8 *p, gsize length, guint64 *value)
{
  guint64 n = 0;

  for (guint i = 0; i < 10 && i < length; i++)
    {
      n |= (guint64) (p[i] & 0x7f) << (7 * i);
      if (p[i] < 0x80)
        {
          /* The tenth byte holds the one bit that is left of 64. */
          if (i == 9 && p[i] > 1)
            return 0;
          *value = n;
          return i + 1;
        }
    }
  return 0;
}

G_END_DECLS
