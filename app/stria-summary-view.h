/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_SUMMARY_VIEW (stria_summary_view_get_type ())
G_DECLARE_FINAL_TYPE (StriaSummaryView, stria_summary_view, STRIA, SUMMARY_VIEW, GtkWidget)

/**
 * StriaSummaryView:
 *
 * Facts about a capture: what is in it, on what it ran, what wrote it, and its events by category.
 */
GtkWidget *stria_summary_view_new (StriaSession *session);

G_END_DECLS
