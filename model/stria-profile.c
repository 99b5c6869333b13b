/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-profile-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-companion.h"
#include "stria-error.h"

static void
entity_free (gpointer data)
{
  StriaEntity *self = data;

  g_free (self->id);
  g_free (self->name);
  g_array_unref (self->parents);
  g_array_unref (self->children);
  g_array_unref (self->metrics);
  g_array_unref (self->links);
  g_clear_pointer (&self->attributes, g_ptr_array_unref);
  g_free (self);
}

static void
metric_clear (gpointer data)
{
  g_free (((StriaMetric *) data)->reason);
}

static void
link_clear (gpointer data)
{
  g_free (((StriaLink *) data)->note);
}

static guint
link_hash (gconstpointer data)
{
  const StriaLinkKey *key = data;

  return key->from * 2654435761u ^ key->to * 40503u ^ g_direct_hash (key->kind);
}

static gboolean
link_equal (gconstpointer a, gconstpointer b)
{
  const StriaLinkKey *x = a;
  const StriaLinkKey *y = b;

  return x->from == y->from && x->to == y->to && x->kind == y->kind;
}

static guint
node_hash (gconstpointer data)
{
  const StriaNodeKey *key = data;

  return g_direct_hash (key->facts) ^ key->row * 2654435761u;
}

static gboolean
node_equal (gconstpointer a, gconstpointer b)
{
  const StriaNodeKey *x = a;
  const StriaNodeKey *y = b;

  return x->facts == y->facts && x->row == y->row;
}

static void
remark_free (gpointer data)
{
  StriaRemark *self = data;

  g_free (self->code);
  g_free (self->message);
  g_free (self);
}

static void
check_free (gpointer data)
{
  g_free (((StriaCheck *) data)->detail);
  g_free (data);
}

static void
segment_free (gpointer data)
{
  g_ptr_array_unref (((StriaProfileSegment *) data)->relations);
  g_free (data);
}

StriaEntity *
stria_profile_get_entity (StriaProfile *self, guint32 entity)
{
  return self->entities->pdata[entity];
}

guint32
stria_profile_add_entity (StriaProfile *self, StriaEntityKind kind, const char *id,
                          const char *name)
{
  guint32 known = stria_profile_find_entity (self, id);

  if (known != STRIA_NO_REF)
    return known;
  StriaEntity *entity = g_new0 (StriaEntity, 1);
  entity->id = g_strdup (id);
  entity->kind = kind;
  entity->name = g_strdup (name);
  entity->placement = "Unknown";
  entity->parents = g_array_new (FALSE, FALSE, sizeof (guint32));
  entity->children = g_array_new (FALSE, FALSE, sizeof (guint32));
  entity->metrics = g_array_new (FALSE, FALSE, sizeof (guint32));
  entity->links = g_array_new (FALSE, FALSE, sizeof (guint32));
  entity->key = -1;
  entity->artifact = STRIA_NO_REF;
  entity->graph = STRIA_NO_REF;
  entity->node = STRIA_NO_NODE;
  entity->shared = 1;
  g_ptr_array_add (self->entities, entity);
  g_hash_table_insert (self->ids, entity->id, GUINT_TO_POINTER (self->entities->len));
  return self->entities->len - 1;
}

void
stria_profile_place (StriaProfile *self, guint32 entity, StriaFacts *facts, guint32 graph,
                     guint32 node)
{
  StriaEntity *placed = stria_profile_get_entity (self, entity);
  StriaNodeKey key
      = { facts, STRIA_ROWS (facts, StriaGraphRow, STRIA_TABLE_GRAPH)[graph].first_node + node };

  placed->artifact = facts == self->record    ? self->set.record
                     : facts == self->program ? self->set.program
                                              : self->set.vgf;
  placed->graph = graph;
  placed->node = node;
  g_hash_table_insert (self->node_entity, g_memdup2 (&key, sizeof key),
                       GUINT_TO_POINTER (entity + 1));
}

void
stria_profile_nest (StriaProfile *self, guint32 parent, guint32 child)
{
  StriaLinkKey key = { parent, child, g_intern_static_string ("nest") };

  if (g_hash_table_contains (self->link_keys, &key))
    return;
  g_hash_table_add (self->link_keys, g_memdup2 (&key, sizeof key));
  g_array_append_val (stria_profile_get_entity (self, child)->parents, parent);
  g_array_append_val (stria_profile_get_entity (self, parent)->children, child);
}

void
stria_profile_attribute (StriaProfile *self, guint32 entity, const char *key, const char *value)
{
  StriaEntity *to = stria_profile_get_entity (self, entity);

  if (to->attributes == NULL)
    to->attributes = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i + 1 < to->attributes->len; i += 2)
    if (g_str_equal (to->attributes->pdata[i], key))
      {
        g_free (to->attributes->pdata[i + 1]);
        to->attributes->pdata[i + 1] = g_strdup (value);
        return;
      }
  g_ptr_array_add (to->attributes, g_strdup (key));
  g_ptr_array_add (to->attributes, g_strdup (value));
}

const char *
stria_entity_attribute (const StriaEntity *entity, const char *key)
{
  for (guint i = 0; entity->attributes != NULL && i + 1 < entity->attributes->len; i += 2)
    if (g_str_equal (entity->attributes->pdata[i], key))
      return entity->attributes->pdata[i + 1];
  return NULL;
}

void
stria_profile_add_link (StriaProfile *self, guint32 from, guint32 to, const char *kind,
                        StriaEvidence evidence, const char *note)
{
  const char *interned = g_intern_static_string (kind);
  StriaLinkKey key = { from, to, interned };
  StriaLink link = { from, to, interned, evidence, NULL };
  guint32 number = self->links->len;

  if (g_hash_table_contains (self->link_keys, &key))
    return;
  g_hash_table_add (self->link_keys, g_memdup2 (&key, sizeof key));
  link.note = g_strdup (note);
  g_array_append_val (self->links, link);
  g_array_append_val (stria_profile_get_entity (self, from)->links, number);
  if (to != from)
    g_array_append_val (stria_profile_get_entity (self, to)->links, number);
}

static void
add_metric (StriaProfile *self, StriaMetric *metric)
{
  guint32 number = self->metrics->len;

  metric->name = g_intern_string (metric->name);
  g_array_append_val (self->metrics, *metric);
  g_array_append_val (stria_profile_get_entity (self, metric->entity)->metrics, number);
}

void
stria_profile_add_value (StriaProfile *self, guint32 entity, const char *name, const char *unit,
                         StriaAggregation aggregation, double value, guint32 samples)
{
  StriaMetric metric = { entity, name, unit, aggregation, TRUE, value, NULL, samples };

  add_metric (self, &metric);
}

void
stria_profile_add_unavailable (StriaProfile *self, guint32 entity, const char *name,
                               const char *unit, const char *reason)
{
  StriaMetric metric
      = { entity, name, unit, STRIA_AGGREGATION_SUM, FALSE, NAN, g_strdup (reason), 0 };

  add_metric (self, &metric);
}

void
stria_profile_add_series (StriaProfile *self, guint32 entity, const char *name, StriaTimeUnit unit,
                          const StriaSeries *series, gboolean full)
{
  static const StriaAggregation all[]
      = { STRIA_AGGREGATION_SUM, STRIA_AGGREGATION_MEAN, STRIA_AGGREGATION_P50,
          STRIA_AGGREGATION_MIN, STRIA_AGGREGATION_MAX,  STRIA_AGGREGATION_P10,
          STRIA_AGGREGATION_P90, STRIA_AGGREGATION_COUNT };
  StriaSummary summary;
  StriaCombine state = stria_series_summarise (series, unit, &summary);

  if (state != STRIA_COMBINE_OK)
    {
      g_autofree char *reason = stria_combine_reason (state);

      stria_profile_add_unavailable (self, entity, name, stria_measure_unit (unit), reason);
      return;
    }
  for (guint i = 0; i < (full ? G_N_ELEMENTS (all) : 5); i++)
    stria_profile_add_value (
        self, entity, name, all[i] == STRIA_AGGREGATION_COUNT ? "count" : stria_measure_unit (unit),
        all[i], stria_summary_get (&summary, all[i]), summary.count);
}

static void
add_remark (GPtrArray *remarks, const char *code, char *message)
{
  StriaRemark *remark = g_new (StriaRemark, 1);

  remark->code = g_strdup (code);
  remark->message = message;
  g_ptr_array_add (remarks, remark);
}

void
stria_profile_warn (StriaProfile *self, const char *code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  add_remark (self->warnings, code, g_strdup_vprintf (format, args));
  va_end (args);
}

void
stria_profile_assume (StriaProfile *self, const char *code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  add_remark (self->assumptions, code, g_strdup_vprintf (format, args));
  va_end (args);
}

void
stria_profile_check (StriaProfile *self, const char *name, StriaCheckState state,
                     const char *format, ...)
{
  StriaCheck *check = g_new (StriaCheck, 1);
  va_list args;

  va_start (args, format);
  check->name = name;
  check->state = state;
  check->detail = g_strdup_vprintf (format, args);
  va_end (args);
  g_ptr_array_add (self->checks, check);
}

void
stria_profile_state (StriaProfile *self, const char *key, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_ptr_array_add (self->provenance, g_strdup (key));
  g_ptr_array_add (self->provenance, g_strdup_vprintf (format, args));
  va_end (args);
}

static void
state_digest (StriaProfile *self, const char *key, const StriaFacts *facts, guint32 sha256)
{
  const char *digest = stria_facts_text (facts, sha256);

  if (digest[0] != '\0')
    stria_profile_state (self, key, "%s", digest);
}

static void
state_files (StriaProfile *self, StriaCapture *capture)
{
  static const char *const names[] = { "record", "dump", "program", "vgf" };
  guint artifacts[] = { self->set.record, self->set.dump, self->set.program, self->set.vgf };

  for (guint i = 0; i < G_N_ELEMENTS (artifacts); i++)
    if (artifacts[i] != STRIA_NO_REF)
      stria_profile_state (
          self, names[i], "%s",
          stria_artifact_get_name (stria_capture_get_artifact (capture, artifacts[i])));
  if (self->record != NULL)
    state_digest (self, "record_sha256", self->record,
                  STRIA_ROWS (self->record, StriaRecordRow, STRIA_TABLE_RECORD)->sha256);
  if (self->dump != NULL)
    state_digest (self, "dump_sha256", self->dump,
                  STRIA_ROWS (self->dump, StriaDumpRow, STRIA_TABLE_DUMP)->sha256);
  if (self->program != NULL)
    state_digest (self, "program_sha256", self->program,
                  STRIA_ROWS (self->program, StriaProgramRow, STRIA_TABLE_PROGRAM)->sha256);
  if (self->vgf != NULL)
    state_digest (self, "vgf_sha256", self->vgf,
                  STRIA_ROWS (self->vgf, StriaVgfRow, STRIA_TABLE_VGF)->sha256);
  if (self->method != NULL)
    stria_profile_state (self, "method", "%s", self->method);
}

static StriaFacts *
facts_of (StriaCapture *capture, guint artifact, guint table)
{
  StriaFacts *facts = artifact != STRIA_NO_REF && artifact < stria_capture_get_n_artifacts (capture)
                          ? stria_capture_ref_facts (capture, artifact)
                          : NULL;

  if (facts != NULL && stria_facts_size (facts, table) == 0)
    g_clear_pointer (&facts, stria_facts_unref);
  return facts;
}

/* Rows of the method in the record and the program. */
static void
find_method (StriaProfile *self)
{
  gsize n = self->record != NULL ? stria_facts_size (self->record, STRIA_TABLE_RECORD_METHOD) : 0;
  const StriaRecordMethodRow *methods
      = n > 0 ? STRIA_ROWS (self->record, StriaRecordMethodRow, STRIA_TABLE_RECORD_METHOD) : NULL;

  self->record_method = self->plan = self->source_row = STRIA_NO_REF;
  for (gsize i = 0; i < n && self->record_method == STRIA_NO_REF; i++)
    if (g_strcmp0 (stria_facts_text (self->record, methods[i].name), self->method) == 0)
      {
        self->record_method = (guint32) i;
        self->source_row = methods[i].graph;
      }
  n = self->program != NULL ? stria_facts_size (self->program, STRIA_TABLE_PROGRAM_PLAN) : 0;
  for (gsize i = 0; i < n && self->plan == STRIA_NO_REF; i++)
    {
      const StriaProgramPlanRow *plan
          = STRIA_ROWS (self->program, StriaProgramPlanRow, STRIA_TABLE_PROGRAM_PLAN) + i;

      if (g_strcmp0 (stria_facts_text (self->program, plan->name), self->method) == 0)
        self->plan = (guint32) i;
    }
  if (self->source_row != STRIA_NO_REF)
    self->source = stria_graph_new (self->record, self->source_row);
}

static gboolean
choose_method (StriaProfile *self, StriaCapture *capture, const char *method, GError **error)
{
  g_auto (GStrv) methods = stria_profile_methods (capture, &self->set);
  guint n = g_strv_length (methods);
  g_autofree char *list = g_strjoinv (", ", methods);

  if (method == NULL && n > 1)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                   _ ("“%s” has %u methods, and one has to be named: %s"), self->set.name, n, list);
      return FALSE;
    }
  if (method != NULL && !g_strv_contains ((const char *const *) methods, method))
    {
      if (n > 0)
        g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                     _ ("“%s” has no method “%s”; there are: %s"), self->set.name, method, list);
      else
        g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                     _ ("“%s” does not say which methods it has, so “%s” can’t be found in it"),
                     self->set.name, method);
      return FALSE;
    }
  self->method = g_strdup (method != NULL ? method : methods[0]);
  return TRUE;
}

static StriaProfile *
profile_alloc (const StriaProfileSet *set, StriaTimeUnit unit)
{
  StriaProfile *self = g_new0 (StriaProfile, 1);

  g_atomic_ref_count_init (&self->refs);
  self->set = *set;
  self->set.name = g_strdup (set->name);
  self->unit = unit;
  self->entities = g_ptr_array_new_with_free_func (entity_free);
  self->ids = g_hash_table_new (g_str_hash, g_str_equal);
  self->metrics = g_array_new (FALSE, FALSE, sizeof (StriaMetric));
  g_array_set_clear_func (self->metrics, metric_clear);
  self->links = g_array_new (FALSE, FALSE, sizeof (StriaLink));
  g_array_set_clear_func (self->links, link_clear);
  self->link_keys = g_hash_table_new_full (link_hash, link_equal, g_free, NULL);
  self->assumptions = g_ptr_array_new_with_free_func (remark_free);
  self->warnings = g_ptr_array_new_with_free_func (remark_free);
  self->checks = g_ptr_array_new_with_free_func (check_free);
  self->provenance = g_ptr_array_new_with_free_func (g_free);
  self->executions = g_array_new (FALSE, FALSE, sizeof (StriaExecution));
  self->execution_of = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->segments = g_ptr_array_new_with_free_func (segment_free);
  self->series = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) stria_series_free);
  self->node_entity = g_hash_table_new_full (node_hash, node_equal, g_free, NULL);
  self->segment_of = g_hash_table_new (NULL, NULL);
  g_mutex_init (&self->hierarchy_lock);
  return self;
}

static void
assume_unit (StriaProfile *self)
{
  if (self->dump == NULL)
    return;
  stria_profile_state (self, "time_unit", "%s", stria_time_unit_name (self->unit));
  stria_profile_assume (self, "time-unit",
                        _ ("The ETDump does not say what its ticks are; they are taken as %s."),
                        stria_time_unit_name (self->unit));
}

static void
keep_program_path (StriaProfile *self, StriaCapture *capture)
{
  if (self->program == NULL)
    return;
  StriaArtifact *artifact = stria_capture_get_artifact (capture, self->set.program);
  self->program_path = g_strdup (stria_artifact_get_path (artifact));
  self->program_size = stria_artifact_get_size (artifact);
  self->program_mtime = stria_artifact_get_mtime (artifact);
  self->program_packed
      = stria_artifact_get_member (artifact) != NULL
        || self->program_size
               != STRIA_ROWS (self->program, StriaProgramRow, STRIA_TABLE_PROGRAM)->file_size;
}

StriaProfile *
stria_profile_new (StriaCapture *capture, const StriaProfileSet *set, const char *method,
                   StriaTimeUnit unit, GError **error)
{
  g_autoptr (StriaProfile) self = profile_alloc (set, unit);

  self->record = facts_of (capture, set->record, STRIA_TABLE_RECORD);
  self->dump = facts_of (capture, set->dump, STRIA_TABLE_DUMP);
  self->program = facts_of (capture, set->program, STRIA_TABLE_PROGRAM);
  self->vgf = facts_of (capture, set->vgf, STRIA_TABLE_VGF);
  if (!choose_method (self, capture, method, error))
    return NULL;
  find_method (self);
  keep_program_path (self, capture);
  state_files (self, capture);
  assume_unit (self);

  self->model = stria_profile_add_entity (self, STRIA_ENTITY_MODEL, "model",
                                          self->method != NULL ? self->method : self->set.name);
  stria_profile_make_index (self);
  stria_profile_find_executions (self);
  /* First: from a program that contradicts the capture nothing is taken. */
  self->companion = stria_companion_check (self);
  stria_profile_read_runtime (self);
  stria_profile_read_source (self);
  stria_profile_read_nx (self);
  stria_profile_link_chains (self);
  stria_profile_make_graphs (self);
  g_hash_table_remove_all (self->series);
  return g_steal_pointer (&self);
}

StriaProfile *
stria_profile_ref (StriaProfile *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

static void
view_clear (StriaProfileView *view)
{
  g_clear_pointer (&view->graph, stria_graph_unref);
  g_clear_pointer (&view->facts, stria_facts_unref);
  g_clear_pointer (&view->nodes, g_array_unref);
  g_clear_pointer (&view->groups, g_array_unref);
  g_clear_pointer (&view->reason, g_free);
}

void
stria_profile_unref (StriaProfile *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  for (guint i = 0; i < STRIA_N_GRAPH_KINDS; i++)
    view_clear (&self->views[i]);
  g_clear_pointer (&self->source, stria_graph_unref);
  g_clear_pointer (&self->record, stria_facts_unref);
  g_clear_pointer (&self->dump, stria_facts_unref);
  g_clear_pointer (&self->program, stria_facts_unref);
  g_clear_pointer (&self->vgf, stria_facts_unref);
  g_hash_table_unref (self->ids);
  g_ptr_array_unref (self->entities);
  g_array_unref (self->metrics);
  g_hash_table_unref (self->link_keys);
  g_array_unref (self->links);
  g_ptr_array_unref (self->assumptions);
  g_ptr_array_unref (self->warnings);
  g_ptr_array_unref (self->checks);
  g_ptr_array_unref (self->provenance);
  g_array_unref (self->executions);
  g_array_unref (self->execution_of);
  stria_profile_drop_index (self);
  g_clear_pointer (&self->series, g_hash_table_unref);
  g_hash_table_unref (self->node_entity);
  g_ptr_array_unref (self->segments);
  g_hash_table_unref (self->segment_of);
  g_mutex_clear (&self->hierarchy_lock);
  g_free (self->source_entity);
  g_free (self->program_path);
  g_free (self->set.name);
  g_free (self->method);
  g_free (self);
}
