/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-device-link.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-error.h"
#include "stria-lane-groups.h"
#include "stria-table.h"

#define INSTRUCTIONS STRIA_TABLE_LANE_KEY "Instruction"
#define EXECUTIONS   STRIA_TABLE_LANE_KEY "ExecutionInfo"

static StriaDeviceLink
link_of (const StriaLanePlace *place)
{
  if (g_str_equal (place->source, "device profile"))
    return STRIA_DEVICE_LINK_TO_SYSTEM;
  if ((g_str_equal (place->source, "neuron_hw") || g_str_equal (place->source, "neuron_rt"))
      && place->nc != STRIA_NO_CORE)
    return STRIA_DEVICE_LINK_TO_DEVICE;
  return STRIA_DEVICE_LINK_NONE;
}

StriaDeviceLink
stria_device_link_of (StriaTrace *trace, guint32 lane)
{
  g_auto (StriaLanePlace) place = { 0 };

  g_return_val_if_fail (lane < stria_trace_get_n_lanes (trace), STRIA_DEVICE_LINK_NONE);

  stria_lane_place_init (&place, trace, lane);
  return link_of (&place);
}

/* What the names do not say is no contradiction, but the core is asked for. Machines are called by
 * other names in the two profiles, so they only decide between several. */
static gboolean
is_of_one_core (const StriaLanePlace *a, const StriaLanePlace *b)
{
  return a->nc == b->nc && a->nc != STRIA_NO_CORE
         && (a->pid[0] == '\0' || b->pid[0] == '\0' || g_str_equal (a->pid, b->pid));
}

/* How well a lane fits, 0: not at all */
static guint
score_of (const StriaLanePlace *from, const StriaLanePlace *to, StriaLane *lane,
          StriaDeviceLink link)
{
  const char *key = stria_lane_get_key (lane);
  guint score = 0;

  if (stria_lane_get_kind (lane) == STRIA_LANE_COUNTER || !is_of_one_core (from, to))
    return 0;
  if (link == STRIA_DEVICE_LINK_TO_DEVICE)
    score = !g_str_equal (to->source, "device profile") ? 0
            : g_str_has_prefix (key, INSTRUCTIONS)      ? 4
            : g_str_has_prefix (key, EXECUTIONS)        ? 2
                                                        : 0;
  else
    score = g_str_equal (to->source, "neuron_hw")   ? 4
            : g_str_equal (to->source, "neuron_rt") ? 2
                                                    : 0;
  return score > 0 ? score + g_str_equal (from->instance, to->instance) : 0;
}

static gint64
distance (gint64 a0, gint64 a1, gint64 b0, gint64 b1)
{
  if (b0 > a1)
    return b0 - a1;
  return a0 > b1 ? a0 - b1 : 0;
}

static gint64
end_of (const StriaColumns *columns, guint64 index)
{
  return columns->start[index] + (columns->dur != NULL ? columns->dur[index] : 0);
}

/* Of the outermost row, the first event that runs between two times, else the nearest one. */
static guint64
nearest (StriaLane *lane, const StriaColumns *columns, gint64 start, gint64 end, gint64 *away)
{
  guint64 begin, past, at, best = G_MAXUINT64;

  if (stria_lane_get_n_rows (lane) == 0)
    return G_MAXUINT64;
  stria_lane_get_row (lane, 0, &begin, &past);
  at = stria_lane_lower_bound (lane, 0, start);
  for (guint64 i = at > begin ? at - 1 : begin; i < MIN (at + 2, past); i++)
    {
      const gint64 d = distance (start, end, columns->start[i], end_of (columns, i));

      if (best != G_MAXUINT64 && d >= *away)
        continue;
      best = i;
      *away = d;
    }
  return best;
}

static void
set_missing (GError **error, const StriaLanePlace *place, StriaDeviceLink link)
{
  if (place->nc == STRIA_NO_CORE)
    g_set_error_literal (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                         _ ("The device profile does not say of which NeuronCore it is"));
  else if (link == STRIA_DEVICE_LINK_TO_DEVICE)
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                 _ ("No device profile of NeuronCore %d of process %s is in the capture"),
                 place->nc, place->pid[0] != '\0' ? place->pid : "?");
  else
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                 _ ("No system profile with NeuronCore %d of process %s is in the capture"),
                 place->nc, place->pid[0] != '\0' ? place->pid : "?");
}

gboolean
stria_device_link_find (StriaTrace *trace, StriaRef ref, StriaRef *found, gint64 *away_ns,
                        GCancellable *cancellable, GError **error)
{
  g_auto (StriaLanePlace) from = { 0 };
  StriaLane *lane = stria_trace_get_lane (trace, ref.lane);
  const StriaColumns *columns;
  StriaDeviceLink link;
  gint64 start, end, best_away = G_MAXINT64, best_start = G_MAXINT64;
  guint best_score = 0;

  *found = STRIA_REF_NONE;
  stria_lane_place_init (&from, trace, ref.lane);
  link = link_of (&from);
  if (!stria_lane_load (lane, cancellable, error))
    return FALSE;
  columns = stria_lane_get_columns (lane);
  start = columns->start[ref.index];
  end = end_of (columns, ref.index);
  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace) && link != STRIA_DEVICE_LINK_NONE; i++)
    {
      StriaLane *other = stria_trace_get_lane (trace, i);
      g_auto (StriaLanePlace) to = { 0 };
      gint64 away = G_MAXINT64;
      guint64 index;
      guint score;

      stria_lane_place_init (&to, trace, i);
      score = score_of (&from, &to, other, link);
      if (score == 0)
        continue;
      if (!stria_lane_load (other, cancellable, error))
        return FALSE;
      columns = stria_lane_get_columns (other);
      index = nearest (other, columns, start, end, &away);
      if (index == G_MAXUINT64)
        continue;
      /* The nearest, then what says most, then the earliest */
      if (away > best_away
          || (away == best_away
              && (score < best_score
                  || (score == best_score && columns->start[index] >= best_start))))
        continue;
      best_away = away;
      best_score = score;
      best_start = columns->start[index];
      *found = (StriaRef){ i, (guint32) index };
    }
  if (!stria_ref_is_none (*found))
    {
      *away_ns = best_away;
      return TRUE;
    }
  set_missing (error, &from, link);
  return FALSE;
}
