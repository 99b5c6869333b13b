/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-table.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-neuron-schema
 *
 * The published schema 7.4.0 of processed Neuron profiles: 52 tables, 656 columns, with types, units and
 * a short note each, in our own words (data/neuron-schema.txt). It labels columns; it never changes what a file says, and a file
 * that brings its own SchemaFields table is believed before it.
 */
typedef struct
{
  const char *name;
  StriaCellType type;
  gboolean is_list;   /* values are lists, kept as JSON text */
  gboolean required;
  const char *unit;
  const char *note;   /* or "" */
} StriaNeuronColumn;

typedef struct
{
  const char *name;
  const char *kind;   /* event, sample, edge, hierarchy, summary, lookup, meta, diag, transient */
  const char *note;
  guint n_columns;
  const StriaNeuronColumn *columns;
} StriaNeuronTable;

const StriaNeuronTable  *stria_neuron_schema        (guint *n_tables);
/* "7.4.0" */
const char              *stria_neuron_schema_version (void);
/* Compared without case; a number behind the name ("Instruction_3") is not part of it. NULL: none */
const StriaNeuronTable  *stria_neuron_schema_table  (const char *name);
const StriaNeuronColumn *stria_neuron_schema_column (const StriaNeuronTable *table, const char *name);

G_END_DECLS
