/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-facts.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-fact-tables
 *
 * The rows of #StriaFacts. Members named like a text (name, label, reason, ...) are string ids of
 * the facts unless said otherwise; `first_x` and `n_x` give a run of rows of table x; what is
 * measured says its unit. data/schema.sql holds the same tables with the same columns.
 */

typedef enum
{
  /* Graphs: see stria-graph.h */
  STRIA_TABLE_GRAPH,
  STRIA_TABLE_GRAPH_GROUP,
  STRIA_TABLE_GRAPH_NODE,
  STRIA_TABLE_GRAPH_PORT,
  STRIA_TABLE_GRAPH_EDGE,
  STRIA_TABLE_GRAPH_ATTR,
  /* ETDump */
  STRIA_TABLE_DUMP,
  STRIA_TABLE_DUMP_RUN,
  STRIA_TABLE_DUMP_EVENT,
  STRIA_TABLE_DUMP_ALLOCATOR,
  STRIA_TABLE_DUMP_ALLOCATION,
  STRIA_TABLE_DUMP_DEBUG,
  /* NX statistics inside an ETDump */
  STRIA_TABLE_NX_PAYLOAD,
  STRIA_TABLE_NX_SEGMENT,
  STRIA_TABLE_NX_BLOB,
  STRIA_TABLE_NX_STRIPE,
  STRIA_TABLE_NX_COUNTER,
  STRIA_TABLE_NX_FUSED,
  STRIA_TABLE_NX_TOSA,
  STRIA_TABLE_NX_LABEL,
  /* ExecuTorch program (PTE) */
  STRIA_TABLE_PROGRAM,
  STRIA_TABLE_PROGRAM_SEGMENT,
  STRIA_TABLE_PROGRAM_PLAN,
  STRIA_TABLE_PROGRAM_BUFFER,
  STRIA_TABLE_PROGRAM_OPERATOR,
  STRIA_TABLE_PROGRAM_INSTRUCTION,
  STRIA_TABLE_PROGRAM_DELEGATE,
  STRIA_TABLE_PROGRAM_SPEC,
  STRIA_TABLE_PROGRAM_NAMED,
  /* VGF, alone or in a program */
  STRIA_TABLE_VGF,
  STRIA_TABLE_VGF_MODULE,
  STRIA_TABLE_VGF_SEGMENT,
  STRIA_TABLE_VGF_RESOURCE,
  STRIA_TABLE_VGF_CONSTANT,
  STRIA_TABLE_VGF_OPERATOR,
  STRIA_TABLE_VGF_LABEL,
  /* ETRecord */
  STRIA_TABLE_RECORD,
  STRIA_TABLE_RECORD_MEMBER,
  STRIA_TABLE_RECORD_METHOD,
  STRIA_TABLE_RECORD_HANDLE,
  STRIA_TABLE_RECORD_DELEGATE,
  STRIA_TABLE_RECORD_DELEGATE_HANDLE,
  STRIA_TABLE_RECORD_OUTS,
  STRIA_N_FACT_TABLES,
} StriaFactTableNumber;

extern const StriaFactTable stria_fact_tables[STRIA_N_FACT_TABLES];

/* ---- Graphs ------------------------------------------------------------------------------- */

typedef enum
{
  STRIA_GRAPH_SOURCE,    /* edge program of a method: the Source Model view */
  STRIA_GRAPH_EXPORTED,  /* ATen-level exported program */
  STRIA_GRAPH_MODULE,    /* another program of a record */
  STRIA_GRAPH_PLAN,      /* execution plan of a program */
  STRIA_GRAPH_VGF,       /* segments of a VGF */
  STRIA_GRAPH_CHAINS,    /* segment_cascade_chain */
  STRIA_GRAPH_MAPPING,   /* ETRecord Chain Mapping */
  STRIA_GRAPH_TRACE,     /* ETDump Backend Trace */
  STRIA_GRAPH_HIERARCHY, /* PTE - VGF Backend Hierarchy */
} StriaGraphKind;

typedef enum
{
  STRIA_NODE_OPERATOR,
  STRIA_NODE_INPUT,
  STRIA_NODE_OUTPUT,
  STRIA_NODE_PARAMETER, /* parameter, buffer or constant that the graph names as an input */
  STRIA_NODE_CONSTANT,
  STRIA_NODE_DELEGATE,  /* a delegate call */
  STRIA_NODE_CONTROL,   /* move, jump, free */
  STRIA_NODE_CHAIN,
  STRIA_NODE_RESOURCE,
} StriaNodeKind;

typedef enum
{
  STRIA_GROUP_NAMESPACE,
  STRIA_GROUP_MODULE,    /* a module of the source, by its qualified path */
  STRIA_GROUP_PLAN,
  STRIA_GROUP_DELEGATE,
  STRIA_GROUP_SEGMENT,
  STRIA_GROUP_CASCADE,
  STRIA_GROUP_CHAIN,
  STRIA_GROUP_FUSED,
  STRIA_GROUP_UNMATCHED, /* what nothing is known of */
} StriaGroupKind;

typedef struct
{
  guint32 name;   /* stable: "forward" */
  guint32 method; /* method it belongs to, or 0 */
  guint8  kind;   /* StriaGraphKind */
  guint32 owner;  /* REF: of a VGF graph the row of `vgf`; else none */
  guint32 first_group, n_groups;
  guint32 first_node, n_nodes;
  guint32 first_edge, n_edges;
} StriaGraphRow;

typedef struct
{
  guint32 graph;  /* REF */
  guint32 parent; /* REF: graph_group, or none */
  guint32 id;     /* stable: path of labels joined by "/" */
  guint32 label;
  guint8  kind;   /* StriaGroupKind */
  guint32 first_attr, n_attrs;
} StriaGraphGroupRow;

typedef struct
{
  guint32 graph; /* REF */
  guint32 group; /* REF: graph_group, or none */
  guint32 id;    /* stable, unique in the graph */
  guint32 label;
  guint8  kind;  /* StriaNodeKind */
  gint64  key;   /* source: debug handle; plan: chain << 32 | instruction; VGF: segment << 32 | SPIR-V result
                    id (segment 0: the id itself); else, or none: -1 */
  guint32 subgraph; /* name of a graph that this node stands for, or 0 */
  guint32 file;     /* source file of the innermost frame that is the user's, or 0 */
  guint32 line;     /* from 1; 0: not known */
  guint32 first_attr, n_attrs;
  guint32 first_input, n_inputs;   /* graph_port */
  guint32 first_output, n_outputs; /* graph_port */
} StriaGraphNodeRow;

/* Inputs and outputs of a node. */
typedef struct
{
  guint32 node; /* REF */
  guint32 id;   /* as the format numbers or names it */
  guint32 name; /* of the parameter or the tensor, or 0 */
  guint32 type; /* shape and element type for people: "1×3×224×224 int8", or 0 */
  guint32 first_attr, n_attrs;
} StriaGraphPortRow;

typedef struct
{
  guint32 graph;       /* REF */
  guint32 source;      /* REF: graph_node */
  guint32 source_port; /* REF: graph_port, or none */
  guint32 target;      /* REF: graph_node */
  guint32 target_port; /* REF: graph_port, or none */
} StriaGraphEdgeRow;

typedef struct
{
  guint32 key;
  guint32 value;
} StriaGraphAttrRow;

/* ---- ETDump -------------------------------------------------------------------------------- */

typedef enum
{
  STRIA_DUMP_FRAMEWORK,  /* logged outside an instruction: Method::execute, ... */
  STRIA_DUMP_KERNEL,     /* the kernel's own scope inside an instruction */
  STRIA_DUMP_OPERATOR_CALL,
  STRIA_DUMP_DELEGATE_CALL,
  STRIA_DUMP_CONTROL,    /* JF_CALL, MOVE_CALL, FREE_CALL */
  STRIA_DUMP_DELEGATE,   /* an event that a delegate logged */
} StriaDumpEventKind;

typedef struct
{
  guint32 version;
  guint8  size_prefixed;
  guint32 sha256; /* of the whole file, hexadecimal */
} StriaDumpRow;

typedef struct
{
  guint32 name;
  gint32  bundled_input; /* -1: none */
  guint32 first_event, n_events;
} StriaDumpRunRow;

/* Times are ticks as written; the file has no unit. */
typedef struct
{
  guint32 run;            /* REF */
  guint32 order;          /* place in the run's list, from 0, all kinds of events counted */
  guint8  kind;           /* StriaDumpEventKind */
  guint8  wrapped;        /* 1: end before start, elapsed by the 32-bit rule */
  gint32  chain;          /* -1: outside an instruction */
  gint32  instruction;
  gint32  delegate_int;   /* -1: none */
  guint32 delegate_name;  /* string delegate id, or 0 */
  guint32 name;
  guint64 start, end;     /* ticks */
  guint64 elapsed;        /* ticks; G_MAXUINT64: cannot be told (end before start, beyond 32 bits) */
  guint32 parent;         /* REF: dump_event around it in time, of the same run, or none */
  guint32 metadata_bytes; /* length of its delegate metadata */
} StriaDumpEventRow;

typedef struct
{
  guint32 run; /* REF */
  guint32 name;
} StriaDumpAllocatorRow;

typedef struct
{
  guint32 run; /* REF */
  guint32 order;
  gint32  allocator; /* place in the run's allocators */
  guint64 size;      /* bytes */
} StriaDumpAllocationRow;

/* Values that a debug run logged: listed, not read. */
typedef struct
{
  guint32 run; /* REF */
  guint32 order;
  gint64  chain;
  gint32  instruction;
  gint32  delegate_int;
  guint32 delegate_name;
  guint32 name;
  guint32 type;      /* Tensor, TensorList, Int, ... */
  guint32 value;     /* scalar as text; tensor: element type, sizes and offset as text */
  guint8  is_output; /* 1: output of the method */
} StriaDumpDebugRow;

/* ---- NX statistics ------------------------------------------------------------------------- */

typedef enum
{
  STRIA_NX_OK,
  STRIA_NX_UNAVAILABLE, /* the payload says that nothing could be collected */
  STRIA_NX_REJECTED,    /* readable, but its settings are not supported or contradict each other */
  STRIA_NX_MALFORMED,
} StriaNxState;

typedef struct
{
  guint32 event;       /* REF: dump_event that carried it */
  guint32 run;         /* REF */
  gint32  instruction; /* the delegate call */
  gint32  chain;
  gint32  schema_version;
  guint8  state;       /* StriaNxState */
  guint32 code;        /* stable short name of why it is not OK: "mode0-64-words", ..., or 0 */
  guint32 reason;      /* sentence; 0 if OK */
  gint32  mode;        /* 0, 1; -1: not known */
  guint8  mode_assumed;
  guint8  generation;  /* 1 Mali-G1, 2 Mali-G2, 0 not known */
  guint8  device_assumed;
  guint32 device_name;
  guint32 vendor_id, device_id;
  guint32 driver_version;
  guint32 words_per_task; /* 0: not known */
  guint8  layout_stated;  /* 1: the payload's own layout, 0: the table's */
  guint32 leading_blocks;
  guint32 first_segment, n_segments; /* nx_segment */
} StriaNxPayloadRow;

typedef struct
{
  guint32 payload;  /* REF */
  gint64  number;   /* segment_id */
  guint8  is_graph; /* is_data_graph_pipeline */
  guint8  state;    /* StriaNxState */
  guint32 code, reason;
  guint8  bind_point, host_visible, host_coherent;
  guint32 bind_point_reason;
  guint32 n_blocks;         /* in statistics_memory */
  guint32 last_block_tasks; /* tasks of the last one, less than a whole block's if short */
  guint32 relations;        /* REF: nx_segment whose nx_fused, nx_tosa, nx_label rows hold for it (the
                               debug database is the same in each execution), or none */
  guint32 first_stripe, n_stripes;
} StriaNxSegmentRow;

typedef struct
{
  guint32 segment; /* REF */
  guint32 which;   /* "debug_database", "statistics_info", "statistics_memory" */
  guint8  available, is_text;
  gint32  vulkan_result;
  guint64 declared, decoded; /* bytes */
  guint32 reason;
} StriaNxBlobRow;

/* A measured row of a segment: counters summed over the tasks of one block. */
typedef struct
{
  guint32 segment; /* REF */
  guint32 number;  /* stripe index = block number */
  guint32 chain, cascade; /* ids of the debug database, or stable placeholders */
  guint8  placeholder;    /* 1: not in the debug database */
  guint64 op_cycles;      /* cycles */
  guint64 total_cycles;   /* cycles */
  guint8  total_from_sum; /* 1: total_cycles is the sum of the named counters (nx_active was 0) */
  guint32 first_counter, n_counters;
} StriaNxStripeRow;

typedef struct
{
  guint32 stripe; /* REF */
  guint32 name;   /* as the hardware names it */
  guint64 value;  /* cycles */
} StriaNxCounterRow;

/* chain -> fused operations -> TOSA operations -> labels, as the debug database says */
typedef struct
{
  guint32 segment; /* REF */
  guint32 chain, fused;
} StriaNxFusedRow;

typedef struct
{
  guint32 segment; /* REF */
  guint32 fused, tosa;
  guint32 type; /* tosa_op */
} StriaNxTosaRow;

typedef struct
{
  guint32 segment; /* REF */
  guint32 tosa, label;
} StriaNxLabelRow;

/* ---- ExecuTorch program -------------------------------------------------------------------- */

typedef struct
{
  guint32 version;
  guint32 identifier; /* "ET12" */
  guint8  has_header; /* extended header */
  guint32 header_length;
  guint64 program_size, segment_base, segment_data_size; /* bytes; 0 without a header */
  guint64 file_size;                                     /* bytes */
  guint32 sha256;
} StriaProgramRow;

typedef struct
{
  guint64 offset, size; /* bytes; offset from the segment base */
  guint8  in_file;      /* 0: reaches outside the file */
} StriaProgramSegmentRow;

typedef struct
{
  guint32 name; /* the method */
  guint32 graph; /* REF: graph */
  guint32 n_chains, n_values, n_inputs, n_outputs;
  guint32 encoded_in, encoded_out;
  guint32 first_instruction, n_instructions;
  guint32 first_delegate, n_delegates;
} StriaProgramPlanRow;

typedef struct
{
  guint32 plan; /* REF */
  guint32 number;
  gint64  size; /* bytes, of memory planned for values that are not constant */
  guint32 device; /* "CPU", "CUDA:0", or 0: not said */
} StriaProgramBufferRow;

typedef struct
{
  guint32 plan; /* REF */
  guint32 number;
  guint32 name, overload;
} StriaProgramOperatorRow;

typedef enum
{
  STRIA_INSTRUCTION_OTHER,
  STRIA_INSTRUCTION_KERNEL,
  STRIA_INSTRUCTION_DELEGATE,
  STRIA_INSTRUCTION_MOVE,
  STRIA_INSTRUCTION_JUMP_FALSE,
  STRIA_INSTRUCTION_FREE,
} StriaInstructionType;

typedef struct
{
  guint32 plan; /* REF */
  guint32 chain, number;
  guint8  type;     /* StriaInstructionType, the format's own numbers */
  guint32 label;    /* operator name, delegate id or the type's name */
  guint32 delegate; /* REF: program_delegate, or none */
  guint32 node;     /* REF: graph_node */
  guint32 args;     /* value numbers as text, "[0, 2, 3]" */
} StriaProgramInstructionRow;

typedef struct
{
  guint32 plan; /* REF */
  guint32 number;
  guint32 id;       /* "VgfBackend" */
  guint8  location; /* 0 inline, 1 segment */
  guint32 index;    /* of the inline data or the segment */
  guint64 offset, size; /* bytes of the blob in the file; size 0: none or outside */
  guint32 content;  /* what the blob begins with: "VGF", "Vela", or 0: not known */
  guint32 vgf;      /* REF: vgf, or none */
  guint32 error;    /* why its VGF could not be read, or 0 */
} StriaProgramDelegateRow;

typedef struct
{
  guint32 delegate; /* REF */
  guint32 key;
  guint32 value; /* text, or "0x..." where it is none (at most 64 bytes of it) */
  guint32 size;  /* bytes */
} StriaProgramSpecRow;

typedef struct
{
  guint32 key;
  guint32 segment; /* number of a program_segment */
} StriaProgramNamedRow;

/* ---- VGF ----------------------------------------------------------------------------------- */

typedef struct
{
  guint32 delegate; /* REF: program_delegate that holds it, or none: a file of its own */
  guint64 offset, size; /* bytes, in the file */
  guint32 major, minor, patch;
  guint32 vk_header;    /* Vulkan header version of the encoder */
  guint8  old_magic;
  guint8  legacy_constants;
  guint32 first_module, n_modules;
  guint32 first_segment, n_segments;
  guint32 first_resource, n_resources;
  guint32 first_constant, n_constants;
  guint32 graph;        /* REF: graph */
  guint32 sha256;       /* of a file of its own, else 0 */
} StriaVgfRow;

typedef struct
{
  guint32 vgf; /* REF */
  guint32 number;
  guint8  type; /* 0 compute, 1 graph */
  guint32 name, entry_point;
  guint32 code_type; /* "SPIR-V", "GLSL", "HLSL" */
  guint64 code_size; /* bytes */
  guint32 error;     /* why its code could not be listed, or 0 */
} StriaVgfModuleRow;

typedef struct
{
  guint32 vgf; /* REF */
  guint32 number;
  guint8  type; /* 0 compute, 1 graph */
  guint32 name;
  guint32 module; /* number of a module of the VGF */
  guint32 n_inputs, n_outputs, n_constants;
  guint32 dispatch; /* "[1, 1, 1]", or 0 */
} StriaVgfSegmentRow;

typedef struct
{
  guint32 vgf; /* REF */
  guint32 number;
  guint32 descriptor; /* Vulkan name, or the number */
  guint32 format;     /* Vulkan name, or the number */
  guint8  category;   /* 0 input, 1 output, 2 intermediate, 3 constant */
  guint32 shape, strides; /* "[1, 3, 224, 224]" */
  guint32 alias_group;    /* G_MAXUINT32: none */
} StriaVgfResourceRow;

typedef struct
{
  guint32 vgf; /* REF */
  guint32 number;
  guint32 resource; /* number of a resource of the VGF */
  gint64  sparsity; /* dimension, -1: dense */
  guint64 size;     /* bytes */
} StriaVgfConstantRow;

/* A TOSA operator of a graph segment */
typedef struct
{
  guint32 vgf; /* REF */
  guint32 segment; /* number of the segment */
  guint32 spirv_id; /* result id */
  gint32  number;   /* of the TOSA instruction */
  guint32 name;     /* "CONV2D" */
  guint32 node;     /* REF: graph_node */
} StriaVgfOperatorRow;

/* Debug name of an operator */
typedef struct
{
  guint32 operator_row; /* REF: vgf_operator */
  guint32 label;
} StriaVgfLabelRow;

/* ---- ETRecord ------------------------------------------------------------------------------ */

typedef struct
{
  guint8  has_export_graph_id;
  gint64  export_graph_id;
  gint64  schema_major, schema_minor; /* -1: not said */
  guint32 sha256;
} StriaRecordRow;

typedef struct
{
  guint32 name;
  guint32 kind; /* "identifier", "program", "map", "tensors", "unknown", ... */
  guint64 size; /* bytes, inflated */
} StriaRecordMemberRow;

typedef struct
{
  guint32 name;
  guint32 graph;     /* REF: its edge program, or none */
  guint8  in_handle_map, in_delegate_map, in_outs_map; /* whether each map has the method */
} StriaRecordMethodRow;

typedef struct
{
  guint32 method; /* REF: record_method */
  gint64  instruction;
  gint64  handle; /* debug handle */
} StriaRecordHandleRow;

typedef struct
{
  guint32 method; /* REF: record_method */
  gint64  instruction;
  guint32 name; /* backend */
} StriaRecordDelegateRow;

typedef struct
{
  guint32 delegate; /* REF: record_delegate */
  guint32 id;       /* delegate's own debug id, as text */
  gint64  handle;
} StriaRecordDelegateHandleRow;

typedef struct
{
  guint32 method; /* REF: record_method */
  gint64  instruction;
  gint64  n_outs;
} StriaRecordOutsRow;

G_END_DECLS
