/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-application.h"
#include "stria-locale.h"

int
main (int argc, char **argv)
{
  g_autoptr (GApplication) application = NULL;

  stria_locale_init ();

  application = G_APPLICATION (stria_application_new ());
  return g_application_run (application, argc, argv);
}
