/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

#include "stria-notices.h"

G_BEGIN_DECLS

/**
 * StriaFound:
 * @path: the file
 * @name: path for people, relative to the capture's root
 * @size: bytes on disk
 * @mtime_ns: time of last change since the epoch
 * @device: with @inode, which file it is
 * @inode: see @device
 * @linked: it is a symbolic link
 * @named: a person named it, rather than the folder it lies in
 *
 * A file that the walk met. Private to decoders/.
 */
typedef struct
{
  char    *path;
  char    *name;
  guint64  size;
  gint64   mtime_ns;
  guint64  device;
  guint64  inode;
  gboolean linked;
  gboolean named;
} StriaFound;

/**
 * stria_walk:
 * @paths: files and folders
 * @root: folder that names are relative to
 *
 * Every file below @paths once, in natural order of names; hidden files, the cache of stores, and
 * what was met before are left out, the last with a notice.
 *
 * Returns: (transfer full) (element-type StriaFound): NULL with @error if none of @paths can be
 *   looked at, or when cancelled
 */
GPtrArray *stria_walk (const char *const *paths, const char *root, StriaNotices *notices,
                       GCancellable *cancellable, GError **error);
/* Order of people: numbers by value ("rank2" before "rank10"), a folder before what follows */
int        stria_walk_compare (const char *a, const char *b);

G_END_DECLS
