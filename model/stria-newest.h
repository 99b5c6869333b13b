/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * StriaNewest:
 *
 * One question that an object has answered by a worker again and again: while an answer is being
 * found, a newer question stops that and takes its place. Main thread only.
 */
typedef struct _StriaNewest StriaNewest;

/**
 * StriaNewestFuncs:
 * @prepare: on the main thread: what a worker is given. Returns: (transfer full) (nullable): NULL if
 *   there is nothing to ask
 * @run: on a worker. Returns: (transfer full) (nullable): NULL with an error
 * @answer: on the main thread: the answer to the newest question, (transfer full) (nullable); NULL
 *   if there was nothing to ask or with an error
 * @free_question: of what @prepare returns
 * @free_answer: of what @run returns
 */
typedef struct
{
  gpointer (*prepare) (GObject *owner);
  gpointer (*run)     (gpointer question, GCancellable *cancellable, GError **error);
  void     (*answer)  (GObject *owner, gpointer answer, const GError *error);
  GDestroyNotify free_question;
  GDestroyNotify free_answer;
} StriaNewestFuncs;

/* @owner: owns it; lives until its last question is answered. @funcs: (transfer none): static */
StriaNewest *stria_newest_new     (GObject *owner, const StriaNewestFuncs *funcs);
void         stria_newest_free    (StriaNewest *self);
/* With nothing to ask it answers at once. */
void         stria_newest_ask     (StriaNewest *self);
gboolean     stria_newest_is_busy (StriaNewest *self);

G_END_DECLS
