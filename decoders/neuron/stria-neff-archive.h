/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <nettle/md5.h>
#include <nettle/sha2.h>

#include "stria-neff-header.h"
#include "stria-source.h"

G_BEGIN_DECLS

struct archive;

/**
 * StriaNeffArchive:
 * @source, @cancellable: of the file
 * @progress: (nullable): called with the bytes that were read
 * @user_data: for @progress
 * @wants_digests: @sha256 and @md5 are made on the way
 * @header: set by stria_neff_archive_open()
 * @left: bytes of the payload that were not read yet
 * @n_read: bytes of the payload that were read
 * @error: why reading the source ended early, or NULL
 *
 * A program's payload as its members are asked for. Set the first five, the rest to 0.
 */
typedef struct
{
  StriaSource *source;
  GCancellable *cancellable;
  void (*progress) (guint64 bytes_read, guint64 events, gpointer user_data);
  gpointer user_data;
  gboolean wants_digests;

  StriaNeffHeader header;
  guint64 left;
  guint64 n_read;
  struct sha256_ctx sha256;
  struct md5_ctx md5;
  GError *error;

  const guint8 *rest; /* what the first block held behind the header */
  gsize n_rest;
  struct archive *archive;
} StriaNeffArchive;

/**
 * StriaNeffMemberFunc:
 * @name: of the member: valid UTF-8 without "./"
 * @size: as the archive says, or -1
 *
 * One regular member, whose bytes can be had with stria_neff_archive_read(). Returns: FALSE to stop
 */
typedef gboolean (*StriaNeffMemberFunc) (StriaNeffArchive *archive, const char *name, gint64 size,
                                         gpointer user_data);

/* Reads the first block and the header. FALSE with @error: it can't be read, is empty, or none */
gboolean    stria_neff_archive_open    (StriaNeffArchive *self, const char *name, GError **error);
/* @why: (out) (nullable) (transfer full): how the archive is damaged, or NULL. FALSE: @error of
 * @self is set: cancelled, or the source ended; what came before stays */
gboolean    stria_neff_archive_members (StriaNeffArchive *self, StriaNeffMemberFunc func,
                                        gpointer user_data, char **why);
/* All bytes of the current member. @why: (out): what is wrong.
 * Returns: (transfer full) (nullable) */
GByteArray *stria_neff_archive_read    (StriaNeffArchive *self, guint64 cap, const char **why);
/* Reads on to the end of the payload: tar ends before it does. FALSE: see @error of @self */
gboolean    stria_neff_archive_finish  (StriaNeffArchive *self);

G_END_DECLS
