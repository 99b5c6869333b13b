/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-pane-box.h"

#include "stria-focus.h"
#include "stria-paint-size.h"
#include "stria-pane-divider.h"

/* A pane that is narrower shows too little to be worth its room: it lies below others instead. */
#define FOLD_WIDTH ((int) stria_text_px (320))

struct _StriaPaneBox
{
  GtkWidget parent_instance;

  StriaPaneNode *tree;    /* of widgets, which are children for as long as they are in it */
  GtkWidget     *current; /* in the tree, or NULL */
  GtkWidget     *dividers[STRIA_PANE_BOX_MOST - 1]; /* of the cuts, the outer ones first */
  StriaPaneNode *cuts[STRIA_PANE_BOX_MOST - 1];
  guint          n_cuts;
  GtkWidget     *drop;
  gboolean       folds;
  gboolean       is_single;
  guint          refresh_source;
};

enum
{
  CHANGED,
  RESIZED,
  CURRENT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaPaneBox, stria_pane_box, GTK_TYPE_WIDGET)

/* -- panes come and go ----------------------------------------------------------------------- */

static void
find_cuts (StriaPaneBox *self, StriaPaneNode *node)
{
  if (node == NULL || node->pane != NULL || self->n_cuts == G_N_ELEMENTS (self->cuts))
    return;
  self->cuts[self->n_cuts++] = node;
  find_cuts (self, node->first);
  find_cuts (self, node->second);
}

static void
orient_dividers (StriaPaneBox *self)
{
  for (guint i = 0; i < self->n_cuts; i++)
    stria_pane_divider_set_below (STRIA_PANE_DIVIDER (self->dividers[i]),
                                  stria_pane_node_lies_below (self->cuts[i]));
}

/* After the tree has changed */
static void
update (StriaPaneBox *self)
{
  g_autoptr (GPtrArray) panes = stria_pane_tree_list (self->tree);

  self->n_cuts = 0;
  find_cuts (self, self->tree);
  for (guint i = 0; i < G_N_ELEMENTS (self->dividers); i++)
    gtk_widget_set_visible (self->dividers[i], i < self->n_cuts);
  orient_dividers (self);
  for (guint i = 0; i < panes->len; i++)
    /* Tab goes from one to the next as they are seen. */
    gtk_widget_insert_before (panes->pdata[i], GTK_WIDGET (self), self->drop);
  if (self->current == NULL && panes->len > 0)
    self->current = panes->pdata[0];
  gtk_widget_queue_resize (GTK_WIDGET (self));
  g_signal_emit (self, signals[CHANGED], 0);
}

void
stria_pane_box_set_current (StriaPaneBox *self, GtkWidget *pane)
{
  g_return_if_fail (STRIA_IS_PANE_BOX (self));

  if (self->current == pane || (pane != NULL && stria_pane_tree_find (self->tree, pane) == NULL))
    return;
  self->current = pane;
  if (self->is_single)
    gtk_widget_queue_allocate (GTK_WIDGET (self));
  g_signal_emit (self, signals[CURRENT], 0);
}

static void
on_focus (GtkEventController *controller, gpointer user_data)
{
  stria_pane_box_set_current (user_data, gtk_event_controller_get_widget (controller));
}

static void
adopt (StriaPaneBox *self, GtkWidget *pane)
{
  GtkEventController *focus;

  if (gtk_widget_get_parent (pane) == GTK_WIDGET (self))
    return;
  focus = gtk_event_controller_focus_new ();
  g_signal_connect_object (focus, "enter", G_CALLBACK (on_focus), self, 0);
  gtk_widget_add_controller (pane, focus);
  gtk_widget_insert_before (pane, GTK_WIDGET (self), self->drop);
}

void
stria_pane_box_take_tree (StriaPaneBox *self, StriaPaneNode *tree)
{
  g_autoptr (GPtrArray) old = NULL;
  g_autoptr (GPtrArray) panes = NULL;

  g_return_if_fail (STRIA_IS_PANE_BOX (self));

  old = stria_pane_tree_list (self->tree);
  panes = stria_pane_tree_list (tree);
  stria_pane_tree_free (self->tree);
  self->tree = tree;
  self->n_cuts = 0;
  for (guint i = 0; i < old->len; i++)
    if (!g_ptr_array_find (panes, old->pdata[i], NULL))
      {
        if (self->current == old->pdata[i])
          self->current = NULL;
        gtk_widget_unparent (old->pdata[i]);
      }
  for (guint i = 0; i < panes->len; i++)
    adopt (self, panes->pdata[i]);
  update (self);
}

void
stria_pane_box_add (StriaPaneBox *self, GtkWidget *at, GtkWidget *pane, StriaSide side)
{
  g_return_if_fail (STRIA_IS_PANE_BOX (self));
  g_return_if_fail (stria_pane_box_count (self) < STRIA_PANE_BOX_MOST);

  adopt (self, pane);
  stria_pane_tree_add (&self->tree, at, pane, side);
  self->current = pane;
  update (self);
}

void
stria_pane_box_put (StriaPaneBox *self, GtkWidget *pane, GtkWidget *at, StriaSide side)
{
  g_return_if_fail (STRIA_IS_PANE_BOX (self));

  if (pane == at)
    return;
  if (side == STRIA_SIDE_CENTER)
    stria_pane_tree_swap (self->tree, pane, at);
  else
    {
      stria_pane_tree_remove (&self->tree, pane);
      stria_pane_tree_add (&self->tree, at, pane, side);
    }
  self->current = pane;
  update (self);
}

void
stria_pane_box_move (StriaPaneBox *self, GtkWidget *pane, StriaSide side)
{
  GtkWidget *other;

  g_return_if_fail (STRIA_IS_PANE_BOX (self));

  if (stria_pane_box_count (self) < 2)
    return;
  other = stria_pane_tree_beside (self->tree, pane, side);
  if (other != NULL)
    stria_pane_box_put (self, pane, other, STRIA_SIDE_CENTER);
  else
    stria_pane_box_put (self, pane, NULL, side);
}

void
stria_pane_box_remove (StriaPaneBox *self, GtkWidget *pane)
{
  g_autoptr (GPtrArray) panes = NULL;
  guint at;

  g_return_if_fail (STRIA_IS_PANE_BOX (self));

  panes = stria_pane_tree_list (self->tree);
  if (!g_ptr_array_find (panes, pane, &at))
    return;
  stria_pane_tree_remove (&self->tree, pane);
  if (self->current == pane)
    self->current = panes->len < 2 ? NULL : panes->pdata[at > 0 ? at - 1 : 1];
  gtk_widget_unparent (pane);
  update (self);
}

void
stria_pane_box_replace (StriaPaneBox *self, GtkWidget *pane, GtkWidget *with)
{
  StriaPaneNode *node;

  g_return_if_fail (STRIA_IS_PANE_BOX (self));

  node = stria_pane_tree_find (self->tree, pane);
  g_return_if_fail (node != NULL);
  adopt (self, with);
  node->pane = with;
  if (self->current == pane)
    self->current = with;
  gtk_widget_unparent (pane);
  update (self);
}

void
stria_pane_box_even (StriaPaneBox *self)
{
  g_return_if_fail (STRIA_IS_PANE_BOX (self));

  stria_pane_tree_even (self->tree);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  g_signal_emit (self, signals[RESIZED], 0);
}

/* -- what others ask for --------------------------------------------------------------------- */

StriaPaneNode *
stria_pane_box_get_tree (StriaPaneBox *self)
{
  g_return_val_if_fail (STRIA_IS_PANE_BOX (self), NULL);

  return self->tree;
}

GPtrArray *
stria_pane_box_list (StriaPaneBox *self)
{
  g_return_val_if_fail (STRIA_IS_PANE_BOX (self), NULL);

  return stria_pane_tree_list (self->tree);
}

guint
stria_pane_box_count (StriaPaneBox *self)
{
  g_autoptr (GPtrArray) panes = stria_pane_box_list (self);

  return panes->len;
}

GtkWidget *
stria_pane_box_get_current (StriaPaneBox *self)
{
  g_return_val_if_fail (STRIA_IS_PANE_BOX (self), NULL);

  return self->current;
}

void
stria_pane_box_set_folds (StriaPaneBox *self, gboolean folds)
{
  g_return_if_fail (STRIA_IS_PANE_BOX (self));

  self->folds = folds;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

StriaPaneDrop *
stria_pane_box_get_drop (StriaPaneBox *self)
{
  g_return_val_if_fail (STRIA_IS_PANE_BOX (self), NULL);

  return STRIA_PANE_DROP (self->drop);
}

GtkWidget *
stria_pane_box_at (StriaPaneBox *self, double x, double y, StriaPaneRect *rect)
{
  g_autoptr (GPtrArray) panes = NULL;

  g_return_val_if_fail (STRIA_IS_PANE_BOX (self), NULL);

  panes = stria_pane_tree_list (self->tree);
  for (guint i = 0; i < panes->len; i++)
    {
      const StriaPaneRect *at = &stria_pane_tree_find (self->tree, panes->pdata[i])->rect;

      if (!gtk_widget_get_child_visible (panes->pdata[i]) || x < at->x || y < at->y
          || x >= at->x + at->width || y >= at->y + at->height)
        continue;
      *rect = *at;
      return panes->pdata[i];
    }
  return NULL;
}

/* -- borders --------------------------------------------------------------------------------- */

static StriaPaneNode *
cut_of (StriaPaneBox *self, GtkWidget *divider)
{
  for (guint i = 0; i < self->n_cuts; i++)
    if (self->dividers[i] == divider)
      return self->cuts[i];
  return NULL;
}

static void
set_share (StriaPaneBox *self, StriaPaneNode *cut, double share)
{
  cut->share = CLAMP (share, 0.05, 0.95);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static int
room_of (const StriaPaneNode *cut)
{
  return MAX (1, (stria_pane_node_lies_below (cut) ? cut->rect.height : cut->rect.width) -
                     STRIA_PANE_DIVIDER_SIZE);
}

/* By the share and not by the place: keys come faster than frames. */
static void
on_divider_nudged (StriaPaneBox *self, int pixels, GtkWidget *divider)
{
  StriaPaneNode *cut = cut_of (self, divider);

  if (cut != NULL)
    set_share (self, cut, cut->share + (double) pixels / room_of (cut));
}

static void
on_divider_moved (StriaPaneBox *self, int position, GtkWidget *divider)
{
  StriaPaneNode *cut = cut_of (self, divider);

  if (cut != NULL)
    set_share (self, cut,
               (double) (position -
                         (stria_pane_node_lies_below (cut) ? cut->rect.y : cut->rect.x))
                   / room_of (cut));
}

static void
on_divider_done (StriaPaneBox *self)
{
  g_signal_emit (self, signals[RESIZED], 0);
}

/* -- the widget ------------------------------------------------------------------------------ */

static void
measure_pane (gpointer pane, int *width, int *height, gpointer user_data)
{
  gtk_widget_measure (pane, GTK_ORIENTATION_HORIZONTAL, -1, width, NULL, NULL, NULL);
  gtk_widget_measure (pane, GTK_ORIENTATION_VERTICAL, -1, height, NULL, NULL, NULL);
}

static void
measure_useful (gpointer pane, int *width, int *height, gpointer user_data)
{
  measure_pane (pane, width, height, user_data);
  *width = MAX (*width, FOLD_WIDTH);
}

static void
allocate (GtkWidget *widget, const StriaPaneRect *rect)
{
  gtk_widget_size_allocate (
      widget, &(GtkAllocation){ rect->x, rect->y, rect->width, rect->height }, -1);
}

static void
place (StriaPaneNode *node, const StriaPaneRect *divider, gpointer user_data)
{
  StriaPaneBox *self = user_data;

  if (node->pane != NULL)
    {
      gtk_widget_set_child_visible (node->pane, TRUE);
      allocate (node->pane, &node->rect);
    }
  for (guint i = 0; node->pane == NULL && i < self->n_cuts; i++)
    if (self->cuts[i] == node)
      {
        gtk_widget_set_child_visible (self->dividers[i], TRUE);
        allocate (self->dividers[i], divider);
      }
}

static void
place_current (StriaPaneBox *self, const StriaPaneRect *whole)
{
  g_autoptr (GPtrArray) panes = stria_pane_tree_list (self->tree);
  StriaPaneNode *node = self->current != NULL ? stria_pane_tree_find (self->tree, self->current)
                                              : NULL;

  for (guint i = 0; i < panes->len; i++)
    gtk_widget_set_child_visible (panes->pdata[i], panes->pdata[i] == self->current);
  for (guint i = 0; i < G_N_ELEMENTS (self->dividers); i++)
    gtk_widget_set_child_visible (self->dividers[i], FALSE);
  if (node == NULL)
    return;
  node->rect = *whole;
  allocate (self->current, whole);
}

static void
stria_pane_box_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                        int *natural, int *minimum_baseline, int *natural_baseline)
{
  StriaPaneBox *self = STRIA_PANE_BOX (widget);
  const gboolean across = orientation == GTK_ORIENTATION_HORIZONTAL;
  g_autoptr (GPtrArray) panes = stria_pane_tree_list (self->tree);
  int width, height;

  stria_pane_tree_measure (self->tree, STRIA_PANE_DIVIDER_SIZE, measure_pane, widget, &width,
                           &height);
  *minimum = *natural = across ? width : height;
  if (!self->folds)
    return;
  *minimum = 0;
  for (guint i = 0; i < panes->len; i++)
    {
      measure_pane (panes->pdata[i], &width, &height, NULL);
      *minimum = MAX (*minimum, across ? width : height);
    }
  *natural = MAX (*natural, *minimum);
}

static gboolean
on_refresh (gpointer user_data)
{
  StriaPaneBox *self = user_data;

  self->refresh_source = 0;
  orient_dividers (self);
  g_signal_emit (self, signals[CURRENT], 0);
  return G_SOURCE_REMOVE;
}

static void
lay_out (StriaPaneBox *self, const StriaPaneRect *whole)
{
  const gboolean was_single = self->is_single;
  gboolean turned[G_N_ELEMENTS (self->cuts)] = { FALSE };
  gboolean changed = FALSE;

  for (guint i = 0; i < self->n_cuts; i++)
    turned[i] = self->cuts[i]->turned;
  self->is_single = self->folds
                    && !stria_pane_tree_fold (self->tree, whole->width, whole->height,
                                              STRIA_PANE_DIVIDER_SIZE, measure_useful, NULL);
  if (self->is_single)
    place_current (self, whole);
  else
    stria_pane_tree_layout (self->tree, whole, STRIA_PANE_DIVIDER_SIZE, measure_pane, place, self);
  for (guint i = 0; i < self->n_cuts; i++)
    changed = changed || turned[i] != self->cuts[i]->turned;
  /* Not while places are given away: it changes what widgets look like. */
  if ((changed || was_single != self->is_single) && self->refresh_source == 0)
    self->refresh_source = g_idle_add (on_refresh, self);
}

static void
stria_pane_box_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  StriaPaneBox *self = STRIA_PANE_BOX (widget);
  StriaPaneRect rect;
  int least_width, least_height;

  lay_out (self, &(StriaPaneRect){ 0, 0, width, height });
  if (!gtk_widget_get_visible (self->drop))
    return;
  measure_pane (self->drop, &least_width, &least_height, NULL);
  rect = *stria_pane_drop_get_rect (STRIA_PANE_DROP (self->drop));
  rect.width = MAX (rect.width, least_width);
  rect.height = MAX (rect.height, least_height);
  allocate (self->drop, &rect);
}

static gboolean
stria_pane_box_grab_focus (GtkWidget *widget)
{
  GtkWidget *current = STRIA_PANE_BOX (widget)->current;

  return current != NULL && gtk_widget_grab_focus (current);
}

static void
stria_pane_box_dispose (GObject *object)
{
  StriaPaneBox *self = STRIA_PANE_BOX (object);
  GtkWidget *child;

  g_clear_handle_id (&self->refresh_source, g_source_remove);
  self->current = NULL;
  self->n_cuts = 0;
  g_clear_pointer (&self->tree, stria_pane_tree_free);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (stria_pane_box_parent_class)->dispose (object);
}

static void
stria_pane_box_class_init (StriaPaneBoxClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  static const char *const names[N_SIGNALS] = { "changed", "resized", "current" };

  G_OBJECT_CLASS (klass)->dispose = stria_pane_box_dispose;
  widget_class->measure = stria_pane_box_measure;
  widget_class->size_allocate = stria_pane_box_size_allocate;
  widget_class->focus = stria_focus_children;
  widget_class->grab_focus = stria_pane_box_grab_focus;
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                               NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_pane_box_init (StriaPaneBox *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->dividers); i++)
    {
      GtkWidget *divider = stria_pane_divider_new ();

      self->dividers[i] = divider;
      gtk_widget_set_visible (divider, FALSE);
      g_signal_connect_swapped (divider, "moved", G_CALLBACK (on_divider_moved), self);
      g_signal_connect_swapped (divider, "nudged", G_CALLBACK (on_divider_nudged), self);
      g_signal_connect_swapped (divider, "done", G_CALLBACK (on_divider_done), self);
      g_signal_connect_swapped (divider, "even", G_CALLBACK (stria_pane_box_even), self);
      gtk_widget_set_parent (divider, GTK_WIDGET (self));
    }
  self->drop = stria_pane_drop_new ();
  gtk_widget_set_parent (self->drop, GTK_WIDGET (self));
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *
stria_pane_box_new (void)
{
  return g_object_new (STRIA_TYPE_PANE_BOX, NULL);
}
