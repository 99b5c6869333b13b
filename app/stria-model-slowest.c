/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-slowest.h"

#include <glib/gi18n-lib.h>

#include "stria-details-rows.h"
#include "stria-model-sections.h"
#include "stria-model-text.h"
#include "stria-source-link.h"

#define MAX_ROWS  5
#define MAX_LINES 3 /* of source, of one of them */

typedef struct
{
  guint32 entity;
  double value;
} Measured;

static int
order_measured (gconstpointer a, gconstpointer b)
{
  const Measured *x = a, *y = b;

  if (x->value != y->value)
    return x->value < y->value ? 1 : -1;
  return x->entity < y->entity ? -1 : 1;
}

/* Returns: (transfer full): of one kind, the greatest first */
static GArray *
measured_new (StriaModelIndex *index, const StriaModelScale *scale, StriaAggregation aggregation,
              StriaEntityKind kind)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (Measured));

  for (guint32 i = 0; i < stria_profile_n_entities (index->profile); i++)
    {
      const StriaMetric *metric;

      if (stria_profile_entity (index->profile, i)->kind != kind)
        continue;
      metric = stria_model_index_metric (index, scale, aggregation, i);
      if (metric != NULL && metric->available && metric->value > 0)
        g_array_append_vals (found, &(Measured){ i, metric->value }, 1);
    }
  g_array_sort (found, order_measured);
  return found;
}

static char *
title_of (StriaEntityKind kind, const char *metric)
{
  if (!stria_model_metric_is_time (metric))
    /* Translators: a counter of the hardware */
    return g_strdup_printf (_ ("Most %s"), metric);
  if (kind == STRIA_ENTITY_CHAIN)
    return g_strdup (_ ("Slowest chains"));
  return g_strdup (kind == STRIA_ENTITY_SOURCE_OPERATOR ? _ ("Slowest operators")
                                                        : _ ("Slowest instructions"));
}

static const StriaModelGraph *
find_graph (StriaModelIndex *index, StriaGraphKind kind)
{
  for (guint i = 0; i < index->graphs->len; i++)
    {
      const StriaModelGraph *graph = index->graphs->pdata[i];

      if (graph->kind == kind && graph->graph != NULL)
        return graph;
    }
  return NULL;
}

/* FALSE: nothing says where it is */
static gboolean
add_line (GtkWidget *body, StriaGraph *graph, guint32 node, GHashTable *seen)
{
  const StriaGraphNodeRow *row = stria_graph_node (graph, node);
  const char *path = stria_graph_text (graph, row->file);
  g_autofree char *place = stria_source_text (path, row->line);
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;
  GtkWidget *link;

  if (row->file == 0 || !stria_source_is_file (path) || g_hash_table_contains (seen, place))
    return FALSE;
  g_hash_table_add (seen, g_steal_pointer (&place));
  name = g_path_get_basename (path);
  text = stria_source_text (name, row->line);
  link = stria_source_link_new (text, stria_graph_text (graph, row->label), path, row->line);
  gtk_widget_set_margin_start (link, 18);
  gtk_box_append (GTK_BOX (body), link);
  return TRUE;
}

/* The lines of Python of an operator, or of all operators that a chain was made from */
static void
add_lines (GtkWidget *body, StriaModelIndex *index, guint32 entity, StriaEntityKind kind)
{
  const StriaModelGraph *of
      = find_graph (index, kind == STRIA_ENTITY_CHAIN ? STRIA_GRAPH_MAPPING : STRIA_GRAPH_SOURCE);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const guint32 *nodes;
  guint32 node, group, n;
  guint n_lines = 0;

  if (of == NULL || !stria_model_graph_find (of, entity, &node, &group))
    return;
  if (kind != STRIA_ENTITY_CHAIN && node != STRIA_NO_NODE)
    add_line (body, of->graph, node, seen);
  if (kind != STRIA_ENTITY_CHAIN || group == STRIA_NO_GROUP)
    return;
  nodes = stria_graph_group_nodes (of->graph, group, &n);
  for (guint32 i = 0; i < n && n_lines < MAX_LINES; i++)
    n_lines += add_line (body, of->graph, nodes[i], seen);
}

void
stria_model_add_slowest (GtkBox *box, StriaModelState *state)
{
  static const StriaEntityKind kinds[]
      = { STRIA_ENTITY_CHAIN, STRIA_ENTITY_SOURCE_OPERATOR, STRIA_ENTITY_METHOD_CALL };
  StriaModelIndex *index = stria_model_state_get_index (state);
  const StriaModelMetric *metric = stria_model_state_get_metric (state);

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      g_autoptr (GArray) found = NULL;
      g_autofree char *title = NULL;
      g_autofree char *note = NULL;
      StriaModelScale scale;
      GtkWidget *body;

      stria_model_index_scale (index, metric, kinds[k], &scale);
      if (scale.name == NULL)
        continue;
      found = measured_new (index, &scale, metric->aggregation, kinds[k]);
      if (found->len == 0)
        continue;
      title = title_of (kinds[k], scale.name);
      note = g_strdup_printf ("%s, %s", stria_model_metric_title (scale.name),
                              stria_model_aggregation_title (metric->aggregation));
      gtk_box_append (box, stria_details_section_new (title, note, &body));
      for (guint i = 0; i < MIN (found->len, MAX_ROWS); i++)
        {
          const Measured *row = &g_array_index (found, Measured, i);
          g_autofree char *value = stria_model_value_text (row->value, scale.unit, TRUE);

          if (kinds[k] == STRIA_ENTITY_SOURCE_OPERATOR
              && stria_profile_entity (index->profile, row->entity)->shared > 1)
            {
              char *shared = g_strdup_printf (_ ("%s, shared"), value);

              g_free (value);
              value = shared;
            }
          gtk_box_append (GTK_BOX (body),
                          stria_model_link_new (state, row->entity, value, NULL, NULL));
          add_lines (body, index, row->entity, kinds[k]);
        }
      return;
    }
}
