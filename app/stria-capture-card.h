/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-recent.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-capture-card
 *
 * A capture in the start page's list: picture, name, size, what of it is in the cache, folder and tags,
 * with a button that pins it and a menu. It asks its parents for "captures.refresh" when the list has
 * changed, and for "captures.open-window" and "captures.reimport" with paths (aay).
 */
/* Returns: (transfer floating): a GtkFlowBoxChild */
GtkWidget             *stria_capture_card_new      (const StriaRecentItem *item);
const StriaRecentItem *stria_capture_card_get_item (GtkWidget *card);
/* Whether name, paths, folder or tags have all of these words in them */
gboolean               stria_capture_card_has      (GtkWidget *card, const char *words);

G_END_DECLS
