/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-search-provider.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-format.h"
#include "stria-recent.h"

static const char interface_xml[]
    = "<node><interface name='org.gnome.Shell.SearchProvider2'>"
      "<method name='GetInitialResultSet'>"
      "<arg type='as' name='terms' direction='in'/><arg type='as' name='results' direction='out'/>"
      "</method>"
      "<method name='GetSubsearchResultSet'>"
      "<arg type='as' name='previous_results' direction='in'/>"
      "<arg type='as' name='terms' direction='in'/><arg type='as' name='results' direction='out'/>"
      "</method>"
      "<method name='GetResultMetas'>"
      "<arg type='as' name='identifiers' direction='in'/>"
      "<arg type='aa{sv}' name='metas' direction='out'/>"
      "</method>"
      "<method name='ActivateResult'>"
      "<arg type='s' name='identifier' direction='in'/><arg type='as' name='terms' direction='in'/>"
      "<arg type='u' name='timestamp' direction='in'/>"
      "</method>"
      "<method name='LaunchSearch'>"
      "<arg type='as' name='terms' direction='in'/><arg type='u' name='timestamp' direction='in'/>"
      "</method>"
      "</interface></node>";

/* A call that is answered from the list of captures. */
typedef struct
{
  StriaSearchProviderFuncs funcs;
  GDBusMethodInvocation   *invocation;
} Call;

static void
call_free (gpointer data)
{
  Call *call = data;

  g_object_unref (call->invocation);
  g_free (call);
}

/* Names what was opened, and stays the same while the list changes. */
static char *
result_id (const StriaRecentItem *item)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  /* With the zero at the end of each, so that “a”, “b” is not “ab” */
  for (guint i = 0; item->paths[i] != NULL; i++)
    g_checksum_update (sum, (const guchar *) item->paths[i], (gssize) strlen (item->paths[i]) + 1);
  return g_strdup (g_checksum_get_string (sum));
}

static gboolean
has_term (const StriaRecentItem *item, const char *term)
{
  if (g_str_match_string (term, item->title, TRUE)
      || (item->folder != NULL && g_str_match_string (term, item->folder, TRUE)))
    return TRUE;
  for (guint i = 0; item->tags != NULL && item->tags[i] != NULL; i++)
    if (g_str_match_string (term, item->tags[i], TRUE))
      return TRUE;
  for (guint i = 0; item->paths[i] != NULL; i++)
    {
      g_autofree char *name = g_filename_display_name (item->paths[i]);

      if (g_str_match_string (term, name, TRUE))
        return TRUE;
    }
  return FALSE;
}

static gboolean
has_terms (const StriaRecentItem *item, const char *const *terms)
{
  for (guint i = 0; terms[i] != NULL; i++)
    if (!has_term (item, terms[i]))
      return FALSE;
  return terms[0] != NULL;
}

/* @among: (nullable): only of these results */
static GVariant *
find_results (const char *const *terms, const char *const *among)
{
  g_autoptr (GPtrArray) items = stria_recent_list ();
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < items->len; i++)
    {
      g_autofree char *id = result_id (items->pdata[i]);

      if (has_terms (items->pdata[i], terms) && (among == NULL || g_strv_contains (among, id)))
        g_variant_builder_add (&builder, "s", id);
    }
  return g_variant_new ("(as)", &builder);
}

/* "~/captures/run · 12,345 events · 34 MB" */
static char *
describe (const StriaRecentItem *item)
{
  g_autofree char *folder = g_path_get_dirname (item->paths[0]);
  g_autofree char *place = g_filename_display_name (folder);
  g_autofree char *bytes = stria_format_bytes ((gint64) item->bytes);
  g_autofree char *count = stria_format_count (item->n_events);
  g_autofree char *events = NULL;

  if (item->n_events == 0)
    return g_strdup_printf ("%s · %s", place, bytes);
  events = g_strdup_printf (ngettext ("%s event", "%s events", item->n_events),
                            count);
  return g_strdup_printf ("%s · %s · %s", place, events, bytes);
}

static void
add_meta (GVariantBuilder *builder, const char *id, const StriaRecentItem *item)
{
  g_autoptr (GIcon) icon = g_themed_icon_new (APP_ID);
  g_autofree char *icon_text = g_icon_to_string (icon);
  g_autofree char *description = describe (item);
  g_autofree char *path = g_filename_display_name (item->paths[0]);

  g_variant_builder_open (builder, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (builder, "{sv}", "id", g_variant_new_string (id));
  g_variant_builder_add (builder, "{sv}", "name", g_variant_new_string (item->title));
  g_variant_builder_add (builder, "{sv}", "description", g_variant_new_string (description));
  g_variant_builder_add (builder, "{sv}", "clipboardText", g_variant_new_string (path));
  g_variant_builder_add (builder, "{sv}", "gicon", g_variant_new_string (icon_text));
  g_variant_builder_add (builder, "{sv}", "icon", g_icon_serialize (icon));
  g_variant_builder_close (builder);
}

static GVariant *
find_metas (const char *const *ids)
{
  g_autoptr (GPtrArray) items = stria_recent_list ();
  g_autoptr (GHashTable) by_id = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GVariantBuilder builder;

  for (guint i = 0; i < items->len; i++)
    g_hash_table_insert (by_id, result_id (items->pdata[i]), items->pdata[i]);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; ids[i] != NULL; i++)
    {
      const StriaRecentItem *item = g_hash_table_lookup (by_id, ids[i]);

      if (item != NULL)
        add_meta (&builder, ids[i], item);
    }
  return g_variant_new ("(aa{sv})", &builder);
}

/* Returns: (transfer full) (nullable) */
static char **
find_paths (const char *id)
{
  g_autoptr (GPtrArray) items = stria_recent_list ();

  for (guint i = 0; i < items->len; i++)
    {
      const StriaRecentItem *item = items->pdata[i];
      g_autofree char *other = result_id (item);

      if (g_str_equal (other, id))
        return g_strdupv (item->paths);
    }
  return NULL;
}

static void
answer_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Call *call = task_data;
  GVariant *parameters = g_dbus_method_invocation_get_parameters (call->invocation);
  const char *method = g_dbus_method_invocation_get_method_name (call->invocation);
  g_autofree const char **terms = NULL;
  g_autofree const char **among = NULL;
  GVariant *answer;

  if (g_str_equal (method, "ActivateResult"))
    {
      const char *id;

      g_variant_get_child (parameters, 0, "&s", &id);
      g_task_return_pointer (task, find_paths (id), (GDestroyNotify) g_strfreev);
      return;
    }
  if (g_str_equal (method, "GetSubsearchResultSet"))
    {
      g_variant_get (parameters, "(^a&s^a&s)", &among, &terms);
      answer = find_results (terms, among);
    }
  else
    {
      g_variant_get (parameters, "(^a&s)", &terms);
      answer = g_str_equal (method, "GetResultMetas") ? find_metas (terms)
                                                      : find_results (terms, NULL);
    }
  g_dbus_method_invocation_return_value (g_object_ref (call->invocation), answer);
  g_task_return_pointer (task, NULL, NULL);
}

static void
on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Call *call = g_task_get_task_data (G_TASK (result));
  g_auto (GStrv) paths = g_task_propagate_pointer (G_TASK (result), NULL);

  if (g_str_equal (g_dbus_method_invocation_get_method_name (call->invocation), "ActivateResult"))
    {
      /* What is no longer in the list has no place to go to; then all that is there is shown. */
      if (paths != NULL)
        call->funcs.open ((const char *const *) paths, call->funcs.user_data);
      else
        call->funcs.search ("", call->funcs.user_data);
      g_dbus_method_invocation_return_value (g_object_ref (call->invocation), NULL);
    }
  /* The program stays while it is asked. */
  g_application_release (g_application_get_default ());
}

static void
on_method_call (GDBusConnection *connection, const char *sender, const char *path,
                const char *interface, const char *method, GVariant *parameters,
                GDBusMethodInvocation *invocation, gpointer user_data)
{
  const StriaSearchProviderFuncs *funcs = user_data;
  g_autoptr (GTask) task = NULL;
  Call *call;

  if (g_str_equal (method, "LaunchSearch"))
    {
      g_autofree const char **terms = NULL;
      g_autofree char *words = NULL;

      g_variant_get_child (parameters, 0, "^a&s", &terms);
      words = g_strjoinv (" ", (char **) terms);
      funcs->search (words, funcs->user_data);
      g_dbus_method_invocation_return_value (invocation, NULL);
      return;
    }
  call = g_new0 (Call, 1);
  call->funcs = *funcs;
  call->invocation = invocation;
  g_application_hold (g_application_get_default ());
  task = g_task_new (NULL, NULL, on_answered, NULL);
  g_task_set_source_tag (task, on_method_call);
  g_task_set_task_data (task, call, call_free);
  g_task_run_in_thread (task, answer_in_thread);
}

guint
stria_search_provider_export (GDBusConnection *connection, const StriaSearchProviderFuncs *funcs,
                              GError **error)
{
  static const GDBusInterfaceVTable vtable = { .method_call = on_method_call };
  g_autoptr (GDBusNodeInfo) info = g_dbus_node_info_new_for_xml (interface_xml, error);

  if (info == NULL)
    return 0;
  return g_dbus_connection_register_object (connection, STRIA_SEARCH_PROVIDER_PATH,
                                            info->interfaces[0], &vtable,
                                            g_memdup2 (funcs, sizeof *funcs), g_free, error);
}
