/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-regions-chart.h"

#include "stria-annotations.h"
#include "stria-region-form.h"

/* Names that have a row: those with most regions */
#define MOST_CHART_ROWS 24

typedef struct
{
  char *title;
  guint n;
} ChartRow;

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const ChartRow *x = *(ChartRow *const *) a, *y = *(ChartRow *const *) b;

  return x->n != y->n ? (x->n > y->n ? -1 : 1) : g_utf8_collate (x->title, y->title);
}

static void
row_free (gpointer data)
{
  ChartRow *row = data;

  g_free (row->title);
  g_free (row);
}

static ChartRow *
row_for (GHashTable *rows, const char *title)
{
  ChartRow *row = g_hash_table_lookup (rows, title);

  if (row == NULL)
    {
      row = g_new0 (ChartRow, 1);
      row->title = g_strdup (title);
      g_hash_table_insert (rows, row->title, row);
    }
  row->n++;
  return row;
}

/* Regions of one name lie in one row; where each has a name of its own ("step 1", "step 2") those of
 * a rule do. Returns: (transfer full) (element-type ChartRow): by region, of @rows */
static GPtrArray *
find_rows (GPtrArray *rules, const StriaRegionSet *set, GHashTable *rows)
{
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, row_free);
  GPtrArray *row_of = g_ptr_array_new ();

  for (guint i = 0; i < set->regions->len; i++)
    row_for (counts, g_array_index (set->regions, StriaRegion, i).name);
  for (guint i = 0; i < set->regions->len; i++)
    {
      const StriaRegion *region = &g_array_index (set->regions, StriaRegion, i);
      const ChartRow *named = g_hash_table_lookup (counts, region->name);
      g_autofree char *rule = named->n == 1 && region->rule < rules->len
                                  ? stria_region_form_describe (rules->pdata[region->rule])
                                  : NULL;

      g_ptr_array_add (row_of, row_for (rows, rule != NULL ? rule : region->name));
    }
  return row_of;
}

void
stria_regions_chart_fill (StriaSpreadChart *chart, StriaRegions *regions)
{
  const StriaRegionSet *set = stria_regions_get (regions);
  g_autoptr (GHashTable) rows = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, row_free);
  g_autoptr (GPtrArray) row_of = find_rows (stria_regions_get_rules (regions), set, rows);
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();
  g_autoptr (GArray) points = g_array_new (FALSE, TRUE, sizeof (StriaSpreadPoint));
  GHashTableIter iter;
  gpointer row;

  g_hash_table_iter_init (&iter, rows);
  while (g_hash_table_iter_next (&iter, NULL, &row))
    g_ptr_array_add (shown, row);
  g_ptr_array_sort (shown, compare_rows);
  g_ptr_array_set_size (shown, (int) MIN (shown->len, MOST_CHART_ROWS));
  for (guint i = 0; i < shown->len; i++)
    g_ptr_array_add (titles, ((ChartRow *) shown->pdata[i])->title);
  g_ptr_array_add (titles, NULL);
  for (guint i = 0; i < set->regions->len; i++)
    {
      const StriaRegion *region = &g_array_index (set->regions, StriaRegion, i);
      StriaSpreadPoint point = { .ns = region->t1 - region->t0, .id = i,
                                 .rgb = stria_annotation_color (region->rule + 5) };

      if (g_ptr_array_find (shown, row_of->pdata[i], &point.row))
        g_array_append_val (points, point);
    }
  stria_spread_chart_set (chart, (const char *const *) titles->pdata, points);
}
