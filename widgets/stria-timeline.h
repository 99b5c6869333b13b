/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

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
 * Signal: "header-width-changed".
 */
GtkWidget           *stria_timeline_new        (StriaSession *session);
/* Returns: (transfer none) */
StriaTimelineLayout *stria_timeline_get_layout (StriaTimeline *self);
/* Pixels that the headers take at the left; lanes go from there to the right edge */
double               stria_timeline_get_header_width (StriaTimeline *self);
void                 stria_timeline_set_header_width (StriaTimeline *self, double width);
gboolean             stria_timeline_grab_focus (StriaTimeline *self);

G_END_DECLS
