/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-source.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "stria-error.h"
#include "stria-input.h"
#include "stria-unpack.h"

/* One block is the reader's, one is being filled, the others lie ready. */
#define RING 6
#define WAIT_US 20000
/* Files below this are copied instead of mapped, see stria_source_map(). */
#define MAP_FROM ((gsize) 32 << 20)

typedef struct
{
  guint8 *data;
  gsize length;
  guint64 position;
} Block;

struct _StriaSource
{
  StriaUnpack *unpack;
  GCancellable *cancellable;
  gsize block_size;
  guint64 size;
  guint64 position;
  guint64 trailing;
  gboolean compressed;

  GThread *thread;
  GMutex lock; /* guards what follows, up to the map */
  GCond filled;
  GCond freed;
  Block ring[RING];
  guint first;
  guint count; /* blocks in use from @first on, the reader's too */
  gboolean held; /* the reader has ring[first] */
  gboolean ended;
  gboolean stopped;
  GError *error;

  guint8 *map;
  gsize map_length;
  gsize map_dropped;
  gboolean map_copied;
};

/* Runs ahead of the reader, so that inflating and reading from disk overlap with parsing. */
static gpointer
fill_ring (gpointer user_data)
{
  StriaSource *self = user_data;
  gboolean more = TRUE;

  while (more)
    {
      g_autoptr (GError) error = NULL;
      Block *block;
      gssize n;

      g_mutex_lock (&self->lock);
      while (self->count == RING && !self->stopped)
        g_cond_wait (&self->freed, &self->lock);
      block = &self->ring[(self->first + self->count) % RING];
      more = !self->stopped;
      g_mutex_unlock (&self->lock);
      if (!more)
        break;

      if (block->data == NULL)
        block->data = g_aligned_alloc (1, self->block_size, STRIA_INPUT_ALIGN);
      n = stria_unpack_read (self->unpack, block->data, self->block_size, &error);

      g_mutex_lock (&self->lock);
      if (n > 0)
        {
          block->length = n;
          block->position = stria_unpack_get_position (self->unpack);
          self->count++;
        }
      else
        {
          self->error = g_steal_pointer (&error);
          self->trailing = stria_unpack_get_trailing (self->unpack);
          self->ended = TRUE;
          more = FALSE;
        }
      g_cond_signal (&self->filled);
      g_mutex_unlock (&self->lock);
    }
  return NULL;
}

static StriaSource *
source_new (StriaInput *input, GCancellable *cancellable, GError **error)
{
  guint64 size = input->size;
  g_autoptr (StriaUnpack) unpack = stria_unpack_new (input, error);
  StriaSource *self;

  if (unpack == NULL)
    return NULL;
  self = g_new0 (StriaSource, 1);
  self->size = size;
  self->compressed = stria_unpack_is_compressed (unpack);
  self->unpack = g_steal_pointer (&unpack);
  self->block_size = STRIA_SOURCE_BLOCK;
  self->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  g_mutex_init (&self->lock);
  g_cond_init (&self->filled);
  g_cond_init (&self->freed);
  return self;
}

/**
 * stria_source_open_full:
 * @path: a file
 * @member: (nullable): if the file is an archive, a member of it
 * @cancellable: (nullable)
 * @error: %STRIA_ERROR_NOT_FOUND, _PERMISSION, _EMPTY, _UNSUPPORTED (not a file; encrypted),
 *   _FAILED, or what is wrong with an archive
 *
 * Returns: (transfer full): a source at the first byte, or NULL
 */
StriaSource *
stria_source_open_full (const char *path, const char *member, GCancellable *cancellable,
                        GError **error)
{
  StriaInput *input;

  g_return_val_if_fail (path != NULL, NULL);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (member != NULL)
    input = stria_input_new_member (path, member, cancellable, error);
  else
    input = stria_input_new_file (path, error);
  if (input == NULL)
    return NULL;
  return source_new (input, cancellable, error);
}

StriaSource *
stria_source_open (const char *path, const char *member, GError **error)
{
  return stria_source_open_full (path, member, NULL, error);
}

/**
 * stria_source_new_bytes:
 * @name: a name for messages
 * @bytes: content; none at all is %STRIA_ERROR_EMPTY, as for a file
 *
 * Returns: (transfer full): a source at the first byte, or NULL with @error
 */
StriaSource *
stria_source_new_bytes (const char *name, GBytes *bytes, GError **error)
{
  g_return_val_if_fail (name != NULL && bytes != NULL, NULL);

  if (g_bytes_get_size (bytes) == 0)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_EMPTY, _("%s: the file is empty (0 bytes)"),
                   name);
      return NULL;
    }
  return source_new (stria_input_new_bytes (name, bytes), NULL, error);
}

void
stria_source_free (StriaSource *self)
{
  if (self == NULL)
    return;
  if (self->thread != NULL)
    {
      stria_unpack_stop (self->unpack);
      g_mutex_lock (&self->lock);
      self->stopped = TRUE;
      g_cond_signal (&self->freed);
      g_mutex_unlock (&self->lock);
      g_thread_join (self->thread);
    }
  if (self->map_copied)
    g_free (self->map);
  else if (self->map != NULL)
    munmap (self->map, self->map_length);
  for (guint i = 0; i < RING; i++)
    g_aligned_free (self->ring[i].data);
  stria_unpack_free (self->unpack);
  g_clear_object (&self->cancellable);
  g_clear_error (&self->error);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->filled);
  g_cond_clear (&self->freed);
  g_free (self);
}

void
stria_source_set_block_size (StriaSource *self, gsize size)
{
  g_return_if_fail (self->thread == NULL && size > 0);

  self->block_size = size;
}

void
stria_source_limit_block_size (StriaSource *self, gsize most)
{
  stria_source_set_block_size (self, MIN (self->block_size, most));
}

gboolean
stria_source_read (StriaSource *self, const guint8 **data, gsize *length, GError **error)
{
  gboolean ok = TRUE;

  *data = NULL;
  *length = 0;
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (self->thread == NULL)
    self->thread = g_thread_new ("stria-source", fill_ring, self);

  g_mutex_lock (&self->lock);
  if (self->held)
    {
      self->held = FALSE;
      self->first = (self->first + 1) % RING;
      self->count--;
      g_cond_signal (&self->freed);
    }
  while (self->count == 0 && !self->ended && ok)
    {
      if (self->cancellable == NULL)
        g_cond_wait (&self->filled, &self->lock);
      else
        {
          g_cond_wait_until (&self->filled, &self->lock, g_get_monotonic_time () + WAIT_US);
          ok = !g_cancellable_set_error_if_cancelled (self->cancellable, error);
        }
    }
  if (ok && self->count > 0)
    {
      Block *block = &self->ring[self->first];

      self->held = TRUE;
      self->position = block->position;
      *data = block->data;
      *length = block->length;
    }
  else if (ok && self->error != NULL)
    {
      g_propagate_error (error, g_error_copy (self->error));
      ok = FALSE;
    }
  else if (ok)
    self->position = self->size > 0 ? self->size : self->position;
  g_mutex_unlock (&self->lock);
  return ok;
}

/**
 * stria_source_map:
 * @length: (out): its length
 *
 * A page of a mapping that lies behind the end of a file which became shorter kills the process,
 * and nothing can be done about that short of a signal handler for the whole program. So: blocks
 * (stria_source_read()) never come from a mapping, they are read() and report such a file as
 * truncated; small files are copied into memory here; and only a large one whose size is still what
 * it was when it was opened is mapped. What remains is a large file that someone shortens while a
 * decoder of an offset-based format walks it, which profilers do not do: they write a new file.
 *
 * Returns: (transfer none) (nullable): all bytes, valid until the source is freed
 */
const guint8 *
stria_source_map (StriaSource *self, gsize *length)
{
  StriaInput *input = stria_unpack_get_input (self->unpack);
  GBytes *bytes = stria_input_get_bytes (input);
  int fd = stria_input_get_fd (input);
  struct stat info;

  *length = 0;
  if (self->compressed)
    return NULL;
  if (bytes != NULL)
    return g_bytes_get_data (bytes, length);
  if (fd < 0)
    return NULL;

  if (self->map == NULL)
    {
      if (fstat (fd, &info) < 0 || (guint64) info.st_size != self->size)
        return NULL;
      if (self->size < MAP_FROM)
        {
          g_autofree guint8 *copy = g_malloc (self->size);

          for (gsize at = 0; at < self->size;)
            {
              gssize n = pread (fd, copy + at, self->size - at, at);

              if (n < 0 && errno == EINTR)
                continue;
              if (n <= 0)
                return NULL;
              at += n;
            }
          self->map = g_steal_pointer (&copy);
          self->map_copied = TRUE;
        }
      else
        {
          void *map = mmap (NULL, self->size, PROT_READ, MAP_PRIVATE, fd, 0);

          if (map == MAP_FAILED)
            return NULL;
          madvise (map, self->size, MADV_SEQUENTIAL);
          self->map = map;
        }
      self->map_length = self->size;
    }
  *length = self->map_length;
  return self->map;
}

/**
 * stria_source_done_to:
 * @offset: bytes of the map before this will hardly be read again
 *
 * Gives their pages back, so that walking a file does not make the process as large as the file.
 * They may still be read; the system then fetches them again.
 */
void
stria_source_done_to (StriaSource *self, gsize offset)
{
  gsize page = sysconf (_SC_PAGESIZE);
  gsize end = MIN (offset, self->map_length) / page * page;

  if (self->map == NULL || self->map_copied || end <= self->map_dropped)
    return;
  self->position = MAX (self->position, end);
  madvise (self->map + self->map_dropped, end - self->map_dropped, MADV_DONTNEED);
  self->map_dropped = end;
}

/**
 * stria_source_drop:
 * @from: bytes of the map from here
 * @to: up to here will not be read again soon
 *
 * As stria_source_done_to(), for formats that are walked more than once.
 */
void
stria_source_drop (StriaSource *self, gsize from, gsize to)
{
  gsize page = sysconf (_SC_PAGESIZE);
  gsize begin = from / page * page, end = MIN (to, self->map_length) / page * page;

  if (self->map != NULL && !self->map_copied && end > begin)
    madvise (self->map + begin, end - begin, MADV_DONTNEED);
}

const char *
stria_source_get_name (StriaSource *self)
{
  return stria_unpack_get_input (self->unpack)->name;
}

guint64
stria_source_get_size (StriaSource *self)
{
  return self->size;
}

guint64
stria_source_get_position (StriaSource *self)
{
  return self->position;
}

gboolean
stria_source_is_compressed (StriaSource *self)
{
  return self->compressed;
}

guint64
stria_source_get_trailing (StriaSource *self)
{
  guint64 trailing;

  g_mutex_lock (&self->lock);
  trailing = self->trailing;
  g_mutex_unlock (&self->lock);
  return trailing;
}

/**
 * stria_source_head:
 * @path: a file
 * @member: (nullable): a member of it
 * @max: how many bytes at most
 * @whole: (out) (nullable): whether that is all
 * @error: as stria_source_open_full(); damage behind the first bytes is none
 *
 * Starts no thread.
 *
 * Returns: (transfer full): the first bytes after inflating, or NULL
 */
GBytes *
stria_source_head (const char *path, const char *member, gsize max, gboolean *whole,
                   GError **error)
{
  g_autoptr (StriaUnpack) unpack = NULL;
  g_autofree guint8 *buffer = g_malloc (max + 1);
  StriaInput *input;
  gssize n;

  if (member != NULL)
    input = stria_input_new_member (path, member, NULL, error);
  else
    input = stria_input_new_file (path, error);
  if (input == NULL || (unpack = stria_unpack_new (input, error)) == NULL)
    return NULL;
  n = stria_unpack_read (unpack, buffer, max + 1, error);
  if (n < 0)
    return NULL;
  if (whole != NULL)
    {
      guint8 more;

      *whole = (gsize) n <= max && stria_unpack_read (unpack, &more, 1, NULL) == 0;
    }
  return g_bytes_new_take (g_steal_pointer (&buffer), MIN ((gsize) n, max));
}
