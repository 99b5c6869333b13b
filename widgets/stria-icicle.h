/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-operators.h"

G_BEGIN_DECLS

#define STRIA_TYPE_ICICLE (stria_icicle_get_type ())
G_DECLARE_FINAL_TYPE (StriaIcicle, stria_icicle, STRIA, ICICLE, GtkWidget)

/**
 * StriaIcicle:
 *
 * A tree of operators as an icicle: a row a level, as wide as the time of each node. A click or Enter
 * zooms into a node, Backspace out of it, arrows walk; Home shows all.
 *
 * Signals: "selected" (guint: node): a person has chosen one; "activated" (guint: node): and wants to
 * see it on the timeline (double click, or Ctrl+Enter).
 */
GtkWidget *stria_icicle_new      (void);
/* @tree: (nullable); what was selected and zoomed into is found again by its path */
void       stria_icicle_set_tree (StriaIcicle *self, StriaOperators *tree);
/* Without a signal; zooms out as far as needed to show it. @node: G_MAXUINT32: none */
void       stria_icicle_select   (StriaIcicle *self, guint32 node);
/* The figures of a node as lines of text, for tooltips. Returns: (transfer full) */
char      *stria_icicle_describe (StriaOperators *tree, guint32 node);

G_END_DECLS
