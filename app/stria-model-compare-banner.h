/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-model-compare.h"

G_BEGIN_DECLS

/* Says that a second capture is being read, with a button that stops it, or why it could not be
 * compared. Not seen otherwise. Returns: (transfer full) */
GtkWidget *stria_model_compare_banner_new (StriaModelCompare *compare);

G_END_DECLS
