/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"
#include "stria-source-index.h"

G_BEGIN_DECLS

#define STRIA_TYPE_SOURCE_LINES (stria_source_lines_get_type ())
G_DECLARE_FINAL_TYPE (StriaSourceLines, stria_source_lines, STRIA, SOURCE_LINES, GtkWidget)

/**
 * StriaSourceLines:
 *
 * The events of chosen lines: they stand out on the timeline, and a bar says how many there are and
 * what they took, steps through them, zooms to them, or searches for them. Hidden where no lines are
 * chosen, or where somebody else searches.
 */
GtkWidget *stria_source_lines_new    (StriaSession *session);
/* @places: what was chosen; @text: for people, as "kernel.py:7" */
void       stria_source_lines_choose (StriaSourceLines *self, StriaSourceIndex *index,
                                      const guint32 *places, guint n_places, const char *text);
/* Lines that no event names, and what is said of that */
void       stria_source_lines_say    (StriaSourceLines *self, const char *text);
/* FALSE: nothing was chosen */
gboolean   stria_source_lines_clear  (StriaSourceLines *self);
/* Shows the timeline from the first to the last of the events */
void       stria_source_lines_zoom   (StriaSourceLines *self);

G_END_DECLS
