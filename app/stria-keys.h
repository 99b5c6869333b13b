/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * SECTION:stria-keys
 *
 * All that can be done by keyboard, with the keys that it has at first: what accelerators, the
 * window of shortcuts and the preferences are made from; and what of it a person changed.
 */

typedef enum
{
  STRIA_KEY_SECTION,
  STRIA_KEY_GROUP,
  STRIA_KEY_ACTION,
  STRIA_KEY_ALSO,    /* an action that has a row elsewhere */
  STRIA_KEY_FIXED,
  STRIA_KEY_POINTER,
} StriaKeyKind;

/**
 * StriaKeyRow:
 * @title: to translate
 * @name: of an action: as in menus; of a section: a word; of a group: where its keys hold; of a
 *   gesture: its kind
 * @keys: as gtk_accelerator_parse() has them, with blanks between; of a gesture: a text to
 *   translate, or an empty one
 * @more: keys that cannot be changed, and do the same
 */
typedef struct
{
  StriaKeyKind kind;
  const char  *title;
  const char  *name;
  const char  *keys;
  const char  *more;
} StriaKeyRow;

/* In the order in which they are shown. Returns: (transfer none) (array length=n) */
const StriaKeyRow *stria_key_rows  (guint *n);
/* The row that has the keys of an action. Returns: (transfer none) (nullable) */
const StriaKeyRow *stria_key_row   (const char *action);
/* Translated, without keys. Returns: (transfer full) */
char              *stria_key_title (const StriaKeyRow *row);
/* Where keys of a row hold. Returns: (transfer none): "" for everywhere */
const char        *stria_key_scope (const StriaKeyRow *row);
/* Whether the program has its keys, and not a widget */
gboolean           stria_key_is_accel (const StriaKeyRow *row);
/* Whether keys can be given to something: no Escape, Tab or modifier alone */
gboolean           stria_key_can_be_set (guint key, GdkModifierType modifiers);

/**
 * StriaKeys:
 *
 * What a person changed. Keys are lists of names of accelerators, in the form that
 * gtk_accelerator_name() gives.
 */
typedef struct _StriaKeys StriaKeys;

/* @value: (nullable): an a{sas}; what is none of our actions or no key is left out */
StriaKeys   *stria_keys_new        (GVariant *value);
void         stria_keys_free       (StriaKeys *self);
/* Returns: (transfer floating): only what differs */
GVariant    *stria_keys_to_variant (StriaKeys *self);
/* Returns: (transfer full) (array zero-terminated=1) */
char       **stria_keys_get        (StriaKeys *self, const char *action);
gboolean     stria_keys_is_changed (StriaKeys *self, const char *action);
/* @keys: (nullable): NULL for those it had at first */
void         stria_keys_set        (StriaKeys *self, const char *action, const char *const *keys);
/* Who else has @key where @action would: a row that is fixed if there is one, or else one of an
 * action. Returns: (transfer none) (nullable) */
const StriaKeyRow *stria_keys_find_user (StriaKeys *self, const char *action, const char *key);
/* Gives @key to @action, and takes it from all actions that had it there. @alone: it has no
 * other then */
void         stria_keys_give       (StriaKeys *self, const char *action, const char *key,
                                    gboolean alone);
/* @action has what it had at first, and others no longer have these keys. */
void         stria_keys_reset      (StriaKeys *self, const char *action);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaKeys, stria_keys_free)

G_END_DECLS
