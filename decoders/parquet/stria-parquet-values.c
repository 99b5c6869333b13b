/* SPDX-License-Identifier: Apache-2.0 */
/* The encodings of values (Encodings.md of the format). Numbers go straight to where the batch has
 * them. */
#include "config.h"

#include "stria-parquet-values.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-error.h"

#define PART 512 /* numbers that are unpacked at a time where they are not what is wanted */

#define JULIAN_EPOCH 2440588 /* 1970-01-01 */
#define NS_PER_DAY G_GINT64_CONSTANT (86400000000000)
#define INT96_LENGTH 12

typedef enum
{
  DONE,
  BAD,      /* bytes are missing or make no sense */
  TOO_MUCH, /* for the limit of a batch */
} Outcome;

static const char *
encoding_name (gint32 encoding)
{
  static const char *const names[] = {
    "PLAIN", "GROUP_VAR_INT", "PLAIN_DICTIONARY", "RLE", "BIT_PACKED", "DELTA_BINARY_PACKED",
    "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY", "RLE_DICTIONARY", "BYTE_STREAM_SPLIT",
  };

  return encoding >= 0 && encoding < (gint32) G_N_ELEMENTS (names) ? names[encoding] : "?";
}

/* -- plain ------------------------------------------------------------------------------------- */

static gint64
int96_to_ns (const guint8 *p)
{
  gint64 ns = (gint64) stria_load64 (p);
  gint64 days = (gint64) stria_load32 (p + 8) - JULIAN_EPOCH;
  gint64 sum;

  if (__builtin_mul_overflow (days, NS_PER_DAY, &sum) || __builtin_add_overflow (sum, ns, &sum))
    return days < 0 ? G_MININT64 : G_MAXINT64;
  return sum;
}

static Outcome
read_plain_bytes (StriaParquetValues *self, StriaParquetOutput *output, gsize n)
{
  const guint8 *at = self->at, *end = self->end;
  guint32 *offset = output->offsets + output->n;
  guint8 *to;

  /* Room for all that the page can still have, so that the loop need not ask, unless that is more
   * than is allowed. */
  if (!stria_parquet_output_bytes (output, (guint64) (end - at)))
    {
      const guint8 *look = at;
      guint64 total = 0;

      for (gsize i = 0; i < n; i++)
        {
          if (end - look < 4 || (gsize) (end - look - 4) < stria_load32 (look))
            return BAD;
          total += stria_load32 (look);
          look += 4 + stria_load32 (look);
        }
      if (!stria_parquet_output_bytes (output, total))
        return TOO_MUCH;
    }
  to = output->data + output->data_length;
  for (gsize i = 0; i < n; i++)
    {
      guint32 length;

      if (end - at < 4)
        return BAD;
      length = stria_load32 (at);
      at += 4;
      if (length > (gsize) (end - at))
        return BAD;
      if (length <= 16 && end - at >= 16)
        memcpy (to, at, 16);
      else
        memcpy (to, at, length);
      at += length;
      to += length;
      *++offset = (guint32) (to - output->data);
    }
  self->at = at;
  if (n > 0)
    output->data_length = (gsize) (to - output->data);
  return DONE;
}

static Outcome
read_plain (StriaParquetValues *self, StriaParquetOutput *output, gsize n)
{
  StriaParquetPhysical physical = self->node->physical;
  const guint8 *at = self->at;
  gsize left = (gsize) (self->end - at);
  guint8 *to;

  if (physical == STRIA_PARQUET_BYTES)
    return read_plain_bytes (self, output, n);
  to = output->values + (gsize) output->n * output->width;
  if (physical == STRIA_PARQUET_BOOLEAN)
    {
      if (n > left * 8 - self->used)
        return BAD;
      stria_bits_unpack8 (at, self->end, 1, self->used, to, n);
      self->used += n;
      return DONE;
    }
  if (physical == STRIA_PARQUET_INT96)
    {
      if (n > left / INT96_LENGTH)
        return BAD;
      for (gsize i = 0; i < n; i++)
        ((gint64 *) (void *) to)[i] = int96_to_ns (at + i * INT96_LENGTH);
      self->at += n * INT96_LENGTH;
      return DONE;
    }
  if (n > left / output->width)
    return BAD;
  if (G_BYTE_ORDER == G_LITTLE_ENDIAN || physical == STRIA_PARQUET_FIXED)
    {
      if (n > 0)
        memcpy (to, at, n * output->width);
    }
  else if (output->width == 4)
    for (gsize i = 0; i < n; i++)
      ((guint32 *) (void *) to)[i] = stria_load32 (at + 4 * i);
  else
    for (gsize i = 0; i < n; i++)
      ((guint64 *) (void *) to)[i] = stria_load64 (at + 8 * i);
  self->at += n * output->width;
  return DONE;
}

/* -- dictionaries ------------------------------------------------------------------------------ */

static gboolean
are_below (const guint32 *indices, gsize n, guint32 limit)
{
  guint32 most = 0;

  for (gsize i = 0; i < n; i++)
    most = MAX (most, indices[i]);
  return n == 0 || most < limit;
}

static Outcome
fill_run (StriaParquetOutput *output, const StriaParquetOutput *from, guint32 index, gsize n)
{
  guint32 indices[PART];
  guint8 *to = output->values + (gsize) output->n * output->width;

  if (output->natural != STRIA_PARQUET_FORM_BYTES && output->width == 8)
    {
      guint64 value = ((const guint64 *) (void *) from->values)[index];

      for (gsize i = 0; i < n; i++)
        ((guint64 *) (void *) to)[i] = value;
      output->n += (guint32) n;
      return DONE;
    }
  for (gsize i = 0; i < MIN (n, PART); i++)
    indices[i] = index;
  while (n > 0)
    {
      gsize m = MIN (n, PART);

      if (!stria_parquet_output_gather (output, from, indices, m))
        return TOO_MUCH;
      n -= m;
    }
  return DONE;
}

static Outcome
read_indexed (StriaParquetValues *self, StriaParquetOutput *output, gsize n)
{
  const StriaParquetOutput *from = self->dictionary;

  if (output->form == STRIA_PARQUET_FORM_INDEX)
    {
      guint32 *to = (guint32 *) (void *) output->values + output->n;

      if (stria_rle_read32 (&self->rle, to, n) < n || !are_below (to, n, from->n))
        return BAD;
      output->n += (guint32) n;
      return DONE;
    }
  while (n > 0)
    {
      guint32 indices[PART];
      gsize m;

      if (!stria_rle_run (&self->rle))
        return BAD;
      m = MIN (n, self->rle.left);
      if (!self->rle.packed && m > 8)
        {
          Outcome outcome;

          if (self->rle.value >= from->n)
            return BAD;
          outcome = fill_run (output, from, self->rle.value, m);
          if (outcome != DONE)
            return outcome;
          stria_rle_skip (&self->rle, m);
        }
      else
        {
          m = stria_rle_read32 (&self->rle, indices, MIN (n, PART));
          if (!are_below (indices, m, from->n))
            return BAD;
          if (!stria_parquet_output_gather (output, from, indices, m))
            return TOO_MUCH;
        }
      n -= m;
    }
  return DONE;
}

/* -- deltas ------------------------------------------------------------------------------------ */

static Outcome
read_delta (StriaParquetValues *self, StriaParquetOutput *output, gsize n)
{
  gint64 part[PART];
  gint32 *to = (gint32 *) (void *) output->values + output->n;

  if (output->width == 8)
    return stria_delta_read (&self->delta, (gint64 *) (void *) output->values + output->n, n) == n
             ? DONE : BAD;
  for (gsize i = 0; i < n;)
    {
      gsize m = stria_delta_read (&self->delta, part, MIN (PART, n - i));

      if (m == 0)
        return BAD;
      for (gsize k = 0; k < m; k++)
        to[i + k] = (gint32) part[k];
      i += m;
    }
  return DONE;
}

/* Texts one after the other, their lengths in front of them: copied in one go. */
static Outcome
read_delta_lengths (StriaParquetValues *self, StriaParquetOutput *output, gsize n)
{
  gint64 part[PART];

  for (gsize done = 0; done < n;)
    {
      gsize m = stria_delta_read (&self->delta, part, MIN (PART, n - done));
      guint64 left = (guint64) (self->end - self->at);
      guint64 total = 0;
      guint32 *offset = output->offsets + output->n + done;

      if (m == 0)
        return BAD;
      for (gsize i = 0; i < m; i++)
        {
          if ((guint64) part[i] > left)
            return BAD;
          total += (guint64) part[i];
        }
      if (total > left)
        return BAD;
      if (!stria_parquet_output_bytes (output, total))
        return TOO_MUCH;
      if (total > 0)
        memcpy (output->data + output->data_length, self->at, total);
      self->at += total;
      for (gsize i = 0; i < m; i++)
        {
          output->data_length += (gsize) part[i];
          *++offset = (guint32) output->data_length;
        }
      done += m;
    }
  return DONE;
}

/* Each value begins as the one before it: of a page that may be in another batch, which is why the
 * last one of each call is kept. */
static Outcome
read_delta_bytes (StriaParquetValues *self, StriaParquetOutput *output, gsize n)
{
  gboolean fixed = output->natural == STRIA_PARQUET_FORM_FIXED;
  gsize last_at = 0, last_length = self->last->len;
  gboolean is_first = TRUE;
  gint64 prefixes[PART], suffixes[PART];

  for (gsize done = 0; done < n;)
    {
      gsize m = stria_delta_read (&self->prefixes, prefixes, MIN (PART, n - done));

      if (m == 0 || stria_delta_read (&self->delta, suffixes, m) != m)
        return BAD;
      for (gsize i = 0; i < m; i++)
        {
          guint64 prefix = (guint64) prefixes[i], suffix = (guint64) suffixes[i];
          guint8 *base;
          gsize at;

          if (prefix > last_length || suffix > (gsize) (self->end - self->at)
              || (fixed && prefix + suffix != output->width))
            return BAD;
          if (!fixed && !stria_parquet_output_bytes (output, prefix + suffix))
            return TOO_MUCH;
          base = fixed ? output->values : output->data;
          at = fixed ? (output->n + done + i) * output->width : output->data_length;
          if (prefix > 0)
            memcpy (base + at, is_first ? self->last->data : base + last_at, prefix);
          if (suffix > 0)
            memcpy (base + at + prefix, self->at, suffix);
          self->at += suffix;
          last_at = at;
          last_length = prefix + suffix;
          is_first = FALSE;
          if (!fixed)
            {
              output->data_length += last_length;
              output->offsets[output->n + done + i + 1] = (guint32) output->data_length;
            }
        }
      done += m;
    }
  if (!is_first)
    {
      g_byte_array_set_size (self->last, 0);
      if (last_length > 0)
        g_byte_array_append (self->last, (fixed ? output->values : output->data) + last_at,
                             (guint) last_length);
    }
  return DONE;
}

/* -- the bytes of each place together ---------------------------------------------------------- */

static Outcome
read_split (StriaParquetValues *self, StriaParquetOutput *output, gsize n)
{
  const guint8 *from = self->at + self->used;
  gsize stride = self->total;
  guint8 *to = output->values + (gsize) output->n * output->width;

  if (n > self->total - self->used)
    return BAD;
  if (output->width == 4)
    for (gsize i = 0; i < n; i++)
      ((guint32 *) (void *) to)[i] = from[i] | (guint32) from[i + stride] << 8
                                     | (guint32) from[i + 2 * stride] << 16
                                     | (guint32) from[i + 3 * stride] << 24;
  else if (output->width == 8)
    for (gsize i = 0; i < n; i++)
      {
        guint64 value = 0;

        for (guint k = 0; k < 8; k++)
          value |= (guint64) from[i + k * stride] << (8 * k);
        ((guint64 *) (void *) to)[i] = value;
      }
  else
    for (guint k = 0; k < output->width; k++)
      for (gsize i = 0; i < n; i++)
        to[i * output->width + k] = from[i + k * stride];
  if (G_BYTE_ORDER == G_BIG_ENDIAN && self->node->physical == STRIA_PARQUET_FIXED)
    for (gsize i = 0; i < n && (output->width == 4 || output->width == 8); i++)
      for (guint k = 0; k < output->width; k++)
        to[i * output->width + k] = from[i + k * stride];
  self->used += n;
  return DONE;
}

/* -- a page ------------------------------------------------------------------------------------ */

/* Whether values of the type can be of the encoding */
static gboolean
encoding_fits (const StriaParquetNode *node, gint32 encoding)
{
  StriaParquetPhysical physical = node->physical;

  switch (encoding)
    {
    case STRIA_PARQUET_ENCODING_PLAIN:
    case STRIA_PARQUET_ENCODING_PLAIN_DICTIONARY:
    case STRIA_PARQUET_ENCODING_RLE_DICTIONARY:
      return TRUE;
    case STRIA_PARQUET_ENCODING_RLE:
    case STRIA_PARQUET_ENCODING_BIT_PACKED:
      return physical == STRIA_PARQUET_BOOLEAN;
    case STRIA_PARQUET_ENCODING_DELTA_BINARY_PACKED:
      return physical == STRIA_PARQUET_INT32 || physical == STRIA_PARQUET_INT64;
    case STRIA_PARQUET_ENCODING_DELTA_LENGTH_BYTE_ARRAY:
      return physical == STRIA_PARQUET_BYTES;
    case STRIA_PARQUET_ENCODING_DELTA_BYTE_ARRAY:
      return physical == STRIA_PARQUET_BYTES || physical == STRIA_PARQUET_FIXED;
    case STRIA_PARQUET_ENCODING_BYTE_STREAM_SPLIT:
      return physical != STRIA_PARQUET_BOOLEAN && physical != STRIA_PARQUET_INT96
             && physical != STRIA_PARQUET_BYTES;
    default:
      return FALSE;
    }
}

static gboolean
bad_page (StriaParquetValues *self, GError **error)
{
  stria_parquet_fault (self->file, error, STRIA_ERROR_MALFORMED, self->offset,
                       _("expected a page of values in %s of column %s, found bytes that are none"),
                       encoding_name (self->encoding), self->node->path);
  return FALSE;
}

gboolean
stria_parquet_values_are_indices (const StriaParquetValues *self)
{
  return self->encoding == STRIA_PARQUET_ENCODING_PLAIN_DICTIONARY
         || self->encoding == STRIA_PARQUET_ENCODING_RLE_DICTIONARY;
}

static gboolean
begin (StriaParquetValues *self, gsize length)
{
  const guint8 *data = self->at;

  switch (self->encoding)
    {
    case STRIA_PARQUET_ENCODING_PLAIN_DICTIONARY:
    case STRIA_PARQUET_ENCODING_RLE_DICTIONARY:
      if (length > 0 && data[0] > 32)
        return FALSE;
      stria_rle_init (&self->rle, data + (length > 0), length - (length > 0),
                      length > 0 ? data[0] : 0);
      return TRUE;
    case STRIA_PARQUET_ENCODING_RLE:
      if (length < 4)
        return length == 0;
      if (stria_load32 (data) > length - 4)
        return FALSE;
      stria_rle_init (&self->rle, data + 4, stria_load32 (data), 1);
      return TRUE;
    case STRIA_PARQUET_ENCODING_DELTA_BINARY_PACKED:
      return length == 0 || stria_delta_init (&self->delta, data, length);
    case STRIA_PARQUET_ENCODING_DELTA_LENGTH_BYTE_ARRAY:
      if (length == 0)
        return TRUE;
      if (!stria_delta_init (&self->delta, data, length))
        return FALSE;
      self->at = stria_delta_end (&self->delta);
      return self->at != NULL;
    case STRIA_PARQUET_ENCODING_DELTA_BYTE_ARRAY:
      if (length == 0)
        return TRUE;
      if (!stria_delta_init (&self->prefixes, data, length))
        return FALSE;
      data = stria_delta_end (&self->prefixes);
      if (data == NULL || !stria_delta_init (&self->delta, data, (gsize) (self->end - data)))
        return FALSE;
      self->at = stria_delta_end (&self->delta);
      return self->at != NULL;
    case STRIA_PARQUET_ENCODING_BYTE_STREAM_SPLIT:
      {
        guint width = self->node->physical == STRIA_PARQUET_FIXED ? self->node->length
                      : self->node->physical == STRIA_PARQUET_INT64
                          || self->node->physical == STRIA_PARQUET_DOUBLE ? 8 : 4;

        self->total = length / width;
        return length % width == 0;
      }
    default:
      return TRUE;
    }
}

gboolean
stria_parquet_values_init (StriaParquetValues *self, const StriaParquet *file,
                           const StriaParquetNode *node, guint64 offset, gint32 encoding,
                           const guint8 *data, gsize length, const StriaParquetOutput *dictionary,
                           GError **error)
{
  self->file = file;
  self->node = node;
  self->offset = offset;
  self->encoding = encoding;
  self->at = data;
  self->end = data + length;
  self->used = self->total = 0;
  self->rle = (StriaRle){ 0 };
  self->delta = self->prefixes = (StriaDelta){ 0 };
  self->dictionary = dictionary;
  if (self->last == NULL)
    self->last = g_byte_array_new ();
  g_byte_array_set_size (self->last, 0);
  if (!encoding_fits (node, encoding))
    {
      stria_parquet_fault (file, error, STRIA_ERROR_UNSUPPORTED, offset,
                           _("expected an encoding for values of type %s in column %s, found %d "
                             "(%s)"),
                           stria_parquet_physical_name (node->physical), node->path, encoding,
                           encoding_name (encoding));
      return FALSE;
    }
  if (stria_parquet_values_are_indices (self) && dictionary == NULL)
    {
      stria_parquet_fault (file, error, STRIA_ERROR_MALFORMED, offset,
                           _("expected a dictionary in front of the indices of column %s, found "
                             "none"),
                           node->path);
      return FALSE;
    }
  return begin (self, length) || bad_page (self, error);
}

void
stria_parquet_values_clear (StriaParquetValues *self)
{
  g_clear_pointer (&self->last, g_byte_array_unref);
}

static Outcome
read_bits (StriaParquetValues *self, StriaParquetOutput *output, gsize n)
{
  guint8 *to = output->values + output->n;

  if (self->encoding == STRIA_PARQUET_ENCODING_RLE)
    return stria_rle_read8 (&self->rle, to, n) == n ? DONE : BAD;
  if (n > (gsize) (self->end - self->at) * 8 - self->used)
    return BAD;
  stria_bits_unpack8_high (self->at, 1, self->used, to, n);
  self->used += n;
  return DONE;
}

gboolean
stria_parquet_values_read (StriaParquetValues *self, StriaParquetOutput *output, gsize n,
                           GError **error)
{
  guint32 before = output->n;
  Outcome outcome;

  switch (self->encoding)
    {
    case STRIA_PARQUET_ENCODING_PLAIN:
      outcome = read_plain (self, output, n);
      break;
    case STRIA_PARQUET_ENCODING_RLE:
    case STRIA_PARQUET_ENCODING_BIT_PACKED:
      outcome = read_bits (self, output, n);
      break;
    case STRIA_PARQUET_ENCODING_DELTA_BINARY_PACKED:
      outcome = read_delta (self, output, n);
      break;
    case STRIA_PARQUET_ENCODING_DELTA_LENGTH_BYTE_ARRAY:
      outcome = read_delta_lengths (self, output, n);
      break;
    case STRIA_PARQUET_ENCODING_DELTA_BYTE_ARRAY:
      outcome = read_delta_bytes (self, output, n);
      break;
    case STRIA_PARQUET_ENCODING_BYTE_STREAM_SPLIT:
      outcome = read_split (self, output, n);
      break;
    default:
      outcome = read_indexed (self, output, n);
      break;
    }
  if (outcome == DONE)
    {
      output->n = before + (guint32) n;
      return TRUE;
    }
  if (outcome == BAD)
    return bad_page (self, error);
  stria_parquet_fault (self->file, error, STRIA_ERROR_LIMIT, self->offset,
                       _("expected at most %" PRIu64 " bytes of column %s at a time, found more"),
                       output->limit, self->node->path);
  return FALSE;
}
