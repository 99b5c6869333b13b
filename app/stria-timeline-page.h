/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_TIMELINE_PAGE (stria_timeline_page_get_type ())
G_DECLARE_FINAL_TYPE (StriaTimelinePage, stria_timeline_page, STRIA, TIMELINE_PAGE, GtkWidget)

/**
 * StriaTimelinePage:
 *
 * The timeline, and under it the memory of an allocator whose snapshot is in the capture: the same
 * axis, shown when asked for.
 *
 * Returns: (transfer floating)
 */
GtkWidget *stria_timeline_page_new (StriaSession *session);
/* Another one of the same session: what is chosen of its looks is its own, and kept apart.
 * Returns: (transfer floating) */
GtkWidget *stria_timeline_page_new_second (StriaSession *session);
/* Returns: (transfer none) */
GtkWidget *stria_timeline_page_get_timeline (StriaTimelinePage *self);

G_END_DECLS
