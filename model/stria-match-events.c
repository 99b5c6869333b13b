/* SPDX-License-Identifier: Apache-2.0 */
/* Searches whose terms names alone do not tell: each event is asked for all of them, by what was
 * found once for each name, category, lane, argument text and row of a table. */
#include "config.h"

#include <string.h>

#include "stria-lane-class.h"
#include "stria-match-private.h"

/* What one term found */
typedef struct
{
  const StriaTerm *term;
  guint8          *names;      /* bit by string id, or NULL: it does not ask for names */
  guint8          *categories; /* the same by category */
  GArray         **args;       /* by artifact: guint8, bits by seq; NULL: none, or not asked */
  GHashTable      *rows;       /* StriaTable -> bits by row */
} Found;

typedef struct
{
  StriaMatch   *match;
  StriaTrace   *trace;
  guint32       n_artifacts;
  Found        *found;
  guint         n;
  GCancellable *cancellable;
} Search;

static void
set_bit (guint8 *bits, guint64 i)
{
  bits[i >> 3] |= (guint8) (1u << (i & 7));
}

static gboolean
asks_args (const StriaTerm *term, gboolean with_args)
{
  return term->field == STRIA_TERM_ARG || (term->field == STRIA_TERM_ANY && with_args);
}

static void
find_names (Search *search, Found *found)
{
  const guint32 n = search->match->n_ids;

  found->names = g_new0 (guint8, n / 8 + 1);
  for (guint32 id = 0; id < n; id++)
    if (stria_trace_get_name_count (search->trace, id) > 0
        && stria_term_has (found->term, stria_trace_get_string (search->trace, id)))
      set_bit (found->names, id);
}

static void
find_categories (Search *search, Found *found)
{
  const guint32 n = stria_trace_get_n_categories (search->trace);

  found->categories = g_new0 (guint8, n / 8 + 1);
  for (guint32 i = 0; i < n; i++)
    if (stria_term_has (found->term, stria_trace_get_category (search->trace, i)))
      set_bit (found->categories, i);
}

typedef struct
{
  Found  *found;
  guint32 artifact;
} ArgsSearch;

static gboolean
test_args (guint32 seq, const char *text, gsize length, gpointer user_data)
{
  ArgsSearch *search = user_data;
  GArray **bits = &search->found->args[search->artifact];
  g_autofree char *copy = g_strndup (text, length);

  if (!stria_term_has_json (search->found->term, copy))
    return TRUE;
  if (*bits == NULL)
    *bits = g_array_new (FALSE, TRUE, 1);
  if ((*bits)->len <= seq >> 3)
    g_array_set_size (*bits, MAX ((seq >> 3) + 1, (*bits)->len * 2));
  set_bit ((guint8 *) (*bits)->data, seq);
  return TRUE;
}

static gboolean
find_args (Search *search, Found *found, GError **error)
{
  found->args = g_new0 (GArray *, search->n_artifacts + 1);
  for (guint32 a = 0; a < search->n_artifacts; a++)
    {
      ArgsSearch at = { found, a };
      StriaArgs *args = stria_trace_get_artifact_args (search->trace, a);

      if (args != NULL
          && !stria_args_foreach (args, test_args, &at, search->cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static void
test_texts (const StriaTerm *term, const StriaColumnChunk *chunk, guint64 first, guint8 *bits)
{
  const StriaColumnData *data = &chunk->data;
  g_autofree guint8 *has = g_new0 (guint8, data->n_texts + 1);
  gboolean any = FALSE;

  for (guint32 i = 0; i < data->n_texts; i++)
    {
      g_autofree char *text = g_strndup (data->bytes != NULL ? data->bytes + data->offsets[i] : "",
                                         data->offsets[i + 1] - data->offsets[i]);

      any |= has[i] = (guint8) stria_term_has (term, text);
    }
  for (guint32 row = 0; any && row < chunk->n_rows; row++)
    if (has[data->index != NULL ? data->index[row] : row] && stria_column_data_has (data, row))
      set_bit (bits, first + row);
}

static void
test_numbers (const StriaTerm *term, const StriaColumnChunk *chunk, gboolean is_real, guint64 first,
              guint8 *bits)
{
  const StriaColumnData *data = &chunk->data;

  for (guint32 row = 0; row < chunk->n_rows; row++)
    if (stria_column_data_has (data, row)
        && stria_term_has_number (term, is_real ? data->reals[row] : (double) data->ints[row]))
      set_bit (bits, first + row);
}

static gboolean
find_in_column (Search *search, const StriaTerm *term, StriaTable *table, guint column,
                guint8 *bits, GError **error)
{
  const StriaCellType type = stria_table_get_column (table, column)->type;
  guint64 first = 0;

  if (type != STRIA_CELL_TEXT && (!term->has_number || term->regex != NULL))
    return TRUE;
  for (guint32 c = 0; c < stria_table_get_n_chunks (table); c++)
    {
      g_autoptr (StriaColumnChunk) chunk = NULL;

      if (g_cancellable_set_error_if_cancelled (search->cancellable, error)
          || (chunk = stria_table_load (table, column, c, error)) == NULL)
        return FALSE;
      if (first + chunk->n_rows > stria_table_get_n_rows (table))
        break;
      if (type == STRIA_CELL_TEXT)
        test_texts (term, chunk, first, bits);
      else
        test_numbers (term, chunk, type == STRIA_CELL_REAL, first, bits);
      first += chunk->n_rows;
    }
  return TRUE;
}

static gboolean
find_rows (Search *search, Found *found, StriaTable *table, GError **error)
{
  guint8 *bits = g_new0 (guint8, stria_table_get_n_rows (table) / 8 + 1);
  const int column
      = found->term->key != NULL ? stria_table_find_column (table, found->term->key) : -1;

  g_hash_table_insert (found->rows, table, bits);
  if (found->term->key != NULL)
    return column < 0
           || find_in_column (search, found->term, table, (guint) column, bits, error);
  for (guint c = 0; c < stria_table_get_n_columns (table); c++)
    if (!find_in_column (search, found->term, table, c, bits, error))
      return FALSE;
  return TRUE;
}

static gboolean
find (Search *search, Found *found, gboolean with_args, GError **error)
{
  const StriaTermField field = found->term->field;

  if (field == STRIA_TERM_ANY || field == STRIA_TERM_NAME)
    find_names (search, found);
  if (field == STRIA_TERM_CATEGORY)
    find_categories (search, found);
  if (!asks_args (found->term, with_args))
    return TRUE;
  found->rows = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  if (!find_args (search, found, error))
    return FALSE;
  for (guint32 i = 0; i < stria_trace_get_n_lanes (search->trace); i++)
    {
      StriaTable *table
          = stria_lane_find_table (stria_trace_get_lane (search->trace, i), search->trace);

      if (table != NULL && !g_hash_table_contains (found->rows, table)
          && !find_rows (search, found, table, error))
        return FALSE;
    }
  return TRUE;
}

/* What a term has of one lane */
typedef struct
{
  const guint8 *names;
  const guint8 *categories;
  const guint8 *args;
  guint64       n_args;
  gboolean      is_rows;
} AtLane;

static AtLane
at_lane (Search *search, const Found *found, StriaLane *lane, StriaTable *table)
{
  AtLane at = { .names = found->names, .categories = found->categories };
  GArray *args = found->args != NULL && lane->artifact < search->n_artifacts
                     ? found->args[lane->artifact]
                     : NULL;

  if (table != NULL && found->rows != NULL)
    {
      at.args = g_hash_table_lookup (found->rows, table);
      at.n_args = stria_table_get_n_rows (table);
      at.is_rows = TRUE;
    }
  else if (args != NULL)
    {
      at.args = (const guint8 *) args->data;
      at.n_args = (guint64) args->len * 8;
    }
  return at;
}

static gboolean
has_args (const AtLane *at, const StriaColumns *c, guint64 e)
{
  return at->args != NULL && (at->is_rows || c->args[e] != G_MAXUINT64) && c->seq[e] < at->n_args
         && stria_match_bit (at->args, c->seq[e]);
}

/* @by_args: whether it takes arguments where a name would have done */
static gboolean
holds (const Search *search, const AtLane *at, const StriaColumns *c, guint64 e, gboolean *by_args)
{
  *by_args = FALSE;
  for (guint t = 0; t < search->n; t++)
    {
      if (at[t].names != NULL && c->name[e] < search->match->n_ids
          && stria_match_bit (at[t].names, c->name[e]))
        continue;
      if (at[t].categories != NULL && stria_match_bit (at[t].categories, c->category[e]))
        continue;
      if (search->found[t].term->field == STRIA_TERM_LANE)
        continue;
      if (!has_args (&at[t], c, e))
        return FALSE;
      *by_args |= search->found[t].term->field == STRIA_TERM_ANY;
    }
  return TRUE;
}

static gboolean
lane_holds (const Search *search, StriaLane *lane)
{
  for (guint t = 0; t < search->n; t++)
    if (search->found[t].term->field == STRIA_TERM_LANE
        && !stria_term_has (search->found[t].term, stria_lane_get_name (lane)))
      return FALSE;
  return TRUE;
}

static gboolean
search_lane (Search *search, StriaLane *lane, GError **error)
{
  StriaMatch *self = search->match;
  StriaTable *table = stria_lane_find_table (lane, search->trace);
  g_autofree AtLane *at = g_new0 (AtLane, search->n);
  g_autofree guint8 *bits = NULL;
  gboolean any = FALSE, by_args = FALSE;

  if (lane->body->kind == STRIA_LANE_COUNTER || !lane_holds (search, lane))
    return TRUE;
  if (!stria_lane_load (lane, search->cancellable, error))
    return FALSE;
  for (guint t = 0; t < search->n; t++)
    at[t] = at_lane (search, &search->found[t], lane, table);
  const StriaColumns *c = &lane->body->columns;
  bits = g_new0 (guint8, c->n / 8 + 1);
  for (guint64 e = 0; e < c->n; e++)
    {
      if (!holds (search, at, c, e, &by_args))
        continue;
      any = TRUE;
      set_bit (bits, e);
      self->n_by_args += by_args;
      self->n_events += !by_args;
      if (!by_args && !stria_match_bit (self->names, c->name[e]))
        {
          set_bit (self->names, c->name[e]);
          self->n_names++;
        }
    }
  if (any)
    g_hash_table_insert (self->by_lane, lane, g_steal_pointer (&bits));
  return TRUE;
}

static guint32
count_artifacts (StriaTrace *trace)
{
  guint32 n = 0;

  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace); i++)
    n = MAX (n, stria_lane_get_artifact (stria_trace_get_lane (trace, i)) + 1);
  return n;
}

static void
found_clear (Found *found, guint32 n_artifacts)
{
  for (guint32 a = 0; found->args != NULL && a < n_artifacts; a++)
    g_clear_pointer (&found->args[a], g_array_unref);
  g_free (found->args);
  g_free (found->names);
  g_free (found->categories);
  g_clear_pointer (&found->rows, g_hash_table_unref);
}

gboolean
stria_match_evaluate (StriaMatch *self, StriaMatchQuery *query, gboolean with_args,
                      GCancellable *cancellable, GError **error)
{
  Search search = { .match = self, .trace = self->trace, .cancellable = cancellable };
  const StriaTerm *terms = stria_match_query_get_terms (query, &search.n);
  gboolean done = TRUE;

  self->by_lane = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  if (search.n == 0)
    return TRUE;
  search.n_artifacts = count_artifacts (self->trace);
  search.found = g_new0 (Found, search.n);
  for (guint t = 0; t < search.n; t++)
    search.found[t].term = &terms[t];
  for (guint t = 0; t < search.n && done; t++)
    done = find (&search, &search.found[t], with_args, error);
  for (guint32 i = 0; i < stria_trace_get_n_lanes (self->trace) && done; i++)
    done = search_lane (&search, stria_trace_get_lane (self->trace, i), error);
  for (guint t = 0; t < search.n; t++)
    found_clear (&search.found[t], search.n_artifacts);
  g_free (search.found);
  return done;
}
