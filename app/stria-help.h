/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define STRIA_TYPE_HELP (stria_help_get_type ())
G_DECLARE_FINAL_TYPE (StriaHelp, stria_help, STRIA, HELP, AdwWindow)

/**
 * StriaHelp:
 *
 * A window with the pages of help: a list that can be searched, and the page. There is one for the
 * whole program.
 */
/* @page: an id of stria_help_pages(); another one shows the first page */
void stria_help_present (GtkApplication *application, const char *page);

G_END_DECLS
