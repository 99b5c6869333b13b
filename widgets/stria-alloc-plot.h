/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-alloc-state.h"

G_BEGIN_DECLS

#define STRIA_TYPE_ALLOC_PLOT (stria_alloc_plot_get_type ())
G_DECLARE_FINAL_TYPE (StriaAllocPlot, stria_alloc_plot, STRIA, ALLOC_PLOT, GtkWidget)

/**
 * StriaAllocPlot:
 *
 * Allocated bytes over time, one shape a block. A worker paints; the last picture is shown under
 * the view's transform until the next one comes.
 */
GtkWidget *stria_alloc_plot_new (StriaAllocState *state);

G_END_DECLS
