/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-paint-private.h"
#include "stria-paint-target.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define MAX_LABELS     600
#define ROWS_PER_JOB   12
#define MARK_RADIUS    4.0
/* Vector pictures are cut to half pixels, which is finer than paper shows at its usual size */
#define VECTOR_SCALE   2.0

/* All bands of a picture, and the next one that nobody has taken. */
typedef struct
{
  GArray *bands;
  gint    next;
  gint    helpers;
  GMutex  lock;
  GCond   done;
} Jobs;

typedef struct
{
  guint32 *pixels;
  gsize    stride;
  double   scale;
  gint32   width;
  gint32   height;
} Target;

static void
work (Jobs *jobs)
{
  for (;;)
    {
      const gint i = g_atomic_int_add (&jobs->next, 1);

      if (i >= (gint) jobs->bands->len)
        return;
      stria_band_run (&g_array_index (jobs->bands, StriaBand, (guint) i));
    }
}

static void
help (gpointer data, gpointer user_data)
{
  Jobs *jobs = data;

  work (jobs);
  g_mutex_lock (&jobs->lock);
  jobs->helpers--;
  g_cond_signal (&jobs->done);
  g_mutex_unlock (&jobs->lock);
}

static GThreadPool *
helper_pool (void)
{
  static gsize ready;
  static GThreadPool *pool;

  if (g_once_init_enter (&ready))
    {
      pool = g_thread_pool_new (help, NULL, (gint) MAX (g_get_num_processors (), 2) - 1, FALSE, NULL);
      g_once_init_leave (&ready, 1);
    }
  return pool;
}

/* Runs all bands, the caller helping, and returns when the last one is done. */
static void
run_bands (GArray *bands)
{
  Jobs jobs = { .bands = bands };
  const gint helpers = MIN ((gint) g_get_num_processors () - 1, (gint) bands->len / 2);

  g_mutex_init (&jobs.lock);
  g_cond_init (&jobs.done);
  jobs.helpers = MAX (helpers, 0);
  for (gint i = 0; i < helpers; i++)
    g_thread_pool_push (helper_pool (), &jobs, NULL);
  work (&jobs);
  g_mutex_lock (&jobs.lock);
  while (jobs.helpers > 0)
    g_cond_wait (&jobs.done, &jobs.lock);
  g_mutex_unlock (&jobs.lock);
  g_mutex_clear (&jobs.lock);
  g_cond_clear (&jobs.done);
}

/* Pixels may be written by hand if the target has them, and the clip is the target's own or a
 * rectangle that holds all of the area. */
static gboolean
find_pixels (cairo_t *cr, double width, double height, Target *target)
{
  StriaPaintTarget image;
  const cairo_rectangle_t *clip = &image.clip;

  if (!stria_paint_target_init (&image, cr))
    return FALSE;
  target->scale = image.x_scale;
  target->width = (gint32) floor (width * target->scale + 0.5);
  target->height = (gint32) floor (height * target->scale + 0.5);
  if (fabs (image.y_scale - target->scale) > 1e-6 || !stria_paint_target_is_whole (image.left)
      || !stria_paint_target_is_whole (image.top) || image.left < 0 || image.top < 0
      || image.left + target->width > image.width || image.top + target->height > image.height
      || clip->x > 0.01 || clip->y > 0.01 || clip->x + clip->width < width - 0.51
      || clip->y + clip->height < height - 0.51)
    return FALSE;
  target->stride = image.stride;
  target->pixels = image.pixels + (gsize) (image.top + 0.5) * image.stride
                   + (gsize) (image.left + 0.5);
  return TRUE;
}

static GArray *
grid_columns (const StriaTimelineView *view, const Target *target)
{
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (gint32));
  const gint64 step = stria_timeline_tick_step (view, target->width / target->scale);
  const double px_per_ns = (double) target->width / (double) (view->t1 - view->t0);
  const double first = ceil ((double) (view->t0 - view->origin_ns) / (double) step);

  for (guint i = 0; i < 4096; i++)
    {
      const double from_left = (first + i) * (double) step - (double) (view->t0 - view->origin_ns);
      const gint32 x = (gint32) floor (from_left * px_per_ns);

      if (x >= target->width)
        break;
      if (x >= 0)
        g_array_append_val (columns, x);
    }
  return columns;
}

static void
add_band (GArray *bands, const StriaBand *model, guint32 row0, guint32 row1)
{
  StriaBand band = *model;
  const double padding = STRIA_LAYOUT_LANE_PADDING * band.scale;
  const double step = band.item->row_height * band.scale;
  const guint32 n_rows = model->row1;

  band.row0 = row0;
  band.row1 = row1;
  band.runs = g_array_new (FALSE, FALSE, sizeof (StriaRun));
  band.labels = g_array_new (FALSE, FALSE, sizeof (StriaLabel));
  band.marks = g_array_new (FALSE, FALSE, sizeof (StriaMark));
  band.boxes = g_array_new (FALSE, FALSE, sizeof (StriaRun));
  if (band.view->legend != NULL && band.lane != NULL
      && stria_lane_get_kind (band.lane) != STRIA_LANE_COUNTER)
    band.uses = g_new0 (StriaBandUse, STRIA_BAND_USES);
  /* Bands of one lane share no device row */
  if (row0 > 0)
    band.clip0 = MAX (band.clip0, band.y0 + (gint32) lround (padding + row0 * step));
  if (row1 < n_rows)
    band.clip1 = MIN (band.clip1, band.y0 + (gint32) lround (padding + row1 * step));
  g_array_append_val (bands, band);
}

/* Cuts the visible rows of a lane into jobs. */
static void
add_lane_bands (GArray *bands, StriaBand *model)
{
  const double row = model->item->row_height * model->scale;
  const double above = model->clip0 - model->y0 - STRIA_LAYOUT_LANE_PADDING * model->scale;
  const double below = model->clip1 - model->y0 - STRIA_LAYOUT_LANE_PADDING * model->scale;
  const guint32 n = stria_timeline_layout_item_rows (model->view->layout, model->item);
  const guint32 first = above > 0 ? MIN ((guint32) (above / row), n - 1) : 0;
  const guint32 last = below > 0 ? MIN ((guint32) ceil (below / row), n) : 1;

  if (stria_lane_get_kind (model->lane) == STRIA_LANE_COUNTER)
    {
      model->row1 = 1;
      add_band (bands, model, 0, 1);
      return;
    }
  model->row1 = MAX (last, first + 1);
  for (guint32 begin = first; begin < model->row1; begin += ROWS_PER_JOB)
    add_band (bands, model, begin, MIN (begin + ROWS_PER_JOB, model->row1));
}

/* The category that waiting has, if there is any of it */
static gint32
find_wait_category (StriaTrace *trace)
{
  for (guint32 i = 0; i < stria_trace_get_n_categories (trace); i++)
    if (g_str_equal (stria_trace_get_category (trace, i), "semaphore wait"))
      return (gint32) i;
  return -1;
}

static StriaBandStyle
style_of (StriaLane *lane)
{
  if (stria_lane_is_of_table (lane, "CoreBarriers"))
    return STRIA_BAND_BOXES;
  if (stria_lane_is_of_table (lane, "Error") && stria_lane_get_kind (lane) == STRIA_LANE_INSTANTS)
    return STRIA_BAND_TICKS;
  return stria_lane_is_of_table (lane, "Throttle") ? STRIA_BAND_STEPS : STRIA_BAND_FULL;
}

/* Barriers of an engine lie over its instructions. */
static StriaLane *
barriers_of (StriaTrace *trace, StriaLane *lane)
{
  if (!stria_lane_is_of_table (lane, "Instruction"))
    return NULL;
  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace); i++)
    {
      StriaLane *other = stria_trace_get_lane (trace, i);

      if (stria_lane_is_of_table (other, "CoreBarriers")
          && stria_lane_get_process (other) == stria_lane_get_process (lane)
          && g_str_equal (stria_lane_table_key (other), stria_lane_table_key (lane)))
        return other;
    }
  return NULL;
}

static GArray *
make_bands (const StriaTimelineView *view, StriaPaintKit *kit, const Target *target, GArray *grid,
            double scroll_y, gboolean pinned)
{
  GArray *bands = g_array_new (FALSE, FALSE, sizeof (StriaBand));
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const gint32 wait_category = find_wait_category (view->trace);
  guint n = 0;
  const StriaLayoutItem *items = pinned ? stria_timeline_layout_pinned (view->layout, &n)
                                        : stria_timeline_layout_items (view->layout, &n);

  for (guint i = 0; i < n; i++)
    {
      const StriaLayoutItem *item = &items[i];
      StriaBand model = {
        .view = view,
        .theme = theme,
        .kit = kit,
        .item = item,
        .lane = item->is_process ? NULL : stria_trace_get_lane (view->trace, item->lane),
        .grid = (const gint32 *) (gpointer) grid->data,
        .n_grid = grid->len,
        .scale = target->scale,
        .width = target->width,
        .pixels = target->pixels,
        .stride = target->stride,
        .y0 = (gint32) lround ((item->y - scroll_y) * target->scale),
        .y1 = (gint32) lround ((item->y + item->height - scroll_y) * target->scale),
      };

      model.clip0 = MAX (model.y0, 0);
      model.clip1 = MIN (model.y1, target->height);
      if (model.clip0 >= model.clip1)
        continue;
      model.wait_category = wait_category;
      if (model.lane != NULL)
        {
          model.style = style_of (model.lane);
          model.barriers = barriers_of (view->trace, model.lane);
        }
      model.background = stria_paint_argb (item->is_process ? theme->band
                                           : i % 2 == 0     ? theme->background
                                                            : theme->alternate);
      if (item->is_process)
        {
          model.n_grid = 0;
          model.row1 = 1;
          add_band (bands, &model, 0, 1);
        }
      else
        add_lane_bands (bands, &model);
    }
  return bands;
}

static void
fill_rest (cairo_t *cr, const StriaTimelineView *view, const Target *target, double width,
           double height, double scroll_y, gboolean pinned)
{
  const double end = (pinned ? stria_timeline_layout_pinned_height (view->layout)
                             : stria_timeline_layout_height (view->layout))
                     - scroll_y;
  const double y = MAX (lround (end * target->scale) / target->scale, 0);

  if (y >= height)
    return;
  stria_paint_set_color (cr, stria_paint_theme (view->dark)->margin, 1);
  cairo_rectangle (cr, 0, y, width, height - y);
  cairo_fill (cr);
}

static int
compare_color (gconstpointer a, gconstpointer b)
{
  const StriaRun *left = a;
  const StriaRun *right = b;

  return left->argb < right->argb ? -1 : left->argb > right->argb;
}

/* Runs of all bands, a path a colour. */
static void
paint_runs (cairo_t *cr, GArray *bands)
{
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE, sizeof (StriaRun));
  const double px = bands->len > 0 ? 1 / g_array_index (bands, StriaBand, 0).scale : 1;

  for (guint i = 0; i < bands->len; i++)
    {
      const StriaBand *band = &g_array_index (bands, StriaBand, i);

      stria_paint_set_color (cr, stria_paint_from_argb (band->background), 1);
      cairo_rectangle (cr, 0, band->clip0 * px, band->width * px,
                       (band->clip1 - band->clip0) * px);
      cairo_fill (cr);
      g_array_append_vals (runs, band->runs->data, band->runs->len);
    }
  g_array_sort (runs, compare_color);
  for (guint i = 0; i < runs->len; i++)
    {
      const StriaRun *run = &g_array_index (runs, StriaRun, i);

      cairo_rectangle (cr, run->x0 * px, run->y0 * px, (run->x1 - run->x0) * px,
                       (run->y1 - run->y0) * px);
      if (i + 1 < runs->len && g_array_index (runs, StriaRun, i + 1).argb == run->argb
          && i % 512 != 511)
        continue;
      stria_paint_set_color (cr, stria_paint_from_argb (run->argb), 1);
      cairo_fill (cr);
    }
  for (guint i = 0; i < bands->len; i++)
    if (g_array_index (bands, StriaBand, i).columns != NULL)
      stria_paint_counter_area (cr, &g_array_index (bands, StriaBand, i));
}

static void
paint_marks (cairo_t *cr, const StriaBand *band)
{
  const double px = 1 / band->scale;

  for (guint i = 0; i < band->marks->len; i++)
    {
      const StriaMark *mark = &g_array_index (band->marks, StriaMark, i);
      const double x = (mark->x + 0.5 * MAX ((gint32) band->scale, 1)) * px;
      const double y = mark->y * px;

      cairo_move_to (cr, x, y - MARK_RADIUS);
      cairo_line_to (cr, x + MARK_RADIUS, y);
      cairo_line_to (cr, x, y + MARK_RADIUS);
      cairo_line_to (cr, x - MARK_RADIUS, y);
      cairo_close_path (cr);
      stria_paint_set_color (cr, stria_paint_from_argb (mark->argb), 1);
      cairo_fill (cr);
    }
}

/* What lies over the slices and lets them shine through */
static void
paint_boxes (cairo_t *cr, const StriaBand *band)
{
  const double px = 1 / band->scale;

  for (guint i = 0; i < band->boxes->len; i++)
    {
      const StriaRun *box = &g_array_index (band->boxes, StriaRun, i);
      const double width = (box->x1 - box->x0) * px;

      stria_paint_set_color (cr, band->theme->dim_text, 0.34);
      cairo_rectangle (cr, box->x0 * px, box->y0 * px, width, (box->y1 - box->y0) * px);
      cairo_fill (cr);
      if (width < 4)
        continue;
      stria_paint_set_color (cr, band->theme->dim_text, 0.75);
      cairo_rectangle (cr, box->x0 * px, box->y0 * px, 1, (box->y1 - box->y0) * px);
      cairo_rectangle (cr, box->x1 * px - 1, box->y0 * px, 1, (box->y1 - box->y0) * px);
      cairo_fill (cr);
    }
}

static int
compare_share (gconstpointer a, gconstpointer b)
{
  const StriaLegendEntry *left = a;
  const StriaLegendEntry *right = b;

  return left->share > right->share ? -1 : left->share < right->share;
}

/* Adds up what the bands counted. */
static void
make_legend (GArray *bands, GArray *legend)
{
  g_autoptr (GHashTable) index = g_hash_table_new (NULL, NULL);
  double total = 0;

  for (guint i = 0; i < bands->len; i++)
    {
      const StriaBandUse *uses = g_array_index (bands, StriaBand, i).uses;

      for (guint j = 0; uses != NULL && j < STRIA_BAND_USES; j++)
        {
          gpointer at = NULL;
          StriaLegendEntry entry = { uses[j].key, uses[j].argb, 0 };

          if (uses[j].amount == 0)
            continue;
          if (!g_hash_table_lookup_extended (index, GUINT_TO_POINTER (entry.key), NULL, &at))
            {
              at = GUINT_TO_POINTER (legend->len);
              g_hash_table_insert (index, GUINT_TO_POINTER (entry.key), at);
              g_array_append_val (legend, entry);
            }
          g_array_index (legend, StriaLegendEntry, GPOINTER_TO_UINT (at)).share
              += (double) uses[j].amount;
          total += (double) uses[j].amount;
        }
    }
  for (guint i = 0; i < legend->len; i++)
    g_array_index (legend, StriaLegendEntry, i).share /= total;
  g_array_sort (legend, compare_share);
}

static int
compare_width (gconstpointer a, gconstpointer b)
{
  const gint32 left = *(const gint32 *) a;
  const gint32 right = *(const gint32 *) b;

  return left > right ? -1 : left < right;
}

/* Width below which labels are left out, so that no more than MAX_LABELS are drawn. */
static gint32
least_labelled (GArray *bands)
{
  g_autoptr (GArray) widths = g_array_new (FALSE, FALSE, sizeof (gint32));

  for (guint i = 0; i < bands->len; i++)
    {
      GArray *labels = g_array_index (bands, StriaBand, i).labels;

      for (guint j = 0; j < labels->len; j++)
        {
          const StriaLabel *label = &g_array_index (labels, StriaLabel, j);
          const gint32 width = label->x1 - label->x0;

          g_array_append_val (widths, width);
        }
    }
  if (widths->len <= MAX_LABELS)
    return 0;
  g_array_sort (widths, compare_width);
  return g_array_index (widths, gint32, MAX_LABELS) + 1;
}

static void
paint_labels (cairo_t *cr, const StriaTimelineView *view, StriaPaintKit *kit, GArray *bands)
{
  const gint32 least = least_labelled (bands);

  for (guint i = 0; i < bands->len; i++)
    {
      const StriaBand *band = &g_array_index (bands, StriaBand, i);
      const double row = band->item->row_height - 1;

      for (guint j = 0; j < band->labels->len; j++)
        {
          const StriaLabel *label = &g_array_index (band->labels, StriaLabel, j);
          double x0 = label->x0 / band->scale;
          double x1 = label->x1 / band->scale;

          if (label->x1 - label->x0 < least)
            continue;
          if (view->label_x1 > view->label_x0 && x1 > view->label_x0 && x0 < view->label_x1)
            x0 = MAX (x0, view->label_x0);
          if (x1 - x0 < STRIA_PAINT_LABEL_MIN_PX)
            continue;
          stria_paint_kit_add_label (kit, cr, label->name, label->argb, label->dim, x0,
                                     label->y0 / band->scale + row / 2, x1 - x0);
        }
    }
  stria_paint_kit_draw_labels (kit, cr);
}

static void
paint_errors (cairo_t *cr, StriaPaintKit *kit, GArray *bands, double width)
{
  for (guint i = 0; i < bands->len; i++)
    {
      const StriaBand *band = &g_array_index (bands, StriaBand, i);

      if (band->error == NULL || band->row0 > 0)
        continue;
      stria_paint_set_color (cr, band->theme->dim_text, 1);
      stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, band->error, 8,
                            (band->y0 + band->y1) / 2.0 / band->scale, width - 16);
    }
}

void
stria_timeline_paint_lanes (cairo_t *cr, const StriaTimelineView *view, double width, double height,
                            double scroll_y, gboolean pinned)
{
  g_autoptr (StriaPaintKit) kit = NULL;
  g_autoptr (GArray) bands = NULL;
  g_autoptr (GArray) grid = NULL;
  Target target = { NULL };

  g_return_if_fail (view->trace != NULL && view->layout != NULL && view->t1 > view->t0);

  if (width < 1 || height < 1)
    return;
  if (!find_pixels (cr, width, height, &target))
    {
      target.pixels = NULL;
      target.scale = VECTOR_SCALE;
      target.width = (gint32) floor (width * VECTOR_SCALE + 0.5);
      target.height = (gint32) floor (height * VECTOR_SCALE + 0.5);
    }
  kit = stria_paint_kit_acquire (stria_trace_get_strings (view->trace), view->font_size,
                                 target.pixels != NULL ? target.scale : 1);
  grid = grid_columns (view, &target);
  bands = make_bands (view, kit, &target, grid, scroll_y, pinned);
  run_bands (bands);

  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  if (target.pixels != NULL)
    cairo_surface_mark_dirty (cairo_get_group_target (cr));
  else
    paint_runs (cr, bands);
  fill_rest (cr, view, &target, width, height, scroll_y, pinned);
  for (guint i = 0; i < bands->len; i++)
    paint_marks (cr, &g_array_index (bands, StriaBand, i));
  for (guint i = 0; i < bands->len; i++)
    paint_boxes (cr, &g_array_index (bands, StriaBand, i));
  paint_labels (cr, view, kit, bands);
  if (view->legend != NULL)
    make_legend (bands, view->legend);
  paint_errors (cr, kit, bands, width);
  cairo_restore (cr);
  for (guint i = 0; i < bands->len; i++)
    stria_band_clear (&g_array_index (bands, StriaBand, i));
}
