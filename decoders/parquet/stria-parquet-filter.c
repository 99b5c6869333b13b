/* SPDX-License-Identifier: Apache-2.0 */
/* What need not be read, by the smallest and largest values of chunks and, if there is an index, of
 * pages. An index that makes no sense is passed over: it only saves work. */
#include "config.h"

#include "stria-parquet-filter.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-error.h"
#include "stria-thrift.h"

#define MAX_INDEX ((guint64) 64 << 20)

/* Smallest and largest value of a page, and whether it has any */
typedef struct
{
  StriaParquetStatistics statistics;
  gboolean               is_null;
} Bounds;

static gboolean
is_unsigned (const StriaParquetNode *node)
{
  return node->logical == STRIA_PARQUET_INTEGER && !node->is_signed;
}

gboolean
stria_parquet_condition_check (const StriaParquet *file, const StriaParquetCondition *condition,
                               GError **error)
{
  const StriaParquetNode *node;
  gboolean fits;

  if (condition->column >= file->leaves->len)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                   _("%s: expected one of %u columns, found number %u"), file->name,
                   file->leaves->len, condition->column);
      return FALSE;
    }
  node = stria_parquet_get_column (file, condition->column);
  switch (condition->kind)
    {
    case STRIA_PARQUET_FORM_INT64:
      fits = node->physical <= STRIA_PARQUET_INT96;
      break;
    case STRIA_PARQUET_FORM_DOUBLE:
      fits = node->physical == STRIA_PARQUET_FLOAT || node->physical == STRIA_PARQUET_DOUBLE;
      break;
    case STRIA_PARQUET_FORM_BYTES:
      fits = node->physical == STRIA_PARQUET_BYTES || node->physical == STRIA_PARQUET_FIXED;
      break;
    default:
      fits = FALSE;
      break;
    }
  if (!fits)
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                 _("%s: column %s has values of type %s, for which the filter has no bounds"),
                 file->name, node->path, stria_parquet_physical_name (node->physical));
  return fits;
}

/* FALSE: not one that can be compared */
static gboolean
get_integer (const StriaParquetNode *node, const guint8 *data, guint32 length, gint64 *value)
{
  if (node->physical == STRIA_PARQUET_BOOLEAN && length == 1)
    *value = data[0];
  else if (node->physical == STRIA_PARQUET_INT32 && length == 4)
    *value = is_unsigned (node) ? (gint64) stria_load32 (data) : (gint32) stria_load32 (data);
  else if (node->physical == STRIA_PARQUET_INT64 && length == 8)
    {
      guint64 bits = stria_load64 (data);

      *value = is_unsigned (node) && bits > G_MAXINT64 ? G_MAXINT64 : (gint64) bits;
    }
  else
    return FALSE;
  return TRUE;
}

static gboolean
get_double (const guint8 *data, guint32 length, double *value)
{
  if (length == 4)
    {
      guint32 bits = stria_load32 (data);
      float single;

      memcpy (&single, &bits, sizeof single);
      *value = (double) single;
    }
  else if (length == 8)
    {
      guint64 bits = stria_load64 (data);

      memcpy (value, &bits, sizeof *value);
    }
  else
    return FALSE;
  return !isnan (*value);
}

static int
compare_bytes (const guint8 *a, gsize a_length, const guint8 *b, gsize b_length)
{
  gsize n = MIN (a_length, b_length);
  int order = n > 0 ? memcmp (a, b, n) : 0;

  return order != 0 ? order : a_length < b_length ? -1 : a_length > b_length;
}

static gboolean
are_bytes_ordered (const StriaParquetNode *node)
{
  return node->logical <= STRIA_PARQUET_UUID;
}

/* Whether no value from min to max meets the condition */
static gboolean
is_outside (const StriaParquetCondition *c, const StriaParquetNode *node,
            const StriaParquetStatistics *s)
{
  gint64 integer;
  double number;

  switch (c->kind)
    {
    case STRIA_PARQUET_FORM_INT64:
      return (s->max != NULL && get_integer (node, s->max, s->max_length, &integer)
              && integer < c->min_integer)
             || (s->min != NULL && get_integer (node, s->min, s->min_length, &integer)
                 && integer > c->max_integer);
    case STRIA_PARQUET_FORM_DOUBLE:
      return (s->max != NULL && get_double (s->max, s->max_length, &number)
              && number < c->min_double)
             || (s->min != NULL && get_double (s->min, s->min_length, &number)
                 && number > c->max_double);
    default:
      if (!are_bytes_ordered (node))
        return FALSE;
      return (s->max != NULL && c->min_bytes != NULL
              && compare_bytes (s->max, s->max_length, c->min_bytes, c->min_length) < 0)
             || (s->min != NULL && c->max_bytes != NULL
                 && compare_bytes (s->min, s->min_length, c->max_bytes, c->max_length) > 0);
    }
}

/* Returns: (transfer full) (nullable): bytes of the file, if they are in it and not too many */
static guint8 *
read_index (StriaParquetShared *shared, guint64 offset, guint32 length)
{
  StriaParquet *file = shared->file;
  guint8 *bytes;

  if (offset == 0 || length == 0 || length > MAX_INDEX || offset > file->size
      || length > file->size - offset)
    return NULL;
  bytes = g_try_malloc (length);
  if (bytes != NULL && !stria_parquet_pread (file, offset, bytes, length, NULL))
    g_clear_pointer (&bytes, g_free);
  if (bytes != NULL)
    shared->counts.bytes_read += length;
  return bytes;
}

static void
read_place (StriaThrift *thrift, StriaParquetPlace *place)
{
  StriaThriftStruct s = { 0 };

  *place = (StriaParquetPlace){ 0 };
  while (stria_thrift_field (thrift, &s))
    if (s.id == 1)
      place->offset = (guint64) stria_thrift_i64 (thrift, s.type);
    else if (s.id == 3)
      place->first_row = (guint64) stria_thrift_i64 (thrift, s.type);
    else
      stria_thrift_skip (thrift, s.type);
}

static gboolean
places_make_sense (GArray *places, const StriaParquetChunk *chunk, guint64 n_rows)
{
  const StriaParquetPlace *place = (const StriaParquetPlace *) (void *) places->data;

  if (places->len == 0 || place[0].first_row != 0 || place[0].offset < chunk->offset)
    return FALSE;
  for (guint i = 0; i < places->len; i++)
    if (place[i].offset >= chunk->offset + chunk->compressed || place[i].first_row >= n_rows
        || (i > 0 && (place[i].offset <= place[i - 1].offset
                      || place[i].first_row < place[i - 1].first_row)))
      return FALSE;
  return TRUE;
}

GArray *
stria_parquet_read_places (StriaParquetShared *shared, guint row_group, guint column)
{
  const StriaParquetChunk *chunk = stria_parquet_get_chunk (shared->file, row_group, column);
  g_autofree guint8 *bytes = read_index (shared, chunk->offset_index, chunk->offset_index_length);
  g_autoptr (GArray) places = NULL;
  g_auto (StriaThrift) thrift = { 0 };
  StriaThriftStruct s = { 0 };

  if (bytes == NULL)
    return NULL;
  places = g_array_new (FALSE, FALSE, sizeof (StriaParquetPlace));
  stria_thrift_init (&thrift, shared->file->name, bytes, chunk->offset_index_length,
                     chunk->offset_index);
  while (stria_thrift_field (&thrift, &s))
    if (s.id == 1 && places->len == 0)
      {
        guint8 element;
        guint32 n = stria_thrift_list (&thrift, s.type, &element);

        for (guint32 i = 0; i < n && !thrift.failed; i++)
          {
            StriaParquetPlace place;

            read_place (&thrift, &place);
            g_array_append_val (places, place);
          }
        if (n > 0)
          stria_thrift_leave (&thrift);
      }
    else
      stria_thrift_skip (&thrift, s.type);
  if (thrift.failed
      || !places_make_sense (places, chunk, stria_parquet_get_group_rows (shared->file, row_group)))
    return NULL;
  return g_steal_pointer (&places);
}

/* A list of the ColumnIndex into one member of each of @bounds */
static void
read_bounds_list (StriaThrift *thrift, StriaThriftStruct *s, GArray *bounds)
{
  guint8 element;
  guint32 n = stria_thrift_list (thrift, s->type, &element);

  if (bounds->len < n)
    g_array_set_size (bounds, n);
  for (guint32 i = 0; i < n && !thrift->failed; i++)
    {
      Bounds *b = &g_array_index (bounds, Bounds, i);
      gsize length = 0;

      if (s->id == 1)
        b->is_null = stria_thrift_element_bool (thrift);
      else if (s->id == 2)
        {
          b->statistics.min = stria_thrift_binary (thrift, element, &length);
          b->statistics.min_length = (guint32) length;
        }
      else
        {
          b->statistics.max = stria_thrift_binary (thrift, element, &length);
          b->statistics.max_length = (guint32) length;
        }
    }
  if (n > 0)
    stria_thrift_leave (thrift);
}

static void
intersect (GArray *ranges, GArray *others)
{
  g_autoptr (GArray) both = g_array_new (FALSE, FALSE, sizeof (StriaParquetRange));
  guint i = 0, k = 0;

  while (i < ranges->len && k < others->len)
    {
      const StriaParquetRange *a = &g_array_index (ranges, StriaParquetRange, i);
      const StriaParquetRange *b = &g_array_index (others, StriaParquetRange, k);
      StriaParquetRange range = { MAX (a->first, b->first), MIN (a->end, b->end) };

      if (range.first < range.end)
        g_array_append_val (both, range);
      if (a->end < b->end)
        i++;
      else
        k++;
    }
  g_array_set_size (ranges, 0);
  if (both->len > 0)
    g_array_append_vals (ranges, both->data, both->len);
}

/* Leaves out the rows of pages that have no value of the condition. */
static void
filter_pages (StriaParquetShared *shared, guint row_group, const StriaParquetCondition *condition,
              GArray *ranges)
{
  const StriaParquetChunk *chunk
    = stria_parquet_get_chunk (shared->file, row_group, condition->column);
  const StriaParquetNode *node = stria_parquet_get_column (shared->file, condition->column);
  g_autofree guint8 *bytes = read_index (shared, chunk->column_index, chunk->column_index_length);
  g_autoptr (GArray) places = NULL;
  g_autoptr (GArray) bounds = NULL;
  g_autoptr (GArray) kept = NULL;
  g_auto (StriaThrift) thrift = { 0 };
  StriaThriftStruct s = { 0 };

  if (bytes == NULL)
    return;
  places = stria_parquet_read_places (shared, row_group, condition->column);
  if (places == NULL)
    return;
  bounds = g_array_new (FALSE, TRUE, sizeof (Bounds));
  stria_thrift_init (&thrift, shared->file->name, bytes, chunk->column_index_length,
                     chunk->column_index);
  while (stria_thrift_field (&thrift, &s))
    if (s.id >= 1 && s.id <= 3)
      read_bounds_list (&thrift, &s, bounds);
    else
      stria_thrift_skip (&thrift, s.type);
  if (thrift.failed || bounds->len != places->len)
    return;
  kept = g_array_new (FALSE, FALSE, sizeof (StriaParquetRange));
  for (guint i = 0; i < places->len; i++)
    {
      const Bounds *b = &g_array_index (bounds, Bounds, i);
      const StriaParquetPlace *place = &g_array_index (places, StriaParquetPlace, i);
      StriaParquetRange range = { place->first_row,
                                  i + 1 < places->len ? place[1].first_row
                                    : stria_parquet_get_group_rows (shared->file, row_group) };

      if (b->is_null || is_outside (condition, node, &b->statistics))
        continue;
      if (kept->len > 0
          && g_array_index (kept, StriaParquetRange, kept->len - 1).end == range.first)
        g_array_index (kept, StriaParquetRange, kept->len - 1).end = range.end;
      else
        g_array_append_val (kept, range);
    }
  intersect (ranges, kept);
}

GArray *
stria_parquet_filter_group (StriaParquetShared *shared, guint row_group,
                            const StriaParquetCondition *conditions, guint n)
{
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (StriaParquetRange));
  StriaParquetRange all = { 0, stria_parquet_get_group_rows (shared->file, row_group) };

  for (guint i = 0; i < n; i++)
    {
      const StriaParquetNode *node = stria_parquet_get_column (shared->file, conditions[i].column);
      const StriaParquetChunk *chunk
        = stria_parquet_get_chunk (shared->file, row_group, conditions[i].column);
      const StriaParquetStatistics *statistics = &chunk->statistics;

      if (is_outside (&conditions[i], node, statistics)
          || (node->repetition_level == 0 && statistics->nulls >= 0
              && (guint64) statistics->nulls == all.end))
        return ranges;
    }
  if (all.end > 0)
    g_array_append_val (ranges, all);
  for (guint i = 0; i < n && ranges->len > 0; i++)
    filter_pages (shared, row_group, &conditions[i], ranges);
  return ranges;
}
