/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-help.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-help-text.h"
#include "stria-paint-size.h"
#include "stria-widget-tools.h"

#define PICTURES "/io/github/stria/Stria/help/pictures/"
#define TEXT_WIDTH ((int) stria_text_px (720))
/* Characters of a passage that a search shows */
#define PASSAGE 90

struct _StriaHelp
{
  AdwWindow parent_instance;

  AdwFlap        *flap;
  GtkListBox     *list;
  GtkSearchEntry *search;
  GtkWidget      *none;
  GtkScrolledWindow *scrolled;
  GtkWidget      *body;
  AdwWindowTitle *title;
  GHashTable     *texts; /* id -> array of plain texts of the page */
  char           *page;
};

G_DEFINE_FINAL_TYPE (StriaHelp, stria_help, ADW_TYPE_WINDOW)

static void show_page (StriaHelp *self, const char *id);

/* -- the page -------------------------------------------------------------------------------- */

static gboolean
on_link (StriaHelp *self, const char *page)
{
  if (!stria_help_has_page (page))
    return FALSE;
  show_page (self, page);
  return TRUE;
}

static GtkWidget *
text_new (StriaHelp *self, const char *markup)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  g_signal_connect_swapped (label, "activate-link", G_CALLBACK (on_link), self);
  return label;
}

static GtkWidget *
item_new (StriaHelp *self, const StriaHelpBlock *block)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *dot = gtk_label_new ("•");

  gtk_widget_set_valign (dot, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (box), dot);
  gtk_box_append (GTK_BOX (box), text_new (self, block->markup));
  gtk_widget_set_margin_start (box, 6);
  return box;
}

static GtkWidget *
picture_new (const StriaHelpBlock *block)
{
  g_autofree char *path = g_strconcat (PICTURES, block->markup, NULL);
  GtkWidget *picture = gtk_picture_new_for_resource (path);

  gtk_picture_set_alternative_text (GTK_PICTURE (picture), block->second);
  gtk_picture_set_can_shrink (GTK_PICTURE (picture), TRUE);
  gtk_widget_set_tooltip_text (picture, block->second);
  gtk_widget_add_css_class (picture, "help-picture");
  gtk_widget_set_overflow (picture, GTK_OVERFLOW_HIDDEN);
  return picture;
}

/* Rows that follow each other stand in one grid. */
static void
append_row (StriaHelp *self, const StriaHelpBlock *block)
{
  GtkWidget *grid = gtk_widget_get_last_child (self->body);
  GtkWidget *first = text_new (self, block->markup);
  int row = 0;

  if (!GTK_IS_GRID (grid))
    {
      grid = gtk_grid_new ();
      gtk_grid_set_column_spacing (GTK_GRID (grid), 18);
      gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
      gtk_box_append (GTK_BOX (self->body), grid);
    }
  while (gtk_grid_get_child_at (GTK_GRID (grid), 0, row) != NULL)
    row++;
  gtk_label_set_max_width_chars (GTK_LABEL (first), 22);
  gtk_label_set_yalign (GTK_LABEL (first), 0);
  gtk_widget_set_hexpand (first, FALSE);
  gtk_widget_add_css_class (first, "help-key");
  gtk_grid_attach (GTK_GRID (grid), first, 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), text_new (self, block->second), 1, row, 1, 1);
}

static void
append_block (StriaHelp *self, const StriaHelpBlock *block)
{
  GtkWidget *widget = NULL;

  switch (block->kind)
    {
    case STRIA_HELP_ROW:
      append_row (self, block);
      return;
    case STRIA_HELP_ITEM:
      widget = item_new (self, block);
      break;
    case STRIA_HELP_PICTURE:
      widget = picture_new (block);
      break;
    case STRIA_HELP_TITLE:
      widget = text_new (self, block->markup);
      gtk_widget_add_css_class (widget, "title-1");
      break;
    case STRIA_HELP_HEADING:
      widget = text_new (self, block->markup);
      gtk_widget_add_css_class (widget, "title-4");
      gtk_widget_set_margin_top (widget, 12);
      break;
    case STRIA_HELP_PARAGRAPH:
    default:
      widget = text_new (self, block->markup);
    }
  gtk_box_append (GTK_BOX (self->body), widget);
}

static GtkListBoxRow *
row_of (StriaHelp *self, const char *id)
{
  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->list)); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    if (g_strcmp0 (g_object_get_data (G_OBJECT (row), "page"), id) == 0)
      return GTK_LIST_BOX_ROW (row);
  return NULL;
}

static void
show_page (StriaHelp *self, const char *id)
{
  g_autofree char *text = stria_help_load (id);
  g_autoptr (GPtrArray) blocks = text != NULL ? stria_help_parse (text) : NULL;
  GtkListBoxRow *row = row_of (self, id);
  GtkWidget *child;

  if (blocks == NULL)
    return;
  g_free (self->page);
  self->page = g_strdup (id);
  while ((child = gtk_widget_get_first_child (self->body)) != NULL)
    gtk_box_remove (GTK_BOX (self->body), child);
  for (guint i = 0; i < blocks->len; i++)
    append_block (self, blocks->pdata[i]);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scrolled), 0);
  if (row != NULL)
    {
      gtk_list_box_select_row (self->list, row);
      adw_window_title_set_subtitle (self->title,
                                     adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)));
    }
}

/* -- the list -------------------------------------------------------------------------------- */

/* What of the page has the words of the search, in a line. Returns: (transfer full) (nullable) */
static char *
find_passage (GPtrArray *texts, const char *folded)
{
  for (guint i = 0; i < texts->len; i++)
    {
      g_autofree char *own = g_utf8_casefold (texts->pdata[i], -1);

      if (strstr (own, folded) == NULL)
        continue;
      if (g_utf8_strlen (texts->pdata[i], -1) <= PASSAGE)
        return g_strdup (texts->pdata[i]);
      else
        {
          g_autofree char *start = g_utf8_substring (texts->pdata[i], 0, PASSAGE);

          return g_strconcat (start, "…", NULL);
        }
    }
  return NULL;
}

static void
on_search (StriaHelp *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search));
  g_autofree char *folded = g_utf8_casefold (text, -1);
  gboolean any = FALSE;

  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->list)); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      GPtrArray *texts
          = g_hash_table_lookup (self->texts, g_object_get_data (G_OBJECT (row), "page"));
      g_autofree char *passage = *folded != '\0' ? find_passage (texts, folded) : NULL;
      g_autofree char *markup
          = passage != NULL ? g_markup_escape_text (passage, -1) : g_strdup ("");

      adw_action_row_set_subtitle (ADW_ACTION_ROW (row), markup);
      gtk_widget_set_visible (row, *folded == '\0' || passage != NULL);
      any = any || gtk_widget_get_visible (row);
    }
  gtk_widget_set_visible (self->none, !any);
}

/* Enter goes to the first page that has it. */
static void
on_search_activate (StriaHelp *self)
{
  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->list)); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    if (gtk_widget_get_visible (row))
      {
        show_page (self, g_object_get_data (G_OBJECT (row), "page"));
        return;
      }
}

static void
on_row_activated (StriaHelp *self, GtkListBoxRow *row)
{
  show_page (self, g_object_get_data (G_OBJECT (row), "page"));
  if (adw_flap_get_folded (self->flap))
    adw_flap_set_reveal_flap (self->flap, FALSE);
}

static void
add_page (StriaHelp *self, const char *id)
{
  g_autofree char *text = stria_help_load (id);
  g_autoptr (GPtrArray) blocks = text != NULL ? stria_help_parse (text) : NULL;
  GPtrArray *plain = g_ptr_array_new_with_free_func (g_free);
  GtkWidget *row = adw_action_row_new ();

  for (guint i = 0; blocks != NULL && i < blocks->len; i++)
    {
      char *own = stria_help_plain (blocks->pdata[i]);

      if (own != NULL)
        g_ptr_array_add (plain, own);
    }
  g_hash_table_insert (self->texts, g_strdup (id), plain);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row),
                                 plain->len > 0 ? plain->pdata[0] : id);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 2);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  g_object_set_data_full (G_OBJECT (row), "page", g_strdup (id), g_free);
  gtk_list_box_append (self->list, row);
}

/* -- the window ------------------------------------------------------------------------------ */

static GtkWidget *
sidebar_new (StriaHelp *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->search = GTK_SEARCH_ENTRY (gtk_search_entry_new ());
  gtk_widget_set_margin_start (GTK_WIDGET (self->search), 6);
  gtk_widget_set_margin_end (GTK_WIDGET (self->search), 6);
  gtk_widget_set_margin_top (GTK_WIDGET (self->search), 6);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Search the help"), -1);
  g_object_set (self->search, "placeholder-text", _ ("Search the help"), NULL);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "navigation-sidebar");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Pages of the help"), -1);
  self->none = gtk_label_new (_ ("No page has these words"));
  gtk_widget_add_css_class (self->none, "dim-label");
  gtk_widget_set_visible (self->none, FALSE);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->list));
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->search));
  gtk_box_append (GTK_BOX (box), self->none);
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_widget_set_size_request (box, (int) stria_text_px (230), -1);
  gtk_widget_add_css_class (box, "background");
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (on_search), self);
  g_signal_connect_swapped (self->search, "activate", G_CALLBACK (on_search_activate), self);
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (on_row_activated), self);
  return box;
}

static GtkWidget *
content_new (StriaHelp *self)
{
  GtkWidget *clamp = adw_clamp_new ();

  self->scrolled = GTK_SCROLLED_WINDOW (gtk_scrolled_window_new ());
  self->body = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  gtk_widget_set_margin_start (self->body, 24);
  gtk_widget_set_margin_end (self->body, 24);
  gtk_widget_set_margin_top (self->body, 18);
  gtk_widget_set_margin_bottom (self->body, 36);
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), TEXT_WIDTH);
  adw_clamp_set_child (ADW_CLAMP (clamp), self->body);
  gtk_scrolled_window_set_policy (self->scrolled, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (self->scrolled, clamp);
  /* Pictures that may shrink have no height at least. */
  gtk_scrollable_set_vscroll_policy (GTK_SCROLLABLE (gtk_scrolled_window_get_child (self->scrolled)),
                                     GTK_SCROLL_NATURAL);
  gtk_widget_set_hexpand (GTK_WIDGET (self->scrolled), TRUE);
  /* Below it, the list lies over the page. */
  gtk_widget_set_size_request (GTK_WIDGET (self->scrolled), (int) stria_text_px (380), -1);
  gtk_widget_set_vexpand (GTK_WIDGET (self->scrolled), TRUE);
  /* The keys that scroll need somewhere to go. */
  gtk_widget_set_focusable (GTK_WIDGET (self->scrolled), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scrolled), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Page of the help"), -1);
  gtk_widget_add_css_class (GTK_WIDGET (self->scrolled), "view");
  return GTK_WIDGET (self->scrolled);
}

static void
find_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaHelp *self = STRIA_HELP (widget);

  adw_flap_set_reveal_flap (self->flap, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

static void
stria_help_finalize (GObject *object)
{
  StriaHelp *self = STRIA_HELP (object);

  g_hash_table_unref (self->texts);
  g_free (self->page);
  G_OBJECT_CLASS (stria_help_parent_class)->finalize (object);
}

static void
stria_help_class_init (StriaHelpClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = stria_help_finalize;
  gtk_widget_class_install_action (widget_class, "help.find", NULL, find_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_f, GDK_CONTROL_MASK, "help.find",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
stria_help_init (StriaHelp *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *toggle = gtk_toggle_button_new ();

  self->texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                       (GDestroyNotify) g_ptr_array_unref);
  self->flap = ADW_FLAP (adw_flap_new ());
  self->title = ADW_WINDOW_TITLE (adw_window_title_new (_ ("Help"), NULL));
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), GTK_WIDGET (self->title));
  gtk_button_set_icon_name (GTK_BUTTON (toggle), "sidebar-show-symbolic");
  gtk_widget_set_tooltip_text (toggle, _ ("Pages of the help"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (toggle), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Pages"), -1);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), toggle);
  adw_flap_set_flap (self->flap, sidebar_new (self));
  adw_flap_set_separator (self->flap, gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  adw_flap_set_content (self->flap, content_new (self));
  gtk_widget_set_vexpand (GTK_WIDGET (self->flap), TRUE);
  g_object_bind_property (self->flap, "reveal-flap", toggle, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->flap));
  adw_window_set_content (ADW_WINDOW (self), box);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Help"));
  stria_size_window (GTK_WINDOW (self), 980, 720);
  for (guint i = 0; stria_help_pages ()[i] != NULL; i++)
    add_page (self, stria_help_pages ()[i]);
}

void
stria_help_present (GtkApplication *application, const char *page)
{
  StriaHelp *self = NULL;

  for (GList *l = gtk_application_get_windows (application); l != NULL && self == NULL; l = l->next)
    if (STRIA_IS_HELP (l->data))
      self = l->data;
  if (self == NULL)
    self = g_object_new (STRIA_TYPE_HELP, "application", application, NULL);
  show_page (self, stria_help_has_page (page) ? page : stria_help_pages ()[0]);
  gtk_window_present (GTK_WINDOW (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->scrolled));
}
