/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-panes.h"

#include <glib/gi18n-lib.h>

struct _StriaModelPanes
{
  GtkWidget parent_instance;

  StriaModelState *state;
  GPtrArray       *panes; /* StriaModelPane, from left to right; the slots hold them */
  guint            current;
  /* A pane stays in its slot for good: menus do not survive being moved. */
  GtkWidget       *slots[STRIA_MODEL_MAX_PANES];
  GtkWidget       *dividers[STRIA_MODEL_MAX_PANES - 1]; /* each: a slot | the next divider */
};

enum
{
  SHOWN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaModelPanes, stria_model_panes, GTK_TYPE_WIDGET)

static void split_at (StriaModelPanes *self, guint at);
static void close_at (StriaModelPanes *self, guint at);

static void
notify_shown (StriaModelPanes *self)
{
  stria_model_state_set_shown (self->state, stria_model_panes_shown (self));
  g_signal_emit (self, signals[SHOWN], 0);
}

static guint
number_of (StriaModelPanes *self, gpointer pane)
{
  guint number = 0;

  g_ptr_array_find (self->panes, pane, &number);
  return number;
}

static void
on_focus (GtkEventController *controller, gpointer user_data)
{
  StriaModelPanes *self = user_data;

  self->current = number_of (self, gtk_event_controller_get_widget (controller));
}

static void
on_split (StriaModelPane *pane, gpointer user_data)
{
  split_at (user_data, number_of (user_data, pane));
}

static void
on_close (StriaModelPane *pane, gpointer user_data)
{
  close_at (user_data, number_of (user_data, pane));
}

static guint
slot_of (StriaModelPanes *self, gpointer pane)
{
  const GtkWidget *parent = gtk_widget_get_parent (pane);
  guint slot = 0;

  while (slot + 1 < STRIA_MODEL_MAX_PANES && self->slots[slot] != parent)
    slot++;
  return slot;
}

/* The first empty slot right of @after, else the first at all. */
static guint
free_slot (StriaModelPanes *self, guint after)
{
  for (guint i = 0; i < STRIA_MODEL_MAX_PANES; i++)
    {
      const guint slot = (after + 1 + i) % STRIA_MODEL_MAX_PANES;

      if (gtk_widget_get_first_child (self->slots[slot]) == NULL)
        return slot;
    }
  return G_MAXUINT;
}

static StriaModelPane *
add_pane (StriaModelPanes *self, guint slot, guint graph)
{
  GtkWidget *pane = stria_model_pane_new (self->state, graph);
  GtkEventController *focus = gtk_event_controller_focus_new ();
  guint at = 0;

  while (at < self->panes->len && slot_of (self, self->panes->pdata[at]) < slot)
    at++;
  g_signal_connect_object (focus, "enter", G_CALLBACK (on_focus), self, 0);
  gtk_widget_add_controller (pane, focus);
  g_signal_connect_object (pane, "split", G_CALLBACK (on_split), self, 0);
  g_signal_connect_object (pane, "close", G_CALLBACK (on_close), self, 0);
  g_signal_connect_object (pane, "shown", G_CALLBACK (notify_shown), self, G_CONNECT_SWAPPED);
  gtk_widget_set_hexpand (pane, TRUE);
  g_ptr_array_insert (self->panes, (int) at, pane);
  gtk_box_append (GTK_BOX (self->slots[slot]), pane);
  return STRIA_MODEL_PANE (pane);
}

static void
remove_pane (StriaModelPanes *self, guint at)
{
  GtkWidget *pane = self->panes->pdata[at];

  g_ptr_array_remove_index (self->panes, at);
  gtk_box_remove (GTK_BOX (gtk_widget_get_parent (pane)), pane);
}

static gboolean
share_out (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  StriaModelPanes *self = STRIA_MODEL_PANES (widget);
  const int width = gtk_widget_get_width (widget);

  if (width == 0)
    return G_SOURCE_CONTINUE;
  for (guint i = 0; i < G_N_ELEMENTS (self->dividers); i++)
    gtk_paned_set_position (GTK_PANED (self->dividers[i]), width / (int) MAX (1, self->panes->len));
  return G_SOURCE_REMOVE;
}

static void
update_slots (StriaModelPanes *self)
{
  gboolean any = FALSE;

  for (guint i = STRIA_MODEL_MAX_PANES; i > 0; i--)
    {
      const gboolean used = gtk_widget_get_first_child (self->slots[i - 1]) != NULL;

      any = any || used;
      gtk_widget_set_visible (self->slots[i - 1], used);
      if (i <= G_N_ELEMENTS (self->dividers))
        gtk_widget_set_visible (self->dividers[i - 1], any);
    }
  for (guint i = 0; i < self->panes->len; i++)
    stria_model_pane_allow (self->panes->pdata[i], self->panes->len < STRIA_MODEL_MAX_PANES,
                            self->panes->len > 1);
  gtk_widget_add_tick_callback (GTK_WIDGET (self), share_out, NULL, NULL);
  notify_shown (self);
}

/* Where a new pane begins: the first graph that nobody shows. */
static guint
next_graph (StriaModelPanes *self)
{
  StriaModelIndex *index = stria_model_state_get_index (self->state);
  const guint64 shown = stria_model_panes_shown (self);

  for (guint i = 0; i < MIN (index->graphs->len, 64u); i++)
    if ((shown >> i & 1) == 0 && ((StriaModelGraph *) index->graphs->pdata[i])->graph != NULL)
      return i;
  return stria_model_pane_get_graph (self->panes->pdata[0]);
}

static void
split_at (StriaModelPanes *self, guint at)
{
  StriaModelPane *pane;

  if (self->panes->len == 0 || self->panes->len >= STRIA_MODEL_MAX_PANES)
    return;
  pane = add_pane (self, free_slot (self, slot_of (self, self->panes->pdata[at])),
                   next_graph (self));
  update_slots (self);
  self->current = number_of (self, pane);
  gtk_widget_grab_focus (GTK_WIDGET (pane));
}

static void
close_at (StriaModelPanes *self, guint at)
{
  if (self->panes->len < 2)
    return;
  remove_pane (self, at);
  self->current = MIN (at, self->panes->len - 1);
  update_slots (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->panes->pdata[self->current]));
}

static void
on_profile_changed (StriaModelPanes *self)
{
  StriaModelIndex *index = stria_model_state_get_index (self->state);
  g_autoptr (GArray) shown = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n;

  /* The same kinds of graphs of another method, unit or set. */
  for (guint i = 0; i < self->panes->len; i++)
    {
      const guint graph = stria_model_pane_get_graph (self->panes->pdata[i]);

      g_array_append_val (shown, graph);
    }
  while (self->panes->len > 0)
    remove_pane (self, 0);
  n = index != NULL ? MAX (1, shown->len) : 0;
  for (guint i = 0; i < n; i++)
    {
      guint graph = i < shown->len ? g_array_index (shown, guint, i) : G_MAXUINT;

      if (graph >= index->graphs->len
          || ((StriaModelGraph *) index->graphs->pdata[graph])->graph == NULL)
        graph = stria_model_index_first (index);
      add_pane (self, i, graph != G_MAXUINT ? graph : 0);
    }
  self->current = 0;
  update_slots (self);
}

static void
on_reveal (StriaModelPanes *self)
{
  const guint graph = stria_model_state_get_selection (self->state)->graph;
  StriaModelPane *pane = NULL;

  if (self->panes->len == 0 || graph == G_MAXUINT)
    return;
  for (guint i = 0; pane == NULL && i < self->panes->len; i++)
    if (stria_model_pane_get_graph (self->panes->pdata[i]) == graph)
      pane = self->panes->pdata[i];
  if (pane == NULL)
    {
      pane = stria_model_panes_current (self);
      stria_model_pane_show (pane, graph);
    }
  self->current = number_of (self, pane);
  stria_model_tab_reveal (stria_model_pane_get_tab (pane));
  gtk_widget_grab_focus (GTK_WIDGET (pane));
}

static void
on_show_graph (StriaModelPanes *self, guint graph)
{
  for (guint i = 0; i < self->panes->len; i++)
    if (stria_model_pane_get_graph (self->panes->pdata[i]) == graph)
      {
        gtk_widget_grab_focus (GTK_WIDGET (self->panes->pdata[i]));
        return;
      }
  if (self->panes->len > 0)
    {
      stria_model_pane_show (stria_model_panes_current (self), graph);
      gtk_widget_grab_focus (GTK_WIDGET (stria_model_panes_current (self)));
    }
}

guint64
stria_model_panes_shown (StriaModelPanes *self)
{
  guint64 shown = 0;

  g_return_val_if_fail (STRIA_IS_MODEL_PANES (self), 0);

  for (guint i = 0; i < self->panes->len; i++)
    {
      const guint graph = stria_model_pane_get_graph (self->panes->pdata[i]);

      if (graph < 64)
        shown |= G_GUINT64_CONSTANT (1) << graph;
    }
  return shown;
}

StriaModelPane *
stria_model_panes_current (StriaModelPanes *self)
{
  g_return_val_if_fail (STRIA_IS_MODEL_PANES (self), NULL);

  return self->current < self->panes->len ? self->panes->pdata[self->current] : NULL;
}

void
stria_model_panes_split (StriaModelPanes *self)
{
  g_return_if_fail (STRIA_IS_MODEL_PANES (self));

  split_at (self, self->current);
}

void
stria_model_panes_close (StriaModelPanes *self)
{
  g_return_if_fail (STRIA_IS_MODEL_PANES (self));

  close_at (self, self->current);
}

gboolean
stria_model_panes_cycle (StriaModelPanes *self, gboolean forward)
{
  GtkWidget *focus;
  gboolean inside;

  g_return_val_if_fail (STRIA_IS_MODEL_PANES (self), FALSE);

  if (self->panes->len == 0)
    return FALSE;
  focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
  inside = focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self));
  if (!inside)
    self->current = forward ? 0 : self->panes->len - 1;
  else if (forward ? self->current + 1 >= self->panes->len : self->current == 0)
    return FALSE;
  else
    self->current += forward ? 1 : -1;
  gtk_widget_grab_focus (GTK_WIDGET (self->panes->pdata[self->current]));
  return TRUE;
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

  g_ptr_array_set_size (self->panes, 0);
  g_clear_pointer (&self->dividers[0], gtk_widget_unparent);
  g_clear_object (&self->state);
  G_OBJECT_CLASS (stria_model_panes_parent_class)->dispose (object);
}

static void
stria_model_panes_finalize (GObject *object)
{
  g_ptr_array_unref (STRIA_MODEL_PANES (object)->panes);
  G_OBJECT_CLASS (stria_model_panes_parent_class)->finalize (object);
}

static void
stria_model_panes_class_init (StriaModelPanesClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = stria_model_panes_dispose;
  object_class->finalize = stria_model_panes_finalize;
  widget_class->grab_focus = stria_model_panes_grab_focus;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  signals[SHOWN] = g_signal_new ("shown", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_model_panes_init (StriaModelPanes *self)
{
  GtkWidget *right = NULL;

  self->panes = g_ptr_array_new ();
  for (guint i = STRIA_MODEL_MAX_PANES; i > 0; i--)
    {
      GtkWidget *slot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

      gtk_widget_set_visible (slot, FALSE);
      self->slots[i - 1] = slot;
      if (right == NULL)
        {
          right = slot;
          continue;
        }
      self->dividers[i - 1] = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
      gtk_paned_set_start_child (GTK_PANED (self->dividers[i - 1]), slot);
      gtk_paned_set_end_child (GTK_PANED (self->dividers[i - 1]), right);
      gtk_paned_set_shrink_start_child (GTK_PANED (self->dividers[i - 1]), FALSE);
      gtk_paned_set_shrink_end_child (GTK_PANED (self->dividers[i - 1]), FALSE);
      right = self->dividers[i - 1];
    }
  gtk_widget_set_parent (right, GTK_WIDGET (self));
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
