/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-operators-view.h"

#include "stria-operators.h"

G_BEGIN_DECLS

struct _StriaOperatorsView
{
  GtkWidget parent_instance;

  StriaSession   *session;
  StriaOperators *tree;
  GCancellable   *cancellable; /* of the tree that is made; NULL: none */
  GCancellable   *highlighting;
  StriaMatch     *highlighted; /* that the session shows for this view */
  GArray         *kinds;       /* StriaOperatorsKind, by row of the chooser */
  guint           delay;
  gboolean        filling;
  gboolean        is_stale;

  GtkWidget    *box;
  GtkDropDown  *kind_chooser;
  GtkDropDown  *range_chooser;
  GtkWidget    *entry;
  GtkWidget    *icicle_toggle;
  GtkWidget    *copy_button;
  GtkWidget    *save_button;
  GtkSpinner   *spinner;
  GtkStack     *stack;
  GtkWidget    *status; /* of the stack: why there is nothing */
  GtkWidget    *paned;
  GtkWidget    *icicle;
  GtkWidget    *table;
  GtkLabel     *summary;
  GtkWidget    *clear_button;
};

/* The bar above and the one below. Return: (transfer floating) */
GtkWidget *stria_operators_view_bar_new  (StriaOperatorsView *self);
GtkWidget *stria_operators_view_foot_new (StriaOperatorsView *self);
/* Shows rows by what is in the entry, and says how many. */
void       stria_operators_view_filter   (StriaOperatorsView *self);
/* Another kind of tree, or range */
void       stria_operators_view_chosen   (StriaOperatorsView *self);
/* Nothing is selected, and no event stands out. */
void       stria_operators_view_clear    (StriaOperatorsView *self);

G_END_DECLS
