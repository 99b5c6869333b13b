/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-focus.h"

/**
 * stria_focus_children:
 * @widget: that takes no keys itself
 *
 * A #GtkWidgetClass.focus() that leads through the children, in the order in which they are seen. GTK's
 * own one tries #GtkWidgetClass.grab_focus() first: where that gives the keyboard to what matters most,
 * Tab would skip all that stands before it.
 *
 * Returns: whether a child has the keyboard now
 */
gboolean
stria_focus_children (GtkWidget *widget, GtkDirectionType direction)
{
  g_autoptr (GTypeClass) box = g_type_class_ref (GTK_TYPE_BOX);

  return GTK_WIDGET_CLASS (box)->focus (widget, direction);
}
