/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What is printed of Neuron captures; files are made in @folder. FALSE: a job failed */

gboolean bench_parquet     (const char *folder, int thousand);
/* From an export's file to lanes, tables and the finished store */
gboolean bench_instruction (const char *folder, int thousand);
/* From a device profile's file to lanes, tables and the finished store */
gboolean bench_ntff        (const char *folder, int mb);
/* A capture of thousands of files: what they are, and which belong together */
gboolean bench_scan        (const char *folder, int n_files);

G_END_DECLS
