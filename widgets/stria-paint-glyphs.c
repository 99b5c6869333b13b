/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-paint-glyphs.h"

#include <math.h>
#include <string.h>

#define SIDE 256 /* of the picture in which a glyph is drawn */
#define MAX_MASKS 8192

typedef struct
{
  PangoFont *font; /* owned */
  guint32    index;
  guint      phase;
} Key;

struct _StriaPaintGlyphs
{
  double           scale;
  GHashTable      *masks; /* Key -> StriaPaintMask */
  cairo_surface_t *surface;
  cairo_t         *cr;
};

static G_DEFINE_QUARK (stria-paint-run, run)

static guint
key_hash (gconstpointer data)
{
  const Key *key = data;

  return g_direct_hash (key->font) ^ key->index * 2654435761u ^ key->phase * 40503u;
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const Key *x = a, *y = b;

  return x->index == y->index && x->phase == y->phase && x->font == y->font;
}

static void
key_free (gpointer data)
{
  Key *key = data;

  g_object_unref (key->font);
  g_free (key);
}

StriaPaintGlyphs *
stria_paint_glyphs_new (void)
{
  StriaPaintGlyphs *self = g_new0 (StriaPaintGlyphs, 1);

  self->scale = 1;
  self->masks = g_hash_table_new_full (key_hash, key_equal, key_free, g_free);
  self->surface = cairo_image_surface_create (CAIRO_FORMAT_A8, SIDE, SIDE);
  self->cr = cairo_create (self->surface);
  return self;
}

void
stria_paint_glyphs_free (StriaPaintGlyphs *self)
{
  g_hash_table_unref (self->masks);
  cairo_destroy (self->cr);
  cairo_surface_destroy (self->surface);
  g_free (self);
}

void
stria_paint_glyphs_set_scale (StriaPaintGlyphs *self, double scale)
{
  if (scale == self->scale)
    return;
  self->scale = scale;
  g_hash_table_remove_all (self->masks);
}

const StriaPaintRun *
stria_paint_glyphs_run (PangoLayout *layout)
{
  PangoLayoutLine *line;
  StriaPaintRun *run;
  guint n = 0;
  double x = 0;

  run = g_object_get_qdata (G_OBJECT (layout), run_quark ());
  if (run != NULL)
    return run;
  line = pango_layout_get_line_readonly (layout, 0);
  for (GSList *at = line->runs; at != NULL; at = at->next)
    n += (guint) ((PangoGlyphItem *) at->data)->glyphs->num_glyphs;
  run = g_malloc0 (sizeof *run + n * sizeof run->glyphs[0]);
  run->plain = TRUE;
  for (GSList *at = line->runs; at != NULL; at = at->next)
    {
      const PangoGlyphItem *item = at->data;

      for (int i = 0; i < item->glyphs->num_glyphs; i++)
        {
          const PangoGlyphInfo *info = &item->glyphs->glyphs[i];

          if (info->glyph & PANGO_GLYPH_UNKNOWN_FLAG)
            run->plain = info->glyph == PANGO_GLYPH_EMPTY && run->plain;
          if (info->glyph != PANGO_GLYPH_EMPTY)
            run->glyphs[run->n++] = (StriaPaintGlyph){
              .font = item->item->analysis.font,
              .index = info->glyph,
              .x = (float) (x + (double) info->geometry.x_offset / PANGO_SCALE),
              .y = (float) info->geometry.y_offset / PANGO_SCALE,
            };
          x += (double) info->geometry.width / PANGO_SCALE;
        }
    }
  g_object_set_qdata_full (G_OBJECT (layout), run_quark (), run, g_free);
  return run;
}

static StriaPaintMask *
draw (StriaPaintGlyphs *self, const StriaPaintGlyph *glyph, guint phase)
{
  cairo_scaled_font_t *scaled = pango_cairo_font_get_scaled_font (PANGO_CAIRO_FONT (glyph->font));
  cairo_glyph_t at = { glyph->index, (double) phase / STRIA_PAINT_PHASES, 0 };
  cairo_font_options_t *options = cairo_font_options_create ();
  cairo_matrix_t size;
  double x0, y0, x1, y1;
  StriaPaintMask *mask;
  const guint8 *data;
  int stride;

  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_scaled_font_get_font_matrix (scaled, &size);
  cairo_matrix_scale (&size, self->scale, self->scale);
  cairo_set_font_face (self->cr, cairo_scaled_font_get_font_face (scaled));
  cairo_set_font_matrix (self->cr, &size);
  cairo_set_font_options (self->cr, options);
  cairo_font_options_destroy (options);
  cairo_new_path (self->cr);
  cairo_glyph_path (self->cr, &at, 1);
  cairo_path_extents (self->cr, &x0, &y0, &x1, &y1);
  x0 = floor (x0);
  y0 = floor (y0);
  const int width = (int) CLAMP (ceil (x1) - x0, 0, SIDE);
  const int height = (int) CLAMP (ceil (y1) - y0, 0, SIDE);
  mask = g_malloc0 (sizeof *mask + (gsize) width * (gsize) height);
  mask->left = (int) x0;
  mask->top = (int) y0;
  mask->width = width;
  mask->height = height;
  if (width == 0 || height == 0)
    return mask;
  at.x -= x0;
  at.y -= y0;
  cairo_new_path (self->cr);
  cairo_glyph_path (self->cr, &at, 1);
  cairo_set_operator (self->cr, CAIRO_OPERATOR_OVER);
  cairo_fill (self->cr);
  cairo_surface_flush (self->surface);
  data = cairo_image_surface_get_data (self->surface);
  stride = cairo_image_surface_get_stride (self->surface);
  for (int y = 0; y < height; y++)
    memcpy (mask->data + y * width, data + y * stride, (gsize) width);
  cairo_set_operator (self->cr, CAIRO_OPERATOR_CLEAR);
  cairo_rectangle (self->cr, 0, 0, width + 1, height + 1);
  cairo_fill (self->cr);
  return mask;
}

const StriaPaintMask *
stria_paint_glyphs_mask (StriaPaintGlyphs *self, const StriaPaintGlyph *glyph, guint phase)
{
  const Key wanted = { glyph->font, glyph->index, phase };
  StriaPaintMask *mask = g_hash_table_lookup (self->masks, &wanted);
  Key *key;

  if (mask != NULL)
    return mask;
  if (g_hash_table_size (self->masks) >= MAX_MASKS)
    g_hash_table_remove_all (self->masks);
  mask = draw (self, glyph, phase);
  key = g_memdup2 (&wanted, sizeof wanted);
  g_object_ref (key->font);
  g_hash_table_insert (self->masks, key, mask);
  return mask;
}
