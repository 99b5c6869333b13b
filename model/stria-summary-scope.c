/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-summary-scope.h"

/* Times far from zero, and the difference of any two, stay in 64 bits. */
#define FAR (G_MAXINT64 / 4)

typedef struct
{
  guint64 n_rows;
  guint8 bits[];
} RowBits;

static const struct
{
  const char *name;
  const char *alias;
} engines[STRIA_NEURON_N_ENGINES] = {
  { "tensor", "pe" }, { "vector", "dve" }, { "scalar", "act" }, { "gpsimd", "pool" },
  { "sync", "sp" },
};

const char *
stria_neuron_engine_name (guint engine)
{
  return engine < STRIA_NEURON_N_ENGINES ? engines[engine].name : "";
}

guint
stria_neuron_engine_find (const char *text, gsize length)
{
  for (guint e = 0; e < STRIA_NEURON_N_ENGINES; e++)
    {
      gsize n = strlen (engines[e].name), m = strlen (engines[e].alias);

      /* "TensorMatrix" is the tensor engine's, too (documented). */
      if ((length >= n && g_ascii_strncasecmp (text, engines[e].name, n) == 0)
          || (length == m && g_ascii_strncasecmp (text, engines[e].alias, m) == 0))
        return e;
    }
  return STRIA_NEURON_N_ENGINES;
}

static StriaTable *
table_of (GPtrArray *tables, StriaLane *lane)
{
  const char *key = stria_lane_get_key (lane);
  gsize length;

  if (!g_str_has_prefix (key, STRIA_TABLE_LANE_KEY))
    return NULL;
  key += strlen (STRIA_TABLE_LANE_KEY);
  length = strcspn (key, "\x1f");
  for (guint i = 0; i < tables->len; i++)
    {
      const char *name = stria_table_get_name (tables->pdata[i]);

      if (stria_table_get_artifact (tables->pdata[i]) == stria_lane_get_artifact (lane)
          && strlen (name) == length && strncmp (name, key, length) == 0)
        return tables->pdata[i];
    }
  return NULL;
}

/* Slices that stand for what a row waited for begin before the row does. */
static gboolean
is_wait_lane (StriaLane *lane)
{
  return g_str_has_suffix (stria_lane_get_key (lane), "\x1fwait");
}

/* What is to be taken off a time of the timeline to get one of the tables: of any event, the
 * difference between where it is drawn and what its row says. */
static gboolean
find_shift (GPtrArray *tables, StriaTrace *trace, gint64 *shift, GCancellable *cancellable,
            GError **error)
{
  static const char *const columns[] = { "start_ts", "timestamp", "execution_start_ts" };
  StriaLane *best = NULL;

  *shift = 0;
  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace); i++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, i);

      /* The smallest one is loaded soonest. */
      if (stria_lane_get_kind (lane) != STRIA_LANE_COUNTER && stria_lane_get_n_events (lane) > 0
          && !is_wait_lane (lane) && table_of (tables, lane) != NULL
          && (best == NULL || stria_lane_get_n_events (lane) < stria_lane_get_n_events (best)))
        best = lane;
    }
  if (best == NULL)
    return TRUE;
  if (!stria_lane_load (best, cancellable, error))
    return FALSE;

  StriaTable *table = table_of (tables, best);
  const StriaColumns *events = stria_lane_get_columns (best);
  guint32 chunk, place;

  for (guint c = 0; c < G_N_ELEMENTS (columns); c++)
    {
      int column = stria_table_find_column (table, columns[c]);
      g_autoptr (StriaColumnChunk) values = NULL;

      if (column < 0 || stria_table_get_column (table, (guint) column)->type != STRIA_CELL_INT
          || !stria_table_find_row (table, events->seq[0], &chunk, &place))
        continue;
      values = stria_table_load (table, (guint) column, chunk, error);
      if (values == NULL)
        return FALSE;
      if (stria_column_data_has (&values->data, place)
          && !__builtin_sub_overflow (events->start[0], values->data.ints[place], shift))
        return TRUE;
    }
  *shift = 0;
  return TRUE;
}

static RowBits *
bits_of (StriaSummaryScope *self, StriaTable *table)
{
  RowBits *bits = g_hash_table_lookup (self->rows, table);

  if (bits == NULL)
    {
      guint64 n = stria_table_get_n_rows (table);

      bits = g_malloc0 (sizeof *bits + n / 8 + 1);
      bits->n_rows = n;
      g_hash_table_insert (self->rows, table, bits);
    }
  return bits;
}

static gboolean
take_lanes (StriaSummaryScope *self, GPtrArray *tables, StriaTrace *trace, const guint32 *lanes,
            gsize n_lanes, GCancellable *cancellable, GError **error)
{
  self->has_lanes = TRUE;
  for (gsize i = 0; i < n_lanes; i++)
    {
      StriaLane *lane = lanes[i] < stria_trace_get_n_lanes (trace)
                            ? stria_trace_get_lane (trace, lanes[i]) : NULL;
      StriaTable *table = lane != NULL ? table_of (tables, lane) : NULL;
      const StriaColumns *events;
      RowBits *bits;
      gboolean is_code;

      if (table == NULL || stria_lane_get_kind (lane) == STRIA_LANE_COUNTER || is_wait_lane (lane))
        continue;
      if (!stria_lane_load (lane, cancellable, error))
        return FALSE;
      events = stria_lane_get_columns (lane);
      bits = bits_of (self, table);
      is_code = g_ascii_strcasecmp (stria_table_get_name (table), "Instruction") == 0;
      for (guint64 k = 0; k < events->n; k++)
        if (events->seq[k] < bits->n_rows)
          bits->bits[events->seq[k] / 8] |= (guint8) (1 << events->seq[k] % 8);
      if (is_code && events->n > 0 && events->category != NULL)
        {
          const char *name = stria_trace_get_category (trace, events->category[0]);
          guint engine = stria_neuron_engine_find (name, strlen (name));

          if (engine < STRIA_NEURON_N_ENGINES)
            self->engines |= 1u << engine;
        }
    }
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

/* When the profile's rows begin and end, on the timeline */
static gboolean
find_extent (GPtrArray *tables, StriaTrace *trace, gint64 *start, gint64 *end)
{
  gint64 a, z;

  *start = G_MAXINT64;
  *end = G_MININT64;
  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace); i++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, i);

      if (table_of (tables, lane) == NULL || !stria_lane_get_range (lane, &a, &z))
        continue;
      *start = MIN (*start, a);
      *end = MAX (*end, z);
    }
  return *start <= *end;
}

StriaSummaryScope *
stria_summary_scope_new (GPtrArray *tables, StriaTrace *trace, const gint64 *t0, const gint64 *t1,
                         const guint32 *lanes, gsize n_lanes, gint64 core,
                         GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaSummaryScope) self = g_new0 (StriaSummaryScope, 1);
  gint64 shift, first, last;

  self->core = core;
  self->rows = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  if (trace == NULL)
    return g_steal_pointer (&self);
  if (lanes != NULL && !take_lanes (self, tables, trace, lanes, n_lanes, cancellable, error))
    return NULL;
  if (t0 == NULL || !find_extent (tables, trace, &first, &last) || (*t0 <= first && *t1 >= last))
    return g_steal_pointer (&self);
  if (!find_shift (tables, trace, &shift, cancellable, error))
    return NULL;
  self->has_window = TRUE;
  /* Time before and after the profile is nobody's idle time. */
  self->t0 = CLAMP (MAX (*t0, first), -FAR, FAR) - CLAMP (shift, -FAR, FAR);
  self->t1 = CLAMP (MIN (*t1, last), -FAR, FAR) - CLAMP (shift, -FAR, FAR);
  self->t1 = MAX (self->t0, self->t1);
  return g_steal_pointer (&self);
}

void
stria_summary_scope_free (StriaSummaryScope *self)
{
  g_hash_table_unref (self->rows);
  g_free (self);
}

gboolean
stria_summary_scope_is_part (const StriaSummaryScope *self)
{
  return self != NULL && (self->has_window || self->has_lanes || self->core >= 0);
}

gboolean
stria_summary_scope_has_row (const StriaSummaryScope *self, StriaTable *table, guint64 row)
{
  const RowBits *bits;

  if (self == NULL || !self->has_lanes)
    return TRUE;
  bits = g_hash_table_lookup (self->rows, table);
  return bits != NULL && row < bits->n_rows && (bits->bits[row / 8] >> row % 8 & 1) != 0;
}
