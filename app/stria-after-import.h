/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"

G_BEGIN_DECLS

/**
 * stria_after_import:
 * @capture: a capture that was read
 * @paths: what was opened
 * @was_cached: it came from a finished store
 *
 * What follows an import and no window waits for: the list of recent captures gets it, a thumbnail
 * is painted if there is none, and the cache is held to the size and age of the preferences.
 */
void stria_after_import (StriaCapture *capture, const char *const *paths, gboolean was_cached);

G_END_DECLS
