/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * StriaArgs:
 *
 * The raw argument texts of events, in zstd-compressed chunks of about 256 KiB of text. A text is
 * found by the reference that stria_args_append() gave. Chunks are compressed on a helper thread
 * while the import goes on.
 *
 * A chunk, inflated, is a row of records: guint32 seq, guint32 length, the bytes (little endian).
 * A reference is chunk << 25 | offset of the record.
 */
typedef struct _StriaArgs StriaArgs;

typedef GBytes *(*StriaArgsLoader) (gpointer user_data, guint32 chunk, GError **error);

StriaArgs *stria_args_new        (void);
/* An existing set of @n_chunks whose compressed bytes @loader gets (any thread) */
StriaArgs *stria_args_new_loaded (guint32 n_chunks, StriaArgsLoader loader, gpointer user_data,
                                  GDestroyNotify destroy);
StriaArgs *stria_args_ref        (StriaArgs *self);
void       stria_args_unref      (StriaArgs *self);

guint64    stria_args_append     (StriaArgs *self, guint32 seq, const char *text, gsize length);
/* No more appends; waits for the compression of the last chunk. */
void       stria_args_finish     (StriaArgs *self);

/* Returns: (transfer full) (nullable): the text, NUL-terminated behind its last byte */
GBytes    *stria_args_get        (StriaArgs *self, guint64 ref, GError **error);

guint32    stria_args_n_chunks   (StriaArgs *self);
/* Returns: (transfer full): compressed bytes of a chunk, for the store */
GBytes    *stria_args_get_chunk  (StriaArgs *self, guint32 chunk, GError **error);

typedef gboolean (*StriaArgsFunc) (guint32 seq, const char *text, gsize length, gpointer user_data);
/* Every text in file order; stops when @func returns FALSE or @cancellable is set. */
gboolean   stria_args_foreach    (StriaArgs *self, StriaArgsFunc func, gpointer user_data,
                                  GCancellable *cancellable, GError **error);
/* Calls @func for each text that contains @needle (bytes; ASCII letters without regard to case). */
gboolean   stria_args_search     (StriaArgs *self, const char *needle, StriaArgsFunc func,
                                  gpointer user_data, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaArgs, stria_args_unref)

G_END_DECLS
