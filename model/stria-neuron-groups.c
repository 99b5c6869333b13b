/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-neuron-groups.h"
#include "stria-summary-rows.h"

typedef struct
{
  StriaNeuronGroup group; /* first: what is handed out */
  StriaSpanUnion busy;
} Group;

static void
group_free (gpointer data)
{
  Group *self = data;

  g_free (self->group.name);
  g_free (self->group.engine);
  stria_span_union_clear (&self->busy);
  g_free (self);
}

static void
collective_free (gpointer data)
{
  StriaNeuronCollective *self = data;

  g_free (self->operation);
  g_free (self);
}

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const StriaNeuronGroup *x = *(StriaNeuronGroup *const *) a, *y = *(StriaNeuronGroup *const *) b;

  if (x->time_ns != y->time_ns)
    return x->time_ns > y->time_ns ? -1 : 1;
  return g_strcmp0 (x->name, y->name);
}

static Group *
group_of (GHashTable *groups, const char *engine, const char *name, guint32 length)
{
  g_autofree char *key = g_strdup_printf ("%s\x1f%.*s", engine, (int) length, name);
  Group *group = g_hash_table_lookup (groups, key);

  if (group == NULL)
    {
      group = g_new0 (Group, 1);
      group->group.name = g_strndup (name, length);
      group->group.engine = g_strdup (engine);
      g_hash_table_insert (groups, g_steal_pointer (&key), group);
    }
  return group;
}

enum
{
  START, DURATION, CORE, ENGINE, TRACK, OPCODE, FLOPS, READ, WRITE, NKI, OPERATOR,
};

static void
add_row (Group *group, const StriaSummaryRows *rows, guint32 row, const StriaSummaryPart *part)
{
  double value;

  group->group.count++;
  if (part->duration >= 0)
    {
      group->group.time_ns += (double) part->duration;
      stria_span_union_add (&group->busy, part->start, part->duration);
    }
  if (stria_summary_rows_number (rows, FLOPS, row, &value))
    {
      group->group.flops += value * part->share;
      group->group.has_flops = TRUE;
    }
  for (guint c = READ; c <= WRITE; c++)
    if (stria_summary_rows_number (rows, c, row, &value))
      {
        group->group.bytes += value * part->share;
        group->group.has_bytes = TRUE;
      }
}

/* Sorted, with what they cover */
static GPtrArray *
finish_groups (GHashTable *groups)
{
  GPtrArray *sorted = g_ptr_array_new_with_free_func (group_free);
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, groups);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Group *group = value;

      group->group.busy_ns = stria_span_union_ns (&group->busy);
      stria_span_union_clear (&group->busy);
      g_ptr_array_add (sorted, group);
    }
  g_ptr_array_sort (sorted, compare_groups);
  return sorted;
}

/* The first of the columns that has a text anywhere: exports fill the one or the other. */
static const char *
find_operator_column (GPtrArray *tables)
{
  static const char *const columns[] = { "layer", "hlo_name", "bir_instruction_name", NULL };

  for (guint c = 0; columns[c] != NULL; c++)
    for (guint i = 0; i < tables->len; i++)
      {
        StriaTable *table = tables->pdata[i];
        int column = stria_table_find_column (table, columns[c]);
        g_autoptr (StriaColumnChunk) chunk = NULL;

        if (column < 0 || g_ascii_strcasecmp (stria_table_get_name (table), "Instruction") != 0
            || stria_table_get_column (table, (guint) column)->type != STRIA_CELL_TEXT
            || stria_table_get_n_chunks (table) == 0
            || (chunk = stria_table_load (table, (guint) column, 0, NULL)) == NULL)
          continue;
        for (guint32 row = 0; row < chunk->n_rows; row++)
          {
            guint32 length = 0;

            if (stria_column_data_has (&chunk->data, row))
              stria_column_data_text (&chunk->data, row, &length);
            if (length > 0)
              return columns[c];
          }
      }
  return NULL;
}

static gboolean
read_code (StriaNeuronGroups *self, GPtrArray *tables, const StriaSummaryScope *scope,
           GCancellable *cancellable, GError **error)
{
  const char *const wanted[]
      = { "start_ts", "duration_ns", "pcore_idx", "engine", "timeline_track", "opcode", "raw_flops",
          "hbm_read_bytes", "hbm_write_bytes", "nki_source_location", self->operator_column, NULL };
  StriaSummaryRows rows = { .tables = tables, .cancellable = cancellable, .error = error,
                            .name = "Instruction", .wanted = wanted, .scope = scope };
  g_autoptr (GHashTable) opcodes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) operators = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  StriaSummaryPart part;

  while (stria_summary_rows_next (&rows))
    for (guint32 row = 0; row < rows.n_rows; row++)
      {
        guint32 length, n;
        const char *text = stria_summary_rows_text (&rows, ENGINE, row, &length);
        guint engine = stria_neuron_engine_find (text, length);

        if (!stria_summary_rows_part (&rows, row, &part))
          continue;
        if (engine == STRIA_NEURON_N_ENGINES)
          {
            text = stria_summary_rows_text (&rows, TRACK, row, &length);
            engine = stria_neuron_engine_find (text, length);
          }
        if (engine < STRIA_NEURON_N_ENGINES)
          {
            stria_summary_rows_text (&rows, NKI, row, &n);
            self->n_code[engine]++;
            self->n_nki[engine] += n > 0;
          }
        text = stria_summary_rows_text (&rows, OPCODE, row, &length);
        add_row (group_of (opcodes, stria_neuron_engine_name (engine), text, length), &rows, row,
                 &part);
        if (self->operator_column == NULL)
          continue;
        text = stria_summary_rows_text (&rows, OPERATOR, row, &length);
        if (length > 0)
          add_row (group_of (operators, "", text, length), &rows, row, &part);
      }
  stria_summary_rows_clear (&rows);
  self->opcodes = finish_groups (opcodes);
  self->operators = finish_groups (operators);
  return !rows.failed;
}

/* -- collectives ----------------------------------------------------------------------------- */

typedef struct
{
  StriaNeuronCollective *sum;
  GArray *durations; /* double */
  double algorithm;
  double bus;
  guint64 n_bus;
} Operation;

static void
operation_free (gpointer data)
{
  Operation *self = data;

  g_array_unref (self->durations);
  g_free (self);
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  const double *x = a, *y = b;

  return *x < *y ? -1 : *x > *y;
}

/* Between the two values that lie around it, in proportion */
static double
quantile (GArray *sorted, double q)
{
  double at = q * (sorted->len - 1), low = floor (at);
  double a = g_array_index (sorted, double, (guint) low);
  double b = g_array_index (sorted, double, MIN ((guint) low + 1, sorted->len - 1));

  return a + (b - a) * (at - low);
}

static void
finish_operation (Operation *self)
{
  StriaNeuronCollective *sum = self->sum;
  guint n = self->durations->len;
  double mean = 0, squares = 0;

  sum->count = n;
  sum->algorithm_bandwidth = n > 0 ? self->algorithm / n : 0;
  sum->bus_bandwidth = self->n_bus > 0 ? self->bus / (double) self->n_bus : 0;
  g_array_sort (self->durations, compare_doubles);
  for (guint i = 0; i < n; i++)
    mean += g_array_index (self->durations, double, i) / n;
  for (guint i = 0; i < n; i++)
    squares += pow (g_array_index (self->durations, double, i) - mean, 2) / n;
  sum->min_ns = g_array_index (self->durations, double, 0);
  sum->q1_ns = quantile (self->durations, 0.25);
  sum->median_ns = quantile (self->durations, 0.5);
  sum->mean_ns = mean;
  sum->q3_ns = quantile (self->durations, 0.75);
  sum->max_ns = g_array_index (self->durations, double, n - 1);
  sum->variance = squares;
  for (guint i = 0; i < n && n >= 4; i++)
    sum->n_outliers += g_array_index (self->durations, double, i)
                       > STRIA_NEURON_OUTLIER_MEDIANS * sum->median_ns;
}

static int
compare_collectives (gconstpointer a, gconstpointer b)
{
  const StriaNeuronCollective *x = *(StriaNeuronCollective *const *) a;
  const StriaNeuronCollective *y = *(StriaNeuronCollective *const *) b;
  double left = x->mean_ns * (double) x->count, right = y->mean_ns * (double) y->count;

  if (left != right)
    return left > right ? -1 : 1;
  return g_strcmp0 (x->operation, y->operation);
}

static Operation *
operation_of (GHashTable *operations, const StriaSummaryRows *rows, guint32 row, gint64 bytes)
{
  guint32 length;
  const char *name = stria_summary_rows_text (rows, 3, row, &length);
  g_autofree char *key
      = g_strdup_printf ("%.*s\x1f%" G_GINT64_FORMAT, (int) length, name, bytes);
  Operation *operation = g_hash_table_lookup (operations, key);

  if (operation == NULL)
    {
      operation = g_new0 (Operation, 1);
      operation->sum = g_new0 (StriaNeuronCollective, 1);
      operation->sum->operation = g_strndup (name, length);
      operation->sum->bytes = bytes;
      operation->durations = g_array_new (FALSE, FALSE, sizeof (double));
      g_hash_table_insert (operations, g_steal_pointer (&key), operation);
    }
  return operation;
}

static gboolean
read_collectives (StriaNeuronGroups *self, GPtrArray *tables, const StriaSummaryScope *scope,
                  GCancellable *cancellable, GError **error)
{
  static const char *const wanted[] = { "start_ts", "duration_ns", "pcore_idx", "operation",
                                        "input_size", "output_size", "bus_bandwidth", NULL };
  StriaSummaryRows rows = { .tables = tables, .cancellable = cancellable, .error = error,
                            .name = "CcOp", .wanted = wanted, .scope = scope };
  g_autoptr (GHashTable) operations
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, operation_free);
  StriaSummaryPart part;
  GHashTableIter iter;
  gpointer value;

  self->collectives = g_ptr_array_new_with_free_func (collective_free);
  while (stria_summary_rows_next (&rows))
    for (guint32 row = 0; row < rows.n_rows; row++)
      {
        /* A distribution is one of whole durations: those that reach over an edge count whole. */
        gint64 whole = stria_summary_rows_int (&rows, 1, row, -1);
        gint64 bytes = MAX (stria_summary_rows_int (&rows, 4, row, -1),
                            stria_summary_rows_int (&rows, 5, row, -1));
        double duration = (double) whole, bus;
        Operation *operation;

        if (whole < 0 || !stria_summary_rows_part (&rows, row, &part))
          continue;
        operation = operation_of (operations, &rows, row, bytes);
        g_array_append_val (operation->durations, duration);
        if (bytes > 0 && whole > 0)
          operation->algorithm += (double) bytes / (duration / 1e9);
        if (stria_summary_rows_number (&rows, 6, row, &bus))
          {
            operation->bus += bus;
            operation->n_bus++;
          }
      }
  stria_summary_rows_clear (&rows);
  g_hash_table_iter_init (&iter, operations);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      finish_operation (value);
      g_ptr_array_add (self->collectives, ((Operation *) value)->sum);
    }
  g_ptr_array_sort (self->collectives, compare_collectives);
  return !rows.failed;
}

StriaNeuronGroups *
stria_neuron_groups_new (GPtrArray *tables, const StriaSummaryScope *scope,
                         GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaNeuronGroups) self = g_new0 (StriaNeuronGroups, 1);

  self->operator_column = find_operator_column (tables);
  if (!read_code (self, tables, scope, cancellable, error)
      || !read_collectives (self, tables, scope, cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
stria_neuron_groups_free (StriaNeuronGroups *self)
{
  g_clear_pointer (&self->opcodes, g_ptr_array_unref);
  g_clear_pointer (&self->operators, g_ptr_array_unref);
  g_clear_pointer (&self->collectives, g_ptr_array_unref);
  g_free (self);
}
