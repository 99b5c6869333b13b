/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-paint-kit.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

#define POINTS_TO_PX   (96.0 / 72.0)
#define FIRST_CHAR     32
#define N_CHARS        95
#define LABEL_PADDING  4.0
#define WIDTH_CLASS_PX 8
#define MAX_LAYOUTS    4096
#define MAX_SHAPED     1024
#define MAX_IDLE_KITS  6

/* Black text on light slices, white on dark ones, a little softened. */
enum
{
  INK_BLACK,
  INK_WHITE,
  INK_DIM_BLACK, /* on slices that a search leaves aside */
  INK_DIM_WHITE,
  N_INKS,
};

/* A text that was laid out: most of a picture's are those of the one before. */
typedef struct
{
  const char    *text;
  StriaTextStyle style;
  int            width; /* Pango units; -1 = as wide as it is */
  PangoLayout   *layout;
  PangoRectangle pixels;
  int            natural; /* its width in Pango units */
} Shaped;

struct _StriaPaintKit
{
  StriaStrings *strings;
  double        font_size;
  double        scale;
  gboolean      outlines; /* text at another scale is drawn as such */

  /* 0 = not computed yet. Threads may fill an entry at once; they write the same value. */
  guint32 *colors[2];
  guint32  n_colors;

  PangoContext         *context;
  PangoLayout          *plain[3];
  PangoFontDescription *fonts[3];
  GHashTable           *layouts; /* non-ASCII labels by name and width class */
  GHashTable           *shaped;  /* set of Shaped */

  /* Metrics of the plain font at this scale; ASCII text needs no shaping */
  cairo_font_face_t *face;
  double             size_px;
  double             middle; /* from the baseline up to the middle of a line */
  unsigned long      glyph[N_CHARS];
  double             advance[N_CHARS];
  unsigned long      ellipsis;
  double             ellipsis_advance;

  GArray *glyphs[N_INKS];
  StriaPaintGlyphs *masks; /* or NULL */
};

/* Kits that nobody holds, the last used one at the end. */
static GMutex idle_lock;
static GPtrArray *idle_kits;

static const StriaPaintTheme light_theme = {
  .background = { 1.000, 1.000, 1.000 },
  .alternate = { 0.976, 0.976, 0.980 },
  .band = { 0.937, 0.937, 0.945 },
  .margin = { 0.980, 0.980, 0.984 },
  .hairline = { 0.855, 0.855, 0.867 },
  .grid = { 0.937, 0.937, 0.945 },
  .text = { 0.160, 0.160, 0.180 },
  .dim_text = { 0.430, 0.430, 0.460 },
  .density = { 0.380, 0.530, 0.740 },
  .accent = { 0.110, 0.443, 0.847 },
};

static const StriaPaintTheme dark_theme = {
  .background = { 0.118, 0.118, 0.125 },
  .alternate = { 0.133, 0.133, 0.141 },
  .band = { 0.173, 0.173, 0.184 },
  .margin = { 0.145, 0.145, 0.153 },
  .hairline = { 0.235, 0.235, 0.251 },
  .grid = { 0.165, 0.165, 0.176 },
  .text = { 0.930, 0.930, 0.940 },
  .dim_text = { 0.620, 0.620, 0.650 },
  .density = { 0.400, 0.560, 0.780 },
  .accent = { 0.470, 0.682, 0.929 },
};

/* Text at least 7:1 and lines at least 3:1 on every ground */
static const StriaPaintTheme light_contrast_theme = {
  .background = { 1.000, 1.000, 1.000 },
  .alternate = { 0.960, 0.960, 0.960 },
  .band = { 0.880, 0.880, 0.890 },
  .margin = { 0.970, 0.970, 0.970 },
  .hairline = { 0.400, 0.400, 0.410 },
  .grid = { 0.800, 0.800, 0.810 },
  .text = { 0.000, 0.000, 0.000 },
  .dim_text = { 0.240, 0.240, 0.250 },
  .density = { 0.150, 0.290, 0.500 },
  .accent = { 0.020, 0.250, 0.560 },
};

static const StriaPaintTheme dark_contrast_theme = {
  .background = { 0.060, 0.060, 0.065 },
  .alternate = { 0.095, 0.095, 0.100 },
  .band = { 0.170, 0.170, 0.180 },
  .margin = { 0.090, 0.090, 0.095 },
  .hairline = { 0.560, 0.560, 0.580 },
  .grid = { 0.250, 0.250, 0.260 },
  .text = { 1.000, 1.000, 1.000 },
  .dim_text = { 0.840, 0.840, 0.860 },
  .density = { 0.600, 0.740, 0.930 },
  .accent = { 0.650, 0.820, 1.000 },
};

const StriaPaintTheme *
stria_paint_theme (gboolean dark)
{
  if (stria_color_get_high_contrast ())
    return dark ? &dark_contrast_theme : &light_contrast_theme;
  return dark ? &dark_theme : &light_theme;
}

static void
load_glyphs (StriaPaintKit *self)
{
  g_autoptr (PangoFont) font = pango_context_load_font (self->context, self->fonts[0]);
  cairo_scaled_font_t *pango_scaled
      = pango_cairo_font_get_scaled_font (PANGO_CAIRO_FONT (font));
  cairo_font_options_t *options = cairo_font_options_create ();
  cairo_scaled_font_t *scaled = NULL;
  cairo_font_extents_t extents = { 0 };
  cairo_matrix_t size;
  cairo_matrix_t device;

  self->size_px = self->font_size * POINTS_TO_PX;
  self->face = cairo_font_face_reference (cairo_scaled_font_get_font_face (pango_scaled));
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_ON);
  cairo_matrix_init_scale (&size, self->size_px, self->size_px);
  cairo_matrix_init_scale (&device, self->scale, self->scale);
  scaled = cairo_scaled_font_create (self->face, &size, &device, options);
  for (guint i = 0; i <= N_CHARS; i++)
    {
      const char letter[2] = { (char) (FIRST_CHAR + i), '\0' };
      const char *text = i < N_CHARS ? letter : "\xe2\x80\xa6";
      cairo_glyph_t *glyphs = NULL;
      cairo_text_extents_t size_of = { 0 };
      int n = 0;

      if (cairo_scaled_font_text_to_glyphs (scaled, 0, 0, text, -1, &glyphs, &n, NULL, NULL, NULL)
              != CAIRO_STATUS_SUCCESS
          || n < 1)
        continue;
      cairo_scaled_font_glyph_extents (scaled, glyphs, 1, &size_of);
      if (i < N_CHARS)
        {
          self->glyph[i] = glyphs[0].index;
          self->advance[i] = size_of.x_advance;
        }
      else
        {
          self->ellipsis = glyphs[0].index;
          self->ellipsis_advance = size_of.x_advance;
        }
      cairo_glyph_free (glyphs);
    }
  cairo_scaled_font_extents (scaled, &extents);
  self->middle = (extents.ascent - extents.descent) / 2;
  cairo_scaled_font_destroy (scaled);
  cairo_font_options_destroy (options);
}

static void
load_fonts (StriaPaintKit *self)
{
  static const struct
  {
    PangoWeight weight;
    double      share;
  } styles[3] = { { PANGO_WEIGHT_NORMAL, 1 }, { PANGO_WEIGHT_BOLD, 1 }, { PANGO_WEIGHT_NORMAL, 0.88 } };
  g_autoptr (PangoFontMap) map = pango_cairo_font_map_new ();
  cairo_font_options_t *options = cairo_font_options_create ();

  pango_cairo_font_map_set_resolution (PANGO_CAIRO_FONT_MAP (map), 96);
  self->context = pango_font_map_create_context (map);
  /* Whole-pixel advances swallow the spaces of small text */
  pango_context_set_round_glyph_positions (self->context, FALSE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options (self->context, options);
  cairo_font_options_destroy (options);
  for (guint i = 0; i < G_N_ELEMENTS (styles); i++)
    {
      self->fonts[i] = pango_font_description_from_string ("Cantarell, Sans");
      pango_font_description_set_weight (self->fonts[i], styles[i].weight);
      pango_font_description_set_size (
          self->fonts[i], (int) lround (self->font_size * styles[i].share * PANGO_SCALE));
      self->plain[i] = pango_layout_new (self->context);
      pango_layout_set_font_description (self->plain[i], self->fonts[i]);
      pango_layout_set_single_paragraph_mode (self->plain[i], TRUE);
    }
}

static guint
shaped_hash (gconstpointer key)
{
  const Shaped *s = key;

  return g_str_hash (s->text) ^ (guint) s->width * 31 ^ (guint) s->style;
}

static gboolean
shaped_equal (gconstpointer a, gconstpointer b)
{
  const Shaped *s = a, *t = b;

  return s->style == t->style && s->width == t->width && g_str_equal (s->text, t->text);
}

static void
shaped_free (gpointer data)
{
  Shaped *self = data;

  g_object_unref (self->layout);
  g_free ((char *) self->text);
  g_free (self);
}

static void
kit_free (StriaPaintKit *self)
{
  g_hash_table_unref (self->shaped);
  for (guint i = 0; i < 3; i++)
    {
      g_clear_object (&self->plain[i]);
      g_clear_pointer (&self->fonts[i], pango_font_description_free);
    }
  for (guint i = 0; i < N_INKS; i++)
    g_array_unref (self->glyphs[i]);
  g_free (self->colors[0]);
  g_free (self->colors[1]);
  g_hash_table_unref (self->layouts);
  g_clear_pointer (&self->face, cairo_font_face_destroy);
  g_clear_pointer (&self->masks, stria_paint_glyphs_free);
  g_clear_object (&self->context);
  stria_strings_unref (self->strings);
  g_free (self);
}

static StriaPaintKit *
kit_new (StriaStrings *strings, double font_size, double scale)
{
  StriaPaintKit *self = g_new0 (StriaPaintKit, 1);

  self->strings = stria_strings_ref (strings);
  self->font_size = font_size;
  self->scale = scale;
  self->layouts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_object_unref);
  self->shaped = g_hash_table_new_full (shaped_hash, shaped_equal, NULL, shaped_free);
  for (guint i = 0; i < N_INKS; i++)
    self->glyphs[i] = g_array_new (FALSE, FALSE, sizeof (cairo_glyph_t));
  load_fonts (self);
  load_glyphs (self);
  return self;
}

static void
grow_colors (StriaPaintKit *self)
{
  const guint32 size = stria_strings_size (self->strings);

  if (size <= self->n_colors)
    return;
  for (guint i = 0; i < 2; i++)
    {
      self->colors[i] = g_renew (guint32, self->colors[i], size);
      memset (self->colors[i] + self->n_colors, 0, sizeof (guint32) * (size - self->n_colors));
    }
  self->n_colors = size;
}

/**
 * stria_paint_kit_acquire:
 * @strings: table that the names to be drawn come from
 * @font_size: size of text in points
 * @scale: device pixels a pixel
 *
 * Returns: (transfer full): a kit for this thread until stria_paint_kit_release()
 */
StriaPaintKit *
stria_paint_kit_acquire (StriaStrings *strings, double font_size, double scale)
{
  StriaPaintKit *self = NULL;

  g_mutex_lock (&idle_lock);
  for (guint i = idle_kits != NULL ? idle_kits->len : 0; i > 0 && self == NULL; i--)
    {
      StriaPaintKit *kit = g_ptr_array_index (idle_kits, i - 1);

      if (kit->strings == strings && kit->font_size == font_size && kit->scale == scale)
        self = g_ptr_array_steal_index (idle_kits, i - 1);
    }
  g_mutex_unlock (&idle_lock);
  if (self == NULL)
    self = kit_new (strings, font_size, scale);
  grow_colors (self);
  self->outlines = TRUE;
  return self;
}

void
stria_paint_kit_release (StriaPaintKit *self)
{
  StriaPaintKit *dropped = NULL;

  g_mutex_lock (&idle_lock);
  if (idle_kits == NULL)
    idle_kits = g_ptr_array_new ();
  g_ptr_array_add (idle_kits, self);
  if (idle_kits->len > MAX_IDLE_KITS)
    dropped = g_ptr_array_steal_index (idle_kits, 0);
  g_mutex_unlock (&idle_lock);
  g_clear_pointer (&dropped, kit_free);
}

guint32
stria_paint_kit_color (StriaPaintKit *self, guint32 name, gboolean dark)
{
  guint32 *colors = self->colors[dark ? 1 : 0];
  guint32 argb = 0;

  if (name >= self->n_colors)
    return 0xff888888u;
  argb = stria_color_kept (&colors[name]);
  if (argb != 0)
    return argb;
  return stria_color_keep (&colors[name],
                           stria_paint_argb (stria_color_for_name (
                               stria_strings_get (self->strings, name), dark)));
}

static const Shaped *
shape (StriaPaintKit *self, StriaTextStyle style, const char *text, int width)
{
  const Shaped wanted = { .text = text, .style = style, .width = width };
  Shaped *found = g_hash_table_lookup (self->shaped, &wanted);
  PangoRectangle exact;

  if (found != NULL)
    return found;
  if (g_hash_table_size (self->shaped) >= MAX_SHAPED)
    g_hash_table_remove_all (self->shaped);
  found = g_new (Shaped, 1);
  *found = wanted;
  found->text = g_strdup (text);
  found->layout = pango_layout_copy (self->plain[style]);
  pango_layout_set_width (found->layout, width);
  pango_layout_set_ellipsize (found->layout,
                              width >= 0 ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
  pango_layout_set_text (found->layout, text, -1);
  pango_layout_get_extents (found->layout, NULL, &exact);
  pango_layout_get_pixel_extents (found->layout, NULL, &found->pixels);
  found->natural = exact.width;
  g_hash_table_add (self->shaped, found);
  return found;
}

/* Cairo puts glyphs on whole pixels, which at another scale than that of the layout opens and closes
 * gaps between letters; outlines stand where they belong, on a baseline of whole pixels. */
static void
show (StriaPaintKit *self, cairo_t *cr, PangoLayout *layout)
{
  const double baseline = (double) pango_layout_get_baseline (layout) / PANGO_SCALE;
  cairo_matrix_t matrix;
  double x = 0;
  double y = 0;

  cairo_get_matrix (cr, &matrix);
  if (!self->outlines || fabs (matrix.yy - 1) < 1e-6)
    {
      pango_cairo_show_layout (cr, layout);
      return;
    }
  cairo_get_current_point (cr, &x, &y);
  y += baseline;
  cairo_user_to_device (cr, &x, &y);
  y = floor (y + 0.5);
  cairo_device_to_user (cr, &x, &y);
  cairo_move_to (cr, x, y - baseline);
  pango_cairo_layout_path (cr, layout);
  cairo_fill (cr);
}

void
stria_paint_kit_set_outlines (StriaPaintKit *self, gboolean outlines)
{
  self->outlines = outlines;
}

static const Shaped *
shape_into (StriaPaintKit *self, StriaTextStyle style, const char *text, double max_width)
{
  const int width = max_width > 0 ? (int) (max_width * PANGO_SCALE) : -1;
  const Shaped *shaped = shape (self, style, text, -1);

  return width >= 0 && shaped->natural > width ? shape (self, style, text, width) : shaped;
}

static double
top_of (const Shaped *shaped, double y)
{
  return floor (y - shaped->pixels.height / 2.0 + 0.5);
}

double
stria_paint_kit_text (StriaPaintKit *self, cairo_t *cr, StriaTextStyle style, const char *text,
                      double x, double y, double max_width)
{
  const Shaped *shaped = shape_into (self, style, text, max_width);

  cairo_move_to (cr, x, top_of (shaped, y));
  show (self, cr, shaped->layout);
  return shaped->pixels.width;
}

PangoLayout *
stria_paint_kit_layout (StriaPaintKit *self, StriaTextStyle style, const char *text,
                        double max_width, double y, double *top, double *width)
{
  const Shaped *shaped = shape_into (self, style, text, max_width);

  *top = top_of (shaped, y);
  *width = shaped->pixels.width;
  return shaped->layout;
}

StriaPaintGlyphs *
stria_paint_kit_glyphs (StriaPaintKit *self)
{
  if (self->masks == NULL)
    self->masks = stria_paint_glyphs_new ();
  return self->masks;
}

double
stria_paint_kit_measure (StriaPaintKit *self, StriaTextStyle style, const char *text)
{
  return shape (self, style, text, -1)->pixels.width;
}

/* How many of the first @n characters fit, leaving room for an ellipsis if not all do. */
static gsize
fitting (StriaPaintKit *self, const char *text, gsize n, double room)
{
  double used = 0;
  gsize with_ellipsis = 0;

  for (gsize i = 0; i < n; i++)
    {
      used += self->advance[text[i] - FIRST_CHAR];
      if (used > room)
        return with_ellipsis;
      if (used + self->ellipsis_advance <= room)
        with_ellipsis = i + 1;
    }
  return n;
}

static void
add_ascii (StriaPaintKit *self, GArray *glyphs, const char *text, gsize n, double x, double y,
           double room)
{
  gsize fit = fitting (self, text, n, room);

  /* A kernel's return type says nothing; its name does */
  if (fit < n && n > 5 && memcmp (text, "void ", 5) == 0)
    {
      text += 5;
      n -= 5;
      fit = fitting (self, text, n, room);
    }
  if (fit < MIN (n, 2))
    return;
  for (gsize i = 0; i < fit; i++)
    {
      const cairo_glyph_t glyph = { self->glyph[text[i] - FIRST_CHAR], x, y };

      if (text[i] != ' ')
        g_array_append_val (glyphs, glyph);
      x += self->advance[text[i] - FIRST_CHAR];
    }
  if (fit < n)
    {
      const cairo_glyph_t glyph = { self->ellipsis, x, y };

      g_array_append_val (glyphs, glyph);
    }
}

static PangoLayout *
shaped (StriaPaintKit *self, guint32 name, double room)
{
  const gint64 width_class = (gint64) (room / WIDTH_CLASS_PX);
  const gint64 key = (gint64) name << 24 | MIN (width_class, 0xffffff);
  PangoLayout *layout = g_hash_table_lookup (self->layouts, &key);

  if (layout != NULL)
    return layout;
  if (g_hash_table_size (self->layouts) >= MAX_LAYOUTS)
    g_hash_table_remove_all (self->layouts);
  layout = pango_layout_new (self->context);
  pango_layout_set_font_description (layout, self->fonts[STRIA_TEXT_NORMAL]);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_width (layout, (int) width_class * WIDTH_CLASS_PX * PANGO_SCALE);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_text (layout, stria_strings_get (self->strings, name), -1);
  g_hash_table_insert (self->layouts, g_memdup2 (&key, sizeof key), layout);
  return layout;
}

static void
set_ink (cairo_t *cr, guint ink)
{
  const double light = ink == INK_WHITE || ink == INK_DIM_WHITE ? 1 : 0;

  cairo_set_source_rgba (cr, light, light, light, ink >= INK_DIM_BLACK ? 0.45 : 0.92);
}

/**
 * stria_paint_kit_add_label:
 * @name: string id of the text
 * @argb: colour that the text stands on
 * @dim: whether it stands back
 * @x: left edge of the room for it
 * @y: middle
 * @width: room for it
 *
 * Text is cut to the room with an ellipsis and left out if not even two letters fit.
 */
void
stria_paint_kit_add_label (StriaPaintKit *self, cairo_t *cr, guint32 name, guint32 argb,
                           gboolean dim, double x, double y, double width)
{
  const char *text = stria_strings_get (self->strings, name);
  const guint ink = (stria_color_text (stria_paint_from_argb (argb)).r > 0.5 ? INK_WHITE : INK_BLACK)
                    + (dim ? INK_DIM_BLACK : 0);
  const double room = width - 2 * LABEL_PADDING;
  const gsize enough = (gsize) MAX (room / 2, 0) + 8;
  gsize n = 0;
  PangoLayout *layout = NULL;
  PangoRectangle logical;

  if (room <= 0)
    return;
  /* No letter is narrower than two pixels: what lies beyond cannot be seen */
  while (n < enough && text[n] >= FIRST_CHAR && text[n] < FIRST_CHAR + N_CHARS)
    n++;
  if (n == enough || text[n] == '\0')
    {
      add_ascii (self, self->glyphs[ink], text, n, x + LABEL_PADDING,
                 floor ((y + self->middle) * self->scale + 0.5) / self->scale, room);
      return;
    }
  if (room < WIDTH_CLASS_PX)
    return;
  layout = shaped (self, name, room);
  pango_layout_get_pixel_extents (layout, NULL, &logical);
  set_ink (cr, ink);
  cairo_move_to (cr, x + LABEL_PADDING, floor (y - logical.height / 2.0 + 0.5));
  pango_cairo_show_layout (cr, layout);
}

void
stria_paint_kit_draw_labels (StriaPaintKit *self, cairo_t *cr)
{
  cairo_set_font_face (cr, self->face);
  cairo_set_font_size (cr, self->size_px);
  for (guint i = 0; i < N_INKS; i++)
    {
      GArray *glyphs = self->glyphs[i];

      set_ink (cr, i);
      /* Cairo copies long runs of glyphs in one piece: shorter ones stay in the cache */
      for (guint done = 0; done < glyphs->len; done += 4096)
        cairo_show_glyphs (cr, &g_array_index (glyphs, cairo_glyph_t, done),
                           (int) MIN (glyphs->len - done, 4096));
      g_array_set_size (glyphs, 0);
    }
}
