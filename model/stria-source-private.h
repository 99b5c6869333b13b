/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-source-index.h"
#include "stria-strings.h"
#include "stria-table.h"

G_BEGIN_DECLS

/* Deeper ones are cut: they are loops of a damaged table */
#define STRIA_SOURCE_MAX_FRAMES 256

typedef struct
{
  guint32 file;
  guint32 line;
  guint32 function; /* text, 0: none */
  gboolean by_frames; /* a table of frames led there: no text of an event has it */
} SourcePlace;

/* Ranges in @frames and @targets */
typedef struct
{
  guint32 first_frame;
  guint32 n_frames;
  guint32 first_place; /* each place once */
  guint32 n_places;
  guint32 first_file; /* each file once */
  guint32 n_files;
} SourceStack;

/* Stacks by number of the row, or of the event in its file */
typedef struct
{
  guint32 *stacks;
  guint64  n;
} SourceRows;

struct _StriaSourceIndex
{
  gatomicrefcount refs;

  StriaTrace   *trace; /* or NULL */
  StriaStrings *texts;
  GArray       *files;        /* guint32: text */
  GHashTable   *file_numbers; /* text -> file */
  GArray       *places;       /* SourcePlace */
  GHashTable   *place_numbers; /* gint64 -> place */
  GArray       *stacks;       /* SourceStack; 0 is empty */
  GArray       *frames;       /* guint32: places */
  GArray       *targets;      /* guint32: places, then files */
  GHashTable   *stack_numbers; /* GBytes -> stack */

  guint32    *by_name; /* stack by string of the trace */
  guint32     n_names;
  GHashTable *rows;    /* StriaTable -> SourceRows */
  GPtrArray  *args;    /* SourceRows or NULL, by artifact */
  gboolean    has_args;
  gboolean    has_events;

  guint32 *sorted;     /* places by file and line */
  guint32 *file_first; /* n_files + 1, in @sorted */

  double  *place_bytes; /* by place, live at the peak; NULL: no snapshot */
  double  *file_bytes;
  double   all_bytes;
};

guint32 stria_source_file   (StriaSourceIndex *self, const char *path, gssize length);
guint32 stria_source_place  (StriaSourceIndex *self, const char *path, gssize length, guint32 line,
                             const char *function);
/* A stack of places, innermost first; the same number for the same places */
guint32 stria_source_stack  (StriaSourceIndex *self, const guint32 *places, guint n);

/* stria-source-rows.c: stacks of the rows of one table, from its columns. FALSE with @error */
gboolean stria_source_add_table (StriaSourceIndex *self, StriaTable *table,
                                 GCancellable *cancellable, GError **error);
/* Whether its columns speak of source */
gboolean stria_source_is_table  (StriaTable *table);
/* stria-source-alloc.c */
void     stria_source_add_snapshots (StriaSourceIndex *self, GPtrArray *snapshots,
                                     GCancellable *cancellable);

/* Where the stacks of a lane's events are found */
typedef struct
{
  const guint32 *by_seq;
  guint64        n_seq;
  const guint32 *by_name;
  guint32        n_names;
  gboolean       is_rows;
} SourceLane;

SourceLane stria_source_lane (StriaSourceIndex *self, StriaLane *lane);

static inline gboolean
stria_source_lane_has (const SourceLane *lane)
{
  return lane->by_seq != NULL || lane->by_name != NULL;
}

static inline guint32
stria_source_stack_of (const SourceLane *lane, const StriaColumns *c, guint64 e)
{
  guint32 stack = 0;

  if (lane->by_seq != NULL && c->seq[e] < lane->n_seq
      && (lane->is_rows || c->args[e] != G_MAXUINT64))
    stack = lane->by_seq[c->seq[e]];
  if (stack == 0 && lane->by_name != NULL && c->name[e] < lane->n_names)
    stack = lane->by_name[c->name[e]];
  return stack;
}

static inline const SourceStack *
stria_source_get_stack (StriaSourceIndex *self, guint32 stack)
{
  return &((const SourceStack *) (gpointer) self->stacks->data)[stack];
}

G_END_DECLS
