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

G_END_DECLS
