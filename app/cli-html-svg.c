/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-html.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "cli-table.h"
#include "stria-graph-painter.h"

#define PAD       24.0
/* Sizes of fonts, by the page's style */
#define LABEL_PX  12.0
#define BOLD_PX   12.8
#define SMALL_PX  10.5
#define OPEN_HEAD 26.0

typedef struct
{
  FILE             *file;
  CliHtmlModel     *model;
  guint             view;
  const StriaModelGraph *graph;
  StriaScene       *scene;
  StriaGraphFigure *nodes;  /* (nullable) */
  StriaGraphFigure *groups; /* (nullable) */
} Svg;

static guint32
entity_of (const Svg *self, const StriaSceneItem *item)
{
  if (item->node != STRIA_NO_NODE)
    return self->graph->node_entities[item->node];
  if (item->group != STRIA_NO_GROUP && item->section == G_MAXUINT32)
    return self->graph->group_entities[item->group];
  return STRIA_NO_REF;
}

static const StriaGraphFigure *
figure_of (const Svg *self, const StriaSceneItem *item)
{
  const StriaGraphFigure *figure = NULL;

  if (item->node != STRIA_NO_NODE)
    figure = self->nodes != NULL ? &self->nodes[item->node] : NULL;
  else if (item->group != STRIA_NO_GROUP && item->section == G_MAXUINT32)
    figure = self->groups != NULL ? &self->groups[item->group] : NULL;
  return figure != NULL && figure->state != STRIA_FIGURE_NONE ? figure : NULL;
}

static char *
title_of (const Svg *self, const StriaSceneItem *item)
{
  StriaGraph *graph = self->graph->graph;

  if (item->node != STRIA_NO_NODE)
    return cli_printable (
        stria_graph_text (graph, stria_graph_node (graph, item->node)->label));
  if (item->section != G_MAXUINT32)
    return g_strdup_printf (_ ("Section %u of %u"), item->section + 1, item->n_sections);
  return cli_printable (stria_graph_text (graph, stria_graph_group (graph, item->group)->label));
}

/* What comes out of a node; how many nodes are in a group. */
static char *
detail_of (const Svg *self, const StriaSceneItem *item)
{
  StriaGraph *graph = self->graph->graph;
  const StriaGraphPortRow *outputs;
  guint32 n;

  if (item->node == STRIA_NO_NODE)
    {
      n = item->section == G_MAXUINT32 ? stria_graph_group_weight (graph, item->group) : 0;
      return n > 0 ? g_strdup_printf (ngettext ("%u node", "%u nodes", n), n) : g_strdup ("");
    }
  outputs = stria_graph_outputs (graph, item->node, &n);
  for (guint32 i = 0; i < n; i++)
    if (outputs[i].type != 0)
      return cli_printable (stria_graph_text (graph, outputs[i].type));
  return g_strdup ("");
}

/* Which font a browser has is not known here; this is wide enough for the usual ones. */
static double
char_width (gunichar c)
{
  if (c < 0x80 && strchr ("iljtfr.,:;|'!()[] ", (int) c) != NULL)
    return 0.36;
  if (c < 0x80 && strchr ("mwMW@%", (int) c) != NULL)
    return 0.92;
  if (g_unichar_iswide (c))
    return 1.05;
  return g_unichar_isupper (c) ? 0.70 : 0.58;
}

/* SVG does not cut text by itself. */
static void
write_cut (FILE *file, const char *text, double width, double font_px)
{
  const char *end = text;
  double used = 0, used_at_end = 0;
  g_autofree char *cut = NULL;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      used += char_width (g_utf8_get_char (p)) * font_px;
      if (used <= width - font_px)
        {
          end = g_utf8_next_char (p);
          used_at_end = used;
        }
    }
  if (used <= width || used_at_end <= 0)
    {
      cli_html_text (file, text);
      return;
    }
  cut = g_strndup (text, (gsize) (end - text));
  cli_html_text (file, cut);
  fputs ("…", file);
}

static void
write_color (FILE *file, const char *name, StriaColor color)
{
  fprintf (file, "--%s:#%06x;", name, stria_color_argb (color) & 0xffffff);
}

/* Both styles at once; the page's style picks one. */
static void
write_figure_style (FILE *file, const StriaGraphFigure *figure)
{
  const StriaColor light = stria_graph_scale_color ((double) figure->share, FALSE, FALSE);
  const StriaColor dark = stria_graph_scale_color ((double) figure->share, FALSE, TRUE);

  fputs (" style=\"", file);
  write_color (file, "l", light);
  write_color (file, "d", dark);
  write_color (file, "tl", stria_color_text (light));
  write_color (file, "td", stria_color_text (dark));
  fputc ('"', file);
}

static void
write_number (FILE *file, const char *name, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  fprintf (file, " %s=\"%s\"", name,
           g_ascii_formatd (text, sizeof text, "%.1f", value));
}

static void
write_rect (FILE *file, const char *class, double x, double y, double width, double height,
            double radius)
{
  fprintf (file, "<rect class=\"%s\"", class);
  write_number (file, "x", x);
  write_number (file, "y", y);
  write_number (file, "width", width);
  write_number (file, "height", height);
  if (radius > 0)
    write_number (file, "rx", radius);
  fputs ("/>", file);
}

static void
begin_text (FILE *file, const char *class, double x, double y)
{
  fprintf (file, "<text class=\"%s\"", class);
  write_number (file, "x", x);
  write_number (file, "y", y);
  fputc ('>', file);
}

/* What a reader is told: label, figure, whether it is measured. */
static void
write_label (const Svg *self, const char *title, const char *detail,
             const StriaGraphFigure *figure, gboolean unmatched)
{
  cli_html_text (self->file, title);
  if (figure != NULL)
    {
      fputs (", ", self->file);
      cli_html_text (self->file, figure->state == STRIA_FIGURE_VALUE ? figure->text
                                                                     : _ ("not measured"));
    }
  else if (*detail != '\0')
    {
      fputs (", ", self->file);
      cli_html_text (self->file, detail);
    }
  if (unmatched)
    {
      fputs (", ", self->file);
      cli_html_text (self->file, _ ("linked to nothing measured"));
    }
}

static void
write_item (const Svg *self, guint32 number)
{
  const StriaSceneItem *item = &self->scene->items[number];
  const StriaGraphFigure *figure = figure_of (self, item);
  const gboolean has_value = figure != NULL && figure->state == STRIA_FIGURE_VALUE;
  const guint32 entity = entity_of (self, item);
  const gboolean unmatched
      = entity != STRIA_NO_REF
        && stria_profile_entity (self->model->model.profile, entity)->unmatched;
  g_autofree char *title = title_of (self, item);
  g_autofree char *detail = detail_of (self, item);
  const double x = (double) item->x, y = (double) item->y;
  const double w = (double) item->width, h = (double) item->height;
  FILE *file = self->file;

  fprintf (file, "<g class=\"item %s%s%s\" id=\"m%u-v%u-i%u\"",
           item->node != STRIA_NO_NODE ? "node" : item->open ? "open" : "closed",
           has_value ? " value" : figure != NULL ? " unmeasured" : "",
           unmatched ? " unmatched" : "", self->model->number, self->view, number);
  if (item->node != STRIA_NO_NODE)
    fprintf (file, " data-n=\"%u\"", item->node);
  else if (item->section == G_MAXUINT32)
    fprintf (file, " data-g=\"%u\"", item->group);
  fputs (" tabindex=\"-1\" role=\"button\" aria-label=\"", file);
  write_label (self, title, detail, figure, unmatched);
  fputc ('"', file);
  if (has_value)
    write_figure_style (file, figure);
  fputs ("><title>", file);
  write_label (self, title, detail, figure, unmatched);
  fputs ("</title>", file);
  write_rect (file, "box", x, y, w, h, item->open ? 8 : 5);
  if (item->open)
    {
      if (has_value)
        write_rect (file, "strip", x + 1, y + 1, w - 2, OPEN_HEAD - 2, 7);
      begin_text (file, "title", x + 12, y + 18);
      write_cut (file, title, w - 24, BOLD_PX);
      if (figure != NULL)
        {
          fputs ("<tspan class=\"small\" dx=\"10\">", file);
          cli_html_text (file, has_value ? figure->text : _ ("not measured"));
          fputs ("</tspan>", file);
        }
      fputs ("</text></g>\n", file);
      return;
    }
  if (figure != NULL && !has_value)
    write_rect (file, "hatch", x, y, w, h, 5);
  if (item->node != STRIA_NO_NODE)
    {
      const StriaGraphNodeRow *node = stria_graph_node (self->graph->graph, item->node);
      const char *label = stria_graph_text (self->graph->graph, node->label);

      if (node->kind == STRIA_NODE_INPUT || node->kind == STRIA_NODE_OUTPUT)
        fputs ("<rect class=\"end\"", file);
      else
        {
          fputs ("<rect class=\"kind\" style=\"", file);
          write_color (file, "l", stria_color_for_name (label, FALSE));
          write_color (file, "d", stria_color_for_name (label, TRUE));
          fputc ('"', file);
        }
      write_number (file, "x", x + 3);
      write_number (file, "y", y + 5);
      write_number (file, "height", h - 10);
      fputs (" width=\"4\" rx=\"2\"/>", file);
    }
  begin_text (file, item->node != STRIA_NO_NODE ? "label" : "title", x + 12,
              y + h * (figure == NULL && *detail == '\0' ? 0.5 : 0.32) + 4);
  write_cut (file, title, w - 18, item->node != STRIA_NO_NODE ? LABEL_PX : BOLD_PX);
  fputs ("</text>", file);
  begin_text (file, "small", x + 12, y + h * 0.66 + 4);
  if (figure != NULL)
    cli_html_text (file, has_value ? figure->text : _ ("not measured"));
  else
    write_cut (file, detail, w - 18, SMALL_PX);
  fputs ("</text>", file);
  if (has_value)
    {
      write_rect (file, "track", x + 8, y + h - 6, w - 16, 3, 0);
      write_rect (file, "bar", x + 8, y + h - 6,
                  MAX ((w - 16) * CLAMP ((double) figure->share, 0, 1), 1), 3, 0);
    }
  fputs ("</g>\n", file);
}

static void
write_pair (FILE *file, const char *before, double x, double y)
{
  char one[G_ASCII_DTOSTR_BUF_SIZE], two[G_ASCII_DTOSTR_BUF_SIZE];

  fprintf (file, "%s%s %s", before, g_ascii_formatd (one, sizeof one, "%.1f", x),
           g_ascii_formatd (two, sizeof two, "%.1f", y));
}

/* The course that the window's painter gives it */
static void
write_wire (const Svg *self, cairo_t *cr, guint32 number)
{
  const StriaSceneWire *wire = &self->scene->wires[number];
  StriaGraphView view;
  cairo_path_t *path;

  stria_graph_view_init (&view, self->scene);
  cairo_new_path (cr);
  stria_graph_trace_wire (cr, &view, number);
  path = cairo_copy_path (cr);
  fprintf (self->file, "<path class=\"wire\" data-s=\"%u\" data-t=\"%u\" d=\"", wire->source,
           wire->target);
  for (int i = 0; i < path->num_data; i += path->data[i].header.length)
    {
      const cairo_path_data_t *data = &path->data[i];
      const char *letter = data->header.type == CAIRO_PATH_MOVE_TO   ? "M"
                           : data->header.type == CAIRO_PATH_LINE_TO ? "L"
                                                                     : "C";

      for (int p = 1; p < data->header.length; p++)
        write_pair (self->file, p == 1 ? letter : " ", data[p].point.x, data[p].point.y);
    }
  fputs ("\" marker-end=\"url(#arrow)\"/>\n", self->file);
  cairo_path_destroy (path);
}

void
cli_html_svg (FILE *file, CliHtmlModel *model, guint view)
{
  Svg self = { .file = file, .model = model, .view = view,
               .graph = model->model.index->graphs->pdata[view],
               .scene = model->scenes->pdata[view] };
  const double width = (double) self.scene->width + 2 * PAD;
  const double height = (double) self.scene->height + 2 * PAD;
  cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_ALPHA, NULL);
  cairo_t *cr = cairo_create (surface);

  stria_model_index_figures (model->model.index, self.graph, &model->model.metric, &self.nodes,
                             &self.groups);
  fprintf (file, "<svg class=\"graph\" id=\"m%u-v%u\" tabindex=\"0\" role=\"group\" ",
           model->number, view);
  fputs ("aria-label=\"", file);
  cli_html_text (file, self.graph->title);
  fputc ('"', file);
  write_number (file, "data-width", width);
  write_number (file, "data-height", height);
  write_pair (file, " viewBox=\"", -PAD, -PAD);
  write_pair (file, " ", width, height);
  fputs ("\">\n", file);
  for (guint32 i = 0; i < self.scene->n_items; i++)
    if (self.scene->items[i].open)
      write_item (&self, i);
  for (guint32 i = 0; i < self.scene->n_wires; i++)
    write_wire (&self, cr, i);
  for (guint32 i = 0; i < self.scene->n_items; i++)
    if (!self.scene->items[i].open)
      write_item (&self, i);
  fputs ("</svg>\n", file);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  g_free (self.nodes);
  g_free (self.groups);
}
