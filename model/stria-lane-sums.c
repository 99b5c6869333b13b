/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-lane-sums.h"

#include <string.h>

#include "stria-lane-private.h"

/* Larger blocks where names are many: their sums take as much room for more events. */
#define SMALL_BLOCK 16384
#define LARGE_BLOCK 65536
/* Events for each sum of a block, below which it is not kept */
#define LEAST_EVENTS 4

struct _StriaLaneSums
{
  guint64 size;
  guint32 *row_first;     /* number of each row's first block; n_rows + 1 */
  guint32 n_blocks;
  StriaSumBlock **blocks; /* atomic; NULL: not asked for yet */
};

typedef struct
{
  StriaKeySum *sums; /* by key */
  guint32 *touched;
  guint32 n_touched;
} Keys;

struct _StriaSumScratch
{
  Keys names;
  Keys categories;
};

static void
keys_init (Keys *self, guint32 n)
{
  self->sums = g_new0 (StriaKeySum, MAX (n, 1));
  self->touched = g_new (guint32, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    {
      self->sums[i].min = G_MAXINT64;
      self->sums[i].max = G_MININT64;
    }
}

StriaSumScratch *
stria_sum_scratch_new (guint32 n_names, guint32 n_categories)
{
  StriaSumScratch *self = g_new0 (StriaSumScratch, 1);

  keys_init (&self->names, n_names);
  keys_init (&self->categories, n_categories);
  return self;
}

void
stria_sum_scratch_free (StriaSumScratch *self)
{
  g_free (self->names.sums);
  g_free (self->names.touched);
  g_free (self->categories.sums);
  g_free (self->categories.touched);
  g_free (self);
}

/* What asks for a sum adds something to it, so that no key is listed twice. */
static inline StriaKeySum *
touch (Keys *self, guint32 key)
{
  StriaKeySum *sum = &self->sums[key];

  if (G_UNLIKELY (sum->count == 0 && sum->children == 0))
    self->touched[self->n_touched++] = key;
  return sum;
}

static void
add_children (StriaSumScratch *self, const StriaColumns *c, guint32 parent, gint64 lost)
{
  if (parent == G_MAXUINT32 || lost == 0)
    return;
  touch (&self->names, c->name[parent])->children += lost;
  touch (&self->categories, c->category[parent])->children += lost;
}

static inline void
add_sum (StriaKeySum *sum, const StriaKeySum *run)
{
  sum->count += run->count;
  sum->total += run->total;
  sum->min = MIN (sum->min, run->min);
  sum->max = MAX (sum->max, run->max);
}

static const StriaKeySum nothing = { .min = G_MAXINT64, .max = G_MININT64 };

static void
add_category (StriaSumScratch *self, guint16 category, StriaKeySum *run)
{
  if (run->count > 0)
    add_sum (touch (&self->categories, category), run);
  *run = nothing;
}

/* Children stand side by side: what they take from their parent is added up before it is given to
 * its key. Pointers are copied so that what is written to the sums need not be taken for a change of
 * them. */
static void
sum_events (StriaSumScratch *self, const StriaLaneBody *body, guint64 begin, guint64 end,
            guint64 row_end, gint64 *max_end)
{
  const StriaColumns *c = &body->columns;
  const gint64 *starts = c->start, *durs = c->dur;
  const guint32 *names = c->name, *parents = c->parent;
  const guint16 *categories = c->category, *clipped = body->pyramid.clipped;
  StriaKeySum *sums = self->names.sums;
  guint32 parent = G_MAXUINT32;
  gint64 lost = 0, latest = G_MININT64;
  StriaKeySum run = nothing; /* of neighbours in the same category */
  guint16 category = 0;

  for (guint64 i = begin; i < end; i++)
    {
      const gint64 dur = durs[i];
      StriaKeySum *sum = &sums[names[i]];

      if (G_UNLIKELY (sum->count == 0))
        touch (&self->names, names[i]);
      latest = MAX (latest, starts[i] + dur);
      sum->count++;
      sum->total += dur;
      sum->min = MIN (sum->min, dur);
      sum->max = MAX (sum->max, dur);
      if (G_UNLIKELY (categories[i] != category))
        {
          add_category (self, category, &run);
          category = categories[i];
        }
      run.count++;
      run.total += dur;
      run.min = MIN (run.min, dur);
      run.max = MAX (run.max, dur);
      if (parents == NULL)
        continue;
      if (G_UNLIKELY (parents[i] != parent))
        {
          add_children (self, c, parent, lost);
          parent = parents[i];
          lost = 0;
        }
      if (G_LIKELY (clipped != NULL
                    && (clipped[i >> STRIA_FANOUT_BITS] >> (i & (STRIA_FANOUT - 1)) & 1) == 0))
        lost += MAX (dur, 0);
      else
        lost += MAX (stria_lane_body_drawn_end (body, row_end, i) - starts[i], 0);
    }
  add_category (self, category, &run);
  add_children (self, c, parent, lost);
  *max_end = latest;
}

static void
take (Keys *self, StriaKeySum *to)
{
  for (guint32 i = 0; i < self->n_touched; i++)
    {
      StriaKeySum *sum = &self->sums[self->touched[i]];

      if (to != NULL)
        {
          to[i] = *sum;
          to[i].key = self->touched[i];
        }
      *sum = nothing;
    }
  self->n_touched = 0;
}

static StriaSumBlock *
make_block (StriaSumScratch *scratch, const StriaLaneBody *body, guint64 begin, guint64 end,
            guint64 row_end)
{
  StriaSumBlock *block = NULL;
  gint64 max_end;
  guint64 n = 0;

  sum_events (scratch, body, begin, end, row_end, &max_end);
  n = (guint64) scratch->names.n_touched + scratch->categories.n_touched;
  if (n * LEAST_EVENTS > end - begin)
    {
      block = g_new0 (StriaSumBlock, 1);
      take (&scratch->names, NULL);
      take (&scratch->categories, NULL);
      return block;
    }
  block = g_malloc (sizeof *block + n * sizeof *block->sums);
  *block = (StriaSumBlock){ .max_end = max_end, .n_names = scratch->names.n_touched,
                            .n_categories = scratch->categories.n_touched, .is_kept = TRUE };
  take (&scratch->names, block->sums);
  take (&scratch->categories, block->sums + block->n_names);
  return block;
}

/* How many different names the first events of the longest row have */
static guint64
choose_size (const StriaLaneBody *body, guint32 n_names)
{
  g_autofree guint8 *seen = g_new0 (guint8, (gsize) n_names / 8 + 1);
  guint64 first = 0, longest = 0, n = 0;

  for (guint32 row = 0; row < body->n_rows; row++)
    if (body->row_begin[row + 1] - body->row_begin[row] > longest)
      {
        first = body->row_begin[row];
        longest = body->row_begin[row + 1] - first;
      }
  for (guint64 i = first; i < first + MIN (longest, SMALL_BLOCK); i++)
    {
      const guint32 name = body->columns.name[i];

      n += (seen[name >> 3] >> (name & 7) & 1) == 0;
      seen[name >> 3] |= (guint8) (1u << (name & 7));
    }
  return n * LEAST_EVENTS * 2 > SMALL_BLOCK ? LARGE_BLOCK : SMALL_BLOCK;
}

static StriaLaneSums *
sums_new (const StriaLaneBody *body, guint32 n_names)
{
  StriaLaneSums *self = g_new0 (StriaLaneSums, 1);
  guint32 n = 0;

  self->size = choose_size (body, n_names);
  self->row_first = g_new (guint32, body->n_rows + 1);
  for (guint32 row = 0; row < body->n_rows; row++)
    {
      self->row_first[row] = n;
      n += (guint32) ((body->row_begin[row + 1] - body->row_begin[row] + self->size - 1)
                      / self->size);
    }
  self->row_first[body->n_rows] = n;
  self->n_blocks = n;
  self->blocks = g_new0 (StriaSumBlock *, MAX (n, 1));
  return self;
}

void
stria_lane_sums_free (StriaLaneSums *self)
{
  for (guint32 i = 0; i < self->n_blocks; i++)
    g_free (self->blocks[i]);
  g_free (self->blocks);
  g_free (self->row_first);
  g_free (self);
}

StriaLaneSums *
stria_lane_get_sums (StriaLane *lane, guint32 n_names)
{
  StriaLaneBody *body = lane->body;
  StriaLaneSums *sums = g_atomic_pointer_get (&body->sums);

  if (sums != NULL)
    return sums;
  g_mutex_lock (&body->mutex);
  if (body->sums == NULL)
    g_atomic_pointer_set (&body->sums, sums_new (body, n_names));
  sums = body->sums;
  g_mutex_unlock (&body->mutex);
  return sums;
}

guint64
stria_lane_sums_size (StriaLaneSums *self)
{
  return self->size;
}

const StriaSumBlock *
stria_lane_sums_block (StriaLaneSums *self, StriaLane *lane, guint32 row, guint64 block,
                       StriaSumScratch *scratch)
{
  const StriaLaneBody *body = lane->body;
  StriaSumBlock **at = &self->blocks[self->row_first[row] + block];
  StriaSumBlock *made = g_atomic_pointer_get (at);
  const guint64 row_end = body->row_begin[row + 1];
  const guint64 begin = body->row_begin[row] + block * self->size;

  if (made != NULL)
    return made;
  made = make_block (scratch, body, begin, MIN (begin + self->size, row_end), row_end);
  /* Two that ask at once may both make it; one of them is kept. */
  if (!g_atomic_pointer_compare_and_exchange (at, NULL, made))
    {
      g_free (made);
      made = g_atomic_pointer_get (at);
    }
  return made;
}

static void
add_sums (const StriaKeySum *sums, guint32 n, StriaSum *to)
{
  for (guint32 i = 0; i < n; i++)
    {
      const StriaKeySum *from = &sums[i];
      StriaSum *sum = &to[from->key];

      if (i + 8 < n)
        __builtin_prefetch (&to[sums[i + 8].key], 1);
      sum->children += from->children;
      if (from->count == 0)
        continue;
      sum->min = sum->count == 0 ? from->min : MIN (sum->min, from->min);
      sum->max = sum->count == 0 ? from->max : MAX (sum->max, from->max);
      sum->count += from->count;
      sum->total += from->total;
      sum->whole += (double) from->total;
    }
}

void
stria_sum_block_add (const StriaSumBlock *self, StriaSum *names, StriaSum *categories)
{
  add_sums (self->sums, self->n_names, names);
  add_sums (self->sums + self->n_names, self->n_categories, categories);
}
