/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_OPERATORS_VIEW (stria_operators_view_get_type ())
G_DECLARE_FINAL_TYPE (StriaOperatorsView, stria_operators_view, STRIA, OPERATORS_VIEW, GtkWidget)

/**
 * StriaOperatorsView:
 *
 * What the time was spent on: the tree of operators as an icicle and as a table below it. What is
 * selected in one is selected in the other and stands out on the timeline; an event that is selected
 * on the timeline selects its operator.
 */
GtkWidget *stria_operators_view_new      (StriaSession *session);
gboolean   stria_operators_view_has_data (StriaCapture *capture);

G_END_DECLS
