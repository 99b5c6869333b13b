/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-area-private.h"

/**
 * SECTION:stria-graph-area-together
 *
 * What somebody needs who holds several areas and lets them do the same.
 */

void
stria_graph_area_move_to (StriaGraphArea *self, double x, double y, double zoom)
{
  g_return_if_fail (STRIA_IS_GRAPH_AREA (self));

  if (self->scene == NULL || gtk_widget_get_width (GTK_WIDGET (self)) < 1)
    return;
  stria_graph_area_stop (self);
  self->fitted = FALSE;
  stria_graph_area_set_view (self, x, y,
                             CLAMP (zoom, STRIA_GRAPH_MIN_ZOOM, STRIA_GRAPH_MAX_ZOOM));
}

gboolean
stria_graph_area_is_open (StriaGraphArea *self, guint32 group)
{
  g_return_val_if_fail (STRIA_IS_GRAPH_AREA (self), FALSE);

  return self->fold != NULL && group < stria_graph_n_groups (self->graph)
         && stria_fold_is_open (self->fold, group);
}

void
stria_graph_area_set_groups (StriaGraphArea *self, const guint8 *open)
{
  gboolean changed = FALSE;

  g_return_if_fail (STRIA_IS_GRAPH_AREA (self));

  if (self->fold == NULL)
    return;
  for (guint32 i = 0; i < stria_graph_n_groups (self->graph); i++)
    {
      if (stria_fold_is_open (self->fold, i) == (open[i] != 0))
        continue;
      stria_fold_set_open (self->fold, i, open[i] != 0);
      changed = TRUE;
    }
  if (changed)
    stria_graph_area_relayout (self, stria_graph_area_default_anchor (self), STRIA_AFTER_STAY);
}
