/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-pane-box.h"

G_BEGIN_DECLS

/**
 * StriaPaneDragFuncs:
 * @begin: whether anything is dragged from a point of the widget
 * @start: (nullable): the pointer has moved far enough for a drag
 * @describe: what would be done by a drop on a side of @target; NULL: nothing would be
 * @drop: does it
 *
 * What is dragged into the panes of a box, and what becomes of it.
 */
typedef struct
{
  gboolean    (*begin)    (double x, double y, gpointer user_data);
  void        (*start)    (gpointer user_data);
  const char *(*describe) (GtkWidget *target, StriaSide side, gpointer user_data);
  void        (*drop)     (GtkWidget *target, StriaSide side, gpointer user_data);
} StriaPaneDragFuncs;

/* Lets a person drag from @widget, which is in @box or elsewhere in the window. Where it would come to
 * lie is shown; Escape lets everything lie. @funcs: static. @box and @user_data: live as long as the
 * widget is seen */
void stria_pane_drag_add (GtkWidget *widget, StriaPaneBox *box, const StriaPaneDragFuncs *funcs,
                          gpointer user_data);

G_END_DECLS
