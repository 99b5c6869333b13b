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

/* Where an edge ends at a box, across, from its middle */
static inline float
stria_from_offset (const StriaLayout *in, guint32 edge)
{
  return in->from_offset != NULL && in->from[edge] != STRIA_LAYOUT_BORDER ? in->from_offset[edge]
                                                                          : 0;
}

static inline float
stria_to_offset (const StriaLayout *in, guint32 edge)
{
  return in->to_offset != NULL && in->to[edge] != STRIA_LAYOUT_BORDER ? in->to_offset[edge] : 0;
}

/* Ranks, steps and links, before anything has a place. @is_lonely: boxes that nothing is joined to
 */
void stria_layout_prepare (StriaLayoutWork *self, const guint8 *is_lonely);

#define STRIA_ROW_GAP 30.0f
#define STRIA_TURN_GAP 7.0f   /* between edges that turn at one place */
#define STRIA_TURN_ROOM 16.0f /* between them and boxes */

/* Ranks in rows below each other. */
typedef struct
{
  guint32 n_rows;
  guint32 *row_of;     /* by rank */
  guint32 *first_rank; /* n_rows + 1 */
  float *gap_at;       /* by row: where the edges that enter it run back, across */
  guint32 *turn;       /* by edge that changes rows: its number at that place */
  guint32 *n_turns;    /* by row that is entered */
  float left;          /* where rows begin, along */
  float right;         /* where the first edge turns */
  float length;        /* of the whole */
} StriaLayoutRows;

/* Moves @rank_at and the places into rows, as in->aspect has it. Returns: (nullable): NULL: one
 * row */
StriaLayoutRows *stria_layout_rows_new (StriaLayoutWork *work,
                                        float *rank_at,
                                        const float *rank_length);
void stria_layout_rows_free (StriaLayoutRows *self);
/* Where an edge between boxes leaves a rank at the end of a row, across, or enters one at a
 * beginning */
float stria_layout_turn_across (StriaLayoutWork *work,
                                guint32 edge,
                                gint32 rank,
                                gboolean leaving);

G_END_DECLS
