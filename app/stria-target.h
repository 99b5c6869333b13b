/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-session.h"

G_BEGIN_DECLS

/**
 * StriaTarget:
 * @has_at: whether @at_ns is set
 * @at_ns: time to show, in nanoseconds since the capture's start
 * @select: (nullable): name of an event to select
 * @compare: ask for another capture to compare this one with
 *
 * Where in a capture a person wants to be, as told on the command line.
 */
typedef struct
{
  gboolean has_at;
  gint64   at_ns;
  char    *select;
  gboolean compare;
} StriaTarget;

StriaTarget *stria_target_copy  (const StriaTarget *target);
void         stria_target_free  (StriaTarget *target);
/* The first event of that name (the whole name, else a part of it) at or after that time. A worker
 * looks for it. @callback gets whether it was found. */
void         stria_target_go_async  (const StriaTarget *target, StriaSession *session,
                                     GAsyncReadyCallback callback, gpointer user_data);
/* @session: the same */
gboolean     stria_target_go_finish (StriaSession *session, GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaTarget, stria_target_free)

G_END_DECLS
