/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-neff-header.h"
#include "stria-ntff.h"
#include "stria-trace-info.h"

G_BEGIN_DECLS

/**
 * StriaIdentity:
 * @neff: (nullable): header of a program
 * @ntff: (nullable): what a device profile says of itself
 * @info: (nullable): what a trace_info.pb says
 *
 * What a Neuron file says that pairs it with others; at most one of the three is there.
 */
typedef struct
{
  StriaNeffHeader *neff;
  StriaNtffPeek   *ntff;
  StriaTraceInfo  *info;
} StriaIdentity;

/* How many first bytes say all that is needed in practice */
#define STRIA_IDENTITY_BYTES ((gsize) 1 << 20)

/* @kind: (nullable): short name of the decoder that claims the file.
 * @head: its first bytes, inflated; @whole: that is all of it; @size: of the whole file, 0 if not known.
 * Returns: (transfer full) (nullable): NULL if it is of none of the kinds that have an identity */
StriaIdentity *stria_identity_read (const char *kind, const guint8 *head, gsize length,
                                    gboolean whole, guint64 size);
/* TRUE: more of the file's first bytes would say more */
gboolean       stria_identity_wants_more (const StriaIdentity *self);
void           stria_identity_free (StriaIdentity *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaIdentity, stria_identity_free)

G_END_DECLS
