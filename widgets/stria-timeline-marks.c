/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-format.h"
#include "stria-session-marks.h"
#include "stria-timeline-marks-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define LINE_SLACK   4.0
#define EDGE_PX      5.0
#define WARNING_RGB  0xe5a50a
#define CARD_MOST    ((int) stria_text_px (400))
#define LABEL_WIDTH  ((int) stria_text_px (76))
#define CARD_SIZE    9.0

double
stria_timeline_marks_height (StriaTimeline *self)
{
  return self->marks != NULL ? stria_time_marks_height (self->marks) : 0;
}

double
stria_timeline_marks_top (StriaTimeline *self)
{
  return STRIA_TIMELINE_MINIMAP_HEIGHT + STRIA_TIMELINE_RULER_HEIGHT;
}

static void
add_annotations (StriaTimeline *self, StriaTimeMarks *marks)
{
  const guint64 selected = stria_annotations_get_selected (self->annotations);

  for (guint i = 0; i < stria_annotations_size (self->annotations); i++)
    {
      const StriaAnnotation *item = stria_annotations_at (self->annotations, i);
      const gboolean dragged = self->drag_kind == DRAG_MARK && item->id == self->mark_id;

      stria_time_marks_add (marks, STRIA_MARK_ANNOTATION, item->id,
                            dragged ? MIN (self->mark_t0, self->mark_t1) : item->t0,
                            dragged ? MAX (self->mark_t0, self->mark_t1) : item->t1, item->rgb,
                            item->id == selected, item->name);
    }
}

static void
add_regions (StriaTimeline *self, StriaTimeMarks *marks)
{
  const StriaRegionSet *set = stria_regions_get (self->regions);

  for (guint i = 0; set != NULL && i < set->regions->len; i++)
    {
      const StriaRegion *region = &g_array_index (set->regions, StriaRegion, i);

      stria_time_marks_add (marks, STRIA_MARK_REGION, i, region->t0, region->t1,
                            stria_annotation_color (region->rule + 5), FALSE, region->name);
    }
}

static void
add_warnings (StriaTimeline *self, StriaTimeMarks *marks)
{
  const StriaWarningSet *set = stria_warnings_get (self->warnings);

  for (guint i = 0; set != NULL && stria_warnings_get_shown (self->warnings)
                    && i < set->items->len; i++)
    {
      const StriaWarning *warning = &g_array_index (set->items, StriaWarning, i);

      if (warning->has_time)
        stria_time_marks_add (marks, STRIA_MARK_WARNING, i, warning->t0, warning->t1, WARNING_RGB,
                              FALSE, _ (stria_warning_info (warning->rule)->title));
    }
}

void
stria_timeline_update_marks (StriaTimeline *self)
{
  const double before = stria_timeline_marks_height (self);

  if (self->session == NULL)
    return;
  g_clear_pointer (&self->marks, stria_time_marks_free);
  self->marks = stria_time_marks_new ();
  add_annotations (self, self->marks);
  add_regions (self, self->marks);
  add_warnings (self, self->marks);
  stria_time_marks_seal (self->marks);
  stria_timeline_stale (self, LAYER_MARKS);
  stria_timeline_stale (self, LAYER_MARK_TITLES);
  stria_timeline_stale (self, LAYER_OVERLAY);
  stria_timeline_stale (self, LAYER_MINIMAP_FRAME);
  /* The lanes begin elsewhere. */
  if (fabs (before - stria_timeline_marks_height (self)) > 0.5)
    stria_timeline_layout_changed (self);
  else
    stria_timeline_update_actions (self);
}

static char *
time_text (StriaTimeline *self, gint64 ns)
{
  StriaTrace *trace = stria_session_get_trace (self->session);
  gint64 origin = 0, end = 0;

  if (trace == NULL || !stria_trace_get_view_range (trace, &origin, &end))
    origin = 0;
  return stria_format_time (ns - origin, 1);
}

static void
on_mark_selected (StriaTimeline *self)
{
  const StriaAnnotation *item = stria_annotations_find (
      self->annotations, stria_annotations_get_selected (self->annotations));

  if (item != NULL)
    {
      g_autofree char *start = time_text (self, item->t0);
      g_autofree char *length = stria_format_duration (item->t1 - item->t0, 4);

      g_clear_pointer (&self->description, g_free);
      if (item->t1 > item->t0)
        /* Translators: an annotation's name, its start, its duration */
        self->description = g_strdup_printf (_ ("%s, starts at %s, lasts %s"), item->name, start,
                                             length);
      else
        /* Translators: an annotation's name, its time */
        self->description = g_strdup_printf (_ ("%s, at %s"), item->name, start);
      self->describes_mark = TRUE;
      stria_timeline_tell (self);
    }
  stria_timeline_update_marks (self);
}

void
stria_timeline_init_marks (StriaTimeline *self)
{
  self->annotations = g_object_ref (stria_session_get_annotations (self->session));
  self->regions = g_object_ref (stria_session_get_regions (self->session));
  self->warnings = g_object_ref (stria_session_get_warnings (self->session));
  g_signal_connect_object (self->annotations, "changed", G_CALLBACK (stria_timeline_update_marks),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->annotations, "selection-changed", G_CALLBACK (on_mark_selected),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->regions, "changed", G_CALLBACK (stria_timeline_update_marks), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->warnings, "changed", G_CALLBACK (stria_timeline_update_marks),
                           self, G_CONNECT_SWAPPED);
  stria_timeline_update_marks (self);
}

void
stria_timeline_clear_marks (StriaTimeline *self)
{
  g_clear_pointer (&self->mark_entry, gtk_widget_unparent);
  g_clear_pointer (&self->marks, stria_time_marks_free);
  g_clear_object (&self->annotations);
  g_clear_object (&self->regions);
  g_clear_object (&self->warnings);
}

/* -- the pointer ------------------------------------------------------------------------------ */

/* The mark under a point of the widget: in the strip any, over the lanes the line of an annotation.
 * @edge: (out): 2 is all of it */
static const StriaTimeMark *
mark_at (StriaTimeline *self, double x, double y, Region region, int *edge)
{
  const double width = stria_timeline_lanes_width (self);
  gint64 t0 = 0, t1 = 0;
  guint found = G_MAXUINT;
  const StriaTimeMark *mark = NULL;

  if (self->marks == NULL)
    return NULL;
  *edge = 2;
  stria_session_get_view (self->session, &t0, &t1);
  if (t1 <= t0)
    return NULL;
  x -= self->header_width;
  if (region == REGION_MARKS)
    found = stria_time_marks_hit (self->marks, t0, t1, width, x,
                                  y - stria_timeline_marks_top (self));
  else if (region == REGION_LANES || region == REGION_PINNED)
    found = stria_time_marks_hit_line (self->marks, t0, t1, width, x, LINE_SLACK, edge);
  if (found == G_MAXUINT)
    return NULL;
  mark = stria_time_marks_get (self->marks, found);
  if (region == REGION_MARKS && mark->t1 > mark->t0)
    {
      const double left = stria_time_to_x (mark->t0, t0, t1, width);
      const double right = stria_time_to_x (mark->t1, t0, t1, width);

      if (right - left > 3 * EDGE_PX)
        *edge = fabs (x - left) <= EDGE_PX ? -1 : fabs (x - right) <= EDGE_PX ? 1 : 2;
    }
  else if (region == REGION_MARKS)
    *edge = 0;
  return mark;
}

static void
add_row (GString *markup, const char *label, const char *value)
{
  g_autofree char *escaped = g_markup_escape_text (value, -1);

  if (value[0] != '\0')
    g_string_append_printf (markup, "%s<span alpha=\"65%%\">%s</span>\t%s",
                            markup->len > 0 ? "\n" : "", label, escaped);
}

static void
add_times (StriaTimeline *self, GString *markup, gint64 t0, gint64 t1)
{
  g_autofree char *start = time_text (self, t0);
  g_autofree char *length = stria_format_duration (t1 - t0, 5);

  add_row (markup, t1 > t0 ? _ ("Start") : C_ ("point", "Time"), start);
  if (t1 > t0)
    add_row (markup, _ ("Duration"), length);
}

static void
add_region_rows (StriaTimeline *self, GString *markup, guint i)
{
  const StriaRegionSet *set = stria_regions_get (self->regions);
  const StriaRegion *region;
  StriaRegionSpread spread;
  g_autofree char *mean = NULL, *count = NULL, *text = NULL;

  if (set == NULL || i >= set->regions->len)
    return;
  region = &g_array_index (set->regions, StriaRegion, i);
  stria_region_spread (set, region->rule, STRIA_REGION_DURATION, &spread);
  mean = stria_format_duration ((gint64) (spread.mean + 0.5), 4);
  count = stria_format_count (spread.n);
  /* Translators: a duration, a count */
  text = g_strdup_printf (_ ("%s, of %s regions"), mean, count);
  add_row (markup, _ ("Mean"), text);
}

static void
add_warning_rows (StriaTimeline *self, GString *markup, guint i)
{
  const StriaWarningSet *set = stria_warnings_get (self->warnings);
  const StriaWarning *warning;
  const StriaWarningInfo *info;
  StriaTrace *trace = stria_session_get_trace (self->session);
  g_autofree char *process = NULL, *limit = NULL, *rule = NULL;

  if (set == NULL || i >= set->items->len)
    return;
  warning = &g_array_index (set->items, StriaWarning, i);
  info = stria_warning_info (warning->rule);
  limit = stria_warning_format_limit (warning->rule,
                                      stria_warnings_get_limit (self->warnings, warning->rule));
  rule = g_strdup_printf ("%s. %s: %s", _ (info->rule), _ (info->limit_name), limit);
  if (trace != NULL && warning->process < stria_trace_get_n_processes (trace))
    process = stria_trace_process_title (trace, warning->process);
  add_row (markup, _ ("Found"), warning->numbers);
  add_row (markup, _ ("Where"), process != NULL ? process : "");
  add_row (markup, _ ("Rule"), rule);
  add_row (markup, C_ ("where a figure is from", "Source"), _ (info->source));
  add_row (markup, _ ("Advice"), _ (info->advice));
}

static PangoLayout *
card_layout (StriaTimeline *self, const char *markup, gboolean rows)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);
  g_autoptr (PangoFontDescription) font
      = pango_font_description_copy (pango_context_get_font_description (
          pango_layout_get_context (layout)));
  int width = 0;

  pango_font_description_set_size (font, (int) (CARD_SIZE * PANGO_SCALE));
  pango_layout_set_font_description (layout, font);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_spacing (layout, 2 * PANGO_SCALE);
  if (rows)
    {
      g_autoptr (PangoTabArray) tabs
          = pango_tab_array_new_with_positions (1, TRUE, PANGO_TAB_LEFT, LABEL_WIDTH);

      pango_layout_set_tabs (layout, tabs);
      pango_layout_set_indent (layout, -LABEL_WIDTH * PANGO_SCALE);
    }
  pango_layout_set_markup (layout, markup, -1);
  pango_layout_get_pixel_size (layout, &width, NULL);
  if (width > CARD_MOST)
    pango_layout_set_width (layout, CARD_MOST * PANGO_SCALE);
  return layout;
}

void
stria_timeline_hover_mark (StriaTimeline *self, Region region)
{
  int edge = 0;
  const StriaTimeMark *mark = NULL;
  const StriaAnnotation *item = NULL;
  g_autoptr (GString) rows = g_string_new (NULL);
  g_autofree char *title = NULL;

  if (region != REGION_MARKS || !self->pointer_inside || self->drag_kind != DRAG_NONE)
    return;
  mark = mark_at (self, self->pointer_x, self->pointer_y, region, &edge);
  if (mark == NULL)
    return;
  add_times (self, rows, mark->t0, mark->t1);
  if (mark->kind == STRIA_MARK_ANNOTATION)
    item = stria_annotations_find (self->annotations, mark->id);
  if (item != NULL)
    add_row (rows, _ ("Note"), item->note);
  else if (mark->kind == STRIA_MARK_REGION)
    add_region_rows (self, rows, (guint) mark->id);
  else if (mark->kind == STRIA_MARK_WARNING)
    add_warning_rows (self, rows, (guint) mark->id);
  title = g_markup_printf_escaped ("<b>%s</b>", mark->label);
  g_clear_object (&self->card_title);
  g_clear_object (&self->card_rows);
  self->card_title = card_layout (self, title, FALSE);
  self->card_rows = card_layout (self, rows->str, TRUE);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

const char *
stria_timeline_mark_cursor (StriaTimeline *self, Region region)
{
  int edge = 0;
  const StriaTimeMark *mark
      = mark_at (self, self->pointer_x, self->pointer_y, region, &edge);

  if (self->drag_kind == DRAG_MARK)
    return self->mark_edge == 2 ? "grabbing" : "ew-resize";
  if (mark == NULL)
    return NULL;
  if (mark->kind != STRIA_MARK_ANNOTATION)
    return "pointer";
  return edge == 2 ? "grab" : "ew-resize";
}

void
stria_timeline_click_mark (StriaTimeline *self, int n_press)
{
  int edge = 0;
  const StriaTimeMark *mark
      = mark_at (self, self->pointer_x, self->pointer_y, REGION_MARKS, &edge);
  gint64 t0, t1;

  if (mark == NULL)
    {
      stria_annotations_select (self->annotations, 0);
      return;
    }
  t0 = mark->t0;
  t1 = mark->t1;
  /* Each of these makes the marks anew. */
  if (mark->kind == STRIA_MARK_ANNOTATION)
    stria_annotations_select (self->annotations, mark->id);
  else if (n_press == 1)
    stria_session_set_range (self->session, t0, t1, NULL, 0);
  if (n_press == 2 && t1 > t0)
    stria_timeline_zoom_to_time (self, t0, t1);
  else if (n_press == 2)
    gtk_widget_activate_action (GTK_WIDGET (self), "timeline.rename-mark", NULL);
}

/* -- moving ----------------------------------------------------------------------------------- */

gboolean
stria_timeline_begin_mark (StriaTimeline *self, double x, double y, Region region)
{
  int edge = 0;
  const StriaTimeMark *mark = mark_at (self, x, y, region, &edge);

  if (mark == NULL || mark->kind != STRIA_MARK_ANNOTATION)
    return FALSE;
  self->mark_id = mark->id;
  self->mark_edge = edge;
  self->mark_t0 = self->mark_from0 = mark->t0;
  self->mark_t1 = self->mark_from1 = mark->t1;
  return TRUE;
}

void
stria_timeline_drag_mark (StriaTimeline *self, double x, double y, gboolean snap)
{
  const double at = CLAMP (x, self->header_width, gtk_widget_get_width (GTK_WIDGET (self)));
  const gint64 ns
      = snap ? stria_timeline_snapped (self, at, y) : stria_timeline_time_at (self, at);

  if (self->mark_edge == 0)
    self->mark_t0 = self->mark_t1 = ns;
  else if (self->mark_edge == -1)
    self->mark_t0 = ns;
  else if (self->mark_edge == 1)
    self->mark_t1 = ns;
  else
    {
      const gint64 length = self->mark_from1 - self->mark_from0;
      const gint64 grip = stria_timeline_time_at (self, self->drag_x) - self->mark_from0;
      const gint64 start = stria_timeline_time_at (self, at) - grip;
      StriaTimelineView view;

      /* Its start snaps, wherever it is held. */
      self->mark_t0 = start;
      if (snap && stria_timeline_fill_view (self, &view))
        {
          const double left = self->header_width
                              + stria_time_to_x (start, view.t0, view.t1,
                                                 stria_timeline_lanes_width (self));

          self->mark_t0 = stria_timeline_snapped (self, left, y);
        }
      self->mark_t1 = self->mark_t0 + length;
    }
  stria_timeline_update_marks (self);
}

void
stria_timeline_end_mark (StriaTimeline *self, gboolean commit)
{
  const guint64 id = self->mark_id;

  self->mark_id = 0;
  if (commit)
    stria_annotations_set_span (self->annotations, id, self->mark_t0, self->mark_t1);
  stria_annotations_select (self->annotations, id);
  stria_timeline_update_marks (self);
}
