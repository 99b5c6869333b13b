/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-annotations-panel.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-annotation-sets-button.h"
#include "stria-between.h"
#include "stria-choosers.h"
#include "stria-format.h"
#include "stria-key-bindings.h"
#include "stria-marks-table.h"
#include "stria-retell.h"
#include "stria-session-marks.h"
#include "stria-widget-tools.h"

enum
{
  COLUMN_NAME,
  COLUMN_START,
  COLUMN_DURATION,
  COLUMN_DIFFERENCE,
  COLUMN_NOTE,
  N_COLUMNS
};

enum
{
  STATISTICS,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

struct _StriaAnnotationsPanel
{
  GtkWidget parent_instance;

  StriaSession     *session;
  StriaAnnotations *annotations;
  guint64           other; /* what the selected one is compared with, 0: the one before it */
  gboolean          filling;

  GtkWidget *box;
  GtkWidget *stack;
  GtkWidget *table;
  GtkWidget *editor;
  GtkWidget *name;
  GtkWidget *note;
  GtkWidget *colors[STRIA_ANNOTATION_N_COLORS];
  GtkWidget *delete_button;
  GtkWidget *undo_button;
  GtkWidget *redo_button;
  GtkWidget *chooser;
  GPtrArray *chooser_ids; /* guint64 *, by row of the chooser */
  GtkWidget *between;
};

G_DEFINE_FINAL_TYPE (StriaAnnotationsPanel, stria_annotations_panel, GTK_TYPE_WIDGET)

static const StriaAnnotation *
selected (StriaAnnotationsPanel *self)
{
  return stria_annotations_find (self->annotations,
                                 stria_annotations_get_selected (self->annotations));
}

/* -- what is shown --------------------------------------------------------------------------- */

/* The annotation that another one is measured against */
static const StriaAnnotation *
compared_with (StriaAnnotationsPanel *self, const StriaAnnotation *item)
{
  const StriaAnnotation *other = stria_annotations_find (self->annotations, self->other);

  if (other != NULL && other->id != item->id)
    return other;
  return stria_annotations_next (self->annotations, item->t0, FALSE);
}

static char *
difference_text (gint64 ns)
{
  g_autofree char *length = stria_format_duration (ABS (ns), 5);

  return g_strdup_printf ("%s%s", ns < 0 ? "\xe2\x88\x92" : "+", length);
}

static StriaMarkItem *
item_for (StriaAnnotationsPanel *self, const StriaAnnotation *annotation)
{
  StriaMarkItem *item = stria_mark_item_new (annotation->id, N_COLUMNS);
  const StriaAnnotation *other = compared_with (self, annotation);
  const gint64 length = annotation->t1 - annotation->t0;

  stria_mark_item_set_color (item, annotation->rgb);
  stria_mark_item_set_cell (item, COLUMN_NAME, g_strdup (annotation->name), NAN, NULL);
  stria_mark_item_set_cell (item, COLUMN_START,
                            stria_marks_format_time (self->session, annotation->t0),
                            (double) (annotation->t0 - stria_marks_origin (self->session)),
                            stria_format_ns (annotation->t0));
  if (length > 0)
    stria_mark_item_set_cell (item, COLUMN_DURATION, stria_format_duration (length, 5),
                              (double) length, stria_format_ns (length));
  else
    stria_mark_item_set_cell (item, COLUMN_DURATION, g_strdup ("\xe2\x80\x93"), 0,
                              g_strdup (_ ("A moment has no duration")));
  if (other != NULL)
    {
      const gint64 ns = annotation->t0 - other->t0;
      g_autofree char *exact = stria_format_ns (ns);

      stria_mark_item_set_cell (item, COLUMN_DIFFERENCE, difference_text (ns), (double) ns,
                                /* Translators: a time, the name of an annotation */
                                g_strdup_printf (_ ("%s after the start of “%s”"), exact,
                                                 other->name));
    }
  stria_mark_item_set_cell (item, COLUMN_NOTE, g_strdup (annotation->note), NAN, NULL);
  return item;
}

static void
fill_chooser (StriaAnnotationsPanel *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint chosen = 0;
  guint64 *id = g_new0 (guint64, 1);

  g_ptr_array_set_size (self->chooser_ids, 0);
  g_ptr_array_add (self->chooser_ids, id);
  gtk_string_list_append (names, _ ("the one before"));
  for (guint i = 0; i < stria_annotations_size (self->annotations); i++)
    {
      const StriaAnnotation *item = stria_annotations_at (self->annotations, i);

      if (item->id == self->other)
        chosen = self->chooser_ids->len;
      g_ptr_array_add (self->chooser_ids, g_memdup2 (&item->id, sizeof item->id));
      gtk_string_list_append (names, item->name);
    }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->chooser), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->chooser), chosen);
}

/* Neither asks the other again. */
static void
set_text (GtkWidget *entry, const char *text)
{
  if (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (entry)), text) != 0)
    gtk_editable_set_text (GTK_EDITABLE (entry), text);
}

static void
update_editor (StriaAnnotationsPanel *self)
{
  const StriaAnnotation *item = selected (self);
  const StriaAnnotation *other = item != NULL ? compared_with (self, item) : NULL;

  self->filling = TRUE;
  gtk_widget_set_visible (self->editor, item != NULL);
  gtk_widget_set_sensitive (self->delete_button, item != NULL);
  gtk_widget_set_sensitive (self->undo_button, stria_annotations_can_undo (self->annotations));
  gtk_widget_set_sensitive (self->redo_button, stria_annotations_can_redo (self->annotations));
  if (item != NULL)
    {
      set_text (self->name, item->name);
      set_text (self->note, item->note);
      for (guint i = 0; i < STRIA_ANNOTATION_N_COLORS; i++)
        gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->colors[i]),
                                      item->rgb == stria_annotation_color (i));
    }
  self->filling = FALSE;
  if (item != NULL && other != NULL)
    stria_between_set (STRIA_BETWEEN (self->between), other->name, other->t0, other->t1,
                       item->name, item->t0, item->t1);
  else if (item != NULL && item->t1 > item->t0)
    stria_between_set (STRIA_BETWEEN (self->between), NULL, item->t0, item->t0, item->name,
                       item->t1, item->t1);
  else
    stria_between_clear (STRIA_BETWEEN (self->between));
}

static void
update (StriaAnnotationsPanel *self)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  const guint n = stria_annotations_size (self->annotations);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (items, item_for (self, stria_annotations_at (self->annotations, i)));
  stria_marks_table_set_items (STRIA_MARKS_TABLE (self->table), items, NULL);
  stria_marks_table_select (STRIA_MARKS_TABLE (self->table),
                            stria_annotations_get_selected (self->annotations));
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), n > 0 ? "table" : "empty");
  self->filling = TRUE;
  fill_chooser (self);
  self->filling = FALSE;
  update_editor (self);
}

static void
on_selection_changed (StriaAnnotationsPanel *self)
{
  stria_marks_table_select (STRIA_MARKS_TABLE (self->table),
                            stria_annotations_get_selected (self->annotations));
  update_editor (self);
}

/* -- what is done ---------------------------------------------------------------------------- */

static void
on_row_selected (StriaAnnotationsPanel *self)
{
  StriaMarkItem *item = stria_marks_table_get_selected (STRIA_MARKS_TABLE (self->table));
  const StriaAnnotation *annotation;

  stria_annotations_select (self->annotations, item != NULL ? stria_mark_item_get_id (item) : 0);
  annotation = selected (self);
  if (annotation != NULL)
    stria_marks_show_time (self->session, annotation->t0, annotation->t1, FALSE);
}

static void
on_row_activated (StriaAnnotationsPanel *self, StriaMarkItem *item)
{
  const StriaAnnotation *annotation
      = stria_annotations_find (self->annotations, stria_mark_item_get_id (item));

  if (annotation != NULL)
    stria_marks_show_time (self->session, annotation->t0, annotation->t1, TRUE);
}

static void
on_add (StriaAnnotationsPanel *self)
{
  gint64 t0 = 0, t1 = 0;

  if (stria_session_get_trace (self->session) == NULL)
    return;
  if (!stria_session_get_range (self->session, &t0, &t1))
    {
      stria_session_get_view (self->session, &t0, &t1);
      t0 = t1 = t0 + (t1 - t0) / 2;
    }
  stria_annotations_select (self->annotations,
                            stria_annotations_add (self->annotations, t0, t1, NULL, 0));
  gtk_widget_grab_focus (self->name);
}

static void
on_delete (StriaAnnotationsPanel *self)
{
  stria_annotations_remove (self->annotations, stria_annotations_get_selected (self->annotations));
}

static void
on_undo (StriaAnnotationsPanel *self)
{
  stria_annotations_undo (self->annotations);
}

static void
on_redo (StriaAnnotationsPanel *self)
{
  stria_annotations_redo (self->annotations);
}

static void
on_name (StriaAnnotationsPanel *self)
{
  if (!self->filling)
    stria_annotations_set_name (self->annotations,
                                stria_annotations_get_selected (self->annotations),
                                gtk_editable_get_text (GTK_EDITABLE (self->name)));
}

static void
on_note (StriaAnnotationsPanel *self)
{
  if (!self->filling)
    stria_annotations_set_note (self->annotations,
                                stria_annotations_get_selected (self->annotations),
                                gtk_editable_get_text (GTK_EDITABLE (self->note)));
}

/* Without Enter, too: whoever goes elsewhere has written it all the same. */
static void
on_left (GtkEventControllerFocus *focus, gpointer data)
{
  StriaAnnotationsPanel *self = data;

  on_name (self);
  on_note (self);
}

static void
on_color (GtkToggleButton *button, gpointer data)
{
  StriaAnnotationsPanel *self = data;

  for (guint i = 0; i < STRIA_ANNOTATION_N_COLORS && !self->filling; i++)
    if (self->colors[i] == GTK_WIDGET (button))
      {
        stria_annotations_set_color (self->annotations,
                                     stria_annotations_get_selected (self->annotations),
                                     stria_annotation_color (i));
        break;
      }
  if (!self->filling)
    update_editor (self);
}

static void
on_chosen (StriaAnnotationsPanel *self)
{
  const guint i = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->chooser));

  if (self->filling || i >= self->chooser_ids->len)
    return;
  self->other = *(guint64 *) self->chooser_ids->pdata[i];
  update (self);
}

static void
on_filter (StriaAnnotationsPanel *self, GtkSearchEntry *entry)
{
  stria_marks_table_set_filter (STRIA_MARKS_TABLE (self->table),
                                gtk_editable_get_text (GTK_EDITABLE (entry)));
}

static void
on_statistics (StriaAnnotationsPanel *self)
{
  gint64 t0 = 0, t1 = 0;

  if (!stria_between_get (STRIA_BETWEEN (self->between), &t0, &t1))
    return;
  stria_session_set_range (self->session, t0, t1, NULL, 0);
  g_signal_emit (self, signals[STATISTICS], 0);
}

/* -- files ----------------------------------------------------------------------------------- */

static GtkWindow *
window_of (StriaAnnotationsPanel *self)
{
  return GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
}

static void
save (StriaAnnotationsPanel *self, const char *title, const char *ending, const char *text)
{
  const char *capture = stria_capture_get_title (stria_session_get_capture (self->session));
  g_autofree char *name = g_strconcat (capture, ending, NULL);

  stria_save_text (window_of (self), title, name, text, stria_tell_saved, self);
}

static void
on_export (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaAnnotationsPanel *self = STRIA_ANNOTATIONS_PANEL (widget);
  const char *title = stria_capture_get_title (stria_session_get_capture (self->session));
  g_autofree char *text = stria_annotations_to_json (self->annotations, title);

  save (self, _ ("Export Annotations"), ".annotations.json", text);
}

static void
on_export_csv (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaAnnotationsPanel *self = STRIA_ANNOTATIONS_PANEL (widget);
  g_autofree char *text
      = stria_annotations_to_csv (self->annotations, stria_marks_origin (self->session));

  save (self, _ ("Export Annotations"), ".annotations.csv", text);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (StriaAnnotationsPanel) self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *path = g_file_get_path (G_FILE (source));
  g_autofree char *message = NULL;
  gsize length = 0;
  guint n = 0;

  if (!g_file_load_contents_finish (G_FILE (source), result, &text, &length, NULL, &error)
      || self->session == NULL
      || !stria_annotations_take_json (self->annotations, text, (gssize) length, path, &n, &error))
    {
      if (error != NULL)
        stria_tell (GTK_WIDGET (self), error->message);
      return;
    }
  message = g_strdup_printf (ngettext ("%u annotation added", "%u annotations added", n), n);
  if (stria_annotations_is_foreign (self->annotations, text, (gssize) length))
    {
      g_autofree char *both
          = g_strdup_printf (_ ("%s; the file was written for another capture"), message);

      stria_tell (GTK_WIDGET (self), both);
    }
  else
    stria_tell (GTK_WIDGET (self), message);
}

static void
on_file_chosen (gpointer owner, const char *const *paths)
{
  g_autoptr (GFile) file = g_file_new_for_path (paths[0]);

  g_file_load_contents_async (file, NULL, on_read, g_object_ref (owner));
}

static void
on_import (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_choose_annotations (window_of (STRIA_ANNOTATIONS_PANEL (widget)), on_file_chosen, widget);
}

static void
on_clear (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_annotations_clear (STRIA_ANNOTATIONS_PANEL (widget)->annotations);
}

/* -- the widget ------------------------------------------------------------------------------ */

static void
stria_annotations_panel_dispose (GObject *object)
{
  StriaAnnotationsPanel *self = STRIA_ANNOTATIONS_PANEL (object);

  self->filling = TRUE;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->session);
  g_clear_object (&self->annotations);
  g_clear_pointer (&self->chooser_ids, g_ptr_array_unref);
  G_OBJECT_CLASS (stria_annotations_panel_parent_class)->dispose (object);
}

static void
stria_annotations_panel_class_init (StriaAnnotationsPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_annotations_panel_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_install_action (widget_class, "annotations.import", NULL, on_import);
  gtk_widget_class_install_action (widget_class, "annotations.export", NULL, on_export);
  gtk_widget_class_install_action (widget_class, "annotations.export-csv", NULL, on_export_csv);
  gtk_widget_class_install_action (widget_class, "annotations.clear", NULL, on_clear);
  signals[STATISTICS] = g_signal_new ("statistics", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_annotations_panel_init (StriaAnnotationsPanel *self)
{
  self->chooser_ids = g_ptr_array_new_with_free_func (g_free);
}

static GtkWidget *
menu_button_new (void)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  GtkWidget *button = gtk_menu_button_new ();

  g_menu_append (menu, _ ("_Import…"), "annotations.import");
  g_menu_append (menu, _ ("_Export…"), "annotations.export");
  g_menu_append (menu, _ ("Export as _CSV…"), "annotations.export-csv");
  g_menu_append (menu, _ ("_Delete All"), "annotations.clear");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-more-symbolic");
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _ ("Import, export, delete all"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("More about annotations"), -1);
  return button;
}

static GtkWidget *
header_new (StriaAnnotationsPanel *self)
{
  const char *const none[] = { NULL };
  GtkWidget *header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *filter = gtk_search_entry_new ();
  GtkWidget *versus = gtk_label_new_with_mnemonic (_ ("Difference to"));

  gtk_widget_add_css_class (header, "panel-header");
  gtk_box_append (GTK_BOX (header),
                  stria_icon_button_new ("list-add-symbolic",
                                          _ ("Annotate the selected range, or the middle of what "
                                             "is "
                                             "shown (B over the timeline)"),
                                          G_CALLBACK (on_add), self));
  self->delete_button = stria_icon_button_new (
      "user-trash-symbolic", _ ("Delete the selected annotation (Delete over the timeline)"),
      G_CALLBACK (on_delete), self);
  self->undo_button = stria_icon_button_new (
      "edit-undo-symbolic", _ ("Undo the last change (Ctrl+Z over the timeline)"),
      G_CALLBACK (on_undo), self);
  self->redo_button = stria_icon_button_new (
      "edit-redo-symbolic", _ ("Redo what was undone (Ctrl+Shift+Z over the timeline)"),
      G_CALLBACK (on_redo), self);
  stria_key_tooltip (self->delete_button, "timeline.delete-mark");
  stria_key_tooltip (self->undo_button, "timeline.undo-mark");
  stria_key_tooltip (self->redo_button, "timeline.redo-mark");
  gtk_box_append (GTK_BOX (header), self->delete_button);
  gtk_box_append (GTK_BOX (header), self->undo_button);
  gtk_box_append (GTK_BOX (header), self->redo_button);
  self->chooser = gtk_drop_down_new_from_strings (none);
  gtk_widget_set_valign (self->chooser, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->chooser, _ ("What annotations are compared with"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->chooser), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Difference to"), -1);
  g_signal_connect_swapped (self->chooser, "notify::selected", G_CALLBACK (on_chosen), self);
  gtk_widget_add_css_class (versus, "dim-label");
  gtk_label_set_ellipsize (GTK_LABEL (versus), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (versus, TRUE);
  gtk_label_set_xalign (GTK_LABEL (versus), 1);
  gtk_box_append (GTK_BOX (header), versus);
  gtk_box_append (GTK_BOX (header), self->chooser);
  gtk_search_entry_set_search_delay (GTK_SEARCH_ENTRY (filter), 50);
  g_object_set (filter, "placeholder-text", _ ("Filter"), NULL);
  gtk_editable_set_width_chars (GTK_EDITABLE (filter), 8);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (filter), 16);
  gtk_widget_set_valign (filter, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (filter, _ ("Show only annotations with this text"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (filter), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Filter the annotations"), -1);
  g_signal_connect_swapped (filter, "search-changed", G_CALLBACK (on_filter), self);
  gtk_box_append (GTK_BOX (header), filter);
  gtk_box_append (GTK_BOX (header), stria_annotation_sets_button_new (self->annotations));
  gtk_box_append (GTK_BOX (header), menu_button_new ());
  return header;
}

static GtkWidget *
entry_new (StriaAnnotationsPanel *self, const char *placeholder, const char *tooltip, int chars,
           GCallback activate)
{
  GtkWidget *entry = gtk_entry_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), placeholder);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), chars);
  gtk_widget_set_tooltip_text (entry, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  -1);
  g_signal_connect_swapped (entry, "activate", activate, self);
  g_signal_connect (focus, "leave", G_CALLBACK (on_left), self);
  gtk_widget_add_controller (entry, focus);
  return entry;
}

static GtkWidget *
editor_new (StriaAnnotationsPanel *self)
{
  static const char *const names[STRIA_ANNOTATION_N_COLORS]
      = { N_ ("Blue"),   N_ ("Red"),  N_ ("Green"), N_ ("Purple"),
          N_ ("Orange"), N_ ("Teal"), N_ ("Pink"),  N_ ("Brown") };
  GtkWidget *editor = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *colors = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (editor, "panel-header");
  self->name = entry_new (self, _ ("Name"), _ ("Name of the annotation"), 14, G_CALLBACK (on_name));
  self->note = entry_new (self, _ ("Note"), _ ("Note"), 10, G_CALLBACK (on_note));
  gtk_widget_set_hexpand (self->note, TRUE);
  for (guint i = 0; i < STRIA_ANNOTATION_N_COLORS; i++)
    {
      g_autofree char *markup
          = g_strdup_printf ("<span foreground=\"#%06x\">\xe2\x97\x8f</span>",
                             stria_annotation_color (i));
      GtkWidget *dot = gtk_label_new (NULL);

      gtk_label_set_markup (GTK_LABEL (dot), markup);
      self->colors[i] = gtk_toggle_button_new ();
      gtk_button_set_child (GTK_BUTTON (self->colors[i]), dot);
      gtk_widget_add_css_class (self->colors[i], "flat");
      gtk_widget_set_valign (self->colors[i], GTK_ALIGN_CENTER);
      gtk_widget_set_tooltip_text (self->colors[i], _ (names[i]));
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->colors[i]),
                                      GTK_ACCESSIBLE_PROPERTY_LABEL, _ (names[i]), -1);
      g_signal_connect (self->colors[i], "toggled", G_CALLBACK (on_color), self);
      gtk_box_append (GTK_BOX (colors), self->colors[i]);
    }
  gtk_box_append (GTK_BOX (editor), self->name);
  gtk_box_append (GTK_BOX (editor), colors);
  gtk_box_append (GTK_BOX (editor), self->note);
  return editor;
}

GtkWidget *
stria_annotations_panel_new (StriaSession *session)
{
  StriaAnnotationsPanel *self = g_object_new (STRIA_TYPE_ANNOTATIONS_PANEL, NULL);
  const char *const titles[]
      = { _ ("Name"), _ ("Start"), _ ("Duration"), _ ("Difference"), _ ("Note"), NULL };
  const guint8 is_text[] = { 1, 0, 0, 0, 2 };
  GtkWidget *empty = gtk_label_new (
      _ ("Press B over the timeline to mark a moment, or Shift+B to mark the selected range"));

  self->session = g_object_ref (session);
  self->annotations = g_object_ref (stria_session_get_annotations (session));
  self->table = stria_marks_table_new (_ ("Annotations"));
  stria_marks_table_set_columns (STRIA_MARKS_TABLE (self->table), titles, is_text);
  stria_marks_table_sort_by (STRIA_MARKS_TABLE (self->table), COLUMN_START, FALSE);
  self->stack = gtk_stack_new ();
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_label_set_wrap (GTK_LABEL (empty), TRUE);
  gtk_label_set_justify (GTK_LABEL (empty), GTK_JUSTIFY_CENTER);
  gtk_widget_add_css_class (empty, "dim-label");
  gtk_stack_add_named (GTK_STACK (self->stack), self->table, "table");
  gtk_stack_add_named (GTK_STACK (self->stack), empty, "empty");
  self->between = stria_between_new (session);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), header_new (self));
  gtk_box_append (GTK_BOX (self->box), self->stack);
  self->editor = editor_new (self);
  gtk_box_append (GTK_BOX (self->box), self->between);
  gtk_box_append (GTK_BOX (self->box), self->editor);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  g_signal_connect_swapped (self->table, "selected", G_CALLBACK (on_row_selected), self);
  g_signal_connect_swapped (self->table, "activated", G_CALLBACK (on_row_activated), self);
  g_signal_connect_swapped (self->between, "statistics", G_CALLBACK (on_statistics), self);
  g_signal_connect_object (self->annotations, "changed", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->annotations, "selection-changed",
                           G_CALLBACK (on_selection_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->annotations, "failed", G_CALLBACK (stria_tell), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "trace-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  stria_retell_connect (self, G_CALLBACK (update));
  update (self);
  return GTK_WIDGET (self);
}
