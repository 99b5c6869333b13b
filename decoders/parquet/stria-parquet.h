/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* How the values of a column lie in the file */
typedef enum
{
  STRIA_PARQUET_BOOLEAN,
  STRIA_PARQUET_INT32,
  STRIA_PARQUET_INT64,
  STRIA_PARQUET_INT96,
  STRIA_PARQUET_FLOAT,
  STRIA_PARQUET_DOUBLE,
  STRIA_PARQUET_BYTES,
  STRIA_PARQUET_FIXED, /* bytes, as many in each value */
} StriaParquetPhysical;

/* What they mean; of a logical type or, in older files, of a converted type */
typedef enum
{
  STRIA_PARQUET_PLAIN, /* no more than the physical type says */
  STRIA_PARQUET_STRING,
  STRIA_PARQUET_ENUM,
  STRIA_PARQUET_JSON,
  STRIA_PARQUET_BSON,
  STRIA_PARQUET_UUID,
  STRIA_PARQUET_DECIMAL,   /* @precision digits, @scale of them behind the point */
  STRIA_PARQUET_INTEGER,   /* @bits, @is_signed */
  STRIA_PARQUET_DATE,      /* days since 1970-01-01 */
  STRIA_PARQUET_TIME,      /* @unit_ns since midnight */
  STRIA_PARQUET_TIMESTAMP, /* @unit_ns since 1970-01-01; INT96 counts as one of nanoseconds */
  STRIA_PARQUET_INTERVAL,
  STRIA_PARQUET_FLOAT16,
  STRIA_PARQUET_NULLS,     /* always null */
  STRIA_PARQUET_LIST,      /* groups */
  STRIA_PARQUET_MAP,
  STRIA_PARQUET_OTHER,     /* one that is not known here; read as its physical type */
} StriaParquetLogical;

typedef enum
{
  STRIA_PARQUET_REQUIRED,
  STRIA_PARQUET_OPTIONAL,
  STRIA_PARQUET_REPEATED,
} StriaParquetRepetition;

typedef enum
{
  STRIA_PARQUET_UNCOMPRESSED,
  STRIA_PARQUET_SNAPPY,
  STRIA_PARQUET_GZIP,
  STRIA_PARQUET_LZO,
  STRIA_PARQUET_BROTLI,
  STRIA_PARQUET_LZ4, /* as Hadoop frames it; deprecated */
  STRIA_PARQUET_ZSTD,
  STRIA_PARQUET_LZ4_RAW,
} StriaParquetCodec;

#define STRIA_PARQUET_NONE G_MAXUINT

/**
 * StriaParquetNode:
 * @name: its own name
 * @path: (nullable): names from below the root, joined by dots; of the root NULL
 * @parent: number of the node that it is in, %STRIA_PARQUET_NONE for the root
 * @next: number of the node behind it and all that is in it
 * @n_children: 0: a column
 * @column: number of the column, %STRIA_PARQUET_NONE for a group
 * @length: bytes of a value of %STRIA_PARQUET_FIXED
 * @unit_ns: of times: nanoseconds in one unit, else 0
 * @is_utc: of times: counted in UTC; otherwise by the clock on some wall
 * @definition: definition level of a value
 * @repetition_level: how many lists a value is in
 * @field_id: -1 if it has none
 *
 * A node of the schema. Nodes are numbered from front to back, the root is 0.
 */
typedef struct
{
  const char             *name;
  const char             *path;
  guint                   parent;
  guint                   next;
  guint                   n_children;
  guint                   column;
  StriaParquetRepetition  repetition;
  StriaParquetPhysical    physical;
  StriaParquetLogical     logical;
  guint                   length;
  gint32                  precision;
  gint32                  scale;
  guint8                  bits;
  gboolean                is_signed;
  guint64                 unit_ns;
  gboolean                is_utc;
  guint                   definition;
  guint                   repetition_level;
  gint64                  field_id;
} StriaParquetNode;

/* Smallest and largest value of a chunk or page as PLAIN bytes; BYTES without their length.
 * NULL where the file doesn't say, or says it in a way that is known to be wrong in older files. */
typedef struct
{
  const guint8 *min;
  const guint8 *max;
  guint32       min_length;
  guint32       max_length;
  gint64        nulls; /* -1: not said */
} StriaParquetStatistics;

/* A column of one row group */
typedef struct
{
  StriaParquetCodec      codec;
  guint32                encodings; /* bit n: encoding n of the format is used */
  guint64                n_values;  /* with nulls and empty lists */
  guint64                offset;    /* in the file, of its first page */
  guint64                compressed;   /* bytes in the file */
  guint64                uncompressed; /* bytes after inflating, page headers too */
  StriaParquetStatistics statistics;
  guint64                column_index; /* offset in the file, 0: none */
  guint32                column_index_length;
  guint64                offset_index;
  guint32                offset_index_length;
} StriaParquetChunk;

typedef struct
{
  const char *key;
  const char *value; /* (nullable) */
} StriaParquetPair;

/* Caps on what a file may ask for; 0 in a field means the default. */
typedef struct
{
  guint64 footer_bytes; /* 256 MiB */
  guint64 page_bytes;   /* 256 MiB after inflating */
  guint   columns;      /* 16,384 */
  guint   depth;        /* 32 groups inside each other */
  guint   row_groups;   /* 1,000,000 */
  guint64 chunks;       /* 4,000,000: row groups times columns */
  guint64 rows;         /* 2^40 */
} StriaParquetLimits;

/**
 * StriaParquet:
 *
 * A Parquet file whose footer has been read. It never changes, so any number of readers on any
 * number of threads may use one. Each call may be made from any thread.
 */
typedef struct _StriaParquet StriaParquet;

/* Whether bytes that begin with @head may be a Parquet file; a file with an encrypted footer too */
gboolean      stria_parquet_is        (const guint8 *head, gsize length);

/**
 * stria_parquet_open_file:
 * @path: a file; it is read as asked for and never mapped
 * @limits: (nullable): caps
 * @error: %STRIA_ERROR_BAD_MAGIC, _TRUNCATED, _MALFORMED, _LIMIT, _UNSUPPORTED (an encrypted file),
 *   or why the file cannot be read
 *
 * Returns: (transfer full): the file, or NULL
 */
StriaParquet *stria_parquet_open_file  (const char *path, const StriaParquetLimits *limits,
                                        GError **error);
/* @fd: (transfer full): a regular file, closed with the file; also after an error. @name: for
 * messages */
StriaParquet *stria_parquet_open_fd    (const char *name, int fd,
                                        const StriaParquetLimits *limits, GError **error);
StriaParquet *stria_parquet_open_bytes (const char *name, GBytes *bytes,
                                        const StriaParquetLimits *limits, GError **error);
StriaParquet *stria_parquet_ref        (StriaParquet *self);
void          stria_parquet_unref      (StriaParquet *self);

const char   *stria_parquet_get_name       (const StriaParquet *self);
guint64       stria_parquet_get_size       (const StriaParquet *self);
gint32        stria_parquet_get_version    (const StriaParquet *self);
/* Returns: (nullable): which program wrote it */
const char   *stria_parquet_get_created_by (const StriaParquet *self);
const StriaParquetPair *stria_parquet_get_pairs (const StriaParquet *self, guint *n);

guint64       stria_parquet_get_n_rows       (const StriaParquet *self);
guint         stria_parquet_get_n_row_groups (const StriaParquet *self);
guint64       stria_parquet_get_group_rows   (const StriaParquet *self, guint row_group);
/* Rows before @row_group */
guint64       stria_parquet_get_group_first  (const StriaParquet *self, guint row_group);
guint         stria_parquet_get_n_nodes      (const StriaParquet *self);
const StriaParquetNode *stria_parquet_get_node (const StriaParquet *self, guint node);
/* Columns are the leaves of the schema, which is what can be read. */
guint         stria_parquet_get_n_columns    (const StriaParquet *self);
/* The node of a column */
const StriaParquetNode *stria_parquet_get_column (const StriaParquet *self, guint column);
const StriaParquetChunk *stria_parquet_get_chunk (const StriaParquet *self, guint row_group,
                                                  guint column);
/* @path: of the column, or of a group that only one column is in ("intervals" for
 * "intervals.list.element"). Returns: %STRIA_PARQUET_NONE if there is none */
guint         stria_parquet_find_column      (const StriaParquet *self, const char *path);

const char   *stria_parquet_physical_name    (StriaParquetPhysical physical);
const char   *stria_parquet_codec_name       (StriaParquetCodec codec);
/* Returns: (transfer full): the type as people write it ("timestamp[ns]", "list<int64>") */
char         *stria_parquet_type_text        (const StriaParquet *self, guint node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaParquet, stria_parquet_unref)

G_END_DECLS
