/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-event-clock.h"

typedef struct
{
  guint32 core;
  const char *exec; /* one address a text, NULL if not said */
  gint64 device_ns;
  gint64 host_ns;
} Point;

struct _StriaClockSync
{
  GArray *points;  /* by core and device time */
  GArray *by_exec; /* by core, execution and device time */
  GHashTable *execs;
  GStringChunk *texts;
  StriaClockResidual residual;
};

StriaClockSync *
stria_clock_sync_new (void)
{
  StriaClockSync *self = g_new0 (StriaClockSync, 1);

  self->points = g_array_new (FALSE, FALSE, sizeof (Point));
  self->by_exec = g_array_new (FALSE, FALSE, sizeof (Point));
  self->execs = g_hash_table_new (g_str_hash, g_str_equal);
  self->texts = g_string_chunk_new (4096);
  return self;
}

void
stria_clock_sync_free (StriaClockSync *self)
{
  g_array_unref (self->points);
  g_array_unref (self->by_exec);
  g_hash_table_unref (self->execs);
  g_string_chunk_free (self->texts);
  g_free (self);
}

void
stria_clock_sync_add (StriaClockSync *self, guint32 core, const char *exec, gint64 device_ns,
                      gint64 host_ns)
{
  Point point = { core, NULL, device_ns, host_ns };

  if (exec != NULL)
    {
      point.exec = g_hash_table_lookup (self->execs, exec);
      if (point.exec == NULL)
        {
          point.exec = g_string_chunk_insert (self->texts, exec);
          g_hash_table_add (self->execs, (gpointer) point.exec);
        }
      g_array_append_val (self->by_exec, point);
    }
  g_array_append_val (self->points, point);
}

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const Point *x = a, *y = b;

  return x->core != y->core ? ORDER (x->core, y->core) : ORDER (x->device_ns, y->device_ns);
}

static int
compare_execs (gconstpointer a, gconstpointer b)
{
  const Point *x = a, *y = b;

  if (x->core != y->core)
    return ORDER (x->core, y->core);
  if (x->exec != y->exec)
    return ORDER ((guintptr) x->exec, (guintptr) y->exec);
  return ORDER (x->device_ns, y->device_ns);
}

static guint64
distance (gint64 a, gint64 b)
{
  return a >= b ? (guint64) a - (guint64) b : (guint64) b - (guint64) a;
}

static gboolean
shift (const Point *point, gint64 device_ns, gint64 *host_ns)
{
  gint64 passed;

  return !__builtin_sub_overflow (device_ns, point->device_ns, &passed)
         && !__builtin_add_overflow (point->host_ns, passed, host_ns);
}

static void
measure (StriaClockSync *self)
{
  self->residual.n_points = self->points->len;
  for (guint i = 1; i < self->points->len; i++)
    {
      const Point *before = &g_array_index (self->points, Point, i - 1);
      const Point *point = &g_array_index (self->points, Point, i);
      gint64 said;

      if (before->core != point->core || !shift (before, point->device_ns, &said))
        continue;
      self->residual.n_steps++;
      self->residual.max_ns = MAX (self->residual.max_ns, distance (said, point->host_ns));
      self->residual.sum_ns += distance (said, point->host_ns);
    }
}

void
stria_clock_sync_seal (StriaClockSync *self)
{
  g_array_sort (self->points, compare_times);
  g_array_sort (self->by_exec, compare_execs);
  measure (self);
}

/* The point of the wanted one's core (and execution) whose device time is nearest */
static const Point *
nearest (const GArray *points, const Point *wanted, GCompareFunc compare, gboolean same_exec)
{
  guint low = 0, high = points->len;
  const Point *best = NULL;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (compare (&g_array_index (points, Point, middle), wanted) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  for (guint i = low > 0 ? low - 1 : 0; i <= low && i < points->len; i++)
    {
      const Point *point = &g_array_index (points, Point, i);

      if (point->core != wanted->core || (same_exec && point->exec != wanted->exec))
        continue;
      if (best == NULL
          || distance (point->device_ns, wanted->device_ns)
             < distance (best->device_ns, wanted->device_ns))
        best = point;
    }
  return best;
}

StriaEventClock
stria_clock_sync_align (StriaClockSync *self, guint32 core, const char *exec, gint64 device_ns,
                        gint64 *host_ns)
{
  Point wanted = { core, NULL, device_ns, 0 };
  const Point *point = NULL;

  if (exec != NULL)
    wanted.exec = g_hash_table_lookup (self->execs, exec);
  if (wanted.exec != NULL)
    point = nearest (self->by_exec, &wanted, compare_execs, TRUE);
  if (point != NULL && shift (point, device_ns, host_ns))
    return STRIA_CLOCK_ALIGNED;
  point = nearest (self->points, &wanted, compare_times, FALSE);
  if (point != NULL && shift (point, device_ns, host_ns))
    return STRIA_CLOCK_APPROXIMATE;
  return STRIA_CLOCK_DEVICE;
}

void
stria_clock_sync_check (StriaClockSync *self, guint32 core, const char *exec, gint64 device_ns,
                        gint64 recorded_ns)
{
  gint64 host_ns;

  if (stria_clock_sync_align (self, core, exec, device_ns, &host_ns) != STRIA_CLOCK_ALIGNED)
    return;
  self->residual.n_recorded++;
  self->residual.max_recorded_ns
      = MAX (self->residual.max_recorded_ns, distance (host_ns, recorded_ns));
}

void
stria_clock_sync_get_residual (StriaClockSync *self, StriaClockResidual *out)
{
  *out = self->residual;
}

const char *
stria_event_clock_id (StriaEventClock clock)
{
  static const char *const ids[] = { "host", "recorded", "aligned", "approximate", "device" };

  return ids[clock];
}
