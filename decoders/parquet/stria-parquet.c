/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "stria-error.h"
#include "stria-input.h"
#include "stria-load.h"
#include "stria-parquet-private.h"

#define MAGIC "PAR1"
#define MAGIC_ENCRYPTED "PARE"
#define MAGIC_LENGTH 4
#define TAIL_LENGTH 8 /* length of the footer, and the magic */

gboolean
stria_parquet_is (const guint8 *head, gsize length)
{
  return length >= MAGIC_LENGTH && (memcmp (head, MAGIC, MAGIC_LENGTH) == 0
                                    || memcmp (head, MAGIC_ENCRYPTED, MAGIC_LENGTH) == 0);
}

void
stria_parquet_fault (const StriaParquet *self, GError **error, int code, guint64 offset,
                     const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, STRIA_ERROR, code, _("%s: offset %" PRIu64 ": %s"), self->name, offset, text);
}

gboolean
stria_parquet_pread (const StriaParquet *self, guint64 offset, guint8 *buffer, gsize length,
                     GError **error)
{
  if (self->fd < 0)
    {
      memcpy (buffer, self->data + offset, length);
      return TRUE;
    }
  while (length > 0)
    {
      gssize n = pread (self->fd, buffer, MIN (length, G_MAXINT32), (off_t) offset);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED,
                       _("%s: reading failed at byte %" PRIu64 ": %s"), self->name, offset,
                       g_strerror (errno));
          return FALSE;
        }
      if (n == 0)
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_TRUNCATED,
                       _("%s: became shorter while it was read: expected %" PRIu64
                         " bytes, found %" PRIu64),
                       self->name, self->size, offset);
          return FALSE;
        }
      buffer += n;
      offset += n;
      length -= n;
    }
  return TRUE;
}

static gboolean
is_magic (const StriaParquet *self, const guint8 *bytes, guint64 offset, GError **error)
{
  g_autofree char *found = NULL;

  if (memcmp (bytes, MAGIC, MAGIC_LENGTH) == 0)
    return TRUE;
  if (memcmp (bytes, MAGIC_ENCRYPTED, MAGIC_LENGTH) == 0)
    {
      stria_parquet_fault (self, error, STRIA_ERROR_UNSUPPORTED, offset,
                           _("the file is encrypted (PARE) and cannot be read without its keys"));
      return FALSE;
    }
  found = g_strdup_printf ("%02x %02x %02x %02x", bytes[0], bytes[1], bytes[2], bytes[3]);
  stria_parquet_fault (self, error, STRIA_ERROR_BAD_MAGIC, offset,
                       _("expected PAR1 at both ends of a Parquet file, found the bytes %s"),
                       found);
  return FALSE;
}

static gboolean
load (StriaParquet *self, GError **error)
{
  guint8 head[MAGIC_LENGTH], tail[TAIL_LENGTH];
  guint32 length;
  guint64 offset;

  if (self->size < MAGIC_LENGTH)
    {
      stria_parquet_fault (self, error, STRIA_ERROR_TRUNCATED, 0,
                           _("expected a Parquet file, found %" PRIu64 " bytes"), self->size);
      return FALSE;
    }
  if (!stria_parquet_pread (self, 0, head, sizeof head, error) || !is_magic (self, head, 0, error))
    return FALSE;
  if (self->size < MAGIC_LENGTH + TAIL_LENGTH)
    {
      stria_parquet_fault (self, error, STRIA_ERROR_TRUNCATED, 0,
                           _("expected a Parquet file, found %" PRIu64 " bytes"), self->size);
      return FALSE;
    }
  if (!stria_parquet_pread (self, self->size - TAIL_LENGTH, tail, sizeof tail, error))
    return FALSE;
  if (!is_magic (self, tail + 4, self->size - MAGIC_LENGTH, error))
    {
      /* A file of this kind without its end was cut. */
      if (error != NULL && g_error_matches (*error, STRIA_ERROR, STRIA_ERROR_BAD_MAGIC))
        (*error)->code = STRIA_ERROR_TRUNCATED;
      return FALSE;
    }
  length = stria_load32 (tail);
  if (length == 0 || length > self->size - MAGIC_LENGTH - TAIL_LENGTH)
    {
      stria_parquet_fault (self, error, STRIA_ERROR_MALFORMED, self->size - TAIL_LENGTH,
                           _("expected a footer of 1 to %" PRIu64 " bytes, found one of %u"),
                           self->size - MAGIC_LENGTH - TAIL_LENGTH, length);
      return FALSE;
    }
  if (length > self->limits.footer_bytes)
    {
      stria_parquet_fault (self, error, STRIA_ERROR_LIMIT, self->size - TAIL_LENGTH,
                           _("expected a footer of 1 to %" PRIu64 " bytes, found one of %u"),
                           self->limits.footer_bytes, length);
      return FALSE;
    }
  offset = self->size - TAIL_LENGTH - length;
  self->footer = g_try_malloc (length);
  if (self->footer == NULL)
    {
      stria_parquet_fault (self, error, STRIA_ERROR_LIMIT, offset,
                           _("not enough memory for %" PRIu64 " bytes"), (guint64) length);
      return FALSE;
    }
  return stria_parquet_pread (self, offset, self->footer, length, error)
         && stria_parquet_read_footer (self, length, offset, error);
}

static StriaParquet *
parquet_new (const char *name, const StriaParquetLimits *limits)
{
  StriaParquet *self = g_new0 (StriaParquet, 1);
  StriaParquetLimits *own = &self->limits;

  self->ref_count = 1;
  self->fd = -1;
  self->name = g_filename_display_basename (name);
  if (limits != NULL)
    *own = *limits;
  own->footer_bytes = own->footer_bytes != 0 ? own->footer_bytes : (guint64) 256 << 20;
  own->page_bytes = own->page_bytes != 0 ? MIN (own->page_bytes, G_MAXINT32) : (guint64) 256 << 20;
  own->columns = own->columns != 0 ? own->columns : 16384;
  own->depth = own->depth != 0 ? MIN (own->depth, 120) : 32;
  own->row_groups = own->row_groups != 0 ? own->row_groups : 1000000;
  own->chunks = own->chunks != 0 ? own->chunks : 4000000;
  own->rows = own->rows != 0 ? own->rows : (guint64) 1 << 40;
  self->texts = g_string_chunk_new (4096);
  self->pairs = g_array_new (FALSE, FALSE, sizeof (StriaParquetPair));
  self->nodes = g_array_new (FALSE, FALSE, sizeof (StriaParquetNode));
  self->leaves = g_array_new (FALSE, FALSE, sizeof (guint));
  self->groups = g_array_new (FALSE, FALSE, sizeof (StriaParquetGroup));
  self->parts = g_array_new (FALSE, FALSE, sizeof (StriaParquetPart));
  return self;
}

StriaParquet *
stria_parquet_open_fd (const char *name, int fd, const StriaParquetLimits *limits, GError **error)
{
  g_autoptr (StriaParquet) self = parquet_new (name, limits);
  GError *local = NULL;
  struct stat info;

  self->fd = fd;
  if (fstat (fd, &info) < 0)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, _("%s: could not be opened: %s"),
                   self->name, g_strerror (errno));
      return NULL;
    }
  self->size = (guint64) MAX (info.st_size, 0);
  if (load (self, &local))
    return g_steal_pointer (&self);
  g_propagate_error (error, local);
  return NULL;
}

StriaParquet *
stria_parquet_open_file (const char *path, const StriaParquetLimits *limits, GError **error)
{
  struct stat info;
  int fd = stria_input_open_fd (path, &info, error);

  return fd >= 0 ? stria_parquet_open_fd (path, fd, limits, error) : NULL;
}

/**
 * stria_parquet_open_bytes:
 * @name: for messages
 * @bytes: the content, kept with the file
 * @limits: (nullable): caps
 * @error: as stria_parquet_open_file()
 *
 * Returns: (transfer full): the file, or NULL
 */
StriaParquet *
stria_parquet_open_bytes (const char *name, GBytes *bytes, const StriaParquetLimits *limits,
                          GError **error)
{
  g_autoptr (StriaParquet) self = parquet_new (name, limits);
  GError *local = NULL;
  gsize size;

  self->bytes = g_bytes_ref (bytes);
  self->data = g_bytes_get_data (bytes, &size);
  self->size = size;
  if (load (self, &local))
    return g_steal_pointer (&self);
  g_propagate_error (error, local);
  return NULL;
}

StriaParquet *
stria_parquet_ref (StriaParquet *self)
{
  g_atomic_int_inc (&self->ref_count);
  return self;
}

void
stria_parquet_unref (StriaParquet *self)
{
  if (self == NULL || !g_atomic_int_dec_and_test (&self->ref_count))
    return;
  if (self->fd >= 0)
    close (self->fd);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self->footer);
  g_string_chunk_free (self->texts);
  g_array_unref (self->pairs);
  g_array_unref (self->nodes);
  g_array_unref (self->leaves);
  g_array_unref (self->groups);
  g_array_unref (self->parts);
  g_free (self->name);
  g_free (self);
}

const char *
stria_parquet_get_name (const StriaParquet *self)
{
  return self->name;
}

guint64
stria_parquet_get_size (const StriaParquet *self)
{
  return self->size;
}

gint32
stria_parquet_get_version (const StriaParquet *self)
{
  return self->version;
}

const char *
stria_parquet_get_created_by (const StriaParquet *self)
{
  return self->created_by;
}

const StriaParquetPair *
stria_parquet_get_pairs (const StriaParquet *self, guint *n)
{
  *n = self->pairs->len;
  return (const StriaParquetPair *) (void *) self->pairs->data;
}

guint64
stria_parquet_get_n_rows (const StriaParquet *self)
{
  return self->n_rows;
}

guint
stria_parquet_get_n_row_groups (const StriaParquet *self)
{
  return self->groups->len;
}

guint64
stria_parquet_get_group_rows (const StriaParquet *self, guint row_group)
{
  g_return_val_if_fail (row_group < self->groups->len, 0);
  return g_array_index (self->groups, StriaParquetGroup, row_group).n_rows;
}

guint64
stria_parquet_get_group_first (const StriaParquet *self, guint row_group)
{
  g_return_val_if_fail (row_group < self->groups->len, 0);
  return g_array_index (self->groups, StriaParquetGroup, row_group).first;
}

guint
stria_parquet_get_n_nodes (const StriaParquet *self)
{
  return self->nodes->len;
}

const StriaParquetNode *
stria_parquet_get_node (const StriaParquet *self, guint node)
{
  g_return_val_if_fail (node < self->nodes->len, NULL);
  return &g_array_index (self->nodes, StriaParquetNode, node);
}

guint
stria_parquet_get_n_columns (const StriaParquet *self)
{
  return self->leaves->len;
}

const StriaParquetNode *
stria_parquet_get_column (const StriaParquet *self, guint column)
{
  g_return_val_if_fail (column < self->leaves->len, NULL);
  return stria_parquet_get_node (self, g_array_index (self->leaves, guint, column));
}

const StriaParquetChunk *
stria_parquet_get_chunk (const StriaParquet *self, guint row_group, guint column)
{
  g_return_val_if_fail (row_group < self->groups->len && column < self->leaves->len, NULL);
  return &stria_parquet_part (self, row_group, column)->public;
}

guint
stria_parquet_find_column (const StriaParquet *self, const char *path)
{
  for (guint i = 1; i < self->nodes->len; i++)
    {
      const StriaParquetNode *node = stria_parquet_get_node (self, i);
      guint column = STRIA_PARQUET_NONE;

      if (!g_str_equal (node->path, path))
        continue;
      for (guint k = i; k < node->next; k++)
        {
          guint found = stria_parquet_get_node (self, k)->column;

          if (found != STRIA_PARQUET_NONE && column != STRIA_PARQUET_NONE)
            return STRIA_PARQUET_NONE;
          if (found != STRIA_PARQUET_NONE)
            column = found;
        }
      return column;
    }
  return STRIA_PARQUET_NONE;
}
