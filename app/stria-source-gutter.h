/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtksourceview/gtksource.h>

#include "stria-source-heat.h"

G_BEGIN_DECLS

#define STRIA_TYPE_SOURCE_GUTTER (stria_source_gutter_get_type ())
G_DECLARE_FINAL_TYPE (StriaSourceGutter, stria_source_gutter, STRIA, SOURCE_GUTTER,
                      GtkSourceGutterRenderer)

/**
 * StriaSourceGutter:
 *
 * Beside each line of a file what it has of a metric: the number, and a bar as long and as strong as
 * its share of the hottest line of the file. Lines that have none are blank. A tooltip says the exact
 * value, shares, lanes, and how it is counted.
 */
StriaSourceGutter *stria_source_gutter_new         (void);
/* @heat: (nullable): none; @file: number of the file that is shown */
void               stria_source_gutter_set_heat    (StriaSourceGutter *self, StriaSourceHeat *heat,
                                                    guint32 file);
/* @lines: (transfer none) (nullable): keys are lines, from 1, that are marked as doubtful */
void               stria_source_gutter_set_doubts  (StriaSourceGutter *self, GHashTable *lines);
/* What is said of a line, from 1. Returns: (transfer full) (nullable) */
char              *stria_source_gutter_describe    (StriaSourceGutter *self, guint line);

G_END_DECLS
