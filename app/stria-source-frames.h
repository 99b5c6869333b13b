/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-source-index.h"

G_BEGIN_DECLS

#define STRIA_TYPE_SOURCE_FRAMES (stria_source_frames_get_type ())
G_DECLARE_FINAL_TYPE (StriaSourceFrames, stria_source_frames, STRIA, SOURCE_FRAMES, GtkWidget)

/**
 * StriaSourceFrames:
 *
 * The stack of the selected event, innermost line first, one of which is shown; or why it has none.
 *
 * Signals: "frame" (place: chosen by the user)
 */
GtkWidget *stria_source_frames_new       (void);
/* @event: what the stack is of; @places: (element-type guint32): numbers of places */
void       stria_source_frames_set_stack (StriaSourceFrames *self, StriaSourceIndex *index,
                                          const char *event, GArray *places);
/* @event: what has no stack; @why: for people */
void       stria_source_frames_set_none  (StriaSourceFrames *self, const char *event,
                                          const char *why);
void       stria_source_frames_clear     (StriaSourceFrames *self);
/* To the caller (or back) of the frame that is chosen. FALSE: there is none */
gboolean   stria_source_frames_step      (StriaSourceFrames *self, gboolean outwards);

G_END_DECLS
