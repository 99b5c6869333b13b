/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-counters-picture.h"

#include <glib/gi18n-lib.h>

#include "cli-picture.h"
#include "stria-model-text.h"

#define WIDTH 1200

static const char *
keep (CliCountersPicture *self, char *text)
{
  g_ptr_array_add (self->texts, text);
  return text;
}

gboolean
cli_counters_picture_init (CliCountersPicture *self, CliModel *model, gboolean dark)
{
  const StriaAggregation aggregation = model->metric.aggregation;

  *self = (CliCountersPicture){
    .bars = stria_model_bars_new (model->index, aggregation, NULL),
    .rows = g_array_new (FALSE, FALSE, sizeof (StriaCounterRow)),
    .texts = g_ptr_array_new_with_free_func (g_free),
    .dark = dark,
  };
  for (guint i = 0; i < self->bars->bars->len; i++)
    {
      const StriaModelBar *bar = &g_array_index (self->bars->bars, StriaModelBar, i);
      StriaCounterRow row = { 0 };

      row.name = keep (self, stria_model_entity_text (
                                 stria_profile_entity (model->profile, bar->chain)));
      row.value = keep (self, stria_model_bars_text (self->bars, bar));
      row.parts = stria_model_bars_parts (self->bars, bar, &row.n);
      g_array_append_val (self->rows, row);
    }
  self->sheet = (StriaCounterSheet){
    .title = _ ("Counters"),
    .subtitle = keep (self, cli_model_subtitle (model)),
    .note = keep (self, stria_model_bars_note (aggregation)),
    .names = (const char *const *) self->bars->names->pdata,
    .n_names = self->bars->names->len,
    .rows = (const StriaCounterRow *) (gconstpointer) self->rows->data,
    .n_rows = self->rows->len,
    .full = self->bars->full,
  };
  return self->bars->names->len > 0;
}

void
cli_counters_picture_clear (CliCountersPicture *self)
{
  g_clear_pointer (&self->bars, stria_model_bars_free);
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->texts, g_ptr_array_unref);
}

void
cli_counters_picture_size (CliCountersPicture *self, double *width, double *height)
{
  if (*width <= 0)
    *width = WIDTH;
  if (*height <= 0)
    *height = MIN (stria_counter_sheet_height (&self->sheet, *width), CLI_PICTURE_MAX_SIDE);
}

void
cli_counters_picture_paint (cairo_t *cr, double width, double height, gpointer user_data)
{
  CliCountersPicture *self = user_data;

  stria_counter_sheet_paint (cr, &self->sheet, width, height, self->dark);
}
