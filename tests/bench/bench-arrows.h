/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "arrows" of a number of slices on 64 lanes: another grouping of them with its picture, and 10,000
 * arrows in sight */
gboolean bench_arrows_job (const char *argument, GError **error);

G_END_DECLS
