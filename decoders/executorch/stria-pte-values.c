/* SPDX-License-Identifier: Apache-2.0 */
/* What the values of a plan are, as attributes of the ports that carry them. */
#include "config.h"

#include "stria-pte-private.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#define LIST_MOST 4096 /* elements that a text shows */
#define DIMENSIONS_MOST 16

/* Fields of Tensor. [CODE+RUN: ET schema/program.fbs] */
enum
{
  TENSOR_SCALAR_TYPE = 0,
  TENSOR_STORAGE_OFFSET = 1,
  TENSOR_SIZES = 2,
  TENSOR_DIM_ORDER = 3,
  TENSOR_REQUIRES_GRAD = 4,
  TENSOR_DATA_BUFFER_IDX = 5,
  TENSOR_ALLOCATION_INFO = 6,
  TENSOR_LAYOUT = 7,
  TENSOR_SHAPE_DYNAMISM = 8,
  TENSOR_EXTRA_TENSOR_INFO = 9,
};

enum
{
  DYNAMISM_STATIC,
  DYNAMISM_BOUND,
  DYNAMISM_UNBOUND,
};

#define LOCATION_EXTERNAL 1

/* [CODE: ET schema/scalar_type.fbs] Its numbers are c10's; those without a name there are not. */
static const struct
{
  const char *name;
  guint8 bytes; /* 0: less than one, or not known */
} scalar_types[] = {
  [0] = { "uint8", 1 },
  [1] = { "int8", 1 },
  [2] = { "int16", 2 },
  [3] = { "int32", 4 },
  [4] = { "int64", 8 },
  [5] = { "float16", 2 },
  [6] = { "float32", 4 },
  [7] = { "float64", 8 },
  [8] = { "complex32", 4 },
  [9] = { "complex64", 8 },
  [10] = { "complex128", 16 },
  [11] = { "bool", 1 },
  [12] = { "qint8", 1 },
  [13] = { "quint8", 1 },
  [14] = { "qint32", 4 },
  [15] = { "bfloat16", 2 },
  [16] = { "quint4x2", 0 },
  [17] = { "quint2x4", 0 },
};

static const char *const type_titles[] = {
  [STRIA_PTE_NULL] = "null",
  [STRIA_PTE_INT] = "int",
  [STRIA_PTE_BOOL] = "bool",
  [STRIA_PTE_DOUBLE] = "double",
  [STRIA_PTE_TENSOR] = "tensor",
  [STRIA_PTE_STRING] = "string",
  [STRIA_PTE_INT_LIST] = "int list",
  [STRIA_PTE_DOUBLE_LIST] = "double list",
  [STRIA_PTE_BOOL_LIST] = "bool list",
  [STRIA_PTE_TENSOR_LIST] = "tensor list",
  [STRIA_PTE_OPTIONAL_TENSOR_LIST] = "optional tensor list",
};

/* -- texts ------------------------------------------------------------------------------------ */

/* The fewest digits that read as the same number, laid out as Python's repr() does: attributes are
 * the text that Python's tools show. [CODE+RUN: PTEA; its expected graphs] */
static void
append_double (GString *text, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  char format[] = "%.00e";
  char digits[32];
  int n = 0, exponent;
  char *e;

  if (!isfinite (value))
    {
      g_string_append (text, isnan (value) ? "nan" : value > 0 ? "inf" : "-inf");
      return;
    }
  for (int precision = 0; precision <= 16; precision++)
    {
      format[2] = (char) ('0' + precision / 10);
      format[3] = (char) ('0' + precision % 10);
      g_ascii_formatd (buffer, sizeof buffer, format, value);
      if (g_ascii_strtod (buffer, NULL) == value)
        break;
    }
  e = strchr (buffer, 'e');
  exponent = (int) g_ascii_strtoll (e + 1, NULL, 10);
  for (const char *p = buffer; p < e; p++)
    if (g_ascii_isdigit (*p))
      digits[n++] = *p;
  digits[n] = '\0';

  if (buffer[0] == '-')
    g_string_append_c (text, '-');
  if (exponent < -4 || exponent >= 16)
    {
      g_string_append_c (text, digits[0]);
      if (n > 1)
        g_string_append_printf (text, ".%s", digits + 1);
      g_string_append_printf (text, "e%c%02d", exponent < 0 ? '-' : '+', ABS (exponent));
    }
  else if (exponent < 0)
    {
      g_string_append (text, "0.");
      for (int i = -1; i > exponent; i--)
        g_string_append_c (text, '0');
      g_string_append (text, digits);
    }
  else
    {
      for (int i = 0; i <= MAX (exponent, n - 1); i++)
        {
          if (i == exponent + 1)
            g_string_append_c (text, '.');
          g_string_append_c (text, i < n ? digits[i] : '0');
        }
      if (exponent >= n - 1)
        g_string_append (text, ".0");
    }
}

static void
append_element (GString *text, StriaFlatVector vector, guint32 i, StriaPteType type)
{
  switch (type)
    {
    case STRIA_PTE_INT_LIST:
      g_string_append_printf (text, "%" PRId64, stria_flat_at_i64 (vector, i));
      break;
    case STRIA_PTE_DOUBLE_LIST:
      append_double (text, stria_flat_at_f64 (vector, i));
      break;
    case STRIA_PTE_BOOL_LIST:
      g_string_append (text, stria_flat_at_u8 (vector, i) != 0 ? "True" : "False");
      break;
    case STRIA_PTE_STRING: /* bytes */
      g_string_append_printf (text, "%u", stria_flat_at_u8 (vector, i));
      break;
    case STRIA_PTE_NONE:
    case STRIA_PTE_NULL:
    case STRIA_PTE_INT:
    case STRIA_PTE_BOOL:
    case STRIA_PTE_DOUBLE:
    case STRIA_PTE_TENSOR:
    case STRIA_PTE_TENSOR_LIST:
    case STRIA_PTE_OPTIONAL_TENSOR_LIST:
      g_string_append_printf (text, "%d", stria_flat_at_i32 (vector, i));
      break;
    }
}

static char *
list_text (StriaFlatVector vector, StriaPteType type)
{
  GString *text = g_string_new ("[");

  for (guint32 i = 0; i < MIN (vector.n, LIST_MOST); i++)
    {
      if (i > 0)
        g_string_append (text, ", ");
      append_element (text, vector, i, type);
    }
  if (vector.n > LIST_MOST)
    g_string_append_printf (text, ", … (%u)", vector.n);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

/**
 * stria_pte_list_i32:
 * @vector: of int32
 *
 * Returns: (transfer full): its elements as "[1, 2]"; long ones are cut
 */
char *
stria_pte_list_i32 (StriaFlatVector vector)
{
  return list_text (vector, STRIA_PTE_TENSOR_LIST);
}

static char *
scalar_name (int type)
{
  if (type >= 0 && (gsize) type < G_N_ELEMENTS (scalar_types))
    return g_strdup (scalar_types[type].name);
  return g_strdup_printf ("type %d", type);
}

static char *
tensor_title (StriaFlatTable tensor)
{
  StriaFlatVector sizes = stria_flat_vector (tensor, TENSOR_SIZES, 4);
  int dynamism = stria_flat_i8 (tensor, TENSOR_SHAPE_DYNAMISM, DYNAMISM_STATIC);
  g_autofree char *name = scalar_name (stria_flat_i8 (tensor, TENSOR_SCALAR_TYPE, 0));
  GString *text = g_string_new (NULL);

  /* Sizes of an unbound shape can be ignored; those of a bound one are its most. [CODE: ET
   * schema/program.fbs] */
  if (dynamism == DYNAMISM_UNBOUND)
    g_string_append (text, "? ");
  else
    {
      if (dynamism == DYNAMISM_BOUND && sizes.n > 0)
        g_string_append (text, "≤");
      for (guint32 i = 0; i < MIN (sizes.n, DIMENSIONS_MOST); i++)
        g_string_append_printf (text, i > 0 ? "×%d" : "%d", stria_flat_at_i32 (sizes, i));
      if (sizes.n > DIMENSIONS_MOST)
        g_string_append (text, "×…");
      if (text->len > 0)
        g_string_append_c (text, ' ');
    }
  g_string_append (text, name);
  return g_string_free (text, FALSE);
}

/* FALSE if it cannot be told. */
static gboolean
tensor_bytes (StriaFlatTable tensor, guint64 *bytes)
{
  StriaFlatVector sizes = stria_flat_vector (tensor, TENSOR_SIZES, 4);
  int type = stria_flat_i8 (tensor, TENSOR_SCALAR_TYPE, 0);

  if (type < 0 || (gsize) type >= G_N_ELEMENTS (scalar_types) || scalar_types[type].bytes == 0
      || stria_flat_i8 (tensor, TENSOR_SHAPE_DYNAMISM, DYNAMISM_STATIC) == DYNAMISM_UNBOUND)
    return FALSE;
  *bytes = scalar_types[type].bytes;
  for (guint32 i = 0; i < sizes.n; i++)
    {
      gint32 size = stria_flat_at_i32 (sizes, i);

      if (size < 0 || __builtin_mul_overflow (*bytes, (guint64) size, bytes))
        return FALSE;
    }
  return TRUE;
}

/* -- attributes ------------------------------------------------------------------------------- */

static void
list_attr (StriaGraphBuilder *builder, const char *key, StriaFlatVector vector, StriaPteType type)
{
  g_autofree char *text = list_text (vector, type);
  stria_graph_builder_attr (builder, key, text);
}

static void
string_attr (StriaGraphBuilder *builder, const char *key, StriaPte *pte, StriaFlatTable table,
             guint field)
{
  guint32 text = stria_pte_intern (pte, table, field);
  stria_graph_builder_attr (builder, key, stria_facts_text (pte->facts, text));
}

/* Names and texts as PTEA shows them. [CODE+RUN] */
static void
tensor_attrs (StriaGraphBuilder *builder, StriaFlatTable tensor)
{
  StriaFlatTable allocation = stria_flat_table (tensor, TENSOR_ALLOCATION_INFO);
  StriaFlatTable extra = stria_flat_table (tensor, TENSOR_EXTRA_TENSOR_INFO);

  stria_graph_builder_attr_printf (builder, "scalarType", "%d",
                                   stria_flat_i8 (tensor, TENSOR_SCALAR_TYPE, 0));
  stria_graph_builder_attr_printf (builder, "storageOffset", "%d",
                                   stria_flat_i32 (tensor, TENSOR_STORAGE_OFFSET, 0));
  list_attr (builder, "sizes", stria_flat_vector (tensor, TENSOR_SIZES, 4), STRIA_PTE_TENSOR_LIST);
  list_attr (builder, "dimOrder", stria_flat_vector (tensor, TENSOR_DIM_ORDER, 1),
             STRIA_PTE_STRING);
  stria_graph_builder_attr (builder, "requiresGrad",
                            stria_flat_u8 (tensor, TENSOR_REQUIRES_GRAD, 0) != 0 ? "True"
                                                                                 : "False");
  stria_graph_builder_attr_printf (builder, "dataBufferIdx", "%u",
                                   stria_flat_u32 (tensor, TENSOR_DATA_BUFFER_IDX, 0));
  stria_graph_builder_attr (builder, "allocationInfo",
                            stria_flat_is (allocation) ? "AllocationDetailsT" : "None");
  stria_graph_builder_attr_printf (builder, "layout", "%d",
                                   stria_flat_i8 (tensor, TENSOR_LAYOUT, 0));
  stria_graph_builder_attr_printf (builder, "shapeDynamism", "%d",
                                   stria_flat_i8 (tensor, TENSOR_SHAPE_DYNAMISM, 0));
  stria_graph_builder_attr (builder, "extraTensorInfo",
                            stria_flat_is (extra) ? "ExtraTensorInfoT" : "None");
}

static void
constant_attrs (StriaPte *pte, StriaGraphBuilder *builder, guint32 number)
{
  guint64 offset, size;

  if (number >= pte->constants.n)
    return;
  stria_graph_builder_attr_printf (builder, "constantSegment", "%u", pte->constant_segment);
  if (stria_pte_segment (pte, pte->constant_segment, &offset, &size))
    stria_graph_builder_attr_printf (builder, "constantOffset", "%" PRIu64,
                                     offset + stria_flat_at_u64 (pte->constants, number));
}

/* What the numbers above mean, under names of our own. */
static void
more_tensor_attrs (StriaPte *pte, StriaGraphBuilder *builder, StriaFlatTable tensor)
{
  static const char *const dynamisms[] = { "static", "bound", "unbound" };
  StriaFlatTable allocation = stria_flat_table (tensor, TENSOR_ALLOCATION_INFO);
  StriaFlatTable extra = stria_flat_table (tensor, TENSOR_EXTRA_TENSOR_INFO);
  g_autofree char *name = scalar_name (stria_flat_i8 (tensor, TENSOR_SCALAR_TYPE, 0));
  int dynamism = stria_flat_i8 (tensor, TENSOR_SHAPE_DYNAMISM, 0);
  guint32 buffer = stria_flat_u32 (tensor, TENSOR_DATA_BUFFER_IDX, 0);
  guint64 bytes;

  stria_graph_builder_attr (builder, "elementType", name);
  if (tensor_bytes (tensor, &bytes))
    stria_graph_builder_attr_printf (builder, "bytes", "%" PRIu64, bytes);
  if (dynamism >= 0 && (gsize) dynamism < G_N_ELEMENTS (dynamisms))
    stria_graph_builder_attr (builder, "dynamism", dynamisms[dynamism]);
  if (stria_flat_is (allocation))
    {
      guint64 low = stria_flat_u32 (allocation, 1, 0);
      guint64 high = stria_flat_u32 (allocation, 2, 0);

      stria_graph_builder_attr_printf (builder, "memoryId", "%u",
                                       stria_flat_u32 (allocation, 0, 0));
      stria_graph_builder_attr_printf (builder, "memoryOffset", "%" PRIu64, high << 32 | low);
    }
  else if (buffer > 0)
    constant_attrs (pte, builder, buffer);
  if (stria_flat_is (extra))
    {
      int device = stria_flat_i8 (extra, 3, 0);

      if (stria_flat_has (extra, 1))
        string_attr (builder, "fullyQualifiedName", pte, extra, 1);
      stria_graph_builder_attr_printf (builder, "mutableDataSegmentsIdx", "%" PRIu64,
                                       stria_flat_u64 (extra, 0, 0));
      stria_graph_builder_attr (
          builder, "location",
          stria_flat_i8 (extra, 2, 0) == LOCATION_EXTERNAL ? "external" : "segment");
      if (device == 0 || device == 1)
        stria_graph_builder_attr_printf (builder, "device", "%s:%d", device == 0 ? "CPU" : "CUDA",
                                         stria_flat_i8 (extra, 4, 0));
      else
        stria_graph_builder_attr_printf (builder, "deviceType", "%d", device);
    }
}

static void
value_attrs (StriaPte *pte, StriaGraphBuilder *builder, StriaPteType type, StriaFlatTable val)
{
  GString *text;

  switch (type)
    {
    case STRIA_PTE_INT:
      stria_graph_builder_attr_printf (builder, "intVal", "%" PRId64, stria_flat_i64 (val, 0, 0));
      break;
    case STRIA_PTE_BOOL:
      stria_graph_builder_attr (builder, "boolVal",
                                stria_flat_u8 (val, 0, 0) != 0 ? "True" : "False");
      break;
    case STRIA_PTE_DOUBLE:
      text = g_string_new (NULL);
      append_double (text, stria_flat_f64 (val, 0, 0));
      stria_graph_builder_attr (builder, "doubleVal", text->str);
      g_string_free (text, TRUE);
      break;
    case STRIA_PTE_STRING:
      string_attr (builder, "stringVal", pte, val, 0);
      break;
    case STRIA_PTE_TENSOR:
      tensor_attrs (builder, val);
      break;
    case STRIA_PTE_INT_LIST:
    case STRIA_PTE_DOUBLE_LIST:
      list_attr (builder, "items", stria_flat_vector (val, 0, 8), type);
      break;
    case STRIA_PTE_BOOL_LIST:
      list_attr (builder, "items", stria_flat_vector (val, 0, 1), type);
      break;
    case STRIA_PTE_TENSOR_LIST:
    case STRIA_PTE_OPTIONAL_TENSOR_LIST:
      list_attr (builder, "items", stria_flat_vector (val, 0, 4), type);
      break;
    case STRIA_PTE_NONE:
    case STRIA_PTE_NULL:
      break;
    }
}

/* -- values ----------------------------------------------------------------------------------- */

void
stria_pte_values_init (StriaPteValues *self, StriaPte *pte, StriaFlatTable plan)
{
  self->pte = pte;
  self->vector = stria_flat_vector (plan, PLAN_VALUES, 4);
  if (stria_pte_settle (pte, "program-value", stria_flat_offset (plan)))
    self->vector.n = 0;
  self->values = g_new0 (StriaPteValue, MAX (self->vector.n, 1));
}

void
stria_pte_values_clear (StriaPteValues *self)
{
  g_clear_pointer (&self->values, g_free);
}

static StriaFlatTable
value_table (StriaPteValues *self, gint64 index, guint8 *type)
{
  StriaFlatTable evalue = stria_flat_at_table (self->vector, (guint32) index);

  *type = stria_flat_u8 (evalue, 0, STRIA_PTE_NONE);
  return stria_flat_table (evalue, 1);
}

static void
read_tensor (StriaPte *pte, StriaFlatTable tensor, StriaPteValue *value)
{
  StriaFlatTable extra = stria_flat_table (tensor, TENSOR_EXTRA_TENSOR_INFO);
  StriaFlatTable allocation = stria_flat_table (tensor, TENSOR_ALLOCATION_INFO);
  guint64 high = stria_flat_u32 (allocation, 2, 0);

  value->name = stria_pte_intern (pte, extra, 1);
  /* What a name or a place outside the program is given is no result of an instruction; the rest is
   * PTEA's rule. [PROPOSAL; CODE+RUN: PTEA] */
  value->is_fixed = stria_flat_u32 (tensor, TENSOR_DATA_BUFFER_IDX, 0) > 0 || value->name != 0
                    || stria_flat_i8 (extra, 2, 0) == LOCATION_EXTERNAL;
  value->element = stria_flat_i8 (tensor, TENSOR_SCALAR_TYPE, 0);
  value->memory = stria_flat_u32 (allocation, 0, 0);
  value->offset = high << 32 | stria_flat_u32 (allocation, 1, 0);
  value->has_place = stria_flat_is (allocation) && tensor_bytes (tensor, &value->bytes)
                     && value->bytes > 0;
}

static void
read_value (StriaPteValues *self, gint64 index, StriaPteValue *value)
{
  StriaPte *pte = self->pte;
  StriaFlatTable val = value_table (self, index, &value->type);
  g_autofree char *title = NULL;

  value->is_known = TRUE;
  value->port = STRIA_NO_REF;
  value->producer = STRIA_NO_NODE;
  value->producer_port = STRIA_NO_REF;
  value->view_of = -1;
  if (value->type == STRIA_PTE_TENSOR)
    {
      title = tensor_title (val);
      read_tensor (pte, val, value);
    }
  else if (value->type < G_N_ELEMENTS (type_titles) && type_titles[value->type] != NULL)
    title = g_strdup (type_titles[value->type]);
  if (stria_pte_settle (pte, "program-value", stria_flat_offset (val)))
    {
      value->type = STRIA_PTE_NONE;
      value->is_fixed = TRUE;
      value->has_place = FALSE;
      return;
    }
  if (title == NULL)
    {
      stria_pte_warn (pte, "program-value", stria_flat_offset (val),
                      _ ("Value %" PRId64 " is of type %u, which is not known"), index,
                      value->type);
      title = g_strdup_printf ("type %u", value->type);
    }
  value->text = stria_facts_intern (pte->facts, title, -1);
}

StriaPteValue *
stria_pte_values_get (StriaPteValues *self, gint64 index)
{
  StriaPteValue *value;

  if (index < 0 || index >= self->vector.n)
    return NULL;
  value = &self->values[index];
  if (!value->is_known)
    read_value (self, index, value);
  return value;
}

StriaFlatVector
stria_pte_values_items (StriaPteValues *self, gint64 index)
{
  const StriaFlatVector none = { 0 };
  const StriaPteValue *value = stria_pte_values_get (self, index);
  guint8 type;

  if (value == NULL
      || (value->type != STRIA_PTE_TENSOR_LIST && value->type != STRIA_PTE_OPTIONAL_TENSOR_LIST))
    return none;
  StriaFlatVector items = stria_flat_vector (value_table (self, index, &type), 0, 4);
  return stria_pte_settle (self->pte, "program-value", 0) ? none : items;
}

guint32
stria_pte_values_port (StriaPteValues *self, StriaGraphBuilder *builder, gint64 index,
                       gboolean is_output)
{
  StriaPte *pte = self->pte;
  StriaPteValue *value = stria_pte_values_get (self, index);
  char id[24];
  guint8 type;

  g_snprintf (id, sizeof id, "%" PRId64, index);
  const char *name = value == NULL || value->name == 0 ? NULL
                                                       : stria_facts_text (pte->facts, value->name);
  const char *text = value == NULL || value->text == 0 ? NULL
                                                       : stria_facts_text (pte->facts, value->text);
  guint32 port = is_output ? stria_graph_builder_output (builder, id, name, text)
                           : stria_graph_builder_input (builder, id, name, text);
  if (value == NULL)
    return port;
  if (value->port != STRIA_NO_REF)
    {
      stria_graph_builder_share_attrs (builder, value->port);
      return port;
    }
  value->port = port;
  stria_graph_builder_attr (builder, "EValue Index", id);
  if (value->type == STRIA_PTE_NONE)
    return port;
  StriaFlatTable val = value_table (self, index, &type);
  value_attrs (pte, builder, type, val);
  stria_graph_builder_attr_printf (builder, "valType", "%u", type);
  if (type == STRIA_PTE_TENSOR)
    more_tensor_attrs (pte, builder, val);
  if (value->view_of >= 0)
    stria_graph_builder_attr_printf (builder, "assumedViewOf", "%d", value->view_of);
  stria_pte_settle (pte, "program-value", stria_flat_offset (val));
  return port;
}
