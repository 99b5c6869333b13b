/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <sqlite3.h>

#include "stria-table-private.h"

G_BEGIN_DECLS

/* @tables: (element-type StriaTable): written in this order. FALSE: @error is set, or the connection
 * says why. */
gboolean   stria_store_write_tables (sqlite3 *db, GPtrArray *tables, GCancellable *cancellable,
                                     GError **error);
/* The tables of a store. Their chunks come through @loader; a reference to @loader_data is taken with
 * @ref (nullable) for each of them. Returns: (transfer full) (element-type StriaTable), NULL if the
 * store is damaged */
GPtrArray *stria_store_read_tables  (sqlite3 *db, StriaChunkLoader loader, gpointer loader_data,
                                     gpointer (*ref) (gpointer), GDestroyNotify unref);
/* Bytes of a chunk of a store's table. Returns: (transfer full) */
GBytes    *stria_store_load_chunk   (sqlite3 *db, const StriaChunkPlace *place, GError **error);

/* Makes an SQL table of each name that @tables have: rows of all tables of that name, columns by name,
 * and a hidden column "artifact". A name that the store has for a table of its own gets "file_" before
 * it. Call before an authorizer is set. */
void       stria_store_query_tables (sqlite3 *db, GPtrArray *tables);

G_END_DECLS
