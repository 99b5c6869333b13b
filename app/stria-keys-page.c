/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-keys-page.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-key-bindings.h"
#include "stria-key-dialog.h"
#include "stria-keys-apply.h"
#include "stria-widget-tools.h"

typedef struct
{
  StriaKeysPage     *page;
  const StriaKeyRow *row;
  GtkWidget         *group;
  GtkWidget         *widget;
  GtkBox            *labels;
  GtkWidget         *reset; /* NULL if it is fixed */
  char              *text;  /* what is searched */
} Line;

struct _StriaKeysPage
{
  AdwPreferencesPage parent_instance;

  GtkWidget *search;
  GtkWidget *reset_all;
  GPtrArray *lines; /* of Line */
};

G_DEFINE_FINAL_TYPE (StriaKeysPage, stria_keys_page, ADW_TYPE_PREFERENCES_PAGE)

static void
line_free (gpointer data)
{
  Line *self = data;

  g_free (self->text);
  g_free (self);
}

/* -- what is shown --------------------------------------------------------------------------- */

static void
show_line (Line *line)
{
  StriaKeys *keys = stria_keys_get_default ();
  const gboolean is_fixed = line->row->kind == STRIA_KEY_FIXED;
  g_auto (GStrv) own = is_fixed ? g_strsplit (line->row->keys, " ", -1)
                                : stria_keys_get (keys, line->row->name);
  g_autofree char *label = stria_key_label ((const char *const *) own);
  g_autofree char *title = stria_key_title (line->row);
  g_autofree char *all = g_strconcat (title, " ", label, NULL);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (line->labels))) != NULL)
    gtk_box_remove (line->labels, child);
  for (guint i = 0; own[i] != NULL; i++)
    gtk_box_append (line->labels, gtk_shortcut_label_new (own[i]));
  gtk_accessible_update_property (GTK_ACCESSIBLE (line->widget),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, label, -1);
  if (!is_fixed)
    gtk_widget_set_visible (line->reset, stria_keys_is_changed (keys, line->row->name));
  g_free (line->text);
  line->text = g_utf8_casefold (all, -1);
}

/* A group is seen if something of it is. */
static void
filter (StriaKeysPage *self)
{
  g_autofree char *text
      = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (self->search)), -1);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  g_strstrip (text);
  for (guint i = 0; i < self->lines->len; i++)
    {
      Line *line = self->lines->pdata[i];
      const gboolean matches = strstr (line->text, text) != NULL;

      gtk_widget_set_visible (line->widget, matches);
      if (matches)
        g_hash_table_add (seen, line->group);
    }
  for (guint i = 0; i < self->lines->len; i++)
    {
      Line *line = self->lines->pdata[i];

      gtk_widget_set_visible (line->group, g_hash_table_contains (seen, line->group));
    }
}

static void
show_lines (gpointer data)
{
  StriaKeysPage *self = data;
  g_autoptr (GVariant) changes
      = g_variant_ref_sink (stria_keys_to_variant (stria_keys_get_default ()));

  for (guint i = 0; i < self->lines->len; i++)
    show_line (self->lines->pdata[i]);
  gtk_widget_set_sensitive (self->reset_all, g_variant_n_children (changes) > 0);
}

/* -- what is done ---------------------------------------------------------------------------- */

static void
on_activated (Line *line)
{
  stria_key_dialog_present (GTK_WINDOW (gtk_widget_get_root (line->widget)), line->row->name,
                            show_lines, line->page);
}

static void
on_reset (Line *line)
{
  gtk_widget_grab_focus (line->widget);
  stria_keys_reset (stria_keys_get_default (), line->row->name);
  stria_keys_changed ();
  show_lines (line->page);
}

static void
on_reset_all (StriaKeysPage *self)
{
  guint n;
  const StriaKeyRow *rows = stria_key_rows (&n);

  for (guint i = 0; i < n; i++)
    if (rows[i].kind == STRIA_KEY_ACTION)
      stria_keys_set (stria_keys_get_default (), rows[i].name, NULL);
  stria_keys_changed ();
  show_lines (self);
}

static void
on_show_window (StriaKeysPage *self)
{
  GtkWindow *own = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
  GtkWindow *parent = gtk_window_get_transient_for (own);

  stria_keys_present_window (parent != NULL ? parent : own);
}

/* -- the widgets ----------------------------------------------------------------------------- */

static void
add_line (StriaKeysPage *self, const StriaKeyRow *row, GtkWidget *group)
{
  Line *line = g_new0 (Line, 1);
  g_autofree char *title = stria_key_title (row);

  *line = (Line){ .page = self, .row = row, .group = group };
  line->widget = adw_action_row_new ();
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (line->widget), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (line->widget), title);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (line->widget), 2);
  line->labels = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12));
  gtk_widget_set_valign (GTK_WIDGET (line->labels), GTK_ALIGN_CENTER);
  adw_action_row_add_suffix (ADW_ACTION_ROW (line->widget), GTK_WIDGET (line->labels));
  if (row->kind == STRIA_KEY_ACTION)
    {
      line->reset = stria_icon_button_new ("edit-undo-symbolic", _ ("The keys it had at first"),
                                           G_CALLBACK (on_reset), line);
      adw_action_row_add_suffix (ADW_ACTION_ROW (line->widget), line->reset);
      gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (line->widget), TRUE);
      g_signal_connect_swapped (line->widget, "activated", G_CALLBACK (on_activated), line);
    }
  else
    {
      gtk_widget_add_css_class (GTK_WIDGET (line->labels), "dim-label");
      gtk_widget_set_tooltip_text (line->widget, _ ("These keys cannot be changed"));
    }
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), line->widget);
  g_ptr_array_add (self->lines, line);
}

static GtkWidget *
top_new (StriaKeysPage *self)
{
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *show = gtk_button_new_with_mnemonic (_ ("_Show Keys"));

  self->search = gtk_search_entry_new ();
  g_object_set (self->search, "placeholder-text", _ ("Search"), NULL);
  gtk_widget_set_hexpand (self->search, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Search"), -1);
  self->reset_all = gtk_button_new_with_mnemonic (_ ("_Reset All"));
  gtk_widget_set_tooltip_text (self->reset_all, _ ("The keys that all had at first"));
  gtk_widget_set_tooltip_text (show, _ ("All that can be done by keyboard, view by view"));
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (filter), self);
  g_signal_connect_swapped (self->reset_all, "clicked", G_CALLBACK (on_reset_all), self);
  g_signal_connect_swapped (show, "clicked", G_CALLBACK (on_show_window), self);
  gtk_box_append (GTK_BOX (box), self->search);
  gtk_box_append (GTK_BOX (box), show);
  gtk_box_append (GTK_BOX (box), self->reset_all);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), box);
  return group;
}

static void
stria_keys_page_finalize (GObject *object)
{
  g_ptr_array_unref (STRIA_KEYS_PAGE (object)->lines);
  G_OBJECT_CLASS (stria_keys_page_parent_class)->finalize (object);
}

static void
stria_keys_page_class_init (StriaKeysPageClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stria_keys_page_finalize;
}

static GtkWidget *
group_new (StriaKeysPage *self, const StriaKeyRow *section, const StriaKeyRow *row)
{
  GtkWidget *group = adw_preferences_group_new ();
  g_autofree char *title = g_strdup_printf ("%s: %s", _ (section->title), _ (row->title));
  g_autofree char *markup = g_markup_escape_text (title, -1);

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), markup);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (self), ADW_PREFERENCES_GROUP (group));
  return group;
}

static void
stria_keys_page_init (StriaKeysPage *self)
{
  AdwPreferencesPage *page = ADW_PREFERENCES_PAGE (self);
  const StriaKeyRow *section = NULL, *group_row = NULL;
  GtkWidget *group = NULL;
  guint n;
  const StriaKeyRow *rows = stria_key_rows (&n);

  self->lines = g_ptr_array_new_with_free_func (line_free);
  adw_preferences_page_set_title (page, _ ("_Keys"));
  adw_preferences_page_set_use_underline (page, TRUE);
  adw_preferences_page_set_icon_name (page, "input-keyboard-symbolic");
  adw_preferences_page_add (page, ADW_PREFERENCES_GROUP (top_new (self)));
  for (guint i = 0; i < n; i++)
    if (rows[i].kind == STRIA_KEY_SECTION)
      section = &rows[i];
    else if (rows[i].kind == STRIA_KEY_GROUP)
      {
        group_row = &rows[i];
        group = NULL;
      }
    else if (rows[i].kind == STRIA_KEY_ACTION || rows[i].kind == STRIA_KEY_FIXED)
      {
        /* What is done with the pointer alone has no rows here, and no group. */
        if (group == NULL)
          group = group_new (self, section, group_row);
        add_line (self, &rows[i], group);
      }
  show_lines (self);
  filter (self);
}

GtkWidget *
stria_keys_page_new (void)
{
  return g_object_new (STRIA_TYPE_KEYS_PAGE, NULL);
}
