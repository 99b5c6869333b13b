/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "stria-cache.h"
#include "stria-error.h"

static gboolean
disk_error (const char *name, GError **error)
{
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_STORE,
               _ ("%s: it could not be unpacked to disk: %s"), name, g_strerror (errno));
  return FALSE;
}

static gboolean
write_all (int fd, const guint8 *data, gsize length, const char *name, GError **error)
{
  while (length > 0)
    {
      gssize n = write (fd, data, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return disk_error (name, error);
      data += n;
      length -= (gsize) n;
    }
  return TRUE;
}

/* What stands before a fault of the source's bytes is kept if @fault is there to say so. */
static gboolean
unpack (StriaSource *source, int fd, const char *name, GCancellable *cancellable, gsize *length,
        GError **fault, GError **error)
{
  const guint8 *block;
  gsize n;

  for (;;)
    {
      GError *local = NULL;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (!stria_source_read (source, &block, &n, &local))
        {
          gboolean is_kept = fault != NULL && *length > 0
                             && !g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED);

          g_propagate_error (is_kept ? fault : error, local);
          return is_kept;
        }
      if (n == 0)
        return TRUE;
      if (!write_all (fd, block, n, name, error))
        return FALSE;
      *length += n;
    }
}

int
stria_source_spool (StriaSource *source, const char *name, GCancellable *cancellable, gsize *length,
                    GError **fault, GError **error)
{
  int fd = -1;
  g_autofree char *part = stria_cache_open_part ("unpacked", &fd, error);

  *length = 0;
  if (part == NULL)
    return -1;
  unlink (part);
  if (unpack (source, fd, name, cancellable, length, fault, error))
    return fd;
  close (fd);
  return -1;
}

gboolean
stria_mapped_open (StriaMapped *self, StriaSource *source, const char *name,
                   GCancellable *cancellable, GError **fault, GError **error)
{
  void *map = NULL;
  int fd;

  *self = (StriaMapped) { .source = source };
  self->data = stria_source_map (source, &self->length);
  if (self->data != NULL)
    return TRUE;
  fd = stria_source_spool (source, name, cancellable, &self->length, fault, error);
  if (fd < 0)
    return FALSE;
  if (self->length > 0)
    map = mmap (NULL, self->length, PROT_READ, MAP_PRIVATE, fd, 0);
  if (map == MAP_FAILED)
    {
      disk_error (name, error);
      close (fd);
      return FALSE;
    }
  close (fd);
  self->data = self->spool = map;
  return TRUE;
}

void
stria_mapped_drop (StriaMapped *self, gsize from, gsize to)
{
  gsize page = (gsize) sysconf (_SC_PAGESIZE);
  gsize begin = from / page * page, end = MIN (to, self->length) / page * page;

  if (self->spool == NULL)
    stria_source_drop (self->source, from, to);
  else if (end > begin)
    madvise (self->spool + begin, end - begin, MADV_DONTNEED);
}

void
stria_mapped_clear (StriaMapped *self)
{
  if (self->spool != NULL)
    munmap (self->spool, self->length);
  *self = (StriaMapped) { 0 };
}
