/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture-memory.h"
#include "stria-capture-page.h"
#include "stria-intake.h"
#include "stria-window.h"

G_BEGIN_DECLS

/* Of the files of the window only */

struct _StriaWindow
{
  AdwApplicationWindow parent_instance;

  StriaCapturePage   *page;         /* NULL while no capture is open; owned by the stack */
  StriaCaptureMemory *memory;       /* of @page */
  StriaViewState     *state;        /* (nullable): what the next page begins with */
  char              **paths;        /* what is open, or on the way */
  StriaTarget        *target;
  GCancellable       *cancellable;  /* of the scan, NULL when idle */
  gboolean            reimport;
  GHashTable         *choices;      /* names of profiles -> names of the programs chosen for them */

  /* What is held over the window, or was dropped on it */
  GtkDropTarget      *drop_target;
  GCancellable       *look;         /* NULL when idle */
  StriaIntake        *intake;       /* what was found */
  char              **brought;      /* what is looked at */
  gboolean            acts;         /* on what is found */
  gboolean            adds;         /* whatever it is, if it can be read */
  char              **before;       /* (nullable): what was open before something was added */

  AdwToastOverlay *toast_overlay;
  GtkStack        *stack;
  GtkBox          *start_box;
  AdwWindowTitle  *loading_title;
  GtkSpinner      *loading_spinner;
  AdwWindowTitle  *error_title;
  AdwStatusPage   *error_page;
  GtkWidget       *drop_highlight;
  GtkLabel        *drop_label;
};

/* Opens @paths here, or in a new window if something is open here. */
void stria_window_open_beside   (StriaWindow *self, const char *const *paths);
void stria_window_open_new      (StriaWindow *self, const char *const *paths);
void stria_window_toast         (StriaWindow *self, const char *text);

/* What is dropped, pasted or added: stria-window-drop.c */
void stria_window_add_drop      (StriaWindow *self);
void stria_window_drop_drop     (StriaWindow *self);
void stria_window_install_drop  (GtkWidgetClass *widget_class);

G_END_DECLS
