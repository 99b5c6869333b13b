/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-event-info.h"

G_BEGIN_DECLS

/* Pieces of the details panel. All return (transfer full) floating widgets. */

/* What scrolls up and down only; stria_details_show() gives it its content.
 * Returns: (transfer floating) */
GtkWidget *stria_details_scrolled_new (void);
/* Shows @content (transfer floating), a box that is filled already, in place of what was shown. GTK 4.8
 * keeps how a box asks for room from when it was empty, if it is filled out of sight: its lines of text
 * would get the height that they have in a window without end. */
void       stria_details_show (GtkWidget *scrolled, GtkWidget *content);

/* A heading with an empty box below it, which @body (out) gets */
GtkWidget *stria_details_section_new (const char *title, const char *note, GtkWidget **body);
/* A table of names and values: fill with stria_details_table_add(). */
GtkWidget *stria_details_table_new   (void);
/* @tooltip: (nullable) */
void       stria_details_table_add   (GtkWidget *table, const char *name, const char *value,
                                      const char *tooltip);
/* @help: what the name means; shown under the pointer */
void       stria_details_table_add_help (GtkWidget *table, const char *name, GtkWidget *value,
                                         const char *help);
void       stria_details_table_add_widget (GtkWidget *table, const char *name, GtkWidget *value);
/* A value of any length and depth: long ones are cut, or fold out */
GtkWidget *stria_details_field_new   (const StriaField *field);
/* A button that looks like a link; @text is what it is called */
GtkWidget *stria_details_link_new    (const char *text, const char *note, const char *color_name,
                                      const char *tooltip);

G_END_DECLS
