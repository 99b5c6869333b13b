/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-timeline.h"

G_BEGIN_DECLS

/**
 * StriaTimelinePicture:
 *
 * What a timeline shows at a moment: time, lanes as they are folded, pinned and scrolled, colours,
 * selection and search. A worker may paint it while the timeline goes on.
 */
typedef struct _StriaTimelinePicture StriaTimelinePicture;

/* Main thread. Returns: (transfer full) (nullable): NULL if there is nothing to be seen */
StriaTimelinePicture *stria_timeline_picture_new   (StriaTimeline *timeline);
void                  stria_timeline_picture_free  (StriaTimelinePicture *self);
/* @all_lanes: not only those that are scrolled into sight. Units are pixels at scale 1. */
void                  stria_timeline_picture_size  (StriaTimelinePicture *self, gboolean all_lanes,
                                                    double *width, double *height);
/* Any thread; loads lanes. @width, @height: as stria_timeline_picture_size() says */
void                  stria_timeline_picture_paint (StriaTimelinePicture *self, cairo_t *cr,
                                                    gboolean all_lanes, double width,
                                                    double height);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaTimelinePicture, stria_timeline_picture_free)

G_END_DECLS
