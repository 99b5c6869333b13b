/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-neuron-opcodes.h"
#include "stria-ntff-private.h"

/* --- records ---------------------------------------------------------------------------------- */

static void
put_record (GByteArray *out, guint8 header, guint32 body0, guint32 body1, guint64 time)
{
  guint8 bytes[STRIA_NTFF_RECORD];

  for (guint i = 0; i < 3; i++)
    bytes[i] = (guint8)(body0 >> (8 * i));
  bytes[3] = header;
  for (guint i = 0; i < 4; i++)
    bytes[4 + i] = (guint8)(body1 >> (8 * i));
  for (guint i = 0; i < 8; i++)
    bytes[8 + i] = (guint8)(time >> (8 * i));
  g_byte_array_append (out, bytes, sizeof bytes);
}

static void
test_record (void)
{
  static const guint8 bytes[] = { 0x45, 0x23, 0xA1, 0xE9, 0x44, 0x33, 0x22, 0x11,
                                  1,    2,    3,    4,    5,    6,    7,    8 };
  StriaNtffRecord record;

  stria_ntff_record_read (bytes, &record);
  g_assert_cmphex (record.type, ==, 0x09);
  g_assert_true (record.lost_before && record.lost_after && record.phase);
  g_assert_cmphex (record.body0, ==, 0xA12345);
  g_assert_cmphex (record.body1, ==, 0x11223344);
  g_assert_cmphex (record.time, ==, 0x0807060504030201);
  g_assert_cmphex (stria_ntff_record_pc (&record), ==, 0x12345);
  g_assert_cmphex (stria_ntff_record_hint (&record), ==, 0xA);
  g_assert_cmpuint (stria_ntff_record_dge_packets (&record), ==, 0x122);
}

static void
test_kinds (void)
{
  static const StriaNtffRecordKind four[]
      = { STRIA_NTFF_RECORD_START, STRIA_NTFF_RECORD_END, STRIA_NTFF_RECORD_EXPLICIT,
          STRIA_NTFF_RECORD_EVT_SEM };
  static const guint8 unassigned[] = { 0x00, 0x01, 0x18, 0x19, 0x1A, 0x1C, 0x1D };

  for (guint8 type = 0x04; type <= 0x17; type++)
    {
      g_assert_cmpint (stria_ntff_record_kind (type), ==, four[type % 4]);
      g_assert_cmpint (stria_ntff_record_engine (type), ==, type / 4 - 1);
      g_assert_true (stria_ntff_is_legal (0, type));
      g_assert_false (stria_ntff_is_legal (4, type));
    }
  for (guint i = 0; i < G_N_ELEMENTS (unassigned); i++)
    g_assert_cmpint (stria_ntff_record_kind (unassigned[i]), ==, STRIA_NTFF_RECORD_NONE);
  g_assert_cmpint (stria_ntff_record_kind (0x02), ==, STRIA_NTFF_RECORD_DMA);
  g_assert_cmpint (stria_ntff_record_kind (0x03), ==, STRIA_NTFF_RECORD_ERROR);
  g_assert_cmpint (stria_ntff_record_kind (0x1B), ==, STRIA_NTFF_RECORD_EVT_SEM);
  g_assert_cmpint (stria_ntff_record_kind (0x1E), ==, STRIA_NTFF_RECORD_HAM);
  g_assert_cmpint (stria_ntff_record_kind (0x1F), ==, STRIA_NTFF_RECORD_TPB_ERROR);
}

static void
test_names (void)
{
  static const guint odd[] = { 6, 8, 16, 26 };
  const char *operation = NULL, *timing = NULL;

  g_assert_cmpstr (stria_ntff_engine_name (STRIA_NTFF_POOL), ==, "GpSimd");
  g_assert_cmpstr (stria_ntff_error_name (8), ==, "PSUM_COLLISION");
  g_assert_null (stria_ntff_error_name (11));
  g_assert_cmpstr (stria_ntff_wait_name (15), ==, "evt_clear_then_set");
  g_assert_null (stria_ntff_wait_name (8));
  g_assert_true (stria_ntff_update_name (23, &operation, &timing));
  g_assert_cmpstr (operation, ==, "sem_sub_imm");
  g_assert_cmpstr (timing, ==, "complete");
  g_assert_true (stria_ntff_update_name (2, &operation, &timing));
  g_assert_cmpstr (operation, ==, "evt_clr");
  g_assert_cmpstr (timing, ==, "read");
  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    g_assert_false (stria_ntff_update_name (odd[i], &operation, &timing));
}

/* --- clock ------------------------------------------------------------------------------------ */

static void
test_clock (void)
{
  StriaNtffClock same = stria_ntff_clock_make (1000000, 5, 5);
  StriaNtffClock none = stria_ntff_clock_make (0, 0, 7);
  StriaNtffClock fast = stria_ntff_clock_make (1000, 3, 4);
  StriaNtffClock huge = stria_ntff_clock_make (0, 1, G_MAXUINT32);

  g_assert_cmpint (stria_ntff_clock_ns (&same, 1001999), ==, 1);
  g_assert_cmpint (stria_ntff_clock_ns (&same, 999999), ==, -1);
  g_assert_cmpint (stria_ntff_clock_ns (&same, 0), ==, -1000);
  g_assert_cmpint (stria_ntff_clock_ns (&none, G_MAXUINT64), ==,
                   (gint64)(G_MAXUINT64 / 1000));
  g_assert_cmpint (stria_ntff_clock_ns (&fast, 1000 + 3000), ==, 4);
  g_assert_cmpint (stria_ntff_clock_ns (&fast, G_GUINT64_CONSTANT (3000000000001000)), ==,
                   G_GINT64_CONSTANT (4000000000000));
  g_assert_cmpint (stria_ntff_clock_ns (&huge, G_MAXUINT64), ==, G_MAXINT64);
}

/* --- pairs ------------------------------------------------------------------------------------ */

static void
test_pairs (void)
{
  g_autoptr (StriaNtffPairs) pairs = stria_ntff_pairs_new ();
  StriaNtffOpen open, evicted;
  guint32 key;

  g_assert_false (stria_ntff_pairs_last (pairs, &key));
  g_assert_false (stria_ntff_pairs_end (pairs, 5, &open));
  for (guint i = 0; i < 3; i++)
    stria_ntff_pairs_begin (pairs, &(StriaNtffOpen){ i, 5, 10 + i }, &evicted);
  stria_ntff_pairs_begin (pairs, &(StriaNtffOpen){ 3, 6, 0 }, &evicted);
  g_assert_true (stria_ntff_pairs_last (pairs, &key));
  g_assert_cmpuint (key, ==, 6);
  g_assert_cmpuint (stria_ntff_pairs_size (pairs), ==, 4);
  g_assert_true (stria_ntff_pairs_end (pairs, 5, &open));
  g_assert_cmpint (open.start_ns, ==, 0);
  g_assert_true (stria_ntff_pairs_end (pairs, 6, &open));
  g_assert_false (stria_ntff_pairs_end (pairs, 6, &open));
  g_assert_true (stria_ntff_pairs_pop (pairs, &open));
  g_assert_cmpuint (open.extra, ==, 11);
  g_assert_true (stria_ntff_pairs_end (pairs, 5, &open));
  g_assert_cmpuint (open.extra, ==, 12);
  g_assert_false (stria_ntff_pairs_pop (pairs, &open));
}

/* Against a list that is searched from its front */
static void
test_pairs_random (void)
{
  g_autoptr (StriaNtffPairs) pairs = stria_ntff_pairs_new ();
  g_autoptr (GQueue) list = g_queue_new ();
  StriaNtffOpen evicted;

  for (guint i = 0; i < 20000; i++)
    {
      guint32 key = (guint32)g_test_rand_int_range (0, 300);
      StriaNtffOpen open = { i, key, i }, found;

      if (g_test_rand_int_range (0, 100) < 52)
        {
          g_assert_false (stria_ntff_pairs_begin (pairs, &open, &evicted));
          g_queue_push_tail (list, g_memdup2 (&open, sizeof open));
          continue;
        }
      gboolean pop = g_test_rand_int_range (0, 10) == 0;
      GList *link = list->head;

      while (!pop && link != NULL && ((StriaNtffOpen *)link->data)->key != key)
        link = link->next;
      g_assert_true ((link != NULL)
                     == (pop ? stria_ntff_pairs_pop (pairs, &found)
                             : stria_ntff_pairs_end (pairs, key, &found)));
      if (link != NULL)
        {
          g_assert_cmpmem (link->data, sizeof found, &found, sizeof found);
          g_free (link->data);
          g_queue_delete_link (list, link);
        }
      g_assert_cmpuint (stria_ntff_pairs_size (pairs), ==, list->length);
    }
  g_queue_foreach (list, (GFunc)(void (*) (void))g_free, NULL);
}

static void
test_pairs_limit (void)
{
  g_autoptr (StriaNtffPairs) pairs = stria_ntff_pairs_new ();
  StriaNtffOpen evicted = { 0 };

  for (guint32 i = 0; i < STRIA_NTFF_MAX_OPEN; i++)
    g_assert_false (stria_ntff_pairs_begin (pairs, &(StriaNtffOpen){ i, i, 0 }, &evicted));
  g_assert_true (stria_ntff_pairs_begin (pairs, &(StriaNtffOpen){ 0, 1, 0 }, &evicted));
  g_assert_cmpuint (evicted.key, ==, 0);
  g_assert_cmpuint (stria_ntff_pairs_size (pairs), ==, STRIA_NTFF_MAX_OPEN);
}

/* --- order of time ---------------------------------------------------------------------------- */

static void
check_merge (const guint64 *times, guint n, guint n_spans, guint64 n_runs)
{
  g_autoptr (GByteArray) bytes = g_byte_array_sized_new (STRIA_NTFF_RECORD);
  g_autofree StriaNtffSpan *spans = g_new0 (StriaNtffSpan, n_spans);
  g_autoptr (GError) error = NULL;
  StriaNtffSurvey survey;
  StriaNtffMerge *merge;
  StriaNtffRecord record;
  guint64 before = 0;
  guint32 before_number = 0;
  guint count = 0;

  for (guint i = 0; i < n; i++)
    put_record (bytes, 4, 0, i, times[i]);
  for (guint s = 0; s < n_spans; s++)
    {
      guint from = n * s / n_spans, to = n * (s + 1) / n_spans;

      spans[s] = (StriaNtffSpan){ bytes->data + from * STRIA_NTFF_RECORD,
                                  (to - from) * STRIA_NTFF_RECORD };
    }
  stria_ntff_survey (spans, n_spans, &survey, NULL, NULL);
  g_assert_cmpuint (survey.n_records, ==, n);
  if (n_runs > 0)
    g_assert_cmpuint (survey.n_runs, ==, n_runs);
  merge = stria_ntff_merge_new (spans, n_spans, &survey, &error);
  g_assert_no_error (error);
  while (stria_ntff_merge_next (merge, &record))
    {
      g_assert_cmpuint (record.time, >=, before);
      if (count > 0 && record.time == before)
        g_assert_cmpuint (record.body1, >, before_number);
      g_assert_cmpuint (record.time, ==, times[record.body1]);
      before = record.time;
      before_number = record.body1;
      count++;
    }
  g_assert_cmpuint (count, ==, n);
  stria_ntff_merge_free (merge);
  stria_ntff_survey_clear (&survey);
}

static void
test_merge (void)
{
  static const guint64 rising[] = { 1, 2, 2, 3, 9 }, wrapped[] = { 7, 8, 9, 1, 2, 7, 7 };
  g_autofree guint64 *random = g_new (guint64, 30000);

  check_merge (rising, G_N_ELEMENTS (rising), 1, 1);
  check_merge (rising, G_N_ELEMENTS (rising), 2, 2);
  check_merge (wrapped, G_N_ELEMENTS (wrapped), 1, 2);
  check_merge (wrapped, 0, 1, 0);
  for (guint i = 0; i < 30000; i++)
    random[i] = (guint64)g_test_rand_int_range (0, 5000);
  check_merge (random, 3000, 3, 0);
  /* More stretches than are merged where they lie */
  check_merge (random, 30000, 7, 0);
}

static void
test_survey (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  StriaNtffSurvey survey;

  put_record (bytes, 4 | 1 << 5, 0, 0, 50);
  put_record (bytes, 5 | 1 << 6 | 1 << 7, 0, 0, 60);
  put_record (bytes, 5 | 1 << 7, 0, 0, 40);
  put_record (bytes, 4, 0, 0, 41);
  stria_ntff_survey (&(StriaNtffSpan){ bytes->data, bytes->len }, 1, &survey, NULL, NULL);
  g_assert_cmpuint (survey.n_lost_before, ==, 1);
  g_assert_cmpuint (survey.n_lost_after, ==, 1);
  g_assert_cmpuint (survey.first_lost, ==, 50);
  g_assert_cmpuint (survey.n_phases, ==, 2);
  g_assert_cmpuint (survey.n_runs, ==, 2);
  g_assert_cmpuint (survey.first[5], ==, 40);
  g_assert_cmpuint (survey.last[5], ==, 60);
  g_assert_cmpuint (survey.n_by_type[4], ==, 2);
  stria_ntff_survey_clear (&survey);
}

/* --- instructions ----------------------------------------------------------------------------- */

static void
test_code (void)
{
  guint8 words[4 * STRIA_NTFF_WORD] = { 0 };
  gboolean function = TRUE;
  guint32 compiler_pc;

  for (guint i = 0; i < 4; i++)
    words[i * STRIA_NTFF_WORD] = (guint8)(0x21 + i);
  for (guint by_address = 0; by_address < 2; by_address++)
    {
      StriaNtffCode *code = stria_ntff_code_new (STRIA_NTFF_ACT);
      guint32 origin = by_address ? 0x4001000 / 64 : 0;
      guint64 n, zero, address;

      stria_ntff_code_add (code, words, 4, 0x4001000, FALSE);
      for (guint i = 0; i < 4; i++)
        stria_ntff_code_sample (code, (origin + i) & 0xFFFFF);
      g_assert_cmpint (stria_ntff_code_settle (code), ==,
                       by_address ? STRIA_NTFF_PC_ADDRESS : STRIA_NTFF_PC_ZERO);
      stria_ntff_code_samples (code, &n, &zero, &address);
      g_assert_cmpuint (n, ==, 4);
      g_assert_cmpuint (by_address ? address : zero, ==, 4);
      g_assert_true (stria_ntff_code_word (code, (origin + 2) & 0xFFFFF, &function)
                     == words + 2 * STRIA_NTFF_WORD);
      g_assert_false (function);
      g_assert_null (stria_ntff_code_word (code, (origin + 4) & 0xFFFFF, &function));
      g_assert_true (stria_ntff_code_compiler_pc (code, (origin + 3) & 0xFFFFF, &compiler_pc));
      g_assert_cmpuint (compiler_pc, ==, 3);
      stria_ntff_code_free (code);
    }
}

static void
test_opcodes (void)
{
  guint n = 0;

  for (guint i = 0; i < 256; i++)
    {
      n += stria_neuron_opcode_name ((guint8)i) != NULL;
      g_assert_true ((stria_neuron_opcode_name ((guint8)i) != NULL)
                     == (stria_neuron_opcode_shown ((guint8)i) != NULL));
    }
  g_assert_cmpuint (n, ==, 161);
  g_assert_cmpstr (stria_neuron_opcode_shown (0x41), ==, "TENSOR_TENSOR");
  g_assert_true (stria_neuron_opcode_is_spelled (0x41));
  g_assert_cmpstr (stria_neuron_opcode_shown (0x83), ==, "TRANSPOSE_TENSOR_REDUCE_ARITH_OP");
  g_assert_false (stria_neuron_opcode_is_spelled (0x83));
  g_assert_true (stria_neuron_opcode_fits (0x02, STRIA_NTFF_PE));
  g_assert_false (stria_neuron_opcode_fits (0x02, STRIA_NTFF_DVE));
  g_assert_true (stria_neuron_opcode_fits (0xA4, STRIA_NTFF_SP));
  g_assert_false (stria_neuron_opcode_fits (0x00, STRIA_NTFF_SP));
}

static void
test_operands (void)
{
  static const struct
  {
    guint8 wait[2];
    guint8 update[2];
    guint8 value;
    gboolean known;
    const char *text;
  } cases[] = {
    { { 0, 9 }, { 0, 9 }, 1, TRUE, "" },
    { { 1, 2 }, { 0, 0 }, 3, TRUE, "$S[2]==3" },
    { { 4, 2 }, { 20, 4 }, 3, TRUE, "$S[2]>3 S[4]--@complete" },
    { { 7, 2 }, { 9, 4 }, 3, TRUE, "$E[2] evt_set_then_clear S[4]=3@read" },
    { { 0, 0 }, { 17, 4 }, 3, TRUE, "E[4] evt_set@complete" },
    { { 13, 0 }, { 7, 1 }, 3, FALSE, "wait_mode=13 S[1]-=3@read" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint8 word[STRIA_NTFF_WORD]
          = { 0, 0, 0, 0, cases[i].wait[0], cases[i].wait[1], cases[i].update[0],
              cases[i].update[1], cases[i].value };
      char text[64];

      g_assert_true (stria_ntff_operands (word, text, sizeof text) == cases[i].known);
      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* --- what the first bytes tell ---------------------------------------------------------------- */

static void
test_peek (void)
{
  static const guint8 message[] = { 0x0A, 1, 'm', 0x12, 2, 0xAB, 0xCD, 0x90, 1, 42, 0x98, 1, 3,
                                    0xA0, 1, 77,  0x22, 4, 0x2A, 2,    1,  2,   0x7A, 4, 0x0A, 2,
                                    1,    2,      0x82, 1, 2,    0x30, 32 };
  guint8 bytes[128 + sizeof message] = { 6, sizeof message };
  g_auto (StriaNtffPeek) peek = { 0 };

  memcpy (bytes + 128, message, sizeof message);
  g_assert_true (stria_ntff_peek (bytes, sizeof bytes, sizeof bytes, &peek));
  g_assert_cmpint (peek.shape, ==, STRIA_NTFF_V6);
  g_assert_cmpstr (peek.name, ==, "m");
  g_assert_cmpstr (peek.uuid, ==, "abcd");
  g_assert_true (peek.has_pid && peek.has_start_nc && peek.has_session_id);
  g_assert_cmpuint (peek.pid, ==, 42);
  g_assert_cmpint (peek.start_nc, ==, 3);
  g_assert_cmpuint (peek.session_id, ==, 77);
  g_assert_cmpuint (peek.node_uids->len, ==, 1);
  g_assert_cmpstr (peek.node_uids->pdata[0], ==, "0102");
  g_assert_cmpuint (peek.n_executions, ==, 1);
  g_assert_cmpstr (peek.execution_uids->pdata[0], ==, "0102");
  g_assert_cmpuint (peek.n_session_rings, ==, 1);
  g_assert_cmpuint (peek.n_records, ==, 2);
  g_assert_false (peek.partial);
  stria_ntff_peek_clear (&peek);

  /* A part of it, of a file of known length */
  g_assert_true (stria_ntff_peek (bytes, 128 + 10, sizeof bytes, &peek));
  g_assert_true (peek.partial);
  g_assert_cmpuint (peek.pid, ==, 42);
  stria_ntff_peek_clear (&peek);

  bytes[0] = 5;
  g_assert_true (stria_ntff_peek (bytes, sizeof bytes, sizeof bytes, &peek));
  g_assert_cmpint (peek.shape, ==, STRIA_NTFF_OLDER);
  g_assert_cmpuint (peek.version, ==, 5);
  stria_ntff_peek_clear (&peek);

  bytes[0] = 7;
  g_assert_true (stria_ntff_peek (bytes, sizeof bytes, sizeof bytes, &peek));
  g_assert_cmpint (peek.shape, ==, STRIA_NTFF_NEWER);
  stria_ntff_peek_clear (&peek);

  bytes[0] = 6;
  g_assert_false (stria_ntff_peek (bytes, sizeof bytes - 1, sizeof bytes - 1, &peek));
  g_assert_cmpint (peek.shape, ==, STRIA_NTFF_DAMAGED);
  stria_ntff_peek_clear (&peek);

  bytes[20] = 1;
  g_assert_false (stria_ntff_peek (bytes, sizeof bytes, sizeof bytes, &peek));
  stria_ntff_peek_clear (&peek);

  g_assert_true (stria_ntff_peek (message, sizeof message, sizeof message, &peek));
  g_assert_cmpint (peek.shape, ==, STRIA_NTFF_OLDER);
  g_assert_true (peek.bare);
  stria_ntff_peek_clear (&peek);

  g_assert_true (stria_ntff_peek (NULL, 0, 0, &peek));
  g_assert_cmpint (peek.shape, ==, STRIA_NTFF_EMPTY);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ntff/record", test_record);
  g_test_add_func ("/ntff/kinds", test_kinds);
  g_test_add_func ("/ntff/names", test_names);
  g_test_add_func ("/ntff/clock", test_clock);
  g_test_add_func ("/ntff/pairs", test_pairs);
  g_test_add_func ("/ntff/pairs-random", test_pairs_random);
  g_test_add_func ("/ntff/pairs-limit", test_pairs_limit);
  g_test_add_func ("/ntff/merge", test_merge);
  g_test_add_func ("/ntff/survey", test_survey);
  g_test_add_func ("/ntff/code", test_code);
  g_test_add_func ("/ntff/opcodes", test_opcodes);
  g_test_add_func ("/ntff/operands", test_operands);
  g_test_add_func ("/ntff/peek", test_peek);
  return g_test_run ();
}
