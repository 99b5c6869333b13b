/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-timeline-private.h"

#include <glib/gi18n-lib.h>

#include "stria-drawn.h"
#include "stria-format.h"

/* While it moves, nothing is told: only where it comes to rest. */
#define REST_MS 250

/* "12 of 345 in its lane" */
static char *
place_text (StriaTrace *trace, StriaRef ref)
{
  const StriaColumns *columns = NULL;
  g_autofree char *k = NULL;
  g_autofree char *n = NULL;

  if (trace == NULL || ref.lane >= stria_trace_get_n_lanes (trace))
    return NULL;
  columns = stria_lane_get_columns (stria_trace_get_lane (trace, ref.lane));
  if (columns == NULL || ref.index >= columns->n)
    return NULL;
  k = stria_format_count (ref.index + 1);
  n = stria_format_count (columns->n);
  /* Translators: which event of a lane it is, and how many there are */
  return g_strdup_printf (_ ("%s of %s in the lane"), k, n);
}

/* "In sight: 1.2 ms to 3.4 ms, 14 lanes" */
static char *
sight_text (StriaTimeline *self)
{
  StriaTrace *trace = stria_session_get_trace (self->session);
  StriaTimelineView view;
  gint64 origin = 0, end = 0;
  guint n_items = 0, n_pinned = 0, n_lanes = 0;
  const StriaLayoutItem *items = stria_timeline_layout_items (self->layout, &n_items);
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;
  g_autofree char *count = NULL;
  g_autofree char *lanes = NULL;

  if (trace == NULL || !stria_timeline_fill_view (self, &view))
    return NULL;
  if (!stria_trace_get_view_range (trace, &origin, &end))
    origin = 0;
  stria_timeline_layout_pinned (self->layout, &n_pinned);
  for (guint i = 0; i < n_items; i++)
    n_lanes += !items[i].is_process;
  n_lanes += n_pinned;
  from = stria_format_time (view.t0 - origin, MAX ((view.t1 - view.t0) / 1000, 1));
  to = stria_format_time (view.t1 - origin, MAX ((view.t1 - view.t0) / 1000, 1));
  count = stria_format_count (n_lanes);
  lanes = g_strdup_printf (ngettext ("%s lane", "%s lanes", n_lanes), count);
  /* Translators: what a timeline shows: from a time to a time, a number of lanes */
  return g_strdup_printf (_ ("In sight: %s to %s, %s"), from, to, lanes);
}

/**
 * stria_timeline_tell:
 *
 * Tells screen readers what is selected (or @self->description says), which of how many in its lane
 * it is, what is in sight, and where events stand as a table.
 */
void
stria_timeline_tell (StriaTimeline *self)
{
  g_autofree char *place
      = place_text (stria_session_get_trace (self->session),
                    self->describes_mark ? STRIA_REF_NONE
                                         : stria_session_get_selection (self->session));
  g_autofree char *sight = sight_text (self);
  g_autoptr (GString) text = g_string_new (self->description);

  g_clear_handle_id (&self->tell_source, g_source_remove);
  if (place != NULL)
    g_string_append_printf (text, "\n%s", place);
  if (sight != NULL)
    g_string_append_printf (text, "\n%s", sight);
  stria_drawn_describe (GTK_WIDGET (self), text->str, sight != NULL ? _ ("Tables") : NULL);
}

static gboolean
on_rest (gpointer data)
{
  StriaTimeline *self = data;

  self->tell_source = 0;
  stria_timeline_tell (self);
  return G_SOURCE_REMOVE;
}

/* What is in sight moves: it is told when it rests. */
void
stria_timeline_tell_later (StriaTimeline *self)
{
  g_clear_handle_id (&self->tell_source, g_source_remove);
  self->tell_source = g_timeout_add (REST_MS, on_rest, self);
}
