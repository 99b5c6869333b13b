/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-panes-private.h"

#include <glib/gi18n-lib.h>

#include "stria-focus.h"
#include "stria-settings.h"

struct _StriaModelPanes
{
  GtkWidget parent_instance;

  StriaModelState *state;
  StriaPaneBox    *box; /* of StriaModelPane */
};

enum
{
  SHOWN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaModelPanes, stria_model_panes, GTK_TYPE_WIDGET)

/* -- what is kept ---------------------------------------------------------------------------- */

/* Returns: (transfer none) (nullable): what the panes share, or NULL where one has all of it */
static StriaPaneNode *
several (StriaModelPanes *self)
{
  StriaPaneNode *tree = stria_pane_box_get_tree (self->box);

  return tree != NULL && tree->pane == NULL ? tree : NULL;
}

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
  words = stria_pane_tree_save (several (self), kept_name, self);
  stria_settings_set_list (STRIA_SETTING_MODEL_PANES,
                           several (self) != NULL ? (const char *const *) words : none);
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
  if (several (self) != NULL)
    keep (self);
  notify_shown (self);
}

/* -- panes come and go ----------------------------------------------------------------------- */

static void
on_split (StriaModelPane *pane, gpointer user_data)
{
  StriaModelPanes *self = user_data;

  stria_pane_box_set_current (self->box, GTK_WIDGET (pane));
  stria_model_panes_split (self, STRIA_SIDE_RIGHT);
}

static void
on_close (StriaModelPane *pane, gpointer user_data)
{
  StriaModelPanes *self = user_data;

  stria_pane_box_set_current (self->box, GTK_WIDGET (pane));
  stria_model_panes_close (self);
}

static StriaModelPane *
pane_new (StriaModelPanes *self, guint graph)
{
  GtkWidget *pane = stria_model_pane_new (self->state, graph);

  g_signal_connect_object (pane, "split", G_CALLBACK (on_split), self, 0);
  g_signal_connect_object (pane, "close", G_CALLBACK (on_close), self, 0);
  g_signal_connect_object (pane, "shown", G_CALLBACK (on_pane_shown), self, G_CONNECT_SWAPPED);
  return STRIA_MODEL_PANE (pane);
}

static void
on_panes_changed (StriaModelPanes *self)
{
  g_autoptr (GPtrArray) panes = stria_pane_box_list (self->box);

  for (guint i = 0; i < panes->len; i++)
    stria_model_pane_allow (panes->pdata[i], panes->len < STRIA_PANE_BOX_MOST, panes->len > 1);
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
  return but != G_MAXUINT ? but : stria_model_pane_get_graph (stria_model_panes_current (self));
}

StriaModelPane *
stria_model_panes_add (StriaModelPanes *self, StriaModelPane *at, StriaSide side, guint graph)
{
  StriaModelPane *pane = pane_new (self, graph);

  stria_pane_box_add (self->box, GTK_WIDGET (at), GTK_WIDGET (pane), side);
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
  stria_pane_box_put (self->box, GTK_WIDGET (pane), GTK_WIDGET (at), side);
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
      if (++job->n > STRIA_PANE_BOX_MOST)
        return NULL;
      job->shown |= G_GUINT64_CONSTANT (1) << i;
      return pane_new (job->self, i);
    }
  return NULL;
}

/* Returns: (transfer full) (nullable) */
static StriaPaneNode *
restore (StriaModelPanes *self)
{
  g_auto (GStrv) words = stria_settings_get_list (STRIA_SETTING_MODEL_PANES);
  Restoring job = { .self = self };
  StriaPaneNode *tree = NULL;

  if (words != NULL && words[0] != NULL)
    tree = stria_pane_tree_load ((const char *const *) words, restore_pane, &job);
  /* What is left of several is not what anybody chose. */
  if (tree != NULL && tree->pane != NULL)
    {
      g_object_unref (g_object_ref_sink (tree->pane));
      g_clear_pointer (&tree, stria_pane_tree_free);
    }
  return tree;
}

/* The same kinds of graphs of another method, unit or set. */
static void
replace_panes (StriaModelPanes *self, StriaModelIndex *index)
{
  g_autoptr (GPtrArray) old = stria_pane_box_list (self->box);

  for (guint i = 0; i < old->len; i++)
    {
      guint graph = stria_model_pane_get_graph (old->pdata[i]);

      if (graph >= index->graphs->len
          || ((StriaModelGraph *) index->graphs->pdata[graph])->graph == NULL)
        graph = stria_model_index_first (index);
      stria_pane_box_replace (self->box, old->pdata[i],
                              GTK_WIDGET (pane_new (self, graph != G_MAXUINT ? graph : 0)));
    }
}

static void
on_profile_changed (StriaModelPanes *self)
{
  StriaModelIndex *index = stria_model_state_get_index (self->state);
  StriaPaneNode *tree;
  guint first;

  if (index == NULL)
    stria_pane_box_take_tree (self->box, NULL);
  else if (stria_pane_box_count (self->box) > 0)
    {
      g_autoptr (GPtrArray) panes = NULL;

      replace_panes (self, index);
      panes = stria_pane_box_list (self->box);
      stria_pane_box_set_current (self->box, panes->pdata[0]);
    }
  else
    {
      tree = restore (self);
      first = stria_model_index_first (index);
      if (tree == NULL)
        tree = stria_pane_tree_new (pane_new (self, first != G_MAXUINT ? first : 0));
      stria_pane_box_take_tree (self->box, tree);
    }
}

/* -- what others ask for --------------------------------------------------------------------- */

static StriaModelPane *
pane_of_graph (StriaModelPanes *self, guint graph)
{
  g_autoptr (GPtrArray) panes = stria_pane_box_list (self->box);

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
      pane = stria_model_panes_current (self);
      stria_model_pane_show (pane, graph);
    }
  stria_pane_box_set_current (self->box, GTK_WIDGET (pane));
  return pane;
}

static void
on_reveal (StriaModelPanes *self)
{
  const guint graph = stria_model_state_get_selection (self->state)->graph;
  StriaModelPane *pane;

  if (stria_model_panes_current (self) == NULL || graph == G_MAXUINT)
    return;
  pane = show_graph (self, graph);
  stria_model_tab_reveal (stria_model_pane_get_tab (pane));
  gtk_widget_grab_focus (GTK_WIDGET (pane));
}

static void
on_show_graph (StriaModelPanes *self, guint graph)
{
  if (stria_model_panes_current (self) != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (show_graph (self, graph)));
}

guint64
stria_model_panes_shown (StriaModelPanes *self)
{
  g_autoptr (GPtrArray) panes = NULL;
  guint64 shown = 0;

  g_return_val_if_fail (STRIA_IS_MODEL_PANES (self), 0);

  panes = stria_pane_box_list (self->box);
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

  return (StriaModelPane *) stria_pane_box_get_current (self->box);
}

void
stria_model_panes_split (StriaModelPanes *self, StriaSide side)
{
  g_return_if_fail (STRIA_IS_MODEL_PANES (self));

  if (stria_model_panes_current (self) != NULL
      && stria_pane_box_count (self->box) < STRIA_PANE_BOX_MOST)
    stria_model_panes_add (self, stria_model_panes_current (self), side,
                           stria_model_panes_next_graph (self, G_MAXUINT));
}

void
stria_model_panes_close (StriaModelPanes *self)
{
  GtkWidget *closed;

  g_return_if_fail (STRIA_IS_MODEL_PANES (self));

  closed = stria_pane_box_get_current (self->box);
  if (closed == NULL || stria_pane_box_count (self->box) < 2)
    return;
  stria_pane_box_remove (self->box, closed);
  gtk_widget_grab_focus (stria_pane_box_get_current (self->box));
  keep (self);
}

void
stria_model_panes_move (StriaModelPanes *self, StriaSide side)
{
  GtkWidget *pane;

  g_return_if_fail (STRIA_IS_MODEL_PANES (self));

  pane = stria_pane_box_get_current (self->box);
  if (pane == NULL || stria_pane_box_count (self->box) < 2)
    return;
  stria_pane_box_move (self->box, pane, side);
  keep (self);
  gtk_widget_grab_focus (pane);
}

gboolean
stria_model_panes_cycle (StriaModelPanes *self, gboolean forward)
{
  g_autoptr (GPtrArray) panes = NULL;
  GtkWidget *focus;
  gboolean inside;
  guint at = 0;

  g_return_val_if_fail (STRIA_IS_MODEL_PANES (self), FALSE);

  panes = stria_pane_box_list (self->box);
  if (panes->len == 0)
    return FALSE;
  focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
  inside = focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self));
  g_ptr_array_find (panes, stria_model_panes_current (self), &at);
  if (!inside)
    at = forward ? 0 : panes->len - 1;
  else if (forward ? at + 1 >= panes->len : at == 0)
    return FALSE;
  else
    at += forward ? 1 : -1;
  stria_pane_box_set_current (self->box, panes->pdata[at]);
  gtk_widget_grab_focus (panes->pdata[at]);
  return TRUE;
}

/* -- the widget ------------------------------------------------------------------------------ */

static gboolean
stria_model_panes_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (STRIA_MODEL_PANES (widget)->box));
}

static void
stria_model_panes_dispose (GObject *object)
{
  StriaModelPanes *self = STRIA_MODEL_PANES (object);

  if (self->box != NULL)
    g_signal_handlers_disconnect_by_data (self->box, self);
  g_clear_pointer ((GtkWidget **) &self->box, gtk_widget_unparent);
  g_clear_object (&self->state);
  G_OBJECT_CLASS (stria_model_panes_parent_class)->dispose (object);
}

static void
stria_model_panes_class_init (StriaModelPanesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_model_panes_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  widget_class->focus = stria_focus_children;
  widget_class->grab_focus = stria_model_panes_grab_focus;
  signals[SHOWN] = g_signal_new ("shown", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_model_panes_init (StriaModelPanes *self)
{
  self->box = STRIA_PANE_BOX (stria_pane_box_new ());
  gtk_widget_set_parent (GTK_WIDGET (self->box), GTK_WIDGET (self));
  g_signal_connect_swapped (self->box, "changed", G_CALLBACK (on_panes_changed), self);
  g_signal_connect_swapped (self->box, "resized", G_CALLBACK (keep), self);
  stria_model_panes_add_drag (self, self->box);
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
