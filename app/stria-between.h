/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_BETWEEN (stria_between_get_type ())
G_DECLARE_FINAL_TYPE (StriaBetween, stria_between, STRIA, BETWEEN, GtkWidget)

/**
 * StriaBetween:
 *
 * A line that says how far two moments lie apart and what took most of the time in between: the
 * statistics of a selected range, made by a worker.
 *
 * Signal: "statistics": the person wants all of them.
 */
GtkWidget *stria_between_new   (StriaSession *session);
/* From the end of the one that begins first to the start of the other; where they overlap, from
 * start to start.
 * @from: (nullable): NULL when it is one range's own time */
void       stria_between_set   (StriaBetween *self, const char *from, gint64 from0, gint64 from1,
                                const char *to, gint64 to0, gint64 to1);
void       stria_between_clear (StriaBetween *self);
/* What is measured. FALSE: nothing */
gboolean   stria_between_get   (StriaBetween *self, gint64 *t0, gint64 *t1);

G_END_DECLS
