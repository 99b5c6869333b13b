/* SPDX-License-Identifier: Apache-2.0 */
/* Hostile records. Bytes that begin with a multiple of 4, as those of a zip do, are a whole file;
 * the first byte of others says which member of a sound zip the rest is: a program or a map. */
#include "config.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>

#include "stria-capture.h"
#include "stria-decoder.h"
#include "stria-error.h"
#include "stria-graph.h"
#include "stria-source.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

#define EDGE "edge_dialect_exported_program/forward"

static const char program[]
    = "{\"graph_module\":{\"graph\":{\"inputs\":[{\"as_tensor\":{\"name\":\"x\"}}],\"outputs\":["
      "{\"as_tensor\":{\"name\":\"a\"}}],\"nodes\":[{\"name\":\"a\",\"target\":\"t.ops.a\","
      "\"inputs\":[{\"name\":\"i\",\"arg\":{\"as_tensor\":{\"name\":\"x\"}}}],\"outputs\":["
      "{\"as_tensor\":{\"name\":\"a\"}}],\"metadata\":{\"debug_handle\":\"1\"}}]}}}";

static void
add_member (struct archive *zip, const char *name, gconstpointer data, gsize size)
{
  struct archive_entry *entry = archive_entry_new ();

  archive_entry_set_pathname (entry, name);
  archive_entry_set_size (entry, (gint64) size);
  archive_entry_set_filetype (entry, AE_IFREG);
  archive_entry_set_perm (entry, 0644);
  g_assert_cmpint (archive_write_header (zip, entry), ==, ARCHIVE_OK);
  archive_write_data (zip, data, size);
  archive_entry_free (entry);
}

/* Returns: (transfer full): a record whose member @name holds @data */
static GBytes *
wrap (const char *name, const guint8 *data, gsize size)
{
  gsize room = size + 8192, used = 0;
  guint8 *buffer = g_malloc (room);
  struct archive *zip = archive_write_new ();

  archive_write_set_format_zip (zip);
  archive_write_set_options (zip, "zip:compression=store");
  g_assert_cmpint (archive_write_open_memory (zip, buffer, room, &used), ==, ARCHIVE_OK);
  add_member (zip, "ETRECORD_V0", "", 0);
  if (!g_str_equal (name, EDGE))
    add_member (zip, EDGE, program, strlen (program));
  add_member (zip, name, data, size);
  g_assert_cmpint (archive_write_close (zip), ==, ARCHIVE_OK);
  archive_write_free (zip);
  return g_bytes_new_take (buffer, used);
}

static void
check_graph (StriaFacts *facts, guint32 number)
{
  g_autoptr (StriaGraph) graph = stria_graph_new (facts, number);
  guint32 n_attrs = (guint32) stria_facts_size (facts, STRIA_TABLE_GRAPH_ATTR);

  for (guint32 i = 0; i < stria_graph_n_nodes (graph); i++)
    {
      const StriaGraphNodeRow *node = stria_graph_node (graph, i);
      guint32 n;

      g_assert_cmpuint (stria_graph_find_node (graph, stria_graph_text (graph, node->id)), ==, i);
      g_assert_true (node->first_attr <= n_attrs && node->n_attrs <= n_attrs - node->first_attr);
      stria_graph_in_edges (graph, i, &n);
      g_assert_cmpuint (n, <=, stria_graph_n_edges (graph));
    }
}

static void
decode (GBytes *bytes, gboolean is_wrapped)
{
  const StriaDecoder *decoder = stria_decoder_by_kind ("etrecord");
  StriaCapture *capture = stria_capture_new ("/fuzz.etrecord");
  g_autoptr (StriaArtifact) artifact
      = stria_artifact_new ("/fuzz.etrecord", NULL, "fuzz.etrecord", g_bytes_get_size (bytes), 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSource) source = NULL;
  g_autoptr (StriaFacts) facts = NULL;
  gboolean good = FALSE;
  guint table;
  guint32 row;

  stria_capture_add_artifact (capture, artifact);
  source = stria_source_new_bytes ("fuzz.etrecord", bytes, &error);
  if (source != NULL)
    {
      StriaSink *sink = stria_capture_open_sink (capture, 0);
      StriaDecodeContext context = {
        .capture = capture,
        .name = "fuzz.etrecord",
        .notices = stria_capture_get_notices (capture),
      };

      good = decoder->decode (source, sink, &context, &error);
      stria_capture_close_sink (capture, sink, TRUE);
      facts = stria_capture_ref_facts (capture, 0);
    }
  if (facts != NULL)
    {
      g_assert_true (stria_facts_check (facts, &table, &row));
      for (guint32 i = 0; i < stria_facts_size (facts, STRIA_TABLE_GRAPH); i++)
        check_graph (facts, i);
      /* A damaged map leaves the program. */
      if (is_wrapped)
        g_assert_cmpuint (stria_facts_size (facts, STRIA_TABLE_GRAPH), >=, 1);
    }
  g_assert_true (good == (error == NULL));
  if (error != NULL)
    g_assert_true (error->domain == STRIA_ERROR && error->message[0] != '\0');
  g_object_unref (capture);
  /* Signals of captures wait for a main loop, and hold them. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const char *const members[] = { NULL, EDGE, "debug_handle_map", "delegate_map" };
  guint what = size > 0 ? data[0] % G_N_ELEMENTS (members) : 0;
  g_autoptr (GBytes) bytes = NULL;

  if (size < 1)
    return 0;
  bytes = what == 0 ? g_bytes_new_static (data, size) : wrap (members[what], data + 1, size - 1);
  decode (bytes, what > 1);
  return 0;
}
