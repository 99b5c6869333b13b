/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How profilers write lines of source. */

/* Whether something can be looked for under this name: "??" and "<string>" are no files */
gboolean stria_source_is_file     (const char *path);
/* Takes names of Python functions apart, as profilers write them: "dir/file.py(12): function".
 * @function: (out) (nullable): points into @name. FALSE if it is none */
gboolean stria_source_parse_name  (const char *name, char **path, guint *line,
                                   const char **function);
/* The same for events of a system profile, which may be called "dir/file.py(12)" alone: @function is
 * then "" */
gboolean stria_source_parse_event (const char *name, char **path, guint *line,
                                   const char **function);
/* Takes a place apart that is written as "path:line". FALSE: it is no such text */
gboolean stria_source_parse_place (const char *text, char **path, guint *line);

G_END_DECLS
