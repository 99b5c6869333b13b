/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_TABLES_VIEW (stria_tables_view_get_type ())
G_DECLARE_FINAL_TYPE (StriaTablesView, stria_tables_view, STRIA, TABLES_VIEW, GtkWidget)

/**
 * StriaTablesView:
 *
 * Every table that there is: those that files brought along and the store's own, as they stand, sorted,
 * filtered, or asked in SQL. Rows that stand for events lead to the timeline.
 */
GtkWidget *stria_tables_view_new      (StriaSession *session);
gboolean   stria_tables_view_has_data (StriaCapture *capture);

G_END_DECLS
