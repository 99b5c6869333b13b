/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-area-private.h"

#include <string.h>

/* What a closed group shows of the nodes in it. */
#define OF_MEMBERS                                                                                 \
  (STRIA_GRAPH_MARK_SELECTED | STRIA_GRAPH_MARK_MAPPED | STRIA_GRAPH_MARK_MATCH                    \
   | STRIA_GRAPH_MARK_CURRENT | STRIA_GRAPH_MARK_UPSTREAM | STRIA_GRAPH_MARK_DOWNSTREAM)
#define INEXACT                                                                                    \
  (STRIA_GRAPH_MARK_PARTITION | STRIA_GRAPH_MARK_ASSUMED | STRIA_GRAPH_MARK_AMBIGUOUS)

#define LARGE_GRAPH 5000 /* nodes */

/* By node: marks of the selection, the search and the trace. Returns: (transfer full) */
static guint16 *
own_marks (StriaGraphArea *self)
{
  const guint32 n = stria_graph_n_nodes (self->graph);
  guint16 *marks = g_new0 (guint16, MAX (n, 1));

  for (guint i = 0; i < self->nodes->len; i++)
    marks[g_array_index (self->nodes, guint32, i)] |= STRIA_GRAPH_MARK_SELECTED;
  for (guint i = 0; i < self->matches->len; i++)
    marks[g_array_index (self->matches, guint32, i)] |= STRIA_GRAPH_MARK_MATCH;
  if (self->match > 0)
    marks[g_array_index (self->matches, guint32, self->match - 1)] |= STRIA_GRAPH_MARK_CURRENT;
  if (self->trace_inputs || self->trace_outputs)
    {
      g_autoptr (GArray) from = stria_graph_area_meant_nodes (self);
      g_autofree guint8 *up = g_malloc0 (MAX (n, 1));
      g_autofree guint8 *down = g_malloc0 (MAX (n, 1));

      if (self->trace_inputs)
        stria_graph_trace (self->graph, (const guint32 *) (gpointer) from->data, from->len, TRUE,
                           up);
      if (self->trace_outputs)
        stria_graph_trace (self->graph, (const guint32 *) (gpointer) from->data, from->len, FALSE,
                           down);
      for (guint32 i = 0; from->len > 0 && i < n; i++)
        if (up[i] || down[i])
          marks[i] |= (up[i] ? STRIA_GRAPH_MARK_UPSTREAM : 0)
                      | (down[i] ? STRIA_GRAPH_MARK_DOWNSTREAM : 0);
        else
          marks[i] |= STRIA_GRAPH_MARK_DIM;
    }
  return marks;
}

/* A closed box has what any node in it has, and stands back if they all do. A mapping that is exact
 * for one of them is exact. */
static void
join (guint16 *item, guint16 node, gboolean first)
{
  const gboolean was_mapped = (*item & STRIA_GRAPH_MARK_MAPPED) != 0;

  if ((node & STRIA_GRAPH_MARK_MAPPED) != 0)
    *item = was_mapped ? (*item & ~INEXACT) | (*item & node & INEXACT) : *item | (node & INEXACT);
  *item |= node & OF_MEMBERS;
  if (first)
    *item |= node & STRIA_GRAPH_MARK_DIM;
  else if ((node & STRIA_GRAPH_MARK_DIM) == 0)
    *item &= ~STRIA_GRAPH_MARK_DIM;
}

void
stria_graph_area_update_marks (StriaGraphArea *self)
{
  g_autofree guint16 *own = NULL;
  g_autofree guint8 *seen = NULL;
  guint16 *marks = NULL;
  StriaScene *scene = self->scene;

  g_clear_pointer (&self->item_marks, g_atomic_rc_box_release);
  if (scene == NULL || self->graph == NULL)
    return;
  own = own_marks (self);
  marks = g_atomic_rc_box_alloc0 (sizeof *marks * MAX (scene->n_items, 1));
  seen = g_malloc0 (MAX (scene->n_items, 1));
  for (guint32 g = 0; g < stria_graph_n_groups (self->graph); g++)
    {
      const guint32 item = scene->item_of_group[g];
      guint16 mark = self->group_marks != NULL ? self->group_marks[g] : 0;

      if (g == self->spot.group && self->spot.section == G_MAXUINT32)
        mark |= STRIA_GRAPH_MARK_SELECTED;
      if (item == STRIA_NO_ITEM)
        continue;
      if (scene->items[item].group == g && scene->items[item].section == G_MAXUINT32)
        marks[item] |= mark;
      else
        join (&marks[item], mark, FALSE);
    }
  for (guint32 i = 0; i < stria_graph_n_nodes (self->graph); i++)
    {
      const guint32 item = scene->item_of_node[i];
      const guint16 mark = own[i] | (self->node_marks != NULL ? self->node_marks[i] : 0);

      if (item == STRIA_NO_ITEM)
        continue;
      if (scene->items[item].node == i)
        marks[item] = mark;
      else
        join (&marks[item], mark, !seen[item]);
      seen[item] = TRUE;
    }
  self->item_marks = marks;
  self->minimap_stale = TRUE;
  stria_graph_area_want_picture (self);
}

/**
 * stria_graph_area_set_trace:
 * @inputs: all that the selection needs stands out
 * @outputs: all that needs the selection stands out
 */
void
stria_graph_area_set_trace (StriaGraphArea *self, gboolean inputs, gboolean outputs)
{
  g_return_if_fail (STRIA_IS_GRAPH_AREA (self));

  self->trace_inputs = inputs != FALSE;
  self->trace_outputs = outputs != FALSE;
  stria_graph_area_update_marks (self);
  stria_graph_area_update_actions (self);
  g_signal_emit_by_name (self, "view-changed");
}

void
stria_graph_area_get_trace (StriaGraphArea *self, gboolean *inputs, gboolean *outputs)
{
  g_return_if_fail (STRIA_IS_GRAPH_AREA (self));

  *inputs = self->trace_inputs;
  *outputs = self->trace_outputs;
}

static void
index_graph (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_return_pointer (task, stria_graph_find_new (data), (GDestroyNotify) stria_graph_find_free);
}

static void
on_indexed (GObject *object, GAsyncResult *result, gpointer data)
{
  StriaGraphArea *self = STRIA_GRAPH_AREA (object);
  g_autoptr (StriaGraphFind) find = g_task_propagate_pointer (G_TASK (result), NULL);

  if (self->find == NULL && self->graph == g_task_get_task_data (G_TASK (result)))
    self->find = g_steal_pointer (&find);
}

/* A large graph takes too long to be read when the first letter of a search is typed. */
void
stria_graph_area_prepare_search (StriaGraphArea *self)
{
  g_autoptr (GTask) task = NULL;

  if (stria_graph_n_nodes (self->graph) < LARGE_GRAPH)
    return;
  task = g_task_new (self, NULL, on_indexed, NULL);
  g_task_set_task_data (task, stria_graph_ref (self->graph), (GDestroyNotify) stria_graph_unref);
  g_task_run_in_thread (task, index_graph);
}

void
stria_graph_area_clear_search (StriaGraphArea *self)
{
  g_array_set_size (self->matches, 0);
  self->match = 0;
}

guint
stria_graph_area_search (StriaGraphArea *self, const char *text)
{
  g_return_val_if_fail (STRIA_IS_GRAPH_AREA (self), 0);

  stria_graph_area_clear_search (self);
  if (self->graph != NULL && text != NULL && *text != '\0')
    {
      if (self->find == NULL)
        self->find = stria_graph_find_new (self->graph);
      g_array_unref (self->matches);
      self->matches = stria_graph_find_run (self->find, text);
    }
  stria_graph_area_update_marks (self);
  stria_graph_area_update_actions (self);
  return self->matches->len;
}

/* The first match behind the selected node (or the last before it). */
static guint
from_selection (StriaGraphArea *self, gboolean forward)
{
  const guint n = self->matches->len;

  if (self->spot.node == STRIA_NO_NODE)
    return forward ? 1 : n;
  if (forward)
    {
      for (guint i = 0; i < n; i++)
        if (g_array_index (self->matches, guint32, i) >= self->spot.node)
          return i + 1;
      return 1;
    }
  for (guint i = n; i > 0; i--)
    if (g_array_index (self->matches, guint32, i - 1) <= self->spot.node)
      return i;
  return n;
}

/**
 * stria_graph_area_search_next:
 * @forward: or backward
 *
 * Selects and reveals a match, the next one to the one before; behind the last comes the first.
 *
 * Returns: its number from 1; 0: there is none
 */
guint
stria_graph_area_search_next (StriaGraphArea *self, gboolean forward)
{
  guint32 node;

  g_return_val_if_fail (STRIA_IS_GRAPH_AREA (self), 0);

  if (self->matches->len == 0)
    return 0;
  if (self->match == 0)
    self->match = from_selection (self, forward);
  else if (forward)
    self->match = self->match % self->matches->len + 1;
  else
    self->match = self->match > 1 ? self->match - 1 : self->matches->len;
  node = g_array_index (self->matches, guint32, self->match - 1);
  stria_graph_area_select (self, node, STRIA_NO_GROUP);
  stria_graph_area_update_marks (self);
  stria_graph_area_reveal (self, node, STRIA_NO_GROUP);
  return self->match;
}
