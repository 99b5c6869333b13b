/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-model.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "cli-profiles.h"
#include "cli-table.h"
#include "stria-error.h"
#include "stria-model-text.h"

const StriaProfileSet *
cli_find_set (GPtrArray *sets, const char *name, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < sets->len; i++)
    {
      const StriaProfileSet *set = sets->pdata[i];

      if (name != NULL && g_str_equal (set->name, name))
        return set;
      g_string_append_printf (names, i > 0 ? ", %s" : "%s", set->name);
    }
  if (sets->len == 0)
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                 _ ("There is no ExecuTorch file in the capture that could be read"));
  else if (name != NULL)
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                 _ ("There is no set “%s”; there are: %s"), name, names->str);
  else if (sets->len == 1)
    return sets->pdata[0];
  else
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                 _ ("The capture has %u sets, and one has to be named with --set: %s"), sets->len,
                 names->str);
  return NULL;
}

char *
cli_metric_text (const StriaMetric *metric)
{
  char *text = g_malloc (G_ASCII_DTOSTR_BUF_SIZE * 10);

  g_ascii_formatd (text, G_ASCII_DTOSTR_BUF_SIZE * 10, "%.6f", metric->value);
  for (gsize n = strlen (text); n > 0 && (text[n - 1] == '0' || text[n - 1] == '.'); n--)
    {
      gboolean was_point = text[n - 1] == '.';

      text[n - 1] = '\0';
      if (was_point)
        break;
    }
  return text;
}

gboolean
cli_parse_time_unit (const char *text, StriaTimeUnit *unit)
{
  for (StriaTimeUnit u = STRIA_TIME_NS; u <= STRIA_TIME_CYCLES; u++)
    if (text == NULL || g_str_equal (text, stria_time_unit_name (u)))
      {
        *unit = u;
        return TRUE;
      }
  return FALSE;
}

gboolean
cli_parse_level (const char *text, guint *level, GError **error)
{
  guint64 value;

  if (g_str_equal (text, "all"))
    {
      *level = G_MAXUINT;
      return TRUE;
    }
  if (g_ascii_string_to_unsigned (text, 10, 0, STRIA_GRAPH_MAX_DEPTH + 1, &value, NULL))
    {
      *level = (guint) value;
      return TRUE;
    }
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
               _ ("--level takes a number from 0 to %d, or all, not “%s”"),
               STRIA_GRAPH_MAX_DEPTH + 1, text);
  return FALSE;
}

void
cli_model_options_clear (CliModelOptions *options)
{
  g_clear_pointer (&options->set, g_free);
  g_clear_pointer (&options->method, g_free);
  g_clear_pointer (&options->unit, g_free);
  g_clear_pointer (&options->metric, g_free);
  g_clear_pointer (&options->aggregation, g_free);
}

static gboolean
parse_aggregation (const char *text, StriaAggregation *aggregation, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  *aggregation = STRIA_AGGREGATION_P50;
  if (text == NULL)
    return TRUE;
  for (guint i = 0; i < STRIA_N_AGGREGATIONS; i++)
    {
      const char *name = stria_aggregation_name ((StriaAggregation) i);

      *aggregation = (StriaAggregation) i;
      if (g_str_equal (name, text))
        return TRUE;
      g_string_append_printf (names, i > 0 ? ", %s" : "%s", name);
    }
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
               _ ("There is no aggregation “%s”; there are %s"), text, names->str);
  return FALSE;
}

/* “runtime” is what operators and instructions always show; a counter is what chains show. */
static gboolean
find_counter (StriaModelIndex *index, const char *text, const char **counter, GError **error)
{
  g_autoptr (GString) names = g_string_new ("runtime");

  *counter = NULL;
  if (text == NULL || g_str_equal (text, "runtime"))
    return TRUE;
  for (guint i = 0; i < index->counters->len; i++)
    {
      const char *name = index->counters->pdata[i];

      *counter = name;
      if (g_str_equal (name, text))
        return TRUE;
      g_string_append_printf (names, ", %s", name);
    }
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY, _ ("There is no metric “%s”; there are %s"),
               text, names->str);
  return FALSE;
}

gboolean
cli_model_open (StriaCapture *capture, const CliModelOptions *options, CliModel *out,
                GError **error)
{
  const StriaProfileSet *set;
  StriaTimeUnit unit;

  *out = (CliModel){ .sets = stria_profile_sets (capture) };
  if (!cli_parse_time_unit (options->unit, &unit))
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                   _ ("--unit takes ns, us, ms, s or cycles, not “%s”"), options->unit);
      return FALSE;
    }
  set = cli_find_set (out->sets, options->set, error);
  if (set == NULL || !parse_aggregation (options->aggregation, &out->metric.aggregation, error))
    return FALSE;
  out->profile = stria_profile_new (capture, set, options->method, unit, error);
  if (out->profile == NULL)
    return FALSE;
  out->index = stria_model_index_new (out->profile);
  return find_counter (out->index, options->metric, &out->metric.counter, error);
}

void
cli_model_clear (CliModel *model)
{
  g_clear_pointer (&model->index, stria_model_index_unref);
  g_clear_pointer (&model->profile, stria_profile_unref);
  g_clear_pointer (&model->sets, g_ptr_array_unref);
}

static void
add_kinds (CliModel *model, const guint32 *entities, guint32 n, guint *kinds)
{
  for (guint32 i = 0; i < n; i++)
    if (entities[i] != STRIA_NO_REF)
      *kinds |= 1u << stria_profile_entity (model->profile, entities[i])->kind;
}

guint
cli_model_kinds (CliModel *model, const StriaModelGraph *graph)
{
  guint kinds = 0;

  if (graph->graph == NULL)
    return 0;
  add_kinds (model, graph->node_entities, stria_graph_n_nodes (graph->graph), &kinds);
  add_kinds (model, graph->group_entities, stria_graph_n_groups (graph->graph), &kinds);
  return kinds;
}

char *
cli_model_subtitle (CliModel *model)
{
  const StriaProfileSet *set = stria_profile_get_set (model->profile);
  const char *method = stria_profile_get_method (model->profile);
  const guint32 n = stria_profile_n_executions (model->profile);
  g_autoptr (GString) out = g_string_new (set->name);

  if (method != NULL)
    g_string_append_printf (out, " · %s", method);
  if (set->dump != STRIA_NO_REF)
    {
      g_string_append (out, " · ");
      g_string_append_printf (out, ngettext ("%u execution", "%u executions", n), n);
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

char *
cli_model_scale_note (CliModel *model, const StriaModelScale *scale)
{
  g_autofree char *executions = g_strdup_printf (
      ngettext ("%u execution", "%u executions", scale->executions), scale->executions);

  return g_strdup_printf ("%s · %s", stria_model_aggregation_title (model->metric.aggregation),
                          executions);
}

static void
add_remarks (GPtrArray *notes, const char *title, GPtrArray *remarks)
{
  for (guint i = 0; i < remarks->len; i++)
    {
      const StriaRemark *remark = remarks->pdata[i];
      g_autofree char *message = cli_printable (remark->message);

      g_ptr_array_add (notes, g_strdup_printf ("%s: %s", title, message));
    }
}

static void
add_coverage (GPtrArray *notes, CliModel *model, guint kinds)
{
  for (guint i = 0; i < STRIA_N_ENTITY_KINDS; i++)
    {
      StriaModelScale scale;

      if ((kinds >> i & 1) == 0)
        continue;
      stria_model_index_scale (model->index, &model->metric, (StriaEntityKind) i, &scale);
      if (scale.name != NULL && scale.n_incomplete > 0)
        g_ptr_array_add (
            notes, g_strdup_printf (_ ("%s: %u of %u were measured in fewer executions than were "
                                       "recorded."),
                                    stria_model_kinds_title ((StriaEntityKind) i),
                                    scale.n_incomplete, scale.n_measured));
    }
}

/* Source operators of a graph whose time is that of others as well. */
static guint
count_shared (CliModel *model, const StriaModelGraph *graph)
{
  guint n = 0;

  for (guint32 i = 0; graph->graph != NULL && i < stria_graph_n_nodes (graph->graph); i++)
    n += graph->node_entities[i] != STRIA_NO_REF
         && stria_profile_entity (model->profile, graph->node_entities[i])->shared > 1;
  return n;
}

static guint
count_unmatched (CliModel *model, const StriaModelGraph *graph)
{
  guint n = 0;

  for (guint32 i = 0; graph->graph != NULL && i < stria_graph_n_nodes (graph->graph); i++)
    n += graph->node_entities[i] != STRIA_NO_REF
         && stria_profile_entity (model->profile, graph->node_entities[i])->unmatched;
  return n;
}

GPtrArray *
cli_model_notes (CliModel *model, const StriaModelGraph *graph)
{
  GPtrArray *notes = g_ptr_array_new_with_free_func (g_free);
  const guint unmatched = count_unmatched (model, graph);
  const guint shared = count_shared (model, graph);

  add_coverage (notes, model, cli_model_kinds (model, graph));
  if (unmatched > 0)
    g_ptr_array_add (
        notes,
        g_strdup_printf (ngettext ("%u operator with a dashed border is linked to nothing "
                                   "measured, which does not show that it did not run.",
                                   "%u operators with a dashed border are linked to nothing "
                                   "measured, which does not show that they did not run.",
                                   unmatched),
                         unmatched));
  if (shared > 0)
    g_ptr_array_add (
        notes,
        g_strdup_printf (ngettext ("%u operator shares its time with others: the time is that of "
                                   "all of them, neither divided nor to be added.",
                                   "%u operators share their times with others: a time is that of "
                                   "all who share it, neither divided nor to be added.",
                                   shared),
                         shared));
  add_remarks (notes, _ ("Assumed"), stria_profile_get_assumptions (model->profile));
  add_remarks (notes, _ ("Warning"), stria_profile_get_warnings (model->profile));
  g_ptr_array_add (notes, NULL);
  return notes;
}

static guint
count_boxes (StriaGraph *graph, const guint *depth, guint level)
{
  guint n = 0;

  for (guint32 i = 0; i < stria_graph_n_groups (graph); i++)
    n += depth[i] <= level;
  for (guint32 i = 0; i < stria_graph_n_nodes (graph); i++)
    {
      const guint32 group = stria_graph_node_group (graph, i);

      n += group == STRIA_NO_GROUP || depth[group] < level;
    }
  return n;
}

guint
cli_graph_level (StriaGraph *graph, guint most)
{
  const guint32 n = stria_graph_n_groups (graph);
  g_autofree guint *depth = g_new0 (guint, n + 1);
  guint deepest = 0;
  guint level;

  for (guint32 i = 0; i < n; i++)
    {
      const guint32 parent = stria_graph_group_parent (graph, i);

      depth[i] = parent != STRIA_NO_GROUP ? depth[parent] + 1 : 0;
      deepest = MAX (deepest, depth[i]);
    }
  level = deepest + 1;
  if (count_boxes (graph, depth, level) <= most)
    return G_MAXUINT;
  while (level > 0 && count_boxes (graph, depth, level) > most)
    level--;
  return level;
}
