/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-neuron-making.h"

/* What a device profile's summary says of data on its way: DMA, collectives, tensors. Formulas are
 * the published ones unless a comment says otherwise. */

typedef enum
{
  STATIC,
  SOFTWARE,
  HARDWARE,
  OTHER_DMA,
  N_DMA,
} DmaKind;

static const struct
{
  const char *type;
  const char *count, *size, *active, *active_share, *count_share, *size_share;
} dma_kinds[OTHER_DMA] = {
#define DMA(type, name)                                                                            \
  { type, name "_dma_packet_count", name "_dma_size", name "_dma_active_time",                     \
    name "_dma_active_time_percent", name "_dma_packet_percent", name "_dma_size_percent" }
  [STATIC] = DMA ("", "static"),
  [SOFTWARE] = DMA ("software_dynamic", "software_dynamic"),
  [HARDWARE] = DMA ("hardware_dynamic", "hardware_dynamic"),
};

static gboolean
is_text (const char *text, guint32 length, const char *word)
{
  return length == strlen (word) && g_ascii_strncasecmp (text, word, length) == 0;
}

/* @is_code: descriptors of instructions are no payload */
static DmaKind
dma_kind_at (const StriaSummaryRows *rows, guint column, guint32 row, gboolean *is_code)
{
  static const char *const compiled[] = { "instruction", "input", "output", "data" };
  guint32 length;
  const char *text = stria_summary_rows_text (rows, column, row, &length);

  *is_code = is_text (text, length, compiled[0]);
  for (guint k = SOFTWARE; k < OTHER_DMA; k++)
    if (is_text (text, length, dma_kinds[k].type))
      return k;
  for (guint i = 0; i < G_N_ELEMENTS (compiled); i++)
    if (is_text (text, length, compiled[i]))
      return STATIC;
  return OTHER_DMA;
}

/* Bytes of what a descriptor carries: those of four and less are written to ring a bell (published
 * with the bounds). */
#define PAYLOAD_ABOVE 4

typedef struct
{
  StriaNeuronSum kinds[N_DMA];
  StriaNeuronSum whole;
  StriaNeuronSum moved; /* transfers */
  double payload;
  gboolean has_packets;
  gboolean has_transfers;
} Traffic;

static gboolean
read_traffic (StriaNeuronMaking *self, Traffic *traffic)
{
  static const char *const wanted[]
      = { "start_ts", "duration_ns", "pcore_idx", "transfer_bytes", "queue_type", NULL };
  StriaSummaryRows packets = stria_neuron_making_rows (self, "DmaPacket", wanted);
  StriaSummaryRows transfers = stria_neuron_making_rows (self, "DmaPacketAggregated", wanted);
  double value, share;
  gboolean is_code;

  while (stria_summary_rows_next (&packets))
    for (guint32 row = 0; row < packets.n_rows; row++)
      {
        DmaKind kind = dma_kind_at (&packets, 4, row, &is_code);

        traffic->has_packets = TRUE;
        if (!stria_neuron_making_take (self, &traffic->kinds[kind], &packets, row, &share))
          continue;
        traffic->whole.count++;
        if (!stria_summary_rows_number (&packets, 3, row, &value))
          continue;
        traffic->kinds[kind].bytes += value * share;
        traffic->whole.bytes += value * share;
        if (!is_code && value > PAYLOAD_ABOVE)
          traffic->payload += value * share;
      }
  while (!packets.failed && stria_summary_rows_next (&transfers))
    for (guint32 row = 0; row < transfers.n_rows; row++)
      {
        StriaSummaryPart part;

        traffic->has_transfers = TRUE;
        if (!stria_summary_rows_part (&transfers, row, &part))
          continue;
        traffic->moved.count++;
        traffic->moved.time_ns += (double) MAX (part.duration, 0);
        if (stria_summary_rows_number (&transfers, 3, row, &value))
          traffic->moved.bytes += value * part.share;
      }
  stria_summary_rows_clear (&packets);
  stria_summary_rows_clear (&transfers);
  traffic->has_packets = traffic->has_packets && stria_neuron_making_chosen (self, "DmaPacket");
  traffic->has_transfers
      = traffic->has_transfers && stria_neuron_making_chosen (self, "DmaPacketAggregated");
  for (guint k = 0; k < N_DMA; k++)
    {
      traffic->whole.time_ns += traffic->kinds[k].time_ns;
      stria_span_union_merge (&traffic->kinds[k].busy);
      stria_span_union_take (&traffic->whole.busy, &traffic->kinds[k].busy);
    }
  return !packets.failed && !transfers.failed;
}

static void
add_kinds (StriaNeuronMaking *self, Traffic *traffic)
{
  const char *lacks = stria_neuron_making_lacks (self, "DmaPacket");
  gboolean any = traffic->has_packets, one = any && self->core != -2;
  double bytes = traffic->whole.bytes, count = (double) MAX (traffic->whole.count, 1);

  for (guint k = 0; k < OTHER_DMA; k++)
    {
      StriaNeuronSum *kind = &traffic->kinds[k];
      double busy = stria_span_union_ns (&kind->busy) / 1e9;

      stria_neuron_making_add (self, dma_kinds[k].count, "",
                               "rows of DmaPacket of its queue types", any, (double) kind->count,
                               lacks);
      stria_neuron_making_add (self, dma_kinds[k].size, "B", "sum of their transfer_bytes", any,
                               kind->bytes, lacks);
      stria_neuron_making_add (self, dma_kinds[k].active, "s", "union of their times", one, busy,
                               any ? STRIA_NEURON_SEVERAL : lacks);
      stria_neuron_making_add (self, dma_kinds[k].active_share, "of 1", "active time / total_time",
                               one && self->has_total, busy / self->total,
                               "DmaPacket, total_time");
      stria_neuron_making_add (self, dma_kinds[k].count_share, "of 1", "packets / all packets", any,
                               (double) kind->count / count, lacks);
      stria_neuron_making_add (self, dma_kinds[k].size_share, "of 1", "bytes / all bytes",
                               any && bytes > 0, kind->bytes / bytes, lacks);
    }
  stria_neuron_making_add (
      self, "dynamic_dma_packet_percent", "of 1", "packets of both dynamic kinds / all packets",
      any, (double) (traffic->kinds[SOFTWARE].count + traffic->kinds[HARDWARE].count) / count,
      lacks);
  stria_neuron_making_add (self, "dynamic_dma_size_percent", "of 1",
                           "bytes of both dynamic kinds / all bytes", any && bytes > 0,
                           (traffic->kinds[SOFTWARE].bytes + traffic->kinds[HARDWARE].bytes)
                               / bytes, lacks);
}

static void
add_sums (StriaNeuronMaking *self, Traffic *traffic)
{
  const char *lacks = stria_neuron_making_lacks (self, "DmaPacket");
  const char *no_transfers = stria_neuron_making_lacks (self, "DmaPacketAggregated");
  gboolean any = traffic->has_packets, one = any && self->core != -2;
  gboolean moved = traffic->has_transfers, some = moved && traffic->moved.count > 0;
  double busy = stria_span_union_ns (&traffic->whole.busy) / 1e9, peak = 0;
  gboolean has_peak
      = stria_neuron_making_fact (self, "Metadata", "dma_ddr_bandwidth", &peak, NULL) && peak > 0;

  stria_neuron_making_add (self, "dma_active_time", "s", "union of DmaPacket", one, busy,
                           any ? STRIA_NEURON_SEVERAL : lacks);
  stria_neuron_making_add (self, "dma_active_time_percent", "of 1", "dma_active_time / total_time",
                           one && self->has_total, busy / self->total, "DmaPacket, total_time");
  stria_neuron_making_add (self, "dma_packet_time", "s", "sum of DmaPacket.duration_ns", any,
                           traffic->whole.time_ns / 1e9, lacks);
  stria_neuron_making_add (self, "dma_transfer_count", "", "rows of DmaPacketAggregated", moved,
                           (double) traffic->moved.count, no_transfers);
  stria_neuron_making_add (self, "dma_transfer_total_bytes", "B",
                           "sum of DmaPacketAggregated.transfer_bytes", moved,
                           traffic->moved.bytes, no_transfers);
  stria_neuron_making_add (self, "dma_transfer_average_bytes", "B",
                           "dma_transfer_total_bytes / dma_transfer_count", some,
                           traffic->moved.bytes / (double) MAX (traffic->moved.count, 1),
                           no_transfers);
  stria_neuron_making_add (self, "dma_transfer_time", "s",
                           "sum of DmaPacketAggregated.duration_ns", moved,
                           traffic->moved.time_ns / 1e9, no_transfers);
  /* These are no metrics of the summary. How much of the traffic has rows put together is a
   * documented gap; payload and peak are of the published bounds. */
  stria_neuron_making_add (self, "dma_coverage", "of 1",
                           "bytes of DmaPacketAggregated / bytes of DmaPacket",
                           any && moved && traffic->whole.bytes > 0,
                           traffic->moved.bytes / traffic->whole.bytes, "DmaPacket");
  stria_neuron_making_add (self, "dma_payload_bytes", "B",
                           "sum of DmaPacket.transfer_bytes above 4 B, without queue_type "
                           "instruction", any, traffic->payload, lacks);
  stria_neuron_making_add (self, "dma_ddr_bandwidth", "B/s", "Metadata.dma_ddr_bandwidth", has_peak,
                           peak, "Metadata.dma_ddr_bandwidth");
  stria_neuron_making_add (self, "dma_efficiency", "of 1",
                           "dma_payload_bytes / (dma_active_time x dma_ddr_bandwidth)",
                           one && has_peak && busy > 0, traffic->payload / (busy * peak),
                           "DmaPacket, Metadata.dma_ddr_bandwidth");
}

gboolean
stria_neuron_making_dma (StriaNeuronMaking *self)
{
  Traffic traffic = { 0 };
  gboolean ok = read_traffic (self, &traffic);

  add_kinds (self, &traffic);
  add_sums (self, &traffic);
  stria_span_union_take (&self->all, &traffic.whole.busy);
  stria_span_union_clear (&traffic.whole.busy);
  for (guint k = 0; k < N_DMA; k++)
    stria_span_union_clear (&traffic.kinds[k].busy);
  return ok;
}

gboolean
stria_neuron_making_collectives (StriaNeuronMaking *self)
{
  static const char *const wanted[] = { "start_ts", "duration_ns", "pcore_idx", NULL };
  static const struct
  {
    const char *table, *count, *time, *active, *share;
  } both[] = {
    { "CcOp", "cc_op_count", "cc_op_time", "cc_op_active_time", "cc_op_active_time_percent" },
    { "CcInstruction", "cc_cores_instruction_count", "cc_cores_instruction_time",
      "cc_cores_instruction_active_time", "cc_cores_instruction_active_time_percent" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (both); i++)
    {
      StriaSummaryRows rows = stria_neuron_making_rows (self, both[i].table, wanted);
      const char *lacks = stria_neuron_making_lacks (self, both[i].table);
      StriaNeuronSum sum = { 0 };
      gboolean any = FALSE, one;
      double busy, share;

      while (stria_summary_rows_next (&rows))
        for (guint32 row = 0; row < rows.n_rows; row++)
          {
            any = TRUE;
            stria_neuron_making_take (self, &sum, &rows, row, &share);
          }
      stria_summary_rows_clear (&rows);
      any = any && stria_neuron_making_chosen (self, both[i].table);
      busy = stria_span_union_ns (&sum.busy) / 1e9;
      stria_neuron_making_add (self, both[i].count, "", "rows", any, (double) sum.count, lacks);
      stria_neuron_making_add (self, both[i].time, "s", "sum of duration_ns", any,
                               sum.time_ns / 1e9, lacks);
      one = any && self->core != -2;
      stria_neuron_making_add (self, both[i].active, "s", "union of the rows' times", one, busy,
                               any ? STRIA_NEURON_SEVERAL : lacks);
      stria_neuron_making_add (self, both[i].share, "of 1", "active time / total_time",
                               one && self->has_total, busy / self->total, lacks);
      stria_span_union_take (&self->all, &sum.busy);
      stria_span_union_clear (&sum.busy);
      if (rows.failed)
        return FALSE;
    }
  return TRUE;
}

/* What has to be moved once at least: of the published bounds, and of no use for a part of the
 * time, since nothing says which part needs which tensor. */
gboolean
stria_neuron_making_tensors (StriaNeuronMaking *self)
{
  static const char *const wanted[] = { "size", "type", "pcore_idx", NULL };
  StriaSummaryRows rows = stria_neuron_making_rows (self, "TensorInfo", wanted);
  gboolean is_part = self->scope != NULL && (self->scope->has_window || self->scope->has_lanes);
  gboolean any = FALSE;
  double bytes = 0, size;
  guint32 length;

  while (stria_summary_rows_next (&rows))
    for (guint32 row = 0; row < rows.n_rows; row++)
      {
        const char *type = stria_summary_rows_text (&rows, 1, row, &length);
        gint64 core = stria_summary_rows_int (&rows, 2, row, -1);

        if (self->scope != NULL && self->scope->core >= 0 && core >= 0
            && core != self->scope->core)
          continue;
        if ((is_text (type, length, "IN") || is_text (type, length, "OUT"))
            && stria_summary_rows_number (&rows, 0, row, &size))
          {
            bytes += size;
            any = TRUE;
          }
      }
  stria_summary_rows_clear (&rows);
  stria_neuron_making_add (self, "in_out_tensor_bytes", "B",
                           "sum of TensorInfo.size of types IN and OUT", any && !is_part, bytes,
                           is_part ? "the whole time: which part needs which tensor is not told"
                                   : "TensorInfo");
  return !rows.failed;
}
