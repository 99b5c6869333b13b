/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-columns.h"

#include <string.h>

#include "stria-load.h"

/*
 * Packed elements, little-endian:
 *   0  u8   bytes an element: 0, 1, 2, 4 or 8
 *   1       7 bytes of 0
 *   8  u64  what is added to each element
 *  16       the elements
 */
#define HEADER_BYTES 16

void **
stria_columns_get (StriaColumns *columns, StriaColumnNumber column, gsize *element_size)
{
  switch (column)
    {
    case STRIA_COLUMN_START:
      *element_size = 8;
      return (void **) &columns->start;
    case STRIA_COLUMN_DUR:
      *element_size = 8;
      return (void **) &columns->dur;
    case STRIA_COLUMN_VALUE:
      *element_size = 8;
      return (void **) &columns->value;
    case STRIA_COLUMN_NAME:
      *element_size = 4;
      return (void **) &columns->name;
    case STRIA_COLUMN_CATEGORY:
      *element_size = 2;
      return (void **) &columns->category;
    case STRIA_COLUMN_FLAGS:
      *element_size = 2;
      return (void **) &columns->flags;
    case STRIA_COLUMN_SEQ:
      *element_size = 4;
      return (void **) &columns->seq;
    case STRIA_COLUMN_PARENT:
      *element_size = 4;
      return (void **) &columns->parent;
    case STRIA_COLUMN_ARGS:
      *element_size = 8;
      return (void **) &columns->args;
    case STRIA_COLUMN_CORRELATION:
      *element_size = 8;
      return (void **) &columns->correlation;
    case STRIA_COLUMN_EXTERNAL:
      *element_size = 8;
      return (void **) &columns->external;
    case STRIA_COLUMN_PYTHON:
      *element_size = 8;
      return (void **) &columns->python;
    case STRIA_N_COLUMNS:
    default:
      return NULL;
    }
}

void
stria_columns_clear (StriaColumns *columns)
{
  for (guint c = 0; c < STRIA_N_COLUMNS; c++)
    {
      gsize size;

      g_clear_pointer (stria_columns_get (columns, c, &size), g_free);
    }
  *columns = (StriaColumns){ 0 };
}

/* -- packing -------------------------------------------------------------------------------- */

/* One loop for each pair of widths, without a branch in it. */
#define NARROW(from_type, to_type, convert)                                                        \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const from_type *from_ = values;                                                               \
    for (gsize i_ = 0; i_ < n; i_++)                                                               \
      {                                                                                            \
        const to_type narrow_ = convert ((to_type) ((guint64) from_[i_] - base));                  \
        memcpy (to + i_ * sizeof narrow_, &narrow_, sizeof narrow_);                               \
      }                                                                                            \
  }                                                                                                \
  G_STMT_END
#define SAME(x) (x)

#define NARROW_FROM(from_type)                                                                     \
  G_STMT_START                                                                                     \
  {                                                                                                \
    switch (width)                                                                                 \
      {                                                                                            \
      case 1:                                                                                      \
        NARROW (from_type, guint8, SAME);                                                          \
        break;                                                                                     \
      case 2:                                                                                      \
        NARROW (from_type, guint16, GUINT16_TO_LE);                                                \
        break;                                                                                     \
      case 4:                                                                                      \
        NARROW (from_type, guint32, GUINT32_TO_LE);                                                \
        break;                                                                                     \
      default:                                                                                     \
        NARROW (from_type, guint64, GUINT64_TO_LE);                                                \
        break;                                                                                     \
      }                                                                                            \
  }                                                                                                \
  G_STMT_END

#define BOUNDS(type)                                                                               \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const type *from_ = values;                                                                    \
    type min_ = from_[0], max_ = from_[0];                                                         \
    for (gsize i_ = 1; i_ < n; i_++)                                                               \
      {                                                                                            \
        min_ = MIN (min_, from_[i_]);                                                              \
        max_ = MAX (max_, from_[i_]);                                                              \
      }                                                                                            \
    base = (guint64) min_;                                                                         \
    width = stria_store_width ((guint64) max_ - (guint64) min_);                                            \
  }                                                                                                \
  G_STMT_END

void
stria_column_pack (gconstpointer values, gsize element_size, gsize n, GByteArray *out)
{
  guint64 base = 0, stored;
  guint width = 0;
  guint at = out->len;
  guint8 *to;

  if (n > 0)
    {
      if (element_size == 8)
        BOUNDS (gint64);
      else if (element_size == 4)
        BOUNDS (guint32);
      else
        BOUNDS (guint16);
    }
  g_byte_array_set_size (out, (guint) (at + HEADER_BYTES + n * width));
  to = out->data + at;
  memset (to, 0, HEADER_BYTES);
  to[0] = (guint8) width;
  stored = GUINT64_TO_LE (base);
  memcpy (to + 8, &stored, sizeof stored);
  to += HEADER_BYTES;
  if (width == 0)
    return;
  if (element_size == 8)
    NARROW_FROM (gint64);
  else if (element_size == 4)
    NARROW_FROM (guint32);
  else
    NARROW_FROM (guint16);
}

#define WIDEN(to_type, bytes, load)                                                                \
  G_STMT_START                                                                                     \
  {                                                                                                \
    to_type *to_ = values;                                                                         \
    for (gsize i_ = 0; i_ < n; i_++)                                                               \
      to_[i_] = (to_type) (base + load (from + i_ * (bytes)));                                     \
  }                                                                                                \
  G_STMT_END
#define LOAD8(p) (*(p))

#define WIDEN_TO(to_type)                                                                          \
  G_STMT_START                                                                                     \
  {                                                                                                \
    switch (width)                                                                                 \
      {                                                                                            \
      case 0:                                                                                      \
        {                                                                                          \
          to_type *to_ = values;                                                                   \
          for (gsize i_ = 0; i_ < n; i_++)                                                         \
            to_[i_] = (to_type) base;                                                              \
          break;                                                                                   \
        }                                                                                          \
      case 1:                                                                                      \
        WIDEN (to_type, 1, LOAD8);                                                                 \
        break;                                                                                     \
      case 2:                                                                                      \
        WIDEN (to_type, 2, stria_load16);                                                          \
        break;                                                                                     \
      case 4:                                                                                      \
        WIDEN (to_type, 4, stria_load32);                                                          \
        break;                                                                                     \
      default:                                                                                     \
        WIDEN (to_type, 8, stria_load64);                                                          \
        break;                                                                                     \
      }                                                                                            \
  }                                                                                                \
  G_STMT_END

gboolean
stria_column_unpack (const guint8 *bytes, gsize length, gsize element_size, gsize n,
                     gpointer values)
{
  const guint8 *from = bytes + HEADER_BYTES;
  guint64 base;
  guint width;

  if (length < HEADER_BYTES)
    return FALSE;
  width = bytes[0];
  if (width > 8 || (width & (width - 1)) != 0 || width > element_size
      || length - HEADER_BYTES != n * width)
    return FALSE;
  base = stria_load64 (bytes + 8);
  if (element_size == 8)
    WIDEN_TO (guint64);
  else if (element_size == 4)
    WIDEN_TO (guint32);
  else
    WIDEN_TO (guint16);
  return TRUE;
}

void
stria_column_shift (guint8 *bytes, gsize length, gint64 shift)
{
  guint64 base;

  if (length < HEADER_BYTES)
    return;
  base = GUINT64_TO_LE (stria_load64 (bytes + 8) + (guint64) shift);
  memcpy (bytes + 8, &base, sizeof base);
}

void
stria_column_gather (gconstpointer values, gsize element_size, const guint32 *pick, gsize n,
                     gpointer to)
{
  if (element_size == 8)
    for (gsize k = 0; k < n; k++)
      ((guint64 *) to)[k] = ((const guint64 *) values)[pick[k]];
  else if (element_size == 4)
    for (gsize k = 0; k < n; k++)
      ((guint32 *) to)[k] = ((const guint32 *) values)[pick[k]];
  else
    for (gsize k = 0; k < n; k++)
      ((guint16 *) to)[k] = ((const guint16 *) values)[pick[k]];
}
