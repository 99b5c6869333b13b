/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * StriaStrings:
 *
 * Each distinct text once, named by a dense 32-bit id. Id 0 is the empty string. Texts are UTF-8,
 * NUL-terminated, never moved and never freed before the table is.
 *
 * One thread interns at a time (callers lock); any thread may read ids it was given.
 */
typedef struct _StriaStrings StriaStrings;

StriaStrings *stria_strings_new    (void);
StriaStrings *stria_strings_ref    (StriaStrings *self);
void          stria_strings_unref  (StriaStrings *self);
guint32       stria_strings_intern (StriaStrings *self, const char *text, gsize length);
/* Returns: the id, or G_MAXUINT32 if the text is not in the table */
guint32       stria_strings_find   (StriaStrings *self, const char *text, gsize length);
const char   *stria_strings_get    (StriaStrings *self, guint32 id);
gsize         stria_strings_length (StriaStrings *self, guint32 id);
guint32       stria_strings_size   (StriaStrings *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaStrings, stria_strings_unref)

G_END_DECLS
