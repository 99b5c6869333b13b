/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "pte-maker.h"
#include "stria-error.h"

enum
{
  KERNEL = 1,
  DELEGATE,
  MOVE,
};

static const gint32 shape[] = { 2, 3 };

static void
put_u64 (GByteArray *bytes, guint at, guint64 value)
{
  value = GUINT64_TO_LE (value);
  memcpy (bytes->data + at, &value, sizeof value);
}

/* Two plans that use one VGF in a segment, and further delegates. */
static GByteArray *
make (GArray **borders)
{
  g_auto (PteMaker) maker = { 0 };
  g_autoptr (GByteArray) vgf = pte_maker_vgf ();
  static const char *const names[] = { "forward", "encode" };

  pte_maker_init (&maker);
  guint32 shared = pte_maker_segment (&maker, vgf->data, vgf->len);
  guint32 unknown = pte_maker_segment (&maker, "what is this?", 13);
  guint32 xnnpack = pte_maker_blob (&maker, "\0\0\0\0XH00\0\0\0\0", 12);
  for (guint i = 0; i < 2; i++)
    {
      pte_maker_plan (&maker, names[i], PTE_ARGS (0), PTE_ARGS (2));
      pte_maker_tensor (&maker, 6, shape, 2, 0);
      pte_maker_tensor (&maker, 6, shape, 2, 24);
      pte_maker_tensor (&maker, 6, shape, 2, 48);
      pte_maker_int (&maker, -5);
      pte_maker_operator (&maker, "aten::add", "out");
      pte_maker_delegate (&maker, "VgfBackend", 1, shared);
      pte_maker_spec (&maker, "output_format", "vgf", 3);
      pte_maker_delegate (&maker, "OtherBackend", 1, unknown);
      pte_maker_delegate (&maker, "XnnpackBackend", 0, xnnpack);
      pte_maker_chain (&maker);
      pte_maker_call (&maker, DELEGATE, 1, PTE_ARGS (0));
      pte_maker_call (&maker, DELEGATE, 0, PTE_ARGS (0, 1));
      pte_maker_call (&maker, DELEGATE, 0, PTE_ARGS (1));
      pte_maker_call (&maker, KERNEL, 0, PTE_ARGS (1, 3, 2, 2));
      pte_maker_jump (&maker, MOVE, 2, 2);
    }
  guint32 named = flat_maker_list (maker.maker);
  guint32 one = flat_maker_table (maker.maker);
  flat_maker_text (maker.maker, one, 0, "weights");
  flat_maker_u32 (maker.maker, one, 1, 1);
  flat_maker_push (maker.maker, named, one);
  flat_maker_node (maker.maker, maker.root, 7, named);
  return pte_maker_finish (&maker, borders);
}

static void
test_segments (void)
{
  g_autoptr (GByteArray) bytes = make (NULL);
  g_auto (PteRead) read = { 0 };

  pte_read_init (&read, bytes->data, bytes->len);
  g_assert_no_error (read.error);
  g_assert_cmpuint (pte_read_notices (&read, "program-blob"), ==, 0);
  g_assert_cmpuint (pte_read_notices (&read, "program-segment"), ==, 0);
  const StriaProgramRow *program = PTE_ROWS (&read, StriaProgramRow, STRIA_TABLE_PROGRAM);
  g_assert_true (program->has_header);
  g_assert_cmpuint (program->header_length, ==, 32);
  g_assert_cmpuint (program->segment_base % 128, ==, 0);
  g_assert_cmpuint (program->segment_base + program->segment_data_size, ==, bytes->len);

  const StriaProgramDelegateRow *delegates
      = PTE_ROWS (&read, StriaProgramDelegateRow, STRIA_TABLE_PROGRAM_DELEGATE);
  g_assert_cmpuint (pte_read_size (&read, STRIA_TABLE_PROGRAM_DELEGATE), ==, 6);
  g_assert_cmpuint (delegates[0].location, ==, 1);
  g_assert_cmpuint (delegates[0].offset, ==, program->segment_base);
  g_assert_cmpstr (pte_read_text (&read, delegates[0].content), ==, "VGF");
  g_assert_cmpuint (delegates[0].error, ==, 0);
  g_assert_cmpuint (delegates[1].content, ==, 0);
  g_assert_cmpuint (delegates[1].size, ==, 13);
  g_assert_cmpstr (pte_read_text (&read, delegates[2].content), ==, "XNNPACK");
  g_assert_cmpuint (delegates[2].location, ==, 0);
  /* One reading for the same bytes */
  g_assert_cmpuint (pte_read_size (&read, STRIA_TABLE_VGF), ==, 1);
  g_assert_cmpuint (delegates[0].vgf, ==, 0);
  g_assert_cmpuint (delegates[3].vgf, ==, 0);

  const StriaVgfRow *vgf = PTE_ROWS (&read, StriaVgfRow, STRIA_TABLE_VGF);
  g_assert_cmpuint (vgf->delegate, ==, 0);
  g_assert_cmpuint (vgf->offset, ==, program->segment_base);
  g_autoptr (StriaGraph) graph = stria_graph_new (read.facts, vgf->graph);
  g_assert_cmpstr (stria_graph_get_name (graph), ==, "forward_0_1");
  for (guint i = 0; i < 2; i++)
    {
      static const char *const methods[] = { "forward", "encode" };
      g_autoptr (StriaGraph) plan = pte_read_graph (&read, methods[i]);
      g_autofree char *id = g_strdup_printf ("%s_0_2", methods[i]);
      const StriaGraphNodeRow *node = stria_graph_node (plan, stria_graph_find_node (plan, id));

      g_assert_cmpstr (stria_graph_text (plan, node->subgraph), ==, "forward_0_1");
      id[strlen (id) - 1] = '0';
      node = stria_graph_node (plan, stria_graph_find_node (plan, id));
      g_assert_cmpuint (node->subgraph, ==, 0);
    }
  const StriaProgramNamedRow *named
      = PTE_ROWS (&read, StriaProgramNamedRow, STRIA_TABLE_PROGRAM_NAMED);
  g_assert_cmpstr (pte_read_text (&read, named->key), ==, "weights");
  g_assert_cmpuint (named->segment, ==, 1);
}

/* -- the header ------------------------------------------------------------------------------- */

static void
assert_notice (GByteArray *bytes, const char *code, guint64 n)
{
  g_auto (PteRead) read = { 0 };

  pte_read_init (&read, bytes->data, bytes->len);
  g_assert_no_error (read.error);
  if (pte_read_notices (&read, code) != n)
    g_error ("%s: %u notices, expected %u", code, (guint) pte_read_notices (&read, code),
             (guint) n);
  g_assert_cmpuint (pte_read_size (&read, STRIA_TABLE_PROGRAM_PLAN), ==, 2);
  g_assert_cmpuint (pte_read_size (&read, STRIA_TABLE_PROGRAM_INSTRUCTION), ==, 10);
}

static void
test_header (void)
{
  g_autoptr (GByteArray) bytes = make (NULL);
  guint64 program_size, base;

  memcpy (&program_size, bytes->data + 16, 8);
  memcpy (&base, bytes->data + 24, 8);
  assert_notice (bytes, "program-size", 0);

  put_u64 (bytes, 16, bytes->len + 1);
  assert_notice (bytes, "program-size", 1);
  put_u64 (bytes, 16, program_size);

  /* Behind the end: none of the segments is there, and what is inline still is. */
  put_u64 (bytes, 24, bytes->len + 1);
  assert_notice (bytes, "program-segments", 1);
  assert_notice (bytes, "program-segment", 2);
  put_u64 (bytes, 24, G_MAXUINT64);
  assert_notice (bytes, "program-segment", 2);
  put_u64 (bytes, 24, base);

  put_u64 (bytes, 32, 64);
  assert_notice (bytes, "program-segment", 2);
  put_u64 (bytes, 32, 0);
  assert_notice (bytes, "program-segment", 0);

  /* A length of 24: the size of the segments is not said. */
  bytes->data[12] = 24;
  put_u64 (bytes, 32, 1);
  assert_notice (bytes, "program-segment", 0);
  bytes->data[12] = 8;
  assert_notice (bytes, "program-header", 1);
  assert_notice (bytes, "program-segment", 2);

  /* Without its magic there is no header, whatever the numbers. */
  bytes->data[12] = 32;
  bytes->data[8] = 'x';
  assert_notice (bytes, "program-header", 0);
  assert_notice (bytes, "program-size", 0);
  assert_notice (bytes, "program-segment", 2);
  bytes->data[8] = 'e';

  memcpy (bytes->data + 4, "ET13", 4);
  assert_notice (bytes, "program-identifier", 1);
}

static void
assert_error (const guint8 *data, gsize length, int code, const char *pattern)
{
  g_auto (PteRead) read = { 0 };

  pte_read_init (&read, data, length);
  g_assert_error (read.error, STRIA_ERROR, code);
  if (!g_pattern_match_simple (pattern, read.error->message))
    g_error ("“%s” is not like “%s”", read.error->message, pattern);
  g_assert_cmpuint (pte_read_size (&read, STRIA_TABLE_PROGRAM), ==, 0);
}

static void
test_errors (void)
{
  g_autoptr (GByteArray) bytes = make (NULL);

  assert_error ((const guint8 *) "", 0, STRIA_ERROR_EMPTY, "model.pte: *");
  assert_error (bytes->data, 7, STRIA_ERROR_TRUNCATED, "model.pte: offset 4: *");
  assert_error (bytes->data, 16, STRIA_ERROR_TRUNCATED, "model.pte: offset *");
  memcpy (bytes->data + 4, "TFL3", 4);
  assert_error (bytes->data, bytes->len, STRIA_ERROR_BAD_MAGIC,
                "model.pte: offset 4: expected ET*found 54 46 4c 33");
}

/* -- damage ----------------------------------------------------------------------------------- */

/* What holds of any bytes. */
static void
check (const guint8 *data, gsize length)
{
  g_auto (PteRead) read = { 0 };
  guint table;
  guint32 row;

  pte_read_init (&read, data, length);
  if (!read.good)
    {
      g_assert_true (read.error->domain == STRIA_ERROR);
      g_assert_true (g_str_has_prefix (read.error->message, "model.pte: "));
      return;
    }
  g_assert_true (stria_facts_check (read.facts, &table, &row));
  for (guint32 i = 0; i < pte_read_size (&read, STRIA_TABLE_GRAPH); i++)
    {
      g_autoptr (StriaGraph) graph = stria_graph_new (read.facts, i);

      for (guint32 e = 0; e < stria_graph_n_edges (graph); e++)
        g_assert_cmpuint (stria_graph_edge_source (graph, e), <, stria_graph_n_nodes (graph));
    }
  for (guint32 i = 0; i < pte_read_size (&read, STRIA_TABLE_PROGRAM_DELEGATE); i++)
    {
      const StriaProgramDelegateRow *delegate
          = PTE_ROWS (&read, StriaProgramDelegateRow, STRIA_TABLE_PROGRAM_DELEGATE) + i;

      g_assert_cmpuint (delegate->offset, <=, length);
      g_assert_cmpuint (delegate->size, <=, length - delegate->offset);
    }
}

static void
test_cuts (void)
{
  g_autoptr (GArray) borders = NULL;
  g_autoptr (GByteArray) bytes = make (&borders);

  check (bytes->data, bytes->len);
  for (guint length = 1; length < bytes->len; length *= 2)
    check (bytes->data, length);
  for (guint i = 0; i < borders->len; i++)
    for (guint around = 0; around < 3; around++)
      check (bytes->data, g_array_index (borders, guint32, i) - 1 + around);
}

static void
test_flips (void)
{
  g_autoptr (GByteArray) bytes = make (NULL);

  for (guint at = 0; at < bytes->len; at++)
    for (guint bit = 0; bit < 8; bit += 3)
      {
        bytes->data[at] ^= 1 << bit;
        check (bytes->data, bytes->len);
        bytes->data[at] ^= 1 << bit;
      }
}

/* One operator's name cannot be read; everything else stays. */
static void
test_one_damaged (void)
{
  g_autoptr (GByteArray) bytes = make (NULL);
  g_auto (PteRead) read = { 0 };
  guint8 *at = memmem (bytes->data, bytes->len, "aten::add", 10);

  g_assert_nonnull (at);
  at[9] = 'x';
  pte_read_init (&read, bytes->data, bytes->len);
  g_assert_no_error (read.error);
  g_assert_cmpuint (pte_read_notices (&read, "program-operator"), ==, 1);
  g_assert_cmpuint (pte_read_size (&read, STRIA_TABLE_PROGRAM_OPERATOR), ==, 2);
  g_assert_cmpuint (pte_read_size (&read, STRIA_TABLE_PROGRAM_INSTRUCTION), ==, 10);
  g_autoptr (StriaGraph) graph = pte_read_graph (&read, "forward");
  const StriaGraphNodeRow *node
      = stria_graph_node (graph, stria_graph_find_node (graph, "forward_0_3"));
  g_assert_cmpstr (stria_graph_text (graph, node->label), ==, "KernelCall");
}

/* A VGF that cannot be read is the delegate's own trouble. */
static void
test_bad_vgf (void)
{
  g_autoptr (GByteArray) bytes = make (NULL);
  g_auto (PteRead) read = { 0 };
  guint8 *at = memmem (bytes->data, bytes->len, "VGF1", 4);

  g_assert_nonnull (at);
  at[8] = 9;
  pte_read_init (&read, bytes->data, bytes->len);
  g_assert_no_error (read.error);
  g_assert_cmpuint (pte_read_notices (&read, "program-blob"), ==, 1);
  const StriaProgramDelegateRow *delegates
      = PTE_ROWS (&read, StriaProgramDelegateRow, STRIA_TABLE_PROGRAM_DELEGATE);
  g_assert_cmpuint (delegates[0].vgf, ==, STRIA_NO_REF);
  g_assert_cmpuint (delegates[0].error, !=, 0);
  g_assert_cmpuint (delegates[3].error, ==, delegates[0].error);
  g_assert_cmpuint (pte_read_size (&read, STRIA_TABLE_PROGRAM_INSTRUCTION), ==, 10);
}

/* Numbers that lead to nothing */
static void
test_wrong_numbers (void)
{
  g_auto (PteMaker) maker = { 0 };
  g_auto (PteRead) read = { 0 };

  pte_maker_init (&maker);
  pte_maker_plan (&maker, NULL, PTE_ARGS (0, 9), PTE_ARGS (-7, 1));
  pte_maker_tensor (&maker, 6, shape, 2, 0);
  pte_maker_delegate (&maker, "A", 0, 5);
  pte_maker_delegate (&maker, "B", 1, 5);
  pte_maker_delegate (&maker, "C", 3, 0);
  pte_maker_chain (&maker);
  pte_maker_call (&maker, KERNEL, 3, PTE_ARGS (0, 100));
  pte_maker_call (&maker, DELEGATE, 7, PTE_ARGS (0));
  pte_maker_call (&maker, DELEGATE, -2, PTE_NO_ARGS);
  pte_maker_jump (&maker, MOVE, -5, 1000000);
  pte_maker_jump (&maker, 9, 0, 0);
  g_autoptr (GByteArray) bytes = pte_maker_finish (&maker, NULL);
  pte_read_init (&read, bytes->data, bytes->len);
  g_assert_no_error (read.error);
  g_assert_cmpuint (pte_read_notices (&read, "program-blob"), ==, 3);
  g_assert_cmpuint (pte_read_notices (&read, "program-instruction"), ==, 4);
  g_assert_cmpuint (pte_read_notices (&read, "program-argument"), ==, 6);
  g_autoptr (StriaGraph) graph = pte_read_graph (&read, "ExecutionPlan_0");
  g_assert_cmpuint (stria_graph_n_nodes (graph), ==, 7);
}

/* A small file whose instructions all have the same very long list of arguments */
static void
test_shared_arguments (void)
{
  enum { N = 20000 };
  g_auto (PteMaker) maker = { 0 };
  g_auto (PteRead) read = { 0 };
  g_autofree gint32 *args = g_new (gint32, N);
  guint32 call, tensor, instruction;

  pte_maker_init (&maker);
  pte_maker_plan (&maker, "forward", PTE_NO_ARGS, PTE_NO_ARGS);
  tensor = pte_maker_tensor_table (&maker, 6, shape, 2);
  instruction = flat_maker_table (maker.maker);
  flat_maker_u8 (maker.maker, instruction, 0, 5);
  flat_maker_node (maker.maker, instruction, 1, tensor);
  for (gint32 i = 0; i < N; i++)
    {
      flat_maker_push (maker.maker, maker.values, instruction);
      args[i] = i;
    }
  pte_maker_operator (&maker, "x", "");
  pte_maker_chain (&maker);
  call = flat_maker_table (maker.maker);
  flat_maker_node (maker.maker, call, 1, flat_maker_vector (maker.maker, args, N, 4));
  instruction = flat_maker_table (maker.maker);
  flat_maker_u8 (maker.maker, instruction, 0, KERNEL);
  flat_maker_node (maker.maker, instruction, 1, call);
  for (gint32 i = 0; i < N; i++)
    flat_maker_push (maker.maker, maker.instructions, instruction);
  g_autoptr (GByteArray) bytes = pte_maker_finish (&maker, NULL);
  pte_read_init (&read, bytes->data, bytes->len);
  g_assert_no_error (read.error);
  g_assert_cmpuint (stria_notices_size (stria_capture_get_notices (read.capture)), >, 0);
  g_assert_cmpuint (stria_facts_bytes (read.facts), <, (gsize) 256 << 20);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pte/segments", test_segments);
  g_test_add_func ("/pte/header", test_header);
  g_test_add_func ("/pte/errors", test_errors);
  g_test_add_func ("/pte/cuts", test_cuts);
  g_test_add_func ("/pte/flips", test_flips);
  g_test_add_func ("/pte/one-damaged", test_one_damaged);
  g_test_add_func ("/pte/bad-vgf", test_bad_vgf);
  g_test_add_func ("/pte/wrong-numbers", test_wrong_numbers);
  g_test_add_func ("/pte/shared-arguments", test_shared_arguments);
  return g_test_run ();
}
