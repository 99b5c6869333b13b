/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-compare-banner.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  GtkInfoBar *bar;
  GtkLabel   *label;
  GtkWidget  *spinner;
  GtkButton  *button;
} Banner;

static void
update (GtkInfoBar *bar, StriaModelCompare *compare)
{
  Banner *self = g_object_get_data (G_OBJECT (bar), "banner");
  const gboolean busy = stria_model_compare_is_busy (compare);
  const char *error = stria_model_compare_get_error (compare);
  const char *name = stria_model_compare_get_name (compare);
  g_autofree char *text = NULL;

  name = name != NULL ? name : "";
  if (busy)
    text = g_strdup_printf (_ ("Reading “%s” to compare with it…"), name);
  else if (error != NULL)
    text = g_strdup_printf (_ ("“%s” could not be compared: %s"), name, error);
  gtk_label_set_label (self->label, text != NULL ? text : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->label), text);
  gtk_widget_set_visible (self->spinner, busy);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), busy);
  gtk_button_set_label (self->button, busy ? _ ("Cancel") : _ ("Close"));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->button),
                               busy ? _ ("Stop reading the second capture")
                                    : _ ("Close the banner"));
  gtk_info_bar_set_message_type (bar, busy ? GTK_MESSAGE_INFO : GTK_MESSAGE_ERROR);
  gtk_info_bar_set_revealed (bar, text != NULL);
  gtk_widget_set_visible (GTK_WIDGET (bar), text != NULL);
}

static void
on_response (GtkInfoBar *bar, int response, StriaModelCompare *compare)
{
  stria_model_compare_cancel (compare);
}

static void
on_changed (GtkInfoBar *bar, StriaModelCompare *compare)
{
  update (bar, compare);
}

GtkWidget *
stria_model_compare_banner_new (StriaModelCompare *compare)
{
  GtkWidget *bar = gtk_info_bar_new ();
  Banner *self = g_new0 (Banner, 1);

  self->bar = GTK_INFO_BAR (bar);
  self->label = GTK_LABEL (gtk_label_new (NULL));
  self->spinner = gtk_spinner_new ();
  gtk_label_set_xalign (self->label, 0);
  gtk_label_set_ellipsize (self->label, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (GTK_WIDGET (self->label), TRUE);
  gtk_info_bar_add_child (self->bar, self->spinner);
  gtk_info_bar_add_child (self->bar, GTK_WIDGET (self->label));
  self->button
      = GTK_BUTTON (gtk_info_bar_add_button (self->bar, _ ("Cancel"), GTK_RESPONSE_CANCEL));
  gtk_widget_add_css_class (bar, "model-banner");
  g_object_set_data_full (G_OBJECT (bar), "banner", self, g_free);
  g_signal_connect_object (bar, "response", G_CALLBACK (on_response), compare, 0);
  g_signal_connect_object (compare, "changed", G_CALLBACK (on_changed), bar, G_CONNECT_SWAPPED);
  update (self->bar, compare);
  return bar;
}
