/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-legend.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-graph-painter.h"
#include "stria-model-difference.h"
#include "stria-model-text.h"
#include "stria-wrap-box.h"

#define BAR_WIDTH  64
#define BAR_HEIGHT 12

struct _StriaModelLegend
{
  GtkWidget parent_instance;

  StriaModelState *state;
  StriaWrapBox    *box;
};

G_DEFINE_FINAL_TYPE (StriaModelLegend, stria_model_legend, GTK_TYPE_WIDGET)

static void
draw_bar (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer diverging)
{
  const gboolean two_sided = GPOINTER_TO_INT (diverging);
  const gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());

  for (int x = 0; x < width; x++)
    {
      const double share = (x + 0.5) / width;
      const StriaColor color
          = stria_graph_scale_color (two_sided ? 2 * share - 1 : share, two_sided, dark);

      cairo_set_source_rgb (cr, color.r, color.g, color.b);
      cairo_rectangle (cr, x, 0, 1, height);
      cairo_fill (cr);
    }
}

static void
draw_hatch (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  GdkRGBA color;

  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &color);
  cairo_set_source_rgba (cr, color.red, color.green, color.blue, 0.5);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, 0.5, 0.5, width - 1, height - 1);
  cairo_stroke_preserve (cr);
  cairo_clip (cr);
  for (int x = -height; x < width; x += 5)
    {
      cairo_move_to (cr, x, height);
      cairo_line_to (cr, x + height, 0);
    }
  cairo_stroke (cr);
}

static GtkWidget *
drawing_new (GtkDrawingAreaDrawFunc func, gboolean diverging, int width)
{
  GtkWidget *area = gtk_drawing_area_new ();

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (area), width);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), BAR_HEIGHT);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), func, GINT_TO_POINTER (diverging),
                                  NULL);
  gtk_widget_set_valign (area, GTK_ALIGN_CENTER);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (gtk_widget_queue_draw), area, G_CONNECT_SWAPPED);
  return area;
}

static GtkWidget *
label_new (const char *text, gboolean dim)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "numeric");
  if (dim)
    gtk_widget_add_css_class (label, "dim-label");
  return label;
}

static void
add_label (GtkWidget *box, const char *text, gboolean dim)
{
  gtk_box_append (GTK_BOX (box), label_new (text, dim));
}

static void
add_scale (StriaModelLegend *self, StriaEntityKind kind, const StriaModelScale *scale)
{
  const StriaModelMetric *metric = stria_model_state_get_metric (self->state);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  g_autofree char *minimum = stria_model_value_text (scale->minimum, scale->unit, TRUE);
  g_autofree char *maximum = stria_model_value_text (scale->maximum, scale->unit, TRUE);
  g_autofree char *count = g_strdup_printf (
      ngettext ("%u execution", "%u executions", scale->executions), scale->executions);
  g_autofree char *all = g_strdup_printf (
      /* Translators: kind, metric, aggregation, "3 executions", least, most */
      _ ("%s: %s, %s, %s, from %s to %s"), stria_model_kinds_title (kind),
      stria_model_metric_title (scale->name), stria_model_aggregation_title (metric->aggregation),
      count, minimum, maximum);

  add_label (box, stria_model_kinds_title (kind), FALSE);
  add_label (box, stria_model_metric_title (scale->name), TRUE);
  add_label (box, minimum, FALSE);
  gtk_box_append (GTK_BOX (box), drawing_new (draw_bar, FALSE, BAR_WIDTH));
  add_label (box, maximum, FALSE);
  gtk_widget_set_tooltip_text (box, all);
  stria_wrap_box_append (self->box, box);
}

static void
add_difference (StriaModelLegend *self, StriaEntityKind kind,
                const StriaModelDifferenceScale *scale)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  g_autofree char *least = stria_model_difference_text (-scale->largest, scale->unit);
  g_autofree char *most = stria_model_difference_text (scale->largest, scale->unit);
  const char *less = stria_model_metric_is_time (scale->name) ? _ ("faster") : _ ("less");
  const char *more = stria_model_metric_is_time (scale->name) ? _ ("slower") : _ ("more");
  g_autofree char *left = g_strdup_printf ("%s %s", less, least);
  g_autofree char *right = g_strdup_printf ("%s %s", most, more);
  g_autofree char *compared = g_strdup_printf (
      ngettext ("%u compared", "%u compared", scale->n_compared), scale->n_compared);
  g_autofree char *unequal
      = scale->n_unequal > 0
            ? g_strdup_printf (ngettext (", %u of unequal numbers of executions",
                                         ", %u of unequal numbers of executions",
                                         scale->n_unequal),
                               scale->n_unequal)
            : g_strdup ("");
  g_autofree char *all = g_strdup_printf (
      /* Translators: kind, metric, aggregation, "5 compared", notes, least, most: of a second
       * capture against a first one */
      _ ("%s: change of %s, %s, %s%s, from %s to %s"), stria_model_kinds_title (kind),
      stria_model_metric_title (scale->name),
      stria_model_aggregation_title (stria_model_state_get_metric (self->state)->aggregation),
      compared, unequal, least, most);

  add_label (box, stria_model_kinds_title (kind), FALSE);
  add_label (box, stria_model_metric_title (scale->name), TRUE);
  add_label (box, left, FALSE);
  gtk_box_append (GTK_BOX (box), drawing_new (draw_bar, TRUE, 2 * BAR_WIDTH));
  add_label (box, right, FALSE);
  gtk_widget_set_tooltip_text (box, all);
  stria_wrap_box_append (self->box, box);
}

/* Of how many executions each side is */
static void
add_sides (StriaModelLegend *self, StriaComparison *comparison)
{
  const guint32 a = stria_profile_n_executions (stria_comparison_get_a (comparison));
  const guint32 b = stria_profile_n_executions (stria_comparison_get_b (comparison));
  g_autofree char *text = g_strdup_printf (
      /* Translators: an aggregation, executions of the second and of the first capture */
      ngettext ("%s of %u against %u execution", "%s of %u against %u executions", a),
      stria_model_aggregation_title (stria_model_state_get_metric (self->state)->aggregation), b,
      a);

  stria_wrap_box_append (self->box, label_new (text, FALSE));
}

/* What all scales are of: said once. */
static void
add_aggregation (StriaModelLegend *self, guint32 executions)
{
  g_autofree char *text
      = g_strdup_printf (ngettext ("%s of %u execution", "%s of %u executions", executions),
                         stria_model_aggregation_title (
                             stria_model_state_get_metric (self->state)->aggregation),
                         executions);

  stria_wrap_box_append (self->box, label_new (text, FALSE));
}

void
stria_model_legend_set_state (StriaModelLegend *self, StriaModelState *state)
{
  g_return_if_fail (STRIA_IS_MODEL_LEGEND (self));

  g_set_object (&self->state, state);
}

void
stria_model_legend_update (StriaModelLegend *self, guint64 graphs)
{
  StriaModelIndex *index;
  gboolean kinds[STRIA_N_ENTITY_KINDS] = { FALSE };
  gboolean any = FALSE;
  StriaComparison *comparison;
  gboolean second;

  g_return_if_fail (STRIA_IS_MODEL_LEGEND (self));

  comparison = stria_model_state_get_comparison (self->state, &second);

  index = stria_model_state_get_index (self->state);
  stria_wrap_box_clear (self->box);
  for (guint i = 0; index != NULL && i < MIN (index->graphs->len, 64u); i++)
    {
      const StriaModelGraph *graph = index->graphs->pdata[i];

      if (graph->graph == NULL || (graphs >> i & 1) == 0)
        continue;
      for (guint32 n = 0; n < stria_graph_n_nodes (graph->graph); n++)
        if (graph->node_entities[n] != STRIA_NO_REF)
          kinds[stria_profile_entity (index->profile, graph->node_entities[n])->kind] = TRUE;
      for (guint32 n = 0; n < stria_graph_n_groups (graph->graph); n++)
        if (graph->group_entities[n] != STRIA_NO_REF)
          kinds[stria_profile_entity (index->profile, graph->group_entities[n])->kind] = TRUE;
    }
  for (guint i = 0; i < STRIA_N_ENTITY_KINDS && comparison != NULL; i++)
    {
      StriaModelDifferenceScale scale;

      if (!kinds[i])
        continue;
      stria_model_difference_scale (index, comparison, stria_model_state_get_metric (self->state),
                                    (StriaEntityKind) i, &scale);
      if (scale.name == NULL)
        continue;
      if (!any)
        add_sides (self, comparison);
      add_difference (self, (StriaEntityKind) i, &scale);
      any = TRUE;
    }
  for (guint i = 0; i < STRIA_N_ENTITY_KINDS && comparison == NULL; i++)
    {
      StriaModelScale scale;

      if (!kinds[i])
        continue;
      stria_model_index_scale (index, stria_model_state_get_metric (self->state),
                               (StriaEntityKind) i, &scale);
      if (scale.name == NULL)
        continue;
      if (!any)
        add_aggregation (self, scale.executions);
      add_scale (self, (StriaEntityKind) i, &scale);
      any = TRUE;
    }
  if (any)
    {
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

      gtk_box_append (GTK_BOX (box), drawing_new (draw_hatch, FALSE, 2 * BAR_HEIGHT));
      add_label (box, comparison != NULL ? _ ("only here, or not measured") : _ ("not measured"),
                 TRUE);
      stria_wrap_box_append (self->box, box);
    }
  gtk_widget_set_visible (GTK_WIDGET (self), any);
}

static void
stria_model_legend_dispose (GObject *object)
{
  StriaModelLegend *self = STRIA_MODEL_LEGEND (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->state);
  G_OBJECT_CLASS (stria_model_legend_parent_class)->dispose (object);
}

static void
stria_model_legend_class_init (StriaModelLegendClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_model_legend_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
stria_model_legend_init (StriaModelLegend *self)
{
  GtkWidget *box = stria_wrap_box_new (16, 2);

  self->box = STRIA_WRAP_BOX (box);
  gtk_widget_add_css_class (box, "model-legend");
  gtk_widget_set_parent (box, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Legend of the colours"), -1);
}

GtkWidget *
stria_model_legend_new (StriaModelState *state)
{
  StriaModelLegend *self = g_object_new (STRIA_TYPE_MODEL_LEGEND, NULL);

  self->state = g_object_ref (state);
  return GTK_WIDGET (self);
}
