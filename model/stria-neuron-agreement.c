/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-neuron-agreement.h"

#include <string.h>

/* What one side has. */
typedef struct
{
  GHashTable *by_engine; /* utf8 in lower case -> guint64 */
  guint64 n;
  gint64 first;
  gint64 last;
} Side;

static void
side_clear (Side *side)
{
  g_clear_pointer (&side->by_engine, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Side, side_clear)

static void
agreement_free (gpointer data)
{
  StriaAgreement *self = data;

  g_free (self->exported);
  g_free (self->raw);
  g_free (self->engine);
  g_free (self);
}

static void
count_engines (Side *side, const StriaColumnChunk *chunk)
{
  for (guint32 r = 0; r < chunk->n_rows; r++)
    {
      guint32 length;
      const char *text;
      guint64 *n;

      if (!stria_column_data_has (&chunk->data, r))
        continue;
      text = stria_column_data_text (&chunk->data, r, &length);
      g_autofree char *engine = g_ascii_strdown (text, length);
      n = g_hash_table_lookup (side->by_engine, engine);
      if (n == NULL)
        {
          n = g_new0 (guint64, 1);
          g_hash_table_insert (side->by_engine, g_steal_pointer (&engine), n);
        }
      (*n)++;
    }
}

static void
stretch (Side *side, const StriaColumnChunk *chunk)
{
  for (guint32 r = 0; r < chunk->n_rows; r++)
    if (stria_column_data_has (&chunk->data, r))
      {
        side->first = MIN (side->first, chunk->data.ints[r]);
        side->last = MAX (side->last, chunk->data.ints[r]);
      }
}

/* FALSE: it has no such table, or not the columns. */
static gboolean
add_table (Side *side, StriaCapture *capture, guint artifact, GCancellable *cancellable)
{
  g_autoptr (StriaTable) table = stria_capture_find_table (capture, artifact, "Instruction");
  int columns[3] = { -1, -1, -1 };

  if (table == NULL)
    return FALSE;
  columns[0] = stria_table_find_column (table, "engine");
  columns[1] = stria_table_find_column (table, "start_ts");
  columns[2] = stria_table_find_column (table, "end_ts");
  if (columns[0] < 0 || stria_table_get_column (table, columns[0])->type != STRIA_CELL_TEXT)
    return FALSE;
  side->n += stria_table_get_n_rows (table);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    for (guint32 k = 0; columns[i] >= 0 && k < stria_table_get_n_chunks (table); k++)
      {
        g_autoptr (StriaColumnChunk) chunk = NULL;

        if (g_cancellable_is_cancelled (cancellable))
          return FALSE;
        chunk = stria_table_load (table, (guint) columns[i], k, NULL);
        if (chunk == NULL)
          continue;
        if (i == 0)
          count_engines (side, chunk);
        else if (stria_table_get_column (table, columns[i])->type == STRIA_CELL_INT)
          stretch (side, chunk);
      }
  return TRUE;
}

static gboolean
read_side (Side *side, StriaCapture *capture, const StriaFiles *group, GCancellable *cancellable)
{
  gboolean any = FALSE;

  side->by_engine = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  side->first = G_MAXINT64;
  side->last = G_MININT64;
  for (guint i = 0; i < group->artifacts->len; i++)
    any |= add_table (side, capture, g_array_index (group->artifacts, guint, i), cancellable);
  return any;
}

static guint64
count_of (const Side *side, const char *engine)
{
  const guint64 *n = g_hash_table_lookup (side->by_engine, engine);

  return n != NULL ? *n : 0;
}

static StriaAgreement *
add (GPtrArray *all, StriaCaptureTree *tree, const StriaFiles *exported, const StriaFiles *raw,
     gboolean by_name)
{
  StriaAgreement *self = g_new0 (StriaAgreement, 1);

  self->exported = g_strdup (exported->title);
  self->raw = g_strdup (raw->title);
  self->exported_group
      = stria_capture_tree_of (tree, g_array_index (exported->artifacts, guint, 0));
  self->by_name = by_name;
  g_ptr_array_add (all, self);
  return self;
}

static void
compare (GPtrArray *all,
         StriaCapture *capture,
         const StriaFiles *exported,
         const StriaFiles *raw,
         gboolean by_name,
         GCancellable *cancellable)
{
  g_auto (Side) ours = { 0 };
  g_auto (Side) theirs = { 0 };
  g_autoptr (GHashTable) engines = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GList) names = NULL;
  GHashTableIter iter;
  gpointer key;
  StriaCaptureTree *tree = stria_capture_get_tree (capture);
  StriaAgreement *whole;

  if (!read_side (&ours, capture, raw, cancellable)
      || !read_side (&theirs, capture, exported, cancellable))
    return;
  for (guint i = 0; i < 2; i++)
    {
      g_hash_table_iter_init (&iter, i == 0 ? ours.by_engine : theirs.by_engine);
      while (g_hash_table_iter_next (&iter, &key, NULL))
        g_hash_table_add (engines, key);
    }
  names = g_list_sort (g_hash_table_get_keys (engines), (GCompareFunc) strcmp);
  for (GList *l = names; l != NULL; l = l->next)
    {
      StriaAgreement *row = add (all, tree, exported, raw, by_name);

      row->engine = g_strdup (l->data);
      row->n_raw = count_of (&ours, l->data);
      row->n_exported = count_of (&theirs, l->data);
    }
  whole = add (all, tree, exported, raw, by_name);
  whole->n_raw = ours.n;
  whole->n_exported = theirs.n;
  whole->span_raw_ns = ours.last >= ours.first ? ours.last - ours.first : 0;
  whole->span_exported_ns = theirs.last >= theirs.first ? theirs.last - theirs.first : 0;
}

/* An export of a device profile is called INSTANCE_pid_PID_nc_N_session_S (seen in public output).
 */
static gboolean
is_named_after (StriaCaptureTree *tree, const StriaFiles *exported, const StriaFiles *raw)
{
  const StriaFiles *process = raw;
  g_autofree char *of_process = NULL, *of_core = NULL;

  while (process->kind != STRIA_FILES_PROCESS && process->parent != STRIA_NO_GROUP)
    process = stria_capture_tree_get (tree, process->parent);
  if (process->kind != STRIA_FILES_PROCESS || raw->nc < 0)
    return FALSE;
  of_process = g_strdup_printf ("_pid_%" G_GINT64_FORMAT "_", process->pid);
  of_core = g_strdup_printf ("_nc_%" G_GINT64_FORMAT "_", raw->nc);
  return strstr (exported->title, of_process) != NULL && strstr (exported->title, of_core) != NULL;
}

static gboolean
has_instructions (StriaCapture *capture, const StriaFiles *group)
{
  for (guint i = 0; i < group->artifacts->len; i++)
    {
      g_autoptr (StriaTable) table = stria_capture_find_table (
          capture, g_array_index (group->artifacts, guint, i), "Instruction");
      if (table != NULL)
        return TRUE;
    }
  return FALSE;
}

GPtrArray *
stria_neuron_agreement (StriaCapture *capture, GCancellable *cancellable)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (agreement_free);
  g_autoptr (GPtrArray) exports = g_ptr_array_new ();
  g_autoptr (GPtrArray) raws = g_ptr_array_new ();
  StriaCaptureTree *tree = stria_capture_get_tree (capture);

  for (guint g = 0; tree != NULL && g < stria_capture_tree_size (tree); g++)
    {
      StriaFiles *group = stria_capture_tree_get (tree, g);

      if (group->kind == STRIA_FILES_EXPORT && has_instructions (capture, group))
        g_ptr_array_add (exports, group);
      else if (group->kind == STRIA_FILES_DEVICE && has_instructions (capture, group))
        g_ptr_array_add (raws, group);
    }
  for (guint e = 0; e < exports->len; e++)
    for (guint r = 0; r < raws->len; r++)
      {
        gboolean by_name = is_named_after (tree, exports->pdata[e], raws->pdata[r]);

        if (by_name || (exports->len == 1 && raws->len == 1))
          compare (all, capture, exports->pdata[e], raws->pdata[r], by_name, cancellable);
      }
  return all;
}
