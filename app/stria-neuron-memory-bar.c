/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-neuron-memory-parts.h"

#include <glib/gi18n-lib.h>

#include "stria-wrap-box.h"

static void
on_color (StriaNeuronMemoryView *self)
{
  stria_address_map_set_color (
      STRIA_ADDRESS_MAP (self->map),
      (StriaAddressColor) gtk_drop_down_get_selected (self->color_chooser));
  stria_neuron_memory_panel_fill (self);
}

static void
on_peak (StriaNeuronMemoryView *self)
{
  stria_address_map_go_peak (STRIA_ADDRESS_MAP (self->map));
}

static void
on_fit (StriaNeuronMemoryView *self)
{
  stria_address_map_fit (STRIA_ADDRESS_MAP (self->map));
}

static GtkDropDown *
chooser_new (StriaNeuronMemoryView *self, const char *const *names, const char *label,
             GCallback callback)
{
  GtkWidget *chooser = gtk_drop_down_new_from_strings (names);

  gtk_widget_set_tooltip_text (chooser, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (chooser), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  g_signal_connect_swapped (chooser, "notify::selected", callback, self);
  stria_wrap_box_append (STRIA_WRAP_BOX (self->bar), chooser);
  return GTK_DROP_DOWN (chooser);
}

void
stria_neuron_memory_bar_fill (StriaNeuronMemoryView *self, GCallback on_subject, GCallback on_where,
                              GCallback on_partition)
{
  const char *none[] = { NULL };
  const char *colors[] = { _ ("Tensor"), _ ("Instruction or DMA"), _ ("Opcode or queue"),
                           _ ("HLO name"), NULL };
  GtkWidget *switcher = gtk_stack_switcher_new ();

  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), self->pages);
  gtk_accessible_update_property (GTK_ACCESSIBLE (switcher), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Pages of device memory"), -1);
  self->bar = stria_wrap_box_new (6, 4);
  gtk_widget_add_css_class (self->bar, "view-bar");
  /* As high on pages that have nothing to choose */
  gtk_widget_set_size_request (self->bar, -1, 40);
  stria_wrap_box_append (STRIA_WRAP_BOX (self->bar), switcher);
  self->subject_chooser = chooser_new (self, none, _ ("Profile"), on_subject);
  self->where_chooser = chooser_new (self, none, _ ("Core or memory"),
                                     on_where);
  self->partition_chooser = chooser_new (self, none, _ ("Partition of SBUF"),
                                         on_partition);
  self->color_chooser = chooser_new (self, colors, _ ("What the colour says"),
                                     G_CALLBACK (on_color));
  self->peak_button = gtk_button_new_with_label (_ ("Peak"));
  gtk_widget_set_tooltip_text (self->peak_button, _ ("Go to the moment with most bytes (P)"));
  g_signal_connect_swapped (self->peak_button, "clicked", G_CALLBACK (on_peak), self);
  stria_wrap_box_append (STRIA_WRAP_BOX (self->bar), self->peak_button);
  self->fit_button = gtk_button_new_from_icon_name ("zoom-fit-best-symbolic");
  gtk_widget_set_tooltip_text (self->fit_button, _ ("Show the whole recording (F)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->fit_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Show the whole recording"),
                                  -1);
  g_signal_connect_swapped (self->fit_button, "clicked", G_CALLBACK (on_fit), self);
  stria_wrap_box_append (STRIA_WRAP_BOX (self->bar), self->fit_button);
  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  stria_wrap_box_append (STRIA_WRAP_BOX (self->bar), GTK_WIDGET (self->spinner));
  self->note = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->note, 0);
  gtk_label_set_wrap (self->note, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->note), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->note), "panel-header");
  gtk_widget_set_visible (GTK_WIDGET (self->note), FALSE);
}
