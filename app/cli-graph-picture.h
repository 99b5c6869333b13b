/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli-model.h"
#include "stria-graph-sheet.h"
#include "stria-profile-compare.h"

G_BEGIN_DECLS

/* A graph that is laid out, and all that is painted with it: title, scales, notes. */
typedef struct
{
  StriaScene       *scene;
  StriaGraphFigure *nodes;
  StriaGraphFigure *groups;
  guint16          *node_marks;
  guint16          *group_marks;
  GArray           *scales; /* StriaGraphSheetScale, texts of it in @texts */
  GPtrArray        *texts;
  GPtrArray        *notes;
  char             *subtitle;
  StriaGraphSheet   sheet;
  StriaGraphView    view;
} CliGraphPicture;

/* Boxes that can be taken in at once: what cli_graph_level() is asked for */
#define CLI_GRAPH_MOST_BOXES 400

/* Long; for a worker. Errors: cancelled, or that the graph is too large to be laid out */
StriaScene *cli_graph_lay_out (StriaGraph *graph, StriaGraphDirection direction, guint level,
                               GCancellable *cancellable, GError **error);
/**
 * cli_graph_picture_init:
 * @model: stays the caller's; its index outlives the picture
 * @comparison: (nullable): colours say what changed, in place of what was measured
 * @second: @model is the second one of @comparison
 * @scene: (transfer full): of @graph
 */
void cli_graph_picture_init  (CliGraphPicture *self, CliModel *model, const StriaModelGraph *graph,
                              StriaComparison *comparison, gboolean second, StriaScene *scene,
                              gboolean dark);
void cli_graph_picture_clear (CliGraphPicture *self);
/* @width, @height: (inout): what was asked for; 0 becomes what is needed */
void cli_graph_picture_size  (CliGraphPicture *self, double *width, double *height);
/* #CliPaintFunc for a #CliGraphPicture */
void cli_graph_picture_paint (cairo_t *cr, double width, double height, gpointer user_data);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliGraphPicture, cli_graph_picture_clear)

G_END_DECLS
