/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * StriaKeptKeys:
 *
 * A key file of the person that the program has in memory: read and written by the thread of
 * stria-state-writer, never on the main thread. A file that is none is put aside.
 */
typedef struct _StriaKeptKeys StriaKeptKeys;

/* For good: there is one of each file. @path: (transfer full). Call stria_kept_keys_load() next. */
StriaKeptKeys *stria_kept_keys_new     (char *path);
/* Begins to read the file, in place of what is known of it. What is changed before that is done is
 * put into what is read. */
void           stria_kept_keys_load    (StriaKeptKeys *self);
/* What is known by now. Returns: (transfer none) */
GKeyFile      *stria_kept_keys_get     (StriaKeptKeys *self);
/* It was changed: begins to write it. */
void           stria_kept_keys_changed (StriaKeptKeys *self);

G_END_DECLS
