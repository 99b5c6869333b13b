/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-regions-panel.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-choosers.h"
#include "stria-format.h"
#include "stria-marks-table.h"
#include "stria-region-form.h"
#include "stria-regions-chart.h"
#include "stria-retell.h"
#include "stria-session-marks.h"
#include "stria-spread-chart.h"
#include "stria-widget-tools.h"
#include "stria-wrap-box.h"

/* Regions that become annotations at once */
#define MOST_ANNOTATIONS 1000

enum
{
  COLUMN_NAME,
  COLUMN_START,
  COLUMN_DURATION,
  COLUMN_DEVIATION,
  COLUMN_SLICES,
  COLUMN_BYTES,
  N_COLUMNS /* then one a group */
};

struct _StriaRegionsPanel
{
  GtkWidget parent_instance;

  StriaSession *session;
  StriaRegions *regions;
  guint         n_groups;
  gboolean      has_columns;

  GtkWidget *box;
  GtkWidget *popover;
  GtkWidget *form;
  GtkWidget *rules;
  GtkWidget *stack;
  GtkWidget *table;
  GtkWidget *chart;
  GtkWidget *chart_button;
  GtkLabel  *message;
  GtkWidget *spinner;
  GtkWidget *annotate_button;
  GtkWidget *save_button;
};

G_DEFINE_FINAL_TYPE (StriaRegionsPanel, stria_regions_panel, GTK_TYPE_WIDGET)

/* -- the table ------------------------------------------------------------------------------- */

static char *
value_text (int column, double value)
{
  if (column == STRIA_REGION_COUNT)
    return stria_format_count ((guint64) (value + 0.5));
  if (column == STRIA_REGION_BYTES)
    return stria_format_bytes ((gint64) (value + 0.5));
  return stria_format_duration ((gint64) (value + 0.5), 4);
}

static void
set_value (StriaMarkItem *item, guint cell, int column, const StriaRegion *region)
{
  double value;
  const gint64 length = region->t1 - region->t0;

  if (!stria_region_value (region, column, &value))
    stria_mark_item_set_cell (
        item, cell, g_strdup ("\xe2\x80\x93"), -1,
        g_strdup (column == STRIA_REGION_BYTES
                      ? _ ("Not available because no transfer with bytes begins in this region")
                      : _ ("Not available because this is of another profile")));
  else if (column >= 0 && length > 0)
    {
      g_autofree char *share = stria_format_percent (value / (double) length);
      g_autofree char *exact = stria_format_ns ((gint64) value);

      /* Translators: a duration, a percentage */
      stria_mark_item_set_cell (item, cell, value_text (column, value), value,
                                g_strdup_printf (_ ("%s: %s of the region"), exact, share));
    }
  else
    stria_mark_item_set_cell (item, cell, value_text (column, value), value, NULL);
}

static StriaMarkItem *
item_for (StriaRegionsPanel *self, const StriaRegionSet *set, guint i,
          const StriaRegionSpread *spreads)
{
  const StriaRegion *region = &g_array_index (set->regions, StriaRegion, i);
  const double length = (double) (region->t1 - region->t0);
  const double mean = spreads[region->rule].mean;
  StriaMarkItem *item = stria_mark_item_new (i, N_COLUMNS + set->groups->len);

  stria_mark_item_set_color (item, stria_annotation_color (region->rule + 5));
  stria_mark_item_set_cell (item, COLUMN_NAME, g_strdup (region->name), NAN, NULL);
  stria_mark_item_set_cell (item, COLUMN_START, stria_marks_format_time (self->session, region->t0),
                            (double) (region->t0 - stria_marks_origin (self->session)), NULL);
  set_value (item, COLUMN_DURATION, STRIA_REGION_DURATION, region);
  if (mean > 0)
    {
      const double off = length / mean - 1;
      g_autofree char *percent = stria_format_percent (fabs (off));

      stria_mark_item_set_cell (item, COLUMN_DEVIATION,
                                g_strdup_printf ("%s%s", off < 0 ? "\xe2\x88\x92" : "+", percent),
                                off, g_strdup (_ ("Duration over the mean of its rule, less 1")));
    }
  set_value (item, COLUMN_SLICES, STRIA_REGION_COUNT, region);
  set_value (item, COLUMN_BYTES, STRIA_REGION_BYTES, region);
  for (guint g = 0; g < set->groups->len; g++)
    set_value (item, N_COLUMNS + g, (int) g, region);
  return item;
}

/* Mean, least, greatest and deviation of all regions */
static GPtrArray *
summary_of (const StriaRegionSet *set)
{
  const char *const titles[]
      = { _ ("Mean"), _ ("Least"), _ ("Greatest"), _ ("Standard deviation") };
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint r = 0; r < G_N_ELEMENTS (titles); r++)
    {
      StriaMarkItem *item = stria_mark_item_new (r, N_COLUMNS + set->groups->len);

      stria_mark_item_set_cell (item, COLUMN_NAME, g_strdup (titles[r]), NAN, NULL);
      for (int column = STRIA_REGION_DURATION; column < (int) set->groups->len; column++)
        {
          static const guint fixed[] = { COLUMN_DURATION, COLUMN_SLICES, COLUMN_BYTES };
          const guint cell = column < 0 ? fixed[column - STRIA_REGION_DURATION]
                                        : N_COLUMNS + (guint) column;
          StriaRegionSpread spread;
          double values[4];

          stria_region_spread (set, G_MAXUINT, column, &spread);
          values[0] = spread.mean;
          values[1] = spread.min;
          values[2] = spread.max;
          values[3] = spread.deviation;
          if (spread.n > 0)
            stria_mark_item_set_cell (item, cell, value_text (column, values[r]), values[r],
                                      g_strdup_printf (ngettext ("Of %u region", "Of %u regions",
                                                                 spread.n),
                                                       spread.n));
        }
      g_ptr_array_add (rows, item);
    }
  return rows;
}

static void
set_columns (StriaRegionsPanel *self, const StriaRegionSet *set)
{
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func (g_free);

  if (self->has_columns && self->n_groups == set->groups->len)
    return;
  self->has_columns = TRUE;
  self->n_groups = set->groups->len;
  g_ptr_array_add (titles, g_strdup (_ ("Region")));
  g_ptr_array_add (titles, g_strdup (_ ("Start")));
  g_ptr_array_add (titles, g_strdup (_ ("Duration")));
  g_ptr_array_add (titles, g_strdup (_ ("Off the Mean")));
  g_ptr_array_add (titles, g_strdup (_ ("Slices")));
  g_ptr_array_add (titles, g_strdup (_ ("Bytes")));
  for (guint g = 0; g < set->groups->len; g++)
    g_ptr_array_add (titles, g_strdup_printf (
                                 /* Translators: an engine, a device or a process */
                                 _ ("Busy: %s"),
                                 g_array_index (set->groups, StriaRegionGroup, g).title));
  g_ptr_array_add (titles, NULL);
  stria_marks_table_set_columns (STRIA_MARKS_TABLE (self->table),
                                 (const char *const *) titles->pdata, NULL);
  /* Worst first */
  stria_marks_table_sort_by (STRIA_MARKS_TABLE (self->table), COLUMN_DURATION, TRUE);
}

static void
fill_table (StriaRegionsPanel *self, const StriaRegionSet *set)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) summary = summary_of (set);
  g_autofree StriaRegionSpread *spreads = g_new0 (StriaRegionSpread, set->n_of_rule->len + 1);

  set_columns (self, set);
  for (guint r = 0; r < set->n_of_rule->len; r++)
    stria_region_spread (set, r, STRIA_REGION_DURATION, &spreads[r]);
  for (guint i = 0; i < set->regions->len; i++)
    g_ptr_array_add (items, item_for (self, set, i, spreads));
  stria_marks_table_set_items (STRIA_MARKS_TABLE (self->table), items, summary);
}

/* -- the rules ------------------------------------------------------------------------------- */

static void
on_remove_rule (GtkButton *button, gpointer data)
{
  StriaRegionsPanel *self = data;
  const guint i = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "rule"));

  if (i < stria_regions_get_rules (self->regions)->len)
    stria_regions_remove_rule (self->regions, i);
}

static GtkWidget *
chip_new (StriaRegionsPanel *self, guint i, const StriaRegionSet *set)
{
  const StriaRegionRule *rule = stria_regions_get_rules (self->regions)->pdata[i];
  GtkWidget *chip = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *label = gtk_label_new (NULL);
  GtkWidget *button = gtk_button_new_from_icon_name ("window-close-symbolic");
  g_autofree char *text = stria_region_form_describe (rule);
  const char *absent = NULL;
  g_autoptr (GString) markup = g_string_new (NULL);
  g_autofree char *escaped = g_markup_escape_text (text, -1);
  g_autofree char *tooltip = NULL;

  g_string_append_printf (markup, "<span foreground=\"#%06x\">\xe2\x97\x8f</span> %s",
                          stria_annotation_color (i + 5), escaped);
  if (set != NULL && i < set->n_of_rule->len)
    {
      g_autofree char *count
          = stria_format_count (g_array_index (set->n_of_rule, guint, i));

      g_string_append_printf (markup, " <b>%s</b>", count);
      absent = set->absent->pdata[i];
    }
  gtk_label_set_markup (GTK_LABEL (label), markup->str);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 48);
  tooltip = absent != NULL ? g_strdup_printf ("%s: %s", text, absent) : g_strdup (text);
  gtk_widget_set_tooltip_text (label, tooltip);
  if (absent != NULL)
    gtk_widget_add_css_class (label, "dim-label");
  g_object_set_data (G_OBJECT (button), "rule", GUINT_TO_POINTER (i));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "circular");
  gtk_widget_set_tooltip_text (button, _ ("Remove this rule and its regions"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Remove this rule"), -1);
  g_signal_connect (button, "clicked", G_CALLBACK (on_remove_rule), self);
  gtk_box_append (GTK_BOX (chip), label);
  gtk_box_append (GTK_BOX (chip), button);
  return chip;
}

static char *
message_for (StriaRegionsPanel *self, const StriaRegionSet *set)
{
  GPtrArray *rules = stria_regions_get_rules (self->regions);
  g_autoptr (GString) text = g_string_new (NULL);

  if (stria_regions_get_error (self->regions) != NULL)
    return g_strdup (stria_regions_get_error (self->regions));
  if (rules->len == 0)
    return g_strdup (_ ("Name stretches of time by a rule, such as the repeats of a layer, the "
                        "steps of "
                        "the profiler, kernels or collectives, and compare them"));
  if (set == NULL)
    return g_strdup (_ ("Looking…"));
  for (guint i = 0; i < set->absent->len && i < rules->len; i++)
    {
      g_autofree char *rule = stria_region_form_describe (rules->pdata[i]);

      if (set->absent->pdata[i] != NULL)
        g_string_append_printf (text, "%s%s: %s", text->len > 0 ? "\n" : "", rule,
                                (char *) set->absent->pdata[i]);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
show_page (StriaRegionsPanel *self)
{
  const StriaRegionSet *set = stria_regions_get (self->regions);
  const gboolean has = set != NULL && set->regions->len > 0;
  const gboolean chart = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->chart_button));

  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), !has    ? "empty"
                                                             : chart ? "chart"
                                                                     : "table");
}

static void
update (StriaRegionsPanel *self)
{
  const StriaRegionSet *set = stria_regions_get (self->regions);
  GPtrArray *rules = stria_regions_get_rules (self->regions);
  const gboolean has = set != NULL && set->regions->len > 0;
  g_autofree char *message = message_for (self, set);

  stria_wrap_box_clear (STRIA_WRAP_BOX (self->rules));
  for (guint i = 0; i < rules->len; i++)
    stria_wrap_box_append (STRIA_WRAP_BOX (self->rules), chip_new (self, i, set));
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), stria_regions_is_busy (self->regions));
  gtk_widget_set_visible (self->spinner, stria_regions_is_busy (self->regions));
  gtk_widget_set_sensitive (self->annotate_button, has);
  gtk_widget_set_sensitive (self->save_button, has);
  gtk_label_set_label (self->message, message);
  gtk_widget_set_sensitive (self->chart_button, has);
  if (has)
    {
      fill_table (self, set);
      stria_regions_chart_fill (STRIA_SPREAD_CHART (self->chart), self->regions);
    }
  show_page (self);
}

/* -- what is done ---------------------------------------------------------------------------- */

static void
on_add (StriaRegionsPanel *self)
{
  gtk_popover_popdown (GTK_POPOVER (self->popover));
  stria_regions_add_rule (self->regions,
                          stria_region_form_get_rule (STRIA_REGION_FORM (self->form)));
}

static const StriaRegion *
region_of (StriaRegionsPanel *self, guint64 i)
{
  const StriaRegionSet *set = stria_regions_get (self->regions);

  return set != NULL && i < set->regions->len ? &g_array_index (set->regions, StriaRegion, i)
                                              : NULL;
}

static guint64
number_of (StriaMarkItem *item)
{
  return item != NULL ? stria_mark_item_get_id (item) : G_MAXUINT64;
}

static void
show (StriaRegionsPanel *self, const StriaRegion *region)
{
  if (region != NULL)
    stria_marks_show_time (self->session, region->t0, region->t1, FALSE);
}

static void
zoom (StriaRegionsPanel *self, const StriaRegion *region)
{
  if (region == NULL)
    return;
  stria_marks_show_time (self->session, region->t0, region->t1, TRUE);
  stria_session_set_range (self->session, region->t0, region->t1, NULL, 0);
}

static void
on_row_selected (StriaRegionsPanel *self)
{
  const guint64 i
      = number_of (stria_marks_table_get_selected (STRIA_MARKS_TABLE (self->table)));

  show (self, region_of (self, i));
  stria_spread_chart_select (STRIA_SPREAD_CHART (self->chart), (guint) MIN (i, G_MAXUINT));
}

static void
on_row_activated (StriaRegionsPanel *self, StriaMarkItem *item)
{
  zoom (self, region_of (self, number_of (item)));
}

static void
on_point_selected (StriaRegionsPanel *self, guint i)
{
  show (self, region_of (self, i));
  stria_marks_table_select (STRIA_MARKS_TABLE (self->table), i);
}

static void
on_point_activated (StriaRegionsPanel *self, guint i)
{
  zoom (self, region_of (self, i));
}

static void
on_annotate (StriaRegionsPanel *self)
{
  const StriaRegionSet *set = stria_regions_get (self->regions);
  StriaAnnotations *annotations = stria_session_get_annotations (self->session);
  guint n = set != NULL ? MIN (set->regions->len, MOST_ANNOTATIONS) : 0;
  guint before;
  g_autofree char *text = NULL;
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n; i++)
    {
      const StriaRegion *region = &g_array_index (set->regions, StriaRegion, i);
      StriaAnnotation *item = g_new0 (StriaAnnotation, 1);

      *item = (StriaAnnotation){ .t0 = region->t0, .t1 = region->t1, .name = region->name,
                                 .note = (char *) "",
                                 .rgb = stria_annotation_color (region->rule + 5) };
      g_ptr_array_add (items, item);
    }
  before = stria_annotations_size (annotations);
  stria_annotations_add_all (annotations, items);
  n = stria_annotations_size (annotations) - before;
  text = g_strdup_printf (ngettext ("%u annotation added", "%u annotations added", n), n);
  stria_tell (GTK_WIDGET (self), text);
}

static void
on_save (StriaRegionsPanel *self)
{
  const StriaRegionSet *set = stria_regions_get (self->regions);
  const char *title = stria_capture_get_title (stria_session_get_capture (self->session));
  g_autofree char *name = g_strdup_printf ("%s.regions.csv", title);
  g_autofree char *csv = NULL;

  if (set == NULL)
    return;
  csv = stria_region_set_to_csv (set, stria_marks_origin (self->session));
  stria_save_text (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), _ ("Save Regions"), name,
                   csv, stria_tell_saved, self);
}

static void
on_filter (StriaRegionsPanel *self, GtkSearchEntry *entry)
{
  stria_marks_table_set_filter (STRIA_MARKS_TABLE (self->table),
                                gtk_editable_get_text (GTK_EDITABLE (entry)));
}

/* -- the widget ------------------------------------------------------------------------------ */

static void
stria_regions_panel_dispose (GObject *object)
{
  StriaRegionsPanel *self = STRIA_REGIONS_PANEL (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->session);
  g_clear_object (&self->regions);
  G_OBJECT_CLASS (stria_regions_panel_parent_class)->dispose (object);
}

static void
stria_regions_panel_class_init (StriaRegionsPanelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_regions_panel_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
stria_regions_panel_init (StriaRegionsPanel *self)
{
}

static GtkWidget *
header_new (StriaRegionsPanel *self)
{
  GtkWidget *header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *add = gtk_menu_button_new ();
  GtkWidget *filter = gtk_search_entry_new ();

  gtk_widget_add_css_class (header, "panel-header");
  self->form = stria_region_form_new ();
  self->popover = gtk_popover_new ();
  gtk_popover_set_child (GTK_POPOVER (self->popover), self->form);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (add), self->popover);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (add), _ ("Add Rule"));
  gtk_widget_set_tooltip_text (add, _ ("Name stretches of time by a rule"));
  gtk_widget_set_valign (add, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (self->form, "add", G_CALLBACK (on_add), self);
  self->rules = stria_wrap_box_new (6, 2);
  gtk_widget_set_hexpand (self->rules, TRUE);
  gtk_widget_set_valign (self->rules, GTK_ALIGN_CENTER);
  self->spinner = gtk_spinner_new ();
  self->chart_button = gtk_toggle_button_new_with_label (_ ("Chart"));
  gtk_widget_add_css_class (self->chart_button, "flat");
  gtk_widget_set_valign (self->chart_button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (
      self->chart_button, _ ("Show how the durations of regions of one name are spread: a point for "
                             "each, a line at the median. The names with most regions have a row."));
  g_signal_connect_swapped (self->chart_button, "toggled", G_CALLBACK (show_page), self);
  self->annotate_button
      = stria_icon_button_new ("user-bookmarks-symbolic", _ ("Keep the regions as annotations"),
                                G_CALLBACK (on_annotate), self);
  self->save_button = stria_icon_button_new (
      "document-save-symbolic", _ ("Save the table as a CSV file"), G_CALLBACK (on_save), self);
  g_object_set (filter, "placeholder-text", _ ("Filter"), NULL);
  gtk_editable_set_width_chars (GTK_EDITABLE (filter), 8);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (filter), 16);
  gtk_widget_set_valign (filter, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (filter, _ ("Show only regions with this text"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (filter), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Filter the regions"), -1);
  g_signal_connect_swapped (filter, "search-changed", G_CALLBACK (on_filter), self);
  gtk_box_append (GTK_BOX (header), add);
  gtk_box_append (GTK_BOX (header), self->rules);
  gtk_box_append (GTK_BOX (header), self->spinner);
  gtk_box_append (GTK_BOX (header), filter);
  gtk_box_append (GTK_BOX (header), self->chart_button);
  gtk_box_append (GTK_BOX (header), self->annotate_button);
  gtk_box_append (GTK_BOX (header), self->save_button);
  return header;
}

static GtkWidget *
chart_new (StriaRegionsPanel *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->chart = stria_spread_chart_new (_ ("Durations of regions"));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->chart);
  g_signal_connect_swapped (self->chart, "selected", G_CALLBACK (on_point_selected), self);
  g_signal_connect_swapped (self->chart, "activated", G_CALLBACK (on_point_activated), self);
  return scrolled;
}

GtkWidget *
stria_regions_panel_new (StriaSession *session)
{
  StriaRegionsPanel *self = g_object_new (STRIA_TYPE_REGIONS_PANEL, NULL);

  self->session = g_object_ref (session);
  self->regions = g_object_ref (stria_session_get_regions (session));
  self->table = stria_marks_table_new (_ ("Regions"));
  self->message = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->message, TRUE);
  gtk_label_set_justify (self->message, GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars (self->message, 70);
  gtk_widget_add_css_class (GTK_WIDGET (self->message), "dim-label");
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), self->table, "table");
  gtk_stack_add_named (GTK_STACK (self->stack), chart_new (self), "chart");
  gtk_stack_add_named (GTK_STACK (self->stack), GTK_WIDGET (self->message), "empty");
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), header_new (self));
  gtk_box_append (GTK_BOX (self->box), self->stack);
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  g_signal_connect_swapped (self->table, "selected", G_CALLBACK (on_row_selected), self);
  g_signal_connect_swapped (self->table, "activated", G_CALLBACK (on_row_activated), self);
  g_signal_connect_object (self->regions, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->regions, "failed", G_CALLBACK (stria_tell), self,
                           G_CONNECT_SWAPPED);
  stria_retell_connect (self, G_CALLBACK (update));
  update (self);
  return GTK_WIDGET (self);
}
