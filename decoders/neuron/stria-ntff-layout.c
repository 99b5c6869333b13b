/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-ntff-private.h"

/* Records that are looked at from each end of a blob, for settling where blobs lie */
#define SAMPLE 2048

/* Which is recovered: what the rule of a writer was can only be told from the bytes. */
const char *
stria_ntff_base_name (StriaNtffBase base)
{
  static const char *const names[] = {
    "none", "inline", "section", "section-end", "message-end", "file",
  };

  return names[base];
}

gboolean
stria_ntff_is_legal (guint32 ring, guint8 type)
{
  StriaNtffRecordKind kind = stria_ntff_record_kind (type);

  if (kind == STRIA_NTFF_RECORD_NONE)
    return FALSE;
  /* Only DMA engines write DMA records, and they write little else. */
  if (ring == NTFF__NOTIFICATION_TRACE_TYPE__NOTIFICATION_TRACE_TYPE_DMA)
    return kind == STRIA_NTFF_RECORD_DMA || kind == STRIA_NTFF_RECORD_ERROR;
  return kind != STRIA_NTFF_RECORD_DMA;
}

typedef struct
{
  guint64 offset;
  guint64 length;
} Range;

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const Range *left = a, *right = b;

  if (left->offset != right->offset)
    return left->offset < right->offset ? -1 : 1;
  return left->length < right->length ? -1 : left->length > right->length;
}

typedef enum
{
  CODE = 1 << 0,
  RECORDS = 1 << 1,
} Kinds;

/* Whether ranges that count from @start follow one another from @at. Two that are the same are one
 * that two cores share. */
static gboolean
is_tiled (GArray *blobs, Kinds kinds, guint64 start, guint64 at)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (Range));

  for (guint i = 0; i < blobs->len; i++)
    {
      const StriaNtffBlob *blob = &g_array_index (blobs, StriaNtffBlob, i);
      Range range = { blob->offset, blob->length };

      if (!blob->is_inline && (kinds & (blob->is_code ? CODE : RECORDS)) != 0 && blob->length > 0)
        g_array_append_val (ranges, range);
    }
  g_array_sort (ranges, compare_ranges);
  for (guint i = 0; i < ranges->len; i++)
    {
      const Range *range = &g_array_index (ranges, Range, i);
      guint64 begin;

      if (i > 0 && compare_ranges (range, range - 1) == 0)
        continue;
      if (__builtin_add_overflow (start, range->offset, &begin) || begin != at
          || __builtin_add_overflow (at, range->length, &at))
        return FALSE;
    }
  return TRUE;
}

static void
sample (const StriaNtffBlob *blob, const guint8 *data, guint64 n, StriaNtffBaseTest *test)
{
  guint64 before = 0, back = 0;

  for (guint64 i = 0; i < n; i++)
    {
      StriaNtffRecord record;

      if (n > 2 * SAMPLE && i == SAMPLE)
        {
          i = n - SAMPLE;
          before = 0;
        }
      stria_ntff_record_read (data + i * STRIA_NTFF_RECORD, &record);
      test->n_sampled++;
      test->n_legal += stria_ntff_is_legal (blob->kind, record.type);
      back += record.time < before;
      before = record.time;
    }
  /* A ring that was drained in the middle of a lap goes back once. */
  test->n_back += back > 1 ? back - 1 : 0;
}

static void
try_base (GArray *blobs, const guint8 *data, gsize length, guint64 body, guint64 code,
          guint64 records, StriaNtffBaseTest *test)
{
  guint64 last = body;

  test->inside = test->divisible = TRUE;
  if (test->base == STRIA_NTFF_BASE_SECTION || test->base == STRIA_NTFF_BASE_SECTION_END)
    test->tiled = is_tiled (blobs, CODE, code, code) && is_tiled (blobs, RECORDS, records, records);
  else
    test->tiled = is_tiled (blobs, CODE | RECORDS, code, body);
  for (guint i = 0; i < blobs->len; i++)
    {
      const StriaNtffBlob *blob = &g_array_index (blobs, StriaNtffBlob, i);
      guint64 at, end, there;

      if (blob->is_inline)
        continue;
      test->divisible &= blob->length % (blob->is_code ? STRIA_NTFF_WORD : STRIA_NTFF_RECORD) == 0;
      if (__builtin_add_overflow (blob->is_code ? code : records, blob->offset, &at)
          || __builtin_add_overflow (at, blob->length, &end))
        {
          test->inside = FALSE;
          test->tiled = FALSE;
          continue;
        }
      last = MAX (last, end);
      there = at < length ? MIN (blob->length, length - at) : 0;
      if (there < blob->length)
        {
          test->inside = FALSE;
          if (test->first_missing == 0 || at + there < test->first_missing)
            test->first_missing = at + there;
        }
      if (!blob->is_code)
        sample (blob, data + at, there / STRIA_NTFF_RECORD, test);
    }
  test->ends = last == length;
}

/* What the bytes themselves say, where the file may be cut */
static gboolean
content_passes (const StriaNtffBaseTest *test)
{
  return test->tiled && test->divisible && test->n_sampled > 0
         && (double)test->n_legal >= 0.99 * (double)test->n_sampled
         && (double)test->n_back <= 0.01 * (double)test->n_sampled;
}

static gboolean
all_pass (const StriaNtffBaseTest *test)
{
  return test->inside && test->tiled && test->divisible && test->ends
         && (double)test->n_legal >= 0.99 * (double)test->n_sampled
         && (double)test->n_back <= 0.01 * (double)test->n_sampled;
}

static void
place (GArray *blobs, gsize length, guint64 code, guint64 records)
{
  for (guint i = 0; i < blobs->len; i++)
    {
      StriaNtffBlob *blob = &g_array_index (blobs, StriaNtffBlob, i);

      if (blob->is_inline)
        continue;
      if (__builtin_add_overflow (blob->offset, blob->is_code ? code : records, &blob->offset)
          || blob->offset > length)
        blob->offset = length;
      blob->length = MIN (blob->length, length - blob->offset);
    }
}

StriaNtffBase
stria_ntff_place_blobs (GArray *blobs, const guint8 *data, gsize length, guint64 body,
                        StriaNtffBaseTest tests[4], int *chosen)
{
  guint64 sum = 0, end = 0, n_placed = 0, codes[4], records[4];

  *chosen = -1;
  for (guint i = 0; i < blobs->len; i++)
    {
      const StriaNtffBlob *blob = &g_array_index (blobs, StriaNtffBlob, i);
      guint64 behind;

      n_placed += !blob->is_inline && blob->length > 0;
      if (blob->is_inline || !blob->is_code)
        continue;
      if (__builtin_add_overflow (sum, blob->length, &sum))
        sum = G_MAXUINT64;
      if (__builtin_add_overflow (blob->offset, blob->length, &behind))
        behind = G_MAXUINT64;
      end = MAX (end, behind);
    }
  codes[0] = codes[1] = codes[2] = body;
  codes[3] = records[3] = 0;
  if (__builtin_add_overflow (body, sum, &records[0]))
    records[0] = G_MAXUINT64;
  if (__builtin_add_overflow (body, end, &records[1]))
    records[1] = G_MAXUINT64;
  records[2] = body;
  for (guint i = 0; i < 4; i++)
    {
      tests[i] = (StriaNtffBaseTest){ .base = STRIA_NTFF_BASE_SECTION + i };
      try_base (blobs, data, length, body, codes[i], records[i], &tests[i]);
    }
  if (n_placed == 0)
    return STRIA_NTFF_BASE_INLINE;
  for (int i = 0; i < 4 && *chosen < 0; i++)
    if (all_pass (&tests[i]))
      *chosen = i;
  for (int i = 0; i < 4 && *chosen < 0; i++)
    if (content_passes (&tests[i]))
      *chosen = i;
  if (*chosen < 0)
    return STRIA_NTFF_BASE_NONE;
  place (blobs, length, codes[*chosen], records[*chosen]);
  return tests[*chosen].base;
}
