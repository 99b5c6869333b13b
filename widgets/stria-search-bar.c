/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-search-bar.h"

#include <glib/gi18n-lib.h>

#include "stria-format.h"
#include "stria-key-bindings.h"
#include "stria-retell.h"

struct _StriaSearchBar
{
  GtkWidget parent_instance;

  StriaSession *session;
  gboolean      search_mode;
  gboolean      searched_args;

  StriaMatch    *measured; /* that @sums are of, or are being made of */
  StriaMatchSums sums;
  gboolean       has_sums;
  GCancellable  *measuring;

  GtkSearchBar    *bar;
  GtkSearchEntry  *entry;
  GtkToggleButton *args_button;
  GtkWidget       *previous_button;
  GtkWidget       *next_button;
  GtkSpinner      *spinner;
  GtkLabel        *count_label;
};

enum
{
  PROP_0,
  PROP_SEARCH_MODE,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (StriaSearchBar, stria_search_bar, GTK_TYPE_WIDGET)

/* What the durations come to, once they are known */
static char *
describe_sums (StriaSearchBar *self)
{
  g_autofree char *summed = stria_format_duration (self->sums.summed_ns, 4);
  g_autofree char *merged = stria_format_duration (self->sums.merged_ns, 4);

  /* Translators: durations: of all matches added up, and the time in which at least one runs */
  return g_strdup_printf (_ ("%s summed, %s merged"), summed, merged);
}

static char *
describe (StriaSearchBar *self, StriaMatch *match)
{
  guint64 by_name = stria_match_n_events (match);
  guint64 by_args = stria_match_has_args (match) ? stria_match_n_by_args (match) : 0;
  guint64 ordinal = stria_session_get_match_ordinal (self->session);
  guint32 n_names = stria_match_n_names (match);
  g_autofree char *total = stria_format_count (by_name + by_args);
  g_autofree char *names = stria_format_count (n_names);
  g_autofree char *events = NULL;
  g_autofree char *in_names = NULL;
  g_autofree char *in_args = NULL;

  if (stria_match_get_error (match) != NULL)
    /* Translators: the expression of a search, and what is wrong with it */
    return g_strdup_printf (_ ("No expression: %s"), stria_match_get_error (match));
  if (by_name + by_args == 0)
    return g_strdup (_ ("No matches"));

  if (ordinal > 0)
    {
      g_autofree char *current = stria_format_count (ordinal);

      /* Translators: number of the current match, and how many there are */
      events = g_strdup_printf (ngettext ("%s of %s event", "%s of %s events", by_name + by_args),
                                current, total);
    }
  else
    events = g_strdup_printf (ngettext ("%s event", "%s events", by_name + by_args), total);

  in_names = g_strdup_printf (ngettext ("%s name", "%s names", n_names), names);
  if (!stria_match_has_args (match))
    /* Translators: "3,456 events, 7 names" */
    return g_strdup_printf (_ ("%s, %s"), events, in_names);

  in_args = stria_format_count (by_args);
  /* Translators: "3,456 events, 7 names; by arguments alone: 88" */
  return g_strdup_printf (_ ("%s, %s; by arguments alone: %s"), events, in_names, in_args);
}

typedef struct
{
  StriaMatch    *match;
  StriaMatchSums sums;
} MeasureJob;

static void
measure_job_free (gpointer data)
{
  MeasureJob *job = data;

  stria_match_unref (job->match);
  g_free (job);
}

static void
measure_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  MeasureJob *job = task_data;
  GError *error = NULL;

  if (stria_match_measure (job->match, &job->sums, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void update (StriaSearchBar *self);

static void
on_measured (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaSearchBar) self = user_data;
  MeasureJob *job = g_task_get_task_data (G_TASK (result));

  if (!g_task_propagate_boolean (G_TASK (result), NULL) || job->match != self->measured)
    return;
  self->sums = job->sums;
  self->has_sums = TRUE;
  update (self);
}

/* Durations are read from the events of the match, which takes a worker. */
static void
measure (StriaSearchBar *self, StriaMatch *match)
{
  MeasureJob *job = NULL;
  g_autoptr (GTask) task = NULL;

  if (match == self->measured)
    return;
  g_cancellable_cancel (self->measuring);
  g_clear_object (&self->measuring);
  g_clear_pointer (&self->measured, stria_match_unref);
  self->has_sums = FALSE;
  if (match == NULL)
    return;
  self->measured = stria_match_ref (match);
  self->measuring = g_cancellable_new ();
  job = g_new0 (MeasureJob, 1);
  job->match = stria_match_ref (match);
  task = g_task_new (NULL, self->measuring, on_measured, g_object_ref (self));
  g_task_set_source_tag (task, measure);
  g_task_set_task_data (task, job, measure_job_free);
  g_task_run_in_thread (task, measure_in_thread);
}

static void
update (StriaSearchBar *self)
{
  StriaMatch *match = stria_session_get_match (self->session);
  gboolean busy = stria_session_is_searching (self->session);
  g_autofree char *text = match != NULL ? describe (self, match) : g_strdup ("");
  gboolean found =
      match != NULL && stria_match_n_events (match) + stria_match_n_by_args (match) > 0;

  measure (self, found ? match : NULL);
  if (self->has_sums && self->sums.summed_ns > 0)
    {
      g_autofree char *counts = g_steal_pointer (&text);
      g_autofree char *sums = describe_sums (self);

      text = g_strdup_printf ("%s \302\267 %s", counts, sums);
    }

  gtk_spinner_set_spinning (self->spinner, busy);
  if (busy && !found)
    gtk_label_set_label (self->count_label, _ ("Searching events…"));
  else
    gtk_label_set_label (self->count_label, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->count_label), text);
  gtk_widget_set_sensitive (self->previous_button, found);
  gtk_widget_set_sensitive (self->next_button, found);
  if (match != NULL && !found && !busy)
    gtk_widget_add_css_class (GTK_WIDGET (self->entry), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->entry), "error");
}

static void
search_now (StriaSearchBar *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  gboolean with_args = gtk_toggle_button_get_active (self->args_button);
  StriaMatch *match = stria_session_get_match (self->session);

  if (match != NULL && g_str_equal (stria_match_get_text (match), text) &&
      with_args == (stria_match_has_args (match)
                    || (stria_session_is_searching (self->session) && self->searched_args)))
    return;
  self->searched_args = with_args;
  stria_session_search (self->session, text, with_args);
}

static void
on_search_changed (StriaSearchBar *self)
{
  if (self->session != NULL && self->search_mode)
    search_now (self);
}

/* Enter may come before the entry's own delay has passed. */
static void
step (StriaSearchBar *self, gboolean forward)
{
  search_now (self);
  stria_session_search_next (self->session, forward);
}

static void
on_next (StriaSearchBar *self)
{
  step (self, TRUE);
}

static void
on_previous (StriaSearchBar *self)
{
  step (self, FALSE);
}

static void
on_stop (StriaSearchBar *self)
{
  stria_search_bar_set_search_mode (self, FALSE);
}

static gboolean
on_key_pressed (StriaSearchBar *self, guint keyval, guint keycode, GdkModifierType state)
{
  if (keyval != GDK_KEY_Return && keyval != GDK_KEY_KP_Enter && keyval != GDK_KEY_ISO_Enter)
    return GDK_EVENT_PROPAGATE;
  step (self, (state & GDK_SHIFT_MASK) == 0);
  return GDK_EVENT_STOP;
}

static void
stria_search_bar_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  StriaSearchBar *self = STRIA_SEARCH_BAR (object);

  switch (prop_id)
    {
    case PROP_SEARCH_MODE:
      g_value_set_boolean (value, self->search_mode);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
stria_search_bar_set_property (GObject *object, guint prop_id, const GValue *value,
                               GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_SEARCH_MODE:
      stria_search_bar_set_search_mode (STRIA_SEARCH_BAR (object), g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
stria_search_bar_dispose (GObject *object)
{
  StriaSearchBar *self = STRIA_SEARCH_BAR (object);
  GtkWidget *child;

  g_cancellable_cancel (self->measuring);
  g_clear_object (&self->measuring);
  g_clear_pointer (&self->measured, stria_match_unref);
  g_clear_object (&self->session);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (stria_search_bar_parent_class)->dispose (object);
}

static void
stria_search_bar_class_init (StriaSearchBarClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = stria_search_bar_get_property;
  object_class->set_property = stria_search_bar_set_property;
  object_class->dispose = stria_search_bar_dispose;

  properties[PROP_SEARCH_MODE] =
    g_param_spec_boolean ("search-mode", NULL, NULL, FALSE,
                          G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stria/Stria/ui/stria-search-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, StriaSearchBar, bar);
  gtk_widget_class_bind_template_child (widget_class, StriaSearchBar, entry);
  gtk_widget_class_bind_template_child (widget_class, StriaSearchBar, args_button);
  gtk_widget_class_bind_template_child (widget_class, StriaSearchBar, previous_button);
  gtk_widget_class_bind_template_child (widget_class, StriaSearchBar, next_button);
  gtk_widget_class_bind_template_child (widget_class, StriaSearchBar, spinner);
  gtk_widget_class_bind_template_child (widget_class, StriaSearchBar, count_label);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_next);
  gtk_widget_class_bind_template_callback (widget_class, on_previous);
  gtk_widget_class_bind_template_callback (widget_class, on_stop);
}

static void
stria_search_bar_init (StriaSearchBar *self)
{
  GtkEventController *keys;

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_search_bar_connect_entry (self->bar, GTK_EDITABLE (self->entry));
  stria_key_tooltip (GTK_WIDGET (self->entry), "win.search");
  stria_key_tooltip (GTK_WIDGET (self->previous_button), "timeline.previous-match");
  stria_key_tooltip (GTK_WIDGET (self->next_button), "timeline.next-match");

  /* Before the entry, which would take Enter as its activation whatever the modifiers. */
  keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self->entry), keys);
}

/**
 * stria_search_bar_new:
 * @session: whose search it shows and sets
 *
 * Returns: (transfer full): a closed search bar
 */
GtkWidget *
stria_search_bar_new (StriaSession *session)
{
  StriaSearchBar *self;

  g_return_val_if_fail (STRIA_IS_SESSION (session), NULL);

  self = g_object_new (STRIA_TYPE_SEARCH_BAR, NULL);
  self->session = g_object_ref (session);
  g_signal_connect_object (session, "match-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  stria_retell_connect (self, G_CALLBACK (update));
  g_signal_connect_object (session, "selection-changed", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

void
stria_search_bar_focus (StriaSearchBar *self)
{
  g_return_if_fail (STRIA_IS_SEARCH_BAR (self));

  stria_search_bar_set_search_mode (self, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
}

void
stria_search_bar_set_text (StriaSearchBar *self, const char *text)
{
  g_return_if_fail (STRIA_IS_SEARCH_BAR (self));

  stria_search_bar_set_search_mode (self, TRUE);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  search_now (self);
}

gboolean
stria_search_bar_get_search_mode (StriaSearchBar *self)
{
  g_return_val_if_fail (STRIA_IS_SEARCH_BAR (self), FALSE);

  return self->search_mode;
}

void
stria_search_bar_set_search_mode (StriaSearchBar *self, gboolean search_mode)
{
  g_return_if_fail (STRIA_IS_SEARCH_BAR (self));

  if (self->search_mode == search_mode)
    return;
  self->search_mode = search_mode;
  if (!search_mode && self->session != NULL)
    {
      stria_session_search (self->session, NULL, FALSE);
      gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SEARCH_MODE]);
}
