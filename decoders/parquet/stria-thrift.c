/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-thrift.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "stria-error.h"

void
stria_thrift_fault (StriaThrift *self, int code, gsize position, const char *format, ...)
{
  va_list args;

  if (self->failed)
    return;
  self->failed = TRUE;
  self->code = code;
  self->fault_at = self->base + position;
  va_start (args, format);
  self->fault = g_strdup_vprintf (format, args);
  va_end (args);
}

static gboolean
need (StriaThrift *self, guint64 n)
{
  if (G_LIKELY (!self->failed && n <= self->limit - self->position))
    return TRUE;
  if (!self->failed)
    {
      self->is_short = TRUE;
      stria_thrift_fault (self, STRIA_ERROR_TRUNCATED, self->position,
                          _("expected %" PRIu64 " bytes of metadata, found %" PRIu64), n,
                          (guint64) (self->limit - self->position));
    }
  return FALSE;
}

static guint64
read_varint (StriaThrift *self)
{
  gsize start = self->position;
  guint64 value = 0;

  for (guint shift = 0; shift < 64; shift += 7)
    {
      guint8 byte;

      if (!need (self, 1))
        return 0;
      byte = self->data[self->position++];
      if (shift == 63 && byte > 1)
        break;
      value |= (guint64) (byte & 0x7f) << shift;
      if (byte < 0x80)
        return value;
    }
  stria_thrift_fault (self, STRIA_ERROR_MALFORMED, start,
                      _("expected a number of at most 64 bits, found a longer one"));
  return 0;
}

static gint64
read_zigzag (StriaThrift *self)
{
  guint64 value = read_varint (self);

  return (gint64) (value >> 1) ^ -(gint64) (value & 1);
}

static gboolean
enter (StriaThrift *self)
{
  if (self->failed)
    return FALSE;
  if (self->depth >= STRIA_THRIFT_MAX_DEPTH)
    {
      stria_thrift_fault (self, STRIA_ERROR_LIMIT, self->position,
                          _("expected at most %d structures inside each other, found more"),
                          STRIA_THRIFT_MAX_DEPTH);
      return FALSE;
    }
  self->depth++;
  return TRUE;
}

static void
wrong_type (StriaThrift *self, guint expected, guint found)
{
  stria_thrift_fault (self, STRIA_ERROR_MALFORMED, self->position,
                      _("expected metadata of type %u, found type %u"), expected, found);
}

void
stria_thrift_init (StriaThrift *self, const char *name, const guint8 *data, gsize length,
                   guint64 base)
{
  *self = (StriaThrift){ .name = name, .data = data, .limit = length, .base = base };
}

void
stria_thrift_clear (StriaThrift *self)
{
  g_clear_pointer (&self->fault, g_free);
}

gboolean
stria_thrift_field (StriaThrift *self, StriaThriftStruct *s)
{
  guint8 head;

  if (!s->open)
    {
      if (!enter (self))
        return FALSE;
      s->open = TRUE;
      s->id = 0;
    }
  if (!need (self, 1))
    return FALSE;
  head = self->data[self->position++];
  s->type = head & 0x0f;
  if (s->type == 0)
    {
      s->open = FALSE;
      self->depth--;
      return FALSE;
    }
  if (head >> 4 != 0)
    s->id += head >> 4;
  else
    s->id = (gint16) read_zigzag (self);
  if (s->type > STRIA_THRIFT_UUID)
    stria_thrift_fault (self, STRIA_ERROR_MALFORMED, self->position - 1,
                        _("expected a type from 0 to %d, found %u"), STRIA_THRIFT_UUID, s->type);
  return !self->failed;
}

/* @in_list: booleans take a byte there */
static void
skip (StriaThrift *self, guint8 type, gboolean in_list)
{
  StriaThriftStruct s = { 0 };
  guint8 element, value;
  guint64 n;
  gsize length;

  if (self->failed)
    return;
  switch (type)
    {
    case STRIA_THRIFT_TRUE:
    case STRIA_THRIFT_FALSE:
      if (in_list && need (self, 1))
        self->position++;
      break;
    case STRIA_THRIFT_I8:
      if (need (self, 1))
        self->position++;
      break;
    case STRIA_THRIFT_I16:
    case STRIA_THRIFT_I32:
    case STRIA_THRIFT_I64:
      read_varint (self);
      break;
    case STRIA_THRIFT_DOUBLE:
      if (need (self, 8))
        self->position += 8;
      break;
    case STRIA_THRIFT_UUID:
      if (need (self, 16))
        self->position += 16;
      break;
    case STRIA_THRIFT_BINARY:
      stria_thrift_binary (self, type, &length);
      break;
    case STRIA_THRIFT_LIST:
    case STRIA_THRIFT_SET:
      n = stria_thrift_list (self, STRIA_THRIFT_LIST, &element);
      if (n == 0)
        break;
      for (guint64 i = 0; i < n && !self->failed; i++)
        skip (self, element, TRUE);
      stria_thrift_leave (self);
      break;
    case STRIA_THRIFT_MAP:
      n = read_varint (self);
      if (n == 0 || !need (self, 1) || !enter (self))
        break;
      element = self->data[self->position] >> 4;
      value = self->data[self->position++] & 0x0f;
      if (need (self, n))
        for (guint64 i = 0; i < n && !self->failed; i++)
          {
            skip (self, element, TRUE);
            skip (self, value, TRUE);
          }
      stria_thrift_leave (self);
      break;
    case STRIA_THRIFT_STRUCT:
      while (stria_thrift_field (self, &s))
        skip (self, s.type, FALSE);
      break;
    default:
      wrong_type (self, STRIA_THRIFT_STRUCT, type);
      break;
    }
}

void
stria_thrift_skip (StriaThrift *self, guint8 type)
{
  skip (self, type, FALSE);
}

gboolean
stria_thrift_bool (StriaThrift *self, guint8 type)
{
  if (type != STRIA_THRIFT_TRUE && type != STRIA_THRIFT_FALSE)
    wrong_type (self, STRIA_THRIFT_TRUE, type);
  return type == STRIA_THRIFT_TRUE && !self->failed;
}

gboolean
stria_thrift_element_bool (StriaThrift *self)
{
  return need (self, 1) && self->data[self->position++] == STRIA_THRIFT_TRUE;
}

gint64
stria_thrift_i64 (StriaThrift *self, guint8 type)
{
  if (type == STRIA_THRIFT_I8)
    return need (self, 1) ? (gint8) self->data[self->position++] : 0;
  if (type != STRIA_THRIFT_I16 && type != STRIA_THRIFT_I32 && type != STRIA_THRIFT_I64)
    {
      wrong_type (self, STRIA_THRIFT_I64, type);
      return 0;
    }
  return read_zigzag (self);
}

gint32
stria_thrift_i32 (StriaThrift *self, guint8 type)
{
  gsize start = self->position;
  gint64 value = stria_thrift_i64 (self, type);

  if (value != (gint32) value)
    {
      stria_thrift_fault (self, STRIA_ERROR_MALFORMED, start,
                          _("expected a number of 32 bits, found %" PRId64), value);
      return 0;
    }
  return (gint32) value;
}

const guint8 *
stria_thrift_binary (StriaThrift *self, guint8 type, gsize *length)
{
  guint64 n;
  const guint8 *data;

  *length = 0;
  if (type != STRIA_THRIFT_BINARY)
    {
      wrong_type (self, STRIA_THRIFT_BINARY, type);
      return NULL;
    }
  n = read_varint (self);
  if (!need (self, n))
    return NULL;
  data = self->data + self->position;
  self->position += n;
  *length = n;
  return data;
}

guint32
stria_thrift_list (StriaThrift *self, guint8 type, guint8 *element)
{
  guint64 n;
  guint8 head;

  *element = 0;
  if (type != STRIA_THRIFT_LIST && type != STRIA_THRIFT_SET)
    {
      wrong_type (self, STRIA_THRIFT_LIST, type);
      return 0;
    }
  if (!need (self, 1))
    return 0;
  head = self->data[self->position++];
  *element = head & 0x0f;
  n = head >> 4;
  if (n == 15)
    n = read_varint (self);
  /* Each element takes a byte at least. */
  if (n == 0 || !need (self, n) || !enter (self))
    return 0;
  if (n > G_MAXUINT32)
    {
      stria_thrift_fault (self, STRIA_ERROR_LIMIT, self->position,
                          _("expected at most %u elements, found %" PRIu64), G_MAXUINT32, n);
      return 0;
    }
  return (guint32) n;
}

void
stria_thrift_leave (StriaThrift *self)
{
  if (!self->failed)
    self->depth--;
}

gboolean
stria_thrift_check (const StriaThrift *self, GError **error)
{
  if (!self->failed)
    return TRUE;
  g_set_error (error, STRIA_ERROR, self->code, _("%s: offset %" PRIu64 ": %s"), self->name,
               self->fault_at, self->fault);
  return FALSE;
}
