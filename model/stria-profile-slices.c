/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-profile-slices.h"

#include <math.h>

#include "stria-profile-private.h"

#define MAX_DEPTH 64

static const StriaDumpEventRow *
events_of (StriaProfile *self, guint32 *n)
{
  *n = self->dump != NULL ? (guint32) stria_facts_size (self->dump, STRIA_TABLE_DUMP_EVENT) : 0;
  return *n > 0 ? STRIA_ROWS (self->dump, StriaDumpEventRow, STRIA_TABLE_DUMP_EVENT) : NULL;
}

static gboolean
is_timed (StriaEntityKind kind)
{
  return kind == STRIA_ENTITY_METHOD_CALL || kind == STRIA_ENTITY_FRAMEWORK
         || kind == STRIA_ENTITY_DELEGATE_EVENT;
}

static guint32
linked_call (StriaProfile *self, guint32 number)
{
  const StriaEntity *entity = stria_profile_entity (self, number);
  guint32 best = STRIA_NO_REF;
  StriaEvidence evidence = STRIA_EVIDENCE_AMBIGUOUS;

  for (guint i = 0; i < entity->links->len; i++)
    {
      const StriaLink *link = stria_profile_link (self, g_array_index (entity->links, guint32, i));
      const guint32 other = link->from == number ? link->to : link->from;

      if (stria_profile_entity (self, other)->kind != STRIA_ENTITY_METHOD_CALL
          || (best != STRIA_NO_REF && link->evidence >= evidence))
        continue;
      best = other;
      evidence = link->evidence;
    }
  return best;
}

guint32
stria_profile_timed_entity (StriaProfile *self, guint32 entity)
{
  guint32 number = entity;

  g_return_val_if_fail (self != NULL, STRIA_NO_REF);

  if (entity >= stria_profile_n_entities (self))
    return STRIA_NO_REF;
  for (guint depth = 0; depth < MAX_DEPTH; depth++)
    {
      const StriaEntity *at = stria_profile_entity (self, number);
      const guint32 call = linked_call (self, number);

      if (is_timed (at->kind))
        return number;
      if (call != STRIA_NO_REF)
        return call;
      if (at->parents->len == 0)
        return STRIA_NO_REF;
      number = g_array_index (at->parents, guint32, 0);
    }
  return STRIA_NO_REF;
}

static gint64
call_key (const StriaDumpEventRow *event)
{
  return event->chain < 0 || event->instruction < 0
             ? -1
             : (gint64) event->chain << 32 | (guint32) event->instruction;
}

static const char *
delegate_event_name (StriaProfile *self, const StriaDumpEventRow *event, char *number, gsize size)
{
  const char *text = stria_facts_text (self->dump, event->delegate_name);

  if (text[0] != '\0')
    return text;
  g_snprintf (number, (gulong) size, "%d", event->delegate_int);
  return number;
}

static gboolean
times (StriaProfile *self, const StriaDumpEventRow *events, guint32 i, const StriaEntity *entity)
{
  const StriaDumpEventRow *event = &events[i];
  const gboolean is_load = g_array_index (self->execution_of, guint32, i) == STRIA_NO_REF;
  char number[16];

  switch (entity->kind)
    {
    case STRIA_ENTITY_METHOD_CALL:
      return !is_load && event->kind != STRIA_DUMP_DELEGATE && event->kind != STRIA_DUMP_FRAMEWORK
             && call_key (event) == entity->key && entity->key >= 0;
    case STRIA_ENTITY_DELEGATE_EVENT:
      return event->kind == STRIA_DUMP_DELEGATE && call_key (event) == entity->key
             && is_load == g_str_has_prefix (entity->id, "delegate_event/load/")
             && g_str_equal (delegate_event_name (self, event, number, sizeof number),
                             entity->name);
    case STRIA_ENTITY_FRAMEWORK:
      return event->kind != STRIA_DUMP_DELEGATE
             && (event->kind == STRIA_DUMP_FRAMEWORK || call_key (event) < 0)
             && is_load == g_str_has_prefix (entity->id, "framework/load/")
             && g_str_equal (stria_facts_text (self->dump, event->name), entity->name);
    case STRIA_ENTITY_MODEL:
    case STRIA_ENTITY_SOURCE_OPERATOR:
    case STRIA_ENTITY_COMPILER_OPERATOR:
    case STRIA_ENTITY_SEGMENT:
    case STRIA_ENTITY_CASCADE:
    case STRIA_ENTITY_CHAIN:
    case STRIA_ENTITY_TRACE_OPERATOR:
    case STRIA_N_ENTITY_KINDS:
    default:
      return FALSE;
    }
}

/* Inside another one that times the same */
static gboolean
is_inner (StriaProfile *self, const StriaDumpEventRow *events, guint32 i, const StriaEntity *entity)
{
  guint32 parent = events[i].parent;

  for (guint depth = 0; parent != STRIA_NO_REF && depth < MAX_DEPTH; depth++)
    {
      if (times (self, events, parent, entity))
        return TRUE;
      parent = events[parent].parent;
    }
  return FALSE;
}

GArray *
stria_profile_events_of (StriaProfile *self, guint32 entity)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint32));
  const guint32 number = stria_profile_timed_entity (self, entity);
  const StriaDumpEventRow *events;
  guint32 n;

  events = events_of (self, &n);
  for (guint32 i = 0; number != STRIA_NO_REF && i < n; i++)
    {
      const StriaEntity *timed = stria_profile_entity (self, number);

      if (times (self, events, i, timed) && !is_inner (self, events, i, timed))
        g_array_append_val (found, i);
    }
  return found;
}

guint32
stria_profile_entity_of_event (StriaProfile *self, guint32 event)
{
  const StriaDumpEventRow *events;
  guint32 n;

  g_return_val_if_fail (self != NULL, STRIA_NO_REF);

  events = events_of (self, &n);
  for (guint32 i = 0; event < n && i < stria_profile_n_entities (self); i++)
    if (times (self, events, event, stria_profile_entity (self, i)))
      return i;
  return STRIA_NO_REF;
}

guint32
stria_profile_execution_of_event (StriaProfile *self, guint32 event)
{
  return event < self->execution_of->len ? g_array_index (self->execution_of, guint32, event)
                                         : STRIA_NO_REF;
}

double
stria_profile_event_duration (StriaProfile *self, guint32 event, const char **unit)
{
  static const double ms_a_tick[] = {
    [STRIA_TIME_NS] = 1e-6, [STRIA_TIME_US] = 1e-3, [STRIA_TIME_MS] = 1, [STRIA_TIME_S] = 1e3,
    [STRIA_TIME_CYCLES] = 1,
  };
  const StriaDumpEventRow *events;
  guint32 n;

  *unit = self->unit == STRIA_TIME_CYCLES ? "cycles" : "ms";
  events = events_of (self, &n);
  return event < n && events[event].elapsed != G_MAXUINT64
             ? (double) events[event].elapsed * ms_a_tick[self->unit]
             : NAN;
}

/* Whether an event of a lane is one of a dump; both are of the same file and run. */
static gboolean
is_same (StriaProfile *self, StriaTrace *trace, const StriaColumns *columns, guint64 at,
         const StriaDumpEventRow *event)
{
  const char *name = stria_trace_get_string (trace, columns->name[at]);
  const gboolean is_delegate
      = g_str_equal (stria_trace_get_category (trace, columns->category[at]), "delegate");
  char number[16];

  if (columns->start[at] < 0 || (guint64) columns->start[at] != event->start
      || is_delegate != (event->kind == STRIA_DUMP_DELEGATE)
      || (columns->dur != NULL && event->elapsed != G_MAXUINT64
          && (guint64) columns->dur[at] != event->elapsed))
    return FALSE;
  return g_str_equal (name, is_delegate
                                ? delegate_event_name (self, event, number, sizeof number)
                                : stria_facts_text (self->dump, event->name));
}

/* Whether a lane has the events of a dump. FALSE: it cannot be read either */
static gboolean
is_of_dump (StriaProfile *self, StriaLane *lane)
{
  const StriaLaneKind kind = stria_lane_get_kind (lane);

  return (kind == STRIA_LANE_SLICES || kind == STRIA_LANE_OVERFLOW)
         && stria_lane_get_artifact (lane) == self->set.dump;
}

StriaRef
stria_profile_find_slice (StriaProfile *self, StriaTrace *trace, guint32 event)
{
  const StriaDumpEventRow *events;
  g_autofree char *run = NULL;
  guint32 n;

  g_return_val_if_fail (self != NULL && trace != NULL, STRIA_REF_NONE);

  events = events_of (self, &n);
  if (event >= n || events[event].start > G_MAXINT64)
    return STRIA_REF_NONE;
  run = g_strdup_printf ("%u", events[event].run);
  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      const gint64 start = (gint64) events[event].start;
      const StriaColumns *columns;

      if (!is_of_dump (self, lane) || !g_str_equal (stria_lane_get_key (lane), run)
          || !stria_lane_load (lane, NULL, NULL))
        continue;
      columns = stria_lane_get_columns (lane);
      for (guint32 row = 0; row < stria_lane_get_n_rows (lane); row++)
        {
          guint64 begin, end;

          stria_lane_get_row (lane, row, &begin, &end);
          for (guint64 i = stria_lane_lower_bound (lane, row, start);
               i < end && columns->start[i] <= start; i++)
            if (is_same (self, trace, columns, i, &events[event]))
              return (StriaRef){ l, (guint32) i };
        }
    }
  return STRIA_REF_NONE;
}

guint32
stria_profile_event_of_slice (StriaProfile *self, StriaTrace *trace, StriaRef ref)
{
  const StriaDumpEventRow *events;
  StriaLane *lane;
  guint64 run;
  guint32 n;

  g_return_val_if_fail (self != NULL && trace != NULL, STRIA_NO_REF);

  events = events_of (self, &n);
  if (ref.lane >= stria_trace_get_n_lanes (trace))
    return STRIA_NO_REF;
  lane = stria_trace_get_lane (trace, ref.lane);
  if (!is_of_dump (self, lane) || ref.index >= stria_lane_get_n_events (lane)
      || !g_ascii_string_to_unsigned (stria_lane_get_key (lane), 10, 0, G_MAXUINT32, &run, NULL)
      || !stria_lane_load (lane, NULL, NULL))
    return STRIA_NO_REF;
  for (guint32 i = 0; i < n; i++)
    if (events[i].run == run
        && is_same (self, trace, stria_lane_get_columns (lane), ref.index, &events[i]))
      return i;
  return STRIA_NO_REF;
}
