/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-thrift-writer.h"

#include <string.h>

void
stria_thrift_put_varint (GByteArray *bytes, guint64 value)
{
  guint8 buffer[10];
  guint n = 0;

  for (; value >= 0x80; value >>= 7)
    buffer[n++] = (guint8) (value | 0x80);
  buffer[n++] = (guint8) value;
  g_byte_array_append (bytes, buffer, n);
}

void
stria_thrift_put_zigzag (GByteArray *bytes, gint64 value)
{
  stria_thrift_put_varint (bytes, (guint64) value << 1 ^ (guint64) (value >> 63));
}

static void
put_head (StriaThriftWriter *self, gint16 id, guint8 type)
{
  gint16 *last = &self->last[self->depth - 1];
  guint8 head = type;

  if (id > *last && id - *last < 16)
    head |= (guint8) ((id - *last) << 4);
  g_byte_array_append (self->bytes, &head, 1);
  if (head == type)
    stria_thrift_put_zigzag (self->bytes, id);
  *last = id;
}

void
stria_thrift_begin (StriaThriftWriter *self, gint16 id)
{
  if (id != 0)
    put_head (self, id, STRIA_THRIFT_STRUCT);
  g_assert (self->depth < STRIA_THRIFT_WRITER_DEPTH);
  self->last[self->depth++] = 0;
}

void
stria_thrift_end (StriaThriftWriter *self)
{
  self->depth--;
  g_byte_array_append (self->bytes, (const guint8 *) "", 1);
}

void
stria_thrift_put_i32 (StriaThriftWriter *self, gint16 id, gint32 value)
{
  put_head (self, id, STRIA_THRIFT_I32);
  stria_thrift_put_zigzag (self->bytes, value);
}

void
stria_thrift_put_i64 (StriaThriftWriter *self, gint16 id, gint64 value)
{
  put_head (self, id, STRIA_THRIFT_I64);
  stria_thrift_put_zigzag (self->bytes, value);
}

void
stria_thrift_put_bool (StriaThriftWriter *self, gint16 id, gboolean value)
{
  put_head (self, id, value ? STRIA_THRIFT_TRUE : STRIA_THRIFT_FALSE);
}

void
stria_thrift_put_binary (StriaThriftWriter *self, gint16 id, const void *data, gsize length)
{
  put_head (self, id, STRIA_THRIFT_BINARY);
  stria_thrift_put_varint (self->bytes, length);
  g_byte_array_append (self->bytes, data, (guint) length);
}

void
stria_thrift_put_list (StriaThriftWriter *self, gint16 id, StriaThriftType element, guint n)
{
  guint8 head = (guint8) (MIN (n, 15) << 4 | element);

  put_head (self, id, STRIA_THRIFT_LIST);
  g_byte_array_append (self->bytes, &head, 1);
  if (n >= 15)
    stria_thrift_put_varint (self->bytes, n);
}

void
stria_thrift_put_text (StriaThriftWriter *self, const char *text)
{
  stria_thrift_put_varint (self->bytes, strlen (text));
  g_byte_array_append (self->bytes, (const guint8 *) text, (guint) strlen (text));
}
