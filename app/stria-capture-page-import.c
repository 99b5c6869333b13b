/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-capture-page-private.h"

#include <glib/gi18n-lib.h>

#include "stria-after-import.h"
#include "stria-import-text.h"
#include "stria-view-registry.h"

/* The import of the page's capture: how far it is, and how it ended. */

#define PROGRESS_INTERVAL_MS 80
/* An import that is over sooner is not worth a progress bar. */
#define PROGRESS_DELAY_US    (200 * G_TIME_SPAN_MILLISECOND)

static gboolean
on_progress (gpointer user_data)
{
  StriaCapturePage *self = user_data;
  StriaImportProgress progress;
  g_autofree char *text = NULL;

  stria_importer_get_progress (self->importer, &progress);
  if (progress.phase != STRIA_IMPORT_READING && !self->is_read)
    {
      self->is_read = TRUE;
      stria_views_update (self->view_stack, self->capture, self->is_read);
      stria_capture_page_restore_layout (self);
      stria_capture_page_go_to_target (self);
    }
  if (progress.elapsed_us < PROGRESS_DELAY_US || progress.phase == STRIA_IMPORT_DONE)
    return G_SOURCE_CONTINUE;

  text = stria_import_describe_progress (&progress);
  gtk_label_set_label (self->progress_label, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->progress_label), text);
  gtk_progress_bar_set_fraction (self->progress_bar, CLAMP (progress.fraction, 0.0, 1.0));
  gtk_widget_set_visible (self->cancel_button, progress.phase == STRIA_IMPORT_READING);
  gtk_widget_set_visible (self->progress_box, TRUE);
  return G_SOURCE_CONTINUE;
}

static void
tell_notices (StriaCapturePage *self)
{
  g_autoptr (GPtrArray) notices = stria_notices_list (stria_capture_get_notices (self->capture));
  guint n_bad = 0;
  g_autofree char *text = NULL;
  AdwToast *toast;

  for (guint i = 0; i < notices->len; i++)
    {
      const StriaNotice *notice = g_ptr_array_index (notices, i);

      if (notice->severity != STRIA_SEVERITY_INFO)
        n_bad++;
    }
  if (n_bad == 0)
    return;

  text = g_strdup_printf (ngettext ("%u thing in the files was not as it should be",
                                    "%u things in the files were not as they should be", n_bad),
                          n_bad);
  toast = adw_toast_new (text);
  adw_toast_set_button_label (toast, _ ("Show"));
  adw_toast_set_action_name (toast, "win.show-notices");
  adw_toast_set_timeout (toast, 8);
  stria_capture_page_toast (self, toast);
}

static void
show_error (StriaCapturePage *self, const GError *error)
{
  g_autofree char *text = stria_import_describe_failure (self->capture, error);
  g_autofree char *markup = g_markup_escape_text (text, -1);

  adw_status_page_set_description (self->error_page, markup);
  gtk_stack_set_visible_child_name (self->content_stack, "error");
  stria_capture_page_view_changed (self);
}

static void
on_imported (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaCapturePage) self = user_data;
  g_autoptr (StriaImporter) importer = g_object_ref (STRIA_IMPORTER (source));
  g_autoptr (GError) error = NULL;
  gboolean done = stria_importer_run_finish (importer, result, &error);
  gboolean cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_autoptr (StriaTrace) trace = NULL;

  if (importer != self->importer)
    return;
  g_clear_object (&self->importer);
  g_clear_object (&self->cancellable);
  g_clear_handle_id (&self->progress_timeout, g_source_remove);
  gtk_widget_set_visible (self->progress_box, FALSE);
  if (self->session == NULL)
    return;

  self->is_read = TRUE;
  trace = stria_capture_ref_trace (self->capture);
  stria_capture_page_update_notices (self);
  stria_views_update (self->view_stack, self->capture, self->is_read);
  stria_capture_page_restore_layout (self);
  stria_capture_page_update_title (self);
  g_signal_emit_by_name (self, "state-changed");

  if (!done && !cancelled && (trace == NULL || stria_trace_get_n_events (trace) == 0))
    {
      show_error (self, error);
      return;
    }
  if (cancelled)
    stria_capture_page_toast (
        self, adw_toast_new (_ ("The import was cancelled; what was read is shown")));
  else if (!done)
    stria_capture_page_toast (self, adw_toast_new (error->message));
  else
    stria_after_import (self->capture, (const char *const *) self->paths,
                        stria_importer_was_cached (importer));
  tell_notices (self);
  stria_capture_page_go_to_target (self);
}

void
stria_capture_page_import (StriaCapturePage *self, gboolean reimport)
{
  g_return_if_fail (STRIA_IS_CAPTURE_PAGE (self));
  g_return_if_fail (self->importer == NULL);

  gtk_stack_set_visible_child_name (self->content_stack, "views");
  self->is_read = FALSE;
  stria_views_update (self->view_stack, self->capture, self->is_read);
  self->importer = stria_importer_new (self->capture);
  stria_importer_set_reimport (self->importer, reimport);
  self->cancellable = g_cancellable_new ();
  self->progress_timeout = g_timeout_add (PROGRESS_INTERVAL_MS, on_progress, self);
  stria_importer_run_async (self->importer, self->cancellable, on_imported, g_object_ref (self));
  g_signal_emit_by_name (self, "state-changed");
}

void
stria_capture_page_cancel (StriaCapturePage *self)
{
  g_return_if_fail (STRIA_IS_CAPTURE_PAGE (self));

  g_cancellable_cancel (self->cancellable);
}

gboolean
stria_capture_page_is_importing (StriaCapturePage *self)
{
  g_return_val_if_fail (STRIA_IS_CAPTURE_PAGE (self), FALSE);

  return self->importer != NULL;
}
