/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-list-popover.h"

#include "stria-paint-size.h"

#include <glib/gi18n-lib.h>

#define MOST_HEIGHT ((int) stria_text_px (420))

GtkWidget *
stria_list_popover_new (GtkMenuButton *button)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), MOST_HEIGHT);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), box);
  gtk_popover_set_child (GTK_POPOVER (popover), scrolled);
  gtk_menu_button_set_popover (button, popover);
  return box;
}

GtkWidget *
stria_columns_button_new (GtkMenuButtonCreatePopupFunc fill, gpointer user_data)
{
  GtkWidget *button = gtk_menu_button_new ();

  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), _ ("Columns"));
  gtk_widget_set_tooltip_text (button, _ ("Choose columns"));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), fill, user_data, NULL);
  return button;
}
