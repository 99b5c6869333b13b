/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "cli-profiles.h"
#include "cli-render.h"
#include "cli-table.h"
#include "stria-error.h"

typedef enum
{
  FORMAT_JSON,
  FORMAT_DOT,
  FORMAT_SVG,
} Format;

/* Names of views on the command line; by #StriaGraphKind. */
static const char *const view_names[] = {
  [STRIA_GRAPH_SOURCE] = "source",
  [STRIA_GRAPH_EXPORTED] = "exported",
  [STRIA_GRAPH_MODULE] = "module",
  [STRIA_GRAPH_PLAN] = "plan",
  [STRIA_GRAPH_VGF] = "vgf",
  [STRIA_GRAPH_CHAINS] = "chains",
  [STRIA_GRAPH_MAPPING] = "mapping",
  [STRIA_GRAPH_TRACE] = "trace",
  [STRIA_GRAPH_HIERARCHY] = "hierarchy",
};

static const char all_views[]
    = "source, exported, module, plan, vgf, chains, mapping, trace, hierarchy";

/* Views that are as a file has them, whatever ran; they may have several graphs. */
static gboolean
is_of_file (StriaGraphKind kind)
{
  return kind == STRIA_GRAPH_SOURCE || kind == STRIA_GRAPH_EXPORTED || kind == STRIA_GRAPH_MODULE
         || kind == STRIA_GRAPH_PLAN || kind == STRIA_GRAPH_VGF;
}

static void
add_graphs (GPtrArray *graphs, StriaCapture *capture, guint artifact, StriaGraphKind kind,
            const char *method)
{
  g_autoptr (StriaFacts) facts
      = artifact != STRIA_NO_REF ? stria_capture_ref_facts (capture, artifact) : NULL;
  gsize n = facts != NULL ? stria_facts_size (facts, STRIA_TABLE_GRAPH) : 0;

  for (gsize i = 0; i < n; i++)
    {
      const StriaGraphRow *row = STRIA_ROWS (facts, StriaGraphRow, STRIA_TABLE_GRAPH) + i;
      const char *of = stria_facts_text (facts, row->method);

      if (row->kind == kind && (method == NULL || of[0] == '\0' || g_str_equal (of, method)))
        g_ptr_array_add (graphs, stria_graph_new (facts, (guint32) i));
    }
}

/* The graphs of a set that show @kind; none is fine. */
static GPtrArray *
graphs_of_files (StriaCapture *capture, const StriaProfileSet *set, StriaGraphKind kind,
                 const char *method)
{
  GPtrArray *graphs = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_graph_unref);

  if (kind == STRIA_GRAPH_PLAN || kind == STRIA_GRAPH_VGF)
    add_graphs (graphs, capture, set->program, kind, method);
  else
    add_graphs (graphs, capture, set->record, kind, method);
  if (kind == STRIA_GRAPH_VGF)
    add_graphs (graphs, capture, set->vgf, kind, NULL);
  return graphs;
}

/* Of several sets, one alone may have the view. */
static const StriaProfileSet *
set_with_view (StriaCapture *capture, GPtrArray *sets, StriaGraphKind kind)
{
  const StriaProfileSet *found = NULL;

  for (guint i = 0; i < sets->len; i++)
    {
      g_autoptr (GPtrArray) graphs = graphs_of_files (capture, sets->pdata[i], kind, NULL);

      if (graphs->len > 0 && found != NULL)
        return NULL;
      if (graphs->len > 0)
        found = sets->pdata[i];
    }
  return found;
}

static gboolean
has_method (StriaCapture *capture, const StriaProfileSet *set, const char *method, GError **error)
{
  g_auto (GStrv) methods = stria_profile_methods (capture, set);
  g_autofree char *list = g_strjoinv (", ", methods);

  if (method == NULL || methods[0] == NULL
      || g_strv_contains ((const char *const *) methods, method))
    return TRUE;
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
               _ ("“%s” has no method “%s”; there are: %s"), set->name, method, list);
  return FALSE;
}

static GPtrArray *
find_graphs (StriaCapture *capture, const char *set_name, StriaGraphKind kind, const char *method,
             char **label, GError **error)
{
  g_autoptr (GPtrArray) sets = stria_profile_sets (capture);
  g_autoptr (GPtrArray) graphs = NULL;
  g_autoptr (StriaProfile) profile = NULL;
  g_autofree char *reason = NULL;
  const StriaProfileSet *set
      = set_name == NULL && is_of_file (kind) ? set_with_view (capture, sets, kind) : NULL;

  if (set == NULL)
    set = cli_find_set (sets, set_name, error);
  if (set == NULL || !has_method (capture, set, method, error))
    return NULL;
  *label = g_strdup (set->name);
  graphs = graphs_of_files (capture, set, kind, method);
  if (graphs->len > 0)
    {
      guint artifact
          = kind == STRIA_GRAPH_PLAN || kind == STRIA_GRAPH_VGF ? set->program : set->record;

      g_free (*label);
      *label = g_path_get_basename (stria_artifact_get_name (
          stria_capture_get_artifact (capture, artifact != STRIA_NO_REF ? artifact : set->vgf)));
      return g_steal_pointer (&graphs);
    }
  profile = stria_profile_new (capture, set, method, STRIA_TIME_NS, error);
  if (profile == NULL)
    return NULL;
  StriaGraph *graph = stria_profile_get_graph (profile, kind, &reason);
  if (graph != NULL)
    {
      g_ptr_array_add (graphs, stria_graph_ref (graph));
      return g_steal_pointer (&graphs);
    }
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND, _ ("There is no view “%s” of “%s”. %s"),
               view_names[kind], set->name, reason != NULL ? reason : "");
  return NULL;
}

static void
json_attr (CliJson *json, const char *key, const char *value)
{
  cli_json_begin_object (json, NULL);
  cli_json_string (json, "key", key);
  cli_json_string (json, "value", value);
  cli_json_end_object (json);
}

/* Members of the array that is open */
static void
json_attrs (CliJson *json, StriaGraph *graph, guint32 first, guint32 n)
{
  const StriaGraphAttrRow *attrs = stria_graph_attrs (graph, first);

  for (guint32 i = 0; i < n; i++)
    json_attr (json, stria_graph_text (graph, attrs[i].key),
               stria_graph_text (graph, attrs[i].value));
}

static void
json_ports (CliJson *json, const char *key, StriaGraph *graph, const StriaGraphPortRow *ports,
            guint32 n)
{
  cli_json_begin_array (json, key);
  for (guint32 i = 0; i < n; i++)
    {
      cli_json_begin_object (json, NULL);
      cli_json_string (json, "id", stria_graph_text (graph, ports[i].id));
      cli_json_begin_array (json, "attrs");
      json_attrs (json, graph, ports[i].first_attr, ports[i].n_attrs);
      /* A record says of a tensor what it is and no more. */
      if (ports[i].n_attrs == 0 && ports[i].name != 0)
        json_attr (json, "name", stria_graph_text (graph, ports[i].name));
      if (ports[i].n_attrs == 0 && ports[i].type != 0)
        json_attr (json, "type", stria_graph_text (graph, ports[i].type));
      cli_json_end_array (json);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
}

static const char *
port_id (StriaGraph *graph, guint32 port)
{
  if (port == STRIA_NO_REF)
    return "0";
  return stria_graph_text (graph, STRIA_ROWS (stria_graph_get_facts (graph), StriaGraphPortRow,
                                              STRIA_TABLE_GRAPH_PORT)[port]
                                      .id);
}

static void
json_node (CliJson *json, StriaGraph *graph, guint32 number)
{
  const StriaGraphNodeRow *node = stria_graph_node (graph, number);
  guint32 group = stria_graph_node_group (graph, number);
  guint32 n;
  const guint32 *edges = stria_graph_in_edges (graph, number, &n);
  const StriaGraphPortRow *ports;

  cli_json_begin_object (json, NULL);
  cli_json_string (json, "id", stria_graph_text (graph, node->id));
  cli_json_string (json, "label", stria_graph_text (graph, node->label));
  cli_json_string (json, "namespace",
                   group == STRIA_NO_GROUP
                       ? ""
                       : stria_graph_text (graph, stria_graph_group (graph, group)->id));
  cli_json_begin_array (json, "subgraphIds");
  if (node->subgraph != 0)
    cli_json_string (json, NULL, stria_graph_text (graph, node->subgraph));
  cli_json_end_array (json);
  cli_json_begin_array (json, "attrs");
  json_attrs (json, graph, node->first_attr, node->n_attrs);
  cli_json_end_array (json);
  cli_json_begin_array (json, "incomingEdges");
  for (guint32 i = 0; i < n; i++)
    {
      const StriaGraphEdgeRow *edge = stria_graph_edge (graph, edges[i]);
      guint32 source = stria_graph_edge_source (graph, edges[i]);

      cli_json_begin_object (json, NULL);
      cli_json_string (json, "sourceNodeId",
                       stria_graph_text (graph, stria_graph_node (graph, source)->id));
      cli_json_string (json, "sourceNodeOutputId", port_id (graph, edge->source_port));
      cli_json_string (json, "targetNodeInputId", port_id (graph, edge->target_port));
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
  ports = stria_graph_inputs (graph, number, &n);
  json_ports (json, "inputsMetadata", graph, ports, n);
  ports = stria_graph_outputs (graph, number, &n);
  json_ports (json, "outputsMetadata", graph, ports, n);
  cli_json_end_object (json);
}

void
cli_json_graph (CliJson *json, StriaGraph *graph)
{
  gboolean has_attrs = FALSE;

  cli_json_begin_object (json, NULL);
  cli_json_string (json, "id", stria_graph_get_name (graph));
  cli_json_begin_array (json, "nodes");
  for (guint32 i = 0; i < stria_graph_n_nodes (graph); i++)
    json_node (json, graph, i);
  cli_json_end_array (json);
  for (guint32 i = 0; i < stria_graph_n_groups (graph); i++)
    {
      const StriaGraphGroupRow *group = stria_graph_group (graph, i);
      const StriaGraphAttrRow *attrs = stria_graph_attrs (graph, group->first_attr);

      if (group->n_attrs == 0)
        continue;
      if (!has_attrs)
        cli_json_begin_object (json, "groupNodeAttributes");
      has_attrs = TRUE;
      cli_json_begin_object (json, stria_graph_text (graph, group->id));
      for (guint32 a = 0; a < group->n_attrs; a++)
        cli_json_string (json, stria_graph_text (graph, attrs[a].key),
                         stria_graph_text (graph, attrs[a].value));
      cli_json_end_object (json);
    }
  if (has_attrs)
    cli_json_end_object (json);
  cli_json_end_object (json);
}

static void
append_quoted (GString *out, const char *text)
{
  g_autofree char *printable = cli_printable (text);

  g_string_append_c (out, '"');
  for (const char *at = printable; *at != '\0'; at++)
    {
      if (*at == '"' || *at == '\\')
        g_string_append_c (out, '\\');
      g_string_append_c (out, *at);
    }
  g_string_append_c (out, '"');
}

static void
append_group (GString *out, StriaGraph *graph, guint number, guint32 group)
{
  guint32 n;
  const guint32 *list = stria_graph_group_groups (graph, group, &n);

  for (guint32 i = 0; i < n; i++)
    {
      g_string_append_printf (out, "subgraph cluster_%u_%u {\nlabel=", number, list[i]);
      append_quoted (out, stria_graph_text (graph, stria_graph_group (graph, list[i])->label));
      g_string_append (out, ";\n");
      append_group (out, graph, number, list[i]);
      g_string_append (out, "}\n");
    }
  list = stria_graph_group_nodes (graph, group, &n);
  for (guint32 i = 0; i < n; i++)
    {
      g_string_append_printf (out, "n%u_%u [label=", number, list[i]);
      append_quoted (out, stria_graph_text (graph, stria_graph_node (graph, list[i])->label));
      g_string_append (out, "];\n");
    }
}

char *
cli_dot_graphs (GPtrArray *graphs)
{
  GString *out = g_string_new ("digraph {\nnode [shape=box];\ncompound=true;\n");

  for (guint g = 0; g < graphs->len; g++)
    {
      StriaGraph *graph = graphs->pdata[g];

      append_group (out, graph, g, STRIA_NO_GROUP);
      for (guint32 i = 0; i < stria_graph_n_edges (graph); i++)
        g_string_append_printf (out, "n%u_%u -> n%u_%u;\n", g, stria_graph_edge_source (graph, i),
                                g, stria_graph_edge_target (graph, i));
    }
  g_string_append (out, "}\n");
  return g_string_free (out, FALSE);
}

static CliExit
write_graphs (CliContext *context, GPtrArray *graphs, const char *label, Format format, FILE *file,
              CliExit exit)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *dot = NULL;
  CliJson json;

  if (format == FORMAT_JSON)
    {
      cli_json_init (&json, file, 4);
      cli_json_begin_object (&json, NULL);
      cli_json_string (&json, "label", label);
      cli_json_begin_array (&json, "graphs");
      for (guint i = 0; i < graphs->len; i++)
        cli_json_graph (&json, graphs->pdata[i]);
      cli_json_end_array (&json);
      cli_json_end_object (&json);
      cli_json_finish (&json);
      return exit;
    }
  if (format == FORMAT_SVG)
    return cli_svg_graphs (graphs, file, context->cancellable, &error)
               ? exit
               : cli_fail (context, CLI_FAILED, error);
  dot = cli_dot_graphs (graphs);
  fputs (dot, file);
  return exit;
}

static gboolean
parse_format (const char *text, Format *format)
{
  static const char *const names[] = { "json", "dot", "svg" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (text == NULL || g_str_equal (text, names[i]))
      {
        *format = i;
        return TRUE;
      }
  return FALSE;
}

static CliExit
run_graph (CliContext *context, int argc, char **argv)
{
  g_autofree char *method = NULL;
  g_autofree char *set = NULL;
  g_autofree char *format_name = NULL;
  g_autofree char *label = NULL;
  g_autofree char *view = NULL;
  const GOptionEntry entries[] = {
    { "method", 'm', 0, G_OPTION_ARG_STRING, &method,
      N_ ("Method of the program, where there are several"), N_ ("NAME") },
    { "set", 0, 0, G_OPTION_ARG_STRING, &set,
      N_ ("Which files, where the capture has several sets of them"), N_ ("NAME") },
    { "format", 0, 0, G_OPTION_ARG_STRING, &format_name, N_ ("json (default), dot or svg"),
      N_ ("FORMAT") },
    { NULL },
  };
  g_auto (CliCapture) open = { 0 };
  g_autoptr (GPtrArray) graphs = NULL;
  g_autoptr (GError) error = NULL;
  Format format;
  guint kind = 0;
  CliExit exit;

  if (!cli_parse (context, &cli_command_graph, argc, argv, entries, 2, G_MAXUINT))
    return CLI_USAGE;
  if (!parse_format (format_name, &format))
    return cli_usage (context, _ ("--format takes json, dot or svg, not “%s”"), format_name);
  view = g_strdup (context->rest[context->n_rest - 1]);
  while (kind < G_N_ELEMENTS (view_names) && !g_str_equal (view_names[kind], view))
    kind++;
  if (kind == G_N_ELEMENTS (view_names))
    return cli_usage (context, _ ("There is no view “%s”; there are %s"), view, all_views);
  g_clear_pointer (&context->rest[--context->n_rest], g_free);

  exit = cli_open (context, (const char *const *) context->rest, CLI_OPEN_DEFAULT, &open);
  if (!cli_is_open (exit))
    return exit;
  graphs = find_graphs (open.capture, set, kind, method, &label, &error);
  if (graphs == NULL)
    return cli_fail (
        context, g_error_matches (error, STRIA_ERROR, STRIA_ERROR_QUERY) ? CLI_USAGE : CLI_FAILED,
        error);
  return write_graphs (context, graphs, label, format, stdout, exit);
}

const CliCommand cli_command_graph = {
  .name = "graph",
  .parameters = N_ ("CAPTURE… VIEW"),
  .summary = N_ ("A graph of an ExecuTorch model, a program or a VGF"),
  .run = run_graph,
};
