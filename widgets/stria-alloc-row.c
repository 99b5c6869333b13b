/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-alloc-row.h"

#include <math.h>

struct _StriaAllocRow
{
  GObject parent_instance;

  char   *name;
  char   *color_name;
  guint32 node;
  guint32 frame;
  double  values[STRIA_N_ALLOC_VALUES];
};

G_DEFINE_FINAL_TYPE (StriaAllocRow, stria_alloc_row, G_TYPE_OBJECT)

static void
stria_alloc_row_finalize (GObject *object)
{
  g_free (STRIA_ALLOC_ROW (object)->name);
  g_free (STRIA_ALLOC_ROW (object)->color_name);
  G_OBJECT_CLASS (stria_alloc_row_parent_class)->finalize (object);
}

static void
stria_alloc_row_class_init (StriaAllocRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stria_alloc_row_finalize;
}

static void
stria_alloc_row_init (StriaAllocRow *self)
{
  for (guint i = 0; i < STRIA_N_ALLOC_VALUES; i++)
    self->values[i] = NAN;
  self->frame = G_MAXUINT32;
}

StriaAllocRow *
stria_alloc_row_new (const char *name, const char *color_name, guint32 node)
{
  StriaAllocRow *self = g_object_new (STRIA_TYPE_ALLOC_ROW, NULL);

  self->name = g_strdup (name);
  self->color_name = g_strdup (color_name);
  self->node = node;
  return self;
}

const char *
stria_alloc_row_get_name (StriaAllocRow *self)
{
  return self->name;
}

const char *
stria_alloc_row_get_color_name (StriaAllocRow *self)
{
  return self->color_name;
}

guint32
stria_alloc_row_get_node (StriaAllocRow *self)
{
  return self->node;
}

void
stria_alloc_row_set_frame (StriaAllocRow *self, guint32 frame)
{
  self->frame = frame;
}

guint32
stria_alloc_row_get_frame (StriaAllocRow *self)
{
  return self->frame;
}

double
stria_alloc_row_get (StriaAllocRow *self, StriaAllocValue value)
{
  return self->values[value];
}

void
stria_alloc_row_set (StriaAllocRow *self, StriaAllocValue value, double number)
{
  self->values[value] = number;
}
