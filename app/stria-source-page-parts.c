/* SPDX-License-Identifier: Apache-2.0 */
/* What a page of source is made of. */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "stria-source-folders.h"
#include "stria-source-page-private.h"

void
stria_source_page_set_colors (StriaSourcePage *self)
{
  const gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GtkSourceStyleSchemeManager *schemes = gtk_source_style_scheme_manager_get_default ();

  gtk_source_buffer_set_style_scheme (
      self->buffer, gtk_source_style_scheme_manager_get_scheme (
                        schemes, dark ? "Adwaita-dark" : "Adwaita"));
  g_object_set (self->mark, "paragraph-background-rgba",
                dark ? &(GdkRGBA){ 0.36f, 0.29f, 0.0f, 1 } : &(GdkRGBA){ 1, 0.93f, 0.62f, 1 },
                NULL);
}

GtkWidget *
stria_source_page_header_new (StriaSourcePage *self)
{
  GtkWidget *header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->title = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->title, 0);
  gtk_label_set_ellipsize (self->title, PANGO_ELLIPSIZE_START);
  gtk_label_set_selectable (self->title, TRUE);
  gtk_widget_set_focusable (GTK_WIDGET (self->title), FALSE);
  gtk_widget_set_hexpand (GTK_WIDGET (self->title), TRUE);
  self->note = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->note, PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (GTK_WIDGET (self->note), "warning");
  gtk_widget_set_visible (GTK_WIDGET (self->note), FALSE);
  self->copy_button = gtk_button_new_from_icon_name ("edit-copy-symbolic");
  gtk_widget_set_tooltip_text (self->copy_button, _ ("Copy path and line"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->copy_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Copy path and line"), -1);
  gtk_widget_set_sensitive (self->copy_button, FALSE);
  g_signal_connect_swapped (self->copy_button, "clicked", G_CALLBACK (stria_source_page_copy), self);
  self->again_button = gtk_button_new_from_icon_name ("view-refresh-symbolic");
  gtk_widget_set_tooltip_text (self->again_button, _ ("Look for the file and read it again"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->again_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Read again"), -1);
  g_signal_connect_swapped (self->again_button, "clicked", G_CALLBACK (stria_source_page_again), self);
  self->folders = stria_source_folders_new ();
  g_signal_connect_swapped (self->folders, "changed", G_CALLBACK (stria_source_page_folders_changed), self);
  gtk_widget_add_css_class (header, "panel-header");
  gtk_widget_set_valign (self->copy_button, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (self->again_button, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (self->folders, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (header), GTK_WIDGET (self->title));
  gtk_box_append (GTK_BOX (header), GTK_WIDGET (self->note));
  gtk_box_append (GTK_BOX (header), self->copy_button);
  gtk_box_append (GTK_BOX (header), self->again_button);
  gtk_box_append (GTK_BOX (header), self->folders);
  return header;
}

GtkWidget *
stria_source_page_text_new (StriaSourcePage *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkEventController *scroll
      = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *press = gtk_gesture_click_new ();

  self->buffer = gtk_source_buffer_new (NULL);
  self->mark = gtk_text_buffer_create_tag (GTK_TEXT_BUFFER (self->buffer), NULL, NULL);
  gtk_source_buffer_set_highlight_matching_brackets (self->buffer, FALSE);
  self->text = GTK_SOURCE_VIEW (gtk_source_view_new_with_buffer (self->buffer));
  gtk_source_view_set_show_line_numbers (self->text, TRUE);
  gtk_source_view_set_tab_width (self->text, 4);
  gtk_text_view_set_editable (GTK_TEXT_VIEW (self->text), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (self->text), TRUE);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (self->text), 6);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (self->text), 3);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (self->text), 48);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->text), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Source code"), -1);
  gtk_event_controller_set_propagation_phase (scroll, GTK_PHASE_CAPTURE);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (press), GTK_PHASE_CAPTURE);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (press), 0);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (stria_source_page_stop_scrolling), self);
  g_signal_connect_swapped (press, "pressed", G_CALLBACK (stria_source_page_stop_scrolling), self);
  gtk_widget_add_controller (scrolled, scroll);
  gtk_widget_add_controller (scrolled, GTK_EVENT_CONTROLLER (press));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->text));
  return scrolled;
}

GtkWidget *
stria_source_page_missing_new (StriaSourcePage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  GtkWidget *add = gtk_button_new_with_label (_ ("Add Source Folder…"));

  self->missing = ADW_STATUS_PAGE (adw_status_page_new ());
  adw_status_page_set_icon_name (self->missing, "text-x-generic-symbolic");
  gtk_widget_add_css_class (GTK_WIDGET (self->missing), "compact");
  self->tried = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->tried, TRUE);
  gtk_label_set_wrap_mode (self->tried, PANGO_WRAP_CHAR);
  gtk_label_set_selectable (self->tried, TRUE);
  gtk_label_set_justify (self->tried, GTK_JUSTIFY_LEFT);
  gtk_widget_set_focusable (GTK_WIDGET (self->tried), FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self->tried), "monospace");
  gtk_widget_add_css_class (GTK_WIDGET (self->tried), "caption");
  gtk_widget_set_halign (GTK_WIDGET (self->tried), GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (add, "pill");
  gtk_widget_add_css_class (add, "suggested-action");
  gtk_widget_set_halign (add, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (add, "clicked", G_CALLBACK (stria_source_page_add_folder), self);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->tried));
  gtk_box_append (GTK_BOX (box), add);
  adw_status_page_set_child (self->missing, box);
  return GTK_WIDGET (self->missing);
}

GtkWidget *
stria_source_page_choices_new (StriaSourcePage *self)
{
  GtkWidget *page = adw_status_page_new ();
  GtkWidget *clamp = adw_clamp_new ();

  self->choices = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  adw_status_page_set_icon_name (ADW_STATUS_PAGE (page), "text-x-generic-symbolic");
  adw_status_page_set_title (ADW_STATUS_PAGE (page), _ ("Which File Is Meant?"));
  adw_status_page_set_description (
      ADW_STATUS_PAGE (page),
      _ ("These files of your source folders agree with the end of the path."));
  gtk_widget_add_css_class (page, "compact");
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), 720);
  adw_clamp_set_child (ADW_CLAMP (clamp), self->choices);
  adw_status_page_set_child (ADW_STATUS_PAGE (page), clamp);
  return page;
}

GtkWidget *
stria_source_page_empty_new (void)
{
  GtkWidget *page = adw_status_page_new ();

  adw_status_page_set_icon_name (ADW_STATUS_PAGE (page), "text-x-generic-symbolic");
  adw_status_page_set_title (ADW_STATUS_PAGE (page), _ ("No File Is Open"));
  adw_status_page_set_description (
      ADW_STATUS_PAGE (page),
      _ ("Choose a file of the list, or a line of a stack in another view."));
  gtk_widget_add_css_class (page, "compact");
  return page;
}
