/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-error.h"
#include "stria-lane-private.h"
#include "stria-lane-sums.h"
#include "stria-sort.h"
#include "stria-stats.h"

typedef struct
{
  StriaSum *names;
  StriaSum *categories;
  guint64 n_slices;
  guint64 n_instants;
} Sums;

typedef struct
{
  StriaTrace *trace;
  const guint32 *lanes;
  gsize n_lanes;
  gint64 t0;
  gint64 t1;
  GCancellable *cancellable;
  guint32 n_names;
  guint32 n_categories;

  /* Work is handed out in pieces of rows, so that one large lane does not keep one core busy alone.
   * They end where blocks of sums do. */
  GArray *pieces; /* Piece */
  gint next;      /* atomic */
} Job;

typedef struct
{
  StriaLane *lane;
  guint32 row;
  guint64 block; /* that it is all of, or NO_BLOCK */
  guint64 begin;
  guint64 end;
} Piece;

#define NO_BLOCK G_MAXUINT64
/* Below this many events a thread costs more than it saves. */
#define PARALLEL_FROM 200000

static inline void
sum_add (StriaSum *sum, gint64 inside, gint64 whole)
{
  sum->min = sum->count == 0 || whole < sum->min ? whole : sum->min;
  sum->max = sum->count == 0 || whole > sum->max ? whole : sum->max;
  sum->count++;
  sum->total += inside;
  sum->whole += (double) whole;
}

static void
merge (StriaSum *to, const StriaSum *from, guint32 n)
{
  for (guint32 i = 0; i < n; i++)
    {
      to[i].children += from[i].children;
      if (from[i].count == 0)
        continue;
      to[i].min = to[i].count == 0 ? from[i].min : MIN (to[i].min, from[i].min);
      to[i].max = to[i].count == 0 ? from[i].max : MAX (to[i].max, from[i].max);
      to[i].count += from[i].count;
      to[i].total += from[i].total;
      to[i].whole += from[i].whole;
    }
}

/* What the children of one parent take from it; they stand side by side. */
typedef struct
{
  guint32 parent;
  gint64 parent_end;
  gint64 lost;
} Family;

static inline void
leave_family (const StriaColumns *c, const Family *family, Sums *sums)
{
  if (family->parent == G_MAXUINT32 || family->lost == 0)
    return;
  sums->names[c->name[family->parent]].children += family->lost;
  sums->categories[c->category[family->parent]].children += family->lost;
}

/* The sums of names lie all over memory; asked for early, they are there when they are needed. */
#define AHEAD 12

static void
sum_piece (const Job *job, const Piece *piece, Sums *sums)
{
  const StriaLaneBody *body = piece->lane->body;
  const StriaColumns *c = &body->columns;
  guint64 row_end = body->row_begin[piece->row + 1];
  Family family = { .parent = G_MAXUINT32 };
  StriaSum run = { 0 }; /* of neighbours in the same category */
  guint16 category = 0;

  for (guint64 i = piece->begin; i < piece->end; i++)
    {
      gint64 start = c->start[i], whole = c->dur[i], end = start + whole;
      gint64 inside = MIN (end, job->t1) - MAX (start, job->t0);
      guint32 parent = c->parent != NULL ? c->parent[i] : G_MAXUINT32;

      if (i + AHEAD < piece->end)
        __builtin_prefetch (&sums->names[c->name[i + AHEAD]], 1);
      if (inside < 0)
        continue;
      if (c->category[i] != category)
        {
          merge (&sums->categories[category], &run, 1);
          run = (StriaSum){ 0 };
          category = c->category[i];
        }
      sum_add (&run, inside, whole);
      sum_add (&sums->names[c->name[i]], inside, whole);
      if (parent != family.parent)
        {
          leave_family (c, &family, sums);
          family = (Family){ parent, 0, 0 };
          if (parent != G_MAXUINT32)
            family.parent_end = c->start[parent] + c->dur[parent];
        }
      if (parent != G_MAXUINT32)
        {
          /* What the parent loses is what is drawn of the child. */
          gint64 drawn = i + 1 < row_end ? MIN (end, c->start[i + 1]) : end;
          drawn = MIN (drawn, MAX (family.parent_end, start));
          family.lost += MAX (0, MIN (drawn, job->t1) - MAX (start, job->t0));
        }
      sums->n_slices++;
    }
  leave_family (c, &family, sums);
  merge (&sums->categories[category], &run, 1);
}

static Sums *
sums_new (const Job *job)
{
  Sums *sums = g_new0 (Sums, 1);

  sums->names = g_new0 (StriaSum, MAX (job->n_names, 1));
  sums->categories = g_new0 (StriaSum, MAX (job->n_categories, 1));
  return sums;
}

static void
sums_free (Sums *sums)
{
  g_free (sums->names);
  g_free (sums->categories);
  g_free (sums);
}

/* Whether sums of the piece were there, or could be made, and hold for the range. */
static gboolean
add_block (const Job *job, const Piece *piece, StriaSumScratch *scratch, Sums *sums)
{
  StriaLaneSums *lane_sums;
  const StriaSumBlock *block;

  if (piece->block == NO_BLOCK)
    return FALSE;
  lane_sums = stria_lane_get_sums (piece->lane, job->n_names);
  block = stria_lane_sums_block (lane_sums, piece->lane, piece->row, piece->block, scratch);
  if (!block->is_kept || block->max_end > job->t1)
    return FALSE;
  stria_sum_block_add (block, sums->names, sums->categories);
  sums->n_slices += piece->end - piece->begin;
  return TRUE;
}

static gpointer
sum_worker (gpointer data)
{
  Job *job = data;
  Sums *sums = sums_new (job);
  g_autoptr (StriaSumScratch) scratch
      = stria_sum_scratch_new (job->n_names, job->n_categories);
  guint i;

  while ((i = (guint) g_atomic_int_add (&job->next, 1)) < job->pieces->len
         && !g_cancellable_is_cancelled (job->cancellable))
    {
      const Piece *piece = &g_array_index (job->pieces, Piece, i);

      if (!add_block (job, piece, scratch, sums))
        sum_piece (job, piece, sums);
    }
  return sums;
}

static guint64
first_at_or_after (const StriaColumns *c, guint64 low, guint64 high, gint64 ns)
{
  while (low < high)
    {
      guint64 mid = low + (high - low) / 2;
      if (c->start[mid] < ns)
        low = mid + 1;
      else
        high = mid;
    }
  return low;
}

/* Events of a row that touch [t0, t1). */
static void
row_span (StriaLane *lane, guint32 row, gint64 t0, gint64 t1, guint64 *begin, guint64 *end)
{
  const StriaLaneBody *body = lane->body;
  guint64 first = body->row_begin[row], last = body->row_begin[row + 1];
  const StriaColumns *c = &body->columns;

  *begin = first_at_or_after (c, first, last, t0);
  *end = first_at_or_after (c, *begin, last, t1);
  /* The one before, if its true end lies inside (rows are disjoint but for clock rounding). */
  while (*begin > first && c->dur != NULL
         && c->start[*begin - 1] + c->dur[*begin - 1] > t0)
    (*begin)--;
}

/* Cuts events of a row where its blocks end. */
static void
add_pieces (Job *job, StriaLane *lane, guint32 row, guint64 begin, guint64 end)
{
  const StriaLaneBody *body = lane->body;
  const guint64 row_begin = body->row_begin[row], row_end = body->row_begin[row + 1];
  const guint64 size = stria_lane_sums_size (stria_lane_get_sums (lane, job->n_names));

  while (begin < end)
    {
      const guint64 block = (begin - row_begin) / size;
      const guint64 block_begin = row_begin + block * size;
      const guint64 block_end = MIN (block_begin + size, row_end);
      const gboolean is_whole = begin == block_begin && end >= block_end
                                && body->columns.start[begin] >= job->t0;
      const Piece piece = { lane, row, is_whole ? block : NO_BLOCK, begin, MIN (end, block_end) };

      g_array_append_val (job->pieces, piece);
      begin = piece.end;
    }
}

static gboolean
make_pieces (Job *job, guint64 *n_events, guint64 *n_instants, guint32 *n_lanes, GError **error)
{
  gsize n = job->lanes != NULL ? job->n_lanes : stria_trace_get_n_lanes (job->trace);

  *n_events = *n_instants = 0;
  *n_lanes = 0;
  for (gsize k = 0; k < n; k++)
    {
      guint32 number = job->lanes != NULL ? job->lanes[k] : (guint32) k;
      if (number >= stria_trace_get_n_lanes (job->trace))
        continue;
      StriaLane *lane = stria_trace_get_lane (job->trace, number);
      StriaLaneKind kind = stria_lane_get_kind (lane);
      gint64 a, z;

      if (kind == STRIA_LANE_COUNTER || !stria_lane_get_range (lane, &a, &z) || z < job->t0
          || a >= job->t1)
        continue;
      if (!stria_lane_load (lane, job->cancellable, error))
        return FALSE;
      (*n_lanes)++;
      for (guint32 row = 0; row < stria_lane_get_n_rows (lane); row++)
        {
          guint64 begin, end;
          row_span (lane, row, job->t0, job->t1, &begin, &end);
          if (kind == STRIA_LANE_INSTANTS)
            {
              *n_instants += end - begin;
              continue;
            }
          *n_events += end - begin;
          add_pieces (job, lane, row, begin, end);
        }
    }
  return !g_cancellable_set_error_if_cancelled (job->cancellable, error);
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const StriaStatsRow *x = a, *y = b;

  if (x->total_ns != y->total_ns)
    return x->total_ns > y->total_ns ? -1 : 1;
  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return x->key < y->key ? -1 : x->key > y->key;
}

static GArray *
rows_from (const StriaSum *sums, guint32 n, gint64 length)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (StriaStatsRow));

  for (guint32 i = 0; i < n; i++)
    {
      if (sums[i].count == 0)
        continue;
      StriaStatsRow row = {
        .key = i,
        .count = sums[i].count,
        .total_ns = sums[i].total,
        .self_ns = sums[i].total - sums[i].children,
        .share = length > 0 ? (double) sums[i].total / (double) length : 0,
        .min_ns = sums[i].min,
        .max_ns = sums[i].max,
        .mean_ns = sums[i].whole / (double) sums[i].count,
        .p50_ns = -1,
        .p95_ns = -1,
      };
      g_array_append_val (rows, row);
    }
  g_array_sort (rows, compare_rows);
  return rows;
}

StriaStats *
stria_stats_new (StriaTrace *trace, const guint32 *lanes, gsize n_lanes, gint64 start_ns,
                 gint64 end_ns, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  Job job = {
    .trace = trace,
    .lanes = lanes,
    .n_lanes = n_lanes,
    .t0 = start_ns,
    .t1 = end_ns,
    .cancellable = cancellable,
    .n_names = stria_strings_size (stria_trace_get_strings (trace)),
    .n_categories = stria_trace_get_n_categories (trace),
    .pieces = pieces,
  };
  guint64 n_events, n_instants;
  guint32 lanes_hit;

  if (end_ns < start_ns)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                   "A range that ends (%" G_GINT64_FORMAT " ns) before it starts (%"
                   G_GINT64_FORMAT " ns)", end_ns, start_ns);
      return NULL;
    }
  if (!make_pieces (&job, &n_events, &n_instants, &lanes_hit, error))
    return NULL;

  guint n_threads = n_events < PARALLEL_FROM ? 1 : MIN (g_get_num_processors (), 16);
  g_autofree GThread **threads = g_new0 (GThread *, n_threads);
  for (guint i = 1; i < n_threads; i++)
    threads[i] = g_thread_new ("stria-stats", sum_worker, &job);
  Sums *sums = sum_worker (&job);
  for (guint i = 1; i < n_threads; i++)
    {
      Sums *other = g_thread_join (threads[i]);
      merge (sums->names, other->names, job.n_names);
      merge (sums->categories, other->categories, job.n_categories);
      sums->n_slices += other->n_slices;
      sums_free (other);
    }
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    {
      sums_free (sums);
      return NULL;
    }

  StriaStats *self = g_new0 (StriaStats, 1);
  self->start_ns = start_ns;
  self->end_ns = end_ns;
  self->n_lanes = lanes_hit;
  self->n_slices = sums->n_slices;
  self->n_instants = n_instants;
  self->by_name = rows_from (sums->names, job.n_names, end_ns - start_ns);
  self->by_category = rows_from (sums->categories, job.n_categories, end_ns - start_ns);
  sums_free (sums);
  return self;
}

typedef struct
{
  GArray *rows;
  gint64 *values;
  guint64 *offset; /* by row */
  gint next;
  GCancellable *cancellable;
} Quantiles;

static gpointer
quantile_worker (gpointer data)
{
  Quantiles *job = data;
  guint i;

  while ((i = (guint) g_atomic_int_add (&job->next, 1)) < job->rows->len
         && !g_cancellable_is_cancelled (job->cancellable))
    {
      StriaStatsRow *row = &g_array_index (job->rows, StriaStatsRow, i);
      gint64 *values = job->values + job->offset[i];
      row->p50_ns = stria_select_quantile (values, row->count, 0.5);
      row->p95_ns = stria_select_quantile (values, row->count, 0.95);
    }
  return NULL;
}

static void
find_quantiles (GArray *rows, gint64 *values, guint64 *offset, GCancellable *cancellable)
{
  Quantiles job = { rows, values, offset, 0, cancellable };
  guint n_threads = MIN (g_get_num_processors (), 16);
  g_autofree GThread **threads = g_new0 (GThread *, n_threads);

  for (guint i = 1; i < n_threads; i++)
    threads[i] = g_thread_new ("stria-stats", quantile_worker, &job);
  quantile_worker (&job);
  for (guint i = 1; i < n_threads; i++)
    g_thread_join (threads[i]);
}

/* Durations in order of their key; each key's begin at its row's offset. */
static void
scatter (const Job *job, GArray *rows, gboolean by_category, gint64 *values, guint64 *offset)
{
  guint32 n_keys = by_category ? job->n_categories : job->n_names;
  g_autofree guint64 *at = g_new0 (guint64, MAX (n_keys, 1));
  guint64 sum = 0;

  for (guint i = 0; i < rows->len; i++)
    {
      const StriaStatsRow *row = &g_array_index (rows, StriaStatsRow, i);
      at[row->key] = offset[i] = sum;
      sum += row->count;
    }
  for (guint p = 0; p < job->pieces->len; p++)
    {
      const Piece *piece = &g_array_index (job->pieces, Piece, p);
      const StriaColumns *c = &piece->lane->body->columns;
      for (guint64 i = piece->begin; i < piece->end; i++)
        {
          if (MIN (c->start[i] + c->dur[i], job->t1) - MAX (c->start[i], job->t0) < 0)
            continue;
          values[at[by_category ? c->category[i] : c->name[i]]++] = c->dur[i];
        }
    }
}

/**
 * stria_stats_percentiles:
 *
 * Fills in the medians and 95th percentiles (nearest rank, exact). The lanes must be those that
 * @self was made with. Needs eight bytes an event while it runs.
 */
gboolean
stria_stats_percentiles (StriaStats *self, StriaTrace *trace, const guint32 *lanes, gsize n_lanes,
                         GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  Job job = {
    .trace = trace,
    .lanes = lanes,
    .n_lanes = n_lanes,
    .t0 = self->start_ns,
    .t1 = self->end_ns,
    .cancellable = cancellable,
    .n_names = stria_strings_size (stria_trace_get_strings (trace)),
    .n_categories = stria_trace_get_n_categories (trace),
    .pieces = pieces,
  };
  guint64 n_events, n_instants;
  guint32 lanes_hit;

  if (!make_pieces (&job, &n_events, &n_instants, &lanes_hit, error))
    return FALSE;
  g_autofree gint64 *values = g_new (gint64, MAX (n_events, 1));
  g_autofree guint64 *offset
      = g_new (guint64, MAX (MAX (self->by_name->len, self->by_category->len), 1));

  scatter (&job, self->by_name, FALSE, values, offset);
  find_quantiles (self->by_name, values, offset, cancellable);
  scatter (&job, self->by_category, TRUE, values, offset);
  find_quantiles (self->by_category, values, offset, cancellable);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

void
stria_stats_free (StriaStats *self)
{
  g_clear_pointer (&self->by_name, g_array_unref);
  g_clear_pointer (&self->by_category, g_array_unref);
  g_free (self);
}

static void
append_csv_text (GString *out, const char *text)
{
  if (strpbrk (text, ",\"\r\n") == NULL)
    {
      g_string_append (out, text);
      return;
    }
  g_string_append_c (out, '"');
  for (; *text != '\0'; text++)
    {
      if (*text == '"')
        g_string_append_c (out, '"');
      g_string_append_c (out, *text);
    }
  g_string_append_c (out, '"');
}

char *
stria_stats_to_csv (StriaStats *self, StriaTrace *trace, gboolean by_category)
{
  GArray *rows = by_category ? self->by_category : self->by_name;
  GString *out = g_string_new (by_category ? "category" : "name");

  g_string_append (out,
                   ",count,total_ns,self_ns,share,min_ns,mean_ns,p50_ns,p95_ns,max_ns\r\n");
  for (guint i = 0; i < rows->len; i++)
    {
      const StriaStatsRow *row = &g_array_index (rows, StriaStatsRow, i);
      char share[G_ASCII_DTOSTR_BUF_SIZE], mean[G_ASCII_DTOSTR_BUF_SIZE];

      append_csv_text (out, by_category ? stria_trace_get_category (trace, row->key)
                                        : stria_trace_get_string (trace, row->key));
      g_ascii_formatd (share, sizeof share, "%.6f", row->share);
      g_ascii_formatd (mean, sizeof mean, "%.3f", row->mean_ns);
      g_string_append_printf (out,
                              ",%" G_GUINT64_FORMAT ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT
                              ",%s,%" G_GINT64_FORMAT ",%s,",
                              row->count, row->total_ns, row->self_ns, share, row->min_ns, mean);
      /* Percentiles that are not known yet are left empty. */
      if (row->p50_ns >= 0)
        g_string_append_printf (out, "%" G_GINT64_FORMAT, row->p50_ns);
      g_string_append_c (out, ',');
      if (row->p95_ns >= 0)
        g_string_append_printf (out, "%" G_GINT64_FORMAT, row->p95_ns);
      g_string_append_printf (out, ",%" G_GINT64_FORMAT "\r\n", row->max_ns);
    }
  return g_string_free (out, FALSE);
}
