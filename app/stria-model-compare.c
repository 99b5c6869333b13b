/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-compare.h"

#include <glib/gi18n-lib.h>

#include "stria-error.h"
#include "stria-importer.h"
#include "stria-model-difference.h"
#include "stria-model-text.h"
#include "stria-scan.h"

struct _StriaModelCompare
{
  GObject parent_instance;

  StriaModelState *base;
  GCancellable    *cancellable; /* of the worker, or NULL */
  char            *name;
  char            *error;
  StriaCapture    *capture;     /* the second one, once it is read */
  StriaComparison *comparison;
  StriaModelState *states[2];
  GArray          *graphs;      /* by graph of the first: number in the second */
  GPtrArray       *partners;    /* by graph of the first */
  gboolean         is_second;
  gboolean         is_following;
};

enum
{
  PROP_BUSY = 1,
  N_PROPS
};

enum
{
  CHANGED,
  SELECTED,
  N_SIGNALS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaModelCompare, stria_model_compare, G_TYPE_OBJECT)

typedef struct
{
  char **paths;            /* NULL: @capture is read already */
  StriaModelIndex *first;
  char *set;               /* the first one's */
  /* Answers */
  StriaCapture *capture;
  StriaModelIndex *second;
  StriaComparison *comparison;
  GArray *graphs;
  GPtrArray *partners;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_strfreev (job->paths);
  g_free (job->set);
  stria_model_index_unref (job->first);
  g_clear_object (&job->capture);
  g_clear_pointer (&job->second, stria_model_index_unref);
  g_clear_pointer (&job->comparison, stria_comparison_unref);
  g_clear_pointer (&job->graphs, g_array_unref);
  g_clear_pointer (&job->partners, g_ptr_array_unref);
  g_free (job);
}

static gboolean
read_capture (Job *job, GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaCapture) capture
      = stria_scan ((const char *const *) job->paths, cancellable, error);
  g_autoptr (StriaImporter) importer = NULL;

  if (capture == NULL)
    return FALSE;
  importer = stria_importer_new (capture);
  if (!stria_importer_run (importer, cancellable, error))
    return FALSE;
  job->capture = g_steal_pointer (&capture);
  return TRUE;
}

/* The set of the same name, else the first that has the method, else the first. */
static const StriaProfileSet *
choose_set (Job *job, GPtrArray *sets, const char *method)
{
  const StriaProfileSet *with_method = NULL;

  for (guint i = 0; i < sets->len; i++)
    {
      const StriaProfileSet *set = sets->pdata[i];
      g_auto (GStrv) methods = stria_profile_methods (job->capture, set);

      if (sets->len > 1 && g_strcmp0 (set->name, job->set) == 0)
        return set;
      if (with_method == NULL && method != NULL
          && g_strv_contains ((const char *const *) methods, method))
        with_method = set;
    }
  return with_method != NULL ? with_method : sets->pdata[0];
}

static StriaProfile *
open_profile (Job *job, GError **error)
{
  g_autoptr (GPtrArray) sets = stria_profile_sets (job->capture);
  const char *method = stria_profile_get_method (job->first->profile);
  const StriaProfileSet *set;
  g_auto (GStrv) methods = NULL;

  if (sets->len == 0)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                   _ ("There is no ExecuTorch file in the capture that could be read"));
      return NULL;
    }
  set = choose_set (job, sets, method);
  methods = stria_profile_methods (job->capture, set);
  /* Another method would be another model; where there is but one, its name does not matter. */
  if (g_strv_length (methods) <= 1)
    method = methods[0];
  else if (method == NULL || !g_strv_contains ((const char *const *) methods, method))
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                   _ ("There is no method “%s” in it"), method != NULL ? method : "");
      return NULL;
    }
  return stria_profile_new (job->capture, set, method, stria_profile_get_unit (job->first->profile),
                            error);
}

static void
run_job (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  g_autoptr (StriaProfile) profile = NULL;
  GError *error = NULL;

  if (job->paths != NULL && !read_capture (job, cancellable, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  profile = open_profile (job, &error);
  if (profile == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  job->second = stria_model_index_new (profile);
  job->comparison = stria_comparison_new (job->first->profile, profile);
  job->graphs = g_array_new (FALSE, FALSE, sizeof (guint));
  job->partners
      = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_model_partners_free);
  for (guint i = 0; i < job->first->graphs->len; i++)
    {
      const StriaModelGraph none = { 0 };
      const guint other = stria_model_partners_graph (job->first, job->second, i);

      if (g_task_return_error_if_cancelled (task))
        return;
      g_array_append_val (job->graphs, other);
      g_ptr_array_add (job->partners,
                       stria_model_partners_new (
                           job->comparison, job->first->graphs->pdata[i],
                           other != G_MAXUINT ? job->second->graphs->pdata[other] : &none));
    }
  g_task_return_boolean (task, TRUE);
}

static void
drop_comparison (StriaModelCompare *self)
{
  for (guint i = 0; i < 2; i++)
    {
      if (self->states[i] != NULL)
        g_signal_handlers_disconnect_by_data (self->states[i], self);
      g_clear_object (&self->states[i]);
    }
  g_clear_pointer (&self->comparison, stria_comparison_unref);
  g_clear_pointer (&self->graphs, g_array_unref);
  g_clear_pointer (&self->partners, g_ptr_array_unref);
  self->is_second = FALSE;
}

/* The graph of the first capture that graph @graph of a side is, or G_MAXUINT */
static guint
first_graph (StriaModelCompare *self, gboolean second, guint graph)
{
  if (!second)
    return graph;
  for (guint i = 0; i < self->graphs->len; i++)
    if (g_array_index (self->graphs, guint, i) == graph)
      return i;
  return G_MAXUINT;
}

static void
on_selection (StriaModelCompare *self, StriaModelState *state)
{
  const gboolean second = state == self->states[1];
  const StriaModelSelection *selection = stria_model_state_get_selection (state);
  StriaModelState *other = self->states[!second];
  guint32 node = STRIA_NO_NODE, group = STRIA_NO_GROUP;
  guint graph, shown;

  if (self->is_following)
    return;
  self->is_following = TRUE;
  self->is_second = second;
  graph = selection->graph != G_MAXUINT ? first_graph (self, second, selection->graph) : G_MAXUINT;
  if (graph != G_MAXUINT)
    stria_model_partners_find (self->partners->pdata[graph], second, selection->node,
                               selection->group, &node, &group);
  shown = graph == G_MAXUINT ? 0
          : second           ? graph
                             : g_array_index (self->graphs, guint, graph);
  /* Nothing is selected where there is no partner. */
  if (shown != G_MAXUINT)
    stria_model_state_select (other, shown, node, group, self);
  self->is_following = FALSE;
  g_signal_emit (self, signals[SELECTED], 0);
}

/* Names of counters are interned, and a profile may lack one. */
static void
follow_metric (StriaModelCompare *self)
{
  const StriaModelMetric *metric = stria_model_state_get_metric (self->base);

  for (guint i = 0; i < 2 && self->states[i] != NULL; i++)
    {
      stria_model_state_set_counter (self->states[i], metric->counter);
      stria_model_state_set_aggregation (self->states[i], metric->aggregation);
    }
  if (self->comparison != NULL)
    g_signal_emit (self, signals[SELECTED], 0);
}

static void
take_answers (StriaModelCompare *self, Job *job)
{
  drop_comparison (self);
  g_set_object (&self->capture, job->capture);
  self->comparison = g_steal_pointer (&job->comparison);
  self->graphs = g_steal_pointer (&job->graphs);
  self->partners = g_steal_pointer (&job->partners);
  self->states[0] = stria_model_state_new_compared (stria_model_state_get_capture (self->base),
                                                    job->first, self->comparison, FALSE);
  self->states[1]
      = stria_model_state_new_compared (job->capture, job->second, self->comparison, TRUE);
  follow_metric (self);
  for (guint i = 0; i < 2; i++)
    g_signal_connect_object (self->states[i], "selection-changed", G_CALLBACK (on_selection), self,
                             G_CONNECT_SWAPPED);
}

static void
on_job_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaModelCompare) self = user_data;
  Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  const gboolean done = g_task_propagate_boolean (G_TASK (result), &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    return;
  g_clear_object (&self->cancellable);
  if (done)
    take_answers (self, job);
  else
    {
      self->error = g_strdup (error->message);
      /* What is left would be of another method than what is shown. */
      if (job->paths == NULL)
        drop_comparison (self);
    }
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_BUSY]);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
stop (StriaModelCompare *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->error, g_free);
}

static void
start (StriaModelCompare *self, const char *const *paths)
{
  StriaModelIndex *index = stria_model_state_get_index (self->base);
  g_autoptr (GTask) task = NULL;
  Job *job = g_new0 (Job, 1);

  stop (self);
  self->cancellable = g_cancellable_new ();
  job->paths = g_strdupv ((char **) paths);
  job->capture = paths == NULL ? g_object_ref (self->capture) : NULL;
  job->first = stria_model_index_ref (index);
  job->set = g_strdup (stria_profile_get_set (index->profile)->name);
  task = g_task_new (NULL, self->cancellable, on_job_done, g_object_ref (self));
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run_job);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_BUSY]);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* Another set, method or unit of the first: the second one follows, without being read again. */
static void
on_profile_changed (StriaModelCompare *self)
{
  if (self->capture == NULL)
    return;
  if (stria_model_state_get_index (self->base) != NULL)
    start (self, NULL);
  else
    stria_model_compare_end (self);
}

static void
stria_model_compare_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_BUSY)
    g_value_set_boolean (value, STRIA_MODEL_COMPARE (object)->cancellable != NULL);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
stria_model_compare_dispose (GObject *object)
{
  StriaModelCompare *self = STRIA_MODEL_COMPARE (object);

  stop (self);
  drop_comparison (self);
  g_clear_object (&self->capture);
  g_clear_object (&self->base);
  G_OBJECT_CLASS (stria_model_compare_parent_class)->dispose (object);
}

static void
stria_model_compare_finalize (GObject *object)
{
  g_free (STRIA_MODEL_COMPARE (object)->name);
  G_OBJECT_CLASS (stria_model_compare_parent_class)->finalize (object);
}

static void
stria_model_compare_class_init (StriaModelCompareClass *klass)
{
  static const char *const names[N_SIGNALS] = { [CHANGED] = "changed", [SELECTED] = "selected" };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = stria_model_compare_get_property;
  object_class->dispose = stria_model_compare_dispose;
  object_class->finalize = stria_model_compare_finalize;
  props[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE,
                                           G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                               NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_model_compare_init (StriaModelCompare *self)
{
}

StriaModelCompare *
stria_model_compare_new (StriaModelState *base)
{
  StriaModelCompare *self = g_object_new (STRIA_TYPE_MODEL_COMPARE, NULL);

  self->base = g_object_ref (base);
  g_signal_connect_object (base, "profile-changed", G_CALLBACK (on_profile_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (base, "metric-changed", G_CALLBACK (follow_metric), self,
                           G_CONNECT_SWAPPED);
  return self;
}

void
stria_model_compare_open (StriaModelCompare *self, const char *const *paths)
{
  g_return_if_fail (STRIA_IS_MODEL_COMPARE (self));
  g_return_if_fail (paths != NULL && paths[0] != NULL);

  if (stria_model_state_get_index (self->base) == NULL)
    return;
  g_free (self->name);
  self->name = g_filename_display_basename (paths[0]);
  start (self, paths);
}

void
stria_model_compare_cancel (StriaModelCompare *self)
{
  g_return_if_fail (STRIA_IS_MODEL_COMPARE (self));

  stop (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_BUSY]);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
stria_model_compare_end (StriaModelCompare *self)
{
  g_return_if_fail (STRIA_IS_MODEL_COMPARE (self));

  drop_comparison (self);
  g_clear_object (&self->capture);
  stria_model_compare_cancel (self);
}

const char *
stria_model_compare_get_name (StriaModelCompare *self)
{
  return self->name;
}

const char *
stria_model_compare_get_error (StriaModelCompare *self)
{
  return self->error;
}

gboolean
stria_model_compare_is_busy (StriaModelCompare *self)
{
  return self->cancellable != NULL;
}

StriaComparison *
stria_model_compare_get_comparison (StriaModelCompare *self)
{
  return self->comparison;
}

StriaModelState *
stria_model_compare_get_state (StriaModelCompare *self, gboolean second)
{
  return self->states[second != FALSE];
}

const StriaModelPartners *
stria_model_compare_get_partners (StriaModelCompare *self, guint graph)
{
  g_return_val_if_fail (self->partners != NULL && graph < self->partners->len, NULL);

  return self->partners->pdata[graph];
}

guint
stria_model_compare_get_graph (StriaModelCompare *self, guint graph)
{
  g_return_val_if_fail (self->graphs != NULL && graph < self->graphs->len, G_MAXUINT);

  return g_array_index (self->graphs, guint, graph);
}

gboolean
stria_model_compare_is_second (StriaModelCompare *self)
{
  return self->is_second;
}

static char *
describe_pair (StriaModelCompare *self, const StriaModelSelection *selection)
{
  StriaModelState *state = self->states[self->is_second];
  StriaModelIndex *index = stria_model_state_get_index (state);
  const StriaModelMetric *metric = stria_model_state_get_metric (state);
  const guint32 number
      = stria_comparison_find (self->comparison, self->is_second, selection->entity);
  const StriaEntityPair *pair = stria_comparison_pair (self->comparison, number);
  g_autofree char *name
      = stria_model_entity_text (stria_profile_entity (index->profile, selection->entity));
  g_autofree char *a = NULL;
  g_autofree char *b = NULL;
  g_autofree char *difference = NULL;
  g_autofree char *relative = NULL;
  const StriaMetricPair *of;
  StriaModelScale scale;

  if (pair->state == STRIA_PAIR_ADDED)
    return g_strdup_printf (_ ("%s is only in the second capture"), name);
  if (pair->state == STRIA_PAIR_REMOVED)
    return g_strdup_printf (_ ("%s is only in the first capture"), name);
  if (pair->state == STRIA_PAIR_UNMATCHED)
    return g_strdup_printf (_ ("%s has the name of something else in the other capture%s%s"), name,
                            pair->note != NULL ? ": " : "", pair->note != NULL ? pair->note : "");
  stria_model_index_scale (index, metric, pair->kind, &scale);
  of = scale.name != NULL ? stria_comparison_find_metric (self->comparison, number, scale.name,
                                                          metric->aggregation)
                          : NULL;
  if (of == NULL)
    return g_strdup_printf (_ ("%s is in both captures, and was not measured"), name);
  if (!of->comparable)
    return g_strdup_printf (_ ("%s is in both captures; its figures cannot be compared: %s"), name,
                            of->reason);
  a = stria_model_value_text (of->a->value, of->unit, FALSE);
  b = stria_model_value_text (of->b->value, of->unit, FALSE);
  difference = stria_model_difference_text (of->difference, of->unit);
  relative = stria_model_relative_text (of);
  /* Translators: name, metric, value of the first and of the second capture, difference, "+3 %" */
  return g_strdup_printf (_ ("%s: %s of %s, then %s: %s (%s)"), name,
                          stria_model_metric_title (of->name), a, b, difference, relative);
}

char *
stria_model_compare_describe (StriaModelCompare *self)
{
  const StriaModelSelection *selection, *other;
  const StriaModelGraph *graph;
  const char *name;

  g_return_val_if_fail (STRIA_IS_MODEL_COMPARE (self), NULL);

  if (self->comparison == NULL)
    return NULL;
  selection = stria_model_state_get_selection (self->states[self->is_second]);
  other = stria_model_state_get_selection (self->states[!self->is_second]);
  if (selection->entity != STRIA_NO_REF)
    return describe_pair (self, selection);
  if (selection->graph == G_MAXUINT)
    return NULL;
  graph = stria_model_state_get_index (self->states[self->is_second])
              ->graphs->pdata[selection->graph];
  name = stria_graph_text (graph->graph,
                           selection->node != STRIA_NO_NODE
                               ? stria_graph_node (graph->graph, selection->node)->label
                               : stria_graph_group (graph->graph, selection->group)->label);
  if (other->graph == G_MAXUINT)
    return g_strdup_printf (_ ("%s has nothing that corresponds to it in the other capture"), name);
  return g_strdup_printf (_ ("%s is in both captures, and was not measured"), name);
}
