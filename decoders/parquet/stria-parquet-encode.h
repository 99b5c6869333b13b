/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @n numbers of @width bits, lowest bit first; the last byte is filled with zeroes. */
void stria_encode_bits  (GByteArray *to, const guint64 *values, gsize n, guint width);
/* Hybrid of runs and packed numbers */
void stria_encode_rle   (GByteArray *to, const guint32 *values, gsize n, guint width);
/* DELTA_BINARY_PACKED */
void stria_encode_delta (GByteArray *to, const gint64 *values, gsize n);

G_END_DECLS
