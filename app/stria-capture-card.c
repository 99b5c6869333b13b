/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-capture-card.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-cache.h"
#include "stria-choosers.h"
#include "stria-format.h"
#include "stria-thumbnail.h"

static void
card_data_free (gpointer data)
{
  stria_recent_item_free (data);
}

/* -- texts ----------------------------------------------------------------------------------- */

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

/* @stored: bytes of its store */
static char *
describe_date (const StriaRecentItem *item, guint64 stored)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (item->opened_us / G_USEC_PER_SEC);
  g_autoptr (GTimeZone) zone = stria_format_ref_time_zone ();
  g_autoptr (GDateTime) local = utc != NULL ? g_date_time_to_timezone (utc, zone) : NULL;
  g_autofree char *bytes = stria_format_bytes ((gint64) stored);
  g_autofree char *date = NULL;

  /* Translators: day, month and time at which a capture was opened, for strftime() */
  date = local != NULL ? g_date_time_format (local, _ ("%-d %b %Y, %H:%M")) : g_strdup ("");
  if (stored == 0)
    return g_strdup_printf (_ ("%s · not in the cache"), date);
  /* Translators: a date, and bytes on the disk */
  return g_strdup_printf (_ ("%s · %s in the cache"), date, bytes);
}

/* Its folder and tags, NULL if it has none */
static char *
describe_marks (const StriaRecentItem *item)
{
  g_autofree char *tags = item->tags != NULL && item->tags[0] != NULL
                              ? g_strjoinv (", ", item->tags)
                              : NULL;

  if (item->folder != NULL && tags != NULL)
    return g_strdup_printf ("%s · %s", item->folder, tags);
  return g_strdup (item->folder != NULL ? item->folder : tags);
}

/* -- what its menu does ---------------------------------------------------------------------- */

static const StriaRecentItem *
item_of (gpointer card)
{
  return g_object_get_data (G_OBJECT (card), "item");
}

static void
changed (gpointer card)
{
  gtk_widget_activate_action (GTK_WIDGET (card), "captures.refresh", NULL);
}

static void
tell (gpointer card, const char *text)
{
  stria_tell (GTK_WIDGET (card), text);
}

static void
on_pin (GtkButton *button, GtkWidget *card)
{
  StriaRecentItem marks = *item_of (card);

  marks.pinned = !marks.pinned;
  stria_recent_mark ((const char *const *) marks.paths, &marks);
  changed (card);
}

static void
on_remove (GSimpleAction *action, GVariant *parameter, gpointer card)
{
  stria_recent_remove ((const char *const *) item_of (card)->paths);
  changed (card);
}

static void
on_open_location (GSimpleAction *action, GVariant *parameter, gpointer card)
{
  gtk_widget_activate_action (GTK_WIDGET (card), "win.open-folder-of", "@ay",
                              g_variant_new_bytestring (item_of (card)->paths[0]));
}

static void
on_open_window (GSimpleAction *action, GVariant *parameter, gpointer card)
{
  gtk_widget_activate_action (GTK_WIDGET (card), "captures.open-window", "^aay",
                              item_of (card)->paths);
}

static void
on_reimport (GSimpleAction *action, GVariant *parameter, gpointer card)
{
  gtk_widget_activate_action (GTK_WIDGET (card), "captures.reimport", "^aay",
                              item_of (card)->paths);
}

static void
on_uncache_response (AdwMessageDialog *dialog, const char *response, GtkWidget *card)
{
  g_autoptr (GError) error = NULL;

  if (!g_str_equal (response, "remove"))
    return;
  if (stria_cache_remove (item_of (card)->key, &error))
    tell (card, _ ("Removed from the cache; the files are read again when it is opened"));
  else
    tell (card, error->message);
  changed (card);
}

static void
on_uncache (GSimpleAction *action, GVariant *parameter, gpointer card)
{
  const StriaRecentItem *item = item_of (card);
  g_autofree char *bytes
      = stria_format_bytes ((gint64) stria_cache_store_bytes (item->key));
  g_autofree char *body = g_strdup_printf (
      _ ("What was read of “%s” is removed from the cache: %s. Its files stay, and so does its place "
         "in this list. Opening it takes as long as the first time."),
      item->title, bytes);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (gtk_widget_get_root (card)),
                                              _ ("Remove from the Cache?"), body);

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "remove",
                                    _ ("_Remove"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "remove",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_uncache_response), card, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* Words between commas, each once */
static char **
split_tags (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  g_autoptr (GStrvBuilder) tags = g_strv_builder_new ();
  g_autoptr (GHashTable) told = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_strstrip (parts[i]);
      if (parts[i][0] != '\0' && g_hash_table_add (told, parts[i]))
        g_strv_builder_add (tags, parts[i]);
    }
  return g_strv_builder_end (tags);
}

static void
on_marks_response (AdwMessageDialog *dialog, const char *response, GtkWidget *card)
{
  GtkEditable *folder = g_object_get_data (G_OBJECT (dialog), "folder");
  GtkEditable *tags = g_object_get_data (G_OBJECT (dialog), "tags");
  g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (folder)));
  g_auto (GStrv) words = split_tags (gtk_editable_get_text (tags));
  StriaRecentItem marks = *item_of (card);

  if (!g_str_equal (response, "save"))
    return;
  marks.folder = name[0] != '\0' ? name : NULL;
  marks.tags = words;
  stria_recent_mark ((const char *const *) marks.paths, &marks);
  changed (card);
}

static GtkWidget *
entry_row (GtkWidget *list, const char *title, const char *text)
{
  GtkWidget *row = adw_entry_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_editable_set_text (GTK_EDITABLE (row), text);
  adw_entry_row_set_activates_default (ADW_ENTRY_ROW (row), TRUE);
  gtk_list_box_append (GTK_LIST_BOX (list), row);
  return row;
}

static void
on_marks (GSimpleAction *action, GVariant *parameter, gpointer card)
{
  const StriaRecentItem *item = item_of (card);
  GtkWidget *dialog = adw_message_dialog_new (
      GTK_WINDOW (gtk_widget_get_root (card)), _ ("Folder and Tags"),
      _ ("They are kept in this list only; nothing of the files is changed."));
  GtkWidget *list = gtk_list_box_new ();
  g_autofree char *tags = item->tags != NULL ? g_strjoinv (", ", item->tags) : g_strdup ("");

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  g_object_set_data (G_OBJECT (dialog), "folder",
                     entry_row (list, _ ("Folder"), item->folder != NULL ? item->folder : ""));
  g_object_set_data (G_OBJECT (dialog), "tags",
                     entry_row (list, _ ("Tags, with commas between them"), tags));
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), list);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "save",
                                    _ ("_Save"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "save",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "save");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_marks_response), card, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
add_actions (GtkWidget *card, gboolean has_store)
{
  static const GActionEntry entries[] = {
    { .name = "open-window", .activate = on_open_window },
    { .name = "open-location", .activate = on_open_location },
    { .name = "marks", .activate = on_marks },
    { .name = "reimport", .activate = on_reimport },
    { .name = "uncache", .activate = on_uncache },
    { .name = "remove", .activate = on_remove },
  };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), card);
  g_simple_action_set_enabled (
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (group), "uncache")), has_store);
  gtk_widget_insert_action_group (card, "card", G_ACTION_GROUP (group));
}

static GMenuModel *
menu_new (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) opening = g_menu_new ();
  g_autoptr (GMenu) marking = g_menu_new ();
  g_autoptr (GMenu) removing = g_menu_new ();

  g_menu_append (opening, _ ("Open in a _New Window"), "card.open-window");
  g_menu_append (opening, _ ("Open _Location"), "card.open-location");
  g_menu_append (opening, _ ("Import _Again"), "card.reimport");
  g_menu_append (marking, _ ("_Folder and Tags…"), "card.marks");
  g_menu_append (removing, _ ("Remove from the _Cache…"), "card.uncache");
  g_menu_append (removing, _ ("_Remove from This List"), "card.remove");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (opening));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (marking));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (removing));
  return G_MENU_MODEL (menu);
}

/* -- the widget ------------------------------------------------------------------------------ */

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

static void
make_osd (GtkWidget *button, const char *tooltip, const char *name)
{
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_widget_add_css_class (button, "osd");
  gtk_widget_add_css_class (button, "card-button");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static GtkWidget *
buttons_new (GtkWidget *card, const StriaRecentItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *pin = gtk_button_new_from_icon_name (item->pinned ? "starred-symbolic"
                                                               : "non-starred-symbolic");
  GtkWidget *more = gtk_menu_button_new ();
  g_autoptr (GMenuModel) menu = menu_new ();
  g_autofree char *pin_name = g_strdup_printf (
      item->pinned ? _ ("Unpin “%s”") : _ ("Pin “%s”"), item->title);
  g_autofree char *more_name = g_strdup_printf (_ ("More about “%s”"), item->title);

  gtk_widget_add_css_class (pin, "circular");
  make_osd (pin, item->pinned ? _ ("Pinned: stands before the others and stays in this list")
                              : _ ("Pin: let it stand before the others"),
            pin_name);
  if (item->pinned)
    gtk_widget_add_css_class (pin, "pinned");
  g_signal_connect_object (pin, "clicked", G_CALLBACK (on_pin), card, 0);
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (more), "view-more-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (more), menu);
  gtk_widget_add_css_class (more, "circular");
  make_osd (more, _ ("More"), more_name);
  gtk_widget_set_halign (box, GTK_ALIGN_END);
  gtk_widget_set_valign (box, GTK_ALIGN_START);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_end (box, 6);
  gtk_box_append (GTK_BOX (box), pin);
  gtk_box_append (GTK_BOX (box), more);
  return box;
}

GtkWidget *
stria_capture_card_new (const StriaRecentItem *item)
{
  GtkWidget *child = gtk_flow_box_child_new ();
  GtkWidget *overlay = gtk_overlay_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *title = gtk_label_new (item->title);
  const guint64 stored = item->key != NULL ? stria_cache_store_bytes (item->key) : 0;
  StriaRecentItem *copy = g_new0 (StriaRecentItem, 1);
  g_autofree char *place = describe_place (item);
  g_autofree char *content = describe_content (item);
  g_autofree char *date = describe_date (item, stored);
  g_autofree char *marks = describe_marks (item);
  g_autofree char *all_paths = g_strjoinv ("\n", item->paths);
  g_autofree char *tooltip = g_utf8_make_valid (all_paths, -1);

  *copy = *item;
  copy->paths = g_strdupv (item->paths);
  copy->title = g_strdup (item->title);
  copy->key = g_strdup (item->key);
  copy->folder = g_strdup (item->folder);
  copy->tags = g_strdupv (item->tags);
  g_object_set_data_full (G_OBJECT (child), "item", copy, card_data_free);

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (title, "heading");
  gtk_widget_add_css_class (texts, "texts");
  gtk_box_append (GTK_BOX (texts), title);
  gtk_box_append (GTK_BOX (texts), caption_new (content, PANGO_ELLIPSIZE_END));
  gtk_box_append (GTK_BOX (texts), caption_new (place, PANGO_ELLIPSIZE_MIDDLE));
  gtk_box_append (GTK_BOX (texts), caption_new (date, PANGO_ELLIPSIZE_END));
  if (marks != NULL)
    {
      GtkWidget *label = caption_new (marks, PANGO_ELLIPSIZE_END);

      gtk_widget_remove_css_class (label, "dim-label");
      gtk_widget_add_css_class (label, "accent");
      gtk_widget_set_tooltip_text (label, marks);
      gtk_box_append (GTK_BOX (texts), label);
    }
  gtk_box_append (GTK_BOX (box), picture_new (item));
  gtk_box_append (GTK_BOX (box), texts);
  gtk_widget_add_css_class (box, "card");
  gtk_widget_add_css_class (box, "activatable");
  gtk_widget_set_overflow (box, GTK_OVERFLOW_HIDDEN);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), box);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), buttons_new (child, item));
  gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (child), overlay);
  gtk_widget_add_css_class (child, "recent");
  gtk_widget_set_tooltip_text (child, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  item->title, -1);
  add_actions (child, stored > 0);
  return child;
}

const StriaRecentItem *
stria_capture_card_get_item (GtkWidget *card)
{
  return item_of (card);
}

gboolean
stria_capture_card_has (GtkWidget *card, const char *words)
{
  const StriaRecentItem *item = item_of (card);
  g_autofree char *paths = g_strjoinv (" ", item->paths);
  g_autofree char *valid = g_utf8_make_valid (paths, -1);
  g_autofree char *tags = item->tags != NULL ? g_strjoinv (" ", item->tags) : NULL;
  g_autofree char *all = g_strdup_printf ("%s %s %s %s", item->title, valid,
                                          item->folder != NULL ? item->folder : "",
                                          tags != NULL ? tags : "");
  g_autofree char *text = g_utf8_casefold (all, -1);
  g_autofree char *wanted = g_utf8_casefold (words, -1);
  g_auto (GStrv) each = g_strsplit (wanted, " ", -1);

  for (guint i = 0; each[i] != NULL; i++)
    if (strstr (text, each[i]) == NULL)
      return FALSE;
  return TRUE;
}
