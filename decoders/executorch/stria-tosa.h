/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define STRIA_TOSA_SET   "TOSA.001000.1" /* name of the instruction set [CODE+RUN] */
#define STRIA_TOSA_DEBUG "NonSemantic.Graph.DebugInfo.1"

/* Instructions of the debug set */
#define STRIA_TOSA_DEBUG_GRAPH     1
#define STRIA_TOSA_DEBUG_OPERATION 2
#define STRIA_TOSA_DEBUG_TENSOR    3

#define STRIA_TOSA_MAX_OPERANDS 10

/**
 * StriaTosaOperator:
 * @name: as TOSA writes it: "CONV2D"
 * @label: as it is drawn: "Conv2D"
 * @operands: names in order; attributes begin with "@". NULL behind the last
 *
 * One instruction of the set.
 */
typedef struct
{
  const char *name;
  const char *label;
  const char *operands[STRIA_TOSA_MAX_OPERANDS + 1];
} StriaTosaOperator;

/* Returns: (nullable): the instruction, NULL if the set has none of that number */
const StriaTosaOperator *stria_tosa_operator  (guint32 number);
/* Name of an operand and whether it is an attribute. Behind the last one those of lists
 * ("input2" of a concat) or a number. @buffer: of at least 16 bytes, for names that are made */
const char              *stria_tosa_operand   (const StriaTosaOperator *self, guint i,
                                               gboolean *is_attribute, char *buffer);
/* Returns: (nullable): word for @value of an attribute that is an enum ("INT32"); NULL if it is
 *   none or has no such value */
const char              *stria_tosa_enum_name (const char *attribute, gint64 value);

G_END_DECLS
