/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-retell.h"

#define STRIA_TYPE_RETELLER (stria_reteller_get_type ())
G_DECLARE_FINAL_TYPE (StriaReteller, stria_reteller, STRIA, RETELLER, GObject)

struct _StriaReteller
{
  GObject parent_instance;
};

G_DEFINE_FINAL_TYPE (StriaReteller, stria_reteller, G_TYPE_OBJECT)

static guint retell_signal;

static void
stria_reteller_class_init (StriaRetellerClass *klass)
{
  retell_signal = g_signal_new ("retell", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_reteller_init (StriaReteller *self)
{
}

static StriaReteller *
get_reteller (void)
{
  static StriaReteller *reteller;

  if (reteller == NULL)
    reteller = g_object_new (STRIA_TYPE_RETELLER, NULL);
  return reteller;
}

void
stria_retell_connect (gpointer object, GCallback func)
{
  g_signal_connect_object (get_reteller (), "retell", func, object, G_CONNECT_SWAPPED);
}

/* Rows are made when they come into sight: another factory, even the same, makes them again, and
 * what is selected and how far the list is scrolled stays. */
static void
bind_anew (GtkColumnView *view)
{
  GListModel *columns = gtk_column_view_get_columns (view);

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      GtkListItemFactory *factory = gtk_column_view_column_get_factory (column);

      if (factory == NULL)
        continue;
      g_object_ref (factory);
      gtk_column_view_column_set_factory (column, NULL);
      gtk_column_view_column_set_factory (column, factory);
      g_object_unref (factory);
    }
}

static void
walk (GtkWidget *widget)
{
  if (GTK_IS_COLUMN_VIEW (widget))
    {
      bind_anew (GTK_COLUMN_VIEW (widget));
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    walk (child);
}

void
stria_retell (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  g_signal_emit (get_reteller (), retell_signal, 0);
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      walk (window);
    }
}
