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
 * @pinned: whether it stands before the others
 * @folder: (nullable): own folder of the list that it is in
 * @tags: (nullable) (array zero-terminated=1): own words about it
 *
 * What is pinned, in a folder or has tags stays in the list however many others are opened.
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
  gboolean pinned;
  char    *folder;
  char   **tags;
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
/* Puts @item first; replaces what has the same paths, and keeps how that was marked. */
void       stria_recent_add    (const StriaRecentItem *item);
void       stria_recent_remove (const char *const *paths);
/* Marks what has these paths, if the list has it: pinned, folder and tags are those of @marks. */
void       stria_recent_mark   (const char *const *paths, const StriaRecentItem *marks);
/* Whether it was marked in any way */
gboolean   stria_recent_item_is_kept (const StriaRecentItem *item);
/* Removes all that is not kept. */
void       stria_recent_clear  (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaRecentItem, stria_recent_item_free)

G_END_DECLS
