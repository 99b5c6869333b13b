/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <adwaita.h>

#include "stria-capture-page.h"
#include "stria-dock.h"
#include "stria-importer.h"
#include "stria-arrangement.h"
#include "stria-session.h"
#include "stria-view-switcher.h"

G_BEGIN_DECLS

/* Of the files of the capture page only */

struct _StriaCapturePage
{
  GtkWidget parent_instance;

  StriaCapture  *capture;
  StriaSession  *session;
  StriaImporter *importer; /* NULL when idle */
  GCancellable  *cancellable;
  StriaTarget   *target;
  char         **paths;
  guint          progress_timeout;
  gboolean       is_read; /* the picture is complete */
  gboolean       user_toggles;
  gboolean       wants_details;

  /* How the window is laid out */
  gboolean       details_below;
  GCancellable  *layout_cancellable; /* of what is kept with the capture */
  StriaLayout   *layout_kept;        /* that is still to be used */
  gboolean       layout_loaded;
  gboolean       layout_restored;    /* from now on it is kept */
  gboolean       has_second;         /* timeline, which goes with the first */
  guint          layout_source;
  char          *layout_written;
  GSimpleActionGroup *layout_actions;

  AdwWindowTitle *window_title;
  GtkWidget      *open_button;
  GtkWidget      *sidebar_button;
  GtkWidget      *details_button;
  GtkWidget      *search_button;
  GtkButton      *notices_button;
  GtkWidget      *progress_box;
  GtkLabel       *progress_label;
  GtkProgressBar *progress_bar;
  GtkWidget      *cancel_button;
  GtkBox         *main_box;
  AdwFlap        *sidebar_flap;
  AdwFlap        *details_flap;
  GtkPaned       *paned;
  GtkStack       *content_stack;
  GtkStack       *view_stack; /* in @dock */
  StriaDock      *dock;
  GtkMenuButton  *layout_button;

  StriaViewSwitcher *view_switcher;

  AdwStatusPage  *error_page;

  GtkWidget *artifact_list;
  GtkWidget *search_bar;
  GtkWidget *stats_panel;
  GtkWidget *bottom_panel; /* @stats_panel is in it */
  GtkWidget *below_paned;  /* @bottom_panel, and @details if they are below */
  GtkWidget *details;
  GtkWidget *details_handle;
  GtkWidget *sidebar_handle;
};

/* @toast: (transfer floating) */
void stria_capture_page_toast          (StriaCapturePage *self, AdwToast *toast);
void stria_capture_page_update_title   (StriaCapturePage *self);
void stria_capture_page_update_notices (StriaCapturePage *self);
/* If there is a target and the capture is read */
void stria_capture_page_go_to_target   (StriaCapturePage *self);

/* Panels: stria-capture-page-panels.c */
void     stria_capture_page_add_panels       (StriaCapturePage *self);
gboolean stria_capture_page_shows_events     (StriaCapturePage *self);
/* They come and go with the views that are shown. */
void     stria_capture_page_view_changed     (StriaCapturePage *self);
void     stria_capture_page_set_details_below (StriaCapturePage *self, gboolean below);
gboolean stria_capture_page_toggle_bottom    (StriaCapturePage *self);

/* Layouts: stria-capture-page-layouts.c */
void     stria_capture_page_add_layouts      (StriaCapturePage *self);
void     stria_capture_page_drop_layouts     (StriaCapturePage *self);
/* Once the capture is read: as it was left */
void     stria_capture_page_restore_layout   (StriaCapturePage *self);
/* Something of it has changed. */
void     stria_capture_page_keep_layout      (StriaCapturePage *self);
/* Returns: (transfer full): as it is now */
StriaLayout *stria_capture_page_get_layout   (StriaCapturePage *self);
void     stria_capture_page_apply_layout     (StriaCapturePage *self, StriaLayout *layout,
                                              gboolean with_tab);
/* Menu: stria-capture-page-layout-menu.c */
void     stria_capture_page_add_layout_menu  (StriaCapturePage *self);

G_END_DECLS
