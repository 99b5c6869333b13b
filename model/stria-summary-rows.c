/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-summary-rows.h"

typedef struct
{
  gint64 start;
  gint64 end;
} Span;

static int
compare_spans (gconstpointer a, gconstpointer b)
{
  const Span *x = a, *y = b;

  return x->start < y->start ? -1 : x->start > y->start;
}

void
stria_span_union_merge (StriaSpanUnion *self)
{
  guint kept = 0;

  if (self->spans == NULL || self->spans->len == self->merged)
    return;
  g_array_sort (self->spans, compare_spans);
  for (guint i = 1; i < self->spans->len; i++)
    {
      const Span *next = &g_array_index (self->spans, Span, i);
      Span *last = &g_array_index (self->spans, Span, kept);

      if (next->start <= last->end)
        last->end = MAX (last->end, next->end);
      else
        g_array_index (self->spans, Span, ++kept) = *next;
    }
  g_array_set_size (self->spans, kept + 1);
  self->merged = self->spans->len;
}

static void
append (StriaSpanUnion *self, Span span)
{
  if (self->spans == NULL)
    self->spans = g_array_new (FALSE, FALSE, sizeof (Span));
  g_array_append_val (self->spans, span);
  if (self->spans->len > (1 << 20) && self->spans->len > self->merged * 2)
    stria_span_union_merge (self);
}

void
stria_span_union_add (StriaSpanUnion *self, gint64 start, gint64 duration)
{
  Span span = { start, start };

  if (duration >= 0 && !__builtin_add_overflow (start, duration, &span.end))
    append (self, span);
}

double
stria_span_union_ns (StriaSpanUnion *self)
{
  double total = 0;

  stria_span_union_merge (self);
  for (guint i = 0; self->spans != NULL && i < self->spans->len; i++)
    {
      const Span *span = &g_array_index (self->spans, Span, i);

      /* What several cover may be longer than a signed number holds. */
      total += (double) ((guint64) span->end - (guint64) span->start);
    }
  return total;
}

double
stria_span_union_inside (StriaSpanUnion *self, gint64 t0, gint64 t1)
{
  double total = 0;
  guint low = 0, high;

  stria_span_union_merge (self);
  high = self->spans != NULL ? self->spans->len : 0;
  while (low < high)
    {
      guint mid = low + (high - low) / 2;

      if (g_array_index (self->spans, Span, mid).end <= t0)
        low = mid + 1;
      else
        high = mid;
    }
  for (; self->spans != NULL && low < self->spans->len; low++)
    {
      const Span *span = &g_array_index (self->spans, Span, low);

      if (span->start >= t1)
        break;
      total += (double) ((guint64) MIN (span->end, t1) - (guint64) MAX (span->start, t0));
    }
  return total;
}

void
stria_span_union_take (StriaSpanUnion *self, const StriaSpanUnion *other)
{
  for (guint i = 0; other->spans != NULL && i < other->spans->len; i++)
    append (self, g_array_index (other->spans, Span, i));
}

void
stria_span_union_clear (StriaSpanUnion *self)
{
  g_clear_pointer (&self->spans, g_array_unref);
  self->merged = 0;
}

/* -- rows ------------------------------------------------------------------------------------ */

void
stria_summary_rows_clear (StriaSummaryRows *self)
{
  for (guint c = 0; c < STRIA_SUMMARY_ROWS_MAX_WANTED; c++)
    g_clear_pointer (&self->columns[c], stria_column_chunk_free);
}

gboolean
stria_summary_rows_next (StriaSummaryRows *self)
{
  stria_summary_rows_clear (self);
  self->first_row += self->n_rows;
  for (; self->table < self->tables->len; self->table++, self->chunk = 0, self->first_row = 0)
    {
      StriaTable *table = self->tables->pdata[self->table];

      if (g_ascii_strcasecmp (stria_table_get_name (table), self->name) != 0
          || self->chunk >= stria_table_get_n_chunks (table))
        continue;
      if (g_cancellable_set_error_if_cancelled (self->cancellable, self->error))
        {
          self->failed = TRUE;
          return FALSE;
        }
      if (self->chunk == 0)
        self->first_row = 0;
      self->n_rows = stria_table_get_chunk_rows (table, self->chunk);
      for (guint c = 0; self->wanted[c] != NULL; c++)
        {
          int column = stria_table_find_column (table, self->wanted[c]);

          if (column < 0)
            continue;
          self->types[c] = stria_table_get_column (table, (guint) column)->type;
          self->columns[c] = stria_table_load (table, (guint) column, self->chunk, self->error);
          if (self->columns[c] == NULL)
            {
              self->failed = TRUE;
              return FALSE;
            }
        }
      self->chunk++;
      return TRUE;
    }
  return FALSE;
}

gboolean
stria_summary_rows_number (const StriaSummaryRows *self, guint column, guint32 row, double *value)
{
  const StriaColumnChunk *chunk = self->columns[column];

  if (chunk == NULL || self->types[column] == STRIA_CELL_TEXT
      || !stria_column_data_has (&chunk->data, row))
    return FALSE;
  *value = self->types[column] == STRIA_CELL_REAL ? chunk->data.reals[row]
                                                  : (double) chunk->data.ints[row];
  return TRUE;
}

gint64
stria_summary_rows_int (const StriaSummaryRows *self, guint column, guint32 row, gint64 missing)
{
  const StriaColumnChunk *chunk = self->columns[column];

  if (chunk == NULL || self->types[column] == STRIA_CELL_TEXT
      || self->types[column] == STRIA_CELL_REAL || !stria_column_data_has (&chunk->data, row))
    return missing;
  return chunk->data.ints[row];
}

/* Instructions that were chosen bring the active time of their engine along, which is drawn
 * elsewhere. */
static gboolean
is_chosen (const StriaSummaryRows *self, guint32 row)
{
  StriaTable *table = self->tables->pdata[self->table];
  guint32 length;
  const char *text;

  if (stria_summary_scope_has_row (self->scope, table, self->first_row + row))
    return TRUE;
  /* A limit that holds for a time holds for everything that ran then. */
  if (g_ascii_strcasecmp (self->name, "Throttle") == 0)
    return TRUE;
  if (self->scope->engines == 0 || g_ascii_strcasecmp (self->name, "ActiveTime") != 0)
    return FALSE;
  text = stria_summary_rows_text (self, 3, row, &length);
  return (self->scope->engines >> stria_neuron_engine_find (text, length) & 1) != 0;
}

gboolean
stria_summary_rows_part (const StriaSummaryRows *self, guint32 row, StriaSummaryPart *part)
{
  const StriaSummaryScope *scope = self->scope;
  gint64 start = stria_summary_rows_int (self, 0, row, G_MININT64);
  gint64 duration = stria_summary_rows_int (self, 1, row, -1);
  gint64 end, t0, t1;

  part->core = stria_summary_rows_int (self, 2, row, -1);
  part->start = start;
  part->duration = duration < 0 || start == G_MININT64 ? -1 : duration;
  part->share = 1;
  if (scope == NULL)
    return TRUE;
  if (scope->core >= 0 && part->core >= 0 && part->core != scope->core)
    return FALSE;
  if (scope->has_lanes && !is_chosen (self, row))
    return FALSE;
  if (!scope->has_window)
    return TRUE;
  if (start == G_MININT64)
    return FALSE;
  if (part->duration <= 0)
    return start >= scope->t0 && start < scope->t1;
  if (__builtin_add_overflow (start, duration, &end))
    end = G_MAXINT64;
  t0 = MAX (start, scope->t0);
  t1 = MIN (end, scope->t1);
  if (t1 <= t0)
    return FALSE;
  part->start = t0;
  part->duration = t1 - t0;
  part->share = (double) part->duration / (double) duration;
  return TRUE;
}

const char *
stria_summary_rows_text (const StriaSummaryRows *self, guint column, guint32 row, guint32 *length)
{
  const StriaColumnChunk *chunk = self->columns[column];

  *length = 0;
  if (chunk == NULL || self->types[column] != STRIA_CELL_TEXT
      || !stria_column_data_has (&chunk->data, row))
    return "";
  return stria_column_data_text (&chunk->data, row, length);
}
