/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-model-state.h"

G_BEGIN_DECLS

/* Sections of the details of an entity, or of a node of a graph. What has nothing to say adds
 * nothing to @box. */
void stria_model_add_measurements (GtkBox *box, StriaModelState *state, guint32 entity);
void stria_model_add_counters     (GtkBox *box, StriaModelState *state, guint32 entity);
/* A link that goes to an entity. @caption: beside its name; @note: (nullable): for its tooltip;
 * @evidence: (nullable): how sure it is. Returns: (transfer floating) */
GtkWidget *stria_model_link_new   (StriaModelState *state, guint32 entity, const char *caption,
                                   const char *note, const char *evidence);
/* What corresponds to it, by evidence: links that go there */
void stria_model_add_links        (GtkBox *box, StriaModelState *state, guint32 entity);
/* What it is part of, and what it contains */
void stria_model_add_relatives    (GtkBox *box, StriaModelState *state, guint32 entity);
void stria_model_add_attributes   (GtkBox *box, const StriaEntity *entity, StriaGraph *graph,
                                   guint32 first_attr, guint32 n_attrs);
void stria_model_add_ports        (GtkBox *box, StriaGraph *graph, guint32 node);
/* The line of Python and the modules that it is in */
void stria_model_add_source       (GtkBox *box, StriaGraph *graph, guint32 node);

G_END_DECLS
