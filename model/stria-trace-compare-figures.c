/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of a comparison's summary: how busy devices and threads were, and with what. */
#include "config.h"

#include "stria-trace-compare-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-lane-class.h"
#include "stria-neuron-summary.h"
#include "stria-summary-rows.h"

#define CHECK_EVERY 65536

/* What a device does */
typedef enum
{
  WORK_COMPUTE,
  WORK_COMMUNICATION,
  WORK_COPY,
  N_WORKS,
  WORK_NONE, /* not a device's */
} Work;

/* What is summed of a trace before figures are made of it */
typedef struct
{
  StriaSpanUnion *unions; /* N_WORKS a process */
  gint64         *first;  /* by process: when its device begins, G_MAXINT64 if there is none */
  gint64         *last;
  guint8         *works;  /* by category: Work, for kernels WORK_COMPUTE */
  guint8         *comm;   /* by name: 0 unknown, 1 no communication, 2 communication */
  double         *category_ns;
  guint64        *category_events;
  double          threads_ns; /* outermost slices of threads */
  guint64         n_slices;
  guint64         n_steps;
  double          steps_ns;
  gboolean        has_threads;
} Tally;

static const char *const kernel_categories[]
    = { "kernel", "Kernel", "concurrent_kernel", "mtia_ccp_events", NULL };
static const char *const copy_categories[]
    = { "gpu_memcpy", "gpu_memset", "Memcpy", "Memset", NULL };
/* How the kernels of libraries for collectives begin */
static const char *const comm_prefixes[]
    = { "nccl", "rccl", "oneccl", "hccl", "mscclKernel", "void nccl", NULL };

static guint8
work_of_category (const char *category)
{
  if (g_strv_contains (kernel_categories, category))
    return WORK_COMPUTE;
  if (g_strv_contains (copy_categories, category))
    return WORK_COPY;
  return WORK_NONE;
}

static gboolean
is_communication (Tally *tally, StriaTrace *trace, guint32 name)
{
  if (tally->comm[name] == 0)
    {
      const char *text = stria_trace_get_string (trace, name);

      tally->comm[name] = 1;
      for (guint i = 0; comm_prefixes[i] != NULL; i++)
        if (g_ascii_strncasecmp (text, comm_prefixes[i], strlen (comm_prefixes[i])) == 0)
          tally->comm[name] = 2;
    }
  return tally->comm[name] == 2;
}

static gboolean
is_step (const char *name)
{
  const char *number = name + strlen ("ProfilerStep#");

  return g_str_has_prefix (name, "ProfilerStep#") && g_ascii_isdigit (*number);
}

static Tally *
tally_new (StriaTrace *trace)
{
  Tally *self = g_new0 (Tally, 1);
  const guint32 n_processes = stria_trace_get_n_processes (trace);
  const guint32 n_categories = stria_trace_get_n_categories (trace);

  self->unions = g_new0 (StriaSpanUnion, (gsize) n_processes * N_WORKS + 1);
  self->first = g_new (gint64, n_processes + 1);
  self->last = g_new (gint64, n_processes + 1);
  for (guint32 i = 0; i < n_processes; i++)
    {
      self->first[i] = G_MAXINT64;
      self->last[i] = G_MININT64;
    }
  self->works = g_new0 (guint8, n_categories + 1);
  for (guint32 i = 0; i < n_categories; i++)
    self->works[i] = work_of_category (stria_trace_get_category (trace, i));
  self->comm = g_new0 (guint8, stria_strings_size (stria_trace_get_strings (trace)) + 1);
  self->category_ns = g_new0 (double, n_categories + 1);
  self->category_events = g_new0 (guint64, n_categories + 1);
  return self;
}

static void
tally_free (Tally *self, StriaTrace *trace)
{
  const guint32 n = stria_trace_get_n_processes (trace) * N_WORKS;

  for (guint32 i = 0; i < n; i++)
    stria_span_union_clear (&self->unions[i]);
  g_free (self->unions);
  g_free (self->first);
  g_free (self->last);
  g_free (self->works);
  g_free (self->comm);
  g_free (self->category_ns);
  g_free (self->category_events);
  g_free (self);
}

/* Lanes of tables are of a device as a whole. */
static Work
work_of_lane (StriaLane *lane)
{
  switch (stria_lane_get_class (lane))
    {
    case STRIA_LANE_CLASS_ENGINES:
      return WORK_COMPUTE;
    case STRIA_LANE_CLASS_COLLECTIVES:
      return WORK_COMMUNICATION;
    case STRIA_LANE_CLASS_DMA_QUEUES:
    case STRIA_LANE_CLASS_DMA_ENGINES:
      return WORK_COPY;
    case STRIA_LANE_CLASS_THREADS:
    case STRIA_LANE_CLASS_USAGE:
    case STRIA_LANE_CLASS_SEMAPHORES:
    case STRIA_LANE_CLASS_ERRORS:
    case STRIA_LANE_N_CLASSES:
    default:
      return WORK_NONE;
    }
}

static gboolean
tally_lane (Tally *self, StriaTrace *trace, StriaLane *lane, StriaTraceSpan span,
            GCancellable *cancellable, GError **error)
{
  const StriaColumns *c = stria_lane_get_columns (lane);
  const Work lane_work = work_of_lane (lane);
  const guint32 process = stria_lane_get_process (lane);
  const gboolean is_thread = stria_lane_get_class (lane) == STRIA_LANE_CLASS_THREADS;
  /* Categories of what encloses an event, a bit each; a slice inside one of its own category covers
   * nothing more. Those beyond 64 share a bit, and only look at what is right above. */
  g_autofree guint64 *above = g_new (guint64, c->n + 1);

  for (guint64 i = 0; i < c->n; i++)
    {
      const guint32 parent = c->parent != NULL ? c->parent[i] : G_MAXUINT32;
      const guint16 category = c->category[i];
      const guint64 bit = category < 64 ? G_GUINT64_CONSTANT (1) << category : 0;
      const guint64 outer = parent != G_MAXUINT32 ? above[parent] : 0;
      Work work = lane_work;
      gint64 start, end;

      if (i % CHECK_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      above[i] = outer | bit;
      if (!stria_compare_clip (c, i, span, &start, &end))
        continue;
      self->n_slices++;
      self->category_events[category]++;
      if (!(outer & bit)
          && !(bit == 0 && parent != G_MAXUINT32 && c->category[parent] == category))
        self->category_ns[category] += (double) (end - start);
      if (is_step (stria_trace_get_string (trace, c->name[i])) && parent == G_MAXUINT32
          && self->works[category] == WORK_NONE
          && !g_str_has_prefix (stria_trace_get_category (trace, category), "gpu_"))
        {
          self->n_steps++;
          self->steps_ns += (double) (end - start);
        }
      if (is_thread)
        work = (Work) self->works[category];
      if (is_thread && work == WORK_NONE && parent == G_MAXUINT32
          && stria_lane_get_kind (lane) == STRIA_LANE_SLICES
          && !g_str_has_prefix (stria_trace_get_category (trace, category), "gpu_")
          && !g_str_equal (stria_trace_get_category (trace, category), "Trace"))
        {
          self->threads_ns += (double) (end - start);
          self->has_threads = TRUE;
        }
      if (work >= N_WORKS)
        continue;
      if (work == WORK_COMPUTE && is_communication (self, trace, c->name[i]))
        work = WORK_COMMUNICATION;
      self->first[process] = MIN (self->first[process], start);
      self->last[process] = MAX (self->last[process], end);
      stria_span_union_add (&self->unions[process * N_WORKS + work], start, end - start);
    }
  return TRUE;
}

/* -- figures --------------------------------------------------------------------------------- */

static StriaTraceFigure *
figure_for (StriaTraceCompare *self, const char *id, const char *section, const char *title,
            const char *unit, const char *formula, gboolean is_cost)
{
  StriaTraceFigure *figure;

  for (guint i = 0; i < self->figures->len; i++)
    {
      figure = self->figures->pdata[i];
      if (g_str_equal (figure->id, id) && g_strcmp0 (figure->section, section) == 0)
        return figure;
    }
  figure = g_new0 (StriaTraceFigure, 1);
  figure->id = g_strdup (id);
  figure->section = g_strdup (section);
  figure->title = title;
  figure->unit = unit;
  figure->formula = formula;
  figure->is_cost = is_cost;
  for (guint i = 0; i < STRIA_TRACE_COMPARE_MAX; i++)
    figure->missing[i] = N_ ("not available because the capture has nothing of it");
  g_ptr_array_add (self->figures, figure);
  return figure;
}

static void
set_value (StriaTraceFigure *figure, guint trace, double value)
{
  figure->has[trace] = TRUE;
  figure->values[trace] = value;
  figure->missing[trace] = NULL;
}

static void
set_device (StriaTraceCompare *self, guint t, const Tally *tally)
{
  static const char *const none
      = N_ ("not available because the capture has no kernels, copies or engines");
  StriaTraceFigure *span = figure_for (self, "device_span", NULL, N_ ("Device span"), "ns",
                                       N_ ("from the first event of a device to the end of its "
                                           "last one, summed over devices"),
                                       TRUE);
  StriaTraceFigure *busy = figure_for (self, "device_busy", NULL, N_ ("Device busy"), "ns",
                                       N_ ("time in which at least one kernel, collective, copy or "
                                           "instruction runs, summed over devices"),
                                       TRUE);
  StriaTraceFigure *idle = figure_for (self, "device_idle", NULL, N_ ("Device idle"), "ns",
                                       N_ ("device span less device busy"), TRUE);
  StriaTraceFigure *share = figure_for (self, "device_busy_share", NULL,
                                        N_ ("Device utilisation"), "of 1",
                                        N_ ("device busy over device span"), FALSE);
  StriaTraceFigure *compute = figure_for (self, "compute", NULL, N_ ("Compute"), "ns",
                                          N_ ("time in which at least one kernel or instruction "
                                              "that is no collective runs"),
                                          TRUE);
  StriaTraceFigure *comm = figure_for (self, "communication", NULL, N_ ("Communication"), "ns",
                                       N_ ("time in which at least one collective runs: kernels of "
                                           "NCCL, RCCL and the like, or lanes of collectives"),
                                       TRUE);
  StriaTraceFigure *exposed = figure_for (self, "communication_exposed", NULL,
                                          N_ ("Communication not hidden"), "ns",
                                          N_ ("communication while nothing is computed"), TRUE);
  StriaTraceFigure *copy = figure_for (self, "memcpy", NULL, N_ ("Memory copies"), "ns",
                                       N_ ("time in which at least one copy, fill or DMA transfer "
                                           "runs"),
                                       TRUE);
  StriaTraceFigure *const all[] = { span, busy, idle, share, compute, comm, exposed, copy };
  double span_ns = 0, busy_ns = 0, works[N_WORKS] = { 0 }, exposed_ns = 0;
  gboolean has = FALSE;

  for (guint32 p = 0; p < stria_trace_get_n_processes (self->traces[t]); p++)
    {
      StriaSpanUnion *unions = &tally->unions[p * N_WORKS];
      StriaSpanUnion both = { 0 }, any = { 0 };

      if (tally->first[p] == G_MAXINT64)
        continue;
      has = TRUE;
      span_ns += (double) (tally->last[p] - tally->first[p]);
      for (guint w = 0; w < N_WORKS; w++)
        {
          works[w] += stria_span_union_ns (&unions[w]);
          stria_span_union_take (&any, &unions[w]);
        }
      busy_ns += stria_span_union_ns (&any);
      stria_span_union_take (&both, &unions[WORK_COMPUTE]);
      stria_span_union_take (&both, &unions[WORK_COMMUNICATION]);
      exposed_ns += stria_span_union_ns (&both) - stria_span_union_ns (&unions[WORK_COMPUTE]);
      stria_span_union_clear (&both);
      stria_span_union_clear (&any);
    }
  if (!has)
    {
      for (guint i = 0; i < G_N_ELEMENTS (all); i++)
        all[i]->missing[t] = none;
      return;
    }
  set_value (span, t, span_ns);
  set_value (busy, t, busy_ns);
  set_value (idle, t, span_ns - busy_ns);
  if (span_ns > 0)
    set_value (share, t, busy_ns / span_ns);
  set_value (compute, t, works[WORK_COMPUTE]);
  set_value (comm, t, works[WORK_COMMUNICATION]);
  set_value (exposed, t, exposed_ns);
  set_value (copy, t, works[WORK_COPY]);
}

static void
set_whole (StriaTraceCompare *self, guint t, const Tally *tally)
{
  StriaTraceFigure *length = figure_for (self, "length", NULL, N_ ("Length"), "ns",
                                         N_ ("end of the compared range less its start"), TRUE);
  StriaTraceFigure *slices = figure_for (self, "slices", NULL, N_ ("Slices"), "events",
                                         N_ ("slices that overlap the compared range"), FALSE);
  StriaTraceFigure *step = figure_for (self, "step_mean", NULL, N_ ("Mean step"), "ns",
                                       N_ ("time of the slices “ProfilerStep#” over their number"),
                                       TRUE);
  StriaTraceFigure *threads;
  StriaTraceFigure *steps = figure_for (self, "steps", NULL, N_ ("Steps"), "events",
                                        N_ ("number of slices “ProfilerStep#”"), FALSE);

  set_value (length, t, (double) (self->spans[t].t1 - self->spans[t].t0));
  set_value (slices, t, (double) tally->n_slices);
  if (tally->n_steps > 0)
    {
      set_value (steps, t, (double) tally->n_steps);
      set_value (step, t, tally->steps_ns / (double) tally->n_steps);
    }
  else
    steps->missing[t] = step->missing[t]
        = N_ ("not available because no slice is called “ProfilerStep#”");
  set_device (self, t, tally);
  threads = figure_for (self, "threads", NULL, N_ ("Threads busy"), "ns",
                        N_ ("outermost slices of the host’s threads, summed over threads"), TRUE);
  if (tally->has_threads)
    set_value (threads, t, tally->threads_ns);
}

static void
set_categories (StriaTraceCompare *self, guint t, const Tally *tally)
{
  for (guint32 i = 0; i < stria_trace_get_n_categories (self->traces[t]); i++)
    {
      const char *category = stria_trace_get_category (self->traces[t], i);

      if (tally->category_events[i] == 0)
        continue;
      set_value (figure_for (self, "category_time", category, N_ ("Time"), "ns",
                             N_ ("slices of the category that are not inside another of it, summed "
                                 "over lanes"),
                             TRUE),
                 t, tally->category_ns[i]);
      set_value (figure_for (self, "category_count", category, N_ ("Slices"), "events",
                             N_ ("slices of the category"), FALSE),
                 t, (double) tally->category_events[i]);
    }
}

static gboolean
is_cost_of (const StriaNeuronMetric *metric)
{
  return g_str_equal (metric->unit, "ns") || g_str_equal (metric->unit, "s");
}

/* Device profiles in the order in which captures have them: their titles name runs. */
static gboolean
set_neuron (StriaTraceCompare *self, StriaCapture *const *captures, GCancellable *cancellable,
            GError **error)
{
  GPtrArray *profiles[STRIA_TRACE_COMPARE_MAX] = { NULL };
  guint n = 0, most = 0;
  gboolean done = TRUE;

  for (guint t = 0; t < self->n; t++)
    {
      profiles[t] = stria_neuron_profiles (captures[t]);
      n += profiles[t]->len > 0;
      most = MAX (most, profiles[t]->len);
    }
  for (guint p = 0; n > 1 && p < most && done; p++)
    {
      const char *section = NULL;

      for (guint t = 0; t < self->n && done; t++)
        {
          const StriaNeuronProfile *profile
              = p < profiles[t]->len ? profiles[t]->pdata[p] : NULL;
          g_autoptr (GPtrArray) tables = NULL;
          g_autoptr (GArray) metrics = NULL;

          if (profile == NULL)
            continue;
          section = section != NULL ? section : profile->title;
          tables = stria_neuron_summary_tables (captures[t], profile->artifact);
          metrics = stria_neuron_summary (tables, cancellable, error);
          done = metrics != NULL;
          for (guint i = 0; done && i < metrics->len; i++)
            {
              const StriaNeuronMetric *m = &g_array_index (metrics, StriaNeuronMetric, i);
              StriaTraceFigure *figure;

              if (!m->has_value && !m->has_reported)
                continue;
              figure = figure_for (self, m->name, section, m->name, m->unit, m->formula,
                                   is_cost_of (m));
              set_value (figure, t, m->has_value ? m->value : m->reported);
            }
        }
    }
  for (guint t = 0; t < self->n; t++)
    g_ptr_array_unref (profiles[t]);
  return done;
}

gboolean
stria_trace_compare_add_figures (StriaTraceCompare *self, StriaCapture *const *captures,
                                 gboolean spans_given, GCancellable *cancellable, GError **error)
{
  Tally *tallies[STRIA_TRACE_COMPARE_MAX] = { NULL };
  gboolean done = TRUE;

  for (guint t = 0; t < self->n && done; t++)
    {
      StriaTrace *trace = self->traces[t];

      tallies[t] = tally_new (trace);
      for (guint32 i = 0; i < stria_trace_get_n_lanes (trace) && done; i++)
        {
          StriaLane *lane = stria_trace_get_lane (trace, i);
          const StriaLaneKind kind = stria_lane_get_kind (lane);

          if (kind == STRIA_LANE_COUNTER || kind == STRIA_LANE_INSTANTS)
            continue;
          done = stria_lane_load (lane, cancellable, error)
                 && tally_lane (tallies[t], trace, lane, self->spans[t], cancellable, error);
        }
    }
  for (guint t = 0; t < self->n && done; t++)
    set_whole (self, t, tallies[t]);
  for (guint t = 0; t < self->n && done; t++)
    set_categories (self, t, tallies[t]);
  for (guint t = 0; t < self->n; t++)
    if (tallies[t] != NULL)
      tally_free (tallies[t], self->traces[t]);
  return done && (spans_given || set_neuron (self, captures, cancellable, error));
}
