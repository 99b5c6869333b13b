/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

#include "stria-allocator.h"

G_BEGIN_DECLS

#define STRIA_TYPE_ALLOC_EVENT_ITEM (stria_alloc_event_item_get_type ())
G_DECLARE_FINAL_TYPE (StriaAllocEventItem, stria_alloc_event_item, STRIA, ALLOC_EVENT_ITEM, GObject)
guint32 stria_alloc_event_item_get (StriaAllocEventItem *self);

#define STRIA_TYPE_ALLOC_EVENT_LIST (stria_alloc_event_list_get_type ())
G_DECLARE_FINAL_TYPE (StriaAllocEventList, stria_alloc_event_list, STRIA, ALLOC_EVENT_LIST, GObject)

/**
 * StriaAllocEventList:
 *
 * A list model over numbers of events. Items are made when they are asked for, so that millions
 * cost four bytes each.
 */
StriaAllocEventList *stria_alloc_event_list_new (void);
/* @numbers: (transfer full) (nullable) (element-type guint32): ascending */
void                 stria_alloc_event_list_set (StriaAllocEventList *self, GArray *numbers);
/* Position of the first event at or after @event; the length if there is none */
guint                stria_alloc_event_list_find (StriaAllocEventList *self, guint32 event);

G_END_DECLS
