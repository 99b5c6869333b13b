/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-preferences.h"

#include <glib/gi18n-lib.h>

#include "stria-application.h"
#include "stria-cache.h"
#include "stria-choosers.h"
#include "stria-format.h"
#include "stria-keys-page.h"
#include "stria-look.h"
#include "stria-settings.h"
#include "stria-widget-tools.h"

struct _StriaPreferences
{
  AdwPreferencesWindow parent_instance;

  AdwComboRow   *style_row;
  AdwComboRow   *palette_row;
  AdwComboRow   *color_row;
  AdwComboRow   *unit_row;
  GtkSwitch     *cycles_switch;
  AdwComboRow   *zone_row;
  GtkWidget     *zone_entry;
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
  stria_look_apply_style ();
}

static void
on_look_selected (StriaPreferences *self)
{
  if (!self->is_ready)
    return;
  stria_settings_set (STRIA_SETTING_PALETTE, (int) adw_combo_row_get_selected (self->palette_row));
  stria_settings_set (STRIA_SETTING_TIME_UNIT, (int) adw_combo_row_get_selected (self->unit_row));
  stria_settings_set (STRIA_SETTING_SHOW_CYCLES, gtk_switch_get_active (self->cycles_switch));
  stria_application_apply_look ();
}

/* States of the timeline's action "lanes.color", in the order of the row */
static const char *const color_names[]
    = { "name", "operator", "layer", "opcode", "lane", "category", "stall" };

static void
on_color_selected (StriaPreferences *self)
{
  const guint chosen = adw_combo_row_get_selected (self->color_row);

  if (!self->is_ready || chosen >= G_N_ELEMENTS (color_names))
    return;
  stria_settings_set_text (STRIA_SETTING_COLOR_BY, color_names[chosen]);
  stria_application_apply_color_by ();
}

/* -- the time zone --------------------------------------------------------------------------- */

enum
{
  ZONE_LOCAL,
  ZONE_UTC,
  ZONE_NAMED,
};

static void
set_zone (StriaPreferences *self, const char *name)
{
  g_autofree char *before = stria_settings_get_text (STRIA_SETTING_TIME_ZONE);

  if (g_str_equal (before, name))
    return;
  stria_settings_set_text (STRIA_SETTING_TIME_ZONE, name);
  stria_application_apply_look ();
}

static void
on_zone_typed (StriaPreferences *self)
{
  const char *name = gtk_editable_get_text (GTK_EDITABLE (self->zone_entry));

  if (*name != '\0' && !stria_look_is_zone (name))
    gtk_widget_add_css_class (self->zone_entry, "error");
  else
    gtk_widget_remove_css_class (self->zone_entry, "error");
}

/* A name that is none is not taken, and stays marked. */
static void
on_zone_applied (StriaPreferences *self)
{
  const char *name = gtk_editable_get_text (GTK_EDITABLE (self->zone_entry));

  if (self->is_ready && *name != '\0' && stria_look_is_zone (name))
    set_zone (self, name);
  else if (*name != '\0')
    gtk_widget_error_bell (self->zone_entry);
}

static void
on_zone_selected (StriaPreferences *self)
{
  const guint chosen = adw_combo_row_get_selected (self->zone_row);

  gtk_widget_set_visible (self->zone_entry, chosen == ZONE_NAMED);
  if (!self->is_ready)
    return;
  if (chosen == ZONE_NAMED)
    gtk_widget_grab_focus (self->zone_entry);
  else
    set_zone (self, chosen == ZONE_UTC ? "UTC" : "");
}

static void
show_zone (StriaPreferences *self)
{
  g_autofree char *name = stria_settings_get_text (STRIA_SETTING_TIME_ZONE);
  const gboolean is_named = *name != '\0' && !g_str_equal (name, "UTC");

  if (is_named)
    gtk_editable_set_text (GTK_EDITABLE (self->zone_entry), name);
  adw_combo_row_set_selected (self->zone_row,
                              is_named ? ZONE_NAMED : *name != '\0' ? ZONE_UTC : ZONE_LOCAL);
  on_zone_selected (self);
}

/* -- the cache ------------------------------------------------------------------------------- */

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
  gtk_widget_class_bind_template_child (widget_class, StriaPreferences, palette_row);
  gtk_widget_class_bind_template_child (widget_class, StriaPreferences, color_row);
  gtk_widget_class_bind_template_child (widget_class, StriaPreferences, unit_row);
  gtk_widget_class_bind_template_child (widget_class, StriaPreferences, cycles_switch);
  gtk_widget_class_bind_template_child (widget_class, StriaPreferences, zone_row);
  gtk_widget_class_bind_template_child (widget_class, StriaPreferences, zone_entry);
  gtk_widget_class_bind_template_child (widget_class, StriaPreferences, size_spin);
  gtk_widget_class_bind_template_child (widget_class, StriaPreferences, age_spin);
  gtk_widget_class_bind_template_child (widget_class, StriaPreferences, usage_row);
  gtk_widget_class_bind_template_child (widget_class, StriaPreferences, clear_button);
  gtk_widget_class_bind_template_child (widget_class, StriaPreferences, definitions_row);
  gtk_widget_class_bind_template_child (widget_class, StriaPreferences, definitions_reset);
  gtk_widget_class_bind_template_callback (widget_class, on_definitions_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_definitions_reset);
  gtk_widget_class_bind_template_callback (widget_class, on_style_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_look_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_color_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_zone_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_zone_applied);
  gtk_widget_class_bind_template_callback (widget_class, on_zone_typed);
  gtk_widget_class_bind_template_callback (widget_class, on_size_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_age_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_clear_clicked);
}

static void
show_look (StriaPreferences *self)
{
  g_autofree char *by = stria_settings_get_text (STRIA_SETTING_COLOR_BY);

  adw_combo_row_set_selected (self->style_row, (guint) stria_settings_get (STRIA_SETTING_STYLE));
  adw_combo_row_set_selected (self->palette_row,
                              (guint) stria_settings_get (STRIA_SETTING_PALETTE));
  adw_combo_row_set_selected (self->unit_row,
                              (guint) stria_settings_get (STRIA_SETTING_TIME_UNIT));
  gtk_switch_set_active (self->cycles_switch, stria_settings_get (STRIA_SETTING_SHOW_CYCLES));
  for (guint i = 0; i < G_N_ELEMENTS (color_names); i++)
    if (g_str_equal (color_names[i], by))
      adw_combo_row_set_selected (self->color_row, i);
  show_zone (self);
}

static void
stria_preferences_init (StriaPreferences *self)
{
  g_autoptr (GError) error = NULL;

  gtk_widget_init_template (GTK_WIDGET (self));
  adw_preferences_window_add (ADW_PREFERENCES_WINDOW (self),
                              ADW_PREFERENCES_PAGE (stria_keys_page_new ()));
  stria_size_window (GTK_WINDOW (self), 560, 620);
  show_look (self);
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
