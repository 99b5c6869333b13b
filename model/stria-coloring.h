/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-color.h"
#include "stria-trace.h"

G_BEGIN_DECLS

/* What the colours of slices stand for. */
typedef enum
{
  STRIA_COLOR_BY_NAME,
  STRIA_COLOR_BY_OPERATOR, /* of the framework */
  STRIA_COLOR_BY_LAYER,    /* path of the framework's names, to a depth */
  STRIA_COLOR_BY_OPCODE,
  STRIA_COLOR_BY_LANE,     /* engine or queue */
  STRIA_COLOR_BY_CATEGORY,
  STRIA_COLOR_BY_STALL,    /* how much of its time an instruction waited */
  STRIA_COLOR_N_BY,
} StriaColorBy;

/* The key of slices for which nothing is known */
#define STRIA_COLOR_KEY_NONE 0u
#define STRIA_COLORING_MOST_KEYS (1u << 20)

/**
 * StriaColoring:
 *
 * What the slices of a trace are coloured by, other than their names: a key for each of them, and a
 * text and colour for each key. What stands in the columns of a table is read by
 * stria_coloring_load(), on a worker; until it has been, its slices have no key. Any thread.
 */
typedef struct _StriaColoring StriaColoring;

/* Where the keys of a lane's events are: @rows by their number in the table, @events by their index,
 * or the category of each, or @fixed for all of them. */
typedef struct
{
  const guint32 *rows;
  guint64        n_rows;
  const guint32 *events;
  const guint32 *categories;
  guint32        fixed;
} StriaColorLane;

/* @depth: of BY_LAYER: how many steps of the path count; 0 = all of it */
StriaColoring *stria_coloring_new       (StriaTrace *trace, StriaColorBy by, guint depth);
StriaColoring *stria_coloring_ref       (StriaColoring *self);
void           stria_coloring_unref     (StriaColoring *self);
StriaColorBy   stria_coloring_get_by    (StriaColoring *self);
guint          stria_coloring_get_depth (StriaColoring *self);
StriaTrace    *stria_coloring_get_trace (StriaColoring *self);

/* Whether the trace has what it takes. @why (out, nullable, transfer none): what is missing */
gboolean       stria_coloring_applies   (StriaTrace *trace, StriaColorBy by, const char **why);
/* Reads what it has to, and calls @progress (nullable) each time some of it can be drawn. For a worker.
 * FALSE: @error; what was read stays. */
gboolean       stria_coloring_load      (StriaColoring *self, GFunc progress, gpointer user_data,
                                         GCancellable *cancellable, GError **error);
gboolean       stria_coloring_is_loaded (StriaColoring *self);

void           stria_coloring_lane      (StriaColoring *self, guint32 lane, StriaColorLane *out);
/* @event: index in the columns of the lane */
static inline guint32
stria_color_lane_key (const StriaColorLane *self, const StriaColumns *columns, guint32 event)
{
  if (self->rows != NULL)
    return columns->seq[event] < self->n_rows ? self->rows[columns->seq[event]]
                                              : STRIA_COLOR_KEY_NONE;
  if (self->events != NULL)
    return self->events[event];
  if (self->categories != NULL)
    return self->categories[columns->category[event]];
  return self->fixed;
}
/* Keys lie all over memory: the way to that of @event is asked for in two steps, the first one well
 * before the second, and that well before the key is taken. */
static inline void
stria_color_lane_prefetch (const StriaColorLane *self, const StriaColumns *columns, guint32 first,
                           guint32 second)
{
  if (self->rows != NULL)
    {
      __builtin_prefetch (&columns->seq[first]);
      if (columns->seq[second] < self->n_rows)
        __builtin_prefetch (&self->rows[columns->seq[second]]);
    }
  else if (self->events != NULL)
    __builtin_prefetch (&self->events[first]);
  else if (self->categories != NULL)
    __builtin_prefetch (&columns->category[first]);
}
guint32        stria_coloring_argb      (StriaColoring *self, guint32 key, gboolean dark);
/* Returns: (transfer none): what the key stands for; "" for none */
const char    *stria_coloring_text      (StriaColoring *self, guint32 key);
guint32        stria_coloring_n_keys    (StriaColoring *self);

/* The part of a path that counts: @depth steps of it from its begin, 0 = all of it.
 * Returns: its length */
gsize          stria_coloring_layer     (const char *path, gsize length, guint depth);
/* The last step of a path; @length (inout): of the path, then of the step */
const char    *stria_coloring_operator  (const char *path, gsize *length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaColoring, stria_coloring_unref)

G_END_DECLS
