/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-counter-painter.h"
#include "stria-model-index.h"

G_BEGIN_DECLS

/* The counters of a chain. */
typedef struct
{
  guint32 chain; /* entity */
  double  sum;
  guint   first; /* in the parts */
  guint   n;     /* 0: nothing was counted */
} StriaModelBar;

/**
 * StriaModelBars:
 * @names: (element-type utf8): counters that are not 0 everywhere, interned; a part's colour is
 *   its number here
 * @bars: (element-type StriaModelBar): all chains, the largest sum first
 * @parts: (element-type StriaCounterPart)
 * @full: the largest sum
 * @unit: (nullable): of all
 *
 * The counters of the chains of a model as stacked bars. Totals of counters are no part of a bar.
 */
typedef struct
{
  GPtrArray  *names;
  GArray     *bars;
  GArray     *parts;
  double      full;
  const char *unit;
} StriaModelBars;

/* @hidden: (nullable): set of names that are left out of the bars, not of @names. Any thread. */
StriaModelBars *stria_model_bars_new  (StriaModelIndex *index, StriaAggregation aggregation,
                                       GHashTable *hidden);
void            stria_model_bars_free (StriaModelBars *self);
/* The bar of a chain, or NULL */
const StriaModelBar *stria_model_bars_find (StriaModelBars *self, guint32 chain);
/* Returns: (transfer none) (array length=n) */
const StriaCounterPart *stria_model_bars_parts (StriaModelBars *self, const StriaModelBar *bar,
                                                guint *n);
/* What has to be known of the bars. Returns: (transfer full) */
char           *stria_model_bars_note (StriaAggregation aggregation);
/* Why there may be no counters. Static */
const char     *stria_model_bars_absence (void);
/* The sum as text, a dash where nothing was counted. Returns: (transfer full) */
char           *stria_model_bars_text (StriaModelBars *self, const StriaModelBar *bar);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaModelBars, stria_model_bars_free)

G_END_DECLS
