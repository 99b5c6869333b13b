/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-proto-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-error.h"

#define REFERENCE_BYTES 16
/* What a message inside takes beside its content, when its length is written before it is known */
#define PADDED_LENGTH 5

typedef struct
{
  const guint8 *base;
  GByteArray *out; /* (nullable): only looks */
  gsize limit;
  StriaProtoFlags flags;
  StriaProtoReport *report;
  guint32 path[STRIA_WIRE_MAX_DEPTH];
  guint depth;
  gboolean too_deep;
  gboolean too_long;
} Walk;

static const ProtobufCFieldDescriptor *
find_field (const ProtobufCMessageDescriptor *descriptor, guint32 number)
{
  unsigned low = 0, high = descriptor->n_fields;

  if (number <= high && descriptor->fields[number - 1].id == number)
    return &descriptor->fields[number - 1];
  while (low < high)
    {
      unsigned middle = low + (high - low) / 2;

      if (descriptor->fields[middle].id == number)
        return &descriptor->fields[middle];
      if (descriptor->fields[middle].id < number)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

static void
note_bad (Walk *self, guint32 number)
{
  g_autoptr (GString) path = NULL;

  if (self->report->first_bad[0] != '\0')
    return;
  path = g_string_new (NULL);
  for (guint i = 0; i < self->depth; i++)
    g_string_append_printf (path, "%u.", self->path[i]);
  g_string_append_printf (path, "%u", number);
  g_strlcpy (self->report->first_bad, path->str, sizeof self->report->first_bad);
}

static void
put (Walk *self, const void *data, gsize length)
{
  if (self->out == NULL || self->too_long)
    return;
  if (length > self->limit - self->out->len)
    self->too_long = TRUE;
  else
    g_byte_array_append (self->out, data, (guint)length);
}

static void
put_varint (Walk *self, guint64 value)
{
  guint8 bytes[10];
  guint n = 0;

  for (; value >= 0x80; value >>= 7)
    bytes[n++] = (guint8)(value | 0x80);
  bytes[n++] = (guint8)value;
  put (self, bytes, n);
}

static void
put_reference (Walk *self, const StriaWireField *field)
{
  guint64 where[2] = { (guint64)(field->bytes - self->base), field->length };

  put_varint (self, (guint64)field->number << 3 | STRIA_WIRE_BYTES);
  put_varint (self, field->length > 0 ? REFERENCE_BYTES : 0);
  if (field->length > 0)
    put (self, where, REFERENCE_BYTES);
}

static gboolean
fits (const ProtobufCFieldDescriptor *known, const StriaWireField *field)
{
  StriaWireType single = stria_proto_wire_type (known->type);

  if (field->type == single)
    return TRUE;
  return field->type == STRIA_WIRE_BYTES && known->label == PROTOBUF_C_LABEL_REPEATED
         && stria_wire_is_packed (field->bytes, field->length, single);
}

static gboolean walk_message (Walk *self, const ProtobufCMessageDescriptor *descriptor,
                              const guint8 *data, gsize length);

static void
walk_inner (Walk *self, const ProtobufCFieldDescriptor *known, const StriaWireField *field)
{
  guint before = self->out != NULL ? self->out->len : 0, start;
  guint8 padded[PADDED_LENGTH] = { 0x80, 0x80, 0x80, 0x80, 0 };
  gboolean good;

  if (self->depth + 1 >= STRIA_WIRE_MAX_DEPTH)
    {
      self->too_deep = TRUE;
      return;
    }
  put_varint (self, (guint64)field->number << 3 | STRIA_WIRE_BYTES);
  put (self, padded, sizeof padded);
  start = self->out != NULL ? self->out->len : 0;
  self->path[self->depth++] = field->number;
  good = walk_message (self, known->descriptor, field->bytes, field->length);
  self->depth--;
  if (!good)
    {
      self->report->n_broken++;
      note_bad (self, field->number);
    }
  if (self->out == NULL || self->too_long)
    return;
  if (!good)
    {
      g_byte_array_set_size (self->out, before);
      return;
    }
  for (guint i = 0, n = self->out->len - start; i < PADDED_LENGTH; i++, n >>= 7)
    self->out->data[start - PADDED_LENGTH + i]
        = (guint8)((n & 0x7F) | (i + 1 < PADDED_LENGTH ? 0x80 : 0));
}

/* Returns: whether the bytes are fields up to their end */
static gboolean
walk_message (Walk *self, const ProtobufCMessageDescriptor *descriptor, const guint8 *data,
              gsize length)
{
  StriaWire wire;
  StriaWireField field;

  self->report->n_messages++;
  stria_wire_init (&wire, data, length);
  while (!self->too_deep && !self->too_long && stria_wire_next (&wire, &field))
    {
      const ProtobufCFieldDescriptor *known = find_field (descriptor, field.number);

      self->report->n_fields++;
      if (known == NULL)
        self->report->n_unknown++;
      else if (!fits (known, &field))
        {
          self->report->n_mismatched++;
          note_bad (self, field.number);
        }
      else if (known->type == PROTOBUF_C_TYPE_MESSAGE)
        walk_inner (self, known, &field);
      else if (known->type == PROTOBUF_C_TYPE_BYTES && (self->flags & STRIA_PROTO_REFERENCES) != 0)
        put_reference (self, &field);
      else
        put (self, data + field.offset, wire.position - field.offset);
    }
  return wire.fault == STRIA_WIRE_OK;
}

static gboolean
walk_limit (const Walk *self, GError **error)
{
  if (self->too_deep)
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                 _ ("messages lie more than %d deep inside each other"), STRIA_WIRE_MAX_DEPTH);
  else if (self->too_long)
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                 _ ("the message needs more than %zu bytes"), self->limit);
  return self->too_deep || self->too_long;
}

gpointer
stria_proto_unpack (StriaProtoSchema *self, const ProtobufCMessageDescriptor *ours,
                    StriaProtoArena *arena, const guint8 *data, gsize length, StriaProtoFlags flags,
                    StriaProtoReport *report, GError **error)
{
  const ProtobufCMessageDescriptor *descriptor = stria_proto_schema_descriptor (self, ours);
  g_autoptr (GByteArray) copy = NULL;
  StriaProtoReport mine = { 0 }, *total = report != NULL ? report : &mine;
  StriaProtoReport before = *total;
  gsize limit = MIN (stria_proto_arena_get_limit (arena), G_MAXINT);
  Walk walk = { .base = data, .limit = limit, .flags = flags, .report = total };
  gpointer message;

  /* Most messages fit the schema: those are unpacked from where they lie. */
  if ((flags & STRIA_PROTO_REFERENCES) == 0 && length <= limit)
    {
      gboolean good = walk_message (&walk, descriptor, data, length);

      if (walk_limit (&walk, error))
        return NULL;
      if (!good || total->n_unknown != before.n_unknown || total->n_broken != before.n_broken
          || total->n_mismatched != before.n_mismatched)
        {
          *total = before;
          copy = g_byte_array_new ();
        }
    }
  else
    copy = g_byte_array_new ();
  if (copy != NULL)
    {
      walk.out = copy;
      if (!walk_message (&walk, descriptor, data, length))
        {
          total->n_broken++;
          if (total->first_bad[0] == '\0')
            g_strlcpy (total->first_bad, "0", sizeof total->first_bad);
        }
      if (walk_limit (&walk, error))
        return NULL;
      data = copy->data;
      length = copy->len;
    }

  message = protobuf_c_message_unpack (descriptor, stria_proto_arena_allocator (arena), length,
                                       data != NULL ? data : (const guint8 *)"");
  if (message == NULL && stria_proto_arena_is_exhausted (arena))
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                 _ ("the message needs more than %zu bytes"), limit);
  else if (message == NULL)
    g_set_error_literal (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                         _ ("the message cannot be unpacked"));
  return message;
}

gboolean
stria_proto_reference (const ProtobufCBinaryData *field, guint64 *offset, guint64 *length)
{
  if (field->len != REFERENCE_BYTES)
    return FALSE;
  memcpy (offset, field->data, sizeof *offset);
  memcpy (length, field->data + sizeof *offset, sizeof *length);
  return TRUE;
}
