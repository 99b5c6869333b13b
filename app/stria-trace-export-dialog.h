/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-timeline.h"

G_BEGIN_DECLS

/* Asks what of the trace is to be written, and where, and shows how far that is. @parent: a window with
 * the actions "win.toast" and "win.toast-file" */
void stria_trace_export_dialog_present (GtkWindow *parent, StriaTimeline *timeline);

G_END_DECLS
