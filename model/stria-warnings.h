/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"

G_BEGIN_DECLS

typedef enum
{
  STRIA_WARNING_SMALL_DMA,
  STRIA_WARNING_THROTTLING,
  STRIA_WARNING_IDLE_ENGINES,
  STRIA_WARNING_SPILLS,
  STRIA_WARNING_GPU_IDLE,
  STRIA_WARNING_HOST_SYNC,
  STRIA_WARNING_SMALL_COPIES,
  STRIA_WARNING_FILE, /* a row of an export's Warning table */
  STRIA_WARNING_N_RULES
} StriaWarningRule;

/* Bands of one rule that are kept: the worst ones */
#define STRIA_WARNINGS_MAX_BANDS 500

typedef enum
{
  STRIA_LIMIT_NONE,
  STRIA_LIMIT_BYTES,
  STRIA_LIMIT_NS,
  STRIA_LIMIT_PERCENT,
} StriaLimitUnit;

/**
 * StriaWarningInfo:
 * @id: stable name
 * @title: for people, untranslated
 * @rule: what makes a band, untranslated
 * @source: where the threshold comes from, untranslated
 * @advice: what to do about it, untranslated
 * @limit_name: what the threshold is about, untranslated
 * @unit: of the threshold
 * @limit: the threshold unless somebody sets another
 * @least: the least one that may be set
 * @most: the greatest
 */
typedef struct
{
  const char    *id;
  const char    *title;
  const char    *rule;
  const char    *source;
  const char    *advice;
  const char    *limit_name;
  StriaLimitUnit unit;
  double         limit;
  double         least;
  double         most;
} StriaWarningInfo;

/* Returns: (transfer none) */
const StriaWarningInfo *stria_warning_info (StriaWarningRule rule);
/* What is told about a threshold, in its unit. Returns: (transfer full) */
char                   *stria_warning_format_limit (StriaWarningRule rule, double limit);

/**
 * StriaWarning:
 * @rule: what it is of
 * @has_time: whether it has a place in time
 * @t0: nanoseconds, as the lanes count
 * @t1: the same; greater than @t0
 * @process: of the trace, or %G_MAXUINT32
 * @ref: the event it is about, or none
 * @severity: to sort those of one rule by: nanoseconds or bytes that it costs
 * @numbers: what was found, in words
 */
typedef struct
{
  StriaWarningRule rule;
  gboolean         has_time;
  gint64           t0;
  gint64           t1;
  guint32          process;
  StriaRef         ref;
  double           severity;
  char            *numbers;
} StriaWarning;

/**
 * StriaWarningSet:
 * @items: (element-type StriaWarning): by start, those without a time first
 * @n_found: how many bands each rule found; more than it kept where there were too many
 * @total_ns: how long they last together, by rule
 * @absent: (nullable): why a rule could not be asked, untranslated; NULL: it could
 */
typedef struct
{
  GArray     *items;
  guint64     n_found[STRIA_WARNING_N_RULES];
  gint64      total_ns[STRIA_WARNING_N_RULES];
  const char *absent[STRIA_WARNING_N_RULES];
} StriaWarningSet;

/* @limits: (array fixed-size=STRIA_WARNING_N_RULES): below 0 turns a rule off. @tables:
 * (element-type StriaTable): for what exports say themselves. Loads what it needs: for a worker. */
StriaWarningSet *stria_warning_set_new  (StriaTrace *trace, GPtrArray *tables, const double *limits,
                                         GCancellable *cancellable, GError **error);
void             stria_warning_set_free (StriaWarningSet *self);

#define STRIA_TYPE_WARNINGS (stria_warnings_get_type ())
G_DECLARE_FINAL_TYPE (StriaWarnings, stria_warnings, STRIA, WARNINGS, GObject)

/**
 * StriaWarnings:
 *
 * The automatic warnings of a capture as far as it was read, found by a worker. Main thread only.
 *
 * Signals: "changed": there are others, or a rule's threshold is another.
 */
StriaWarnings         *stria_warnings_new       (StriaCapture *capture);
/* To be called when there is another trace. NULL: none */
void                   stria_warnings_set_trace (StriaWarnings *self, StriaTrace *trace);
/* Returns: (transfer none) (nullable): NULL until they have been looked for */
const StriaWarningSet *stria_warnings_get       (StriaWarnings *self);
gboolean               stria_warnings_is_busy   (StriaWarnings *self);
/* Why they could not be looked for. Returns: (transfer none) (nullable) */
const char            *stria_warnings_get_error (StriaWarnings *self);
double                 stria_warnings_get_limit (StriaWarnings *self, StriaWarningRule rule);
void                   stria_warnings_set_limit (StriaWarnings *self, StriaWarningRule rule,
                                                 double limit);
/* Whether bands are drawn */
gboolean               stria_warnings_get_shown (StriaWarnings *self);
void                   stria_warnings_set_shown (StriaWarnings *self, gboolean shown);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaWarningSet, stria_warning_set_free)

G_END_DECLS
