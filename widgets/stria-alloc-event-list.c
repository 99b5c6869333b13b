/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-alloc-event-list.h"

struct _StriaAllocEventItem
{
  GObject parent_instance;
  guint32 event;
};

G_DEFINE_FINAL_TYPE (StriaAllocEventItem, stria_alloc_event_item, G_TYPE_OBJECT)

static void
stria_alloc_event_item_class_init (StriaAllocEventItemClass *klass)
{
}

static void
stria_alloc_event_item_init (StriaAllocEventItem *self)
{
}

guint32
stria_alloc_event_item_get (StriaAllocEventItem *self)
{
  return self->event;
}

struct _StriaAllocEventList
{
  GObject parent_instance;
  GArray *numbers;
};

static GType
get_item_type (GListModel *model)
{
  return STRIA_TYPE_ALLOC_EVENT_ITEM;
}

static guint
get_n_items (GListModel *model)
{
  return STRIA_ALLOC_EVENT_LIST (model)->numbers->len;
}

static gpointer
get_item (GListModel *model, guint position)
{
  StriaAllocEventList *self = STRIA_ALLOC_EVENT_LIST (model);
  StriaAllocEventItem *item;

  if (position >= self->numbers->len)
    return NULL;
  item = g_object_new (STRIA_TYPE_ALLOC_EVENT_ITEM, NULL);
  item->event = g_array_index (self->numbers, guint32, position);
  return item;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (StriaAllocEventList, stria_alloc_event_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static void
stria_alloc_event_list_finalize (GObject *object)
{
  g_array_unref (STRIA_ALLOC_EVENT_LIST (object)->numbers);
  G_OBJECT_CLASS (stria_alloc_event_list_parent_class)->finalize (object);
}

static void
stria_alloc_event_list_class_init (StriaAllocEventListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stria_alloc_event_list_finalize;
}

static void
stria_alloc_event_list_init (StriaAllocEventList *self)
{
  self->numbers = g_array_new (FALSE, FALSE, sizeof (guint32));
}

StriaAllocEventList *
stria_alloc_event_list_new (void)
{
  return g_object_new (STRIA_TYPE_ALLOC_EVENT_LIST, NULL);
}

void
stria_alloc_event_list_set (StriaAllocEventList *self, GArray *numbers)
{
  const guint before = self->numbers->len;

  g_array_unref (self->numbers);
  self->numbers = numbers != NULL ? numbers : g_array_new (FALSE, FALSE, sizeof (guint32));
  g_list_model_items_changed (G_LIST_MODEL (self), 0, before, self->numbers->len);
}

guint
stria_alloc_event_list_find (StriaAllocEventList *self, guint32 event)
{
  guint low = 0, high = self->numbers->len;

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;

      if (g_array_index (self->numbers, guint32, middle) < event)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}
