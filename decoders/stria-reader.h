/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  STRIA_READER_OK,
  STRIA_READER_SHORT,       /* fewer bytes left than asked for */
  STRIA_READER_LONG_VARINT, /* a varint of more than 10 bytes or 64 bits */
  STRIA_READER_OPEN_TEXT,   /* a text without its zero byte */
} StriaReaderFault;

/**
 * StriaReader:
 * @data: the bytes
 * @position: offset of the next one
 * @limit: offset behind the last one that may be read
 * @fault: what went wrong first
 * @fault_at: offset of it
 * @fault_wanted: how many bytes were asked for there
 *
 * Reads little-endian values from memory and never outside [0, @limit). The first fault is kept;
 * from then on every read answers 0 (or NULL) and the position stays, so a record can be read field
 * by field and checked once, with stria_reader_check(). Lives on the stack; owns nothing.
 */
typedef struct
{
  const guint8    *data;
  gsize            position;
  gsize            limit;
  StriaReaderFault fault;
  gsize            fault_at;
  guint64          fault_wanted;
} StriaReader;

void     stria_reader_init     (StriaReader *self, const void *data, gsize length);
/* A reader of the next @length bytes, at which @self is moved past them. Offsets stay those of
 * @self. With fewer bytes left, @self faults and the answer has faulted too. */
StriaReader stria_reader_sub   (StriaReader *self, guint64 length);

guint8   stria_reader_u8       (StriaReader *self);
guint16  stria_reader_u16      (StriaReader *self);
guint32  stria_reader_u32      (StriaReader *self);
guint64  stria_reader_u64      (StriaReader *self);
float    stria_reader_f32      (StriaReader *self);
double   stria_reader_f64      (StriaReader *self);
/* Base-128 number, low group first, at most 10 bytes (protobuf, LEB128) */
guint64  stria_reader_varint   (StriaReader *self);
/* Returns: (nullable): the next @length bytes, inside the data; NULL on a fault */
const guint8 *stria_reader_bytes (StriaReader *self, guint64 length);
/* Returns: (nullable): the text up to the next NUL, which is passed over; NULL on a fault */
const char *stria_reader_cstring (StriaReader *self);

void     stria_reader_skip     (StriaReader *self, guint64 length);
/* @offset: from the beginning of the data; up to the limit */
void     stria_reader_seek     (StriaReader *self, guint64 offset);
/* Moves on to the next multiple of @alignment (a power of two), counted from the beginning */
void     stria_reader_align    (StriaReader *self, gsize alignment);
gsize    stria_reader_left     (const StriaReader *self);
gboolean stria_reader_failed   (const StriaReader *self);

/**
 * stria_reader_check:
 * @name: base name of the file
 * @what: translated noun of what was being read ("event header")
 *
 * Returns: TRUE if nothing went wrong; else FALSE with %STRIA_ERROR_TRUNCATED or _MALFORMED that
 *   names the file, the offset, what was expected and what was found
 */
gboolean stria_reader_check    (const StriaReader *self, const char *name, const char *what,
                                GError **error);

G_END_DECLS
