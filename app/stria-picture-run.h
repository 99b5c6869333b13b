/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-window.h"

G_BEGIN_DECLS

/**
 * StriaPictureRun:
 *
 * Draws every view of a capture into PNG files, as the window shows them: for machines without a
 * screen, and for reviews. Preferences are the default ones, and nothing is remembered.
 */
typedef struct _StriaPictureRun StriaPictureRun;

/* Options of the program that belong to it, for g_application_add_main_option_entries() */
const GOptionEntry *stria_picture_run_options (void);

/**
 * stria_picture_run_new:
 * @dict: options of the command line
 * @error: what is wrong with them
 *
 * To be called before GTK is initialized, because pictures have settings of their own.
 *
 * Returns: (transfer full) (nullable): NULL with no error if no pictures are asked for
 */
StriaPictureRun *stria_picture_run_new  (GVariantDict *dict, GError **error);
void             stria_picture_run_free (StriaPictureRun *self);
/* Shows @paths (may be empty: the start page) in a window of @application and draws what there is.
 * Prints a line a file. Returns: an exit status */
int              stria_picture_run      (StriaPictureRun *self, GtkApplication *application,
                                         const char *const *paths, const StriaTarget *target);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaPictureRun, stria_picture_run_free)

G_END_DECLS
