/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_TRACE_COMPARE_PAGE (stria_trace_compare_page_get_type ())
G_DECLARE_FINAL_TYPE (StriaTraceComparePage, stria_trace_compare_page, STRIA, TRACE_COMPARE_PAGE,
                      GtkWidget)

/**
 * StriaTraceComparePage:
 *
 * Timelines of two to four captures above each other, which move together, and tables of what differs.
 * The first is the capture of the window; each has a session of its own, so that the window's other
 * views stay where they are.
 */
/* @session: of the window. Returns: (transfer floating) */
GtkWidget *stria_trace_compare_page_new (StriaSession *session);
/* Asks for another capture to compare with. */
void       stria_trace_compare_page_ask (StriaTraceComparePage *self);
/* Shows the capture of @paths, too, unless there are four. */
void       stria_trace_compare_page_add (StriaTraceComparePage *self, const char *const *paths);
/* Whether there is anything but the window's own capture */
gboolean   stria_trace_compare_page_is_comparing (StriaTraceComparePage *self);

G_END_DECLS
