/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-render.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "cli-compare.h"
#include "cli-counters-picture.h"
#include "cli-graph-picture.h"
#include "cli-json.h"
#include "cli-picture.h"
#include "cli-profiles.h"
#include "stria-error.h"

/* Graphs of one SVG, one below the other */
#define STACK_GAP 48

static gboolean
parse_direction (const char *text, StriaGraphDirection *direction, GError **error)
{
  *direction = STRIA_GRAPH_LEFT_TO_RIGHT;
  if (text == NULL || g_str_equal (text, "lr"))
    return TRUE;
  *direction = STRIA_GRAPH_TOP_TO_BOTTOM;
  if (g_str_equal (text, "tb"))
    return TRUE;
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY, _ ("--direction takes lr or tb, not “%s”"),
               text);
  return FALSE;
}

static StriaScene *
lay_out (StriaGraph *graph, const CliRenderOptions *options, GCancellable *cancellable,
         GError **error)
{
  StriaGraphDirection direction;
  guint level;

  if (!parse_direction (options->direction, &direction, error))
    return NULL;
  if (options->level == NULL)
    level = cli_graph_level (graph, CLI_GRAPH_MOST_BOXES);
  else if (!cli_parse_level (options->level, &level, error))
    return NULL;
  return cli_graph_lay_out (graph, direction, level, cancellable, error);
}

static const StriaModelGraph *
find_graph (CliModel *model, const char *view, GError **error)
{
  g_autoptr (GString) there = g_string_new (NULL);
  const StriaModelGraph *named = NULL;
  const guint first = stria_model_index_first (model->index);
  GPtrArray *graphs = model->index->graphs;

  if (view == NULL && first < graphs->len)
    return graphs->pdata[first];
  for (guint i = 0; i < graphs->len; i++)
    {
      const StriaModelGraph *graph = graphs->pdata[i];
      const char *name = stria_graph_kind_name (graph->kind);

      if (graph->graph != NULL && view != NULL && g_str_equal (name, view))
        return graph;
      if (view != NULL && g_str_equal (name, view))
        named = graph;
      if (graph->graph != NULL)
        g_string_append_printf (there, there->len > 0 ? ", %s" : "%s", name);
    }
  if (there->len == 0)
    g_string_append (there, _ ("none"));
  if (named != NULL && named->reason != NULL)
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                 _ ("There is no view “%s” of this capture. %s There are: %s"), view,
                 named->reason, there->str);
  else
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                 _ ("There is no view “%s” of this capture; there are: %s"),
                 view != NULL ? view : "graph", there->str);
  return NULL;
}

static void
tell (CliContext *context, const CliRenderOptions *options, const char *part, guint nodes,
      double width, double height)
{
  CliJson json;

  if (!context->json)
    return;
  cli_json_init (&json, stdout, 2);
  cli_json_begin_object (&json, NULL);
  cli_json_begin_array (&json, "pictures");
  cli_json_begin_object (&json, NULL);
  cli_json_string (&json, "view", "graph");
  cli_json_string (&json, "path", options->output);
  cli_json_int (&json, "width", (gint64) ceil (width * options->scale));
  cli_json_int (&json, "height", (gint64) ceil (height * options->scale));
  cli_json_string (&json, "part", part);
  cli_json_uint (&json, "nodes", nodes);
  cli_json_end_object (&json);
  cli_json_end_array (&json);
  cli_json_end_object (&json);
  cli_json_finish (&json);
}

static gboolean
draw (CliModel *model, const StriaModelGraph *graph, StriaComparison *comparison,
      const CliRenderOptions *options, const char *path, double *width, double *height,
      GCancellable *cancellable, GError **error)
{
  g_auto (CliGraphPicture) picture = { 0 };
  StriaScene *scene = lay_out (graph->graph, options, cancellable, error);

  if (scene == NULL)
    return FALSE;
  cli_graph_picture_init (&picture, model, graph, comparison, TRUE, scene, options->dark);
  cli_graph_picture_size (&picture, width, height);
  return cli_paint_file (path, *width, *height, options->scale, cli_graph_picture_paint, &picture,
                         error);
}

static gboolean
draw_counters (CliModel *model, const CliRenderOptions *options, const char *path, double *width,
               double *height, GError **error)
{
  g_auto (CliCountersPicture) picture = { 0 };

  if (!cli_counters_picture_init (&picture, model, options->dark))
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND, _ ("There are no counters. %s"),
                   stria_model_bars_absence ());
      return FALSE;
    }
  cli_counters_picture_size (&picture, width, height);
  return cli_paint_file (path, *width, *height, options->scale, cli_counters_picture_paint,
                         &picture, error);
}

static CliExit
fail (CliContext *context, const GError *error)
{
  return cli_fail (
      context, g_error_matches (error, STRIA_ERROR, STRIA_ERROR_QUERY) ? CLI_USAGE : CLI_FAILED,
      error);
}

CliExit
cli_render_graph (CliContext *context, const CliRenderOptions *options)
{
  g_auto (CliCapture) open = { 0 };
  g_auto (CliModel) model = { 0 };
  g_auto (CliOther) other = { 0 };
  g_autoptr (GError) error = NULL;
  const StriaModelGraph *graph;
  CliModel *shown = &model;
  double width, height;
  CliExit exit;

  if (!cli_parse_size (options->size, &width, &height))
    return cli_usage (context, _ ("“%s” is no size; expected one as 1600x900, from 16 to %d"),
                      options->size, CLI_PICTURE_MAX_SIDE);
  if (options->size == NULL)
    width = height = 0;
  exit = cli_open (context, (const char *const *) context->rest + 1, CLI_OPEN_DEFAULT, &open);
  if (!cli_is_open (exit))
    return exit;
  if (!cli_model_open (open.capture, &options->model, &model, &error))
    return fail (context, error);
  if (options->compare != NULL)
    {
      CliExit of_other
          = cli_other_open (context, options->compare, &options->model, model.profile, &other);

      if (!cli_is_open (of_other))
        return of_other;
      if (of_other != CLI_OK)
        exit = of_other;
      other.model.metric = model.metric;
      shown = &other.model;
    }
  if (g_strcmp0 (options->part, "counters") == 0)
    {
      if (!draw_counters (shown, options, options->output, &width, &height, &error))
        return fail (context, error);
      tell (context, options, options->part, 0, width, height);
      return exit;
    }
  graph = find_graph (shown, options->part, &error);
  if (graph == NULL
      || !draw (shown, graph, other.comparison, options, options->output, &width, &height,
                context->cancellable, &error))
    return fail (context, error);
  tell (context, options, stria_graph_kind_name (graph->kind), stria_graph_n_nodes (graph->graph),
        width, height);
  return exit;
}

gboolean
cli_has_graphs (StriaCapture *capture)
{
  g_autoptr (GPtrArray) sets = stria_profile_sets (capture);

  return sets->len > 0;
}

/* "graph-chains.png"; more words where one alone would not tell. */
static char *
picture_name (const CliRenderOptions *options, const char *what, const char *set,
              const char *method, const char *kind, GHashTable *seen)
{
  g_autoptr (GString) name = g_string_new (what);
  const gsize stem = name->len;

  if (set != NULL)
    g_string_append_printf (name, "-%s", set);
  if (method != NULL)
    g_string_append_printf (name, "-%s", method);
  if (kind != NULL)
    g_string_append_printf (name, "-%s", kind);
  for (gsize i = stem; i < name->len; i++)
    if (!g_ascii_isalnum (name->str[i]) && strchr ("-_.", name->str[i]) == NULL)
      name->str[i] = '_';
  if (name->len > 200)
    g_string_truncate (name, 200);
  for (guint n = 2; g_hash_table_contains (seen, name->str); n++)
    {
      if (n > 2)
        *strrchr (name->str, '-') = '\0';
      name->len = strlen (name->str);
      g_string_append_printf (name, "-%u", n);
    }
  g_hash_table_add (seen, g_strdup (name->str));
  g_string_append (name, ".png");
  return g_build_filename (options->output, name->str, NULL);
}

static gboolean
draw_model (StriaCapture *capture, const CliRenderOptions *options, const CliModelOptions *which,
            gboolean name_set, gboolean name_method, GHashTable *seen, GCancellable *cancellable,
            GError **error)
{
  const char *set = name_set ? which->set : NULL;
  const char *method = name_method ? which->method : NULL;
  g_auto (CliModel) model = { 0 };
  g_autofree char *counters = NULL;
  g_autoptr (GError) none = NULL;
  double width = 0, height = 0;

  if (!cli_model_open (capture, which, &model, error))
    return FALSE;
  for (guint i = 0; i < model.index->graphs->len; i++)
    {
      const StriaModelGraph *graph = model.index->graphs->pdata[i];
      g_autofree char *path = NULL;

      if (graph->graph == NULL || stria_graph_n_nodes (graph->graph) == 0)
        continue;
      width = height = 0;
      path = picture_name (options, "graph", set, method, stria_graph_kind_name (graph->kind),
                           seen);
      if (!draw (&model, graph, NULL, options, path, &width, &height, cancellable, error))
        return FALSE;
    }
  width = height = 0;
  counters = picture_name (options, "counters", set, method, NULL, seen);
  if (draw_counters (&model, options, counters, &width, &height, &none))
    return TRUE;
  if (g_error_matches (none, STRIA_ERROR, STRIA_ERROR_NOT_FOUND))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&none));
  return FALSE;
}

gboolean
cli_render_graphs (StriaCapture *capture, const CliRenderOptions *options,
                   GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) sets = stria_profile_sets (capture);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < sets->len; i++)
    {
      const StriaProfileSet *set = sets->pdata[i];
      g_auto (GStrv) methods = stria_profile_methods (capture, set);
      const guint n = MAX (g_strv_length (methods), 1);
      CliModelOptions which = options->model;

      which.set = set->name;
      for (guint m = 0; m < n; m++)
        {
          which.method = methods[m];
          if (!draw_model (capture, options, &which, sets->len > 1, n > 1, seen, cancellable,
                           error))
            return FALSE;
        }
    }
  return TRUE;
}

static void
paint_stack (cairo_t *cr, double width, double height, gpointer user_data)
{
  GPtrArray *scenes = user_data;
  double y = STACK_GAP / 2;

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  for (guint i = 0; i < scenes->len; i++)
    {
      StriaScene *scene = scenes->pdata[i];
      StriaGraphView view;

      stria_graph_view_init (&view, scene);
      view.x = view.y = -STACK_GAP / 4;
      cairo_save (cr);
      cairo_translate (cr, STACK_GAP / 4, y);
      stria_graph_paint (cr, &view, (double) scene->width + STACK_GAP / 2,
                         (double) scene->height + STACK_GAP / 2);
      cairo_restore (cr);
      y += (double) scene->height + STACK_GAP;
    }
}

gboolean
cli_svg_graphs (GPtrArray *graphs, FILE *file, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) scenes
      = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_scene_unref);
  double width = 0, height = 0;

  for (guint i = 0; i < graphs->len; i++)
    {
      g_autoptr (StriaFold) fold = stria_fold_new (graphs->pdata[i]);
      StriaScene *scene;

      stria_fold_set_level (fold, G_MAXUINT);
      scene = stria_scene_new (fold, NULL, stria_graph_measure, NULL, cancellable, error);
      if (scene == NULL)
        return FALSE;
      g_ptr_array_add (scenes, scene);
      width = MAX (width, (double) scene->width + STACK_GAP);
      height += (double) scene->height + STACK_GAP;
    }
  return cli_paint_svg (file, _ ("standard output"), MAX (width, 16), MAX (height, 16),
                        paint_stack, scenes, error);
}
