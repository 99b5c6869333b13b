/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/* How buffers are aligned that a file is read into. The kernel copies with `rep movs`, which on AMD
 * Zen falls to a third of its speed (5.3 to 1.7 GB/s measured) when the target lies 16 bytes behind
 * the source's place in its page, and that is just where malloc() puts a large block. */
#define STRIA_INPUT_ALIGN ((gsize) 4096)

/**
 * StriaInput:
 * @read: up to @length bytes, 0 at the end, -1 with an error
 * @cost: how many bytes of the disk were read for it so far (nullable: as many as @consumed)
 * @free: frees it all
 * @name: base name for messages
 * @size: bytes there should be; 0 if that is not known
 * @consumed: bytes read from it
 *
 * Raw bytes from front to back, before anything is inflated: a file, a member of an archive, or
 * memory. Private to decoders/; a decoder reads a #StriaSource.
 */
typedef struct _StriaInput StriaInput;
struct _StriaInput
{
  gssize  (*read) (StriaInput *self, guint8 *buffer, gsize length, GError **error);
  guint64 (*cost) (StriaInput *self);
  void    (*free) (StriaInput *self);
  char    *name;
  guint64  size;
  guint64  consumed;
};

/* Opens a regular file and nothing else, and never waits for one. Returns: a descriptor or -1 */
int         stria_input_open_fd   (const char *path, struct stat *info, GError **error);
StriaInput *stria_input_new_file  (const char *path, GError **error);
StriaInput *stria_input_new_bytes (const char *name, GBytes *bytes);
/* @path: an archive; @member as stria_archive_list() called it. Looks for the member here. */
StriaInput *stria_input_new_member (const char *path, const char *member,
                                    GCancellable *cancellable, GError **error);
/* The descriptor of a file input, else -1 */
int         stria_input_get_fd    (StriaInput *self);
/* The bytes of an input that is memory, else NULL */
GBytes     *stria_input_get_bytes (StriaInput *self);
void        stria_input_free      (StriaInput *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaInput, stria_input_free)

G_END_DECLS
