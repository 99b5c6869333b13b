/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-neuron-schema.h"

#include "neuron-schema.h"

/**
 * stria_neuron_schema:
 * @n_tables: (out): how many
 *
 * Returns: (transfer none): the tables of the published schema, by name
 */
const StriaNeuronTable *
stria_neuron_schema (guint *n_tables)
{
  *n_tables = G_N_ELEMENTS (neuron_tables);
  return neuron_tables;
}

const char *
stria_neuron_schema_version (void)
{
  return STRIA_NEURON_SCHEMA_VERSION_TEXT;
}

/* Length of a name without the number of a split ("Instruction_3") */
static gsize
base_length (const char *name)
{
  gsize length = strlen (name), end = length;

  while (end > 0 && g_ascii_isdigit (name[end - 1]))
    end--;
  return end < length && end > 1 && name[end - 1] == '_' ? end - 1 : length;
}

/**
 * stria_neuron_schema_table:
 * @name: name of a table, in any case; a number behind it is not part of it
 *
 * Returns: (transfer none) (nullable): what is published of it
 */
const StriaNeuronTable *
stria_neuron_schema_table (const char *name)
{
  gsize length = base_length (name);

  for (guint i = 0; i < G_N_ELEMENTS (neuron_tables); i++)
    if (strlen (neuron_tables[i].name) == length
        && g_ascii_strncasecmp (neuron_tables[i].name, name, length) == 0)
      return &neuron_tables[i];
  return NULL;
}

/**
 * stria_neuron_schema_column:
 * @table: (nullable): a table
 * @name: name of a column, in any case
 *
 * Returns: (transfer none) (nullable): what is published of it
 */
const StriaNeuronColumn *
stria_neuron_schema_column (const StriaNeuronTable *table, const char *name)
{
  for (guint i = 0; table != NULL && i < table->n_columns; i++)
    if (g_ascii_strcasecmp (table->columns[i].name, name) == 0)
      return &table->columns[i];
  return NULL;
}
