/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-operators-view-private.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-choosers.h"
#include "stria-focus.h"
#include "stria-format.h"
#include "stria-icicle.h"
#include "stria-operators-table.h"
#include "stria-retell.h"

/* A drag over the timeline passes over ranges that nobody waits for. */
#define RANGE_DELAY_MS 250
#define ICICLE_HEIGHT  240

typedef enum
{
  RANGE_WHOLE,
  RANGE_VISIBLE,
  RANGE_SELECTED,
} Range;

G_DEFINE_FINAL_TYPE (StriaOperatorsView, stria_operators_view, GTK_TYPE_WIDGET)

static void update (StriaOperatorsView *self);

gboolean
stria_operators_view_has_data (StriaCapture *capture)
{
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (capture);

  return stria_operators_has (capture, trace, STRIA_OPERATORS_CALLS)
         || stria_operators_has (capture, trace, STRIA_OPERATORS_NODES);
}

/* -- the tree -------------------------------------------------------------------------------- */

typedef struct
{
  StriaCapture      *capture;
  StriaTrace        *trace;
  StriaOperatorsKind kind;
  gint64             t0;
  gint64             t1;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->capture);
  stria_trace_unref (job->trace);
  g_free (job);
}

static void
run_job (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  GError *error = NULL;
  StriaOperators *tree = stria_operators_new (job->capture, job->trace, job->kind, job->t0, job->t1,
                                              cancellable, &error);

  if (tree == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, tree, (GDestroyNotify) stria_operators_unref);
}

static void
say (StriaOperatorsView *self, const char *title, const char *description)
{
  adw_status_page_set_title (ADW_STATUS_PAGE (self->status), title);
  adw_status_page_set_description (ADW_STATUS_PAGE (self->status), description);
  gtk_stack_set_visible_child_name (self->stack, "status");
}

static void
show_tree (StriaOperatorsView *self)
{
  const gboolean has_any = self->tree != NULL && stria_operators_n_nodes (self->tree) > 1;

  gtk_widget_set_sensitive (self->copy_button, has_any);
  gtk_widget_set_sensitive (self->save_button, has_any);
  self->filling = TRUE;
  stria_icicle_set_tree (STRIA_ICICLE (self->icicle), has_any ? self->tree : NULL);
  stria_operators_table_set_tree (STRIA_OPERATORS_TABLE (self->table), has_any ? self->tree : NULL);
  self->filling = FALSE;
  gtk_label_set_label (self->summary, "");
  if (has_any)
    {
      stria_operators_view_filter (self);
      gtk_stack_set_visible_child_name (self->stack, "tree");
    }
  else if (self->tree != NULL)
    say (self, _ ("Nothing in This Range"), _ ("No slice of this kind overlaps the range."));
}

static void
on_made (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaOperatorsView) self = user_data;
  g_autoptr (GError) error = NULL;
  StriaOperators *tree = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->session == NULL || g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    {
      g_clear_pointer (&tree, stria_operators_unref);
      return;
    }
  g_clear_object (&self->cancellable);
  gtk_spinner_set_spinning (self->spinner, FALSE);
  g_clear_pointer (&self->tree, stria_operators_unref);
  self->tree = tree;
  show_tree (self);
  if (tree == NULL)
    say (self, _ ("The Operators Could Not Be Read"), error->message);
}

static gboolean
get_range (StriaOperatorsView *self, StriaTrace *trace, gint64 *t0, gint64 *t1)
{
  switch (gtk_drop_down_get_selected (self->range_chooser))
    {
    case RANGE_VISIBLE:
      stria_session_get_view (self->session, t0, t1);
      return TRUE;
    case RANGE_SELECTED:
      return stria_session_get_range (self->session, t0, t1);
    case RANGE_WHOLE:
    default:
      return stria_trace_get_range (trace, t0, t1);
    }
}

static gboolean
get_kind (StriaOperatorsView *self, StriaOperatorsKind *kind)
{
  const guint chosen = gtk_drop_down_get_selected (self->kind_chooser);

  if (chosen >= self->kinds->len)
    return FALSE;
  *kind = g_array_index (self->kinds, StriaOperatorsKind, chosen);
  return TRUE;
}

/* Tables of an export have sums of the whole only. */
static void
follow_kind (StriaOperatorsView *self)
{
  StriaOperatorsKind kind;
  const gboolean is_fixed = get_kind (self, &kind) && kind == STRIA_OPERATORS_NODES;

  gtk_widget_set_sensitive (GTK_WIDGET (self->range_chooser), !is_fixed);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->range_chooser),
                               is_fixed ? _ ("The export has sums of the whole profile only")
                                        : _ ("What time to count"));
}

static void
fill_kinds (StriaOperatorsView *self, StriaTrace *trace)
{
  StriaCapture *capture = stria_session_get_capture (self->session);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  StriaOperatorsKind before = STRIA_N_OPERATORS_KINDS;
  guint chosen = 0;

  get_kind (self, &before);
  g_array_set_size (self->kinds, 0);
  for (guint kind = 0; kind < STRIA_N_OPERATORS_KINDS; kind++)
    if (stria_operators_has (capture, trace, kind))
      {
        if (kind == before)
          chosen = self->kinds->len;
        g_array_append_val (self->kinds, kind);
        gtk_string_list_append (names, stria_operators_kind_title (kind));
      }
  self->filling = TRUE;
  gtk_drop_down_set_model (self->kind_chooser, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->kind_chooser, chosen);
  self->filling = FALSE;
  follow_kind (self);
}

static void
start (StriaOperatorsView *self, StriaTrace *trace, StriaOperatorsKind kind, gint64 t0, gint64 t1)
{
  g_autoptr (GTask) task = NULL;
  Job *job = g_new0 (Job, 1);

  self->cancellable = g_cancellable_new ();
  job->capture = g_object_ref (stria_session_get_capture (self->session));
  job->trace = stria_trace_ref (trace);
  job->kind = kind;
  job->t0 = t0;
  job->t1 = t1;
  /* Not the source object: a task, and that with it, may die on its worker. */
  task = g_task_new (NULL, self->cancellable, on_made, g_object_ref (self));
  g_task_set_source_tag (task, start);
  g_task_set_task_data (task, job, job_free);
  gtk_spinner_set_spinning (self->spinner, TRUE);
  g_task_run_in_thread (task, run_job);
}

static void
update (StriaOperatorsView *self)
{
  StriaTrace *trace = stria_session_get_trace (self->session);
  StriaOperatorsKind kind;
  gint64 t0, t1;

  g_clear_handle_id (&self->delay, g_source_remove);
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      self->is_stale = TRUE;
      return;
    }
  self->is_stale = FALSE;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  gtk_spinner_set_spinning (self->spinner, FALSE);
  if (trace == NULL || !get_kind (self, &kind))
    say (self, _ ("No Operators Yet"), _ ("The capture has no slices or instructions so far."));
  else if (!get_range (self, trace, &t0, &t1))
    say (self, _ ("No Range Is Selected"),
         _ ("Drag over the tracks of the timeline to select a range."));
  else
    start (self, trace, kind, t0, t1);
}

static gboolean
on_delay (gpointer user_data)
{
  StriaOperatorsView *self = user_data;

  self->delay = 0;
  update (self);
  return G_SOURCE_REMOVE;
}

static void
on_range_moved (StriaOperatorsView *self, Range range)
{
  if (gtk_drop_down_get_selected (self->range_chooser) != range)
    return;
  g_clear_handle_id (&self->delay, g_source_remove);
  self->delay = g_timeout_add (RANGE_DELAY_MS, on_delay, self);
}

static void
on_view_changed (StriaOperatorsView *self)
{
  on_range_moved (self, RANGE_VISIBLE);
}

static void
on_range_changed (StriaOperatorsView *self)
{
  on_range_moved (self, RANGE_SELECTED);
}

static void
on_trace_changed (StriaOperatorsView *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      self->is_stale = TRUE;
      return;
    }
  fill_kinds (self, stria_session_get_trace (self->session));
  update (self);
}

void
stria_operators_view_chosen (StriaOperatorsView *self)
{
  if (self->filling || self->session == NULL)
    return;
  follow_kind (self);
  update (self);
}

/* -- the timeline ---------------------------------------------------------------------------- */

typedef struct
{
  StriaOperators *tree;
  guint32         node;
  gboolean        reveals;
  StriaRef        first;
} Highlight;

static void
highlight_free (gpointer data)
{
  stria_operators_unref (((Highlight *) data)->tree);
  g_free (data);
}

static void
find_events (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Highlight *job = task_data;

  job->first = job->reveals ? stria_operators_first_event (job->tree, job->node) : STRIA_REF_NONE;
  g_task_return_pointer (task, stria_operators_match (job->tree, job->node),
                         (GDestroyNotify) stria_match_unref);
}

static void
show_match (StriaOperatorsView *self, StriaMatch *match)
{
  g_autofree char *text = NULL;

  g_clear_pointer (&self->highlighted, stria_match_unref);
  self->highlighted = match != NULL ? stria_match_ref (match) : NULL;
  stria_session_show_match (self->session, match);
  gtk_widget_set_visible (self->clear_button, match != NULL);
  if (match == NULL)
    return;
  {
    const guint64 n = stria_match_n_events (match);
    g_autofree char *count = stria_format_count (n);

    text = g_strdup_printf (ngettext ("%s event stands out on the timeline",
                                      "%s events stand out on the timeline", n),
                            count);
  }
  gtk_button_set_label (GTK_BUTTON (self->clear_button), text);
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaOperatorsView) self = user_data;
  Highlight *job = g_task_get_task_data (G_TASK (result));
  StriaTrace *trace = stria_operators_get_trace (job->tree);
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaMatch) match = g_task_propagate_pointer (G_TASK (result), &error);

  if (error != NULL || self->session == NULL || trace != stria_session_get_trace (self->session)
      || g_task_get_cancellable (G_TASK (result)) != self->highlighting)
    return;
  show_match (self, match);
  if (!job->reveals)
    return;
  if (stria_ref_is_none (job->first))
    {
      stria_tell (GTK_WIDGET (self), _ ("No event of the timeline belongs to this row"));
      return;
    }
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-view", "s", "timeline");
  stria_session_reveal (self->session, job->first);
}

static void
highlight (StriaOperatorsView *self, guint32 node, gboolean reveals)
{
  g_autoptr (GTask) task = NULL;
  Highlight *job;

  g_cancellable_cancel (self->highlighting);
  g_clear_object (&self->highlighting);
  if (self->tree == NULL || node == G_MAXUINT32 || (node == 0 && !reveals))
    {
      if (self->highlighted != NULL)
        show_match (self, NULL);
      return;
    }
  self->highlighting = g_cancellable_new ();
  job = g_new0 (Highlight, 1);
  job->tree = stria_operators_ref (self->tree);
  job->node = node;
  job->reveals = reveals;
  task = g_task_new (NULL, self->highlighting, on_found, g_object_ref (self));
  g_task_set_source_tag (task, highlight);
  g_task_set_task_data (task, job, highlight_free);
  g_task_run_in_thread (task, find_events);
}

static void
on_table_selected (StriaOperatorsView *self, guint node)
{
  if (self->filling)
    return;
  stria_icicle_select (STRIA_ICICLE (self->icicle), node);
  highlight (self, node, FALSE);
}

static void
on_icicle_selected (StriaOperatorsView *self, guint node)
{
  self->filling = TRUE;
  stria_operators_table_select (STRIA_OPERATORS_TABLE (self->table), node);
  self->filling = FALSE;
  highlight (self, node, FALSE);
}

static void
on_activated (StriaOperatorsView *self, guint node)
{
  highlight (self, node, TRUE);
}

/* An event that was selected on the timeline: its operator, without taking others' search away */
static void
follow_selection (StriaOperatorsView *self)
{
  const StriaRef ref = stria_session_get_selection (self->session);
  guint32 node;

  if (self->tree == NULL || stria_ref_is_none (ref)
      || stria_operators_get_trace (self->tree) != stria_session_get_trace (self->session)
      || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  node = stria_operators_node_of (self->tree, ref);
  if (node == G_MAXUINT32)
    return;
  self->filling = TRUE;
  stria_operators_table_select (STRIA_OPERATORS_TABLE (self->table), node);
  stria_icicle_select (STRIA_ICICLE (self->icicle), node);
  self->filling = FALSE;
}

/* Whoever searches now takes the highlight over. */
static void
on_match_changed (StriaOperatorsView *self)
{
  if (self->highlighted != NULL
      && stria_session_get_match (self->session) != self->highlighted
      && stria_session_get_match (self->session) != NULL)
    {
      g_clear_pointer (&self->highlighted, stria_match_unref);
      gtk_widget_set_visible (self->clear_button, FALSE);
    }
}

void
stria_operators_view_clear (StriaOperatorsView *self)
{
  stria_operators_table_select (STRIA_OPERATORS_TABLE (self->table), G_MAXUINT32);
  stria_icicle_select (STRIA_ICICLE (self->icicle), G_MAXUINT32);
  highlight (self, G_MAXUINT32, FALSE);
}

/* -- the widget ------------------------------------------------------------------------------ */

static void
stria_operators_view_map (GtkWidget *widget)
{
  StriaOperatorsView *self = STRIA_OPERATORS_VIEW (widget);

  GTK_WIDGET_CLASS (stria_operators_view_parent_class)->map (widget);
  if (self->is_stale)
    on_trace_changed (self);
  else
    follow_selection (self);
}

static gboolean
stria_operators_view_grab_focus (GtkWidget *widget)
{
  return gtk_widget_child_focus (STRIA_OPERATORS_VIEW (widget)->table, GTK_DIR_TAB_FORWARD);
}

static void
stria_operators_view_dispose (GObject *object)
{
  StriaOperatorsView *self = STRIA_OPERATORS_VIEW (object);

  self->filling = TRUE;
  g_clear_handle_id (&self->delay, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_cancellable_cancel (self->highlighting);
  g_clear_object (&self->highlighting);
  g_clear_pointer (&self->highlighted, stria_match_unref);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->tree, stria_operators_unref);
  g_clear_pointer (&self->kinds, g_array_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (stria_operators_view_parent_class)->dispose (object);
}

static void
stria_operators_view_class_init (StriaOperatorsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_operators_view_dispose;
  widget_class->map = stria_operators_view_map;
  widget_class->focus = stria_focus_children;
  widget_class->grab_focus = stria_operators_view_grab_focus;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
stria_operators_view_init (StriaOperatorsView *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->filling = TRUE;
  self->is_stale = TRUE;
  self->kinds = g_array_new (FALSE, FALSE, sizeof (StriaOperatorsKind));
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->table = stria_operators_table_new ();
  self->icicle = stria_icicle_new ();
  self->paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  self->stack = GTK_STACK (gtk_stack_new ());
  self->status = adw_status_page_new ();
  adw_status_page_set_icon_name (ADW_STATUS_PAGE (self->status), "view-list-bullet-symbolic");
  gtk_box_append (GTK_BOX (self->box), stria_operators_view_bar_new (self));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->icicle);
  gtk_widget_set_size_request (scrolled, -1, 72);
  gtk_widget_set_size_request (self->table, -1, 120);
  gtk_paned_set_start_child (GTK_PANED (self->paned), scrolled);
  gtk_paned_set_end_child (GTK_PANED (self->paned), self->table);
  gtk_paned_set_resize_start_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_position (GTK_PANED (self->paned), ICICLE_HEIGHT);
  gtk_stack_add_named (self->stack, self->paned, "tree");
  gtk_stack_add_named (self->stack, self->status, "status");
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->stack));
  gtk_box_append (GTK_BOX (self->box), stria_operators_view_foot_new (self));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  g_signal_connect_swapped (self->table, "selected", G_CALLBACK (on_table_selected), self);
  g_signal_connect_swapped (self->table, "activated", G_CALLBACK (on_activated), self);
  g_signal_connect_swapped (self->icicle, "selected", G_CALLBACK (on_icicle_selected), self);
  g_signal_connect_swapped (self->icicle, "activated", G_CALLBACK (on_activated), self);
  self->filling = FALSE;
}

GtkWidget *
stria_operators_view_new (StriaSession *session)
{
  StriaOperatorsView *self = g_object_new (STRIA_TYPE_OPERATORS_VIEW, NULL);

  self->session = g_object_ref (session);
  stria_retell_connect (self, G_CALLBACK (stria_operators_view_filter));
  g_signal_connect_object (session, "trace-changed", G_CALLBACK (on_trace_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "view-changed", G_CALLBACK (on_view_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "range-changed", G_CALLBACK (on_range_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "match-changed", G_CALLBACK (on_match_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "selection-changed", G_CALLBACK (follow_selection), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
