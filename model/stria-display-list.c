/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>

#include "stria-display-list.h"
#include "stria-match-private.h"

/* First index in [low, end) with a start of at least @ns: steps away from @guess, doubling, until it
 * is between two of them, then halving. Pixels hold about as many events as the one before did, so
 * a guess is nearly always near, and few lines of memory are touched. */
static guint64
gallop (const gint64 *start, guint64 low, guint64 end, gint64 ns, guint64 guess)
{
  guint64 step = 4;
  guint64 high = end;

  if (low >= end || start[low] >= ns)
    return low;
  low++;
  guess = CLAMP (guess, low, end - 1);
  if (low < end && start[guess] < ns)
    for (low = guess + 1; guess + step < end; step *= 2)
      {
        guess += step;
        if (start[guess] >= ns)
          {
            high = guess;
            break;
          }
        low = guess + 1;
      }
  else if (low < end)
    for (high = guess; guess >= low + step; step *= 2)
      {
        guess -= step;
        if (start[guess] < ns)
          {
            low = guess + 1;
            break;
          }
        high = guess;
      }
  while (low < high)
    {
      guint64 mid = low + (high - low) / 2;
      if (start[mid] < ns)
        low = mid + 1;
      else
        high = mid;
    }
  return low;
}

static gboolean
any_match (const StriaMatchLane *match, const StriaColumns *c, guint64 i, guint64 j)
{
  if (match->by_event && match->events == NULL)
    return FALSE;
  if (match->bits != NULL)
    return stria_match_bits_next (match->bits, i, j) < j;
  for (; i < j; i++)
    if (stria_match_lane_event (match, c, i))
      return TRUE;
  return FALSE;
}

/* Two records become one: it stands for the longer event, and is as busy as the busier. */
static void
absorb (StriaDrawRecord *into, const StriaDrawRecord *record, const StriaColumns *c)
{
  if (c->dur != NULL && c->dur[record->event] > c->dur[into->event])
    {
      into->event = record->event;
      into->name = record->name;
    }
  into->busy = MAX (into->busy, record->busy);
  into->count += record->count;
  into->match |= record->match;
}

static void
append (GArray *out, guint first, const StriaColumns *c, StriaDrawRecord record)
{
  if (out->len > first)
    {
      StriaDrawRecord *last = &g_array_index (out, StriaDrawRecord, out->len - 1);

      /* Rounding can let a wide event reach into the pixel where the next begins: it gives way
       * unless it has no other pixel; then the two share it. */
      if (last->x1 > record.x0)
        {
          if (last->x0 < record.x0)
            last->x1 = record.x0;
          else if (record.x1 > last->x1)
            record.x0 = last->x1;
          else
            {
              absorb (last, &record, c);
              return;
            }
        }
      if (last->x1 == record.x0 && last->count > 1 && record.count > 1 && last->name == record.name
          && last->busy == record.busy && last->match == record.match)
        {
          last->x1 = record.x1;
          absorb (last, &record, c);
          return;
        }
    }
  g_array_append_val (out, record);
}

/* A record waits for its name, which lies somewhere else in memory, while the next one is made. */
typedef struct
{
  GArray *out;
  guint first; /* of the row */
  const StriaColumns *c;
  gboolean waiting;
  StriaDrawRecord record;
} Writer;

static void
write_waiting (Writer *writer)
{
  if (!writer->waiting)
    return;
  writer->record.name = writer->c->name[writer->record.event];
  append (writer->out, writer->first, writer->c, writer->record);
  writer->waiting = FALSE;
}

static void
write_record (Writer *writer, StriaDrawRecord record)
{
  __builtin_prefetch (&writer->c->name[record.event]);
  write_waiting (writer);
  writer->record = record;
  writer->waiting = TRUE;
}

/* Pixels that hold at least this many events are looked up by blocks */
#define DENSE_COUNT 48
/* Pixels ahead that memory is asked for */
#define PREFETCH_PIXELS 6

/* Rows of millions of events do not fit into the processor's cache, and waiting for memory is
 * nearly all that a dense row costs. So edges of pixels are first found among the starts of blocks,
 * which do fit, and the block of an edge is asked for some pixels before it is needed. */
typedef struct
{
  guint64 block; /* the edge of the present pixel is in the block before this one */
  guint64 ahead; /* the same for the pixel that is asked for */
  guint64 end;   /* first block that is not wholly the row's */
} Blocks;

static guint64
dense_edge (Blocks *blocks, const StriaLaneBody *body, guint64 i, guint64 end, gint64 ns,
            gint64 ahead_ns, guint64 count)
{
  const StriaColumns *c = &body->columns;
  const gint64 *starts = body->pyramid.block_start;
  const guint64 step = count >> STRIA_FANOUT_BITS;
  const guint64 first = (i + STRIA_FANOUT) >> STRIA_FANOUT_BITS;

  blocks->block = MAX (blocks->block, first);
  blocks->ahead = MAX (blocks->ahead, blocks->block);
  blocks->ahead = gallop (starts, blocks->ahead, blocks->end, ahead_ns, blocks->ahead + step);
  if (blocks->ahead < blocks->end)
    {
      const guint64 k = (blocks->ahead - 1) << STRIA_FANOUT_BITS;

      __builtin_prefetch (&c->start[k]);
      __builtin_prefetch (&c->start[k + STRIA_FANOUT / 2]);
      __builtin_prefetch (&c->dur[k]);
      __builtin_prefetch (&c->dur[k + STRIA_FANOUT / 2]);
    }
  blocks->block = gallop (starts, blocks->block, blocks->end, ns, blocks->block + step);
  if (blocks->block >= blocks->end)
    return gallop (c->start, i + 1, end, ns, i + count);
  i = MAX (i + 1, (blocks->block - 1) << STRIA_FANOUT_BITS);
  return gallop (c->start, i, MIN (blocks->block << STRIA_FANOUT_BITS, end), ns,
                 i + STRIA_FANOUT / 2);
}

/* The part of a narrow event that reaches over its pixel's right edge: exact busy shares need it in
 * the next pixel. */
typedef struct
{
  gint32 x;
  double ns;
  guint32 event;
  gboolean match;
} Carry;

static void
flush_carry (Carry *carry, gint32 next_x, guint32 row, double px_per_ns, Writer *writer)
{
  if (carry->ns <= 0 || carry->x >= next_x)
    return;
  write_record (writer, (StriaDrawRecord){
                            .x0 = carry->x,
                            .x1 = carry->x + 1,
                            .row = row,
                            .event = carry->event,
                            .count = 1,
                            .busy = (guint8) CLAMP (lrint (carry->ns * px_per_ns * 255), 1, 255),
                            .match = (guint8) carry->match,
                        });
  carry->ns = 0;
}

static void
list_row (StriaLane *lane, guint32 row, gint64 t0, gint64 t1, gint32 width,
          const StriaMatchLane *match, GArray *out)
{
  const StriaLaneBody *body = lane->body;
  const StriaColumns *c = &body->columns;
  guint64 end = body->row_begin[row + 1];
  double ns_per_px = (double) (t1 - t0) / width;
  double px_per_ns = width / (double) (t1 - t0);
  gint64 wide_ns = (gint64) ceil (ns_per_px);
  guint64 last_count = 1;
  Blocks blocks = { .end = end >> STRIA_FANOUT_BITS };
  Writer writer = { .out = out, .first = out->len, .c = c };
  Carry carry = { 0 };

  for (guint64 i = stria_lane_lower_bound (lane, row, t0); i < end && c->start[i] < t1;)
    {
      gint64 drawn_end = stria_lane_body_drawn_end (body, end, i);

      if (drawn_end - c->start[i] >= wide_ns)
        {
          double x0 = (double) (c->start[i] - t0) * px_per_ns;
          double x1 = (double) (drawn_end - t0) * px_per_ns;
          StriaDrawRecord record = {
            .x0 = (gint32) lrint (MAX (x0, -2)),
            .x1 = (gint32) lrint (MIN (x1, width + 2)),
            .row = row,
            .event = (guint32) i,
            .count = 1,
            .busy = 255,
            .match = match == NULL || stria_match_lane_event (match, c, i),
          };
          record.x1 = MAX (record.x1, record.x0 + 1);
          flush_carry (&carry, record.x0, row, px_per_ns, &writer);
          write_record (&writer, record);
          carry.ns = 0; /* a wide event that begins in the pixel has all of it */
          i++;
          continue;
        }

      /* Narrow ones: all that start in this pixel, up to one that is wide. */
      double start_px = (double) (c->start[i] - t0) * px_per_ns;
      gint32 x = MAX ((gint32) floor (start_px), 0);
      double edge_ns = (x + 1) * ns_per_px; /* right edge of the pixel, from t0 */
      gint64 pixel_end = t0 + (gint64) ceil (edge_ns);
      guint64 j = 0;
      pixel_end = MAX (pixel_end, c->start[i] + 1);
      if (last_count >= DENSE_COUNT && body->pyramid.block_start != NULL)
        j = dense_edge (&blocks, body, i, end, pixel_end,
                        pixel_end + (gint64) (PREFETCH_PIXELS * ns_per_px), last_count);
      else
        j = gallop (c->start, i + 1, end, pixel_end, i + last_count);
      gint64 last_end = j - i > 1 ? stria_lane_body_drawn_end (body, end, j - 1) : drawn_end;
      if (j - i > 1 && last_end - c->start[j - 1] >= wide_ns)
        {
          j--;
          last_end = j - i > 1 ? stria_lane_body_drawn_end (body, end, j - 1) : drawn_end;
        }
      flush_carry (&carry, x, row, px_per_ns, &writer);

      guint32 longest = j - i > 1 ? stria_lane_longest (body, i, j) : (guint32) i;
      double busy = carry.ns;
      carry.ns = 0;
      if (c->dur != NULL)
        {
          busy += (double) (j - i > 1 ? stria_lane_drawn_sum (body, i, j)
                                      : drawn_end - c->start[i]);
          if (c->start[i] < t0)
            busy -= (double) (t0 - c->start[i]);
          double over = (double) (last_end - t0) - edge_ns;
          if (over > 0)
            {
              busy -= over;
              if (x + 1 < width)
                carry = (Carry){ x + 1, over, (guint32) (j - 1),
                                 match == NULL || stria_match_lane_event (match, c, j - 1) };
            }
        }
      write_record (&writer, (StriaDrawRecord){
                                 .x0 = x,
                                 .x1 = x + 1,
                                 .row = row,
                                 .event = longest,
                                 .count = (guint32) MIN (j - i, G_MAXUINT32),
                                 .busy = (guint8) CLAMP (lrint (busy * px_per_ns * 255), 1, 255),
                                 .match = match == NULL || any_match (match, c, i, j),
                             });
      last_count = (3 * last_count + (j - i)) / 4;
      i = j;
    }
  flush_carry (&carry, width, row, px_per_ns, &writer);
  write_waiting (&writer);
}

/* With fewer events than these, a look at each of them is as fast. */
#define BITS_FROM 4096

void
stria_display_list_slices (StriaLane *lane, guint32 row0, guint32 row1, gint64 t0, gint64 t1,
                           gint32 width, StriaMatch *match, GArray *out)
{
  StriaMatchLane at;

  g_return_if_fail (stria_lane_is_loaded (lane));
  g_return_if_fail (t1 > t0 && width > 0);

  row1 = MIN (row1, lane->body->n_rows);
  if (match != NULL)
    {
      stria_match_lane (match, lane, &at);
      if (lane->body->n_events >= BITS_FROM && !(at.by_event && at.events == NULL))
        at.bits = stria_match_get_bits (match, lane);
    }
  for (guint32 row = row0; row < row1; row++)
    list_row (lane, row, t0, t1, width, match != NULL ? &at : NULL, out);
}

void
stria_display_list_counter (StriaLane *lane, gint64 t0, gint64 t1, gint32 width,
                            StriaCounterColumn *out)
{
  const StriaLaneBody *body = lane->body;
  const StriaColumns *c = &body->columns;
  double ns_per_px = (double) (t1 - t0) / width;

  g_return_if_fail (stria_lane_is_loaded (lane));
  g_return_if_fail (t1 > t0 && width > 0);

  guint64 before = stria_lane_sample_at (lane, t0);
  guint64 i = before == G_MAXUINT64 ? 0 : before + 1; /* first sample after the left edge */
  gboolean valid = before != G_MAXUINT64;
  double value = valid ? c->value[before] : 0;

  for (gint32 x = 0; x < width; x++)
    {
      gint64 a = t0 + (gint64) (x * ns_per_px);
      gint64 z = t0 + (gint64) ((x + 1) * ns_per_px);
      StriaCounterColumn *column = &out[x];

      if (z <= a)
        z = a + 1;
      guint64 j = gallop (c->start, i, c->n, z, i);
      if (j == i)
        {
          *column = (StriaCounterColumn){ value, value, value, value, valid };
          continue;
        }

      /* The old value up to the first sample, whole steps between samples, the last one's rest. */
      double min, max, integral = 0;
      gint64 known_from = valid ? a : c->start[i];
      stria_lane_value_stats (body, i, j, &min, &max, &integral);
      /* The integral of the last sample runs on to the next pixel's. */
      if (j < c->n)
        integral -= c->value[j - 1] * (double) (c->start[j] - c->start[j - 1]);
      integral += c->value[j - 1] * (double) (z - c->start[j - 1]);
      if (valid && c->start[i] > a)
        {
          integral += value * (double) (c->start[i] - a);
          min = MIN (min, value);
          max = MAX (max, value);
        }
      value = c->value[j - 1];
      valid = TRUE;
      *column = (StriaCounterColumn){
        .min = min,
        .max = max,
        .mean = z > known_from ? CLAMP (integral / (double) (z - known_from), min, max) : value,
        .last = value,
        .valid = TRUE,
      };
      i = j;
    }
}
