/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-profile.h"

G_BEGIN_DECLS

/* What tables of a model have in common. */

/* Kinds of rows in the order in which they are offered; ends with %STRIA_N_ENTITY_KINDS */
extern const StriaEntityKind stria_model_row_kinds[];

/* Binds a #GtkListItem whose child is a label; the data is the number of the column */
typedef void (*StriaModelCellFunc) (GtkSignalListItemFactory *factory, GtkListItem *item,
                                    gpointer column);

typedef struct
{
  const char        *title;
  guint              number;
  gboolean           is_text; /* else a figure, which stands at the right */
  int                width;   /* 0: takes what is left */
  StriaModelCellFunc bind;
  GCompareDataFunc   compare; /* its data: the number */
} StriaModelColumnSpec;

/* Returns: (transfer none): the column that was added */
GtkColumnViewColumn *stria_model_columns_add (GtkColumnView *view,
                                              const StriaModelColumnSpec *spec);
/* Rows of @store, filtered and sorted as the columns say */
void       stria_model_columns_set_rows (GtkColumnView *view, GListStore *store,
                                         GtkFilter *filter);
/* What is NaN stands below all that is not */
int        stria_model_columns_order    (double a, double b);
/* A flat button that is added to @bar */
GtkWidget *stria_model_icon_button_new  (GtkWidget *bar, const char *icon, const char *name,
                                         const char *tooltip, GCallback clicked, gpointer owner);

G_END_DECLS
