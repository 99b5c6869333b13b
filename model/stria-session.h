/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"
#include "stria-match.h"

G_BEGIN_DECLS

#define STRIA_TYPE_SESSION (stria_session_get_type ())
G_DECLARE_FINAL_TYPE (StriaSession, stria_session, STRIA, SESSION, GObject)

/**
 * StriaSession:
 *
 * What the user of one window looks at: the capture, the visible range, the selected event, the
 * selected range and the search. Every panel listens to it and sets it; panels do not know each
 * other. Main thread only.
 *
 * Signals: "trace-changed", "view-changed" (visible range), "selection-changed" (event),
 * "range-changed" (selected range or its lanes), "match-changed" (search), "reveal" (StriaRef*:
 * views scroll to the event).
 */
StriaSession *stria_session_new          (StriaCapture *capture);
StriaCapture *stria_session_get_capture  (StriaSession *self);
/* Returns: (transfer none) (nullable) */
StriaTrace   *stria_session_get_trace    (StriaSession *self);

/* Bounds a view may not leave: the trace's range with a margin of 5 % on both sides. */
void          stria_session_get_bounds   (StriaSession *self, gint64 *t0, gint64 *t1);
/* Lets the view go as far as [@t0, @t1], too: for traces that are shown beside longer ones. */
void          stria_session_extend_bounds (StriaSession *self, gint64 t0, gint64 t1);
void          stria_session_get_view     (StriaSession *self, gint64 *t0, gint64 *t1);
/* Whether nobody has moved the view yet, so that it follows the trace while that grows */
gboolean      stria_session_follows_trace (StriaSession *self);
/* Clamped to the bounds and to at least 100 ns. */
void          stria_session_set_view     (StriaSession *self, gint64 t0, gint64 t1);
/* Keeps @center_ns where it is on screen; @factor < 1 zooms in. */
void          stria_session_zoom         (StriaSession *self, gint64 center_ns, double factor);
void          stria_session_pan          (StriaSession *self, gint64 delta_ns);
void          stria_session_fit          (StriaSession *self);
/* To the selected range, else the selected event. FALSE if there is neither. */
gboolean      stria_session_fit_selection (StriaSession *self);
/* The view before the last jump (zooms within one gesture count as one). */
gboolean      stria_session_go_back      (StriaSession *self);
gboolean      stria_session_go_forward   (StriaSession *self);

StriaRef      stria_session_get_selection (StriaSession *self);
void          stria_session_select       (StriaSession *self, StriaRef ref);
/* Selects, and asks views to bring it into sight (moves the view if it is outside or too small). */
void          stria_session_reveal       (StriaSession *self, StriaRef ref);

gboolean      stria_session_get_range    (StriaSession *self, gint64 *t0, gint64 *t1);
/* @lanes: (nullable): lane numbers, NULL = all */
void          stria_session_set_range    (StriaSession *self, gint64 t0, gint64 t1,
                                          const guint32 *lanes, gsize n_lanes);
const guint32 *stria_session_get_range_lanes (StriaSession *self, gsize *n_lanes);
void          stria_session_clear_range  (StriaSession *self);

/* Returns: (transfer none) (nullable) */
StriaMatch   *stria_session_get_match    (StriaSession *self);
/* Names at once; arguments follow from a worker if @with_args. Empty text clears. */
void          stria_session_search       (StriaSession *self, const char *text, gboolean with_args);
/* Shows just what @match (nullable) has, until it is shown something else, searches, or the trace
 * changes. */
void          stria_session_show_match   (StriaSession *self, StriaMatch *match);
gboolean      stria_session_is_searching (StriaSession *self);
void          stria_session_search_next  (StriaSession *self, gboolean forward);
/* Number of the current match from 1, 0 if none is current */
guint64       stria_session_get_match_ordinal (StriaSession *self);

G_END_DECLS
