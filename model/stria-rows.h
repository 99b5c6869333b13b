/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-table.h"

G_BEGIN_DECLS

/**
 * StriaRows:
 *
 * Rows that can be had from any place without those before: of tables, of an SQL table of the store
 * that is read row by row, or of either in another order. Any thread; one page at a time.
 */
typedef struct _StriaRows StriaRows;

typedef enum
{
  STRIA_CELL_KIND_NONE, /* no value */
  STRIA_CELL_KIND_INT,
  STRIA_CELL_KIND_REAL,
  STRIA_CELL_KIND_BOOL,
  STRIA_CELL_KIND_TEXT,
} StriaCellKind;

typedef struct
{
  StriaCellKind kind;
  union
  {
    gint64 integer;
    double real;
    char  *text; /* owned by the page */
  };
} StriaCell;

/* Some rows; @cells row by row, all columns of the #StriaRows, those not asked for without a value */
typedef struct
{
  guint64    first;
  guint      n_rows;
  guint      n_columns;
  StriaCell *cells;
  gint64    *row_ids; /* by row: place in the table, or the store's row id */
} StriaRowsPage;

void       stria_rows_page_free    (StriaRowsPage *page);

/* @tables: (element-type StriaTable): of one name, seen as one as SQL does; copied */
StriaRows *stria_rows_new_tables   (GPtrArray *tables);
/* @table: name of a table of the store's own that has row ids; @columns: of it */
StriaRows *stria_rows_new_store    (const char *store_path, const char *table,
                                    const StriaColumnInfo *columns, guint n_columns);
/* The same rows, but those of @ids in that order. @ids: (transfer full) (element-type gint64) */
StriaRows *stria_rows_new_ordered  (StriaRows *of, GArray *ids);
StriaRows *stria_rows_ref          (StriaRows *self);
void       stria_rows_unref        (StriaRows *self);

guint64                stria_rows_get_n_rows    (StriaRows *self);
guint                  stria_rows_get_n_columns (StriaRows *self);
const StriaColumnInfo *stria_rows_get_column    (StriaRows *self, guint column);
/* Number of the artifact whose table a row is of; G_MAXUINT32: of none */
guint32                stria_rows_get_artifact  (StriaRows *self, gint64 row_id, guint64 *row);
/* @wanted: (nullable): a byte by column, 0: need not be loaded; NULL: all. For a worker.
 * Returns: (transfer full): the page, or NULL with @error */
StriaRowsPage         *stria_rows_load          (StriaRows *self, guint64 first, guint n_rows,
                                                 const guint8 *wanted, GCancellable *cancellable,
                                                 GError **error);

/* The row ids that an SQL query gives in its first column. Returns: (transfer full)
 * (element-type gint64), or NULL with the errors of stria_query() */
GArray    *stria_rows_query_ids    (const char *store_path, const char *sql,
                                    GCancellable *cancellable, GError **error);

/**
 * stria_rows_condition:
 * @column: name of a column
 * @filter: "> 5", "<=3", "!= 2", "10..20", "null", "not null", or a text that is looked for
 *
 * Returns: (transfer full) (nullable): the filter as an SQL condition; NULL: it is empty
 */
char      *stria_rows_condition    (const char *column, const char *filter);
/* A name in SQL. Returns: (transfer full) */
char      *stria_rows_quote        (const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaRows, stria_rows_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaRowsPage, stria_rows_page_free)

G_END_DECLS
