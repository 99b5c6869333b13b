/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-etrecord.h"

#include "stria-decoder.h"
#include "stria-graph.h"

G_BEGIN_DECLS

/* One program of a record, as it is read: rows and strings of the facts, before it becomes a graph. */
typedef struct
{
  guint32 name;    /* of the parameter */
  guint32 tensor;  /* that it names, or 0 */
  guint32 value;   /* as text where it names none */
} StriaRecordArgument;

typedef struct
{
  guint32 name, target;
  guint32 first_input, n_inputs;   /* arguments */
  guint32 first_output, n_outputs; /* tensors, in `outputs` */
  guint32 first_meta, n_meta;      /* pairs in `metadata` */
  gint64  handle;                  /* -1: none */
  guint32 modules;                 /* nn_module_stack, or 0 */
  guint32 trace;                   /* stack_trace, or 0 */
  guint32 lowered;                 /* backend of a lowered module that it calls, or 0 */
} StriaRecordNode;

typedef struct
{
  StriaFacts *facts;
  StriaDecodeContext *context;
  const char *member; /* for messages */
  GArray *nodes;      /* StriaRecordNode */
  GArray *arguments;  /* StriaRecordArgument */
  GArray *outputs;    /* guint32: tensor names */
  GArray *metadata;   /* guint32 pairs: key, value */
  GArray *inputs;     /* guint32: tensors that the graph takes */
  GArray *results;    /* StriaRecordArgument: what it gives */
  GHashTable *types;  /* tensor name -> text "1×3×8 float32" as string id; both as pointers */
  GHashTable *specs;  /* tensor name -> text of its input spec ("parameter conv.weight") */
  gint64 major, minor; /* of its schema; -1: not said */
  guint32 dialect;
  GPtrArray *lowered;  /* JsonNode: lowered modules of delegate calls, in order */
  guint depth;         /* of lowered modules inside each other */
} StriaRecordProgram;

void     stria_record_program_init  (StriaRecordProgram *self, StriaFacts *facts,
                                     StriaDecodeContext *context, const char *member);
void     stria_record_program_clear (StriaRecordProgram *self);

/* Feeds the bytes of a program's JSON; @data NULL: they end here. */
typedef struct _StriaJsonParts StriaJsonParts;
StriaJsonParts *stria_record_program_reader (StriaRecordProgram *self);

/* Makes the graph. Returns: row of STRIA_TABLE_GRAPH */
guint32  stria_record_program_graph (StriaRecordProgram *self, StriaGraphKind kind,
                                     const char *name, const char *method);

G_END_DECLS
