/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <adwaita.h>

#include "stria-model-compare-parts.h"
#include "stria-model-panes.h"
#include "stria-model-state.h"
#include "stria-model-view.h"

G_BEGIN_DECLS

/* Of the files of the model view only */

struct _StriaModelView
{
  GtkWidget parent_instance;

  StriaSession    *session;
  StriaModelState *state;
  StriaRef         wanted; /* a slice whose profile is being made */
  GtkWidget       *box;
  GtkPaned        *across; /* pages, and details beside or below */
  gboolean         is_narrow;
  guint            relayout; /* idle source */
  GtkInfoBar      *banner;
  GtkLabel        *banner_label;
  GtkStack        *pages;
  GtkStack        *graphs; /* panes, or why there are none */
  AdwStatusPage   *error_page;
  StriaModelPanes *panes;
  GtkWidget       *legend;
  GtkWidget       *details;
  GtkWidget       *export_button;
  StriaModelCompareParts *compared;
};

void             stria_model_view_add_keys      (StriaModelView *self);
/* A #GtkWidgetClass.grab_focus */
gboolean         stria_model_view_take_focus    (GtkWidget *widget);
/* Panes, and no comparison */
gboolean         stria_model_view_shows_graphs  (StriaModelView *self);
/* What keys are for: that of the pane or side that is worked in; (nullable) */
StriaModelTab   *stria_model_view_current_tab   (StriaModelView *self);
StriaModelState *stria_model_view_current_state (StriaModelView *self);

G_END_DECLS
