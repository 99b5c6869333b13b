/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-source-lines.h"

#include <glib/gi18n-lib.h>

#include "stria-format.h"
#include "stria-key-bindings.h"
#include "stria-retell.h"
#include "stria-wrap-box.h"

struct _StriaSourceLines
{
  GtkWidget parent_instance;

  StriaSession *session;
  GCancellable *cancellable;
  StriaMatch   *match; /* that is shown, or NULL */
  char         *search;
  char         *text;  /* the lines that @match is of */
  StriaMatchSums sums;
  gint64        t0, t1; /* from the first to the last event */

  GtkWidget *bar;
  GtkLabel  *label;
  GtkWidget *zoom_button;
  GtkWidget *search_button;
  GtkWidget *previous_button;
  GtkWidget *next_button;
};

G_DEFINE_FINAL_TYPE (StriaSourceLines, stria_source_lines, GTK_TYPE_WIDGET)

/* -- finding ---------------------------------------------------------------------------------- */

typedef struct
{
  StriaSourceIndex *index;
  GArray           *places;
  char             *text;
  char             *search;
  StriaMatchSums    sums;
  gint64            t0, t1;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  stria_source_index_unref (job->index);
  g_array_unref (job->places);
  g_free (job->text);
  g_free (job->search);
  g_free (job);
}

static void
find_range (Job *job, StriaMatch *match)
{
  StriaTrace *trace = stria_source_index_get_trace (job->index);

  job->t0 = G_MAXINT64;
  job->t1 = G_MININT64;
  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      const StriaColumns *c = stria_lane_get_columns (lane);

      if (c == NULL || stria_lane_get_kind (lane) == STRIA_LANE_COUNTER)
        continue;
      for (guint64 e = 0; e < c->n; e++)
        if (stria_match_event (match, lane, e))
          {
            job->t0 = MIN (job->t0, c->start[e]);
            job->t1 = MAX (job->t1, c->start[e] + (c->dur != NULL ? c->dur[e] : 0));
          }
    }
}

static void
find_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;
  StriaMatch *match = stria_source_index_match (
      job->index, (const guint32 *) (gpointer) job->places->data, job->places->len, job->text,
      cancellable, &error);

  if (match != NULL && !stria_match_measure (match, &job->sums, cancellable, &error))
    g_clear_pointer (&match, stria_match_unref);
  if (match == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  find_range (job, match);
  job->search = stria_source_index_search (
      job->index, (const guint32 *) (gpointer) job->places->data, job->places->len);
  g_task_return_pointer (task, match, (GDestroyNotify) stria_match_unref);
}

static void
say (StriaSourceLines *self, const char *text, const char *tooltip, gboolean has_events)
{
  gtk_label_set_label (self->label, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->label), tooltip);
  gtk_widget_set_sensitive (self->zoom_button, has_events);
  gtk_widget_set_sensitive (self->previous_button, has_events);
  gtk_widget_set_sensitive (self->next_button, has_events);
  gtk_widget_set_sensitive (self->search_button, self->search != NULL);
  gtk_widget_set_tooltip_text (
      self->search_button,
      self->search != NULL
          ? _ ("Put a search for these lines into the search bar")
          : _ ("No search finds just these: the lines are too many, or stand in tables of frames"));
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
}

static void
say_found (StriaSourceLines *self)
{
  const StriaMatchSums *sums = &self->sums;
  g_autofree char *count = stria_format_count (sums->count);
  g_autofree char *total = stria_format_duration (sums->summed_ns, 4);
  g_autofree char *busy = stria_format_duration (sums->merged_ns, 4);
  g_autofree char *exact = stria_format_ns (sums->summed_ns);
  g_autofree char *text = NULL;
  g_autofree char *tooltip = NULL;

  if (sums->count == 0)
    text = g_strdup_printf (_ ("%s: no event of the timeline names it"), self->text);
  else
    /* Translators: lines of source; how many events are of them; the sum of their durations; the time
     * in which at least one of them runs */
    text = g_strdup_printf (ngettext ("%s: %s event, %s in total, %s busy",
                                      "%s: %s events, %s in total, %s busy", sums->count),
                            self->text, count, total, busy);
  tooltip = g_strdup_printf (_ ("In the whole capture. In total: durations added up (%s), also of "
                                "events that overlap. Busy: time in which at least one runs."),
                             exact);
  say (self, text, tooltip, sums->count > 0);
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaSourceLines) self = user_data;
  Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaMatch) match = g_task_propagate_pointer (G_TASK (result), &error);

  if (match == NULL || self->session == NULL
      || g_task_get_cancellable (G_TASK (result)) != self->cancellable
      || stria_source_index_get_trace (job->index) != stria_session_get_trace (self->session))
    return;
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->match, stria_match_unref);
  self->match = stria_match_ref (match);
  g_free (self->search);
  self->search = g_steal_pointer (&job->search);
  self->t0 = job->t0;
  self->t1 = job->t1;
  stria_session_show_match (self->session, job->sums.count > 0 ? match : NULL);
  self->sums = job->sums;
  g_free (self->text);
  self->text = g_steal_pointer (&job->text);
  say_found (self);
}

void
stria_source_lines_choose (StriaSourceLines *self, StriaSourceIndex *index, const guint32 *places,
                           guint n_places, const char *text)
{
  g_autoptr (GTask) task = NULL;
  Job *job;

  g_return_if_fail (STRIA_IS_SOURCE_LINES (self));

  if (stria_source_index_get_trace (index) == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  job = g_new0 (Job, 1);
  job->index = stria_source_index_ref (index);
  job->places = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_vals (job->places, places, n_places);
  job->text = g_strdup (text);
  task = g_task_new (NULL, self->cancellable, on_found, g_object_ref (self));
  g_task_set_source_tag (task, stria_source_lines_choose);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, find_in_thread);
}

void
stria_source_lines_say (StriaSourceLines *self, const char *text)
{
  g_return_if_fail (STRIA_IS_SOURCE_LINES (self));

  stria_source_lines_clear (self);
  g_clear_pointer (&self->search, g_free);
  say (self, text, NULL, FALSE);
}

gboolean
stria_source_lines_clear (StriaSourceLines *self)
{
  gboolean is_ours;

  g_return_val_if_fail (STRIA_IS_SOURCE_LINES (self), FALSE);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  is_ours = self->match != NULL && stria_session_get_match (self->session) == self->match;
  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    return FALSE;
  g_clear_pointer (&self->match, stria_match_unref);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  if (is_ours)
    stria_session_show_match (self->session, NULL);
  return TRUE;
}

/* Whoever searches now takes the highlight over. */
static void
on_match_changed (StriaSourceLines *self)
{
  StriaMatch *match = stria_session_get_match (self->session);

  if (self->match == NULL || match == NULL || match == self->match)
    return;
  g_clear_pointer (&self->match, stria_match_unref);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

static void
retell (StriaSourceLines *self)
{
  if (self->match != NULL && gtk_widget_get_visible (GTK_WIDGET (self)))
    say_found (self);
}

static void
on_trace_changed (StriaSourceLines *self)
{
  stria_source_lines_clear (self);
}

/* -- buttons ---------------------------------------------------------------------------------- */

static void
step (StriaSourceLines *self, gboolean forward)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-view", "s", "timeline");
  stria_session_search_next (self->session, forward);
}

static void
on_previous (StriaSourceLines *self)
{
  step (self, FALSE);
}

static void
on_next (StriaSourceLines *self)
{
  step (self, TRUE);
}

static void
on_zoom (StriaSourceLines *self)
{
  const gint64 margin = MAX ((self->t1 - self->t0) / 20, 50);

  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-view", "s", "timeline");
  stria_session_set_view (self->session, self->t0 - margin, self->t1 + margin);
}

static void
on_search (StriaSourceLines *self)
{
  g_autofree char *search = g_strdup (self->search);

  gtk_widget_activate_action (GTK_WIDGET (self), "win.search-text", "s", search);
}

static void
on_clear (StriaSourceLines *self)
{
  stria_source_lines_clear (self);
}

static void
stria_source_lines_dispose (GObject *object)
{
  StriaSourceLines *self = STRIA_SOURCE_LINES (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->match, stria_match_unref);
  g_clear_pointer (&self->search, g_free);
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->bar, gtk_widget_unparent);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (stria_source_lines_parent_class)->dispose (object);
}

static void
stria_source_lines_class_init (StriaSourceLinesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_source_lines_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
add_button (StriaSourceLines *self, const char *icon, const char *label, const char *tooltip,
            GCallback clicked)
{
  GtkWidget *button = icon != NULL ? gtk_button_new_from_icon_name (icon)
                                   : gtk_button_new_with_label (label);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, tooltip);
  if (icon != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                    -1);
  g_signal_connect_swapped (button, "clicked", clicked, self);
  stria_wrap_box_append (STRIA_WRAP_BOX (self->bar), button);
  return button;
}

static void
stria_source_lines_init (StriaSourceLines *self)
{
  self->bar = stria_wrap_box_new (3, 0);
  gtk_widget_add_css_class (self->bar, "view-bar");
  self->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->label, 0);
  gtk_label_set_ellipsize (self->label, PANGO_ELLIPSIZE_START);
  gtk_widget_set_hexpand (GTK_WIDGET (self->label), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "numeric");
  stria_wrap_box_append (STRIA_WRAP_BOX (self->bar), GTK_WIDGET (self->label));
  self->previous_button
      = add_button (self, "go-up-symbolic", _ ("Previous event of these lines"),
                    _ ("To the event before (Shift+F3)"), G_CALLBACK (on_previous));
  self->next_button = add_button (self, "go-down-symbolic", _ ("Next event of these lines"),
                                  _ ("To the next event (F3)"), G_CALLBACK (on_next));
  self->zoom_button
      = add_button (self, NULL, _ ("Zoom to Them"),
                    _ ("Show the timeline from the first to the last of them (Ctrl+Shift+Z)"),
                    G_CALLBACK (on_zoom));
  stria_key_tooltip (self->previous_button, "win.search-previous");
  stria_key_tooltip (self->next_button, "win.search-next");
  stria_key_tooltip (self->zoom_button, "source.zoom");
  self->search_button = add_button (self, NULL, _ ("Select as Search"), NULL,
                                    G_CALLBACK (on_search));
  add_button (self, "window-close-symbolic", _ ("No longer highlight these lines"),
              _ ("No longer highlight them (Escape)"), G_CALLBACK (on_clear));
  gtk_widget_set_parent (self->bar, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
stria_source_lines_new (StriaSession *session)
{
  StriaSourceLines *self = g_object_new (STRIA_TYPE_SOURCE_LINES, NULL);

  self->session = g_object_ref (session);
  stria_retell_connect (self, G_CALLBACK (retell));
  g_signal_connect_object (session, "match-changed", G_CALLBACK (on_match_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "trace-changed", G_CALLBACK (on_trace_changed), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

void
stria_source_lines_zoom (StriaSourceLines *self)
{
  g_return_if_fail (STRIA_IS_SOURCE_LINES (self));

  if (self->match != NULL && self->t0 <= self->t1)
    on_zoom (self);
}
