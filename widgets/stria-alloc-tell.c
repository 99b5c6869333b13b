/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-alloc-tell.h"

#include <glib/gi18n-lib.h>

#include "stria-alloc-text.h"
#include "stria-drawn.h"
#include "stria-format.h"

/* The card of a block without its markup */
static char *
block_text (StriaAllocState *state)
{
  const guint32 element = stria_alloc_state_get_selected (state);
  g_autofree char *card = NULL;
  char *text = NULL;

  if (element == STRIA_NO_ELEMENT)
    return NULL;
  card = stria_alloc_state_card (state, element);
  if (card == NULL || !pango_parse_markup (card, -1, 0, NULL, &text, NULL, NULL))
    return NULL;
  return text;
}

/**
 * stria_alloc_tell:
 * @drawing: what shows the allocator's memory
 * @table: the name of a table of the same
 */
void
stria_alloc_tell (StriaAllocState *state, GtkWidget *drawing, const char *table)
{
  StriaAllocView view;
  StriaAllocTotals totals;
  g_autofree char *bytes = NULL;
  g_autofree char *when = NULL;
  g_autofree char *block = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  if (state == NULL || stria_alloc_state_get_allocator (state) == NULL)
    return;
  stria_alloc_state_fill_view (state, &view);
  stria_allocator_totals (view.allocator, view.step, &totals);
  bytes = stria_format_bytes ((gint64) totals.allocated);
  when = stria_alloc_step_text (view.allocator, view.step);
  /* Translators: bytes, and a time or number of an action */
  g_string_append_printf (text, _ ("%s allocated at %s"), bytes, when);
  block = block_text (state);
  if (block != NULL)
    g_string_append_printf (text, "\n%s", block);
  stria_drawn_describe (drawing, text->str, table);
}
