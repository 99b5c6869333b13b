/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-model-state.h"

G_BEGIN_DECLS

/* What took longest, as links, each with the lines of source that it came from: chains, where none
 * was measured the operators, else the instructions. Adds nothing where nothing was measured. */
void stria_model_add_slowest (GtkBox *box, StriaModelState *state);

G_END_DECLS
