/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>
#include <protobuf-c/protobuf-c.h>

#include "stria-wire.h"

G_BEGIN_DECLS

/**
 * StriaProtoSchema:
 *
 * Which numbers the fields of Neuron's messages have. Ours are the built-in ones (proto/); a user
 * who has the vendor's own definitions may give them as a FileDescriptorSet, whose numbers then
 * take the place of ours, message by message and field by field, by name. Cannot be changed once
 * made; any thread.
 */
typedef struct _StriaProtoSchema StriaProtoSchema;
typedef struct _StriaProtoMessage StriaProtoMessage;

typedef struct
{
  guint32 number;
  char *name;
  ProtobufCType type;
  gboolean repeated;
  const StriaProtoMessage *message; /* of fields that are messages, where it is known */
} StriaProtoField;

/* Returns: (transfer full) */
StriaProtoSchema *stria_proto_schema_new_builtin (void);
/* @set: a FileDescriptorSet. @name: for errors. Messages and fields that it does not name are as
 * ours. Returns: (transfer full) (nullable) */
StriaProtoSchema *stria_proto_schema_new_set     (GBytes *set, const char *name, GError **error);
StriaProtoSchema *stria_proto_schema_new_file    (const char *path, GError **error);
StriaProtoSchema *stria_proto_schema_ref         (StriaProtoSchema *self);
void              stria_proto_schema_unref       (StriaProtoSchema *self);

/* What decoders use from now on; NULL: the built-in one. Files opened before keep theirs. */
void              stria_proto_schema_set_default (StriaProtoSchema *self);
/* Returns: (transfer full) */
StriaProtoSchema *stria_proto_schema_get_default (void);
/* Where it comes from: base name of the user's file, or NULL */
const char       *stria_proto_schema_get_source  (StriaProtoSchema *self);
/* Digest of the user's file, NULL for the built-in numbers: what is read with other numbers is
 * another capture to the cache */
const char       *stria_proto_schema_get_digest  (StriaProtoSchema *self);
/* How many messages of ours the user's file names, and a text for each field of ours that it lacks
 * or gives another kind ("ntff.trace_info.pcore_idx") */
guint             stria_proto_schema_n_replaced  (StriaProtoSchema *self);
const GPtrArray  *stria_proto_schema_get_missing (StriaProtoSchema *self);

/* @name: "ntff_info", or "ntff.ntff_info" */
const StriaProtoMessage *stria_proto_schema_message (StriaProtoSchema *self, const char *name);
const char              *stria_proto_message_name  (const StriaProtoMessage *self);
const StriaProtoField   *stria_proto_message_field (const StriaProtoMessage *self, guint32 number);
/* Number of a field by the names of its message and itself; 0: there is none */
guint32                  stria_proto_schema_number (StriaProtoSchema *self, const char *message,
                                                    const char *field);

/**
 * StriaProtoArena:
 *
 * Memory for unpacked messages, up to a limit, all freed at once. One thread.
 */
typedef struct _StriaProtoArena StriaProtoArena;

StriaProtoArena *stria_proto_arena_new   (gsize limit);
/* Frees what was unpacked; keeps one block for the next */
void             stria_proto_arena_reset (StriaProtoArena *self);
void             stria_proto_arena_free  (StriaProtoArena *self);

/**
 * StriaProtoReport:
 * @n_messages: messages walked, the outermost too
 * @n_fields: fields of theirs
 * @n_unknown: fields whose number is not known, left out
 * @n_mismatched: fields whose wire type is not that of the schema, left out
 * @n_broken: messages inside whose bytes are no fields, left out
 * @first_bad: path of the first field that was left out for being mismatched or broken ("4.4.1.7")
 *
 * What did not fit the schema. Add up over many messages, or clear between them.
 */
typedef struct
{
  guint64 n_messages;
  guint64 n_fields;
  guint64 n_unknown;
  guint64 n_mismatched;
  guint64 n_broken;
  char first_bad[96];
} StriaProtoReport;

typedef enum
{
  STRIA_PROTO_DEFAULT = 0,
  /* Fields of type bytes hold where their content lies in the packed message, and not a copy of
   * it: read them with stria_proto_reference(). */
  STRIA_PROTO_REFERENCES = 1 << 0,
} StriaProtoFlags;

/**
 * stria_proto_unpack:
 * @ours: generated descriptor of the message (&ntff__ntff_info__descriptor)
 * @report: (inout) (nullable): counts are added
 *
 * Unpacks a message of the generated type by the schema's numbers. What does not fit is left out
 * and counted; what fits is unpacked. A message whose own bytes end in a fault is unpacked up to
 * there, which counts as broken.
 *
 * Returns: (transfer none) (nullable): the message, which lives as long as the arena and the
 *   schema; NULL with %STRIA_ERROR_LIMIT beyond the arena's limit or the depth, or
 *   %STRIA_ERROR_MALFORMED
 */
gpointer stria_proto_unpack (StriaProtoSchema *self, const ProtobufCMessageDescriptor *ours,
                             StriaProtoArena *arena, const guint8 *data, gsize length,
                             StriaProtoFlags flags, StriaProtoReport *report, GError **error);

/* A field of type bytes of a message unpacked with %STRIA_PROTO_REFERENCES: where its content lies,
 * counted from the message's first byte. FALSE: it is empty. */
gboolean stria_proto_reference (const ProtobufCBinaryData *field, guint64 *offset, guint64 *length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaProtoSchema, stria_proto_schema_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaProtoArena, stria_proto_arena_free)

G_END_DECLS
