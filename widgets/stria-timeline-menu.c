/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-timeline-marks-private.h"

#include <glib/gi18n-lib.h>

static gboolean
drop_menu (gpointer data)
{
  StriaTimeline *self = data;

  if (self->menu != NULL && !gtk_widget_get_visible (self->menu))
    {
      g_clear_pointer (&self->menu, gtk_widget_unparent);
      self->menu_item = (StriaLayoutItem){ 0 };
    }
  return G_SOURCE_REMOVE;
}

/* The chosen action runs after the menu has closed and still asks what the menu was about. */
static void
on_closed (GtkPopover *menu, gpointer data)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, drop_menu, g_object_ref (data), g_object_unref);
}

static gboolean
is_counter (StriaTimeline *self, const StriaLayoutItem *item)
{
  StriaTrace *trace = stria_timeline_layout_get_trace (self->layout);

  return stria_lane_get_kind (stria_trace_get_lane (trace, item->lane)) == STRIA_LANE_COUNTER;
}

static GMenuModel *
menu_for (StriaTimeline *self, const StriaLayoutItem *item)
{
  g_autoptr (GMenuModel) system = stria_timeline_system_menu (self);
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) one = g_menu_new ();
  g_autoptr (GMenu) all = g_menu_new ();

  if (item != NULL && !item->is_process)
    {
      g_menu_append (one, item->pinned ? _ ("Un_pin Lane") : _ ("_Pin Lane to the Top"),
                     "timeline.toggle-pin");
      g_menu_append (one, _ ("_Hide Lane"), "timeline.hide");
      g_menu_append (one, item->collapsed ? _ ("_Unfold Lane") : _ ("_Fold Lane"),
                     "timeline.fold-lane");
      g_menu_append (one,
                     item->collapsed ? _ ("Unfold Lanes of This _Kind")
                                     : _ ("Fold Lanes of This _Kind"),
                     "timeline.fold-class");
      g_menu_append (one, _ ("Move _Up"), "timeline.move-up");
      g_menu_append (one, _ ("Move _Down"), "timeline.move-down");
      if (is_counter (self, item))
        {
          g_menu_append (one, _ ("Hi_gher"), "timeline.higher");
          g_menu_append (one, _ ("_Lower"), "timeline.lower");
        }
    }
  else if (item != NULL)
    g_menu_append (one, _ ("_Hide Process"), "timeline.hide");
  g_menu_append (all, _ ("_Show All Lanes"), "timeline.show-all");
  g_menu_append (all, _ ("_Collapse All"), "timeline.collapse-all");
  g_menu_append (all, _ ("_Expand All"), "timeline.expand-all");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (one));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (all));
  g_menu_append_section (menu, NULL, system);
  return G_MENU_MODEL (menu);
}

/**
 * stria_timeline_popup_model:
 * @model: what there is to choose
 * @x: where it opens
 */
void
stria_timeline_popup_model (StriaTimeline *self, GMenuModel *model, double x, double y)
{
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  self->menu_item = (StriaLayoutItem){ 0 };
  self->menu = gtk_popover_menu_new_from_model (model);
  gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
  gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
  gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu),
                               &(GdkRectangle){ (int) x, (int) y, 1, 1 });
  g_signal_connect (self->menu, "closed", G_CALLBACK (on_closed), self);
  stria_timeline_set_hover (self, STRIA_REF_NONE);
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

/**
 * stria_timeline_popup_menu:
 * @x: where it opens; it is about the lane or process there
 */
void
stria_timeline_popup_menu (StriaTimeline *self, double x, double y)
{
  const StriaLayoutItem *item = stria_timeline_item_at (self, x, y);
  g_autoptr (GMenuModel) model = menu_for (self, item);
  const StriaLayoutItem item_copy = item != NULL ? *item : (StriaLayoutItem){ 0 };

  stria_timeline_append_mark_menu (self, G_MENU (model), x, y);
  stria_timeline_popup_model (self, model, x, y);
  self->menu_item = item_copy;
}
