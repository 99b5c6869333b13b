/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-coloring.h"
#include "stria-lane-class.h"
#include "stria-table.h"

G_BEGIN_DECLS

#define STRIA_COLORING_N_STALLS 5
/* Keys stay where they are while others are added: painters read them without a lock. */
#define STRIA_COLORING_CHUNK 1024u

typedef struct
{
  char   *text;
  guint32 argb[2];
} Key;

/* A table whose columns say the keys of its rows */
typedef struct
{
  StriaTable *table; /* owned */
  int         columns[2];
  guint32    *keys;  /* by row; atomic, NULL until they were read */
  guint64     n_rows;
} ColorSource;

struct _StriaColoring
{
  gatomicrefcount refs;
  StriaTrace  *trace;
  StriaColorBy by;
  guint        depth;

  GHashTable *by_text; /* of the one thread that adds keys */
  Key        *chunks[STRIA_COLORING_MOST_KEYS / STRIA_COLORING_CHUNK];
  guint32     n_keys; /* atomic */

  guint32       n_lanes;
  ColorSource **lane_source;
  guint32     **lane_events; /* atomic */
  guint32      *fixed;
  guint32      *categories;
  GPtrArray    *sources;     /* ColorSource */
  gint          loaded;      /* atomic */
};

/* Thread that loads only. Returns: the key of a text; NONE for an empty one */
guint32 stria_coloring_key_for      (StriaColoring *self, const char *text, gsize length);
/* Key of an instruction that waited before it ran */
guint32 stria_coloring_stall        (gint64 wait, gint64 duration);
void    stria_coloring_find_sources (StriaColoring *self);
void    stria_coloring_source_free  (gpointer source);

G_END_DECLS
