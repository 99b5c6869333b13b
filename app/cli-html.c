/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-html.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "cli-json.h"
#include "cli-profiles.h"
#include "cli-table.h"
#include "page-css.h"
#include "page-js.h"
#include "stria-error.h"
#include "stria-graph-painter.h"
#include "stria-model-text.h"

/* Boxes of one picture, unless a level is asked for */
#define MOST_BOXES 1500

void
cli_html_text (FILE *file, const char *text)
{
  g_autofree char *printable = cli_printable (text != NULL ? text : "");

  for (const char *p = printable; *p != '\0'; p++)
    switch (*p)
      {
      case '<':
        fputs ("&lt;", file);
        break;
      case '>':
        fputs ("&gt;", file);
        break;
      case '&':
        fputs ("&amp;", file);
        break;
      case '"':
        fputs ("&quot;", file);
        break;
      case '\'':
        fputs ("&#39;", file);
        break;
      default:
        fputc (*p, file);
      }
}

void
cli_html_printf (FILE *file, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  cli_html_text (file, text);
}

void
cli_html_json (FILE *file, const char *json, gsize length)
{
  /* These stand in strings only, and no element can be ended or begun without them. */
  for (gsize i = 0; i < length; i++)
    if (json[i] == '<' || json[i] == '>' || json[i] == '&')
      fprintf (file, "\\u%04x", (guint) json[i]);
    else
      fputc (json[i], file);
}

static void
html_model_free (gpointer data)
{
  CliHtmlModel *self = data;

  cli_model_clear (&self->model);
  g_clear_pointer (&self->scenes, g_ptr_array_unref);
  g_free (self);
}

static void
scene_free (gpointer data)
{
  if (data != NULL)
    stria_scene_unref (data);
}

static gboolean
lay_out (CliHtmlModel *self, const char *level_text, GCancellable *cancellable, GError **error)
{
  GPtrArray *graphs = self->model.index->graphs;

  self->scenes = g_ptr_array_new_with_free_func (scene_free);
  for (guint i = 0; i < graphs->len; i++)
    {
      const StriaModelGraph *graph = graphs->pdata[i];
      g_autoptr (StriaFold) fold = NULL;
      StriaScene *scene;
      guint level;

      g_ptr_array_add (self->scenes, NULL);
      if (graph->graph == NULL)
        continue;
      if (level_text == NULL)
        level = cli_graph_level (graph->graph, MOST_BOXES);
      else if (!cli_parse_level (level_text, &level, error))
        return FALSE;
      fold = stria_fold_new (graph->graph);
      stria_fold_set_level (fold, level);
      scene = stria_scene_new (fold, NULL, stria_graph_measure, NULL, cancellable, error);
      if (scene == NULL)
        return FALSE;
      self->scenes->pdata[i] = scene;
    }
  return TRUE;
}

static gboolean
add_model (GPtrArray *models, StriaCapture *capture, const CliModelOptions *options,
           const char *level, GCancellable *cancellable, GError **error)
{
  CliHtmlModel *added = g_new0 (CliHtmlModel, 1);

  added->number = models->len;
  g_ptr_array_add (models, added);
  return cli_model_open (capture, options, &added->model, error)
         && lay_out (added, level, cancellable, error);
}

/* Every set and method that the options leave. */
static gboolean
find_models (GPtrArray *models, StriaCapture *capture, const CliModelOptions *options,
             const char *level, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) sets = stria_profile_sets (capture);

  /* For the error */
  if ((sets->len == 0 || options->set != NULL) && cli_find_set (sets, options->set, error) == NULL)
    return FALSE;
  for (guint i = 0; i < sets->len; i++)
    {
      const StriaProfileSet *set = sets->pdata[i];
      g_auto (GStrv) methods = stria_profile_methods (capture, set);
      CliModelOptions which = *options;

      if (options->set != NULL && !g_str_equal (set->name, options->set))
        continue;
      which.set = set->name;
      if (options->method != NULL || methods[0] == NULL)
        {
          if (!add_model (models, capture, &which, level, cancellable, error))
            return FALSE;
          continue;
        }
      for (guint m = 0; methods[m] != NULL; m++)
        {
          which.method = methods[m];
          if (!add_model (models, capture, &which, level, cancellable, error))
            return FALSE;
        }
    }
  return TRUE;
}

static void
write_ramp (FILE *file, gboolean dark)
{
  fputs (".ramp{background:linear-gradient(to right", file);
  for (int i = 0; i <= 8; i++)
    fprintf (file, ",#%06x",
             stria_color_argb (stria_graph_scale_color (i / 8.0, FALSE, dark)) & 0xffffff);
  fputs (")}", file);
}

/* Nothing but what is in this file runs, and nothing is fetched. */
static void
write_head (FILE *file, const char *title)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *hash = NULL;
  guint8 digest[32];
  gsize length = sizeof digest;

  g_checksum_update (sum, (const guchar *) stria_page_js, -1);
  g_checksum_get_digest (sum, digest, &length);
  hash = g_base64_encode (digest, length);
  /* Translators: code of the language that these messages are in, as HTML has it */
  fprintf (file, "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n",
           _ ("en"));
  fprintf (file,
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
           "style-src 'unsafe-inline'; script-src 'sha256-%s'\">\n",
           hash);
  fputs ("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"generator\" content=\"Stria " VERSION "\">\n<title>",
         file);
  cli_html_text (file, title);
  fprintf (file, " · Stria</title>\n<style>\n%s", stria_page_css);
  write_ramp (file, FALSE);
  fputs ("@media (prefers-color-scheme: dark){", file);
  write_ramp (file, TRUE);
  fputs ("}\n</style>\n</head>\n", file);
}

static void
write_patterns (FILE *file)
{
  fputs ("<svg class=\"defs\" aria-hidden=\"true\"><defs>"
         "<pattern id=\"hatch\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
         "<path class=\"hatch-line\" d=\"M-1 9L9 -1M-1 1L1 -1M7 9L9 7\"/></pattern>"
         "<marker id=\"arrow\" viewBox=\"0 0 7 7\" refX=\"7\" refY=\"3.5\" markerWidth=\"7\" "
         "markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
         "<path class=\"arrow\" d=\"M0 0L7 3.5L0 7z\"/></marker></defs></svg>\n",
         file);
}

static void
write_tab (FILE *file, const CliHtmlModel *model, guint panel, const char *title)
{
  fprintf (file,
           "<button type=\"button\" role=\"tab\" id=\"m%u-t%u\" aria-controls=\"m%u-p%u\" "
           "aria-selected=\"false\">",
           model->number, panel, model->number, panel);
  cli_html_text (file, title);
  fputs ("</button>\n", file);
}

static void
begin_panel (FILE *file, const CliHtmlModel *model, guint panel, guint view, const char *title)
{
  fprintf (file,
           "<section class=\"panel\" role=\"tabpanel\" id=\"m%u-p%u\" "
           "aria-labelledby=\"m%u-t%u\"",
           model->number, panel, model->number, panel);
  if (view != G_MAXUINT)
    fprintf (file, " data-view=\"%u\"", view);
  fputs (">\n<h3 class=\"name\">", file);
  cli_html_text (file, title);
  fputs ("</h3>\n", file);
}

static void
write_legend (FILE *file, CliHtmlModel *model, const StriaModelGraph *graph)
{
  const guint kinds = cli_model_kinds (&model->model, graph);
  gboolean any = FALSE;

  for (guint i = 0; i < STRIA_N_ENTITY_KINDS; i++)
    {
      g_autofree char *minimum = NULL;
      g_autofree char *maximum = NULL;
      g_autofree char *note = NULL;
      StriaModelScale scale;

      if ((kinds >> i & 1) == 0)
        continue;
      stria_model_index_scale (model->model.index, &model->model.metric, (StriaEntityKind) i,
                               &scale);
      if (scale.name == NULL)
        continue;
      minimum = stria_model_value_text (scale.minimum, scale.unit, FALSE);
      maximum = stria_model_value_text (scale.maximum, scale.unit, FALSE);
      note = cli_model_scale_note (&model->model, &scale);
      fputs (any ? "<li><b>" : "<ul class=\"legend\">\n<li><b>", file);
      any = TRUE;
      cli_html_printf (file, "%s: %s", stria_model_kinds_title ((StriaEntityKind) i),
                       stria_model_metric_title (scale.name));
      fputs ("</b> <span class=\"note\">", file);
      cli_html_text (file, note);
      fputs ("</span><div class=\"ramp\"></div><div class=\"ends\"><span>", file);
      cli_html_text (file, minimum);
      fputs ("</span><span>", file);
      cli_html_text (file, maximum);
      fputs ("</span></div></li>\n", file);
    }
  if (!any)
    return;
  fputs ("<li><svg class=\"swatch\" width=\"22\" height=\"10\" aria-hidden=\"true\">"
         "<rect class=\"hatch\" width=\"22\" height=\"10\"/></svg>",
         file);
  cli_html_text (file, _ ("not measured"));
  fputs ("</li>\n</ul>\n", file);
}

static void
write_tool (FILE *file, const char *action, const char *label)
{
  fprintf (file, "<button type=\"button\" data-do=\"%s\">", action);
  cli_html_text (file, label);
  fputs ("</button>\n", file);
}

static void
write_view (FILE *file, CliHtmlModel *model, guint panel, guint view)
{
  const StriaModelGraph *graph = model->model.index->graphs->pdata[view];
  g_autoptr (GPtrArray) notes = cli_model_notes (&model->model, graph);

  begin_panel (file, model, panel, view, graph->title);
  write_legend (file, model, graph);
  fputs ("<p class=\"tools\">\n", file);
  write_tool (file, "in", _ ("Zoom in"));
  write_tool (file, "out", _ ("Zoom out"));
  write_tool (file, "fit", _ ("Fit"));
  fputs ("<span class=\"note\">", file);
  cli_html_text (file, _ ("Wheel: zoom; drag: move; click or Enter: details"));
  fputs ("</span></p>\n<div class=\"canvas\">\n", file);
  cli_html_svg (file, model, view);
  fputs ("</div>\n", file);
  if (notes->len > 1)
    fputs ("<ul class=\"about\">\n", file);
  for (guint i = 0; notes->pdata[i] != NULL; i++)
    {
      fputs ("<li>", file);
      cli_html_text (file, notes->pdata[i]);
      fputs ("</li>\n", file);
    }
  if (notes->len > 1)
    fputs ("</ul>\n", file);
  fputs ("</section>\n", file);
}

static gboolean
write_model (FILE *file, CliHtmlModel *model, GError **error)
{
  GPtrArray *graphs = model->model.index->graphs;
  const guint first = stria_model_index_first (model->model.index);
  g_autofree char *subtitle = cli_model_subtitle (&model->model);
  guint panel = 0, first_panel = 0;

  for (guint i = 0; i < first && i < graphs->len; i++)
    first_panel += ((StriaModelGraph *) graphs->pdata[i])->graph != NULL;
  if (first == G_MAXUINT)
    first_panel = 0;
  fprintf (file, "<section class=\"model\" id=\"m%u\" data-first=\"%u\">\n<h2>", model->number,
           first_panel);
  cli_html_text (file, subtitle);
  fputs ("</h2>\n<div class=\"tabs\" role=\"tablist\" aria-label=\"", file);
  cli_html_text (file, _ ("Views"));
  fputs ("\">\n", file);
  for (guint i = 0; i < graphs->len; i++)
    if (((StriaModelGraph *) graphs->pdata[i])->graph != NULL)
      write_tab (file, model, panel++, ((StriaModelGraph *) graphs->pdata[i])->title);
  write_tab (file, model, panel, _ ("Table"));
  write_tab (file, model, panel + 1, _ ("Counters"));
  write_tab (file, model, panel + 2, _ ("Notes"));
  fputs ("</div>\n<div class=\"work\">\n<div class=\"panels\">\n", file);
  panel = 0;
  for (guint i = 0; i < graphs->len; i++)
    if (((StriaModelGraph *) graphs->pdata[i])->graph != NULL)
      write_view (file, model, panel++, i);
  begin_panel (file, model, panel, G_MAXUINT, _ ("Table"));
  cli_html_table (file, model);
  fputs ("</section>\n", file);
  begin_panel (file, model, panel + 1, G_MAXUINT, _ ("Counters"));
  cli_html_counters (file, model);
  fputs ("</section>\n", file);
  begin_panel (file, model, panel + 2, G_MAXUINT, _ ("Notes"));
  cli_html_notes (file, model);
  fputs ("</section>\n</div>\n<aside class=\"details\" aria-live=\"polite\" aria-label=\"", file);
  cli_html_text (file, _ ("Details"));
  fputs ("\"><p class=\"note\">", file);
  cli_html_text (file, _ ("Nothing is selected."));
  fputs ("</p></aside>\n</div>\n", file);
  if (!cli_html_data (file, model, error))
    return FALSE;
  fputs ("</section>\n", file);
  return TRUE;
}

/* What the script says, in the language of the rest */
static gboolean
write_words (FILE *file, GError **error)
{
  const char *const words[][2] = {
    { "kind", _ ("Kind") },
    { "where", _ ("Where") },
    { "executions", _ ("Executions") },
    { "shared", _ ("Shared by") },
    { "id", _ ("Id") },
    { "source", _ ("Source") },
    { "unmatched",
      _ ("It is linked to nothing measured, which does not show that it did not run.") },
    { "measured", _ ("Measurements") },
    { "unavailable", _ ("unavailable:") },
    { "links", _ ("Corresponds to") },
    { "up", _ ("Part of") },
    { "down", _ ("Parts") },
    { "views", _ ("In other views") },
    { "attributes", _ ("Attributes") },
  };
  char *text = NULL;
  size_t length = 0;
  FILE *memory = open_memstream (&text, &length);
  CliJson json;

  if (memory == NULL)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, "%s", g_strerror (errno));
      return FALSE;
    }
  cli_json_init (&json, memory, 1);
  cli_json_begin_object (&json, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    cli_json_string (&json, words[i][0], words[i][1]);
  cli_json_begin_array (&json, "evidence");
  for (guint i = STRIA_EVIDENCE_EXACT; i <= STRIA_EVIDENCE_AMBIGUOUS; i++)
    cli_json_string (&json, NULL, stria_model_evidence_title ((StriaEvidence) i));
  cli_json_end_array (&json);
  cli_json_end_object (&json);
  cli_json_finish (&json);
  fclose (memory);
  fputs ("<script type=\"application/json\" id=\"words\">", file);
  cli_html_json (file, text != NULL ? text : "{}", text != NULL ? length : 2);
  fputs ("</script>\n", file);
  free (text);
  return TRUE;
}

static void
write_header (FILE *file, const char *title, GPtrArray *models)
{
  fputs ("<header>\n<h1>", file);
  cli_html_text (file, title);
  fputs ("</h1>\n", file);
  if (models->len > 1)
    {
      fputs ("<label>", file);
      cli_html_text (file, _ ("Model"));
      fputs (" <select id=\"chooser\">\n", file);
      for (guint i = 0; i < models->len; i++)
        {
          CliHtmlModel *model = models->pdata[i];
          g_autofree char *subtitle = cli_model_subtitle (&model->model);

          fprintf (file, "<option value=\"%u\">", i);
          cli_html_text (file, subtitle);
          fputs ("</option>\n", file);
        }
      fputs ("</select></label>\n", file);
    }
  fputs ("<p>", file);
  /* Translators: the version */
  cli_html_printf (file, _ ("Written by Stria %s"), VERSION);
  fputs ("</p>\n</header>\n", file);
}

gboolean
cli_html_write (FILE *file, StriaCapture *capture, const CliModelOptions *options,
                const char *level, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) models = g_ptr_array_new_with_free_func (html_model_free);
  const char *title = stria_capture_get_title (capture);

  if (!find_models (models, capture, options, level, cancellable, error))
    return FALSE;
  write_head (file, title);
  fputs ("<body>\n", file);
  write_patterns (file);
  write_header (file, title, models);
  fputs (models->len > 1 ? "<main class=\"many\">\n" : "<main>\n", file);
  for (guint i = 0; i < models->len; i++)
    if (g_cancellable_set_error_if_cancelled (cancellable, error)
        || !write_model (file, models->pdata[i], error))
      return FALSE;
  fputs ("</main>\n", file);
  if (!write_words (file, error))
    return FALSE;
  fprintf (file, "<script>%s</script>\n</body>\n</html>\n", stria_page_js);
  return TRUE;
}
