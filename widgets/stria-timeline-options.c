/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-timeline-private.h"

#include <glib/gi18n-lib.h>

#include "stria-key-bindings.h"
#include <string.h>

#define HEIGHT_STEP 1.4
#define BOX_STEP    0.05 /* of the view */
/* Depth of layers where none is said */
#define LAYER_DEPTH 2

static const char *const color_names[STRIA_COLOR_N_BY] = {
  [STRIA_COLOR_BY_NAME] = "name",         [STRIA_COLOR_BY_OPERATOR] = "operator",
  [STRIA_COLOR_BY_LAYER] = "layer",       [STRIA_COLOR_BY_OPCODE] = "opcode",
  [STRIA_COLOR_BY_LANE] = "lane",         [STRIA_COLOR_BY_CATEGORY] = "category",
  [STRIA_COLOR_BY_STALL] = "stall",
};

static const char *const dma_names[] = { "queue", "engine", "both" };

static const char *const class_names[STRIA_LANE_N_CLASSES]
    = { "threads",     "engines", "dma-queues", "dma-engines",
        "collectives", "usage",   "semaphores", "errors" };

/* -- the group of what is chosen --------------------------------------------------------------- */

static char *
color_name (StriaTimeline *self)
{
  if (self->color_by == STRIA_COLOR_BY_LAYER)
    return g_strdup_printf ("layer:%u", self->color_depth);
  return g_strdup (color_names[self->color_by]);
}

static void
choose_color (StriaTimeline *self, const char *name)
{
  for (guint i = 0; i < STRIA_COLOR_N_BY; i++)
    {
      const gsize length = strlen (color_names[i]);

      if (strncmp (name, color_names[i], length) != 0
          || (name[length] != '\0' && (name[length] != ':' || i != STRIA_COLOR_BY_LAYER)))
        continue;
      stria_timeline_set_color_by (
          self, (StriaColorBy) i,
          i != STRIA_COLOR_BY_LAYER ? 0
          : name[length] == ':'     ? (guint) CLAMP (atoi (name + length + 1), 0, 64)
                                    : LAYER_DEPTH);
      return;
    }
}

static void
set_state (StriaTimeline *self, const char *action, GVariant *state)
{
  g_simple_action_set_state (
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->options), action)), state);
}

/* The group says what is: it follows the timeline, whoever changed it. */
static void
update_states (StriaTimeline *self)
{
  g_autofree char *color = color_name (self);

  set_state (self, "color", g_variant_new_string (color));
  set_state (self, "legend", g_variant_new_boolean (self->show_legend));
  set_state (self, "box", g_variant_new_boolean (!self->pan_lanes));
  set_state (self, "dma",
             g_variant_new_string (dma_names[stria_timeline_layout_get_dma_lanes (self->layout)]));
  set_state (self, "stacked",
             g_variant_new_boolean (stria_timeline_layout_get_stacked (self->layout)));
  for (guint i = 0; i < STRIA_LANE_N_CLASSES; i++)
    {
      g_autofree char *name = g_strconcat ("show-", class_names[i], NULL);

      set_state (self, name,
                 g_variant_new_boolean (
                     !stria_timeline_layout_get_class_hidden (self->layout, (StriaLaneClass) i)));
    }
}

static void
on_color (GSimpleAction *action, GVariant *value, gpointer data)
{
  choose_color (data, g_variant_get_string (value, NULL));
}

static void
on_legend (GSimpleAction *action, GVariant *value, gpointer data)
{
  StriaTimeline *self = data;

  self->show_legend = g_variant_get_boolean (value);
  stria_timeline_want_picture (self);
  stria_timeline_options_changed (self);
}

static void
on_box (GSimpleAction *action, GVariant *value, gpointer data)
{
  StriaTimeline *self = data;

  self->pan_lanes = !g_variant_get_boolean (value);
  stria_timeline_options_changed (self);
}

static void
on_dma (GSimpleAction *action, GVariant *value, gpointer data)
{
  StriaTimeline *self = data;
  const char *name = g_variant_get_string (value, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (dma_names); i++)
    if (g_str_equal (name, dma_names[i]))
      stria_timeline_layout_set_dma_lanes (self->layout, (StriaDmaLanes) i);
  stria_timeline_layout_changed (self);
}

static void
on_stacked (GSimpleAction *action, GVariant *value, gpointer data)
{
  StriaTimeline *self = data;

  stria_timeline_layout_set_stacked (self->layout, g_variant_get_boolean (value));
  stria_timeline_layout_changed (self);
}

static void
on_class (GSimpleAction *action, GVariant *value, gpointer data)
{
  StriaTimeline *self = data;
  const char *name = g_action_get_name (G_ACTION (action)) + strlen ("show-");

  for (guint i = 0; i < STRIA_LANE_N_CLASSES; i++)
    if (g_str_equal (name, class_names[i]))
      stria_timeline_layout_set_class_hidden (self->layout, (StriaLaneClass) i,
                                              !g_variant_get_boolean (value));
  stria_timeline_layout_changed (self);
}

static void
add_action (StriaTimeline *self, const char *name, GVariant *state, GCallback func)
{
  const gboolean is_flag = g_variant_is_of_type (state, G_VARIANT_TYPE_BOOLEAN);
  g_autoptr (GSimpleAction) action = g_simple_action_new_stateful (
      name, is_flag ? NULL : g_variant_get_type (state), state);

  g_signal_connect (action, "change-state", func, self);
  g_action_map_add_action (G_ACTION_MAP (self->options), G_ACTION (action));
}

void
stria_timeline_add_options (StriaTimeline *self)
{
  self->options = g_simple_action_group_new ();
  add_action (self, "color", g_variant_new_string ("name"), G_CALLBACK (on_color));
  add_action (self, "legend", g_variant_new_boolean (FALSE), G_CALLBACK (on_legend));
  add_action (self, "box", g_variant_new_boolean (TRUE), G_CALLBACK (on_box));
  add_action (self, "dma", g_variant_new_string ("queue"), G_CALLBACK (on_dma));
  add_action (self, "stacked", g_variant_new_boolean (TRUE), G_CALLBACK (on_stacked));
  for (guint i = 0; i < STRIA_LANE_N_CLASSES; i++)
    {
      g_autofree char *name = g_strconcat ("show-", class_names[i], NULL);

      add_action (self, name, g_variant_new_boolean (TRUE), G_CALLBACK (on_class));
    }
  gtk_widget_insert_action_group (GTK_WIDGET (self), "lanes", G_ACTION_GROUP (self->options));
  g_signal_connect (self, "options-changed", G_CALLBACK (update_states), NULL);
}

void
stria_timeline_drop_options (StriaTimeline *self)
{
  g_cancellable_cancel (self->coloring_cancellable);
  g_clear_object (&self->coloring_cancellable);
  g_clear_pointer (&self->coloring, stria_coloring_unref);
  g_clear_pointer (&self->legend, g_array_unref);
  if (self->options != NULL)
    {
      g_auto (GStrv) names = g_action_group_list_actions (G_ACTION_GROUP (self->options));

      /* Menus may keep the group for a while longer. */
      for (guint i = 0; names[i] != NULL; i++)
        g_signal_handlers_disconnect_by_data (
            g_action_map_lookup_action (G_ACTION_MAP (self->options), names[i]), self);
      g_signal_handlers_disconnect_by_func (self, update_states, NULL);
    }
  g_clear_object (&self->options);
}

GSimpleActionGroup *
stria_timeline_get_options (StriaTimeline *self)
{
  g_return_val_if_fail (STRIA_IS_TIMELINE (self), NULL);

  return self->options;
}

/**
 * stria_timeline_set_filter:
 * @filter: (nullable): see stria_timeline_layout_set_filter()
 */
void
stria_timeline_set_filter (StriaTimeline *self, const char *filter)
{
  g_return_if_fail (STRIA_IS_TIMELINE (self));

  stria_timeline_layout_set_filter (self->layout, filter);
  stria_timeline_layout_changed (self);
}

/**
 * stria_timeline_save_options:
 *
 * Returns: (transfer full): what was chosen, for stria_timeline_load_options()
 */
char *
stria_timeline_save_options (StriaTimeline *self)
{
  g_autofree char *layout = NULL;
  g_autofree char *color = NULL;
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);
  g_autoptr (GVariant) whole = NULL;

  g_return_val_if_fail (STRIA_IS_TIMELINE (self), NULL);

  layout = stria_timeline_layout_save (self->layout);
  color = color_name (self);
  g_variant_dict_insert (&dict, "layout", "s", layout);
  g_variant_dict_insert (&dict, "color", "s", color);
  g_variant_dict_insert (&dict, "legend", "b", self->show_legend);
  g_variant_dict_insert (&dict, "box", "b", !self->pan_lanes);
  whole = g_variant_ref_sink (g_variant_dict_end (&dict));
  return g_variant_print (whole, FALSE);
}

/**
 * stria_timeline_load_options:
 * @text: what stria_timeline_save_options() gave; anything else changes nothing
 */
void
stria_timeline_load_options (StriaTimeline *self, const char *text)
{
  g_autoptr (GVariant) whole = NULL;
  g_autofree char *layout = NULL;
  g_autofree char *color = NULL;
  gboolean box = TRUE;

  g_return_if_fail (STRIA_IS_TIMELINE (self));

  whole = g_variant_parse (G_VARIANT_TYPE_VARDICT, text, NULL, NULL, NULL);
  if (whole == NULL)
    return;
  if (g_variant_lookup (whole, "layout", "s", &layout))
    stria_timeline_layout_load (self->layout, layout);
  g_variant_lookup (whole, "legend", "b", &self->show_legend);
  if (g_variant_lookup (whole, "box", "b", &box))
    self->pan_lanes = !box;
  if (g_variant_lookup (whole, "color", "s", &color))
    choose_color (self, color);
  stria_timeline_layout_changed (self);
}

/* -- keys -------------------------------------------------------------------------------------- */

static void
next_color (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);
  StriaTrace *trace = stria_timeline_layout_get_trace (self->layout);
  guint by = self->color_by;

  if (trace == NULL)
    return;
  do
    by = (by + 1) % STRIA_COLOR_N_BY;
  while (!stria_coloring_applies (trace, (StriaColorBy) by, NULL));
  choose_color (self, color_names[by]);
}

static void
toggle (GtkWidget *widget, const char *name)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);

  g_action_group_activate_action (G_ACTION_GROUP (self->options), name, NULL);
}

static void
toggle_legend (GtkWidget *widget, const char *name, GVariant *parameter)
{
  toggle (widget, "legend");
}

static void
toggle_box (GtkWidget *widget, const char *name, GVariant *parameter)
{
  toggle (widget, "box");
}

static void
next_dma (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);
  const guint next = (stria_timeline_layout_get_dma_lanes (self->layout) + 1)
                     % G_N_ELEMENTS (dma_names);

  stria_timeline_layout_set_dma_lanes (self->layout, (StriaDmaLanes) next);
  stria_timeline_layout_changed (self);
}

static void
resize_lane (StriaTimeline *self, double factor)
{
  const guint32 lane = stria_timeline_lane_meant (self);
  const StriaLayoutItem *item = stria_timeline_layout_of_lane (self->layout, lane);

  if (item == NULL
      || stria_lane_get_kind (
             stria_trace_get_lane (stria_timeline_layout_get_trace (self->layout), item->lane))
             != STRIA_LANE_COUNTER)
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
      return;
    }
  stria_timeline_layout_set_lane_height (
      self->layout, item->lane, MAX (item->row_height * factor, STRIA_LAYOUT_HEIGHT_LEAST));
  stria_timeline_layout_changed (self);
}

static void
higher (GtkWidget *widget, const char *name, GVariant *parameter)
{
  resize_lane (STRIA_TIMELINE (widget), HEIGHT_STEP);
}

static void
lower (GtkWidget *widget, const char *name, GVariant *parameter)
{
  resize_lane (STRIA_TIMELINE (widget), 1 / HEIGHT_STEP);
}

/* Past the neighbour of the same group, above or below */
static void
move_lane (StriaTimeline *self, int by)
{
  const guint32 lane = stria_timeline_lane_meant (self);
  const StriaLayoutItem *item = stria_timeline_layout_of_lane (self->layout, lane);
  guint n = 0;
  const StriaLayoutItem *items = NULL;
  guint at = 0;

  if (item == NULL)
    return;
  items = item->pinned ? stria_timeline_layout_pinned (self->layout, &n)
                       : stria_timeline_layout_items (self->layout, &n);
  at = (guint) (item - items);
  if (by < 0 && at > 0 && !items[at - 1].is_process && items[at - 1].process == item->process)
    stria_timeline_layout_move_lane (self->layout, item->lane, items[at - 1].lane);
  else if (by > 0 && at + 1 < n && !items[at + 1].is_process
           && items[at + 1].process == item->process)
    stria_timeline_layout_move_lane (self->layout, items[at + 1].lane, item->lane);
  else
    gtk_widget_error_bell (GTK_WIDGET (self));
  stria_timeline_layout_changed (self);
}

static void
move_up (GtkWidget *widget, const char *name, GVariant *parameter)
{
  move_lane (STRIA_TIMELINE (widget), -1);
}

static void
move_down (GtkWidget *widget, const char *name, GVariant *parameter)
{
  move_lane (STRIA_TIMELINE (widget), 1);
}

static void
fold_lane (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);
  const StriaLayoutItem *item
      = stria_timeline_layout_of_lane (self->layout, stria_timeline_lane_meant (self));

  if (item == NULL)
    return;
  stria_timeline_layout_set_lane_collapsed (self->layout, item->lane, !item->collapsed);
  stria_timeline_layout_changed (self);
}

static void
fold_class (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);
  const StriaLayoutItem *item
      = stria_timeline_layout_of_lane (self->layout, stria_timeline_lane_meant (self));

  if (item == NULL)
    return;
  stria_timeline_layout_collapse_class (
      self->layout,
      stria_lane_get_class (
          stria_trace_get_lane (stria_timeline_layout_get_trace (self->layout), item->lane)),
      !item->collapsed);
  stria_timeline_layout_changed (self);
}

/* -- the box by keys --------------------------------------------------------------------------- */

/* The range and lanes selected, or those of the selected event, to begin with. */
static gboolean
begin_box (StriaTimeline *self, gint64 *t0, gint64 *t1, GArray *lanes)
{
  const StriaRef ref = stria_session_get_selection (self->session);
  StriaTrace *trace = stria_session_get_trace (self->session);
  const StriaColumns *columns = NULL;
  gsize n = 0;
  const guint32 *chosen = NULL;

  if (stria_session_get_range (self->session, t0, t1))
    {
      chosen = stria_session_get_range_lanes (self->session, &n);
      if (chosen != NULL)
        g_array_append_vals (lanes, chosen, (guint) n);
      return TRUE;
    }
  if (trace == NULL || stria_ref_is_none (ref))
    return FALSE;
  columns = stria_lane_get_columns (stria_trace_get_lane (trace, ref.lane));
  if (columns == NULL || ref.index >= columns->n)
    return FALSE;
  *t0 = columns->start[ref.index];
  *t1 = *t0 + MAX (columns->dur != NULL ? columns->dur[ref.index] : 0, 1);
  g_array_append_val (lanes, ref.lane);
  return TRUE;
}

/* The lane below the lowest of @lanes that stands somewhere, or G_MAXUINT32 */
static guint32
lane_below (StriaTimeline *self, GArray *lanes)
{
  guint n = 0;
  const StriaLayoutItem *items = stria_timeline_layout_items (self->layout, &n);
  guint32 found = G_MAXUINT32;

  for (guint i = n; i > 0; i--)
    {
      if (items[i - 1].is_process)
        continue;
      for (guint j = 0; j < lanes->len; j++)
        if (g_array_index (lanes, guint32, j) == items[i - 1].lane)
          return found;
      found = items[i - 1].lane;
    }
  return G_MAXUINT32;
}

static void
grow_box (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);
  const char *way = g_variant_get_string (parameter, NULL);
  g_autoptr (GArray) lanes = g_array_new (FALSE, FALSE, sizeof (guint32));
  gint64 t0 = 0, t1 = 0, view0 = 0, view1 = 0, step = 0;

  if (!begin_box (self, &t0, &t1, lanes))
    {
      gtk_widget_error_bell (widget);
      return;
    }
  stria_session_get_view (self->session, &view0, &view1);
  step = MAX ((gint64) ((double) (view1 - view0) * BOX_STEP), 1);
  if (g_str_equal (way, "later"))
    t1 += step;
  else if (g_str_equal (way, "earlier"))
    t1 = MAX (t1 - step, t0 + 1);
  else if (g_str_equal (way, "down") && lanes->len > 0)
    {
      const guint32 below = lane_below (self, lanes);

      if (below != G_MAXUINT32)
        g_array_append_val (lanes, below);
    }
  else if (g_str_equal (way, "up") && lanes->len > 1)
    g_array_set_size (lanes, lanes->len - 1);
  stria_session_set_range (self->session, t0, t1,
                           lanes->len > 0 ? (const guint32 *) (gpointer) lanes->data : NULL,
                           lanes->len);
}

typedef struct
{
  const char                 *name;
  GtkWidgetActionActivateFunc func;
  guint                       key;
  GdkModifierType             modifiers;
} Action;

static const Action actions[] = {
  { "timeline.next-color", next_color, GDK_KEY_c, 0 },
  { "timeline.toggle-legend", toggle_legend, GDK_KEY_l, 0 },
  { "timeline.toggle-box", toggle_box, GDK_KEY_v, 0 },
  { "timeline.next-dma", next_dma, GDK_KEY_q, 0 },
  { "timeline.higher", higher, GDK_KEY_Down, GDK_CONTROL_MASK },
  { "timeline.lower", lower, GDK_KEY_Up, GDK_CONTROL_MASK },
  { "timeline.move-up", move_up, GDK_KEY_Up, GDK_ALT_MASK },
  { "timeline.move-down", move_down, GDK_KEY_Down, GDK_ALT_MASK },
  { "timeline.fold-lane", fold_lane, GDK_KEY_e, 0 },
  { "timeline.fold-class", fold_class, GDK_KEY_e, GDK_CONTROL_MASK },
};

static const struct
{
  guint       key;
  const char *way;
} box_keys[] = {
  { GDK_KEY_Right, "later" },
  { GDK_KEY_Left, "earlier" },
  { GDK_KEY_Down, "down" },
  { GDK_KEY_Up, "up" },
};

void
stria_timeline_install_lane_actions (GtkWidgetClass *klass)
{
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      gtk_widget_class_install_action (klass, actions[i].name, NULL, actions[i].func);
      stria_key_bind_class (klass, actions[i].key, actions[i].modifiers, actions[i].name);
    }
  gtk_widget_class_install_action (klass, "timeline.grow-box", "s", grow_box);
  for (guint i = 0; i < G_N_ELEMENTS (box_keys); i++)
    gtk_widget_class_add_binding_action (klass, box_keys[i].key, GDK_SHIFT_MASK,
                                         "timeline.grow-box", "s", box_keys[i].way);
}
