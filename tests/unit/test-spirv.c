/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-error.h"
#include "stria-spirv.h"
#include "stria-tosa.h"
#include "vgf-maker.h"

static void
open_words (StriaSpirv *spirv, GArray *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (stria_spirv_init (spirv, (const guint8 *) words->data, words->len, &error));
  g_assert_no_error (error);
}

static void
assert_value (const StriaSpirv *spirv, guint32 id, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean            known = stria_spirv_value (spirv, id, text);

  g_assert_cmpstr (text->str, ==, expected);
  g_assert_cmpint (known, ==, strchr (expected, '?') == NULL);
}

static void
assert_type (const StriaSpirv *spirv, guint32 type, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  stria_spirv_type (spirv, type, text);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_header (void)
{
  g_autoptr (GArray) words = spirv_maker_new (10);
  StriaSpirv         spirv;

  for (guint n = 0; n < 5; n++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree guint8 *cut = g_memdup2 (words->data, n * 4);

      g_assert_false (stria_spirv_init (&spirv, cut, n, &error));
      g_assert_error (error, STRIA_ERROR, STRIA_ERROR_TRUNCATED);
    }
  open_words (&spirv, words);
  g_assert_cmpuint (spirv.version, ==, 0x10500);
  g_assert_cmpuint (spirv.bound, ==, 10);
  g_assert_null (spirv.stopped);
  StriaSpirvInst inst;
  g_assert_false (stria_spirv_read (&spirv, STRIA_SPIRV_HEADER, &inst));
  g_assert_false (stria_spirv_find (&spirv, 0, &inst));
  g_assert_false (stria_spirv_find (&spirv, G_MAXUINT32, &inst));
  stria_spirv_clear (&spirv);

  g_autoptr (GError) error = NULL;
  g_array_index (words, guint32, 0) = 0x03022307;
  g_assert_false (stria_spirv_init (&spirv, (const guint8 *) words->data, words->len, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_BAD_MAGIC);
  g_assert_nonnull (strstr (error->message, "0x03022307"));
}

/* A count of 0 or beyond the end ends the walk; what was there before can be read. */
static void
test_stop (void)
{
  static const guint32 bad[] = { 21, 0 << 16, 21u | 5u << 16, 0xffffffffu };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GArray) words = spirv_maker_new (10);
      StriaSpirvInst     inst;
      StriaSpirv         spirv;

      spirv_maker_op (words, 21, 1, 32, 0, -1);
      g_array_append_val (words, bad[i]);
      spirv_maker_op (words, 20, 2, -1);
      open_words (&spirv, words);
      g_assert_nonnull (spirv.stopped);
      g_assert_cmpuint (spirv.stopped_at, ==, 9);
      g_assert_true (stria_spirv_find (&spirv, 1, &inst));
      g_assert_false (stria_spirv_find (&spirv, 2, &inst));
      g_assert_false (stria_spirv_read (&spirv, 9, &inst));
      stria_spirv_clear (&spirv);
    }
}

static void
test_ids (void)
{
  g_autoptr (GArray) words = spirv_maker_new (5);
  StriaSpirvInst     inst;
  StriaSpirv         spirv;

  spirv_maker_op (words, 21, 4, 32, 0, -1);
  spirv_maker_op (words, 21, 5, 32, 0, -1); /* not below the bound */
  spirv_maker_op (words, 21, 0, 32, 0, -1);
  spirv_maker_op (words, 20, 4, -1); /* again */
  spirv_maker_op (words, 21, -1); /* without an id */
  open_words (&spirv, words);
  g_assert_cmpuint (spirv.n_bad_ids, ==, 4);
  g_assert_true (stria_spirv_find (&spirv, 4, &inst));
  g_assert_cmpuint (inst.op, ==, STRIA_SPIRV_TYPE_INT);
  g_assert_cmpuint (stria_spirv_operand (&spirv, &inst, 1), ==, 32);
  g_assert_cmpuint (stria_spirv_operand (&spirv, &inst, 3), ==, 0);
  g_assert_false (stria_spirv_find (&spirv, 5, &inst));
  g_assert_cmpuint (stria_spirv_type_of (&spirv, 4), ==, 0);
  stria_spirv_clear (&spirv);
}

/* Few words must not make a table of 4 G ids. */
static void
test_bound (void)
{
  g_autoptr (GArray) words = spirv_maker_new (G_MAXUINT32);
  StriaSpirvInst     inst;
  StriaSpirv         spirv;

  spirv_maker_op (words, 21, 0xfffffff0, 32, 0, -1);
  spirv_maker_op (words, 21, 3, 32, 0, -1);
  open_words (&spirv, words);
  g_assert_cmpuint (spirv.n_ids, ==, 4);
  g_assert_cmpuint (spirv.n_bad_ids, ==, 1);
  g_assert_true (stria_spirv_find (&spirv, 3, &inst));
  stria_spirv_clear (&spirv);
}

static void
test_text (void)
{
  static const guint32 name = 7, entry = 8;
  g_autoptr (GArray)   words = spirv_maker_new (20);
  StriaSpirvInst       inst;
  StriaSpirv           spirv;
  guint                next;

  spirv_maker_text (words, 7, &name, 1, "four", -1);
  spirv_maker_op (words, 7, 9, 0x64636261, 0x64636261, -1); /* without an end */
  spirv_maker_text (words, 4182, &entry, 1, "main_graph", 11, 12, -1);
  open_words (&spirv, words);
  g_assert_cmpstr (stria_spirv_string (&spirv, 7), ==, "four");
  g_assert_null (stria_spirv_string (&spirv, 9));
  g_assert_null (stria_spirv_string (&spirv, 8));
  g_assert_true (stria_spirv_read (&spirv, STRIA_SPIRV_HEADER + 8, &inst));
  g_assert_cmpuint (inst.op, ==, STRIA_SPIRV_GRAPH_ENTRY_POINT_ARM);
  g_assert_cmpstr (stria_spirv_text (&spirv, &inst, 1, &next), ==, "main_graph");
  g_assert_cmpuint (stria_spirv_operand (&spirv, &inst, next), ==, 11);
  g_assert_cmpuint (stria_spirv_operand (&spirv, &inst, next + 1), ==, 12);
  g_assert_null (stria_spirv_text (&spirv, &inst, 50, &next));
  stria_spirv_clear (&spirv);
}

static void
test_numbers (void)
{
  static const struct
  {
    guint       op, width, extra; /* of the type; extra: sign or encoding, G_MAXUINT for none */
    guint32     low, high;
    const char *text;
  } cases[] = {
    { 21, 32, 0, 5, 0, "5" },
    { 21, 8, 0, 0xf4, 0, "-12" },
    { 21, 8, 0, 0xfffffff4, 0, "-12" },
    { 21, 8, 1, 0x18, 0, "24" },
    { 21, 16, 0, 0x8000, 0, "-32768" },
    { 21, 48, 0, 0, 1, "4294967296" },
    { 21, 64, 1, 0, 0x80000000, "-9223372036854775808" },
    { 21, 0, 0, 5, 0, "?" },
    { 21, 65, 0, 5, 0, "?" },
    { 22, 32, G_MAXUINT, 0x3f000000, 0, "0.5" },
    { 22, 32, G_MAXUINT, 0x3dcccccd, 0, "0.1" },
    { 22, 32, G_MAXUINT, 0x7f800000, 0, "inf" },
    { 22, 64, G_MAXUINT, 0x54442d18, 0x400921fb, "3.141592653589793" },
    { 22, 16, G_MAXUINT, 0xc000, 0, "-2" },
    { 22, 16, G_MAXUINT, 0x0001, 0, "5.9604645e-08" },
    { 22, 16, G_MAXUINT, 0xfc00, 0, "-inf" },
    { 22, 16, 0, 0x3fc0, 0, "1.5" },
    { 22, 8, 4214, 0x7e, 0, "448" },
    { 22, 8, 4214, 0x7f, 0, "nan" },
    { 22, 8, 4215, 0x7b, 0, "57344" },
    { 22, 16, 99, 0, 0, "?" },
    { 22, 8, G_MAXUINT, 0, 0, "?" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GArray) words = spirv_maker_new (10);
      StriaSpirv         spirv;

      spirv_maker_op (words, cases[i].op, 1, cases[i].width, cases[i].extra, -1);
      spirv_maker_op (words, 43, 1, 2, cases[i].low, -1);
      /* A number of -1 ends a list: the high word goes in by hand. */
      g_array_append_val (words, cases[i].high);
      g_array_index (words, guint32, words->len - 5) += 1u << 16;
      open_words (&spirv, words);
      assert_value (&spirv, 2, cases[i].text);
      stria_spirv_clear (&spirv);
    }
}

static void
test_constants (void)
{
  g_autoptr (GArray) words = spirv_maker_prelude ("g", 0, 1);
  StriaSpirv         spirv;
  gint64             number;

  spirv_maker_op (words, 48, ID_BOOL, 60, -1);
  spirv_maker_op (words, 49, ID_BOOL, 61, -1);
  spirv_maker_op (words, 50, ID_INT32, 62, 41, -1);
  spirv_maker_op (words, 51, ID_PAIR, 63, 62, ID_3, -1);
  spirv_maker_op (words, 52, ID_INT32, 64, 128, ID_1, ID_1, -1);
  spirv_maker_op (words, 4462, ID_PAIR, 65, 62, -1);
  spirv_maker_op (words, 23, 66, ID_INT32, 3, -1);
  spirv_maker_op (words, 46, 66, 67, -1);
  spirv_maker_op (words, 28, 68, ID_PAIR, ID_2, -1);
  spirv_maker_op (words, 4461, 68, 69, ID_TWO_ONES, -1);
  spirv_maker_op (words, 28, 70, ID_INT32, ID_1, -1);
  spirv_maker_op (words, 44, 70, 71, ID_3, -1);
  spirv_maker_op (words, 4163, 72, ID_INT8, ID_1, 71, -1);
  spirv_maker_op (words, 46, 72, 73, -1);
  spirv_maker_op (words, 44, ID_PAIR, 74, ID_1, 900, -1);
  spirv_maker_op (words, 46, ID_INT32, 75, -1);
  spirv_maker_op (words, 46, ID_BOOL, 76, -1);
  open_words (&spirv, words);
  assert_value (&spirv, ID_TRUE, "true");
  assert_value (&spirv, ID_FALSE, "false");
  assert_value (&spirv, ID_8, "8");
  assert_value (&spirv, ID_SHAPE, "[1, 8, 8, 4]");
  assert_value (&spirv, ID_TWO_ONES, "[1, 1]");
  assert_value (&spirv, ID_FOUR_ZEROS, "[0, 0, 0, 0]");
  assert_value (&spirv, 60, "true");
  assert_value (&spirv, 61, "false");
  assert_value (&spirv, 62, "41");
  assert_value (&spirv, 63, "[41, 3]");
  assert_value (&spirv, 64, "?");
  assert_value (&spirv, 65, "[41, 41]");
  assert_value (&spirv, 67, "[0, 0, 0]");
  assert_value (&spirv, 69, "[[1, 1], [1, 1]]");
  assert_value (&spirv, 73, "[0, 0, 0]");
  assert_value (&spirv, 74, "[1, ?]");
  assert_value (&spirv, 76, "false");
  assert_value (&spirv, ID_INT32, "?");
  assert_value (&spirv, ID_WEIGHT, "?");
  g_assert_true (stria_spirv_integer (&spirv, ID_8, &number) && number == 8);
  g_assert_true (stria_spirv_integer (&spirv, 75, &number) && number == 0);
  g_assert_true (stria_spirv_integer (&spirv, 62, &number) && number == 41);
  g_assert_false (stria_spirv_integer (&spirv, ID_TRUE, &number));
  g_assert_false (stria_spirv_integer (&spirv, 64, &number));
  g_assert_true (stria_spirv_is_constant (&spirv, 65));
  g_assert_false (stria_spirv_is_constant (&spirv, ID_WEIGHT));
  g_assert_false (stria_spirv_is_constant (&spirv, ID_TENSOR8));
  g_assert_cmpuint (stria_spirv_type_of (&spirv, ID_WEIGHT), ==, ID_TENSOR8);
  stria_spirv_clear (&spirv);
}

/* Constants that hold themselves, or would be texts of any length. */
static void
test_hostile_constants (void)
{
  g_autoptr (GArray)  words = spirv_maker_prelude ("g", 0, 1);
  g_autoptr (GString) text = g_string_new (NULL);
  StriaSpirv          spirv;

  spirv_maker_op (words, 44, ID_PAIR, 60, 60, 60, -1);
  spirv_maker_op (words, 43, ID_INT32, 61, 0x7fffffff, -1);
  spirv_maker_op (words, 28, 62, ID_INT32, 61, -1);
  spirv_maker_op (words, 46, 62, 63, -1);
  spirv_maker_op (words, 28, 64, 64, 61, -1); /* an array of itself */
  spirv_maker_op (words, 46, 64, 65, -1);
  spirv_maker_op (words, 44, ID_PAIR, 66, -1);
  spirv_maker_op (words, 28, 67, 67, 67, -1); /* as long as itself */
  spirv_maker_op (words, 46, 67, 68, -1);
  spirv_maker_op (words, 43, ID_INT32, 69, 0x80000000, -1);
  spirv_maker_op (words, 28, 70, ID_INT32, 69, -1); /* of less than nothing */
  spirv_maker_op (words, 46, 70, 71, -1);
  open_words (&spirv, words);
  for (guint32 id = 60; id < 72; id++)
    {
      stria_spirv_value (&spirv, id, text);
      stria_spirv_type (&spirv, id, text);
      g_assert_cmpuint (text->len, <, 12000);
      g_string_truncate (text, 0);
    }
  stria_spirv_value (&spirv, 63, text);
  g_assert_true (g_str_has_suffix (text->str, "0, 0, …]"));
  assert_value (&spirv, 66, "[]");
  assert_value (&spirv, 71, "[?]");
  stria_spirv_clear (&spirv);
}

static void
test_types (void)
{
  g_autoptr (GArray) words = spirv_maker_prelude ("g", 0, 1);
  StriaSpirv         spirv;

  spirv_maker_op (words, 22, 60, 16, -1);
  spirv_maker_op (words, 22, 61, 16, 0, -1);
  spirv_maker_op (words, 22, 62, 8, 4214, -1);
  spirv_maker_op (words, 22, 63, 8, 4215, -1);
  spirv_maker_op (words, 4163, 64, 60, ID_3, -1);        /* rank alone */
  spirv_maker_op (words, 4163, 65, ID_BOOL, -1);         /* not even that */
  spirv_maker_op (words, 4163, 66, 900, ID_4, ID_SHAPE, -1);
  spirv_maker_op (words, 4461, ID_RANK4, 67, ID_8, -1);
  spirv_maker_op (words, 4163, 68, ID_INT32, ID_4, 67, -1);
  spirv_maker_op (words, 23, 69, 60, 4, -1);
  spirv_maker_op (words, 28, 70, ID_PAIR, ID_3, -1);
  open_words (&spirv, words);
  assert_type (&spirv, ID_INT32, "int32");
  assert_type (&spirv, ID_BOOL, "bool");
  assert_type (&spirv, ID_TENSOR8, "1×8×8×4 int8");
  assert_type (&spirv, ID_TENSOR32, "1×8×8×4 int32");
  assert_type (&spirv, 60, "float16");
  assert_type (&spirv, 61, "bfloat16");
  assert_type (&spirv, 62, "float8e4m3");
  assert_type (&spirv, 63, "float8e5m2");
  assert_type (&spirv, 64, "?×?×? float16");
  assert_type (&spirv, 65, "?… bool");
  assert_type (&spirv, 66, "1×8×8×4 ?");
  assert_type (&spirv, 68, "8×8×8×8 int32");
  assert_type (&spirv, ID_PAIR, "2 int32");
  assert_type (&spirv, 69, "4 float16");
  assert_type (&spirv, 70, "3 ?");
  assert_type (&spirv, ID_GRAPH_TYPE, "?");
  assert_type (&spirv, 900, "?");
  stria_spirv_clear (&spirv);
}

static void
test_tosa (void)
{
  char     buffer[16];
  gboolean is_attribute;
  guint    n = 0;

  for (; stria_tosa_operator (n) != NULL; n++)
    {
      const StriaTosaOperator *op = stria_tosa_operator (n);
      g_autoptr (GString)      label = g_string_new (NULL);

      /* The label is the name without "_" in other letters. */
      for (const char *c = op->name; *c != '\0'; c++)
        if (*c != '_')
          g_string_append_c (label, *c);
      g_assert_cmpint (g_ascii_strcasecmp (label->str, op->label), ==, 0);
      g_assert_nonnull (op->operands[0]);
      g_assert_null (op->operands[STRIA_TOSA_MAX_OPERANDS]);
    }
  g_assert_cmpuint (n, ==, 66);
  g_assert_cmpstr (stria_tosa_operator (4)->label, ==, "DepthwiseConv2D");
  g_assert_cmpstr (stria_tosa_operator (65)->name, ==, "RESCALE");
  g_assert_cmpstr (stria_tosa_operator (54)->name, ==, "CONCAT");
  g_assert_cmpstr (stria_tosa_operand (stria_tosa_operator (2), 4, &is_attribute, buffer), ==,
                   "local_bound");
  g_assert_true (is_attribute);
  g_assert_cmpstr (stria_tosa_operand (stria_tosa_operator (2), 9, &is_attribute, buffer), ==,
                   "weight_zp");
  g_assert_false (is_attribute);
  g_assert_cmpstr (stria_tosa_operand (stria_tosa_operator (54), 1, &is_attribute, buffer), ==,
                   "input1");
  g_assert_cmpstr (stria_tosa_operand (stria_tosa_operator (54), 3, &is_attribute, buffer), ==,
                   "input3");
  g_assert_cmpstr (stria_tosa_operand (NULL, 3, &is_attribute, buffer), ==, "3");
  g_assert_cmpstr (stria_tosa_enum_name ("acc_type", 1), ==, "INT32");
  g_assert_cmpstr (stria_tosa_enum_name ("acc_type", 4), ==, "INT48");
  g_assert_cmpstr (stria_tosa_enum_name ("rounding_mode", 3), ==, "DOUBLE_ROUND");
  g_assert_null (stria_tosa_enum_name ("rounding_mode", 4));
  g_assert_null (stria_tosa_enum_name ("nan_mode", 0));
  g_assert_null (stria_tosa_enum_name ("nan_mode", 5));
  g_assert_null (stria_tosa_enum_name ("axis", 1));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spirv/header", test_header);
  g_test_add_func ("/spirv/stop", test_stop);
  g_test_add_func ("/spirv/ids", test_ids);
  g_test_add_func ("/spirv/bound", test_bound);
  g_test_add_func ("/spirv/text", test_text);
  g_test_add_func ("/spirv/numbers", test_numbers);
  g_test_add_func ("/spirv/constants", test_constants);
  g_test_add_func ("/spirv/hostile-constants", test_hostile_constants);
  g_test_add_func ("/spirv/types", test_types);
  g_test_add_func ("/spirv/tosa", test_tosa);
  return g_test_run ();
}
