/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-timeline-private.h"

#include <glib/gi18n-lib.h>

/**
 * SECTION:stria-timeline-coloring
 *
 * What slices are coloured by is read on a worker, and each part of it is shown as it comes; until then
 * slices have no colour, and nothing waits.
 */

typedef struct
{
  GWeakRef       timeline;
  StriaColoring *coloring;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_weak_ref_clear (&job->timeline);
  stria_coloring_unref (job->coloring);
  g_free (job);
}

static void
show_progress (StriaTimeline *self, StriaColoring *coloring)
{
  if (self->session != NULL && self->coloring == coloring)
    stria_timeline_want_picture (self);
}

typedef struct
{
  StriaTimeline *timeline;
  StriaColoring *coloring;
} Step;

static gboolean
on_step (gpointer data)
{
  Step *step = data;

  show_progress (step->timeline, step->coloring);
  return G_SOURCE_REMOVE;
}

static void
step_free (gpointer data)
{
  Step *step = data;

  g_object_unref (step->timeline);
  stria_coloring_unref (step->coloring);
  g_free (step);
}

/* On the worker. The reference goes with the source, which is of the main thread. */
static void
on_progress (gpointer coloring, gpointer data)
{
  Job *job = data;
  Step *step = NULL;
  StriaTimeline *self = g_weak_ref_get (&job->timeline);

  if (self == NULL)
    return;
  step = g_new (Step, 1);
  step->timeline = self;
  step->coloring = stria_coloring_ref (coloring);
  g_idle_add_full (G_PRIORITY_DEFAULT, on_step, step, step_free);
}

static void
load_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;

  if (stria_coloring_load (job->coloring, on_progress, job, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (StriaTimeline) self = data;
  Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error)
      && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_warning ("What slices are coloured by could not be read: %s", error->message);
  if (self->session == NULL || self->coloring != job->coloring)
    return;
  g_clear_object (&self->coloring_cancellable);
  show_progress (self, job->coloring);
  stria_timeline_options_changed (self);
}

static void
start (StriaTimeline *self)
{
  Job *job = g_new0 (Job, 1);
  g_autoptr (GTask) task = NULL;

  g_weak_ref_init (&job->timeline, self);
  job->coloring = stria_coloring_ref (self->coloring);
  self->coloring_cancellable = g_cancellable_new ();
  task = g_task_new (NULL, self->coloring_cancellable, on_loaded, g_object_ref (self));
  g_task_set_source_tag (task, start);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, load_in_thread);
}

void
stria_timeline_recolor (StriaTimeline *self)
{
  StriaTrace *trace = stria_timeline_layout_get_trace (self->layout);

  g_cancellable_cancel (self->coloring_cancellable);
  g_clear_object (&self->coloring_cancellable);
  g_clear_pointer (&self->coloring, stria_coloring_unref);
  if (self->legend != NULL)
    g_array_set_size (self->legend, 0);
  /* What the trace has nothing of is shown by name: better than no colours at all. */
  if (trace == NULL || self->color_by == STRIA_COLOR_BY_NAME
      || !stria_coloring_applies (trace, self->color_by, NULL))
    return;
  self->coloring = stria_coloring_new (trace, self->color_by, self->color_depth);
  if (!stria_coloring_is_loaded (self->coloring))
    start (self);
}

/**
 * stria_timeline_set_color_by:
 * @depth: of %STRIA_COLOR_BY_LAYER: steps of the path that count, 0 = all
 */
void
stria_timeline_set_color_by (StriaTimeline *self, StriaColorBy by, guint depth)
{
  if (self->color_by == by && self->color_depth == depth)
    return;
  self->color_by = by;
  self->color_depth = depth;
  stria_timeline_recolor (self);
  stria_timeline_want_picture (self);
  stria_timeline_options_changed (self);
}

gboolean
stria_timeline_is_coloring (StriaTimeline *self)
{
  g_return_val_if_fail (STRIA_IS_TIMELINE (self), FALSE);

  return self->coloring_cancellable != NULL;
}

GArray *
stria_timeline_get_legend (StriaTimeline *self)
{
  g_return_val_if_fail (STRIA_IS_TIMELINE (self), NULL);

  if (self->legend == NULL)
    self->legend = g_array_new (FALSE, FALSE, sizeof (StriaLegendEntry));
  return self->legend;
}

const char *
stria_timeline_legend_text (StriaTimeline *self, guint32 key)
{
  StriaTrace *trace = stria_timeline_layout_get_trace (self->layout);

  if (self->coloring == NULL)
    return trace != NULL ? stria_trace_get_string (trace, key) : "";
  if (key != STRIA_COLOR_KEY_NONE)
    return stria_coloring_text (self->coloring, key);
  switch (self->color_by)
    {
    case STRIA_COLOR_BY_OPERATOR:
      return _ ("no operator known");
    case STRIA_COLOR_BY_LAYER:
      return _ ("no layer known");
    case STRIA_COLOR_BY_OPCODE:
      return _ ("no opcode");
    case STRIA_COLOR_BY_STALL:
      return _ ("no waiting time known");
    case STRIA_COLOR_BY_NAME:
    case STRIA_COLOR_BY_LANE:
    case STRIA_COLOR_BY_CATEGORY:
    case STRIA_COLOR_N_BY:
    default:
      return _ ("no category");
    }
}
