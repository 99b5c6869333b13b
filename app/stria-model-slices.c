/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-slices.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-details-rows.h"
#include "stria-model-text.h"
#include "stria-profile-slices.h"

/* Executions that are linked; a long recording has thousands alike. */
#define MAX_LINKS 12

static GtkWidget *
link_new (StriaProfile *profile, guint32 event)
{
  const guint32 execution = stria_profile_execution_of_event (profile, event);
  g_autofree char *text = execution != STRIA_NO_REF
                              ? g_strdup_printf (_ ("Execution %u"), execution + 1)
                              : g_strdup (_ ("Loading"));
  const char *unit;
  const double duration = stria_profile_event_duration (profile, event, &unit);
  g_autofree char *note
      = isnan (duration) ? NULL : stria_model_value_text (duration, unit, FALSE);
  GtkWidget *button
      = stria_details_link_new (text, note, NULL, _ ("Select its slice in the timeline"));

  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "u", event);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "model.show-event");
  return button;
}

void
stria_model_add_slices (GtkBox *box, StriaModelState *state, guint32 entity)
{
  StriaProfile *profile = stria_model_state_get_index (state)->profile;
  const guint32 timed = stria_profile_timed_entity (profile, entity);
  g_autoptr (GArray) events = stria_profile_events_of (profile, entity);
  g_autofree char *note = NULL;
  GtkWidget *body;

  if (events->len == 0)
    return;
  if (timed != entity)
    {
      g_autofree char *call = stria_model_entity_text (stria_profile_entity (profile, timed));

      /* Translators: the call of a program that something is a part of, by name */
      note = g_strdup_printf (_ ("of its call %s"), call);
    }
  gtk_box_append (box, stria_details_section_new (_ ("In the Timeline"), note, &body));
  for (guint i = 0; i < MIN (events->len, MAX_LINKS); i++)
    gtk_box_append (GTK_BOX (body), link_new (profile, g_array_index (events, guint32, i)));
  if (events->len > MAX_LINKS)
    {
      const guint more = events->len - MAX_LINKS;
      g_autofree char *text
          = g_strdup_printf (ngettext ("and %u more", "and %u more", more), more);
      GtkWidget *label = gtk_label_new (text);

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_widget_add_css_class (label, "dim-label");
      gtk_widget_add_css_class (label, "caption");
      gtk_box_append (GTK_BOX (body), label);
    }
}

typedef struct
{
  StriaSession *session;
  StriaRef      ref;
  guint         frames; /* to wait for */
} Reveal;

static void
reveal_free (gpointer data)
{
  Reveal *job = data;

  g_object_unref (job->session);
  g_free (job);
}

/* A timeline that was never seen has no size yet, and cannot bring anything into sight. */
static gboolean
on_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  Reveal *job = user_data;

  if (job->frames-- > 0)
    return G_SOURCE_CONTINUE;
  stria_session_reveal (job->session, job->ref);
  return G_SOURCE_REMOVE;
}

gboolean
stria_model_show_event (GtkWidget *widget, StriaModelState *state, StriaSession *session,
                        guint32 event)
{
  StriaModelIndex *index = stria_model_state_get_index (state);
  StriaTrace *trace = stria_session_get_trace (session);
  const StriaRef ref = index != NULL && trace != NULL
                           ? stria_profile_find_slice (index->profile, trace, event)
                           : STRIA_REF_NONE;
  Reveal *job;

  if (stria_ref_is_none (ref))
    return FALSE;
  gtk_widget_activate_action (widget, "win.show-view", "s", "timeline");
  job = g_new (Reveal, 1);
  *job = (Reveal){ g_object_ref (session), ref, 2 };
  gtk_widget_add_tick_callback (GTK_WIDGET (gtk_widget_get_root (widget)), on_frame, job,
                                reveal_free);
  return TRUE;
}

guint
stria_model_set_of_slice (StriaSession *session, StriaRef ref)
{
  StriaTrace *trace = stria_session_get_trace (session);
  g_autoptr (GPtrArray) sets = NULL;
  guint artifact;

  if (trace == NULL || ref.lane >= stria_trace_get_n_lanes (trace))
    return G_MAXUINT;
  artifact = stria_lane_get_artifact (stria_trace_get_lane (trace, ref.lane));
  sets = stria_profile_sets (stria_session_get_capture (session));
  for (guint i = 0; i < sets->len; i++)
    if (((StriaProfileSet *) sets->pdata[i])->dump == artifact)
      return i;
  return G_MAXUINT;
}

guint32
stria_model_entity_of_slice (StriaModelState *state, StriaSession *session, StriaRef ref)
{
  StriaModelIndex *index = stria_model_state_get_index (state);
  StriaTrace *trace = stria_session_get_trace (session);
  guint32 event;

  if (index == NULL || trace == NULL)
    return STRIA_NO_REF;
  event = stria_profile_event_of_slice (index->profile, trace, ref);
  return event != STRIA_NO_REF ? stria_profile_entity_of_event (index->profile, event)
                               : STRIA_NO_REF;
}
