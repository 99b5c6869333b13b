/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-address-map.h"

G_BEGIN_DECLS

/* What was seen */
typedef struct
{
  gint64 t0, t1, y0, y1;
} StriaAddressPlace;

struct _StriaAddressMap
{
  GtkWidget parent_instance;

  StriaAddressView view;
  StriaAddressPlace whole;
  gboolean          has_any;
  GCancellable     *cancellable; /* of the picture that is painted */
  GdkTexture       *texture;
  StriaAddressPlace shown;       /* in @texture */
  int               shown_width, shown_height;
  gboolean          working, wanted;
  guint             generation;

  double            pointer_x, pointer_y;
  gboolean          is_inside;
  gboolean          is_dragging, is_panning;
  double            drag_x, drag_y, drag_dx, drag_dy;
  StriaAddressPlace drag_from;
  GArray           *places; /* StriaAddressPlace: before each zoom by a drag */
};

/* Keeps it in bounds and has it painted. */
void stria_address_map_go        (StriaAddressMap *self, StriaAddressPlace place);
StriaAddressPlace stria_address_map_place (StriaAddressMap *self);
void stria_address_map_choose    (StriaAddressMap *self, guint range, gint64 moment);
void stria_address_map_activate  (StriaAddressMap *self);
void stria_address_map_add_input (StriaAddressMap *self);

G_END_DECLS
