/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define STRIA_THRIFT_MAX_DEPTH 24 /* structs and lists inside each other; Parquet needs nine */

/* Types of the compact protocol, of fields and of elements */
typedef enum
{
  STRIA_THRIFT_TRUE = 1, /* of a field; of an element: a boolean in a byte of its own */
  STRIA_THRIFT_FALSE = 2,
  STRIA_THRIFT_I8 = 3,
  STRIA_THRIFT_I16 = 4,
  STRIA_THRIFT_I32 = 5,
  STRIA_THRIFT_I64 = 6,
  STRIA_THRIFT_DOUBLE = 7,
  STRIA_THRIFT_BINARY = 8,
  STRIA_THRIFT_LIST = 9,
  STRIA_THRIFT_SET = 10,
  STRIA_THRIFT_MAP = 11,
  STRIA_THRIFT_STRUCT = 12,
  STRIA_THRIFT_UUID = 13,
} StriaThriftType;

/**
 * StriaThrift:
 *
 * Reads Thrift's compact protocol from memory and never outside it. The first fault is kept; from
 * then on there are no more fields, lists are empty and numbers are 0, so that a struct can be read
 * field by field and checked once, with stria_thrift_check(). Lives on the stack.
 *
 * |[
 *   StriaThriftStruct s = { 0 };
 *   while (stria_thrift_field (&thrift, &s))
 *     if (s.id == 1)
 *       n = stria_thrift_i32 (&thrift, s.type);
 *     else
 *       stria_thrift_skip (&thrift, s.type);
 * ]|
 */
typedef struct
{
  const char   *name; /* of the file */
  const guint8 *data;
  gsize         position;
  gsize         limit;
  guint64       base; /* where @data stands in the file, for messages */
  guint         depth;
  gboolean      failed;
  gboolean      is_short; /* the fault is that the bytes end */
  int           code;
  guint64       fault_at;
  char         *fault; /* translated */
} StriaThrift;

/* A struct that is being read; begins as zeroes. */
typedef struct
{
  gint32   id;   /* of the field at hand */
  guint8   type; /* of it */
  gboolean open;
} StriaThriftStruct;

void          stria_thrift_init   (StriaThrift *self, const char *name, const guint8 *data,
                                   gsize length, guint64 base);
void          stria_thrift_clear  (StriaThrift *self);
/* Moves to the next field, which must then be read or skipped. FALSE at the end or after a fault */
gboolean      stria_thrift_field  (StriaThrift *self, StriaThriftStruct *s);
/* Passes a value of @type, of a field. */
void          stria_thrift_skip   (StriaThrift *self, guint8 type);
/* The value of a field or element; another type than the one asked for is a fault. */
gboolean      stria_thrift_bool   (StriaThrift *self, guint8 type);
gint32        stria_thrift_i32    (StriaThrift *self, guint8 type); /* also of 8 and 16 bits */
gint64        stria_thrift_i64    (StriaThrift *self, guint8 type); /* also of fewer */
/* Returns: (nullable): the bytes, inside the data; NULL after a fault */
const guint8 *stria_thrift_binary (StriaThrift *self, guint8 type, gsize *length);
/* Begins a list. Returns: how many elements of type @element follow, never more than there are
 * bytes left; stria_thrift_leave() must follow them, unless there are none. */
guint32       stria_thrift_list   (StriaThrift *self, guint8 type, guint8 *element);
void          stria_thrift_leave  (StriaThrift *self);
/* A boolean in a list */
gboolean      stria_thrift_element_bool (StriaThrift *self);
/* Takes note of a fault at the place before @position */
void          stria_thrift_fault  (StriaThrift *self, int code, gsize position,
                                   const char *format, ...) G_GNUC_PRINTF (4, 5);
/* Returns: TRUE if nothing went wrong; else FALSE with %STRIA_ERROR_TRUNCATED, _MALFORMED or _LIMIT
 *   that names the file, the offset, what was expected and what was found */
gboolean      stria_thrift_check  (const StriaThrift *self, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (StriaThrift, stria_thrift_clear)

G_END_DECLS
