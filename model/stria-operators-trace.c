/* SPDX-License-Identifier: Apache-2.0 */
/* Trees of the slices of a trace. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-operators-private.h"

/* A slice that launched something on a device, by what both carry */
typedef struct
{
  guint64 correlation;
  guint32 artifact;
  guint32 node;
} Launch;

typedef struct
{
  OperatorMaking *making;
  gboolean *is_module;   /* by string of the trace */
  guint8 *category_role; /* by category */
  GArray *launches;      /* Launch */
} Slices;

enum
{
  ROLE_OTHER,
  ROLE_OPERATOR, /* of the framework */
  ROLE_LAUNCHER, /* calls of a device's runtime or driver */
};

static guint8
role_of_category (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  if (strstr (lower, "runtime") != NULL || strstr (lower, "driver") != NULL)
    return ROLE_LAUNCHER;
  return g_str_equal (lower, "cpu_op") || g_str_equal (lower, "operator") ? ROLE_OPERATOR
                                                                          : ROLE_OTHER;
}

static gboolean
is_slices (StriaLane *lane)
{
  const StriaLaneKind kind = stria_lane_get_kind (lane);

  return kind != STRIA_LANE_COUNTER && kind != STRIA_LANE_INSTANTS;
}

gboolean
stria_operators_has (StriaCapture *capture, StriaTrace *trace, StriaOperatorsKind kind)
{
  g_autoptr (GPtrArray) tables = NULL;
  const char *wanted = kind == STRIA_OPERATORS_LAYERS  ? "Instruction"
                       : kind == STRIA_OPERATORS_NODES ? "FrameworkNode"
                                                       : NULL;

  if (wanted != NULL)
    {
      tables = stria_capture_get_tables (capture);
      for (guint i = 0; i < tables->len; i++)
        if (g_ascii_strcasecmp (stria_table_get_name (tables->pdata[i]), wanted) == 0
            && stria_table_get_n_rows (tables->pdata[i]) > 0)
          return TRUE;
      return FALSE;
    }
  if (trace == NULL)
    return FALSE;
  if (kind == STRIA_OPERATORS_MODULES)
    {
      const guint32 n = stria_strings_size (stria_trace_get_strings (trace));

      for (guint32 i = 0; i < n; i++)
        if (g_str_has_prefix (stria_trace_get_string (trace, i), STRIA_OPERATORS_MODULE)
            && stria_trace_get_name_count (trace, i) > 0)
          return TRUE;
      return FALSE;
    }
  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace); i++)
    if (is_slices (stria_trace_get_lane (trace, i)))
      return TRUE;
  return FALSE;
}

/* -- where a slice belongs ------------------------------------------------------------------- */

static guint32
lane_node (OperatorMaking *self, StriaLane *lane)
{
  const guint32 process = stria_lane_get_process (lane);
  g_autofree char *title = stria_trace_process_title (self->trace, process);
  const char *name = stria_lane_get_name (lane);
  guint32 node = 0;

  if (stria_trace_get_n_processes (self->trace) > 1)
    node = stria_operators_child (self, 0, stria_operators_intern (self, title, -1));
  return stria_operators_child (self, node, stria_operators_intern (self, name, -1));
}

/* The node that slice @i stands for, below @above. FALSE: it stands for none, and its time is that
 * of @above. */
static gboolean
place_of (Slices *self, const StriaColumns *c, guint64 i, guint32 above, guint32 *node)
{
  OperatorMaking *making = self->making;
  const char *name;

  switch (making->tree->kind)
    {
    case STRIA_OPERATORS_CATEGORIES:
      name = stria_trace_get_category (making->trace, c->category[i]);
      name = *name != '\0' ? name : _ ("(no category)");
      *node = stria_operators_child (making, 0, stria_operators_intern (making, name, -1));
      *node = stria_operators_child (making, *node, stria_operators_name (making, c->name[i]));
      return TRUE;
    case STRIA_OPERATORS_MODULES:
      if (self->is_module[c->name[i]])
        {
          *node = stria_operators_child (making, above, stria_operators_name (making, c->name[i]));
          return TRUE;
        }
      *node = above;
      if (self->category_role[c->category[i]] != ROLE_OPERATOR)
        return FALSE;
      *node = stria_operators_child (making, above, stria_operators_name (making, c->name[i]));
      return TRUE;
    case STRIA_OPERATORS_CALLS:
    default:
      *node = stria_operators_child (making, above, stria_operators_name (making, c->name[i]));
      return TRUE;
    }
}

static inline gint64
inside (const OperatorMaking *self, gint64 start, gint64 end)
{
  return MAX (0, MIN (end, self->t1) - MAX (start, self->t0));
}

/* As the statistics count: what has no width counts where its moment does. */
static inline gboolean
counts (const OperatorMaking *self, gint64 start, gint64 dur)
{
  return dur > 0 ? start < self->t1 && start + dur > self->t0
                 : start >= self->t0 && start <= self->t1;
}

static void
add_slice (Slices *self, StriaLane *lane, const StriaColumns *c, guint64 i, guint32 node,
           guint32 above, gboolean is_outermost)
{
  OperatorNode *made = &g_array_index (self->making->nodes, OperatorNode, node);
  const gint64 start = c->start[i], end = start + c->dur[i];
  const double whole = (double) inside (self->making, start, end);

  made->n_own++;
  made->sums[STRIA_OPERATOR_COUNT]++;
  made->has |= 1u << STRIA_OPERATOR_COUNT;
  made->sums[STRIA_OPERATOR_SELF] += whole;
  stria_operators_span (made, start, end);
  if (self->making->tree->kind != STRIA_OPERATORS_CATEGORIES)
    {
      made->sums[STRIA_OPERATOR_TOTAL] += whole;
      if (is_outermost)
        for (guint32 n = above; n != G_MAXUINT32;
             n = g_array_index (self->making->nodes, OperatorNode, n).parent)
          g_array_index (self->making->nodes, OperatorNode, n).sums[STRIA_OPERATOR_TOTAL] += whole;
    }
  if (!is_outermost && above != G_MAXUINT32)
    g_array_index (self->making->nodes, OperatorNode, above).sums[STRIA_OPERATOR_SELF]
        -= (double) inside (self->making, start, stria_lane_drawn_end (lane, i));
}

/* Rows come outermost first, so that the place of what is above is known. */
static gboolean
add_lane (Slices *self, guint32 number, GError **error)
{
  OperatorMaking *making = self->making;
  StriaLane *lane = stria_trace_get_lane (making->trace, number);
  const gboolean is_categories = making->tree->kind == STRIA_OPERATORS_CATEGORIES;
  const StriaColumns *c;
  g_autofree guint32 *above_of = NULL; /* by index: place of the slice, or what it lies in */
  g_autofree guint8 *is_placed = NULL; /* something of it or above it stands for a node */
  guint32 *node_of;
  guint32 top = 0;

  if (!stria_lane_load (lane, making->cancellable, error))
    return FALSE;
  c = stria_lane_get_columns (lane);
  if (c->n == 0 || c->dur == NULL)
    return TRUE;
  if (making->tree->kind == STRIA_OPERATORS_CALLS)
    top = lane_node (making, lane);
  node_of = stria_operators_lane (making, number, c->n);
  above_of = g_new (guint32, c->n);
  is_placed = g_new0 (guint8, c->n);
  for (guint64 i = 0; i < c->n; i++)
    {
      const guint32 parent = c->parent != NULL ? c->parent[i] : G_MAXUINT32;
      const guint32 above = parent != G_MAXUINT32 ? above_of[parent] : top;
      const gboolean is_inner = parent != G_MAXUINT32 && is_placed[parent];
      gboolean is_own;
      guint32 node;

      if ((i & 0xffff) == 0 && g_cancellable_set_error_if_cancelled (making->cancellable, error))
        return FALSE;
      /* A path that is too deep ends in the node above. */
      is_own = place_of (self, c, i, above, &node) && (node != above || is_categories);
      above_of[i] = node;
      is_placed[i] = is_own || is_inner;
      if (!is_placed[i])
        continue;
      if (self->category_role[c->category[i]] == ROLE_LAUNCHER && c->correlation != NULL
          && c->correlation[i] != 0)
        {
          Launch launch = { c->correlation[i], stria_lane_get_artifact (lane), node };
          g_array_append_val (self->launches, launch);
        }
      if (!is_own || !counts (making, c->start[i], c->dur[i]))
        continue;
      node_of[i] = node;
      add_slice (self, lane, c, i, node,
                 is_categories ? (is_inner ? above : G_MAXUINT32) : above, !is_inner);
    }
  return TRUE;
}

/* -- what devices ran ------------------------------------------------------------------------ */

static int
compare_launches (gconstpointer a, gconstpointer b)
{
  const Launch *x = a, *y = b;

  if (x->artifact != y->artifact)
    return x->artifact < y->artifact ? -1 : 1;
  return x->correlation < y->correlation ? -1 : x->correlation > y->correlation;
}

static gboolean
add_device (Slices *self, guint32 number, GError **error)
{
  OperatorMaking *making = self->making;
  StriaLane *lane = stria_trace_get_lane (making->trace, number);
  const StriaColumns *c;

  if (!stria_lane_load (lane, making->cancellable, error))
    return FALSE;
  c = stria_lane_get_columns (lane);
  for (guint64 i = 0; c->correlation != NULL && c->dur != NULL && i < c->n; i++)
    {
      Launch key = { c->correlation[i], stria_lane_get_artifact (lane), 0 };
      const Launch *found;
      double time;

      if (key.correlation == 0 || self->category_role[c->category[i]] != ROLE_OTHER
          || !counts (making, c->start[i], c->dur[i]))
        continue;
      found = bsearch (&key, self->launches->data, self->launches->len, sizeof (Launch),
                       compare_launches);
      if (found == NULL)
        continue;
      time = (double) inside (making, c->start[i], c->start[i] + c->dur[i]);
      for (guint32 n = found->node; n != G_MAXUINT32;)
        {
          OperatorNode *made = &g_array_index (making->nodes, OperatorNode, n);

          made->sums[STRIA_OPERATOR_DEVICE] += time;
          made->sums[STRIA_OPERATOR_LAUNCHED]++;
          made->has |= 1u << STRIA_OPERATOR_DEVICE | 1u << STRIA_OPERATOR_LAUNCHED;
          n = made->parent;
        }
    }
  return TRUE;
}

/* Begins, ends and what only adds up go from each node to those above; children have the greater
 * numbers. */
static void
sum_up (OperatorMaking *self)
{
  const gboolean is_categories = self->tree->kind == STRIA_OPERATORS_CATEGORIES;

  for (guint32 i = self->nodes->len; i-- > 0;)
    {
      OperatorNode *node = &g_array_index (self->nodes, OperatorNode, i);
      OperatorNode *parent = node->parent != G_MAXUINT32
                                 ? &g_array_index (self->nodes, OperatorNode, node->parent)
                                 : NULL;

      node->has |= 1u << STRIA_OPERATOR_TOTAL | 1u << STRIA_OPERATOR_SELF
                   | 1u << STRIA_OPERATOR_SHARE;
      if (is_categories)
        node->sums[STRIA_OPERATOR_TOTAL] += node->sums[STRIA_OPERATOR_SELF];
      if (parent == NULL)
        continue;
      stria_operators_span (parent, node->start_ns, node->end_ns);
      if (!is_categories)
        continue;
      parent->sums[STRIA_OPERATOR_TOTAL] += node->sums[STRIA_OPERATOR_TOTAL];
      parent->sums[STRIA_OPERATOR_COUNT] += node->sums[STRIA_OPERATOR_COUNT];
      parent->has |= 1u << STRIA_OPERATOR_COUNT;
    }
}

gboolean
stria_operators_make_trace (OperatorMaking *making, GError **error)
{
  const guint32 n_strings = stria_strings_size (stria_trace_get_strings (making->trace));
  const guint32 n_categories = stria_trace_get_n_categories (making->trace);
  g_autofree gboolean *is_module = g_new0 (gboolean, MAX (n_strings, 1));
  g_autofree guint8 *roles = g_new0 (guint8, MAX (n_categories, 1));
  g_autoptr (GArray) launches = g_array_new (FALSE, FALSE, sizeof (Launch));
  Slices self = { making, is_module, roles, launches };
  const guint32 n_lanes = stria_trace_get_n_lanes (making->trace);

  for (guint32 i = 0; making->tree->kind == STRIA_OPERATORS_MODULES && i < n_strings; i++)
    is_module[i] = g_str_has_prefix (stria_trace_get_string (making->trace, i), STRIA_OPERATORS_MODULE);
  for (guint32 i = 0; i < n_categories; i++)
    roles[i] = role_of_category (stria_trace_get_category (making->trace, i));

  for (guint32 i = 0; i < n_lanes; i++)
    if (is_slices (stria_trace_get_lane (making->trace, i)) && !add_lane (&self, i, error))
      return FALSE;
  g_array_sort (launches, compare_launches);
  for (guint32 i = 0; launches->len > 0 && i < n_lanes; i++)
    if (is_slices (stria_trace_get_lane (making->trace, i)) && !add_device (&self, i, error))
      return FALSE;
  sum_up (making);
  making->tree->reasons[STRIA_OPERATOR_DEVICE] = making->tree->reasons[STRIA_OPERATOR_LAUNCHED]
      = launches->len > 0
            ? N_ ("Not available because no slice of a device carries the correlation of a launch")
            : N_ ("Not available because no call of a device's runtime carries a correlation");
  return TRUE;
}
