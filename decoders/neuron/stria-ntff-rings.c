/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-ntff-ring.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <json-glib/json-glib.h>

/* Rings that are told one by one */
#define MAX_TOLD 256

static void
ring_free (gpointer data)
{
  StriaNtffRing *ring = data;

  g_array_unref (ring->spans);
  stria_ntff_survey_clear (&ring->survey);
  g_free (ring);
}

static guint
ring_hash (gconstpointer data)
{
  const StriaNtffRing *ring = data;

  return (guint)ring->graph * 31 + ring->block * 7 + ring->kind * 131 + ring->engine_index * 8191
         + ring->pcore * 127;
}

static gboolean
ring_equal (gconstpointer a, gconstpointer b)
{
  const StriaNtffRing *left = a, *right = b;

  return left->graph == right->graph && left->block == right->block && left->kind == right->kind
         && left->engine_index == right->engine_index && left->pcore == right->pcore;
}

static GPtrArray *
gather (StriaNtffFile *self)
{
  GPtrArray *rings = g_ptr_array_new_with_free_func (ring_free);
  g_autoptr (GHashTable) known = g_hash_table_new (ring_hash, ring_equal);

  for (guint i = 0; i < self->blobs->len; i++)
    {
      const StriaNtffBlob *blob = &g_array_index (self->blobs, StriaNtffBlob, i);
      StriaNtffRing key = { .graph = blob->graph,
                            .block = blob->block,
                            .kind = blob->kind,
                            .engine_index = blob->engine_index,
                            .pcore = blob->pcore };
      StriaNtffSpan span = { self->bytes->data + blob->offset,
                             blob->length / STRIA_NTFF_RECORD * STRIA_NTFF_RECORD };
      StriaNtffRing *ring;

      if (blob->is_code || (self->base == STRIA_NTFF_BASE_NONE && !blob->is_inline))
        continue;
      if (blob->length % STRIA_NTFF_RECORD != 0)
        stria_ntff_differs (self, "length", (gint64)blob->offset, 1,
                            _ ("a ring's %" PRIu64 " bytes are not a multiple of %d"), blob->length,
                            STRIA_NTFF_RECORD);
      ring = g_hash_table_lookup (known, &key);
      if (ring == NULL)
        {
          ring = g_memdup2 (&key, sizeof key);
          ring->spans = g_array_new (FALSE, FALSE, sizeof (StriaNtffSpan));
          g_hash_table_add (known, ring);
          g_ptr_array_add (rings, ring);
        }
      g_array_append_val (ring->spans, span);
    }
  return rings;
}

/* --- clocks ----------------------------------------------------------------------------------- */

static gboolean
has_clock (const StriaNtffGraph *graph)
{
  return graph->info->timestamp_info != NULL;
}

/* The graph that a ring of the session goes by: one of its core (inferred), else any. */
static gint32
clock_graph_of (StriaNtffFile *self, const StriaNtffRing *ring)
{
  gint32 any = -1;

  if (ring->graph >= 0)
    return has_clock (&g_array_index (self->graphs, StriaNtffGraph, ring->graph)) ? ring->graph
                                                                                  : -1;
  for (guint g = 0; g < self->graphs->len; g++)
    {
      const StriaNtffGraph *graph = &g_array_index (self->graphs, StriaNtffGraph, g);

      if (has_clock (graph) && graph->pcore == ring->pcore)
        return (gint32)g;
      if (has_clock (graph) && any < 0)
        any = (gint32)g;
    }
  return any;
}

static gboolean
take_clock (const Ntff__BlockTimestampInfo *info, StriaNtffClock *clock)
{
  if (info == NULL)
    return FALSE;
  *clock = stria_ntff_clock_make (info->init_timestamp, info->actual_timestamp_inc,
                                  info->expected_timestamp_inc);
  return TRUE;
}

/* The clock of each type of record. Types whose block says nothing go by the first that does: all
 * count in the same unit (recovered), that they count from the same time is inferred. */
static void
set_clocks (StriaNtffFile *self, StriaNtffRing *ring)
{
  const Ntff__NcTimestampInfo *info;
  StriaNtffClock clocks[9] = { 0 };
  gboolean has[9] = { FALSE };
  int first = -1;
  guint64 n_without = 0;

  ring->clock_graph = clock_graph_of (self, ring);
  if (ring->clock_graph < 0)
    return;
  info = g_array_index (self->graphs, StriaNtffGraph, ring->clock_graph).info->timestamp_info;
  has[0] = take_clock (info->tpb_pe, &clocks[0]);
  has[1] = take_clock (info->tpb_act, &clocks[1]);
  has[2] = take_clock (info->tpb_pool, &clocks[2]);
  has[3] = take_clock (info->tpb_dve, &clocks[3]);
  has[4] = take_clock (info->tpb_sp, &clocks[4]);
  has[5] = take_clock (info->tpb_evtsem, &clocks[5]);
  has[6] = take_clock (info->tpb_ham_and_err, &clocks[6]);
  has[7] = take_clock (info->top_sp, &clocks[7]);
  if (ring->engine_index < info->n_dma)
    has[8] = take_clock (info->dma[ring->engine_index], &clocks[8]);
  for (int i = 8; i >= 0; i--)
    if (has[i])
      first = i;
  if (first < 0)
    return;
  for (guint type = 0; type < 32; type++)
    {
      StriaNtffRecordKind kind = stria_ntff_record_kind ((guint8)type);
      guint block = 6;

      if (ring->block == NTFF__BLOCK_TYPE__BLOCK_TYPE_TOPSP)
        block = 7;
      else if (ring->block == NTFF__BLOCK_TYPE__BLOCK_TYPE_DMA)
        block = 8;
      else if (kind == STRIA_NTFF_RECORD_EVT_SEM)
        block = 5;
      else if (type >= 0x04 && type <= 0x17)
        block = stria_ntff_record_engine ((guint8)type);
      if (!has[block] && kind != STRIA_NTFF_RECORD_NONE)
        n_without += ring->survey.n_by_type[type];
      ring->by_type[type] = clocks[has[block] ? block : (guint)first];
    }
  if (n_without > 0)
    stria_ntff_differs (self, "clock", -1, n_without,
                        _ ("%" PRIu64 " records are of a block without a clock of its own; another"
                           " block's is used"),
                        n_without);
}

/* --- counting --------------------------------------------------------------------------------- */

static gint64
extreme_ns (const StriaNtffRing *ring, gboolean latest, gboolean *any)
{
  gint64 found = latest ? G_MININT64 : G_MAXINT64;

  for (guint type = 0; type < 32; type++)
    {
      gint64 ns;

      if (stria_ntff_record_kind ((guint8)type) == STRIA_NTFF_RECORD_NONE
          || ring->survey.n_by_type[type] == 0)
        continue;
      *any = TRUE;
      ns = stria_ntff_clock_ns (&ring->by_type[type],
                                latest ? ring->survey.last[type] : ring->survey.first[type]);
      found = latest ? MAX (found, ns) : MIN (found, ns);
    }
  return found;
}

static guint64
count_illegal (const StriaNtffRing *ring)
{
  guint64 n = 0;

  for (guint type = 0; type < 32; type++)
    if (!stria_ntff_is_legal (ring->kind, (guint8)type))
      n += ring->survey.n_by_type[type];
  return n;
}

static void
add_member (JsonObject *object, const char *name, guint64 value)
{
  json_object_set_int_member (object, name, (gint64)MIN (value, G_MAXINT64));
}

static void
tell_ring (StriaNtffFile *self, const StriaNtffRing *ring, guint64 n_illegal)
{
  static const char *const blocks[] = { "NC", "DMA", "TOPSP" };
  static const char *const kinds[]
      = { "INSTRUCTION", "EVENT", "ERROR", "EXPLICIT", "DMA", "THROTTLE" };
  JsonObject *object;
  JsonNode *node;

  if (self->rings->len >= MAX_TOLD)
    return;
  object = json_object_new ();
  json_object_set_string_member (object, "block",
                                 ring->block < G_N_ELEMENTS (blocks) ? blocks[ring->block] : "?");
  json_object_set_string_member (object, "kind",
                                 ring->kind < G_N_ELEMENTS (kinds) ? kinds[ring->kind] : "?");
  json_object_set_int_member (object, "graph", ring->graph);
  add_member (object, "engine_index", ring->engine_index);
  add_member (object, "pcore_idx", ring->pcore);
  add_member (object, "blobs", ring->spans->len);
  add_member (object, "records", ring->survey.n_records);
  add_member (object, "unassigned", n_illegal);
  add_member (object, "stretches", ring->survey.n_runs);
  add_member (object, "phase_changes", ring->survey.n_phases);
  add_member (object, "overflow_software", ring->survey.n_lost_before);
  add_member (object, "overflow_hardware", ring->survey.n_lost_after);
  json_object_set_boolean_member (object, "status_only", ring->is_status);
  json_object_set_boolean_member (object, "refused", ring->refused);
  node = json_node_new (JSON_NODE_OBJECT);
  json_node_take_object (node, object);
  g_ptr_array_add (self->rings, node);
}

/* Whether the ring is the one in which executions say that they began and ended: its label is the
 * same as that of the instructions' (recovered), its records are not. */
static gboolean
is_status (const StriaNtffRing *ring)
{
  guint64 explicits = 0, others = 0;

  for (guint type = 0x04; type <= 0x17; type++)
    if (stria_ntff_record_kind ((guint8)type) == STRIA_NTFF_RECORD_EXPLICIT)
      explicits += ring->survey.n_by_type[type];
    else
      others += ring->survey.n_by_type[type];
  return explicits > 0 && others == 0;
}

GPtrArray *
stria_ntff_rings_new (StriaNtffFile *self)
{
  GPtrArray *rings = gather (self);
  gint64 first = G_MAXINT64, last = G_MININT64;
  gboolean any = FALSE;

  for (guint i = 0; i < rings->len; i++)
    {
      StriaNtffRing *ring = rings->pdata[i];
      guint64 n_illegal;

      stria_ntff_survey ((const StriaNtffSpan *)ring->spans->data, ring->spans->len, &ring->survey,
                         self->bytes, self->context->cancellable);
      n_illegal = count_illegal (ring);
      /* Nothing of a ring that is not one is shown. */
      ring->refused = (double)n_illegal > 0.01 * (double)ring->survey.n_records;
      ring->is_status = is_status (ring);
      if (ring->refused)
        stria_ntff_differs (self, "ring", -1, ring->survey.n_records,
                            _ ("%" PRIu64 " of %" PRIu64 " records of a ring are of types that it"
                               " cannot have; the ring is left out"),
                            n_illegal, ring->survey.n_records);
      else if (n_illegal > 0)
        stria_ntff_differs (self, "type", -1, n_illegal,
                            _ ("%" PRIu64 " of %" PRIu64 " records of a ring are of types that it"
                               " cannot have; they are left out"),
                            n_illegal, ring->survey.n_records);
      tell_ring (self, ring, n_illegal);
      self->n_records += ring->survey.n_records;
      if (ring->refused)
        continue;
      if (ring->survey.n_lost_before + ring->survey.n_lost_after > 0)
        stria_notices_count (self->context->notices, STRIA_SEVERITY_WARNING, "neuron-lost",
                             self->context->name, -1,
                             ring->survey.n_lost_before + ring->survey.n_lost_after,
                             _ ("records were lost: a queue of hardware or runtime ran over"));
      set_clocks (self, ring);
      first = MIN (first, extreme_ns (ring, FALSE, &any));
      last = MAX (last, extreme_ns (ring, TRUE, &any));
      for (guint type = 0; type < 32; type++)
        if (stria_ntff_record_kind ((guint8)type) != STRIA_NTFF_RECORD_NONE
            && ring->survey.n_by_type[type] > 0)
          {
            self->first_ticks = MIN (self->first_ticks, ring->survey.first[type]);
            self->last_ticks = MAX (self->last_ticks, ring->survey.last[type]);
          }
    }
  if (any)
    {
      self->zero_ns = first;
      if (__builtin_sub_overflow (last, first, &self->end_ns))
        self->end_ns = G_MAXINT64;
    }
  return rings;
}
