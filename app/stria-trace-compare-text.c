/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-trace-compare-text.h"

#include <math.h>

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-format.h"
#include "stria-neuron-summary.h"

#define DIGITS 4

static const char *
sign_of (double value)
{
  return value > 0 ? "+" : value < 0 ? "−" : "";
}

static gint64
whole_ns (double ns)
{
  return (gint64) CLAMP (round (ns), -9e18, 9e18);
}

char *
stria_trace_signed_duration (double ns)
{
  g_autofree char *text = stria_format_duration (whole_ns (fabs (ns)), DIGITS);

  return g_strconcat (sign_of (whole_ns (ns) == 0 ? 0 : ns), text, NULL);
}

static char *
signed_count (double value)
{
  g_autofree char *text = stria_format_count ((guint64) fabs (value));

  return g_strconcat (sign_of (value), text, NULL);
}

static char *
relative (double before, double after)
{
  g_autofree char *text = NULL;
  double percent;

  if (before == 0)
    return NULL;
  percent = 100 * (after - before) / fabs (before);
  if (fabs (percent) >= 1000)
    return g_strdup_printf ("×%.1f", after / before);
  text = g_strdup_printf ("%.1f", fabs (percent));
  return g_strdup_printf ("%s%s %%", sign_of (percent), text);
}

char *
stria_trace_row_text (const StriaTraceRow *row, guint trace, StriaCompareMeasure measure)
{
  double value;

  if (!stria_trace_cell_value (&row->cells[trace], measure, &value))
    return NULL;
  return measure == STRIA_COMPARE_COUNT ? stria_format_count ((guint64) value)
                                        : stria_format_duration (whole_ns (value), DIGITS);
}

char *
stria_trace_row_difference_text (const StriaTraceRow *row, guint base, guint other,
                                 StriaCompareMeasure measure)
{
  double difference;

  if (!stria_trace_row_difference (row, base, other, measure, &difference))
    return NULL;
  return measure == STRIA_COMPARE_COUNT ? signed_count (difference)
                                        : stria_trace_signed_duration (difference);
}

char *
stria_trace_row_relative_text (const StriaTraceRow *row, guint base, guint other,
                               StriaCompareMeasure measure)
{
  double before, after;

  switch (stria_trace_row_state (row, base, other))
    {
    case STRIA_ROW_NEW:
      return g_strdup (C_ ("compared", "new"));
    case STRIA_ROW_GONE:
      return g_strdup (C_ ("compared", "gone"));
    case STRIA_ROW_NONE:
      return NULL;
    case STRIA_ROW_BOTH:
    default:
      stria_trace_cell_value (&row->cells[base], measure, &before);
      stria_trace_cell_value (&row->cells[other], measure, &after);
      return relative (before, after);
    }
}

char *
stria_trace_figure_title (const StriaTraceFigure *figure)
{
  if (figure->section == NULL)
    return g_strdup (_ (figure->title));
  /* Translators: category or profile, and figure of it */
  return g_strdup_printf (_ ("%s: %s"), figure->section[0] != '\0' ? figure->section : _ ("(none)"),
                          _ (figure->title));
}

char *
stria_trace_figure_text (const StriaTraceFigure *figure, guint trace)
{
  const double value = figure->values[trace];

  if (!figure->has[trace])
    return NULL;
  if (g_str_equal (figure->unit, "ns"))
    return stria_format_duration (whole_ns (value), DIGITS);
  if (g_str_equal (figure->unit, "events"))
    return stria_format_count ((guint64) MAX (value, 0));
  return stria_neuron_metric_format (value, figure->unit);
}

char *
stria_trace_figure_difference (const StriaTraceFigure *figure, guint base, guint other)
{
  const double difference = figure->values[other] - figure->values[base];
  g_autofree char *text = NULL;

  if (!figure->has[base] || !figure->has[other])
    return NULL;
  if (g_str_equal (figure->unit, "ns"))
    return stria_trace_signed_duration (difference);
  if (g_str_equal (figure->unit, "events"))
    return signed_count (difference);
  /* Of shares the difference is in points. */
  if (g_str_equal (figure->unit, "of 1"))
    return g_strdup_printf (_ ("%s%.2f points"), sign_of (difference), fabs (100 * difference));
  text = stria_neuron_metric_format (fabs (difference), figure->unit);
  return g_strconcat (sign_of (difference), text, NULL);
}

char *
stria_trace_figure_relative (const StriaTraceFigure *figure, guint base, guint other)
{
  if (!figure->has[base] || !figure->has[other])
    return NULL;
  return relative (figure->values[base], figure->values[other]);
}

char *
stria_trace_compare_matched_text (StriaTraceCompare *compare)
{
  const guint others = compare->rows->len - compare->n_exact - compare->n_normalised;
  g_autofree char *exact = stria_format_count (compare->n_exact);
  g_autofree char *normalised = stria_format_count (compare->n_normalised);
  g_autofree char *alone = stria_format_count (others);

  return g_strdup_printf (_ ("%s names are the same in all captures, %s were matched without numbers, "
                             "addresses and template arguments, %s are not in all of them."),
                          exact, normalised, alone);
}

/* -- CSV ------------------------------------------------------------------------------------- */

static void
append_cell (GString *csv, const char *text)
{
  if (strpbrk (text, ",\"\r\n") == NULL)
    {
      g_string_append (csv, text);
      return;
    }
  g_string_append_c (csv, '"');
  for (const char *c = text; *c != '\0'; c++)
    {
      if (*c == '"')
        g_string_append_c (csv, '"');
      g_string_append_c (csv, *c);
    }
  g_string_append_c (csv, '"');
}

static void
append_double (GString *csv, gboolean has, double value)
{
  g_autofree char *text = has ? stria_format_c_double (value) : NULL;

  g_string_append_printf (csv, ",%s", text != NULL ? text : "");
}

static void
append_head (GString *csv, StriaTraceCompare *compare, guint base, const char *const *titles)
{
  static const char *const measures[] = { "count", "total_ns", "self_ns", "mean_ns" };

  g_string_append (csv, "name,category,matched_by");
  for (guint k = 0; k < compare->n; k++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (measures); i++)
        {
          g_autofree char *title = g_strdup_printf ("%s %s", titles[k], measures[i]);

          g_string_append_c (csv, ',');
          append_cell (csv, title);
        }
      if (k != base)
        {
          g_autofree char *title = g_strdup_printf ("%s difference_ns", titles[k]);

          g_string_append_c (csv, ',');
          append_cell (csv, title);
        }
    }
  g_string_append (csv, "\r\n");
}

char *
stria_trace_compare_csv (StriaTraceCompare *compare, GPtrArray *rows, guint base,
                         const char *const *titles)
{
  GString *csv = g_string_new (NULL);

  append_head (csv, compare, base, titles);
  for (guint i = 0; i < rows->len; i++)
    {
      const StriaTraceRow *row = rows->pdata[i];

      append_cell (csv, row->name);
      g_string_append_c (csv, ',');
      append_cell (csv, row->category);
      g_string_append (csv, row->normalised ? ",normalised name" : ",name");
      for (guint k = 0; k < compare->n; k++)
        {
          const StriaTraceCell *cell = &row->cells[k];
          double value = 0;
          const gboolean has = stria_trace_cell_value (cell, STRIA_COMPARE_MEAN, &value);

          g_string_append_printf (csv,
                                  ",%" G_GUINT64_FORMAT ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT,
                                  cell->count, cell->total_ns, cell->self_ns);
          append_double (csv, has, value);
          if (k != base)
            append_double (csv,
                           stria_trace_row_difference (row, base, k, STRIA_COMPARE_TOTAL, &value),
                           value);
        }
      g_string_append (csv, "\r\n");
    }
  return g_string_free (csv, FALSE);
}
