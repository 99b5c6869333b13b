/* SPDX-License-Identifier: Apache-2.0 */
/* A window with one graph, for walks and for looking at:
 *   graph-host [--dark] [--nodes N] [--level N] [FILE...]
 * Without files the graph is made here: N operators in modules of modules. What can be asked of the
 * widget is said in a label. */
#include "config.h"

#include <adwaita.h>

#include "stria-graph-area.h"
#include "stria-importer.h"
#include "stria-scan.h"

#define BLOCK 12 /* operators a module */

static GtkWidget *area;
static GtkWidget *label;
static guint n_laid_out;

static StriaGraph *
make_graph (guint n_nodes)
{
  static const char *const operators[]
      = { "conv2d", "rescale", "clamp", "add", "max_pool2d", "reshape", "matmul" };
  g_autoptr (StriaFacts) facts = stria_facts_new ();
  StriaGraphBuilder *b = stria_graph_builder_new (facts, STRIA_GRAPH_SOURCE, "walk", "forward");
  guint32 features = stria_graph_builder_group (b, STRIA_NO_GROUP, "features", STRIA_GROUP_MODULE);
  guint32 head = stria_graph_builder_group (b, STRIA_NO_GROUP, "classifier", STRIA_GROUP_MODULE);
  guint32 before = STRIA_NO_NODE, before_port = STRIA_NO_REF, skip = STRIA_NO_NODE;
  guint32 skip_port = STRIA_NO_REF;

  for (guint i = 0; i < n_nodes; i++)
    {
      const gboolean is_end = i == 0 || i + 1 == n_nodes;
      g_autofree char *block = g_strdup_printf ("block%u", i / BLOCK);
      g_autofree char *id = g_strdup_printf ("op_%u", i);
      g_autofree char *type = g_strdup_printf ("1×%u×%u×8 int8", 64 >> (i / BLOCK % 4),
                                               64 >> (i / BLOCK % 4));
      const char *name = i == 0   ? "input"
                         : is_end ? "output"
                                  : operators[i % G_N_ELEMENTS (operators)];
      guint32 group = is_end                    ? STRIA_NO_GROUP
                      : i > n_nodes - n_nodes / 4 ? head
                                                  : stria_graph_builder_group (b, features, block,
                                                                               STRIA_GROUP_MODULE);
      guint32 node, input = STRIA_NO_REF, output;

      node = stria_graph_builder_node (b, id, name, group,
                                       i == 0   ? STRIA_NODE_INPUT
                                       : is_end ? STRIA_NODE_OUTPUT
                                                : STRIA_NODE_OPERATOR,
                                       is_end ? -1 : (gint64) i);
      stria_graph_builder_attr_printf (b, "debug_handle", "%u", i);
      if (i > 0)
        input = stria_graph_builder_input (b, "0", "x", type);
      output = stria_graph_builder_output (b, "0", id, type);
      if (before != STRIA_NO_NODE)
        stria_graph_builder_edge (b, before, before_port, node, input);
      if (i % BLOCK == 7 && skip != STRIA_NO_NODE)
        stria_graph_builder_edge (b, skip, skip_port, node, input);
      if (i % BLOCK == 2)
        {
          skip = node;
          skip_port = output;
        }
      before = node;
      before_port = output;
    }
  return stria_graph_new (facts, stria_graph_builder_finish (b));
}

/* The largest graph of some files. */
static StriaGraph *
read_graph (const char *const *paths)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaCapture) capture = stria_scan (paths, NULL, &error);
  g_autoptr (StriaImporter) importer = NULL;
  StriaGraph *largest = NULL;

  if (capture == NULL)
    g_error ("%s", error->message);
  importer = stria_importer_new (capture);
  stria_importer_set_no_store (importer, TRUE);
  if (!stria_importer_run (importer, NULL, &error))
    g_error ("%s", error->message);
  for (guint a = 0; a < stria_capture_get_n_artifacts (capture); a++)
    {
      g_autoptr (StriaFacts) facts = stria_capture_ref_facts (capture, a);

      for (guint32 g = 0; facts != NULL && g < stria_facts_size (facts, STRIA_TABLE_GRAPH); g++)
        {
          StriaGraph *graph = stria_graph_new (facts, g);

          if (largest == NULL || stria_graph_n_nodes (graph) > stria_graph_n_nodes (largest))
            {
              g_clear_pointer (&largest, stria_graph_unref);
              largest = g_steal_pointer (&graph);
            }
          g_clear_pointer (&graph, stria_graph_unref);
        }
    }
  return largest;
}

static void
update (void)
{
  StriaGraphArea *self = STRIA_GRAPH_AREA (area);
  const StriaGraphView *view = stria_graph_area_get_view (self);
  StriaGraph *graph = stria_graph_area_get_graph (self);
  const guint32 node = stria_graph_area_get_node (self);
  const guint32 group = stria_graph_area_get_group (self);
  g_autofree char *text = NULL;
  double x = -1, y = -1;
  guint32 item;

  if (view == NULL)
    return;
  item = node != STRIA_NO_NODE     ? view->scene->item_of_node[node]
         : group != STRIA_NO_GROUP ? view->scene->item_of_group[group]
                                   : STRIA_NO_ITEM;
  if (item != STRIA_NO_ITEM)
    {
      x = ((double) view->scene->items[item].x - view->x) * view->zoom;
      y = ((double) view->scene->items[item].y - view->y) * view->zoom;
    }
  text = g_strdup_printf (
      "boxes %u, zoom %.3f, at %.0f %.0f, box %.0f %.0f, laid out %u, selected %u: %s",
      view->scene->n_items, view->zoom, view->x, view->y, x, y, n_laid_out,
      stria_graph_area_get_nodes (self)->len,
      node != STRIA_NO_NODE ? stria_graph_text (graph, stria_graph_node (graph, node)->id)
      : group != STRIA_NO_GROUP
          ? stria_graph_text (graph, stria_graph_group (graph, group)->id)
          : "nothing");
  gtk_label_set_label (GTK_LABEL (label), text);
}

static void
on_laid_out (void)
{
  n_laid_out++;
  update ();
}

static void
on_search (GtkEditable *entry, gpointer data)
{
  const guint n = stria_graph_area_search (STRIA_GRAPH_AREA (area), gtk_editable_get_text (entry));
  g_autofree char *text = g_strdup_printf ("%u matches", n);

  gtk_label_set_label (GTK_LABEL (data), text);
}

static void
on_next (GtkSearchEntry *entry, gpointer data)
{
  g_autofree char *text
      = g_strdup_printf ("match %u", stria_graph_area_search_next (STRIA_GRAPH_AREA (area), TRUE));

  gtk_label_set_label (GTK_LABEL (data), text);
}

static gboolean
on_close (GtkWindow *window, gpointer data)
{
  g_main_loop_quit (data);
  return FALSE;
}

int
main (int argc, char **argv)
{
  gboolean dark = FALSE;
  int n_nodes = 80;
  int level = -1;
  g_auto (GStrv) paths = NULL;
  const GOptionEntry entries[]
      = { { "dark", 0, 0, G_OPTION_ARG_NONE, &dark, "In dark style", NULL },
          { "nodes", 0, 0, G_OPTION_ARG_INT, &n_nodes, "Size of the graph that is made", "N" },
          { "level", 0, 0, G_OPTION_ARG_INT, &level, "Levels that are open", "N" },
          { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &paths, NULL, NULL },
          { NULL } };
  g_autoptr (GOptionContext) options = g_option_context_new ("[FILE…]");
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (StriaGraph) graph = NULL;
  GtkWidget *window, *box, *bar, *entry, *count;

  g_option_context_add_main_entries (options, entries, NULL);
  if (!g_option_context_parse (options, &argc, &argv, NULL))
    return 2;
  g_set_prgname ("stria");
  adw_init ();
  if (dark)
    adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                        ADW_COLOR_SCHEME_FORCE_DARK);
  graph = paths != NULL ? read_graph ((const char *const *) paths) : make_graph ((guint) n_nodes);
  window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (window), 1200, 760);
  gtk_window_set_title (GTK_WINDOW (window), "Graph");
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  entry = gtk_search_entry_new ();
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, "Search",
                                  -1);
  count = gtk_label_new ("no search");
  label = gtk_label_new ("");
  area = stria_graph_area_new ();
  gtk_box_append (GTK_BOX (bar), entry);
  gtk_box_append (GTK_BOX (bar), count);
  gtk_box_append (GTK_BOX (bar), label);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), area);
  gtk_window_set_child (GTK_WINDOW (window), box);
  g_signal_connect (entry, "changed", G_CALLBACK (on_search), count);
  g_signal_connect (entry, "activate", G_CALLBACK (on_next), count);
  g_signal_connect (area, "selection-changed", G_CALLBACK (update), NULL);
  g_signal_connect (area, "view-changed", G_CALLBACK (update), NULL);
  g_signal_connect (area, "laid-out", G_CALLBACK (on_laid_out), NULL);
  g_signal_connect (window, "close-request", G_CALLBACK (on_close), loop);
  stria_graph_area_set_graph (STRIA_GRAPH_AREA (area), graph);
  if (level >= 0)
    stria_graph_area_set_level (STRIA_GRAPH_AREA (area), (guint) level);
  gtk_window_present (GTK_WINDOW (window));
  gtk_widget_grab_focus (area);
  g_main_loop_run (loop);
  return 0;
}
