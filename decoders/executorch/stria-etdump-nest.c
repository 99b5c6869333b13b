/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-etdump-private.h"
#include "stria-sort.h"

#define UNKNOWN G_MAXUINT64

typedef struct
{
  StriaDumpEventRow *rows;
  guint32            first;
  GArray            *framework; /* guint32: those outside of instructions, around each other */
  GHashTable        *tops;      /* instruction -> innermost event + 1 */
  guint64            last_key;
  guint32            last_top;
} Nest;

/**
 * stria_etdump_elapsed:
 * @wrapped: (out): whether the clock of 32 bits went over its end between the two
 *
 * The rule of executorch's Inspector, which counts one tick less than passed when a clock wraps.
 * [CODE: executorch devtools/inspector/_inspector.py]
 *
 * Returns: ticks; G_MAXUINT64 if @end is before @start and a clock of 32 bits can't have given them
 */
guint64
stria_etdump_elapsed (guint64 start, guint64 end, guint8 *wrapped)
{
  *wrapped = 0;
  if (start <= end)
    return end - start;
  if (start > G_MAXUINT32)
    return UNKNOWN;
  *wrapped = 1;
  return G_MAXUINT32 - start + end;
}

static inline guint64
end_of (const StriaDumpEventRow *row)
{
  return row->start + row->elapsed;
}

static int
compare_ties (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const StriaDumpEventRow *rows = user_data;
  guint32 i = *(const guint32 *) a, j = *(const guint32 *) b;

  if (rows[i].elapsed != rows[j].elapsed)
    return rows[i].elapsed > rows[j].elapsed ? -1 : 1;
  return i > j ? -1 : i < j;
}

/* Events of known length by start; of those that start together the outer one first. An event is
 * written when it ends, so of two equal ones the later one is outside. [CODE] */
static guint32 *
sort_by_start (const StriaDumpEventRow *rows, guint32 n, guint32 *n_sorted)
{
  g_autofree StriaSortPair *pairs = g_new (StriaSortPair, n);
  guint32 *order;
  guint32 m = 0;

  for (guint32 i = 0; i < n; i++)
    if (rows[i].elapsed != UNKNOWN)
      pairs[m++] = (StriaSortPair) { rows[i].start, i };
  stria_sort_pairs (pairs, m);
  order = g_new (guint32, m);
  for (guint32 i = 0; i < m; i++)
    order[i] = pairs[i].value;
  for (guint32 i = 0, j; i < m; i = j)
    {
      for (j = i + 1; j < m && pairs[j].key == pairs[i].key; j++)
        ;
      if (j - i > 1)
        g_qsort_with_data (order + i, (gint) (j - i), sizeof *order, compare_ties,
                           (gpointer) rows);
    }
  *n_sorted = m;
  return order;
}

/* What is open among the framework's events has an end no later than that of what is around it, so
 * the innermost one that is around @end is found by halving. Nothing is closed for an event of an
 * instruction: another one may still be inside. */
static guint32
find_framework (const Nest *self, guint64 end)
{
  guint low = 0, high = self->framework->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (end_of (&self->rows[g_array_index (self->framework, guint32, middle)]) >= end)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 ? g_array_index (self->framework, guint32, low - 1) : STRIA_NO_REF;
}

static void
put_framework (Nest *self, guint32 i)
{
  guint64 end = end_of (&self->rows[i]);
  guint32 parent = find_framework (self, end);

  while (self->framework->len > 0
         && g_array_index (self->framework, guint32, self->framework->len - 1) != parent)
    g_array_set_size (self->framework, self->framework->len - 1);
  self->rows[i].parent = parent == STRIA_NO_REF ? parent : self->first + parent;
  g_array_append_val (self->framework, i);
}

/* Events of an instruction are inside each other only when they are of the same one: what a kernel
 * or a delegate logs carries the pair that was current. Those in which an event of the instruction
 * was found not to be are left for good, since what comes later starts later, and the event that
 * took their place ends later. */
static void
put_instruction (Nest *self, guint32 i)
{
  StriaDumpEventRow *rows = self->rows;
  guint64 key = (guint64) (guint32) rows[i].chain << 32 | (guint32) rows[i].instruction;
  guint64 end = end_of (&rows[i]);
  guint32 top;

  if (key == self->last_key)
    top = self->last_top;
  else
    {
      if (self->last_key != UNKNOWN)
        g_hash_table_insert (self->tops, GSIZE_TO_POINTER (self->last_key),
                             GUINT_TO_POINTER (self->last_top + 1));
      top = GPOINTER_TO_UINT (g_hash_table_lookup (self->tops, GSIZE_TO_POINTER (key))) - 1;
    }
  while (top != STRIA_NO_REF && end_of (&rows[top]) < end)
    {
      guint32 around = rows[top].parent;

      top = around != STRIA_NO_REF && rows[around - self->first].chain >= 0 ? around - self->first
                                                                           : STRIA_NO_REF;
    }
  if (top != STRIA_NO_REF)
    rows[i].parent = self->first + top;
  else
    {
      guint32 parent = find_framework (self, end);

      rows[i].parent = parent == STRIA_NO_REF ? parent : self->first + parent;
    }
  self->last_key = key;
  self->last_top = i;
}

/* Where intervals are equal, a timeline takes the first in number to be the outer one. */
static guint32 *
places_of_ties (const StriaDumpEventRow *rows, const guint32 *order, guint32 n_sorted, guint32 n)
{
  guint32 *places = NULL;

  for (guint32 i = 0, j; i < n_sorted; i = j)
    {
      for (j = i + 1; j < n_sorted && rows[order[j]].start == rows[order[i]].start
                      && rows[order[j]].elapsed == rows[order[i]].elapsed; j++)
        ;
      if (j - i == 1)
        continue;
      if (places == NULL)
        {
          places = g_new (guint32, n);
          for (guint32 k = 0; k < n; k++)
            places[k] = k;
        }
      for (guint32 k = i; k < j; k++)
        places[order[k]] = order[j - 1 - (k - i)];
    }
  return places;
}

/**
 * stria_etdump_nest:
 * @rows: the events of one run, in the order of the file, with their elapsed times
 * @first: number of the first one
 * @n: how many
 *
 * The file names no parents. An event's parent is the shortest one around it in time that is of the
 * same chain and instruction, else the shortest of the framework's (outside of any instruction).
 * [CODE; PROPOSAL for the framework's] Events that can't be told to be inside of another have none.
 *
 * Returns: (transfer full) (nullable): for each event, whose place in the file's order it takes
 *   where that order is to go from the outside in among equal intervals; NULL: each its own
 */
guint32 *
stria_etdump_nest (StriaDumpEventRow *rows, guint32 first, guint32 n)
{
  guint32 *places;
  g_autofree guint32 *order = NULL;
  guint32 n_sorted;
  Nest self = {
    .rows = rows,
    .first = first,
    .framework = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .tops = g_hash_table_new (NULL, NULL),
    .last_key = UNKNOWN,
  };

  for (guint32 i = 0; i < n; i++)
    rows[i].parent = STRIA_NO_REF;
  order = sort_by_start (rows, n, &n_sorted);
  for (guint32 i = 0; i < n_sorted; i++)
    if (rows[order[i]].chain < 0)
      put_framework (&self, order[i]);
    else
      put_instruction (&self, order[i]);
  places = places_of_ties (rows, order, n_sorted, n);
  g_array_unref (self.framework);
  g_hash_table_unref (self.tops);
  return places;
}
