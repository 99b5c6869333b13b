/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-format.h"
#include "stria-paint-kit.h"
#include "stria-running-mean.h"
#include "stria-timeline-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/**
 * SECTION:stria-timeline-card
 *
 * What is said about the event under the pointer: a card beside it, and one sentence for screen
 * readers. The card is drawn, not a popover: it follows the pointer in the same frame and never
 * takes it.
 */

#define CARD_PADDING  10.0
#define CARD_MOST     ((int) stria_text_px (380))
#define CARD_DISTANCE 16.0
#define TITLE_CHARS   400
#define TITLE_GAP     5
#define LABEL_WIDTH   ((int) stria_text_px (78))
#define TEXT_SIZE     9.0

static void
add_row (GString *markup, const char *label, const char *value)
{
  g_autofree char *escaped = g_markup_escape_text (value, -1);

  g_string_append_printf (markup, "%s<span alpha=\"65%%\">%s</span>\t%s",
                          markup->len > 0 ? "\n" : "", label, escaped);
}

static char *
thread_text (StriaTrace *trace, StriaLane *lane)
{
  g_autofree char *process = stria_trace_process_title (trace, stria_lane_get_process (lane));

  /* Translators: a thread and its process, "thread 12 – python 4711" */
  return g_strdup_printf (_ ("%s \xe2\x80\x93 %s"), stria_lane_get_name (lane), process);
}

static char *
start_text (StriaTrace *trace, gint64 ns)
{
  gint64 origin = 0;
  gint64 end = 0;

  if (!stria_trace_get_view_range (trace, &origin, &end))
    origin = 0;
  return stria_format_time (ns - origin, 1);
}

static char *
title_text (StriaTrace *trace, guint32 name)
{
  const char *text = stria_trace_get_string (trace, name);
  g_autofree char *cut = NULL;

  if (*text == '\0')
    return g_strdup (_ ("(no name)"));
  if (g_utf8_strlen (text, -1) <= TITLE_CHARS)
    return g_markup_escape_text (text, -1);
  cut = g_utf8_substring (text, 0, TITLE_CHARS);
  return g_markup_printf_escaped ("%s\xe2\x80\xa6", cut);
}

static void
add_slice_rows (GString *markup, StriaTrace *trace, StriaLane *lane, const StriaColumns *columns,
                guint32 index)
{
  const char *category = stria_trace_get_category (trace, columns->category[index]);
  g_autofree char *start = start_text (trace, columns->start[index]);

  if (category != NULL && *category != '\0')
    add_row (markup, _ ("Category"), category);
  add_row (markup, _ ("Start"), start);
  if (columns->dur != NULL)
    {
      g_autofree char *duration = stria_format_duration (columns->dur[index], 6);
      g_autofree char *own = stria_format_duration (stria_lane_self_ns (lane, index), 6);

      if ((columns->flags[index] & STRIA_EVENT_UNFINISHED) != 0)
        add_row (markup, _ ("Duration"), _ ("not finished"));
      else
        add_row (markup, _ ("Duration"), duration);
      add_row (markup, _ ("Self time"), own);
    }
}

static void
add_sample_rows (GString *markup, StriaTrace *trace, StriaLane *lane, const StriaColumns *columns,
                 guint32 index)
{
  g_autofree char *value = stria_format_value (columns->value[index], stria_lane_get_unit (lane));
  g_autofree char *start = start_text (trace, columns->start[index]);

  add_row (markup, _ ("Value"), value);
  add_row (markup, _ ("Since"), start);
}

/* The parts of a stack at the time of a sample, from the top down as they are drawn */
static void
add_part_rows (GString *markup, StriaTrace *trace, const StriaLaneStack *stack, gint64 ns)
{
  for (guint i = stack->n_parts; i > 0; i--)
    {
      StriaLane *lane = stria_trace_get_lane (trace, stack->parts[i - 1]);
      const StriaColumns *columns = stria_lane_get_columns (lane);
      const guint64 at
          = columns != NULL ? stria_lane_sample_at (lane, ns) : G_MAXUINT64;
      g_autofree char *value = NULL;

      if (at == G_MAXUINT64)
        continue;
      value = stria_format_value (columns->value[at], stria_lane_get_unit (lane));
      add_row (markup, stria_lane_stack_part_name (stack, lane), value);
    }
}

static char *
rows_markup (StriaTimeline *self, StriaTrace *trace, StriaRef ref)
{
  const StriaLaneStack *stack = stria_timeline_layout_stack_of (self->layout, ref.lane);
  StriaLane *lane = stria_trace_get_lane (trace, ref.lane);
  const StriaColumns *columns = stria_lane_get_columns (lane);
  g_autoptr (GString) markup = g_string_new (NULL);
  g_autofree char *process = stria_trace_process_title (trace, stria_lane_get_process (lane));

  if (columns->value != NULL)
    {
      add_sample_rows (markup, trace, lane, columns, ref.index);
      if (stria_lane_is_rate (lane))
        {
          g_autofree char *mean = stria_format_value (
              stria_lane_running_mean (lane, columns->start[ref.index]),
              stria_lane_get_unit (lane));

          add_row (markup, _ ("Mean so far"), mean);
        }
      if (stack != NULL)
        add_part_rows (markup, trace, stack, columns->start[ref.index]);
    }
  else
    {
      add_slice_rows (markup, trace, lane, columns, ref.index);
      add_row (markup, _ ("Thread"), stria_lane_get_name (lane));
    }
  add_row (markup, _ ("Process"), process);
  return g_string_free (g_steal_pointer (&markup), FALSE);
}

static PangoLayout *
small_layout (StriaTimeline *self)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);
  g_autoptr (PangoFontDescription) font
      = pango_font_description_copy (pango_context_get_font_description (
          pango_layout_get_context (layout)));
  const double factor = pango_font_description_get_size (font) > 0
                            ? (double) pango_font_description_get_size (font) / PANGO_SCALE / 11
                            : 1;

  pango_font_description_set_size (font, (int) (TEXT_SIZE * CLAMP (factor, 0.9, 1.6) * PANGO_SCALE));
  pango_layout_set_font_description (layout, font);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_spacing (layout, 2 * PANGO_SCALE);
  return layout;
}

static void
limit_width (PangoLayout *layout)
{
  int width = 0;

  pango_layout_get_pixel_size (layout, &width, NULL);
  if (width > CARD_MOST)
    pango_layout_set_width (layout, CARD_MOST * PANGO_SCALE);
}

static PangoLayout *
title_layout (StriaTimeline *self, StriaTrace *trace, StriaRef ref)
{
  PangoLayout *layout = small_layout (self);
  StriaLane *lane = stria_trace_get_lane (trace, ref.lane);
  const StriaColumns *columns = stria_lane_get_columns (lane);
  const StriaLaneStack *stack = stria_timeline_layout_stack_of (self->layout, ref.lane);
  g_autofree char *title
      = stack != NULL            ? g_markup_escape_text (stack->title, -1)
        : columns->value != NULL ? g_markup_escape_text (stria_lane_get_name (lane), -1)
                               : title_text (trace, columns->name[ref.index]);
  g_autofree char *markup = g_strdup_printf ("<b>%s</b>", title);

  pango_layout_set_markup (layout, markup, -1);
  limit_width (layout);
  return layout;
}

static PangoLayout *
rows_layout (StriaTimeline *self, StriaTrace *trace, StriaRef ref)
{
  PangoLayout *layout = small_layout (self);
  g_autofree char *markup = rows_markup (self, trace, ref);
  g_autoptr (PangoTabArray) tabs
      = pango_tab_array_new_with_positions (1, TRUE, PANGO_TAB_LEFT, LABEL_WIDTH);

  pango_layout_set_tabs (layout, tabs);
  /* Values that wrap stay in their column */
  pango_layout_set_indent (layout, -LABEL_WIDTH * PANGO_SCALE);
  pango_layout_set_markup (layout, markup, -1);
  limit_width (layout);
  return layout;
}

/**
 * stria_timeline_set_hover:
 * @ref: the event under the pointer, or none
 */
void
stria_timeline_set_hover (StriaTimeline *self, StriaRef ref)
{
  StriaTrace *trace = stria_timeline_layout_get_trace (self->layout);
  const StriaColumns *columns = NULL;

  if (stria_ref_equal (ref, self->hover) && (self->card_title != NULL) == !stria_ref_is_none (ref))
    return;
  self->hover = ref;
  g_clear_object (&self->card_title);
  g_clear_object (&self->card_rows);
  if (!stria_ref_is_none (ref) && trace != NULL)
    columns = stria_lane_get_columns (stria_trace_get_lane (trace, ref.lane));
  if (columns != NULL && ref.index < columns->n)
    {
      self->card_title = title_layout (self, trace, ref);
      self->card_rows = rows_layout (self, trace, ref);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
append_text (GtkSnapshot *snapshot, PangoLayout *layout, double x, double y, const GdkRGBA *ink)
{
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, (float) y));
  gtk_snapshot_append_layout (snapshot, layout, ink);
  gtk_snapshot_restore (snapshot);
}

void
stria_timeline_draw_card (StriaTimeline *self, GtkSnapshot *snapshot)
{
  const StriaPaintTheme *theme = stria_paint_theme (self->dark);
  const double right = gtk_widget_get_width (GTK_WIDGET (self)) - 4;
  const double bottom = gtk_widget_get_height (GTK_WIDGET (self)) - 4;
  const StriaColor face = self->dark ? theme->band : theme->background;
  const GdkRGBA fill = { (float) face.r, (float) face.g, (float) face.b, 0.97f };
  const GdkRGBA ink
      = { (float) theme->text.r, (float) theme->text.g, (float) theme->text.b, 1 };
  const GdkRGBA line = { ink.red, ink.green, ink.blue, 0.18f };
  const GdkRGBA shadow = { 0, 0, 0, 0.28f };
  const GdkRGBA lines[4] = { line, line, line, line };
  const float widths[4] = { 1, 1, 1, 1 };
  GskRoundedRect outline;
  graphene_rect_t box;
  int title_width = 0;
  int title_height = 0;
  int width = 0;
  int height = 0;
  double x = self->pointer_x + CARD_DISTANCE;
  double y = self->pointer_y + CARD_DISTANCE;

  if (self->card_title == NULL || !self->pointer_inside || self->drag_kind != DRAG_NONE)
    return;
  pango_layout_get_pixel_size (self->card_title, &title_width, &title_height);
  pango_layout_get_pixel_size (self->card_rows, &width, &height);
  width = MAX (width, title_width);
  height += title_height + TITLE_GAP;
  if (x + width + 2 * CARD_PADDING > right)
    x = self->pointer_x - CARD_DISTANCE - width - 2 * CARD_PADDING;
  if (y + height + 2 * CARD_PADDING > bottom)
    y = self->pointer_y - CARD_DISTANCE - height - 2 * CARD_PADDING;
  x = floor (MAX (x, 4));
  y = floor (MAX (y, 4));
  box = GRAPHENE_RECT_INIT ((float) x, (float) y, (float) (width + 2 * CARD_PADDING),
                            (float) (height + 2 * CARD_PADDING));
  gsk_rounded_rect_init_from_rect (&outline, &box, 8);
  gtk_snapshot_append_outset_shadow (snapshot, &outline, &shadow, 0, 2, 0, 9);
  gtk_snapshot_push_rounded_clip (snapshot, &outline);
  gtk_snapshot_append_color (snapshot, &fill, &box);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_append_border (snapshot, &outline, widths, lines);
  append_text (snapshot, self->card_title, x + CARD_PADDING, y + CARD_PADDING, &ink);
  append_text (snapshot, self->card_rows, x + CARD_PADDING,
               y + CARD_PADDING + title_height + TITLE_GAP, &ink);
}

/**
 * stria_timeline_describe:
 * @ref: an event
 *
 * Returns: (transfer full): one sentence about it, for screen readers
 */
char *
stria_timeline_describe (StriaTimeline *self, StriaRef ref)
{
  StriaTrace *trace = stria_session_get_trace (self->session);
  StriaLane *lane = NULL;
  const StriaColumns *columns = NULL;
  g_autofree char *thread = NULL;
  g_autofree char *start = NULL;
  g_autofree char *duration = NULL;

  if (trace == NULL || ref.lane >= stria_trace_get_n_lanes (trace))
    return g_strdup ("");
  lane = stria_trace_get_lane (trace, ref.lane);
  columns = stria_lane_get_columns (lane);
  thread = thread_text (trace, lane);
  if (columns == NULL || ref.index >= columns->n)
    return g_steal_pointer (&thread);
  start = start_text (trace, columns->start[ref.index]);
  if (columns->value != NULL)
    {
      g_autofree char *value
          = stria_format_value (columns->value[ref.index], stria_lane_get_unit (lane));

      /* Translators: a counter's value, its time and its place */
      return g_strdup_printf (_ ("%s at %s, in %s"), value, start, thread);
    }
  if (columns->dur == NULL)
    /* Translators: an instant's name, its time and its place */
    return g_strdup_printf (_ ("%s at %s, in %s"),
                            stria_trace_get_string (trace, columns->name[ref.index]), start, thread);
  duration = stria_format_duration (columns->dur[ref.index], 4);
  /* Translators: a slice's name, its start, its duration and its place */
  return g_strdup_printf (_ ("%s, starts at %s, lasts %s, in %s"),
                          stria_trace_get_string (trace, columns->name[ref.index]), start, duration,
                          thread);
}
