/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-neuron-memory-private.h"
#include "stria-sort.h"

/* Over a stretch of addresses: how often all of it is occupied, bytes occupied in it, and free
 * bytes at its begin, at its end and in its largest gap */
typedef struct
{
  guint32 times;
  guint64 used;
  guint64 head;
  guint64 tail;
  guint64 gap;
} Node;

typedef struct
{
  const gint64 *places; /* borders of elementary stretches, ascending */
  Node         *nodes;
} Tree;

static void
update (Tree *tree, guint node, guint low, guint high)
{
  const guint64 length = (guint64) (tree->places[high] - tree->places[low]);
  Node *self = &tree->nodes[node];

  if (self->times > 0)
    *self = (Node){ self->times, length, 0, 0, 0 };
  else if (high - low == 1)
    *self = (Node){ 0, 0, length, length, length };
  else
    {
      const Node *left = &tree->nodes[2 * node], *right = &tree->nodes[2 * node + 1];

      self->used = left->used + right->used;
      self->head = left->used == 0 ? left->head + right->head : left->head;
      self->tail = right->used == 0 ? right->tail + left->tail : right->tail;
      self->gap = MAX (MAX (left->gap, right->gap), left->tail + right->head);
    }
}

static void
build (Tree *tree, guint node, guint low, guint high)
{
  const guint mid = low + (high - low) / 2;

  tree->nodes[node].times = 0;
  if (high - low > 1)
    {
      build (tree, 2 * node, low, mid);
      build (tree, 2 * node + 1, mid, high);
    }
  update (tree, node, low, high);
}

static void
add (Tree *tree, guint node, guint low, guint high, gint64 first, gint64 end, gboolean adds)
{
  const guint mid = low + (high - low) / 2;

  if (end <= tree->places[low] || first >= tree->places[high])
    return;
  if (first <= tree->places[low] && end >= tree->places[high])
    tree->nodes[node].times += adds ? 1 : G_MAXUINT32;
  else
    {
      add (tree, 2 * node, low, mid, first, end, adds);
      add (tree, 2 * node + 1, mid, high, first, end, adds);
    }
  update (tree, node, low, high);
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return x < y ? -1 : x > y;
}

static GArray *
make_places (StriaNeuronMemory *self, GArray *members)
{
  GArray *places = g_array_sized_new (FALSE, FALSE, sizeof (gint64), 2 * members->len);
  guint n = 0;

  for (guint i = 0; i < members->len; i++)
    {
      const StriaSbufRange *range = &g_array_index (self->ranges, StriaSbufRange,
                                                    g_array_index (members, guint32, i));
      const gint64 both[2] = { range->first, range->last + 1 };

      g_array_append_vals (places, both, 2);
    }
  g_array_sort (places, compare_places);
  for (guint i = 0; i < places->len; i++)
    if (n == 0 || g_array_index (places, gint64, i) != g_array_index (places, gint64, n - 1))
      g_array_index (places, gint64, n++) = g_array_index (places, gint64, i);
  g_array_set_size (places, n);
  return places;
}

typedef struct
{
  double bytes_ns;
  double fragmentation_ns;
  double free_ns;
} Sums;

/* What holds from @t0 to @t1 */
static void
account (StriaSbufPressure *pressure, Sums *sums, const Node *all, gint64 t0, gint64 t1)
{
  const guint64 free_bytes = (guint64) (pressure->last - pressure->first) + 1 - all->used;
  const double length = (double) (t1 - t0);
  const double fragmentation
      = free_bytes > 0 ? 1 - (double) all->gap / (double) free_bytes : -1;

  sums->bytes_ns += (double) all->used * length;
  if (all->used > pressure->peak_bytes)
    {
      pressure->peak_bytes = all->used;
      pressure->peak_ns = t0;
      pressure->peak_fragmentation = fragmentation;
    }
  if (all->used == 0 || free_bytes == 0)
    return;
  sums->fragmentation_ns += fragmentation * length;
  sums->free_ns += length;
  if (fragmentation > pressure->worst_fragmentation)
    {
      pressure->worst_fragmentation = fragmentation;
      pressure->worst_ns = t0;
    }
}

/* Ends come before starts of the same time: a range is occupied until just before its end. */
static StriaSortPair *
make_events (StriaNeuronMemory *self, GArray *members, guint *n)
{
  StriaSortPair *events = g_new (StriaSortPair, 2 * (gsize) members->len);

  *n = 0;
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < members->len; i++)
      {
        const guint32 member = g_array_index (members, guint32, i);
        const StriaSbufRange *range = &g_array_index (self->ranges, StriaSbufRange, member);

        if (range->end > range->start)
          events[(*n)++] = (StriaSortPair){
            stria_memory_key (pass == 0 ? range->end : range->start), 2 * member + pass
          };
      }
  stria_sort_pairs (events, *n);
  return events;
}

static gboolean
sweep_members (StriaNeuronMemory *self, GArray *members, GCancellable *cancellable, GError **error)
{
  const StriaSbufRange *one = &g_array_index (self->ranges, StriaSbufRange,
                                              g_array_index (members, guint32, 0));
  g_autoptr (GArray) places = make_places (self, members);
  const guint n_places = places->len - 1;
  g_autofree Node *nodes = g_new (Node, 4 * (gsize) n_places + 4);
  Tree tree = { (const gint64 *) (gconstpointer) places->data, nodes };
  StriaSbufPressure pressure = { .core = one->core,
                                 .partition = one->partition,
                                 .n_ranges = members->len,
                                 .first = g_array_index (places, gint64, 0),
                                 .last = g_array_index (places, gint64, n_places) - 1,
                                 .t0 = one->start,
                                 .t1 = one->end,
                                 .peak_ns = one->start,
                                 .peak_fragmentation = -1,
                                 .mean_fragmentation = -1,
                                 .worst_fragmentation = -1,
                                 .worst_ns = one->start };
  g_autofree StriaSortPair *events = NULL;
  Sums sums = { 0 };
  guint n;

  for (guint i = 0; i < members->len; i++)
    pressure.t1 = MAX (pressure.t1, g_array_index (self->ranges, StriaSbufRange,
                                                   g_array_index (members, guint32, i)).end);
  build (&tree, 1, 0, n_places);
  events = make_events (self, members, &n);
  for (guint i = 0; i < n;)
    {
      const guint64 key = events[i].key;

      if ((i & 0xffff) < 2 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      for (; i < n && events[i].key == key; i++)
        {
          const StriaSbufRange *range
              = &g_array_index (self->ranges, StriaSbufRange, events[i].value / 2);

          add (&tree, 1, 0, n_places, range->first, range->last + 1, (events[i].value & 1) != 0);
        }
      if (i < n)
        account (&pressure, &sums, &nodes[1], (gint64) stria_memory_key ((gint64) key),
                 (gint64) stria_memory_key ((gint64) events[i].key));
    }
  if (pressure.t1 > pressure.t0)
    pressure.mean_bytes = sums.bytes_ns / (double) (pressure.t1 - pressure.t0);
  if (sums.free_ns > 0)
    pressure.mean_fragmentation = sums.fragmentation_ns / sums.free_ns;
  g_array_append_val (self->pressures, pressure);
  return TRUE;
}

static int
compare_pressures (gconstpointer a, gconstpointer b)
{
  const StriaSbufPressure *p = a, *q = b;

  if (p->core != q->core)
    return p->core < q->core ? -1 : 1;
  return p->partition < q->partition ? -1 : p->partition > q->partition;
}

gboolean
stria_neuron_memory_sweep (StriaNeuronMemory *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GHashTable) groups
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) g_array_unref);
  GHashTableIter iter;
  gpointer members;

  for (guint32 i = 0; i < self->ranges->len; i++)
    {
      const StriaSbufRange *range = &g_array_index (self->ranges, StriaSbufRange, i);
      const gint64 key = (gint64) ((guint64) (guint32) range->core << 32
                                   | (guint32) range->partition);
      GArray *group = g_hash_table_lookup (groups, &key);

      if (group == NULL)
        {
          group = g_array_new (FALSE, FALSE, sizeof (guint32));
          g_hash_table_insert (groups, g_memdup2 (&key, sizeof key), group);
        }
      g_array_append_val (group, i);
    }
  g_hash_table_iter_init (&iter, groups);
  while (g_hash_table_iter_next (&iter, NULL, &members))
    if (!sweep_members (self, members, cancellable, error))
      return FALSE;
  g_array_sort (self->pressures, compare_pressures);
  return TRUE;
}
