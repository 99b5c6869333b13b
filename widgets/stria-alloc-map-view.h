/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-alloc-state.h"

G_BEGIN_DECLS

#define STRIA_TYPE_ALLOC_MAP_VIEW (stria_alloc_map_view_get_type ())
G_DECLARE_FINAL_TYPE (StriaAllocMapView, stria_alloc_map_view, STRIA, ALLOC_MAP_VIEW, GtkWidget)

/**
 * StriaAllocMapView:
 *
 * The segments and what is in them at the chosen moment.
 */
GtkWidget *stria_alloc_map_view_new (StriaAllocState *state);

G_END_DECLS
