/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-model-export.h"

G_BEGIN_DECLS

/* A button with a menu whose entries activate "model.export" with the name of what is to be
 * exported. Returns: (transfer full) */
GtkWidget *stria_model_export_button_new (void);
/**
 * stria_model_export_ask:
 * @widget: in whose window a file is asked for, and that tells how it ended
 * @name: "whole.png", "visible.svg", "page", "json", ...
 * @counters: the counters are looked at, not a graph: then that is what is whole
 *
 * Asks where to, and exports.
 */
void       stria_model_export_ask        (GtkWidget *widget, const char *name,
                                          StriaModelState *state, StriaGraphArea *area,
                                          guint graph, gboolean counters);

G_END_DECLS
