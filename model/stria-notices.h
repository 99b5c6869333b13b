/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  STRIA_SEVERITY_INFO,
  STRIA_SEVERITY_WARNING,
  STRIA_SEVERITY_ERROR,
} StriaSeverity;

/**
 * StriaNotice:
 * @code: a short stable name such as "event-malformed"; not translated
 * @severity: how much it matters to the picture
 * @file: base name of the artifact, or the empty string
 * @offset: byte offset (in the inflated text) of the first case, or -1
 * @count: how many cases
 * @message: translated sentence about the first case
 *
 * Something that was not as it should be in an artifact and did not stop the import.
 */
typedef struct
{
  char         *code;
  StriaSeverity severity;
  char         *file;
  gint64        offset;
  guint64       count;
  char         *message;
} StriaNotice;

typedef struct _StriaNotices StriaNotices;

StriaNotices *stria_notices_new   (void);
StriaNotices *stria_notices_ref   (StriaNotices *self);
void          stria_notices_unref (StriaNotices *self);

/* Any thread. Cases with the same (code, file) are counted into one notice; the first one's offset
 * and message stay. */
void stria_notices_add   (StriaNotices *self,
                          StriaSeverity severity,
                          const char   *code,
                          const char   *file,
                          gint64        offset,
                          const char   *format,
                          ...) G_GNUC_PRINTF (6, 7);
void stria_notices_count (StriaNotices *self,
                          StriaSeverity severity,
                          const char   *code,
                          const char   *file,
                          gint64        offset,
                          guint64       count,
                          const char   *message);

/* Returns: (transfer full) (element-type StriaNotice): a copy, worst severity first */
GPtrArray *stria_notices_list  (StriaNotices *self);
guint      stria_notices_size  (StriaNotices *self);
/* How many cases of @code there were, over all files. */
guint64    stria_notices_total (StriaNotices *self, const char *code);

StriaNotice *stria_notice_copy (const StriaNotice *notice);
void         stria_notice_free (StriaNotice *notice);

const char *stria_severity_name (StriaSeverity severity);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaNotices, stria_notices_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaNotice, stria_notice_free)

G_END_DECLS
