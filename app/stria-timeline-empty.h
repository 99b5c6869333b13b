/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-timeline.h"

G_BEGIN_DECLS

/* @timeline with a word over it, and a way out, while its filter lets no lane through.
 * @timeline: (transfer floating). Returns: (transfer floating) */
GtkWidget *stria_timeline_empty_new (GtkWidget *timeline, StriaSession *session);

G_END_DECLS
