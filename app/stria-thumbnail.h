/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gdk/gdk.h>

#include "stria-capture.h"

G_BEGIN_DECLS

#define STRIA_THUMBNAIL_WIDTH  360
#define STRIA_THUMBNAIL_HEIGHT 150

/**
 * SECTION:stria-thumbnail
 *
 * Small pictures of timelines, a PNG beside each store of the cache. It holds the picture for the
 * light style above the one for the dark style.
 */

/* Paints the whole trace of @capture on a worker and keeps the picture; nobody waits for it. Does
 * nothing for a capture without a key. */
void        stria_thumbnail_make (StriaCapture *capture);
/* Returns: (transfer full) (nullable): the picture of the store @key, or NULL if there is none */
GdkTexture *stria_thumbnail_load (const char *key, gboolean dark);

G_END_DECLS
