/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-scene.h"

/* Of a square of the least size, what a box must have for itself to be seen. */
#define LEAST_SHARE 0.2f

static gboolean
holds (const StriaSceneItem *item, float x, float y)
{
  return x >= item->x && x < item->x + item->width && y >= item->y && y < item->y + item->height;
}

guint32
stria_scene_hit (StriaScene *self, float x, float y)
{
  guint32 found = STRIA_NO_ITEM, at = 0, end = self->n_outer;

  while (at < end)
    if (holds (&self->items[at], x, y))
      {
        found = at;
        at = self->items[found].first_child;
        end = at + self->items[found].n_children;
      }
    else
      at++;
  return found;
}

static gboolean
touches (float ax0, float ay0, float ax1, float ay1, const float box[4])
{
  return ax0 <= box[2] && ax1 >= box[0] && ay0 <= box[3] && ay1 >= box[1];
}

static void
collect_wires (StriaScene *self, guint32 first, guint32 n, const float box[4], GArray *wires)
{
  for (guint32 w = first; w < first + n; w++)
    {
      const StriaSceneWire *wire = &self->wires[w];
      if (touches (wire->x0, wire->y0, wire->x1, wire->y1, box))
        g_array_append_val (wires, w);
    }
}

gboolean
stria_scene_shows_children (const StriaSceneItem *item, float least)
{
  return (item->width >= least || item->height >= least)
         && item->width * item->height >= (float)item->n_children * least * least * LEAST_SHARE;
}

static void
collect (StriaScene *self,
         guint32 first,
         guint32 n,
         const float box[4],
         float least,
         GArray *items,
         GArray *wires)
{
  for (guint32 i = first; i < first + n; i++)
    {
      const StriaSceneItem *item = &self->items[i];

      if (!touches (item->x, item->y, item->x + item->width, item->y + item->height, box))
        continue;
      g_array_append_val (items, i);
      if (item->n_children == 0 || !stria_scene_shows_children (item, least))
        continue;
      collect_wires (self, item->first_wire, item->n_wires, box, wires);
      collect (self, item->first_child, item->n_children, box, least, items, wires);
    }
}

void
stria_scene_visible (StriaScene *self,
                     float x0,
                     float y0,
                     float x1,
                     float y1,
                     float least,
                     GArray *items,
                     GArray *wires)
{
  const float box[4] = { x0, y0, x1, y1 };

  collect_wires (self, self->first_wire, self->n_outer_wires, box, wires);
  collect (self, 0, self->n_outer, box, least, items, wires);
}

/* Square of the distance of a point from a line between two. */
static float
distance2 (const float *a, const float *b, float x, float y)
{
  float dx = b[0] - a[0], dy = b[1] - a[1];
  float length2 = dx * dx + dy * dy;
  float t = length2 > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / length2 : 0;

  t = CLAMP (t, 0, 1);
  dx = a[0] + t * dx - x;
  dy = a[1] + t * dy - y;
  return dx * dx + dy * dy;
}

guint32
stria_scene_hit_wire (StriaScene *self, float x, float y, float distance)
{
  guint32 found = G_MAXUINT32;
  float least = distance * distance;
  guint32 first = self->first_wire, n = self->n_outer_wires;
  guint32 item = stria_scene_hit (self, x, y);

  for (;;)
    {
      for (guint32 w = first; w < first + n; w++)
        {
          const StriaSceneWire *wire = &self->wires[w];
          if (x < wire->x0 - distance || x > wire->x1 + distance || y < wire->y0 - distance
              || y > wire->y1 + distance)
            continue;
          for (guint32 p = 0; p + 1 < wire->n_points; p++)
            {
              const float *at = self->points + 2 * (gsize)(wire->first_point + p);
              float d = distance2 (at, at + 2, x, y);
              if (d <= least)
                {
                  least = d;
                  found = w;
                }
            }
        }
      if (item == STRIA_NO_ITEM)
        return found;
      first = self->items[item].first_wire;
      n = self->items[item].n_wires;
      item = self->items[item].parent;
    }
}
