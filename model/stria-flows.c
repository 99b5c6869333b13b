/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "stria-builder-private.h"
#include "stria-hash.h"
#include "stria-sort.h"

/* Flow events, as pytorch-formats B1.6 has them: identity is (category, name, id); a start binds to
 * the slice around it; an end binds to the slice around it (bp "e") or to the next one. Kineto
 * writes a flow event directly behind the slice it belongs to, with the same time: that one goes
 * before the rules. */

/* The slice just before the flow event in the file, where thread and time agree. Staged slices are
 * still in file order here. */
void
stria_flows_before_nesting (StriaBuilder *self, guint32 *slice_of_flow)
{
  for (guint f = 0; f < self->flows->len; f++)
    {
      const StriaEvent *flow = &g_array_index (self->flows, StriaEvent, f);
      StriaStaged *slices = &((StriaStagedThread *) self->threads->pdata[flow->thread])->slices;
      gsize low = 0, high;

      stria_staged_need (slices, STRIA_COLUMN_SEQ);
      stria_staged_need (slices, STRIA_COLUMN_START);
      high = slices->c.n;

      slice_of_flow[f] = G_MAXUINT32;
      while (low < high)
        {
          gsize mid = low + (high - low) / 2;
          if (slices->c.seq[mid] < flow->seq)
            low = mid + 1;
          else
            high = mid;
        }
      if (low > 0 && slices->c.start[low - 1] == flow->ts_ns)
        slice_of_flow[f] = (guint32) (low - 1);
    }
}

static gboolean
exact_start (const StriaLaneBody *body, gint64 ns, guint32 *index)
{
  /* The outermost slice that starts at the very time. */
  for (guint32 row = 0; row < body->n_rows; row++)
    {
      guint64 low = body->row_begin[row], high = body->row_begin[row + 1], end = high;
      while (low < high)
        {
          guint64 mid = low + (high - low) / 2;
          if (body->columns.start[mid] < ns)
            low = mid + 1;
          else
            high = mid;
        }
      if (low < end && body->columns.start[low] == ns)
        {
          *index = (guint32) low;
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
innermost_around (const StriaLaneBody *body, gint64 ns, guint32 *index)
{
  gboolean found = FALSE;

  for (guint32 row = 0; row < body->n_rows; row++)
    {
      guint64 low = body->row_begin[row], high = body->row_begin[row + 1], begin = low;
      while (low < high)
        {
          guint64 mid = low + (high - low) / 2;
          if (body->columns.start[mid] <= ns)
            low = mid + 1;
          else
            high = mid;
        }
      if (low == begin || body->columns.start[low - 1] + body->columns.dur[low - 1] < ns)
        break;
      *index = (guint32) (low - 1);
      found = TRUE;
    }
  return found;
}

static gboolean
next_start (const StriaLaneBody *body, gint64 ns, guint32 *index)
{
  gboolean found = FALSE;

  for (guint32 row = 0; row < body->n_rows; row++)
    {
      guint64 low = body->row_begin[row], high = body->row_begin[row + 1], end = high;
      while (low < high)
        {
          guint64 mid = low + (high - low) / 2;
          if (body->columns.start[mid] < ns)
            low = mid + 1;
          else
            high = mid;
        }
      if (low < end && (!found || body->columns.start[low] < body->columns.start[*index]))
        {
          *index = (guint32) low;
          found = TRUE;
        }
    }
  return found;
}

static StriaRef
bind (StriaBuilder *self, const StriaEvent *flow, guint32 staged_slice)
{
  const StriaStagedThread *thread = self->threads->pdata[flow->thread];
  guint32 index = 0;

  if (staged_slice != G_MAXUINT32 && thread->place != NULL)
    return (StriaRef){ thread->lanes[thread->place_lane[staged_slice]],
                       thread->place[staged_slice] };
  for (guint i = 0; i < 3; i++)
    if (thread->lanes[i] != G_MAXUINT32 && exact_start (thread->bodies[i], flow->ts_ns, &index))
      return (StriaRef){ thread->lanes[i], index };
  if (flow->kind == STRIA_EVENT_FLOW_END && !(flow->flags & STRIA_EVENT_BIND_ENCLOSING))
    {
      if (thread->lanes[0] != G_MAXUINT32 && next_start (thread->bodies[0], flow->ts_ns, &index))
        return (StriaRef){ thread->lanes[0], index };
      return STRIA_REF_NONE;
    }
  for (guint i = 0; i < 3; i++)
    if (thread->lanes[i] != G_MAXUINT32
        && innermost_around (thread->bodies[i], flow->ts_ns, &index))
      return (StriaRef){ thread->lanes[i], index };
  return STRIA_REF_NONE;
}

typedef struct
{
  guint64 id;
  guint32 name;
  guint32 category;
  StriaRef last; /* where the next arrow of this flow starts; none = no start yet */
} Flow;

static guint
flow_hash (gconstpointer key)
{
  const Flow *flow = key;
  return (guint) stria_hash_u64 (flow->id ^ stria_hash_u64 ((guint64) flow->name << 32
                                                            | flow->category));
}

static gboolean
flow_equal (gconstpointer a, gconstpointer b)
{
  const Flow *x = a, *y = b;
  return x->id == y->id && x->name == y->name && x->category == y->category;
}

void
stria_flows_bind (StriaBuilder *self, const guint32 *slice_of_flow, StriaBuilt *built)
{
  guint n = self->flows->len;
  g_autofree StriaSortPair *order = g_new (StriaSortPair, MAX (n, 1));
  g_autoptr (GHashTable) open = g_hash_table_new_full (flow_hash, flow_equal, g_free, NULL);
  gint64 shift = G_MAXINT64;

  /* In time order; at one time starts before steps before ends, so that a flow between two events
   * of one instant is whole. The clock skew of devices can put an end before its start: so ends are
   * matched in a second pass to starts wherever they are. */
  for (guint f = 0; f < n; f++)
    shift = MIN (shift, g_array_index (self->flows, StriaEvent, f).ts_ns);
  for (guint f = 0; f < n; f++)
    {
      const StriaEvent *flow = &g_array_index (self->flows, StriaEvent, f);
      guint64 rank = (guint64) (flow->kind - STRIA_EVENT_FLOW_START);
      order[f] = (StriaSortPair){ (((guint64) flow->ts_ns - (guint64) shift) << 2) | rank, f };
    }
  stria_sort_pairs (order, n);

  g_autoptr (GArray) late = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint k = 0; k < n; k++)
    {
      guint32 f = order[k].value;
      const StriaEvent *event = &g_array_index (self->flows, StriaEvent, f);
      Flow key = { event->id, event->name, event->category, STRIA_REF_NONE };
      Flow *flow = g_hash_table_lookup (open, &key);

      if (event->kind == STRIA_EVENT_FLOW_START)
        {
          StriaRef from = bind (self, event, slice_of_flow[f]);
          if (stria_ref_is_none (from))
            built->n_unbound_flows++;
          if (flow == NULL)
            {
              flow = g_memdup2 (&key, sizeof key);
              g_hash_table_add (open, flow);
            }
          flow->last = from; /* several starts of one id: the newest wins */
          continue;
        }
      if (flow == NULL)
        {
          g_array_append_val (late, f);
          continue;
        }
      StriaRef to = bind (self, event, slice_of_flow[f]);
      if (stria_ref_is_none (to) || stria_ref_is_none (flow->last))
        {
          built->n_unbound_flows++;
          continue;
        }
      StriaBuiltFlow arrow = { flow->last, to, event->name, event->category };
      g_array_append_val (built->flows, arrow);
      if (event->kind == STRIA_EVENT_FLOW_STEP)
        flow->last = to;
    }
  for (guint k = 0; k < late->len; k++)
    {
      guint32 f = g_array_index (late, guint32, k);
      const StriaEvent *event = &g_array_index (self->flows, StriaEvent, f);
      Flow key = { event->id, event->name, event->category, STRIA_REF_NONE };
      Flow *flow = g_hash_table_lookup (open, &key);
      StriaRef to = flow != NULL ? bind (self, event, slice_of_flow[f]) : STRIA_REF_NONE;

      if (flow == NULL || stria_ref_is_none (to) || stria_ref_is_none (flow->last))
        {
          built->n_unbound_flows++;
          continue;
        }
      StriaBuiltFlow arrow = { flow->last, to, event->name, event->category };
      g_array_append_val (built->flows, arrow);
    }
}
