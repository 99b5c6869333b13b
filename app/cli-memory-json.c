/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-memory.h"

static guint
shown (const MemoryOptions *options, guint n)
{
  return options->top == 0 ? n : MIN (n, options->top);
}

static void
json_time (CliJson *json, const char *key, gint64 time_us)
{
  if (time_us == STRIA_NO_TIME)
    cli_json_null (json, key);
  else
    cli_json_int (json, key, time_us);
}

static void
json_totals (CliJson *json, const char *key, const MemoryAnswer *answer, guint32 step)
{
  StriaAllocTotals totals;

  stria_allocator_totals (answer->allocator, step, &totals);
  cli_json_begin_object (json, key);
  cli_json_uint (json, "step", step);
  json_time (json, "time_us", stria_allocator_step_time_us (answer->allocator, step));
  cli_json_uint (json, "allocated", totals.allocated);
  cli_json_uint (json, "occupied", totals.occupied);
  cli_json_uint (json, "pending", totals.pending);
  cli_json_uint (json, "reserved", totals.reserved);
  cli_json_uint (json, "blocks", totals.n_live);
  cli_json_end_object (json);
}

static void
json_frames (CliJson *json, const char *key, StriaSnapshotData *data, guint32 stack)
{
  guint32        n;
  const guint32 *frames = stria_snapshot_get_stack (data, stack, &n);

  cli_json_begin_array (json, key);
  for (guint32 i = 0; i < n; i++)
    {
      g_autofree char *text = stria_snapshot_frame_text (data, frames[i]);

      cli_json_string (json, NULL, text);
    }
  cli_json_end_array (json);
}

static void
json_pool (CliJson *json, const char *key, StriaAllocator *allocator, guint16 ordinal)
{
  g_autofree char *text = memory_pool_text (stria_allocator_get_pool (allocator, ordinal));

  cli_json_string (json, key, text);
}

static void
json_pool_use (CliJson *json, const MemoryAnswer *answer, guint64 ordinal)
{
  const StriaPoolUse *use = &g_array_index (answer->pools, StriaPoolUse, ordinal);

  cli_json_uint (json, "reserved_bytes", use->reserved);
  cli_json_uint (json, "peak_bytes", use->peak);
  cli_json_uint (json, "peak_step", use->peak_step);
  cli_json_uint (json, "peak_reserved_bytes", use->peak_reserved);
}

static void
json_private_pools (CliJson *json, const MemoryAnswer *answer)
{
  StriaAllocator *allocator = answer->allocator;

  cli_json_begin_array (json, "private_pools");
  for (guint i = 0; i < stria_allocator_get_n_private_pools (allocator); i++)
    {
      StriaPrivatePool pool;

      stria_allocator_get_private_pool (allocator, i, answer->step, &pool);
      cli_json_begin_object (json, NULL);
      json_pool (json, "pool", allocator, pool.pool);
      cli_json_uint (json, "stream", stria_allocator_get_stream (allocator, pool.stream));
      cli_json_uint (json, "allocated", pool.allocated);
      cli_json_uint (json, "reserved", pool.reserved);
      cli_json_uint (json, "most", pool.height);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
}

static void
json_row (CliJson *json, const MemoryOptions *options, const MemoryAnswer *answer,
          const StriaAllocGroupRow *row)
{
  StriaSnapshotData *data = stria_allocator_get_snapshot (answer->allocator);
  g_autofree char   *label = memory_row_label (answer->allocator, options->by, row->key);

  cli_json_begin_object (json, NULL);
  cli_json_string (json, "label", label);
  switch (options->by)
    {
    case STRIA_GROUP_STACK:
      json_frames (json, "frames", data, (guint32) row->key);
      break;
    case STRIA_GROUP_POOL:
      json_pool (json, "pool", answer->allocator, (guint16) row->key);
      break;
    case STRIA_GROUP_STREAM:
      cli_json_uint (json, "stream",
                     stria_allocator_get_stream (answer->allocator, (guint16) row->key));
      break;
    case STRIA_GROUP_SIZE:
      cli_json_uint (json, "size_up_to", row->key);
      break;
    case STRIA_GROUP_LIFETIME:
      cli_json_uint (json, "steps_up_to", row->key);
      break;
    case STRIA_GROUP_FRAME:
    case STRIA_GROUP_CATEGORY:
    default:
      break;
    }
  cli_json_uint (json, "live_bytes", row->live_bytes);
  cli_json_uint (json, "live_blocks", row->live_count);
  cli_json_uint (json, "allocated_bytes", row->total_bytes);
  cli_json_uint (json, "allocations", row->total_count);
  cli_json_double (json, "mean_life_steps", row->mean_life);
  cli_json_int (json, "growth_bytes", row->growth_bytes);
  if (answer->pools != NULL)
    json_pool_use (json, answer, row->key);
  cli_json_end_object (json);
}

static void
json_ranges (CliJson *json, const MemoryRanges *sums, gboolean has_rounding)
{
  cli_json_uint (json, "allocated", sums->allocated);
  cli_json_uint (json, "pending", sums->pending);
  if (has_rounding)
    cli_json_uint (json, "rounding", sums->rounding);
  else
    cli_json_null (json, "rounding");
  cli_json_uint (json, "free", sums->free_bytes);
  cli_json_uint (json, "largest_free", sums->largest_free);
}

static void
json_map (CliJson *json, const MemoryOptions *options, const MemoryAnswer *answer)
{
  const StriaMap *map = answer->map;
  MemoryRanges    sums;

  memory_sum_ranges (map, G_MAXUINT, &sums);
  cli_json_begin_object (json, "map");
  cli_json_uint (json, "segments", map->segments->len);
  cli_json_uint (json, "reserved", map->reserved);
  json_ranges (json, &sums, map->has_rounding);
  cli_json_double (json, "fragmentation", map->external);
  cli_json_double (json, "scattered", map->scattered);
  cli_json_uint (json, "blocks_outside", map->n_outside);
  cli_json_end_object (json);
  if (!options->map)
    return;

  cli_json_begin_array (json, "segments");
  for (guint i = 0; i < map->segments->len; i++)
    {
      const StriaMapSegment *segment = &g_array_index (map->segments, StriaMapSegment, i);

      memory_sum_ranges (map, i, &sums);
      cli_json_begin_object (json, NULL);
      cli_json_uint (json, "address", segment->address);
      cli_json_uint (json, "size", segment->size);
      cli_json_uint (json, "stream",
                     stria_allocator_get_stream (answer->allocator, segment->stream));
      json_pool (json, "pool", answer->allocator, segment->pool);
      cli_json_bool (json, "expandable", segment->is_expandable);
      cli_json_string (json, "type",
                       segment->type == 0
                           ? NULL
                           : stria_snapshot_get_string (
                                 stria_allocator_get_snapshot (answer->allocator), segment->type));
      json_ranges (json, &sums, map->has_rounding);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
}

static void
json_leaks (CliJson *json, const MemoryOptions *options, const MemoryAnswer *answer)
{
  StriaSnapshotData *data = stria_allocator_get_snapshot (answer->allocator);

  cli_json_begin_array (json, "leaks");
  for (guint i = 0; i < shown (options, answer->leaks->len); i++)
    {
      const StriaLeakSuspect *leak = &g_array_index (answer->leaks, StriaLeakSuspect, i);

      cli_json_begin_object (json, NULL);
      json_frames (json, "frames", data, leak->stack);
      cli_json_uint (json, "points", leak->n_points);
      cli_json_uint (json, "first_bytes", leak->first_bytes);
      cli_json_uint (json, "last_bytes", leak->last_bytes);
      cli_json_uint (json, "last_blocks", leak->last_count);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
}

static void
json_bands (CliJson *json, const MemoryAnswer *answer)
{
  StriaSnapshotData    *data = stria_allocator_get_snapshot (answer->allocator);
  guint32               n;
  const StriaAllocBand *bands = stria_allocator_get_bands (answer->allocator, &n);

  cli_json_begin_array (json, "annotations");
  for (guint32 i = 0; i < n; i++)
    {
      cli_json_begin_object (json, NULL);
      cli_json_string (json, "name", stria_snapshot_get_string (data, bands[i].name));
      json_time (json, "start_us", bands[i].start_us);
      json_time (json, "end_us", bands[i].end_us);
      cli_json_uint (json, "start_step", bands[i].start_step);
      cli_json_uint (json, "end_step", bands[i].end_step);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
}

void
memory_json_device (CliJson *json, const MemoryOptions *options, const MemoryAnswer *answer)
{
  StriaAllocator *allocator = answer->allocator;

  cli_json_begin_object (json, NULL);
  cli_json_uint (json, "device", stria_allocator_get_device (allocator));
  cli_json_bool (json, "host", stria_allocator_is_host (allocator));
  cli_json_uint (json, "events", stria_allocator_get_n_events (allocator));
  cli_json_begin_object (json, "actions");
  for (guint i = 0; i < STRIA_N_ALLOC_ACTIONS; i++)
    {
      if (answer->actions[i] > 0)
        cli_json_uint (json, stria_alloc_action_name (i), answer->actions[i]);
    }
  cli_json_end_object (json);
  cli_json_uint (json, "elements", stria_allocator_get_n_elements (allocator));
  cli_json_uint (json, "ghosts", answer->n_ghosts);
  cli_json_uint (json, "unmatched_frees", answer->n_unmatched);
  cli_json_string (json, "ring", memory_ring_name (stria_allocator_get_ring (allocator)));
  if (stria_allocator_get_capacity (allocator) > 0)
    cli_json_uint (json, "capacity", stria_allocator_get_capacity (allocator));
  else
    cli_json_null (json, "capacity");
  cli_json_begin_array (json, "pools");
  for (guint16 i = 0; i < stria_allocator_get_n_pools (allocator); i++)
    json_pool (json, NULL, allocator, i);
  cli_json_end_array (json);
  cli_json_begin_array (json, "streams");
  for (guint16 i = 0; i < stria_allocator_get_n_streams (allocator); i++)
    cli_json_uint (json, NULL, stria_allocator_get_stream (allocator, i));
  cli_json_end_array (json);
  json_private_pools (json, answer);
  json_bands (json, answer);

  json_totals (json, "peak", answer, answer->peak_step);
  json_totals (json, "moment", answer, answer->step);
  if (options->is_diff)
    json_totals (json, "from", answer, answer->base_step);
  if (options->steps != NULL)
    {
      cli_json_begin_array (json, "steps");
      for (guint i = 0; i < options->steps->len; i++)
        json_totals (json, NULL, answer,
                     MIN (g_array_index (options->steps, guint32, i),
                          stria_allocator_get_n_events (allocator)));
      cli_json_end_array (json);
    }
  cli_json_string (json, "by", memory_group_name (options->by));
  cli_json_uint (json, "groups", answer->rows->len);
  cli_json_begin_array (json, "rows");
  for (guint i = 0; i < shown (options, answer->rows->len); i++)
    json_row (json, options, answer, &g_array_index (answer->rows, StriaAllocGroupRow, i));
  cli_json_end_array (json);
  json_map (json, options, answer);
  if (answer->leaks != NULL)
    json_leaks (json, options, answer);
  cli_json_end_object (json);
}

void
memory_json_pairs (CliJson *json, const MemoryOptions *options, const GArray *pairs)
{
  cli_json_string (json, "by", memory_group_name (options->by));
  cli_json_uint (json, "groups", pairs->len);
  cli_json_begin_array (json, "rows");
  for (guint i = 0; i < shown (options, pairs->len); i++)
    {
      const MemoryPair *pair = &g_array_index (pairs, MemoryPair, i);

      cli_json_begin_object (json, NULL);
      cli_json_string (json, "label", pair->label);
      cli_json_uint (json, "before_bytes", pair->bytes[0]);
      cli_json_uint (json, "after_bytes", pair->bytes[1]);
      cli_json_uint (json, "before_blocks", pair->count[0]);
      cli_json_uint (json, "after_blocks", pair->count[1]);
      cli_json_int (json, "growth_bytes", (gint64) (pair->bytes[1] - pair->bytes[0]));
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
}
