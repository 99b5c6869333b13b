/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-capture-page-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-bottom-panel.h"
#include "stria-layouts.h"
#include "stria-resize-handle.h"
#include "stria-settings.h"
#include "stria-state-writer.h"
#include "stria-timeline-page.h"
#include "stria-timeline.h"
#include "stria-view-registry.h"

/* How the window is laid out: kept with the capture and for the next one, found again, and taken
 * from layouts that have a name. */

#define WRITE_AFTER_MS 600

/* -- what it is ------------------------------------------------------------------------------ */

StriaLayout *
stria_capture_page_get_layout (StriaCapturePage *self)
{
  StriaLayout *layout = stria_layout_new ();
  g_auto (GStrv) panes = stria_dock_save (self->dock);

  stria_layout_set_panes (layout, (const char *const *) panes);
  layout->tab = g_strdup (gtk_stack_get_visible_child_name (self->view_stack));
  layout->sidebar = stria_settings_get (STRIA_SETTING_SIDEBAR_VISIBLE);
  layout->sidebar_width = stria_settings_get (STRIA_SETTING_SIDEBAR_WIDTH);
  layout->details = self->wants_details;
  layout->details_below = self->details_below;
  layout->details_width = stria_settings_get (STRIA_SETTING_DETAILS_WIDTH);
  layout->bottom
      = g_strdup (stria_bottom_panel_get_open (STRIA_BOTTOM_PANEL (self->bottom_panel)));
  layout->bottom_height = stria_settings_get (STRIA_SETTING_STATISTICS_HEIGHT);
  return layout;
}

static void
apply_bottom (StriaCapturePage *self, StriaLayout *layout)
{
  StriaBottomPanel *bottom = STRIA_BOTTOM_PANEL (self->bottom_panel);

  if (layout->bottom_height > 0)
    stria_settings_set (STRIA_SETTING_STATISTICS_HEIGHT, layout->bottom_height);
  if (layout->bottom != NULL)
    stria_bottom_panel_open (bottom, layout->bottom);
  else if (stria_bottom_panel_get_open (bottom) != NULL)
    stria_bottom_panel_toggle (bottom);
  if (layout->bottom_height > 0 && gtk_widget_get_mapped (self->below_paned))
    gtk_paned_set_position (self->paned, gtk_widget_get_height (GTK_WIDGET (self->paned)) -
                                           layout->bottom_height);
}

/**
 * stria_capture_page_apply_layout:
 * @layout: what of it the capture has no view for is left out
 * @with_tab: whether the tabs show the view that they do in it, too
 */
void
stria_capture_page_apply_layout (StriaCapturePage *self, StriaLayout *layout, gboolean with_tab)
{
  stria_dock_load (self->dock, (const char *const *) layout->panes);
  if (with_tab && layout->tab != NULL && stria_views_is_listed (self->view_stack, layout->tab)
      && !stria_views_is_out (self->view_stack, layout->tab))
    gtk_stack_set_visible_child_name (self->view_stack, layout->tab);
  if (layout->sidebar_width > 0)
    stria_resize_handle_set_width (STRIA_RESIZE_HANDLE (self->sidebar_handle),
                                   layout->sidebar_width);
  if (layout->details_width > 0)
    stria_resize_handle_set_width (STRIA_RESIZE_HANDLE (self->details_handle),
                                   layout->details_width);
  /* A list of one tells little; folded, it would lie over what is shown. */
  if (!adw_flap_get_folded (self->sidebar_flap))
    adw_flap_set_reveal_flap (self->sidebar_flap,
                              layout->sidebar
                                  && stria_capture_get_n_artifacts (self->capture) > 1);
  stria_capture_page_set_details_below (self, layout->details_below);
  self->wants_details = layout->details;
  stria_settings_set (STRIA_SETTING_DETAILS_VISIBLE, layout->details);
  apply_bottom (self, layout);
  stria_capture_page_view_changed (self);
  stria_capture_page_focus (self);
}

/* -- kept with the capture ------------------------------------------------------------------- */

/* Returns: (transfer full) (nullable): NULL: the capture has no name of its own */
static char *
path_of (StriaCapturePage *self)
{
  const char *key = stria_capture_get_key (self->capture);

  return key != NULL && *key != '\0'
             ? g_build_filename (g_get_user_config_dir (), "stria", "windows", key, NULL)
             : NULL;
}

static gboolean
write_now (gpointer data)
{
  StriaCapturePage *self = data;
  g_autoptr (StriaLayout) layout = stria_capture_page_get_layout (self);
  g_autofree char *text = stria_layout_to_text (layout);
  g_autofree char *path = path_of (self);

  self->layout_source = 0;
  if (g_strcmp0 (text, self->layout_written) == 0)
    return G_SOURCE_REMOVE;
  g_free (self->layout_written);
  self->layout_written = g_strdup (text);
  stria_settings_set_text (STRIA_SETTING_LAYOUT, text);
  if (path != NULL)
    stria_state_write (path, g_steal_pointer (&text));
  return G_SOURCE_REMOVE;
}

void
stria_capture_page_keep_layout (StriaCapturePage *self)
{
  if (self->layout_restored && self->layout_source == 0)
    self->layout_source = g_timeout_add (WRITE_AFTER_MS, write_now, self);
}

/* What was changed just before a window is closed must not be lost. */
static void
on_unmap (StriaCapturePage *self)
{
  if (self->layout_source == 0)
    return;
  g_clear_handle_id (&self->layout_source, g_source_remove);
  write_now (self);
}

void
stria_capture_page_restore_layout (StriaCapturePage *self)
{
  g_autoptr (StriaLayout) layout = NULL;
  g_autoptr (StriaLayout) now = NULL;
  g_autofree char *text = NULL;
  gboolean kept;

  if (self->layout_restored || !self->layout_loaded || !self->is_read)
    return;
  layout = g_steal_pointer (&self->layout_kept);
  kept = layout != NULL;
  if (!kept)
    {
      text = stria_settings_get_text (STRIA_SETTING_LAYOUT);
      layout = stria_layout_from_text (text, strlen (text));
    }
  /* Where somebody asks for an event, it decides what is shown first. */
  if (layout != NULL)
    stria_capture_page_apply_layout (self, layout, kept && self->target == NULL);
  self->layout_restored = TRUE;
  now = stria_capture_page_get_layout (self);
  g_free (self->layout_written);
  self->layout_written = stria_layout_to_text (now);
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  StriaCapturePage *self;
  g_autofree char *text = NULL;
  gsize length = 0;
  g_autoptr (GError) error = NULL;

  if (!g_file_load_contents_finish (G_FILE (source), result, &text, &length, NULL, &error)
      && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  self = data;
  self->layout_loaded = TRUE;
  if (text != NULL)
    self->layout_kept = stria_layout_from_text (text, length);
  if (text != NULL && self->layout_kept == NULL)
    stria_state_put_aside (g_file_peek_path (G_FILE (source)), _ ("Not a layout"));
  stria_capture_page_restore_layout (self);
}

/* Timelines above each other have their times above each other. */
static void
follow_header (StriaTimeline *timeline, StriaTimeline *other)
{
  const double width = stria_timeline_get_header_width (timeline);

  if (width != stria_timeline_get_header_width (other))
    stria_timeline_set_header_width (other, width);
}

static void
link_timelines (StriaCapturePage *self)
{
  GtkWidget *pages[] = { stria_views_get (self->view_stack, "timeline"),
                         stria_views_get (self->view_stack, "timeline2") };
  StriaTimeline *first, *second;

  if (self->has_second || pages[0] == NULL || pages[1] == NULL)
    return;
  self->has_second = TRUE;
  first = STRIA_TIMELINE (stria_timeline_page_get_timeline (STRIA_TIMELINE_PAGE (pages[0])));
  second = STRIA_TIMELINE (stria_timeline_page_get_timeline (STRIA_TIMELINE_PAGE (pages[1])));
  follow_header (first, second);
  g_signal_connect_object (first, "header-width-changed", G_CALLBACK (follow_header), second, 0);
  g_signal_connect_object (second, "header-width-changed", G_CALLBACK (follow_header), first, 0);
}

static void
on_dock_changed (StriaCapturePage *self)
{
  link_timelines (self);
  stria_capture_page_view_changed (self);
  stria_capture_page_keep_layout (self);
}

void
stria_capture_page_add_layouts (StriaCapturePage *self)
{
  g_autofree char *path = path_of (self);
  g_autoptr (GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;

  stria_dock_set_switcher (self->dock, self->view_switcher);
  g_signal_connect_object (self->dock, "changed", G_CALLBACK (on_dock_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->dock, "resized", G_CALLBACK (stria_capture_page_keep_layout),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "unmap", G_CALLBACK (on_unmap), NULL);
  stria_capture_page_add_layout_menu (self);
  self->layout_cancellable = g_cancellable_new ();
  if (file != NULL)
    g_file_load_contents_async (file, self->layout_cancellable, on_loaded, self);
  else
    self->layout_loaded = TRUE;
}

void
stria_capture_page_drop_layouts (StriaCapturePage *self)
{
  g_cancellable_cancel (self->layout_cancellable);
  g_clear_object (&self->layout_cancellable);
  g_clear_handle_id (&self->layout_source, g_source_remove);
  g_clear_pointer (&self->layout_kept, stria_layout_free);
  g_clear_pointer (&self->layout_written, g_free);
  self->layout_restored = FALSE;
  g_clear_object (&self->layout_actions);
  g_clear_object (&self->details_handle);
  g_clear_object (&self->details);
}
