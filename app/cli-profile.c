/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "cli-compare.h"
#include "cli-profiles.h"
#include "cli-table.h"
#include "stria-error.h"

static const struct
{
  StriaAggregation aggregation;
  const char *title;
} columns[] = {
  { STRIA_AGGREGATION_SUM, N_ ("Sum") }, { STRIA_AGGREGATION_MEAN, N_ ("Mean") },
  { STRIA_AGGREGATION_P10, N_ ("P10") }, { STRIA_AGGREGATION_P50, N_ ("P50") },
  { STRIA_AGGREGATION_P90, N_ ("P90") }, { STRIA_AGGREGATION_MIN, N_ ("Min") },
  { STRIA_AGGREGATION_MAX, N_ ("Max") },
};

static const char *
section_title (StriaEntityKind kind)
{
  switch (kind)
    {
    case STRIA_ENTITY_MODEL:
      return _ ("Model");
    case STRIA_ENTITY_FRAMEWORK:
      return _ ("Framework");
    case STRIA_ENTITY_METHOD_CALL:
      return _ ("Instructions");
    case STRIA_ENTITY_DELEGATE_EVENT:
      return _ ("Events of delegates");
    case STRIA_ENTITY_SOURCE_OPERATOR:
      return _ ("Source operators (a shared time is that of all who share it)");
    case STRIA_ENTITY_CASCADE:
      return _ ("Cascades (the same work as the chains)");
    case STRIA_ENTITY_CHAIN:
      return _ ("Chains");
    case STRIA_ENTITY_SEGMENT:
    case STRIA_ENTITY_COMPILER_OPERATOR:
    case STRIA_ENTITY_TRACE_OPERATOR:
    case STRIA_N_ENTITY_KINDS:
    default:
      return "";
    }
}

static void
print_metric (CliTable *table, StriaProfile *profile, guint32 number, const StriaMetric *metric)
{
  const StriaEntity *entity = stria_profile_entity (profile, number);

  cli_table_cell (table, entity->id);
  cli_table_cell (table, entity->name);
  cli_table_cell (table, metric->name);
  cli_table_take (table, g_strdup_printf ("%u/%u", metric->samples, entity->executions_of));
  cli_table_take (table, entity->shared > 1 ? g_strdup_printf ("%u", entity->shared) : NULL);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      const StriaMetric *figure
          = stria_profile_find_metric (profile, number, metric->name, columns[i].aggregation);

      cli_table_take (table, figure != NULL && figure->available ? cli_metric_text (figure) : NULL);
    }
  cli_table_cell (table, metric->unit);
  cli_table_take (table, metric->available
                             ? g_strdup (entity->placement)
                             : g_strdup_printf (_ ("unavailable: %s"), metric->reason));
}

/* Figures of one kind of entities; the counters one by one are left to --json. */
static void
print_kind (StriaProfile *profile, StriaEntityKind kind)
{
  static const char *const shown[] = { "runtime",   "call_runtime",   "total_cycles",
                                       "op_cycles", "compute_cycles", "target_utilization",
                                       NULL };
  CliTable *table = NULL;

  for (guint32 i = 0; i < stria_profile_n_entities (profile); i++)
    {
      const StriaEntity *entity = stria_profile_entity (profile, i);
      const char *last = NULL;

      for (guint m = 0; entity->kind == kind && m < entity->metrics->len; m++)
        {
          const StriaMetric *metric
              = stria_profile_metric (profile, g_array_index (entity->metrics, guint32, m));

          if (metric->name == last || !g_strv_contains (shown, metric->name))
            continue;
          last = metric->name;
          if (table == NULL)
            {
              printf ("\n%s\n", section_title (kind));
              table = cli_table_new (stdout);
              cli_table_column (table, _ ("Id"), FALSE);
              cli_table_column (table, _ ("Name"), FALSE);
              cli_table_column (table, _ ("Metric"), FALSE);
              cli_table_column (table, _ ("Runs"), TRUE);
              cli_table_column (table, _ ("Shared"), TRUE);
              for (guint c = 0; c < G_N_ELEMENTS (columns); c++)
                cli_table_column (table, _ (columns[c].title), TRUE);
              cli_table_column (table, _ ("Unit"), FALSE);
              cli_table_column (table, _ ("Where"), FALSE);
            }
          print_metric (table, profile, i, metric);
        }
    }
  if (table != NULL)
    cli_table_finish (table);
}

static void
print_links (StriaProfile *profile)
{
  static const char *const kinds[] = { "instruction", "partition",      "delegate-event",
                                       "chain-trace", "chain-compiler", "chain-source" };
  CliTable *table = NULL;

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (guint e = STRIA_EVIDENCE_EXACT; e <= STRIA_EVIDENCE_AMBIGUOUS; e++)
      {
        guint n = 0;

        for (guint32 i = 0; i < stria_profile_n_links (profile); i++)
          {
            const StriaLink *link = stria_profile_link (profile, i);

            n += link->evidence == e && g_str_equal (link->kind, kinds[k]);
          }
        if (n == 0)
          continue;
        if (table == NULL)
          {
            printf ("\n%s\n", _ ("Links"));
            table = cli_table_new (stdout);
            cli_table_column (table, _ ("Link"), FALSE);
            cli_table_column (table, _ ("Evidence"), FALSE);
            cli_table_column (table, _ ("Number"), TRUE);
          }
        cli_table_cell (table, kinds[k]);
        cli_table_cell (table, stria_evidence_name (e));
        cli_table_take (table, g_strdup_printf ("%u", n));
      }
  if (table != NULL)
    cli_table_finish (table);
}

static void
print_unmatched (StriaProfile *profile)
{
  guint n[STRIA_N_ENTITY_KINDS] = { 0 };

  for (guint32 i = 0; i < stria_profile_n_entities (profile); i++)
    {
      const StriaEntity *entity = stria_profile_entity (profile, i);

      n[entity->kind] += entity->unmatched;
    }
  if (n[STRIA_ENTITY_SOURCE_OPERATOR] > 0)
    printf (
        ngettext ("%u source operator is linked to nothing measured, which does not show that it "
                  "did not run.\n",
                  "%u source operators are linked to nothing measured, which does not show that "
                  "they did not run.\n",
                  n[STRIA_ENTITY_SOURCE_OPERATOR]),
        n[STRIA_ENTITY_SOURCE_OPERATOR]);
  if (n[STRIA_ENTITY_COMPILER_OPERATOR] > 0)
    printf (ngettext ("%u operator of the VGF is in no chain that was recorded.\n",
                      "%u operators of the VGF are in no chain that was recorded.\n",
                      n[STRIA_ENTITY_COMPILER_OPERATOR]),
            n[STRIA_ENTITY_COMPILER_OPERATOR]);
}

static void
print_remarks (const char *title, GPtrArray *remarks)
{
  if (remarks->len == 0)
    return;
  printf ("\n%s\n", title);
  for (guint i = 0; i < remarks->len; i++)
    {
      const StriaRemark *remark = remarks->pdata[i];
      g_autofree char *message = cli_printable (remark->message);

      printf ("  %s: %s\n", remark->code, message);
    }
}

static void
print_checks (StriaProfile *profile)
{
  GPtrArray *checks = stria_profile_get_checks (profile);
  CliTable *table;

  if (checks->len == 0)
    return;
  printf ("\n%s: %s\n", _ ("Is the program that of the capture?"),
          stria_companion_name (stria_profile_get_companion (profile)));
  table = cli_table_new (stdout);
  cli_table_column (table, _ ("Check"), FALSE);
  cli_table_column (table, _ ("State"), FALSE);
  cli_table_column (table, _ ("Detail"), FALSE);
  for (guint i = 0; i < checks->len; i++)
    {
      const StriaCheck *check = checks->pdata[i];

      cli_table_cell (table, check->name);
      cli_table_cell (table, stria_check_state_name (check->state));
      cli_table_cell (table, check->detail);
    }
  cli_table_finish (table);
}

void
cli_print_profile (StriaProfile *profile)
{
  static const StriaEntityKind kinds[]
      = { STRIA_ENTITY_MODEL,          STRIA_ENTITY_FRAMEWORK,       STRIA_ENTITY_METHOD_CALL,
          STRIA_ENTITY_DELEGATE_EVENT, STRIA_ENTITY_SOURCE_OPERATOR, STRIA_ENTITY_CASCADE,
          STRIA_ENTITY_CHAIN };
  GPtrArray *facts = stria_profile_get_provenance (profile);
  CliTable *table = cli_table_new (stdout);

  cli_table_column (table, _ ("Fact"), FALSE);
  cli_table_column (table, _ ("Value"), FALSE);
  cli_table_cell (table, "set");
  cli_table_cell (table, stria_profile_get_set (profile)->name);
  for (guint i = 0; i < facts->len; i++)
    cli_table_cell (table, facts->pdata[i]);
  cli_table_finish (table);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    print_kind (profile, kinds[i]);
  print_links (profile);
  print_unmatched (profile);
  print_checks (profile);
  print_remarks (_ ("Assumptions"), stria_profile_get_assumptions (profile));
  print_remarks (_ ("Warnings"), stria_profile_get_warnings (profile));
}

static CliExit
compare (CliContext *context, const char *path, const CliModelOptions *options,
         const CliModel *model)
{
  g_auto (CliOther) other = { 0 };
  CliExit exit = cli_other_open (context, path, options, model->profile, &other);
  CliJson json;

  if (!cli_is_open (exit))
    return exit;
  if (!context->json)
    {
      cli_print_comparison (other.comparison, model->metric.aggregation);
      return exit;
    }
  cli_json_init (&json, stdout, 4);
  cli_json_comparison (&json, other.comparison);
  cli_json_finish (&json);
  return exit;
}

static CliExit
run_profile (CliContext *context, int argc, char **argv)
{
  g_auto (CliModelOptions) options = { 0 };
  g_autofree char *other = NULL;
  const GOptionEntry entries[] = {
    { "method", 'm', 0, G_OPTION_ARG_STRING, &options.method,
      N_ ("Method of the program, where there are several"), N_ ("NAME") },
    { "set", 0, 0, G_OPTION_ARG_STRING, &options.set,
      N_ ("Which files, where the capture has several sets of them"), N_ ("NAME") },
    { "unit", 'u', 0, G_OPTION_ARG_STRING, &options.unit,
      N_ ("What the ETDump’s ticks are: ns (default), us, ms, s or cycles"), N_ ("UNIT") },
    { "compare", 0, 0, G_OPTION_ARG_FILENAME, &other,
      N_ ("Differences from the capture to another one of the same model"), N_ ("CAPTURE") },
    { "aggregation", 0, 0, G_OPTION_ARG_STRING, &options.aggregation,
      N_ ("Figure that --compare shows: p50 (default), mean, min, max, p10, p90, sum"),
      N_ ("NAME") },
    { NULL },
  };
  g_auto (GStrv) arguments = g_strdupv (argv);
  g_auto (CliCapture) open = { 0 };
  g_auto (CliModel) model = { 0 };
  g_autoptr (GError) error = NULL;
  StriaTimeUnit unit;
  CliJson json;
  CliExit exit;

  if (!cli_parse (context, &cli_command_profile, argc, argv, entries, 1, G_MAXUINT))
    return CLI_USAGE;
  if (!cli_parse_time_unit (options.unit, &unit))
    return cli_usage (context, _ ("--unit takes ns, us, ms, s or cycles, not “%s”"), options.unit);
  exit = cli_open (context, (const char *const *) context->rest, CLI_OPEN_DEFAULT, &open);
  if (!cli_is_open (exit))
    return exit;
  if (!cli_model_open (open.capture, &options, &model, &error))
    return cli_fail (
        context, g_error_matches (error, STRIA_ERROR, STRIA_ERROR_QUERY) ? CLI_USAGE : CLI_FAILED,
        error);
  if (other != NULL)
    {
      CliExit of_other = compare (context, other, &options, &model);

      return of_other == CLI_OK ? exit : of_other;
    }
  if (!context->json)
    {
      cli_print_profile (model.profile);
      return exit;
    }
  cli_json_init (&json, stdout, 4);
  cli_json_profile (&json, model.profile, open.capture, arguments);
  cli_json_finish (&json);
  return exit;
}

const CliCommand cli_command_profile = {
  .name = "profile",
  .parameters = N_ ("CAPTURE…"),
  .summary = N_ ("What was measured on an ExecuTorch model, and how sure it is"),
  .run = run_profile,
};
