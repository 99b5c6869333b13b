/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-operators.h"

G_BEGIN_DECLS

#define STRIA_TYPE_OPERATORS_TABLE (stria_operators_table_get_type ())
G_DECLARE_FINAL_TYPE (StriaOperatorsTable, stria_operators_table, STRIA, OPERATORS_TABLE, GtkWidget)

/**
 * StriaOperatorsTable:
 *
 * A tree of operators as rows that unfold, with a column for each figure, sorted within each level.
 *
 * Signals: "selected" (guint: node, G_MAXUINT32: none): a person has chosen one; "activated" (guint):
 * double click or Enter.
 */
GtkWidget *stria_operators_table_new          (void);
/* @tree: (nullable). What was unfolded and selected stays so where it is still there. */
void       stria_operators_table_set_tree     (StriaOperatorsTable *self, StriaOperators *tree);
/* Shows nodes whose name has @text (no regard to case), and those above them; "" shows all.
 * Returns: how many nodes have it */
guint      stria_operators_table_set_filter   (StriaOperatorsTable *self, const char *text);
/* Unfolds as many rows as are of use. Returns: whether that was all */
gboolean   stria_operators_table_expand_all   (StriaOperatorsTable *self);
void       stria_operators_table_collapse_all (StriaOperatorsTable *self);
/* Unfolds what lies above, selects and scrolls to it, without a signal */
void       stria_operators_table_select       (StriaOperatorsTable *self, guint32 node);
guint32    stria_operators_table_get_selected (StriaOperatorsTable *self);
/* A button whose menu chooses columns. Returns: (transfer floating) */
GtkWidget *stria_operators_table_columns_new  (StriaOperatorsTable *self);

G_END_DECLS
