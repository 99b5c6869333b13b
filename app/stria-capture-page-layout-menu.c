/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-capture-page-private.h"

#include <glib/gi18n-lib.h>

#include "stria-key-bindings.h"
#include "stria-keys-apply.h"
#include "stria-layout-dialogs.h"
#include "stria-layouts.h"
#include "stria-view-registry.h"
#include "stria-widget-tools.h"

/* The menu of layouts, what its entries and their keys do. */

#define SECOND "timeline2"

typedef struct
{
  guint           key;
  GdkModifierType modifiers;
  const char     *action;
  const char     *target; /* (nullable) */
} Key;

/* -- what is done ---------------------------------------------------------------------------- */

static void
on_shift (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  StriaCapturePage *self = data;

  stria_dock_shift (self->dock, stria_dock_side (g_variant_get_string (parameter, NULL)));
}

static void
on_place (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  StriaCapturePage *self = data;
  const char *id, *side;

  g_variant_get (parameter, "(&s&s)", &id, &side);
  stria_dock_place (self->dock, id, stria_dock_side (side));
}

static void
on_back (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  stria_dock_back (STRIA_CAPTURE_PAGE (data)->dock, NULL);
}

static void
on_back_of (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  stria_dock_back (STRIA_CAPTURE_PAGE (data)->dock, g_variant_get_string (parameter, NULL));
}

static void
on_reset (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  stria_dock_reset (STRIA_CAPTURE_PAGE (data)->dock);
}

static void
on_even (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  stria_dock_even (STRIA_CAPTURE_PAGE (data)->dock);
}

static void
on_next (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  stria_dock_cycle (STRIA_CAPTURE_PAGE (data)->dock, TRUE);
}

static void
on_previous (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  stria_dock_cycle (STRIA_CAPTURE_PAGE (data)->dock, FALSE);
}

static void
on_second (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  StriaCapturePage *self = data;

  if (stria_dock_is_docked (self->dock, SECOND))
    stria_dock_back (self->dock, SECOND);
  else if (stria_dock_can_place (self->dock, SECOND))
    {
      stria_capture_page_show_view (self, "timeline");
      stria_dock_place (self->dock, SECOND, STRIA_SIDE_BOTTOM);
    }
}

static void
on_details_below (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  StriaCapturePage *self = data;

  stria_capture_page_set_details_below (self, !self->details_below);
  /* Who moves them wants to see them. */
  self->wants_details = TRUE;
  stria_capture_page_view_changed (self);
}

static void
on_built_in (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  StriaCapturePage *self = data;
  const StriaBuiltInLayout *chosen
      = stria_layouts_find_built_in (g_variant_get_string (parameter, NULL));

  if (chosen == NULL)
    return;
  if (chosen->panes[0] == NULL)
    {
      stria_dock_reset (self->dock);
      return;
    }
  stria_dock_load (self->dock, chosen->panes);
  stria_capture_page_show_view (self, chosen->tab);
  stria_capture_page_focus (self);
}

static void
on_named (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  StriaCapturePage *self = data;
  const char *name = g_variant_get_string (parameter, NULL);
  g_autoptr (StriaLayout) layout = stria_layouts_get (name);

  if (layout != NULL)
    stria_capture_page_apply_layout (self, layout, TRUE);
}

static void
on_save (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  stria_layout_dialogs_save (data, stria_capture_page_get_layout (data));
}

static void
on_manage (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  stria_layout_dialogs_manage (data);
}

static void
on_menu (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_menu_button_popup (STRIA_CAPTURE_PAGE (data)->layout_button);
}

/* -- the menu -------------------------------------------------------------------------------- */

static void
append (GMenu *menu, const char *label, const char *action, GVariant *target, const char *keys)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target_value (item, action, target);
  if (keys != NULL)
    g_menu_item_set_attribute (item, "accel", "s", keys);
  g_menu_append_item (menu, item);
}

/* Titles and names are not labels: what looks like a mnemonic in them is none. */
static char *
as_label (const char *text)
{
  g_autoptr (GString) label = g_string_new (text);

  g_string_replace (label, "_", "__", 0);
  return g_strdup (label->str);
}

static gboolean
applies (StriaCapturePage *self, const StriaBuiltInLayout *layout)
{
  for (guint i = 0; layout->panes[i] != NULL; i++)
    if (stria_views_find (layout->panes[i]) != NULL
        && !stria_views_can_show (self->view_stack, layout->panes[i]))
      return FALSE;
  return layout->tab == NULL || stria_views_is_listed (self->view_stack, layout->tab);
}

static GMenuModel *
layouts_section (StriaCapturePage *self)
{
  GMenu *menu = g_menu_new ();
  g_auto (GStrv) names = stria_layouts_list ();
  const StriaBuiltInLayout *built_in;
  guint n;

  built_in = stria_layouts_built_in (&n);
  for (guint i = 0; i < n; i++)
    if (applies (self, &built_in[i]))
      append (menu, _ (built_in[i].title), "dock.built-in", g_variant_new_string (built_in[i].id),
              i == 0 ? "<Control><Alt>0" : NULL);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *label = as_label (names[i]);

      append (menu, label, "dock.named", g_variant_new_string (names[i]), NULL);
    }
  return G_MENU_MODEL (menu);
}

/* Views that can be put on a side */
static GMenuModel *
views_menu (StriaCapturePage *self, const char *side)
{
  GMenu *menu = g_menu_new ();
  const StriaView *view;

  for (guint i = 0; (view = stria_views_nth (i)) != NULL; i++)
    if (stria_dock_can_place (self->dock, view->id))
      append (menu, _ (view->title), "dock.place", g_variant_new ("(ss)", view->id, side), NULL);
  return G_MENU_MODEL (menu);
}

static GMenuModel *
places_section (StriaCapturePage *self)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenuModel) right = views_menu (self, "right");
  g_autoptr (GMenuModel) below = views_menu (self, "below");
  g_autofree char *second = stria_keys_first ("dock.second");

  g_menu_append_submenu (menu, _ ("Open at the _Right"), right);
  g_menu_append_submenu (menu, _ ("Open _Below"), below);
  if (stria_views_can_show (self->view_stack, SECOND))
    append (menu, _ ("Second _Timeline"), "dock.second", NULL, second);
  append (menu, _ ("_Details Below"), "dock.details-below", NULL, NULL);
  if (stria_dock_count (self->dock) > 1)
    append (menu, _ ("_Even Out the Panes"), "dock.even", NULL, NULL);
  return G_MENU_MODEL (menu);
}

static void
create_popup (GtkMenuButton *button, gpointer data)
{
  StriaCapturePage *self = data;
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) files = g_menu_new ();
  g_autoptr (GMenuModel) layouts = layouts_section (self);
  g_autoptr (GMenuModel) places = places_section (self);
  GActionMap *actions = G_ACTION_MAP (self->layout_actions);

  g_simple_action_set_state (
      G_SIMPLE_ACTION (g_action_map_lookup_action (actions, "second")),
      g_variant_new_boolean (stria_dock_is_docked (self->dock, SECOND)));
  g_simple_action_set_state (
      G_SIMPLE_ACTION (g_action_map_lookup_action (actions, "details-below")),
      g_variant_new_boolean (self->details_below));
  append (files, _ ("_Save Layout As…"), "dock.save", NULL, NULL);
  append (files, _ ("Edit _Layouts…"), "dock.manage", NULL, NULL);
  g_menu_append_section (menu, NULL, layouts);
  g_menu_append_section (menu, NULL, places);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (files));
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

/* -- keys ------------------------------------------------------------------------------------ */

static gboolean
on_key (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  const Key *key = user_data;
  StriaCapturePage *self = STRIA_CAPTURE_PAGE (widget);

  if (!gtk_widget_get_mapped (widget))
    return FALSE;
  g_action_group_activate_action (G_ACTION_GROUP (self->layout_actions), key->action,
                                  key->target != NULL ? g_variant_new_string (key->target) : NULL);
  return TRUE;
}

static void
add_key (GtkShortcutController *controller, const Key *key)
{
  g_autofree char *name = key->target != NULL
                              ? g_strdup_printf ("dock.%s::%s", key->action, key->target)
                              : g_strdup_printf ("dock.%s", key->action);

  stria_key_bind (controller, key->key, key->modifiers,
                  stria_key_row (name) != NULL ? name : NULL, on_key, key);
}

static void
add_keys (StriaCapturePage *self)
{
  /* Desktops take some of those with Ctrl+Alt for themselves: F8 does what is done most. */
  static const Key keys[] = {
    { GDK_KEY_Left, GDK_CONTROL_MASK | GDK_ALT_MASK, "shift", "left" },
    { GDK_KEY_Up, GDK_CONTROL_MASK | GDK_ALT_MASK, "shift", "above" },
    { GDK_KEY_F8, 0, "shift", "right" },
    { GDK_KEY_Right, GDK_CONTROL_MASK | GDK_ALT_MASK, "shift", "right" },
    { GDK_KEY_F8, GDK_SHIFT_MASK, "shift", "below" },
    { GDK_KEY_Down, GDK_CONTROL_MASK | GDK_ALT_MASK, "shift", "below" },
    { GDK_KEY_F8, GDK_CONTROL_MASK, "back", NULL },
    { GDK_KEY_F8, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "reset", NULL },
    { GDK_KEY_0, GDK_CONTROL_MASK | GDK_ALT_MASK, "reset", NULL },
    { GDK_KEY_F6, GDK_CONTROL_MASK, "next", NULL },
    { GDK_KEY_F6, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "previous", NULL },
    { GDK_KEY_t, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "second", NULL },
    { GDK_KEY_l, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "menu", NULL },
  };
  GtkShortcutController *controller = stria_key_controller_new (GTK_WIDGET (self));

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    add_key (controller, &keys[i]);
}

void
stria_capture_page_add_layout_menu (StriaCapturePage *self)
{
  static const GActionEntry entries[] = {
    { .name = "shift", .activate = on_shift, .parameter_type = "s" },
    { .name = "place", .activate = on_place, .parameter_type = "(ss)" },
    { .name = "back", .activate = on_back },
    { .name = "back-of", .activate = on_back_of, .parameter_type = "s" },
    { .name = "reset", .activate = on_reset },
    { .name = "even", .activate = on_even },
    { .name = "next", .activate = on_next },
    { .name = "previous", .activate = on_previous },
    { .name = "second", .activate = on_second, .state = "false" },
    { .name = "details-below", .activate = on_details_below, .state = "false" },
    { .name = "built-in", .activate = on_built_in, .parameter_type = "s" },
    { .name = "named", .activate = on_named, .parameter_type = "s" },
    { .name = "save", .activate = on_save },
    { .name = "manage", .activate = on_manage },
    { .name = "menu", .activate = on_menu },
  };

  self->layout_actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->layout_actions), entries,
                                   G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "dock",
                                  G_ACTION_GROUP (self->layout_actions));
  gtk_menu_button_set_create_popup_func (self->layout_button, create_popup, self, NULL);
  add_keys (self);
}
