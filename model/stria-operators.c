/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-operators-private.h"

/* -- making ---------------------------------------------------------------------------------- */

static inline guint
slot_of (guint64 key, guint n_slots)
{
  return (guint) (key * 0x9e3779b97f4a7c15u >> 32) & (n_slots - 1);
}

static void
put_slot (OperatorMaking *self, guint64 key, guint32 node)
{
  guint i = slot_of (key, self->n_slots);

  while (self->slots[i].node != 0)
    i = (i + 1) & (self->n_slots - 1);
  self->slots[i] = (OperatorSlot){ key, node };
}

static void
grow_slots (OperatorMaking *self)
{
  g_autofree OperatorSlot *old = self->slots;
  const guint n_old = self->n_slots;

  self->n_slots = MAX (1024, n_old * 2);
  self->slots = g_new0 (OperatorSlot, self->n_slots);
  for (guint i = 0; i < n_old; i++)
    if (old[i].node != 0)
      put_slot (self, old[i].key, old[i].node);
}

static guint32
add_node (OperatorMaking *self, guint32 parent, guint32 name, guint32 depth)
{
  OperatorNode node = {
    .parent = parent, .name = name, .depth = depth, .start_ns = G_MAXINT64, .end_ns = G_MININT64,
  };

  for (guint e = 0; e < STRIA_N_OPERATOR_ENGINES; e++)
    {
      node.period[e][0] = G_MAXINT64;
      node.period[e][1] = G_MININT64;
    }
  g_array_append_val (self->nodes, node);
  return self->nodes->len - 1;
}

guint32
stria_operators_child (OperatorMaking *self, guint32 parent, guint32 name)
{
  const guint64 key = (guint64) parent << 32 | name;
  const guint32 depth = g_array_index (self->nodes, OperatorNode, parent).depth + 1;
  guint i;

  if (key == self->last_key && self->last_node != 0)
    return self->last_node;
  if (self->nodes->len * 2 >= self->n_slots)
    grow_slots (self);
  for (i = slot_of (key, self->n_slots); self->slots[i].node != 0;
       i = (i + 1) & (self->n_slots - 1))
    if (self->slots[i].key == key)
      {
        self->last_key = key;
        return self->last_node = self->slots[i].node;
      }
  if (self->nodes->len >= STRIA_OPERATORS_MAX_NODES || depth > STRIA_OPERATORS_MAX_DEPTH)
    return parent;
  self->slots[i] = (OperatorSlot){ key, add_node (self, parent, name, depth) };
  self->last_key = key;
  return self->last_node = self->slots[i].node;
}

guint32
stria_operators_intern (OperatorMaking *self, const char *text, gssize length)
{
  return stria_strings_intern (self->tree->names, text,
                               length < 0 ? strlen (text) : (gsize) length);
}

/* Addresses are of one run and tell nothing, but make a node of each object. */
static void
append_without_addresses (GString *to, const char *text)
{
  const char *at;

  while ((at = strstr (text, "0x")) != NULL)
    {
      const gsize n = strspn (at + 2, "0123456789abcdefABCDEF");

      g_string_append_len (to, text, at - text + 2);
      if (n >= 6)
        g_string_append (to, "…");
      else
        g_string_append_len (to, at + 2, (gssize) n);
      text = at + 2 + n;
    }
  g_string_append (to, text);
}

guint32
stria_operators_name (OperatorMaking *self, guint32 string)
{
  if (self->names[string] == G_MAXUINT32)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      append_without_addresses (text, stria_trace_get_string (self->trace, string));
      self->names[string] = stria_operators_intern (
          self, text->len > 0 ? text->str : _ ("(no name)"), -1);
    }
  return self->names[string];
}

void
stria_operators_span (OperatorNode *node, gint64 start, gint64 end)
{
  node->start_ns = MIN (node->start_ns, start);
  node->end_ns = MAX (node->end_ns, end);
}

guint32 *
stria_operators_lane (OperatorMaking *self, guint32 lane, guint64 n_events)
{
  guint32 *node_of = g_new (guint32, MAX (n_events, 1));

  memset (node_of, 0xff, sizeof *node_of * n_events);
  g_free (self->tree->node_of[lane]);
  self->tree->node_of[lane] = node_of;
  self->tree->n_events[lane] = n_events;
  return node_of;
}

/* -- the finished tree ----------------------------------------------------------------------- */

typedef struct
{
  const GArray *nodes;
  StriaStrings *names;
} Order;

static int
compare_siblings (gconstpointer a, gconstpointer b, gpointer data)
{
  const Order *order = data;
  const OperatorNode *x = &g_array_index (order->nodes, OperatorNode, *(const guint32 *) a);
  const OperatorNode *y = &g_array_index (order->nodes, OperatorNode, *(const guint32 *) b);

  if (x->parent != y->parent)
    return x->parent < y->parent ? -1 : 1;
  if (x->sums[STRIA_OPERATOR_TOTAL] != y->sums[STRIA_OPERATOR_TOTAL])
    return x->sums[STRIA_OPERATOR_TOTAL] > y->sums[STRIA_OPERATOR_TOTAL] ? -1 : 1;
  return strcmp (stria_strings_get (order->names, x->name),
                 stria_strings_get (order->names, y->name));
}

static void
copy_node (OperatorMaking *self, guint32 from, guint32 to)
{
  const OperatorNode *made = &g_array_index (self->nodes, OperatorNode, from);
  StriaOperator *node = &self->tree->nodes[to];

  node->color_name = from == 0 ? "" : stria_strings_get (self->tree->names, made->name);
  node->name = from == 0 ? _ ("All") : node->color_name;
  if (self->tree->kind == STRIA_OPERATORS_MODULES
      && g_str_has_prefix (node->name, STRIA_OPERATORS_MODULE))
    node->name += strlen (STRIA_OPERATORS_MODULE);
  node->depth = made->depth;
  node->start_ns = made->start_ns > made->end_ns ? 0 : made->start_ns;
  node->end_ns = made->start_ns > made->end_ns ? 0 : made->end_ns;
  memcpy (node->period, made->period, sizeof node->period);
  node->n_own = made->n_own;
  memcpy (node->figures, made->sums, sizeof node->figures);
  for (guint f = 0; f < STRIA_N_OPERATOR_FIGURES; f++)
    if ((made->has & 1u << f) == 0)
      node->figures[f] = NAN;
}

/* Depth first, children by total. */
static void
number (OperatorMaking *self)
{
  const guint32 n = self->nodes->len;
  g_autofree guint32 *order = g_new (guint32, n);
  g_autofree guint32 *first = g_new0 (guint32, n + 2);
  g_autofree guint32 *at = g_new (guint32, n + 1);
  Order data = { self->nodes, self->tree->names };
  guint32 next = 0, node = 0;

  for (guint32 i = 1; i < n; i++)
    {
      order[i - 1] = i;
      first[g_array_index (self->nodes, OperatorNode, i).parent + 1]++;
    }
  for (guint32 i = 0; i < n; i++)
    first[i + 1] += first[i];
  g_qsort_with_data (order, (int) n - 1, sizeof *order, compare_siblings, &data);

  self->tree->n_nodes = n;
  self->tree->nodes = g_new0 (StriaOperator, n);
  memcpy (at, first, sizeof *at * n);
  self->tree->nodes[0].parent = G_MAXUINT32;
  g_array_index (self->nodes, OperatorNode, 0).place = next++;
  for (;;)
    {
      OperatorNode *made = &g_array_index (self->nodes, OperatorNode, node);

      if (at[node] < first[node + 1])
        {
          const guint32 child = order[at[node]++];

          g_array_index (self->nodes, OperatorNode, child).place = next;
          self->tree->nodes[next].parent = made->place;
          self->tree->nodes[made->place].n_children++;
          next++;
          node = child;
          continue;
        }
      self->tree->nodes[made->place].size = next - made->place;
      if (node == 0)
        break;
      node = made->parent;
    }
  for (guint32 i = 0; i < n; i++)
    copy_node (self, i, g_array_index (self->nodes, OperatorNode, i).place);
}

static void
derive (StriaOperators *self)
{
  const double all = self->nodes[0].figures[STRIA_OPERATOR_TOTAL];

  for (guint32 i = 0; i < self->n_nodes; i++)
    {
      double *f = self->nodes[i].figures;

      f[STRIA_OPERATOR_SHARE] = all > 0 ? f[STRIA_OPERATOR_TOTAL] / all : NAN;
      if (f[STRIA_OPERATOR_COUNT] > 0 && self->kind != STRIA_OPERATORS_LAYERS
          && self->kind != STRIA_OPERATORS_NODES)
        f[STRIA_OPERATOR_MEAN] = f[STRIA_OPERATOR_TOTAL] / f[STRIA_OPERATOR_COUNT];
      for (guint e = 0; e < STRIA_N_OPERATOR_ENGINES; e++)
        if (self->nodes[i].period[e][0] <= self->nodes[i].period[e][1])
          f[STRIA_OPERATOR_PERIOD_TENSOR + e]
              = (double) self->nodes[i].period[e][1] - (double) self->nodes[i].period[e][0];
    }
}

static void
renumber_events (OperatorMaking *self)
{
  StriaOperators *tree = self->tree;

  for (guint32 lane = 0; lane < stria_trace_get_n_lanes (self->trace); lane++)
    for (guint64 i = 0; tree->node_of[lane] != NULL && i < tree->n_events[lane]; i++)
      if (tree->node_of[lane][i] != G_MAXUINT32)
        tree->node_of[lane][i]
            = g_array_index (self->nodes, OperatorNode, tree->node_of[lane][i]).place;
}

static void
clear_node (gpointer data)
{
  stria_span_union_clear (&((OperatorNode *) data)->busy);
}

StriaOperators *
stria_operators_new (StriaCapture *capture, StriaTrace *trace, StriaOperatorsKind kind, gint64 t0,
                     gint64 t1, GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaOperators) tree = g_new0 (StriaOperators, 1);
  const guint32 n_strings = stria_strings_size (stria_trace_get_strings (trace));
  const guint32 n_lanes = stria_trace_get_n_lanes (trace);
  g_autofree guint32 *names = g_new (guint32, MAX (n_strings, 1));
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (OperatorNode));
  OperatorMaking making = {
    .capture = capture, .tree = tree, .trace = trace, .t0 = t0, .t1 = t1,
    .cancellable = cancellable, .nodes = nodes, .names = names,
  };
  gboolean ok;

  g_atomic_ref_count_init (&tree->refs);
  tree->kind = kind;
  tree->trace = stria_trace_ref (trace);
  tree->names = stria_strings_new ();
  tree->node_of = g_new0 (guint32 *, MAX (n_lanes, 1));
  tree->n_events = g_new0 (guint64, MAX (n_lanes, 1));
  memset (names, 0xff, sizeof *names * n_strings);
  g_array_set_clear_func (nodes, clear_node);
  add_node (&making, G_MAXUINT32, 0, 0);

  if (kind == STRIA_OPERATORS_LAYERS)
    ok = stria_operators_make_layers (&making, error);
  else if (kind == STRIA_OPERATORS_NODES)
    ok = stria_operators_make_nodes (&making, error);
  else
    ok = stria_operators_make_trace (&making, error);
  g_free (making.slots);
  if (!ok)
    return NULL;
  number (&making);
  derive (tree);
  renumber_events (&making);
  return g_steal_pointer (&tree);
}

/* -- asking ---------------------------------------------------------------------------------- */

StriaOperators *
stria_operators_ref (StriaOperators *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_operators_unref (StriaOperators *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  for (guint32 i = 0; i < stria_trace_get_n_lanes (self->trace); i++)
    g_free (self->node_of[i]);
  g_free (self->node_of);
  g_free (self->n_events);
  g_free (self->nodes);
  stria_strings_unref (self->names);
  stria_trace_unref (self->trace);
  g_free (self);
}

StriaOperatorsKind
stria_operators_get_kind (StriaOperators *self)
{
  return self->kind;
}

StriaTrace *
stria_operators_get_trace (StriaOperators *self)
{
  return self->trace;
}

guint32
stria_operators_n_nodes (StriaOperators *self)
{
  return self->n_nodes;
}

const StriaOperator *
stria_operators_get (StriaOperators *self, guint32 node)
{
  g_return_val_if_fail (node < self->n_nodes, NULL);

  return &self->nodes[node];
}

guint32
stria_operators_first (StriaOperators *self, guint32 node)
{
  return self->nodes[node].size > 1 ? node + 1 : G_MAXUINT32;
}

guint32
stria_operators_next (StriaOperators *self, guint32 node)
{
  const guint32 parent = self->nodes[node].parent;
  const guint32 next = node + self->nodes[node].size;

  return parent != G_MAXUINT32 && next < parent + self->nodes[parent].size ? next : G_MAXUINT32;
}

/* Stands between names, and in none. */
#define PATH_BREAK '\x1f'

char *
stria_operators_path (StriaOperators *self, guint32 node)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GString *path = g_string_new (NULL);

  for (; node != 0; node = self->nodes[node].parent)
    g_ptr_array_add (names, (gpointer) self->nodes[node].name);
  for (guint i = names->len; i-- > 0;)
    {
      if (path->len > 0)
        g_string_append_c (path, PATH_BREAK);
      g_string_append (path, names->pdata[i]);
    }
  return g_string_free (path, FALSE);
}

guint32
stria_operators_find_path (StriaOperators *self, const char *path)
{
  g_auto (GStrv) names = g_strsplit (path, "\x1f", -1);
  guint32 node = 0;

  for (guint i = 0; names[i] != NULL; i++)
    {
      guint32 child = stria_operators_first (self, node);

      while (child != G_MAXUINT32 && !g_str_equal (self->nodes[child].name, names[i]))
        child = stria_operators_next (self, child);
      if (child == G_MAXUINT32)
        break;
      node = child;
    }
  return node;
}

gboolean
stria_operators_has_figure (StriaOperators *self, StriaOperatorFigure figure, const char **reason)
{
  if (reason != NULL)
    *reason = self->reasons[figure];
  for (guint32 i = 0; i < self->n_nodes; i++)
    if (!isnan (self->nodes[i].figures[figure]))
      return TRUE;
  return FALSE;
}

guint32
stria_operators_node_of (StriaOperators *self, StriaRef ref)
{
  if (ref.lane >= stria_trace_get_n_lanes (self->trace) || self->node_of[ref.lane] == NULL
      || ref.index >= self->n_events[ref.lane])
    return G_MAXUINT32;
  return self->node_of[ref.lane][ref.index];
}

StriaRef
stria_operators_first_event (StriaOperators *self, guint32 node)
{
  const guint32 size = self->nodes[node].size;
  StriaRef found = STRIA_REF_NONE;
  gint64 earliest = G_MAXINT64;

  for (guint32 lane = 0; lane < stria_trace_get_n_lanes (self->trace); lane++)
    {
      const StriaColumns *c = stria_lane_get_columns (stria_trace_get_lane (self->trace, lane));

      for (guint64 i = 0; c != NULL && self->node_of[lane] != NULL && i < self->n_events[lane]; i++)
        if (self->node_of[lane][i] - node < size && c->start[i] < earliest)
          {
            earliest = c->start[i];
            found = (StriaRef){ lane, (guint32) i };
          }
    }
  return found;
}

StriaMatch *
stria_operators_match (StriaOperators *self, guint32 node)
{
  const guint32 n_lanes = stria_trace_get_n_lanes (self->trace);
  const guint32 size = self->nodes[node].size;
  guint8 **bits = g_new0 (guint8 *, MAX (n_lanes, 1));
  guint64 n = 0;

  for (guint32 lane = 0; lane < n_lanes; lane++)
    for (guint64 i = 0; self->node_of[lane] != NULL && i < self->n_events[lane]; i++)
      if (self->node_of[lane][i] - node < size)
        {
          if (bits[lane] == NULL)
            bits[lane] = g_new0 (guint8, self->n_events[lane] / 8 + 1);
          bits[lane][i >> 3] |= (guint8) (1 << (i & 7));
          n++;
        }
  if (n == 0)
    {
      g_free (bits);
      return NULL;
    }
  return stria_match_new_events (self->trace, self->nodes[node].name, bits, n);
}
