/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Writes a Neuron capture of @n_files files into a new folder: a hundred to a process, all with the
 * same program. */
gboolean bench_make_capture (const char *folder, guint n_files, GError **error);

/* "scan": finds and pairs all files of a folder; "scan-read": only reads the first and last 64 KiB of
 * each. FALSE without an error: no such job. */
gboolean bench_scan_job     (const char *name, const char *argument, GError **error);

G_END_DECLS
