/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-source-list.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-format.h"
#include "stria-source-row.h"

#define MAX_FILES 20000
#define MAX_LINES 5000

struct _StriaSourceList
{
  GtkWidget parent_instance;

  StriaSourceIndex   *index;
  StriaSourceHeat    *heat;
  char               *path;
  guint               line;
  gboolean            filling;
  GtkWidget          *box;
  GtkWidget          *files_button;
  GtkWidget          *lines_button;
  GtkLabel           *summary;
  GtkWidget          *heading; /* of the values, where some row has one */
  GtkLabel           *no_match;
  GListStore         *rows; /* StriaSourceRow */
  GtkFilter          *filter;
  GtkSingleSelection *selection;
  char               *wanted; /* text of the filter, folded */
};

enum
{
  CHOSEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaSourceList, stria_source_list, GTK_TYPE_WIDGET)

static gboolean
shows_lines (StriaSourceList *self)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->lines_button));
}

/* -- rows ------------------------------------------------------------------------------------- */

/* The end of a path with its folder, which tells one __init__.py from another */
static const char *
short_name (const char *path)
{
  const char *end = path + strlen (path);
  guint n_slashes = 0;

  while (end > path && n_slashes < 2)
    if (*--end == '/' || *end == '\\')
      n_slashes++;
  return n_slashes == 2 ? end + 1 : path;
}

typedef struct
{
  const char *path;
  guint32     number;
  guint       line;
  double      value;
} Entry;

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *x = a, *y = b;
  int order;

  /* None is not a number, which is never greater */
  if (x->value > y->value || (!isnan (x->value) && isnan (y->value)))
    return -1;
  if (y->value > x->value || (!isnan (y->value) && isnan (x->value)))
    return 1;
  order = strcmp (x->path, y->path);
  return order != 0 ? order : x->line < y->line ? -1 : x->line > y->line;
}

static GArray *
entries_new (StriaSourceList *self, gboolean of_lines)
{
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  const guint n = self->index == NULL ? 0
                  : of_lines          ? stria_source_index_n_places (self->index)
                                      : stria_source_index_n_files (self->index);

  for (guint32 i = 0; i < n; i++)
    {
      const StriaSourcePlace place = of_lines ? stria_source_index_get_place (self->index, i)
                                              : (StriaSourcePlace){ i, 0, NULL };
      const Entry entry = { stria_source_index_get_file (self->index, place.file), i, place.line,
                            self->heat == NULL ? NAN
                            : of_lines         ? stria_source_heat_of_place (self->heat, i)
                                               : stria_source_heat_of_file (self->heat, i) };

      g_array_append_val (entries, entry);
    }
  g_array_sort (entries, compare_entries);
  return entries;
}

static StriaSourceRow *
row_new (StriaSourceList *self, const Entry *entry)
{
  const char *name = short_name (entry->path);
  const char *function = NULL;
  g_autofree char *place = NULL;

  if (entry->line == 0)
    return stria_source_row_new (name, NULL, entry->path, 0, entry->value);
  function = stria_source_index_get_place (self->index, entry->number).function;
  place = g_strdup_printf ("%s:%u", name, entry->line);
  return stria_source_row_new (function != NULL ? function : place,
                               function != NULL ? place : NULL, entry->path, entry->line,
                               entry->value);
}

static void
select_place (StriaSourceList *self)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  const gboolean of_lines = shows_lines (self);
  guint found = GTK_INVALID_LIST_POSITION;

  for (guint i = 0; self->path != NULL && i < n && found == GTK_INVALID_LIST_POSITION; i++)
    {
      g_autoptr (StriaSourceRow) row = g_list_model_get_item (G_LIST_MODEL (self->selection), i);

      if (g_str_equal (stria_source_row_get_path (row), self->path)
          && (!of_lines || stria_source_row_get_line (row) == self->line))
        found = i;
    }
  self->filling = TRUE;
  gtk_single_selection_set_selected (self->selection, found);
  self->filling = FALSE;
}

static void
show_whether_matched (StriaSourceList *self)
{
  const gboolean has_rows = g_list_model_get_n_items (G_LIST_MODEL (self->rows)) > 0;

  gtk_label_set_label (self->no_match,
                       has_rows || self->index == NULL
                           ? _ ("No matches")
                           : _ ("The capture names no line of source.\nTraces of PyTorch do "
                                "when captured with with_stack=True, device profiles when the "
                                "program was compiled with debug information."));
  gtk_widget_set_visible (
      GTK_WIDGET (self->no_match),
      self->index != NULL && g_list_model_get_n_items (G_LIST_MODEL (self->selection)) == 0);
}

static void
update_summary (StriaSourceList *self, guint n, gboolean has_values)
{
  g_autofree char *count = stria_format_count (n);
  g_autofree char *text = g_strdup_printf (
      shows_lines (self) ? ngettext ("%s line", "%s lines", n) : ngettext ("%s file", "%s files", n),
      count);

  gtk_label_set_label (self->summary, self->index != NULL ? text : "");
  gtk_widget_set_visible (self->heading, has_values);
  if (has_values)
    {
      const StriaSourceMetric metric = stria_source_heat_get_metric (self->heat);

      gtk_label_set_label (GTK_LABEL (self->heading), stria_source_metric_title (metric));
      gtk_widget_set_tooltip_text (self->heading, stria_source_metric_note (metric));
    }
  show_whether_matched (self);
}

static void
fill (StriaSourceList *self)
{
  const gboolean of_lines = shows_lines (self);
  g_autoptr (GArray) entries = entries_new (self, of_lines);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean has_values = FALSE;

  for (guint i = 0; i < MIN (entries->len, of_lines ? MAX_LINES : MAX_FILES); i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);

      has_values |= !isnan (entry->value);
      g_ptr_array_add (rows, row_new (self, entry));
    }
  self->filling = TRUE;
  g_list_store_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)),
                       rows->pdata, rows->len);
  self->filling = FALSE;
  select_place (self);
  update_summary (self, entries->len, has_values);
}

/* -- the list --------------------------------------------------------------------------------- */

static gboolean
contains (const char *text, const char *wanted)
{
  g_autofree char *folded = text != NULL ? g_utf8_casefold (text, -1) : NULL;

  return folded != NULL && strstr (folded, wanted) != NULL;
}

static gboolean
is_wanted (gpointer item, gpointer user_data)
{
  StriaSourceList *self = user_data;

  return self->wanted == NULL || *self->wanted == '\0'
         || contains (stria_source_row_get_path (item), self->wanted)
         || contains (stria_source_row_get_name (item), self->wanted)
         || contains (stria_source_row_get_note (item), self->wanted);
}

static void
on_search (StriaSourceList *self, GtkSearchEntry *entry)
{
  g_free (self->wanted);
  self->wanted = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (entry)), -1);
  self->filling = TRUE;
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
  self->filling = FALSE;
  select_place (self);
  show_whether_matched (self);
}

static void
on_activate (StriaSourceList *self, guint position)
{
  g_autoptr (StriaSourceRow) row
      = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (row != NULL && !self->filling)
    g_signal_emit (self, signals[CHOSEN], 0, stria_source_row_get_path (row),
                   stria_source_row_get_line (row));
}

static GtkWidget *
label_new (float xalign, PangoEllipsizeMode ellipsize)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  gtk_label_set_ellipsize (GTK_LABEL (label), ellipsize);
  return label;
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *note = label_new (0, PANGO_ELLIPSIZE_START);
  GtkWidget *value = label_new (1, PANGO_ELLIPSIZE_NONE);

  gtk_widget_add_css_class (note, "dim-label");
  gtk_widget_add_css_class (note, "caption");
  gtk_widget_add_css_class (value, "numeric");
  gtk_widget_add_css_class (value, "dim-label");
  gtk_widget_add_css_class (value, "caption");
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_box_append (GTK_BOX (texts), label_new (0, PANGO_ELLIPSIZE_START));
  gtk_box_append (GTK_BOX (texts), note);
  gtk_box_append (GTK_BOX (box), texts);
  gtk_box_append (GTK_BOX (box), value);
  gtk_list_item_set_child (item, box);
}

static void
on_bind (StriaSourceList *self, GtkListItem *item)
{
  StriaSourceRow *row = gtk_list_item_get_item (item);
  GtkWidget *box = gtk_list_item_get_child (item);
  GtkWidget *texts = gtk_widget_get_first_child (box);
  GtkWidget *name = gtk_widget_get_first_child (texts);
  GtkWidget *note = gtk_widget_get_next_sibling (name);
  const char *second = stria_source_row_get_note (row);
  const double value = stria_source_row_get_value (row);
  g_autofree char *text
      = !isnan (value) && self->heat != NULL
            ? stria_source_metric_format (stria_source_heat_get_metric (self->heat), value, FALSE)
            : NULL;
  g_autofree char *description
      = g_strjoin (second != NULL && text != NULL ? ", " : "", second != NULL ? second : "",
                   text != NULL ? text : "", NULL);

  gtk_label_set_label (GTK_LABEL (name), stria_source_row_get_name (row));
  gtk_label_set_label (GTK_LABEL (note), second != NULL ? second : "");
  gtk_widget_set_visible (note, second != NULL);
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_next_sibling (texts)), text != NULL ? text : "");
  gtk_widget_set_tooltip_text (box, stria_source_row_get_path (row));
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_parent (box)),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, stria_source_row_get_name (row),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

static void
stria_source_list_dispose (GObject *object)
{
  StriaSourceList *self = STRIA_SOURCE_LIST (object);

  self->filling = TRUE;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->heat, stria_source_heat_unref);
  g_clear_pointer (&self->index, stria_source_index_unref);
  g_clear_object (&self->rows);
  g_clear_object (&self->selection);
  g_clear_object (&self->filter);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->wanted, g_free);
  G_OBJECT_CLASS (stria_source_list_parent_class)->dispose (object);
}

static void
stria_source_list_class_init (StriaSourceListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_source_list_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_UINT);
}

static GtkWidget *
list_new (StriaSourceList *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkFilterListModel *filtered;
  GtkWidget *list;

  self->rows = g_list_store_new (STRIA_TYPE_SOURCE_ROW);
  self->filter = GTK_FILTER (gtk_custom_filter_new (is_wanted, self, NULL));
  filtered = gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (self->rows)),
                                        g_object_ref (self->filter));
  self->selection = gtk_single_selection_new (G_LIST_MODEL (filtered));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect_swapped (factory, "bind", G_CALLBACK (on_bind), self);
  list = gtk_list_view_new (g_object_ref (GTK_SELECTION_MODEL (self->selection)), factory);
  gtk_list_view_set_single_click_activate (GTK_LIST_VIEW (list), TRUE);
  gtk_widget_add_css_class (list, "artifacts");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Source that the capture mentions"), -1);
  g_signal_connect_swapped (list, "activate", G_CALLBACK (on_activate), self);
  return list;
}

static void
on_kind (StriaSourceList *self)
{
  if (!self->filling)
    fill (self);
}

static GtkWidget *
header_new (StriaSourceList *self)
{
  GtkWidget *header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *kinds = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->files_button = gtk_toggle_button_new_with_label (_ ("Files"));
  self->lines_button = gtk_toggle_button_new_with_label (_ ("Lines"));
  gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (self->lines_button),
                               GTK_TOGGLE_BUTTON (self->files_button));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->files_button), TRUE);
  gtk_widget_set_tooltip_text (self->files_button, _ ("Files that the capture mentions"));
  gtk_widget_set_tooltip_text (self->lines_button,
                               _ ("Lines that the capture mentions, with their functions"));
  g_signal_connect_swapped (self->lines_button, "toggled", G_CALLBACK (on_kind), self);
  gtk_widget_add_css_class (kinds, "linked");
  gtk_widget_set_valign (kinds, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (kinds), self->files_button);
  gtk_box_append (GTK_BOX (kinds), self->lines_button);
  self->summary = GTK_LABEL (label_new (0, PANGO_ELLIPSIZE_END));
  gtk_widget_set_hexpand (GTK_WIDGET (self->summary), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->summary), "numeric");
  self->heading = label_new (1, PANGO_ELLIPSIZE_END);
  gtk_widget_set_visible (self->heading, FALSE);
  gtk_widget_add_css_class (self->heading, "dim-label");
  gtk_widget_add_css_class (self->heading, "caption");
  gtk_widget_set_margin_end (self->heading, 6);
  gtk_widget_add_css_class (header, "panel-header");
  gtk_box_append (GTK_BOX (header), kinds);
  gtk_box_append (GTK_BOX (header), GTK_WIDGET (self->summary));
  gtk_box_append (GTK_BOX (header), self->heading);
  return header;
}

static void
stria_source_list_init (StriaSourceList *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *entry = gtk_search_entry_new ();
  GtkWidget *overlay = gtk_overlay_new ();

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), header_new (self));
  g_object_set (entry, "placeholder-text", _ ("Filter files"), NULL);
  gtk_widget_set_margin_top (entry, 6);
  gtk_widget_set_margin_start (entry, 6);
  gtk_widget_set_margin_end (entry, 6);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Filter files"), -1);
  g_signal_connect_swapped (entry, "search-changed", G_CALLBACK (on_search), self);
  gtk_box_append (GTK_BOX (self->box), entry);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), list_new (self));
  self->no_match = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->no_match, TRUE);
  gtk_label_set_justify (self->no_match, GTK_JUSTIFY_CENTER);
  gtk_widget_set_margin_start (GTK_WIDGET (self->no_match), 18);
  gtk_widget_set_margin_end (GTK_WIDGET (self->no_match), 18);
  gtk_widget_add_css_class (GTK_WIDGET (self->no_match), "dim-label");
  gtk_widget_set_can_target (GTK_WIDGET (self->no_match), FALSE);
  gtk_widget_set_halign (GTK_WIDGET (self->no_match), GTK_ALIGN_CENTER);
  gtk_widget_set_valign (GTK_WIDGET (self->no_match), GTK_ALIGN_CENTER);
  gtk_widget_set_visible (GTK_WIDGET (self->no_match), FALSE);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), scrolled);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), GTK_WIDGET (self->no_match));
  gtk_widget_set_vexpand (overlay, TRUE);
  gtk_box_append (GTK_BOX (self->box), overlay);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
stria_source_list_new (void)
{
  return g_object_new (STRIA_TYPE_SOURCE_LIST, NULL);
}

void
stria_source_list_set_heat (StriaSourceList *self, StriaSourceIndex *index, StriaSourceHeat *heat)
{
  g_return_if_fail (STRIA_IS_SOURCE_LIST (self));

  if (index != NULL)
    stria_source_index_ref (index);
  if (heat != NULL)
    stria_source_heat_ref (heat);
  g_clear_pointer (&self->heat, stria_source_heat_unref);
  g_clear_pointer (&self->index, stria_source_index_unref);
  self->index = index;
  self->heat = heat;
  fill (self);
}

void
stria_source_list_set_place (StriaSourceList *self, const char *path, guint line)
{
  g_autofree char *copy = NULL;

  g_return_if_fail (STRIA_IS_SOURCE_LIST (self));

  copy = g_strdup (path);
  g_free (self->path);
  self->path = g_steal_pointer (&copy);
  self->line = line;
  select_place (self);
}
