/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-sections.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-details-rows.h"
#include "stria-model-text.h"
#include "stria-source-link.h"

/* Links of one kind that are shown; a partition may have thousands. */
#define MAX_LINKS 40
#define MAX_PORTS 40

static GtkWidget *
add_section (GtkBox *box, const char *title, const char *note)
{
  GtkWidget *body;

  gtk_box_append (box, stria_details_section_new (title, note, &body));
  return body;
}

static GtkWidget *
dim_label_new (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "caption");
  return label;
}

/* ---- Measurements -------------------------------------------------------------------------- */

static gboolean
is_main (const char *name)
{
  static const char *const names[]
      = { "runtime",   "call_runtime",   "total_cycles",
          "op_cycles", "compute_cycles", "target_utilization",
          NULL };

  return g_strv_contains (names, name);
}

static void
add_metric (GtkWidget *table, const StriaMetric *metric, const char *name)
{
  g_autofree char *text = metric->available
                              ? stria_model_value_text (metric->value, metric->unit, FALSE)
                              : g_strdup (metric->reason);

  stria_details_table_add (table, name, text, NULL);
}

static void
add_main_metrics (GtkBox *box, StriaProfile *profile, const StriaEntity *entity)
{
  GtkWidget *table = NULL;
  const char *last = NULL;

  for (guint i = 0; i < entity->metrics->len; i++)
    {
      const StriaMetric *metric
          = stria_profile_metric (profile, g_array_index (entity->metrics, guint32, i));

      if (!is_main (metric->name))
        continue;
      if (last == NULL || !g_str_equal (last, metric->name))
        {
          g_autofree char *coverage
              = metric->available
                    ? stria_model_coverage_text (metric->samples, entity->executions_of)
                    : g_strdup (_ ("not available"));
          GtkWidget *body
              = add_section (box, stria_model_metric_title (metric->name), coverage);

          table = stria_details_table_new ();
          gtk_box_append (GTK_BOX (body), table);
          if (metric->available && metric->samples < entity->executions_of)
            gtk_box_append (GTK_BOX (body),
                            dim_label_new (_ ("It was not measured in all executions.")));
          last = metric->name;
        }
      add_metric (table, metric,
                  metric->available ? stria_model_aggregation_title (metric->aggregation)
                                    : _ ("Reason"));
    }
}

void
stria_model_add_counters (GtkBox *box, StriaModelState *state, guint32 number)
{
  StriaProfile *profile = stria_model_state_get_index (state)->profile;
  const StriaEntity *entity = stria_profile_entity (profile, number);
  const StriaAggregation aggregation = stria_model_state_get_metric (state)->aggregation;
  g_autoptr (GString) zeros = g_string_new (NULL);
  GtkWidget *table = NULL;

  for (guint i = 0; i < entity->metrics->len; i++)
    {
      const StriaMetric *metric
          = stria_profile_metric (profile, g_array_index (entity->metrics, guint32, i));

      if (is_main (metric->name) || (metric->available && metric->aggregation != aggregation))
        continue;
      if (table == NULL)
        {
          GtkWidget *body
              = add_section (box, _ ("Counters"), stria_model_aggregation_title (aggregation));

          table = stria_details_table_new ();
          gtk_box_append (GTK_BOX (body), table);
        }
      if (metric->available && metric->value == 0)
        g_string_append_printf (zeros, "%s%s", zeros->len > 0 ? ", " : "", metric->name);
      else
        add_metric (table, metric, metric->name);
    }
  if (zeros->len > 0)
    {
      /* Translators: names of counters that counted nothing */
      g_autofree char *text = g_strdup_printf (_ ("0 cycles: %s"), zeros->str);

      gtk_box_append (box, dim_label_new (text));
    }
}

void
stria_model_add_measurements (GtkBox *box, StriaModelState *state, guint32 number)
{
  StriaProfile *profile = stria_model_state_get_index (state)->profile;
  const StriaEntity *entity = stria_profile_entity (profile, number);

  add_main_metrics (box, profile, entity);
  if (entity->shared > 1)
    {
      g_autofree char *text = g_strdup_printf (
          ngettext ("%u operator shares this time: it is that of all together.",
                    "%u operators share this time: it is that of all together.", entity->shared),
          entity->shared);

      gtk_box_append (box, dim_label_new (text));
    }
  if (entity->metrics->len > 0)
    return;
  if (entity->kind == STRIA_ENTITY_COMPILER_OPERATOR || entity->kind == STRIA_ENTITY_TRACE_OPERATOR)
    gtk_box_append (box, dim_label_new (_ ("Operators of a chain are not measured one by one; what "
                                           "their chain took is no time of each of them.")));
  else
    gtk_box_append (box, dim_label_new (_ ("Nothing was measured of it.")));
}

/* ---- Links --------------------------------------------------------------------------------- */

typedef struct
{
  StriaModelState *state;
  guint32 entity;
} Goal;

static void
goal_free (gpointer data, GClosure *closure)
{
  Goal *goal = data;

  g_object_unref (goal->state);
  g_free (goal);
}

static void
on_go (Goal *goal)
{
  g_autoptr (StriaModelState) state = g_object_ref (goal->state);

  /* Going there takes this button away, and the goal with it. */
  stria_model_state_go (state, goal->entity);
}

static const StriaMetric *
main_metric (StriaModelState *state, guint32 number)
{
  StriaProfile *profile = stria_model_state_get_index (state)->profile;
  const StriaModelMetric *chosen = stria_model_state_get_metric (state);
  const char *const names[] = { chosen->counter, "runtime", "total_cycles", "op_cycles" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const StriaMetric *metric
          = names[i] != NULL
                ? stria_profile_find_metric (profile, number, names[i], chosen->aggregation)
                : NULL;

      if (metric != NULL && metric->available)
        return metric;
    }
  return NULL;
}

/* What a link says to somebody who does not see under which heading it stands: where it goes, what
 * was measured there, and how sure it is. */
static char *
spoken (StriaModelState *state, guint32 number, const char *text, const char *evidence)
{
  const StriaEntity *entity
      = stria_profile_entity (stria_model_state_get_index (state)->profile, number);
  const StriaMetric *metric = main_metric (state, number);
  GString *words = g_string_new (text);

  g_string_append_printf (words, ", %s", stria_model_kind_title (entity->kind));
  if (metric != NULL)
    {
      g_autofree char *value = stria_model_value_text (metric->value, metric->unit, FALSE);

      g_string_append_printf (words, ", %s %s %s", stria_model_metric_title (metric->name),
                              stria_model_aggregation_title (metric->aggregation), value);
    }
  if (evidence != NULL)
    {
      /* Translators: how sure a link between two things is: “link: Exact” */
      g_autofree char *sure = g_strdup_printf (_ ("link: %s"), evidence);

      g_string_append_printf (words, ", %s", sure);
    }
  return g_string_free (words, FALSE);
}

GtkWidget *
stria_model_link_new (StriaModelState *state, guint32 number, const char *caption,
                      const char *note, const char *evidence)
{
  const StriaEntity *entity
      = stria_profile_entity (stria_model_state_get_index (state)->profile, number);
  g_autofree char *text = stria_model_entity_text (entity);
  g_autofree char *tooltip
      = note != NULL ? g_strdup_printf ("%s\n%s", text, note) : g_strdup (text);
  GtkWidget *button
      = stria_details_link_new (text, caption, NULL, tooltip);
  g_autofree char *name = spoken (state, number, text, evidence);
  Goal *goal = g_new (Goal, 1);

  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  goal->state = g_object_ref (state);
  goal->entity = number;
  g_signal_connect_data (button, "clicked", G_CALLBACK (on_go), goal, goal_free, G_CONNECT_SWAPPED);
  return button;
}

static void
add_link (GtkWidget *body, StriaModelState *state, guint32 number, const char *note,
          const char *evidence)
{
  const StriaEntity *entity
      = stria_profile_entity (stria_model_state_get_index (state)->profile, number);

  gtk_box_append (GTK_BOX (body),
                  stria_model_link_new (state, number, stria_model_kind_title (entity->kind), note,
                                        evidence));
}

static void
add_rest (GtkWidget *body, guint n)
{
  g_autofree char *text = NULL;

  if (n <= MAX_LINKS)
    return;
  text = g_strdup_printf (ngettext ("and %u more", "and %u more", n - MAX_LINKS), n - MAX_LINKS);
  gtk_box_append (GTK_BOX (body), dim_label_new (text));
}

static void
add_evidence (GtkBox *box, StriaModelState *state, guint32 number, StriaEvidence evidence)
{
  StriaProfile *profile = stria_model_state_get_index (state)->profile;
  const StriaEntity *entity = stria_profile_entity (profile, number);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  GtkWidget *body = NULL;
  guint n = 0;

  for (guint i = 0; i < entity->links->len; i++)
    {
      const StriaLink *link
          = stria_profile_link (profile, g_array_index (entity->links, guint32, i));
      const guint32 other = link->from == number ? link->to : link->from;

      if (link->evidence != evidence || !g_hash_table_add (seen, GUINT_TO_POINTER (other)))
        continue;
      if (body == NULL)
        {
          g_autofree char *title
              = g_strdup_printf (_ ("Corresponds to: %s"), stria_model_evidence_title (evidence));

          body = add_section (box, title, NULL);
          gtk_box_append (GTK_BOX (body), dim_label_new (stria_model_evidence_note (evidence)));
        }
      if (n++ < MAX_LINKS)
        add_link (body, state, other, link->note, stria_model_evidence_title (evidence));
    }
  if (body != NULL)
    add_rest (body, n);
}

static void
add_relatives (GtkBox *box, StriaModelState *state, const char *title, const GArray *relatives)
{
  GtkWidget *body = NULL;

  for (guint i = 0; i < relatives->len && i < MAX_LINKS; i++)
    {
      if (body == NULL)
        body = add_section (box, title, NULL);
      add_link (body, state, g_array_index (relatives, guint32, i), NULL, NULL);
    }
  if (body != NULL)
    add_rest (body, relatives->len);
}

void
stria_model_add_links (GtkBox *box, StriaModelState *state, guint32 number)
{
  const StriaEntity *entity
      = stria_profile_entity (stria_model_state_get_index (state)->profile, number);

  for (guint i = STRIA_EVIDENCE_EXACT; i <= STRIA_EVIDENCE_AMBIGUOUS; i++)
    add_evidence (box, state, number, (StriaEvidence) i);
  if (entity->unmatched)
    gtk_box_append (
        box, dim_label_new (_ ("No measurement is linked to it. A missing link does not show that "
                               "nothing ran.")));
}

void
stria_model_add_relatives (GtkBox *box, StriaModelState *state, guint32 number)
{
  const StriaEntity *entity
      = stria_profile_entity (stria_model_state_get_index (state)->profile, number);

  /* Everything is a part of the model, which tells nobody anything. */
  if (entity->kind == STRIA_ENTITY_MODEL)
    return;
  add_relatives (box, state, _ ("Part of"), entity->parents);
  add_relatives (box, state, _ ("Contains"), entity->children);
}

/* ---- Attributes, ports, source ------------------------------------------------------------- */

static GtkWidget *
table_in (GtkBox *box, GtkWidget **table, const char *title)
{
  if (*table == NULL)
    {
      GtkWidget *body = add_section (box, title, NULL);

      *table = stria_details_table_new ();
      gtk_box_append (GTK_BOX (body), *table);
    }
  return *table;
}

static void
add_value (GtkWidget *table, const char *key, const char *value)
{
  const StriaField field = { .key = (char *) key, .type = STRIA_FIELD_STRING,
                             .text = (char *) value };

  stria_details_table_add_widget (table, key, stria_details_field_new (&field));
}

static gboolean
has_attribute (const StriaEntity *entity, const char *key)
{
  for (guint i = 0; entity != NULL && entity->attributes != NULL && i + 1 < entity->attributes->len;
       i += 2)
    if (g_str_equal (entity->attributes->pdata[i], key))
      return TRUE;
  return FALSE;
}

void
stria_model_add_attributes (GtkBox *box, const StriaEntity *entity, StriaGraph *graph,
                            guint32 first_attr, guint32 n_attrs)
{
  const StriaGraphAttrRow *attrs
      = graph != NULL && n_attrs > 0 ? stria_graph_attrs (graph, first_attr) : NULL;
  GtkWidget *table = NULL;

  for (guint i = 0; entity != NULL && entity->attributes != NULL && i + 1 < entity->attributes->len;
       i += 2)
    add_value (table_in (box, &table, _ ("Attributes")), entity->attributes->pdata[i],
               entity->attributes->pdata[i + 1]);
  for (guint32 i = 0; attrs != NULL && i < n_attrs; i++)
    if (!has_attribute (entity, stria_graph_text (graph, attrs[i].key)))
      add_value (table_in (box, &table, _ ("Attributes")), stria_graph_text (graph, attrs[i].key),
                 stria_graph_text (graph, attrs[i].value));
}

static void
add_port_list (GtkBox *box, StriaGraph *graph, const char *title, const StriaGraphPortRow *ports,
               guint32 n)
{
  GtkWidget *table = NULL;

  for (guint32 i = 0; i < n && i < MAX_PORTS; i++)
    {
      const char *name = stria_graph_text (graph, ports[i].name != 0 ? ports[i].name : ports[i].id);
      const char *type = stria_graph_text (graph, ports[i].type);

      stria_details_table_add (table_in (box, &table, title), name,
                               *type != '\0' ? type : _ ("type not known"), NULL);
    }
  if (table != NULL && n > MAX_PORTS)
    {
      g_autofree char *text = g_strdup_printf (
          ngettext ("and %u more", "and %u more", n - MAX_PORTS), n - MAX_PORTS);

      gtk_box_append (box, dim_label_new (text));
    }
}

void
stria_model_add_ports (GtkBox *box, StriaGraph *graph, guint32 node)
{
  guint32 n;
  const StriaGraphPortRow *ports = stria_graph_inputs (graph, node, &n);

  add_port_list (box, graph, _ ("Inputs"), ports, n);
  ports = stria_graph_outputs (graph, node, &n);
  add_port_list (box, graph, _ ("Outputs"), ports, n);
}

void
stria_model_add_source (GtkBox *box, StriaGraph *graph, guint32 node)
{
  const StriaGraphNodeRow *row = stria_graph_node (graph, node);
  const guint32 group = stria_graph_node_group (graph, node);
  GtkWidget *body;

  if (row->file == 0)
    return;
  body = add_section (box, _ ("Source"), NULL);
  if (stria_source_is_file (stria_graph_text (graph, row->file)))
    {
      const char *path = stria_graph_text (graph, row->file);
      g_autofree char *base = g_path_get_basename (path);
      g_autofree char *text = stria_source_text (base, row->line);

      gtk_box_append (GTK_BOX (body), stria_source_link_new (text, path, path, row->line));
    }
  if (group != STRIA_NO_GROUP && stria_graph_group (graph, group)->kind == STRIA_GROUP_MODULE)
    {
      GtkWidget *table = stria_details_table_new ();

      stria_details_table_add (table, _ ("Module"),
                               stria_graph_text (graph, stria_graph_group (graph, group)->id),
                               NULL);
      gtk_box_append (GTK_BOX (body), table);
    }
}
