/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-activity.h"
#include "stria-stats.h"
#include "stria-summary-rows.h"

typedef enum
{
  OTHER,
  COMPUTE,
  COMMUNICATION,
  MEMORY,
  OPERATOR,
  STEP,
} Class;

typedef struct
{
  StriaSpanUnion of[MEMORY + 1];
  guint64 n[MEMORY + 1];
} Spans;

typedef struct
{
  StriaTrace *trace;
  gint64 t0, t1;
  GCancellable *cancellable;
  guint8 *categories; /* Class by category; COMPUTE stands for kernels of both kinds */
  guint8 *names;      /* bits of classes that slices of that name are of */
  GHashTable *communicates; /* names of kernels, by id: 1 no, 2 yes */
  GPtrArray *devices; /* Spans */
  Spans open;         /* of the stream whose lanes are being read */
  guint32 open_lane;  /* its first; G_MAXUINT32: none */
  StriaActivity *made;
} Making;

/* Categories as the profilers of PyTorch write them, old and new */
static Class
class_of_category (const char *name)
{
  static const struct
  {
    const char *name;
    Class class;
  } known[] = {
    { "kernel", COMPUTE },       { "gpu_memcpy", MEMORY },       { "gpu_memset", MEMORY },
    { "Kernel", COMPUTE },       { "Memcpy", MEMORY },           { "Memset", MEMORY },
    { "concurrent_kernel", COMPUTE }, { "cpu_op", OPERATOR },    { "Operator", OPERATOR },
    { "user_annotation", STEP },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_equal (known[i].name, name))
      return known[i].class;
  return OTHER;
}

static gboolean
names_communication (const char *name)
{
  static const char *const libraries[] = { "nccl", "rccl", "oneccl", "hccl" };
  g_autofree char *lower = g_ascii_strdown (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (libraries); i++)
    if (strstr (lower, libraries[i]) != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
communicates (Making *self, guint32 name)
{
  gpointer known = g_hash_table_lookup (self->communicates, GUINT_TO_POINTER (name));

  if (known == NULL)
    {
      const char *text = stria_trace_get_string (self->trace, name);

      known = GINT_TO_POINTER (names_communication (text) ? 2 : 1);
      g_hash_table_insert (self->communicates, GUINT_TO_POINTER (name), known);
    }
  return GPOINTER_TO_INT (known) == 2;
}

static StriaTimes
times_of (Spans *spans, gint64 t0, gint64 t1)
{
  StriaSpanUnion kernels = { 0 }, all = { 0 };
  StriaTimes times = { 0 };
  double kernel_ns;

  stria_span_union_take (&kernels, &spans->of[COMPUTE]);
  stria_span_union_take (&kernels, &spans->of[COMMUNICATION]);
  stria_span_union_merge (&kernels);
  stria_span_union_take (&all, &kernels);
  stria_span_union_take (&all, &spans->of[MEMORY]);
  kernel_ns = stria_span_union_inside (&kernels, t0, t1);
  times.busy_ns = stria_span_union_inside (&all, t0, t1);
  times.compute_ns = stria_span_union_inside (&spans->of[COMPUTE], t0, t1);
  times.communication_ns = stria_span_union_inside (&spans->of[COMMUNICATION], t0, t1);
  times.memory_ns = stria_span_union_inside (&spans->of[MEMORY], t0, t1);
  /* What both have is what they have too much together. */
  times.hidden_ns = times.compute_ns + times.communication_ns - kernel_ns;
  times.memory_hidden_ns = kernel_ns + times.memory_ns - times.busy_ns;
  stria_span_union_clear (&kernels);
  stria_span_union_clear (&all);
  return times;
}

static void
spans_clear (Spans *spans)
{
  for (guint c = 0; c <= MEMORY; c++)
    stria_span_union_clear (&spans->of[c]);
}

static void
spans_free (gpointer data)
{
  spans_clear (data);
  g_free (data);
}

static Spans *
device_of (Making *self, guint32 process, guint *index)
{
  StriaDeviceActivity device = { .process = process };

  for (*index = 0; *index < self->made->devices->len; (*index)++)
    if (g_array_index (self->made->devices, StriaDeviceActivity, *index).process == process)
      return self->devices->pdata[*index];
  g_array_append_val (self->made->devices, device);
  g_ptr_array_add (self->devices, g_new0 (Spans, 1));
  return self->devices->pdata[*index];
}

/* Slices that overlap others of their stream stand in a lane of their own, beside the first. */
static gboolean
is_same_stream (Making *self, guint32 number)
{
  StriaLane *a = stria_trace_get_lane (self->trace, self->open_lane);
  StriaLane *b = stria_trace_get_lane (self->trace, number);

  return stria_lane_get_process (a) == stria_lane_get_process (b)
         && stria_lane_get_artifact (a) == stria_lane_get_artifact (b)
         && g_str_equal (stria_lane_get_key (a), stria_lane_get_key (b));
}

static void
finish_stream (Making *self)
{
  StriaStreamActivity stream = { .lane = self->open_lane };
  Spans *spans = &self->open, *all;
  StriaDeviceActivity *device;

  if (self->open_lane == G_MAXUINT32)
    return;
  all = device_of (self,
                   stria_lane_get_process (stria_trace_get_lane (self->trace, self->open_lane)),
                   &stream.device);
  for (guint c = COMPUTE; c <= MEMORY; c++)
    {
      stream.n_slices += spans->n[c];
      all->n[c] += spans->n[c];
      stria_span_union_merge (&spans->of[c]);
      stria_span_union_take (&all->of[c], &spans->of[c]);
    }
  stream.times = times_of (spans, self->t0, self->t1);
  g_array_append_val (self->made->streams, stream);
  device = &g_array_index (self->made->devices, StriaDeviceActivity, stream.device);
  device->n_streams++;
  spans_clear (spans);
  *spans = (Spans){ 0 };
  self->open_lane = G_MAXUINT32;
}

static void
add_step (Making *self, const StriaColumns *c, guint64 i, gint64 end)
{
  StriaStepActivity step = { .name = c->name[i], .start_ns = MAX (c->start[i], self->t0),
                             .end_ns = MIN (end, self->t1), .device = G_MAXUINT };

  if (!g_str_has_prefix (stria_trace_get_string (self->trace, c->name[i]), "ProfilerStep#"))
    return;
  /* Several threads may mark the same step. */
  for (guint s = 0; s < self->made->steps->len; s++)
    if (g_array_index (self->made->steps, StriaStepActivity, s).name == step.name)
      return;
  g_array_append_val (self->made->steps, step);
}

static void
read_lane (Making *self, guint32 number)
{
  StriaLane *lane = stria_trace_get_lane (self->trace, number);
  const StriaColumns *c = stria_lane_get_columns (lane);

  if (self->open_lane != G_MAXUINT32 && !is_same_stream (self, number))
    finish_stream (self);

  for (guint64 i = 0; i < c->n; i++)
    {
      Class class = self->categories[c->category[i]];
      gint64 start = c->start[i], end;

      if (class == OTHER)
        continue;
      if (__builtin_add_overflow (start, c->dur[i], &end))
        end = G_MAXINT64;
      if (start >= self->t1 || end < self->t0 || (end == self->t0 && start < self->t0))
        continue;
      if (class == STEP)
        {
          add_step (self, c, i, end);
          continue;
        }
      self->names[c->name[i]] |= (guint8) (1 << class);
      if (class > MEMORY)
        continue;
      if (class == COMPUTE && communicates (self, c->name[i]))
        class = COMMUNICATION;
      if (self->open_lane == G_MAXUINT32)
        self->open_lane = number;
      self->open.n[class]++;
      start = MAX (start, self->t0);
      stria_span_union_add (&self->open.of[class], start, MIN (end, self->t1) - start);
    }
}

static gboolean
read_lanes (Making *self, const guint32 *lanes, gsize n_lanes, GError **error)
{
  gsize n = lanes != NULL ? n_lanes : stria_trace_get_n_lanes (self->trace);
  gint64 a, z;

  for (gsize i = 0; i < n; i++)
    {
      guint32 number = lanes != NULL ? lanes[i] : (guint32) i;
      StriaLane *lane;

      if (number >= stria_trace_get_n_lanes (self->trace))
        continue;
      lane = stria_trace_get_lane (self->trace, number);
      if (stria_lane_get_kind (lane) == STRIA_LANE_COUNTER
          || stria_lane_get_kind (lane) == STRIA_LANE_INSTANTS
          || !stria_lane_get_range (lane, &a, &z) || z < self->t0 || a >= self->t1)
        continue;
      if (!stria_lane_load (lane, self->cancellable, error)
          || g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      if (stria_lane_get_columns (lane)->category != NULL)
        read_lane (self, number);
    }
  finish_stream (self);
  return TRUE;
}

static int
compare_steps (gconstpointer a, gconstpointer b)
{
  const StriaStepActivity *x = a, *y = b;

  if (x->start_ns != y->start_ns)
    return x->start_ns < y->start_ns ? -1 : 1;
  return x->device < y->device ? -1 : x->device > y->device;
}

/* A row for each device of a step */
static void
finish_steps (Making *self)
{
  g_autoptr (GArray) steps = g_steal_pointer (&self->made->steps);

  self->made->steps = g_array_new (FALSE, FALSE, sizeof (StriaStepActivity));
  for (guint s = 0; s < steps->len; s++)
    for (guint d = 0; d < self->made->devices->len; d++)
      {
        StriaStepActivity step = g_array_index (steps, StriaStepActivity, s);

        step.device = d;
        step.times = times_of (self->devices->pdata[d], step.start_ns, step.end_ns);
        g_array_append_val (self->made->steps, step);
      }
  g_array_sort (self->made->steps, compare_steps);
}

static int
compare_self (gconstpointer a, gconstpointer b)
{
  const StriaNameActivity *x = a, *y = b;

  return x->self_ns > y->self_ns ? -1 : x->self_ns < y->self_ns;
}

static gboolean
add_names (Making *self, const guint32 *lanes, gsize n_lanes, GError **error)
{
  g_autoptr (StriaStats) stats = stria_stats_new (self->trace, lanes, n_lanes, self->t0, self->t1,
                                                  self->cancellable, error);

  if (stats == NULL)
    return FALSE;
  for (guint i = 0; i < stats->by_name->len; i++)
    {
      const StriaStatsRow *row = &g_array_index (stats->by_name, StriaStatsRow, i);
      StriaNameActivity name = { row->key, row->count, row->total_ns, row->self_ns };
      guint8 classes = self->names[row->key];

      if ((classes & 1 << OPERATOR) != 0)
        g_array_append_val (self->made->operators, name);
      if ((classes & (1 << COMPUTE | 1 << MEMORY)) != 0)
        g_array_append_val (self->made->kernels, name);
    }
  g_array_sort (self->made->operators, compare_self);
  return TRUE;
}

StriaActivity *
stria_activity_new (StriaTrace *trace, const guint32 *lanes, gsize n_lanes, gint64 start_ns,
                    gint64 end_ns, GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaActivity) made = g_new0 (StriaActivity, 1);
  guint32 n = stria_trace_get_n_categories (trace);
  g_autofree guint8 *categories = g_new0 (guint8, (gsize) n + 1);
  g_autofree guint8 *names
      = g_new0 (guint8, (gsize) stria_strings_size (stria_trace_get_strings (trace)) + 1);
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) devices = g_ptr_array_new_with_free_func (spans_free);
  Making self = { .trace = trace, .t0 = start_ns, .t1 = end_ns, .cancellable = cancellable,
                  .categories = categories, .names = names, .communicates = known,
                  .devices = devices, .open_lane = G_MAXUINT32, .made = made };
  gboolean ok;

  made->start_ns = start_ns;
  made->end_ns = end_ns;
  made->devices = g_array_new (FALSE, FALSE, sizeof (StriaDeviceActivity));
  made->streams = g_array_new (FALSE, FALSE, sizeof (StriaStreamActivity));
  made->steps = g_array_new (FALSE, FALSE, sizeof (StriaStepActivity));
  made->operators = g_array_new (FALSE, FALSE, sizeof (StriaNameActivity));
  made->kernels = g_array_new (FALSE, FALSE, sizeof (StriaNameActivity));
  for (guint32 i = 0; i < n; i++)
    categories[i] = (guint8) class_of_category (stria_trace_get_category (trace, i));
  ok = read_lanes (&self, lanes, n_lanes, error) && add_names (&self, lanes, n_lanes, error);
  spans_clear (&self.open);
  if (!ok)
    return NULL;
  for (guint d = 0; d < devices->len; d++)
    {
      StriaDeviceActivity *device = &g_array_index (made->devices, StriaDeviceActivity, d);
      Spans *spans = devices->pdata[d];

      device->times = times_of (spans, start_ns, end_ns);
      device->n_kernels = spans->n[COMPUTE];
      device->n_communications = spans->n[COMMUNICATION];
      device->n_copies = spans->n[MEMORY];
    }
  finish_steps (&self);
  return g_steal_pointer (&made);
}

void
stria_activity_free (StriaActivity *self)
{
  g_clear_pointer (&self->devices, g_array_unref);
  g_clear_pointer (&self->streams, g_array_unref);
  g_clear_pointer (&self->steps, g_array_unref);
  g_clear_pointer (&self->operators, g_array_unref);
  g_clear_pointer (&self->kernels, g_array_unref);
  g_free (self);
}
