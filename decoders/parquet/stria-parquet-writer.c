/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-parquet-writer.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "stria-error.h"
#include "stria-parquet-writer-column.h"
#include "stria-thrift-writer.h"

#define DEFAULT_GROUP_ROWS 131072
#define DEFAULT_LEVEL 3
/* Offsets of texts in a row group are of 32 bits. */
#define MAX_TEXT_BYTES ((guint64) 1 << 30)
#define MAGIC "PAR1"

struct _StriaParquetWriter
{
  char *name;
  char *path;      /* (nullable): what it is called when it is finished */
  char *temporary; /* (nullable): until then */
  int fd;
  gboolean owns_fd;
  guint64 offset;
  int level;
  guint32 group_rows;
  GArray *columns; /* StriaParquetWriterColumn */
  GArray *written; /* StriaParquetWritten: row groups times columns */
  GArray *groups;  /* guint64: rows */
  guint64 n_rows;
  GPtrArray *keys;
  GPtrArray *values; /* NULL in it: none */
};

static StriaParquetWriterColumn *
column_at (const StriaParquetWriter *self, guint i)
{
  return &g_array_index (self->columns, StriaParquetWriterColumn, i);
}

static gboolean
write_all (StriaParquetWriter *self, const void *data, gsize length, GError **error)
{
  const guint8 *at = data;

  while (length > 0)
    {
      gssize n = write (self->fd, at, MIN (length, G_MAXINT32));

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, _("%s: could not be written: %s"),
                       self->name, g_strerror (errno));
          return FALSE;
        }
      at += n;
      length -= (gsize) n;
      self->offset += (guint64) n;
    }
  return TRUE;
}

static StriaParquetWriter *
writer_new (const char *name, const StriaParquetWriteColumn *columns, guint n,
            const StriaParquetWriteOptions *options)
{
  static const StriaParquetWriteOptions defaults = { 0 };
  StriaParquetWriter *self = g_new0 (StriaParquetWriter, 1);

  if (options == NULL)
    options = &defaults;
  self->name = g_filename_display_basename (name);
  self->fd = -1;
  self->level = options->uncompressed ? 0 : options->level != 0 ? options->level : DEFAULT_LEVEL;
  self->group_rows = options->group_rows != 0 ? options->group_rows : DEFAULT_GROUP_ROWS;
  self->columns = g_array_new (FALSE, FALSE, sizeof (StriaParquetWriterColumn));
  self->written = g_array_new (FALSE, FALSE, sizeof (StriaParquetWritten));
  g_array_set_clear_func (self->columns, (GDestroyNotify) stria_parquet_writer_column_clear);
  g_array_set_clear_func (self->written, (GDestroyNotify) stria_parquet_written_clear);
  self->groups = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->keys = g_ptr_array_new_with_free_func (g_free);
  self->values = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < options->n_pairs; i++)
    {
      g_ptr_array_add (self->keys, g_strdup (options->pairs[i].key));
      g_ptr_array_add (self->values, g_strdup (options->pairs[i].value));
    }
  for (guint i = 0; i < n; i++)
    {
      StriaParquetWriterColumn column;

      stria_parquet_writer_column_init (&column, &columns[i]);
      g_array_append_val (self->columns, column);
    }
  return self;
}

StriaParquetWriter *
stria_parquet_writer_new (const char *path, const StriaParquetWriteColumn *columns, guint n,
                          const StriaParquetWriteOptions *options, GError **error)
{
  g_autoptr (StriaParquetWriter) self = writer_new (path, columns, n, options);
  g_autofree char *temporary = g_strconcat (path, ".XXXXXX", NULL);

  self->fd = g_mkstemp_full (temporary, O_RDWR | O_CLOEXEC, 0666);
  if (self->fd < 0)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, _("%s: could not be written: %s"),
                   self->name, g_strerror (errno));
      return NULL;
    }
  self->owns_fd = TRUE;
  self->path = g_strdup (path);
  self->temporary = g_steal_pointer (&temporary);
  return write_all (self, MAGIC, 4, error) ? g_steal_pointer (&self) : NULL;
}

StriaParquetWriter *
stria_parquet_writer_new_fd (const char *name, int fd, const StriaParquetWriteColumn *columns,
                             guint n, const StriaParquetWriteOptions *options, GError **error)
{
  g_autoptr (StriaParquetWriter) self = writer_new (name, columns, n, options);

  self->fd = fd;
  return write_all (self, MAGIC, 4, error) ? g_steal_pointer (&self) : NULL;
}

void
stria_parquet_writer_free (StriaParquetWriter *self)
{
  if (self == NULL)
    return;
  if (self->owns_fd && self->fd >= 0)
    close (self->fd);
  if (self->temporary != NULL)
    g_unlink (self->temporary);
  g_free (self->temporary);
  g_free (self->path);
  g_free (self->name);
  g_array_unref (self->columns);
  g_array_unref (self->written);
  g_array_unref (self->groups);
  g_ptr_array_unref (self->keys);
  g_ptr_array_unref (self->values);
  g_free (self);
}

/* -- values ------------------------------------------------------------------------------------ */

/* Counts @n values: rows, or elements of the list that was begun. */
static void
take_places (StriaParquetWriterColumn *column, const guint8 *valid, guint32 n)
{
  if (column->spec.list)
    {
      g_return_if_fail (valid == NULL && n <= column->list_left);
      column->list_left -= n;
      return;
    }
  g_return_if_fail (valid == NULL || column->spec.optional);
  column->n_rows += n;
  if (!column->spec.optional)
    return;
  g_byte_array_set_size (column->valid, (guint) column->n_rows);
  for (guint32 i = 0; i < n; i++)
    column->valid->data[column->n_rows - n + i] = valid == NULL || valid[i] != 0;
}

static void
append_numbers (StriaParquetWriterColumn *column, const void *values, const guint8 *valid,
                guint32 n)
{
  const guint64 *numbers = values;

  take_places (column, valid, n);
  if (valid == NULL && n > 0)
    g_array_append_vals (column->numbers, values, n);
  else
    for (guint32 i = 0; i < n; i++)
      if (valid[i])
        g_array_append_val (column->numbers, numbers[i]);
}

void
stria_parquet_writer_int64 (StriaParquetWriter *self, guint column, const gint64 *values,
                            const guint8 *valid, guint32 n)
{
  g_return_if_fail (column < self->columns->len);
  g_return_if_fail (column_at (self, column)->spec.type == STRIA_PARQUET_WRITE_INT64
                    || column_at (self, column)->spec.type == STRIA_PARQUET_WRITE_TIMESTAMP_NS);
  append_numbers (column_at (self, column), values, valid, n);
}

void
stria_parquet_writer_double (StriaParquetWriter *self, guint column, const double *values,
                             const guint8 *valid, guint32 n)
{
  g_return_if_fail (column < self->columns->len);
  g_return_if_fail (column_at (self, column)->spec.type == STRIA_PARQUET_WRITE_DOUBLE);
  append_numbers (column_at (self, column), values, valid, n);
}

void
stria_parquet_writer_bool (StriaParquetWriter *self, guint column, const guint8 *values,
                           const guint8 *valid, guint32 n)
{
  StriaParquetWriterColumn *own;

  g_return_if_fail (column < self->columns->len);
  own = column_at (self, column);
  g_return_if_fail (own->spec.type == STRIA_PARQUET_WRITE_BOOL);
  take_places (own, valid, n);
  for (guint32 i = 0; i < n; i++)
    if (valid == NULL || valid[i])
      g_byte_array_append (own->bools, values + i, 1);
}

void
stria_parquet_writer_string (StriaParquetWriter *self, guint column, const char *text,
                             gssize length)
{
  StriaParquetWriterColumn *own;
  guint8 valid = text != NULL;
  guint32 end;

  g_return_if_fail (column < self->columns->len);
  own = column_at (self, column);
  g_return_if_fail (own->spec.type == STRIA_PARQUET_WRITE_STRING);
  take_places (own, valid ? NULL : &valid, 1);
  if (!valid)
    return;
  g_byte_array_append (own->texts, (const guint8 *) text,
                       (guint) (length >= 0 ? (gsize) length : strlen (text)));
  end = own->texts->len;
  g_array_append_val (own->ends, end);
}

void
stria_parquet_writer_list (StriaParquetWriter *self, guint column, guint32 n, gboolean is_null)
{
  StriaParquetWriterColumn *own;
  guint8 valid = !is_null;

  g_return_if_fail (column < self->columns->len);
  own = column_at (self, column);
  g_return_if_fail (own->spec.list && own->list_left == 0);
  g_return_if_fail (!is_null || (own->spec.optional && n == 0));
  own->n_rows++;
  own->list_left = n;
  g_array_append_val (own->counts, n);
  if (own->spec.optional)
    g_byte_array_append (own->valid, &valid, 1);
}

gboolean
stria_parquet_writer_is_full (const StriaParquetWriter *self)
{
  for (guint i = 0; i < self->columns->len; i++)
    if (column_at (self, i)->n_rows >= self->group_rows
        || column_at (self, i)->texts->len >= MAX_TEXT_BYTES)
      return TRUE;
  return FALSE;
}

gboolean
stria_parquet_writer_flush (StriaParquetWriter *self, GError **error)
{
  g_autoptr (GByteArray) pages = g_byte_array_new ();
  guint64 n_rows = self->columns->len > 0 ? column_at (self, 0)->n_rows : 0;

  for (guint i = 0; i < self->columns->len; i++)
    {
      const StriaParquetWriterColumn *column = column_at (self, i);

      if (column->n_rows == n_rows && column->list_left == 0)
        continue;
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED,
                   _("%s: columns of unequal length cannot be written (%s)"), self->name,
                   column->name);
      return FALSE;
    }
  if (n_rows == 0)
    return TRUE;
  for (guint i = 0; i < self->columns->len; i++)
    {
      StriaParquetWritten written;
      guint64 offset = self->offset;

      if (!stria_parquet_writer_column_write (column_at (self, i), self->level, pages, &written))
        {
          stria_parquet_written_clear (&written);
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, _("%s: could not be written: %s"),
                       self->name, column_at (self, i)->name);
          return FALSE;
        }
      written.offset = offset;
      written.dictionary_offset = written.data_offset > 0 ? offset : 0;
      written.data_offset += offset;
      g_array_append_val (self->written, written);
      if (!write_all (self, pages->data, pages->len, error))
        return FALSE;
    }
  g_array_append_val (self->groups, n_rows);
  self->n_rows += n_rows;
  return TRUE;
}

/* -- the footer -------------------------------------------------------------------------------- */

static StriaParquetPhysical
physical_of (const StriaParquetWriterColumn *column)
{
  switch (column->spec.type)
    {
    case STRIA_PARQUET_WRITE_BOOL:
      return STRIA_PARQUET_BOOLEAN;
    case STRIA_PARQUET_WRITE_DOUBLE:
      return STRIA_PARQUET_DOUBLE;
    case STRIA_PARQUET_WRITE_STRING:
      return STRIA_PARQUET_BYTES;
    case STRIA_PARQUET_WRITE_INT64:
    case STRIA_PARQUET_WRITE_TIMESTAMP_NS:
    default:
      return STRIA_PARQUET_INT64;
    }
}

/* @type: -1 for a group; @n_children: of one */
static void
put_element (StriaThriftWriter *thrift, gint32 type, gint32 repetition, const char *name,
             gint32 n_children)
{
  stria_thrift_begin (thrift, 0);
  if (type >= 0)
    stria_thrift_put_i32 (thrift, 1, type);
  if (repetition >= 0)
    stria_thrift_put_i32 (thrift, 3, repetition);
  stria_thrift_put_binary (thrift, 4, name, strlen (name));
  if (type < 0)
    stria_thrift_put_i32 (thrift, 5, n_children);
}

static void
put_leaf (StriaThriftWriter *thrift, const StriaParquetWriterColumn *column, gint32 repetition,
          const char *name)
{
  put_element (thrift, physical_of (column), repetition, name, 0);
  if (column->spec.type == STRIA_PARQUET_WRITE_STRING)
    {
      stria_thrift_put_i32 (thrift, 6, 0); /* UTF8 */
      stria_thrift_begin (thrift, 10);
      stria_thrift_begin (thrift, 1); /* STRING */
      stria_thrift_end (thrift);
      stria_thrift_end (thrift);
    }
  else if (column->spec.type == STRIA_PARQUET_WRITE_TIMESTAMP_NS)
    {
      stria_thrift_begin (thrift, 10);
      stria_thrift_begin (thrift, 8); /* TIMESTAMP */
      stria_thrift_put_bool (thrift, 1, TRUE);
      stria_thrift_begin (thrift, 2);
      stria_thrift_begin (thrift, 3); /* NANOS */
      stria_thrift_end (thrift);
      stria_thrift_end (thrift);
      stria_thrift_end (thrift);
      stria_thrift_end (thrift);
    }
  stria_thrift_end (thrift);
}

static void
put_schema (StriaParquetWriter *self, StriaThriftWriter *thrift)
{
  guint n = 1 + self->columns->len;

  for (guint i = 0; i < self->columns->len; i++)
    n += column_at (self, i)->spec.list ? 2 : 0;
  stria_thrift_put_list (thrift, 2, STRIA_THRIFT_STRUCT, n);
  put_element (thrift, -1, -1, "schema", (gint32) self->columns->len);
  stria_thrift_end (thrift);
  for (guint i = 0; i < self->columns->len; i++)
    {
      const StriaParquetWriterColumn *column = column_at (self, i);
      gint32 repetition = column->spec.optional ? STRIA_PARQUET_OPTIONAL : STRIA_PARQUET_REQUIRED;

      if (!column->spec.list)
        {
          put_leaf (thrift, column, repetition, column->name);
          continue;
        }
      put_element (thrift, -1, repetition, column->name, 1);
      stria_thrift_put_i32 (thrift, 6, 3); /* LIST */
      stria_thrift_begin (thrift, 10);
      stria_thrift_begin (thrift, 3); /* LIST */
      stria_thrift_end (thrift);
      stria_thrift_end (thrift);
      stria_thrift_end (thrift);
      put_element (thrift, -1, STRIA_PARQUET_REPEATED, "list", 1);
      stria_thrift_end (thrift);
      put_leaf (thrift, column, STRIA_PARQUET_REQUIRED, "element");
    }
}

static void
put_chunk (StriaParquetWriter *self, StriaThriftWriter *thrift,
           const StriaParquetWriterColumn *column, const StriaParquetWritten *written)
{
  stria_thrift_begin (thrift, 0);
  stria_thrift_put_i64 (thrift, 2, 0);
  stria_thrift_begin (thrift, 3);
  stria_thrift_put_i32 (thrift, 1, physical_of (column));
  stria_thrift_put_list (thrift, 2, STRIA_THRIFT_I32,
                         (guint) __builtin_popcount (written->encodings));
  for (gint32 i = 0; i < 32; i++)
    if (written->encodings >> i & 1)
      stria_thrift_put_zigzag (thrift->bytes, i);
  stria_thrift_put_list (thrift, 3, STRIA_THRIFT_BINARY, column->spec.list ? 3 : 1);
  stria_thrift_put_text (thrift, column->name);
  if (column->spec.list)
    {
      stria_thrift_put_text (thrift, "list");
      stria_thrift_put_text (thrift, "element");
    }
  stria_thrift_put_i32 (thrift, 4,
                        self->level != 0 ? STRIA_PARQUET_ZSTD : STRIA_PARQUET_UNCOMPRESSED);
  stria_thrift_put_i64 (thrift, 5, (gint64) written->n_values);
  stria_thrift_put_i64 (thrift, 6, (gint64) written->uncompressed);
  stria_thrift_put_i64 (thrift, 7, (gint64) written->compressed);
  stria_thrift_put_i64 (thrift, 9, (gint64) written->data_offset);
  if (written->dictionary_offset != 0)
    stria_thrift_put_i64 (thrift, 11, (gint64) written->dictionary_offset);
  stria_thrift_begin (thrift, 12);
  stria_thrift_put_i64 (thrift, 3, (gint64) written->n_nulls);
  if (written->max != NULL)
    stria_thrift_put_binary (thrift, 5, written->max, written->max_length);
  if (written->min != NULL)
    stria_thrift_put_binary (thrift, 6, written->min, written->min_length);
  stria_thrift_end (thrift);
  stria_thrift_end (thrift);
  stria_thrift_end (thrift);
}

static void
put_groups (StriaParquetWriter *self, StriaThriftWriter *thrift)
{
  const StriaParquetWritten *written = (const StriaParquetWritten *) (void *) self->written->data;

  stria_thrift_put_list (thrift, 4, STRIA_THRIFT_STRUCT, self->groups->len);
  for (guint g = 0; g < self->groups->len; g++)
    {
      guint64 bytes = 0, compressed = 0, offset = written->offset;

      stria_thrift_begin (thrift, 0);
      stria_thrift_put_list (thrift, 1, STRIA_THRIFT_STRUCT, self->columns->len);
      for (guint i = 0; i < self->columns->len; i++, written++)
        {
          put_chunk (self, thrift, column_at (self, i), written);
          bytes += written->uncompressed;
          compressed += written->compressed;
        }
      stria_thrift_put_i64 (thrift, 2, (gint64) bytes);
      stria_thrift_put_i64 (thrift, 3, (gint64) g_array_index (self->groups, guint64, g));
      stria_thrift_put_i64 (thrift, 5, (gint64) offset);
      stria_thrift_put_i64 (thrift, 6, (gint64) compressed);
      stria_thrift_end (thrift);
    }
}

static void
put_pairs (StriaParquetWriter *self, StriaThriftWriter *thrift)
{
  if (self->keys->len == 0)
    return;
  stria_thrift_put_list (thrift, 5, STRIA_THRIFT_STRUCT, self->keys->len);
  for (guint i = 0; i < self->keys->len; i++)
    {
      const char *key = self->keys->pdata[i], *value = self->values->pdata[i];

      stria_thrift_begin (thrift, 0);
      stria_thrift_put_binary (thrift, 1, key, strlen (key));
      if (value != NULL)
        stria_thrift_put_binary (thrift, 2, value, strlen (value));
      stria_thrift_end (thrift);
    }
}

static void
put_footer (StriaParquetWriter *self, GByteArray *footer)
{
  StriaThriftWriter thrift = { .bytes = footer };
  const char *program = "Stria version " VERSION;

  stria_thrift_begin (&thrift, 0);
  stria_thrift_put_i32 (&thrift, 1, 2);
  put_schema (self, &thrift);
  stria_thrift_put_i64 (&thrift, 3, (gint64) self->n_rows);
  put_groups (self, &thrift);
  put_pairs (self, &thrift);
  stria_thrift_put_binary (&thrift, 6, program, strlen (program));
  /* Statistics count in the order of each type: without this, none is believed. */
  stria_thrift_put_list (&thrift, 7, STRIA_THRIFT_STRUCT, self->columns->len);
  for (guint i = 0; i < self->columns->len; i++)
    {
      stria_thrift_begin (&thrift, 0);
      stria_thrift_begin (&thrift, 1);
      stria_thrift_end (&thrift);
      stria_thrift_end (&thrift);
    }
  stria_thrift_end (&thrift);
}

gboolean
stria_parquet_writer_finish (StriaParquetWriter *self, GError **error)
{
  g_autoptr (GByteArray) footer = g_byte_array_new ();
  guint32 length;

  if (!stria_parquet_writer_flush (self, error))
    return FALSE;
  put_footer (self, footer);
  length = GUINT32_TO_LE (footer->len);
  g_byte_array_append (footer, (const guint8 *) &length, 4);
  g_byte_array_append (footer, (const guint8 *) MAGIC, 4);
  if (!write_all (self, footer->data, footer->len, error))
    return FALSE;
  if (self->temporary == NULL)
    return TRUE;
  if (close (self->fd) != 0 || g_rename (self->temporary, self->path) != 0)
    {
      self->fd = -1;
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, _("%s: could not be written: %s"),
                   self->name, g_strerror (errno));
      return FALSE;
    }
  self->fd = -1;
  g_clear_pointer (&self->temporary, g_free);
  return TRUE;
}
