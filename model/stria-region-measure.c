/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-cover.h"
#include "stria-lane-class.h"
#include "stria-regions-private.h"
#include "stria-table.h"
#include "stria-transfers.h"

#include <glib/gi18n-lib.h>

#define NO_GROUP G_MAXUINT
#define MAX_GROUPS 64

/* Slices that say what others are about, and do nothing themselves */
static const char *const talk[]
    = { "user_annotation", "gpu_user_annotation", "python_function", "Trace", "overhead", NULL };

typedef struct
{
  StriaRegionSearch *search;
  GPtrArray         *keys;   /* of each group */
  guint             *group;  /* of each lane, or NO_GROUP */
  StriaCover        *covers; /* of each group */
  guint8            *talk;   /* of each category */
  gboolean           many_processes;
} Measuring;

static gboolean
is_wait_lane (StriaLane *lane)
{
  return g_str_has_suffix (stria_lane_table_key (lane), "\x1fwait");
}

/* What a lane is measured with: a key, and a title for people. (transfer full) FALSE: with
 * nothing */
static gboolean
group_of (Measuring *self, StriaLane *lane, gboolean has_whole, char **key, char **title)
{
  StriaTrace *trace = self->search->trace;
  const StriaLaneKind kind = stria_lane_get_kind (lane);
  const guint32 process = stria_lane_get_process (lane);
  g_autofree char *owner = NULL;
  const char *name = NULL;
  gsize length = 0;

  if (kind == STRIA_LANE_COUNTER || kind == STRIA_LANE_INSTANTS
      || kind == STRIA_LANE_ANNOTATIONS)
    return FALSE;
  owner = stria_trace_process_title (trace, process);
  if (stria_lane_get_table (lane, &length) == NULL)
    {
      *key = g_strdup_printf ("%u", process);
      *title = g_steal_pointer (&owner);
      return TRUE;
    }
  if (stria_lane_is_of_table (lane, "Instruction") && !is_wait_lane (lane))
    name = stria_lane_get_name (lane);
  else if (stria_lane_is_of_table (lane, has_whole ? "DmaPacketAggregated" : "DmaPacket"))
    name = "DMA";
  else if (stria_lane_is_of_table (lane, "CcOp"))
    name = _ ("Collectives");
  if (name == NULL)
    return FALSE;
  *key = g_strdup_printf ("%u\x1f%s", process, name);
  *title = self->many_processes ? g_strdup_printf ("%s, %s", name, owner) : g_strdup (name);
  return TRUE;
}

static gboolean
has_whole_transfers (StriaTrace *trace, guint32 artifact)
{
  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    if (stria_lane_get_artifact (stria_trace_get_lane (trace, l)) == artifact
        && stria_lane_is_of_table (stria_trace_get_lane (trace, l), "DmaPacketAggregated"))
      return TRUE;
  return FALSE;
}

static guint
find_group (Measuring *self, const char *key)
{
  for (guint g = 0; g < self->keys->len; g++)
    if (g_str_equal (self->keys->pdata[g], key))
      return g;
  return NO_GROUP;
}

static void
make_groups (Measuring *self)
{
  StriaTrace *trace = self->search->trace;
  GArray *groups = self->search->set->groups;
  guint32 first = G_MAXUINT32;

  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    if (stria_lane_is_of_table (stria_trace_get_lane (trace, l), "Instruction"))
      {
        const guint32 process = stria_lane_get_process (stria_trace_get_lane (trace, l));

        self->many_processes = self->many_processes || (first != G_MAXUINT32 && first != process);
        first = process;
      }
  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      const guint32 artifact = stria_lane_get_artifact (lane);
      g_autofree char *key = NULL;
      g_autofree char *title = NULL;

      self->group[l] = NO_GROUP;
      if (!group_of (self, lane, has_whole_transfers (trace, artifact), &key, &title))
        continue;
      self->group[l] = find_group (self, key);
      if (self->group[l] == NO_GROUP && groups->len < MAX_GROUPS)
        {
          const StriaRegionGroup group = { g_steal_pointer (&title), artifact };

          self->group[l] = groups->len;
          g_array_append_val (groups, group);
          g_ptr_array_add (self->keys, g_steal_pointer (&key));
        }
    }
}

static gboolean
cover (Measuring *self, GError **error)
{
  StriaTrace *trace = self->search->trace;

  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      const StriaColumns *columns;

      if (g_cancellable_set_error_if_cancelled (self->search->cancellable, error))
        return FALSE;
      if (self->group[l] == NO_GROUP)
        continue;
      if (!stria_lane_load (lane, self->search->cancellable, error))
        return FALSE;
      columns = stria_lane_get_columns (lane);
      for (guint64 i = 0; columns->dur != NULL && i < columns->n; i++)
        if (self->talk[columns->category[i]] == 0)
          stria_cover_add (&self->covers[self->group[l]], columns->start[i],
                           columns->start[i] + columns->dur[i]);
    }
  for (guint g = 0; g < self->search->set->groups->len; g++)
    stria_cover_seal (&self->covers[g]);
  return TRUE;
}

/* Takes away groups in which nothing ever ran: @n of them are left. */
static guint
drop_idle_groups (Measuring *self)
{
  GArray *groups = self->search->set->groups;
  guint n = 0;

  for (guint g = 0; g < groups->len; g++)
    {
      StriaRegionGroup *group = &g_array_index (groups, StriaRegionGroup, g);

      if (stria_cover_size (&self->covers[g]) == 0)
        {
          stria_cover_clear (&self->covers[g]);
          g_clear_pointer (&group->title, g_free);
          continue;
        }
      if (n < g)
        {
          g_array_index (groups, StriaRegionGroup, n) = *group;
          self->covers[n] = self->covers[g];
          group->title = NULL;
          self->covers[g] = (StriaCover){ 0 };
        }
      n++;
    }
  g_array_set_size (groups, n);
  return n;
}

/* The first of [begin, end) that starts at @ns or after it */
static guint64
starts_from (const StriaColumns *columns, guint64 begin, guint64 end, gint64 ns)
{
  while (begin < end)
    {
      const guint64 middle = begin + (end - begin) / 2;

      if (columns->start[middle] < ns)
        begin = middle + 1;
      else
        end = middle;
    }
  return begin;
}

static void
count_lane (Measuring *self, StriaLane *lane)
{
  const StriaColumns *columns = stria_lane_get_columns (lane);
  GArray *regions = self->search->set->regions;
  const guint32 artifact = stria_lane_get_artifact (lane);

  for (guint32 row = 0; row < stria_lane_get_n_rows (lane); row++)
    {
      guint64 begin = 0, end = 0;

      stria_lane_get_row (lane, row, &begin, &end);
      for (guint i = 0; i < regions->len && begin < end; i++)
        {
          StriaRegion *region = &g_array_index (regions, StriaRegion, i);
          guint64 from;

          if (region->artifact != artifact)
            continue;
          from = starts_from (columns, begin, end, region->t0);
          region->count += starts_from (columns, from, end, region->t1) - from;
        }
    }
}

static gboolean
count_slices (Measuring *self, GError **error)
{
  StriaTrace *trace = self->search->trace;

  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);

      if (g_cancellable_set_error_if_cancelled (self->search->cancellable, error))
        return FALSE;
      if (self->group[l] != NO_GROUP && stria_lane_get_columns (lane)->dur != NULL)
        count_lane (self, lane);
    }
  return TRUE;
}

static gboolean
sum_bytes (Measuring *self, GError **error)
{
  StriaTrace *trace = self->search->trace;
  GArray *regions = self->search->set->regions;
  g_autoptr (GArray) transfers = stria_transfers_new (trace, self->search->cancellable, error);

  if (transfers == NULL)
    return FALSE;
  for (guint i = 0; i < regions->len; i++)
    {
      StriaRegion *region = &g_array_index (regions, StriaRegion, i);

      if (g_cancellable_set_error_if_cancelled (self->search->cancellable, error))
        return FALSE;
      for (guint t = stria_transfers_from (transfers, region->t0); t < transfers->len; t++)
        {
          const StriaTransfer *transfer = &g_array_index (transfers, StriaTransfer, t);

          if (transfer->start >= region->t1)
            break;
          if (transfer->bytes >= 0
              && stria_lane_get_artifact (stria_trace_get_lane (trace, transfer->ref.lane))
                     == region->artifact)
            region->bytes = MAX (region->bytes, 0) + transfer->bytes;
        }
    }
  return TRUE;
}

gboolean
stria_region_measure (StriaRegionSearch *search, GError **error)
{
  StriaTrace *trace = search->trace;
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  g_autofree guint *group = g_new0 (guint, stria_trace_get_n_lanes (trace) + 1);
  g_autofree StriaCover *covers = g_new0 (StriaCover, MAX_GROUPS);
  g_autofree guint8 *categories = g_new0 (guint8, stria_trace_get_n_categories (trace) + 1);
  Measuring self = { search, keys, group, covers, categories, FALSE };
  guint n = 0;
  gboolean ok;

  make_groups (&self);
  stria_trace_flag_categories (trace, talk, 1, categories);
  ok = cover (&self, error);
  n = ok ? drop_idle_groups (&self) : 0;
  for (guint i = 0; ok && i < search->set->regions->len; i++)
    {
      StriaRegion *region = &g_array_index (search->set->regions, StriaRegion, i);

      region->busy = g_new (gint64, MAX (n, 1));
      for (guint g = 0; g < n; g++)
        region->busy[g]
            = g_array_index (search->set->groups, StriaRegionGroup, g).artifact == region->artifact
                  ? stria_cover_ns (&covers[g], region->t0, region->t1)
                  : -1;
    }
  for (guint g = 0; g < MAX_GROUPS; g++)
    stria_cover_clear (&covers[g]);
  return ok && count_slices (&self, error) && sum_bytes (&self, error);
}
