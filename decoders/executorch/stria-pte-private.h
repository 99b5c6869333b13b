/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"
#include "stria-flat.h"
#include "stria-graph.h"

G_BEGIN_DECLS

/* Fields by their number in schema/program.fbs. [CODE+RUN: ET schema/program.fbs] */
enum
{
  PROGRAM_VERSION = 0,
  PROGRAM_EXECUTION_PLAN = 1,
  PROGRAM_BACKEND_DELEGATE_DATA = 3,
  PROGRAM_SEGMENTS = 4,
  PROGRAM_CONSTANT_SEGMENT = 5,
  PROGRAM_NAMED_DATA = 7,

  PLAN_NAME = 0,
  PLAN_CONTAINER_META_TYPE = 1,
  PLAN_VALUES = 2,
  PLAN_INPUTS = 3,
  PLAN_OUTPUTS = 4,
  PLAN_CHAINS = 5,
  PLAN_OPERATORS = 6,
  PLAN_DELEGATES = 7,
  PLAN_NON_CONST_BUFFER_SIZES = 8,
  PLAN_NON_CONST_BUFFER_DEVICE = 9,

  CHAIN_INSTRUCTIONS = 2,
  CHAIN_STACKTRACE = 3,

  INSTRUCTION_ARGS_TYPE = 0,
  INSTRUCTION_ARGS = 1,
};

/* Types of the union KernelTypes; 0 stands for a value that could not be read. */
typedef enum
{
  STRIA_PTE_NONE,
  STRIA_PTE_NULL,
  STRIA_PTE_INT,
  STRIA_PTE_BOOL,
  STRIA_PTE_DOUBLE,
  STRIA_PTE_TENSOR,
  STRIA_PTE_STRING,
  STRIA_PTE_INT_LIST,
  STRIA_PTE_DOUBLE_LIST,
  STRIA_PTE_BOOL_LIST,
  STRIA_PTE_TENSOR_LIST,
  STRIA_PTE_OPTIONAL_TENSOR_LIST,
} StriaPteType;

/**
 * StriaPte:
 * @data: all of the file
 * @flat: the part of it that is the program
 * @blobs: what was read of each blob, by "offset:size"
 * @blob_budget: bytes of blobs that may still be read: segments may lie over each other
 * @port_budget: ports and edges that may still be made, in all plans
 *
 * A program while it is read.
 */
typedef struct
{
  StriaFacts *facts;
  StriaDecodeContext *context;
  const guint8 *data;
  gsize length;
  StriaFlat flat;
  StriaFlatTable root;
  StriaFlatVector constants; /* offsets of constants in their segment */
  guint32 constant_segment;
  guint32 first_segment, n_segments;
  guint64 segment_base;
  GHashTable *blobs;
  guint64 blob_budget;
  guint64 port_budget;
} StriaPte;

/**
 * StriaPteValue:
 * @is_known: whether the rest was read
 * @is_fixed: its data is there before the first instruction: a constant, or kept between runs
 * @type: a #StriaPteType
 * @name, @text: string ids: name of a tensor, and what it is for people
 * @view_of: value whose data it is taken to be another view of, or -1
 * @has_place: whether memory is planned for it: @memory, @offset, @bytes
 * @port: row of a port that has its attributes, or %STRIA_NO_REF
 * @producer: node that made it, or %STRIA_NO_NODE
 * @producer_port: its output
 */
typedef struct
{
  guint8 is_known;
  guint8 is_fixed;
  guint8 has_place;
  guint8 type;
  gint8 element; /* scalar type */
  guint32 name;
  guint32 text;
  guint32 port;
  guint32 producer;
  guint32 producer_port;
  guint32 memory;
  guint64 offset;
  guint64 bytes;
  gint32 view_of;
} StriaPteValue;

typedef struct
{
  StriaPte *pte;
  StriaFlatVector vector;
  StriaPteValue *values;
} StriaPteValues;

/* An input of a node that another one made. */
typedef struct
{
  guint32 port;
  gint32 value;
} StriaPteUse;

/**
 * StriaPtePlan:
 * @group: its group in the graph
 * @first_operator, @n_operators: rows of program_operator
 * @inputs, @outputs: gint32: values that the instruction at hand reads and makes
 * @uses: StriaPteUse: those of its inputs that others made
 * @seen: values of the instruction at hand
 * @written: "memory:offset" to the value, plus one, that was put there last
 *
 * A plan while its graph is made.
 */
typedef struct
{
  StriaPte *pte;
  StriaPteValues values;
  StriaGraphBuilder *builder;
  guint32 plan_row;
  guint32 group;
  guint32 first_operator, n_operators;
  GArray *inputs;
  GArray *outputs;
  GArray *uses;
  GHashTable *seen;
  GHashTable *written;
} StriaPtePlan;

/**
 * StriaPteInstruction:
 * @table: KernelCall, DelegateCall, ...
 * @offset: of the instruction in the file
 * @type: #StriaInstructionType, or what the file has there
 * @label, @overload: string ids
 * @delegate: row, or %STRIA_NO_REF
 * @args: (transfer full): values as text
 */
typedef struct
{
  StriaFlatTable table;
  guint64 offset;
  guint8 type;
  guint32 label;
  guint32 overload;
  guint32 delegate;
  char *args;
} StriaPteInstruction;

/* stria-pte.c */
/* Whether something went wrong since the last call; if so it becomes a notice at @offset. */
gboolean stria_pte_settle (StriaPte *self, const char *code, guint64 offset);
void     stria_pte_warn (StriaPte *self, const char *code, guint64 offset, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
/* Bytes of a segment in the file; FALSE if there are none */
gboolean stria_pte_segment (StriaPte *self, guint32 number, guint64 *offset, guint64 *size);
/* Interned text of a string field; 0 if it is absent */
guint32  stria_pte_intern (StriaPte *self, StriaFlatTable table, guint field);

/* stria-pte-values.c */
void     stria_pte_values_init (StriaPteValues *self, StriaPte *pte, StriaFlatTable plan);
void     stria_pte_values_clear (StriaPteValues *self);
/* Returns: (nullable): the value, read when it is first asked for; NULL beyond the end */
StriaPteValue *stria_pte_values_get (StriaPteValues *self, gint64 index);
/* Numbers of the values in a TensorList or OptionalTensorList */
StriaFlatVector stria_pte_values_items (StriaPteValues *self, gint64 index);
/* A port of the last node for a value, with its attributes. Returns: its row */
guint32  stria_pte_values_port (StriaPteValues *self, StriaGraphBuilder *builder, gint64 index,
                                gboolean is_output);
/* "[1, 2]" of a vector of int32 */
char    *stria_pte_list_i32 (StriaFlatVector vector);

/* stria-pte-delegates.c */
/* Adds the delegates of a plan with their specs and reads their blobs. FALSE: cancelled */
gboolean stria_pte_delegates (StriaPte *self, StriaFlatTable plan, guint32 plan_row,
                              GError **error);

/* stria-pte-instruction.c */
void     stria_pte_instruction_read (StriaPtePlan *self, StriaPteInstruction *in);
void     stria_pte_instruction_attrs (StriaPtePlan *self, const StriaPteInstruction *in);
/* Where it comes from: a FrameList */
void     stria_pte_instruction_frames (StriaPtePlan *self, StriaFlatTable list);

/* stria-pte-plan.c */
/* Arguments of the instruction at hand: told apart by who made them first, or as it is known */
void     stria_pte_plan_args (StriaPtePlan *self, StriaFlatVector args, guint64 offset);
void     stria_pte_plan_arg (StriaPtePlan *self, gint32 index, gboolean is_output, guint64 offset);
/* Adds the graph and the instructions of a plan. FALSE: cancelled */
gboolean stria_pte_plan (StriaPte *self, StriaFlatTable plan, guint32 plan_row, GError **error);

static inline const char *
stria_pte_plan_text (StriaPtePlan *self, guint32 string)
{
  return stria_facts_text (self->pte->facts, string);
}

static inline StriaProgramPlanRow *
stria_pte_plan_row (StriaPte *self, guint32 plan_row)
{
  return STRIA_ROWS (self->facts, StriaProgramPlanRow, STRIA_TABLE_PROGRAM_PLAN) + plan_row;
}

G_END_DECLS
