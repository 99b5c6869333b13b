/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <inttypes.h>
#include <math.h>

#include "stria-json-text.h"
#include "stria-parquet-reader.h"

#define MAX_DECIMAL_BYTES 16
#define MAX_SCALE 76

static void
append_hex (GString *text, const guint8 *data, gsize length)
{
  g_string_append_c (text, '"');
  for (gsize i = 0; i < length; i++)
    g_string_append_printf (text, "%02x", data[i]);
  g_string_append_c (text, '"');
}

static void
append_number (GString *text, double value, gboolean single)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  char format[8];

  if (isnan (value))
    g_string_append (text, "\"NaN\"");
  else if (isinf (value))
    g_string_append (text, value < 0 ? "\"-Infinity\"" : "\"Infinity\"");
  else
    {
      /* The fewest digits that come back as the same number */
      for (int n = single ? 6 : 15; n <= 17; n++)
        {
          double back;

          g_snprintf (format, sizeof format, "%%.%dg", n);
          g_ascii_formatd (digits, sizeof digits, format, value);
          back = g_ascii_strtod (digits, NULL);
          if (single ? (float) back == (float) value : back == value)
            break;
        }
      g_string_append (text, digits);
    }
}

/* Digits with a point @scale places from their end */
static void
append_decimal (GString *text, gboolean negative, unsigned __int128 value, gint32 scale)
{
  char digits[160];
  guint at = sizeof digits, places = 0;

  scale = CLAMP (scale, 0, MAX_SCALE);
  do
    {
      if (places == (guint) scale && places > 0)
        digits[--at] = '.';
      digits[--at] = (char) ('0' + (int) (value % 10));
      value /= 10;
      places++;
    }
  while (value > 0 || places <= (guint) scale);
  g_string_append (text, negative ? "\"-" : "\"");
  g_string_append_len (text, digits + at, (gssize) (sizeof digits - at));
  g_string_append_c (text, '"');
}

static void
append_integer (GString *text, const StriaParquetNode *node, gint64 value)
{
  if (node->logical == STRIA_PARQUET_DECIMAL)
    append_decimal (text, value < 0,
                    value < 0 ? -(unsigned __int128) value : (unsigned __int128) value,
                    node->scale);
  else if (node->logical == STRIA_PARQUET_INTEGER && !node->is_signed)
    g_string_append_printf (text, "%" PRIu64,
                            node->physical == STRIA_PARQUET_INT32 ? (guint64) (guint32) value
                                                                  : (guint64) value);
  else
    g_string_append_printf (text, "%" PRId64, value);
}

static void
append_bytes (GString *text, const StriaParquetNode *node, const guint8 *data, gsize length)
{
  if (node->logical == STRIA_PARQUET_DECIMAL && length > 0 && length <= MAX_DECIMAL_BYTES)
    {
      gboolean negative = (data[0] & 0x80) != 0;
      unsigned __int128 value = negative ? ~(unsigned __int128) 0 : 0;

      for (gsize i = 0; i < length; i++)
        value = value << 8 | data[i];
      append_decimal (text, negative, negative ? -value : value, node->scale);
    }
  else if (node->logical == STRIA_PARQUET_UUID && length == 16)
    {
      append_hex (text, data, length);
      for (guint i = 0; i < 4; i++)
        g_string_insert_c (text, (gssize) text->len - 25 + (gssize) (4 * i), '-');
    }
  else if (node->physical == STRIA_PARQUET_BYTES
           && g_utf8_validate ((const char *) data, (gssize) length, NULL))
    stria_json_append_text (text, (const char *) data, (gssize) length);
  else
    append_hex (text, data, length);
}

static void
append_value (const StriaParquetColumn *column, guint32 i, GString *text)
{
  const guint8 *data;
  gsize length;

  if (column->valid != NULL && !column->valid[i])
    {
      g_string_append (text, "null");
      return;
    }
  switch (column->form)
    {
    case STRIA_PARQUET_FORM_BOOL:
      g_string_append (text, column->bools[i] ? "true" : "false");
      break;
    case STRIA_PARQUET_FORM_INT32:
      append_integer (text, column->node, column->int32s[i]);
      break;
    case STRIA_PARQUET_FORM_INT64:
      append_integer (text, column->node, column->int64s[i]);
      break;
    case STRIA_PARQUET_FORM_FLOAT:
      append_number (text, (double) column->floats[i], TRUE);
      break;
    case STRIA_PARQUET_FORM_DOUBLE:
      append_number (text, column->doubles[i], FALSE);
      break;
    case STRIA_PARQUET_FORM_BYTES:
    case STRIA_PARQUET_FORM_FIXED:
    case STRIA_PARQUET_FORM_INDEX:
    default:
      data = stria_parquet_value_bytes (column, i, &length);
      append_bytes (text, column->node, data, length);
      break;
    }
}

static void
append_list (const StriaParquetColumn *column, guint level, guint32 i, GString *text)
{
  const StriaParquetList *list;

  if (level == column->n_lists)
    {
      append_value (column, i, text);
      return;
    }
  list = &column->lists[level];
  if (list->valid != NULL && !list->valid[i])
    {
      g_string_append (text, "null");
      return;
    }
  g_string_append_c (text, '[');
  for (guint32 k = list->offsets[i]; k < list->offsets[i + 1]; k++)
    {
      if (k > list->offsets[i])
        g_string_append_c (text, ',');
      append_list (column, level + 1, k, text);
    }
  g_string_append_c (text, ']');
}

void
stria_parquet_append_json (const StriaParquetColumn *column, guint32 row, GString *text)
{
  append_list (column, 0, row, text);
}
