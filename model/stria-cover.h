/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gint64 t0;
  gint64 t1;
} StriaSpan;

/**
 * StriaCover:
 *
 * Time that is covered at least once by many spans, for questions about any part of it. Spans are
 * added in any order; after stria_cover_seal() it is asked, and no more are added. Zeroed: nothing.
 */
typedef struct
{
  GArray *spans; /* StriaSpan; once sealed: apart from each other, ascending */
  GArray *sums;  /* gint64: covered before each span */
} StriaCover;

/* Spans that end before they begin are left out. */
void   stria_cover_add   (StriaCover *self, gint64 t0, gint64 t1);
void   stria_cover_seal  (StriaCover *self);
/* Nanoseconds of [t0, t1) that are covered */
gint64 stria_cover_ns    (const StriaCover *self, gint64 t0, gint64 t1);
guint  stria_cover_size  (const StriaCover *self);
void   stria_cover_clear (StriaCover *self);

G_END_DECLS
