/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MEMORY_VIEW (stria_memory_view_get_type ())
G_DECLARE_FINAL_TYPE (StriaMemoryView, stria_memory_view, STRIA, MEMORY_VIEW, GtkWidget)

/**
 * StriaMemoryView:
 *
 * Memory of a capture: the PyTorch allocator, where snapshots of it were read, and what tables of a
 * Neuron profile say of theirs.
 */
GtkWidget *stria_memory_view_new (StriaSession *session);
/* Whether @capture has an allocator snapshot, or tables of device memories; any thread */
gboolean   stria_memory_view_has_data (StriaCapture *capture);

G_END_DECLS
