/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-panes-private.h"

#include <glib/gi18n-lib.h>

#include "stria-pane-drag.h"

/**
 * SECTION:stria-model-panes-drag
 *
 * Panes are dragged by their headers: a tab that is not the one in sight leaves for a pane of its
 * own or another pane; the one in sight, or the empty part of the header, takes the pane along.
 */

typedef struct
{
  StriaModelPanes *panes;
  StriaPaneBox    *box;
  StriaModelPane  *source;
  guint            graph;
  guint            before; /* what the source showed until a tab was pressed */
} Drag;

static gboolean
on_begin (double x, double y, gpointer user_data)
{
  Drag *drag = user_data;
  StriaPaneRect rect;

  drag->source = (StriaModelPane *) stria_pane_box_at (drag->box, x, y, &rect);
  if (drag->source == NULL)
    return FALSE;
  drag->graph = stria_model_pane_dragged_at (drag->source, x - rect.x, y - rect.y);
  /* The press has not reached the tab yet. */
  drag->before = stria_model_pane_get_graph (drag->source);
  return drag->graph != G_MAXUINT;
}

static void
on_start (gpointer user_data)
{
  gtk_widget_grab_focus (GTK_WIDGET (((Drag *) user_data)->source));
}

static gboolean
takes_pane_along (const Drag *drag, GtkWidget *target)
{
  return drag->graph == drag->before && target != GTK_WIDGET (drag->source);
}

static const char *
describe (GtkWidget *target, StriaSide side, gpointer user_data)
{
  const Drag *drag = user_data;
  const gboolean along = takes_pane_along (drag, target);

  if (side == STRIA_SIDE_CENTER)
    {
      if (target == GTK_WIDGET (drag->source))
        return NULL;
      return along ? _ ("Change places") : _ ("Show here");
    }
  if (!along && stria_pane_box_count (drag->box) >= STRIA_PANE_BOX_MOST)
    return NULL;
  return along ? _ ("Move here") : _ ("New pane");
}

static void
on_drop (GtkWidget *target, StriaSide side, gpointer user_data)
{
  const Drag *drag = user_data;

  if (takes_pane_along (drag, target))
    {
      stria_model_panes_put (drag->panes, drag->source, STRIA_MODEL_PANE (target), side);
      return;
    }
  /* What was pulled out is seen there, and what it stood before is seen here again. */
  stria_model_pane_show (drag->source,
                         drag->graph == drag->before
                             ? stria_model_panes_next_graph (drag->panes, drag->graph)
                             : drag->before);
  if (side == STRIA_SIDE_CENTER)
    {
      stria_model_pane_show (STRIA_MODEL_PANE (target), drag->graph);
      gtk_widget_grab_focus (target);
    }
  else
    stria_model_panes_add (drag->panes, STRIA_MODEL_PANE (target), side, drag->graph);
}

void
stria_model_panes_add_drag (StriaModelPanes *self, StriaPaneBox *box)
{
  static const StriaPaneDragFuncs funcs = { on_begin, on_start, describe, on_drop };
  Drag *drag = g_new0 (Drag, 1);

  drag->panes = self;
  drag->box = box;
  g_object_set_data_full (G_OBJECT (box), "drag", drag, g_free);
  stria_pane_drag_add (GTK_WIDGET (box), box, &funcs, drag);
}
