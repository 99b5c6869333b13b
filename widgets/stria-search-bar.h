/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_SEARCH_BAR (stria_search_bar_get_type ())
G_DECLARE_FINAL_TYPE (StriaSearchBar, stria_search_bar, STRIA, SEARCH_BAR, GtkWidget)

/**
 * StriaSearchBar:
 *
 * Searches names, and arguments when asked to, in the session: says how many match and goes from
 * one to the next. Property "search-mode": whether it is open; closing ends the search.
 */
GtkWidget *stria_search_bar_new             (StriaSession *session);
/* Opens it and puts the cursor into the entry, with its text selected. */
void       stria_search_bar_focus           (StriaSearchBar *self);
void       stria_search_bar_set_text        (StriaSearchBar *self, const char *text);
gboolean   stria_search_bar_get_search_mode (StriaSearchBar *self);
void       stria_search_bar_set_search_mode (StriaSearchBar *self, gboolean search_mode);

G_END_DECLS
