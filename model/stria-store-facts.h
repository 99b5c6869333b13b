/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <sqlite3.h>

#include "stria-facts.h"

G_BEGIN_DECLS

/* Rows of the facts of one artifact into an open store. FALSE: the connection says why. */
gboolean    stria_store_write_facts (sqlite3 *db, guint32 artifact, StriaFacts *facts);
/* The artifact's facts, or NULL if it has none: with *@damaged TRUE when the store is not sound. */
StriaFacts *stria_store_read_facts  (sqlite3 *db, guint32 artifact, gboolean *damaged);

G_END_DECLS
