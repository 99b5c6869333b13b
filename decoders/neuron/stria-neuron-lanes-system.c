/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-neuron-emitter-private.h"

enum
{
  S_START,
  S_END,
  S_DURATION,
  S_NAME,
  S_SOURCE,
  S_INSTANCE,
  S_PROCESS,
  S_THREAD,
  S_NC,
  S_CORE,
  S_STREAM,
  S_ID,
  S_PARENT,
  S_FLOWS,
};
/* parent_id is a column of JSON exports and raw files only. */
static const char *const event_roles[]
    = { "start_ts", "end_ts", "duration_ns", "name", "trace_event_source", "instance_id",
        "process_id", "thread_id", "nc_idx", "pcore_idx", "framework_stream_id", "id", "parent_id",
        "flow_id", NULL };

/* Where an event is drawn: by source, then by thread, stream or core, as the vendor's viewer has it
 * (documented). */
typedef struct
{
  NeuronLaneKind kind;
  guint32 a, b;
} Group;

static Group
group_of (StriaNeuronEmitter *self, NeuronTable *table, guint32 row, guint32 source)
{
  const char *name = self->sink->text (self->sink, source);
  guint32 nc = neuron_core (table, S_NC, row);

  if (g_ascii_strcasecmp (name, "neuron_hw") == 0)
    return (Group){ NEURON_HARDWARE, nc, neuron_core (table, S_CORE, row) };
  if (g_ascii_strcasecmp (name, "neuron_rt") == 0 && nc != G_MAXUINT32)
    return (Group){ NEURON_RUNTIME, nc, G_MAXUINT32 };
  if (g_ascii_strcasecmp (name, "neuron_rt") == 0)
    return (Group){ NEURON_RUNTIME, G_MAXUINT32, neuron_text (self, table, S_THREAD, row) };
  if (g_ascii_strcasecmp (name, "framework") == 0)
    {
      guint32 stream = neuron_text (self, table, S_STREAM, row);
      if (stream != 0)
        return (Group){ NEURON_FRAMEWORK_STREAM, stream, 0 };
      return (Group){ NEURON_FRAMEWORK_THREAD, neuron_text (self, table, S_THREAD, row), 0 };
    }
  return (Group){ NEURON_OTHER, source, neuron_text (self, table, S_THREAD, row) };
}

static char *
group_title (StriaNeuronEmitter *self, Group group)
{
  const char *a, *b;

  switch (group.kind)
    {
    case NEURON_HARDWARE:
      if (group.a != G_MAXUINT32 && group.b != G_MAXUINT32)
        return g_strdup_printf ("neuron_hw NC%u:%u", group.a, group.b);
      if (group.a != G_MAXUINT32)
        return g_strdup_printf ("neuron_hw NC%u", group.a);
      return g_strdup ("neuron_hw");
    case NEURON_RUNTIME:
      if (group.a != G_MAXUINT32)
        return g_strdup_printf ("neuron_rt NC %u", group.a);
      return g_strdup_printf ("neuron_rt TID %s", self->sink->text (self->sink, group.b));
    case NEURON_FRAMEWORK_STREAM:
      return g_strdup_printf (_("framework stream %s"), self->sink->text (self->sink, group.a));
    case NEURON_FRAMEWORK_THREAD:
      return g_strdup_printf ("framework TID %s", self->sink->text (self->sink, group.a));
    default:
      a = self->sink->text (self->sink, group.a);
      b = self->sink->text (self->sink, group.b);
      return g_strdup_printf ("%s TID %s", a[0] != '\0' ? a : _("unknown source"), b);
    }
}

/* What lanes are told apart by, the same in every language */
static char *
group_key (StriaNeuronEmitter *self, Group group)
{
  if (group.kind == NEURON_FRAMEWORK_STREAM)
    return g_strdup_printf ("framework stream %s", self->sink->text (self->sink, group.a));
  return group_title (self, group);
}

static gint64
group_place (StriaNeuronEmitter *self, Group group)
{
  gint64 number = 0;

  if (group.kind == NEURON_HARDWARE || group.kind == NEURON_RUNTIME)
    return group.a == G_MAXUINT32 ? 1 << 30
                                  : (gint64) group.a << 13 | (group.b == G_MAXUINT32 ? 0 : group.b);
  if (!g_ascii_string_to_signed (self->sink->text (self->sink, group.a), 10, 0, (gint64) 1 << 39,
                                 &number, NULL))
    number = 0;
  return number;
}

/* The process of a machine's process id, found once for each pair of them */
static guint32
process_of (StriaNeuronEmitter *self, guint32 instance, guint32 pid)
{
  NeuronLane *lane = neuron_lane (self, NEURON_HOST, instance, pid, 0);

  if (lane->thread == G_MAXUINT32)
    {
      const char *machine = self->sink->text (self->sink, instance);
      const char *number = self->sink->text (self->sink, pid);
      g_autofree char *title
          = number[0] == '\0'    ? g_strdup (machine[0] != '\0' ? machine : _("System profile"))
            : machine[0] == '\0' ? g_strdup_printf ("PID %s", number)
                                 : g_strdup_printf ("%s PID %s", machine, number);
      guint32 process = neuron_process (self, title, 1);

      lane = neuron_lane (self, NEURON_HOST, instance, pid, 0);
      lane->thread = process;
    }
  return lane->thread;
}

static guint32
thread_of (StriaNeuronEmitter *self, NeuronTable *table, guint32 process, Group group)
{
  NeuronLane *lane = neuron_lane (self, group.kind, process, group.a, group.b);

  if (lane->thread == G_MAXUINT32)
    {
      guint32 thread = neuron_thread (self, table, process, group.kind, group_place (self, group),
                                      group_key (self, group), group_title (self, group));

      lane = neuron_lane (self, group.kind, process, group.a, group.b);
      lane->thread = thread;
    }
  return lane->thread;
}

static void
event_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  int flow_column = table->column[S_FLOWS];
  gboolean has_flows = flow_column >= 0 && table->types[flow_column] == STRIA_CELL_TEXT;
  gint64 ts, dur;
  guint8 flags;

  for (guint32 row = 0; row < n_rows; row++)
    {
      const char *flows = NULL;
      guint32 length = 0;
      gint64 id = 0, parent = 0;

      if (!neuron_span (self, table, S_START, S_END, S_DURATION, row, &ts, &dur, &flags))
        continue;
      guint32 name = neuron_text (self, table, S_NAME, row);
      guint32 source = neuron_text (self, table, S_SOURCE, row);
      guint32 process = process_of (self, neuron_text (self, table, S_INSTANCE, row),
                                    neuron_text (self, table, S_PROCESS, row));
      guint32 thread = thread_of (self, table, process, group_of (self, table, row, source));

      neuron_slice (self, table, thread, row, ts, dur, flags, name, source);
      if (has_flows && neuron_has (table, S_FLOWS, row))
        flows = stria_column_data_text (&table->batch[flow_column], row, &length);
      neuron_int (table, S_ID, row, &id);
      neuron_int (table, S_PARENT, row, &parent);
      if (id != 0 || parent != 0 || length > 0)
        neuron_links_system (self, process, id, parent, flows, length, ts, thread, row);
    }
}

const NeuronSource neuron_system_sources[] = {
  { "SystemProfileEvents", TRUE, event_roles, event_rows },
  { NULL, FALSE, NULL, NULL },
};
