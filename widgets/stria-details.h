/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_DETAILS (stria_details_get_type ())
G_DECLARE_FINAL_TYPE (StriaDetails, stria_details, STRIA, DETAILS, GtkWidget)

/**
 * StriaDetails:
 *
 * Everything about the session's selected event: times, place, links to other events, call stack
 * and arguments. A worker collects it; what comes after the selection has moved on is dropped.
 *
 * Actions: "details.copy-text", "details.copy-json", "details.copy-args". Says that something was
 * copied through "win.toast" (s), if its window has that.
 */
GtkWidget *stria_details_new (StriaSession *session);

/* Returns: (transfer floating) (nullable): what others know about an event */
typedef GtkWidget *(*StriaDetailsExtra) (StriaRef ref, gpointer user_data);
/* Asked for each event that is shown; @user_data must live as long as the widget */
void       stria_details_set_extra (StriaDetails *self, StriaDetailsExtra extra, gpointer user_data);

G_END_DECLS
