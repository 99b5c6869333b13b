/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-alloc-state.h"

G_BEGIN_DECLS

#define STRIA_TYPE_ALLOC_SETTINGS (stria_alloc_settings_get_type ())
G_DECLARE_FINAL_TYPE (StriaAllocSettings, stria_alloc_settings, STRIA, ALLOC_SETTINGS, GtkWidget)

/**
 * StriaAllocSettings:
 *
 * What the allocator was set to, and what the snapshot may lack.
 */
GtkWidget *stria_alloc_settings_new (StriaAllocState *state);

G_END_DECLS
