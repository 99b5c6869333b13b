/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of rows, answers of SQL and reports, against the same SQL asked plainly. */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "neuron-rows.h"
#include "stria-error.h"
#include "stria-neuron-schema.h"
#include "stria-query.h"
#include "stria-reports.h"
#include "stria-result.h"
#include "stria-rows.h"
#include "trace-text.h"

#define N_ROWS 70000 /* more than a chunk */

typedef struct
{
  char *folder;
  StriaCapture *capture;
  char *store;
} Fixture;

/* A file of its own is a store of its own. */
static StriaCapture *
capture_new (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "made.json", NULL);
  StriaCapture *capture = stria_capture_new (path);
  g_autoptr (StriaArtifact) artifact = NULL;

  g_assert_true (g_file_set_contents (path, folder, -1, NULL));
  artifact = stria_artifact_new (path, NULL, "made.json", (gint64) strlen (folder), 1);
  stria_capture_add_artifact (capture, artifact);
  return capture;
}

static void
write_store (Fixture *self)
{
  g_autoptr (GError) error = NULL;

  stria_capture_settle (self->capture);
  g_assert_true (stria_capture_write_store (self->capture, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  self->store = stria_capture_dup_store_path (self->capture);
  g_assert_nonnull (self->store);
}

static void
set_up (Fixture *self, gconstpointer data)
{
  StriaSink *sink;
  StriaNeuronEmitter *emitter;
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  self->folder = g_dir_make_tmp ("stria-rows-XXXXXX", NULL);
  self->capture = capture_new (self->folder);
  sink = stria_capture_open_sink (self->capture, 0);
  emitter = stria_neuron_emitter_new (sink, "p");
  for (guint i = 0; i < N_ROWS; i++)
    g_ptr_array_add (lines, g_strdup_printf ("%u|%u|%s|%s", i * 10, i * 7919 % 1000,
                                             i % 3 == 0 ? "tensor" : "it's 50% _x",
                                             i % 5 == 0 ? "-" : "MATMUL"));
  g_ptr_array_add (lines, NULL);
  add_rows (emitter, "Instruction", "start_ts|duration_ns|engine|opcode",
            (const char *const *) lines->pdata);
  stria_neuron_emitter_free (emitter);
  stria_capture_close_sink (self->capture, sink, TRUE);
  write_store (self);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_autofree char *file = g_build_filename (self->folder, "made.json", NULL);

  g_unlink (self->store);
  g_unlink (file);
  g_rmdir (self->folder);
  g_object_unref (self->capture);
  g_free (self->store);
  g_free (self->folder);
}

static StriaRows *
instructions (Fixture *self)
{
  g_autoptr (GPtrArray) tables = g_ptr_array_new ();
  g_autoptr (StriaTable) table = stria_capture_find_table (self->capture, 0, "Instruction");

  g_ptr_array_add (tables, table);
  return stria_rows_new_tables (tables);
}

static guint
column_of (StriaRows *rows, const char *name)
{
  for (guint c = 0; c < stria_rows_get_n_columns (rows); c++)
    if (g_str_equal (stria_rows_get_column (rows, c)->name, name))
      return c;
  g_assert_not_reached ();
}

static void
check_row (StriaRows *rows, const StriaRowsPage *page, guint at, gint64 i)
{
  const StriaCell *cells = page->cells + at * page->n_columns;

  g_assert_cmpint (page->row_ids[at], ==, i);
  g_assert_cmpint (cells[column_of (rows, "start_ts")].integer, ==, i * 10);
  g_assert_cmpint (cells[column_of (rows, "duration_ns")].integer, ==, i * 7919 % 1000);
  g_assert_cmpstr (cells[column_of (rows, "engine")].text, ==,
                   i % 3 == 0 ? "tensor" : "it's 50% _x");
  if (i % 5 == 0)
    g_assert_cmpint (cells[column_of (rows, "opcode")].kind, ==, STRIA_CELL_KIND_NONE);
  else
    g_assert_cmpstr (cells[column_of (rows, "opcode")].text, ==, "MATMUL");
}

static void
test_pages (Fixture *self, gconstpointer data)
{
  g_autoptr (StriaRows) rows = instructions (self);
  static const guint64 firsts[] = { 0, 100, 65500, 69990, 80000 };

  g_assert_cmpuint (stria_rows_get_n_rows (rows), ==, N_ROWS);
  for (guint f = 0; f < G_N_ELEMENTS (firsts); f++)
    {
      g_autoptr (StriaRowsPage) page
          = stria_rows_load (rows, firsts[f], 100, NULL, NULL, NULL);

      g_assert_cmpuint (page->n_rows, ==,
                        firsts[f] >= N_ROWS ? 0 : MIN (100, N_ROWS - firsts[f]));
      for (guint r = 0; r < page->n_rows; r++)
        check_row (rows, page, r, (gint64) (firsts[f] + r));
    }
}

/* What SQL gives as row ids are the rows that pages have. */
static void
test_order (Fixture *self, gconstpointer data)
{
  g_autoptr (StriaRows) rows = instructions (self);
  g_autoptr (GError) error = NULL;
  GArray *ids = stria_rows_query_ids (
      self->store,
      "SELECT rowid FROM Instruction WHERE engine = 'tensor' ORDER BY duration_ns DESC, rowid",
      NULL, &error);
  g_autoptr (StriaRows) ordered = NULL;
  g_autoptr (StriaRowsPage) page = NULL;
  const guint duration = column_of (rows, "duration_ns");

  g_assert_no_error (error);
  ordered = stria_rows_new_ordered (rows, ids);
  g_assert_cmpuint (stria_rows_get_n_rows (ordered), ==, (N_ROWS + 2) / 3);
  page = stria_rows_load (ordered, 0, 5000, NULL, NULL, NULL);
  for (guint r = 0; r < page->n_rows; r++)
    {
      check_row (ordered, page, r, page->row_ids[r]);
      g_assert_cmpint (page->row_ids[r] % 3, ==, 0);
      if (r > 0)
        g_assert_cmpint (page->cells[r * page->n_columns + duration].integer, <=,
                         page->cells[(r - 1) * page->n_columns + duration].integer);
    }
}

static guint64
count (Fixture *self, const char *condition)
{
  g_autofree char *sql = g_strdup_printf ("SELECT rowid FROM Instruction WHERE %s", condition);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) ids = stria_rows_query_ids (self->store, sql, NULL, &error);

  g_assert_no_error (error);
  return ids->len;
}

static void
test_conditions (Fixture *self, gconstpointer data)
{
  static const struct
  {
    const char *column;
    const char *filter;
  } filters[] = {
    { "duration_ns", "> 500" },   { "duration_ns", "<=3" },  { "duration_ns", "10 .. 20" },
    { "duration_ns", "= 7" },     { "duration_ns", "!= 7" }, { "duration_ns", "99" },
    { "engine", "TENS" },         { "engine", "it's" },      { "engine", "50%" },
    { "engine", "% _" },          { "engine", "__" },        { "opcode", "null" },
    { "opcode", "not null" },     { "engine", "= tensor" },  { "start_ts", ">= 699990" },
    { "engine", "'; DROP TABLE" },
  };

  g_assert_null (stria_rows_condition ("a", "  "));
  for (guint f = 0; f < G_N_ELEMENTS (filters); f++)
    {
      g_autofree char *condition = stria_rows_condition (filters[f].column, filters[f].filter);
      guint64 expected = 0;

      for (guint i = 0; i < N_ROWS; i++)
        {
          const guint d = i * 7919 % 1000;
          g_autofree char *digits = g_strdup_printf ("%u", d);
          const gboolean is_tensor = i % 3 == 0;
          const gboolean holds[] = {
            d > 500, d <= 3, d >= 10 && d <= 20, d == 7, d != 7, strstr (digits, "99") != NULL,
            is_tensor, !is_tensor, !is_tensor, !is_tensor, FALSE, i % 5 == 0, i % 5 != 0,
            is_tensor, i * 10 >= 699990, FALSE,
          };

          expected += holds[f];
        }
      g_test_message ("%s", condition);
      g_assert_cmpuint (count (self, condition), ==, expected);
    }
}

static void
test_store (Fixture *self, gconstpointer data)
{
  const StriaColumnInfo columns[] = {
    { (char *) "id", STRIA_CELL_INT, (char *) "", NULL },
    { (char *) "name", STRIA_CELL_TEXT, (char *) "", NULL },
  };
  g_autoptr (StriaRows) store = stria_rows_new_store (self->store, "lane", columns, 2);
  GArray *ids = stria_rows_query_ids (self->store, "SELECT rowid FROM lane ORDER BY rowid DESC",
                                      NULL, NULL);
  g_autoptr (StriaRows) rows = stria_rows_new_ordered (store, ids);
  g_autoptr (StriaRowsPage) page = stria_rows_load (rows, 0, 100, NULL, NULL, NULL);

  g_assert_cmpuint (page->n_rows, >=, 2);
  for (guint r = 0; r < page->n_rows; r++)
    {
      g_assert_cmpint (page->cells[2 * r].integer, ==, page->n_rows - 1 - r);
      g_assert_cmpint (page->cells[2 * r + 1].kind, ==, STRIA_CELL_KIND_TEXT);
    }
}

/* -- answers --------------------------------------------------------------------------------- */

static gboolean
append_row (guint n, const char *const *names, const StriaValue *values, gpointer user_data)
{
  GString *text = user_data;

  for (guint c = 0; values != NULL && c < n; c++)
    switch (values[c].type)
      {
      case STRIA_VALUE_INT:
        g_string_append_printf (text, "%" G_GINT64_FORMAT "|", values[c].integer);
        break;
      case STRIA_VALUE_REAL:
        g_string_append_printf (text, "%.17g|", values[c].real);
        break;
      case STRIA_VALUE_TEXT:
        g_string_append_printf (text, "%s|", values[c].text);
        break;
      case STRIA_VALUE_NULL:
      case STRIA_VALUE_BLOB:
      default:
        g_string_append (text, "-|");
        break;
      }
  return TRUE;
}

static char *
page_text (const StriaRowsPage *page)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < page->n_rows * page->n_columns; i++)
    switch (page->cells[i].kind)
      {
      case STRIA_CELL_KIND_INT:
      case STRIA_CELL_KIND_BOOL:
        g_string_append_printf (text, "%" G_GINT64_FORMAT "|", page->cells[i].integer);
        break;
      case STRIA_CELL_KIND_REAL:
        g_string_append_printf (text, "%.17g|", page->cells[i].real);
        break;
      case STRIA_CELL_KIND_TEXT:
        g_string_append_printf (text, "%s|", page->cells[i].text);
        break;
      case STRIA_CELL_KIND_NONE:
      default:
        g_string_append (text, "-|");
        break;
      }
  return g_string_free (text, FALSE);
}

static void
check_answer (Fixture *self, const char *sql, const StriaCellType *types)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaTable) table = stria_result_new (self->store, sql, NULL, NULL, &error);
  g_autoptr (GPtrArray) tables = g_ptr_array_new ();
  g_autoptr (StriaRows) rows = NULL;
  g_autoptr (StriaRowsPage) page = NULL;
  g_autoptr (GString) expected = g_string_new (NULL);
  g_autofree char *found = NULL;

  g_assert_no_error (error);
  g_ptr_array_add (tables, table);
  rows = stria_rows_new_tables (tables);
  page = stria_rows_load (rows, 0, G_MAXUINT, NULL, NULL, NULL);
  g_assert_true (stria_query (self->store, sql, append_row, expected, NULL, NULL));
  found = page_text (page);
  g_assert_cmpstr (found, ==, expected->str);
  for (guint c = 0; c < stria_rows_get_n_columns (rows); c++)
    g_assert_cmpint (stria_rows_get_column (rows, c)->type, ==, types[c]);
}

static void
test_answers (Fixture *self, gconstpointer data)
{
  check_answer (self, "SELECT start_ts, engine, opcode, duration_ns / 3.0 FROM Instruction",
                (StriaCellType[]){ STRIA_CELL_INT, STRIA_CELL_TEXT, STRIA_CELL_TEXT,
                                   STRIA_CELL_REAL });
  /* Types that are known late: from nothing to a number, from whole to broken, from number to text */
  check_answer (self,
                "SELECT CASE WHEN start_ts > 300000 THEN start_ts END,\n"
                "       CASE WHEN start_ts > 500000 THEN 0.5 END, start_ts > 600000,\n"
                "       CASE WHEN start_ts > 400000 THEN 'text' ELSE 'first' END FROM Instruction",
                (StriaCellType[]){ STRIA_CELL_INT, STRIA_CELL_REAL, STRIA_CELL_INT,
                                   STRIA_CELL_TEXT });
  check_answer (self, "SELECT iif(start_ts > 650000, 'end', 'x'), NULL FROM Instruction",
                (StriaCellType[]){ STRIA_CELL_TEXT, STRIA_CELL_TEXT });
  check_answer (self, "SELECT 1 AS a, 2 AS a WHERE 0",
                (StriaCellType[]){ STRIA_CELL_TEXT, STRIA_CELL_TEXT });
}

/* A whole number that no real holds exactly stays as it is. */
static void
test_exact (Fixture *self, gconstpointer data)
{
  g_autoptr (StriaTable) table = stria_result_new (
      self->store, "SELECT 9007199254740993 AS a, 5 AS b UNION ALL SELECT 0.5, 0.25", NULL, NULL,
      NULL);
  g_autoptr (GPtrArray) tables = g_ptr_array_new ();
  g_autoptr (StriaRows) rows = NULL;
  g_autoptr (StriaRowsPage) page = NULL;

  g_ptr_array_add (tables, table);
  rows = stria_rows_new_tables (tables);
  page = stria_rows_load (rows, 0, 10, NULL, NULL, NULL);
  g_assert_cmpstr (page->cells[0].text, ==, "9007199254740993");
  g_assert_cmpstr (page->cells[2].text, ==, "0.5");
  g_assert_cmpfloat (page->cells[1].real, ==, 5);
  g_assert_cmpstr (stria_rows_get_column (rows, 0)->name, ==, "a");
}

static void
test_errors (Fixture *self, gconstpointer data)
{
  static const struct
  {
    const char *sql;
    int at;
  } wrong[] = {
    { "SELECT engine, nothing FROM Instruction", 15 },
    { "-- größer\n; SELECT engine FRM Instruction", 30 },
    { "SELECT 'größer', nothing", 17 },
    { "", -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      int at = -2;

      g_assert_null (stria_result_new (self->store, wrong[i].sql, &at, NULL, &error));
      g_assert_error (error, STRIA_ERROR, STRIA_ERROR_QUERY);
      g_test_message ("%s", error->message);
      g_assert_cmpint (at, ==, wrong[i].at);
    }
}

/* -- reports --------------------------------------------------------------------------------- */

static gboolean
yes (const char *table, const char *column, gpointer user_data)
{
  return TRUE;
}

static gboolean
no_tensor (const char *table, const char *column, gpointer user_data)
{
  return !g_str_equal (table, "TensorInfo");
}

/* All of them run over tables as the schema publishes them. */
static void
test_reports (void)
{
  Fixture self = { 0 };
  StriaSink *sink;
  StriaNeuronEmitter *emitter;
  guint n, n_tables;
  const StriaReport *reports = stria_reports (&n);
  const StriaNeuronTable *schema = stria_neuron_schema (&n_tables);

  self.folder = g_dir_make_tmp ("stria-reports-XXXXXX", NULL);
  self.capture = capture_new (self.folder);
  sink = stria_capture_open_sink (self.capture, 0);
  emitter = stria_neuron_emitter_new (sink, "p");
  for (guint t = 0; t < n_tables; t++)
    {
      g_autoptr (GString) names = g_string_new (NULL);
      g_autoptr (GString) cells = g_string_new (NULL);

      for (guint c = 0; c < schema[t].n_columns; c++)
        {
          g_string_append_printf (names, "%s%s", c > 0 ? "|" : "", schema[t].columns[c].name);
          g_string_append_printf (cells, "%s%s", c > 0 ? "|" : "",
                                  schema[t].columns[c].type == STRIA_CELL_TEXT ? "x" : "1");
        }
      add_rows (emitter, schema[t].name, names->str, ROWS (cells->str, cells->str));
    }
  stria_neuron_emitter_free (emitter);
  stria_capture_close_sink (self.capture, sink, TRUE);
  write_store (&self);
  for (guint r = 0; r < n; r++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (StriaTable) answer
          = stria_result_new (self.store, reports[r].sql, NULL, NULL, &error);

      g_test_message ("%s", reports[r].id);
      g_assert_no_error (error);
      g_assert_nonnull (answer);
    }
  {
    g_autofree char *missing = NULL;

    g_assert_true (stria_report_can (&reports[0], yes, NULL, NULL));
    g_assert_false (stria_report_can (&reports[0], no_tensor, NULL, &missing));
    g_assert_cmpstr (missing, ==, "TensorInfo");
  }
  tear_down (&self, NULL);
}

#define ADD(name, func) g_test_add ("/rows/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("pages", test_pages);
  ADD ("order", test_order);
  ADD ("conditions", test_conditions);
  ADD ("store", test_store);
  ADD ("answers", test_answers);
  ADD ("exact", test_exact);
  ADD ("errors", test_errors);
  g_test_add_func ("/rows/reports", test_reports);
  return g_test_run ();
}
