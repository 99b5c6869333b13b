/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-ntff-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "stria-cache.h"
#include "stria-error.h"

static gboolean
write_all (int fd, const guint8 *data, gsize length, const char *name, GError **error)
{
  while (length > 0)
    {
      gssize n = write (fd, data, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED,
                       _ ("%s: it could not be unpacked to disk: %s"), name, g_strerror (errno));
          return FALSE;
        }
      data += n;
      length -= (gsize)n;
    }
  return TRUE;
}

/* Unpacks the source into @fd. What stands before a fault of its bytes is kept. */
static gboolean
spool (StriaNtffBytes *self, int fd, StriaDecodeContext *context, GError **error)
{
  const guint8 *block;
  gsize n;

  for (;;)
    {
      g_autoptr (GError) local = NULL;

      if (g_cancellable_set_error_if_cancelled (context->cancellable, error))
        return FALSE;
      if (!stria_source_read (self->source, &block, &n, &local))
        {
          if (self->length == 0 || g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
            {
              g_propagate_error (error, g_steal_pointer (&local));
              return FALSE;
            }
          stria_notices_add (context->notices, STRIA_SEVERITY_ERROR, "neuron-source",
                             context->name, (gint64)self->length, "%s", local->message);
          return TRUE;
        }
      if (n == 0)
        return TRUE;
      if (!write_all (fd, block, n, context->name, error))
        return FALSE;
      self->length += n;
    }
}

/**
 * stria_ntff_bytes_open:
 * @source: at its first byte; has to live as long as @self
 *
 * Returns: FALSE with @error if the bytes cannot be had, or when cancelled
 */
gboolean
stria_ntff_bytes_open (StriaNtffBytes *self, StriaSource *source, StriaDecodeContext *context,
                       GError **error)
{
  int fd = -1;
  void *map = MAP_FAILED;
  gboolean ok;

  *self = (StriaNtffBytes){ .source = source };
  self->data = stria_source_map (source, &self->length);
  if (self->data != NULL)
    return TRUE;

  g_autofree char *part = stria_cache_open_part ("unpacked", &fd, error);
  if (part == NULL)
    return FALSE;
  unlink (part);
  ok = spool (self, fd, context, error);
  if (ok && self->length > 0)
    map = mmap (NULL, self->length, PROT_READ, MAP_PRIVATE, fd, 0);
  if (ok && self->length > 0 && map == MAP_FAILED)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED,
                   _ ("%s: it could not be unpacked to disk: %s"), context->name,
                   g_strerror (errno));
      ok = FALSE;
    }
  close (fd);
  if (ok && self->length > 0)
    self->data = self->spool = map;
  return ok;
}

void
stria_ntff_bytes_drop (StriaNtffBytes *self, gsize from, gsize to)
{
  gsize page = (gsize)sysconf (_SC_PAGESIZE);
  gsize begin = from / page * page, end = MIN (to, self->length) / page * page;

  if (self->spool == NULL)
    stria_source_drop (self->source, from, to);
  else if (end > begin)
    madvise (self->spool + begin, end - begin, MADV_DONTNEED);
}

void
stria_ntff_bytes_clear (StriaNtffBytes *self)
{
  if (self->spool != NULL)
    munmap (self->spool, self->length);
  *self = (StriaNtffBytes){ 0 };
}
