/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Queries that a person keeps under names, for all captures; in the user's data folder. */

/* Names in alphabetical order. Returns: (transfer full) */
char   **stria_saved_queries_list   (void);
/* Returns: (transfer full) (nullable): the SQL, NULL if there is none of that name */
char    *stria_saved_queries_get    (const char *name);
/* @sql: (nullable): NULL removes it. A worker writes the file, and tells if it cannot. */
void     stria_saved_queries_set    (const char *name, const char *sql);
/* Begins to read the file; until that is done there are none. */
void     stria_saved_queries_load   (void);

G_END_DECLS
