/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-html.h"

#include <glib/gi18n-lib.h>

#include "stria-format.h"
#include "stria-model-bars.h"
#include "stria-model-text.h"

/* Units of the picture; the page makes it as wide as it is. */
#define WIDTH  1000.0
#define HEIGHT 18.0
/* A part narrower than this has no line beside it. */
#define LEAST_LINE 3.0
/* A browser is no database. */
#define MOST_BARS  5000

static void
write_number (FILE *file, const char *name, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  fprintf (file, " %s=\"%s\"", name, g_ascii_formatd (text, sizeof text, "%.2f", value));
}

/* Both styles at once; the page's style picks one. */
static void
write_color (FILE *file, guint number)
{
  fprintf (file, " style=\"--l:#%06x;--d:#%06x\"",
           stria_color_argb (stria_counter_bars_color (number, FALSE)) & 0xffffff,
           stria_color_argb (stria_counter_bars_color (number, TRUE)) & 0xffffff);
}

static void
write_part (FILE *file, const StriaCounterPart *part, const char *unit, double x, double width)
{
  g_autofree char *value = stria_format_value (part->value, unit);

  fputs ("<rect class=\"part\"", file);
  write_number (file, "x", x);
  write_number (file, "width", width > LEAST_LINE ? width - 1 : width);
  fprintf (file, " height=\"%.0f\"", HEIGHT);
  write_color (file, part->color);
  fputs ("><title>", file);
  cli_html_printf (file, "%s: %s", part->name, value);
  fputs ("</title></rect>", file);
}

static void
write_bar (FILE *file, CliHtmlModel *model, StriaModelBars *bars, const StriaModelBar *bar)
{
  const StriaEntity *entity = stria_profile_entity (model->model.profile, bar->chain);
  g_autofree char *name = stria_model_entity_text (entity);
  g_autofree char *text = stria_model_bars_text (bars, bar);
  guint n;
  const StriaCounterPart *parts = stria_model_bars_parts (bars, bar, &n);
  double x = 0;

  fprintf (file, "<tr><th scope=\"row\"><button type=\"button\" class=\"go\" data-e=\"%u\">",
           bar->chain);
  cli_html_text (file, name);
  fprintf (file,
           "</button></th><td class=\"bars\"><svg class=\"counters\" role=\"img\" "
           "viewBox=\"0 0 %.0f %.0f\" preserveAspectRatio=\"none\" aria-label=\"",
           WIDTH, HEIGHT);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *value = stria_format_value (parts[i].value, bars->unit);

      cli_html_printf (file, "%s%s: %s", i > 0 ? ", " : "", parts[i].name, value);
    }
  if (n == 0)
    cli_html_text (file, _ ("Nothing was counted"));
  fprintf (file, "\"><rect class=\"rest\" width=\"%.0f\" height=\"%.0f\"/>", WIDTH, HEIGHT);
  for (guint i = 0; i < n; i++)
    {
      const double width = parts[i].value / bars->full * WIDTH;

      write_part (file, &parts[i], bars->unit, x, width);
      x += width;
    }
  fputs ("</svg></td><td class=\"n\">", file);
  cli_html_text (file, text);
  fputs ("</td></tr>\n", file);
}

void
cli_html_counters (FILE *file, CliHtmlModel *model)
{
  const StriaAggregation aggregation = model->model.metric.aggregation;
  g_autoptr (StriaModelBars) bars = stria_model_bars_new (model->model.index, aggregation, NULL);
  g_autofree char *note = stria_model_bars_note (aggregation);
  const guint n = MIN (bars->bars->len, MOST_BARS);

  if (bars->names->len == 0)
    {
      fputs ("<p>", file);
      cli_html_text (file, stria_model_bars_absence ());
      fputs ("</p>\n", file);
      return;
    }
  fputs ("<p class=\"note\">", file);
  cli_html_text (file, note);
  fputs ("</p>\n<ul class=\"legend\">\n", file);
  for (guint i = 0; i < bars->names->len; i++)
    {
      fputs ("<li><svg class=\"swatch\" width=\"11\" height=\"11\" aria-hidden=\"true\">"
             "<rect class=\"part\" width=\"11\" height=\"11\"",
             file);
      write_color (file, i);
      fputs ("/></svg>", file);
      cli_html_text (file, bars->names->pdata[i]);
      fputs ("</li>\n", file);
    }
  fputs ("</ul>\n<div class=\"scroll\"><table class=\"counters\"><tbody>\n", file);
  for (guint i = 0; i < n; i++)
    write_bar (file, model, bars, &g_array_index (bars->bars, StriaModelBar, i));
  fputs ("</tbody></table></div>\n", file);
  if (n < bars->bars->len)
    {
      const guint left = bars->bars->len - n;

      fputs ("<p>", file);
      cli_html_printf (file, ngettext ("%u more is left out.", "%u more are left out.", left),
                       left);
      fputs ("</p>\n", file);
    }
}
