/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-source-view-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-paint-size.h"
#include "stria-source-find.h"
#include "stria-source-lines.h"
#include "stria-source-list.h"

/* A drag over the timeline passes over ranges that nobody waits for. */
#define RANGE_DELAY_MS 250
#define LIST_WIDTH     ((int) stria_text_px (320))
/* Below, text and list do not fit beside each other. */
#define NARROW_WIDTH ((int) stria_text_px (640))

G_DEFINE_FINAL_TYPE (StriaSourceView, stria_source_view, GTK_TYPE_WIDGET)

gboolean
stria_source_view_has_data (StriaCapture *capture)
{
  return stria_source_index_may_have (capture);
}

/* -- heat ------------------------------------------------------------------------------------- */

static void
show_heat (StriaSourceView *self)
{
  const char *path = stria_source_page_get_path (STRIA_SOURCE_PAGE (self->page));

  self->file = self->index != NULL && path != NULL
                   ? stria_source_index_find_file (self->index, path)
                   : G_MAXUINT32;
  stria_source_gutter_set_heat (self->gutter, self->file != G_MAXUINT32 ? self->heat : NULL,
                                self->file);
  stria_source_view_say_line (self);
}

typedef struct
{
  StriaSourceIndex *index;
  StriaSourceMetric metric;
  gint64            t0, t1;
} HeatJob;

static void
heat_job_free (gpointer data)
{
  stria_source_index_unref (((HeatJob *) data)->index);
  g_free (data);
}

static void
measure_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  HeatJob *job = data;
  GError *error = NULL;
  StriaSourceHeat *heat = stria_source_heat_new (job->index, job->metric, job->t0, job->t1,
                                                 cancellable, &error);

  if (heat == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, heat, (GDestroyNotify) stria_source_heat_unref);
}

static void
on_measured (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaSourceView) self = user_data;
  g_autoptr (GError) error = NULL;
  StriaSourceHeat *heat = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->session == NULL || g_task_get_cancellable (G_TASK (result)) != self->measuring)
    {
      g_clear_pointer (&heat, stria_source_heat_unref);
      return;
    }
  g_clear_object (&self->measuring);
  gtk_spinner_set_spinning (self->spinner, FALSE);
  g_clear_pointer (&self->heat, stria_source_heat_unref);
  self->heat = heat;
  stria_source_list_set_heat (STRIA_SOURCE_LIST (self->list), self->index, heat);
  show_heat (self);
  if (heat == NULL)
    gtk_label_set_label (self->status, error->message);
}

static gboolean
get_range (StriaSourceView *self, gint64 *t0, gint64 *t1)
{
  StriaTrace *trace = stria_source_index_get_trace (self->index);

  switch (gtk_drop_down_get_selected (self->scope_chooser))
    {
    case STRIA_SOURCE_VISIBLE:
      stria_session_get_view (self->session, t0, t1);
      return TRUE;
    case STRIA_SOURCE_SELECTED:
      return stria_session_get_range (self->session, t0, t1);
    case STRIA_SOURCE_WHOLE:
    default:
      *t0 = *t1 = 0;
      return trace == NULL || stria_trace_get_range (trace, t0, t1);
    }
}

void
stria_source_view_measure (StriaSourceView *self)
{
  g_autoptr (GTask) task = NULL;
  StriaSourceMetric metric;
  gint64 t0, t1;
  HeatJob *job;

  g_clear_handle_id (&self->delay, g_source_remove);
  g_cancellable_cancel (self->measuring);
  g_clear_object (&self->measuring);
  gtk_spinner_set_spinning (self->spinner, FALSE);
  if (self->index == NULL || !stria_source_view_get_metric (self, &metric)
      || (metric != STRIA_SOURCE_BYTES && !get_range (self, &t0, &t1)))
    {
      g_clear_pointer (&self->heat, stria_source_heat_unref);
      stria_source_list_set_heat (STRIA_SOURCE_LIST (self->list), self->index, NULL);
      show_heat (self);
      return;
    }
  self->measuring = g_cancellable_new ();
  job = g_new0 (HeatJob, 1);
  job->index = stria_source_index_ref (self->index);
  job->metric = metric;
  if (metric != STRIA_SOURCE_BYTES)
    {
      job->t0 = t0;
      job->t1 = t1;
    }
  task = g_task_new (NULL, self->measuring, on_measured, g_object_ref (self));
  g_task_set_source_tag (task, stria_source_view_measure);
  g_task_set_task_data (task, job, heat_job_free);
  gtk_spinner_set_spinning (self->spinner, TRUE);
  g_task_run_in_thread (task, measure_in_thread);
}

static gboolean
on_delay (gpointer user_data)
{
  StriaSourceView *self = user_data;

  self->delay = 0;
  stria_source_view_measure (self);
  return G_SOURCE_REMOVE;
}

static void
on_range_moved (StriaSourceView *self, StriaSourceScope scope)
{
  if (gtk_drop_down_get_selected (self->scope_chooser) != scope)
    return;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      self->is_stale = TRUE;
      return;
    }
  g_clear_handle_id (&self->delay, g_source_remove);
  self->delay = g_timeout_add (RANGE_DELAY_MS, on_delay, self);
}

static void
on_view_changed (StriaSourceView *self)
{
  on_range_moved (self, STRIA_SOURCE_VISIBLE);
}

static void
on_range_changed (StriaSourceView *self)
{
  on_range_moved (self, STRIA_SOURCE_SELECTED);
}

/* -- the index -------------------------------------------------------------------------------- */

static void
index_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  StriaSourceIndex *index = stria_source_index_new (data, cancellable, &error);

  if (index == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, index, (GDestroyNotify) stria_source_index_unref);
}

static void
on_indexed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaSourceView) self = user_data;
  g_autoptr (GError) error = NULL;
  StriaSourceIndex *index = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->session == NULL || g_task_get_cancellable (G_TASK (result)) != self->indexing)
    {
      g_clear_pointer (&index, stria_source_index_unref);
      return;
    }
  g_clear_object (&self->indexing);
  gtk_spinner_set_spinning (self->spinner, FALSE);
  if (index == NULL)
    {
      gtk_label_set_label (self->status, error->message);
      return;
    }
  g_clear_pointer (&self->index, stria_source_index_unref);
  g_clear_pointer (&self->heat, stria_source_heat_unref);
  self->index = index;
  stria_source_view_fill_metrics (self);
  stria_source_view_measure (self);
  stria_source_view_find_doubts (self);
  stria_source_view_follow (self);
}

static void
update (StriaSourceView *self)
{
  g_autoptr (GTask) task = NULL;

  self->is_stale = !gtk_widget_get_mapped (GTK_WIDGET (self));
  if (self->is_stale)
    return;
  g_cancellable_cancel (self->indexing);
  g_clear_object (&self->indexing);
  self->indexing = g_cancellable_new ();
  task = g_task_new (NULL, self->indexing, on_indexed, g_object_ref (self));
  g_task_set_source_tag (task, update);
  g_task_set_task_data (task, g_object_ref (stria_session_get_capture (self->session)),
                        g_object_unref);
  gtk_spinner_set_spinning (self->spinner, TRUE);
  g_task_run_in_thread (task, index_in_thread);
}

/* -- the selected event ----------------------------------------------------------------------- */

typedef struct
{
  StriaSourceIndex *index;
  StriaRef          ref;
  char             *event;
  char             *why;
} FollowJob;

static void
follow_job_free (gpointer data)
{
  FollowJob *job = data;

  stria_source_index_unref (job->index);
  g_free (job->event);
  g_free (job->why);
  g_free (job);
}

static void
follow_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  FollowJob *job = data;
  StriaTrace *trace = stria_source_index_get_trace (job->index);
  g_autoptr (GArray) places = stria_source_index_stack (job->index, job->ref);
  const StriaColumns *c
      = stria_lane_get_columns (stria_trace_get_lane (trace, job->ref.lane));

  if (c != NULL && job->ref.index < c->n)
    job->event = g_strdup (stria_trace_get_string (trace, c->name[job->ref.index]));
  if (places->len == 0)
    job->why = stria_source_index_why_none (job->index, job->ref);
  g_task_return_pointer (task, g_steal_pointer (&places), (GDestroyNotify) g_array_unref);
}

static void
on_frame (StriaSourceView *self, guint number)
{
  const StriaSourcePlace place = stria_source_index_get_place (self->index, number);

  stria_source_page_show (STRIA_SOURCE_PAGE (self->page),
                          stria_source_index_get_file (self->index, place.file), place.line, TRUE);
}

static void
on_followed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaSourceView) self = user_data;
  FollowJob *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GArray) places = g_task_propagate_pointer (G_TASK (result), NULL);

  if (places == NULL || self->session == NULL || self->index != job->index
      || g_task_get_cancellable (G_TASK (result)) != self->following)
    return;
  g_clear_object (&self->following);
  if (places->len == 0)
    {
      stria_source_frames_set_none (STRIA_SOURCE_FRAMES (self->frames),
                                    job->event != NULL ? job->event : "", job->why);
      return;
    }
  stria_source_frames_set_stack (STRIA_SOURCE_FRAMES (self->frames), job->index,
                                 job->event != NULL ? job->event : "", places);
  on_frame (self, g_array_index (places, guint32, 0));
}

void
stria_source_view_follow (StriaSourceView *self)
{
  const StriaRef ref = stria_session_get_selection (self->session);
  g_autoptr (GTask) task = NULL;
  FollowJob *job;

  g_cancellable_cancel (self->following);
  g_clear_object (&self->following);
  if (self->index == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self))
      || !gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->follow_toggle)))
    return;
  if (stria_ref_is_none (ref)
      || stria_source_index_get_trace (self->index) != stria_session_get_trace (self->session))
    {
      stria_source_frames_clear (STRIA_SOURCE_FRAMES (self->frames));
      return;
    }
  self->following = g_cancellable_new ();
  job = g_new0 (FollowJob, 1);
  job->index = stria_source_index_ref (self->index);
  job->ref = ref;
  task = g_task_new (NULL, self->following, on_followed, g_object_ref (self));
  g_task_set_source_tag (task, stria_source_view_follow);
  g_task_set_task_data (task, job, follow_job_free);
  g_task_run_in_thread (task, follow_in_thread);
}

/* -- the list and the page -------------------------------------------------------------------- */

/* The line of a file that has the most, 0 if none has any */
static guint
hottest (StriaSourceView *self, const char *path)
{
  const guint32 *places;
  guint n, line = 0;
  double most = 0;

  if (self->heat == NULL)
    return 0;
  places = stria_source_index_places (self->index,
                                      stria_source_index_find_file (self->index, path), 0,
                                      G_MAXUINT32 - 1, &n);
  for (guint i = 0; i < n; i++)
    if (stria_source_heat_of_place (self->heat, places[i]) > most)
      {
        most = stria_source_heat_of_place (self->heat, places[i]);
        line = stria_source_index_get_place (self->index, places[i]).line;
      }
  return line;
}

static void
on_chosen (StriaSourceView *self, const char *path, guint line)
{
  g_autofree char *copy = g_strdup (path);

  stria_source_page_show (STRIA_SOURCE_PAGE (self->page), copy,
                          line > 0 ? line : hottest (self, copy), line == 0);
  if (line > 0)
    stria_source_view_choose (self, copy, line, line);
}

static void
on_shown (StriaSourceView *self)
{
  show_heat (self);
  stria_source_view_find_doubts (self);
}

void
stria_source_view_show (StriaSourceView *self, const char *path, guint line)
{
  g_autofree char *copy = NULL;

  g_return_if_fail (STRIA_IS_SOURCE_VIEW (self));
  g_return_if_fail (path != NULL);

  copy = g_strdup (path);
  /* What leads here was asked for: a selection that came before it is not. */
  g_cancellable_cancel (self->following);
  g_clear_object (&self->following);
  stria_source_list_set_place (STRIA_SOURCE_LIST (self->list), copy, line);
  stria_source_page_show (STRIA_SOURCE_PAGE (self->page), copy, line, FALSE);
}

gboolean
stria_source_view_find (StriaSourceView *self)
{
  g_return_val_if_fail (STRIA_IS_SOURCE_VIEW (self), FALSE);

  if (!stria_source_page_has_text (STRIA_SOURCE_PAGE (self->page)))
    return FALSE;
  stria_source_find_open (STRIA_SOURCE_FIND (self->find), FALSE);
  return TRUE;
}

gboolean
stria_source_view_step (StriaSourceView *self, gboolean forward)
{
  g_return_val_if_fail (STRIA_IS_SOURCE_VIEW (self), FALSE);

  return stria_source_find_step (STRIA_SOURCE_FIND (self->find), forward);
}

/* -- the widget ------------------------------------------------------------------------------- */

static void
stria_source_view_measure_size (GtkWidget *widget, GtkOrientation orientation, int for_size,
                                int *minimum, int *natural, int *minimum_baseline,
                                int *natural_baseline)
{
  gtk_widget_measure (STRIA_SOURCE_VIEW (widget)->box, orientation, for_size, minimum, natural,
                      NULL, NULL);
}

static void
follow_width (gpointer user_data)
{
  g_autoptr (StriaSourceView) self = user_data;

  if (self->session != NULL)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->list_toggle), !self->is_narrow);
}

static void
stria_source_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  StriaSourceView *self = STRIA_SOURCE_VIEW (widget);
  const gboolean is_narrow = width < NARROW_WIDTH;

  gtk_widget_allocate (self->box, width, height, baseline, NULL);
  if (width > 0 && is_narrow != self->is_narrow)
    {
      self->is_narrow = is_narrow;
      g_idle_add_once (follow_width, g_object_ref (self));
    }
}

static void
stria_source_view_map (GtkWidget *widget)
{
  StriaSourceView *self = STRIA_SOURCE_VIEW (widget);

  GTK_WIDGET_CLASS (stria_source_view_parent_class)->map (widget);
  if (self->is_stale)
    update (self);
  else if (self->following == NULL)
    stria_source_view_follow (self);
}

static void
stria_source_view_dispose (GObject *object)
{
  StriaSourceView *self = STRIA_SOURCE_VIEW (object);

  self->filling = TRUE;
  g_clear_handle_id (&self->delay, g_source_remove);
  g_clear_handle_id (&self->lines_delay, g_source_remove);
  g_cancellable_cancel (self->indexing);
  g_clear_object (&self->indexing);
  g_cancellable_cancel (self->measuring);
  g_clear_object (&self->measuring);
  g_cancellable_cancel (self->following);
  g_clear_object (&self->following);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->gutter);
  g_clear_pointer (&self->heat, stria_source_heat_unref);
  g_clear_pointer (&self->index, stria_source_index_unref);
  g_clear_pointer (&self->metrics, g_array_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (stria_source_view_parent_class)->dispose (object);
}

static void
stria_source_view_class_init (StriaSourceViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_source_view_dispose;
  widget_class->map = stria_source_view_map;
  widget_class->measure = stria_source_view_measure_size;
  widget_class->size_allocate = stria_source_view_size_allocate;
}

static void
stria_source_view_init (StriaSourceView *self)
{
  self->is_stale = TRUE;
  self->file = G_MAXUINT32;
  self->metrics = g_array_new (FALSE, FALSE, sizeof (StriaSourceMetric));
}

static GtkWidget *
right_new (StriaSourceView *self)
{
  GtkWidget *right = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkSourceView *text;

  self->page = stria_source_page_new (stria_session_get_capture (self->session));
  text = stria_source_page_get_text (STRIA_SOURCE_PAGE (self->page));
  self->gutter = g_object_ref_sink (stria_source_gutter_new ());
  gtk_source_gutter_insert (gtk_source_view_get_gutter (text, GTK_TEXT_WINDOW_LEFT),
                            GTK_SOURCE_GUTTER_RENDERER (self->gutter), 100);
  self->find = stria_source_find_new (text);
  self->frames = stria_source_frames_new ();
  gtk_widget_set_vexpand (self->page, TRUE);
  gtk_box_append (GTK_BOX (right), self->page);
  gtk_box_append (GTK_BOX (right), self->find);
  gtk_box_append (GTK_BOX (right), self->frames);
  g_signal_connect_object (self->page, "shown", G_CALLBACK (on_shown), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->frames, "frame", G_CALLBACK (on_frame), self, G_CONNECT_SWAPPED);
  return right;
}

GtkWidget *
stria_source_view_new (StriaSession *session)
{
  StriaSourceView *self = g_object_new (STRIA_TYPE_SOURCE_VIEW, NULL);
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);

  self->session = g_object_ref (session);
  self->list = stria_source_list_new ();
  gtk_widget_add_css_class (self->list, "side-panel");
  gtk_widget_set_size_request (self->list, 180, -1);
  g_signal_connect_object (self->list, "chosen", G_CALLBACK (on_chosen), self, G_CONNECT_SWAPPED);
  gtk_paned_set_start_child (GTK_PANED (paned), self->list);
  gtk_paned_set_end_child (GTK_PANED (paned), right_new (self));
  gtk_paned_set_position (GTK_PANED (paned), LIST_WIDTH);
  gtk_paned_set_resize_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  gtk_widget_set_vexpand (paned, TRUE);
  self->lines = stria_source_lines_new (session);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), stria_source_view_bar_new (self));
  gtk_box_append (GTK_BOX (self->box), paned);
  gtk_box_append (GTK_BOX (self->box), self->lines);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  stria_source_view_add_keys (self);
  stria_source_view_watch_caret (self);
  g_signal_connect_object (session, "trace-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "view-changed", G_CALLBACK (on_view_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "range-changed", G_CALLBACK (on_range_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "selection-changed", G_CALLBACK (stria_source_view_follow),
                           self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
