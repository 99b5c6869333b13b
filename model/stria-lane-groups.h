/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-trace.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-lane-groups
 *
 * In which groups the lanes of a trace are stacked. What a lane is of (machine, process, thread,
 * stream, core) is taken from the names and keys of the lane and its process; no event is looked
 * at.
 */

typedef enum
{
  STRIA_GROUPING_FILE,     /* by the processes of the file */
  STRIA_GROUPING_SOURCE,   /* by instance, process and what recorded it */
  STRIA_GROUPING_DEVICE,   /* host and devices */
  STRIA_GROUPING_CORE,     /* by NeuronCore */
  STRIA_GROUPING_THREAD,   /* by thread id */
  STRIA_GROUPING_PROCESS,  /* by process id */
  STRIA_GROUPING_INSTANCE, /* by instance */
  STRIA_N_GROUPINGS,
} StriaGrouping;

#define STRIA_NO_CORE (-1)

/**
 * StriaLanePlace:
 * @instance: the machine, or ""
 * @pid: process id, or ""
 * @source: "neuron_rt", "neuron_hw", "framework", "device profile", "samples" or ""
 * @tid: thread id, or ""
 * @stream: stream of a framework, or ""
 * @nc: logical core, or %STRIA_NO_CORE
 * @core: physical core of the logical or hardware one, or %STRIA_NO_CORE
 * @is_device: what it shows happened on a device
 *
 * What a lane is of.
 */
typedef struct
{
  char    *instance;
  char    *pid;
  const char *source;
  char    *tid;
  char    *stream;
  int      nc;
  int      core;
  gboolean is_device;
} StriaLanePlace;

void stria_lane_place_init  (StriaLanePlace *self, StriaTrace *trace, guint32 lane);
void stria_lane_place_clear (StriaLanePlace *self);

/**
 * StriaLaneGroups:
 * @n_groups: how many
 * @n_lanes: of the trace
 * @titles: (array length=n_groups): for people, translated; %NULL in %STRIA_GROUPING_FILE
 * @keys: (array length=n_groups): stay the same from one trace of a capture to the next
 * @group_of: (array length=n_lanes): group of each lane
 */
typedef struct
{
  gatomicrefcount ref_count;
  guint    n_groups;
  guint    n_lanes;
  char   **titles;
  char   **keys;
  guint32 *group_of;
} StriaLaneGroups;

/* Groups are in the order in which they are stacked, lanes of a group in that of the trace. */
StriaLaneGroups *stria_lane_groups_new   (StriaTrace *trace, StriaGrouping grouping);
StriaLaneGroups *stria_lane_groups_ref   (StriaLaneGroups *self);
void             stria_lane_groups_unref (StriaLaneGroups *self);
/* For people, translated: "By NeuronCore" */
const char      *stria_grouping_title   (StriaGrouping grouping);
/* For settings: "core". STRIA_GROUPING_FILE for a word that is none. */
const char      *stria_grouping_word    (StriaGrouping grouping);
StriaGrouping    stria_grouping_parse   (const char *word);
/* Whether it makes more than one group of this trace, so that choosing it tells anything */
gboolean         stria_grouping_divides (StriaTrace *trace, StriaGrouping grouping);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaLaneGroups, stria_lane_groups_unref)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (StriaLanePlace, stria_lane_place_clear)

G_END_DECLS
