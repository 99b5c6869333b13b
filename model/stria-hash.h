/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>
#include <string.h>

/* A 64-bit hash of bytes for tables in memory: eight bytes a step, folded multiply. Not for storage
 * and not against an adversary; tables that use it compare the whole key. */
static inline guint64
stria_hash_mix (guint64 a, guint64 b)
{
  unsigned __int128 product = (unsigned __int128) a * b;
  return (guint64) product ^ (guint64) (product >> 64);
}

static inline guint64
stria_hash_bytes (const void *data, gsize length)
{
  const guint8 *p = data;
  guint64 h = 0x9e3779b97f4a7c15u ^ length;
  guint64 word;

  for (; length >= 8; p += 8, length -= 8)
    {
      memcpy (&word, p, 8);
      h = stria_hash_mix (h ^ word, 0xd6e8feb86659fd93u);
    }
  if (length > 0)
    {
      word = 0;
      memcpy (&word, p, length);
      h = stria_hash_mix (h ^ word, 0xa0761d6478bd642fu);
    }
  return stria_hash_mix (h, 0xe7037ed1a0b428dbu);
}

static inline guint64
stria_hash_u64 (guint64 key)
{
  return stria_hash_mix (key ^ 0x9e3779b97f4a7c15u, 0xd6e8feb86659fd93u);
}
