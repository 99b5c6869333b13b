/* SPDX-License-Identifier: Apache-2.0 */
/* Lists hostile bytes as a zip or tar archive with the first bytes of each member. */
#include "config.h"

#include <string.h>

#include "stria-archive.h"
#include "stria-error.h"
#include "stria-peek.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static gboolean
on_member (const StriaArchiveEntry *entry, gpointer user_data)
{
  guint *n = user_data;
  gboolean whole;
  gsize length;
  g_autofree guint8 *head = NULL;

  g_assert_true (g_utf8_validate (entry->label, -1, NULL));
  g_assert_true (*entry->label != '\0' && *entry->label != '/');
  g_assert_null (strstr (entry->label, "/../"));
  g_assert_false (g_str_has_prefix (entry->label, "../"));
  g_assert_cmpuint (entry->head_length, <=, 4096);
  head = stria_peek_inflate (entry->head, entry->head_length, entry->whole, &length, &whole);
  g_assert_cmpuint (length, <=, STRIA_PEEK_BYTES);
  (*n)++;
  return TRUE;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (GError) error = NULL;
  guint n = 0;

  stria_archive_probe (data, size, data, size);
  if (!stria_archive_list_bytes ("fuzz", bytes, 4096, on_member, &n, &error))
    g_assert_true (error != NULL && error->domain == STRIA_ERROR);
  return 0;
}
