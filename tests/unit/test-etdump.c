/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "etdump-maker.h"
#include "stria-decoder.h"
#include "stria-error.h"

static void
make_two_runs (DumpMaker *dump)
{
  static const DumpEvent load[] = {
    { "Method::init", -1, 0, .start = 12, .end = 18 },
    { "Program::load_method", -1, 0, .start = 10, .end = 20 },
  };
  static const DumpEvent execute[] = {
    { "native_call_add.out", 0, 0, .start = 101, .end = 109 },
    { "OPERATOR_CALL", 0, 0, .start = 100, .end = 110 },
    { NULL, 0, 1, .delegate_name = "VGF_DISPATCH", .start = 122, .end = 128 },
    { NULL, 0, 1, .delegate = 6, .metadata = "meta", .start = 121, .end = 129 },
    { "DELEGATE_CALL", 0, 1, .start = 120, .end = 130 },
    { "MOVE_CALL", 0, 2, .start = 130, .end = 131 },
    { "Method::execute", -1, 0, .start = 95, .end = 140 },
  };

  dump_maker_run (dump, "Default");
  for (guint i = 0; i < G_N_ELEMENTS (load); i++)
    dump_maker_event (dump, &load[i]);
  for (guint run = 0; run < 2; run++)
    {
      dump_maker_run (dump, "Execute");
      dump_maker_allocation (dump, (int) run, 4096);
      for (guint i = 0; i < G_N_ELEMENTS (execute); i++)
        {
          DumpEvent event = execute[i];

          event.start += 100 * run;
          event.end += 100 * run + (i == 0 ? run : 0);
          dump_maker_event (dump, &event);
        }
    }
}

static void
read_two_runs (DumpRead *read, gboolean prefixed)
{
  g_auto (DumpMaker) dump = { 0 };
  g_autoptr (GByteArray) bytes = NULL;

  dump_maker_init (&dump);
  make_two_runs (&dump);
  bytes = dump_maker_finish (&dump, prefixed, NULL);
  dump_read_init (read, bytes->data, bytes->len);
  g_assert_no_error (read->error);
}

static void
test_rows (gconstpointer prefixed)
{
  static const guint8 kinds[] = {
    STRIA_DUMP_KERNEL,        STRIA_DUMP_OPERATOR_CALL, STRIA_DUMP_DELEGATE,  STRIA_DUMP_DELEGATE,
    STRIA_DUMP_DELEGATE_CALL, STRIA_DUMP_CONTROL,       STRIA_DUMP_FRAMEWORK,
  };
  static const guint8 parents[] = { 1, 6, 3, 4, 6, 6 };
  g_auto (DumpRead) read = { 0 };
  const StriaDumpRow *dump;
  const StriaDumpRunRow *runs;
  const StriaDumpAllocationRow *allocations;

  read_two_runs (&read, GPOINTER_TO_INT (prefixed));
  g_assert_cmpuint (dump_read_size (&read, STRIA_TABLE_DUMP), ==, 1);
  dump = STRIA_ROWS (read.facts, StriaDumpRow, STRIA_TABLE_DUMP);
  g_assert_cmpuint (dump->version, ==, 0);
  g_assert_cmpuint (dump->size_prefixed, ==, GPOINTER_TO_INT (prefixed));
  g_assert_cmpuint (strlen (dump_read_text (&read, dump->sha256)), ==, 64);

  g_assert_cmpuint (dump_read_size (&read, STRIA_TABLE_DUMP_RUN), ==, 3);
  runs = STRIA_ROWS (read.facts, StriaDumpRunRow, STRIA_TABLE_DUMP_RUN);
  g_assert_cmpstr (dump_read_text (&read, runs[0].name), ==, "Default");
  g_assert_cmpuint (runs[0].n_events, ==, 2);
  g_assert_cmpint (runs[0].bundled_input, ==, -1);
  g_assert_cmpuint (runs[2].first_event, ==, 9);
  g_assert_cmpuint (runs[2].n_events, ==, 7);

  g_assert_cmpuint (dump_read_event (&read, 0)->parent, ==, 1);
  g_assert_cmpuint (dump_read_event (&read, 1)->parent, ==, STRIA_NO_REF);
  for (guint32 i = 0; i < 7; i++)
    {
      const StriaDumpEventRow *row = dump_read_event (&read, 9 + i);

      g_assert_cmpuint (row->run, ==, 2);
      g_assert_cmpuint (row->order, ==, i + 1);
      g_assert_cmpuint (row->kind, ==, kinds[i]);
      g_assert_cmpuint (row->parent, ==, i < 6 ? 9u + parents[i] : STRIA_NO_REF);
      g_assert_cmpint (row->chain, ==, i < 6 ? 0 : -1);
      g_assert_cmpuint (row->elapsed, ==, row->end - row->start);
      g_assert_cmpint (row->wrapped, ==, 0);
      g_assert_cmpint (row->delegate_int, ==, i == 3 ? 5 : -1);
      g_assert_cmpstr (dump_read_text (&read, row->delegate_name), ==,
                       i == 2 ? "VGF_DISPATCH" : "");
      g_assert_cmpuint (row->metadata_bytes, ==, i == 3 ? 4 : 0);
    }
  g_assert_cmpuint (dump_read_event (&read, 9)->start, ==, 201);
  g_assert_cmpuint (dump_read_event (&read, 9)->end, ==, 210);
  g_assert_cmpint (dump_read_event (&read, 14)->instruction, ==, 2);

  g_assert_cmpuint (dump_read_size (&read, STRIA_TABLE_DUMP_ALLOCATION), ==, 2);
  allocations = STRIA_ROWS (read.facts, StriaDumpAllocationRow, STRIA_TABLE_DUMP_ALLOCATION);
  g_assert_cmpuint (allocations[1].run, ==, 2);
  g_assert_cmpuint (allocations[1].order, ==, 0);
  g_assert_cmpint (allocations[1].allocator, ==, 1);
  g_assert_cmpuint (allocations[1].size, ==, 4096);
  g_assert_cmpuint (stria_notices_size (stria_capture_get_notices (read.capture)), ==, 0);
}

/* -- timeline -------------------------------------------------------------------------------- */

static void
assert_args (DumpRead *read, guint32 lane, guint64 index, const char *expected)
{
  g_autoptr (GBytes) bytes
      = stria_trace_get_args (read->trace, (StriaRef) { lane, (guint32) index }, NULL);

  g_assert_nonnull (bytes);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), expected,
                   strlen (expected));
}

static void
test_timeline (void)
{
  static const char *const names[] = { "Default", "Execute 1", "Execute 2" };
  static const char *const slices[]
      = { "Method::execute", "OPERATOR_CALL", "DELEGATE_CALL", "MOVE_CALL", "native_call_add.out",
          "5", "VGF_DISPATCH" };
  g_auto (DumpRead) read = { 0 };
  g_autoptr (GHashTable) meta = NULL;
  const StriaColumns *columns;
  StriaLane *lane;

  read_two_runs (&read, TRUE);
  g_assert_cmpuint (stria_trace_get_n_processes (read.trace), ==, 1);
  g_assert_cmpstr (stria_trace_get_process (read.trace, 0)->name, ==, "run.etdump");
  g_assert_cmpuint (stria_trace_get_n_lanes (read.trace), ==, 3);
  for (guint32 i = 0; i < 3; i++)
    g_assert_cmpstr (stria_lane_get_name (stria_trace_get_lane (read.trace, i)), ==, names[i]);

  lane = stria_trace_get_lane (read.trace, 2);
  g_assert_cmpuint (stria_lane_get_n_rows (lane), ==, 4);
  columns = stria_lane_get_columns (lane);
  g_assert_cmpuint (columns->n, ==, 7);
  for (guint i = 0; i < 7; i++)
    g_assert_cmpstr (stria_trace_get_string (read.trace, columns->name[i]), ==, slices[i]);
  g_assert_cmpint (columns->start[0], ==, 195);
  g_assert_cmpint (columns->dur[0], ==, 45);
  g_assert_cmpstr (stria_trace_get_category (read.trace, columns->category[0]), ==, "framework");
  g_assert_cmpuint (columns->seq[0], ==, 2 + 8 + 7);
  assert_args (&read, 2, 0, "{\"chain_index\": -1, \"instruction_id\": 0}");
  assert_args (&read, 2, 5,
               "{\"chain_index\": 0, \"instruction_id\": 1, \"delegate_debug_id\": 5, "
               "\"delegate_debug_metadata_bytes\": 4}");
  assert_args (&read, 2, 6,
               "{\"chain_index\": 0, \"instruction_id\": 1, "
               "\"delegate_debug_id\": \"VGF_DISPATCH\"}");

  meta = stria_capture_get_meta (read.capture, 0);
  g_assert_cmpstr (g_hash_table_lookup (meta, "etdump_time_unit"), ==, "\"ticks\"");
  g_assert_cmpstr (g_hash_table_lookup (meta, "etdump_runs"), ==, "3");
  g_assert_cmpstr (g_hash_table_lookup (meta, "etdump_profile_events"), ==, "16");
  g_assert_cmpstr (g_hash_table_lookup (meta, "etdump_allocation_events"), ==, "2");
}

/* With a coarse clock an inner event has the interval of the one around it. */
static void
test_equal (void)
{
  static const DumpEvent events[] = {
    { "kernel \"a\\b\"", 0, 3, .start = 5, .end = 6 },
    { "OPERATOR_CALL", 0, 3, .start = 5, .end = 6 },
    { "kernel", 0, 4, .start = 6, .end = 6 },
    { "OPERATOR_CALL", 0, 4, .start = 6, .end = 6 },
    { NULL, 0, 5, .delegate_name = "a\"\\\x01", .start = 6, .end = 7 },
    { "OPERATOR_CALL", 0, 5, .start = 6, .end = 7 },
    { "Method::execute", -1, 0, .start = 5, .end = 7 },
  };
  static const guint32 parents[] = { 1, 6, 3, 6, 5, 6, STRIA_NO_REF };
  g_auto (DumpMaker) dump = { 0 };
  g_auto (DumpRead) read = { 0 };
  g_autoptr (GByteArray) bytes = NULL;
  const StriaColumns *columns;

  dump_maker_init (&dump);
  dump_maker_run (&dump, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    dump_maker_event (&dump, &events[i]);
  bytes = dump_maker_finish (&dump, TRUE, NULL);
  dump_read_init (&read, bytes->data, bytes->len);
  g_assert_no_error (read.error);
  for (guint32 i = 0; i < G_N_ELEMENTS (events); i++)
    g_assert_cmpuint (dump_read_event (&read, i)->parent, ==, parents[i]);
  g_assert_cmpstr (stria_lane_get_name (stria_trace_get_lane (read.trace, 0)), ==, "Run 1");
  columns = stria_lane_get_columns (stria_trace_get_lane (read.trace, 0));
  g_assert_cmpuint (columns->n, ==, 7);
  g_assert_cmpstr (stria_trace_get_string (read.trace, columns->name[0]), ==, "Method::execute");
  g_assert_cmpstr (stria_trace_get_string (read.trace, columns->name[1]), ==, "OPERATOR_CALL");
  for (guint i = 0; i < columns->n; i++)
    {
      const char *name = stria_trace_get_string (read.trace, columns->name[i]);

      if (g_str_has_prefix (name, "a\""))
        assert_args (&read, 0, i,
                     "{\"chain_index\": 0, \"instruction_id\": 5, "
                     "\"delegate_debug_id\": \"a\\\"\\\\\\u0001\"}");
    }
}

/* -- nesting --------------------------------------------------------------------------------- */

static gboolean
is_around (const StriaDumpEventRow *a, guint32 i, const StriaDumpEventRow *b, guint32 j)
{
  return a->start <= b->start && a->end >= b->end
         && (a->start < b->start || a->end > b->end || i > j);
}

/* Of those around @i that may be its parent, the one that begins last, then ends first. */
static guint32
search_parent (const StriaDumpEventRow *rows, guint32 n, guint32 i, gboolean framework)
{
  guint32 best = STRIA_NO_REF;

  for (guint32 k = 0; k < n; k++)
    {
      gboolean fits = framework ? rows[k].chain < 0
                                : rows[k].chain == rows[i].chain
                                      && rows[k].instruction == rows[i].instruction;

      if (k != i && fits && is_around (&rows[k], k, &rows[i], i)
          && (best == STRIA_NO_REF || is_around (&rows[best], best, &rows[k], k)
              || rows[k].start > rows[best].start))
        best = k;
    }
  return best;
}

static void
test_nesting (void)
{
  for (guint round = 0; round < 300; round++)
    {
      g_auto (DumpMaker) dump = { 0 };
      g_auto (DumpRead) read = { 0 };
      g_autoptr (GByteArray) bytes = NULL;
      guint n = (guint) g_test_rand_int_range (1, 60);
      int width = g_test_rand_int_range (2, 100);

      dump_maker_init (&dump);
      dump_maker_run (&dump, "Default");
      dump_maker_event (&dump, &(DumpEvent) { "first", .start = 1, .end = 2 });
      dump_maker_run (&dump, "Execute");
      for (guint i = 0; i < n; i++)
        {
          int start = g_test_rand_int_range (1, width);
          DumpEvent event = {
            .name = "event",
            .chain = g_test_rand_int_range (-1, 2),
            .instruction = g_test_rand_int_range (0, 3),
            .start = (guint64) start,
            .end = (guint64) g_test_rand_int_range (start, width + 1),
          };

          dump_maker_event (&dump, &event);
        }
      bytes = dump_maker_finish (&dump, TRUE, NULL);
      dump_read_init (&read, bytes->data, bytes->len);
      g_assert_no_error (read.error);
      for (guint32 i = 0; i < n; i++)
        {
          const StriaDumpEventRow *rows = dump_read_event (&read, 1);
          guint32 parent = rows[i].chain < 0 ? STRIA_NO_REF : search_parent (rows, n, i, FALSE);

          if (parent == STRIA_NO_REF)
            parent = search_parent (rows, n, i, TRUE);
          g_assert_cmpuint (rows[i].parent, ==, parent == STRIA_NO_REF ? parent : parent + 1);
        }
    }
}

/* -- times ----------------------------------------------------------------------------------- */

static void
test_times (void)
{
  static const struct
  {
    guint64 start, end, elapsed;
    guint8  wrapped;
  } cases[] = {
    { 7, 7, 0, 0 },
    { G_MAXUINT32, 2, 2, 1 }, /* 2^32 - 1 - start + end: one less than passed */
    { G_MAXUINT32 - 10, 5, 15, 1 },
    { (guint64) G_MAXUINT32 + 1, 5, G_MAXUINT64, 0 },
    { 0, G_MAXUINT64, G_MAXUINT64, 0 },
    { G_MAXUINT64 - 1, G_MAXUINT64, 1, 0 },
  };
  g_auto (DumpMaker) dump = { 0 };
  g_auto (DumpRead) read = { 0 };
  g_autoptr (GByteArray) bytes = NULL;
  const StriaColumns *columns;

  dump_maker_init (&dump);
  dump_maker_run (&dump, "Execute");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    dump_maker_event (&dump, &(DumpEvent) { "e", .instruction = (int) i, .start = cases[i].start,
                                            .end = cases[i].end });
  bytes = dump_maker_finish (&dump, TRUE, NULL);
  dump_read_init (&read, bytes->data, bytes->len);
  g_assert_no_error (read.error);
  for (guint32 i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_cmpuint (dump_read_event (&read, i)->elapsed, ==, cases[i].elapsed);
      g_assert_cmpuint (dump_read_event (&read, i)->wrapped, ==, cases[i].wrapped);
    }
  g_assert_cmpuint (dump_read_notices (&read, "etdump-wrapped"), ==, 2);
  g_assert_cmpuint (dump_read_notices (&read, "etdump-backwards"), ==, 1);
  for (guint32 l = 0; l < stria_trace_get_n_lanes (read.trace); l++)
    {
      columns = stria_lane_get_columns (stria_trace_get_lane (read.trace, l));
      for (guint64 i = 0; i < columns->n; i++)
        {
          g_assert_cmpint (columns->start[i], >=, 0);
          g_assert_cmpint (columns->dur[i], >=, 0);
          g_assert_cmpint (columns->start[i], <=, G_MAXINT64 - columns->dur[i]);
        }
    }
}

/* -- debug events ---------------------------------------------------------------------------- */

static guint32
add_tensor (FlatMaker *maker, guint8 type, guint n_sizes)
{
  g_autofree gint64 *sizes = g_new (gint64, n_sizes + 1);
  guint32 tensor = flat_maker_table (maker);

  for (guint i = 0; i < n_sizes; i++)
    sizes[i] = i + 2;
  flat_maker_u8 (maker, tensor, 0, type);
  flat_maker_node (maker, tensor, 1, flat_maker_vector (maker, sizes, n_sizes, 8));
  flat_maker_i64 (maker, tensor, 3, 64);
  return tensor;
}

static guint32
add_debug (DumpMaker *dump, guint8 type)
{
  guint32 event = flat_maker_table (dump->maker);
  guint32 value = flat_maker_table (dump->maker);

  flat_maker_u64 (dump->maker, event, 0, 1);
  flat_maker_i32 (dump->maker, event, 1, 7);
  flat_maker_node (dump->maker, event, 2, value);
  flat_maker_i32 (dump->maker, event, 3, 9);
  flat_maker_text (dump->maker, event, 4, "delegate");
  flat_maker_text (dump->maker, event, 5, "name");
  if (type != 0)
    flat_maker_u8 (dump->maker, value, 0, type);
  dump_maker_add (dump, 2, event);
  return value;
}

static guint32
add_single (FlatMaker *maker, guint32 value, guint field)
{
  guint32 table = flat_maker_table (maker);

  flat_maker_node (maker, value, field, table);
  return table;
}

static void
test_debug (void)
{
  static const struct
  {
    const char *type, *value;
  } expected[] = {
    { "Null", "" },
    { "Int", "-9223372036854775808" },
    { "Bool", "true" },
    { "Bool", "false" },
    { "Float", "0.1" },
    { "Double", "0.10000000000000001" },
    { "Tensor", "float32 [2, 3] @64" },
    { "TensorList", "int8 [2] @64; scalar type 10 [] @64" },
    { "String", "" },
    { "99", "" },
  };
  g_auto (DumpMaker) dump = { 0 };
  g_auto (DumpRead) read = { 0 };
  g_autoptr (GByteArray) bytes = NULL;
  FlatMaker *maker;
  guint32 value, list, tensors;

  dump_maker_init (&dump);
  maker = dump.maker;
  dump_maker_run (&dump, "Execute");
  add_debug (&dump, 0);
  value = add_debug (&dump, 1);
  flat_maker_i64 (maker, add_single (maker, value, 3), 0, G_MININT64);
  value = add_debug (&dump, 2);
  flat_maker_u8 (maker, add_single (maker, value, 6), 0, 1);
  flat_maker_u8 (maker, add_single (maker, value, 7), 0, 1);
  add_single (maker, add_debug (&dump, 2), 6);
  value = add_debug (&dump, 3);
  flat_maker_f32 (maker, add_single (maker, value, 4), 0, 0.1f);
  value = add_debug (&dump, 4);
  flat_maker_f64 (maker, add_single (maker, value, 5), 0, 0.1);
  flat_maker_node (maker, add_debug (&dump, 5), 1, add_tensor (maker, 6, 2));
  value = add_debug (&dump, 6);
  tensors = flat_maker_list (maker);
  flat_maker_push (maker, tensors, add_tensor (maker, 1, 1));
  flat_maker_push (maker, tensors, add_tensor (maker, 10, 0));
  list = add_single (maker, value, 2);
  flat_maker_node (maker, list, 0, tensors);
  add_debug (&dump, 7);
  add_debug (&dump, 99);
  bytes = dump_maker_finish (&dump, TRUE, NULL);
  dump_read_init (&read, bytes->data, bytes->len);
  g_assert_no_error (read.error);

  g_assert_cmpuint (dump_read_size (&read, STRIA_TABLE_DUMP_DEBUG), ==, G_N_ELEMENTS (expected));
  for (guint32 i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      const StriaDumpDebugRow *row
          = &STRIA_ROWS (read.facts, StriaDumpDebugRow, STRIA_TABLE_DUMP_DEBUG)[i];

      g_assert_cmpstr (dump_read_text (&read, row->type), ==, expected[i].type);
      g_assert_cmpstr (dump_read_text (&read, row->value), ==, expected[i].value);
      g_assert_cmpstr (dump_read_text (&read, row->name), ==, "name");
      g_assert_cmpstr (dump_read_text (&read, row->delegate_name), ==, "delegate");
      g_assert_cmpint (row->chain, ==, 1);
      g_assert_cmpint (row->instruction, ==, 7);
      g_assert_cmpint (row->delegate_int, ==, 9);
      g_assert_cmpuint (row->order, ==, i);
      g_assert_cmpuint (row->is_output, ==, i == 2);
    }
}

static void
test_allocators (void)
{
  g_auto (DumpMaker) dump = { 0 };
  g_auto (DumpRead) read = { 0 };
  g_autoptr (GByteArray) bytes = NULL;
  guint32 list;

  dump_maker_init (&dump);
  dump_maker_run (&dump, "Execute");
  list = flat_maker_list (dump.maker);
  for (guint i = 0; i < 2; i++)
    {
      guint32 allocator = flat_maker_table (dump.maker);

      flat_maker_text (dump.maker, allocator, 0, i == 0 ? "planned" : "temporary");
      flat_maker_push (dump.maker, list, allocator);
    }
  flat_maker_node (dump.maker, dump.run, 2, list);
  flat_maker_i32 (dump.maker, dump.run, 1, 4);
  bytes = dump_maker_finish (&dump, FALSE, NULL);
  dump_read_init (&read, bytes->data, bytes->len);
  g_assert_no_error (read.error);
  g_assert_cmpint (STRIA_ROWS (read.facts, StriaDumpRunRow, STRIA_TABLE_DUMP_RUN)->bundled_input,
                   ==, 4);
  g_assert_cmpuint (dump_read_size (&read, STRIA_TABLE_DUMP_ALLOCATOR), ==, 2);
  g_assert_cmpstr (
      dump_read_text (&read, STRIA_ROWS (read.facts, StriaDumpAllocatorRow,
                                         STRIA_TABLE_DUMP_ALLOCATOR)[1].name),
      ==, "temporary");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/etdump/rows/prefixed", GINT_TO_POINTER (TRUE), test_rows);
  g_test_add_data_func ("/etdump/rows/bare", GINT_TO_POINTER (FALSE), test_rows);
  g_test_add_func ("/etdump/timeline", test_timeline);
  g_test_add_func ("/etdump/equal", test_equal);
  g_test_add_func ("/etdump/nesting", test_nesting);
  g_test_add_func ("/etdump/times", test_times);
  g_test_add_func ("/etdump/debug", test_debug);
  g_test_add_func ("/etdump/allocators", test_allocators);
  return g_test_run ();
}
