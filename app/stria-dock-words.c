/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-dock-private.h"

#include "stria-dock-pane.h"
#include "stria-arrangement.h"

/* The panes of a dock as the words of a layout, and back. */

static const char *
name_of (gpointer pane, gpointer user_data)
{
  const char *id = stria_dock_pane_get_id (STRIA_DOCK_PANE (pane));

  return id != NULL ? id : STRIA_LAYOUT_TABS;
}

char **
stria_dock_save (StriaDock *self)
{
  g_return_val_if_fail (STRIA_IS_DOCK (self), NULL);

  if (stria_dock_count (self) < 2)
    return g_new0 (char *, 1);
  return stria_pane_tree_save (stria_pane_box_get_tree (stria_dock_get_box (self)), name_of, NULL);
}

typedef struct
{
  StriaDock *dock;
  guint      n;
  gboolean   has_tabs;
} Loading;

static gpointer
load_pane (const char *name, gpointer user_data)
{
  Loading *job = user_data;
  GtkWidget *pane;

  if (g_str_equal (name, STRIA_LAYOUT_TABS))
    {
      if (job->has_tabs)
        return NULL;
      job->has_tabs = TRUE;
      return stria_dock_get_tabs (job->dock);
    }
  /* The tabs need a place, too. */
  if (job->n >= STRIA_PANE_BOX_MOST - 1)
    return NULL;
  pane = stria_dock_take_out (job->dock, name);
  if (pane != NULL)
    job->n++;
  return pane;
}

void
stria_dock_load (StriaDock *self, const char *const *words)
{
  Loading job = { .dock = self };
  StriaPaneNode *tree;

  g_return_if_fail (STRIA_IS_DOCK (self));

  stria_dock_begin (self);
  stria_dock_empty (self);
  tree = words[0] != NULL ? stria_pane_tree_load (words, load_pane, &job) : NULL;
  if (!job.has_tabs)
    stria_pane_tree_add (&tree, NULL, stria_dock_get_tabs (self), STRIA_SIDE_LEFT);
  stria_pane_box_take_tree (stria_dock_get_box (self), tree);
  stria_dock_end (self);
}
