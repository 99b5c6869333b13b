/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-source.h"

G_BEGIN_DECLS

/**
 * StriaMapped:
 *
 * A whole file by offsets, without holding it in memory: mapped, or unpacked into a file that has
 * no name and mapped from there.
 */
typedef struct
{
  const guint8 *data;
  gsize         length;
  guint8       *spool; /* mapped by us */
  StriaSource  *source;
} StriaMapped;

/**
 * stria_source_spool:
 * @source: at its first byte
 * @name: base name of the file, for messages
 * @length: (out): bytes that were unpacked
 * @fault: (out) (optional): why no more could be read, if that was behind the first byte; without
 *   it, that is an error
 * @error: %STRIA_ERROR_STORE if the cache folder can't be written to, %G_IO_ERROR_CANCELLED, or what
 *   stria_source_read() says
 *
 * Unpacks a source into a file without a name, in the cache folder: the temporary one may be memory.
 *
 * Returns: its descriptor, to be closed; -1 with @error
 */
int      stria_source_spool (StriaSource *source, const char *name, GCancellable *cancellable,
                             gsize *length, GError **fault, GError **error);

/* @source: at its first byte; has to live as long as @self. The rest is as for
 * stria_source_spool(). */
gboolean stria_mapped_open  (StriaMapped *self, StriaSource *source, const char *name,
                             GCancellable *cancellable, GError **fault, GError **error);
/* Gives pages back; they may be read again. */
void     stria_mapped_drop  (StriaMapped *self, gsize from, gsize to);
void     stria_mapped_clear (StriaMapped *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (StriaMapped, stria_mapped_clear)

G_END_DECLS
