/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * StriaRecentItem:
 * @paths: (array zero-terminated=1): what was opened
 * @title: short name
 * @opened_us: when, microseconds since the epoch
 * @bytes: size of the artifacts
 * @n_events: events read
 * @duration_ns: length of the trace
 * @key: (nullable): key of its store, which also names its thumbnail
 */
typedef struct
{
  char   **paths;
  char    *title;
  gint64   opened_us;
  guint64  bytes;
  guint64  n_events;
  gint64   duration_ns;
  char    *key;
} StriaRecentItem;

void  stria_recent_item_free (StriaRecentItem *item);

/**
 * SECTION:stria-recent
 *
 * The captures opened last, in $XDG_DATA_HOME/stria/recent.json. Other running processes may
 * change the file as well: each call reads it, and writes are atomic. A damaged file counts as an
 * empty one.
 */
#define STRIA_RECENT_MAX 24

/* Returns: (transfer full) (element-type StriaRecentItem): newest first */
GPtrArray *stria_recent_list   (void);
/* Puts @item first; replaces what has the same paths. */
void       stria_recent_add    (const StriaRecentItem *item);
void       stria_recent_remove (const char *const *paths);
void       stria_recent_clear  (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaRecentItem, stria_recent_item_free)

G_END_DECLS
