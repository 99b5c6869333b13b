/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"

G_BEGIN_DECLS

/**
 * StriaFinding:
 * @group: group of the capture's tree that it is about
 * @parent: number of the finding that it is a part of; %G_MAXUINT: none
 * @icon: name of an icon
 * @title: what was found
 * @facts: (nullable): figures
 * @remedy: (nullable): what brings what is missing
 * @tooltip: what the figures were made from
 *
 * Something about a group that only its rows tell: how good its data is, and whether an export and the
 * raw file that it was made from agree. Ready to be shown.
 */
typedef struct
{
  guint       group;
  guint       parent;
  const char *icon;
  char       *title;
  char       *facts;
  char       *remedy;
  char       *tooltip;
} StriaFinding;

/* Reads tables on a worker. @callback runs on the main context. */
void       stria_profiles_find        (StriaCapture *capture, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer user_data);
/* Returns: (transfer full) (nullable) (element-type StriaFinding): NULL when it was cancelled */
GPtrArray *stria_profiles_find_finish (GAsyncResult *result);

G_END_DECLS
