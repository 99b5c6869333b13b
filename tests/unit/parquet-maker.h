/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-parquet-private.h"
#include "stria-thrift-writer.h"

G_BEGIN_DECLS

/* An element of a schema; the root is made by itself. */
typedef struct
{
  const char *name;
  gint32      type; /* -1: a group */
  gint32      length;
  gint32      repetition;
  gint32      n_children;
  gint32      converted; /* -1: none */
} ParquetMakerElement;

/* A page as it stands in the file, with a header that need not be true */
typedef struct
{
  gint32        type;
  gint32        encoding;
  gint64        n_values;
  const guint8 *body;
  gsize         length;
  gint64        compressed;   /* -1: @length */
  gint64        uncompressed; /* -1: @length */
  gint32        levels;       /* encoding of levels, RLE if 0 */
  gint64        n_rows;       /* version 2 */
  gint64        definitions;  /* version 2: bytes */
  gint64        repetitions;
} ParquetMakerPage;

/**
 * ParquetMaker:
 *
 * A file of one column and one row group, whose every number can be chosen; 0 in @n_top means one
 * element below the root.
 */
typedef struct
{
  const ParquetMakerElement *elements;
  guint                      n_elements;
  gint32                     n_top;
  const ParquetMakerPage    *pages;
  guint                      n_pages;
  gint32                     codec;
  gint64                     n_rows;
  gint64                     n_values;   /* -1: @n_rows */
  gint64                     chunk;      /* -1: bytes of the pages */
  gint64                     offset;     /* -1: where the pages are */
  gint64                     dictionary; /* offset of one; 0: not said */
  gboolean                   encrypted;
} ParquetMaker;

/* (transfer full) */
GBytes *parquet_maker_finish (const ParquetMaker *self);

G_END_DECLS
