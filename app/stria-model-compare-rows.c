/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-compare-rows.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-format.h"
#include "stria-model-difference.h"
#include "stria-model-rows.h"
#include "stria-model-text.h"

struct _StriaModelCompareRow
{
  GObject parent_instance;

  StriaComparison       *comparison;
  const StriaEntityPair *pair;
  const StriaMetricPair *metric; /* (nullable) */
  const StriaEntity     *entity; /* of the first, else of the second */
  StriaAggregation       aggregation;
  char                  *name;
  double                 values[STRIA_COMPARE_N_COLUMNS];
};

G_DEFINE_FINAL_TYPE (StriaModelCompareRow, stria_model_compare_row, G_TYPE_OBJECT)

static void
stria_model_compare_row_finalize (GObject *object)
{
  StriaModelCompareRow *self = STRIA_MODEL_COMPARE_ROW (object);

  g_free (self->name);
  stria_comparison_unref (self->comparison);
  G_OBJECT_CLASS (stria_model_compare_row_parent_class)->finalize (object);
}

static void
stria_model_compare_row_class_init (StriaModelCompareRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stria_model_compare_row_finalize;
}

static void
stria_model_compare_row_init (StriaModelCompareRow *self)
{
}

static double
value_of (const StriaMetric *metric)
{
  return metric != NULL && metric->available ? metric->value : NAN;
}

/* What only one of the two has was measured there all the same. */
static double
value_alone (StriaProfile *profile, guint32 entity, const char *metric,
             StriaAggregation aggregation)
{
  return entity != STRIA_NO_REF && metric != NULL
             ? value_of (stria_profile_find_metric (profile, entity, metric, aggregation))
             : NAN;
}

StriaModelCompareRow *
stria_model_compare_row_new (StriaComparison *comparison, guint32 pair, const char *metric,
                             StriaAggregation aggregation)
{
  StriaModelCompareRow *self = g_object_new (STRIA_TYPE_MODEL_COMPARE_ROW, NULL);
  StriaProfile *a = stria_comparison_get_a (comparison);
  StriaProfile *b = stria_comparison_get_b (comparison);

  self->comparison = stria_comparison_ref (comparison);
  self->pair = stria_comparison_pair (comparison, pair);
  self->entity = self->pair->a != STRIA_NO_REF ? stria_profile_entity (a, self->pair->a)
                                               : stria_profile_entity (b, self->pair->b);
  self->name = stria_model_entity_text (self->entity);
  self->aggregation = aggregation;
  if (metric != NULL)
    self->metric = stria_comparison_find_metric (comparison, pair, metric, aggregation);
  self->values[STRIA_COMPARE_COLUMN_FIRST] = value_alone (a, self->pair->a, metric, aggregation);
  self->values[STRIA_COMPARE_COLUMN_SECOND] = value_alone (b, self->pair->b, metric, aggregation);
  self->values[STRIA_COMPARE_COLUMN_DIFFERENCE] = NAN;
  self->values[STRIA_COMPARE_COLUMN_RATIO] = NAN;
  self->values[STRIA_COMPARE_COLUMN_EXECUTIONS] = 0;
  if (self->metric == NULL || !self->metric->comparable)
    return self;
  self->values[STRIA_COMPARE_COLUMN_DIFFERENCE] = self->metric->difference;
  if (self->metric->a->value != 0)
    self->values[STRIA_COMPARE_COLUMN_RATIO] = self->metric->b->value / self->metric->a->value;
  self->values[STRIA_COMPARE_COLUMN_EXECUTIONS] = self->metric->b->samples;
  return self;
}

const StriaEntityPair *
stria_model_compare_row_get_pair (StriaModelCompareRow *self)
{
  return self->pair;
}

const char *
stria_model_compare_row_get_name (StriaModelCompareRow *self)
{
  return self->name;
}

const char *
stria_model_compare_row_get_id (StriaModelCompareRow *self)
{
  return self->entity->id;
}

const char *
stria_model_compare_row_get_note (StriaModelCompareRow *self)
{
  if (self->pair->note != NULL)
    return self->pair->note;
  if (self->metric != NULL && !self->metric->comparable)
    return self->metric->reason;
  if (self->metric != NULL && self->metric->unequal)
    return _ ("The two are of different numbers of executions.");
  return NULL;
}

double
stria_model_compare_row_get_value (StriaModelCompareRow *self, StriaCompareColumn column)
{
  g_return_val_if_fail (column < STRIA_COMPARE_N_COLUMNS, NAN);

  return self->values[column];
}

static const char *
state_text (const StriaEntityPair *pair)
{
  switch (pair->state)
    {
    case STRIA_PAIR_ADDED:
      /* Translators: of two compared captures */
      return _ ("only in the second");
    case STRIA_PAIR_REMOVED:
      return _ ("only in the first");
    case STRIA_PAIR_UNMATCHED:
      return _ ("not the same");
    case STRIA_PAIR_BOTH:
    default:
      return pair->by == STRIA_PAIRED_BY_PATH ? _ ("by module") : _ ("in both");
    }
}

static guint32
samples_of (const StriaMetric *metric)
{
  return metric != NULL ? metric->samples : 0;
}

char *
stria_model_compare_row_dup_text (StriaModelCompareRow *self, StriaCompareColumn column)
{
  const double value = stria_model_compare_row_get_value (self, column);

  switch (column)
    {
    case STRIA_COMPARE_COLUMN_NAME:
      return g_strdup (self->name);
    case STRIA_COMPARE_COLUMN_STATE:
      return g_strdup (state_text (self->pair));
    case STRIA_COMPARE_COLUMN_EXECUTIONS:
      if (self->metric == NULL)
        return g_strdup ("\xe2\x80\x93");
      /* Translators: executions of the first and of the second capture */
      return g_strdup_printf (C_ ("executions of two", "%u / %u"), samples_of (self->metric->a),
                              samples_of (self->metric->b));
    case STRIA_COMPARE_COLUMN_DIFFERENCE:
      return isnan (value) ? g_strdup ("\xe2\x80\x93") : stria_model_difference_text (value, "");
    case STRIA_COMPARE_COLUMN_RATIO:
      /* Translators: so many times as much */
      return isnan (value) ? g_strdup ("\xe2\x80\x93") : g_strdup_printf (_ ("%.3f×"), value);
    case STRIA_COMPARE_COLUMN_FIRST:
    case STRIA_COMPARE_COLUMN_SECOND:
    case STRIA_COMPARE_N_COLUMNS:
    default:
      return isnan (value) ? g_strdup ("\xe2\x80\x93") : stria_model_value_text (value, "", FALSE);
    }
}

const char *
stria_compare_column_title (StriaCompareColumn column)
{
  switch (column)
    {
    case STRIA_COMPARE_COLUMN_NAME:
      return _ ("Name");
    case STRIA_COMPARE_COLUMN_STATE:
      return _ ("Match");
    case STRIA_COMPARE_COLUMN_FIRST:
      return C_ ("capture", "First");
    case STRIA_COMPARE_COLUMN_SECOND:
      return C_ ("capture", "Second");
    case STRIA_COMPARE_COLUMN_DIFFERENCE:
      return _ ("Difference");
    case STRIA_COMPARE_COLUMN_RATIO:
      return _ ("Ratio");
    case STRIA_COMPARE_COLUMN_EXECUTIONS:
      return _ ("Executions");
    case STRIA_COMPARE_N_COLUMNS:
    default:
      return "";
    }
}

static void
append_number (GString *csv, double value)
{
  g_autofree char *text = isnan (value) ? g_strdup ("") : stria_format_c_double (value);

  g_string_append_printf (csv, ",%s", text);
}

char *
stria_model_compare_rows_dup_csv (GListModel *rows)
{
  /* Names for machines, untranslated. */
  GString *csv = g_string_new ("id,name,state,matched_by,metric,unit,aggregation,first,second,"
                               "difference,ratio,first_samples,second_samples,note\r\n");

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (StriaModelCompareRow) row = g_list_model_get_item (rows, i);
      const StriaMetricPair *metric = row->metric;
      const char *note = stria_model_compare_row_get_note (row);

      stria_model_csv_append (csv, row->entity->id);
      g_string_append_c (csv, ',');
      stria_model_csv_append (csv, row->entity->name);
      g_string_append_printf (csv, ",%s,%s,%s,%s,%s", stria_pair_state_name (row->pair->state),
                              stria_paired_by_name (row->pair->by),
                              metric != NULL ? metric->name : "",
                              metric != NULL ? metric->unit : "",
                              stria_aggregation_name (row->aggregation));
      for (guint c = STRIA_COMPARE_COLUMN_FIRST; c <= STRIA_COMPARE_COLUMN_RATIO; c++)
        append_number (csv, row->values[c]);
      g_string_append_printf (csv, ",%u,%u,", samples_of (metric != NULL ? metric->a : NULL),
                              samples_of (metric != NULL ? metric->b : NULL));
      stria_model_csv_append (csv, note != NULL ? note : "");
      g_string_append (csv, "\r\n");
    }
  return g_string_free (csv, FALSE);
}
