/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef void (*StriaParallelFunc) (guint job, gpointer data);

/* Runs jobs 0 to @n_jobs - 1 on all cores, the caller's among them, in any order, and returns when the
 * last one is done. With @alone on this thread only, for what is too little to share. */
void stria_parallel (guint n_jobs, gboolean alone, StriaParallelFunc func, gpointer data);

G_END_DECLS
