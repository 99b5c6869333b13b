/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-capture.h"
#include "stria-target.h"

G_BEGIN_DECLS

#define STRIA_TYPE_CAPTURE_PAGE (stria_capture_page_get_type ())
G_DECLARE_FINAL_TYPE (StriaCapturePage, stria_capture_page, STRIA, CAPTURE_PAGE, GtkWidget)

/**
 * StriaCapturePage:
 *
 * An open capture: its views as tabs, its artifacts, the details of what is selected and the
 * statistics of the selected range. Imports it, and shows how far that is.
 *
 * Signals: "toast" (AdwToast *, transfer none): something to tell; "state-changed": whether an
 * import runs, or the title, has changed.
 */
/* @paths: what was opened, for the list of recent captures */
GtkWidget    *stria_capture_page_new         (StriaCapture *capture, const char *const *paths);
/* @reimport: does not look for a store */
void          stria_capture_page_import      (StriaCapturePage *self, gboolean reimport);
void          stria_capture_page_cancel      (StriaCapturePage *self);
gboolean      stria_capture_page_is_importing (StriaCapturePage *self);
/* Goes there as soon as the capture is read. */
void          stria_capture_page_set_target  (StriaCapturePage *self, const StriaTarget *target);

StriaCapture *stria_capture_page_get_capture (StriaCapturePage *self);
StriaSession *stria_capture_page_get_session (StriaCapturePage *self);
char        **stria_capture_page_get_paths   (StriaCapturePage *self);

/* Puts the keyboard into the view that is shown. */
void          stria_capture_page_focus          (StriaCapturePage *self);
void          stria_capture_page_search         (StriaCapturePage *self);
/* Puts @text into the search bar, and searches for it */
void          stria_capture_page_search_text    (StriaCapturePage *self, const char *text);
void          stria_capture_page_search_step    (StriaCapturePage *self, gboolean forward);
void          stria_capture_page_toggle_sidebar (StriaCapturePage *self);
void          stria_capture_page_toggle_details (StriaCapturePage *self);
void          stria_capture_page_show_view      (StriaCapturePage *self, const char *id);
/* Asks for a capture to compare with: models where they are shown, else traces. */
void          stria_capture_page_compare        (StriaCapturePage *self);
/* Asks what of the trace is to be written into files. */
void          stria_capture_page_export         (StriaCapturePage *self);
/* Shows a line of a file that the capture speaks of. */
void          stria_capture_page_show_source    (StriaCapturePage *self, const char *path,
                                                 guint line);

G_END_DECLS
