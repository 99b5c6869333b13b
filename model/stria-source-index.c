/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-source-index.h"

#include <stdlib.h>
#include <string.h>

#include "stria-lane-class.h"
#include "stria-source-place.h"
#include "stria-source-private.h"
#include "stria-trace-private.h"

/* -- interning -------------------------------------------------------------------------------- */

guint32
stria_source_file (StriaSourceIndex *self, const char *path, gssize length)
{
  const gsize size = length < 0 ? strlen (path) : (gsize) length;
  const guint32 text = stria_strings_intern (self->texts, path, size);
  guint32 file = self->files->len;
  gpointer known;

  if (g_hash_table_lookup_extended (self->file_numbers, GUINT_TO_POINTER (text), NULL, &known))
    return GPOINTER_TO_UINT (known);
  g_array_append_val (self->files, text);
  g_hash_table_insert (self->file_numbers, GUINT_TO_POINTER (text), GUINT_TO_POINTER (file));
  return file;
}

guint32
stria_source_place (StriaSourceIndex *self, const char *path, gssize length, guint32 line,
                    const char *function)
{
  const guint32 file = stria_source_file (self, path, length);
  const gint64 key = (gint64) ((guint64) file << 32 | line);
  const guint32 name = function != NULL && *function != '\0'
                           ? stria_strings_intern (self->texts, function, strlen (function))
                           : 0;
  SourcePlace place = { file, line, name, FALSE };
  gpointer known;

  if (g_hash_table_lookup_extended (self->place_numbers, &key, NULL, &known))
    {
      SourcePlace *before = &g_array_index (self->places, SourcePlace, GPOINTER_TO_UINT (known));

      if (before->function == 0)
        before->function = name;
      return GPOINTER_TO_UINT (known);
    }
  g_hash_table_insert (self->place_numbers, g_memdup2 (&key, sizeof key),
                       GUINT_TO_POINTER (self->places->len));
  g_array_append_val (self->places, place);
  return self->places->len - 1;
}

static void
add_once (GArray *array, guint32 first, guint32 value)
{
  for (guint32 i = first; i < array->len; i++)
    if (g_array_index (array, guint32, i) == value)
      return;
  g_array_append_val (array, value);
}

guint32
stria_source_stack (StriaSourceIndex *self, const guint32 *places, guint n)
{
  const guint n_kept = MIN (n, STRIA_SOURCE_MAX_FRAMES);
  g_autoptr (GBytes) key = g_bytes_new (places, n_kept * sizeof *places);
  SourceStack stack = { .first_frame = self->frames->len, .n_frames = n_kept };
  gpointer known;

  if (g_hash_table_lookup_extended (self->stack_numbers, key, NULL, &known))
    return GPOINTER_TO_UINT (known);
  g_array_append_vals (self->frames, places, n_kept);
  stack.first_place = self->targets->len;
  for (guint i = 0; i < n_kept; i++)
    add_once (self->targets, stack.first_place, places[i]);
  stack.n_places = self->targets->len - stack.first_place;
  stack.first_file = self->targets->len;
  for (guint i = 0; i < n_kept; i++)
    add_once (self->targets, stack.first_file,
              g_array_index (self->places, SourcePlace, places[i]).file);
  stack.n_files = self->targets->len - stack.first_file;
  g_hash_table_insert (self->stack_numbers, g_steal_pointer (&key),
                       GUINT_TO_POINTER (self->stacks->len));
  g_array_append_val (self->stacks, stack);
  return self->stacks->len - 1;
}

/* -- names and arguments ---------------------------------------------------------------------- */

static void
add_names (StriaSourceIndex *self)
{
  self->n_names = stria_strings_size (stria_trace_get_strings (self->trace));
  for (guint32 i = 0; i < self->n_names; i++)
    {
      g_autofree char *path = NULL;
      const char *function = NULL;
      guint32 place;
      guint line;

      if (stria_trace_get_name_count (self->trace, i) == 0
          || !stria_source_parse_event (stria_trace_get_string (self->trace, i), &path, &line,
                                        &function))
        continue;
      place = stria_source_place (self, path, -1, line, function);
      if (self->by_name == NULL)
        self->by_name = g_new0 (guint32, self->n_names);
      self->by_name[i] = stria_source_stack (self, &place, 1);
    }
}

/* "dir/file.py(12): function;dir/other.py(7): caller", as an argument of an operator has it, with the
 * escapes of JSON, and innermost first */
static guint32
parse_call_stack (StriaSourceIndex *self, const char *text, gsize length)
{
  g_autofree char *copy = g_strndup (text, length);
  g_auto (GStrv) parts = g_strsplit (copy, ";", STRIA_SOURCE_MAX_FRAMES);
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_autofree char *path = NULL;
      const char *function = NULL;
      guint line;

      if (stria_source_parse_event (g_strstrip (parts[i]), &path, &line, &function))
        {
          const guint32 place = stria_source_place (self, path, -1, line, function);

          g_array_append_val (places, place);
        }
    }
  return places->len > 0
             ? stria_source_stack (self, (const guint32 *) (gpointer) places->data, places->len)
             : 0;
}

typedef struct
{
  StriaSourceIndex *self;
  GHashTable       *known; /* GBytes -> stack: most operators share a stack with others */
  SourceRows       *rows;
} ArgsScan;

static gboolean
scan_args (guint32 seq, const char *text, gsize length, gpointer user_data)
{
  static const char key[] = "\"Call stack\"";
  ArgsScan *scan = user_data;
  const char *at = g_strstr_len (text, (gssize) length, key);
  const char *end = text + length, *begin;
  g_autoptr (GBytes) bytes = NULL;
  gpointer stack;

  if (at == NULL)
    return TRUE;
  for (at += strlen (key); at < end && (g_ascii_isspace (*at) || *at == ':'); at++)
    ;
  if (at >= end || *at != '"')
    return TRUE;
  for (begin = ++at; at < end && *at != '"'; at++)
    if (*at == '\\')
      at++;
  if (at >= end || at == begin)
    return TRUE;
  bytes = g_bytes_new (begin, (gsize) (at - begin));
  if (!g_hash_table_lookup_extended (scan->known, bytes, NULL, &stack))
    {
      stack = GUINT_TO_POINTER (parse_call_stack (scan->self, begin, (gsize) (at - begin)));
      g_hash_table_insert (scan->known, g_steal_pointer (&bytes), stack);
    }
  if (stack == NULL)
    return TRUE;
  if (seq >= scan->rows->n)
    {
      const guint64 n = MAX ((guint64) seq + 1, scan->rows->n * 2);

      scan->rows->stacks = g_renew (guint32, scan->rows->stacks, n);
      memset (scan->rows->stacks + scan->rows->n, 0, (n - scan->rows->n) * sizeof (guint32));
      scan->rows->n = n;
    }
  scan->rows->stacks[seq] = GPOINTER_TO_UINT (stack);
  return TRUE;
}

static void
rows_free (gpointer data)
{
  SourceRows *rows = data;

  if (rows == NULL)
    return;
  g_free (rows->stacks);
  g_free (rows);
}

static gboolean
add_args (StriaSourceIndex *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (
      g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  guint32 n_artifacts = 0;

  for (guint32 i = 0; i < stria_trace_get_n_lanes (self->trace); i++)
    n_artifacts
        = MAX (n_artifacts, stria_lane_get_artifact (stria_trace_get_lane (self->trace, i)) + 1);
  g_ptr_array_set_size (self->args, (int) n_artifacts);
  for (guint32 a = 0; a < n_artifacts; a++)
    {
      SourceRows *rows = g_new0 (SourceRows, 1);
      ArgsScan scan = { self, known, rows };
      StriaArgs *args = stria_trace_get_artifact_args (self->trace, a);

      if (args != NULL && !stria_args_foreach (args, scan_args, &scan, cancellable, error))
        {
          rows_free (rows);
          return FALSE;
        }
      if (rows->stacks == NULL)
        g_clear_pointer (&rows, rows_free);
      self->has_args |= rows != NULL;
      self->args->pdata[a] = rows;
    }
  return TRUE;
}

static gboolean
add_rows (StriaSourceIndex *self, GCancellable *cancellable, GError **error)
{
  for (guint32 i = 0; i < stria_trace_get_n_lanes (self->trace); i++)
    {
      StriaTable *table
          = stria_lane_find_table (stria_trace_get_lane (self->trace, i), self->trace);

      if (table != NULL && !g_hash_table_contains (self->rows, table)
          && stria_source_is_table (table)
          && !stria_source_add_table (self, table, cancellable, error))
        return FALSE;
    }
  return TRUE;
}

/* -- the whole -------------------------------------------------------------------------------- */

static int
compare_places (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const StriaSourceIndex *self = user_data;
  const SourcePlace *x = &g_array_index (self->places, SourcePlace, *(const guint32 *) a);
  const SourcePlace *y = &g_array_index (self->places, SourcePlace, *(const guint32 *) b);

  if (x->file != y->file)
    return x->file < y->file ? -1 : 1;
  return x->line < y->line ? -1 : x->line > y->line;
}

static void
sort_places (StriaSourceIndex *self)
{
  const guint32 n = self->places->len;
  guint32 file = 0;

  self->sorted = g_new (guint32, n + 1);
  self->file_first = g_new0 (guint32, self->files->len + 1);
  for (guint32 i = 0; i < n; i++)
    self->sorted[i] = i;
  g_qsort_with_data (self->sorted, (int) n, sizeof (guint32), compare_places, self);
  for (guint32 i = 0; i < n; i++)
    for (; file <= g_array_index (self->places, SourcePlace, self->sorted[i]).file; file++)
      self->file_first[file] = i;
  for (; file <= self->files->len; file++)
    self->file_first[file] = n;
}

/**
 * stria_source_index_new:
 * @capture: with or without a trace
 *
 * Reads names, arguments, and columns of tables. Returns: (transfer full): the index, or %NULL with
 * @error if it was cancelled or something could not be read
 */
StriaSourceIndex *
stria_source_index_new (StriaCapture *capture, GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaSourceIndex) self = g_new0 (StriaSourceIndex, 1);
  g_autoptr (GPtrArray) snapshots = stria_capture_get_snapshots (capture);

  g_atomic_ref_count_init (&self->refs);
  self->trace = stria_capture_ref_trace (capture);
  self->texts = stria_strings_new ();
  self->files = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->file_numbers = g_hash_table_new (NULL, NULL);
  self->places = g_array_new (FALSE, FALSE, sizeof (SourcePlace));
  self->place_numbers = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->stacks = g_array_new (FALSE, FALSE, sizeof (SourceStack));
  self->frames = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->targets = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->stack_numbers = g_hash_table_new_full (g_bytes_hash, g_bytes_equal,
                                               (GDestroyNotify) g_bytes_unref, NULL);
  self->rows = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) stria_table_unref, rows_free);
  self->args = g_ptr_array_new_with_free_func (rows_free);
  stria_source_stack (self, NULL, 0);
  if (self->trace != NULL)
    {
      add_names (self);
      if (!add_args (self, cancellable, error) || !add_rows (self, cancellable, error))
        return NULL;
    }
  self->has_events = self->stacks->len > 1;
  if (snapshots != NULL)
    stria_source_add_snapshots (self, snapshots, cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  sort_places (self);
  g_clear_pointer (&self->stack_numbers, g_hash_table_unref);
  return g_steal_pointer (&self);
}

StriaSourceIndex *
stria_source_index_ref (StriaSourceIndex *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_source_index_unref (StriaSourceIndex *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_clear_pointer (&self->trace, stria_trace_unref);
  stria_strings_unref (self->texts);
  g_array_unref (self->files);
  g_hash_table_unref (self->file_numbers);
  g_array_unref (self->places);
  g_hash_table_unref (self->place_numbers);
  g_array_unref (self->stacks);
  g_array_unref (self->frames);
  g_array_unref (self->targets);
  g_clear_pointer (&self->stack_numbers, g_hash_table_unref);
  g_hash_table_unref (self->rows);
  g_ptr_array_unref (self->args);
  g_free (self->by_name);
  g_free (self->sorted);
  g_free (self->file_first);
  g_free (self->place_bytes);
  g_free (self->file_bytes);
  g_free (self);
}

StriaTrace *
stria_source_index_get_trace (StriaSourceIndex *self)
{
  return self->trace;
}

guint32
stria_source_index_n_files (StriaSourceIndex *self)
{
  return self->files->len;
}

const char *
stria_source_index_get_file (StriaSourceIndex *self, guint32 file)
{
  return stria_strings_get (self->texts, g_array_index (self->files, guint32, file));
}

guint32
stria_source_index_find_file (StriaSourceIndex *self, const char *path)
{
  const guint32 text = stria_strings_find (self->texts, path, strlen (path));
  gpointer file;

  return text != G_MAXUINT32
                 && g_hash_table_lookup_extended (self->file_numbers, GUINT_TO_POINTER (text), NULL,
                                                  &file)
             ? GPOINTER_TO_UINT (file)
             : G_MAXUINT32;
}

guint32
stria_source_index_n_places (StriaSourceIndex *self)
{
  return self->places->len;
}

StriaSourcePlace
stria_source_index_get_place (StriaSourceIndex *self, guint32 place)
{
  const SourcePlace *at = &g_array_index (self->places, SourcePlace, place);

  return (StriaSourcePlace){ at->file, at->line,
                             at->function != 0 ? stria_strings_get (self->texts, at->function)
                                               : NULL };
}

/* The first place of [@low, @high) whose line is @line or behind it */
static guint32
lower_bound (StriaSourceIndex *self, guint32 low, guint32 high, guint64 line)
{
  while (low < high)
    {
      const guint32 middle = low + (high - low) / 2;

      if (g_array_index (self->places, SourcePlace, self->sorted[middle]).line < line)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

const guint32 *
stria_source_index_places (StriaSourceIndex *self, guint32 file, guint first, guint last, guint *n)
{
  guint32 begin, end;

  *n = 0;
  if (file >= self->files->len)
    return NULL;
  begin = lower_bound (self, self->file_first[file], self->file_first[file + 1], first);
  end = lower_bound (self, begin, self->file_first[file + 1], (guint64) last + 1);
  *n = end - begin;
  return self->sorted + begin;
}

gboolean
stria_source_index_has_events (StriaSourceIndex *self)
{
  return self->has_events;
}

gboolean
stria_source_index_has_bytes (StriaSourceIndex *self)
{
  return self->place_bytes != NULL;
}

SourceLane
stria_source_lane (StriaSourceIndex *self, StriaLane *lane)
{
  const guint32 artifact = stria_lane_get_artifact (lane);
  SourceLane at = { .by_name = self->by_name, .n_names = self->n_names };
  StriaTable *table;
  const SourceRows *rows = NULL;

  if (stria_lane_get_kind (lane) == STRIA_LANE_COUNTER)
    return (SourceLane){ 0 };
  table = stria_lane_find_table (lane, self->trace);
  if (table != NULL)
    rows = g_hash_table_lookup (self->rows, table);
  else if (artifact < self->args->len)
    rows = self->args->pdata[artifact];
  if (rows != NULL)
    {
      at.by_seq = rows->stacks;
      at.n_seq = rows->n;
      at.is_rows = table != NULL;
    }
  return at;
}

gboolean
stria_source_index_may_have (StriaCapture *capture)
{
  g_autoptr (GPtrArray) snapshots = stria_capture_get_snapshots (capture);
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (capture);

  for (guint i = 0; snapshots != NULL && i < snapshots->len; i++)
    if (stria_snapshot_get_n_frames (g_ptr_array_index (snapshots, i)) > 0)
      return TRUE;
  for (guint32 i = 0; trace != NULL && i < stria_trace_get_n_categories (trace); i++)
    if (g_strcmp0 (stria_trace_get_category (trace, i), "python_function") == 0)
      return TRUE;
  for (guint32 i = 0; trace != NULL && i < stria_trace_get_n_lanes (trace); i++)
    {
      StriaTable *table = stria_lane_find_table (stria_trace_get_lane (trace, i), trace);

      if (table != NULL && stria_source_is_table (table))
        return TRUE;
    }
  return FALSE;
}
