/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * StriaBusyFunc:
 *
 * Returns: whether what is waited for still has something to do
 */
typedef gboolean (*StriaBusyFunc) (gpointer data);

/**
 * stria_picture_settle:
 * @widget: mapped, or about to be
 * @is_busy: (nullable): asked again and again
 * @data: for @is_busy
 * @limit_s: how long to wait at most, in seconds
 *
 * Runs the main loop until all is done that changes what @widget shows: nothing waits in the loop, no
 * thread of the process works, no spinner turns in it and its frames have come to rest.
 *
 * Returns: FALSE if that was not so within @limit_s
 */
gboolean stria_picture_settle (GtkWidget *widget, StriaBusyFunc is_busy, gpointer data,
                               guint limit_s);

G_END_DECLS
