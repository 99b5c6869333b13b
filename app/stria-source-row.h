/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define STRIA_TYPE_SOURCE_ROW (stria_source_row_get_type ())
G_DECLARE_FINAL_TYPE (StriaSourceRow, stria_source_row, STRIA, SOURCE_ROW, GObject)

/**
 * StriaSourceRow:
 *
 * A file or a line of the list of source.
 */
/* @note: (nullable): beside the name; @line: 0 of files; @value: NAN if it has none */
StriaSourceRow *stria_source_row_new       (const char *name, const char *note, const char *path,
                                            guint line, double value);
const char     *stria_source_row_get_name  (StriaSourceRow *self);
const char     *stria_source_row_get_note  (StriaSourceRow *self);
const char     *stria_source_row_get_path  (StriaSourceRow *self);
guint           stria_source_row_get_line  (StriaSourceRow *self);
double          stria_source_row_get_value (StriaSourceRow *self);

G_END_DECLS
