/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * SECTION:stria-look
 *
 * Preferences of how things are shown, put to work: light or dark, colours, units and the time zone.
 * Main thread only.
 */

/* Once, when the program starts: direction, size of text and contrast, and what follows */
void     stria_look_start       (void);
/* As the preferences have it. A zone that there is not counts as the computer's own. */
void     stria_look_apply       (void);
/* Only light or dark */
void     stria_look_apply_style (void);
/* Whether there is a time zone of that name */
gboolean stria_look_is_zone     (const char *name);

G_END_DECLS
