/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  STRIA_VALUE_NULL,
  STRIA_VALUE_INT,
  STRIA_VALUE_REAL,
  STRIA_VALUE_TEXT,
  STRIA_VALUE_BLOB,
} StriaValueType;

typedef struct
{
  StriaValueType type;
  gint64         integer;
  double         real;
  const char    *text; /* or blob; valid during the call */
  gsize          length;
} StriaValue;

/* Called once a row, and once with @values NULL for the column names before the first row. Return
 * FALSE to stop. */
typedef gboolean (*StriaQueryFunc) (guint n_columns, const char *const *columns,
                                    const StriaValue *values, gpointer user_data);

/**
 * stria_query:
 * @store_path: a finished store
 * @sql: one SQL statement that only reads
 *
 * Runs @sql on a read-only connection of its own, with an authorizer that refuses writes, ATTACH
 * and PRAGMA. The SQL functions `args (artifact, ref)` (JSON text of an event's arguments) and
 * `name (string_id)` are there. Any thread.
 */
gboolean stria_query (const char *store_path, const char *sql, StriaQueryFunc func,
                      gpointer user_data, GCancellable *cancellable, GError **error);

/**
 * stria_query_full:
 * @error_at: (out) (nullable): with %STRIA_ERROR_QUERY, character of @sql at which it is wrong, from
 *   0; -1: not known
 *
 * As stria_query().
 */
gboolean stria_query_full (const char *store_path, const char *sql, StriaQueryFunc func,
                           gpointer user_data, int *error_at, GCancellable *cancellable,
                           GError **error);

G_END_DECLS
