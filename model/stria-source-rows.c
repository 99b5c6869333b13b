/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of source of the rows of a table: its columns, and the tables of frames that they lead to. */
#include "config.h"

#include <string.h>

#include "stria-source-place.h"
#include "stria-source-private.h"
#include "stria-trace-private.h"

/* What a row's line may come from, innermost first */
enum
{
  FROM_KERNEL, /* kernel_instruction_name, through KernelInstructions */
  FROM_NKI,
  FROM_COMPILER,
  FROM_FRAMES, /* stack_frame_ids, through StackFrame */
  FROM_STACK,  /* the one line that a decoder found for them */
  N_FROM,
};

static const char *const columns_from[N_FROM]
    = { "kernel_instruction_name", "nki_source_location", "bir_debug_info_source_location",
        "stack_frame_ids", "stack_source_location" };

/* A frame by its id. @line 0: several tables disagree about it */
typedef struct
{
  char *path;
  char *function;
  guint32 line;
  gint64 parent; /* 0: none */
} Frame;

typedef struct
{
  StriaSourceIndex *self;
  GHashTable *frames;  /* gint64 -> Frame */
  GHashTable *kernels; /* the same of kernels */
  GHashTable *kernel_instructions; /* name -> Frame, whose parent is the deepest frame */
  GHashTable *known[N_FROM];       /* text -> stack */
  GHashTable *joined;  /* GBytes of a row's stacks -> stack */
} Rows;

static void
frame_free (gpointer data)
{
  Frame *frame = data;

  g_free (frame->path);
  g_free (frame->function);
  g_free (frame);
}

gboolean
stria_source_is_table (StriaTable *table)
{
  for (guint i = 0; i < N_FROM; i++)
    {
      const int column = stria_table_find_column (table, columns_from[i]);

      if (column >= 0 && i != FROM_KERNEL
          && stria_table_get_column (table, (guint) column)->type == STRIA_CELL_TEXT)
        return TRUE;
    }
  return FALSE;
}

/* -- tables of frames ------------------------------------------------------------------------- */

/* Tables of one name that belong to @artifact: its own, else those of the same set of files, or the
 * only ones there are. */
static GPtrArray *
tables_of (StriaTrace *trace, const char *name, guint32 artifact)
{
  g_autoptr (GPtrArray) own = g_ptr_array_new ();
  g_autoptr (GPtrArray) set = g_ptr_array_new ();
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  const guint group
      = trace->tree != NULL ? stria_capture_tree_of (trace->tree, artifact) : STRIA_NO_GROUP;

  for (guint i = 0; trace->tables != NULL && i < trace->tables->len; i++)
    {
      StriaTable *table = trace->tables->pdata[i];
      const guint32 of = stria_table_get_artifact (table);

      if (g_ascii_strcasecmp (stria_table_get_name (table), name) != 0)
        continue;
      g_ptr_array_add (all, table);
      if (of == artifact)
        g_ptr_array_add (own, table);
      if (group != STRIA_NO_GROUP && stria_capture_tree_of (trace->tree, of) == group)
        g_ptr_array_add (set, table);
    }
  if (own->len > 0)
    return g_steal_pointer (&own);
  return set->len > 0 ? g_steal_pointer (&set) : g_steal_pointer (&all);
}

/* The cell of a row as text, or NULL */
static char *
cell_text (StriaColumnChunk *chunk, StriaCellType type, guint32 row)
{
  guint32 length;
  const char *text;

  if (chunk == NULL || !stria_column_data_has (&chunk->data, row))
    return NULL;
  if (type == STRIA_CELL_INT)
    return g_strdup_printf ("%" G_GINT64_FORMAT, chunk->data.ints[row]);
  if (type != STRIA_CELL_TEXT)
    return NULL;
  text = stria_column_data_text (&chunk->data, row, &length);
  return g_strndup (text, length);
}

typedef void (*RowFunc) (Rows *rows, char **cells, gpointer user_data);

/* Calls @func for each row with the texts of @n columns by name, NULL where there is none. */
static gboolean
for_rows (Rows *rows, StriaTable *table, const char *const *names, guint n, RowFunc func,
          gpointer user_data, GError **error)
{
  for (guint32 c = 0; c < stria_table_get_n_chunks (table); c++)
    {
      StriaColumnChunk *chunks[8] = { NULL };
      StriaCellType types[8] = { 0 };
      gboolean is_read = TRUE;

      for (guint i = 0; i < n; i++)
        {
          const int column = stria_table_find_column (table, names[i]);

          if (column < 0 || !is_read)
            continue;
          types[i] = stria_table_get_column (table, (guint) column)->type;
          chunks[i] = stria_table_load (table, (guint) column, c, error);
          is_read = chunks[i] != NULL;
        }
      for (guint32 row = 0; is_read && row < stria_table_get_chunk_rows (table, c); row++)
        {
          char *cells[8] = { NULL };

          for (guint i = 0; i < n; i++)
            cells[i] = cell_text (chunks[i], types[i], row);
          func (rows, cells, user_data);
          for (guint i = 0; i < n; i++)
            g_free (cells[i]);
        }
      for (guint i = 0; i < n; i++)
        g_clear_pointer (&chunks[i], stria_column_chunk_free);
      if (!is_read)
        return FALSE;
    }
  return TRUE;
}

static gint64
number (const char *text)
{
  return text != NULL ? g_ascii_strtoll (text, NULL, 10) : 0;
}

static void
take_name (Rows *rows, char **cells, gpointer user_data)
{
  gint64 id = number (cells[0]);

  if (cells[1] != NULL && *cells[1] != '\0')
    g_hash_table_insert (user_data, g_memdup2 (&id, sizeof id), g_strdup (cells[1]));
}

typedef struct
{
  GHashTable *files;     /* gint64 -> path */
  GHashTable *functions; /* gint64 -> name */
  GHashTable *locations; /* gint64 -> Frame */
} Parts;

static void
put_frame (GHashTable *frames, gint64 id, const char *path, const char *function, gint64 line,
           gint64 parent)
{
  Frame *frame = g_hash_table_lookup (frames, &id);

  if (frame != NULL)
    {
      if (g_strcmp0 (frame->path, path) != 0 || (gint64) frame->line != line
          || frame->parent != parent)
        frame->line = 0;
      return;
    }
  frame = g_new0 (Frame, 1);
  frame->path = g_strdup (path);
  frame->function = g_strdup (function);
  frame->line = line > 0 && line <= G_MAXINT ? (guint32) line : 0;
  frame->parent = parent;
  g_hash_table_insert (frames, g_memdup2 (&id, sizeof id), frame);
}

static void
take_location (Rows *rows, char **cells, gpointer user_data)
{
  Parts *parts = user_data;
  const gint64 file = number (cells[1]), function = number (cells[2]);

  put_frame (parts->locations, number (cells[0]), g_hash_table_lookup (parts->files, &file),
             g_hash_table_lookup (parts->functions, &function), number (cells[3]), 0);
}

static void
take_frame (Rows *rows, char **cells, gpointer user_data)
{
  Parts *parts = user_data;
  const gint64 location = number (cells[1]);
  const Frame *at = g_hash_table_lookup (parts->locations, &location);

  put_frame (rows->frames, number (cells[0]), at != NULL ? at->path : NULL,
             at != NULL ? at->function : NULL, at != NULL ? at->line : 0, number (cells[2]));
}

static void
take_kernel_frame (Rows *rows, char **cells, gpointer user_data)
{
  put_frame (rows->kernels, number (cells[0]), cells[3], cells[1], number (cells[4]),
             number (cells[2]));
}

static void
take_kernel_instruction (Rows *rows, char **cells, gpointer user_data)
{
  Frame *frame;

  if (cells[0] == NULL || *cells[0] == '\0')
    return;
  frame = g_new0 (Frame, 1);
  frame->path = g_strdup (cells[2]);
  frame->line = (guint32) CLAMP (number (cells[3]), 0, G_MAXINT);
  frame->parent = number (cells[1]);
  g_hash_table_insert (rows->kernel_instructions, g_strdup (cells[0]), frame);
}

static gboolean
for_tables (Rows *rows, const char *name, guint32 artifact, const char *const *names, guint n,
            RowFunc func, gpointer user_data, GError **error)
{
  g_autoptr (GPtrArray) tables = tables_of (rows->self->trace, name, artifact);

  for (guint i = 0; i < tables->len; i++)
    if (!for_rows (rows, tables->pdata[i], names, n, func, user_data, error))
      return FALSE;
  return TRUE;
}

static GHashTable *
by_id (GDestroyNotify free_value)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, free_value);
}

static gboolean
load_frames (Rows *rows, guint32 artifact, GError **error)
{
  static const char *const names[] = { "id", "name" };
  static const char *const locations[]
      = { "id", "file_name_id", "function_name_id", "line_number" };
  static const char *const frames[] = { "id", "file_location_id", "parent_frame_id" };
  static const char *const kernels[] = { "stack_frame_id", "fully_qualified_function_name",
                                         "parent_stack_frame_id", "file_path", "line_number" };
  static const char *const instructions[]
      = { "kernel_instruction_name", "stack_frame_id", "file_path", "line_number" };
  g_autoptr (GHashTable) files = by_id (g_free);
  g_autoptr (GHashTable) functions = by_id (g_free);
  g_autoptr (GHashTable) places = by_id (frame_free);
  Parts parts = { files, functions, places };

  return for_tables (rows, "StackFrameFileName", artifact, names, 2, take_name, files, error)
         && for_tables (rows, "StackFrameFunctionName", artifact, names, 2, take_name, functions,
                        error)
         && for_tables (rows, "StackFrameFileLocation", artifact, locations, 4, take_location,
                        &parts, error)
         && for_tables (rows, "StackFrame", artifact, frames, 3, take_frame, &parts, error)
         && for_tables (rows, "KernelStackFrames", artifact, kernels, 5, take_kernel_frame, NULL,
                        error)
         && for_tables (rows, "KernelInstructions", artifact, instructions, 4,
                        take_kernel_instruction, NULL, error);
}

/* -- texts ------------------------------------------------------------------------------------ */

static void
add_place (Rows *rows, GArray *places, const char *path, guint32 line, const char *function)
{
  guint32 place;

  if (line == 0 || !stria_source_is_file (path))
    return;
  place = stria_source_place (rows->self, path, -1, line, function);
  if (places->len == 0 || g_array_index (places, guint32, places->len - 1) != place)
    g_array_append_val (places, place);
}

/* A frame and those that called it */
static void
add_chain (Rows *rows, GHashTable *frames, gint64 id, GArray *places)
{
  for (guint depth = 0; id != 0 && depth < STRIA_SOURCE_MAX_FRAMES; depth++)
    {
      const Frame *frame = g_hash_table_lookup (frames, &id);

      if (frame == NULL)
        return;
      add_place (rows, places, frame->path, frame->line, frame->function);
      if (places->len > 0)
        g_array_index (rows->self->places, SourcePlace,
                       g_array_index (places, guint32, places->len - 1))
            .by_frames
            = TRUE;
      id = frame->parent;
    }
}

static void
add_kernel (Rows *rows, const char *name, GArray *places)
{
  const Frame *frame = g_hash_table_lookup (rows->kernel_instructions, name);

  if (frame == NULL)
    return;
  add_place (rows, places, frame->path, frame->line, NULL);
  add_chain (rows, rows->kernels, frame->parent, places);
}

/* "a.py:3", or several with commas or newlines between them, in brackets and quotes or not */
static void
add_places (Rows *rows, const char *text, GArray *places)
{
  g_auto (GStrv) parts = g_strsplit_set (text, ",\n;", STRIA_SOURCE_MAX_FRAMES);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_autofree char *path = NULL;
      char *part = parts[i];
      gsize length;
      guint line;

      part += strspn (part, " \t\r[\"'");
      length = strlen (part);
      while (length > 0 && strchr (" \t\r]\"'", part[length - 1]) != NULL)
        part[--length] = '\0';
      if (stria_source_parse_place (part, &path, &line))
        add_place (rows, places, path, line, NULL);
    }
}

static void
add_frames (Rows *rows, const char *text, GArray *places)
{
  for (const char *p = text; *p != '\0';)
    {
      char *end = NULL;

      if (!g_ascii_isdigit (*p))
        {
          p++;
          continue;
        }
      add_chain (rows, rows->frames, g_ascii_strtoll (p, &end, 10), places);
      p = end;
    }
}

static guint32
stack_of_text (Rows *rows, guint from, const char *text, guint32 length)
{
  g_autofree char *copy = g_strndup (text, length);
  g_autoptr (GArray) places = NULL;
  gpointer known;

  if (length == 0)
    return 0;
  if (g_hash_table_lookup_extended (rows->known[from], copy, NULL, &known))
    return GPOINTER_TO_UINT (known);
  places = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (from == FROM_KERNEL)
    add_kernel (rows, copy, places);
  else if (from == FROM_FRAMES)
    add_frames (rows, copy, places);
  else
    add_places (rows, copy, places);
  known = GUINT_TO_POINTER (stria_source_stack (
      rows->self, (const guint32 *) (gpointer) places->data, places->len));
  g_hash_table_insert (rows->known[from], g_steal_pointer (&copy), known);
  return GPOINTER_TO_UINT (known);
}

/* -- rows ------------------------------------------------------------------------------------- */

static gboolean
has_place (const GArray *places, guint32 place)
{
  for (guint i = 0; i < places->len; i++)
    if (g_array_index (places, guint32, i) == place)
      return TRUE;
  return FALSE;
}

static void
append_stack (Rows *rows, GArray *places, guint32 number)
{
  const SourceStack *stack = stria_source_get_stack (rows->self, number);

  g_array_append_vals (places,
                       (const guint32 *) (gpointer) rows->self->frames->data + stack->first_frame,
                       stack->n_frames);
}

/* Puts together what the columns of one row say. What a decoder found for the frames counts before the
 * tables, whose numbers may be of another program. */
static guint32
join (Rows *rows, const guint32 *parts)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) outer = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) compiler = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) one = g_array_new (FALSE, FALSE, sizeof (guint32));

  append_stack (rows, outer, parts[FROM_FRAMES]);
  append_stack (rows, one, parts[FROM_STACK]);
  if (one->len > 0
      && (outer->len == 0
          || g_array_index (outer, guint32, 0) != g_array_index (one, guint32, 0)))
    {
      g_array_set_size (outer, 0);
      append_stack (rows, outer, parts[FROM_STACK]);
    }
  append_stack (rows, places, parts[FROM_KERNEL] != 0 ? parts[FROM_KERNEL] : parts[FROM_NKI]);
  append_stack (rows, compiler, parts[FROM_COMPILER]);
  for (guint i = 0; i < compiler->len; i++)
    {
      const guint32 place = g_array_index (compiler, guint32, i);

      if (!has_place (places, place) && !has_place (outer, place))
        g_array_append_val (places, place);
    }
  for (guint i = 0; i < outer->len; i++)
    {
      const guint32 place = g_array_index (outer, guint32, i);

      if (places->len == 0 || g_array_index (places, guint32, places->len - 1) != place)
        g_array_append_val (places, place);
    }
  return stria_source_stack (rows->self, (const guint32 *) (gpointer) places->data, places->len);
}

/* The stacks of the texts of one column of a chunk, each text looked at once. NULL: all are empty */
static guint32 *
stacks_of_texts (Rows *rows, guint from, const StriaColumnData *data)
{
  g_autofree guint32 *stacks = g_new0 (guint32, data->n_texts + 1);
  gboolean any = FALSE;

  for (guint32 i = 0; i < data->n_texts; i++)
    {
      stacks[i] = stack_of_text (rows, from,
                                 data->bytes != NULL ? data->bytes + data->offsets[i] : "",
                                 data->offsets[i + 1] - data->offsets[i]);
      any |= stacks[i] != 0;
    }
  return any ? g_steal_pointer (&stacks) : NULL;
}

static guint32
joined (Rows *rows, const guint32 *parts)
{
  g_autoptr (GBytes) key = g_bytes_new_static (parts, N_FROM * sizeof *parts);
  gpointer known;

  if (!g_hash_table_lookup_extended (rows->joined, key, NULL, &known))
    {
      known = GUINT_TO_POINTER (join (rows, parts));
      g_hash_table_insert (rows->joined, g_bytes_new (parts, N_FROM * sizeof *parts), known);
    }
  return GPOINTER_TO_UINT (known);
}

static gboolean
add_chunk (Rows *rows, StriaTable *table, guint32 chunk, guint32 n_rows, guint32 *stacks,
           GError **error)
{
  StriaColumnChunk *chunks[N_FROM] = { NULL };
  guint32 *texts[N_FROM] = { NULL };
  guint32 before[N_FROM] = { 0 }, last = 0;
  gboolean is_read = TRUE, any = FALSE;

  for (guint i = 0; i < N_FROM && is_read; i++)
    {
      const int column = stria_table_find_column (table, columns_from[i]);

      if (column < 0
          || stria_table_get_column (table, (guint) column)->type != STRIA_CELL_TEXT)
        continue;
      chunks[i] = stria_table_load (table, (guint) column, chunk, error);
      is_read = chunks[i] != NULL;
      if (is_read && chunks[i]->n_rows >= n_rows)
        texts[i] = stacks_of_texts (rows, i, &chunks[i]->data);
      any |= texts[i] != NULL;
    }
  for (guint32 row = 0; is_read && any && row < n_rows; row++)
    {
      guint32 parts[N_FROM] = { 0 };

      for (guint i = 0; i < N_FROM; i++)
        if (texts[i] != NULL && stria_column_data_has (&chunks[i]->data, row))
          parts[i] = texts[i][chunks[i]->data.index != NULL ? chunks[i]->data.index[row] : row];
      if (memcmp (parts, before, sizeof parts) != 0)
        {
          memcpy (before, parts, sizeof parts);
          last = joined (rows, parts);
        }
      stacks[row] = last;
    }
  for (guint i = 0; i < N_FROM; i++)
    {
      g_clear_pointer (&chunks[i], stria_column_chunk_free);
      g_free (texts[i]);
    }
  return is_read;
}

static void
rows_clear (Rows *rows)
{
  g_hash_table_unref (rows->frames);
  g_hash_table_unref (rows->kernels);
  g_hash_table_unref (rows->kernel_instructions);
  g_hash_table_unref (rows->joined);
  for (guint i = 0; i < N_FROM; i++)
    g_hash_table_unref (rows->known[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rows, rows_clear)

gboolean
stria_source_add_table (StriaSourceIndex *self, StriaTable *table, GCancellable *cancellable,
                        GError **error)
{
  const guint64 n_rows = stria_table_get_n_rows (table);
  g_autofree guint32 *stacks = g_new0 (guint32, n_rows + 1);
  g_auto (Rows) rows = {
    .self = self,
    .frames = by_id (frame_free),
    .kernels = by_id (frame_free),
    .kernel_instructions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, frame_free),
    .joined = g_hash_table_new_full (g_bytes_hash, g_bytes_equal,
                                     (GDestroyNotify) g_bytes_unref, NULL),
  };
  SourceRows *result;
  guint64 first = 0;

  for (guint i = 0; i < N_FROM; i++)
    rows.known[i] = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (!load_frames (&rows, stria_table_get_artifact (table), error))
    return FALSE;
  for (guint32 c = 0; c < stria_table_get_n_chunks (table); c++)
    {
      const guint32 n = stria_table_get_chunk_rows (table, c);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (first + n > n_rows)
        break;
      if (!add_chunk (&rows, table, c, n, stacks + first, error))
        return FALSE;
      first += n;
    }
  result = g_new0 (SourceRows, 1);
  result->stacks = g_steal_pointer (&stacks);
  result->n = n_rows;
  g_hash_table_insert (self->rows, stria_table_ref (table), result);
  return TRUE;
}
