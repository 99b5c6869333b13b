/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-reader.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-error.h"

#define VARINT_MAX_BYTES 10

static void
fault (StriaReader *self, StriaReaderFault kind, guint64 wanted)
{
  if (self->fault != STRIA_READER_OK)
    return;
  self->fault = kind;
  self->fault_at = self->position;
  self->fault_wanted = wanted;
}

static const guint8 *
take (StriaReader *self, guint64 length)
{
  const guint8 *at;

  if (self->fault != STRIA_READER_OK)
    return NULL;
  if (length > self->limit - self->position)
    {
      fault (self, STRIA_READER_SHORT, length);
      return NULL;
    }
  at = self->data + self->position;
  self->position += length;
  return at;
}

void
stria_reader_init (StriaReader *self, const void *data, gsize length)
{
  /* A pointer that is never NULL, so that no bytes (of length 0) are not taken for a fault. */
  *self = (StriaReader) { .data = data != NULL ? data : (const void *) "", .limit = length };
}

StriaReader
stria_reader_sub (StriaReader *self, guint64 length)
{
  StriaReader sub;

  if (self->fault == STRIA_READER_OK && length > self->limit - self->position)
    fault (self, STRIA_READER_SHORT, length);
  sub = *self;
  if (self->fault == STRIA_READER_OK)
    {
      sub.limit = self->position + length;
      self->position += length;
    }
  return sub;
}

guint8
stria_reader_u8 (StriaReader *self)
{
  const guint8 *at = take (self, 1);

  return at != NULL ? *at : 0;
}

guint16
stria_reader_u16 (StriaReader *self)
{
  const guint8 *at = take (self, sizeof (guint16));
  guint16 value = 0;

  if (at != NULL)
    memcpy (&value, at, sizeof value);
  return GUINT16_FROM_LE (value);
}

guint32
stria_reader_u32 (StriaReader *self)
{
  const guint8 *at = take (self, sizeof (guint32));
  guint32 value = 0;

  if (at != NULL)
    memcpy (&value, at, sizeof value);
  return GUINT32_FROM_LE (value);
}

guint64
stria_reader_u64 (StriaReader *self)
{
  const guint8 *at = take (self, sizeof (guint64));
  guint64 value = 0;

  if (at != NULL)
    memcpy (&value, at, sizeof value);
  return GUINT64_FROM_LE (value);
}

float
stria_reader_f32 (StriaReader *self)
{
  guint32 bits = stria_reader_u32 (self);
  float value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

double
stria_reader_f64 (StriaReader *self)
{
  guint64 bits = stria_reader_u64 (self);
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

guint64
stria_reader_varint (StriaReader *self)
{
  guint64 value = 0;
  gsize begin = self->position;

  for (guint i = 0; i < VARINT_MAX_BYTES; i++)
    {
      const guint8 *at = take (self, 1);

      if (at == NULL)
        return 0;
      /* The tenth byte holds the one bit that is left of 64. */
      if (i == VARINT_MAX_BYTES - 1 && *at > 1)
        break;
      value |= (guint64) (*at & 0x7f) << (7 * i);
      if ((*at & 0x80) == 0)
        return value;
    }
  self->position = begin;
  fault (self, STRIA_READER_LONG_VARINT, 0);
  return 0;
}

const guint8 *
stria_reader_bytes (StriaReader *self, guint64 length)
{
  return take (self, length);
}

const char *
stria_reader_cstring (StriaReader *self)
{
  const guint8 *at = self->data + self->position;
  const guint8 *end;

  if (self->fault != STRIA_READER_OK)
    return NULL;
  end = memchr (at, 0, self->limit - self->position);
  if (end == NULL)
    {
      fault (self, STRIA_READER_OPEN_TEXT, 0);
      return NULL;
    }
  self->position += end - at + 1;
  return (const char *) at;
}

void
stria_reader_skip (StriaReader *self, guint64 length)
{
  take (self, length);
}

void
stria_reader_seek (StriaReader *self, guint64 offset)
{
  if (self->fault != STRIA_READER_OK)
    return;
  if (offset > self->limit)
    fault (self, STRIA_READER_SHORT, offset > self->position ? offset - self->position : 0);
  else
    self->position = offset;
}

void
stria_reader_align (StriaReader *self, gsize alignment)
{
  gsize over = self->position & (alignment - 1);

  g_return_if_fail (alignment > 0 && (alignment & (alignment - 1)) == 0);

  if (over > 0)
    stria_reader_skip (self, alignment - over);
}

gsize
stria_reader_left (const StriaReader *self)
{
  return self->fault == STRIA_READER_OK ? self->limit - self->position : 0;
}

gboolean
stria_reader_failed (const StriaReader *self)
{
  return self->fault != STRIA_READER_OK;
}

gboolean
stria_reader_check (const StriaReader *self, const char *name, const char *what, GError **error)
{
  switch (self->fault)
    {
    case STRIA_READER_OK:
      return TRUE;
    case STRIA_READER_SHORT:
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_TRUNCATED,
                   _("%s: the %s ends early at byte 0x%zx: expected %" PRIu64
                     " more bytes, found %zu"),
                   name, what, self->fault_at, self->fault_wanted, self->limit - self->fault_at);
      return FALSE;
    case STRIA_READER_LONG_VARINT:
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                   _("%s: the %s is damaged at byte 0x%zx: expected a number of at most %d bytes, "
                     "found a longer one"),
                   name, what, self->fault_at, VARINT_MAX_BYTES);
      return FALSE;
    case STRIA_READER_OPEN_TEXT:
    default:
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                   _("%s: the %s is damaged at byte 0x%zx: expected a text that ends in a zero "
                     "byte, found none"),
                   name, what, self->fault_at);
      return FALSE;
    }
}
