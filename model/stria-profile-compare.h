/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-profile.h"

G_BEGIN_DECLS

/* How it is known that an entity of one profile is one of the other. */
typedef enum
{
  STRIA_PAIRED_NOT,
  STRIA_PAIRED_BY_HANDLE, /* module path, debug handle and operator */
  STRIA_PAIRED_BY_ID,
  STRIA_PAIRED_BY_PATH,   /* the only operator of its name in its module, in both */
} StriaPairedBy;

typedef enum
{
  STRIA_PAIR_BOTH,
  STRIA_PAIR_ADDED,     /* in the second profile only */
  STRIA_PAIR_REMOVED,   /* in the first profile only */
  STRIA_PAIR_UNMATCHED, /* something of its name is in the other profile, and is not the same */
} StriaPairState;

/* An entity in two profiles. */
typedef struct
{
  StriaEntityKind kind;
  StriaPairState  state;
  StriaPairedBy   by;
  guint32         a, b;     /* entities of the first and second profile, or STRIA_NO_REF */
  const char     *note;     /* (nullable): why it is not matched; translated */
  guint32         first_metric, n_metrics;
} StriaEntityPair;

/* A measurement in two profiles. */
typedef struct
{
  const char      *name;
  const char      *unit;        /* of the first profile that has it */
  StriaAggregation aggregation;
  const StriaMetric *a, *b;     /* (nullable): owned by the profiles */
  gboolean         comparable;  /* the following two are figures */
  double           difference;  /* b - a */
  double           relative;    /* (b - a) / a; NAN where a is 0 */
  const char      *reason;      /* (nullable): why it is not comparable; translated */
  gboolean         unequal;     /* the two are of different numbers of executions */
} StriaMetricPair;

typedef struct _StriaComparison StriaComparison;

/**
 * stria_comparison_new:
 * @a: what is compared with
 * @b: what is compared
 *
 * Finds what is the same in two profiles of one model and what it measured in each. Source
 * operators are matched by module path, debug handle and operator, then by id, then by being the
 * only one of their name in a module; everything else by id. Numbers of chains and cascades are the
 * compiler's: where the operators in them differ they are not matched. A metric is compared with
 * the one of its name, unit and aggregation only: cycles with cycles, ms with ms; sums only where both
 * are of as many executions. For a worker.
 *
 * Returns: (transfer full)
 */
StriaComparison *stria_comparison_new   (StriaProfile *a, StriaProfile *b);
StriaComparison *stria_comparison_ref   (StriaComparison *self);
void             stria_comparison_unref (StriaComparison *self);
StriaProfile    *stria_comparison_get_a (StriaComparison *self);
StriaProfile    *stria_comparison_get_b (StriaComparison *self);

guint32          stria_comparison_n_pairs (StriaComparison *self);
const StriaEntityPair *stria_comparison_pair (StriaComparison *self, guint32 pair);
/* The pair of an entity of @b if @second, else of @a */
guint32          stria_comparison_find  (StriaComparison *self, gboolean second, guint32 entity);
/* Measurements of a pair that is in both. Returns: (transfer none) (array length=n) */
const StriaMetricPair *stria_comparison_metrics (StriaComparison *self, guint32 pair, guint32 *n);
/* The one of that name and aggregation, or NULL */
const StriaMetricPair *stria_comparison_find_metric (StriaComparison *self, guint32 pair,
                                                     const char *name,
                                                     StriaAggregation aggregation);
/* The largest difference of a metric among entities of a kind, without its sign; 0: none is */
double           stria_comparison_largest (StriaComparison *self, StriaEntityKind kind,
                                           const char *name, StriaAggregation aggregation);
/* What has to be known of the comparison as a whole: unequal numbers of executions, other units,
 * other programs. (element-type StriaRemark) Returns: (transfer none) */
GPtrArray       *stria_comparison_get_remarks (StriaComparison *self);

/* Stable, untranslated: "both", "added", ...; "handle", "id", ... */
const char      *stria_pair_state_name  (StriaPairState state);
const char      *stria_paired_by_name   (StriaPairedBy by);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaComparison, stria_comparison_unref)

G_END_DECLS
