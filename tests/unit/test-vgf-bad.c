/* SPDX-License-Identifier: Apache-2.0 */
/* VGFs that are damaged, or ask for more than they may. */
#include "config.h"

#include <string.h>

#include "stria-error.h"
#include "stria-vgf.h"
#include "vgf-reading.h"

/* A module of few words, or that ends inside: said, and the rest stays. */
static void
test_short_modules (void)
{
  g_autoptr (GArray) full = vgf_reading_words ("graph_partition_0", TRUE);

  for (guint n = 1; n < full->len; n++)
    {
      g_autoptr (GArray) words = g_array_new (FALSE, FALSE, 4);
      VgfMakerModule     module = { 1, "graph_partition_0", words };
      VgfMaker           maker = vgf_reading_one (&module);
      g_auto (VgfReading)   reading = { 0 };
      const StriaVgfModuleRow *row;

      g_array_append_vals (words, full->data, n);
      vgf_reading_make (&reading, &maker);
      row = STRIA_ROWS (reading.facts, StriaVgfModuleRow, STRIA_TABLE_VGF_MODULE);
      g_assert_cmpuint (stria_notices_total (reading.notices, "vgf-spirv"), ==, row->error != 0);
      if (n < 5)
        g_assert_nonnull (strstr (stria_facts_text (reading.facts, row->error), "5 words"));
      vgf_reading_assert_edge (&reading, "mrt_0", 0, "GraphInputs");
      vgf_reading_assert_edge (&reading, "GraphOutputs", 0, "mrt_2");
    }
}

/* Each cut, and each byte in three other ways: a message or facts that hold together. */
static void
test_damage (void)
{
  for (guint legacy = 0; legacy < 2; legacy++)
    {
      g_autoptr (GArray)     words = vgf_reading_words ("graph_partition_0", TRUE);
      VgfMakerModule         module = { 1, "graph_partition_0", words };
      VgfMaker               maker = vgf_reading_one (&module);
      g_autoptr (GByteArray) bytes = NULL;
      g_autoptr (GArray)     borders = NULL;
      guint                  bad = 0;

      maker.legacy = legacy != 0;
      bytes = vgf_maker_finish (&maker, &borders);
      g_assert_cmpuint (borders->len, >, 20);
      for (guint cut = 0; cut < bytes->len; cut++)
        {
          g_autofree guint8 *part = g_memdup2 (bytes->data, cut);
          g_autoptr (GError) error = NULL;
          g_auto (VgfReading)   reading = { 0 };

          if (!vgf_reading_read (&reading, part, cut, &error))
            {
              g_assert_true (error->domain == STRIA_ERROR);
              g_assert_true (g_str_has_prefix (error->message, "m.vgf: offset "));
              g_assert_true (stria_facts_is_empty (reading.facts));
              bad++;
            }
        }
      g_assert_cmpuint (bad, >, bytes->len - 16);
      for (guint at = 0; at < bytes->len; at++)
        for (guint k = 0; k < 3; k++)
          {
            static const guint8 flips[] = { 0x01, 0x80, 0xff };
            g_autoptr (GError)  error = NULL;
            g_auto (VgfReading)    reading = { 0 };

            bytes->data[at] ^= flips[k];
            if (!vgf_reading_read (&reading, bytes->data, bytes->len, &error))
              g_assert_true (error->domain == STRIA_ERROR
                             && g_str_has_prefix (error->message, "m.vgf: "));
            bytes->data[at] ^= flips[k];
          }
      /* Where a part begins, a number that is too large. */
      for (guint b = 0; b < borders->len; b++)
        {
          guint32            at = g_array_index (borders, guint32, b);
          g_autoptr (GError) error = NULL;
          g_auto (VgfReading)   reading = { 0 };
          guint8             kept[4];

          if (at + 4 > bytes->len)
            continue;
          memcpy (kept, bytes->data + at, 4);
          memset (bytes->data + at, 0xff, 4);
          vgf_reading_read (&reading, bytes->data, bytes->len, &error);
          memcpy (bytes->data + at, kept, 4);
        }
    }
}

/* A module that many segments use is walked for each up to a limit, and the limit is said. */
static void
test_many_segments (void)
{
  g_autoptr (GArray)          words = vgf_reading_words ("graph_partition_0", FALSE);
  VgfMakerModule              module = { 1, "graph_partition_0", words };
  VgfMaker                    maker = vgf_reading_one (&module);
  g_autofree VgfMakerSegment *segments = g_new0 (VgfMakerSegment, 12000);
  g_auto (VgfReading)            reading = { 0 };

  for (guint i = 0; i < 12000; i++)
    segments[i] = maker.segments[0];
  maker.segments = segments;
  maker.n_segments = 12000;
  vgf_reading_make (&reading, &maker);
  g_assert_cmpuint (stria_notices_total (reading.notices, "vgf-limit"), ==, 1);
  g_assert_cmpuint (stria_graph_n_nodes (reading.graph), >, 1000);
  g_assert_cmpuint (stria_graph_n_nodes (reading.graph), <, 24000);
}

/* Operators of a graph without slots, ids that are no values, an index that is too large. */
static void
test_wrong_slots (void)
{
  g_autoptr (GArray) words = spirv_maker_prelude ("graph_partition_0", 0, 1);
  VgfMakerModule     module = { 1, "graph_partition_0", words };
  VgfMaker           maker = vgf_reading_one (&module);
  g_auto (VgfReading)   reading = { 0 };

  spirv_maker_op (words, 4183, ID_GRAPH_TYPE, ID_GRAPH, -1);
  spirv_maker_op (words, 4184, ID_TENSOR8, 40, ID_8, -1);
  spirv_maker_op (words, 12, ID_TENSOR8, 60, ID_TOSA, 40, 40, 0, 900, -1);
  spirv_maker_op (words, 4185, 60, ID_8, -1);
  spirv_maker_op (words, 4185, 900, ID_0, -1);
  spirv_maker_op (words, 4186, -1);
  /* Behind the graph's end, and in another graph: not of this segment. */
  spirv_maker_op (words, 12, ID_TENSOR8, 61, ID_TOSA, 40, 40, 0, 900, -1);
  spirv_maker_op (words, 4183, ID_GRAPH_TYPE, 62, -1);
  spirv_maker_op (words, 12, ID_TENSOR8, 63, ID_TOSA, 40, 40, 0, 900, -1);
  spirv_maker_op (words, 4186, -1);
  vgf_reading_make (&reading, &maker);
  g_assert_cmpuint (stria_notices_total (reading.notices, "vgf-segment"), ==, 3);
  g_assert_cmpuint (stria_facts_size (reading.facts, STRIA_TABLE_VGF_OPERATOR), ==, 1);
  g_assert_cmpuint (stria_graph_n_edges (reading.graph), ==, 2);
}

static void
test_cancel (void)
{
  g_autoptr (GArray)       words = spirv_maker_prelude ("graph_partition_0", 0, 1);
  VgfMakerModule           module = { 1, "graph_partition_0", words };
  VgfMaker                 maker = vgf_reading_one (&module);
  g_autoptr (GByteArray)   bytes = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (StriaFacts)   facts = stria_facts_new ();
  g_autoptr (StriaNotices) notices = stria_notices_new ();
  g_autoptr (GError)       error = NULL;
  StriaDecodeContext       context
      = { .name = "m.vgf", .notices = notices, .cancellable = cancellable };
  guint32                  vgf, row;
  guint                    table;

  spirv_maker_begin_graph (words, 40);
  for (guint i = 0; i < 10000; i++)
    spirv_maker_op (words, 12, ID_TENSOR8, 60, ID_TOSA, 11, 40, -1);
  bytes = vgf_maker_finish (&maker, NULL);
  g_cancellable_cancel (cancellable);
  g_assert_false (stria_vgf_read (facts, "main", NULL, STRIA_NO_REF, bytes->data, bytes->len, 0,
                                  &context, &vgf, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_true (stria_facts_check (facts, &table, &row));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/vgf-bad/short-modules", test_short_modules);
  g_test_add_func ("/vgf-bad/damage", test_damage);
  g_test_add_func ("/vgf-bad/many-segments", test_many_segments);
  g_test_add_func ("/vgf-bad/wrong-slots", test_wrong_slots);
  g_test_add_func ("/vgf-bad/cancel", test_cancel);
  return g_test_run ();
}
