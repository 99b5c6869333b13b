/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-locale.h"

#include <glib/gi18n-lib.h>
#include <locale.h>
#include <string.h>

/**
 * stria_locale_init:
 *
 * Takes the user's locale and finds the program's messages in it: where they are installed, or in
 * the folder that the environment variable STRIA_LOCALE_DIR names, for a program that runs from
 * where it was built. To be called first of all in each program.
 */
void
stria_locale_init (void)
{
  const char *folder = g_getenv ("STRIA_LOCALE_DIR");

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, folder != NULL && *folder != '\0' ? folder : LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}

/**
 * stria_locale_language:
 *
 * Says which language messages are in, by the head of the catalogue that they are taken from.
 *
 * Returns: (transfer full): the name of the language, such as "pt_BR"; empty for the messages as
 *   they are written in the source
 */
char *
stria_locale_language (void)
{
  const char *head = g_dgettext (GETTEXT_PACKAGE, "");
  const char *line = g_strstr_len (head, -1, "Language: ");
  gsize length;

  if (line == NULL)
    return g_strdup ("");
  line += strlen ("Language: ");
  length = strspn (line, STRIA_LOCALE_LETTERS);
  return g_strndup (line, length);
}
