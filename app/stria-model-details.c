/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-details.h"

#include <glib/gi18n-lib.h>

#include "stria-details-rows.h"
#include "stria-focus.h"
#include "stria-format.h"
#include "stria-model-sections.h"
#include "stria-model-slices.h"
#include "stria-model-slowest.h"
#include "stria-model-text.h"

struct _StriaModelDetails
{
  GtkWidget parent_instance;

  StriaModelState *state;
  GtkWidget       *scroller;
  GtkWidget       *box;
  gboolean         is_stale;
};

G_DEFINE_FINAL_TYPE (StriaModelDetails, stria_model_details, GTK_TYPE_WIDGET)

static void
add_title (StriaModelDetails *self, const char *title, const char *kind)
{
  GtkWidget *label = gtk_label_new (title);
  GtkWidget *chip = gtk_label_new (kind);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_can_focus (label, FALSE);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_add_css_class (chip, "category");
  gtk_widget_set_halign (chip, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (self->box), label);
  gtk_box_append (GTK_BOX (self->box), chip);
}

static const char *
node_kind_title (StriaNodeKind kind)
{
  switch (kind)
    {
    case STRIA_NODE_INPUT:
      return _ ("Input");
    case STRIA_NODE_OUTPUT:
      return _ ("Output");
    case STRIA_NODE_PARAMETER:
      return _ ("Parameter");
    case STRIA_NODE_CONSTANT:
      return _ ("Constant");
    case STRIA_NODE_DELEGATE:
      return _ ("Delegate call");
    case STRIA_NODE_CONTROL:
      return _ ("Control");
    case STRIA_NODE_CHAIN:
      return _ ("Chain");
    case STRIA_NODE_RESOURCE:
      return _ ("Resource");
    case STRIA_NODE_OPERATOR:
    default:
      return _ ("Operator");
    }
}

static const char *
group_kind_title (StriaGroupKind kind)
{
  switch (kind)
    {
    case STRIA_GROUP_MODULE:
      return _ ("Module");
    case STRIA_GROUP_PLAN:
      return _ ("Plan");
    case STRIA_GROUP_DELEGATE:
      return _ ("Delegate call");
    case STRIA_GROUP_SEGMENT:
      return _ ("Segment");
    case STRIA_GROUP_CASCADE:
      return _ ("Cascade");
    case STRIA_GROUP_CHAIN:
      return _ ("Chain");
    case STRIA_GROUP_FUSED:
      return _ ("Fused operation");
    case STRIA_GROUP_UNMATCHED:
      return _ ("Not matched");
    case STRIA_GROUP_NAMESPACE:
    default:
      return _ ("Group");
    }
}

static const char *
key_title (StriaEntityKind kind)
{
  switch (kind)
    {
    case STRIA_ENTITY_SOURCE_OPERATOR:
      return _ ("Debug handle");
    case STRIA_ENTITY_COMPILER_OPERATOR:
      return _ ("SPIR-V id");
    default:
      return NULL;
    }
}

static void
add_facts (StriaModelDetails *self, const StriaEntity *entity, const char *id, guint32 n_nodes)
{
  GtkWidget *table = stria_details_table_new ();

  stria_details_table_add (table, _ ("Id"), id, NULL);
  if (entity != NULL)
    {
      stria_details_table_add (table, _ ("Runs on"), stria_model_placement_text (entity), NULL);
      if (key_title (entity->kind) != NULL && entity->key >= 0)
        {
          g_autofree char *key = g_strdup_printf ("%" G_GINT64_FORMAT, entity->key);

          stria_details_table_add (table, key_title (entity->kind), key, NULL);
        }
      if (entity->executions_of > 0 && entity->metrics->len > 0)
        {
          g_autofree char *coverage
              = stria_model_coverage_text (entity->executions, entity->executions_of);

          stria_details_table_add (table, _ ("Measured in"), coverage, NULL);
        }
    }
  if (n_nodes > 0)
    {
      g_autofree char *count = stria_format_count (n_nodes);
      g_autofree char *text
          = g_strdup_printf (ngettext ("%s node", "%s nodes", n_nodes), count);

      stria_details_table_add (table, _ ("Contains"), text, NULL);
    }
  gtk_widget_set_margin_top (table, 8);
  gtk_box_append (GTK_BOX (self->box), table);
}

/* An entity's own node, where what is selected stands for it without being it. */
static StriaGraph *
node_of_entity (StriaModelIndex *index, guint32 entity, guint32 *node)
{
  for (guint i = 0; i < index->graphs->len; i++)
    {
      const StriaModelGraph *graph = index->graphs->pdata[i];
      guint32 group;

      if (stria_model_graph_find (graph, entity, node, &group) && *node != STRIA_NO_NODE)
        return graph->graph;
    }
  return NULL;
}

static void
show_selection (StriaModelDetails *self, StriaModelIndex *index,
                const StriaModelSelection *selection)
{
  const StriaEntity *entity = selection->entity != STRIA_NO_REF
                                  ? stria_profile_entity (index->profile, selection->entity)
                                  : NULL;
  StriaGraph *graph = selection->graph < index->graphs->len
                          ? ((StriaModelGraph *) index->graphs->pdata[selection->graph])->graph
                          : NULL;
  guint32 node = selection->node;
  const StriaGraphNodeRow *row;
  g_autofree char *title = NULL;

  if (node == STRIA_NO_NODE && selection->group == STRIA_NO_GROUP && entity != NULL)
    graph = node_of_entity (index, selection->entity, &node);
  row = graph != NULL && node != STRIA_NO_NODE ? stria_graph_node (graph, node) : NULL;
  if (entity != NULL)
    {
      title = stria_model_entity_text (entity);
      add_title (self, title, stria_model_kind_title (entity->kind));
    }
  else if (row != NULL)
    add_title (self, stria_graph_text (graph, row->label),
               node_kind_title ((StriaNodeKind) row->kind));
  else if (graph != NULL && selection->group != STRIA_NO_GROUP)
    {
      const StriaGraphGroupRow *group = stria_graph_group (graph, selection->group);

      add_title (self, stria_graph_text (graph, group->label),
                 group_kind_title ((StriaGroupKind) group->kind));
    }
  else
    return;
  add_facts (self, entity,
             entity != NULL ? entity->id
                            : stria_graph_text (
                                graph, row != NULL
                                           ? row->id
                                           : stria_graph_group (graph, selection->group)->id),
             row == NULL && graph != NULL && selection->group != STRIA_NO_GROUP
                 ? stria_graph_group_weight (graph, selection->group)
                 : 0);
  if (row != NULL)
    stria_model_add_source (GTK_BOX (self->box), graph, node);
  if (entity != NULL)
    {
      stria_model_add_measurements (GTK_BOX (self->box), self->state, selection->entity);
      stria_model_add_links (GTK_BOX (self->box), self->state, selection->entity);
      stria_model_add_slices (GTK_BOX (self->box), self->state, selection->entity);
      stria_model_add_counters (GTK_BOX (self->box), self->state, selection->entity);
      stria_model_add_relatives (GTK_BOX (self->box), self->state, selection->entity);
    }
  if (row != NULL)
    stria_model_add_ports (GTK_BOX (self->box), graph, node);
  if (row != NULL)
    stria_model_add_attributes (GTK_BOX (self->box), entity, graph, row->first_attr, row->n_attrs);
  else if (graph != NULL && selection->group != STRIA_NO_GROUP)
    {
      const StriaGraphGroupRow *group = stria_graph_group (graph, selection->group);

      stria_model_add_attributes (GTK_BOX (self->box), entity, graph, group->first_attr,
                                  group->n_attrs);
    }
  else
    stria_model_add_attributes (GTK_BOX (self->box), entity, NULL, 0, 0);
}

static void
add_hint (StriaModelDetails *self)
{
  GtkWidget *label = gtk_label_new (
      _ ("Select a node or a group to see what was measured, and what it corresponds to in the "
         "other graphs."));

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (self->box), label);
}

static void
update (StriaModelDetails *self)
{
  StriaModelIndex *index = stria_model_state_get_index (self->state);
  GtkWidget *child;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      self->is_stale = TRUE;
      return;
    }
  self->is_stale = FALSE;
  while ((child = gtk_widget_get_first_child (self->box)) != NULL)
    gtk_box_remove (GTK_BOX (self->box), child);
  if (index != NULL)
    show_selection (self, index, stria_model_state_get_selection (self->state));
  if (gtk_widget_get_first_child (self->box) == NULL)
    {
      add_hint (self);
      if (index != NULL)
        stria_model_add_slowest (GTK_BOX (self->box), self->state);
    }
  gtk_adjustment_set_value (
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller)), 0);
}

static void
stria_model_details_map (GtkWidget *widget)
{
  StriaModelDetails *self = STRIA_MODEL_DETAILS (widget);

  GTK_WIDGET_CLASS (stria_model_details_parent_class)->map (widget);
  if (self->is_stale)
    update (self);
}

/* The first link, from which Tab comes to the others; without links, the arrow keys scroll. */
static gboolean
stria_model_details_grab_focus (GtkWidget *widget)
{
  GtkWidget *scroller = STRIA_MODEL_DETAILS (widget)->scroller;

  return gtk_widget_child_focus (scroller, GTK_DIR_TAB_FORWARD)
         || gtk_widget_grab_focus (scroller);
}

static void
stria_model_details_dispose (GObject *object)
{
  StriaModelDetails *self = STRIA_MODEL_DETAILS (object);

  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_object (&self->state);
  G_OBJECT_CLASS (stria_model_details_parent_class)->dispose (object);
}

static void
stria_model_details_class_init (StriaModelDetailsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_model_details_dispose;
  widget_class->map = stria_model_details_map;
  widget_class->focus = stria_focus_children;
  widget_class->grab_focus = stria_model_details_grab_focus;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
stria_model_details_init (StriaModelDetails *self)
{
  self->is_stale = TRUE;
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (self->box, "details");
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scroller), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Details"), -1);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Details of the selection"), -1);
}

GtkWidget *
stria_model_details_new (StriaModelState *state)
{
  StriaModelDetails *self = g_object_new (STRIA_TYPE_MODEL_DETAILS, NULL);

  self->state = g_object_ref (state);
  g_signal_connect_object (state, "selection-changed", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "profile-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "metric-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
