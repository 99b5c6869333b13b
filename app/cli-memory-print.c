/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli-memory.h"
#include "cli-table.h"
#include "stria-format.h"

static char *
frame_label (StriaSnapshotData *data, guint32 frame)
{
  if (frame >= stria_snapshot_get_n_frames (data))
    return g_strdup (_ ("(no stack)"));
  return stria_snapshot_frame_text (data, frame);
}

static char *
pool_label (guint64 pool)
{
  g_autofree char *text = memory_pool_text (pool);

  if (text == NULL)
    return g_strdup (_ ("(not known)"));
  return pool == 0 ? g_strdup (_ ("default pool")) : g_strdup_printf (_ ("pool %s"), text);
}

char *
memory_row_label (StriaAllocator *allocator, StriaAllocGroup by, guint64 key)
{
  StriaSnapshotData *data = stria_allocator_get_snapshot (allocator);
  g_autofree char   *number = NULL;

  switch (by)
    {
    case STRIA_GROUP_STACK:
      return frame_label (data, stria_snapshot_stack_label (data, (guint32) key));
    case STRIA_GROUP_FRAME:
      return frame_label (data, (guint32) key);
    case STRIA_GROUP_CATEGORY:
      return g_strdup (key == 0 ? _ ("(none)")
                                : stria_snapshot_get_string (data, (guint32) key));
    case STRIA_GROUP_SIZE:
      number = stria_format_bytes ((gint64) MIN (key, (guint64) G_MAXINT64));
      return g_strdup_printf (_ ("up to %s"), number);
    case STRIA_GROUP_POOL:
      return pool_label (stria_allocator_get_pool (allocator, (guint16) key));
    case STRIA_GROUP_STREAM:
      return g_strdup_printf (_ ("stream %u"), (guint) key);
    case STRIA_GROUP_LIFETIME:
    default:
      if (key == 0)
        return g_strdup (_ ("to the end"));
      number = stria_format_count (key);
      return g_strdup_printf (_ ("up to %s steps"), number);
    }
}

static char *
format_bytes (guint64 bytes)
{
  return stria_format_bytes ((gint64) MIN (bytes, (guint64) G_MAXINT64));
}

static char *
format_growth (gint64 bytes)
{
  g_autofree char *text = format_bytes ((guint64) ABS (MAX (bytes, -G_MAXINT64)));

  return g_strconcat (bytes > 0 ? "+" : bytes < 0 ? "−" : "", text, NULL);
}

static void
print_more (guint all, guint shown)
{
  g_autofree char *more = NULL;

  if (shown >= all)
    return;
  more = stria_format_count (all - shown);
  printf (ngettext ("… and %s more (--top 0 shows all)\n", "… and %s more (--top 0 shows all)\n",
                    all - shown),
          more);
}

static guint
shown (const MemoryOptions *options, guint n)
{
  return options->top == 0 ? n : MIN (n, options->top);
}

static void
totals_row (CliTable *table, const char *title, guint32 step, const StriaAllocTotals *totals)
{
  cli_table_cell (table, title);
  cli_table_take (table, stria_format_count (step));
  cli_table_take (table, format_bytes (totals->allocated));
  cli_table_take (table, format_bytes (totals->occupied));
  cli_table_take (table, format_bytes (totals->pending));
  cli_table_take (table, format_bytes (totals->reserved));
  cli_table_take (table, stria_format_count (totals->n_live));
}

static void
print_totals (const MemoryOptions *options, const MemoryAnswer *answer)
{
  CliTable        *table = cli_table_new (stdout);
  StriaAllocTotals totals;

  cli_table_column (table, _ ("Moment"), FALSE);
  cli_table_column (table, _ ("Step"), TRUE);
  cli_table_column (table, _ ("Requested"), TRUE);
  cli_table_column (table, _ ("Rounded up"), TRUE);
  cli_table_column (table, _ ("Pending free"), TRUE);
  cli_table_column (table, _ ("Reserved"), TRUE);
  cli_table_column (table, _ ("Blocks"), TRUE);
  totals_row (table, _ ("Peak"), answer->peak_step, &answer->peak);
  if (options->is_diff)
    totals_row (table, _ ("From"), answer->base_step, &answer->base);
  if (options->is_diff || answer->step != answer->peak_step)
    totals_row (table, options->is_diff ? _ ("To") : _ ("Asked for"), answer->step,
                &answer->moment);
  for (guint i = 0; options->steps != NULL && i < options->steps->len; i++)
    {
      guint32 step = MIN (g_array_index (options->steps, guint32, i),
                          stria_allocator_get_n_events (answer->allocator));

      stria_allocator_totals (answer->allocator, step, &totals);
      totals_row (table, "", step, &totals);
    }
  cli_table_finish (table);
}

static void
print_rows (const MemoryOptions *options, const MemoryAnswer *answer)
{
  guint     n = shown (options, answer->rows->len);
  CliTable *table = cli_table_new (stdout);

  cli_table_column (table, _ ("Live"), TRUE);
  if (options->is_diff)
    cli_table_column (table, _ ("Growth"), TRUE);
  cli_table_column (table, _ ("Blocks"), TRUE);
  if (answer->pools != NULL)
    {
      cli_table_column (table, _ ("Reserved"), TRUE);
      cli_table_column (table, _ ("Peak"), TRUE);
      cli_table_column (table, _ ("Peak reserved"), TRUE);
    }
  cli_table_column (table, _ ("Allocated in all"), TRUE);
  cli_table_column (table, _ ("Times"), TRUE);
  cli_table_column (table, _ ("Mean life (steps)"), TRUE);
  cli_table_column (table, _ ("Holder"), FALSE);
  for (guint i = 0; i < n; i++)
    {
      const StriaAllocGroupRow *row = &g_array_index (answer->rows, StriaAllocGroupRow, i);

      cli_table_take (table, format_bytes (row->live_bytes));
      if (options->is_diff)
        cli_table_take (table, format_growth (row->growth_bytes));
      cli_table_take (table, stria_format_count (row->live_count));
      if (answer->pools != NULL)
        {
          const StriaPoolUse *use = &g_array_index (answer->pools, StriaPoolUse, row->key);

          cli_table_take (table, format_bytes (use->reserved));
          cli_table_take (table, format_bytes (use->peak));
          cli_table_take (table, format_bytes (use->peak_reserved));
        }
      cli_table_take (table, format_bytes (row->total_bytes));
      cli_table_take (table, stria_format_count (row->total_count));
      cli_table_take (table, row->mean_life < 0 ? g_strdup ("")
                                                : stria_format_value (row->mean_life, ""));
      cli_table_take (table, memory_row_label (answer->allocator, options->by, row->key));
    }
  cli_table_finish (table);
  print_more (answer->rows->len, n);
}

static void
print_map (const MemoryOptions *options, const MemoryAnswer *answer)
{
  const StriaMap  *map = answer->map;
  g_autofree char *reserved = format_bytes (map->reserved);
  g_autofree char *allocated = format_bytes (map->allocated);
  g_autofree char *rounding
      = map->has_rounding ? format_bytes (map->rounding) : g_strdup (_ ("not known"));
  g_autofree char *free_bytes = format_bytes (map->free_bytes);
  g_autofree char *largest = format_bytes (map->largest_free);
  g_autofree char *external = stria_format_percent (map->external);
  g_autofree char *scattered = stria_format_percent (map->scattered);
  g_autofree char *segments = stria_format_count (map->segments->len);
  CliTable        *table;

  printf (_ ("\nSegments: %s, reserved %s: allocated %s, rounding %s, free %s\n"), segments,
          reserved, allocated, rounding, free_bytes);
  printf (_ ("Largest free range %s; fragmentation %s (squares), %s of what is free lies apart "
             "from it\n"),
          largest, external, scattered);
  if (map->n_outside > 0)
    printf (ngettext ("%u block lies in no segment\n", "%u blocks lie in no segment\n",
                      map->n_outside),
            map->n_outside);
  if (!options->map)
    return;

  table = cli_table_new (stdout);
  cli_table_column (table, _ ("Address"), TRUE);
  cli_table_column (table, _ ("Size"), TRUE);
  cli_table_column (table, _ ("Allocated"), TRUE);
  cli_table_column (table, _ ("Pending free"), TRUE);
  cli_table_column (table, _ ("Rounding"), TRUE);
  cli_table_column (table, _ ("Free"), TRUE);
  cli_table_column (table, _ ("Largest free"), TRUE);
  cli_table_column (table, _ ("Stream"), TRUE);
  cli_table_column (table, _ ("Pool"), FALSE);
  for (guint i = 0; i < map->segments->len; i++)
    {
      const StriaMapSegment *segment = &g_array_index (map->segments, StriaMapSegment, i);
      MemoryRanges           sums;

      memory_sum_ranges (map, i, &sums);
      cli_table_take (table, g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", segment->address));
      cli_table_take (table, format_bytes (segment->size));
      cli_table_take (table, format_bytes (sums.allocated));
      cli_table_take (table, format_bytes (sums.pending));
      cli_table_take (table, map->has_rounding ? format_bytes (sums.rounding) : g_strdup (""));
      cli_table_take (table, format_bytes (sums.free_bytes));
      cli_table_take (table, format_bytes (sums.largest_free));
      cli_table_take (table, g_strdup_printf ("%u", segment->stream));
      cli_table_take (table,
                      pool_label (stria_allocator_get_pool (answer->allocator, segment->pool)));
    }
  cli_table_finish (table);
}

static void
print_leaks (const MemoryOptions *options, const MemoryAnswer *answer)
{
  guint     n = shown (options, answer->leaks->len);
  CliTable *table;

  if (answer->leaks->len == 0)
    {
      fputs (_ ("\nNo stack's live bytes only grow\n"), stdout);
      return;
    }
  fputs (_ ("\nStacks whose live bytes only grow\n"), stdout);
  table = cli_table_new (stdout);
  cli_table_column (table, _ ("First"), TRUE);
  cli_table_column (table, _ ("Last"), TRUE);
  cli_table_column (table, _ ("Blocks"), TRUE);
  cli_table_column (table, _ ("Points"), TRUE);
  cli_table_column (table, _ ("Stack"), FALSE);
  for (guint i = 0; i < n; i++)
    {
      const StriaLeakSuspect *leak = &g_array_index (answer->leaks, StriaLeakSuspect, i);

      cli_table_take (table, format_bytes (leak->first_bytes));
      cli_table_take (table, format_bytes (leak->last_bytes));
      cli_table_take (table, stria_format_count (leak->last_count));
      cli_table_take (table, stria_format_count (leak->n_points));
      cli_table_take (table, memory_row_label (answer->allocator, STRIA_GROUP_STACK, leak->stack));
    }
  cli_table_finish (table);
  print_more (answer->leaks->len, n);
}

static const char *
ring_text (StriaRingState ring)
{
  switch (ring)
    {
    case STRIA_RING_OVERFLOWED:
      return _ ("The record of events overflowed: the oldest are missing");
    case STRIA_RING_INFERRED:
      return _ ("Blocks or frees without their allocation: the record begins after them, or "
                "overflowed");
    case STRIA_RING_COMPLETE:
    default:
      return _ ("The record of events is complete");
    }
}

static void
print_capacity (StriaAllocator *allocator)
{
  const guint64    capacity = stria_allocator_get_capacity (allocator);
  g_autofree char *bytes = format_bytes (capacity);

  if (stria_allocator_is_host (allocator))
    return;
  if (capacity > 0)
    printf (_ ("Memory of the device: %s\n"), bytes);
  else
    fputs (_ ("Memory of the device: not known; a trace of the same process would say it\n"),
           stdout);
}

void
memory_print_device (const MemoryOptions *options, const MemoryAnswer *answer)
{
  StriaAllocator     *allocator = answer->allocator;
  g_autofree char    *events = stria_format_count (stria_allocator_get_n_events (allocator));
  g_autofree char    *elements = stria_format_count (stria_allocator_get_n_elements (allocator));
  g_autofree char    *ghosts = stria_format_count (answer->n_ghosts);
  g_autofree char    *unmatched = stria_format_count (answer->n_unmatched);
  g_autoptr (GString) actions = g_string_new (NULL);

  printf (stria_allocator_is_host (allocator) ? _ ("\nHost memory of device %u\n")
                                              : _ ("\nDevice %u\n"),
          stria_allocator_get_device (allocator));
  for (guint i = 0; i < STRIA_N_ALLOC_ACTIONS; i++)
    {
      g_autofree char *n = stria_format_count (answer->actions[i]);

      if (answer->actions[i] > 0)
        g_string_append_printf (actions, "%s%s %s", actions->len > 0 ? ", " : "",
                                stria_alloc_action_name (i), n);
    }
  printf (_ ("Events: %s"), events);
  printf (actions->len > 0 ? " (%s)\n" : "\n", actions->str);
  printf (_ ("Lives of blocks: %s; there before the first event: %s that stayed, %s that were "
             "freed\n"),
          elements, ghosts, unmatched);
  printf ("%s\n", ring_text (stria_allocator_get_ring (allocator)));
  print_capacity (allocator);
  fputc ('\n', stdout);
  print_totals (options, answer);
  fputc ('\n', stdout);
  print_rows (options, answer);
  print_map (options, answer);
  if (answer->leaks != NULL)
    print_leaks (options, answer);
}

void
memory_print_pairs (const MemoryOptions *options, const GArray *pairs)
{
  guint     n = shown (options, pairs->len);
  CliTable *table = cli_table_new (stdout);

  cli_table_column (table, _ ("Before"), TRUE);
  cli_table_column (table, _ ("After"), TRUE);
  cli_table_column (table, _ ("Growth"), TRUE);
  cli_table_column (table, _ ("Holder"), FALSE);
  for (guint i = 0; i < n; i++)
    {
      const MemoryPair *pair = &g_array_index (pairs, MemoryPair, i);

      cli_table_take (table, format_bytes (pair->bytes[0]));
      cli_table_take (table, format_bytes (pair->bytes[1]));
      cli_table_take (table, format_growth ((gint64) (pair->bytes[1] - pair->bytes[0])));
      cli_table_cell (table, pair->label);
    }
  cli_table_finish (table);
  print_more (pairs->len, n);
}
