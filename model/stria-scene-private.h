/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-graph-scene.h"

/* A scene while it is made: what stands in it and is wired (stria-scene.c), then where
 * (stria-scene-place.c). */

G_BEGIN_DECLS

/* An edge between two boxes of one container, or between one of them and the container's border. */
typedef struct
{
  guint32 container; /* item, or STRIA_NO_ITEM: the scene */
  guint32 from, to;  /* items, or STRIA_LAYOUT_BORDER */
} StriaSceneLocal;

typedef struct
{
  StriaScene *scene;
  const StriaFold *fold;
  GArray *items; /* StriaSceneItem */
  GArray *wires; /* StriaSceneWire */
  GArray *points;
  guint32 *weights;
  GArray *siblings; /* of the last group with sections */
  guint32 siblings_group;
  guint32 *depth;       /* of items */
  GArray *locals;       /* StriaSceneLocal */
  GHashTable *local_of; /* StriaSceneLocal -> number + 1 */
  guint32 *local_start; /* by container + 1; the first is the scene's own */
  guint32 *local_items;
  guint32 *path_first; /* of locals: pairs in paths */
  guint32 *path_count;
  GArray *paths;  /* float, relative to the content of the container */
  float *content; /* of items + 1: width and height of what stands in it */
  float *entry;   /* of open items: where wires enter across, from the middle */
  float *leaving; /* likewise where they leave */
  StriaScene *previous;
  GHashTable *previous_items; /* identity -> item + 1 */
  GCancellable *cancellable;
} StriaSceneWork;

static inline StriaSceneItem *
item_at (StriaSceneWork *self, guint32 item)
{
  return &g_array_index (self->items, StriaSceneItem, item);
}

/* The boxes that stand in the innermost common container of two: one holds or is @a, one @b. */
void     stria_scene_lift        (StriaSceneWork *self, guint32 *a, guint32 *b);

/* Size and place of every box and the paths within each container. FALSE: cancelled */
gboolean stria_scene_place_items (StriaSceneWork *self, StriaSceneMeasure measure,
                                  gpointer user_data);
/* The points of a wire between boxes that have their place */
void     stria_scene_route       (StriaSceneWork *self, StriaSceneWire *wire);

G_END_DECLS
