/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "cli-memory.h"
#include "cli-table.h"
#include "stria-error.h"

static const char *const group_names[] = {
  "stack", "frame", "category", "size", "pool", "stream", "lifetime", NULL,
};

const char *
memory_group_name (StriaAllocGroup by)
{
  return group_names[by];
}

const char *
memory_ring_name (StriaRingState ring)
{
  switch (ring)
    {
    case STRIA_RING_OVERFLOWED:
      return "overflowed";
    case STRIA_RING_INFERRED:
      return "inferred";
    case STRIA_RING_COMPLETE:
    default:
      return "complete";
    }
}

char *
memory_pool_text (guint64 pool)
{
  if (pool == STRIA_NO_POOL)
    return NULL;
  return g_strdup_printf ("%u,%u", (guint) (pool >> 32), (guint) (pool & G_MAXUINT32));
}

void
memory_sum_ranges (const StriaMap *map, guint segment, MemoryRanges *sums)
{
  guint first = 0;
  guint end = map->ranges->len;

  if (segment != G_MAXUINT)
    {
      first = g_array_index (map->segments, StriaMapSegment, segment).first;
      end = first + g_array_index (map->segments, StriaMapSegment, segment).n;
    }
  *sums = (MemoryRanges){ 0 };
  for (guint i = first; i < end; i++)
    {
      const StriaMapRange *range = &g_array_index (map->ranges, StriaMapRange, i);

      switch ((StriaRangeState) range->state)
        {
        case STRIA_RANGE_ALLOCATED:
          sums->allocated += range->size;
          break;
        case STRIA_RANGE_PENDING:
          sums->pending += range->size;
          break;
        case STRIA_RANGE_ROUNDING:
          sums->rounding += range->size;
          break;
        case STRIA_RANGE_FREE:
        default:
          sums->free_bytes += range->size;
          sums->largest_free = MAX (sums->largest_free, range->size);
          break;
        }
    }
}

/* "peak", "end", a step, or a time: "1700000000000000us", or a number greater than any step. */
gboolean
memory_parse_moment (StriaAllocator *allocator, const char *text, guint32 *step, GError **error)
{
  guint32     n_events = stria_allocator_get_n_events (allocator);
  const char *unit;
  guint64     number = 0;

  if (g_str_equal (text, "peak"))
    {
      *step = stria_allocator_peak (allocator, 0, n_events);
      return TRUE;
    }
  if (g_str_equal (text, "end"))
    {
      *step = n_events;
      return TRUE;
    }
  for (unit = text; g_ascii_isdigit (*unit) && number <= G_MAXINT64 / 10 - 1; unit++)
    number = number * 10 + (guint64) (*unit - '0');
  if (unit == text || (*unit != '\0' && !g_str_equal (unit, "us")))
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                   _ ("“%s” is no moment; there are peak, end, a step, and a time as 12us"), text);
      return FALSE;
    }
  if (*unit == '\0' && number <= n_events)
    *step = (guint32) number;
  else if (stria_allocator_has_times (allocator))
    *step = stria_allocator_step_at_time (allocator, (gint64) number);
  else
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                   *unit == '\0' ? _ ("There is no step %s, and the events have no times")
                                 : _ ("The events have no times to find %s by"),
                   text);
      return FALSE;
    }
  return TRUE;
}

static void
memory_answer_clear (MemoryAnswer *answer)
{
  g_clear_pointer (&answer->rows, g_array_unref);
  g_clear_pointer (&answer->pools, g_array_unref);
  g_clear_pointer (&answer->leaks, g_array_unref);
  g_clear_pointer (&answer->map, stria_map_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MemoryAnswer, memory_answer_clear)

static int
compare_growth (gconstpointer a, gconstpointer b)
{
  const StriaAllocGroupRow *x = a;
  const StriaAllocGroupRow *y = b;

  if (x->growth_bytes != y->growth_bytes)
    return x->growth_bytes > y->growth_bytes ? -1 : 1;
  return x->key < y->key ? -1 : x->key > y->key;
}

/* Pools that have segments and never had a block have a row too. */
static void
add_empty_pools (MemoryAnswer *answer)
{
  g_autofree guint8 *has_row = g_new0 (guint8, answer->pools->len);

  for (guint i = 0; i < answer->rows->len; i++)
    has_row[g_array_index (answer->rows, StriaAllocGroupRow, i).key] = 1;
  for (guint i = 0; i < answer->pools->len; i++)
    {
      const StriaAllocGroupRow row = { .key = i, .mean_life = -1 };

      if (!has_row[i] && g_array_index (answer->pools, StriaPoolUse, i).peak_reserved > 0)
        g_array_append_val (answer->rows, row);
    }
}

static gboolean
ask (StriaAllocator *allocator, const MemoryOptions *options, const char *at, const char *base,
     GCancellable *cancellable, MemoryAnswer *answer, GError **error)
{
  answer->allocator = allocator;
  if (!memory_parse_moment (allocator, at, &answer->step, error)
      || !memory_parse_moment (allocator, base != NULL ? base : at, &answer->base_step, error))
    return FALSE;

  for (guint32 i = 0; i < stria_allocator_get_n_events (allocator); i++)
    {
      StriaAllocEvent event;

      stria_allocator_get_event (allocator, i, &event);
      if (event.action < STRIA_N_ALLOC_ACTIONS)
        answer->actions[event.action]++;
    }
  for (guint32 i = 0; i < stria_allocator_get_n_initial (allocator); i++)
    {
      StriaElement element;

      stria_allocator_get_element (allocator, i, &element);
      answer->n_ghosts += (element.flags & STRIA_ELEMENT_GHOST) != 0;
      answer->n_unmatched += (element.flags & STRIA_ELEMENT_UNMATCHED) != 0;
    }
  answer->peak_step
      = stria_allocator_peak (allocator, 0, stria_allocator_get_n_events (allocator));
  stria_allocator_totals (allocator, answer->peak_step, &answer->peak);
  stria_allocator_totals (allocator, answer->step, &answer->moment);
  stria_allocator_totals (allocator, answer->base_step, &answer->base);

  answer->rows = stria_allocator_group (allocator, options->by, answer->step, answer->base_step,
                                        cancellable, error);
  if (answer->rows == NULL)
    return FALSE;
  if (options->is_diff)
    g_array_sort (answer->rows, compare_growth);
  if (options->by == STRIA_GROUP_POOL)
    {
      answer->pools = stria_allocator_pool_use (allocator, answer->step);
      add_empty_pools (answer);
    }
  answer->map = stria_allocator_map (allocator, answer->step, cancellable, error);
  if (answer->map == NULL)
    return FALSE;
  if (options->leaks)
    {
      answer->leaks = stria_allocator_leaks (allocator, NULL, 2, cancellable, error);
      if (answer->leaks == NULL)
        return FALSE;
    }
  return TRUE;
}

/* -- two snapshots ---------------------------------------------------------------------------- */

static void
clear_pair (gpointer data)
{
  g_free (((MemoryPair *) data)->label);
}

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  const MemoryPair *x = a;
  const MemoryPair *y = b;
  gint64            grown_x = (gint64) (x->bytes[1] - x->bytes[0]);
  gint64            grown_y = (gint64) (y->bytes[1] - y->bytes[0]);

  if (grown_x != grown_y)
    return grown_x > grown_y ? -1 : 1;
  return strcmp (x->label, y->label);
}

/* Whole stacks as text tell stacks of two files apart; the innermost line alone would not. */
static char *
pair_key (StriaAllocator *allocator, StriaAllocGroup by, guint64 key)
{
  StriaSnapshotData *data = stria_allocator_get_snapshot (allocator);
  g_autoptr (GString) text = g_string_new (NULL);
  const guint32     *frames;
  guint32            n = 0;

  if (by == STRIA_GROUP_STACK)
    {
      frames = stria_snapshot_get_stack (data, (guint32) key, &n);
      for (guint32 i = 0; i < n; i++)
        {
          g_autofree char *frame = stria_snapshot_frame_text (data, frames[i]);

          g_string_append (text, frame);
          g_string_append_c (text, '\n');
        }
    }
  if (n == 0)
    {
      g_autofree char *label = memory_row_label (allocator, by, key);

      g_string_append (text, label);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static GArray *
pair_rows (const MemoryOptions *options, const MemoryAnswer answers[2])
{
  g_autoptr (GHashTable) index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GArray                *pairs = g_array_new (FALSE, TRUE, sizeof (MemoryPair));

  g_array_set_clear_func (pairs, clear_pair);
  for (guint side = 0; side < 2; side++)
    for (guint i = 0; i < answers[side].rows->len; i++)
      {
        const StriaAllocGroupRow *row
            = &g_array_index (answers[side].rows, StriaAllocGroupRow, i);
        char    *key;
        gpointer known;

        if (row->live_count == 0)
          continue;
        key = pair_key (answers[side].allocator, options->by, row->key);
        known = g_hash_table_lookup (index, key);
        if (known == NULL)
          {
            MemoryPair pair
                = { .label = memory_row_label (answers[side].allocator, options->by, row->key) };

            g_array_append_val (pairs, pair);
            known = GUINT_TO_POINTER (pairs->len);
            g_hash_table_insert (index, key, known);
          }
        else
          g_free (key);
        MemoryPair *pair = &g_array_index (pairs, MemoryPair, GPOINTER_TO_UINT (known) - 1);
        pair->bytes[side] += row->live_bytes;
        pair->count[side] += row->live_count;
      }
  g_array_sort (pairs, compare_pairs);
  return pairs;
}

/* -- the command ------------------------------------------------------------------------------ */

typedef struct
{
  MemoryOptions options;
  StriaCapture *capture;
  GPtrArray    *snapshots;
  int           device; /* -1: all */
  char         *artifact;
  char         *at;
  char         *base;
} Request;

static const char *
snapshot_name (const Request *request, StriaSnapshotData *data)
{
  return stria_artifact_get_name (
      stria_capture_get_artifact (request->capture, stria_snapshot_get_artifact (data)));
}

static gboolean
is_named (const Request *request, StriaSnapshotData *data, const char *name)
{
  const char      *whole = snapshot_name (request, data);
  g_autofree char *base = g_path_get_basename (whole);

  return g_str_equal (whole, name) || g_str_equal (base, name);
}

static gboolean
is_asked_for (const Request *request, StriaSnapshotData *data)
{
  return request->artifact == NULL || is_named (request, data, request->artifact);
}

static gboolean
is_device_asked_for (const Request *request, StriaAllocator *allocator)
{
  return request->device < 0 || stria_allocator_get_device (allocator) == (guint) request->device;
}

static void
json_other (CliJson *json, StriaSnapshotData *data)
{
  GHashTable       *other = stria_snapshot_get_other (data);
  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (other), (GCompareFunc) strcmp);

  cli_json_begin_object (json, "other_keys");
  for (GList *l = keys; l != NULL; l = l->next)
    cli_json_string (json, l->data, g_hash_table_lookup (other, l->data));
  cli_json_end_object (json);
}

static gboolean
tell_snapshot (CliContext *context, const Request *request, StriaSnapshotData *data, CliJson *json,
               GError **error)
{
  const char *settings = stria_snapshot_get_settings (data);

  if (json != NULL)
    {
      cli_json_begin_object (json, NULL);
      cli_json_string (json, "artifact", snapshot_name (request, data));
      cli_json_uint (json, "frames", stria_snapshot_get_n_frames (data));
      cli_json_uint (json, "stacks", stria_snapshot_get_n_stacks (data));
      if (settings != NULL)
        cli_json_trace_text (json, "settings", settings, strlen (settings));
      else
        cli_json_null (json, "settings");
      json_other (json, data);
      cli_json_begin_array (json, "devices");
    }
  else
    {
      g_autofree char *name = cli_printable (snapshot_name (request, data));

      printf (_ ("Snapshot: %s\n"), name);
    }
  for (guint i = 0; i < stria_snapshot_get_n_devices (data); i++)
    {
      StriaAllocator     *allocator = stria_snapshot_get_device (data, i);
      g_auto (MemoryAnswer) answer = { 0 };

      if (!is_device_asked_for (request, allocator))
        continue;
      if (!ask (allocator, &request->options, request->at, request->base, context->cancellable,
                &answer, error))
        return FALSE;
      if (json != NULL)
        memory_json_device (json, &request->options, &answer);
      else
        memory_print_device (&request->options, &answer);
    }
  if (json != NULL)
    {
      cli_json_end_array (json);
      cli_json_end_object (json);
    }
  else if (settings != NULL)
    {
      g_autofree char *text = cli_printable (settings);

      printf (_ ("\nAllocator settings: %s\n"), text);
    }
  return TRUE;
}

static CliExit
tell_all (CliContext *context, const Request *request, CliExit exit)
{
  g_autoptr (GError) error = NULL;
  gboolean           ok = TRUE;
  CliJson            json;

  /* A moment that is not there is said before half of the output is out. */
  for (guint i = 0; i < request->snapshots->len && ok; i++)
    {
      StriaSnapshotData *data = request->snapshots->pdata[i];
      guint32            step;

      for (guint d = 0; d < stria_snapshot_get_n_devices (data) && ok; d++)
        {
          StriaAllocator *allocator = stria_snapshot_get_device (data, d);

          if (is_asked_for (request, data) && is_device_asked_for (request, allocator))
            ok = memory_parse_moment (allocator, request->at, &step, &error)
                 && (request->base == NULL
                     || memory_parse_moment (allocator, request->base, &step, &error));
        }
    }
  if (!ok)
    return cli_fail (context, CLI_USAGE, error);

  if (context->json)
    {
      cli_json_init (&json, stdout, 5);
      cli_json_begin_object (&json, NULL);
      cli_json_begin_array (&json, "snapshots");
    }
  for (guint i = 0; i < request->snapshots->len && ok; i++)
    {
      if (!is_asked_for (request, request->snapshots->pdata[i]))
        continue;
      ok = tell_snapshot (context, request, request->snapshots->pdata[i],
                          context->json ? &json : NULL, &error);
    }
  if (!ok)
    return cli_fail (context, CLI_FAILED, error);
  if (context->json)
    {
      cli_json_end_array (&json);
      cli_json_end_object (&json);
      cli_json_finish (&json);
    }
  return exit;
}

static StriaAllocator *
device_of (const Request *request, const char *artifact)
{
  for (guint i = 0; i < request->snapshots->len; i++)
    {
      StriaSnapshotData *data = request->snapshots->pdata[i];

      if (!is_named (request, data, artifact))
        continue;
      for (guint d = 0; d < stria_snapshot_get_n_devices (data); d++)
        {
          StriaAllocator *allocator = stria_snapshot_get_device (data, d);

          if (is_device_asked_for (request, allocator))
            return allocator;
        }
    }
  return NULL;
}

static CliExit
compare_snapshots (CliContext *context, const Request *request, StriaAllocator *before,
                   StriaAllocator *after, CliExit exit)
{
  MemoryAnswer       answers[2] = { 0 };
  g_autoptr (GArray) pairs = NULL;
  g_autoptr (GError) error = NULL;
  CliJson            json;

  if (ask (before, &request->options, request->at, NULL, context->cancellable, &answers[0], &error)
      && ask (after, &request->options, request->at, NULL, context->cancellable, &answers[1],
              &error))
    pairs = pair_rows (&request->options, answers);
  memory_answer_clear (&answers[0]);
  memory_answer_clear (&answers[1]);
  if (pairs == NULL)
    return cli_fail (context, CLI_FAILED, error);

  if (!context->json)
    {
      memory_print_pairs (&request->options, pairs);
      return exit;
    }
  cli_json_init (&json, stdout, 2);
  cli_json_begin_object (&json, NULL);
  memory_json_pairs (&json, &request->options, pairs);
  cli_json_end_object (&json);
  cli_json_finish (&json);
  return exit;
}

/* "--diff A B" takes two arguments, and GOption gives one: they are joined before it looks. */
static char **
join_diff (int *argc, char **argv)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  char                   **joined;

  for (int i = 0; i < *argc; i++)
    {
      if (g_str_equal (argv[i], "--diff") && i + 2 < *argc && strchr (argv[i + 1], ':') == NULL)
        {
          g_autofree char *both = g_strdup_printf ("--diff=%s:%s", argv[i + 1], argv[i + 2]);

          g_strv_builder_add (builder, both);
          i += 2;
        }
      else
        g_strv_builder_add (builder, argv[i]);
    }
  joined = g_strv_builder_end (builder);
  *argc = (int) g_strv_length (joined);
  return joined;
}

static gboolean
parse_steps (const char *text, GArray **steps)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  *steps = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; parts[i] != NULL; i++)
    {
      guint64 number;
      guint32 step;

      if (!g_ascii_string_to_unsigned (parts[i], 10, 0, G_MAXUINT32, &number, NULL))
        return FALSE;
      step = (guint32) number;
      g_array_append_val (*steps, step);
    }
  return TRUE;
}

static gboolean
has_device (const Request *request)
{
  for (guint i = 0; i < request->snapshots->len; i++)
    {
      StriaSnapshotData *data = request->snapshots->pdata[i];

      for (guint d = 0; is_asked_for (request, data) && d < stria_snapshot_get_n_devices (data);
           d++)
        if (is_device_asked_for (request, stria_snapshot_get_device (data, d)))
          return TRUE;
    }
  return request->device < 0;
}

static void
request_clear (Request *request)
{
  g_clear_pointer (&request->snapshots, g_ptr_array_unref);
  g_clear_pointer (&request->options.steps, g_array_unref);
  g_clear_pointer (&request->artifact, g_free);
  g_clear_pointer (&request->at, g_free);
  g_clear_pointer (&request->base, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Request, request_clear)

static CliExit
run_memory (CliContext *context, int argc, char **argv)
{
  g_auto (Request)   request = { .device = -1 };
  g_autofree char   *by = NULL;
  g_autofree char   *diff = NULL;
  g_autofree char   *steps = NULL;
  g_autofree char   *before = NULL;
  const char        *after = NULL;
  int                top = 20;
  const GOptionEntry entries[] = {
    { "device", 'd', 0, G_OPTION_ARG_INT, &request.device, N_ ("Only this device"), N_ ("N") },
    { "artifact", 0, 0, G_OPTION_ARG_STRING, &request.artifact, N_ ("Only this snapshot file"),
      N_ ("NAME") },
    { "at", 0, 0, G_OPTION_ARG_STRING, &request.at,
      N_ ("peak (default), end, a step, or microseconds since 1970 as 12us"), N_ ("MOMENT") },
    { "by", 0, 0, G_OPTION_ARG_STRING, &by,
      N_ ("stack (default), frame, size, pool, stream, category or lifetime"), N_ ("WHAT") },
    { "top", 'n', 0, G_OPTION_ARG_INT, &top, N_ ("Rows to print; 0 for all (default 20)"),
      N_ ("N") },
    { "diff", 0, 0, G_OPTION_ARG_STRING, &diff,
      N_ ("What grew from A to B: two moments, or the names of two snapshot files"),
      N_ ("A B") },
    { "leaks", 0, 0, G_OPTION_ARG_NONE, &request.options.leaks,
      N_ ("Stacks whose live bytes only grow from step to step of the program"), NULL },
    { "map", 0, 0, G_OPTION_ARG_NONE, &request.options.map, N_ ("Each segment"), NULL },
    { "steps", 0, 0, G_OPTION_ARG_STRING, &steps, N_ ("Totals at these steps too"),
      N_ ("S1,S2,…") },
    { NULL },
  };
  g_auto (GStrv)      joined = join_diff (&argc, argv);
  g_autofree char   **view = g_memdup2 (joined, ((gsize) argc + 1) * sizeof *joined);
  g_auto (CliCapture) open = { 0 };
  StriaAllocator     *a;
  StriaAllocator     *b;
  CliExit             exit;

  if (!cli_parse (context, &cli_command_memory, argc, view, entries, 1, G_MAXUINT))
    return CLI_USAGE;
  for (request.options.by = 0; by != NULL && group_names[request.options.by] != NULL;
       request.options.by++)
    {
      if (g_str_equal (group_names[request.options.by], by))
        break;
    }
  if (group_names[request.options.by] == NULL)
    return cli_usage (context,
                      _ ("--by takes stack, frame, size, pool, stream, category or lifetime, "
                         "not “%s”"),
                      by);
  if (top < 0)
    return cli_usage (context, _ ("--top takes a number from 0"));
  if (steps != NULL && !parse_steps (steps, &request.options.steps))
    return cli_usage (context, _ ("--steps takes numbers with commas between, not “%s”"), steps);
  if (diff != NULL)
    {
      after = strchr (diff, ':');
      if (after == NULL || after == diff || after[1] == '\0')
        return cli_usage (context, _ ("--diff takes two moments, or the names of two files"));
      before = g_strndup (diff, (gsize) (after - diff));
      after++;
      if (request.at != NULL && g_ascii_isdigit (before[0]))
        return cli_usage (context, _ ("--at and two moments of --diff do not go together"));
    }
  request.options.top = (guint) top;

  exit = cli_open (context, (const char *const *) context->rest, CLI_OPEN_DEFAULT, &open);
  if (!cli_is_open (exit))
    return exit;
  request.capture = open.capture;
  request.snapshots = stria_capture_get_snapshots (open.capture);
  if (request.snapshots->len == 0)
    {
      g_autoptr (GError) error
          = g_error_new (STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                         _ ("There is no allocator snapshot in the capture"));

      return cli_fail (context, CLI_FAILED, error);
    }
  if (!has_device (&request))
    return cli_usage (context, _ ("There is no device %d in the snapshots"), request.device);

  if (before != NULL)
    {
      a = device_of (&request, before);
      b = device_of (&request, after);
      if (request.at == NULL)
        request.at = g_strdup (a != NULL && b != NULL ? "peak" : after);
      if (a != NULL && b != NULL)
        return compare_snapshots (context, &request, a, b, exit);
      request.base = g_steal_pointer (&before);
      request.options.is_diff = TRUE;
    }
  else if (request.at == NULL)
    request.at = g_strdup ("peak");
  return tell_all (context, &request, exit);
}

const CliCommand cli_command_memory = {
  .name = "memory",
  .parameters = N_ ("CAPTURE…"),
  .summary = N_ ("Who holds memory in a snapshot of the PyTorch allocator"),
  .run = run_memory,
};
