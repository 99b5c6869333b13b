/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-key-bindings.h"

#include <string.h>

typedef struct
{
  gpointer            owner;    /* a class or a controller, to compare */
  GtkShortcut        *shortcut; /* not owned */
  GtkShortcutTrigger *trigger;  /* that it has at first */
} Binding;

typedef struct
{
  GPtrArray *bindings; /* of Binding */
  char     **keys;     /* NULL while none were set */
  GPtrArray *tooltips; /* widgets, not owned */
} Name;

static GHashTable *names;

static void
binding_free (gpointer data)
{
  Binding *self = data;

  g_object_unref (self->trigger);
  g_free (self);
}

/* -- triggers -------------------------------------------------------------------------------- */

/* Returns: (transfer full) */
static GtkShortcutTrigger *
trigger_of_keys (const char *const *keys)
{
  GtkShortcutTrigger *all = NULL;

  for (guint i = 0; keys[i] != NULL; i++)
    {
      GdkModifierType modifiers;
      guint key;
      GtkShortcutTrigger *one;

      if (!gtk_accelerator_parse (keys[i], &key, &modifiers))
        continue;
      one = gtk_keyval_trigger_new (key, modifiers);
      all = all == NULL ? one : gtk_alternative_trigger_new (all, one);
    }
  return all != NULL ? all : g_object_ref (gtk_never_trigger_get ());
}

/* The first one of an owner has all the keys that were set. */
static gboolean
is_first (Name *name, guint i)
{
  const Binding *self = name->bindings->pdata[i];

  for (guint j = 0; j < i; j++)
    if (((Binding *) name->bindings->pdata[j])->owner == self->owner)
      return FALSE;
  return TRUE;
}

static void
apply_binding (Name *name, guint i)
{
  Binding *self = name->bindings->pdata[i];

  if (name->keys == NULL)
    gtk_shortcut_set_trigger (self->shortcut, g_object_ref (self->trigger));
  else if (is_first (name, i))
    gtk_shortcut_set_trigger (self->shortcut,
                              trigger_of_keys ((const char *const *) name->keys));
  else
    gtk_shortcut_set_trigger (self->shortcut, g_object_ref (gtk_never_trigger_get ()));
}

/* -- names ----------------------------------------------------------------------------------- */

static Name *
get_name (const char *name)
{
  Name *found;

  if (names == NULL)
    names = g_hash_table_new (g_str_hash, g_str_equal);
  found = g_hash_table_lookup (names, name);
  if (found == NULL)
    {
      found = g_new0 (Name, 1);
      found->bindings = g_ptr_array_new_with_free_func (binding_free);
      found->tooltips = g_ptr_array_new ();
      g_hash_table_insert (names, g_strdup (name), found);
    }
  return found;
}

static void
on_shortcut_gone (gpointer data, GObject *shortcut)
{
  Name *name = data;

  for (guint i = 0; i < name->bindings->len; i++)
    if (((Binding *) name->bindings->pdata[i])->shortcut == (gpointer) shortcut)
      {
        g_ptr_array_remove_index (name->bindings, i);
        return;
      }
}

static void
follow (const char *id, gpointer owner, GtkShortcut *shortcut)
{
  Name *name = get_name (id);
  Binding *binding = g_new (Binding, 1);

  *binding = (Binding){ owner, shortcut, g_object_ref (gtk_shortcut_get_trigger (shortcut)) };
  g_ptr_array_add (name->bindings, binding);
  g_object_weak_ref (G_OBJECT (shortcut), on_shortcut_gone, name);
  if (name->keys != NULL)
    apply_binding (name, name->bindings->len - 1);
}

void
stria_key_bind_class (GtkWidgetClass *klass, guint key, GdkModifierType modifiers,
                      const char *action)
{
  g_autofree char *own = NULL;
  g_autoptr (GVariant) target = NULL;
  g_autoptr (GtkShortcut) shortcut = NULL;

  if (!g_action_parse_detailed_name (action, &own, &target, NULL))
    g_assert_not_reached ();
  shortcut = gtk_shortcut_new (gtk_keyval_trigger_new (key, modifiers),
                               gtk_named_action_new (own));
  gtk_shortcut_set_arguments (shortcut, target);
  gtk_widget_class_add_shortcut (klass, shortcut);
  follow (action, klass, shortcut);
}

void
stria_key_bind_func (GtkWidgetClass *klass, guint key, GdkModifierType modifiers, const char *name,
                     GtkShortcutFunc func)
{
  g_autoptr (GtkShortcut) shortcut
      = gtk_shortcut_new (gtk_keyval_trigger_new (key, modifiers),
                          gtk_callback_action_new (func, NULL, NULL));

  gtk_widget_class_add_shortcut (klass, shortcut);
  follow (name, klass, shortcut);
}

void
stria_key_bind (GtkShortcutController *controller, guint key, GdkModifierType modifiers,
                const char *name, GtkShortcutFunc func, gconstpointer data)
{
  GtkShortcut *shortcut = gtk_shortcut_new (gtk_keyval_trigger_new (key, modifiers),
                                            gtk_callback_action_new (func, (gpointer) data, NULL));

  if (name != NULL)
    follow (name, controller, shortcut);
  gtk_shortcut_controller_add_shortcut (controller, shortcut);
}

/* -- texts ----------------------------------------------------------------------------------- */

/* Brackets of Western and of Chinese and Japanese texts */
static gboolean
find_brackets (const char *text, const char **from, const char **to)
{
  static const char *const brackets[][2] = { { "(", ")" }, { "（", "）" } };

  for (guint i = 0; i < G_N_ELEMENTS (brackets); i++)
    {
      const char *start = strstr (text, brackets[i][0]);
      const char *end = start != NULL ? strstr (start, brackets[i][1]) : NULL;

      if (end == NULL)
        continue;
      *from = start;
      *to = end + strlen (brackets[i][1]);
      return TRUE;
    }
  return FALSE;
}

/* What is said in brackets behind a key, of others that stay: “(V; Shift and the arrows …)”.
 * Returns: (transfer full) (nullable): with the mark before it */
static char *
find_more (const char *from, const char *to)
{
  static const char *const marks[] = { ";", "；", "。" };

  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    {
      const char *mark = g_strstr_len (from, to - from, marks[i]);

      if (mark != NULL)
        return g_strndup (mark, (gsize) (g_utf8_prev_char (to) - mark));
    }
  return NULL;
}

static char *
replace_brackets (const char *text, const char *keys)
{
  g_autoptr (GString) result = g_string_new (NULL);
  g_autofree char *more = NULL;
  const char *from, *to;

  if (!find_brackets (text, &from, &to))
    return *keys != '\0' ? g_strdup_printf ("%s (%s)", text, keys) : g_strdup (text);
  g_string_append_len (result, text, from - text);
  more = *keys != '\0' ? find_more (from, to) : NULL;
  if (*keys == '\0' && result->len > 0 && result->str[result->len - 1] == ' ')
    g_string_truncate (result, result->len - 1);
  if (more != NULL)
    g_string_append_printf (result, "(%s%s)", keys, more);
  else if (*keys != '\0')
    g_string_append_printf (result, "(%s)", keys);
  g_string_append (result, to);
  return g_string_free (g_steal_pointer (&result), FALSE);
}

char *
stria_key_strip (const char *text)
{
  const char *from, *to;

  return find_brackets (text, &from, &to) ? replace_brackets (text, "") : g_strdup (text);
}

char *
stria_key_label (const char *const *keys)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autofree char *label = NULL;
      GdkModifierType modifiers;
      guint key;

      if (!gtk_accelerator_parse (keys[i], &key, &modifiers))
        continue;
      label = gtk_accelerator_get_label (key, modifiers);
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", label);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
stria_key_text (const char *text, const char *name)
{
  const Name *found = names != NULL ? g_hash_table_lookup (names, name) : NULL;
  g_autofree char *label = NULL;

  if (found == NULL || found->keys == NULL)
    return g_strdup (text);
  label = stria_key_label ((const char *const *) found->keys);
  return replace_brackets (text, label);
}

/* -- tooltips -------------------------------------------------------------------------------- */

static GQuark
quark_text (void)
{
  return g_quark_from_static_string ("stria-key-tooltip");
}

static void
apply_tooltip (GtkWidget *widget, const char *name)
{
  g_autofree char *text = stria_key_text (g_object_get_qdata (G_OBJECT (widget), quark_text ()),
                                          name);

  gtk_widget_set_tooltip_text (widget, text);
}

static void
on_widget_gone (gpointer data, GObject *widget)
{
  g_ptr_array_remove_fast (((Name *) data)->tooltips, widget);
}

void
stria_key_tooltip (GtkWidget *widget, const char *name)
{
  Name *found = get_name (name);
  const char *text = gtk_widget_get_tooltip_text (widget);

  if (text == NULL)
    return;
  if (g_object_get_qdata (G_OBJECT (widget), quark_text ()) == NULL)
    {
      g_ptr_array_add (found->tooltips, widget);
      g_object_weak_ref (G_OBJECT (widget), on_widget_gone, found);
    }
  g_object_set_qdata_full (G_OBJECT (widget), quark_text (), g_strdup (text), g_free);
  apply_tooltip (widget, name);
}

void
stria_key_tooltips (GtkWidget *root)
{
  const char *name
      = GTK_IS_ACTIONABLE (root) ? gtk_actionable_get_action_name (GTK_ACTIONABLE (root)) : NULL;
  const char *text = gtk_widget_get_tooltip_text (root);
  const char *from, *to;

  if (name != NULL && text != NULL && find_brackets (text, &from, &to))
    stria_key_tooltip (root, name);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    stria_key_tooltips (child);
}

/* -- what a person set ----------------------------------------------------------------------- */

void
stria_key_bindings_set (const char *name, const char *const *keys)
{
  Name *found = get_name (name);

  if (keys == NULL && found->keys == NULL)
    return;
  g_strfreev (found->keys);
  found->keys = g_strdupv ((char **) keys);
  for (guint i = 0; i < found->bindings->len; i++)
    apply_binding (found, i);
  for (guint i = 0; i < found->tooltips->len; i++)
    apply_tooltip (found->tooltips->pdata[i], name);
}

char **
stria_key_bindings_get_defaults (const char *name)
{
  const Name *found = names != NULL ? g_hash_table_lookup (names, name) : NULL;
  GStrvBuilder *builder = g_strv_builder_new ();
  char **keys;

  for (guint i = 0; found != NULL && i < found->bindings->len; i++)
    {
      GtkKeyvalTrigger *trigger
          = GTK_KEYVAL_TRIGGER (((Binding *) found->bindings->pdata[i])->trigger);
      g_autofree char *key = gtk_accelerator_name (gtk_keyval_trigger_get_keyval (trigger),
                                                   gtk_keyval_trigger_get_modifiers (trigger));

      g_strv_builder_add (builder, key);
    }
  keys = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  return keys;
}
