/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-name-drop-down.h"

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_list_item_set_child (item, label);
}

/* The chosen one; in the list there is room for what a file is called. */
static void
on_chosen_setup (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label;

  on_setup (factory, item);
  label = gtk_list_item_get_child (item);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (label), 8);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  const char *name = gtk_string_object_get_string (gtk_list_item_get_item (item));

  gtk_label_set_label (GTK_LABEL (gtk_list_item_get_child (item)), name);
  gtk_widget_set_tooltip_text (gtk_list_item_get_child (item), name);
}

static GtkListItemFactory *
factory_new (GCallback setup)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", setup, NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  return factory;
}

GtkWidget *
stria_name_drop_down_new (void)
{
  GtkWidget *drop_down = gtk_drop_down_new (NULL, NULL);
  g_autoptr (GtkListItemFactory) chosen = factory_new (G_CALLBACK (on_chosen_setup));
  g_autoptr (GtkListItemFactory) listed = factory_new (G_CALLBACK (on_setup));

  gtk_drop_down_set_factory (GTK_DROP_DOWN (drop_down), chosen);
  gtk_drop_down_set_list_factory (GTK_DROP_DOWN (drop_down), listed);
  return drop_down;
}
