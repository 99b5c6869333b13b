/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * SECTION:stria-retell
 *
 * Texts of the whole program that depend on what a person prefers: the unit of durations, the time
 * zone. Who holds such a text connects to the one emitter and makes it anew. Lists that make their
 * texts when a row comes into sight need not.
 */

/* Calls @func (@object) after each change, as long as @object lives */
void stria_retell_connect (gpointer object, GCallback func);
/* What is preferred has changed: calls all, and binds the rows of lists of all windows anew. */
void stria_retell         (void);

G_END_DECLS
