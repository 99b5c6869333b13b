/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-graph-picture.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "stria-model-difference.h"
#include "stria-model-text.h"

/* A picture is as large as its graph within these bounds */
#define LEAST_WIDTH 960
#define MOST_SIDE   30000
#define MOST_AREA   64e6
#define MARGIN      (2 * STRIA_GRAPH_SHEET_MARGIN)

void
cli_graph_picture_clear (CliGraphPicture *self)
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

StriaScene *
cli_graph_lay_out (StriaGraph *graph, StriaGraphDirection direction, guint level,
                   GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaFold) fold = stria_fold_new (graph);

  stria_fold_set_direction (fold, direction);
  stria_fold_set_level (fold, level);
  return stria_scene_new (fold, NULL, stria_graph_measure, NULL, cancellable, error);
}

static const char *
keep (CliGraphPicture *self, char *text)
{
  g_ptr_array_add (self->texts, text);
  return text;
}

static void
add_scales (CliGraphPicture *self, CliModel *model, const StriaModelGraph *graph)
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
add_differences (CliGraphPicture *self, CliModel *model, const StriaModelGraph *graph,
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
add_comparison_notes (GPtrArray *notes, StriaComparison *comparison, gboolean second)
{
  GPtrArray *remarks = stria_comparison_get_remarks (comparison);
  StriaProfile *with
      = second ? stria_comparison_get_a (comparison) : stria_comparison_get_b (comparison);
  guint at = 0;

  g_ptr_array_insert (
      notes, (gint) at++,
      g_strdup_printf (_ ("Compared with “%s”. A solid green border is new here; a dashed one has "
                          "the name of something else there."),
                       stria_profile_get_set (with)->name));
  for (guint i = 0; i < remarks->len; i++)
    g_ptr_array_insert (notes, (gint) at++,
                        g_strdup (((StriaRemark *) remarks->pdata[i])->message));
}

static guint16 *
marks_new (CliModel *model, StriaComparison *comparison, gboolean second, const guint32 *entities,
           guint32 n)
{
  guint16 *marks = g_new0 (guint16, n + 1);

  for (guint32 i = 0; i < n; i++)
    {
      if (entities[i] == STRIA_NO_REF)
        continue;
      if (stria_profile_entity (model->profile, entities[i])->unmatched)
        marks[i] = STRIA_GRAPH_MARK_UNMATCHED;
      if (comparison != NULL)
        marks[i] |= stria_model_difference_mark (comparison, second, entities[i]);
    }
  return marks;
}

void
cli_graph_picture_init (CliGraphPicture *self, CliModel *model, const StriaModelGraph *graph,
                        StriaComparison *comparison, gboolean second, StriaScene *scene,
                        gboolean dark)
{
  *self = (CliGraphPicture){ .scene = scene };
  self->scales = g_array_new (FALSE, FALSE, sizeof (StriaGraphSheetScale));
  self->texts = g_ptr_array_new_with_free_func (g_free);
  self->notes = cli_model_notes (model, graph);
  self->subtitle = cli_model_subtitle (model);
  self->node_marks
      = marks_new (model, comparison, second, graph->node_entities,
                   stria_graph_n_nodes (graph->graph));
  self->group_marks
      = marks_new (model, comparison, second, graph->group_entities,
                   stria_graph_n_groups (graph->graph));
  if (comparison != NULL)
    {
      stria_model_difference_figures (model->index, comparison, second, graph, &model->metric,
                                      &self->nodes, &self->groups);
      add_differences (self, model, graph, comparison);
      add_comparison_notes (self->notes, comparison, second);
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
  self->view.dark = dark;
  self->view.diverging = comparison != NULL;
  self->view.node_figures = self->nodes;
  self->view.group_figures = self->groups;
  self->view.node_marks = self->node_marks;
  self->view.group_marks = self->group_marks;
}

void
cli_graph_picture_size (CliGraphPicture *self, double *width, double *height)
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

void
cli_graph_picture_paint (cairo_t *cr, double width, double height, gpointer user_data)
{
  CliGraphPicture *self = user_data;

  stria_graph_sheet_paint (cr, &self->sheet, &self->view, width, height);
}
