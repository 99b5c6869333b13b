/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-ntrace-private.h"

#include <string.h>

#include "stria-json-text.h"
enum
{
  ID, NAME, START, END, DURATION, SOURCE, INSTANCE, PROCESS, THREAD, CORE, EXTRA,
  PARENT, EVENT_TYPE, DATA_TYPE, PHASE, TRACKING, STATUS, DEVICE, DATA, HINT, SEQUENCE, PAIRING,
  NAMED_BY, CLOCK, DEVICE_START, DEVICE_END, STOP_ID,
};

/* The published columns that raw files can fill, then ours. Where a worker_gid, a physical core or a
 * stream is stored is unknown. */
static const char *const columns[] = {
  "id", "name", "start_ts", "end_ts", "duration_ns", "trace_event_source", "instance_id",
  "process_id", "thread_id", "nc_idx", "extra_attributes_json",
  "parent_id:i", "event_type:i", "data_type:i", "phase:s", "tracking_id:i", "status:i", "nd_idx:i",
  "data:i", "hint:s", "nrta_seq_id:i", "pairing:s", "name_source:s", "clock:s",
  "device_start_ts:i", "device_end_ts:i", "stop_id:i", NULL,
};

static const char *const pairings[] = { "instant", "duration", "paired", "open", "stop-only" };

/* -- what an event says ---------------------------------------------------------------------- */

const char *
stria_ntrace_attribute (const StriaNtraceEvent *event, const char *key)
{
  for (gsize i = 0; i < event->n_attributes; i++)
    if (g_strcmp0 (event->attributes[i]->key, key) == 0)
      return event->attributes[i]->value != NULL ? event->attributes[i]->value : "";
  return NULL;
}

gboolean
stria_ntrace_number (const char *text, gint64 *number)
{
  gboolean is_hex = g_str_has_prefix (text, "0x") || g_str_has_prefix (text, "0X");
  guint64 value;

  if (!g_ascii_string_to_unsigned (is_hex ? text + 2 : text, is_hex ? 16 : 10, 0, G_MAXINT64,
                                   &value, NULL))
    return FALSE;
  *number = (gint64) value;
  return TRUE;
}

gboolean
stria_ntrace_attribute_number (const StriaNtraceEvent *event, const char *key, gint64 *number)
{
  const char *text = stria_ntrace_attribute (event, key);

  return text != NULL && stria_ntrace_number (text, number);
}

/* Phases are recovered. Older records without one say it in their type (inferred from its names). */
StriaNtracePhase
stria_ntrace_phase (const StriaNtraceEvent *event)
{
  switch ((int) event->phase)
    {
    case NTFF__NTRACE_EVENT_PHASE_TYPE__NTRACE_EVENT_PHASE_TYPE_START:
      return STRIA_PHASE_START;
    case NTFF__NTRACE_EVENT_PHASE_TYPE__NTRACE_EVENT_PHASE_TYPE_STOP:
      return STRIA_PHASE_STOP;
    case NTFF__NTRACE_EVENT_PHASE_TYPE__NTRACE_EVENT_PHASE_TYPE_INVALID:
      if (event->duration > 0)
        return STRIA_PHASE_SINGLE;
      if (event->type >= NTFF__NTRACE_DATA_TYPE__NTRACE_DATA_TYPE_DEVICE_EXEC_START
          && event->type <= NTFF__NTRACE_DATA_TYPE__NTRACE_DATA_TYPE_IO_COPY_END)
        return event->type % 2 == 1 ? STRIA_PHASE_START : STRIA_PHASE_STOP;
      return STRIA_PHASE_SINGLE;
    default:
      return STRIA_PHASE_SINGLE;
    }
}

/* -- clocks ---------------------------------------------------------------------------------- */

/* Whether the timestamp of a hardware event is in the device's clock or already moved to the host's
 * is unknown. It is moved when it lies among the host's times and is not the device's own. */
gboolean
stria_ntrace_time (StriaNtrace *self, const StriaNtraceEvent *event, const StriaEventName *name,
                   const char *exec, gint64 *ns, StriaEventClock *clock)
{
  gint64 device = 0, stamp = (gint64) MIN (event->timestamp, (guint64) G_MAXINT64);
  gboolean has_device = stria_ntrace_attribute_number (event, "nc_timestamp_ns", &device);
  gboolean is_host = !self->has_host || (stamp >= self->host_from && stamp <= self->host_to);
  gboolean is_device = has_device && (device == stamp || !is_host);

  *ns = stamp;
  *clock = STRIA_CLOCK_HOST;
  if (!name->is_hardware && !is_device)
    return TRUE;
  if (!has_device)
    device = stamp;
  if (is_host && device != stamp)
    {
      *clock = STRIA_CLOCK_RECORDED;
      stria_clock_sync_check (self->sync, event->nc_idx, exec, device, stamp);
      return TRUE;
    }
  /* Without the device's own time, one among the host's is the host's. */
  if (is_host && !has_device && self->has_host)
    {
      *clock = STRIA_CLOCK_RECORDED;
      return TRUE;
    }
  *clock = stria_clock_sync_align (self->sync, event->nc_idx, exec, device, ns);
  if (*clock == STRIA_CLOCK_DEVICE)
    *ns = device;
  return *clock != STRIA_CLOCK_DEVICE;
}

/* -- attributes ------------------------------------------------------------------------------ */

static void
append_text (GString *json, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  stria_json_append_text (json, valid, -1);
}

/* All values are texts; decimal numbers as they would be written are given as such. */
static void
append_value (GString *json, const char *value)
{
  gboolean is_number = g_ascii_isdigit (value[0]) && (value[0] != '0' || value[1] == '\0');
  gint64 number;

  if (is_number && stria_ntrace_number (value, &number))
    g_string_append (json, value);
  else
    append_text (json, value);
}

static void
append_attribute (StriaNtrace *self, const char *prefix, const char *key, const char *value)
{
  g_autofree char *whole = g_strconcat (prefix, key, NULL);
  const char *meant = stria_event_names_resolve (self->names, key, value);

  g_string_append_c (self->json, self->json->len > 1 ? ',' : ' ');
  append_text (self->json, whole);
  g_string_append_c (self->json, ':');
  if (meant == NULL)
    {
      append_value (self->json, value);
      return;
    }
  append_text (self->json, meant);
  g_string_append_c (self->json, ',');
  g_free (whole);
  whole = g_strconcat (prefix, key, "_interned", NULL);
  append_text (self->json, whole);
  g_string_append_c (self->json, ':');
  append_value (self->json, value);
}

/* What the stop says otherwise than the start has "stop_" before its key. */
static void
write_attributes (StriaNtrace *self, const StriaNtraceEvent *event, const StriaNtraceEvent *second)
{
  g_string_assign (self->json, "{");
  for (gsize i = 0; i < event->n_attributes; i++)
    if (event->attributes[i]->key != NULL)
      append_attribute (self, "", event->attributes[i]->key,
                        event->attributes[i]->value != NULL ? event->attributes[i]->value : "");
  for (gsize i = 0; second != NULL && i < second->n_attributes; i++)
    {
      const char *key = second->attributes[i]->key;
      const char *value = second->attributes[i]->value != NULL ? second->attributes[i]->value : "";
      const char *before = key != NULL ? stria_ntrace_attribute (event, key) : NULL;

      if (key != NULL && (before == NULL || !g_str_equal (before, value)))
        append_attribute (self, before != NULL ? "stop_" : "", key, value);
    }
  g_string_append_c (self->json, '}');
  if (self->json->len > 2)
    {
      /* The blank that stood for the first comma */
      g_string_erase (self->json, 1, 1);
      stria_neuron_rows_text (self->rows, EXTRA, self->json->str, (gssize) self->json->len);
    }
}

/* -- rows ------------------------------------------------------------------------------------ */

void
stria_ntrace_rows_begin (StriaNtrace *self)
{
  self->json = g_string_new (NULL);
  self->rows = stria_neuron_rows_new (self->emitter, "SystemProfileEvents", columns);
}

static void
put_unsigned (StriaNtrace *self, guint column, guint64 value)
{
  /* Ids of 64 bits keep their bits. */
  stria_neuron_rows_int (self->rows, column, (gint64) value);
}

static void
put_known (StriaNtrace *self, guint column, guint64 value)
{
  if (value != 0)
    put_unsigned (self, column, value);
}

static const char *
phase_text (const StriaNtraceEvent *event)
{
  static const char *const phases[] = { NULL, "start", "stop", "instant" };

  return (guint) event->phase < G_N_ELEMENTS (phases) ? phases[event->phase] : NULL;
}

static void
write_facts (StriaNtrace *self, const StriaNtraceEvent *event, const StriaEventName *name)
{
  const StriaPbStream *stream = self->stream;

  put_known (self, ID, event->id);
  stria_neuron_rows_text (self->rows, NAME, name->name, -1);
  if (stream->instance != NULL)
    stria_neuron_rows_text (self->rows, INSTANCE, stream->instance, -1);
  if (stream->has_pid)
    stria_neuron_rows_int (self->rows, PROCESS, stream->pid);
  put_known (self, THREAD, event->thread_id);
  /* 0 is a core; a number that cannot be one stands for none (inferred). */
  if (event->nc_idx != G_MAXUINT32)
    put_unsigned (self, CORE, event->nc_idx);
  if (event->nd_idx != G_MAXUINT32)
    put_unsigned (self, DEVICE, event->nd_idx);
  put_known (self, PARENT, event->parent_id);
  put_unsigned (self, EVENT_TYPE, event->event_type);
  put_unsigned (self, DATA_TYPE, (guint32) event->type);
  if (phase_text (event) != NULL)
    stria_neuron_rows_text (self->rows, PHASE, phase_text (event), -1);
  put_known (self, TRACKING, event->tracking_id);
  put_known (self, DATA, event->data);
  if (event->hint != NULL && event->hint[0] != '\0')
    stria_neuron_rows_text (self->rows, HINT, event->hint, -1);
  if (event->has_nrta_seq_id)
    put_unsigned (self, SEQUENCE, event->nrta_seq_id);
  stria_neuron_rows_text (self->rows, NAMED_BY, stria_name_source_id (name->source), -1);
}

static void
widen (StriaNtrace *self, gint64 ns)
{
  self->first_ns = self->has_times ? MIN (self->first_ns, ns) : ns;
  self->last_ns = self->has_times ? MAX (self->last_ns, ns) : ns;
  self->has_times = TRUE;
}

/* The surer of two clocks says too much of both. */
static StriaEventClock
worse (StriaEventClock a, StriaEventClock b)
{
  return MAX (a, b);
}

static void
write_device_time (StriaNtrace *self, guint column, const StriaNtraceEvent *event,
                   StriaEventClock clock)
{
  gint64 device;

  if (clock == STRIA_CLOCK_HOST)
    return;
  if (stria_ntrace_attribute_number (event, "nc_timestamp_ns", &device))
    stria_neuron_rows_int (self->rows, column, device);
  else if (clock == STRIA_CLOCK_DEVICE || clock >= STRIA_CLOCK_ALIGNED)
    put_unsigned (self, column, event->timestamp);
}

static void
look_at_copy (StriaNtrace *self, const StriaNtraceEvent *event, const StriaNtraceEvent *second,
              StriaEventRole role, gint64 from, gint64 to)
{
  gint64 bytes;

  if (stria_ntrace_attribute_number (event, "size", &bytes)
      || stria_ntrace_attribute_number (event, "total_size", &bytes)
      || (second != NULL
          && (stria_ntrace_attribute_number (second, "size", &bytes)
              || stria_ntrace_attribute_number (second, "total_size", &bytes))))
    stria_ntrace_memory_copy (self, role, event->nc_idx, from, to, bytes);
}

static void
write_end (StriaNtrace *self, gint64 from, gint64 to)
{
  gint64 duration;

  stria_neuron_rows_int (self->rows, END, to);
  if (!__builtin_sub_overflow (to, from, &duration))
    stria_neuron_rows_int (self->rows, DURATION, duration);
  widen (self, to);
}

void
stria_ntrace_row (StriaNtrace *self, const StriaNtraceEvent *event, const StriaNtraceEvent *second,
                  StriaNtracePairing pairing)
{
  const StriaEventName *name
      = stria_event_names_get (self->names, event->event_type, (guint32) event->type, event->hint);
  const char *exec = stria_ntrace_attribute (event, "exec_id");
  const StriaNtraceEvent *last = second != NULL ? second : event;
  StriaEventClock clock, end_clock;
  gint64 from, to;
  gboolean has_from, has_to;

  if (exec == NULL && second != NULL)
    exec = stria_ntrace_attribute (second, "exec_id");
  has_from = stria_ntrace_time (self, event, name, exec, &from, &clock);
  to = from;
  end_clock = clock;
  has_to = has_from;
  if (second != NULL)
    has_to = stria_ntrace_time (self, second, name, exec, &to, &end_clock);
  else if (event->duration > 0
           && (event->duration > G_MAXINT64
               || __builtin_add_overflow (from, (gint64) event->duration, &to)))
    to = G_MAXINT64;
  if (to < from && has_from && has_to)
    {
      self->n_backward++;
      to = from;
    }

  write_facts (self, event, name);
  clock = worse (clock, end_clock);
  write_device_time (self, DEVICE_START, event, clock);
  if (second != NULL)
    {
      write_device_time (self, DEVICE_END, second, clock);
      if (second->id != event->id)
        put_known (self, STOP_ID, second->id);
    }
  put_unsigned (self, STATUS, last->status);
  /* Times of another clock than all others would stand where they do not belong. */
  if (has_from && has_to)
    {
      stria_neuron_rows_int (self->rows, START, from);
      widen (self, from);
      if (pairing != STRIA_PAIRING_OPEN)
        write_end (self, from, to);
      if (name->role != STRIA_EVENT_ROLE_NONE && pairing != STRIA_PAIRING_OPEN)
        look_at_copy (self, event, second, name->role, from, to);
    }
  stria_neuron_rows_text (self->rows, SOURCE,
                          name->is_hardware || clock != STRIA_CLOCK_HOST ? "neuron_hw"
                                                                         : "neuron_rt", -1);
  stria_neuron_rows_text (self->rows, PAIRING, pairings[pairing], -1);
  stria_neuron_rows_text (self->rows, CLOCK, stria_event_clock_id (clock), -1);
  write_attributes (self, event, second);
  stria_neuron_rows_end (self->rows);
  self->n_rows++;
  self->n_clocks[clock]++;
  self->n_sources[name->source]++;
  self->n_pairings[pairing]++;
}
