/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A new folder, filled by tests/fixtures/make-sources.py. Returns: (transfer full) */
char *source_fixtures_make   (void);
/* Deletes the folder and what is in it; follows no link. */
void  source_fixtures_remove (const char *folder);

G_END_DECLS
