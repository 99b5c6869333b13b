/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-thrift.h"

G_BEGIN_DECLS

#define STRIA_THRIFT_WRITER_DEPTH 16

/* Writes Thrift's compact protocol. Lives on the stack; the bytes are the caller's. */
typedef struct
{
  GByteArray *bytes;
  gint16      last[STRIA_THRIFT_WRITER_DEPTH]; /* field of each open struct */
  guint       depth;
} StriaThriftWriter;

void stria_thrift_put_varint (GByteArray *bytes, guint64 value);
void stria_thrift_put_zigzag (GByteArray *bytes, gint64 value);

/* The outermost struct, and those that are elements of lists: @id 0 */
void stria_thrift_begin      (StriaThriftWriter *self, gint16 id);
void stria_thrift_end        (StriaThriftWriter *self);
void stria_thrift_put_i32    (StriaThriftWriter *self, gint16 id, gint32 value);
void stria_thrift_put_i64    (StriaThriftWriter *self, gint16 id, gint64 value);
void stria_thrift_put_bool   (StriaThriftWriter *self, gint16 id, gboolean value);
void stria_thrift_put_binary (StriaThriftWriter *self, gint16 id, const void *data, gsize length);
/* The elements follow: structs begun with id 0, or by the functions below */
void stria_thrift_put_list   (StriaThriftWriter *self, gint16 id, StriaThriftType element, guint n);
void stria_thrift_put_text   (StriaThriftWriter *self, const char *text);

G_END_DECLS
