/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-proto.h"

G_BEGIN_DECLS

/* The descriptor to unpack @ours by: a copy with the user's numbers, or @ours. */
const ProtobufCMessageDescriptor *
stria_proto_schema_descriptor (StriaProtoSchema *self, const ProtobufCMessageDescriptor *ours);

/* Wire type of single values of a field */
StriaWireType stria_proto_wire_type (ProtobufCType type);

ProtobufCAllocator *stria_proto_arena_allocator    (StriaProtoArena *self);
gboolean            stria_proto_arena_is_exhausted (StriaProtoArena *self);
gsize               stria_proto_arena_get_limit    (StriaProtoArena *self);

G_END_DECLS
