/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "stria-error.h"

typedef struct
{
  StriaInput base;
  int fd;
} FileInput;

typedef struct
{
  StriaInput base;
  GBytes *bytes;
} BytesInput;

static void
set_open_error (GError **error, const char *path, int number)
{
  g_autofree char *shown = g_filename_display_name (path);

  switch (number)
    {
    case ENOENT:
    case ENOTDIR:
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                   _("%s: there is no such file"), shown);
      break;
    case EACCES:
    case EPERM:
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_PERMISSION,
                   _("%s: no permission to read it; check who owns the file and its mode"), shown);
      break;
    case ELOOP:
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                   _("%s: the symbolic link leads back to itself"), shown);
      break;
    default:
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED,
                   _("%s: could not be opened: %s"), shown, g_strerror (number));
      break;
    }
}

static gboolean
check_kind (const char *path, const struct stat *info, GError **error)
{
  g_autofree char *shown = NULL;

  if (S_ISREG (info->st_mode))
    return TRUE;

  shown = g_filename_display_name (path);
  if (S_ISDIR (info->st_mode))
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_UNSUPPORTED,
                 _("%s: expected a file, found a folder"), shown);
  else if (S_ISFIFO (info->st_mode))
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_UNSUPPORTED,
                 _("%s: expected a file, found a pipe; write its content to a file first"), shown);
  else if (S_ISSOCK (info->st_mode))
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_UNSUPPORTED,
                 _("%s: expected a file, found a socket"), shown);
  else
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_UNSUPPORTED,
                 _("%s: expected a file, found a device"), shown);
  return FALSE;
}

static gssize
file_read (StriaInput *input, guint8 *buffer, gsize length, GError **error)
{
  FileInput *self = (FileInput *) input;
  guint64 left = input->size - input->consumed;
  gssize n;

  /* A file that grows is read up to the size it was opened with: progress stays true and the end
   * is sure to come. */
  if (left == 0)
    return 0;
  do
    n = read (self->fd, buffer, MIN (length, left));
  while (n < 0 && errno == EINTR);

  if (n < 0)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED,
                   _("%s: reading failed at byte %" PRIu64 ": %s"), input->name, input->consumed,
                   g_strerror (errno));
      return -1;
    }
  if (n == 0)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_TRUNCATED,
                   _("%s: became shorter while it was read: expected %" PRIu64
                     " bytes, found %" PRIu64),
                   input->name, input->size, input->consumed);
      return -1;
    }
  input->consumed += n;
  return n;
}

static void
file_free (StriaInput *input)
{
  FileInput *self = (FileInput *) input;

  close (self->fd);
  g_free (input->name);
  g_free (self);
}

static gssize
bytes_read (StriaInput *input, guint8 *buffer, gsize length, GError **error)
{
  BytesInput *self = (BytesInput *) input;
  gsize size;
  const guint8 *data = g_bytes_get_data (self->bytes, &size);
  gsize n = MIN (length, size - input->consumed);

  if (n > 0)
    memcpy (buffer, data + input->consumed, n);
  input->consumed += n;
  return n;
}

static void
bytes_free (StriaInput *input)
{
  BytesInput *self = (BytesInput *) input;

  g_bytes_unref (self->bytes);
  g_free (input->name);
  g_free (self);
}

/**
 * stria_input_open_fd:
 * @path: a file
 * @info: (out): what the system knows of it
 * @error: %STRIA_ERROR_NOT_FOUND, _PERMISSION, _UNSUPPORTED (a folder, pipe, socket or device),
 *   _EMPTY or _FAILED
 *
 * The kind is asked before opening, since opening alone has effects on some devices, and again
 * after it, since the file may have been replaced between. O_NONBLOCK keeps a pipe that slipped in
 * from waiting for a writer.
 *
 * Returns: a descriptor to close, or -1
 */
int
stria_input_open_fd (const char *path, struct stat *info, GError **error)
{
  int fd;

  if (stat (path, info) < 0)
    {
      set_open_error (error, path, errno);
      return -1;
    }
  if (!check_kind (path, info, error))
    return -1;

  fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (fd < 0)
    {
      set_open_error (error, path, errno);
      return -1;
    }
  if (fstat (fd, info) < 0)
    {
      set_open_error (error, path, errno);
      close (fd);
      return -1;
    }
  if (!check_kind (path, info, error))
    {
      close (fd);
      return -1;
    }
  if (info->st_size == 0)
    {
      g_autofree char *shown = g_filename_display_name (path);

      g_set_error (error, STRIA_ERROR, STRIA_ERROR_EMPTY, _("%s: the file is empty (0 bytes)"),
                   shown);
      close (fd);
      return -1;
    }
  return fd;
}

/**
 * stria_input_new_file:
 * @path: a file
 * @error: as stria_input_open_fd()
 *
 * Returns: (transfer full): the bytes of a file, or NULL
 */
StriaInput *
stria_input_new_file (const char *path, GError **error)
{
  struct stat info;
  FileInput *self;
  int fd = stria_input_open_fd (path, &info, error);

  if (fd < 0)
    return NULL;
  posix_fadvise (fd, 0, 0, POSIX_FADV_SEQUENTIAL);

  self = g_new0 (FileInput, 1);
  self->base.read = file_read;
  self->base.free = file_free;
  self->base.name = g_filename_display_basename (path);
  self->base.size = info.st_size;
  self->fd = fd;
  return &self->base;
}

/**
 * stria_input_new_bytes:
 * @name: a name for messages
 * @bytes: the content
 *
 * Returns: (transfer full): the bytes of @bytes, which is kept until the input is freed
 */
StriaInput *
stria_input_new_bytes (const char *name, GBytes *bytes)
{
  BytesInput *self = g_new0 (BytesInput, 1);

  self->base.read = bytes_read;
  self->base.free = bytes_free;
  self->base.name = g_filename_display_basename (name);
  self->base.size = g_bytes_get_size (bytes);
  self->bytes = g_bytes_ref (bytes);
  return &self->base;
}

int
stria_input_get_fd (StriaInput *self)
{
  return self->read == file_read ? ((FileInput *) self)->fd : -1;
}

GBytes *
stria_input_get_bytes (StriaInput *self)
{
  return self->read == bytes_read ? ((BytesInput *) self)->bytes : NULL;
}

void
stria_input_free (StriaInput *self)
{
  if (self != NULL)
    self->free (self);
}
