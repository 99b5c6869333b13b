/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

#include "stria-session.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-view-state
 *
 * What a person was looking at in a capture, as a small text that is kept with the capture: the
 * visible range, the selected range and its lanes, the selected event, and which lanes were filtered
 * for. Lanes are told by their names and keys, since their numbers are places in one picture.
 */

/* Bytes of a file that is read back, beyond which it is none of ours */
#define STRIA_VIEW_STATE_MAX_FILE (256u << 10)
/* Lanes of a selected range; a range of more has all of them */
#define STRIA_VIEW_STATE_MAX_LANES 1024
/* Files that are kept, and for how long without being used */
#define STRIA_VIEW_STATE_MAX_FILES 500
#define STRIA_VIEW_STATE_MAX_DAYS 400

/**
 * StriaViewState:
 * @has_view: whether @view_t0 and @view_t1 count; nanoseconds on the capture's clock
 * @has_range: whether there is a selected range
 * @lanes: (nullable) (array zero-terminated=1): names of its lanes, NULL for all
 * @event_lane: (nullable): name of the lane of the selected event, NULL if none is selected
 * @event: number in its lane
 * @event_ns: its start, which says whether it still is that event
 * @filter: (nullable): what the names of lanes are filtered for
 */
typedef struct
{
  gboolean has_view;
  gint64   view_t0;
  gint64   view_t1;
  gboolean has_range;
  gint64   range_t0;
  gint64   range_t1;
  char   **lanes;
  char    *event_lane;
  guint32  event;
  gint64   event_ns;
  char    *filter;
} StriaViewState;

void            stria_view_state_free      (StriaViewState *self);
/* As the session has it now; @filter (nullable). Returns: (transfer full) */
StriaViewState *stria_view_state_new       (StriaSession *session, const char *filter);
/* What of it there still is; the view only if @with_view. Needs the trace. */
void            stria_view_state_apply     (StriaViewState *self, StriaSession *session,
                                            gboolean with_view);
/* Returns: (transfer full) */
char           *stria_view_state_to_text   (StriaViewState *self);
/* Returns: (transfer full) (nullable): NULL with @error: it is no such text */
StriaViewState *stria_view_state_from_text (const char *text, gsize length, GError **error);

/* Files. They block: for a worker. */

/* Where the state of captures of that identity is kept. Returns: (transfer full) */
char           *stria_view_state_path      (const char *identity);
/* Returns: (transfer full) (nullable): NULL if there is none. A file that is no state is put aside, with
 * ".bad" behind its name, and @error says why. */
StriaViewState *stria_view_state_load      (const char *path, GError **error);
/* To a new file that takes the old one's place once it is on the disk */
gboolean        stria_view_state_save      (const char *path, const char *text, GError **error);
/* Removes files of @folder beyond the @most used last, and those not used for @days.
 * Returns: how many were removed */
guint           stria_view_state_sweep     (const char *folder, guint most, guint days);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaViewState, stria_view_state_free)

G_END_DECLS
