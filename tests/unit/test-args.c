/* SPDX-License-Identifier: Apache-2.0 */
/* Argument texts: each comes back as it went in, found by reference, in file order, by search, and
 * from chunks that were stored and loaded again. */
#include "config.h"

#include <string.h>

#include "stria-args.h"
#include "trace-maker.h"

typedef struct
{
  GPtrArray *texts; /* GBytes */
  GArray    *refs;  /* guint64 */
  guint      next;
  guint      stop_at;
  GArray    *found; /* guint32 */
} Texts;

static GBytes *
make_text (guint i)
{
  gsize length = maker_random (i % 100 == 0 ? 100000 : 300);
  char *text = g_malloc (length + 1);

  for (gsize k = 0; k < length; k++)
    text[k] = i % 7 == 0 ? (char) maker_random (256) : (char) ('a' + (k * i) % 20);
  if (length > 20 && i % 11 == 0)
    memcpy (text + length / 2, "NeEdLe", 6);
  return g_bytes_new_take (text, length);
}

static void
texts_init (Texts *texts, StriaArgs *args, guint n)
{
  texts->texts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  texts->refs = g_array_new (FALSE, FALSE, sizeof (guint64));
  texts->found = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < n; i++)
    {
      GBytes *text = make_text (i);
      guint64 ref = stria_args_append (args, i * 3, g_bytes_get_data (text, NULL),
                                       g_bytes_get_size (text));

      g_ptr_array_add (texts->texts, text);
      g_array_append_val (texts->refs, ref);
    }
}

static void
texts_clear (Texts *texts)
{
  g_ptr_array_unref (texts->texts);
  g_array_unref (texts->refs);
  g_array_unref (texts->found);
}

static gboolean
each (guint32 seq, const char *text, gsize length, gpointer data)
{
  Texts *texts = data;
  GBytes *expected = texts->texts->pdata[texts->next];

  g_assert_cmpuint (seq, ==, texts->next * 3);
  g_assert_cmpmem (text, length, g_bytes_get_data (expected, NULL), g_bytes_get_size (expected));
  texts->next++;
  return texts->next != texts->stop_at;
}

static gboolean
collect (guint32 seq, const char *text, gsize length, gpointer data)
{
  Texts *texts = data;

  g_array_append_val (texts->found, seq);
  return TRUE;
}

static gboolean
naive_contains (GBytes *bytes, const char *needle)
{
  gsize length, n = strlen (needle);
  const char *text = g_bytes_get_data (bytes, &length);

  for (gsize i = 0; i + n <= length; i++)
    if (g_ascii_strncasecmp (text + i, needle, n) == 0 && memchr (text + i, 0, n) == NULL)
      return TRUE;
  return FALSE;
}

static void
check (Texts *texts, StriaArgs *args)
{
  static const char *const needles[] = { "needle", "NEEDLE", "abc", "zzzz", "q" };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 400; i++)
    {
      guint k = maker_random (texts->refs->len);
      g_autoptr (GBytes) got = stria_args_get (args, g_array_index (texts->refs, guint64, k), &error);

      g_assert_no_error (error);
      g_assert_true (g_bytes_equal (got, texts->texts->pdata[k]));
      g_assert_cmpint (((const char *) g_bytes_get_data (got, NULL))[g_bytes_get_size (got)], ==, 0);
    }
  texts->next = 0;
  texts->stop_at = 0;
  g_assert_true (stria_args_foreach (args, each, texts, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (texts->next, ==, texts->texts->len);
  texts->next = 0;
  texts->stop_at = 10;
  stria_args_foreach (args, each, texts, NULL, NULL);
  g_assert_cmpuint (texts->next, ==, 10);
  for (guint i = 0; i < G_N_ELEMENTS (needles); i++)
    {
      guint k = 0;

      g_array_set_size (texts->found, 0);
      g_assert_true (stria_args_search (args, needles[i], collect, texts, NULL, &error));
      g_assert_no_error (error);
      for (guint t = 0; t < texts->texts->len; t++)
        if (naive_contains (texts->texts->pdata[t], needles[i]))
          {
            g_assert_cmpuint (k, <, texts->found->len);
            g_assert_cmpuint (g_array_index (texts->found, guint32, k), ==, t * 3);
            k++;
          }
      g_assert_cmpuint (k, ==, texts->found->len);
    }
}

static GBytes *
load_chunk (gpointer data, guint32 chunk, GError **error)
{
  GPtrArray *chunks = data;

  return g_bytes_ref (chunks->pdata[chunk]);
}

static void
test_round_trip (void)
{
  g_autoptr (StriaArgs) args = stria_args_new ();
  g_autoptr (GPtrArray) chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  Texts texts = { 0 };
  g_autoptr (GError) error = NULL;

  texts_init (&texts, args, 8000);
  stria_args_finish (args);
  g_assert_cmpuint (stria_args_n_chunks (args), >, 3);
  check (&texts, args);
  for (guint32 i = 0; i < stria_args_n_chunks (args); i++)
    {
      GBytes *chunk = stria_args_get_chunk (args, i, &error);

      g_assert_no_error (error);
      g_ptr_array_add (chunks, chunk);
    }
  g_autoptr (StriaArgs) loaded = stria_args_new_loaded (chunks->len, load_chunk, chunks, NULL);
  check (&texts, loaded);
  texts_clear (&texts);
}

/* What a damaged store may hold must give an error, whatever it is. */
static void
test_damaged (void)
{
  g_autoptr (StriaArgs) args = stria_args_new ();
  g_autoptr (GPtrArray) chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  Texts texts = { 0 };
  guint errors = 0;

  texts_init (&texts, args, 3000);
  stria_args_finish (args);
  for (guint32 i = 0; i < stria_args_n_chunks (args); i++)
    {
      g_autoptr (GBytes) chunk = stria_args_get_chunk (args, i, NULL);
      gsize size;
      g_autofree guint8 *bytes = g_memdup2 (g_bytes_get_data (chunk, &size), g_bytes_get_size (chunk));

      size = g_bytes_get_size (chunk);
      for (guint k = 0; k < 40; k++)
        bytes[maker_random (size)] ^= 1 + maker_random (255);
      g_ptr_array_add (chunks, g_bytes_new (bytes, i % 2 ? size : size / 2));
    }
  g_autoptr (StriaArgs) loaded = stria_args_new_loaded (chunks->len, load_chunk, chunks, NULL);
  for (guint i = 0; i < 400; i++)
    {
      g_autoptr (GError) error = NULL;
      guint64 ref = g_array_index (texts.refs, guint64, maker_random (texts.refs->len));
      g_autoptr (GBytes) got = stria_args_get (loaded, i % 4 == 0 ? ref + maker_random (1000) : ref, &error);

      g_assert_true ((got == NULL) == (error != NULL));
      errors += error != NULL;
    }
  g_assert_cmpuint (errors, >, 100);
  {
    g_autoptr (GError) error = NULL;
    g_autoptr (GBytes) got = stria_args_get (loaded, (guint64) (chunks->len + 5) << 25, &error);

    g_assert_null (got);
    g_assert_nonnull (error);
  }
  texts_clear (&texts);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/args/round-trip", test_round_trip);
  g_test_add_func ("/args/damaged", test_damaged);
  return g_test_run ();
}
