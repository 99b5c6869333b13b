/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture-page.h"
#include "stria-view-state.h"

G_BEGIN_DECLS

/**
 * StriaCaptureMemory:
 *
 * Keeps what a person looks at in a capture, and finds it again: takes what was kept last time once the
 * page has read its capture, and writes changes two seconds later and when the page goes away. All
 * files are read and written on one worker, in order. The program does not end before they are.
 */
typedef struct _StriaCaptureMemory StriaCaptureMemory;

/* @page: which must live longer. @state: (transfer full) (nullable): what to begin with, instead of
 * what is in a file. @has_target: whether somebody asked for a place, which then decides the view */
StriaCaptureMemory *stria_capture_memory_new   (StriaCapturePage *page, StriaViewState *state,
                                                gboolean has_target);
/* Writes what is not written yet */
void                stria_capture_memory_free  (StriaCaptureMemory *self);
/* Returns: (transfer full): as it is now */
StriaViewState     *stria_capture_memory_get   (StriaCaptureMemory *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaCaptureMemory, stria_capture_memory_free)

G_END_DECLS
