/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-details-rows.h"

#include <glib/gi18n-lib.h>

#include "stria-format.h"
#include "stria-swatch.h"

/* A label of megabytes would be laid out for seconds. The whole text can be copied. */
#define MAX_LABEL_BYTES 4000
#define INLINE_BYTES    72
#define UNFOLDED_BYTES  600

static char *
cut (const char *text)
{
  const char *end;
  g_autofree char *head = NULL;
  g_autofree char *size = NULL;

  if (strlen (text) <= MAX_LABEL_BYTES)
    return g_strdup (text);
  end = g_utf8_find_prev_char (text, text + MAX_LABEL_BYTES);
  head = g_strndup (text, (gsize) (end - text));
  size = stria_format_bytes ((gint64) strlen (text));
  /* Translators: the beginning of a long text, and its whole size */
  return g_strdup_printf (_ ("%s… (%s in all)"), head, size);
}

static GtkWidget *
value_label_new (const char *text)
{
  g_autofree char *shown = cut (text);
  GtkWidget *label = gtk_label_new (shown);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  /* It takes what width there is, and asks for little. */
  gtk_label_set_max_width_chars (GTK_LABEL (label), 24);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "numeric");
  /* Reached by the pointer; the panel would otherwise be a hundred stops for the Tab key. That it is
   * not focusable is not enough: a label that can be selected says that it took the keyboard. */
  gtk_widget_set_can_focus (label, FALSE);
  return label;
}

GtkWidget *
stria_details_scrolled_new (void)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), gtk_viewport_new (NULL, NULL));
  return scrolled;
}

void
stria_details_show (GtkWidget *scrolled, GtkWidget *content)
{
  gtk_widget_add_css_class (content, "details");
  gtk_viewport_set_child (
      GTK_VIEWPORT (gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (scrolled))), content);
}

GtkWidget *
stria_details_section_new (const char *title, const char *note, GtkWidget **body)
{
  GtkWidget *section = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (title);

  gtk_widget_add_css_class (section, "details-section");
  gtk_widget_add_css_class (label, "caption-heading");
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (head), label);
  if (note != NULL)
    {
      GtkWidget *note_label = gtk_label_new (note);

      gtk_widget_add_css_class (note_label, "caption");
      gtk_widget_add_css_class (note_label, "dim-label");
      gtk_widget_add_css_class (note_label, "numeric");
      gtk_box_append (GTK_BOX (head), note_label);
    }
  *body = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (section), head);
  gtk_box_append (GTK_BOX (section), *body);
  return section;
}

GtkWidget *
stria_details_table_new (void)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 3);
  return grid;
}

void
stria_details_table_add_help (GtkWidget *table, const char *name, GtkWidget *value,
                              const char *help)
{
  GtkWidget *label = gtk_label_new (name);
  int row = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (table), "rows"));

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), 12);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 24);
  gtk_widget_set_tooltip_text (label, help);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_grid_attach (GTK_GRID (table), label, 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (table), value, 1, row, 1, 1);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (value), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                  label, NULL, -1);
  g_object_set_data (G_OBJECT (table), "rows", GINT_TO_POINTER (row + 1));
}

void
stria_details_table_add_widget (GtkWidget *table, const char *name, GtkWidget *value)
{
  stria_details_table_add_help (table, name, value, name);
}

void
stria_details_table_add (GtkWidget *table, const char *name, const char *value, const char *tooltip)
{
  GtkWidget *label = value_label_new (value);

  gtk_widget_set_tooltip_text (label, tooltip);
  stria_details_table_add_widget (table, name, label);
}

/* Takes @text. */
static GtkWidget *
folded_new (const char *title, char *text)
{
  GtkWidget *expander = gtk_expander_new (NULL);
  GtkWidget *title_label = gtk_label_new (title);
  GtkWidget *label = value_label_new (text);

  gtk_label_set_ellipsize (GTK_LABEL (title_label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (title_label), 0);
  gtk_expander_set_label_widget (GTK_EXPANDER (expander), title_label);

  gtk_widget_add_css_class (label, "monospace");
  gtk_widget_add_css_class (label, "caption");
  gtk_expander_set_child (GTK_EXPANDER (expander), label);
  g_free (text);
  return expander;
}

/* A call stack as one text, as profilers without frame events write it. */
static gboolean
is_stack_text (const StriaField *field)
{
  return field->type == STRIA_FIELD_STRING && field->key != NULL &&
         g_str_equal (field->key, "Call stack") && strchr (field->text, ';') != NULL;
}

GtkWidget *
stria_details_field_new (const StriaField *field)
{
  g_autofree char *text = NULL;
  g_autofree char *title = NULL;

  if (is_stack_text (field))
    {
      g_auto (GStrv) frames = g_strsplit (field->text, ";", -1);
      guint n = g_strv_length (frames);

      title = g_strdup_printf (ngettext ("%u frame", "%u frames", n), n);
      return folded_new (title, g_strjoinv ("\n", frames));
    }
  if (field->children == NULL)
    {
      text = stria_field_display (field);
      if (strlen (text) <= UNFOLDED_BYTES)
        return value_label_new (text);
      title = stria_text_cut (text, INLINE_BYTES / 2);
      return folded_new (title, g_steal_pointer (&text));
    }

  text = stria_field_inline (field, INLINE_BYTES);
  if (text != NULL)
    return value_label_new (text);
  title = g_strdup_printf (field->type == STRIA_FIELD_ARRAY
                             ? ngettext ("%u value", "%u values", field->children->len)
                             : ngettext ("%u field", "%u fields", field->children->len),
                           field->children->len);
  return folded_new (title, stria_field_pretty (field));
}

GtkWidget *
stria_details_link_new (const char *text, const char *note, const char *color_name,
                        const char *tooltip)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label;
  g_autofree char *shown = cut (text);

  if (color_name != NULL)
    {
      GtkWidget *swatch = stria_swatch_new ();

      stria_swatch_set_name (STRIA_SWATCH (swatch), color_name);
      gtk_box_append (GTK_BOX (box), swatch);
    }
  label = gtk_label_new (shown);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "link-text");
  gtk_box_append (GTK_BOX (box), label);
  if (note != NULL)
    {
      GtkWidget *note_label = gtk_label_new (note);

      gtk_widget_add_css_class (note_label, "caption");
      gtk_widget_add_css_class (note_label, "dim-label");
      gtk_widget_add_css_class (note_label, "numeric");
      gtk_box_append (GTK_BOX (box), note_label);
    }
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "details-link");
  gtk_widget_set_tooltip_text (button, tooltip != NULL ? tooltip : shown);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, shown,
                                  -1);
  return button;
}
