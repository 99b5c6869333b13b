/* SPDX-License-Identifier: Apache-2.0 */
/* Reads hostile bytes as gzip, zstd or plain text, in blocks of a length that they choose. */
#include "config.h"

#include "stria-error.h"
#include "stria-source.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const gsize blocks[] = { 1, 13, 4096, 1 << 20 };
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (StriaSource) source = NULL;
  g_autoptr (GError) error = NULL;
  const guint8 *block;
  gsize length;
  guint64 total = 0;
  guint64 before = 0;
  guint8 choice;

  if (size < 1)
    return 0;
  choice = data[0];
  bytes = g_bytes_new_static (data + 1, size - 1);
  source = stria_source_new_bytes ("fuzz", bytes, &error);
  if (source == NULL)
    {
      g_assert_nonnull (error);
      return 0;
    }
  stria_source_set_block_size (source, blocks[choice % G_N_ELEMENTS (blocks)]);

  /* A good part of the runs leaves in the middle. */
  while (stria_source_read (source, &block, &length, &error) && length > 0)
    {
      total += length;
      g_assert_cmpuint (stria_source_get_position (source), >=, before);
      before = stria_source_get_position (source);
      if ((choice & 0x80) != 0 && total > 2000)
        return 0;
      if (blocks[choice % G_N_ELEMENTS (blocks)] < 4096 && total > 65536)
        return 0;
    }
  if (error != NULL)
    g_assert_true (error->domain == STRIA_ERROR);
  else
    g_assert_cmpuint (stria_source_get_position (source), ==, size - 1);
  if (!stria_source_is_compressed (source) && error == NULL)
    g_assert_cmpuint (total, ==, size - 1);
  return 0;
}
