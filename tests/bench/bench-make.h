/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"

G_BEGIN_DECLS

/* Inputs that are made, the same on every run. */

#define BENCH_NAMES 20000

/* Writes a trace of about @bytes of text, in the profiler's own layout. Returns the number of
 * events, 0 with @error if the disk is full. */
guint64 bench_make_trace   (const char *path, guint64 bytes, GError **error);

/* Feeds @n slices on @n_lanes threads, nested five deep, with BENCH_NAMES names. Returns how many
 * there were. */
guint64 bench_feed_columns (StriaSink *sink, guint64 n, guint n_lanes);

G_END_DECLS
