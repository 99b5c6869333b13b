/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-choosers.h"

G_BEGIN_DECLS

/* Asks which capture to compare with, in the words of @body: files, a folder, one of those opened last but @except
 * (nullable), or what is dropped on it. @func is called if something was chosen and @owner, a
 * #GObject, still lives. */
void stria_compare_dialog_present (GtkWindow *parent, const char *body, const char *const *except,
                                   StriaChosenFunc func, gpointer owner);

G_END_DECLS
