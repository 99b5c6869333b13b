/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-notices.h"

/* A message can quote what a file holds, and a file can hold a name of any length. */
#define MAX_MESSAGE_BYTES 2048

struct _StriaNotices
{
  gatomicrefcount ref_count;
  GMutex          lock;
  GPtrArray      *notices; /* owned, in the order of their first case */
  GHashTable     *by_case; /* the same notices, as keys */
};

static guint
notice_hash (gconstpointer data)
{
  const StriaNotice *notice = data;

  return g_str_hash (notice->code) * 31 + g_str_hash (notice->file);
}

static gboolean
notice_equal (gconstpointer a, gconstpointer b)
{
  const StriaNotice *x = a;
  const StriaNotice *y = b;

  return g_str_equal (x->code, y->code) && g_str_equal (x->file, y->file);
}

static char *
tame_message (const char *message)
{
  gsize length = strlen (message);

  if (length <= MAX_MESSAGE_BYTES)
    return g_utf8_make_valid (message, (gssize) length);

  g_autofree char *valid = g_utf8_make_valid (message, MAX_MESSAGE_BYTES);

  return g_strconcat (valid, "…", NULL);
}

/**
 * stria_notices_new:
 *
 * Returns: (transfer full): an empty list, which any thread may add to
 */
StriaNotices *
stria_notices_new (void)
{
  StriaNotices *self = g_new0 (StriaNotices, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->lock);
  self->notices = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_notice_free);
  self->by_case = g_hash_table_new (notice_hash, notice_equal);
  return self;
}

StriaNotices *
stria_notices_ref (StriaNotices *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
stria_notices_unref (StriaNotices *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_hash_table_unref (self->by_case);
  g_ptr_array_unref (self->notices);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* Returns: (nullable): the notice that took the cases, or NULL if there is none yet */
static StriaNotice *
count_known (StriaNotices *self,
             StriaSeverity severity,
             const char   *code,
             const char   *file,
             guint64       count)
{
  StriaNotice  key = { .code = (char *) code, .file = (char *) file };
  StriaNotice *known = g_hash_table_lookup (self->by_case, &key);

  if (known != NULL)
    {
      known->count += count;
      known->severity = MAX (known->severity, severity);
    }
  return known;
}

/**
 * stria_notices_count:
 * @severity: a later case can only raise the severity of the notice
 * @code: stable short name
 * @file: (nullable): base name of the artifact
 * @offset: byte offset of the first of the cases, or -1
 * @count: how many cases; 0 adds nothing
 * @message: translated sentence about the first case
 *
 * Adds @count cases at once, for those who count on their own. Any thread.
 */
void
stria_notices_count (StriaNotices *self,
                     StriaSeverity severity,
                     const char   *code,
                     const char   *file,
                     gint64        offset,
                     guint64       count,
                     const char   *message)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (code != NULL);
  g_return_if_fail (message != NULL);

  if (count == 0)
    return;
  if (file == NULL)
    file = "";

  g_mutex_lock (&self->lock);
  if (count_known (self, severity, code, file, count) == NULL)
    {
      StriaNotice *notice = g_new0 (StriaNotice, 1);

      notice->code = g_strdup (code);
      notice->severity = severity;
      notice->file = g_strdup (file);
      notice->offset = offset;
      notice->count = count;
      notice->message = tame_message (message);
      g_ptr_array_add (self->notices, notice);
      g_hash_table_add (self->by_case, notice);
    }
  g_mutex_unlock (&self->lock);
}

/**
 * stria_notices_add:
 * @severity: a later case can only raise the severity of the notice
 * @code: stable short name
 * @file: (nullable): base name of the artifact
 * @offset: byte offset of the case, or -1
 * @format: printf() format of a translated sentence; used for the first case only
 *
 * Adds one case. Cheap when the notice is there already, so a decoder may call it for each of a
 * million bad events. Any thread.
 */
void
stria_notices_add (StriaNotices *self,
                   StriaSeverity severity,
                   const char   *code,
                   const char   *file,
                   gint64        offset,
                   const char   *format,
                   ...)
{
  StriaNotice *known;

  g_return_if_fail (self != NULL);
  g_return_if_fail (code != NULL);
  g_return_if_fail (format != NULL);

  g_mutex_lock (&self->lock);
  known = count_known (self, severity, code, file == NULL ? "" : file, 1);
  g_mutex_unlock (&self->lock);

  if (known == NULL)
    {
      g_autofree char *message = NULL;
      va_list          args;

      va_start (args, format);
      message = g_strdup_vprintf (format, args);
      va_end (args);
      stria_notices_count (self, severity, code, file, offset, 1, message);
    }
}

/**
 * stria_notices_list:
 *
 * Returns: (transfer full) (element-type StriaNotice): a copy, worst severity first and in order of
 *   appearance within it
 */
GPtrArray *
stria_notices_list (StriaNotices *self)
{
  GPtrArray *list;

  g_return_val_if_fail (self != NULL, NULL);

  list = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_notice_free);

  g_mutex_lock (&self->lock);
  for (int severity = STRIA_SEVERITY_ERROR; severity >= STRIA_SEVERITY_INFO; severity--)
    {
      for (guint i = 0; i < self->notices->len; i++)
        {
          const StriaNotice *notice = g_ptr_array_index (self->notices, i);

          if ((int) notice->severity == severity)
            g_ptr_array_add (list, stria_notice_copy (notice));
        }
    }
  g_mutex_unlock (&self->lock);

  return list;
}

/**
 * stria_notices_size:
 *
 * Returns: number of notices (not of cases)
 */
guint
stria_notices_size (StriaNotices *self)
{
  guint size;

  g_return_val_if_fail (self != NULL, 0);

  g_mutex_lock (&self->lock);
  size = self->notices->len;
  g_mutex_unlock (&self->lock);
  return size;
}

/**
 * stria_notices_total:
 *
 * Returns: how many cases of @code there were, over all files
 */
guint64
stria_notices_total (StriaNotices *self, const char *code)
{
  guint64 total = 0;

  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail (code != NULL, 0);

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->notices->len; i++)
    {
      const StriaNotice *notice = g_ptr_array_index (self->notices, i);

      if (g_str_equal (notice->code, code))
        total += notice->count;
    }
  g_mutex_unlock (&self->lock);
  return total;
}

StriaNotice *
stria_notice_copy (const StriaNotice *notice)
{
  StriaNotice *copy;

  g_return_val_if_fail (notice != NULL, NULL);

  copy = g_new (StriaNotice, 1);
  *copy = *notice;
  copy->code = g_strdup (notice->code);
  copy->file = g_strdup (notice->file);
  copy->message = g_strdup (notice->message);
  return copy;
}

void
stria_notice_free (StriaNotice *notice)
{
  if (notice == NULL)
    return;

  g_free (notice->code);
  g_free (notice->file);
  g_free (notice->message);
  g_free (notice);
}

/**
 * stria_severity_name:
 *
 * Returns: (transfer none): the stable, untranslated name of @severity for machines
 */
const char *
stria_severity_name (StriaSeverity severity)
{
  switch (severity)
    {
    case STRIA_SEVERITY_INFO:
      return "info";
    case STRIA_SEVERITY_WARNING:
      return "warning";
    case STRIA_SEVERITY_ERROR:
    default:
      return "error";
    }
}
