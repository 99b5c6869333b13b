/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-desktop.h"

#include <glib/gi18n-lib.h>

#include "stria-compare-dialog.h"
#include "stria-search-provider.h"
#include "stria-start-page.h"

/* One that shows the start page */
static GtkWindow *
start_window (GtkApplication *application)
{
  StriaWindow *window = NULL;

  for (GList *l = gtk_application_get_windows (application); l != NULL; l = l->next)
    if (STRIA_IS_WINDOW (l->data) && !stria_window_is_used (l->data))
      window = l->data;
  if (window == NULL)
    window = stria_window_new (application);
  gtk_window_present (GTK_WINDOW (window));
  return GTK_WINDOW (window);
}

static void
on_open_folder (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  gtk_widget_activate_action (GTK_WIDGET (start_window (user_data)), "win.open-folder", NULL);
}

static void
on_first_chosen (gpointer owner, const char *const *paths)
{
  const StriaTarget target = { .compare = TRUE };

  stria_window_open (owner, paths, &target);
}

static void
on_compare (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GtkWindow *window = gtk_application_get_active_window (user_data);

  if (STRIA_IS_WINDOW (window) && stria_window_is_used (STRIA_WINDOW (window)))
    {
      gtk_window_present (window);
      gtk_widget_activate_action (GTK_WIDGET (window), "win.compare", NULL);
      return;
    }
  window = start_window (user_data);
  stria_compare_dialog_present (
      window, _ ("Choose the first capture. When it is open, the second one is asked for."), NULL,
      on_first_chosen, window);
}

void
stria_desktop_add_actions (GtkApplication *application)
{
  static const GActionEntry entries[] = {
    { .name = "open-folder", .activate = on_open_folder },
    { .name = "compare", .activate = on_compare },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (application), entries, G_N_ELEMENTS (entries),
                                   application);
}

static void
open_result (const char *const *paths, gpointer user_data)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; paths[i] != NULL; i++)
    g_ptr_array_add (files, g_file_new_for_path (paths[i]));
  g_application_open (user_data, (GFile **) files->pdata, (int) files->len, "");
}

static void
show_results (const char *words, gpointer user_data)
{
  stria_start_page_search (GTK_WIDGET (start_window (user_data)), words);
}

guint
stria_desktop_export (GtkApplication *application, GDBusConnection *connection, GError **error)
{
  const StriaSearchProviderFuncs funcs = { open_result, show_results, application };

  return stria_search_provider_export (connection, &funcs, error);
}
