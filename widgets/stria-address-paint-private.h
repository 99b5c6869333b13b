/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-address-map-painter.h"
#include "stria-paint-kit.h"

G_BEGIN_DECLS

#define STRIA_ADDRESS_FONT_SIZE (9.0 * stria_text_get_scale ())

static inline double
stria_address_x (const StriaAddressView *view, const StriaAddressBox *box, gint64 time)
{
  return box->x
         + ((double) time - (double) view->t0) * box->width
               / ((double) view->t1 - (double) view->t0);
}

/* Of an address; addresses grow upwards */
static inline double
stria_address_y (const StriaAddressView *view, const StriaAddressBox *box, double address)
{
  return box->y + box->height
         - (address - (double) view->y0) * box->height
               / ((double) view->y1 - (double) view->y0);
}

/* A line across the plot with a text left of it */
void stria_address_paint_tick     (cairo_t *cr, const StriaAddressView *view, StriaPaintKit *kit,
                                   const StriaAddressBox *box, const char *text, double y);
void stria_address_paint_fullness (cairo_t *cr, const StriaAddressView *view, StriaPaintKit *kit,
                                   const StriaAddressBox *box);
void stria_address_paint_stack    (cairo_t *cr, const StriaAddressView *view, StriaPaintKit *kit,
                                   const StriaAddressBox *box);

G_END_DECLS
