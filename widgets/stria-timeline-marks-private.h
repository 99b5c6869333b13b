/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-timeline-private.h"

G_BEGIN_DECLS

/* stria-timeline-marks.c: annotations, regions and warnings on the timeline */

/* What is marked, from now on; and no longer */
void     stria_timeline_init_marks    (StriaTimeline *self);
void     stria_timeline_clear_marks   (StriaTimeline *self);
/* Of the strip between ruler and lanes; 0 while nothing is marked */
double   stria_timeline_marks_height  (StriaTimeline *self);
/* Where it begins */
double   stria_timeline_marks_top     (StriaTimeline *self);
/* The marks anew, as the models (and a drag) have them now */
void     stria_timeline_update_marks  (StriaTimeline *self);

/* Pointer. The card of the mark under it */
void     stria_timeline_hover_mark    (StriaTimeline *self, Region region);
/* NULL: the cursor that the region has anyhow */
const char *stria_timeline_mark_cursor (StriaTimeline *self, Region region);
void     stria_timeline_click_mark    (StriaTimeline *self, int n_press);
/* Takes a drag that begins at an annotation. FALSE: it does not */
gboolean stria_timeline_begin_mark    (StriaTimeline *self, double x, double y, Region region);
void     stria_timeline_drag_mark     (StriaTimeline *self, double x, double y, gboolean snap);
void     stria_timeline_end_mark      (StriaTimeline *self, gboolean commit);

/* stria-timeline-mark-actions.c */
void     stria_timeline_install_mark_actions (GtkWidgetClass *klass);
void     stria_timeline_update_mark_actions (StriaTimeline *self);
/* FALSE: none was selected */
gboolean stria_timeline_deselect_mark (StriaTimeline *self);
/* Adds what can be done at a point to a menu. */
void     stria_timeline_append_mark_menu (StriaTimeline *self, GMenu *menu, double x, double y);
/* Shows a stretch of time: moves to it, or zooms where it does not fit. */
void     stria_timeline_show_time     (StriaTimeline *self, gint64 t0, gint64 t1);
void     stria_timeline_zoom_to_time  (StriaTimeline *self, gint64 t0, gint64 t1);

G_END_DECLS
