/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-parquet-private.h"
#include "stria-thrift.h"

G_BEGIN_DECLS

/* Reads the list of SchemaElements into nodes and leaves. */
void stria_parquet_read_schema     (StriaParquet *self, StriaThrift *thrift, guint8 type);
/* Reads a Statistics struct, of a chunk or page of @node. Values point into the thrift data. */
void stria_parquet_read_statistics (const StriaParquetNode *node, StriaThrift *thrift,
                                    guint8 type, StriaParquetStatistics *statistics);

G_END_DECLS
