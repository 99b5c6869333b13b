/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-source-index.h"

G_BEGIN_DECLS

typedef enum
{
  STRIA_SOURCE_TIME,   /* ns: durations of the slices whose stack has the line, added up */
  STRIA_SOURCE_BUSY,   /* ns: in which at least one of them runs */
  STRIA_SOURCE_OWN,    /* ns: of those whose innermost line it is, less what runs inside them */
  STRIA_SOURCE_EVENTS, /* how many */
  STRIA_SOURCE_FLOPS,  /* floating-point operations of instructions whose stack has the line */
  STRIA_SOURCE_BYTES,  /* live at the peak through the line; not of a range */
  STRIA_N_SOURCE_METRICS,
} StriaSourceMetric;

/**
 * StriaSourcePart:
 * @place: number of the place
 * @lane: lane of the trace
 * @value: what the line has there
 */
typedef struct
{
  guint32 place;
  guint32 lane;
  double  value;
} StriaSourcePart;

/**
 * StriaSourceHeat:
 *
 * What each line and each file has of one metric in one range of time. A slice counts once for a
 * line that comes up several times in its stack, and with what of it lies in the range.
 * Immutable; any thread.
 */
typedef struct _StriaSourceHeat StriaSourceHeat;

/* For a worker. Returns: (transfer full) */
StriaSourceHeat  *stria_source_heat_new        (StriaSourceIndex *index, StriaSourceMetric metric,
                                                gint64 t0, gint64 t1, GCancellable *cancellable,
                                                GError **error);
StriaSourceHeat  *stria_source_heat_ref        (StriaSourceHeat *self);
void              stria_source_heat_unref      (StriaSourceHeat *self);
StriaSourceIndex *stria_source_heat_get_index  (StriaSourceHeat *self);
StriaSourceMetric stria_source_heat_get_metric (StriaSourceHeat *self);
/* NAN: it has none */
double            stria_source_heat_of_place   (StriaSourceHeat *self, guint32 place);
double            stria_source_heat_of_file    (StriaSourceHeat *self, guint32 file);
/* The most that a line of @file has, 0 if none has any */
double            stria_source_heat_max        (StriaSourceHeat *self, guint32 file);
/* What shares are of: the length of the range for times, else what all slices have together */
double            stria_source_heat_whole      (StriaSourceHeat *self);
/* Of a place by lane, in order of lanes; of STRIA_SOURCE_BUSY and STRIA_SOURCE_BYTES there are none.
 * Returns: (transfer none) (nullable): NULL if there are none */
const StriaSourcePart *stria_source_heat_parts (StriaSourceHeat *self, guint32 place, guint *n);

/* For people, translated: a short title, how it is counted, and what a share is of */
const char       *stria_source_metric_title    (StriaSourceMetric metric);
const char       *stria_source_metric_note     (StriaSourceMetric metric);
const char       *stria_source_metric_whole    (StriaSourceMetric metric);
/* Whether an index has what it takes */
gboolean          stria_source_metric_applies  (StriaSourceIndex *index, StriaSourceMetric metric);
/* "1.25 ms", "12 events". Returns: (transfer full) */
char             *stria_source_metric_format   (StriaSourceMetric metric, double value,
                                                gboolean exact);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaSourceHeat, stria_source_heat_unref)

G_END_DECLS
