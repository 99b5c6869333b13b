/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-source-place.h"

#include <string.h>

gboolean
stria_source_is_file (const char *path)
{
  return path != NULL && *path != '\0' && *path != '<' && *path != '?';
}

/* The number in the brackets that @close ends, and where its path ends. 0: it is none */
static guint
line_before (const char *name, const char *close, const char **path_end)
{
  const char *open;
  guint64 number = 0;

  for (open = close; open > name && g_ascii_isdigit (open[-1]); open--)
    ;
  if (open == close || close - open > 9 || open - name < 2 || open[-1] != '(')
    return 0;
  for (const char *digit = open; digit < close; digit++)
    number = number * 10 + (guint64) g_ascii_digit_value (*digit);
  *path_end = open - 1;
  return (guint) number;
}

gboolean
stria_source_parse_name (const char *name, char **path, guint *line, const char **function)
{
  /* A path may have brackets too: the last "(12): " counts */
  const char *close = name != NULL ? g_strrstr (name, "): ") : NULL;
  const char *path_end = NULL;
  const guint number = close != NULL ? line_before (name, close, &path_end) : 0;

  if (number == 0 || !stria_source_is_file (name))
    return FALSE;
  *path = g_strndup (name, (gsize) (path_end - name));
  *line = number;
  if (function != NULL)
    *function = close + strlen ("): ");
  return TRUE;
}

gboolean
stria_source_parse_event (const char *name, char **path, guint *line, const char **function)
{
  const gsize length = name != NULL ? strlen (name) : 0;
  const char *path_end = NULL, *dot = NULL;
  guint number;

  if (length == 0)
    return FALSE;
  if (name[length - 1] != ')')
    return stria_source_parse_name (name, path, line, function);
  number = line_before (name, name + length - 1, &path_end);
  if (number == 0 || !stria_source_is_file (name))
    return FALSE;
  /* Kernels are called "gemm(12)" as well: a file has an ending */
  for (const char *p = name; p < path_end; p++)
    if (*p == '.')
      dot = p;
    else if (*p == '/' || *p == '\\')
      dot = NULL;
  if (dot == NULL || dot + 1 == path_end || path_end - dot > 5)
    return FALSE;
  for (const char *p = dot + 1; p < path_end; p++)
    if (!g_ascii_isalnum (*p))
      return FALSE;
  *path = g_strndup (name, (gsize) (path_end - name));
  *line = number;
  if (function != NULL)
    *function = name + length;
  return TRUE;
}

gboolean
stria_source_parse_place (const char *text, char **path, guint *line)
{
  const char *colon = text != NULL ? strrchr (text, ':') : NULL;
  guint64 number;

  if (colon == NULL || colon == text || !stria_source_is_file (text)
      || !g_ascii_string_to_unsigned (colon + 1, 10, 1, G_MAXINT, &number, NULL))
    return FALSE;
  *path = g_strndup (text, (gsize) (colon - text));
  *line = (guint) number;
  return TRUE;
}
