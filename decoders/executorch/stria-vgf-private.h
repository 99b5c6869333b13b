/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-fact-tables.h"
#include "stria-flat.h"
#include "stria-spirv.h"
#include "stria-vgf.h"

G_BEGIN_DECLS

#define STRIA_VGF_COMPUTE 0
#define STRIA_VGF_GRAPH   1

#define STRIA_VGF_INPUT    0
#define STRIA_VGF_OUTPUT   1

/* Fields of SegmentInfo (spec 4.2) */
#define STRIA_VGF_SEGMENT_INPUTS    4
#define STRIA_VGF_SEGMENT_OUTPUTS   5
#define STRIA_VGF_SEGMENT_CONSTANTS 6

/* Words of a module inside the file, not aligned; @words is NULL if it has none that can be read */
typedef struct
{
  const guint8 *words;
  guint32       n_words;
} StriaVgfCode;

/**
 * StriaVgfReader:
 * @vgf: row of vgf
 * @modules, @sequence, @resources: readers of the three tables
 *
 * One VGF while it is read. Rows of its modules, segments, resources and constants are in the facts
 * before the graph is made; row = first + number.
 */
typedef struct
{
  StriaFacts         *facts;
  StriaDecodeContext *context;
  const guint8       *data;
  gsize               length;
  guint64             base;
  guint32             vgf;
  StriaFlat           modules, sequence, resources;
  StriaFlatVector     module_list, segment_list, resource_list;
  StriaFlatTable      sequence_root;
  GArray             *codes; /* of StriaVgfCode, one a module */
} StriaVgfReader;

/* Adds the graph of all graph segments. @graph: its row. Returns: FALSE if it was cancelled; the
 * graph is whole then too, with what was read */
gboolean      stria_vgf_make_graph   (StriaVgfReader *self, const char *graph_name,
                                      const char *method, guint32 *graph, GError **error);

/* Names of a category, "INPUT"; NULL if it is none */
const char   *stria_vgf_category_name (guint8 category);

G_END_DECLS
