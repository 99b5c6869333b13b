/* SPDX-License-Identifier: Apache-2.0 */
/* Tables give back what went in, through the spill, the store and SQL; damaged chunks are refused.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-capture.h"
#include "stria-query.h"
#include "stria-spill.h"
#include "stria-table-chunk.h"

static const StriaColumnInfo columns[] = {
  { (char *) "start_ts", STRIA_CELL_INT, (char *) "ns", (char *) "when" },
  { (char *) "big", STRIA_CELL_INT, (char *) "", NULL },
  { (char *) "share", STRIA_CELL_REAL, (char *) "percent", NULL },
  { (char *) "flag", STRIA_CELL_BOOL, (char *) "", NULL },
  { (char *) "opcode", STRIA_CELL_TEXT, (char *) "", NULL },
  { (char *) "operands", STRIA_CELL_TEXT, (char *) "", NULL },
};

/* What row @i holds, by rules that need no memory. FALSE: no value. */
static gboolean
cell_has (guint64 i, guint column)
{
  return column == 0 || (i * 7 + column) % 5 != 0;
}

static gint64
cell_int (guint64 i, guint column)
{
  switch (column)
    {
    case 0:
      return (gint64) i * 17 + 1000000000000;
    case 1:
      return i % 3 == 0   ? G_MININT64 + (gint64) i
             : i % 3 == 1 ? G_MAXINT64 - (gint64) i
                          : -(gint64) i;
    default:
      return i % 2;
    }
}

static double
cell_real (guint64 i)
{
  return i % 11 == 0 ? HUGE_VAL : (double) i / 3 - 5;
}

static char *
cell_text (guint64 i, guint column)
{
  static const char *const opcodes[] = { "MATMUL", "LDWEIGHTS", "", "TENSOR_TENSOR", "größer" };

  return column == 4 ? g_strdup (opcodes[i % G_N_ELEMENTS (opcodes)])
                     : g_strdup_printf ("S[%" G_GUINT64_FORMAT "]++@complete", i);
}

/* @n rows from row @first, as a decoder would hand them: opcodes by number, operands one a row. */
static void
add_rows (StriaTableBuilder *builder, guint64 first, guint32 n)
{
  StriaColumnData data[G_N_ELEMENTS (columns)] = { 0 };
  g_autofree guint8 *valid = g_malloc0 (G_N_ELEMENTS (columns) * n);
  g_autofree gint64 *ints = g_new0 (gint64, 4 * n);
  g_autofree guint32 *index = g_new0 (guint32, n);
  g_autoptr (GString) opcodes = g_string_new (NULL);
  g_autoptr (GString) operands = g_string_new (NULL);
  g_autofree guint32 *opcode_at = g_new0 (guint32, 6);
  g_autofree guint32 *operand_at = g_new0 (guint32, n + 1);

  for (guint t = 0; t < 5; t++)
    {
      g_autofree char *text = cell_text (t, 4);
      g_string_append (opcodes, text);
      opcode_at[t + 1] = (guint32) opcodes->len;
    }
  for (guint32 r = 0; r < n; r++)
    {
      g_autofree char *text = cell_text (first + r, 5);
      double real = cell_real (first + r);

      for (guint c = 0; c < G_N_ELEMENTS (columns); c++)
        valid[c * n + r] = cell_has (first + r, c);
      ints[0 * n + r] = cell_int (first + r, 0);
      ints[1 * n + r] = cell_int (first + r, 1);
      memcpy (&ints[2 * n + r], &real, sizeof real);
      ints[3 * n + r] = cell_int (first + r, 3);
      index[r] = (first + r) % 5;
      g_string_append (operands, text);
      operand_at[r + 1] = (guint32) operands->len;
    }
  for (guint c = 0; c < G_N_ELEMENTS (columns); c++)
    {
      data[c].valid = c == 0 ? NULL : valid + c * n;
      if (c < 4)
        data[c].ints = ints + c * n;
    }
  data[4].index = index;
  data[4].offsets = opcode_at;
  data[4].bytes = opcodes->str;
  data[4].n_texts = 5;
  data[5].offsets = operand_at;
  data[5].bytes = operands->str;
  data[5].n_texts = n;
  stria_table_builder_add (builder, data, n);
}

static void
check_cell (StriaColumnChunk *chunk, guint column, guint32 place, guint64 row)
{
  guint32 length;

  g_assert_cmpint (stria_column_data_has (&chunk->data, place), ==, cell_has (row, column));
  if (!cell_has (row, column))
    return;
  if (column >= 4)
    {
      const char *text = stria_column_data_text (&chunk->data, place, &length);
      g_autofree char *expected = cell_text (row, column);
      g_assert_cmpmem (text, length, expected, strlen (expected));
    }
  else if (column == 2)
    g_assert_true (chunk->data.reals[place] == cell_real (row));
  else
    g_assert_cmpint (chunk->data.ints[place], ==, cell_int (row, column));
}

static void
check_table (StriaTable *table, guint64 n)
{
  g_assert_cmpuint (stria_table_get_n_rows (table), ==, n);
  for (guint c = 0; c < G_N_ELEMENTS (columns); c++)
    {
      guint64 row = 0;

      g_assert_cmpstr (stria_table_get_column (table, c)->name, ==, columns[c].name);
      g_assert_cmpstr (stria_table_get_column (table, c)->unit, ==, columns[c].unit);
      for (guint32 k = 0; k < stria_table_get_n_chunks (table); k++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (StriaColumnChunk) chunk = stria_table_load (table, c, k, &error);
          gint64 min, max;

          g_assert_no_error (error);
          if (stria_table_get_bounds (table, c, k, &min, &max) && c == 0)
            {
              g_assert_cmpint (min, ==, cell_int (row, 0));
              g_assert_cmpint (max, ==, cell_int (row + chunk->n_rows - 1, 0));
            }
          for (guint32 r = 0; r < chunk->n_rows; r++)
            check_cell (chunk, c, r, row++);
        }
      g_assert_cmpuint (row, ==, n);
    }
}

static void
add_all (StriaTableBuilder *builder, guint64 n)
{
  /* Batches that end beside chunks, at them and across them. */
  static const guint32 sizes[] = { 1, 1000, 65536, 70000, 65535, 3 };
  guint64 done = 0;

  for (guint i = 0; done < n; i++)
    {
      guint32 size = (guint32) MIN (sizes[i % G_N_ELEMENTS (sizes)], n - done);
      add_rows (builder, done, size);
      done += size;
    }
}

static void
test_builder (void)
{
  for (guint pass = 0; pass < 3; pass++)
    {
      static const guint64 sizes[] = { 0, 7, 150000 };
      g_autoptr (StriaSpill) spill = stria_spill_new ();
      StriaTableBuilder *builder
          = stria_table_builder_new ("Instruction", 3, columns, G_N_ELEMENTS (columns), spill);
      g_autoptr (StriaTable) table = NULL;
      g_autoptr (GError) error = NULL;
      guint32 chunk, place;

      add_all (builder, sizes[pass]);
      g_assert_cmpuint (stria_table_builder_n_rows (builder), ==, sizes[pass]);
      table = stria_table_builder_finish (builder, &error);
      g_assert_no_error (error);
      check_table (table, sizes[pass]);
      g_assert_false (stria_table_find_row (table, sizes[pass], &chunk, &place));
      if (sizes[pass] > 70000)
        {
          g_assert_true (stria_table_find_row (table, 65536, &chunk, &place));
          g_assert_cmpuint (chunk, ==, 1);
          g_assert_cmpuint (place, ==, 0);
        }
      g_assert_cmpint (stria_table_find_column (table, "OPCODE"), ==, 4);
      g_assert_cmpint (stria_table_find_column (table, "nothing"), ==, -1);
    }
}

/* More than the spill keeps in memory. */
static void
test_spill (void)
{
  g_autoptr (StriaSpill) spill = stria_spill_new ();
  guint64 places[64];
  g_autofree guint8 *block = g_malloc (1 << 18);
  gboolean in_file = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autoptr (GError) error = NULL;

      memset (block, (int) i, 1 << 18);
      g_assert_true (stria_spill_append (spill, block, 1 << 18, &places[i], &error));
      g_assert_no_error (error);
    }
  g_assert_cmpuint (stria_spill_size (spill, &in_file), ==, 64 << 18);
  g_assert_true (in_file);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autoptr (GBytes) bytes = stria_spill_read (spill, places[i], 1 << 18, NULL);

      memset (block, (int) i, 1 << 18);
      g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), block, 1 << 18);
    }
  g_assert_null (stria_spill_read (spill, (64 << 18) - 1, 2, NULL));
  g_assert_null (stria_spill_read (spill, G_MAXUINT64, 1, NULL));
}

/* Texts too long to share a chunk close it early. */
static void
test_long_texts (void)
{
  g_autoptr (StriaSpill) spill = stria_spill_new ();
  const guint32 length = STRIA_TABLE_CHUNK_TEXT / 4 * 3;
  const StriaColumnInfo one = { (char *) "text", STRIA_CELL_TEXT, (char *) "", NULL };
  StriaTableBuilder *builder = stria_table_builder_new ("Long", 0, &one, 1, spill);
  g_autofree char *text = g_malloc (length * 2);
  const guint32 offsets[] = { 0, length, length * 2, length * 2 };
  const StriaColumnData data = { .offsets = offsets, .bytes = text, .n_texts = 3 };
  g_autoptr (StriaTable) table = NULL;

  memset (text, 'a', length);
  memset (text + length, 'b', length);
  stria_table_builder_add (builder, &data, 3);
  table = stria_table_builder_finish (builder, NULL);
  g_assert_cmpuint (stria_table_get_n_rows (table), ==, 3);
  g_assert_cmpuint (stria_table_get_n_chunks (table), ==, 2);
  for (guint32 k = 0, row = 0; k < 2; k++)
    {
      g_autoptr (StriaColumnChunk) chunk = stria_table_load (table, 0, k, NULL);

      for (guint32 r = 0; r < chunk->n_rows; r++, row++)
        {
          guint32 n;
          const char *at = stria_column_data_text (&chunk->data, r, &n);

          g_assert_cmpuint (n, ==, row < 2 ? length : 0);
          if (n > 0)
            g_assert_true (at[0] == "ab"[row] && at[n - 1] == "ab"[row]);
        }
    }
}

/* Whatever is cut off or flipped: no chunk, or values, never a crash. */
static void
test_damage (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  const gint64 ints[] = { 5, 900, 5, -3, G_MAXINT64 };
  const guint32 index[] = { 0, 1, 1, 0, 2 };
  const guint32 offsets[] = { 0, 2, 2, 5 };
  const guint8 valid[] = { 1, 1, 0, 1, 1 };
  const StriaColumnData data[] = {
    { .valid = valid, .ints = ints },
    { .valid = valid, .index = index, .offsets = offsets, .bytes = "abcde", .n_texts = 3 },
  };

  for (guint which = 0; which < 2; which++)
    {
      StriaCellType type = which == 0 ? STRIA_CELL_INT : STRIA_CELL_TEXT;
      StriaChunkFacts facts;

      g_byte_array_set_size (bytes, 0);
      stria_table_chunk_encode (type, &data[which], 5, bytes, &facts);
      g_assert_cmpuint (facts.n_nulls, ==, 1);
      for (guint cut = 0; cut < bytes->len; cut++)
        {
          g_autofree guint8 *copy = g_memdup2 (bytes->data, MAX (cut, 1));
          StriaColumnChunk *chunk = stria_table_chunk_decode (type, copy, cut, 5);

          g_assert_null (chunk);
        }
      for (guint bit = 0; bit < bytes->len * 8; bit++)
        {
          g_autofree guint8 *copy = g_memdup2 (bytes->data, bytes->len);
          g_autoptr (StriaColumnChunk) chunk = NULL;
          guint32 length;

          copy[bit / 8] ^= (guint8) (1 << bit % 8);
          chunk = stria_table_chunk_decode (type, copy, bytes->len, 5);
          for (guint r = 0; chunk != NULL && type == STRIA_CELL_TEXT && r < 5; r++)
            {
              const char *text = stria_column_data_text (&chunk->data, r, &length);
              g_autofree char *read = g_strndup (text, length);
              g_assert_nonnull (read);
            }
        }
      g_assert_null (stria_table_chunk_decode (type, bytes->data, bytes->len, 6));
      g_assert_null (stria_table_chunk_decode (STRIA_CELL_REAL, bytes->data, bytes->len, 5));
    }
}

static gboolean
take_row (guint n_columns, const char *const *names, const StriaValue *values, gpointer user_data)
{
  GString *text = user_data;

  for (guint c = 0; values != NULL && c < n_columns; c++)
    switch (values[c].type)
      {
      case STRIA_VALUE_INT:
        g_string_append_printf (text, "%" G_GINT64_FORMAT "|", values[c].integer);
        break;
      case STRIA_VALUE_REAL:
        g_string_append_printf (text, "%g|", values[c].real);
        break;
      case STRIA_VALUE_TEXT:
        g_string_append_printf (text, "%.*s|", (int) values[c].length, values[c].text);
        break;
      case STRIA_VALUE_NULL:
      case STRIA_VALUE_BLOB:
      default:
        g_string_append (text, "-|");
      }
  return TRUE;
}

static void
assert_query (const char *store, const char *sql, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  stria_query (store, sql, take_row, text, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text->str, ==, expected);
}

static StriaCapture *
make_capture (guint n)
{
  StriaCapture *capture = stria_capture_new ("/nowhere/tables");

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.parquet", i);
      g_autoptr (StriaArtifact) artifact = stria_artifact_new ("/nowhere/tables", NULL, name, 1, i);

      stria_capture_add_artifact (capture, artifact);
    }
  return capture;
}

static void
test_store (void)
{
  const guint64 n = 140000;
  g_autoptr (StriaCapture) capture = make_capture (2);
  g_autoptr (StriaCapture) again = make_capture (2);
  g_autoptr (GPtrArray) tables = NULL;
  g_autofree char *store = NULL;
  g_autoptr (GError) error = NULL;
  const StriaColumnInfo other = { (char *) "Start_TS", STRIA_CELL_INT, (char *) "ns", NULL };
  const gint64 late[] = { 5000000000000 };
  const StriaColumnData one_row = { .ints = late };

  for (guint a = 0; a < 2; a++)
    {
      StriaSink *sink = stria_capture_open_sink (capture, a);

      if (a == 0)
        add_all (sink->table (sink, "Instruction", columns, G_N_ELEMENTS (columns)), n);
      else
        {
          stria_table_builder_add (sink->table (sink, "Instruction", &other, 1), &one_row, 1);
          stria_table_builder_add (sink->table (sink, "Flow", &other, 1), &one_row, 1);
          stria_table_builder_add (sink->table (sink, "Slice", &other, 1), &one_row, 1);
        }
      g_assert_cmpuint (stria_capture_close_sink (capture, sink, TRUE), ==, a == 0 ? n : 3);
    }
  g_assert_true (stria_capture_write_store (capture, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (stria_capture_open_store (again, &error));
  g_assert_no_error (error);
  tables = stria_capture_get_tables (again);
  g_assert_cmpuint (tables->len, ==, 4);
  check_table (tables->pdata[0], n);
  g_clear_pointer (&tables, g_ptr_array_unref);

  store = stria_capture_dup_store_path (again);
  assert_query (store, "SELECT count (*), sum (start_ts) FROM Instruction WHERE artifact = 0",
                "140000|140000166598810000|");
  assert_query (store, "SELECT count (*) FROM instruction", "140001|");
  assert_query (store,
                "SELECT start_ts, opcode, operands, flag FROM Instruction "
                "WHERE start_ts = 1000001190017",
                "1000001190017|LDWEIGHTS|S[70001]++@complete|-|");
  assert_query (store,
                "SELECT count (*), min (start_ts), max (start_ts) FROM Instruction "
                "WHERE start_ts >= 1000001114112 AND start_ts < 1000001114129",
                "1|1000001114112|1000001114112|");
  assert_query (store,
                "SELECT opcode, count (*) FROM Instruction WHERE big < 0 GROUP BY 1 "
                "ORDER BY 1 LIMIT 2",
                "-|18667|LDWEIGHTS|18666|");
  assert_query (store, "SELECT artifact, start_ts, opcode FROM Instruction WHERE artifact = 1",
                "1|5000000000000|-|");
  assert_query (store, "SELECT count (*) FROM Instruction WHERE start_ts > 'text'", "0|");
  assert_query (store, "SELECT rowid FROM Instruction WHERE start_ts = 1000001190000", "70000|");
  assert_query (store, "SELECT * FROM Flow", "5000000000000|");
  /* The store's own table of that name stays what it is. */
  assert_query (store, "SELECT count (*) FROM slice", "0|");
  assert_query (store, "SELECT Start_TS FROM file_Slice", "5000000000000|");
  assert_query (store,
                "SELECT a.operands FROM Instruction a JOIN Instruction b ON a.start_ts = "
                "b.start_ts + 17 WHERE b.start_ts = 1000000000017 AND b.artifact = 0",
                "S[2]++@complete|");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/table/builder", test_builder);
  g_test_add_func ("/table/spill", test_spill);
  g_test_add_func ("/table/long-texts", test_long_texts);
  g_test_add_func ("/table/damage", test_damage);
  g_test_add_func ("/table/store", test_store);
  return g_test_run ();
}
