/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-layout-dialogs.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-choosers.h"
#include "stria-layouts.h"
#include "stria-widget-tools.h"

typedef struct
{
  GtkWidget   *widget; /* tells how it ended */
  StriaLayout *layout;
  char        *name;
} Saving;

static void
saving_clear (gpointer data)
{
  Saving *saving = data;

  g_object_unref (saving->widget);
  stria_layout_free (saving->layout);
  g_free (saving->name);
}

static void
saving_unref (gpointer data, GClosure *closure)
{
  g_rc_box_release_full (data, saving_clear);
}

static void
tell (GtkWidget *widget, const char *text)
{
  stria_tell (widget, text);
}

static void
save (Saving *saving)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (stria_layouts_set (saving->name, saving->layout, &error))
    text = g_strdup_printf (_ ("The layout was saved as “%s”"), saving->name);
  else
    text = g_strdup_printf (_ ("The layout could not be saved: %s"), error->message);
  tell (saving->widget, text);
}

static void
on_replace_response (AdwMessageDialog *dialog, const char *response, Saving *saving)
{
  if (g_str_equal (response, "replace"))
    save (saving);
}

static void
ask_to_replace (GtkWindow *window, Saving *saving)
{
  g_autofree char *heading = g_strdup_printf (_ ("Replace “%s”?"), saving->name);
  GtkWidget *dialog
      = adw_message_dialog_new (window, heading, _ ("There is a layout of this name."));

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"),
                                    "replace", _ ("_Replace"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "replace",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_replace_response),
                         g_rc_box_acquire (saving), saving_unref, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static gboolean
is_there (const char *name)
{
  g_auto (GStrv) names = stria_layouts_list ();

  return g_strv_contains ((const char *const *) names, name);
}

static void
on_save_response (AdwMessageDialog *dialog, const char *response, Saving *saving)
{
  GtkEditable *entry = g_object_get_data (G_OBJECT (dialog), "entry");
  GtkWindow *window = gtk_window_get_transient_for (GTK_WINDOW (dialog));

  if (!g_str_equal (response, "save"))
    return;
  g_free (saving->name);
  saving->name = g_strstrip (g_strdup (gtk_editable_get_text (entry)));
  if (!stria_layouts_is_name (saving->name))
    return;
  if (is_there (saving->name))
    ask_to_replace (window, saving);
  else
    save (saving);
}

static void
on_name_changed (GtkEditable *entry, AdwMessageDialog *dialog)
{
  g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (entry)));

  adw_message_dialog_set_response_enabled (dialog, "save", stria_layouts_is_name (name));
}

void
stria_layout_dialogs_save (GtkWidget *widget, StriaLayout *layout)
{
  GtkWidget *dialog = adw_message_dialog_new (
      GTK_WINDOW (gtk_widget_get_root (widget)), _ ("Save Layout"),
      _ ("Keeps which views are beside each other, their sizes and the panels, to use it with any "
         "capture."));
  GtkWidget *list = gtk_list_box_new ();
  GtkWidget *row = adw_entry_row_new ();
  Saving *saving = g_rc_box_new0 (Saving);

  saving->widget = g_object_ref (widget);
  saving->layout = layout;
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Name"));
  adw_entry_row_set_activates_default (ADW_ENTRY_ROW (row), TRUE);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_list_box_append (GTK_LIST_BOX (list), row);
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), list);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "save",
                                    _ ("_Save"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "save",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_response_enabled (ADW_MESSAGE_DIALOG (dialog), "save", FALSE);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "save");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_object_set_data (G_OBJECT (dialog), "entry", row);
  g_signal_connect (row, "changed", G_CALLBACK (on_name_changed), dialog);
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_save_response), saving, saving_unref,
                         0);
  gtk_window_present (GTK_WINDOW (dialog));
  gtk_widget_grab_focus (row);
}

/* -- the list of them ------------------------------------------------------------------------ */

static void
on_renamed (AdwEntryRow *row, GtkWidget *widget)
{
  const char *name = g_object_get_data (G_OBJECT (row), "name");
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (row))));
  g_autoptr (GError) error = NULL;

  if (stria_layouts_rename (name, text, &error))
    {
      g_object_set_data_full (G_OBJECT (row), "name", g_strdup (text), g_free);
      return;
    }
  tell (widget, error->message);
  gtk_editable_set_text (GTK_EDITABLE (row), name);
}

static void
on_delete (GtkWidget *button, GtkWidget *widget)
{
  GtkWidget *row = gtk_widget_get_ancestor (button, ADW_TYPE_ENTRY_ROW);
  GtkWidget *group = gtk_widget_get_ancestor (row, ADW_TYPE_PREFERENCES_GROUP);
  g_autoptr (GError) error = NULL;

  if (!stria_layouts_set (g_object_get_data (G_OBJECT (row), "name"), NULL, &error))
    {
      tell (widget, error->message);
      return;
    }
  adw_preferences_group_remove (ADW_PREFERENCES_GROUP (group), row);
}

static GtkWidget *
row_new (const char *name, GtkWidget *widget)
{
  GtkWidget *row = adw_entry_row_new ();
  GtkWidget *button = gtk_button_new_from_icon_name ("user-trash-symbolic");

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Name"));
  adw_entry_row_set_show_apply_button (ADW_ENTRY_ROW (row), TRUE);
  gtk_editable_set_text (GTK_EDITABLE (row), name);
  g_object_set_data_full (G_OBJECT (row), "name", g_strdup (name), g_free);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _ ("Delete the layout"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Delete the layout"), -1);
  adw_entry_row_add_suffix (ADW_ENTRY_ROW (row), button);
  g_signal_connect_object (row, "apply", G_CALLBACK (on_renamed), widget, 0);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_delete), widget, 0);
  return row;
}

static gboolean
on_escape (GtkWidget *window, GVariant *args, gpointer user_data)
{
  gtk_window_close (GTK_WINDOW (window));
  return TRUE;
}

void
stria_layout_dialogs_manage (GtkWidget *widget)
{
  GtkWidget *window = adw_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *page = adw_preferences_page_new ();
  GtkWidget *group = adw_preferences_group_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();
  g_auto (GStrv) names = stria_layouts_list ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Saved Layouts"));
  adw_preferences_group_set_description (
      ADW_PREFERENCES_GROUP (group),
      names[0] == NULL ? _ ("None is saved yet: “Save Layout As…” in the layout menu does it.")
                       : _ ("Change a name to rename a layout."));
  for (guint i = 0; names[i] != NULL; i++)
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row_new (names[i], widget));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (group));
  gtk_widget_set_vexpand (page, TRUE);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), page);
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                        gtk_callback_action_new (on_escape, NULL, NULL)));
  gtk_widget_add_controller (window, keys);
  gtk_window_set_title (GTK_WINDOW (window), _ ("Edit Layouts"));
  gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (gtk_widget_get_root (widget)));
  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  stria_size_window (GTK_WINDOW (window), 480, 420);
  gtk_window_present (GTK_WINDOW (window));
}
