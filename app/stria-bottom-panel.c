/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-bottom-panel.h"

#include <glib/gi18n-lib.h>

#include "stria-annotations-panel.h"
#include "stria-format.h"
#include "stria-key-bindings.h"
#include "stria-marks-table.h"
#include "stria-regions-panel.h"
#include "stria-session-marks.h"
#include "stria-warnings-panel.h"
#include "stria-widget-tools.h"

enum
{
  PAGE_STATISTICS,
  PAGE_ANNOTATIONS,
  PAGE_REGIONS,
  PAGE_WARNINGS,
  N_PAGES
};

static const char *const page_names[N_PAGES]
    = { "statistics", "annotations", "regions", "warnings" };

enum
{
  WANTED_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

struct _StriaBottomPanel
{
  GtkWidget parent_instance;

  StriaSession *session;
  gboolean      is_open;
  gboolean      was_wanted;
  gboolean      had_range;
  guint         last; /* page that a person opened last, never the statistics */

  GtkWidget *box;
  GtkWidget *stack;
  GtkWidget *tabs[N_PAGES];
  GtkWidget *button; /* (nullable), not owned */
};

G_DEFINE_FINAL_TYPE (StriaBottomPanel, stria_bottom_panel, GTK_TYPE_WIDGET)

gboolean
stria_bottom_panel_is_wanted (StriaBottomPanel *self)
{
  g_return_val_if_fail (STRIA_IS_BOTTOM_PANEL (self), FALSE);

  return self->is_open || stria_session_get_range (self->session, NULL, NULL);
}

static void
tell (StriaBottomPanel *self)
{
  const gboolean wanted = stria_bottom_panel_is_wanted (self);

  if (self->button != NULL)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->button), self->is_open);
  if (wanted == self->was_wanted)
    return;
  self->was_wanted = wanted;
  g_signal_emit (self, signals[WANTED_CHANGED], 0);
}

static void
show_page (StriaBottomPanel *self, guint page)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), page_names[page]);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->tabs[page]), TRUE);
}

static void
on_tab (GtkToggleButton *button, gpointer data)
{
  StriaBottomPanel *self = data;

  if (!gtk_toggle_button_get_active (button))
    return;
  for (guint page = 0; page < N_PAGES; page++)
    if (self->tabs[page] == GTK_WIDGET (button))
      {
        gtk_stack_set_visible_child_name (GTK_STACK (self->stack), page_names[page]);
        if (page != PAGE_STATISTICS)
          {
            self->last = page;
            self->is_open = TRUE;
          }
      }
  tell (self);
}

static void
on_range_changed (StriaBottomPanel *self)
{
  const gboolean has = stria_session_get_range (self->session, NULL, NULL);

  /* A new range is asked about; one that goes leaves room for what was open before. */
  if (has && !self->had_range)
    show_page (self, PAGE_STATISTICS);
  else if (!has && self->had_range && self->is_open)
    show_page (self, self->last);
  self->had_range = has;
  tell (self);
}

static void
set_title (StriaBottomPanel *self, guint page, const char *title, guint64 n)
{
  g_autofree char *count = stria_format_count (n);
  g_autofree char *text = n > 0 ? g_strdup_printf ("%s (%s)", title, count) : g_strdup (title);

  gtk_button_set_label (GTK_BUTTON (self->tabs[page]), text);
}

static void
update_titles (StriaBottomPanel *self)
{
  const StriaRegionSet *set;

  /* What changes outlives the page of a capture that is read again. */
  if (self->session == NULL)
    return;
  set = stria_regions_get (stria_session_get_regions (self->session));
  set_title (self, PAGE_ANNOTATIONS, _ ("Annotations"),
             stria_annotations_size (stria_session_get_annotations (self->session)));
  set_title (self, PAGE_REGIONS, _ ("Regions"), set != NULL ? set->regions->len : 0);
  set_title (self, PAGE_WARNINGS, _ ("Warnings"), stria_warnings_panel_count (self->session));
}

void
stria_bottom_panel_open (StriaBottomPanel *self, const char *page)
{
  g_return_if_fail (STRIA_IS_BOTTOM_PANEL (self));

  for (guint i = 0; i < N_PAGES; i++)
    if (g_str_equal (page_names[i], page))
      {
        if (i != PAGE_STATISTICS)
          {
            self->last = i;
            self->is_open = TRUE;
          }
        show_page (self, i);
      }
  tell (self);
}

static void
close_panel (StriaBottomPanel *self)
{
  self->is_open = FALSE;
  stria_session_clear_range (self->session);
  tell (self);
}

void
stria_bottom_panel_toggle (StriaBottomPanel *self)
{
  g_return_if_fail (STRIA_IS_BOTTOM_PANEL (self));

  if (self->is_open)
    close_panel (self);
  else
    stria_bottom_panel_open (self, page_names[self->last]);
}

const char *
stria_bottom_panel_get_open (StriaBottomPanel *self)
{
  g_return_val_if_fail (STRIA_IS_BOTTOM_PANEL (self), NULL);

  return self->is_open ? page_names[self->last] : NULL;
}

static void
on_statistics (StriaBottomPanel *self)
{
  show_page (self, PAGE_STATISTICS);
}

static void
on_button (GtkToggleButton *button, gpointer data)
{
  StriaBottomPanel *self = data;

  if (gtk_toggle_button_get_active (button) != self->is_open)
    stria_bottom_panel_toggle (self);
}

static void
on_button_gone (gpointer data, GObject *button)
{
  STRIA_BOTTOM_PANEL (data)->button = NULL;
}

GtkWidget *
stria_bottom_panel_button_new (StriaBottomPanel *self)
{
  GtkWidget *button = gtk_toggle_button_new ();

  g_return_val_if_fail (STRIA_IS_BOTTOM_PANEL (self), NULL);

  gtk_button_set_icon_name (GTK_BUTTON (button), "user-bookmarks-symbolic");
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "caption");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _ ("Annotations, regions and warnings (F7)"));
  stria_key_tooltip (button, "page.bottom");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Annotations, regions and warnings"), -1);
  g_signal_connect_object (button, "toggled", G_CALLBACK (on_button), self, 0);
  self->button = button;
  g_object_weak_ref (G_OBJECT (button), on_button_gone, self);
  return button;
}

static void
stria_bottom_panel_dispose (GObject *object)
{
  StriaBottomPanel *self = STRIA_BOTTOM_PANEL (object);

  if (self->button != NULL)
    g_object_weak_unref (G_OBJECT (self->button), on_button_gone, self);
  self->button = NULL;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (stria_bottom_panel_parent_class)->dispose (object);
}

static void
stria_bottom_panel_class_init (StriaBottomPanelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_bottom_panel_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[WANTED_CHANGED] = g_signal_new ("wanted-changed", G_TYPE_FROM_CLASS (klass),
                                          G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_bottom_panel_init (StriaBottomPanel *self)
{
  self->last = PAGE_ANNOTATIONS;
}

static GtkWidget *
header_new (StriaBottomPanel *self)
{
  const char *const titles[N_PAGES]
      = { _ ("Selection"), _ ("Annotations"), _ ("Regions"), _ ("Warnings") };
  const char *const tooltips[N_PAGES]
      = { _ ("Statistics of the selected range"),
          _ ("Moments and stretches of time that were given a name"),
          _ ("Stretches of time that rules find, and how they compare"),
          _ ("What rules find wrong, with the numbers and what to do") };
  GtkWidget *header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);
  GtkWidget *space = gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
  GtkWidget *close = stria_icon_button_new ("window-close-symbolic", _ ("Close (F7)"),
                                             G_CALLBACK (close_panel), self);

  gtk_widget_add_css_class (header, "bottom-tabs");
  stria_key_tooltip (close, "page.bottom");
  for (guint page = 0; page < N_PAGES; page++)
    {
      self->tabs[page] = gtk_toggle_button_new_with_label (titles[page]);
      gtk_widget_add_css_class (self->tabs[page], "flat");
      gtk_widget_set_tooltip_text (self->tabs[page], tooltips[page]);
      if (page > 0)
        gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (self->tabs[page]),
                                     GTK_TOGGLE_BUTTON (self->tabs[0]));
      gtk_box_append (GTK_BOX (header), self->tabs[page]);
    }
  gtk_widget_set_hexpand (space, TRUE);
  gtk_widget_add_css_class (space, "spacer");
  gtk_box_append (GTK_BOX (header), space);
  gtk_box_append (GTK_BOX (header), close);
  return header;
}

GtkWidget *
stria_bottom_panel_new (StriaSession *session, GtkWidget *statistics)
{
  StriaBottomPanel *self = g_object_new (STRIA_TYPE_BOTTOM_PANEL, NULL);
  GtkWidget *annotations = stria_annotations_panel_new (session);

  self->session = g_object_ref (session);
  self->stack = gtk_stack_new ();
  gtk_stack_set_hhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_stack_set_vhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_stack_add_named (GTK_STACK (self->stack), statistics, page_names[PAGE_STATISTICS]);
  gtk_stack_add_named (GTK_STACK (self->stack), annotations, page_names[PAGE_ANNOTATIONS]);
  gtk_stack_add_named (GTK_STACK (self->stack), stria_regions_panel_new (session),
                       page_names[PAGE_REGIONS]);
  gtk_stack_add_named (GTK_STACK (self->stack), stria_warnings_panel_new (session),
                       page_names[PAGE_WARNINGS]);
  gtk_widget_set_vexpand (self->stack, TRUE);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), header_new (self));
  gtk_box_append (GTK_BOX (self->box), self->stack);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->tabs[PAGE_STATISTICS]), TRUE);
  for (guint page = 0; page < N_PAGES; page++)
    g_signal_connect (self->tabs[page], "toggled", G_CALLBACK (on_tab), self);
  g_signal_connect_swapped (annotations, "statistics", G_CALLBACK (on_statistics), self);
  g_signal_connect_object (session, "range-changed", G_CALLBACK (on_range_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (stria_session_get_annotations (session), "changed",
                           G_CALLBACK (update_titles), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (stria_session_get_regions (session), "changed",
                           G_CALLBACK (update_titles), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (stria_session_get_warnings (session), "changed",
                           G_CALLBACK (update_titles), self, G_CONNECT_SWAPPED);
  update_titles (self);
  return GTK_WIDGET (self);
}
