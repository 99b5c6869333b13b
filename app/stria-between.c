/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-between.h"

#include <glib/gi18n-lib.h>

#include "stria-fields.h"
#include "stria-format.h"
#include "stria-stats.h"

#define MOST_NAMES 3
#define NAME_BYTES 60

struct _StriaBetween
{
  GtkWidget parent_instance;

  StriaSession *session;
  GCancellable *cancellable;
  gint64        t0;
  gint64        t1;
  gboolean      is_set;
  char         *heading;

  GtkWidget *box;
  GtkLabel  *label;
};

enum
{
  STATISTICS,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaBetween, stria_between, GTK_TYPE_WIDGET)

typedef struct
{
  StriaTrace *trace;
  gint64      t0;
  gint64      t1;
} Job;

static void
job_free (gpointer data)
{
  Job *self = data;

  stria_trace_unref (self->trace);
  g_free (self);
}

static void
run_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  GError *error = NULL;
  StriaStats *stats
      = stria_stats_new (job->trace, NULL, 0, job->t0, job->t1, cancellable, &error);

  if (stats != NULL)
    g_task_return_pointer (task, stats, (GDestroyNotify) stria_stats_free);
  else
    g_task_return_error (task, error);
}

static void
show (StriaBetween *self, StriaTrace *trace, const StriaStats *stats)
{
  g_autofree char *slices = stria_format_count (stats->n_slices);
  g_autoptr (GString) text = g_string_new (self->heading);

  g_string_append (text, " · ");
  g_string_append_printf (text, ngettext ("%s slice", "%s slices", stats->n_slices), slices);
  for (guint i = 0; i < MIN (stats->by_name->len, MOST_NAMES); i++)
    {
      const StriaStatsRow *row = &g_array_index (stats->by_name, StriaStatsRow, i);
      g_autofree char *name = stria_text_cut (stria_trace_get_string (trace, row->key), NAME_BYTES);
      g_autofree char *total = stria_format_duration (row->total_ns, 3);

      g_string_append_printf (text, " · %s %s", name, total);
    }
  gtk_label_set_label (self->label, text->str);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->label), text->str);
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (StriaBetween) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaStats) stats = g_task_propagate_pointer (G_TASK (result), &error);
  const Job *job = g_task_get_task_data (G_TASK (result));

  if (self->session == NULL || g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    return;
  if (stats != NULL)
    show (self, job->trace, stats);
  else
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->label), error->message);
}

static void
stria_between_dispose (GObject *object)
{
  StriaBetween *self = STRIA_BETWEEN (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->session);
  g_clear_pointer (&self->heading, g_free);
  G_OBJECT_CLASS (stria_between_parent_class)->dispose (object);
}

static void
stria_between_class_init (StriaBetweenClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_between_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[STATISTICS] = g_signal_new ("statistics", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
on_clicked (StriaBetween *self)
{
  g_signal_emit (self, signals[STATISTICS], 0);
}

static void
stria_between_init (StriaBetween *self)
{
  GtkWidget *button = gtk_button_new_with_label (_ ("Statistics"));

  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (self->box, "panel-header");
  self->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->label, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (self->label, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->label), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "numeric");
  gtk_widget_set_tooltip_text (button,
                               _ ("Select this time, and show the statistics of what is in it"));
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_clicked), self);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->label));
  gtk_box_append (GTK_BOX (self->box), button);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
stria_between_new (StriaSession *session)
{
  StriaBetween *self = g_object_new (STRIA_TYPE_BETWEEN, NULL);

  self->session = g_object_ref (session);
  return GTK_WIDGET (self);
}

void
stria_between_set (StriaBetween *self, const char *from, gint64 from0, gint64 from1, const char *to,
                   gint64 to0, gint64 to1)
{
  const gboolean is_first = from0 <= to0;
  const gint64 end = is_first ? from1 : to1;
  const gint64 start = is_first ? to0 : from0;
  gint64 t0 = is_first ? from0 : to0;
  StriaTrace *trace = stria_session_get_trace (self->session);
  g_autofree char *length = NULL;
  g_autoptr (GTask) task = NULL;
  Job *job;

  g_return_if_fail (STRIA_IS_BETWEEN (self));

  if (end <= start && from != NULL)
    t0 = end;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->t0 = t0;
  self->t1 = start;
  self->is_set = start > t0 && trace != NULL;
  gtk_widget_set_visible (GTK_WIDGET (self), self->is_set);
  if (!self->is_set)
    return;
  length = stria_format_duration (start - t0, 5);
  g_free (self->heading);
  if (from == NULL)
    self->heading = g_strdup_printf ("%s: %s", to, length);
  else if (is_first)
    self->heading = g_strdup_printf ("%s \xe2\x86\x92 %s: %s", from, to, length);
  else
    self->heading = g_strdup_printf ("%s \xe2\x86\x92 %s: %s", to, from, length);
  gtk_label_set_label (self->label, self->heading);
  job = g_new0 (Job, 1);
  job->trace = stria_trace_ref (trace);
  job->t0 = self->t0;
  job->t1 = self->t1;
  self->cancellable = g_cancellable_new ();
  task = g_task_new (NULL, self->cancellable, on_done, g_object_ref (self));
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run_job);
}

void
stria_between_clear (StriaBetween *self)
{
  g_return_if_fail (STRIA_IS_BETWEEN (self));

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->is_set = FALSE;
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

gboolean
stria_between_get (StriaBetween *self, gint64 *t0, gint64 *t1)
{
  g_return_val_if_fail (STRIA_IS_BETWEEN (self), FALSE);

  *t0 = self->t0;
  *t1 = self->t1;
  return self->is_set;
}
