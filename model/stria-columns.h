/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-lane.h"

G_BEGIN_DECLS

/* Events of a lane whose columns are packed together */
#define STRIA_PACK_EVENTS 16384

/* Numbers of the columns of a lane, in the store and in a park; never reused for another meaning. */
typedef enum
{
  STRIA_COLUMN_START,
  STRIA_COLUMN_DUR,
  STRIA_COLUMN_VALUE,
  STRIA_COLUMN_NAME,
  STRIA_COLUMN_CATEGORY,
  STRIA_COLUMN_FLAGS,
  STRIA_COLUMN_SEQ,
  STRIA_COLUMN_PARENT,
  STRIA_COLUMN_ARGS,
  STRIA_COLUMN_CORRELATION,
  STRIA_COLUMN_EXTERNAL,
  STRIA_COLUMN_PYTHON,
  STRIA_N_COLUMNS,
} StriaColumnNumber;

/* The array of a column and the size of its elements in bytes. */
void   **stria_columns_get   (StriaColumns *columns, StriaColumnNumber column, gsize *element_size);
void     stria_columns_clear (StriaColumns *columns);

/* Appends @n elements of 2, 4 or 8 bytes (at most %STRIA_PACK_EVENTS): what they have in common is kept
 * once, and the rest in as few bytes as the largest needs. */
void     stria_column_pack   (gconstpointer values, gsize element_size, gsize n, GByteArray *out);
/* FALSE: the bytes are not @n packed elements. */
gboolean stria_column_unpack (const guint8 *bytes, gsize length, gsize element_size, gsize n,
                              gpointer values);
/* @to[k] = @values[@pick[k]], for @n elements of 2, 4 or 8 bytes */
void     stria_column_gather (gconstpointer values, gsize element_size, const guint32 *pick, gsize n,
                              gpointer to);
/* Adds @shift to all elements of 8 bytes, which only the first bytes tell. */
void     stria_column_shift  (guint8 *bytes, gsize length, gint64 shift);

G_END_DECLS
