/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-notes.h"

#include <glib/gi18n-lib.h>

#include "stria-details-rows.h"
#include "stria-model-text.h"
#include "stria-paint-size.h"

#define WIDTH ((int) stria_text_px (860))

struct _StriaModelNotes
{
  GtkWidget parent_instance;

  StriaModelState *state;
  GtkWidget       *scroller;
  GtkWidget       *box;
};

G_DEFINE_FINAL_TYPE (StriaModelNotes, stria_model_notes, GTK_TYPE_WIDGET)

static const char *
companion_text (StriaCompanion companion)
{
  switch (companion)
    {
    case STRIA_COMPANION_MATCHES:
      return _ ("The program matches the capture. That is no proof that it is the one that ran.");
    case STRIA_COMPANION_NOT_VERIFIABLE:
      return _ (
          "Nothing confirms that the capture is of this program, and nothing contradicts it.");
    case STRIA_COMPANION_REFUSED:
      return _ ("The program contradicts the capture, so nothing of it is linked.");
    case STRIA_COMPANION_NONE:
    default:
      return _ ("There is no program with a call of the VGF backend.");
    }
}

static const char *
check_text (StriaCheckState state)
{
  switch (state)
    {
    case STRIA_CHECK_PASS:
      return _ ("passed");
    case STRIA_CHECK_FAIL:
      return _ ("failed");
    case STRIA_CHECK_UNKNOWN:
    default:
      return _ ("cannot be told");
    }
}

/* What a check looks at, by its stable name. */
static const char *
check_title (const char *name)
{
  static const struct
  {
    const char *name;
    const char *title;
  } checks[] = {
    { "method-exists", N_ ("Method") },
    { "instructions-in-plan", N_ ("Instructions of the record in the plan") },
    { "delegates-agree", N_ ("Delegates of the record and of the plan") },
    { "calls-in-plan", N_ ("Measured calls in the plan") },
    { "vgf-events-in-plan", N_ ("Events of the VGF backend at its calls") },
    { "segments-in-vgf", N_ ("Measured segments in the VGF") },
    { "labels-in-vgf", N_ ("Labels of the debug database in the VGF") },
    { "inputs-agree", N_ ("Inputs") },
    { "outputs-agree", N_ ("Outputs") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    if (g_str_equal (checks[i].name, name))
      return _ (checks[i].title);
  return name;
}

static GtkWidget *
text_new (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_can_focus (label, FALSE);
  return label;
}

static GtkWidget *
add_section (StriaModelNotes *self, const char *title)
{
  GtkWidget *body;

  gtk_box_append (GTK_BOX (self->box), stria_details_section_new (title, NULL, &body));
  gtk_box_set_spacing (GTK_BOX (body), 4);
  return body;
}

static void
add_remarks (StriaModelNotes *self, const char *title, const GPtrArray *remarks)
{
  GtkWidget *body = add_section (self, title);

  for (guint i = 0; i < remarks->len; i++)
    gtk_box_append (GTK_BOX (body), text_new (((StriaRemark *) remarks->pdata[i])->message));
  if (remarks->len == 0)
    gtk_box_append (GTK_BOX (body), text_new (_ ("None")));
}

static void
add_checks (StriaModelNotes *self, StriaProfile *profile)
{
  const GPtrArray *checks = stria_profile_get_checks (profile);
  GtkWidget *body = add_section (self, _ ("Program and capture"));

  gtk_box_append (GTK_BOX (body),
                  text_new (companion_text (stria_profile_get_companion (profile))));
  for (guint i = 0; i < checks->len; i++)
    {
      const StriaCheck *check = checks->pdata[i];
      g_autofree char *text
          = g_strdup_printf ("%s: %s (%s)", check_title (check->name), check_text (check->state),
                             check->detail);
      GtkWidget *row = text_new (text);

      if (check->state == STRIA_CHECK_FAIL)
        gtk_widget_add_css_class (row, "error");
      gtk_box_append (GTK_BOX (body), row);
    }
}

static void
add_provenance (StriaModelNotes *self, StriaProfile *profile)
{
  const GPtrArray *facts = stria_profile_get_provenance (profile);
  GtkWidget *table = stria_details_table_new ();

  gtk_box_append (GTK_BOX (add_section (self, _ ("Where it comes from"))), table);
  for (guint i = 0; i + 1 < facts->len; i += 2)
    stria_details_table_add (table, facts->pdata[i], facts->pdata[i + 1], NULL);
}

static void
update (StriaModelNotes *self)
{
  StriaModelIndex *index = stria_model_state_get_index (self->state);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->box)) != NULL)
    gtk_box_remove (GTK_BOX (self->box), child);
  if (index == NULL)
    return;
  add_remarks (self, _ ("Assumptions"), stria_profile_get_assumptions (index->profile));
  add_remarks (self, _ ("Warnings"), stria_profile_get_warnings (index->profile));
  add_checks (self, index->profile);
  add_provenance (self, index->profile);
}

char *
stria_model_notes_text (StriaModelIndex *index, GtkMessageType *type)
{
  const GPtrArray *assumptions = stria_profile_get_assumptions (index->profile);
  const GPtrArray *warnings = stria_profile_get_warnings (index->profile);
  const gboolean refused
      = stria_profile_get_companion (index->profile) == STRIA_COMPANION_REFUSED;
  g_autoptr (GString) text = g_string_new (NULL);
  const StriaModelMetric metric = { NULL, STRIA_AGGREGATION_SUM };
  StriaModelScale scale;

  stria_model_index_scale (index, &metric, STRIA_ENTITY_CHAIN, &scale);
  *type = refused || warnings->len > 0 || scale.n_incomplete > 0 ? GTK_MESSAGE_WARNING
                                                                 : GTK_MESSAGE_INFO;
  if (refused)
    g_string_append (text, _ ("The program contradicts the capture and is left out. "));
  if (scale.n_incomplete > 0)
    g_string_append_printf (
        text,
        ngettext ("%u chain was not measured in all executions. ",
                  "%u chains were not measured in all executions. ", scale.n_incomplete),
        scale.n_incomplete);
  for (guint i = 0; i < assumptions->len; i++)
    g_string_append_printf (text, "%s ", ((StriaRemark *) assumptions->pdata[i])->message);
  if (warnings->len > 0)
    g_string_append_printf (text, ngettext ("%u warning.", "%u warnings.", warnings->len),
                            warnings->len);
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static void
stria_model_notes_dispose (GObject *object)
{
  StriaModelNotes *self = STRIA_MODEL_NOTES (object);

  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_object (&self->state);
  G_OBJECT_CLASS (stria_model_notes_parent_class)->dispose (object);
}

static void
stria_model_notes_class_init (StriaModelNotesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_model_notes_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
stria_model_notes_init (StriaModelNotes *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (self->box, "details");
  gtk_widget_set_halign (self->box, GTK_ALIGN_CENTER);
  gtk_widget_set_size_request (self->box, WIDTH, -1);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->box);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}

GtkWidget *
stria_model_notes_new (StriaModelState *state)
{
  StriaModelNotes *self = g_object_new (STRIA_TYPE_MODEL_NOTES, NULL);

  self->state = g_object_ref (state);
  update (self);
  g_signal_connect_object (state, "profile-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
