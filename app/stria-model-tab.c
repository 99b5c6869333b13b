/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-tab.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-focus.h"
#include "stria-model-difference.h"
#include "stria-model-outline.h"
#include "stria-model-tools.h"
#include "stria-source-link.h"

struct _StriaModelTab
{
  GtkWidget parent_instance;

  StriaModelState *state;
  StriaModelIndex *index;
  guint            number;
  const StriaModelGraph *graph; /* of the index */
  gboolean         is_setting; /* what the area tells comes from here */
  gboolean         is_stale;   /* marks and figures are not those of the state */

  GtkWidget       *content;
  StriaGraphArea  *area;    /* NULL: no graph */
  GtkWidget       *tools;
  GtkWidget       *outline; /* made when it is first wanted */
  GtkPaned        *paned;
};

G_DEFINE_FINAL_TYPE (StriaModelTab, stria_model_tab, GTK_TYPE_WIDGET)

static guint16
mark_of (StriaModelTab *self, const guint8 *relation, guint32 entity)
{
  gboolean second;
  StriaComparison *comparison = stria_model_state_get_comparison (self->state, &second);
  guint16 mark = 0;

  if (entity == STRIA_NO_REF)
    return 0;
  if (relation != NULL)
    mark = stria_model_evidence_mark (relation[entity]);
  if (stria_profile_entity (self->index->profile, entity)->unmatched)
    mark |= STRIA_GRAPH_MARK_UNMATCHED;
  if (comparison != NULL)
    mark |= stria_model_difference_mark (comparison, second, entity);
  return mark;
}

static void
update_marks (StriaModelTab *self)
{
  const guint16 own
      = STRIA_GRAPH_MARK_UNMATCHED | STRIA_GRAPH_MARK_ADDED | STRIA_GRAPH_MARK_CHANGED;
  const StriaModelSelection *selection = stria_model_state_get_selection (self->state);
  const guint8 *relation = stria_model_state_get_relation (self->state);
  const guint32 n_nodes = stria_graph_n_nodes (self->graph->graph);
  const guint32 n_groups = stria_graph_n_groups (self->graph->graph);
  g_autofree guint16 *nodes = g_new0 (guint16, n_nodes + 1);
  g_autofree guint16 *groups = g_new0 (guint16, n_groups + 1);

  for (guint32 i = 0; i < n_nodes; i++)
    nodes[i] = mark_of (self, relation, self->graph->node_entities[i]);
  for (guint32 i = 0; i < n_groups; i++)
    groups[i] = mark_of (self, relation, self->graph->group_entities[i]);
  if (selection->graph == self->number && selection->node < n_nodes)
    nodes[selection->node] &= own;
  if (selection->graph == self->number && selection->group < n_groups)
    groups[selection->group] &= own;
  stria_graph_area_set_marks (self->area, nodes, groups);
}

static void
update_figures (StriaModelTab *self)
{
  g_autofree StriaGraphFigure *nodes = NULL;
  g_autofree StriaGraphFigure *groups = NULL;
  const StriaModelMetric *metric = stria_model_state_get_metric (self->state);
  gboolean second;
  StriaComparison *comparison = stria_model_state_get_comparison (self->state, &second);

  if (comparison != NULL)
    stria_model_difference_figures (self->index, comparison, second, self->graph, metric, &nodes,
                                    &groups);
  else
    stria_model_index_figures (self->index, self->graph, metric, &nodes, &groups);
  stria_graph_area_set_figures (self->area, nodes, groups, comparison != NULL);
}

/* What here is surest to correspond to the selection; the first of several. */
static gboolean
find_related (StriaModelTab *self, guint32 *node, guint32 *group)
{
  const guint32 entity = stria_model_state_get_selection (self->state)->entity;
  const guint8 *relation = stria_model_state_get_relation (self->state);
  guint8 best = STRIA_MODEL_UNRELATED;

  if (relation == NULL)
    return FALSE;
  if (stria_model_graph_find (self->graph, entity, node, group))
    return TRUE;
  for (guint32 i = 0; i < stria_graph_n_nodes (self->graph->graph); i++)
    {
      const guint32 other = self->graph->node_entities[i];

      if (other == STRIA_NO_REF || relation[other] >= best)
        continue;
      best = relation[other];
      *node = i;
      *group = STRIA_NO_GROUP;
    }
  for (guint32 i = 0; i < stria_graph_n_groups (self->graph->graph); i++)
    {
      const guint32 other = self->graph->group_entities[i];

      if (other == STRIA_NO_REF || relation[other] >= best)
        continue;
      best = relation[other];
      *node = STRIA_NO_NODE;
      *group = i;
    }
  return best != STRIA_MODEL_UNRELATED;
}

static void
select_in_area (StriaModelTab *self, guint32 node, guint32 group)
{
  self->is_setting = TRUE;
  stria_graph_area_select (self->area, node, group);
  self->is_setting = FALSE;
}

static void
update (StriaModelTab *self)
{
  const StriaModelSelection *selection;
  guint32 node, group;

  if (self->area == NULL || stria_model_state_get_index (self->state) != self->index)
    return;
  selection = stria_model_state_get_selection (self->state);
  self->is_stale = FALSE;
  update_marks (self);
  if (stria_model_state_get_origin (self->state) == self)
    return;
  if (selection->graph == self->number)
    select_in_area (self, selection->node, selection->group);
  else
    {
      select_in_area (self, STRIA_NO_NODE, STRIA_NO_GROUP);
      if (find_related (self, &node, &group))
        stria_graph_area_reveal (self->area, node, group);
    }
}

static void
on_selection_changed (StriaModelTab *self)
{
  self->is_stale = TRUE;
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    update (self);
}

static void
on_metric_changed (StriaModelTab *self)
{
  if (self->area != NULL && stria_model_state_get_index (self->state) == self->index)
    update_figures (self);
}

static void
on_area_selection (StriaModelTab *self)
{
  if (!self->is_setting)
    stria_model_state_select (self->state, self->number, stria_graph_area_get_node (self->area),
                              stria_graph_area_get_group (self->area), self);
}

/* The group that a call is in the hierarchy, with its compiler graph inside. */
static gboolean
go_to_call (StriaModelTab *self, guint32 entity)
{
  for (guint i = 0; i < self->index->graphs->len; i++)
    {
      const StriaModelGraph *graph = self->index->graphs->pdata[i];
      guint32 node, group;

      if (graph->kind != STRIA_GRAPH_HIERARCHY || graph == self->graph
          || !stria_model_graph_find (graph, entity, &node, &group) || group == STRIA_NO_GROUP)
        continue;
      stria_model_state_show_graph (self->state, i);
      stria_model_state_select (self->state, i, STRIA_NO_NODE, group, NULL);
      return TRUE;
    }
  return FALSE;
}

static void
on_area_activated (StriaModelTab *self, guint node)
{
  const StriaGraphNodeRow *row;
  StriaGraph *graph = self->graph->graph;
  guint subgraph;

  if (node >= stria_graph_n_nodes (graph))
    return;
  row = stria_graph_node (graph, node);
  if (row->subgraph != 0)
    {
      if (self->graph->node_entities[node] != STRIA_NO_REF
          && go_to_call (self, self->graph->node_entities[node]))
        return;
      subgraph = stria_model_index_subgraph (self->index, graph,
                                             stria_graph_text (graph, row->subgraph));
      if (subgraph != G_MAXUINT)
        {
          stria_model_state_show_graph (self->state, subgraph);
          return;
        }
    }
  if (row->file != 0)
    stria_source_show (GTK_WIDGET (self), stria_graph_text (graph, row->file), row->line);
}

static void
on_outline_activated (StriaModelTab *self, guint node, guint group)
{
  stria_model_state_select (self->state, self->number, node, group, NULL);
  stria_graph_area_reveal (self->area, node, group);
}

static void
on_outline_wanted (StriaModelTab *self)
{
  gboolean wanted;

  g_object_get (self->tools, "outline", &wanted, NULL);
  if (wanted && self->outline == NULL)
    {
      self->outline = stria_model_outline_new (self->state, self->number);
      g_signal_connect_object (self->outline, "activated", G_CALLBACK (on_outline_activated), self,
                               G_CONNECT_SWAPPED);
      gtk_paned_set_start_child (self->paned, self->outline);
      gtk_paned_set_resize_start_child (self->paned, FALSE);
    }
  if (self->outline != NULL)
    gtk_widget_set_visible (self->outline, wanted);
}

guint
stria_model_tab_get_graph (StriaModelTab *self)
{
  g_return_val_if_fail (STRIA_IS_MODEL_TAB (self), G_MAXUINT);

  return self->number;
}

StriaGraphArea *
stria_model_tab_get_area (StriaModelTab *self)
{
  g_return_val_if_fail (STRIA_IS_MODEL_TAB (self), NULL);

  return self->area;
}

void
stria_model_tab_reveal (StriaModelTab *self)
{
  const StriaModelSelection *selection;

  g_return_if_fail (STRIA_IS_MODEL_TAB (self));

  selection = stria_model_state_get_selection (self->state);
  if (self->area == NULL || selection->graph != self->number)
    return;
  if (self->is_stale)
    update (self);
  select_in_area (self, selection->node, selection->group);
  stria_graph_area_reveal (self->area, selection->node, selection->group);
}

void
stria_model_tab_search (StriaModelTab *self)
{
  g_return_if_fail (STRIA_IS_MODEL_TAB (self));

  if (self->tools != NULL)
    stria_model_tools_search (STRIA_MODEL_TOOLS (self->tools));
}

void
stria_model_tab_search_step (StriaModelTab *self, gboolean forward)
{
  g_return_if_fail (STRIA_IS_MODEL_TAB (self));

  if (self->tools != NULL)
    stria_model_tools_search_step (STRIA_MODEL_TOOLS (self->tools), forward);
}

static gboolean
stria_model_tab_grab_focus (GtkWidget *widget)
{
  StriaModelTab *self = STRIA_MODEL_TAB (widget);

  return self->area != NULL && gtk_widget_grab_focus (GTK_WIDGET (self->area));
}

static void
stria_model_tab_map (GtkWidget *widget)
{
  StriaModelTab *self = STRIA_MODEL_TAB (widget);

  GTK_WIDGET_CLASS (stria_model_tab_parent_class)->map (widget);
  if (self->is_stale)
    update (self);
}

static void
stria_model_tab_dispose (GObject *object)
{
  StriaModelTab *self = STRIA_MODEL_TAB (object);

  g_clear_pointer (&self->content, gtk_widget_unparent);
  self->area = NULL;
  self->tools = NULL;
  self->outline = NULL;
  self->graph = NULL;
  g_clear_object (&self->state);
  g_clear_pointer (&self->index, stria_model_index_unref);
  G_OBJECT_CLASS (stria_model_tab_parent_class)->dispose (object);
}

static void
stria_model_tab_class_init (StriaModelTabClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_model_tab_dispose;
  widget_class->map = stria_model_tab_map;
  widget_class->focus = stria_focus_children;
  widget_class->grab_focus = stria_model_tab_grab_focus;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
stria_model_tab_init (StriaModelTab *self)
{
}

static GtkWidget *
absence_new (const StriaModelGraph *graph)
{
  GtkWidget *page = adw_status_page_new ();
  g_autofree char *markup
      = g_markup_escape_text (graph->reason != NULL ? graph->reason : "", -1);

  adw_status_page_set_icon_name (ADW_STATUS_PAGE (page), "dialog-information-symbolic");
  adw_status_page_set_title (ADW_STATUS_PAGE (page), _ ("Nothing to Show Here"));
  adw_status_page_set_description (ADW_STATUS_PAGE (page), markup);
  gtk_widget_add_css_class (page, "compact");
  return page;
}

static void
build (StriaModelTab *self)
{
  GtkWidget *area = stria_graph_area_new ();

  self->area = STRIA_GRAPH_AREA (area);
  self->content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->tools = stria_model_tools_new (self->area);
  self->paned = GTK_PANED (gtk_paned_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_accessible_update_property (GTK_ACCESSIBLE (area), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  self->graph->title, -1);
  gtk_paned_set_end_child (self->paned, area);
  gtk_paned_set_shrink_end_child (self->paned, FALSE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->paned), TRUE);
  gtk_box_append (GTK_BOX (self->content), self->tools);
  gtk_box_append (GTK_BOX (self->content), GTK_WIDGET (self->paned));
  stria_graph_area_set_graph (self->area, self->graph->graph);
  update_figures (self);
  g_signal_connect_object (area, "selection-changed", G_CALLBACK (on_area_selection), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (area, "activated", G_CALLBACK (on_area_activated), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->tools, "notify::outline", G_CALLBACK (on_outline_wanted), self,
                           G_CONNECT_SWAPPED);
  self->is_stale = TRUE;
}

GtkWidget *
stria_model_tab_new (StriaModelState *state, guint graph)
{
  StriaModelTab *self = g_object_new (STRIA_TYPE_MODEL_TAB, NULL);

  self->state = g_object_ref (state);
  self->index = stria_model_index_ref (stria_model_state_get_index (state));
  self->number = graph;
  self->graph = self->index->graphs->pdata[graph];
  if (self->graph->graph != NULL)
    build (self);
  else
    self->content = absence_new (self->graph);
  gtk_widget_set_parent (self->content, GTK_WIDGET (self));
  g_signal_connect_object (state, "selection-changed", G_CALLBACK (on_selection_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "metric-changed", G_CALLBACK (on_metric_changed), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
