/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

/**
 * StriaView:
 * @id: stable short name, also of its page
 * @title: title to translate
 * @icon_name: symbolic icon
 * @create: (transfer floating): makes the widget for a session
 * @has_data: (nullable): whether the capture has what the view shows; NULL = always
 * @absence: text to translate for when no view has anything: which file would bring it, and how
 *   such a file is captured
 * @leads: (nullable): whether the capture is of what the view is for, so that it is shown first once
 *   the capture is read
 * @shows_events: whether events are selected in it, so that their details and statistics belong
 *   beside it
 * @beside_only: whether it is never a tab, only a pane beside others; made when it is first asked for
 *
 * One way to look at a capture, as a tab of its window. A new view is one entry of the table in
 * stria-view-registry.c.
 */
typedef struct
{
  const char *id;
  const char *title;
  const char *icon_name;
  GtkWidget *(*create)   (StriaSession *session);
  gboolean   (*has_data) (StriaCapture *capture);
  gboolean   (*leads)    (StriaCapture *capture);
  const char *absence;
  gboolean    shows_events;
  gboolean    beside_only;
} StriaView;

/* Puts every view into an empty @stack, in the order of the table. */
void     stria_views_add         (GtkStack *stack, StriaSession *session);
/* Lists the views that the capture has something for. A capture that has nothing for any keeps the
 * first, which then says what would bring something. While @is_read is FALSE nobody knows yet, and
 * the first is listed as well. */
void     stria_views_update      (GtkStack *stack, StriaCapture *capture, gboolean is_read);
gboolean stria_views_is_listed   (GtkStack *stack, const char *id);
/* Returns: (transfer none): the widget of a view */
GtkWidget *stria_views_get       (GtkStack *stack, const char *id);
/* Lists and shows a view. Returns: (transfer none): its widget */
GtkWidget *stria_views_reveal    (GtkStack *stack, const char *id);
/* Of the table. Returns: (transfer none) (nullable): NULL behind its end */
const StriaView *stria_views_nth (guint i);
/* Returns: (transfer none) (nullable) */
const StriaView *stria_views_find (const char *id);
/* Whether the view can be shown: it is listed, or can be put beside others */
gboolean stria_views_can_show    (GtkStack *stack, const char *id);

/* What @stack holds of a view can stand elsewhere, while its tab stays. */

/* Takes it out of the stack. Returns: (transfer full) (nullable): NULL: it is out, or there is none */
GtkWidget *stria_views_take      (GtkStack *stack, const char *id);
/* @content: what was taken, which has no parent now */
void     stria_views_put_back    (GtkStack *stack, const char *id, GtkWidget *content);
gboolean stria_views_is_out      (GtkStack *stack, const char *id);

G_END_DECLS
