/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-area-private.h"

#include <glib/gi18n-lib.h>

#include "stria-format.h"
#include "stria-source-link.h"

/**
 * SECTION:stria-graph-area-text
 *
 * What is said about boxes and wires: a card for the pointer and the keyboard, a sentence for
 * screen readers.
 */

#define MOST_LINES 8   /* of one kind; what follows is counted */
#define MOST_CHARS 120 /* of a text that a file may make as long as it likes */

static char *
shortened (const char *text)
{
  g_autofree char *cut = NULL;

  if (g_utf8_strlen (text, -1) <= MOST_CHARS)
    return g_strdup (text);
  cut = g_utf8_substring (text, 0, MOST_CHARS);
  return g_strconcat (cut, "…", NULL);
}

/* Its label, or the path that is its id */
static const char *
group_text (StriaGraph *graph, guint32 group, gboolean path)
{
  const StriaGraphGroupRow *row = stria_graph_group (graph, group);

  return stria_graph_text (graph, path ? row->id : row->label);
}

static void
add_line (GString *markup, const char *label, const char *value)
{
  g_autofree char *cut = shortened (value);
  g_autofree char *escaped = g_markup_escape_text (cut, -1);

  g_string_append (markup, "\n");
  if (label != NULL)
    g_string_append_printf (markup, "<span alpha=\"65%%\">%s</span>  ", label);
  g_string_append (markup, escaped);
}

static GString *
titled (const char *title)
{
  g_autofree char *cut = shortened (title);
  g_autofree char *escaped = g_markup_escape_text (cut, -1);
  GString *markup = g_string_new (NULL);

  g_string_append_printf (markup, "<b>%s</b>", *cut != '\0' ? escaped : _ ("(no name)"));
  return markup;
}

static void
add_count (GString *markup, guint n)
{
  if (n > 0)
    g_string_append_printf (markup, ngettext ("\n… and %u more", "\n… and %u more", n), n);
}

static void
add_ports (GString *markup, StriaGraph *graph, const char *title, const StriaGraphPortRow *ports,
           guint32 n)
{
  for (guint32 i = 0; i < MIN (n, MOST_LINES); i++)
    {
      const char *name = stria_graph_text (graph, ports[i].name);
      const char *type = stria_graph_text (graph, ports[i].type);
      g_autofree char *value = NULL;

      if (*name == '\0')
        name = stria_graph_text (graph, ports[i].id);
      value = g_strdup_printf (*type != '\0' ? "%s: %s" : "%s%s", name, type);
      add_line (markup, title, value);
    }
  add_count (markup, n > MOST_LINES ? n - MOST_LINES : 0);
}

static const StriaGraphFigure *
figure_of (StriaGraphArea *self, StriaGraphSpot spot)
{
  const StriaGraphFigure *figure = NULL;

  if (spot.node != STRIA_NO_NODE)
    figure = self->node_figures != NULL ? &self->node_figures[spot.node] : NULL;
  else if (spot.group != STRIA_NO_GROUP && spot.section == G_MAXUINT32)
    figure = self->group_figures != NULL ? &self->group_figures[spot.group] : NULL;
  return figure != NULL && figure->state != STRIA_FIGURE_NONE ? figure : NULL;
}

static char *
node_card (StriaGraphArea *self, guint32 node)
{
  StriaGraph *graph = self->graph;
  const StriaGraphNodeRow *row = stria_graph_node (graph, node);
  const guint32 group = stria_graph_node_group (graph, node);
  const StriaGraphFigure *figure = figure_of (self, (StriaGraphSpot){ node, STRIA_NO_GROUP,
                                                                      G_MAXUINT32 });
  GString *markup = titled (stria_graph_text (graph, row->label));
  const StriaGraphPortRow *ports;
  guint32 n;

  if (figure != NULL)
    add_line (markup, NULL, stria_graph_figure_text (figure));
  if (row->file != 0)
    {
      g_autofree char *name = g_path_get_basename (stria_graph_text (graph, row->file));
      g_autofree char *place = stria_source_text (name, row->line);

      add_line (markup, _ ("Source"), place);
    }
  add_line (markup, _ ("ID"), stria_graph_text (graph, row->id));
  if (group != STRIA_NO_GROUP)
    add_line (markup, _ ("In"), group_text (graph, group, TRUE));
  ports = stria_graph_inputs (graph, node, &n);
  add_ports (markup, graph, _ ("Input"), ports, n);
  ports = stria_graph_outputs (graph, node, &n);
  add_ports (markup, graph, _ ("Output"), ports, n);
  return g_string_free (markup, FALSE);
}

static char *
count_nodes (guint n)
{
  g_autofree char *count = stria_format_count (n);

  return g_strdup_printf (ngettext ("%s node", "%s nodes", n), count);
}

static char *
section_title (const StriaSceneItem *item)
{
  return g_strdup_printf (_ ("Section %u of %u"), item->section + 1, item->n_sections);
}

char *
stria_graph_area_item_card (StriaGraphArea *self, guint32 number)
{
  const StriaSceneItem *item = &self->scene->items[number];
  const StriaGraphFigure *figure = figure_of (self, stria_graph_spot (self->scene, number));
  g_autofree char *count = NULL;
  g_autofree char *section = NULL;
  GString *markup = NULL;

  if (item->node != STRIA_NO_NODE)
    return node_card (self, item->node);
  if (item->section != G_MAXUINT32)
    {
      section = section_title (item);
      return g_string_free (titled (section), FALSE);
    }
  markup = titled (group_text (self->graph, item->group, FALSE));
  count = count_nodes (stria_graph_group_weight (self->graph, item->group));
  if (figure != NULL)
    add_line (markup, NULL, stria_graph_figure_text (figure));
  add_line (markup, NULL, count);
  add_line (markup, _ ("ID"), group_text (self->graph, item->group, TRUE));
  return g_string_free (markup, FALSE);
}

static char *
end_title (StriaGraphArea *self, guint32 number)
{
  const StriaSceneItem *item = &self->scene->items[number];

  if (item->node != STRIA_NO_NODE)
    return g_strdup (
        stria_graph_text (self->graph, stria_graph_node (self->graph, item->node)->label));
  if (item->section != G_MAXUINT32)
    return section_title (item);
  return g_strdup (group_text (self->graph, item->group, FALSE));
}

/* What flows along an edge: its tensor by name and shape, as the source says it, else the
 * target. */
static char *
tensor_text (StriaGraph *graph, guint32 edge)
{
  const StriaGraphEdgeRow *row = stria_graph_edge (graph, edge);
  const StriaGraphPortRow *ports
      = STRIA_ROWS (stria_graph_get_facts (graph), StriaGraphPortRow, STRIA_TABLE_GRAPH_PORT);
  const guint32 ends[] = { row->source_port, row->target_port };
  guint32 name = 0, type = 0;

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (ends[i] != STRIA_NO_REF)
      {
        name = name == 0 ? ports[ends[i]].name : name;
        type = type == 0 ? ports[ends[i]].type : type;
      }
  if (name == 0 && type == 0)
    return NULL;
  if (name == 0 || type == 0)
    return g_strdup (stria_graph_text (graph, name | type));
  return g_strdup_printf ("%s: %s", stria_graph_text (graph, name), stria_graph_text (graph, type));
}

static void
add_tensors (StriaGraphArea *self, GString *markup, const StriaSceneWire *wire)
{
  StriaScene *scene = self->scene;
  guint lines = 0;
  guint more = 0;

  for (guint32 i = 0; i < stria_graph_n_nodes (self->graph); i++)
    {
      guint32 n;
      const guint32 *edges;

      if (scene->item_of_node[i] != wire->source)
        continue;
      edges = stria_graph_out_edges (self->graph, i, &n);
      for (guint32 e = 0; e < n; e++)
        {
          g_autofree char *text = NULL;

          if (scene->item_of_node[stria_graph_edge_target (self->graph, edges[e])] != wire->target)
            continue;
          if (lines < MOST_LINES)
            text = tensor_text (self->graph, edges[e]);
          else
            more++;
          if (text != NULL)
            {
              add_line (markup, NULL, text);
              lines++;
            }
        }
    }
  add_count (markup, more);
}

char *
stria_graph_area_wire_card (StriaGraphArea *self, guint32 number)
{
  const StriaSceneWire *wire = &self->scene->wires[number];
  g_autofree char *source = end_title (self, wire->source);
  g_autofree char *target = end_title (self, wire->target);
  g_autofree char *title = g_strdup_printf ("%s → %s", source, target);
  g_autofree char *count = stria_format_count (wire->n_edges);
  g_autofree char *edges
      = g_strdup_printf (ngettext ("%s edge", "%s edges", wire->n_edges), count);
  GString *markup = titled (title);

  if (wire->n_edges > 1)
    add_line (markup, NULL, edges);
  add_tensors (self, markup, wire);
  return g_string_free (markup, FALSE);
}

static void
add_part (GString *text, const char *part)
{
  if (part == NULL || *part == '\0')
    return;
  if (text->len > 0)
    g_string_append (text, ", ");
  g_string_append (text, part);
}

static void
describe_node (StriaGraphArea *self, GString *text, guint32 node)
{
  StriaGraph *graph = self->graph;
  const guint32 group = stria_graph_node_group (graph, node);
  guint32 n_inputs, n_outputs;
  const StriaGraphPortRow *outputs = stria_graph_outputs (graph, node, &n_outputs);
  g_autofree char *inputs_text = NULL;
  g_autofree char *outputs_text = NULL;

  add_part (text, stria_graph_text (graph, stria_graph_node (graph, node)->label));
  for (guint32 i = 0; i < n_outputs; i++)
    if (outputs[i].type != 0)
      {
        add_part (text, stria_graph_text (graph, outputs[i].type));
        break;
      }
  stria_graph_inputs (graph, node, &n_inputs);
  inputs_text = g_strdup_printf (ngettext ("%u input", "%u inputs", n_inputs), n_inputs);
  outputs_text = g_strdup_printf (ngettext ("%u output", "%u outputs", n_outputs), n_outputs);
  add_part (text, inputs_text);
  add_part (text, outputs_text);
  if (group != STRIA_NO_GROUP)
    {
      /* Translators: where a node of a graph is: the path of its group */
      g_autofree char *in
          = g_strdup_printf (_ ("in %s"), group_text (graph, group, TRUE));

      add_part (text, in);
    }
}

static void
describe_group (StriaGraphArea *self, GString *text, StriaGraphSpot spot)
{
  const guint32 item
      = self->scene != NULL ? stria_graph_spot_find (self->scene, spot) : STRIA_NO_ITEM;
  const gboolean is_shown
      = self->scene != NULL && stria_graph_spot_is_item (self->scene, spot, item);
  g_autofree char *title = NULL;
  g_autofree char *count = NULL;

  if (spot.section == G_MAXUINT32)
    {
      /* Translators: a group of a graph, by name */
      title = g_strdup_printf (_ ("group %s"), group_text (self->graph, spot.group, FALSE));
      count = count_nodes (stria_graph_group_weight (self->graph, spot.group));
    }
  else if (is_shown)
    title = section_title (&self->scene->items[item]);
  add_part (text, title);
  add_part (text, count);
  if (is_shown)
    add_part (text, self->scene->items[item].open ? _ ("open") : _ ("closed"));
}

/* How many nodes have a box of their own, if not all of them do */
static void
add_shown (StriaGraphArea *self, GString *text)
{
  const guint32 n = stria_graph_n_nodes (self->graph);
  g_autofree char *part = NULL;
  guint32 shown = 0;

  if (self->scene == NULL)
    return;
  for (guint32 i = 0; i < self->scene->n_items; i++)
    shown += self->scene->items[i].node != STRIA_NO_NODE;
  if (shown >= n)
    return;
  part = g_strdup_printf (ngettext ("%u of them shown", "%u of them shown", shown), shown);
  add_part (text, part);
}

/**
 * stria_graph_area_describe:
 * @spot: what is selected, or none
 *
 * Returns: (transfer full): one sentence about it, or about the graph
 */
char *
stria_graph_area_describe (StriaGraphArea *self, StriaGraphSpot spot)
{
  GString *text = g_string_new (NULL);
  const StriaGraphFigure *figure = figure_of (self, spot);

  if (self->graph == NULL)
    g_string_append (text, _ ("No graph"));
  else if (self->nodes->len > 1)
    g_string_append_printf (text,
                            ngettext ("%u node is selected", "%u nodes are selected",
                                      self->nodes->len),
                            self->nodes->len);
  else if (spot.node != STRIA_NO_NODE)
    describe_node (self, text, spot.node);
  else if (!stria_graph_spot_is_none (spot))
    describe_group (self, text, spot);
  else
    {
      g_autofree char *count = count_nodes (stria_graph_n_nodes (self->graph));

      /* Graphs that the program makes have names that it translates. */
      if (*stria_graph_get_name (self->graph) != '\0')
        add_part (text, _ (stria_graph_get_name (self->graph)));
      add_part (text, count);
      add_shown (self, text);
    }
  if (figure != NULL && self->nodes->len < 2)
    add_part (text, stria_graph_figure_text (figure));
  return g_string_free (text, FALSE);
}
