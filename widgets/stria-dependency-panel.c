/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-dependency-panel.h"

#include <glib/gi18n-lib.h>

#include "stria-dependency-data.h"
#include "stria-details-rows.h"
#include "stria-fields.h"
#include "stria-format.h"
#include "stria-retell.h"

/* Rows of a list before "Show more", and how many that adds */
#define FIRST_ROWS 8
#define MORE_ROWS  100
#define MAX_NAME   300

struct _StriaDependencyPanel
{
  GtkWidget parent_instance;

  StriaSession        *session;
  StriaDependencyData *data;
  GCancellable        *cancellable;
  gboolean             in_lane;
  gboolean             wanted; /* something changed while it was out of sight */

  GtkWidget *stack;
  GtkLabel  *message;
  GtkBox    *content;
  GtkWidget *scrolled;
};

G_DEFINE_FINAL_TYPE (StriaDependencyPanel, stria_dependency_panel, GTK_TYPE_WIDGET)

static void update (StriaDependencyPanel *self);

/* -- rows ------------------------------------------------------------------------------------ */

static void
on_go (GtkButton *button, StriaDependencyPanel *self)
{
  const StriaRef *ref = g_object_get_data (G_OBJECT (button), "ref");

  stria_session_reveal (self->session, *ref);
}

static void
copy (StriaDependencyPanel *self, const char *text)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s", _ ("Copied"));
}

static void
on_copy_row (GtkButton *button, StriaDependencyPanel *self)
{
  const StriaDependency *row = g_object_get_data (G_OBJECT (button), "row");
  g_autofree char *json = NULL;

  if (self->data == NULL)
    return;
  json = stria_dependency_to_json (self->data->trace, row);
  copy (self, json);
}

static char *
gap_text (gint64 gap_ns)
{
  g_autofree char *length = stria_format_duration (ABS (gap_ns), 4);

  if (gap_ns < 0)
    /* Translators: how long one event ran into the other */
    return g_strdup_printf (_ ("%s overlap"), length);
  /* Translators: time between the end of one event and the start of the other */
  return g_strdup_printf (_ ("%s gap"), length);
}

/* A name that leads to an event, and a line about it below. */
static GtkWidget *
row_new (StriaDependencyPanel *self, StriaRef ref, StriaDependencyKind kind, const char *label,
         const char *note, const char *tooltip)
{
  const char *name = stria_dependency_data_name (self->data, ref);
  StriaLane *lane = stria_trace_get_lane (self->data->trace, ref.lane);
  g_autofree char *shown = stria_text_cut (name[0] != '\0' ? name : _ ("(no name)"), MAX_NAME);
  g_autofree char *title = g_strdup_printf ("%s\n%s", shown, tooltip);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *badge = gtk_label_new (stria_dependency_kind_title (kind));
  GtkWidget *place = gtk_label_new (NULL);
  GtkWidget *go = stria_details_link_new (shown, note, name, title);
  g_autofree char *where = label != NULL && label[0] != '\0' && kind == STRIA_DEPENDENCY_FLOW_ID
                               ? g_strdup_printf ("%s · %s", stria_lane_get_name (lane), label)
                               : g_strdup (stria_lane_get_name (lane));

  g_object_set_data_full (G_OBJECT (go), "ref", g_memdup2 (&ref, sizeof ref), g_free);
  g_signal_connect_object (go, "clicked", G_CALLBACK (on_go), self, 0);
  gtk_widget_add_css_class (badge, "dependency-kind");
  gtk_widget_add_css_class (badge, "caption");
  gtk_widget_set_valign (badge, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (badge, stria_dependency_kind_note (kind));
  gtk_label_set_label (GTK_LABEL (place), where);
  gtk_label_set_ellipsize (GTK_LABEL (place), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (place), 0);
  gtk_widget_set_hexpand (place, TRUE);
  gtk_widget_add_css_class (place, "caption");
  gtk_widget_add_css_class (place, "dim-label");
  gtk_widget_set_tooltip_text (place, where);
  gtk_widget_set_margin_start (line, 18);
  gtk_box_append (GTK_BOX (line), badge);
  gtk_box_append (GTK_BOX (line), place);
  gtk_box_append (GTK_BOX (box), go);
  gtk_box_append (GTK_BOX (box), line);
  return box;
}

static GtkWidget *
dependency_row_new (StriaDependencyPanel *self, const StriaDependency *row)
{
  g_autofree char *gap = gap_text (row->gap_ns);
  g_autofree char *exact = stria_format_ns (row->gap_ns);
  g_autofree char *length = stria_format_duration (row->end_ns - row->start_ns, 4);
  g_autofree char *tooltip = g_strdup_printf (
      _ ("Took %s; %s from the end of the earlier to the start of the later\nArrows from here: %u"),
      length, exact, row->depth);
  GtkWidget *box = row_new (self, row->ref, row->kind, row->label, gap, tooltip);
  GtkWidget *line = gtk_widget_get_last_child (box);
  GtkWidget *button = gtk_button_new_from_icon_name ("edit-copy-symbolic");

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "dependency-copy");
  gtk_widget_set_tooltip_text (button, _ ("Copy as JSON"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Copy as JSON"), -1);
  g_object_set_data_full (G_OBJECT (button), "row", g_memdup2 (row, sizeof *row), g_free);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_copy_row), self, 0);
  gtk_box_append (GTK_BOX (line), button);
  return box;
}

static GtkWidget *
step_row_new (StriaDependencyPanel *self, const StriaStallStep *step)
{
  g_autofree char *ran = stria_format_duration (step->ran_ns, 4);
  g_autofree char *waited = stria_format_duration (step->waited_ns, 4);
  g_autofree char *tooltip = g_strdup_printf (
      _ ("Blamed for %s, from its start to its end or to the start of what waited for it; then "
         "%s passed until that began"),
      ran, waited);
  g_autofree char *note = step->waited_ns > 0 ? g_strdup_printf ("%s + %s", ran, waited)
                                              : g_strdup (ran);

  return row_new (self, step->ref, step->kind, step->label, note, tooltip);
}

/* -- lists ----------------------------------------------------------------------------------- */

typedef GtkWidget *(*RowFunc) (StriaDependencyPanel *self, gconstpointer row);

/* Rows that are made as they are asked for: a chain may have thousands. */
typedef struct
{
  StriaDependencyPanel *panel; /* not owned */
  const GArray         *rows;  /* of the panel's data */
  guint                 size;
  guint                 shown;
  RowFunc               func;
  GtkBox               *box;
  GtkWidget            *button;
} List;

static void
list_more (List *list)
{
  const guint n = list->shown == 0 ? FIRST_ROWS : MORE_ROWS;
  const guint end = MIN (list->shown + n, list->rows->len);

  for (; list->shown < end; list->shown++)
    gtk_box_append (list->box,
                    list->func (list->panel, list->rows->data + (gsize) list->shown * list->size));
  if (list->shown < list->rows->len)
    {
      const guint left = list->rows->len - list->shown;
      g_autofree char *label
          = g_strdup_printf (ngettext ("Show %u more", "Show %u more", left), left);

      gtk_button_set_label (GTK_BUTTON (list->button), label);
    }
  gtk_widget_set_visible (list->button, list->shown < list->rows->len);
}

static void
on_more (GtkButton *button, List *list)
{
  list_more (list);
}

static void
add_list (StriaDependencyPanel *self, GtkWidget *body, const GArray *rows, guint size, RowFunc func)
{
  List *list = g_new0 (List, 1);

  list->panel = self;
  list->rows = rows;
  list->size = size;
  list->func = func;
  list->box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  list->button = gtk_button_new_with_label ("");
  gtk_widget_set_halign (list->button, GTK_ALIGN_START);
  gtk_widget_add_css_class (list->button, "flat");
  gtk_widget_add_css_class (list->button, "caption");
  gtk_box_append (GTK_BOX (body), GTK_WIDGET (list->box));
  gtk_box_append (GTK_BOX (body), list->button);
  g_object_set_data_full (G_OBJECT (list->box), "list", list, g_free);
  g_signal_connect (list->button, "clicked", G_CALLBACK (on_more), list);
  list_more (list);
}

static GtkWidget *
words_new (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "dim-label");
  return label;
}

/* Lanes with a time, its share of @whole and a bar for it. */
static void
add_lanes (StriaDependencyPanel *self, GtkWidget *body, const GArray *lanes, gint64 whole,
           const char *tooltip)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 8);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 2);
  gtk_widget_set_margin_top (grid, 4);
  gtk_widget_set_margin_bottom (grid, 4);
  for (guint i = 0; i < MIN (lanes->len, FIRST_ROWS); i++)
    {
      const StriaDependencyLane *lane = &g_array_index (lanes, StriaDependencyLane, i);
      StriaLane *of = stria_trace_get_lane (self->data->trace, lane->lane);
      GtkWidget *name = gtk_label_new (stria_lane_get_name (of));
      GtkWidget *bar = gtk_level_bar_new_for_interval (0, 1);
      g_autofree char *time = stria_format_duration (lane->busy_ns, 4);
      g_autofree char *count = g_strdup_printf (
          ngettext ("%s, %u event", "%s, %u events", lane->n), time, lane->n);
      GtkWidget *value = gtk_label_new (count);

      gtk_label_set_xalign (GTK_LABEL (name), 0);
      gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
      gtk_widget_set_hexpand (name, TRUE);
      gtk_widget_set_tooltip_text (name, stria_lane_get_name (of));
      gtk_label_set_xalign (GTK_LABEL (value), 1);
      gtk_widget_add_css_class (value, "numeric");
      gtk_widget_add_css_class (value, "caption");
      gtk_widget_add_css_class (name, "caption");
      gtk_widget_set_tooltip_text (value, tooltip);
      gtk_level_bar_set_value (GTK_LEVEL_BAR (bar),
                               whole > 0 ? CLAMP ((double) lane->busy_ns / (double) whole, 0, 1)
                                         : 0);
      gtk_widget_add_css_class (bar, "dependency-share");
      /* It would turn green at its end, as a battery's does. */
      gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (bar), GTK_LEVEL_BAR_OFFSET_LOW);
      gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (bar), GTK_LEVEL_BAR_OFFSET_HIGH);
      gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (bar), GTK_LEVEL_BAR_OFFSET_FULL);
      gtk_widget_set_valign (bar, GTK_ALIGN_CENTER);
      gtk_widget_set_size_request (bar, 48, -1);
      gtk_widget_set_tooltip_text (bar, tooltip);
      gtk_grid_attach (GTK_GRID (grid), name, 0, (int) i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), bar, 1, (int) i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), value, 2, (int) i, 1, 1);
    }
  gtk_box_append (GTK_BOX (body), grid);
  if (lanes->len > FIRST_ROWS)
    {
      g_autofree char *more = g_strdup_printf (
          ngettext ("and %u more lane", "and %u more lanes", lanes->len - FIRST_ROWS),
          lanes->len - FIRST_ROWS);

      gtk_box_append (GTK_BOX (body), words_new (more));
    }
}

/* -- sections -------------------------------------------------------------------------------- */

static void
add_neighbours (StriaDependencyPanel *self, StriaDependencySide side, const char *title,
                const char *none)
{
  const GArray *rows = self->data->neighbours[side];
  g_autofree char *count = g_strdup_printf ("%u", rows->len);
  GtkWidget *body;

  gtk_box_append (self->content, stria_details_section_new (title, count, &body));
  if (rows->len == 0)
    gtk_box_append (GTK_BOX (body), words_new (none));
  else
    add_list (self, body, rows, sizeof (StriaDependency), (RowFunc) dependency_row_new);
}

static void
add_chain (StriaDependencyPanel *self, StriaDependencySide side, const char *title)
{
  const GArray *rows = self->data->chain[side];
  g_autofree char *count = NULL;
  gint64 whole = 0;
  GtkWidget *body;

  /* With neighbours only it would say the same again. */
  if (rows->len <= self->data->neighbours[side]->len && !self->data->is_cut[side])
    return;
  count = g_strdup_printf (self->data->is_cut[side] ? _ ("the nearest %u") : "%u", rows->len);
  gtk_box_append (self->content, stria_details_section_new (title, count, &body));
  for (guint i = 0; i < self->data->lanes[side]->len; i++)
    whole = MAX (whole, g_array_index (self->data->lanes[side], StriaDependencyLane, i).busy_ns);
  add_lanes (self, body, self->data->lanes[side], whole,
             _ ("Time in which at least one event of the chain ran in the lane; the bar compares "
                "it with the lane that has most"));
  add_list (self, body, rows, sizeof (StriaDependency), (RowFunc) dependency_row_new);
}

static void
on_in_lane (GtkCheckButton *button, StriaDependencyPanel *self)
{
  self->in_lane = gtk_check_button_get_active (button);
  update (self);
}

static void
add_stall (StriaDependencyPanel *self)
{
  const StriaStall *stall = self->data->stall;
  GtkWidget *check = gtk_check_button_new_with_label (_ ("The order in a lane counts"));
  GtkWidget *body;

  gtk_box_append (self->content, stria_details_section_new (_ ("Why Not Sooner"), NULL, &body));
  if (stall->steps->len == 0)
    gtk_box_append (GTK_BOX (body),
                    words_new (_ ("Not known: nothing that the file says ended or ran before it")));
  else
    {
      g_autofree char *total = stria_format_duration (stall->total_ns, 4);
      g_autofree char *waited = stria_format_duration (stall->waited_ns, 4);
      g_autofree char *text = g_strdup_printf (
          ngettext ("Of the %s before it, along the %u event that ended last, nothing of the "
                    "chain ran for %s.",
                    "Of the %s before it, along the %u events that ended last, nothing of the "
                    "chain ran for %s.",
                    stall->steps->len),
          total, stall->steps->len, waited);

      gtk_box_append (GTK_BOX (body), words_new (text));
      if (stall->is_cut)
        gtk_box_append (GTK_BOX (body), words_new (_ ("The chain goes on behind that.")));
      add_lanes (self, body, stall->lanes, stall->total_ns,
                 _ ("Blamed: time in which the chain waited for an event of this lane. All of them "
                    "and the time in which nothing ran add up to the whole."));
      add_list (self, body, stall->steps, sizeof (StriaStallStep), (RowFunc) step_row_new);
    }
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), self->in_lane);
  gtk_widget_add_css_class (check, "caption");
  gtk_widget_set_tooltip_text (
      check, _ ("An event is also taken to wait for the one before it in its lane, which the file "
                "does not say"));
  g_signal_connect_object (check, "toggled", G_CALLBACK (on_in_lane), self, 0);
  gtk_box_append (GTK_BOX (body), check);
}

static void
show_data (StriaDependencyPanel *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->content))) != NULL)
    gtk_box_remove (self->content, child);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "dependencies.copy-json", self->data != NULL);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack),
                                    self->data != NULL ? "data" : "message");
  if (self->data == NULL)
    return;
  child = gtk_label_new (stria_dependency_data_name (self->data, self->data->ref));
  gtk_label_set_xalign (GTK_LABEL (child), 0);
  gtk_label_set_ellipsize (GTK_LABEL (child), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (child, "heading");
  gtk_box_append (self->content, child);
  add_neighbours (self, STRIA_DEPENDENCY_BEFORE, _ ("Predecessors"),
                  _ ("The file names none: no arrow ends here, and no earlier event has its "
                     "correlation id"));
  add_neighbours (self, STRIA_DEPENDENCY_AFTER, _ ("Successors"),
                  _ ("The file names none: no arrow starts here, and no later event has its "
                     "correlation id"));
  add_stall (self);
  add_chain (self, STRIA_DEPENDENCY_BEFORE, _ ("Upstream"));
  add_chain (self, STRIA_DEPENDENCY_AFTER, _ ("Downstream"));
}

/* -- the worker ------------------------------------------------------------------------------ */

typedef struct
{
  StriaTrace *trace;
  StriaRef    ref;
  gboolean    in_lane;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  stria_trace_unref (job->trace);
  g_free (job);
}

static void
collect (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  GError *error = NULL;
  StriaDependencyData *data
      = stria_dependency_data_new (job->trace, job->ref, job->in_lane, cancellable, &error);

  if (data == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, data, (GDestroyNotify) stria_dependency_data_free);
}

static void
on_collected (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaDependencyPanel) self = user_data;
  const gboolean stale = g_task_get_cancellable (G_TASK (result)) != self->cancellable;
  g_autoptr (GError) error = NULL;
  StriaDependencyData *data = g_task_propagate_pointer (G_TASK (result), &error);
  StriaDependencyData *old = self->data;

  if (stale)
    {
      stria_dependency_data_free (data);
      return;
    }
  g_clear_object (&self->cancellable);
  self->data = data;
  if (data == NULL)
    gtk_label_set_label (self->message, error->message);
  show_data (self);
  stria_dependency_data_free (old);
}

static void
clear (StriaDependencyPanel *self)
{
  StriaDependencyData *old = g_steal_pointer (&self->data);

  show_data (self);
  stria_dependency_data_free (old);
}

static void
update (StriaDependencyPanel *self)
{
  StriaTrace *trace = stria_session_get_trace (self->session);
  const StriaRef ref = stria_session_get_selection (self->session);
  g_autoptr (GTask) task = NULL;
  Job *job;

  self->wanted = !gtk_widget_get_mapped (GTK_WIDGET (self));
  if (self->wanted)
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (trace == NULL || stria_ref_is_none (ref))
    {
      gtk_label_set_label (self->message,
                           _ ("Click an event to see what it waited for and what waits for it"));
      clear (self);
      return;
    }
  if (self->data != NULL && self->data->trace == trace && stria_ref_equal (self->data->ref, ref)
      && self->data->in_lane == self->in_lane)
    return;
  job = g_new0 (Job, 1);
  job->trace = stria_trace_ref (trace);
  job->ref = ref;
  job->in_lane = self->in_lane;
  self->cancellable = g_cancellable_new ();
  /* Not the source object: a task, and that with it, may die on its worker. */
  task = g_task_new (NULL, self->cancellable, on_collected, g_object_ref (self));
  g_task_set_source_tag (task, update);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, collect);
}

/* -- the widget ------------------------------------------------------------------------------ */

static void
copy_json (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaDependencyPanel *self = STRIA_DEPENDENCY_PANEL (widget);
  g_autofree char *json = NULL;

  if (self->data == NULL)
    return;
  json = stria_dependency_data_to_json (self->data);
  copy (self, json);
}

static void
stria_dependency_panel_map (GtkWidget *widget)
{
  StriaDependencyPanel *self = STRIA_DEPENDENCY_PANEL (widget);

  GTK_WIDGET_CLASS (stria_dependency_panel_parent_class)->map (widget);
  if (self->wanted)
    update (self);
}

static void
stria_dependency_panel_dispose (GObject *object)
{
  StriaDependencyPanel *self = STRIA_DEPENDENCY_PANEL (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->stack, gtk_widget_unparent);
  g_clear_pointer (&self->data, stria_dependency_data_free);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (stria_dependency_panel_parent_class)->dispose (object);
}

static void
stria_dependency_panel_class_init (StriaDependencyPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_dependency_panel_dispose;
  widget_class->map = stria_dependency_panel_map;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_install_action (widget_class, "dependencies.copy-json", NULL, copy_json);
}

static void
stria_dependency_panel_init (StriaDependencyPanel *self)
{
  GtkWidget *message = gtk_label_new (NULL);
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->in_lane = TRUE;
  self->wanted = TRUE;
  self->stack = gtk_stack_new ();
  self->message = GTK_LABEL (message);
  self->content = GTK_BOX (content);
  self->scrolled = gtk_scrolled_window_new ();
  gtk_label_set_wrap (self->message, TRUE);
  gtk_label_set_justify (self->message, GTK_JUSTIFY_CENTER);
  gtk_widget_set_margin_start (message, 24);
  gtk_widget_set_margin_end (message, 24);
  gtk_widget_add_css_class (message, "dim-label");
  gtk_widget_add_css_class (content, "details");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), content);
  gtk_stack_add_named (GTK_STACK (self->stack), message, "message");
  gtk_stack_add_named (GTK_STACK (self->stack), self->scrolled, "data");
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Dependencies of the selected event"), -1);
}

/**
 * stria_dependency_panel_new:
 * @session: whose selection it shows
 *
 * Returns: (transfer floating): the panel
 */
GtkWidget *
stria_dependency_panel_new (StriaSession *session)
{
  StriaDependencyPanel *self = g_object_new (STRIA_TYPE_DEPENDENCY_PANEL, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "selection-changed", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "trace-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  stria_retell_connect (self, G_CALLBACK (update));
  update (self);
  return GTK_WIDGET (self);
}
