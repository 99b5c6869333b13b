/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-input.h"

G_BEGIN_DECLS

/**
 * StriaUnpack:
 *
 * Inflates an input: gzip of any number of members, zstd of any number of frames, or the bytes as
 * they are; found by the first bytes, never by the name. Keeps the caps of stria-source.h. Private
 * to decoders/.
 */
typedef struct _StriaUnpack StriaUnpack;

/* Whether @data, the first bytes of something, begin a gzip member or zstd frame */
gboolean     stria_unpack_is_packed (const guint8 *data, gsize length);

/* @input: (transfer full). NULL with @error if not even the first bytes can be read. */
StriaUnpack *stria_unpack_new  (StriaInput *input, GError **error);
void         stria_unpack_free (StriaUnpack *self);

/**
 * stria_unpack_read:
 *
 * Fills @buffer as far as there are bytes. After a short answer comes the end (0) or the error (-1)
 * that cut it short, again and again if asked again.
 */
gssize       stria_unpack_read (StriaUnpack *self, guint8 *buffer, gsize length, GError **error);

/* From any thread: the read under way ends soon, with %G_IO_ERROR_CANCELLED. */
void         stria_unpack_stop (StriaUnpack *self);

StriaInput  *stria_unpack_get_input      (StriaUnpack *self);
gboolean     stria_unpack_is_compressed  (StriaUnpack *self);
/* How many bytes of the input went into what was read so far */
guint64      stria_unpack_get_position   (StriaUnpack *self);
/* Bytes after the last member that are no member, known at the end */
guint64      stria_unpack_get_trailing   (StriaUnpack *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaUnpack, stria_unpack_free)

G_END_DECLS
