/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-notices.h"

G_BEGIN_DECLS

#define STRIA_TYPE_NOTICES_LIST (stria_notices_list_get_type ())
G_DECLARE_FINAL_TYPE (StriaNoticesList, stria_notices_list, STRIA, NOTICES_LIST, GtkWidget)

/**
 * StriaNoticesList:
 *
 * What was not as it should be in the files: how bad, where, how often.
 */
GtkWidget *stria_notices_list_new     (StriaNotices *notices);
/* Reads the notices again. */
void       stria_notices_list_refresh (StriaNoticesList *self);

G_END_DECLS
