/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-address-text.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "stria-format.h"
#include "stria-neuron-schema.h"
#include "stria-neuron-summary.h"

/* Longer texts are cut in a card. */
#define MAX_TEXT 160

void
stria_address_field_free (gpointer field)
{
  g_free (((StriaAddressField *) field)->value);
  g_free (field);
}

static void
add (GPtrArray *fields, const char *name, char *value)
{
  const StriaNeuronTable *table = stria_neuron_schema_table ("SbufAllocation");
  const StriaNeuronColumn *column = table != NULL ? stria_neuron_schema_column (table, name) : NULL;
  StriaAddressField *field = g_new0 (StriaAddressField, 1);

  field->name = name;
  field->note = column != NULL && column->note[0] != '\0' ? column->note : NULL;
  field->value = value;
  g_ptr_array_add (fields, field);
}

static char *
address_text (gint64 address)
{
  return address < 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, address)
                     : g_strdup_printf ("0x%" G_GINT64_MODIFIER "x (%" G_GINT64_FORMAT " B)",
                                        address, address);
}

static char *
number_text (gint64 value)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT, value);
}

GPtrArray *
stria_address_fields (const StriaAddressView *view, guint i)
{
  static const char *const texts[STRIA_SBUF_N_TEXTS]
      = { "op_source_type", "opcode", "operands", "queue_name", "tensor_name", "hlo_name" };
  const StriaSbufRange *range = &g_array_index (view->memory->ranges, StriaSbufRange, i);
  GPtrArray *fields = g_ptr_array_new_with_free_func (stria_address_field_free);

  add (fields, "start_ts", stria_format_ns (range->start));
  add (fields, "end_ts", stria_format_ns (range->end));
  add (fields, N_ ("duration"), stria_format_duration (range->end - range->start, 4));
  add (fields, "start_address", address_text (range->first));
  add (fields, "end_address", address_text (range->last));
  add (fields, N_ ("size"), stria_format_bytes (range->last - range->first + 1));
  if (range->partition >= 0)
    add (fields, "partition", number_text (range->partition));
  if (range->core >= 0)
    add (fields, "pcore_idx", number_text (range->core));
  for (guint text = 0; text < STRIA_SBUF_N_TEXTS; text++)
    if (range->texts[text] != 0)
      add (fields, texts[text],
           g_strdup (stria_neuron_memory_text (view->memory, range, (StriaSbufText) text)));
  if (range->block != G_MININT64)
    add (fields, "block_id", number_text (range->block));
  return fields;
}

static void
append_line (GString *card, const char *name, const char *value)
{
  g_autofree char *cut = NULL;
  g_autofree char *markup = NULL;

  if (g_utf8_strlen (value, -1) > MAX_TEXT)
    {
      g_autofree char *head = g_utf8_substring (value, 0, MAX_TEXT);

      cut = g_strconcat (head, "…", NULL);
    }
  markup = g_markup_printf_escaped ("\n<span alpha=\"70%%\">%s</span>  %s", name,
                                    cut != NULL ? cut : value);
  g_string_append (card, markup);
}

char *
stria_address_card (const StriaAddressView *view, guint i)
{
  const StriaSbufRange *range = &g_array_index (view->memory->ranges, StriaSbufRange, i);
  const char *name = stria_neuron_memory_text (view->memory, range, STRIA_SBUF_TENSOR);
  g_autoptr (GPtrArray) fields = stria_address_fields (view, i);
  GString *card = g_string_new (NULL);
  g_autofree char *title
      = g_markup_printf_escaped ("<b>%s</b>", *name != '\0' ? name : _ ("no tensor named"));

  g_string_append (card, title);
  for (guint f = 0; f < fields->len; f++)
    {
      const StriaAddressField *field = fields->pdata[f];

      append_line (card, _ (field->name), field->value);
    }
  return g_string_free (card, FALSE);
}

char *
stria_address_time_text (const StriaAddressView *view, gint64 time)
{
  return stria_format_duration (time - view->origin, 6);
}

char *
stria_address_category_text (const char *column)
{
  char *text = g_strdup (column);

  if (g_str_has_suffix (text, "_bytes"))
    text[strlen (text) - strlen ("_bytes")] = '\0';
  return g_strdelimit (text, "_", ' ');
}

static char *
fullness_card (const StriaAddressView *view, gint64 time, int part)
{
  const StriaFullness *self = view->memory->fullness->pdata[view->subject];
  const gint64 i = stria_samples_at (self->times, time);
  g_autofree char *when = NULL;
  GString *card;

  if (i < 0)
    return NULL;
  when = stria_address_time_text (view, g_array_index (self->times, gint64, i));
  card = g_string_new (NULL);
  g_string_append_printf (card, "<b>%s</b>", when);
  for (guint p = self->n_parts; p > 0; p--)
    {
      const float share = g_array_index (self->shares, float, (gsize) i * self->n_parts + p - 1);
      g_autofree char *name = g_strdup_printf (self->is_psum ? _ ("bank %u") : _ ("partition %u"),
                                               self->parts[p - 1]);
      g_autofree char *value = isnan (share) ? g_strdup (_ ("no value"))
                                             : stria_format_percent ((double) share / 100);

      if (part >= 0 && (guint) part != p - 1)
        continue;
      append_line (card, name, value);
    }
  return g_string_free (card, FALSE);
}

static char *
stack_card (const StriaAddressView *view, gint64 time)
{
  const StriaMemoryStack *self = view->memory->stacks->pdata[view->subject];
  const gint64 i = stria_samples_at (self->times, time);
  const guint n = self->names->len;
  double sum = 0, total;
  g_autofree char *when = NULL;
  g_autofree char *all = NULL;
  g_autofree char *title = NULL;
  GString *card;

  if (i < 0)
    return NULL;
  total = g_array_index (self->totals, double, i);
  when = stria_address_time_text (view, g_array_index (self->times, gint64, i));
  all = stria_neuron_metric_format (total, self->unit);
  title = g_markup_printf_escaped ("<b>%s · %s</b>", all, when);
  card = g_string_new (title);
  for (guint c = 0; c < n; c++)
    {
      const double value = g_array_index (self->values, double, (gsize) i * n + c);
      g_autofree char *name = stria_address_category_text (self->names->pdata[c]);
      g_autofree char *amount = stria_neuron_metric_format (value, self->unit);
      g_autofree char *share = stria_format_percent (total > 0 ? value / total : 0);
      g_autofree char *both = g_strdup_printf ("%s (%s)", amount, share);

      sum += value;
      if (value > 0 && n > 1)
        append_line (card, name, both);
    }
  if (self->has_totals && total > sum)
    {
      g_autofree char *rest = stria_neuron_metric_format (total - sum, self->unit);

      append_line (card, _ ("of no category"), rest);
    }
  return g_string_free (card, FALSE);
}

char *
stria_address_sample_card (const StriaAddressView *view, gint64 time, int part)
{
  if (view->kind == STRIA_ADDRESS_STACK)
    return stack_card (view, time);
  return fullness_card (view, time, part);
}

char *
stria_address_describe (const StriaAddressView *view)
{
  const StriaSbufRange *range;
  g_autofree char *size = NULL;
  g_autofree char *where = NULL;
  g_autofree char *when = NULL;
  const char *name;

  if (view->memory == NULL || (view->selected == STRIA_NO_RANGE && view->moment == G_MININT64))
    return g_strdup (_ ("Nothing is selected"));
  if (view->selected == STRIA_NO_RANGE)
    {
      when = stria_address_time_text (view, view->moment);
      return g_strdup_printf (_ ("The moment %s is selected"), when);
    }
  range = &g_array_index (view->memory->ranges, StriaSbufRange, view->selected);
  name = stria_neuron_memory_text (view->memory, range, STRIA_SBUF_TENSOR);
  size = stria_format_bytes (range->last - range->first + 1);
  where = address_text (range->first);
  when = stria_address_time_text (view, range->start);
  /* Translators: name of a tensor, bytes, first address, a time */
  return g_strdup_printf (_ ("%s: %s from %s on, occupied from %s on"),
                          *name != '\0' ? name : _ ("no tensor named"), size, where, when);
}
