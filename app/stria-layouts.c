/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-layouts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-error.h"
#include "stria-kept-file.h"
#include "stria-kept-keys.h"

#define PREFIX "layout "

static const StriaBuiltInLayout built_in[] = {
  { .id = "tabs", .title = N_ ("Tabs") },
  { .id = "timeline-source",
    .title = N_ ("Timeline and Source"),
    .tab = "timeline",
    .panes = { "beside:600", STRIA_LAYOUT_TABS, "source" } },
  { .id = "timelines",
    .title = N_ ("Two Timelines"),
    .tab = "timeline",
    .panes = { "below:500", STRIA_LAYOUT_TABS, "timeline2" } },
  { .id = "timeline-operators",
    .title = N_ ("Timeline and Operators"),
    .tab = "timeline",
    .panes = { "below:550", STRIA_LAYOUT_TABS, "operators" } },
  { .id = "timeline-memory",
    .title = N_ ("Timeline and Memory"),
    .tab = "timeline",
    .panes = { "below:550", STRIA_LAYOUT_TABS, "memory" } },
};

const StriaBuiltInLayout *
stria_layouts_built_in (guint *n)
{
  *n = G_N_ELEMENTS (built_in);
  return built_in;
}

const StriaBuiltInLayout *
stria_layouts_find_built_in (const char *id)
{
  for (guint i = 0; i < G_N_ELEMENTS (built_in); i++)
    if (g_str_equal (built_in[i].id, id))
      return &built_in[i];
  return NULL;
}

static StriaKeptKeys *
get_kept (void)
{
  static StriaKeptKeys *kept;

  if (kept == NULL)
    kept = stria_kept_keys_new (
        g_build_filename (g_get_user_config_dir (), "stria", "layouts.ini", NULL));
  return kept;
}

void
stria_layouts_load (void)
{
  stria_kept_keys_load (get_kept ());
}

/* Names are any text, groups are not. */
static char *
group_of_name (const char *name)
{
  g_autofree char *escaped = g_uri_escape_string (name, " ", FALSE);

  return g_strconcat (PREFIX, escaped, NULL);
}

static char *
name_of_group (const char *group)
{
  g_autofree char *name = NULL;

  if (!g_str_has_prefix (group, PREFIX))
    return NULL;
  name = g_uri_unescape_string (group + strlen (PREFIX), NULL);
  return name != NULL && stria_layouts_is_name (name) ? g_steal_pointer (&name) : NULL;
}

gboolean
stria_layouts_is_name (const char *name)
{
  return stria_kept_is_name (name, STRIA_LAYOUTS_MOST_NAME);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_utf8_collate (*(const char *const *) a, *(const char *const *) b);
}

char **
stria_layouts_list (void)
{
  GKeyFile *file = stria_kept_keys_get (get_kept ());
  g_auto (GStrv) groups = g_key_file_get_groups (file, NULL);
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; groups[i] != NULL; i++)
    {
      char *name = name_of_group (groups[i]);

      if (name != NULL)
        g_ptr_array_add (names, name);
    }
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

StriaLayout *
stria_layouts_get (const char *name)
{
  GKeyFile *file = stria_kept_keys_get (get_kept ());
  g_autofree char *group = group_of_name (name);

  return stria_layout_read (file, group);
}

static gboolean
check_name (const char *name, GError **error)
{
  if (stria_layouts_is_name (name))
    return TRUE;
  g_set_error_literal (error, STRIA_ERROR, STRIA_ERROR_FAILED,
                       _ ("A layout cannot have this name"));
  return FALSE;
}

gboolean
stria_layouts_set (const char *name, StriaLayout *layout, GError **error)
{
  GKeyFile *file = stria_kept_keys_get (get_kept ());
  g_autofree char *group = group_of_name (name);

  if (!check_name (name, error))
    return FALSE;
  if (layout != NULL)
    stria_layout_write (layout, file, group);
  else
    g_key_file_remove_group (file, group, NULL);
  stria_kept_keys_changed (get_kept ());
  return TRUE;
}

gboolean
stria_layouts_rename (const char *from, const char *to, GError **error)
{
  GKeyFile *file = stria_kept_keys_get (get_kept ());
  g_autofree char *group = group_of_name (from);
  g_autofree char *renamed = group_of_name (to);
  g_autoptr (StriaLayout) layout = stria_layout_read (file, group);

  if (!check_name (to, error))
    return FALSE;
  if (g_str_equal (group, renamed))
    return TRUE;
  if (layout == NULL || g_key_file_has_group (file, renamed))
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED,
                   layout == NULL ? _ ("There is no layout “%s”")
                                  : _ ("There is another layout “%s”"),
                   layout == NULL ? from : to);
      return FALSE;
    }
  stria_layout_write (layout, file, renamed);
  g_key_file_remove_group (file, group, NULL);
  stria_kept_keys_changed (get_kept ());
  return TRUE;
}
