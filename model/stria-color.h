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
/* Black or white, whichever reads on @color */
StriaColor stria_color_text     (StriaColor color);
StriaColor stria_color_mix      (StriaColor a, StriaColor b, double share_of_b);
StriaColor stria_color_series   (guint n, gboolean dark);

G_END_DECLS
