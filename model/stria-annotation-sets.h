/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-annotations.h"

G_BEGIN_DECLS

/* Sets of annotations that are kept by name beside a capture's own ones. All of this is done by a
 * worker, one after the other, and told of on the main thread. */

#define STRIA_ANNOTATION_SETS_MAX_NAME 60

typedef enum
{
  STRIA_ANNOTATION_SETS_LIST,
  STRIA_ANNOTATION_SETS_SAVE,   /* what there is now, over one of that name */
  STRIA_ANNOTATION_SETS_LOAD,   /* in place of what there is now; a step to undo */
  STRIA_ANNOTATION_SETS_REMOVE,
} StriaAnnotationSetsTask;

/* Whether a set can be called that: 1 to %STRIA_ANNOTATION_SETS_MAX_NAME characters without control
 * characters */
gboolean   stria_annotation_sets_is_name (const char *name);
/* @name: (nullable): of the set, NULL for a list */
void       stria_annotation_sets_async   (StriaAnnotations *annotations,
                                          StriaAnnotationSetsTask task, const char *name,
                                          GAsyncReadyCallback callback, gpointer user_data);
/* Returns: (transfer full) (element-type utf8) (nullable): the names there are now, as text sorts
 * them; NULL with @error */
GPtrArray *stria_annotation_sets_finish  (StriaAnnotations *annotations, GAsyncResult *result,
                                          GError **error);

G_END_DECLS
