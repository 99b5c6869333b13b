/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-peek.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <nettle/sha2.h>

#include "stria-error.h"
#include "stria-unpack.h"

/* Returns: how many of @length bytes from @offset there are */
static gsize
read_at (int fd, guint8 *buffer, gsize length, guint64 offset)
{
  gsize got = 0;

  while (got < length)
    {
      gssize n = pread (fd, buffer + got, length - got, offset + got);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        break;
      got += n;
    }
  return got;
}

/**
 * stria_peek_file:
 * @self: (out caller-allocates): cleared by stria_peek_clear(), also after a failure
 * @path: a file
 * @error: as stria_source_open(); also %STRIA_ERROR_EMPTY
 */
gboolean
stria_peek_file (StriaPeek *self, const char *path, GError **error)
{
  struct stat info;

  memset (self, 0, sizeof *self);
  self->fd = stria_input_open_fd (path, &info, error);
  if (self->fd < 0)
    return FALSE;

  self->size = info.st_size;
  self->mtime_ns = info.st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) + info.st_mtim.tv_nsec;
  self->raw = g_aligned_alloc (1, MIN (self->size, STRIA_PEEK_BYTES), STRIA_INPUT_ALIGN);
  self->raw_length = read_at (self->fd, self->raw, MIN (self->size, STRIA_PEEK_BYTES), 0);
  if (self->raw_length == 0)
    {
      g_autofree char *shown = g_filename_display_name (path);

      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, _("%s: could not be read: %s"), shown,
                   g_strerror (errno));
      return FALSE;
    }
  self->inflated = stria_peek_inflate (self->raw, self->raw_length, self->raw_length == self->size,
                                       &self->head_length, &self->whole);
  self->head = self->inflated;
  if (self->inflated == NULL)
    {
      self->head = self->raw;
      self->head_length = self->raw_length;
      self->whole = self->raw_length == self->size;
    }
  self->archive = stria_archive_probe (self->raw, self->raw_length, self->head, self->head_length);
  return TRUE;
}

guint8 *
stria_peek_inflate (const guint8 *raw, gsize length, gboolean raw_whole, gsize *n, gboolean *whole)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (StriaUnpack) unpack = NULL;
  guint8 *head;
  gssize got;

  *n = 0;
  *whole = FALSE;
  if (!stria_unpack_is_packed (raw, length))
    return NULL;
  bytes = g_bytes_new_static (raw, length);
  unpack = stria_unpack_new (stria_input_new_bytes ("head", bytes), NULL);
  head = g_malloc (STRIA_PEEK_BYTES);
  got = stria_unpack_read (unpack, head, STRIA_PEEK_BYTES, NULL);
  if (got > 0)
    *n = got;
  if (raw_whole && got >= 0)
    {
      guint8 more;

      *whole = stria_unpack_read (unpack, &more, 1, NULL) == 0;
    }
  return head;
}

char *
stria_peek_digest (StriaPeek *self)
{
  struct sha256_ctx sum;
  guint8 digest[SHA256_DIGEST_SIZE];
  char *text = g_malloc (2 * sizeof digest + 1);

  sha256_init (&sum);
  sha256_update (&sum, self->raw_length, self->raw);
  if (self->size > self->raw_length)
    {
      guint64 from = MAX (self->size - MIN (self->size, STRIA_PEEK_BYTES), self->raw_length);
      guint8 *tail = g_aligned_alloc (1, STRIA_PEEK_BYTES, STRIA_INPUT_ALIGN);
      gsize n = read_at (self->fd, tail, self->size - from, from);

      sha256_update (&sum, n, tail);
      g_aligned_free (tail);
    }
  sha256_digest (&sum, sizeof digest, digest);
  for (guint i = 0; i < sizeof digest; i++)
    g_snprintf (text + 2 * i, 3, "%02x", digest[i]);
  return text;
}

void
stria_peek_clear (StriaPeek *self)
{
  if (self->fd >= 0)
    close (self->fd);
  g_clear_pointer (&self->inflated, g_free);
  g_clear_pointer (&self->raw, g_aligned_free);
  self->fd = -1;
}
