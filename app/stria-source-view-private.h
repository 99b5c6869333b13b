/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-source-frames.h"
#include "stria-source-gutter.h"
#include "stria-source-heat.h"
#include "stria-source-page.h"
#include "stria-source-view.h"

G_BEGIN_DECLS

typedef enum
{
  STRIA_SOURCE_WHOLE,
  STRIA_SOURCE_VISIBLE,
  STRIA_SOURCE_SELECTED,
} StriaSourceScope;

struct _StriaSourceView
{
  GtkWidget parent_instance;

  StriaSession     *session;
  StriaSourceIndex *index;
  StriaSourceHeat  *heat;
  GCancellable     *indexing;
  GCancellable     *measuring;
  GCancellable     *following;
  guint             delay;       /* of a range that moves */
  guint             lines_delay; /* of a caret that moves */
  guint32           file;        /* that is shown; G_MAXUINT32: the index does not have it */
  gboolean          is_stale;
  gboolean          filling;
  gboolean          is_narrow;
  GArray           *metrics; /* StriaSourceMetric of the chooser */

  GtkWidget         *box;
  GtkWidget         *list;
  GtkWidget         *page;
  GtkWidget         *find;
  GtkWidget         *frames;
  GtkWidget         *lines;
  StriaSourceGutter *gutter;
  GtkDropDown       *metric_chooser;
  GtkDropDown       *scope_chooser;
  GtkSpinner        *spinner;
  GtkLabel          *status;
  GtkWidget         *list_toggle;
  GtkWidget         *follow_toggle;
};

/* stria-source-bar.c: the bar of the view, and its keys */
GtkWidget        *stria_source_view_bar_new     (StriaSourceView *self);
void              stria_source_view_add_keys    (StriaSourceView *self);
/* The metrics that the index has, the one chosen before if it is among them */
void              stria_source_view_fill_metrics (StriaSourceView *self);
/* FALSE: there is none */
gboolean          stria_source_view_get_metric  (StriaSourceView *self, StriaSourceMetric *metric);
/* What the bar chose is to be measured */
void              stria_source_view_measure     (StriaSourceView *self);
/* Shows the selected event, if it is followed */
void              stria_source_view_follow      (StriaSourceView *self);

/* stria-source-caret.c: lines that a person chooses, what is said of them, and lines that do not fit */
void              stria_source_view_watch_caret (StriaSourceView *self);
void              stria_source_view_say_line    (StriaSourceView *self);
void              stria_source_view_find_doubts (StriaSourceView *self);
void              stria_source_view_choose      (StriaSourceView *self, const char *path, guint first,
                                                 guint last);

G_END_DECLS
