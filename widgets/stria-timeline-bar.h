/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-timeline.h"

G_BEGIN_DECLS

#define STRIA_TYPE_TIMELINE_BAR (stria_timeline_bar_get_type ())
G_DECLARE_FINAL_TYPE (StriaTimelineBar, stria_timeline_bar, STRIA, TIMELINE_BAR, GtkWidget)

/**
 * StriaTimelineBar:
 *
 * What stands over a timeline: what colours stand for and their legend, which lanes are shown, box
 * selection, zoom. Escape in the filter of lanes clears it.
 */
GtkWidget *stria_timeline_bar_new          (StriaTimeline *timeline);
void       stria_timeline_bar_focus_filter (StriaTimelineBar *self);

G_END_DECLS
