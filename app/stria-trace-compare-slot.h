/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_TRACE_COMPARE_SLOT (stria_trace_compare_slot_get_type ())
G_DECLARE_FINAL_TYPE (StriaTraceCompareSlot, stria_trace_compare_slot, STRIA, TRACE_COMPARE_SLOT,
                      GtkWidget)

/**
 * StriaTraceCompareSlot:
 *
 * One of the captures that are compared: its name and timeline, while it is read how far that is.
 *
 * Signals: "ready" (it was read, or more of it was), "remove" (it shall not be compared any more),
 * "base" (the others shall be compared to it).
 */
/* @capture: one that is open elsewhere, which is not imported and can't be removed.
 * Returns: (transfer floating) */
GtkWidget    *stria_trace_compare_slot_new_open (StriaCapture *capture);
/* @paths: what is to be read. Returns: (transfer floating) */
GtkWidget    *stria_trace_compare_slot_new      (const char *const *paths);
/* Returns: (transfer none) (nullable): NULL until it is scanned */
StriaSession *stria_trace_compare_slot_get_session  (StriaTraceCompareSlot *self);
/* Whether its events are there */
gboolean      stria_trace_compare_slot_is_ready     (StriaTraceCompareSlot *self);
char         *stria_trace_compare_slot_dup_title    (StriaTraceCompareSlot *self);
/* Returns: (transfer none) (nullable): its timeline */
GtkWidget    *stria_trace_compare_slot_get_timeline (StriaTraceCompareSlot *self);
/* @number: from 1 */
void          stria_trace_compare_slot_set_number   (StriaTraceCompareSlot *self, guint number,
                                                     gboolean is_base);

G_END_DECLS
