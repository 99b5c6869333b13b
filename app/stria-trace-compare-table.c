/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-trace-compare-table.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-choosers.h"
#include "stria-model-columns.h"
#include "stria-stats-columns.h"
#include "stria-table-start.h"
#include "stria-trace-compare-item.h"
#include "stria-trace-compare-text.h"
#include "stria-widget-tools.h"
#include "stria-wrap-box.h"

#define CODE(kind, trace) ((guint) (kind) | (trace) << 8)
#define KIND(code) ((StriaTraceColumn) ((code) & 0xff))
#define TRACE(code) ((code) >> 8)

struct _StriaTraceCompareTable
{
  GtkWidget parent_instance;

  StriaTraceCompare *compare;
  guint              base;
  char             **titles;
  guint              columns_of; /* number of captures and base that the columns are for */
  gboolean           filling;

  GtkWidget       *box;
  GtkToggleButton *names_button;
  GtkDropDown     *measure;
  GtkDropDown     *category;
  GtkDropDown     *scope;
  GtkLabel        *summary;
  GtkWidget       *entry;
  GtkWidget       *copy_button;
  GtkWidget       *save_button;
  GtkStack        *stack;
  GtkLabel        *note;
  GtkColumnView   *names;
  GtkColumnView   *figures;
  GListStore      *names_store;
  GListStore      *figures_store;
  GtkFilter       *filter;
  char            *filter_text; /* case-folded */
  char            *filter_category;
};

enum
{
  ROW_CHOSEN,
  SCOPE_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaTraceCompareTable, stria_trace_compare_table, GTK_TYPE_WIDGET)

/* -- columns --------------------------------------------------------------------------------- */

static int
compare_items (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const guint code = GPOINTER_TO_UINT (user_data);
  StriaTraceCompareItem *x = (gpointer) a, *y = (gpointer) b;

  if (KIND (code) <= STRIA_TRACE_COLUMN_CATEGORY)
    {
      g_autofree char *s = stria_trace_compare_item_dup_text (x, KIND (code), 0);
      g_autofree char *t = stria_trace_compare_item_dup_text (y, KIND (code), 0);

      return gtk_ordering_from_cmpfunc (g_utf8_collate (s, t));
    }
  return stria_model_columns_order (
      stria_trace_compare_item_get_value (x, KIND (code), TRACE (code)),
      stria_trace_compare_item_get_value (y, KIND (code), TRACE (code)));
}

static void
on_cell_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer column)
{
  const guint code = GPOINTER_TO_UINT (column);
  StriaTraceCompareItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *label = gtk_list_item_get_child (list_item);
  g_autofree char *text = stria_trace_compare_item_dup_text (item, KIND (code), TRACE (code));
  g_autofree char *tooltip
      = stria_trace_compare_item_dup_tooltip (item, KIND (code), TRACE (code));
  int verdict = 0;

  if (KIND (code) == STRIA_TRACE_COLUMN_DIFFERENCE || KIND (code) == STRIA_TRACE_COLUMN_RELATIVE)
    verdict = stria_trace_compare_item_get_verdict (item, TRACE (code));
  gtk_label_set_label (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, tooltip);
  stria_set_css_class (label, "compare-worse", verdict > 0);
  stria_set_css_class (label, "compare-better", verdict < 0);
}

static GtkColumnViewColumn *
add_column (GtkColumnView *view, const char *title, guint code, gboolean is_text, int width)
{
  return stria_model_columns_add (
      view, &(StriaModelColumnSpec){ title, code, is_text, width, on_cell_bind, compare_items });
}

static void
clear_columns (GtkColumnView *view)
{
  GListModel *columns = gtk_column_view_get_columns (view);

  while (g_list_model_get_n_items (columns) > 0)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, 0);

      gtk_column_view_remove_column (view, column);
    }
}

static char *
numbered (const char *format, guint trace)
{
  return g_strdup_printf ("%s #%u", format, trace + 1);
}

static void
add_values (StriaTraceCompareTable *self, GtkColumnView *view, gboolean sorts)
{
  const guint n = self->compare->n;

  for (guint k = 0; k < n; k++)
    {
      g_autofree char *value
          = g_strdup_printf (k == self->base ? _ ("#%u base") : C_ ("capture", "#%u"), k + 1);
      g_autofree char *difference = numbered (_ ("Difference"), k);
      GtkColumnViewColumn *column;

      add_column (view, value, CODE (STRIA_TRACE_COLUMN_VALUE, k), FALSE, 92);
      if (k == self->base)
        continue;
      column = add_column (view, n > 2 ? difference : _ ("Difference"),
                           CODE (STRIA_TRACE_COLUMN_DIFFERENCE, k), FALSE, 120);
      if (sorts && n == 2)
        gtk_column_view_sort_by_column (view, column, GTK_SORT_DESCENDING);
      add_column (view, _ ("Relative"), CODE (STRIA_TRACE_COLUMN_RELATIVE, k), FALSE, 88);
    }
}

static void
rebuild_columns (StriaTraceCompareTable *self)
{
  const guint of = self->compare->n << 8 | self->base;

  if (of == self->columns_of)
    return;
  self->columns_of = of;
  clear_columns (self->names);
  clear_columns (self->figures);
  add_column (self->names, _ ("Name"), CODE (STRIA_TRACE_COLUMN_NAME, 0), TRUE, 0);
  add_column (self->names, _ ("Category"), CODE (STRIA_TRACE_COLUMN_CATEGORY, 0), TRUE, 140);
  add_values (self, self->names, TRUE);
  for (guint k = 0; k < self->compare->n; k++)
    {
      g_autofree char *count = numbered (_ ("Count"), k);
      g_autofree char *mean = numbered (_ ("Mean"), k);

      add_column (self->names, count, CODE (STRIA_TRACE_COLUMN_COUNT, k), FALSE, 80);
      add_column (self->names, mean, CODE (STRIA_TRACE_COLUMN_MEAN, k), FALSE, 84);
    }
  add_column (self->figures, _ ("Figure"), CODE (STRIA_TRACE_COLUMN_NAME, 0), TRUE, 0);
  add_values (self, self->figures, FALSE);
  stria_stats_columns_align (self->names, 2);
  stria_stats_columns_align (self->figures, 1);
}

/* -- rows ------------------------------------------------------------------------------------ */

static StriaCompareMeasure
measure_of (StriaTraceCompareTable *self)
{
  return (StriaCompareMeasure) gtk_drop_down_get_selected (self->measure);
}

typedef struct
{
  const StriaTraceRow *row;
  double               worst;
} Ranked;

static int
compare_ranked (gconstpointer a, gconstpointer b)
{
  const Ranked *x = a, *y = b;

  return x->worst > y->worst ? -1 : x->worst < y->worst;
}

/* What got worse most stands first, whichever of several captures it did in. */
static void
fill_names (StriaTraceCompareTable *self, StriaCompareLook *look)
{
  g_autoptr (GArray) ranked = g_array_new (FALSE, FALSE, sizeof (Ranked));
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->compare->rows->len; i++)
    {
      Ranked one = { self->compare->rows->pdata[i], 0 };

      if (!stria_trace_row_worst (one.row, self->compare->n, self->base, look->measure,
                                  &one.worst))
        one.worst = -G_MAXDOUBLE;
      g_array_append_val (ranked, one);
    }
  g_array_sort (ranked, compare_ranked);
  for (guint i = 0; i < ranked->len; i++)
    g_ptr_array_add (items, stria_trace_compare_item_new (
                                look, g_array_index (ranked, Ranked, i).row, NULL));
  g_list_store_splice (self->names_store, 0,
                       g_list_model_get_n_items (G_LIST_MODEL (self->names_store)), items->pdata,
                       items->len);
}

static void
fill_figures (StriaTraceCompareTable *self, StriaCompareLook *look)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->compare->figures->len; i++)
    g_ptr_array_add (items, stria_trace_compare_item_new (look, NULL,
                                                          self->compare->figures->pdata[i]));
  g_list_store_splice (self->figures_store, 0,
                       g_list_model_get_n_items (G_LIST_MODEL (self->figures_store)),
                       items->pdata, items->len);
}

static void
fill_categories (StriaTraceCompareTable *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autoptr (GHashTable) told = g_hash_table_new (g_str_hash, g_str_equal);
  guint selected = 0;

  gtk_string_list_append (names, _ ("All Categories"));
  /* Rows are in the order of their categories. */
  for (guint i = 0; i < self->compare->rows->len; i++)
    {
      const StriaTraceRow *row = self->compare->rows->pdata[i];

      if (row->category[0] == '\0' || !g_hash_table_add (told, (char *) row->category))
        continue;
      gtk_string_list_append (names, row->category);
      if (g_strcmp0 (self->filter_category, row->category) == 0)
        selected = g_list_model_get_n_items (G_LIST_MODEL (names)) - 1;
    }
  self->filling = TRUE;
  gtk_drop_down_set_model (self->category, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->category, selected);
  self->filling = FALSE;
}

static void
show_stack (StriaTraceCompareTable *self)
{
  const gboolean names = gtk_toggle_button_get_active (self->names_button);

  gtk_stack_set_visible_child_name (self->stack, self->compare == NULL ? "note"
                                                 : names               ? "names"
                                                                       : "figures");
  gtk_widget_set_visible (GTK_WIDGET (self->measure), names);
  gtk_widget_set_visible (GTK_WIDGET (self->category), names);
  gtk_widget_set_visible (self->entry, names);
  gtk_widget_set_visible (self->copy_button, names);
  gtk_widget_set_visible (self->save_button, names);
  gtk_widget_set_visible (GTK_WIDGET (self->summary), names);
}

static void
fill (StriaTraceCompareTable *self)
{
  StriaCompareLook *look;
  g_autofree char *text = NULL;

  if (self->compare == NULL || self->filling)
    return;
  look = stria_compare_look_new (self->compare, self->base, measure_of (self));
  rebuild_columns (self);
  fill_names (self, look);
  fill_figures (self, look);
  stria_compare_look_unref (look);
  text = stria_trace_compare_matched_text (self->compare);
  gtk_label_set_label (self->summary, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->summary), text);
}

/* -- filter, copy and save ------------------------------------------------------------------- */

static gboolean
filter_func (gpointer item, gpointer user_data)
{
  StriaTraceCompareTable *self = user_data;
  const StriaTraceRow *row = stria_trace_compare_item_get_row (item);
  g_autofree char *folded = NULL;

  if (self->filter_category != NULL && !g_str_equal (row->category, self->filter_category))
    return FALSE;
  if (self->filter_text == NULL || self->filter_text[0] == '\0')
    return TRUE;
  folded = g_utf8_casefold (row->name, -1);
  return strstr (folded, self->filter_text) != NULL;
}

static void
on_filter (StriaTraceCompareTable *self)
{
  const guint category = gtk_drop_down_get_selected (self->category);
  GtkStringObject *chosen = gtk_drop_down_get_selected_item (self->category);

  if (self->filling)
    return;
  g_free (self->filter_text);
  self->filter_text = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (self->entry)), -1);
  g_free (self->filter_category);
  self->filter_category = category > 0 && category != GTK_INVALID_LIST_POSITION
                              ? g_strdup (gtk_string_object_get_string (chosen))
                              : NULL;
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
}

static char *
dup_csv (StriaTraceCompareTable *self)
{
  GListModel *model = G_LIST_MODEL (gtk_column_view_get_model (self->names));
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (StriaTraceCompareItem) item = g_list_model_get_item (model, i);

      g_ptr_array_add (rows, (gpointer) stria_trace_compare_item_get_row (item));
    }
  return stria_trace_compare_csv (self->compare, rows, self->base,
                                  (const char *const *) self->titles);
}

static void
on_copy (StriaTraceCompareTable *self)
{
  g_autofree char *csv = self->compare != NULL ? dup_csv (self) : NULL;

  if (csv == NULL)
    return;
  stria_copy_text (GTK_WIDGET (self), csv);
}

static void
on_save (StriaTraceCompareTable *self)
{
  g_autofree char *csv = self->compare != NULL ? dup_csv (self) : NULL;

  if (csv != NULL)
    stria_save_text (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), _ ("Save Table"),
                     "trace-difference.csv", csv, stria_tell_saved, self);
}

static void
on_selected (StriaTraceCompareTable *self, GParamSpec *pspec, GtkSingleSelection *selection)
{
  StriaTraceCompareItem *item = gtk_single_selection_get_selected_item (selection);

  g_signal_emit (self, signals[ROW_CHOSEN], 0,
                 item != NULL ? stria_trace_compare_item_get_row (item) : NULL);
}

static void
on_scope (StriaTraceCompareTable *self)
{
  g_signal_emit (self, signals[SCOPE_CHANGED], 0);
}

/* -- the widget ------------------------------------------------------------------------------ */

static GtkDropDown *
chooser_new (StriaTraceCompareTable *self, GtkWidget *bar, const char *const *items,
             const char *tooltip, GCallback changed)
{
  GtkWidget *chooser = gtk_drop_down_new_from_strings (items);

  gtk_widget_set_valign (chooser, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (chooser, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (chooser), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  -1);
  g_signal_connect_swapped (chooser, "notify::selected", changed, self);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), chooser);
  return GTK_DROP_DOWN (chooser);
}

static void
add_switch (StriaTraceCompareTable *self, GtkWidget *bar)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *names = gtk_toggle_button_new_with_label (_ ("Operators"));
  GtkWidget *figures = gtk_toggle_button_new_with_label (_ ("Summary"));

  gtk_widget_add_css_class (box, "linked");
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (figures), GTK_TOGGLE_BUTTON (names));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (names), TRUE);
  gtk_widget_set_tooltip_text (names, _ ("Operators, kernels and other slices by name"));
  gtk_widget_set_tooltip_text (figures, _ ("Figures of the whole, of devices and of categories"));
  gtk_box_append (GTK_BOX (box), names);
  gtk_box_append (GTK_BOX (box), figures);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), box);
  self->names_button = GTK_TOGGLE_BUTTON (names);
  g_signal_connect_swapped (names, "toggled", G_CALLBACK (show_stack), self);
}

static GtkWidget *
bar_new (StriaTraceCompareTable *self)
{
  const char *const measures[] = { _ ("Total Time"), _ ("Self Time"), _ ("Mean Time"),
                                   _ ("Count"), NULL };
  const char *const scopes[] = { _ ("Whole Captures"), _ ("What Is Visible"), NULL };
  const char *const categories[] = { _ ("All Categories"), NULL };
  GtkWidget *bar = stria_wrap_box_new (6, 3);
  GtkWidget *tools = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_widget_add_css_class (bar, "panel-header");
  add_switch (self, bar);
  self->scope = chooser_new (self, bar, scopes, _ ("What of the captures is compared"),
                             G_CALLBACK (on_scope));
  self->measure = chooser_new (self, bar, measures, _ ("What is compared"), G_CALLBACK (fill));
  self->category = chooser_new (self, bar, categories, _ ("Only slices of this category"),
                                G_CALLBACK (on_filter));
  self->summary = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->summary, 0);
  gtk_label_set_ellipsize (self->summary, PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (GTK_WIDGET (self->summary), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->summary), "caption");
  gtk_widget_set_hexpand (GTK_WIDGET (self->summary), TRUE);
  gtk_label_set_width_chars (self->summary, 12);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), GTK_WIDGET (self->summary));
  self->entry = gtk_search_entry_new ();
  g_object_set (self->entry, "placeholder-text", _ ("Filter"), NULL);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->entry), 16);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 8);
  gtk_widget_set_valign (self->entry, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->entry, _ ("Show only names that have this text in them"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Filter the names"), -1);
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (on_filter), self);
  gtk_box_append (GTK_BOX (tools), self->entry);
  self->copy_button = stria_model_icon_button_new (tools, "edit-copy-symbolic", _ ("Copy as CSV"),
                                                   _ ("Copy the table as CSV"),
                                                   G_CALLBACK (on_copy), self);
  self->save_button = stria_model_icon_button_new (tools, "document-save-symbolic",
                                                   _ ("Save as CSV"), _ ("Save the table as CSV"),
                                                   G_CALLBACK (on_save), self);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), tools);
  return bar;
}

static GtkColumnView *
view_new (StriaTraceCompareTable *self, const char *page, const char *name, GListStore *store,
          GtkFilter *filter)
{
  GtkWidget *view = gtk_column_view_new (NULL);
  GtkWidget *scroller = gtk_scrolled_window_new ();

  stria_table_keep_start (view);
  gtk_widget_add_css_class (view, "stats");
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  stria_model_columns_set_rows (GTK_COLUMN_VIEW (view), store, filter);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), view);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_stack_add_named (self->stack, scroller, page);
  return GTK_COLUMN_VIEW (view);
}

static void
stria_trace_compare_table_dispose (GObject *object)
{
  StriaTraceCompareTable *self = STRIA_TRACE_COMPARE_TABLE (object);

  self->filling = TRUE;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->compare, stria_trace_compare_unref);
  g_clear_object (&self->names_store);
  g_clear_object (&self->figures_store);
  g_clear_object (&self->filter);
  g_clear_pointer (&self->titles, g_strfreev);
  g_clear_pointer (&self->filter_text, g_free);
  g_clear_pointer (&self->filter_category, g_free);
  G_OBJECT_CLASS (stria_trace_compare_table_parent_class)->dispose (object);
}

static void
stria_trace_compare_table_class_init (StriaTraceCompareTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_trace_compare_table_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[ROW_CHOSEN] = g_signal_new ("row-chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[SCOPE_CHANGED] = g_signal_new ("scope-changed", G_TYPE_FROM_CLASS (klass),
                                         G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_trace_compare_table_init (StriaTraceCompareTable *self)
{
  GtkWidget *note = gtk_label_new (NULL);
  GtkFilter *all = GTK_FILTER (gtk_custom_filter_new (NULL, NULL, NULL));

  self->names_store = g_list_store_new (STRIA_TYPE_TRACE_COMPARE_ITEM);
  self->figures_store = g_list_store_new (STRIA_TYPE_TRACE_COMPARE_ITEM);
  self->filter = GTK_FILTER (gtk_custom_filter_new (filter_func, self, NULL));
  self->stack = GTK_STACK (gtk_stack_new ());
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), bar_new (self));
  gtk_label_set_wrap (GTK_LABEL (note), TRUE);
  gtk_widget_add_css_class (note, "dim-label");
  self->note = GTK_LABEL (note);
  gtk_stack_add_named (self->stack, note, "note");
  self->names = view_new (self, "names", _ ("Differences by name"), self->names_store,
                          self->filter);
  self->figures = view_new (self, "figures", _ ("Differences of figures"), self->figures_store,
                            all);
  g_object_unref (all);
  g_signal_connect_object (gtk_column_view_get_model (self->names), "notify::selected-item",
                           G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->stack));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  show_stack (self);
}

GtkWidget *
stria_trace_compare_table_new (void)
{
  return g_object_new (STRIA_TYPE_TRACE_COMPARE_TABLE, NULL);
}

void
stria_trace_compare_table_set (StriaTraceCompareTable *self, StriaTraceCompare *compare,
                               guint base, const char *const *titles)
{
  if (compare != NULL)
    stria_trace_compare_ref (compare);
  g_clear_pointer (&self->compare, stria_trace_compare_unref);
  self->compare = compare;
  self->base = base;
  g_strfreev (self->titles);
  self->titles = g_strdupv ((char **) titles);
  if (compare != NULL)
    {
      fill_categories (self);
      on_filter (self);
      fill (self);
    }
  else
    {
      g_list_store_remove_all (self->names_store);
      g_list_store_remove_all (self->figures_store);
    }
  show_stack (self);
}

void
stria_trace_compare_table_set_note (StriaTraceCompareTable *self, const char *note)
{
  gtk_label_set_label (self->note, note);
}

gboolean
stria_trace_compare_table_is_visible_only (StriaTraceCompareTable *self)
{
  return gtk_drop_down_get_selected (self->scope) == 1;
}

void
stria_trace_compare_table_focus_filter (StriaTraceCompareTable *self)
{
  gtk_toggle_button_set_active (self->names_button, TRUE);
  gtk_widget_grab_focus (self->entry);
}
