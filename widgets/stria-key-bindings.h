/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * SECTION:stria-key-bindings
 *
 * Keys of widgets under a name, so that a person can give them others while the program runs: a
 * shortcut is made with the keys that it has at first, and follows what is set for its name.
 * Main thread only.
 */

/* A key of all widgets of @klass. @action: as in menus, with its target if it has one ("a.b",
 * "a.b::text", "a.b(true)"); it is the name of the binding, too. Several calls are several keys. */
void   stria_key_bind_class   (GtkWidgetClass *klass, guint key, GdkModifierType modifiers,
                               const char *action);
/* One that calls @func, which gets @data last. @name: what it is bound by */
void   stria_key_bind_func    (GtkWidgetClass *klass, guint key, GdkModifierType modifiers,
                               const char *name, GtkShortcutFunc func);
/* One of a controller. @name (nullable): NULL for one that stays as it is; @data lives as long */
void   stria_key_bind         (GtkShortcutController *controller, guint key,
                               GdkModifierType modifiers, const char *name, GtkShortcutFunc func,
                               gconstpointer data);

/* What a person set for @name. @keys (nullable): as gtk_accelerator_parse() has them; empty for
 * none, NULL for those it had at first. Tooltips follow. */
void   stria_key_bindings_set (const char *name, const char *const *keys);
/* What @name has at first, from all that was bound so far, in order.
 * Returns: (transfer full) (array zero-terminated=1) */
char **stria_key_bindings_get_defaults (const char *name);

/* @text with what stands in its first brackets replaced by the keys that were set for @name, or
 * without them if it has none now; as it is while none were set. Returns: (transfer full) */
char  *stria_key_text         (const char *text, const char *name);
/* The tooltip of @widget, which names keys in brackets, follows what is set for @name. */
void   stria_key_tooltip      (GtkWidget *widget, const char *name);
/* That, for @root and all in it that have an action and a tooltip */
void   stria_key_tooltips     (GtkWidget *root);
/* Keys as people read them. Returns: (transfer full) */
char  *stria_key_label        (const char *const *keys);
/* @text without the brackets that name keys. Returns: (transfer full) */
char  *stria_key_strip        (const char *text);

G_END_DECLS
