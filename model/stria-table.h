/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * SECTION:stria-table
 *
 * Tables of rows that a file brings along or that are made from it, with the columns that the
 * file's own schema names: the export of a processed profile has more than fifty of them, some with
 * tens of millions of rows. They are kept column by column in chunks of %STRIA_TABLE_CHUNK_ROWS rows,
 * compressed, in the store (or in a spill file until that is written), and are queried as SQL tables
 * of their own names.
 */

#define STRIA_TABLE_CHUNK_ROWS 65536
/* How the key of a lane begins whose events are the rows of a table; then its name, and a "\x1f" */
#define STRIA_TABLE_LANE_KEY "table\x1f"
/* The same, where the events are made from many rows and are none */
#define STRIA_DERIVED_LANE_KEY "derived\x1f"
#define STRIA_TABLE_MAX_COLUMNS 4096
/* Bytes of texts in a chunk, after which it is closed early; no text may be longer. */
#define STRIA_TABLE_CHUNK_TEXT (64 << 20)

typedef enum
{
  STRIA_CELL_INT,  /* gint64 */
  STRIA_CELL_REAL, /* double */
  STRIA_CELL_BOOL, /* gint64 0 or 1 */
  STRIA_CELL_TEXT,
} StriaCellType;

/**
 * StriaColumnInfo:
 * @name: name as the schema spells it
 * @type: a #StriaCellType
 * @unit: unit of the values ("ns", "B", "B/s"), "" if they have none
 * @note: (nullable): what it means, or how sure its unit is
 */
typedef struct
{
  char *name;
  StriaCellType type;
  char *unit;
  char *note;
} StriaColumnInfo;

/**
 * StriaColumnData:
 * @valid: (nullable): a byte a row, 0 = no value; NULL if every row has one
 * @ints: values of INT and BOOL columns
 * @reals: values of REAL columns
 * @index: TEXT columns: number of each row's text, below @n_texts (of rows without a value too)
 * @offsets: TEXT columns: where text i begins in @bytes; @n_texts + 1 of them, rising
 * @bytes: the texts, UTF-8, without terminators; may be NULL if all are empty
 * @n_texts: how many texts
 *
 * The values of one column over some rows. A TEXT column with no repetition has @index NULL and one
 * text a row.
 */
typedef struct
{
  const guint8 *valid;
  union
  {
    const gint64 *ints;
    const double *reals;
  };
  const guint32 *index;
  const guint32 *offsets;
  const char *bytes;
  guint32 n_texts;
} StriaColumnData;

static inline gboolean
stria_column_data_has (const StriaColumnData *data, guint32 row)
{
  return data->valid == NULL || data->valid[row] != 0;
}

/* The text of a row and its length in bytes; not terminated. */
static inline const char *
stria_column_data_text (const StriaColumnData *data, guint32 row, guint32 *length)
{
  guint32 i = data->index != NULL ? data->index[row] : row;

  *length = data->offsets[i + 1] - data->offsets[i];
  return data->bytes != NULL ? data->bytes + data->offsets[i] : "";
}

/* A column of one chunk as it was loaded; owns @data. */
typedef struct
{
  StriaColumnData data;
  guint32 n_rows;
  gpointer owned[4];
} StriaColumnChunk;

void stria_column_chunk_free (StriaColumnChunk *self);

typedef struct _StriaTable StriaTable;

StriaTable            *stria_table_ref           (StriaTable *self);
void                   stria_table_unref         (StriaTable *self);
const char            *stria_table_get_name      (StriaTable *self);
/* Number of the artifact that it came from */
guint32                stria_table_get_artifact  (StriaTable *self);
guint                  stria_table_get_n_columns (StriaTable *self);
const StriaColumnInfo *stria_table_get_column    (StriaTable *self, guint column);
/* -1: there is none of that name (compared without case, as SQL does) */
int                    stria_table_find_column   (StriaTable *self, const char *name);
guint64                stria_table_get_n_rows    (StriaTable *self);
guint32                stria_table_get_n_chunks  (StriaTable *self);
guint32                stria_table_get_chunk_rows (StriaTable *self, guint32 chunk);
/* The chunk that holds a row, and the row's place in it; FALSE: there is no such row */
gboolean               stria_table_find_row      (StriaTable *self, guint64 row, guint32 *chunk,
                                                  guint32 *place);
/* Smallest and largest value of an INT column in a chunk. FALSE: it is not one, or has no values. */
gboolean               stria_table_get_bounds    (StriaTable *self, guint column, guint32 chunk,
                                                  gint64 *min, gint64 *max);
/* Any thread. Returns: (transfer full): the values, or NULL with @error */
StriaColumnChunk      *stria_table_load          (StriaTable *self, guint column, guint32 chunk,
                                                  GError **error);

/**
 * StriaTableBuilder:
 *
 * Takes rows in batches of any size, and keeps them as chunks in a spill. One thread.
 */
typedef struct _StriaTableBuilder StriaTableBuilder;
typedef struct _StriaSpill StriaSpill; /* stria-spill.h */

/* @columns are copied; at most %STRIA_TABLE_MAX_COLUMNS of them are taken. */
StriaTableBuilder *stria_table_builder_new    (const char *name, guint32 artifact,
                                               const StriaColumnInfo *columns, guint n_columns,
                                               StriaSpill *spill);
/* A column of @columns for each of the builder's. Bytes of a text that are not UTF-8
 * are repaired; none may be longer than %STRIA_TABLE_CHUNK_TEXT bytes. */
void               stria_table_builder_add    (StriaTableBuilder *self, const StriaColumnData *columns,
                                               guint32 n_rows);
guint64            stria_table_builder_n_rows (StriaTableBuilder *self);
/* Frees the builder. Returns: (transfer full) (nullable): NULL with @error if the spill could not be
 * written */
StriaTable        *stria_table_builder_finish (StriaTableBuilder *self, GError **error);
void               stria_table_builder_free   (StriaTableBuilder *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaTable, stria_table_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaColumnChunk, stria_column_chunk_free)

G_END_DECLS
