/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-area-private.h"

#include <math.h>

/**
 * SECTION:stria-graph-area-layout
 *
 * What is open and what is left out: each change asks a worker for another scene. A newer request
 * cancels the one in work; the scene that is shown stays until the new one comes.
 */

#define BUSY_AFTER_MS 300
#define FIRST_ITEMS   200  /* so many boxes are a picture at first sight */
#define THIN_ZOOM     0.25 /* a whole graph smaller than this is begun at its beginning */
#define EDGE_PX       24.0

typedef struct
{
  StriaFold  *fold;
  StriaScene *previous;
} Order;

static void
order_free (gpointer data)
{
  Order *order = data;

  stria_fold_free (order->fold);
  g_clear_pointer (&order->previous, stria_scene_unref);
  g_free (order);
}

StriaGraphSpot
stria_graph_spot (const StriaScene *scene, guint32 item)
{
  if (item >= scene->n_items)
    return STRIA_NO_SPOT;
  return (StriaGraphSpot){ scene->items[item].node, scene->items[item].group,
                           scene->items[item].section };
}

gboolean
stria_graph_spot_is_none (StriaGraphSpot spot)
{
  return spot.node == STRIA_NO_NODE && spot.group == STRIA_NO_GROUP && spot.section == G_MAXUINT32;
}

gboolean
stria_graph_spot_is_item (const StriaScene *scene, StriaGraphSpot spot, guint32 item)
{
  return item < scene->n_items && scene->items[item].node == spot.node
         && scene->items[item].group == spot.group && scene->items[item].section == spot.section;
}

guint32
stria_graph_spot_find (const StriaScene *scene, StriaGraphSpot spot)
{
  if (spot.node < stria_graph_n_nodes (scene->graph))
    return scene->item_of_node[spot.node];
  if (spot.section != G_MAXUINT32)
    {
      for (guint32 i = 0; i < scene->n_items; i++)
        if (stria_graph_spot_is_item (scene, spot, i))
          return i;
      return spot.group < stria_graph_n_groups (scene->graph) ? scene->item_of_group[spot.group]
                                                              : STRIA_NO_ITEM;
    }
  return spot.group < stria_graph_n_groups (scene->graph) ? scene->item_of_group[spot.group]
                                                          : STRIA_NO_ITEM;
}

StriaGraphSpot
stria_graph_area_default_anchor (StriaGraphArea *self)
{
  const double width = gtk_widget_get_width (GTK_WIDGET (self)) / self->zoom;
  const double height = gtk_widget_get_height (GTK_WIDGET (self)) / self->zoom;
  guint32 item;

  if (self->scene == NULL)
    return STRIA_NO_SPOT;
  item = stria_graph_spot_find (self->scene, self->spot);
  if (item != STRIA_NO_ITEM)
    {
      const StriaSceneItem *box = &self->scene->items[item];

      if ((double) box->x < self->x + width && (double) (box->x + box->width) > self->x
          && (double) box->y < self->y + height && (double) (box->y + box->height) > self->y)
        return self->spot;
    }
  if (self->pointer_inside)
    item = stria_scene_hit (self->scene, (float) (self->x + self->pointer_x / self->zoom),
                            (float) (self->y + self->pointer_y / self->zoom));
  else
    item = stria_scene_hit (self->scene, (float) (self->x + width / 2),
                            (float) (self->y + height / 2));
  return stria_graph_spot (self->scene, item);
}

/* How many boxes there are with so many levels open. */
static guint
count_items (StriaGraph *graph, const guint *depth, guint level)
{
  guint n = 0;

  for (guint32 g = 0; g < stria_graph_n_groups (graph); g++)
    n += depth[g] <= level;
  for (guint32 i = 0; i < stria_graph_n_nodes (graph); i++)
    {
      const guint32 group = stria_graph_node_group (graph, i);

      n += group == STRIA_NO_GROUP || depth[group] < level;
    }
  return n;
}

/* As many levels as make a picture that is taken in at a glance; one more where there is but one
 * box. */
guint
stria_graph_first_level (StriaGraph *graph)
{
  const guint32 n = stria_graph_n_groups (graph);
  g_autofree guint *depth = g_new0 (guint, MAX (n, 1));
  guint deepest = 0;
  guint level = 0;

  for (guint32 g = 0; g < n; g++)
    {
      const guint32 parent = stria_graph_group_parent (graph, g);

      depth[g] = parent == STRIA_NO_GROUP ? 0 : depth[parent] + 1;
      deepest = MAX (deepest, depth[g] + 1);
    }
  while (level < deepest
         && (count_items (graph, depth, level + 1) <= FIRST_ITEMS
             || count_items (graph, depth, level) <= level + 1))
    level++;
  return level;
}

void
stria_graph_area_show_first (StriaGraphArea *self)
{
  const double width = gtk_widget_get_width (GTK_WIDGET (self));
  const double height = gtk_widget_get_height (GTK_WIDGET (self));
  const gboolean upright = self->scene->direction == STRIA_GRAPH_TOP_TO_BOTTOM;
  StriaGraphView view;
  double zoom;

  self->fitted = TRUE;
  self->placed = width >= 1 && height >= 1;
  if (!self->placed)
    return;
  stria_graph_view_init (&view, self->scene);
  stria_graph_view_fit (&view, width, height);
  zoom = CLAMP (upright ? width / MAX ((double) self->scene->width, 1)
                        : height / MAX ((double) self->scene->height, 1),
                0, 0.9 * STRIA_GRAPH_FULL_SIZE);
  if (view.zoom < THIN_ZOOM && zoom > 2 * view.zoom)
    {
      /* A thread if it were shown whole: its beginning, so that it can be read. */
      self->fitted = FALSE;
      view.zoom = zoom;
      view.x = upright ? (double) self->scene->width / 2 - width / 2 / zoom : -EDGE_PX / zoom;
      view.y = upright ? -EDGE_PX / zoom : (double) self->scene->height / 2 - height / 2 / zoom;
    }
  stria_graph_area_set_view (self, view.x, view.y, view.zoom);
}

/* Where the anchor's corner is to be in the widget. What was out of sight comes to its edge: a
 * group that is closed from inside must not be lost. */
static void
anchored_view (StriaGraphArea *self, StriaScene *old, double *x, double *y)
{
  const guint32 was = stria_graph_spot_find (old, self->anchor);
  const guint32 is = stria_graph_spot_find (self->scene, self->anchor);
  const double width = gtk_widget_get_width (GTK_WIDGET (self));
  const double height = gtk_widget_get_height (GTK_WIDGET (self));
  const StriaSceneItem *box;
  double px, py;

  if (was == STRIA_NO_ITEM || is == STRIA_NO_ITEM)
    return;
  box = &self->scene->items[is];
  px = ((double) old->items[was].x - *x) * self->zoom;
  py = ((double) old->items[was].y - *y) * self->zoom;
  if (!box->open && (px < 0 || py < 0 || px > width || py > height))
    {
      px = CLAMP (px, EDGE_PX, MAX (width - EDGE_PX - (double) box->width * self->zoom, EDGE_PX));
      py = CLAMP (py, EDGE_PX, MAX (height - EDGE_PX - (double) box->height * self->zoom, EDGE_PX));
    }
  *x = (double) box->x - px / self->zoom;
  *y = (double) box->y - py / self->zoom;
}

static void
adopt (StriaGraphArea *self, StriaScene *scene)
{
  StriaScene *old = g_steal_pointer (&self->scene);
  const StriaGraphAfter after = self->after;
  guint16 *old_marks = self->item_marks != NULL ? g_atomic_rc_box_acquire (self->item_marks) : NULL;
  const double x0 = self->x, y0 = self->y;
  double x = x0, y = y0;

  stria_graph_area_end_move (self);
  self->scene = scene;
  self->serial++;
  self->after = STRIA_AFTER_STAY;
  self->hover_item = STRIA_NO_ITEM;
  self->hover_wire = G_MAXUINT32;
  self->minimap_stale = TRUE;
  stria_graph_area_update_marks (self);
  if (old != NULL && (after == STRIA_AFTER_STAY || after == STRIA_AFTER_REVEAL))
    {
      self->gliding = FALSE;
      anchored_view (self, old, &x, &y);
      /* The picture that is there goes along, so that the eye keeps its hold. */
      self->picture.x += x - x0;
      self->picture.y += y - y0;
      if (after == STRIA_AFTER_STAY)
        self->fitted = FALSE;
      stria_graph_area_set_view (self, x, y, self->zoom);
      if (after == STRIA_AFTER_STAY)
        stria_graph_area_begin_move (self, old, old_marks, x0, y0);
    }
  else if (after == STRIA_AFTER_START || old == NULL)
    stria_graph_area_show_first (self);
  if (after == STRIA_AFTER_FIT && self->placed)
    {
      StriaGraphView view;

      stria_graph_area_stop (self);
      stria_graph_view_init (&view, scene);
      stria_graph_view_fit (&view, gtk_widget_get_width (GTK_WIDGET (self)),
                            gtk_widget_get_height (GTK_WIDGET (self)));
      stria_graph_area_set_view (self, view.x, view.y, view.zoom);
      self->fitted = TRUE;
    }
  if (after == STRIA_AFTER_REVEAL)
    stria_graph_area_bring (self, stria_graph_spot_find (scene, self->reveal));
  self->reveal = STRIA_NO_SPOT;
  stria_graph_area_want_picture (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_clear_pointer (&old, stria_scene_unref);
  g_clear_pointer (&old_marks, g_atomic_rc_box_release);
  stria_graph_area_update_hover (self);
  stria_graph_area_emit_laid_out (self);
}

static void
not_busy (StriaGraphArea *self)
{
  g_clear_handle_id (&self->busy_source, g_source_remove);
  if (self->busy != NULL)
    gtk_widget_set_visible (self->busy, FALSE);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_BUSY, FALSE, -1);
}

static void
on_laid_out (GObject *object, GAsyncResult *result, gpointer data)
{
  StriaGraphArea *self = STRIA_GRAPH_AREA (object);
  GTask *task = G_TASK (result);
  StriaScene *scene = NULL;

  /* A newer request is in work, or the graph is gone. */
  if (g_task_get_cancellable (task) != self->cancellable || self->cancellable == NULL)
    return;
  scene = g_task_propagate_pointer (task, NULL);
  if (scene == NULL)
    return;
  g_clear_object (&self->cancellable);
  not_busy (self);
  adopt (self, scene);
}

static void
lay_out (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Order *order = data;
  GError *error = NULL;
  StriaScene *scene
      = stria_scene_new (order->fold, order->previous, stria_graph_measure, NULL, cancellable,
                         &error);

  if (scene == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, scene, (GDestroyNotify) stria_scene_unref);
}

static gboolean
show_busy (gpointer data)
{
  StriaGraphArea *self = data;

  self->busy_source = 0;
  gtk_widget_set_visible (self->busy, TRUE);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_BUSY, TRUE, -1);
  return G_SOURCE_REMOVE;
}

void
stria_graph_area_cancel_layout (StriaGraphArea *self)
{
  if (self->cancellable == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  not_busy (self);
}

void
stria_graph_area_relayout (StriaGraphArea *self, StriaGraphSpot anchor, StriaGraphAfter after)
{
  g_autoptr (GTask) task = NULL;
  Order *order = NULL;

  if (self->fold == NULL)
    return;
  after = self->cancellable != NULL ? MAX (after, self->after) : after;
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  order = g_new0 (Order, 1);
  order->fold = stria_fold_copy (self->fold);
  order->previous = self->scene != NULL ? stria_scene_ref (self->scene) : NULL;
  self->cancellable = g_cancellable_new ();
  self->anchor = anchor;
  self->after = after;
  task = g_task_new (self, self->cancellable, on_laid_out, NULL);
  g_task_set_task_data (task, order, order_free);
  g_task_run_in_thread (task, lay_out);
  if (self->busy_source == 0 && !gtk_widget_get_visible (self->busy))
    self->busy_source = g_timeout_add (BUSY_AFTER_MS, show_busy, self);
}

void
stria_graph_area_set_open (StriaGraphArea *self, StriaGraphSpot spot, gboolean open)
{
  if (self->fold == NULL || spot.node != STRIA_NO_NODE || stria_graph_spot_is_none (spot))
    return;
  if (spot.section != G_MAXUINT32)
    stria_fold_set_section_open (self->fold, spot.group, spot.section, open);
  else if (stria_fold_is_open (self->fold, spot.group) != open)
    stria_fold_set_open (self->fold, spot.group, open);
  else
    return;
  stria_graph_area_relayout (self, spot, STRIA_AFTER_STAY);
}

/**
 * stria_graph_area_set_level:
 * @level: 0: all folded; n: so many levels open; %G_MAXUINT: all open
 */
void
stria_graph_area_set_level (StriaGraphArea *self, guint level)
{
  g_return_if_fail (STRIA_IS_GRAPH_AREA (self));

  if (self->fold == NULL)
    return;
  stria_fold_set_level (self->fold, level);
  stria_graph_area_relayout (self, STRIA_NO_SPOT, STRIA_AFTER_START);
}

void
stria_graph_area_set_direction (StriaGraphArea *self, StriaGraphDirection direction)
{
  g_return_if_fail (STRIA_IS_GRAPH_AREA (self));

  if (self->fold == NULL || stria_fold_get_direction (self->fold) == direction)
    return;
  stria_fold_set_direction (self->fold, direction);
  stria_graph_area_relayout (self, STRIA_NO_SPOT, STRIA_AFTER_START);
}

StriaGraphDirection
stria_graph_area_get_direction (StriaGraphArea *self)
{
  g_return_val_if_fail (STRIA_IS_GRAPH_AREA (self), STRIA_GRAPH_LEFT_TO_RIGHT);

  return self->fold != NULL ? stria_fold_get_direction (self->fold) : STRIA_GRAPH_LEFT_TO_RIGHT;
}

/**
 * stria_graph_area_set_rows:
 * @rows: whether what is very long is set in rows, as words are in lines; default: yes
 */
void
stria_graph_area_set_rows (StriaGraphArea *self, gboolean rows)
{
  g_return_if_fail (STRIA_IS_GRAPH_AREA (self));

  if (self->fold == NULL || stria_fold_get_rows (self->fold) == (rows != FALSE))
    return;
  stria_fold_set_rows (self->fold, rows);
  stria_graph_area_relayout (self, STRIA_NO_SPOT, STRIA_AFTER_START);
}

gboolean
stria_graph_area_get_rows (StriaGraphArea *self)
{
  g_return_val_if_fail (STRIA_IS_GRAPH_AREA (self), TRUE);

  return self->fold == NULL || stria_fold_get_rows (self->fold);
}

/**
 * stria_graph_area_isolate:
 * @up: edges to go against their direction; %G_MAXUINT: all
 * @down: edges to go along it
 *
 * Leaves out all but what is that near to the selected nodes, or to those of the selected group.
 *
 * Returns: %FALSE if nothing is selected
 */
gboolean
stria_graph_area_isolate (StriaGraphArea *self, guint up, guint down)
{
  g_autoptr (GArray) nodes = NULL;

  g_return_val_if_fail (STRIA_IS_GRAPH_AREA (self), FALSE);

  if (self->fold == NULL)
    return FALSE;
  nodes = stria_graph_area_meant_nodes (self);
  if (nodes->len == 0)
    return FALSE;
  stria_fold_isolate (self->fold, (const guint32 *) (gpointer) nodes->data, nodes->len, up, down);
  stria_graph_area_relayout (self, self->spot, STRIA_AFTER_FIT);
  return TRUE;
}

void
stria_graph_area_show_all (StriaGraphArea *self)
{
  g_return_if_fail (STRIA_IS_GRAPH_AREA (self));

  if (self->fold == NULL || !stria_fold_is_isolated (self->fold))
    return;
  stria_fold_isolate (self->fold, NULL, 0, 0, 0);
  self->reveal = self->spot;
  stria_graph_area_relayout (self, self->spot,
                             stria_graph_spot_is_none (self->spot) ? STRIA_AFTER_FIT
                                                                   : STRIA_AFTER_REVEAL);
}

gboolean
stria_graph_area_is_isolated (StriaGraphArea *self)
{
  g_return_val_if_fail (STRIA_IS_GRAPH_AREA (self), FALSE);

  return self->fold != NULL && stria_fold_is_isolated (self->fold);
}

void
stria_graph_area_show_kind (StriaGraphArea *self, StriaNodeKind kind, gboolean show)
{
  g_return_if_fail (STRIA_IS_GRAPH_AREA (self));

  if (self->fold == NULL || stria_fold_shows_kind (self->fold, kind) == (show != FALSE))
    return;
  stria_fold_show_kind (self->fold, kind, show);
  stria_graph_area_relayout (self, stria_graph_area_default_anchor (self), STRIA_AFTER_STAY);
}

gboolean
stria_graph_area_shows_kind (StriaGraphArea *self, StriaNodeKind kind)
{
  g_return_val_if_fail (STRIA_IS_GRAPH_AREA (self), FALSE);

  return self->fold != NULL && stria_fold_shows_kind (self->fold, kind);
}

/**
 * stria_graph_area_reveal:
 * @node: or %STRIA_NO_NODE
 * @group: looked at if there is no @node
 *
 * Opens what is around it and moves it into sight. Selects nothing.
 */
void
stria_graph_area_reveal (StriaGraphArea *self, guint32 node, guint32 group)
{
  StriaGraphSpot spot = { STRIA_NO_NODE, STRIA_NO_GROUP, G_MAXUINT32 };
  guint32 item;

  g_return_if_fail (STRIA_IS_GRAPH_AREA (self));

  if (self->fold == NULL)
    return;
  if (node < stria_graph_n_nodes (self->graph))
    {
      spot.node = node;
      stria_fold_reveal_node (self->fold, node);
    }
  else if (group < stria_graph_n_groups (self->graph))
    {
      spot.group = group;
      stria_fold_reveal_group (self->fold, group);
    }
  else
    return;
  item = self->scene != NULL ? stria_graph_spot_find (self->scene, spot) : STRIA_NO_ITEM;
  if (self->cancellable == NULL && self->scene != NULL
      && stria_graph_spot_is_item (self->scene, spot, item))
    {
      stria_graph_area_bring (self, item);
      return;
    }
  self->reveal = spot;
  stria_graph_area_relayout (self, spot, STRIA_AFTER_REVEAL);
}

gboolean
stria_graph_area_is_busy (StriaGraphArea *self)
{
  g_return_val_if_fail (STRIA_IS_GRAPH_AREA (self), FALSE);

  return self->cancellable != NULL;
}
