/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-measure.h"
#include "stria-profile.h"

G_BEGIN_DECLS

#define STRIA_N_GRAPH_KINDS (STRIA_GRAPH_HIERARCHY + 1)

/* One recorded execution of the method. */
typedef struct
{
  guint32 run;        /* row of dump_run */
  guint32 event;      /* row of dump_event of its Method::execute, or STRIA_NO_REF */
} StriaExecution;

/* A graph that the profile shows, and the entities of its nodes and groups. */
typedef struct
{
  StriaFacts *facts;  /* that the profile made for it; NULL: it is an artifact's */
  StriaGraph *graph;
  GArray     *nodes;  /* guint32 */
  GArray     *groups; /* guint32 */
  char       *reason; /* why there is none */
} StriaProfileView;

/* A link that is already there, by its ends and kind, or "nest" for a child. */
typedef struct
{
  guint32     from, to;
  const char *kind;
} StriaLinkKey;

/* A node of an artifact's graphs: its row in the table. */
typedef struct
{
  const StriaFacts *facts;
  guint32           row;
} StriaNodeKey;

/* What was measured on the NX of a segment of a delegate call. */
typedef struct
{
  guint32    entity;
  guint32    instruction_entity;
  gint32     instruction;
  gint64     number;    /* segment id */
  GPtrArray *relations; /* of guint32: rows of nx_segment with a debug database; no two the same */
} StriaProfileSegment;

struct _StriaProfile
{
  gatomicrefcount  refs;
  StriaProfileSet  set;
  char            *method;
  StriaTimeUnit    unit;
  StriaFacts      *record, *dump, *program, *vgf; /* or NULL */
  char            *program_path;   /* file on disk, or NULL */
  gboolean         program_packed; /* a member of an archive, or compressed */
  guint64          program_size;   /* bytes on disk, as they were scanned */
  gint64           program_mtime;  /* nanoseconds */
  guint32          record_method; /* row, or STRIA_NO_REF */
  guint32          plan;          /* row of program_plan, or STRIA_NO_REF */
  guint32          source_row;    /* row of the source graph in the record, or STRIA_NO_REF */
  StriaGraph      *source;        /* or NULL */

  /* See stria-profile-index.c */
  GHashTable      *planned;   /* chain << 32 | instruction -> row of program_instruction + 1 */
  GHashTable      *delegated; /* instruction -> row of record_delegate + 1 */
  GHashTable      *handles;   /* instruction -> GArray of gint64 */
  GHashTable      *delegate_handles; /* row of record_delegate -> rows */
  GHashTable      *fused_rows, *tosa_rows, *label_rows; /* row of nx_segment -> rows */

  GPtrArray       *entities; /* StriaEntity */
  GHashTable      *ids;      /* id -> number + 1 */
  GArray          *metrics;  /* StriaMetric */
  GArray          *links;    /* StriaLink */
  GHashTable      *link_keys;
  GPtrArray       *assumptions, *warnings, *checks, *provenance;
  StriaCompanion   companion;

  GArray          *executions;   /* StriaExecution */
  GArray          *execution_of; /* guint32 by dump_event, or STRIA_NO_REF */
  GHashTable      *series;       /* entity -> StriaSeries of its runtime */
  guint32          model;        /* entity */
  guint32         *source_entity; /* by node of the source graph, or NULL */
  GPtrArray       *segments;     /* StriaProfileSegment */
  GHashTable      *segment_of;   /* entity of a segment -> its number in `segments` + 1 */
  gboolean         many_calls;   /* several delegate calls have segments: ids name the call */

  GHashTable      *node_entity; /* of graphs of artifacts: StriaNodeKey -> entity + 1 */
  StriaProfileView views[STRIA_N_GRAPH_KINDS];
  GMutex           hierarchy_lock;
  gboolean         hierarchy_tried;
};

/* ---- stria-profile.c ----------------------------------------------------------------------- */

/* The entity @id, made if there is none yet. */
guint32 stria_profile_add_entity (StriaProfile *self, StriaEntityKind kind, const char *id,
                                  const char *name);
StriaEntity *stria_profile_get_entity (StriaProfile *self, guint32 entity);
/* Says which node of an artifact's graph the entity is */
void    stria_profile_place (StriaProfile *self, guint32 entity, StriaFacts *facts, guint32 graph,
                             guint32 node);
void    stria_profile_nest (StriaProfile *self, guint32 parent, guint32 child);
void    stria_profile_attribute (StriaProfile *self, guint32 entity, const char *key,
                                 const char *value);
const char *stria_entity_attribute (const StriaEntity *entity, const char *key);
void    stria_profile_add_link (StriaProfile *self, guint32 from, guint32 to, const char *kind,
                                StriaEvidence evidence, const char *note);
/* Figures of a series as metrics, or one that is unavailable; @name and @unit are static.
 * @full: P10 and P90 and the count too */
void    stria_profile_add_series (StriaProfile *self, guint32 entity, const char *name,
                                  StriaTimeUnit unit, const StriaSeries *series, gboolean full);
void    stria_profile_add_value (StriaProfile *self, guint32 entity, const char *name,
                                 const char *unit, StriaAggregation aggregation, double value,
                                 guint32 samples);
void    stria_profile_add_unavailable (StriaProfile *self, guint32 entity, const char *name,
                                       const char *unit, const char *reason);
void    stria_profile_warn (StriaProfile *self, const char *code, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
void    stria_profile_assume (StriaProfile *self, const char *code, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
void    stria_profile_check (StriaProfile *self, const char *name, StriaCheckState state,
                             const char *format, ...) G_GNUC_PRINTF (4, 5);
void    stria_profile_state (StriaProfile *self, const char *key, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* The unit of counters: values that are as they are */
#define STRIA_UNIT_COUNTERS STRIA_TIME_CYCLES

/* ---- stria-profile-index.c ----------------------------------------------------------------- */

void    stria_profile_make_index (StriaProfile *self);
void    stria_profile_drop_index (StriaProfile *self);
/* NULL: the plan has no such instruction, or there is no plan */
const StriaProgramInstructionRow *stria_profile_plan_instruction (StriaProfile *self, gint32 chain,
                                                                  gint32 instruction);
/* Backend of a delegate call of the record, or NULL */
const char *stria_profile_recorded_delegate (StriaProfile *self, gint32 instruction);
/* Rows by what they refer to: (element-type guint32), or NULL */
const GArray *stria_profile_rows_of (GHashTable *index, gsize key);

/* ---- stria-profile-executions.c ------------------------------------------------------------ */

void    stria_profile_find_executions (StriaProfile *self);

/* ---- stria-profile-runtime.c --------------------------------------------------------------- */

void    stria_profile_read_runtime (StriaProfile *self);
/* Entity of an instruction of the plan, or STRIA_NO_REF */
guint32 stria_profile_instruction_entity (StriaProfile *self, gint32 chain, gint32 instruction);
guint32 stria_profile_add_instruction (StriaProfile *self, gint32 chain, gint32 instruction);
/* VGF in the companion of the call @instruction: row of vgf, or STRIA_NO_REF */
guint32 stria_profile_call_vgf (StriaProfile *self, gint32 instruction);

/* ---- stria-profile-source.c ---------------------------------------------------------------- */

/* Source operators, and what the record says of instructions and delegate events. */
void    stria_profile_read_source (StriaProfile *self);
/* Source operators with handles of an instruction: nodes of the source graph */
GArray *stria_profile_operators_of (StriaProfile *self, gint32 instruction);

/* ---- stria-profile-links.c ----------------------------------------------------------------- */

/* Chains to operations of the debug database, to operators of the companion, to the source. */
void    stria_profile_link_chains (StriaProfile *self);

/* ---- stria-profile-nx.c -------------------------------------------------------------------- */

void    stria_profile_read_nx (StriaProfile *self);
/* [PROPOSAL] where several delegate calls have segments, ids begin with the call. */
char   *stria_profile_nx_id   (StriaProfile *self, gint32 instruction, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* The chain or cascade of a segment, made if there is none yet */
guint32 stria_profile_segment_part (StriaProfile *self, const StriaProfileSegment *segment,
                                    StriaEntityKind kind, const char *number);

/* ---- stria-profile-nx-remarks.c ------------------------------------------------------------ */

/* Counts what is wrong with one payload or segment, by its reason. */
void    stria_profile_count_trouble (StriaProfile *self, GHashTable *troubles, guint8 state,
                                     guint32 code, guint32 reason);
void    stria_profile_warn_of_payloads (StriaProfile *self, GHashTable *troubles);
/* @seen: instruction -> executions with usable statistics */
void    stria_profile_warn_of_coverage (StriaProfile *self, GHashTable *seen);
void    stria_profile_state_settings (StriaProfile *self, const StriaNxPayloadRow *payload);

/* ---- stria-profile-graphs.c ---------------------------------------------------------------- */

void    stria_profile_make_graphs (StriaProfile *self);
void    stria_profile_make_hierarchy (StriaProfile *self);

G_END_DECLS
