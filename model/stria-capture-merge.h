/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture-private.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-capture-merge
 *
 * What the artifacts of a capture with a tree have in common: processes of one instance and process
 * id are one, and so are those of the files of one export. Within a process, lanes are grouped by
 * what they are about; lanes of one table that was split into files stand below each other in the
 * order of time. They stay lanes of their own files: the rows that their events stand for, their ids
 * and their arguments are the files', and an event of one file may overlap one of the next, which
 * one lane could not draw.
 */
typedef struct _StriaMerge StriaMerge;

/**
 * StriaMergeLane:
 * @body: (transfer none): the lane
 * @process: number in the merged processes
 * @artifact: number of its artifact
 * @lane: number in its part
 */
typedef struct
{
  StriaLaneBody *body;
  guint32 process;
  guint32 artifact;
  guint32 lane;
  guint section;
  guint group;
  guint rank;
  gint64 anchor;
  guint64 place;
  gint64 start_ns;
} StriaMergeLane;

/* @tree: (nullable): without one nothing is merged, and the order is that of adding. @processes:
 * (element-type StriaProcess): where merged processes go */
StriaMerge *stria_merge_new          (StriaCaptureTree *tree, GPtrArray *artifacts,
                                      GArray *processes);
void        stria_merge_free         (StriaMerge *self);
/* Returns: the number of the merged process that @process of its artifact is */
guint32     stria_merge_process      (StriaMerge *self, const StriaProcess *process);
/* The process in whose folder an artifact lies, or %G_MAXUINT32 */
guint32     stria_merge_process_of   (StriaMerge *self, guint artifact);
/* Keeps a reference to @body. Lanes of an artifact are added one after another, in their order. */
void        stria_merge_lane         (StriaMerge *self, StriaLaneBody *body, guint32 process,
                                      guint artifact, guint32 lane);
/* Returns: (transfer none) (array length=n): all lanes in drawing order */
const StriaMergeLane *stria_merge_finish (StriaMerge *self, guint *n);

/**
 * stria_merge_lane_prefix:
 * @process_key: key of the lane's process in its artifact
 * @lane_key: its own key
 *
 * Returns: (transfer full) (nullable): what its name is to begin with, so that lanes of several device
 *   profiles and exports can be told apart in their common process
 */
char *stria_merge_lane_prefix (StriaCaptureTree *tree, guint artifact, const char *process_key,
                               const char *lane_key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaMerge, stria_merge_free)

G_END_DECLS
