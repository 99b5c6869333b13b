/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-parquet-delta.h"

#include "stria-load.h"
#include "stria-parquet-bits.h"

/* Any more in one block would be no block any more. */
#define MAX_BLOCK ((guint64) 1 << 30)

static gboolean
read_varint (const guint8 **at, const guint8 *end, guint64 *value)
{
  guint taken = stria_load_varint (*at, (gsize) (end - *at), value);

  if (taken == 0)
    return FALSE;
  *at += taken;
  return TRUE;
}

static guint64
zigzag (guint64 value)
{
  return (value >> 1) ^ -(value & 1);
}

gboolean
stria_delta_init (StriaDelta *self, const guint8 *data, gsize length)
{
  guint64 block, n_parts, total, first;

  *self = (StriaDelta){ .at = data, .end = data + length };
  if (!read_varint (&self->at, self->end, &block) || !read_varint (&self->at, self->end, &n_parts)
      || !read_varint (&self->at, self->end, &total) || !read_varint (&self->at, self->end, &first))
    return FALSE;
  if (block == 0 || block > MAX_BLOCK || block % 128 != 0 || n_parts == 0 || n_parts > block
      || block % n_parts != 0 || block / n_parts % 32 != 0)
    return FALSE;
  self->block = (guint32) block;
  self->n_parts = (guint32) n_parts;
  self->part = self->block / self->n_parts;
  self->part_at = self->n_parts;
  self->left = total;
  self->value = zigzag (first);
  self->has_first = total > 0;
  return TRUE;
}

/* Reads the head of a block. */
static gboolean
next_block (StriaDelta *self)
{
  guint64 least;

  if (!read_varint (&self->at, self->end, &least)
      || (gsize) (self->end - self->at) < self->n_parts)
    return FALSE;
  self->least = zigzag (least);
  self->widths = self->at;
  self->at += self->n_parts;
  self->part_at = 0;
  return TRUE;
}

/* Goes to the part of the block that has the next number. The last part of all may be cut behind
 * the last number that is needed. */
static gboolean
next_part (StriaDelta *self)
{
  guint64 bytes, needed;

  if (self->part_at == self->n_parts && !next_block (self))
    return FALSE;
  self->width = self->widths[self->part_at++];
  if (self->width > 64)
    return FALSE;
  self->available = (guint32) MIN (self->part, self->left);
  bytes = (guint64) self->part / 8 * self->width;
  needed = ((guint64) self->available * self->width + 7) / 8;
  if (needed > (gsize) (self->end - self->at))
    return FALSE;
  self->run = self->at;
  self->at += MIN (bytes, (gsize) (self->end - self->at));
  self->run_end = self->at;
  self->used = 0;
  return TRUE;
}

gsize
stria_delta_read (StriaDelta *self, gint64 *to, gsize n)
{
  gsize done = 0;

  if (self->has_first && n > 0)
    {
      to[done++] = (gint64) self->value;
      self->has_first = FALSE;
      self->left--;
    }
  while (done < n && self->left > 0)
    {
      guint64 value = self->value, least;
      gsize m;

      if (self->used == self->available && !next_part (self))
        {
          /* Nor will there be more the next time. */
          self->left = 0;
          break;
        }
      m = MIN (n - done, self->available - self->used);
      stria_bits_unpack64 (self->run, self->run_end, self->width, self->used,
                           (guint64 *) to + done, m);
      least = self->least;
      for (gsize i = done; i < done + m; i++)
        {
          value += least + (guint64) to[i];
          to[i] = (gint64) value;
        }
      self->value = value;
      self->used += m;
      self->left -= m;
      done += m;
    }
  return done;
}

const guint8 *
stria_delta_end (const StriaDelta *self)
{
  const guint8 *at = self->at;
  guint64 left = self->left > 0 ? self->left - 1 : 0;

  while (left > 0)
    {
      guint64 least;
      const guint8 *widths;

      if (!read_varint (&at, self->end, &least) || (gsize) (self->end - at) < self->n_parts)
        return NULL;
      widths = at;
      at += self->n_parts;
      for (guint32 i = 0; i < self->n_parts && left > 0; i++)
        {
          guint64 bytes = (guint64) self->part / 8 * widths[i];

          if (widths[i] > 64 || bytes > (gsize) (self->end - at))
            return NULL;
          at += bytes;
          left -= MIN (left, self->part);
        }
    }
  return at;
}
