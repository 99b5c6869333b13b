/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * SECTION:stria-help-text
 *
 * Pages of help: small Markdown files among the program's resources, in the user's language where
 * there is one, else in English. What is understood of Markdown: headings of two levels, paragraphs,
 * lists of one level, tables of two columns, pictures that stand alone, and in texts code, strong
 * words and links to other pages.
 */

typedef enum
{
  STRIA_HELP_TITLE,
  STRIA_HELP_HEADING,
  STRIA_HELP_PARAGRAPH,
  STRIA_HELP_ITEM,    /* of a list */
  STRIA_HELP_ROW,     /* of a table: @markup and @second */
  STRIA_HELP_PICTURE, /* @markup is its name, @second what it shows, as plain text */
} StriaHelpKind;

/**
 * StriaHelpBlock:
 * @markup: in Pango's markup
 * @second: (nullable): see #StriaHelpKind
 */
typedef struct
{
  StriaHelpKind kind;
  char         *markup;
  char         *second;
} StriaHelpBlock;

/* Ids of all pages, in the order in which they are listed. Returns: (transfer none) */
const char *const *stria_help_pages (void);
gboolean   stria_help_has_page      (const char *id);
/* Page of a view of a capture, by the view's id. Returns: (transfer none) */
const char *stria_help_page_of_view (const char *view);
/* Returns: (transfer full) (nullable): the file, of the language closest to the user's */
char      *stria_help_load          (const char *id);
/* Returns: (transfer full) (element-type StriaHelpBlock) */
GPtrArray *stria_help_parse         (const char *text);
/* Returns: (transfer full): the text of a block without markup */
char      *stria_help_plain         (const StriaHelpBlock *block);

G_END_DECLS
