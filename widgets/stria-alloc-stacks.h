/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-alloc-state.h"

G_BEGIN_DECLS

#define STRIA_TYPE_ALLOC_STACKS (stria_alloc_stacks_get_type ())
G_DECLARE_FINAL_TYPE (StriaAllocStacks, stria_alloc_stacks, STRIA, ALLOC_STACKS, GtkWidget)

/**
 * StriaAllocStacks:
 *
 * Who holds the memory at the chosen moment: a flame graph and a table, and stacks that only grow.
 */
GtkWidget *stria_alloc_stacks_new (StriaAllocState *state);

G_END_DECLS
