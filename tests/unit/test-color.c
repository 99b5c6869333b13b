/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-color.h"

#include <math.h>

static double
linear (double channel)
{
  return channel <= 0.04045 ? channel / 12.92 : pow ((channel + 0.055) / 1.055, 2.4);
}

static double
luminance (StriaColor color)
{
  return 0.2126 * linear (color.r) + 0.7152 * linear (color.g) + 0.0722 * linear (color.b);
}

static double
contrast (StriaColor a, StriaColor b)
{
  const double la = luminance (a);
  const double lb = luminance (b);

  return (MAX (la, lb) + 0.05) / (MIN (la, lb) + 0.05);
}

/* What an eye without green receptors gets (Vienot, Brettel and Mollon 1999), in linear light. */
static StriaColor
deuteranope (StriaColor color)
{
  const double r = linear (color.r);
  const double g = linear (color.g);
  const double b = linear (color.b);
  const double rg = 0.29275 * r + 0.70725 * g;

  return (StriaColor){ rg, rg, -0.02234 * r + 0.02234 * g + b };
}

static gboolean
equal (StriaColor a, StriaColor b)
{
  return a.r == b.r && a.g == b.g && a.b == b.b;
}

static void
test_name_alone (void)
{
  const StriaColor color = stria_color_for_name ("aten::mm", FALSE);

  g_assert_true (equal (color, stria_color_for_name ("aten::mm", FALSE)));
  g_assert_false (equal (color, stria_color_for_name ("aten::mm", TRUE)));
  g_assert_true (equal (stria_color_for_name ("call 0x7f00aa at", FALSE),
                        stria_color_for_name ("call 0x55e8 at", FALSE)));
  g_assert_true (equal (stria_color_for_name ("ProfilerStep#7", FALSE),
                        stria_color_for_name ("ProfilerStep#1042", FALSE)));
  /* A number that is part of the name does count */
  g_assert_false (equal (stria_color_for_name ("conv2d", FALSE),
                         stria_color_for_name ("conv3d", FALSE)));
  /* Not an address: nothing follows the x */
  g_assert_false (equal (stria_color_for_name ("0xz", FALSE), stria_color_for_name ("z", FALSE)));
  stria_color_for_name ("", FALSE);
}

static void
test_text_reads (void)
{
  const StriaColor light = { 0.98, 0.98, 0.98 };
  const StriaColor dark = { 0.12, 0.12, 0.12 };

  for (guint i = 0; i < 2000; i++)
    {
      g_autofree char *name = g_strdup_printf ("name-%u", i);

      for (guint style = 0; style < 2; style++)
        {
          const StriaColor color = stria_color_for_name (name, style == 1);

          g_assert_cmpfloat (contrast (color, stria_color_text (color)), >=, 4.5);
          /* It must also stand out from what it is drawn on */
          g_assert_cmpfloat (contrast (color, style == 1 ? dark : light), >=, 1.35);
        }
    }
}

static void
test_names_spread (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  double darkest = 1;
  double lightest = 0;

  for (guint i = 0; i < 1000; i++)
    {
      g_autofree char *name = g_strdup_printf ("kernel_%u", i);
      const StriaColor color = stria_color_for_name (name, FALSE);
      const guint rgb = (guint) (color.r * 255) << 16 | (guint) (color.g * 255) << 8
                        | (guint) (color.b * 255);

      darkest = MIN (darkest, luminance (color));
      lightest = MAX (lightest, luminance (color));
      g_hash_table_add (seen, GUINT_TO_POINTER (rgb));
    }
  g_assert_cmpuint (g_hash_table_size (seen), >=, 30);
  g_assert_cmpfloat (lightest / darkest, >, 1.8);
}

static void
test_series_apart (void)
{
  for (guint style = 0; style < 2; style++)
    for (guint i = 0; i < 8; i++)
      for (guint j = 0; j < i; j++)
        {
          const StriaColor a = deuteranope (stria_color_series (i, style == 1));
          const StriaColor b = deuteranope (stria_color_series (j, style == 1));
          const double distance = fabs (a.r - b.r) + fabs (a.b - b.b);

          g_assert_cmpfloat (distance, >, 0.03);
        }
  g_assert_true (equal (stria_color_series (0, TRUE), stria_color_series (8, TRUE)));
}

static void
test_mix (void)
{
  const StriaColor black = { 0, 0, 0 };
  const StriaColor white = { 1, 1, 1 };

  g_assert_true (equal (stria_color_mix (black, white, 0), black));
  g_assert_true (equal (stria_color_mix (black, white, 1), white));
  g_assert_cmpfloat (stria_color_mix (black, white, 0.25).g, ==, 0.25);
}

/* Each palette has colours of its own; what was kept of one is not taken for another. */
static void
test_palettes (void)
{
  StriaColor of[STRIA_PALETTE_N];
  guint32 place = 0;

  for (guint i = 0; i < STRIA_PALETTE_N; i++)
    {
      stria_color_set_palette ((StriaPalette) i);
      of[i] = stria_color_for_name ("aten::mm", FALSE);
      g_assert_cmphex (stria_color_kept (&place), ==, 0);
      stria_color_keep (&place, stria_color_argb (of[i]));
      g_assert_cmphex (stria_color_kept (&place), ==, stria_color_argb (of[i]));
      for (guint j = 0; j < i; j++)
        g_assert_false (equal (of[i], of[j]));
      for (guint n = 1; n < 8; n++)
        g_assert_false (equal (stria_color_series (n - 1, TRUE), stria_color_series (n, TRUE)));
    }
  g_assert_true (of[STRIA_PALETTE_GRAY].r == of[STRIA_PALETTE_GRAY].g);
  stria_color_set_palette (STRIA_PALETTE_STANDARD);
}

/* Of the safe one, hardly any colour changes for an eye without green receptors: what it confuses,
 * others confuse as well. */
static void
test_color_blind (void)
{
  double most[2] = { 0, 0 };

  for (guint p = 0; p < 2; p++)
    {
      stria_color_set_palette (p == 0 ? STRIA_PALETTE_STANDARD : STRIA_PALETTE_COLOR_BLIND);
      for (guint i = 0; i < 400; i++)
        {
          g_autofree char *name = g_strdup_printf ("name%u", i);
          const StriaColor color = stria_color_for_name (name, FALSE);
          const StriaColor seen = deuteranope (color);

          most[p] = MAX (most[p], fabs (linear (color.r) - seen.r) + fabs (linear (color.g) - seen.g));
        }
    }
  g_assert_cmpfloat (most[1], <, most[0] / 2);
  stria_color_set_palette (STRIA_PALETTE_STANDARD);
}

/* Colours by number: all of a round are different, and the first ones in hue. */
static void
test_numbers (void)
{
  for (guint i = 0; i < 36; i++)
    for (guint k = 0; k < i; k++)
      g_assert_false (equal (stria_color_for_number (i, TRUE), stria_color_for_number (k, TRUE)));
  g_assert_true (equal (stria_color_for_number (36, FALSE), stria_color_for_number (0, FALSE)));
  g_assert_cmpfloat_with_epsilon (stria_color_for_number (G_MAXUINT, FALSE).r,
                                  stria_color_for_number (G_MAXUINT, FALSE).b, 0.05);
}

/* Every colour stands out from its ground, text from every colour; what was kept is not mixed up. */
static void
test_high_contrast (void)
{
  const StriaColor usual = stria_color_for_number (0, FALSE);
  guint32 place = 0;

  stria_color_keep (&place, stria_color_argb (usual));
  stria_color_set_high_contrast (TRUE);
  g_assert_cmpuint (stria_color_kept (&place), ==, 0);
  for (guint p = 0; p < STRIA_PALETTE_N; p++)
    for (guint i = 0; i < 36 + 8; i++)
      for (int dark = 0; dark < 2; dark++)
        {
          const StriaColor ground = dark ? (StriaColor){ 0.1, 0.1, 0.1 } : (StriaColor){ 1, 1, 1 };
          StriaColor color;

          stria_color_set_palette ((StriaPalette) p);
          color = i < 36 ? stria_color_for_number (i, dark) : stria_color_series (i - 36, dark);
          g_assert_cmpfloat (contrast (color, ground), >, 3);
          g_assert_cmpfloat (contrast (color, stria_color_text (color)), >, 7);
        }
  stria_color_set_palette (STRIA_PALETTE_STANDARD);
  stria_color_set_high_contrast (FALSE);
  g_assert_cmpuint (stria_color_kept (&place), ==, stria_color_argb (usual));
  g_assert_true (equal (stria_color_for_number (0, FALSE), usual));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/color/name-alone", test_name_alone);
  g_test_add_func ("/color/text-reads", test_text_reads);
  g_test_add_func ("/color/names-spread", test_names_spread);
  g_test_add_func ("/color/series-apart", test_series_apart);
  g_test_add_func ("/color/mix", test_mix);
  g_test_add_func ("/color/palettes", test_palettes);
  g_test_add_func ("/color/color-blind", test_color_blind);
  g_test_add_func ("/color/numbers", test_numbers);
  g_test_add_func ("/color/high-contrast", test_high_contrast);
  return g_test_run ();
}
