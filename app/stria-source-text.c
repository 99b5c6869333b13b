/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-source-text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "stria-error.h"
#include "stria-format.h"
#include "stria-source.h"

/* A text view lays out whole lines: one of megabytes would take seconds for each frame. */
#define MAX_LINE_BYTES 8192

/* Long lines are cut at a letter's border; each keeps its number. */
static void
cut_lines (StriaSourceText *self)
{
  const char *at = self->text;
  const char *end = self->text + self->length;
  g_autoptr (GString) cut = NULL;

  self->n_lines = 1;
  while (at < end)
    {
      const char *newline = memchr (at, '\n', (gsize) (end - at));
      const char *line_end = newline != NULL ? newline : end;

      if (line_end - at > MAX_LINE_BYTES)
        {
          const char *border = g_utf8_find_prev_char (at, at + MAX_LINE_BYTES);

          if (cut == NULL)
            cut = g_string_new_len (self->text, at - self->text);
          g_string_append_len (cut, at, border - at);
          g_string_append (cut, "…");
          self->n_cut++;
        }
      else if (cut != NULL)
        g_string_append_len (cut, at, line_end - at);
      if (newline == NULL)
        break;
      if (cut != NULL)
        g_string_append_c (cut, '\n');
      self->n_lines++;
      at = newline + 1;
    }
  if (cut != NULL)
    {
      g_free (self->text);
      self->length = cut->len;
      self->text = g_string_free (g_steal_pointer (&cut), FALSE);
    }
}

static StriaSourceText *
text_new (const GByteArray *bytes)
{
  StriaSourceText *self = g_new0 (StriaSourceText, 1);
  const guint8 *data = bytes->data;
  gsize length = bytes->len;

  if (length >= 3 && memcmp (data, "\xef\xbb\xbf", 3) == 0)
    {
      data += 3;
      length -= 3;
    }
  self->is_lossy = length > 0 && !g_utf8_validate_len ((const char *) data, length, NULL);
  self->text = length > 0 ? g_utf8_make_valid ((const char *) data, (gssize) length)
                          : g_strdup ("");
  self->length = strlen (self->text);
  cut_lines (self);
  return self;
}

static GByteArray *
read_all (int fd, gsize size, const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_sized_new ((guint) size + 1);
  guint8 block[65536];

  for (;;)
    {
      const gssize n = read (fd, block, sizeof block);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, _ ("%s: cannot be read: %s"), path,
                       g_strerror (errno));
          return NULL;
        }
      if (n == 0)
        return g_steal_pointer (&bytes);
      /* It may grow while it is read */
      if (bytes->len + (gsize) n > STRIA_SOURCE_TEXT_MAX_BYTES)
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT, _ ("%s: too large to be shown"),
                       path);
          return NULL;
        }
      g_byte_array_append (bytes, block, (guint) n);
    }
}

/**
 * stria_source_text_read:
 * @path: of a regular file; anything else is an error and is not waited for
 *
 * Returns: (transfer full): what is in the file
 */
StriaSourceText *
stria_source_text_read (const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (GByteArray) bytes = NULL;
  struct stat info;
  /* Non-blocking: a pipe would wait for a writer */
  const int fd = open (path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

  if (fd < 0)
    {
      g_set_error (error, STRIA_ERROR,
                   errno == EACCES ? STRIA_ERROR_PERMISSION
                   : errno == ENOENT ? STRIA_ERROR_NOT_FOUND
                                     : STRIA_ERROR_FAILED,
                   _ ("%s: cannot be opened: %s"), path, g_strerror (errno));
      return NULL;
    }
  if (fstat (fd, &info) != 0 || !S_ISREG (info.st_mode))
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_UNSUPPORTED, _ ("%s: is not a plain file"), path);
  else if (info.st_size > STRIA_SOURCE_TEXT_MAX_BYTES)
    {
      g_autofree char *size = stria_format_bytes (info.st_size);
      g_autofree char *most = stria_format_bytes (STRIA_SOURCE_TEXT_MAX_BYTES);

      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                   _ ("%s: has %s, and files of up to %s are shown"), path, size, most);
    }
  else
    bytes = read_all (fd, (gsize) info.st_size, path, cancellable, error);
  close (fd);
  return bytes != NULL ? text_new (bytes) : NULL;
}

/**
 * stria_source_text_read_member:
 * @archive: path of a file
 * @member: as stria_archive_list() calls it
 * @path: for errors
 *
 * Returns: (transfer full): what is in the member; nothing is put on disk
 */
StriaSourceText *
stria_source_text_read_member (const char *archive, const char *member, const char *path,
                               GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (StriaSource) source = stria_source_open_full (archive, member, cancellable, &local);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  const guint8 *data;
  gsize length = 0;

  /* A module without a line is one, too. */
  if (g_error_matches (local, STRIA_ERROR, STRIA_ERROR_EMPTY))
    return text_new (bytes);
  if (source == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  do
    {
      if (!stria_source_read (source, &data, &length, error))
        return NULL;
      if (bytes->len + length > STRIA_SOURCE_TEXT_MAX_BYTES)
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT, _ ("%s: too large to be shown"),
                       path);
          return NULL;
        }
      g_byte_array_append (bytes, data, (guint) length);
    }
  while (length > 0);
  return text_new (bytes);
}

void
stria_source_text_free (StriaSourceText *self)
{
  g_free (self->text);
  g_free (self);
}
