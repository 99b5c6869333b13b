/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-outline.h"

#include <glib/gi18n-lib.h>

#include "stria-model-text.h"
#include "stria-paint-size.h"

#define WIDTH ((int) stria_text_px (240))

#define STRIA_TYPE_MODEL_ITEM (stria_model_item_get_type ())
G_DECLARE_FINAL_TYPE (StriaModelItem, stria_model_item, STRIA, MODEL_ITEM, GObject)

/* A row: a node or a group. */
struct _StriaModelItem
{
  GObject parent_instance;

  guint32 node;
  guint32 group;
};

G_DEFINE_FINAL_TYPE (StriaModelItem, stria_model_item, G_TYPE_OBJECT)

struct _StriaModelOutline
{
  GtkWidget parent_instance;

  StriaModelState       *state;
  StriaModelIndex       *index;
  const StriaModelGraph *graph; /* of the index */
  StriaGraphFigure      *nodes;
  StriaGraphFigure      *groups;

  GtkWidget       *box;
  GtkToggleButton *tree_button;
  GtkWidget       *entry;
  GtkListView     *list;
  GtkCustomFilter *filter;
  char            *needle; /* casefolded */
};

enum
{
  ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaModelOutline, stria_model_outline, GTK_TYPE_WIDGET)

static void
stria_model_item_class_init (StriaModelItemClass *klass)
{
}

static void
stria_model_item_init (StriaModelItem *self)
{
}

static StriaModelItem *
item_new (guint32 node, guint32 group)
{
  StriaModelItem *self = g_object_new (STRIA_TYPE_MODEL_ITEM, NULL);

  self->node = node;
  self->group = group;
  return self;
}

static GListModel *
children_new (StriaModelOutline *self, guint32 group)
{
  GListStore *store = g_list_store_new (STRIA_TYPE_MODEL_ITEM);
  guint32 n_groups, n_nodes;
  const guint32 *groups = stria_graph_group_groups (self->graph->graph, group, &n_groups);
  const guint32 *nodes = stria_graph_group_nodes (self->graph->graph, group, &n_nodes);
  g_autoptr (GPtrArray) items = g_ptr_array_new_full (n_groups + n_nodes, g_object_unref);

  for (guint32 i = 0; i < n_groups; i++)
    g_ptr_array_add (items, item_new (STRIA_NO_NODE, groups[i]));
  for (guint32 i = 0; i < n_nodes; i++)
    g_ptr_array_add (items, item_new (nodes[i], STRIA_NO_GROUP));
  g_list_store_splice (store, 0, 0, items->pdata, items->len);
  return G_LIST_MODEL (store);
}

static GListModel *
create_children (gpointer item, gpointer user_data)
{
  StriaModelItem *row = item;

  return row->group != STRIA_NO_GROUP ? children_new (user_data, row->group) : NULL;
}

static GListModel *
all_nodes (StriaModelOutline *self)
{
  GListStore *store = g_list_store_new (STRIA_TYPE_MODEL_ITEM);
  const guint32 n = stria_graph_n_nodes (self->graph->graph);
  g_autoptr (GPtrArray) items = g_ptr_array_new_full (n, g_object_unref);

  for (guint32 i = 0; i < n; i++)
    g_ptr_array_add (items, item_new (i, STRIA_NO_GROUP));
  g_list_store_splice (store, 0, 0, items->pdata, items->len);
  return G_LIST_MODEL (store);
}

static const char *
label_of (StriaModelOutline *self, const StriaModelItem *item)
{
  StriaGraph *graph = self->graph->graph;

  return stria_graph_text (graph, item->node != STRIA_NO_NODE
                                      ? stria_graph_node (graph, item->node)->label
                                      : stria_graph_group (graph, item->group)->label);
}

static const char *
id_of (StriaModelOutline *self, const StriaModelItem *item)
{
  StriaGraph *graph = self->graph->graph;

  return stria_graph_text (graph, item->node != STRIA_NO_NODE
                                      ? stria_graph_node (graph, item->node)->id
                                      : stria_graph_group (graph, item->group)->id);
}

static gboolean
matches (gpointer object, gpointer user_data)
{
  StriaModelOutline *self = user_data;
  const StriaModelItem *item = object;
  g_autofree char *label = NULL;
  g_autofree char *id = NULL;

  if (self->needle == NULL || *self->needle == '\0')
    return TRUE;
  label = g_utf8_casefold (label_of (self, item), -1);
  id = g_utf8_casefold (id_of (self, item), -1);
  return strstr (label, self->needle) != NULL || strstr (id, self->needle) != NULL;
}

static gboolean
wants_tree (StriaModelOutline *self)
{
  return gtk_toggle_button_get_active (self->tree_button)
         && gtk_editable_get_text (GTK_EDITABLE (self->entry))[0] == '\0';
}

static void
fill (StriaModelOutline *self)
{
  GListModel *model;
  GtkSingleSelection *selection;

  if (self->graph == NULL)
    return;
  if (wants_tree (self))
    model = G_LIST_MODEL (gtk_tree_list_model_new (children_new (self, STRIA_NO_GROUP), FALSE,
                                                   FALSE, create_children, self, NULL));
  else
    {
      GtkFilterListModel *filtered = gtk_filter_list_model_new (
          all_nodes (self), GTK_FILTER (g_object_ref (self->filter)));

      gtk_filter_list_model_set_incremental (filtered, TRUE);
      model = G_LIST_MODEL (filtered);
    }
  selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (selection, FALSE);
  gtk_single_selection_set_can_unselect (selection, TRUE);
  gtk_single_selection_set_model (selection, model);
  g_object_unref (model);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (selection));
  g_object_unref (selection);
}

static void
on_filter (StriaModelOutline *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  const gboolean was_filtered = self->needle != NULL && *self->needle != '\0';

  g_free (self->needle);
  self->needle = g_utf8_casefold (text, -1);
  if (was_filtered != (*self->needle != '\0'))
    fill (self);
  gtk_filter_changed (GTK_FILTER (self->filter), GTK_FILTER_CHANGE_DIFFERENT);
}

static StriaModelItem *
item_at (GListModel *model, guint position)
{
  g_autoptr (GObject) object = g_list_model_get_item (model, position);

  if (GTK_IS_TREE_LIST_ROW (object))
    return STRIA_MODEL_ITEM (gtk_tree_list_row_get_item (GTK_TREE_LIST_ROW (object)));
  return STRIA_MODEL_ITEM (g_steal_pointer (&object));
}

static void
on_activate (StriaModelOutline *self, guint position)
{
  GtkSelectionModel *model = gtk_list_view_get_model (self->list);
  g_autoptr (StriaModelItem) item = item_at (G_LIST_MODEL (model), position);

  g_signal_emit (self, signals[ACTIVATED], 0, item->node, item->group);
}

static void
on_setup (StriaModelOutline *self, GtkListItem *list_item)
{
  GtkWidget *expander = gtk_tree_expander_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (NULL);
  GtkWidget *figure = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (figure, "numeric");
  gtk_widget_add_css_class (figure, "dim-label");
  gtk_widget_add_css_class (figure, "caption");
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), figure);
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), box);
  gtk_list_item_set_child (list_item, expander);
}

static void
on_bind (StriaModelOutline *self, GtkListItem *list_item)
{
  GtkTreeExpander *expander = GTK_TREE_EXPANDER (gtk_list_item_get_child (list_item));
  GtkWidget *box = gtk_tree_expander_get_child (expander);
  GtkWidget *label = gtk_widget_get_first_child (box);
  GtkWidget *figure = gtk_widget_get_next_sibling (label);
  gpointer object = gtk_list_item_get_item (list_item);
  g_autoptr (StriaModelItem) item = NULL;
  const StriaGraphFigure *shown = NULL;

  if (GTK_IS_TREE_LIST_ROW (object))
    {
      item = gtk_tree_list_row_get_item (object);
      gtk_tree_expander_set_list_row (expander, object);
    }
  else
    {
      item = g_object_ref (object);
      gtk_tree_expander_set_list_row (expander, NULL);
    }
  if (item->node != STRIA_NO_NODE)
    shown = self->nodes != NULL ? &self->nodes[item->node] : NULL;
  else
    shown = self->groups != NULL ? &self->groups[item->group] : NULL;
  gtk_label_set_label (GTK_LABEL (label), label_of (self, item));
  gtk_widget_set_tooltip_text (label, id_of (self, item));
  gtk_label_set_label (GTK_LABEL (figure),
                       shown != NULL && shown->state == STRIA_FIGURE_VALUE ? shown->text : "");
}

static void
make_factory (StriaModelOutline *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect_swapped (factory, "setup", G_CALLBACK (on_setup), self);
  g_signal_connect_swapped (factory, "bind", G_CALLBACK (on_bind), self);
  gtk_list_view_set_factory (self->list, factory);
  g_object_unref (factory);
}

static void
update_figures (StriaModelOutline *self)
{
  g_clear_pointer (&self->nodes, g_free);
  g_clear_pointer (&self->groups, g_free);
  if (self->graph == NULL || self->index != stria_model_state_get_index (self->state))
    return;
  stria_model_index_figures (self->index, self->graph, stria_model_state_get_metric (self->state),
                             &self->nodes, &self->groups);
  /* Rows are bound anew by another factory. */
  make_factory (self);
}

static void
stria_model_outline_dispose (GObject *object)
{
  StriaModelOutline *self = STRIA_MODEL_OUTLINE (object);

  if (self->list != NULL)
    gtk_list_view_set_model (self->list, NULL);
  self->list = NULL;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->filter);
  g_clear_object (&self->state);
  g_clear_pointer (&self->index, stria_model_index_unref);
  g_clear_pointer (&self->nodes, g_free);
  g_clear_pointer (&self->groups, g_free);
  g_clear_pointer (&self->needle, g_free);
  self->graph = NULL;
  G_OBJECT_CLASS (stria_model_outline_parent_class)->dispose (object);
}

static void
stria_model_outline_class_init (StriaModelOutlineClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_model_outline_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[ACTIVATED]
      = g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                      NULL, G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
}

static GtkWidget *
bar_new (StriaModelOutline *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *linked = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *tree = gtk_toggle_button_new_with_label (_ ("Tree"));
  GtkWidget *flat = gtk_toggle_button_new_with_label (_ ("List"));

  gtk_widget_add_css_class (bar, "panel-header");
  gtk_widget_add_css_class (linked, "linked");
  gtk_widget_set_valign (linked, GTK_ALIGN_CENTER);
  gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (flat), GTK_TOGGLE_BUTTON (tree));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (tree), TRUE);
  gtk_widget_set_tooltip_text (tree, _ ("Nodes in their groups"));
  gtk_widget_set_tooltip_text (flat, _ ("All nodes in the order of the file"));
  gtk_box_append (GTK_BOX (linked), tree);
  gtk_box_append (GTK_BOX (linked), flat);
  gtk_box_append (GTK_BOX (bar), linked);
  self->tree_button = GTK_TOGGLE_BUTTON (tree);
  self->entry = gtk_search_entry_new ();
  g_object_set (self->entry, "placeholder-text", _ ("Filter"), NULL);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 6);
  gtk_widget_set_hexpand (self->entry, TRUE);
  gtk_widget_set_valign (self->entry, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->entry, _ ("Show only nodes whose name or id has this text"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Filter the outline"), -1);
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (on_filter), self);
  g_signal_connect_swapped (tree, "toggled", G_CALLBACK (fill), self);
  gtk_box_append (GTK_BOX (bar), self->entry);
  return bar;
}

static void
stria_model_outline_init (StriaModelOutline *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->filter = gtk_custom_filter_new (matches, self, NULL);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), bar_new (self));
  self->list = GTK_LIST_VIEW (gtk_list_view_new (NULL, NULL));
  gtk_list_view_set_single_click_activate (self->list, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "outline");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Nodes of the graph"), -1);
  g_signal_connect_swapped (self->list, "activate", G_CALLBACK (on_activate), self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->list));
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (self->box), scroller);
  gtk_widget_set_size_request (self->box, WIDTH, -1);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
stria_model_outline_new (StriaModelState *state, guint graph)
{
  StriaModelOutline *self = g_object_new (STRIA_TYPE_MODEL_OUTLINE, NULL);

  self->state = g_object_ref (state);
  self->index = stria_model_index_ref (stria_model_state_get_index (state));
  self->graph = self->index->graphs->pdata[graph];
  update_figures (self);
  fill (self);
  g_signal_connect_object (state, "metric-changed", G_CALLBACK (update_figures), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
