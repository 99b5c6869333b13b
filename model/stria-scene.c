/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-scene.h"

#include <math.h>
#include <string.h>

#include "stria-fold-private.h"
#include "stria-layout.h"

#define HEADER 26.0f /* of an open group: its title */
#define PADDING 16.0f
#define GAP 20.0f
#define RANK_GAP 56.0f
#define ASPECT 1.6f /* of a picture that fills a window */

/* An edge between two boxes of one container, or between one of them and the container's border. */
typedef struct
{
  guint32 container; /* item, or STRIA_NO_ITEM: the scene */
  guint32 from, to;  /* items, or STRIA_LAYOUT_BORDER */
} Local;

typedef struct
{
  StriaScene *scene;
  const StriaFold *fold;
  GArray *items; /* StriaSceneItem */
  GArray *wires; /* StriaSceneWire */
  GArray *points;
  guint32 *weights;
  GArray *siblings; /* of the last group with sections */
  guint32 siblings_group;
  guint32 *depth;       /* of items */
  GArray *locals;       /* Local */
  GHashTable *local_of; /* Local -> number + 1 */
  guint32 *local_start; /* by container + 1; the first is the scene's own */
  guint32 *local_items;
  guint32 *path_first; /* of locals: pairs in paths */
  guint32 *path_count;
  GArray *paths;  /* float, relative to the content of the container */
  float *content; /* of items + 1: width and height of what stands in it */
  float *entry;   /* of open items: where wires enter across, from the middle */
  float *leaving; /* likewise where they leave */
  StriaScene *previous;
  GHashTable *previous_items; /* identity -> item + 1 */
  GCancellable *cancellable;
} Work;

static StriaSceneItem *
item_at (Work *self, guint32 item)
{
  return &g_array_index (self->items, StriaSceneItem, item);
}

static guint
local_hash (gconstpointer key)
{
  const Local *l = key;
  guint64 h = l->container * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  h = (h ^ l->from) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  h = (h ^ (h >> 32) ^ l->to) * G_GUINT64_CONSTANT (0xc4ceb9fe1a85ec53);
  return (guint)(h ^ (h >> 32));
}

static gboolean
local_equal (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (Local)) == 0;
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
append_item (Work *self, guint32 parent, const StriaFoldChild *child)
{
  StriaSceneItem item = {
    .node = child->node,
    .group = child->group,
    .section = G_MAXUINT32,
    .parent = parent,
    .open = child->group != STRIA_NO_GROUP && stria_fold_is_open (self->fold, child->group),
  };

  if (child->node != STRIA_NO_NODE)
    self->scene->item_of_node[child->node] = self->items->len;
  else
    self->scene->item_of_group[child->group] = self->items->len;
  g_array_append_val (self->items, item);
}

/* Boxes of @children inside @parent; closed sections swallow theirs. */
static void
append_children (Work *self, guint32 parent, guint32 group, GArray *children)
{
  guint32 n_sections = (children->len + STRIA_FOLD_SECTION - 1) / STRIA_FOLD_SECTION;

  if (n_sections < 2)
    {
      for (guint i = 0; i < children->len; i++)
        append_item (self, parent, &g_array_index (children, StriaFoldChild, i));
      return;
    }
  for (guint32 s = 0; s < n_sections; s++)
    {
      guint end = MIN (children->len, (s + 1) * STRIA_FOLD_SECTION);
      StriaSceneItem item = {
        .node = STRIA_NO_NODE,
        .group = group,
        .section = s,
        .n_sections = n_sections,
        .parent = parent,
        .open = stria_fold_is_section_open (self->fold, group, s),
      };
      guint32 number = self->items->len;

      g_array_append_val (self->items, item);
      for (guint i = s * STRIA_FOLD_SECTION; !item.open && i < end; i++)
        {
          const StriaFoldChild *child = &g_array_index (children, StriaFoldChild, i);
          if (child->node != STRIA_NO_NODE)
            self->scene->item_of_node[child->node] = number;
          else
            self->scene->item_of_group[child->group] = number;
        }
    }
}

/* Boxes of an open section. Sections of a group follow each other: its children are found once. */
static void
append_section (Work *self, guint32 parent, const StriaSceneItem *section)
{
  if (self->siblings == NULL || self->siblings_group != section->group)
    {
      g_clear_pointer (&self->siblings, g_array_unref);
      self->siblings = stria_fold_children (self->fold, section->group, self->weights);
      self->siblings_group = section->group;
    }
  for (guint c = section->section * STRIA_FOLD_SECTION;
       c < MIN (self->siblings->len, (section->section + 1) * STRIA_FOLD_SECTION); c++)
    append_item (self, parent, &g_array_index (self->siblings, StriaFoldChild, c));
}

/* Every box, parents before their children and the children of one beside each other. */
static void
make_items (Work *self)
{
  StriaScene *scene = self->scene;
  StriaGraph *graph = scene->graph;
  g_autoptr (GArray) outer = stria_fold_children (self->fold, STRIA_NO_GROUP, self->weights);

  append_children (self, STRIA_NO_ITEM, STRIA_NO_GROUP, outer);
  scene->n_outer = self->items->len;
  for (guint32 i = 0; i < self->items->len; i++)
    {
      StriaSceneItem item = *item_at (self, i);

      if (!item.open)
        continue;
      guint32 first = self->items->len;
      if (item.section == G_MAXUINT32)
        {
          g_autoptr (GArray) children = stria_fold_children (self->fold, item.group, self->weights);
          append_children (self, i, item.group, children);
        }
      else
        append_section (self, i, &item);
      item_at (self, i)->first_child = first;
      item_at (self, i)->n_children = self->items->len - first;
    }
  /* What stands in a closed box is shown by it. */
  for (guint32 g = 0; g < stria_graph_n_groups (graph); g++)
    {
      guint32 parent = stria_graph_group_parent (graph, g);
      if (scene->item_of_group[g] == STRIA_NO_ITEM && self->weights[g] > 0
          && parent != STRIA_NO_GROUP)
        scene->item_of_group[g] = scene->item_of_group[parent];
    }
  for (guint32 n = 0; n < stria_graph_n_nodes (graph); n++)
    {
      guint32 group = stria_graph_node_group (graph, n);
      if (scene->item_of_node[n] == STRIA_NO_ITEM && group != STRIA_NO_GROUP
          && stria_fold_shows_node (self->fold, n))
        scene->item_of_node[n] = scene->item_of_group[group];
    }
}

static guint32
add_local (Work *self, guint32 container, guint32 from, guint32 to)
{
  Local local = { container, from, to };
  guint32 known = GPOINTER_TO_UINT (g_hash_table_lookup (self->local_of, &local));

  if (known != 0)
    return known - 1;
  g_array_append_val (self->locals, local);
  g_hash_table_insert (self->local_of, g_memdup2 (&local, sizeof local),
                       GUINT_TO_POINTER (self->locals->len));
  return self->locals->len - 1;
}

/* The boxes that stand in the innermost common container of two: one holds or is @a, one @b. */
static void
lift (Work *self, guint32 *a, guint32 *b)
{
  while (self->depth[*a] > self->depth[*b])
    *a = item_at (self, *a)->parent;
  while (self->depth[*b] > self->depth[*a])
    *b = item_at (self, *b)->parent;
  while (item_at (self, *a)->parent != item_at (self, *b)->parent)
    {
      *a = item_at (self, *a)->parent;
      *b = item_at (self, *b)->parent;
    }
}

static int
compare_wires (gconstpointer a, gconstpointer b)
{
  const StriaSceneWire *x = a, *y = b;

  /* first_point holds the container + 1 while wires are sorted. */
  if (x->first_point != y->first_point)
    return x->first_point < y->first_point ? -1 : 1;
  return x->edge < y->edge ? -1 : x->edge > y->edge;
}

static gboolean
make_wires (Work *self)
{
  StriaScene *scene = self->scene;
  StriaGraph *graph = scene->graph;
  g_autoptr (GHashTable) pairs = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  self->depth = g_new0 (guint32, MAX (self->items->len, 1));
  for (guint32 i = 0; i < self->items->len; i++)
    if (item_at (self, i)->parent != STRIA_NO_ITEM)
      self->depth[i] = self->depth[item_at (self, i)->parent] + 1;
  for (guint32 e = 0; e < stria_graph_n_edges (graph); e++)
    {
      StriaSceneWire wire = {
        .source = scene->item_of_node[stria_graph_edge_source (graph, e)],
        .target = scene->item_of_node[stria_graph_edge_target (graph, e)],
        .n_edges = 1,
        .edge = e,
      };
      gint64 key = (gint64)((guint64)wire.source << 32 | wire.target);

      if (e % 65536 == 0 && g_cancellable_is_cancelled (self->cancellable))
        return FALSE;
      if (wire.source == STRIA_NO_ITEM || wire.target == STRIA_NO_ITEM
          || wire.source == wire.target)
        continue;
      guint32 known = GPOINTER_TO_UINT (g_hash_table_lookup (pairs, &key));
      if (known != 0)
        {
          g_array_index (self->wires, StriaSceneWire, known - 1).n_edges++;
          continue;
        }
      guint32 a = wire.source, b = wire.target;
      lift (self, &a, &b);
      wire.first_point = item_at (self, a)->parent + 1;
      g_array_append_val (self->wires, wire);
      g_hash_table_insert (pairs, g_memdup2 (&key, sizeof key),
                           GUINT_TO_POINTER (self->wires->len));
      add_local (self, item_at (self, a)->parent, a, b);
      for (guint32 i = wire.source; i != a; i = item_at (self, i)->parent)
        add_local (self, item_at (self, i)->parent, i, STRIA_LAYOUT_BORDER);
      for (guint32 i = wire.target; i != b; i = item_at (self, i)->parent)
        add_local (self, item_at (self, i)->parent, STRIA_LAYOUT_BORDER, i);
    }
  g_array_sort (self->wires, compare_wires);
  for (guint32 w = 0; w < self->wires->len; w++)
    {
      guint32 container = g_array_index (self->wires, StriaSceneWire, w).first_point;
      guint32 *first
          = container == 0 ? &scene->first_wire : &item_at (self, container - 1)->first_wire;
      guint32 *n = container == 0 ? &scene->n_outer_wires : &item_at (self, container - 1)->n_wires;
      if ((*n)++ == 0)
        *first = w;
    }
  return TRUE;
}

static void
index_locals (Work *self)
{
  guint32 n = self->items->len + 1;

  self->local_start = g_new0 (guint32, (gsize)n + 2);
  self->local_items = g_new (guint32, MAX (self->locals->len, 1));
  self->path_first = g_new0 (guint32, MAX (self->locals->len, 1));
  self->path_count = g_new0 (guint32, MAX (self->locals->len, 1));
  for (guint32 l = 0; l < self->locals->len; l++)
    self->local_start[g_array_index (self->locals, Local, l).container + 1 + 2]++;
  for (guint32 c = 0; c < n; c++)
    self->local_start[c + 2] += self->local_start[c + 1];
  for (guint32 l = 0; l < self->locals->len; l++)
    self->local_items[self->local_start[g_array_index (self->locals, Local, l).container + 1 + 1]++]
        = l;
}

static gboolean
is_upright (const Work *self)
{
  return self->scene->direction == STRIA_GRAPH_TOP_TO_BOTTOM;
}

/* Where the boxes of a container stood across in the scene before; NULL: it was not there. */
static float *
prior_places (Work *self, guint32 container, guint32 first, guint32 n, float *row_length)
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
lay_out (Work *self, guint32 container)
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
      const Local *local = &g_array_index (self->locals, Local, self->local_items[l0 + l]);
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
find_ports (Work *self, guint32 container)
{
  const StriaSceneItem *item = item_at (self, container);
  float before = is_upright (self) ? PADDING - item->width / 2
                                   : HEADER + PADDING - item->height / 2;
  double entry = 0, leaving = 0;
  guint32 n_entries = 0, n_leaving = 0;

  for (guint32 l = self->local_start[container + 1]; l < self->local_start[container + 2]; l++)
    {
      guint32 number = self->local_items[l];
      const Local *local = &g_array_index (self->locals, Local, number);
      const float *path = (const float *)(gpointer)self->paths->data
                          + 2 * (gsize)self->path_first[number];
      const float *end = path + 2 * (gsize)(self->path_count[number] - 1);

      if (local->from == STRIA_LAYOUT_BORDER)
        {
          entry += (double)(path[is_upright (self) ? 0 : 1] + before);
          n_entries++;
        }
      else if (local->to == STRIA_LAYOUT_BORDER)
        {
          leaving += (double)(end[is_upright (self) ? 0 : 1] + before);
          n_leaving++;
        }
    }
  self->entry[container] = n_entries > 0 ? (float)(entry / n_entries) : 0;
  self->leaving[container] = n_leaving > 0 ? (float)(leaving / n_leaving) : 0;
}

static gboolean
place_items (Work *self, StriaSceneMeasure measure, gpointer user_data)
{
  StriaScene *scene = self->scene;

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
add_point (Work *self, float x, float y)
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
is_level (Work *self, float x, float y)
{
  guint n = self->points->len;

  return fabsf (is_upright (self) ? g_array_index (self->points, float, n - 1) - y
                                  : g_array_index (self->points, float, n - 2) - x)
         < 0.01f;
}

/* Points of a local edge. */
static void
add_path (Work *self, guint32 container, guint32 from, guint32 to)
{
  Local local = { container, from, to };
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
leave (Work *self, const StriaSceneItem *item, gboolean at_middle)
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
enter (Work *self, const StriaSceneItem *item, float across)
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
entry_across (Work *self, guint32 container, guint32 child)
{
  Local local = { container, STRIA_LAYOUT_BORDER, child };
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (self->local_of, &local)) - 1;
  const StriaSceneItem *item = item_at (self, container);
  gsize at = 2 * (gsize)self->path_first[number];

  return is_upright (self)
             ? item->x + PADDING + g_array_index (self->paths, float, at)
             : item->y + HEADER + PADDING + g_array_index (self->paths, float, at + 1);
}

static void
route (Work *self, StriaSceneWire *wire)
{
  guint32 a = wire->source, b = wire->target;
  guint32 chain[STRIA_GRAPH_MAX_DEPTH * 2 + 4];
  guint n_chain = 0;

  wire->first_point = self->points->len / 2;
  lift (self, &a, &b);
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

static void
remember_previous (Work *self)
{
  self->previous_items = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  for (guint32 i = 0; self->previous != NULL && i < self->previous->n_items; i++)
    {
      gint64 id = identity (&self->previous->items[i]);
      g_hash_table_insert (self->previous_items, g_memdup2 (&id, sizeof id),
                           GUINT_TO_POINTER (i + 1));
    }
}

static gboolean
run (Work *self, StriaSceneMeasure measure, gpointer user_data)
{
  make_items (self);
  if (!make_wires (self))
    return FALSE;
  index_locals (self);
  if (!place_items (self, measure, user_data))
    return FALSE;
  for (guint32 w = 0; w < self->wires->len; w++)
    route (self, &g_array_index (self->wires, StriaSceneWire, w));
  return TRUE;
}

static void
work_clear (Work *self)
{
  g_free (self->weights);
  g_clear_pointer (&self->siblings, g_array_unref);
  g_free (self->depth);
  g_array_unref (self->locals);
  g_hash_table_unref (self->local_of);
  g_hash_table_unref (self->previous_items);
  g_free (self->local_start);
  g_free (self->local_items);
  g_free (self->path_first);
  g_free (self->path_count);
  g_array_unref (self->paths);
  g_free (self->content);
  g_free (self->entry);
  g_free (self->leaving);
}

StriaScene *
stria_scene_new (const StriaFold *fold,
                 StriaScene *previous,
                 StriaSceneMeasure measure,
                 gpointer user_data,
                 GCancellable *cancellable,
                 GError **error)
{
  StriaScene *scene = g_new0 (StriaScene, 1);
  StriaGraph *graph = stria_fold_get_graph (fold);
  Work work = {
    .scene = scene,
    .fold = fold,
    .items = g_array_new (FALSE, TRUE, sizeof (StriaSceneItem)),
    .wires = g_array_new (FALSE, TRUE, sizeof (StriaSceneWire)),
    .points = g_array_new (FALSE, FALSE, sizeof (float)),
    .weights = stria_fold_weights (fold),
    .locals = g_array_new (FALSE, FALSE, sizeof (Local)),
    .local_of = g_hash_table_new_full (local_hash, local_equal, g_free, NULL),
    .paths = g_array_new (FALSE, FALSE, sizeof (float)),
    .previous = previous != NULL && previous->graph == graph ? previous : NULL,
    .cancellable = cancellable,
  };

  g_atomic_ref_count_init (&scene->refs);
  scene->graph = stria_graph_ref (graph);
  scene->direction = stria_fold_get_direction (fold);
  scene->item_of_node = g_new (guint32, MAX (stria_graph_n_nodes (graph), 1));
  scene->item_of_group = g_new (guint32, MAX (stria_graph_n_groups (graph), 1));
  memset (scene->item_of_node, 0xff, sizeof (guint32) * stria_graph_n_nodes (graph));
  memset (scene->item_of_group, 0xff, sizeof (guint32) * stria_graph_n_groups (graph));
  remember_previous (&work);

  gboolean ok = run (&work, measure, user_data);
  work_clear (&work);
  scene->n_items = work.items->len;
  scene->items = (StriaSceneItem *)(gpointer)g_array_free (work.items, FALSE);
  scene->n_wires = work.wires->len;
  scene->wires = (StriaSceneWire *)(gpointer)g_array_free (work.wires, FALSE);
  scene->n_points = work.points->len / 2;
  scene->points = (float *)(gpointer)g_array_free (work.points, FALSE);
  if (!ok)
    {
      stria_scene_unref (scene);
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return NULL;
    }
  return scene;
}

StriaScene *
stria_scene_ref (StriaScene *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_scene_unref (StriaScene *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_free (self->items);
  g_free (self->wires);
  g_free (self->points);
  g_free (self->item_of_node);
  g_free (self->item_of_group);
  stria_graph_unref (self->graph);
  g_free (self);
}
