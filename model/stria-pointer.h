/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_POINTER (stria_pointer_get_type ())
G_DECLARE_FINAL_TYPE (StriaPointer, stria_pointer, STRIA, POINTER, GObject)

/**
 * StriaPointer:
 *
 * The time that a person points at, wherever in a window that is, so that all pictures of that time
 * can show it. One a session. Main thread only.
 *
 * Signal: "changed".
 */
/* Returns: (transfer none): the one of @session, which owns it */
StriaPointer *stria_pointer_of     (StriaSession *session);
/* FALSE: nobody points at a time */
gboolean      stria_pointer_get    (StriaPointer *self, gint64 *ns);
/* @owner: who says it, never looked at */
void          stria_pointer_set    (StriaPointer *self, gint64 ns, gpointer owner);
/* Only of what @owner said last: another one may have been entered before this one was left. */
void          stria_pointer_clear  (StriaPointer *self, gpointer owner);

G_END_DECLS
