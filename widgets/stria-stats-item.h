/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib-object.h>

#include "stria-stats.h"

G_BEGIN_DECLS

#define STRIA_TYPE_STATS_ITEM (stria_stats_item_get_type ())
G_DECLARE_FINAL_TYPE (StriaStatsItem, stria_stats_item, STRIA, STATS_ITEM, GObject)

/**
 * StriaStatsItem:
 *
 * A row of the statistics table. Signal "changed": its percentiles came.
 */
StriaStatsItem      *stria_stats_item_new      (const char *name, const StriaStatsRow *row);
const char          *stria_stats_item_get_name (StriaStatsItem *self);
const StriaStatsRow *stria_stats_item_get_row  (StriaStatsItem *self);
void                 stria_stats_item_set_row  (StriaStatsItem *self, const StriaStatsRow *row);

G_END_DECLS
