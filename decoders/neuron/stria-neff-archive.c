/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-neff-archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-error.h"

/* Longest name of a member that is kept */
#define MAX_NAME 4096

gboolean
stria_neff_archive_open (StriaNeffArchive *self, const char *name, GError **error)
{
  const guint8 *data;
  gsize length;

  if (!stria_source_read (self->source, &data, &length, error))
    return FALSE;
  if (length == 0)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_EMPTY, _ ("%s: the file is empty (0 bytes)"),
                   name);
      return FALSE;
    }
  if (!stria_neff_header_parse (data, length, stria_source_get_size (self->source), &self->header))
    {
      g_set_error (
          error, STRIA_ERROR, STRIA_ERROR_BAD_MAGIC,
          _ ("%s: offset 8: expected the header of a .neff (1024 bytes, and a tar behind it), "
             "found something else"),
          name);
      return FALSE;
    }
  sha256_init (&self->sha256);
  md5_init (&self->md5);
  self->rest = data + STRIA_NEFF_HEADER_BYTES;
  self->n_rest = length - STRIA_NEFF_HEADER_BYTES;
  self->left = self->header.data_size;
  return TRUE;
}

static gssize
next_block (StriaNeffArchive *self, const guint8 **data)
{
  gsize length = self->n_rest;

  *data = self->rest;
  if (length == 0 && self->left > 0)
    {
      if (g_cancellable_set_error_if_cancelled (self->cancellable, &self->error)
          || !stria_source_read (self->source, data, &length, &self->error))
        return -1;
    }
  self->n_rest = 0;
  length = MIN (length, self->left);
  self->left -= length;
  self->n_read += length;
  if (self->wants_digests)
    {
      sha256_update (&self->sha256, length, *data);
      md5_update (&self->md5, length, *data);
    }
  if (self->progress != NULL)
    self->progress (STRIA_NEFF_HEADER_BYTES + self->n_read, 0, self->user_data);
  return (gssize) length;
}

static la_ssize_t
on_read (struct archive *archive, void *user_data, const void **buffer)
{
  StriaNeffArchive *self = user_data;
  const guint8 *data = NULL;
  gssize length = next_block (self, &data);

  if (length < 0)
    {
      archive_set_error (archive, EIO, "%s", self->error->message);
      return ARCHIVE_FATAL;
    }
  *buffer = data;
  return length;
}

GByteArray *
stria_neff_archive_read (StriaNeffArchive *self, guint64 cap, const char **why)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  *why = NULL;
  for (;;)
    {
      const void *block;
      size_t length;
      la_int64_t offset;
      int result = archive_read_data_block (self->archive, &block, &length, &offset);

      if (result == ARCHIVE_EOF)
        return g_steal_pointer (&bytes);
      if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
        {
          *why = archive_error_string (self->archive);
          return NULL;
        }
      /* A hole would be nulls: no compiler writes one. */
      if ((guint64) offset != bytes->len || length > cap - bytes->len)
        {
          *why = _ ("it is longer than is read, or has holes");
          return NULL;
        }
      g_byte_array_append (bytes, block, (guint) length);
    }
}

gboolean
stria_neff_archive_members (StriaNeffArchive *self, StriaNeffMemberFunc func, gpointer user_data,
                            char **why)
{
  struct archive *archive = archive_read_new ();
  struct archive_entry *entry;
  gboolean goes_on = TRUE;
  int result;

  self->archive = archive;
  archive_read_support_format_tar (archive);
  archive_read_support_filter_gzip (archive);
  result = archive_read_open (archive, self, NULL, on_read, NULL);
  while (goes_on && (result == ARCHIVE_OK || result == ARCHIVE_WARN))
    {
      const char *name;
      g_autofree char *valid = NULL;

      result = archive_read_next_header (archive, &entry);
      if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
        break;
      name = archive_entry_pathname (entry);
      if (name == NULL || archive_entry_filetype (entry) != AE_IFREG)
        continue;
      while (g_str_has_prefix (name, "./"))
        name += 2;
      valid = g_utf8_make_valid (name, (gssize) MIN (strlen (name), MAX_NAME));
      goes_on = func (self, valid,
                      archive_entry_size_is_set (entry) ? archive_entry_size (entry) : -1,
                      user_data);
    }
  if (why != NULL && self->error == NULL && result != ARCHIVE_EOF && result != ARCHIVE_OK
      && result != ARCHIVE_WARN)
    *why = g_strdup (archive_error_string (archive));
  self->archive = NULL;
  archive_read_free (archive);
  return self->error == NULL;
}

gboolean
stria_neff_archive_finish (StriaNeffArchive *self)
{
  const guint8 *data;

  while (self->error == NULL && self->left > 0)
    if (next_block (self, &data) <= 0)
      break;
  return self->error == NULL;
}
