/* SPDX-License-Identifier: Apache-2.0 */
/* Operators of the extended instruction set TOSA.001000.1 with their operands in order (spec 4.3).
 * Numbers and operands [CODE]; those of CONV2D, DEPTHWISE_CONV2D, RESCALE, CLAMP, ADD, PAD,
 * RESHAPE, TRANSPOSE and AVG_POOL2D also [RUN]. Labels of operators that no sample holds are [PROPOSAL]. */
#include "config.h"

#include "stria-tosa.h"

#define TWO { "input1", "input2" }
#define ONE { "input1" }
#define REDUCE { "@axis", "input" }
#define REDUCE_NAN { "@axis", "@nan_mode", "input" }
#define CONV                                                                                    \
  { "@pad", "@stride", "@dilation", "@acc_type", "@local_bound", "input", "weight", "bias",     \
    "input_zp", "weight_zp" }

static const StriaTosaOperator operators[] = {
  { "ARGMAX", "ArgMax", { "@axis", "@nan_mode", "input" } },
  { "AVG_POOL2D", "AvgPool2D",
    { "@kernel", "@stride", "@pad", "@acc_type", "input", "input_zp", "output_zp" } },
  { "CONV2D", "Conv2D", CONV },
  { "CONV3D", "Conv3D", CONV },
  { "DEPTHWISE_CONV2D", "DepthwiseConv2D", CONV },
  { "FFT2D", "FFT2D", { "@inverse", "@local_bound", "input_real", "input_imag" } },
  { "MATMUL", "MatMul", { "A", "B", "A_zp", "B_zp" } },
  { "MAX_POOL2D", "MaxPool2D", { "@kernel", "@stride", "@pad", "@nan_mode", "input" } },
  { "RFFT2D", "RFFT2D", { "@local_bound", "input_real" } },
  { "TRANSPOSE_CONV2D", "TransposeConv2D",
    { "@out_pad", "@stride", "@acc_type", "@local_bound", "input", "weight", "bias", "input_zp",
      "weight_zp" } },
  { "CLAMP", "Clamp", { "@min_val", "@max_val", "@nan_mode", "input" } },
  { "ERF", "Erf", { "input" } },
  { "SIGMOID", "Sigmoid", { "input" } },
  { "TANH", "Tanh", { "input" } },
  { "ADD", "Add", TWO },
  { "ARITHMETIC_RIGHT_SHIFT", "ArithmeticRightShift", { "@round", "input1", "input2" } },
  { "BITWISE_AND", "BitwiseAnd", TWO },
  { "BITWISE_OR", "BitwiseOr", TWO },
  { "BITWISE_XOR", "BitwiseXor", TWO },
  { "INTDIV", "IntDiv", TWO },
  { "LOGICAL_AND", "LogicalAnd", TWO },
  { "LOGICAL_LEFT_SHIFT", "LogicalLeftShift", TWO },
  { "LOGICAL_RIGHT_SHIFT", "LogicalRightShift", TWO },
  { "LOGICAL_OR", "LogicalOr", TWO },
  { "LOGICAL_XOR", "LogicalXor", TWO },
  { "MAXIMUM", "Maximum", { "@nan_mode", "input1", "input2" } },
  { "MINIMUM", "Minimum", { "@nan_mode", "input1", "input2" } },
  { "MUL", "Mul", { "input1", "input2", "shift" } },
  { "POW", "Pow", TWO },
  { "SUB", "Sub", TWO },
  { "TABLE", "Table", { "input1", "table" } },
  { "ABS", "Abs", ONE },
  { "BITWISE_NOT", "BitwiseNot", ONE },
  { "CEIL", "Ceil", ONE },
  { "CLZ", "Clz", ONE },
  { "COS", "Cos", ONE },
  { "EXP", "Exp", ONE },
  { "FLOOR", "Floor", ONE },
  { "LOG", "Log", ONE },
  { "LOGICAL_NOT", "LogicalNot", ONE },
  { "NEGATE", "Negate", { "input1", "input1_zp", "output_zp" } },
  { "RECIPROCAL", "Reciprocal", ONE },
  { "RSQRT", "Rsqrt", ONE },
  { "SIN", "Sin", ONE },
  { "SELECT", "Select", { "input1", "input2", "input3" } },
  { "EQUAL", "Equal", TWO },
  { "GREATER", "Greater", TWO },
  { "GREATER_EQUAL", "GreaterEqual", TWO },
  { "REDUCE_ALL", "ReduceAll", REDUCE },
  { "REDUCE_ANY", "ReduceAny", REDUCE },
  { "REDUCE_MAX", "ReduceMax", REDUCE_NAN },
  { "REDUCE_MIN", "ReduceMin", REDUCE_NAN },
  { "REDUCE_PRODUCT", "ReduceProduct", REDUCE },
  { "REDUCE_SUM", "ReduceSum", REDUCE },
  { "CONCAT", "Concat", { "@axis", "input1" } },
  { "PAD", "Pad", { "input1", "padding", "pad_const" } },
  { "RESHAPE", "Reshape", { "input1", "shape" } },
  { "REVERSE", "Reverse", { "@axis", "input1" } },
  { "SLICE", "Slice", { "input1", "start", "size" } },
  { "TILE", "Tile", { "input1", "multiples" } },
  { "TRANSPOSE", "Transpose", { "@perms", "input1" } },
  { "GATHER", "Gather", { "values", "indices" } },
  { "SCATTER", "Scatter", { "values_in", "indices", "input" } },
  { "RESIZE", "Resize", { "@mode", "input", "scale", "offset", "border" } },
  { "CAST", "Cast", { "input" } },
  { "RESCALE", "Rescale",
    { "@scale32", "@rounding_mode", "@per_channel", "@input_unsigned", "@output_unsigned", "input",
      "multiplier", "shift", "input_zp", "output_zp" } },
};
G_STATIC_ASSERT (G_N_ELEMENTS (operators) == 66);

/* Counted from 1. */
static const struct
{
  const char *attribute;
  const char *names[4];
} enums[] = {
  { "acc_type", { "INT32", "FP16", "FP32", "INT48" } },
  { "nan_mode", { "PROPAGATE", "IGNORE" } },
  { "mode", { "NEAREST_NEIGHBOR", "BILINEAR" } },
  { "rounding_mode", { "SINGLE_ROUND", "INEXACT_ROUND", "DOUBLE_ROUND" } },
};

const StriaTosaOperator *
stria_tosa_operator (guint32 number)
{
  return number < G_N_ELEMENTS (operators) ? &operators[number] : NULL;
}

const char *
stria_tosa_operand (const StriaTosaOperator *self, guint i, gboolean *is_attribute, char *buffer)
{
  guint n = 0;

  *is_attribute = FALSE;
  while (self != NULL && n < STRIA_TOSA_MAX_OPERANDS && self->operands[n] != NULL)
    n++;
  if (i < n)
    {
      *is_attribute = self->operands[i][0] == '@';
      return self->operands[i] + *is_attribute;
    }
  /* Only CONCAT takes any number of inputs: they count on from its first. */
  if (n > 0)
    g_snprintf (buffer, 16, "input%u", i - n + 2);
  else
    g_snprintf (buffer, 16, "%u", i);
  return buffer;
}

const char *
stria_tosa_enum_name (const char *attribute, gint64 value)
{
  for (guint i = 0; i < G_N_ELEMENTS (enums); i++)
    if (g_str_equal (enums[i].attribute, attribute))
      return value >= 1 && value <= (gint64) G_N_ELEMENTS (enums[i].names)
                 ? enums[i].names[value - 1]
                 : NULL;
  return NULL;
}
