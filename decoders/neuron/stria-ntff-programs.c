/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-ntff-ring.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <json-glib/json-glib.h>

#include "stria-neuron-opcodes.h"

/* Records at each end of a ring whose pc is looked at */
#define SAMPLE 32768

/* Programs of one graph: of its engines, and of CC-cores by number */
typedef struct
{
  StriaNtffCode *engines[STRIA_NTFF_N_ENGINES];
  GHashTable *cores;
} Program;

typedef struct
{
  guint64 start;
  guint64 end;
  guint32 number;
  gint32 node; /* number among the file's nodes, or -1 */
} Execution;

struct _StriaNtffPrograms
{
  StriaNtffFile *file;
  Program *programs; /* by graph */
  GArray *executions; /* by start; empty unless their times are the device's */
};

static void
code_free (gpointer code)
{
  stria_ntff_code_free (code);
}

static StriaNtffCode *
code_of (Program *self, const StriaNtffBlob *blob)
{
  StriaNtffCode *code;

  if (!blob->collectives)
    {
      if (blob->kind >= STRIA_NTFF_N_ENGINES)
        return NULL;
      if (self->engines[blob->kind] == NULL)
        self->engines[blob->kind] = stria_ntff_code_new (blob->kind);
      return self->engines[blob->kind];
    }
  code = g_hash_table_lookup (self->cores, GUINT_TO_POINTER (blob->engine_index));
  if (code == NULL)
    {
      code = stria_ntff_code_new (blob->kind < STRIA_NTFF_N_ENGINES ? blob->kind : STRIA_NTFF_SP);
      g_hash_table_insert (self->cores, GUINT_TO_POINTER (blob->engine_index), code);
    }
  return code;
}

static void
add_code (StriaNtffPrograms *self)
{
  StriaNtffFile *file = self->file;

  for (guint i = 0; i < file->blobs->len; i++)
    {
      const StriaNtffBlob *blob = &g_array_index (file->blobs, StriaNtffBlob, i);
      StriaNtffCode *code;

      if (!blob->is_code || blob->graph < 0
          || (file->base == STRIA_NTFF_BASE_NONE && !blob->is_inline))
        continue;
      code = code_of (&self->programs[blob->graph], blob);
      if (code != NULL)
        stria_ntff_code_add (code, file->bytes->data + blob->offset, blob->length / STRIA_NTFF_WORD,
                             blob->start_address, blob->function);
    }
}

static void
add_patches (StriaNtffPrograms *self)
{
  for (guint g = 0; g < self->file->graphs->len; g++)
    {
      const Ntff__SubgraphInfo *info = g_array_index (self->file->graphs, StriaNtffGraph, g).info;

      for (size_t i = 0; i < info->n_patch_info; i++)
        {
          const Ntff__InstructionPatchInfo *patches = info->patch_info[i];
          StriaNtffCode *code;

          if ((guint)patches->nc_engine_type >= STRIA_NTFF_N_ENGINES)
            continue;
          code = self->programs[g].engines[patches->nc_engine_type];
          for (size_t p = 0; code != NULL && p < patches->n_patch_location; p++)
            {
              const Ntff__InstructionPatchLocation *patch = patches->patch_location[p];

              /* Those of function sections count from elsewhere. */
              if (!patch->function_patch)
                stria_ntff_code_patch (code, patch->offset, patch->count, (guint32)patch->type);
            }
        }
    }
}

/* --- executions ------------------------------------------------------------------------------- */

/* Number of each node by its uid, with 1 added */
static GHashTable *
index_nodes (StriaNtffFile *self)
{
  GHashTable *nodes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint64 offset, length;

  for (size_t i = 0; i < self->info->n_neff_nodes; i++)
    if (stria_proto_reference (&self->info->neff_nodes[i]->uid, &offset, &length))
      g_hash_table_insert (nodes, stria_ntff_hex (self->message + offset, MIN (length, 64)),
                           GSIZE_TO_POINTER (i + 1));
  return nodes;
}

static int
compare_executions (gconstpointer a, gconstpointer b)
{
  const Execution *left = a, *right = b;

  if (left->start != right->start)
    return left->start < right->start ? -1 : 1;
  return left->number < right->number ? -1 : left->number > right->number;
}

/* In which clock the timeline counts is unknown: it is taken for the device's if every execution
 * lies about where the records do, which those in any other unit would not. */
static void
add_executions (StriaNtffPrograms *self)
{
  StriaNtffFile *file = self->file;
  guint64 margin = (file->last_ticks - MIN (file->first_ticks, file->last_ticks)) / 2 + 1;
  gboolean fits = file->info->n_execution_timeline > 0 && file->n_records > 0;
  g_autoptr (GHashTable) nodes = index_nodes (file);

  self->executions = g_array_new (FALSE, FALSE, sizeof (Execution));
  for (size_t i = 0; fits && i < file->info->n_execution_timeline; i++)
    {
      const Ntff__ExecutionInfo *info = file->info->execution_timeline[i];

      fits = info->start_timestamp <= info->end_timestamp
             && info->start_timestamp >= file->first_ticks - MIN (margin, file->first_ticks)
             && info->end_timestamp - MIN (margin, info->end_timestamp) <= file->last_ticks;
    }
  file->timeline_is_ticks = fits;
  if (!fits && file->info->n_execution_timeline > 0)
    stria_ntff_differs (file, "executions", -1, file->info->n_execution_timeline,
                        _ ("the times of executions are not those of the records; executions are"
                           " listed without times"));
  for (size_t i = 0; fits && i < file->info->n_execution_timeline; i++)
    {
      const Ntff__ExecutionInfo *info = file->info->execution_timeline[i];
      guint64 offset, length;
      g_autofree char *uid = stria_proto_reference (&info->uid, &offset, &length)
                                 ? stria_ntff_hex (file->message + offset, MIN (length, 64))
                                 : g_strdup ("");
      Execution execution = {
        info->start_timestamp, info->end_timestamp, (guint32)i,
        GPOINTER_TO_INT (g_hash_table_lookup (nodes, uid)) - 1,
      };

      g_array_append_val (self->executions, execution);
    }
  g_array_sort (self->executions, compare_executions);
}

static const Execution *
find_execution (const StriaNtffPrograms *self, guint64 ticks)
{
  guint low = 0, high = self->executions->len;
  const Execution *found;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->executions, Execution, middle).start <= ticks)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return NULL;
  found = &g_array_index (self->executions, Execution, low - 1);
  return ticks <= found->end ? found : NULL;
}

/* The graph of a node for a physical core; -1: none */
static gint32
graph_of (StriaNtffFile *self, const Ntff__NeffNodeInfo *node, guint32 pcore)
{
  gint32 only = -1;

  for (guint g = 0; g < self->graphs->len; g++)
    {
      const StriaNtffGraph *graph = &g_array_index (self->graphs, StriaNtffGraph, g);

      if (node != NULL && graph->node != node)
        continue;
      if (graph->pcore == pcore)
        {
          /* Without a node: only where there is no choice. */
          if (only >= 0 && node == NULL)
            return -1;
          only = (gint32)g;
        }
    }
  return only;
}

StriaNtffCode *
stria_ntff_programs_find (StriaNtffPrograms *self, const StriaNtffRing *ring,
                          StriaNtffEngine engine, guint64 ticks, gint32 *execution)
{
  gint32 graph = ring->graph;
  const Execution *ran = self->executions->len > 0 ? find_execution (self, ticks) : NULL;
  Program *program;

  *execution = ran != NULL ? (gint32)ran->number : -1;
  if (graph < 0 && ran != NULL && ran->node >= 0)
    graph = graph_of (self->file, self->file->info->neff_nodes[ran->node], ring->pcore);
  else if (graph < 0 && ran == NULL && self->file->info->n_neff_nodes == 1)
    graph = graph_of (self->file, NULL, ring->pcore);
  if (graph < 0)
    return NULL;
  program = &self->programs[graph];
  return stria_ntff_ring_is_core (ring)
             ? program->engines[engine]
             : g_hash_table_lookup (program->cores, GUINT_TO_POINTER (ring->engine_index));
}

/* --- where pc counts from --------------------------------------------------------------------- */

static void
sample_records (StriaNtffPrograms *self, const StriaNtffRing *ring, const guint8 *data, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      StriaNtffRecord record;
      StriaNtffCode *code;
      gint32 execution;

      stria_ntff_record_read (data + i * STRIA_NTFF_RECORD, &record);
      if (stria_ntff_record_kind (record.type) != STRIA_NTFF_RECORD_START)
        continue;
      code = stria_ntff_programs_find (self, ring, stria_ntff_record_engine (record.type),
                                       record.time, &execution);
      if (code != NULL)
        stria_ntff_code_sample (code, stria_ntff_record_pc (&record));
    }
}

static void
sample_ring (StriaNtffPrograms *self, const StriaNtffRing *ring)
{
  if (ring->refused
      || ring->kind != NTFF__NOTIFICATION_TRACE_TYPE__NOTIFICATION_TRACE_TYPE_INSTRUCTION)
    return;
  for (guint s = 0; s < ring->spans->len; s++)
    {
      const StriaNtffSpan *span = &g_array_index (ring->spans, StriaNtffSpan, s);
      gsize n = span->length / STRIA_NTFF_RECORD, head = MIN (n, SAMPLE);
      gsize tail = MIN (n - head, SAMPLE);

      sample_records (self, ring, span->data, head);
      sample_records (self, ring, span->data + (n - tail) * STRIA_NTFF_RECORD, tail);
    }
}

static void
tell_code (StriaNtffFile *file, guint graph, const char *what, StriaNtffCode *code,
           StriaNtffPcOrigin origin)
{
  static const char *const names[] = { "unknown", "zero", "start_address", "both" };
  guint64 n, zero, address;
  JsonObject *object;
  JsonNode *node;

  stria_ntff_code_samples (code, &n, &zero, &address);
  if (n > 0 && origin == STRIA_NTFF_PC_UNKNOWN)
    stria_ntff_differs (file, "pc", -1, n,
                        _ ("program counters of %s do not lead to instructions that it could run,"
                           " nor when counted from its start address; opcodes are left out"),
                        what);
  if (file->codes->len >= 1024)
    return;
  object = json_object_new ();
  json_object_set_int_member (object, "graph", graph);
  json_object_set_string_member (object, "engine", what);
  json_object_set_int_member (object, "words", (gint64)stria_ntff_code_n_words (code));
  json_object_set_int_member (object, "sampled", (gint64)n);
  json_object_set_int_member (object, "fit_from_zero", (gint64)zero);
  json_object_set_int_member (object, "fit_from_start_address", (gint64)address);
  json_object_set_string_member (object, "pc_origin", names[origin]);
  node = json_node_new (JSON_NODE_OBJECT);
  json_node_take_object (node, object);
  g_ptr_array_add (file->codes, node);
}

static void
settle (StriaNtffPrograms *self)
{
  for (guint g = 0; g < self->file->graphs->len; g++)
    {
      GHashTableIter iter;
      gpointer core, code;

      for (guint e = 0; e < STRIA_NTFF_N_ENGINES; e++)
        if (self->programs[g].engines[e] != NULL)
          tell_code (self->file, g, stria_ntff_engine_name (e), self->programs[g].engines[e],
                     stria_ntff_code_settle (self->programs[g].engines[e]));
      g_hash_table_iter_init (&iter, self->programs[g].cores);
      while (g_hash_table_iter_next (&iter, &core, &code))
        {
          g_autofree char *name = g_strdup_printf ("CC-core %u", GPOINTER_TO_UINT (core));

          tell_code (self->file, g, name, code, stria_ntff_code_settle (code));
        }
    }
}

static void
link_origins (StriaNtffPrograms *self, StriaNtffOrigins *origins)
{
  for (guint g = 0; g < self->file->graphs->len; g++)
    for (guint e = 0; e < STRIA_NTFF_N_ENGINES; e++)
      {
        StriaNtffGap gap;
        const StriaNeffListing *listing;

        if (self->programs[g].engines[e] == NULL)
          continue;
        listing = stria_ntff_origins_listing (
            origins, &g_array_index (self->file->graphs, StriaNtffGraph, g), e, &gap);
        stria_ntff_code_set_listing (self->programs[g].engines[e], listing, gap);
      }
}

StriaNtffPrograms *
stria_ntff_programs_new (StriaNtffFile *file, GPtrArray *rings, StriaNtffOrigins *origins)
{
  StriaNtffPrograms *self = g_new0 (StriaNtffPrograms, 1);

  self->file = file;
  self->programs = g_new0 (Program, MAX (file->graphs->len, 1));
  for (guint g = 0; g < file->graphs->len; g++)
    self->programs[g].cores = g_hash_table_new_full (NULL, NULL, NULL, code_free);
  add_code (self);
  add_patches (self);
  add_executions (self);
  for (guint i = 0; i < rings->len; i++)
    sample_ring (self, rings->pdata[i]);
  settle (self);
  link_origins (self, origins);
  return self;
}

void
stria_ntff_programs_free (StriaNtffPrograms *self)
{
  for (guint g = 0; g < self->file->graphs->len; g++)
    {
      for (guint e = 0; e < STRIA_NTFF_N_ENGINES; e++)
        stria_ntff_code_free (self->programs[g].engines[e]);
      g_hash_table_unref (self->programs[g].cores);
    }
  g_array_unref (self->executions);
  g_free (self->programs);
  g_free (self);
}

/* --- rows ------------------------------------------------------------------------------------- */

typedef struct
{
  StriaNtffFile *file;
  StriaNeuronRows *rows;
  guint32 graph;
  const char *engine;
  guint64 n;
} Words;

enum
{
  W_ENGINE, W_PCORE, W_GRAPH, W_POSITION, W_ADDRESS, W_OPCODE, W_NAME, W_DEBUG, W_HINT, W_OPERANDS,
  W_FUNCTION, W_REST,
};

/* Where operands lie is unknown: what is not decoded is shown as it is. */
static void
word_row (const guint8 *word, guint64 address, gboolean function, gpointer user_data)
{
  static const char *const names[]
      = { "engine:s", "pcore_idx:i", "graph:i", "position:i", "device_address:s", "opcode:s",
          "isa_name:s", "debug_cmd:i", "debug_hint:i", "wait_update:s", "function_section:b",
          "not_decoded:s", NULL };
  Words *self = user_data;
  const char *shown = stria_neuron_opcode_shown (word[0]);
  const char *name = stria_neuron_opcode_name (word[0]);
  char text[64];
  char rest[2 * (STRIA_NTFF_WORD - 12) + 1];

  if (self->rows == NULL)
    self->rows = stria_neuron_rows_new (self->file->emitter, "InstructionWord", names);
  stria_neuron_rows_text (self->rows, W_ENGINE, self->engine, -1);
  stria_neuron_rows_int (self->rows, W_PCORE,
                         g_array_index (self->file->graphs, StriaNtffGraph, self->graph).pcore);
  stria_neuron_rows_int (self->rows, W_GRAPH, self->graph);
  stria_neuron_rows_int (self->rows, W_POSITION, (gint64)self->n++);
  g_snprintf (text, sizeof text, "0x%" G_GINT64_MODIFIER "x", address);
  stria_neuron_rows_text (self->rows, W_ADDRESS, text, -1);
  g_snprintf (text, sizeof text, "0x%02X", word[0]);
  stria_neuron_rows_text (self->rows, W_OPCODE, shown != NULL ? shown : text, -1);
  if (name != NULL)
    stria_neuron_rows_text (self->rows, W_NAME, name, -1);
  stria_neuron_rows_int (self->rows, W_DEBUG, word[2]);
  stria_neuron_rows_int (self->rows, W_HINT, word[3]);
  stria_ntff_operands (word, text, sizeof text);
  if (text[0] != '\0')
    stria_neuron_rows_text (self->rows, W_OPERANDS, text, -1);
  stria_neuron_rows_int (self->rows, W_FUNCTION, function);
  for (guint i = 12; i < STRIA_NTFF_WORD; i++)
    {
      static const char digits[] = "0123456789abcdef";

      rest[2 * (i - 12)] = digits[word[i] >> 4];
      rest[2 * (i - 12) + 1] = digits[word[i] & 15];
    }
  stria_neuron_rows_text (self->rows, W_REST, rest, sizeof rest - 1);
  stria_neuron_rows_end (self->rows);
}

static void
word_rows (StriaNtffPrograms *self)
{
  Words words = { .file = self->file };

  for (guint32 g = 0; g < self->file->graphs->len; g++)
    for (guint e = 0; e < STRIA_NTFF_N_ENGINES; e++)
      {
        if (self->programs[g].engines[e] == NULL)
          continue;
        words.graph = g;
        words.engine = stria_ntff_engine_name (e);
        words.n = 0;
        stria_ntff_code_foreach (self->programs[g].engines[e], word_row, &words);
        stria_mapped_drop (self->file->bytes, 0, self->file->bytes->length);
      }
  g_clear_pointer (&words.rows, stria_neuron_rows_free);
}

static guint
n_graphs_of (StriaNtffFile *file, const Ntff__NeffNodeInfo *node)
{
  return node->nd_node != NULL ? (guint)MIN (node->nd_node->n_graphs, G_MAXINT) : 0;
}

static gint64
execution_ns (const StriaNtffPrograms *self, guint64 ticks)
{
  StriaNtffClock clock = { 0 };
  gint64 ns;

  for (guint g = 0; g < self->file->graphs->len; g++)
    {
      const Ntff__SubgraphInfo *info = g_array_index (self->file->graphs, StriaNtffGraph, g).info;

      if (info->timestamp_info == NULL || info->timestamp_info->tpb_pe == NULL)
        continue;
      clock = stria_ntff_clock_make (info->timestamp_info->tpb_pe->init_timestamp,
                                     info->timestamp_info->tpb_pe->actual_timestamp_inc,
                                     info->timestamp_info->tpb_pe->expected_timestamp_inc);
      break;
    }
  ns = stria_ntff_clock_ns (&clock, ticks);
  return __builtin_sub_overflow (ns, self->file->zero_ns, &ns) ? G_MAXINT64 : ns;
}

enum
{
  X_INDEX, X_START, X_END, X_GRAPHS, X_UID, X_RAW_START, X_RAW_END, X_LATENCY,
};

static void
execution_rows (StriaNtffPrograms *self)
{
  static const char *const names[]
      = { "execution_index", "execution_start_ts", "execution_end_ts", "num_subgraphs",
          "neff_uid:s", "start_timestamp:i", "end_timestamp:i", "runtime_latency:f", NULL };
  const Ntff__NtffInfo *info = self->file->info;
  g_autoptr (GHashTable) nodes = index_nodes (self->file);
  StriaNeuronRows *rows = stria_neuron_rows_new (self->file->emitter, "ExecutionInfo", names);
  guint64 offset, length;

  for (size_t i = 0; i < info->n_execution_timeline; i++)
    {
      const Ntff__ExecutionInfo *execution = info->execution_timeline[i];

      stria_neuron_rows_int (rows, X_INDEX, (gint64)i);
      if (self->file->timeline_is_ticks)
        {
          stria_neuron_rows_int (rows, X_START, execution_ns (self, execution->start_timestamp));
          stria_neuron_rows_int (rows, X_END, execution_ns (self, execution->end_timestamp));
        }
      stria_neuron_rows_int (rows, X_RAW_START, (gint64)execution->start_timestamp);
      stria_neuron_rows_int (rows, X_RAW_END, (gint64)execution->end_timestamp);
      if (stria_proto_reference (&execution->uid, &offset, &length))
        {
          g_autofree char *uid = stria_ntff_hex (self->file->message + offset, MIN (length, 64));
          gsize node = GPOINTER_TO_SIZE (g_hash_table_lookup (nodes, uid));

          stria_neuron_rows_text (rows, X_UID, uid, -1);
          if (node > 0)
            stria_neuron_rows_int (rows, X_GRAPHS,
                                   n_graphs_of (self->file, info->neff_nodes[node - 1]));
        }
      stria_neuron_rows_end (rows);
    }
  /* Without a timeline the file is one execution of one program (documented). */
  for (size_t i = 0; info->n_execution_timeline == 0 && i < info->n_neff_nodes; i++)
    {
      const Ntff__NeffNodeInfo *node = info->neff_nodes[i];

      if (node->nd_node == NULL)
        continue;
      stria_neuron_rows_int (rows, X_INDEX, (gint64)i);
      stria_neuron_rows_int (rows, X_GRAPHS, n_graphs_of (self->file, node));
      if (stria_proto_reference (&node->uid, &offset, &length))
        {
          g_autofree char *uid = stria_ntff_hex (self->file->message + offset, MIN (length, 64));

          stria_neuron_rows_text (rows, X_UID, uid, -1);
        }
      if (node->has_runtime_latency)
        stria_neuron_rows_real (rows, X_LATENCY, node->runtime_latency);
      stria_neuron_rows_end (rows);
    }
  stria_neuron_rows_free (rows);
}

void
stria_ntff_program_rows (StriaNtffPrograms *self)
{
  execution_rows (self);
  word_rows (self);
}
