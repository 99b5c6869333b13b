/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Writes a table of instructions as Neuron Explorer exports it, @n_rows of 21 columns; the same on
 * every run. @seconds: (out): what that took */
gboolean bench_make_parquet (const char *path, guint64 n_rows, double *seconds, GError **error);

/* "parquet": reads all of a file on one thread; "parquet-threads": on two; "parquet-inflate": only
 * inflates its pages; "parquet-rows": makes lanes and tables of it; "parquet-store": and a store;
 * "parquet-copy": copies as many bytes as it decodes to. FALSE without an error:
 * no such job. */
gboolean bench_parquet_job  (const char *name, const char *argument, GError **error);

G_END_DECLS
