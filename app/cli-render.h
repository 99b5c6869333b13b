/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli-common.h"
#include "cli-model.h"

G_BEGIN_DECLS

/* All options of “render”; a view looks at those that mean something to it. */
typedef struct
{
  char           *range;
  gboolean        absolute;
  char           *size;
  gboolean        dark;
  double          scale;
  char           *search;
  char           *select;
  char           *output;
  char           *at;
  char           *part;
  char           *level;
  char           *direction;
  char           *compare;
  CliModelOptions model;
} CliRenderOptions;

/* “render graph” into the file that the options name */
CliExit  cli_render_graph  (CliContext *context, const CliRenderOptions *options);
/* Whether there is a model whose graphs can be drawn */
gboolean cli_has_graphs    (StriaCapture *capture);
/* Every view of every model of the capture, into the folder that the options name */
gboolean cli_render_graphs (StriaCapture *capture, const CliRenderOptions *options,
                            GCancellable *cancellable, GError **error);
/* All of @graphs as one SVG, whole and without figures */
gboolean cli_svg_graphs    (GPtrArray *graphs, FILE *file, GCancellable *cancellable,
                            GError **error);

G_END_DECLS
