/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-state.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_HISTORY 200

struct _StriaModelState
{
  GObject parent_instance;

  StriaCapture     *capture;
  char            **sets;
  char            **methods;
  guint             set;
  guint             method;
  StriaTimeUnit     unit;
  GCancellable     *cancellable; /* of the worker, or NULL */
  StriaModelIndex  *index;
  char             *error;
  StriaModelMetric  metric;
  StriaComparison  *comparison; /* (nullable) */
  gboolean          is_second;  /* side of it */

  StriaModelSelection selection;
  gpointer            origin; /* not owned, only compared */
  guint8             *relation;
  guint64             shown;   /* bit by number of a graph */
  GArray             *history; /* StriaModelSelection */
  guint               at;      /* in it */
};

enum
{
  PROP_BUSY = 1,
  N_PROPS
};

enum
{
  SETS_CHANGED,
  PROFILE_CHANGED,
  METRIC_CHANGED,
  SELECTION_CHANGED,
  REVEAL,
  SHOW_GRAPH,
  N_SIGNALS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaModelState, stria_model_state, G_TYPE_OBJECT)

static const StriaModelSelection nothing
    = { G_MAXUINT, STRIA_NO_NODE, STRIA_NO_GROUP, STRIA_NO_REF };

typedef struct
{
  StriaCapture *capture;
  guint set;
  char *method; /* NULL: the first */
  StriaTimeUnit unit;
  /* Answers */
  char **sets;
  char **methods;
  StriaModelIndex *index;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->capture);
  g_free (job->method);
  g_strfreev (job->sets);
  g_strfreev (job->methods);
  g_clear_pointer (&job->index, stria_model_index_unref);
  g_free (job);
}

static void
run_job (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  g_autoptr (GPtrArray) sets = stria_profile_sets (job->capture);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  const StriaProfileSet *set;
  g_autoptr (StriaProfile) profile = NULL;
  GError *error = NULL;

  for (guint i = 0; i < sets->len; i++)
    g_strv_builder_add (names, ((StriaProfileSet *) sets->pdata[i])->name);
  job->sets = g_strv_builder_end (names);
  if (sets->len == 0)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  set = sets->pdata[MIN (job->set, sets->len - 1)];
  job->methods = stria_profile_methods (job->capture, set);
  if (job->method == NULL || !g_strv_contains ((const char *const *) job->methods, job->method))
    {
      g_free (job->method);
      job->method = g_strdup (job->methods[0]);
    }
  profile = stria_profile_new (job->capture, set, job->method, job->unit, &error);
  if (profile == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  job->index = stria_model_index_new (profile);
  g_task_return_boolean (task, TRUE);
}

static void
forget_selection (StriaModelState *self)
{
  self->selection = nothing;
  self->origin = NULL;
  g_clear_pointer (&self->relation, g_free);
  g_array_set_size (self->history, 0);
  self->at = 0;
}

static void
take_answers (StriaModelState *self, Job *job)
{
  g_strfreev (self->sets);
  self->sets = g_steal_pointer (&job->sets);
  g_strfreev (self->methods);
  self->methods = g_steal_pointer (&job->methods);
  self->method = 0;
  for (guint i = 0; self->methods != NULL && self->methods[i] != NULL; i++)
    if (g_strcmp0 (self->methods[i], job->method) == 0)
      self->method = i;
  g_clear_pointer (&self->index, stria_model_index_unref);
  self->index = g_steal_pointer (&job->index);
  /* Names of counters are the profile's; another one may not have it. */
  if (self->metric.counter != NULL)
    {
      const char *counter = NULL;

      for (guint i = 0; self->index != NULL && i < self->index->counters->len; i++)
        if (g_str_equal (self->index->counters->pdata[i], self->metric.counter))
          counter = self->index->counters->pdata[i];
      self->metric.counter = counter;
    }
}

static void
on_job_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaModelState) self = user_data;
  Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  const gboolean done = g_task_propagate_boolean (G_TASK (result), &error);

  /* Another one has been started since, or nobody listens any more. */
  if (g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    return;
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->error, g_free);
  if (!done)
    self->error = g_strdup (error->message);
  forget_selection (self);
  take_answers (self, job);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_BUSY]);
  g_signal_emit (self, signals[SETS_CHANGED], 0);
  g_signal_emit (self, signals[PROFILE_CHANGED], 0);
}

static void
start (StriaModelState *self, const char *method)
{
  g_autoptr (GTask) task = NULL;
  Job *job = g_new0 (Job, 1);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  job->capture = g_object_ref (self->capture);
  job->set = self->set;
  job->method = g_strdup (method);
  job->unit = self->unit;
  task = g_task_new (NULL, self->cancellable, on_job_done, g_object_ref (self));
  /* Its answer is whole or not looked at. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run_job);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_BUSY]);
}

static const char *
method_name (StriaModelState *self)
{
  return self->methods != NULL && self->method < g_strv_length (self->methods)
             ? self->methods[self->method]
             : NULL;
}

static void
stria_model_state_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_BUSY)
    g_value_set_boolean (value, stria_model_state_is_busy (STRIA_MODEL_STATE (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
stria_model_state_dispose (GObject *object)
{
  StriaModelState *self = STRIA_MODEL_STATE (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->capture);
  G_OBJECT_CLASS (stria_model_state_parent_class)->dispose (object);
}

static void
stria_model_state_finalize (GObject *object)
{
  StriaModelState *self = STRIA_MODEL_STATE (object);

  g_strfreev (self->sets);
  g_strfreev (self->methods);
  g_clear_pointer (&self->comparison, stria_comparison_unref);
  g_clear_pointer (&self->index, stria_model_index_unref);
  g_free (self->error);
  g_free (self->relation);
  g_array_unref (self->history);
  G_OBJECT_CLASS (stria_model_state_parent_class)->finalize (object);
}

static guint
signal_new (GObjectClass *klass, const char *name)
{
  return g_signal_new (name, G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                       G_TYPE_NONE, 0);
}

static void
stria_model_state_class_init (StriaModelStateClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = stria_model_state_get_property;
  object_class->dispose = stria_model_state_dispose;
  object_class->finalize = stria_model_state_finalize;
  props[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE,
                                           G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
  signals[SETS_CHANGED] = signal_new (object_class, "sets-changed");
  signals[PROFILE_CHANGED] = signal_new (object_class, "profile-changed");
  signals[METRIC_CHANGED] = signal_new (object_class, "metric-changed");
  signals[SELECTION_CHANGED] = signal_new (object_class, "selection-changed");
  signals[REVEAL] = signal_new (object_class, "reveal");
  signals[SHOW_GRAPH]
      = g_signal_new ("show-graph", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                      NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
stria_model_state_init (StriaModelState *self)
{
  self->metric.aggregation = STRIA_AGGREGATION_P50;
  self->unit = STRIA_TIME_NS;
  self->selection = nothing;
  self->history = g_array_new (FALSE, FALSE, sizeof (StriaModelSelection));
}

StriaModelState *
stria_model_state_new (StriaCapture *capture)
{
  StriaModelState *self = g_object_new (STRIA_TYPE_MODEL_STATE, NULL);

  self->capture = g_object_ref (capture);
  return self;
}

StriaModelState *
stria_model_state_new_compared (StriaCapture *capture, StriaModelIndex *index,
                                StriaComparison *comparison, gboolean second)
{
  StriaModelState *self = stria_model_state_new (capture);

  self->index = stria_model_index_ref (index);
  self->comparison = stria_comparison_ref (comparison);
  self->is_second = second;
  return self;
}

StriaComparison *
stria_model_state_get_comparison (StriaModelState *self, gboolean *second)
{
  g_return_val_if_fail (STRIA_IS_MODEL_STATE (self), NULL);

  *second = self->is_second;
  return self->comparison;
}

StriaCapture *
stria_model_state_get_capture (StriaModelState *self)
{
  g_return_val_if_fail (STRIA_IS_MODEL_STATE (self), NULL);

  return self->capture;
}

void
stria_model_state_load (StriaModelState *self)
{
  g_return_if_fail (STRIA_IS_MODEL_STATE (self));

  if (self->cancellable == NULL && self->index == NULL && self->error == NULL)
    start (self, NULL);
}

const char *const *
stria_model_state_get_sets (StriaModelState *self)
{
  return (const char *const *) self->sets;
}

guint
stria_model_state_get_set (StriaModelState *self)
{
  return self->set;
}

void
stria_model_state_choose_set (StriaModelState *self, guint set)
{
  g_return_if_fail (STRIA_IS_MODEL_STATE (self));

  if (set == self->set)
    return;
  self->set = set;
  start (self, method_name (self));
}

const char *const *
stria_model_state_get_methods (StriaModelState *self)
{
  return (const char *const *) self->methods;
}

guint
stria_model_state_get_method (StriaModelState *self)
{
  return self->method;
}

void
stria_model_state_choose_method (StriaModelState *self, guint method)
{
  g_return_if_fail (STRIA_IS_MODEL_STATE (self));

  if (method == self->method)
    return;
  self->method = method;
  start (self, method_name (self));
}

StriaTimeUnit
stria_model_state_get_unit (StriaModelState *self)
{
  return self->unit;
}

void
stria_model_state_choose_unit (StriaModelState *self, StriaTimeUnit unit)
{
  g_return_if_fail (STRIA_IS_MODEL_STATE (self));

  if (unit == self->unit)
    return;
  self->unit = unit;
  start (self, method_name (self));
}

StriaModelIndex *
stria_model_state_get_index (StriaModelState *self)
{
  return self->index;
}

const char *
stria_model_state_get_error (StriaModelState *self)
{
  return self->error;
}

gboolean
stria_model_state_is_busy (StriaModelState *self)
{
  return self->cancellable != NULL;
}

const StriaModelMetric *
stria_model_state_get_metric (StriaModelState *self)
{
  return &self->metric;
}

void
stria_model_state_set_counter (StriaModelState *self, const char *counter)
{
  g_return_if_fail (STRIA_IS_MODEL_STATE (self));

  if (g_strcmp0 (counter, self->metric.counter) == 0)
    return;
  self->metric.counter = counter;
  g_signal_emit (self, signals[METRIC_CHANGED], 0);
}

void
stria_model_state_set_aggregation (StriaModelState *self, StriaAggregation aggregation)
{
  g_return_if_fail (STRIA_IS_MODEL_STATE (self));

  if (aggregation == self->metric.aggregation)
    return;
  self->metric.aggregation = aggregation;
  g_signal_emit (self, signals[METRIC_CHANGED], 0);
}

const StriaModelSelection *
stria_model_state_get_selection (StriaModelState *self)
{
  return &self->selection;
}

/* Entities of all nodes in a group and the groups inside it: what a module path stands for. */
static void
gather (const StriaModelGraph *graph, guint32 group, guint depth, GArray *entities)
{
  guint32 n_nodes, n_groups;
  const guint32 *nodes = stria_graph_group_nodes (graph->graph, group, &n_nodes);
  const guint32 *groups = stria_graph_group_groups (graph->graph, group, &n_groups);

  for (guint32 i = 0; i < n_nodes; i++)
    if (graph->node_entities[nodes[i]] != STRIA_NO_REF)
      g_array_append_val (entities, graph->node_entities[nodes[i]]);
  for (guint32 i = 0; i < n_groups && depth < STRIA_GRAPH_MAX_DEPTH; i++)
    gather (graph, groups[i], depth + 1, entities);
}

static void
update_relation (StriaModelState *self)
{
  const StriaModelSelection *selection = &self->selection;
  g_autoptr (GArray) entities = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_clear_pointer (&self->relation, g_free);
  if (self->index == NULL)
    return;
  if (selection->entity != STRIA_NO_REF)
    g_array_append_val (entities, selection->entity);
  else if (selection->graph < self->index->graphs->len && selection->group != STRIA_NO_GROUP)
    gather (self->index->graphs->pdata[selection->graph], selection->group, 0, entities);
  if (entities->len > 0)
    self->relation = stria_model_index_relate (
        self->index, (const guint32 *) (gpointer) entities->data, entities->len);
}

static gboolean
is_same (const StriaModelSelection *a, const StriaModelSelection *b)
{
  return a->graph == b->graph && a->node == b->node && a->group == b->group
         && a->entity == b->entity;
}

static void
remember (StriaModelState *self)
{
  const StriaModelSelection *selection = &self->selection;

  if (selection->graph == G_MAXUINT
      || (self->history->len > 0
          && is_same (selection, &g_array_index (self->history, StriaModelSelection, self->at))))
    return;
  if (self->history->len > 0)
    g_array_set_size (self->history, self->at + 1);
  if (self->history->len == MAX_HISTORY)
    g_array_remove_index (self->history, 0);
  g_array_append_vals (self->history, selection, 1);
  self->at = self->history->len - 1;
}

static void
set_selection (StriaModelState *self, const StriaModelSelection *selection, gpointer origin)
{
  self->selection = *selection;
  self->origin = origin;
  update_relation (self);
  g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

void
stria_model_state_select (StriaModelState *self, guint graph, guint32 node, guint32 group,
                          gpointer origin)
{
  StriaModelSelection selection = nothing;
  const StriaModelGraph *in;

  g_return_if_fail (STRIA_IS_MODEL_STATE (self));

  if (self->index == NULL || graph >= self->index->graphs->len)
    return;
  in = self->index->graphs->pdata[graph];
  if (in->graph != NULL && node != STRIA_NO_NODE && node < stria_graph_n_nodes (in->graph))
    selection = (StriaModelSelection){ graph, node, STRIA_NO_GROUP, in->node_entities[node] };
  else if (in->graph != NULL && group != STRIA_NO_GROUP && group < stria_graph_n_groups (in->graph))
    selection = (StriaModelSelection){ graph, STRIA_NO_NODE, group, in->group_entities[group] };
  if (is_same (&selection, &self->selection))
    return;
  self->selection = selection;
  remember (self);
  set_selection (self, &selection, origin);
}

gpointer
stria_model_state_get_origin (StriaModelState *self)
{
  return self->origin;
}

static guint
find_shown (StriaModelState *self, guint32 entity)
{
  for (guint i = 0; i < MIN (self->index->graphs->len, 64u); i++)
    {
      guint32 node, group;

      if ((self->shown >> i & 1) != 0
          && stria_model_graph_find (self->index->graphs->pdata[i], entity, &node, &group))
        return i;
    }
  return G_MAXUINT;
}

gboolean
stria_model_state_go (StriaModelState *self, guint32 entity)
{
  StriaModelSelection selection = nothing;

  g_return_val_if_fail (STRIA_IS_MODEL_STATE (self), FALSE);

  if (self->index == NULL)
    return FALSE;
  selection.entity = entity;
  selection.graph = find_shown (self, entity);
  if (selection.graph == G_MAXUINT)
    selection.graph = stria_model_index_graph_of (self->index, entity);
  if (selection.graph != G_MAXUINT)
    stria_model_graph_find (self->index->graphs->pdata[selection.graph], entity, &selection.node,
                            &selection.group);
  self->selection = selection;
  remember (self);
  set_selection (self, &selection, NULL);
  if (selection.graph != G_MAXUINT)
    g_signal_emit (self, signals[REVEAL], 0);
  return selection.graph != G_MAXUINT;
}

void
stria_model_state_set_shown (StriaModelState *self, guint64 graphs)
{
  g_return_if_fail (STRIA_IS_MODEL_STATE (self));

  self->shown = graphs;
}

void
stria_model_state_show_graph (StriaModelState *self, guint graph)
{
  g_return_if_fail (STRIA_IS_MODEL_STATE (self));

  g_signal_emit (self, signals[SHOW_GRAPH], 0, graph);
}

const guint8 *
stria_model_state_get_relation (StriaModelState *self)
{
  return self->relation;
}

gboolean
stria_model_state_can_step (StriaModelState *self, gboolean forward)
{
  return forward ? self->at + 1 < self->history->len : self->at > 0;
}

gboolean
stria_model_state_step (StriaModelState *self, gboolean forward)
{
  StriaModelSelection selection;

  g_return_val_if_fail (STRIA_IS_MODEL_STATE (self), FALSE);

  if (!stria_model_state_can_step (self, forward))
    return FALSE;
  self->at += forward ? 1 : -1;
  selection = g_array_index (self->history, StriaModelSelection, self->at);
  set_selection (self, &selection, NULL);
  g_signal_emit (self, signals[REVEAL], 0);
  return TRUE;
}
