/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-choosers.h"
#include "stria-key-bindings.h"
#include "stria-model-export-menu.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* What a chooser of files was opened for */
typedef struct
{
  GtkWidget       *widget; /* not owned: the chooser goes with its window */
  StriaExportWhat  what;
  const char      *suffix; /* of a picture, or NULL */
  StriaModelState *state;
  StriaGraphArea  *area; /* (nullable) */
  guint            graph;
} Ask;

static void
ask_free (gpointer data)
{
  Ask *self = data;

  g_object_unref (self->state);
  g_clear_object (&self->area);
  g_free (self);
}

static void
on_exported (gpointer owner, const char *path, const GError *error)
{
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : NULL;
  g_autofree char *text = NULL;

  if (error != NULL)
    {
      stria_tell (GTK_WIDGET (owner), error->message);
      return;
    }
  text = g_strdup_printf (_ ("“%s” is written"), name);
  gtk_widget_activate_action (GTK_WIDGET (owner), "win.toast-file", "(s^ay)", text, path);
}

/* What was typed may lack the end that says the format. */
static char *
with_suffix (const char *path, const char *suffix)
{
  return suffix != NULL && !g_str_has_suffix (path, suffix) ? g_strconcat (path, suffix, NULL)
                                                            : g_strdup (path);
}

static void
on_response (GtkNativeDialog *dialog, int response, GtkWidget *widget)
{
  Ask *ask = g_object_get_data (G_OBJECT (dialog), "ask");
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  if (response == GTK_RESPONSE_ACCEPT && path == NULL)
    stria_tell (widget, _ ("Only files on this computer can be written"));
  else if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autofree char *whole = with_suffix (path, ask->suffix);

      stria_model_export (ask->what, ask->state, ask->area, ask->graph, whole, on_exported,
                          widget);
    }
  g_object_unref (dialog);
}

/* "after-mapping.png" */
static char *
propose_name (const Ask *ask)
{
  g_autofree char *title = g_strdelimit (
      g_strdup (stria_capture_get_title (stria_model_state_get_capture (ask->state))),
      G_DIR_SEPARATOR_S, '-');
  const StriaModelGraph *graph;

  if (ask->what == STRIA_EXPORT_JSON)
    return g_strdup_printf ("%s%s", title, ask->suffix);
  if (ask->what == STRIA_EXPORT_COUNTERS)
    return g_strdup_printf ("%s-counters%s", title, ask->suffix);
  graph = stria_model_state_get_index (ask->state)->graphs->pdata[ask->graph];
  return g_strdup_printf ("%s-%s%s", title, stria_graph_kind_name (graph->kind), ask->suffix);
}

static GtkFileChooserNative *
chooser_new (const Ask *ask)
{
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (ask->widget));
  GtkFileChooserNative *dialog;
  g_autofree char *name = NULL;

  if (ask->what == STRIA_EXPORT_PAGE)
    return gtk_file_chooser_native_new (_ ("Export All Views to a Folder In"), window,
                                        GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _ ("_Export"),
                                        _ ("_Cancel"));
  dialog = gtk_file_chooser_native_new (C_ ("verb", "Export"), window, GTK_FILE_CHOOSER_ACTION_SAVE,
                                        _ ("_Export"), _ ("_Cancel"));
  name = propose_name (ask);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  return dialog;
}

void
stria_model_export_ask (GtkWidget *widget, const char *name, StriaModelState *state,
                        StriaGraphArea *area, guint graph, gboolean counters)
{
  static const char *const suffixes[] = { ".png", ".svg", ".pdf", ".json" };
  GtkFileChooserNative *dialog;
  Ask *ask;

  if (stria_model_state_get_index (state) == NULL
      || graph >= stria_model_state_get_index (state)->graphs->len)
    return;
  ask = g_new0 (Ask, 1);
  ask->widget = widget;
  ask->state = g_object_ref (state);
  ask->area = area != NULL ? g_object_ref (area) : NULL;
  ask->graph = graph;
  if (g_str_equal (name, "page"))
    ask->what = STRIA_EXPORT_PAGE;
  else if (g_str_equal (name, "json"))
    {
      ask->what = STRIA_EXPORT_JSON;
      ask->suffix = ".json";
    }
  else if (counters)
    ask->what = STRIA_EXPORT_COUNTERS;
  else
    ask->what
        = g_str_has_prefix (name, "visible") ? STRIA_EXPORT_VISIBLE : STRIA_EXPORT_WHOLE;
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (name, suffixes[i]))
      ask->suffix = suffixes[i];
  dialog = chooser_new (ask);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_object_set_data_full (G_OBJECT (dialog), "ask", ask, ask_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_response), widget, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

static void
append_formats (GMenu *menu, const char *title, const char *what)
{
  static const char *const formats[] = { "PNG", "SVG", "PDF" };
  g_autoptr (GMenu) section = g_menu_new ();

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *suffix = g_ascii_strdown (formats[i], -1);
      g_autofree char *action = g_strdup_printf ("model.export::%s.%s", what, suffix);
      /* Translators: a format, as in "PNG…" */
      g_autofree char *label = g_strdup_printf (_ ("%s…"), formats[i]);

      g_menu_append (section, label, action);
    }
  g_menu_append_section (menu, title, G_MENU_MODEL (section));
}

GtkWidget *
stria_model_export_button_new (void)
{
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) all = g_menu_new ();

  append_formats (menu, _ ("Picture of the Whole View"), "whole");
  append_formats (menu, _ ("Picture of What Is Visible"), "visible");
  g_menu_append (all, _ ("All Views as a Page…"), "model.export::page");
  g_menu_append (all, _ ("Figures as JSON…"), "model.export::json");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (all));
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "document-save-as-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _ ("Export pictures, a page or figures (Ctrl+E)"));
  stria_key_tooltip (button, "model.export");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  C_ ("verb", "Export"), -1);
  return button;
}
