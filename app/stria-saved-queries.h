/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Queries that a person keeps under names, for all captures; in the user's data folder. */

/* Names in alphabetical order. Returns: (transfer full) */
char   **stria_saved_queries_list   (void);
/* Returns: (transfer full) (nullable): the SQL, NULL if there is none of that name */
char    *stria_saved_queries_get    (const char *name);
/* @sql: NULL removes it. FALSE with @error if it cannot be written */
gboolean stria_saved_queries_set    (const char *name, const char *sql, GError **error);

G_END_DECLS
