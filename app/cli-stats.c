/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "cli-common.h"
#include "cli-json.h"
#include "cli-table.h"
#include "stria-format.h"
#include "stria-stats.h"

typedef enum
{
  SORT_KEY,
  SORT_COUNT,
  SORT_TOTAL,
  SORT_SELF,
  SORT_SHARE,
  SORT_MIN,
  SORT_MEAN,
  SORT_P50,
  SORT_P95,
  SORT_MAX,
} SortColumn;

static const char *const sort_names[] = {
  "name", "count", "total", "self", "share", "min", "mean", "p50", "p95", "max", NULL,
};

typedef struct
{
  StriaTrace *trace;
  gboolean    by_category;
  SortColumn  column;
} Order;

static const char *
row_name (StriaTrace *trace, gboolean by_category, const StriaStatsRow *row)
{
  return by_category ? stria_trace_get_category (trace, row->key)
                     : stria_trace_get_string (trace, row->key);
}

static double
sort_value (const StriaStatsRow *row, SortColumn column)
{
  switch (column)
    {
    case SORT_COUNT:
      return (double) row->count;
    case SORT_SELF:
      return (double) row->self_ns;
    case SORT_SHARE:
      return row->share;
    case SORT_MIN:
      return (double) row->min_ns;
    case SORT_MEAN:
      return row->mean_ns;
    case SORT_P50:
      return (double) row->p50_ns;
    case SORT_P95:
      return (double) row->p95_ns;
    case SORT_MAX:
      return (double) row->max_ns;
    case SORT_KEY:
    case SORT_TOTAL:
    default:
      return (double) row->total_ns;
    }
}

/* Names from A to Z, numbers from the greatest down; equal ones by name. */
static int
compare_rows (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Order *order = user_data;
  double       x = sort_value (a, order->column);
  double       y = sort_value (b, order->column);

  if (order->column != SORT_KEY && x != y)
    return x > y ? -1 : 1;
  return strcmp (row_name (order->trace, order->by_category, a),
                 row_name (order->trace, order->by_category, b));
}

static void
print_json (const StriaStats *stats, StriaTrace *trace, gboolean by_category, const GArray *rows,
            guint n)
{
  CliJson json;

  cli_json_init (&json, stdout, 2);
  cli_json_begin_object (&json, NULL);
  cli_json_int (&json, "start_ns", stats->start_ns);
  cli_json_int (&json, "end_ns", stats->end_ns);
  cli_json_uint (&json, "lanes", stats->n_lanes);
  cli_json_uint (&json, "slices", stats->n_slices);
  cli_json_uint (&json, "instants", stats->n_instants);
  cli_json_string (&json, "by", by_category ? "category" : "name");
  cli_json_uint (&json, "groups", rows->len);
  cli_json_begin_array (&json, "rows");
  for (guint i = 0; i < n; i++)
    {
      const StriaStatsRow *row = &g_array_index (rows, StriaStatsRow, i);

      cli_json_begin_object (&json, NULL);
      cli_json_string (&json, "name", row_name (trace, by_category, row));
      cli_json_uint (&json, "count", row->count);
      cli_json_int (&json, "total_ns", row->total_ns);
      cli_json_int (&json, "self_ns", row->self_ns);
      cli_json_double (&json, "share", row->share);
      cli_json_int (&json, "min_ns", row->min_ns);
      cli_json_double (&json, "mean_ns", row->mean_ns);
      cli_json_int (&json, "p50_ns", row->p50_ns);
      cli_json_int (&json, "p95_ns", row->p95_ns);
      cli_json_int (&json, "max_ns", row->max_ns);
      cli_json_end_object (&json);
    }
  cli_json_end_array (&json);
  cli_json_end_object (&json);
  cli_json_finish (&json);
}

static void
print_text (StriaTrace *trace, gboolean by_category, const GArray *rows, guint n)
{
  CliTable *table = cli_table_new (stdout);

  cli_table_column (table, by_category ? _ ("Category") : _ ("Name"), FALSE);
  cli_table_column (table, _ ("Count"), TRUE);
  cli_table_column (table, _ ("Total"), TRUE);
  cli_table_column (table, _ ("Self"), TRUE);
  cli_table_column (table, _ ("Share"), TRUE);
  cli_table_column (table, _ ("Min"), TRUE);
  cli_table_column (table, _ ("Mean"), TRUE);
  cli_table_column (table, _ ("p50"), TRUE);
  cli_table_column (table, _ ("p95"), TRUE);
  cli_table_column (table, _ ("Max"), TRUE);
  for (guint i = 0; i < n; i++)
    {
      const StriaStatsRow *row = &g_array_index (rows, StriaStatsRow, i);
      const char          *name = row_name (trace, by_category, row);

      cli_table_cell (table, name[0] == '\0' ? _ ("(none)") : name);
      cli_table_take (table, stria_format_count (row->count));
      cli_table_take (table, stria_format_duration (row->total_ns, 4));
      cli_table_take (table, stria_format_duration (row->self_ns, 4));
      cli_table_take (table, stria_format_percent (row->share));
      cli_table_take (table, stria_format_duration (row->min_ns, 4));
      cli_table_take (table, stria_format_duration ((gint64) row->mean_ns, 4));
      cli_table_take (table, stria_format_duration (row->p50_ns, 4));
      cli_table_take (table, stria_format_duration (row->p95_ns, 4));
      cli_table_take (table, stria_format_duration (row->max_ns, 4));
    }
  cli_table_finish (table);
  if (n < rows->len)
    {
      g_autofree char *more = stria_format_count (rows->len - n);

      printf (ngettext ("… and %s more (--top 0 shows all)\n", "… and %s more (--top 0 shows all)\n",
                        rows->len - n),
              more);
    }
}

static void
print_csv (StriaTrace *trace, gboolean by_category, const GArray *rows, guint n)
{
  static const char head[] = "name,count,total_ns,self_ns,share,min_ns,mean_ns,p50_ns,p95_ns,"
                             "max_ns\r\n";

  fputs (head, stdout);
  for (guint i = 0; i < n; i++)
    {
      const StriaStatsRow *row = &g_array_index (rows, StriaStatsRow, i);
      const char          *name = row_name (trace, by_category, row);
      g_autofree char     *share = stria_format_c_double (row->share);
      g_autofree char     *mean = stria_format_c_double (row->mean_ns);

      cli_csv_cell (stdout, TRUE, name, strlen (name));
      printf (",%" G_GUINT64_FORMAT ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%s", row->count,
              row->total_ns, row->self_ns, share);
      printf (",%" G_GINT64_FORMAT ",%s,%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT
              ",%" G_GINT64_FORMAT "\r\n",
              row->min_ns, mean, row->p50_ns, row->p95_ns, row->max_ns);
    }
}

static CliExit
run_stats (CliContext *context, int argc, char **argv)
{
  g_autofree char   *range = NULL;
  g_autofree char   *by = NULL;
  g_autofree char   *sort = NULL;
  g_autofree char   *format = NULL;
  gboolean           absolute = FALSE;
  int                top = 30;
  const GOptionEntry entries[] = {
    { "range", 'r', 0, G_OPTION_ARG_STRING, &range, N_ ("Only what happened from A to B"),
      N_ ("A:B") },
    { "absolute", 0, 0, G_OPTION_ARG_NONE, &absolute,
      N_ ("Times are those of the file, not relative to its start"), NULL },
    { "by", 0, 0, G_OPTION_ARG_STRING, &by, N_ ("name (default) or category"), N_ ("WHAT") },
    { "sort", 0, 0, G_OPTION_ARG_STRING, &sort,
      N_ ("name, count, total (default), self, share, min, mean, p50, p95 or max"),
      N_ ("COLUMN") },
    { "top", 'n', 0, G_OPTION_ARG_INT, &top, N_ ("Rows to print; 0 for all (default 30)"),
      N_ ("N") },
    { "format", 0, 0, G_OPTION_ARG_STRING, &format, N_ ("table (default), csv or json"),
      N_ ("FORMAT") },
    { NULL },
  };
  g_auto (CliCapture)    open = { 0 };
  g_autoptr (StriaStats) stats = NULL;
  g_autoptr (GError)     error = NULL;
  Order                  order = { .column = SORT_TOTAL };
  GArray                *rows;
  gint64                 t0;
  gint64                 t1;
  guint                  n;
  CliExit                exit;

  if (!cli_parse (context, &cli_command_stats, argc, argv, entries, 1, G_MAXUINT))
    return CLI_USAGE;
  if (by != NULL && !g_str_equal (by, "name") && !g_str_equal (by, "category"))
    return cli_usage (context, _ ("--by takes name or category, not “%s”"), by);
  if (format != NULL && !g_str_equal (format, "table") && !g_str_equal (format, "csv")
      && !g_str_equal (format, "json"))
    return cli_usage (context, _ ("“%s” is no format; there are table, csv and json"), format);
  if (top < 0)
    return cli_usage (context, _ ("--top takes a number from 0"));
  if (sort != NULL)
    {
      for (order.column = 0; sort_names[order.column] != NULL; order.column++)
        {
          if (g_str_equal (sort_names[order.column], sort))
            break;
        }
      if (sort_names[order.column] == NULL)
        return cli_usage (context, _ ("there is no column “%s” to sort by"), sort);
    }
  if (format != NULL)
    context->json = g_str_equal (format, "json");

  exit = cli_open (context, (const char *const *) context->rest, CLI_OPEN_DEFAULT, &open);
  if (!cli_is_open (exit))
    return exit;
  if (!cli_parse_range (range, absolute, open.trace, &t0, &t1, &error))
    return cli_fail (context, CLI_USAGE, error);
  stats = stria_stats_new (open.trace, NULL, 0, t0, t1, context->cancellable, &error);
  if (stats == NULL
      || !stria_stats_percentiles (stats, open.trace, NULL, 0, context->cancellable, &error))
    return cli_fail (context, CLI_FAILED, error);

  order.trace = open.trace;
  order.by_category = g_strcmp0 (by, "category") == 0;
  rows = order.by_category ? stats->by_category : stats->by_name;
  g_array_sort_with_data (rows, compare_rows, &order);
  n = top == 0 ? rows->len : MIN (rows->len, (guint) top);

  if (context->json)
    print_json (stats, open.trace, order.by_category, rows, n);
  else if (g_strcmp0 (format, "csv") == 0)
    print_csv (open.trace, order.by_category, rows, n);
  else
    print_text (open.trace, order.by_category, rows, n);
  return exit;
}

const CliCommand cli_command_stats = {
  .name = "stats",
  .parameters = N_ ("CAPTURE…"),
  .summary = N_ ("Count and times of the slices, by name or category"),
  .run = run_stats,
};
