/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-summary-figures.h"

#include <glib/gi18n-lib.h>

#include "stria-name-drop-down.h"
#include "stria-format.h"
#include "stria-retell.h"
#include "stria-summary-cards.h"
#include "stria-summary-neuron.h"
#include "stria-summary-work.h"
#include "stria-wrap-box.h"

/* A view is panned sixty times a second; sums of it are read more slowly. */
#define FOLLOW_MS 150

typedef enum
{
  WHOLE,
  VIEW,
  SELECTION,
  N_PARTS,
} Part;

struct _StriaSummaryFiguresView
{
  GtkWidget parent_instance;

  StriaSession *session;
  GCancellable *cancellable; /* of the work under way */
  guint         follow_id;
  gboolean      is_stale;    /* something changed while work is under way */
  gboolean      filling;
  Part          part;
  GPtrArray    *subjects;    /* StriaSummaryRequest: what can be chosen */
  guint         subject;
  gint64        core;
  GArray       *cores;       /* gint64: those of the drop-down, without “all” */

  GtkWidget *content;
  GtkWidget *parts[N_PARTS];
  GtkWidget *subject_drop_down;
  GtkWidget *core_drop_down;
  GtkWidget *range_label;
  GtkWidget *status;
  GtkBox    *left;
  GtkBox    *right;
};

G_DEFINE_FINAL_TYPE (StriaSummaryFiguresView, stria_summary_figures_view, GTK_TYPE_WIDGET)

static void start (StriaSummaryFiguresView *self);

static void
clear_box (GtkBox *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))) != NULL)
    gtk_box_remove (box, child);
}

static void
show_status (StriaSummaryFiguresView *self, const char *text)
{
  gtk_label_set_text (GTK_LABEL (self->status), text != NULL ? text : "");
  gtk_widget_set_visible (self->status, text != NULL);
}

/* -- what can be chosen ---------------------------------------------------------------------- */

static gboolean
is_framework_trace (StriaTrace *trace)
{
  static const char *const categories[]
      = { "kernel", "Kernel", "gpu_memcpy", "Memcpy", "cpu_op", "Operator", NULL };

  for (guint32 i = 0; trace != NULL && i < stria_trace_get_n_categories (trace); i++)
    if (g_strv_contains (categories, stria_trace_get_category (trace, i)))
      return TRUE;
  return FALSE;
}

/* Dumps of other runtimes call kernels what a processor ran; no device is idle between them. */
static gboolean
holds_framework_trace (StriaCapture *capture)
{
  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      const char *kind = stria_artifact_get_kind (stria_capture_get_artifact (capture, i));

      if (g_strcmp0 (kind, "pytorch-trace") == 0 || g_strcmp0 (kind, "perfetto") == 0)
        return TRUE;
    }
  return FALSE;
}

static void
add_subject (StriaSummaryFiguresView *self, GtkStringList *names, const char *name,
             StriaSummarySubject subject, guint artifact)
{
  StriaSummaryRequest *request = g_new0 (StriaSummaryRequest, 1);

  request->capture = g_object_ref (stria_session_get_capture (self->session));
  request->subject = subject;
  request->artifact = artifact;
  g_ptr_array_add (self->subjects, request);
  gtk_string_list_append (names, name);
}

static void
fill_subjects (StriaSummaryFiguresView *self)
{
  StriaCapture *capture = stria_session_get_capture (self->session);
  g_autoptr (GPtrArray) profiles = stria_neuron_profiles (capture);
  g_autoptr (GPtrArray) system = stria_system_summary_tables (capture);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint before = self->subjects->len;

  g_ptr_array_set_size (self->subjects, 0);
  for (guint i = 0; i < profiles->len; i++)
    {
      StriaNeuronProfile *profile = profiles->pdata[i];

      add_subject (self, names, profile->title, STRIA_SUMMARY_DEVICE, profile->artifact);
    }
  if (system->len > 0)
    add_subject (self, names, _ ("System profiles"), STRIA_SUMMARY_SYSTEM, 0);
  if (holds_framework_trace (capture)
      && is_framework_trace (stria_session_get_trace (self->session)))
    add_subject (self, names, _ ("Traces of the framework"), STRIA_SUMMARY_TRACE, 0);
  if (self->subjects->len != before || self->subject >= self->subjects->len)
    {
      self->subject = 0;
      self->core = -2;
    }
  self->filling = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->subject_drop_down), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->subject_drop_down), self->subject);
  self->filling = FALSE;
  gtk_widget_set_visible (self->subject_drop_down, self->subjects->len > 1);
  gtk_widget_set_visible (GTK_WIDGET (self), self->subjects->len > 0);
}

static void
fill_cores (StriaSummaryFiguresView *self, const StriaSummaryFigures *figures)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint selected = 0;

  g_clear_pointer (&self->cores, g_array_unref);
  gtk_widget_set_visible (self->core_drop_down,
                          figures->cores != NULL && figures->cores->len > 1);
  if (figures->cores == NULL || figures->cores->len < 2)
    return;
  self->cores = g_array_ref (figures->cores);
  gtk_string_list_append (names, _ ("All cores"));
  for (guint i = 0; i < self->cores->len; i++)
    {
      gint64 core = g_array_index (self->cores, gint64, i);
      g_autofree char *name = g_strdup_printf (_ ("Core %d"), (int) core);

      gtk_string_list_append (names, name);
      if (core == figures->core)
        selected = i + 1;
    }
  self->core = figures->core;
  self->filling = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->core_drop_down), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->core_drop_down), selected);
  self->filling = FALSE;
}

/* -- work ------------------------------------------------------------------------------------ */

static void
work_in_thread (GTask *task, gpointer source, gpointer request, GCancellable *cancellable)
{
  GError *error = NULL;
  StriaSummaryFigures *figures = stria_summary_figures_make (request, cancellable, &error);

  if (figures == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, figures, (GDestroyNotify) stria_summary_figures_free);
}

static void
show_figures (StriaSummaryFiguresView *self, const StriaSummaryFigures *figures)
{
  show_status (self, NULL);
  clear_box (self->left);
  clear_box (self->right);
  fill_cores (self, figures);
  switch (figures->subject)
    {
    case STRIA_SUMMARY_DEVICE:
      stria_summary_neuron_fill (self->left, self->right, figures);
      break;
    case STRIA_SUMMARY_SYSTEM:
      stria_summary_system_fill (self->left, self->right, figures);
      break;
    case STRIA_SUMMARY_TRACE:
    default:
      stria_summary_trace_fill (self->left, self->right, figures);
      break;
    }
}

static void
on_figures (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaSummaryFiguresView) self = user_data;
  gboolean is_current = g_task_get_cancellable (G_TASK (result)) == self->cancellable;
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSummaryFigures) figures
      = g_task_propagate_pointer (G_TASK (result), &error);

  if (!is_current)
    return;
  g_clear_object (&self->cancellable);
  if (figures != NULL)
    show_figures (self, figures);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      clear_box (self->left);
      clear_box (self->right);
      show_status (self, error->message);
    }
  if (self->is_stale)
    start (self);
}

static void
show_range (StriaSummaryFiguresView *self, const StriaSummaryRequest *request)
{
  g_autofree char *text = NULL;

  if (request->has_range)
    {
      StriaTrace *trace = stria_session_get_trace (self->session);
      gint64 first = 0, last;
      gint64 step = MAX ((request->t1 - request->t0) / 1000, 1);
      g_autofree char *length = stria_format_duration (request->t1 - request->t0, 4);
      g_autofree char *from = NULL;
      g_autofree char *to = NULL;

      if (trace != NULL)
        stria_trace_get_range (trace, &first, &last);
      from = stria_format_time (request->t0 - first, step);
      to = stria_format_time (request->t1 - first, step);
      if (request->lanes != NULL)
        text = g_strdup_printf (ngettext ("%s, from %s to %s, in %u lane",
                                          "%s, from %s to %s, in %u lanes", request->lanes->len),
                                length, from, to, request->lanes->len);
      else
        text = g_strdup_printf (_ ("%s, from %s to %s"), length, from, to);
    }
  gtk_label_set_text (GTK_LABEL (self->range_label), text != NULL ? text : "");
  gtk_widget_set_visible (self->range_label, text != NULL);
}

/* What of the timeline is meant. FALSE: nothing is */
static gboolean
take_part (StriaSummaryFiguresView *self, StriaSummaryRequest *request)
{
  const guint32 *lanes;
  gsize n_lanes;

  switch (self->part)
    {
    case VIEW:
      stria_session_get_view (self->session, &request->t0, &request->t1);
      request->has_range = request->trace != NULL;
      return TRUE;
    case SELECTION:
      if (request->trace == NULL
          || !stria_session_get_range (self->session, &request->t0, &request->t1))
        return FALSE;
      request->has_range = TRUE;
      lanes = stria_session_get_range_lanes (self->session, &n_lanes);
      if (lanes != NULL)
        {
          request->lanes = g_array_sized_new (FALSE, FALSE, sizeof (guint32), (guint) n_lanes);
          g_array_append_vals (request->lanes, lanes, (guint) n_lanes);
        }
      return TRUE;
    case WHOLE:
    case N_PARTS:
    default:
      return TRUE;
    }
}

static void
start (StriaSummaryFiguresView *self)
{
  g_autoptr (StriaSummaryRequest) request = NULL;
  g_autoptr (GTask) task = NULL;
  StriaTrace *trace = stria_session_get_trace (self->session);

  self->is_stale = FALSE;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || self->subject >= self->subjects->len)
    return;
  /* Work under way is let end, so that something is shown while a view is panned on and on. */
  if (self->cancellable != NULL)
    {
      self->is_stale = TRUE;
      return;
    }
  request = stria_summary_request_copy (self->subjects->pdata[self->subject]);
  request->trace = trace != NULL ? stria_trace_ref (trace) : NULL;
  request->core = self->core;
  if (!take_part (self, request))
    {
      gtk_widget_set_visible (self->range_label, FALSE);
      clear_box (self->left);
      clear_box (self->right);
      show_status (self, _ ("Nothing is selected. Select a range in the timeline to have its "
                            "figures here."));
      return;
    }
  show_range (self, request);
  if (gtk_widget_get_first_child (GTK_WIDGET (self->left)) == NULL)
    show_status (self, _ ("Counting…"));
  self->cancellable = g_cancellable_new ();
  /* Not the source object: a task, and that with it, may die on its worker. */
  task = g_task_new (NULL, self->cancellable, on_figures, g_object_ref (self));
  g_task_set_source_tag (task, start);
  g_task_set_task_data (task, g_steal_pointer (&request),
                        (GDestroyNotify) stria_summary_request_free);
  g_task_run_in_thread (task, work_in_thread);
}

static void
stop (StriaSummaryFiguresView *self)
{
  g_clear_handle_id (&self->follow_id, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->is_stale = FALSE;
}

static void
restart (StriaSummaryFiguresView *self)
{
  stop (self);
  start (self);
}

static gboolean
on_follow (gpointer user_data)
{
  StriaSummaryFiguresView *self = user_data;

  self->follow_id = 0;
  start (self);
  return G_SOURCE_REMOVE;
}

static void
follow (StriaSummaryFiguresView *self, Part part)
{
  if (self->part == part && self->follow_id == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->follow_id = g_timeout_add (FOLLOW_MS, on_follow, self);
}

static void
on_view_changed (StriaSummaryFiguresView *self)
{
  follow (self, VIEW);
}

static void
on_range_changed (StriaSummaryFiguresView *self)
{
  follow (self, SELECTION);
}

static void
retell (StriaSummaryFiguresView *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    restart (self);
}

static void
on_trace_changed (StriaSummaryFiguresView *self)
{
  fill_subjects (self);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    restart (self);
}

static void
on_part_toggled (GtkWidget *button, StriaSummaryFiguresView *self)
{
  if (!gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button)))
    return;
  for (guint i = 0; i < N_PARTS; i++)
    if (self->parts[i] == button)
      self->part = i;
  restart (self);
}

static void
on_subject_selected (StriaSummaryFiguresView *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->subject_drop_down));

  if (self->filling || selected == self->subject || selected >= self->subjects->len)
    return;
  self->subject = selected;
  self->core = -2;
  restart (self);
}

static void
on_core_selected (StriaSummaryFiguresView *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->core_drop_down));

  if (self->filling || self->cores == NULL || selected > self->cores->len)
    return;
  self->core = selected == 0 ? -1 : g_array_index (self->cores, gint64, selected - 1);
  restart (self);
}

/* -- widget ---------------------------------------------------------------------------------- */

static GtkWidget *
column_new (GtkBox **box)
{
  GtkWidget *child = gtk_flow_box_child_new ();

  *box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 12));
  gtk_widget_set_size_request (GTK_WIDGET (*box), 300, -1);
  gtk_widget_set_focusable (child, FALSE);
  gtk_widget_add_css_class (child, "summary-column");
  gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (child), GTK_WIDGET (*box));
  return child;
}

static GtkWidget *
parts_new (StriaSummaryFiguresView *self)
{
  static const char *const titles[N_PARTS] = { N_ ("_Whole"), N_ ("_View"), N_ ("_Selection") };
  static const char *const names[N_PARTS] = { N_ ("Whole"), N_ ("View"), N_ ("Selection") };
  static const char *const tips[N_PARTS]
      = { N_ ("Figures of all of it"), N_ ("Figures of what the timeline shows"),
          N_ ("Figures of the range and lanes that are selected in the timeline") };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (box, "linked");
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  for (guint i = 0; i < N_PARTS; i++)
    {
      self->parts[i] = gtk_toggle_button_new_with_mnemonic (_ (titles[i]));
      gtk_widget_set_tooltip_text (self->parts[i], _ (tips[i]));
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->parts[i]),
                                      GTK_ACCESSIBLE_PROPERTY_LABEL, _ (names[i]), -1);
      if (i > 0)
        gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (self->parts[i]),
                                     GTK_TOGGLE_BUTTON (self->parts[0]));
      gtk_box_append (GTK_BOX (box), self->parts[i]);
    }
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->parts[WHOLE]), TRUE);
  for (guint i = 0; i < N_PARTS; i++)
    g_signal_connect (self->parts[i], "toggled", G_CALLBACK (on_part_toggled), self);
  return box;
}

static GtkWidget *
drop_down_new (StriaSummaryFiguresView *self, const char *label, const char *tip,
               GCallback on_selected)
{
  GtkWidget *drop_down = stria_name_drop_down_new ();

  gtk_widget_set_visible (drop_down, FALSE);
  gtk_widget_set_valign (drop_down, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (drop_down, tip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  g_signal_connect_swapped (drop_down, "notify::selected", on_selected, self);
  return drop_down;
}

static void
stria_summary_figures_view_map (GtkWidget *widget)
{
  StriaSummaryFiguresView *self = STRIA_SUMMARY_FIGURES_VIEW (widget);

  GTK_WIDGET_CLASS (stria_summary_figures_view_parent_class)->map (widget);
  restart (self);
}

static void
stria_summary_figures_view_unmap (GtkWidget *widget)
{
  stop (STRIA_SUMMARY_FIGURES_VIEW (widget));
  GTK_WIDGET_CLASS (stria_summary_figures_view_parent_class)->unmap (widget);
}

static void
stria_summary_figures_view_dispose (GObject *object)
{
  StriaSummaryFiguresView *self = STRIA_SUMMARY_FIGURES_VIEW (object);

  stop (self);
  self->filling = TRUE;
  g_clear_object (&self->session);
  g_clear_pointer (&self->content, gtk_widget_unparent);
  g_clear_pointer (&self->subjects, g_ptr_array_unref);
  g_clear_pointer (&self->cores, g_array_unref);
  G_OBJECT_CLASS (stria_summary_figures_view_parent_class)->dispose (object);
}

static void
stria_summary_figures_view_class_init (StriaSummaryFiguresViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_summary_figures_view_dispose;
  widget_class->map = stria_summary_figures_view_map;
  widget_class->unmap = stria_summary_figures_view_unmap;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
stria_summary_figures_view_init (StriaSummaryFiguresView *self)
{
  GtkWidget *columns = gtk_flow_box_new ();
  GtkWidget *tools = stria_wrap_box_new (12, 6);

  self->core = -2;
  self->subjects
      = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_summary_request_free);
  self->content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  gtk_widget_set_parent (self->content, GTK_WIDGET (self));
  stria_wrap_box_append (STRIA_WRAP_BOX (tools), parts_new (self));
  self->subject_drop_down
      = drop_down_new (self, _ ("Profile"), _ ("What the figures are of"),
                       G_CALLBACK (on_subject_selected));
  stria_wrap_box_append (STRIA_WRAP_BOX (tools), self->subject_drop_down);
  self->core_drop_down = drop_down_new (self, _ ("Core"), _ ("Physical core that counts"),
                                        G_CALLBACK (on_core_selected));
  stria_wrap_box_append (STRIA_WRAP_BOX (tools), self->core_drop_down);
  gtk_box_append (GTK_BOX (self->content), tools);
  self->range_label = gtk_label_new ("");
  gtk_widget_set_visible (self->range_label, FALSE);
  gtk_label_set_xalign (GTK_LABEL (self->range_label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->range_label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->range_label, "dim-label");
  gtk_widget_add_css_class (self->range_label, "numeric");
  gtk_box_append (GTK_BOX (self->content), self->range_label);
  self->status = stria_summary_text_new ("", FALSE);
  gtk_widget_set_visible (self->status, FALSE);
  gtk_box_append (GTK_BOX (self->content), self->status);
  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (columns), GTK_SELECTION_NONE);
  gtk_flow_box_set_homogeneous (GTK_FLOW_BOX (columns), TRUE);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (columns), 2);
  gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (columns), 12);
  gtk_flow_box_set_row_spacing (GTK_FLOW_BOX (columns), 12);
  gtk_accessible_update_property (GTK_ACCESSIBLE (columns), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Figures"), -1);
  gtk_flow_box_append (GTK_FLOW_BOX (columns), column_new (&self->left));
  gtk_flow_box_append (GTK_FLOW_BOX (columns), column_new (&self->right));
  gtk_box_append (GTK_BOX (self->content), columns);
}

GtkWidget *
stria_summary_figures_view_new (StriaSession *session)
{
  StriaSummaryFiguresView *self;

  g_return_val_if_fail (STRIA_IS_SESSION (session), NULL);

  self = g_object_new (STRIA_TYPE_SUMMARY_FIGURES, NULL);
  self->session = g_object_ref (session);
  stria_retell_connect (self, G_CALLBACK (retell));
  g_signal_connect_object (session, "trace-changed", G_CALLBACK (on_trace_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "view-changed", G_CALLBACK (on_view_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "range-changed", G_CALLBACK (on_range_changed), self,
                           G_CONNECT_SWAPPED);
  fill_subjects (self);
  return GTK_WIDGET (self);
}
