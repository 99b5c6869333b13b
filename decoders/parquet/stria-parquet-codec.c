/* SPDX-License-Identifier: Apache-2.0 */
/* A page says how many bytes it inflates to, which is checked against a cap before; nothing here
 * writes more than that. */
#include "config.h"

#include "stria-parquet-codec.h"

#include <inttypes.h>
#include <string.h>

#include <brotli/decode.h>
#include <glib/gi18n-lib.h>
#include <lz4.h>
#include <lz4frame.h>
#include <snappy-c.h>
#include <zlib.h>
#include <zstd.h>

#include "stria-error.h"

#define HADOOP_HEAD 8 /* lengths of a block: inflated and not, highest byte first */
#define LZ4_FRAME_MAGIC 0x184d2204

struct _StriaParquetInflater
{
  ZSTD_DCtx *zstd;
  z_stream z;
  gboolean z_ready;
  LZ4F_dctx *lz4_frame;
};

StriaParquetInflater *
stria_parquet_inflater_new (void)
{
  return g_new0 (StriaParquetInflater, 1);
}

void
stria_parquet_inflater_free (StriaParquetInflater *self)
{
  if (self == NULL)
    return;
  ZSTD_freeDCtx (self->zstd);
  if (self->z_ready)
    inflateEnd (&self->z);
  LZ4F_freeDecompressionContext (self->lz4_frame);
  g_free (self);
}

gboolean
stria_parquet_codec_check (const StriaParquet *file, StriaParquetCodec codec, guint64 offset,
                           GError **error)
{
  if (codec == STRIA_PARQUET_LZO)
    {
      stria_parquet_fault (file, error, STRIA_ERROR_UNSUPPORTED, offset,
                           _("the column is compressed with LZO, which is not read; write it anew "
                             "with zstd or snappy"));
      return FALSE;
    }
  if (codec > STRIA_PARQUET_LZ4_RAW)
    {
      stria_parquet_fault (file, error, STRIA_ERROR_UNSUPPORTED, offset,
                           _("expected a compression from 0 to 7, found %d"), (int) codec);
      return FALSE;
    }
  return TRUE;
}

/* All gzip members, or a zlib stream, as both are found in files. */
static gboolean
inflate_gzip (StriaParquetInflater *self, const guint8 *data, gsize length, guint8 *to,
              gsize to_length)
{
  int status;

  if (!self->z_ready && inflateInit2 (&self->z, MAX_WBITS + 32) != Z_OK)
    return FALSE;
  self->z_ready = TRUE;
  self->z.next_in = (Bytef *) data;
  self->z.avail_in = (uInt) length;
  self->z.next_out = to;
  self->z.avail_out = (uInt) to_length;
  do
    {
      if (inflateReset2 (&self->z, MAX_WBITS + 32) != Z_OK)
        return FALSE;
      status = inflate (&self->z, Z_FINISH);
    }
  while (status == Z_STREAM_END && self->z.avail_in > 0 && self->z.avail_out > 0);
  return status == Z_STREAM_END && self->z.avail_out == 0;
}

static gboolean
inflate_zstd (StriaParquetInflater *self, const guint8 *data, gsize length, guint8 *to,
              gsize to_length)
{
  if (self->zstd == NULL)
    self->zstd = ZSTD_createDCtx ();
  return self->zstd != NULL
         && ZSTD_decompressDCtx (self->zstd, to, to_length, data, length) == to_length;
}

static gboolean
inflate_snappy (const guint8 *data, gsize length, guint8 *to, gsize to_length)
{
  size_t said;

  return snappy_uncompressed_length ((const char *) data, length, &said) == SNAPPY_OK
         && said == to_length
         && snappy_uncompress ((const char *) data, length, (char *) to, &said) == SNAPPY_OK
         && said == to_length;
}

static gboolean
inflate_brotli (const guint8 *data, gsize length, guint8 *to, gsize to_length)
{
  size_t n = to_length;

  return BrotliDecoderDecompress (length, data, &n, to) == BROTLI_DECODER_RESULT_SUCCESS
         && n == to_length;
}

static gboolean
inflate_lz4_raw (const guint8 *data, gsize length, guint8 *to, gsize to_length)
{
  return LZ4_decompress_safe ((const char *) data, (char *) to, (int) length, (int) to_length)
         == (int) to_length;
}

static guint32
load_be32 (const guint8 *p)
{
  return (guint32) p[0] << 24 | (guint32) p[1] << 16 | (guint32) p[2] << 8 | p[3];
}

static gboolean
inflate_hadoop (const guint8 *data, gsize length, guint8 *to, gsize to_length)
{
  while (length >= HADOOP_HEAD)
    {
      guint32 inflated = load_be32 (data);
      guint32 packed = load_be32 (data + 4);

      if (packed > length - HADOOP_HEAD || inflated > to_length
          || !inflate_lz4_raw (data + HADOOP_HEAD, packed, to, inflated))
        return FALSE;
      data += HADOOP_HEAD + packed;
      length -= HADOOP_HEAD + packed;
      to += inflated;
      to_length -= inflated;
    }
  return length == 0 && to_length == 0;
}

static gboolean
inflate_lz4_frame (StriaParquetInflater *self, const guint8 *data, gsize length, guint8 *to,
                   gsize to_length)
{
  if (self->lz4_frame == NULL
      && LZ4F_isError (LZ4F_createDecompressionContext (&self->lz4_frame, LZ4F_VERSION)))
    return FALSE;
  LZ4F_resetDecompressionContext (self->lz4_frame);
  while (length > 0)
    {
      size_t used = length, made = to_length;
      size_t status = LZ4F_decompress (self->lz4_frame, to, &made, data, &used, NULL);

      if (LZ4F_isError (status) || (used == 0 && made == 0))
        return FALSE;
      data += used;
      length -= used;
      to += made;
      to_length -= made;
    }
  return to_length == 0;
}

/* The old LZ4 was written in three ways: as Hadoop's blocks, as frames, and bare. */
static gboolean
inflate_lz4 (StriaParquetInflater *self, const guint8 *data, gsize length, guint8 *to,
             gsize to_length)
{
  if (inflate_hadoop (data, length, to, to_length))
    return TRUE;
  if (length >= 4 && load_be32 (data) == GUINT32_SWAP_LE_BE_CONSTANT (LZ4_FRAME_MAGIC)
      && inflate_lz4_frame (self, data, length, to, to_length))
    return TRUE;
  return inflate_lz4_raw (data, length, to, to_length);
}

static gboolean
run (StriaParquetInflater *self, StriaParquetCodec codec, const guint8 *data, gsize length,
     guint8 *to, gsize to_length)
{
  switch (codec)
    {
    case STRIA_PARQUET_UNCOMPRESSED:
      if (length != to_length)
        return FALSE;
      memcpy (to, data, length);
      return TRUE;
    case STRIA_PARQUET_SNAPPY:
      return inflate_snappy (data, length, to, to_length);
    case STRIA_PARQUET_GZIP:
      return inflate_gzip (self, data, length, to, to_length);
    case STRIA_PARQUET_BROTLI:
      return inflate_brotli (data, length, to, to_length);
    case STRIA_PARQUET_LZ4:
      return inflate_lz4 (self, data, length, to, to_length);
    case STRIA_PARQUET_ZSTD:
      return inflate_zstd (self, data, length, to, to_length);
    case STRIA_PARQUET_LZ4_RAW:
      return inflate_lz4_raw (data, length, to, to_length);
    case STRIA_PARQUET_LZO:
    default:
      return FALSE;
    }
}

gboolean
stria_parquet_inflate (StriaParquetInflater *self, const StriaParquet *file,
                       StriaParquetCodec codec, guint64 offset, const guint8 *data, gsize length,
                       guint8 *to, gsize to_length, GError **error)
{
  /* A page of nothing, for which some writers write nothing. */
  if (length == 0 && to_length == 0)
    return TRUE;
  if (run (self, codec, data, length, to, to_length))
    return TRUE;
  stria_parquet_fault (file, error, STRIA_ERROR_MALFORMED, offset,
                       _("expected %" PRIu64 " bytes that inflate to %" PRIu64
                         " by %s, found others"),
                       (guint64) length, (guint64) to_length, stria_parquet_codec_name (codec));
  return FALSE;
}
