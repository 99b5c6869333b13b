/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-rows.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "stria-format.h"
#include "stria-model-text.h"

struct _StriaModelRow
{
  GObject parent_instance;

  StriaModelIndex   *index;
  const StriaEntity *entity;
  guint32            number;
  char              *name;
  const char        *reason;
  double             values[STRIA_MODEL_N_COLUMNS];
};

G_DEFINE_FINAL_TYPE (StriaModelRow, stria_model_row, G_TYPE_OBJECT)

static const struct
{
  StriaModelColumn column;
  StriaAggregation aggregation;
} figures[] = {
  { STRIA_MODEL_COLUMN_MEDIAN, STRIA_AGGREGATION_P50 },
  { STRIA_MODEL_COLUMN_MEAN, STRIA_AGGREGATION_MEAN },
  { STRIA_MODEL_COLUMN_MIN, STRIA_AGGREGATION_MIN },
  { STRIA_MODEL_COLUMN_MAX, STRIA_AGGREGATION_MAX },
  { STRIA_MODEL_COLUMN_SUM, STRIA_AGGREGATION_SUM },
};

static void
stria_model_row_finalize (GObject *object)
{
  StriaModelRow *self = STRIA_MODEL_ROW (object);

  g_free (self->name);
  stria_model_index_unref (self->index);
  G_OBJECT_CLASS (stria_model_row_parent_class)->finalize (object);
}

static void
stria_model_row_class_init (StriaModelRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stria_model_row_finalize;
}

static void
stria_model_row_init (StriaModelRow *self)
{
}

StriaModelRow *
stria_model_row_new (StriaModelIndex *index, const StriaModelScale *scale, guint32 entity)
{
  StriaModelRow *self = g_object_new (STRIA_TYPE_MODEL_ROW, NULL);
  guint32 samples = 0;

  self->index = stria_model_index_ref (index);
  self->number = entity;
  self->entity = stria_profile_entity (index->profile, entity);
  self->name = stria_model_entity_text (self->entity);
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      const StriaMetric *metric
          = stria_model_index_metric (index, scale, figures[i].aggregation, entity);

      self->values[figures[i].column]
          = metric != NULL && metric->available ? metric->value : NAN;
      if (metric != NULL && !metric->available)
        self->reason = metric->reason;
      else if (metric != NULL)
        samples = metric->samples;
    }
  self->values[STRIA_MODEL_COLUMN_COVERAGE] = samples;
  self->values[STRIA_MODEL_COLUMN_SHARED] = self->entity->shared > 1 ? self->entity->shared : NAN;
  self->values[STRIA_MODEL_COLUMN_LINKS] = self->entity->links->len;
  return self;
}

guint32
stria_model_row_get_entity (StriaModelRow *self)
{
  return self->number;
}

const char *
stria_model_row_get_name (StriaModelRow *self)
{
  return self->name;
}

const char *
stria_model_row_get_id (StriaModelRow *self)
{
  return self->entity->id;
}

const char *
stria_model_row_get_reason (StriaModelRow *self)
{
  return self->reason;
}

double
stria_model_row_get_value (StriaModelRow *self, StriaModelColumn column)
{
  g_return_val_if_fail (column < STRIA_MODEL_N_COLUMNS, NAN);

  return self->values[column];
}

char *
stria_model_row_dup_text (StriaModelRow *self, StriaModelColumn column)
{
  const double value = stria_model_row_get_value (self, column);

  switch (column)
    {
    case STRIA_MODEL_COLUMN_NAME:
      return g_strdup (self->name);
    case STRIA_MODEL_COLUMN_PLACEMENT:
      return g_strdup (stria_model_placement_text (self->entity));
    case STRIA_MODEL_COLUMN_COVERAGE:
      return g_strdup_printf (C_ ("k of n executions", "%u of %u"), (guint) value,
                              self->entity->executions_of);
    case STRIA_MODEL_COLUMN_SHARED:
    case STRIA_MODEL_COLUMN_LINKS:
      return isnan (value) ? g_strdup ("") : stria_format_count ((guint64) value);
    case STRIA_MODEL_COLUMN_MEDIAN:
    case STRIA_MODEL_COLUMN_MEAN:
    case STRIA_MODEL_COLUMN_MIN:
    case STRIA_MODEL_COLUMN_MAX:
    case STRIA_MODEL_COLUMN_SUM:
    case STRIA_MODEL_N_COLUMNS:
    default:
      return isnan (value) ? g_strdup ("\xe2\x80\x93")
                           : stria_model_value_text (value, "", FALSE);
    }
}

const char *
stria_model_column_title (StriaModelColumn column)
{
  switch (column)
    {
    case STRIA_MODEL_COLUMN_NAME:
      return _ ("Name");
    case STRIA_MODEL_COLUMN_PLACEMENT:
      return _ ("Runs on");
    case STRIA_MODEL_COLUMN_MEDIAN:
      return _ ("Median");
    case STRIA_MODEL_COLUMN_MEAN:
      return _ ("Mean");
    case STRIA_MODEL_COLUMN_MIN:
      return _ ("Min");
    case STRIA_MODEL_COLUMN_MAX:
      return _ ("Max");
    case STRIA_MODEL_COLUMN_SUM:
      return _ ("Sum");
    case STRIA_MODEL_COLUMN_COVERAGE:
      return _ ("Executions");
    case STRIA_MODEL_COLUMN_SHARED:
      return _ ("Shared by");
    case STRIA_MODEL_COLUMN_LINKS:
      return _ ("Links");
    case STRIA_MODEL_N_COLUMNS:
    default:
      return "";
    }
}

void
stria_model_csv_append (GString *csv, const char *text)
{
  if (strpbrk (text, ",\"\r\n") == NULL)
    {
      g_string_append (csv, text);
      return;
    }
  g_string_append_c (csv, '"');
  for (const char *c = text; *c != '\0'; c++)
    {
      if (*c == '"')
        g_string_append_c (csv, '"');
      g_string_append_c (csv, *c);
    }
  g_string_append_c (csv, '"');
}

char *
stria_model_rows_dup_csv (GListModel *rows, const StriaModelScale *scale)
{
  /* Names for machines, untranslated. */
  GString *csv = g_string_new ("id,name,placement,metric,unit,p50,mean,min,max,sum,samples,"
                               "executions,shared_by,links,reason\r\n");

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (StriaModelRow) row = g_list_model_get_item (rows, i);

      stria_model_csv_append (csv, row->entity->id);
      g_string_append_c (csv, ',');
      stria_model_csv_append (csv, row->entity->name);
      g_string_append_printf (csv, ",%s,%s,%s", row->entity->placement,
                              scale->name != NULL ? scale->name : "",
                              scale->unit != NULL ? scale->unit : "");
      for (guint f = 0; f < G_N_ELEMENTS (figures); f++)
        {
          const double value = row->values[figures[f].column];
          g_autofree char *text = isnan (value) ? g_strdup ("") : stria_format_c_double (value);

          g_string_append_printf (csv, ",%s", text);
        }
      g_string_append_printf (csv, ",%u,%u,%u,%u,",
                              (guint) row->values[STRIA_MODEL_COLUMN_COVERAGE],
                              row->entity->executions_of, row->entity->shared,
                              row->entity->links->len);
      stria_model_csv_append (csv, row->reason != NULL ? row->reason : "");
      g_string_append (csv, "\r\n");
    }
  return g_string_free (csv, FALSE);
}
