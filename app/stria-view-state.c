/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-view-state.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "stria-error.h"
#include "stria-kept-file.h"

#define GROUP   "Looked at"
#define VERSION_OF_FILE 1
#define MOST_TEXT 4096
/* Times beyond this are no times of a capture; the difference of two still is a number. */
#define MOST_NS (G_MAXINT64 / 4)

void
stria_view_state_free (StriaViewState *self)
{
  g_strfreev (self->lanes);
  g_free (self->event_lane);
  g_free (self->filter);
  g_free (self);
}

/* -- to and from a session ------------------------------------------------------------------- */

/* What tells a lane from others in whatever order they stand. Returns: (transfer full) */
static char *
lane_name (StriaTrace *trace, guint32 i)
{
  StriaLane *lane = stria_trace_get_lane (trace, i);
  const StriaProcess *process = stria_trace_get_process (trace, stria_lane_get_process (lane));
  g_autofree char *name
      = g_strdup_printf ("%s|%s|%s|%d", process->key, stria_lane_get_key (lane),
                         stria_lane_get_name (lane), (int) stria_lane_get_kind (lane));

  return g_utf8_make_valid (name, -1);
}

static char **
range_lanes (StriaSession *session, StriaTrace *trace)
{
  gsize n = 0;
  const guint32 *lanes = stria_session_get_range_lanes (session, &n);
  g_autoptr (GStrvBuilder) names = NULL;

  if (lanes == NULL || n == 0 || n > STRIA_VIEW_STATE_MAX_LANES)
    return NULL;
  names = g_strv_builder_new ();
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *name = lane_name (trace, lanes[i]);

      g_strv_builder_add (names, name);
    }
  return g_strv_builder_end (names);
}

/* Start of an event whose columns are there, which those of a selected one are */
static gboolean
event_start (StriaTrace *trace, StriaRef ref, gint64 *ns)
{
  const StriaColumns *columns
      = ref.lane < stria_trace_get_n_lanes (trace)
            ? stria_lane_get_columns (stria_trace_get_lane (trace, ref.lane))
            : NULL;

  if (columns == NULL || ref.index >= columns->n)
    return FALSE;
  *ns = columns->start[ref.index];
  return TRUE;
}

StriaViewState *
stria_view_state_new (StriaSession *session, const char *filter)
{
  StriaViewState *self = g_new0 (StriaViewState, 1);
  StriaTrace *trace = stria_session_get_trace (session);
  const StriaRef ref = stria_session_get_selection (session);

  self->filter = filter != NULL && *filter != '\0' ? g_strdup (filter) : NULL;
  if (trace == NULL || stria_trace_get_n_lanes (trace) == 0)
    return self;
  self->has_view = !stria_session_follows_trace (session);
  if (self->has_view)
    stria_session_get_view (session, &self->view_t0, &self->view_t1);
  self->has_range = stria_session_get_range (session, &self->range_t0, &self->range_t1);
  if (self->has_range)
    self->lanes = range_lanes (session, trace);
  if (!stria_ref_is_none (ref) && event_start (trace, ref, &self->event_ns))
    {
      self->event_lane = lane_name (trace, ref.lane);
      self->event = ref.index;
    }
  return self;
}

/* Returns: (transfer full) (element-type utf8 guint): numbers plus one by name */
static GHashTable *
index_lanes (StriaTrace *trace)
{
  GHashTable *index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const guint32 n = stria_trace_get_n_lanes (trace);

  for (guint32 i = n; i > 0; i--)
    g_hash_table_insert (index, lane_name (trace, i - 1), GUINT_TO_POINTER (i));
  return index;
}

static void
apply_range (StriaViewState *self, StriaSession *session, GHashTable *index)
{
  g_autoptr (GArray) lanes = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; self->lanes != NULL && self->lanes[i] != NULL; i++)
    {
      const guint found = GPOINTER_TO_UINT (g_hash_table_lookup (index, self->lanes[i]));
      const guint32 lane = found - 1;

      if (found > 0)
        g_array_append_val (lanes, lane);
    }
  /* None of its lanes is there: of others it says nothing. */
  if (self->lanes != NULL && lanes->len == 0)
    return;
  stria_session_set_range (session, self->range_t0, self->range_t1,
                           self->lanes != NULL ? (const guint32 *) (gpointer) lanes->data : NULL,
                           lanes->len);
}

static void
apply_event (StriaViewState *self, StriaSession *session, StriaTrace *trace, GHashTable *index)
{
  const guint found = GPOINTER_TO_UINT (g_hash_table_lookup (index, self->event_lane));
  const StriaRef ref = { found - 1, self->event };
  gint64 ns;

  /* Columns of a stored capture are read late; then the number has to do. */
  if (found == 0 || self->event >= stria_lane_get_n_events (stria_trace_get_lane (trace, ref.lane)))
    return;
  if (!event_start (trace, ref, &ns) || ns == self->event_ns)
    stria_session_select (session, ref);
}

void
stria_view_state_apply (StriaViewState *self, StriaSession *session, gboolean with_view)
{
  StriaTrace *trace = stria_session_get_trace (session);
  g_autoptr (GHashTable) index = NULL;

  if (trace == NULL || stria_trace_get_n_lanes (trace) == 0)
    return;
  if (self->has_range || self->event_lane != NULL)
    index = index_lanes (trace);
  if (self->has_view && with_view)
    stria_session_set_view (session, self->view_t0, self->view_t1);
  if (self->has_range)
    apply_range (self, session, index);
  if (self->event_lane != NULL)
    apply_event (self, session, trace, index);
}

/* -- as a text ------------------------------------------------------------------------------- */

char *
stria_view_state_to_text (StriaViewState *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();

  g_key_file_set_integer (file, GROUP, "version", VERSION_OF_FILE);
  if (self->has_view)
    {
      g_key_file_set_int64 (file, GROUP, "view-start-ns", self->view_t0);
      g_key_file_set_int64 (file, GROUP, "view-end-ns", self->view_t1);
    }
  if (self->has_range)
    {
      g_key_file_set_int64 (file, GROUP, "range-start-ns", self->range_t0);
      g_key_file_set_int64 (file, GROUP, "range-end-ns", self->range_t1);
    }
  if (self->has_range && self->lanes != NULL)
    g_key_file_set_string_list (file, GROUP, "range-lanes", (const char *const *) self->lanes,
                                g_strv_length (self->lanes));
  if (self->event_lane != NULL)
    {
      g_key_file_set_string (file, GROUP, "event-lane", self->event_lane);
      g_key_file_set_uint64 (file, GROUP, "event", self->event);
      g_key_file_set_int64 (file, GROUP, "event-start-ns", self->event_ns);
    }
  if (self->filter != NULL)
    g_key_file_set_string (file, GROUP, "filter", self->filter);
  return g_key_file_to_data (file, NULL, NULL);
}

static gboolean
read_time (GKeyFile *file, const char *key, gint64 *ns)
{
  g_autoptr (GError) error = NULL;

  *ns = g_key_file_get_int64 (file, GROUP, key, &error);
  return error == NULL && *ns >= -MOST_NS && *ns <= MOST_NS;
}

static char *
read_text (GKeyFile *file, const char *key)
{
  g_autofree char *text = g_key_file_get_string (file, GROUP, key, NULL);

  return text != NULL && *text != '\0' && strlen (text) <= MOST_TEXT
                 && g_utf8_validate (text, -1, NULL)
             ? g_steal_pointer (&text)
             : NULL;
}

/* Part of them would be another range: all of them, or FALSE. */
static gboolean
read_lanes (GKeyFile *file, char ***lanes)
{
  gsize n = 0;
  g_auto (GStrv) found = NULL;

  if (!g_key_file_has_key (file, GROUP, "range-lanes", NULL))
    return TRUE;
  found = g_key_file_get_string_list (file, GROUP, "range-lanes", &n, NULL);
  if (found == NULL || n == 0 || n > STRIA_VIEW_STATE_MAX_LANES)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (strlen (found[i]) > MOST_TEXT)
      return FALSE;
  *lanes = g_steal_pointer (&found);
  return TRUE;
}

StriaViewState *
stria_view_state_from_text (const char *text, gsize length, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) number_error = NULL;
  StriaViewState *self;
  guint64 number;

  if (length > STRIA_VIEW_STATE_MAX_FILE)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                   _ ("expected at most %u bytes, found %zu"),
                   STRIA_VIEW_STATE_MAX_FILE, length);
      return NULL;
    }
  if (!g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, error))
    return NULL;
  if (g_key_file_get_integer (file, GROUP, "version", NULL) != VERSION_OF_FILE)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_UNSUPPORTED, _ ("expected version %d of the file"),
                   VERSION_OF_FILE);
      return NULL;
    }
  self = g_new0 (StriaViewState, 1);
  self->has_view = read_time (file, "view-start-ns", &self->view_t0)
                   && read_time (file, "view-end-ns", &self->view_t1)
                   && self->view_t0 < self->view_t1;
  self->has_range = read_time (file, "range-start-ns", &self->range_t0)
                    && read_time (file, "range-end-ns", &self->range_t1)
                    && self->range_t0 < self->range_t1 && read_lanes (file, &self->lanes);
  number = g_key_file_get_uint64 (file, GROUP, "event", &number_error);
  if (number_error == NULL && number < G_MAXUINT32
      && read_time (file, "event-start-ns", &self->event_ns))
    {
      self->event_lane = read_text (file, "event-lane");
      self->event = (guint32) number;
    }
  self->filter = read_text (file, "filter");
  return self;
}

/* -- files ----------------------------------------------------------------------------------- */

char *
stria_view_state_path (const char *identity)
{
  g_autofree char *name = g_strconcat (identity, ".ini", NULL);

  return g_build_filename (g_get_user_state_dir (), "stria", "captures", name, NULL);
}

/* Returns: (transfer full) (nullable) */
static char *
read_small (const char *path, gsize *length, GError **error)
{
  GStatBuf info;
  g_autofree char *text = NULL;

  if (g_stat (path, &info) != 0)
    return NULL;
  if (!S_ISREG (info.st_mode) || info.st_size > STRIA_VIEW_STATE_MAX_FILE)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT, _ ("expected a file of at most %u bytes"),
                   STRIA_VIEW_STATE_MAX_FILE);
      return NULL;
    }
  return g_file_get_contents (path, &text, length, error) ? g_steal_pointer (&text) : NULL;
}

StriaViewState *
stria_view_state_load (const char *path, GError **error)
{
  GError *own = NULL;
  gsize length = 0;
  g_autofree char *text = read_small (path, &length, &own);
  StriaViewState *self = text != NULL ? stria_view_state_from_text (text, length, &own) : NULL;

  if (own != NULL)
    {
      g_autofree char *aside = g_strconcat (path, ".bad", NULL);

      g_rename (path, aside);
      g_propagate_prefixed_error (error, own, _ ("Put aside as %s: "), aside);
    }
  return self;
}

gboolean
stria_view_state_save (const char *path, const char *text, GError **error)
{
  return stria_kept_store (path, text, error);
}

typedef struct
{
  char  *path;
  gint64 used_s;
} Kept;

static void
kept_free (gpointer data)
{
  g_free (((Kept *) data)->path);
  g_free (data);
}

static int
newest_first (gconstpointer a, gconstpointer b)
{
  const Kept *x = *(const Kept *const *) a, *y = *(const Kept *const *) b;

  return x->used_s < y->used_s ? 1 : x->used_s > y->used_s ? -1 : strcmp (x->path, y->path);
}

guint
stria_view_state_sweep (const char *folder, guint most, guint days)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (kept_free);
  const gint64 oldest = g_get_real_time () / G_USEC_PER_SEC - (gint64) days * 24 * 60 * 60;
  guint n_removed = 0;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      GStatBuf info;
      Kept *kept;

      if (g_lstat (path, &info) != 0 || !S_ISREG (info.st_mode))
        continue;
      kept = g_new (Kept, 1);
      *kept = (Kept){ g_steal_pointer (&path), (gint64) info.st_mtime };
      g_ptr_array_add (files, kept);
    }
  g_ptr_array_sort (files, newest_first);
  for (guint i = 0; i < files->len; i++)
    {
      const Kept *kept = files->pdata[i];

      if ((i >= most || kept->used_s < oldest) && g_unlink (kept->path) == 0)
        n_removed++;
    }
  return n_removed;
}
