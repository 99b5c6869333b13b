/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-parquet-leaf.h"

G_BEGIN_DECLS

/* Rows of a row group, counted in it */
typedef struct
{
  guint64 first;
  guint64 end;
} StriaParquetRange;

/* FALSE with %STRIA_ERROR_QUERY: the column isn't there, or has no such values */
gboolean stria_parquet_condition_check (const StriaParquet *file,
                                        const StriaParquetCondition *condition, GError **error);
/* Which rows of a row group may meet all conditions. Returns: (transfer full): ranges in order */
GArray  *stria_parquet_filter_group    (StriaParquetShared *shared, guint row_group,
                                        const StriaParquetCondition *conditions, guint n);
/* Where the pages of a chunk are. Returns: (transfer full) (nullable): NULL if the file has no
 * index of them, or one that makes no sense */
GArray  *stria_parquet_read_places     (StriaParquetShared *shared, guint row_group, guint column);

G_END_DECLS
