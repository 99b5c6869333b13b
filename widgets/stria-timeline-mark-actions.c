/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-format.h"
#include "stria-key-bindings.h"
#include "stria-session-marks.h"
#include "stria-timeline-marks-private.h"

#include <glib/gi18n-lib.h>

#define FIT_MARGIN 0.1
#define LEAST_VIEW_NS 100
#define MENU_NAME_CHARS 30

void
stria_timeline_zoom_to_time (StriaTimeline *self, gint64 t0, gint64 t1)
{
  const gint64 margin = MAX ((gint64) ((double) (t1 - t0) * FIT_MARGIN), LEAST_VIEW_NS / 2);

  stria_timeline_glide_to (self, t0 - margin, t1 + margin);
}

void
stria_timeline_show_time (StriaTimeline *self, gint64 t0, gint64 t1)
{
  gint64 v0 = 0, v1 = 0;
  gint64 middle;

  stria_session_get_view (self->session, &v0, &v1);
  if (t0 >= v0 && t1 <= v1)
    return;
  if (t1 - t0 > v1 - v0)
    {
      stria_timeline_zoom_to_time (self, t0, t1);
      return;
    }
  middle = t0 + (t1 - t0) / 2;
  stria_timeline_glide_to (self, middle - (v1 - v0) / 2, middle - (v1 - v0) / 2 + (v1 - v0));
}

/* Where the keyboard means: under the pointer, else the selected event's start, else the middle */
static gint64
cursor_time (StriaTimeline *self)
{
  const StriaRef ref = stria_session_get_selection (self->session);
  StriaTrace *trace = stria_session_get_trace (self->session);
  const Region region = stria_timeline_region_at (self, self->pointer_x, self->pointer_y);
  const StriaColumns *columns = NULL;
  gint64 t0 = 0, t1 = 0;

  if (self->pointer_inside
      && (region == REGION_LANES || region == REGION_PINNED || region == REGION_RULER
          || region == REGION_MARKS))
    return stria_timeline_snapped (self, self->pointer_x, self->pointer_y);
  if (trace != NULL && !stria_ref_is_none (ref) && ref.lane < stria_trace_get_n_lanes (trace))
    columns = stria_lane_get_columns (stria_trace_get_lane (trace, ref.lane));
  if (columns != NULL && ref.index < columns->n)
    return columns->start[ref.index];
  stria_session_get_view (self->session, &t0, &t1);
  return t0 + (t1 - t0) / 2;
}

/* -- naming ----------------------------------------------------------------------------------- */

static gboolean
drop_entry (gpointer data)
{
  StriaTimeline *self = data;

  if (self->mark_entry != NULL && !gtk_widget_get_visible (self->mark_entry))
    {
      g_clear_pointer (&self->mark_entry, gtk_widget_unparent);
      if (self->session != NULL)
        gtk_widget_grab_focus (GTK_WIDGET (self));
    }
  return G_SOURCE_REMOVE;
}

static void
on_entry_closed (GtkPopover *popover, gpointer data)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, drop_entry, g_object_ref (data), g_object_unref);
}

static void
on_entry_activate (GtkEntry *entry, gpointer data)
{
  StriaTimeline *self = data;
  const guint64 id = stria_annotations_get_selected (self->annotations);

  stria_annotations_set_name (self->annotations, id, gtk_editable_get_text (GTK_EDITABLE (entry)));
  gtk_popover_popdown (GTK_POPOVER (self->mark_entry));
}

static void
rename_selected (StriaTimeline *self)
{
  const StriaAnnotation *item = stria_annotations_find (
      self->annotations, stria_annotations_get_selected (self->annotations));
  GtkWidget *entry;
  StriaTimelineView view;
  double x;

  if (item == NULL || !stria_timeline_fill_view (self, &view))
    return;
  g_clear_pointer (&self->mark_entry, gtk_widget_unparent);
  entry = gtk_entry_new ();
  gtk_editable_set_text (GTK_EDITABLE (entry), item->name);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 24);
  gtk_widget_set_tooltip_text (entry, _ ("Name of the annotation; Enter keeps it"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Name of the annotation"), -1);
  g_signal_connect (entry, "activate", G_CALLBACK (on_entry_activate), self);
  self->mark_entry = gtk_popover_new ();
  gtk_popover_set_child (GTK_POPOVER (self->mark_entry), entry);
  gtk_popover_set_position (GTK_POPOVER (self->mark_entry), GTK_POS_BOTTOM);
  gtk_widget_set_parent (self->mark_entry, GTK_WIDGET (self));
  x = stria_time_to_x (item->t0, view.t0, view.t1, stria_timeline_lanes_width (self));
  x = CLAMP (self->header_width + x, self->header_width,
             gtk_widget_get_width (GTK_WIDGET (self)) - 1.0);
  gtk_popover_set_pointing_to (
      GTK_POPOVER (self->mark_entry),
      &(GdkRectangle){ (int) x, (int) stria_timeline_marks_top (self), 1,
                       (int) stria_timeline_marks_height (self) });
  g_signal_connect (self->mark_entry, "closed", G_CALLBACK (on_entry_closed), self);
  stria_timeline_set_hover (self, STRIA_REF_NONE);
  gtk_popover_popup (GTK_POPOVER (self->mark_entry));
  gtk_widget_grab_focus (entry);
}

/* -- actions ---------------------------------------------------------------------------------- */

static void
add_at (StriaTimeline *self, gint64 t0, gint64 t1)
{
  guint64 id;

  if (stria_session_get_trace (self->session) == NULL)
    return;
  id = stria_annotations_add (self->annotations, t0, t1, NULL, 0);
  if (id == 0)
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
      return;
    }
  stria_annotations_select (self->annotations, id);
  rename_selected (self);
}

static void
add_marker (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);
  const gint64 ns = cursor_time (self);

  add_at (self, ns, ns);
}

static void
add_marker_here (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);

  add_at (self, self->menu_ns, self->menu_ns);
}

/* The selected range, else the selected event's */
static gboolean
span_meant (StriaTimeline *self, gint64 *t0, gint64 *t1)
{
  const StriaRef ref = stria_session_get_selection (self->session);
  StriaTrace *trace = stria_session_get_trace (self->session);
  const StriaColumns *columns = NULL;

  if (stria_session_get_range (self->session, t0, t1))
    return TRUE;
  if (trace != NULL && !stria_ref_is_none (ref) && ref.lane < stria_trace_get_n_lanes (trace))
    columns = stria_lane_get_columns (stria_trace_get_lane (trace, ref.lane));
  if (columns == NULL || columns->dur == NULL || ref.index >= columns->n
      || columns->dur[ref.index] <= 0)
    return FALSE;
  *t0 = columns->start[ref.index];
  *t1 = *t0 + columns->dur[ref.index];
  return TRUE;
}

static void
add_range (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);
  gint64 t0 = 0, t1 = 0;

  if (span_meant (self, &t0, &t1))
    add_at (self, t0, t1);
  else
    gtk_widget_error_bell (widget);
}

static void
walk (StriaTimeline *self, gboolean forward)
{
  const StriaAnnotation *item = stria_annotations_find (
      self->annotations, stria_annotations_get_selected (self->annotations));
  gint64 t0 = 0, t1 = 0;

  stria_session_get_view (self->session, &t0, &t1);
  item = stria_annotations_next (self->annotations,
                                 item != NULL ? item->t0 : t0 + (t1 - t0) / 2, forward);
  if (item == NULL)
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
      return;
    }
  t0 = item->t0;
  t1 = item->t1;
  stria_annotations_select (self->annotations, item->id);
  stria_timeline_show_time (self, t0, t1);
}

static void
next_mark (GtkWidget *widget, const char *name, GVariant *parameter)
{
  walk (STRIA_TIMELINE (widget), TRUE);
}

static void
previous_mark (GtkWidget *widget, const char *name, GVariant *parameter)
{
  walk (STRIA_TIMELINE (widget), FALSE);
}

/* The warning that begins next after (before) the selected range, else after the view's middle */
static void
walk_warnings (StriaTimeline *self, gboolean forward)
{
  const StriaWarningSet *set = stria_warnings_get (self->warnings);
  const StriaWarning *found = NULL;
  gint64 t0 = 0, t1 = 0, ns;

  if (stria_session_get_range (self->session, &t0, &t1))
    ns = t0;
  else
    {
      stria_session_get_view (self->session, &t0, &t1);
      ns = t0 + (t1 - t0) / 2;
    }
  for (guint i = 0; set != NULL && i < set->items->len; i++)
    {
      const StriaWarning *warning = &g_array_index (set->items, StriaWarning, i);

      if (!warning->has_time)
        continue;
      if (forward && warning->t0 > ns)
        {
          found = warning;
          break;
        }
      if (!forward && warning->t0 < ns)
        found = warning;
    }
  if (found == NULL)
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
      return;
    }
  t0 = found->t0;
  t1 = found->t1;
  stria_session_set_range (self->session, t0, t1, NULL, 0);
  stria_timeline_show_time (self, t0, t1);
}

static void
next_warning (GtkWidget *widget, const char *name, GVariant *parameter)
{
  walk_warnings (STRIA_TIMELINE (widget), TRUE);
}

static void
previous_warning (GtkWidget *widget, const char *name, GVariant *parameter)
{
  walk_warnings (STRIA_TIMELINE (widget), FALSE);
}

static void
rename_mark (GtkWidget *widget, const char *name, GVariant *parameter)
{
  rename_selected (STRIA_TIMELINE (widget));
}

static void
delete_mark (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);

  stria_annotations_remove (self->annotations,
                            stria_annotations_get_selected (self->annotations));
}

static void
undo_mark (GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (!stria_annotations_undo (STRIA_TIMELINE (widget)->annotations))
    gtk_widget_error_bell (widget);
}

static void
redo_mark (GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (!stria_annotations_redo (STRIA_TIMELINE (widget)->annotations))
    gtk_widget_error_bell (widget);
}

gboolean
stria_timeline_deselect_mark (StriaTimeline *self)
{
  if (self->annotations == NULL || stria_annotations_get_selected (self->annotations) == 0)
    return FALSE;
  stria_annotations_select (self->annotations, 0);
  return TRUE;
}

void
stria_timeline_update_mark_actions (StriaTimeline *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  gboolean selected;
  gint64 t0 = 0, t1 = 0;

  if (self->annotations == NULL)
    return;
  selected = stria_annotations_get_selected (self->annotations) != 0;
  gtk_widget_action_set_enabled (widget, "timeline.rename-mark", selected);
  gtk_widget_action_set_enabled (widget, "timeline.delete-mark", selected);
  gtk_widget_action_set_enabled (widget, "timeline.add-range", span_meant (self, &t0, &t1));
  gtk_widget_action_set_enabled (widget, "timeline.undo-mark",
                                 stria_annotations_can_undo (self->annotations));
  gtk_widget_action_set_enabled (widget, "timeline.redo-mark",
                                 stria_annotations_can_redo (self->annotations));
}

void
stria_timeline_append_mark_menu (StriaTimeline *self, GMenu *menu, double x, double y)
{
  g_autoptr (GMenu) add = g_menu_new ();
  g_autoptr (GMenu) one = g_menu_new ();
  const Region region = stria_timeline_region_at (self, x, y);
  const StriaAnnotation *item = NULL;

  if (region == REGION_LANES || region == REGION_PINNED || region == REGION_MARKS)
    {
      self->menu_ns = stria_timeline_snapped (self, x, y);
      if (stria_timeline_begin_mark (self, x, y, region))
        stria_annotations_select (self->annotations, self->mark_id);
    }
  else
    self->menu_ns = cursor_time (self);
  item = stria_annotations_find (self->annotations,
                                 stria_annotations_get_selected (self->annotations));
  g_menu_append (add, _ ("Add _Marker Here"), "timeline.add-marker-here");
  g_menu_append (add, _ ("Add _Range of the Selection"), "timeline.add-range");
  if (item != NULL)
    {
      g_autofree char *name = g_utf8_strlen (item->name, -1) > MENU_NAME_CHARS
                                  ? g_utf8_substring (item->name, 0, MENU_NAME_CHARS)
                                  : g_strdup (item->name);
      g_auto (GStrv) parts = g_strsplit (name, "_", -1);
      g_autofree char *escaped = g_strjoinv ("__", parts);
      g_autofree char *rename = g_strdup_printf (_ ("R_ename “%s”…"), escaped);
      g_autofree char *remove = g_strdup_printf (_ ("_Delete “%s”"), escaped);

      g_menu_append (one, rename, "timeline.rename-mark");
      g_menu_append (one, remove, "timeline.delete-mark");
    }
  g_menu_prepend_section (menu, NULL, G_MENU_MODEL (one));
  g_menu_prepend_section (menu, NULL, G_MENU_MODEL (add));
}

typedef struct
{
  const char                 *name;
  GtkWidgetActionActivateFunc func;
  guint                       keys[2];
  GdkModifierType             modifiers;
} Action;

static const Action actions[] = {
  { "timeline.add-marker", add_marker, { GDK_KEY_b }, 0 },
  { "timeline.add-marker-here", add_marker_here, { 0 }, 0 },
  { "timeline.add-range", add_range, { GDK_KEY_b }, GDK_SHIFT_MASK },
  { "timeline.next-mark", next_mark, { GDK_KEY_k }, 0 },
  { "timeline.previous-mark", previous_mark, { GDK_KEY_k }, GDK_SHIFT_MASK },
  { "timeline.next-warning", next_warning, { GDK_KEY_u }, 0 },
  { "timeline.previous-warning", previous_warning, { GDK_KEY_u }, GDK_SHIFT_MASK },
  { "timeline.rename-mark", rename_mark, { GDK_KEY_F2 }, 0 },
  { "timeline.delete-mark", delete_mark, { GDK_KEY_Delete, GDK_KEY_KP_Delete }, 0 },
  { "timeline.undo-mark", undo_mark, { GDK_KEY_z }, GDK_CONTROL_MASK },
  { "timeline.redo-mark", redo_mark, { GDK_KEY_z }, GDK_CONTROL_MASK | GDK_SHIFT_MASK },
};

void
stria_timeline_install_mark_actions (GtkWidgetClass *klass)
{
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      gtk_widget_class_install_action (klass, actions[i].name, NULL, actions[i].func);
      for (guint j = 0; j < G_N_ELEMENTS (actions[i].keys) && actions[i].keys[j] != 0; j++)
        stria_key_bind_class (klass, actions[i].keys[j], actions[i].modifiers, actions[i].name);
    }
}
