/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-trace-compare-slot.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-after-import.h"
#include "stria-format.h"
#include "stria-import-text.h"
#include "stria-importer.h"
#include "stria-retell.h"
#include "stria-scan.h"
#include "stria-timeline.h"

#define PROGRESS_INTERVAL_MS 100
/* Four of them and a table fit into a window of a small screen. */
#define TIMELINE_LEAST       96

struct _StriaTraceCompareSlot
{
  GtkWidget parent_instance;

  char         **paths; /* NULL: open elsewhere */
  StriaSession  *session;
  StriaImporter *importer;
  GCancellable  *cancellable;
  guint          progress_timeout;
  gboolean       is_read;

  GtkWidget *box;
  GtkLabel  *number;
  GtkLabel  *title;
  GtkLabel  *note;
  GtkWidget *base_button;
  GtkWidget *remove_button;
  GtkStack  *stack;
  GtkLabel  *progress;
  GtkWidget *timeline;
};

enum
{
  READY,
  REMOVE,
  BASE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaTraceCompareSlot, stria_trace_compare_slot, GTK_TYPE_WIDGET)

static void
update_note (StriaTraceCompareSlot *self)
{
  StriaTrace *trace = stria_session_get_trace (self->session);
  gint64 t0, t1;

  if (trace == NULL || !stria_trace_get_view_range (trace, &t0, &t1))
    return;
  {
    const guint64 n = stria_trace_get_n_events (trace);
    g_autofree char *count = stria_format_count (n);
    g_autofree char *events = g_strdup_printf (ngettext ("%s event", "%s events", n), count);
    g_autofree char *length = stria_format_duration (t1 - t0, 4);
    g_autofree char *text = g_strdup_printf ("%s · %s", events, length);

    gtk_label_set_label (self->note, text);
  }
}

static void
on_trace_changed (StriaTraceCompareSlot *self)
{
  update_note (self);
  if (stria_trace_compare_slot_is_ready (self))
    g_signal_emit (self, signals[READY], 0);
}

static void
fail (StriaTraceCompareSlot *self, const char *message)
{
  gtk_label_set_label (self->progress, message);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->progress), message);
  gtk_stack_set_visible_child_name (self->stack, "progress");
}

static void
take_capture (StriaTraceCompareSlot *self, StriaCapture *capture)
{
  self->session = stria_session_new (capture);
  gtk_label_set_label (self->title, stria_capture_get_title (capture));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title), stria_capture_get_path (capture));
  self->timeline = stria_timeline_new (self->session);
  gtk_widget_set_size_request (self->timeline, -1, TIMELINE_LEAST);
  gtk_widget_set_vexpand (self->timeline, TRUE);
  gtk_stack_add_named (self->stack, self->timeline, "timeline");
  stria_retell_connect (self, G_CALLBACK (update_note));
  g_signal_connect_object (self->session, "trace-changed", G_CALLBACK (on_trace_changed), self,
                           G_CONNECT_SWAPPED);
  update_note (self);
}

/* -- import ---------------------------------------------------------------------------------- */

static gboolean
on_progress (gpointer user_data)
{
  StriaTraceCompareSlot *self = user_data;
  StriaImportProgress progress;
  g_autofree char *text = NULL;

  stria_importer_get_progress (self->importer, &progress);
  text = stria_import_describe_progress (&progress);
  gtk_label_set_label (self->progress, text);
  return G_SOURCE_CONTINUE;
}

static void
on_imported (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaTraceCompareSlot) self = user_data;
  g_autoptr (StriaImporter) importer = g_object_ref (STRIA_IMPORTER (source));
  g_autoptr (GError) error = NULL;
  const gboolean done = stria_importer_run_finish (importer, result, &error);
  g_autoptr (StriaTrace) trace = NULL;

  g_clear_handle_id (&self->progress_timeout, g_source_remove);
  g_clear_object (&self->importer);
  if (self->session == NULL || self->box == NULL)
    return;
  self->is_read = TRUE;
  /* The session hears of it a little later. */
  trace = stria_capture_ref_trace (stria_session_get_capture (self->session));
  if (!done)
    {
      fail (self, error->message);
      return;
    }
  stria_after_import (stria_session_get_capture (self->session), (const char *const *) self->paths,
                      stria_importer_was_cached (importer));
  if (trace == NULL || stria_trace_get_n_events (trace) == 0)
    {
      fail (self, _ ("This capture has no events to compare"));
      return;
    }
  gtk_stack_set_visible_child_name (self->stack, "timeline");
  on_trace_changed (self);
}

static void
on_scanned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaTraceCompareSlot) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaCapture) capture = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->box == NULL)
    return;
  if (capture == NULL)
    {
      fail (self, error->message);
      return;
    }
  take_capture (self, capture);
  self->importer = stria_importer_new (capture);
  self->progress_timeout = g_timeout_add (PROGRESS_INTERVAL_MS, on_progress, self);
  stria_importer_run_async (self->importer, self->cancellable, on_imported, g_object_ref (self));
}

static void
scan_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;
  StriaCapture *capture = stria_scan (task_data, cancellable, &error);

  if (capture != NULL)
    g_task_return_pointer (task, capture, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
start (StriaTraceCompareSlot *self)
{
  g_autofree char *name = g_filename_display_basename (self->paths[0]);
  g_autoptr (GTask) task = NULL;

  gtk_label_set_label (self->title, name);
  gtk_label_set_label (self->progress, _ ("Looking for files…"));
  self->cancellable = g_cancellable_new ();
  task = g_task_new (NULL, self->cancellable, on_scanned, g_object_ref (self));
  g_task_set_task_data (task, g_strdupv (self->paths), (GDestroyNotify) g_strfreev);
  g_task_run_in_thread (task, scan_in_thread);
}

/* -- the widget ------------------------------------------------------------------------------ */

static void
on_base (StriaTraceCompareSlot *self)
{
  g_signal_emit (self, signals[BASE], 0);
}

static void
on_remove (StriaTraceCompareSlot *self)
{
  g_signal_emit (self, signals[REMOVE], 0);
}

static GtkWidget *
header_new (StriaTraceCompareSlot *self)
{
  GtkWidget *header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *number = gtk_label_new (NULL);
  GtkWidget *title = gtk_label_new (NULL);
  GtkWidget *note = gtk_label_new (NULL);

  gtk_widget_add_css_class (header, "panel-header");
  gtk_widget_add_css_class (number, "compare-number");
  gtk_widget_set_valign (number, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (title, "heading");
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_add_css_class (note, "dim-label");
  gtk_widget_add_css_class (note, "caption");
  gtk_widget_add_css_class (note, "numeric");
  gtk_label_set_ellipsize (GTK_LABEL (note), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (note), 0);
  gtk_widget_set_hexpand (note, TRUE);
  self->base_button = gtk_button_new_with_label (_ ("Make Base"));
  gtk_widget_set_valign (self->base_button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (self->base_button, "flat");
  gtk_widget_set_tooltip_text (self->base_button, _ ("Compare the others to this one"));
  g_signal_connect_swapped (self->base_button, "clicked", G_CALLBACK (on_base), self);
  self->remove_button = gtk_button_new_from_icon_name ("window-close-symbolic");
  gtk_widget_set_valign (self->remove_button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (self->remove_button, "flat");
  gtk_widget_set_tooltip_text (self->remove_button, _ ("Compare without this one"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->remove_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Compare without this one"),
                                  -1);
  g_signal_connect_swapped (self->remove_button, "clicked", G_CALLBACK (on_remove), self);
  self->number = GTK_LABEL (number);
  self->title = GTK_LABEL (title);
  self->note = GTK_LABEL (note);
  gtk_box_append (GTK_BOX (header), number);
  gtk_box_append (GTK_BOX (header), title);
  gtk_box_append (GTK_BOX (header), note);
  gtk_box_append (GTK_BOX (header), self->base_button);
  gtk_box_append (GTK_BOX (header), self->remove_button);
  return header;
}

static void
stria_trace_compare_slot_dispose (GObject *object)
{
  StriaTraceCompareSlot *self = STRIA_TRACE_COMPARE_SLOT (object);

  g_clear_handle_id (&self->progress_timeout, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->importer);
  g_clear_object (&self->session);
  g_clear_pointer (&self->paths, g_strfreev);
  G_OBJECT_CLASS (stria_trace_compare_slot_parent_class)->dispose (object);
}

static void
stria_trace_compare_slot_class_init (StriaTraceCompareSlotClass *klass)
{
  static const char *const names[N_SIGNALS]
      = { [READY] = "ready", [REMOVE] = "remove", [BASE] = "base" };

  G_OBJECT_CLASS (klass)->dispose = stria_trace_compare_slot_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                               NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_trace_compare_slot_init (StriaTraceCompareSlot *self)
{
  GtkWidget *progress = gtk_label_new (NULL);

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), header_new (self));
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_widget_add_css_class (progress, "dim-label");
  gtk_label_set_wrap (GTK_LABEL (progress), TRUE);
  gtk_widget_set_margin_top (progress, 24);
  gtk_widget_set_margin_bottom (progress, 24);
  self->progress = GTK_LABEL (progress);
  gtk_stack_add_named (self->stack, progress, "progress");
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->stack));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
}

GtkWidget *
stria_trace_compare_slot_new_open (StriaCapture *capture)
{
  StriaTraceCompareSlot *self = g_object_new (STRIA_TYPE_TRACE_COMPARE_SLOT, NULL);

  gtk_widget_set_visible (self->remove_button, FALSE);
  self->is_read = TRUE;
  take_capture (self, capture);
  gtk_stack_set_visible_child_name (self->stack, "timeline");
  return GTK_WIDGET (self);
}

GtkWidget *
stria_trace_compare_slot_new (const char *const *paths)
{
  StriaTraceCompareSlot *self = g_object_new (STRIA_TYPE_TRACE_COMPARE_SLOT, NULL);

  self->paths = g_strdupv ((char **) paths);
  start (self);
  return GTK_WIDGET (self);
}

StriaSession *
stria_trace_compare_slot_get_session (StriaTraceCompareSlot *self)
{
  return self->session;
}

gboolean
stria_trace_compare_slot_is_ready (StriaTraceCompareSlot *self)
{
  StriaTrace *trace = self->session != NULL ? stria_session_get_trace (self->session) : NULL;

  return self->is_read && trace != NULL && stria_trace_get_n_events (trace) > 0;
}

char *
stria_trace_compare_slot_dup_title (StriaTraceCompareSlot *self)
{
  return g_strdup (gtk_label_get_label (self->title));
}

GtkWidget *
stria_trace_compare_slot_get_timeline (StriaTraceCompareSlot *self)
{
  return self->timeline;
}

void
stria_trace_compare_slot_set_number (StriaTraceCompareSlot *self, guint number, gboolean is_base)
{
  g_autofree char *text = is_base ? g_strdup_printf (_ ("%u · base"), number)
                                  : g_strdup_printf ("%u", number);

  gtk_label_set_label (self->number, text);
  if (is_base)
    gtk_widget_add_css_class (GTK_WIDGET (self->number), "base");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->number), "base");
  gtk_widget_set_visible (self->base_button, !is_base);
}
