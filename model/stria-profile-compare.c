/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-profile-compare.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

struct _StriaComparison
{
  gatomicrefcount refs;
  StriaProfile   *a;
  StriaProfile   *b;
  GArray         *pairs;    /* StriaEntityPair */
  GArray         *metrics;  /* StriaMetricPair */
  guint32        *pair_of_a; /* by entity */
  guint32        *pair_of_b;
  GPtrArray      *remarks;
};

/* What is being matched */
typedef struct
{
  StriaProfile *a, *b;
  guint32      *of_a; /* by entity of a: its partner, or STRIA_NO_REF */
  guint32      *of_b;
  guint8       *by;   /* by entity of b: StriaPairedBy */
  const char  **note; /* by entity of b */
} Matcher;

typedef char *(*KeyFunc) (StriaProfile *profile, StriaGraph *source, const StriaEntity *entity);

static void
remark_free (gpointer data)
{
  StriaRemark *remark = data;

  g_free (remark->code);
  g_free (remark->message);
  g_free (remark);
}

static void G_GNUC_PRINTF (3, 4)
add_remark (StriaComparison *self, const char *code, const char *format, ...)
{
  StriaRemark *remark = g_new0 (StriaRemark, 1);
  va_list args;

  va_start (args, format);
  remark->message = g_strdup_vprintf (format, args);
  va_end (args);
  remark->code = g_strdup (code);
  g_ptr_array_add (self->remarks, remark);
}

static const char *
module_of (StriaGraph *source, const StriaEntity *entity)
{
  guint32 group;

  if (source == NULL || entity->node >= stria_graph_n_nodes (source))
    return "";
  group = stria_graph_node_group (source, entity->node);
  return group != STRIA_NO_GROUP
             ? stria_graph_text (source, stria_graph_group (source, group)->id)
             : "";
}

/* Several operators may come from one place, so the operator is a part of it. */
static char *
handle_key (StriaProfile *profile, StriaGraph *source, const StriaEntity *entity)
{
  if (entity->kind != STRIA_ENTITY_SOURCE_OPERATOR || entity->key < 0)
    return NULL;
  return g_strdup_printf ("%" G_GINT64_FORMAT "\n%s\n%s", entity->key, entity->name,
                          module_of (source, entity));
}

static char *
path_key (StriaProfile *profile, StriaGraph *source, const StriaEntity *entity)
{
  const char *module = module_of (source, entity);

  /* Without a module nearly everything would be in one. */
  if (entity->kind != STRIA_ENTITY_SOURCE_OPERATOR || *module == '\0')
    return NULL;
  return g_strdup_printf ("%s\n%s", entity->name, module);
}

/* key -> entity + 1, or 0 where several have it. Only what has no partner yet. */
static GHashTable *
index_by (StriaProfile *profile, const guint32 *partners, KeyFunc key_of)
{
  GHashTable *table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  StriaGraph *source = stria_profile_get_graph (profile, STRIA_GRAPH_SOURCE, NULL);

  for (guint32 i = 0; i < stria_profile_n_entities (profile); i++)
    {
      char *key = partners[i] == STRIA_NO_REF
                      ? key_of (profile, source, stria_profile_entity (profile, i))
                      : NULL;

      if (key == NULL)
        continue;
      if (g_hash_table_contains (table, key))
        g_hash_table_insert (table, key, GUINT_TO_POINTER (0));
      else
        g_hash_table_insert (table, key, GUINT_TO_POINTER (i + 1));
    }
  return table;
}

static void
set_pair (Matcher *self, guint32 a, guint32 b, StriaPairedBy by)
{
  self->of_a[a] = b;
  self->of_b[b] = a;
  self->by[b] = (guint8) by;
}

/* Pairs what is the only one of its key in both. */
static void
match_by_key (Matcher *self, KeyFunc key_of, StriaPairedBy by)
{
  g_autoptr (GHashTable) first = index_by (self->a, self->of_a, key_of);
  g_autoptr (GHashTable) second = index_by (self->b, self->of_b, key_of);
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, first);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      const guint a = GPOINTER_TO_UINT (value);
      const guint b = GPOINTER_TO_UINT (g_hash_table_lookup (second, key));

      if (a > 0 && b > 0)
        set_pair (self, a - 1, b - 1, by);
    }
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The operators in something, sorted. Returns: (transfer full) */
static char *
content_of (StriaProfile *profile, const StriaEntity *entity)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < entity->children->len; i++)
    {
      const StriaEntity *child
          = stria_profile_entity (profile, g_array_index (entity->children, guint32, i));

      if (child->kind == STRIA_ENTITY_TRACE_OPERATOR)
        g_ptr_array_add (names, child->name);
    }
  g_ptr_array_sort (names, compare_texts);
  g_ptr_array_add (names, NULL);
  return g_strjoinv ("\n", (char **) names->pdata);
}

/* Why two entities of one id are not the same, or NULL */
static const char *
contradiction (Matcher *self, const StriaEntity *a, const StriaEntity *b)
{
  g_autofree char *in_a = NULL;
  g_autofree char *in_b = NULL;

  if (a->kind == STRIA_ENTITY_MODEL)
    return NULL;
  if (a->kind != STRIA_ENTITY_CHAIN)
    return g_str_equal (a->name, b->name) ? NULL : _ ("the same id stands for another thing");
  in_a = content_of (self->a, a);
  in_b = content_of (self->b, b);
  if (*in_a == '\0' || *in_b == '\0' || g_str_equal (in_a, in_b))
    return NULL;
  return _ ("the same number stands for a chain of other operators");
}

static void
match_by_id (Matcher *self)
{
  for (guint32 i = 0; i < stria_profile_n_entities (self->b); i++)
    {
      const StriaEntity *entity = stria_profile_entity (self->b, i);
      const StriaEntity *other;
      guint32 a;

      if (self->of_b[i] != STRIA_NO_REF)
        continue;
      a = stria_profile_find_entity (self->a, entity->id);
      if (a == STRIA_NO_REF || self->of_a[a] != STRIA_NO_REF)
        continue;
      other = stria_profile_entity (self->a, a);
      if (other->kind != entity->kind)
        continue;
      self->note[i] = contradiction (self, other, entity);
      if (self->note[i] == NULL)
        set_pair (self, a, i, STRIA_PAIRED_BY_ID);
    }
}

/* Cascades are of chains: without a chain that is the same they are not. */
static void
drop_cascades (Matcher *self)
{
  for (guint32 i = 0; i < stria_profile_n_entities (self->b); i++)
    {
      const StriaEntity *entity = stria_profile_entity (self->b, i);
      gboolean other = FALSE;

      if (entity->kind != STRIA_ENTITY_CASCADE || self->of_b[i] == STRIA_NO_REF)
        continue;
      for (guint c = 0; c < entity->children->len; c++)
        other = other || self->note[g_array_index (entity->children, guint32, c)] != NULL;
      if (!other)
        continue;
      self->note[i] = _ ("the same number stands for a cascade of other chains");
      self->of_a[self->of_b[i]] = STRIA_NO_REF;
      self->of_b[i] = STRIA_NO_REF;
      self->by[i] = STRIA_PAIRED_NOT;
    }
}

static void
set_relation (StriaMetricPair *pair)
{
  const StriaMetric *a = pair->a, *b = pair->b;

  pair->relative = NAN;
  if (a == NULL || b == NULL)
    {
      pair->reason
          = a == NULL ? _ ("measured in the second only") : _ ("measured in the first only");
      return;
    }
  pair->unequal = a->samples != b->samples;
  if (!a->available || !b->available)
    pair->reason = _ ("unavailable");
  else if (!g_str_equal (a->unit, b->unit))
    pair->reason = _ ("the units differ");
  else if (pair->unequal
           && (a->aggregation == STRIA_AGGREGATION_SUM
               || a->aggregation == STRIA_AGGREGATION_COUNT))
    pair->reason = _ ("sums of different numbers of executions");
  else
    {
      pair->comparable = TRUE;
      pair->difference = b->value - a->value;
      if (a->value != 0)
        pair->relative = pair->difference / a->value;
    }
}

static void
add_metric (StriaComparison *self, const StriaMetric *a, const StriaMetric *b)
{
  const StriaMetric *known = a != NULL ? a : b;
  StriaMetricPair pair = { .name = known->name, .unit = known->unit,
                           .aggregation = known->aggregation, .a = a, .b = b };

  set_relation (&pair);
  g_array_append_val (self->metrics, pair);
}

/* The metric of @profile that @metric is to be compared with. One that is unavailable has no
 * aggregation of its own. */
static const StriaMetric *
partner_of (StriaProfile *profile, guint32 entity, const StriaMetric *metric)
{
  const StriaEntity *of = stria_profile_entity (profile, entity);

  for (guint i = 0; i < of->metrics->len; i++)
    {
      const StriaMetric *other
          = stria_profile_metric (profile, g_array_index (of->metrics, guint32, i));

      if (g_str_equal (other->name, metric->name)
          && (other->aggregation == metric->aggregation || !other->available || !metric->available))
        return other;
    }
  return NULL;
}

static void
add_metrics (StriaComparison *self, StriaEntityPair *pair)
{
  const StriaEntity *a = stria_profile_entity (self->a, pair->a);
  const StriaEntity *b = stria_profile_entity (self->b, pair->b);

  pair->first_metric = self->metrics->len;
  for (guint i = 0; i < a->metrics->len; i++)
    {
      const StriaMetric *metric
          = stria_profile_metric (self->a, g_array_index (a->metrics, guint32, i));

      add_metric (self, metric, partner_of (self->b, pair->b, metric));
    }
  for (guint i = 0; i < b->metrics->len; i++)
    {
      const StriaMetric *metric
          = stria_profile_metric (self->b, g_array_index (b->metrics, guint32, i));

      if (partner_of (self->a, pair->a, metric) == NULL)
        add_metric (self, NULL, metric);
    }
  pair->n_metrics = self->metrics->len - pair->first_metric;
}

static void
add_pair (StriaComparison *self, StriaEntityPair *pair)
{
  if (pair->a != STRIA_NO_REF)
    self->pair_of_a[pair->a] = self->pairs->len;
  if (pair->b != STRIA_NO_REF)
    self->pair_of_b[pair->b] = self->pairs->len;
  if (pair->state == STRIA_PAIR_BOTH)
    add_metrics (self, pair);
  g_array_append_val (self->pairs, *pair);
}

/* In the order of the second profile, then what only the first one has. */
static void
add_pairs (StriaComparison *self, const Matcher *matcher)
{
  for (guint32 i = 0; i < stria_profile_n_entities (self->b); i++)
    {
      StriaEntityPair pair = { .kind = stria_profile_entity (self->b, i)->kind,
                               .by = (StriaPairedBy) matcher->by[i],
                               .a = matcher->of_b[i],
                               .b = i,
                               .note = matcher->note[i] };

      pair.state = pair.a != STRIA_NO_REF    ? STRIA_PAIR_BOTH
                   : pair.note != NULL       ? STRIA_PAIR_UNMATCHED
                                             : STRIA_PAIR_ADDED;
      add_pair (self, &pair);
    }
  for (guint32 i = 0; i < stria_profile_n_entities (self->a); i++)
    {
      const StriaEntity *entity = stria_profile_entity (self->a, i);
      StriaEntityPair pair = { .kind = entity->kind, .a = i, .b = STRIA_NO_REF };
      guint32 same;

      if (matcher->of_a[i] != STRIA_NO_REF)
        continue;
      same = stria_profile_find_entity (self->b, entity->id);
      if (same != STRIA_NO_REF)
        pair.note = matcher->note[same];
      pair.state = pair.note != NULL ? STRIA_PAIR_UNMATCHED : STRIA_PAIR_REMOVED;
      add_pair (self, &pair);
    }
}

static void
match (StriaComparison *self)
{
  const guint32 n_a = stria_profile_n_entities (self->a);
  const guint32 n_b = stria_profile_n_entities (self->b);
  Matcher matcher = { .a = self->a, .b = self->b };

  matcher.of_a = g_new (guint32, n_a + 1);
  matcher.of_b = g_new (guint32, n_b + 1);
  matcher.by = g_new0 (guint8, n_b + 1);
  matcher.note = g_new0 (const char *, n_b + 1);
  memset (matcher.of_a, 0xff, (n_a + 1) * sizeof (guint32));
  memset (matcher.of_b, 0xff, (n_b + 1) * sizeof (guint32));
  self->pair_of_a = g_new (guint32, n_a + 1);
  self->pair_of_b = g_new (guint32, n_b + 1);
  match_by_key (&matcher, handle_key, STRIA_PAIRED_BY_HANDLE);
  match_by_id (&matcher);
  match_by_key (&matcher, path_key, STRIA_PAIRED_BY_PATH);
  drop_cascades (&matcher);
  add_pairs (self, &matcher);
  g_free (matcher.of_a);
  g_free (matcher.of_b);
  g_free (matcher.by);
  g_free (matcher.note);
}

static const char *
fact_of (StriaProfile *profile, const char *key)
{
  GPtrArray *facts = stria_profile_get_provenance (profile);

  for (guint i = 0; i + 1 < facts->len; i += 2)
    if (g_str_equal (facts->pdata[i], key))
      return facts->pdata[i + 1];
  return NULL;
}

static gboolean
differ (StriaComparison *self, const char *key)
{
  const char *a = fact_of (self->a, key);
  const char *b = fact_of (self->b, key);

  return a != NULL && b != NULL && !g_str_equal (a, b);
}

static void
find_remarks (StriaComparison *self)
{
  const guint32 n_a = stria_profile_n_executions (self->a);
  const guint32 n_b = stria_profile_n_executions (self->b);
  const StriaTimeUnit unit_a = stria_profile_get_unit (self->a);
  const StriaTimeUnit unit_b = stria_profile_get_unit (self->b);
  const char *method_a = stria_profile_get_method (self->a);
  const char *method_b = stria_profile_get_method (self->b);
  guint unequal = 0;

  /* Once for all aggregations */
  for (guint i = 0; i < self->metrics->len; i++)
    {
      const StriaMetricPair *metric = &g_array_index (self->metrics, StriaMetricPair, i);

      unequal += metric->unequal && metric->aggregation == STRIA_AGGREGATION_MEAN;
    }
  if (n_a != n_b)
    add_remark (self, "unequal-executions",
                _ ("The first has %u recorded executions, the second %u; sums are not compared."),
                n_a, n_b);
  else if (unequal > 0)
    add_remark (self, "unequal-executions",
                ngettext ("%u measurement is of a different number of executions in each.",
                          "%u measurements are of different numbers of executions in each.",
                          unequal),
                unequal);
  if ((unit_a == STRIA_TIME_CYCLES) != (unit_b == STRIA_TIME_CYCLES))
    add_remark (self, "other-unit",
                _ ("Times of one are in cycles and of the other are not; they are not compared."));
  if (g_strcmp0 (method_a, method_b) != 0)
    add_remark (self, "other-method", _ ("The methods differ: “%s” and “%s”."),
                method_a != NULL ? method_a : "", method_b != NULL ? method_b : "");
  if (differ (self, "record_sha256"))
    add_remark (self, "other-record",
                _ ("The records differ: operators were matched by module path, debug handle and "
                   "id."));
  if (differ (self, "program_sha256"))
    add_remark (self, "other-program",
                _ ("The programs differ: numbers of chains and cascades may stand for other "
                   "work."));
  if (differ (self, "device"))
    add_remark (self, "other-device", _ ("The devices differ: %s and %s."),
                fact_of (self->a, "device"), fact_of (self->b, "device"));
}

StriaComparison *
stria_comparison_new (StriaProfile *a, StriaProfile *b)
{
  StriaComparison *self = g_new0 (StriaComparison, 1);

  g_atomic_ref_count_init (&self->refs);
  self->a = stria_profile_ref (a);
  self->b = stria_profile_ref (b);
  self->pairs = g_array_new (FALSE, FALSE, sizeof (StriaEntityPair));
  self->metrics = g_array_new (FALSE, FALSE, sizeof (StriaMetricPair));
  self->remarks = g_ptr_array_new_with_free_func (remark_free);
  match (self);
  find_remarks (self);
  return self;
}

StriaComparison *
stria_comparison_ref (StriaComparison *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_comparison_unref (StriaComparison *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_array_unref (self->pairs);
  g_array_unref (self->metrics);
  g_ptr_array_unref (self->remarks);
  g_free (self->pair_of_a);
  g_free (self->pair_of_b);
  stria_profile_unref (self->a);
  stria_profile_unref (self->b);
  g_free (self);
}

StriaProfile *
stria_comparison_get_a (StriaComparison *self)
{
  return self->a;
}

StriaProfile *
stria_comparison_get_b (StriaComparison *self)
{
  return self->b;
}

guint32
stria_comparison_n_pairs (StriaComparison *self)
{
  return self->pairs->len;
}

const StriaEntityPair *
stria_comparison_pair (StriaComparison *self, guint32 pair)
{
  g_return_val_if_fail (pair < self->pairs->len, NULL);

  return &g_array_index (self->pairs, StriaEntityPair, pair);
}

guint32
stria_comparison_find (StriaComparison *self, gboolean second, guint32 entity)
{
  g_return_val_if_fail (entity < stria_profile_n_entities (second ? self->b : self->a),
                        STRIA_NO_REF);

  return second ? self->pair_of_b[entity] : self->pair_of_a[entity];
}

const StriaMetricPair *
stria_comparison_metrics (StriaComparison *self, guint32 pair, guint32 *n)
{
  const StriaEntityPair *of = stria_comparison_pair (self, pair);

  *n = of->n_metrics;
  return (const StriaMetricPair *) (gconstpointer) self->metrics->data + of->first_metric;
}

const StriaMetricPair *
stria_comparison_find_metric (StriaComparison *self, guint32 pair, const char *name,
                              StriaAggregation aggregation)
{
  guint32 n;
  const StriaMetricPair *metrics = stria_comparison_metrics (self, pair, &n);

  for (guint32 i = 0; i < n; i++)
    if (metrics[i].aggregation == aggregation && g_str_equal (metrics[i].name, name))
      return &metrics[i];
  return NULL;
}

double
stria_comparison_largest (StriaComparison *self, StriaEntityKind kind, const char *name,
                          StriaAggregation aggregation)
{
  double largest = 0;

  for (guint32 i = 0; i < self->pairs->len; i++)
    {
      const StriaMetricPair *metric
          = g_array_index (self->pairs, StriaEntityPair, i).kind == kind
                ? stria_comparison_find_metric (self, i, name, aggregation)
                : NULL;

      if (metric != NULL && metric->comparable)
        largest = MAX (largest, fabs (metric->difference));
    }
  return largest;
}

GPtrArray *
stria_comparison_get_remarks (StriaComparison *self)
{
  return self->remarks;
}

const char *
stria_pair_state_name (StriaPairState state)
{
  static const char *const names[] = { "both", "added", "removed", "unmatched" };

  return names[state];
}

const char *
stria_paired_by_name (StriaPairedBy by)
{
  static const char *const names[] = { "none", "handle", "id", "path" };

  return names[by];
}
