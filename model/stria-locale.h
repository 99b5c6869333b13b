/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What names of languages are made of */
#define STRIA_LOCALE_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_@"

void  stria_locale_init     (void);
char *stria_locale_language (void);

G_END_DECLS
