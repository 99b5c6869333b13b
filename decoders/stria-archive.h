/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-input.h"

G_BEGIN_DECLS

typedef enum
{
  STRIA_ARCHIVE_NONE,
  STRIA_ARCHIVE_ZIP,
  STRIA_ARCHIVE_TAR, /* also inside gzip or zstd */
  STRIA_ARCHIVE_PACKED, /* xz or bzip2: a tar if the name says so */
} StriaArchiveKind;

/**
 * StriaArchiveEntry:
 * @member: what to give to stria_source_open(); may hold anything, is never used as a path
 * @label: @member for people: no leading slash, no "..", no control characters, UTF-8
 * @size: bytes, 0 if the archive does not say
 * @mtime_ns: time of last change since the epoch
 * @encrypted: can't be read
 * @head: first bytes as stored in the archive (a nested gzip is not inflated)
 * @head_length: how many
 * @whole: @head is all of it
 *
 * One regular file in an archive, valid during the callback.
 */
typedef struct
{
  const char   *member;
  const char   *label;
  guint64       size;
  gint64        mtime_ns;
  gboolean      encrypted;
  const guint8 *head;
  gsize         head_length;
  gboolean      whole;
} StriaArchiveEntry;

/* Returns: FALSE to stop listing */
typedef gboolean (*StriaArchiveFunc) (const StriaArchiveEntry *entry, gpointer user_data);

/* What @head, the first bytes of a file after inflating and @raw, before it, belong to. */
StriaArchiveKind stria_archive_probe (const guint8 *raw, gsize raw_length, const guint8 *head,
                                      gsize length);
/* Whether @name ends as archives are called (.zip, .tar, .tar.gz, .tgz, ...) */
gboolean         stria_archive_is_named (const char *name);

/**
 * stria_archive_list:
 * @head_max: how much of each member to read
 *
 * Calls @func for each regular file in the archive, in its order; a second file of the same name
 * is passed over. Everything is in memory: nothing is extracted to disk.
 *
 * Returns: FALSE with @error on damage or at a cap; members reported before it are good
 */
gboolean stria_archive_list       (const char *path, gsize head_max, GCancellable *cancellable,
                                   StriaArchiveFunc func, gpointer user_data, GError **error);
gboolean stria_archive_list_bytes (const char *name, GBytes *bytes, gsize head_max,
                                   StriaArchiveFunc func, gpointer user_data, GError **error);
/* Returns: (transfer full): @member for people */
char    *stria_archive_label      (const char *member);

G_END_DECLS
