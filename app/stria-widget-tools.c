/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-widget-tools.h"

GtkWidget *
stria_icon_button_new (const char *icon, const char *tooltip, GCallback clicked, gpointer data)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  -1);
  g_signal_connect_swapped (button, "clicked", clicked, data);
  return button;
}

void
stria_set_css_class (GtkWidget *widget, const char *name, gboolean has)
{
  if (has)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

GtkShortcutController *
stria_key_controller_new (GtkWidget *widget)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  gtk_shortcut_controller_set_scope (GTK_SHORTCUT_CONTROLLER (keys), GTK_SHORTCUT_SCOPE_GLOBAL);
  gtk_widget_add_controller (widget, keys);
  return GTK_SHORTCUT_CONTROLLER (keys);
}
