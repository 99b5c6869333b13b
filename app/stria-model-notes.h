/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-model-state.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MODEL_NOTES (stria_model_notes_get_type ())
G_DECLARE_FINAL_TYPE (StriaModelNotes, stria_model_notes, STRIA, MODEL_NOTES, GtkWidget)

/**
 * StriaModelNotes:
 *
 * What has to be known to read the figures: assumptions, warnings, checks of the program, where it
 * all comes from.
 */
GtkWidget *stria_model_notes_new  (StriaModelState *state);
/* The same in one line for a banner, or NULL. Returns: (transfer full) */
char      *stria_model_notes_text (StriaModelIndex *index, GtkMessageType *type);

G_END_DECLS
