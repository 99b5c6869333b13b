/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "etdump-maker.h"
#include "stria-decoder.h"
#include "stria-error.h"

static GByteArray *
make_dump (int n, gboolean prefixed, GArray **borders)
{
  g_auto (DumpMaker) dump = { 0 };
  guint32 debug, value, number;

  dump_maker_init (&dump);
  for (guint run = 0; run < 3; run++)
    {
      dump_maker_run (&dump, run == 0 ? "Default" : "Execute");
      for (int i = 0; i < n; i++)
        {
          guint64 start = 100 + 10 * (guint) i;

          dump_maker_event (&dump, &(DumpEvent) { "native_call_add.out", 0, i, .start = start + 1,
                                                  .end = start + 8 });
          dump_maker_event (&dump, &(DumpEvent) { NULL, 0, i, .delegate_name = "VGF_EXECUTE",
                                                  .metadata = "{}", .start = start, .end = start });
          dump_maker_event (&dump, &(DumpEvent) { "OPERATOR_CALL", 0, i, .start = start,
                                                  .end = start + 9 });
        }
      dump_maker_allocation (&dump, 1, 64);
      dump_maker_event (&dump, &(DumpEvent) { "Method::execute", -1, 0, .start = 90, .end = 400 });
    }
  debug = flat_maker_table (dump.maker);
  value = flat_maker_table (dump.maker);
  number = flat_maker_table (dump.maker);
  flat_maker_i64 (dump.maker, number, 0, 5);
  flat_maker_u8 (dump.maker, value, 0, 1);
  flat_maker_node (dump.maker, value, 3, number);
  flat_maker_node (dump.maker, debug, 2, value);
  dump_maker_add (&dump, 2, debug);
  return dump_maker_finish (&dump, prefixed, borders);
}

#define N_EVENTS (3 * 61)

/* What holds of any bytes. */
static void
check (const guint8 *data, gsize length, gsize most_events)
{
  g_auto (DumpRead) read = { 0 };
  guint table;
  guint32 row;

  dump_read_init (&read, data, length);
  if (!read.good)
    {
      g_assert_true (read.error->domain == STRIA_ERROR);
      g_assert_true (g_str_has_prefix (read.error->message, "run.etdump: "));
      return;
    }
  g_assert_true (stria_facts_check (read.facts, &table, &row));
  g_assert_cmpuint (dump_read_size (&read, STRIA_TABLE_DUMP_EVENT), <=, most_events);
  for (guint32 i = 0; i < dump_read_size (&read, STRIA_TABLE_DUMP_EVENT); i++)
    {
      const StriaDumpEventRow *event = dump_read_event (&read, i);

      if (event->parent == STRIA_NO_REF)
        continue;
      g_assert_cmpuint (dump_read_event (&read, event->parent)->run, ==, event->run);
      g_assert_cmpuint (dump_read_event (&read, event->parent)->start, <=, event->start);
    }
}

static void
test_cuts (gconstpointer prefixed)
{
  g_autoptr (GArray) borders = NULL;
  g_autoptr (GByteArray) bytes = make_dump (20, GPOINTER_TO_INT (prefixed), &borders);

  check (bytes->data, bytes->len, N_EVENTS);
  for (guint length = 1; length < bytes->len; length *= 2)
    check (bytes->data, length, N_EVENTS);
  for (guint i = 0; i < borders->len; i++)
    for (guint around = 0; around < 3; around++)
      check (bytes->data, g_array_index (borders, guint32, i) - 1 + around, N_EVENTS);
}

static void
test_flips (void)
{
  g_autoptr (GByteArray) bytes = make_dump (2, TRUE, NULL);

  for (guint at = 0; at < bytes->len; at++)
    for (guint bit = 0; bit < 8; bit += 3)
      {
        bytes->data[at] ^= 1 << bit;
        /* An offset may come to lead to another run. */
        check (bytes->data, bytes->len, 3 * N_EVENTS);
        bytes->data[at] ^= 1 << bit;
      }
}

/* One event of which nothing can be read; the others stay. */
static void
test_one_damaged (void)
{
  g_autoptr (GByteArray) bytes = make_dump (20, TRUE, NULL);
  g_auto (DumpRead) whole = { 0 };
  g_auto (DumpRead) read = { 0 };
  const char *name = "VGF_EXECUTE";
  guint8 *at = memmem (bytes->data, bytes->len, name, strlen (name) + 1);

  dump_read_init (&whole, bytes->data, bytes->len);
  g_assert_no_error (whole.error);
  g_assert_cmpuint (dump_read_size (&whole, STRIA_TABLE_DUMP_EVENT), ==, N_EVENTS);
  g_assert_cmpuint (stria_notices_size (stria_capture_get_notices (whole.capture)), ==, 0);

  g_assert_nonnull (at);
  at[strlen (name)] = 'x';
  dump_read_init (&read, bytes->data, bytes->len);
  g_assert_no_error (read.error);
  g_assert_cmpuint (dump_read_size (&read, STRIA_TABLE_DUMP_EVENT), ==, N_EVENTS - 1);
  g_assert_cmpuint (dump_read_size (&read, STRIA_TABLE_DUMP_DEBUG), ==, 1);
  g_assert_cmpuint (dump_read_notices (&read, "etdump-damaged"), ==, 1);
  g_assert_true (dump_read_notices (&read, "etdump-event") == 0);
}

static void
assert_error (const guint8 *data, gsize length, int code, const char *pattern)
{
  g_auto (DumpRead) read = { 0 };

  dump_read_init (&read, data, length);
  g_assert_error (read.error, STRIA_ERROR, code);
  if (!g_pattern_match_simple (pattern, read.error->message))
    g_error ("“%s” is not like “%s”", read.error->message, pattern);
}

static void
test_errors (void)
{
  g_autoptr (GByteArray) bytes = make_dump (20, TRUE, NULL);

  assert_error (bytes->data, 3, STRIA_ERROR_TRUNCATED, "run.etdump: offset 0: expected*found 3");
  assert_error (bytes->data, 20, STRIA_ERROR_TRUNCATED, "run.etdump: offset *");
  bytes->data[8] = 'X';
  assert_error (bytes->data, bytes->len, STRIA_ERROR_BAD_MAGIC,
                "run.etdump: offset 4: expected*“ED00”*");
  assert_error ((const guint8 *) "no dump at all", 14, STRIA_ERROR_BAD_MAGIC,
                "run.etdump: offset 4: expected*“ED00”*found “ump ”");
}

static guint64
count_notices (GByteArray *bytes, gsize length, const char *code)
{
  g_auto (DumpRead) read = { 0 };

  dump_read_init (&read, bytes->data, length);
  g_assert_no_error (read.error);
  g_assert_cmpuint (dump_read_size (&read, STRIA_TABLE_DUMP_EVENT), ==, N_EVENTS);
  return dump_read_notices (&read, code);
}

/* The prefix says less or more than there is. */
static void
test_lengths (void)
{
  g_autoptr (GByteArray) bytes = make_dump (20, TRUE, NULL);
  guint length = bytes->len;

  g_assert_cmpuint (count_notices (bytes, length, "etdump-trailing"), ==, 0);
  g_byte_array_set_size (bytes, length + 4096);
  memset (bytes->data + length, 0xa5, 4096);
  g_assert_cmpuint (count_notices (bytes, length + 64, "etdump-trailing"), ==, 0);
  g_assert_cmpuint (count_notices (bytes, length + 4096, "etdump-trailing"), ==, 1);
  bytes->data[1] += 1;
  g_assert_cmpuint (count_notices (bytes, length, "truncated"), ==, 1);
}

static void
test_version (void)
{
  g_auto (DumpMaker) dump = { 0 };
  g_auto (DumpRead) read = { 0 };
  g_autoptr (GByteArray) bytes = NULL;

  dump_maker_init (&dump);
  flat_maker_u32 (dump.maker, dump.root, 0, 3);
  dump_maker_run (&dump, "Default");
  dump_maker_event (&dump, &(DumpEvent) { "e", .start = 1, .end = 2 });
  bytes = dump_maker_finish (&dump, TRUE, NULL);
  dump_read_init (&read, bytes->data, bytes->len);
  g_assert_no_error (read.error);
  g_assert_cmpuint (STRIA_ROWS (read.facts, StriaDumpRow, STRIA_TABLE_DUMP)->version, ==, 3);
  g_assert_cmpuint (dump_read_notices (&read, "etdump-version"), ==, 1);
}

/* No runs, a run without events, an event without anything and one with two things in it. */
static void
test_empty (void)
{
  g_auto (DumpMaker) dump = { 0 };
  g_auto (DumpRead) none = { 0 };
  g_auto (DumpRead) read = { 0 };
  g_autoptr (GByteArray) empty = NULL;
  g_autoptr (GByteArray) bytes = NULL;
  guint32 event;

  dump_maker_init (&dump);
  empty = dump_maker_finish (&dump, TRUE, NULL);
  dump_read_init (&none, empty->data, empty->len);
  g_assert_no_error (none.error);
  g_assert_cmpuint (dump_read_size (&none, STRIA_TABLE_DUMP), ==, 1);
  g_assert_cmpuint (dump_read_size (&none, STRIA_TABLE_DUMP_RUN), ==, 0);

  dump_maker_run (&dump, "Default");
  dump_maker_run (&dump, "Execute");
  flat_maker_push (dump.maker, dump.events, flat_maker_table (dump.maker));
  event = flat_maker_table (dump.maker);
  flat_maker_node (dump.maker, event, 0, flat_maker_table (dump.maker));
  flat_maker_node (dump.maker, event, 1, flat_maker_table (dump.maker));
  flat_maker_push (dump.maker, dump.events, event);
  bytes = dump_maker_finish (&dump, TRUE, NULL);
  dump_read_init (&read, bytes->data, bytes->len);
  g_assert_no_error (read.error);
  g_assert_cmpuint (dump_read_size (&read, STRIA_TABLE_DUMP_RUN), ==, 2);
  g_assert_cmpuint (dump_read_size (&read, STRIA_TABLE_DUMP_EVENT), ==, 1);
  g_assert_cmpuint (dump_read_size (&read, STRIA_TABLE_DUMP_ALLOCATION), ==, 1);
  g_assert_cmpuint (dump_read_notices (&read, "etdump-event"), ==, 2);
}

/* Many runs that name the same events: a small file that would be a large dump. */
static void
test_shared (void)
{
  g_auto (DumpMaker) dump = { 0 };
  g_auto (DumpRead) read = { 0 };
  g_autoptr (GByteArray) bytes = NULL;

  dump_maker_init (&dump);
  dump_maker_run (&dump, "Default");
  for (guint i = 0; i < 2000; i++)
    dump_maker_event (&dump, &(DumpEvent) { "e", .start = 1, .end = 2 });
  for (guint i = 0; i < 2000; i++)
    flat_maker_push (dump.maker, dump.runs, dump.run);
  bytes = dump_maker_finish (&dump, TRUE, NULL);
  dump_read_init (&read, bytes->data, bytes->len);
  g_assert_no_error (read.error);
  g_assert_cmpuint (dump_read_size (&read, STRIA_TABLE_DUMP_EVENT), <, 100000);
  g_assert_cmpuint (dump_read_notices (&read, "etdump-damaged"), >=, 1);
}

static void
test_probe (void)
{
  g_autoptr (GByteArray) prefixed = make_dump (20, TRUE, NULL);
  g_autoptr (GByteArray) bare = make_dump (20, FALSE, NULL);
  const char *other = "{\"traceEvents\": []}";
  guint sure;

  g_assert_cmpstr (stria_decoder_probe ("x", prefixed->data, 64, FALSE, &sure)->kind, ==, "etdump");
  g_assert_cmpuint (sure, >=, 90);
  g_assert_cmpstr (stria_decoder_probe ("x.json", bare->data, 64, FALSE, NULL)->kind, ==, "etdump");
  g_assert_cmpstr (stria_decoder_probe ("x.etdp", (const guint8 *) "damaged", 7, TRUE, &sure)->kind,
                   ==, "etdump");
  g_assert_cmpuint (sure, <, 50);
  g_assert_cmpstr (
      stria_decoder_probe ("x.etdp", (const guint8 *) other, strlen (other), TRUE, NULL)->kind, ==,
      "pytorch-trace");
  g_assert_null (stria_decoder_probe ("ED00", (const guint8 *) "ED00ED0", 7, TRUE, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/etdump-bad/cuts/prefixed", GINT_TO_POINTER (TRUE), test_cuts);
  g_test_add_data_func ("/etdump-bad/cuts/bare", GINT_TO_POINTER (FALSE), test_cuts);
  g_test_add_func ("/etdump-bad/flips", test_flips);
  g_test_add_func ("/etdump-bad/one-damaged", test_one_damaged);
  g_test_add_func ("/etdump-bad/errors", test_errors);
  g_test_add_func ("/etdump-bad/lengths", test_lengths);
  g_test_add_func ("/etdump-bad/version", test_version);
  g_test_add_func ("/etdump-bad/empty", test_empty);
  g_test_add_func ("/etdump-bad/shared", test_shared);
  g_test_add_func ("/etdump-bad/probe", test_probe);
  return g_test_run ();
}
