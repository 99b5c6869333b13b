/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define STRIA_TYPE_KEYS_PAGE (stria_keys_page_get_type ())
G_DECLARE_FINAL_TYPE (StriaKeysPage, stria_keys_page, STRIA, KEYS_PAGE, AdwPreferencesPage)

/* All actions with their keys. Returns: (transfer floating) */
GtkWidget *stria_keys_page_new (void);

G_END_DECLS
