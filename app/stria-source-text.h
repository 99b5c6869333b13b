/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Larger files are not read: what a person reads as source is far smaller. */
#define STRIA_SOURCE_TEXT_MAX_BYTES (32 * 1024 * 1024)

/**
 * StriaSourceText:
 * @text: valid UTF-8 without NUL
 * @is_lossy: bytes that are no UTF-8 were replaced
 * @n_cut: lines that were too long to be shown whole
 *
 * A file as it can be shown.
 */
typedef struct
{
  char    *text;
  gsize    length;
  guint    n_lines;
  guint    n_cut;
  gboolean is_lossy;
} StriaSourceText;

StriaSourceText *stria_source_text_read        (const char *path, GCancellable *cancellable,
                                                GError **error);
StriaSourceText *stria_source_text_read_member (const char *archive, const char *member,
                                                const char *path, GCancellable *cancellable,
                                                GError **error);
void             stria_source_text_free        (StriaSourceText *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaSourceText, stria_source_text_free)

G_END_DECLS
