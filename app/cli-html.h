/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdio.h>

#include "cli-model.h"
#include "stria-graph-scene.h"

G_BEGIN_DECLS

/* A page that is open in any browser without a server. All names in a capture are hostile: what
 * goes into the page goes through cli_html_text() or cli_html_json(). */

/* A model in the page: the n-th, whose ids begin with "m<n>-". */
typedef struct
{
  guint      number;
  CliModel   model;
  GPtrArray *scenes; /* StriaScene or NULL, by graph of the index */
} CliHtmlModel;

/* Text of an element or of an attribute in quotes. @text: (nullable) */
void     cli_html_text   (FILE *file, const char *text);
/* The same of a printf() */
void     cli_html_printf (FILE *file, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* What is in @json as text of a script element that holds data */
void     cli_html_json   (FILE *file, const char *json, gsize length);

/* The picture of a graph, whole without a script too. Boxes have the id "m<n>-v<view>-i<item>". */
void     cli_html_svg    (FILE *file, CliHtmlModel *model, guint view);
/* All that the page's script shows: entities, their measurements and links, nodes, attributes */
gboolean cli_html_data   (FILE *file, CliHtmlModel *model, GError **error);
/* Entities with what was measured */
void     cli_html_table  (FILE *file, CliHtmlModel *model);
/* The counters of the chains as stacked bars */
void     cli_html_counters (FILE *file, CliHtmlModel *model);
/* Assumptions, warnings, views that are not there, checks, provenance */
void     cli_html_notes  (FILE *file, CliHtmlModel *model);

/* Every model of a capture that the options leave; one page */
gboolean cli_html_write  (FILE *file, StriaCapture *capture, const CliModelOptions *options,
                          const char *level, GCancellable *cancellable, GError **error);

G_END_DECLS
