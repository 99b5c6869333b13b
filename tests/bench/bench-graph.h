/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "graph" of a number of nodes (generated) or of a file: layout and frames. "dot": the same nodes laid
 * out by Graphviz. FALSE without an error: no such job. */
gboolean bench_graph_job (const char *name, const char *argument, GError **error);

G_END_DECLS
