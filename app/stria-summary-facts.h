/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

/* Cards of what is in a capture, and of what an artifact's file says of the run, the device and the
 * profiler */
void stria_summary_facts_fill (GtkBox *left, GtkBox *right, StriaSession *session, guint artifact);

G_END_DECLS
