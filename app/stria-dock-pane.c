/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-dock-pane.h"

#include <glib/gi18n-lib.h>

#include "stria-key-bindings.h"
#include "stria-keys-apply.h"

struct _StriaDockPane
{
  GtkWidget parent_instance;

  char      *id;
  GtkWidget *box;
  GtkWidget *header;
  GtkWidget *icon;
  GtkWidget *title;
  GtkWidget *content;
};

static guint close_signal;

G_DEFINE_FINAL_TYPE (StriaDockPane, stria_dock_pane, GTK_TYPE_WIDGET)

static void
append (GMenu *menu, const char *label, const char *action, const char *keys)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, action);
  g_autofree char *own = stria_key_row (action) != NULL ? stria_keys_first (action) : NULL;

  if (stria_key_row (action) != NULL)
    keys = own;
  if (keys != NULL)
    g_menu_item_set_attribute (item, "accel", "s", keys);
  g_menu_append_item (menu, item);
}

/* They move what is worked in, which the pane is once its menu has the keyboard. */
static GMenuModel *
menu_new (gboolean is_tabs)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) moves = g_menu_new ();
  g_autoptr (GMenu) places = g_menu_new ();

  append (moves, _ ("Move _Left"), "dock.shift::left", "<Control><Alt>Left");
  append (moves, _ ("Move _Right"), "dock.shift::right", "<Control><Alt>Right");
  append (moves, _ ("Move _Up"), "dock.shift::above", "<Control><Alt>Up");
  append (moves, _ ("Move _Down"), "dock.shift::below", "<Control><Alt>Down");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (moves));
  append (places, _ ("_Even Out the Panes"), "dock.even", NULL);
  if (!is_tabs)
    append (places, _ ("Back to the _Tabs"), "dock.back", "<Control>F8");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (places));
  return G_MENU_MODEL (menu);
}

static void
on_close (StriaDockPane *self)
{
  g_signal_emit (self, close_signal, 0);
}

static GtkWidget *
close_button_new (StriaDockPane *self)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("window-close-symbolic");

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button,
                               _ ("Close the pane: its view goes back to the tabs (Ctrl+F8)"));
  stria_key_tooltip (button, "dock.back");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Close the pane"), -1);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_close), self);
  return button;
}

/* Anew each time: its keys may have changed. */
static void
create_popup (GtkMenuButton *button, gpointer is_tabs)
{
  g_autoptr (GMenuModel) menu = menu_new (GPOINTER_TO_INT (is_tabs));

  gtk_menu_button_set_menu_model (button, menu);
}

static GtkWidget *
menu_button_new (gboolean is_tabs)
{
  GtkWidget *button = gtk_menu_button_new ();

  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-more-symbolic");
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (button), FALSE);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), create_popup,
                                         GINT_TO_POINTER (is_tabs), NULL);
  gtk_widget_set_tooltip_text (button, _ ("Move the pane"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Move the pane"), -1);
  return button;
}

static GtkWidget *
header_new (StriaDockPane *self)
{
  GtkWidget *header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *handle = gtk_image_new_from_icon_name ("list-drag-handle-symbolic");

  gtk_widget_add_css_class (header, "dock-header");
  gtk_widget_set_cursor_from_name (header, "grab");
  gtk_widget_set_tooltip_text (header, _ ("Drag to put the pane beside or below another"));
  self->icon = gtk_image_new ();
  self->title = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->title), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (self->title), 0);
  gtk_widget_set_hexpand (self->title, TRUE);
  gtk_widget_add_css_class (self->title, "heading");
  gtk_widget_add_css_class (handle, "dim-label");
  gtk_box_append (GTK_BOX (header), handle);
  gtk_box_append (GTK_BOX (header), self->icon);
  gtk_box_append (GTK_BOX (header), self->title);
  gtk_box_append (GTK_BOX (header), menu_button_new (self->id == NULL));
  if (self->id != NULL)
    gtk_box_append (GTK_BOX (header), close_button_new (self));
  return header;
}

static void
stria_dock_pane_dispose (GObject *object)
{
  g_clear_pointer (&STRIA_DOCK_PANE (object)->box, gtk_widget_unparent);
  G_OBJECT_CLASS (stria_dock_pane_parent_class)->dispose (object);
}

static void
stria_dock_pane_finalize (GObject *object)
{
  g_free (STRIA_DOCK_PANE (object)->id);
  G_OBJECT_CLASS (stria_dock_pane_parent_class)->finalize (object);
}

static void
stria_dock_pane_class_init (StriaDockPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_dock_pane_dispose;
  G_OBJECT_CLASS (klass)->finalize = stria_dock_pane_finalize;
  close_signal = g_signal_new ("close", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                               NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "dockpane");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
stria_dock_pane_init (StriaDockPane *self)
{
}

GtkWidget *
stria_dock_pane_new (const char *id, GtkWidget *content)
{
  StriaDockPane *self = g_object_new (STRIA_TYPE_DOCK_PANE, NULL);

  self->id = g_strdup (id);
  self->content = content;
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->header = header_new (self);
  gtk_widget_set_visible (self->header, FALSE);
  gtk_widget_set_vexpand (content, TRUE);
  gtk_box_append (GTK_BOX (self->box), self->header);
  gtk_box_append (GTK_BOX (self->box), content);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  return GTK_WIDGET (self);
}

const char *
stria_dock_pane_get_id (StriaDockPane *self)
{
  g_return_val_if_fail (STRIA_IS_DOCK_PANE (self), NULL);

  return self->id;
}

GtkWidget *
stria_dock_pane_get_content (StriaDockPane *self)
{
  g_return_val_if_fail (STRIA_IS_DOCK_PANE (self), NULL);

  return self->content;
}

GtkWidget *
stria_dock_pane_take_content (StriaDockPane *self)
{
  GtkWidget *content;

  g_return_val_if_fail (STRIA_IS_DOCK_PANE (self), NULL);

  content = g_steal_pointer (&self->content);
  if (content == NULL)
    return NULL;
  g_object_ref (content);
  gtk_box_remove (GTK_BOX (self->box), content);
  return content;
}

GtkWidget *
stria_dock_pane_get_header (StriaDockPane *self)
{
  g_return_val_if_fail (STRIA_IS_DOCK_PANE (self), NULL);

  return self->header;
}

void
stria_dock_pane_set_title (StriaDockPane *self, const char *title, const char *icon_name)
{
  g_return_if_fail (STRIA_IS_DOCK_PANE (self));

  gtk_label_set_label (GTK_LABEL (self->title), title);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), icon_name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
}

void
stria_dock_pane_set_look (StriaDockPane *self, gboolean header, gboolean current)
{
  g_return_if_fail (STRIA_IS_DOCK_PANE (self));

  gtk_widget_set_visible (self->header, header);
  if (current)
    gtk_widget_add_css_class (self->header, "current");
  else
    gtk_widget_remove_css_class (self->header, "current");
}
