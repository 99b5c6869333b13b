/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Writes a device profile of about @megabytes: instructions of five engines, semaphores and DMA
 * packets of one core, as the recovered format has them; the same on every run */
gboolean bench_make_ntff (const char *path, guint megabytes, GError **error);

/* "ntff": decodes a device profile and writes its store; "ntff-rows": decodes only; "ntff-bare":
 * reads the file and adds up its bytes. FALSE without an error: no such job. */
gboolean bench_ntff_job  (const char *name, const char *argument, GError **error);

G_END_DECLS
