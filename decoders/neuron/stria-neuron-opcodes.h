/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-ntff-record.h"

G_BEGIN_DECLS

/* Byte 0 of an instruction of 64 bytes. NULL: not known. */

/* As exports show it, "TENSOR_TENSOR" */
const char *stria_neuron_opcode_shown      (guint8 opcode);
/* As the instruction set has it (recovered), "TensorTensorArithOp" */
const char *stria_neuron_opcode_name       (guint8 opcode);
/* Whether documents of the vendor spell what is shown just so */
gboolean    stria_neuron_opcode_is_spelled (guint8 opcode);
/* Whether it may be one of that engine's */
gboolean    stria_neuron_opcode_fits       (guint8 opcode, StriaNtffEngine engine);

G_END_DECLS
