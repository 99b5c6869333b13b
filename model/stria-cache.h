/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The folder of finished stores: $STRIA_CACHE_DIR, else $XDG_CACHE_HOME/stria. */
char    *stria_cache_dir      (void);
char    *stria_cache_path     (const char *key, const char *suffix);
char    *stria_cache_store_path (const char *key);
/* Notes that the store of @key was opened now; no store is no error. */
void     stria_cache_touch    (const char *key);
/* Makes the folder, and in it a new empty file `<key>.<pid>-<random>.part` that is locked as long
 * as @lock_fd is open. Close @lock_fd after the file was renamed or removed.
 * Returns: (transfer full): its path, or NULL with @error */
char    *stria_cache_open_part (const char *key, int *lock_fd, GError **error);
/* Bytes in the cache and number of stores */
guint64  stria_cache_usage    (guint *n_stores);
/* Bytes of the store of @key on disk with its picture; 0: there is none */
guint64  stria_cache_store_bytes (const char *key);
/* Removes the store of @key and its picture. A process that has it open keeps on reading it. */
gboolean stria_cache_remove   (const char *key, GError **error);
/* Removes what killed imports left, stores not opened for @max_age_days (0 = no limit) and the
 * least recently opened ones until @max_bytes hold (0 = no limit). Never removes @keep_key.
 * Returns: bytes freed */
guint64  stria_cache_evict    (guint64 max_bytes, guint max_age_days, const char *keep_key);
/* Removes all but what a running import is writing. */
gboolean stria_cache_clear    (GError **error);

G_END_DECLS
