/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdio.h>

#include <glib.h>

G_BEGIN_DECLS

/* A file that appears under its name when it is whole. */
typedef struct
{
  FILE       *file;
  const char *name;      /* for messages */
  const char *path;      /* NULL: standard output */
  char       *temporary; /* NULL: written in place (a pipe, a device) */
} CliTarget;

/* @path: (nullable): standard output; has to live as long as @target */
gboolean cli_target_open  (CliTarget *target, const char *path, GError **error);
/* FALSE with @error if it is not all on disk; @keep FALSE takes it away again */
gboolean cli_target_close (CliTarget *target, gboolean keep, GError **error);

G_END_DECLS
