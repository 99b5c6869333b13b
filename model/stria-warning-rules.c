/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-cover.h"
#include "stria-format.h"
#include "stria-lane-class.h"
#include "stria-table.h"
#include "stria-transfers.h"
#include "stria-warnings-private.h"

#include <glib/gi18n-lib.h>

#define THROTTLE_GAP_NS     1000
#define MAX_FILE_WARNINGS   1000

static void
warning_clear (gpointer data)
{
  g_free (((StriaWarning *) data)->numbers);
}

/* @numbers: (transfer full) */
void
stria_warning_add (StriaWarningSearch *self, StriaWarningRule rule, gint64 t0, gint64 t1, guint32 process, StriaRef ref,
     double severity, char *numbers)
{
  const StriaWarning warning = { .rule = rule, .has_time = TRUE, .t0 = t0, .t1 = MAX (t1, t0 + 1),
                                 .process = process, .ref = ref, .severity = severity,
                                 .numbers = numbers };

  g_array_append_val (self->found, warning);
}

static int
compare_severity (gconstpointer a, gconstpointer b)
{
  const StriaWarning *x = a;
  const StriaWarning *y = b;

  if (x->severity != y->severity)
    return x->severity > y->severity ? -1 : 1;
  return x->t0 < y->t0 ? -1 : x->t0 > y->t0;
}

/* Takes over what a rule found, the worst of it if that is too much. */
void
stria_warning_take (StriaWarningSearch *self, StriaWarningRule rule)
{
  self->set->n_found[rule] += self->found->len;
  for (guint i = 0; i < self->found->len; i++)
    {
      const StriaWarning *warning = &g_array_index (self->found, StriaWarning, i);

      if (warning->has_time)
        self->set->total_ns[rule] += warning->t1 - warning->t0;
    }
  g_array_sort (self->found, compare_severity);
  for (guint i = 0; i < self->found->len; i++)
    {
      StriaWarning *warning = &g_array_index (self->found, StriaWarning, i);

      if (i < STRIA_WARNINGS_MAX_BANDS)
        g_array_append_val (self->set->items, *warning);
      else
        warning_clear (warning);
    }
  g_array_set_size (self->found, 0);
}

/* Columns of a lane of slices; NULL: it is of another kind, or @error */
static const StriaColumns *
load_slices (StriaWarningSearch *self, StriaLane *lane, GError **error)
{
  const StriaLaneKind kind = stria_lane_get_kind (lane);
  const StriaColumns *columns;

  if (kind == STRIA_LANE_COUNTER || kind == STRIA_LANE_INSTANTS
      || !stria_lane_load (lane, self->cancellable, error))
    return NULL;
  columns = stria_lane_get_columns (lane);
  return columns->dur != NULL ? columns : NULL;
}

/* -- throttling ------------------------------------------------------------------------------- */

typedef struct
{
  gint64 t0;
  gint64 t1;
  double limited_ns; /* time by limit */
  double ns;
  StriaRef first;
} Throttled;

static void
end_throttled (StriaWarningSearch *self, guint32 process, const Throttled *run)
{
  g_autofree char *mean = NULL, *length = NULL;

  if (run->ns <= 0)
    return;
  mean = stria_format_percent (run->limited_ns / run->ns);
  length = stria_format_duration ((gint64) run->ns, 4);
  stria_warning_add (self, STRIA_WARNING_THROTTLING, run->t0, run->t1, process, run->first,
       run->ns - run->limited_ns,
       /* Translators: a percentage, a duration */
       g_strdup_printf (_ ("Utilisation limited to %s on average, for %s"), mean, length));
}

static gboolean
find_throttling_of (StriaWarningSearch *self, guint32 number)
{
  StriaLane *lane = stria_trace_get_lane (self->trace, number);
  StriaTable *table = stria_trace_table_of (self->trace, lane);
  GError *error = NULL;
  const StriaColumns *columns = table != NULL ? load_slices (self, lane, &error) : NULL;
  g_autofree double *k = NULL, *n = NULL;
  Throttled run = { 0 };

  if (columns != NULL)
    k = stria_table_load_numbers (table, "k", self->cancellable, &error);
  if (k != NULL)
    n = stria_table_load_numbers (table, "n", self->cancellable, &error);
  if (error != NULL)
    {
      g_propagate_error (self->error, error);
      return FALSE;
    }
  for (guint64 i = 0; n != NULL && i < columns->n; i++)
    {
      const guint32 row = columns->seq[i];
      const gint64 end = columns->start[i] + columns->dur[i];
      double limit;

      if (row >= stria_table_get_n_rows (table) || !(n[row] > 0) || !(k[row] >= 0))
        continue;
      limit = MIN (k[row] / n[row], 1);
      if ((1 - limit) * 100 <= self->limits[STRIA_WARNING_THROTTLING])
        continue;
      if (run.ns > 0 && columns->start[i] - run.t1 >= THROTTLE_GAP_NS)
        {
          end_throttled (self, stria_lane_get_process (lane), &run);
          run.ns = 0;
        }
      if (run.ns <= 0)
        run = (Throttled){ .t0 = columns->start[i], .t1 = end, .first = { number, (guint32) i } };
      run.t1 = MAX (run.t1, end);
      run.ns += (double) MAX (columns->dur[i], 1);
      run.limited_ns += limit * (double) MAX (columns->dur[i], 1);
    }
  end_throttled (self, stria_lane_get_process (lane), &run);
  return TRUE;
}

static gboolean
find_throttling (StriaWarningSearch *self)
{
  gboolean any = FALSE;

  for (guint32 i = 0; i < stria_trace_get_n_lanes (self->trace); i++)
    if (stria_lane_is_of_table (stria_trace_get_lane (self->trace, i), "Throttle"))
      {
        any = TRUE;
        if (!find_throttling_of (self, i))
          return FALSE;
      }
  if (!any)
    self->set->absent[STRIA_WARNING_THROTTLING]
        = N_ ("not available because there are no throttling records in the capture");
  stria_warning_take (self, STRIA_WARNING_THROTTLING);
  return TRUE;
}

/* -- nothing runs ----------------------------------------------------------------------------- */

/* Gaps between what is covered, with what share of each @other covers */
static void
find_gaps (StriaWarningSearch *self, StriaWarningRule rule, guint32 process, StriaCover *busy,
           StriaCover *other)
{
  stria_cover_seal (busy);
  stria_cover_seal (other);
  for (guint i = 1; i < stria_cover_size (busy); i++)
    {
      const gint64 t0 = g_array_index (busy->spans, StriaSpan, i - 1).t1;
      const gint64 t1 = g_array_index (busy->spans, StriaSpan, i).t0;
      g_autofree char *length = NULL, *share = NULL;
      char *numbers;

      if ((double) (t1 - t0) < self->limits[rule])
        continue;
      length = stria_format_duration (t1 - t0, 4);
      share = stria_format_percent ((double) stria_cover_ns (other, t0, t1) / (double) (t1 - t0));
      if (rule == STRIA_WARNING_IDLE_ENGINES)
        /* Translators: a duration, a percentage */
        numbers = g_strdup_printf (_ ("All engines idle for %s; DMA was busy for %s of it"), length,
                                   share);
      else
        numbers = g_strdup_printf (_ ("Nothing ran on the device for %s"), length);
      stria_warning_add (self, rule, t0, t1, process, STRIA_REF_NONE, (double) (t1 - t0), numbers);
    }
}

static gboolean
ends_with_wait (StriaLane *lane)
{
  return g_str_has_suffix (stria_lane_table_key (lane), "\x1fwait");
}

static gboolean
find_idle_engines (StriaWarningSearch *self)
{
  const guint32 n = stria_trace_get_n_processes (self->trace);
  gboolean any = FALSE;

  for (guint32 p = 0; p < n; p++)
    {
      StriaCover busy = { 0 }, dma = { 0 };
      GError *error = NULL;

      for (guint32 l = 0; l < stria_trace_get_n_lanes (self->trace) && error == NULL; l++)
        {
          StriaLane *lane = stria_trace_get_lane (self->trace, l);
          const gboolean is_engine
              = stria_lane_is_of_table (lane, "Instruction") && !ends_with_wait (lane);
          const StriaColumns *columns = NULL;

          if (stria_lane_get_process (lane) != p
              || (!is_engine && !stria_lane_is_of_table (lane, "DmaPacketAggregated")
                  && !stria_lane_is_of_table (lane, "DmaPacket")))
            continue;
          columns = load_slices (self, lane, &error);
          for (guint64 i = 0; columns != NULL && i < columns->n; i++)
            stria_cover_add (is_engine ? &busy : &dma, columns->start[i],
                             columns->start[i] + columns->dur[i]);
        }
      any = any || stria_cover_size (&busy) > 0;
      if (error == NULL)
        find_gaps (self, STRIA_WARNING_IDLE_ENGINES, p, &busy, &dma);
      stria_cover_clear (&busy);
      stria_cover_clear (&dma);
      if (error != NULL)
        {
          g_propagate_error (self->error, error);
          return FALSE;
        }
    }
  if (!any)
    self->set->absent[STRIA_WARNING_IDLE_ENGINES]
        = N_ ("not available because there are no instructions of engines in the capture");
  stria_warning_take (self, STRIA_WARNING_IDLE_ENGINES);
  return TRUE;
}

/* -- PyTorch traces --------------------------------------------------------------------------- */

enum
{
  IS_KERNEL = 1,
  IS_COPY = 2,
  IS_RUNTIME = 4,
};

static gboolean
is_wait (const char *name)
{
  static const char *const blocking[]
      = { "cudaMemcpy", "hipMemcpy", "cudaMemcpy2D", "hipMemcpyWithStream", NULL };

  return strstr (name, "Synchronize") != NULL || g_strv_contains (blocking, name);
}

static void
look_at_lane (StriaWarningSearch *self, guint32 number, const StriaColumns *columns, const guint8 *categories,
              guint8 *names, StriaCover *busy, gboolean *has_kernels, gboolean *has_runtime)
{
  StriaLane *lane = stria_trace_get_lane (self->trace, number);

  for (guint64 i = 0; i < columns->n; i++)
    {
      const guint8 flags = categories[columns->category[i]];
      const guint32 name = columns->name[i];
      g_autofree char *length = NULL;

      if ((flags & (IS_KERNEL | IS_COPY)) != 0)
        {
          stria_cover_add (busy, columns->start[i], columns->start[i] + columns->dur[i]);
          *has_kernels = *has_kernels || (flags & IS_KERNEL) != 0;
        }
      if ((flags & IS_RUNTIME) == 0)
        continue;
      *has_runtime = TRUE;
      if ((double) columns->dur[i] < self->limits[STRIA_WARNING_HOST_SYNC]
          || self->limits[STRIA_WARNING_HOST_SYNC] < 0)
        continue;
      if (names[name] == 0)
        names[name] = is_wait (stria_trace_get_string (self->trace, name)) ? 2 : 1;
      if (names[name] != 2)
        continue;
      length = stria_format_duration (columns->dur[i], 4);
      /* Translators: a name of a function, a duration, a thread */
      stria_warning_add (self, STRIA_WARNING_HOST_SYNC, columns->start[i], columns->start[i] + columns->dur[i],
           stria_lane_get_process (lane), (StriaRef){ number, (guint32) i },
           (double) columns->dur[i],
           g_strdup_printf (_ ("%s took %s in %s"), stria_trace_get_string (self->trace, name),
                            length, stria_lane_get_name (lane)));
    }
}

static gboolean
find_of_gpus (StriaWarningSearch *self)
{
  const guint32 n = stria_trace_get_n_processes (self->trace);
  g_autofree guint8 *categories = g_new0 (guint8, stria_trace_get_n_categories (self->trace) + 1);
  g_autofree guint8 *names
      = g_new0 (guint8, stria_strings_size (stria_trace_get_strings (self->trace)) + 1);
  g_autofree StriaCover *busy = g_new0 (StriaCover, n + 1);
  g_autofree gboolean *has_kernels = g_new0 (gboolean, n + 1);
  gboolean any_kernels = FALSE, has_runtime = FALSE;
  GError *error = NULL;

  stria_trace_flag_categories (self->trace, stria_categories_kernel, IS_KERNEL, categories);
  stria_trace_flag_categories (self->trace, stria_categories_copy, IS_COPY, categories);
  stria_trace_flag_categories (self->trace, stria_categories_runtime, IS_RUNTIME, categories);
  for (guint32 l = 0; l < stria_trace_get_n_lanes (self->trace) && error == NULL; l++)
    {
      StriaLane *lane = stria_trace_get_lane (self->trace, l);
      const guint32 p = MIN (stria_lane_get_process (lane), n);
      gsize length = 0;
      const StriaColumns *columns = NULL;

      if (stria_lane_get_table (lane, &length) != NULL)
        continue;
      columns = load_slices (self, lane, &error);
      if (columns != NULL)
        look_at_lane (self, l, columns, categories, names, &busy[p], &has_kernels[p],
                      &has_runtime);
    }
  stria_warning_take (self, STRIA_WARNING_HOST_SYNC);
  for (guint32 p = 0; p <= n; p++)
    {
      StriaCover none = { 0 };

      if (error == NULL && has_kernels[p] && self->limits[STRIA_WARNING_GPU_IDLE] >= 0)
        find_gaps (self, STRIA_WARNING_GPU_IDLE, p, &busy[p], &none);
      any_kernels = any_kernels || has_kernels[p];
      stria_cover_clear (&busy[p]);
      stria_cover_clear (&none);
    }
  stria_warning_take (self, STRIA_WARNING_GPU_IDLE);
  if (!any_kernels)
    self->set->absent[STRIA_WARNING_GPU_IDLE]
        = N_ ("not available because there are no kernels of a GPU in the capture");
  if (!has_runtime)
    self->set->absent[STRIA_WARNING_HOST_SYNC]
        = N_ ("not available because there are no runtime calls in the capture");
  if (error != NULL)
    g_propagate_error (self->error, error);
  return error == NULL;
}

/* -- what the file says ----------------------------------------------------------------------- */

static char *
cell_text (StriaTable *table, const char *column, guint32 chunk, guint32 row)
{
  const int c = stria_table_find_column (table, column);
  g_autoptr (StriaColumnChunk) values = NULL;
  guint32 length = 0;
  const char *text;

  if (c < 0 || stria_table_get_column (table, (guint) c)->type != STRIA_CELL_TEXT)
    return g_strdup ("");
  values = stria_table_load (table, (guint) c, chunk, NULL);
  if (values == NULL || row >= values->n_rows || !stria_column_data_has (&values->data, row))
    return g_strdup ("");
  text = stria_column_data_text (&values->data, row, &length);
  return g_strndup (text, MIN (length, 4096));
}

static void
find_of_file (StriaWarningSearch *self)
{
  gboolean any = FALSE;

  for (guint t = 0; self->tables != NULL && t < self->tables->len; t++)
    {
      StriaTable *table = self->tables->pdata[t];
      const guint64 n = MIN (stria_table_get_n_rows (table), MAX_FILE_WARNINGS);

      if (g_ascii_strcasecmp (stria_table_get_name (table), "Warning") != 0)
        continue;
      any = TRUE;
      for (guint64 row = 0; row < n; row++)
        {
          guint32 chunk = 0, place = 0;
          g_autofree char *message = NULL, *category = NULL;
          StriaWarning warning = { .rule = STRIA_WARNING_FILE, .process = G_MAXUINT32,
                                   .ref = STRIA_REF_NONE };

          if (!stria_table_find_row (table, row, &chunk, &place))
            break;
          message = cell_text (table, "message", chunk, place);
          category = cell_text (table, "category", chunk, place);
          warning.numbers = category[0] != '\0' ? g_strdup_printf ("%s: %s", category, message)
                                                : g_strdup (message);
          g_array_append_val (self->found, warning);
        }
    }
  if (!any)
    self->set->absent[STRIA_WARNING_FILE]
        = N_ ("not available because the capture has no export with a table “Warning”");
  stria_warning_take (self, STRIA_WARNING_FILE);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const StriaWarning *x = a;
  const StriaWarning *y = b;

  if (x->has_time != y->has_time)
    return x->has_time ? 1 : -1;
  if (x->t0 != y->t0)
    return x->t0 < y->t0 ? -1 : 1;
  return x->rule < y->rule ? -1 : x->rule > y->rule;
}

StriaWarningSet *
stria_warning_set_new (StriaTrace *trace, GPtrArray *tables, const double *limits,
                       GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaWarningSet) set = g_new0 (StriaWarningSet, 1);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (StriaWarning));
  g_autoptr (GArray) transfers = NULL;
  StriaWarningSearch search = { .trace = trace, .tables = tables, .limits = limits, .set = set,
                    .found = found, .cancellable = cancellable, .error = error };

  g_return_val_if_fail (trace != NULL && limits != NULL, NULL);

  set->items = g_array_new (FALSE, FALSE, sizeof (StriaWarning));
  g_array_set_clear_func (set->items, warning_clear);
  search.transfers = transfers = stria_transfers_new (trace, cancellable, error);
  if (transfers == NULL)
    return NULL;
  stria_warning_find_small (&search);
  if (limits[STRIA_WARNING_SPILLS] >= 0)
    stria_warning_find_spills (&search);
  if (limits[STRIA_WARNING_THROTTLING] >= 0 && !find_throttling (&search))
    return NULL;
  if (limits[STRIA_WARNING_IDLE_ENGINES] >= 0 && !find_idle_engines (&search))
    return NULL;
  if (!find_of_gpus (&search))
    return NULL;
  if (limits[STRIA_WARNING_FILE] >= 0)
    find_of_file (&search);
  g_array_sort (set->items, compare_times);
  return g_steal_pointer (&set);
}

void
stria_warning_set_free (StriaWarningSet *self)
{
  g_clear_pointer (&self->items, g_array_unref);
  g_free (self);
}
