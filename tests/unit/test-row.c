/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of tables as details show them, against what was put in. */
#include "config.h"

#include <json-glib/json-glib.h>

#include "neuron-rows.h"
#include "stria-capture.h"
#include "stria-neuron-schema.h"
#include "stria-row.h"
#include "trace-text.h"

static const StriaRowCell *
find (const StriaRow *row, const char *name)
{
  for (guint i = 0; i < row->cells->len; i++)
    if (g_str_equal (((StriaRowCell *) row->cells->pdata[i])->name, name))
      return row->cells->pdata[i];
  return NULL;
}

static void
assert_cell (const StriaRow *row, const char *name, const char *text, StriaRowGroup group)
{
  const StriaRowCell *cell = find (row, name);

  g_assert_nonnull (cell);
  g_assert_cmpstr (cell->text, ==, text);
  g_assert_cmpint (cell->group, ==, group);
  g_assert_false (cell->is_missing);
}

static StriaTrace *
made_trace (StriaCapture **capture)
{
  StriaNeuronEmitter *emitter;
  StriaSink *sink;

  *capture = trace_text_capture ("made.ntff");
  sink = stria_capture_open_sink (*capture, 0);
  emitter = stria_neuron_emitter_new (sink, "profile");
  add_rows (emitter, "Instruction",
            "start_ts|duration_ns|engine|opcode|id|hbm_read_bytes|hlo_name|layer|mine:i|operands",
            ROWS ("100|50|pe|MATMUL|9223372036854775807|4096|fusion.1|mlp/0|3|a \"b\"",
                  "200|10|act|COPY|2|-|-|-|-|-"));
  stria_neuron_emitter_free (emitter);
  stria_capture_close_sink (*capture, sink, TRUE);
  return stria_capture_ref_trace (*capture);
}

static void
test_cells (void)
{
  g_autoptr (StriaCapture) capture = NULL;
  g_autoptr (StriaTrace) trace = made_trace (&capture);
  const StriaNeuronTable *published = stria_neuron_schema_table ("Instruction");
  g_autoptr (StriaRow) row = stria_row_load (trace, (StriaRef){ 0, 0 }, NULL);
  guint n_missing = 0;

  g_assert_nonnull (row);
  g_assert_cmpstr (row->table, ==, "Instruction");
  g_assert_cmpuint (row->number, ==, 0);
  assert_cell (row, "start_ts", "100", STRIA_ROW_TIMING);
  assert_cell (row, "duration_ns", "50", STRIA_ROW_TIMING);
  assert_cell (row, "opcode", "MATMUL", STRIA_ROW_OPERATION);
  assert_cell (row, "operands", "a \"b\"", STRIA_ROW_OPERATION);
  assert_cell (row, "id", "9223372036854775807", STRIA_ROW_IDS);
  assert_cell (row, "hbm_read_bytes", "4096", STRIA_ROW_MEMORY);
  assert_cell (row, "hlo_name", "fusion.1", STRIA_ROW_HLO);
  assert_cell (row, "layer", "mlp/0", STRIA_ROW_FRAMEWORK);
  assert_cell (row, "mine", "3", STRIA_ROW_DETAILS);
  /* Each published column once, with what is published of it, and those of the file besides */
  for (guint i = 0; i < published->n_columns; i++)
    {
      const StriaRowCell *cell = find (row, published->columns[i].name);

      g_assert_nonnull (cell);
      g_assert_cmpstr (cell->note, ==, published->columns[i].note);
      n_missing += cell->is_missing;
    }
  g_assert_cmpuint (row->cells->len, ==, published->n_columns + 1);
  g_assert_cmpuint (n_missing, ==, published->n_columns - 9);
  for (guint i = 1; i < row->cells->len; i++)
    g_assert_cmpint (((StriaRowCell *) row->cells->pdata[i - 1])->group, <=,
                     ((StriaRowCell *) row->cells->pdata[i])->group);
}

static void
test_empty (void)
{
  g_autoptr (StriaCapture) capture = NULL;
  g_autoptr (StriaTrace) trace = made_trace (&capture);
  g_autoptr (StriaRow) row = stria_row_load (trace, (StriaRef){ 1, 0 }, NULL);

  assert_cell (row, "opcode", "COPY", STRIA_ROW_OPERATION);
  assert_cell (row, "hbm_read_bytes", NULL, STRIA_ROW_MEMORY);
  assert_cell (row, "hlo_name", NULL, STRIA_ROW_HLO);
  assert_cell (row, "mine", NULL, STRIA_ROW_DETAILS);
}

/* Parsed by another reader: every column of the file once, numbers without loss */
static void
test_json (void)
{
  g_autoptr (StriaCapture) capture = NULL;
  g_autoptr (StriaTrace) trace = made_trace (&capture);
  g_autoptr (StriaRow) row = stria_row_load (trace, (StriaRef){ 0, 0 }, NULL);
  g_autofree char *json = stria_row_to_json (row);
  g_autoptr (JsonNode) root = json_from_string (json, NULL);
  JsonObject *object;

  g_assert_nonnull (root);
  object = json_node_get_object (root);
  g_assert_cmpuint (json_object_get_size (object), ==, 10);
  g_assert_cmpint (json_object_get_int_member (object, "id"), ==, G_MAXINT64);
  g_assert_cmpstr (json_object_get_string_member (object, "operands"), ==, "a \"b\"");
  g_assert_cmpint (json_object_get_int_member (object, "duration_ns"), ==, 50);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/row/cells", test_cells);
  g_test_add_func ("/row/empty", test_empty);
  g_test_add_func ("/row/json", test_json);
  return g_test_run ();
}
