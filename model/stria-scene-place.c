/* SPDX-License-Identifier: Apache-2.0 */
/* Where the boxes of a scene stand and how its wires go, container by container. */
#include "config.h"

#include "stria-scene-private.h"

#include <math.h>

#include "stria-fold-private.h"
#include "stria-layout.h"

#define HEADER 26.0f /* of an open group: its title */
#define PADDING 16.0f
#define GAP 20.0f
#define RANK_GAP 56.0f
#define ASPECT 1.6f /* of a picture that fills a window */

static gboolean
is_upright (const StriaSceneWork *self)
{
  return self->scene->direction == STRIA_GRAPH_TOP_TO_BOTTOM;
}

/* What an item is from one scene to the next. */
static gint64
identity (const StriaSceneItem *item)
{
  if (item->node != STRIA_NO_NODE)
    return item->node;
  if (item->section == G_MAXUINT)
    return (gint64)1 << 62 | item->group;
  return (gint64)1 << 61 | (gint64)(item->group + 1) << 20 | item->section;
}

static void
remember_previous (StriaSceneWork *self)
{
  self->previous_items = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  for (guint32 i = 0; self->previous != NULL && i < self->previous->n_items; i++)
    {
      gint64 id = identity (&self->previous->items[i]);
      g_hash_table_insert (self->previous_items, g_memdup2 (&id, sizeof id),
                           GUINT_TO_POINTER (i + 1));
    }
}

/* Where the boxes of a container stood across in the scene before; NULL: it was not there. */
static float *
prior_places (StriaSceneWork *self, guint32 container, guint32 first, guint32 n, float *row_length)
{
  StriaScene *previous = self->previous;
  float *prior;
  guint32 before = STRIA_NO_ITEM;

  if (previous == NULL || previous->direction != self->scene->direction)
    return NULL;
  if (container != STRIA_NO_ITEM)
    {
      gint64 id = identity (item_at (self, container));
      before = GPOINTER_TO_UINT (g_hash_table_lookup (self->previous_items, &id)) - 1;
      if (before == STRIA_NO_ITEM || !previous->items[before].open)
        return NULL;
    }
  *row_length = before == STRIA_NO_ITEM ? previous->row_length : previous->items[before].row_length;
  prior = g_new (float, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    {
      gint64 id = identity (item_at (self, first + i));
      guint32 was = GPOINTER_TO_UINT (g_hash_table_lookup (self->previous_items, &id)) - 1;

      prior[i] = NAN;
      if (was == STRIA_NO_ITEM || previous->items[was].parent != before)
        continue;
      prior[i] = previous->items[was].straight;
    }
  return prior;
}

/* Lays out what stands in a container: places relative to its content. */
static gboolean
lay_out (StriaSceneWork *self, guint32 container)
{
  guint32 first = container == STRIA_NO_ITEM ? 0 : item_at (self, container)->first_child;
  guint32 n
      = container == STRIA_NO_ITEM ? self->scene->n_outer : item_at (self, container)->n_children;
  guint32 l0 = self->local_start[container + 1], m = self->local_start[container + 2] - l0;
  g_autofree float *length = g_new (float, MAX (n, 1));
  g_autofree float *breadth = g_new (float, MAX (n, 1));
  g_autofree float *along = g_new (float, MAX (n, 1));
  g_autofree float *across = g_new (float, MAX (n, 1));
  g_autofree guint32 *from = g_new (guint32, MAX (m, 1));
  g_autofree guint32 *to = g_new (guint32, MAX (m, 1));
  g_autofree float *from_offset = g_new0 (float, MAX (m, 1));
  g_autofree float *to_offset = g_new0 (float, MAX (m, 1));
  g_autofree guint32 *first_point = g_new0 (guint32, (gsize)m + 1);
  g_autofree float *straight = g_new (float, MAX (n, 1));
  g_autofree guint32 *rank = g_new (guint32, MAX (n, 1));
  float row_length = 0;
  g_autofree float *prior = prior_places (self, container, first, n, &row_length);
  StriaLayout layout = {
    .n = n,
    .length = length,
    .breadth = breadth,
    .m = m,
    .from = from,
    .to = to,
    .from_offset = from_offset,
    .to_offset = to_offset,
    .prior = prior,
    .rank_gap = RANK_GAP,
    .gap = GAP,
    .aspect = !stria_fold_get_rows (self->fold) ? 0 : is_upright (self) ? 1 / ASPECT : ASPECT,
    .row_length = row_length,
    .straight = straight,
    .rank = rank,
    .along = along,
    .across = across,
    .first_point = first_point,
  };

  for (guint32 i = 0; i < n; i++)
    {
      const StriaSceneItem *item = item_at (self, first + i);
      length[i] = is_upright (self) ? item->height : item->width;
      breadth[i] = is_upright (self) ? item->width : item->height;
    }
  for (guint32 l = 0; l < m; l++)
    {
      const StriaSceneLocal *local
          = &g_array_index (self->locals, StriaSceneLocal, self->local_items[l0 + l]);
      from[l] = local->from == STRIA_LAYOUT_BORDER ? STRIA_LAYOUT_BORDER : local->from - first;
      to[l] = local->to == STRIA_LAYOUT_BORDER ? STRIA_LAYOUT_BORDER : local->to - first;
      if (local->from != STRIA_LAYOUT_BORDER)
        from_offset[l] = self->leaving[local->from];
      if (local->to != STRIA_LAYOUT_BORDER)
        to_offset[l] = self->entry[local->to];
    }
  if (!stria_layout_run (&layout, self->cancellable))
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    {
      StriaSceneItem *item = item_at (self, first + i);
      item->x = is_upright (self) ? across[i] : along[i];
      item->y = is_upright (self) ? along[i] : across[i];
      item->rank = rank[i];
      item->straight = straight[i];
    }
  if (container == STRIA_NO_ITEM)
    self->scene->row_length = layout.row_length;
  else
    item_at (self, container)->row_length = layout.row_length;
  for (guint32 l = 0; l < m; l++)
    {
      guint32 number = self->local_items[l0 + l];
      self->path_first[number] = self->paths->len / 2;
      self->path_count[number] = first_point[l + 1] - first_point[l];
      for (guint32 p = first_point[l]; p < first_point[l + 1]; p++)
        {
          float a = g_array_index (layout.points, float, 2 * p);
          float b = g_array_index (layout.points, float, 2 * p + 1);
          float pair[2] = { is_upright (self) ? b : a, is_upright (self) ? a : b };
          g_array_append_vals (self->paths, pair, 2);
        }
    }
  g_array_unref (layout.points);
  self->content[2 * (gsize)(container + 1)]
      = is_upright (self) ? layout.total_breadth : layout.total_length;
  self->content[2 * (gsize)(container + 1) + 1]
      = is_upright (self) ? layout.total_length : layout.total_breadth;
  return TRUE;
}

/* Where wires pass the borders of an open box, in the mean: what they come from stands level with
 * it. */
static void
find_ports (StriaSceneWork *self, guint32 container)
{
  const StriaSceneItem *item = item_at (self, container);
  float before = is_upright (self) ? PADDING - item->width / 2
                                   : HEADER + PADDING - item->height / 2;
  double entry = 0, leaving = 0;
  guint32 n_entries = 0, n_leaving = 0;

  for (guint32 l = self->local_start[container + 1]; l < self->local_start[container + 2]; l++)
    {
      guint32 number = self->local_items[l];
      const StriaSceneLocal *local = &g_array_index (self->locals, StriaSceneLocal, number);
      const float *path, *end;

      if (local->from != STRIA_LAYOUT_BORDER && local->to != STRIA_LAYOUT_BORDER)
        continue;
      path = (const float *)(gpointer)self->paths->data + 2 * (gsize)self->path_first[number];
      end = path + 2 * (gsize)(self->path_count[number] - 1);
      if (local->from == STRIA_LAYOUT_BORDER)
        {
          entry += (double)(path[is_upright (self) ? 0 : 1] + before);
          n_entries++;
        }
      else
        {
          leaving += (double)(end[is_upright (self) ? 0 : 1] + before);
          n_leaving++;
        }
    }
  self->entry[container] = n_entries > 0 ? (float)(entry / n_entries) : 0;
  self->leaving[container] = n_leaving > 0 ? (float)(leaving / n_leaving) : 0;
}

gboolean
stria_scene_place_items (StriaSceneWork *self, StriaSceneMeasure measure, gpointer user_data)
{
  StriaScene *scene = self->scene;

  remember_previous (self);
  self->content = g_new0 (float, 2 * ((gsize)self->items->len + 1));
  self->entry = g_new0 (float, MAX (self->items->len, 1));
  self->leaving = g_new0 (float, MAX (self->items->len, 1));
  for (guint32 i = self->items->len; i-- > 0;)
    {
      StriaSceneItem *item = item_at (self, i);
      float width = 80, height = 28;

      measure (scene->graph, item->node, item->group, item->open, &width, &height, user_data);
      if (item->open)
        {
          if (!lay_out (self, i))
            return FALSE;
          item = item_at (self, i);
          item->width = MAX (width, self->content[2 * ((gsize)i + 1)] + 2 * PADDING);
          item->height = self->content[2 * ((gsize)i + 1) + 1] + 2 * PADDING + HEADER;
          find_ports (self, i);
        }
      else
        {
          item->width = width;
          item->height = height;
        }
    }
  if (!lay_out (self, STRIA_NO_ITEM))
    return FALSE;
  scene->width = self->content[0] + 2 * PADDING;
  scene->height = self->content[1] + 2 * PADDING;
  for (guint32 i = 0; i < self->items->len; i++)
    {
      StriaSceneItem *item = item_at (self, i);
      const StriaSceneItem *parent
          = item->parent == STRIA_NO_ITEM ? NULL : item_at (self, item->parent);
      item->x += PADDING + (parent != NULL ? parent->x : 0);
      item->y += PADDING + (parent != NULL ? parent->y + HEADER : 0);
    }
  return TRUE;
}

static void
add_point (StriaSceneWork *self, float x, float y)
{
  guint n = self->points->len;

  /* Not the same one twice. */
  if (n >= 2 && g_array_index (self->points, float, n - 2) == x
      && g_array_index (self->points, float, n - 1) == y)
    return;
  g_array_append_val (self->points, x);
  g_array_append_val (self->points, y);
}

/* Whether a point is as far along as the last one. */
static gboolean
is_level (StriaSceneWork *self, float x, float y)
{
  guint n = self->points->len;

  return fabsf (is_upright (self) ? g_array_index (self->points, float, n - 1) - y
                                  : g_array_index (self->points, float, n - 2) - x)
         < 0.01f;
}

/* Points of a local edge. */
static void
add_path (StriaSceneWork *self, guint32 container, guint32 from, guint32 to)
{
  StriaSceneLocal local = { container, from, to };
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (self->local_of, &local)) - 1;
  const StriaSceneItem *item = container == STRIA_NO_ITEM ? NULL : item_at (self, container);
  float x0 = PADDING + (item != NULL ? item->x : 0);
  float y0 = PADDING + (item != NULL ? item->y + HEADER : 0);

  for (guint32 p = 0; p < self->path_count[number]; p++)
    {
      float x = g_array_index (self->paths, float, 2 * (self->path_first[number] + p));
      float y = g_array_index (self->paths, float, 2 * (self->path_first[number] + p) + 1);
      /* From where a wire is, on the border of a box, it does not go along that border. */
      if (p > 0 || !is_level (self, x0 + x, y0 + y))
        add_point (self, x0 + x, y0 + y);
    }
}

/* From the far border of a box, at its middle or where the path stands, to that border. */
static void
leave (StriaSceneWork *self, const StriaSceneItem *item, gboolean at_middle)
{
  guint n = self->points->len;
  float x = at_middle ? item->x + item->width / 2 : g_array_index (self->points, float, n - 2);
  float y = at_middle ? item->y + item->height / 2 : g_array_index (self->points, float, n - 1);

  if (is_upright (self))
    add_point (self, x, item->y + item->height);
  else
    add_point (self, item->x + item->width, y);
}

static void
enter (StriaSceneWork *self, const StriaSceneItem *item, float across)
{
  float x = is_upright (self) ? across : item->x;
  float y = is_upright (self) ? item->y : across;

  if (is_level (self, x, y))
    g_array_set_size (self->points, self->points->len - 2);
  add_point (self, x, y);
}

/* Where a wire that ends in @target passes the near border of the container of @child: where its
 * path there begins. */
static float
entry_across (StriaSceneWork *self, guint32 container, guint32 child)
{
  StriaSceneLocal local = { container, STRIA_LAYOUT_BORDER, child };
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (self->local_of, &local)) - 1;
  const StriaSceneItem *item = item_at (self, container);
  gsize at = 2 * (gsize)self->path_first[number];

  return is_upright (self)
             ? item->x + PADDING + g_array_index (self->paths, float, at)
             : item->y + HEADER + PADDING + g_array_index (self->paths, float, at + 1);
}

void
stria_scene_route (StriaSceneWork *self, StriaSceneWire *wire)
{
  guint32 a = wire->source, b = wire->target;
  guint32 chain[STRIA_GRAPH_MAX_DEPTH * 2 + 4];
  guint n_chain = 0;

  wire->first_point = self->points->len / 2;
  stria_scene_lift (self, &a, &b);
  leave (self, item_at (self, wire->source), TRUE);
  for (guint32 i = wire->source; i != a; i = item_at (self, i)->parent)
    {
      guint32 container = item_at (self, i)->parent;
      add_path (self, container, i, STRIA_LAYOUT_BORDER);
      leave (self, item_at (self, container), FALSE);
    }
  add_path (self, item_at (self, a)->parent, a, b);
  for (guint32 i = wire->target; i != b; i = item_at (self, i)->parent)
    chain[n_chain++] = i;
  while (n_chain > 0)
    {
      guint32 child = chain[--n_chain], container = item_at (self, child)->parent;
      enter (self, item_at (self, container), entry_across (self, container, child));
      add_path (self, container, STRIA_LAYOUT_BORDER, child);
    }
  const StriaSceneItem *target = item_at (self, wire->target);
  enter (self, target,
         is_upright (self) ? target->x + target->width / 2 : target->y + target->height / 2);
  wire->n_points = self->points->len / 2 - wire->first_point;
  wire->x0 = wire->y0 = INFINITY;
  wire->x1 = wire->y1 = -INFINITY;
  for (guint32 p = 0; p < wire->n_points; p++)
    {
      float x = g_array_index (self->points, float, 2 * (wire->first_point + p));
      float y = g_array_index (self->points, float, 2 * (wire->first_point + p) + 1);
      wire->x0 = MIN (wire->x0, x);
      wire->x1 = MAX (wire->x1, x);
      wire->y0 = MIN (wire->y0, y);
      wire->y1 = MAX (wire->y1, y);
    }
}
