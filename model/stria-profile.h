/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"
#include "stria-graph.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-profile
 *
 * What an ExecuTorch capture says as a whole: a record (what the source was), a dump (what ran), a
 * program (what it was compiled to) brought together for one method. Entities, what was measured on
 * them, and the links between them, each with its evidence.
 */

/* What belongs together: artifacts of one folder. STRIA_NO_REF: not there. */
typedef struct
{
  char   *name;    /* folder or common stem, for people */
  guint   record;  /* number of the artifact, or STRIA_NO_REF */
  guint   dump;
  guint   program;
  guint   vgf;     /* a VGF file of its own */
} StriaProfileSet;

/* Finds the sets of a capture: artifacts of the same folder with the same stem, else the only one
 * of its kind there. Each dump has a set; a record or program that is the only one belongs to all of
 * them. What has no partner makes a set of its own; where several could be the partner, none is taken
 * and a notice says so. Any thread.
 * Returns: (transfer full) (element-type StriaProfileSet) */
GPtrArray *stria_profile_sets     (StriaCapture *capture);
void       stria_profile_set_free (StriaProfileSet *set);
/* Methods that a set can be profiled for, in the record's order (else the program's).
 * Returns: (transfer full) (array zero-terminated=1) */
char     **stria_profile_methods  (StriaCapture *capture, const StriaProfileSet *set);

typedef enum
{
  STRIA_TIME_NS,
  STRIA_TIME_US,
  STRIA_TIME_MS,
  STRIA_TIME_S,
  STRIA_TIME_CYCLES,
} StriaTimeUnit;

/* Kinds of entities, by the names that the published schema uses. */
typedef enum
{
  STRIA_ENTITY_MODEL,             /* "model" */
  STRIA_ENTITY_METHOD_CALL,       /* "instruction": one of the plan, by number */
  STRIA_ENTITY_SOURCE_OPERATOR,   /* "source_operator" of the record: a node of the edge program */
  STRIA_ENTITY_COMPILER_OPERATOR, /* "source_operator" of a VGF segment: a TOSA operator */
  STRIA_ENTITY_SEGMENT,           /* "segment" */
  STRIA_ENTITY_CASCADE,           /* "cascade" */
  STRIA_ENTITY_CHAIN,             /* "chain" */
  STRIA_ENTITY_TRACE_OPERATOR,    /* TOSA operation of the capture's own debug database */
  STRIA_ENTITY_FRAMEWORK,         /* Method::execute and the like */
  STRIA_ENTITY_DELEGATE_EVENT,    /* event that a delegate logged */
  STRIA_N_ENTITY_KINDS,
} StriaEntityKind;

typedef enum
{
  STRIA_EVIDENCE_EXACT,       /* named by both sides */
  STRIA_EVIDENCE_APPROXIMATE, /* both sides come from the same place of the source */
  STRIA_EVIDENCE_PARTITION,   /* only the whole partition is known to correspond */
  STRIA_EVIDENCE_ASSUMED,     /* follows from an assumption that is stated */
  STRIA_EVIDENCE_AMBIGUOUS,   /* one of several */
} StriaEvidence;

typedef struct
{
  char           *id;        /* "chain/segment_2/30" */
  StriaEntityKind kind;
  char           *name;
  const char     *placement; /* "NX", "NPU", "CPU", "Unknown"; static */
  GArray         *parents;   /* guint32 entity numbers */
  GArray         *children;
  gint64          key;       /* debug handle, chain << 32 | instruction, SPIR-V id by kind; -1 */
  guint           artifact;  /* whose graph it is in, or STRIA_NO_REF */
  guint32         graph;     /* row of STRIA_TABLE_GRAPH of that artifact */
  guint32         node;      /* number in the graph, or STRIA_NO_NODE */
  GArray         *metrics;   /* guint32 metric numbers */
  GArray         *links;     /* guint32 link numbers, of either end */
  guint32         executions;      /* executions in which it was measured */
  guint32         executions_of;   /* executions recorded */
  guint32         shared;    /* source operators: how many share the same events; 1: alone */
  GPtrArray      *attributes; /* (nullable) key, value, key, value: utf8 */
  gboolean        unmatched; /* linked to nothing measured, which does not show that it did not run */
} StriaEntity;

typedef enum
{
  STRIA_AGGREGATION_SUM,   /* of independent parts, within and over executions */
  STRIA_AGGREGATION_MEAN,
  STRIA_AGGREGATION_P10,
  STRIA_AGGREGATION_P50,
  STRIA_AGGREGATION_P90,
  STRIA_AGGREGATION_MIN,
  STRIA_AGGREGATION_MAX,
  STRIA_AGGREGATION_COUNT,
  STRIA_N_AGGREGATIONS,
} StriaAggregation;

typedef struct
{
  guint32          entity;
  const char      *name;  /* "total_cycles", "op_cycles", "nx_active_cycles", "runtime",
                             "call_runtime" (the runtime's scope around a kernel), ...; interned */
  const char      *unit;  /* "cycles", "ms", "count"; static */
  StriaAggregation aggregation;
  gboolean         available;
  double           value;
  char            *reason;  /* why it is not available; NULL if it is */
  guint32          samples; /* executions that it is made of */
} StriaMetric;

typedef struct
{
  guint32       from, to; /* entities */
  const char   *kind;     /* "instruction", "partition", "delegate-event", "chain-trace",
                             "trace-compiler", "chain-compiler", "operator-source",
                             "chain-source"; interned */
  StriaEvidence evidence;
  char         *note;     /* why, for people */
} StriaLink;

typedef enum
{
  STRIA_CHECK_PASS,
  STRIA_CHECK_FAIL,
  STRIA_CHECK_UNKNOWN,
} StriaCheckState;

typedef struct
{
  const char     *name;   /* stable: "method-exists"; static */
  StriaCheckState state;
  char           *detail; /* translated */
} StriaCheck;

typedef struct
{
  char *code;    /* stable */
  char *message; /* translated */
} StriaRemark;

typedef enum
{
  STRIA_COMPANION_NONE,           /* no program in the set, or one without a VGF delegate */
  STRIA_COMPANION_MATCHES,        /* something confirmed, nothing contradicted */
  STRIA_COMPANION_NOT_VERIFIABLE,
  STRIA_COMPANION_REFUSED,        /* contradicted */
} StriaCompanion;

typedef struct _StriaProfile StriaProfile;

/**
 * stria_profile_new:
 * @method: (nullable): NULL if there is one only
 * @unit: what the dump's ticks are; the file does not say
 *
 * Brings a set together. Takes milliseconds for a model, so views may call it on a worker.
 *
 * Returns: (transfer full) (nullable): NULL with @error if the method is not there
 *   (%STRIA_ERROR_NOT_FOUND) or has to be named (%STRIA_ERROR_QUERY)
 */
StriaProfile *stria_profile_new   (StriaCapture *capture, const StriaProfileSet *set,
                                   const char *method, StriaTimeUnit unit, GError **error);
StriaProfile *stria_profile_ref   (StriaProfile *self);
void          stria_profile_unref (StriaProfile *self);

const StriaProfileSet *stria_profile_get_set (StriaProfile *self);
/* NULL: neither a record nor a program says which methods there are */
const char   *stria_profile_get_method (StriaProfile *self);
StriaTimeUnit stria_profile_get_unit (StriaProfile *self);
guint32       stria_profile_n_executions (StriaProfile *self);

guint32       stria_profile_n_entities (StriaProfile *self);
const StriaEntity *stria_profile_entity (StriaProfile *self, guint32 entity);
guint32       stria_profile_find_entity (StriaProfile *self, const char *id);
guint32       stria_profile_n_metrics (StriaProfile *self);
const StriaMetric *stria_profile_metric (StriaProfile *self, guint32 metric);
/* The metric of that name and aggregation of an entity, or NULL */
const StriaMetric *stria_profile_find_metric (StriaProfile *self, guint32 entity, const char *name,
                                              StriaAggregation aggregation);
guint32       stria_profile_n_links  (StriaProfile *self);
const StriaLink *stria_profile_link  (StriaProfile *self, guint32 link);

/* (element-type StriaRemark) and (element-type StriaCheck), owned by the profile */
GPtrArray    *stria_profile_get_assumptions (StriaProfile *self);
GPtrArray    *stria_profile_get_warnings (StriaProfile *self);
StriaCompanion stria_profile_get_companion (StriaProfile *self);
/* Compares the program on disk with the digest that was stored when it was analysed. Reads the
 * whole file: for a worker. FALSE with %STRIA_ERROR_MISMATCH if it is another one now. */
gboolean      stria_profile_verify_companion (StriaProfile *self, GError **error);
GPtrArray    *stria_profile_get_checks (StriaProfile *self);
/* Facts about where it comes from: key, value, ... (SHA-256 of each file, method, mode, device,
 * layout source, executions). Returns: (transfer none) (element-type utf8) */
GPtrArray    *stria_profile_get_provenance (StriaProfile *self);

/**
 * stria_profile_get_graph:
 * @kind: SOURCE, CHAINS, MAPPING, TRACE or HIERARCHY (also EXPORTED, PLAN, VGF where they are)
 * @reason: (out) (optional) (nullable) (transfer full): why there is none: which file would bring
 *   it, how it is captured
 *
 * The first HIERARCHY reads the program's file (stria_profile_verify_companion()). Any thread.
 *
 * Returns: (transfer none) (nullable): the view's graph
 */
StriaGraph   *stria_profile_get_graph (StriaProfile *self, StriaGraphKind kind, char **reason);
/* Entity of a node or a group of one of those graphs, or STRIA_NO_REF */
guint32       stria_profile_node_entity (StriaProfile *self, StriaGraph *graph, guint32 node);
guint32       stria_profile_group_entity (StriaProfile *self, StriaGraph *graph, guint32 group);

/* Which metric colours a kind: "total_cycles" if every measured one has it, else "op_cycles", or
 * "runtime". NULL: nothing is measured. @minimum, @maximum: over all entities of the kind. */
const char   *stria_profile_scale  (StriaProfile *self, StriaEntityKind kind,
                                    StriaAggregation aggregation, double *minimum, double *maximum);

const char   *stria_entity_kind_name (StriaEntityKind kind);
const char   *stria_companion_name   (StriaCompanion companion);
const char   *stria_check_state_name (StriaCheckState state);
const char   *stria_evidence_name    (StriaEvidence evidence);
const char   *stria_aggregation_name (StriaAggregation aggregation);
const char   *stria_time_unit_name   (StriaTimeUnit unit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaProfile, stria_profile_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaProfileSet, stria_profile_set_free)

G_END_DECLS
