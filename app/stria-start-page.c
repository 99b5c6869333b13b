/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-start-page.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-format.h"
#include "stria-recent.h"
#include "stria-thumbnail.h"

struct _StriaStartPage
{
  GtkWidget parent_instance;

  GtkWidget  *recent_box;
  GtkFlowBox *flow_box;
};

static guint open_paths_signal;

G_DEFINE_FINAL_TYPE (StriaStartPage, stria_start_page, GTK_TYPE_WIDGET)

static char *
describe_place (const StriaRecentItem *item)
{
  g_autofree char *folder = g_path_get_dirname (item->paths[0]);
  const char *home = g_get_home_dir ();

  if (home != NULL && strlen (home) > 1 && g_str_has_prefix (folder, home) &&
      (folder[strlen (home)] == '/' || folder[strlen (home)] == '\0'))
    return g_strdup_printf ("~%s", folder + strlen (home));
  return g_filename_display_name (folder);
}

static char *
describe_content (const StriaRecentItem *item)
{
  g_autofree char *bytes = stria_format_bytes ((gint64) item->bytes);
  g_autofree char *events = stria_format_count (item->n_events);
  g_autofree char *length = stria_format_duration (item->duration_ns, 3);
  g_autofree char *events_text =
      g_strdup_printf (ngettext ("%s event", "%s events", item->n_events), events);

  return g_strdup_printf ("%s · %s · %s", bytes, events_text, length);
}

static char *
describe_date (const StriaRecentItem *item)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (item->opened_us / G_USEC_PER_SEC);
  g_autoptr (GDateTime) local = utc != NULL ? g_date_time_to_local (utc) : NULL;

  /* Translators: day, month and time at which a capture was opened, for strftime() */
  return local != NULL ? g_date_time_format (local, _ ("%-d %b %Y, %H:%M")) : g_strdup ("");
}

static GtkWidget *
caption_new (const char *text, PangoEllipsizeMode mode)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), mode);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "dim-label");
  return label;
}

static void
on_remove_clicked (GtkButton *button, StriaStartPage *self)
{
  char **paths = g_object_get_data (G_OBJECT (button), "paths");

  stria_recent_remove ((const char *const *) paths);
  stria_start_page_refresh (self);
}

static GtkWidget *
picture_new (const StriaRecentItem *item)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  g_autoptr (GdkTexture) texture =
      item->key != NULL ? stria_thumbnail_load (item->key, dark) : NULL;
  GtkWidget *picture;

  if (texture != NULL)
    {
      picture = gtk_picture_new_for_paintable (GDK_PAINTABLE (texture));
      gtk_picture_set_content_fit (GTK_PICTURE (picture), GTK_CONTENT_FIT_FILL);
    }
  else
    {
      picture = gtk_image_new_from_icon_name ("view-continuous-symbolic");
      gtk_image_set_pixel_size (GTK_IMAGE (picture), 32);
      gtk_widget_add_css_class (picture, "dim-label");
    }
  gtk_widget_set_size_request (picture, 200, STRIA_THUMBNAIL_HEIGHT * 2 / 3);
  gtk_widget_add_css_class (picture, "thumbnail");
  gtk_accessible_update_property (GTK_ACCESSIBLE (picture), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Picture of the timeline"), -1);
  return picture;
}

static GtkWidget *
card_new (StriaStartPage *self, const StriaRecentItem *item)
{
  GtkWidget *child = gtk_flow_box_child_new ();
  GtkWidget *overlay = gtk_overlay_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *title = gtk_label_new (item->title);
  GtkWidget *remove = gtk_button_new_from_icon_name ("window-close-symbolic");
  g_autofree char *place = describe_place (item);
  g_autofree char *content = describe_content (item);
  g_autofree char *date = describe_date (item);
  g_autofree char *all_paths = g_strjoinv ("\n", item->paths);
  g_autofree char *tooltip = g_utf8_make_valid (all_paths, -1);
  g_autofree char *remove_label =
    g_strdup_printf (_ ("Remove “%s” from this list"), item->title);

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (title, "heading");
  gtk_widget_add_css_class (texts, "texts");
  gtk_box_append (GTK_BOX (texts), title);
  gtk_box_append (GTK_BOX (texts), caption_new (content, PANGO_ELLIPSIZE_END));
  gtk_box_append (GTK_BOX (texts), caption_new (place, PANGO_ELLIPSIZE_MIDDLE));
  gtk_box_append (GTK_BOX (texts), caption_new (date, PANGO_ELLIPSIZE_END));
  gtk_box_append (GTK_BOX (box), picture_new (item));
  gtk_box_append (GTK_BOX (box), texts);
  gtk_widget_add_css_class (box, "card");
  gtk_widget_add_css_class (box, "activatable");
  gtk_widget_set_overflow (box, GTK_OVERFLOW_HIDDEN);

  gtk_widget_set_halign (remove, GTK_ALIGN_END);
  gtk_widget_set_valign (remove, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (remove, _ ("Remove from this list; the files stay"));
  gtk_widget_add_css_class (remove, "circular");
  gtk_widget_add_css_class (remove, "osd");
  gtk_widget_add_css_class (remove, "remove");
  gtk_accessible_update_property (GTK_ACCESSIBLE (remove), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  remove_label, -1);
  g_object_set_data_full (G_OBJECT (remove), "paths", g_strdupv (item->paths),
                          (GDestroyNotify) g_strfreev);
  g_signal_connect_object (remove, "clicked", G_CALLBACK (on_remove_clicked), self, 0);

  gtk_overlay_set_child (GTK_OVERLAY (overlay), box);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), remove);
  gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (child), overlay);
  gtk_widget_add_css_class (child, "recent");
  gtk_widget_set_tooltip_text (child, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  item->title, -1);
  g_object_set_data_full (G_OBJECT (child), "paths", g_strdupv (item->paths),
                          (GDestroyNotify) g_strfreev);
  return child;
}

static void
on_child_activated (StriaStartPage *self, GtkFlowBoxChild *child)
{
  g_signal_emit (self, open_paths_signal, 0, g_object_get_data (G_OBJECT (child), "paths"));
}

static void
on_clear (StriaStartPage *self)
{
  stria_recent_clear ();
  stria_start_page_refresh (self);
}

static void
stria_start_page_map (GtkWidget *widget)
{
  stria_start_page_refresh (STRIA_START_PAGE (widget));
  GTK_WIDGET_CLASS (stria_start_page_parent_class)->map (widget);
}

static void
stria_start_page_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (stria_start_page_parent_class)->dispose (object);
}

static void
stria_start_page_class_init (StriaStartPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_start_page_dispose;
  widget_class->map = stria_start_page_map;
  open_paths_signal = g_signal_new ("open-paths", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRV);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stria/Stria/ui/stria-start-page.ui");
  gtk_widget_class_bind_template_child (widget_class, StriaStartPage, recent_box);
  gtk_widget_class_bind_template_child (widget_class, StriaStartPage, flow_box);
  gtk_widget_class_bind_template_callback (widget_class, on_clear);
  gtk_widget_class_bind_template_callback (widget_class, on_child_activated);
}

static void
stria_start_page_init (StriaStartPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (stria_start_page_refresh), self, G_CONNECT_SWAPPED);
}

GtkWidget *
stria_start_page_new (void)
{
  return g_object_new (STRIA_TYPE_START_PAGE, NULL);
}

void
stria_start_page_refresh (StriaStartPage *self)
{
  g_autoptr (GPtrArray) items = NULL;
  GtkWidget *child;

  g_return_if_fail (STRIA_IS_START_PAGE (self));

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->flow_box))) != NULL)
    gtk_flow_box_remove (self->flow_box, child);
  items = stria_recent_list ();
  for (guint i = 0; i < items->len; i++)
    gtk_flow_box_append (self->flow_box, card_new (self, g_ptr_array_index (items, i)));
  gtk_widget_set_visible (self->recent_box, items->len > 0);
}
