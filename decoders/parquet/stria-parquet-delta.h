/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * StriaDelta:
 *
 * Numbers of DELTA_BINARY_PACKED: the first one, then blocks of differences, each block in parts of
 * a width of their own. Owns nothing; answers fewer numbers than asked for when bytes are missing
 * or make no sense.
 */
typedef struct
{
  const guint8 *at;
  const guint8 *end;
  guint64       left;       /* numbers that were not read yet */
  guint32       block;      /* numbers in a block */
  guint32       n_parts;    /* of a block */
  guint32       part;       /* numbers in one */
  gboolean      has_first;  /* @value is the first, not given yet */
  guint64       value;      /* the last that was given */
  guint64       least;      /* added to each difference of the block */
  const guint8 *widths;     /* of the parts of the block */
  guint32       part_at;    /* which part is at hand; @n_parts: none */
  const guint8 *run;        /* its bytes */
  const guint8 *run_end;
  guint         width;
  guint32       used;       /* numbers of it */
  guint32       available;  /* that it has */
} StriaDelta;

/* FALSE if the header makes no sense */
gboolean stria_delta_init (StriaDelta *self, const guint8 *data, gsize length);
/* Returns: how many of @n */
gsize    stria_delta_read (StriaDelta *self, gint64 *to, gsize n);
/* Where the bytes of the next thing begin: behind all blocks, which must not have been read from
 * yet. NULL when they are cut. */
const guint8 *stria_delta_end (const StriaDelta *self);

G_END_DECLS
