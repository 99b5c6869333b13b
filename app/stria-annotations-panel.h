/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_ANNOTATIONS_PANEL (stria_annotations_panel_get_type ())
G_DECLARE_FINAL_TYPE (StriaAnnotationsPanel, stria_annotations_panel, STRIA, ANNOTATIONS_PANEL,
                      GtkWidget)

/**
 * StriaAnnotationsPanel:
 *
 * The annotations of a session's capture: a table, the name, colour and note of the selected one,
 * and what lies between it and another one.
 *
 * Signal: "statistics": the person wants the statistics of the selected range.
 */
GtkWidget *stria_annotations_panel_new (StriaSession *session);

G_END_DECLS
