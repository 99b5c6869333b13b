/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-alloc-private.h"

/* Checkpoints may take so much memory an event, within these bounds; fewer stand farther apart. */
#define CHECKPOINT_BYTES_AN_EVENT 8
#define MIN_CHECKPOINT_BYTES ((guint64) 8 << 20)
#define MAX_CHECKPOINT_BYTES ((guint64) 64 << 20)
#define MIN_INTERVAL 512
#define GROUP_BITS 4

StriaAllocator *
stria_allocator_new (StriaSnapshotData *snapshot, guint device, gboolean is_host)
{
  StriaAllocator *self = g_new0 (StriaAllocator, 1);
  guint64 default_stream = 0, unknown = STRIA_NO_POOL;

  self->snapshot = snapshot;
  self->device = device;
  self->is_host = is_host;
  self->streams = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->pools = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_array_append_val (self->streams, default_stream);
  g_array_append_val (self->pools, unknown);
  self->segments = g_array_new (FALSE, FALSE, sizeof (StriaFinalSegment));
  self->blocks = g_array_new (FALSE, FALSE, sizeof (StriaAllocBlock));
  self->annotations = g_array_new (FALSE, FALSE, sizeof (StriaAllocAnnotation));
  self->reserved = g_array_new (FALSE, FALSE, sizeof (StriaStepValue));
  self->lives = g_array_new (FALSE, FALSE, sizeof (StriaSegmentLife));
  self->places = g_array_new (FALSE, FALSE, sizeof (StriaPlace));
  self->bands = g_array_new (FALSE, FALSE, sizeof (StriaAllocBand));
  return self;
}

void
stria_allocator_free (StriaAllocator *self)
{
  g_free (self->action);
  g_free (self->stage);
  g_free (self->address);
  g_free (self->size);
  g_free (self->extra);
  g_free (self->stream);
  g_free (self->pool);
  g_free (self->stack);
  g_free (self->metadata);
  g_free (self->context);
  g_free (self->category);
  g_free (self->forward);
  g_free (self->label);
  if (self->axis_us != self->time_us)
    g_free (self->axis_us);
  g_free (self->time_us);
  g_free (self->event_element);
  g_free (self->birth);
  g_free (self->death);
  g_free (self->request);
  g_free (self->version);
  g_free (self->element_size);
  g_free (self->rounded);
  g_free (self->initial);
  g_free (self->allocated);
  g_array_unref (self->streams);
  g_array_unref (self->pools);
  g_array_unref (self->segments);
  g_array_unref (self->blocks);
  g_array_unref (self->annotations);
  g_array_unref (self->reserved);
  g_array_unref (self->lives);
  g_array_unref (self->places);
  stria_ordinal_index_clear (&self->stream_index);
  stria_ordinal_index_clear (&self->pool_index);
  stria_allocator_free_pools (self);
  g_clear_pointer (&self->replaced, g_array_unref);
  g_free (self->rounding_marks);
  g_array_unref (self->bands);
  for (guint i = 0; i < self->n_levels; i++)
    {
      g_free (self->most[i]);
    }
  g_free (self->check_begin);
  g_free (self->check_live);
  g_free (self->check_pending);
  g_free (self);
}

/* -- totals ---------------------------------------------------------------------------------- */

/* Bytes that are live at once stay within 63 bits, so that no height in the picture runs over: an
 * element that no memory could hold counts as one of no size. */
static void
limit_size (StriaAllocator *self, guint32 element, guint64 live)
{
  if (G_LIKELY (self->element_size[element] <= G_MAXINT64 - live))
    return;
  self->element_size[element] = 0;
  if (element < self->n_initial)
    self->initial[element].size = 0;
  self->n_too_large++;
}

static void
build_totals (StriaAllocator *self)
{
  guint64 bytes = 0;

  self->allocated = g_new (guint64, (gsize) self->n_events + 1);
  for (guint32 i = 0; i < self->n_initial; i++)
    {
      limit_size (self, i, bytes);
      bytes += self->element_size[i];
    }
  self->allocated[0] = bytes;
  guint32 next = self->n_initial;
  for (guint32 i = 0; i < self->n_events; i++)
    {
      guint32 element = self->event_element[i];
      if (next < self->n_elements && self->birth[next] == i)
        {
          limit_size (self, next, bytes);
          bytes += self->element_size[next++];
        }
      else if (element != STRIA_NO_ELEMENT && self->death[element] == i)
        bytes -= self->element_size[element];
      self->allocated[i + 1] = bytes;
    }
  /* Allocations at a live address end the old element at an event that is another's birth. */
  if (self->n_overlaps > 0)
    {
      g_autofree guint64 *ended = g_new0 (guint64, self->n_events);
      for (guint32 e = 0; e < self->n_elements; e++)
        if (self->death[e] != STRIA_NO_EVENT && self->event_element[self->death[e]] != e)
          ended[self->death[e]] += self->element_size[e];
      bytes = 0;
      for (guint32 i = 0; i < self->n_events; i++)
        {
          bytes += ended[i];
          self->allocated[i + 1] -= bytes;
        }
    }
}

static void
build_reserved (StriaAllocator *self)
{
  guint64 at_end = 0, grown = 0, shrunk = 0;
  StriaStepValue first = { 0, 0 };

  for (guint i = 0; i < self->segments->len; i++)
    at_end += g_array_index (self->segments, StriaFinalSegment, i).segment.total_size;
  for (guint32 i = 0; i < self->n_events; i++)
    {
      if (self->action[i] == STRIA_ALLOC_SEGMENT_ALLOC || self->action[i] == STRIA_ALLOC_SEGMENT_MAP)
        grown += self->size[i];
      else if (self->action[i] == STRIA_ALLOC_SEGMENT_FREE
               || self->action[i] == STRIA_ALLOC_SEGMENT_UNMAP)
        shrunk += self->size[i];
    }
  /* Backwards from the snapshot, which is whole; a file that contradicts itself stops at 0. */
  first.value = at_end + shrunk >= grown ? at_end + shrunk - grown : 0;
  g_array_append_val (self->reserved, first);
  guint64 value = first.value;
  for (guint32 i = 0; i < self->n_events; i++)
    {
      StriaStepValue change = { i + 1, value };
      if (self->action[i] == STRIA_ALLOC_SEGMENT_ALLOC || self->action[i] == STRIA_ALLOC_SEGMENT_MAP)
        change.value = value + self->size[i];
      else if (self->action[i] == STRIA_ALLOC_SEGMENT_FREE
               || self->action[i] == STRIA_ALLOC_SEGMENT_UNMAP)
        change.value = value >= self->size[i] ? value - self->size[i] : 0;
      else
        continue;
      value = change.value;
      g_array_append_val (self->reserved, change);
    }
}

static void
build_pyramid (StriaAllocator *self)
{
  gsize below = (gsize) self->n_events + 1;

  for (guint level = 0; level < G_N_ELEMENTS (self->most) && below > 1u << GROUP_BITS; level++)
    {
      gsize size = (below + (1u << GROUP_BITS) - 1) >> GROUP_BITS;
      guint32 *most = g_new (guint32, size);

      for (gsize k = 0; k < size; k++)
        {
          gsize from = k << GROUP_BITS, to = MIN (from + (1u << GROUP_BITS), below);
          guint32 high = level == 0 ? (guint32) from : self->most[level - 1][from];
          for (gsize i = from + 1; i < to; i++)
            {
              guint32 a = level == 0 ? (guint32) i : self->most[level - 1][i];
              if (self->allocated[a] > self->allocated[high])
                high = a;
            }
          most[k] = high;
        }
      self->most[level] = most;
      self->level_size[level] = size;
      self->n_levels = level + 1;
      below = size;
    }
}

guint32
stria_allocator_most_between (const StriaAllocator *self, guint32 a, guint32 b)
{
  guint64 i = a, j = (guint64) b + 1;
  guint32 best = a;
  guint64 most = self->allocated[a];

#define CONSIDER(candidate)                                                                        \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const guint32 c_ = (candidate);                                                                \
    const guint64 v_ = self->allocated[c_];                                                        \
    if (v_ > most || (v_ == most && c_ < best))                                                    \
      {                                                                                            \
        most = v_;                                                                                 \
        best = c_;                                                                                 \
      }                                                                                            \
  }                                                                                                \
  G_STMT_END
  for (guint level = 0;; level++)
    {
      const guint32 *groups = level == 0 ? NULL : self->most[level - 1];
      gboolean last = level >= self->n_levels;

      while (i < j && (last || (i & ((1u << GROUP_BITS) - 1)) != 0))
        {
          CONSIDER (groups != NULL ? groups[i] : (guint32) i);
          i++;
        }
      while (i < j && (j & ((1u << GROUP_BITS) - 1)) != 0)
        {
          j--;
          CONSIDER (groups != NULL ? groups[j] : (guint32) j);
        }
      if (i >= j)
        break;
      i >>= GROUP_BITS;
      j >>= GROUP_BITS;
    }
#undef CONSIDER
  return best;
}

/* -- checkpoints ----------------------------------------------------------------------------- */

static guint64
count_live (const StriaAllocator *self)
{
  gint64 live = self->n_initial;
  guint64 most = (guint64) live;

  for (guint32 i = 0; i < self->n_events; i++)
    {
      live += self->action[i] == STRIA_ALLOC_ALLOC;
      live -= self->action[i] == STRIA_ALLOC_FREE_COMPLETED;
      most = MAX (most, (guint64) MAX (live, 0));
    }
  return most;
}

static void
build_checkpoints (StriaAllocator *self)
{
  guint64 most = MAX (count_live (self), 1);
  guint64 bytes = CLAMP ((guint64) self->n_events * CHECKPOINT_BYTES_AN_EVENT,
                         MIN_CHECKPOINT_BYTES, MAX_CHECKPOINT_BYTES);
  guint64 affordable = MAX (bytes / (most * sizeof (guint32)), 1);
  GArray *live = g_array_new (FALSE, FALSE, sizeof (guint32));
  GArray *all = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 next = 0;

  self->interval = (guint32) MAX (MIN_INTERVAL, self->n_events / affordable + 1);
  self->n_checkpoints = self->n_events / self->interval + 1;
  self->check_begin = g_new0 (guint64, self->n_checkpoints + 1);
  self->check_pending = g_new0 (guint64, self->n_checkpoints);
  for (guint32 c = 0; c < self->n_checkpoints; c++)
    {
      guint32 step = c * self->interval;
      guint kept = 0;
      guint32 *ids = (guint32 *) live->data;
      guint64 pending = 0;

      for (guint i = 0; i < live->len; i++)
        if (self->death[ids[i]] >= step)
          ids[kept++] = ids[i];
      g_array_set_size (live, kept);
      for (; next < self->n_elements
             && (self->birth[next] == STRIA_NO_EVENT || self->birth[next] < step);
           next++)
        if (self->death[next] >= step)
          g_array_append_val (live, next);
      for (guint i = 0; i < live->len; i++)
        {
          guint32 e = g_array_index (live, guint32, i);
          if (self->request[e] != STRIA_NO_EVENT && self->request[e] < step)
            pending += self->element_size[e];
        }
      self->check_pending[c] = pending;
      self->check_begin[c] = all->len;
      g_array_append_vals (all, live->data, live->len);
    }
  self->check_begin[self->n_checkpoints] = all->len;
  guint n_all = all->len;
  self->check_live = g_renew (guint32, g_array_free (all, FALSE), MAX (n_all, 1));
  g_array_unref (live);
}

/* -- all of it ------------------------------------------------------------------------------- */

static void
build_axis (StriaAllocator *self)
{
  gint64 last = G_MININT64;
  gboolean any = FALSE, in_order = TRUE;

  for (guint32 i = 0; i < self->n_events; i++)
    {
      any |= self->time_us[i] != STRIA_NO_TIME;
      in_order &= self->time_us[i] != STRIA_NO_TIME && self->time_us[i] >= last;
      last = self->time_us[i];
    }
  if (!any)
    return;
  if (in_order)
    {
      self->axis_us = self->time_us;
      return;
    }
  last = G_MININT64;
  self->axis_us = g_new (gint64, MAX (self->n_events, 1));
  for (guint32 i = 0; i < self->n_events; i++)
    {
      gint64 time = self->time_us[i];
      if (time != STRIA_NO_TIME && time < last)
        self->n_times_back++;
      if (time != STRIA_NO_TIME)
        last = MAX (last, time);
      self->axis_us[i] = last;
    }
  /* Events before the first with a time stand at it. */
  guint32 first = 0;
  while (self->axis_us[first] == G_MININT64)
    first++;
  for (guint32 i = 0; i < first; i++)
    self->axis_us[i] = self->axis_us[first];
}

void
stria_allocator_finish (StriaAllocator *self, StriaNotices *notices, const char *file)
{
  stria_allocator_build_places (self);
  build_axis (self);
  stria_allocator_build_elements (self);
  build_totals (self);
  stria_allocator_build_rounding (self);
  stria_allocator_build_pools (self);
  build_reserved (self);
  build_pyramid (self);
  build_checkpoints (self);
  stria_allocator_build_lives (self);
  stria_allocator_build_bands (self);
  if (notices == NULL)
    return;
  stria_allocator_tell_places (self, notices, file);
  if (self->n_overlaps > 0)
    stria_notices_count (notices, STRIA_SEVERITY_WARNING, "alloc-at-live-address", file, -1,
                         self->n_overlaps,
                         _("An address is allocated again and was never freed: the free is missing"));
  if (self->n_too_large > 0)
    stria_notices_count (notices, STRIA_SEVERITY_WARNING, "size-beyond-memory", file, -1,
                         self->n_too_large,
                         _("A block is larger than all that 64 bits can address; it is shown without "
                           "a size"));
  if (self->n_times_back > 0)
    stria_notices_count (notices, STRIA_SEVERITY_WARNING, "times-go-back", file, -1,
                         self->n_times_back,
                         _("An event is earlier than the one before it; the time axis waits for it"));
  if (self->n_unmatched > 0)
    stria_notices_count (notices, STRIA_SEVERITY_INFO, "free-without-alloc", file, -1,
                         self->n_unmatched,
                         _("A free of a block whose allocation was not recorded; the block counts as "
                           "there from the start"));
  if (self->n_ghosts > 0)
    stria_notices_count (notices, STRIA_SEVERITY_INFO, "block-without-alloc", file, -1,
                         self->n_ghosts,
                         _("A block of the snapshot whose allocation was not recorded; it counts as "
                           "there from the start"));
}

guint32
stria_allocator_first_element (const StriaAllocator *self, guint32 step)
{
  guint32 low = self->n_initial, high = self->n_elements;

  while (low < high)
    {
      guint32 mid = low + (high - low) / 2;
      if (self->birth[mid] < step)
        low = mid + 1;
      else
        high = mid;
    }
  return low;
}

guint64
stria_step_value (const GArray *values, guint32 step)
{
  guint low = 0, high = values->len;

  while (low < high)
    {
      guint mid = low + (high - low) / 2;
      if (g_array_index (values, StriaStepValue, mid).step <= step)
        low = mid + 1;
      else
        high = mid;
    }
  return low > 0 ? g_array_index (values, StriaStepValue, low - 1).value : 0;
}

guint64
stria_allocator_reserved_at (const StriaAllocator *self, guint32 step)
{
  return stria_step_value (self->reserved, step);
}

/* -- questions ------------------------------------------------------------------------------- */

guint64
stria_allocator_count_records (const StriaAllocator *self)
{
  return self->n_events > 0 ? self->n_events : self->segments->len;
}

guint
stria_allocator_get_device (StriaAllocator *self)
{
  return self->device;
}

gboolean
stria_allocator_is_host (StriaAllocator *self)
{
  return self->is_host;
}

StriaSnapshotData *
stria_allocator_get_snapshot (StriaAllocator *self)
{
  return self->snapshot;
}

guint64
stria_allocator_get_capacity (StriaAllocator *self)
{
  return __atomic_load_n (&self->capacity, __ATOMIC_RELAXED);
}

void
stria_allocator_set_capacity (StriaAllocator *self, guint64 bytes)
{
  __atomic_store_n (&self->capacity, bytes, __ATOMIC_RELAXED);
}

guint32
stria_allocator_get_n_events (StriaAllocator *self)
{
  return self->n_events;
}

void
stria_allocator_get_event (StriaAllocator *self, guint32 event, StriaAllocEvent *out)
{
  g_return_if_fail (event < self->n_events);
#define RARE(column) (self->column != NULL ? self->column[event] : 0)
  *out = (StriaAllocEvent){
    .address = self->address[event],
    .size = self->size[event],
    .extra = RARE (extra),
    .stream = g_array_index (self->streams, guint64, self->stream[event]),
    .pool = g_array_index (self->pools, guint64, self->pool[event]),
    .time_us = self->time_us[event],
    .stack = self->stack[event],
    .metadata = RARE (metadata),
    .context = RARE (context),
    .category = RARE (category),
    .forward = RARE (forward),
    .label = RARE (label),
    .action = self->action[event],
    .stage = RARE (stage),
  };
#undef RARE
}

guint32
stria_allocator_event_element (StriaAllocator *self, guint32 event)
{
  g_return_val_if_fail (event < self->n_events, STRIA_NO_ELEMENT);
  return self->event_element[event];
}

guint32
stria_allocator_get_n_elements (StriaAllocator *self)
{
  return self->n_elements;
}

guint32
stria_allocator_get_n_initial (StriaAllocator *self)
{
  return self->n_initial;
}

void
stria_allocator_get_element (StriaAllocator *self, guint32 element, StriaElement *out)
{
  g_return_if_fail (element < self->n_elements);
  if (element < self->n_initial)
    {
      *out = self->initial[element];
      return;
    }
  guint32 event = self->birth[element];
  *out = (StriaElement){
    .address = self->address[event],
    .size = self->element_size[element],
    .rounded = self->rounded[element],
    .birth = event,
    .request = self->request[element],
    .death = self->death[element],
    .stack = self->stack[event],
    .version = self->version[element],
    .category = self->category != NULL ? self->category[event] : 0,
    .stream = self->stream[event],
    .pool = self->pool[event],
    .flags = self->death[element] == STRIA_NO_EVENT ? STRIA_ELEMENT_LIVE : 0,
  };
}

guint32
stria_allocator_get_n_segment_lives (StriaAllocator *self)
{
  return self->lives->len;
}

void
stria_allocator_get_segment_life (StriaAllocator *self, guint32 i, StriaSegmentLife *out)
{
  g_return_if_fail (i < self->lives->len);
  *out = g_array_index (self->lives, StriaSegmentLife, i);
}

guint64
stria_allocator_get_stream (StriaAllocator *self, guint16 value)
{
  return value < self->streams->len ? g_array_index (self->streams, guint64, value) : 0;
}

guint16
stria_allocator_get_n_streams (StriaAllocator *self)
{
  return (guint16) self->streams->len;
}

guint64
stria_allocator_get_pool (StriaAllocator *self, guint16 value)
{
  return value < self->pools->len ? g_array_index (self->pools, guint64, value) : STRIA_NO_POOL;
}

guint16
stria_allocator_get_n_pools (StriaAllocator *self)
{
  return (guint16) self->pools->len;
}

const StriaAllocBand *
stria_allocator_get_bands (StriaAllocator *self, guint32 *n)
{
  *n = self->bands->len;
  return (const StriaAllocBand *) self->bands->data;
}

gboolean
stria_allocator_has_times (StriaAllocator *self)
{
  return self->axis_us != NULL;
}

gint64
stria_allocator_event_time_us (StriaAllocator *self, guint32 event)
{
  return event < self->n_events && self->axis_us != NULL ? self->axis_us[event] : STRIA_NO_TIME;
}

guint32
stria_allocator_step_at_time (StriaAllocator *self, gint64 time_us)
{
  guint32 low = 0, high = self->n_events;

  if (self->axis_us == NULL)
    return 0;
  while (low < high)
    {
      guint32 mid = low + (high - low) / 2;
      if (self->axis_us[mid] <= time_us)
        low = mid + 1;
      else
        high = mid;
    }
  return low;
}

gint64
stria_allocator_step_time_us (StriaAllocator *self, guint32 step)
{
  if (self->axis_us == NULL || self->n_events == 0)
    return STRIA_NO_TIME;
  return self->axis_us[step == 0 ? 0 : MIN (step, self->n_events) - 1];
}

StriaRingState
stria_allocator_get_ring (StriaAllocator *self)
{
  const char *settings = self->snapshot->settings;
  const char *said = settings != NULL ? strstr (settings, "\"trace_alloc_overflowed\": ") : NULL;

  if (said != NULL)
    return g_str_has_prefix (said + strlen ("\"trace_alloc_overflowed\": "), "true")
               ? STRIA_RING_OVERFLOWED
               : STRIA_RING_COMPLETE;
  return self->n_unmatched + self->n_ghosts > 0 ? STRIA_RING_INFERRED : STRIA_RING_COMPLETE;
}

const char *
stria_alloc_action_name (StriaAllocAction action)
{
  static const char *const names[STRIA_N_ALLOC_ACTIONS] = {
    "alloc",       "free_requested", "free_completed", "segment_alloc", "segment_free",
    "segment_map", "segment_unmap",  "snapshot",       "oom",           "annotate",
    "user_defined", "other",
  };
  return (guint) action < STRIA_N_ALLOC_ACTIONS ? names[action] : "";
}
