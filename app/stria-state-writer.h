/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * SECTION:stria-state-writer
 *
 * Small files of what a person did, all on one thread and in order: what is written last is what a
 * file has at the end. A file is replaced once the new one is on the disk, so that a crash leaves
 * the old one or the new one. The program does not end before all is written. A failure is told of.
 * All of it belongs to the main thread, but for stria_state_tell().
 */

/* @text: (transfer full) */
void stria_state_write     (const char *path, char *text);
/* What is no file of ours makes room for one, with ".bad" behind its name. */
void stria_state_put_aside (const char *path, const char *why);
/* Something else for that thread: @func gets @data last */
void stria_state_run       (GFunc func, gpointer data);
/* Says in a window, and on the standard error, that something could not be kept or found again.
 * From any thread. */
void stria_state_tell      (const char *text);
/* Waits until all is written: for tests, and to read again */
void stria_state_flush     (void);

G_END_DECLS
