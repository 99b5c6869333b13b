/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-capture.h"

G_BEGIN_DECLS

#define STRIA_TYPE_ARTIFACT_LIST (stria_artifact_list_get_type ())
G_DECLARE_FINAL_TYPE (StriaArtifactList, stria_artifact_list, STRIA, ARTIFACT_LIST, GtkWidget)

/**
 * StriaArtifactList:
 *
 * The files of a capture: what each is, how large, and what became of it. Also says how many
 * notices there are; its button activates the action "win.show-notices".
 */
GtkWidget  *stria_artifact_list_new     (StriaCapture *capture);
/* The count of notices has no signal of its own: for those who know that it changed. */
void        stria_artifact_list_refresh (StriaArtifactList *self);

/* Icon of a state, for all who show one */
const char *stria_artifact_state_icon   (StriaArtifactState state);
/* Translated word for a state */
const char *stria_artifact_state_title  (StriaArtifactState state);

G_END_DECLS
