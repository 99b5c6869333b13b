/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-annotation-sets-button.h"

#include <glib/gi18n-lib.h>

#include "stria-annotation-sets.h"
#include "stria-choosers.h"
#include "stria-list-popover.h"

#define KEY "stria-annotation-sets"

typedef struct
{
  GtkWidget        *button; /* owns this */
  StriaAnnotations *annotations;
  GtkWidget        *column;
  GtkWidget        *list;
  GtkWidget        *entry;
  GtkWidget        *save;
} Sets;

static void
sets_free (gpointer data)
{
  Sets *self = data;

  g_object_unref (self->annotations);
  g_free (self);
}

static void
do_task (Sets *self, StriaAnnotationSetsTask task, const char *name);

static void
on_load (GtkWidget *row, Sets *self)
{
  gtk_menu_button_popdown (GTK_MENU_BUTTON (self->button));
  do_task (self, STRIA_ANNOTATION_SETS_LOAD, g_object_get_data (G_OBJECT (row), "name"));
}

static void
on_remove (GtkWidget *button, Sets *self)
{
  do_task (self, STRIA_ANNOTATION_SETS_REMOVE, g_object_get_data (G_OBJECT (button), "name"));
}

static void
name_button (GtkWidget *widget, const char *text, const char *name)
{
  gtk_widget_set_tooltip_text (widget, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  g_object_set_data_full (G_OBJECT (widget), "name", g_strdup (name), g_free);
}

static void
add_row (Sets *self, const char *name)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);
  GtkWidget *load = gtk_button_new ();
  GtkWidget *label = gtk_label_new (name);
  GtkWidget *remove = gtk_button_new_from_icon_name ("user-trash-symbolic");
  /* Translators: a name */
  g_autofree char *load_text
      = g_strdup_printf (_ ("Put the set “%s” in place of the annotations (can be undone)"), name);
  g_autofree char *remove_text = g_strdup_printf (_ ("Delete the set “%s” for good"), name);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 32);
  gtk_button_set_child (GTK_BUTTON (load), label);
  gtk_widget_set_hexpand (load, TRUE);
  gtk_widget_add_css_class (load, "flat");
  gtk_widget_add_css_class (remove, "flat");
  name_button (load, load_text, name);
  name_button (remove, remove_text, name);
  g_signal_connect (load, "clicked", G_CALLBACK (on_load), self);
  g_signal_connect (remove, "clicked", G_CALLBACK (on_remove), self);
  gtk_box_append (GTK_BOX (row), load);
  gtk_box_append (GTK_BOX (row), remove);
  gtk_box_append (GTK_BOX (self->list), row);
}

static void
fill (Sets *self, GPtrArray *names)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_box_remove (GTK_BOX (self->list), child);
  for (guint i = 0; i < names->len; i++)
    add_row (self, names->pdata[i]);
  if (names->len == 0)
    {
      GtkWidget *none = gtk_label_new (_ ("No sets are kept for this capture yet"));

      gtk_widget_add_css_class (none, "dim-label");
      gtk_box_append (GTK_BOX (self->list), none);
    }
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GtkWidget) button = data;
  Sets *self = g_object_get_data (G_OBJECT (button), KEY);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) names
      = stria_annotation_sets_finish (STRIA_ANNOTATIONS (source), result, &error);

  if (names != NULL)
    fill (self, names);
  else
    stria_tell (button, error->message);
}

static void
do_task (Sets *self, StriaAnnotationSetsTask task, const char *name)
{
  stria_annotation_sets_async (self->annotations, task, name, on_done,
                               g_object_ref (self->button));
}

static void
update_save (Sets *self)
{
  g_autofree char *name
      = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry))));

  gtk_widget_set_sensitive (self->save, stria_annotation_sets_is_name (name)
                                            && stria_annotations_size (self->annotations) > 0);
}

static void
on_save (Sets *self)
{
  g_autofree char *name
      = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry))));

  if (!gtk_widget_get_sensitive (self->save))
    return;
  do_task (self, STRIA_ANNOTATION_SETS_SAVE, name);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
}

static void
on_active (Sets *self)
{
  if (!gtk_widget_is_visible (self->column))
    return;
  update_save (self);
  do_task (self, STRIA_ANNOTATION_SETS_LIST, NULL);
}

GtkWidget *
stria_annotation_sets_button_new (StriaAnnotations *annotations)
{
  Sets *self = g_new0 (Sets, 1);
  GtkWidget *form = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->annotations = g_object_ref (annotations);
  self->button = gtk_menu_button_new ();
  g_object_set_data_full (G_OBJECT (self->button), KEY, self, sets_free);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->button), _ ("Sets"));
  gtk_widget_add_css_class (self->button, "flat");
  gtk_widget_set_valign (self->button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->button, _ ("Keep sets of annotations by name"));
  self->column = stria_list_popover_new (GTK_MENU_BUTTON (self->button));
  self->list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  self->entry = gtk_entry_new ();
  gtk_entry_set_max_length (GTK_ENTRY (self->entry), STRIA_ANNOTATION_SETS_MAX_NAME);
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry), _ ("Name of a set"));
  gtk_widget_set_hexpand (self->entry, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Name of a set"), -1);
  self->save = gtk_button_new_with_mnemonic (_ ("_Save"));
  gtk_widget_set_tooltip_text (
      self->save, _ ("Keep the annotations under this name; a set of that name is replaced"));
  g_signal_connect_swapped (self->entry, "changed", G_CALLBACK (update_save), self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (on_save), self);
  g_signal_connect_swapped (self->save, "clicked", G_CALLBACK (on_save), self);
  gtk_box_append (GTK_BOX (form), self->entry);
  gtk_box_append (GTK_BOX (form), self->save);
  gtk_box_append (GTK_BOX (self->column), form);
  gtk_box_append (GTK_BOX (self->column), self->list);
  g_signal_connect_swapped (self->column, "map", G_CALLBACK (on_active), self);
  return self->button;
}
