/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-view-private.h"

#include "stria-dock.h"
#include "stria-key-bindings.h"
#include "stria-widget-tools.h"

/* The keys of the model view, and where they go. */

typedef struct
{
  guint           key;
  GdkModifierType modifiers;
  const char     *name; /* (nullable): NULL if it stays */
  gboolean      (*func) (StriaModelView *self, guint data);
  guint           data;
} Key;

static gboolean
shows_page (StriaModelView *self)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->pages), "graphs") == 0;
}

gboolean
stria_model_view_shows_graphs (StriaModelView *self)
{
  return shows_page (self)
         && g_strcmp0 (gtk_stack_get_visible_child_name (self->graphs), "panes") == 0
         && !stria_model_compare_parts_is_active (self->compared);
}

static gboolean
shows_comparison (StriaModelView *self)
{
  return shows_page (self) && stria_model_compare_parts_is_active (self->compared);
}

StriaModelTab *
stria_model_view_current_tab (StriaModelView *self)
{
  StriaModelPane *pane = stria_model_panes_current (self->panes);

  if (stria_model_compare_parts_is_active (self->compared))
    return stria_model_compare_parts_get_tab (self->compared);
  return pane != NULL ? stria_model_pane_get_tab (pane) : NULL;
}

StriaModelState *
stria_model_view_current_state (StriaModelView *self)
{
  return stria_model_compare_parts_is_active (self->compared)
             ? stria_model_compare_parts_get_state (self->compared)
             : self->state;
}

static gboolean
on_export (StriaModelView *self, guint data)
{
  gtk_menu_button_popup (GTK_MENU_BUTTON (self->export_button));
  return TRUE;
}

static gboolean
on_compare (StriaModelView *self, guint data)
{
  return gtk_widget_activate_action (GTK_WIDGET (self), "model.compare", NULL);
}

static gboolean
on_end_compare (StriaModelView *self, guint data)
{
  return gtk_widget_activate_action (GTK_WIDGET (self), "model.end-compare", NULL);
}

static gboolean
on_split (StriaModelView *self, guint side)
{
  if (!stria_model_view_shows_graphs (self))
    return FALSE;
  stria_model_panes_split (self->panes, side);
  return TRUE;
}

static gboolean
on_move (StriaModelView *self, guint side)
{
  if (!stria_model_view_shows_graphs (self))
    return FALSE;
  stria_model_panes_move (self->panes, side);
  return TRUE;
}

static gboolean
on_close (StriaModelView *self, guint data)
{
  if (!stria_model_view_shows_graphs (self))
    return FALSE;
  stria_model_panes_close (self->panes);
  return TRUE;
}

static gboolean
on_cycle (StriaModelView *self, guint forward)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
  const gboolean in_details
      = focus != NULL
        && (focus == self->details || gtk_widget_is_ancestor (focus, self->details));

  if (stria_model_view_shows_graphs (self) && stria_model_panes_cycle (self->panes, forward))
    return TRUE;
  if (shows_comparison (self) && stria_model_compare_parts_cycle (self->compared, forward))
    return TRUE;
  return in_details ? gtk_widget_grab_focus (GTK_WIDGET (self->pages))
                    : gtk_widget_grab_focus (
                        gtk_stack_get_visible_child (GTK_STACK (self->details)));
}

static gboolean
on_step (StriaModelView *self, guint forward)
{
  return stria_model_state_step (stria_model_view_current_state (self), forward);
}

static gboolean
on_key (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  const Key *key = user_data;

  /* Another view beside it has keys of its own. */
  return gtk_widget_get_mapped (widget) && stria_dock_gives_keys (widget)
         && key->func (STRIA_MODEL_VIEW (widget), key->data);
}

void
stria_model_view_add_keys (StriaModelView *self)
{
  static const Key keys[] = {
    { GDK_KEY_F7, 0, "model.split-beside", on_split, STRIA_SIDE_RIGHT },
    { GDK_KEY_F7, GDK_SHIFT_MASK, "model.split-below", on_split, STRIA_SIDE_BOTTOM },
    { GDK_KEY_F7, GDK_CONTROL_MASK, "model.close-pane", on_close, 0 },
    { GDK_KEY_Left, GDK_ALT_MASK | GDK_SHIFT_MASK, NULL, on_move, STRIA_SIDE_LEFT },
    { GDK_KEY_Right, GDK_ALT_MASK | GDK_SHIFT_MASK, NULL, on_move, STRIA_SIDE_RIGHT },
    { GDK_KEY_Up, GDK_ALT_MASK | GDK_SHIFT_MASK, NULL, on_move, STRIA_SIDE_TOP },
    { GDK_KEY_Down, GDK_ALT_MASK | GDK_SHIFT_MASK, NULL, on_move, STRIA_SIDE_BOTTOM },
    { GDK_KEY_F6, 0, NULL, on_cycle, TRUE },
    { GDK_KEY_F6, GDK_SHIFT_MASK, NULL, on_cycle, FALSE },
    { GDK_KEY_Left, GDK_ALT_MASK, "model.previous-selection", on_step, FALSE },
    { GDK_KEY_Right, GDK_ALT_MASK, "model.next-selection", on_step, TRUE },
    { GDK_KEY_e, GDK_CONTROL_MASK, "model.export", on_export, 0 },
    { GDK_KEY_d, GDK_CONTROL_MASK, "win.compare", on_compare, 0 },
    { GDK_KEY_d, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "model.end-compare", on_end_compare, 0 },
  };
  GtkShortcutController *controller = stria_key_controller_new (GTK_WIDGET (self));

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    stria_key_bind (controller, keys[i].key, keys[i].modifiers, keys[i].name, on_key, &keys[i]);
}

gboolean
stria_model_view_take_focus (GtkWidget *widget)
{
  StriaModelView *self = STRIA_MODEL_VIEW (widget);

  if (shows_comparison (self))
    return stria_model_compare_parts_cycle (self->compared, TRUE);
  return stria_model_view_shows_graphs (self) && gtk_widget_grab_focus (GTK_WIDGET (self->panes));
}
