/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-table.h"
#include "stria-trace.h"

G_BEGIN_DECLS

/**
 * StriaSummaryScope:
 * @has_window: whether only a part of the time counts
 * @t0: where that part begins, in nanoseconds as the tables count; @t1: where it ends
 * @core: physical core that counts, -1: all
 * @has_lanes: whether only rows count that are drawn in chosen lanes
 * @rows: bits of the rows that count, by #StriaTable; a table without bits has none that does
 * @engines: which engines' instructions are among the chosen lanes, a bit each in the order of
 *   stria_neuron_engine_name(): their active time counts, too
 * @lists_missing: whether a summary has metrics that nothing is known of, to say what they need
 *
 * Which rows of a device profile a summary is made of. Times that reach over an edge count with
 * what lies inside, and so do the bytes and operations of a row, as if they were spread evenly
 * over it.
 */
typedef struct
{
  gboolean has_window;
  gint64 t0;
  gint64 t1;
  gint64 core;
  gboolean has_lanes;
  GHashTable *rows;
  guint engines;
  gboolean lists_missing;
} StriaSummaryScope;

#define STRIA_NEURON_N_ENGINES 5
/* "tensor", "vector", "scalar", "gpsimd", "sync" */
const char        *stria_neuron_engine_name (guint engine);
/* Number of the engine that a text names, STRIA_NEURON_N_ENGINES: none. @length: in bytes */
guint              stria_neuron_engine_find (const char *text, gsize length);

/**
 * stria_summary_scope_new:
 * @tables: (element-type StriaTable): of one device profile
 * @trace: (nullable): whose times and lanes are meant; NULL for everything
 * @t0: (nullable): begin on the timeline, NULL for the whole time; @t1: its end
 * @lanes: (array length=n_lanes) (nullable): lanes that count, NULL for all
 * @core: physical core that counts, -1 for all
 *
 * Loads the lanes that it needs: for a worker. A window that has all events of the profile in it
 * is the whole time.
 *
 * Returns: (transfer full) (nullable): NULL with @error
 */
StriaSummaryScope *stria_summary_scope_new  (GPtrArray *tables, StriaTrace *trace, const gint64 *t0,
                                             const gint64 *t1, const guint32 *lanes, gsize n_lanes,
                                             gint64 core, GCancellable *cancellable,
                                             GError **error);
void               stria_summary_scope_free (StriaSummaryScope *self);
/* Whether anything is left out of it */
gboolean           stria_summary_scope_is_part (const StriaSummaryScope *self);
/* Whether a row that is drawn in lanes counts; TRUE where lanes are not chosen */
gboolean           stria_summary_scope_has_row (const StriaSummaryScope *self, StriaTable *table,
                                                guint64 row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaSummaryScope, stria_summary_scope_free)

G_END_DECLS
