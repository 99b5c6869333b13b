/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-wire.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-load.h"

#define MAX_NUMBER ((1u << 29) - 1)

void
stria_wire_init (StriaWire *self, const void *data, gsize length)
{
  *self = (StriaWire){ .data = data, .limit = length };
}

static gboolean
fail (StriaWire *self, StriaWireFault fault, gsize at)
{
  self->fault = fault;
  self->fault_at = at;
  return FALSE;
}

static StriaWireFault
varint_fault (gsize left)
{
  return left < 10 ? STRIA_WIRE_SHORT : STRIA_WIRE_LONG_VARINT;
}

/**
 * stria_wire_next:
 * @field: (out): the field
 *
 * Returns: whether there was one more field that could be read
 */
gboolean
stria_wire_next (StriaWire *self, StriaWireField *field)
{
  gsize at = self->position;
  guint64 tag, value = 0;
  guint n;

  if (self->fault != STRIA_WIRE_OK || at >= self->limit)
    return FALSE;
  n = stria_load_varint (self->data + at, self->limit - at, &tag);
  if (n == 0)
    return fail (self, varint_fault (self->limit - at), self->position);
  at += n;
  if (tag >> 3 == 0 || tag >> 3 > MAX_NUMBER)
    return fail (self, STRIA_WIRE_BAD_NUMBER, self->position);

  *field = (StriaWireField){
    .number = (guint32)(tag >> 3),
    .type = tag & 7,
    .offset = self->position,
  };
  switch (tag & 7)
    {
    case STRIA_WIRE_VARINT:
    case STRIA_WIRE_BYTES:
      n = stria_load_varint (self->data + at, self->limit - at, &value);
      if (n == 0)
        return fail (self, varint_fault (self->limit - at), self->position);
      at += n;
      if (field->type == STRIA_WIRE_VARINT)
        break;
      if (value > self->limit - at)
        return fail (self, STRIA_WIRE_BAD_LENGTH, self->position);
      field->bytes = self->data + at;
      field->length = value;
      at += value;
      value = 0;
      break;
    case STRIA_WIRE_FIXED64:
    case STRIA_WIRE_FIXED32:
      n = field->type == STRIA_WIRE_FIXED64 ? 8 : 4;
      if (self->limit - at < n)
        return fail (self, STRIA_WIRE_SHORT, self->position);
      value = n == 8 ? stria_load64 (self->data + at) : stria_load32 (self->data + at);
      at += n;
      break;
    case 3:
    case 4:
      return fail (self, STRIA_WIRE_GROUP, self->position);
    default:
      return fail (self, STRIA_WIRE_BAD_TYPE, self->position);
    }
  field->value = value;
  self->position = at;
  return TRUE;
}

gboolean
stria_wire_is_done (const StriaWire *self)
{
  return self->fault == STRIA_WIRE_OK && self->position == self->limit;
}

const char *
stria_wire_fault_text (StriaWireFault fault)
{
  switch (fault)
    {
    case STRIA_WIRE_SHORT:
      return _ ("a value is cut off");
    case STRIA_WIRE_LONG_VARINT:
      return _ ("a number is longer than 64 bits");
    case STRIA_WIRE_BAD_NUMBER:
      return _ ("a field has a number that cannot be");
    case STRIA_WIRE_GROUP:
      return _ ("a field is a group");
    case STRIA_WIRE_BAD_TYPE:
      return _ ("a field has a wire type that does not exist");
    case STRIA_WIRE_BAD_LENGTH:
      return _ ("a field is longer than what it lies in");
    case STRIA_WIRE_OK:
    default:
      return "";
    }
}

gboolean
stria_wire_is_message (const void *data, gsize length, guint64 *n_fields)
{
  StriaWire wire;
  StriaWireField field;
  guint64 n = 0;

  stria_wire_init (&wire, data, length);
  while (stria_wire_next (&wire, &field))
    n++;
  if (n_fields != NULL)
    *n_fields = n;
  return stria_wire_is_done (&wire);
}

gboolean
stria_wire_is_packed (const guint8 *data, gsize length, StriaWireType element)
{
  switch (element)
    {
    case STRIA_WIRE_FIXED32:
      return length % 4 == 0;
    case STRIA_WIRE_FIXED64:
      return length % 8 == 0;
    case STRIA_WIRE_VARINT:
      for (gsize at = 0; at < length;)
        {
          guint64 value;
          guint n = stria_load_varint (data + at, length - at, &value);

          if (n == 0)
            return FALSE;
          at += n;
        }
      return TRUE;
    case STRIA_WIRE_BYTES:
    default:
      return FALSE;
    }
}
