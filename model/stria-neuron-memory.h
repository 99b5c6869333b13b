/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-table.h"

G_BEGIN_DECLS

/* Rows of SbufAllocation beyond so many are counted, and left out. */
#define STRIA_SBUF_MAX_RANGES (4u << 20)

/* Texts of a range, each a number of #StriaNeuronMemory.names */
typedef enum
{
  STRIA_SBUF_SOURCE,
  STRIA_SBUF_OPCODE,
  STRIA_SBUF_OPERANDS,
  STRIA_SBUF_QUEUE,
  STRIA_SBUF_TENSOR,
  STRIA_SBUF_HLO,
  STRIA_SBUF_N_TEXTS,
} StriaSbufText;

/**
 * StriaSbufRange:
 * @start: when it becomes occupied, @end: when it becomes free; ns as the file counts
 * @first: first byte, @last: last byte
 * @row: of the table that it is from, @artifact: of that
 * @block: transfer's id, %G_MININT64: none
 * @partition, @core: -1: not told
 * @texts: numbers of names, 0: none
 *
 * Addresses of the state buffer that stay occupied, a row of SbufAllocation.
 */
typedef struct
{
  gint64  start, end;
  gint64  first, last;
  guint64 row;
  gint64  block;
  guint32 artifact;
  gint32  partition, core;
  guint32 texts[STRIA_SBUF_N_TEXTS];
} StriaSbufRange;

/**
 * StriaSbufPressure:
 * @core, @partition: of what it is, -1: not told
 * @n_ranges: rows
 * @first, @last: lowest and highest address that any of them has
 * @t0, @t1: from the first start to the last end
 * @peak_bytes: most bytes occupied at once, each counted once, first reached at @peak_ns
 * @mean_bytes: occupied bytes by time
 * @peak_fragmentation: 1 − largest free gap ÷ free bytes between @first and @last at @peak_ns; -1:
 *   nothing is free then
 * @mean_fragmentation: the same by time, over times at which something is occupied and something
 *   is free; -1: there are none
 * @worst_fragmentation: the largest one, at @worst_ns; -1: there is none
 *
 * How full one partition was, and how scattered what was free.
 */
typedef struct
{
  gint32  core, partition;
  guint64 n_ranges;
  gint64  first, last;
  gint64  t0, t1;
  guint64 peak_bytes;
  gint64  peak_ns;
  double  mean_bytes;
  double  peak_fragmentation;
  double  mean_fragmentation;
  double  worst_fragmentation;
  gint64  worst_ns;
} StriaSbufPressure;

#define STRIA_FULLNESS_MAX_PARTS 16

/**
 * StriaFullness:
 * @is_psum: of PSUM, whose parts are banks; else of SBUF, whose parts are partitions
 * @core: -1: not told
 * @parts: (array length=n_parts): their numbers
 * @times: (element-type gint64): of samples, ascending
 * @shares: (element-type float): @n_parts a sample, in percent; NaN: no value
 * @most: largest share of each part; NaN: it has none
 *
 * Samples of how full the parts of a memory were.
 */
typedef struct
{
  gboolean is_psum;
  gint32   core;
  guint    n_parts;
  guint    parts[STRIA_FULLNESS_MAX_PARTS];
  float    most[STRIA_FULLNESS_MAX_PARTS];
  GArray  *times;
  GArray  *shares;
} StriaFullness;

/**
 * StriaMemoryStack:
 * @title: of which memory
 * @table: that it was read from
 * @unit: "B" or "B/s"
 * @names: (element-type utf8): columns that are stacked, the one with the most first
 * @times: (element-type gint64): of samples, ascending; a sample holds until the next
 * @values: (element-type double): one a name and sample
 * @totals: (element-type double): what the file says all of it is, else the sum
 * @has_totals: whether the file says it
 *
 * HBM over time. Where totals are larger than the sum, the rest is of no category.
 */
typedef struct
{
  char      *title;
  char      *table;
  char      *unit;
  GPtrArray *names;
  GArray    *times;
  GArray    *values;
  GArray    *totals;
  gboolean   has_totals;
} StriaMemoryStack;

/**
 * StriaMemoryTensor:
 * @name: of the variable; @type: IN, OUT or WEIGHT; @format, @shape: as declared; "" if not told
 * @size: bytes, @node: -1: not told
 * @core: -1: of all, or not told
 * @load_bytes, @load_count: loaded into SBUF; -1: not known
 * @loads_counted: they are sums of transfers, since TensorInfo does not say them
 * @repeat: @load_bytes ÷ @size, or what the file says; -1: not known
 * @save_bytes, @save_count: transfers to the memory for spills; -1: not known
 * @reload_bytes, @reload_count: transfers from there; -1: not known
 * @n_ranges: rows of SbufAllocation that name it, -1: not known
 * @is_declared: TensorInfo has it
 */
typedef struct
{
  char    *name, *type, *format, *shape;
  gint64   size, node;
  gint32   core;
  double   load_bytes, load_count, repeat;
  double   save_bytes, save_count;
  double   reload_bytes, reload_count;
  gint64   n_ranges;
  gboolean loads_counted;
  gboolean is_declared;
} StriaMemoryTensor;

typedef enum
{
  STRIA_MEMORY_SPILL_SAVE,
  STRIA_MEMORY_SPILL_SAVES,
  STRIA_MEMORY_SPILL_RELOAD,
  STRIA_MEMORY_SPILL_RELOADS,
  STRIA_MEMORY_RELOAD_SHARE,
  STRIA_MEMORY_INPUT_RELOAD,
  STRIA_MEMORY_EXCESS,
  STRIA_MEMORY_COVERAGE,
  STRIA_MEMORY_N_FIGURES,
} StriaMemoryFigureId;

/**
 * StriaMemoryFigure:
 * @unit: "B", "" or "of 1"
 * @formula: what it is made of, untranslated
 * @value: NaN where @missing says what it needs
 */
typedef struct
{
  const char *unit;
  const char *formula;
  double      value;
  const char *missing;
} StriaMemoryFigure;

/**
 * StriaNeuronMemory:
 * @ranges: (element-type StriaSbufRange): by start
 * @ends: (element-type gint64): the latest end of a range and all before it
 * @n_skipped: rows without a time or an address, or that end before they begin
 * @n_over: rows beyond %STRIA_SBUF_MAX_RANGES
 * @missing: (nullable): table or column that ranges need and that is not there
 * @names: (element-type utf8): texts of ranges; the first is empty
 * @pressures: (element-type StriaSbufPressure): by core and partition
 * @fullness: (element-type StriaFullness): SBUF, then PSUM, by core
 * @stacks: (element-type StriaMemoryStack)
 * @tensors: (element-type StriaMemoryTensor): most spilled bytes first, then largest
 * @figures: of spills and reloads
 *
 * What a Neuron capture says of its memories. Immutable; reference-counted, any thread.
 */
typedef struct
{
  GArray           *ranges;
  GArray           *ends;
  guint64           n_skipped;
  guint64           n_over;
  const char       *missing;
  GPtrArray        *names;
  GArray           *pressures;
  GPtrArray        *fullness;
  GPtrArray        *stacks;
  GPtrArray        *tensors;
  StriaMemoryFigure figures[STRIA_MEMORY_N_FIGURES];
  /*< private >*/
  GArray           *ordinals[STRIA_SBUF_N_TEXTS]; /* guint32, by number of a name; from 1, 0: none */
  GHashTable       *numbers; /* text → number of a name */
  GStringChunk     *chunk;
} StriaNeuronMemory;

/**
 * stria_neuron_memory_new:
 * @tables: (element-type StriaTable): of one device profile, see stria_neuron_summary_tables();
 *   tables of a system profile that are among them or come with it give HBM by category
 *
 * Reads whole columns: for a worker.
 *
 * Returns: (transfer full) (nullable): NULL with @error
 */
StriaNeuronMemory *stria_neuron_memory_new   (GPtrArray *tables, GCancellable *cancellable,
                                              GError **error);
StriaNeuronMemory *stria_neuron_memory_ref   (StriaNeuronMemory *self);
void               stria_neuron_memory_unref (StriaNeuronMemory *self);
/* Whether any of @tables has rows that are shown */
gboolean           stria_neuron_memory_has   (GPtrArray *tables);
/* Text @text of a range, "" if it has none */
const char        *stria_neuron_memory_text  (const StriaNeuronMemory *self,
                                              const StriaSbufRange *range, StriaSbufText text);
/* Which of the texts of its kind a name is, in the order in which they first occupy something, from 0;
 * opcodes and queues count as one kind. @name: as stria_neuron_memory_text() gives it.
 * G_MAXUINT: there is none of that kind */
guint              stria_neuron_memory_ordinal (const StriaNeuronMemory *self, StriaSbufText text,
                                                const char *name);
/* Returns: (nullable): of a partition of a core */
const StriaSbufPressure *stria_neuron_memory_pressure (const StriaNeuronMemory *self, gint32 core,
                                                       gint32 partition);

/**
 * StriaSbufShare:
 * @name: text of ranges, "" for those without one; lives as long as the memory
 * @n_ranges: how many
 * @byte_ns: sum of their sizes by how long they stay
 */
typedef struct
{
  const char *name;
  guint64     n_ranges;
  double      byte_ns;
} StriaSbufShare;

/* Ranges of a partition of a core by one of their texts; @text: for opcodes those without one are
 * called by their queue. For a worker.
 * Returns: (transfer full) (element-type StriaSbufShare): most by time first */
GArray *stria_neuron_memory_shares (const StriaNeuronMemory *self, gint32 core, gint32 partition,
                                    StriaSbufText text);
/* The first range of a tensor, @core, @partition: -1: of any. G_MAXUINT: there is none */
guint   stria_neuron_memory_find   (const StriaNeuronMemory *self, const char *tensor, gint32 core,
                                    gint32 partition);
/* The first range that may hold at @time; those before it have ended */
guint   stria_neuron_memory_from   (const StriaNeuronMemory *self, gint64 time);

/* Sample that holds at @time, -1: it is before the first */
gint64 stria_samples_at        (GArray *times, gint64 time);
/* The sample with the largest total that holds in [@t0, @t1]; -1: there is none */
gint64 stria_memory_stack_peak (const StriaMemoryStack *self, gint64 t0, gint64 t1);

/**
 * stria_neuron_memory_writer:
 * @tables: as stria_neuron_memory_new()
 * @range: from these
 * @table: (out): name of the table that the row is of
 * @artifact: (out), @row: (out): the row
 *
 * The row that a range was written by, as far as the table says it: an instruction of the same
 * core, opcode and operands, or a transfer of the same core, queue and block, that runs when the range
 * becomes occupied. For a worker.
 *
 * Returns: how many rows that is true of: none is told unless it is 1
 */
guint64 stria_neuron_memory_writer (GPtrArray *tables, const StriaNeuronMemory *self,
                                    const StriaSbufRange *range, const char **table,
                                    guint32 *artifact, guint64 *row, GCancellable *cancellable,
                                    GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaNeuronMemory, stria_neuron_memory_unref)

G_END_DECLS
