/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-alloc-paint-private.h"
#include "stria-alloc-text.h"
#include "stria-format.h"

#define NO_FRAME G_MAXUINT32

void
stria_alloc_paints_init (StriaAllocPaints *self, const StriaAllocView *view)
{
  self->view = view;
  self->snapshot = stria_allocator_get_snapshot (view->allocator);
  self->n_stacks = stria_snapshot_get_n_stacks (self->snapshot);
  self->by_owner = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->matches = g_new0 (guint8, self->n_stacks + 1);
  self->needle = view->highlight != NULL && *view->highlight != '\0'
                     ? g_utf8_casefold (view->highlight, -1)
                     : NULL;
}

void
stria_alloc_paints_clear (StriaAllocPaints *self)
{
  g_free (self->matches);
  g_hash_table_unref (self->by_owner);
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
stack_of (StriaAllocPaints *self, guint32 element)
{
  StriaElement e;

  if (self->view->kind == STRIA_PLOT_BLOCKS)
    return stria_allocator_element_stack (self->view->allocator, element);
  get_element (self->view, element, &e);
  return e.stack;
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

  if (self->view->color == STRIA_ALLOC_COLOR_STACK)
    return stria_snapshot_stack_label (self->snapshot, stack_of (self, element));
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
    case STRIA_ALLOC_COLOR_STACK:
    default:
      return e.stream;
    }
}

void
stria_alloc_paints_owners (StriaAllocPaints *self, const guint32 *elements, guint n,
                           guint64 *owners)
{
  g_autofree guint32 *stacks = NULL;

  if (self->view->color != STRIA_ALLOC_COLOR_STACK || self->view->kind != STRIA_PLOT_BLOCKS)
    {
      for (guint i = 0; i < n; i++)
        owners[i] = stria_alloc_paints_owner (self, elements[i]);
      return;
    }
  stacks = g_new (guint32, n);
  stria_allocator_element_stacks (self->view->allocator, elements, n, stacks);
  for (guint i = 0; i < n; i++)
    owners[i] = stria_snapshot_stack_label (self->snapshot, stacks[i]);
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
      return stria_snapshot_frame_argb (self->snapshot, (guint32) owner, dark);
    }
  text = stria_alloc_paints_text (self, owner);
  return stria_paint_argb (stria_color_for_name (text, dark));
}

guint32
stria_alloc_paints_color (StriaAllocPaints *self, guint32 element)
{
  return stria_alloc_paints_color_of (self, stria_alloc_paints_owner (self, element));
}

guint32
stria_alloc_paints_color_of (StriaAllocPaints *self, guint64 owner)
{
  guint32 argb;
  gpointer known;

  if (self->view->color == STRIA_ALLOC_COLOR_STACK)
    return stria_alloc_paints_owner_color (self, owner);
  if (g_hash_table_lookup_extended (self->by_owner, &owner, NULL, &known))
    return GPOINTER_TO_UINT (known);
  argb = stria_alloc_paints_owner_color (self, owner);
  g_hash_table_insert (self->by_owner, g_memdup2 (&owner, sizeof owner), GUINT_TO_POINTER (argb));
  return argb;
}

gboolean
stria_alloc_paints_matches (StriaAllocPaints *self, guint32 element)
{
  guint32 n, stack;
  const guint32 *frames;
  guint8 *known;

  if (self->needle == NULL)
    return TRUE;
  stack = stack_of (self, element);
  known = &self->matches[MIN (stack, self->n_stacks)];
  if (*known == 0)
    {
      *known = 2;
      frames = stria_snapshot_get_stack (self->snapshot, stack, &n);
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
