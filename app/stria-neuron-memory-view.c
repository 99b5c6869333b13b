/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-neuron-memory-parts.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-format.h"
#include "stria-neuron-summary.h"
#include "stria-paint-size.h"
#include "stria-retell.h"

#define PANEL_WIDTH ((int) stria_text_px (300))
/* Below, the panel stands under the map. */
#define NARROW ((int) stria_text_px (760))

G_DEFINE_FINAL_TYPE (StriaNeuronMemoryView, stria_neuron_memory_view, GTK_TYPE_WIDGET)

static const char *const page_names[STRIA_MEMORY_N_PAGES]
    = { "sbuf", "psum", "hbm", "tensors", "report" };

gboolean
stria_neuron_memory_view_has_data (StriaCapture *capture)
{
  g_autoptr (GPtrArray) tables = stria_capture_get_tables (capture);

  return tables != NULL && stria_neuron_memory_has (tables);
}

StriaMemoryPage
stria_neuron_memory_view_page (StriaNeuronMemoryView *self)
{
  const char *name = gtk_stack_get_visible_child_name (self->pages);

  for (guint i = 0; i < STRIA_MEMORY_N_PAGES; i++)
    if (g_strcmp0 (name, page_names[i]) == 0)
      return (StriaMemoryPage) i;
  return STRIA_MEMORY_PAGE_SBUF;
}

/* -- what is shown --------------------------------------------------------------------------- */

static void
say (StriaNeuronMemoryView *self, const char *title, const char *description)
{
  adw_status_page_set_title (ADW_STATUS_PAGE (self->status), title);
  adw_status_page_set_description (ADW_STATUS_PAGE (self->status), description);
  gtk_stack_set_visible_child_name (self->content, "status");
}

static void
set_note (StriaNeuronMemoryView *self, const char *text)
{
  gtk_label_set_label (self->note, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->note), text != NULL);
}

static const char *
why_no_ranges (StriaNeuronMemoryView *self)
{
  if (g_strcmp0 (self->memory->missing, "SbufAllocation") == 0)
    return _ ("The map of addresses is not available because the capture has no table "
              "SbufAllocation: it is written only when the memory viewer was enabled as the "
              "profile was processed.");
  return _ ("The map of addresses is not available because SbufAllocation lacks a column of times "
            "or addresses.");
}

static gboolean
has_fullness (StriaNeuronMemoryView *self, gboolean is_psum)
{
  for (guint i = 0; i < self->memory->fullness->len; i++)
    if (((StriaFullness *) self->memory->fullness->pdata[i])->is_psum == is_psum)
      return TRUE;
  return FALSE;
}

static gboolean
shows_ranges (StriaNeuronMemoryView *self)
{
  return stria_neuron_memory_view_page (self) == STRIA_MEMORY_PAGE_SBUF
         && self->memory->pressures->len > 0;
}

static void
show_map (StriaNeuronMemoryView *self)
{
  const guint where = gtk_drop_down_get_selected (self->where_chooser);
  const guint partition = gtk_drop_down_get_selected (self->partition_chooser);
  StriaAddressMap *map = STRIA_ADDRESS_MAP (self->map);

  if (self->filling || self->memory == NULL)
    return;
  if (shows_ranges (self))
    {
      if (where >= self->cores->len || partition >= self->partitions->len)
        return;
      stria_address_map_show (map, self->memory, STRIA_ADDRESS_RANGES, 0,
                              g_array_index (self->cores, gint32, where),
                              g_array_index (self->partitions, gint32, partition));
    }
  else if (where < self->places->len)
    stria_address_map_show (map, self->memory,
                            stria_neuron_memory_view_page (self) == STRIA_MEMORY_PAGE_HBM
                                ? STRIA_ADDRESS_STACK : STRIA_ADDRESS_FULLNESS,
                            g_array_index (self->places, guint, where), -1, -1);
  gtk_stack_set_visible_child_name (self->content, "map");
}

static void
set_model (GtkDropDown *chooser, GtkStringList *names, guint selected)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (names));

  gtk_drop_down_set_model (chooser, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (chooser, MIN (selected, n > 0 ? n - 1 : 0));
  gtk_widget_set_visible (GTK_WIDGET (chooser), n > 1);
}

/* Partitions of the chosen core; the one that was chosen stays. */
static void
fill_partitions (StriaNeuronMemoryView *self)
{
  const guint where = gtk_drop_down_get_selected (self->where_chooser);
  const guint before = gtk_drop_down_get_selected (self->partition_chooser);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  if (self->filling || self->memory == NULL)
    return;
  g_array_set_size (self->partitions, 0);
  for (guint i = 0; shows_ranges (self) && i < self->memory->pressures->len; i++)
    {
      const StriaSbufPressure *p
          = &g_array_index (self->memory->pressures, StriaSbufPressure, i);

      if (where >= self->cores->len || p->core != g_array_index (self->cores, gint32, where))
        continue;
      g_array_append_val (self->partitions, p->partition);
      gtk_string_list_take (names, p->partition < 0 ? g_strdup (_ ("No partition told"))
                                                    : g_strdup_printf (_ ("Partition %d"),
                                                                       p->partition));
    }
  self->filling = TRUE;
  set_model (self->partition_chooser, names, before == GTK_INVALID_LIST_POSITION ? 0 : before);
  self->filling = FALSE;
  show_map (self);
}

static char *
core_name (gint32 core)
{
  return core < 0 ? g_strdup (_ ("No core told")) : g_strdup_printf (_ ("Core %d"), core);
}

static void
list_cores (StriaNeuronMemoryView *self, GtkStringList *names)
{
  gint32 last = G_MININT32;

  for (guint i = 0; i < self->memory->pressures->len; i++)
    {
      const gint32 core = g_array_index (self->memory->pressures, StriaSbufPressure, i).core;

      if (core == last)
        continue;
      last = core;
      g_array_append_val (self->cores, core);
      gtk_string_list_take (names, core_name (core));
    }
}

static void
list_places (StriaNeuronMemoryView *self, StriaMemoryPage page, GtkStringList *names)
{
  GPtrArray *all
      = page == STRIA_MEMORY_PAGE_HBM ? self->memory->stacks : self->memory->fullness;

  for (guint i = 0; i < all->len; i++)
    {
      if (page == STRIA_MEMORY_PAGE_HBM)
        gtk_string_list_append (names, ((StriaMemoryStack *) all->pdata[i])->title);
      else if (((StriaFullness *) all->pdata[i])->is_psum == (page == STRIA_MEMORY_PAGE_PSUM))
        gtk_string_list_take (names, core_name (((StriaFullness *) all->pdata[i])->core));
      else
        continue;
      g_array_append_val (self->places, i);
    }
}

static char *
range_note (StriaNeuronMemoryView *self)
{
  const StriaNeuronMemory *memory = self->memory;
  GString *note = g_string_new (NULL);

  if (memory->n_skipped > 0)
    {
      g_autofree char *count = stria_format_count (memory->n_skipped);

      g_string_append_printf (note, ngettext ("%s row of SbufAllocation has no time or address, or "
                                              "ends before it begins, and is left out. ",
                                              "%s rows of SbufAllocation have no time or address, "
                                              "or end before they begin, and are left out. ",
                                              memory->n_skipped), count);
    }
  if (memory->n_over > 0)
    {
      g_autofree char *count = stria_format_count (memory->n_over);

      g_string_append_printf (note, ngettext ("%s more row is not shown.",
                                              "%s more rows are not shown.", memory->n_over),
                              count);
    }
  return g_string_free (note, note->len == 0);
}

static gboolean
fill_map_page (StriaNeuronMemoryView *self, StriaMemoryPage page)
{
  g_autofree char *ranges = NULL;

  if (page == STRIA_MEMORY_PAGE_HBM && self->memory->stacks->len == 0)
    say (self, _ ("No Samples of HBM"),
         _ ("Not available because the capture has neither SystemProfileHbmUsage of a system "
            "profile nor HbmUsage of a device profile."));
  else if (page == STRIA_MEMORY_PAGE_PSUM && !has_fullness (self, TRUE))
    say (self, _ ("No Samples of PSUM"),
         _ ("Not available because the capture has no table PsumUsage."));
  else if (page == STRIA_MEMORY_PAGE_SBUF && !shows_ranges (self) && !has_fullness (self, FALSE))
    say (self, _ ("Nothing Known of SBUF"), why_no_ranges (self));
  else
    {
      if (page == STRIA_MEMORY_PAGE_PSUM)
        set_note (self, _ ("How full each bank was (PsumUsage). A map of addresses is not "
                           "available because profiles have no table of what occupies PSUM."));
      else if (page == STRIA_MEMORY_PAGE_SBUF && !shows_ranges (self))
        set_note (self, why_no_ranges (self));
      else if (page == STRIA_MEMORY_PAGE_SBUF)
        set_note (self, ranges = range_note (self));
      return TRUE;
    }
  return FALSE;
}

static void
show_page (StriaNeuronMemoryView *self)
{
  const StriaMemoryPage page = stria_neuron_memory_view_page (self);
  const gboolean is_map = page <= STRIA_MEMORY_PAGE_HBM;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  gboolean has_ranges;

  if (self->memory == NULL)
    return;
  set_note (self, NULL);
  has_ranges = shows_ranges (self);
  gtk_widget_set_visible (GTK_WIDGET (self->color_chooser), has_ranges);
  gtk_widget_set_visible (self->peak_button, has_ranges || page == STRIA_MEMORY_PAGE_HBM);
  gtk_widget_set_visible (self->fit_button, is_map);
  g_array_set_size (self->cores, 0);
  g_array_set_size (self->places, 0);
  if (has_ranges)
    list_cores (self, names);
  else if (is_map)
    list_places (self, page, names);
  self->filling = TRUE;
  set_model (self->where_chooser, names, 0);
  self->filling = FALSE;
  if (page == STRIA_MEMORY_PAGE_TENSORS || page == STRIA_MEMORY_PAGE_REPORT)
    {
      gtk_widget_set_visible (GTK_WIDGET (self->partition_chooser), FALSE);
      gtk_stack_set_visible_child_name (self->content, page_names[page]);
    }
  else if (fill_map_page (self, page))
    fill_partitions (self);
}

gboolean
stria_neuron_memory_view_reveal (StriaNeuronMemoryView *self, const char *tensor, gint32 core)
{
  const guint i = stria_neuron_memory_find (self->memory, tensor, core, -1);
  const StriaSbufRange *range;

  if (i == G_MAXUINT)
    return FALSE;
  range = &g_array_index (self->memory->ranges, StriaSbufRange, i);
  gtk_stack_set_visible_child_name (self->pages, page_names[STRIA_MEMORY_PAGE_SBUF]);
  for (guint c = 0; c < self->cores->len; c++)
    if (g_array_index (self->cores, gint32, c) == range->core)
      gtk_drop_down_set_selected (self->where_chooser, c);
  for (guint p = 0; p < self->partitions->len; p++)
    if (g_array_index (self->partitions, gint32, p) == range->partition)
      gtk_drop_down_set_selected (self->partition_chooser, p);
  stria_address_map_select (STRIA_ADDRESS_MAP (self->map), i);
  gtk_widget_grab_focus (self->map);
  return TRUE;
}

/* -- reading --------------------------------------------------------------------------------- */

static void
read_in_thread (GTask *task, gpointer source, gpointer tables, GCancellable *cancellable)
{
  GError *error = NULL;
  StriaNeuronMemory *memory = stria_neuron_memory_new (tables, cancellable, &error);

  if (memory == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, memory, (GDestroyNotify) stria_neuron_memory_unref);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaNeuronMemoryView) self = user_data;
  const gboolean is_current = g_task_get_cancellable (G_TASK (result)) == self->cancellable;
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaNeuronMemory) memory = g_task_propagate_pointer (G_TASK (result), &error);
  GtkWidget *report;

  if (!is_current || self->session == NULL)
    return;
  g_clear_object (&self->cancellable);
  gtk_spinner_set_spinning (self->spinner, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), FALSE);
  if (memory == NULL)
    {
      say (self, _ ("The Tables Could Not Be Read"), error->message);
      return;
    }
  g_clear_pointer (&self->memory, stria_neuron_memory_unref);
  self->memory = g_steal_pointer (&memory);
  stria_memory_tensors_set (self->tensors, self->memory);
  report = gtk_stack_get_child_by_name (self->content, "report");
  if (report != NULL)
    gtk_stack_remove (self->content, report);
  gtk_stack_add_named (self->content, stria_memory_report_new (self->memory), "report");
  show_page (self);
}

/* Tables of the chosen profile, and those of the system profile */
static GPtrArray *
take_tables (StriaNeuronMemoryView *self)
{
  StriaCapture *capture = stria_session_get_capture (self->session);
  const guint chosen = gtk_drop_down_get_selected (self->subject_chooser);
  g_autoptr (GPtrArray) all = stria_capture_get_tables (capture);
  GPtrArray *tables
      = chosen < self->subjects->len
            ? stria_neuron_summary_tables (
                  capture, ((StriaNeuronProfile *) self->subjects->pdata[chosen])->artifact)
            : g_ptr_array_new_with_free_func ((GDestroyNotify) stria_table_unref);

  for (guint i = 0; i < all->len; i++)
    if (g_ascii_strcasecmp (stria_table_get_name (all->pdata[i]), "SystemProfileHbmUsage") == 0
        && !g_ptr_array_find (tables, all->pdata[i], NULL))
      g_ptr_array_add (tables, stria_table_ref (all->pdata[i]));
  return tables;
}

static void
start (StriaNeuronMemoryView *self)
{
  g_autoptr (GTask) task = NULL;

  if (self->filling || self->session == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->tables, g_ptr_array_unref);
  self->tables = take_tables (self);
  self->cancellable = g_cancellable_new ();
  if (self->memory == NULL)
    say (self, _ ("Reading…"), NULL);
  gtk_spinner_set_spinning (self->spinner, TRUE);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), TRUE);
  /* Not the source object: a task, and that with it, may die on its worker. */
  task = g_task_new (NULL, self->cancellable, on_read, g_object_ref (self));
  g_task_set_source_tag (task, start);
  g_task_set_task_data (task, g_ptr_array_ref (self->tables), (GDestroyNotify) g_ptr_array_unref);
  g_task_run_in_thread (task, read_in_thread);
}

static void
fill (StriaNeuronMemoryView *self)
{
  StriaCapture *capture = stria_session_get_capture (self->session);
  g_autoptr (GPtrArray) all = stria_capture_get_tables (capture);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || all == NULL || all->len == self->n_tables)
    return;
  self->n_tables = all->len;
  g_clear_pointer (&self->subjects, g_ptr_array_unref);
  self->subjects = stria_neuron_profiles (capture);
  for (guint i = 0; i < self->subjects->len; i++)
    gtk_string_list_append (names, ((StriaNeuronProfile *) self->subjects->pdata[i])->title);
  self->filling = TRUE;
  set_model (self->subject_chooser, names, gtk_drop_down_get_selected (self->subject_chooser));
  self->filling = FALSE;
  start (self);
}

/* -- the widget ------------------------------------------------------------------------------ */

static GtkWidget *
map_page_new (StriaNeuronMemoryView *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->map = stria_address_map_new ();
  self->panel = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 6));
  gtk_widget_set_margin_start (GTK_WIDGET (self->panel), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (self->panel), 12);
  gtk_widget_set_margin_top (GTK_WIDGET (self->panel), 10);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self->panel), 10);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->panel));
  gtk_widget_add_css_class (scrolled, "side-panel");
  gtk_widget_set_size_request (scrolled, PANEL_WIDTH, 140);
  self->paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  gtk_paned_set_start_child (GTK_PANED (self->paned), self->map);
  gtk_paned_set_end_child (GTK_PANED (self->paned), scrolled);
  gtk_paned_set_resize_end_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (self->paned), FALSE);
  g_signal_connect_swapped (self->map, "selected", G_CALLBACK (stria_neuron_memory_panel_fill),
                            self);
  g_signal_connect_swapped (self->map, "activated", G_CALLBACK (stria_neuron_memory_panel_seek),
                            self);
  return self->paned;
}

static gboolean
turn (gpointer user_data)
{
  StriaNeuronMemoryView *self = user_data;

  self->turn_id = 0;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->paned),
                                  self->is_narrow ? GTK_ORIENTATION_VERTICAL
                                                  : GTK_ORIENTATION_HORIZONTAL);
  return G_SOURCE_REMOVE;
}

static void
stria_neuron_memory_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                                  int *minimum, int *natural, int *minimum_baseline,
                                  int *natural_baseline)
{
  StriaNeuronMemoryView *self = STRIA_NEURON_MEMORY_VIEW (widget);

  gtk_widget_measure (self->box, orientation, for_size, minimum, natural, NULL, NULL);
  /* Where there is less room than map and panel need, they stand one above the other. */
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = MIN (*minimum, PANEL_WIDTH + 40);
}

static void
stria_neuron_memory_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  StriaNeuronMemoryView *self = STRIA_NEURON_MEMORY_VIEW (widget);
  const gboolean is_narrow = width < NARROW;
  int least;

  gtk_widget_measure (self->box, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  gtk_widget_size_allocate (self->box, &(GtkAllocation){ 0, 0, MAX (width, least), height },
                            baseline);
  if (is_narrow == self->is_narrow)
    return;
  self->is_narrow = is_narrow;
  /* Not while sizes are given out */
  if (self->turn_id == 0)
    self->turn_id = g_idle_add (turn, self);
}

static void
stria_neuron_memory_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (stria_neuron_memory_view_parent_class)->map (widget);
  fill (STRIA_NEURON_MEMORY_VIEW (widget));
}

static void
stria_neuron_memory_view_dispose (GObject *object)
{
  StriaNeuronMemoryView *self = STRIA_NEURON_MEMORY_VIEW (object);

  self->filling = TRUE;
  g_clear_handle_id (&self->turn_id, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_cancellable_cancel (self->seeking);
  g_clear_object (&self->seeking);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->pages);
  g_clear_pointer (&self->memory, stria_neuron_memory_unref);
  g_clear_pointer (&self->tables, g_ptr_array_unref);
  g_clear_pointer (&self->subjects, g_ptr_array_unref);
  g_clear_pointer (&self->cores, g_array_unref);
  g_clear_pointer (&self->partitions, g_array_unref);
  g_clear_pointer (&self->places, g_array_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (stria_neuron_memory_view_parent_class)->dispose (object);
}

static void
stria_neuron_memory_view_class_init (StriaNeuronMemoryViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_neuron_memory_view_dispose;
  widget_class->map = stria_neuron_memory_view_map;
  widget_class->measure = stria_neuron_memory_view_measure;
  widget_class->size_allocate = stria_neuron_memory_view_size_allocate;
}

static void
stria_neuron_memory_view_init (StriaNeuronMemoryView *self)
{
  const char *titles[STRIA_MEMORY_N_PAGES]
      = { _ ("SBUF"), _ ("PSUM"), _ ("HBM"), _ ("Tensors"), _ ("Report") };

  self->filling = TRUE;
  self->subjects = g_ptr_array_new ();
  self->cores = g_array_new (FALSE, FALSE, sizeof (gint32));
  self->partitions = g_array_new (FALSE, FALSE, sizeof (gint32));
  self->places = g_array_new (FALSE, FALSE, sizeof (guint));
  /* Only says which page is chosen: three of them are one map. */
  self->pages = g_object_ref_sink (GTK_STACK (gtk_stack_new ()));
  for (guint i = 0; i < STRIA_MEMORY_N_PAGES; i++)
    gtk_stack_add_titled (self->pages, gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), page_names[i],
                          titles[i]);
  g_signal_connect_swapped (self->pages, "notify::visible-child", G_CALLBACK (show_page), self);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  stria_neuron_memory_bar_fill (self, G_CALLBACK (start), G_CALLBACK (fill_partitions),
                                G_CALLBACK (show_map));
  self->content = GTK_STACK (gtk_stack_new ());
  self->status = adw_status_page_new ();
  adw_status_page_set_icon_name (ADW_STATUS_PAGE (self->status),
                                 "drive-harddisk-solidstate-symbolic");
  self->tensors = stria_memory_tensors_new (self);
  gtk_stack_add_named (self->content, self->status, "status");
  gtk_stack_add_named (self->content, map_page_new (self), "map");
  gtk_stack_add_named (self->content, self->tensors, "tensors");
  gtk_stack_set_hhomogeneous (self->content, FALSE);
  gtk_stack_set_vhomogeneous (self->content, FALSE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->content), TRUE);
  gtk_box_append (GTK_BOX (self->box), self->bar);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->note));
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->content));
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->filling = FALSE;
}

GtkWidget *
stria_neuron_memory_view_new (StriaSession *session)
{
  StriaNeuronMemoryView *self = g_object_new (STRIA_TYPE_NEURON_MEMORY_VIEW, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "trace-changed", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  stria_retell_connect (self, G_CALLBACK (show_page));
  return GTK_WIDGET (self);
}
