/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-neuron-emitter-private.h"

static void semaphore_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows);

/* The counter of @number in a group of the same kind, and its thread. @a, @b tell apart what is
 * sampled in several places. */
static NeuronLane *
find_counter (StriaNeuronEmitter *self, NeuronTable *table, guint32 number, guint32 a, guint32 b)
{
  /* The number of the table is part of it: two of them may sample the same thing. */
  return neuron_lane (self, NEURON_SAMPLE, table->number << 8 | number, a, b);
}

static NeuronLane *
make_counter (StriaNeuronEmitter *self, NeuronTable *table, guint32 number, guint32 a, guint32 b,
              guint32 process, const char *name, const char *series, const char *unit)
{
  guint32 name_id = neuron_intern (self, name), series_id = neuron_intern (self, series);
  char *key = g_strdup_printf ("%u\x1f%d\x1f%d", number, (int) a, (int) b);
  guint32 kind = table->source->rows == semaphore_rows ? NEURON_SEMAPHORE : NEURON_SAMPLE;
  guint32 thread = neuron_thread (self, table, process, kind,
                                  (gint64) table->number << 20 | number, key, g_strdup (name));
  NeuronLane *lane = find_counter (self, table, number, a, b);

  lane->thread = thread;
  lane->name = name_id;
  lane->series = series_id;
  if (unit != NULL)
    neuron_unit (self, name_id, unit);
  return lane;
}

static void
add_sample (StriaNeuronEmitter *self, NeuronTable *table, const NeuronLane *lane, guint32 row,
            gint64 ts, double value)
{
  StriaEvent *event = neuron_event (self, table, STRIA_EVENT_COUNTER, lane->thread, row, ts);

  event->value = value;
  event->name = lane->name;
  event->extra = lane->series;
}

static gboolean
sample_time (StriaNeuronEmitter *self, NeuronTable *table, guint32 row, gint64 *ts)
{
  if (neuron_int (table, 0, row, ts))
    return TRUE;
  self->without_time++;
  return FALSE;
}

/* A counter by physical core in the device's process */
static void
device_sample (StriaNeuronEmitter *self, NeuronTable *table, guint role, guint32 row, gint64 ts,
               guint32 core, const char *name, const char *series, const char *unit)
{
  double value;

  if (!neuron_real (table, role, row, &value))
    return;
  NeuronLane *lane = find_counter (self, table, role, core, 0);
  if (lane->thread == G_MAXUINT32)
    {
      g_autofree char *title = neuron_core_title (g_strdup (name), core);
      lane = make_counter (self, table, role, core, 0, neuron_profile (self), title, series, unit);
    }
  add_sample (self, table, lane, row, ts, value);
}

static const char *const usage_roles[]
    = { "timestamp", "pcore_idx", "current_throughput", "total_transfer_bytes", NULL };

static void
usage_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows, const char *rate,
            const char *total)
{
  gint64 ts;

  for (guint32 row = 0; row < n_rows; row++)
    if (sample_time (self, table, row, &ts))
      {
        guint32 core = neuron_core (table, 1, row);
        device_sample (self, table, 2, row, ts, core, rate, "", "B/s");
        /* A running total (documented): it is drawn as it is and never added up. */
        device_sample (self, table, 3, row, ts, core, total, "", "B");
      }
}

static void
dma_usage_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  usage_rows (self, table, n_rows, _("DMA throughput"), _("DMA bytes so far"));
}

static void
hbm_usage_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  usage_rows (self, table, n_rows, _("HBM throughput"), _("HBM bytes so far"));
}

static const char *const pending_roles[] = { "timestamp", "pcore_idx", "value", NULL };

static void
pending_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  gint64 ts;

  for (guint32 row = 0; row < n_rows; row++)
    if (sample_time (self, table, row, &ts))
      device_sample (self, table, 2, row, ts, neuron_core (table, 1, row), _("Pending DMA"), "",
                     NULL);
}

/* -- how full the buffers are ---------------------------------------------------------------- */

static const char *const psum_roles[]
    = { "timestamp", "pcore_idx", "avg_util_percent", "bank_0_util_percent", "bank_1_util_percent",
        "bank_2_util_percent", "bank_3_util_percent", "bank_4_util_percent", "bank_5_util_percent",
        "bank_6_util_percent", "bank_7_util_percent", NULL };
static const char *const sbuf_roles[]
    = { "timestamp", "pcore_idx", "avg_util_percent", "partition_0_util_percent",
        "partition_32_util_percent", "partition_64_util_percent", "partition_96_util_percent",
        NULL };

static void
share_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows, NeuronShare share,
            const char *name, const char *part)
{
  const char *const *roles = table->source->roles;
  gint64 ts;
  double value;

  for (guint32 row = 0; row < n_rows; row++)
    {
      if (!sample_time (self, table, row, &ts))
        continue;
      guint32 core = neuron_core (table, 1, row);
      for (guint role = 2; roles[role] != NULL; role++)
        {
          if (!neuron_real (table, role, row, &value))
            continue;
          NeuronLane *lane = find_counter (self, table, role, core, 0);
          if (lane->thread == G_MAXUINT32)
            {
              g_autofree char *title = neuron_core_title (g_strdup (name), core);
              const char *digits = strpbrk (roles[role], "0123456789");
              g_autofree char *series
                  = digits == NULL ? g_strdup (_("mean"))
                                   : g_strdup_printf ("%s %d", part, atoi (digits));
              lane = make_counter (self, table, role, core, 0, neuron_profile (self), title, series,
                                   NULL);
              g_array_append_val (self->share_names[share], lane->name);
            }
          self->share_max[share] = MAX (self->share_max[share], value);
          add_sample (self, table, lane, row, ts, value);
        }
    }
}

static void
psum_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  share_rows (self, table, n_rows, NEURON_SHARE_PSUM, _("PSUM usage"), _("bank"));
}

static void
sbuf_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  share_rows (self, table, n_rows, NEURON_SHARE_SBUF, _("SBUF usage"), _("partition"));
}

/* -- semaphores ------------------------------------------------------------------------------ */

static const char *const semaphore_roles[] = { "timestamp", "pcore_idx", "id", "value", NULL };

static void
semaphore_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  gint64 ts;
  double value;

  for (guint32 row = 0; row < n_rows; row++)
    {
      if (!sample_time (self, table, row, &ts) || !neuron_real (table, 3, row, &value))
        continue;
      guint32 core = neuron_core (table, 1, row), id = neuron_text (self, table, 2, row);
      NeuronLane *lane = find_counter (self, table, 3, core, id);
      if (lane->thread == G_MAXUINT32)
        {
          g_autofree char *title = neuron_core_title (g_strdup (_("Semaphore")), core);
          g_autofree char *series = g_strdup (self->sink->text (self->sink, id));
          lane
              = make_counter (self, table, 3, core, id, neuron_profile (self), title, series, NULL);
        }
      add_sample (self, table, lane, row, ts, value);
    }
}

/* -- the host -------------------------------------------------------------------------------- */

/* Process of a machine's counters */
static guint32
machine (StriaNeuronEmitter *self, guint32 instance)
{
  const char *name = self->sink->text (self->sink, instance);

  return neuron_process (self, name[0] != '\0' ? name : _("Host"), 2);
}

static const char *const cpu_roles[]
    = { "timestamp", "instance_id", "cpu_id", "util_percent", NULL };

static void
cpu_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  gint64 ts;
  double value;

  for (guint32 row = 0; row < n_rows; row++)
    {
      if (!sample_time (self, table, row, &ts) || !neuron_real (table, 3, row, &value))
        continue;
      guint32 instance = neuron_text (self, table, 1, row), id = neuron_text (self, table, 2, row);
      NeuronLane *lane = find_counter (self, table, 3, instance, id);
      if (lane->thread == G_MAXUINT32)
        {
          /* 0 to 100 (documented), so the values are not looked at to tell. */
          g_autofree char *series = g_strdup (self->sink->text (self->sink, id));
          lane = make_counter (self, table, 3, instance, id, machine (self, instance),
                               _("CPU utilization"), series, "%");
        }
      add_sample (self, table, lane, row, ts, value);
    }
}

static const char *const memory_roles[]
    = { "timestamp", "instance_id", "used_bytes", "used_percent", NULL };

static void
memory_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  gint64 ts;
  double value;

  for (guint32 row = 0; row < n_rows; row++)
    {
      if (!sample_time (self, table, row, &ts))
        continue;
      guint32 instance = neuron_text (self, table, 1, row);
      for (guint role = 2; role < 4; role++)
        {
          if (!neuron_real (table, role, row, &value))
            continue;
          NeuronLane *lane = find_counter (self, table, role, instance, 0);
          if (lane->thread == G_MAXUINT32)
            lane = make_counter (self, table, role, instance, 0, machine (self, instance),
                                 role == 2 ? _("Host memory in use")
                                           : _("Host memory in use, share"),
                                 "", role == 2 ? "B" : "%");
          add_sample (self, table, lane, row, ts, value);
        }
    }
}

/* Documented: steps of the bytes a second that transfers between host and device take together, by
 * core and direction. The table is of raw files; nc_idx and direction are columns of its series. */
static const char *const bandwidth_roles[]
    = { "timestamp", "instance_id", "nc_idx", "direction", "bandwidth_bytes_per_sec", NULL };

static void
bandwidth_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  gint64 ts;
  double value;

  for (guint32 row = 0; row < n_rows; row++)
    {
      if (!sample_time (self, table, row, &ts) || !neuron_real (table, 4, row, &value))
        continue;
      guint32 instance = neuron_text (self, table, 1, row), nc = neuron_core (table, 2, row);
      const char *direction = self->sink->text (self->sink, neuron_text (self, table, 3, row));
      gboolean is_in = g_str_equal (direction, "host_to_device");
      NeuronLane *lane = find_counter (self, table, is_in ? 4 : 5, instance, nc);
      if (lane->thread == G_MAXUINT32)
        {
          g_autofree char *core = nc != G_MAXUINT32 ? g_strdup_printf ("NC %u", nc) : g_strdup ("");
          g_autofree char *name = g_strdup_printf (is_in ? _("Host to device, %s")
                                                         : _("Device to host, %s"), core);

          lane = make_counter (self, table, is_in ? 4 : 5, instance, nc, machine (self, instance),
                               name, "", "B/s");
        }
      add_sample (self, table, lane, row, ts, value);
    }
}

static const char *const system_hbm_roles[]
    = { "timestamp", "instance_id", "device_idx", "hbm_idx", "total_bytes", "generic_bytes",
        "tensor_instructions_bytes", "scalar_instructions_bytes", "gpsimd_instructions_bytes",
        "io_bytes", "dram_spill_bytes", "weights_bytes", "profiler_buffers_bytes",
        "scalar_table_bytes", "vector_instructions_bytes", "sync_instructions_bytes",
        "shared_scratchpad_bytes", "tensors_bytes", "ucode_lib_bytes", "gpsimd_stdio_bytes",
        "collectives_bytes", "scratchpad_bytes", "dma_rings_runtime_bytes", "dma_rings_spill_bytes",
        "dma_rings_io_bytes", "dma_rings_collectives_bytes", "unknown_bytes", NULL };

static void
system_hbm_rows (StriaNeuronEmitter *self, NeuronTable *table, guint32 n_rows)
{
  gint64 ts;
  double value;

  for (guint32 row = 0; row < n_rows; row++)
    {
      if (!sample_time (self, table, row, &ts))
        continue;
      guint32 instance = neuron_text (self, table, 1, row);
      guint32 device = neuron_core (table, 2, row), hbm = neuron_core (table, 3, row);
      for (guint role = 4; system_hbm_roles[role] != NULL; role++)
        {
          if (!neuron_real (table, role, row, &value))
            continue;
          guint32 place = (device & 0xffff) << 16 | (hbm & 0xffff);
          NeuronLane *lane = find_counter (self, table, role, instance, place);
          /* Purposes that nothing was held for get no counter. */
          if (lane->thread == G_MAXUINT32 && value == 0 && role > 4)
            continue;
          if (lane->thread == G_MAXUINT32)
            {
              g_autofree char *name
                  = g_strdup_printf (_("HBM usage, ND %d HBM %d"), (int) device, (int) hbm);
              g_autofree char *series = g_strndup (system_hbm_roles[role],
                                                   strlen (system_hbm_roles[role]) - 6);
              lane = make_counter (self, table, role, instance, place, machine (self, instance),
                                   name, g_strdelimit (series, "_", ' '), "B");
            }
          add_sample (self, table, lane, row, ts, value);
        }
    }
}

const NeuronSource neuron_sample_sources[] = {
  { "DmaUsage", FALSE, usage_roles, dma_usage_rows },
  { "HbmUsage", FALSE, usage_roles, hbm_usage_rows },
  { "PendingDma", FALSE, pending_roles, pending_rows },
  { "PsumUsage", FALSE, psum_roles, psum_rows },
  { "SbufUsage", FALSE, sbuf_roles, sbuf_rows },
  { "SemaphoreUpdate", FALSE, semaphore_roles, semaphore_rows },
  { "CpuUsage", TRUE, cpu_roles, cpu_rows },
  { "HostMemUsage", TRUE, memory_roles, memory_rows },
  { "MemoryBandwidthPoint", TRUE, bandwidth_roles, bandwidth_rows },
  { "SystemProfileHbmUsage", TRUE, system_hbm_roles, system_hbm_rows },
  { NULL, FALSE, NULL, NULL },
};
