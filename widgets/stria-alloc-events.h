/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-alloc-state.h"

G_BEGIN_DECLS

#define STRIA_TYPE_ALLOC_EVENTS (stria_alloc_events_get_type ())
G_DECLARE_FINAL_TYPE (StriaAllocEvents, stria_alloc_events, STRIA, ALLOC_EVENTS, GtkWidget)

/**
 * StriaAllocEvents:
 *
 * All events of the allocator, filtered; rows are made when they are scrolled to.
 */
GtkWidget *stria_alloc_events_new (StriaAllocState *state);

G_END_DECLS
