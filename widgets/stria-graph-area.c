/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-area-private.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-drawn.h"

#define MINIMAP_WIDTH  210.0
#define MINIMAP_HEIGHT 140.0
#define MINIMAP_LEAST  30.0
#define MINIMAP_MARGIN 12.0
#define KEEP_PX        60.0 /* so much of the scene always stays in sight */
#define BUSY_MARGIN    12
#define COVER_PX       80.0

G_DEFINE_FINAL_TYPE (StriaGraphArea, stria_graph_area, GTK_TYPE_WIDGET)

enum
{
  SELECTION_CHANGED,
  ACTIVATED,
  VIEW_CHANGED,
  LAID_OUT,
  HOVER_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* -- Geometry ---------------------------------------------------------------------------------- */

/* @low may be above @high: then the scene is smaller than the widget and stays wholly inside. */
static double
keep_between (double value, double low, double high)
{
  return low < high ? CLAMP (value, low, high) : CLAMP (value, high, low);
}

/* Listeners may ask for another size, which must not be done while sizes are given out. */
static gboolean
emit_view_changed (gpointer data)
{
  StriaGraphArea *self = data;

  self->view_source = 0;
  g_signal_emit (self, signals[VIEW_CHANGED], 0);
  return G_SOURCE_REMOVE;
}

/* Whether the picture that is there has all that is seen and some more. */
static gboolean
is_covered (StriaGraphArea *self)
{
  const StriaGraphPicture *picture = &self->picture;
  const double left = (self->x - picture->x) * self->zoom;
  const double top = (self->y - picture->y) * self->zoom;
  const double right = picture->width - left - gtk_widget_get_width (GTK_WIDGET (self));
  const double bottom = picture->height - top - gtk_widget_get_height (GTK_WIDGET (self));

  return picture->texture != NULL && !picture->in_motion && picture->zoom == self->zoom
         && MIN (MIN (left, right), MIN (top, bottom)) >= COVER_PX;
}

void
stria_graph_area_set_view (StriaGraphArea *self, double x, double y, double zoom)
{
  const double width = gtk_widget_get_width (GTK_WIDGET (self)) / zoom;
  const double height = gtk_widget_get_height (GTK_WIDGET (self)) / zoom;
  const double keep = KEEP_PX / zoom;

  if (self->scene == NULL)
    return;
  x = keep_between (x, keep - width, (double) self->scene->width - keep);
  y = keep_between (y, keep - height, (double) self->scene->height - keep);
  if (x == self->x && y == self->y && zoom == self->zoom)
    return;
  self->x = x;
  self->y = y;
  self->zoom = zoom;
  if (!is_covered (self))
    stria_graph_area_want_picture (self);
  stria_graph_area_update_hover (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (!self->allocating)
    g_signal_emit (self, signals[VIEW_CHANGED], 0);
  else if (self->view_source == 0)
    self->view_source = g_idle_add_full (G_PRIORITY_DEFAULT, emit_view_changed, self, NULL);
}

/* Where the minimap is. Returns: %FALSE if it is not shown: all is in sight, or it is hidden. */
gboolean
stria_graph_area_minimap_rect (StriaGraphArea *self, graphene_rect_t *rect)
{
  const double width = gtk_widget_get_width (GTK_WIDGET (self));
  const double height = gtk_widget_get_height (GTK_WIDGET (self));
  double scale, w, h;

  if (self->scene == NULL || !self->minimap_shown || width < 2.2 * MINIMAP_WIDTH
      || height < 2.2 * MINIMAP_HEIGHT)
    return FALSE;
  if (self->x <= 0 && self->y <= 0 && self->x + width / self->zoom >= (double) self->scene->width
      && self->y + height / self->zoom >= (double) self->scene->height)
    return FALSE;
  scale = MIN (MINIMAP_WIDTH / MAX ((double) self->scene->width, 1),
               MINIMAP_HEIGHT / MAX ((double) self->scene->height, 1));
  w = ceil (MAX ((double) self->scene->width * scale, MINIMAP_LEAST));
  h = ceil (MAX ((double) self->scene->height * scale, MINIMAP_LEAST));
  *rect = GRAPHENE_RECT_INIT ((float) (width - w - MINIMAP_MARGIN),
                              (float) (height - h - MINIMAP_MARGIN), (float) w, (float) h);
  return TRUE;
}

void
stria_graph_area_minimap_view (StriaGraphArea *self, const graphene_rect_t *rect,
                               StriaGraphView *view)
{
  stria_graph_view_init (view, self->scene);
  stria_graph_view_fit (view, (double) rect->size.width, (double) rect->size.height);
}

/* -- Figures and marks ------------------------------------------------------------------------- */

static gpointer
shared_copy (gconstpointer data, gsize size)
{
  gpointer copy = NULL;

  if (data == NULL || size == 0)
    return NULL;
  copy = g_atomic_rc_box_alloc (size);
  return memcpy (copy, data, size);
}

static void
drop_shared (StriaGraphArea *self)
{
  g_clear_pointer (&self->node_marks, g_atomic_rc_box_release);
  g_clear_pointer (&self->group_marks, g_atomic_rc_box_release);
  g_clear_pointer (&self->item_marks, g_atomic_rc_box_release);
  g_clear_pointer (&self->node_figures, g_atomic_rc_box_release);
  g_clear_pointer (&self->group_figures, g_atomic_rc_box_release);
  g_clear_pointer (&self->boxes, g_atomic_rc_box_release);
}

/**
 * stria_graph_area_set_figures:
 * @nodes: (nullable): by node of the graph
 * @groups: (nullable): by group
 * @diverging: they are differences, from -1 to 1
 */
void
stria_graph_area_set_figures (StriaGraphArea *self, const StriaGraphFigure *nodes,
                              const StriaGraphFigure *groups, gboolean diverging)
{
  g_return_if_fail (STRIA_IS_GRAPH_AREA (self));

  g_clear_pointer (&self->node_figures, g_atomic_rc_box_release);
  g_clear_pointer (&self->group_figures, g_atomic_rc_box_release);
  if (self->graph != NULL)
    {
      self->node_figures
          = shared_copy (nodes, sizeof *nodes * stria_graph_n_nodes (self->graph));
      self->group_figures
          = shared_copy (groups, sizeof *groups * stria_graph_n_groups (self->graph));
    }
  self->diverging = diverging;
  self->minimap_stale = TRUE;
  stria_graph_area_want_picture (self);
  stria_graph_area_update_actions (self);
}

/**
 * stria_graph_area_set_marks:
 * @nodes: (nullable): #StriaGraphMark by node of the graph
 * @groups: (nullable): by group
 */
void
stria_graph_area_set_marks (StriaGraphArea *self, const guint16 *nodes, const guint16 *groups)
{
  g_return_if_fail (STRIA_IS_GRAPH_AREA (self));

  g_clear_pointer (&self->node_marks, g_atomic_rc_box_release);
  g_clear_pointer (&self->group_marks, g_atomic_rc_box_release);
  if (self->graph != NULL)
    {
      self->node_marks = shared_copy (nodes, sizeof *nodes * stria_graph_n_nodes (self->graph));
      self->group_marks = shared_copy (groups, sizeof *groups * stria_graph_n_groups (self->graph));
    }
  stria_graph_area_update_marks (self);
}

/* -- Selection --------------------------------------------------------------------------------- */

static void
update_description (StriaGraphArea *self)
{
  g_free (self->description);
  self->description = stria_graph_area_describe (self, self->spot);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                  self->description, -1);
  stria_drawn_describe (GTK_WIDGET (self), self->description, _ ("Table"));
}

void
stria_graph_area_select_all (StriaGraphArea *self, GArray *nodes, StriaGraphSpot spot)
{
  g_array_unref (self->nodes);
  self->nodes = nodes;
  self->spot = spot;
  update_description (self);
  stria_graph_area_update_marks (self);
  stria_graph_area_update_actions (self);
  g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

void
stria_graph_area_select_spot (StriaGraphArea *self, StriaGraphSpot spot)
{
  GArray *nodes = NULL;

  if (spot.node == self->spot.node && spot.group == self->spot.group
      && spot.section == self->spot.section && self->nodes->len == (spot.node != STRIA_NO_NODE))
    return;
  nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (spot.node != STRIA_NO_NODE)
    g_array_append_val (nodes, spot.node);
  stria_graph_area_select_all (self, nodes, spot);
}

/**
 * stria_graph_area_select:
 * @node: or %STRIA_NO_NODE
 * @group: or %STRIA_NO_GROUP; looked at if there is no @node
 */
void
stria_graph_area_select (StriaGraphArea *self, guint32 node, guint32 group)
{
  g_return_if_fail (STRIA_IS_GRAPH_AREA (self));

  if (self->graph == NULL || node >= stria_graph_n_nodes (self->graph))
    node = STRIA_NO_NODE;
  if (self->graph == NULL || node != STRIA_NO_NODE || group >= stria_graph_n_groups (self->graph))
    group = STRIA_NO_GROUP;
  stria_graph_area_select_spot (self, (StriaGraphSpot){ node, group, G_MAXUINT32 });
}

guint32
stria_graph_area_get_node (StriaGraphArea *self)
{
  g_return_val_if_fail (STRIA_IS_GRAPH_AREA (self), STRIA_NO_NODE);

  return self->spot.node;
}

guint32
stria_graph_area_get_group (StriaGraphArea *self)
{
  g_return_val_if_fail (STRIA_IS_GRAPH_AREA (self), STRIA_NO_GROUP);

  return self->spot.section == G_MAXUINT32 ? self->spot.group : STRIA_NO_GROUP;
}

GArray *
stria_graph_area_get_nodes (StriaGraphArea *self)
{
  g_return_val_if_fail (STRIA_IS_GRAPH_AREA (self), NULL);

  return self->nodes;
}

static gboolean
is_inside (StriaGraph *graph, guint32 group, guint32 outer)
{
  while (group != STRIA_NO_GROUP && group != outer)
    group = stria_graph_group_parent (graph, group);
  return group == outer;
}

GArray *
stria_graph_area_meant_nodes (StriaGraphArea *self)
{
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  const guint32 item
      = self->scene != NULL ? stria_graph_spot_find (self->scene, self->spot) : STRIA_NO_ITEM;

  if (self->nodes->len > 0)
    g_array_append_vals (nodes, self->nodes->data, self->nodes->len);
  else if (!stria_graph_spot_is_none (self->spot) && self->graph != NULL)
    for (guint32 i = 0; i < stria_graph_n_nodes (self->graph); i++)
      {
        if (self->spot.section != G_MAXUINT32
                ? item != STRIA_NO_ITEM && self->scene->item_of_node[i] == item
                : is_inside (self->graph, stria_graph_node_group (self->graph, i),
                             self->spot.group))
          g_array_append_val (nodes, i);
      }
  return nodes;
}

void
stria_graph_area_emit_activated (StriaGraphArea *self, guint32 node)
{
  g_signal_emit (self, signals[ACTIVATED], 0, node);
}

void
stria_graph_area_emit_laid_out (StriaGraphArea *self)
{
  update_description (self);
  stria_graph_area_update_actions (self);
  g_signal_emit (self, signals[LAID_OUT], 0);
}

void
stria_graph_area_emit_hover_changed (StriaGraphArea *self)
{
  g_signal_emit (self, signals[HOVER_CHANGED], 0);
}

/* -- View -------------------------------------------------------------------------------------- */

/**
 * stria_graph_area_fit:
 *
 * Shows the whole scene.
 */
void
stria_graph_area_fit (StriaGraphArea *self)
{
  StriaGraphView view;

  g_return_if_fail (STRIA_IS_GRAPH_AREA (self));

  self->fitted = TRUE;
  if (self->after == STRIA_AFTER_START && self->cancellable != NULL)
    self->after = STRIA_AFTER_FIT;
  if (self->scene == NULL || gtk_widget_get_width (GTK_WIDGET (self)) < 1)
    return;
  stria_graph_view_init (&view, self->scene);
  stria_graph_view_fit (&view, gtk_widget_get_width (GTK_WIDGET (self)),
                        gtk_widget_get_height (GTK_WIDGET (self)));
  stria_graph_area_glide_to (self, view.x, view.y, view.zoom);
  self->fitted = TRUE;
}

/**
 * stria_graph_area_zoom:
 * @factor: above 1 shows it larger; the middle stays, or the selected box where it is in sight
 */
void
stria_graph_area_zoom (StriaGraphArea *self, double factor)
{
  double x, y;
  guint32 item;

  g_return_if_fail (STRIA_IS_GRAPH_AREA (self));

  if (self->scene == NULL)
    return;
  x = gtk_widget_get_width (GTK_WIDGET (self)) / 2.0;
  y = gtk_widget_get_height (GTK_WIDGET (self)) / 2.0;
  item = stria_graph_spot_find (self->scene, self->spot);
  if (item != STRIA_NO_ITEM)
    {
      const StriaSceneItem *box = &self->scene->items[item];
      const double bx = ((double) (box->x + box->width / 2) - self->x) * self->zoom;
      const double by = ((double) (box->y + box->height / 2) - self->y) * self->zoom;

      if (bx >= 0 && by >= 0 && bx <= 2 * x && by <= 2 * y)
        {
          x = bx;
          y = by;
        }
    }
  stria_graph_area_zoom_at (self, x, y, factor, TRUE);
}

const StriaGraphView *
stria_graph_area_get_view (StriaGraphArea *self)
{
  static StriaGraphView view;

  g_return_val_if_fail (STRIA_IS_GRAPH_AREA (self), NULL);

  if (self->scene == NULL)
    return NULL;
  stria_graph_view_init (&view, self->scene);
  view.x = self->x;
  view.y = self->y;
  view.zoom = self->zoom;
  view.dark = self->dark;
  view.node_marks = self->node_marks;
  view.group_marks = self->group_marks;
  view.item_marks = self->item_marks;
  view.node_figures = self->node_figures;
  view.group_figures = self->group_figures;
  view.diverging = self->diverging;
  view.hover_item = self->hover_item;
  view.hover_wire = self->hover_wire;
  return &view;
}

/**
 * stria_graph_area_set_minimap:
 * @shown: whether there is one where not all of the graph is in sight
 */
void
stria_graph_area_set_minimap (StriaGraphArea *self, gboolean shown)
{
  g_return_if_fail (STRIA_IS_GRAPH_AREA (self));

  self->minimap_shown = shown != FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
stria_graph_area_get_minimap (StriaGraphArea *self)
{
  g_return_val_if_fail (STRIA_IS_GRAPH_AREA (self), FALSE);

  return self->minimap_shown;
}

/* -- The graph --------------------------------------------------------------------------------- */

/**
 * stria_graph_area_set_graph:
 * @graph: (nullable): what is shown
 *
 * Selection, search, marks and figures of the graph before are gone.
 */
void
stria_graph_area_set_graph (StriaGraphArea *self, StriaGraph *graph)
{
  g_return_if_fail (STRIA_IS_GRAPH_AREA (self));

  if (graph == self->graph)
    return;
  stria_graph_area_stop (self);
  stria_graph_area_cancel_layout (self);
  stria_graph_area_clear_search (self);
  stria_graph_area_drop_pictures (self);
  g_clear_pointer (&self->find, stria_graph_find_free);
  g_clear_pointer (&self->scene, stria_scene_unref);
  g_clear_pointer (&self->fold, stria_fold_free);
  g_clear_pointer (&self->graph, stria_graph_unref);
  drop_shared (self);
  self->serial++;
  self->hover_item = STRIA_NO_ITEM;
  self->hover_wire = G_MAXUINT32;
  self->trace_inputs = self->trace_outputs = FALSE;
  if (graph != NULL)
    {
      self->graph = stria_graph_ref (graph);
      self->fold = stria_fold_new (graph);
      stria_fold_set_level (self->fold, stria_graph_first_level (graph));
      stria_graph_area_relayout (self, STRIA_NO_SPOT, STRIA_AFTER_START);
      stria_graph_area_prepare_search (self);
    }
  stria_graph_area_select_spot (self, STRIA_NO_SPOT);
  update_description (self);
  stria_graph_area_update_actions (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

StriaGraph *
stria_graph_area_get_graph (StriaGraphArea *self)
{
  g_return_val_if_fail (STRIA_IS_GRAPH_AREA (self), NULL);

  return self->graph;
}

/* -- The widget -------------------------------------------------------------------------------- */

static void
on_dark_changed (StriaGraphArea *self)
{
  self->dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  self->minimap_stale = TRUE;
  stria_graph_area_want_picture (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_scale_changed (StriaGraphArea *self)
{
  self->minimap_stale = TRUE;
  stria_graph_area_want_picture (self);
}

static void
stria_graph_area_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                          int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 160 : 120;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 800 : 500;
}

static void
allocate_busy (StriaGraphArea *self, int width)
{
  int least = 0, natural = 0;
  GtkAllocation box = { .y = BUSY_MARGIN };

  gtk_widget_measure (self->busy, GTK_ORIENTATION_HORIZONTAL, -1, &least, &natural, NULL, NULL);
  box.width = MAX (MIN (natural, width - 2 * BUSY_MARGIN), least);
  gtk_widget_measure (self->busy, GTK_ORIENTATION_VERTICAL, box.width, &least, &natural, NULL,
                      NULL);
  box.height = natural;
  box.x = (width - box.width) / 2;
  gtk_widget_size_allocate (self->busy, &box, -1);
}

static void
stria_graph_area_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  StriaGraphArea *self = STRIA_GRAPH_AREA (widget);

  if (gtk_widget_get_visible (self->busy))
    allocate_busy (self, width);
  if (self->menu != NULL)
    gtk_popover_present (GTK_POPOVER (self->menu));
  self->allocating = TRUE;
  if (self->scene != NULL && !self->placed)
    stria_graph_area_show_first (self);
  else if (self->scene != NULL && self->fitted)
    {
      StriaGraphView view;

      stria_graph_area_stop (self);
      stria_graph_view_init (&view, self->scene);
      stria_graph_view_fit (&view, width, height);
      stria_graph_area_set_view (self, view.x, view.y, view.zoom);
    }
  self->allocating = FALSE;
  stria_graph_area_want_picture (self);
}

static void
stria_graph_area_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (stria_graph_area_parent_class)->map (widget);
  stria_graph_area_want_picture (STRIA_GRAPH_AREA (widget));
}

static void
stria_graph_area_unmap (GtkWidget *widget)
{
  stria_graph_area_stop (STRIA_GRAPH_AREA (widget));
  GTK_WIDGET_CLASS (stria_graph_area_parent_class)->unmap (widget);
}

static void
stria_graph_area_dispose (GObject *object)
{
  StriaGraphArea *self = STRIA_GRAPH_AREA (object);

  stria_graph_area_stop (self);
  stria_graph_area_cancel_layout (self);
  stria_graph_area_drop_pictures (self);
  g_clear_handle_id (&self->view_source, g_source_remove);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_pointer (&self->busy, gtk_widget_unparent);
  g_clear_pointer (&self->find, stria_graph_find_free);
  g_clear_pointer (&self->scene, stria_scene_unref);
  g_clear_pointer (&self->fold, stria_fold_free);
  g_clear_pointer (&self->graph, stria_graph_unref);
  drop_shared (self);
  G_OBJECT_CLASS (stria_graph_area_parent_class)->dispose (object);
}

static void
stria_graph_area_finalize (GObject *object)
{
  StriaGraphArea *self = STRIA_GRAPH_AREA (object);

  g_array_unref (self->nodes);
  g_array_unref (self->matches);
  g_free (self->description);
  G_OBJECT_CLASS (stria_graph_area_parent_class)->finalize (object);
}

static guint
new_signal (const char *name)
{
  return g_signal_new (name, STRIA_TYPE_GRAPH_AREA, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                       G_TYPE_NONE, 0);
}

static void
stria_graph_area_class_init (StriaGraphAreaClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = stria_graph_area_dispose;
  object_class->finalize = stria_graph_area_finalize;
  widget_class->measure = stria_graph_area_measure;
  widget_class->size_allocate = stria_graph_area_size_allocate;
  widget_class->snapshot = stria_graph_area_snapshot;
  widget_class->map = stria_graph_area_map;
  widget_class->unmap = stria_graph_area_unmap;
  signals[SELECTION_CHANGED] = new_signal ("selection-changed");
  signals[ACTIVATED] = g_signal_new ("activated", STRIA_TYPE_GRAPH_AREA, G_SIGNAL_RUN_LAST, 0, NULL,
                                     NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[VIEW_CHANGED] = new_signal ("view-changed");
  signals[LAID_OUT] = new_signal ("laid-out");
  signals[HOVER_CHANGED] = new_signal ("hover-changed");
  gtk_widget_class_set_css_name (widget_class, "grapharea");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  stria_graph_area_install_actions (widget_class);
}

static GtkWidget *
make_busy (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *spinner = gtk_spinner_new ();

  gtk_widget_add_css_class (box, "osd");
  gtk_widget_add_css_class (box, "toolbar");
  gtk_spinner_start (GTK_SPINNER (spinner));
  gtk_box_append (GTK_BOX (box), spinner);
  gtk_box_append (GTK_BOX (box), gtk_label_new (_ ("Laying out the graph…")));
  gtk_widget_set_can_target (box, FALSE);
  gtk_widget_set_visible (box, FALSE);
  return box;
}

static void
stria_graph_area_init (StriaGraphArea *self)
{
  AdwStyleManager *style = adw_style_manager_get_default ();

  self->zoom = STRIA_GRAPH_FULL_SIZE;
  self->spot = self->anchor = self->reveal = STRIA_NO_SPOT;
  self->hover_item = STRIA_NO_ITEM;
  self->hover_wire = G_MAXUINT32;
  self->minimap_shown = TRUE;
  self->nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->matches = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->dark = adw_style_manager_get_dark (style);
  self->busy = make_busy ();
  gtk_widget_set_parent (self->busy, GTK_WIDGET (self));
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Graph"), -1);
  g_signal_connect_object (style, "notify::dark", G_CALLBACK (on_dark_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (on_scale_changed), NULL);
  stria_graph_area_add_controllers (self);
  stria_graph_area_update_actions (self);
}

GtkWidget *
stria_graph_area_new (void)
{
  return g_object_new (STRIA_TYPE_GRAPH_AREA, NULL);
}
