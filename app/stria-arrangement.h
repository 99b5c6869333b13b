/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Stands for the pane of the tabs among the words of a layout */
#define STRIA_LAYOUT_TABS "tabs"

/**
 * StriaLayout:
 * @panes: (array zero-terminated=1): as stria_pane_tree_save() has them, panes named by the views in
 *   them; empty: everything is in the tabs
 * @tab: (nullable): view that the tabs show
 * @sidebar: whether the list of artifacts is shown
 * @sidebar_width: in pixels, 0: as it is
 * @details: whether the details are shown
 * @details_below: below the timeline, not at its right
 * @details_width: in pixels, 0: as it is
 * @bottom: (nullable): page that is open in the bottom panel
 * @bottom_height: in pixels, 0: as it is
 *
 * Which views and panels a window shows, and where. What is read from a file is in these limits, and
 * otherwise need not make sense: who applies it leaves out what there is not.
 */
typedef struct
{
  char   **panes;
  char    *tab;
  gboolean sidebar;
  int      sidebar_width;
  gboolean details;
  gboolean details_below;
  int      details_width;
  char    *bottom;
  int      bottom_height;
} StriaLayout;

/* Everything in the tabs, and the panels as they are by default */
StriaLayout *stria_layout_new       (void);
void         stria_layout_free      (StriaLayout *self);
void         stria_layout_set_panes (StriaLayout *self, const char *const *words);
/* As a group of a key file. Returns: (transfer full) (nullable): NULL: there is no such group */
StriaLayout *stria_layout_read      (GKeyFile *file, const char *group);
void         stria_layout_write     (StriaLayout *self, GKeyFile *file, const char *group);
/* Returns: (transfer full) */
char        *stria_layout_to_text   (StriaLayout *self);
/* Returns: (transfer full) (nullable): NULL: it is no layout */
StriaLayout *stria_layout_from_text (const char *text, gsize length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaLayout, stria_layout_free)

G_END_DECLS
