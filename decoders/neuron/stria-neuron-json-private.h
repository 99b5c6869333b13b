/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"
#include "stria-neuron-emitter.h"

G_BEGIN_DECLS

typedef enum
{
  NEURON_JSON_NULL,
  NEURON_JSON_INT,
  NEURON_JSON_REAL,
  NEURON_JSON_BOOL,
  NEURON_JSON_TEXT,
  NEURON_JSON_NESTED, /* a list or an object, as JSON */
  NEURON_JSON_BIG,    /* a whole number outside of int64 */
} NeuronJsonKind;

/* A value of a row. Its text as written lies at @offset of the row's texts. */
typedef struct
{
  guint32 column;
  NeuronJsonKind kind;
  union
  {
    gint64 integer;
    double real;
  };
  guint32 offset;
  guint32 length;
} NeuronJsonCell;

/* A row as it is being read */
typedef struct
{
  GArray *cells; /* NeuronJsonCell */
  GString *text;
} NeuronJsonRow;

typedef struct
{
  const char *key;    /* as the file has it */
  const char *column; /* as the schema has it */
} NeuronJsonName;

/**
 * NeuronJsonPlace:
 * @key: member of the document
 * @table: where its rows go
 * @names: (array zero-terminated=1): members that have another name in the schema
 * @witness: a member that its rows have, by which the document is told
 * @is_events: rows may have members under "args", and their source and core in one word
 */
typedef struct
{
  const char *key;
  const char *table;
  const NeuronJsonName *names;
  const char *witness;
  gboolean is_events;
} NeuronJsonPlace;

/* Returns: (nullable): where the rows of a member of the document go */
const NeuronJsonPlace *neuron_json_place (const char *key);
/* How sure the beginning of a document is */
guint neuron_json_probe (const char *name, const guint8 *head, gsize length, gboolean whole);

/* Rows of one table on their way to the emitter: the first ones are kept until the columns are
 * known. */
typedef struct _NeuronJsonTable NeuronJsonTable;

NeuronJsonTable *neuron_json_table_new  (StriaNeuronEmitter *emitter, const char *name,
                                         const NeuronJsonName *names);
guint            neuron_json_table_column (NeuronJsonTable *self, const char *key, gsize length);
/* The column of @to that has the name of one of @self */
guint            neuron_json_table_alias (const NeuronJsonTable *self, NeuronJsonTable *to,
                                          guint column);
void             neuron_json_table_add  (NeuronJsonTable *self, const NeuronJsonRow *row);
void             neuron_json_table_free (NeuronJsonTable *self);
const char      *neuron_json_table_name (const NeuronJsonTable *self);

NeuronJsonCell  *neuron_json_row_find   (const NeuronJsonRow *row, guint column);
void             neuron_json_row_text   (NeuronJsonRow *row, guint column, const char *text,
                                         gsize length, NeuronJsonKind kind);
void             neuron_json_row_int    (NeuronJsonRow *row, guint column, gint64 value);
/* A number as JSON writes it */
void             neuron_json_row_number (NeuronJsonRow *row, guint column, const char *digits,
                                         gsize length);
/* The value as a whole number, of a text that holds one too */
gboolean         neuron_json_cell_int   (const NeuronJsonRow *row, const NeuronJsonCell *cell,
                                         gint64 *value);
/* The value as a number, of a text that holds one too */
gboolean         neuron_json_cell_real  (const NeuronJsonRow *row, const NeuronJsonCell *cell,
                                         double *value);

/* Starts and stops that the runtime gave out one by one, joined to events (documented in public
 * code) */
typedef struct _NeuronJsonFetch NeuronJsonFetch;

NeuronJsonFetch *neuron_json_fetch_new  (StriaNeuronEmitter *emitter);
/* @keys: by which the row's columns are told */
void             neuron_json_fetch_add  (NeuronJsonFetch *self, NeuronJsonTable *keys,
                                         const NeuronJsonRow *row);
/* Gives what was not joined. @n_stops: (out): stops without a start */
void neuron_json_fetch_free (NeuronJsonFetch *self, guint64 *n_stops, guint64 *n_starts);
/* "neuron_hw" for those events that the device's clock times (documented), else "neuron_rt" */
const char      *neuron_json_source_of  (const char *name);

G_END_DECLS
