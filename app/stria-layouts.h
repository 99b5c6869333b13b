/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

#include "stria-arrangement.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-layouts
 *
 * Layouts by name: the ones that are always there, and those that a person saved, in
 * $XDG_CONFIG_HOME/stria/layouts.ini. The file is read once, and written after changes, by a worker,
 * which tells of failures. What is not a layout in it is skipped.
 */

/* Longest name, in characters */
#define STRIA_LAYOUTS_MOST_NAME 100

/* A layout that is always there.
 * @id: stable short name
 * @title: to translate
 * @tab: (nullable): view that the tabs show
 * @panes: words; views that a capture must have */
typedef struct
{
  const char *id;
  const char *title;
  const char *tab;
  const char *panes[8];
} StriaBuiltInLayout;

/* Returns: (transfer none) (array length=n) */
const StriaBuiltInLayout *stria_layouts_built_in (guint *n);
/* Returns: (transfer none) (nullable) */
const StriaBuiltInLayout *stria_layouts_find_built_in (const char *id);

/* Begins to read the file; until that is done there are none. */
void          stria_layouts_load   (void);
/* Names, sorted. Returns: (transfer full) (array zero-terminated=1) */
char        **stria_layouts_list   (void);
/* Returns: (transfer full) (nullable) */
StriaLayout  *stria_layouts_get    (const char *name);
/* Whether a layout may have this name */
gboolean      stria_layouts_is_name (const char *name);
/* Replaces what has the name. @layout: (nullable): NULL removes it */
gboolean      stria_layouts_set    (const char *name, StriaLayout *layout, GError **error);
/* Fails if there is no @from, or another @to */
gboolean      stria_layouts_rename (const char *from, const char *to, GError **error);

G_END_DECLS
