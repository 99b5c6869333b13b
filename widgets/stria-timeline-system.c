/* SPDX-License-Identifier: Apache-2.0 */
/* How lanes are grouped, arrows between events, and ways from one profile of a capture to
 * another. */
#include "config.h"

#include "stria-timeline-private.h"

#include <glib/gi18n-lib.h>

#include "stria-dependencies.h"
#include "stria-device-link.h"
#include "stria-format.h"
#include "stria-key-bindings.h"
#include "stria-paint-kit.h"

/* Of several arrows, those that a menu has room for */
#define MAX_CHOICES 24
#define MAX_NAME    60
#define WORDS_PX    8.0

/* -- grouping -------------------------------------------------------------------------------- */

static void
set_grouping (StriaTimeline *self, StriaGrouping grouping)
{
  const StriaRef selection = stria_session_get_selection (self->session);

  stria_timeline_layout_set_grouping (self->layout, grouping);
  stria_timeline_layout_changed (self);
  /* What was looked at stays in sight. */
  if (!stria_ref_is_none (selection))
    stria_timeline_bring_into_sight (self, selection);
}

static void
on_grouping (GSimpleAction *action, GVariant *value, gpointer data)
{
  set_grouping (data, stria_grouping_parse (g_variant_get_string (value, NULL)));
}

/* The next grouping that tells anything of this trace */
static void
on_next_grouping (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  StriaTimeline *self = data;
  StriaTrace *trace = stria_timeline_layout_get_trace (self->layout);
  const int step = g_variant_get_boolean (parameter) ? 1 : STRIA_N_GROUPINGS - 1;
  StriaGrouping grouping = stria_timeline_layout_get_grouping (self->layout);

  if (trace == NULL)
    return;
  do
    grouping = (StriaGrouping) (((int) grouping + step) % STRIA_N_GROUPINGS);
  while (grouping != STRIA_GROUPING_FILE && !stria_grouping_divides (trace, grouping));
  set_grouping (self, grouping);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s",
                              stria_grouping_title (grouping));
}

/**
 * stria_timeline_grouping_menu:
 *
 * Returns: (transfer full): the ways to group the lanes
 */
GMenuModel *
stria_timeline_grouping_menu (StriaTimeline *self)
{
  GMenu *menu = g_menu_new ();

  for (StriaGrouping g = 0; g < STRIA_N_GROUPINGS; g++)
    {
      g_autofree char *action
          = g_strdup_printf ("system.grouping::%s", stria_grouping_word (g));

      g_menu_append (menu, stria_grouping_title (g), action);
    }
  return G_MENU_MODEL (menu);
}

/* -- arrows ---------------------------------------------------------------------------------- */

static void
on_flows (GSimpleAction *action, GVariant *value, gpointer data)
{
  StriaTimeline *self = data;

  self->show_flows = g_variant_get_boolean (value);
  g_simple_action_set_state (action, value);
  stria_timeline_want_picture (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * stria_timeline_draw_flow_words:
 *
 * Says how many arrows are drawn, and which are not, at the foot of the lanes.
 */
void
stria_timeline_draw_flow_words (StriaTimeline *self, GtkSnapshot *snapshot)
{
  const StriaPaintTheme *theme = stria_paint_theme (self->dark);
  g_autoptr (PangoLayout) layout = NULL;
  g_autofree char *text = NULL;
  GskRoundedRect bubble;
  GdkRGBA color = { 0 };
  int width = 0, height = 0;
  double x, y;

  if (!self->show_flows || self->lanes.texture == NULL)
    return;
  text = stria_flow_count_text (&self->flow_count);
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  pango_layout_get_pixel_size (layout, &width, &height);
  x = self->header_width + WORDS_PX;
  y = gtk_widget_get_height (GTK_WIDGET (self)) - height - 3 * WORDS_PX / 2;
  gsk_rounded_rect_init_from_rect (
      &bubble,
      &GRAPHENE_RECT_INIT ((float) (x - WORDS_PX / 2), (float) (y - WORDS_PX / 4),
                           (float) width + (float) WORDS_PX, (float) height + (float) WORDS_PX / 2),
      6);
  gtk_snapshot_push_rounded_clip (snapshot, &bubble);
  color = (GdkRGBA){ (float) theme->margin.r, (float) theme->margin.g, (float) theme->margin.b,
                     0.92f };
  gtk_snapshot_append_color (snapshot, &color, &bubble.bounds);
  gtk_snapshot_pop (snapshot);
  color = (GdkRGBA){ (float) theme->text.r, (float) theme->text.g, (float) theme->text.b, 1 };
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, (float) y));
  gtk_snapshot_append_layout (snapshot, layout, &color);
  gtk_snapshot_restore (snapshot);
}

/* -- along an arrow -------------------------------------------------------------------------- */

static void
on_go (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  StriaTimeline *self = data;
  StriaTrace *trace = stria_session_get_trace (self->session);
  StriaRef ref;

  g_variant_get (parameter, "(uu)", &ref.lane, &ref.index);
  /* The trace may have been replaced while the menu was open. */
  if (trace != NULL && ref.lane < stria_trace_get_n_lanes (trace)
      && ref.index < stria_lane_get_n_events (stria_trace_get_lane (trace, ref.lane)))
    stria_session_reveal (self->session, ref);
}

static char *
choice_label (StriaTrace *trace, const StriaDependency *choice)
{
  StriaLane *lane = stria_trace_get_lane (trace, choice->ref.lane);
  const StriaColumns *columns = stria_lane_get_columns (lane);
  const char *name = stria_trace_get_string (trace, columns->name[choice->ref.index]);
  g_autofree char *gap = stria_format_duration (choice->gap_ns, 3);
  g_autofree char *shown = g_utf8_strlen (name, -1) > MAX_NAME
                               ? g_utf8_substring (name, 0, MAX_NAME)
                               : g_strdup (name);
  /* Names have underlines, which a menu would take for the keys of its items. */
  g_auto (GStrv) parts = g_strsplit (shown, "_", -1);
  g_autofree char *plain = g_strjoinv ("__", parts);
  g_auto (GStrv) lane_parts = g_strsplit (stria_lane_get_name (lane), "_", -1);
  g_autofree char *lane_plain = g_strjoinv ("__", lane_parts);

  return g_strdup_printf ("%s · %s · %s · %s", plain, lane_plain,
                          stria_dependency_kind_title (choice->kind), gap);
}

static void
choose (StriaTimeline *self, StriaTrace *trace, StriaRef from, const GArray *choices)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  StriaTimelineView view;
  double x = 0, y = 0, w = 0, h = 0;
  const StriaLayoutItem *item = stria_timeline_layout_of_lane (self->layout, from.lane);

  for (guint i = 0; i < MIN (choices->len, MAX_CHOICES); i++)
    {
      const StriaDependency *choice = &g_array_index (choices, StriaDependency, i);
      g_autofree char *label = choice_label (trace, choice);
      g_autoptr (GMenuItem) entry = g_menu_item_new (label, NULL);

      g_menu_item_set_action_and_target (entry, "system.go", "(uu)", choice->ref.lane,
                                         choice->ref.index);
      g_menu_append_item (menu, entry);
    }
  if (choices->len > MAX_CHOICES)
    {
      const guint left = choices->len - MAX_CHOICES;
      g_autofree char *more = g_strdup_printf (
          ngettext ("%u more: see Dependencies", "%u more: see Dependencies", left), left);

      g_menu_append (menu, more, "system.none");
    }
  if (item != NULL && stria_timeline_fill_view (self, &view)
      && stria_timeline_locate (&view, stria_timeline_lanes_width (self), from, &x, &y, &w, &h))
    y += h + (item->pinned ? 0 : stria_timeline_pinned_shown (self) - stria_timeline_scroll (self));
  stria_timeline_popup_model (
      self, G_MENU_MODEL (menu),
      CLAMP (self->header_width + x, self->header_width,
             gtk_widget_get_width (GTK_WIDGET (self)) - 1),
      CLAMP (stria_timeline_top (self) + y, stria_timeline_top (self),
             gtk_widget_get_height (GTK_WIDGET (self)) - 1));
}

typedef struct
{
  StriaTrace *trace;
  StriaRef    ref;
  gboolean    forward;
} Follow;

static void
follow_free (gpointer data)
{
  Follow *follow = data;

  stria_trace_unref (follow->trace);
  g_free (follow);
}

static void
follow_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Follow *follow = task_data;
  GError *error = NULL;
  GArray *found = stria_dependencies_get (
      follow->trace, follow->ref,
      follow->forward ? STRIA_DEPENDENCY_AFTER : STRIA_DEPENDENCY_BEFORE, cancellable, &error);

  if (found == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, found, (GDestroyNotify) g_array_unref);
}

static void
on_followed (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (StriaTimeline) self = data;
  Follow *follow = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) found = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->session == NULL || follow->trace != stria_session_get_trace (self->session)
      || !stria_ref_equal (follow->ref, stria_session_get_selection (self->session)))
    return;
  if (found == NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s", error->message);
  else if (found->len == 0)
    gtk_widget_error_bell (GTK_WIDGET (self));
  else if (found->len == 1)
    stria_session_reveal (self->session, g_array_index (found, StriaDependency, 0).ref);
  else
    choose (self, follow->trace, follow->ref, found);
}

/**
 * stria_timeline_follow_flow:
 * @forward: to what waits for the selected event, else to what it waited for
 *
 * Goes there; where there are several, asks which.
 */
void
stria_timeline_follow_flow (StriaTimeline *self, gboolean forward)
{
  const StriaRef ref = stria_session_get_selection (self->session);
  StriaTrace *trace = stria_session_get_trace (self->session);
  g_autoptr (GTask) task = NULL;
  Follow *follow;

  if (trace == NULL || stria_ref_is_none (ref))
    return;
  follow = g_new0 (Follow, 1);
  follow->trace = stria_trace_ref (trace);
  follow->ref = ref;
  follow->forward = forward;
  task = g_task_new (NULL, NULL, on_followed, g_object_ref (self));
  g_task_set_source_tag (task, stria_timeline_follow_flow);
  g_task_set_task_data (task, follow, follow_free);
  g_task_run_in_thread (task, follow_in_thread);
}

/* -- between system and device --------------------------------------------------------------- */

typedef struct
{
  StriaRef found;
  gint64   away_ns;
} Jump;

static void
jump_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Follow *follow = task_data;
  GError *error = NULL;
  Jump jump;

  if (!stria_device_link_find (follow->trace, follow->ref, &jump.found, &jump.away_ns, cancellable,
                               &error))
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_memdup2 (&jump, sizeof jump), g_free);
}

static void
on_jumped (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (StriaTimeline) self = data;
  Follow *follow = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autofree Jump *jump = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *away = NULL;
  g_autofree char *text = NULL;

  if (self->session == NULL || follow->trace != stria_session_get_trace (self->session))
    return;
  if (jump == NULL)
    {
      gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s", error->message);
      return;
    }
  stria_session_reveal (self->session, jump->found);
  if (jump->away_ns == 0)
    return;
  away = stria_format_duration (jump->away_ns, 4);
  text = g_strdup_printf (_ ("Nothing of that core runs at this time; the nearest is %s away"),
                          away);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s", text);
}

static void
on_jump (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  StriaTimeline *self = data;
  const StriaRef ref = stria_session_get_selection (self->session);
  StriaTrace *trace = stria_session_get_trace (self->session);
  g_autoptr (GTask) task = NULL;
  Follow *follow;

  if (trace == NULL || stria_ref_is_none (ref)
      || stria_device_link_of (trace, ref.lane) == STRIA_DEVICE_LINK_NONE)
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
      return;
    }
  follow = g_new0 (Follow, 1);
  follow->trace = stria_trace_ref (trace);
  follow->ref = ref;
  task = g_task_new (NULL, NULL, on_jumped, g_object_ref (self));
  g_task_set_source_tag (task, on_jump);
  g_task_set_task_data (task, follow, follow_free);
  g_task_run_in_thread (task, jump_in_thread);
}

/**
 * stria_timeline_system_menu:
 *
 * Returns: (transfer full): what the menu of the lanes has of this
 */
GMenuModel *
stria_timeline_system_menu (StriaTimeline *self)
{
  const StriaRef ref = stria_session_get_selection (self->session);
  StriaTrace *trace = stria_session_get_trace (self->session);
  const StriaDeviceLink link = trace != NULL && !stria_ref_is_none (ref)
                                   ? stria_device_link_of (trace, ref.lane)
                                   : STRIA_DEVICE_LINK_NONE;
  g_autoptr (GMenuModel) grouping = stria_timeline_grouping_menu (self);
  GMenu *menu = g_menu_new ();

  if (link == STRIA_DEVICE_LINK_TO_DEVICE)
    g_menu_append (menu, _ ("Go to the _Device at This Time"), "system.jump");
  else if (link == STRIA_DEVICE_LINK_TO_SYSTEM)
    g_menu_append (menu, _ ("Go to the S_ystem Event at This Time"), "system.jump");
  g_menu_append_submenu (menu, _ ("_Group Lanes"), grouping);
  g_menu_append (menu, _ ("Show All A_rrows"), "system.flows");
  return G_MENU_MODEL (menu);
}

/* -- the widget ------------------------------------------------------------------------------ */

static void
on_toggle_flows (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  StriaTimeline *self = data;
  g_autoptr (GVariant) state = g_action_get_state (G_ACTION (action));

  g_action_change_state (G_ACTION (action),
                         g_variant_new_boolean (!g_variant_get_boolean (state)));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_select_grouping (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_action_change_state (G_ACTION (action), parameter);
}

static const GActionEntry entries[] = {
  { "grouping", on_select_grouping, "s", "'file'", on_grouping, { 0 } },
  { "next-grouping", on_next_grouping, "b", NULL, NULL, { 0 } },
  { "flows", on_toggle_flows, NULL, "false", on_flows, { 0 } },
  { "go", on_go, "(uu)", NULL, NULL, { 0 } },
  { "jump", on_jump, NULL, NULL, NULL, { 0 } },
};

void
stria_timeline_add_system (StriaTimeline *self)
{
  self->system = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->system), entries, G_N_ELEMENTS (entries),
                                   self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "system", G_ACTION_GROUP (self->system));
}

void
stria_timeline_drop_system (StriaTimeline *self)
{
  gtk_widget_insert_action_group (GTK_WIDGET (self), "system", NULL);
  g_clear_object (&self->system);
}

/* The layout has changed, maybe by what was saved: the menu shows what it has. */
void
stria_timeline_system_changed (StriaTimeline *self)
{
  const StriaGrouping grouping = stria_timeline_layout_get_grouping (self->layout);
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->system), "grouping");

  g_simple_action_set_state (G_SIMPLE_ACTION (action),
                             g_variant_new_string (stria_grouping_word (grouping)));
}

void
stria_timeline_install_system_keys (GtkWidgetClass *klass)
{
  stria_key_bind_class (klass, GDK_KEY_g, 0, "system.next-grouping(true)");
  stria_key_bind_class (klass, GDK_KEY_g, GDK_SHIFT_MASK, "system.next-grouping(false)");
  stria_key_bind_class (klass, GDK_KEY_x, 0, "system.flows");
  stria_key_bind_class (klass, GDK_KEY_j, 0, "system.jump");
}
