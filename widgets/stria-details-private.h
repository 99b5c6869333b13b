/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-details.h"
#include "stria-event-info.h"

G_BEGIN_DECLS

/* Of the files of the details panel only */

struct _StriaDetails
{
  GtkWidget parent_instance;

  StriaSession   *session;
  StriaEventInfo *info;
  GCancellable   *cancellable;
  StriaDetailsExtra extra; /* or NULL */
  gpointer        extra_data;

  GtkWidget         *row_card; /* owned: it remembers what is looked for */
  GtkWidget         *dependencies;

  GtkStack          *pages;
  GtkStack          *stack;
  GtkLabel          *empty_label;
  GtkScrolledWindow *scrolled_window;
  GtkBox            *content;
  GtkToggleButton   *wall_button;
  GtkWidget         *copy_button;
};

/* Each adds a section, or rows of @table, of the event that is shown: stria-details-sections.c */
void stria_details_add_links (StriaDetails *self, StriaEventLinkKind kind, const char *title,
                              guint n_all, guint64 id);
void stria_details_add_stack (StriaDetails *self);
void stria_details_add_times (StriaDetails *self, GtkWidget *table);
void stria_details_add_allocations (StriaDetails *self, GtkWidget *table);
void stria_details_add_place (StriaDetails *self, GtkWidget *table);
void stria_details_add_args (StriaDetails *self);
void stria_details_add_title (StriaDetails *self);
void stria_details_add_instruction_source (StriaDetails *self);
void stria_details_add_source (StriaDetails *self);

G_END_DECLS
