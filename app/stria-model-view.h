/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MODEL_VIEW (stria_model_view_get_type ())
G_DECLARE_FINAL_TYPE (StriaModelView, stria_model_view, STRIA, MODEL_VIEW, GtkWidget)

/**
 * StriaModelView:
 *
 * An ExecuTorch model from its source to the compiler's operators: graphs in panes side by side
 * that follow each other's selection, a table, the counters of the chains, and the details of what is
 * selected.
 */
GtkWidget *stria_model_view_new         (StriaSession *session);
/* Whether @capture has graphs, or an ETDump with figures of a model; any thread */
gboolean   stria_model_view_has_data    (StriaCapture *capture);
/* Whether it has graphs, so that the view is worth being shown first; any thread */
gboolean   stria_model_view_has_graphs  (StriaCapture *capture);
/* Puts the keyboard into the search of the pane that is worked in */
void       stria_model_view_search      (StriaModelView *self);
void       stria_model_view_search_step (StriaModelView *self, gboolean forward);
/* Holds figures of the capture of @paths against those of this one. */
void       stria_model_view_compare_with (StriaModelView *self, const char *const *paths);
/* Selects what a slice of an ETDump times; the profile it needs may have to be made first */
void       stria_model_view_show_slice  (StriaModelView *self, StriaRef ref);
/* What that is called, as far as it is known. Returns: (transfer full) (nullable) */
char      *stria_model_view_name_slice  (StriaModelView *self, StriaRef ref);

G_END_DECLS
