/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-share-chart.h"

#include <adwaita.h>
#include <math.h>

#include "stria-color.h"
#include "stria-paint-size.h"

#define BAR_HEIGHT stria_text_px (10)
#define RING_SIZE  stria_text_px (112)
#define RING_WIDTH stria_text_px (18.0)

typedef struct
{
  double share;
  guint  series;
} Part;

struct _StriaShareChart
{
  GtkWidget parent_instance;

  StriaShareShape shape;
  GArray         *parts; /* Part */
};

G_DEFINE_FINAL_TYPE (StriaShareChart, stria_share_chart, GTK_TYPE_WIDGET)

static void
set_color (cairo_t *cr, guint series, const GdkRGBA *text)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  StriaColor color;

  if (series == STRIA_SHARE_GREY)
    {
      cairo_set_source_rgba (cr, text->red, text->green, text->blue, 0.4);
      return;
    }
  color = stria_color_series (series, dark);
  cairo_set_source_rgb (cr, color.r, color.g, color.b);
}

static void
round_rectangle (cairo_t *cr, double width, double height, double radius)
{
  cairo_new_path (cr);
  cairo_arc (cr, width - radius, radius, radius, -G_PI / 2, 0);
  cairo_arc (cr, width - radius, height - radius, radius, 0, G_PI / 2);
  cairo_arc (cr, radius, height - radius, radius, G_PI / 2, G_PI);
  cairo_arc (cr, radius, radius, radius, G_PI, 3 * G_PI / 2);
  cairo_close_path (cr);
}

static void
draw_bar (StriaShareChart *self, cairo_t *cr, double width, double height, const GdkRGBA *text)
{
  double at = 0;

  round_rectangle (cr, width, height, 3);
  cairo_clip (cr);
  cairo_set_source_rgba (cr, text->red, text->green, text->blue, 0.12);
  cairo_paint (cr);
  for (guint i = 0; i < self->parts->len; i++)
    {
      const Part *part = &g_array_index (self->parts, Part, i);
      double x0 = at * width, x1 = MIN (1, at + part->share) * width;

      set_color (cr, part->series, text);
      cairo_rectangle (cr, x0, 0, x1 - x0, height);
      cairo_fill (cr);
      at = MIN (1, at + part->share);
    }
}

static void
draw_ring (StriaShareChart *self, cairo_t *cr, double width, double height, const GdkRGBA *text)
{
  double radius = MIN (width, height) / 2 - RING_WIDTH / 2, at = 0;

  cairo_translate (cr, width / 2, height / 2);
  cairo_rotate (cr, -G_PI / 2);
  cairo_set_line_width (cr, RING_WIDTH);
  cairo_set_source_rgba (cr, text->red, text->green, text->blue, 0.12);
  cairo_arc (cr, 0, 0, radius, 0, 2 * G_PI);
  cairo_stroke (cr);
  for (guint i = 0; i < self->parts->len; i++)
    {
      const Part *part = &g_array_index (self->parts, Part, i);
      double end = MIN (1, at + part->share);

      if (end > at)
        {
          set_color (cr, part->series, text);
          cairo_arc (cr, 0, 0, radius, at * 2 * G_PI, end * 2 * G_PI);
          cairo_stroke (cr);
        }
      at = end;
    }
}

static void
stria_share_chart_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  StriaShareChart *self = STRIA_SHARE_CHART (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  GdkRGBA text;
  cairo_t *cr;

  if (width <= 0 || height <= 0)
    return;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &text);
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  if (self->shape == STRIA_SHARE_RING)
    draw_ring (self, cr, width, height, &text);
  else
    draw_bar (self, cr, width, height, &text);
  cairo_destroy (cr);
}

static void
stria_share_chart_finalize (GObject *object)
{
  g_array_unref (STRIA_SHARE_CHART (object)->parts);
  G_OBJECT_CLASS (stria_share_chart_parent_class)->finalize (object);
}

static void
stria_share_chart_class_init (StriaShareChartClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = stria_share_chart_finalize;
  widget_class->snapshot = stria_share_chart_snapshot;
  gtk_widget_class_set_css_name (widget_class, "sharechart");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
stria_share_chart_init (StriaShareChart *self)
{
  self->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
}

GtkWidget *
stria_share_chart_new (StriaShareShape shape)
{
  GtkWidget *widget = g_object_new (STRIA_TYPE_SHARE_CHART, "valign", GTK_ALIGN_CENTER, NULL);

  STRIA_SHARE_CHART (widget)->shape = shape;
  if (shape == STRIA_SHARE_RING)
    gtk_widget_set_size_request (widget, RING_SIZE, RING_SIZE);
  else
    gtk_widget_set_size_request (widget, 48, BAR_HEIGHT);
  return widget;
}

GtkWidget *
stria_share_chart_new_key (guint series)
{
  GtkWidget *widget = stria_share_chart_new (STRIA_SHARE_BAR);

  gtk_widget_set_size_request (widget, 12, 12);
  stria_share_chart_add (STRIA_SHARE_CHART (widget), 1, series);
  return widget;
}

void
stria_share_chart_add (StriaShareChart *self, double share, guint series)
{
  Part part = { .series = series };

  g_return_if_fail (STRIA_IS_SHARE_CHART (self));

  part.share = isfinite (share) ? CLAMP (share, 0, 1) : 0;
  g_array_append_val (self->parts, part);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
