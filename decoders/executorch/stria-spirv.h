/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Opcodes that are read (spec 4.3 [CODE+RUN]; those with a star of the SPIR-V specification [DOC]) */
typedef enum
{
  STRIA_SPIRV_UNDEF = 1, /* * */
  STRIA_SPIRV_NAME = 5,
  STRIA_SPIRV_STRING = 7,
  STRIA_SPIRV_EXT_INST_IMPORT = 11,
  STRIA_SPIRV_EXT_INST = 12,
  STRIA_SPIRV_TYPE_VOID = 19, /* * */
  STRIA_SPIRV_TYPE_BOOL = 20,
  STRIA_SPIRV_TYPE_INT = 21,
  STRIA_SPIRV_TYPE_FLOAT = 22,
  STRIA_SPIRV_TYPE_VECTOR = 23, /* * */
  STRIA_SPIRV_TYPE_ARRAY = 28,
  STRIA_SPIRV_TYPE_STRUCT = 30, /* * */
  STRIA_SPIRV_TYPE_POINTER = 32,
  STRIA_SPIRV_CONSTANT_TRUE = 41,
  STRIA_SPIRV_CONSTANT_FALSE = 42,
  STRIA_SPIRV_CONSTANT = 43,
  STRIA_SPIRV_CONSTANT_COMPOSITE = 44,
  STRIA_SPIRV_CONSTANT_NULL = 46,
  STRIA_SPIRV_SPEC_CONSTANT_TRUE = 48,      /* * */
  STRIA_SPIRV_SPEC_CONSTANT_FALSE = 49,     /* * */
  STRIA_SPIRV_SPEC_CONSTANT = 50,           /* * */
  STRIA_SPIRV_SPEC_CONSTANT_COMPOSITE = 51, /* * */
  STRIA_SPIRV_SPEC_CONSTANT_OP = 52,        /* * */
  STRIA_SPIRV_VARIABLE = 59,
  STRIA_SPIRV_DECORATE = 71,
  STRIA_SPIRV_COMPOSITE_EXTRACT = 81, /* * */
  STRIA_SPIRV_TYPE_TENSOR_ARM = 4163,
  STRIA_SPIRV_GRAPH_CONSTANT_ARM = 4181,
  STRIA_SPIRV_GRAPH_ENTRY_POINT_ARM = 4182,
  STRIA_SPIRV_GRAPH_ARM = 4183,
  STRIA_SPIRV_GRAPH_INPUT_ARM = 4184,
  STRIA_SPIRV_GRAPH_SET_OUTPUT_ARM = 4185,
  STRIA_SPIRV_GRAPH_END_ARM = 4186,
  STRIA_SPIRV_TYPE_GRAPH_ARM = 4190,
  STRIA_SPIRV_CONSTANT_REPLICATE = 4461,
  STRIA_SPIRV_SPEC_CONSTANT_REPLICATE = 4462, /* * */
} StriaSpirvOpcode;

#define STRIA_SPIRV_MAGIC       0x07230203u
#define STRIA_SPIRV_HEADER      5        /* words */
#define STRIA_SPIRV_MAX_ID      4194303u /* universal limit of the specification [DOC] */
#define STRIA_SPIRV_MAX_VALUES  64       /* elements of a constant as text */
#define STRIA_SPIRV_MAX_SIZES   16       /* of a shape as text */

/**
 * StriaSpirvInst:
 * @at: its first word in the module
 * @op: opcode
 * @n: its words, with the first
 *
 * One instruction, wholly inside the module.
 */
typedef struct
{
  guint32 at;
  guint16 op;
  guint16 n;
} StriaSpirvInst;

/**
 * StriaSpirv:
 * @data: the words, little-endian; need not be aligned
 * @n_words: how many there are
 * @bound: as the header says
 * @stopped: (nullable): why the walk ends before the last word (translated), else NULL
 * @stopped_at: word of it
 * @n_bad_ids: instructions whose result id is 0, not below the bound or defined before
 *
 * A SPIR-V module that can be asked where an id is defined. Bytes are not trusted: what is asked of
 * an id or operand that is not there answers 0, no instruction or no text.
 */
typedef struct
{
  const guint8 *data;
  guint32       n_words;
  guint32       version;
  guint32       bound;
  char         *stopped;
  guint32       stopped_at;
  guint32       n_bad_ids;
  /* private */
  guint32       end; /* behind the last instruction that can be read */
  guint32       n_ids;
  guint32      *defs; /* of n_ids: word of the defining instruction, 0 for none */
} StriaSpirv;

gboolean    stria_spirv_init    (StriaSpirv *self, const guint8 *data, gsize n_words,
                                 GError **error);
void        stria_spirv_clear   (StriaSpirv *self);

/* The instruction at word @at (STRIA_SPIRV_HEADER for the first). The next one is at
 * inst->at + inst->n. Returns: FALSE at the end */
gboolean    stria_spirv_read    (const StriaSpirv *self, guint32 at, StriaSpirvInst *inst);
/* Operand @i, from 0: the word after the first one. 0 if the instruction has none such. */
guint32     stria_spirv_operand (const StriaSpirv *self, const StriaSpirvInst *inst, guint i);
/* Returns: (nullable): the text that begins at operand @i, inside the module; NULL if it does not
 *   end inside the instruction. @next: (out) (optional): the operand behind it */
const char *stria_spirv_text    (const StriaSpirv *self, const StriaSpirvInst *inst, guint i,
                                 guint *next);
/* The instruction that defines @id. Returns: FALSE if none does */
gboolean    stria_spirv_find    (const StriaSpirv *self, guint32 id, StriaSpirvInst *inst);
/* Type of the value @id, 0 if it is none */
guint32     stria_spirv_type_of (const StriaSpirv *self, guint32 id);
/* Text of an OpString, or NULL */
const char *stria_spirv_string  (const StriaSpirv *self, guint32 id);

/* Whether @id is a constant of the module's text (not a graph constant, which the file holds) */
gboolean    stria_spirv_is_constant (const StriaSpirv *self, guint32 id);
/* An integer constant. Returns: FALSE if it is none */
gboolean    stria_spirv_integer (const StriaSpirv *self, guint32 id, gint64 *value);
/* Adds "12", "true", "0.5" or "[1, 2]" to @out. Returns: FALSE, with "?" added, if @id or a part
 *   of it has no value that can be told */
gboolean    stria_spirv_value   (const StriaSpirv *self, guint32 id, GString *out);
/* Adds "1×3×224×224 int8", "int32", "bool" to @out. Sizes that are not known are "?".
 * Returns: FALSE if @type is no type of a value; "?" is added then */
gboolean    stria_spirv_type    (const StriaSpirv *self, guint32 type, GString *out);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (StriaSpirv, stria_spirv_clear)

G_END_DECLS
