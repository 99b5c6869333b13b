/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-row.h"

G_BEGIN_DECLS

#define STRIA_TYPE_ROW_CARD (stria_row_card_get_type ())
G_DECLARE_FINAL_TYPE (StriaRowCard, stria_row_card, STRIA, ROW_CARD, GtkWidget)

/**
 * StriaRowCard:
 *
 * All columns of the row that an event stands for, in groups, each with what the schema says of it.
 * Columns without a value are shown on demand. What is looked for stays from one row to the next.
 *
 * Its button activates "details.copy-row".
 */
GtkWidget *stria_row_card_new     (void);
/* @row: (nullable) (transfer none): must live until the next call */
void       stria_row_card_set_row (StriaRowCard *self, const StriaRow *row);

G_END_DECLS
