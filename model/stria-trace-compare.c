/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-trace-compare-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Events between two looks at whether it is still wanted */
#define CHECK_EVERY 65536

/* -- names ----------------------------------------------------------------------------------- */

/* The bracket that closes the one at @text; NULL if there is none, as in “operator<”. */
static const char *
find_close (const char *text)
{
  guint depth = 0;

  for (const char *c = text; *c != '\0'; c++)
    {
      if (*c == '<')
        depth++;
      else if (*c == '>' && c > text && c[-1] != '-' && --depth == 0)
        return c;
    }
  return NULL;
}

char *
stria_name_normalise (const char *name)
{
  GString *out = g_string_sized_new (strlen (name));

  for (const char *c = name; *c != '\0'; c++)
    {
      const char *close = *c == '<' && c > name ? find_close (c) : NULL;

      if (close != NULL)
        {
          g_string_append (out, "<>");
          c = close;
        }
      else if (c[0] == '0' && (c[1] == 'x' || c[1] == 'X') && g_ascii_isxdigit (c[2]))
        {
          g_string_append_c (out, '#');
          for (c += 2; g_ascii_isxdigit (c[1]); c++)
            ;
        }
      else if (g_ascii_isdigit (*c))
        {
          g_string_append_c (out, '#');
          while (g_ascii_isdigit (c[1]))
            c++;
        }
      else
        g_string_append_c (out, *c);
    }
  return g_string_free (out, FALSE);
}

/* -- sums of one trace ----------------------------------------------------------------------- */

static guint64
key_of (guint32 category, guint32 name)
{
  return (guint64) category << 32 | name;
}

typedef struct
{
  GHashTable *places; /* key -> place in @sums + 1 */
  GArray     *sums;   /* StriaCompareSum */
  guint64     last_key;
  guint       last_place;
} Sums;

static StriaCompareSum *
sum_of (Sums *self, guint64 key)
{
  if (self->sums->len == 0 || self->last_key != key)
    {
      guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->places, &key));

      if (place == 0)
        {
          StriaCompareSum sum = { .key = key };

          g_array_append_val (self->sums, sum);
          place = self->sums->len;
          g_hash_table_insert (self->places, g_memdup2 (&key, sizeof key),
                               GUINT_TO_POINTER (place));
        }
      self->last_key = key;
      self->last_place = place - 1;
    }
  return &g_array_index (self->sums, StriaCompareSum, self->last_place);
}

static gboolean
sum_lane (Sums *sums, const StriaColumns *c, StriaTraceSpan span, GCancellable *cancellable,
          GError **error)
{
  for (guint64 i = 0; i < c->n; i++)
    {
      StriaCompareSum *sum;
      gint64 start, end;

      if (i % CHECK_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (!stria_compare_clip (c, i, span, &start, &end))
        continue;
      sum = sum_of (sums, key_of (c->category[i], c->name[i]));
      sum->count++;
      sum->total_ns += end - start;
      sum->self_ns += end - start;
      if (c->parent != NULL && c->parent[i] != G_MAXUINT32 && end > start)
        {
          const guint32 p = c->parent[i];
          gint64 parent_start, parent_end;

          /* A child may stick out by the rounding of a clock. */
          if (!stria_compare_clip (c, p, span, &parent_start, &parent_end))
            continue;
          start = MAX (start, parent_start);
          end = MIN (end, parent_end);
          if (end > start)
            sum_of (sums, key_of (c->category[p], c->name[p]))->self_ns -= end - start;
        }
    }
  return TRUE;
}

static GArray *
sum_trace (StriaTrace *trace, StriaTraceSpan span, GCancellable *cancellable, GError **error)
{
  Sums sums = { g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL),
                g_array_new (FALSE, FALSE, sizeof (StriaCompareSum)), 0, 0 };
  gboolean done = TRUE;

  for (guint32 i = 0; done && i < stria_trace_get_n_lanes (trace); i++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, i);
      const StriaLaneKind kind = stria_lane_get_kind (lane);

      if (kind == STRIA_LANE_COUNTER || kind == STRIA_LANE_INSTANTS)
        continue;
      done = stria_lane_load (lane, cancellable, error)
             && sum_lane (&sums, stria_lane_get_columns (lane), span, cancellable, error);
    }
  g_hash_table_unref (sums.places);
  if (!done)
    g_clear_pointer (&sums.sums, g_array_unref);
  return sums.sums;
}

/* -- rows ------------------------------------------------------------------------------------ */

static void
row_free (gpointer data)
{
  StriaTraceRow *row = data;

  for (guint i = 0; i < STRIA_TRACE_COMPARE_MAX; i++)
    g_clear_pointer (&row->cells[i].names, g_array_unref);
  g_free (row->name);
  g_free (row);
}

static void
free_rows (GPtrArray *rows)
{
  for (guint i = 0; i < rows->len; i++)
    row_free (rows->pdata[i]);
}

static guint
presence (const StriaTraceRow *row)
{
  guint bits = 0;

  for (guint i = 0; i < STRIA_TRACE_COMPARE_MAX; i++)
    if (row->cells[i].count > 0)
      bits |= 1u << i;
  return bits;
}

static void
take_cell (StriaTraceCell *cell, const StriaTraceCell *from)
{
  if (from->count == 0)
    return;
  cell->count += from->count;
  cell->total_ns += from->total_ns;
  cell->self_ns += from->self_ns;
  if (cell->names == NULL)
    cell->names = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_vals (cell->names, from->names->data, from->names->len);
}

/* Rows by category and name, which stand in two texts of one key */
static char *
text_key (const char *category, const char *name)
{
  return g_strconcat (category, "\x1f", name, NULL);
}

static void
add_sums (GHashTable *rows, GPtrArray *list, StriaTrace *trace, guint number, GArray *sums)
{
  for (guint i = 0; i < sums->len; i++)
    {
      const StriaCompareSum *sum = &g_array_index (sums, StriaCompareSum, i);
      const guint32 name = (guint32) sum->key;
      const char *text = stria_trace_get_string (trace, name);
      const char *category = stria_trace_get_category (trace, (guint32) (sum->key >> 32));
      g_autofree char *key = text_key (category, text);
      StriaTraceRow *row = g_hash_table_lookup (rows, key);
      g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (guint32));

      if (row == NULL)
        {
          row = g_new0 (StriaTraceRow, 1);
          row->name = g_strdup (text);
          row->category = category;
          g_hash_table_insert (rows, g_steal_pointer (&key), row);
          g_ptr_array_add (list, row);
        }
      g_array_append_val (names, name);
      take_cell (&row->cells[number],
                 &(StriaTraceCell){ sum->count, sum->total_ns, sum->self_ns, names });
    }
}

/* Rows of one normalised name are one, if that brings them into a trace where none of them is. */
static gboolean
is_worth_merging (GPtrArray *group)
{
  guint all = 0;

  for (guint i = 0; i < group->len; i++)
    all |= presence (group->pdata[i]);
  for (guint i = 0; i < group->len; i++)
    if (presence (group->pdata[i]) == all)
      return FALSE;
  return TRUE;
}

static StriaTraceRow *
merge_rows (GPtrArray *group, char *name)
{
  StriaTraceRow *row = g_new0 (StriaTraceRow, 1);

  row->name = name;
  row->category = ((StriaTraceRow *) group->pdata[0])->category;
  row->normalised = TRUE;
  for (guint i = 0; i < group->len; i++)
    for (guint k = 0; k < STRIA_TRACE_COMPARE_MAX; k++)
      take_cell (&row->cells[k], &((StriaTraceRow *) group->pdata[i])->cells[k]);
  return row;
}

static void
match_rows (StriaTraceCompare *self, GPtrArray *exact)
{
  const guint all = (1u << self->n) - 1;
  g_autoptr (GHashTable) groups
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  GHashTableIter iter;
  gpointer key, value;

  for (guint i = 0; i < exact->len; i++)
    {
      StriaTraceRow *row = exact->pdata[i];
      g_autofree char *name = NULL;
      g_autofree char *text = NULL;
      GPtrArray *group;

      if (presence (row) == all)
        {
          g_ptr_array_add (self->rows, row);
          continue;
        }
      name = stria_name_normalise (row->name);
      text = text_key (row->category, name);
      group = g_hash_table_lookup (groups, text);
      if (group == NULL)
        {
          group = g_ptr_array_new ();
          g_hash_table_insert (groups, g_steal_pointer (&text), group);
        }
      g_ptr_array_add (group, row);
    }
  g_hash_table_iter_init (&iter, groups);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      GPtrArray *group = value;

      if (is_worth_merging (group))
        {
          g_ptr_array_add (self->rows,
                           merge_rows (group, g_strdup (strchr (key, '\x1f') + 1)));
          free_rows (group);
        }
      else
        for (guint i = 0; i < group->len; i++)
          g_ptr_array_add (self->rows, group->pdata[i]);
    }
}

static int
compare_by_name (gconstpointer a, gconstpointer b)
{
  const StriaTraceRow *x = *(StriaTraceRow *const *) a, *y = *(StriaTraceRow *const *) b;
  const int order = strcmp (x->category, y->category);

  return order != 0 ? order : strcmp (x->name, y->name);
}

/* Names in different categories may be one to a person: the index keeps to both. */
static void
index_rows (StriaTraceCompare *self, GHashTable *categories[])
{
  for (guint r = 0; r < self->rows->len; r++)
    {
      const StriaTraceRow *row = self->rows->pdata[r];

      if (row->normalised)
        self->n_normalised++;
      else if (presence (row) == (1u << self->n) - 1)
        self->n_exact++;
      for (guint t = 0; t < self->n; t++)
        for (guint i = 0; row->cells[t].names != NULL && i < row->cells[t].names->len; i++)
          {
            const guint32 category
                = GPOINTER_TO_UINT (g_hash_table_lookup (categories[t], row->category));
            const guint64 key
                = key_of (category, g_array_index (row->cells[t].names, guint32, i));

            g_hash_table_insert (self->index[t], g_memdup2 (&key, sizeof key),
                                 GUINT_TO_POINTER (r + 1));
          }
    }
}

static gboolean
find_rows (StriaTraceCompare *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GHashTable) by_text = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) exact = g_ptr_array_new ();
  GHashTable *categories[STRIA_TRACE_COMPARE_MAX] = { NULL };

  for (guint t = 0; t < self->n; t++)
    {
      g_autoptr (GArray) sums
          = sum_trace (self->traces[t], self->spans[t], cancellable, error);

      if (sums == NULL)
        {
          free_rows (exact);
          return FALSE;
        }
      add_sums (by_text, exact, self->traces[t], t, sums);
    }
  match_rows (self, exact);
  g_ptr_array_sort (self->rows, compare_by_name);
  for (guint t = 0; t < self->n; t++)
    {
      categories[t] = g_hash_table_new (g_str_hash, g_str_equal);
      for (guint32 i = 0; i < stria_trace_get_n_categories (self->traces[t]); i++)
        g_hash_table_insert (categories[t],
                             (char *) stria_trace_get_category (self->traces[t], i),
                             GUINT_TO_POINTER (i));
    }
  index_rows (self, categories);
  for (guint t = 0; t < self->n; t++)
    g_hash_table_unref (categories[t]);
  return TRUE;
}

/* -- the whole ------------------------------------------------------------------------------- */

static void
figure_free (gpointer data)
{
  StriaTraceFigure *figure = data;

  g_free (figure->id);
  g_free (figure->section);
  g_free (figure);
}

StriaTraceCompare *
stria_trace_compare_new (StriaCapture *const *captures, guint n, const StriaTraceSpan *spans,
                         GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaTraceCompare) self = NULL;

  g_return_val_if_fail (n >= 1 && n <= STRIA_TRACE_COMPARE_MAX, NULL);

  self = g_new0 (StriaTraceCompare, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->rows = g_ptr_array_new_with_free_func (row_free);
  self->figures = g_ptr_array_new_with_free_func (figure_free);
  for (guint i = 0; i < n; i++)
    {
      StriaTrace *trace = stria_capture_ref_trace (captures[i]);

      if (trace == NULL)
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("%s: there are no events to compare"),
                       stria_capture_get_title (captures[i]));
          return NULL;
        }
      self->traces[i] = trace;
      self->index[i] = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
      self->n = i + 1;
      if (spans != NULL)
        self->spans[i] = spans[i];
      else
        stria_trace_get_view_range (trace, &self->spans[i].t0, &self->spans[i].t1);
    }
  if (!find_rows (self, cancellable, error)
      || !stria_trace_compare_add_figures (self, captures, spans != NULL, cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

StriaTraceCompare *
stria_trace_compare_ref (StriaTraceCompare *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
stria_trace_compare_unref (StriaTraceCompare *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  for (guint i = 0; i < STRIA_TRACE_COMPARE_MAX; i++)
    {
      g_clear_pointer (&self->traces[i], stria_trace_unref);
      g_clear_pointer (&self->index[i], g_hash_table_unref);
    }
  g_ptr_array_unref (self->rows);
  g_ptr_array_unref (self->figures);
  g_free (self);
}

/* -- asking ---------------------------------------------------------------------------------- */

gboolean
stria_trace_cell_value (const StriaTraceCell *cell, StriaCompareMeasure measure, double *value)
{
  switch (measure)
    {
    case STRIA_COMPARE_SELF:
      *value = (double) cell->self_ns;
      break;
    case STRIA_COMPARE_MEAN:
      *value = cell->count > 0 ? (double) cell->total_ns / (double) cell->count : 0;
      break;
    case STRIA_COMPARE_COUNT:
      *value = (double) cell->count;
      break;
    case STRIA_COMPARE_TOTAL:
    default:
      *value = (double) cell->total_ns;
      break;
    }
  return cell->count > 0;
}

StriaRowState
stria_trace_row_state (const StriaTraceRow *row, guint base, guint other)
{
  if (row->cells[base].count > 0)
    return row->cells[other].count > 0 ? STRIA_ROW_BOTH : STRIA_ROW_GONE;
  return row->cells[other].count > 0 ? STRIA_ROW_NEW : STRIA_ROW_NONE;
}

gboolean
stria_trace_row_difference (const StriaTraceRow *row, guint base, guint other,
                            StriaCompareMeasure measure, double *difference)
{
  double before, after;
  const gboolean in_base = stria_trace_cell_value (&row->cells[base], measure, &before);
  const gboolean in_other = stria_trace_cell_value (&row->cells[other], measure, &after);

  *difference = after - before;
  return measure == STRIA_COMPARE_MEAN ? in_base && in_other : in_base || in_other;
}

gboolean
stria_trace_row_worst (const StriaTraceRow *row, guint n, guint base, StriaCompareMeasure measure,
                       double *difference)
{
  gboolean found = FALSE;

  for (guint i = 0; i < n; i++)
    {
      double of;

      if (i == base || !stria_trace_row_difference (row, base, i, measure, &of))
        continue;
      *difference = found ? MAX (*difference, of) : of;
      found = TRUE;
    }
  return found;
}

const StriaTraceRow *
stria_trace_compare_find (StriaTraceCompare *self, guint trace, guint32 category, guint32 name)
{
  const guint64 key = key_of (category, name);
  guint place;

  g_return_val_if_fail (trace < self->n, NULL);

  place = GPOINTER_TO_UINT (g_hash_table_lookup (self->index[trace], &key));
  return place > 0 ? self->rows->pdata[place - 1] : NULL;
}

typedef struct
{
  gint64   start;
  StriaRef ref;
} Found;

static int
compare_found (gconstpointer a, gconstpointer b)
{
  const Found *x = a, *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  if (x->ref.lane != y->ref.lane)
    return x->ref.lane < y->ref.lane ? -1 : 1;
  return x->ref.index < y->ref.index ? -1 : x->ref.index > y->ref.index;
}

GArray *
stria_trace_compare_events (StriaTraceCompare *self, const StriaTraceRow *row, guint trace,
                            GCancellable *cancellable, GError **error)
{
  StriaTrace *of = self->traces[trace];
  const GArray *names = row->cells[trace].names;
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Found));
  g_autofree guint8 *wanted = g_malloc0 (stria_strings_size (stria_trace_get_strings (of)) + 1);
  GArray *refs = g_array_new (FALSE, FALSE, sizeof (StriaRef));

  for (guint i = 0; names != NULL && i < names->len; i++)
    wanted[g_array_index (names, guint32, i)] = 1;
  for (guint32 l = 0; names != NULL && l < stria_trace_get_n_lanes (of); l++)
    {
      StriaLane *lane = stria_trace_get_lane (of, l);
      const StriaColumns *c;

      if (stria_lane_get_kind (lane) == STRIA_LANE_COUNTER
          || stria_lane_get_kind (lane) == STRIA_LANE_INSTANTS)
        continue;
      if (!stria_lane_load (lane, cancellable, error)
          || g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          g_array_unref (refs);
          return NULL;
        }
      c = stria_lane_get_columns (lane);
      for (guint64 i = 0; i < c->n; i++)
        if (wanted[c->name[i]]
            && g_str_equal (stria_trace_get_category (of, c->category[i]), row->category))
          {
            const Found one = { c->start[i], { l, (guint32) i } };

            g_array_append_val (found, one);
          }
    }
  g_array_sort (found, compare_found);
  for (guint i = 0; i < found->len; i++)
    g_array_append_val (refs, g_array_index (found, Found, i).ref);
  return refs;
}

const StriaTraceFigure *
stria_trace_compare_figure (StriaTraceCompare *self, const char *id)
{
  for (guint i = 0; i < self->figures->len; i++)
    if (g_str_equal (((StriaTraceFigure *) self->figures->pdata[i])->id, id))
      return self->figures->pdata[i];
  return NULL;
}
