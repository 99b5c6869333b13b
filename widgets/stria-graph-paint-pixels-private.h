/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-graph-paint-pixels.h"
#include "stria-paint-kit.h"

G_BEGIN_DECLS

static inline float
clamp01 (float value)
{
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

static inline void
mix_pixel (guint32 *pixel, guint32 argb, float share)
{
  *pixel = stria_paint_mix (*pixel, argb, (guint) (share + 0.5f));
}

/* Forgets lines that were added and not painted, and what was needed for them */
void stria_graph_pixels_drop_lines (StriaGraphPixels *self);

G_END_DECLS
