/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-view-switcher.h"

#include <adwaita.h>

#include "stria-key-bindings.h"
#include "stria-keys-apply.h"
#include <glib/gi18n-lib.h>

enum
{
  WITH_TITLES,
  WITH_ICONS,
  IN_LIST,
  N_FORMS
};

/* A page in each form */
typedef struct
{
  StriaViewSwitcher *switcher;
  GtkStackPage      *page;
  GtkWidget         *buttons[N_FORMS];
  GtkWidget         *title; /* beside the icon */
} Tab;

struct _StriaViewSwitcher
{
  GtkWidget parent_instance;

  GtkStack  *stack;
  GPtrArray *tabs;
  GtkWidget *squeezer;
  GtkWidget *boxes[N_FORMS];
  GtkWidget *menu_button;
  GtkWidget *menu_icon;
  GtkWidget *menu_title;
  gboolean   is_updating;
};

G_DEFINE_FINAL_TYPE (StriaViewSwitcher, stria_view_switcher, GTK_TYPE_WIDGET)

/* The tooltip of a page: its title, and the key that it has at first */
static void
set_tooltip (GtkWidget *button, Tab *tab)
{
  const char *title = gtk_stack_page_get_title (tab->page);
  g_autofree char *action
      = g_strdup_printf ("win.show-view::%s", gtk_stack_page_get_name (tab->page));
  const StriaKeyRow *row = stria_key_row (action);
  const char *const keys[] = { row != NULL ? row->keys : NULL, NULL };
  g_autofree char *label = stria_key_label (keys);
  g_autofree char *text = row != NULL ? g_strdup_printf ("%s (%s)", title, label) : NULL;

  gtk_widget_set_tooltip_text (button, text != NULL ? text : title);
  if (row != NULL)
    stria_key_tooltip (button, action);
}

static void
update (StriaViewSwitcher *self)
{
  GtkWidget *visible = gtk_stack_get_visible_child (self->stack);

  self->is_updating = TRUE;
  for (guint i = 0; i < self->tabs->len; i++)
    {
      Tab *tab = g_ptr_array_index (self->tabs, i);
      const gboolean is_shown = gtk_stack_page_get_child (tab->page) == visible;

      for (guint form = 0; form < N_FORMS; form++)
        {
          gtk_widget_set_visible (tab->buttons[form], gtk_stack_page_get_visible (tab->page));
          gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (tab->buttons[form]), is_shown);
          gtk_accessible_update_state (GTK_ACCESSIBLE (tab->buttons[form]),
                                       GTK_ACCESSIBLE_STATE_SELECTED, is_shown, -1);
        }
      gtk_widget_set_visible (tab->title, is_shown);
      if (!is_shown)
        continue;
      gtk_image_set_from_icon_name (GTK_IMAGE (self->menu_icon),
                                    gtk_stack_page_get_icon_name (tab->page));
      gtk_label_set_label (GTK_LABEL (self->menu_title), gtk_stack_page_get_title (tab->page));
    }
  self->is_updating = FALSE;
}

static void
on_toggled (GtkToggleButton *button, Tab *tab)
{
  StriaViewSwitcher *self = tab->switcher;

  if (self->is_updating)
    return;
  gtk_menu_button_popdown (GTK_MENU_BUTTON (self->menu_button));
  gtk_stack_set_visible_child (self->stack, gtk_stack_page_get_child (tab->page));
  /* The one that is shown cannot be switched off. */
  update (self);
}

static GtkWidget *
button_new (Tab *tab, guint form)
{
  GtkWidget *button = g_object_new (GTK_TYPE_TOGGLE_BUTTON, "accessible-role",
                                    GTK_ACCESSIBLE_ROLE_TAB, "focus-on-click", FALSE, NULL);
  const char *title = gtk_stack_page_get_title (tab->page);
  GtkWidget *box, *label;

  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  -1);
  label = gtk_label_new (title);
  if (form == WITH_TITLES)
    gtk_button_set_child (GTK_BUTTON (button), label);
  else
    {
      box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
      gtk_box_append (GTK_BOX (box),
                      gtk_image_new_from_icon_name (gtk_stack_page_get_icon_name (tab->page)));
      gtk_box_append (GTK_BOX (box), label);
      gtk_button_set_child (GTK_BUTTON (button), box);
    }
  if (form == WITH_ICONS)
    tab->title = label;
  if (form == IN_LIST)
    gtk_widget_add_css_class (button, "flat");
  set_tooltip (button, tab);
  g_signal_connect (button, "toggled", G_CALLBACK (on_toggled), tab);
  gtk_box_append (GTK_BOX (tab->switcher->boxes[form]), button);
  return button;
}

static void
add_tab (StriaViewSwitcher *self, GtkStackPage *page)
{
  Tab *tab = g_new0 (Tab, 1);

  tab->switcher = self;
  tab->page = page;
  for (guint form = 0; form < N_FORMS; form++)
    tab->buttons[form] = button_new (tab, form);
  g_ptr_array_add (self->tabs, tab);
  g_signal_connect_object (page, "notify::visible", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
}

static void
stria_view_switcher_dispose (GObject *object)
{
  StriaViewSwitcher *self = STRIA_VIEW_SWITCHER (object);

  g_clear_pointer (&self->squeezer, gtk_widget_unparent);
  g_clear_object (&self->stack);
  G_OBJECT_CLASS (stria_view_switcher_parent_class)->dispose (object);
}

static void
stria_view_switcher_finalize (GObject *object)
{
  g_ptr_array_unref (STRIA_VIEW_SWITCHER (object)->tabs);
  G_OBJECT_CLASS (stria_view_switcher_parent_class)->finalize (object);
}

static void
stria_view_switcher_class_init (StriaViewSwitcherClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_view_switcher_dispose;
  G_OBJECT_CLASS (klass)->finalize = stria_view_switcher_finalize;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "viewtabs");
}

static void
stria_view_switcher_init (StriaViewSwitcher *self)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->tabs = g_ptr_array_new_with_free_func (g_free);
  self->squeezer = adw_squeezer_new ();
  adw_squeezer_set_homogeneous (ADW_SQUEEZER (self->squeezer), FALSE);
  adw_squeezer_set_xalign (ADW_SQUEEZER (self->squeezer), 0);
  gtk_widget_set_parent (self->squeezer, GTK_WIDGET (self));
  for (guint form = 0; form < N_FORMS; form++)
    {
      /* A list of tabs in the words of screen readers, like the switchers of GTK */
      self->boxes[form] = g_object_new (
          GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_TAB_LIST, "spacing", 2,
          "orientation", form == IN_LIST ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL,
          NULL);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->boxes[form]),
                                      GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Views of the capture"),
                                      -1);
      if (form == WITH_TITLES)
        gtk_widget_add_css_class (self->boxes[form], "titles");
      if (form != IN_LIST)
        adw_squeezer_add (ADW_SQUEEZER (self->squeezer), self->boxes[form]);
    }

  self->menu_icon = gtk_image_new ();
  self->menu_title = gtk_label_new (NULL);
  gtk_box_append (GTK_BOX (content), self->menu_icon);
  gtk_box_append (GTK_BOX (content), self->menu_title);
  gtk_popover_set_child (GTK_POPOVER (popover), self->boxes[IN_LIST]);
  self->menu_button = gtk_menu_button_new ();
  gtk_menu_button_set_child (GTK_MENU_BUTTON (self->menu_button), content);
  gtk_menu_button_set_always_show_arrow (GTK_MENU_BUTTON (self->menu_button), TRUE);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->menu_button), popover);
  gtk_widget_set_tooltip_text (self->menu_button, _ ("Views of the capture"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->menu_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Views of the capture"), -1);
  adw_squeezer_add (ADW_SQUEEZER (self->squeezer), self->menu_button);
}

void
stria_view_switcher_set_stack (StriaViewSwitcher *self, GtkStack *stack)
{
  g_autoptr (GtkSelectionModel) pages = NULL;

  g_return_if_fail (STRIA_IS_VIEW_SWITCHER (self));
  g_return_if_fail (self->stack == NULL);

  self->stack = g_object_ref (stack);
  pages = gtk_stack_get_pages (stack);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (pages)); i++)
    {
      g_autoptr (GObject) page = g_list_model_get_item (G_LIST_MODEL (pages), i);

      add_tab (self, GTK_STACK_PAGE (page));
    }
  g_signal_connect_object (stack, "notify::visible-child", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  update (self);
}

void
stria_view_switcher_each (StriaViewSwitcher *self, StriaViewTabFunc func, gpointer user_data)
{
  g_return_if_fail (STRIA_IS_VIEW_SWITCHER (self));

  for (guint i = 0; i < self->tabs->len; i++)
    {
      Tab *tab = g_ptr_array_index (self->tabs, i);

      for (guint form = 0; form < N_FORMS; form++)
        func (tab->buttons[form], gtk_stack_page_get_name (tab->page), user_data);
    }
}
