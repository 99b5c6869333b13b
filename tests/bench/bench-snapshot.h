/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Allocator snapshots: one that is made, the same on every run, and what is measured on it. */

/* Writes the pickle of @n_events events whose stacks are 40 deep, as CPython would. */
gboolean bench_make_snapshot (const char *path, guint64 n_events, GError **error);

gboolean bench_snapshot_job  (const char *name, const char *argument, GError **error);

G_END_DECLS
