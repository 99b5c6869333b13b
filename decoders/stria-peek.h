/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-archive.h"

G_BEGIN_DECLS

#define STRIA_PEEK_BYTES ((gsize) 64 << 10)

/**
 * StriaPeek:
 * @size: bytes on disk
 * @mtime_ns: time of last change since the epoch
 * @head: first bytes after inflating, at most %STRIA_PEEK_BYTES
 * @head_length: how many
 * @whole: @head is all there is
 * @archive: whether the file is an archive
 *
 * What the ends of a file tell: it is opened once, and at most %STRIA_PEEK_BYTES are read from each
 * end, the tail only when the digest is asked for. Private to decoders/.
 */
typedef struct
{
  guint64          size;
  gint64           mtime_ns;
  const guint8    *head;
  gsize            head_length;
  gboolean         whole;
  StriaArchiveKind archive;
  int              fd;
  guint8          *raw;
  gsize            raw_length;
  guint8          *inflated;
} StriaPeek;

gboolean stria_peek_file   (StriaPeek *self, const char *path, GError **error);
/* Inflates what it can of @raw, the first bytes of something. Returns: (transfer full) (nullable):
 * NULL if they are not compressed */
guint8  *stria_peek_inflate (const guint8 *raw, gsize length, gboolean raw_whole, gsize *n,
                             gboolean *whole);
/* SHA-256 of the first and last %STRIA_PEEK_BYTES. Returns: (transfer full): hexadecimal */
char    *stria_peek_digest (StriaPeek *self);
void     stria_peek_clear  (StriaPeek *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (StriaPeek, stria_peek_clear)

G_END_DECLS
