/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  double r, g, b;
} StriaColor;

/**
 * StriaPalette:
 * @STRIA_PALETTE_STANDARD: twelve hues at three lightnesses
 * @STRIA_PALETTE_COLOR_BLIND: blues and yellows only, told apart by lightness and strength: the axis
 *   that the common kinds of colour blindness leave
 * @STRIA_PALETTE_GRAY: no hue, for print
 */
typedef enum
{
  STRIA_PALETTE_STANDARD,
  STRIA_PALETTE_COLOR_BLIND,
  STRIA_PALETTE_GRAY,
  STRIA_PALETTE_N,
} StriaPalette;

/* Of the whole program; colours that were asked for before stay as they were. Any thread. */
void         stria_color_set_palette (StriaPalette palette);
StriaPalette stria_color_get_palette (void);

/* Whether colours are made darker on light and lighter on dark ground, so far that they stand out from
 * it at least 3:1, and text on them 7:1. Of the whole program, as the palette is. Any thread. */
void         stria_color_set_high_contrast (gboolean high);
gboolean     stria_color_get_high_contrast (void);
/* A colour as it is drawn: itself, unless contrast is high */
StriaColor   stria_color_shown (StriaColor color, gboolean dark);

/* Colour of a name: the same in every view and in every run with a palette, since it comes from the text alone
 * (hexadecimal addresses and numbers behind a '#' do not count). Told apart by lightness as well as
 * hue, so that it holds for colour-blind eyes; readable with stria_color_text() on it. */
StriaColor stria_color_for_name (const char *name, gboolean dark);
/* Colour of the @n-th of names that lie side by side, from 0: the first twelve are of different hues,
 * 36 are all different. For what has many neighbours and few names; another capture may count
 * otherwise. G_MAXUINT: the grey of what has no name */
StriaColor stria_color_for_number (guint n, gboolean dark);
/* Opaque, 8 bits a channel */
static inline guint32
stria_color_argb (StriaColor color)
{
  return 0xff000000u | (guint32) (color.r * 255 + 0.5) << 16 | (guint32) (color.g * 255 + 0.5) << 8
         | (guint32) (color.b * 255 + 0.5);
}
/* Another number for each way in which colours are chosen, less than 64 */
static inline guint32
stria_color_way (void)
{
  return (guint32) stria_color_get_palette () + (stria_color_get_high_contrast () ? 8u : 0u);
}
/* A place to keep opaque colours of a palette in, which is 0 before the first one. Returns: the colour
 * that is kept, or 0 if there is none of the palette that is used now */
static inline guint32
stria_color_kept (const guint32 *place)
{
  const guint32 kept = __atomic_load_n (place, __ATOMIC_RELAXED);

  return kept >> 24 == 0x80u + stria_color_way () ? kept | 0xff000000u : 0;
}
static inline guint32
stria_color_keep (guint32 *place, guint32 argb)
{
  __atomic_store_n (place, (argb & 0xffffffu) | (0x80u + stria_color_way ()) << 24,
                    __ATOMIC_RELAXED);
  return argb;
}
/* Black or white, whichever reads on @color */
StriaColor stria_color_text     (StriaColor color);
StriaColor stria_color_mix      (StriaColor a, StriaColor b, double share_of_b);
StriaColor stria_color_series   (guint n, gboolean dark);

G_END_DECLS
