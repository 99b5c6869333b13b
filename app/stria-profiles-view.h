/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_PROFILES_VIEW (stria_profiles_view_get_type ())
G_DECLARE_FINAL_TYPE (StriaProfilesView, stria_profiles_view, STRIA, PROFILES_VIEW, GtkWidget)

/**
 * StriaProfilesView:
 *
 * The nodes, processes, sessions and profiles of a Neuron capture as a tree: what each is made of, how its
 * program was found, what is missing and which setting of the capture brings it. Where several programs
 * could be meant, a person chooses here (action "win.choose-program" with the names of both files).
 */
GtkWidget *stria_profiles_view_new (StriaSession *session);
/* Whether @capture has such a tree; any thread */
gboolean   stria_profiles_view_has_data (StriaCapture *capture);

G_END_DECLS
