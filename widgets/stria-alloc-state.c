/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-alloc-state.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "stria-alloc-text.h"

#define LEAST_STEPS   8
#define LEAST_TIME_US 2

struct _StriaAllocState
{
  GObject parent_instance;

  StriaSnapshotData  *snapshot;
  StriaAllocator     *allocator; /* of the snapshot */
  StriaPlotKind       kind;
  gboolean            by_time;
  gboolean            pools;
  StriaAllocColorMode color;
  gint64              x0;
  gint64              x1;
  guint32             step;
  guint32             base;
  guint32             selected;
  guint32             event;
  char               *highlight;
  GArray             *ooms;

  /* The axis of something above, which the plot shares */
  gboolean shares_axis;
  gint64   bound0;
  gint64   bound1;
  double   left;
  double   right;
};

enum
{
  DEVICE_CHANGED,
  VIEW_CHANGED,
  MOMENT_CHANGED,
  SELECTION_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaAllocState, stria_alloc_state, G_TYPE_OBJECT)

static void
stria_alloc_state_finalize (GObject *object)
{
  StriaAllocState *self = STRIA_ALLOC_STATE (object);

  g_clear_pointer (&self->snapshot, stria_snapshot_data_unref);
  g_clear_pointer (&self->ooms, g_array_unref);
  g_free (self->highlight);
  G_OBJECT_CLASS (stria_alloc_state_parent_class)->finalize (object);
}

static void
stria_alloc_state_class_init (StriaAllocStateClass *klass)
{
  static const char *const names[N_SIGNALS]
      = { "device-changed", "view-changed", "moment-changed", "selection-changed" };

  G_OBJECT_CLASS (klass)->finalize = stria_alloc_state_finalize;
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                               NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_alloc_state_init (StriaAllocState *self)
{
  self->by_time = TRUE;
  self->pools = TRUE;
  self->selected = STRIA_NO_ELEMENT;
  self->event = STRIA_NO_EVENT;
  self->base = G_MAXUINT32;
}

StriaAllocState *
stria_alloc_state_new (void)
{
  return g_object_new (STRIA_TYPE_ALLOC_STATE, NULL);
}

void
stria_alloc_state_set_allocator (StriaAllocState *self, StriaSnapshotData *snapshot,
                                 StriaAllocator *allocator)
{
  const StriaAllocFilter filter = { .actions = 1u << STRIA_ALLOC_OOM, .max_size = G_MAXUINT64 };

  g_return_if_fail (STRIA_IS_ALLOC_STATE (self));

  if (allocator == self->allocator)
    return;
  if (snapshot != NULL)
    stria_snapshot_data_ref (snapshot);
  g_clear_pointer (&self->snapshot, stria_snapshot_data_unref);
  g_clear_pointer (&self->ooms, g_array_unref);
  self->snapshot = snapshot;
  self->allocator = allocator;
  self->selected = STRIA_NO_ELEMENT;
  self->event = STRIA_NO_EVENT;
  self->base = G_MAXUINT32;
  self->step = 0;
  if (allocator != NULL)
    {
      StriaAllocView view;

      self->ooms = stria_allocator_filter (allocator, &filter, NULL, NULL);
      stria_alloc_view_init (&view, allocator, self->by_time);
      self->x0 = view.x0;
      self->x1 = view.x1;
      self->step = view.step;
    }
  g_signal_emit (self, signals[DEVICE_CHANGED], 0);
}

StriaAllocator *
stria_alloc_state_get_allocator (StriaAllocState *self)
{
  return self->allocator;
}

StriaSnapshotData *
stria_alloc_state_get_snapshot (StriaAllocState *self)
{
  return self->snapshot;
}

static gboolean
is_by_time (StriaAllocState *self)
{
  return self->by_time && stria_allocator_has_times (self->allocator)
         && stria_allocator_get_n_events (self->allocator) > 0;
}

void
stria_alloc_state_fill_view (StriaAllocState *self, StriaAllocView *view)
{
  *view = (StriaAllocView){
    .allocator = self->allocator,
    .kind = self->kind,
    .by_time = is_by_time (self),
    .pools = self->pools,
    .x0 = self->x0,
    .x1 = self->x1,
    .color = self->color,
    .selected = self->selected,
    .step = self->step,
    .base_step = self->base,
    .highlight = self->highlight,
    .ooms = self->ooms,
    .no_legend = self->shares_axis,
    .left = self->left,
    .right = self->right,
  };
}

guint32
stria_alloc_state_get_step (StriaAllocState *self)
{
  return self->step;
}

void
stria_alloc_state_set_step (StriaAllocState *self, guint32 step)
{
  if (self->allocator == NULL)
    return;
  step = MIN (step, stria_allocator_get_n_events (self->allocator));
  if (step == self->step)
    return;
  self->step = step;
  g_signal_emit (self, signals[MOMENT_CHANGED], 0);
}

void
stria_alloc_state_go_peak (StriaAllocState *self)
{
  if (self->allocator != NULL)
    stria_alloc_state_set_step (
        self, stria_allocator_peak (self->allocator, 0,
                                    stria_allocator_get_n_events (self->allocator)));
}

guint32
stria_alloc_state_get_base (StriaAllocState *self)
{
  return self->base;
}

void
stria_alloc_state_set_base (StriaAllocState *self, guint32 step)
{
  if (step == self->base)
    return;
  self->base = step;
  g_signal_emit (self, signals[MOMENT_CHANGED], 0);
}

guint32
stria_alloc_state_get_selected (StriaAllocState *self)
{
  return self->selected;
}

void
stria_alloc_state_select (StriaAllocState *self, guint32 element)
{
  if (element == self->selected)
    return;
  self->selected = element;
  self->event = STRIA_NO_EVENT;
  g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

guint32
stria_alloc_state_get_event (StriaAllocState *self)
{
  return self->event;
}

void
stria_alloc_state_select_event (StriaAllocState *self, guint32 event)
{
  if (self->allocator == NULL || event == self->event)
    return;
  self->event = event;
  if (event != STRIA_NO_EVENT)
    {
      self->selected = self->kind == STRIA_PLOT_BLOCKS
                           ? stria_allocator_event_element (self->allocator, event)
                           : STRIA_NO_ELEMENT;
      stria_alloc_state_set_step (self, event + 1);
    }
  g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

void
stria_alloc_state_set_by_time (StriaAllocState *self, gboolean by_time)
{
  if (by_time == self->by_time)
    return;
  self->by_time = by_time;
  if (self->allocator != NULL)
    stria_alloc_view_extent (self->allocator, is_by_time (self), &self->x0, &self->x1);
  g_signal_emit (self, signals[VIEW_CHANGED], 0);
}

void
stria_alloc_state_set_kind (StriaAllocState *self, StriaPlotKind kind)
{
  if (kind == self->kind)
    return;
  self->kind = kind;
  stria_alloc_state_select (self, STRIA_NO_ELEMENT);
  g_signal_emit (self, signals[VIEW_CHANGED], 0);
}

void
stria_alloc_state_set_pools (StriaAllocState *self, gboolean pools)
{
  if (pools == self->pools)
    return;
  self->pools = pools;
  g_signal_emit (self, signals[VIEW_CHANGED], 0);
}

void
stria_alloc_state_set_color (StriaAllocState *self, StriaAllocColorMode color)
{
  if (color == self->color)
    return;
  self->color = color;
  g_signal_emit (self, signals[VIEW_CHANGED], 0);
}

void
stria_alloc_state_set_highlight (StriaAllocState *self, const char *text)
{
  if (text != NULL && *text == '\0')
    text = NULL;
  if (g_strcmp0 (text, self->highlight) == 0)
    return;
  g_free (self->highlight);
  self->highlight = g_strdup (text);
  g_signal_emit (self, signals[VIEW_CHANGED], 0);
}

void
stria_alloc_state_set_range (StriaAllocState *self, gint64 x0, gint64 x1)
{
  gint64 low, high, least, length;

  if (self->allocator == NULL)
    return;
  if (self->shares_axis)
    {
      low = self->bound0;
      high = self->bound1;
    }
  else
    stria_alloc_view_extent (self->allocator, is_by_time (self), &low, &high);
  least = MIN (is_by_time (self) ? LEAST_TIME_US : LEAST_STEPS, high - low);
  length = CLAMP (x1 - x0, least, high - low);
  x0 = CLAMP (x0, low, high - length);
  if (x0 == self->x0 && x0 + length == self->x1)
    return;
  self->x0 = x0;
  self->x1 = x0 + length;
  g_signal_emit (self, signals[VIEW_CHANGED], 0);
}

void
stria_alloc_state_share_axis (StriaAllocState *self, gint64 bound0, gint64 bound1, double left,
                              double right)
{
  g_return_if_fail (bound1 > bound0);

  if (self->shares_axis && bound0 == self->bound0 && bound1 == self->bound1 && left == self->left
      && right == self->right)
    return;
  self->shares_axis = TRUE;
  self->bound0 = bound0;
  self->bound1 = bound1;
  self->left = left;
  self->right = right;
  g_signal_emit (self, signals[VIEW_CHANGED], 0);
}

void
stria_alloc_state_get_range (StriaAllocState *self, gint64 *x0, gint64 *x1)
{
  *x0 = self->x0;
  *x1 = self->x1;
}

void
stria_alloc_state_fit (StriaAllocState *self)
{
  stria_alloc_state_set_range (self, G_MININT64 / 4, G_MAXINT64 / 4);
}

void
stria_alloc_state_zoom (StriaAllocState *self, double center, double factor)
{
  const double a = (double) self->x0;
  const double b = (double) self->x1;
  double length = (b - a) * factor;
  double x0 = center - (center - a) * factor;

  /* Rounding must not keep a view from growing again */
  if (factor > 1)
    length = MAX (length, b - a + 2);
  stria_alloc_state_set_range (self, (gint64) floor (x0), (gint64) floor (x0) + (gint64) length);
}

void
stria_alloc_state_pan (StriaAllocState *self, double share)
{
  const gint64 delta = (gint64) ((double) (self->x1 - self->x0) * share);
  const gint64 least = share < 0 ? MIN (delta, -1) : MAX (delta, 1);

  stria_alloc_state_set_range (self, self->x0 + least, self->x1 + least);
}

static void
add_row (GString *markup, const char *label, const char *value)
{
  g_autofree char *escaped = g_markup_escape_text (value, -1);

  g_string_append_printf (markup, "\n<span alpha=\"65%%\">%s</span>  %s", label, escaped);
}

static char *
time_of_event (StriaAllocState *self, guint32 event, const char *none)
{
  if (event == STRIA_NO_EVENT)
    return g_strdup (none);
  return stria_alloc_step_text (self->allocator, event + 1);
}

static char *
segment_card (StriaAllocState *self, guint32 i)
{
  StriaSegmentLife life;
  g_autoptr (GString) markup = g_string_new (NULL);
  g_autofree char *owner = NULL;
  g_autofree char *title = NULL;
  g_autofree char *size = NULL;
  g_autofree char *address = NULL;
  g_autofree char *pool = NULL;
  g_autofree char *stream = NULL;

  stria_allocator_get_segment_life (self->allocator, i, &life);
  owner = stria_alloc_stack_short (self->snapshot, life.stack);
  title = g_markup_escape_text (owner, -1);
  g_string_append_printf (markup, "<b>%s</b>", title);
  size = stria_alloc_exact_bytes (life.size);
  address = stria_alloc_address_text (life.address, 0);
  pool = stria_alloc_pool_text (self->allocator, life.pool);
  stream = stria_alloc_stream_text (self->allocator, life.stream);
  add_row (markup, _ ("Segment"), size);
  add_row (markup, _ ("Address"), address);
  add_row (markup, _ ("Stream"), stream);
  add_row (markup, _ ("Pool"), pool);
  return g_string_free (g_steal_pointer (&markup), FALSE);
}

char *
stria_alloc_state_pool_card (StriaAllocState *self, guint pool, guint32 step)
{
  StriaPrivatePool band;
  g_autoptr (GString) markup = g_string_new (NULL);
  g_autofree char *stream = NULL;
  g_autofree char *name = NULL;
  g_autofree char *allocated = NULL;
  g_autofree char *reserved = NULL;
  g_autofree char *most = NULL;

  stria_allocator_get_private_pool (self->allocator, pool, step, &band);
  name = stria_alloc_pool_text (self->allocator, band.pool);
  stream = stria_alloc_stream_text (self->allocator, band.stream);
  allocated = stria_alloc_exact_bytes (band.allocated);
  reserved = stria_alloc_exact_bytes (band.reserved);
  most = stria_alloc_exact_bytes (band.height);
  g_string_append_printf (markup, "<b>%s</b>", _ ("Private pool"));
  add_row (markup, _ ("Pool"), name);
  add_row (markup, _ ("Stream"), stream);
  add_row (markup, _ ("Requested"), allocated);
  add_row (markup, _ ("Reserved"), reserved);
  add_row (markup, _ ("Most so far"), most);
  return g_string_free (g_steal_pointer (&markup), FALSE);
}

char *
stria_alloc_state_card (StriaAllocState *self, guint32 element)
{
  StriaElement e;
  g_autoptr (GString) markup = NULL;
  g_autofree char *owner = NULL;
  g_autofree char *title = NULL;
  g_autofree char *size = NULL;
  g_autofree char *address = NULL;
  g_autofree char *pool = NULL;
  g_autofree char *stream = NULL;
  g_autofree char *birth = NULL;
  g_autofree char *death = NULL;
  g_autofree char *life = NULL;

  if (self->kind == STRIA_PLOT_SEGMENTS)
    return segment_card (self, element);
  markup = g_string_new (NULL);
  stria_allocator_get_element (self->allocator, element, &e);
  owner = stria_alloc_stack_short (self->snapshot, e.stack);
  title = g_markup_escape_text (owner, -1);
  g_string_append_printf (markup, "<b>%s</b>", title);
  size = stria_alloc_exact_bytes (e.size);
  add_row (markup, _ ("Requested"), size);
  if (e.rounded > 0)
    {
      g_autofree char *rounded = stria_alloc_exact_bytes (e.rounded);

      add_row (markup, _ ("Takes"), rounded);
    }
  address = stria_alloc_address_text (e.address, e.version);
  stream = stria_alloc_stream_text (self->allocator, e.stream);
  pool = stria_alloc_pool_text (self->allocator, e.pool);
  birth = time_of_event (self, e.birth, _ ("before the recording"));
  death = time_of_event (self, e.death, _ ("alive at the end"));
  life = stria_alloc_lifetime_text (self->allocator, &e);
  add_row (markup, _ ("Address"), address);
  add_row (markup, _ ("Stream"), stream);
  add_row (markup, _ ("Pool"), pool);
  add_row (markup, _ ("Allocated"), birth);
  add_row (markup, _ ("Freed"), death);
  add_row (markup, _ ("Lifetime"), life);
  add_row (markup, _ ("State"), stria_alloc_element_state (&e, self->step));
  if (e.category != 0)
    add_row (markup, _ ("Category"), stria_snapshot_get_string (self->snapshot, e.category));
  if ((e.flags & STRIA_ELEMENT_UNMATCHED) != 0)
    add_row (markup, _ ("Note"), _ ("its allocation was not recorded; the stack is that of its free"));
  else if ((e.flags & STRIA_ELEMENT_GHOST) != 0)
    add_row (markup, _ ("Note"), _ ("there before the recording began"));
  return g_string_free (g_steal_pointer (&markup), FALSE);
}
