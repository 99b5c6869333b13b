/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-dock-private.h"

#include <glib/gi18n-lib.h>

#include "stria-dock-pane.h"
#include "stria-focus.h"
#include "stria-view-registry.h"

struct _StriaDock
{
  GtkWidget parent_instance;

  GtkStack     *stack;
  StriaPaneBox *box; /* of StriaDockPane */
  GtkWidget    *tabs; /* the pane with the stack */
  char         *tab;  /* what the tabs show, or showed last */
  gboolean      is_moving;
};

enum
{
  CHANGED,
  RESIZED,
  CURRENT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

enum
{
  PROP_0,
  PROP_STACK,
};

G_DEFINE_FINAL_TYPE (StriaDock, stria_dock, GTK_TYPE_WIDGET)

/* -- what is where --------------------------------------------------------------------------- */

static const char *
id_of (gpointer pane)
{
  return stria_dock_pane_get_id (STRIA_DOCK_PANE (pane));
}

/* Returns: (transfer none) (nullable): the pane of a view */
static GtkWidget *
pane_of (StriaDock *self, const char *id)
{
  g_autoptr (GPtrArray) panes = stria_pane_box_list (self->box);

  for (guint i = 0; i < panes->len; i++)
    if (id_of (panes->pdata[i]) != NULL && g_str_equal (id_of (panes->pdata[i]), id))
      return panes->pdata[i];
  return NULL;
}

gboolean
stria_dock_is_docked (StriaDock *self, const char *id)
{
  g_return_val_if_fail (STRIA_IS_DOCK (self), FALSE);

  return pane_of (self, id) != NULL;
}

/* A view for the tabs to show instead of @but: the one shown last, else the first of them */
static const char *
another_tab (StriaDock *self, const char *but)
{
  const StriaView *view;

  if (self->tab != NULL && g_strcmp0 (self->tab, but) != 0
      && stria_views_is_listed (self->stack, self->tab)
      && !stria_views_is_out (self->stack, self->tab))
    return self->tab;
  for (guint i = 0; (view = stria_views_nth (i)) != NULL; i++)
    if (g_strcmp0 (view->id, but) != 0 && stria_views_is_listed (self->stack, view->id)
        && !stria_views_is_out (self->stack, view->id))
      return view->id;
  return NULL;
}

const char *
stria_dock_get_current (StriaDock *self)
{
  GtkWidget *pane;

  g_return_val_if_fail (STRIA_IS_DOCK (self), NULL);

  pane = stria_pane_box_get_current (self->box);
  return pane == NULL || pane == self->tabs ? gtk_stack_get_visible_child_name (self->stack)
                                            : id_of (pane);
}

static GtkWidget *
content_of (StriaDock *self, GtkWidget *pane)
{
  GtkWidget *page;

  if (pane != self->tabs)
    return stria_dock_pane_get_content (STRIA_DOCK_PANE (pane));
  page = gtk_stack_get_visible_child (self->stack);
  return page != NULL ? gtk_widget_get_first_child (page) : NULL;
}

GtkWidget *
stria_dock_get_view (StriaDock *self)
{
  GtkWidget *pane, *content;

  g_return_val_if_fail (STRIA_IS_DOCK (self), NULL);

  pane = stria_pane_box_get_current (self->box);
  content = pane != NULL ? content_of (self, pane) : NULL;
  return content != NULL ? gtk_stack_get_visible_child (GTK_STACK (content)) : NULL;
}

void
stria_dock_focus (StriaDock *self)
{
  GtkWidget *view = stria_dock_get_view (self);

  if (view != NULL && !gtk_widget_grab_focus (view))
    gtk_widget_child_focus (view, GTK_DIR_TAB_FORWARD);
}

gboolean
stria_dock_shows_events (StriaDock *self)
{
  const StriaView *view;

  g_return_val_if_fail (STRIA_IS_DOCK (self), FALSE);

  for (guint i = 0; (view = stria_views_nth (i)) != NULL; i++)
    if (view->shows_events
        && (pane_of (self, view->id) != NULL
            || g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), view->id) == 0))
      return TRUE;
  return FALSE;
}

guint
stria_dock_count (StriaDock *self)
{
  g_return_val_if_fail (STRIA_IS_DOCK (self), 0);

  return stria_pane_box_count (self->box);
}

StriaPaneBox *
stria_dock_get_box (StriaDock *self)
{
  return self->box;
}

GtkStack *
stria_dock_get_stack (StriaDock *self)
{
  return self->stack;
}

GtkWidget *
stria_dock_get_tabs (StriaDock *self)
{
  return self->tabs;
}

/* -- panes come and go ----------------------------------------------------------------------- */

static void
title_tabs (StriaDock *self)
{
  GtkWidget *page = gtk_stack_get_visible_child (self->stack);
  GtkStackPage *in_stack = page != NULL ? gtk_stack_get_page (self->stack, page) : NULL;

  if (in_stack != NULL)
    stria_dock_pane_set_title (STRIA_DOCK_PANE (self->tabs), gtk_stack_page_get_title (in_stack),
                               gtk_stack_page_get_icon_name (in_stack));
}

static void
on_current (StriaDock *self)
{
  g_autoptr (GPtrArray) panes = stria_pane_box_list (self->box);
  for (guint i = 0; i < panes->len; i++)
    stria_dock_pane_set_look (panes->pdata[i], panes->len > 1,
                              panes->pdata[i] == stria_pane_box_get_current (self->box));
  stria_dock_mark_tabs (self);
  g_signal_emit (self, signals[CURRENT], 0);
}

static void
on_panes_changed (StriaDock *self)
{
  if (self->is_moving)
    return;
  on_current (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
on_resized (StriaDock *self)
{
  g_signal_emit (self, signals[RESIZED], 0);
}

static void
on_close (StriaDock *self, StriaDockPane *pane)
{
  g_autofree char *id = g_strdup (stria_dock_pane_get_id (pane));

  stria_dock_back (self, id);
}

static GtkWidget *
pane_new (StriaDock *self, const char *id, GtkWidget *content)
{
  GtkWidget *pane = stria_dock_pane_new (id, content);
  const StriaView *view = id != NULL ? stria_views_find (id) : NULL;

  if (view != NULL)
    stria_dock_pane_set_title (STRIA_DOCK_PANE (pane), _ (view->title), view->icon_name);
  g_signal_connect_object (pane, "close", G_CALLBACK (on_close), self, G_CONNECT_SWAPPED);
  stria_dock_drag_pane (self, pane, stria_dock_pane_get_header (STRIA_DOCK_PANE (pane)));
  return pane;
}

/* Takes a view out of the tabs. Returns: (transfer floating) (nullable): a pane with it */
GtkWidget *
stria_dock_take_out (StriaDock *self, const char *id)
{
  const char *instead = another_tab (self, id);
  g_autoptr (GtkWidget) content = NULL;

  if (instead == NULL || !stria_views_can_show (self->stack, id))
    return NULL;
  content = stria_views_take (self->stack, id);
  if (content == NULL)
    return NULL;
  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), id) == 0)
    gtk_stack_set_visible_child_name (self->stack, instead);
  return pane_new (self, id, content);
}

/* Empties a pane, whose view is in the tabs again. */
static void
put_back (StriaDock *self, GtkWidget *pane)
{
  g_autoptr (GtkWidget) content = stria_dock_pane_take_content (STRIA_DOCK_PANE (pane));

  if (content != NULL)
    stria_views_put_back (self->stack, id_of (pane), content);
}

void
stria_dock_begin (StriaDock *self)
{
  /* Keyboards that stand in what goes away make it ask for room while it is drawn. */
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (root != NULL)
    gtk_window_set_focus (GTK_WINDOW (root), NULL);
  self->is_moving = TRUE;
}

void
stria_dock_end (StriaDock *self)
{
  self->is_moving = FALSE;
  title_tabs (self);
  on_panes_changed (self);
}

gboolean
stria_dock_can_place (StriaDock *self, const char *id)
{
  g_return_val_if_fail (STRIA_IS_DOCK (self), FALSE);

  if (pane_of (self, id) != NULL)
    return TRUE;
  return stria_dock_count (self) < STRIA_PANE_BOX_MOST && another_tab (self, id) != NULL
         && stria_views_can_show (self->stack, id);
}

void
stria_dock_place_at (StriaDock *self, const char *id, GtkWidget *target, StriaSide side)
{
  GtkWidget *pane;

  g_return_if_fail (STRIA_IS_DOCK (self));

  pane = pane_of (self, id);
  if (pane == target || (pane == NULL && side == STRIA_SIDE_CENTER && target == self->tabs))
    return;
  stria_dock_begin (self);
  if (pane != NULL)
    stria_pane_box_put (self->box, pane, target, side);
  else if (side != STRIA_SIDE_CENTER && stria_dock_count (self) >= STRIA_PANE_BOX_MOST)
    pane = NULL;
  else
    {
      pane = stria_dock_take_out (self, id);
      if (pane != NULL && side == STRIA_SIDE_CENTER)
        {
          put_back (self, target);
          stria_pane_box_replace (self->box, target, pane);
        }
      else if (pane != NULL)
        stria_pane_box_add (self->box, target, pane, side);
    }
  if (pane != NULL)
    stria_pane_box_set_current (self->box, pane);
  stria_dock_end (self);
  stria_dock_focus (self);
}

void
stria_dock_place (StriaDock *self, const char *id, StriaSide side)
{
  g_return_if_fail (STRIA_IS_DOCK (self));

  stria_dock_place_at (self, id, self->tabs, side);
}

void
stria_dock_shift (StriaDock *self, StriaSide side)
{
  GtkWidget *pane;

  g_return_if_fail (STRIA_IS_DOCK (self));

  pane = stria_pane_box_get_current (self->box);
  if (pane == NULL || pane == self->tabs)
    {
      stria_dock_place (self, gtk_stack_get_visible_child_name (self->stack), side);
      return;
    }
  stria_dock_begin (self);
  stria_pane_box_move (self->box, pane, side);
  stria_dock_end (self);
  stria_dock_focus (self);
}

void
stria_dock_back (StriaDock *self, const char *id)
{
  GtkWidget *pane;

  g_return_if_fail (STRIA_IS_DOCK (self));

  pane = id != NULL ? pane_of (self, id) : stria_pane_box_get_current (self->box);
  if (pane == NULL || pane == self->tabs)
    return;
  stria_dock_begin (self);
  g_object_ref (pane);
  put_back (self, pane);
  stria_pane_box_remove (self->box, pane);
  if (stria_views_is_listed (self->stack, id_of (pane)))
    gtk_stack_set_visible_child_name (self->stack, id_of (pane));
  g_object_unref (pane);
  stria_pane_box_set_current (self->box, self->tabs);
  stria_dock_end (self);
  stria_dock_focus (self);
}

void
stria_dock_empty (StriaDock *self)
{
  g_autoptr (GPtrArray) panes = stria_pane_box_list (self->box);

  for (guint i = 0; i < panes->len; i++)
    if (panes->pdata[i] != self->tabs)
      {
        put_back (self, panes->pdata[i]);
        stria_pane_box_remove (self->box, panes->pdata[i]);
      }
  stria_pane_box_set_current (self->box, self->tabs);
}

void
stria_dock_reset (StriaDock *self)
{
  g_autofree char *shown = NULL;

  g_return_if_fail (STRIA_IS_DOCK (self));

  if (stria_dock_count (self) < 2)
    return;
  shown = g_strdup (stria_dock_get_current (self));
  stria_dock_begin (self);
  stria_dock_empty (self);
  if (stria_views_is_listed (self->stack, shown))
    gtk_stack_set_visible_child_name (self->stack, shown);
  stria_dock_end (self);
  stria_dock_focus (self);
}

void
stria_dock_even (StriaDock *self)
{
  g_return_if_fail (STRIA_IS_DOCK (self));

  stria_pane_box_even (self->box);
}

void
stria_dock_cycle (StriaDock *self, gboolean forward)
{
  g_autoptr (GPtrArray) panes = NULL;
  guint at = 0;

  g_return_if_fail (STRIA_IS_DOCK (self));

  panes = stria_pane_box_list (self->box);
  g_ptr_array_find (panes, stria_pane_box_get_current (self->box), &at);
  at = (at + (forward ? 1 : panes->len - 1)) % panes->len;
  stria_pane_box_set_current (self->box, panes->pdata[at]);
  stria_dock_focus (self);
}

/* -- the tabs -------------------------------------------------------------------------------- */

static gboolean
on_focus_idle (gpointer user_data)
{
  if (gtk_widget_get_root (user_data) != NULL)
    stria_dock_focus (user_data);
  return G_SOURCE_REMOVE;
}

static void
go_to_pane (StriaDock *self, GtkWidget *pane)
{
  g_autofree char *instead = g_strdup (another_tab (self, id_of (pane)));

  /* The signal that tells of this comes when the one that is told now is over, and finds nothing
   * new. */
  if (instead != NULL)
    {
      g_free (self->tab);
      self->tab = g_strdup (instead);
      gtk_stack_set_visible_child_name (self->stack, instead);
    }
  stria_pane_box_set_current (self->box, pane);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, on_focus_idle, g_object_ref (self), g_object_unref);
}

/* The keyboard follows from a pane that is worked in no more. */
static void
go_to_tabs (StriaDock *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  GtkWidget *current = stria_pane_box_get_current (self->box);

  stria_pane_box_set_current (self->box, self->tabs);
  if (current != self->tabs && current != NULL && focus != NULL
      && gtk_widget_is_ancestor (focus, current))
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, on_focus_idle, g_object_ref (self), g_object_unref);
}

static void
on_tab_changed (StriaDock *self)
{
  GtkWidget *pane;
  const char *id;

  if (self->tabs == NULL)
    return;
  id = gtk_stack_get_visible_child_name (self->stack);
  pane = id != NULL ? pane_of (self, id) : NULL;
  if (pane != NULL && !self->is_moving)
    {
      go_to_pane (self, pane);
      return;
    }
  if (!self->is_moving && g_strcmp0 (id, self->tab) == 0)
    return;
  if (id != NULL && !stria_views_is_out (self->stack, id))
    {
      g_free (self->tab);
      self->tab = g_strdup (id);
    }
  title_tabs (self);
  if (self->is_moving)
    return;
  go_to_tabs (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
stria_dock_show (StriaDock *self, const char *id)
{
  GtkWidget *pane;

  g_return_if_fail (STRIA_IS_DOCK (self));

  pane = pane_of (self, id);
  if (pane != NULL)
    go_to_pane (self, pane);
  else if (g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), id) == 0)
    go_to_tabs (self);
  else if (stria_views_is_listed (self->stack, id))
    gtk_stack_set_visible_child_name (self->stack, id);
}

gboolean
stria_dock_gives_keys (GtkWidget *view)
{
  GtkWidget *dock = gtk_widget_get_ancestor (view, STRIA_TYPE_DOCK);
  GtkWidget *pane = gtk_widget_get_ancestor (view, STRIA_TYPE_DOCK_PANE);

  return dock == NULL || pane == NULL
         || stria_pane_box_get_current (STRIA_DOCK (dock)->box) == pane;
}

/* -- the widget ------------------------------------------------------------------------------ */

static void
set_stack (StriaDock *self, GtkStack *stack)
{
  StriaPaneNode *tree;

  self->stack = g_object_ref (stack);
  self->tabs = pane_new (self, NULL, GTK_WIDGET (stack));
  tree = stria_pane_tree_new (self->tabs);
  stria_pane_box_take_tree (self->box, tree);
  g_signal_connect_object (stack, "notify::visible-child", G_CALLBACK (on_tab_changed), self,
                           G_CONNECT_SWAPPED);
}

static void
stria_dock_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_STACK && g_value_get_object (value) != NULL)
    set_stack (STRIA_DOCK (object), g_value_get_object (value));
}

static gboolean
stria_dock_grab_focus (GtkWidget *widget)
{
  stria_dock_focus (STRIA_DOCK (widget));
  return TRUE;
}

static void
stria_dock_dispose (GObject *object)
{
  StriaDock *self = STRIA_DOCK (object);
  GtkWidget *child;

  self->tabs = NULL;
  if (self->box != NULL)
    g_signal_handlers_disconnect_by_data (self->box, self);
  self->box = NULL;
  /* A menu may be open beside it. */
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->stack);
  G_OBJECT_CLASS (stria_dock_parent_class)->dispose (object);
}

static void
stria_dock_finalize (GObject *object)
{
  g_free (STRIA_DOCK (object)->tab);
  G_OBJECT_CLASS (stria_dock_parent_class)->finalize (object);
}

static void
stria_dock_class_init (StriaDockClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  static const char *const names[N_SIGNALS] = { "changed", "resized", "current" };

  object_class->dispose = stria_dock_dispose;
  object_class->finalize = stria_dock_finalize;
  object_class->set_property = stria_dock_set_property;
  GTK_WIDGET_CLASS (klass)->focus = stria_focus_children;
  GTK_WIDGET_CLASS (klass)->grab_focus = stria_dock_grab_focus;
  g_object_class_install_property (
      object_class, PROP_STACK,
      g_param_spec_object ("stack", NULL, NULL, GTK_TYPE_STACK,
                           G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                               NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
stria_dock_init (StriaDock *self)
{
  self->box = STRIA_PANE_BOX (stria_pane_box_new ());
  stria_pane_box_set_folds (self->box, TRUE);
  gtk_widget_set_parent (GTK_WIDGET (self->box), GTK_WIDGET (self));
  g_signal_connect_swapped (self->box, "changed", G_CALLBACK (on_panes_changed), self);
  g_signal_connect_swapped (self->box, "current", G_CALLBACK (on_current), self);
  g_signal_connect_swapped (self->box, "resized", G_CALLBACK (on_resized), self);
}
