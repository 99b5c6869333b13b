/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_SOURCE_LIST (stria_source_list_get_type ())
G_DECLARE_FINAL_TYPE (StriaSourceList, stria_source_list, STRIA, SOURCE_LIST, GtkWidget)

/**
 * StriaSourceList:
 *
 * The files of source that a capture mentions: in stacks of allocations, with the bytes that were
 * live through them at the peak, and in names of Python functions.
 *
 * Signals: "file" (path: chosen by the user)
 */
GtkWidget *stria_source_list_new      (StriaSession *session);
/* Shows @path as the one that is open, if it is listed */
void       stria_source_list_set_path (StriaSourceList *self, const char *path);
/* Whether @capture mentions any; any thread */
gboolean   stria_source_list_has_data (StriaCapture *capture);

G_END_DECLS
