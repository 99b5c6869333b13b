/* SPDX-License-Identifier: Apache-2.0 */
/* What metrics of lines of source are called, and how they are counted. */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "stria-format.h"
#include "stria-lane-class.h"
#include "stria-source-heat.h"
#include "stria-source-private.h"

static const struct
{
  const char *title;
  const char *note;
  const char *whole;
} infos[STRIA_N_SOURCE_METRICS] = {
  [STRIA_SOURCE_TIME] = { N_ ("Time"),
    N_ ("Durations of the slices that name the line, or a line that it called, added up: slices that "
        "overlap, as those of several engines do, all count. In the range, each slice once a line."),
    N_ ("of the range; slices that overlap may make more than all of it") },
  [STRIA_SOURCE_BUSY] = { N_ ("Busy time"),
    N_ ("Time in which at least one slice of the line runs: what overlaps counts once."),
    N_ ("of the range") },
  [STRIA_SOURCE_OWN] = { N_ ("Own time"),
    N_ ("Durations of the slices whose innermost line it is, less what slices with a line of their "
        "own took inside them."),
    N_ ("of the own time of all lines") },
  [STRIA_SOURCE_EVENTS] = { N_ ("Events"),
    N_ ("Slices and instants that name the line and overlap the range."),
    N_ ("of all events that name a line") },
  [STRIA_SOURCE_FLOPS] = { N_ ("FLOPs"),
    N_ ("Sum of raw_flops of the instructions of the line that overlap the range."),
    N_ ("of the FLOPs of all instructions in the range") },
  [STRIA_SOURCE_BYTES] = { N_ ("Live at peak"),
    N_ ("Bytes that were allocated through the line and live when the allocator held the most. Of "
        "the whole capture: allocations have no range of the timeline."),
    N_ ("of all bytes that were live then") },
};

const char *
stria_source_metric_title (StriaSourceMetric metric)
{
  return _ (infos[metric].title);
}

const char *
stria_source_metric_note (StriaSourceMetric metric)
{
  return _ (infos[metric].note);
}

const char *
stria_source_metric_whole (StriaSourceMetric metric)
{
  return _ (infos[metric].whole);
}

gboolean
stria_source_index_has_flops (StriaSourceIndex *self)
{
  GHashTableIter iter;
  gpointer table;

  g_hash_table_iter_init (&iter, self->rows);
  while (g_hash_table_iter_next (&iter, &table, NULL))
    if (stria_table_find_column (table, "raw_flops") >= 0)
      return TRUE;
  return FALSE;
}

gboolean
stria_source_metric_applies (StriaSourceIndex *index, StriaSourceMetric metric)
{
  switch (metric)
    {
    case STRIA_SOURCE_FLOPS:
      return stria_source_index_has_events (index) && stria_source_index_has_flops (index);
    case STRIA_SOURCE_BYTES:
      return stria_source_index_has_bytes (index);
    case STRIA_SOURCE_TIME:
    case STRIA_SOURCE_BUSY:
    case STRIA_SOURCE_OWN:
    case STRIA_SOURCE_EVENTS:
    case STRIA_N_SOURCE_METRICS:
    default:
      return stria_source_index_has_events (index);
    }
}

char *
stria_source_metric_format (StriaSourceMetric metric, double value, gboolean exact)
{
  switch (metric)
    {
    case STRIA_SOURCE_EVENTS:
      return stria_format_count ((guint64) llround (value));
    case STRIA_SOURCE_FLOPS:
      {
        static const char *const units[] = { "", "k", "M", "G", "T", "P" };
        double scaled = value;
        guint i = 0;
        g_autofree char *number = NULL;

        if (exact)
          return stria_format_count ((guint64) llround (value));
        for (; scaled >= 1000 && i + 1 < G_N_ELEMENTS (units); i++)
          scaled /= 1000;
        number = stria_format_value (scaled, NULL);
        return g_strdup_printf ("%s%s", number, units[i]);
      }
    case STRIA_SOURCE_BYTES:
      return stria_format_bytes ((gint64) llround (value));
    case STRIA_SOURCE_TIME:
    case STRIA_SOURCE_BUSY:
    case STRIA_SOURCE_OWN:
    case STRIA_N_SOURCE_METRICS:
    default:
      return exact ? stria_format_ns ((gint64) llround (value))
                   : stria_format_duration ((gint64) llround (value), 3);
    }
}
