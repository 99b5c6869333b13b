/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-strings.h"

G_BEGIN_DECLS

/* Stands for "there is none" in a column of type %STRIA_FACT_REF; NULL in the store. */
#define STRIA_NO_REF G_MAXUINT32

typedef enum
{
  STRIA_FACT_STRING, /* guint32: id in the facts' own strings; 0 the empty text */
  STRIA_FACT_REF,    /* guint32: number of a row of the same facts, or STRIA_NO_REF */
  STRIA_FACT_FIRST,  /* guint32: first of a run of rows; the next column, a U32, says how many */
  STRIA_FACT_U8,
  STRIA_FACT_I32,
  STRIA_FACT_U32,
  STRIA_FACT_I64,
  STRIA_FACT_U64, /* in the store: the same bits as a signed number */
  STRIA_FACT_F64,
} StriaFactType;

typedef struct
{
  const char *name;
  guint16     offset; /* in the row */
  guint8      type;   /* a #StriaFactType */
  guint8      target; /* of REF and FIRST: number of the table they point into */
} StriaFactColumn;

/**
 * StriaFactTable:
 * @name: name of the table in the store
 * @row_size: of the C struct
 * @columns: what the store keeps of a row; all of it
 *
 * A table of plain rows, as the C compiler and the store see it.
 */
typedef struct
{
  const char            *name;
  guint16                row_size;
  guint16                n_columns;
  const StriaFactColumn *columns;
} StriaFactTable;

/**
 * StriaFacts:
 *
 * What one artifact says, as tables of plain rows (stria-fact-tables.h) whose texts are interned.
 * A decoder fills it on its own thread; once published it never changes and any thread may read it.
 * Rows name each other by their number.
 */
typedef struct _StriaFacts StriaFacts;

StriaFacts   *stria_facts_new         (void);
StriaFacts   *stria_facts_ref         (StriaFacts *self);
void          stria_facts_unref       (StriaFacts *self);
StriaStrings *stria_facts_get_strings (StriaFacts *self);

/* @length: -1 if @text ends with a NUL. Bytes that are not UTF-8 are repaired. NULL gives 0. */
guint32       stria_facts_intern      (StriaFacts *self, const char *text, gssize length);
guint32       stria_facts_intern_printf (StriaFacts *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
const char   *stria_facts_text        (const StriaFacts *self, guint32 string);

/**
 * stria_facts_add:
 * @table: number of the table
 * @row: (nullable): what to copy; NULL for zeros
 *
 * Returns: number of the new row. The caller sees to it that there are fewer than 2^32 - 1.
 */
guint32       stria_facts_add         (StriaFacts *self, guint table, gconstpointer row);
gsize         stria_facts_size        (const StriaFacts *self, guint table);
/* Returns: (transfer none): the rows, valid until one is added to this table; never NULL */
gpointer      stria_facts_rows        (const StriaFacts *self, guint table);
/* Whether any table has a row */
gboolean      stria_facts_is_empty    (const StriaFacts *self);
/* Whether every reference and string of every row is of this container: for what comes from outside
 * the program. Says to @table and @row which is not. */
gboolean      stria_facts_check       (const StriaFacts *self, guint *table, guint32 *row);
/* Bytes kept */
gsize         stria_facts_bytes       (const StriaFacts *self);

/* Typed access: STRIA_ROWS (facts, StriaDumpEvent, STRIA_TABLE_DUMP_EVENT)[i] */
#define STRIA_ROWS(facts, Type, table) ((Type *) stria_facts_rows ((facts), (table)))

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaFacts, stria_facts_unref)

G_END_DECLS
