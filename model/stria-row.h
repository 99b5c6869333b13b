/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-table.h"
#include "stria-trace.h"

G_BEGIN_DECLS

/* What the columns of a row are about, in the order in which people look for it */
typedef enum
{
  STRIA_ROW_TIMING,
  STRIA_ROW_OPERATION,
  STRIA_ROW_MEMORY,
  STRIA_ROW_HLO,
  STRIA_ROW_FRAMEWORK, /* stack and source */
  STRIA_ROW_IDS,
  STRIA_ROW_DETAILS,
  STRIA_ROW_N_GROUPS,
} StriaRowGroup;

/**
 * StriaRowCell:
 * @name: of the column
 * @unit: of the value, or ""
 * @note: what it means, as the file or the published schema says it, or ""
 * @text: (nullable): the value: texts as they are, numbers exactly; %NULL if it has none
 * @type: of the column
 * @group: what it is about
 * @is_missing: the published table has this column and the file has not
 *
 * One column of the row that an event stands for.
 */
typedef struct
{
  char         *name;
  char         *unit;
  char         *note;
  char         *text;
  StriaCellType type;
  StriaRowGroup group;
  gboolean      is_missing;
} StriaRowCell;

/**
 * StriaRow:
 * @table: name of the table
 * @note: what its rows are, or ""
 * @number: of the row in the table of its artifact, from 0
 * @cells: (element-type StriaRowCell): by group, within it as in the table; then published columns
 *   that the file lacks
 */
typedef struct
{
  char      *table;
  char      *note;
  guint64    number;
  GPtrArray *cells;
} StriaRow;

/* Loads what it needs: call it on a worker.
 * Returns: (transfer full) (nullable): NULL without @error if the event stands for no row */
StriaRow     *stria_row_load        (StriaTrace *trace, StriaRef ref, GError **error);
void          stria_row_free        (StriaRow *self);
/* By the column's name and unit */
StriaRowGroup stria_row_group_of    (const char *name, const char *unit);
/* For people, translated */
const char   *stria_row_group_title (StriaRowGroup group);
/* Exact, columns without a value as null. Returns: (transfer full) */
char         *stria_row_to_json     (const StriaRow *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaRow, stria_row_free)

G_END_DECLS
