/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "stria-bounds.h"
#include "stria-format.h"

char *
stria_bound_sentence (const StriaBounds *self, StriaBoundKind kind)
{
  const StriaBound *bound = &self->bounds[kind];
  g_autofree char *time = NULL;
  g_autofree char *share = NULL;

  if (!bound->has_value || !self->has_total)
    return g_strdup_printf (_ ("Not available: it needs %s."),
                            bound->has_value ? "total_time" : bound->missing);
  time = stria_neuron_metric_format (bound->seconds, "s");
  share = stria_format_percent (bound->seconds / self->total);
  switch (kind)
    {
    case STRIA_BOUND_MEMORY:
      return g_strdup_printf (_ ("DMA was busy for %s, %s of the time."), time, share);
    case STRIA_BOUND_MEMORY_IDEAL:
      return g_strdup_printf (_ ("At the peak bandwidth, the same bytes would take %s, %s of the "
                                 "time."), time, share);
    case STRIA_BOUND_MEMORY_NO_RELOADS:
      return g_strdup_printf (_ ("Inputs and outputs, each moved once at that bandwidth, would "
                                 "take %s, %s of the time."), time, share);
    case STRIA_BOUND_COMPUTE:
      return g_strdup_printf (_ ("The tensor engine was busy for %s, %s of the time."), time,
                              share);
    case STRIA_BOUND_COMPUTE_FLOPS:
      return g_strdup_printf (_ ("At its peak, the same operations would take %s, %s of the "
                                 "time."), time, share);
    case STRIA_BOUND_COMPUTE_USEFUL:
      return g_strdup_printf (_ ("Without transposes, they would take %s, %s of the time."), time,
                              share);
    case STRIA_BOUND_PIPELINE:
    case STRIA_N_BOUNDS:
    default:
      return g_strdup_printf (_ ("With everything beside it, %s alone would take %s, %s of the "
                                 "time."), bound->of, time, share);
    }
}

/* What is to be won at most, and what keeps it from being more */
static char *
speedup_text (const StriaGap *gap)
{
  g_autofree char *speedup = NULL;

  if (!gap->has_speedup)
    return g_strdup ("");
  speedup = stria_format_value (gap->speedup, "");
  if (gap->limit != NULL)
    /* Translators: a sentence behind another one; the second text is an engine's name */
    return g_strdup_printf (_ (" Without that, the whole would be at most %s times as fast: then "
                               "%s is the longest."), speedup, gap->limit);
  return g_strdup_printf (_ (" Without that, the whole would be at most %s times as fast."),
                          speedup);
}

static char *
negative_text (const StriaGap *gap, const char *time)
{
  switch (gap->kind)
    {
    case STRIA_GAP_RELOADS:
      return g_strdup_printf (_ ("Inputs and outputs are more than what was moved, by %s: not all "
                                 "of them were."), time);
    case STRIA_GAP_DMA_IDLE:
    case STRIA_GAP_DMA_SLOW:
    case STRIA_GAP_TENSOR_IDLE:
    case STRIA_GAP_TENSOR_SLOW:
    case STRIA_GAP_TRANSPOSES:
    case STRIA_GAP_SERIAL:
    case STRIA_N_GAPS:
    default:
      return g_strdup_printf (_ ("The bound is above what happened, by %s: the peak that the file "
                                 "states was exceeded, or rows are missing."), time);
    }
}

char *
stria_gap_sentence (const StriaBounds *self, StriaGapKind kind)
{
  const StriaGap *gap = &self->gaps[kind];
  g_autofree char *time = NULL;
  g_autofree char *share = NULL;
  g_autofree char *first = NULL;
  g_autofree char *more = NULL;

  if (!gap->has_value)
    return g_strdup_printf (_ ("Not available: it needs %s."), gap->missing);
  time = stria_neuron_metric_format (gap->seconds < 0 ? -gap->seconds : gap->seconds, "s");
  /* Less than a nanosecond is rounding. */
  if (gap->seconds < -1e-9)
    return negative_text (gap, time);
  share = stria_format_percent (gap->share);
  switch (gap->kind)
    {
    case STRIA_GAP_DMA_IDLE:
      first = g_strdup_printf (_ ("%s (%s) without any DMA."), time, share);
      break;
    case STRIA_GAP_DMA_SLOW:
      first = g_strdup_printf (_ ("%s (%s) from DMA below its peak: small or scattered "
                                  "transfers."), time, share);
      break;
    case STRIA_GAP_RELOADS:
      first = g_strdup_printf (_ ("%s (%s) for moving more than inputs and outputs: reloads and "
                                  "spills."), time, share);
      break;
    case STRIA_GAP_TENSOR_IDLE:
      first = g_strdup_printf (_ ("%s (%s) in which the tensor engine waited."), time, share);
      break;
    case STRIA_GAP_TENSOR_SLOW:
      first = g_strdup_printf (_ ("%s (%s) from the tensor engine below its peak: small tiles, "
                                  "start-up, throttling."), time, share);
      break;
    case STRIA_GAP_TRANSPOSES:
      first = g_strdup_printf (_ ("%s (%s) for transposes."), time, share);
      break;
    case STRIA_GAP_SERIAL:
    case STRIA_N_GAPS:
    default:
      first = g_strdup_printf (_ ("%s (%s) because engines and DMA waited for each other."), time,
                               share);
      break;
    }
  more = speedup_text (gap);
  return g_strconcat (first, more, NULL);
}

char *
stria_bound_inputs (const StriaBounds *self, StriaBoundKind kind, GArray *metrics)
{
  StriaNeuronMetric metric = { .name = self->bounds[kind].name,
                               .formula = self->bounds[kind].formula };

  return stria_neuron_metric_inputs (metrics, &metric);
}

char *
stria_bounds_text (const StriaBounds *self, GArray *metrics)
{
  GString *text = g_string_new (NULL);
  g_autofree char *total
      = self->has_total ? stria_neuron_metric_format (self->total, "s") : NULL;

  if (total != NULL)
    g_string_append_printf (text, _ ("The time is %s.\n"), total);
  for (guint i = 0; i < STRIA_N_BOUNDS; i++)
    {
      g_autofree char *sentence = stria_bound_sentence (self, i);
      g_autofree char *inputs = stria_bound_inputs (self, i, metrics);
      g_auto (GStrv) lines = g_strsplit (inputs, "\n", -1);
      g_autofree char *line = g_strjoinv (", ", lines);

      g_string_append_printf (text, "%s: %s\n", self->bounds[i].name, sentence);
      g_string_append_printf (text, "  = %s", self->bounds[i].formula);
      g_string_append_printf (text, line[0] != '\0' ? " (%s)\n" : "%s\n", line);
    }
  for (guint i = 0; i < STRIA_N_GAPS; i++)
    {
      g_autofree char *sentence = stria_gap_sentence (self, i);

      if (self->gaps[i].has_value)
        g_string_append_printf (text, "- %s\n", sentence);
    }
  return g_string_free (text, FALSE);
}
