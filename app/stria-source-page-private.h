/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <adwaita.h>

#include "stria-source-finder.h"
#include "stria-source-page.h"

G_BEGIN_DECLS

struct _StriaSourcePage
{
  GtkWidget parent_instance;

  char              *capture_folder; /* or NULL */
  StriaSourceFinder *finder;
  GCancellable      *cancellable;
  GHashTable        *chosen; /* wanted path to the one that the user chose */
  char              *wanted; /* path as the capture says it */
  char              *shown;  /* path of the text */
  guint              line;
  guint              scrolling; /* tick callback, or 0 */
  guint              n_scrolls;
  guint              n_steady;

  char            *own_note; /* what is said of the file */
  gboolean         is_moving;
  gboolean         is_quiet; /* the keyboard stays where it is */

  GtkWidget       *box;
  GtkWidget       *folders;
  GtkLabel        *title;
  GtkLabel        *note;
  GtkWidget       *copy_button;
  GtkWidget       *again_button;
  GtkStack        *stack;
  GtkSourceView   *text;
  GtkSourceBuffer *buffer;
  GtkTextTag      *mark;
  AdwStatusPage   *missing;
  GtkLabel        *tried;
  GtkWidget       *choices;
};

/* stria-source-page-parts.c: what a page is made of */
GtkWidget *stria_source_page_header_new  (StriaSourcePage *self);
GtkWidget *stria_source_page_text_new    (StriaSourcePage *self);
GtkWidget *stria_source_page_missing_new (StriaSourcePage *self);
GtkWidget *stria_source_page_choices_new (StriaSourcePage *self);
GtkWidget *stria_source_page_empty_new   (void);
/* Of the text, light or dark */
void       stria_source_page_set_colors  (StriaSourcePage *self);

/* What its buttons do */
void       stria_source_page_copy            (StriaSourcePage *self);
void       stria_source_page_again           (StriaSourcePage *self);
void       stria_source_page_folders_changed (StriaSourcePage *self);
void       stria_source_page_add_folder      (StriaSourcePage *self);
gboolean   stria_source_page_stop_scrolling  (StriaSourcePage *self);

G_END_DECLS
