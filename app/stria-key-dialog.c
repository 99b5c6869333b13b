/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-key-dialog.h"

#include <glib/gi18n-lib.h>

#include "stria-key-bindings.h"
#include "stria-keys-apply.h"
#include "stria-widget-tools.h"

typedef struct
{
  GtkWindow  *window;
  const char *action;
  void      (*changed) (gpointer owner);
  gpointer    owner;

  GtkBox    *keys;     /* that it has */
  GtkButton *recorder; /* what is pressed while this has the keyboard is taken */
  GtkLabel  *told;
  GtkWidget *add;
  GtkWidget *set;
  char      *pressed;  /* NULL until something was */
} Dialog;

static void
dialog_free (gpointer data)
{
  Dialog *self = data;

  g_free (self->pressed);
  g_free (self);
}

static void
apply (Dialog *self)
{
  stria_keys_changed ();
  self->changed (self->owner);
}

/* -- the keys that it has -------------------------------------------------------------------- */

static void show_keys (Dialog *self);

static void
on_remove (GtkButton *button, gpointer data)
{
  Dialog *self = data;
  const char *key = g_object_get_data (G_OBJECT (button), "key");
  g_auto (GStrv) keys = stria_keys_get (stria_keys_get_default (), self->action);
  g_autoptr (GStrvBuilder) kept = g_strv_builder_new ();
  g_auto (GStrv) left = NULL;

  for (guint i = 0; keys[i] != NULL; i++)
    if (!g_str_equal (keys[i], key))
      g_strv_builder_add (kept, keys[i]);
  left = g_strv_builder_end (kept);
  stria_keys_set (stria_keys_get_default (), self->action, (const char *const *) left);
  apply (self);
  show_keys (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->recorder));
}

static GtkWidget *
key_row_new (Dialog *self, const char *key)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_shortcut_label_new (key);
  GtkWidget *remove = gtk_button_new_from_icon_name ("list-remove-symbolic");
  const char *const one[] = { key, NULL };
  g_autofree char *text = stria_key_label (one);
  /* Translators: a button that takes keys from an action, such as “Remove Ctrl+D” */
  g_autofree char *tooltip = g_strdup_printf (_ ("Remove %s"), text);

  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_halign (label, GTK_ALIGN_START);
  gtk_widget_add_css_class (remove, "flat");
  gtk_widget_set_tooltip_text (remove, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (remove), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  -1);
  g_object_set_data_full (G_OBJECT (remove), "key", g_strdup (key), g_free);
  g_signal_connect (remove, "clicked", G_CALLBACK (on_remove), self);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), remove);
  return row;
}

static void
show_keys (Dialog *self)
{
  g_auto (GStrv) keys = stria_keys_get (stria_keys_get_default (), self->action);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->keys))) != NULL)
    gtk_box_remove (self->keys, child);
  for (guint i = 0; keys[i] != NULL; i++)
    gtk_box_append (self->keys, key_row_new (self, keys[i]));
  gtk_widget_set_visible (GTK_WIDGET (self->keys), keys[0] != NULL);
}

/* -- taking others --------------------------------------------------------------------------- */

/* Says what would be lost. */
static void
show_pressed (Dialog *self)
{
  const StriaKeyRow *user
      = stria_keys_find_user (stria_keys_get_default (), self->action, self->pressed);
  const char *const one[] = { self->pressed, NULL };
  g_autofree char *label = stria_key_label (one);
  g_autofree char *title = user != NULL ? stria_key_title (user) : NULL;
  g_autofree char *text = NULL;
  const gboolean is_fixed = user != NULL && user->kind == STRIA_KEY_FIXED;

  gtk_button_set_label (self->recorder, label);
  if (user != NULL)
    text = g_strdup_printf (is_fixed ? _ ("%s is used by “%s”, which cannot have others.")
                                     : _ ("%s is used by “%s”, which will lose it."),
                            label, title);
  gtk_label_set_label (self->told, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->told), user != NULL);
  gtk_widget_set_sensitive (self->add, !is_fixed);
  gtk_widget_set_sensitive (self->set, !is_fixed);
}

static void
give (Dialog *self, gboolean alone)
{
  stria_keys_give (stria_keys_get_default (), self->action, self->pressed, alone);
  apply (self);
  gtk_window_close (self->window);
}

static void
on_add (Dialog *self)
{
  give (self, FALSE);
}

static void
on_set (Dialog *self)
{
  give (self, TRUE);
}

/* What people would call it: letters with Shift, signs without the Shift that makes them */
static char *
name_of_press (guint key, GdkModifierType state)
{
  const guint lower = gdk_keyval_to_lower (key);
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();

  if (gdk_keyval_to_unicode (lower) > ' ' && lower == gdk_keyval_to_upper (key))
    modifiers &= ~GDK_SHIFT_MASK;
  return stria_key_can_be_set (lower, modifiers) ? gtk_accelerator_name (lower, modifiers) : NULL;
}

static gboolean
on_key_pressed (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                gpointer data)
{
  Dialog *self = data;
  char *name;

  if (key == GDK_KEY_Escape)
    {
      gtk_window_close (self->window);
      return TRUE;
    }
  if (!gtk_widget_has_focus (GTK_WIDGET (self->recorder)))
    return FALSE;
  name = name_of_press (key, state);
  if (name == NULL)
    return FALSE;
  g_free (self->pressed);
  self->pressed = name;
  show_pressed (self);
  return TRUE;
}

static void
on_recorder_clicked (Dialog *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->recorder));
}

/* -- the window ------------------------------------------------------------------------------ */

static GtkWidget *
buttons_new (Dialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->add = gtk_button_new_with_mnemonic (_ ("_Add"));
  self->set = gtk_button_new_with_mnemonic (_ ("_Replace"));
  gtk_widget_add_css_class (self->set, "suggested-action");
  gtk_widget_set_sensitive (self->add, FALSE);
  gtk_widget_set_sensitive (self->set, FALSE);
  gtk_widget_set_tooltip_text (self->add, _ ("The keys it has stay"));
  gtk_widget_set_tooltip_text (self->set, _ ("It has no other keys then"));
  g_signal_connect_swapped (self->add, "clicked", G_CALLBACK (on_add), self);
  g_signal_connect_swapped (self->set, "clicked", G_CALLBACK (on_set), self);
  gtk_widget_set_halign (box, GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (box), self->add);
  gtk_box_append (GTK_BOX (box), self->set);
  return box;
}

static GtkWidget *
content_new (Dialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  self->keys = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 6));
  self->recorder = GTK_BUTTON (gtk_button_new_with_label (_ ("Press the new keys")));
  gtk_widget_set_size_request (GTK_WIDGET (self->recorder), -1, 64);
  g_signal_connect_swapped (self->recorder, "clicked", G_CALLBACK (on_recorder_clicked), self);
  self->told = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->told, TRUE);
  gtk_label_set_xalign (self->told, 0);
  gtk_label_set_max_width_chars (self->told, 40);
  gtk_widget_set_visible (GTK_WIDGET (self->told), FALSE);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->keys));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->recorder));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->told));
  gtk_box_append (GTK_BOX (box), buttons_new (self));
  gtk_widget_set_margin_start (box, 18);
  gtk_widget_set_margin_end (box, 18);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 18);
  return box;
}

void
stria_key_dialog_present (GtkWindow *parent, const char *action, void (*changed) (gpointer owner),
                          gpointer owner)
{
  Dialog *self = g_new0 (Dialog, 1);
  const StriaKeyRow *row = stria_key_row (action);
  g_autofree char *title = stria_key_title (row);
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->window = GTK_WINDOW (adw_window_new ());
  self->action = row->name;
  self->changed = changed;
  self->owner = owner;
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), content_new (self));
  adw_window_set_content (ADW_WINDOW (self->window), box);
  gtk_window_set_title (self->window, title);
  gtk_window_set_transient_for (self->window, parent);
  gtk_window_set_modal (self->window, TRUE);
  gtk_window_set_destroy_with_parent (self->window, TRUE);
  stria_size_window (self->window, 400, -1);
  /* Its keys are to be pressed, not to do what they do. */
  gtk_window_set_application (self->window, NULL);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self->window), keys);
  g_object_set_data_full (G_OBJECT (self->window), "stria-key-dialog", self, dialog_free);
  show_keys (self);
  gtk_window_set_focus (self->window, GTK_WIDGET (self->recorder));
  gtk_window_present (self->window);
}
