/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-model-state.h"

G_BEGIN_DECLS

/* Links to the slices of the timeline that time an entity or its call, an execution each. They
 * activate "model.show-event" (u: row of dump_event). */
void  stria_model_add_slices    (GtkBox *box, StriaModelState *state, guint32 entity);
/* Shows an event in the timeline of @widget's window. FALSE: the timeline does not have it */
gboolean stria_model_show_event (GtkWidget *widget, StriaModelState *state, StriaSession *session,
                                 guint32 event);

/* The number of the set that the dump of a lane belongs to; G_MAXUINT: it is of no dump */
guint    stria_model_set_of_slice (StriaSession *session, StriaRef ref);
/* What a slice times, once the profile of its set is there; STRIA_NO_REF */
guint32  stria_model_entity_of_slice (StriaModelState *state, StriaSession *session, StriaRef ref);

G_END_DECLS
