/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-look.h"

#include <adwaita.h>
#include <libintl.h>

#include "stria-color.h"
#include "stria-drawn-look.h"
#include "stria-format.h"
#include "stria-neuron-clock.h"
#include "stria-settings.h"

gboolean
stria_look_is_zone (const char *name)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_identifier (name);

  return zone != NULL;
}

void
stria_look_apply_style (void)
{
  static const AdwColorScheme schemes[] = {
    [STRIA_STYLE_SYSTEM] = ADW_COLOR_SCHEME_DEFAULT,
    [STRIA_STYLE_LIGHT] = ADW_COLOR_SCHEME_FORCE_LIGHT,
    [STRIA_STYLE_DARK] = ADW_COLOR_SCHEME_FORCE_DARK,
  };
  const int style = stria_settings_get (STRIA_SETTING_STYLE);

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      schemes[CLAMP (style, STRIA_STYLE_SYSTEM, STRIA_STYLE_DARK)]);
}

/* GTK asks GLib, which gives no translation of anything to a program that has none in a language; but
 * whoever reads from right to left looks for things there whatever they are called. */
static void
take_direction (void)
{
  const char *message = "default:LTR"; /* of GTK, not of the program */

  if (g_str_equal (dgettext ("gtk40", message), "default:RTL"))
    gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  stria_format_set_mirrored (gtk_widget_get_default_direction () == GTK_TEXT_DIR_RTL);
}

void
stria_look_start (void)
{
  take_direction ();
  stria_drawn_look_watch ();
  stria_look_apply ();
}

void
stria_look_apply (void)
{
  g_autofree char *name = stria_settings_get_text (STRIA_SETTING_TIME_ZONE);
  g_autoptr (GTimeZone) zone = *name != '\0' ? g_time_zone_new_identifier (name) : NULL;
  const int palette = stria_settings_get (STRIA_SETTING_PALETTE);
  const int unit = stria_settings_get (STRIA_SETTING_TIME_UNIT);

  stria_look_apply_style ();
  stria_color_set_palette ((StriaPalette) CLAMP (palette, 0, STRIA_PALETTE_N - 1));
  stria_format_set_time_unit ((StriaShownUnit) CLAMP (unit, 0, (int) STRIA_SHOWN_S));
  stria_format_set_time_zone (zone);
  stria_neuron_clock_set_shown (stria_settings_get (STRIA_SETTING_SHOW_CYCLES));
}
