/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What is measured, each in a process of its own so that its peak of memory is its own. Figures go
 * to standard output as lines "name value". */
gboolean bench_job (const char *name, const char *argument, GError **error);

G_END_DECLS
