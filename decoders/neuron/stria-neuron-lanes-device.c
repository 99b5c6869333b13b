/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-neuron-emitter-private.h"

/* Engines by the names that exports and the instruction set give them (documented), in the order in
 * which they are stacked. */
static const struct
{
  const char *name;
  const char *shown;
  guint place;
} engines[] = {
  { "sync", "Sync", 0 },       { "sp", "Sync", 0 },       { "tensor", "Tensor", 1 },
  { "pe", "Tensor", 1 },       { "tensormatrix", "TensorMatrix", 2 },
  { "vector", "Vector", 3 },   { "dve", "Vector", 3 },    { "scalar", "Scalar", 4 },
  { "act", "Scalar", 4 },      { "gpsimd", "GpSimd", 5 }, { "pool", "GpSimd", 5 },
};
#define OTHER_ENGINE G_N_ELEMENTS (engines)

static guint
find_engine (const char *name)
{
  gsize length = strlen (name);

  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    {
      gsize n = strlen (engines[i].name);
      /* "TensorE", too */
      if (g_ascii_strncasecmp (name, engines[i].name, n) == 0
          && (length == n || (length == n + 1 && g_ascii_tolower (name[n]) == 'e')))
        return i;
    }
  return OTHER_ENGINE;
}

/* What an engine's or track's name is shown as, and its place among the others */
static const char *
shown_engine (const char *name, gint64 *place)
{
  guint engine = find_engine (name);

  *place = engine == OTHER_ENGINE ? 9 : engines[engine].place;
  return engine == OTHER_ENGINE ? name : engines[engine].shown;
}

/* -- instructions ---------------------------------------------------------------------------- */

enum
{
  I_START, I_END, I_DURATION, I_ENGINE, I_TRACK, I_CORE, I_OPCODE, I_COMPILER_OPCODE, I_ID, I_WAIT,
  I_FLOPS, I_TRANSPOSES,
};
static const char *const instruction_roles[]
    = { "start_ts", "end_ts", "duration_ns", "engine", "timeline_track", "pcore_idx", "opcode",
        "compiler_opcode", "id", "evt_wait_time_ns", "raw_flops", "flops_transpose", NULL };

/* The tensor engine has two lanes: a weight load overlaps the running matmul (documented). */
static guint32
track_of (StriaNeuronEmitter *self, guint32 engine, guint32 opcode)
{
  NeuronLane *known = neuron_lane (self, NEURON_CANON, engine, opcode, 1);

  if (known->thread == G_MAXUINT32)
    {
      guint found = find_engine (self->sink->text (self->sink, engine));
      const char *shown = self->sink->text (self->sink, engine);
      const char *code = self->sink->text (self->sink, opcode);

      if (found != OTHER_ENGINE)
        shown = engines[found].shown;
      if (g_str_equal (shown, "Tensor") && g_ascii_strncasecmp (code, "matmul", 6) == 0)
        shown = "TensorMatrix";
      known->name = neuron_intern (self, shown[0] != '\0' ? shown : _("Unknown engine"));
      known->thread = 0;
    }
  return known->name;
}

static NeuronLane *
instruction_lane (StriaNeuronEmitter *self, NeuronTable *table, guint32 engine, guint32 track,
                  guint32 core)
{
  NeuronLane *lane = neuron_lane (self, NEURON_ENGINE, engine, track, core);
  gint64 place, unused;

  if (lane->thread != G_MAXUINT32)
    return lane;
  const char *shown = shown_engine (self->sink->text (self->sink, track), &place);
  char *key = g_strdup_printf ("%s\x1f%d", shown, (int) core);
  char *title = neuron_core_title (g_strdup (shown), core);
  guint32 thread = neuron_thread (self, table, neuron_profile (self), NEURON_ENGINE,
                                  (place << 20) + neuron_core_place (core), key, title);
  const char *category = shown_engine (self->sink->text (self->sink, engine), &unused);
  /* JSON exports say the track only. */
  if (category[0] == '\0')
    category = g_str_equal (shown, "TensorMatrix") ? "Tensor" : shown;
  guint32 category_id = neuron_intern (self, category);

  lane = neuron_lane (self, NEURON_ENGINE, engine, track, core);
  lane->thread = thread;
  lane->category = category_id;
  return lane;
}

static guint32
wait_lane (StriaNeuronEmitter *self, NeuronTable *table, guint32 track, guint32 core)
{
  gint64 place;
  const char *shown = shown_engine (self->sink->text (self->sink, track), &place);
  char *key = g_strdup_printf ("%s\x1f%d\x1fwait", shown, (int) core);
  char *title = neuron_core_title (g_strdup_printf (_("%s: waits"), shown), core);

  /* A lane of its own: an instruction waits while those before it run. */
  return neuron_thread (self, table, neuron_profile (self), NEURON_ENGINE,
                        (place << 20) + (1 << 19) + neuron_core_place (core), key, title);
}

static void
take_flops (StriaNeuronEmitter *self, NeuronTable *table, guint32 row, guint32 core, gint64 ts,
            gint64 dur)
{
  double flops, transposes;

  if (!neuron_real (table, I_FLOPS, row, &flops) || !(flops > 0))
    return;
  if (!neuron_real (table, I_TRANSPOSES, row, &transposes))
    transposes = table->column[I_TRANSPOSES] >= 0 ? 0 : -1;
  neuron_flops_add (neuron_flops_of (self, core), ts, dur, flops, transposes);
}

static void
instruction_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  gboolean links = table->column[I_ID] >= 0 && neuron_links_wanted (self->links);
  gint64 ts, dur, wait, id;
  guint8 flags;

  if (self->wait_name == 0)
    {
      self->wait_name = neuron_intern (self, _("Waits for a semaphore"));
      self->wait_category = neuron_intern (self, "semaphore wait");
    }
  for (guint32 row = 0; row < n_rows; row++)
    {
      guint32 engine = neuron_text (self, table, I_ENGINE, row);
      guint32 track = neuron_text (self, table, I_TRACK, row);
      guint32 name = neuron_text (self, table, I_OPCODE, row);
      guint32 core = neuron_core (table, I_CORE, row);
      NeuronLane *lane;

      if (!neuron_span (self, table, I_START, I_END, I_DURATION, row, &ts, &dur, &flags))
        continue;
      if (track == 0)
        track = track_of (self, engine, name);
      if (name == 0)
        name = neuron_text (self, table, I_COMPILER_OPCODE, row);
      lane = instruction_lane (self, table, engine, track, core);
      neuron_slice (self, table, lane->thread, row, ts, dur, flags, name, lane->category);
      if (table->column[I_FLOPS] >= 0)
        take_flops (self, table, row, core, ts, dur);
      if (links && neuron_int (table, I_ID, row, &id))
        neuron_links_row (self, NEURON_END_INSTRUCTION, id, ts, lane->thread, row);
      if (!neuron_int (table, I_WAIT, row, &wait) || wait <= 0
          || __builtin_sub_overflow (ts, wait, &ts))
        continue;
      if (lane->beside == G_MAXUINT32)
        {
          guint32 beside = wait_lane (self, table, track, core);
          lane = instruction_lane (self, table, engine, track, core);
          lane->beside = beside;
        }
      neuron_slice (self, table, lane->beside, row, ts, wait, 0, self->wait_name,
                    self->wait_category);
    }
}

/* -- DMA ------------------------------------------------------------------------------------- */

enum
{
  D_START,
  D_END,
  D_DURATION,
  D_CORE,
  D_ID,
  D_QUEUE,
  D_TYPE,
  D_VARIABLE,
  D_OP,
  D_ENGINE,
  D_QUEUE_IDX,
};
static const char *const transfer_roles[]
    = { "start_ts", "end_ts", "duration_ns", "pcore_idx", "id", "queue_name", "queue_type",
        "variable", "op", "engine_idx", "queue_idx", NULL };

/* "qScalarSpillReload0-Q1-E64": the queue without its place on an engine, which is how lanes are
 * named (documented in pictures). */
static gsize
queue_length (const char *name)
{
  const char *dash = strstr (name, "-Q");

  if (dash == NULL || !g_ascii_isdigit (dash[2]))
    return strlen (name);
  for (const char *p = dash + 2; *p != '\0'; p++)
    if (!g_ascii_isdigit (*p) && *p != '-' && *p != 'E')
      return strlen (name);
  return (gsize) (dash - name);
}

static guint32
event_name (StriaNeuronEmitter *self, NeuronTable *table, guint32 row)
{
  guint32 name = neuron_text (self, table, D_VARIABLE, row);

  /* Written when no notification told the name (documented) */
  if (name != 0 && g_ascii_strcasecmp (self->sink->text (self->sink, name), "unknown") != 0)
    return name;
  name = neuron_text (self, table, D_OP, row);
  return name != 0 ? name : neuron_text (self, table, D_TYPE, row);
}

static NeuronLane *
queue_lane (StriaNeuronEmitter *self, NeuronTable *table, guint32 queue, guint32 core)
{
  NeuronLane *lane = neuron_lane (self, NEURON_TRANSFER, queue, core, 0);

  if (lane->thread != G_MAXUINT32)
    return lane;
  const char *name = self->sink->text (self->sink, queue);
  g_autofree char *base = g_strndup (name, queue_length (name));
  char *key = g_strdup_printf ("%s\x1f%d", base, (int) core);
  char *title
      = neuron_core_title (g_strdup (base[0] != '\0' ? base : _("DMA without a queue")), core);
  guint32 thread = neuron_thread (self, table, neuron_profile (self), NEURON_TRANSFER,
                                  neuron_core_place (core), key, title);

  lane = neuron_lane (self, NEURON_TRANSFER, queue, core, 0);
  lane->thread = thread;
  return lane;
}

static void
transfer_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  gboolean links = table->column[D_ID] >= 0 && neuron_links_wanted (self->links);
  gint64 ts, dur, id;
  guint8 flags;

  for (guint32 row = 0; row < n_rows; row++)
    {
      NeuronLane *lane;

      if (!neuron_span (self, table, D_START, D_END, D_DURATION, row, &ts, &dur, &flags))
        continue;
      guint32 name = event_name (self, table, row);
      guint32 category = neuron_text (self, table, D_TYPE, row);
      lane = queue_lane (self, table, neuron_text (self, table, D_QUEUE, row),
                         neuron_core (table, D_CORE, row));
      neuron_slice (self, table, lane->thread, row, ts, dur, flags, name, category);
      if (links && neuron_int (table, D_ID, row, &id))
        neuron_links_row (self, NEURON_END_TRANSFER, id, ts, lane->thread, row);
    }
}

/* Packets by the DMA engine that moves them, where the row says which; else by queue. */
static guint32
packet_thread (StriaNeuronEmitter *self, NeuronTable *table, guint32 row)
{
  guint32 engine = neuron_core (table, D_ENGINE, row), core = neuron_core (table, D_CORE, row);
  guint32 queue = engine != G_MAXUINT32 ? 0 : neuron_text (self, table, D_QUEUE, row);
  NeuronLane *lane = neuron_lane (self, NEURON_PACKET, engine, queue, core);

  if (lane->thread == G_MAXUINT32)
    {
      const char *name = self->sink->text (self->sink, queue);
      char *title = engine != G_MAXUINT32 ? g_strdup_printf ("DMA-E%u", engine)
                                          : g_strdup (name[0] != '\0' ? name : _("DMA packets"));
      char *key = g_strdup_printf ("%s\x1f%d", title, (int) core);
      guint32 thread = neuron_thread (self, table, neuron_profile (self), NEURON_PACKET,
                                      ((gint64) (engine & 0xffff) << 20) + neuron_core_place (core),
                                      key, neuron_core_title (title, core));

      lane = neuron_lane (self, NEURON_PACKET, engine, queue, core);
      lane->thread = thread;
    }
  return lane->thread;
}

static void
packet_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  gint64 ts, dur;
  guint8 flags;

  for (guint32 row = 0; row < n_rows; row++)
    if (neuron_span (self, table, D_START, D_END, D_DURATION, row, &ts, &dur, &flags))
      {
        guint32 name = event_name (self, table, row);
        guint32 category = neuron_text (self, table, D_TYPE, row);
        neuron_slice (self, table, packet_thread (self, table, row), row, ts, dur, flags, name,
                      category);
      }
}

/* -- what else has a begin and an end -------------------------------------------------------- */

/* Lanes by one text or number and the physical core. @title: printf format for the text, or NULL */
static guint32
plain_thread (StriaNeuronEmitter *self, NeuronTable *table, guint32 kind, guint32 text,
              guint32 core, gboolean is_engine, const char *title)
{
  NeuronLane *lane = neuron_lane (self, kind, text, core, 0);

  if (lane->thread == G_MAXUINT32)
    {
      gint64 place = 0;
      const char *name = self->sink->text (self->sink, text);
      char *shown;
      gint64 number;

      if (is_engine)
        name = shown_engine (name, &place);
      else if (g_ascii_string_to_signed (name, 10, 0, 1 << 19, &number, NULL))
        place = number;
      shown = text == 0 ? g_strdup (title)
                        : g_strdup_printf ("%s%s%s", title, title[0] != '\0' ? " " : "", name);
      guint32 thread = neuron_thread (self, table, neuron_profile (self), kind,
                                      (place << 20) + neuron_core_place (core),
                                      g_strdup_printf ("%s\x1f%d", name, (int) core),
                                      neuron_core_title (shown, core));
      lane = neuron_lane (self, kind, text, core, 0);
      lane->thread = thread;
    }
  return lane->thread;
}

enum
{
  P_START, P_END, P_DURATION, P_CORE, P_NAME, P_CATEGORY, P_LANE,
};
static const char *const active_roles[]
    = { "start_ts", "end_ts", "duration_ns", "pcore_idx", "engine", "engine", "engine", NULL };
static const char *const barrier_roles[]
    = { "start_ts", "end_ts", "duration_ns", "pcore_idx", "compiler_opcode", "engine_name",
        "engine_name", NULL };
static const char *const collective_roles[]
    = { "start_ts", "end_ts", "duration_ns", "pcore_idx", "operation", "algorithm", "stream_id",
        NULL };
static const char *const cc_core_roles[]
    = { "start_ts", "end_ts", "duration_ns", "pcore_idx", "description", "trigger_engine",
        "core_idx", NULL };
static const char *const execution_roles[]
    = { "execution_start_ts", "execution_end_ts", "", "pcore_idx", "neff_name", "", "", NULL };
static const char *const throttle_roles[]
    = { "timestamp", "", "duration", "pcore_idx", "type", "", "", "k", "n", NULL };

static void
plain_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows, guint32 kind,
            gboolean is_engine, const char *title)
{
  gint64 ts, dur;
  guint8 flags;

  for (guint32 row = 0; row < n_rows; row++)
    if (neuron_span (self, table, P_START, P_END, P_DURATION, row, &ts, &dur, &flags))
      {
        guint32 name = neuron_text (self, table, P_NAME, row);
        guint32 category = neuron_text (self, table, P_CATEGORY, row);
        guint32 text = neuron_text (self, table, P_LANE, row);
        guint32 thread = plain_thread (self, table, kind, text, neuron_core (table, P_CORE, row),
                                       is_engine, title);
        neuron_slice (self, table, thread, row, ts, dur, flags, name, category);
      }
}

static void
active_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  plain_rows (self, table, n_rows, NEURON_ACTIVE, TRUE, _("Active:"));
}

static void
barrier_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  plain_rows (self, table, n_rows, NEURON_BARRIER, TRUE, _("Barriers:"));
}

static void
collective_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  plain_rows (self, table, n_rows, NEURON_COLLECTIVE, FALSE, _("Collectives, stream"));
}

static void
cc_core_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  plain_rows (self, table, n_rows, NEURON_CC_CORE, FALSE, "CC-core");
}

static void
execution_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  plain_rows (self, table, n_rows, NEURON_EXECUTION, FALSE, _("Executions"));
}

static void
throttle_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  gint64 ts, dur, k, n;
  guint8 flags;

  for (guint32 row = 0; row < n_rows; row++)
    if (neuron_span (self, table, P_START, P_END, P_DURATION, row, &ts, &dur, &flags))
      {
        guint32 name = neuron_text (self, table, P_NAME, row), category = name;
        guint32 thread = plain_thread (self, table, NEURON_THROTTLE, 0,
                                       neuron_core (table, P_CORE, row), FALSE, _("Throttling"));

        /* The limit of utilization is k/n (documented). */
        if (neuron_int (table, P_LANE + 1, row, &k) && neuron_int (table, P_LANE + 2, row, &n))
          {
            g_autofree char *text = g_strdup_printf ("%s %" G_GINT64_FORMAT "/%" G_GINT64_FORMAT,
                                                     self->sink->text (self->sink, name), k, n);
            name = neuron_intern (self, g_strstrip (text));
          }
        neuron_slice (self, table, thread, row, ts, dur, flags, name, category);
      }
}

/* -- errors ---------------------------------------------------------------------------------- */

static const char *const error_roles[]
    = { "timestamp", "description", "type", "pcore_idx", "metadata", NULL };

static void
error_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  gint64 ts;

  for (guint32 row = 0; row < n_rows; row++)
    {
      if (!neuron_int (table, 0, row, &ts))
        {
          self->without_time++;
          continue;
        }
      guint32 name = neuron_text (self, table, 1, row);
      guint32 category = neuron_text (self, table, 2, row);
      guint32 thread = plain_thread (self, table, NEURON_ERROR, 0, neuron_core (table, 3, row),
                                     FALSE, _("Errors"));
      StriaEvent *event = neuron_event (self, table, STRIA_EVENT_INSTANT, thread, row, ts);

      event->name = name;
      event->category = category;
    }
}

const NeuronSource neuron_device_sources[] = {
  { "Instruction", FALSE, instruction_roles, instruction_rows },
  { "DmaPacketAggregated", FALSE, transfer_roles, transfer_rows },
  { "DmaPacket", FALSE, transfer_roles, packet_rows },
  { "ActiveTime", FALSE, active_roles, active_rows },
  { "CoreBarriers", FALSE, barrier_roles, barrier_rows },
  { "CcOp", FALSE, collective_roles, collective_rows },
  { "CcInstruction", FALSE, cc_core_roles, cc_core_rows },
  { "ExecutionInfo", FALSE, execution_roles, execution_rows },
  { "Throttle", FALSE, throttle_roles, throttle_rows },
  { "Error", FALSE, error_roles, error_rows },
  { NULL, FALSE, NULL, NULL },
};
