/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-preferences.h"

#include <glib/gi18n-lib.h>

#include "stria-application.h"
#include "stria-cache.h"
#include "stria-choosers.h"
#include "stria-format.h"
#include "stria-settings.h"

struct _StriaPreferences
{
  AdwPreferencesWindow parent_instance;

  AdwComboRow   *style_row;
  GtkSpinButton *size_spin;
  GtkSpinButton *age_spin;
  AdwActionRow  *usage_row;
  GtkWidget     *clear_button;
  AdwActionRow  *definitions_row;
  GtkWidget     *definitions_reset;
  gboolean       is_ready;
};

G_DEFINE_FINAL_TYPE (StriaPreferences, stria_preferences, ADW_TYPE_PREFERENCES_WINDOW)

typedef struct
{
  gboolean clear;
  guint64  bytes;
  guint    n_stores;
} Usage;

static void
measure_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Usage *usage = task_data;
  GError *error = NULL;

  if (usage->clear && !stria_cache_clear (&error))
    {
      g_task_return_error (task, error);
      return;
    }
  usage->bytes = stria_cache_usage (&usage->n_stores);
  g_task_return_boolean (task, TRUE);
}

static void
on_measured (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaPreferences) self = user_data;
  Usage *usage = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = NULL;
  g_autofree char *text = NULL;

  if (!self->is_ready)
    return;
  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      adw_action_row_set_subtitle (self->usage_row, error->message);
      return;
    }
  bytes = stria_format_bytes ((gint64) usage->bytes);
  /* Translators: a size, and a number of captures */
  text = g_strdup_printf (ngettext ("%s, %u capture", "%s, %u captures", usage->n_stores), bytes,
                          usage->n_stores);
  adw_action_row_set_subtitle (self->usage_row, text);
  gtk_widget_set_sensitive (self->clear_button, usage->bytes > 0);
}

static void
measure (StriaPreferences *self, gboolean clear)
{
  /* Not the source object: a task, and that with it, may die on its worker. */
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_measured, g_object_ref (self));
  Usage *usage = g_new0 (Usage, 1);

  usage->clear = clear;
  g_task_set_source_tag (task, measure);
  g_task_set_task_data (task, usage, g_free);
  g_task_run_in_thread (task, measure_in_thread);
}

static void
on_clear_clicked (StriaPreferences *self)
{
  gtk_widget_set_sensitive (self->clear_button, FALSE);
  measure (self, TRUE);
}

static void
on_style_selected (StriaPreferences *self)
{
  if (!self->is_ready)
    return;
  stria_settings_set (STRIA_SETTING_STYLE, (int) adw_combo_row_get_selected (self->style_row));
  stria_application_apply_style ();
}

static void
on_size_changed (StriaPreferences *self)
{
  if (self->is_ready)
    stria_settings_set (STRIA_SETTING_CACHE_SIZE_GIB,
                        gtk_spin_button_get_value_as_int (self->size_spin));
}

static void
on_age_changed (StriaPreferences *self)
{
  if (self->is_ready)
    stria_settings_set (STRIA_SETTING_CACHE_AGE_DAYS,
                        gtk_spin_button_get_value_as_int (self->age_spin));
}

static void
show_definitions (StriaPreferences *self, const GError *error)
{
  g_autofree char *path = stria_settings_get_text (STRIA_SETTING_NEURON_PROTO_FILE);
  g_autofree char *shown = g_filename_display_name (path);
  g_autofree char *text = g_markup_escape_text (error != NULL ? error->message : shown, -1);

  adw_action_row_set_subtitle (self->definitions_row,
                               text[0] != '\0' ? text : _ ("The recovered ones, which come with Stria"));
  gtk_widget_set_visible (self->definitions_reset, path[0] != '\0');
}

/* A file that is none is told and not kept. */
static void
set_definitions (StriaPreferences *self, const char *path)
{
  g_autofree char *before = stria_settings_get_text (STRIA_SETTING_NEURON_PROTO_FILE);
  g_autoptr (GError) error = NULL;

  stria_settings_set_text (STRIA_SETTING_NEURON_PROTO_FILE, path);
  if (!stria_application_apply_definitions (&error))
    {
      stria_settings_set_text (STRIA_SETTING_NEURON_PROTO_FILE, before);
      stria_application_apply_definitions (NULL);
    }
  show_definitions (self, error);
}

static void
on_definitions_chosen (gpointer owner, const char *const *paths)
{
  StriaPreferences *self = owner;

  if (self->is_ready && paths[0] != NULL)
    set_definitions (self, paths[0]);
}

static void
on_definitions_clicked (StriaPreferences *self)
{
  stria_choose_definitions (GTK_WINDOW (self), on_definitions_chosen, self);
}

static void
on_definitions_reset (StriaPreferences *self)
{
  set_definitions (self, "");
}

static void
stria_preferences_dispose (GObject *object)
{
  STRIA_PREFERENCES (object)->is_ready = FALSE;
  G_OBJECT_CLASS (stria_preferences_parent_class)->dispose (object);
}

static void
stria_preferences_class_init (StriaPreferencesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_preferences_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stria/Stria/ui/stria-preferences.ui");
  gtk_widget_class_bind_template_child (widget_class, StriaPreferences, style_row);
  gtk_widget_class_bind_template_child (widget_class, StriaPreferences, size_spin);
  gtk_widget_class_bind_template_child (widget_class, StriaPreferences, age_spin);
  gtk_widget_class_bind_template_child (widget_class, StriaPreferences, usage_row);
  gtk_widget_class_bind_template_child (widget_class, StriaPreferences, clear_button);
  gtk_widget_class_bind_template_child (widget_class, StriaPreferences, definitions_row);
  gtk_widget_class_bind_template_child (widget_class, StriaPreferences, definitions_reset);
  gtk_widget_class_bind_template_callback (widget_class, on_definitions_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_definitions_reset);
  gtk_widget_class_bind_template_callback (widget_class, on_style_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_size_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_age_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_clear_clicked);
}

static void
stria_preferences_init (StriaPreferences *self)
{
  g_autoptr (GError) error = NULL;

  gtk_widget_init_template (GTK_WIDGET (self));
  adw_combo_row_set_selected (self->style_row, (guint) stria_settings_get (STRIA_SETTING_STYLE));
  gtk_spin_button_set_value (self->size_spin, stria_settings_get (STRIA_SETTING_CACHE_SIZE_GIB));
  gtk_spin_button_set_value (self->age_spin, stria_settings_get (STRIA_SETTING_CACHE_AGE_DAYS));
  self->is_ready = TRUE;
  stria_application_apply_definitions (&error);
  show_definitions (self, error);
  measure (self, FALSE);
}

void
stria_preferences_present (GtkWindow *parent)
{
  gtk_window_present (g_object_new (STRIA_TYPE_PREFERENCES, "transient-for", parent, "modal",
                                    parent != NULL, NULL));
}
