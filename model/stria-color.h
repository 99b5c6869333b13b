/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  double r, g, b;
} StriaColor;

/* Colour of a name: the same in every view and in every run, since it comes from the text alone
 * (hexadecimal addresses and numbers behind a '#' do not count). Told apart by lightness as well as
 * hue, so that it holds for colour-blind eyes; readable with stria_color_text() on it. */
StriaColor stria_color_for_name (const char *name, gboolean dark);
/* Opaque, 8 bits a channel */
static inline guint32
stria_color_argb (StriaColor color)
{
  return 0xff000000u | (guint32) (color.r * 255 + 0.5) << 16 | (guint32) (color.g * 255 + 0.5) << 8
         | (guint32) (color.b * 255 + 0.5);
}
/* Black or white, whichever reads on @color */
StriaColor stria_color_text     (StriaColor color);
StriaColor stria_color_mix      (StriaColor a, StriaColor b, double share_of_b);
StriaColor stria_color_series   (guint n, gboolean dark);

G_END_DECLS
