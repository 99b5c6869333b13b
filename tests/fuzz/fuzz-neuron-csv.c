/* SPDX-License-Identifier: Apache-2.0 */
/* Reads hostile bytes as a table that the vendor's viewer saved, whole and in small blocks: the same
 * rows. The size chooses the table, for its name is that of the file. */
#include "config.h"

#include "stria-capture.h"
#include "stria-decoder.h"
#include "stria-error.h"
#include "stria-neuron-csv.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static const char *const names[] = {
  "Instruction.csv", "DmaPacketAggregated.csv", "DmaPacket (1).csv",
  "CcInstruction.csv", "SemaphoreUpdate.csv",
};

static StriaCapture *
decode (const guint8 *data, gsize size, gsize block, gboolean *good)
{
  const char *name = names[size % G_N_ELEMENTS (names)];
  StriaCapture *capture = stria_capture_new ("/fuzz.csv");
  g_autoptr (StriaArtifact) artifact = stria_artifact_new ("/fuzz.csv", NULL, name, size, 0);
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSource) source = stria_source_new_bytes (name, bytes, &error);
  StriaSink *sink;

  stria_capture_add_artifact (capture, artifact);
  *good = FALSE;
  if (source == NULL)
    {
      g_assert_nonnull (error);
      return capture;
    }
  stria_source_set_block_size (source, block);
  sink = stria_capture_open_sink (capture, 0);
  StriaDecodeContext context = {
    .name = name,
    .notices = stria_capture_get_notices (capture),
  };
  *good = stria_neuron_csv_decoder.decode (source, sink, &context, &error);
  g_assert_true (*good == (error == NULL));
  if (error != NULL)
    g_assert_true (error->domain == STRIA_ERROR && error->message[0] != '\0');
  stria_capture_close_sink (capture, sink, *good);
  return capture;
}

static guint64
count_rows (StriaCapture *capture)
{
  g_autoptr (GPtrArray) tables = stria_capture_get_tables (capture);
  guint64 rows = 0;

  for (guint t = 0; t < tables->len; t++)
    {
      StriaTable *table = tables->pdata[t];

      rows += stria_table_get_n_rows (table);
      for (guint c = 0; c < stria_table_get_n_columns (table); c++)
        for (guint32 chunk = 0; chunk < stria_table_get_n_chunks (table); chunk++)
          {
            g_autoptr (GError) error = NULL;
            g_autoptr (StriaColumnChunk) column = stria_table_load (table, c, chunk, &error);

            g_assert_no_error (error);
            g_assert_cmpuint (column->n_rows, ==, stria_table_get_chunk_rows (table, chunk));
          }
    }
  return rows;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  gboolean good, good_blocks;

  if (size == 0)
    return 0;
  stria_neuron_csv_decoder.probe (names[size % G_N_ELEMENTS (names)], data, size, TRUE);
  g_autoptr (StriaCapture) whole = decode (data, size, size, &good);
  g_autoptr (StriaCapture) blocks = decode (data, size, 3, &good_blocks);
  g_assert_true (good == good_blocks);
  if (good)
    g_assert_cmpuint (count_rows (whole), ==, count_rows (blocks));
  return 0;
}
