/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-layout.h"

G_BEGIN_DECLS

/* What stands in a rank: a box, or a step of an edge that passes it. */
typedef struct
{
  guint32 box;  /* or STRIA_LAYOUT_BORDER: a step */
  guint32 edge; /* of a step */
  gint32 rank;  /* -1: stands in none, nothing being joined to it */
  guint32 component;
  guint32 order; /* place in its rank */
  float center;  /* across */
  float breadth;
  float weight;
} StriaPlace;

typedef struct
{
  StriaLayout *in;
  gint32 *rank;       /* of boxes */
  guint8 *reversed;   /* of edges: drawn against their direction */
  guint32 *component; /* of boxes */
  guint32 n_components;
  GArray *places;      /* Place; the first n are the boxes */
  GArray *links;       /* guint32 pairs: places of neighbouring ranks, near one first */
  guint32 *step_first; /* of edges: its first step, in order of rank; STRIA_LAYOUT_BORDER: none */
  guint32 *step_count;
  /* links by place */
  guint32 *near_start, *near_items; /* neighbours in the rank before */
  guint32 *far_start, *far_items;
  guint32 n_ranks;
  guint32 *rank_start; /* n_ranks + 1 */
  guint32 *rank_items; /* places */
} StriaLayoutWork;

static inline StriaPlace *
stria_place_at (StriaLayoutWork *self, guint32 place)
{
  return &g_array_index (self->places, StriaPlace, place);
}

/* Ranks, steps and links, before anything has a place. @is_lonely: boxes that nothing is joined to
 */
void stria_layout_prepare (StriaLayoutWork *self, const guint8 *is_lonely);

G_END_DECLS
