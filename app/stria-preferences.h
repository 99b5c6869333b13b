/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define STRIA_TYPE_PREFERENCES (stria_preferences_get_type ())
G_DECLARE_FINAL_TYPE (StriaPreferences, stria_preferences, STRIA, PREFERENCES, AdwPreferencesWindow)

/* Shows the preferences over @parent (nullable). */
void stria_preferences_present (GtkWindow *parent);

G_END_DECLS
