/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-session.h"

G_BEGIN_DECLS

typedef struct
{
  gint64 t0;
  gint64 t1;
} StriaSessionView;

struct _StriaSession
{
  GObject parent_instance;

  StriaCapture *capture;
  StriaTrace   *trace;

  StriaSessionView     view;
  gboolean has_extra;
  StriaSessionView     extra; /* where the view may go beside the trace's own range */
  gboolean view_is_mine; /* nobody has moved it yet: it follows the trace while that grows */
  GArray  *back;         /* StriaSessionView */
  GArray  *forward;      /* StriaSessionView */
  gint64   moved_us;

  StriaRef selection;

  gboolean has_range;
  gboolean range_all_lanes;
  StriaSessionView     range;
  GArray  *range_lanes; /* guint32 */

  StriaMatch   *match;
  char         *search_text;
  gboolean      search_args;
  GCancellable *search_cancellable;
  guint64       ordinal;
  gboolean      stepping;
  int           steps_waiting;
  guint         search_generation;
};

enum
{
  STRIA_SESSION_TRACE_CHANGED,
  STRIA_SESSION_VIEW_CHANGED,
  STRIA_SESSION_SELECTION_CHANGED,
  STRIA_SESSION_RANGE_CHANGED,
  STRIA_SESSION_MATCH_CHANGED,
  STRIA_SESSION_REVEAL,
  STRIA_SESSION_N_SIGNALS
};

extern guint stria_session_signals[STRIA_SESSION_N_SIGNALS];

gboolean stria_session_event_range  (StriaSession *self, StriaRef ref, StriaSessionView *view);
void     stria_session_reveal_match (StriaSession *self, StriaRef ref, guint64 ordinal);

G_END_DECLS
