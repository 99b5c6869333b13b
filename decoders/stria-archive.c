/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-archive.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>
#include <glib/gi18n-lib.h>

#include "stria-error.h"
#include "stria-source.h"

#define ARCHIVE_BLOCK ((gsize) 64 << 10)
#define TAR_BLOCK 512
#define MAX_RETRIES 8

typedef struct
{
  struct archive *archive;
  int fd;
  char *name;
} Reader;

typedef struct
{
  StriaInput base;
  Reader reader;
  guint64 start;
  const guint8 *block; /* what libarchive gave last and was not handed on yet */
  gsize left;
  guint64 at;     /* where @block stands in the member; zeros are missing before it */
  GError *damage; /* what comes once @block is used up */
} MemberInput;

static void
reader_clear (Reader *self)
{
  if (self->archive != NULL)
    archive_read_free (self->archive);
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->name);
  self->archive = NULL;
  self->fd = -1;
  self->name = NULL;
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

/* libarchive converts names to the charset of the locale and gives none where that can't hold them.
 * The thread's locale is UTF-8 while one of these is alive. */
typedef struct
{
  locale_t ours;
  locale_t before;
} Charset;

static Charset
charset_enter (void)
{
  Charset self = { newlocale (LC_CTYPE_MASK, "C.UTF-8", (locale_t) 0), (locale_t) 0 };

  if (self.ours != (locale_t) 0)
    self.before = uselocale (self.ours);
  return self;
}

static void
charset_clear (Charset *self)
{
  if (self->ours == (locale_t) 0)
    return;
  uselocale (self->before);
  freelocale (self->ours);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Charset, charset_clear)

static void
set_archive_error (Reader *self, GError **error)
{
  const char *text = archive_error_string (self->archive);
  g_autofree char *line = g_strchomp (g_strdup (text != NULL ? text : _("unknown damage")));
  g_autofree char *lower = NULL;
  int code = STRIA_ERROR_MALFORMED;

  /* libarchive gives truncation and damage the same number. */
  lower = g_ascii_strdown (line, -1);
  if (strstr (lower, "truncated") != NULL || strstr (lower, "unexpected end") != NULL)
    code = STRIA_ERROR_TRUNCATED;
  else if (strstr (lower, "encrypt") != NULL || strstr (lower, "passphrase") != NULL ||
           strstr (lower, "unsupported") != NULL)
    code = STRIA_ERROR_UNSUPPORTED;
  g_set_error (error, STRIA_ERROR, code, _("%s: the archive can’t be read at byte %" PRIu64 ": %s"),
               self->name, (guint64) MAX (archive_filter_bytes (self->archive, -1), 0), line);
}

/* Only formats and filters that libarchive reads itself: a filter that it has no library for would
 * start a program. */
static void
reader_init (Reader *self, const char *name)
{
  self->fd = -1;
  self->name = g_filename_display_basename (name);
  self->archive = archive_read_new ();
  archive_read_support_filter_gzip (self->archive);
  archive_read_support_filter_zstd (self->archive);
  archive_read_support_filter_xz (self->archive);
  archive_read_support_filter_bzip2 (self->archive);
  archive_read_support_format_tar (self->archive);
  archive_read_support_format_zip (self->archive);
}

static gboolean
reader_open_file (Reader *self, const char *path, GError **error)
{
  struct stat info;

  reader_init (self, path);
  self->fd = stria_input_open_fd (path, &info, error);
  if (self->fd < 0)
    return FALSE;
  /* A descriptor of a regular file is seekable, so a zip is read through its directory. */
  if (archive_read_open_fd (self->archive, self->fd, ARCHIVE_BLOCK) != ARCHIVE_OK)
    {
      set_archive_error (self, error);
      return FALSE;
    }
  return TRUE;
}

/* FALSE at the end, or with an error. */
static gboolean
reader_next (Reader *self, struct archive_entry **entry, GError **error)
{
  for (guint i = 0; i < MAX_RETRIES; i++)
    {
      int status = archive_read_next_header (self->archive, entry);

      if (status == ARCHIVE_OK || status == ARCHIVE_WARN)
        return TRUE;
      if (status == ARCHIVE_EOF)
        return FALSE;
      if (status != ARCHIVE_RETRY)
        break;
    }
  set_archive_error (self, error);
  return FALSE;
}

static gssize
reader_read (Reader *self, guint8 *buffer, gsize length, GError **error)
{
  for (guint i = 0; i < MAX_RETRIES; i++)
    {
      la_ssize_t n = archive_read_data (self->archive, buffer, length);

      if (n >= 0)
        return n;
      if (n != ARCHIVE_RETRY)
        break;
    }
  set_archive_error (self, error);
  return -1;
}

static guint64
reader_disk_bytes (Reader *self)
{
  la_int64_t n = archive_filter_bytes (self->archive, -1);

  return n > 0 ? n : 0;
}

/* libarchive passes over data by seeking where it can (zip, plain tar). In a compressed tar it has
 * to inflate, without end for a bomb and without looking at a cancellable; so that is done here. */
static gboolean
reader_pass (Reader *self, GCancellable *cancellable, GError **error)
{
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (archive_filter_code (self->archive, 0) == ARCHIVE_FILTER_NONE)
    return TRUE;

  for (;;)
    {
      const void *block;
      size_t length;
      la_int64_t offset;
      int status = archive_read_data_block (self->archive, &block, &length, &offset);
      guint64 inflated = MAX (archive_filter_bytes (self->archive, 0), 0);

      if (status == ARCHIVE_EOF)
        return TRUE;
      if (status != ARCHIVE_OK && status != ARCHIVE_WARN && status != ARCHIVE_RETRY)
        {
          set_archive_error (self, error);
          return FALSE;
        }
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (inflated > STRIA_SOURCE_MAX_BYTES ||
          (inflated > STRIA_SOURCE_RATIO_FROM &&
           inflated / STRIA_SOURCE_MAX_RATIO > reader_disk_bytes (self) + ARCHIVE_BLOCK))
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                       _("%s: the archive inflates to more than %d times its size (%" PRIu64
                         " bytes from %" PRIu64 "), which no real profile does; reading stopped"),
                       self->name, STRIA_SOURCE_MAX_RATIO, inflated, reader_disk_bytes (self));
          return FALSE;
        }
    }
}

/* The name by which a member is listed and found again. */
static char *
entry_member (struct archive_entry *entry, guint number)
{
  const char *name = archive_entry_pathname_utf8 (entry);

  if (name == NULL)
    name = archive_entry_pathname (entry);
  if (name == NULL || *name == '\0')
    return g_strdup_printf ("#%u", number);
  return g_strdup (name);
}

static gboolean
entry_is_file (struct archive_entry *entry)
{
  return archive_entry_filetype (entry) == AE_IFREG && archive_entry_hardlink (entry) == NULL &&
         archive_entry_symlink (entry) == NULL;
}

static guint64
entry_size (struct archive_entry *entry)
{
  la_int64_t size = archive_entry_size_is_set (entry) ? archive_entry_size (entry) : 0;

  return size > 0 ? size : 0;
}

static gint64
entry_mtime (struct archive_entry *entry)
{
  gint64 seconds = archive_entry_mtime (entry);

  if (seconds > G_MAXINT64 / G_GINT64_CONSTANT (1000000000) - 1 || seconds < 0)
    return 0;
  return seconds * G_GINT64_CONSTANT (1000000000) + archive_entry_mtime_nsec (entry);
}

static gboolean
list (Reader *reader, gsize head_max, GCancellable *cancellable, StriaArchiveFunc func,
      gpointer user_data, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree guint8 *head = g_malloc (MAX (head_max, 1));
  struct archive_entry *entry;
  guint64 total = 0;
  GError *local = NULL;

  for (guint number = 0; reader_next (reader, &entry, &local); number++)
    {
      g_autofree char *member = NULL;
      g_autofree char *label = NULL;
      StriaArchiveEntry answer = { 0 };
      gboolean damaged = FALSE;

      if (number >= STRIA_ARCHIVE_MAX_ENTRIES)
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                       _("%s: the archive has more than %d members; the others are left out"),
                       reader->name, STRIA_ARCHIVE_MAX_ENTRIES);
          return FALSE;
        }
      member = entry_member (entry, number);
      answer.size = entry_size (entry);
      if (entry_is_file (entry) && !g_hash_table_contains (seen, member))
        {
          total += MIN (answer.size, STRIA_SOURCE_MAX_BYTES);
          if (total > STRIA_SOURCE_MAX_BYTES)
            {
              g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                           _("%s: the archive holds more than %" PRIu64
                             " GiB; the members from “%s” on are left out"),
                           reader->name, STRIA_SOURCE_MAX_BYTES >> 30, member);
              return FALSE;
            }
          label = stria_archive_label (member);
          answer.member = member;
          answer.label = label;
          answer.mtime_ns = entry_mtime (entry);
          answer.encrypted = archive_entry_is_encrypted (entry) != 0;
          answer.head = head;
          while (!answer.encrypted && answer.head_length < head_max)
            {
              gssize n = reader_read (reader, head + answer.head_length,
                                      head_max - answer.head_length, &local);

              if (n < 0)
                damaged = TRUE;
              if (n <= 0)
                break;
              answer.head_length += n;
            }
          answer.whole = !damaged && !answer.encrypted && answer.head_length < head_max;
          if (!func (&answer, user_data))
            {
              g_clear_error (&local);
              return TRUE;
            }
          g_hash_table_add (seen, g_steal_pointer (&member));
          /* One bad member need not be the last one: in a zip the next stands elsewhere. */
          if (damaged && archive_format (reader->archive) == ARCHIVE_FORMAT_ZIP)
            g_clear_error (&local);
          else if (damaged)
            break;
          if (damaged)
            continue;
        }
      if (!reader_pass (reader, cancellable, &local))
        break;
    }

  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

/* archive_read_data() would forget what it had copied when an error follows; block by block, all
 * bytes before the damage are handed on. */
static gssize
member_read (StriaInput *input, guint8 *buffer, gsize length, GError **error)
{
  MemberInput *self = (MemberInput *) input;
  guint retries = 0;
  gsize n;

  while (self->left == 0)
    {
      const void *block = NULL;
      size_t size = 0;
      la_int64_t offset = 0;
      int status;

      if (self->damage != NULL)
        {
          g_propagate_error (error, g_error_copy (self->damage));
          return -1;
        }
      status = archive_read_data_block (self->reader.archive, &block, &size, &offset);
      if (status == ARCHIVE_EOF)
        {
          /* A sparse member may end in a hole. */
          self->at = input->size;
          break;
        }
      if (status == ARCHIVE_RETRY && retries++ < MAX_RETRIES)
        continue;
      if ((status != ARCHIVE_OK && status != ARCHIVE_WARN) || offset < 0 ||
          (guint64) offset < input->consumed)
        {
          set_archive_error (&self->reader, error);
          return -1;
        }
      /* A wrong checksum is but a warning to libarchive. */
      if (status == ARCHIVE_WARN)
        set_archive_error (&self->reader, &self->damage);
      self->block = block;
      self->left = size;
      self->at = offset;
    }

  if (input->consumed < self->at)
    {
      n = MIN (length, self->at - input->consumed);
      memset (buffer, 0, n);
    }
  else
    {
      n = MIN (length, self->left);
      if (n > 0)
        {
          memcpy (buffer, self->block, n);
          self->block += n;
        }
      self->left -= n;
      self->at += n;
    }
  input->consumed += n;
  return n;
}

static guint64
member_cost (StriaInput *input)
{
  MemberInput *self = (MemberInput *) input;
  guint64 now = reader_disk_bytes (&self->reader);

  /* What libarchive holds of the block it read last was read for this member too. */
  return (now > self->start ? now - self->start : 0) + ARCHIVE_BLOCK;
}

static void
member_free (StriaInput *input)
{
  MemberInput *self = (MemberInput *) input;

  reader_clear (&self->reader);
  g_clear_error (&self->damage);
  g_free (input->name);
  g_free (self);
}

/**
 * stria_input_new_member:
 * @path: an archive
 * @member: a name that stria_archive_list() gave
 * @cancellable: (nullable): looked at while the member is searched for
 *
 * In a zip the member is found through the directory at its end. A tar has none: each member is
 * reached by reading past those before it, which for a compressed tar of n large members inflates
 * it n/2 times over when all are opened. That is accepted, since nothing may be extracted to disk
 * and a tar of many large traces is rare.
 *
 * Returns: (transfer full): the bytes of the member as stored, or NULL
 */
StriaInput *
stria_input_new_member (const char *path, const char *member, GCancellable *cancellable,
                        GError **error)
{
  g_auto (Charset) charset G_GNUC_UNUSED = charset_enter ();
  g_auto (Reader) reader = { NULL, -1, NULL };
  struct archive_entry *entry;
  GError *local = NULL;

  if (!reader_open_file (&reader, path, error))
    return NULL;

  for (guint number = 0;
       number < STRIA_ARCHIVE_MAX_ENTRIES && reader_next (&reader, &entry, &local); number++)
    {
      g_autofree char *name = entry_member (entry, number);

      if (entry_is_file (entry) && strcmp (name, member) == 0)
        {
          g_autofree char *label = stria_archive_label (member);
          MemberInput *self;

          if (archive_entry_is_encrypted (entry))
            {
              g_set_error (error, STRIA_ERROR, STRIA_ERROR_UNSUPPORTED,
                           _("%s: the member “%s” is encrypted; extract it with its password and "
                             "open the file"),
                           reader.name, label);
              return NULL;
            }
          if (archive_entry_size_is_set (entry) && archive_entry_size (entry) == 0)
            {
              g_set_error (error, STRIA_ERROR, STRIA_ERROR_EMPTY,
                           _("%s: the member “%s” is empty (0 bytes)"), reader.name, label);
              return NULL;
            }
          self = g_new0 (MemberInput, 1);
          self->base.read = member_read;
          self->base.cost = member_cost;
          self->base.free = member_free;
          self->base.name = g_path_get_basename (label);
          self->base.size = entry_size (entry);
          self->start = reader_disk_bytes (&reader);
          self->reader = reader;
          reader = (Reader) { NULL, -1, NULL };
          return &self->base;
        }
      if (!reader_pass (&reader, cancellable, &local))
        break;
    }

  if (local != NULL)
    g_propagate_error (error, local);
  else
    {
      g_autofree char *label = stria_archive_label (member);

      g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                   _("%s: the archive has no member “%s”"), reader.name, label);
    }
  return NULL;
}

static gboolean
tar_checksum_holds (const guint8 *block)
{
  guint64 stated = 0;
  guint sum = 0;
  guint digits = 0;

  /* POSIX ustar: checksum at 148, 8 bytes of octal digits, counted as blanks in the sum */
  for (guint i = 148; i < 156; i++)
    {
      if (block[i] >= '0' && block[i] <= '7')
        {
          stated = stated * 8 + (block[i] - '0');
          digits++;
        }
      else if (digits > 0)
        break;
      else if (block[i] != ' ')
        return FALSE;
    }
  for (guint i = 0; i < TAR_BLOCK; i++)
    sum += i >= 148 && i < 156 ? ' ' : block[i];
  return digits > 0 && block[0] != 0 && stated == sum;
}

StriaArchiveKind
stria_archive_probe (const guint8 *raw, gsize raw_length, const guint8 *head, gsize length)
{
  if (raw_length >= 4 && raw[0] == 'P' && raw[1] == 'K' &&
      ((raw[2] == 3 && raw[3] == 4) || (raw[2] == 5 && raw[3] == 6)))
    return STRIA_ARCHIVE_ZIP;
  if (length >= TAR_BLOCK && tar_checksum_holds (head))
    return STRIA_ARCHIVE_TAR;
  if (raw_length >= 6 && (memcmp (raw, "\xfd" "7zXZ", 6) == 0 || memcmp (raw, "BZh", 3) == 0))
    return STRIA_ARCHIVE_PACKED;
  return STRIA_ARCHIVE_NONE;
}

gboolean
stria_archive_is_named (const char *name)
{
  static const char *const ends[] = { ".zip",     ".tar",  ".tar.gz",  ".tgz",  ".tar.zst",
                                      ".tzst",    ".tar.xz", ".txz",   ".tar.bz2", ".tbz2" };
  g_autofree char *lower = g_ascii_strdown (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (g_str_has_suffix (lower, ends[i]))
      return TRUE;
  return FALSE;
}

gboolean
stria_archive_list (const char *path, gsize head_max, GCancellable *cancellable,
                    StriaArchiveFunc func, gpointer user_data, GError **error)
{
  g_auto (Charset) charset G_GNUC_UNUSED = charset_enter ();
  g_auto (Reader) reader = { NULL, -1, NULL };

  if (!reader_open_file (&reader, path, error))
    return FALSE;
  return list (&reader, head_max, cancellable, func, user_data, error);
}

gboolean
stria_archive_list_bytes (const char *name, GBytes *bytes, gsize head_max, StriaArchiveFunc func,
                          gpointer user_data, GError **error)
{
  g_auto (Charset) charset G_GNUC_UNUSED = charset_enter ();
  g_auto (Reader) reader = { NULL, -1, NULL };
  gsize length;
  const void *data = g_bytes_get_data (bytes, &length);

  reader_init (&reader, name);
  if (archive_read_open_memory (reader.archive, data != NULL ? data : "", length) != ARCHIVE_OK)
    {
      set_archive_error (&reader, error);
      return FALSE;
    }
  return list (&reader, head_max, NULL, func, user_data, error);
}

char *
stria_archive_label (const char *member)
{
  g_autofree char *valid = g_utf8_make_valid (member, -1);
  g_auto (GStrv) parts = NULL;
  GString *label = g_string_new (NULL);

  g_strdelimit (valid, "\\", '/');
  parts = g_strsplit (valid, "/", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (*parts[i] == '\0' || strcmp (parts[i], ".") == 0 || strcmp (parts[i], "..") == 0)
        continue;
      if (label->len > 0)
        g_string_append_c (label, '/');
      for (const char *p = parts[i]; *p != '\0'; p = g_utf8_next_char (p))
        {
          gunichar c = g_utf8_get_char (p);

          /* Bidirectional marks would let a name show another ending than it has. */
          if (g_unichar_iscntrl (c) || g_unichar_type (c) == G_UNICODE_FORMAT)
            c = 0xfffd;
          g_string_append_unichar (label, c);
        }
    }
  if (label->len == 0)
    g_string_append (label, "?");
  return g_string_free (label, FALSE);
}
