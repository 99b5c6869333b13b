/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-cache.h"
#include "stria-capture-private.h"
#include "stria-error.h"

G_DEFINE_FINAL_TYPE (StriaCapture, stria_capture, G_TYPE_OBJECT)

enum
{
  TRACE_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
stria_capture_finalize (GObject *object)
{
  StriaCapture *self = STRIA_CAPTURE (object);

  g_clear_pointer (&self->trace, stria_trace_unref);
  g_ptr_array_unref (self->parts);
  for (guint i = 0; i < self->open_builders->len; i++)
    stria_builder_free (self->open_builders->pdata[i]);
  g_ptr_array_unref (self->open_builders);
  stria_spill_unref (self->spill);
  g_ptr_array_unref (self->categories);
  g_hash_table_unref (self->category_ids);
  stria_strings_unref (self->strings);
  g_object_unref (self->artifacts);
  g_ptr_array_unref (self->artifact_array);
  stria_notices_unref (self->notices);
  g_clear_pointer (&self->tree, stria_capture_tree_unref);
  g_free (self->path);
  g_free (self->title);
  g_free (self->key);
  g_free (self->store_path);
  g_mutex_clear (&self->mutex);
  G_OBJECT_CLASS (stria_capture_parent_class)->finalize (object);
}

static void
stria_capture_class_init (StriaCaptureClass *class)
{
  G_OBJECT_CLASS (class)->finalize = stria_capture_finalize;

  /**
   * StriaCapture::trace-changed:
   *
   * More of the capture has been read: stria_capture_ref_trace() gives another trace.
   */
  signals[TRACE_CHANGED] = g_signal_new ("trace-changed", STRIA_TYPE_CAPTURE, G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_capture_init (StriaCapture *self)
{
  g_mutex_init (&self->mutex);
  self->artifacts = g_list_store_new (STRIA_TYPE_ARTIFACT);
  self->artifact_array = g_ptr_array_new_with_free_func (g_object_unref);
  self->notices = stria_notices_new ();
  self->strings = stria_strings_new ();
  self->categories = g_ptr_array_new_with_free_func (g_free);
  self->category_ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->parts = g_ptr_array_new_with_free_func (stria_part_free);
  self->open_builders = g_ptr_array_new ();
  self->spill = stria_spill_new ();
  stria_capture_category_index (self, "");
}

/**
 * stria_capture_new:
 * @path: the file or folder that was opened
 *
 * Returns: (transfer full): a capture without artifacts
 */
StriaCapture *
stria_capture_new (const char *path)
{
  StriaCapture *self = g_object_new (STRIA_TYPE_CAPTURE, NULL);

  self->path = g_strdup (path);
  self->title = g_path_get_basename (path);
  return self;
}

const char *
stria_capture_get_path (StriaCapture *self)
{
  return self->path;
}

const char *
stria_capture_get_title (StriaCapture *self)
{
  return self->title;
}

void
stria_capture_add_artifact (StriaCapture *self, StriaArtifact *artifact)
{
  g_ptr_array_add (self->artifact_array, g_object_ref (artifact));
  g_list_store_append (self->artifacts, artifact);
  g_clear_pointer (&self->key, g_free);
}

guint
stria_capture_get_n_artifacts (StriaCapture *self)
{
  return self->artifact_array->len;
}

StriaArtifact *
stria_capture_get_artifact (StriaCapture *self, guint i)
{
  return i < self->artifact_array->len ? self->artifact_array->pdata[i] : NULL;
}

GListModel *
stria_capture_get_artifacts (StriaCapture *self)
{
  return G_LIST_MODEL (self->artifacts);
}

StriaNotices *
stria_capture_get_notices (StriaCapture *self)
{
  return self->notices;
}

StriaCaptureTree *
stria_capture_get_tree (StriaCapture *self)
{
  return self->tree;
}

void
stria_capture_set_tree (StriaCapture *self, StriaCaptureTree *tree)
{
  g_clear_pointer (&self->tree, stria_capture_tree_unref);
  self->tree = tree != NULL ? stria_capture_tree_ref (tree) : NULL;
}

StriaTrace *
stria_capture_ref_trace (StriaCapture *self)
{
  g_mutex_lock (&self->mutex);
  StriaTrace *trace = self->trace != NULL ? stria_trace_ref (self->trace) : NULL;
  g_mutex_unlock (&self->mutex);
  return trace;
}

static gboolean
emit_changed (gpointer data)
{
  g_signal_emit (data, signals[TRACE_CHANGED], 0);
  return G_SOURCE_REMOVE;
}

/* Artifacts end on threads of their own: a trace that was composed earlier may come here later, and
 * must not take the place of one with more in it. */
static void
take_trace (StriaCapture *self, StriaTrace *trace, guint64 serial)
{
  /* So that it can tell the rows that its events stand for. */
  trace->tables = stria_capture_get_tables (self);
  g_mutex_lock (&self->mutex);
  if (trace->tree == NULL && self->tree != NULL)
    trace->tree = stria_capture_tree_ref (self->tree);
  StriaTrace *old = trace;
  if (serial > self->taken_serial)
    {
      old = self->trace;
      self->trace = trace;
      self->taken_serial = serial;
    }
  g_mutex_unlock (&self->mutex);
  g_clear_pointer (&old, stria_trace_unref);
  /* Runs when, and only if, somebody iterates the main context. */
  g_idle_add_full (G_PRIORITY_HIGH_IDLE, emit_changed, g_object_ref (self), g_object_unref);
}

void
stria_capture_take_trace (StriaCapture *self, StriaTrace *trace)
{
  g_mutex_lock (&self->mutex);
  guint64 serial = ++self->composed_serial;
  g_mutex_unlock (&self->mutex);

  take_trace (self, trace, serial);
}

StriaSink *
stria_capture_open_sink (StriaCapture *self, guint artifact)
{
  StriaArtifact *object = stria_capture_get_artifact (self, artifact);
  g_return_val_if_fail (object != NULL, NULL);
  g_autofree char *name = g_path_get_basename (stria_artifact_get_name (object));
  StriaBuilder *builder = stria_builder_new (artifact, name, self->notices);

  stria_builder_set_spill (builder, self->spill);
  g_mutex_lock (&self->mutex);
  g_ptr_array_add (self->open_builders, builder);
  g_mutex_unlock (&self->mutex);
  return stria_builder_get_sink (builder);
}

/* A trace with all that was read, if the last one lacks something. */
static void
flush (StriaCapture *self)
{
  StriaTrace *trace = NULL;
  guint64 serial = 0;
  gint64 begin = g_get_monotonic_time ();

  g_mutex_lock (&self->mutex);
  if (self->is_stale)
    {
      trace = stria_capture_compose (self);
      serial = ++self->composed_serial;
      self->is_stale = FALSE;
      /* A trace has everything that was read: thousands of small artifacts would spend all their time
       * on it. */
      self->next_compose_us = g_get_monotonic_time () + 10 * (g_get_monotonic_time () - begin);
    }
  g_mutex_unlock (&self->mutex);
  if (trace == NULL)
    return;
  stria_trace_finish (trace);
  take_trace (self, trace, serial);
}

/* Where the artifacts begin whose time is known. Under the mutex. */
static gint64
earliest_start (StriaCapture *self)
{
  gint64 earliest = G_MAXINT64;

  for (guint p = 0; p < self->parts->len; p++)
    {
      const StriaPart *part = self->parts->pdata[p];

      for (guint i = 0; part != NULL && part->has_base && i < part->bodies->len; i++)
        earliest = MIN (earliest, ((StriaLaneBody *) part->bodies->pdata[i])->start_ns);
    }
  return earliest;
}

void
stria_capture_settle (StriaCapture *self)
{
  guint n_placed = 0;

  g_mutex_lock (&self->mutex);
  gint64 earliest = self->has_base ? earliest_start (self) : G_MAXINT64;
  /* Nothing to draw is a trace, too. */
  self->is_stale |= self->trace == NULL;
  for (guint p = 0; p < self->parts->len; p++)
    {
      StriaPart *part = self->parts->pdata[p];

      if (part == NULL || !part->is_floating)
        continue;
      part->is_floating = FALSE;
      self->is_stale = TRUE;
      if (earliest == G_MAXINT64)
        continue;
      /* No trace has had these lanes yet. */
      part->shift_ns = earliest;
      for (guint i = 0; i < part->bodies->len; i++)
        stria_part_shift (part->bodies->pdata[i], earliest);
      n_placed++;
    }
  g_mutex_unlock (&self->mutex);
  if (n_placed > 0)
    stria_notices_count (self->notices, STRIA_SEVERITY_INFO, "clock-placed", self->title, -1, n_placed,
                         _("A device profile does not say when it began: its times are its own, and it is "
                           "drawn from where the rest of the capture begins"));
  flush (self);
}

/**
 * stria_capture_close_sink:
 * @complete: whether the decoder came to the artifact's end
 *
 * Makes lanes of what the sink took and puts them into the capture's trace. The sink is gone after
 * this.
 *
 * Returns: number of events taken
 */
guint64
stria_capture_close_sink (StriaCapture *self, StriaSink *sink, gboolean complete)
{
  StriaBuilder *builder = stria_builder_from_sink (sink);
  guint64 n_events;
  guint artifact = G_MAXUINT;

  /* The preview may still ask: it holds the mutex while it does. */
  g_mutex_lock (&self->mutex);
  artifact = stria_builder_get_artifact (builder);
  g_ptr_array_remove (self->open_builders, builder);
  g_mutex_unlock (&self->mutex);

  StriaBuilt *built = stria_builder_finish (builder);
  StriaPart *part = stria_part_new (self, artifact, built);
  stria_built_free (built);
  n_events = part->n_events;

  g_mutex_lock (&self->mutex);
  if (self->parts->len <= artifact)
    g_ptr_array_set_size (self->parts, (gint) artifact + 1);
  stria_part_free (self->parts->pdata[artifact]);
  self->parts->pdata[artifact] = part;
  self->is_stale = TRUE;
  gboolean is_time = g_get_monotonic_time () >= self->next_compose_us;
  g_mutex_unlock (&self->mutex);

  stria_artifact_set_n_events (stria_capture_get_artifact (self, artifact), n_events);
  if (is_time)
    flush (self);
  return n_events;
}

GPtrArray *
stria_capture_get_tables (StriaCapture *self)
{
  GPtrArray *tables = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_table_unref);

  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->parts->len; i++)
    {
      const StriaPart *part = self->parts->pdata[i];

      for (guint t = 0; part != NULL && part->tables != NULL && t < part->tables->len; t++)
        g_ptr_array_add (tables, stria_table_ref (part->tables->pdata[t]));
    }
  g_mutex_unlock (&self->mutex);
  return tables;
}

StriaTable *
stria_capture_find_table (StriaCapture *self, guint artifact, const char *name)
{
  StriaTable *found = NULL;

  g_mutex_lock (&self->mutex);
  const StriaPart *part = artifact < self->parts->len ? self->parts->pdata[artifact] : NULL;
  for (guint t = 0; part != NULL && part->tables != NULL && found == NULL && t < part->tables->len;
       t++)
    if (g_ascii_strcasecmp (stria_table_get_name (part->tables->pdata[t]), name) == 0)
      found = stria_table_ref (part->tables->pdata[t]);
  g_mutex_unlock (&self->mutex);
  return found;
}

/**
 * stria_capture_ref_facts:
 * @artifact: number of the artifact
 *
 * Any thread.
 *
 * Returns: (transfer full) (nullable): the tables that were read from it, NULL if there are none
 *   (yet)
 */
StriaFacts *
stria_capture_ref_facts (StriaCapture *self, guint artifact)
{
  StriaFacts *facts = NULL;

  g_mutex_lock (&self->mutex);
  const StriaPart *part = artifact < self->parts->len ? self->parts->pdata[artifact] : NULL;
  if (part != NULL && part->facts != NULL)
    facts = stria_facts_ref (part->facts);
  g_mutex_unlock (&self->mutex);
  return facts;
}

GPtrArray *
stria_capture_get_snapshots (StriaCapture *self)
{
  GPtrArray *snapshots
      = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_snapshot_data_unref);

  g_mutex_lock (&self->mutex);
  for (guint p = 0; p < self->parts->len; p++)
    {
      const StriaPart *part = self->parts->pdata[p];
      if (part != NULL && part->snapshot != NULL)
        g_ptr_array_add (snapshots, stria_snapshot_data_ref (part->snapshot));
    }
  g_mutex_unlock (&self->mutex);
  return snapshots;
}

GHashTable *
stria_capture_get_meta (StriaCapture *self, guint artifact)
{
  GHashTable *copy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  g_mutex_lock (&self->mutex);
  if (artifact < self->parts->len && self->parts->pdata[artifact] != NULL)
    {
      GHashTableIter iter;
      gpointer key, value;

      g_hash_table_iter_init (&iter, ((StriaPart *) self->parts->pdata[artifact])->meta);
      while (g_hash_table_iter_next (&iter, &key, &value))
        g_hash_table_insert (copy, g_strdup (key), g_strdup (value));
    }
  g_mutex_unlock (&self->mutex);
  return copy;
}

static void
add_preview_lane (const char *name, const double *busy_ns, guint n_bins, gpointer user_data)
{
  GArray *lanes = user_data;
  StriaPreviewLane lane = { g_strdup (name), g_new (float, n_bins) };

  for (guint b = 0; b < n_bins; b++)
    lane.bins[b] = (float) busy_ns[b];
  g_array_append_val (lanes, lane);
}

/**
 * stria_capture_get_preview:
 *
 * Returns: (transfer full) (nullable): the density of the artifact being read that has most events,
 * or %NULL if none has any yet
 */
StriaPreview *
stria_capture_get_preview (StriaCapture *self)
{
  g_autoptr (GArray) lanes = g_array_new (FALSE, FALSE, sizeof (StriaPreviewLane));
  StriaPreview *preview = NULL;
  StriaBuilder *fullest = NULL;
  guint64 most = 0;

  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->open_builders->len; i++)
    {
      guint64 n = stria_builder_get_n_events (self->open_builders->pdata[i]);
      if (n > most)
        {
          most = n;
          fullest = self->open_builders->pdata[i];
        }
    }
  if (fullest != NULL)
    {
      preview = g_new0 (StriaPreview, 1);
      if (!stria_builder_preview (fullest, &preview->t0, &preview->t1, &preview->n_bins,
                                  &preview->n_events, add_preview_lane, lanes))
        g_clear_pointer (&preview, g_free);
    }
  g_mutex_unlock (&self->mutex);
  if (preview == NULL)
    return NULL;

  float width = (float) ((double) (preview->t1 - preview->t0) / preview->n_bins);
  for (guint i = 0; i < lanes->len; i++)
    for (guint b = 0; b < preview->n_bins; b++)
      {
        float *bin = &g_array_index (lanes, StriaPreviewLane, i).bins[b];
        *bin = MIN (1.0f, *bin / width);
      }
  preview->n_lanes = lanes->len;
  preview->lanes = (StriaPreviewLane *) g_array_free (g_steal_pointer (&lanes), FALSE);
  return preview;
}

void
stria_preview_free (StriaPreview *preview)
{
  for (guint i = 0; i < preview->n_lanes; i++)
    {
      g_free (preview->lanes[i].name);
      g_free (preview->lanes[i].bins);
    }
  g_free (preview->lanes);
  g_free (preview);
}

const char *
stria_capture_get_key (StriaCapture *self)
{
  if (self->key == NULL)
    {
      g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
      g_autofree char *version = g_strdup_printf ("stria %d\n", STRIA_SCHEMA_VERSION);

      g_checksum_update (sum, (const guchar *) version, -1);
      for (guint i = 0; i < self->artifact_array->len; i++)
        {
          StriaArtifact *artifact = self->artifact_array->pdata[i];
          const char *kind = stria_artifact_get_kind (artifact);
          const char *member = stria_artifact_get_member (artifact);
          g_autofree char *line
              = g_strdup_printf ("%s\n%s\n%s\n%" G_GUINT64_FORMAT " %" G_GINT64_FORMAT " %s\n",
                                 stria_artifact_get_name (artifact), member != NULL ? member : "",
                                 kind != NULL ? kind : "", stria_artifact_get_size (artifact),
                                 stria_artifact_get_mtime (artifact),
                                 stria_artifact_get_digest (artifact));
          g_checksum_update (sum, (const guchar *) line, -1);
        }
      self->key = g_strdup (g_checksum_get_string (sum));
    }
  return self->key;
}

gboolean
stria_capture_open_store (StriaCapture *self, GError **error)
{
  g_autofree char *path = stria_cache_store_path (stria_capture_get_key (self));

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error_literal (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                           "The capture has no store yet");
      return FALSE;
    }
  if (!stria_store_read (self, path, error))
    return FALSE;
  stria_cache_touch (stria_capture_get_key (self));
  g_mutex_lock (&self->mutex);
  g_free (self->store_path);
  self->store_path = g_steal_pointer (&path);
  g_mutex_unlock (&self->mutex);
  return TRUE;
}

gboolean
stria_capture_write_store (StriaCapture *self, GCancellable *cancellable,
                           StriaProgressFunc progress, gpointer user_data, GError **error)
{
  g_autofree char *path = stria_cache_store_path (stria_capture_get_key (self));

  if (!stria_store_write (self, path, cancellable, progress, user_data, error))
    return FALSE;
  g_mutex_lock (&self->mutex);
  g_free (self->store_path);
  self->store_path = g_steal_pointer (&path);
  g_mutex_unlock (&self->mutex);
  return TRUE;
}

char *
stria_capture_dup_store_path (StriaCapture *self)
{
  g_mutex_lock (&self->mutex);
  char *path = g_strdup (self->store_path);
  g_mutex_unlock (&self->mutex);
  return path;
}
