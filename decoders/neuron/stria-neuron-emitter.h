/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-records.h"
#include "stria-table.h"

G_BEGIN_DECLS

/**
 * StriaNeuronEmitter:
 *
 * Where everything that a Neuron file says goes: rows under the published schema's table and column
 * names (Instruction, DmaPacket, SystemProfileEvents, ...), whether they come from an export or from raw
 * files. Each table is handed to the sink as it is; of those that have times, the emitter also puts
 * slices, instants and counters on the timeline, so that exports and raw files give the same lanes.
 *
 * Lanes made from a table have a key that begins with "table\x1f" NAME "\x1f"; an event's seq is the
 * row's number in the table of its artifact, from 0. That is how a view finds the row of a slice.
 */
typedef struct _StriaNeuronEmitter StriaNeuronEmitter;

/* @profile: (nullable): title of the device profile or process, for the lanes' processes when the rows
 * do not say it. The sink stays the caller's. */
StriaNeuronEmitter *stria_neuron_emitter_new   (StriaSink *sink, const char *profile);
/* Puts what was kept back (open counters, flows) on the timeline; frees it. */
void                stria_neuron_emitter_free  (StriaNeuronEmitter *self);
/* Number for stria_neuron_emitter_rows(). Columns that the published schema knows get its unit and
 * note where @columns leaves them empty. */
guint               stria_neuron_emitter_table (StriaNeuronEmitter *self, const char *name,
                                                const StriaColumnInfo *columns, guint n_columns);
void                stria_neuron_emitter_rows  (StriaNeuronEmitter *self, guint table,
                                                const StriaColumnData *columns, guint32 n_rows);

/* Size and clock of the tensor engine, for emitters that are not given the Metadata table: the greatest
 * number of floating point operations in a nanosecond is 2 x @rows x @columns x @clock_ghz. */
void                stria_neuron_emitter_set_tensor_engine (StriaNeuronEmitter *self, double rows,
                                                            double columns, double clock_ghz);
/* Dependencies of rows of the emitter's tables that are listed elsewhere, as the Flow table of an
 * export does in a file of its own: before the rows. Afterwards only rows that an edge names are
 * remembered; without any edge, none are. */
void                stria_neuron_emitter_edge      (StriaNeuronEmitter *self, const char *from_table,
                                                    gint64 from, const char *to_table, gint64 to,
                                                    const char *type);
void                stria_neuron_emitter_seal_edges (StriaNeuronEmitter *self);
/* A time as Metadata and SystemProfileMetadata write it ("2025-12-18 15:35:56.592459482 +0000 UTC")
 * or as a number, in nanoseconds since the epoch. @length: -1 for terminated text */
gboolean            stria_neuron_parse_time        (const char *text, gssize length, gint64 *ns);

/**
 * StriaNeuronRows:
 *
 * Rows of one table made one by one, for decoders that have no columns at hand: set cells by column
 * number (the order of the names that were given), end the row, and they go to the emitter in batches.
 * Cells that are not set have no value.
 */
typedef struct _StriaNeuronRows StriaNeuronRows;

/* @names: (array zero-terminated=1): columns; those of the published schema have its type. A name may
 * end in ":i", ":f", ":b" or ":s" (int, real, bool, text) for a column that the schema does not know. */
StriaNeuronRows *stria_neuron_rows_new  (StriaNeuronEmitter *emitter, const char *table,
                                         const char *const *names);
void             stria_neuron_rows_int  (StriaNeuronRows *self, guint column, gint64 value);
void             stria_neuron_rows_real (StriaNeuronRows *self, guint column, double value);
/* @length: -1 for terminated text */
void             stria_neuron_rows_text (StriaNeuronRows *self, guint column, const char *text,
                                         gssize length);
void             stria_neuron_rows_end  (StriaNeuronRows *self);
/* Hands over what is left; frees it. */
void             stria_neuron_rows_free (StriaNeuronRows *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaNeuronEmitter, stria_neuron_emitter_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaNeuronRows, stria_neuron_rows_free)

G_END_DECLS
