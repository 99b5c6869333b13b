/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-trace.h"

G_BEGIN_DECLS

typedef enum
{
  STRIA_TRANSFER_DMA  = 0,      /* row of DmaPacketAggregated, or of DmaPacket where there is no other */
  STRIA_TRANSFER_COPY = 1 << 0, /* gpu_memcpy or gpu_memset of a PyTorch trace */
  STRIA_TRANSFER_DYNAMIC_HARDWARE = 1 << 1, /* issued by hardware-dynamic DMA */
  STRIA_TRANSFER_SPILL_SAVE = 1 << 2,   /* to the memory for spills */
  STRIA_TRANSFER_SPILL_RELOAD = 1 << 3, /* from there */
} StriaTransferFlags;

/**
 * StriaTransfer:
 * @start: nanoseconds, as the lane counts
 * @end: the same
 * @bytes: bytes moved, -1 where the file does not say
 * @process: of the trace
 * @ref: its event
 * @flags: #StriaTransferFlags
 */
typedef struct
{
  gint64   start;
  gint64   end;
  gint64   bytes;
  guint32  process;
  StriaRef ref;
  guint    flags;
} StriaTransfer;

/* What moves bytes in a trace. Loads lanes, rows and arguments: for a worker.
 * Returns: (transfer full) (element-type StriaTransfer): by start; NULL with @error */
GArray *stria_transfers_new  (StriaTrace *trace, GCancellable *cancellable, GError **error);
/* The first that starts at @ns or after it */
guint   stria_transfers_from (const GArray *transfers, gint64 ns);

/* -- what a trace's lanes and names are about ------------------------------------------------- */

/* The table whose rows a lane's events are, or NULL. Returns: (transfer none) (nullable) */
typedef struct _StriaTable StriaTable;
StriaTable *stria_trace_table_of (StriaTrace *trace, StriaLane *lane);
/* Returns: (transfer full) (element-type StriaTable): those of the trace's capture */
GPtrArray  *stria_trace_get_tables (StriaTrace *trace);
/* All values of a column of numbers, by row, NAN where there is none.
 * Returns: (transfer full) (nullable) (array): NULL with @error, or without if there is no such
 * column */
double     *stria_table_load_numbers (StriaTable *table, const char *column, GCancellable *cancellable,
                                      GError **error);
/* Flags of a trace's categories: @flag where the name is one of @names. @flags has one a
 * category. */
void        stria_trace_flag_categories (StriaTrace *trace, const char *const *names, guint8 flag,
                                         guint8 *flags);

extern const char *const stria_categories_kernel[];
extern const char *const stria_categories_copy[];
extern const char *const stria_categories_runtime[];

G_END_DECLS
