/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-profile.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MODEL_ROWS_TABLE (stria_model_rows_table_get_type ())
G_DECLARE_DERIVABLE_TYPE (StriaModelRowsTable, stria_model_rows_table, STRIA, MODEL_ROWS_TABLE,
                          GtkWidget)

/**
 * StriaModelRowsTable:
 *
 * Entities of one kind, which is chosen above them, as rows: sorted, filtered, as CSV. Filled only
 * while it is seen. What the rows are, its classes say.
 */
struct _StriaModelRowsTableClass
{
  GtkWidgetClass parent_class;

  gboolean (*has_kind) (StriaModelRowsTable *self, StriaEntityKind kind);
  /* Adds the rows of a kind to @rows, whose free function is g_object_unref().
   * Returns: (transfer full) (nullable): what their figures are; %NULL if nothing was measured */
  char *(*fill) (StriaModelRowsTable *self, StriaEntityKind kind, GPtrArray *rows);
  void (*activate_row) (StriaModelRowsTable *self, gpointer row);
  /* @rows: those in sight, in their order */
  char *(*dup_csv) (StriaModelRowsTable *self, GListModel *rows);
};

typedef struct
{
  GType       row_type;
  const char *name;         /* accessible */
  GCallback   dup_filtered; /* (transfer full) char *(*) (row): what the filter looks at */
  const char *file_suffix;  /* of the CSV's name: “chain” + suffix + “.csv” */
} StriaModelRowsTableSpec;

/* Once, when it is made; its columns are added to what is returned: (transfer none) */
GtkColumnView *stria_model_rows_table_set_up    (StriaModelRowsTable           *self,
                                                 const StriaModelRowsTableSpec *spec);
/* Other kinds may be there now */
void           stria_model_rows_table_refill    (StriaModelRowsTable *self);
/* The same rows have other figures */
void           stria_model_rows_table_remeasure (StriaModelRowsTable *self);

G_END_DECLS
