/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Levels of messages inside messages; what is deeper is not looked into. */
#define STRIA_WIRE_MAX_DEPTH 32

typedef enum
{
  STRIA_WIRE_VARINT = 0,
  STRIA_WIRE_FIXED64 = 1,
  STRIA_WIRE_BYTES = 2,
  STRIA_WIRE_FIXED32 = 5,
} StriaWireType;

typedef enum
{
  STRIA_WIRE_OK,
  STRIA_WIRE_SHORT,       /* a value that does not end before the bytes do */
  STRIA_WIRE_LONG_VARINT, /* more than 10 bytes or 64 bits */
  STRIA_WIRE_BAD_NUMBER,  /* field number 0 or above 2^29 - 1 */
  STRIA_WIRE_GROUP,       /* wire types 3 and 4, which no message of proto3 has */
  STRIA_WIRE_BAD_TYPE,    /* wire types 6 and 7, which do not exist */
  STRIA_WIRE_BAD_LENGTH,  /* a length beyond the end */
} StriaWireFault;

/**
 * StriaWire:
 *
 * Walks the fields of one protobuf message, never outside its bytes. The first fault is kept and
 * ends the walk. Lives on the stack; owns nothing.
 */
typedef struct
{
  const guint8  *data;
  gsize          position; /* offset of the next field in @data */
  gsize          limit;
  StriaWireFault fault;
  gsize          fault_at; /* offset of the field that could not be read */
} StriaWire;

/**
 * StriaWireField:
 * @number: field number, 1 .. 2^29 - 1
 * @type: a #StriaWireType
 * @value: varints and fixed values; a 32-bit one is in the low half
 * @bytes: (nullable): what a field of type BYTES holds; inside the walked data
 * @length: how many
 * @offset: of the tag in the walked data
 */
typedef struct
{
  guint32       number;
  StriaWireType type;
  guint64       value;
  const guint8 *bytes;
  gsize         length;
  gsize         offset;
} StriaWireField;

void        stria_wire_init       (StriaWire *self, const void *data, gsize length);
/* Returns: FALSE at the end and at a fault */
gboolean    stria_wire_next       (StriaWire *self, StriaWireField *field);
/* TRUE when all bytes were walked without a fault */
gboolean    stria_wire_is_done    (const StriaWire *self);
/* Translated, without a full stop */
const char *stria_wire_fault_text (StriaWireFault fault);

/* Whether all of the bytes are fields, one after another (no bytes: TRUE), and how many */
gboolean    stria_wire_is_message (const void *data, gsize length, guint64 *n_fields);
/* Whether a packed list of numbers of one of the three types fills the bytes exactly */
gboolean    stria_wire_is_packed  (const guint8 *data, gsize length, StriaWireType element);

static inline gint64
stria_wire_zigzag (guint64 value)
{
  return (gint64)(value >> 1) ^ -(gint64)(value & 1);
}

G_END_DECLS
