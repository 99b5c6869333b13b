/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-unpack.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "stria-error.h"
#include "stria-source.h"

#define INPUT_BUFFER ((gsize) 256 << 10)
/* 128 MiB of history, what `zstd --long` writes; more must be asked for by people who write it,
 * and here a header could ask for all memory. */
#define ZSTD_WINDOW_LOG 27

typedef enum
{
  FORMAT_PLAIN,
  FORMAT_GZIP,
  FORMAT_ZSTD,
} Format;

struct _StriaUnpack
{
  StriaInput *input;
  Format format;
  guint8 *buffer;
  gsize capacity;
  gsize begin; /* what is buffered and not used yet: [begin, end) */
  gsize end;
  gboolean input_ended;
  gboolean at_border; /* the next byte begins a member, or padding */
  gboolean ended;
  guint64 members;
  guint64 out;
  guint64 trailing;
  GError *error;
  gint stop;
  z_stream z;
  gboolean z_ready;
  ZSTD_DStream *zstd;
};

/* Buffers at least @n bytes. FALSE with no error at the end of the input. */
static gboolean
fill (StriaUnpack *self, gsize n, GError **error)
{
  while (self->end - self->begin < n)
    {
      gssize got;

      if (g_atomic_int_get (&self->stop))
        {
          g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("Reading was stopped"));
          return FALSE;
        }
      if (self->input_ended)
        return FALSE;
      if (self->begin > 0)
        {
          memmove (self->buffer, self->buffer + self->begin, self->end - self->begin);
          self->end -= self->begin;
          self->begin = 0;
        }
      got = self->input->read (self->input, self->buffer + self->end, self->capacity - self->end,
                               error);
      if (got < 0)
        return FALSE;
      if (got == 0)
        self->input_ended = TRUE;
      self->end += got;
    }
  return TRUE;
}

static gboolean
is_gzip (const guint8 *data, gsize length)
{
  /* RFC 1952 2.3: identification, method 8, no reserved flag */
  return length >= 4 && data[0] == 0x1f && data[1] == 0x8b && data[2] == 8 && (data[3] & 0xe0) == 0;
}

static gboolean
is_zstd (const guint8 *data, gsize length)
{
  guint32 magic;

  if (length < 4)
    return FALSE;
  magic = data[0] | (guint32) data[1] << 8 | (guint32) data[2] << 16 | (guint32) data[3] << 24;
  return magic == ZSTD_MAGICNUMBER ||
         (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

static void
truncated (StriaUnpack *self, GError **error)
{
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_TRUNCATED,
               self->format == FORMAT_GZIP
                 ? _("%s: the gzip stream ends early, at byte %" PRIu64
                     "; what comes before it (%" PRIu64 " bytes inflated) was read")
                 : _("%s: the zstd stream ends early, at byte %" PRIu64
                     "; what comes before it (%" PRIu64 " bytes inflated) was read"),
               self->input->name, stria_unpack_get_position (self), self->out);
}

/* Passes what lies between members. FALSE at the end of all members, or with an error. */
static gboolean
next_member (StriaUnpack *self, GError **error)
{
  guint64 padding = 0;
  GError *local = NULL;

  for (;;)
    {
      if (!fill (self, 1, &local))
        break;
      if (self->members == 0 || self->buffer[self->begin] != 0)
        {
          /* A member that is cut within its first bytes is a member; junk is not. */
          const guint8 *data;
          gsize length;

          fill (self, 4, &local);
          if (local != NULL)
            break;
          data = self->buffer + self->begin;
          length = self->end - self->begin;
          if (self->format == FORMAT_GZIP ? is_gzip (data, length) ||
                                              (length < 4 && data[0] == 0x1f &&
                                               (length < 2 || data[1] == 0x8b))
                                          : is_zstd (data, length))
            {
              self->at_border = FALSE;
              return TRUE;
            }
          padding += length;
          self->begin = self->end;
          while (fill (self, 1, &local))
            {
              padding += self->end - self->begin;
              self->begin = self->end;
            }
          break;
        }
      while (self->begin < self->end && self->buffer[self->begin] == 0)
        {
          self->begin++;
          padding++;
        }
    }
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  self->trailing = padding;
  self->ended = TRUE;
  return FALSE;
}

static gssize
read_plain (StriaUnpack *self, guint8 *buffer, gsize length, GError **error)
{
  gsize n = MIN (length, self->end - self->begin);

  if (n > 0)
    {
      memcpy (buffer, self->buffer + self->begin, n);
      self->begin += n;
      return n;
    }
  if (self->input_ended)
    {
      self->ended = TRUE;
      return 0;
    }
  if (g_atomic_int_get (&self->stop))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("Reading was stopped"));
      return -1;
    }
  n = self->input->read (self->input, buffer, length, error);
  if (n == 0)
    self->ended = self->input_ended = TRUE;
  return n;
}

static gssize
read_gzip (StriaUnpack *self, guint8 *buffer, gsize length, GError **error)
{
  GError *local = NULL;
  gsize had;
  int status;

  if (!fill (self, 1, &local) && local != NULL)
    {
      g_propagate_error (error, local);
      return -1;
    }
  had = self->end - self->begin;
  self->z.next_in = self->buffer + self->begin;
  self->z.avail_in = had;
  self->z.next_out = buffer;
  self->z.avail_out = MIN (length, G_MAXINT);
  status = inflate (&self->z, Z_NO_FLUSH);
  self->begin = self->end - self->z.avail_in;

  switch (status)
    {
    case Z_STREAM_END:
      self->members++;
      self->at_border = TRUE;
      inflateReset (&self->z);
      break;
    case Z_OK:
    case Z_BUF_ERROR:
      if (self->z.next_out == buffer && had == self->z.avail_in && self->input_ended)
        {
          truncated (self, error);
          return -1;
        }
      break;
    case Z_MEM_ERROR:
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT, _("%s: not enough memory to inflate it"),
                   self->input->name);
      return -1;
    default:
      /* The bytes before the damage are handed out first; the error waits for the next call. */
      g_set_error (&self->error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                   _("%s: the gzip stream is damaged near byte %" PRIu64 ": %s"),
                   self->input->name, stria_unpack_get_position (self),
                   self->z.msg != NULL ? self->z.msg : zError (status));
      break;
    }
  return self->z.next_out - buffer;
}

static gssize
read_zstd (StriaUnpack *self, guint8 *buffer, gsize length, GError **error)
{
  GError *local = NULL;
  ZSTD_inBuffer in;
  ZSTD_outBuffer out = { buffer, length, 0 };
  gsize status;

  if (!fill (self, 1, &local) && local != NULL)
    {
      g_propagate_error (error, local);
      return -1;
    }
  in.src = self->buffer + self->begin;
  in.size = self->end - self->begin;
  in.pos = 0;
  status = ZSTD_decompressStream (self->zstd, &out, &in);
  self->begin += in.pos;

  if (ZSTD_isError (status))
    {
      gboolean window = ZSTD_getErrorCode (status) == ZSTD_error_frameParameter_windowTooLarge;

      g_set_error (&self->error, STRIA_ERROR, window ? STRIA_ERROR_LIMIT : STRIA_ERROR_MALFORMED,
                   _("%s: the zstd stream is damaged near byte %" PRIu64 ": %s"),
                   self->input->name, stria_unpack_get_position (self),
                   ZSTD_getErrorName (status));
    }
  else if (status == 0)
    {
      self->members++;
      self->at_border = TRUE;
    }
  else if (out.pos == 0 && in.pos == 0 && self->input_ended && self->begin == self->end)
    {
      truncated (self, error);
      return -1;
    }
  return out.pos;
}

static gboolean
within_caps (StriaUnpack *self, GError **error)
{
  guint64 cost;

  if (self->out > STRIA_SOURCE_MAX_BYTES)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                   _("%s: holds more than %" PRIu64 " GiB, the most that is read from one file"),
                   self->input->name, STRIA_SOURCE_MAX_BYTES >> 30);
      return FALSE;
    }
  if (self->out <= STRIA_SOURCE_RATIO_FROM)
    return TRUE;
  cost = self->input->cost != NULL ? self->input->cost (self->input) : self->input->consumed;
  if (self->out / STRIA_SOURCE_MAX_RATIO > cost)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                   _("%s: inflates to more than %d times its size (%" PRIu64 " bytes from %" PRIu64
                     "), which no real profile does; reading stopped"),
                   self->input->name, STRIA_SOURCE_MAX_RATIO, self->out, cost);
      return FALSE;
    }
  return TRUE;
}

gboolean
stria_unpack_is_packed (const guint8 *data, gsize length)
{
  return is_gzip (data, length) || is_zstd (data, length);
}

/**
 * stria_unpack_new:
 * @input: (transfer full): raw bytes
 * @error: whatever reading the first bytes brings
 *
 * Returns: (transfer full): a reader of what @input holds, or NULL (@input is freed either way)
 */
StriaUnpack *
stria_unpack_new (StriaInput *input, GError **error)
{
  g_autoptr (StriaUnpack) self = g_new0 (StriaUnpack, 1);
  GError *local = NULL;
  gsize length;

  self->input = input;
  self->capacity = input->size > 0 ? CLAMP (input->size, STRIA_INPUT_ALIGN, INPUT_BUFFER)
                                   : INPUT_BUFFER;
  self->buffer = g_aligned_alloc (1, self->capacity, STRIA_INPUT_ALIGN);
  if (!fill (self, 4, &local) && local != NULL)
    {
      g_propagate_error (error, local);
      return NULL;
    }
  length = self->end - self->begin;
  if (is_gzip (self->buffer, length))
    {
      self->format = FORMAT_GZIP;
      self->at_border = TRUE;
      if (inflateInit2 (&self->z, MAX_WBITS + 16) != Z_OK)
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, _("%s: zlib could not be set up"),
                       input->name);
          return NULL;
        }
      self->z_ready = TRUE;
    }
  else if (is_zstd (self->buffer, length))
    {
      self->format = FORMAT_ZSTD;
      self->at_border = TRUE;
      self->zstd = ZSTD_createDStream ();
      if (self->zstd == NULL)
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, _("%s: zstd could not be set up"),
                       input->name);
          return NULL;
        }
      ZSTD_DCtx_setParameter (self->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG);
    }
  return g_steal_pointer (&self);
}

void
stria_unpack_free (StriaUnpack *self)
{
  if (self == NULL)
    return;
  if (self->z_ready)
    inflateEnd (&self->z);
  ZSTD_freeDStream (self->zstd);
  stria_input_free (self->input);
  g_clear_error (&self->error);
  g_aligned_free (self->buffer);
  g_free (self);
}

gssize
stria_unpack_read (StriaUnpack *self, guint8 *buffer, gsize length, GError **error)
{
  gsize got = 0;

  while (got < length && !self->ended && self->error == NULL)
    {
      GError *local = NULL;
      gssize n;

      if (self->at_border && !next_member (self, &local))
        {
          self->error = local;
          break;
        }
      switch (self->format)
        {
        case FORMAT_GZIP:
          n = read_gzip (self, buffer + got, length - got, &local);
          break;
        case FORMAT_ZSTD:
          n = read_zstd (self, buffer + got, length - got, &local);
          break;
        case FORMAT_PLAIN:
        default:
          n = read_plain (self, buffer + got, length - got, &local);
          break;
        }
      if (n < 0)
        {
          self->error = local;
          break;
        }
      got += n;
      self->out += n;
      if (self->error == NULL)
        within_caps (self, &self->error);
    }

  if (got > 0 || self->error == NULL)
    return got;
  g_propagate_error (error, g_error_copy (self->error));
  return -1;
}

void
stria_unpack_stop (StriaUnpack *self)
{
  g_atomic_int_set (&self->stop, TRUE);
}

StriaInput *
stria_unpack_get_input (StriaUnpack *self)
{
  return self->input;
}

gboolean
stria_unpack_is_compressed (StriaUnpack *self)
{
  return self->format != FORMAT_PLAIN;
}

guint64
stria_unpack_get_position (StriaUnpack *self)
{
  return self->input->consumed - (self->end - self->begin);
}

guint64
stria_unpack_get_trailing (StriaUnpack *self)
{
  return self->trailing;
}
