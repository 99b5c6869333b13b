/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-arrangement.h"

#include <string.h>

/* Four panes and three cuts, with room for what is skipped */
#define MOST_WORDS     32
#define MOST_WORD      64
#define MOST_PX        4000
#define MOST_TEXT      (64 * 1024)
#define GROUP          "layout"

StriaLayout *
stria_layout_new (void)
{
  StriaLayout *self = g_new0 (StriaLayout, 1);

  self->panes = g_new0 (char *, 1);
  self->sidebar = TRUE;
  self->details = TRUE;
  return self;
}

void
stria_layout_free (StriaLayout *self)
{
  if (self == NULL)
    return;
  g_strfreev (self->panes);
  g_free (self->tab);
  g_free (self->bottom);
  g_free (self);
}

void
stria_layout_set_panes (StriaLayout *self, const char *const *words)
{
  g_strfreev (self->panes);
  self->panes = g_strdupv ((char **) words);
}

static gboolean
is_word (const char *text)
{
  const gsize length = strlen (text);

  if (length == 0 || length > MOST_WORD)
    return FALSE;
  for (const char *p = text; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && *p != ':' && *p != '-')
      return FALSE;
  return TRUE;
}

static char *
read_word (GKeyFile *file, const char *group, const char *key)
{
  g_autofree char *word = g_key_file_get_string (file, group, key, NULL);

  return word != NULL && is_word (word) ? g_steal_pointer (&word) : NULL;
}

static int
read_px (GKeyFile *file, const char *group, const char *key)
{
  return CLAMP (g_key_file_get_integer (file, group, key, NULL), 0, MOST_PX);
}

static gboolean
read_flag (GKeyFile *file, const char *group, const char *key, gboolean otherwise)
{
  g_autoptr (GError) error = NULL;
  const gboolean value = g_key_file_get_boolean (file, group, key, &error);

  return error != NULL ? otherwise : value;
}

/* A tree that has lost a word is another tree: all of them, or none. */
static char **
read_panes (GKeyFile *file, const char *group)
{
  gsize n = 0;
  g_auto (GStrv) words = g_key_file_get_string_list (file, group, "panes", &n, NULL);
  gboolean good = words != NULL && n <= MOST_WORDS;

  for (gsize i = 0; good && i < n; i++)
    good = is_word (words[i]);
  return good ? g_steal_pointer (&words) : g_new0 (char *, 1);
}

StriaLayout *
stria_layout_read (GKeyFile *file, const char *group)
{
  StriaLayout *self;

  if (!g_key_file_has_group (file, group))
    return NULL;
  self = g_new0 (StriaLayout, 1);
  self->panes = read_panes (file, group);
  self->tab = read_word (file, group, "tab");
  self->sidebar = read_flag (file, group, "sidebar", TRUE);
  self->sidebar_width = read_px (file, group, "sidebar-width");
  self->details = read_flag (file, group, "details", TRUE);
  self->details_below = read_flag (file, group, "details-below", FALSE);
  self->details_width = read_px (file, group, "details-width");
  self->bottom = read_word (file, group, "bottom");
  self->bottom_height = read_px (file, group, "bottom-height");
  return self;
}

void
stria_layout_write (StriaLayout *self, GKeyFile *file, const char *group)
{
  g_key_file_remove_group (file, group, NULL);
  g_key_file_set_string_list (file, group, "panes", (const char *const *) self->panes,
                              g_strv_length (self->panes));
  if (self->tab != NULL)
    g_key_file_set_string (file, group, "tab", self->tab);
  g_key_file_set_boolean (file, group, "sidebar", self->sidebar);
  g_key_file_set_integer (file, group, "sidebar-width", self->sidebar_width);
  g_key_file_set_boolean (file, group, "details", self->details);
  g_key_file_set_boolean (file, group, "details-below", self->details_below);
  g_key_file_set_integer (file, group, "details-width", self->details_width);
  if (self->bottom != NULL)
    g_key_file_set_string (file, group, "bottom", self->bottom);
  g_key_file_set_integer (file, group, "bottom-height", self->bottom_height);
}

char *
stria_layout_to_text (StriaLayout *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();

  stria_layout_write (self, file, GROUP);
  return g_key_file_to_data (file, NULL, NULL);
}

StriaLayout *
stria_layout_from_text (const char *text, gsize length)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();

  if (length > MOST_TEXT
      || !g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, NULL))
    return NULL;
  return stria_layout_read (file, GROUP);
}
