/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-counters.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-counter-bars.h"
#include "stria-model-bars.h"
#include "stria-model-rows.h"
#include "stria-model-text.h"

#define NAME_CHARS  26
#define VALUE_CHARS 16

struct _StriaModelCounters
{
  GtkWidget parent_instance;

  StriaModelState *state;
  GHashTable      *hidden;  /* names of counters that are left out */
  StriaModelBars  *bars;
  gboolean         is_stale;

  GtkStack        *stack;
  GtkFlowBox      *legend;
  GtkListView     *list;
  GListStore      *store;
  GtkLabel        *title;
};

G_DEFINE_FINAL_TYPE (StriaModelCounters, stria_model_counters, GTK_TYPE_WIDGET)

static void
fill_rows (StriaModelCounters *self)
{
  StriaModelIndex *index = stria_model_state_get_index (self->state);
  const StriaModelScale none = { 0 };
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

  g_clear_pointer (&self->bars, stria_model_bars_free);
  self->bars = stria_model_bars_new (
      index, stria_model_state_get_metric (self->state)->aggregation, self->hidden);
  for (guint i = 0; i < self->bars->bars->len; i++)
    g_ptr_array_add (rows, stria_model_row_new (
                               index, &none,
                               g_array_index (self->bars->bars, StriaModelBar, i).chain));
  g_list_store_splice (self->store, 0, g_list_model_get_n_items (G_LIST_MODEL (self->store)),
                       rows->pdata, rows->len);
}

static void
on_toggled (StriaModelCounters *self, GtkToggleButton *button)
{
  const char *name = g_object_get_data (G_OBJECT (button), "counter");

  if (gtk_toggle_button_get_active (button))
    g_hash_table_remove (self->hidden, name);
  else
    g_hash_table_add (self->hidden, g_strdup (name));
  fill_rows (self);
}

static void
fill_legend (StriaModelCounters *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->legend))) != NULL)
    gtk_flow_box_remove (self->legend, child);
  for (guint i = 0; i < self->bars->names->len; i++)
    {
      const char *name = self->bars->names->pdata[i];
      GtkWidget *button = gtk_toggle_button_new ();
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
      GtkWidget *swatch = stria_counter_bar_new ();
      const StriaCounterPart part = { name, 1, i };

      stria_counter_bar_set_parts (STRIA_COUNTER_BAR (swatch), &part, 1, 1, NULL);
      gtk_widget_set_has_tooltip (swatch, FALSE);
      gtk_widget_set_size_request (swatch, 12, 12);
      gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
      gtk_box_append (GTK_BOX (box), swatch);
      gtk_box_append (GTK_BOX (box), gtk_label_new (name));
      gtk_button_set_child (GTK_BUTTON (button), box);
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button),
                                    !g_hash_table_contains (self->hidden, name));
      gtk_widget_add_css_class (button, "flat");
      gtk_widget_add_css_class (button, "legend-entry");
      gtk_widget_set_tooltip_text (button, _ ("Part of the bars, or left out"));
      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                      -1);
      g_object_set_data_full (G_OBJECT (button), "counter", g_strdup (name), g_free);
      g_signal_connect_swapped (button, "toggled", G_CALLBACK (on_toggled), self);
      gtk_flow_box_insert (self->legend, button, -1);
    }
  for (child = gtk_widget_get_first_child (GTK_WIDGET (self->legend)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    gtk_widget_set_focusable (child, FALSE);
}

static void
update (StriaModelCounters *self)
{
  StriaModelIndex *index = stria_model_state_get_index (self->state);
  g_autofree char *title = NULL;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      self->is_stale = TRUE;
      return;
    }
  self->is_stale = FALSE;
  g_list_store_remove_all (self->store);
  if (index == NULL)
    return;
  fill_rows (self);
  fill_legend (self);
  title = stria_model_bars_note (stria_model_state_get_metric (self->state)->aggregation);
  gtk_label_set_label (self->title, title);
  gtk_stack_set_visible_child_name (self->stack, self->bars->names->len > 0 ? "bars" : "absent");
}

static void
on_activate (StriaModelCounters *self, guint position)
{
  g_autoptr (StriaModelRow) row
      = g_list_model_get_item (G_LIST_MODEL (gtk_list_view_get_model (self->list)), position);

  if (row != NULL)
    stria_model_state_go (self->state, stria_model_row_get_entity (row));
}

static void
on_setup (StriaModelCounters *self, GtkListItem *list_item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *name = gtk_label_new (NULL);
  GtkWidget *bar = stria_counter_bar_new ();
  GtkWidget *value = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_width_chars (GTK_LABEL (name), NAME_CHARS);
  gtk_label_set_max_width_chars (GTK_LABEL (name), NAME_CHARS);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (bar, TRUE);
  gtk_widget_set_valign (bar, GTK_ALIGN_CENTER);
  gtk_label_set_xalign (GTK_LABEL (value), 1);
  gtk_label_set_width_chars (GTK_LABEL (value), VALUE_CHARS);
  gtk_widget_add_css_class (value, "numeric");
  gtk_widget_add_css_class (value, "dim-label");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), value);
  gtk_list_item_set_child (list_item, box);
}

static void
on_bind (StriaModelCounters *self, GtkListItem *list_item)
{
  StriaModelRow *row = gtk_list_item_get_item (list_item);
  GtkWidget *name = gtk_widget_get_first_child (gtk_list_item_get_child (list_item));
  GtkWidget *bar = gtk_widget_get_next_sibling (name);
  GtkWidget *value = gtk_widget_get_next_sibling (bar);
  const StriaModelBar *of
      = stria_model_bars_find (self->bars, stria_model_row_get_entity (row));
  guint n;
  const StriaCounterPart *parts = stria_model_bars_parts (self->bars, of, &n);
  g_autofree char *text = stria_model_bars_text (self->bars, of);

  gtk_label_set_label (GTK_LABEL (name), stria_model_row_get_name (row));
  gtk_widget_set_tooltip_text (name, stria_model_row_get_id (row));
  stria_counter_bar_set_parts (STRIA_COUNTER_BAR (bar), parts, n, self->bars->full,
                               self->bars->unit);
  gtk_label_set_label (GTK_LABEL (value), text);
}

static void
stria_model_counters_map (GtkWidget *widget)
{
  StriaModelCounters *self = STRIA_MODEL_COUNTERS (widget);

  GTK_WIDGET_CLASS (stria_model_counters_parent_class)->map (widget);
  if (self->is_stale)
    update (self);
}

static void
stria_model_counters_dispose (GObject *object)
{
  StriaModelCounters *self = STRIA_MODEL_COUNTERS (object);

  if (self->stack != NULL)
    gtk_list_view_set_model (self->list, NULL);
  if (self->stack != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->stack));
  self->stack = NULL;
  g_clear_object (&self->store);
  g_clear_object (&self->state);
  g_clear_pointer (&self->hidden, g_hash_table_unref);
  g_clear_pointer (&self->bars, stria_model_bars_free);
  G_OBJECT_CLASS (stria_model_counters_parent_class)->dispose (object);
}

static void
stria_model_counters_class_init (StriaModelCountersClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_model_counters_dispose;
  GTK_WIDGET_CLASS (klass)->map = stria_model_counters_map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
bars_new (StriaModelCounters *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *list;

  self->title = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->title, 0);
  gtk_label_set_wrap (self->title, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->title), "dim-label");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->title));
  self->legend = GTK_FLOW_BOX (gtk_flow_box_new ());
  gtk_flow_box_set_selection_mode (self->legend, GTK_SELECTION_NONE);
  gtk_flow_box_set_max_children_per_line (self->legend, 12);
  gtk_flow_box_set_homogeneous (self->legend, FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->legend), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Counters in the bars"), -1);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->legend));
  g_signal_connect_swapped (factory, "setup", G_CALLBACK (on_setup), self);
  g_signal_connect_swapped (factory, "bind", G_CALLBACK (on_bind), self);
  list = gtk_list_view_new (
      GTK_SELECTION_MODEL (gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->store)))),
      factory);
  self->list = GTK_LIST_VIEW (list);
  gtk_list_view_set_single_click_activate (self->list, TRUE);
  gtk_widget_add_css_class (list, "outline");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Counters of the chains"), -1);
  g_signal_connect_swapped (list, "activate", G_CALLBACK (on_activate), self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (box), scroller);
  gtk_widget_add_css_class (box, "details");
  return box;
}

static void
stria_model_counters_init (StriaModelCounters *self)
{
  GtkWidget *absent = adw_status_page_new ();

  self->is_stale = TRUE;
  self->hidden = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->store = g_list_store_new (STRIA_TYPE_MODEL_ROW);
  adw_status_page_set_title (ADW_STATUS_PAGE (absent), _ ("No Counters"));
  adw_status_page_set_description (ADW_STATUS_PAGE (absent), stria_model_bars_absence ());
  gtk_widget_add_css_class (absent, "compact");
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_named (self->stack, absent, "absent");
  gtk_stack_add_named (self->stack, bars_new (self), "bars");
  gtk_widget_set_parent (GTK_WIDGET (self->stack), GTK_WIDGET (self));
}

GtkWidget *
stria_model_counters_new (StriaModelState *state)
{
  StriaModelCounters *self = g_object_new (STRIA_TYPE_MODEL_COUNTERS, NULL);

  self->state = g_object_ref (state);
  g_signal_connect_object (state, "profile-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "metric-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
