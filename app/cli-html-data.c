/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-html.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "cli-json.h"
#include "cli-profiles.h"
#include "stria-error.h"
#include "stria-model-text.h"

/* Attributes of a node are shown one by one; nobody reads more of one than this. */
#define MOST_VALUE 4000

static void
json_value (CliJson *json, const char *value)
{
  const gsize length = strlen (value);
  g_autofree char *cut = NULL;

  if (length <= MOST_VALUE)
    {
      cli_json_string (json, NULL, value);
      return;
    }
  cut = g_strdup_printf ("%.*s…", (int) (g_utf8_find_prev_char (value, value + MOST_VALUE) - value),
                         value);
  cli_json_string (json, NULL, cut);
}

static void
json_pair (CliJson *json, const char *key, const char *value)
{
  cli_json_begin_array (json, NULL);
  cli_json_string (json, NULL, key);
  json_value (json, value);
  cli_json_end_array (json);
}

/* One measurement: its title, why it cannot be had or else unit, coverage and each aggregation. */
static void
json_metric (CliJson *json, StriaProfile *profile, guint32 number, const StriaMetric *metric)
{
  static const StriaAggregation order[]
      = { STRIA_AGGREGATION_P50, STRIA_AGGREGATION_MEAN, STRIA_AGGREGATION_MIN,
          STRIA_AGGREGATION_MAX, STRIA_AGGREGATION_P10,  STRIA_AGGREGATION_P90,
          STRIA_AGGREGATION_SUM };
  const StriaEntity *entity = stria_profile_entity (profile, number);
  g_autofree char *coverage
      = stria_model_coverage_text (metric->samples, entity->executions_of);

  cli_json_begin_array (json, NULL);
  cli_json_string (json, NULL, stria_model_metric_title (metric->name));
  cli_json_string (json, NULL, metric->available ? metric->unit : metric->reason);
  for (guint i = 0; metric->available && i < G_N_ELEMENTS (order); i++)
    {
      const StriaMetric *figure
          = stria_profile_find_metric (profile, number, metric->name, order[i]);
      g_autofree char *text = NULL;

      if (i == 0)
        {
          cli_json_string (json, NULL, coverage);
          cli_json_begin_array (json, NULL);
        }
      if (figure == NULL || !figure->available)
        continue;
      text = cli_metric_text (figure);
      cli_json_string (json, NULL, stria_model_aggregation_title (order[i]));
      cli_json_string (json, NULL, text);
    }
  if (metric->available)
    cli_json_end_array (json);
  cli_json_end_array (json);
}

static void
json_figures (CliJson *json, StriaProfile *profile, guint32 number)
{
  const StriaEntity *entity = stria_profile_entity (profile, number);
  const char *last = NULL;

  cli_json_begin_array (json, "m");
  for (guint i = 0; i < entity->metrics->len; i++)
    {
      const StriaMetric *metric
          = stria_profile_metric (profile, g_array_index (entity->metrics, guint32, i));

      if (metric->name != last)
        json_metric (json, profile, number, metric);
      last = metric->name;
    }
  cli_json_end_array (json);
}

static void
json_links (CliJson *json, StriaProfile *profile, guint32 number, const StriaEntity *entity)
{
  cli_json_begin_array (json, "l");
  for (guint i = 0; i < entity->links->len; i++)
    {
      const StriaLink *link
          = stria_profile_link (profile, g_array_index (entity->links, guint32, i));

      cli_json_begin_array (json, NULL);
      cli_json_uint (json, NULL, link->from == number ? link->to : link->from);
      cli_json_uint (json, NULL, link->evidence);
      cli_json_string (json, NULL, link->note != NULL ? link->note : "");
      cli_json_end_array (json);
    }
  cli_json_end_array (json);
}

static void
json_numbers (CliJson *json, const char *key, const GArray *numbers)
{
  cli_json_begin_array (json, key);
  for (guint i = 0; i < numbers->len; i++)
    cli_json_uint (json, NULL, g_array_index (numbers, guint32, i));
  cli_json_end_array (json);
}

static void
json_entity (CliJson *json, StriaProfile *profile, guint32 number)
{
  const StriaEntity *entity = stria_profile_entity (profile, number);
  g_autofree char *name = stria_model_entity_text (entity);

  cli_json_begin_object (json, NULL);
  cli_json_string (json, "id", entity->id);
  cli_json_string (json, "t", name);
  cli_json_string (json, "k", stria_model_kind_title (entity->kind));
  cli_json_string (json, "p", entity->placement);
  if (entity->executions_of > 0 && entity->metrics->len > 0)
    {
      g_autofree char *coverage
          = stria_model_coverage_text (entity->executions, entity->executions_of);

      cli_json_string (json, "c", coverage);
    }
  if (entity->shared > 1)
    cli_json_uint (json, "s", entity->shared);
  if (entity->unmatched)
    cli_json_bool (json, "u", TRUE);
  json_figures (json, profile, number);
  json_links (json, profile, number, entity);
  json_numbers (json, "up", entity->parents);
  json_numbers (json, "down", entity->children);
  cli_json_begin_array (json, "a");
  for (guint i = 0; entity->attributes != NULL && i + 1 < entity->attributes->len; i += 2)
    json_pair (json, entity->attributes->pdata[i], entity->attributes->pdata[i + 1]);
  cli_json_end_array (json);
  cli_json_end_object (json);
}

static void
json_attrs (CliJson *json, StriaGraph *graph, guint32 first, guint32 n)
{
  const StriaGraphAttrRow *attrs = stria_graph_attrs (graph, first);

  for (guint32 i = 0; i < n; i++)
    json_pair (json, stria_graph_text (graph, attrs[i].key),
               stria_graph_text (graph, attrs[i].value));
}

static void
json_ports (CliJson *json, const char *title, StriaGraph *graph, const StriaGraphPortRow *ports,
            guint32 n)
{
  for (guint32 i = 0; i < n; i++)
    {
      const char *name = stria_graph_text (graph, ports[i].name);
      const char *type = stria_graph_text (graph, ports[i].type);
      g_autofree char *text = g_strdup_printf (
          "%s%s%s", *name != '\0' ? name : stria_graph_text (graph, ports[i].id),
          *type != '\0' ? ": " : "", type);
      g_autofree char *key = g_strdup_printf ("%s %u", title, i + 1);

      json_pair (json, key, text);
    }
}

/* Where in the picture it is: a box of its own or the closed group around it. */
static void
json_place (CliJson *json, guint32 item, guint32 entity)
{
  if (item != STRIA_NO_ITEM)
    cli_json_uint (json, "i", item);
  if (entity != STRIA_NO_REF)
    cli_json_uint (json, "e", entity);
}

static void
json_node (CliJson *json, const StriaModelGraph *view, StriaScene *scene, guint32 number)
{
  StriaGraph *graph = view->graph;
  const StriaGraphNodeRow *node = stria_graph_node (graph, number);
  const StriaGraphPortRow *ports;
  guint32 n;

  cli_json_begin_object (json, NULL);
  json_place (json, scene->item_of_node[number], view->node_entities[number]);
  cli_json_string (json, "t", stria_graph_text (graph, node->label));
  cli_json_string (json, "id", stria_graph_text (graph, node->id));
  if (node->file != 0)
    {
      g_autofree char *place
          = g_strdup_printf ("%s:%u", stria_graph_text (graph, node->file), node->line);

      cli_json_string (json, "src", place);
    }
  cli_json_begin_array (json, "a");
  if (stria_graph_node_group (graph, number) != STRIA_NO_GROUP)
    json_pair (json, _ ("Group"),
               stria_graph_text (
                   graph,
                   stria_graph_group (graph, stria_graph_node_group (graph, number))->id));
  ports = stria_graph_inputs (graph, number, &n);
  json_ports (json, _ ("Input"), graph, ports, n);
  ports = stria_graph_outputs (graph, number, &n);
  json_ports (json, _ ("Output"), graph, ports, n);
  json_attrs (json, graph, node->first_attr, node->n_attrs);
  cli_json_end_array (json);
  cli_json_end_object (json);
}

static void
json_view (CliJson *json, const StriaModelGraph *view, StriaScene *scene)
{
  StriaGraph *graph = view->graph;

  cli_json_begin_object (json, NULL);
  cli_json_string (json, "t", view->title);
  if (scene == NULL)
    {
      cli_json_end_object (json);
      return;
    }
  cli_json_begin_array (json, "nodes");
  for (guint32 i = 0; i < stria_graph_n_nodes (graph); i++)
    json_node (json, view, scene, i);
  cli_json_end_array (json);
  cli_json_begin_array (json, "groups");
  for (guint32 i = 0; i < stria_graph_n_groups (graph); i++)
    {
      const StriaGraphGroupRow *group = stria_graph_group (graph, i);

      cli_json_begin_object (json, NULL);
      json_place (json, scene->item_of_group[i], view->group_entities[i]);
      cli_json_string (json, "t", stria_graph_text (graph, group->label));
      cli_json_string (json, "id", stria_graph_text (graph, group->id));
      cli_json_begin_array (json, "a");
      json_attrs (json, graph, group->first_attr, group->n_attrs);
      cli_json_end_array (json);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
  cli_json_end_object (json);
}

gboolean
cli_html_data (FILE *file, CliHtmlModel *model, GError **error)
{
  StriaProfile *profile = model->model.profile;
  char *text = NULL;
  size_t length = 0;
  FILE *memory = open_memstream (&text, &length);
  CliJson json;
  gboolean done;

  if (memory == NULL)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, "%s", g_strerror (errno));
      return FALSE;
    }
  cli_json_init (&json, memory, 2);
  cli_json_begin_object (&json, NULL);
  cli_json_begin_array (&json, "entities");
  for (guint32 i = 0; i < stria_profile_n_entities (profile); i++)
    json_entity (&json, profile, i);
  cli_json_end_array (&json);
  cli_json_begin_array (&json, "views");
  for (guint i = 0; i < model->model.index->graphs->len; i++)
    json_view (&json, model->model.index->graphs->pdata[i], model->scenes->pdata[i]);
  cli_json_end_array (&json);
  cli_json_end_object (&json);
  cli_json_finish (&json);
  done = fclose (memory) == 0;
  if (done)
    {
      fprintf (file, "<script type=\"application/json\" id=\"m%u-data\">", model->number);
      cli_html_json (file, text, length);
      fputs ("</script>\n", file);
    }
  else
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, "%s", g_strerror (errno));
  free (text);
  return done;
}
