/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <locale.h>

#include "stria-application.h"

int
main (int argc, char **argv)
{
  g_autoptr (GApplication) application = NULL;

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  application = G_APPLICATION (stria_application_new ());
  return g_application_run (application, argc, argv);
}
