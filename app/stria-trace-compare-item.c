/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-trace-compare-item.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "stria-format.h"
#include "stria-trace-compare-text.h"

#define MOST_NAMES 12
/* Less than this share is no change worth a colour. */
#define NOTABLE 0.005

struct _StriaTraceCompareItem
{
  GObject parent_instance;

  StriaCompareLook       *look;
  const StriaTraceRow    *row;    /* owned by the comparison */
  const StriaTraceFigure *figure; /* the same */
};

G_DEFINE_FINAL_TYPE (StriaTraceCompareItem, stria_trace_compare_item, G_TYPE_OBJECT)

static void
look_clear (gpointer data)
{
  stria_trace_compare_unref (((StriaCompareLook *) data)->compare);
}

StriaCompareLook *
stria_compare_look_new (StriaTraceCompare *compare, guint base, StriaCompareMeasure measure)
{
  StriaCompareLook *look = g_rc_box_new0 (StriaCompareLook);

  look->compare = stria_trace_compare_ref (compare);
  look->base = base;
  look->measure = measure;
  return look;
}

void
stria_compare_look_unref (StriaCompareLook *look)
{
  g_rc_box_release_full (look, look_clear);
}

static void
stria_trace_compare_item_finalize (GObject *object)
{
  stria_compare_look_unref (STRIA_TRACE_COMPARE_ITEM (object)->look);
  G_OBJECT_CLASS (stria_trace_compare_item_parent_class)->finalize (object);
}

static void
stria_trace_compare_item_class_init (StriaTraceCompareItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stria_trace_compare_item_finalize;
}

static void
stria_trace_compare_item_init (StriaTraceCompareItem *self)
{
}

StriaTraceCompareItem *
stria_trace_compare_item_new (StriaCompareLook *look, const StriaTraceRow *row,
                              const StriaTraceFigure *figure)
{
  StriaTraceCompareItem *self = g_object_new (STRIA_TYPE_TRACE_COMPARE_ITEM, NULL);

  self->look = g_rc_box_acquire (look);
  self->row = row;
  self->figure = figure;
  return self;
}

const StriaTraceRow *
stria_trace_compare_item_get_row (StriaTraceCompareItem *self)
{
  return self->row;
}

/* -- texts ----------------------------------------------------------------------------------- */

static char *
row_text (StriaTraceCompareItem *self, StriaTraceColumn column, guint trace)
{
  const StriaCompareLook *look = self->look;

  switch (column)
    {
    case STRIA_TRACE_COLUMN_NAME:
      return g_strdup (self->row->name[0] != '\0' ? self->row->name : _ ("(none)"));
    case STRIA_TRACE_COLUMN_CATEGORY:
      return g_strdup (self->row->category);
    case STRIA_TRACE_COLUMN_VALUE:
      return stria_trace_row_text (self->row, trace, look->measure);
    case STRIA_TRACE_COLUMN_DIFFERENCE:
      return stria_trace_row_difference_text (self->row, look->base, trace, look->measure);
    case STRIA_TRACE_COLUMN_RELATIVE:
      return stria_trace_row_relative_text (self->row, look->base, trace, look->measure);
    case STRIA_TRACE_COLUMN_COUNT:
      return stria_trace_row_text (self->row, trace, STRIA_COMPARE_COUNT);
    case STRIA_TRACE_COLUMN_MEAN:
    default:
      return stria_trace_row_text (self->row, trace, STRIA_COMPARE_MEAN);
    }
}

static char *
figure_text (StriaTraceCompareItem *self, StriaTraceColumn column, guint trace)
{
  switch (column)
    {
    case STRIA_TRACE_COLUMN_NAME:
      return stria_trace_figure_title (self->figure);
    case STRIA_TRACE_COLUMN_VALUE:
      return stria_trace_figure_text (self->figure, trace);
    case STRIA_TRACE_COLUMN_DIFFERENCE:
      return stria_trace_figure_difference (self->figure, self->look->base, trace);
    case STRIA_TRACE_COLUMN_RELATIVE:
      return stria_trace_figure_relative (self->figure, self->look->base, trace);
    case STRIA_TRACE_COLUMN_CATEGORY:
    case STRIA_TRACE_COLUMN_COUNT:
    case STRIA_TRACE_COLUMN_MEAN:
    default:
      return NULL;
    }
}

char *
stria_trace_compare_item_dup_text (StriaTraceCompareItem *self, StriaTraceColumn column,
                                   guint trace)
{
  char *text = self->row != NULL ? row_text (self, column, trace)
                                 : figure_text (self, column, trace);

  if (text != NULL)
    return text;
  return g_strdup (self->row == NULL && column == STRIA_TRACE_COLUMN_VALUE ? "–" : "");
}

/* The names that became one row */
static char *
names_text (StriaTraceCompareItem *self)
{
  g_autoptr (GString) text = g_string_new (self->row->name);

  if (!self->row->normalised)
    return g_string_free (g_steal_pointer (&text), FALSE);
  g_string_append_printf (text, "\n%s", _ ("Matched without numbers, addresses and template "
                                           "arguments:"));
  for (guint k = 0; k < self->look->compare->n; k++)
    {
      const GArray *names = self->row->cells[k].names;

      for (guint i = 0; names != NULL && i < names->len; i++)
        {
          if (i == MOST_NAMES)
            {
              g_string_append_printf (text, "\n#%u …", k + 1);
              break;
            }
          g_string_append_printf (text, "\n#%u %s", k + 1,
                                  stria_trace_get_string (self->look->compare->traces[k],
                                                          g_array_index (names, guint32, i)));
        }
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static const char *
measure_formula (StriaCompareMeasure measure)
{
  switch (measure)
    {
    case STRIA_COMPARE_SELF:
      return _ ("sum of durations less those of direct children");
    case STRIA_COMPARE_MEAN:
      return _ ("sum of durations over the number of slices");
    case STRIA_COMPARE_COUNT:
      return _ ("number of slices");
    case STRIA_COMPARE_TOTAL:
    default:
      return _ ("sum of durations inside the compared range; what is inside another slice of the "
                "same name counts for both");
    }
}

char *
stria_trace_compare_item_dup_tooltip (StriaTraceCompareItem *self, StriaTraceColumn column,
                                      guint trace)
{
  g_autofree char *text = stria_trace_compare_item_dup_text (self, column, trace);
  g_autofree char *exact = NULL;
  double value;

  if (self->figure != NULL)
    return g_strdup (column == STRIA_TRACE_COLUMN_VALUE && !self->figure->has[trace]
                         ? _ (self->figure->missing[trace])
                         : _ (self->figure->formula));
  if (column == STRIA_TRACE_COLUMN_NAME)
    return names_text (self);
  value = stria_trace_compare_item_get_value (self, column, trace);
  if (column < STRIA_TRACE_COLUMN_VALUE || isnan (value))
    return text[0] != '\0' ? g_steal_pointer (&text) : NULL;
  if (column == STRIA_TRACE_COLUMN_RELATIVE || column == STRIA_TRACE_COLUMN_COUNT
      || self->look->measure == STRIA_COMPARE_COUNT)
    return g_strdup_printf ("%s\n%s", text, measure_formula (column == STRIA_TRACE_COLUMN_COUNT
                                                                 ? STRIA_COMPARE_COUNT
                                                                 : self->look->measure));
  exact = stria_format_ns ((gint64) llround (value));
  return g_strdup_printf ("%s\n%s", exact, measure_formula (column == STRIA_TRACE_COLUMN_MEAN
                                                                ? STRIA_COMPARE_MEAN
                                                                : self->look->measure));
}

/* -- figures --------------------------------------------------------------------------------- */

static double
figure_value (StriaTraceCompareItem *self, StriaTraceColumn column, guint trace)
{
  const StriaTraceFigure *figure = self->figure;
  const guint base = self->look->base;

  if (!figure->has[trace] || (column != STRIA_TRACE_COLUMN_VALUE && !figure->has[base]))
    return NAN;
  if (column == STRIA_TRACE_COLUMN_VALUE)
    return figure->values[trace];
  if (column == STRIA_TRACE_COLUMN_DIFFERENCE)
    return figure->values[trace] - figure->values[base];
  return figure->values[trace] / figure->values[base];
}

double
stria_trace_compare_item_get_value (StriaTraceCompareItem *self, StriaTraceColumn column,
                                    guint trace)
{
  const StriaCompareLook *look = self->look;
  double value = NAN, before;

  if (self->figure != NULL)
    return figure_value (self, column, trace);
  switch (column)
    {
    case STRIA_TRACE_COLUMN_VALUE:
      return stria_trace_cell_value (&self->row->cells[trace], look->measure, &value) ? value : NAN;
    case STRIA_TRACE_COLUMN_DIFFERENCE:
      return stria_trace_row_difference (self->row, look->base, trace, look->measure, &value)
                 ? value
                 : NAN;
    case STRIA_TRACE_COLUMN_RELATIVE:
      /* What is new stands above all factors, and what is gone below. */
      if (!stria_trace_cell_value (&self->row->cells[trace], look->measure, &value))
        return stria_trace_row_state (self->row, look->base, trace) == STRIA_ROW_GONE ? -1 : NAN;
      if (!stria_trace_cell_value (&self->row->cells[look->base], look->measure, &before))
        return INFINITY;
      return before > 0 ? value / before : NAN;
    case STRIA_TRACE_COLUMN_COUNT:
      return stria_trace_cell_value (&self->row->cells[trace], STRIA_COMPARE_COUNT, &value) ? value
                                                                                           : NAN;
    case STRIA_TRACE_COLUMN_MEAN:
      return stria_trace_cell_value (&self->row->cells[trace], STRIA_COMPARE_MEAN, &value) ? value
                                                                                          : NAN;
    case STRIA_TRACE_COLUMN_NAME:
    case STRIA_TRACE_COLUMN_CATEGORY:
    default:
      return NAN;
    }
}

int
stria_trace_compare_item_get_verdict (StriaTraceCompareItem *self, guint trace)
{
  const double difference
      = stria_trace_compare_item_get_value (self, STRIA_TRACE_COLUMN_DIFFERENCE, trace);
  const double before
      = stria_trace_compare_item_get_value (self, STRIA_TRACE_COLUMN_VALUE, self->look->base);

  if (isnan (difference) || (self->figure != NULL && !self->figure->is_cost)
      || (self->row != NULL && self->look->measure == STRIA_COMPARE_COUNT)
      || (!isnan (before) && fabs (difference) < NOTABLE * fabs (before)))
    return 0;
  return difference > 0 ? 1 : difference < 0 ? -1 : 0;
}
