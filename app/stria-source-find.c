/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-source-find.h"

#include <glib/gi18n-lib.h>

#include "stria-format.h"
#include "stria-key-bindings.h"
#include "stria-widget-tools.h"

struct _StriaSourceFind
{
  GtkWidget parent_instance;

  GtkSourceView           *text;
  GtkSourceSearchSettings *settings;
  GtkSourceSearchContext  *context;
  gboolean                 for_line;

  GtkWidget *bar;
  GtkWidget *entry;
  GtkLabel  *count;
  GtkWidget *previous_button;
  GtkWidget *next_button;
};

G_DEFINE_FINAL_TYPE (StriaSourceFind, stria_source_find, GTK_TYPE_WIDGET)

static GtkTextBuffer *
buffer_of (StriaSourceFind *self)
{
  return gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text));
}

static void
update_count (StriaSourceFind *self)
{
  const int n = gtk_source_search_context_get_occurrences_count (self->context);
  const char *text = gtk_source_search_settings_get_search_text (self->settings);
  GtkTextIter start, end;
  g_autofree char *all = NULL;
  g_autofree char *label = NULL;
  int at = 0;

  if (self->for_line || text == NULL || n < 0)
    {
      gtk_label_set_label (self->count, "");
      return;
    }
  if (gtk_text_buffer_get_selection_bounds (buffer_of (self), &start, &end))
    at = gtk_source_search_context_get_occurrence_position (self->context, &start, &end);
  all = stria_format_count ((guint64) n);
  if (n == 0)
    label = g_strdup (_ ("No matches"));
  else if (at > 0)
    /* Translators: number of a match, and how many there are */
    label = g_strdup_printf (_ ("%d of %s"), at, all);
  else
    label = g_strdup_printf (ngettext ("%s match", "%s matches", (gulong) n), all);
  gtk_label_set_label (self->count, label);
  gtk_widget_set_sensitive (self->previous_button, n > 0);
  gtk_widget_set_sensitive (self->next_button, n > 0);
}

static void
select_match (StriaSourceFind *self, const GtkTextIter *start, const GtkTextIter *end)
{
  gtk_text_buffer_select_range (buffer_of (self), start, end);
  gtk_text_view_scroll_to_mark (GTK_TEXT_VIEW (self->text),
                                gtk_text_buffer_get_insert (buffer_of (self)), 0.1, FALSE, 0, 0);
  update_count (self);
}

static void
find_from (StriaSourceFind *self, const GtkTextIter *from, gboolean forward)
{
  GtkTextIter start, end;
  gboolean wrapped;

  if (forward ? gtk_source_search_context_forward (self->context, from, &start, &end, &wrapped)
              : gtk_source_search_context_backward (self->context, from, &start, &end, &wrapped))
    select_match (self, &start, &end);
  else
    update_count (self);
}

static void
go_to_line (StriaSourceFind *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  GtkTextIter iter;
  guint64 line;

  if (!g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT, &line, NULL))
    return;
  gtk_text_buffer_get_iter_at_line (buffer_of (self), &iter, (int) line - 1);
  gtk_text_buffer_place_cursor (buffer_of (self), &iter);
  gtk_text_view_scroll_to_mark (GTK_TEXT_VIEW (self->text),
                                gtk_text_buffer_get_insert (buffer_of (self)), 0, TRUE, 0, 0.35);
}

static void
on_changed (StriaSourceFind *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  GtkTextIter from, end;

  if (self->for_line)
    return;
  gtk_source_search_settings_set_search_text (self->settings, *text != '\0' ? text : NULL);
  if (*text == '\0')
    {
      update_count (self);
      return;
    }
  gtk_text_buffer_get_selection_bounds (buffer_of (self), &from, &end);
  find_from (self, &from, TRUE);
}

gboolean
stria_source_find_step (StriaSourceFind *self, gboolean forward)
{
  GtkTextIter start, end;

  g_return_val_if_fail (STRIA_IS_SOURCE_FIND (self), FALSE);

  if (!gtk_widget_get_visible (GTK_WIDGET (self)) || self->for_line
      || gtk_source_search_settings_get_search_text (self->settings) == NULL)
    return FALSE;
  gtk_text_buffer_get_selection_bounds (buffer_of (self), &start, &end);
  find_from (self, forward ? &end : &start, forward);
  return TRUE;
}

static void
on_activate (StriaSourceFind *self)
{
  if (self->for_line)
    {
      go_to_line (self);
      stria_source_find_close (self);
    }
  else
    stria_source_find_step (self, TRUE);
}

static void
on_previous (StriaSourceFind *self)
{
  stria_source_find_step (self, FALSE);
}

static void
on_next (StriaSourceFind *self)
{
  stria_source_find_step (self, TRUE);
}

static void
on_close (StriaSourceFind *self)
{
  stria_source_find_close (self);
}

void
stria_source_find_open (StriaSourceFind *self, gboolean for_line)
{
  g_return_if_fail (STRIA_IS_SOURCE_FIND (self));

  self->for_line = for_line;
  g_object_set (self->entry, "placeholder-text",
                for_line ? _ ("Number of a line") : _ ("Find in this file"), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  for_line ? _ ("Go to line") : _ ("Find in this file"), -1);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  gtk_widget_set_visible (self->previous_button, !for_line);
  gtk_widget_set_visible (self->next_button, !for_line);
  gtk_source_search_context_set_highlight (self->context, !for_line);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  gtk_widget_grab_focus (self->entry);
  update_count (self);
}

gboolean
stria_source_find_close (StriaSourceFind *self)
{
  g_return_val_if_fail (STRIA_IS_SOURCE_FIND (self), FALSE);

  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    return FALSE;
  gtk_source_search_settings_set_search_text (self->settings, NULL);
  gtk_widget_grab_focus (GTK_WIDGET (self->text));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  return TRUE;
}

static void
stria_source_find_dispose (GObject *object)
{
  StriaSourceFind *self = STRIA_SOURCE_FIND (object);

  g_clear_pointer (&self->bar, gtk_widget_unparent);
  g_clear_object (&self->context);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (stria_source_find_parent_class)->dispose (object);
}

static void
stria_source_find_class_init (StriaSourceFindClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_source_find_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
add_button (StriaSourceFind *self, const char *icon, const char *tooltip, GCallback clicked)
{
  GtkWidget *button = stria_icon_button_new (icon, tooltip, clicked, self);

  gtk_box_append (GTK_BOX (self->bar), button);
  return button;
}

static void
stria_source_find_init (StriaSourceFind *self)
{
  self->bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3);
  gtk_widget_add_css_class (self->bar, "panel-header");
  self->entry = gtk_search_entry_new ();
  gtk_widget_set_hexpand (self->entry, TRUE);
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (on_changed), self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (on_activate), self);
  g_signal_connect_swapped (self->entry, "next-match", G_CALLBACK (on_next), self);
  g_signal_connect_swapped (self->entry, "previous-match", G_CALLBACK (on_previous), self);
  g_signal_connect_swapped (self->entry, "stop-search", G_CALLBACK (on_close), self);
  self->count = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->count), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->count), "numeric");
  gtk_box_append (GTK_BOX (self->bar), self->entry);
  gtk_box_append (GTK_BOX (self->bar), GTK_WIDGET (self->count));
  self->previous_button = add_button (self, "go-up-symbolic", _ ("Previous match (Shift+F3)"),
                                      G_CALLBACK (on_previous));
  self->next_button
      = add_button (self, "go-down-symbolic", _ ("Next match (F3)"), G_CALLBACK (on_next));
  stria_key_tooltip (self->previous_button, "win.search-previous");
  stria_key_tooltip (self->next_button, "win.search-next");
  add_button (self, "window-close-symbolic", _ ("Close (Escape)"), G_CALLBACK (on_close));
  gtk_widget_set_parent (self->bar, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
stria_source_find_new (GtkSourceView *text)
{
  StriaSourceFind *self = g_object_new (STRIA_TYPE_SOURCE_FIND, NULL);

  self->text = text;
  self->settings = gtk_source_search_settings_new ();
  gtk_source_search_settings_set_wrap_around (self->settings, TRUE);
  self->context = gtk_source_search_context_new (
      GTK_SOURCE_BUFFER (gtk_text_view_get_buffer (GTK_TEXT_VIEW (text))), self->settings);
  g_signal_connect_object (self->context, "notify::occurrences-count", G_CALLBACK (update_count),
                           self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
