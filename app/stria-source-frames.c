/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-source-frames.h"

#include <glib/gi18n-lib.h>

#include "stria-format.h"
#include "stria-paint-size.h"
#include "stria-source-link.h"
#include "stria-widget-tools.h"

#define MAX_HEIGHT ((int) stria_text_px (150))

struct _StriaSourceFrames
{
  GtkWidget parent_instance;

  StriaSourceIndex *index;
  GArray           *places;
  gboolean          filling;

  GtkWidget *box;
  GtkLabel  *title;
  GtkLabel  *why;
  GtkWidget *inner_button;
  GtkWidget *outer_button;
  GtkWidget *scrolled;
  GtkListBox *list;
};

enum
{
  FRAME,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaSourceFrames, stria_source_frames, GTK_TYPE_WIDGET)

static int
chosen_of (StriaSourceFrames *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);

  return row != NULL ? gtk_list_box_row_get_index (row) : -1;
}

static void
update_buttons (StriaSourceFrames *self)
{
  const int chosen = chosen_of (self);
  const int n = self->places != NULL ? (int) self->places->len : 0;

  gtk_widget_set_sensitive (self->inner_button, chosen > 0);
  gtk_widget_set_sensitive (self->outer_button, chosen + 1 < n);
}

static void
on_selected (StriaSourceFrames *self, GtkListBoxRow *row)
{
  update_buttons (self);
  if (row != NULL && !self->filling && self->places != NULL)
    g_signal_emit (self, signals[FRAME], 0,
                   g_array_index (self->places, guint32, gtk_list_box_row_get_index (row)));
}

static GtkWidget *
row_new (StriaSourceFrames *self, guint32 number)
{
  const StriaSourcePlace place = stria_source_index_get_place (self->index, number);
  const char *path = stria_source_index_get_file (self->index, place.file);
  g_autofree char *text = stria_source_text (path, place.line);
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *where = gtk_label_new (text);

  if (place.function != NULL)
    {
      GtkWidget *name = gtk_label_new (place.function);

      gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
      gtk_label_set_xalign (GTK_LABEL (name), 0);
      gtk_box_append (GTK_BOX (box), name);
    }
  gtk_label_set_ellipsize (GTK_LABEL (where), PANGO_ELLIPSIZE_START);
  gtk_label_set_xalign (GTK_LABEL (where), place.function != NULL ? 1 : 0);
  gtk_widget_set_hexpand (where, TRUE);
  gtk_widget_add_css_class (where, "dim-label");
  gtk_widget_add_css_class (where, "caption");
  gtk_box_append (GTK_BOX (box), where);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_top (box, 2);
  gtk_widget_set_margin_bottom (box, 2);
  gtk_widget_set_tooltip_text (row, text);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  return row;
}

static void
empty (StriaSourceFrames *self)
{
  GtkListBoxRow *row;

  self->filling = TRUE;
  while ((row = gtk_list_box_get_row_at_index (self->list, 0)) != NULL)
    gtk_list_box_remove (self->list, GTK_WIDGET (row));
  self->filling = FALSE;
  g_clear_pointer (&self->places, g_array_unref);
  g_clear_pointer (&self->index, stria_source_index_unref);
}

void
stria_source_frames_set_stack (StriaSourceFrames *self, StriaSourceIndex *index, const char *event,
                               GArray *places)
{
  g_autofree char *count = NULL;
  g_autofree char *frames = NULL;
  g_autofree char *title = NULL;

  g_return_if_fail (STRIA_IS_SOURCE_FRAMES (self));

  empty (self);
  self->index = stria_source_index_ref (index);
  self->places = g_array_ref (places);
  for (guint i = 0; i < places->len; i++)
    gtk_list_box_append (self->list, row_new (self, g_array_index (places, guint32, i)));
  count = stria_format_count (places->len);
  frames = g_strdup_printf (ngettext ("%s frame", "%s frames", places->len), count);
  /* Translators: name of an event, and how many lines of source its stack has */
  title = g_strdup_printf (_ ("%s · %s"), event, frames);
  gtk_label_set_label (self->title, title);
  gtk_widget_set_visible (GTK_WIDGET (self->why), FALSE);
  gtk_widget_set_visible (self->scrolled, places->len > 1);
  gtk_widget_set_visible (self->inner_button, places->len > 1);
  gtk_widget_set_visible (self->outer_button, places->len > 1);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  self->filling = TRUE;
  gtk_list_box_select_row (self->list, gtk_list_box_get_row_at_index (self->list, 0));
  self->filling = FALSE;
  update_buttons (self);
}

void
stria_source_frames_set_none (StriaSourceFrames *self, const char *event, const char *why)
{
  g_return_if_fail (STRIA_IS_SOURCE_FRAMES (self));

  empty (self);
  gtk_label_set_label (self->title, event);
  gtk_label_set_label (self->why, why);
  gtk_widget_set_visible (GTK_WIDGET (self->why), TRUE);
  gtk_widget_set_visible (self->scrolled, FALSE);
  gtk_widget_set_visible (self->inner_button, FALSE);
  gtk_widget_set_visible (self->outer_button, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
}

void
stria_source_frames_clear (StriaSourceFrames *self)
{
  g_return_if_fail (STRIA_IS_SOURCE_FRAMES (self));

  empty (self);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

gboolean
stria_source_frames_step (StriaSourceFrames *self, gboolean outwards)
{
  const int next = chosen_of (self) + (outwards ? 1 : -1);
  GtkListBoxRow *row = next >= 0 ? gtk_list_box_get_row_at_index (self->list, next) : NULL;
  GtkAdjustment *adjustment;

  if (row == NULL)
    return FALSE;
  gtk_list_box_select_row (self->list, row);
  adjustment = gtk_list_box_get_adjustment (self->list);
  if (adjustment != NULL)
    {
      const double height = gtk_widget_get_height (GTK_WIDGET (row));

      gtk_adjustment_clamp_page (adjustment, next * height, (next + 1) * height);
    }
  return TRUE;
}

static void
on_inner (StriaSourceFrames *self)
{
  stria_source_frames_step (self, FALSE);
}

static void
on_outer (StriaSourceFrames *self)
{
  stria_source_frames_step (self, TRUE);
}

static void
stria_source_frames_dispose (GObject *object)
{
  StriaSourceFrames *self = STRIA_SOURCE_FRAMES (object);

  /* The list lets go of its selection when the buttons are gone. */
  if (self->list != NULL)
    g_signal_handlers_disconnect_by_data (self->list, self);
  self->list = NULL;
  self->filling = TRUE;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->places, g_array_unref);
  g_clear_pointer (&self->index, stria_source_index_unref);
  G_OBJECT_CLASS (stria_source_frames_parent_class)->dispose (object);
}

static void
stria_source_frames_class_init (StriaSourceFramesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_source_frames_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[FRAME] = g_signal_new ("frame", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
stria_source_frames_init (StriaSourceFrames *self)
{
  GtkWidget *header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3);

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->title = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->title, 0);
  gtk_label_set_ellipsize (self->title, PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (GTK_WIDGET (self->title), TRUE);
  self->inner_button = stria_icon_button_new ("go-up-symbolic",
                                              _ ("To the line that was called (Alt+Up)"),
                                              G_CALLBACK (on_inner), self);
  self->outer_button
      = stria_icon_button_new ("go-down-symbolic", _ ("To the caller (Alt+Down)"),
                               G_CALLBACK (on_outer), self);
  gtk_widget_add_css_class (header, "panel-header");
  gtk_box_append (GTK_BOX (header), GTK_WIDGET (self->title));
  gtk_box_append (GTK_BOX (header), self->inner_button);
  gtk_box_append (GTK_BOX (header), self->outer_button);
  self->why = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->why, TRUE);
  gtk_label_set_xalign (self->why, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->why), "dim-label");
  gtk_widget_set_margin_start (GTK_WIDGET (self->why), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (self->why), 12);
  gtk_widget_set_margin_top (GTK_WIDGET (self->why), 6);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self->why), 6);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_BROWSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Stack of the selected event"), -1);
  g_signal_connect_swapped (self->list, "row-selected", G_CALLBACK (on_selected), self);
  self->scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scrolled), MAX_HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), GTK_WIDGET (self->list));
  gtk_box_append (GTK_BOX (self->box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (self->box), header);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->why));
  gtk_box_append (GTK_BOX (self->box), self->scrolled);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
stria_source_frames_new (void)
{
  return g_object_new (STRIA_TYPE_SOURCE_FRAMES, NULL);
}
