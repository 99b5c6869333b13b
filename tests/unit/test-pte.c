/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "pte-maker.h"
#include "stria-decoder.h"
#include "stria-error.h"

enum
{
  KERNEL = 1,
  DELEGATE,
  MOVE,
  JUMP_FALSE,
  FREE,
};

static const gint32 shape[] = { 1, 3, 8 };

static const char *
attr (StriaGraph *graph, guint32 first, guint32 n, const char *key)
{
  const StriaGraphAttrRow *rows = stria_graph_attrs (graph, first);

  for (guint32 i = 0; i < n; i++)
    if (g_str_equal (stria_graph_text (graph, rows[i].key), key))
      return stria_graph_text (graph, rows[i].value);
  return NULL;
}

static const StriaGraphPortRow *
port (StriaGraph *graph, const char *node, gboolean is_output, const char *id)
{
  guint32 number = stria_graph_find_node (graph, node);
  guint32 n;
  const StriaGraphPortRow *rows;

  g_assert_cmpuint (number, !=, STRIA_NO_NODE);
  rows = is_output ? stria_graph_outputs (graph, number, &n) : stria_graph_inputs (graph, number, &n);
  for (guint32 i = 0; i < n; i++)
    if (g_str_equal (stria_graph_text (graph, rows[i].id), id))
      return &rows[i];
  return NULL;
}

static const char *
port_attr (StriaGraph *graph, const char *node, gboolean is_output, const char *id, const char *key)
{
  const StriaGraphPortRow *row = port (graph, node, is_output, id);

  g_assert_nonnull (row);
  return attr (graph, row->first_attr, row->n_attrs, key);
}

/* "a[1] b[2]": where the edges into a node come from */
static char *
sources (StriaGraph *graph, const char *node)
{
  GString *text = g_string_new (NULL);
  guint32 n;
  const guint32 *edges = stria_graph_in_edges (graph, stria_graph_find_node (graph, node), &n);

  for (guint32 i = 0; i < n; i++)
    {
      const StriaGraphEdgeRow *edge = stria_graph_edge (graph, edges[i]);
      const StriaGraphNodeRow *source
          = stria_graph_node (graph, stria_graph_edge_source (graph, edges[i]));
      const StriaGraphPortRow *from
          = STRIA_ROWS (stria_graph_get_facts (graph), StriaGraphPortRow, STRIA_TABLE_GRAPH_PORT)
            + edge->source_port;

      g_string_append_printf (text, "%s%s[%s]", i > 0 ? " " : "",
                              stria_graph_text (graph, source->id),
                              stria_graph_text (graph, from->id));
    }
  return g_string_free (text, FALSE);
}

#define ASSERT_SOURCES(graph, node, expected)              \
  G_STMT_START                                             \
  {                                                        \
    g_autofree char *found_ = sources ((graph), (node));   \
    g_assert_cmpstr (found_, ==, (expected));              \
  }                                                        \
  G_STMT_END

static GByteArray *
finish (PteMaker *maker)
{
  return pte_maker_finish (maker, NULL);
}

/* -- plans ------------------------------------------------------------------------------------ */

/* Two plans; the first one: x -> mul (with a constant) -> delegate -> move -> add */
static void
fill (PteMaker *maker)
{
  guint32 device = flat_maker_table (maker->maker);
  guint32 devices = flat_maker_list (maker->maker);
  const gint64 sizes[] = { 0, 96, 4096 };

  pte_maker_plan (maker, "forward", PTE_ARGS (0), PTE_ARGS (5));
  pte_maker_tensor (maker, 6, shape, 3, 0);    /* 0 */
  pte_maker_constant (maker, 6, shape, 3, 2);  /* 1 */
  pte_maker_tensor (maker, 6, shape, 3, 96);   /* 2 */
  pte_maker_tensor (maker, 1, shape, 3, 192);  /* 3 */
  pte_maker_tensor (maker, 1, shape, 2, 216);  /* 4 */
  pte_maker_tensor (maker, 6, shape, 3, 300);  /* 5 */
  pte_maker_null (maker);                      /* 6 */
  pte_maker_operator (maker, "aten::mul", "out");
  pte_maker_operator (maker, "aten::add", "out");
  pte_maker_delegate (maker, "VgfBackend", 0, 0);
  pte_maker_spec (maker, "output_format", "vgf", 3);
  pte_maker_spec (maker, "raw", "\0\1\2\xff", 4);
  pte_maker_chain (maker);
  pte_maker_call (maker, KERNEL, 0, PTE_ARGS (0, 1, 2, 2));
  pte_maker_call (maker, DELEGATE, 0, PTE_ARGS (2, 3, 4));
  pte_maker_jump (maker, MOVE, 3, 5);
  pte_maker_jump (maker, JUMP_FALSE, 6, 4);
  pte_maker_call (maker, FREE, 4, NULL);
  pte_maker_chain (maker);
  pte_maker_call (maker, KERNEL, 1, PTE_ARGS (5, 0, 6, 5, 5));
  flat_maker_node (maker->maker, maker->plan, 8,
                   flat_maker_vector (maker->maker, sizes, 3, sizeof sizes[0]));
  flat_maker_i32 (maker->maker, device, 0, 2);
  flat_maker_u8 (maker->maker, device, 1, 1);
  flat_maker_u8 (maker->maker, device, 2, 3);
  flat_maker_push (maker->maker, devices, device);
  flat_maker_node (maker->maker, maker->plan, 9, devices);

  pte_maker_plan (maker, "encode", PTE_NO_ARGS, PTE_NO_ARGS);
  pte_maker_operator (maker, "aten::relu", "out");
  pte_maker_chain (maker);
  pte_maker_call (maker, KERNEL, 0, PTE_NO_ARGS);
}

static void
test_plans (void)
{
  g_auto (PteMaker) maker = { 0 };
  g_auto (PteRead) read = { 0 };

  pte_maker_init (&maker);
  pte_maker_blob (&maker, "vela_bin", 8);
  fill (&maker);
  g_autoptr (GByteArray) bytes = finish (&maker);
  pte_read_init (&read, bytes->data, bytes->len);
  g_assert_no_error (read.error);
  g_assert_cmpuint (stria_notices_size (stria_capture_get_notices (read.capture)), ==, 0);

  const StriaProgramRow *program = PTE_ROWS (&read, StriaProgramRow, STRIA_TABLE_PROGRAM);
  g_assert_cmpstr (pte_read_text (&read, program->identifier), ==, "ET12");
  g_assert_false (program->has_header);
  g_assert_cmpuint (program->file_size, ==, bytes->len);
  g_autofree char *sha256
      = g_compute_checksum_for_data (G_CHECKSUM_SHA256, bytes->data, bytes->len);
  g_assert_cmpstr (pte_read_text (&read, program->sha256), ==, sha256);

  const StriaProgramPlanRow *plans = PTE_ROWS (&read, StriaProgramPlanRow, STRIA_TABLE_PROGRAM_PLAN);
  g_assert_cmpuint (pte_read_size (&read, STRIA_TABLE_PROGRAM_PLAN), ==, 2);
  g_assert_cmpuint (plans[0].n_chains, ==, 2);
  g_assert_cmpuint (plans[0].n_values, ==, 7);
  g_assert_cmpuint (plans[0].n_instructions, ==, 6);
  g_assert_cmpuint (plans[0].n_delegates, ==, 1);
  g_assert_cmpuint (plans[1].first_instruction, ==, 6);
  g_assert_cmpuint (plans[1].n_instructions, ==, 1);
  g_assert_cmpuint (plans[1].n_delegates, ==, 0);

  const StriaProgramBufferRow *buffers
      = PTE_ROWS (&read, StriaProgramBufferRow, STRIA_TABLE_PROGRAM_BUFFER);
  g_assert_cmpuint (pte_read_size (&read, STRIA_TABLE_PROGRAM_BUFFER), ==, 3);
  g_assert_cmpint (buffers[1].size, ==, 96);
  g_assert_cmpuint (buffers[1].device, ==, 0);
  g_assert_cmpstr (pte_read_text (&read, buffers[2].device), ==, "CUDA:3");

  const StriaProgramInstructionRow *in
      = PTE_ROWS (&read, StriaProgramInstructionRow, STRIA_TABLE_PROGRAM_INSTRUCTION);
  g_assert_cmpstr (pte_read_text (&read, in[0].label), ==, "aten::mul");
  g_assert_cmpstr (pte_read_text (&read, in[0].args), ==, "[0, 1, 2, 2]");
  g_assert_cmpuint (in[0].delegate, ==, STRIA_NO_REF);
  g_assert_cmpstr (pte_read_text (&read, in[1].label), ==, "VgfBackend");
  g_assert_cmpuint (in[1].delegate, ==, 0);
  g_assert_cmpstr (pte_read_text (&read, in[2].label), ==, "MoveCall");
  g_assert_cmpuint (in[3].type, ==, STRIA_INSTRUCTION_JUMP_FALSE);
  g_assert_cmpuint (in[5].chain, ==, 1);
  g_assert_cmpuint (in[5].number, ==, 0);
  g_assert_cmpuint (in[6].plan, ==, 1);
  g_assert_cmpstr (pte_read_text (&read, in[6].label), ==, "aten::relu");

  const StriaProgramDelegateRow *delegate
      = PTE_ROWS (&read, StriaProgramDelegateRow, STRIA_TABLE_PROGRAM_DELEGATE);
  g_assert_cmpuint (delegate->size, ==, 8);
  g_assert_cmpmem (bytes->data + delegate->offset, 8, "vela_bin", 8);
  g_assert_cmpstr (pte_read_text (&read, delegate->content), ==, "Vela");
  g_assert_cmpuint (delegate->vgf, ==, STRIA_NO_REF);
  const StriaProgramSpecRow *specs = PTE_ROWS (&read, StriaProgramSpecRow, STRIA_TABLE_PROGRAM_SPEC);
  g_assert_cmpstr (pte_read_text (&read, specs[0].value), ==, "vgf");
  g_assert_cmpstr (pte_read_text (&read, specs[1].value), ==, "0x000102ff");
  g_assert_cmpuint (specs[1].size, ==, 4);
}

static void
test_graph (void)
{
  g_auto (PteMaker) maker = { 0 };
  g_auto (PteRead) read = { 0 };

  pte_maker_init (&maker);
  pte_maker_blob (&maker, "vela_bin", 8);
  fill (&maker);
  g_autoptr (GByteArray) bytes = finish (&maker);
  pte_read_init (&read, bytes->data, bytes->len);
  g_autoptr (StriaGraph) graph = pte_read_graph (&read, "forward");

  g_assert_cmpuint (stria_graph_n_nodes (graph), ==, 8);
  ASSERT_SOURCES (graph, "forward_0_0", "GraphInputs[0]");
  ASSERT_SOURCES (graph, "forward_0_1", "forward_0_0[2]");
  ASSERT_SOURCES (graph, "forward_0_2", "forward_0_1[3]");
  ASSERT_SOURCES (graph, "forward_0_3", "");
  ASSERT_SOURCES (graph, "forward_0_4", "forward_0_1[4]");
  ASSERT_SOURCES (graph, "forward_1_0", "forward_0_2[5] GraphInputs[0]");
  ASSERT_SOURCES (graph, "GraphOutputs", "forward_0_2[5]");
  /* Both tensors of the delegate that nobody made are its results. */
  g_assert_nonnull (port (graph, "forward_0_1", TRUE, "3"));
  g_assert_nonnull (port (graph, "forward_0_1", TRUE, "4"));
  g_assert_nonnull (port (graph, "forward_0_0", FALSE, "1"));
  g_assert_null (port (graph, "forward_0_0", FALSE, "2"));

  const StriaGraphNodeRow *node
      = stria_graph_node (graph, stria_graph_find_node (graph, "forward_1_0"));
  g_assert_cmpint (node->key, ==, (gint64) 1 << 32);
  g_assert_cmpuint (node->kind, ==, STRIA_NODE_OPERATOR);
  g_assert_cmpstr (stria_graph_text (graph, node->label), ==, "aten::add");
  node = stria_graph_node (graph, stria_graph_find_node (graph, "forward_0_3"));
  g_assert_cmpuint (node->kind, ==, STRIA_NODE_CONTROL);
  g_assert_cmpstr (attr (graph, node->first_attr, node->n_attrs, "destinationInstruction"), ==, "4");
  node = stria_graph_node (graph, stria_graph_find_node (graph, "forward_0_1"));
  g_assert_cmpuint (node->kind, ==, STRIA_NODE_DELEGATE);
  g_assert_cmpuint (node->subgraph, ==, 0);
  g_assert_cmpstr (attr (graph, node->first_attr, node->n_attrs, "blobContent"), ==, "Vela");
  g_assert_cmpstr (attr (graph, node->first_attr, node->n_attrs, "compileSpec raw"), ==,
                   "0x000102ff");

  const StriaGraphPortRow *row = port (graph, "forward_0_0", TRUE, "2");
  g_assert_cmpstr (stria_graph_text (graph, row->type), ==, "1×3×8 float32");
  g_assert_cmpstr (port_attr (graph, "forward_0_0", TRUE, "2", "bytes"), ==, "96");
  g_assert_cmpstr (port_attr (graph, "forward_0_0", TRUE, "2", "memoryOffset"), ==, "96");
  g_assert_cmpstr (port_attr (graph, "forward_0_1", FALSE, "2", "memoryOffset"), ==, "96");
  g_assert_cmpstr (port_attr (graph, "forward_0_0", FALSE, "1", "allocationInfo"), ==, "None");
  g_assert_cmpstr (port_attr (graph, "forward_0_0", FALSE, "1", "dataBufferIdx"), ==, "2");
}

/* -- values ----------------------------------------------------------------------------------- */

static void
test_doubles (void)
{
  static const struct
  {
    double value;
    const char *text;
  } cases[] = {
    { 0, "0.0" },
    { -0.0, "-0.0" },
    { 1, "1.0" },
    { -2.5, "-2.5" },
    { 0.1, "0.1" },
    { 0.018455125391483307, "0.018455125391483307" },
    { 1234567, "1234567.0" },
    { 1e15, "1000000000000000.0" },
    { 1e16, "1e+16" },
    { 1.5e300, "1.5e+300" },
    { 0.0001, "0.0001" },
    { 0.00001, "1e-05" },
    { 5e-324, "5e-324" },
    { 1.7976931348623157e308, "1.7976931348623157e+308" },
    { 100.25, "100.25" },
    { HUGE_VAL, "inf" },
    { -HUGE_VAL, "-inf" },
  };
  g_auto (PteMaker) maker = { 0 };
  g_auto (PteRead) read = { 0 };
  gint32 args[G_N_ELEMENTS (cases) + 1];

  pte_maker_init (&maker);
  pte_maker_plan (&maker, "forward", PTE_NO_ARGS, PTE_NO_ARGS);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    args[i] = pte_maker_double (&maker, cases[i].value);
  args[G_N_ELEMENTS (cases)] = -1;
  pte_maker_operator (&maker, "x", "");
  pte_maker_chain (&maker);
  pte_maker_call (&maker, KERNEL, 0, args);
  g_autoptr (GByteArray) bytes = finish (&maker);
  pte_read_init (&read, bytes->data, bytes->len);
  g_assert_no_error (read.error);
  g_autoptr (StriaGraph) graph = pte_read_graph (&read, "forward");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i);

      g_assert_cmpstr (port_attr (graph, "forward_0_0", FALSE, id, "doubleVal"), ==, cases[i].text);
    }
}

static void
test_values (void)
{
  static const gint64 ints[] = { 3, -4 };
  static const double doubles[] = { 0.5, 2 };
  static const guint8 bools[] = { 1, 0 };
  static const gint32 items[] = { 0, 1 };
  static const gint32 two[] = { 2 };
  gint64 many[5000] = { 7 };
  g_auto (PteMaker) maker = { 0 };
  g_auto (PteRead) read = { 0 };
  guint32 table;

  pte_maker_init (&maker);
  pte_maker_plan (&maker, "forward", PTE_ARGS (0), PTE_NO_ARGS);
  pte_maker_tensor (&maker, 6, shape, 3, 0);                          /* 0 */
  table = pte_maker_tensor_table (&maker, 11, shape, 2);              /* 1: unbound, fixed */
  flat_maker_u8 (maker.maker, table, 4, 1);
  flat_maker_u8 (maker.maker, table, 8, 2);
  guint32 extra = flat_maker_table (maker.maker);
  flat_maker_text (maker.maker, extra, 1, "mod.weight");
  flat_maker_u8 (maker.maker, extra, 2, 1);
  flat_maker_u8 (maker.maker, extra, 3, 1);
  flat_maker_node (maker.maker, table, 9, extra);
  pte_maker_value (&maker, 5, table);
  pte_maker_list (&maker, 7, ints, 2, 8);                             /* 2 */
  pte_maker_list (&maker, 8, doubles, 2, 8);                          /* 3 */
  pte_maker_list (&maker, 9, bools, 2, 1);                            /* 4 */
  pte_maker_list (&maker, 10, items, 2, 4);                           /* 5 */
  table = flat_maker_table (maker.maker);
  flat_maker_text (maker.maker, table, 0, "mean");
  pte_maker_value (&maker, 6, table);                                 /* 6 */
  table = flat_maker_table (maker.maker);
  flat_maker_u8 (maker.maker, table, 0, 1);
  pte_maker_value (&maker, 3, table);                                 /* 7 */
  pte_maker_list (&maker, 7, many, G_N_ELEMENTS (many), 8);           /* 8 */
  table = pte_maker_tensor_table (&maker, 42, two, 1);         /* 9: of a type not known */
  flat_maker_u8 (maker.maker, table, 8, 1);
  pte_maker_value (&maker, 5, table);
  pte_maker_value (&maker, 77, flat_maker_table (maker.maker));       /* 10 */
  pte_maker_operator (&maker, "x", "");
  pte_maker_chain (&maker);
  pte_maker_call (&maker, KERNEL, 0, PTE_ARGS (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  g_autoptr (GByteArray) bytes = finish (&maker);
  pte_read_init (&read, bytes->data, bytes->len);
  g_assert_no_error (read.error);
  g_autoptr (StriaGraph) graph = pte_read_graph (&read, "forward");

#define ATTR(id, key) port_attr (graph, "forward_0_0", FALSE, id, key)
  g_assert_cmpstr (ATTR ("1", "requiresGrad"), ==, "True");
  g_assert_cmpstr (ATTR ("1", "extraTensorInfo"), ==, "ExtraTensorInfoT");
  g_assert_cmpstr (ATTR ("1", "location"), ==, "external");
  g_assert_cmpstr (ATTR ("1", "device"), ==, "CUDA:0");
  g_assert_cmpstr (ATTR ("1", "dynamism"), ==, "unbound");
  g_assert_null (ATTR ("1", "bytes"));
  g_assert_cmpstr (ATTR ("2", "items"), ==, "[3, -4]");
  g_assert_cmpstr (ATTR ("3", "items"), ==, "[0.5, 2.0]");
  g_assert_cmpstr (ATTR ("4", "items"), ==, "[True, False]");
  g_assert_cmpstr (ATTR ("5", "items"), ==, "[0, 1]");
  g_assert_cmpstr (ATTR ("6", "stringVal"), ==, "mean");
  g_assert_cmpstr (ATTR ("7", "boolVal"), ==, "True");
  g_assert_true (g_str_has_suffix (ATTR ("8", "items"), ", … (5000)]"));
#undef ATTR
  const StriaGraphPortRow *row = port (graph, "forward_0_0", FALSE, "1");
  g_assert_cmpstr (stria_graph_text (graph, row->type), ==, "? bool");
  g_assert_cmpstr (stria_graph_text (graph, row->name), ==, "mod.weight");
  row = port (graph, "forward_0_0", FALSE, "5");
  g_assert_cmpstr (stria_graph_text (graph, row->type), ==, "tensor list");
  row = port (graph, "forward_0_0", TRUE, "9");
  g_assert_cmpstr (stria_graph_text (graph, row->type), ==, "≤2 type 42");
  row = port (graph, "forward_0_0", FALSE, "10");
  g_assert_cmpstr (stria_graph_text (graph, row->type), ==, "type 77");
  g_assert_cmpuint (pte_read_notices (&read, "program-value"), ==, 1);
  /* Of the list's tensors the graph is given one. */
  ASSERT_SOURCES (graph, "forward_0_0", "GraphInputs[0] GraphInputs[0]");
}

/* split gives a list; cat takes one; a view has no instruction of its own. */
static void
test_lists_and_views (void)
{
  static const gint32 halves[] = { 1, 2 };
  static const gint32 parts[] = { 2, 0 };
  static const gint32 flat[] = { 24 };
  g_auto (PteMaker) maker = { 0 };
  g_auto (PteRead) read = { 0 };

  pte_maker_init (&maker);
  pte_maker_plan (&maker, "forward", PTE_ARGS (0), PTE_ARGS (9));
  pte_maker_tensor (&maker, 6, shape, 3, 0);   /* 0 */
  pte_maker_tensor (&maker, 6, shape, 3, 96);  /* 1 */
  pte_maker_tensor (&maker, 6, shape, 3, 192); /* 2 */
  pte_maker_list (&maker, 10, halves, 2, 4);   /* 3 */
  pte_maker_list (&maker, 10, parts, 2, 4);    /* 4 */
  pte_maker_tensor (&maker, 6, shape, 3, 288); /* 5: cat */
  pte_maker_tensor (&maker, 6, flat, 1, 288);  /* 6: view of 5 */
  pte_maker_tensor (&maker, 0, flat, 1, 288);  /* 7: scratch at its place, of another type */
  pte_maker_tensor (&maker, 6, shape, 3, 96);  /* 8: where 1 was, a result */
  pte_maker_tensor (&maker, 6, shape, 3, 400); /* 9 */
  pte_maker_operator (&maker, "split", "out");
  pte_maker_operator (&maker, "cat", "out");
  pte_maker_operator (&maker, "linear", "out");
  pte_maker_chain (&maker);
  pte_maker_call (&maker, KERNEL, 0, PTE_ARGS (0, 3, 3));
  pte_maker_call (&maker, KERNEL, 1, PTE_ARGS (4, 5, 5));
  pte_maker_call (&maker, KERNEL, 2, PTE_ARGS (6, 7, 8, 8));
  pte_maker_call (&maker, KERNEL, 2, PTE_ARGS (8, 6, 9, 9));
  g_autoptr (GByteArray) bytes = finish (&maker);
  pte_read_init (&read, bytes->data, bytes->len);
  g_assert_no_error (read.error);
  g_assert_cmpuint (stria_notices_size (stria_capture_get_notices (read.capture)), ==, 0);
  g_autoptr (StriaGraph) graph = pte_read_graph (&read, "forward");

  g_assert_nonnull (port (graph, "forward_0_0", TRUE, "3"));
  ASSERT_SOURCES (graph, "forward_0_1", "forward_0_0[3] GraphInputs[0]");
  ASSERT_SOURCES (graph, "forward_0_2", "forward_0_1[5]");
  g_assert_cmpstr (port_attr (graph, "forward_0_2", FALSE, "6", "assumedViewOf"), ==, "5");
  g_assert_nonnull (port (graph, "forward_0_2", TRUE, "7"));
  g_assert_null (port_attr (graph, "forward_0_2", TRUE, "8", "assumedViewOf"));
  ASSERT_SOURCES (graph, "forward_0_3", "forward_0_2[8] forward_0_1[5]");
  ASSERT_SOURCES (graph, "GraphOutputs", "forward_0_3[9]");
}

static void
add_frame (PteMaker *maker, guint32 list, const char *file, gint32 line, const char *function)
{
  guint32 frame = flat_maker_table (maker->maker);

  flat_maker_text (maker->maker, frame, 0, file);
  flat_maker_i32 (maker->maker, frame, 1, line);
  flat_maker_text (maker->maker, frame, 2, function);
  flat_maker_text (maker->maker, frame, 3, "y = x + 1");
  flat_maker_push (maker->maker, list, frame);
}

static void
test_frames (void)
{
  g_auto (PteMaker) maker = { 0 };
  g_auto (PteRead) read = { 0 };

  pte_maker_init (&maker);
  pte_maker_plan (&maker, "forward", PTE_NO_ARGS, PTE_NO_ARGS);
  pte_maker_operator (&maker, "x", "");
  pte_maker_chain (&maker);
  pte_maker_call (&maker, KERNEL, 0, PTE_NO_ARGS);
  pte_maker_call (&maker, KERNEL, 0, PTE_NO_ARGS);
  guint32 traces = flat_maker_list (maker.maker);
  guint32 trace = flat_maker_table (maker.maker);
  guint32 frames = flat_maker_list (maker.maker);
  add_frame (&maker, frames, "/src/train.py", 3, "main");
  add_frame (&maker, frames, "/src/model.py", 12, "forward");
  add_frame (&maker, frames, "/usr/lib/python3/dist-packages/torch/nn/linear.py", 116, "forward");
  flat_maker_node (maker.maker, trace, 0, frames);
  flat_maker_push (maker.maker, traces, trace);
  flat_maker_node (maker.maker, maker.chain, 3, traces);
  g_autoptr (GByteArray) bytes = finish (&maker);
  pte_read_init (&read, bytes->data, bytes->len);
  g_assert_no_error (read.error);
  g_autoptr (StriaGraph) graph = pte_read_graph (&read, "forward");
  const StriaGraphNodeRow *node
      = stria_graph_node (graph, stria_graph_find_node (graph, "forward_0_0"));
  g_assert_cmpstr (stria_graph_text (graph, node->file), ==, "/src/model.py");
  g_assert_cmpuint (node->line, ==, 12);
  const char *text = attr (graph, node->first_attr, node->n_attrs, "stackTrace");
  g_assert_nonnull (text);
  g_assert_true (g_str_has_prefix (text, "/src/train.py:3 main: y = x + 1\n"));
  node = stria_graph_node (graph, stria_graph_find_node (graph, "forward_0_1"));
  g_assert_cmpuint (node->file, ==, 0);
}

static void
test_probe (void)
{
  const StriaDecoder *pte = stria_decoder_by_kind ("pte");
  static const guint8 program[16] = "\x0c\0\0\0ET12\x04\0\x04\0";
  static const guint8 other[16] = "\x0c\0\0\0ET99\x04\0\x04\0";

  g_assert_cmpuint (pte->probe ("x", program, sizeof program, TRUE), ==, 95);
  g_assert_cmpuint (pte->probe ("x", other, sizeof other, TRUE), ==, 85);
  g_assert_cmpuint (pte->probe ("x", (const guint8 *) "NineET12", 8, FALSE), ==, 0);
  g_assert_cmpuint (pte->probe ("x", program, 8, TRUE), ==, 0);
  g_assert_cmpuint (pte->probe ("x", NULL, 0, TRUE), ==, 0);
  g_assert_cmpuint (pte->probe ("Model.PTE", (const guint8 *) "nothing", 7, TRUE), ==, 20);
  g_assert_true (stria_decoder_probe ("x", program, sizeof program, TRUE, NULL) == pte);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pte/plans", test_plans);
  g_test_add_func ("/pte/graph", test_graph);
  g_test_add_func ("/pte/doubles", test_doubles);
  g_test_add_func ("/pte/values", test_values);
  g_test_add_func ("/pte/lists-and-views", test_lists_and_views);
  g_test_add_func ("/pte/frames", test_frames);
  g_test_add_func ("/pte/probe", test_probe);
  return g_test_run ();
}
