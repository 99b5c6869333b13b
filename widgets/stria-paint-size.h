/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * SECTION:stria-paint-size
 *
 * How large text is drawn in pictures, and with it all that text stands in: rows, rulers, margins. One
 * for the whole program, as it is one setting of the desktop; 1 where nobody sets it. Any thread.
 */

#define STRIA_TEXT_SCALE_LEAST 0.8
#define STRIA_TEXT_SCALE_MOST  3.0

/* Of text that is drawn from now on; clamped to what the two above say */
void   stria_text_set_scale (double scale);
double stria_text_get_scale (void);
/* A length of @px pixels at text of usual size, in whole pixels at other sizes */
double stria_text_px        (double px);

G_END_DECLS
