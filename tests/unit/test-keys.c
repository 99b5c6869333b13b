/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "app/stria-keys.h"
#include "stria-graph-area.h"
#include "stria-key-bindings.h"
#include "stria-timeline.h"

/* The table of keys, what a person changes of it, and what of that reaches widgets. */

static void
test_titles (void)
{
  guint n, n_actions = 0;
  const StriaKeyRow *rows = stria_key_rows (&n);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *title = stria_key_title (&rows[i]);
      g_autofree char *own = NULL;
      g_autoptr (GVariant) target = NULL;

      g_assert_cmpstr (title, !=, "");
      if (rows[i].kind == STRIA_KEY_ALSO)
        g_assert_nonnull (stria_key_row (rows[i].name));
      if (rows[i].kind != STRIA_KEY_ACTION)
        continue;
      n_actions++;
      g_assert_true (g_hash_table_add (seen, (gpointer) rows[i].name));
      g_assert_true (g_action_parse_detailed_name (rows[i].name, &own, &target, NULL));
      g_assert_null (strchr (title, '('));
    }
  g_assert_cmpuint (n_actions, >, 90);
}

/* Each key means something, and one thing where it holds. */
static void
test_defaults (void)
{
  guint n;
  const StriaKeyRow *rows = stria_key_rows (&n);
  g_autoptr (StriaKeys) keys = stria_keys_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      g_auto (GStrv) words = NULL;
      g_auto (GStrv) own = NULL;

      if (rows[i].kind != STRIA_KEY_ACTION)
        continue;
      words = g_strsplit (rows[i].keys, " ", -1);
      own = stria_keys_get (keys, rows[i].name);
      g_assert_cmpuint (g_strv_length (own), ==, g_strv_length (words));
      for (guint j = 0; own[j] != NULL; j++)
        {
          const StriaKeyRow *user = stria_keys_find_user (keys, rows[i].name, own[j]);

          if (user != NULL)
            g_error ("%s and “%s” both have %s", rows[i].name, user->title, own[j]);
        }
    }
}

/* Widgets have the keys of the table. What they have besides, such as those of the number pad, is
 * no key of something else. */
static void
test_widgets (void)
{
  const GType types[] = { STRIA_TYPE_TIMELINE, STRIA_TYPE_GRAPH_AREA };
  static const char *const prefixes[] = { "timeline.", "system.", "graph." };
  guint n, n_checked = 0;
  const StriaKeyRow *rows = stria_key_rows (&n);
  g_autoptr (StriaKeys) keys = stria_keys_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    g_type_class_unref (g_type_class_ref (types[i]));
  for (guint i = 0; i < n; i++)
    {
      g_auto (GStrv) bound = NULL;
      g_auto (GStrv) own = NULL;
      gboolean is_of_widget = FALSE;

      for (guint j = 0; rows[i].kind == STRIA_KEY_ACTION && j < G_N_ELEMENTS (prefixes); j++)
        is_of_widget |= g_str_has_prefix (rows[i].name, prefixes[j]);
      if (!is_of_widget)
        continue;
      bound = stria_key_bindings_get_defaults (rows[i].name);
      own = stria_keys_get (keys, rows[i].name);
      for (guint j = 0; own[j] != NULL; j++, n_checked++)
        if (!g_strv_contains ((const char *const *) bound, own[j]))
          g_error ("%s is not bound to %s", rows[i].name, own[j]);
      for (guint j = 0; bound[j] != NULL; j++)
        {
          const StriaKeyRow *user = stria_keys_find_user (keys, rows[i].name, bound[j]);

          if (user != NULL)
            g_error ("%s has %s of “%s”", rows[i].name, bound[j], user->title);
        }
    }
  g_assert_cmpuint (n_checked, >, 60);
}

static void
assert_keys (StriaKeys *keys, const char *action, const char *expected)
{
  g_auto (GStrv) own = stria_keys_get (keys, action);
  g_autofree char *text = g_strjoinv (" ", own);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_changes (void)
{
  g_autoptr (StriaKeys) keys = stria_keys_new (NULL);
  g_autoptr (StriaKeys) again = NULL;
  g_autoptr (GVariant) value = NULL;
  const char *const none[] = { NULL };
  const char *const same[] = { "<Primary>d", NULL };

  stria_keys_give (keys, "win.compare", "<Control>k", FALSE);
  assert_keys (keys, "win.compare", "<Control>d <Control>k");
  stria_keys_give (keys, "win.export", "<Alt>e", TRUE);
  stria_keys_set (keys, "app.quit", none);
  value = g_variant_ref_sink (stria_keys_to_variant (keys));
  g_assert_cmpuint (g_variant_n_children (value), ==, 3);
  again = stria_keys_new (value);
  assert_keys (again, "win.compare", "<Control>d <Control>k");
  assert_keys (again, "win.export", "<Alt>e");
  assert_keys (again, "app.quit", "");
  assert_keys (again, "win.open-files", "<Control>o");

  /* What is as it was is no change. */
  stria_keys_set (again, "win.compare", same);
  g_assert_false (stria_keys_is_changed (again, "win.compare"));
  stria_keys_reset (again, "app.quit");
  assert_keys (again, "app.quit", "<Control>q");
}

static void
test_conflicts (void)
{
  g_autoptr (StriaKeys) keys = stria_keys_new (NULL);
  const StriaKeyRow *user = stria_keys_find_user (keys, "win.export", "<Control>d");

  g_assert_cmpstr (user->name, ==, "win.compare");
  stria_keys_give (keys, "win.export", "<Control>d", TRUE);
  assert_keys (keys, "win.export", "<Control>d");
  assert_keys (keys, "win.compare", "");

  /* Back again: it takes what it had. */
  stria_keys_reset (keys, "win.compare");
  assert_keys (keys, "win.compare", "<Control>d");
  assert_keys (keys, "win.export", "");

  /* One key is used in two views: it does not matter there, and to the whole window it does. */
  g_assert_null (stria_keys_find_user (keys, "graph.isolate", "b"));
  g_assert_null (stria_keys_find_user (keys, "timeline.hide", "i"));
  user = stria_keys_find_user (keys, "win.open-files", "k");
  g_assert_cmpstr (user->name, ==, "timeline.next-mark");
  stria_keys_give (keys, "win.open-files", "<Shift>h", FALSE);
  assert_keys (keys, "timeline.show-all", "");
  assert_keys (keys, "graph.show-all", "");

  user = stria_keys_find_user (keys, "timeline.hide", "Page_Up");
  g_assert_cmpint (user->kind, ==, STRIA_KEY_FIXED);
}

/* Settings that somebody, or another version, wrote */
static void
test_hostile (void)
{
  static const char *const texts[]
      = { "{'win.compare': ['nonsense', '<Control>']}", "{'no.such': ['<Control>d']}",
          "{'': ['a']}", "{'win.export': ['Escape', 'Tab', 'Shift_L', '<Super>x']}",
          "{'win.show-view': ['<Alt>1']}", "@a{sas} {}" };
  g_autoptr (GVariant) other = g_variant_ref_sink (g_variant_new_string ("win.compare"));
  g_autoptr (StriaKeys) keys = stria_keys_new (other);
  g_autoptr (GVariant) partly = g_variant_parse (
      NULL, "{'win.compare': ['x y', '<ctrl>K', '<Primary>k', '<Control>k']}", NULL, NULL, NULL);
  g_autoptr (StriaKeys) some = NULL;

  assert_keys (keys, "win.compare", "<Control>d");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GVariant) value
          = g_variant_parse (G_VARIANT_TYPE ("a{sas}"), texts[i], NULL, NULL, &error);
      g_autoptr (StriaKeys) read = NULL;
      g_autoptr (GVariant) kept = NULL;

      g_assert_no_error (error);
      read = stria_keys_new (value);
      kept = g_variant_ref_sink (stria_keys_to_variant (read));
      g_assert_cmpuint (g_variant_n_children (kept), ==, 0);
    }
  some = stria_keys_new (partly);
  assert_keys (some, "win.compare", "<Control>k");
}

static void
test_texts (void)
{
  const char *const keys[] = { "<Control>k", "F4", NULL };
  const char *const none[] = { NULL };
  g_autofree char *before = stria_key_text ("Find it (Ctrl+F). More (less)", "test.find");
  g_autofree char *after = NULL;
  g_autofree char *without = NULL;
  g_autofree char *wide = NULL;
  g_autofree char *bare = NULL;
  g_autofree char *stripped = stria_key_strip ("元に戻す（タイムラインで Ctrl+Z）");

  g_assert_cmpstr (before, ==, "Find it (Ctrl+F). More (less)");
  stria_key_bindings_set ("test.find", keys);
  after = stria_key_text ("Find it (Ctrl+F). More (less)", "test.find");
  g_assert_cmpstr (after, ==, "Find it (Ctrl+K, F4). More (less)");
  bare = stria_key_text ("Find it", "test.find");
  g_assert_cmpstr (bare, ==, "Find it (Ctrl+K, F4)");
  wide = stria_key_text ("探す（Ctrl+F）", "test.find");
  g_assert_cmpstr (wide, ==, "探す(Ctrl+K, F4)");
  stria_key_bindings_set ("test.find", none);
  without = stria_key_text ("Find it (Ctrl+F). More (less)", "test.find");
  g_assert_cmpstr (without, ==, "Find it. More (less)");
  stria_key_bindings_set ("test.find", NULL);
  g_assert_cmpstr (stripped, ==, "元に戻す");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/keys/titles", test_titles);
  g_test_add_func ("/keys/defaults", test_defaults);
  g_test_add_func ("/keys/widgets", test_widgets);
  g_test_add_func ("/keys/changes", test_changes);
  g_test_add_func ("/keys/conflicts", test_conflicts);
  g_test_add_func ("/keys/hostile", test_hostile);
  g_test_add_func ("/keys/texts", test_texts);
  return g_test_run ();
}
