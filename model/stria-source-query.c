/* SPDX-License-Identifier: Apache-2.0 */
/* From events to lines, and from lines to events. */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-lane-class.h"
#include "stria-source-private.h"
#include "stria-trace-private.h"

/* A search for more lines is longer than anybody reads */
#define MAX_SEARCH_PLACES 40

/* -- from an event ---------------------------------------------------------------------------- */

static void
append_frames (StriaSourceIndex *self, GArray *places, guint32 number)
{
  const SourceStack *stack = stria_source_get_stack (self, number);

  g_array_append_vals (places,
                       (const guint32 *) (gpointer) self->frames->data + stack->first_frame,
                       stack->n_frames);
}

/* A slice's own line, @own, and the functions that run around it; those may have itself, too */
static void
append_around (StriaSourceIndex *self, GArray *places, StriaRef ref, guint32 own)
{
  g_autoptr (GArray) around = stria_trace_python_stack (self->trace, ref);

  if (around->len == 0 || !stria_ref_equal (g_array_index (around, StriaRef, 0), ref))
    append_frames (self, places, own);
  for (guint i = 0; i < around->len && places->len < STRIA_SOURCE_MAX_FRAMES; i++)
    {
      const StriaRef at = g_array_index (around, StriaRef, i);
      StriaLane *lane = stria_trace_get_lane (self->trace, at.lane);
      const StriaColumns *c = stria_lane_get_columns (lane);
      const SourceLane source = stria_source_lane (self, lane);

      if (c != NULL && at.index < c->n && stria_source_lane_has (&source))
        append_frames (self, places, stria_source_stack_of (&source, c, at.index));
    }
}

/* What a device runs was launched by a call that has functions around it. */
static void
append_launch (StriaSourceIndex *self, GArray *places, StriaLane *lane, guint64 correlation,
               StriaRef ref)
{
  g_autoptr (GArray) linked = stria_trace_find_linked (self->trace, stria_lane_get_artifact (lane),
                                                       STRIA_LINK_CORRELATION, correlation);

  for (guint i = 0; i < linked->len && places->len == 0; i++)
    {
      const StriaRef other = g_array_index (linked, StriaRef, i);

      if (!stria_ref_equal (other, ref))
        append_around (self, places, other, 0);
    }
}

GArray *
stria_source_index_stack (StriaSourceIndex *self, StriaRef ref)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (guint32));
  StriaLane *lane;
  const StriaColumns *c;
  SourceLane source;
  guint32 stack = 0;

  if (self->trace == NULL || ref.lane >= stria_trace_get_n_lanes (self->trace))
    return places;
  lane = stria_trace_get_lane (self->trace, ref.lane);
  if (!stria_lane_load (lane, NULL, NULL))
    return places;
  c = stria_lane_get_columns (lane);
  if (c == NULL || ref.index >= c->n)
    return places;
  source = stria_source_lane (self, lane);
  if (stria_source_lane_has (&source))
    stack = stria_source_stack_of (&source, c, ref.index);
  if (stack != 0 && source.by_seq != NULL && c->seq[ref.index] < source.n_seq
      && source.by_seq[c->seq[ref.index]] == stack)
    {
      append_frames (self, places, stack);
      return places;
    }
  append_around (self, places, ref, stack);
  if (places->len == 0 && c->correlation != NULL && c->correlation[ref.index] != 0)
    append_launch (self, places, lane, c->correlation[ref.index], ref);
  return places;
}

static gboolean
has_category (StriaTrace *trace, const char *const *names)
{
  for (guint32 i = 0; i < stria_trace_get_n_categories (trace); i++)
    if (g_strv_contains (names, stria_trace_get_category (trace, i)))
      return TRUE;
  return FALSE;
}

char *
stria_source_index_why_none (StriaSourceIndex *self, StriaRef ref)
{
  static const char *const python[] = { "python_function", NULL };
  static const char *const pytorch[]
      = { "cpu_op", "kernel", "cuda_runtime", "Operator", "Kernel", "user_annotation", NULL };
  StriaLane *lane;
  StriaTable *table;

  if (self->trace == NULL || ref.lane >= stria_trace_get_n_lanes (self->trace))
    return g_strdup (_ ("No event is selected"));
  lane = stria_trace_get_lane (self->trace, ref.lane);
  table = stria_lane_find_table (lane, self->trace);
  if (stria_lane_get_kind (lane) == STRIA_LANE_COUNTER)
    return g_strdup (_ ("A counter has no line of source"));
  if (table != NULL && stria_source_is_table (table))
    return g_strdup (_ ("It has no line of source: the program was compiled without debug "
                        "information (NEURON_FRAMEWORK_DEBUG, NKI_DEBUG_INFO, XLA_IR_DEBUG and "
                        "XLA_HLO_DEBUG bring it), or this was added by the compiler"));
  if (table != NULL)
    return g_strdup_printf (_ ("Rows of the table %s say no line of source"),
                            stria_table_get_name (table));
  if (self->has_args || has_category (self->trace, python))
    return g_strdup (_ ("No function of Python was running around it that says its line"));
  if (has_category (self->trace, pytorch))
    return g_strdup (_ ("It has no line of source: the trace was captured without with_stack=True"));
  return g_strdup (_ ("Its file says no line of source"));
}

/* -- from lines ------------------------------------------------------------------------------- */

/* By stack: whether it has one of the places */
static guint8 *
stacks_with (StriaSourceIndex *self, const guint32 *places, guint n_places)
{
  guint8 *has = g_new0 (guint8, self->stacks->len);
  g_autofree guint8 *wanted = g_new0 (guint8, self->places->len + 1);

  for (guint i = 0; i < n_places; i++)
    if (places[i] < self->places->len)
      wanted[places[i]] = TRUE;
  for (guint s = 0; s < self->stacks->len; s++)
    {
      const SourceStack *stack = stria_source_get_stack (self, s);

      for (guint32 i = 0; i < stack->n_places && !has[s]; i++)
        has[s] = wanted[g_array_index (self->targets, guint32, stack->first_place + i)];
    }
  return has;
}

StriaMatch *
stria_source_index_match (StriaSourceIndex *self, const guint32 *places, guint n_places,
                          const char *text, GCancellable *cancellable, GError **error)
{
  g_autofree guint8 *has = stacks_with (self, places, n_places);
  const guint32 n_lanes = self->trace != NULL ? stria_trace_get_n_lanes (self->trace) : 0;
  guint8 **bits = g_new0 (guint8 *, n_lanes + 1);
  guint64 n = 0;

  for (guint32 l = 0; l < n_lanes; l++)
    {
      StriaLane *lane = stria_trace_get_lane (self->trace, l);
      const SourceLane source = stria_source_lane (self, lane);
      const StriaColumns *c;

      if (!stria_source_lane_has (&source))
        continue;
      if (!stria_lane_load (lane, cancellable, error)
          || g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          for (guint32 i = 0; i < l; i++)
            g_free (bits[i]);
          g_free (bits);
          return NULL;
        }
      c = stria_lane_get_columns (lane);
      for (guint64 e = 0; e < c->n; e++)
        {
          const guint32 stack = stria_source_stack_of (&source, c, e);

          if (stack == 0 || !has[stack])
            continue;
          if (bits[l] == NULL)
            bits[l] = g_new0 (guint8, c->n / 8 + 1);
          bits[l][e >> 3] |= (guint8) (1u << (e & 7));
          n++;
        }
    }
  return stria_match_new_events (self->trace, text, bits, n);
}

static void
append_escaped (GString *out, const char *text)
{
  g_autofree char *escaped = g_regex_escape_string (text, -1);

  for (const char *p = escaped; *p != '\0'; p++)
    {
      /* Ends an expression */
      if (*p == '/')
        g_string_append_c (out, '\\');
      g_string_append_c (out, *p);
    }
}

char *
stria_source_index_search (StriaSourceIndex *self, const guint32 *places, guint n_places)
{
  const gboolean is_rows = g_hash_table_size (self->rows) > 0;
  g_autoptr (GString) text = NULL;

  if (n_places == 0 || n_places > MAX_SEARCH_PLACES || (is_rows && self->by_name != NULL)
      || (self->has_args && self->by_name != NULL))
    return NULL;
  for (guint i = 0; i < n_places; i++)
    if (g_array_index (self->places, SourcePlace, places[i]).by_frames)
      return NULL;
  text = g_string_new (is_rows || self->has_args ? "arg:/" : "name:/^");
  g_string_append (text, n_places > 1 ? "(" : "");
  for (guint i = 0; i < n_places; i++)
    {
      const StriaSourcePlace place = stria_source_index_get_place (self, places[i]);

      g_string_append (text, i > 0 ? "|" : "");
      append_escaped (text, stria_source_index_get_file (self, place.file));
      g_string_append_printf (text, is_rows ? ":%u" : "\\(%u\\)", place.line);
    }
  g_string_append (text, n_places > 1 ? ")" : "");
  g_string_append (text, is_rows ? "(\\D|$)/" : "/");
  return g_string_free (g_steal_pointer (&text), FALSE);
}
