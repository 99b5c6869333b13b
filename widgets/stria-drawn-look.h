/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/**
 * SECTION:stria-drawn-look
 *
 * What is drawn follows the desktop as widgets do: the size of text and high contrast. Main thread only.
 */

/* Takes over how it is now and each change; once, after GTK and libadwaita were set up. Whatever
 * listens to #AdwStyleManager:dark is told of both. */
void stria_drawn_look_watch (void);
