/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-annotations.h"

G_BEGIN_DECLS

/* A button with the sets of annotations that are kept by name: to save, load and remove them.
 * Returns: (transfer floating) */
GtkWidget *stria_annotation_sets_button_new (StriaAnnotations *annotations);

G_END_DECLS
