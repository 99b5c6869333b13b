/* SPDX-License-Identifier: Apache-2.0 */
/* Hostile statistics: the first byte says what the rest is: a whole payload, a list of stripes, counters
 * or a debug database; the last three are wrapped into a payload that is sound. */
#include "config.h"

#include <string.h>

#include "stria-nx.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
append_blob (GString *json, const char *name, const guint8 *data, gsize size, gboolean is_text)
{
  g_autofree char *base64 = g_base64_encode (data, size);

  g_string_append_printf (json,
                          "\"%s\":{\"available\":true,\"is_text\":%s,\"vulkan_result\":0,\"size\":"
                          "%" G_GSIZE_FORMAT ",\"encoding\":\"base64\",\"reason\":\"\",\"data\":\"%s\"}",
                          name, is_text ? "true" : "false", size, base64);
}

static char *
wrap (const guint8 *data, gsize size, guint what)
{
  static const guint8 no_bytes[1];
  GString *json = g_string_new (
      "{\"schema\":\"executorch.vgf.neural_statistics\",\"schema_version\":1,\"available\":true,"
      "\"segments\":[{\"segment_id\":0,\"is_data_graph_pipeline\":true,");
  guint8 first[4] = { 0 }, tasks[256 * 64] = { 0 };

  append_blob (json, "statistics_info", what == 1 || what == 2 ? data : first,
               what == 1 || what == 2 ? size : sizeof first, what == 2);
  g_string_append_c (json, ',');
  append_blob (json, "statistics_memory", what == 3 ? data : tasks,
               what == 3 ? size : sizeof tasks, FALSE);
  g_string_append_c (json, ',');
  append_blob (json, "debug_database", what == 4 ? data : no_bytes, what == 4 ? size : 0, TRUE);
  g_string_append (json, "}]}");
  return g_string_free (json, FALSE);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  if (size < 1)
    return 0;
  guint what = data[0] % 5;
  g_autoptr (StriaFacts) facts = stria_facts_new ();
  StriaNotices *notices = stria_notices_new ();
  StriaDecodeContext context = { .name = "fuzz.etdump", .notices = notices };
  StriaNx *nx = stria_nx_new (facts, &context);
  StriaNxPayloadRow row = { .event = STRIA_NO_REF, .run = STRIA_NO_REF };
  g_autofree char *text = what == 0 ? g_memdup2 (data + 1, size - 1) : wrap (data + 1, size - 1, what);
  gsize length = what == 0 ? size - 1 : strlen (text);
  guint table;
  guint32 bad;

  /* The second time is another execution of the same instruction. */
  stria_nx_read (nx, (const guint8 *)text, length, 0, &row);
  stria_nx_read (nx, (const guint8 *)text, length, 0, &row);
  stria_nx_finish (nx);
  g_assert_true (stria_facts_check (facts, &table, &bad));
  stria_nx_free (nx);
  stria_notices_unref (notices);
  return 0;
}
