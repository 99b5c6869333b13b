/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cairo.h>

#include "stria-color.h"
#include "stria-paint-glyphs.h"
#include "stria-paint-size.h"
#include "stria-strings.h"

G_BEGIN_DECLS

/* The colours of everything that is not an event. */
typedef struct
{
  StriaColor background;
  StriaColor alternate; /* every second lane */
  StriaColor band;      /* process headers */
  StriaColor margin;    /* header column, ruler, minimap */
  StriaColor hairline;
  StriaColor grid;
  StriaColor text;
  StriaColor dim_text;
  StriaColor density;
  StriaColor accent;
} StriaPaintTheme;

const StriaPaintTheme *stria_paint_theme (gboolean dark);

static inline void
stria_paint_set_color (cairo_t *cr, StriaColor color, double alpha)
{
  cairo_set_source_rgba (cr, color.r, color.g, color.b, alpha);
}

static inline guint32
stria_paint_argb (StriaColor color)
{
  return stria_color_argb (color);
}

static inline StriaColor
stria_paint_from_argb (guint32 argb)
{
  return (StriaColor){ ((argb >> 16) & 0xff) / 255.0, ((argb >> 8) & 0xff) / 255.0,
                       (argb & 0xff) / 255.0 };
}

/* @share of @b in 256ths */
static inline guint32
stria_paint_mix (guint32 a, guint32 b, guint share)
{
  const guint32 rb = (((a & 0xff00ff) * (256 - share) + (b & 0xff00ff) * share) >> 8) & 0xff00ff;
  const guint32 g = (((a & 0x00ff00) * (256 - share) + (b & 0x00ff00) * share) >> 8) & 0x00ff00;

  return 0xff000000u | rb | g;
}

/**
 * StriaPaintKit:
 *
 * Colours of names and shaped text, kept from picture to picture. A kit serves one call at a time;
 * there are as many as are in use at once.
 */
typedef struct _StriaPaintKit StriaPaintKit;

typedef enum
{
  STRIA_TEXT_NORMAL,
  STRIA_TEXT_BOLD,
  STRIA_TEXT_SMALL,
} StriaTextStyle;

StriaPaintKit *stria_paint_kit_acquire (StriaStrings *strings, double font_size, double scale);
void           stria_paint_kit_release (StriaPaintKit *self);
/* Opaque ARGB; any thread while the kit is held */
guint32        stria_paint_kit_color   (StriaPaintKit *self, guint32 name, gboolean dark);

/* Whether text at another scale than the kit's is drawn as outlines, which are even and take some
 * twenty times as long as glyphs; until the kit is released. Default: TRUE */
void           stria_paint_kit_set_outlines (StriaPaintKit *self, gboolean outlines);
/* Text whose middle is at @y, ellipsised to @max_width (<= 0: never). Returns: its width */
double         stria_paint_kit_text    (StriaPaintKit *self, cairo_t *cr, StriaTextStyle style,
                                        const char *text, double x, double y, double max_width);
/* The same as a layout (transfer none), until the kit is next asked for a text; @top: where it begins
 * so that its middle is at @y */
PangoLayout   *stria_paint_kit_layout  (StriaPaintKit *self, StriaTextStyle style,
                                        const char *text, double max_width, double y, double *top,
                                        double *width);
/* (transfer none): of this kit's texts */
StriaPaintGlyphs *stria_paint_kit_glyphs (StriaPaintKit *self);
double         stria_paint_kit_measure (StriaPaintKit *self, StriaTextStyle style, const char *text);

/* Labels of slices are gathered and drawn at the end, by colour. @argb: colour of the slice */
void           stria_paint_kit_add_label   (StriaPaintKit *self, cairo_t *cr, guint32 name,
                                            guint32 argb, gboolean dim, double x, double y,
                                            double width);
void           stria_paint_kit_draw_labels (StriaPaintKit *self, cairo_t *cr);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaPaintKit, stria_paint_kit_release)

G_END_DECLS
