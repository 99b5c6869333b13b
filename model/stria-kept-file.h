/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Bytes of a file that is read back, beyond which it is none of ours */
#define STRIA_KEPT_MAX_FILE (16 << 20)

/**
 * StriaKeptFile:
 *
 * A small text file that keeps what an object holds: read once, written after changes, never on the
 * main thread. A file that cannot be understood is put aside, not overwritten.
 */
typedef struct _StriaKeptFile StriaKeptFile;

/**
 * StriaKeptFuncs:
 * @text: on the main thread: what the file is to hold. Returns: (transfer full) (nullable): NULL
 *   removes it
 * @parse: on a worker. Returns: (transfer full) (nullable): NULL with an error
 * @read: on the main thread: what @parse returned, (transfer full)
 * @failed: a text for people
 * @free_parsed: of what @parse returns
 */
typedef struct
{
  char    *(*text)   (GObject *owner);
  gpointer (*parse)  (const char *text, gsize length, const char *path, GError **error);
  void     (*read)   (GObject *owner, gpointer parsed);
  void     (*failed) (GObject *owner, const char *message);
  GDestroyNotify free_parsed;
} StriaKeptFuncs;

/* Begins to read it. @owner: owns it; lives until the last write is done */
StriaKeptFile *stria_kept_file_new     (const char *path, GObject *owner,
                                        const StriaKeptFuncs *funcs);
void           stria_kept_file_free    (StriaKeptFile *self);
/* What it keeps has changed. */
void           stria_kept_file_changed (StriaKeptFile *self);
/* Waits until everything is read and on disk: for the end of the program, and for tests */
void           stria_kept_file_flush   (StriaKeptFile *self);

/* Whether a person can call something that is kept so: 1 to @most characters of UTF-8, without control
 * characters and without blanks at the ends, which would make it look like another */
gboolean stria_kept_is_name (const char *name, guint most);
/* Puts @text where @path is; NULL removes it. Blocks: for a worker */
gboolean stria_kept_store (const char *path, const char *text, GError **error);
/* Blocks: for a worker. Returns: (transfer full) (nullable) */
char    *stria_kept_load  (const char *path, gsize *length, GError **error);

G_END_DECLS
