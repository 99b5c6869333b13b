/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <adwaita.h>

#include "stria-keys.h"

G_BEGIN_DECLS

/* Shows, over @parent, the keys of an action, and takes others. @changed: called, with @owner,
 * after what was changed holds; @owner: lives as long as @parent */
void stria_key_dialog_present (GtkWindow *parent, const char *action,
                               void (*changed) (gpointer owner), gpointer owner);

G_END_DECLS
