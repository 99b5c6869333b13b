/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-load.h"
#include "stria-pb-frames.h"
#include "stria-proto-private.h"

void
stria_frame_walk_init (StriaFrameWalk *self, StriaProtoSchema *schema, StriaStreamKind kind,
                       const StriaFrames *frames, const guint8 *data, gsize length)
{
  *self = (StriaFrameWalk) {
    .framing = frames->framing,
    .field = frames->field,
    .data = data,
    .length = length,
    .at = MIN (frames->begin, length),
  };
  if (kind == STRIA_STREAM_EVENTS)
    self->map = stria_proto_schema_number (schema, "ntrace_event", "attributes");
  if (frames->framing == STRIA_FRAMING_INFO)
    {
      self->info = stria_proto_schema_message (schema, "ntrace_info");
      self->field = stria_proto_schema_number (schema, "ntrace_info", "events");
    }
}

/* The length @said in front of the record at @position. */
static StriaFrameStep
take (StriaFrameWalk *self, gsize position, guint64 said, gsize *offset, gsize *n)
{
  if (said > STRIA_FRAME_MAX_RECORD)
    return STRIA_FRAME_BAD;
  if (said > self->length - position)
    return STRIA_FRAME_CUT;
  *offset = position;
  *n = said;
  self->at = position + said;
  return STRIA_FRAME_RECORD;
}

static StriaFrameStep
next_varint (StriaFrameWalk *self, gsize *offset, gsize *n)
{
  gsize left = self->length - self->at;
  guint64 said;
  guint taken = stria_load_varint (self->data + self->at, left, &said);

  if (taken == 0)
    return left < 10 ? STRIA_FRAME_CUT : STRIA_FRAME_BAD;
  return take (self, self->at + taken, said, offset, n);
}

static StriaFrameStep
next_fixed (StriaFrameWalk *self, guint width, gsize *offset, gsize *n)
{
  const guint8 *at = self->data + self->at;

  if (self->length - self->at < width)
    return STRIA_FRAME_CUT;
  return take (self, self->at + width, width == 4 ? stria_load32 (at) : stria_load64 (at), offset,
               n);
}

static StriaFrameStep
next_wrapped (StriaFrameWalk *self, gsize *offset, gsize *n)
{
  gsize left = self->length - self->at;
  guint64 tag, said;
  guint taken = stria_load_varint (self->data + self->at, left, &tag);
  guint more;

  if (taken == 0)
    return left < 5 ? STRIA_FRAME_CUT : STRIA_FRAME_BAD;
  if (tag != ((guint64) self->field << 3 | STRIA_WIRE_BYTES))
    return STRIA_FRAME_BAD;
  more = stria_load_varint (self->data + self->at + taken, left - taken, &said);
  if (more == 0)
    return left - taken < 10 ? STRIA_FRAME_CUT : STRIA_FRAME_BAD;
  return take (self, self->at + taken + more, said, offset, n);
}

static StriaFrameStep
after_fault (const StriaWire *wire)
{
  if (wire->fault == STRIA_WIRE_OK)
    return STRIA_FRAME_END;
  /* What ends too early at the end of the file may have been cut off there. */
  if (wire->fault == STRIA_WIRE_SHORT || wire->fault == STRIA_WIRE_BAD_LENGTH)
    return wire->limit - wire->fault_at <= STRIA_FRAME_MAX_RECORD ? STRIA_FRAME_CUT
                                                                  : STRIA_FRAME_BAD;
  return STRIA_FRAME_BAD;
}

static StriaFrameStep
next_info (StriaFrameWalk *self, gsize *offset, gsize *n)
{
  const StriaProtoField *known;
  StriaWireField field;
  StriaWire wire;

  stria_wire_init (&wire, self->data, self->length);
  wire.position = self->at;
  while (stria_wire_next (&wire, &field))
    {
      if (field.number == self->field && field.type == STRIA_WIRE_BYTES)
        return take (self, (gsize) (field.bytes - self->data), field.length, offset, n);
      known = stria_proto_message_field (self->info, field.number);
      if (known == NULL || field.type != stria_proto_wire_type (known->type))
        return STRIA_FRAME_BAD;
      self->at = wire.position;
    }
  return after_fault (&wire);
}

static StriaFrameStep
next_bare (StriaFrameWalk *self, gsize *offset, gsize *n)
{
  guint32 last = 0;
  StriaWireField field;
  StriaWire wire;

  stria_wire_init (&wire, self->data, self->length);
  wire.position = self->at;
  while (stria_wire_next (&wire, &field))
    {
      if (field.number < last || (field.number == last && last != self->map))
        return take (self, self->at, field.offset - self->at, offset, n);
      last = field.number;
      if (wire.position - self->at > STRIA_FRAME_MAX_RECORD)
        return STRIA_FRAME_BAD;
    }
  if (wire.fault != STRIA_WIRE_OK)
    return after_fault (&wire);
  return take (self, self->at, self->length - self->at, offset, n);
}

StriaFrameStep
stria_frame_walk_next (StriaFrameWalk *self, gsize *offset, gsize *n)
{
  if (self->at >= self->length)
    return STRIA_FRAME_END;
  switch (self->framing)
    {
    case STRIA_FRAMING_VARINT:
      return next_varint (self, offset, n);
    case STRIA_FRAMING_U32:
      return next_fixed (self, 4, offset, n);
    case STRIA_FRAMING_U64:
      return next_fixed (self, 8, offset, n);
    case STRIA_FRAMING_WRAPPED:
      return next_wrapped (self, offset, n);
    case STRIA_FRAMING_INFO:
      return next_info (self, offset, n);
    default:
      return next_bare (self, offset, n);
    }
}
