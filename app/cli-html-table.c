/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-html.h"

#include <glib/gi18n-lib.h>

#include "cli-profiles.h"
#include "stria-model-text.h"

/* A browser is no database. */
#define MOST_ROWS 20000

static const StriaAggregation columns[]
    = { STRIA_AGGREGATION_MEAN, STRIA_AGGREGATION_P10, STRIA_AGGREGATION_P50,
        STRIA_AGGREGATION_P90,  STRIA_AGGREGATION_MIN, STRIA_AGGREGATION_MAX,
        STRIA_AGGREGATION_SUM };

static void
cell (FILE *file, const char *class, const char *text)
{
  if (class != NULL)
    fprintf (file, "<td class=\"%s\">", class);
  else
    fputs ("<td>", file);
  cli_html_text (file, text);
  fputs ("</td>", file);
}

static void
head (FILE *file, const char *text, gboolean number)
{
  fputs (number ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">", file);
  cli_html_text (file, text);
  fputs ("</th>", file);
}

/* @metric: (nullable): nothing was measured */
static void
write_row (FILE *file, CliHtmlModel *model, guint32 number, const StriaMetric *metric)
{
  StriaProfile *profile = model->model.profile;
  const StriaEntity *entity = stria_profile_entity (profile, number);
  g_autofree char *name = stria_model_entity_text (entity);
  g_autofree char *shared
      = entity->shared > 1 ? g_strdup_printf ("%u", entity->shared) : g_strdup ("");

  fprintf (file, "<tr%s><td><button type=\"button\" class=\"go\" data-e=\"%u\">",
           entity->unmatched ? " class=\"unmatched\"" : "", number);
  cli_html_text (file, name);
  fputs ("</button></td>", file);
  cell (file, NULL, stria_model_kind_title (entity->kind));
  cell (file, NULL, entity->placement);
  if (metric == NULL)
    {
      cell (file, NULL, entity->unmatched ? _ ("linked to nothing measured") : "");
      for (guint i = 0; i < G_N_ELEMENTS (columns) + 3; i++)
        cell (file, NULL, "");
      fputs ("</tr>\n", file);
      return;
    }
  cell (file, NULL, stria_model_metric_title (metric->name));
  if (!metric->available)
    {
      fprintf (file, "<td colspan=\"%u\" class=\"reason\">",
               (guint) G_N_ELEMENTS (columns) + 3);
      cli_html_printf (file, _ ("unavailable: %s"), metric->reason);
      fputs ("</td></tr>\n", file);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      const StriaMetric *figure
          = stria_profile_find_metric (profile, number, metric->name, columns[i]);
      g_autofree char *text
          = figure != NULL && figure->available ? cli_metric_text (figure) : NULL;

      cell (file, "n", text);
    }
  cell (file, NULL, metric->unit);
  fprintf (file, "<td class=\"n%s\">%u/%u</td>",
           metric->samples < entity->executions_of ? " part" : "", metric->samples,
           entity->executions_of);
  cell (file, "n", shared);
  fputs ("</tr>\n", file);
}

static gboolean
is_shown (const char *name)
{
  static const char *const names[] = { "runtime",   "call_runtime",   "total_cycles",
                                       "op_cycles", "compute_cycles", "target_utilization",
                                       NULL };

  return g_strv_contains (names, name);
}

/* A row for each measurement but the counters one by one, which the details have. */
static guint
write_entity (FILE *file, CliHtmlModel *model, guint32 number)
{
  StriaProfile *profile = model->model.profile;
  const StriaEntity *entity = stria_profile_entity (profile, number);
  const char *last = NULL;
  guint n = 0;

  for (guint i = 0; i < entity->metrics->len; i++)
    {
      const StriaMetric *metric
          = stria_profile_metric (profile, g_array_index (entity->metrics, guint32, i));

      if (metric->name == last || !is_shown (metric->name))
        continue;
      last = metric->name;
      write_row (file, model, number, metric);
      n++;
    }
  if (n > 0)
    return n;
  write_row (file, model, number, NULL);
  return 1;
}

void
cli_html_table (FILE *file, CliHtmlModel *model)
{
  StriaProfile *profile = model->model.profile;
  const guint32 n = stria_profile_n_entities (profile);
  guint rows = 0;
  guint32 i;

  fputs ("<p class=\"filter\"><label>", file);
  cli_html_text (file, _ ("Filter"));
  fputs (" <input type=\"search\"></label> <span class=\"count\" role=\"status\"></span></p>\n",
         file);
  fputs ("<div class=\"scroll\"><table class=\"sortable\"><thead><tr>", file);
  head (file, _ ("Name"), FALSE);
  head (file, _ ("Kind"), FALSE);
  head (file, _ ("Where"), FALSE);
  head (file, _ ("Metric"), FALSE);
  for (guint c = 0; c < G_N_ELEMENTS (columns); c++)
    head (file, stria_model_aggregation_title (columns[c]), TRUE);
  head (file, _ ("Unit"), FALSE);
  head (file, _ ("Executions"), TRUE);
  head (file, _ ("Shared by"), TRUE);
  fputs ("</tr></thead><tbody>\n", file);
  for (i = 0; i < n && rows < MOST_ROWS; i++)
    rows += write_entity (file, model, i);
  fputs ("</tbody></table></div>\n<p>", file);
  cli_html_text (file, _ ("A time that several operators share is that of all of them: it is "
                          "neither divided nor to be added. Cascades and chains are the same work."));
  fputs ("</p>\n", file);
  if (i < n)
    {
      fputs ("<p>", file);
      cli_html_printf (file, ngettext ("%u more is left out.", "%u more are left out.", n - i),
                       n - i);
      fputs ("</p>\n", file);
    }
}

static void
write_remarks (FILE *file, const char *title, GPtrArray *remarks)
{
  fputs ("<h3>", file);
  cli_html_text (file, title);
  fputs ("</h3>\n", file);
  if (remarks->len == 0)
    {
      fputs ("<p>", file);
      cli_html_text (file, _ ("None"));
      fputs ("</p>\n", file);
      return;
    }
  fputs ("<ul>\n", file);
  for (guint i = 0; i < remarks->len; i++)
    {
      const StriaRemark *remark = remarks->pdata[i];

      fputs ("<li>", file);
      cli_html_text (file, remark->message);
      fputs (" <code>", file);
      cli_html_text (file, remark->code);
      fputs ("</code></li>\n", file);
    }
  fputs ("</ul>\n", file);
}

static void
write_missing (FILE *file, CliHtmlModel *model)
{
  GPtrArray *graphs = model->model.index->graphs;
  gboolean any = FALSE;

  for (guint i = 0; i < graphs->len; i++)
    {
      const StriaModelGraph *graph = graphs->pdata[i];

      if (graph->graph != NULL)
        continue;
      if (!any)
        {
          fputs ("<h3>", file);
          cli_html_text (file, _ ("Views that are not there"));
          fputs ("</h3>\n<dl>\n", file);
        }
      any = TRUE;
      fputs ("<dt>", file);
      cli_html_text (file, graph->title);
      fputs ("</dt><dd>", file);
      cli_html_text (file, graph->reason);
      fputs ("</dd>\n", file);
    }
  if (any)
    fputs ("</dl>\n", file);
}

static void
write_checks (FILE *file, StriaProfile *profile)
{
  GPtrArray *checks = stria_profile_get_checks (profile);

  if (checks->len == 0)
    return;
  fputs ("<h3>", file);
  cli_html_printf (file, "%s %s", _ ("Is the program that of the capture?"),
                   stria_companion_name (stria_profile_get_companion (profile)));
  fputs ("</h3>\n<div class=\"scroll\"><table><thead><tr>", file);
  head (file, _ ("Check"), FALSE);
  head (file, _ ("State"), FALSE);
  head (file, _ ("Detail"), FALSE);
  fputs ("</tr></thead><tbody>\n", file);
  for (guint i = 0; i < checks->len; i++)
    {
      const StriaCheck *check = checks->pdata[i];

      fputs ("<tr>", file);
      cell (file, NULL, check->name);
      cell (file, stria_check_state_name (check->state), stria_check_state_name (check->state));
      cell (file, NULL, check->detail);
      fputs ("</tr>\n", file);
    }
  fputs ("</tbody></table></div>\n", file);
}

void
cli_html_notes (FILE *file, CliHtmlModel *model)
{
  StriaProfile *profile = model->model.profile;
  GPtrArray *facts = stria_profile_get_provenance (profile);

  write_remarks (file, _ ("Assumptions"), stria_profile_get_assumptions (profile));
  write_remarks (file, _ ("Warnings"), stria_profile_get_warnings (profile));
  write_missing (file, model);
  write_checks (file, profile);
  fputs ("<h3>", file);
  cli_html_text (file, _ ("Where it comes from"));
  fputs ("</h3>\n<div class=\"scroll\"><table><tbody>\n", file);
  for (guint i = 0; i + 1 < facts->len; i += 2)
    {
      fputs ("<tr><th scope=\"row\">", file);
      cli_html_text (file, facts->pdata[i]);
      fputs ("</th><td><code>", file);
      cli_html_text (file, facts->pdata[i + 1]);
      fputs ("</code></td></tr>\n", file);
    }
  fputs ("</tbody></table></div>\n", file);
}
