/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-import-text.h"

#include <glib/gi18n-lib.h>

#include "stria-format.h"

#define MAX_REASONS 8

char *
stria_import_describe_progress (const StriaImportProgress *progress)
{
  g_autofree char *done = NULL;
  g_autofree char *total = NULL;
  g_autofree char *count = NULL;
  g_autofree char *events = NULL;
  g_autofree char *left = NULL;

  if (progress->phase == STRIA_IMPORT_STORING)
    return g_strdup_printf (_ ("Saving for next time, %d %%"), (int) (progress->fraction * 100));
  done = stria_format_bytes ((gint64) progress->bytes_done);
  total = stria_format_bytes ((gint64) progress->bytes_total);
  count = stria_format_count (progress->events);
  events = g_strdup_printf (ngettext ("%s event", "%s events", progress->events), count);
  if (progress->remaining_us < 0)
    /* Translators: bytes read, bytes in all, events */
    return g_strdup_printf (_ ("%s of %s · %s"), done, total, events);
  left = stria_format_duration (progress->remaining_us * 1000, 2);
  /* Translators: bytes read, bytes in all, events, and a time */
  return g_strdup_printf (_ ("%s of %s · %s · %s left"), done, total, events, left);
}

char *
stria_import_describe_failure (StriaCapture *capture, const GError *error)
{
  guint n = stria_capture_get_n_artifacts (capture);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_listed = 0;

  for (guint i = 0; i < n && n_listed < MAX_REASONS; i++)
    {
      StriaArtifact *artifact = stria_capture_get_artifact (capture, i);
      g_autofree char *reason = stria_artifact_dup_reason (artifact);

      if (reason == NULL || *reason == '\0')
        continue;
      if (n_listed++ > 0)
        g_string_append (text, "\n\n");
      g_string_append_printf (text, "%s: ", stria_artifact_get_name (artifact));
      g_string_append (text, reason);
    }
  if (n_listed == 0)
    g_string_append (text, error->message);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
