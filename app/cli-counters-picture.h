/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli-model.h"
#include "stria-counter-painter.h"
#include "stria-model-bars.h"

G_BEGIN_DECLS

/* The counters of the chains, and all that is painted with them. */
typedef struct
{
  StriaModelBars   *bars;
  GArray           *rows;  /* StriaCounterRow, texts of it in @texts */
  GPtrArray        *texts;
  StriaCounterSheet sheet;
  gboolean          dark;
} CliCountersPicture;

/* FALSE: nothing was counted. Any thread. */
gboolean cli_counters_picture_init  (CliCountersPicture *self, CliModel *model, gboolean dark);
void     cli_counters_picture_clear (CliCountersPicture *self);
/* @width, @height: (inout): what was asked for; 0 becomes what is needed */
void     cli_counters_picture_size  (CliCountersPicture *self, double *width, double *height);
/* #CliPaintFunc for a #CliCountersPicture */
void     cli_counters_picture_paint (cairo_t *cr, double width, double height, gpointer user_data);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliCountersPicture, cli_counters_picture_clear)

G_END_DECLS
