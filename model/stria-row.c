/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-row.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "stria-json-text.h"
#include "stria-neuron-schema.h"
#include "stria-trace-private.h"

/* -- what a column is about ------------------------------------------------------------------ */

/* The first that fits decides. A word that begins or ends with "*" may have more there. */
static const struct
{
  const char *word;
  StriaRowGroup group;
} rules[] = {
  { "stack_frame*", STRIA_ROW_FRAMEWORK },
  { "*source_location", STRIA_ROW_FRAMEWORK },
  { "layer", STRIA_ROW_FRAMEWORK },
  { "framework_name", STRIA_ROW_FRAMEWORK },
  { "framework_stream_id", STRIA_ROW_IDS },
  { "node_name", STRIA_ROW_FRAMEWORK },
  { "parent_name", STRIA_ROW_FRAMEWORK },
  { "children_names", STRIA_ROW_FRAMEWORK },
  { "id", STRIA_ROW_IDS },
  { "pc", STRIA_ROW_IDS },
  { "compiler_pc", STRIA_ROW_IDS },
  { "*_id", STRIA_ROW_IDS },
  { "*_ids", STRIA_ROW_IDS },
  { "*_idx", STRIA_ROW_IDS },
  { "*_gid", STRIA_ROW_IDS },
  { "*_index", STRIA_ROW_IDS },
  { "bir_instruction_name", STRIA_ROW_IDS },
  { "kernel_instruction_name", STRIA_ROW_IDS },
  { "hlo_*", STRIA_ROW_HLO },
  { "timestamp", STRIA_ROW_TIMING },
  { "trigger", STRIA_ROW_TIMING },
  { "completion", STRIA_ROW_TIMING },
  { "source", STRIA_ROW_MEMORY },
  { "dest", STRIA_ROW_MEMORY },
  { "variable", STRIA_ROW_MEMORY },
  { "throughput", STRIA_ROW_MEMORY },
  { "read_*", STRIA_ROW_MEMORY },
  { "write_*", STRIA_ROW_MEMORY },
  { "transpose_*", STRIA_ROW_MEMORY },
  { "is_transpose_mode", STRIA_ROW_MEMORY },
  { "*_bytes", STRIA_ROW_MEMORY },
  { "name", STRIA_ROW_OPERATION },
  { "op", STRIA_ROW_OPERATION },
  { "operation", STRIA_ROW_OPERATION },
  { "algorithm", STRIA_ROW_OPERATION },
  { "engine", STRIA_ROW_OPERATION },
  { "*_engine", STRIA_ROW_OPERATION },
  { "timeline_track", STRIA_ROW_OPERATION },
  { "*opcode", STRIA_ROW_OPERATION },
  { "*operands", STRIA_ROW_OPERATION },
  { "*flops*", STRIA_ROW_OPERATION },
  { "tensor_*", STRIA_ROW_OPERATION },
  { "scalar_activation_fn", STRIA_ROW_OPERATION },
  { "performance_mode", STRIA_ROW_OPERATION },
  { "queue_name", STRIA_ROW_OPERATION },
  { "queue_type", STRIA_ROW_OPERATION },
  { "dtype", STRIA_ROW_OPERATION },
  { "num_elements", STRIA_ROW_OPERATION },
  { "description", STRIA_ROW_OPERATION },
  { "trace_event_source", STRIA_ROW_OPERATION },
};

static const char *const titles[STRIA_ROW_N_GROUPS] = {
  N_ ("Timing"), N_ ("Operation"), N_ ("Memory"), N_ ("HLO"),
  N_ ("Framework and source"), N_ ("Ids"), N_ ("Other"),
};

static gboolean
fits (const char *name, const char *word)
{
  g_autofree char *inner = NULL;
  const gsize length = strlen (word);
  const gboolean open = word[0] == '*', close = word[length - 1] == '*';

  if (!open && !close)
    return g_str_equal (name, word);
  inner = g_strndup (word + open, length - open - close);
  if (open && close)
    return strstr (name, inner) != NULL;
  return open ? g_str_has_suffix (name, inner) : g_str_has_prefix (name, inner);
}

/**
 * stria_row_group_of:
 * @name: of a column
 * @unit: of its values, or ""
 *
 * Returns: the group in which it is listed
 */
StriaRowGroup
stria_row_group_of (const char *name, const char *unit)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  if (g_str_equal (unit, "ns") || g_str_equal (unit, "cyc"))
    return STRIA_ROW_TIMING;
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    if (fits (lower, rules[i].word))
      return rules[i].group;
  if (g_str_equal (unit, "B") || g_str_equal (unit, "B/s"))
    return STRIA_ROW_MEMORY;
  return STRIA_ROW_DETAILS;
}

const char *
stria_row_group_title (StriaRowGroup group)
{
  return _ (titles[group]);
}

/* -- a row ----------------------------------------------------------------------------------- */

static void
cell_free (gpointer data)
{
  StriaRowCell *cell = data;

  g_free (cell->name);
  g_free (cell->unit);
  g_free (cell->note);
  g_free (cell->text);
  g_free (cell);
}

static StriaRowCell *
cell_new (const char *name, StriaCellType type, const char *unit, const char *note)
{
  StriaRowCell *cell = g_new0 (StriaRowCell, 1);

  cell->name = g_strdup (name);
  cell->unit = g_strdup (unit != NULL ? unit : "");
  cell->note = g_strdup (note != NULL ? note : "");
  cell->type = type;
  cell->group = stria_row_group_of (cell->name, cell->unit);
  return cell;
}

static char *
value_text (StriaCellType type, const StriaColumnData *data, guint32 row)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const char *text;
  guint32 length;

  if (!stria_column_data_has (data, row))
    return NULL;
  switch (type)
    {
    case STRIA_CELL_TEXT:
      text = stria_column_data_text (data, row, &length);
      return length > 0 ? g_strndup (text, length) : NULL;
    case STRIA_CELL_REAL:
      if (!isfinite (data->reals[row]))
        return g_strdup (isnan (data->reals[row])  ? "NaN"
                         : data->reals[row] > 0 ? "Infinity"
                                                : "-Infinity");
      return g_strdup (g_ascii_dtostr (number, sizeof number, data->reals[row]));
    case STRIA_CELL_BOOL:
      return g_strdup (data->ints[row] != 0 ? "true" : "false");
    default:
      return g_strdup_printf ("%" G_GINT64_FORMAT, data->ints[row]);
    }
}

typedef struct
{
  StriaRow *row;
  const StriaNeuronTable *published;
} Visit;

static void
visit_cell (const StriaColumnInfo *info, const StriaColumnData *data, guint32 row,
            gpointer user_data)
{
  Visit *visit = user_data;
  const StriaNeuronColumn *known
      = visit->published != NULL ? stria_neuron_schema_column (visit->published, info->name) : NULL;
  const char *note = info->note != NULL && info->note[0] != '\0' ? info->note
                     : known != NULL                              ? known->note
                                                                  : NULL;
  StriaRowCell *cell = cell_new (info->name, info->type, info->unit, note);

  cell->text = value_text (info->type, data, row);
  g_ptr_array_add (visit->row->cells, cell);
}

static gboolean
has_column (const StriaRow *self, const char *name)
{
  for (guint i = 0; i < self->cells->len; i++)
    if (g_ascii_strcasecmp (((StriaRowCell *) self->cells->pdata[i])->name, name) == 0)
      return TRUE;
  return FALSE;
}

static void
add_missing (StriaRow *self, const StriaNeuronTable *published)
{
  for (guint i = 0; published != NULL && i < published->n_columns; i++)
    {
      const StriaNeuronColumn *column = &published->columns[i];
      StriaRowCell *cell;

      if (has_column (self, column->name))
        continue;
      cell = cell_new (column->name, column->type, column->unit, column->note);
      cell->is_missing = TRUE;
      g_ptr_array_add (self->cells, cell);
    }
}

/* By group; a sort would have to be stable. */
static void
put_in_groups (StriaRow *self)
{
  g_autoptr (GPtrArray) unsorted = g_steal_pointer (&self->cells);

  self->cells = g_ptr_array_new_with_free_func (cell_free);
  for (StriaRowGroup group = 0; group < STRIA_ROW_N_GROUPS; group++)
    for (guint i = 0; i < unsorted->len; i++)
      if (((StriaRowCell *) unsorted->pdata[i])->group == group)
        g_ptr_array_add (self->cells, unsorted->pdata[i]);
  g_ptr_array_set_free_func (unsorted, NULL);
}

/**
 * stria_row_load:
 * @ref: an event
 *
 * Returns: (transfer full) (nullable): the row that it stands for; %NULL without @error if it
 *   stands for none, with @error if its table could not be read
 */
StriaRow *
stria_row_load (StriaTrace *trace, StriaRef ref, GError **error)
{
  g_autoptr (StriaRow) self = NULL;
  const StriaColumns *columns;
  StriaLane *lane;
  const char *key;
  Visit visit;

  g_return_val_if_fail (ref.lane < stria_trace_get_n_lanes (trace), NULL);

  lane = stria_trace_get_lane (trace, ref.lane);
  key = stria_lane_get_key (lane);
  if (!g_str_has_prefix (key, STRIA_TABLE_LANE_KEY) || !stria_lane_load (lane, NULL, error))
    return NULL;
  columns = stria_lane_get_columns (lane);
  g_return_val_if_fail (ref.index < columns->n, NULL);
  key += strlen (STRIA_TABLE_LANE_KEY);
  self = g_new0 (StriaRow, 1);
  self->table = g_strndup (key, strcspn (key, "\x1f"));
  self->number = columns->seq[ref.index];
  self->cells = g_ptr_array_new_with_free_func (cell_free);
  visit = (Visit){ self, stria_neuron_schema_table (self->table) };
  self->note = g_strdup (visit.published != NULL ? visit.published->note : "");
  if (!stria_trace_visit_row (trace, lane, columns->seq[ref.index], visit_cell, &visit, error))
    return NULL;
  add_missing (self, visit.published);
  put_in_groups (self);
  return g_steal_pointer (&self);
}

void
stria_row_free (StriaRow *self)
{
  if (self == NULL)
    return;
  g_free (self->table);
  g_free (self->note);
  g_clear_pointer (&self->cells, g_ptr_array_unref);
  g_free (self);
}

/**
 * stria_row_to_json:
 *
 * Returns: (transfer full): an object with the columns that the file has as its members
 */
char *
stria_row_to_json (const StriaRow *self)
{
  GString *json = g_string_new ("{");

  for (guint i = 0; i < self->cells->len; i++)
    {
      const StriaRowCell *cell = self->cells->pdata[i];

      if (cell->is_missing)
        continue;
      g_string_append (json, json->len > 1 ? ",\n  " : "\n  ");
      stria_json_append_text (json, cell->name, -1);
      g_string_append (json, ": ");
      if (cell->text == NULL)
        g_string_append (json, "null");
      else if (cell->type == STRIA_CELL_TEXT
               || (cell->type == STRIA_CELL_REAL
                   && strpbrk (cell->text, "0123456789") == NULL))
        stria_json_append_text (json, cell->text, -1);
      else
        g_string_append (json, cell->text);
    }
  g_string_append (json, "\n}\n");
  return g_string_free (json, FALSE);
}
