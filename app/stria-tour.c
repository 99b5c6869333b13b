/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-tour.h"

#include <glib/gi18n-lib.h>

#include "stria-settings.h"
#include "stria-window.h"
#include "stria-widget-tools.h"

#define N_PAGES 3

struct _StriaTour
{
  AdwWindow parent_instance;

  AdwCarousel *carousel;
  GtkWidget   *pages[N_PAGES];
  GtkWidget   *back;
  GtkWidget   *next;
  guint        at; /* page that is shown, or scrolled to */
  gboolean     goes;
};

G_DEFINE_FINAL_TYPE (StriaTour, stria_tour, ADW_TYPE_WINDOW)

static const struct
{
  const char *icon_name;
  const char *title;
  const char *text;
} steps[N_PAGES] = {
  { "document-open-symbolic", N_ ("Open"),
    N_ ("Drop files or a folder on the window, paste their paths with Ctrl+V, or choose them with "
        "Ctrl+O. What belongs together is opened as one capture: traces, memory snapshots, programs, "
        "source code. More files can be added to it later. Nothing leaves this computer.") },
  { "view-continuous-symbolic", N_ ("Look Around"),
    N_ ("W and S zoom, A and D move, as Ctrl with the wheel and dragging with Shift do; 0 shows all "
        "again. A click selects an event, a drag over lanes measures a stretch of time. Other views "
        "stand above: memory, source, tables, the model, each with its own help (Shift+F1).") },
  { "edit-find-symbolic", N_ ("Ask"),
    N_ ("Ctrl+F searches events by name and arguments. The Tables view answers questions in SQL, "
        "Ctrl+D compares with another capture, Ctrl+Shift+E exports. F1 lists all keys. Where you "
        "are in a capture is kept, and found again next time.") },
};

static void
update (StriaTour *self)
{
  gtk_widget_set_sensitive (self->back, self->at > 0);
  gtk_button_set_label (GTK_BUTTON (self->next), self->at + 1 < N_PAGES ? _ ("_Next") : _ ("_Start"));
}

/* Who is faster than the pages move is further on, too. */
static void
go (StriaTour *self, guint to)
{
  self->at = to;
  self->goes = TRUE;
  update (self);
  adw_carousel_scroll_to (self->carousel, self->pages[to], TRUE);
}

static void
on_page_changed (StriaTour *self, guint page)
{
  /* A page on the way */
  if (self->goes && page != self->at)
    return;
  self->goes = FALSE;
  self->at = page;
  update (self);
  /* A screen reader reads what gets the keyboard. */
  gtk_widget_grab_focus (self->pages[page]);
}

static void
on_back (StriaTour *self)
{
  if (self->at > 0)
    go (self, self->at - 1);
}

static void
on_next (StriaTour *self)
{
  if (self->at + 1 < N_PAGES)
    go (self, self->at + 1);
  else
    gtk_window_close (GTK_WINDOW (self));
}

static gboolean
on_key (StriaTour *self, guint key)
{
  const gboolean rtl = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;

  if (key == GDK_KEY_Right || key == GDK_KEY_Left)
    {
      if ((key == GDK_KEY_Right) == rtl)
        on_back (self);
      else if (self->at + 1 < N_PAGES)
        on_next (self);
      return TRUE;
    }
  return FALSE;
}

static GtkWidget *
page_new (guint i)
{
  GtkWidget *page = adw_status_page_new ();
  g_autofree char *name = g_strdup_printf ("%s. %s", _ (steps[i].title), _ (steps[i].text));

  adw_status_page_set_icon_name (ADW_STATUS_PAGE (page), steps[i].icon_name);
  adw_status_page_set_title (ADW_STATUS_PAGE (page), _ (steps[i].title));
  adw_status_page_set_description (ADW_STATUS_PAGE (page), _ (steps[i].text));
  gtk_widget_set_hexpand (page, TRUE);
  gtk_widget_set_vexpand (page, TRUE);
  gtk_widget_set_focusable (page, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (page), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return page;
}

static GtkWidget *
buttons_new (StriaTour *self)
{
  GtkWidget *box = gtk_center_box_new ();
  GtkWidget *dots = adw_carousel_indicator_dots_new ();

  adw_carousel_indicator_dots_set_carousel (ADW_CAROUSEL_INDICATOR_DOTS (dots), self->carousel);
  self->back = gtk_button_new_with_mnemonic (_ ("_Back"));
  self->next = gtk_button_new_with_mnemonic (_ ("_Next"));
  gtk_button_set_use_underline (GTK_BUTTON (self->next), TRUE);
  gtk_widget_add_css_class (self->next, "suggested-action");
  g_signal_connect_swapped (self->back, "clicked", G_CALLBACK (on_back), self);
  g_signal_connect_swapped (self->next, "clicked", G_CALLBACK (on_next), self);
  gtk_center_box_set_start_widget (GTK_CENTER_BOX (box), self->back);
  gtk_center_box_set_center_widget (GTK_CENTER_BOX (box), dots);
  gtk_center_box_set_end_widget (GTK_CENTER_BOX (box), self->next);
  gtk_widget_set_margin_start (box, 18);
  gtk_widget_set_margin_end (box, 18);
  gtk_widget_set_margin_bottom (box, 18);
  return box;
}

static void
stria_tour_class_init (StriaTourClass *klass)
{
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
}

static void
stria_tour_init (StriaTour *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *header = adw_header_bar_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_add_css_class (header, "flat");
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header),
                                   adw_window_title_new (_ ("First Steps"), NULL));
  self->carousel = ADW_CAROUSEL (adw_carousel_new ());
  gtk_widget_set_vexpand (GTK_WIDGET (self->carousel), TRUE);
  for (guint i = 0; i < N_PAGES; i++)
    {
      self->pages[i] = page_new (i);
      adw_carousel_append (self->carousel, self->pages[i]);
    }
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->carousel));
  gtk_box_append (GTK_BOX (box), buttons_new (self));
  adw_window_set_content (ADW_WINDOW (self), box);
  gtk_window_set_title (GTK_WINDOW (self), _ ("First Steps"));
  stria_size_window (GTK_WINDOW (self), 560, 480);
  g_signal_connect_swapped (self->carousel, "page-changed", G_CALLBACK (on_page_changed), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  update (self);
  gtk_window_set_focus (GTK_WINDOW (self), self->next);
}

void
stria_tour_present (GtkWindow *parent)
{
  stria_settings_set (STRIA_SETTING_TOUR_SEEN, TRUE);
  gtk_window_present (g_object_new (STRIA_TYPE_TOUR, "transient-for", parent, "modal",
                                    parent != NULL, "destroy-with-parent", TRUE, NULL));
}

static gboolean
on_idle (gpointer data)
{
  GtkWindow *window = data;

  if (gtk_widget_get_mapped (GTK_WIDGET (window)) && !stria_window_is_used (STRIA_WINDOW (window))
      && !stria_settings_get (STRIA_SETTING_TOUR_SEEN))
    stria_tour_present (window);
  return G_SOURCE_REMOVE;
}

void
stria_tour_first_time (GtkWindow *parent)
{
  const char *none = g_getenv ("STRIA_NO_TOUR");

  if ((none == NULL || *none == '\0') && !stria_settings_get (STRIA_SETTING_TOUR_SEEN))
    g_timeout_add_full (G_PRIORITY_DEFAULT_IDLE, 400, on_idle, g_object_ref (parent),
                        g_object_unref);
}
