/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pango/pangocairo.h>

G_BEGIN_DECLS

#define STRIA_PAINT_PHASES 4 /* places of a glyph within a pixel, from left to right */

/* A letter of a text: where it stands from the text's left end and baseline, in pixels at scale 1 */
typedef struct
{
  PangoFont *font; /* the layout holds it */
  guint32    index;
  float      x, y;
} StriaPaintGlyph;

typedef struct
{
  gboolean        plain; /* every letter has an outline */
  guint           n;
  StriaPaintGlyph glyphs[];
} StriaPaintRun;

/* What a glyph covers, 0 to 255, and where that stands from its whole pixel on the baseline */
typedef struct
{
  int    left, top;
  int    width, height;
  guint8 data[];
} StriaPaintMask;

/**
 * StriaPaintGlyphs:
 *
 * Glyphs at any scale as what they cover of pixels, a quarter of a pixel apart: text is as even as
 * outlines and as fast as glyphs. Serves one scale at a time and one thread.
 */
typedef struct _StriaPaintGlyphs StriaPaintGlyphs;

StriaPaintGlyphs     *stria_paint_glyphs_new       (void);
void                  stria_paint_glyphs_free      (StriaPaintGlyphs *self);
/* Device pixels a pixel; at another one than before, all masks are forgotten */
void                  stria_paint_glyphs_set_scale (StriaPaintGlyphs *self, double scale);
/* Letters of the first line of @layout, kept with it; it must not change after. */
const StriaPaintRun  *stria_paint_glyphs_run       (PangoLayout *layout);
/* (transfer none): until the scale changes or the glyphs are freed */
const StriaPaintMask *stria_paint_glyphs_mask      (StriaPaintGlyphs *self,
                                                    const StriaPaintGlyph *glyph, guint phase);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaPaintGlyphs, stria_paint_glyphs_free)

G_END_DECLS
