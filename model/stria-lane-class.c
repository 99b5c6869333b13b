/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-lane-class.h"

#include <math.h>
#include <string.h>

#include "stria-trace-private.h"

/* Tables by the names of the published schema. */
static const struct
{
  const char    *table;
  StriaLaneClass class;
} classes[] = {
  { "Instruction", STRIA_LANE_CLASS_ENGINES },
  { "ActiveTime", STRIA_LANE_CLASS_ENGINES },
  { "CoreBarriers", STRIA_LANE_CLASS_ENGINES },
  { "DmaPacketAggregated", STRIA_LANE_CLASS_DMA_QUEUES },
  { "DmaPacket", STRIA_LANE_CLASS_DMA_ENGINES },
  { "CcOp", STRIA_LANE_CLASS_COLLECTIVES },
  { "CcInstruction", STRIA_LANE_CLASS_COLLECTIVES },
  { "DmaUsage", STRIA_LANE_CLASS_USAGE },
  { "HbmUsage", STRIA_LANE_CLASS_USAGE },
  { "PendingDma", STRIA_LANE_CLASS_USAGE },
  { "PsumUsage", STRIA_LANE_CLASS_USAGE },
  { "SbufUsage", STRIA_LANE_CLASS_USAGE },
  { "Throttle", STRIA_LANE_CLASS_USAGE },
  { "CpuUsage", STRIA_LANE_CLASS_USAGE },
  { "HostMemUsage", STRIA_LANE_CLASS_USAGE },
  { "MemoryBandwidthPoint", STRIA_LANE_CLASS_USAGE },
  { "SystemProfileHbmUsage", STRIA_LANE_CLASS_USAGE },
  { "SemaphoreUpdate", STRIA_LANE_CLASS_SEMAPHORES },
  { "Error", STRIA_LANE_CLASS_ERRORS },
};

/* Which counters are parts of one: their keys are a number of the column, and where it is sampled.
 * @whole: number of the column that is the whole. */
static const struct
{
  const char *table;
  gint64      whole;
  gboolean    is_mean;
} stacked[] = {
  { "SbufUsage", 2, TRUE },
  { "PsumUsage", 2, TRUE },
  { "SystemProfileHbmUsage", 4, FALSE },
};

/* One stack while lanes are gone through */
typedef struct
{
  GArray  *parts; /* guint32 */
  guint32  whole; /* or G_MAXUINT32 */
  gboolean is_mean;
} Open;

struct _StriaLaneStacks
{
  gatomicrefcount refs;
  GArray    *stacks; /* StriaLaneStack */
  GPtrArray *parts;  /* of each */
  guint32   *of;     /* index of a lane's stack, or G_MAXUINT32 */
  guint32    n_lanes;
};

const char *
stria_lane_get_table (StriaLane *self, gsize *length)
{
  const char *key = stria_lane_get_key (self);

  *length = 0;
  if (key == NULL || !g_str_has_prefix (key, STRIA_TABLE_LANE_KEY))
    return NULL;
  key += strlen (STRIA_TABLE_LANE_KEY);
  *length = strcspn (key, "\x1f");
  return key;
}

gboolean
stria_lane_is_of_table (StriaLane *self, const char *name)
{
  gsize length = 0;
  const char *table = stria_lane_get_table (self, &length);

  return table != NULL && strlen (name) == length && g_ascii_strncasecmp (table, name, length) == 0;
}

StriaTable *
stria_lane_find_table (StriaLane *self, StriaTrace *trace)
{
  for (guint i = 0; trace->tables != NULL && i < trace->tables->len; i++)
    {
      StriaTable *table = g_ptr_array_index (trace->tables, i);

      if (stria_table_get_artifact (table) == stria_lane_get_artifact (self)
          && stria_lane_is_of_table (self, stria_table_get_name (table)))
        return table;
    }
  return NULL;
}

const char *
stria_lane_table_key (StriaLane *self)
{
  gsize length = 0;
  const char *table = stria_lane_get_table (self, &length);

  return table != NULL && table[length] != '\0' ? table + length + 1 : "";
}

/**
 * stria_lane_get_class:
 *
 * Returns: what the lane is about
 */
StriaLaneClass
stria_lane_get_class (StriaLane *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (stria_lane_is_of_table (self, classes[i].table))
      return classes[i].class;
  return stria_lane_get_kind (self) == STRIA_LANE_COUNTER ? STRIA_LANE_CLASS_USAGE
                                                          : STRIA_LANE_CLASS_THREADS;
}

static void
open_free (gpointer data)
{
  Open *open = data;

  g_array_unref (open->parts);
  g_free (open);
}

/* Puts a counter to the stack that it is a part of, if it is of one. */
static void
gather (GHashTable *open, GPtrArray *order, StriaTrace *trace, guint32 number)
{
  StriaLane *lane = stria_trace_get_lane (trace, number);
  const char *key = stria_lane_table_key (lane);
  char *end = NULL;
  gint64 column = 0;

  if (stria_lane_get_kind (lane) != STRIA_LANE_COUNTER || *key == '\0')
    return;
  column = g_ascii_strtoll (key, &end, 10);
  if (end == key || *end != '\x1f')
    return;
  for (guint i = 0; i < G_N_ELEMENTS (stacked); i++)
    if (stria_lane_is_of_table (lane, stacked[i].table))
      {
        g_autofree char *name = g_strdup_printf ("%u\x1f%u\x1f%u%s", stria_lane_get_process (lane),
                                                 stria_lane_get_artifact (lane), i, end);
        Open *stack = g_hash_table_lookup (open, name);

        if (stack == NULL)
          {
            stack = g_new0 (Open, 1);
            stack->parts = g_array_new (FALSE, FALSE, sizeof (guint32));
            stack->whole = G_MAXUINT32;
            stack->is_mean = stacked[i].is_mean;
            g_hash_table_insert (open, g_steal_pointer (&name), stack);
            g_ptr_array_add (order, stack);
          }
        if (column == stacked[i].whole)
          stack->whole = number;
        else
          g_array_append_val (stack->parts, number);
        return;
      }
}

static gsize
common_prefix (const char *a, const char *b, gsize length)
{
  gsize n = 0;

  while (n < length && a[n] != '\0' && a[n] == b[n])
    n++;
  return n;
}

/* What all names begin with, up to the end of a word */
static char *
common_title (StriaTrace *trace, const Open *open)
{
  const char *first
      = stria_lane_get_name (stria_trace_get_lane (trace, g_array_index (open->parts, guint32, 0)));
  gsize length = strlen (first);

  for (guint i = 1; i < open->parts->len; i++)
    length = common_prefix (first,
                            stria_lane_get_name (stria_trace_get_lane (
                                trace, g_array_index (open->parts, guint32, i))),
                            length);
  if (open->whole != G_MAXUINT32)
    length = common_prefix (
        first, stria_lane_get_name (stria_trace_get_lane (trace, open->whole)), length);
  /* The name of a counter ends before the colon that its series stands behind */
  for (gsize i = length; i > 0; i--)
    if (first[i - 1] == ':' && first[i] == ' ')
      return g_strndup (first, i - 1);
  while (length > 0 && first[length - 1] != ' ' && first[length] != '\0')
    length--;
  return g_strchomp (g_strndup (first, length));
}

static void
close_stack (StriaLaneStacks *self, StriaTrace *trace, Open *open)
{
  const guint32 index = self->stacks->len;
  StriaLaneStack stack = { .is_mean = open->is_mean };

  if (open->parts->len < 2)
    return;
  stack.title = common_title (trace, open);
  stack.n_parts = open->parts->len;
  stack.parts = g_memdup2 (open->parts->data, sizeof (guint32) * open->parts->len);
  stack.has_whole = open->whole != G_MAXUINT32;
  stack.leader = stack.has_whole ? open->whole : stack.parts[0];
  for (guint i = 0; i < stack.n_parts; i++)
    self->of[stack.parts[i]] = index;
  self->of[stack.leader] = index;
  g_ptr_array_add (self->parts, (gpointer) stack.parts);
  g_array_append_val (self->stacks, stack);
}

static void
stack_clear (gpointer data)
{
  g_free (((StriaLaneStack *) data)->title);
}

/**
 * stria_lane_stacks_new:
 *
 * Returns: (transfer full): which counters of a trace belong together
 */
StriaLaneStacks *
stria_lane_stacks_new (StriaTrace *trace)
{
  StriaLaneStacks *self = g_new0 (StriaLaneStacks, 1);
  g_autoptr (GHashTable) open = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, open_free);
  g_autoptr (GPtrArray) order = g_ptr_array_new ();

  g_atomic_ref_count_init (&self->refs);
  self->stacks = g_array_new (FALSE, FALSE, sizeof (StriaLaneStack));
  g_array_set_clear_func (self->stacks, stack_clear);
  self->parts = g_ptr_array_new_with_free_func (g_free);
  self->n_lanes = trace != NULL ? stria_trace_get_n_lanes (trace) : 0;
  self->of = g_new (guint32, self->n_lanes + 1);
  for (guint32 i = 0; i < self->n_lanes; i++)
    {
      self->of[i] = G_MAXUINT32;
      gather (open, order, trace, i);
    }
  for (guint i = 0; i < order->len; i++)
    close_stack (self, trace, g_ptr_array_index (order, i));
  return self;
}

StriaLaneStacks *
stria_lane_stacks_ref (StriaLaneStacks *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_lane_stacks_unref (StriaLaneStacks *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_array_unref (self->stacks);
  g_ptr_array_unref (self->parts);
  g_free (self->of);
  g_free (self);
}

const StriaLaneStack *
stria_lane_stacks_of (StriaLaneStacks *self, guint32 lane)
{
  if (lane >= self->n_lanes || self->of[lane] == G_MAXUINT32)
    return NULL;
  return &g_array_index (self->stacks, StriaLaneStack, self->of[lane]);
}

double
stria_lane_stack_max (const StriaLaneStack *self, StriaTrace *trace)
{
  double sum = 0, least = 0, greatest = 0;

  for (guint i = 0; i < self->n_parts; i++)
    {
      stria_lane_get_value_range (stria_trace_get_lane (trace, self->parts[i]), &least, &greatest);
      if (isfinite (greatest) && greatest > 0)
        sum += self->is_mean ? greatest / self->n_parts : greatest;
    }
  if (self->has_whole)
    {
      stria_lane_get_value_range (stria_trace_get_lane (trace, self->leader), &least, &greatest);
      /* Purposes need not be at their highest all at once; the whole says what they were together */
      if (isfinite (greatest) && greatest > 0)
        sum = self->is_mean ? MAX (sum, greatest) : greatest;
    }
  return sum;
}

const char *
stria_lane_stack_part_name (const StriaLaneStack *self, StriaLane *lane)
{
  const char *name = stria_lane_get_name (lane);

  if (!g_str_has_prefix (name, self->title))
    return name;
  name += strlen (self->title);
  while (*name == ' ' || *name == ':')
    name++;
  return *name != '\0' ? name : stria_lane_get_name (lane);
}
