/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-timeline.h"

G_BEGIN_DECLS

#define STRIA_TYPE_TIMELINE_LEGEND (stria_timeline_legend_get_type ())
G_DECLARE_FINAL_TYPE (StriaTimelineLegend, stria_timeline_legend, STRIA, TIMELINE_LEGEND, GtkWidget)

/**
 * StriaTimelineLegend:
 *
 * The most used colours of what a timeline shows, each with what it stands for and its share of the
 * drawn time.
 */
GtkWidget *stria_timeline_legend_new (StriaTimeline *timeline);

G_END_DECLS
