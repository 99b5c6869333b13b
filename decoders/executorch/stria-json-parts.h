/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define STRIA_JSON_PARTS_MAX_DEPTH 200

/**
 * StriaJsonPartsFunc:
 * @part: number of the path that matched
 * @key: member name or array index of what matched, as text
 * @node: its value; the callee's for the call only
 *
 * Returns: FALSE with @error to stop
 */
typedef gboolean (*StriaJsonPartsFunc) (guint part, const char *key, JsonNode *node,
                                        gpointer user_data, GError **error);

/**
 * StriaJsonParts:
 *
 * Reads a large JSON document from front to back and gives only the parts that were asked for, each as
 * a small tree; the rest is passed over. Takes the bare words NaN, Infinity and -Infinity, as Python
 * writes them, and gives them as texts. Strings may be as long as the document.
 */
typedef struct _StriaJsonParts StriaJsonParts;

/* @paths: (array zero-terminated=1): members from the root with a slash between them, '*' for any
 * one member or element. A part inside of another one is not given by itself. */
StriaJsonParts *stria_json_parts_new    (const char *const *paths, StriaJsonPartsFunc func,
                                         gpointer user_data);
gboolean        stria_json_parts_feed   (StriaJsonParts *self, const guint8 *data, gsize length,
                                         GError **error);
/* The document ends here */
gboolean        stria_json_parts_finish (StriaJsonParts *self, GError **error);
void            stria_json_parts_free   (StriaJsonParts *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaJsonParts, stria_json_parts_free)

G_END_DECLS
