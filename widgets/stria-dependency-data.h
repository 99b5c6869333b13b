/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-dependencies.h"

G_BEGIN_DECLS

/* Most events that are listed up or down, and most links of the chain that ended last */
#define STRIA_DEPENDENCY_CHAIN_LIMIT 2000
#define STRIA_DEPENDENCY_STALL_LIMIT 200

/* Everything that the panel shows of one event. [2]: by StriaDependencySide */
typedef struct
{
  StriaTrace *trace;
  StriaRef    ref;
  gboolean    in_lane;
  GArray     *neighbours[2]; /* StriaDependency */
  GArray     *chain[2];      /* StriaDependency */
  GArray     *lanes[2];      /* StriaDependencyLane */
  gboolean    is_cut[2];
  StriaStall *stall;
} StriaDependencyData;

/* On a worker. @in_lane: the order in lanes counts for the stall.
 * Returns: (transfer full) (nullable): NULL with @error */
StriaDependencyData *stria_dependency_data_new     (StriaTrace *trace, StriaRef ref,
                                                    gboolean in_lane, GCancellable *cancellable,
                                                    GError **error);
void                 stria_dependency_data_free    (StriaDependencyData *self);
/* Returns: (transfer full): all of it */
char                *stria_dependency_data_to_json (const StriaDependencyData *self);
/* Name of an event whose lane is loaded */
const char          *stria_dependency_data_name    (const StriaDependencyData *self, StriaRef ref);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaDependencyData, stria_dependency_data_free)

G_END_DECLS
