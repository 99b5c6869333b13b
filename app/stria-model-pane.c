/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-pane.h"

#include <glib/gi18n-lib.h>

#include "stria-focus.h"
#include "stria-key-bindings.h"

/* Narrower than this its buttons would be cut. */
#define LEAST_WIDTH 236
/* Of a tab's title in a narrow pane */
#define NARROW_CHARS 9

struct _StriaModelPane
{
  GtkWidget parent_instance;

  StriaModelState *state;
  GtkNotebook     *notebook;
  guint            first; /* until it is in a window */
  GtkWidget       *split_button;
  GtkWidget       *close_button;
  int              wide;      /* width that titles in full need */
  gboolean         is_narrow; /* titles are cut */
  guint            retitle;   /* idle source */
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

guint
stria_model_pane_dragged_at (StriaModelPane *self, double x, double y)
{
  GtkWidget *at;

  g_return_val_if_fail (STRIA_IS_MODEL_PANE (self), G_MAXUINT);

  at = gtk_widget_pick (GTK_WIDGET (self), x, y, GTK_PICK_DEFAULT);
  for (; at != NULL && at != GTK_WIDGET (self->notebook); at = gtk_widget_get_parent (at))
    {
      if (GTK_IS_BUTTON (at))
        return G_MAXUINT;
      for (int i = 0; i < gtk_notebook_get_n_pages (self->notebook); i++)
        if (gtk_widget_get_parent (gtk_notebook_get_tab_label (
                self->notebook, gtk_notebook_get_nth_page (self->notebook, i)))
            == at)
          return (guint) i;
      if (g_str_equal (gtk_widget_get_css_name (at), "header"))
        return stria_model_pane_get_graph (self);
    }
  return G_MAXUINT;
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
on_retitle (gpointer user_data)
{
  StriaModelPane *self = user_data;

  self->retitle = 0;
  for (int i = 0; i < gtk_notebook_get_n_pages (self->notebook); i++)
    {
      GtkLabel *label = GTK_LABEL (gtk_notebook_get_tab_label (
          self->notebook, gtk_notebook_get_nth_page (self->notebook, i)));

      gtk_label_set_ellipsize (label, self->is_narrow ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
      gtk_label_set_width_chars (label, self->is_narrow ? NARROW_CHARS : -1);
    }
  return G_SOURCE_REMOVE;
}

static void
stria_model_pane_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                          int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  gtk_widget_measure (GTK_WIDGET (STRIA_MODEL_PANE (widget)->notebook), orientation, -1, minimum,
                      natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = MIN (*minimum, LEAST_WIDTH);
}

static void
stria_model_pane_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  StriaModelPane *self = STRIA_MODEL_PANE (widget);
  gboolean is_narrow;
  int least;

  gtk_widget_measure (GTK_WIDGET (self->notebook), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL,
                      NULL, NULL);
  if (!self->is_narrow)
    self->wide = least;
  gtk_widget_allocate (GTK_WIDGET (self->notebook), MAX (width, least), height, baseline, NULL);
  is_narrow = width < self->wide;
  if (is_narrow == self->is_narrow)
    return;
  self->is_narrow = is_narrow;
  if (self->retitle == 0)
    self->retitle = g_idle_add (on_retitle, self);
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

  g_clear_handle_id (&self->retitle, g_source_remove);
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
  widget_class->focus = stria_focus_children;
  widget_class->grab_focus = stria_model_pane_grab_focus;
  widget_class->measure = stria_model_pane_measure;
  widget_class->size_allocate = stria_model_pane_size_allocate;
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
  gtk_widget_set_tooltip_text (
      self->split_button,
      _ ("Another pane beside this one (F7). A tab can also be dragged to a side of a pane."));
  stria_key_tooltip (self->split_button, "model.split-beside");
  g_signal_connect_swapped (self->split_button, "clicked", G_CALLBACK (on_split), self);
  self->close_button = gtk_button_new_from_icon_name ("window-close-symbolic");
  gtk_widget_set_tooltip_text (self->close_button, _ ("Close this pane (Ctrl+F7)"));
  stria_key_tooltip (self->close_button, "model.close-pane");
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
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
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
        gtk_widget_add_css_class (label, "dim-label");
      gtk_widget_set_tooltip_text (label, tab->graph == NULL ? tab->reason : tab->title);
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
