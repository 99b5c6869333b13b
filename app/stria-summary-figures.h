/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_SUMMARY_FIGURES (stria_summary_figures_view_get_type ())
G_DECLARE_FINAL_TYPE (StriaSummaryFiguresView, stria_summary_figures_view, STRIA,
                      SUMMARY_FIGURES_VIEW, GtkWidget)

/**
 * StriaSummaryFiguresView:
 *
 * What a profile or trace says in numbers: of all of it, of what the timeline shows, or of what is
 * selected there. Follows the session while it is on screen; sums up on a worker.
 */
GtkWidget *stria_summary_figures_view_new (StriaSession *session);

G_END_DECLS
