/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * StriaSpill:
 *
 * Bytes on their way from the decoders to the store: they are kept in memory while they are few, and
 * go to an unlinked file in the cache folder when they are many. Appended to and read from any thread.
 */
typedef struct _StriaSpill StriaSpill;

StriaSpill *stria_spill_new    (void);
StriaSpill *stria_spill_ref    (StriaSpill *self);
void        stria_spill_unref  (StriaSpill *self);
/* Where the bytes went; or FALSE with @error when the file can't be written */
gboolean    stria_spill_append (StriaSpill *self, gconstpointer bytes, gsize length, guint64 *place,
                                GError **error);
/* Returns: (transfer full): @length bytes, or NULL with @error */
GBytes     *stria_spill_read   (StriaSpill *self, guint64 place, gsize length, GError **error);
/* Bytes so far, and whether they are in a file */
guint64     stria_spill_size   (StriaSpill *self, gboolean *in_file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaSpill, stria_spill_unref)

G_END_DECLS
