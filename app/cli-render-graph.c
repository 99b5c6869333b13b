/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-render.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "cli-compare.h"
#include "cli-json.h"
#include "cli-picture.h"
#include "cli-profiles.h"
#include "stria-error.h"
#include "stria-graph-sheet.h"
#include "stria-model-difference.h"
#include "stria-model-text.h"

/* What is laid out to be taken in at once, unless --level says otherwise */
#define MOST_BOXES 400
/* A picture is as large as its graph within these bounds */
#define LEAST_WIDTH 960
#define MOST_SIDE   30000
#define MOST_AREA   64e6
#define MARGIN      (2 * STRIA_GRAPH_SHEET_MARGIN)
/* Graphs of one SVG, one below the other */
#define STACK_GAP 48

/* A graph that is laid out, and all that is painted with it. */
typedef struct
{
  StriaScene       *scene;
  StriaGraphFigure *nodes;
  StriaGraphFigure *groups;
  guint16          *node_marks;
  guint16          *group_marks;
  GArray           *scales; /* StriaGraphSheetScale, texts of it in @texts */
  GPtrArray        *texts;
  GPtrArray        *notes;
  char             *subtitle;
  StriaGraphSheet   sheet;
  StriaGraphView    view;
} Drawing;

static void
drawing_clear (Drawing *self)
{
  g_clear_pointer (&self->scene, stria_scene_unref);
  g_clear_pointer (&self->nodes, g_free);
  g_clear_pointer (&self->groups, g_free);
  g_clear_pointer (&self->node_marks, g_free);
  g_clear_pointer (&self->group_marks, g_free);
  g_clear_pointer (&self->scales, g_array_unref);
  g_clear_pointer (&self->texts, g_ptr_array_unref);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_clear_pointer (&self->subtitle, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Drawing, drawing_clear)

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
  g_autoptr (StriaFold) fold = stria_fold_new (graph);
  StriaGraphDirection direction;
  guint level;

  if (!parse_direction (options->direction, &direction, error))
    return NULL;
  if (options->level == NULL)
    level = cli_graph_level (graph, MOST_BOXES);
  else if (!cli_parse_level (options->level, &level, error))
    return NULL;
  stria_fold_set_direction (fold, direction);
  stria_fold_set_level (fold, level);
  return stria_scene_new (fold, NULL, stria_graph_measure, NULL, cancellable, error);
}

static const char *
keep (Drawing *self, char *text)
{
  g_ptr_array_add (self->texts, text);
  return text;
}

static void
add_scales (Drawing *self, CliModel *model, const StriaModelGraph *graph)
{
  const guint kinds = cli_model_kinds (model, graph);

  for (guint i = 0; i < STRIA_N_ENTITY_KINDS; i++)
    {
      StriaGraphSheetScale text;
      StriaModelScale scale;

      if ((kinds >> i & 1) == 0)
        continue;
      stria_model_index_scale (model->index, &model->metric, (StriaEntityKind) i, &scale);
      if (scale.name == NULL)
        continue;
      text.title = keep (self, g_strdup_printf ("%s: %s",
                                                stria_model_kinds_title ((StriaEntityKind) i),
                                                stria_model_metric_title (scale.name)));
      text.note = keep (self, cli_model_scale_note (model, &scale));
      text.minimum = keep (self, stria_model_value_text (scale.minimum, scale.unit, FALSE));
      text.maximum = keep (self, stria_model_value_text (scale.maximum, scale.unit, FALSE));
      g_array_append_val (self->scales, text);
    }
}

static void
add_differences (Drawing *self, CliModel *model, const StriaModelGraph *graph,
                 StriaComparison *comparison)
{
  const guint kinds = cli_model_kinds (model, graph);

  for (guint i = 0; i < STRIA_N_ENTITY_KINDS; i++)
    {
      StriaGraphSheetScale text;
      StriaModelDifferenceScale scale;

      if ((kinds >> i & 1) == 0)
        continue;
      stria_model_difference_scale (model->index, comparison, &model->metric, (StriaEntityKind) i,
                                    &scale);
      if (scale.name == NULL)
        continue;
      text.title = keep (self, g_strdup_printf (_ ("%s: change of %s"),
                                                stria_model_kinds_title ((StriaEntityKind) i),
                                                stria_model_metric_title (scale.name)));
      text.note = keep (
          self, g_strdup_printf (ngettext ("%s · %u compared", "%s · %u compared",
                                           scale.n_compared),
                                 stria_model_aggregation_title (model->metric.aggregation),
                                 scale.n_compared));
      text.minimum = keep (self, stria_model_difference_text (-scale.largest, scale.unit));
      text.maximum = keep (self, stria_model_difference_text (scale.largest, scale.unit));
      g_array_append_val (self->scales, text);
    }
}

/* Said first, since it is about all that follows. */
static void
add_comparison_notes (GPtrArray *notes, StriaComparison *comparison)
{
  GPtrArray *remarks = stria_comparison_get_remarks (comparison);
  guint at = 0;

  g_ptr_array_insert (
      notes, (gint) at++,
      g_strdup_printf (_ ("Compared with “%s”. A solid green border is new here; a dashed one has "
                          "the name of something else there."),
                       stria_profile_get_set (stria_comparison_get_a (comparison))->name));
  for (guint i = 0; i < remarks->len; i++)
    g_ptr_array_insert (notes, (gint) at++,
                        g_strdup (((StriaRemark *) remarks->pdata[i])->message));
}

static guint16 *
marks_new (CliModel *model, StriaComparison *comparison, const guint32 *entities, guint32 n)
{
  guint16 *marks = g_new0 (guint16, n + 1);

  for (guint32 i = 0; i < n; i++)
    {
      if (entities[i] == STRIA_NO_REF)
        continue;
      if (stria_profile_entity (model->profile, entities[i])->unmatched)
        marks[i] = STRIA_GRAPH_MARK_UNMATCHED;
      if (comparison != NULL)
        marks[i] |= stria_model_difference_mark (comparison, entities[i]);
    }
  return marks;
}

/* @comparison: (nullable): to @model, in place of what it measured itself */
static gboolean
drawing_init (Drawing *self, CliModel *model, const StriaModelGraph *graph,
              StriaComparison *comparison, const CliRenderOptions *options,
              GCancellable *cancellable, GError **error)
{
  *self = (Drawing){ .scene = lay_out (graph->graph, options, cancellable, error) };
  if (self->scene == NULL)
    return FALSE;
  self->scales = g_array_new (FALSE, FALSE, sizeof (StriaGraphSheetScale));
  self->texts = g_ptr_array_new_with_free_func (g_free);
  self->notes = cli_model_notes (model, graph);
  self->subtitle = cli_model_subtitle (model);
  self->node_marks
      = marks_new (model, comparison, graph->node_entities, stria_graph_n_nodes (graph->graph));
  self->group_marks
      = marks_new (model, comparison, graph->group_entities, stria_graph_n_groups (graph->graph));
  if (comparison != NULL)
    {
      stria_model_difference_figures (model->index, comparison, graph, &model->metric,
                                      &self->nodes, &self->groups);
      add_differences (self, model, graph, comparison);
      add_comparison_notes (self->notes, comparison);
    }
  else
    {
      stria_model_index_figures (model->index, graph, &model->metric, &self->nodes,
                                 &self->groups);
      add_scales (self, model, graph);
    }
  self->sheet = (StriaGraphSheet){
    .title = graph->title,
    .subtitle = self->subtitle,
    .scales = (const StriaGraphSheetScale *) (gconstpointer) self->scales->data,
    .n_scales = self->scales->len,
    .notes = (const char *const *) self->notes->pdata,
  };
  stria_graph_view_init (&self->view, self->scene);
  self->view.dark = options->dark;
  self->view.diverging = comparison != NULL;
  self->view.node_figures = self->nodes;
  self->view.group_figures = self->groups;
  self->view.node_marks = self->node_marks;
  self->view.group_marks = self->group_marks;
  return TRUE;
}

/* @width and @height: what was asked for; 0 is what is needed. */
static void
find_size (Drawing *self, double *width, double *height)
{
  const double wide = (double) self->scene->width;
  const double high = (double) self->scene->height;
  double above, below, zoom;

  if (*width <= 0)
    {
      zoom = MIN (1, sqrt (MOST_AREA / MAX (wide * high, 1)));
      zoom = MIN (zoom, MOST_SIDE / MAX (high, 1));
      *width = ceil (CLAMP (wide * zoom + MARGIN, LEAST_WIDTH, MOST_SIDE));
    }
  if (*height > 0)
    return;
  stria_graph_sheet_margins (&self->sheet, *width, &above, &below);
  zoom = MIN ((*width - MARGIN) / MAX (wide, 1), 1);
  *height = ceil (MIN (high * zoom, MOST_SIDE) + MARGIN + above + below);
}

static void
paint (cairo_t *cr, double width, double height, gpointer user_data)
{
  Drawing *self = user_data;

  stria_graph_sheet_paint (cr, &self->sheet, &self->view, width, height);
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
tell (CliContext *context, const CliRenderOptions *options, const StriaModelGraph *graph,
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
  cli_json_string (&json, "part", stria_graph_kind_name (graph->kind));
  cli_json_uint (&json, "nodes", stria_graph_n_nodes (graph->graph));
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
  g_auto (Drawing) drawing = { 0 };

  if (!drawing_init (&drawing, model, graph, comparison, options, cancellable, error))
    return FALSE;
  find_size (&drawing, width, height);
  return cli_paint_file (path, *width, *height, options->scale, paint, &drawing, error);
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
  graph = find_graph (shown, options->part, &error);
  if (graph == NULL
      || !draw (shown, graph, other.comparison, options, options->output, &width, &height,
                context->cancellable, &error))
    return fail (context, error);
  tell (context, options, graph, width, height);
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
picture_name (const CliRenderOptions *options, const char *set, const char *method,
              const StriaModelGraph *graph, GHashTable *seen)
{
  g_autoptr (GString) name = g_string_new ("graph");
  const gsize stem = name->len;

  if (set != NULL)
    g_string_append_printf (name, "-%s", set);
  if (method != NULL)
    g_string_append_printf (name, "-%s", method);
  g_string_append_printf (name, "-%s", stria_graph_kind_name (graph->kind));
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
  g_auto (CliModel) model = { 0 };

  if (!cli_model_open (capture, which, &model, error))
    return FALSE;
  for (guint i = 0; i < model.index->graphs->len; i++)
    {
      const StriaModelGraph *graph = model.index->graphs->pdata[i];
      g_autofree char *path = NULL;
      double width = 0, height = 0;

      if (graph->graph == NULL || stria_graph_n_nodes (graph->graph) == 0)
        continue;
      path = picture_name (options, name_set ? which->set : NULL,
                           name_method ? which->method : NULL, graph, seen);
      if (!draw (&model, graph, NULL, options, path, &width, &height, cancellable, error))
        return FALSE;
    }
  return TRUE;
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
