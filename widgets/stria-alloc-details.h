/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-alloc-state.h"

G_BEGIN_DECLS

#define STRIA_TYPE_ALLOC_DETAILS (stria_alloc_details_get_type ())
G_DECLARE_FINAL_TYPE (StriaAllocDetails, stria_alloc_details, STRIA, ALLOC_DETAILS, GtkWidget)

/**
 * StriaAllocDetails:
 *
 * What is known of the selected block or event, and its stack.
 */
GtkWidget *stria_alloc_details_new (StriaAllocState *state);

G_END_DECLS
