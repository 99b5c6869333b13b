/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <adwaita.h>

#include "stria-capture-page.h"
#include "stria-importer.h"
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
  GtkStack       *view_stack;

  StriaViewSwitcher *view_switcher;

  AdwStatusPage  *error_page;

  GtkWidget *artifact_list;
  GtkWidget *search_bar;
  GtkWidget *stats_panel;
  GtkWidget *bottom_panel; /* @stats_panel is in it */
};

/* @toast: (transfer floating) */
void stria_capture_page_toast          (StriaCapturePage *self, AdwToast *toast);
void stria_capture_page_update_title   (StriaCapturePage *self);
void stria_capture_page_update_notices (StriaCapturePage *self);
/* If there is a target and the capture is read */
void stria_capture_page_go_to_target   (StriaCapturePage *self);
/* Panels come and go with the view that is shown. */
void stria_capture_page_view_changed   (StriaCapturePage *self);

G_END_DECLS
