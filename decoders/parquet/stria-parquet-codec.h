/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-parquet-private.h"

G_BEGIN_DECLS

/* What the compression libraries keep between two calls. Belongs to one thread at a time. */
typedef struct _StriaParquetInflater StriaParquetInflater;

StriaParquetInflater *stria_parquet_inflater_new  (void);
void                  stria_parquet_inflater_free (StriaParquetInflater *self);

/* Whether chunks of @codec can be read, else @error says why not, at @offset */
gboolean stria_parquet_codec_check (const StriaParquet *file, StriaParquetCodec codec,
                                    guint64 offset, GError **error);
/* Inflates @length bytes at @data, which stand at @offset in the file, into exactly @to_length
 * bytes. */
gboolean stria_parquet_inflate     (StriaParquetInflater *self, const StriaParquet *file,
                                    StriaParquetCodec codec, guint64 offset, const guint8 *data,
                                    gsize length, guint8 *to, gsize to_length, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaParquetInflater, stria_parquet_inflater_free)

G_END_DECLS
