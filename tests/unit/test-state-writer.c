/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "app/stria-state-writer.h"

#include <glib/gstdio.h>
#include <string.h>

/* What a person did, kept in files: in order, and whole whenever the program ends. */

#define SIZE 200000
#define ROUNDS 12

static const char *program;

static void
test_order (void)
{
  g_autofree char *folder = g_dir_make_tmp ("stria-state-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "new", "a.ini", NULL);
  g_autofree char *text = NULL;

  for (guint i = 0; i < 20; i++)
    stria_state_write (path, g_strdup_printf ("%u", i));
  stria_state_flush ();
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "19");
}

static void
test_aside (void)
{
  g_autofree char *folder = g_dir_make_tmp ("stria-state-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.ini", NULL);
  g_autofree char *aside = g_strconcat (path, ".bad", NULL);
  g_autofree char *text = NULL;

  g_assert_true (g_file_set_contents (path, "broken", -1, NULL));
  stria_state_put_aside (path, "why");
  stria_state_write (path, g_strdup ("new"));
  stria_state_flush ();
  g_assert_true (g_file_get_contents (aside, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "broken");
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* Of two texts of the same length one or the other, never some of both */
static void
assert_whole (const char *path)
{
  g_autofree char *text = NULL;
  gsize length = 0;

  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  g_assert_cmpuint (length, ==, SIZE);
  g_assert_true (text[0] == 'a' || text[0] == 'b');
  for (gsize i = 1; i < length; i++)
    if (text[i] != text[0])
      g_error ("byte %" G_GSIZE_FORMAT " is of another text", i);
}

static void
test_killed (void)
{
  g_autofree char *folder = g_dir_make_tmp ("stria-state-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.ini", NULL);

  for (guint i = 0; i < ROUNDS; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GSubprocess) writer = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, program,
                                                         "--write", path, NULL);

      g_assert_no_error (error);
      while (!g_file_test (path, G_FILE_TEST_EXISTS))
        g_usleep (200);
      /* Somewhere in the middle of one of the writings */
      g_usleep ((gulong) g_test_rand_int_range (1000, 40000));
      g_subprocess_force_exit (writer);
      g_assert_true (g_subprocess_wait (writer, NULL, &error));
      assert_whole (path);
    }
}

static int
write_for_ever (const char *path)
{
  for (guint i = 0;; i++)
    {
      stria_state_write (path, g_strnfill (SIZE, i % 2 == 0 ? 'a' : 'b'));
      stria_state_flush ();
    }
  return 0;
}

int
main (int argc, char **argv)
{
  if (argc == 3 && g_str_equal (argv[1], "--write"))
    return write_for_ever (argv[2]);
  program = argv[0];
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/state-writer/order", test_order);
  g_test_add_func ("/state-writer/aside", test_aside);
  g_test_add_func ("/state-writer/killed", test_killed);
  return g_test_run ();
}
