/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-pane.h"

#include <glib/gi18n-lib.h>

struct _StriaModelPane
{
  GtkWidget parent_instance;

  StriaModelState *state;
  GtkNotebook     *notebook;
  guint            first; /* until it is in a window */
  GtkWidget       *split_button;
  GtkWidget       *close_button;
};

enum
{
  SPLIT,
  CLOSE,
  SHOWN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaModelPane, stria_model_pane, GTK_TYPE_WIDGET)

static void
on_split (StriaModelPane *self)
{
  g_signal_emit (self, signals[SPLIT], 0);
}

static void
on_close (StriaModelPane *self)
{
  g_signal_emit (self, signals[CLOSE], 0);
}

/* Pages are empty boxes until they are looked at. */
static void
fill_page (StriaModelPane *self, guint number)
{
  GtkWidget *page = gtk_notebook_get_nth_page (self->notebook, (int) number);

  if (page != NULL && gtk_widget_get_first_child (page) == NULL)
    {
      GtkWidget *tab = stria_model_tab_new (self->state, number);

      gtk_widget_set_hexpand (tab, TRUE);
      gtk_widget_set_vexpand (tab, TRUE);
      gtk_box_append (GTK_BOX (page), tab);
    }
}

static void
on_switch_page (StriaModelPane *self, GtkWidget *page, guint number)
{
  fill_page (self, number);
}

static void
on_page_changed (StriaModelPane *self)
{
  g_signal_emit (self, signals[SHOWN], 0);
}

guint
stria_model_pane_get_graph (StriaModelPane *self)
{
  g_return_val_if_fail (STRIA_IS_MODEL_PANE (self), G_MAXUINT);

  return self->first != G_MAXUINT ? self->first
                                  : (guint) gtk_notebook_get_current_page (self->notebook);
}

void
stria_model_pane_show (StriaModelPane *self, guint graph)
{
  g_return_if_fail (STRIA_IS_MODEL_PANE (self));

  if (self->first != G_MAXUINT)
    self->first = graph;
  else
    gtk_notebook_set_current_page (self->notebook, (int) graph);
}

StriaModelTab *
stria_model_pane_get_tab (StriaModelPane *self)
{
  GtkWidget *page;

  g_return_val_if_fail (STRIA_IS_MODEL_PANE (self), NULL);

  page = gtk_notebook_get_nth_page (self->notebook,
                                    gtk_notebook_get_current_page (self->notebook));
  return page != NULL ? (StriaModelTab *) gtk_widget_get_first_child (page) : NULL;
}

void
stria_model_pane_allow (StriaModelPane *self, gboolean split, gboolean close)
{
  g_return_if_fail (STRIA_IS_MODEL_PANE (self));

  gtk_widget_set_sensitive (self->split_button, split);
  gtk_widget_set_visible (self->close_button, close);
}

/* A notebook outside a window cannot change its page without complaining. */
static void
stria_model_pane_root (GtkWidget *widget)
{
  StriaModelPane *self = STRIA_MODEL_PANE (widget);
  const guint first = self->first;

  GTK_WIDGET_CLASS (stria_model_pane_parent_class)->root (widget);
  if (first == G_MAXUINT)
    return;
  self->first = G_MAXUINT;
  gtk_notebook_set_current_page (self->notebook, (int) first);
  fill_page (self, first);
}

static gboolean
stria_model_pane_grab_focus (GtkWidget *widget)
{
  StriaModelTab *tab = stria_model_pane_get_tab (STRIA_MODEL_PANE (widget));

  return (tab != NULL && gtk_widget_grab_focus (GTK_WIDGET (tab)))
         || gtk_widget_grab_focus (GTK_WIDGET (STRIA_MODEL_PANE (widget)->notebook));
}

static void
show_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_model_pane_show (STRIA_MODEL_PANE (widget), (guint) g_variant_get_int32 (parameter));
  gtk_widget_grab_focus (widget);
}

static void
stria_model_pane_dispose (GObject *object)
{
  StriaModelPane *self = STRIA_MODEL_PANE (object);

  if (self->notebook != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->notebook, self);
      gtk_widget_unparent (GTK_WIDGET (self->notebook));
    }
  self->notebook = NULL;
  g_clear_object (&self->state);
  G_OBJECT_CLASS (stria_model_pane_parent_class)->dispose (object);
}

static void
stria_model_pane_class_init (StriaModelPaneClass *klass)
{
  static const char *const names[N_SIGNALS]
      = { [SPLIT] = "split", [CLOSE] = "close", [SHOWN] = "shown" };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_model_pane_dispose;
  widget_class->root = stria_model_pane_root;
  widget_class->grab_focus = stria_model_pane_grab_focus;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_install_action (widget_class, "pane.show", "i", show_action);
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                               NULL, NULL, G_TYPE_NONE, 0);
}

static GtkWidget *
actions_new (StriaModelPane *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->split_button = gtk_button_new_with_label (_ ("Split"));
  gtk_widget_set_tooltip_text (self->split_button, _ ("Another pane beside this one (Ctrl+\\)"));
  g_signal_connect_swapped (self->split_button, "clicked", G_CALLBACK (on_split), self);
  self->close_button = gtk_button_new_from_icon_name ("window-close-symbolic");
  gtk_widget_set_tooltip_text (self->close_button, _ ("Close this pane (Ctrl+Shift+\\)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->close_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Close pane"), -1);
  g_signal_connect_swapped (self->close_button, "clicked", G_CALLBACK (on_close), self);
  gtk_widget_add_css_class (self->split_button, "flat");
  gtk_widget_add_css_class (self->close_button, "flat");
  gtk_widget_set_valign (self->split_button, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (self->close_button, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), self->split_button);
  gtk_box_append (GTK_BOX (box), self->close_button);
  return box;
}

/* Narrow panes show few of their tabs, and the menu all. */
static GtkWidget *
menu_new (StriaModelIndex *index)
{
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) there = g_menu_new ();
  g_autoptr (GMenu) absent = g_menu_new ();

  for (guint i = 0; i < index->graphs->len; i++)
    {
      const StriaModelGraph *graph = index->graphs->pdata[i];
      g_autofree char *action = g_strdup_printf ("pane.show(%u)", i);
      g_auto (GStrv) words = g_strsplit (graph->title, "_", -1);
      g_autofree char *label = g_strjoinv ("__", words);

      g_menu_append (graph->graph != NULL ? there : absent, label, action);
    }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (there));
  g_menu_append_section (menu, g_menu_model_get_n_items (G_MENU_MODEL (absent)) > 0
                                   ? _ ("Not in This Capture")
                                   : NULL,
                         G_MENU_MODEL (absent));
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "pan-down-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _ ("All graphs"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("All graphs"), -1);
  return button;
}

static void
stria_model_pane_init (StriaModelPane *self)
{
  self->notebook = GTK_NOTEBOOK (gtk_notebook_new ());
  gtk_notebook_set_scrollable (self->notebook, TRUE);
  gtk_notebook_set_show_border (self->notebook, FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self->notebook), "model-tabs");
  gtk_notebook_set_action_widget (self->notebook, actions_new (self), GTK_PACK_END);
  gtk_widget_set_parent (GTK_WIDGET (self->notebook), GTK_WIDGET (self));
}

/* The notebook calls each of its tabs “Tab”. */
static void
name_tab (GtkWidget *tab, const char *title)
{
  if (tab != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (tab), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
}

GtkWidget *
stria_model_pane_new (StriaModelState *state, guint graph)
{
  StriaModelPane *self = g_object_new (STRIA_TYPE_MODEL_PANE, NULL);
  StriaModelIndex *index = stria_model_state_get_index (state);

  self->state = g_object_ref (state);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Pane of graphs"), -1);
  for (guint i = 0; i < index->graphs->len; i++)
    {
      const StriaModelGraph *tab = index->graphs->pdata[i];
      GtkWidget *label = gtk_label_new (tab->title);
      GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

      if (tab->graph == NULL)
        {
          gtk_widget_add_css_class (label, "dim-label");
          gtk_widget_set_tooltip_text (label, tab->reason);
        }
      gtk_widget_add_css_class (label, "caption");
      gtk_notebook_append_page (self->notebook, page, label);
      name_tab (gtk_widget_get_parent (label), tab->title);
    }
  gtk_notebook_set_action_widget (self->notebook, menu_new (index), GTK_PACK_START);
  self->first = graph;
  g_signal_connect_swapped (self->notebook, "switch-page", G_CALLBACK (on_switch_page), self);
  g_signal_connect_swapped (self->notebook, "notify::page", G_CALLBACK (on_page_changed), self);
  return GTK_WIDGET (self);
}
