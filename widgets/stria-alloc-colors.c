/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-alloc-paint-private.h"
#include "stria-alloc-text.h"
#include "stria-format.h"

#define NO_FRAME G_MAXUINT32
#define NOT_ASKED (G_MAXUINT32 - 1)

void
stria_alloc_paints_init (StriaAllocPaints *self, const StriaAllocView *view)
{
  guint32 n;

  self->view = view;
  self->snapshot = stria_allocator_get_snapshot (view->allocator);
  n = stria_snapshot_get_n_stacks (self->snapshot);
  self->by_stack = g_new0 (guint32, n + 1);
  self->matches = g_new0 (guint8, n + 1);
  self->labels = g_new (guint32, n + 1);
  for (guint32 i = 0; i <= n; i++)
    self->labels[i] = NOT_ASKED;
  self->needle = view->highlight != NULL && *view->highlight != '\0'
                     ? g_utf8_casefold (view->highlight, -1)
                     : NULL;
}

void
stria_alloc_paints_clear (StriaAllocPaints *self)
{
  g_free (self->by_stack);
  g_free (self->matches);
  g_free (self->labels);
  g_free (self->needle);
}

static void
get_element (const StriaAllocView *view, guint32 element, StriaElement *out)
{
  StriaSegmentLife life;

  if (view->kind == STRIA_PLOT_BLOCKS)
    {
      stria_allocator_get_element (view->allocator, element, out);
      return;
    }
  stria_allocator_get_segment_life (view->allocator, element, &life);
  *out = (StriaElement){ .address = life.address,
                         .size = life.size,
                         .birth = life.birth,
                         .death = life.death,
                         .stack = life.stack,
                         .stream = life.stream,
                         .pool = life.pool,
                         .flags = life.flags };
}

static guint32
label_of (StriaAllocPaints *self, guint32 stack)
{
  guint32 *known = &self->labels[MIN (stack, stria_snapshot_get_n_stacks (self->snapshot))];

  if (*known == NOT_ASKED)
    *known = stria_snapshot_stack_label (self->snapshot, stack);
  return *known;
}

/* Upper bound of a class: powers of four from 512 bytes on. */
static guint64
size_class (guint64 size)
{
  guint64 bound = 512;

  while (bound < size && bound < G_GUINT64_CONSTANT (1) << 62)
    bound <<= 2;
  return bound;
}

guint64
stria_alloc_paints_owner (StriaAllocPaints *self, guint32 element)
{
  StriaElement e;

  get_element (self->view, element, &e);
  switch (self->view->color)
    {
    case STRIA_ALLOC_COLOR_SIZE:
      return size_class (e.size);
    case STRIA_ALLOC_COLOR_CATEGORY:
      return e.category;
    case STRIA_ALLOC_COLOR_POOL:
      return e.pool;
    case STRIA_ALLOC_COLOR_STREAM:
      return e.stream;
    case STRIA_ALLOC_COLOR_STACK:
    default:
      return label_of (self, e.stack);
    }
}

char *
stria_alloc_paints_text (StriaAllocPaints *self, guint64 owner)
{
  g_autofree char *text = NULL;

  switch (self->view->color)
    {
    case STRIA_ALLOC_COLOR_SIZE:
      text = stria_format_bytes ((gint64) owner);
      /* Translators: a class of sizes, by its upper bound */
      return g_strdup_printf (_ ("up to %s"), text);
    case STRIA_ALLOC_COLOR_CATEGORY:
      return g_strdup (owner != 0 ? stria_snapshot_get_string (self->snapshot, (guint32) owner)
                                  : _ ("no category"));
    case STRIA_ALLOC_COLOR_POOL:
      text = stria_alloc_pool_text (self->view->allocator, (guint16) owner);
      return g_strdup_printf (_ ("pool: %s"), text);
    case STRIA_ALLOC_COLOR_STREAM:
      text = stria_alloc_stream_text (self->view->allocator, (guint16) owner);
      return g_strdup_printf (_ ("stream %s"), text);
    case STRIA_ALLOC_COLOR_STACK:
    default:
      return stria_alloc_frame_short (self->snapshot, (guint32) owner);
    }
}

guint64
stria_alloc_paints_family (StriaAllocPaints *self, guint64 owner)
{
  const StriaAllocFrame *frame;

  if (self->view->color != STRIA_ALLOC_COLOR_STACK)
    return owner;
  if (owner == NO_FRAME)
    return G_MAXUINT64;
  frame = stria_snapshot_get_frame (self->snapshot, (guint32) owner);
  return (guint64) frame->filename << 32 | frame->name;
}

char *
stria_alloc_paints_family_text (StriaAllocPaints *self, guint64 family)
{
  if (self->view->color != STRIA_ALLOC_COLOR_STACK)
    return stria_alloc_paints_text (self, family);
  if (family == G_MAXUINT64)
    return stria_alloc_frame_short (self->snapshot, NO_FRAME);
  return stria_alloc_function_short (self->snapshot, (guint32) (family & G_MAXUINT32),
                                     (guint32) (family >> 32));
}

static StriaColor
no_owner_color (gboolean dark)
{
  return dark ? (StriaColor){ 0.36, 0.37, 0.40 } : (StriaColor){ 0.75, 0.76, 0.79 };
}

guint32
stria_alloc_paints_owner_color (StriaAllocPaints *self, guint64 owner)
{
  const gboolean dark = self->view->dark;
  g_autofree char *text = NULL;
  guint n = 0;

  switch (self->view->color)
    {
    case STRIA_ALLOC_COLOR_SIZE:
      for (guint64 bound = 512; bound < owner; bound <<= 2)
        n++;
      /* Small ones pale, large ones strong: one scale that every eye orders alike */
      return stria_paint_argb (stria_color_mix (
          dark ? (StriaColor){ 0.20, 0.25, 0.33 } : (StriaColor){ 0.84, 0.90, 0.96 },
          dark ? (StriaColor){ 0.98, 0.80, 0.36 } : (StriaColor){ 0.05, 0.20, 0.47 },
          MIN (n, 11) / 11.0));
    case STRIA_ALLOC_COLOR_CATEGORY:
      if (owner == 0)
        return stria_paint_argb (no_owner_color (dark));
      break;
    case STRIA_ALLOC_COLOR_POOL:
    case STRIA_ALLOC_COLOR_STREAM:
      return stria_paint_argb (stria_color_mix (stria_color_series ((guint) owner, dark),
                                                stria_paint_theme (dark)->background, 0.25));
    case STRIA_ALLOC_COLOR_STACK:
    default:
      if (owner == NO_FRAME)
        return stria_paint_argb (no_owner_color (dark));
      text = stria_snapshot_frame_text (self->snapshot, (guint32) owner);
      return stria_paint_argb (stria_color_for_name (text, dark));
    }
  text = stria_alloc_paints_text (self, owner);
  return stria_paint_argb (stria_color_for_name (text, dark));
}

guint32
stria_alloc_paints_color (StriaAllocPaints *self, guint32 element)
{
  const guint32 n = stria_snapshot_get_n_stacks (self->snapshot);
  StriaElement e;
  guint32 *entry;

  if (self->view->color != STRIA_ALLOC_COLOR_STACK)
    return stria_alloc_paints_owner_color (self, stria_alloc_paints_owner (self, element));
  get_element (self->view, element, &e);
  entry = &self->by_stack[MIN (e.stack, n)];
  if (*entry == 0)
    *entry = stria_alloc_paints_owner_color (self, label_of (self, e.stack));
  return *entry;
}

gboolean
stria_alloc_paints_matches (StriaAllocPaints *self, guint32 element)
{
  StriaElement e;
  guint32 n;
  const guint32 *frames;
  guint8 *known;

  if (self->needle == NULL)
    return TRUE;
  get_element (self->view, element, &e);
  known = &self->matches[MIN (e.stack, stria_snapshot_get_n_stacks (self->snapshot))];
  if (*known == 0)
    {
      *known = 2;
      frames = stria_snapshot_get_stack (self->snapshot, e.stack, &n);
      for (guint32 i = 0; i < n && *known == 2; i++)
        {
          g_autofree char *text = stria_snapshot_frame_text (self->snapshot, frames[i]);
          g_autofree char *folded = g_utf8_casefold (text, -1);

          if (strstr (folded, self->needle) != NULL)
            *known = 1;
        }
    }
  return *known == 1;
}

guint32
stria_alloc_element_color (const StriaAllocView *view, guint32 element)
{
  StriaAllocPaints paints;
  guint32 argb;

  stria_alloc_paints_init (&paints, view);
  argb = stria_alloc_paints_color (&paints, element);
  stria_alloc_paints_clear (&paints);
  return argb;
}
