/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-compare-dialog.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-recent.h"

#define MOST_RECENT 6

typedef struct
{
  AdwMessageDialog *dialog;
  GtkWindow        *parent; /* not owned: outlives what is transient for it */
  StriaChosenFunc   func;
  GWeakRef          owner;
} Asked;

static void
asked_free (gpointer data)
{
  Asked *self = data;

  g_weak_ref_clear (&self->owner);
  g_free (self);
}

static void
choose (Asked *self, const char *const *paths)
{
  g_autoptr (GObject) owner = g_weak_ref_get (&self->owner);

  if (owner != NULL)
    self->func (owner, paths);
  gtk_window_close (GTK_WINDOW (self->dialog));
}

static void
on_response (AdwMessageDialog *dialog, const char *response, Asked *self)
{
  g_autoptr (GObject) owner = g_weak_ref_get (&self->owner);

  if (owner == NULL)
    return;
  if (g_str_equal (response, "files"))
    stria_choose_files (self->parent, self->func, owner);
  else if (g_str_equal (response, "folder"))
    stria_choose_folder (self->parent, self->func, owner);
}

static void
on_row_activated (GtkListBox *list, GtkListBoxRow *row, Asked *self)
{
  choose (self, g_object_get_data (G_OBJECT (row), "paths"));
}

static gboolean
on_drop (Asked *self, const GValue *value)
{
  g_auto (GStrv) paths = NULL;

  if (G_VALUE_HOLDS (value, GDK_TYPE_FILE_LIST))
    paths = stria_paths_from_files (g_value_get_boxed (value));
  if (paths == NULL)
    return FALSE;
  choose (self, (const char *const *) paths);
  return TRUE;
}

static GtkWidget *
row_new (const StriaRecentItem *item)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *place = g_path_get_dirname (item->paths[0]);
  g_autofree char *valid = g_utf8_make_valid (place, -1);
  g_autofree char *subtitle = g_markup_escape_text (valid, -1);
  g_autofree char *title = g_markup_escape_text (item->title, -1);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_widget_set_tooltip_text (row, valid);
  g_object_set_data_full (G_OBJECT (row), "paths", g_strdupv (item->paths),
                          (GDestroyNotify) g_strfreev);
  return row;
}

static GtkWidget *
recent_new (Asked *self, const char *const *except)
{
  g_autoptr (GPtrArray) items = stria_recent_list ();
  GtkWidget *list = gtk_list_box_new ();
  guint n = 0;

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Captures opened last"), -1);
  for (guint i = 0; i < items->len && n < MOST_RECENT; i++)
    {
      const StriaRecentItem *item = items->pdata[i];

      if (except != NULL && g_strv_equal ((const char *const *) item->paths, except))
        continue;
      gtk_list_box_append (GTK_LIST_BOX (list), row_new (item));
      n++;
    }
  g_signal_connect (list, "row-activated", G_CALLBACK (on_row_activated), self);
  gtk_widget_set_visible (list, n > 0);
  return list;
}

void
stria_compare_dialog_present (GtkWindow *parent, const char *body, const char *const *except,
                              StriaChosenFunc func, gpointer owner)
{
  GtkWidget *dialog
      = adw_message_dialog_new (parent, _ ("Compare with Another Capture"), body);
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  Asked *self = g_new0 (Asked, 1);
  GtkWidget *recent;

  self->dialog = ADW_MESSAGE_DIALOG (dialog);
  self->parent = parent;
  self->func = func;
  g_weak_ref_init (&self->owner, owner);
  g_object_set_data_full (G_OBJECT (dialog), "asked", self, asked_free);
  adw_message_dialog_add_responses (self->dialog, "cancel", _ ("_Cancel"), "files", _ ("_Files…"),
                                    "folder", _ ("F_older…"), NULL);
  adw_message_dialog_set_response_appearance (self->dialog, "folder", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_close_response (self->dialog, "cancel");
  recent = recent_new (self, except);
  adw_message_dialog_set_extra_child (self->dialog, recent);
  /* A default would take Enter from the rows. */
  if (!gtk_widget_get_visible (recent))
    adw_message_dialog_set_default_response (self->dialog, "folder");
  g_signal_connect (dialog, "response", G_CALLBACK (on_response), self);
  g_signal_connect_swapped (target, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (dialog, GTK_EVENT_CONTROLLER (target));
  gtk_window_present (GTK_WINDOW (dialog));
}
