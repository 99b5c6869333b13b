/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli-common.h"
#include "cli-json.h"
#include "stria-allocator.h"

G_BEGIN_DECLS

/* What the command line asks of a device's allocator. */
typedef struct
{
  StriaAllocGroup by;
  guint           top; /* rows; 0 = all */
  gboolean        leaks;
  gboolean        map;
  gboolean        is_diff; /* growth from one moment to another */
  GArray         *steps;   /* (nullable) (element-type guint32) */
} MemoryOptions;

/* What the model answers. */
typedef struct
{
  StriaAllocator  *allocator;
  guint64          actions[STRIA_N_ALLOC_ACTIONS];
  guint32          n_ghosts;
  guint32          n_unmatched;
  guint32          step;
  guint32          base_step;
  guint32          peak_step;
  StriaAllocTotals moment;
  StriaAllocTotals base;
  StriaAllocTotals peak;
  GArray          *rows;  /* StriaAllocGroupRow */
  GArray          *pools; /* (nullable) StriaPoolUse by ordinal, where rows are pools */
  GArray          *leaks; /* (nullable) StriaLeakSuspect */
  StriaMap        *map;
} MemoryAnswer;

/* Sums over the ranges of one segment, or of all of them. */
typedef struct
{
  guint64 allocated; /* without what waits for its free */
  guint64 pending;
  guint64 rounding;
  guint64 free_bytes;
  guint64 largest_free;
} MemoryRanges;

/* A row of the comparison of two snapshots. */
typedef struct
{
  char   *label;
  guint64 bytes[2];
  guint64 count[2];
} MemoryPair;

/* "peak", "end", a step, or a time as "12us". FALSE with %STRIA_ERROR_QUERY */
gboolean    memory_parse_moment (StriaAllocator *allocator, const char *text, guint32 *step,
                                 GError **error);
/* @segment: index, or G_MAXUINT for all */
void        memory_sum_ranges  (const StriaMap *map, guint segment, MemoryRanges *sums);
/* Returns: (transfer full): what the row is about, for people */
char       *memory_row_label   (StriaAllocator *allocator, StriaAllocGroup by, guint64 key);
/* Stable name of a group for machines: "stack" */
const char *memory_group_name  (StriaAllocGroup by);
const char *memory_ring_name   (StriaRingState ring);
/* Returns: (transfer full) (nullable): "0,0"; NULL for one that is not known */
char       *memory_pool_text   (guint64 pool);

void        memory_json_device (CliJson *json, const MemoryOptions *options,
                                const MemoryAnswer *answer);
void        memory_print_device (const MemoryOptions *options, const MemoryAnswer *answer);
/* @pairs: (element-type MemoryPair) */
void        memory_json_pairs  (CliJson *json, const MemoryOptions *options, const GArray *pairs);
void        memory_print_pairs (const MemoryOptions *options, const GArray *pairs);

G_END_DECLS
