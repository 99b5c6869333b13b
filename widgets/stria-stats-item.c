/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-stats-item.h"

struct _StriaStatsItem
{
  GObject parent_instance;

  char         *name;
  StriaStatsRow row;
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (StriaStatsItem, stria_stats_item, G_TYPE_OBJECT)

static void
stria_stats_item_finalize (GObject *object)
{
  g_free (STRIA_STATS_ITEM (object)->name);
  G_OBJECT_CLASS (stria_stats_item_parent_class)->finalize (object);
}

static void
stria_stats_item_class_init (StriaStatsItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stria_stats_item_finalize;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_stats_item_init (StriaStatsItem *self)
{
}

/**
 * stria_stats_item_new:
 * @name: what the row is about
 * @row: its figures; copied
 *
 * Returns: (transfer full): the item
 */
StriaStatsItem *
stria_stats_item_new (const char *name, const StriaStatsRow *row)
{
  StriaStatsItem *self = g_object_new (STRIA_TYPE_STATS_ITEM, NULL);

  self->name = g_strdup (name);
  self->row = *row;
  return self;
}

const char *
stria_stats_item_get_name (StriaStatsItem *self)
{
  g_return_val_if_fail (STRIA_IS_STATS_ITEM (self), NULL);

  return self->name;
}

const StriaStatsRow *
stria_stats_item_get_row (StriaStatsItem *self)
{
  g_return_val_if_fail (STRIA_IS_STATS_ITEM (self), NULL);

  return &self->row;
}

void
stria_stats_item_set_row (StriaStatsItem *self, const StriaStatsRow *row)
{
  g_return_if_fail (STRIA_IS_STATS_ITEM (self));

  self->row = *row;
  g_signal_emit (self, changed_signal, 0);
}
