/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-details-private.h"

#include <glib/gi18n-lib.h>

#include "stria-dependency-panel.h"
#include "stria-details-rows.h"
#include "stria-event-info.h"
#include "stria-neuron-clock.h"
#include "stria-retell.h"
#include "stria-row-card.h"

G_DEFINE_FINAL_TYPE (StriaDetails, stria_details, GTK_TYPE_WIDGET)

static void
show_info (StriaDetails *self)
{
  const StriaEventInfo *info = self->info;
  GtkWidget *child, *section, *body, *table;

  stria_row_card_set_row (STRIA_ROW_CARD (self->row_card), NULL);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->content))) != NULL)
    gtk_box_remove (self->content, child);

  gtk_widget_set_sensitive (self->copy_button, info != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "details.copy-text", info != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "details.copy-json", info != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "details.copy-args",
                                 info != NULL && info->args != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "details.copy-row",
                                 info != NULL && info->row != NULL);
  gtk_stack_set_visible_child_name (self->stack, info != NULL ? "event" : "empty");
  if (info == NULL)
    return;

  gtk_widget_set_sensitive (GTK_WIDGET (self->wall_button), info->has_wall);
  stria_details_add_title (self);
  section = stria_details_section_new (_ ("Event"), NULL, &body);
  table = stria_details_table_new ();
  stria_details_add_times (self, table);
  stria_details_add_allocations (self, table);
  stria_details_add_place (self, table);
  gtk_box_append (GTK_BOX (body), table);
  gtk_box_append (self->content, section);
  child = self->extra != NULL
              ? self->extra (stria_session_get_selection (self->session), self->extra_data)
              : NULL;
  if (child != NULL)
    gtk_box_append (self->content, child);
  stria_details_add_source (self);
  stria_details_add_instruction_source (self);
  stria_details_add_links (self, STRIA_EVENT_LINK_FLOW_IN, _ ("Flow From"), 0, 0);
  stria_details_add_links (self, STRIA_EVENT_LINK_FLOW_OUT, _ ("Flow To"), 0, 0);
  stria_details_add_links (self, STRIA_EVENT_LINK_CORRELATION, _ ("Same Correlation"), info->n_correlation,
             info->correlation);
  stria_details_add_links (self, STRIA_EVENT_LINK_EXTERNAL, _ ("Same External Id"), info->n_external,
             info->external);
  stria_details_add_args (self);
  stria_details_add_stack (self);
}

typedef struct
{
  StriaTrace   *trace;
  StriaCapture *capture; /* (nullable): if cycles are wanted */
  StriaRef      ref;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_clear_pointer (&job->trace, stria_trace_unref);
  g_clear_object (&job->capture);
  g_free (job);
}

static void
collect_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  GError *error = NULL;
  StriaEventInfo *info = stria_event_info_new (job->trace, job->ref, cancellable, &error);

  if (info != NULL && info->row != NULL && job->capture != NULL)
    info->core_ghz = stria_neuron_clock_ghz (
        job->capture, stria_lane_get_artifact (stria_trace_get_lane (job->trace, job->ref.lane)));
  if (info == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, info, (GDestroyNotify) stria_event_info_free);
}

static void
on_collected (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaDetails) self = user_data;
  gboolean stale = g_task_get_cancellable (G_TASK (result)) != self->cancellable;
  g_autoptr (GError) error = NULL;
  StriaEventInfo *info = g_task_propagate_pointer (G_TASK (result), &error);
  GtkAdjustment *adjustment;

  if (stale)
    {
      g_clear_pointer (&info, stria_event_info_free);
      return;
    }
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->info, stria_event_info_free);
  self->info = info;
  if (info == NULL)
    gtk_label_set_label (self->empty_label, error->message);
  show_info (self);
  adjustment = gtk_scrolled_window_get_vadjustment (self->scrolled_window);
  gtk_adjustment_set_value (adjustment, 0);
}

static void
update (StriaDetails *self)
{
  StriaTrace *trace = stria_session_get_trace (self->session);
  StriaRef ref = stria_session_get_selection (self->session);
  g_autoptr (GTask) task = NULL;
  Job *job;

  if (self->info != NULL && self->info->trace == trace && stria_ref_equal (self->info->ref, ref) &&
      self->cancellable == NULL)
    return;

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (trace == NULL || stria_ref_is_none (ref))
    {
      g_clear_pointer (&self->info, stria_event_info_free);
      gtk_label_set_label (self->empty_label,
                           _ ("Click an event to see its times, arguments, call stack and links"));
      show_info (self);
      return;
    }

  job = g_new0 (Job, 1);
  job->trace = stria_trace_ref (trace);
  if (stria_neuron_clock_is_shown ())
    job->capture = g_object_ref (stria_session_get_capture (self->session));
  job->ref = ref;
  self->cancellable = g_cancellable_new ();
  /* Not the source object: a task, and that with it, may die on its worker. */
  task = g_task_new (NULL, self->cancellable, on_collected, g_object_ref (self));
  g_task_set_source_tag (task, update);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, collect_in_thread);
}

static void
on_wall_toggled (StriaDetails *self)
{
  show_info (self);
}

static void
copy_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StriaDetails *self = STRIA_DETAILS (widget);
  g_autofree char *text = NULL;

  if (self->info == NULL)
    return;
  if (g_str_equal (action_name, "details.copy-row"))
    text = self->info->row != NULL ? stria_row_to_json (self->info->row) : NULL;
  else if (g_str_equal (action_name, "details.copy-json"))
    text = stria_event_info_to_json (self->info);
  else if (g_str_equal (action_name, "details.copy-args"))
    text = stria_event_info_dup_args (self->info);
  else
    text = stria_event_info_to_text (self->info, gtk_toggle_button_get_active (self->wall_button));
  if (text == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  gtk_widget_activate_action (widget, "win.toast", "s", _ ("Copied"));
}

static void
copy_dependencies (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StriaDetails *self = STRIA_DETAILS (widget);

  gtk_widget_activate_action (self->dependencies, "dependencies.copy-json", NULL);
}

static void
stria_details_dispose (GObject *object)
{
  StriaDetails *self = STRIA_DETAILS (object);
  GtkWidget *child;

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->row_card != NULL)
    stria_row_card_set_row (STRIA_ROW_CARD (self->row_card), NULL);
  g_clear_pointer (&self->info, stria_event_info_free);
  g_clear_object (&self->session);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->row_card);
  G_OBJECT_CLASS (stria_details_parent_class)->dispose (object);
}

static void
stria_details_class_init (StriaDetailsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_details_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stria/Stria/ui/stria-details.ui");
  gtk_widget_class_bind_template_child (widget_class, StriaDetails, pages);
  gtk_widget_class_bind_template_child (widget_class, StriaDetails, stack);
  gtk_widget_class_bind_template_child (widget_class, StriaDetails, empty_label);
  gtk_widget_class_bind_template_child (widget_class, StriaDetails, scrolled_window);
  gtk_widget_class_bind_template_child (widget_class, StriaDetails, content);
  gtk_widget_class_bind_template_child (widget_class, StriaDetails, wall_button);
  gtk_widget_class_bind_template_child (widget_class, StriaDetails, copy_button);
  gtk_widget_class_bind_template_callback (widget_class, on_wall_toggled);
  gtk_widget_class_install_action (widget_class, "details.copy-text", NULL, copy_action);
  gtk_widget_class_install_action (widget_class, "details.copy-json", NULL, copy_action);
  gtk_widget_class_install_action (widget_class, "details.copy-args", NULL, copy_action);
  gtk_widget_class_install_action (widget_class, "details.copy-row", NULL, copy_action);
  gtk_widget_class_install_action (widget_class, "details.copy-dependencies", NULL,
                                   copy_dependencies);
}

static void
stria_details_init (StriaDetails *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->row_card = g_object_ref_sink (stria_row_card_new ());
}

/**
 * stria_details_new:
 * @session: whose selection it shows
 *
 * Returns: (transfer full): the panel
 */
GtkWidget *
stria_details_new (StriaSession *session)
{
  StriaDetails *self;

  g_return_val_if_fail (STRIA_IS_SESSION (session), NULL);

  self = g_object_new (STRIA_TYPE_DETAILS, NULL);
  self->session = g_object_ref (session);
  self->dependencies = stria_dependency_panel_new (session);
  gtk_stack_add_titled (self->pages, self->dependencies, "dependencies", _ ("Dependencies"));
  g_signal_connect_object (session, "selection-changed", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "trace-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  stria_retell_connect (self, G_CALLBACK (update));
  update (self);
  return GTK_WIDGET (self);
}

/**
 * stria_details_set_extra:
 * @extra: (nullable): makes what is shown below an event's own facts
 */
void
stria_details_set_extra (StriaDetails *self, StriaDetailsExtra extra, gpointer user_data)
{
  g_return_if_fail (STRIA_IS_DETAILS (self));

  self->extra = extra;
  self->extra_data = user_data;
}
