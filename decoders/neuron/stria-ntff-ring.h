/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-ntff-private.h"

G_BEGIN_DECLS

/* Clocks of one core's blocks, and of the DMA engine of a ring */
typedef struct
{
  StriaNtffClock engine[STRIA_NTFF_N_ENGINES];
  StriaNtffClock evt_sem;
  StriaNtffClock error;
  StriaNtffClock top_sp;
  StriaNtffClock dma;
} StriaNtffClocks;

/**
 * StriaNtffRing:
 * @graph: number of the graph whose ring it is, -1 for the session's
 * @clock_graph: the graph whose clocks it goes by, -1: none has any
 * @kind: notification_trace_type
 * @is_status: only EXPLICIT records of the status kind: nothing was traced here
 * @by_type: the clock of each type of record
 *
 * All records that one ring of the hardware wrote, from however many blobs.
 */
typedef struct
{
  gint32 graph;
  gint32 clock_graph;
  guint32 block;
  guint32 kind;
  guint32 engine_index;
  guint32 pcore;
  GArray *spans; /* StriaNtffSpan */
  StriaNtffSurvey survey;
  gboolean is_status;
  gboolean refused;
  StriaNtffClock by_type[32];
} StriaNtffRing;

/* The rings of a file, surveyed; sets the file's zero and its counts. Returns: (transfer full)
 * (element-type StriaNtffRing) */
GPtrArray *stria_ntff_rings_new (StriaNtffFile *self);

/* Whether the ring is one of a core that runs instructions */
static inline gboolean
stria_ntff_ring_is_core (const StriaNtffRing *ring)
{
  return ring->block == NTFF__BLOCK_TYPE__BLOCK_TYPE_NC;
}

static inline gint64
stria_ntff_ring_ns (const StriaNtffFile *self, const StriaNtffRing *ring,
                    const StriaNtffRecord *record)
{
  gint64 ns;

  if (__builtin_sub_overflow (stria_ntff_clock_ns (&ring->by_type[record->type], record->time),
                              self->zero_ns, &ns))
    return G_MAXINT64;
  return ns;
}

/* --- where instructions come from -------------------------------------------------------------- */

/**
 * StriaNtffOrigins:
 *
 * The programs (.neff) that a profile is paired with, and what their debug information says of its
 * instructions.
 */
typedef struct _StriaNtffOrigins StriaNtffOrigins;

/* Returns: NULL with @error when cancelled */
StriaNtffOrigins *stria_ntff_origins_new  (StriaNtffFile *file, GError **error);
/* Tells what was left without names, in one notice; frees it */
void              stria_ntff_origins_free (StriaNtffOrigins *self);
/* Returns: (transfer none) (nullable): NULL: for the reason in @gap */
const StriaNeffListing *stria_ntff_origins_listing (StriaNtffOrigins *self,
                                                    const StriaNtffGraph *graph,
                                                    StriaNtffEngine engine, StriaNtffGap *gap);

/* Columns that stria_ntff_origins_put() sets, in a row from the one that it is given */
#define STRIA_NTFF_ORIGIN_COLUMNS                                                                  \
  "compiler_opcode", "raw_bir_id", "bir_id", "bir_instruction_name", "raw_penguin_id",             \
      "raw_hlo_id", "hlo_name", "raw_framework_id", "layer", "stack_frame_ids",                    \
      "bir_debug_info_source_location", "stack_source_location:s"
#define STRIA_NTFF_N_ORIGIN_COLUMNS 12

/* @code: (nullable); @compiler_pc: -1: not known */
void stria_ntff_origins_put (StriaNtffOrigins *self, StriaNeuronRows *rows, guint first_column,
                             const StriaNtffCode *code, gint64 compiler_pc);

/* --- programs --------------------------------------------------------------------------------- */

/**
 * StriaNtffPrograms:
 *
 * The instructions of each graph's engines and CC-cores, and which of them ran when.
 */
typedef struct _StriaNtffPrograms StriaNtffPrograms;

StriaNtffPrograms *stria_ntff_programs_new  (StriaNtffFile *self, GPtrArray *rings,
                                             StriaNtffOrigins *origins);
void               stria_ntff_programs_free (StriaNtffPrograms *self);
/* NULL: it is not known which program ran, or the file has none. @execution: (out): its number in
 * the timeline, or -1 */
StriaNtffCode     *stria_ntff_programs_find (StriaNtffPrograms *self, const StriaNtffRing *ring,
                                             StriaNtffEngine engine, guint64 ticks,
                                             gint32 *execution);

/* Rows of executions, and of the instructions themselves */
void               stria_ntff_program_rows  (StriaNtffPrograms *self);

/* --- DMA -------------------------------------------------------------------------------------- */

typedef struct _StriaNtffDma StriaNtffDma;

StriaNtffDma *stria_ntff_dma_new    (StriaNtffFile *self);
void          stria_ntff_dma_begin  (StriaNtffDma *self, const StriaNtffRing *ring);
void          stria_ntff_dma_record (StriaNtffDma *self, const StriaNtffRecord *record, gint64 ns);
/* What is still open goes to rows. */
void          stria_ntff_dma_end    (StriaNtffDma *self);
/* Notices and counts; frees it */
void          stria_ntff_dma_free   (StriaNtffDma *self);

G_END_DECLS
