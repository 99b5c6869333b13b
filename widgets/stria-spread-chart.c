/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-spread-chart.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-drawn.h"
#include "stria-format.h"
#include "stria-paint-size.h"

#define ROW_HEIGHT  stria_text_px (34)
#define AXIS_HEIGHT stria_text_px (24)
#define MARGIN      12
#define MOST_TITLE  stria_text_px (220)
#define POINT       3.5
#define REACH       9.0 /* from the pointer to a point that is meant */

struct _StriaSpreadChart
{
  GtkWidget parent_instance;

  char    *name;
  GStrv    rows;
  GArray  *points; /* StriaSpreadPoint, by row and duration */
  guint    selected; /* index of a point; G_MAXUINT: none */
  gint64   most;     /* longest duration */
  int      title_width;
};

enum
{
  SELECTED,
  ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaSpreadChart, stria_spread_chart, GTK_TYPE_WIDGET)

static const StriaSpreadPoint *
point_at (StriaSpreadChart *self, guint i)
{
  return &g_array_index (self->points, StriaSpreadPoint, i);
}

/* First point of a row, and how many it has */
static guint
points_of (StriaSpreadChart *self, guint row, guint *n)
{
  guint first = 0, end;

  while (first < self->points->len && point_at (self, first)->row < row)
    first++;
  for (end = first; end < self->points->len && point_at (self, end)->row == row;)
    end++;
  *n = end - first;
  return first;
}

static char *
describe (StriaSpreadChart *self, guint i)
{
  const StriaSpreadPoint *point = point_at (self, i);
  g_autofree char *length = stria_format_duration (point->ns, 5);

  /* Translators: a name, a duration */
  return g_strdup_printf (_ ("%s: %s"), self->rows[point->row], length);
}

static void
tell (StriaSpreadChart *self)
{
  g_autofree char *what = self->selected < self->points->len ? describe (self, self->selected) : NULL;
  g_autofree char *text = what != NULL
                              /* Translators: the name of a chart, the selected point of it */
                              ? g_strdup_printf (_ ("%s; selected: %s"), self->name, what)
                              : g_strdup (self->name);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  stria_drawn_describe (GTK_WIDGET (self), text, _ ("Regions"));
}

/* -- places ---------------------------------------------------------------------------------- */

static double
plot_x0 (StriaSpreadChart *self)
{
  return self->title_width + 2 * MARGIN;
}

static double
plot_width (StriaSpreadChart *self)
{
  return MAX (gtk_widget_get_width (GTK_WIDGET (self)) - plot_x0 (self) - MARGIN, 1);
}

static double
x_of (StriaSpreadChart *self, gint64 ns)
{
  return plot_x0 (self) + (double) ns / (double) MAX (self->most, 1) * plot_width (self);
}

/* The same for the same point each time: from its number */
static double
y_of (const StriaSpreadPoint *point)
{
  const guint32 scattered = point->id * 2654435761u;
  const double share = (double) (scattered >> 8) / (double) (1 << 24);

  return point->row * ROW_HEIGHT + ROW_HEIGHT / 2.0
         + (share - 0.5) * (ROW_HEIGHT - 2 * POINT - 6);
}

static guint
pick (StriaSpreadChart *self, double x, double y)
{
  guint best = G_MAXUINT;
  double least = REACH * REACH;

  for (guint i = 0; i < self->points->len; i++)
    {
      const StriaSpreadPoint *point = point_at (self, i);
      const double dx = x_of (self, point->ns) - x, dy = y_of (point) - y;

      if (dx * dx + dy * dy <= least)
        {
          least = dx * dx + dy * dy;
          best = i;
        }
    }
  return best;
}

/* -- drawing --------------------------------------------------------------------------------- */

static void
set_source (cairo_t *cr, const GdkRGBA *color, double alpha)
{
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, alpha);
}

static void
draw_text (StriaSpreadChart *self, cairo_t *cr, const char *text, double x, double y, int width,
           double align)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  int w, h;

  if (width > 0)
    {
      pango_layout_set_width (layout, width * PANGO_SCALE);
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_MIDDLE);
    }
  pango_layout_get_pixel_size (layout, &w, &h);
  cairo_move_to (cr, x - align * w, y - h / 2.0);
  pango_cairo_show_layout (cr, layout);
}

static void
draw_axis (StriaSpreadChart *self, cairo_t *cr, const GdkRGBA *text, guint n_rows)
{
  const gint64 step = stria_format_tick_step (MAX (self->most, 1), plot_width (self), 90);
  const double bottom = n_rows * ROW_HEIGHT;

  for (gint64 t = 0; t <= self->most && step > 0; t += step)
    {
      g_autofree char *label = stria_format_duration (t, 3);
      const double x = floor (x_of (self, t)) + 0.5;

      set_source (cr, text, 0.12);
      cairo_rectangle (cr, x - 0.5, 0, 1, bottom);
      cairo_fill (cr);
      set_source (cr, text, 0.7);
      draw_text (self, cr, label, x, bottom + AXIS_HEIGHT / 2.0, 0,
                 t == 0 ? 0 : self->most - t < step / 2 ? 1 : 0.5);
    }
}

static void
draw_row (StriaSpreadChart *self, cairo_t *cr, const GdkRGBA *text, guint row)
{
  guint n = 0;
  const guint first = points_of (self, row, &n);
  const double y = row * ROW_HEIGHT;

  if (row % 2 == 1)
    {
      set_source (cr, text, 0.04);
      cairo_rectangle (cr, 0, y, gtk_widget_get_width (GTK_WIDGET (self)), ROW_HEIGHT);
      cairo_fill (cr);
    }
  set_source (cr, text, 1);
  draw_text (self, cr, self->rows[row], MARGIN, y + ROW_HEIGHT / 2.0, self->title_width, 0);
  for (guint i = first; i < first + n; i++)
    {
      const StriaSpreadPoint *point = point_at (self, i);

      cairo_set_source_rgba (cr, (point->rgb >> 16 & 255) / 255.0, (point->rgb >> 8 & 255) / 255.0,
                             (point->rgb & 255) / 255.0, 0.75);
      cairo_arc (cr, x_of (self, point->ns), y_of (point), POINT, 0, 2 * G_PI);
      cairo_fill (cr);
    }
  if (n > 1)
    {
      const double middle = ((double) point_at (self, first + (n - 1) / 2)->ns
                             + (double) point_at (self, first + n / 2)->ns) / 2;

      set_source (cr, text, 0.8);
      cairo_rectangle (cr, x_of (self, (gint64) middle) - 1, y + 4, 2, ROW_HEIGHT - 8);
      cairo_fill (cr);
    }
}

static void
draw_selected (StriaSpreadChart *self, cairo_t *cr, const GdkRGBA *text)
{
  const StriaSpreadPoint *point;

  if (self->selected >= self->points->len)
    return;
  point = point_at (self, self->selected);
  set_source (cr, text, 1);
  cairo_set_line_width (cr, 2);
  cairo_arc (cr, x_of (self, point->ns), y_of (point), POINT + 3, 0, 2 * G_PI);
  cairo_stroke (cr);
}

static void
stria_spread_chart_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  StriaSpreadChart *self = STRIA_SPREAD_CHART (widget);
  const int width = gtk_widget_get_width (widget);
  const int height = gtk_widget_get_height (widget);
  const guint n_rows = self->rows != NULL ? g_strv_length (self->rows) : 0;
  GdkRGBA text;
  cairo_t *cr;

  if (width <= 0 || height <= 0 || n_rows == 0)
    return;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &text);
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  draw_axis (self, cr, &text, n_rows);
  for (guint row = 0; row < n_rows; row++)
    draw_row (self, cr, &text, row);
  draw_selected (self, cr, &text);
  stria_drawn_paint_focus (widget, cr,
                           adw_style_manager_get_dark (adw_style_manager_get_default ()));
  cairo_destroy (cr);
}

static void
stria_spread_chart_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                            int *minimum, int *natural, int *minimum_baseline,
                            int *natural_baseline)
{
  StriaSpreadChart *self = STRIA_SPREAD_CHART (widget);
  const guint n_rows = self->rows != NULL ? g_strv_length (self->rows) : 0;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = 240;
      *natural = 640;
    }
  else
    *minimum = *natural = (int) n_rows * ROW_HEIGHT + AXIS_HEIGHT;
}

/* -- input ----------------------------------------------------------------------------------- */

static void
choose (StriaSpreadChart *self, guint i)
{
  self->selected = i;
  tell (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (i < self->points->len)
    g_signal_emit (self, signals[SELECTED], 0, point_at (self, i)->id);
}

static void
on_pressed (StriaSpreadChart *self, int n_press, double x, double y)
{
  const guint i = pick (self, x, y);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (i == G_MAXUINT)
    return;
  choose (self, i);
  if (n_press == 2)
    g_signal_emit (self, signals[ACTIVATED], 0, point_at (self, i)->id);
}

/* To the point nearest in duration of the next row that has one */
static guint
in_next_row (StriaSpreadChart *self, int by)
{
  const StriaSpreadPoint *from = point_at (self, self->selected);
  const int n_rows = (int) g_strv_length (self->rows);

  for (int row = (int) from->row + by; row >= 0 && row < n_rows; row += by)
    {
      guint n = 0, best = 0;
      const guint first = points_of (self, (guint) row, &n);

      for (guint i = first; i < first + n; i++)
        if (i == first
            || ABS (point_at (self, i)->ns - from->ns) < ABS (point_at (self, best)->ns - from->ns))
          best = i;
      if (n > 0)
        return best;
    }
  return self->selected;
}

static gboolean
on_key (StriaSpreadChart *self, guint keyval)
{
  guint i = self->selected;

  if (self->points->len == 0)
    return FALSE;
  if (i >= self->points->len)
    {
      if (keyval != GDK_KEY_Left && keyval != GDK_KEY_Right && keyval != GDK_KEY_Up
          && keyval != GDK_KEY_Down)
        return FALSE;
      i = 0;
    }
  else if (keyval == GDK_KEY_Right || keyval == GDK_KEY_Left)
    {
      const guint next = keyval == GDK_KEY_Right ? i + 1 : i - 1;

      if (next < self->points->len && point_at (self, next)->row == point_at (self, i)->row)
        i = next;
    }
  else if (keyval == GDK_KEY_Up || keyval == GDK_KEY_Down)
    i = in_next_row (self, keyval == GDK_KEY_Down ? 1 : -1);
  else if (keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter)
    {
      g_signal_emit (self, signals[ACTIVATED], 0, point_at (self, i)->id);
      return TRUE;
    }
  else
    return FALSE;
  choose (self, i);
  return TRUE;
}

static gboolean
on_query_tooltip (StriaSpreadChart *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  const guint i = keyboard ? self->selected : pick (self, x, y);
  g_autofree char *text = NULL;

  if (i >= self->points->len)
    return FALSE;
  text = describe (self, i);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/* -- the widget ------------------------------------------------------------------------------ */

static void
stria_spread_chart_finalize (GObject *object)
{
  StriaSpreadChart *self = STRIA_SPREAD_CHART (object);

  g_free (self->name);
  g_strfreev (self->rows);
  g_array_unref (self->points);
  G_OBJECT_CLASS (stria_spread_chart_parent_class)->finalize (object);
}

static void
stria_spread_chart_class_init (StriaSpreadChartClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->finalize = stria_spread_chart_finalize;
  widget_class->snapshot = stria_spread_chart_snapshot;
  widget_class->measure = stria_spread_chart_measure;
  gtk_widget_class_set_css_name (widget_class, "spreadchart");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  signals[SELECTED] = g_signal_new ("selected", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[ACTIVATED] = g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
stria_spread_chart_init (StriaSpreadChart *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->points = g_array_new (FALSE, FALSE, sizeof (StriaSpreadPoint));
  self->selected = G_MAXUINT;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  stria_drawn_add_focus (GTK_WIDGET (self));
}

GtkWidget *
stria_spread_chart_new (const char *accessible_name)
{
  StriaSpreadChart *self = g_object_new (STRIA_TYPE_SPREAD_CHART, NULL);

  self->name = g_strdup (accessible_name);
  tell (self);
  return GTK_WIDGET (self);
}

static int
compare_points (gconstpointer a, gconstpointer b)
{
  const StriaSpreadPoint *x = a, *y = b;

  if (x->row != y->row)
    return x->row < y->row ? -1 : 1;
  if (x->ns != y->ns)
    return x->ns < y->ns ? -1 : 1;
  return x->id < y->id ? -1 : x->id > y->id;
}

void
stria_spread_chart_set (StriaSpreadChart *self, const char *const *rows, GArray *points)
{
  g_return_if_fail (STRIA_IS_SPREAD_CHART (self));

  g_strfreev (self->rows);
  self->rows = g_strdupv ((char **) rows);
  g_array_set_size (self->points, 0);
  g_array_append_vals (self->points, points->data, points->len);
  g_array_sort (self->points, compare_points);
  self->selected = G_MAXUINT;
  self->most = 0;
  for (guint i = 0; i < self->points->len; i++)
    self->most = MAX (self->most, point_at (self, i)->ns);
  self->title_width = 0;
  for (guint i = 0; self->rows[i] != NULL; i++)
    {
      g_autoptr (PangoLayout) layout
          = gtk_widget_create_pango_layout (GTK_WIDGET (self), self->rows[i]);
      int width = 0;

      pango_layout_get_pixel_size (layout, &width, NULL);
      self->title_width = CLAMP (width, self->title_width, MOST_TITLE);
    }
  tell (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
stria_spread_chart_select (StriaSpreadChart *self, guint id)
{
  g_return_if_fail (STRIA_IS_SPREAD_CHART (self));

  self->selected = G_MAXUINT;
  for (guint i = 0; id != G_MAXUINT && i < self->points->len; i++)
    if (point_at (self, i)->id == id)
      self->selected = i;
  tell (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
