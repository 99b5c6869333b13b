/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"
#include "stria-rows.h"
#include "stria-table-writer.h"

G_BEGIN_DECLS

typedef enum
{
  STRIA_SHOWN_TABLE, /* that files brought along */
  STRIA_SHOWN_STORE, /* of the store itself */
  STRIA_SHOWN_QUERY,
} StriaShownKind;

/**
 * StriaShownTable:
 * @kind: what it is
 * @name: as files call it
 * @sql_name: as SQL calls it
 * @n_rows: how many there are
 * @has_row_ids: whether the store can read it row by row
 * @tables: (element-type StriaTable): that are seen as this one; NULL: it is the store's
 * @columns: (element-type StriaColumnInfo)
 *
 * A table that can be looked at.
 */
typedef struct
{
  gatomicrefcount refs;
  StriaShownKind  kind;
  char           *name;
  char           *sql_name;
  guint64         n_rows;
  gboolean        has_row_ids;
  GPtrArray      *tables;
  GArray         *columns;
} StriaShownTable;

StriaShownTable *stria_shown_table_ref   (StriaShownTable *self);
void             stria_shown_table_unref (StriaShownTable *self);

/* All tables of a capture, those of files first, by name. For a worker.
 * Returns: (transfer full) (element-type StriaShownTable), or NULL with @error */
GPtrArray *stria_shown_tables (StriaCapture *capture, GCancellable *cancellable, GError **error);

/* Zeroed: nothing */
typedef struct
{
  StriaShownTable *table; /* NULL: @sql */
  char            *sql;
  char            *conditions; /* NULL: none */
  char            *sort;       /* column, NULL: none */
  gboolean         descending;
} StriaShownQuery;

void             stria_shown_query_clear (StriaShownQuery *self);
void             stria_shown_query_copy  (const StriaShownQuery *from, StriaShownQuery *to);
/* The whole as one SQL statement. Returns: (transfer full) */
char            *stria_shown_query_sql   (const StriaShownQuery *self);

typedef struct
{
  StriaRows *rows;
  StriaTable *result; /* of SQL; NULL: the table itself */
  gint64     elapsed_us;
} StriaShownAnswer;

void stria_shown_answer_free (StriaShownAnswer *self);

/* For a worker. @store_path: (nullable): without one there are tables of files as they stand, and no
 * more. @error_at: (out): as stria_query_full()
 * Returns: (transfer full): the answer, or NULL with @error */
StriaShownAnswer *stria_shown_run    (const StriaShownQuery *query, const char *store_path,
                                      int *error_at, GCancellable *cancellable, GError **error);
/* Writes all rows of what is shown to a file. For a worker. */
gboolean          stria_shown_export (const StriaShownQuery *query, StriaTable *result,
                                      StriaCapture *capture, StriaTableFormat format,
                                      const char *path, guint64 *n_rows, GCancellable *cancellable,
                                      GError **error);
/* The event that a row stands for. @time: (out): where no event is told but a time is: that, else
 * G_MININT64. For a worker.
 * Returns: %STRIA_REF_NONE: there is none */
StriaRef          stria_shown_find   (const StriaShownQuery *query, StriaRows *rows, guint64 row,
                                      StriaTrace *trace, gint64 *time);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaShownTable, stria_shown_table_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaShownAnswer, stria_shown_answer_free)

G_END_DECLS
