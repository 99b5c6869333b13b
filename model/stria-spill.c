/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-spill.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "stria-cache.h"
#include "stria-error.h"

/* Enough for the tables of most captures; beyond it memory would grow with the file. */
#define MEMORY_LIMIT (8 << 20)

struct _StriaSpill
{
  gatomicrefcount refs;
  GMutex mutex;
  GByteArray *memory; /* NULL once there is a file */
  int fd;
  guint64 size;
};

StriaSpill *
stria_spill_new (void)
{
  StriaSpill *self = g_new0 (StriaSpill, 1);

  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->mutex);
  self->memory = g_byte_array_new ();
  self->fd = -1;
  return self;
}

StriaSpill *
stria_spill_ref (StriaSpill *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_spill_unref (StriaSpill *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  if (self->fd >= 0)
    close (self->fd);
  g_clear_pointer (&self->memory, g_byte_array_unref);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

static gboolean
io_error (const char *what, GError **error)
{
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_STORE, _ ("%s: %s"), what, g_strerror (errno));
  return FALSE;
}

static gboolean
write_all (int fd, const guint8 *bytes, gsize length, guint64 place, GError **error)
{
  while (length > 0)
    {
      gssize n = pwrite (fd, bytes, length, (off_t) place);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return io_error (_ ("The cache folder can't be written to"), error);
      bytes += n;
      place += (guint64) n;
      length -= (gsize) n;
    }
  return TRUE;
}

/* Under the mutex. */
static gboolean
move_to_file (StriaSpill *self, GError **error)
{
  g_autofree char *part = stria_cache_open_part ("spill", &self->fd, error);

  if (part == NULL)
    {
      self->fd = -1;
      return FALSE;
    }
  unlink (part);
  if (!write_all (self->fd, self->memory->data, self->memory->len, 0, error))
    {
      close (self->fd);
      self->fd = -1;
      return FALSE;
    }
  g_clear_pointer (&self->memory, g_byte_array_unref);
  return TRUE;
}

gboolean
stria_spill_append (
    StriaSpill *self, gconstpointer bytes, gsize length, guint64 *place, GError **error)
{
  gboolean ok = TRUE;
  int fd;

  g_mutex_lock (&self->mutex);
  if (self->memory != NULL && self->size + length > MEMORY_LIMIT)
    ok = move_to_file (self, error);
  *place = self->size;
  if (ok)
    self->size += length;
  if (ok && self->memory != NULL)
    g_byte_array_append (self->memory, bytes, (guint) length);
  fd = self->memory == NULL ? self->fd : -1;
  g_mutex_unlock (&self->mutex);

  /* The place is taken: others may write theirs at the same time. */
  if (ok && fd >= 0)
    ok = write_all (fd, bytes, length, *place, error);
  return ok;
}

GBytes *
stria_spill_read (StriaSpill *self, guint64 place, gsize length, GError **error)
{
  g_autofree guint8 *bytes = NULL;
  gsize got = 0;

  g_mutex_lock (&self->mutex);
  if (place > self->size || length > self->size - place)
    {
      g_mutex_unlock (&self->mutex);
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_STORE,
                   _ ("The rows at byte %" PRIu64 " are not there"), place);
      return NULL;
    }
  bytes = g_malloc (length);
  if (self->memory != NULL)
    {
      if (length > 0)
        memcpy (bytes, self->memory->data + place, length);
      got = length;
    }
  g_mutex_unlock (&self->mutex);

  while (got < length)
    {
      gssize n = pread (self->fd, bytes + got, length - got, (off_t) (place + got));

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          if (n == 0)
            errno = EIO;
          io_error (_ ("The cache folder can't be read from"), error);
          return NULL;
        }
      got += (gsize) n;
    }
  return g_bytes_new_take (g_steal_pointer (&bytes), length);
}

guint64
stria_spill_size (StriaSpill *self, gboolean *in_file)
{
  guint64 size;

  g_mutex_lock (&self->mutex);
  size = self->size;
  if (in_file != NULL)
    *in_file = self->memory == NULL;
  g_mutex_unlock (&self->mutex);
  return size;
}
