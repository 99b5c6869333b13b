/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

#include "stria-alloc-painter.h"

G_BEGIN_DECLS

#define STRIA_TYPE_ALLOC_STATE (stria_alloc_state_get_type ())
G_DECLARE_FINAL_TYPE (StriaAllocState, stria_alloc_state, STRIA, ALLOC_STATE, GObject)

/**
 * StriaAllocState:
 *
 * What the user looks at in one allocator: the moment, the selected block, the visible range and
 * what colours say. All pages of the memory view listen to it and set it. Main thread only.
 *
 * Signals: "device-changed" (another allocator), "view-changed" (range, axis, kind, colours, text),
 * "moment-changed" (moment or base), "selection-changed" (block or event).
 */
StriaAllocState *stria_alloc_state_new           (void);
/* Forgets everything; @allocator of @snapshot, both NULL for none */
void             stria_alloc_state_set_allocator (StriaAllocState *self, StriaSnapshotData *snapshot,
                                                  StriaAllocator *allocator);
/* Returns: (transfer none) (nullable) */
StriaAllocator  *stria_alloc_state_get_allocator (StriaAllocState *self);
StriaSnapshotData *stria_alloc_state_get_snapshot (StriaAllocState *self);
/* All of it as painters take it; what it points to lives until the allocator changes */
void             stria_alloc_state_fill_view     (StriaAllocState *self, StriaAllocView *view);

guint32          stria_alloc_state_get_step      (StriaAllocState *self);
void             stria_alloc_state_set_step      (StriaAllocState *self, guint32 step);
void             stria_alloc_state_go_peak       (StriaAllocState *self);
/* The moment to compare with; %G_MAXUINT32 = none */
guint32          stria_alloc_state_get_base      (StriaAllocState *self);
void             stria_alloc_state_set_base      (StriaAllocState *self, guint32 step);

guint32          stria_alloc_state_get_selected  (StriaAllocState *self);
void             stria_alloc_state_select        (StriaAllocState *self, guint32 element);
/* Selects an event: its block, and the moment after it. %STRIA_NO_EVENT selects none */
guint32          stria_alloc_state_get_event     (StriaAllocState *self);
void             stria_alloc_state_select_event  (StriaAllocState *self, guint32 event);

void             stria_alloc_state_set_by_time   (StriaAllocState *self, gboolean by_time);
void             stria_alloc_state_set_kind      (StriaAllocState *self, StriaPlotKind kind);
/* Whether private pools have bands; they do until told otherwise */
void             stria_alloc_state_set_pools     (StriaAllocState *self, gboolean pools);
void             stria_alloc_state_set_color     (StriaAllocState *self, StriaAllocColorMode color);
void             stria_alloc_state_set_highlight (StriaAllocState *self, const char *text);
/* Visible range, kept inside the trace. */
void             stria_alloc_state_set_range     (StriaAllocState *self, gint64 x0, gint64 x1);
void             stria_alloc_state_get_range     (StriaAllocState *self, gint64 *x0, gint64 *x1);
/* The plot stands under something with a time axis of its own, @left pixels from the left and @right
 * from the right: it has no axis and no legend, and its range goes from @bound0 to @bound1 at most,
 * also where nothing was recorded. */
void             stria_alloc_state_share_axis    (StriaAllocState *self, gint64 bound0,
                                                  gint64 bound1, double left, double right);
void             stria_alloc_state_fit           (StriaAllocState *self);
/* @center: on the axis */
void             stria_alloc_state_zoom          (StriaAllocState *self, double center,
                                                  double factor);
void             stria_alloc_state_pan           (StriaAllocState *self, double share);

/* What is said about a block of the plot in short: markup. Returns: (transfer full) */
char            *stria_alloc_state_card          (StriaAllocState *self, guint32 element);
/* The same about the band of a private pool at @step */
char            *stria_alloc_state_pool_card     (StriaAllocState *self, guint pool, guint32 step);

G_END_DECLS
