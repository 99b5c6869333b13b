/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-compare.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "cli-profiles.h"
#include "cli-table.h"
#include "stria-error.h"
#include "stria-model-difference.h"
#include "stria-model-text.h"

/* A set of a name that is not there, and a method, are no reason to fail where there is but one. */
static void
leave_to_choose (StriaCapture *capture, CliModelOptions *options)
{
  g_autoptr (GPtrArray) sets = stria_profile_sets (capture);
  const StriaProfileSet *set = sets->len == 1 ? sets->pdata[0] : NULL;
  g_auto (GStrv) methods = NULL;

  for (guint i = 0; i < sets->len; i++)
    if (g_strcmp0 (((StriaProfileSet *) sets->pdata[i])->name, options->set) == 0)
      set = sets->pdata[i];
  if (sets->len == 1)
    options->set = NULL;
  if (set == NULL)
    return;
  methods = stria_profile_methods (capture, set);
  if (g_strv_length (methods) <= 1)
    options->method = NULL;
}

CliExit
cli_other_open (CliContext *context, const char *path, const CliModelOptions *options,
                StriaProfile *profile, CliOther *out)
{
  const char *const paths[] = { path, NULL };
  g_autoptr (GError) error = NULL;
  CliModelOptions which = { .set = options->set,
                            .method = (char *) stria_profile_get_method (profile),
                            .unit = options->unit };
  CliExit exit = cli_open (context, paths, CLI_OPEN_DEFAULT, &out->capture);

  if (!cli_is_open (exit))
    return exit;
  leave_to_choose (out->capture.capture, &which);
  if (!cli_model_open (out->capture.capture, &which, &out->model, &error))
    return cli_fail (
        context, g_error_matches (error, STRIA_ERROR, STRIA_ERROR_QUERY) ? CLI_USAGE : CLI_FAILED,
        error);
  out->comparison = stria_comparison_new (profile, out->model.profile);
  return exit;
}

void
cli_other_clear (CliOther *other)
{
  g_clear_pointer (&other->comparison, stria_comparison_unref);
  cli_model_clear (&other->model);
  cli_capture_clear (&other->capture);
}

static const StriaEntity *
entity_of (StriaComparison *comparison, const StriaEntityPair *pair)
{
  return pair->b != STRIA_NO_REF
             ? stria_profile_entity (stria_comparison_get_b (comparison), pair->b)
             : stria_profile_entity (stria_comparison_get_a (comparison), pair->a);
}

static const char *
state_title (StriaPairState state)
{
  switch (state)
    {
    case STRIA_PAIR_BOTH:
      return "";
    case STRIA_PAIR_ADDED:
      return _ ("added");
    case STRIA_PAIR_REMOVED:
      return _ ("removed");
    case STRIA_PAIR_UNMATCHED:
      return _ ("not the same");
    default:
      return "";
    }
}

/* A row of the table; @metric NULL: an entity of one capture only */
typedef struct
{
  const StriaEntityPair *pair;
  const StriaMetricPair *metric;
} Row;

/* Kinds in their order, then the largest change first, what can't be compared last. */
static int
compare_rows (gconstpointer first, gconstpointer second)
{
  const Row *a = first, *b = second;
  double x, y;

  if (a->pair->kind != b->pair->kind)
    return a->pair->kind < b->pair->kind ? -1 : 1;
  if (a->metric != NULL && b->metric != NULL && !g_str_equal (a->metric->name, b->metric->name))
    return strcmp (a->metric->name, b->metric->name);
  x = a->metric == NULL ? -2 : a->metric->comparable ? fabs (a->metric->difference) : -1;
  y = b->metric == NULL ? -2 : b->metric->comparable ? fabs (b->metric->difference) : -1;
  return x > y ? -1 : x < y ? 1 : 0;
}

static gboolean
is_shown (const char *name)
{
  static const char *const names[] = { "runtime",   "call_runtime",   "total_cycles",
                                       "op_cycles", "compute_cycles", NULL };

  return g_strv_contains (names, name);
}

static GArray *
find_rows (StriaComparison *comparison, StriaAggregation aggregation)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (Row));

  for (guint32 i = 0; i < stria_comparison_n_pairs (comparison); i++)
    {
      const StriaEntityPair *pair = stria_comparison_pair (comparison, i);
      Row row = { .pair = pair };
      guint32 n;
      const StriaMetricPair *metrics = stria_comparison_metrics (comparison, i, &n);

      if (pair->state != STRIA_PAIR_BOTH
          && (entity_of (comparison, pair)->metrics->len > 0
              || pair->kind == STRIA_ENTITY_SOURCE_OPERATOR))
        g_array_append_val (rows, row);
      for (guint32 m = 0; m < n; m++)
        {
          if (metrics[m].aggregation != aggregation || !is_shown (metrics[m].name))
            continue;
          row.metric = &metrics[m];
          g_array_append_val (rows, row);
        }
    }
  g_array_sort (rows, compare_rows);
  return rows;
}

static char *
value_text (const StriaMetric *metric)
{
  return metric != NULL && metric->available ? cli_metric_text (metric) : NULL;
}

static char *
difference_text (const StriaMetricPair *metric)
{
  StriaMetric of = { .value = fabs (metric->difference) };
  g_autofree char *text = NULL;

  if (!metric->comparable)
    return NULL;
  text = cli_metric_text (&of);
  return g_strconcat (metric->difference > 0 ? "+" : metric->difference < 0 ? "−" : "", text,
                      NULL);
}

static char *
note_of (const Row *row)
{
  const StriaMetricPair *metric = row->metric;

  if (metric == NULL)
    return g_strdup_printf ("%s%s%s", state_title (row->pair->state),
                            row->pair->note != NULL ? ": " : "",
                            row->pair->note != NULL ? row->pair->note : "");
  if (!metric->comparable && metric->a != NULL && metric->b != NULL
      && !g_str_equal (metric->a->unit, metric->b->unit))
    return g_strdup_printf ("%s (%s, %s)", metric->reason, metric->a->unit, metric->b->unit);
  if (!metric->comparable)
    return g_strdup (metric->reason);
  if (metric->unequal)
    return g_strdup (_ ("other executions"));
  return NULL;
}

static void
print_row (CliTable *table, StriaComparison *comparison, const Row *row)
{
  const StriaEntity *entity = entity_of (comparison, row->pair);
  const StriaMetricPair *metric = row->metric;

  cli_table_take (table, stria_model_entity_text (entity));
  cli_table_cell (table, metric != NULL ? metric->name : NULL);
  cli_table_take (table, metric != NULL ? value_text (metric->a) : NULL);
  cli_table_take (table, metric != NULL ? value_text (metric->b) : NULL);
  cli_table_take (table, metric != NULL ? difference_text (metric) : NULL);
  cli_table_take (table, metric != NULL ? stria_model_relative_text (metric) : NULL);
  cli_table_cell (table, metric != NULL ? metric->unit : NULL);
  cli_table_take (table, metric != NULL && metric->a != NULL && metric->b != NULL
                             ? g_strdup_printf ("%u/%u", metric->a->samples, metric->b->samples)
                             : NULL);
  cli_table_take (table, note_of (row));
}

static CliTable *
table_new (StriaEntityKind kind, StriaAggregation aggregation)
{
  CliTable *table;

  printf ("\n%s (%s)\n", stria_model_kinds_title (kind),
          stria_model_aggregation_title (aggregation));
  table = cli_table_new (stdout);
  cli_table_column (table, _ ("Name"), FALSE);
  cli_table_column (table, _ ("Metric"), FALSE);
  cli_table_column (table, C_ ("capture", "First"), TRUE);
  cli_table_column (table, C_ ("capture", "Second"), TRUE);
  cli_table_column (table, _ ("Difference"), TRUE);
  cli_table_column (table, _ ("Relative"), TRUE);
  cli_table_column (table, _ ("Unit"), FALSE);
  cli_table_column (table, _ ("Executions"), TRUE);
  cli_table_column (table, _ ("Note"), FALSE);
  return table;
}

static void
print_side (const char *title, StriaProfile *profile)
{
  const StriaProfileSet *set = stria_profile_get_set (profile);
  const char *method = stria_profile_get_method (profile);
  const guint32 n = stria_profile_n_executions (profile);
  g_autofree char *name = cli_printable (set->name);
  g_autofree char *of = cli_printable (method != NULL ? method : "");

  printf ("%s: %s%s%s, ", title, name, *of != '\0' ? ", " : "", of);
  printf (ngettext ("%u execution\n", "%u executions\n", n), n);
}

void
cli_print_comparison (StriaComparison *comparison, StriaAggregation aggregation)
{
  GPtrArray *remarks = stria_comparison_get_remarks (comparison);
  g_autoptr (GArray) rows = find_rows (comparison, aggregation);
  guint n[4] = { 0 };
  CliTable *table = NULL;

  print_side (C_ ("capture", "First"), stria_comparison_get_a (comparison));
  print_side (C_ ("capture", "Second"), stria_comparison_get_b (comparison));
  for (guint i = 0; i < remarks->len; i++)
    {
      const StriaRemark *remark = remarks->pdata[i];
      g_autofree char *message = cli_printable (remark->message);

      printf ("%s: %s\n", remark->code, message);
    }
  for (guint i = 0; i < rows->len; i++)
    {
      const Row *row = &g_array_index (rows, Row, i);

      if (i == 0 || row->pair->kind != g_array_index (rows, Row, i - 1).pair->kind)
        {
          if (table != NULL)
            cli_table_finish (table);
          table = table_new (row->pair->kind, aggregation);
        }
      print_row (table, comparison, row);
    }
  if (table != NULL)
    cli_table_finish (table);
  for (guint32 i = 0; i < stria_comparison_n_pairs (comparison); i++)
    n[stria_comparison_pair (comparison, i)->state]++;
  printf ("\n");
  printf (_ ("Of what the two have, %u are the same, %u were added, %u removed, and %u have the "
             "name of something else.\n"),
          n[STRIA_PAIR_BOTH], n[STRIA_PAIR_ADDED], n[STRIA_PAIR_REMOVED],
          n[STRIA_PAIR_UNMATCHED]);
}

static void
json_side (CliJson *json, const char *key, StriaProfile *profile)
{
  cli_json_begin_object (json, key);
  cli_json_string (json, "set", stria_profile_get_set (profile)->name);
  cli_json_string (json, "method", stria_profile_get_method (profile));
  cli_json_string (json, "time_unit", stria_time_unit_name (stria_profile_get_unit (profile)));
  cli_json_uint (json, "executions", stria_profile_n_executions (profile));
  cli_json_end_object (json);
}

static void
json_value (CliJson *json, const char *key, const char *samples_key, const StriaMetric *metric)
{
  if (metric == NULL || !metric->available)
    {
      cli_json_null (json, key);
      return;
    }
  cli_json_double (json, key, metric->value);
  cli_json_uint (json, samples_key, metric->samples);
}

static void
json_metric (CliJson *json, const StriaMetricPair *metric)
{
  cli_json_begin_object (json, NULL);
  cli_json_string (json, "name", metric->name);
  cli_json_string (json, "unit", metric->unit);
  cli_json_string (json, "aggregation", stria_aggregation_name (metric->aggregation));
  json_value (json, "first", "first_samples", metric->a);
  json_value (json, "second", "second_samples", metric->b);
  cli_json_bool (json, "comparable", metric->comparable);
  if (metric->comparable)
    {
      cli_json_double (json, "difference", metric->difference);
      cli_json_double (json, "relative", metric->relative);
    }
  else
    cli_json_string (json, "reason", metric->reason);
  if (metric->unequal)
    cli_json_bool (json, "unequal_executions", TRUE);
  cli_json_end_object (json);
}

static void
json_pair (CliJson *json, StriaComparison *comparison, guint32 number)
{
  const StriaEntityPair *pair = stria_comparison_pair (comparison, number);
  const StriaEntity *entity = entity_of (comparison, pair);
  guint32 n;
  const StriaMetricPair *metrics = stria_comparison_metrics (comparison, number, &n);

  cli_json_begin_object (json, NULL);
  cli_json_string (json, "kind", stria_entity_kind_name (pair->kind));
  cli_json_string (json, "name", entity->name);
  cli_json_string (json, "state", stria_pair_state_name (pair->state));
  cli_json_string (json, "matched_by", stria_paired_by_name (pair->by));
  if (pair->a != STRIA_NO_REF)
    cli_json_string (json, "first_id",
                     stria_profile_entity (stria_comparison_get_a (comparison), pair->a)->id);
  if (pair->b != STRIA_NO_REF)
    cli_json_string (json, "second_id",
                     stria_profile_entity (stria_comparison_get_b (comparison), pair->b)->id);
  if (pair->note != NULL)
    cli_json_string (json, "note", pair->note);
  cli_json_begin_array (json, "metrics");
  for (guint32 i = 0; i < n; i++)
    json_metric (json, &metrics[i]);
  cli_json_end_array (json);
  cli_json_end_object (json);
}

void
cli_json_comparison (CliJson *json, StriaComparison *comparison)
{
  GPtrArray *remarks = stria_comparison_get_remarks (comparison);

  cli_json_begin_object (json, NULL);
  cli_json_begin_object (json, "comparison");
  json_side (json, "first", stria_comparison_get_a (comparison));
  json_side (json, "second", stria_comparison_get_b (comparison));
  cli_json_begin_array (json, "remarks");
  for (guint i = 0; i < remarks->len; i++)
    {
      const StriaRemark *remark = remarks->pdata[i];

      cli_json_begin_object (json, NULL);
      cli_json_string (json, "code", remark->code);
      cli_json_string (json, "message", remark->message);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
  cli_json_begin_array (json, "entities");
  for (guint32 i = 0; i < stria_comparison_n_pairs (comparison); i++)
    json_pair (json, comparison, i);
  cli_json_end_array (json);
  cli_json_end_object (json);
  cli_json_end_object (json);
}
