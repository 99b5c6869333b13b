/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-source-folders.h"

#include <glib/gi18n-lib.h>

#include "stria-archive.h"
#include "stria-choosers.h"
#include "stria-settings.h"

struct _StriaSourceFolders
{
  GtkWidget parent_instance;

  GtkWidget *button;
  GtkWidget *list;
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaSourceFolders, stria_source_folders, GTK_TYPE_WIDGET)

static void fill (StriaSourceFolders *self);

static void
set_folders (StriaSourceFolders *self, const char *const *folders)
{
  stria_settings_set_list (STRIA_SETTING_SOURCE_FOLDERS, folders);
  fill (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
on_remove (StriaSourceFolders *self, GtkWidget *button)
{
  const char *folder = g_object_get_data (G_OBJECT (button), "folder");
  g_auto (GStrv) folders = stria_settings_get_list (STRIA_SETTING_SOURCE_FOLDERS);
  g_autoptr (GStrvBuilder) rest = g_strv_builder_new ();
  g_auto (GStrv) kept = NULL;

  for (guint i = 0; folders[i] != NULL; i++)
    if (!g_str_equal (folders[i], folder))
      g_strv_builder_add (rest, folders[i]);
  kept = g_strv_builder_end (rest);
  set_folders (self, (const char *const *) kept);
}

static GtkWidget *
row_new (StriaSourceFolders *self, const char *folder)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (folder);
  GtkWidget *remove = gtk_button_new_from_icon_name ("list-remove-symbolic");
  /* Translators: a path */
  g_autofree char *name = g_strdup_printf (_ ("Remove %s"), folder);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_START);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 48);
  gtk_widget_set_tooltip_text (label, folder);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (remove, "flat");
  gtk_widget_set_tooltip_text (remove, _ ("Do not look in here any more"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (remove), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  -1);
  g_object_set_data_full (G_OBJECT (remove), "folder", g_strdup (folder), g_free);
  g_signal_connect_object (remove, "clicked", G_CALLBACK (on_remove), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), remove);
  return row;
}

static void
fill (StriaSourceFolders *self)
{
  g_auto (GStrv) folders = stria_settings_get_list (STRIA_SETTING_SOURCE_FOLDERS);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_box_remove (GTK_BOX (self->list), child);
  for (guint i = 0; folders[i] != NULL; i++)
    gtk_box_append (GTK_BOX (self->list), row_new (self, folders[i]));
  if (folders[0] == NULL)
    {
      GtkWidget *none = gtk_label_new (_ ("None yet: files are looked for at the paths that the "
                                          "capture names."));

      gtk_label_set_wrap (GTK_LABEL (none), TRUE);
      gtk_label_set_max_width_chars (GTK_LABEL (none), 36);
      gtk_label_set_xalign (GTK_LABEL (none), 0);
      gtk_widget_add_css_class (none, "dim-label");
      gtk_box_append (GTK_BOX (self->list), none);
    }
}

static void
on_chosen (gpointer owner, const char *const *paths)
{
  stria_source_folders_add (STRIA_SOURCE_FOLDERS (owner), paths);
}

static void
on_add (StriaSourceFolders *self)
{
  gtk_menu_button_popdown (GTK_MENU_BUTTON (self->button));
  stria_source_folders_ask (self);
}

static void
on_add_archive (StriaSourceFolders *self)
{
  gtk_menu_button_popdown (GTK_MENU_BUTTON (self->button));
  stria_choose_source_archive (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), on_chosen,
                               self);
}

static void
stria_source_folders_dispose (GObject *object)
{
  g_clear_pointer (&STRIA_SOURCE_FOLDERS (object)->button, gtk_widget_unparent);
  G_OBJECT_CLASS (stria_source_folders_parent_class)->dispose (object);
}

static void
stria_source_folders_class_init (StriaSourceFoldersClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_source_folders_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_source_folders_init (StriaSourceFolders *self)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *title = gtk_label_new (_ ("Source Folders"));
  GtkWidget *add = gtk_button_new_with_label (_ ("Add Source Folder…"));
  GtkWidget *archive = gtk_button_new_with_label (_ ("Add Source Archive…"));

  gtk_widget_add_css_class (title, "heading");
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  self->list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 6);
  gtk_widget_set_margin_start (box, 6);
  gtk_widget_set_margin_end (box, 6);
  gtk_widget_set_tooltip_text (add, _ ("Look for files in a folder and in all below it; a folder can "
                                       "also be dropped on this view"));
  g_signal_connect_swapped (add, "clicked", G_CALLBACK (on_add), self);
  gtk_widget_set_tooltip_text (archive, _ ("Look for files in a .tar.gz or .zip, without unpacking "
                                           "it; one can also be dropped on this view"));
  g_signal_connect_swapped (archive, "clicked", G_CALLBACK (on_add_archive), self);
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), self->list);
  gtk_box_append (GTK_BOX (box), add);
  gtk_box_append (GTK_BOX (box), archive);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->button), _ ("Source Folders"));
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->button), popover);
  gtk_widget_set_tooltip_text (self->button, _ ("Where files of source code are looked for"));
  g_signal_connect_object (popover, "show", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
  fill (self);
}

GtkWidget *
stria_source_folders_new (void)
{
  return g_object_new (STRIA_TYPE_SOURCE_FOLDERS, NULL);
}

void
stria_source_folders_ask (StriaSourceFolders *self)
{
  g_return_if_fail (STRIA_IS_SOURCE_FOLDERS (self));

  stria_choose_source_folder (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), on_chosen,
                              self);
}

static gboolean
can_be_added (const char *path)
{
  return g_file_test (path, G_FILE_TEST_IS_DIR)
         || (stria_archive_is_named (path) && g_file_test (path, G_FILE_TEST_IS_REGULAR));
}

gboolean
stria_source_folders_add (StriaSourceFolders *self, const char *const *paths)
{
  g_auto (GStrv) old = stria_settings_get_list (STRIA_SETTING_SOURCE_FOLDERS);
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  g_auto (GStrv) folders = NULL;
  gboolean is_any = FALSE;

  g_return_val_if_fail (STRIA_IS_SOURCE_FOLDERS (self), FALSE);

  g_strv_builder_addv (all, (const char **) old);
  for (guint i = 0; paths[i] != NULL; i++)
    {
      if (!can_be_added (paths[i]))
        continue;
      is_any = TRUE;
      if (!g_strv_contains ((const char *const *) old, paths[i]))
        g_strv_builder_add (all, paths[i]);
    }
  folders = g_strv_builder_end (all);
  if (is_any)
    set_folders (self, (const char *const *) folders);
  return is_any;
}
