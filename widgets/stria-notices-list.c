/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-notices-list.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-format.h"

/* A folder of ten thousand bad files has as many notices, worst first. */
#define MAX_ROWS 500

struct _StriaNoticesList
{
  GtkWidget parent_instance;

  StriaNotices *notices;

  GtkStack   *stack;
  GtkListBox *list_box;
};

G_DEFINE_FINAL_TYPE (StriaNoticesList, stria_notices_list, GTK_TYPE_WIDGET)

static GtkWidget *
row_new (const StriaNotice *notice)
{
  static const char *const icons[] = { "dialog-information-symbolic", "dialog-warning-symbolic",
                                       "dialog-error-symbolic" };
  static const char *const classes[] = { "accent", "warning", "error" };
  const char *severity[] = { _ ("Information"), _ ("Warning"), _ ("Error") };
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *icon = gtk_image_new_from_icon_name (icons[notice->severity]);
  g_autoptr (GString) where = g_string_new (notice->file);

  if (notice->offset >= 0)
    {
      g_autofree char *offset = stria_format_count ((guint64) notice->offset);

      if (where->len > 0)
        g_string_append (where, " · ");
      /* Translators: place in a file, in bytes */
      g_string_append_printf (where, _ ("first at byte %s"), offset);
    }
  if (where->len > 0)
    g_string_append (where, " · ");
  g_string_append (where, notice->code);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), notice->message);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 0);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), where->str);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  adw_preferences_row_set_title_selectable (ADW_PREFERENCES_ROW (row), TRUE);

  gtk_widget_add_css_class (icon, classes[notice->severity]);
  gtk_accessible_update_property (GTK_ACCESSIBLE (icon), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  severity[notice->severity], -1);
  gtk_widget_set_tooltip_text (icon, severity[notice->severity]);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);

  if (notice->count > 1)
    {
      g_autofree char *count = stria_format_count (notice->count);
      g_autofree char *times = g_strdup_printf ("× %s", count);
      GtkWidget *label = gtk_label_new (times);

      gtk_widget_add_css_class (label, "numeric");
      gtk_widget_add_css_class (label, "dim-label");
      gtk_widget_set_tooltip_text (label, _ ("How many times it was met"));
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
    }
  return row;
}

static void
stria_notices_list_dispose (GObject *object)
{
  StriaNoticesList *self = STRIA_NOTICES_LIST (object);
  GtkWidget *child;

  g_clear_pointer (&self->notices, stria_notices_unref);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (stria_notices_list_parent_class)->dispose (object);
}

static void
stria_notices_list_class_init (StriaNoticesListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_notices_list_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stria/Stria/ui/stria-notices-list.ui");
  gtk_widget_class_bind_template_child (widget_class, StriaNoticesList, stack);
  gtk_widget_class_bind_template_child (widget_class, StriaNoticesList, list_box);
}

static void
stria_notices_list_init (StriaNoticesList *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * stria_notices_list_new:
 * @notices: what to show
 *
 * Returns: (transfer full): the list
 */
GtkWidget *
stria_notices_list_new (StriaNotices *notices)
{
  StriaNoticesList *self;

  g_return_val_if_fail (notices != NULL, NULL);

  self = g_object_new (STRIA_TYPE_NOTICES_LIST, NULL);
  self->notices = stria_notices_ref (notices);
  stria_notices_list_refresh (self);
  return GTK_WIDGET (self);
}

void
stria_notices_list_refresh (StriaNoticesList *self)
{
  g_autoptr (GPtrArray) list = NULL;
  GtkWidget *row;

  g_return_if_fail (STRIA_IS_NOTICES_LIST (self));

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->list_box))) != NULL)
    gtk_list_box_remove (self->list_box, row);

  list = stria_notices_list (self->notices);
  for (guint i = 0; i < list->len && i < MAX_ROWS; i++)
    gtk_list_box_append (self->list_box, row_new (g_ptr_array_index (list, i)));
  if (list->len > MAX_ROWS)
    {
      guint n = list->len - MAX_ROWS;
      g_autofree char *text = g_strdup_printf (ngettext ("and %u more", "and %u more", n), n);
      GtkWidget *label = gtk_label_new (text);

      gtk_widget_set_margin_top (label, 12);
      gtk_widget_set_margin_bottom (label, 12);
      gtk_list_box_append (self->list_box, label);
    }
  gtk_stack_set_visible_child_name (self->stack, list->len > 0 ? "list" : "empty");
}
