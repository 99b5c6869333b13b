/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Small JSON files of our own, which may as well be a stranger's: for their readers and writers */

/* @format: what the root's "format" has to be. Returns: (transfer full) (nullable): a parser whose
 * root is an object of that format; NULL with @error */
JsonParser *stria_json_file_parse (const char *text, gsize length, const char *path,
                                   const char *format, GError **error);
/* Returns: (transfer none) (nullable): a list of the root; NULL with @error */
JsonArray  *stria_json_file_list  (JsonParser *parser, const char *name, const char *path,
                                   GError **error);
/* FALSE: there is no whole number of that name */
gboolean    stria_json_get_int    (JsonObject *object, const char *key, gint64 *value);
/* Returns: (transfer none): "" if there is no text of that name */
const char *stria_json_get_text   (JsonObject *object, const char *key);
/* Adds "key": "text" to what is written */
void        stria_json_append_member (GString *json, const char *key, const char *text);

G_END_DECLS
