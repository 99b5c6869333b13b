/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-source-link.h"

#include <string.h>

#include <glib/gi18n-lib.h>

typedef struct
{
  char *path;
  guint line;
} Place;

static void
place_free (gpointer data)
{
  g_free (((Place *) data)->path);
  g_free (data);
}

char *
stria_source_text (const char *path, guint line)
{
  return line > 0 ? g_strdup_printf ("%s:%u", path, line) : g_strdup (path);
}

void
stria_source_show (GtkWidget *widget, const char *path, guint line)
{
  gtk_widget_activate_action (widget, "win.show-source", "(su)", path, line);
}

void
stria_source_copy (GtkWidget *widget, const char *path, guint line)
{
  g_autofree char *text = stria_source_text (path, line);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  gtk_widget_activate_action (widget, "win.toast", "s", _ ("Copied"));
}

static void
remove_menu (gpointer data)
{
  GtkWidget *popover = data;

  if (gtk_widget_get_parent (popover) != NULL)
    gtk_widget_unparent (popover);
  g_object_unref (popover);
}

static void
on_menu_closed (GtkWidget *popover)
{
  /* Its button's action comes after it closed */
  g_idle_add_once (remove_menu, g_object_ref (popover));
}

void
stria_source_popup_menu (GtkWidget *parent, double x, double y, const char *path, guint line)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenuItem) show = g_menu_item_new (_ ("_Show Source"), NULL);
  g_autoptr (GMenuItem) copy = g_menu_item_new (_ ("_Copy Path and Line"), NULL);
  g_autofree char *text = stria_source_text (path, line);
  GtkWidget *popover;

  g_menu_item_set_action_and_target (show, "win.show-source", "(su)", path, line);
  g_menu_item_set_action_and_target (copy, "win.copy-text", "s", text);
  g_menu_append_item (menu, show);
  g_menu_append_item (menu, copy);
  popover = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
  gtk_widget_set_parent (popover, parent);
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover),
                               &(GdkRectangle){ (int) x, (int) y, 1, 1 });
  g_signal_connect (popover, "closed", G_CALLBACK (on_menu_closed), NULL);
  g_signal_connect_object (parent, "destroy", G_CALLBACK (gtk_widget_unparent), popover,
                           G_CONNECT_SWAPPED);
  gtk_popover_popup (GTK_POPOVER (popover));
}

static void
on_secondary (GtkGestureClick *gesture, int n_press, double x, double y, Place *place)
{
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  stria_source_popup_menu (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture)), x, y,
                           place->path, place->line);
}

static gboolean
on_key (GtkEventController *controller, guint keyval, guint keycode, GdkModifierType modifiers,
        Place *place)
{
  GtkWidget *widget = gtk_event_controller_get_widget (controller);

  if (keyval == GDK_KEY_Menu || (keyval == GDK_KEY_F10 && (modifiers & GDK_SHIFT_MASK) != 0))
    stria_source_popup_menu (widget, 8, gtk_widget_get_height (widget), place->path, place->line);
  else if (keyval == GDK_KEY_c && (modifiers & GDK_CONTROL_MASK) != 0)
    stria_source_copy (widget, place->path, place->line);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static void
on_clicked (GtkWidget *button, Place *place)
{
  stria_source_show (button, place->path, place->line);
}

static GtkWidget *
line_new (const char *text, PangoEllipsizeMode ellipsize, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), ellipsize);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, style);
  return label;
}

GtkWidget *
stria_source_link_new (const char *text, const char *note, const char *path, guint line)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *key = gtk_event_controller_key_new ();
  Place *place = g_new (Place, 1);
  g_autofree char *place_text = stria_source_text (path, line);
  /* Translators: a path and line; what a click does */
  g_autofree char *tooltip = g_strdup_printf (_ ("%s\nShow this line (Ctrl+C copies its place)"),
                                              place_text);
  g_autofree char *name = note != NULL ? g_strdup_printf ("%s, %s", text, note) : g_strdup (text);

  place->path = g_strdup (path);
  place->line = line;
  g_object_set_data_full (G_OBJECT (button), "place", place, place_free);
  gtk_box_append (GTK_BOX (box), line_new (text, PANGO_ELLIPSIZE_END, "link-text"));
  if (note != NULL)
    {
      GtkWidget *below = line_new (note, PANGO_ELLIPSIZE_START, "dim-label");

      gtk_widget_add_css_class (below, "caption");
      gtk_box_append (GTK_BOX (box), below);
    }
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "details-link");
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  -1);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (on_secondary), place);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), place);
  g_signal_connect (button, "clicked", G_CALLBACK (on_clicked), place);
  gtk_widget_add_controller (button, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (button, key);
  return button;
}
