/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* ExecuTorch files: made ones, the same on every run, and what is measured on any. */

/* Writes an ETDump of @n_events events, a thousand to a run. */
gboolean bench_make_dump        (const char *path, guint64 n_events, GError **error);
/* Writes an ETRecord whose program has @n_nodes nodes, and that program's JSON to @json_path. */
gboolean bench_make_record      (const char *path, const char *json_path, guint64 n_nodes,
                                 GError **error);

gboolean bench_executorch_job   (const char *name, const char *argument, GError **error);

G_END_DECLS
