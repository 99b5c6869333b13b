/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-capture-page-private.h"

#include "stria-artifact-list.h"
#include "stria-bottom-panel.h"
#include "stria-resize-handle.h"
#include "stria-settings.h"
#include "stria-stats-panel.h"

/* The panels around the views: artifacts at the left, details at the right or below, and what stands
 * below the timeline. */

#define LEAST_DETAILS_WIDTH 200

gboolean
stria_capture_page_shows_events (StriaCapturePage *self)
{
  const char *content = gtk_stack_get_visible_child_name (self->content_stack);

  return g_strcmp0 (content, "views") == 0 && stria_dock_shows_events (self->dock);
}

static void
update_below (StriaCapturePage *self)
{
  gboolean events, bottom, details, show;

  if (self->stats_panel == NULL)
    return;
  events = stria_capture_page_shows_events (self);
  bottom = events && stria_bottom_panel_is_wanted (STRIA_BOTTOM_PANEL (self->bottom_panel));
  details = events && self->details_below && adw_flap_get_reveal_flap (self->details_flap);
  show = bottom || details;
  gtk_widget_set_visible (self->bottom_panel, bottom);
  if (self->details_below)
    gtk_widget_set_visible (self->details, details);
  if (show == gtk_widget_get_visible (self->below_paned))
    return;
  if (show)
    gtk_paned_set_position (self->paned, gtk_widget_get_height (GTK_WIDGET (self->paned)) -
                                           stria_settings_get (STRIA_SETTING_STATISTICS_HEIGHT));
  gtk_widget_set_visible (self->below_paned, show);
}

static void
on_wanted_changed (StriaCapturePage *self)
{
  update_below (self);
  stria_capture_page_keep_layout (self);
}

static gboolean
on_view_changed_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  StriaCapturePage *self = STRIA_CAPTURE_PAGE (widget);

  if (gtk_widget_get_width (GTK_WIDGET (self->details_flap)) == 0)
    return G_SOURCE_CONTINUE;
  stria_capture_page_view_changed (self);
  return G_SOURCE_REMOVE;
}

void
stria_capture_page_view_changed (StriaCapturePage *self)
{
  const gboolean shows_events = stria_capture_page_shows_events (self);

  if (self->stats_panel == NULL)
    return;
  update_below (self);
  /* A flap that folds before it has a size divides by it. */
  if (gtk_widget_get_width (GTK_WIDGET (self->details_flap)) == 0)
    {
      gtk_widget_add_tick_callback (GTK_WIDGET (self), on_view_changed_tick, NULL, NULL);
      return;
    }
  /* Away for now, without a change of what the person wants. */
  self->user_toggles = FALSE;
  gtk_widget_set_sensitive (self->details_button, shows_events);
  /* Folded, it would lie over what was switched to. */
  adw_flap_set_reveal_flap (self->details_flap, shows_events && self->wants_details
                                                  && !adw_flap_get_folded (self->details_flap));
  self->user_toggles = TRUE;
  update_below (self);
}

/* Folding hides panels by itself; only what a person does is kept. */
static void
on_flap_revealed (StriaCapturePage *self, GParamSpec *pspec, AdwFlap *flap)
{
  const gboolean shows_events = stria_capture_page_shows_events (self);

  /* Unfolding reveals panels by itself, also beside views that have no events. It does so while
   * places are given away, when nobody may ask for another one: the next frame hides it. */
  if (flap == self->details_flap && adw_flap_get_reveal_flap (flap) && !shows_events)
    {
      gtk_widget_add_tick_callback (GTK_WIDGET (self), on_view_changed_tick, NULL, NULL);
      return;
    }
  if (self->user_toggles && flap == self->details_flap && shows_events
      && (!adw_flap_get_folded (flap) || adw_flap_get_reveal_flap (flap)))
    self->wants_details = adw_flap_get_reveal_flap (flap);
  if (self->user_toggles && flap == self->details_flap && self->details_below)
    update_below (self);
  if (self->user_toggles && !adw_flap_get_folded (flap))
    {
      stria_settings_set (flap == self->sidebar_flap ? STRIA_SETTING_SIDEBAR_VISIBLE
                                                     : STRIA_SETTING_DETAILS_VISIBLE,
                          adw_flap_get_reveal_flap (flap));
      stria_capture_page_keep_layout (self);
    }
}

static void
on_paned_position (StriaCapturePage *self)
{
  int height = gtk_widget_get_height (GTK_WIDGET (self->paned)) -
               gtk_paned_get_position (self->paned);

  if (self->stats_panel == NULL || !gtk_widget_get_mapped (self->below_paned) || height <= 0)
    return;
  stria_settings_set (STRIA_SETTING_STATISTICS_HEIGHT, height);
  stria_capture_page_keep_layout (self);
}

static void
on_below_position (StriaCapturePage *self)
{
  const int width = gtk_widget_get_width (self->below_paned);
  const int details = width - gtk_paned_get_position (GTK_PANED (self->below_paned));

  if (self->stats_panel == NULL || !self->details_below || !gtk_widget_get_mapped (self->details)
      || !gtk_widget_get_mapped (self->bottom_panel) || details < LEAST_DETAILS_WIDTH
      || width - details < LEAST_DETAILS_WIDTH)
    return;
  stria_settings_set (STRIA_SETTING_DETAILS_WIDTH, details);
  stria_capture_page_keep_layout (self);
}

/**
 * stria_capture_page_set_details_below:
 * @below: whether the details stand below the views, beside the other panels there, and not at the
 *   right
 */
void
stria_capture_page_set_details_below (StriaCapturePage *self, gboolean below)
{
  if (self->details_below == below)
    return;
  /* Keyboards that stand in what goes away make it ask for room while it is drawn. */
  if (gtk_widget_get_root (GTK_WIDGET (self)) != NULL)
    gtk_window_set_focus (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), NULL);
  self->details_below = below;
  if (below)
    {
      adw_flap_set_separator (self->details_flap, NULL);
      adw_flap_set_flap (self->details_flap, NULL);
      gtk_paned_set_end_child (GTK_PANED (self->below_paned), self->details);
    }
  else
    {
      gtk_paned_set_end_child (GTK_PANED (self->below_paned), NULL);
      gtk_widget_set_visible (self->details, TRUE);
      adw_flap_set_separator (self->details_flap, self->details_handle);
      adw_flap_set_flap (self->details_flap, self->details);
    }
  stria_capture_page_view_changed (self);
  stria_capture_page_keep_layout (self);
}

gboolean
stria_capture_page_toggle_bottom (StriaCapturePage *self)
{
  if (!stria_capture_page_shows_events (self))
    return FALSE;
  stria_bottom_panel_toggle (STRIA_BOTTOM_PANEL (self->bottom_panel));
  return TRUE;
}

static void
add_sides (StriaCapturePage *self)
{
  self->artifact_list = stria_artifact_list_new (self->capture);
  gtk_widget_add_css_class (self->artifact_list, "side-panel");
  self->sidebar_handle
      = stria_resize_handle_new (self->artifact_list, FALSE, 160, STRIA_SETTING_SIDEBAR_WIDTH);
  adw_flap_set_separator (self->sidebar_flap, self->sidebar_handle);
  adw_flap_set_flap (self->sidebar_flap, self->artifact_list);

  gtk_widget_add_css_class (self->details, "side-panel");
  self->details_handle = g_object_ref_sink (stria_resize_handle_new (
      self->details, TRUE, LEAST_DETAILS_WIDTH, STRIA_SETTING_DETAILS_WIDTH));
  adw_flap_set_separator (self->details_flap, self->details_handle);
  adw_flap_set_flap (self->details_flap, self->details);
}

static void
add_below (StriaCapturePage *self)
{
  self->stats_panel = stria_stats_panel_new (self->session);
  self->bottom_panel = stria_bottom_panel_new (self->session, self->stats_panel);
  gtk_widget_set_size_request (self->bottom_panel, -1, 140);
  gtk_widget_set_visible (self->bottom_panel, FALSE);
  self->below_paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_visible (self->below_paned, FALSE);
  gtk_paned_set_start_child (GTK_PANED (self->below_paned), self->bottom_panel);
  gtk_paned_set_shrink_start_child (GTK_PANED (self->below_paned), FALSE);
  gtk_paned_set_resize_end_child (GTK_PANED (self->below_paned), FALSE);
  gtk_paned_set_end_child (self->paned, self->below_paned);
  gtk_box_insert_child_after (GTK_BOX (gtk_widget_get_parent (self->progress_box)),
                              stria_bottom_panel_button_new (
                                  STRIA_BOTTOM_PANEL (self->bottom_panel)),
                              self->progress_box);
}

/* @self->details is there already. */
void
stria_capture_page_add_panels (StriaCapturePage *self)
{
  add_sides (self);
  add_below (self);
  /* A list of one tells little, and the timeline needs the room. */
  adw_flap_set_reveal_flap (self->sidebar_flap,
                            stria_settings_get (STRIA_SETTING_SIDEBAR_VISIBLE) &&
                              stria_capture_get_n_artifacts (self->capture) > 1);
  self->wants_details = stria_settings_get (STRIA_SETTING_DETAILS_VISIBLE);
  adw_flap_set_reveal_flap (self->details_flap, self->wants_details);
  g_signal_connect_object (self->sidebar_flap, "notify::reveal-flap", G_CALLBACK (on_flap_revealed),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->details_flap, "notify::reveal-flap", G_CALLBACK (on_flap_revealed),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->bottom_panel, "wanted-changed", G_CALLBACK (on_wanted_changed),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->paned, "notify::position", G_CALLBACK (on_paned_position), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->below_paned, "notify::position", G_CALLBACK (on_below_position),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "range-changed", G_CALLBACK (update_below), self,
                           G_CONNECT_SWAPPED);
}
