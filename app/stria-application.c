/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-application.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>

#include "stria-desktop.h"
#include "stria-help.h"
#include "stria-keys-apply.h"
#include "stria-layouts.h"
#include "stria-look.h"
#include "stria-picture-run.h"
#include "stria-preferences.h"
#include "stria-proto.h"
#include "stria-retell.h"
#include "stria-saved-queries.h"
#include "stria-settings.h"
#include "stria-tour.h"
#include "stria-window.h"

struct _StriaApplication
{
  AdwApplication parent_instance;

  StriaPictureRun *pictures; /* NULL unless they are asked for */
  guint            provider; /* registration on the bus */
};

G_DEFINE_FINAL_TYPE (StriaApplication, stria_application, ADW_TYPE_APPLICATION)

static const GOptionEntry options[] = {
  { "new-window", 'n', 0, G_OPTION_ARG_NONE, NULL, N_ ("Open a new window"), NULL },
  { "at", 0, 0, G_OPTION_ARG_INT64, NULL,
    N_ ("Show this time, in nanoseconds since the start of the capture"), N_ ("TIME_NS") },
  { "select", 0, 0, G_OPTION_ARG_STRING, NULL,
    N_ ("Select the first event of this name, at or after the time of --at"), N_ ("NAME") },
  { "version", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Print the version and exit"), NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, N_ ("[CAPTURE…]") },
  { NULL },
};

static gboolean
all_are_folders (char **paths)
{
  for (guint i = 0; paths[i] != NULL; i++)
    if (!g_file_test (paths[i], G_FILE_TEST_IS_DIR))
      return FALSE;
  return TRUE;
}

static StriaWindow *
find_window (StriaApplication *self, const char *const *paths)
{
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    {
      if (!STRIA_IS_WINDOW (l->data))
        continue;
      if (paths == NULL ? !stria_window_is_used (l->data) : stria_window_shows (l->data, paths))
        return l->data;
    }
  return NULL;
}

static void
open_one (StriaApplication *self, const char *const *paths, const StriaTarget *target,
          gboolean new_window)
{
  StriaWindow *window = new_window ? NULL : find_window (self, paths);

  if (window != NULL)
    stria_window_set_target (window, target);
  else
    {
      if (!new_window)
        window = find_window (self, NULL);
      if (window == NULL)
        window = stria_window_new (GTK_APPLICATION (self));
      stria_window_open (window, paths, target);
    }
  gtk_window_present (GTK_WINDOW (window));
}

/* Several files are one capture, so that what belongs together is seen together; several folders
 * are a capture each. */
static void
open_paths (StriaApplication *self, char **paths, const StriaTarget *target, gboolean new_window)
{
  if (paths[0] != NULL && paths[1] != NULL && all_are_folders (paths))
    {
      for (guint i = 0; paths[i] != NULL; i++)
        {
          const char *one[] = { paths[i], NULL };

          open_one (self, one, target, new_window);
        }
    }
  else if (paths[0] != NULL)
    open_one (self, (const char *const *) paths, target, new_window);
}

static void
show_start_window (StriaApplication *self, gboolean new_window)
{
  StriaWindow *window = new_window ? NULL : find_window (self, NULL);

  if (window == NULL && !new_window)
    {
      GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (self));

      if (STRIA_IS_WINDOW (active))
        window = STRIA_WINDOW (active);
    }
  if (window == NULL)
    window = stria_window_new (GTK_APPLICATION (self));
  gtk_window_present (GTK_WINDOW (window));
  if (!stria_window_is_used (window))
    stria_tour_first_time (GTK_WINDOW (window));
}

static void
stria_application_activate (GApplication *application)
{
  show_start_window (STRIA_APPLICATION (application), FALSE);
}

static void
stria_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  StriaApplication *self = STRIA_APPLICATION (application);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) paths = NULL;

  for (int i = 0; i < n_files; i++)
    {
      g_autofree char *path = g_file_get_path (files[i]);

      if (path != NULL)
        g_strv_builder_add (builder, path);
    }
  paths = g_strv_builder_end (builder);
  if (paths[0] != NULL)
    open_paths (self, paths, NULL, FALSE);
  else
    show_start_window (self, FALSE);
}

static int
stria_application_handle_local_options (GApplication *application, GVariantDict *dict)
{
  StriaApplication *self = STRIA_APPLICATION (application);
  g_autoptr (GError) error = NULL;

  if (g_variant_dict_contains (dict, "version"))
    {
      g_print ("stria %s\n", VERSION);
      return 0;
    }
  self->pictures = stria_picture_run_new (dict, &error);
  if (error != NULL)
    {
      g_printerr ("stria: %s\n", error->message);
      return 2;
    }
  /* Pictures are drawn by this process, with settings of its own, and no other answers for it. */
  if (self->pictures != NULL)
    g_application_set_flags (application,
                             g_application_get_flags (application) | G_APPLICATION_NON_UNIQUE);
  return -1;
}

static int
stria_application_command_line (GApplication *application, GApplicationCommandLine *line)
{
  StriaApplication *self = STRIA_APPLICATION (application);
  GVariantDict *dict = g_application_command_line_get_options_dict (line);
  gboolean new_window = g_variant_dict_contains (dict, "new-window");
  g_auto (GStrv) arguments = NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) paths = NULL;
  g_autoptr (StriaTarget) target = g_new0 (StriaTarget, 1);
  gboolean is_bad = FALSE;

  g_variant_dict_lookup (dict, G_OPTION_REMAINING, "^aay", &arguments);
  g_variant_dict_lookup (dict, "select", "s", &target->select);
  target->has_at = g_variant_dict_lookup (dict, "at", "x", &target->at_ns);

  for (guint i = 0; arguments != NULL && arguments[i] != NULL; i++)
    {
      g_autoptr (GFile) file = g_application_command_line_create_file_for_arg (line, arguments[i]);
      g_autofree char *path = g_file_get_path (file);

      if (path != NULL)
        g_strv_builder_add (builder, path);
      else
        {
          g_application_command_line_printerr (line, _ ("stria: “%s” is not on this computer\n"),
                                               arguments[i]);
          is_bad = TRUE;
        }
    }
  paths = g_strv_builder_end (builder);
  if (self->pictures != NULL)
    return is_bad ? 1
                  : stria_picture_run (self->pictures, GTK_APPLICATION (self),
                                       (const char *const *) paths, target);
  if (paths[0] != NULL)
    open_paths (self, paths, target->has_at || target->select != NULL ? target : NULL, new_window);
  else if (is_bad)
    return 1;
  else
    show_start_window (self, new_window);
  return 0;
}

static void
on_quit (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GtkApplication *application = user_data;
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (application));

  /* Each window says goodbye by itself, so that it keeps its size. */
  for (GList *l = windows; l != NULL; l = l->next)
    gtk_window_close (l->data);
}

/* Asked to end by the session, or by whoever started it: as if each window were closed. A second
 * time it ends at once. It did what it was asked to, which is no failure. */
static gboolean
on_signal (gpointer application)
{
  on_quit (NULL, NULL, application);
  return G_SOURCE_REMOVE;
}

static void
on_tell (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GList *windows = gtk_application_get_windows (user_data);

  /* The one that was used last comes first. */
  while (windows != NULL && !STRIA_IS_WINDOW (windows->data))
    windows = windows->next;
  if (windows != NULL)
    stria_window_tell (windows->data, g_variant_get_string (parameter, NULL));
}

static void
on_new_window (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  show_start_window (user_data, TRUE);
}

static void
on_preferences (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  stria_preferences_present (gtk_application_get_active_window (user_data));
}

static void
on_help (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  stria_help_present (user_data, g_variant_get_string (parameter, NULL));
}

static void
on_tour (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  stria_tour_present (gtk_application_get_active_window (user_data));
}

static void
on_about (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  adw_show_about_window (gtk_application_get_active_window (user_data),
                         "application-name", _ ("Stria"),
                         "application-icon", APP_ID,
                         "version", VERSION,
                         "developer-name", _ ("The Stria authors"),
                         "copyright", _ ("© The Stria authors"),
                         "comments", _ ("Looks at profiles of accelerators: large traces, on this "
                                       "computer, with nothing uploaded."),
                         "license-type", GTK_LICENSE_APACHE_2_0,
                         NULL);
}

static gboolean
stria_application_dbus_register (GApplication *application, GDBusConnection *connection,
                                 const char *object_path, GError **error)
{
  StriaApplication *self = STRIA_APPLICATION (application);

  if (!G_APPLICATION_CLASS (stria_application_parent_class)
           ->dbus_register (application, connection, object_path, error))
    return FALSE;
  self->provider = stria_desktop_export (GTK_APPLICATION (application), connection, error);
  return self->provider != 0;
}

static void
stria_application_dbus_unregister (GApplication *application, GDBusConnection *connection,
                                   const char *object_path)
{
  StriaApplication *self = STRIA_APPLICATION (application);

  if (self->provider != 0)
    g_dbus_connection_unregister_object (connection, self->provider);
  self->provider = 0;
  G_APPLICATION_CLASS (stria_application_parent_class)
      ->dbus_unregister (application, connection, object_path);
}

/* Whether texts that widgets hold are others now. Colours are asked for whenever something is
 * drawn. */
static gboolean
texts_have_changed (void)
{
  static char *before;
  g_autofree char *zone = stria_settings_get_text (STRIA_SETTING_TIME_ZONE);
  g_autofree char *now
      = g_strdup_printf ("%d %d %s", stria_settings_get (STRIA_SETTING_TIME_UNIT),
                         stria_settings_get (STRIA_SETTING_SHOW_CYCLES), zone);
  const gboolean has_changed = g_strcmp0 (before, now) != 0;

  g_free (before);
  before = g_steal_pointer (&now);
  return has_changed;
}

static void
stria_application_startup (GApplication *application)
{
  static const GActionEntry actions[] = {
    { .name = "quit", .activate = on_quit },
    { .name = "new-window", .activate = on_new_window },
    { .name = "preferences", .activate = on_preferences },
    { .name = "help", .activate = on_help, .parameter_type = "s" },
    { .name = "tell", .activate = on_tell, .parameter_type = "s" },
    { .name = "tour", .activate = on_tour },
    { .name = "about", .activate = on_about },
  };
  static const int ends[] = { SIGTERM, SIGINT, SIGHUP };

  G_APPLICATION_CLASS (stria_application_parent_class)->startup (application);

  g_action_map_add_action_entries (G_ACTION_MAP (application), actions, G_N_ELEMENTS (actions),
                                   application);
  stria_keys_apply (GTK_APPLICATION (application));
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    g_unix_signal_add (ends[i], on_signal, application);
  stria_desktop_add_actions (GTK_APPLICATION (application));
  stria_layouts_load ();
  stria_saved_queries_load ();
  gtk_window_set_default_icon_name (APP_ID);
  stria_look_start ();
  stria_application_apply_definitions (NULL);
  texts_have_changed ();
}

static void
stria_application_finalize (GObject *object)
{
  stria_picture_run_free (STRIA_APPLICATION (object)->pictures);
  G_OBJECT_CLASS (stria_application_parent_class)->finalize (object);
}

static void
stria_application_class_init (StriaApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = stria_application_finalize;
  application_class->activate = stria_application_activate;
  application_class->open = stria_application_open;
  application_class->handle_local_options = stria_application_handle_local_options;
  application_class->command_line = stria_application_command_line;
  application_class->startup = stria_application_startup;
  application_class->dbus_register = stria_application_dbus_register;
  application_class->dbus_unregister = stria_application_dbus_unregister;
}

static void
stria_application_init (StriaApplication *self)
{
  GApplication *application = G_APPLICATION (self);

  g_application_add_main_option_entries (application, options);
  g_application_add_main_option_entries (application, stria_picture_run_options ());
  g_application_set_option_context_parameter_string (application, NULL);
  g_application_set_option_context_summary (
    application, _ ("Looks at accelerator profiles: files, folders, or archives of them."));
  g_application_set_option_context_description (
      application,
      _ ("Several files are opened as one capture; several folders as one window each."));
}

/**
 * stria_application_new:
 *
 * Returns: (transfer full): the program
 */
StriaApplication *
stria_application_new (void)
{
  return g_object_new (STRIA_TYPE_APPLICATION, "application-id", APP_ID, "flags",
                       G_APPLICATION_HANDLES_OPEN | G_APPLICATION_HANDLES_COMMAND_LINE,
                       "resource-base-path", "/io/github/stria/Stria", NULL);
}

static void
for_windows (void (*func) (StriaWindow *window))
{
  GApplication *application = g_application_get_default ();

  if (!GTK_IS_APPLICATION (application))
    return;
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (application)); l != NULL;
       l = l->next)
    if (STRIA_IS_WINDOW (l->data))
      func (l->data);
}

void
stria_application_apply_look (void)
{
  stria_look_apply ();
  /* What is drawn listens to this. */
  g_object_notify (G_OBJECT (adw_style_manager_get_default ()), "dark");
  if (texts_have_changed ())
    stria_retell ();
}

void
stria_application_apply_color_by (void)
{
  for_windows (stria_window_color);
}

gboolean
stria_application_apply_definitions (GError **error)
{
  g_autofree char *path = stria_settings_get_text (STRIA_SETTING_NEURON_PROTO_FILE);
  g_autoptr (StriaProtoSchema) schema
      = path[0] != '\0' ? stria_proto_schema_new_file (path, error) : NULL;

  stria_proto_schema_set_default (schema);
  return path[0] == '\0' || schema != NULL;
}
