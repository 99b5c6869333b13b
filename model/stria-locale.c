/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-locale.h"

#include <glib/gi18n-lib.h>
#include <locale.h>

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
