/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-error.h"
#include "stria-regions.h"

#include <glib/gi18n-lib.h>

struct _StriaPattern
{
  GPatternSpec *glob;  /* NULL: an expression, or everything */
  GRegex       *regex;
};

StriaPattern *
stria_pattern_new (const char *text, GError **error)
{
  g_autoptr (StriaPattern) self = g_new0 (StriaPattern, 1);
  const gsize length = text != NULL ? strlen (text) : 0;
  g_autoptr (GError) inner = NULL;

  if (length == 0)
    return g_steal_pointer (&self);
  if (length >= 2 && text[0] == '/' && text[length - 1] == '/')
    {
      g_autofree char *expression = g_strndup (text + 1, length - 2);

      self->regex = g_regex_new (expression, G_REGEX_OPTIMIZE, 0, &inner);
      if (self->regex == NULL)
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                       _ ("“%s” is no regular expression: %s"), text, inner->message);
          return NULL;
        }
    }
  else
    self->glob = g_pattern_spec_new (text);
  return g_steal_pointer (&self);
}

void
stria_pattern_free (StriaPattern *self)
{
  g_clear_pointer (&self->glob, g_pattern_spec_free);
  g_clear_pointer (&self->regex, g_regex_unref);
  g_free (self);
}

gboolean
stria_pattern_match (StriaPattern *self, const char *text)
{
  if (self->regex != NULL)
    return g_regex_match (self->regex, text, 0, NULL);
  return self->glob == NULL || g_pattern_spec_match_string (self->glob, text);
}

char *
stria_pattern_find (StriaPattern *self, const char *path)
{
  const char *at = path;

  if (self->regex != NULL)
    {
      g_autoptr (GMatchInfo) info = NULL;

      if (!g_regex_match (self->regex, path, 0, &info))
        return NULL;
      return g_match_info_fetch (info, g_match_info_get_match_count (info) > 1 ? 1 : 0);
    }
  if (self->glob == NULL)
    return path[0] != '\0' ? g_strdup (path) : NULL;
  /* A pattern with a slash is about the path, one without about a part of it. */
  if (g_pattern_spec_match_string (self->glob, path))
    return g_strdup (path);
  while (*at != '\0')
    {
      const gsize n = strcspn (at, "/");
      g_autofree char *component = g_strndup (at, n);

      if (n > 0 && g_pattern_spec_match_string (self->glob, component))
        return g_strndup (path, (gsize) (at - path) + n);
      at += n + (at[n] == '/');
    }
  return NULL;
}
