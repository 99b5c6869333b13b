/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <archive.h>
#include <archive_entry.h>
#include <glib.h>
#include <string.h>

#include "stria-capture.h"
#include "stria-decoder.h"
#include "stria-error.h"
#include "stria-graph.h"
#include "stria-json-parts.h"

/* -- documents ------------------------------------------------------------------------------- */

static gboolean
collect (guint part, const char *key, JsonNode *node, gpointer data, GError **error)
{
  g_autofree char *json = json_to_string (node, FALSE);

  g_string_append_printf (data, "%u:%s=%s|", part, key, json);
  return TRUE;
}

static gboolean
parse (const char *text, gsize step, const char *const *paths, GString *out, GError **error)
{
  g_autoptr (StriaJsonParts) parts = stria_json_parts_new (paths, collect, out);

  for (gsize at = 0; at < strlen (text); at += step)
    if (!stria_json_parts_feed (parts, (const guint8 *)text + at, MIN (step, strlen (text) - at),
                                error))
      return FALSE;
  return stria_json_parts_finish (parts, error);
}

static void
test_parts (void)
{
  static const char *const paths[] = { "a/*", "b/c", "d/*/e", NULL };
  const char *text
      = "{\"x\": [1, {\"a\": 2}], \"a\": [1, NaN, {\"k\": [-Infinity, Infinity, -1.5e-3]}, "
        "\"NaN \\\" Infinity\"], \"b\": {\"q\": {\"c\": 0}, \"c\": null}, "
        "\"d\": {\"1\": {\"e\": true, \"f\": 9}, \"2\": {\"e\": 18446744073709551615}}}";
  const char *expected = "0:0=1|0:1=\"NaN\"|0:2={\"k\":[\"-Infinity\",\"Infinity\",-0.0015]}|"
                         "0:3=\"NaN \\\" Infinity\"|1:c=null|2:e=true|2:e=1.8446744073709552e+19|";

  /* However the blocks fall. */
  for (gsize step = 1; step < 40; step++)
    {
      g_autoptr (GString) out = g_string_new (NULL);
      g_autoptr (GError) error = NULL;

      parse (text, step, paths, out, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (out->str, ==, expected);
    }
  for (gsize cut = 0; cut < strlen (text); cut++)
    {
      g_autoptr (GString) out = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      g_autofree char *part = g_strndup (text, cut);

      g_assert_false (parse (part, 7, paths, out, &error));
      g_assert_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED);
    }
}

static void
test_depth (void)
{
  static const char *const paths[] = { "a", NULL };
  g_autoptr (GString) text = g_string_new ("{\"a\": ");
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 100000; i++)
    g_string_append_c (text, '[');
  g_assert_false (parse (text->str, 4096, paths, out, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT);
}

/* -- records --------------------------------------------------------------------------------- */

typedef struct
{
  const char *name, *text;
} Member;

static GBytes *
make_zip (const Member *members, gsize n)
{
  gsize size = 1 << 20, used = 0;
  guint8 *buffer = g_malloc0 (size);
  struct archive *zip = archive_write_new ();

  archive_write_set_format_zip (zip);
  archive_write_set_format_option (zip, "zip", "compression", "store");
  archive_write_open_memory (zip, buffer, size, &used);
  for (gsize i = 0; i < n; i++)
    {
      struct archive_entry *entry = archive_entry_new ();
      archive_entry_set_pathname (entry, members[i].name);
      archive_entry_set_filetype (entry, AE_IFREG);
      archive_entry_set_perm (entry, 0644);
      archive_entry_set_size (entry, (la_int64_t)strlen (members[i].text));
      g_assert_cmpint (archive_write_header (zip, entry), ==, ARCHIVE_OK);
      archive_write_data (zip, members[i].text, strlen (members[i].text));
      archive_entry_free (entry);
    }
  archive_write_close (zip);
  archive_write_free (zip);
  return g_bytes_new_take (buffer, used);
}

typedef struct
{
  StriaCapture *capture;
  StriaFacts *facts;
  GError *error;
  gboolean good;
} Read;

static void
read_init (Read *self, GBytes *bytes)
{
  g_autoptr (StriaArtifact) artifact
      = stria_artifact_new ("/m.etrecord", NULL, "m.etrecord", g_bytes_get_size (bytes), 0);
  g_autoptr (StriaSource) source = NULL;
  gsize length;
  const guint8 *data = g_bytes_get_data (bytes, &length);
  StriaSink *sink;

  *self = (Read){ .capture = stria_capture_new ("/m.etrecord") };
  if (length > 100)
    g_assert_cmpstr (stria_decoder_probe ("m.bin", data, length, TRUE, NULL)->kind, ==, "etrecord");
  stria_capture_add_artifact (self->capture, artifact);
  StriaDecodeContext context = {
    .capture = self->capture,
    .name = "m.etrecord",
    .notices = stria_capture_get_notices (self->capture),
  };
  source = stria_source_new_bytes ("m.etrecord", bytes, &self->error);
  g_assert_nonnull (source);
  sink = stria_capture_open_sink (self->capture, 0);
  self->good = stria_decoder_by_kind ("etrecord")->decode (source, sink, &context, &self->error);
  g_assert_true (self->good == (self->error == NULL));
  stria_capture_close_sink (self->capture, sink, TRUE);
  self->facts = stria_capture_ref_facts (self->capture, 0);
}

static void
read_clear (Read *self)
{
  g_clear_pointer (&self->facts, stria_facts_unref);
  g_clear_error (&self->error);
  g_clear_object (&self->capture);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static guint64
notices_of (Read *self, const char *code)
{
  return stria_notices_total (stria_capture_get_notices (self->capture), code);
}

#define PROGRAM                                                                                    \
  "{\"graph_module\": {\"graph\": {\"inputs\": [{\"as_tensor\": {\"name\": \"p_w\"}}, "            \
  "{\"as_tensor\": {\"name\": \"x\"}}], \"outputs\": [{\"as_tensor\": {\"name\": \"c\"}}], "       \
  "\"nodes\": [{\"name\": \"a\", \"target\": \"torch.ops.aten.conv2d.default\", \"inputs\": ["     \
  "{\"name\": \"input\", \"arg\": {\"as_tensor\": {\"name\": \"x\"}}}, "                           \
  "{\"name\": \"weight\", \"arg\": {\"as_tensor\": {\"name\": \"p_w\"}}}, "                        \
  "{\"name\": \"stride\", \"arg\": {\"as_ints\": [1, 2]}}], "                                      \
  "\"outputs\": [{\"as_tensor\": {\"name\": \"a\"}}], "                                            \
  "\"metadata\": {\"debug_handle\": \"1\", \"nn_module_stack\": "                                  \
  "\"k,,M;k1,features,torch.nn.Sequential;k2,features.0,torch.nn.Conv2d(a, b)\", "                 \
  "\"stack_trace\": \"File \\\"/src/model.py\\\", line 12, in forward\\n  x\\n"                 \
  "File \\\"/usr/lib/site-packages/torch/nn/m.py\\\", line 5, in call\\n  y\"}}, "                 \
  "{\"name\": \"b\", \"target\": \"executorch.exir.dialects.edge.ops.aten.add.Tensor\", "          \
  "\"inputs\": [{\"name\": \"self\", \"arg\": {\"as_tensor\": {\"name\": \"a\"}}}, "               \
  "{\"name\": \"alpha\", \"arg\": {\"as_float\": NaN}}, "                                          \
  "{\"name\": \"all\", \"arg\": {\"as_tensors\": [{\"name\": \"a\"}, {\"name\": \"x\"}]}}], "      \
  "\"outputs\": [{\"as_tensor\": {\"name\": \"b\"}}], \"metadata\": {\"debug_handle\": \"2\"}}, "  \
  "{\"name\": \"c\", \"target\": \"torch.ops.aten.relu.default\", "                                \
  "\"inputs\": [{\"name\": \"self\", \"arg\": {\"as_tensor\": {\"name\": \"b\"}}}], "              \
  "\"outputs\": [{\"as_tensor\": {\"name\": \"c\"}}], \"metadata\": {\"debug_handle\": \"2\"}}], " \
  "\"tensor_values\": {\"x\": {\"dtype\": 7, \"sizes\": [{\"as_int\": 1}, "                        \
  "{\"as_expr\": {\"expr_str\": \"s0\"}}]}, \"a\": {\"dtype\": 2, \"sizes\": []}}}, "              \
  "\"signature\": {\"input_specs\": [{\"parameter\": {\"arg\": {\"name\": \"p_w\"}, "              \
  "\"parameter_name\": \"conv.weight\"}}, {\"user_input\": {\"arg\": {\"as_tensor\": "             \
  "{\"name\": \"x\"}}}}], \"output_specs\": []}}, "                                                \
  "\"schema_version\": {\"major\": 5, \"minor\": 4}}"

static void
test_record (void)
{
  static const Member members[] = {
    { "ETRECORD_V0", "" },
    { "exported_program", PROGRAM },
    { "exported_program_state_dict", "no zip, no pickle" },
    { "edge_dialect_exported_program/forward", PROGRAM },
    { "edge_dialect_exported_program/other", PROGRAM },
    { "edge_after_transform/forward", PROGRAM },
    { "debug_handle_map", "{\"forward\": {\"0\": 1, \"1\": [2, 1], \"2\": null}, \"third\": {}}" },
    { "delegate_map",
      "{\"forward\": {\"1\": {\"name\": \"VgfBackend\", \"delegate_map\": {\"7\": [1, 2]}}}}" },
    { "instruction_id_to_num_outs_map", "{\"forward\": {\"1\": 1}}" },
    { "export_graph_id", "140123" },
    { "../odd", "x" },
  };
  g_autoptr (GBytes) zip = make_zip (members, G_N_ELEMENTS (members));
  Read r;

  read_init (&r, zip);
  g_assert_no_error (r.error);
  g_assert_cmpuint (stria_facts_size (r.facts, STRIA_TABLE_RECORD_MEMBER), ==,
                    G_N_ELEMENTS (members));
  g_assert_cmpuint (stria_facts_size (r.facts, STRIA_TABLE_RECORD_METHOD), ==, 2);
  g_assert_cmpuint (stria_facts_size (r.facts, STRIA_TABLE_GRAPH), ==, 4);
  g_assert_cmpuint (stria_facts_size (r.facts, STRIA_TABLE_RECORD_HANDLE), ==, 3);
  g_assert_cmpuint (stria_facts_size (r.facts, STRIA_TABLE_RECORD_DELEGATE_HANDLE), ==, 2);
  g_assert_cmpuint (stria_facts_size (r.facts, STRIA_TABLE_RECORD_OUTS), ==, 1);
  const StriaRecordRow *record = stria_facts_rows (r.facts, STRIA_TABLE_RECORD);
  g_assert_true (record->has_export_graph_id);
  g_assert_cmpint (record->export_graph_id, ==, 140123);
  g_assert_cmpint (record->schema_major, ==, 5);
  g_assert_cmpuint (strlen (stria_facts_text (r.facts, record->sha256)), ==, 64);
  g_assert_cmpuint (notices_of (&r, "etrecord-map-method"), ==, 1);
  g_assert_cmpuint (notices_of (&r, "etrecord-method-map"), ==, 1);
  g_assert_cmpuint (notices_of (&r, "etrecord-handle-node"), ==, 0);

  guint32 number = stria_graph_lookup (r.facts, STRIA_GRAPH_SOURCE, "forward");
  g_autoptr (StriaGraph) graph = stria_graph_new (r.facts, number);
  guint32 a = stria_graph_find_node (graph, "a"), b = stria_graph_find_node (graph, "b"), n;
  g_assert_cmpuint (stria_graph_n_nodes (graph), ==, 6);
  g_assert_cmpuint (stria_graph_n_edges (graph), ==, 7);
  g_assert_cmpuint (stria_graph_n_groups (graph), ==, 2);
  g_assert_cmpuint (stria_graph_node_group (graph, a), ==,
                    stria_graph_find_group (graph, "features/0"));
  g_assert_cmpstr (stria_graph_text (graph, stria_graph_node (graph, a)->label), ==,
                   "aten.conv2d.default");
  g_assert_cmpstr (stria_graph_text (graph, stria_graph_node (graph, b)->label), ==,
                   "aten.add.Tensor");
  g_assert_cmpint (stria_graph_node (graph, a)->key, ==, 1);
  g_assert_cmpstr (stria_graph_text (graph, stria_graph_node (graph, a)->file), ==,
                   "/src/model.py");
  g_assert_cmpuint (stria_graph_node (graph, a)->line, ==, 12);
  g_assert_cmpstr (stria_graph_node_attr (graph, a, "stride"), ==, "[1,2]");
  g_assert_cmpstr (stria_graph_node_attr (graph, b, "alpha"), ==, "NaN");
  stria_graph_find_key (graph, 2, &n);
  g_assert_cmpuint (n, ==, 2);
  const StriaGraphPortRow *inputs = stria_graph_inputs (graph, a, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpstr (stria_graph_text (graph, inputs[0].type), ==, "1×s0 float32");
  g_assert_cmpstr (stria_graph_text (graph, stria_graph_outputs (graph, a, &n)->type), ==, "int8");
  g_assert_cmpuint (stria_graph_node (graph, stria_graph_find_node (graph, "p_w"))->kind, ==,
                    STRIA_NODE_PARAMETER);
  g_assert_cmpstr (stria_graph_node_attr (graph, stria_graph_find_node (graph, "p_w"), "kind"), ==,
                   "parameter conv.weight");
  stria_graph_inputs (graph, b, &n);
  g_assert_cmpuint (n, ==, 3);
  read_clear (&r);
}

/* Records that are refused, and records of which a part stays. */
static void
test_bad (void)
{
  static const Member none[] = { { "debug_handle_map", "{}" } };
  static const Member old[] = { { "ETRECORD_V0", "" },
                                { "edge_dialect_exported_program", PROGRAM },
                                { "edge_dialect_exported_program", PROGRAM } };
  static const Member broken[] = { { "ETRECORD_V0", "" },
                                   { "edge_dialect_exported_program/a", "{\"graph_module\": [" },
                                   { "edge_dialect_exported_program/b", PROGRAM } };
  static const Member only_broken[]
      = { { "ETRECORD_V0", "" }, { "edge_dialect_exported_program/a", "[" } };
  static const Member alone[] = { { "ETRECORD_V0", "" } };
  Read r;

  g_autoptr (GBytes) a = make_zip (none, G_N_ELEMENTS (none));
  g_assert_null (
      stria_decoder_probe ("x.bin", g_bytes_get_data (a, NULL), g_bytes_get_size (a), TRUE, NULL));
  g_autoptr (GBytes) b = make_zip (old, G_N_ELEMENTS (old));
  read_init (&r, b);
  g_assert_no_error (r.error);
  g_assert_cmpuint (notices_of (&r, "etrecord-duplicate"), ==, 1);
  g_assert_cmpuint (notices_of (&r, "etrecord-no-map"), ==, 1);
  g_assert_cmpuint (stria_facts_size (r.facts, STRIA_TABLE_GRAPH), ==, 1);
  g_assert_cmpuint (stria_graph_lookup (r.facts, STRIA_GRAPH_SOURCE, "forward"), ==, 0);
  read_clear (&r);

  g_autoptr (GBytes) c = make_zip (broken, G_N_ELEMENTS (broken));
  read_init (&r, c);
  g_assert_no_error (r.error);
  g_assert_cmpuint (notices_of (&r, "etrecord-program"), ==, 1);
  g_assert_cmpuint (stria_facts_size (r.facts, STRIA_TABLE_RECORD_METHOD), ==, 1);
  read_clear (&r);

  g_autoptr (GBytes) d = make_zip (only_broken, G_N_ELEMENTS (only_broken));
  read_init (&r, d);
  g_assert_error (r.error, STRIA_ERROR, STRIA_ERROR_MALFORMED);
  g_assert_nonnull (strstr (r.error->message, "edge_dialect_exported_program/a"));
  read_clear (&r);

  g_autoptr (GBytes) e = make_zip (alone, G_N_ELEMENTS (alone));
  read_init (&r, e);
  g_assert_no_error (r.error);
  g_assert_cmpuint (stria_facts_size (r.facts, STRIA_TABLE_RECORD_MEMBER), ==, 1);
  read_clear (&r);
}

/* Each length of a good record: an error or a part of it, never more. */
static void
test_cuts (void)
{
  static const Member members[] = { { "ETRECORD_V0", "" },
                                    { "edge_dialect_exported_program/forward", PROGRAM },
                                    { "debug_handle_map", "{\"forward\": {\"0\": 1}}" } };
  g_autoptr (GBytes) zip = make_zip (members, G_N_ELEMENTS (members));
  gsize length = g_bytes_get_size (zip);

  for (gsize cut = 4; cut < length; cut += cut < 200 ? 1 : 37)
    {
      g_autoptr (GBytes) part = g_bytes_new_from_bytes (zip, 0, cut);
      Read r;

      read_init (&r, part);
      if (!r.good)
        g_assert_cmpuint (strlen (r.error->message), >, 0);
      read_clear (&r);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/etrecord/parts", test_parts);
  g_test_add_func ("/etrecord/depth", test_depth);
  g_test_add_func ("/etrecord/record", test_record);
  g_test_add_func ("/etrecord/bad", test_bad);
  g_test_add_func ("/etrecord/cuts", test_cuts);
  return g_test_run ();
}
