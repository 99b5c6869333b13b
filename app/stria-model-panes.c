/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-panes-private.h"

#include <glib/gi18n-lib.h>

#include "stria-pane-divider.h"
#include "stria-settings.h"

struct _StriaModelPanes
{
  GtkWidget parent_instance;

  StriaModelState *state;
  StriaPaneNode   *tree;    /* of StriaModelPane, which are children for as long as they live */
  StriaModelPane  *current; /* in the tree, or NULL */
  GtkWidget       *dividers[STRIA_MODEL_MAX_PANES - 1]; /* of the cuts, the outer ones first */
  StriaPaneNode   *cuts[STRIA_MODEL_MAX_PANES - 1];
  guint            n_cuts;
  GtkWidget       *drop;
};

enum
{
  SHOWN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaModelPanes, stria_model_panes, GTK_TYPE_WIDGET)

/* -- what is kept ---------------------------------------------------------------------------- */

static const char *
kept_name (gpointer pane, gpointer user_data)
{
  StriaModelPanes *self = user_data;
  StriaModelIndex *index = stria_model_state_get_index (self->state);
  const guint graph = stria_model_pane_get_graph (pane);

  return graph < index->graphs->len
             ? stria_graph_kind_name (((StriaModelGraph *) index->graphs->pdata[graph])->kind)
             : "";
}

/* One pane is what everything begins with. */
static void
keep (StriaModelPanes *self)
{
  const char *none[] = { NULL };
  g_auto (GStrv) words = NULL;

  if (stria_model_state_get_index (self->state) == NULL)
    return;
  words = stria_pane_tree_save (self->tree, kept_name, self);
  stria_settings_set_list (STRIA_SETTING_MODEL_PANES,
                           self->tree != NULL && self->tree->pane == NULL
                               ? (const char *const *) words
                               : none);
}

static void
notify_shown (StriaModelPanes *self)
{
  stria_model_state_set_shown (self->state, stria_model_panes_shown (self));
  g_signal_emit (self, signals[SHOWN], 0);
}

static void
on_pane_shown (StriaModelPanes *self)
{
  /* A capture that has not all graphs of the kept panes says nothing about them. */
  if (self->tree != NULL && self->tree->pane == NULL)
    keep (self);
  notify_shown (self);
}

/* -- panes come and go ----------------------------------------------------------------------- */

static void
on_focus (GtkEventController *controller, gpointer user_data)
{
  STRIA_MODEL_PANES (user_data)->current
      = STRIA_MODEL_PANE (gtk_event_controller_get_widget (controller));
}

static void
on_split (StriaModelPane *pane, gpointer user_data)
{
  StriaModelPanes *self = user_data;

  self->current = pane;
  stria_model_panes_split (self, STRIA_SIDE_RIGHT);
}

static void
on_close (StriaModelPane *pane, gpointer user_data)
{
  StriaModelPanes *self = user_data;

  self->current = pane;
  stria_model_panes_close (self);
}

static StriaModelPane *
pane_new (StriaModelPanes *self, guint graph)
{
  GtkWidget *pane = stria_model_pane_new (self->state, graph);
  GtkEventController *focus = gtk_event_controller_focus_new ();

  g_signal_connect_object (focus, "enter", G_CALLBACK (on_focus), self, 0);
  gtk_widget_add_controller (pane, focus);
  g_signal_connect_object (pane, "split", G_CALLBACK (on_split), self, 0);
  g_signal_connect_object (pane, "close", G_CALLBACK (on_close), self, 0);
  g_signal_connect_object (pane, "shown", G_CALLBACK (on_pane_shown), self, G_CONNECT_SWAPPED);
  gtk_widget_insert_before (pane, GTK_WIDGET (self), self->drop);
  return STRIA_MODEL_PANE (pane);
}

static void
remove_all (StriaModelPanes *self)
{
  g_autoptr (GPtrArray) panes = stria_pane_tree_list (self->tree);

  self->current = NULL;
  g_clear_pointer (&self->tree, stria_pane_tree_free);
  self->n_cuts = 0;
  for (guint i = 0; i < panes->len; i++)
    gtk_widget_unparent (panes->pdata[i]);
}

static void
find_cuts (StriaModelPanes *self, StriaPaneNode *node)
{
  if (node == NULL || node->pane != NULL || self->n_cuts == G_N_ELEMENTS (self->cuts))
    return;
  self->cuts[self->n_cuts++] = node;
  find_cuts (self, node->first);
  find_cuts (self, node->second);
}

/* After the tree has changed */
static void
update (StriaModelPanes *self)
{
  g_autoptr (GPtrArray) panes = stria_pane_tree_list (self->tree);

  self->n_cuts = 0;
  find_cuts (self, self->tree);
  for (guint i = 0; i < G_N_ELEMENTS (self->dividers); i++)
    {
      gtk_widget_set_visible (self->dividers[i], i < self->n_cuts);
      if (i < self->n_cuts)
        stria_pane_divider_set_below (STRIA_PANE_DIVIDER (self->dividers[i]),
                                      self->cuts[i]->below);
    }
  for (guint i = 0; i < panes->len; i++)
    {
      /* Tab goes from one to the next as they are seen. */
      gtk_widget_insert_before (panes->pdata[i], GTK_WIDGET (self), self->drop);
      stria_model_pane_allow (panes->pdata[i], panes->len < STRIA_MODEL_MAX_PANES, panes->len > 1);
    }
  gtk_widget_queue_resize (GTK_WIDGET (self));
  notify_shown (self);
}

guint
stria_model_panes_next_graph (StriaModelPanes *self, guint but)
{
  StriaModelIndex *index = stria_model_state_get_index (self->state);
  const guint64 shown = stria_model_panes_shown (self);

  for (guint i = 0; i < MIN (index->graphs->len, 64u); i++)
    if ((shown >> i & 1) == 0 && i != but
        && ((StriaModelGraph *) index->graphs->pdata[i])->graph != NULL)
      return i;
  return but != G_MAXUINT ? but : stria_model_pane_get_graph (self->current);
}

StriaModelPane *
stria_model_panes_add (StriaModelPanes *self, StriaModelPane *at, StriaSide side, guint graph)
{
  StriaModelPane *pane = pane_new (self, graph);

  stria_pane_tree_add (&self->tree, at, pane, side);
  self->current = pane;
  update (self);
  keep (self);
  gtk_widget_grab_focus (GTK_WIDGET (pane));
  return pane;
}

void
stria_model_panes_put (StriaModelPanes *self, StriaModelPane *pane, StriaModelPane *at,
                       StriaSide side)
{
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
  keep (self);
  gtk_widget_grab_focus (GTK_WIDGET (pane));
}

typedef struct
{
  StriaModelPanes *self;
  guint n;
  guint64 shown;
} Restoring;

static gpointer
restore_pane (const char *name, gpointer user_data)
{
  Restoring *job = user_data;
  StriaModelIndex *index = stria_model_state_get_index (job->self->state);

  for (guint i = 0; i < MIN (index->graphs->len, 64u); i++)
    {
      const StriaModelGraph *graph = index->graphs->pdata[i];

      if (graph->graph == NULL || (job->shown >> i & 1) != 0
          || !g_str_equal (stria_graph_kind_name (graph->kind), name))
        continue;
      if (++job->n > STRIA_MODEL_MAX_PANES)
        return NULL;
      job->shown |= G_GUINT64_CONSTANT (1) << i;
      return pane_new (job->self, i);
    }
  return NULL;
}

static void
restore (StriaModelPanes *self)
{
  g_auto (GStrv) words = stria_settings_get_list (STRIA_SETTING_MODEL_PANES);
  Restoring job = { .self = self };

  if (words != NULL && words[0] != NULL)
    self->tree = stria_pane_tree_load ((const char *const *) words, restore_pane, &job);
  /* What is left of several is not what anybody chose. */
  if (self->tree != NULL && self->tree->pane != NULL)
    remove_all (self);
}

/* The same kinds of graphs of another method, unit or set. */
static void
replace_panes (StriaModelPanes *self, StriaModelIndex *index)
{
  g_autoptr (GPtrArray) old = stria_pane_tree_list (self->tree);

  for (guint i = 0; i < old->len; i++)
    {
      StriaPaneNode *node = stria_pane_tree_find (self->tree, old->pdata[i]);
      guint graph = stria_model_pane_get_graph (old->pdata[i]);

      if (graph >= index->graphs->len
          || ((StriaModelGraph *) index->graphs->pdata[graph])->graph == NULL)
        graph = stria_model_index_first (index);
      node->pane = pane_new (self, graph != G_MAXUINT ? graph : 0);
      gtk_widget_unparent (old->pdata[i]);
    }
}

static void
on_profile_changed (StriaModelPanes *self)
{
  StriaModelIndex *index = stria_model_state_get_index (self->state);
  g_autoptr (GPtrArray) panes = NULL;
  guint first;

  self->current = NULL;
  if (index == NULL)
    remove_all (self);
  else if (self->tree != NULL)
    replace_panes (self, index);
  else
    {
      restore (self);
      first = stria_model_index_first (index);
      if (self->tree == NULL)
        self->tree = stria_pane_tree_new (pane_new (self, first != G_MAXUINT ? first : 0));
    }
  panes = stria_pane_tree_list (self->tree);
  self->current = panes->len > 0 ? panes->pdata[0] : NULL;
  update (self);
}

/* -- what others ask for --------------------------------------------------------------------- */

static StriaModelPane *
pane_of_graph (StriaModelPanes *self, guint graph)
{
  g_autoptr (GPtrArray) panes = stria_pane_tree_list (self->tree);

  for (guint i = 0; i < panes->len; i++)
    if (stria_model_pane_get_graph (panes->pdata[i]) == graph)
      return panes->pdata[i];
  return NULL;
}

static StriaModelPane *
show_graph (StriaModelPanes *self, guint graph)
{
  StriaModelPane *pane = pane_of_graph (self, graph);

  if (pane == NULL)
    {
      pane = self->current;
      stria_model_pane_show (pane, graph);
    }
  self->current = pane;
  return pane;
}

static void
on_reveal (StriaModelPanes *self)
{
  const guint graph = stria_model_state_get_selection (self->state)->graph;
  StriaModelPane *pane;

  if (self->current == NULL || graph == G_MAXUINT)
    return;
  pane = show_graph (self, graph);
  stria_model_tab_reveal (stria_model_pane_get_tab (pane));
  gtk_widget_grab_focus (GTK_WIDGET (pane));
}

static void
on_show_graph (StriaModelPanes *self, guint graph)
{
  if (self->current != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (show_graph (self, graph)));
}

guint64
stria_model_panes_shown (StriaModelPanes *self)
{
  g_autoptr (GPtrArray) panes = NULL;
  guint64 shown = 0;

  g_return_val_if_fail (STRIA_IS_MODEL_PANES (self), 0);

  panes = stria_pane_tree_list (self->tree);
  for (guint i = 0; i < panes->len; i++)
    {
      const guint graph = stria_model_pane_get_graph (panes->pdata[i]);

      if (graph < 64)
        shown |= G_GUINT64_CONSTANT (1) << graph;
    }
  return shown;
}

StriaModelPane *
stria_model_panes_current (StriaModelPanes *self)
{
  g_return_val_if_fail (STRIA_IS_MODEL_PANES (self), NULL);

  return self->current;
}

guint
stria_model_panes_count (StriaModelPanes *self)
{
  g_autoptr (GPtrArray) panes = stria_pane_tree_list (self->tree);

  return panes->len;
}

StriaModelPane *
stria_model_panes_at (StriaModelPanes *self, double x, double y, StriaPaneRect *rect)
{
  g_autoptr (GPtrArray) panes = stria_pane_tree_list (self->tree);

  for (guint i = 0; i < panes->len; i++)
    {
      const StriaPaneRect *at = &stria_pane_tree_find (self->tree, panes->pdata[i])->rect;

      if (x < at->x || y < at->y || x >= at->x + at->width || y >= at->y + at->height)
        continue;
      *rect = *at;
      return panes->pdata[i];
    }
  return NULL;
}

StriaPaneDrop *
stria_model_panes_get_drop (StriaModelPanes *self)
{
  return STRIA_PANE_DROP (self->drop);
}

void
stria_model_panes_split (StriaModelPanes *self, StriaSide side)
{
  g_return_if_fail (STRIA_IS_MODEL_PANES (self));

  if (self->current != NULL && stria_model_panes_count (self) < STRIA_MODEL_MAX_PANES)
    stria_model_panes_add (self, self->current, side,
                           stria_model_panes_next_graph (self, G_MAXUINT));
}

void
stria_model_panes_close (StriaModelPanes *self)
{
  g_autoptr (GPtrArray) panes = NULL;
  StriaModelPane *closed;
  guint at;

  g_return_if_fail (STRIA_IS_MODEL_PANES (self));

  closed = self->current;
  panes = stria_pane_tree_list (self->tree);
  if (panes->len < 2 || !g_ptr_array_find (panes, closed, &at))
    return;
  self->current = panes->pdata[at > 0 ? at - 1 : 1];
  stria_pane_tree_remove (&self->tree, closed);
  gtk_widget_grab_focus (GTK_WIDGET (self->current));
  gtk_widget_unparent (GTK_WIDGET (closed));
  update (self);
  keep (self);
}

void
stria_model_panes_move (StriaModelPanes *self, StriaSide side)
{
  StriaModelPane *pane, *other;

  g_return_if_fail (STRIA_IS_MODEL_PANES (self));

  pane = self->current;
  if (pane == NULL || stria_model_panes_count (self) < 2)
    return;
  other = stria_pane_tree_beside (self->tree, pane, side);
  if (other != NULL)
    stria_model_panes_put (self, pane, other, STRIA_SIDE_CENTER);
  else
    stria_model_panes_put (self, pane, NULL, side);
}

gboolean
stria_model_panes_cycle (StriaModelPanes *self, gboolean forward)
{
  g_autoptr (GPtrArray) panes = NULL;
  GtkWidget *focus;
  gboolean inside;
  guint at = 0;

  g_return_val_if_fail (STRIA_IS_MODEL_PANES (self), FALSE);

  panes = stria_pane_tree_list (self->tree);
  if (panes->len == 0)
    return FALSE;
  focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
  inside = focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self));
  g_ptr_array_find (panes, self->current, &at);
  if (!inside)
    at = forward ? 0 : panes->len - 1;
  else if (forward ? at + 1 >= panes->len : at == 0)
    return FALSE;
  else
    at += forward ? 1 : -1;
  self->current = panes->pdata[at];
  gtk_widget_grab_focus (GTK_WIDGET (self->current));
  return TRUE;
}

/* -- the widget ------------------------------------------------------------------------------ */

static void
set_share (StriaModelPanes *self, StriaPaneNode *cut, double share)
{
  cut->share = CLAMP (share, 0.05, 0.95);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static int
room_of (const StriaPaneNode *cut)
{
  return MAX (1, (cut->below ? cut->rect.height : cut->rect.width) - STRIA_PANE_DIVIDER_SIZE);
}

/* By the share and not by the place: keys come faster than frames. */
static void
on_divider_nudged (StriaModelPanes *self, int pixels, GtkWidget *divider)
{
  for (guint i = 0; i < self->n_cuts; i++)
    if (self->dividers[i] == divider)
      set_share (self, self->cuts[i],
                 self->cuts[i]->share + (double) pixels / room_of (self->cuts[i]));
}

static void
on_divider_moved (StriaModelPanes *self, int position, GtkWidget *divider)
{
  for (guint i = 0; i < self->n_cuts; i++)
    if (self->dividers[i] == divider)
      {
        const StriaPaneRect *rect = &self->cuts[i]->rect;

        set_share (self, self->cuts[i],
                   (double) (position - (self->cuts[i]->below ? rect->y : rect->x))
                       / room_of (self->cuts[i]));
      }
}

static void
measure_pane (gpointer pane, int *width, int *height, gpointer user_data)
{
  gtk_widget_measure (pane, GTK_ORIENTATION_HORIZONTAL, -1, width, NULL, NULL, NULL);
  gtk_widget_measure (pane, GTK_ORIENTATION_VERTICAL, -1, height, NULL, NULL, NULL);
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
  StriaModelPanes *self = user_data;

  if (node->pane != NULL)
    allocate (node->pane, &node->rect);
  for (guint i = 0; node->pane == NULL && i < self->n_cuts; i++)
    if (self->cuts[i] == node)
      allocate (self->dividers[i], divider);
}

static void
stria_model_panes_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                           int *minimum, int *natural, int *minimum_baseline,
                           int *natural_baseline)
{
  int width, height;

  stria_pane_tree_measure (STRIA_MODEL_PANES (widget)->tree, STRIA_PANE_DIVIDER_SIZE, measure_pane,
                           widget, &width, &height);
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? width : height;
}

static void
stria_model_panes_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  StriaModelPanes *self = STRIA_MODEL_PANES (widget);
  const StriaPaneRect whole = { 0, 0, width, height };

  stria_pane_tree_layout (self->tree, &whole, STRIA_PANE_DIVIDER_SIZE, measure_pane, place, self);
  if (gtk_widget_get_visible (self->drop))
    {
      int least_width, least_height;

      gtk_widget_measure (self->drop, GTK_ORIENTATION_HORIZONTAL, -1, &least_width, NULL, NULL,
                          NULL);
      gtk_widget_measure (self->drop, GTK_ORIENTATION_VERTICAL, -1, &least_height, NULL, NULL,
                          NULL);
      StriaPaneRect rect = *stria_pane_drop_get_rect (STRIA_PANE_DROP (self->drop));
      rect.width = MAX (rect.width, least_width);
      rect.height = MAX (rect.height, least_height);
      allocate (self->drop, &rect);
    }
}

static gboolean
stria_model_panes_grab_focus (GtkWidget *widget)
{
  StriaModelPane *pane = stria_model_panes_current (STRIA_MODEL_PANES (widget));

  return pane != NULL && gtk_widget_grab_focus (GTK_WIDGET (pane));
}

static void
stria_model_panes_dispose (GObject *object)
{
  StriaModelPanes *self = STRIA_MODEL_PANES (object);
  GtkWidget *child;

  self->current = NULL;
  self->n_cuts = 0;
  g_clear_pointer (&self->tree, stria_pane_tree_free);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->state);
  G_OBJECT_CLASS (stria_model_panes_parent_class)->dispose (object);
}

static void
stria_model_panes_class_init (StriaModelPanesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_model_panes_dispose;
  widget_class->measure = stria_model_panes_measure;
  widget_class->size_allocate = stria_model_panes_size_allocate;
  widget_class->grab_focus = stria_model_panes_grab_focus;
  signals[SHOWN] = g_signal_new ("shown", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_model_panes_init (StriaModelPanes *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->dividers); i++)
    {
      GtkWidget *divider = stria_pane_divider_new ();

      self->dividers[i] = divider;
      gtk_widget_set_visible (divider, FALSE);
      g_signal_connect_swapped (divider, "moved", G_CALLBACK (on_divider_moved), self);
      g_signal_connect_swapped (divider, "nudged", G_CALLBACK (on_divider_nudged), self);
      g_signal_connect_swapped (divider, "done", G_CALLBACK (keep), self);
      gtk_widget_set_parent (divider, GTK_WIDGET (self));
    }
  self->drop = stria_pane_drop_new ();
  gtk_widget_set_parent (self->drop, GTK_WIDGET (self));
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  stria_model_panes_add_drag (self);
}

GtkWidget *
stria_model_panes_new (StriaModelState *state)
{
  StriaModelPanes *self = g_object_new (STRIA_TYPE_MODEL_PANES, NULL);

  self->state = g_object_ref (state);
  g_signal_connect_object (state, "profile-changed", G_CALLBACK (on_profile_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "reveal", G_CALLBACK (on_reveal), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "show-graph", G_CALLBACK (on_show_graph), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
