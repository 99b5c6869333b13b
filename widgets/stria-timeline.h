/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-coloring.h"
#include "stria-session.h"
#include "stria-timeline-layout.h"

G_BEGIN_DECLS

#define STRIA_TYPE_TIMELINE (stria_timeline_get_type ())
G_DECLARE_FINAL_TYPE (StriaTimeline, stria_timeline, STRIA, TIMELINE, GtkWidget)

/**
 * StriaTimeline:
 *
 * The lanes of a session's trace over its visible range, with headers, ruler and minimap. It shows
 * and sets the session's view, selection and range; which lanes are folded, pinned, hidden or moved
 * is its own. Its actions are named "timeline.*".
 *
 * What is chosen of its looks stands in an action group, "lanes": "color" (s: "name", "operator",
 * "opcode", "lane", "category", "stall", or "layer:N" with the depth, 0 = all), "legend" (b), "box" (b),
 * "dma" (s: "queue", "engine", "both"), "stacked" (b), "show-CLASS" (b).
 *
 * Signals: "header-width-changed"; "options-changed": something of the group, or which lanes stand where;
 * "legend-changed": what colours are seen.
 */
GtkWidget           *stria_timeline_new        (StriaSession *session);
/* Returns: (transfer none) */
StriaTimelineLayout *stria_timeline_get_layout (StriaTimeline *self);
/* Pixels that the headers take at the left; lanes go from there to the right edge */
double               stria_timeline_get_header_width (StriaTimeline *self);
void                 stria_timeline_set_header_width (StriaTimeline *self, double width);
gboolean             stria_timeline_grab_focus (StriaTimeline *self);
StriaSession        *stria_timeline_get_session (StriaTimeline *self);
/* Returns: (transfer none): the group "lanes" */
GSimpleActionGroup  *stria_timeline_get_options (StriaTimeline *self);
void                 stria_timeline_set_filter (StriaTimeline *self, const char *filter);
/* Colours of the picture that is shown, those most used first; empty while no legend is shown.
 * Returns: (transfer none) (element-type StriaLegendEntry) */
GArray              *stria_timeline_get_legend (StriaTimeline *self);
/* What a colour stands for. Returns: (transfer none) */
const char          *stria_timeline_legend_text (StriaTimeline *self, guint32 key);
/* While it is still being read what slices are coloured by */
gboolean             stria_timeline_is_coloring (StriaTimeline *self);
/* What was chosen, as a text to be kept with the capture. Returns: (transfer full) */
char                *stria_timeline_save_options (StriaTimeline *self);
void                 stria_timeline_load_options (StriaTimeline *self, const char *text);

G_END_DECLS
