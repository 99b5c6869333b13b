/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-after-import.h"

#include "stria-cache.h"
#include "stria-recent.h"
#include "stria-settings.h"
#include "stria-thumbnail.h"

typedef struct
{
  guint64 max_bytes;
  guint   max_age_days;
  char   *keep_key;
} Eviction;

static void
eviction_free (gpointer data)
{
  Eviction *eviction = data;

  g_free (eviction->keep_key);
  g_free (eviction);
}

static void
evict_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Eviction *eviction = task_data;
  guint64 freed =
      stria_cache_evict (eviction->max_bytes, eviction->max_age_days, eviction->keep_key);

  g_debug ("Cache eviction freed %" G_GUINT64_FORMAT " bytes", freed);
  g_task_return_boolean (task, TRUE);
}

static void
evict (StriaCapture *capture)
{
  Eviction *eviction = g_new0 (Eviction, 1);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);

  eviction->max_bytes = (guint64) stria_settings_get (STRIA_SETTING_CACHE_SIZE_GIB) << 30;
  eviction->max_age_days = (guint) stria_settings_get (STRIA_SETTING_CACHE_AGE_DAYS);
  eviction->keep_key = g_strdup (stria_capture_get_key (capture));
  g_task_set_source_tag (task, evict);
  g_task_set_task_data (task, eviction, eviction_free);
  g_task_run_in_thread (task, evict_in_thread);
}

void
stria_after_import (StriaCapture *capture, const char *const *paths, gboolean was_cached)
{
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (capture);
  const char *key = stria_capture_get_key (capture);
  guint n = stria_capture_get_n_artifacts (capture);
  StriaRecentItem item = { .paths = (char **) paths,
                           .title = (char *) stria_capture_get_title (capture),
                           .key = (char *) key,
                           .opened_us = g_get_real_time () };
  gint64 t0, t1;

  for (guint i = 0; i < n; i++)
    item.bytes += stria_artifact_get_size (stria_capture_get_artifact (capture, i));
  if (trace != NULL)
    {
      item.n_events = stria_trace_get_n_events (trace);
      if (stria_trace_get_view_range (trace, &t0, &t1))
        item.duration_ns = t1 - t0;
    }
  stria_recent_add (&item);

  if (trace != NULL && key != NULL)
    {
      g_autofree char *picture = stria_cache_path (key, ".png");

      if (!was_cached || !g_file_test (picture, G_FILE_TEST_EXISTS))
        stria_thumbnail_make (capture);
    }
  if (!was_cached)
    evict (capture);
}
