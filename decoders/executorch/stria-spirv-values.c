/* SPDX-License-Identifier: Apache-2.0 */
/* What the constants and types of a SPIR-V module say, as text (spec 4.3). Constants may name each
 * other in circles or as trees without end, so each answer has a budget of parts to look at. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-spirv.h"

#define MAX_DEPTH  8
#define MAX_VISITS 512

/* Encodings of OpTypeFloat that are not IEEE 754 [DOC: SPV_KHR_bfloat16, SPV_EXT_float8] */
#define ENCODING_BFLOAT16  0
#define ENCODING_FLOAT8E4M3 4214
#define ENCODING_FLOAT8E5M2 4215

typedef struct
{
  const StriaSpirv *spirv;
  GString          *out;
  guint             visits;
  guint             values;
  guint             most; /* values */
  gboolean          known;
} Printer;

static double
narrow_float (guint32 bits, guint exponent_bits, guint mantissa_bits, gboolean infinite)
{
  guint  exponent = (bits >> mantissa_bits) & ((1u << exponent_bits) - 1);
  guint  mantissa = bits & ((1u << mantissa_bits) - 1);
  int    bias = (1 << (exponent_bits - 1)) - 1;
  double sign = (bits >> (exponent_bits + mantissa_bits)) & 1 ? -1.0 : 1.0;
  double part = mantissa / (double) (1u << mantissa_bits);

  if (infinite && exponent == (1u << exponent_bits) - 1)
    return mantissa == 0 ? sign * INFINITY : NAN;
  /* 8-bit floats with 4 bits of exponent have no infinity and one pattern that is no number. */
  if (!infinite && (bits & 0x7f) == 0x7f)
    return NAN;
  return exponent == 0 ? sign * ldexp (part, 1 - bias)
                       : sign * ldexp (1.0 + part, (int) exponent - bias);
}

static gboolean
float_of (const StriaSpirv *self, const StriaSpirvInst *type, guint32 low, guint32 high,
          double *value)
{
  guint    width = stria_spirv_operand (self, type, 1);
  gboolean has_encoding = type->n > 3;
  guint32  encoding = stria_spirv_operand (self, type, 2);
  guint64  bits = (guint64) high << 32 | low;

  if (has_encoding && encoding == ENCODING_FLOAT8E4M3 && width == 8)
    *value = narrow_float (low & 0xff, 4, 3, FALSE);
  else if (has_encoding && encoding == ENCODING_FLOAT8E5M2 && width == 8)
    *value = narrow_float (low & 0xff, 5, 2, TRUE);
  else if (has_encoding && encoding == ENCODING_BFLOAT16 && width == 16)
    *value = narrow_float (low & 0xffff, 8, 7, TRUE);
  else if (has_encoding)
    return FALSE;
  else if (width == 16)
    *value = narrow_float (low & 0xffff, 5, 10, TRUE);
  else if (width == 32)
    {
      float single;
      memcpy (&single, &low, 4);
      *value = (double) single;
    }
  else if (width == 64)
    memcpy (value, &bits, 8);
  else
    return FALSE;
  return TRUE;
}

/* Numbers are written two's complement whatever the type's sign bit says: TOSA's integers have none
 * in the type, and a clamp of int8 from -12 is written so [RUN]. */
static gboolean
integer_of (const StriaSpirv *self, const StriaSpirvInst *type, guint32 low, guint32 high,
            gint64 *value)
{
  guint   width = stria_spirv_operand (self, type, 1);
  guint64 bits = width > 32 ? (guint64) high << 32 | low : low;

  if (width == 0 || width > 64)
    return FALSE;
  *value = (gint64) (bits << (64 - width)) >> (64 - width);
  return TRUE;
}

static void
print_float (double value, gboolean single, GString *out)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint digits = single ? 6 : 15; digits <= 17; digits++)
    {
      char format[8];

      g_snprintf (format, sizeof format, "%%.%ug", digits);
      g_ascii_formatd (buffer, sizeof buffer, format, value);
      double again = g_ascii_strtod (buffer, NULL);
      if (again == value || isnan (value) || (single && (float) again == (float) value))
        break;
    }
  g_string_append (out, buffer);
}

static void
unknown (Printer *p)
{
  p->known = FALSE;
  g_string_append_c (p->out, '?');
}

static void
print_scalar (Printer *p, guint32 type_id, guint32 low, guint32 high)
{
  StriaSpirvInst type;
  gint64         integer;
  double         real;

  if (stria_spirv_find (p->spirv, type_id, &type))
    switch (type.op)
      {
      case STRIA_SPIRV_TYPE_BOOL:
        g_string_append (p->out, low != 0 ? "true" : "false");
        return;
      case STRIA_SPIRV_TYPE_INT:
        if (!integer_of (p->spirv, &type, low, high, &integer))
          break;
        g_string_append_printf (p->out, "%" G_GINT64_FORMAT, integer);
        return;
      case STRIA_SPIRV_TYPE_FLOAT:
        if (!float_of (p->spirv, &type, low, high, &real))
          break;
        print_float (real, stria_spirv_operand (p->spirv, &type, 1) <= 32, p->out);
        return;
      default:
        break;
      }
  unknown (p);
}

/* Type of the elements of an array, vector or tensor; how many, or -1. */
static guint32
element_type (const StriaSpirv *self, guint32 type_id, gint64 *n)
{
  StriaSpirvInst type, sizes;
  gint64         size;

  *n = -1;
  if (!stria_spirv_find (self, type_id, &type))
    return 0;
  switch (type.op)
    {
    case STRIA_SPIRV_TYPE_VECTOR:
      *n = stria_spirv_operand (self, &type, 2);
      return stria_spirv_operand (self, &type, 1);
    case STRIA_SPIRV_TYPE_ARRAY:
      if (stria_spirv_integer (self, stria_spirv_operand (self, &type, 2), &size) && size >= 0)
        *n = size;
      return stria_spirv_operand (self, &type, 1);
    case STRIA_SPIRV_TYPE_TENSOR_ARM:
      /* Only rank 1: constants of tensors are lists. */
      if (stria_spirv_find (self, stria_spirv_operand (self, &type, 3), &sizes)
          && (sizes.op == STRIA_SPIRV_CONSTANT_COMPOSITE
              || sizes.op == STRIA_SPIRV_CONSTANT_REPLICATE)
          && sizes.n == 4
          && stria_spirv_integer (self, stria_spirv_operand (self, &sizes, 2), &size) && size >= 0)
        *n = size;
      return stria_spirv_operand (self, &type, 1);
    default:
      return 0;
    }
}

static void print_value (Printer *p, guint32 id, guint depth);
static void print_null  (Printer *p, guint32 type_id, guint depth);

/* The same part @n times: a constant, or nothing of a type. */
static void
print_repeated (Printer *p, guint32 part, guint32 null_type, gint64 n, guint depth)
{
  g_string_append_c (p->out, '[');
  if (n < 0)
    unknown (p);
  for (gint64 i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append (p->out, ", ");
      if (p->values >= p->most || p->visits >= MAX_VISITS)
        {
          g_string_append (p->out, "…");
          break;
        }
      if (null_type != 0)
        print_null (p, null_type, depth + 1);
      else
        print_value (p, part, depth + 1);
    }
  g_string_append_c (p->out, ']');
}

static void
print_null (Printer *p, guint32 type_id, guint depth)
{
  gint64  n;
  guint32 element = element_type (p->spirv, type_id, &n);

  p->visits++;
  if (depth > MAX_DEPTH)
    unknown (p);
  else if (element != 0)
    print_repeated (p, 0, element, n, depth);
  else
    {
      p->values++;
      print_scalar (p, type_id, 0, 0);
    }
}

static void
print_parts (Printer *p, const StriaSpirvInst *inst, guint depth)
{
  g_string_append_c (p->out, '[');
  for (guint i = 2; i + 1 < inst->n; i++)
    {
      if (i > 2)
        g_string_append (p->out, ", ");
      if (p->values >= p->most || p->visits >= MAX_VISITS)
        {
          g_string_append (p->out, "…");
          break;
        }
      print_value (p, stria_spirv_operand (p->spirv, inst, i), depth + 1);
    }
  g_string_append_c (p->out, ']');
}

static void
print_value (Printer *p, guint32 id, guint depth)
{
  StriaSpirvInst inst;
  guint32        type;
  gint64         n;

  p->visits++;
  if (depth > MAX_DEPTH || !stria_spirv_find (p->spirv, id, &inst))
    {
      unknown (p);
      return;
    }
  type = stria_spirv_operand (p->spirv, &inst, 0);
  switch (inst.op)
    {
    case STRIA_SPIRV_CONSTANT_TRUE:
    case STRIA_SPIRV_SPEC_CONSTANT_TRUE:
      g_string_append (p->out, "true");
      p->values++;
      break;
    case STRIA_SPIRV_CONSTANT_FALSE:
    case STRIA_SPIRV_SPEC_CONSTANT_FALSE:
      g_string_append (p->out, "false");
      p->values++;
      break;
    case STRIA_SPIRV_CONSTANT:
    case STRIA_SPIRV_SPEC_CONSTANT:
      print_scalar (p, type, stria_spirv_operand (p->spirv, &inst, 2),
                    stria_spirv_operand (p->spirv, &inst, 3));
      p->values++;
      break;
    case STRIA_SPIRV_CONSTANT_NULL:
      print_null (p, type, depth);
      break;
    case STRIA_SPIRV_CONSTANT_COMPOSITE:
    case STRIA_SPIRV_SPEC_CONSTANT_COMPOSITE:
      print_parts (p, &inst, depth);
      break;
    case STRIA_SPIRV_CONSTANT_REPLICATE:
    case STRIA_SPIRV_SPEC_CONSTANT_REPLICATE:
      element_type (p->spirv, type, &n);
      print_repeated (p, stria_spirv_operand (p->spirv, &inst, 2), 0, n, depth);
      break;
    default:
      unknown (p);
      break;
    }
}

gboolean
stria_spirv_value (const StriaSpirv *self, guint32 id, GString *out)
{
  Printer p = { .spirv = self, .out = out, .most = STRIA_SPIRV_MAX_VALUES, .known = TRUE };

  print_value (&p, id, 0);
  return p.known;
}

gboolean
stria_spirv_is_constant (const StriaSpirv *self, guint32 id)
{
  StriaSpirvInst inst;

  if (!stria_spirv_find (self, id, &inst))
    return FALSE;
  return (inst.op >= STRIA_SPIRV_CONSTANT_TRUE && inst.op <= STRIA_SPIRV_SPEC_CONSTANT_OP)
         || inst.op == STRIA_SPIRV_CONSTANT_REPLICATE
         || inst.op == STRIA_SPIRV_SPEC_CONSTANT_REPLICATE;
}

gboolean
stria_spirv_integer (const StriaSpirv *self, guint32 id, gint64 *value)
{
  StriaSpirvInst inst, type;
  guint32        low = 0;
  guint32        high = 0;

  if (!stria_spirv_find (self, id, &inst)
      || (inst.op != STRIA_SPIRV_CONSTANT && inst.op != STRIA_SPIRV_SPEC_CONSTANT
          && inst.op != STRIA_SPIRV_CONSTANT_NULL)
      || !stria_spirv_find (self, stria_spirv_operand (self, &inst, 0), &type)
      || type.op != STRIA_SPIRV_TYPE_INT)
    return FALSE;
  if (inst.op != STRIA_SPIRV_CONSTANT_NULL)
    {
      low = stria_spirv_operand (self, &inst, 2);
      high = stria_spirv_operand (self, &inst, 3);
    }
  return integer_of (self, &type, low, high, value);
}

static gboolean
print_element (const StriaSpirv *self, const StriaSpirvInst *type, GString *out)
{
  guint   width = stria_spirv_operand (self, type, 1);
  guint32 encoding = stria_spirv_operand (self, type, 2);

  switch (type->op)
    {
    case STRIA_SPIRV_TYPE_BOOL:
      g_string_append (out, "bool");
      return TRUE;
    case STRIA_SPIRV_TYPE_INT:
      g_string_append_printf (out, "int%u", width);
      return TRUE;
    case STRIA_SPIRV_TYPE_FLOAT:
      if (type->n <= 3)
        g_string_append_printf (out, "float%u", width);
      else if (encoding == ENCODING_BFLOAT16 && width == 16)
        g_string_append (out, "bfloat16");
      else if (encoding == ENCODING_FLOAT8E4M3 && width == 8)
        g_string_append (out, "float8e4m3");
      else if (encoding == ENCODING_FLOAT8E5M2 && width == 8)
        g_string_append (out, "float8e5m2");
      else
        g_string_append_printf (out, "float%u (%u)", width, encoding);
      return TRUE;
    default:
      g_string_append_c (out, '?');
      return FALSE;
    }
}

/* Sizes are printed like any constant list and rewritten from "[1, 2]" to "1×2". */
static void
print_sizes (const StriaSpirv *self, const StriaSpirvInst *tensor, GString *out)
{
  guint32              shape = stria_spirv_operand (self, tensor, 3);
  g_autoptr (GString)  list = g_string_new (NULL);
  StriaSpirvInst       inst;
  gint64               rank;

  if (shape != 0 && stria_spirv_find (self, shape, &inst))
    {
      Printer p = { .spirv = self, .out = list, .most = STRIA_SPIRV_MAX_SIZES };

      print_value (&p, shape, 0);
      if (list->len > 1 && list->str[0] == '[')
        {
          g_string_erase (list, 0, 1);
          g_string_truncate (list, list->len - 1);
        }
      g_string_replace (list, ", ", "×", 0);
      g_string_append (out, list->str);
      return;
    }
  if (!stria_spirv_integer (self, stria_spirv_operand (self, tensor, 2), &rank) || rank <= 0
      || rank > STRIA_SPIRV_MAX_SIZES)
    {
      g_string_append (out, "?…");
      return;
    }
  for (gint64 i = 0; i < rank; i++)
    g_string_append (out, i > 0 ? "×?" : "?");
}

gboolean
stria_spirv_type (const StriaSpirv *self, guint32 type_id, GString *out)
{
  StriaSpirvInst type, element;
  gint64         n;

  if (!stria_spirv_find (self, type_id, &type))
    {
      g_string_append_c (out, '?');
      return FALSE;
    }
  switch (type.op)
    {
    case STRIA_SPIRV_TYPE_TENSOR_ARM:
      print_sizes (self, &type, out);
      break;
    case STRIA_SPIRV_TYPE_ARRAY:
    case STRIA_SPIRV_TYPE_VECTOR:
      element_type (self, type_id, &n);
      if (n >= 0)
        g_string_append_printf (out, "%" G_GINT64_FORMAT, n);
      else
        g_string_append_c (out, '?');
      break;
    default:
      return print_element (self, &type, out);
    }
  g_string_append_c (out, ' ');
  if (!stria_spirv_find (self, stria_spirv_operand (self, &type, 1), &element))
    {
      g_string_append_c (out, '?');
      return FALSE;
    }
  return print_element (self, &element, out);
}
