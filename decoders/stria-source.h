/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Caps on what is read, in one place. */
#define STRIA_SOURCE_MAX_BYTES   ((guint64) 1 << 38) /* 256 GiB inflated from one artifact */
#define STRIA_SOURCE_MAX_RATIO   250                 /* inflated : compressed, once past the next */
#define STRIA_SOURCE_RATIO_FROM  ((guint64) 64 << 20)
#define STRIA_SOURCE_BLOCK       ((gsize) 1 << 20)
#define STRIA_ARCHIVE_MAX_ENTRIES 100000

/**
 * StriaSource:
 *
 * The bytes of an artifact, from front to back: a plain file, the inflated text of a gzip file
 * (all members; on a thread of its own, a few blocks ahead), or a member of a zip or tar archive.
 * Gzip and zstd are found by content, whatever the name.
 */
typedef struct _StriaSource StriaSource;

/* @member: (nullable): path inside the archive at @path */
StriaSource *stria_source_open     (const char *path, const char *member, GError **error);
/* As above; opening and reading give up with %G_IO_ERROR_CANCELLED when @cancellable says so. */
StriaSource *stria_source_open_full (const char *path, const char *member,
                                     GCancellable *cancellable, GError **error);
/* @bytes as if they were the content of a file called @name (for tests and fuzzing) */
StriaSource *stria_source_new_bytes (const char *name, GBytes *bytes, GError **error);
void         stria_source_free     (StriaSource *self);

/**
 * stria_source_read:
 * @data: (out): the block; valid until the next call
 * @length: (out): its length, 0 at the end
 *
 * Returns: FALSE with @error on an I/O error, damage or a cap; blocks before it were good. A
 * compressed stream that ends early gives %STRIA_ERROR_TRUNCATED after its last good block.
 */
gboolean     stria_source_read     (StriaSource *self, const guint8 **data, gsize *length,
                                    GError **error);

/* Length of the blocks that stria_source_read() gives (all but the last are full), if not
 * %STRIA_SOURCE_BLOCK; before the first read. For tests of what lies across two blocks. */
void         stria_source_set_block_size (StriaSource *self, gsize size);
/* The same for a decoder that would rather have its blocks stay in a processor's cache: no longer. */
void         stria_source_limit_block_size (StriaSource *self, gsize most);

/* The whole file where it is not compressed and no member of an archive, else NULL: for formats
 * that are read by offsets. A trace is better read in blocks. Pages behind a reader can be dropped
 * with stria_source_done_to(). */
const guint8 *stria_source_map     (StriaSource *self, gsize *length);
void         stria_source_done_to  (StriaSource *self, gsize offset);
/* The same for any part of the map, as often as one likes */
void         stria_source_drop     (StriaSource *self, gsize from, gsize to);

/* Base name for messages */
const char  *stria_source_get_name (StriaSource *self);
/* Size on disk of what is read (the compressed size; for a member of an archive, its size in the
 * archive once unpacked from it, 0 if the archive does not say), and how much of that went into
 * the blocks handed out so far */
guint64      stria_source_get_size (StriaSource *self);
guint64      stria_source_get_position (StriaSource *self);
gboolean     stria_source_is_compressed (StriaSource *self);
/* Bytes behind the last gzip member or zstd frame that belong to none (padding, junk); they were
 * passed over. Known when the end has been read. */
guint64      stria_source_get_trailing (StriaSource *self);

/* First bytes (inflated, up to @max) of a file or member, without keeping it open.
 * @whole: (out): TRUE if that is all of it */
GBytes      *stria_source_head     (const char *path, const char *member, gsize max,
                                    gboolean *whole, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaSource, stria_source_free)

G_END_DECLS
