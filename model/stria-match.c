/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-lane-class.h"
#include "stria-match-private.h"

static gboolean
text_contains (const char *text, gsize length, const char *needle, gsize needle_length)
{
  char lower = g_ascii_tolower (needle[0]), upper = g_ascii_toupper (needle[0]);

  if (length < needle_length)
    return FALSE;
  for (gsize i = 0; i + needle_length <= length; i++)
    if ((text[i] == lower || text[i] == upper)
        && g_ascii_strncasecmp (text + i, needle, needle_length) == 0)
      return TRUE;
  return FALSE;
}

static StriaMatch *
match_new (StriaTrace *trace, const char *text)
{
  StriaMatch *self = g_new0 (StriaMatch, 1);
  StriaStrings *strings = stria_trace_get_strings (trace);

  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->mutex);
  self->trace = stria_trace_ref (trace);
  self->text = g_strdup (text);
  self->bits = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) stria_lane_unref,
                                      (GDestroyNotify) stria_match_bits_free);
  self->n_ids = stria_strings_size (strings);
  self->names = g_new0 (guint8, self->n_ids / 8 + 1);
  return self;
}

static void
find_phrase (StriaMatch *self, const char *text)
{
  StriaStrings *strings = stria_trace_get_strings (self->trace);
  gsize length = strlen (text);

  if (length == 0)
    return;

  /* ASCII letters are folded byte by byte; a text with others is folded as a whole. */
  gboolean plain = TRUE;
  for (gsize i = 0; i < length; i++)
    plain &= (guchar) text[i] < 0x80;
  g_autofree char *folded = plain ? NULL : g_utf8_casefold (text, -1);

  for (guint32 id = 0; id < self->n_ids; id++)
    {
      guint64 count = stria_trace_get_name_count (self->trace, id);
      const char *name = stria_strings_get (strings, id);
      gboolean found;

      if (count == 0)
        continue;
      if (plain)
        found = text_contains (name, stria_strings_length (strings, id), text, length);
      else
        {
          g_autofree char *folded_name = g_utf8_casefold (name, -1);
          found = strstr (folded_name, folded) != NULL;
        }
      if (found)
        {
          self->names[id >> 3] |= (guint8) (1 << (id & 7));
          self->n_names++;
          self->n_events += count;
        }
    }
}

/* Names for which all terms hold; terms about something else hold for none. */
static void
find_terms (StriaMatch *self, StriaMatchQuery *query)
{
  guint n = 0;
  const StriaTerm *terms = stria_match_query_get_terms (query, &n);

  if (stria_match_query_needs_events (query) || n == 0)
    return;
  for (guint32 id = 0; id < self->n_ids; id++)
    {
      const guint64 count = stria_trace_get_name_count (self->trace, id);
      const char *name = stria_trace_get_string (self->trace, id);
      gboolean found = count > 0;

      for (guint i = 0; i < n && found; i++)
        found = stria_term_has (&terms[i], name);
      if (!found)
        continue;
      self->names[id >> 3] |= (guint8) (1 << (id & 7));
      self->n_names++;
      self->n_events += count;
    }
}

StriaMatch *
stria_match_new_names (StriaTrace *trace, const char *text)
{
  StriaMatch *self = match_new (trace, text);
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaMatchQuery) query = stria_match_query_new (text, &error);

  if (query == NULL)
    self->error = g_strdup (error->message);
  else if (stria_match_query_is_phrase (query))
    find_phrase (self, text);
  else
    find_terms (self, query);
  return self;
}

typedef struct
{
  StriaMatch *match;
  guint32 artifact;
} ArgsSearch;

static gboolean
mark_seq (guint32 seq, const char *text, gsize length, gpointer user_data)
{
  ArgsSearch *search = user_data;
  StriaMatch *self = search->match;

  if (seq >= self->n_bits[search->artifact])
    {
      guint64 n = MAX ((guint64) seq + 1, self->n_bits[search->artifact] * 2);
      n = (n + 63) & ~(guint64) 63;
      self->by_args[search->artifact] = g_realloc (self->by_args[search->artifact], n / 8);
      memset (self->by_args[search->artifact] + self->n_bits[search->artifact] / 8, 0,
              (n - self->n_bits[search->artifact]) / 8);
      self->n_bits[search->artifact] = n;
    }
  self->by_args[search->artifact][seq >> 3] |= (guint8) (1 << (seq & 7));
  return TRUE;
}

/* Rows of tables are not among the arguments that are kept as texts. */
static gboolean
has_rows (StriaTrace *trace)
{
  gsize length = 0;

  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace); i++)
    if (stria_lane_get_table (stria_trace_get_lane (trace, i), &length) != NULL)
      return TRUE;
  return FALSE;
}

/**
 * stria_match_new_query:
 * @with_args: whether words without a field are looked for in arguments, too
 *
 * Returns: (transfer full): an answer for terms of every kind; %NULL with @error
 */
StriaMatch *
stria_match_new_query (StriaTrace *trace, const char *text, gboolean with_args,
                       GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaMatch) self = NULL;
  g_autoptr (StriaMatchQuery) query = NULL;

  if (with_args)
    return stria_match_new (trace, text, cancellable, error);
  self = match_new (trace, text);
  query = stria_match_query_new (text, error);
  if (query == NULL || !stria_match_evaluate (self, query, FALSE, cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

gboolean
stria_match_needs_events (const char *text)
{
  g_autoptr (StriaMatchQuery) query = stria_match_query_new (text, NULL);

  return query != NULL && stria_match_query_needs_events (query);
}

StriaMatch *
stria_match_new (StriaTrace *trace, const char *text, GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaMatch) self = match_new (trace, text);
  g_autoptr (GError) why = NULL;
  g_autoptr (StriaMatchQuery) query = stria_match_query_new (text, &why);

  self->has_args = TRUE;
  if (query != NULL && (!stria_match_query_is_phrase (query) || has_rows (trace)))
    {
      if (!stria_match_evaluate (self, query, TRUE, cancellable, error))
        return NULL;
      return g_steal_pointer (&self);
    }
  if (query == NULL)
    {
      self->error = g_strdup (why->message);
      return g_steal_pointer (&self);
    }
  find_phrase (self, text);
  self->n_artifacts = 0;
  while (self->n_artifacts < 100000
         && stria_trace_get_artifact_args (trace, self->n_artifacts) != NULL)
    self->n_artifacts++;
  /* Artifacts without events have no arguments: go by the lanes for the true number. */
  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace); i++)
    self->n_artifacts
        = MAX (self->n_artifacts,
               stria_lane_get_artifact (stria_trace_get_lane (trace, i)) + 1);
  self->by_args = g_new0 (guint8 *, self->n_artifacts + 1);
  self->n_bits = g_new0 (guint64, self->n_artifacts + 1);
  if (text[0] == '\0')
    return g_steal_pointer (&self);

  for (guint32 a = 0; a < self->n_artifacts; a++)
    {
      StriaArgs *args = stria_trace_get_artifact_args (trace, a);
      ArgsSearch search = { self, a };
      if (args != NULL && !stria_args_search (args, text, mark_seq, &search, cancellable, error))
        return NULL;
    }
  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace); i++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, i);
      guint32 a = stria_lane_get_artifact (lane);

      if (self->by_args[a] == NULL || stria_lane_get_kind (lane) == STRIA_LANE_COUNTER)
        continue;
      if (!stria_lane_load (lane, cancellable, error))
        return NULL;
      const StriaColumns *c = stria_lane_get_columns (lane);
      for (guint64 e = 0; e < c->n; e++)
        self->n_by_args += c->args[e] != G_MAXUINT64 && !stria_match_bit (self->names, c->name[e])
                           && c->seq[e] < self->n_bits[a]
                           && stria_match_bit (self->by_args[a], c->seq[e]);
    }
  return g_steal_pointer (&self);
}

/**
 * stria_match_new_events:
 * @text: what they are, for people
 * @bits: (transfer full) (array): for each lane of the trace a bit by index in its columns, or NULL where
 *   none of its events are meant; allocated with g_malloc()
 * @n_events: how many bits are set
 *
 * Returns: (transfer full): a match of just these events
 */
StriaMatch *
stria_match_new_events (StriaTrace *trace, const char *text, guint8 **bits, guint64 n_events)
{
  StriaMatch *self = match_new (trace, "");

  g_free (self->text);
  self->text = g_strdup (text);
  self->n_events = n_events;
  self->by_lane = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace); i++)
    if (bits[i] != NULL)
      g_hash_table_insert (self->by_lane, stria_trace_get_lane (trace, i), bits[i]);
  g_free (bits);
  return self;
}

StriaMatch *
stria_match_ref (StriaMatch *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_match_unref (StriaMatch *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  for (guint32 a = 0; a < self->n_artifacts; a++)
    g_free (self->by_args[a]);
  g_free (self->by_args);
  g_clear_pointer (&self->by_lane, g_hash_table_unref);
  g_free (self->n_bits);
  g_free (self->names);
  g_free (self->text);
  g_free (self->error);
  g_hash_table_unref (self->bits);
  stria_trace_unref (self->trace);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

const char *
stria_match_get_error (const StriaMatch *self)
{
  return self->error;
}

const char *
stria_match_get_text (const StriaMatch *self)
{
  return self->text;
}

gboolean
stria_match_has_args (const StriaMatch *self)
{
  return self->has_args;
}

guint32
stria_match_n_names (const StriaMatch *self)
{
  return self->n_names;
}

guint64
stria_match_n_events (const StriaMatch *self)
{
  return self->n_events;
}

guint64
stria_match_n_by_args (const StriaMatch *self)
{
  return self->n_by_args;
}

gboolean
stria_match_name (const StriaMatch *self, guint32 name)
{
  return name < self->n_ids && stria_match_bit (self->names, name);
}

void
stria_match_lane (const StriaMatch *self, StriaLane *lane, StriaMatchLane *out)
{
  const gboolean has_args = lane->artifact < self->n_artifacts && self->by_args != NULL;

  *out = (StriaMatchLane){
    .by_event = self->by_lane != NULL || (self->n_events == 0 && self->n_by_args == 0),
    .events = self->by_lane != NULL ? g_hash_table_lookup (self->by_lane, lane) : NULL,
    .names = self->names,
    .n_ids = self->n_ids,
    .args = has_args ? self->by_args[lane->artifact] : NULL,
    .n_args = has_args ? self->n_bits[lane->artifact] : 0,
  };
}

gboolean
stria_match_event (const StriaMatch *self, StriaLane *lane, guint64 index)
{
  StriaMatchLane at;

  stria_match_lane (self, lane, &at);
  return stria_match_lane_event (&at, &lane->body->columns, index);
}
