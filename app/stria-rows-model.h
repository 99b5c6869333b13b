/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

#include "stria-rows.h"

G_BEGIN_DECLS

#define STRIA_TYPE_ROWS_ITEM (stria_rows_item_get_type ())
G_DECLARE_FINAL_TYPE (StriaRowsItem, stria_rows_item, STRIA, ROWS_ITEM, GObject)

#define STRIA_TYPE_ROWS_MODEL (stria_rows_model_get_type ())
G_DECLARE_FINAL_TYPE (StriaRowsModel, stria_rows_model, STRIA, ROWS_MODEL, GObject)

/**
 * StriaRowsModel:
 *
 * Rows as a #GListModel of #StriaRowsItem: an item is there at once, its cells come with the page that
 * a worker loads; "changed" of the item says so. Pages that were not looked at for long are dropped,
 * so that ten million rows take no more memory than some pages.
 */
StriaRowsModel  *stria_rows_model_new        (StriaRows *rows);
StriaRows       *stria_rows_model_get_rows   (StriaRowsModel *self);
/* @wanted: a byte by column; others are not loaded. Loads anew what is shown. */
void             stria_rows_model_set_wanted (StriaRowsModel *self, const guint8 *wanted);
/* Why rows could not be loaded: transfer none, nullable; "failed" is emitted */
const char      *stria_rows_model_get_error  (StriaRowsModel *self);

guint64          stria_rows_item_get_row     (StriaRowsItem *self);
/* NULL: not loaded yet */
const StriaCell *stria_rows_item_get_cell    (StriaRowsItem *self, guint column);
/* FALSE: not loaded yet */
gboolean         stria_rows_item_get_id      (StriaRowsItem *self, gint64 *row_id);
/* A cell as text, exact; NULL: no value. Returns: (transfer full) (nullable) */
char            *stria_cell_dup_text         (const StriaCell *cell);

G_END_DECLS
