/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-widget-tools.h"

#include <adwaita.h>

#include "stria-paint-size.h"

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

/* What keeps rows from being too long to read counts pixels, whatever the size of text. */
static void
widen_clamps (GtkWidget *widget)
{
  if (ADW_IS_CLAMP (widget))
    {
      AdwClamp *clamp = ADW_CLAMP (widget);

      adw_clamp_set_maximum_size (clamp,
                                  (int) stria_text_px (adw_clamp_get_maximum_size (clamp)));
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    widen_clamps (child);
}

/**
 * stria_size_window:
 * @window: a window that has its content and is not seen yet
 * @width: pixels at text of usual size
 * @height: likewise; -1 for as high as it must be
 *
 * Gives a window the size that its text needs where the desktop's is larger, but none that no screen
 * has.
 */
void
stria_size_window (GtkWindow *window, int width, int height)
{
  GListModel *monitors = gdk_display_get_monitors (gtk_widget_get_display (GTK_WIDGET (window)));
  g_autoptr (GdkMonitor) monitor = g_list_model_get_item (monitors, 0);
  GdkRectangle screen = { .width = G_MAXINT, .height = G_MAXINT };

  if (monitor != NULL)
    gdk_monitor_get_geometry (monitor, &screen);
  gtk_window_set_default_size (window, MIN ((int) stria_text_px (width), screen.width),
                               height < 0 ? height
                                          : MIN ((int) stria_text_px (height), screen.height));
  widen_clamps (GTK_WIDGET (window));
}
