/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-bars.h"

#include <glib/gi18n-lib.h>

#include "stria-model-text.h"

static gboolean
is_total (const char *name)
{
  return g_str_equal (name, "total_cycles") || g_str_equal (name, "op_cycles");
}

static const StriaMetric *
counter_of (StriaModelIndex *index, StriaAggregation aggregation, guint32 chain, const char *name)
{
  const StriaMetric *metric
      = stria_profile_find_metric (index->profile, chain, name, aggregation);

  return metric != NULL && metric->available && metric->value > 0 ? metric : NULL;
}

static void
find_names (StriaModelBars *self, StriaModelIndex *index, StriaAggregation aggregation)
{
  const guint32 n = stria_profile_n_entities (index->profile);

  for (guint i = 0; i < index->counters->len; i++)
    {
      const char *name = index->counters->pdata[i];
      gboolean counts = FALSE;

      for (guint32 e = 0; !is_total (name) && !counts && e < n; e++)
        counts = stria_profile_entity (index->profile, e)->kind == STRIA_ENTITY_CHAIN
                 && counter_of (index, aggregation, e, name) != NULL;
      if (counts)
        g_ptr_array_add (self->names, (gpointer) name);
    }
}

static void
add_bar (StriaModelBars *self, StriaModelIndex *index, StriaAggregation aggregation,
         GHashTable *hidden, guint32 chain)
{
  StriaModelBar bar = { .chain = chain, .first = self->parts->len };

  for (guint i = 0; i < self->names->len; i++)
    {
      const char *name = self->names->pdata[i];
      const StriaMetric *metric = counter_of (index, aggregation, chain, name);
      StriaCounterPart part = { .name = name, .color = i };

      if (metric == NULL || (hidden != NULL && g_hash_table_contains (hidden, name)))
        continue;
      part.value = metric->value;
      self->unit = metric->unit;
      bar.sum += metric->value;
      g_array_append_val (self->parts, part);
    }
  bar.n = self->parts->len - bar.first;
  self->full = MAX (self->full, bar.sum);
  g_array_append_val (self->bars, bar);
}

static int
compare_bars (gconstpointer a, gconstpointer b)
{
  const StriaModelBar *x = a;
  const StriaModelBar *y = b;

  return x->sum < y->sum ? 1 : x->sum > y->sum ? -1 : x->chain < y->chain ? -1 : 1;
}

StriaModelBars *
stria_model_bars_new (StriaModelIndex *index, StriaAggregation aggregation, GHashTable *hidden)
{
  StriaModelBars *self = g_new0 (StriaModelBars, 1);

  self->names = g_ptr_array_new ();
  self->bars = g_array_new (FALSE, FALSE, sizeof (StriaModelBar));
  self->parts = g_array_new (FALSE, FALSE, sizeof (StriaCounterPart));
  find_names (self, index, aggregation);
  for (guint32 i = 0; i < stria_profile_n_entities (index->profile); i++)
    if (stria_profile_entity (index->profile, i)->kind == STRIA_ENTITY_CHAIN)
      add_bar (self, index, aggregation, hidden, i);
  g_array_sort (self->bars, compare_bars);
  return self;
}

void
stria_model_bars_free (StriaModelBars *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->names);
  g_array_unref (self->bars);
  g_array_unref (self->parts);
  g_free (self);
}

const StriaModelBar *
stria_model_bars_find (StriaModelBars *self, guint32 chain)
{
  for (guint i = 0; i < self->bars->len; i++)
    if (g_array_index (self->bars, StriaModelBar, i).chain == chain)
      return &g_array_index (self->bars, StriaModelBar, i);
  return NULL;
}

const StriaCounterPart *
stria_model_bars_parts (StriaModelBars *self, const StriaModelBar *bar, guint *n)
{
  *n = bar->n;
  return (const StriaCounterPart *) (gconstpointer) self->parts->data + bar->first;
}

char *
stria_model_bars_note (StriaAggregation aggregation)
{
  return g_strdup_printf (
      /* Translators: an aggregation, as in "Median (P50)" */
      _ ("Counters of each chain: %s over the executions. Counters may count the same cycles, so a "
         "bar is no time."),
      stria_model_aggregation_title (aggregation));
}

const char *
stria_model_bars_absence (void)
{
  return _ ("They come from the ETDump of a run with NX statistics, which are recorded where "
            "EXECUTORCH_VGF_ENABLE_NEURAL_STATISTICS is set.");
}

char *
stria_model_bars_text (StriaModelBars *self, const StriaModelBar *bar)
{
  return bar->n > 0 ? stria_model_value_text (bar->sum, self->unit, FALSE)
                    : g_strdup ("\xe2\x80\x93");
}
