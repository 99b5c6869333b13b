/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-export.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "cli-counters-picture.h"
#include "cli-graph-picture.h"
#include "cli-html.h"
#include "cli-picture.h"
#include "cli-profiles.h"
#include "cli-target.h"
#include "stria-error.h"

/* Pixels of a .png to one of the window: to be printed, and read on screens with many pixels */
#define PNG_SCALE 2.0
#define MOST_FOLDERS 1000

typedef struct
{
  StriaExportWhat  what;
  StriaCapture    *capture;
  StriaModelIndex *index;
  StriaComparison *comparison; /* (nullable) */
  gboolean         second;
  StriaModelMetric metric;
  guint            graph;
  char            *path;
  gboolean         dark;
  /* Of the area */
  StriaScene      *scene;
  double           x, y, zoom;
  double           width, height;
  guint16         *node_marks;
  guint16         *group_marks;
  guint16         *item_marks;
  /* Who asked */
  GWeakRef         owner;
  StriaExportFunc  func;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->capture);
  stria_model_index_unref (job->index);
  g_clear_pointer (&job->comparison, stria_comparison_unref);
  g_clear_pointer (&job->scene, stria_scene_unref);
  g_free (job->path);
  g_free (job->node_marks);
  g_free (job->group_marks);
  g_free (job->item_marks);
  g_weak_ref_clear (&job->owner);
  g_free (job);
}

static CliModel
model_of (Job *job)
{
  return (CliModel){ .profile = job->index->profile, .index = job->index, .metric = job->metric };
}

/* What is seen, as it is seen: with what is selected, and what the search found. */
typedef struct
{
  CliGraphPicture *picture;
  Job             *job;
} Visible;

static void
paint_visible (cairo_t *cr, double width, double height, gpointer user_data)
{
  Visible *self = user_data;
  StriaGraphView view = self->picture->view;

  view.x = self->job->x;
  view.y = self->job->y;
  view.zoom = self->job->zoom;
  view.node_marks = self->job->node_marks;
  view.group_marks = self->job->group_marks;
  view.item_marks = self->job->item_marks;
  stria_graph_sheet_paint_view (cr, &self->picture->sheet, &view, width, height,
                                self->job->height);
}

static gboolean
write_graph (Job *job, GError **error)
{
  CliModel model = model_of (job);
  g_auto (CliGraphPicture) picture = { 0 };
  Visible visible = { &picture, job };
  double width = 0, height = 0, above, below, scale = PNG_SCALE;

  cli_graph_picture_init (&picture, &model, job->index->graphs->pdata[job->graph],
                          job->comparison, job->second, stria_scene_ref (job->scene), job->dark);
  if (job->what == STRIA_EXPORT_VISIBLE)
    {
      stria_graph_sheet_margins (&picture.sheet, job->width, &above, &below);
      return cli_paint_file (job->path, job->width, above + job->height + below, scale,
                             paint_visible, &visible, error);
    }
  cli_graph_picture_size (&picture, &width, &height);
  /* A large graph is readable without, and too large a picture with it. */
  if (MAX (width, height) * scale > CLI_PICTURE_MAX_SIDE || width * height > 20e6)
    scale = 1;
  return cli_paint_file (job->path, width, height, scale, cli_graph_picture_paint, &picture,
                         error);
}

static gboolean
write_counters (Job *job, GError **error)
{
  CliModel model = model_of (job);
  g_auto (CliCountersPicture) picture = { 0 };
  double width = 0, height = 0;

  if (!cli_counters_picture_init (&picture, &model, job->dark))
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND, _ ("There are no counters. %s"),
                   stria_model_bars_absence ());
      return FALSE;
    }
  cli_counters_picture_size (&picture, &width, &height);
  return cli_paint_file (job->path, width, height, PNG_SCALE, cli_counters_picture_paint,
                         &picture, error);
}

static gboolean
write_json (Job *job, const char *path, GError **error)
{
  char *no_arguments[] = { NULL };
  CliTarget target = { 0 };
  CliJson json;

  if (!cli_target_open (&target, path, error))
    return FALSE;
  cli_json_init (&json, target.file, 2);
  cli_json_profile (&json, job->index->profile, job->capture, no_arguments);
  cli_json_finish (&json);
  return cli_target_close (&target, TRUE, error);
}

/* A folder that was not there, so that nothing of somebody's is written over. */
static char *
make_folder (Job *job, GError **error)
{
  g_autofree char *title = g_strdelimit (g_strdup (stria_capture_get_title (job->capture)),
                                         G_DIR_SEPARATOR_S, '-');
  /* Translators: name of a folder, after the name of a capture */
  g_autofree char *name = g_strdup_printf (_ ("%s views"), title);

  for (guint i = 1; i < MOST_FOLDERS; i++)
    {
      g_autofree char *numbered
          = i == 1 ? g_strdup (name) : g_strdup_printf ("%s %u", name, i);
      g_autofree char *path = g_build_filename (job->path, numbered, NULL);

      if (g_mkdir (path, 0777) == 0)
        return g_steal_pointer (&path);
      if (errno != EEXIST)
        break;
    }
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, _ ("%s: the folder cannot be made: %s"),
               job->path, g_strerror (errno));
  return NULL;
}

static gboolean
write_page (Job *job, GCancellable *cancellable, GError **error)
{
  CliModelOptions options = {
    .unit = (char *) stria_time_unit_name (stria_profile_get_unit (job->index->profile)),
    .aggregation = (char *) stria_aggregation_name (job->metric.aggregation),
  };
  g_autofree char *folder = make_folder (job, error);
  g_autofree char *page = NULL;
  g_autofree char *json = NULL;
  CliTarget target = { 0 };
  gboolean done;

  if (folder == NULL)
    return FALSE;
  page = g_build_filename (folder, "index.html", NULL);
  json = g_build_filename (folder, "profile.json", NULL);
  if (!cli_target_open (&target, page, error))
    return FALSE;
  done = cli_html_write (target.file, job->capture, &options, NULL, cancellable, error);
  done = cli_target_close (&target, done, done ? error : NULL) && done;
  if (!done || !write_json (job, json, error))
    return FALSE;
  g_free (job->path);
  job->path = g_steal_pointer (&page);
  return TRUE;
}

static void
run_job (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  GError *error = NULL;
  gboolean done = FALSE;

  switch (job->what)
    {
    case STRIA_EXPORT_WHOLE:
    case STRIA_EXPORT_VISIBLE:
      done = write_graph (job, &error);
      break;
    case STRIA_EXPORT_COUNTERS:
      done = write_counters (job, &error);
      break;
    case STRIA_EXPORT_PAGE:
      done = write_page (job, cancellable, &error);
      break;
    case STRIA_EXPORT_JSON:
      done = write_json (job, job->path, &error);
      break;
    default:
      break;
    }
  if (done)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GObject) owner = g_weak_ref_get (&job->owner);
  g_autoptr (GError) error = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  if (owner != NULL)
    job->func (owner, error == NULL ? job->path : NULL, error);
}

static guint16 *
copy_marks (const guint16 *marks, guint32 n)
{
  return marks != NULL ? g_memdup2 (marks, sizeof *marks * n) : NULL;
}

static void
take_view (Job *job, StriaGraphArea *area, const StriaGraphView *view)
{
  job->scene = stria_scene_ref (view->scene);
  job->x = view->x;
  job->y = view->y;
  job->zoom = view->zoom;
  job->dark = view->dark;
  job->width = MAX (gtk_widget_get_width (GTK_WIDGET (area)), 1);
  job->height = MAX (gtk_widget_get_height (GTK_WIDGET (area)), 1);
  job->node_marks = copy_marks (view->node_marks, stria_graph_n_nodes (view->scene->graph));
  job->group_marks = copy_marks (view->group_marks, stria_graph_n_groups (view->scene->graph));
  job->item_marks = copy_marks (view->item_marks, view->scene->n_items);
}

void
stria_model_export (StriaExportWhat what, StriaModelState *state, StriaGraphArea *area,
                    guint graph, const char *path, StriaExportFunc func, gpointer owner)
{
  StriaModelIndex *index = stria_model_state_get_index (state);
  const StriaGraphView *view = area != NULL ? stria_graph_area_get_view (area) : NULL;
  const gboolean of_graph = what == STRIA_EXPORT_WHOLE || what == STRIA_EXPORT_VISIBLE;
  g_autoptr (GTask) task = NULL;
  StriaComparison *comparison;
  Job *job;

  if (index == NULL || (of_graph && view == NULL))
    {
      g_autoptr (GError) error = g_error_new (STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                                              _ ("There is no graph to export"));

      func (owner, NULL, error);
      return;
    }
  job = g_new0 (Job, 1);
  job->what = what;
  job->capture = g_object_ref (stria_model_state_get_capture (state));
  job->index = stria_model_index_ref (index);
  job->metric = *stria_model_state_get_metric (state);
  job->graph = graph;
  job->path = g_strdup (path);
  job->func = func;
  g_weak_ref_init (&job->owner, owner);
  comparison = stria_model_state_get_comparison (state, &job->second);
  job->comparison = comparison != NULL ? stria_comparison_ref (comparison) : NULL;
  if (view != NULL)
    take_view (job, area, view);
  task = g_task_new (NULL, NULL, on_done, NULL);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run_job);
}
