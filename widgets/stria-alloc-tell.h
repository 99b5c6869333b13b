/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-alloc-state.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* For screen readers: what is allocated at the moment, and the selected block. @table has the
 * same in rows. */
void stria_alloc_tell (StriaAllocState *state, GtkWidget *drawing, const char *table);

G_END_DECLS
