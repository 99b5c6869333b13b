/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-ntff-ring.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#define N_QUEUES 16
/* Packets of one queue that may be under way; the oldest gives way. */
#define MAX_UNDER_WAY 65536

/* A packet between its first record and its last */
typedef struct
{
  gint64 start;
  gint64 read_end;
  gint64 write_start;
  guint32 read_bytes;
  gboolean has_read_end;
  gboolean has_write_start;
} Packet;

typedef struct
{
  GQueue under_way; /* Packet, the oldest first */
  GList *to_read;   /* the first one without the end of its read */
  GList *to_write;  /* the first one without the beginning of its write */
  const Ntff__DmaQueueUsageInfo *info;
  char *type;
  gboolean has_blocks; /* descriptor blocks add up to the packets that were seen */
  size_t block;
  guint64 in_block;
  guint64 n_done;
} Queue;

enum
{
  C_START, C_END, C_DURATION, C_PCORE, C_ID, C_INDEX, C_ENGINE, C_READ, C_WRITE, C_TRANSFER,
  C_THROUGHPUT, C_TYPE, C_NAME, C_QUEUE, C_CRC, C_BLOCK, C_REPAIR,
};
static const char *const columns[]
    = { "start_ts", "end_ts", "duration_ns", "pcore_idx", "id", "packet_idx", "engine_idx",
        "read_bytes", "write_bytes", "transfer_bytes", "throughput", "queue_type", "queue_name",
        "queue_idx", "crc", "block_id:i", "repair:s", NULL };

struct _StriaNtffDma
{
  StriaNtffFile *file;
  StriaNeuronRows *rows;
  const StriaNtffRing *ring;
  Queue queues[N_QUEUES];
  guint64 n_packets;
  guint64 n_without_start;
  guint64 n_without_end;
  guint64 n_other;  /* address requests and answers: kept in no row */
  guint64 n_unknown;
  guint64 n_blocks_differ;
};

StriaNtffDma *
stria_ntff_dma_new (StriaNtffFile *file)
{
  StriaNtffDma *self = g_new0 (StriaNtffDma, 1);

  self->file = file;
  return self;
}

static const Ntff__DmaQueueUsageInfo *
find_queue (StriaNtffFile *file, const StriaNtffRing *ring, guint32 queue)
{
  const Ntff__SubgraphInfo *info;
  gint32 graph = ring->graph;

  /* A ring of the session may be any program's, unless there is one only. */
  if (graph < 0 && file->graphs->len == 1)
    graph = 0;
  if (graph < 0)
    return NULL;
  info = g_array_index (file->graphs, StriaNtffGraph, graph).info;
  for (size_t i = 0; i < info->n_dma_queue_usage; i++)
    if (info->dma_queue_usage[i]->engine_index == ring->engine_index
        && info->dma_queue_usage[i]->queue_index == queue)
      return info->dma_queue_usage[i];
  return NULL;
}

static void
count_packets (StriaNtffFile *file, const StriaNtffRing *ring, guint64 counts[N_QUEUES])
{
  guint64 n = 0;

  for (guint s = 0; s < ring->spans->len; s++)
    {
      const StriaNtffSpan *span = &g_array_index (ring->spans, StriaNtffSpan, s);

      for (gsize at = 0; at < span->length; at += STRIA_NTFF_RECORD)
        {
          StriaNtffRecord record;

          stria_ntff_record_read (span->data + at, &record);
          if (stria_ntff_record_kind (record.type) == STRIA_NTFF_RECORD_DMA
              && (record.body1 & 15) == STRIA_NTFF_S2M_EOP)
            counts[record.body1 >> 4 & 15]++;
          if (++n % STRIA_NTFF_DROP_RECORDS == 0)
            stria_mapped_drop (file->bytes, 0, file->bytes->length);
        }
    }
}

void
stria_ntff_dma_begin (StriaNtffDma *self, const StriaNtffRing *ring)
{
  guint64 counts[N_QUEUES] = { 0 };
  gboolean any_blocks = FALSE;

  self->ring = ring;
  for (guint q = 0; q < N_QUEUES; q++)
    {
      Queue *queue = &self->queues[q];

      *queue = (Queue){ .info = find_queue (self->file, ring, q) };
      g_queue_init (&queue->under_way);
      if (queue->info != NULL)
        queue->type = stria_ntff_queue_type ((int)queue->info->queue_type);
      any_blocks |= queue->info != NULL && queue->info->n_desc_block_info > 0;
    }
  if (!any_blocks)
    return;
  count_packets (self->file, ring, counts);
  for (guint q = 0; q < N_QUEUES; q++)
    {
      const Ntff__DmaQueueUsageInfo *info = self->queues[q].info;
      guint64 sum = 0;

      for (size_t i = 0; info != NULL && i < info->n_desc_block_info; i++)
        sum += info->desc_block_info[i]->packet_count;
      /* That packets follow the list of blocks is inferred: only if the two agree. */
      self->queues[q].has_blocks = sum > 0 && sum == counts[q];
      self->n_blocks_differ += sum > 0 && counts[q] > 0 && sum != counts[q];
    }
}

static void
put_block (Queue *queue, StriaNeuronRows *rows)
{
  const Ntff__DmaQueueUsageInfo *info = queue->info;

  while (queue->block < info->n_desc_block_info
         && queue->in_block >= info->desc_block_info[queue->block]->packet_count)
    {
      queue->block++;
      queue->in_block = 0;
    }
  if (queue->block == info->n_desc_block_info)
    return;
  stria_neuron_rows_int (rows, C_BLOCK, info->desc_block_info[queue->block]->block_id);
  queue->in_block++;
}

/* @end: when the last record of the packet came; @write_bytes, @crc: -1: not recorded */
static void
put_packet (StriaNtffDma *self, guint number, const Packet *packet, gint64 end, gint64 write_bytes,
            gint64 crc, const char *repair)
{
  Queue *queue = &self->queues[number];
  gint64 duration = end - packet->start, bytes = -1;
  StriaNeuronRows *rows;

  if (self->rows == NULL)
    self->rows = stria_neuron_rows_new (self->file->emitter, "DmaPacket", columns);
  rows = self->rows;
  stria_neuron_rows_int (rows, C_START, packet->start);
  stria_neuron_rows_int (rows, C_END, end);
  stria_neuron_rows_int (rows, C_DURATION, duration);
  stria_neuron_rows_int (rows, C_PCORE, self->ring->pcore);
  stria_neuron_rows_int (rows, C_ID, (gint64)self->n_packets++);
  stria_neuron_rows_int (rows, C_INDEX, (gint64)queue->n_done++);
  stria_neuron_rows_int (rows, C_ENGINE, self->ring->engine_index);
  if (packet->has_read_end)
    stria_neuron_rows_int (rows, C_READ, bytes = packet->read_bytes);
  if (write_bytes >= 0)
    stria_neuron_rows_int (rows, C_WRITE, bytes = write_bytes);
  if (bytes >= 0)
    stria_neuron_rows_int (rows, C_TRANSFER, bytes);
  if (bytes >= 0 && duration > 0)
    stria_neuron_rows_real (rows, C_THROUGHPUT, (double)bytes * 1e9 / (double)duration);
  if (queue->type != NULL)
    stria_neuron_rows_text (rows, C_TYPE, queue->type, -1);
  if (queue->info != NULL && queue->info->name != NULL)
    stria_neuron_rows_text (rows, C_NAME, queue->info->name, -1);
  stria_neuron_rows_int (rows, C_QUEUE, number);
  if (crc >= 0)
    stria_neuron_rows_int (rows, C_CRC, crc);
  if (queue->has_blocks && write_bytes >= 0)
    put_block (queue, rows);
  if (repair != NULL)
    stria_neuron_rows_text (rows, C_REPAIR, repair, -1);
  stria_neuron_rows_end (rows);
}

/* A packet whose end did not come lasts to the last that is known of it, else to the trace's end.
 * */
static void
put_open (StriaNtffDma *self, guint number, const Packet *packet)
{
  self->n_without_end++;
  put_packet (self, number, packet,
              packet->has_read_end ? packet->read_end : self->file->end_ns, -1, -1,
              "no end of its write");
}

static Packet *
take_oldest (Queue *queue)
{
  GList *oldest = g_queue_peek_head_link (&queue->under_way);

  if (oldest == NULL)
    return NULL;
  if (queue->to_read == oldest)
    queue->to_read = oldest->next;
  if (queue->to_write == oldest)
    queue->to_write = oldest->next;
  return g_queue_pop_head (&queue->under_way);
}

static GList *
add_packet (StriaNtffDma *self, guint number, gint64 start)
{
  Queue *queue = &self->queues[number];
  Packet *packet = g_new0 (Packet, 1);

  if (queue->under_way.length >= MAX_UNDER_WAY)
    {
      g_autofree Packet *oldest = take_oldest (queue);

      put_open (self, number, oldest);
    }
  packet->start = start;
  g_queue_push_tail (&queue->under_way, packet);
  if (queue->to_read == NULL)
    queue->to_read = queue->under_way.tail;
  if (queue->to_write == NULL)
    queue->to_write = queue->under_way.tail;
  return queue->under_way.tail;
}

static void
end_read (StriaNtffDma *self, guint number, const StriaNtffRecord *record, gint64 ns)
{
  Queue *queue = &self->queues[number];
  Packet *packet = queue->to_read != NULL ? queue->to_read->data : NULL;

  if (packet == NULL)
    {
      self->n_without_start++;
      return;
    }
  packet->read_end = ns;
  packet->read_bytes = record->body0;
  packet->has_read_end = TRUE;
  queue->to_read = queue->to_read->next;
}

static void
begin_write (StriaNtffDma *self, guint number, gint64 ns)
{
  Queue *queue = &self->queues[number];
  GList *link = queue->to_write != NULL ? queue->to_write : add_packet (self, number, ns);
  Packet *packet = link->data;

  packet->write_start = ns;
  packet->has_write_start = TRUE;
  queue->to_write = link->next;
}

static void
end_write (StriaNtffDma *self, guint number, const StriaNtffRecord *record, gint64 ns)
{
  g_autofree Packet *packet = take_oldest (&self->queues[number]);
  Packet alone = { .start = ns };
  gint64 crc = record->body1 >> 8 & 0xFFFF;

  if (packet == NULL)
    self->n_without_start++;
  put_packet (self, number, packet != NULL ? packet : &alone, ns, record->body0, crc,
              packet != NULL ? NULL : "no beginning");
}

void
stria_ntff_dma_record (StriaNtffDma *self, const StriaNtffRecord *record, gint64 ns)
{
  guint kind = record->body1 & 15, queue = record->body1 >> 4 & 15;

  switch (kind)
    {
    case STRIA_NTFF_M2S_SOP:
      add_packet (self, queue, ns);
      break;
    case STRIA_NTFF_M2S_EOP:
      end_read (self, queue, record, ns);
      break;
    case STRIA_NTFF_S2M_SOP:
      begin_write (self, queue, ns);
      break;
    case STRIA_NTFF_S2M_EOP:
      end_write (self, queue, record, ns);
      break;
    case STRIA_NTFF_M2S_COMPLETION:
    case STRIA_NTFF_S2M_COMPLETION:
      break;
    default:
      if (kind >= 8 && kind <= 13)
        self->n_other++;
      else
        self->n_unknown++;
      break;
    }
}

void
stria_ntff_dma_end (StriaNtffDma *self)
{
  for (guint q = 0; q < N_QUEUES; q++)
    {
      Queue *queue = &self->queues[q];

      for (;;)
        {
          g_autofree Packet *packet = take_oldest (queue);

          if (packet == NULL)
            break;
          put_open (self, q, packet);
        }
      g_clear_pointer (&queue->type, g_free);
    }
}

void
stria_ntff_dma_free (StriaNtffDma *self)
{
  StriaNtffFile *file = self->file;

  g_clear_pointer (&self->rows, stria_neuron_rows_free);
  if (self->n_without_start > 0)
    stria_ntff_differs (file, "dma-start", -1, self->n_without_start,
                        _ ("%" PRIu64 " DMA packets end without a beginning"),
                        self->n_without_start);
  if (self->n_without_end > 0)
    stria_ntff_differs (file, "dma-end", -1, self->n_without_end,
                        _ ("%" PRIu64 " DMA packets begin without an end"), self->n_without_end);
  if (self->n_unknown > 0)
    stria_ntff_differs (file, "dma-kind", -1, self->n_unknown,
                        _ ("%" PRIu64 " DMA records are of a kind that is not known"),
                        self->n_unknown);
  if (self->n_blocks_differ > 0)
    stria_ntff_differs (file, "dma-blocks", -1, self->n_blocks_differ,
                        _ ("descriptor blocks of %" PRIu64 " DMA queues do not add up to their"
                           " packets; packets are not assigned to blocks"),
                        self->n_blocks_differ);
  g_free (self);
}
