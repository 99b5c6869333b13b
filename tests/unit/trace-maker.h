/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"

G_BEGIN_DECLS

/* A slice as it was fed. @thread, @name and @category are the maker's own numbers. */
typedef struct
{
  gint64  ts;
  gint64  dur;
  guint32 thread;
  guint32 name;
  guint32 category;
  guint32 seq;
  guint64 correlation;
  guint8  flags;
} MakerSlice;

/**
 * TraceMaker:
 * @slices: (element-type MakerSlice): what was fed, in file order once maker_finish() has run
 * @events: (element-type StriaEvent): other events, fed behind the slices
 *
 * Traces for the model's tests, fed through the sink as a decoder would, with a plain list of what
 * went in for oracles that look at every event. Random numbers are those of g_test, so that a run can
 * be repeated with --seed.
 */
typedef struct
{
  StriaCapture *capture;
  StriaSink    *sink;
  GArray       *slices;
  GArray       *events;
  guint32      *threads;    /* the sink's ids, by ours */
  guint32      *names;
  guint32       categories[4];
  guint         n_threads;
  guint         n_names;
} TraceMaker;

TraceMaker *maker_new    (guint n_threads, guint n_names);
void        maker_free   (TraceMaker *self);

void        maker_slice  (TraceMaker *self, guint thread, gint64 ts, gint64 dur, guint name,
                          guint flags);
/* @thread and @name as ours; they and seq are replaced by the sink's on the way in. */
void        maker_event  (TraceMaker *self, StriaEvent event);
/* Properly nested slices in [t0, t1) of a thread, all times multiples of @grain: some without width,
 * some as wide as their parent, some that touch. */
void        maker_nested (TraceMaker *self, guint thread, gint64 t0, gint64 t1, guint depth,
                          guint fanout, gint64 grain);
/* @n slices anywhere in [t0, t1), overlapping as they like */
void        maker_chaos  (TraceMaker *self, guint thread, gint64 t0, gint64 t1, guint n,
                          gint64 max_dur);
/* Feeds what was made, slices in a random order if @shuffle, and closes the sink. A slice whose seq
 * is a multiple of three has the arguments {"n": SEQ}.
 * Returns: (transfer full): the trace */
StriaTrace *maker_finish (TraceMaker *self, gboolean shuffle);

/* Text of a name. Several share a stem, so that a search finds more than one. */
char       *maker_name   (guint name);
/* A random number in [0, n) */
gint64      maker_random (gint64 n);

/* The slices of all lanes of @trace that belong to thread @thread of the maker, as (lane, index)
 * Returns: (transfer full) (element-type StriaRef) */
GArray     *maker_find   (TraceMaker *self, StriaTrace *trace, guint thread);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TraceMaker, maker_free)

G_END_DECLS
