/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-source-gutter.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-format.h"

#define PADDING   6
#define MARK      12 /* room of the mark of doubt */
#define MAX_PARTS 5

struct _StriaSourceGutter
{
  GtkSourceGutterRenderer parent_instance;

  StriaSourceHeat *heat;
  guint32          file;
  double           max;
  GHashTable      *doubts;
  PangoLayout     *layout;
};

G_DEFINE_FINAL_TYPE (StriaSourceGutter, stria_source_gutter, GTK_SOURCE_TYPE_GUTTER_RENDERER)

/* The place of a line that has a value, or G_MAXUINT32 */
static guint32
place_of (StriaSourceGutter *self, guint line)
{
  const guint32 *places;
  guint n;

  if (self->heat == NULL)
    return G_MAXUINT32;
  places = stria_source_index_places (stria_source_heat_get_index (self->heat), self->file, line,
                                      line, &n);
  return n > 0 && !isnan (stria_source_heat_of_place (self->heat, places[0])) ? places[0]
                                                                              : G_MAXUINT32;
}

static char *
value_text (StriaSourceGutter *self, guint32 place)
{
  return stria_source_metric_format (stria_source_heat_get_metric (self->heat),
                                     stria_source_heat_of_place (self->heat, place), FALSE);
}

/* -- drawing ---------------------------------------------------------------------------------- */

static void
update_width (StriaSourceGutter *self)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);
  const guint32 *places = NULL;
  guint n = 0;
  int widest = 0;

  if (self->heat != NULL)
    places = stria_source_index_places (stria_source_heat_get_index (self->heat), self->file, 0,
                                        G_MAXUINT32 - 1, &n);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = NULL;
      int width;

      if (isnan (stria_source_heat_of_place (self->heat, places[i])))
        continue;
      text = value_text (self, places[i]);
      pango_layout_set_text (layout, text, -1);
      pango_layout_get_pixel_size (layout, &width, NULL);
      widest = MAX (widest, width);
    }
  if (self->doubts != NULL && g_hash_table_size (self->doubts) > 0)
    widest += MARK;
  gtk_widget_set_size_request (GTK_WIDGET (self), widest > 0 ? widest + 3 * PADDING : 0, -1);
  gtk_widget_set_visible (GTK_WIDGET (self), widest > 0);
}

static void
draw_bar (GtkSnapshot *snapshot, double share, float y, float width, float height, gboolean dark)
{
  /* One hue: how long and how strong tell what colours would not tell everybody. */
  const float alpha = (float) ((dark ? 0.22 : 0.20) + 0.45 * share);
  const GdkRGBA color = dark ? (GdkRGBA){ 1.0f, 0.55f, 0.16f, alpha }
                             : (GdkRGBA){ 0.90f, 0.42f, 0.0f, alpha };
  const float length = MAX (2, (float) share * (width - 2));

  gtk_snapshot_append_color (snapshot, &color,
                             &GRAPHENE_RECT_INIT (1, y + 1, length, MAX (1, height - 2)));
}

static void
draw_text (StriaSourceGutter *self, GtkSnapshot *snapshot, const char *text, float x, float y,
           float height, gboolean at_right)
{
  GdkRGBA color;
  int text_width, text_height;

  /* That of the text: the gutter's own is too faint for what is to be read */
  gtk_style_context_get_color (
      gtk_widget_get_style_context (GTK_WIDGET (
          gtk_source_gutter_renderer_get_view (GTK_SOURCE_GUTTER_RENDERER (self)))),
      &color);
  pango_layout_set_text (self->layout, text, -1);
  pango_layout_get_pixel_size (self->layout, &text_width, &text_height);
  color.alpha = 1;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot,
                          &GRAPHENE_POINT_INIT (at_right ? x - (float) text_width : x,
                                                y + (height - (float) text_height) / 2));
  gtk_snapshot_append_layout (snapshot, self->layout, &color);
  gtk_snapshot_restore (snapshot);
}

static void
stria_source_gutter_begin (GtkSourceGutterRenderer *renderer, GtkSourceGutterLines *lines)
{
  StriaSourceGutter *self = STRIA_SOURCE_GUTTER (renderer);

  g_clear_object (&self->layout);
  self->layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);
}

static void
stria_source_gutter_snapshot_line (GtkSourceGutterRenderer *renderer, GtkSnapshot *snapshot,
                                   GtkSourceGutterLines *lines, guint line)
{
  StriaSourceGutter *self = STRIA_SOURCE_GUTTER (renderer);
  const float width = (float) gtk_widget_get_width (GTK_WIDGET (self));
  const guint32 place = place_of (self, line + 1);
  int y, height;

  gtk_source_gutter_lines_get_line_yrange (
      lines, line, GTK_SOURCE_GUTTER_RENDERER_ALIGNMENT_MODE_FIRST, &y, &height);
  if (place != G_MAXUINT32)
    {
      const double value = stria_source_heat_of_place (self->heat, place);
      g_autofree char *text = value_text (self, place);

      if (self->max > 0 && value > 0)
        draw_bar (snapshot, CLAMP (value / self->max, 0, 1), (float) y, width - PADDING,
                  (float) height, adw_style_manager_get_dark (adw_style_manager_get_default ()));
      draw_text (self, snapshot, text, width - 2 * PADDING, (float) y, (float) height, TRUE);
    }
  if (self->doubts != NULL && g_hash_table_contains (self->doubts, GUINT_TO_POINTER (line + 1)))
    draw_text (self, snapshot, "⚠", 2, (float) y, (float) height, FALSE);
}

static void
stria_source_gutter_end (GtkSourceGutterRenderer *renderer)
{
  g_clear_object (&STRIA_SOURCE_GUTTER (renderer)->layout);
}

static gboolean
stria_source_gutter_query_activatable (GtkSourceGutterRenderer *renderer, GtkTextIter *iter,
                                       GdkRectangle *area)
{
  StriaSourceGutter *self = STRIA_SOURCE_GUTTER (renderer);

  return place_of (self, (guint) gtk_text_iter_get_line (iter) + 1) != G_MAXUINT32;
}

/* As a click on the line itself: whoever listens to the caret does the rest. */
static void
stria_source_gutter_activate (GtkSourceGutterRenderer *renderer, GtkTextIter *iter,
                              GdkRectangle *area, guint button, GdkModifierType state,
                              int n_presses)
{
  GtkSourceView *view = gtk_source_gutter_renderer_get_view (renderer);

  gtk_widget_grab_focus (GTK_WIDGET (view));
  gtk_text_buffer_place_cursor (gtk_text_iter_get_buffer (iter), iter);
}

/* -- words ------------------------------------------------------------------------------------ */

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const double x = ((const StriaSourcePart *) a)->value, y = ((const StriaSourcePart *) b)->value;

  return x < y ? 1 : x > y ? -1 : 0;
}

/* Which lanes have the most of it */
static void
append_lanes (StriaSourceGutter *self, GString *text, guint32 place)
{
  StriaTrace *trace
      = stria_source_index_get_trace (stria_source_heat_get_index (self->heat));
  const StriaSourceMetric metric = stria_source_heat_get_metric (self->heat);
  const double all = stria_source_heat_of_place (self->heat, place);
  guint n;
  const StriaSourcePart *parts = stria_source_heat_parts (self->heat, place, &n);
  g_autofree StriaSourcePart *sorted = g_memdup2 (parts, n * sizeof *parts);

  if (n == 0 || trace == NULL || !(all > 0))
    return;
  qsort (sorted, n, sizeof *sorted, compare_parts);
  g_string_append_c (text, '\n');
  for (guint i = 0; i < MIN (n, MAX_PARTS); i++)
    {
      g_autofree char *value = stria_source_metric_format (metric, sorted[i].value, FALSE);
      g_autofree char *share = stria_format_percent (sorted[i].value / all);

      g_string_append_printf (text, "\n%s: %s, %s",
                              stria_lane_get_name (stria_trace_get_lane (trace, sorted[i].lane)),
                              value, share);
    }
  if (n > MAX_PARTS)
    {
      g_autofree char *count = stria_format_count (n - MAX_PARTS);

      g_string_append_c (text, '\n');
      g_string_append_printf (text, ngettext ("and %s more lane", "and %s more lanes",
                                              n - MAX_PARTS),
                              count);
    }
}

char *
stria_source_gutter_describe (StriaSourceGutter *self, guint line)
{
  const guint32 place = place_of (self, line);
  g_autoptr (GString) text = g_string_new (NULL);

  if (place != G_MAXUINT32)
    {
      const StriaSourceMetric metric = stria_source_heat_get_metric (self->heat);
      const double value = stria_source_heat_of_place (self->heat, place);
      const double whole = stria_source_heat_whole (self->heat);
      const StriaSourcePlace at = stria_source_index_get_place (
          stria_source_heat_get_index (self->heat), place);
      g_autofree char *number = stria_source_metric_format (metric, value, FALSE);
      g_autofree char *exact = stria_source_metric_format (metric, value, TRUE);

      if (at.function != NULL)
        /* Translators: number of a line, name of a function */
        g_string_append_printf (text, _ ("Line %u, %s\n"), line, at.function);
      else
        g_string_append_printf (text, _ ("Line %u\n"), line);
      g_string_append_printf (text, "%s: %s", stria_source_metric_title (metric), number);
      if (g_strcmp0 (number, exact) != 0)
        g_string_append_printf (text, " (%s)", exact);
      if (whole > 0)
        {
          g_autofree char *share = stria_format_percent (value / whole);

          g_string_append_printf (text, "\n%s %s", share, stria_source_metric_whole (metric));
        }
      append_lanes (self, text, place);
      g_string_append_printf (text, "\n\n%s", stria_source_metric_note (metric));
    }
  if (self->doubts != NULL && g_hash_table_contains (self->doubts, GUINT_TO_POINTER (line)))
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n\n" : "",
                            _ ("⚠ The function that the capture names is not here: another version "
                               "of the file was running"));
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static gboolean
on_tooltip (StriaSourceGutter *self, int x, int y, gboolean by_key, GtkTooltip *tooltip)
{
  GtkTextView *view
      = GTK_TEXT_VIEW (gtk_source_gutter_renderer_get_view (GTK_SOURCE_GUTTER_RENDERER (self)));
  g_autofree char *text = NULL;
  GtkWidget *label;
  GtkTextIter iter;
  int buffer_x, buffer_y;

  gtk_text_view_window_to_buffer_coords (view, GTK_TEXT_WINDOW_LEFT, x, y, &buffer_x, &buffer_y);
  gtk_text_view_get_line_at_y (view, &iter, buffer_y, NULL);
  text = stria_source_gutter_describe (self, (guint) gtk_text_iter_get_line (&iter) + 1);
  if (text == NULL)
    return FALSE;
  label = gtk_label_new (text);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 56);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_tooltip_set_custom (tooltip, label);
  return TRUE;
}

/* -- putting it together ---------------------------------------------------------------------- */

static void
stria_source_gutter_dispose (GObject *object)
{
  StriaSourceGutter *self = STRIA_SOURCE_GUTTER (object);

  g_clear_pointer (&self->heat, stria_source_heat_unref);
  g_clear_pointer (&self->doubts, g_hash_table_unref);
  g_clear_object (&self->layout);
  G_OBJECT_CLASS (stria_source_gutter_parent_class)->dispose (object);
}

static void
stria_source_gutter_class_init (StriaSourceGutterClass *klass)
{
  GtkSourceGutterRendererClass *renderer_class = GTK_SOURCE_GUTTER_RENDERER_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_source_gutter_dispose;
  renderer_class->begin = stria_source_gutter_begin;
  renderer_class->snapshot_line = stria_source_gutter_snapshot_line;
  renderer_class->end = stria_source_gutter_end;
  renderer_class->query_activatable = stria_source_gutter_query_activatable;
  renderer_class->activate = stria_source_gutter_activate;
}

static void
stria_source_gutter_init (StriaSourceGutter *self)
{
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self), "numeric");
  g_signal_connect_object (self, "query-tooltip", G_CALLBACK (on_tooltip), self,
                           G_CONNECT_DEFAULT);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

StriaSourceGutter *
stria_source_gutter_new (void)
{
  return g_object_new (STRIA_TYPE_SOURCE_GUTTER, NULL);
}

void
stria_source_gutter_set_heat (StriaSourceGutter *self, StriaSourceHeat *heat, guint32 file)
{
  g_return_if_fail (STRIA_IS_SOURCE_GUTTER (self));

  if (heat != NULL)
    stria_source_heat_ref (heat);
  g_clear_pointer (&self->heat, stria_source_heat_unref);
  self->heat = heat;
  self->file = file;
  self->max = heat != NULL ? stria_source_heat_max (heat, file) : 0;
  update_width (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
stria_source_gutter_set_doubts (StriaSourceGutter *self, GHashTable *lines)
{
  g_return_if_fail (STRIA_IS_SOURCE_GUTTER (self));

  if (lines != NULL)
    g_hash_table_ref (lines);
  g_clear_pointer (&self->doubts, g_hash_table_unref);
  self->doubts = lines;
  update_width (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
