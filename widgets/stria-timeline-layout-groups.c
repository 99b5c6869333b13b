/* SPDX-License-Identifier: Apache-2.0 */
/* In which groups the lanes stand. Their headers are called processes in the layout, since that is
 * what they are as long as nothing else was chosen. */
#include "config.h"

#include "stria-timeline-layout-private.h"

/**
 * stria_timeline_layout_set_grouping:
 * @grouping: how lanes are grouped from now on
 *
 * What was chosen of lanes stays. Groups are unfolded, and in their own order.
 */
void
stria_timeline_layout_set_grouping (StriaTimelineLayout *self, StriaGrouping grouping)
{
  g_autoptr (GHashTable) kept = NULL;

  g_return_if_fail (grouping < STRIA_N_GROUPINGS);

  if (self->grouping == grouping)
    return;
  kept = stria_timeline_layout_keep (self);
  self->grouping = grouping;
  /* An order that was made by hand is one within groups that are gone. */
  self->moved = FALSE;
  stria_timeline_layout_rebuild (self, kept);
}

StriaGrouping
stria_timeline_layout_get_grouping (StriaTimelineLayout *self)
{
  return self->grouping;
}

/**
 * stria_timeline_layout_group_of:
 * @lane: number of a lane
 *
 * Returns: the group that it stands in, as StriaLayoutItem.process has it
 */
guint32
stria_timeline_layout_group_of (StriaTimelineLayout *self, guint32 lane)
{
  g_return_val_if_fail (lane < self->n_lanes, 0);

  return self->groups->group_of[lane];
}

/**
 * stria_timeline_layout_group_title:
 * @group: number of a group
 *
 * Returns: (transfer full): what its header says
 */
char *
stria_timeline_layout_group_title (StriaTimelineLayout *self, guint32 group)
{
  g_return_val_if_fail (group < self->n_processes, NULL);

  if (self->groups->titles != NULL)
    return g_strdup (self->groups->titles[group]);
  return stria_trace_process_title (self->trace, group);
}
