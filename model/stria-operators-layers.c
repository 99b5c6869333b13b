/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of a device's instructions, by what they were made for. */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-neuron-summary.h"
#include "stria-operators-private.h"

#define INSTRUCTION "Instruction"

/* Columns that make the path and the engine, then those that add up */
enum
{
  C_LAYER,
  C_HLO,
  C_OPCODE,
  C_COMPILED,
  C_ENGINE,
  C_CORE,
  C_FLOPS,
  C_TRANSPOSE,
  C_HBM_READ,
  C_HBM_WRITE,
  C_SBUF_READ,
  C_SBUF_WRITE,
  C_SPILL_SAVE,
  C_SPILL_RELOAD,
  N_COLUMNS,
};
static const char *const columns[N_COLUMNS] = {
  "layer",           "hlo_name",         "opcode",          "compiler_opcode", "engine",
  "pcore_idx",       "raw_flops",        "flops_transpose", "hbm_read_bytes",  "hbm_write_bytes",
  "sbuf_read_bytes", "sbuf_write_bytes", "spill_save_bytes", "spill_reload_bytes",
};

static const struct
{
  int column;
  StriaOperatorFigure figure;
} additive[] = {
  { C_FLOPS, STRIA_OPERATOR_FLOPS },
  { C_HBM_READ, STRIA_OPERATOR_HBM_READ },
  { C_HBM_WRITE, STRIA_OPERATOR_HBM_WRITE },
  { C_SBUF_READ, STRIA_OPERATOR_SBUF_READ },
  { C_SBUF_WRITE, STRIA_OPERATOR_SBUF_WRITE },
  { C_SPILL_SAVE, STRIA_OPERATOR_SPILL },
  { C_SPILL_RELOAD, STRIA_OPERATOR_SPILL },
};

/* One table of instructions: of one device profile */
typedef struct
{
  OperatorMaking *making;
  StriaTable *table;
  guint32 top;
  guint32 *node_of_row;
  guint8 *engine_of_row;
  guint8 *counts; /* bit by row: some event of it lies in the range */
  gint64 core;    /* the only physical core, -1: none is told, -2: there are several */
} Profile;

static guint8
engine_of (const char *name, guint32 length)
{
  static const struct
  {
    const char *name;
    guint8 engine;
  } engines[] = {
    { "tensor", 0 }, { "pe", 0 },     { "vector", 1 }, { "dve", 1 },  { "scalar", 2 },
    { "act", 2 },    { "gpsimd", 3 }, { "pool", 3 },   { "sync", 4 }, { "sp", 4 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    {
      const gsize n = strlen (engines[i].name);

      if (length >= n && g_ascii_strncasecmp (name, engines[i].name, n) == 0
          && (length == n || (length == n + 1 && g_ascii_tolower (name[n]) == 'e')
              || g_ascii_strncasecmp (name, "tensormatrix", length) == 0))
        return engines[i].engine;
    }
  return STRIA_N_OPERATOR_ENGINES;
}

static const char *
text_of (StriaColumnChunk *const *chunks, const StriaCellType *types, guint column, guint32 row,
         guint32 *length)
{
  *length = 0;
  if (chunks[column] == NULL || types[column] != STRIA_CELL_TEXT
      || !stria_column_data_has (&chunks[column]->data, row))
    return "";
  return stria_column_data_text (&chunks[column]->data, row, length);
}

static gboolean
number_of (StriaColumnChunk *const *chunks, const StriaCellType *types, guint column, guint32 row,
           double *value)
{
  if (chunks[column] == NULL || types[column] == STRIA_CELL_TEXT
      || !stria_column_data_has (&chunks[column]->data, row))
    return FALSE;
  *value = types[column] == STRIA_CELL_REAL ? chunks[column]->data.reals[row]
                                            : (double) chunks[column]->data.ints[row];
  return TRUE;
}

/* Framework names are paths. */
static guint32
layer_node (Profile *self, const char *text, guint32 length)
{
  guint32 node = self->top;

  while (length > 0)
    {
      const char *slash = memchr (text, '/', length);
      const guint32 n = slash != NULL ? (guint32) (slash - text) : length;

      if (n > 0)
        node = stria_operators_child (self->making, node,
                                      stria_operators_intern (self->making, text, n));
      if (slash == NULL)
        break;
      text = slash + 1;
      length -= n + 1;
    }
  return node;
}

static guint32
row_node (Profile *self, StriaColumnChunk *const *chunks, const StriaCellType *types, guint32 row)
{
  guint32 length, n_opcode;
  const char *text = text_of (chunks, types, C_LAYER, row, &length);
  guint32 node = layer_node (self, text, length);
  const char *opcode;

  text = text_of (chunks, types, C_HLO, row, &length);
  if (length > 0)
    node = stria_operators_child (self->making, node,
                                  stria_operators_intern (self->making, text, length));
  if (node == self->top)
    node = stria_operators_child (
        self->making, node,
        stria_operators_intern (self->making, _ ("(not attributed to an operator)"), -1));
  opcode = text_of (chunks, types, C_OPCODE, row, &n_opcode);
  if (n_opcode == 0)
    opcode = text_of (chunks, types, C_COMPILED, row, &n_opcode);
  return stria_operators_child (
      self->making, node,
      n_opcode > 0 ? stria_operators_intern (self->making, opcode, n_opcode)
                   : stria_operators_intern (self->making, _ ("(no opcode)"), -1));
}

static void
add_figures (Profile *self, OperatorNode *node, StriaColumnChunk *const *chunks,
             const StriaCellType *types, guint32 row, guint8 engine)
{
  double value;

  for (guint i = 0; i < G_N_ELEMENTS (additive); i++)
    if (number_of (chunks, types, (guint) additive[i].column, row, &value))
      {
        node->sums[additive[i].figure] += value;
        node->has |= 1u << additive[i].figure;
      }
  if (number_of (chunks, types, C_TRANSPOSE, row, &value))
    node->flops_transpose += value;
  if (engine < STRIA_N_OPERATOR_ENGINES)
    {
      node->sums[STRIA_OPERATOR_N_TENSOR + engine]++;
      node->has |= 1u << (STRIA_OPERATOR_N_TENSOR + engine);
    }
  if (number_of (chunks, types, C_CORE, row, &value))
    self->core = self->core == -1 || self->core == (gint64) value ? (gint64) value : -2;
}

static void
take_rows (Profile *self, StriaColumnChunk *const *chunks, const StriaCellType *types,
           guint64 first, guint32 n_rows)
{
  for (guint32 row = 0; row < n_rows; row++)
    {
      const guint64 at = first + row;
      guint32 length, node;
      const char *engine = text_of (chunks, types, C_ENGINE, row, &length);

      self->engine_of_row[at] = engine_of (engine, length);
      if ((self->counts[at >> 3] >> (at & 7) & 1) == 0)
        continue;
      node = row_node (self, chunks, types, row);
      self->node_of_row[at] = node;
      add_figures (self, &g_array_index (self->making->nodes, OperatorNode, node), chunks, types,
                   row, self->engine_of_row[at]);
    }
}

static gboolean
read_rows (Profile *self, GError **error)
{
  guint64 first = 0;

  for (guint32 chunk = 0; chunk < stria_table_get_n_chunks (self->table); chunk++)
    {
      StriaColumnChunk *chunks[N_COLUMNS] = { NULL };
      StriaCellType types[N_COLUMNS] = { 0 };
      const guint32 n_rows = stria_table_get_chunk_rows (self->table, chunk);
      gboolean ok = !g_cancellable_set_error_if_cancelled (self->making->cancellable, error);

      for (guint c = 0; ok && c < N_COLUMNS; c++)
        {
          const int column = stria_table_find_column (self->table, columns[c]);

          if (column < 0)
            continue;
          types[c] = stria_table_get_column (self->table, (guint) column)->type;
          chunks[c] = stria_table_load (self->table, (guint) column, chunk, error);
          ok = chunks[c] != NULL;
        }
      if (ok)
        take_rows (self, chunks, types, first, n_rows);
      for (guint c = 0; c < N_COLUMNS; c++)
        g_clear_pointer (&chunks[c], stria_column_chunk_free);
      if (!ok)
        return FALSE;
      first += n_rows;
    }
  return TRUE;
}

/* -- events ---------------------------------------------------------------------------------- */

/* Lanes of waits show rows a second time. */
static gboolean
is_lane_of (const Profile *self, StriaLane *lane)
{
  const char *key = stria_lane_get_key (lane);
  const char *prefix = STRIA_TABLE_LANE_KEY INSTRUCTION "\x1f";

  return stria_lane_get_artifact (lane) == stria_table_get_artifact (self->table)
         && g_ascii_strncasecmp (key, prefix, strlen (prefix)) == 0
         && !g_str_has_suffix (key, "\x1fwait");
}

typedef void (*EventFunc) (Profile *self, guint32 lane, guint64 event, guint32 row, gint64 start,
                           gint64 end);

static void
mark_row (Profile *self, guint32 lane, guint64 event, guint32 row, gint64 start, gint64 end)
{
  self->counts[row >> 3] |= (guint8) (1 << (row & 7));
}

static void
add_event (Profile *self, guint32 lane, guint64 event, guint32 row, gint64 start, gint64 end)
{
  const guint32 n = self->node_of_row[row];
  const guint8 engine = self->engine_of_row[row];
  OperatorNode *node = &g_array_index (self->making->nodes, OperatorNode, n);
  const gint64 from = MAX (start, self->making->t0), to = MIN (end, self->making->t1);

  self->making->tree->node_of[lane][event] = n;
  node->n_own++;
  node->sums[STRIA_OPERATOR_COUNT]++;
  node->sums[STRIA_OPERATOR_ENGINE] += (double) MAX (0, to - from);
  stria_operators_span (node, start, end);
  if (to > from)
    stria_span_union_add (&node->busy, from, to - from);
  if (engine < STRIA_N_OPERATOR_ENGINES)
    {
      node->period[engine][0] = MIN (node->period[engine][0], start);
      node->period[engine][1] = MAX (node->period[engine][1], end);
    }
}

static gboolean
each_event (Profile *self, EventFunc func, gboolean makes_places, GError **error)
{
  const guint64 n_rows = stria_table_get_n_rows (self->table);

  for (guint32 i = 0; i < stria_trace_get_n_lanes (self->making->trace); i++)
    {
      StriaLane *lane = stria_trace_get_lane (self->making->trace, i);
      const StriaColumns *c;

      if (!is_lane_of (self, lane))
        continue;
      if (!stria_lane_load (lane, self->making->cancellable, error)
          || g_cancellable_set_error_if_cancelled (self->making->cancellable, error))
        return FALSE;
      c = stria_lane_get_columns (lane);
      if (c->dur == NULL)
        continue;
      if (makes_places)
        stria_operators_lane (self->making, i, c->n);
      for (guint64 e = 0; e < c->n; e++)
        {
          const gint64 start = c->start[e], end = start + c->dur[e];
          const gboolean counts
              = c->dur[e] > 0 ? start < self->making->t1 && end > self->making->t0
                              : start >= self->making->t0 && start <= self->making->t1;

          if (counts && c->seq[e] < n_rows)
            func (self, i, e, c->seq[e], start, end);
        }
    }
  return TRUE;
}

/* -- sums ------------------------------------------------------------------------------------ */

/* FLOPs a nanosecond of one core: rows x columns x 2 x clock in GHz (documented) */
static double
peak_of (Profile *self)
{
  static const char *const wanted[] = { "tensor_engine_num_rows", "tensor_engine_num_cols",
                                        "tensor_engine_clock_freq", NULL };
  g_autoptr (GPtrArray) tables = stria_neuron_summary_tables (
      self->making->capture, stria_table_get_artifact (self->table));
  StriaSummaryRows rows = { .tables = tables, .name = "Metadata", .wanted = wanted };
  double n_rows, n_columns, clock, peak = 0;

  while (peak == 0 && stria_summary_rows_next (&rows))
    if (rows.n_rows > 0 && stria_summary_rows_number (&rows, 0, 0, &n_rows)
        && stria_summary_rows_number (&rows, 1, 0, &n_columns)
        && stria_summary_rows_number (&rows, 2, 0, &clock))
      peak = n_rows * n_columns * 2 * clock;
  stria_summary_rows_clear (&rows);
  return peak;
}

/* What a node adds to the one above. */
static void
sum_up (OperatorMaking *self, guint32 i)
{
  OperatorNode *node = &g_array_index (self->nodes, OperatorNode, i);
  OperatorNode *parent = &g_array_index (self->nodes, OperatorNode, node->parent);

  stria_span_union_merge (&node->busy);
  stria_span_union_take (&parent->busy, &node->busy);
  stria_operators_span (parent, node->start_ns, node->end_ns);
  parent->flops_transpose += node->flops_transpose;
  for (guint f = 0; f < STRIA_N_OPERATOR_FIGURES; f++)
    if (f != STRIA_OPERATOR_TOTAL && f != STRIA_OPERATOR_SELF && f != STRIA_OPERATOR_MFU
        && f != STRIA_OPERATOR_HFU)
      {
        parent->sums[f] += node->sums[f];
        parent->has |= node->has & 1u << f;
      }
  for (guint e = 0; e < STRIA_N_OPERATOR_ENGINES; e++)
    {
      parent->period[e][0] = MIN (parent->period[e][0], node->period[e][0]);
      parent->period[e][1] = MAX (parent->period[e][1], node->period[e][1]);
    }
}

/* @peak: of the profile that the node is of; 0: not known */
static void
finish_node (OperatorNode *node, double peak)
{
  const double total = stria_span_union_ns (&node->busy);

  node->sums[STRIA_OPERATOR_TOTAL] = total;
  node->has |= 1u << STRIA_OPERATOR_TOTAL | 1u << STRIA_OPERATOR_SELF | 1u << STRIA_OPERATOR_SHARE
               | 1u << STRIA_OPERATOR_COUNT | 1u << STRIA_OPERATOR_ENGINE;
  for (guint e = 0; e < STRIA_N_OPERATOR_ENGINES; e++)
    if (node->period[e][0] <= node->period[e][1])
      node->has |= 1u << (STRIA_OPERATOR_PERIOD_TENSOR + e);
  if (peak <= 0 || total <= 0 || (node->has & 1u << STRIA_OPERATOR_FLOPS) == 0)
    return;
  node->sums[STRIA_OPERATOR_HFU] = node->sums[STRIA_OPERATOR_FLOPS] / (peak * total);
  node->sums[STRIA_OPERATOR_MFU]
      = (node->sums[STRIA_OPERATOR_FLOPS] - node->flops_transpose) / (peak * total);
  node->has |= 1u << STRIA_OPERATOR_HFU | 1u << STRIA_OPERATOR_MFU;
}

/* The busy time of a node itself, that of its opcodes, is told before that of what else lies below
 * joins it. @peaks: by node right below the root, where there are several profiles; else the
 * first */
static void
sum_all (OperatorMaking *self, const double *peaks, gboolean several)
{
  const guint32 n = self->nodes->len;
  g_autofree double *peak_of_node = g_new0 (double, n);

  for (guint32 i = 1; i < n; i++)
    {
      OperatorNode *node = &g_array_index (self->nodes, OperatorNode, i);

      if (node->n_own > 0)
        stria_span_union_take (&g_array_index (self->nodes, OperatorNode, node->parent).busy,
                               &node->busy);
    }
  for (guint32 i = 0; i < n; i++)
    {
      OperatorNode *node = &g_array_index (self->nodes, OperatorNode, i);

      node->sums[STRIA_OPERATOR_SELF] = stria_span_union_ns (&node->busy);
      peak_of_node[i] = !several ? peaks[0]
                        : i == 0 ? 0
                        : node->parent == 0 ? peaks[node->core]
                                            : peak_of_node[node->parent];
    }
  for (guint32 i = n; i-- > 0;)
    {
      finish_node (&g_array_index (self->nodes, OperatorNode, i), peak_of_node[i]);
      if (i > 0)
        sum_up (self, i);
    }
}

/* What the files of an instruction's profile have in common: those of an export are in one folder, each
 * other file is one of its own. */
static char *
profile_name (StriaCapture *capture, StriaTable *table)
{
  const char *name = stria_artifact_get_name (
      stria_capture_get_artifact (capture, stria_table_get_artifact (table)));
  g_autofree char *folder = g_path_get_dirname (name);

  if (!g_str_has_suffix (name, ".parquet"))
    return g_strdup (name);
  return g_str_equal (folder, ".") ? g_strdup (stria_capture_get_title (capture))
                                   : g_steal_pointer (&folder);
}

static gboolean
add_profile (Profile *self, GError **error)
{
  const guint64 n_rows = stria_table_get_n_rows (self->table);
  g_autofree guint32 *node_of_row = g_new0 (guint32, MAX (n_rows, 1));
  g_autofree guint8 *engine_of_row = g_new0 (guint8, MAX (n_rows, 1));
  g_autofree guint8 *counts = g_new0 (guint8, n_rows / 8 + 1);

  self->node_of_row = node_of_row;
  self->engine_of_row = engine_of_row;
  self->counts = counts;
  return each_event (self, mark_row, TRUE, error) && read_rows (self, error)
         && each_event (self, add_event, FALSE, error);
}

gboolean
stria_operators_make_layers (OperatorMaking *making, GError **error)
{
  g_autoptr (GPtrArray) tables = stria_capture_get_tables (making->capture);
  g_autofree double *peaks = g_new0 (double, tables->len + 1);
  g_autofree gint64 *cores = g_new0 (gint64, tables->len + 1);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free); /* by profile */
  g_autofree guint *profile_of = g_new0 (guint, tables->len + 1);
  gboolean is_split = FALSE;

  for (guint i = 0; i < tables->len; i++)
    {
      g_autofree char *name = NULL;

      profile_of[i] = G_MAXUINT;
      if (g_ascii_strcasecmp (stria_table_get_name (tables->pdata[i]), INSTRUCTION) != 0)
        continue;
      name = profile_name (making->capture, tables->pdata[i]);
      if (!g_ptr_array_find_with_equal_func (names, name, g_str_equal, &profile_of[i]))
        {
          profile_of[i] = names->len;
          cores[names->len] = -1;
          g_ptr_array_add (names, g_steal_pointer (&name));
        }
    }
  for (guint i = 0; i < tables->len; i++)
    {
      const guint number = profile_of[i];
      Profile profile = { .making = making, .table = tables->pdata[i] };

      if (number == G_MAXUINT)
        continue;
      profile.core = cores[number];
      if (names->len > 1)
        {
          profile.top = stria_operators_child (
              making, 0, stria_operators_intern (making, names->pdata[number], -1));
          g_array_index (making->nodes, OperatorNode, profile.top).core = number;
        }
      if (!add_profile (&profile, error))
        return FALSE;
      cores[number] = profile.core;
      is_split = is_split || profile.core == -2;
      peaks[number] = profile.core == -2 ? 0 : peak_of (&profile);
    }
  sum_all (making, peaks, names->len > 1);
  making->tree->reasons[STRIA_OPERATOR_MFU] = making->tree->reasons[STRIA_OPERATOR_HFU]
      = is_split ? N_ ("Not available because the profile is of several physical cores")
                 : N_ ("Not available because the profile lacks FLOPs of instructions "
                       "(raw_flops) or the size and clock of the tensor engine (Metadata)");
  making->tree->reasons[STRIA_OPERATOR_FLOPS]
      = N_ ("Not available because instructions have no column raw_flops");
  making->tree->reasons[STRIA_OPERATOR_HBM_READ] = making->tree->reasons[STRIA_OPERATOR_HBM_WRITE]
      = N_ ("Not available because instructions have no columns of HBM bytes");
  return TRUE;
}
