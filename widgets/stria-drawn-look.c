/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-drawn-look.h"

#include <adwaita.h>

#include "stria-color.h"
#include "stria-paint-size.h"

#define USUAL_DPI   96.0
#define LEAST_USUAL 10.0 /* points of the desktop's font that count as the usual size */
#define MOST_USUAL  11.0

static double
scale_of (GtkSettings *settings)
{
  g_autofree char *name = NULL;
  PangoFontDescription *font;
  double points, scale = 1;
  int dpi = 0;

  g_object_get (settings, "gtk-xft-dpi", &dpi, "gtk-font-name", &name, NULL);
  font = pango_font_description_from_string (name != NULL ? name : "");
  points = (double) pango_font_description_get_size (font) / PANGO_SCALE;
  if (pango_font_description_get_size_is_absolute (font))
    points *= 72 / USUAL_DPI;
  if (points > MOST_USUAL)
    scale = points / MOST_USUAL;
  else if (points > 0 && points < LEAST_USUAL)
    scale = points / LEAST_USUAL;
  pango_font_description_free (font);
  return dpi > 0 ? scale * dpi / 1024 / USUAL_DPI : scale;
}

static void
take (void)
{
  stria_text_set_scale (scale_of (gtk_settings_get_default ()));
  stria_color_set_high_contrast (
      adw_style_manager_get_high_contrast (adw_style_manager_get_default ()));
}

static void
on_changed (void)
{
  take ();
  g_object_notify (G_OBJECT (adw_style_manager_get_default ()), "dark");
}

void
stria_drawn_look_watch (void)
{
  GtkSettings *settings = gtk_settings_get_default ();

  take ();
  g_signal_connect (settings, "notify::gtk-xft-dpi", G_CALLBACK (on_changed), NULL);
  g_signal_connect (settings, "notify::gtk-font-name", G_CALLBACK (on_changed), NULL);
  g_signal_connect (adw_style_manager_get_default (), "notify::high-contrast",
                    G_CALLBACK (on_changed), NULL);
}
