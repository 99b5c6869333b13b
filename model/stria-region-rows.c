/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-lane-class.h"
#include "stria-regions-private.h"
#include "stria-table.h"
#include "stria-transfers.h"

#include <glib/gi18n-lib.h>

static gboolean
is_wait_lane (StriaLane *lane)
{
  return g_str_has_suffix (stria_lane_table_key (lane), "\x1fwait");
}

/* -- rows of Instruction ---------------------------------------------------------------------- */

/* From the first to the last instruction of one kind */
typedef struct
{
  gint64   t0;
  gint64   t1;
  guint32  artifact;
  StriaRef ref;
  char    *name;
} Extent;

static void
extent_free (gpointer data)
{
  g_free (((Extent *) data)->name);
  g_free (data);
}

/* Names the region that an instruction with this text belongs to, and @key what tells regions of
 * that name apart. Both (transfer full); FALSE: to none */
typedef gboolean (*NameFunc) (const char *text, gpointer data, char **name, char **key);

static gboolean
find_rows (StriaRegionSearch *self, StriaLane *lane, guint32 number, StriaTable *table, int column,
           NameFunc func, gpointer data, GHashTable *extents, GError **error)
{
  const StriaColumns *columns = stria_region_load_slices (self, lane, error);
  const guint64 n_rows = stria_table_get_n_rows (table);
  g_autofree Extent **by_row = NULL;
  guint64 at = 0;

  if (columns == NULL)
    return error == NULL || *error == NULL;
  by_row = g_new0 (Extent *, MAX (n_rows, 1));
  for (guint32 c = 0; c < stria_table_get_n_chunks (table); c++)
    {
      g_autoptr (StriaColumnChunk) chunk = NULL;
      g_autofree Extent **by_text = NULL;
      g_autofree guint8 *asked = NULL;

      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      chunk = stria_table_load (table, (guint) column, c, error);
      if (chunk == NULL)
        return FALSE;
      by_text = g_new0 (Extent *, MAX (chunk->data.n_texts, chunk->n_rows) + 1);
      asked = g_new0 (guint8, MAX (chunk->data.n_texts, chunk->n_rows) + 1);
      for (guint32 row = 0; row < chunk->n_rows && at < n_rows; row++, at++)
        {
          const guint32 id = chunk->data.index != NULL ? chunk->data.index[row] : row;

          if (!stria_column_data_has (&chunk->data, row))
            continue;
          if (!asked[id])
            {
              guint32 length = 0;
              const char *bytes = stria_column_data_text (&chunk->data, row, &length);
              g_autofree char *text = g_strndup (bytes, length);
              g_autofree char *name = NULL;
              g_autofree char *key = NULL;

              asked[id] = 1;
              if (text[0] != '\0' && func (text, data, &name, &key))
                {
                  g_autofree char *full = g_strdup_printf (
                      "%u\x1f%u\x1f%s", stria_lane_get_artifact (lane),
                      stria_lane_get_process (lane), key);

                  by_text[id] = g_hash_table_lookup (extents, full);
                  if (by_text[id] == NULL)
                    {
                      by_text[id] = g_new0 (Extent, 1);
                      by_text[id]->t0 = G_MAXINT64;
                      by_text[id]->t1 = G_MININT64;
                      by_text[id]->name = g_steal_pointer (&name);
                      g_hash_table_insert (extents, g_steal_pointer (&full), by_text[id]);
                    }
                }
            }
          by_row[at] = by_text[id];
        }
    }
  for (guint64 i = 0; i < columns->n; i++)
    {
      Extent *extent = columns->seq[i] < n_rows ? by_row[columns->seq[i]] : NULL;

      if (extent == NULL)
        continue;
      if (columns->start[i] < extent->t0)
        {
          extent->t0 = columns->start[i];
          extent->ref = (StriaRef){ number, (guint32) i };
          extent->artifact = stria_lane_get_artifact (lane);
        }
      extent->t1 = MAX (extent->t1, columns->start[i] + columns->dur[i]);
    }
  return TRUE;
}

static int
compare_extents (gconstpointer a, gconstpointer b)
{
  const Extent *x = *(Extent *const *) a;
  const Extent *y = *(Extent *const *) b;

  if (x->t0 != y->t0)
    return x->t0 < y->t0 ? -1 : 1;
  return g_strcmp0 (x->name, y->name);
}

/* Regions by the texts of a column of Instruction. @has_column: (out) */
static gboolean
find_by_column (StriaRegionSearch *self, const StriaRegionRule *rule, guint number,
                const char *column, NameFunc func, gpointer data, gboolean *has_column,
                GError **error)
{
  g_autoptr (GHashTable) extents
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, extent_free);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer value;

  *has_column = FALSE;
  for (guint32 l = 0; l < stria_trace_get_n_lanes (self->trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (self->trace, l);
      StriaTable *table = NULL;
      int c;

      if (!stria_lane_is_of_table (lane, "Instruction") || is_wait_lane (lane))
        continue;
      table = stria_trace_table_of (self->trace, lane);
      c = table != NULL ? stria_table_find_column (table, column) : -1;
      if (c < 0 || stria_table_get_column (table, (guint) c)->type != STRIA_CELL_TEXT)
        continue;
      *has_column = TRUE;
      if (!find_rows (self, lane, l, table, c, func, data, extents, error))
        return FALSE;
    }
  g_hash_table_iter_init (&iter, extents);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (((Extent *) value)->t1 >= ((Extent *) value)->t0)
      g_ptr_array_add (sorted, value);
  g_ptr_array_sort (sorted, compare_extents);
  for (guint i = 0; i < sorted->len; i++)
    {
      const Extent *extent = sorted->pdata[i];

      stria_region_add (self, rule, number, extent->t0, extent->t1, extent->artifact, extent->ref,
                  g_strdup (extent->name));
    }
  return TRUE;
}

static gboolean
name_layer (const char *text, gpointer data, char **name, char **key)
{
  *name = stria_pattern_find (data, text);
  *key = g_strdup (*name);
  return *name != NULL;
}

gboolean
stria_region_find_layers (StriaRegionSearch *self, const StriaRegionRule *rule, guint number,
             StriaPattern *pattern, GError **error)
{
  gboolean has_column = FALSE;

  if (!find_by_column (self, rule, number, "layer", name_layer, pattern, &has_column, error))
    return FALSE;
  if (!has_column)
    stria_region_set_absent (self, number,
                _ ("not available because no instruction says its layer (it takes a program "
                   "compiled with "
                   "debug information); for traces of PyTorch name the slices of a layer instead"));
  return TRUE;
}

/* -- kernels ---------------------------------------------------------------------------------- */

typedef struct
{
  StriaPattern *pattern;
  GHashTable   *functions; /* kernel_instruction_name -> name of the outermost function */
} Kernels;

/* (transfer full) (element-type utf8): texts of a column, "" where there is none */
static GPtrArray *
load_texts (StriaTable *table, const char *column, GError **error)
{
  const int c = stria_table_find_column (table, column);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  if (c < 0 || stria_table_get_column (table, (guint) c)->type != STRIA_CELL_TEXT)
    return g_steal_pointer (&texts);
  for (guint32 i = 0; i < stria_table_get_n_chunks (table); i++)
    {
      g_autoptr (StriaColumnChunk) chunk = stria_table_load (table, (guint) c, i, error);

      if (chunk == NULL)
        return NULL;
      for (guint32 row = 0; row < chunk->n_rows; row++)
        {
          guint32 length = 0;
          const char *text = stria_column_data_has (&chunk->data, row)
                                 ? stria_column_data_text (&chunk->data, row, &length)
                                 : "";

          g_ptr_array_add (texts, g_strndup (text, length));
        }
    }
  return g_steal_pointer (&texts);
}

/* Outermost function of each frame: parents point outwards (documented). */
static gboolean
load_frames (StriaTable *table, GHashTable *frames, GError **error)
{
  GError *inner = NULL;
  g_autofree double *ids = stria_table_load_numbers (table, "stack_frame_id", NULL, &inner);
  g_autofree double *parents = NULL;
  g_autoptr (GPtrArray) names = NULL;
  g_autoptr (GHashTable) rows = g_hash_table_new (NULL, NULL);
  const guint64 n = stria_table_get_n_rows (table);

  if (inner == NULL)
    parents = stria_table_load_numbers (table, "parent_stack_frame_id", NULL, &inner);
  if (inner == NULL)
    names = load_texts (table, "fully_qualified_function_name", &inner);
  if (inner != NULL)
    {
      g_propagate_error (error, inner);
      return FALSE;
    }
  if (ids == NULL || parents == NULL || names->len != n)
    return TRUE;
  for (guint64 i = 0; i < n; i++)
    if (ids[i] >= 0 && ids[i] < 0x1p31)
      g_hash_table_insert (rows, GUINT_TO_POINTER ((guint) ids[i] + 1), GUINT_TO_POINTER (i + 1));
  for (guint64 i = 0; i < n; i++)
    {
      guint64 at = i;

      if (!(ids[i] >= 0 && ids[i] < 0x1p31))
        continue;
      /* Frames of a file may go round in circles. */
      for (guint64 steps = 0; steps < n && parents[at] >= 0 && parents[at] < 0x1p31; steps++)
        {
          const guint up = GPOINTER_TO_UINT (
              g_hash_table_lookup (rows, GUINT_TO_POINTER ((guint) parents[at] + 1)));

          if (up == 0 || steps > 1000)
            break;
          at = up - 1;
        }
      g_hash_table_insert (frames, GUINT_TO_POINTER ((guint) ids[i] + 1),
                           g_strdup (names->pdata[at]));
    }
  return TRUE;
}

static gboolean
load_functions (StriaTable *table, GHashTable *frames, GHashTable *functions, GError **error)
{
  GError *inner = NULL;
  g_autofree double *ids = stria_table_load_numbers (table, "stack_frame_id", NULL, &inner);
  g_autoptr (GPtrArray) names = NULL;

  if (inner == NULL)
    names = load_texts (table, "kernel_instruction_name", &inner);
  if (inner != NULL)
    {
      g_propagate_error (error, inner);
      return FALSE;
    }
  for (guint i = 0; ids != NULL && i < names->len; i++)
    {
      const char *function
          = ids[i] >= 0 && ids[i] < 0x1p31
                ? g_hash_table_lookup (frames, GUINT_TO_POINTER ((guint) ids[i] + 1))
                : NULL;

      if (function != NULL && function[0] != '\0')
        g_hash_table_insert (functions, g_strdup (names->pdata[i]), g_strdup (function));
    }
  return TRUE;
}

/* "name:parent": instructions of one call have one parent (documented). */
static gboolean
name_kernel (const char *text, gpointer data, char **name, char **key)
{
  const Kernels *kernels = data;
  const char *function = g_hash_table_lookup (kernels->functions, text);
  const char *parent = strrchr (text, ':');

  if (function == NULL || !stria_pattern_match (kernels->pattern, function))
    return FALSE;
  *name = g_strdup (function);
  *key = g_strdup_printf ("%s\x1f%s", function, parent != NULL ? parent : "");
  return TRUE;
}

static gboolean
find_nki_kernels (StriaRegionSearch *self, const StriaRegionRule *rule, guint number,
                  StriaPattern *pattern, gboolean *has_kernels, GError **error)
{
  g_autoptr (GHashTable) functions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) frames = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  Kernels kernels = { pattern, functions };
  g_autoptr (GPtrArray) tables = stria_trace_get_tables (self->trace);

  for (guint i = 0; i < tables->len; i++)
    if (g_ascii_strcasecmp (stria_table_get_name (tables->pdata[i]), "KernelStackFrames") == 0
        && !load_frames (tables->pdata[i], frames, error))
      return FALSE;
  for (guint i = 0; i < tables->len; i++)
    if (g_ascii_strcasecmp (stria_table_get_name (tables->pdata[i]), "KernelInstructions") == 0
        && !load_functions (tables->pdata[i], frames, functions, error))
      return FALSE;
  *has_kernels = FALSE;
  return g_hash_table_size (functions) == 0
         || find_by_column (self, rule, number, "kernel_instruction_name", name_kernel, &kernels,
                            has_kernels, error);
}

gboolean
stria_region_find_kernels (StriaRegionSearch *self, const StriaRegionRule *rule, guint number,
              StriaPattern *pattern, GError **error)
{
  g_autofree guint8 *categories = g_new0 (guint8, stria_trace_get_n_categories (self->trace) + 1);
  gboolean has_gpu = FALSE, has_nki = FALSE;

  stria_trace_flag_categories (self->trace, stria_categories_kernel, 1, categories);
  for (guint32 i = 0; i < stria_trace_get_n_categories (self->trace); i++)
    has_gpu = has_gpu || categories[i] != 0;
  if (has_gpu && !stria_region_find_names (self, rule, number, pattern, categories, error))
    return FALSE;
  if (!find_nki_kernels (self, rule, number, pattern, &has_nki, error))
    return FALSE;
  if (!has_gpu && !has_nki)
    stria_region_set_absent (self, number,
                _ ("not available because the capture has neither kernels of a GPU nor stack "
                   "frames of NKI "
                   "kernels"));
  return TRUE;
}
