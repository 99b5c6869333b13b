/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * stria_picture_check:
 * @window: as it is drawn
 * @name: of the picture
 *
 * For tests: where the environment variable STRIA_PICTURE_CHECK is set, tells on standard error of each
 * widget that stands out of its parent, and of each text of a control or a heading that is cut, one a
 * line: "look: NAME: WHAT: PATH"; before them, how it is drawn: "looked at: NAME: ...".
 */
void stria_picture_check (GtkWidget *window, const char *name);

G_END_DECLS
