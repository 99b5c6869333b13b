/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-parquet-output.h"

#include <string.h>

void
stria_parquet_output_init (StriaParquetOutput *self, const StriaParquetNode *node, guint64 limit)
{
  static const struct
  {
    StriaParquetForm form;
    guint width;
  } forms[] = {
    [STRIA_PARQUET_BOOLEAN] = { STRIA_PARQUET_FORM_BOOL, 1 },
    [STRIA_PARQUET_INT32] = { STRIA_PARQUET_FORM_INT32, 4 },
    [STRIA_PARQUET_INT64] = { STRIA_PARQUET_FORM_INT64, 8 },
    [STRIA_PARQUET_INT96] = { STRIA_PARQUET_FORM_INT64, 8 },
    [STRIA_PARQUET_FLOAT] = { STRIA_PARQUET_FORM_FLOAT, 4 },
    [STRIA_PARQUET_DOUBLE] = { STRIA_PARQUET_FORM_DOUBLE, 8 },
    [STRIA_PARQUET_BYTES] = { STRIA_PARQUET_FORM_BYTES, 0 },
    [STRIA_PARQUET_FIXED] = { STRIA_PARQUET_FORM_FIXED, 0 },
  };

  *self = (StriaParquetOutput){
    .form = forms[node->physical].form,
    .natural = forms[node->physical].form,
    .width = node->physical == STRIA_PARQUET_FIXED ? node->length : forms[node->physical].width,
    .limit = MIN (limit, G_MAXUINT32),
  };
}

void
stria_parquet_output_clear (StriaParquetOutput *self)
{
  g_clear_pointer (&self->values, g_free);
  g_clear_pointer (&self->offsets, g_free);
  g_clear_pointer (&self->data, g_free);
  self->values_size = self->offsets_size = self->data_size = 0;
}

void
stria_parquet_output_reset (StriaParquetOutput *self)
{
  self->form = self->natural;
  self->n = 0;
  self->data_length = 0;
  if (self->offsets != NULL)
    self->offsets[0] = 0;
}

static gboolean
grow (gpointer *memory, gsize *size, guint64 wanted)
{
  gpointer larger;

  if (wanted <= *size && *memory != NULL)
    return TRUE;
  wanted += wanted / 4;
  larger = g_try_realloc (*memory, wanted + STRIA_PARQUET_SLACK);
  if (larger == NULL)
    return FALSE;
  *memory = larger;
  *size = wanted;
  return TRUE;
}

gboolean
stria_parquet_output_reserve (StriaParquetOutput *self, guint64 n)
{
  gboolean was_empty = self->offsets == NULL;
  guint width = self->form == STRIA_PARQUET_FORM_INDEX ? 4 : self->width;

  if (n >= G_MAXUINT32 || n * MAX (width, 4) > self->limit)
    return FALSE;
  if (self->form != STRIA_PARQUET_FORM_BYTES)
    return grow ((gpointer *) &self->values, &self->values_size, n * width);
  if (!grow ((gpointer *) &self->offsets, &self->offsets_size, (n + 1) * 4))
    return FALSE;
  if (was_empty)
    self->offsets[0] = 0;
  return TRUE;
}

gboolean
stria_parquet_output_bytes (StriaParquetOutput *self, guint64 length)
{
  return length <= self->limit && self->data_length <= self->limit - length
         && grow ((gpointer *) &self->data, &self->data_size, self->data_length + length);
}

/* From back to front: a value never lies behind its place. @at is where the values that are left
 * end; once that is where they belong, the rest is in place. */
#define DEFINE_SPREAD(type)                                                                      \
  static void spread_##type (type *values, const guint8 *valid, guint32 n_values, guint32 n)      \
  {                                                                                               \
    guint32 at = n_values;                                                                        \
                                                                                                  \
    for (guint32 i = n; i > at; i--)                                                              \
      {                                                                                           \
        guint8 here = valid[i - 1] != 0;                                                          \
                                                                                                  \
        at -= here;                                                                               \
        values[i - 1] = values[at] & (type) -(type) here;                                         \
      }                                                                                           \
  }

DEFINE_SPREAD (guint8)
DEFINE_SPREAD (guint32)
DEFINE_SPREAD (guint64)

static void
spread_wide (guint8 *values, guint width, const guint8 *valid, guint32 n_values, guint32 n)
{
  guint32 at = n_values;

  for (guint32 i = n; i > at; i--)
    if (valid[i - 1])
      memmove (values + (gsize) (i - 1) * width, values + (gsize) --at * width, width);
    else
      memset (values + (gsize) (i - 1) * width, 0, width);
}

static void
spread_offsets (guint32 *offsets, const guint8 *valid, guint32 n_values, guint32 n)
{
  guint32 at = n_values;

  for (guint32 i = n; i > at; i--)
    {
      offsets[i] = offsets[at];
      at -= valid[i - 1] != 0;
    }
}

void
stria_parquet_output_spread (StriaParquetOutput *self, const guint8 *valid, guint32 n)
{
  guint width = self->form == STRIA_PARQUET_FORM_INDEX ? 4 : self->width;

  if (self->n < n && self->form == STRIA_PARQUET_FORM_BYTES)
    spread_offsets (self->offsets, valid, self->n, n);
  else if (self->n < n && width == 1)
    spread_guint8 (self->values, valid, self->n, n);
  else if (self->n < n && width == 4)
    spread_guint32 ((guint32 *) (void *) self->values, valid, self->n, n);
  else if (self->n < n && width == 8)
    spread_guint64 ((guint64 *) (void *) self->values, valid, self->n, n);
  else if (self->n < n)
    spread_wide (self->values, width, valid, self->n, n);
  self->n = n;
}

static gboolean
gather_bytes (StriaParquetOutput *self, const StriaParquetOutput *from, const guint32 *indices,
              gsize n)
{
  guint64 total = 0;
  guint32 *offset;
  guint8 *to;

  for (gsize i = 0; i < n; i++)
    total += from->offsets[indices[i] + 1] - from->offsets[indices[i]];
  if (!stria_parquet_output_bytes (self, total))
    return FALSE;
  offset = self->offsets + self->n;
  to = self->data + self->data_length;
  for (gsize i = 0; i < n; i++)
    {
      guint32 start = from->offsets[indices[i]];
      guint32 length = from->offsets[indices[i] + 1] - start;

      if (length <= 16)
        memcpy (to, from->data + start, 16);
      else
        memcpy (to, from->data + start, length);
      to += length;
      *++offset = (guint32) (to - self->data);
    }
  self->data_length += total;
  return TRUE;
}

gboolean
stria_parquet_output_gather (StriaParquetOutput *self, const StriaParquetOutput *from,
                             const guint32 *indices, gsize n)
{
  guint8 *to;

  if (self->natural == STRIA_PARQUET_FORM_BYTES)
    {
      if (n > 0 && !gather_bytes (self, from, indices, n))
        return FALSE;
      self->n += (guint32) n;
      return TRUE;
    }
  to = self->values + (gsize) self->n * self->width;
  if (self->width == 4)
    for (gsize i = 0; i < n; i++)
      ((guint32 *) (void *) to)[i] = ((const guint32 *) (void *) from->values)[indices[i]];
  else if (self->width == 8)
    for (gsize i = 0; i < n; i++)
      ((guint64 *) (void *) to)[i] = ((const guint64 *) (void *) from->values)[indices[i]];
  else
    for (gsize i = 0; i < n; i++)
      memcpy (to + i * self->width, from->values + (gsize) indices[i] * self->width, self->width);
  self->n += (guint32) n;
  return TRUE;
}

gboolean
stria_parquet_output_resolve (StriaParquetOutput *self, const StriaParquetOutput *from)
{
  guint32 n = self->n;

  self->form = self->natural;
  self->n = 0;
  return stria_parquet_output_reserve (self, n)
         && stria_parquet_output_gather (self, from, (const guint32 *) (void *) self->values, n);
}
