/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-keys.h"

G_BEGIN_DECLS

/* The keys that hold, of the settings. Main thread. Returns: (transfer none) */
StriaKeys *stria_keys_get_default    (void);
/* Gives them to the program and to what widgets have. */
void       stria_keys_apply          (GtkApplication *application);
/* That, after a change of stria_keys_get_default(), which is kept */
void       stria_keys_changed        (void);
/* What is written in @window is not taken for keys that are letters. */
void       stria_keys_guard          (GtkWindow *window);
/* The window of shortcuts over @parent, as they are now */
void       stria_keys_present_window (GtkWindow *parent);
/* The first key of @action, for menus. Returns: (transfer full) (nullable) */
char      *stria_keys_first          (const char *action);

G_END_DECLS
