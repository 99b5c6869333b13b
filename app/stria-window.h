/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <adwaita.h>

#include "stria-target.h"

G_BEGIN_DECLS

#define STRIA_TYPE_WINDOW (stria_window_get_type ())
G_DECLARE_FINAL_TYPE (StriaWindow, stria_window, STRIA, WINDOW, AdwApplicationWindow)

/**
 * StriaWindow:
 *
 * A window: the start page, or one capture. Files that are dropped on it or pasted are opened, or added to
 * the capture.
 */
StriaWindow *stria_window_new        (GtkApplication *application);
/* Scans @paths and shows what is in them as one capture, in place of what the window shows.
 * @target: (nullable): where to go when it is read */
void         stria_window_open       (StriaWindow *self, const char *const *paths,
                                      const StriaTarget *target);
/* Whether it shows a capture, or is on the way to one */
gboolean     stria_window_is_used    (StriaWindow *self);
/* Whether what it shows was opened from just these paths */
gboolean     stria_window_shows      (StriaWindow *self, const char *const *paths);
/* Shows @text for long enough to read a sentence with a path in it. */
void         stria_window_tell       (StriaWindow *self, const char *text);
/* Colours its timelines by what the preferences say. */
void         stria_window_color      (StriaWindow *self);
void         stria_window_set_target (StriaWindow *self, const StriaTarget *target);

G_END_DECLS
