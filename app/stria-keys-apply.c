/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-keys-apply.h"

#include <glib/gi18n-lib.h>

#include "stria-key-bindings.h"
#include "stria-settings.h"

static StriaKeys *keys_now;
static GArray    *written; /* key values that come before what has the keyboard, and are written */

StriaKeys *
stria_keys_get_default (void)
{
  if (keys_now == NULL)
    {
      g_autoptr (GVariant) value = stria_settings_get_variant (STRIA_SETTING_KEYS);

      keys_now = stria_keys_new (value);
    }
  return keys_now;
}

/* Whether somebody who writes wants to write it */
static gboolean
is_text (guint key)
{
  return gdk_keyval_to_unicode (key) >= ' ' || key == GDK_KEY_Delete || key == GDK_KEY_BackSpace
         || key == GDK_KEY_Return;
}

/* All but those of widgets that have the keyboard themselves */
static void
note_written (const StriaKeyRow *row, const char *const *keys)
{
  if (!g_str_has_prefix (row->name, "model.") && *stria_key_scope (row) != '\0')
    return;
  for (guint i = 0; keys[i] != NULL; i++)
    {
      GdkModifierType modifiers;
      guint key;

      if (gtk_accelerator_parse (keys[i], &key, &modifiers)
          && (modifiers & ~GDK_SHIFT_MASK) == 0 && is_text (key))
        g_array_append_val (written, key);
    }
}

void
stria_keys_apply (GtkApplication *application)
{
  StriaKeys *self = stria_keys_get_default ();
  guint n;
  const StriaKeyRow *rows = stria_key_rows (&n);

  if (written == NULL)
    written = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_set_size (written, 0);
  for (guint i = 0; i < n; i++)
    {
      g_auto (GStrv) keys = NULL;

      if (rows[i].kind != STRIA_KEY_ACTION)
        continue;
      keys = stria_keys_get (self, rows[i].name);
      if (stria_key_is_accel (&rows[i]))
        gtk_application_set_accels_for_action (application, rows[i].name,
                                               (const char *const *) keys);
      note_written (&rows[i], (const char *const *) keys);
      stria_key_bindings_set (rows[i].name, stria_keys_is_changed (self, rows[i].name)
                                                ? (const char *const *) keys
                                                : NULL);
    }
}

void
stria_keys_changed (void)
{
  stria_settings_set_variant (STRIA_SETTING_KEYS, stria_keys_to_variant (keys_now));
  stria_keys_apply (GTK_APPLICATION (g_application_get_default ()));
}

char *
stria_keys_first (const char *action)
{
  g_auto (GStrv) keys = stria_keys_get (stria_keys_get_default (), action);

  return g_strdup (keys[0]);
}

/* -- letters that are written ---------------------------------------------------------------- */

static gboolean
takes_text (GtkWidget *focus)
{
  return (GTK_IS_EDITABLE (focus) && gtk_editable_get_editable (GTK_EDITABLE (focus)))
         || (GTK_IS_TEXT_VIEW (focus) && gtk_text_view_get_editable (GTK_TEXT_VIEW (focus)));
}

static gboolean
is_written (guint key)
{
  const guint lower = gdk_keyval_to_lower (key);

  for (guint i = 0; written != NULL && i < written->len; i++)
    if (g_array_index (written, guint, i) == lower)
      return TRUE;
  return FALSE;
}

/* Accelerators come before what has the keyboard: without this, an entry would lack letters that
 * somebody gave to something. */
static gboolean
on_key_pressed (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                gpointer user_data)
{
  GtkWidget *focus = gtk_window_get_focus (user_data);

  if (focus == NULL || !is_written (key) || !takes_text (focus)
      || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK | GDK_META_MASK)) != 0)
    return FALSE;
  return gtk_event_controller_key_forward (controller, focus);
}

void
stria_keys_guard (GtkWindow *window)
{
  GtkEventController *controller = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect (controller, "key-pressed", G_CALLBACK (on_key_pressed), window);
  gtk_widget_add_controller (GTK_WIDGET (window), controller);
}

/* -- the window of shortcuts ----------------------------------------------------------------- */

static void
add_property (GString *xml, const char *name, const char *value)
{
  g_autofree char *escaped = g_markup_escape_text (value, -1);

  g_string_append_printf (xml, "<property name=\"%s\">%s</property>", name, escaped);
}

static void
begin_object (GString *xml, const char *class_name, const char *title)
{
  g_string_append_printf (xml, "<child><object class=\"%s\">", class_name);
  add_property (xml, "title", title);
}

static void
add_shortcut (GString *xml, StriaKeys *self, const StriaKeyRow *row)
{
  g_autofree char *title = stria_key_title (row);
  g_auto (GStrv) keys = row->kind == STRIA_KEY_ACTION || row->kind == STRIA_KEY_ALSO
                            ? stria_keys_get (self, row->name)
                            : NULL;
  g_autofree char *all = keys != NULL ? g_strjoinv (" ", keys) : g_strdup (row->keys);

  if (row->more != NULL && *row->more != '\0')
    {
      char *both = g_strdup_printf ("%s %s", row->more, all);

      g_free (all);
      all = both;
    }
  if (*all == '\0' && row->kind != STRIA_KEY_POINTER)
    return;
  begin_object (xml, "GtkShortcutsShortcut", title);
  if (row->kind != STRIA_KEY_POINTER)
    add_property (xml, "accelerator", all);
  else
    add_property (xml, "shortcut-type", row->name);
  if (row->kind == STRIA_KEY_POINTER && *row->keys != '\0')
    {
      add_property (xml, "subtitle", _ (row->keys));
      g_string_append (xml, "<property name=\"icon\"><object class=\"GThemedIcon\"><property "
                            "name=\"name\">input-mouse-symbolic</property></object></property>");
    }
  g_string_append (xml, "</object></child>");
}

static char *
window_as_xml (StriaKeys *self)
{
  GString *xml = g_string_new ("<interface><object class=\"GtkShortcutsWindow\" id=\"window\">"
                               "<property name=\"modal\">1</property>");
  guint n, depth = 0;
  const StriaKeyRow *rows = stria_key_rows (&n);

  for (guint i = 0; i < n; i++)
    {
      const StriaKeyRow *row = &rows[i];
      const guint wanted = row->kind == STRIA_KEY_SECTION ? 0
                           : row->kind == STRIA_KEY_GROUP ? 1
                                                          : 2;

      for (; depth > wanted; depth--)
        g_string_append (xml, "</object></child>");
      if (wanted == 0)
        {
          begin_object (xml, "GtkShortcutsSection", _ (row->title));
          add_property (xml, "section-name", row->name);
          add_property (xml, "max-height", "18");
        }
      else if (wanted == 1)
        begin_object (xml, "GtkShortcutsGroup", _ (row->title));
      else
        add_shortcut (xml, self, row);
      depth = MIN (wanted + 1, 2);
    }
  for (; depth > 0; depth--)
    g_string_append (xml, "</object></child>");
  g_string_append (xml, "</object></interface>");
  return g_string_free (xml, FALSE);
}

void
stria_keys_present_window (GtkWindow *parent)
{
  g_autofree char *xml = window_as_xml (stria_keys_get_default ());
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_string (xml, -1);
  GtkWindow *window = GTK_WINDOW (gtk_builder_get_object (builder, "window"));

  gtk_window_set_transient_for (window, parent);
  gtk_window_set_destroy_with_parent (window, TRUE);
  gtk_window_present (window);
}
