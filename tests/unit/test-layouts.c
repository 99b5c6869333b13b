/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "app/stria-layouts.h"
#include "app/stria-pane-tree.h"
#include "app/stria-state-writer.h"

static void
assert_same (StriaLayout *a, StriaLayout *b)
{
  g_assert_cmpstrv (a->panes, b->panes);
  g_assert_cmpstr (a->tab, ==, b->tab);
  g_assert_cmpint (a->sidebar, ==, b->sidebar);
  g_assert_cmpint (a->sidebar_width, ==, b->sidebar_width);
  g_assert_cmpint (a->details, ==, b->details);
  g_assert_cmpint (a->details_below, ==, b->details_below);
  g_assert_cmpint (a->details_width, ==, b->details_width);
  g_assert_cmpstr (a->bottom, ==, b->bottom);
  g_assert_cmpint (a->bottom_height, ==, b->bottom_height);
}

static StriaLayout *
make (void)
{
  static const char *const words[]
      = { "beside:620", "tabs", "below:300", "source", "timeline2", NULL };
  StriaLayout *layout = stria_layout_new ();

  stria_layout_set_panes (layout, words);
  layout->tab = g_strdup ("timeline");
  layout->sidebar = FALSE;
  layout->sidebar_width = 211;
  layout->details_below = TRUE;
  layout->details_width = 333;
  layout->bottom = g_strdup ("warnings");
  layout->bottom_height = 287;
  return layout;
}

static void
test_text (void)
{
  g_autoptr (StriaLayout) layout = make ();
  g_autofree char *text = stria_layout_to_text (layout);
  g_autoptr (StriaLayout) read = stria_layout_from_text (text, strlen (text));

  g_assert_nonnull (read);
  assert_same (layout, read);
}

static void
test_default (void)
{
  g_autoptr (StriaLayout) layout = stria_layout_new ();
  g_autofree char *text = stria_layout_to_text (layout);
  g_autoptr (StriaLayout) read = stria_layout_from_text (text, strlen (text));

  assert_same (layout, read);
  g_assert_null (layout->panes[0]);
  g_assert_true (layout->details);
  g_assert_false (layout->details_below);
}

static StriaLayout *
read_text (const char *text)
{
  return stria_layout_from_text (text, strlen (text));
}

/* What breaks a rule counts as not said. */
static void
test_hostile_text (void)
{
  g_autoptr (StriaLayout) nothing = NULL;
  g_autoptr (StriaLayout) odd = NULL;
  g_autoptr (StriaLayout) many = NULL;
  g_autoptr (GString) words = g_string_new ("[layout]\npanes=");
  g_autofree char *huge = g_strnfill (200 * 1024, 'a');

  g_assert_null (read_text (""));
  g_assert_null (read_text ("no key file"));
  g_assert_null (read_text ("[other]\npanes=a;b;\n"));
  g_assert_null (read_text ("[layout\n\xff\xfe"));
  g_assert_null (stria_layout_from_text (huge, 200 * 1024));

  nothing = read_text ("[layout]\n");
  g_assert_nonnull (nothing);
  g_assert_null (nothing->panes[0]);
  g_assert_true (nothing->details);

  odd = read_text ("[layout]\npanes=beside:500;../../etc;tabs;\ntab=a b\nsidebar=perhaps\n"
                   "sidebar-width=-7\ndetails-width=99999999999999\nbottom-height=1e9\n"
                   "bottom=war\\nnings\n");
  g_assert_nonnull (odd);
  g_assert_null (odd->panes[0]);
  g_assert_null (odd->tab);
  g_assert_null (odd->bottom);
  g_assert_true (odd->sidebar);
  g_assert_cmpint (odd->sidebar_width, ==, 0);
  g_assert_cmpint (odd->details_width, >=, 0);
  g_assert_cmpint (odd->details_width, <=, 4000);
  g_assert_cmpint (odd->bottom_height, <=, 4000);

  for (guint i = 0; i < 5000; i++)
    g_string_append (words, "beside:500;");
  g_string_append_c (words, '\n');
  many = read_text (words->str);
  g_assert_nonnull (many);
  g_assert_null (many->panes[0]);
}

static gpointer
make_pane (const char *name, gpointer user_data)
{
  guint *n = user_data;

  return *n < 4 && g_str_equal (name, "tabs") ? GUINT_TO_POINTER (++*n) : NULL;
}

/* Any list of words is some tree, or none, and never too many panes. */
static void
test_random_words (void)
{
  static const char *const some[] = { "beside:500", "below:1", "below:99999", "beside:", "tabs",
                                      "source",     "",        ":",           "-",       "tabs" };

  for (guint round = 0; round < 2000; round++)
    {
      const char *words[24] = { NULL };
      const guint n = (guint) g_test_rand_int_range (0, 23);
      guint panes = 0;
      StriaPaneNode *tree;
      g_autoptr (GPtrArray) list = NULL;

      for (guint i = 0; i < n; i++)
        words[i] = some[g_test_rand_int_range (0, G_N_ELEMENTS (some))];
      tree = stria_pane_tree_load (words, make_pane, &panes);
      list = stria_pane_tree_list (tree);
      g_assert_cmpuint (list->len, ==, panes);
      stria_pane_tree_free (tree);
    }
}

static void
test_built_in (void)
{
  guint n = 0;
  const StriaBuiltInLayout *all = stria_layouts_built_in (&n);

  g_assert_cmpuint (n, >=, 5);
  for (guint i = 0; i < n; i++)
    {
      guint panes = 0;
      StriaPaneNode *tree;
      guint words = 0;

      g_assert_true (stria_layouts_find_built_in (all[i].id) == &all[i]);
      while (all[i].panes[words] != NULL)
        words++;
      if (words == 0)
        continue;
      /* Each has a place for the tabs. */
      tree = stria_pane_tree_load (all[i].panes, make_pane, &panes);
      g_assert_nonnull (tree);
      g_assert_cmpuint (panes, ==, 1);
      stria_pane_tree_free (tree);
    }
  g_assert_null (stria_layouts_find_built_in ("none"));
}

/* Reads the file as a program that begins does */
static void
load (void)
{
  stria_layouts_load ();
  stria_state_flush ();
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
test_named (void)
{
  g_autoptr (StriaLayout) layout = make ();
  g_autoptr (StriaLayout) other = stria_layout_new ();
  g_autoptr (StriaLayout) read = NULL;
  g_autoptr (StriaLayout) renamed = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;
  static const char *const odd = "[läyout] = a/b; #1\\";

  g_assert_true (stria_layouts_set (odd, layout, &error));
  g_assert_no_error (error);
  g_assert_true (stria_layouts_set ("Plain", other, &error));
  read = stria_layouts_get (odd);
  g_assert_nonnull (read);
  assert_same (layout, read);

  g_assert_false (stria_layouts_rename (odd, "Plain", &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_false (stria_layouts_rename ("none", "New", &error));
  g_clear_error (&error);
  g_assert_true (stria_layouts_rename (odd, "New", &error));
  g_assert_no_error (error);
  g_assert_null (stria_layouts_get (odd));
  renamed = stria_layouts_get ("New");
  assert_same (layout, renamed);
  names = stria_layouts_list ();
  g_assert_cmpuint (g_strv_length (names), ==, 2);
  g_assert_cmpstr (names[0], ==, "New");

  /* What was changed is in the file, and so is what is changed before that is read. */
  stria_layouts_load ();
  g_assert_true (stria_layouts_set ("Early", other, &error));
  load ();
  load ();
  g_strfreev (names);
  names = stria_layouts_list ();
  g_assert_cmpuint (g_strv_length (names), ==, 3);
  g_assert_true (stria_layouts_set ("Early", NULL, &error));
  g_assert_true (stria_layouts_set ("New", NULL, &error));
  g_assert_true (stria_layouts_set ("Plain", NULL, &error));
  g_strfreev (names);
  names = stria_layouts_list ();
  g_assert_null (names[0]);
}

static void
test_bad_names (void)
{
  g_autoptr (StriaLayout) layout = make ();
  g_autofree char *long_name = g_strnfill (101, 'x');
  const char *const bad[] = { "", " a", "a ", "a\nb", "\x01", "\xff\xfe", long_name };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (stria_layouts_is_name (bad[i]));
      g_assert_false (stria_layouts_set (bad[i], layout, &error));
      g_assert_nonnull (error);
    }
}

static void
test_hostile_file (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "stria", NULL);
  g_autofree char *aside = NULL;
  g_autofree char *path = g_build_filename (folder, "layouts.ini", NULL);
  static const char text[] = "[layout Good]\npanes=beside:500;tabs;source;\n"
                             "[layout %FF%FE]\npanes=tabs;\n[layout %00x]\npanes=tabs;\n"
                             "[layout ]\n[layout%20none]\n[other]\nx=1\n"
                             "[layout Empty]\npanes=;;;;\n";
  g_autoptr (StriaLayout) good = NULL;
  g_autoptr (StriaLayout) empty = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  stria_state_flush ();
  g_mkdir_with_parents (folder, 0700);
  g_assert_true (g_file_set_contents (path, text, -1, &error));
  load ();
  names = stria_layouts_list ();
  g_assert_cmpuint (g_strv_length (names), ==, 2);
  good = stria_layouts_get ("Good");
  g_assert_cmpuint (g_strv_length (good->panes), ==, 3);
  empty = stria_layouts_get ("Empty");
  g_assert_null (empty->panes[0]);

  /* What is no key file at all is put aside. */
  g_assert_true (g_file_set_contents (path, "\x7f\x45\x4c\x46\0\0\0", 7, &error));
  load ();
  stria_state_flush ();
  aside = g_strconcat (path, ".bad", NULL);
  g_assert_true (g_file_test (aside, G_FILE_TEST_EXISTS));
  g_unlink (aside);
  g_strfreev (names);
  names = stria_layouts_list ();
  g_assert_null (names[0]);
  g_assert_true (stria_layouts_set ("Good", good, &error));
  stria_state_flush ();
  load ();
  g_strfreev (names);
  names = stria_layouts_list ();
  g_assert_cmpuint (g_strv_length (names), ==, 1);
  g_unlink (path);
}

int
main (int argc, char *argv[])
{
  g_autofree char *folder = g_dir_make_tmp ("layouts-XXXXXX", NULL);

  g_test_init (&argc, &argv, NULL);
  /* Not %G_TEST_OPTION_ISOLATE_DIRS: it never frees the folders that it sets. */
  g_setenv ("XDG_CONFIG_HOME", folder, TRUE);
  g_test_add_func ("/layouts/text", test_text);
  g_test_add_func ("/layouts/default", test_default);
  g_test_add_func ("/layouts/hostile-text", test_hostile_text);
  g_test_add_func ("/layouts/random-words", test_random_words);
  g_test_add_func ("/layouts/built-in", test_built_in);
  g_test_add_func ("/layouts/named", test_named);
  g_test_add_func ("/layouts/bad-names", test_bad_names);
  g_test_add_func ("/layouts/hostile-file", test_hostile_file);
  return g_test_run ();
}
