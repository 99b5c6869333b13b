/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The device view of many slices. Jobs: "device-write", then "device" and
 * "device-frames"; @argument: number of slices */
gboolean bench_device_job (const char *name, const char *argument, GError **error);
/* Runs them and prints what they measured. */
gboolean bench_device     (int slices_million);

G_END_DECLS
