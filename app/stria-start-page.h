/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define STRIA_TYPE_START_PAGE (stria_start_page_get_type ())
G_DECLARE_FINAL_TYPE (StriaStartPage, stria_start_page, STRIA, START_PAGE, GtkWidget)

/**
 * StriaStartPage:
 *
 * What a window shows before a capture is open: ways to open one, and those opened before.
 *
 * Signal: "open-paths" (char **paths): a recent capture was chosen. The buttons activate
 * "win.open-files", "win.open-folder" and "win.open-sample".
 */
GtkWidget *stria_start_page_new     (void);
/* Reads the list of recent captures again. */
void       stria_start_page_refresh (StriaStartPage *self);
/* Shows those with these words, on the start pages within a widget. */
void       stria_start_page_search  (GtkWidget *within, const char *words);

G_END_DECLS
