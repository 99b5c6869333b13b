/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-compare-link.h"

#include <math.h>

/* Units of the scene within which one pair of boxes decides alone */
#define NEAR 120.0
/* More pairs do not make it more exact. */
#define MOST_ANCHORS 20000

/* The middles of a box and of its partner's. */
typedef struct
{
  double x[2];
  double y[2];
} Anchor;

struct _StriaModelCompareLink
{
  StriaGraphArea *areas[2];
  const StriaModelPartners *partners;
  GArray  *anchors; /* Anchor */
  gboolean is_active;
  gboolean is_moving; /* what areas tell comes from here */
  guint    leader;    /* the area that was moved last */
};

static void
add_anchor (StriaModelCompareLink *self, const StriaSceneItem *item, const StriaSceneItem *other)
{
  const Anchor anchor = {
    { (double) (item->x + item->width / 2), (double) (other->x + other->width / 2) },
    { (double) (item->y + item->height / 2), (double) (other->y + other->height / 2) },
  };

  g_array_append_val (self->anchors, anchor);
}

/* By node, then by group: item + 1 of the scene */
static guint32 *
find_items (const StriaScene *scene, guint32 *n_nodes)
{
  guint32 *items;

  *n_nodes = stria_graph_n_nodes (scene->graph);
  items = g_new0 (guint32, *n_nodes + stria_graph_n_groups (scene->graph) + 1);
  for (guint32 i = 0; i < scene->n_items; i++)
    if (scene->items[i].node != STRIA_NO_NODE)
      items[scene->items[i].node] = i + 1;
    else if (scene->items[i].group != STRIA_NO_GROUP && scene->items[i].section == G_MAXUINT32)
      items[*n_nodes + scene->items[i].group] = i + 1;
  return items;
}

static void
find_anchors (StriaModelCompareLink *self)
{
  const StriaGraphView *view = stria_graph_area_get_view (self->areas[0]);
  StriaScene *a = view != NULL ? view->scene : NULL;
  StriaScene *b;
  g_autofree guint32 *items = NULL;
  guint32 n_nodes, node, group, step;

  g_array_set_size (self->anchors, 0);
  view = stria_graph_area_get_view (self->areas[1]);
  b = view != NULL ? view->scene : NULL;
  if (a == NULL || b == NULL)
    return;
  items = find_items (b, &n_nodes);
  step = a->n_items / MOST_ANCHORS + 1;
  for (guint32 i = 0; i < a->n_items; i += step)
    {
      const StriaSceneItem *item = &a->items[i];
      guint32 other;

      /* Middles of open groups are far from what is looked at. */
      if (item->open || (item->node == STRIA_NO_NODE && item->section != G_MAXUINT32)
          || !stria_model_partners_find (self->partners, FALSE, item->node, item->group, &node,
                                         &group))
        continue;
      other = items[node != STRIA_NO_NODE ? node : n_nodes + group];
      if (other != 0)
        add_anchor (self, item, &b->items[other - 1]);
    }
}

/* How far the other's scene is shifted around a place: what is near weighs most, so that it is
 * steady while the place moves. */
static void
find_shift (StriaModelCompareLink *self, guint from, double x, double y, double *dx, double *dy)
{
  double weights = 0;

  *dx = *dy = 0;
  for (guint i = 0; i < self->anchors->len; i++)
    {
      const Anchor *anchor = &g_array_index (self->anchors, Anchor, i);
      const double ax = anchor->x[from] - x;
      const double ay = anchor->y[from] - y;
      const double near = (ax * ax + ay * ay) / (NEAR * NEAR);
      const double weight = 1 / (0.01 + near * near);

      weights += weight;
      *dx += weight * (anchor->x[!from] - anchor->x[from]);
      *dy += weight * (anchor->y[!from] - anchor->y[from]);
    }
  if (weights > 0)
    {
      *dx /= weights;
      *dy /= weights;
    }
}

static void
follow_view (StriaModelCompareLink *self, guint leader)
{
  StriaGraphArea *other = self->areas[!leader];
  const StriaGraphView *view = stria_graph_area_get_view (self->areas[leader]);
  double x, y, zoom, dx, dy;

  if (view == NULL)
    return;
  zoom = view->zoom;
  x = view->x + gtk_widget_get_width (GTK_WIDGET (self->areas[leader])) / zoom / 2;
  y = view->y + gtk_widget_get_height (GTK_WIDGET (self->areas[leader])) / zoom / 2;
  find_shift (self, leader, x, y, &dx, &dy);
  self->is_moving = TRUE;
  stria_graph_area_move_to (other, x + dx - gtk_widget_get_width (GTK_WIDGET (other)) / zoom / 2,
                            y + dy - gtk_widget_get_height (GTK_WIDGET (other)) / zoom / 2, zoom);
  self->is_moving = FALSE;
}

/* Groups without a partner stay as they are. */
static void
follow_groups (StriaModelCompareLink *self, guint leader)
{
  StriaGraph *graph = stria_graph_area_get_graph (self->areas[!leader]);
  const guint32 n = stria_graph_n_groups (graph);
  g_autofree guint8 *open = g_new0 (guint8, n + 1);
  guint32 node, group;

  for (guint32 i = 0; i < n; i++)
    open[i] = stria_model_partners_find (self->partners, leader == 0, STRIA_NO_NODE, i, &node,
                                         &group)
                  ? stria_graph_area_is_open (self->areas[leader], group)
                  : stria_graph_area_is_open (self->areas[!leader], i);
  stria_graph_area_set_groups (self->areas[!leader], open);
}

static guint
number_of (StriaModelCompareLink *self, StriaGraphArea *area)
{
  return area == self->areas[1];
}

static void
on_view_changed (StriaGraphArea *area, StriaModelCompareLink *self)
{
  /* While sizes are given out there may be no scene; it comes with "laid-out". */
  if (!self->is_active || self->is_moving)
    return;
  self->leader = number_of (self, area);
  follow_view (self, self->leader);
}

static void
on_laid_out (StriaGraphArea *area, StriaModelCompareLink *self)
{
  if (!self->is_active)
    return;
  find_anchors (self);
  /* Who is led has done what it was told; who leads tells it. */
  if (!stria_graph_area_is_busy (self->areas[!number_of (self, area)]))
    follow_groups (self, number_of (self, area));
  follow_view (self, self->leader);
}

void
stria_model_compare_link_set_active (StriaModelCompareLink *self, gboolean active)
{
  if (active == self->is_active)
    return;
  self->is_active = active;
  if (!active)
    return;
  self->leader = 0;
  find_anchors (self);
  follow_groups (self, 0);
  follow_view (self, 0);
}

StriaModelCompareLink *
stria_model_compare_link_new (StriaGraphArea *a, StriaGraphArea *b,
                              const StriaModelPartners *partners)
{
  StriaModelCompareLink *self = g_new0 (StriaModelCompareLink, 1);

  self->areas[0] = g_object_ref (a);
  self->areas[1] = g_object_ref (b);
  self->partners = partners;
  self->anchors = g_array_new (FALSE, FALSE, sizeof (Anchor));
  for (guint i = 0; i < 2; i++)
    {
      g_signal_connect (self->areas[i], "view-changed", G_CALLBACK (on_view_changed), self);
      g_signal_connect (self->areas[i], "laid-out", G_CALLBACK (on_laid_out), self);
    }
  return self;
}

void
stria_model_compare_link_free (StriaModelCompareLink *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < 2; i++)
    {
      g_signal_handlers_disconnect_by_data (self->areas[i], self);
      g_object_unref (self->areas[i]);
    }
  g_array_unref (self->anchors);
  g_free (self);
}
