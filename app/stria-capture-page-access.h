/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture-page.h"

G_BEGIN_DECLS

/* What a window does with its page beside opening it. */

/* Returns: (transfer none) (nullable): the widget of a view */
GtkWidget  *stria_capture_page_get_view  (StriaCapturePage *self, const char *id);
/* Id of the view that is shown or worked in. Returns: (transfer none) (nullable) */
const char *stria_capture_page_shown     (StriaCapturePage *self);
/* Compares with the capture of @paths: models where it has graphs, else traces.
 * FALSE with @why (out) (transfer none): there is nothing to compare. */
gboolean    stria_capture_page_compare_with (StriaCapturePage *self, const char *const *paths,
                                             const char **why);
/* Looks for source code in the folders and archives among @paths, too. FALSE if none is one. */
gboolean    stria_capture_page_add_sources (StriaCapturePage *self, const char *const *paths);

G_END_DECLS
