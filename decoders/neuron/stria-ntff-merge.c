/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-ntff-private.h"

#include <stdlib.h>

#include "stria-error.h"
#include "stria-spill.h"

/* Stretches of rising time that are merged from where they lie; with more, pieces of the ring are
 * sorted in memory first. */
#define MAX_RUNS 4096
#define PIECE_RECORDS ((gsize) 1 << 20)
#define LOAD_RECORDS ((gsize) 16 << 10)
/* What is read before pages are given back */
#define DROP_BYTES ((gsize) 32 << 20)

/* --- the first pass --------------------------------------------------------------------------- */

static void
add_run (StriaNtffSurvey *out, const guint8 *data, gsize length)
{
  StriaNtffSpan run = { data, length };

  out->n_runs++;
  if (out->n_runs > MAX_RUNS)
    g_clear_pointer (&out->runs, g_array_unref);
  else if (out->runs != NULL)
    g_array_append_val (out->runs, run);
}

static inline void
count_record (StriaNtffSurvey *out, const StriaNtffRecord *record)
{
  guint8 type = record->type;

  if (out->n_by_type[type]++ == 0 || record->time < out->first[type])
    out->first[type] = record->time;
  if (record->time > out->last[type])
    out->last[type] = record->time;
  if (record->lost_before || record->lost_after)
    {
      if (out->n_lost_before + out->n_lost_after == 0)
        out->first_lost = record->time;
      out->n_lost_before += record->lost_before;
      out->n_lost_after += record->lost_after;
    }
}

/**
 * stria_ntff_survey:
 * @spans: where the ring's records lie, in order
 * @bytes: (nullable): gives pages back
 *
 * Counts what is in a ring, and finds the stretches in which time does not go back.
 */
void
stria_ntff_survey (const StriaNtffSpan *spans, guint n_spans, StriaNtffSurvey *out,
                   StriaMapped *bytes, GCancellable *cancellable)
{
  guint64 before = 0;
  gboolean phase = FALSE;

  *out = (StriaNtffSurvey){ .runs = g_array_new (FALSE, FALSE, sizeof (StriaNtffSpan)) };
  for (guint s = 0; s < n_spans; s++)
    {
      const guint8 *data = spans[s].data, *run = data, *dropped = data;
      gsize length = spans[s].length / STRIA_NTFF_RECORD * STRIA_NTFF_RECORD;

      for (gsize at = 0; at < length; at += STRIA_NTFF_RECORD)
        {
          StriaNtffRecord record;

          stria_ntff_record_read (data + at, &record);
          out->n_phases += out->n_records > 0 && record.phase != phase;
          phase = record.phase;
          out->n_records++;
          out->n_zero += record.time == 0 && record.type == 0 && record.body0 == 0;
          count_record (out, &record);
          if (record.time < before && data + at != run)
            {
              add_run (out, run, (gsize)(data + at - run));
              run = data + at;
            }
          before = record.time;
          if ((gsize)(data + at - dropped) >= DROP_BYTES)
            {
              if (bytes != NULL)
                stria_mapped_drop (bytes, (gsize)(dropped - bytes->data),
                                       (gsize)(data + at - bytes->data));
              dropped = data + at;
              if (g_cancellable_is_cancelled (cancellable))
                return;
            }
        }
      if (length > 0)
        add_run (out, run, (gsize)(data + length - run));
      if (bytes != NULL && length > 0)
        stria_mapped_drop (bytes, (gsize)(dropped - bytes->data),
                               (gsize)(data + length - bytes->data));
    }
}

void
stria_ntff_survey_clear (StriaNtffSurvey *self)
{
  g_clear_pointer (&self->runs, g_array_unref);
}

/* --- merging ---------------------------------------------------------------------------------- */

/* A run that is being read: from memory, or piece by piece from the spill */
typedef struct
{
  const guint8 *at;
  const guint8 *end;
  guint64 time; /* of the record at @at */
  guint32 number;
  guint64 place; /* in the spill, of what was not loaded yet */
  guint64 left;
  GBytes *loaded;
} Run;

struct _StriaNtffMerge
{
  Run *runs;
  guint32 *heap; /* numbers of runs, the earliest first */
  guint32 n_heap;
  guint32 n_runs;
  StriaSpill *spill;
};

static inline guint64
time_at (const guint8 *data)
{
  return stria_load64 (data + 8);
}

/* FALSE: the run is read */
static gboolean
settle (StriaNtffMerge *self, Run *run)
{
  if (run->at == run->end && run->left > 0)
    {
      gsize n = MIN (run->left, LOAD_RECORDS * STRIA_NTFF_RECORD);

      g_clear_pointer (&run->loaded, g_bytes_unref);
      run->loaded = stria_spill_read (self->spill, run->place, n, NULL);
      if (run->loaded == NULL)
        return FALSE;
      run->at = g_bytes_get_data (run->loaded, NULL);
      run->end = run->at + n;
      run->place += n;
      run->left -= n;
    }
  if (run->at == run->end)
    return FALSE;
  run->time = time_at (run->at);
  return TRUE;
}

static inline gboolean
is_before (const StriaNtffMerge *self, guint32 a, guint32 b)
{
  const Run *left = &self->runs[a], *right = &self->runs[b];

  return left->time != right->time ? left->time < right->time : left->number < right->number;
}

static void
sift_down (StriaNtffMerge *self, guint32 i)
{
  for (;;)
    {
      guint32 child = 2 * i + 1, moved;

      if (child >= self->n_heap)
        return;
      if (child + 1 < self->n_heap && is_before (self, self->heap[child + 1], self->heap[child]))
        child++;
      if (!is_before (self, self->heap[child], self->heap[i]))
        return;
      moved = self->heap[i];
      self->heap[i] = self->heap[child];
      self->heap[child] = moved;
      i = child;
    }
}

/* Times and where they stood: equal ones stay in their order. */
typedef struct
{
  guint64 time;
  guint32 index;
} Key;

static int
compare_keys (const void *a, const void *b)
{
  const Key *left = a, *right = b;

  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return left->index < right->index ? -1 : 1;
}

static gboolean
spill_piece (StriaNtffMerge *self, GArray *places, const guint8 *piece, gsize n, GError **error)
{
  g_autofree Key *keys = g_new (Key, n);
  g_autofree guint8 *sorted = g_malloc (n * STRIA_NTFF_RECORD);
  guint64 place;

  for (gsize i = 0; i < n; i++)
    keys[i] = (Key){ time_at (piece + i * STRIA_NTFF_RECORD), (guint32)i };
  qsort (keys, n, sizeof *keys, compare_keys);
  for (gsize i = 0; i < n; i++)
    memcpy (sorted + i * STRIA_NTFF_RECORD, piece + (gsize)keys[i].index * STRIA_NTFF_RECORD,
            STRIA_NTFF_RECORD);
  if (!stria_spill_append (self->spill, sorted, n * STRIA_NTFF_RECORD, &place, error))
    return FALSE;
  Run run = { .place = place, .left = n * STRIA_NTFF_RECORD };
  g_array_append_val (places, run);
  return TRUE;
}

/* Sorts the ring piece by piece into the spill. Blobs can be small: pieces go over their borders.
 * */
static gboolean
sort_pieces (StriaNtffMerge *self, const StriaNtffSpan *spans, guint n_spans, GError **error)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (Run));
  g_autofree guint8 *piece = g_malloc (PIECE_RECORDS * STRIA_NTFF_RECORD);
  gsize n = 0;

  self->spill = stria_spill_new ();
  for (guint s = 0; s < n_spans; s++)
    {
      gsize left = spans[s].length / STRIA_NTFF_RECORD;
      const guint8 *at = spans[s].data;

      while (left > 0)
        {
          gsize taken = MIN (left, PIECE_RECORDS - n);

          memcpy (piece + n * STRIA_NTFF_RECORD, at, taken * STRIA_NTFF_RECORD);
          at += taken * STRIA_NTFF_RECORD;
          left -= taken;
          n += taken;
          if (n == PIECE_RECORDS && !spill_piece (self, places, piece, n, error))
            return FALSE;
          n = n == PIECE_RECORDS ? 0 : n;
        }
    }
  if (n > 0 && !spill_piece (self, places, piece, n, error))
    return FALSE;
  self->n_runs = places->len;
  self->runs = (Run *)g_array_free (g_steal_pointer (&places), FALSE);
  return TRUE;
}

StriaNtffMerge *
stria_ntff_merge_new (const StriaNtffSpan *spans, guint n_spans, const StriaNtffSurvey *survey,
                      GError **error)
{
  StriaNtffMerge *self = g_new0 (StriaNtffMerge, 1);

  if (survey->runs != NULL)
    {
      self->n_runs = survey->runs->len;
      self->runs = g_new0 (Run, MAX (self->n_runs, 1));
      for (guint32 i = 0; i < self->n_runs; i++)
        {
          const StriaNtffSpan *span = &g_array_index (survey->runs, StriaNtffSpan, i);

          self->runs[i].at = span->data;
          self->runs[i].end = span->data + span->length;
        }
    }
  else if (!sort_pieces (self, spans, n_spans, error))
    {
      stria_ntff_merge_free (self);
      return NULL;
    }
  self->heap = g_new (guint32, MAX (self->n_runs, 1));
  for (guint32 i = 0; i < self->n_runs; i++)
    {
      self->runs[i].number = i;
      if (settle (self, &self->runs[i]))
        self->heap[self->n_heap++] = i;
    }
  for (guint32 i = self->n_heap / 2; i-- > 0;)
    sift_down (self, i);
  return self;
}

gboolean
stria_ntff_merge_next (StriaNtffMerge *self, StriaNtffRecord *out)
{
  Run *run;

  if (self->n_heap == 0)
    return FALSE;
  run = &self->runs[self->heap[0]];
  stria_ntff_record_read (run->at, out);
  run->at += STRIA_NTFF_RECORD;
  if (run->at != run->end)
    run->time = time_at (run->at);
  else if (!settle (self, run))
    self->heap[0] = self->heap[--self->n_heap];
  if (self->n_heap > 1)
    sift_down (self, 0);
  return TRUE;
}

void
stria_ntff_merge_free (StriaNtffMerge *self)
{
  if (self == NULL)
    return;
  for (guint32 i = 0; i < self->n_runs; i++)
    g_clear_pointer (&self->runs[i].loaded, g_bytes_unref);
  g_clear_pointer (&self->spill, stria_spill_unref);
  g_free (self->runs);
  g_free (self->heap);
  g_free (self);
}
