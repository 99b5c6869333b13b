/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * StriaSearchProvider:
 * @open: a result was chosen
 * @search: all captures of these words are to be shown
 * @user_data: given to both
 *
 * Answers searches of the desktop with the captures opened last: org.gnome.Shell.SearchProvider2 on
 * the program's own bus name, at %STRIA_SEARCH_PROVIDER_PATH. The list is read on workers.
 */
typedef struct
{
  void   (*open)   (const char *const *paths, gpointer user_data);
  void   (*search) (const char *words, gpointer user_data);
  gpointer user_data;
} StriaSearchProviderFuncs;

#define STRIA_SEARCH_PROVIDER_PATH "/io/github/stria/Stria/SearchProvider"

/* Exports it. Returns: a registration for g_dbus_connection_unregister_object(); 0 with @error */
guint stria_search_provider_export (GDBusConnection *connection,
                                    const StriaSearchProviderFuncs *funcs, GError **error);

G_END_DECLS
