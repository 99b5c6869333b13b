/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 key;
  guint32 value;
} StriaSortPair;

/* Stable sort by key, ascending; linear in @n (radix), and one pass if already in order. */
void stria_sort_pairs (StriaSortPair *pairs, gsize n);

/* Nearest-rank quantile (0 < @q <= 1) of @n > 0 values; reorders them. */
gint64 stria_select_quantile (gint64 *values, gsize n, double q);

G_END_DECLS
