/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-diff.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "cli-json.h"
#include "cli-table.h"
#include "stria-error.h"
#include "stria-format.h"
#include "stria-trace-compare-text.h"

static const char *const measure_names[] = { "total", "self", "mean", "count", NULL };

typedef struct
{
  StriaTraceCompare  *compare;
  CliCapture          open[STRIA_TRACE_COMPARE_MAX];
  guint               base;
  StriaCompareMeasure measure;
  const char         *category;
  const char         *filter;
  double              fail_above; /* share, or NAN */
  double              at_least;   /* share of the base's whole that an operator must have */
} Diff;

typedef struct
{
  const StriaTraceRow *row;
  double               worst;
} Ranked;

static int
compare_ranked (gconstpointer a, gconstpointer b)
{
  const Ranked *x = a, *y = b;

  if (x->worst != y->worst)
    return x->worst > y->worst ? -1 : 1;
  return strcmp (x->row->name, y->row->name);
}

static gboolean
is_wanted (const Diff *diff, const StriaTraceRow *row)
{
  g_autofree char *name = NULL;
  g_autofree char *filter = NULL;

  if (diff->category != NULL && !g_str_equal (row->category, diff->category))
    return FALSE;
  if (diff->filter == NULL)
    return TRUE;
  name = g_utf8_casefold (row->name, -1);
  filter = g_utf8_casefold (diff->filter, -1);
  return strstr (name, filter) != NULL;
}

/* What got worse most stands first. */
static GArray *
rank (const Diff *diff)
{
  GArray *ranked = g_array_new (FALSE, FALSE, sizeof (Ranked));

  for (guint i = 0; i < diff->compare->rows->len; i++)
    {
      Ranked one = { diff->compare->rows->pdata[i], 0 };

      if (!is_wanted (diff, one.row))
        continue;
      if (!stria_trace_row_worst (one.row, diff->compare->n, diff->base, diff->measure,
                                  &one.worst))
        one.worst = -G_MAXDOUBLE;
      g_array_append_val (ranked, one);
    }
  g_array_sort (ranked, compare_ranked);
  return ranked;
}

/* -- whether it is worse than it may be ------------------------------------------------------- */

typedef struct
{
  const char *what; /* owned by who is compared */
  const char *section;
  guint       other;
  double      share;
} Breach;

/* The figure that stands for the whole: devices where there are some, else the length. */
static const StriaTraceFigure *
whole_figure (const Diff *diff)
{
  const StriaTraceFigure *busy = stria_trace_compare_figure (diff->compare, "device_busy");

  for (guint i = 0; busy != NULL && i < diff->compare->n; i++)
    if (!busy->has[i])
      busy = NULL;
  return busy != NULL ? busy : stria_trace_compare_figure (diff->compare, "length");
}

static void
find_breaches (const Diff *diff, GArray *ranked, GArray *breaches)
{
  const StriaTraceFigure *whole = whole_figure (diff);
  const double before = whole->values[diff->base];

  if (isnan (diff->fail_above))
    return;
  for (guint k = 0; k < diff->compare->n; k++)
    {
      if (k != diff->base && before > 0 && whole->values[k] > before * (1 + diff->fail_above))
        {
          const Breach breach = { whole->title, NULL, k, whole->values[k] / before - 1 };

          g_array_append_val (breaches, breach);
        }
      for (guint i = 0; k != diff->base && i < ranked->len; i++)
        {
          const StriaTraceRow *row = g_array_index (ranked, Ranked, i).row;
          double from, to;

          if (!stria_trace_cell_value (&row->cells[diff->base], diff->measure, &from)
              || !stria_trace_cell_value (&row->cells[k], diff->measure, &to) || !(from > 0)
              || (double) row->cells[diff->base].total_ns < before * diff->at_least
              || !(to > from * (1 + diff->fail_above)))
            continue;
          const Breach breach = { row->name, row->category, k, to / from - 1 };
          g_array_append_val (breaches, breach);
        }
    }
}

/* -- text ------------------------------------------------------------------------------------- */

static const char *
title_of (const Diff *diff, guint k)
{
  return stria_capture_get_title (diff->open[k].capture);
}

static void
add_columns (CliTable *table, const Diff *diff)
{
  for (guint k = 0; k < diff->compare->n; k++)
    {
      g_autofree char *title = g_strdup_printf (C_ ("capture", "#%u"), k + 1);

      cli_table_column (table, title, TRUE);
      if (k == diff->base)
        continue;
      cli_table_column (table, _ ("Difference"), TRUE);
      cli_table_column (table, _ ("Relative"), TRUE);
    }
}

static void
print_figures (const Diff *diff)
{
  CliTable *table = cli_table_new (stdout);

  cli_table_column (table, _ ("Figure"), FALSE);
  add_columns (table, diff);
  for (guint i = 0; i < diff->compare->figures->len; i++)
    {
      const StriaTraceFigure *figure = diff->compare->figures->pdata[i];

      cli_table_take (table, stria_trace_figure_title (figure));
      for (guint k = 0; k < diff->compare->n; k++)
        {
          cli_table_take (table, figure->has[k] ? stria_trace_figure_text (figure, k) : NULL);
          if (k == diff->base)
            continue;
          cli_table_take (table, stria_trace_figure_difference (figure, diff->base, k));
          cli_table_take (table, stria_trace_figure_relative (figure, diff->base, k));
        }
    }
  cli_table_finish (table);
}

static void
print_rows (const Diff *diff, GArray *ranked, guint n)
{
  CliTable *table = cli_table_new (stdout);

  cli_table_column (table, _ ("Name"), FALSE);
  cli_table_column (table, _ ("Category"), FALSE);
  add_columns (table, diff);
  cli_table_column (table, _ ("Count"), TRUE);
  cli_table_column (table, _ ("Matched"), FALSE);
  for (guint i = 0; i < n; i++)
    {
      const StriaTraceRow *row = g_array_index (ranked, Ranked, i).row;
      g_autoptr (GString) counts = g_string_new (NULL);

      cli_table_cell (table, row->name[0] != '\0' ? row->name : _ ("(none)"));
      cli_table_cell (table, row->category);
      for (guint k = 0; k < diff->compare->n; k++)
        {
          g_string_append_printf (counts, "%s%" G_GUINT64_FORMAT, k > 0 ? "/" : "",
                                  row->cells[k].count);
          cli_table_take (table, stria_trace_row_text (row, k, diff->measure));
          if (k == diff->base)
            continue;
          cli_table_take (table,
                          stria_trace_row_difference_text (row, diff->base, k, diff->measure));
          cli_table_take (table,
                          stria_trace_row_relative_text (row, diff->base, k, diff->measure));
        }
      cli_table_take (table, g_string_free (g_steal_pointer (&counts), FALSE));
      cli_table_cell (table, row->normalised ? _ ("without numbers") : _ ("by name"));
    }
  cli_table_finish (table);
}

static void
print_text (const Diff *diff, GArray *ranked, guint n, GArray *breaches)
{
  g_autofree char *matched = stria_trace_compare_matched_text (diff->compare);

  for (guint k = 0; k < diff->compare->n; k++)
    {
      g_autofree char *title = cli_printable (title_of (diff, k));

      printf (k == diff->base ? _ ("#%u %s (base)\n") : _ ("#%u %s\n"), k + 1, title);
    }
  printf ("\n");
  print_figures (diff);
  printf ("\n%s\n", matched);
  print_rows (diff, ranked, n);
  if (n < ranked->len)
    {
      g_autofree char *more = stria_format_count (ranked->len - n);

      printf (ngettext ("… and %s more (--top 0 shows all)\n",
                        "… and %s more (--top 0 shows all)\n", ranked->len - n),
              more);
    }
  for (guint i = 0; i < breaches->len; i++)
    {
      const Breach *breach = &g_array_index (breaches, Breach, i);
      g_autofree char *what
          = cli_printable (breach->section != NULL ? breach->what : _ (breach->what));

      printf (_ ("Worse than allowed: %s in #%u by %.1f %%\n"), what, breach->other + 1,
              100 * breach->share);
    }
}

/* -- JSON ------------------------------------------------------------------------------------- */

static void
json_figures (CliJson *json, const Diff *diff)
{
  cli_json_begin_array (json, "summary");
  for (guint i = 0; i < diff->compare->figures->len; i++)
    {
      const StriaTraceFigure *figure = diff->compare->figures->pdata[i];

      cli_json_begin_object (json, NULL);
      cli_json_string (json, "id", figure->id);
      if (figure->section != NULL)
        cli_json_string (json, "of", figure->section);
      cli_json_string (json, "unit", figure->unit);
      cli_json_string (json, "formula", figure->formula);
      cli_json_begin_array (json, "values");
      for (guint k = 0; k < diff->compare->n; k++)
        if (figure->has[k])
          cli_json_double (json, NULL, figure->values[k]);
        else
          cli_json_null (json, NULL);
      cli_json_end_array (json);
      cli_json_begin_array (json, "differences");
      for (guint k = 0; k < diff->compare->n; k++)
        if (figure->has[k] && figure->has[diff->base])
          cli_json_double (json, NULL, figure->values[k] - figure->values[diff->base]);
        else
          cli_json_null (json, NULL);
      cli_json_end_array (json);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
}

static const char *
state_name (const StriaTraceRow *row, guint base, guint other)
{
  switch (stria_trace_row_state (row, base, other))
    {
    case STRIA_ROW_NEW:
      return "new";
    case STRIA_ROW_GONE:
      return "gone";
    case STRIA_ROW_NONE:
      return "none";
    case STRIA_ROW_BOTH:
    default:
      return "both";
    }
}

static void
json_row (CliJson *json, const Diff *diff, const StriaTraceRow *row)
{
  cli_json_begin_object (json, NULL);
  cli_json_string (json, "name", row->name);
  cli_json_string (json, "category", row->category);
  cli_json_string (json, "matched_by", row->normalised ? "normalised name" : "name");
  cli_json_begin_array (json, "captures");
  for (guint k = 0; k < diff->compare->n; k++)
    {
      const StriaTraceCell *cell = &row->cells[k];
      double difference;

      cli_json_begin_object (json, NULL);
      cli_json_uint (json, "count", cell->count);
      cli_json_int (json, "total_ns", cell->total_ns);
      cli_json_int (json, "self_ns", cell->self_ns);
      if (cell->count > 0)
        cli_json_double (json, "mean_ns", (double) cell->total_ns / (double) cell->count);
      cli_json_string (json, "state",
                       k == diff->base ? "base" : state_name (row, diff->base, k));
      if (k != diff->base
          && stria_trace_row_difference (row, diff->base, k, diff->measure, &difference))
        cli_json_double (json, "difference", difference);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
  cli_json_end_object (json);
}

static void
print_json (const Diff *diff, GArray *ranked, guint n, GArray *breaches)
{
  CliJson json;

  cli_json_init (&json, stdout, 2);
  cli_json_begin_object (&json, NULL);
  cli_json_begin_array (&json, "captures");
  for (guint k = 0; k < diff->compare->n; k++)
    {
      cli_json_begin_object (&json, NULL);
      cli_json_string (&json, "title", title_of (diff, k));
      cli_json_bool (&json, "base", k == diff->base);
      cli_json_int (&json, "start_ns", diff->compare->spans[k].t0);
      cli_json_int (&json, "end_ns", diff->compare->spans[k].t1);
      cli_json_end_object (&json);
    }
  cli_json_end_array (&json);
  cli_json_string (&json, "measure", measure_names[diff->measure]);
  cli_json_uint (&json, "matched_by_name", diff->compare->n_exact);
  cli_json_uint (&json, "matched_by_normalised_name", diff->compare->n_normalised);
  json_figures (&json, diff);
  cli_json_uint (&json, "groups", ranked->len);
  cli_json_begin_array (&json, "rows");
  for (guint i = 0; i < n; i++)
    json_row (&json, diff, g_array_index (ranked, Ranked, i).row);
  cli_json_end_array (&json);
  cli_json_begin_array (&json, "breaches");
  for (guint i = 0; i < breaches->len; i++)
    {
      const Breach *breach = &g_array_index (breaches, Breach, i);

      cli_json_begin_object (&json, NULL);
      cli_json_string (&json, "what", breach->what);
      if (breach->section != NULL)
        cli_json_string (&json, "category", breach->section);
      cli_json_uint (&json, "capture", breach->other + 1);
      cli_json_double (&json, "relative", breach->share);
      cli_json_end_object (&json);
    }
  cli_json_end_array (&json);
  cli_json_end_object (&json);
  cli_json_finish (&json);
}

/* -- the command ------------------------------------------------------------------------------ */

static CliExit
open_all (CliContext *context, Diff *diff, StriaCapture **captures)
{
  CliExit worst = CLI_OK;

  for (guint i = 0; i < context->n_rest; i++)
    {
      const char *const paths[] = { context->rest[i], NULL };
      const CliExit exit = cli_open (context, paths, CLI_OPEN_DEFAULT, &diff->open[i]);

      if (!cli_is_open (exit))
        return exit;
      worst = MAX (worst, exit);
      captures[i] = diff->open[i].capture;
    }
  return worst;
}

static gboolean
parse_percent (const char *text, double *share)
{
  char *end;
  const double value = g_ascii_strtod (text, &end);

  while (*end == ' ' || *end == '%')
    end++;
  *share = value / 100;
  return end != text && *end == '\0' && value >= 0 && isfinite (value);
}

static CliExit
answer (CliContext *context, Diff *diff, int top, CliExit exit)
{
  g_autoptr (GArray) ranked = rank (diff);
  g_autoptr (GArray) breaches = g_array_new (FALSE, FALSE, sizeof (Breach));
  const guint n = top == 0 ? ranked->len : MIN (ranked->len, (guint) top);

  find_breaches (diff, ranked, breaches);
  if (context->json)
    print_json (diff, ranked, n, breaches);
  else
    print_text (diff, ranked, n, breaches);
  return breaches->len > 0 ? CLI_WORSE : exit;
}

static CliExit
run_diff (CliContext *context, int argc, char **argv)
{
  g_autofree char   *measure = NULL;
  g_autofree char   *category = NULL;
  g_autofree char   *filter = NULL;
  g_autofree char   *fail_above = NULL;
  g_autofree char   *at_least = NULL;
  int                base = 1;
  int                top = 30;
  const GOptionEntry entries[] = {
    { "base", 'b', 0, G_OPTION_ARG_INT, &base,
      N_ ("Which of the captures the others are compared to, from 1 (default 1)"), N_ ("N") },
    { "by", 0, 0, G_OPTION_ARG_STRING, &measure, N_ ("total (default), self, mean or count"),
      N_ ("MEASURE") },
    { "category", 0, 0, G_OPTION_ARG_STRING, &category,
      N_ ("Only slices of this category, as kernel"), N_ ("NAME") },
    { "filter", 0, 0, G_OPTION_ARG_STRING, &filter, N_ ("Only names that have TEXT in them"),
      N_ ("TEXT") },
    { "top", 'n', 0, G_OPTION_ARG_INT, &top, N_ ("Rows to print; 0 for all (default 30)"),
      N_ ("N") },
    { "fail-above", 0, 0, G_OPTION_ARG_STRING, &fail_above,
      N_ ("Exit with 6 if the whole, or a name that matters, got worse by more than PCT percent"),
      N_ ("PCT") },
    { "at-least", 0, 0, G_OPTION_ARG_STRING, &at_least,
      N_ ("With --fail-above: names matter from PCT percent of the whole (default 1)"),
      N_ ("PCT") },
    { NULL },
  };
  Diff               diff = { .fail_above = NAN, .at_least = 0.01 };
  StriaCapture      *captures[STRIA_TRACE_COMPARE_MAX] = { NULL };
  g_autoptr (GError) error = NULL;
  CliExit            exit;

  if (!cli_parse (context, &cli_command_diff, argc, argv, entries, 2, STRIA_TRACE_COMPARE_MAX))
    return CLI_USAGE;
  if (base < 1 || (guint) base > context->n_rest)
    return cli_usage (context, _ ("--base takes a number from 1 to %u"), context->n_rest);
  if (top < 0)
    return cli_usage (context, _ ("--top takes a number from 0"));
  for (guint i = 0; measure != NULL && !g_str_equal (measure, measure_names[diff.measure]); i++)
    {
      if (measure_names[i] == NULL)
        return cli_usage (context, _ ("--by takes total, self, mean or count, not “%s”"), measure);
      diff.measure = (StriaCompareMeasure) i;
    }
  if ((fail_above != NULL && !parse_percent (fail_above, &diff.fail_above))
      || (at_least != NULL && !parse_percent (at_least, &diff.at_least)))
    return cli_usage (context, _ ("“%s” is no percentage; expected one as 5"),
                      fail_above != NULL && isnan (diff.fail_above) ? fail_above : at_least);
  diff.base = (guint) base - 1;
  diff.category = category;
  diff.filter = filter;

  exit = open_all (context, &diff, captures);
  if (cli_is_open (exit))
    {
      diff.compare = stria_trace_compare_new (captures, context->n_rest, NULL,
                                              context->cancellable, &error);
      exit = diff.compare != NULL ? answer (context, &diff, top, exit)
                                  : cli_fail (context, CLI_FAILED, error);
    }
  g_clear_pointer (&diff.compare, stria_trace_compare_unref);
  for (guint i = 0; i < STRIA_TRACE_COMPARE_MAX; i++)
    cli_capture_clear (&diff.open[i]);
  return exit;
}

const CliCommand cli_command_diff = {
  .name = "diff",
  .parameters = N_ ("CAPTURE CAPTURE…"),
  .summary = N_ ("Compare two to four captures: names and figures, what got worse first"),
  .run = run_diff,
};
