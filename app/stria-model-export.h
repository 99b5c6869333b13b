/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-graph-area.h"
#include "stria-model-state.h"

G_BEGIN_DECLS

/* What is written */
typedef enum
{
  STRIA_EXPORT_WHOLE,    /* the graph as it is folded, all of it */
  STRIA_EXPORT_VISIBLE,  /* what of it is in sight */
  STRIA_EXPORT_COUNTERS,
  STRIA_EXPORT_PAGE,     /* a folder with a page of all views */
  STRIA_EXPORT_JSON,
} StriaExportWhat;

/* How it ended. @path: what was written, or NULL with @error */
typedef void (*StriaExportFunc) (gpointer owner, const char *path, const GError *error);

/**
 * stria_model_export:
 * @what: of pictures: in the format that the end of @path names, .png, .svg or .pdf
 * @state: what is exported of, with its metric; a side of a comparison with its differences
 * @area: (nullable): shows graph @graph of the state, for %STRIA_EXPORT_WHOLE and
 *   %STRIA_EXPORT_VISIBLE
 * @path: the file, or the folder in which a folder is made
 * @func: called when it is done, if @owner, a #GObject, still lives
 *
 * Writes on a worker what is now there; what changes meanwhile does not matter.
 */
void stria_model_export (StriaExportWhat what, StriaModelState *state, StriaGraphArea *area,
                         guint graph, const char *path, StriaExportFunc func, gpointer owner);

G_END_DECLS
