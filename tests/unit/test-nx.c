/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib.h>
#include <string.h>

#include "stria-error.h"
#include "stria-nx-private.h"

#define DATABASE                                                                                   \
  "id\ttosa_op\tapi_labels\n10\tConv2D\tTOSACONV2D_spirv_id_504;\n----\n"                          \
  "id\tapi_label\n----\n"                                                                          \
  "id\ttosa_op_ids\n20\t10;\n----\n"                                                               \
  "id\tfused_op_ids\n30\t20;\n----\n"                                                              \
  "id\tcascade_op_ids\n40\t30;\n----\n"                                                            \
  "id\top_id\tcascade_op_id\n0\t30\t40\n----\n"                                                    \
  "id\tstripe_op_id\n0\t0\n"

/* A payload that is being made. */
typedef struct
{
  int version;
  int mode;
  int vulkan_value; /* 0: mode + 1 */
  const char *device;
  int vendor;
  gboolean no_target;
  const char *layout; /* members of counter_layout; NULL: not available */
  gboolean without_layout;
  const char *database;
  gboolean unavailable;
} Maker;

static const Maker v1 = { .version = 1 };
static const Maker g1_mode0
    = { 2, 0, 0, "Mali-G1-Pro-NX MC1", 5045, FALSE, NULL, FALSE, NULL, FALSE };
static const Maker g1_mode1 = { 2, 1, 0, "Mali-G1", 5045, FALSE, NULL, FALSE, NULL, FALSE };
static const Maker g2_mode0 = { 2, 0, 0, "Mali-G2 X", 5045, FALSE, NULL, FALSE, NULL, FALSE };
static const Maker g2_mode1
    = { 2, 1, 0, "Mali-G2-Pro-NX MC1", 5045, FALSE, NULL, FALSE, DATABASE, FALSE };

static void
add_blob (GString *json, const char *name, gconstpointer data, gsize length, gboolean is_text)
{
  g_autofree char *base64 = g_base64_encode (data, length);

  if (data == NULL)
    g_string_append_printf (
        json,
        "\"%s\": {\"available\": false, \"is_text\": false, \"vulkan_result\": -1, "
        "\"size\": 0, \"encoding\": \"base64\", \"reason\": \"no such thing\", "
        "\"data\": \"\"}",
        name);
  else
    g_string_append_printf (json,
                            "\"%s\": {\"available\": true, \"is_text\": %s, \"vulkan_result\": 0, "
                            "\"size\": %" G_GSIZE_FORMAT
                            ", \"encoding\": \"base64\", \"reason\": \"\", \"data\": \"%s\"}",
                            name, is_text ? "true" : "false", length, base64);
}

static char *
make_payload (const Maker *maker,
              const guint32 *words,
              gsize n_words,
              const guint32 *info,
              gsize n_info,
              const char *text_info,
              gint64 segment)
{
  GString *json = g_string_new (NULL);

  g_string_printf (json,
                   "{\"schema\": \"executorch.vgf.neural_statistics\", \"schema_version\": %d, "
                   "\"backend\": \"VgfBackend\", \"api_available\": true, \"data_available\": %s, "
                   "\"available\": %s, \"reason\": \"%s\", ",
                   maker->version, maker->unavailable ? "false" : "true",
                   maker->unavailable ? "false" : "true", maker->unavailable ? "no driver" : "");
  if (maker->version >= 2)
    {
      int value = maker->vulkan_value != 0 ? maker->vulkan_value : maker->mode + 1;
      g_string_append_printf (
          json,
          "\"statistics_mode\": {\"executorch_index\": %d, \"vulkan_value\": %d, "
          "\"vulkan_name\": "
          "\"VK_NEURAL_ACCELERATOR_STATISTICS_MODE_STATISTICS%d_ARM\"}, "
          "\"target\": {\"available\": %s, \"device_name\": \"%s\", "
          "\"vendor_id\": %d, \"device_id\": 1, \"driver_version\": 7}, ",
          maker->mode, value, maker->mode, maker->no_target ? "false" : "true", maker->device,
          maker->vendor);
      if (!maker->without_layout)
        g_string_append_printf (
            json, "\"counter_layout\": {%s}, ",
            maker->layout != NULL
                ? maker->layout
                : "\"available\": false, \"schema_id\": \"\", \"schema_version\": 0, "
                  "\"endianness\": \"little\", \"word_type\": \"uint32\", \"words_per_task\": 0, "
                  "\"leading_block_count\": 0, \"reason\": \"not known\"");
    }
  g_string_append_printf (json,
                          "\"segments\": [{\"segment_id\": %" G_GINT64_FORMAT
                          ", \"is_data_graph_pipeline\": true, "
                          "\"statistics_bind_point_available\": true, "
                          "\"statistics_memory_host_visible\": true, "
                          "\"statistics_memory_host_coherent\": true, "
                          "\"statistics_bind_point_reason\": \"\", ",
                          segment);
  add_blob (json, "debug_database", maker->database,
            maker->database != NULL ? strlen (maker->database) : 0, TRUE);
  g_string_append (json, ", ");
  if (text_info != NULL)
    add_blob (json, "statistics_info", text_info, strlen (text_info) + 1, TRUE);
  else
    add_blob (json, "statistics_info", info, n_info * 4, FALSE);
  g_string_append (json, ", ");
  add_blob (json, "statistics_memory", words, n_words * 4, FALSE);
  g_string_append (json, "}]}");
  return g_string_free (json, FALSE);
}

typedef struct
{
  StriaFacts *facts;
  StriaNotices *notices;
  StriaDecodeContext context;
  StriaNx *nx;
} Bench;

static void
bench_init (Bench *self)
{
  self->facts = stria_facts_new ();
  self->notices = stria_notices_new ();
  self->context = (StriaDecodeContext){ .name = "run.etdump", .notices = self->notices };
  self->nx = stria_nx_new (self->facts, &self->context);
}

static void
bench_clear (Bench *self)
{
  stria_nx_free (self->nx);
  stria_notices_unref (self->notices);
  stria_facts_unref (self->facts);
}

static guint32
bench_read (Bench *self, const char *text)
{
  StriaNxPayloadRow row = { .event = STRIA_NO_REF, .run = STRIA_NO_REF, .instruction = 1 };

  return stria_nx_read (self->nx, (const guint8 *)text, strlen (text), 100, &row);
}

#define ROW(bench, Type, table, i) (&STRIA_ROWS ((bench)->facts, Type, table)[i])
#define PAYLOAD(bench, i) ROW (bench, StriaNxPayloadRow, STRIA_TABLE_NX_PAYLOAD, i)
#define SEGMENT(bench, i) ROW (bench, StriaNxSegmentRow, STRIA_TABLE_NX_SEGMENT, i)
#define STRIPE(bench, i) ROW (bench, StriaNxStripeRow, STRIA_TABLE_NX_STRIPE, i)

static guint64
counter (Bench *self, guint32 stripe, const char *name)
{
  const StriaNxStripeRow *row = STRIPE (self, stripe);

  for (guint32 c = row->first_counter; c < row->first_counter + row->n_counters; c++)
    if (g_str_equal (
            stria_facts_text (self->facts,
                              ROW (self, StriaNxCounterRow, STRIA_TABLE_NX_COUNTER, c)->name),
            name))
      return ROW (self, StriaNxCounterRow, STRIA_TABLE_NX_COUNTER, c)->value;
  g_test_message ("no counter %s", name);
  g_assert_not_reached ();
}

static const char *
code_of (Bench *self, guint32 payload)
{
  return stria_facts_text (self->facts, PAYLOAD (self, payload)->code);
}

static void
test_mode0 (void)
{
  guint32 words[16] = { 10, 20, 30 };
  const guint32 info[] = { 0 };
  g_autofree guint32 *many = g_new0 (guint32, 513 * 16);
  g_autofree char *one = make_payload (&g1_mode0, words, 16, info, 1, NULL, 0);
  g_autofree char *two = NULL, *three = NULL;
  const guint32 both[] = { 0, 1 };
  Bench b;

  bench_init (&b);
  g_assert_cmpuint (bench_read (&b, one), ==, 0);
  g_assert_cmpuint (PAYLOAD (&b, 0)->state, ==, STRIA_NX_OK);
  g_assert_cmpuint (STRIPE (&b, 0)->op_cycles, ==, 60);
  g_assert_cmpuint (STRIPE (&b, 0)->total_cycles, ==, 60);
  g_assert_cmpuint (counter (&b, 0, "section_0"), ==, 10);
  g_assert_cmpuint (counter (&b, 0, "section_1"), ==, 20);
  g_assert_cmpuint (counter (&b, 0, "section_2"), ==, 30);
  g_assert_cmpuint (STRIPE (&b, 0)->n_counters, ==, 16);
  /* 513 tasks are one block of a Mali-G2 and two of a Mali-G1. */
  for (guint t = 0; t < 513; t++)
    many[t * 16] = 1;
  two = make_payload (&g2_mode0, many, 513 * 16, info, 1, NULL, 0);
  bench_read (&b, two);
  g_assert_cmpuint (STRIPE (&b, 1)->op_cycles, ==, 513);
  three = make_payload (&g1_mode0, many, 513 * 16, both, 2, NULL, 0);
  bench_read (&b, three);
  g_assert_cmpuint (STRIPE (&b, 2)->op_cycles, ==, 512);
  g_assert_cmpuint (STRIPE (&b, 3)->op_cycles, ==, 1);
  g_assert_cmpuint (SEGMENT (&b, 2)->n_blocks, ==, 2);
  g_assert_cmpuint (SEGMENT (&b, 2)->last_block_tasks, ==, 1);
  bench_clear (&b);
}

static void
test_mode1 (void)
{
  guint32 words[64] = { 0 };
  const guint32 info[] = { 0 }, gap[] = { 0, 2 }, outside[] = { 0, 3 };
  g_autofree guint32 *blocks = g_new0 (guint32, 3 * 256 * 32);
  g_autofree char *one = NULL, *two = NULL, *three = NULL, *four = NULL;
  Bench b;

  bench_init (&b);
  words[1] = 10;
  words[31] = 20;
  words[32] = 30;
  one = make_payload (&g2_mode1, words, 64, info, 1, NULL, 0);
  bench_read (&b, one);
  g_assert_cmpuint (STRIPE (&b, 0)->op_cycles, ==, 10);
  g_assert_cmpuint (STRIPE (&b, 0)->total_cycles, ==, 10);
  g_assert_false (STRIPE (&b, 0)->total_from_sum);
  g_assert_cmpuint (counter (&b, 0, "me_src0_stall"), ==, 20);
  g_assert_cmpuint (counter (&b, 0, "me_src1_stall"), ==, 30);

  blocks[1] = 10;
  two = make_payload (&g1_mode1, blocks, 3 * 256 * 32, gap, 2, NULL, 0);
  bench_read (&b, two);
  g_assert_cmpuint (STRIPE (&b, 1)->number, ==, 0);
  g_assert_cmpuint (STRIPE (&b, 1)->op_cycles, ==, 10);
  g_assert_cmpuint (STRIPE (&b, 2)->number, ==, 2);
  g_assert_cmpuint (STRIPE (&b, 2)->op_cycles, ==, 0);
  three = make_payload (&g1_mode1, blocks, 3 * 256 * 32, outside, 2, NULL, 0);
  bench_read (&b, three);
  g_assert_cmpuint (SEGMENT (&b, 2)->state, ==, STRIA_NX_MALFORMED);
  g_assert_cmpuint (SEGMENT (&b, 2)->n_stripes, ==, 0);
  /* Counters that no list names. */
  four = make_payload (&g1_mode1, blocks, 3 * 256 * 32, &gap[1], 1, NULL, 0);
  bench_read (&b, four);
  g_assert_cmpuint (SEGMENT (&b, 3)->state, ==, STRIA_NX_MALFORMED);

  /* Without nx_active the total is the sum of what has a name, and says so. */
  g_autofree char *five = NULL;
  words[1] = 0;
  five = make_payload (&g2_mode1, words, 64, info, 1, NULL, 0);
  bench_read (&b, five);
  g_assert_cmpuint (STRIPE (&b, 3)->op_cycles, ==, 0);
  g_assert_cmpuint (STRIPE (&b, 3)->total_cycles, ==, 50);
  g_assert_true (STRIPE (&b, 3)->total_from_sum);
  bench_clear (&b);
}

/* Lists of stripes: framed, bare, text. */
static void
test_info (void)
{
  g_autofree guint32 *words = g_new0 (guint32, 17 * 256 * 64);
  const guint32 framed[] = { 0x2211EEFF, 1, 8, 3, 7 }, wrong[] = { 0x2211EEFF, 2, 8, 3, 7 };
  const guint32 twice[] = { 3, 3 };
  gsize n = 17 * 256 * 64;
  g_autofree char *a = make_payload (&g2_mode1, words, n, framed, 5, NULL, 0);
  g_autofree char *b_ = make_payload (&g2_mode1, words, n, NULL, 0, "3, 7\n0x10;", 0);
  g_autofree char *c = make_payload (&g2_mode1, words, n, NULL, 0, "3 stripe-7", 0);
  g_autofree char *d = make_payload (&g2_mode1, words, n, wrong, 5, NULL, 0);
  g_autofree char *e = make_payload (&g2_mode1, words, n, twice, 2, NULL, 0);
  g_autofree char *f = make_payload (&g2_mode1, words, n, NULL, 0, " ;", 0);
  Bench b;

  bench_init (&b);
  bench_read (&b, a);
  g_assert_cmpuint (SEGMENT (&b, 0)->n_stripes, ==, 2);
  g_assert_cmpuint (STRIPE (&b, 0)->number, ==, 3);
  g_assert_cmpuint (STRIPE (&b, 1)->number, ==, 7);
  /* They are not in the debug database. */
  g_assert_true (STRIPE (&b, 1)->placeholder);
  g_assert_cmpstr (stria_facts_text (b.facts, STRIPE (&b, 1)->chain), ==, "chain_7");
  bench_read (&b, b_);
  g_assert_cmpuint (STRIPE (&b, 4)->number, ==, 16);
  bench_read (&b, c);
  bench_read (&b, d);
  bench_read (&b, e);
  bench_read (&b, f);
  for (guint s = 2; s < 6; s++)
    g_assert_cmpuint (SEGMENT (&b, s)->state, ==, STRIA_NX_MALFORMED);
  bench_clear (&b);
}

static void
test_database (void)
{
  guint32 words[64] = { 0 };
  const guint32 info[] = { 0 };
  g_autofree char *framed = g_malloc (12 + strlen (DATABASE) + 1);
  Bench b;

  bench_init (&b);
  words[1] = 5;

  /* In a frame it says the same. */
  const guint32 frame[] = { GUINT32_TO_LE (0x1122FFEE), GUINT32_TO_LE (1),
                            GUINT32_TO_LE ((guint32)strlen (DATABASE)) };
  g_autoptr (StriaFacts) apart = stria_facts_new ();
  g_autoptr (GError) error = NULL;
  memcpy (framed, frame, 12);
  memcpy (framed + 12, DATABASE, strlen (DATABASE));
  g_autoptr (GHashTable) relations = stria_nx_parse_database (
      apart, 0, (const guint8 *)framed, 12 + strlen (DATABASE), &error);
  g_assert_no_error (error);
  const StriaNxRelation *relation = g_hash_table_lookup (relations, "0");
  g_assert_cmpstr (stria_facts_text (apart, relation->chain), ==, "30");
  g_assert_cmpstr (stria_facts_text (apart, relation->cascade), ==, "40");
  g_assert_null (stria_nx_parse_database (apart, 0, (const guint8 *)framed,
                                          11 + strlen (DATABASE), &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED);
  g_autofree char *bare = make_payload (&g2_mode1, words, 64, info, 1, NULL, 0);
  bench_read (&b, bare);
  bench_read (&b, bare);
  g_assert_cmpstr (stria_facts_text (b.facts, STRIPE (&b, 0)->chain), ==, "30");
  g_assert_cmpstr (stria_facts_text (b.facts, STRIPE (&b, 0)->cascade), ==, "40");
  g_assert_false (STRIPE (&b, 0)->placeholder);
  /* The second execution's database is the first one's. */
  g_assert_cmpuint (SEGMENT (&b, 1)->relations, ==, 0);
  g_assert_cmpuint (stria_facts_size (b.facts, STRIA_TABLE_NX_FUSED), ==, 1);
  const StriaNxTosaRow *tosa = ROW (&b, StriaNxTosaRow, STRIA_TABLE_NX_TOSA, 0);
  g_assert_cmpstr (stria_facts_text (b.facts, tosa->fused), ==, "20");
  g_assert_cmpstr (stria_facts_text (b.facts, tosa->type), ==, "Conv2D");
  const StriaNxLabelRow *label = ROW (&b, StriaNxLabelRow, STRIA_TABLE_NX_LABEL, 0);
  g_assert_cmpstr (stria_facts_text (b.facts, label->label), ==, "TOSACONV2D_spirv_id_504");

  /* Labels that are JSON hold semicolons. */
  Maker json = g2_mode1;
  json.database
      = "id tosa_op api_labels\n10\tConv2D\t{\"a\": \"x;y\\\"}\", \"b\": [1;2]};plain;\n----\n"
        "id\n----\nid\ttosa_op_ids\n----\nid\tfused_op_ids\n----\nid\n----\nid\top_id\t"
        "cascade_op_id\n0\t30;31;\t40\n----\nid\tstripe_op_id\n0\t0\n";
  g_autofree char *several = make_payload (&json, words, 64, info, 1, NULL, 1);
  bench_read (&b, several);
  /* Two chains of a stripe are an error of the database; the counters stay. */
  g_assert_cmpuint (stria_notices_total (b.notices, "nx-database"), ==, 1);
  g_assert_cmpuint (SEGMENT (&b, 2)->relations, ==, STRIA_NO_REF);
  g_assert_cmpuint (STRIPE (&b, 2)->op_cycles, ==, 5);
  g_assert_true (STRIPE (&b, 2)->placeholder);
  g_autofree char *mended = g_strdup (json.database);
  memcpy (strstr (mended, "30;31;"), "30    ", 6);
  json.database = mended;
  g_autofree char *one = make_payload (&json, words, 64, info, 1, NULL, 1);
  bench_read (&b, one);
  g_assert_cmpuint (stria_facts_size (b.facts, STRIA_TABLE_NX_LABEL), ==, 3);
  label = ROW (&b, StriaNxLabelRow, STRIA_TABLE_NX_LABEL, 1);
  g_assert_cmpstr (stria_facts_text (b.facts, label->label), ==,
                   "{\"a\": \"x;y\\\"}\", \"b\": [1;2]}");
  Maker few = g2_mode1;
  few.database = "id\n----\nid\n";
  g_autofree char *short_one = make_payload (&few, words, 64, info, 1, NULL, 2);
  bench_read (&b, short_one);
  g_assert_cmpuint (stria_notices_total (b.notices, "nx-database"), ==, 2);
  bench_clear (&b);
}

#define LAYOUT(schema, version, endian, type, words)                                               \
  "\"available\": true, \"schema_id\": \"" schema "\", \"schema_version\": " version               \
  ", \"endianness\": \"" endian "\", \"word_type\": \"" type "\", \"words_per_task\": " words      \
  ", \"leading_block_count\": 1, \"reason\": \"\""

static void
test_settings (void)
{
  static const struct
  {
    const char *layout, *code;
    int mode, vulkan_value, vendor;
    const char *device;
    int generation;
  } cases[] = {
    { LAYOUT ("arm.mali-g2.neural-statistics.mode1", "1", "little", "uint32", "64"), "", 1, 0, 5045,
      "Mali-G2-Pro-NX MC1", 2 },
    { LAYOUT ("arm.mali-g2.neural-statistics.mode0", "1", "little", "uint32", "16"), "", 0, 0, 5045,
      "Mali-G2", 2 },
    { LAYOUT ("arm.mali-g2.neural-statistics.mode0", "1", "little", "uint32", "64"),
      "mode0-64-words", 0, 0, 5045, "Mali-G2", 2 },
    { LAYOUT ("arm.mali-g2.neural-statistics.mode1", "2", "little", "uint32", "64"),
      "layout-schema", 1, 0, 5045, "Mali-G2", 2 },
    { LAYOUT ("arm.mali-g2.neural-statistics.mode1", "1", "big", "uint32", "64"),
      "layout-endianness", 1, 0, 5045, "Mali-G2", 2 },
    { LAYOUT ("arm.mali-g2.neural-statistics.mode1", "1", "little", "uint64", "64"),
      "layout-word-type", 1, 0, 5045, "Mali-G2", 2 },
    { LAYOUT ("arm.mali-g2.neural-statistics.mode1", "1", "little", "uint32", "32"), "layout-words",
      1, 0, 5045, "Mali-G2", 2 },
    { LAYOUT ("arm.mali-g2.neural-statistics.mode0", "1", "little", "uint32", "16"),
      "layout-conflict", 1, 0, 5045, "Mali-G2", 2 },
    { LAYOUT ("arm.mali-g1.neural-statistics.mode1", "1", "little", "uint32", "32"),
      "layout-conflict", 1, 0, 5045, "Mali-G2", 2 },
    { NULL, "mode-conflict", 1, 1, 5045, "Mali-G2", 0 },
    { NULL, "mode-unknown", 2, 3, 5045, "Mali-G2", 0 },
    { NULL, "device-unsupported", 1, 0, 4318, "Mali-G2-Pro-NX MC1", 0 },
    { NULL, "device-unsupported", 1, 0, 5045, "Unknown accelerator", 0 },
    { NULL, "device-unsupported", 1, 0, 5045, "Mali-G25", 0 },
    { NULL, "", 1, 0, 5045, "Mali-G2-Pro-NX MC1", 2 },
    { NULL, "", 1, 0, 5045, "Mali-G1", 1 },
  };
  guint32 words[64] = { 0 };
  const guint32 info[] = { 0 };
  Bench b;

  bench_init (&b);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Maker maker = { 2,
                      cases[i].mode,
                      cases[i].vulkan_value,
                      cases[i].device,
                      cases[i].vendor,
                      FALSE,
                      cases[i].layout,
                      FALSE,
                      NULL,
                      FALSE };
      g_autofree char *text = make_payload (&maker, words, 64, info, 1, NULL, 0);

      g_assert_cmpuint (bench_read (&b, text), ==, i);
      g_assert_cmpstr (code_of (&b, i), ==, cases[i].code);
      g_assert_cmpuint (PAYLOAD (&b, i)->state, ==,
                        *cases[i].code == '\0' ? STRIA_NX_OK : STRIA_NX_REJECTED);
      if (*cases[i].code == '\0')
        {
          g_assert_cmpuint (PAYLOAD (&b, i)->generation, ==, cases[i].generation);
          g_assert_false (PAYLOAD (&b, i)->device_assumed);
          g_assert_false (PAYLOAD (&b, i)->mode_assumed);
        }
    }
  bench_clear (&b);
}

static void
test_assumptions (void)
{
  guint32 words[64] = { 0 };
  const guint32 info[] = { 0 };
  g_autofree char *old = make_payload (&v1, words, 64, info, 1, NULL, 0);
  Maker nameless = g2_mode1;
  Bench b;

  bench_init (&b);
  bench_read (&b, old);
  g_assert_cmpint (PAYLOAD (&b, 0)->mode, ==, 1);
  g_assert_cmpuint (PAYLOAD (&b, 0)->generation, ==, 2);
  g_assert_true (PAYLOAD (&b, 0)->mode_assumed);
  g_assert_true (PAYLOAD (&b, 0)->device_assumed);
  g_assert_cmpuint (PAYLOAD (&b, 0)->words_per_task, ==, 64);
  g_assert_false (PAYLOAD (&b, 0)->layout_stated);
  nameless.no_target = TRUE;
  g_autofree char *text = make_payload (&nameless, words, 64, info, 1, NULL, 0);
  bench_read (&b, text);
  g_assert_false (PAYLOAD (&b, 1)->mode_assumed);
  g_assert_true (PAYLOAD (&b, 1)->device_assumed);
  bench_clear (&b);
}

static void
test_conflict (void)
{
  guint32 words[64] = { 0 };
  const guint32 info[] = { 0 };
  g_autofree char *a = make_payload (&g2_mode1, words, 64, info, 1, NULL, 0);
  g_autofree char *c = make_payload (&g1_mode1, words, 64, info, 1, NULL, 0);
  Bench b;

  bench_init (&b);
  bench_read (&b, a);
  bench_read (&b, a);
  stria_nx_finish (b.nx);
  g_assert_cmpuint (PAYLOAD (&b, 1)->state, ==, STRIA_NX_OK);
  bench_read (&b, c);
  stria_nx_finish (b.nx);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpuint (PAYLOAD (&b, i)->state, ==, STRIA_NX_REJECTED);
      g_assert_cmpstr (code_of (&b, i), ==, "settings-conflict");
    }
  bench_clear (&b);
}

/* What is no payload, and what claims to be one. */
static void
test_payloads (void)
{
  guint32 words[64] = { 0 };
  const guint32 info[] = { 0 };
  Maker maker = g2_mode1;
  Bench b;

  bench_init (&b);
  g_assert_cmpuint (bench_read (&b, "{\"schema\": \"another\", \"schema_version\": 1}"), ==,
                    STRIA_NO_REF);
  g_assert_cmpuint (bench_read (&b, "just text"), ==, STRIA_NO_REF);
  g_assert_cmpuint (stria_facts_size (b.facts, STRIA_TABLE_NX_PAYLOAD), ==, 0);

  g_autofree char *whole = make_payload (&maker, words, 64, info, 1, NULL, 0);
  /* Every cut of it is either malformed or, before the schema's name is whole, no payload. */
  gsize length = strlen (whole);
  for (gsize cut = 0; cut < length; cut++)
    {
      g_autofree char *text = g_strndup (whole, cut);
      guint32 row = bench_read (&b, text);
      if (row != STRIA_NO_REF)
        g_assert_cmpuint (PAYLOAD (&b, row)->state, ==, STRIA_NX_MALFORMED);
      else
        g_assert_null (strstr (text, "executorch.vgf.neural_statistics"));
    }

  guint32 row;
  maker.without_layout = TRUE;
  g_autofree char *no_layout = make_payload (&maker, words, 64, info, 1, NULL, 0);
  row = bench_read (&b, no_layout);
  g_assert_cmpuint (PAYLOAD (&b, row)->state, ==, STRIA_NX_MALFORMED);
  maker = g2_mode1;
  maker.version = 3;
  g_autofree char *future = make_payload (&maker, words, 64, info, 1, NULL, 0);
  row = bench_read (&b, future);
  g_assert_cmpuint (PAYLOAD (&b, row)->state, ==, STRIA_NX_MALFORMED);
  maker = g2_mode1;
  maker.unavailable = TRUE;
  g_autofree char *none = make_payload (&maker, NULL, 0, NULL, 0, NULL, 4);
  row = bench_read (&b, none);
  g_assert_cmpuint (PAYLOAD (&b, row)->state, ==, STRIA_NX_UNAVAILABLE);
  g_assert_cmpstr (stria_facts_text (b.facts, PAYLOAD (&b, row)->reason), ==, "no driver");
  g_assert_cmpuint (PAYLOAD (&b, row)->n_segments, ==, 1);
  const StriaNxSegmentRow *segment = SEGMENT (&b, PAYLOAD (&b, row)->first_segment);
  g_assert_cmpint (segment->number, ==, 4);
  g_assert_cmpuint (segment->state, ==, STRIA_NX_UNAVAILABLE);
  g_assert_cmpstr (stria_facts_text (b.facts, segment->reason), ==, "no such thing");

  /* Base64 with a wrong digit, and another length than it says. */
  g_autofree char *digit = g_strdup (whole);
  *strstr (digit, "AAAA") = '*';
  row = bench_read (&b, digit);
  g_assert_cmpuint (SEGMENT (&b, PAYLOAD (&b, row)->first_segment)->state, ==, STRIA_NX_MALFORMED);
  g_autofree char *size = g_strdup (whole);
  memcpy (strstr (size, "\"size\": 256"), "\"size\": 255", 11);
  row = bench_read (&b, size);
  g_assert_cmpuint (SEGMENT (&b, PAYLOAD (&b, row)->first_segment)->state, ==, STRIA_NX_MALFORMED);
  bench_clear (&b);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nx/mode-0", test_mode0);
  g_test_add_func ("/nx/mode-1", test_mode1);
  g_test_add_func ("/nx/info", test_info);
  g_test_add_func ("/nx/database", test_database);
  g_test_add_func ("/nx/settings", test_settings);
  g_test_add_func ("/nx/assumptions", test_assumptions);
  g_test_add_func ("/nx/conflict", test_conflict);
  g_test_add_func ("/nx/payloads", test_payloads);
  return g_test_run ();
}
