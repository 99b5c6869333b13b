/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <inttypes.h>

#include "stria-etdump-private.h"

/* What is written of a list or of sizes; a text that is longer is no help. */
#define MAX_TENSORS 64
#define MAX_SIZES 32

/* [CODE: executorch scalar_type.fbs] Numbers that are not there are not known. */
static const char *const scalar_types[] = {
  [0] = "uint8",       [1] = "int8",          [2] = "int16",          [3] = "int32",
  [4] = "int64",       [5] = "float16",       [6] = "float32",        [7] = "float64",
  [11] = "bool",       [12] = "qint8",        [13] = "quint8",        [14] = "qint32",
  [15] = "bfloat16",   [16] = "quint4x2",     [17] = "quint2x4",      [22] = "bits16",
  [23] = "float8e5m2", [24] = "float8e4m3fn", [25] = "float8e5m2fnuz", [26] = "float8e4m3fnuz",
  [27] = "uint16",     [28] = "uint32",       [29] = "uint64",
};

static const char *const value_types[] = {
  [VALUE_TYPE_NULL] = "Null",
  [VALUE_TYPE_INT] = "Int",
  [VALUE_TYPE_BOOL] = "Bool",
  [VALUE_TYPE_FLOAT] = "Float",
  [VALUE_TYPE_DOUBLE] = "Double",
  [VALUE_TYPE_TENSOR] = "Tensor",
  [VALUE_TYPE_TENSOR_LIST] = "TensorList",
  [VALUE_TYPE_STRING] = "String",
};

static void
append_tensor (GString *text, StriaFlatTable tensor)
{
  gint8 type = stria_flat_i8 (tensor, TENSOR_SCALAR_TYPE, 0);
  StriaFlatVector sizes = stria_flat_vector (tensor, TENSOR_SIZES, 8);
  gint64 offset = stria_flat_i64 (tensor, TENSOR_OFFSET, 0);

  if (!stria_flat_is (tensor))
    return;
  if (type >= 0 && (gsize) type < G_N_ELEMENTS (scalar_types) && scalar_types[type] != NULL)
    g_string_append (text, scalar_types[type]);
  else
    g_string_append_printf (text, "scalar type %d", type);
  g_string_append (text, " [");
  for (guint32 i = 0; i < MIN (sizes.n, MAX_SIZES); i++)
    g_string_append_printf (text, "%s%" PRId64, i > 0 ? ", " : "", stria_flat_at_i64 (sizes, i));
  /* The offset is into the debug buffer, a file of its own. */
  g_string_append_printf (text, "%s] @%" PRId64, sizes.n > MAX_SIZES ? ", …" : "", offset);
}

static void
append_list (GString *text, StriaFlatTable list)
{
  StriaFlatVector tensors = stria_flat_vector (list, TENSOR_LIST_TENSORS, 4);

  for (guint32 i = 0; i < MIN (tensors.n, MAX_TENSORS); i++)
    {
      g_string_append (text, i > 0 ? "; " : "");
      append_tensor (text, stria_flat_at_table (tensors, i));
    }
  if (tensors.n > MAX_TENSORS)
    g_string_append (text, "; …");
}

static void
append_double (GString *text, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, g_ascii_dtostr (number, sizeof number, value));
}

static void
append_float (GString *text, StriaFlatTable table)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  double value = (double) stria_flat_f32 (table, 0, 0);
  static const char *const formats[] = { "%.6g", "%.7g", "%.8g" };

  /* The shortest text that is read as the same float; nine digits always are. */
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if ((float) g_ascii_strtod (g_ascii_formatd (number, sizeof number, formats[i], value), NULL)
        == (float) value)
      {
        g_string_append (text, number);
        return;
      }
  g_string_append (text, g_ascii_formatd (number, sizeof number, "%.9g", value));
}

static void
append_bool (GString *text, StriaFlatTable table)
{
  g_string_append (text, stria_flat_u8 (table, 0, 0) != 0 ? "true" : "false");
}

void
stria_etdump_read_value (StriaFacts *facts, StriaFlatTable value, StriaDumpDebugRow *row)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gint8 type = stria_flat_i8 (value, VALUE_VAL, VALUE_TYPE_NULL);
  StriaFlatTable output;

  if (!stria_flat_is (value))
    return;
  switch (type)
    {
    case VALUE_TYPE_INT:
      g_string_append_printf (text, "%" PRId64,
                              stria_flat_i64 (stria_flat_table (value, VALUE_INT_VALUE), 0, 0));
      break;
    case VALUE_TYPE_BOOL:
      append_bool (text, stria_flat_table (value, VALUE_BOOL_VALUE));
      break;
    case VALUE_TYPE_FLOAT:
      append_float (text, stria_flat_table (value, VALUE_FLOAT_VALUE));
      break;
    case VALUE_TYPE_DOUBLE:
      append_double (text, stria_flat_f64 (stria_flat_table (value, VALUE_DOUBLE_VALUE), 0, 0));
      break;
    case VALUE_TYPE_TENSOR:
      append_tensor (text, stria_flat_table (value, VALUE_TENSOR));
      break;
    case VALUE_TYPE_TENSOR_LIST:
      append_list (text, stria_flat_table (value, VALUE_TENSOR_LIST));
      break;
    default: /* Value has no field for a string [CODE] */
      break;
    }
  output = stria_flat_table (value, VALUE_OUTPUT);
  row->is_output = stria_flat_is (output) && stria_flat_u8 (output, 0, 0) != 0;
  row->value = stria_facts_intern (facts, text->str, (gssize) text->len);
  row->type = type >= 0 && (gsize) type < G_N_ELEMENTS (value_types)
                  ? stria_facts_intern (facts, value_types[type], -1)
                  : stria_facts_intern_printf (facts, "%d", type);
}
