/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-capture-memory.h"

#include "stria-annotations.h"
#include "stria-capture-page-access.h"
#include "stria-state-writer.h"
#include "stria-timeline-page.h"
#include "stria-timeline.h"

#define WRITE_AFTER_MS 2000

struct _StriaCaptureMemory
{
  StriaCapturePage *page; /* not owned */
  StriaTimeline    *timeline; /* not owned */
  StriaSession     *session;
  GCancellable     *cancellable;
  char             *path;     /* of the file, NULL if nothing is kept */
  char             *written;  /* what the file has */
  StriaViewState   *found;    /* that is still to be used */
  gboolean          loaded;
  gboolean          restored; /* from now on it is kept */
  gboolean          has_target;
  guint             source;
};

/* -- the worker ------------------------------------------------------------------------------ */

static void
sweep (void)
{
  static const char *const of_settings[] = { "windows", "timelines" };
  g_autofree char *own = g_build_filename (g_get_user_state_dir (), "stria", "captures", NULL);

  stria_view_state_sweep (own, STRIA_VIEW_STATE_MAX_FILES, STRIA_VIEW_STATE_MAX_DAYS);
  for (guint i = 0; i < G_N_ELEMENTS (of_settings); i++)
    {
      g_autofree char *folder
          = g_build_filename (g_get_user_config_dir (), "stria", of_settings[i], NULL);

      stria_view_state_sweep (folder, STRIA_VIEW_STATE_MAX_FILES, STRIA_VIEW_STATE_MAX_DAYS);
    }
}

static void
run_load (gpointer data, gpointer user_data)
{
  static gboolean swept;
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  StriaViewState *state = stria_view_state_load (g_task_get_task_data (task), &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, state, (GDestroyNotify) stria_view_state_free);
  if (!swept)
    sweep ();
  swept = TRUE;
}

/* -- keeping --------------------------------------------------------------------------------- */

StriaViewState *
stria_capture_memory_get (StriaCaptureMemory *self)
{
  return stria_view_state_new (
      self->session,
      stria_timeline_layout_get_filter (stria_timeline_get_layout (self->timeline)));
}

static gboolean
write_now (gpointer data)
{
  StriaCaptureMemory *self = data;
  g_autoptr (StriaViewState) state = stria_capture_memory_get (self);
  g_autofree char *text = stria_view_state_to_text (state);

  self->source = 0;
  if (self->path == NULL || g_strcmp0 (text, self->written) == 0)
    return G_SOURCE_REMOVE;
  g_free (self->written);
  self->written = g_strdup (text);
  stria_state_write (self->path, g_steal_pointer (&text));
  return G_SOURCE_REMOVE;
}

static void
on_changed (StriaCaptureMemory *self)
{
  if (self->restored && self->source == 0)
    self->source = g_timeout_add (WRITE_AFTER_MS, write_now, self);
}

/* -- finding again --------------------------------------------------------------------------- */

static void
restore (StriaCaptureMemory *self)
{
  g_autoptr (StriaViewState) state = NULL;
  StriaTrace *trace = stria_session_get_trace (self->session);

  if (self->restored || !self->loaded || stria_capture_page_is_importing (self->page)
      || trace == NULL)
    return;
  self->restored = TRUE;
  state = g_steal_pointer (&self->found);
  if (state == NULL)
    return;
  if (state->filter != NULL)
    stria_timeline_set_filter (self->timeline, state->filter);
  /* Who has moved meanwhile wants to be there. */
  if (!self->has_target)
    stria_view_state_apply (state, self->session, stria_session_follows_trace (self->session));
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  StriaViewState *state = g_task_propagate_pointer (G_TASK (result), &error);
  StriaCaptureMemory *self = data;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (error != NULL)
    stria_state_tell (error->message);
  self->loaded = TRUE;
  self->found = state;
  if (state != NULL)
    self->written = stria_view_state_to_text (state);
  restore (self);
}

static void
load (StriaCaptureMemory *self)
{
  GTask *task = g_task_new (NULL, self->cancellable, on_loaded, self);

  g_task_set_source_tag (task, load);
  g_task_set_task_data (task, g_strdup (self->path), g_free);
  stria_state_run (run_load, task);
}

StriaCaptureMemory *
stria_capture_memory_new (StriaCapturePage *page, StriaViewState *state, gboolean has_target)
{
  StriaCaptureMemory *self = g_new0 (StriaCaptureMemory, 1);
  GtkWidget *timeline_page = stria_capture_page_get_view (page, "timeline");
  StriaCapture *capture = stria_capture_page_get_capture (page);
  g_autofree char *identity = stria_annotations_identity (capture);

  self->page = page;
  self->session = g_object_ref (stria_capture_page_get_session (page));
  self->timeline = STRIA_TIMELINE (
      stria_timeline_page_get_timeline (STRIA_TIMELINE_PAGE (timeline_page)));
  self->has_target = has_target;
  self->cancellable = g_cancellable_new ();
  self->found = state;
  self->path = identity != NULL ? stria_view_state_path (identity) : NULL;
  g_object_add_weak_pointer (G_OBJECT (self->timeline), (gpointer *) &self->timeline);
  g_signal_connect_swapped (self->session, "view-changed", G_CALLBACK (on_changed), self);
  g_signal_connect_swapped (self->session, "range-changed", G_CALLBACK (on_changed), self);
  g_signal_connect_swapped (self->session, "selection-changed", G_CALLBACK (on_changed), self);
  g_signal_connect_swapped (self->session, "trace-changed", G_CALLBACK (restore), self);
  g_signal_connect_swapped (self->timeline, "options-changed", G_CALLBACK (on_changed), self);
  g_signal_connect_swapped (page, "state-changed", G_CALLBACK (restore), self);
  if (state != NULL || self->path == NULL)
    self->loaded = TRUE;
  else
    load (self);
  return self;
}

void
stria_capture_memory_free (StriaCaptureMemory *self)
{
  g_cancellable_cancel (self->cancellable);
  if (self->source != 0)
    {
      g_clear_handle_id (&self->source, g_source_remove);
      if (self->timeline != NULL)
        write_now (self);
    }
  if (self->timeline != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->timeline, self);
      g_object_remove_weak_pointer (G_OBJECT (self->timeline), (gpointer *) &self->timeline);
    }
  g_signal_handlers_disconnect_by_data (self->session, self);
  g_signal_handlers_disconnect_by_data (self->page, self);
  g_clear_object (&self->session);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->found, stria_view_state_free);
  g_free (self->path);
  g_free (self->written);
  g_free (self);
}
