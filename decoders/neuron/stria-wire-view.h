/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-proto.h"

G_BEGIN_DECLS

/* Fields by path that are told apart; what comes later is counted only. */
#define STRIA_WIRE_MAX_LINES 20000
/* Values that are kept of each */
#define STRIA_WIRE_MAX_VALUES 3

typedef enum
{
  STRIA_WIRE_FORM_MESSAGE, /* the file is one message */
  STRIA_WIRE_FORM_NTFF,    /* a header, a message, and bytes behind it */
  STRIA_WIRE_FORM_VARINT,  /* messages, each behind its length as a varint */
  STRIA_WIRE_FORM_U32,     /* the same, four bytes */
  STRIA_WIRE_FORM_U64,     /* the same, eight bytes */
  STRIA_WIRE_FORM_NONE,    /* neither: what can be read from the first byte on */
} StriaWireForm;

/**
 * StriaWireLine:
 * @path: numbers of the fields that lead to it, "4.4.1.6"
 * @name: (nullable): by the schema
 * @message: (nullable): name of the message that it holds, by the schema
 * @depth: of the path, from 1
 * @is_message: it holds a message: by the schema, or because all that was met could be one
 * @mismatched: how often its wire type was not the schema's
 * @types: bits 1 << #StriaWireType of the wire types that were met
 * @count: how often
 * @bytes: of all contents
 * @least: shortest content
 * @most: longest
 * @values: (element-type utf8): the first few, if they were asked for; JSON texts
 */
typedef struct
{
  char *path;
  char *name;
  char *message;
  guint depth;
  gboolean is_message;
  guint64 mismatched;
  guint types;
  guint64 count;
  guint64 bytes;
  guint64 least;
  guint64 most;
  GPtrArray *values;
} StriaWireLine;

/**
 * StriaWireView:
 * @form: how the bytes are messages
 * @message: (nullable): name of the outermost message, by the schema that fits best
 * @schema: (nullable): base name of the user's definitions, NULL for ours
 * @version: of the header
 * @n_messages: outermost messages
 * @message_bytes: of these
 * @other_bytes: of the file, in none of them
 * @fault: (nullable): why the last message could not be read to its end (translated), and where
 * @lines: (element-type StriaWireLine): by path
 * @n_left_out: fields beyond %STRIA_WIRE_MAX_LINES
 *
 * All fields of a file's messages by path, with and without names, and without their values unless
 * those are asked for.
 */
typedef struct
{
  StriaWireForm form;
  char *message;
  char *schema;
  guint version;
  guint64 n_messages;
  guint64 message_bytes;
  guint64 other_bytes;
  char *fault;
  guint64 fault_at;
  GPtrArray *lines;
  guint64 n_left_out;
} StriaWireView;

/* @values: keeps some */
StriaWireView *stria_wire_view_new      (StriaProtoSchema *schema, const guint8 *data, gsize length,
                                         gboolean values);
/* As above of a file, which may be compressed. NULL with @error if it cannot be read */
StriaWireView *stria_wire_view_new_file (StriaProtoSchema *schema, const char *path,
                                         gboolean values, GCancellable *cancellable,
                                         GError **error);
void           stria_wire_view_free     (StriaWireView *self);
const char    *stria_wire_form_name     (StriaWireForm form);
const char    *stria_wire_type_name     (StriaWireType type);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaWireView, stria_wire_view_free)

G_END_DECLS
