/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-color.h"

#include <math.h>

/**
 * SECTION:stria-color
 *
 * Colours are chosen in Oklab, where equal steps look equal. A name gets one of 12 hues at one of 3
 * lightnesses; neighbouring hues differ in lightness too, so that pairs which a colour-blind eye
 * cannot tell by hue differ in brightness.
 */

#define N_HUES   12
#define N_LEVELS 3
#define N_COLORS (N_HUES * N_LEVELS)

/* Degrees, and what is added to the level's lightness: blues and reds darker, yellows lighter. */
typedef struct
{
  double hue;
  double lightness;
  double chroma;
} Hue;

static const Hue hues[STRIA_PALETTE_N][N_HUES] = {
  [STRIA_PALETTE_STANDARD] = {
    { 255, -0.020, 0.105 }, { 145, 0.015, 0.105 },  { 55, -0.005, 0.110 },  { 300, -0.035, 0.105 },
    { 200, 0.030, 0.080 },  { 25, -0.030, 0.110 },  { 90, 0.050, 0.110 },   { 335, 0.005, 0.100 },
    { 175, -0.030, 0.080 }, { 275, 0.020, 0.095 },  { 118, -0.020, 0.100 }, { 228, -0.045, 0.085 },
  },
  [STRIA_PALETTE_COLOR_BLIND] = {
    { 267, -0.100, 0.140 }, { 103, 0.070, 0.130 },  { 262, 0.050, 0.070 },  { 98, -0.060, 0.090 },
    { 274, -0.030, 0.120 }, { 108, 0.020, 0.050 },  { 257, 0.080, 0.110 },  { 93, -0.110, 0.075 },
    { 267, -0.070, 0.050 }, { 106, 0.050, 0.095 },  { 270, 0.020, 0.030 },  { 100, -0.020, 0.120 },
  },
  [STRIA_PALETTE_GRAY] = {
    { 0, -0.140, 0 }, { 0, 0.020, 0 },  { 0, -0.060, 0 }, { 0, 0.100, 0 },
    { 0, -0.100, 0 }, { 0, 0.060, 0 },  { 0, -0.020, 0 }, { 0, 0.140, 0 },
    { 0, -0.120, 0 }, { 0, 0.040, 0 },  { 0, -0.080, 0 }, { 0, 0.080, 0 },
  },
};

static const double light_levels[N_LEVELS] = { 0.67, 0.74, 0.81 };
static const double dark_levels[N_LEVELS] = { 0.57, 0.65, 0.73 };

/* Lines of charts: after Okabe and Ito, whose eight colours stay apart in every kind of colour
 * blindness, so that they are those of both palettes that have hues. */
#define N_SERIES 8
static const guint32 series_light[N_SERIES] = { 0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                        0xb8860b, 0x56b4e9, 0x5e4fa2, 0x6b6b6b };
static const guint32 series_dark[N_SERIES] = { 0x4aa3e0, 0xf28c4a, 0x2fc59a, 0xe29ac4,
                                       0xe6c04a, 0x8fd0f5, 0xa79be8, 0xa8a8a8 };

static int palette_used = STRIA_PALETTE_STANDARD;
static int is_high;

/* Luminances of colours where contrast is high: white reads on those of light ground, black on those
 * of dark ground, at 7:1. They stay apart from each other as far as that leaves room. */
static const double light_range[2] = { 0.055, 0.098 };
static const double dark_range[2] = { 0.32, 0.60 };

static double
companded (double linear)
{
  if (linear <= 0.0031308)
    return 12.92 * linear;
  return 1.055 * pow (linear, 1 / 2.4) - 0.055;
}

static double
linearised (double channel)
{
  if (channel <= 0.04045)
    return channel / 12.92;
  return pow ((channel + 0.055) / 1.055, 2.4);
}

/* Oklab to sRGB (B. Ottosson's matrices); FALSE if a channel lies outside 0..1. */
static gboolean
oklch_to_rgb (double lightness, double chroma, double hue, StriaColor *color)
{
  const double a = chroma * cos (hue * G_PI / 180);
  const double b = chroma * sin (hue * G_PI / 180);
  const double l = pow (lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = pow (lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = pow (lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  const double red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
  const double green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
  const double blue = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
  const gboolean inside = MIN (red, MIN (green, blue)) >= 0 && MAX (red, MAX (green, blue)) <= 1;

  color->r = companded (CLAMP (red, 0, 1));
  color->g = companded (CLAMP (green, 0, 1));
  color->b = companded (CLAMP (blue, 0, 1));
  return inside;
}

static void
fill_palette (StriaColor *palette, const Hue *own, const double *levels)
{
  for (guint i = 0; i < N_COLORS; i++)
    {
      const guint hue = i % N_HUES;
      const double lightness = levels[i / N_HUES] + own[hue].lightness;
      double chroma = own[hue].chroma;

      while (!oklch_to_rgb (lightness, chroma, own[hue].hue, &palette[i]) && chroma > 0.02)
        chroma -= 0.005;
    }
}

static double
luminance_of (StriaColor color)
{
  return 0.2126 * linearised (color.r) + 0.7152 * linearised (color.g)
         + 0.0722 * linearised (color.b);
}

/* The same hue: darker by so much, or mixed with so much white, that its luminance is as wanted. */
static StriaColor
with_luminance (StriaColor color, double wanted)
{
  const double has = MAX (luminance_of (color), 1e-4);
  const double keep = wanted < has ? wanted / has : (1 - wanted) / MAX (1 - has, 1e-4);
  const double white = wanted < has ? 0 : 1 - keep;

  return (StriaColor){ companded (linearised (color.r) * keep + white),
                       companded (linearised (color.g) * keep + white),
                       companded (linearised (color.b) * keep + white) };
}

static double
vivid (double channel, double luminance)
{
  return companded (CLAMP (luminance + (linearised (channel) - luminance) * 1.8, 0, 1));
}

static StriaColor
high_contrast (StriaColor color, gboolean dark)
{
  const double *range = dark ? dark_range : light_range;
  const double has = luminance_of (color);
  const double wanted = range[0] + (range[1] - range[0]) * CLAMP (has, 0, 1);

  /* Dark colours look grey without more of their hue. */
  if (!dark)
    color = (StriaColor){ vivid (color.r, has), vivid (color.g, has), vivid (color.b, has) };
  return with_luminance (color, wanted);
}

static const StriaColor *
palette_for (gboolean dark)
{
  static StriaColor palettes[STRIA_PALETTE_N][4][N_COLORS];
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      for (guint i = 0; i < STRIA_PALETTE_N; i++)
        {
          fill_palette (palettes[i][0], hues[i], light_levels);
          fill_palette (palettes[i][1], hues[i], dark_levels);
          for (guint c = 0; c < N_COLORS; c++)
            {
              palettes[i][2][c] = high_contrast (palettes[i][0][c], FALSE);
              palettes[i][3][c] = high_contrast (palettes[i][1][c], TRUE);
            }
        }
      g_once_init_leave (&ready, 1);
    }
  return palettes[stria_color_get_palette ()]
                 [(dark ? 1 : 0) + (stria_color_get_high_contrast () ? 2 : 0)];
}

/* FNV-1a with a final mix. Leaves out what changes from run to run: "0x7f12ab", "#1234". */
static guint32
name_hash (const char *name)
{
  const guint8 *p = (const guint8 *) name;
  guint32 hash = 2166136261u;

  while (*p != 0)
    {
      if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && g_ascii_isxdigit ((char) p[2]))
        {
          for (p += 2; g_ascii_isxdigit ((char) *p);)
            p++;
          continue;
        }
      hash = (hash ^ *p) * 16777619u;
      if (*p++ == '#')
        while (g_ascii_isdigit ((char) *p))
          p++;
    }
  hash ^= hash >> 16;
  hash *= 0x85ebca6bu;
  hash ^= hash >> 13;
  hash *= 0xc2b2ae35u;
  return hash ^ (hash >> 16);
}

void
stria_color_set_palette (StriaPalette palette)
{
  g_return_if_fail (palette >= STRIA_PALETTE_STANDARD && palette < STRIA_PALETTE_N);

  g_atomic_int_set (&palette_used, (int) palette);
}

StriaPalette
stria_color_get_palette (void)
{
  return (StriaPalette) g_atomic_int_get (&palette_used);
}

void
stria_color_set_high_contrast (gboolean high)
{
  g_atomic_int_set (&is_high, high ? 1 : 0);
}

gboolean
stria_color_get_high_contrast (void)
{
  return g_atomic_int_get (&is_high) != 0;
}

StriaColor
stria_color_shown (StriaColor color, gboolean dark)
{
  return stria_color_get_high_contrast () ? high_contrast (color, dark) : color;
}

StriaColor
stria_color_for_name (const char *name, gboolean dark)
{
  g_return_val_if_fail (name != NULL, ((StriaColor){ 0.5, 0.5, 0.5 }));

  return palette_for (dark)[name_hash (name) % N_COLORS];
}

StriaColor
stria_color_for_number (guint n, gboolean dark)
{
  if (n == G_MAXUINT)
    return stria_color_shown (dark ? (StriaColor){ 0.42, 0.43, 0.46 }
                                   : (StriaColor){ 0.66, 0.67, 0.70 }, dark);
  return palette_for (dark)[n % N_COLORS];
}

StriaColor
stria_color_text (StriaColor color)
{
  /* Where the contrast of black, (L+0.05)/0.05, equals that of white, 1.05/(L+0.05) */
  if (luminance_of (color) > 0.1791)
    return (StriaColor){ 0, 0, 0 };
  return (StriaColor){ 1, 1, 1 };
}

StriaColor
stria_color_mix (StriaColor a, StriaColor b, double share_of_b)
{
  return (StriaColor){
    a.r + (b.r - a.r) * share_of_b,
    a.g + (b.g - a.g) * share_of_b,
    a.b + (b.b - a.b) * share_of_b,
  };
}

/**
 * stria_color_series:
 * @n: number of the series from 0; they repeat after eight
 * @dark: whether the background is dark
 *
 * Returns: colour for a line or bar of a chart
 */
StriaColor
stria_color_series (guint n, gboolean dark)
{
  const guint32 rgb = dark ? series_dark[n % N_SERIES] : series_light[n % N_SERIES];

  if (stria_color_get_palette () == STRIA_PALETTE_GRAY)
    {
      /* Neighbours far apart: 0, 4, 1, 5, ... of eight steps */
      const double step = (double) (n % 2 * 4 + n % N_SERIES / 2) / (N_SERIES - 1);
      const double level = dark ? 0.45 + 0.5 * step : 0.15 + 0.55 * step;

      return stria_color_shown ((StriaColor){ level, level, level }, dark);
    }

  return stria_color_shown ((StriaColor){ (rgb >> 16) / 255.0, ((rgb >> 8) & 0xff) / 255.0,
                                          (rgb & 0xff) / 255.0 }, dark);
}
