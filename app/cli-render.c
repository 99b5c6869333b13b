/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-render.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "cli-json.h"
#include "cli-memory.h"
#include "cli-picture.h"
#include "stria-alloc-painter.h"
#include "stria-error.h"
#include "stria-timeline-painter.h"

typedef struct
{
  StriaTimelineView view;
  StriaAllocView    memory; /* its allocator is NULL where the timeline is painted */
  const char       *part;   /* of the memory view: "plot", "segments", "map", "flame" */
  double            width;
  double            height;
  double            scale;
} Picture;

static void
render_options_clear (CliRenderOptions *options)
{
  cli_model_options_clear (&options->model);
  g_free (options->level);
  g_free (options->direction);
  g_free (options->compare);
  g_free (options->range);
  g_free (options->size);
  g_free (options->search);
  g_free (options->select);
  g_free (options->output);
  g_free (options->at);
  g_free (options->part);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliRenderOptions, render_options_clear)

/* The earliest event that is called just so */
static StriaRef
find_by_name (StriaTrace *trace, const char *name)
{
  guint32  id = stria_strings_find (stria_trace_get_strings (trace), name, strlen (name));
  StriaRef found = STRIA_REF_NONE;
  gint64   found_ns = G_MAXINT64;

  for (guint32 lane = 0; id != G_MAXUINT32 && lane < stria_trace_get_n_lanes (trace); lane++)
    {
      const StriaColumns *columns = stria_lane_get_columns (stria_trace_get_lane (trace, lane));

      if (columns == NULL || stria_lane_get_kind (stria_trace_get_lane (trace, lane))
                                 == STRIA_LANE_COUNTER)
        continue;
      for (guint64 i = 0; i < columns->n; i++)
        {
          if (columns->name[i] == id && columns->start[i] < found_ns)
            {
              found = (StriaRef){ lane, (guint32) i };
              found_ns = columns->start[i];
            }
        }
    }
  return found;
}

static void
paint (cairo_t *cr, double width, double height, gpointer user_data)
{
  const Picture *picture = user_data;

  if (picture->memory.allocator == NULL)
    stria_timeline_paint (cr, &picture->view, picture->width, picture->height);
  else if (g_str_equal (picture->part, "map"))
    stria_alloc_paint_map (cr, &picture->memory, picture->width, picture->height);
  else if (g_str_equal (picture->part, "flame"))
    stria_alloc_paint_flame (cr, &picture->memory, picture->width, picture->height);
  else
    stria_alloc_paint_plot (cr, &picture->memory, picture->width, picture->height);
}

static gboolean
paint_file (Picture *picture, const char *path, GError **error)
{
  return cli_paint_file (path, picture->width, picture->height, picture->scale, paint, picture,
                         error);
}

static void
tell (CliContext *context, const Picture *picture, const char *view, const char *path)
{
  CliJson json;

  if (!context->json)
    return;
  cli_json_init (&json, stdout, 2);
  cli_json_begin_object (&json, NULL);
  cli_json_begin_array (&json, "pictures");
  cli_json_begin_object (&json, NULL);
  cli_json_string (&json, "view", view);
  cli_json_string (&json, "path", path);
  cli_json_int (&json, "width", (gint64) ceil (picture->width * picture->scale));
  cli_json_int (&json, "height", (gint64) ceil (picture->height * picture->scale));
  if (picture->memory.allocator != NULL)
    {
      cli_json_string (&json, "part", picture->part);
      cli_json_uint (&json, "step", picture->memory.step);
    }
  else
    {
      cli_json_int (&json, "start_ns", picture->view.t0);
      cli_json_int (&json, "end_ns", picture->view.t1);
      cli_json_int (&json, "origin_ns", picture->view.origin_ns);
    }
  if (picture->view.match != NULL)
    cli_json_uint (&json, "matches", stria_match_n_events (picture->view.match));
  cli_json_end_object (&json);
  cli_json_end_array (&json);
  cli_json_end_object (&json);
  cli_json_finish (&json);
}

static gboolean
fill_view (CliContext *context, const CliRenderOptions *options, StriaTrace *trace, Picture *picture,
           GError **error)
{
  StriaTimelineView *view = &picture->view;

  view->trace = trace;
  view->selection = STRIA_REF_NONE;
  view->origin_ns = cli_origin (trace);
  view->dark = options->dark;
  view->font_size = STRIA_TIMELINE_FONT_SIZE;
  if (!cli_parse_range (options->range, options->absolute, trace, &view->t0, &view->t1, error)
      || !stria_trace_load_all (trace, context->cancellable, error))
    return FALSE;

  if (options->select != NULL)
    {
      view->selection = find_by_name (trace, options->select);
      if (stria_ref_is_none (view->selection))
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                       _ ("Nothing in the capture is called “%s”"), options->select);
          return FALSE;
        }
    }
  if (options->search != NULL && options->search[0] != '\0')
    {
      view->match = stria_match_new (trace, options->search, context->cancellable, error);
      if (view->match == NULL)
        return FALSE;
    }

  view->layout = stria_timeline_layout_new ();
  stria_timeline_layout_set_trace (view->layout, trace);
  if (picture->height == 0)
    picture->height = ceil (STRIA_TIMELINE_MINIMAP_HEIGHT + STRIA_TIMELINE_RULER_HEIGHT
                            + stria_timeline_layout_height (view->layout));
  return TRUE;
}

static CliExit
render_timeline (CliContext *context, const CliRenderOptions *options, const char *path)
{
  g_auto (CliCapture) open = { 0 };
  g_autoptr (GError)  error = NULL;
  Picture             picture = { .scale = options->scale };
  CliExit             exit;
  gboolean            done;

  if (!cli_parse_size (options->size, &picture.width, &picture.height))
    return cli_usage (context, _ ("“%s” is no size; expected one as 1600x900, from 16 to %d"),
                      options->size, CLI_PICTURE_MAX_SIDE);

  exit = cli_open (context, (const char *const *) context->rest + 1, CLI_OPEN_DEFAULT, &open);
  if (!cli_is_open (exit))
    return exit;

  done = fill_view (context, options, open.trace, &picture, &error);
  if (done)
    done = paint_file (&picture, path, &error);
  if (done)
    tell (context, &picture, "timeline", path);
  else
    exit = cli_fail (context, CLI_FAILED, error);
  g_clear_pointer (&picture.view.match, stria_match_unref);
  g_clear_pointer (&picture.view.layout, stria_timeline_layout_unref);
  return exit;
}

/* The longest trace of the first snapshot that has one */
static StriaAllocator *
first_allocator (GPtrArray *snapshots)
{
  for (guint i = 0; i < snapshots->len; i++)
    {
      StriaSnapshotData *snapshot = g_ptr_array_index (snapshots, i);

      if (stria_snapshot_get_n_devices (snapshot) > 0)
        return stria_snapshot_get_device (snapshot, 0);
    }
  return NULL;
}

static CliExit
render_memory (CliContext *context, const CliRenderOptions *options, const char *path)
{
  g_auto (CliCapture)   open = { 0 };
  g_autoptr (GError)    error = NULL;
  g_autoptr (GPtrArray) snapshots = NULL;
  StriaAllocator       *allocator;
  Picture               picture
      = { .scale = options->scale, .part = options->part != NULL ? options->part : "plot" };
  CliExit               exit;

  if (!cli_parse_size (options->size, &picture.width, &picture.height))
    return cli_usage (context, _ ("“%s” is no size; expected one as 1600x900, from 16 to %d"),
                      options->size, CLI_PICTURE_MAX_SIDE);
  exit = cli_open (context, (const char *const *) context->rest + 1, CLI_OPEN_DEFAULT, &open);
  if (!cli_is_open (exit))
    return exit;
  snapshots = stria_capture_get_snapshots (open.capture);
  allocator = first_allocator (snapshots);
  if (allocator == NULL)
    {
      g_set_error_literal (&error, STRIA_ERROR, STRIA_ERROR_QUERY,
                           _ ("The capture has no snapshot of an allocator"));
      return cli_fail (context, CLI_FAILED, error);
    }
  stria_alloc_view_init (&picture.memory, allocator, TRUE);
  picture.memory.dark = options->dark;
  picture.memory.highlight = options->search;
  picture.memory.cancellable = context->cancellable;
  if (g_str_equal (picture.part, "segments"))
    picture.memory.kind = STRIA_PLOT_SEGMENTS;
  if (picture.height == 0)
    picture.height = CLI_PICTURE_HEIGHT;
  if ((options->at != NULL
       && !memory_parse_moment (allocator, options->at, &picture.memory.step, &error))
      || !paint_file (&picture, path, &error))
    return cli_fail (context, CLI_FAILED, error);
  tell (context, &picture, "memory", path);
  return exit;
}

/* What the capture has something for. */
static CliExit
render_all (CliContext *context, const CliRenderOptions *options)
{
  g_autofree char      *timeline = g_build_filename (options->output, "timeline.png", NULL);
  g_autofree char      *memory = g_build_filename (options->output, "memory.png", NULL);
  g_auto (CliCapture)   open = { 0 };
  g_autoptr (GPtrArray) snapshots = NULL;
  g_autoptr (GError)    error = NULL;
  gboolean              has_memory, has_events, has_graphs;
  CliExit               exit;

  if (g_mkdir_with_parents (options->output, 0777) != 0)
    {
      cli_warn (_ ("%s: the folder cannot be made: %s"), options->output, g_strerror (errno));
      return CLI_FAILED;
    }
  exit = cli_open (context, (const char *const *) context->rest + 1,
                   CLI_OPEN_DEFAULT | CLI_OPEN_SILENT, &open);
  if (!cli_is_open (exit))
    return exit;
  snapshots = stria_capture_get_snapshots (open.capture);
  has_memory = first_allocator (snapshots) != NULL;
  has_events = open.trace != NULL && stria_trace_get_n_events (open.trace) > 0;
  has_graphs = cli_has_graphs (open.capture);
  if (has_events || (!has_memory && !has_graphs))
    exit = render_timeline (context, options, timeline);
  if (has_memory && cli_is_open (exit))
    exit = render_memory (context, options, memory);
  if (has_graphs && cli_is_open (exit)
      && !cli_render_graphs (open.capture, options, context->cancellable, &error))
    exit = cli_fail (context, CLI_FAILED, error);
  return exit;
}

static CliExit
run_render (CliContext *context, int argc, char **argv)
{
  static const char *const parts[] = { "plot", "segments", "map", "flame", NULL };
  g_auto (CliRenderOptions) options = { .scale = 1 };
  const GOptionEntry     entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      N_ ("File to write (.png, .svg or .pdf); the folder for “all”"), N_ ("FILE") },
    { "range", 'r', 0, G_OPTION_ARG_STRING, &options.range,
      N_ ("What to show, from A to B: nanoseconds, or with us, ms, s or min behind"),
      N_ ("A:B") },
    { "absolute", 0, 0, G_OPTION_ARG_NONE, &options.absolute,
      N_ ("Times are those of the file, not relative to its start"), NULL },
    { "size", 0, 0, G_OPTION_ARG_STRING, &options.size,
      N_ ("Width and height (default 1600x900); “1600x” is as high as the lanes need"),
      N_ ("WxH") },
    { "scale", 0, 0, G_OPTION_ARG_DOUBLE, &options.scale,
      N_ ("Pixels of a .png to a unit of the size (default 1)"), N_ ("N") },
    { "dark", 0, 0, G_OPTION_ARG_NONE, &options.dark, N_ ("Dark colours"), NULL },
    { "search", 0, 0, G_OPTION_ARG_STRING, &options.search,
      N_ ("Dim what does not have TEXT in its name or arguments"), N_ ("TEXT") },
    { "select", 0, 0, G_OPTION_ARG_STRING, &options.select,
      N_ ("Select the first event of this name"), N_ ("NAME") },
    { "at", 0, 0, G_OPTION_ARG_STRING, &options.at,
      N_ ("Moment of “memory”: peak (default), end, a step, or microseconds as 12us"),
      N_ ("MOMENT") },
    { "view", 0, 0, G_OPTION_ARG_STRING, &options.part,
      N_ ("Part of “memory”: plot (default), segments, map, flame; view of “graph”: source, "
          "exported, module, plan, vgf, chains, mapping, trace, hierarchy, counters"),
      N_ ("PART") },
    { "method", 'm', 0, G_OPTION_ARG_STRING, &options.model.method,
      N_ ("Method of the program, where there are several"), N_ ("NAME") },
    { "set", 0, 0, G_OPTION_ARG_STRING, &options.model.set,
      N_ ("Which files, where the capture has several sets of them"), N_ ("NAME") },
    { "unit", 'u', 0, G_OPTION_ARG_STRING, &options.model.unit,
      N_ ("What the ETDump’s ticks are: ns (default), us, ms, s or cycles"), N_ ("UNIT") },
    { "metric", 0, 0, G_OPTION_ARG_STRING, &options.model.metric,
      N_ ("What colours chains: total_cycles, op_cycles or a counter"), N_ ("NAME") },
    { "aggregation", 0, 0, G_OPTION_ARG_STRING, &options.model.aggregation,
      N_ ("Figure over executions: p50 (default), mean, min, max, p10, p90, sum"), N_ ("NAME") },
    { "level", 0, 0, G_OPTION_ARG_STRING, &options.level,
      N_ ("How many levels of groups are open: 0, 1, … or all (default: what can be read)"),
      N_ ("N") },
    { "direction", 0, 0, G_OPTION_ARG_STRING, &options.direction,
      N_ ("Graphs run from left to right (lr, default) or from top to bottom (tb)"), N_ ("WAY") },
    { "compare", 0, 0, G_OPTION_ARG_FILENAME, &options.compare,
      N_ ("The graph of this other capture of the same model, coloured by what changed"),
      N_ ("CAPTURE") },
    { NULL },
  };
  gboolean is_graph;

  if (!cli_parse (context, &cli_command_render, argc, argv, entries, 2, G_MAXUINT))
    return CLI_USAGE;
  if (options.output == NULL)
    return cli_usage (context, _ ("where to? -o is missing"));
  if (!(options.scale >= 0.1 && options.scale <= 16))
    return cli_usage (context, _ ("--scale takes a number from 0.1 to 16"));

  is_graph = g_str_equal (context->rest[0], "graph");
  if (options.part != NULL && !is_graph && !g_strv_contains (parts, options.part))
    return cli_usage (context, _ ("“memory” has no “%s”; there are plot, segments, map and flame"),
                      options.part);
  if (g_str_equal (context->rest[0], "all"))
    return render_all (context, &options);
  if (!is_graph && !g_str_equal (context->rest[0], "timeline") && !g_str_equal (context->rest[0], "memory"))
    return cli_usage (context, _ ("there is no view “%s”; there are timeline, memory, graph and all"),
                      context->rest[0]);
  if (!cli_is_picture_name (options.output))
    return cli_usage (context, _ ("%s: the name must end in .png, .svg or .pdf"), options.output);
  if (is_graph)
    return cli_render_graph (context, &options);
  if (g_str_equal (context->rest[0], "memory"))
    return render_memory (context, &options, options.output);
  return render_timeline (context, &options, options.output);
}

const CliCommand cli_command_render = {
  .name = "render",
  .parameters = N_ ("VIEW CAPTURE… -o FILE"),
  .summary = N_ ("Draw a view of a capture into a file (VIEW: timeline, memory, graph, all)"),
  .run = run_render,
};
