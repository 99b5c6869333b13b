/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <sqlite3.h>

#include "stria-alloc-private.h"

G_BEGIN_DECLS

/* Rows of a snapshot into an open store. FALSE: the connection says why. */
gboolean stria_store_write_snapshot (sqlite3 *db, StriaSnapshotData *data);
/* The artifact's snapshot, or NULL: with *@damaged TRUE when the store is not sound. */
StriaSnapshotData *stria_store_read_snapshot (sqlite3 *db, guint32 artifact, StriaStrings *strings,
                                              gboolean *damaged);

G_END_DECLS
