/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-ntff-ring.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "stria-error.h"
#include "stria-neuron-opcodes.h"

/* Texts of operands that are kept for the next instruction with the same wait and update */
#define KNOWN_OPERANDS 4096
#define PROGRESS_RECORDS ((guint64) 64 << 10)

enum
{
  I_START, I_END, I_DURATION, I_ENGINE, I_TRACK, I_PCORE, I_OPCODE, I_OPERANDS, I_ID, I_PC,
  I_COMPILER_PC, I_CRC_IN, I_CRC_OUT, I_WAIT, I_FUNCTION, I_EXECUTION, I_REPAIR,
  I_ORIGIN,
};
/* evt_wait_num_cycles would be evt_wait_time_ns if the clock of its cycles were known. */
static const char *const instruction_columns[]
    = { "start_ts", "end_ts", "duration_ns", "engine", "timeline_track", "pcore_idx", "opcode",
        "operands", "id", "pc", "compiler_pc", "crc_in", "crc_out", "evt_wait_cycles:i",
        "function_section:b", "execution_index:i", "repair:s", STRIA_NTFF_ORIGIN_COLUMNS, NULL };

enum
{
  T_START, T_END, T_DURATION, T_CORE, T_DESCRIPTION, T_PC, T_REPAIR,
};
static const char *const cc_columns[] = { "start_ts", "end_ts", "duration_ns", "core_idx",
                                          "description", "pc:i", "repair:s", NULL };

enum
{
  S_TIME, S_ID, S_VALUE, S_SOURCE, S_DOUBLE, S_MODE, S_OPERATION, S_TIMING, S_PCORE, S_SEMAPHORE,
};
static const char *const semaphore_columns[]
    = { "timestamp", "id", "value", "update_source", "double_set_or_clear", "update_mode",
        "update_operation_type", "update_trigger_timing", "pcore_idx", "is_semaphore:b", NULL };

enum
{
  E_DESCRIPTION, E_ID, E_METADATA, E_PCORE, E_TIME, E_RECORD, E_GROUP, E_BLOCK, E_CAUSE,
  E_LOW, E_HIGH,
};
static const char *const error_columns[]
    = { "description", "error_type_id", "metadata", "pcore_idx", "timestamp", "record:s", "group:i",
        "block_id:i", "cause_bits:i", "metadata_low:i", "metadata_high:i", NULL };

/* What the bits of a throttling record mean is unknown: they are kept as they are. */
enum
{
  H_TIME, H_PCORE, H_METADATA_0, H_METADATA_1, H_METADATA_2,
};
static const char *const throttle_columns[]
    = { "timestamp", "pcore_idx", "metadata_0:i", "metadata_1:i", "metadata_2:i", NULL };

enum
{
  N_TIME, N_ENGINE, N_PCORE, N_PC, N_HINT, N_EXTENDED, N_RESET, N_STATUS, N_MEANING, N_CORE,
};
static const char *const explicit_columns[]
    = { "timestamp:i", "engine:s", "pcore_idx:i", "pc:i", "debug_hint:i", "debug_hint_extended:i",
        "soft_reset_counter:i", "is_status:b", "meaning:s", "cc_core_idx:i", NULL };

enum
{
  G_TIME, G_ENGINE, G_PCORE, G_PC, G_MAP, G_GROUP, G_PACKETS, G_INFERRED,
};
static const char *const dge_columns[]
    = { "timestamp:i", "engine:s", "pcore_idx:i", "pc:i", "dma_map:i", "dma_group_id:i",
        "num_packets:i", "pc_inferred:b", NULL };

typedef enum
{
  ROWS_INSTRUCTION,
  ROWS_CC,
  ROWS_SEMAPHORE,
  ROWS_ERROR,
  ROWS_THROTTLE,
  ROWS_EXPLICIT,
  ROWS_DGE,
  N_ROWS,
} Rows;

static const struct
{
  const char *table;
  const char *const *columns;
} tables[N_ROWS] = {
  { "Instruction", instruction_columns },
  { "CcInstruction", cc_columns },
  { "SemaphoreUpdate", semaphore_columns },
  { "Error", error_columns },
  { "Throttle", throttle_columns },
  { "ExplicitNotification", explicit_columns },
  { "DgeNotification", dge_columns },
};

typedef struct
{
  guint32 key;
  guint32 value;
  gboolean used;
  char text[64];
} Operands;

typedef struct
{
  StriaNtffFile *file;
  StriaNtffOrigins *origins;
  StriaNtffPrograms *programs;
  StriaNtffDma *dma;
  StriaNeuronRows *rows[N_ROWS];
  Operands operands[KNOWN_OPERANDS];

  const StriaNtffRing *ring;
  StriaNtffPairs *pairs[STRIA_NTFF_N_ENGINES];
  guint64 n_read;

  guint64 n_instructions;
  guint64 n_without_start;
  guint64 n_without_end;
  guint64 n_evicted;
  guint64 n_without_word;
  guint64 n_odd_opcodes;
  guint64 n_odd_modes;
  guint64 n_semaphores;
  guint64 n_odd_updates;
  guint64 n_without_compiler_pc;
} Device;

static StriaNeuronRows *
rows_of (Device *self, Rows which)
{
  if (self->rows[which] == NULL)
    self->rows[which] = stria_neuron_rows_new (self->file->emitter, tables[which].table,
                                               tables[which].columns);
  return self->rows[which];
}

/* --- instructions ----------------------------------------------------------------------------- */

static const char *
operands_of (Device *self, const guint8 *word)
{
  guint32 key, value;
  Operands *known;

  memcpy (&key, word + 4, 4);
  memcpy (&value, word + 8, 4);
  if (word[4] == 0 && word[6] == 0)
    return NULL;
  known = &self->operands[((key | (guint64)value << 32) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15)
                           >> 32) % KNOWN_OPERANDS];
  if (!known->used || known->key != key || known->value != value)
    {
      known->used = TRUE;
      known->key = key;
      known->value = value;
      self->n_odd_modes += !stria_ntff_operands (word, known->text, sizeof known->text);
    }
  return known->text[0] != '\0' ? known->text : NULL;
}

static const char *
opcode_of (Device *self, const guint8 *word, char number[8])
{
  const char *shown = stria_neuron_opcode_shown (word[0]);

  if (shown != NULL)
    return shown;
  self->n_odd_opcodes++;
  g_snprintf (number, 8, "0x%02X", word[0]);
  return number;
}

/* Whether there is a program and it is known how pcs lead into it */
static gboolean
is_settled (const StriaNtffCode *code)
{
  return code != NULL && stria_ntff_code_origin (code) != STRIA_NTFF_PC_UNKNOWN;
}

static void
put_span (StriaNeuronRows *rows, gint64 start, gint64 end)
{
  stria_neuron_rows_int (rows, I_START, start);
  stria_neuron_rows_int (rows, I_END, end);
  stria_neuron_rows_int (rows, I_DURATION, end - start);
}

static void
put_word (Device *self, StriaNeuronRows *rows, StriaNtffCode *code, StriaNtffEngine engine,
          guint32 pc)
{
  gboolean function = FALSE;
  const guint8 *word = code != NULL ? stria_ntff_code_word (code, pc, &function) : NULL;
  const char *opcode, *operands;
  char number[8];
  guint32 compiler_pc;
  gint64 place = -1;

  if (word == NULL)
    {
      self->n_without_word += is_settled (code);
      stria_ntff_origins_put (self->origins, rows, I_ORIGIN, code, -1);
      return;
    }
  opcode = opcode_of (self, word, number);
  operands = operands_of (self, word);
  stria_neuron_rows_text (rows, I_OPCODE, opcode, -1);
  /* A weight load overlaps the multiplication before it: two lanes (documented). */
  if (engine == STRIA_NTFF_PE)
    stria_neuron_rows_text (rows, I_TRACK,
                            g_str_has_prefix (opcode, "MATMUL") ? "TensorMatrix" : "Tensor", -1);
  if (operands != NULL)
    stria_neuron_rows_text (rows, I_OPERANDS, operands, -1);
  if (function)
    stria_neuron_rows_int (rows, I_FUNCTION, TRUE);
  else if (stria_ntff_code_compiler_pc (code, pc, &compiler_pc))
    stria_neuron_rows_int (rows, I_COMPILER_PC, place = compiler_pc);
  else
    self->n_without_compiler_pc++;
  stria_ntff_origins_put (self->origins, rows, I_ORIGIN, code, place);
}

/* @crc: of the END record; -1: there was none. @wait: of the START record; -1: there was none */
static void
put_instruction (Device *self, StriaNtffEngine engine, guint32 pc, guint64 ticks, gint64 start,
                 gint64 end, gint64 wait, gint64 crc, const char *repair)
{
  StriaNeuronRows *rows = rows_of (self, ROWS_INSTRUCTION);
  gint32 execution;
  StriaNtffCode *code = stria_ntff_programs_find (self->programs, self->ring, engine, ticks,
                                                  &execution);

  put_span (rows, start, end);
  stria_neuron_rows_text (rows, I_ENGINE, stria_ntff_engine_name (engine), -1);
  stria_neuron_rows_int (rows, I_PCORE, self->ring->pcore);
  stria_neuron_rows_int (rows, I_ID, (gint64)self->n_instructions++);
  stria_neuron_rows_int (rows, I_PC, pc);
  put_word (self, rows, code, engine, pc);
  if (crc >= 0)
    {
      stria_neuron_rows_int (rows, I_CRC_IN, crc & 0xFFFF);
      stria_neuron_rows_int (rows, I_CRC_OUT, crc >> 16);
    }
  if (wait >= 0)
    stria_neuron_rows_int (rows, I_WAIT, wait);
  if (execution >= 0)
    stria_neuron_rows_int (rows, I_EXECUTION, execution);
  if (repair != NULL)
    stria_neuron_rows_text (rows, I_REPAIR, repair, -1);
  stria_neuron_rows_end (rows);
}

static void
put_cc (Device *self, StriaNtffEngine engine, guint32 pc, guint64 ticks, gint64 start, gint64 end,
        const char *repair)
{
  StriaNeuronRows *rows = rows_of (self, ROWS_CC);
  gint32 execution;
  StriaNtffCode *code = stria_ntff_programs_find (self->programs, self->ring, engine, ticks,
                                                  &execution);
  gboolean function;
  const guint8 *word = code != NULL ? stria_ntff_code_word (code, pc, &function) : NULL;
  char number[8];

  put_span (rows, start, end);
  stria_neuron_rows_int (rows, T_CORE, self->ring->engine_index);
  if (word != NULL)
    stria_neuron_rows_text (rows, T_DESCRIPTION, opcode_of (self, word, number), -1);
  else
    self->n_without_word += is_settled (code);
  stria_neuron_rows_int (rows, T_PC, pc);
  if (repair != NULL)
    stria_neuron_rows_text (rows, T_REPAIR, repair, -1);
  stria_neuron_rows_end (rows);
}

/* @ticks: of the record that made it a span, which tells the execution */
static void
put_pair (Device *self, StriaNtffEngine engine, guint32 pc, guint64 ticks, gint64 start, gint64 end,
          gint64 wait, gint64 crc, const char *repair)
{
  if (stria_ntff_ring_is_core (self->ring))
    put_instruction (self, engine, pc, ticks, start, end, wait, crc, repair);
  else
    put_cc (self, engine, pc, ticks, start, end, repair);
}

static void
put_open (Device *self, StriaNtffEngine engine, const StriaNtffOpen *open, guint64 ticks)
{
  self->n_without_end++;
  put_pair (self, engine, open->key, ticks, open->start_ns, self->file->end_ns, open->extra, -1,
            "no end: drawn to the end of the trace");
}

static void
begin_instruction (Device *self, const StriaNtffRecord *record, gint64 ns)
{
  StriaNtffEngine engine = stria_ntff_record_engine (record->type);
  StriaNtffOpen open = { ns, stria_ntff_record_pc (record), record->body1 >> 16 }, evicted;

  if (self->pairs[engine] == NULL)
    self->pairs[engine] = stria_ntff_pairs_new ();
  if (stria_ntff_pairs_begin (self->pairs[engine], &open, &evicted))
    {
      self->n_evicted++;
      put_open (self, engine, &evicted, record->time);
    }
}

static void
end_instruction (Device *self, const StriaNtffRecord *record, gint64 ns)
{
  StriaNtffEngine engine = stria_ntff_record_engine (record->type);
  StriaNtffOpen open;
  guint32 pc = stria_ntff_record_pc (record);
  gint64 crc = record->body1;

  if (self->pairs[engine] != NULL && stria_ntff_pairs_end (self->pairs[engine], pc, &open))
    put_pair (self, engine, pc, record->time, open.start_ns, ns, open.extra, crc, NULL);
  else
    {
      self->n_without_start++;
      put_pair (self, engine, pc, record->time, ns, ns, -1, crc, "no start: a point at its end");
    }
}

/* --- other records ---------------------------------------------------------------------------- */

static void
put_dge (Device *self, const StriaNtffRecord *record, gint64 ns)
{
  StriaNeuronRows *rows = rows_of (self, ROWS_DGE);
  StriaNtffEngine engine = stria_ntff_record_engine (record->type);
  guint32 pc = stria_ntff_record_pc (record);
  gboolean infer = (record->body1 >> 30 & 1) != 0, has_pc = !infer;

  /* The record is of the instruction that began last. */
  if (infer && self->pairs[engine] != NULL)
    has_pc = stria_ntff_pairs_last (self->pairs[engine], &pc);
  stria_neuron_rows_int (rows, G_TIME, ns);
  stria_neuron_rows_text (rows, G_ENGINE, stria_ntff_engine_name (engine), -1);
  stria_neuron_rows_int (rows, G_PCORE, self->ring->pcore);
  if (has_pc)
    stria_neuron_rows_int (rows, G_PC, pc);
  stria_neuron_rows_int (rows, G_MAP, record->body1 & 0xFFFF);
  stria_neuron_rows_int (rows, G_GROUP, record->body1 >> 31);
  stria_neuron_rows_int (rows, G_PACKETS, stria_ntff_record_dge_packets (record));
  stria_neuron_rows_int (rows, G_INFERRED, infer);
  stria_neuron_rows_end (rows);
}

static void
put_explicit (Device *self, const StriaNtffRecord *record, gint64 ns)
{
  StriaNeuronRows *rows = rows_of (self, ROWS_EXPLICIT);
  guint extended = record->body1 >> 16;
  const char *meaning = self->ring->is_status ? stria_ntff_status_name (extended) : NULL;

  stria_neuron_rows_int (rows, N_TIME, ns);
  stria_neuron_rows_text (rows, N_ENGINE,
                          stria_ntff_engine_name (stria_ntff_record_engine (record->type)), -1);
  stria_neuron_rows_int (rows, N_PCORE, self->ring->pcore);
  stria_neuron_rows_int (rows, N_PC, stria_ntff_record_pc (record));
  stria_neuron_rows_int (rows, N_HINT, stria_ntff_record_hint (record));
  stria_neuron_rows_int (rows, N_EXTENDED, extended);
  stria_neuron_rows_int (rows, N_RESET, record->body1 & 0xFFFF);
  stria_neuron_rows_int (rows, N_STATUS, self->ring->is_status);
  if (meaning != NULL)
    stria_neuron_rows_text (rows, N_MEANING, meaning, -1);
  if (!stria_ntff_ring_is_core (self->ring))
    stria_neuron_rows_int (rows, N_CORE, self->ring->engine_index);
  stria_neuron_rows_end (rows);
}

/* That update_mode is the third byte is inferred: its values have to be known ones. */
static void
put_semaphore (Device *self, const StriaNtffRecord *record, gint64 ns)
{
  StriaNeuronRows *rows = rows_of (self, ROWS_SEMAPHORE);
  guint mode = record->body0 >> 16;
  const char *operation = NULL, *timing = NULL;
  gboolean known = stria_ntff_update_name (mode, &operation, &timing);
  gboolean is_bus = record->type == 0x1B;

  self->n_semaphores++;
  self->n_odd_updates += !known;
  stria_neuron_rows_int (rows, S_TIME, ns);
  stria_neuron_rows_int (rows, S_ID, record->body0 & 0xFF);
  stria_neuron_rows_int (rows, S_VALUE, (gint32)record->body1);
  stria_neuron_rows_text (
      rows, S_SOURCE,
      is_bus ? "AXI" : stria_ntff_engine_name (stria_ntff_record_engine (record->type)), -1);
  stria_neuron_rows_int (rows, S_DOUBLE, record->body0 >> 9 & 1);
  stria_neuron_rows_int (rows, S_MODE, mode);
  stria_neuron_rows_text (rows, S_OPERATION, known ? operation : "unknown", -1);
  if (timing != NULL)
    stria_neuron_rows_text (rows, S_TIMING, timing, -1);
  stria_neuron_rows_int (rows, S_PCORE, self->ring->pcore);
  stria_neuron_rows_int (rows, S_SEMAPHORE, record->body0 >> 8 & 1);
  stria_neuron_rows_end (rows);
}

static void
put_tpb_error (Device *self, const StriaNtffRecord *record, gint64 ns)
{
  StriaNeuronRows *rows = rows_of (self, ROWS_ERROR);
  guint id = record->body0 & 0xFF;
  const char *name = stria_ntff_error_name (id);
  char text[64];

  g_snprintf (text, sizeof text, "error %u", id);
  stria_neuron_rows_text (rows, E_DESCRIPTION, name != NULL ? name : text, -1);
  stria_neuron_rows_int (rows, E_ID, id);
  /* The sequencer's two: block, program counter, info (recovered) */
  if (id == 9 || id == 10)
    {
      g_snprintf (text, sizeof text, "block %u pc %u info 0x%02x", record->body1 & 15,
                  record->body1 >> 4 & 0xFFF, record->body1 >> 16 & 0xFF);
      stria_neuron_rows_text (rows, E_METADATA, text, -1);
    }
  stria_neuron_rows_int (rows, E_PCORE, self->ring->pcore);
  stria_neuron_rows_int (rows, E_TIME, ns);
  stria_neuron_rows_text (rows, E_RECORD, "tpb_error", -1);
  stria_neuron_rows_int (rows, E_LOW, record->body0 >> 8);
  stria_neuron_rows_int (rows, E_HIGH, record->body1);
  stria_neuron_rows_end (rows);
}

static void
put_error (Device *self, const StriaNtffRecord *record, gint64 ns)
{
  StriaNeuronRows *rows = rows_of (self, ROWS_ERROR);
  gboolean warning = (record->body0 >> 3 & 1) != 0;
  guint group = record->body0 & 7;
  guint block = warning ? record->body0 >> 8 & 0x3FF : record->body0 >> 4 & 0x3FF;
  char text[64];

  g_snprintf (text, sizeof text, "%s, group %u, block %u", warning ? "warning" : "interrupt", group,
              block);
  stria_neuron_rows_text (rows, E_DESCRIPTION, text, -1);
  stria_neuron_rows_int (rows, E_PCORE, self->ring->pcore);
  stria_neuron_rows_int (rows, E_TIME, ns);
  stria_neuron_rows_text (rows, E_RECORD, warning ? "warning" : "interrupt", -1);
  stria_neuron_rows_int (rows, E_GROUP, group);
  stria_neuron_rows_int (rows, E_BLOCK, block);
  if (warning)
    {
      stria_neuron_rows_int (rows, E_LOW,
                             (record->body0 >> 4 & 15) | (record->body0 >> 18 & 0x3F) << 4);
      stria_neuron_rows_int (rows, E_HIGH, record->body1);
    }
  else
    stria_neuron_rows_int (rows, E_CAUSE, record->body1);
  stria_neuron_rows_end (rows);
}

static void
put_throttle (Device *self, const StriaNtffRecord *record, gint64 ns)
{
  StriaNeuronRows *rows = rows_of (self, ROWS_THROTTLE);

  stria_neuron_rows_int (rows, H_TIME, ns);
  stria_neuron_rows_int (rows, H_PCORE, self->ring->pcore);
  stria_neuron_rows_int (rows, H_METADATA_0, record->body0 & 0xFFFF);
  stria_neuron_rows_int (rows, H_METADATA_1, record->body0 >> 16);
  stria_neuron_rows_int (rows, H_METADATA_2, record->body1);
  stria_neuron_rows_end (rows);
}

static void
put_record (Device *self, const StriaNtffRecord *record)
{
  gint64 ns = stria_ntff_ring_ns (self->file, self->ring, record);

  if (!stria_ntff_is_legal (self->ring->kind, record->type))
    return;
  switch (stria_ntff_record_kind (record->type))
    {
    case STRIA_NTFF_RECORD_START:
      begin_instruction (self, record, ns);
      break;
    case STRIA_NTFF_RECORD_END:
      end_instruction (self, record, ns);
      break;
    case STRIA_NTFF_RECORD_EXPLICIT:
      if (!self->ring->is_status && stria_ntff_record_hint (record) == STRIA_NTFF_HINT_DGE)
        put_dge (self, record, ns);
      else
        put_explicit (self, record, ns);
      break;
    case STRIA_NTFF_RECORD_EVT_SEM:
      put_semaphore (self, record, ns);
      break;
    case STRIA_NTFF_RECORD_DMA:
      stria_ntff_dma_record (self->dma, record, ns);
      break;
    case STRIA_NTFF_RECORD_ERROR:
      put_error (self, record, ns);
      break;
    case STRIA_NTFF_RECORD_HAM:
      put_throttle (self, record, ns);
      break;
    case STRIA_NTFF_RECORD_TPB_ERROR:
      put_tpb_error (self, record, ns);
      break;
    case STRIA_NTFF_RECORD_NONE:
    default:
      break;
    }
}

/* --- rings ------------------------------------------------------------------------------------ */

static void
end_pairs (Device *self)
{
  for (guint engine = 0; engine < STRIA_NTFF_N_ENGINES; engine++)
    {
      StriaNtffOpen open;

      while (self->pairs[engine] != NULL && stria_ntff_pairs_pop (self->pairs[engine], &open))
        put_open (self, engine, &open, self->file->last_ticks);
      g_clear_pointer (&self->pairs[engine], stria_ntff_pairs_free);
    }
}

static gboolean
read_ring (Device *self, const StriaNtffRing *ring, GError **error)
{
  StriaDecodeContext *context = self->file->context;
  StriaNtffMerge *merge = stria_ntff_merge_new ((const StriaNtffSpan *)ring->spans->data,
                                                ring->spans->len, &ring->survey, error);
  StriaNtffRecord record;
  guint64 n = 0;

  if (merge == NULL)
    return FALSE;
  self->ring = ring;
  stria_ntff_dma_begin (self->dma, ring);
  while (stria_ntff_merge_next (merge, &record))
    {
      put_record (self, &record);
      n++;
      if (++self->n_read % STRIA_NTFF_DROP_RECORDS == 0)
        stria_mapped_drop (self->file->bytes, 0, self->file->bytes->length);
      if (self->n_read % PROGRESS_RECORDS != 0)
        continue;
      if (context->progress != NULL)
        context->progress (MIN (self->n_read * STRIA_NTFF_RECORD, self->file->bytes->length),
                           self->n_read, context->user_data);
      if (g_cancellable_set_error_if_cancelled (context->cancellable, error))
        break;
    }
  stria_ntff_merge_free (merge);
  stria_ntff_dma_end (self->dma);
  end_pairs (self);
  if (g_cancellable_is_cancelled (context->cancellable))
    return FALSE;
  if (n != ring->survey.n_records)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED,
                   _ ("%s: %" PRIu64 " of %" PRIu64 " records could not be read again"),
                   context->name, ring->survey.n_records - n, ring->survey.n_records);
      return FALSE;
    }
  return TRUE;
}

static void
tell (Device *self)
{
  StriaNtffFile *file = self->file;

  if (self->n_without_start > 0)
    stria_ntff_differs (file, "start", -1, self->n_without_start,
                        _ ("%" PRIu64 " instructions end without a start; shown as points"),
                        self->n_without_start);
  if (self->n_without_end > 0)
    stria_ntff_differs (file, "end", -1, self->n_without_end,
                        _ ("%" PRIu64 " instructions start without an end; drawn to the end of the"
                           " trace"),
                        self->n_without_end);
  if (self->n_evicted > 0)
    stria_ntff_differs (file, "open", -1, self->n_evicted,
                        _ ("more than %u instructions of an engine were open at once"),
                        STRIA_NTFF_MAX_OPEN);
  if (self->n_without_word > 0)
    stria_ntff_differs (file, "word", -1, self->n_without_word,
                        _ ("program counters of %" PRIu64 " instructions lie outside the program"),
                        self->n_without_word);
  if (self->n_odd_opcodes > 0)
    stria_ntff_differs (file, "opcode", -1, self->n_odd_opcodes,
                        _ ("opcodes of %" PRIu64 " instructions are not known; shown as numbers"),
                        self->n_odd_opcodes);
  if (self->n_odd_modes > 0)
    stria_ntff_differs (file, "wait", -1, self->n_odd_modes,
                        _ ("%" PRIu64 " waits or updates of instructions are not known"),
                        self->n_odd_modes);
  if (self->n_odd_updates > 0)
    stria_ntff_differs (file, "update-mode", -1, self->n_odd_updates,
                        _ ("%" PRIu64 " of %" PRIu64 " semaphore records have an update mode"
                           " that is not known"),
                        self->n_odd_updates, self->n_semaphores);
  if (self->n_without_compiler_pc > 0)
    stria_ntff_differs (file, "patch", -1, self->n_without_compiler_pc,
                        _ ("%" PRIu64 " instructions were put in by the runtime, or its list of"
                           " edits can be read in two ways; they have no compiler_pc"),
                        self->n_without_compiler_pc);
}

gboolean
stria_ntff_device_rows (StriaNtffFile *file, GError **error)
{
  g_autoptr (GPtrArray) rings = stria_ntff_rings_new (file);
  g_autofree Device *self = g_new0 (Device, 1);
  gboolean ok;

  self->file = file;
  self->origins = stria_ntff_origins_new (file, error);
  if (self->origins == NULL)
    return FALSE;
  ok = !g_cancellable_set_error_if_cancelled (file->context->cancellable, error);
  self->dma = stria_ntff_dma_new (file);
  self->programs = stria_ntff_programs_new (file, rings, self->origins);
  for (guint i = 0; ok && i < rings->len; i++)
    {
      const StriaNtffRing *ring = rings->pdata[i];

      if (!ring->refused)
        ok = read_ring (self, ring, error);
    }
  if (ok)
    tell (self);
  if (ok)
    stria_ntff_program_rows (self->programs);
  stria_ntff_dma_free (self->dma);
  stria_ntff_programs_free (self->programs);
  stria_ntff_origins_free (self->origins);
  for (guint i = 0; i < N_ROWS; i++)
    g_clear_pointer (&self->rows[i], stria_neuron_rows_free);
  return ok;
}
