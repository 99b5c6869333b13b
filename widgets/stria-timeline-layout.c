/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-timeline-layout-private.h"

#include <string.h>

static double
lane_height (StriaTimelineLayout *self, guint32 number, gboolean collapsed, double *row_height)
{
  StriaLane *lane = stria_trace_get_lane (self->trace, number);

  if (stria_lane_get_kind (lane) == STRIA_LANE_COUNTER)
    {
      *row_height = STRIA_LAYOUT_COUNTER_HEIGHT;
      if (stria_timeline_layout_stack_of (self, number) != NULL)
        *row_height = STRIA_LAYOUT_STACK_HEIGHT;
      if (self->lane_height[number] > 0)
        *row_height = stria_text_px (self->lane_height[number]);
      if (collapsed)
        *row_height = STRIA_LAYOUT_ROW_HEIGHT;
      return *row_height + 2 * STRIA_LAYOUT_LANE_PADDING;
    }
  *row_height = stria_lane_is_of_table (lane, "Throttle") ? STRIA_LAYOUT_LEVEL_HEIGHT
                                                          : STRIA_LAYOUT_ROW_HEIGHT;
  return *row_height * (collapsed ? 1 : MAX (stria_lane_get_n_rows (lane), 1))
         + 2 * STRIA_LAYOUT_LANE_PADDING;
}

static gboolean
process_shows (StriaTimelineLayout *self, guint32 process)
{
  for (guint32 i = self->lane_begin[process]; i < self->lane_begin[process + 1]; i++)
    if ((self->lane_state[self->lane_order[i]] & (STATE_HIDDEN | STATE_MASKED | STATE_PINNED)) == 0)
      return TRUE;
  return FALSE;
}

static void
place_lane (StriaTimelineLayout *self, guint32 lane)
{
  const gboolean pinned = (self->lane_state[lane] & STATE_PINNED) != 0;
  const StriaLaneStack *stack = stria_timeline_layout_stack_of (self, lane);
  GArray *items = pinned ? self->pinned : self->items;
  double *height = pinned ? &self->pinned_height : &self->height;
  StriaLayoutItem item = {
    .lane = lane,
    .process = self->groups->group_of[lane],
    .y = *height,
    .collapsed = (self->lane_state[lane] & STATE_COLLAPSED) != 0,
    .pinned = pinned,
  };

  item.height = lane_height (self, lane, item.collapsed, &item.row_height);
  *height += item.height;
  self->item_of_lane[lane] = items->len;
  for (guint i = 0; stack != NULL && i < stack->n_parts; i++)
    self->item_of_lane[stack->parts[i]] = items->len;
  g_array_append_val (items, item);
}

static void
place_process (StriaTimelineLayout *self, guint32 process)
{
  const gboolean collapsed = (self->process_state[process] & STATE_COLLAPSED) != 0;
  const StriaLayoutItem header = {
    .is_process = TRUE,
    .process = process,
    .lane = G_MAXUINT32,
    .y = self->height,
    .height = STRIA_LAYOUT_PROCESS_HEIGHT,
    .row_height = STRIA_LAYOUT_PROCESS_HEIGHT,
    .collapsed = collapsed,
  };

  if (process_shows (self, process))
    {
      self->item_of_process[process] = self->items->len;
      g_array_append_val (self->items, header);
      self->height += header.height;
    }
  for (guint32 i = self->lane_begin[process]; i < self->lane_begin[process + 1]; i++)
    {
      const guint32 lane = self->lane_order[i];
      const guint8 state = self->lane_state[lane];

      if ((state & (STATE_HIDDEN | STATE_MASKED)) == 0 && (!collapsed || (state & STATE_PINNED) != 0))
        place_lane (self, lane);
    }
}

void
stria_timeline_layout_place (StriaTimelineLayout *self)
{
  g_array_set_size (self->items, 0);
  g_array_set_size (self->pinned, 0);
  self->height = 0;
  self->pinned_height = 0;
  self->serial++;
  for (guint32 i = 0; i < self->n_lanes; i++)
    self->item_of_lane[i] = G_MAXUINT32;
  for (guint32 i = 0; i < self->n_processes; i++)
    self->item_of_process[i] = G_MAXUINT32;
  for (guint32 i = 0; i < self->n_processes; i++)
    place_process (self, self->process_order[i]);
}

static void
set_flag (StriaTimelineLayout *self, guint8 *state, guint8 flag, gboolean on)
{
  const guint8 changed = (guint8) (on ? *state | flag : *state & ~flag);

  if (changed == *state)
    return;
  *state = changed;
  stria_timeline_layout_place (self);
}

static void
order_lanes (StriaTimelineLayout *self)
{
  g_autofree guint32 *fill = g_new0 (guint32, self->n_processes + 1);

  memset (self->lane_begin, 0, sizeof (guint32) * (self->n_processes + 1));
  for (guint32 i = 0; i < self->n_lanes; i++)
    self->lane_begin[self->groups->group_of[i] + 1]++;
  for (guint32 i = 0; i < self->n_processes; i++)
    self->lane_begin[i + 1] += self->lane_begin[i];
  memcpy (fill, self->lane_begin, sizeof (guint32) * (self->n_processes + 1));
  for (guint32 i = 0; i < self->n_lanes; i++)
    {
      const guint32 process = self->groups->group_of[i];

      self->lane_order[fill[process]++] = i;
    }
}

/* Processes of the file stand where their first lane stands in the trace; those without one come
 * last. Other groups have an order. */
static void
order_processes (StriaTimelineLayout *self)
{
  g_autofree guint8 *seen = g_new0 (guint8, self->n_processes + 1);
  guint32 n = 0;

  for (guint32 i = 0; i < self->n_processes && self->grouping != STRIA_GROUPING_FILE; i++)
    {
      self->process_order[n++] = i;
      seen[i] = 1;
    }
  for (guint32 i = 0; i < self->n_lanes; i++)
    {
      const guint32 process = self->groups->group_of[i];

      if (!seen[process])
        self->process_order[n++] = process;
      seen[process] = 1;
    }
  for (guint32 i = 0; i < self->n_processes; i++)
    if (!seen[i])
      self->process_order[n++] = i;
}

static void
free_tables (StriaTimelineLayout *self)
{
  g_clear_pointer (&self->process_state, g_free);
  g_clear_pointer (&self->lane_state, g_free);
  g_clear_pointer (&self->lane_height, g_free);
  g_clear_pointer (&self->process_order, g_free);
  g_clear_pointer (&self->lane_order, g_free);
  g_clear_pointer (&self->lane_begin, g_free);
  g_clear_pointer (&self->item_of_lane, g_free);
  g_clear_pointer (&self->item_of_process, g_free);
}

static void
alloc_tables (StriaTimelineLayout *self)
{
  self->process_state = g_new0 (guint8, self->n_processes + 1);
  self->lane_state = g_new0 (guint8, self->n_lanes + 1);
  self->lane_height = g_new0 (guint16, self->n_lanes + 1);
  self->process_order = g_new0 (guint32, self->n_processes + 1);
  self->lane_order = g_new0 (guint32, self->n_lanes + 1);
  self->lane_begin = g_new0 (guint32, self->n_processes + 1);
  self->item_of_lane = g_new0 (guint32, self->n_lanes + 1);
  self->item_of_process = g_new0 (guint32, self->n_processes + 1);
}

static const StriaLayoutItem *
item_at (GArray *items, double y)
{
  guint low = 0;
  guint high = items->len;

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;
      const StriaLayoutItem *item = &g_array_index (items, StriaLayoutItem, middle);

      if (y < item->y)
        high = middle;
      else if (y >= item->y + item->height)
        low = middle + 1;
      else
        return item;
    }
  return NULL;
}

/* Takes @number out of @order and puts it before @before, or last. */
static gboolean
move_before (guint32 *order, guint32 n, guint32 number, guint32 before)
{
  guint32 from = 0;
  guint32 to = n;

  while (from < n && order[from] != number)
    from++;
  for (guint32 i = 0; i < n; i++)
    if (order[i] == before)
      to = i;
  if (from == n || to == from || to == from + 1)
    return FALSE;
  if (to > from)
    memmove (order + from, order + from + 1, sizeof (guint32) * (--to - from));
  else
    memmove (order + to + 1, order + to, sizeof (guint32) * (from - to));
  order[to] = number;
  return TRUE;
}

/**
 * stria_timeline_layout_new:
 *
 * Returns: (transfer full): a layout of nothing
 */
StriaTimelineLayout *
stria_timeline_layout_new (void)
{
  StriaTimelineLayout *self = g_new0 (StriaTimelineLayout, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->items = g_array_new (FALSE, FALSE, sizeof (StriaLayoutItem));
  self->pinned = g_array_new (FALSE, FALSE, sizeof (StriaLayoutItem));
  alloc_tables (self);
  return self;
}

StriaTimelineLayout *
stria_timeline_layout_ref (StriaTimelineLayout *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
stria_timeline_layout_unref (StriaTimelineLayout *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  free_tables (self);
  g_clear_pointer (&self->trace, stria_trace_unref);
  g_clear_pointer (&self->stacks, stria_lane_stacks_unref);
  g_clear_pointer (&self->groups, stria_lane_groups_unref);
  g_clear_pointer (&self->saved, g_hash_table_unref);
  g_free (self->filter);
  g_array_unref (self->items);
  g_array_unref (self->pinned);
  g_free (self);
}

/**
 * stria_timeline_layout_snapshot:
 *
 * Returns: (transfer full): a copy that nobody changes
 */
StriaTimelineLayout *
stria_timeline_layout_snapshot (StriaTimelineLayout *self)
{
  StriaTimelineLayout *copy = stria_timeline_layout_new ();

  free_tables (copy);
  copy->trace = self->trace != NULL ? stria_trace_ref (self->trace) : NULL;
  copy->stacks = self->stacks != NULL ? stria_lane_stacks_ref (self->stacks) : NULL;
  copy->separate = self->separate;
  copy->grouping = self->grouping;
  copy->groups = self->groups != NULL ? stria_lane_groups_ref (self->groups) : NULL;
  copy->serial = self->serial;
  copy->moved = self->moved;
  copy->n_processes = self->n_processes;
  copy->n_lanes = self->n_lanes;
  alloc_tables (copy);
  memcpy (copy->process_state, self->process_state, self->n_processes);
  memcpy (copy->lane_state, self->lane_state, self->n_lanes);
  memcpy (copy->lane_height, self->lane_height, sizeof (guint16) * self->n_lanes);
  memcpy (copy->process_order, self->process_order, sizeof (guint32) * self->n_processes);
  memcpy (copy->lane_order, self->lane_order, sizeof (guint32) * self->n_lanes);
  memcpy (copy->lane_begin, self->lane_begin, sizeof (guint32) * (self->n_processes + 1));
  memcpy (copy->item_of_lane, self->item_of_lane, sizeof (guint32) * self->n_lanes);
  memcpy (copy->item_of_process, self->item_of_process, sizeof (guint32) * self->n_processes);
  g_array_append_vals (copy->items, self->items->data, self->items->len);
  g_array_append_vals (copy->pinned, self->pinned->data, self->pinned->len);
  copy->height = self->height;
  copy->pinned_height = self->pinned_height;
  return copy;
}

void
stria_timeline_layout_rebuild (StriaTimelineLayout *self, GHashTable *kept)
{
  StriaTrace *trace = self->trace;

  g_clear_pointer (&self->groups, stria_lane_groups_unref);
  if (trace != NULL)
    self->groups = stria_lane_groups_new (trace, self->grouping);
  free_tables (self);
  self->n_processes = trace != NULL ? self->groups->n_groups : 0;
  self->n_lanes = trace != NULL ? stria_trace_get_n_lanes (trace) : 0;
  alloc_tables (self);
  order_lanes (self);
  order_processes (self);
  if (g_hash_table_size (kept) > 0 || self->saved != NULL)
    stria_timeline_layout_restore (self, kept);
  stria_timeline_layout_mask (self);
  stria_timeline_layout_place (self);
}

/**
 * stria_timeline_layout_set_trace:
 * @trace: (nullable): what to lay out
 *
 * What was collapsed, pinned, hidden or moved by hand stays so where the new trace has the same
 * process (by id) or lane (by id, name and kind).
 */
void
stria_timeline_layout_set_trace (StriaTimelineLayout *self, StriaTrace *trace)
{
  g_autoptr (GHashTable) kept = stria_timeline_layout_keep (self);

  if (trace != NULL)
    stria_trace_ref (trace);
  g_clear_pointer (&self->trace, stria_trace_unref);
  self->trace = trace;
  g_clear_pointer (&self->stacks, stria_lane_stacks_unref);
  if (trace != NULL)
    self->stacks = stria_lane_stacks_new (trace);
  stria_timeline_layout_rebuild (self, kept);
}

StriaTrace *
stria_timeline_layout_get_trace (StriaTimelineLayout *self)
{
  return self->trace;
}

guint
stria_timeline_layout_get_serial (StriaTimelineLayout *self)
{
  return self->serial;
}

const StriaLayoutItem *
stria_timeline_layout_items (StriaTimelineLayout *self, guint *n)
{
  *n = self->items->len;
  return (const StriaLayoutItem *) (gpointer) self->items->data;
}

const StriaLayoutItem *
stria_timeline_layout_pinned (StriaTimelineLayout *self, guint *n)
{
  *n = self->pinned->len;
  return (const StriaLayoutItem *) (gpointer) self->pinned->data;
}

double
stria_timeline_layout_height (StriaTimelineLayout *self)
{
  return self->height;
}

double
stria_timeline_layout_pinned_height (StriaTimelineLayout *self)
{
  return self->pinned_height;
}

const StriaLayoutItem *
stria_timeline_layout_at (StriaTimelineLayout *self, double y)
{
  return item_at (self->items, y);
}

const StriaLayoutItem *
stria_timeline_layout_pinned_at (StriaTimelineLayout *self, double y)
{
  return item_at (self->pinned, y);
}

/**
 * stria_timeline_layout_of_lane:
 * @lane: number of a lane
 *
 * Returns: (nullable): where it stands, pinned or scrolled; %NULL if it is hidden or its process
 * collapsed
 */
const StriaLayoutItem *
stria_timeline_layout_of_lane (StriaTimelineLayout *self, guint32 lane)
{
  const StriaLaneStack *stack = stria_timeline_layout_stack_of (self, lane);
  GArray *items = NULL;

  if (lane >= self->n_lanes || self->item_of_lane[lane] == G_MAXUINT32)
    return NULL;
  if (stack != NULL)
    lane = stack->leader;
  items = (self->lane_state[lane] & STATE_PINNED) != 0 ? self->pinned : self->items;
  return &g_array_index (items, StriaLayoutItem, self->item_of_lane[lane]);
}

/**
 * stria_timeline_layout_of_process:
 * @process: number of a process
 *
 * Returns: (nullable): its header; %NULL if none of its lanes is among the scrolled ones
 */
const StriaLayoutItem *
stria_timeline_layout_of_process (StriaTimelineLayout *self, guint32 process)
{
  if (process >= self->n_processes || self->item_of_process[process] == G_MAXUINT32)
    return NULL;
  return &g_array_index (self->items, StriaLayoutItem, self->item_of_process[process]);
}

const guint32 *
stria_timeline_layout_process_lanes (StriaTimelineLayout *self, guint32 process, guint *n)
{
  g_return_val_if_fail (process < self->n_processes, NULL);

  *n = self->lane_begin[process + 1] - self->lane_begin[process];
  return self->lane_order + self->lane_begin[process];
}

guint32
stria_timeline_layout_item_rows (StriaTimelineLayout *self, const StriaLayoutItem *item)
{
  if (item->is_process || item->collapsed)
    return 1;
  return MAX (stria_lane_get_n_rows (stria_trace_get_lane (self->trace, item->lane)), 1);
}

guint
stria_timeline_layout_n_hidden (StriaTimelineLayout *self)
{
  guint n = 0;

  for (guint32 i = 0; i < self->n_lanes; i++)
    if ((self->lane_state[i] & STATE_HIDDEN) != 0)
      n++;
  return n;
}

void
stria_timeline_layout_set_process_collapsed (StriaTimelineLayout *self, guint32 process,
                                             gboolean collapsed)
{
  g_return_if_fail (process < self->n_processes);

  set_flag (self, &self->process_state[process], STATE_COLLAPSED, collapsed);
}

void
stria_timeline_layout_set_lane_collapsed (StriaTimelineLayout *self, guint32 lane,
                                          gboolean collapsed)
{
  g_return_if_fail (lane < self->n_lanes);

  set_flag (self, &self->lane_state[lane], STATE_COLLAPSED, collapsed);
}

void
stria_timeline_layout_set_lane_pinned (StriaTimelineLayout *self, guint32 lane, gboolean pinned)
{
  g_return_if_fail (lane < self->n_lanes);

  set_flag (self, &self->lane_state[lane], STATE_PINNED, pinned);
  /* What was pinned stayed where others were left out. */
  if (!pinned && self->filter != NULL)
    {
      stria_timeline_layout_mask (self);
      stria_timeline_layout_place (self);
    }
}

void
stria_timeline_layout_set_lane_hidden (StriaTimelineLayout *self, guint32 lane, gboolean hidden)
{
  g_return_if_fail (lane < self->n_lanes);

  set_flag (self, &self->lane_state[lane], STATE_HIDDEN, hidden);
}

void
stria_timeline_layout_set_process_hidden (StriaTimelineLayout *self, guint32 process,
                                          gboolean hidden)
{
  g_return_if_fail (process < self->n_processes);

  for (guint32 i = self->lane_begin[process]; i < self->lane_begin[process + 1]; i++)
    {
      guint8 *state = &self->lane_state[self->lane_order[i]];

      *state = (guint8) (hidden ? *state | STATE_HIDDEN : *state & ~STATE_HIDDEN);
    }
  stria_timeline_layout_place (self);
}

void
stria_timeline_layout_show_all (StriaTimelineLayout *self)
{
  for (guint32 i = 0; i < self->n_lanes; i++)
    self->lane_state[i] &= (guint8) ~STATE_HIDDEN;
  stria_timeline_layout_place (self);
}

void
stria_timeline_layout_move_lane (StriaTimelineLayout *self, guint32 lane, guint32 before)
{
  guint32 process = 0;
  guint32 begin = 0;

  g_return_if_fail (lane < self->n_lanes);

  process = self->groups->group_of[lane];
  begin = self->lane_begin[process];
  if (!move_before (self->lane_order + begin, self->lane_begin[process + 1] - begin, lane, before))
    return;
  self->moved = TRUE;
  stria_timeline_layout_place (self);
}

void
stria_timeline_layout_move_process (StriaTimelineLayout *self, guint32 process, guint32 before)
{
  g_return_if_fail (process < self->n_processes);

  if (!move_before (self->process_order, self->n_processes, process, before))
    return;
  self->moved = TRUE;
  stria_timeline_layout_place (self);
}

void
stria_timeline_layout_collapse_all (StriaTimelineLayout *self, gboolean collapsed)
{
  for (guint32 i = 0; i < self->n_processes; i++)
    self->process_state[i]
        = (guint8) (collapsed ? self->process_state[i] | STATE_COLLAPSED
                              : self->process_state[i] & ~STATE_COLLAPSED);
  stria_timeline_layout_place (self);
}
