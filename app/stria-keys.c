/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-keys.h"

#include <glib/gi18n-lib.h>

#include "stria-key-bindings.h"

/* Keys of one action, beyond which a value is none of ours */
#define MOST_KEYS 16

struct _StriaKeys
{
  GHashTable *changed; /* action -> keys, of those that differ */
};

char *
stria_key_title (const StriaKeyRow *row)
{
  return stria_key_strip (_ (row->title));
}

gboolean
stria_key_can_be_set (guint key, GdkModifierType modifiers)
{
  switch (key)
    {
    case 0:
    case GDK_KEY_VoidSymbol:
    case GDK_KEY_Escape:
    case GDK_KEY_Tab:
    case GDK_KEY_ISO_Left_Tab:
    case GDK_KEY_KP_Tab:
    case GDK_KEY_Shift_L:
    case GDK_KEY_Shift_R:
    case GDK_KEY_Shift_Lock:
    case GDK_KEY_Caps_Lock:
    case GDK_KEY_Num_Lock:
    case GDK_KEY_Scroll_Lock:
    case GDK_KEY_Control_L:
    case GDK_KEY_Control_R:
    case GDK_KEY_Alt_L:
    case GDK_KEY_Alt_R:
    case GDK_KEY_Meta_L:
    case GDK_KEY_Meta_R:
    case GDK_KEY_Super_L:
    case GDK_KEY_Super_R:
    case GDK_KEY_Hyper_L:
    case GDK_KEY_Hyper_R:
    case GDK_KEY_Multi_key:
    case GDK_KEY_Mode_switch:
    case GDK_KEY_ISO_Level3_Shift:
    case GDK_KEY_ISO_Level5_Shift:
    case GDK_KEY_ISO_Next_Group:
    case GDK_KEY_ISO_Prev_Group:
      return FALSE;
    default:
      return (modifiers & GDK_SUPER_MASK) == 0;
    }
}

/* -- lists of keys --------------------------------------------------------------------------- */

/* The one name of a key. Returns: (transfer full) (nullable) */
static char *
canonical (const char *name)
{
  GdkModifierType modifiers;
  guint key;

  if (!gtk_accelerator_parse (name, &key, &modifiers) || !stria_key_can_be_set (key, modifiers))
    return NULL;
  return gtk_accelerator_name (key, modifiers);
}

/* @names: in whatever form, with others among them. Returns: (transfer full) */
static char **
clean (const char *const *names)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();

  for (guint i = 0; names[i] != NULL && keys->len < MOST_KEYS; i++)
    {
      char *key = canonical (names[i]);

      if (key != NULL && !g_ptr_array_find_with_equal_func (keys, key, g_str_equal, NULL))
        g_ptr_array_add (keys, key);
      else
        g_free (key);
    }
  g_ptr_array_add (keys, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&keys), FALSE);
}

static char **
defaults_of (const StriaKeyRow *row)
{
  g_auto (GStrv) names = g_strsplit (row->keys, " ", -1);

  return clean ((const char *const *) names);
}

static gboolean
has_key (const char *const *keys, const char *key)
{
  return g_strv_contains (keys, key);
}

/* -- the changes ----------------------------------------------------------------------------- */

void
stria_keys_set (StriaKeys *self, const char *action, const char *const *keys)
{
  const StriaKeyRow *row = stria_key_row (action);
  g_auto (GStrv) own = keys != NULL ? clean (keys) : NULL;
  g_auto (GStrv) defaults = NULL;

  g_return_if_fail (row != NULL);

  defaults = defaults_of (row);
  if (own == NULL || g_strv_equal ((const char *const *) own, (const char *const *) defaults))
    g_hash_table_remove (self->changed, action);
  else
    g_hash_table_replace (self->changed, g_strdup (action), g_steal_pointer (&own));
}

static void
read_changes (StriaKeys *self, GVariant *value)
{
  const char *action;
  char **keys;
  GVariantIter iter;

  g_variant_iter_init (&iter, value);
  while (g_variant_iter_next (&iter, "{&s^as}", &action, &keys))
    {
      g_auto (GStrv) own = clean ((const char *const *) keys);

      /* Nothing but what is no key: that is not the wish to have none. */
      if (stria_key_row (action) != NULL && (own[0] != NULL || keys[0] == NULL))
        stria_keys_set (self, action, (const char *const *) own);
      g_strfreev (keys);
    }
}

StriaKeys *
stria_keys_new (GVariant *value)
{
  StriaKeys *self = g_new0 (StriaKeys, 1);

  self->changed
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_strfreev);
  if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE ("a{sas}")))
    read_changes (self, value);
  return self;
}

void
stria_keys_free (StriaKeys *self)
{
  g_hash_table_unref (self->changed);
  g_free (self);
}

GVariant *
stria_keys_to_variant (StriaKeys *self)
{
  guint n;
  const StriaKeyRow *rows = stria_key_rows (&n);
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sas}"));
  for (guint i = 0; i < n; i++)
    {
      const char *const *keys = rows[i].kind == STRIA_KEY_ACTION
                                    ? g_hash_table_lookup (self->changed, rows[i].name)
                                    : NULL;

      if (keys != NULL)
        g_variant_builder_add (&builder, "{s^as}", rows[i].name, keys);
    }
  return g_variant_builder_end (&builder);
}

char **
stria_keys_get (StriaKeys *self, const char *action)
{
  char **keys = g_hash_table_lookup (self->changed, action);

  return keys != NULL ? g_strdupv (keys) : defaults_of (stria_key_row (action));
}

gboolean
stria_keys_is_changed (StriaKeys *self, const char *action)
{
  return g_hash_table_contains (self->changed, action);
}

/* -- who has a key --------------------------------------------------------------------------- */

static gboolean
scopes_meet (const StriaKeyRow *a, const StriaKeyRow *b)
{
  const char *first = stria_key_scope (a), *second = stria_key_scope (b);

  return *first == '\0' || *second == '\0' || g_str_equal (first, second);
}

static gboolean
row_has_key (StriaKeys *self, const StriaKeyRow *row, const char *key)
{
  g_auto (GStrv) keys = row->kind == STRIA_KEY_ACTION  ? stria_keys_get (self, row->name)
                        : row->kind == STRIA_KEY_FIXED ? defaults_of (row)
                                                       : NULL;

  return keys != NULL && has_key ((const char *const *) keys, key);
}

/* Returns: (transfer none) (nullable): the next user from @from on, of that kind */
static const StriaKeyRow *
next_user (StriaKeys *self, const StriaKeyRow *own, const char *key, StriaKeyKind kind, guint *from)
{
  guint n;
  const StriaKeyRow *rows = stria_key_rows (&n);

  for (; *from < n; (*from)++)
    if (rows[*from].kind == kind && &rows[*from] != own && scopes_meet (own, &rows[*from])
        && row_has_key (self, &rows[*from], key))
      return &rows[(*from)++];
  return NULL;
}

const StriaKeyRow *
stria_keys_find_user (StriaKeys *self, const char *action, const char *key)
{
  const StriaKeyRow *own = stria_key_row (action);
  guint from = 0;
  const StriaKeyRow *found = next_user (self, own, key, STRIA_KEY_FIXED, &from);

  from = 0;
  return found != NULL ? found : next_user (self, own, key, STRIA_KEY_ACTION, &from);
}

static void
take (StriaKeys *self, const char *action, const char *key)
{
  g_auto (GStrv) keys = stria_keys_get (self, action);
  guint n = 0;

  for (guint i = 0; keys[i] != NULL; i++)
    if (g_str_equal (keys[i], key))
      g_free (keys[i]);
    else
      keys[n++] = keys[i];
  keys[n] = NULL;
  stria_keys_set (self, action, (const char *const *) keys);
}

static void
take_from_others (StriaKeys *self, const char *action, const char *key)
{
  const StriaKeyRow *own = stria_key_row (action), *other;
  guint from = 0;

  while ((other = next_user (self, own, key, STRIA_KEY_ACTION, &from)) != NULL)
    take (self, other->name, key);
}

void
stria_keys_give (StriaKeys *self, const char *action, const char *key, gboolean alone)
{
  g_autofree char *name = canonical (key);
  g_auto (GStrv) keys = alone ? g_new0 (char *, 1) : stria_keys_get (self, action);
  guint n = g_strv_length (keys);

  g_return_if_fail (name != NULL);

  take_from_others (self, action, name);
  keys = g_renew (char *, keys, n + 2);
  keys[n] = g_steal_pointer (&name);
  keys[n + 1] = NULL;
  stria_keys_set (self, action, (const char *const *) keys);
}

void
stria_keys_reset (StriaKeys *self, const char *action)
{
  g_auto (GStrv) keys = NULL;

  stria_keys_set (self, action, NULL);
  keys = stria_keys_get (self, action);
  for (guint i = 0; keys[i] != NULL; i++)
    take_from_others (self, action, keys[i]);
}
