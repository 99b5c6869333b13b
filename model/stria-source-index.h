/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"
#include "stria-match.h"

G_BEGIN_DECLS

/**
 * StriaSourceIndex:
 *
 * Which lines of source the events of a trace and the allocations of snapshots are of. Made once for
 * a trace; immutable; any thread. Each distinct text is kept once, each distinct stack once; an
 * event costs four bytes where its line stands in its arguments or its row, and none where it stands
 * in its name.
 *
 * The stack of an event, innermost line first: of an instruction the frames of its kernel, or the
 * line of the kernel's source, then that of the compiler's debug information, then the frames of the
 * framework; of others the line that their name says ("file.py(12): function"), or their argument
 * "Call stack".
 */
typedef struct _StriaSourceIndex StriaSourceIndex;

/**
 * StriaSourcePlace:
 * @file: number of its file
 * @line: from 1
 * @function: (nullable): name of the function, if anything said it
 */
typedef struct
{
  guint32     file;
  guint32     line;
  const char *function;
} StriaSourcePlace;

/* For a worker: reads arguments and columns of tables. Returns: (transfer full) */
StriaSourceIndex *stria_source_index_new        (StriaCapture *capture, GCancellable *cancellable,
                                                 GError **error);
StriaSourceIndex *stria_source_index_ref        (StriaSourceIndex *self);
void              stria_source_index_unref      (StriaSourceIndex *self);
/* Returns: (transfer none) (nullable) */
StriaTrace       *stria_source_index_get_trace  (StriaSourceIndex *self);

guint32           stria_source_index_n_files    (StriaSourceIndex *self);
/* As the capture writes it */
const char       *stria_source_index_get_file   (StriaSourceIndex *self, guint32 file);
/* G_MAXUINT32: the capture does not mention it */
guint32           stria_source_index_find_file  (StriaSourceIndex *self, const char *path);
guint32           stria_source_index_n_places   (StriaSourceIndex *self);
StriaSourcePlace  stria_source_index_get_place  (StriaSourceIndex *self, guint32 place);
/* Places of a file in lines [@first, @last], by line.
 * Returns: (transfer none): an array of @n numbers of places */
const guint32    *stria_source_index_places     (StriaSourceIndex *self, guint32 file, guint first,
                                                 guint last, guint *n);
/* Whether some event of the trace has a line */
gboolean          stria_source_index_has_events (StriaSourceIndex *self);
/* Whether snapshots of an allocator have lines */
gboolean          stria_source_index_has_bytes  (StriaSourceIndex *self);
/* Whether rows say how many floating-point operations they made */
gboolean          stria_source_index_has_flops  (StriaSourceIndex *self);

/* Stack of an event: numbers of places, innermost first; empty if it has none. Loads the event's
 * lane: for a worker. Of a slice without a line of its own, that of the functions around it.
 * Returns: (transfer full) (element-type guint32) */
GArray           *stria_source_index_stack      (StriaSourceIndex *self, StriaRef ref);
/* Why an event has none, for people. Returns: (transfer full) */
char             *stria_source_index_why_none   (StriaSourceIndex *self, StriaRef ref);

/* Events whose stack has one of @places. @text: what the match is called. For a worker.
 * Returns: (transfer full) */
StriaMatch       *stria_source_index_match      (StriaSourceIndex *self, const guint32 *places,
                                                 guint n_places, const char *text,
                                                 GCancellable *cancellable, GError **error);
/* A search that finds the same. Returns: (transfer full) (nullable): no search does */
char             *stria_source_index_search     (StriaSourceIndex *self, const guint32 *places,
                                                 guint n_places);

/* Whether a capture may have any; looks at no event. Main thread, too */
gboolean          stria_source_index_may_have   (StriaCapture *capture);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaSourceIndex, stria_source_index_unref)

G_END_DECLS
